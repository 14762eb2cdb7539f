#!/usr/bin/env python3
"""Data files merged by others: `nickel export a.json b.yaml …` for `cfg merge`, jq's `*` for `cfg merge --layers`.

    ask.py [COUNT [SEED]]                 writes answers.jsonl
    ask.py --live CFG [COUNT [SEED]]      asks fresh ones, and the binary CFG beside them
    ask.py check                          compares the questions made now with those answered

A line holds the files, what Nickel exports of them (absent: it refuses), and what jq makes of them.
"""
import json, os, pathlib, random, subprocess, sys, tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import kept

HERE = pathlib.Path(__file__).resolve().parent

KEYS = ["a", "b", "c", "d e", "x.y"]
LEAVES = [0, 1, -2, 1.5, True, False, "s", "", "long text", [1, 2], [], [{"a": 1}], ["s", [0]]]


def value(rng, depth, null):
    if depth > 0 and rng.random() < 0.5:
        return record(rng, depth - 1, null)
    if null and rng.random() < 0.08:
        return None
    return rng.choice(LEAVES)


def record(rng, depth, null):
    names = rng.sample(KEYS, rng.randint(0, 4))
    return {name: value(rng, depth, null) for name in names}


def changed(rng, doc, null):
    """Mostly the same, so that many merges succeed."""
    out = {}
    for name, old in doc.items():
        dice = rng.random()
        if dice < 0.3:
            continue
        if isinstance(old, dict) and dice < 0.9:
            out[name] = changed(rng, old, null)
        else:
            out[name] = old if dice < 0.97 else value(rng, 1, null)
    if rng.random() < 0.3:
        out[rng.choice(KEYS) + "2"] = value(rng, 1, null)
    return out


def yaml(doc, indent=0):
    lines = []
    for name, v in doc.items():
        head = " " * indent + (json.dumps(name) if " " in name else name) + ":"
        if isinstance(v, dict) and v:
            lines += [head + "  # " + name, yaml(v, indent + 2)]
        elif isinstance(v, list) and v:
            lines.append(head)
            lines += [" " * indent + "- " + json.dumps(e) for e in v]
        else:
            lines.append(head + " " + json.dumps(v))
    return "\n".join(lines)


def toml_value(v):
    if isinstance(v, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {toml_value(e)}" for k, e in v.items()) + "}"
    if isinstance(v, list):
        return "[" + ", ".join(map(toml_value, v)) + "]"
    return json.dumps(v)


def toml(doc, path=()):
    lines = [f"{json.dumps(k)} = {toml_value(v)}" for k, v in doc.items() if not isinstance(v, dict)]
    for k, v in doc.items():
        if isinstance(v, dict):
            inner = path + (k,)
            lines += ["", "[" + ".".join(map(json.dumps, inner)) + "]", toml(v, inner)]
    return "\n".join(lines)


def files(rng):
    """Files of one set, and the documents they hold."""
    count = rng.randint(2, 4)
    kinds = [rng.choice(["json", "yaml", "toml"]) for _ in range(count)]
    # TOML has no null
    null = "toml" not in kinds
    docs = [record(rng, 3, null)]
    for _ in range(count - 1):
        docs.append(changed(rng, docs[0], null) if rng.random() < 0.8 else record(rng, 3, null))
    out = []
    for n, (kind, doc) in enumerate(zip(kinds, docs)):
        text = {"json": json.dumps(doc, indent=2), "yaml": yaml(doc) or "{}", "toml": toml(doc)}[kind]
        out.append([f"f{n}.{kind}", text + "\n"])
    return out, docs


def questions(seed, count):
    rng = random.Random(seed)
    return [files(rng) for _ in range(count)]


def plain(asked):
    return [named for named, _ in asked]


def answer(named, docs):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in named:
            with open(os.path.join(folder, name), "w") as f:
                f.write(text)
        names = [name for name, _ in named]
        ran = subprocess.run(["nickel", "export", "--format", "json", *names], cwd=folder, capture_output=True, text=True)
        jq = subprocess.run(
            ["jq", "-cs", "reduce .[] as $x ({}; . * $x)"],
            input="\n".join(json.dumps(d) for d in docs), capture_output=True, text=True, check=True)
    entry = {"files": named, "layers": json.loads(jq.stdout)}
    if ran.returncode == 0:
        entry["merge"] = json.loads(ran.stdout)
    elif "incompatible" not in ran.stderr and "merge" not in ran.stderr:
        sys.exit(f"nickel did not refuse the merge itself:\n{ran.stderr}\n{named}")
    return entry


def ours(cfg, entry, layers):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in entry["files"]:
            with open(os.path.join(folder, name), "w") as f:
                f.write(text)
        names = [name for name, _ in entry["files"]]
        ran = subprocess.run([cfg, "merge", *(["--layers"] if layers else []), *names], cwd=folder, capture_output=True, text=True)
    return json.loads(ran.stdout) if ran.returncode == 0 else None


def main():
    args = sys.argv[1:]
    if args == ["check"]:
        return kept.check(
            HERE, lambda _, arguments: plain(questions(**arguments)),
            lambda _, text: (json.loads(line)["files"] for line in text.split("\n")[:-1]))
    live = os.path.abspath(args.pop(1)) if args[:1] == ["--live"] else None
    args = args[1:] if live else args
    count, seed = int(args[0]) if args else 300, int(args[1]) if len(args) > 1 else 1
    asked = questions(seed, count)
    if live is None:
        versions = [subprocess.run([by, "--version"], capture_output=True, text=True).stdout.strip() for by in ("nickel", "jq")]
        texts = [json.dumps(answer(*question)) + "\n" for question in asked]
        kept.keep(HERE, "answers.jsonl", ", ".join(versions), {"seed": seed, "count": count}, plain(asked), texts)
        return
    wrong = merged = 0
    for question in asked:
        entry = answer(*question)
        merged += "merge" in entry
        for layers in (False, True):
            want = entry["layers"] if layers else entry.get("merge")
            got = ours(live, entry, layers)
            if got != want:
                wrong += 1
                print("layers" if layers else "merge", json.dumps(entry), "\n  ours", json.dumps(got))
    print(f"{wrong} of {2 * count} differ; {merged} merges succeed")
    sys.exit(wrong > 0)


main()
