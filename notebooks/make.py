#!/usr/bin/env python3
"""Generates the notebooks from the lessons, and checks that their outputs are the stored ones.

    python make.py            run every lesson and compare with its notebook, then run it twice in one session
    python make.py --update   run every lesson and write its notebook
    python make.py --show     run, and print what a reader sees

Arguments such as `02` select lessons. The script needs `nbclient` and a kernel named `cfg`; the test
`cargo test -p cfg-tests --test notebooks` installs both, and with `UPDATE=1` it writes the notebooks.

A lesson is Markdown. A block fenced as `cfg` is a code cell; words after `cfg` mark it:
`answer`: the reader guesses first, so JupyterLab opens the notebook with this output folded; `fails`: the cell ends in an error;
`again`: it may, if the lesson has run in this session before, because what it defines does not fit the end of the lesson.
An exercise has a cell for the reader (`exercise`), a cell that checks it (`check`), which is folded because it has the hints,
and a `solution`, which is folded prose. Everything else is prose, with a new cell at each heading. A numbered step (`## 1. `)
has code, a prediction and a rule. The crate in this folder reads the same files for `cfg learn`.
"""

import copy
import difflib
import re
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent
STEPS = range(12, 31)
EXERCISES = 5
CHECK = "# run this cell to check your solution"
WORDS = {"answer", "fails", "again", "exercise", "check", "solution"}
# the tag of cells that may fail when they run again
AGAIN = "fails-again"
# the kernel is told which cell runs, as by JupyterLab, because the lesson is about cells that are out of date
WITH_CELL_IDS = {"08-reactivity"}
# the width of errors and warnings: that of a page of 700 pixels
COLUMNS = 70
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def cells(text):
    """Returns the cells of a lesson: (kind, text, words after `cfg`)."""
    out, prose, code, words = [], [], None, ()

    def flush():
        said = "\n".join(prose).strip("\n")
        if said:
            out.append(("markdown", said, ()))
        prose.clear()

    for line in text.split("\n"):
        if code is not None:
            if line == "```":
                out.append(("code", "\n".join(code), words))
                code = None
            else:
                code.append(line)
        elif line == "```cfg" or line.startswith("```cfg "):
            flush()
            code, words = [], tuple(line.split()[1:])
            if set(words) - WORDS:
                raise SystemExit(f"unknown word in `{line}`")
        else:
            if re.match(r"##?#? ", line):
                flush()
            prose.append(line)
    flush()
    return out


def shape(name, parts):
    """Returns what is missing in a lesson."""
    steps = []
    for kind, text, _ in parts:
        if kind == "markdown" and re.match(r"## \d", text):
            steps.append([text.split("\n")[0], False, text])
        elif kind == "markdown" and text.startswith("## "):
            steps.append(None)
        elif steps and steps[-1] is None:
            continue
        elif steps and kind == "code":
            steps[-1][1] = True
        elif steps:
            steps[-1][2] += text
    steps = [step for step in steps if step]
    faults = [f"{name}: not {EXERCISES} of `{word}`" for word in ("exercise", "check", "solution") if sum(word in words for _, _, words in parts) != EXERCISES]
    faults += [] if len(steps) in STEPS else [f"{name}: {len(steps)} steps"]
    for title, code, text in steps:
        lacks = [what for what, there in (("code", code), ("a prediction", "**Predict.**" in text), ("a rule", "**Rule.**" in text)) if not there]
        faults += [f"{name}: {title} lacks {', '.join(lacks)}"] if lacks else []
    return faults


def folded(text):
    """Returns prose with its rule folded, and what comes before it: below an answer, they would give it away."""
    if "**Rule.**" not in text or text.startswith("#"):
        return text
    rule = text.replace("**Rule.** ", "").strip()
    return f"<details><summary><strong>Rule</strong></summary>\n\n{rule}\n\n</details>"


def notebook(parts):
    """Returns the notebook of a lesson, without outputs."""
    nb = nbformat.v4.new_notebook()
    nb.metadata = {
        "kernelspec": {"display_name": "cfg", "language": "cfg", "name": "cfg"},
    }
    for n, (kind, text, words) in enumerate(parts, 1):
        if kind == "markdown":
            cell = nbformat.v4.new_markdown_cell(folded(text))
        elif "solution" in words:
            cell = nbformat.v4.new_markdown_cell(f"<details><summary>One solution</summary>\n\n```\n{text}\n```\n\n</details>")
        else:
            cell = nbformat.v4.new_code_cell(text)
            if "check" in words:
                # JupyterLab shows the first line of an input that is folded
                cell.source = f"{CHECK}\n{text}"
                # the stored output has the hints, too, and nobody has tried yet
                cell.metadata["jupyter"] = {"source_hidden": True, "outputs_hidden": True}
            if "answer" in words:
                cell.metadata["jupyter"] = {"outputs_hidden": True}
            if "fails" in words:
                cell.metadata["tags"] = ["raises-exception"]
            if "again" in words:
                # JupyterLab does not run the cells after an error, unless the cell has this tag
                cell.metadata["tags"] = ["raises-exception", AGAIN]
        cell["id"] = f"cell-{n:03}"
        nb.cells.append(cell)
    return nb


def on_narrow_page(client):
    """Announces the width of the page, as the extension for JupyterLab does: the reports of a lesson fit a narrow window as it opens."""

    def started(**_):
        opened = {"comm_id": "page", "target_name": "cfg.notebook", "data": {"columns": COLUMNS}}
        client.kc.shell_channel.send(client.kc.session.msg("comm_open", opened))

    client.on_notebook_start = started


def with_cell_ids(client):
    """Sends the id of the cell with each request, as JupyterLab does."""
    running = {}
    client.on_cell_execute = lambda cell, cell_index: running.update(cell=cell["id"])

    announce = client.on_notebook_start

    def started(**_):
        announce()
        make = client.kc.session.msg

        def msg(msg_type, *args, **kwargs):
            made = make(msg_type, *args, **kwargs)
            if msg_type == "execute_request" and "cell" in running:
                made["metadata"]["cellId"] = running["cell"]
            return made

        client.kc.session.msg = msg

    client.on_notebook_start = started


def client_of(nb):
    """Returns a client that runs a notebook in this folder."""
    client = NotebookClient(
        nb, timeout=60, kernel_name="cfg", allow_errors=True, record_timing=False, coalesce_streams=True,
        resources={"metadata": {"path": str(HERE)}},
    )
    on_narrow_page(client)
    return client


def run(nb, cell_ids):
    """Runs a notebook in this folder; returns the cells that unexpectedly failed or succeeded."""
    metadata = nb.metadata.copy()
    client = client_of(nb)
    if cell_ids:
        with_cell_ids(client)
    shown = {}

    def executed(cell, cell_index, execute_reply):
        number = execute_reply["content"].get("execution_count")
        shown[cell_index] = number, copy.deepcopy(cell.outputs)

    client.on_cell_executed = executed
    client.execute()
    # Each cell is stored as it was right after it ran: later cells may replace its outputs, and a reader begins at the top. Its
    # number is the kernel's, which places in outputs name: nbclient counts cells, but one cell may contain several inputs.
    for index, (number, outputs) in shown.items():
        nb.cells[index].execution_count, nb.cells[index].outputs = number, outputs
    # the language information of the kernel, except what changes with each release
    told = {key: value for key, value in nb.metadata.get("language_info", {}).items() if "version" not in key}
    nb.metadata = {**metadata, "language_info": told}
    faults = []
    for cell in nb.cells:
        if cell.cell_type == "code":
            failed = any(out.output_type == "error" for out in cell.outputs)
            tags = cell.metadata.get("tags", ())
            if failed != ("raises-exception" in tags and AGAIN not in tags):
                faults.append(f"{'an error' if failed else 'no error'} in\n{cell.source}\n{plain(cell)}")
    return faults


def run_again(nb):
    """Runs a notebook twice in one session, as in JupyterLab; returns the cells that fail only in the second run."""
    client = client_of(nb)
    with_cell_ids(client)
    faults = []
    with client.setup_kernel():
        for first in (True, False):
            for index, cell in enumerate(nb.cells):
                if cell.cell_type != "code":
                    continue
                client.execute_cell(cell, index)
                failed = any(out.output_type == "error" for out in cell.outputs)
                if failed and not first and "raises-exception" not in cell.metadata.get("tags", ()):
                    faults.append(f"in the second run, an error in\n{cell.source}\n{plain(cell)}")
    return faults


def plain(cell):
    """Returns the output of a cell as text."""
    out = []
    for shown in cell.outputs:
        if shown.output_type == "stream":
            out.append(shown.text)
        elif shown.output_type == "error":
            out.append("\n".join(shown.traceback))
        else:
            out.append(shown.data.get("text/plain", ""))
    return ANSI.sub("", "\n".join(text.rstrip("\n") for text in out))


def compare(name, stored, now):
    """Returns the differences between two notebooks, cell by cell."""
    faults = []
    if len(stored.cells) != len(now.cells) or stored.metadata != now.metadata:
        faults.append(f"{name}: is not made of its lesson as it is now")
    for old, new in zip(stored.cells, now.cells):
        if old != new:
            texts = [nbformat.v4.writes_json(nbformat.v4.new_notebook(cells=[cell])) for cell in (old, new)]
            diff = difflib.unified_diff(*(text.splitlines() for text in texts), "stored", "now", lineterm="", n=2)
            faults.append(f"{name}: {new['id']}\n{new.source}\n" + "\n".join(diff))
    return faults


def main(args):
    update, show = "--update" in args, "--show" in args
    chosen = [arg for arg in args if not arg.startswith("--")]
    faults = []
    for lesson in sorted((HERE / "lessons").glob("*.md")):
        if chosen and not any(lesson.name.startswith(name) for name in chosen):
            continue
        parts = cells(lesson.read_text(encoding="utf-8"))
        missing = shape(lesson.name, parts)
        nb = notebook(parts)
        faults += missing + [f"{lesson.name}: {fault}" for fault in run(nb, lesson.stem in WITH_CELL_IDS)]
        path = HERE / f"{lesson.stem}.ipynb"
        if show:
            for cell in nb.cells:
                if cell.cell_type == "markdown":
                    print(cell.source + "\n")
                else:
                    print("\n".join("> " + line for line in cell.source.split("\n")) + "\n" + plain(cell) + "\n")
        elif update:
            nbformat.write(nb, path)
        elif not path.is_file():
            faults.append(f"{path.name} is not there")
        else:
            faults += compare(path.name, nbformat.read(path, as_version=4), nb)
            faults += [f"{lesson.name}: {fault}" for fault in run_again(notebook(parts))]
        print(f"{lesson.stem}: {sum(c.cell_type == 'code' for c in nb.cells)} cells run", file=sys.stderr)
    if faults:
        print("\n\n".join(faults) + "\n\nIf this is as it should be: UPDATE=1 cargo test -p cfg-tests --test notebooks")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
