#!/usr/bin/env python3
"""Compares kernels: the time to start and the time to reply, p50 and p95 over many requests.

    python3 kernel/bench.py [path of cfg] [--requests N]
    python3 kernel/bench.py [path of cfg] --alive 30     # a class: with 30 kernels alive on this machine

One command: it makes a virtual environment under the target directory with jupyter_client, ipykernel and xeus-python, installs the kernel of
the given binary (target/dist/cfg, built by `cargo build --profile dist -p cfg-repl`) into a folder of its own, and measures all in the same run, kernel after kernel. `start` is
the time from starting the process to the first kernel_info_reply, by a client that asks until it is answered; `execute` is from
sending to both the reply and `idle`: of a sum, and as `show` of a record with all its rich forms; the others are from sending
to the reply.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).absolute()
VENV = TARGET / "bench-venv"
VERSIONS = ROOT / "tests/src/pypi.txt"

SAMPLES = {
    "cfg": {
        "setup": ["let x = { long = 1, other = \"s\" }"],
        "execute": "x.long + 1",
        "show": "x",
        "complete": "x.lo",
        "is_complete": "let y = { a = 1,",
        "inspect": "std.array.map",
    },
    "python": {
        "setup": ["x = dict(long=1, other='s')"],
        "execute": "x['long'] + 1",
        "show": "x",
        "complete": "x.ke",
        "is_complete": "for y in x:",
        "inspect": "len",
    },
}


def prepare(binary):
    """Creates the environment, installs the kernel in a separate folder, and runs this script again in the environment."""
    if not (VENV / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        packages = ["jupyter_client", "ipykernel", "xeus-python"]
        subprocess.run([VENV / "bin/python", "-m", "pip", "install", "--quiet", "--constraint", VERSIONS, *packages], check=True)
        (VENV / "ready").touch()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([binary, "kernel", "install", "--prefix", folder], check=True, stdout=subprocess.DEVNULL)
        env = {**os.environ, "CFG_BENCH": "1", "JUPYTER_PATH": f"{folder}/share/jupyter", "XDG_DATA_HOME": folder}
        env["PATH"] = f"{VENV}/bin:{env['PATH']}"
        return subprocess.run([VENV / "bin/python", __file__, *sys.argv[1:]], env=env).returncode


def start(name):
    """Starts a kernel; returns it and the time to its first reply."""
    from jupyter_client.manager import KernelManager

    manager = KernelManager(kernel_name=name)
    began = time.perf_counter()
    # a kernel's terminal output is discarded
    manager.start_kernel(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    client = manager.client()
    client.start_channels()
    client.kernel_info()
    client.get_shell_msg(timeout=60)
    took = time.perf_counter() - began
    client.wait_for_ready(timeout=60)
    return manager, client, took


def answered(client, sent, idle):
    """Waits for the reply and, if requested, for `idle`; returns the time when both had arrived."""
    while client.get_shell_msg(timeout=60)["parent_header"].get("msg_id") != sent:
        pass
    while idle:
        said = client.get_iopub_msg(timeout=60)
        over = said["content"].get("execution_state") == "idle"
        if over and said["parent_header"].get("msg_id") == sent:
            break
    return time.perf_counter()


def measure(name, requests, starts):
    times = {"start": []}
    for at in range(starts + 1):
        manager, client, took = start(name)
        # the first start loads the client's modules, and the kernel from disk
        if at > 0:
            times["start"].append(took)
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    manager, client, _ = start(name)
    samples = SAMPLES["cfg" if name == "cfg" else "python"]
    for code in samples["setup"]:
        answered(client, client.execute(code), True)
    asks = {
        "execute": lambda: client.execute(samples["execute"]),
        "show": lambda: client.execute(samples["show"]),
        "complete": lambda: client.complete(samples["complete"]),
        "is_complete": lambda: client.is_complete(samples["is_complete"]),
        "inspect": lambda: client.inspect(samples["inspect"], len(samples["inspect"])),
    }
    for kind, ask in asks.items():
        times[kind] = []
        for at in range(requests + 5):
            began = time.perf_counter()
            took = answered(client, ask(), kind in ("execute", "show")) - began
            # the first requests are a warm-up
            if at >= 5:
                times[kind].append(took)
        while client.iopub_channel.msg_ready():
            client.get_iopub_msg(timeout=1)
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    return times


def proportional_memory(process):
    """Returns the memory of a process in MB, with its share of what it shares with others."""
    for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0.0


def measure_class(name, count, rounds):
    """Starts kernels that stay alive; measures starting, executing in one of them, and executing in all of them at once."""
    samples = SAMPLES["cfg" if name == "cfg" else "python"]
    kernels, times = [], {"start": [], "one": [], "all": []}
    try:
        for _ in range(count):
            manager, client, took = start(name)
            kernels.append((manager, client))
            times["start"].append(took)
            for code in samples["setup"]:
                answered(client, client.execute(code), True)
        for at in range(rounds):
            _, client = kernels[at % count]
            began = time.perf_counter()
            times["one"].append(answered(client, client.execute(samples["execute"]), True) - began)
        for _ in range(max(1, rounds // count)):
            began = time.perf_counter()
            sent = [(client, client.execute(samples["execute"])) for _, client in kernels]
            times["all"].extend(answered(client, request, True) - began for client, request in sent)
        memory = [proportional_memory(manager.provisioner.pid) for manager, _ in kernels]
    finally:
        for manager, client in kernels:
            client.stop_channels()
            manager.shutdown_kernel(now=True)
    cells = []
    for kind in ["start", "one", "all"]:
        cuts = statistics.quantiles(times[kind], n=20, method="inclusive")
        cells.append(f"{cuts[9] * 1000:.2f} / {cuts[18] * 1000:.2f}".rjust(18))
    print(name.ljust(14) + "".join(cells) + f"{statistics.median(memory):.1f}".rjust(12), flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("binary", nargs="?", default=TARGET / "dist/cfg", type=Path)
    arguments.add_argument("--requests", type=int, default=500)
    arguments.add_argument("--starts", type=int, default=20)
    arguments.add_argument("--alive", type=int, default=0, metavar="N", help="measure with N kernels alive")
    arguments.add_argument("--kernels", default="cfg,python3,xpython")
    given = arguments.parse_args()
    if given.alive == 1:
        arguments.error("--alive needs at least two kernels")
    if "CFG_BENCH" not in os.environ:
        return prepare(given.binary.resolve())
    if given.alive:
        print(f"{given.alive} alive, ms".ljust(14) + "".join(kind.rjust(18) for kind in ["start", "in one", "in all at once"]) + "MB each".rjust(12))
        for name in given.kernels.split(","):
            measure_class(name, given.alive, given.requests)
        return 0
    kinds = ["start", "execute", "show", "complete", "is_complete", "inspect"]
    print("ms, p50 / p95".ljust(14) + "".join(kind.rjust(18) for kind in kinds))
    for name in given.kernels.split(","):
        times = measure(name, given.requests, given.starts)
        cells = []
        for kind in kinds:
            cuts = statistics.quantiles(times[kind], n=20, method="inclusive")
            cells.append(f"{cuts[9] * 1000:.2f} / {cuts[18] * 1000:.2f}".rjust(18))
        print(name.ljust(14) + "".join(cells), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
