// The panel with the names of the session: their types, annotations and places, and whether they are stale. A click explains one.

import { place } from "./session.js";

/** Adds the panel to JupyterLab. `current` returns the link of the current notebook. */
export function panel(app, Widget, current) {
  const widget = new Widget();
  widget.id = "cfg-session";
  widget.title.label = "cfg";
  widget.title.caption = "Names of the session";
  widget.addClass("cfg-session");
  const list = document.createElement("div");
  const answer = document.createElement("div");
  answer.className = "cfg-answer";
  widget.node.append(list, answer);
  let explained;

  const explain = async (link, name) => {
    explained = name;
    const { data, error } = await link.ask({ ask: "command", code: `:explain ${name}` });
    const shown = await link.shown(data ?? { "text/plain": error ?? "" });
    answer.replaceChildren(shown.node);
  };

  const row = (link, each) => {
    const line = document.createElement("tr");
    const cell = (...children) => {
      const box = document.createElement("td");
      box.append(...children.filter(Boolean));
      line.append(box);
    };
    const small = (text) => {
      const part = document.createElement("small");
      part.textContent = text;
      return part;
    };
    const name = document.createElement("button");
    [name.type, name.textContent, name.title] = ["button", each.name, "explain this name"];
    name.addEventListener("click", () => explain(link, each.name));
    const type = document.createElement("code");
    type.textContent = ` : ${each.type}`;
    const notes = [...each.annotations, each.doc && `“${each.doc}”`].filter(Boolean).join(" · ");
    cell(name, type, notes && small(notes));
    const stale = each.stale && small("stale");
    if (stale) stale.className = "cfg-stale-mark";
    cell(each.cell ? place(each.place) : each.place, stale);
    return line;
  };

  const update = () => {
    const link = current();
    if (!link?.names?.length) {
      list.textContent = link?.live ? "The session has no names." : "No notebook of cfg is running.";
      answer.replaceChildren();
      return;
    }
    const table = document.createElement("table");
    const head = table.createTHead().insertRow();
    for (const title of ["name and type", "where"]) {
      const cell = document.createElement("th");
      [cell.scope, cell.textContent] = ["col", title];
      head.append(cell);
    }
    table.createTBody().append(...link.names.map((each) => row(link, each)));
    list.replaceChildren(table);
    if (explained && link.names.some(({ name }) => name === explained)) explain(link, explained);
  };

  widget.node.addEventListener("click", (event) => {
    const to = event.target.closest?.(".cfg-place");
    if (!to) return;
    event.preventDefault();
    current()?.go(to.dataset.place);
  });
  update();
  app.shell.add(widget, "right", { rank: 900 });
  return { update };
}
