// The container that JupyterLab loads: what a bundler's module federation would make, written by hand. `init` is given the
// packages that JupyterLab shares, `get` gives the extension.
(() => {
  const here = document.currentScript.src;
  let shared = {};

  /** A package of JupyterLab's own. */
  async function use(name) {
    const versions = Object.values(shared[name] ?? {});
    const entry = versions.find((version) => version.loaded) ?? versions[0];
    if (!entry) throw new Error(`cfg-kernel: JupyterLab shares no ${name}`);
    return (await entry.get())();
  }

  const modules = {
    "./extension": async () => {
      const { extension } = await import(new URL("extension.js", here).href);
      const plugin = await extension(use);
      return () => ({ __esModule: true, default: plugin });
    },
  };

  (window._JUPYTERLAB ??= {})["cfg-kernel"] = {
    init(scope) {
      shared = scope;
    },
    get(name) {
      const module = modules[name];
      return module ? module() : Promise.reject(new Error(`cfg-kernel has no ${name}`));
    },
  };
})();
