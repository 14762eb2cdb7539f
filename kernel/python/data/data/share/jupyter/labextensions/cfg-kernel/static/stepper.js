// Steps one at a time: buttons, and the arrow keys while one of them has the focus. Escape returns the focus to the cell.

/** Keeps the keys of controls in an output from the notebook, except Escape, which returns the focus to the cell. */
export function keys(node) {
  node.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") node.closest(".jp-Cell")?.focus();
  });
}

/** Adds the buttons to an output with several steps. */
export function stepped(root) {
  if (root.querySelector(".cfg-steps-bar")) return;
  const steps = [...root.querySelectorAll("details")].filter((each) => !each.parentElement.closest("details"));
  if (steps.length < 2) return;
  const opened = steps.map((each) => each.open);
  let at = -1;
  const bar = document.createElement("div");
  bar.className = "cfg-bar cfg-steps-bar";
  const said = document.createElement("span");
  said.className = "cfg-said";
  said.setAttribute("role", "status");

  const show = (next) => {
    at = Math.max(-1, Math.min(steps.length - 1, next));
    steps.forEach((each, number) => {
      each.hidden = at >= 0 && number !== at;
      each.open = at < 0 ? opened[number] : number === at;
    });
    said.textContent = at < 0 ? `${steps.length} steps` : `step ${at + 1} of ${steps.length}`;
    // a button with `disabled` would lose the focus, and the arrow keys with it
    back.setAttribute("aria-disabled", at <= 0);
    forward.setAttribute("aria-disabled", at === steps.length - 1);
  };
  const button = (text, title, go) => {
    const made = document.createElement("button");
    [made.type, made.textContent, made.title] = ["button", text, title];
    made.addEventListener("click", go);
    bar.append(made);
    return made;
  };
  const back = button("◀", "previous step", () => at > 0 && show(at - 1));
  const forward = button("▶", "next step", () => show(at + 1));
  button("all", "all steps", () => show(-1));
  bar.append(said);
  keys(bar);
  bar.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) show(at < 0 && by > 0 ? 0 : Math.max(0, at + by));
  });
  steps[0].before(bar);
  show(-1);
}
