#!/usr/bin/env python3
"""Asks nickel (1.18) about programs that the typed generator (`tests/src/generate`) does not write, in every format of
`nickel export`, and writes `answers.jsonl`: `[program, format, output]`, the output byte for byte, null where nickel fails.

    tests/oracles/wide/ask.py [SEED [PROGRAMS_PER_TOPIC [CFG]]]   # with CFG, a binary: compares in place of writing
    tests/oracles/wide/ask.py check   # compares the questions made now with those answered

The topics avoid what docs/nickel.md says that we do otherwise; static type errors of nickel's are left out, and
patterns that it does not read.
"""
import concurrent.futures, json, pathlib, subprocess, sys, tempfile, threading
import rng, operators, numerals, strings, patterns, records, layouts

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import kept

CHECK = sys.argv[1:] == ["check"]
SEED = int(sys.argv[1]) if len(sys.argv) > 1 and not CHECK else 1
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


def ask(question):
    """Nickel's answer and, where a binary is given, ours; None where nickel has none that could be kept."""
    topic, (program, form) = question
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


TOPICS = (operators, numerals, strings, patterns, records, layouts)


def questions(seed, count):
    """Every topic with a program and its format."""
    for topic in TOPICS:
        rng.R.seed(f"{seed} {topic.__name__}")
        items = dict.fromkeys(item for item in (topic.item() for _ in range(count)) if len(item[0]) <= LONGEST)
        yield from ((topic, item) for item in items)


def plain(asked):
    return [list(item) for _, item in asked]


def main():
    if CHECK:
        return kept.check(
            HERE, lambda _, arguments: plain(questions(**arguments)),
            lambda _, text: (json.loads(line)[:2] for line in text.split("\n")[:-1]))
    asked = list(questions(SEED, COUNT))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(ask, asked))
    if CFG is None:
        texts = [answer and json.dumps(answer, ensure_ascii=False) + "\n" for answer in answers]
        reference = subprocess.run(["nickel", "--version"], capture_output=True, text=True).stdout.strip()
        kept.keep(HERE, "answers.jsonl", reference, {"seed": SEED, "count": COUNT}, plain(asked), texts)
    for topic in TOPICS:
        lines = [answer for (of, _), answer in zip(asked, answers) if of is topic and answer]
        differ = [line for line in lines if CFG is not None and line[2] != line[3]]
        for line in differ:
            print(*line, sep="\n   | ")
        print(f"{topic.__name__}: {len(lines)} programs" + (f", {len(differ)} differ" if CFG else ""))


main()
