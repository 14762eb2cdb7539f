// The plugin: tells JupyterLab's editors of the languages, which are built when an editor first asks for one, and gives results
// their looks where JupyterLab takes their style sheet away: in a notebook that nobody trusts.

import { languages } from "./mode.js";

/** The plugin, made of the packages that `use` gives. */
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
        // asked before extensions, where another language came first with `cfg`
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
