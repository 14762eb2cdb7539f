#!/usr/bin/env python3
"""Runs the kernel with little memory: under limits of its address space from 200 MB up in steps, it must answer or end with a message.

    python3 kernel/memory.py [path of cfg] [--from MB] [--to MB] [--step MB]

For each limit, a kernel gets cells that need much memory, a completion in deep brackets and requests for further shells. It fails if the
process is ended by a signal (an abort), or if a kernel that is alive does not answer `1 + 1` in 60 seconds. Uses the virtual
environment of `kernel/bench.py`.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).absolute()
VENV = TARGET / "bench-venv"
VERSIONS = ROOT / "tests/src/pypi.txt"

CELLS = [
    "1 + 1",
    "std.array.length (std.array.generate (fun n => n) 100000000)",
    "std.string.join \",\" (std.array.replicate 100000000 \"x\")",
    "let rec f = fun n => if n == 0 then {} else let x = f (n - 1) in { a = x, b = x } in f 40",
    "let rec f = fun n => [f (n + 1)] in f 0",
    "let rec f = fun n => f (n + 1) + 1 in f 0",
    "std.array.fold_left (fun a x => a ++ a) \"x\" (std.array.replicate 60 1)",
    "[" * 2000 + "]" * 2000,
    "%%jsonnet\nlocal f(n) = if n == 0 then {} else local x = f(n - 1); {a: x, b: x}; f(40)",
]
DEEP = "[" * 2000 + "std.arr" + "]" * 2000


def prepare():
    """Creates the environment, and runs this script again in it."""
    if not (VENV / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        packages = ["jupyter_client", "ipykernel", "xeus-python"]
        subprocess.run([VENV / "bin/python", "-m", "pip", "install", "--quiet", "--constraint", VERSIONS, *packages], check=True)
        (VENV / "ready").touch()
    return subprocess.run([VENV / "bin/python", __file__, *sys.argv[1:]], env={**os.environ, "CFG_MEMORY": "1"}).returncode


def tried(binary, megabytes, folder):
    """Returns what went wrong with one limit, and what the kernel said."""
    from jupyter_client.blocking import BlockingKernelClient
    from jupyter_client.connect import write_connection_file

    path, _ = write_connection_file(fname=f"{folder}/{megabytes}.json")
    limit = megabytes << 20
    kernel = subprocess.Popen(
        [binary, "kernel", "run", "--connection-file", path],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
    client = BlockingKernelClient(connection_file=path)
    client.load_connection_file()
    client.start_channels()
    said = []
    try:
        client.wait_for_ready(timeout=30)
        for _ in range(3):
            request = client.session.msg("create_subshell_request", {})
            client.control_channel.send(request)
        for cell in CELLS:
            sent = client.execute(cell)
            reply = answer(client, kernel, sent)
            said.append("?" if reply is None else reply["content"].get("ename") or reply["content"]["status"])
            if reply is None:
                break
        if kernel.poll() is None:
            sent = client.complete(DEEP, 2007)
            said.append("complete" if answer(client, kernel, sent) else "?")
            last = answer(client, kernel, client.execute("1 + 1"))
            if last is None and kernel.poll() is None:
                return "no answer", said
    except RuntimeError:
        said.append("not ready")
    finally:
        client.stop_channels()
        if kernel.poll() is None:
            kernel.kill()
            kernel.wait()
            code = 0
        else:
            code = kernel.returncode
        error = kernel.stderr.read().decode(errors="replace").strip().splitlines()
    if code < 0:
        return f"ended by signal {-code}", said + error[-1:]
    return None, said + ([f"exit {code}"] + error[-1:] if code else [])


def answer(client, kernel, sent):
    """Waits for the reply to a request; `None` if there is none in 60 seconds or the kernel ended."""
    from queue import Empty

    for _ in range(60):
        try:
            reply = client.get_shell_msg(timeout=1)
        except Empty:
            if kernel.poll() is not None:
                return None
            continue
        if reply["parent_header"].get("msg_id") == sent:
            return reply
    return None


def main():
    """Tries all limits. Returns the number of those that failed."""
    options = argparse.ArgumentParser()
    options.add_argument("binary", nargs="?", default=str(TARGET / "dist/cfg"))
    options.add_argument("--from", dest="first", type=int, default=200)
    options.add_argument("--to", type=int, default=2000)
    options.add_argument("--step", type=int, default=200)
    options = options.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for megabytes in range(options.first, options.to + 1, options.step):
            fault, said = tried(options.binary, megabytes, folder)
            failed += fault is not None
            print(f"{megabytes} MB: {fault or 'ok'}: {', '.join(said)}", flush=True)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main() if os.environ.get("CFG_MEMORY") else prepare())
