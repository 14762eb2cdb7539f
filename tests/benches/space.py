#!/usr/bin/env python3
"""Runs every command on deep and large programs in small address spaces (`ulimit -v`), and prints what does not end as it should.

    tests/benches/space.py target/release/cfg [--spaces 200,260,330,450,700] [--only PROGRAM[,PROGRAM…]] [--commands check,eval]
                           [--seconds 60] [--jobs 1]

A run is at fault if a signal ends it, if cfg says that it failed itself, if a message has an internal name (`%file0`), if its exit code is
unknown, or if it takes longer than `--seconds`. Exit code 1 if there is one. Needs Linux. The 1,125 runs take about a quarter of an hour.
"""

import argparse
import concurrent.futures
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

DEEP, KEYS = 100_000, 200_000


def nest(before, inner, after, n=DEEP):
    return before * n + inner + after * n


def lines(line, n=KEYS):
    return "".join(line.format(i=i) for i in range(n))


# Names of files, and their texts.
PROGRAMS = {
    "parentheses.cfg": lambda: nest("(", "1", ")"),
    "records.cfg": lambda: nest("{ a = ", "1", " }"),
    "arrays.cfg": lambda: nest("[", "1", "]"),
    "open_arrays.cfg": lambda: nest("[", "1", ""),
    "functions.cfg": lambda: nest("fun x => ", "x", ""),
    "lets.cfg": lambda: nest("let x = ", "1", " in x"),
    "merges.cfg": lambda: nest("(", "{}", ") & { b = 1 }"),
    "broken_contracts.cfg": lambda: nest("{ a | Number | force = ", "1", " }"),
    "recursion.cfg": lambda: "let rec f = fun n => 1 + f (n + 1) in f 0",
    "made.cfg": lambda: "let rec f = fun n => if n == 0 then {} else {a = f (n - 1)} in f 1000000",
    "errors.cfg": lambda: "{\n" + lines("  a{i} = 1 + \"x\",\n", 40_000) + "}\n",
    "syntax_errors.cfg": lambda: "{\n" + lines("  a{i} = = 1 ],\n", 40_000) + "}\n",
    "unbound.cfg": lambda: "{\n" + lines("  a{i} = nothing{i},\n", 40_000) + "}\n",
    "keys.cfg": lambda: "{\n" + lines("  key{i} = [{i}, \"abc\"],\n") + "}\n",
    "arrays.jsonnet": lambda: nest("[", "1", "]"),
    "objects.jsonnet": lambda: nest("{ a+: ", "{}", " }"),
    "keys.jsonnet": lambda: "{\n" + lines("  key{i}: [{i}, 'abc'],\n") + "}\n",
    "arrays.json": lambda: nest("[", "1", "]"),
    "objects.json": lambda: nest("{\"a\":", "1", "}"),
    "keys.json": lambda: "{\n" + lines("  \"key{i}\": [{i}, \"abc\"],\n") + "  \"last\": 1\n}\n",
    "flow.yaml": lambda: nest("[", "1", "]"),
    "keys.yaml": lambda: lines("key{i}: [{i}, abc]\n"),
    "keys.toml": lambda: lines("key{i} = [{i}, \"abc\"]\n"),
    "lists.yay": lambda: "a: {{ " + nest("[", "1", "]") + " }}\n",
    "structs.mcl": lambda: "$x = " + nest("struct{a => ", "1", ",}") + "\n",
}
# Commands, with the arguments before and after the file.
COMMANDS = {
    "eval": (["eval"], []), "check": (["check"], []), "type": (["type"], []), "fmt": (["fmt", "--check"], []),
    "explain": (["explain"], ["a"]), "steps": (["steps"], []), "graph": (["graph"], []), "diff": (["diff"], ["SAME"]),
    "merge": (["merge"], ["SAME"]),
}
INTERNAL = re.compile(rb"`%[a-z]+\d*`|internal error|cfg itself failed|\x00")
# Exit codes of cfg, and of a pipe that nobody reads.
KNOWN = {0, 1, 2}


def run(binary, space, name, command, path, seconds):
    """Returns the fault of a run, or None, and how long it took."""
    before, after = COMMANDS[command]
    arguments = [binary, *before, path, *(path if argument == "SAME" else argument for argument in after)]

    def limits():
        resource.setrlimit(resource.RLIMIT_AS, (space * 1000 * 1024, space * 1000 * 1024))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    began = time.time()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=out, stderr=err, preexec_fn=limits)
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return f"runs longer than {seconds} s", time.time() - began
        said = b""
        for stream in (out, err):
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - 1_000_000))
            said += stream.read()
    took = time.time() - began
    if code < 0:
        return f"signal {-code}: {said[-200:].decode(errors='replace')!r}", took
    if code not in KNOWN:
        return f"exit code {code}: {said[-200:].decode(errors='replace')!r}", took
    found = INTERNAL.search(said)
    if found:
        around = said[max(0, found.start() - 80):found.end() + 80]
        return f"says {around.decode(errors='replace')!r}", took
    return None, took


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--spaces", default="200,260,330,450,700")
    parser.add_argument("--only", default=",".join(PROGRAMS))
    parser.add_argument("--commands", default=",".join(COMMANDS))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    spaces = [int(space) for space in options.spaces.split(",")]
    names, commands = options.only.split(","), options.commands.split(",")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name in names:
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(PROGRAMS[name]())
        runs = [(space, name, command) for name in names for command in commands for space in spaces]
        results = pool.map(lambda one: run(binary, *one, os.path.join(folder, one[1]), options.seconds), runs)
        faults, slow = 0, []
        for (space, name, command), (fault, took) in zip(runs, results):
            slow.append((took, space, name, command))
            if fault:
                faults += 1
                print(f"{space} MB: cfg {command} {name}: {fault}", flush=True)
    for took, space, name, command in sorted(slow, reverse=True)[:5]:
        print(f"slow: {took:.1f} s: {space} MB: cfg {command} {name}")
    print(f"{len(runs)} runs, {faults} at fault")
    return 1 if faults else 0


sys.exit(main())
