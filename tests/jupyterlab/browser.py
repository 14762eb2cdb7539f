"""A person in JupyterLab, in a headless Chromium: types, completes, inspects, interrupts, looks at every kind of result.

    browser.py CHROMIUM PREFIX FOLDER
"""

import json
import re
import time

from playwright.sync_api import expect

from checks import CONTRAST, CUT
from lab import FOLDER, WORK, cell, page, step

# what each of these shows, beside its text: a piece of the page that must be there
RICH = [
    ('let base = {\n  host = "a",\n  port | Number | doc "where to listen" | default = 80,\n  tls.cert | String | optional,\n}', None),
    ('let prod = base & { port = 443, host | force = "b", sizes = [1, 2] }', None),
    ("prod", "table"),
    ('[{ name = "a", size = 1 }, { name = "b", size = 2 }]', "table"),
    (":type prod", "Number"),
    (":explain prod.port", "443"),
    (":steps base & { port = 443 } & { port | force = 8080 }", "details"),
    (":why (let r = { port | Number } in r & { port = \"80\" }).port", "port"),
    (":query prod.port", "where to listen"),
    (":deps prod", "is made from"),
    (":diff base prod", "port"),
    (":graph { a = 1, b = a, c = a + b }", "img[src^='data:image/svg+xml']"),
    (":env", "prod"),
    ("base & { port = \"<img src=x onerror=alert(1)>\" }", "onerror"),
    ("{ port = 80 } & { port = 443 }", "merge-conflict"),
]


def typing(lab):
    step("types into a cell: colours, indentation, brackets")
    lab.cells.first.locator(".cm-content").click()
    lab.type("let")
    lab.page.wait_for_selector(".jp-Notebook .cm-line span")
    lab.type(" server = {\nport | Number | default = 80,\nkind = 'Http,\nurl =\n\"http://%{std.to_string port}\",\nlist = [\n1,")
    lab.press("ArrowDown", "End")
    lab.type(", # done")
    # an editor closes brackets and quotes itself, and knows where lines begin
    wanted = """let server = {
    port | Number | default = 80,
    kind = 'Http,
    url =
        "http://%{std.to_string port}",
    list = [
        1,
    ], # done
}"""
    assert lab.editor.inner_text().replace("\n\n", "\n") == wanted, lab.editor.inner_text()
    seen = lab.colours(lab.editor)
    kinds = ["let", "server", "Number", "80", "'Http", "http://", "# done", "="]
    assert len({seen.get(kind) for kind in kinds}) == len(kinds) and None not in map(seen.get, kinds), seen
    lab.press("Control+/")
    assert lab.editor.inner_text().replace("\n\n", "\n").endswith("\n    # ], # done\n}")
    lab.press("Control+/")
    lab.press("Shift+Enter")
    expect(lab.cells.first.locator(".jp-OutputArea")).to_contain_text("server : ")


def completing(lab):
    step("completes with Tab")
    lab.type("server.po")
    lab.press("Tab")
    expect(lab.page.locator(".jp-Completer-item")).to_contain_text(["port"])
    expect(lab.page.locator(".jp-Completer-typeExtended")).to_have_text(["Number"])
    lab.picture("complete")
    lab.press("Enter")
    expect(lab.editor).to_have_text("server.port")
    step("inspects with Shift-Tab")
    lab.press("Shift+Tab")
    expect(lab.page.locator(".jp-Tooltip")).to_contain_text("Number")
    lab.picture("inspect")
    lab.press("Escape")


def long_types(lab):
    step("shows a long type of the selected completion in full")
    fields = ", ".join(f"a_field_with_a_long_name_{n} = {n}" for n in range(8))
    lab.open("long.ipynb", [cell(0, f"long = {{ one = {{ {fields} }}, two = {{ {fields} }} }}"), cell(1, "")])
    lab.command("notebook:run-cell")
    lab.idle()
    lab.cells.nth(1).locator(".cm-content").click()
    menu = lab.page.locator(".jp-Completer")
    active = menu.locator(".jp-mod-active .jp-Completer-typeExtended")
    for lines in (0, 40):
        # a menu without room below its line is above it
        lab.press("Control+a")
        lab.page.keyboard.type("\n" * lines + "long.")
        lab.press("Tab")
        expect(menu.locator(".jp-Completer-item")).to_have_count(2)
        lab.press("ArrowDown")
        expect(active).to_contain_text("a_field_with_a_long_name_7")
        expect(menu).to_have_class(re.compile("cfg-grows"))
        sizes = "(e) => [e.scrollWidth - e.clientWidth, e.scrollHeight - e.clientHeight, e.clientHeight]"
        wider, higher, height = active.evaluate(sizes)
        assert wider <= 0 and higher <= 0 and height > 60, (wider, higher, height)
        typed = lab.page.locator(".cm-focused .cm-cursor-primary").bounding_box()
        box = menu.bounding_box()
        assert box["height"] > height and (box["y"] > typed["y"] + 10 if lines == 0 else box["y"] + box["height"] <= typed["y"] + 1), (box, typed)
        lab.picture(f"long-{lines}")
        lab.press("Escape")


def interrupting(lab):
    step("interrupts a runaway cell")
    lab.editor.click()
    lab.press("Control+a")
    lab.type("let rec loop = fun n => if n < 0 then n else loop (n + 1) in loop 0")
    lab.press("Shift+Enter")
    lab.page.wait_for_selector("[data-status=busy]")
    # what needs no session answers beside it
    lab.type("server.ki")
    lab.press("Tab")
    expect(lab.page.locator(".jp-Completer-item")).to_contain_text(["kind"])
    lab.press("Enter")
    began = time.time()
    lab.page.click(".jp-NotebookPanel:not(.lm-mod-hidden) [data-command='notebook:interrupt-kernel'], [data-jp-item-name=interrupt] *")
    output = lab.cells.nth(1).locator(".jp-OutputArea")
    expect(output).to_contain_text("interrupted")
    assert time.time() - began < 3
    lab.press("Shift+Enter")
    expect(lab.cells.nth(2).locator(".jp-OutputArea")).to_contain_text("'Http")


def dialects(lab):
    step("speaks Jsonnet in a cell")
    lab.type("%%jsonnet\nlocal f(x) = { a: x };\nf('b')")
    seen = lab.colours(lab.editor)
    assert len({seen["local"], seen["%%jsonnet"], seen["'b'"], seen["a"]}) == 4, seen
    lab.press("Shift+Enter")
    expect(lab.cells.nth(3).locator(".jp-OutputArea")).to_contain_text('"b"')


def results(lab):
    step("shows each rich result")
    lab.open("rich.ipynb", [cell(n, source) for n, (source, _) in enumerate(RICH)])
    lab.command("notebook:run-all-cells")
    # every cell has its reply: the last one's number stands in the model, wherever the page is scrolled to
    lab.page.wait_for_function(
        """() => [...window.jupyterapp.shell.currentWidget.content.model.cells]
          .every((cell) => cell.executionCount && cell.executionState === "idle")""",
        timeout=60000,
    )
    lab.idle()
    for n, (source, wanted) in enumerate(RICH):
        output = lab.cells.nth(n).locator(".jp-OutputArea")
        if wanted is None:
            continue
        page = output.locator(".jp-RenderedHTML, .jp-RenderedSVG").first
        expect(page, source).to_be_attached()
        if wanted in ("table", "details") or wanted.startswith("img"):
            expect(page.locator(wanted).first, source).to_be_visible()
        else:
            expect(output, source).to_contain_text(wanted)
    assert lab.page.locator(".jp-OutputArea img[src=x]").count() == 0, "a text of the user's became a page"
    texts = shown(lab)
    folded = lab.page.locator(".jp-RenderedHTML details:not([open]) > summary:visible").first.element_handle()
    folded.click()
    assert folded.evaluate("summary => summary.parentElement.open"), "what is folded opens"
    return texts


def shown(lab):
    """What each cell shows as text. What is out of sight is drawn when one scrolls to it."""
    texts = []
    for n in range(len(RICH)):
        outputs = lab.cells.nth(n).locator(".jp-OutputArea-output")
        lab.cells.nth(n).scroll_into_view_if_needed()
        count = lab.page.evaluate("n => window.jupyterapp.shell.currentWidget.content.widgets[n].model.outputs.length", n)
        expect(outputs).to_have_count(count)
        for output in outputs.all():
            output.scroll_into_view_if_needed()
            expect(output).to_be_visible()
        texts.append("\n".join(outputs.all_inner_texts()))
    return texts


def pictures(lab, name):
    """Every result in the colours of both themes."""
    step(f"pictures: {name}")
    for theme in ("Light", "Dark"):
        lab.theme(theme)
        for n in range(len(RICH)):
            if RICH[n][1] is not None:
                target = lab.cells.nth(n)
                target.scroll_into_view_if_needed()
                target.screenshot(path=FOLDER / f"{name}-{n:02}-{theme.lower()}.png")
        contrast(lab, theme)
    lab.theme("Light")


def contrast(lab, theme):
    """Every text of a result can be read on what is behind it."""
    faint = lab.page.evaluate(CONTRAST)
    assert not faint, f"hard to read in {theme}: {faint}"


def narrow(lab):
    """In half a window nothing is cut off: what is wider can be scrolled to."""
    step("shows the same in a narrow window")
    size = lab.page.viewport_size
    lab.command("application:toggle-left-area")
    lab.page.set_viewport_size({"width": 480, "height": 1000})
    shown(lab)
    for n in range(2, len(RICH)):
        lab.cells.nth(n).scroll_into_view_if_needed()
        lab.cells.nth(n).screenshot(path=FOLDER / f"narrow-{n:02}.png")
    cut = lab.page.evaluate(CUT)
    assert not cut, cut
    lab.command("application:toggle-left-area")
    lab.page.set_viewport_size(size)


def while_typing(lab):
    step("completes while one types")
    file = FOLDER / "home/settings/@jupyterlab/completer-extension/manager.jupyterlab-settings"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"autoCompletion": True}))
    lab.open("typing.ipynb")
    lab.cells.first.locator(".cm-content").click()
    # at the speed of a person: JupyterLab drops an answer that comes after more keys, and asks only at a key
    lab.page.keyboard.type("std.array.fol", delay=150)
    expect(lab.page.locator(".jp-Completer-item")).to_contain_text(["fold_left", "fold_right"])
    lab.picture("while-typing")
    lab.press("ArrowDown", "Enter")
    expect(lab.editor).to_have_text("std.array.fold_right")
    file.unlink()


def untrusted(lab, trusted):
    step("shows the same in a notebook that nobody trusts")
    lab.command("docmanager:save")
    end = time.time() + 20
    stored = {}
    while time.time() < end and not any(c["outputs"] for c in stored.get("cells", [])):
        time.sleep(0.2)
        stored = json.loads((WORK / "rich.ipynb").read_text())
    # another notebook than the one that was signed
    for n, each in enumerate(stored["cells"]):
        each["metadata"] = {}
        for output in each["outputs"]:
            output.get("metadata", {}).update(from_elsewhere=n)
    stored["metadata"]["from"] = "elsewhere"
    lab.open("stranger.ipynb", outputs=stored)
    lab.page.wait_for_selector(".jp-RenderedHTML")
    assert lab.page.evaluate(
        "() => [...window.jupyterapp.shell.currentWidget.content.model.cells].some(c => c.type === 'code' && !c.trusted)"
    ), "the notebook is trusted"
    texts = shown(lab)
    for (source, wanted), was, now in zip(RICH, trusted, texts):
        assert wanted is None or words(was) == words(now), f"{source}\n{was}\n--- untrusted:\n{now}"


def words(text):
    return sorted(text.split())


def files(lab):
    step("edits files")
    (WORK / "server.cfg").write_text('{ port | Number | default = 80, kind = \'Http }\n')
    (WORK / "site.jsonnet").write_text("local a = 1; { b: a, 'c':: self.b }\n")
    for name, kinds in (("server.cfg", ["port", "Number", "80", "'Http"]), ("site.jsonnet", ["local", "b", "1", "self"])):
        lab.page.goto(f"{lab.address}/lab/tree/{name}?reset")
        editor = lab.page.locator(".jp-FileEditor .cm-content")
        editor.wait_for()
        lab.page.wait_for_selector(".jp-FileEditor .cm-line span")
        seen = lab.colours(editor)
        assert None not in map(seen.get, kinds) and len({seen[kind] for kind in kinds}) >= 3, (name, seen)


with page((1200, 1000)) as lab:
    lab.open("first.ipynb")
    typing(lab)
    completing(lab)
    interrupting(lab)
    dialects(lab)
    lab.picture("first")
    long_types(lab)
    trusted = results(lab)
    pictures(lab, "rich")
    narrow(lab)
    untrusted(lab, trusted)
    pictures(lab, "stranger")
    while_typing(lab)
    files(lab)
