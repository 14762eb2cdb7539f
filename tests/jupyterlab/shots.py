"""Pictures of every lesson in JupyterLab, in a headless Chromium, to look at: contact sheets, and a list of what is suspicious.

    shots.py CHROMIUM PREFIX FOLDER [LESSON…]

`cargo test -p cfg-tests --test jupyterlab` makes `CHROMIUM` and `PREFIX` below the target directory: `target/debian/chromium/start`
and `target/python/lab`. A lesson is named by its beginning, such as `03`.

Each lesson is shown as it opens before anything ran, and after "run all", with its folds closed and open, in both themes, 1,280 and
700 pixels wide. A cell that looks the same in two of these states is on a sheet once, and prose is on those of the first theme and
width only, because JupyterLab styles it. `FOLDER/sheets` gets the sheets, such as
`03-light-700-1.png`, and `03.txt`: texts with too little contrast, what is cut, columns that are squeezed.
"""

import base64
import shutil
import sys

from checks import CONTRAST, CUT, SQUEEZED
from lab import FOLDER, LESSONS, SETTINGS, WORK, page, run_all, step

SHEETS = FOLDER / "sheets"
# of a sheet, in pixels
HEIGHT = 1500
COLUMNS = {700: 3, 1280: 2}

# every cell is in the page, wherever it is scrolled to
SETTINGS["@jupyterlab/notebook-extension/tracker"]["windowingMode"] = "none"

NOTEBOOK = "document.querySelector('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook')"
DETAILS = "(open) => " + NOTEBOOK + ".querySelectorAll('details').forEach((details) => { details.open = open })"
# how each cell looks, without the numbers of its prompts
LOOKS = "() => [..." + NOTEBOOK + """.querySelectorAll('.jp-Cell')].map((cell) => {
  const parts = ['.jp-RenderedMarkdown', '.jp-InputPlaceholder', '.jp-OutputArea', '.jp-OutputPlaceholder'];
  const looks = parts.map((part) => [...cell.querySelectorAll(part)].filter((e) => e.checkVisibility()).map((e) => {
    const copy = e.cloneNode(true);
    copy.querySelectorAll('style, .jp-OutputPrompt').forEach((each) => each.remove());
    return copy.innerHTML.replace(/ (id|name)="[^"]*"/g, '');
  }));
  const prose = !cell.querySelector('.jp-OutputPlaceholder, .jp-OutputArea-output:not(.jp-RenderedMarkdown)');
  return [prose, JSON.stringify(looks)];
})"""


def states(lab):
    """The states of the lesson that is open, each with its name."""
    yield "opens"
    lab.command("notebook:show-all-cell-outputs")
    lab.command("notebook:show-all-cell-code")
    lab.page.evaluate(DETAILS, True)
    yield "opens, unfolded"
    lab.page.evaluate(DETAILS, False)
    run_all(lab)
    yield "ran"
    lab.page.evaluate(DETAILS, True)
    yield "ran, unfolded"
    lab.command("notebook:hide-all-cell-outputs")
    lab.command("notebook:hide-all-cell-code")
    yield "ran, folded"


def shoot(lab, lesson, theme, width, notes):
    """Takes a picture of each cell that looks different from before, and writes the sheets."""
    shutil.copy(LESSONS / f"{lesson}.ipynb", WORK)
    # high enough for each cell
    lab.page.set_viewport_size({"width": width, "height": 4000})
    lab.page.goto(f"{lab.address}/lab/tree/{lesson}.ipynb?reset")
    lab.page.wait_for_selector(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell", timeout=60000)
    lab.idle()
    if lab.page.locator(".jp-FileBrowser:visible").count():
        lab.command("application:toggle-left-area")
    lab.theme(theme)
    seen, pictures = set(), []
    for state in states(lab):
        lab.page.wait_for_timeout(400)
        for check, name in ((CONTRAST, "contrast"), (CUT, "cut"), (SQUEEZED, "squeezed")):
            notes.update(f"{theme} {width} {state}: {name}: {each}" for each in lab.page.evaluate(check))
        first = True
        for n, (prose, looks) in enumerate(lab.page.evaluate(LOOKS)):
            if (n, looks) in seen or (prose and (theme, width) != ("Light", 700)):
                continue
            seen.add((n, looks))
            picture = lab.cells.nth(n).screenshot(animations="disabled")
            pictures.append((f"{lesson}: {state}" if first else f"{state} {n + 1}", picture))
            first = False
    return pictures


def sheets(lab, name, width, pictures):
    """Writes pictures in columns on sheets. A picture that is higher than the rest of a column continues in the next."""
    columns, room = [[]], HEIGHT
    for title, picture in pictures:
        across, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
        data = base64.b64encode(picture).decode()
        at = 0
        while at < height:
            if room < 60:
                columns.append([])
                room = HEIGHT
            part = min(height - at, room - 14)
            look = f"width:{across}px;height:{part}px;background:url(data:image/png;base64,{data}) 0 -{at}px no-repeat"
            columns[-1].append(f"<p>{title}</p><div style='{look}'></div>")
            at, room = at + part, room - part - 14
    count = COLUMNS[width]
    lab.page.set_viewport_size({"width": width * count, "height": HEIGHT})
    for n in range(0, len(columns), count):
        body = "".join(f"<section>{''.join(column)}</section>" for column in columns[n : n + count])
        style = f"body{{margin:0;display:flex;background:#888}}section{{width:{width}px}}p{{margin:0;font:11px/14px sans-serif;background:#fd8;height:14px}}"
        lab.page.goto("about:blank")
        lab.page.set_content(f"<style>{style}</style>{body}")
        lab.page.screenshot(path=SHEETS / f"{name}-{n // count + 1}.png")


with page((1280, HEIGHT)) as lab:
    SHEETS.mkdir(parents=True, exist_ok=True)
    chosen = [path.stem for path in sorted(LESSONS.glob("*.ipynb")) if not sys.argv[4:] or path.stem.startswith(tuple(sys.argv[4:]))]
    shutil.copytree(LESSONS, WORK, dirs_exist_ok=True)
    notes = {lesson: set() for lesson in chosen}
    for theme, width in ((theme, width) for theme in ("Light", "Dark") for width in COLUMNS):
        for lesson in chosen:
            step(f"{lesson} {theme} {width}")
            pictures = shoot(lab, lesson, theme, width, notes[lesson])
            sheets(lab, f"{lesson[:2]}-{theme.lower()}-{width}", width, pictures)
            (SHEETS / f"{lesson[:2]}.txt").write_text("\n".join(sorted(notes[lesson])) + "\n")
