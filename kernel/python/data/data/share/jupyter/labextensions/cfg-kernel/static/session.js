// A notebook and the session of its kernel: a comm with the target `cfg.notebook`. With it, results that have a number can be
// replaced, places in outputs are links, a panel lists the names of the session, and explanations answer "what if".

import { inCells } from "./mode.js";
import { panel } from "./panel.js";
import { explorable } from "./whatif.js";
import { stepped } from "./stepper.js";
import { TABLES } from "./tables.js";

const TARGET = "cfg.notebook";
/** The media types of the languages in cells. */
const MIMES = Object.fromEntries(Object.entries(TABLES.editors).map(([name, { mime }]) => [name, inCells(mime)]));
/** A place in a cell, `cfg[3]:1:5`, or in a file that is not given by its absolute path, `conf/base.cfg:2:7`. */
const PLACE = /\b[a-z]+\[(\d+)\]:(\d+):(\d+)|(?<![\w./~-])(\w[\w./-]*\.[a-z]+):(\d+):(\d+)/g;
/** Minimum and maximum of the width of reports, in columns. */
const [NARROWEST, WIDEST] = [40, 120];
/** Minimum scale of a picture that is made smaller to fit the page. */
const LEGIBLE = 0.6;
const HIDDEN = "Output hidden: click to show it";

/** Returns a mutation observer that calls `work` once for all changes of a frame. */
function watch(node, work) {
  let waits = false;
  const observer = new MutationObserver(() => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      work();
    });
  });
  observer.observe(node, { childList: true, subtree: true });
  return observer;
}

/** A notebook of cfg and the comm to its kernel. */
export class Link {
  constructor(notebook) {
    this.notebook = notebook;
    this.listeners = new Set();
    this.waiting = new Map();
    this.results = new Map();
    this.numbers = {};
    /** The ids of the code cells, and of those that were deleted. */
    this.known = new Set();
    this.gone = new Set();
    this.next = 1;
    const context = notebook.sessionContext;
    context.kernelChanged.connect(() => this.connect());
    context.statusChanged.connect((_, status) => status === "idle" && this.idle());
    this.observer = watch(notebook.content.node, () => this.decorate());
    const sizes = new ResizeObserver(() => this.resized());
    sizes.observe(notebook.content.node);
    notebook.disposed.connect(() => [this.observer, sizes].forEach((observer) => observer.disconnect()));
    notebook.context.ready.then(() => {
      this.known = this.ids();
      notebook.content.model?.cells.changed.connect(() => this.changed());
    });
    // before the kernel answers
    notebook.context.ready.then(() => {
      const { language } = notebook.content.model?.getMetadata("kernelspec") ?? {};
      if (language === "cfg") notebook.addClass("cfg-notebook");
    });
    notebook.content.node.addEventListener("click", (event) => this.clicked(event));
    notebook.content.node.addEventListener("keydown", (event) => event.key === "Enter" && this.clicked(event));
    this.connect();
  }

  /** Opens a comm, if the kernel speaks cfg. */
  async connect() {
    const kernel = this.notebook.sessionContext.session?.kernel;
    this.live = false;
    if (!kernel || kernel === this.opening) return;
    this.opening = kernel;
    try {
      const info = await kernel.info;
      const is_cfg = info.implementation === "cfg";
      this.notebook.toggleClass("cfg-notebook", is_cfg);
      if (!is_cfg || kernel.isDisposed) return;
      if (this.kernel !== kernel) {
        this.kernel = kernel;
        kernel.iopubMessage.connect((_, message) => this.published(message));
      }
      this.results.clear();
      this.comm = kernel.createComm(TARGET);
      this.comm.onMsg = (message) => this.answered(message.content.data);
      this.columns = columns(this.notebook.content.node);
      this.comm.open({ columns: this.columns });
    } catch (error) {
      console.warn("cfg-kernel:", error);
    } finally {
      this.opening = undefined;
    }
  }

  /** Tells the kernel the width of the page, so that the lines of reports fit into it. */
  resized() {
    clearTimeout(this.resizing);
    this.resizing = setTimeout(() => {
      const now = columns(this.notebook.content.node);
      if (!this.live || this.comm.isDisposed || !now || now === this.columns) return;
      this.columns = now;
      this.comm.send({ columns: now });
    }, 300);
  }

  /** The ids of the code cells. */
  ids() {
    return new Set(this.models().map((model) => model.id));
  }

  /** Tells the kernel which cells were deleted, or restored by undo. A cell that moves is removed and added at once. */
  changed() {
    clearTimeout(this.changing);
    this.changing = setTimeout(async () => {
      const { model } = this.notebook.content;
      if (!model || this.notebook.isDisposed) return;
      const [before, now] = [this.known, this.ids()];
      this.known = now;
      const deleted = [...before].filter((id) => !now.has(id));
      const restored = [...this.gone].filter((id) => now.has(id));
      deleted.forEach((id) => this.gone.add(id));
      restored.forEach((id) => this.gone.delete(id));
      // JupyterLab names the deleted cells when the next cell runs, also those that came back
      const left = model.deletedCells?.filter((id) => !now.has(id));
      if (left && left.length < model.deletedCells.length) model.deletedCells.splice(0, Infinity, ...left);
      if (!this.live || this.comm.isDisposed || deleted.length + restored.length === 0) return;
      try {
        const { says } = await this.ask({ deleted, restored });
        if (says) this.notify?.(says);
        this.counted = undefined;
        this.refresh();
      } catch {
        // the kernel went away, and the names with it
      }
    }, 50);
  }

  /** The kernel became idle: after a restart, the comm is gone. */
  idle() {
    if (!this.comm || this.comm.isDisposed) this.connect();
    else this.refresh();
  }

  answered(data) {
    if (data.ready) {
      this.live = true;
      this.refresh();
      this.decorate();
    }
    this.waiting.get(data.id)?.(data);
    this.waiting.delete(data.id);
  }

  /** Asks the kernel, and returns the data of its answer. */
  ask(question) {
    if (!this.live || this.comm.isDisposed) return Promise.reject(new Error("the kernel is not running"));
    const id = this.next++;
    const answer = new Promise((resolve) => this.waiting.set(id, resolve));
    this.comm.send({ id, ...question });
    return answer;
  }

  /** Asks for the names of the session, at most once at a time. The question itself makes the kernel busy and idle. */
  async refresh() {
    if (this.refreshing || this.kernel?.status === "dead") return;
    const counts = JSON.stringify(this.models().map((model) => [model.id, model.executionCount, model.executionState]));
    if (counts === this.counted) return;
    this.refreshing = true;
    try {
      const { names = [], cells = {} } = await this.ask({ ask: "names" });
      this.counted = counts;
      this.names = names;
      this.numbers = cells;
      this.listeners.forEach((listener) => listener(this));
    } catch {
      // the kernel went away
    } finally {
      this.refreshing = false;
    }
  }

  models() {
    return [...(this.notebook.content.model?.cells ?? [])].filter((model) => model.type === "code");
  }

  /** Keeps results that the kernel can replace, and replaces them. JupyterLab itself replaces only `display_data`. */
  published({ header, content }) {
    const id = content.transient?.display_id;
    if (!id) return;
    if (header.msg_type === "execute_result") {
      const outputs = this.models().find((model) => model.id === content.transient.cell)?.outputs;
      if (outputs?.length) this.results.set(id, { outputs, output: outputs.get(outputs.length - 1) });
    } else if (header.msg_type === "update_display_data" && this.results.has(id)) {
      const { outputs, output } = this.results.get(id);
      for (let at = 0; at < outputs.length; at++) {
        if (outputs.get(at) !== output) continue;
        const { data, metadata } = content;
        const execution_count = output.executionCount;
        outputs.set(at, { output_type: "execute_result", execution_count, data, metadata });
        this.results.set(id, { outputs, output: outputs.get(at) });
        return;
      }
      this.results.delete(id);
    }
  }

  /** Highlights each cell in its language: that of the last `:dialect` above it. */
  speak() {
    let language = TABLES.standard;
    for (const model of this.models()) {
      const text = model.sharedModel.getSource();
      const [, name] = /^[:%]dialect[ \t]+(\S+)/m.exec(text) ?? [];
      // in languages whose lines have a meaning, a cell that begins with a command is not a program
      const asked = TABLES.editors[language].is_indented && /^(\s*(#.*)?\n)*\s*[:%]/.test(text);
      const now = MIMES[asked ? TABLES.standard : language];
      if (model.mimeType !== now) model.mimeType = now;
      if (name in MIMES) language = name;
    }
  }

  /** Completes the outputs that are on the page. */
  decorate() {
    if (!this.notebook.hasClass("cfg-notebook")) return;
    this.speak();
    for (const cell of this.notebook.content.widgets) {
      const outputs = cell.model.type === "code" && cell.outputArea;
      if (!outputs) continue;
      outputs.widgets.forEach((widget, at) => {
        const data = outputs.model.get(at)?.data ?? {};
        this.linked(widget.node);
        const { type } = outputs.model.get(at) ?? {};
        widget.node.classList.toggle("cfg-warnings", type === "stream" && "application/vnd.jupyter.stderr" in data);
        const root = widget.node.querySelector(".cfg");
        if (!root) return;
        const explanation = data["application/vnd.cfg.explain+json"];
        if (explanation && this.live) explorable(this, root, explanation);
        if (data["application/vnd.cfg.steps+json"] || data["application/vnd.cfg.why+json"]) stepped(root);
        zoomed(root);
      });
    }
  }

  /** Makes links of the places in an output. */
  linked(node) {
    // JupyterLab makes links without an address of what looks like an absolute path, also of the end of a place
    for (const dead of node.querySelectorAll("a:not([href])")) {
      const parent = dead.parentNode;
      dead.replaceWith(...dead.childNodes);
      parent.normalize();
    }
    // the text of a path in a table has places where it may be broken
    for (const stop of node.querySelectorAll("wbr")) {
      const parent = stop.parentNode;
      PLACE.lastIndex = 0;
      if (parent?.closest(".cfg-place") !== null || !PLACE.test(parent.textContent)) continue;
      stop.remove();
      parent.normalize();
    }
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
      const text = texts.currentNode;
      PLACE.lastIndex = 0;
      if (PLACE.test(text.data) && !text.parentElement.closest("a, .cfg-place, .cfg-no-links")) found.push(text);
    }
    for (const text of found) {
      const parts = document.createDocumentFragment();
      let done = 0;
      for (const match of text.data.matchAll(PLACE)) {
        parts.append(text.data.slice(done, match.index), place(match[0]));
        done = match.index + match[0].length;
      }
      parts.append(text.data.slice(done));
      text.replaceWith(parts);
    }
  }

  clicked(event) {
    const link = event.target.closest?.(".cfg-place");
    if (!link) return;
    event.preventDefault();
    event.stopPropagation();
    this.go(link.dataset.place);
  }

  /** Returns the index of the cell with an input. */
  index(number) {
    const id = this.numbers[number];
    const cells = [...this.notebook.content.model.cells];
    const of = (cell) => (id ? cell.id === id : cell.type === "code" && cell.executionCount === Number(number));
    return cells.findIndex(of);
  }

  /** Moves the cursor to a place: `cfg[3]:1:5`. */
  async go(text) {
    PLACE.lastIndex = 0;
    const [, number, line, column, file, ...position] = PLACE.exec(text) ?? [];
    if (file) return this.open(file, ...position);
    const notebook = this.notebook.content;
    const at = this.index(number);
    if (at < 0) return;
    notebook.activeCellIndex = at;
    await notebook.scrollToItem(at);
    const cell = notebook.widgets[at];
    await cell.ready;
    notebook.mode = "edit";
    cell.editor?.setCursorPosition({ line: line - 1, column: column - 1 });
    cell.editor?.focus();
  }

  /** Opens a file, named relative to the folder of the notebook, and moves the cursor to a place. */
  async open(file, line, column) {
    const folder = this.notebook.context.localPath.split("/").slice(0, -1);
    const parts = [];
    for (const part of [...folder, ...file.split("/")]) part === ".." ? parts.pop() : part !== "." && parts.push(part);
    const widget = await this.openFile?.(parts.join("/"));
    if (!widget) return this.notify?.(`${file} is not among the files of JupyterLab`);
    await widget.context.ready;
    const { editor } = widget.content;
    editor?.setCursorPosition({ line: line - 1, column: column - 1 });
    editor?.focus();
  }

  /** Returns the number and the model of the cell that has the text of an edit; `undefined` if none of this notebook has it. */
  cellOf(edit) {
    const number = /\[(\d+)\]$/.exec(edit.source.file)?.[1];
    const at = number === undefined ? -1 : this.index(number);
    return at < 0 ? undefined : { edit, number, cell: this.notebook.content.model.cells.get(at) };
  }

  /** Returns the place of the first edit that is not in a cell of this notebook. */
  outside(edits) {
    return edits.find((edit) => !this.cellOf(edit))?.source;
  }

  /** Writes the edits of an answer to `:whatif` into their cells. Returns the numbers of the cells; none if one of them is not here. */
  write(edits) {
    const found = edits.map((edit) => this.cellOf(edit));
    if (found.includes(undefined)) return [];
    const offset = (text, { line, column }) => {
      const lines = text.split("\n");
      const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
      return before + [...lines[line - 1]].slice(0, column - 1).join("").length;
    };
    // from the end, so that earlier places stay
    found.sort((a, b) => b.edit.source.line - a.edit.source.line || b.edit.source.column - a.edit.source.column);
    for (const { edit, cell } of found) {
      const text = cell.sharedModel.getSource();
      const [start, end] = [offset(text, edit.source), offset(text, edit.end)];
      cell.sharedModel.setSource(text.slice(0, start) + edit.text + text.slice(end));
    }
    this.go(`cfg[${found[0].number}]:${found[0].edit.source.line}:${found[0].edit.source.column}`);
    return [...new Set(found.map(({ number }) => number))];
  }

  /** Returns a widget with the data of an answer. HTML is sanitized. */
  async shown(data) {
    const { rendermime } = this.notebook.content;
    const type = data["text/html"] ? "text/html" : "text/plain";
    const widget = rendermime.createRenderer(type);
    await widget.renderModel(rendermime.createModel({ data: { [type]: data[type] ?? "" }, trusted: false }));
    this.linked(widget.node);
    return widget;
  }
}

/** Returns the width of the results of a notebook, in columns. `undefined` if the notebook is not on the screen. */
function columns(node) {
  const editor = node.querySelector(".jp-CodeCell .jp-InputArea-editor");
  const style = getComputedStyle(node);
  const font = document.createElement("canvas").getContext("2d");
  font.font = `${style.getPropertyValue("--jp-code-font-size")} ${style.getPropertyValue("--jp-code-font-family")}`;
  // the bar and the padding of a warning
  const room = (editor?.clientWidth ?? 0) - 32;
  const fits = Math.floor((room * 10) / font.measureText("0".repeat(10)).width);
  return room > 0 ? Math.min(WIDEST, Math.max(NARROWEST, fits)) : undefined;
}

/** Returns a link to a place. */
export function place(text) {
  const link = document.createElement("a");
  link.className = "cfg-place";
  link.href = "#";
  link.dataset.place = text;
  link.title = "go to this place";
  text.split(/(?<=\/)/).forEach((part, at) => link.append(...(at ? [document.createElement("wbr")] : []), part));
  return link;
}

/** Lets a menu of completions grow when the type of the selected item takes several lines. */
function grows(menu) {
  if (!menu || menu.classList.contains("cfg-grows")) return;
  const line = document.querySelector(".cm-editor.cm-focused .cm-cursor-primary")?.getBoundingClientRect();
  menu.classList.toggle("cfg-above", line !== undefined && menu.getBoundingClientRect().bottom <= line.bottom);
  menu.style.setProperty("--cfg-height", menu.style.height);
  menu.classList.add("cfg-grows");
  // another menu has another height and place
  new MutationObserver((_, observer) => {
    if (menu.style.height === menu.style.getPropertyValue("--cfg-height") && !menu.classList.contains("lm-mod-hidden")) return;
    observer.disconnect();
    menu.classList.remove("cfg-grows", "cfg-above");
    if (!menu.classList.contains("lm-mod-hidden")) requestAnimationFrame(() => grows(menu));
  }).observe(menu, { attributes: true, attributeFilter: ["style", "class"] });
}

/** Lets the reader change the size of the pictures in an output, with buttons. */
function zoomed(root) {
  for (const picture of root.querySelectorAll("img[src^='data:image/svg+xml']:not(.cfg-zooms)")) {
    picture.classList.add("cfg-zooms");
    const bar = document.createElement("div");
    bar.className = "cfg-bar";
    let scale = 1;
    let chosen = false;
    const to = (next) => {
      scale = Math.min(8, Math.max(0.25, next));
      picture.style.width = `${picture.naturalWidth * scale}px`;
    };
    // a picture that is wider than the page becomes smaller, as far as it stays legible
    const fit = () => {
      // a folded output has no width
      if (chosen || !root.clientWidth || !picture.naturalWidth) return;
      const needed = root.clientWidth / picture.naturalWidth;
      to(Math.min(1, Math.max(needed, LEGIBLE)));
    };
    picture.addEventListener("load", fit, { once: true });
    new ResizeObserver(fit).observe(root);
    for (const [sign, title, factor] of [["−", "smaller", 1 / 1.25], ["100 %", "original size", 0], ["+", "larger", 1.25]]) {
      const button = document.createElement("button");
      [button.type, button.textContent, button.title] = ["button", sign, title];
      button.addEventListener("click", () => {
        chosen = true;
        to(factor === 0 ? 1 : scale * factor);
      });
      bar.append(button);
    }
    picture.before(bar);
  }
}

/** Creates the plugin from the packages that `use` returns. */
export async function session(use) {
  const [{ INotebookTracker }, { CodeCell }, { Completer }, { Widget }, { Notification }] = await Promise.all(
    ["@jupyterlab/notebook", "@jupyterlab/cells", "@jupyterlab/completer", "@lumino/widgets", "@jupyterlab/apputils"].map(use),
  );
  return {
    id: "cfg-kernel:session",
    description: "The names of a session of cfg, links to places, and what-if questions.",
    autoStart: true,
    requires: [INotebookTracker],
    activate: (app, tracker) => {
      // JupyterLab shows the first line of a folded output: HTML, codes for colours, or the answer to a question of a lesson
      const original = CodeCell.prototype.getOutputPlaceholderText;
      CodeCell.prototype.getOutputPlaceholderText = function () {
        // the cell may not be in the page yet
        const { language } = this.model.sharedModel.notebook?.getMetadata("kernelspec") ?? {};
        return language === "cfg" && this.model.outputs.length > 0 ? HIDDEN : original.call(this);
      };
      // JupyterLab shows the types of completions in lower case, but `'Http` and `'http` are two types
      const create = Completer.Renderer.prototype.createCompletionItemNode;
      Completer.Renderer.prototype.createCompletionItemNode = function (...items) {
        const node = create.apply(this, items);
        const type = node.querySelector(".jp-Completer-typeExtended");
        if (type && node.title && tracker.currentWidget?.hasClass("cfg-notebook")) {
          type.textContent = node.title;
          requestAnimationFrame(() => grows(node.closest(".jp-Completer")));
        }
        return node;
      };
      const links = new Map();
      const list = panel(app, Widget, () => links.get(tracker.currentWidget));
      const add = (notebook) => {
        const link = new Link(notebook);
        link.listeners.add(list.update);
        link.openFile = async (path) => {
          const found = await app.serviceManager.contents.get(path, { content: false }).catch(() => undefined);
          return found && app.commands.execute("docmanager:open", { path, factory: "Editor" });
        };
        link.notify = (text) => Notification.info(text, { autoClose: 8000 });
        links.set(notebook, link);
        notebook.disposed.connect(() => links.delete(notebook));
      };
      tracker.forEach(add);
      tracker.widgetAdded.connect((_, notebook) => add(notebook));
      tracker.currentChanged.connect(() => list.update());
    },
  };
}
