#!/usr/bin/env python3
"""Asks nickel (1.18) about programs that the typed generator (`tests/src/generate`) does not write, in every format of
`nickel export`, and writes `answers.jsonl`: `[program, format, output]`, the output byte for byte, null where nickel fails.

    tests/oracles/wide/ask.py [SEED [PROGRAMS_PER_TOPIC [CFG]]]   # with CFG, a binary: compares in place of writing

The topics avoid what docs/nickel.md says that we do otherwise; static type errors of nickel's are left out, and
patterns that it does not read.
"""
import concurrent.futures, json, pathlib, subprocess, sys, tempfile, threading
import rng, operators, numerals, strings, patterns, records, layouts

SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 1
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 500
CFG = sys.argv[3] if len(sys.argv) > 3 else None
LONGEST = 420
STATIC = ("incompatible types", "type error", "statically typed", "expected type")
HERE = pathlib.Path(__file__).parent
local = threading.local()


def run(command):
    try:
        ran = subprocess.run(command, capture_output=True, timeout=10)
        return ran.returncode, ran.stdout, ran.stderr.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        return None, b"", ""


def ask(item):
    """Nickel's answer and, where a binary is given, ours; None where nickel has none that could be kept."""
    program, form = item
    if not hasattr(local, "file"):
        local.file = pathlib.Path(tempfile.mkdtemp()) / "p.ncl"
    local.file.write_text(program)
    code, out, err = run(["nickel", "export", "--format", form, str(local.file)])
    first = err.split("\n")[0]
    if code not in (0, 1) or code == 1 and any(word in first for word in STATIC) and "dynamic" not in first:
        return None
    if code == 1 and "unexpected token" in first and topic is patterns:
        return None
    answer = out.decode() if code == 0 else None
    if CFG is None:
        return [program, form, answer]
    code, out, _ = run([CFG, "eval", "--format", form, str(local.file)])
    return [program, form, answer, out.decode("utf-8", "replace") if code == 0 else None]


kept = {}
for topic in (operators, numerals, strings, patterns, records, layouts):
    rng.R.seed(f"{SEED} {topic.__name__}")
    items = dict.fromkeys(item for item in (topic.item() for _ in range(COUNT)) if len(item[0]) <= LONGEST)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        kept[topic.__name__] = [answer for answer in pool.map(ask, items) if answer]
if CFG is None:
    with open(HERE / "answers.jsonl", "w") as file:
        for line in (line for lines in kept.values() for line in lines):
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    print({name: len(lines) for name, lines in kept.items()})
else:
    for name, lines in kept.items():
        differ = [line for line in lines if line[2] != line[3]]
        for line in differ:
            print(*line, sep="\n   | ")
        print(f"{name}: {len(lines)} programs, {len(differ)} differ")
