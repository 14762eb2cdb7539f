"""The kernel under the clients that people use: nbclient, nbconvert, papermill, jupyter run, jupyter console, and a kernel
manager that restarts and interrupts. Needs JUPYTER_PATH to hold the kernel's spec."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import nbformat
import pexpect
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

BIN = Path(sys.executable).parent
RUNAWAY = "let rec f = fun n => if n == 0 then 0 else f (n + 1) in f 1"


def notebook(*cells):
    book = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "cfg", "display_name": "cfg", "language": "cfg"}})
    for cell in cells:
        tags = {"tags": ["parameters"]} if cell.startswith("# parameters") else {}
        book.cells.append(nbformat.v4.new_code_cell(cell, metadata=tags))
    return book


def plain(cell):
    return [out["data"].get("text/plain") for out in cell.outputs if "data" in out]


def jupyter(*args, cwd=None):
    done = subprocess.run([BIN / "jupyter", *args], cwd=cwd, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


class Clients(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def save(self, book):
        path = self.folder / "book.ipynb"
        nbformat.write(book, path)
        return str(path)

    def start(self):
        manager, client = start_new_kernel(kernel_name="cfg")
        self.addCleanup(manager.shutdown_kernel, now=True)
        self.addCleanup(client.stop_channels)
        return manager, client

    def test_nbclient(self):
        book = notebook("let x = { port | Number | default = 80 }", "x & { port = 8080 }", "%type x", "x.port;", 'std.trace "said" 1')
        NotebookClient(book, kernel_name="cfg", timeout=60).execute()
        self.assertEqual(plain(book.cells[1]), ["{ port = 8080 }"])
        self.assertEqual(book.cells[2].outputs[0]["output_type"], "execute_result")
        self.assertEqual(book.cells[3].outputs, [])
        self.assertEqual([out["output_type"] for out in book.cells[4].outputs], ["stream", "execute_result"])
        self.assertEqual([cell.execution_count for cell in book.cells], [1, 2, 3, 4, 5])
        with self.assertRaises(CellExecutionError) as met:
            NotebookClient(notebook("1", '1 + "a"'), kernel_name="cfg").execute()
        self.assertIn("types/conflict", str(met.exception))

    def test_nbconvert(self):
        code, said = jupyter("nbconvert", "--to", "html", "--execute", self.save(notebook("let answer = 42", "{ it_is = answer }")))
        self.assertEqual(code, 0, said)
        page = (self.folder / "book.html").read_text()
        self.assertIn("it_is", page)
        self.assertIn("42", page)

    def test_papermill(self):
        out = str(self.folder / "out.ipynb")
        done = subprocess.run(
            [BIN / "papermill", self.save(notebook("# parameters\nport = 80", "{ served = port }")), out],
            capture_output=True, text=True, timeout=120,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        book = nbformat.read(out, as_version=4)
        self.assertEqual(plain(book.cells[-1]), ["{ served = 80 }"])

    def test_a_parameters_cell_is_overridden_by_the_one_injected_behind_it(self):
        book = notebook("# parameters\nport = 80\nname = \"a\"", "# Parameters\nport = 8080\n", "[port, name]")
        NotebookClient(book, kernel_name="cfg").execute()
        self.assertEqual(plain(book.cells[2]), ['[8080, "a"]'])

    def test_jupyter_run(self):
        script = self.folder / "script.cfg"
        script.write_text("let x = 20\nx + 1\n")
        code, said = jupyter("run", "--kernel=cfg", str(script))
        self.assertEqual(code, 0, said)
        self.assertIn("21", said)

    def test_kernelspec_list(self):
        code, said = jupyter("kernelspec", "list", "--json")
        spec = json.loads(said[said.index("{"):])["kernelspecs"]["cfg"]["spec"]
        self.assertEqual((code, spec["language"]), (0, "cfg"))

    def test_jupyter_console(self):
        env = {**os.environ, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
        console = pexpect.spawn(str(BIN / "jupyter-console"), ["--kernel=cfg", "--simple-prompt"], env=env, timeout=60, encoding="utf-8")
        self.addCleanup(console.close, force=True)
        console.expect(r"In \[1\]")
        console.sendline("let x = { a = 20 }")
        console.expect("x : ")
        console.expect(r"In \[2\]")
        console.sendline("x.a + 1")
        console.expect(r"Out\[2\]:.*21")
        console.expect(r"In \[3\]")
        console.sendline(RUNAWAY)
        time.sleep(1)
        console.sendintr()
        console.expect("interrupted")
        console.expect(r"In \[4\]")
        console.sendline('1 + "a"')
        console.expect("types/conflict")
        console.expect(r"In \[5\]")
        console.sendline("x.a")
        console.expect(r"Out\[5\]:.*20")

    def test_restart_forgets_and_history_remembers(self):
        manager, client = self.start()
        client.execute("let before = 7", reply=True, timeout=30)
        manager.restart_kernel(now=False)
        client.wait_for_ready(timeout=30)
        reply = client.execute("before", reply=True, timeout=30)["content"]
        self.assertEqual((reply["status"], reply["execution_count"]), ("error", 1))
        deadline = time.monotonic() + 10
        while True:
            told = client.history(hist_access_type="range", session=-1, start=1, stop=9, reply=True, timeout=30)
            if [entry[2] for entry in told["content"]["history"]] == ["let before = 7"]:
                break
            self.assertLess(time.monotonic(), deadline, told["content"])
        told = client.history(hist_access_type="search", pattern="*befor*", reply=True, timeout=30)["content"]["history"]
        self.assertEqual([entry[2] for entry in told][-2:], ["let before = 7", "before"])

    def test_interrupts_and_questions_meanwhile(self):
        manager, client = self.start()
        for interrupt in [manager.interrupt_kernel, lambda: os.kill(manager.provisioner.pid, signal.SIGINT)]:
            running = client.execute("let x = { inner = 1 }\n" + RUNAWAY)
            time.sleep(0.3)
            started = time.monotonic()
            asked = client.complete("x.", 2)
            reply = client.get_shell_msg(timeout=10)
            self.assertEqual((reply["parent_header"]["msg_id"], reply["content"]["matches"]), (asked, ["inner"]))
            self.assertLess(time.monotonic() - started, 2)
            interrupt()
            reply = client.get_shell_msg(timeout=10)
            self.assertEqual((reply["parent_header"]["msg_id"], reply["content"]["ename"]), (running, "value/interrupted"))

    def test_the_end_of_the_parent_is_the_end(self):
        script = "from jupyter_client.manager import start_new_kernel as s; m, c = s(kernel_name='cfg'); print(m.provisioner.pid, flush=True); import os; os._exit(1)"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
        pid = int(re.search(r"\d+", done.stdout).group())
        deadline = time.monotonic() + 10
        while Path(f"/proc/{pid}").exists() and "Z" not in Path(f"/proc/{pid}/stat").read_text().split()[2]:
            self.assertLess(time.monotonic(), deadline, "it still runs")
            time.sleep(0.1)


if __name__ == "__main__":
    unittest.main()
