// The plugin: registers the languages with JupyterLab's editors, which are created when an editor first needs one, and styles
// results in untrusted notebooks, where JupyterLab removes their style sheet.

import { inCells, languages } from "./mode.js";
import { TABLES } from "./tables.js";

/** Creates the plugin from the packages that `use` returns. */
export async function extension(use) {
  const { IEditorLanguageRegistry } = await use("@jupyterlab/codemirror");
  let built;
  const load = (name) => async () => {
    built ??= Promise.all(["@lezer/common", "@lezer/highlight", "@codemirror/language"].map(use)).then(
      ([common, highlight, language]) => languages(common, highlight, language),
    );
    return (await built)[name];
  };
  return {
    id: "cfg-kernel:languages",
    description: "The languages of cfg in editors, and the looks of results.",
    autoStart: true,
    requires: [IEditorLanguageRegistry],
    activate: (app, registry) => {
      for (const sheet of ["look.css", "panel.css"]) {
        const look = document.createElement("link");
        look.rel = "stylesheet";
        look.href = new URL(sheet, import.meta.url).href;
        document.head.append(look);
      }
      for (const [name, { title, aliases, mime, endings, takes_files }] of Object.entries(TABLES.editors)) {
        if (inCells(name) !== name) {
          const cells = { name: inCells(name), displayName: `${title} in cells of cfg`, mime: inCells(mime) };
          registry.addLanguage({ ...cells, load: load(inCells(name)) });
        }
        // where other tools highlight the files, their language stays
        if (!takes_files && registry.findByName(name)) continue;
        // `filename` is matched before file extensions, which another language may already have
        const filename = takes_files && { filename: new RegExp(`\\.(${endings.join("|")})$`) };
        registry.addLanguage({
          name,
          displayName: title,
          alias: aliases,
          mime,
          extensions: endings,
          ...filename,
          load: load(name),
        });
      }
    },
  };
}
