// The plugin: registers the languages with JupyterLab's editors, which are created when an editor first needs one, and styles
// results in untrusted notebooks, where JupyterLab removes their style sheet.

import { languages } from "./mode.js";

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
    description: "cfg and Jsonnet in editors, and the looks of results.",
    autoStart: true,
    requires: [IEditorLanguageRegistry],
    activate: (app, registry) => {
      const look = document.createElement("link");
      look.rel = "stylesheet";
      look.href = new URL("look.css", import.meta.url).href;
      document.head.append(look);
      registry.addLanguage({
        name: "cfg",
        displayName: "cfg",
        alias: ["nickel"],
        mime: "text/x-cfg",
        extensions: ["cfg", "ncl"],
        // matched before file extensions, where another language already has `cfg`
        filename: /\.(cfg|ncl)$/,
        load: load("cfg"),
      });
      if (!registry.findByName("jsonnet")) {
        registry.addLanguage({
          name: "jsonnet",
          displayName: "Jsonnet",
          mime: "text/x-jsonnet",
          extensions: ["jsonnet", "libsonnet"],
          load: load("jsonnet"),
        });
      }
    },
  };
}
