// "What if" on the table of an explanation: a switch, a priority and a value for each definition, the new value beside it, and a
// button that writes the lines into their cells. Nothing of the session changes before.

import { keys } from "./stepper.js";

/** The value of a secret field, which cannot be changed here. */
const SECRET = "<secret>";
const PRIORITIES = ["default", "normal", "force"];

function element(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

/** Adds a button to an explanation that opens the controls. */
export function explorable(link, root, explanation) {
  if (root.querySelector(".cfg-whatif-bar") || !explanation.definitions?.length || explanation.value === SECRET) return;
  // the fields of an expression are not those of a name: its path could be that of another value
  if (explanation.in_session === false) return;
  const table = [...root.querySelectorAll("table")].find((each) => each.tHead?.textContent.startsWith("outcome"));
  if (!table) return;
  const open = element("button", { type: "button", textContent: "What if…", title: "try other definitions; nothing changes" });
  const bar = element("div", { className: "cfg-bar cfg-whatif-bar" }, open);
  table.before(bar);
  open.addEventListener("click", () => {
    bar.remove();
    controls(link, root, table, explanation);
  });
}

function controls(link, root, table, explanation) {
  const rows = [...table.tBodies[0].rows];
  const changes = rows.map(() => ({}));
  const answer = element("div", { className: "cfg-answer" });
  // the last answer that counts: answers may come in another order
  let asked = 0;
  let edits = [];
  const apply = element("button", { type: "button", textContent: "Apply", title: "write the lines into their cells", disabled: true });
  const reset = element("button", { type: "button", textContent: "Reset", title: "all definitions as they are" });
  const said = element("span", { className: "cfg-said" });
  said.setAttribute("role", "status");

  const command = () => {
    const parts = [];
    changes.forEach((change, at) => {
      if (change.off) parts.push(`off ${at + 1}`);
      else if (change.priority) parts.push(`priority ${at + 1} ${change.priority}`);
    });
    // a value is the rest of the line
    const valued = changes.findIndex((change) => change.value !== undefined && !change.off);
    if (valued >= 0) parts.push(`value ${valued + 1} ${changes[valued].value}`);
    return parts.length ? `:whatif ${explanation.path} ${parts.join(", ")}` : undefined;
  };

  const ask = async () => {
    const number = ++asked;
    const code = command();
    apply.disabled = true;
    edits = [];
    if (!code) {
      answer.replaceChildren();
      said.textContent = "";
      return;
    }
    let data, error;
    try {
      ({ data, error } = await link.ask({ ask: "command", code }));
    } catch (problem) {
      error = problem.message;
    }
    if (number !== asked) return;
    if (!data) {
      // the rest is advice for the prompt
      const [message] = (error ?? "").split("\n = help: usage");
      answer.replaceChildren(element("pre", { textContent: message }));
      said.textContent = "no answer";
      return;
    }
    const shown = await link.shown(data);
    if (number !== asked) return;
    answer.replaceChildren(shown.node);
    const result = data["application/vnd.cfg.whatif+json"];
    edits = result.edits;
    said.textContent = result.missing ? `then ${result.missing}` : `${result.path} would be ${result.text}`;
    const outside = link.outside(edits);
    if (outside) said.textContent += `; ${outside.file}:${outside.line}:${outside.column} is not in a cell: change it there`;
    apply.disabled = !edits.length || Boolean(outside);
  };

  const head = table.tHead.rows[0];
  // the layers of a language without priorities have a fixed order
  const ranked = head.cells[1]?.textContent === "priority";
  head.prepend(...["on", ...(ranked ? ["new priority"] : []), "new value"].map((title) => element("th", { scope: "col", textContent: title, className: "cfg-control" })));
  const inputs = rows.map((row, at) => {
    const change = changes[at];
    const [, priority, value] = [...row.cells].map((cell) => cell.textContent.trim());
    const on = element("input", { type: "checkbox", checked: true, title: `definition ${at + 1} on or off` });
    const choices = PRIORITIES.includes(priority) ? PRIORITIES : [...PRIORITIES, priority];
    const rank = element("select", { title: `priority of definition ${at + 1}` });
    rank.append(...choices.map((choice) => element("option", { value: choice, textContent: choice })));
    rank.value = priority;
    const number = element("input", { type: "number", step: "any", placeholder: "or 10", title: `priority of definition ${at + 1} as a number` });
    const text = element("input", { type: "text", value, title: `value of definition ${at + 1}` });
    on.addEventListener("change", () => {
      change.off = !on.checked;
      row.classList.toggle("cfg-off", change.off);
      for (const input of [rank, number, text]) input.disabled = change.off;
      ask();
    });
    rank.addEventListener("change", () => {
      change.priority = rank.value === priority ? undefined : rank.value;
      number.value = "";
      ask();
    });
    number.addEventListener("change", () => {
      change.priority = number.value === "" ? undefined : number.value;
      ask();
    });
    text.addEventListener("change", () => {
      // one value at a time
      changes.forEach((other) => delete other.value);
      inputs.forEach(({ text: other }, which) => which !== at && (other.value = other.defaultValue));
      if (text.value.trim() !== value && text.value.trim()) change.value = text.value.trim();
      ask();
    });
    text.defaultValue = value;
    row.prepend(...[[on], ...(ranked ? [[rank, number]] : []), [text]].map((parts) => element("td", { className: "cfg-control" }, ...parts)));
    return { on, rank, number, text, priority, row };
  });
  for (const { row } of inputs) keys(row);

  reset.addEventListener("click", () => {
    changes.forEach((change) => ["off", "priority", "value"].forEach((key) => delete change[key]));
    for (const { on, rank, number, text, priority, row } of inputs) {
      on.checked = true;
      rank.value = priority;
      number.value = "";
      text.value = text.defaultValue;
      row.classList.remove("cfg-off");
      for (const input of [rank, number, text]) input.disabled = false;
    }
    ask();
  });
  apply.addEventListener("click", () => {
    const cells = link.write(edits).map((number) => `[${number}]`);
    said.textContent = cells.length ? `written to ${cells.join(", ")}; run ${cells.length > 1 ? "these cells" : "it"} to make it so` : "a cell was deleted";
    apply.disabled = true;
  });
  const bar = element("div", { className: "cfg-bar cfg-whatif-bar" }, apply, reset, said);
  keys(bar);
  table.after(bar, answer);
  inputs[0]?.on.focus();
}
