"""The live parts of a notebook in JupyterLab, in a headless Chromium: what if, the panel of the session, links to places, results
that are replaced, folded outputs, and every lesson as it opens.

    live.py CHROMIUM PREFIX FOLDER
"""

import json
import re
import shutil
import time

from playwright.sync_api import expect

from lab import LESSONS, WORK, cell, page, run_all, step

BASE = 'base = { port | Number | default = 8080, url = "http://%{std.to_string port}" }'
PROD = "prod = { port = 443 }\nall = base & prod"


def output(lab, n):
    return lab.cells.nth(n).locator(".jp-OutputArea")


def source(lab, n):
    return lab.page.evaluate("n => window.jupyterapp.shell.currentWidget.content.model.cells.get(n).sharedModel.getSource()", n)


def run(lab, n):
    lab.page.evaluate("n => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = n }", n)
    lab.command("notebook:run-cell")
    lab.idle()


def write(lab, n, text):
    """Changes a cell."""
    lab.page.evaluate(
        "([n, text]) => window.jupyterapp.shell.currentWidget.content.model.cells.get(n).sharedModel.setSource(text)", [n, text]
    )


def edit(lab, n, text):
    """Changes a cell and runs it."""
    write(lab, n, text)
    run(lab, n)


def what_if(lab):
    step("switches definitions of an explanation off and on, and applies the change")
    lab.open("whatif.ipynb", [cell(0, BASE), cell(1, PROD), cell(2, ":explain all.port"), cell(3, "all.port")])
    run_all(lab)
    explained = output(lab, 2)
    # by the keyboard: from the cell to the button
    lab.page.evaluate("() => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = 2 }")
    lab.cells.nth(2).locator(".jp-InputPrompt").click()
    button = explained.get_by_role("button", name="What if…")
    for _ in range(10):
        lab.press("Tab")
        if button.evaluate("button => button === document.activeElement"):
            break
    expect(button).to_be_focused()
    lab.press("Enter")
    lab.picture("whatif-open")
    switch = explained.get_by_title("definition 1 on or off")
    expect(switch).to_be_focused()
    lab.press("Space")
    answer = explained.locator(".cfg-answer")
    said = explained.locator(".cfg-said")
    expect(said).to_have_text("all.port would be 8080")
    # the new winner, what is recomputed, and the lines
    expect(answer.locator("tr", has_text="WINS")).to_contain_text("default")
    expect(answer).to_contain_text("http://8080")
    expect(answer).to_contain_text("prod = { port = 443 }")
    lab.command("application:toggle-left-area")
    for theme in ("Light", "Dark"):
        lab.theme(theme)
        for width in (1280, 700):
            lab.page.set_viewport_size({"width": width, "height": 1000})
            explained.scroll_into_view_if_needed()
            lab.page.wait_for_timeout(300)
            lab.picture(f"whatif-{theme.lower()}-{width}")
            wider = explained.locator(".cfg").first.evaluate("(page) => page.scrollWidth - page.clientWidth")
            assert wider <= 1, (theme, width, wider)
    lab.theme("Light")
    lab.command("application:toggle-left-area")
    lab.page.set_viewport_size({"width": 1280, "height": 1000})
    explained.get_by_role("button", name="Reset").click()
    expect(answer).to_be_hidden()
    explained.get_by_title("priority of definition 2", exact=True).select_option("force")
    expect(said).to_have_text("all.port would be 8080")
    explained.get_by_role("button", name="Reset").click()
    value = explained.get_by_title("value of definition 1")
    value.fill("{")
    lab.press("Tab")
    expect(said).to_have_text("no answer")
    value.fill("8443")
    lab.press("Tab")
    expect(said).to_have_text("all.port would be 8443")
    # nothing has changed until it is applied
    assert source(lab, 1) == PROD
    explained.get_by_role("button", name="Apply").focus()
    lab.press("Enter")
    expect(said).to_contain_text("written")
    assert source(lab, 1) == PROD.replace("443", "8443"), source(lab, 1)
    run_all(lab)
    expect(output(lab, 3)).to_contain_text("8443")
    step("has no priorities where a language has none, and leaves the controls with Escape")
    objects = "%%jsonnet\nlocal object = { mode: 'a', kind: self.mode } + { mode: 'b' };"
    tags = "tags = { kind | default = 'A } & { kind = 'B }"
    lab.open("layers.ipynb", [cell(0, objects), cell(1, ":explain object.mode"), cell(2, tags), cell(3, ":explain tags.kind")])
    run_all(lab)
    for n, selects in ((1, 0), (3, 2)):
        output(lab, n).get_by_role("button", name="What if…").click()
        expect(output(lab, n).locator("select")).to_have_count(selects)
    switch = output(lab, 3).get_by_title("definition 1 on or off")
    switch.focus()
    lab.press("Space")
    # the value is in the notation of the language
    expect(output(lab, 3).locator(".cfg-said")).to_have_text("tags.kind would be 'A")
    expect(switch).to_be_focused()
    lab.press("Escape")
    expect(lab.cells.nth(3)).to_be_focused()


WHY = """let defaults = { host = "a", port = "8080" }
let server = defaults & { tls = true }
let next_port = fun s => s.port + 1
next_port server"""
HELP = "{ port = 8080 } & { port = 443 }"
LONG = 'fixed = { port | Number | default = "eighty", host | String | default = "example.org" } & { port = 80 }'


SITE = """site = {
  server.port | default = 8080,
  host | default = "localhost",
  address = "http://%{host}:%{std.to_string server.port}/deployment/healthz",
}"""

DEPLOYED = """deployed = {
  address = "https://orders.eu.example.org:8444",
  features | doc "Everybody may add a feature" = ["audit", "invoices", "retry"],
  server | priority 10 = { host = "orders.eu.example.org", port = 8444, timeout = 60, tls = true },
  token | String | doc "For the payment service" | secret = "x",
}"""


def fits(lab):
    step("lays out reports and texts for the page, typesets no mathematics, and colours cells in their language")
    cells = [HELP, LONG, ":set", "%%mcl\n$s = struct{a => 1,}", "%%mcl\n:steps --types $s == struct{a => $s.a + $s.a,}"]
    cells += [":dialect yay", "extend foo:\n  - 1", ":dialect cfg", "let x = 1"]
    cells += [SITE, ':steps site & { host = "orders.eu.example.org", server.port = 8443 }', ":help"]
    cells += [DEPLOYED, "deployed"]
    lab.open("fits.ipynb", [cell(n, source) for n, source in enumerate(cells)])
    run_all(lab)
    lab.command("application:toggle-left-area")
    for width in (700, 1280):
        lab.page.set_viewport_size({"width": width, "height": 1000})
        # the kernel learns of the width a moment later
        lab.page.wait_for_timeout(600)
        run_all(lab)
        for n in (0, 1, 2):
            output(lab, n).scroll_into_view_if_needed()
            # the lines of the program and the marks below them may be longer, words may not
            long = output(lab, n).evaluate(
                """(area) => [...area.querySelectorAll("pre")].filter((pre) => !pre.closest("details:not([open])")).flatMap((pre) => {
                  const font = document.createElement("canvas").getContext("2d");
                  font.font = getComputedStyle(pre).font;
                  const room = pre.closest(".jp-OutputArea-output").clientWidth;
                  const words = pre.textContent.split("\\n").filter((line) => !/^ *[0-9]* [|]/.test(line));
                  return words.filter((line) => font.measureText(line).width > room + 1);
                })"""
            )
            assert not long, (width, long)
            # the lines of a report stay whole, so that its marks are below what they point at
            broken = output(lab, n).evaluate(
                """(area) => [...area.querySelectorAll("[role=status] pre")].filter((pre) =>
                  getComputedStyle(pre).whiteSpace !== "pre" || pre.scrollWidth > pre.clientWidth + 1).map((pre) => pre.textContent)"""
            )
            assert not broken, (width, broken)
        for n in (10, 11, 13):
            output(lab, n).scroll_into_view_if_needed()
            wider = output(lab, n).evaluate("(area) => [...area.querySelectorAll('.cfg')].map((page) => page.scrollWidth - page.clientWidth)")
            assert wider and max(wider) <= 1, (width, n, wider)
        lab.picture(f"fits-{width}")
    output(lab, 4).scroll_into_view_if_needed()
    expect(output(lab, 4)).to_contain_text("$s.a + $s.a")
    assert lab.page.locator("mjx-container").count() == 0, "a result was typeset as mathematics"
    keyword = lab.colours(lab.cells.nth(8).locator(".cm-content"))["let"]
    assert lab.colours(lab.cells.nth(6).locator(".cm-content"))["extend"] == keyword
    lab.command("application:toggle-left-area")


def folds(lab):
    step("says nothing of a folded output, and fits a graph into the page when it is unfolded")
    graph = "{ " + ", ".join(f"number_{n} = {'1' if n == 0 else f'number_{n - 1} + 1'}" for n in range(6)) + " }"
    cells = [f":graph {graph}", "p = 5\nq = p", ":undo", ":undo", ":dialect mcl", "$a = struct{b => 1,}\n:type $a"]
    # `:dialect` says nothing
    hidden = ["" if ":dialect" in source else "Output hidden: click to show it" for source in cells]
    lab.open("folds.ipynb", [cell(n, source) for n, source in enumerate(cells)])
    run_all(lab)
    lab.command("notebook:hide-all-cell-outputs")
    placeholders = lab.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-OutputPlaceholder")
    expect(placeholders).to_have_text(hidden)
    # one that is in the page before its notebook has a kernel, and one whose text is plain
    lab.command("docmanager:save")
    lab.page.wait_for_function("() => !window.jupyterapp.shell.currentWidget.context.model.dirty")
    lab.page.reload()
    lab.page.wait_for_selector(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell", timeout=60000)
    lab.idle()
    expect(placeholders).to_have_text(hidden)
    lab.page.set_viewport_size({"width": 1000, "height": 1000})
    placeholders.first.click()
    picture = output(lab, 0).locator("img.cfg-zooms")
    expect(picture).to_be_visible()
    lab.page.wait_for_timeout(300)
    sizes = picture.evaluate("(img) => [img.getBoundingClientRect().width, img.closest('.jp-OutputArea-output').clientWidth, img.naturalWidth]")
    assert sizes[0] <= sizes[1] + 1 < sizes[2], sizes
    lab.picture("folds")
    # a large one is made smaller as far as it is legible
    lab.page.set_viewport_size({"width": 560, "height": 1000})
    lab.page.wait_for_timeout(300)
    shown, natural = picture.evaluate("(img) => [img.getBoundingClientRect().width, img.naturalWidth]")
    assert abs(shown / natural - 0.6) < 0.01, (shown, natural)
    lab.page.set_viewport_size({"width": 1280, "height": 1000})
    step("colours the commands in a cell of another language")
    seen = lab.colours(lab.cells.nth(5).locator(".cm-content"))
    assert seen["struct"] != seen[":type"] == lab.colours(lab.cells.nth(0).locator(".cm-content"))[":graph"], seen


def steps(lab):
    step("goes through steps with the arrow keys, also at their ends")
    lab.open("steps.ipynb", [cell(0, ":steps { a | default = 1 } & { a = 2 } & { a | force = 3 }")])
    run_all(lab)
    said = output(lab, 0).locator(".cfg-said")
    shown = output(lab, 0).locator("details[open] > summary")
    output(lab, 0).get_by_title("next step").focus()
    for key, expected in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowRight", 2), ("ArrowLeft", 1), ("ArrowLeft", 1), ("ArrowRight", 2)]:
        lab.press(key)
        expect(said).to_have_text(f"step {expected} of 2")
        expect(shown).to_have_count(1)
        expect(shown).to_contain_text(f"step {expected} of 2")
    output(lab, 0).get_by_title("previous step").click()
    expect(said).to_have_text("step 1 of 2")
    output(lab, 0).get_by_title("all steps").click()
    expect(said).to_have_text("2 steps")
    lab.press("Escape")
    expect(lab.cells.nth(0)).to_be_focused()
    # the same for the chains of reasons
    lab.open("why.ipynb", [cell(0, WHY), cell(1, ":why")])
    run_all(lab)
    said = output(lab, 1).locator(".cfg-said")
    for title, expected, reason in [("next", 1, "String"), ("next", 2, "Number"), ("previous", 1, "String")]:
        output(lab, 1).get_by_title(f"{title} step").click()
        expect(said).to_have_text(f"step {expected} of 2")
        expect(output(lab, 1).locator("details[open] > summary")).to_have_text(f"how {reason} reached port")


def side_panel(lab):
    step("lists the names of the session, explains one, and goes to a place")
    lab.open("panel.ipynb", [cell(0, BASE), cell(1, PROD), cell(2, "shown = all.port + 1\nshown"), cell(3, ":explain all.port")])
    run_all(lab)
    lab.page.locator(".jp-SideBar .lm-TabBar-tab[data-id=cfg-session]").click()
    rows = lab.page.locator(".cfg-session > div:first-child tbody tr")
    expect(rows.locator("td:first-child button")).to_have_text(["all", "base", "prod", "shown"])
    expect(rows.nth(1)).to_contain_text("{ port : Number, url : String }")
    rows.nth(2).get_by_role("button").click()
    expect(lab.page.locator(".cfg-session .cfg-answer")).to_contain_text("port")
    lab.picture("panel")
    # a place in the panel, then one in an output
    rows.nth(2).locator(".cfg-place").click()
    expect(lab.page.locator(".jp-Cell.jp-mod-active .cm-content")).to_contain_text("prod = ")
    place = output(lab, 3).locator(".cfg-place").first
    assert place.inner_text() == "cfg[2]:1:17", place.inner_text()
    place.focus()
    lab.press("Enter")
    expect(lab.page.locator(".jp-Cell.jp-mod-active .cm-content")).to_be_focused()
    cursor = lab.page.evaluate("() => window.jupyterapp.shell.currentWidget.content.activeCell.editor.getCursorPosition()")
    assert (cursor["line"], cursor["column"]) == (0, 16), cursor
    # a change makes what reads it stale
    expect(rows.nth(3)).not_to_contain_text("stale")
    edit(lab, 1, PROD.replace("443", "444"))
    expect(rows.nth(3)).to_contain_text("stale")
    run(lab, 2)
    expect(rows.nth(3)).not_to_contain_text("stale")
    lab.page.locator(".jp-SideBar .lm-TabBar-tab[data-id=cfg-session]").click()


def places_in_files(lab):
    step("goes to places in files, also from an error")
    (WORK / "conf").mkdir()
    (WORK / "conf/base.cfg").write_text("{ port | Number | default = 80 }\n")
    (WORK / "conf/bad.cfg").write_text('let base = import "base.cfg" in\n{ server = base & { port = "x" } }\n')
    lab.open("files.ipynb", [cell(0, ":load conf/bad.cfg\nserver.port"), cell(1, ":explain server.port")])
    run_all(lab)
    error = output(lab, 0).locator(".jp-RenderedText pre .cfg-place")
    # the note is at another place than the mistake
    expect(error).to_have_text(["conf/bad.cfg:2:28", "conf/base.cfg:1:10"])
    notebook = lab.page.evaluate("() => window.jupyterapp.shell.currentWidget.id")
    table = output(lab, 1).locator("td .cfg-place")
    expect(table.first).to_have_text("conf/bad.cfg:2:28")
    for link, path, position in ((error.nth(1), "conf/base.cfg", (0, 9)), (table.first, "conf/bad.cfg", (1, 27))):
        link.click()
        lab.page.wait_for_function("(path) => window.jupyterapp.shell.currentWidget.context.path === path", arg=path)
        at = "() => { const { line, column } = window.jupyterapp.shell.currentWidget.content.editor.getCursorPosition(); return `${line} ${column}` }"
        lab.page.wait_for_function(f"(wanted) => ({at})() === wanted", arg=f"{position[0]} {position[1]}")
        lab.page.evaluate("(id) => window.jupyterapp.shell.activateById(id)", notebook)
        lab.page.wait_for_function("() => window.jupyterapp.shell.currentWidget.context.path === 'files.ipynb'")


def numbered(lab):
    step("replaces a result that has a number")
    lab.open("numbers.ipynb", [cell(0, ":set reactive on"), cell(1, "x = 1"), cell(2, "x + 1")])
    run_all(lab)
    # the comm is open now
    run_all(lab)
    prompt = output(lab, 2).locator(".jp-OutputPrompt")
    expect(prompt.first).to_have_text("[6]:")
    edit(lab, 1, "x = 41")
    expect(output(lab, 2).locator(".jp-OutputArea-output").first).to_contain_text("42")
    expect(prompt.first).to_have_text("[6]:")


RUNAWAY = "if n == 2 then (let rec f = fun k => if k < 0 then k else f (k + 1) in f 0) else 0"


def begin(lab, n):
    """Begins to run a cell, and does not wait for its end."""
    lab.page.evaluate(
        """(n) => {
          const { jupyterapp: app } = window;
          app.shell.currentWidget.content.activeCellIndex = n;
          app.commands.execute("notebook:run-cell");
        }""",
        n,
    )


def reactive(lab):
    step("interrupts a refresh: outputs are marked, unrelated cells run, errors look like errors")
    cells = [":set reactive on", "n = 1", RUNAWAY, "n + 100", '"unrelated"']
    lab.open("reactive.ipynb", [cell(n, source) for n, source in enumerate(cells)])
    run_all(lab)
    lab.page.evaluate(
        "() => window.jupyterapp.shell.currentWidget.content.model.cells.get(1).sharedModel.setSource('n = 2')"
    )
    # the cell and one behind it in the queue
    begin(lab, 1)
    lab.page.wait_for_selector("[data-status=busy]")
    begin(lab, 4)
    lab.page.wait_for_timeout(500)
    lab.command("notebook:interrupt-kernel")
    lab.idle()
    for n in (2, 3):
        expect(output(lab, n)).to_contain_text("stale: something it read changed in")
    queued = lab.cells.nth(4).locator(".jp-InputPrompt")
    expect(queued).to_have_text("[ ]:")
    lab.picture("reactive-interrupted")
    # an unrelated cell runs at once, and a stale one loses its mark
    run(lab, 4)
    expect(output(lab, 4)).to_contain_text("unrelated")
    run(lab, 3)
    expect(output(lab, 3)).to_contain_text("102")
    expect(output(lab, 3)).not_to_contain_text("stale")
    edit(lab, 1, "n = 1")
    expect(output(lab, 2)).not_to_contain_text("stale")
    expect(output(lab, 3)).to_contain_text("101")
    # an output that is replaced by an error looks like one
    edit(lab, 1, 'n = "a"')
    expect(output(lab, 3)).to_contain_text("expected Number, found String")
    expect(output(lab, 3).locator(".error").first).to_be_visible()
    lab.picture("reactive-error")
    # two cells that bind one name
    edit(lab, 4, "n = 7")
    expect(output(lab, 4)).to_contain_text("both define `n`")


def noticed(lab):
    step("notices a deleted cell at once, also if another one runs meanwhile")
    runaway = "let rec loop = fun n => if n < 0 then n else loop (n + 1) in loop 0"
    for mode in ("off", "lazy", "on"):
        cells = [cell(0, f":set reactive {mode}"), cell(1, "n = 1"), cell(2, "n + 1"), cell(3, "1")]
        lab.open(f"noticed-{mode}.ipynb", cells)
        run_all(lab)
        # the comm is open now, so outputs can be replaced
        run_all(lab)
        if mode == "lazy":
            write(lab, 3, runaway)
            lab.page.evaluate("() => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = 3 }")
            # the command ends with the cell
            lab.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-cell') }")
            lab.page.wait_for_selector("[data-status=busy]")
        lab.page.evaluate("() => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = 1 }")
        lab.command("notebook:delete-cell")
        expect(lab.cells).to_have_count(3)
        if mode == "lazy":
            # longer than the kernel waits before a replica of the session answers
            lab.page.wait_for_timeout(500)
            lab.command("notebook:interrupt-kernel")
        expect(lab.page.get_by_text("n is no longer bound").last).to_be_visible()
        expected = {"off": "2", "lazy": "stale: something it read has changed", "on": "unbound name `n`"}[mode]
        expect(output(lab, 1)).to_contain_text(expected)
        lab.idle()
        assert lab.page.evaluate("() => window.jupyterapp.shell.currentWidget.content.model.cells.get(1).executionCount") == 7


def deleted(lab):
    step("keeps the names of a cell whose deletion is undone")
    lab.open("deleted.ipynb", [cell(0, "n = 1"), cell(1, "m = n + 1"), cell(2, "m")])
    run_all(lab)
    expect(output(lab, 2)).to_contain_text("2")
    lab.page.evaluate("() => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = 0 }")
    lab.command("notebook:delete-cell")
    expect(lab.cells).to_have_count(2)
    lab.command("notebook:undo-cell-action")
    expect(lab.cells).to_have_count(3)
    lab.page.wait_for_timeout(500)
    lab.idle()
    # JupyterLab would name the cell as deleted when the next one runs
    edit(lab, 2, "[n, m]")
    expect(output(lab, 2)).to_contain_text("[1, 2]")


def whole_words(lab):
    """Lines of results are broken between words only."""
    broken = lab.page.evaluate(
        """() => [...document.querySelectorAll(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-OutputArea-output pre")]
          .filter((pre) => getComputedStyle(pre).wordBreak !== "normal").map((pre) => pre.textContent.slice(0, 60))"""
    )
    assert not broken, broken


def one_sheet(lab):
    step("has one style sheet")
    sheets = lab.page.evaluate(
        """() => [...window.jupyterapp.shell.currentWidget.content.model.cells].flatMap((cell) =>
          JSON.stringify(cell.toJSON().outputs ?? []).match(/<style>/g) ?? []).length"""
    )
    assert sheets == 1, sheets


def wide(lab):
    """Returns the elements that make the page wider than its window."""
    return lab.page.evaluate(
        """() => {
          const page = document.querySelector(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-WindowedPanel-outer");
          const over = page.scrollWidth > page.clientWidth + 1 ? ["the page"] : [];
          for (const part of page.querySelectorAll(".jp-RenderedMarkdown, .jp-OutputArea-child"))
            if (part.getBoundingClientRect().right > page.getBoundingClientRect().right + 1) over.push(part.textContent.slice(0, 60));
          return over;
        }"""
    )


def unfolded(lab):
    """Returns the results that are wider than a narrow page when everything in them is unfolded, and the words that a line divides."""
    lab.page.set_viewport_size({"width": 700, "height": 1000})
    lab.command("notebook:show-all-cell-outputs")
    return lab.page.evaluate(
        """async () => {
          const results = [...document.querySelectorAll(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-OutputArea-output .cfg")];
          const found = [];
          for (const result of results) {
            result.querySelectorAll("details").forEach((details) => { details.open = true });
            result.scrollIntoView();
            await new Promise((resolve) => requestAnimationFrame(resolve));
            if (result.scrollWidth > result.clientWidth + 1) found.push(["wide", result.textContent.slice(0, 60)]);
            const texts = document.createTreeWalker(result, NodeFilter.SHOW_TEXT);
            while (texts.nextNode()) {
              const text = texts.currentNode;
              for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\p{N}_]+/gu)) {
                const range = document.createRange();
                range.setStart(text, index);
                range.setEnd(text, index + word.length);
                if (range.getClientRects().length > 1) found.push(["divided", word]);
              }
            }
          }
          return results.length > 5 ? found : ["there are too few results"];
        }"""
    )


def lessons(lab):
    """Every lesson as it opens, before anything ran."""
    for lesson in sorted(LESSONS.glob("*.ipynb")):
        step(f"opens {lesson.name}")
        shutil.copy(lesson, WORK / lesson.name)
        stored = json.loads(lesson.read_text())
        lab.page.goto(f"{lab.address}/lab/tree/{lesson.name}?reset")
        lab.page.wait_for_selector(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell", timeout=60000)
        lab.idle()
        cells = stored["cells"]
        checks = [n for n, one in enumerate(cells) if one["metadata"].get("jupyter", {}).get("source_hidden")]
        assert len(checks) == 5
        lab.cells.nth(checks[0]).scroll_into_view_if_needed()
        # the first line of the folded input gives no hint away
        if not "".join(cells[checks[0]]["source"]).startswith("%%"):
            expect(lab.cells.nth(checks[0]).locator(".jp-InputPlaceholder")).to_contain_text("run this cell to check")
        folded = [n for n, one in enumerate(cells) if one["metadata"].get("jupyter", {}).get("outputs_hidden")]
        assert folded, "no output is folded"
        # the stored output of a check has its hints; JupyterLab shows one placeholder for a cell whose input is folded, too
        assert set(checks) < set(folded), "a check gives its hints away"
        folded = [n for n in folded if n not in checks]
        expect(lab.cells.nth(checks[0])).not_to_contain_text("hint")
        for theme, width in (("Light", 1280), ("Dark", 700)):
            lab.theme(theme)
            lab.page.set_viewport_size({"width": width, "height": 1000})
            for n in folded:
                lab.cells.nth(n).scroll_into_view_if_needed()
                placeholder = lab.cells.nth(n).locator(".jp-OutputPlaceholder")
                expect(placeholder).to_be_visible()
                assert not re.search(r"[<\x1b]", placeholder.inner_text()), placeholder.inner_text()
                # the rule after an answer would give it away
                rule = lab.cells.nth(n + 1).locator("details") if n + 1 < len(cells) else None
                if rule is not None and "<summary><strong>Rule" in "".join(cells[n + 1]["source"]):
                    expect(rule).not_to_have_attribute("open", "")
            assert not wide(lab), (lesson.name, width, wide(lab))
            whole_words(lab)
            lab.picture(f"{lesson.stem}-{theme.lower()}-{width}")
        lab.theme("Light")
        lab.page.set_viewport_size({"width": 1280, "height": 1000})
        if lesson.name.startswith("01"):
            # running a check unfolds its output, not its input
            run(lab, checks[0])
            expect(output(lab, checks[0])).to_contain_text("hint")
            expect(lab.cells.nth(checks[0]).locator(".jp-InputPlaceholder")).to_be_visible()
        lab.command("application:toggle-left-area")
        assert not unfolded(lab), (lesson.name, unfolded(lab))
        lab.page.set_viewport_size({"width": 1280, "height": 1000})
        lab.command("application:toggle-left-area")



with page((1280, 1000)) as lab:
    what_if(lab)
    fits(lab)
    folds(lab)
    steps(lab)
    side_panel(lab)
    places_in_files(lab)
    numbered(lab)
    one_sheet(lab)
    reactive(lab)
    noticed(lab)
    deleted(lab)
    lessons(lab)
