#!/usr/bin/env python3
"""Measures a class on one machine: many kernels alive, started one after the other and all at once, and a cell in each of them.

    python3 kernel/crowd.py [path of cfg] [--kernels 30]

Prints the times in milliseconds, p50 / p95 and maximum, and the memory of all kernels. Uses the virtual environment of `kernel/bench.py`.
The cells are those of a lesson: a definition, a merge, an explanation.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from memory import ROOT, TARGET, prepare

# the environment in which Jupyter starts a kernel
SPECIFICATION = json.loads((ROOT / "kernel/python/data/data/share/jupyter/kernels/cfg/kernel.json").read_text())

CELLS = [
    "base = { host | String | default = \"localhost\", port | Number | default = 8080, url = \"http://%{host}:%{std.to_string port}\" }",
    "prod = base & { port = 443 }\nprod",
    ":explain prod.port",
]


def memory(processes):
    """Returns the proportional set size of processes, in megabytes."""
    total = 0
    for process in processes:
        for line in Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1])
    return total / 1024


def shown(times):
    ordered = sorted(1000 * each for each in times)
    at = lambda share: ordered[min(len(ordered) - 1, int(share * len(ordered)))]
    return f"{at(0.5):.1f} / {at(0.95):.1f} ms, at most {ordered[-1]:.1f} ms"


class Seat:
    """A kernel and its client."""

    def __init__(self, binary, folder, number):
        from jupyter_client.blocking import BlockingKernelClient
        from jupyter_client.connect import write_connection_file

        path, told = write_connection_file(fname=f"{folder}/{number}.json")
        self.port = told["shell_port"]
        call = [binary, "kernel", "run", "--connection-file", path]
        self.began = time.perf_counter()
        self.process = subprocess.Popen(call, stdin=subprocess.DEVNULL, env={**os.environ, **SPECIFICATION["env"]})
        self.client = BlockingKernelClient(connection_file=path)
        self.client.load_connection_file()

    def ready(self):
        """Waits for the answer to the first request, and returns the time since the start."""
        # a client that connects too early tries again only after a while
        while self.process.poll() is None:
            with socket.socket() as trial:
                if trial.connect_ex(("127.0.0.1", self.port)) == 0:
                    break
            time.sleep(0.001)
        self.client.start_channels(stdin=False, hb=False)
        self.client.kernel_info()
        assert self.client.get_shell_msg(timeout=120)["content"]["status"] == "ok"
        return time.perf_counter() - self.began

    def send(self, cell):
        self.began = time.perf_counter()
        self.client.execute(cell)

    def answer(self):
        assert self.client.get_shell_msg(timeout=120)["content"]["status"] == "ok"
        return time.perf_counter() - self.began

    def end(self):
        self.client.stop_channels()
        self.process.kill()
        self.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary", nargs="?", default=str(TARGET / "dist/cfg"))
    parser.add_argument("--kernels", type=int, default=30)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seats = []
        try:
            alone = []
            for number in range(options.kernels):
                seats.append(Seat(options.binary, folder, number))
                alone.append(seats[-1].ready())
            print(f"start, with 0 to {options.kernels - 1} others alive: {shown(alone)}")
            print(f"memory of {options.kernels} kernels: {memory([seat.process for seat in seats]):.0f} MB")
            for cell in CELLS:
                one = []
                for seat in seats:
                    seat.send(cell)
                    one.append(seat.answer())
                name = cell.split("\n")[0][:24]
                print(f"`{name}…`, one kernel after the other: {shown(one)}")
            for cell in CELLS[1:]:
                for seat in seats:
                    seat.send(cell)
                name = cell.split("\n")[0][:24]
                print(f"`{name}…`, all at once: {shown([seat.answer() for seat in seats])}")
            print(f"memory after the cells: {memory([seat.process for seat in seats]):.0f} MB")
        finally:
            for seat in seats:
                seat.end()
        seats = []
        try:
            began = time.perf_counter()
            seats = [Seat(options.binary, folder, f"again-{number}") for number in range(options.kernels)]
            for seat in seats:
                seat.began = began
            print(f"start, all at once: {shown([seat.ready() for seat in seats])}")
        finally:
            for seat in seats:
                seat.end()
    return 0


if __name__ == "__main__":
    sys.exit(main() if "CFG_MEMORY" in os.environ else prepare(__file__))
