"""JupyterLab and a page of it in a headless Chromium, for the scripts in this folder.

Their arguments are `CHROMIUM PREFIX FOLDER`. `CHROMIUM` is a program. `PREFIX` is the Python environment with JupyterLab and
the package, `FOLDER` is for the notebooks and the pictures.
"""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time
import traceback
import urllib.error
import urllib.request
from contextlib import contextmanager

from playwright.sync_api import expect, sync_playwright

CHROMIUM = sys.argv[1]
PREFIX, FOLDER = pathlib.Path(sys.argv[2]).absolute(), pathlib.Path(sys.argv[3]).absolute()
WORK = FOLDER / "work"
LESSONS = pathlib.Path(__file__).resolve().parents[2] / "notebooks"

# nothing asks for the network or for attention; brackets close; completion comes while one types in one notebook
SETTINGS = {
    "@jupyterlab/apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/notebook-extension/tracker": {"codeCellConfig": {"autoClosingBrackets": True}},
    "@jupyterlab/docmanager-extension/plugin": {"autosave": False},
}
KERNEL = {"kernelspec": {"name": "cfg", "display_name": "cfg", "language": "cfg"}}

def wait(url):
    end = time.time() + 60
    while time.time() < end:
        try:
            return urllib.request.urlopen(url).read()
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
    sys.exit("JupyterLab did not start:\n" + (FOLDER / "server.log").read_text())


@contextmanager
def server():
    home = FOLDER / "home"
    for folder in (home, WORK):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    for name, values in SETTINGS.items():
        file = home / "settings" / (name + ".jupyterlab-settings")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    env = dict(os.environ, HOME=str(home), JUPYTERLAB_SETTINGS_DIR=str(home / "settings"))
    for what in ("CONFIG", "DATA", "RUNTIME"):
        env[f"JUPYTER_{what}_DIR"] = str(home / what.lower())
    env["JUPYTERLAB_WORKSPACES_DIR"] = str(home / "workspaces")
    # what is installed is what is tried: nothing from the path of who runs the tests
    env.pop("JUPYTER_PATH", None)
    call = [PREFIX / "bin/python", "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"]
    call += ["--IdentityProvider.token=", "--LabApp.expose_app_in_browser=True", f"--ServerApp.root_dir={WORK}"]
    with open(FOLDER / "server.log", "w") as log:
        lab = subprocess.Popen(call, env=env, stdout=log, stderr=subprocess.STDOUT)
    try:
        address = f"http://127.0.0.1:{port}"
        wait(address + "/api")
        yield address
    finally:
        lab.terminate()
        lab.wait(20)


class Lab:
    """A page of JupyterLab."""

    def __init__(self, page, address):
        self.page, self.address = page, address
        self.problems = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("dialog", self.dialog)

    def dialog(self, dialog):
        # a notebook that is left unsaved asks; nothing else may
        if dialog.type != "beforeunload":
            self.problems.append("a dialog: " + dialog.message)
        dialog.accept()

    def open(self, name, cells=(), outputs=None):
        """Opens a notebook with these cells, and waits for its kernel."""
        notebook = {"cells": list(cells), "metadata": KERNEL, "nbformat": 4, "nbformat_minor": 5}
        (WORK / name).write_text(json.dumps(outputs or notebook))
        self.page.goto(f"{self.address}/lab/tree/{name}?reset")
        self.page.wait_for_selector(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell", timeout=60000)
        self.idle()

    def idle(self):
        """Waits until the notebook is there, its kernel has answered, and nothing runs."""
        self.page.wait_for_function(
            """() => {
              const panel = window.jupyterapp.shell.currentWidget;
              const session = panel && panel.sessionContext && panel.sessionContext.session;
              return panel.context.isReady && panel.sessionContext.isReady && session && session.kernel
                && session.kernel.connectionStatus === "connected" && session.kernel.status === "idle";
            }""",
            timeout=60000,
        )

    def command(self, name, **arguments):
        self.page.evaluate("([name, args]) => window.jupyterapp.commands.execute(name, args)", [name, arguments])

    def theme(self, name):
        self.command("apputils:change-theme", theme=f"JupyterLab {name}")
        self.page.wait_for_selector(f"body[data-jp-theme-name='JupyterLab {name}']", state="attached")

    @property
    def cells(self):
        return self.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook .jp-Cell")

    @property
    def editor(self):
        """The editor that is typed into."""
        return self.page.locator(".jp-Cell.jp-mod-active .cm-content")

    def type(self, text):
        self.page.keyboard.type(text)

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def colours(self, editor):
        """The text of an editor by its colours."""
        spans = editor.evaluate(
            "e => [...e.querySelectorAll('.cm-line span')].map(s => [s.textContent, getComputedStyle(s).color])"
        )
        return {text: colour for text, colour in spans}

    def picture(self, name):
        self.page.screenshot(path=FOLDER / f"{name}.png")


def step(says):
    print(f"{time.time() - START:6.1f} s  {says}", flush=True)


def cell(n, source):
    # a fault in one does not keep the others from running
    metadata = {"tags": ["raises-exception"]}
    return {"cell_type": "code", "id": f"c{n}", "source": source, "metadata": metadata, "outputs": [], "execution_count": None}


def run_all(lab):
    lab.command("notebook:run-all-cells")
    lab.page.wait_for_function(
        """() => [...window.jupyterapp.shell.currentWidget.content.model.cells]
          .every((cell) => cell.type !== "code" || !cell.sharedModel.getSource() || (cell.executionCount && cell.executionState === "idle"))""",
        timeout=60000,
    )
    lab.idle()


START = time.time()


@contextmanager
def page(size):
    """A page of JupyterLab of a width and height. A failure leaves a picture of it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with server() as address, sync_playwright() as playwright:
        step("JupyterLab answers")
        flags = "no-sandbox disable-gpu disable-quic no-first-run disable-background-networking disable-component-update disable-sync"
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[f"--{flag}" for flag in flags.split()])
        lab = Lab(browser.new_page(viewport={"width": size[0], "height": size[1]}), address)
        lab.page.set_default_timeout(20000)
        expect.set_options(timeout=20000)
        try:
            yield lab
        except BaseException:
            traceback.print_exc()
            lab.picture("failed")
            sys.exit(f"see {FOLDER / 'failed.png'}")
        assert not lab.problems, lab.problems
        browser.close()
        step("done")
