"""What scripts ask of a page: JavaScript that returns what is wrong with the results of the notebook that is shown."""

# texts of results and code with too little contrast, with the ratio
CONTRAST = """() => {
  const light = (c) => {
    const [r, g, b] = c.map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const behind = (e) => {
    const layers = [];
    for (; e; e = e.parentElement) {
      const c = rgba(getComputedStyle(e).backgroundColor);
      layers.push(c);
      if (c[3] === 255) break;
    }
    return layers.reverse().reduce((under, [r, g, b, a]) =>
      [r, g, b].map((v, i) => (v * a + under[i] * (255 - a)) / 255), [255, 255, 255]);
  };
  const found = [];
  const texts = document.createTreeWalker(document.querySelector(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const e = texts.currentNode.parentElement;
    if (!texts.currentNode.textContent.trim() || !e.closest(".jp-OutputArea-output, .cm-content")) continue;
    // the editors of prose are hidden
    if (e.closest(".cm-content") && !e.checkVisibility()) continue;
    const style = getComputedStyle(e);
    const under = behind(e);
    let opacity = 1;
    for (let p = e; p; p = p.parentElement) opacity *= Number(getComputedStyle(p).opacity);
    const paint = rgba(e instanceof SVGElement && style.fill !== "none" ? style.fill : style.color);
    const a = (paint[3] / 255) * opacity;
    const over = paint.slice(0, 3).map((v, i) => v * a + under[i] * (1 - a));
    const [x, y] = [light(over), light(under)].sort((p, q) => q - p);
    const ratio = (x + 0.05) / (y + 0.05);
    const text = texts.currentNode.textContent.trim(), size = parseFloat(style.fontSize);
    // WCAG AA: large text, and marks that point, need less
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) || !/[\\p{L}\\p{N}]/u.test(text);
    if (ratio < (large ? 3 : 4.5)) found.push([text.slice(0, 40), ratio.toFixed(2)]);
  }
  return found;
}"""

# what is cut off at the right, and cannot be scrolled to
CUT = """() => [...document.querySelectorAll(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-OutputArea-output")].flatMap((output) => {
  const edge = output.getBoundingClientRect().right + 1;
  const scrolls = (e) => e !== output.parentElement
    && (["auto", "scroll"].includes(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
  return [...output.querySelectorAll("*")]
    .filter((e) => e.getBoundingClientRect().right > edge && e.checkVisibility() && !scrolls(e))
    .map((e) => [e.tagName, e.textContent.slice(0, 40)]);
})"""

# columns of tables that are so narrow that their text is a tower of words, with their width
SQUEEZED = """() => [...document.querySelectorAll(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook :is(td, th)")]
  .filter((cell) => cell.checkVisibility() && !cell.querySelector("table")).flatMap((cell) => {
    const style = getComputedStyle(cell), width = cell.clientWidth, size = parseFloat(style.fontSize);
    const range = document.createRange();
    range.selectNodeContents(cell);
    const lines = range.getBoundingClientRect().height / (parseFloat(style.lineHeight) || 1.4 * size);
    const written = cell.textContent.split("\\n").length;
    return width < 12 * size && lines - written > 2.5 ? [[cell.textContent.trim().slice(0, 60), Math.round(width)]] : [];
  })"""
