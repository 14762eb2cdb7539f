#!/usr/bin/env python3
"""Asks PyYAML (YAML 1.1) and ruamel.yaml (YAML 1.2) to read strings that cfg wrote as YAML.

    ask.py CFG [COUNT [SEED]]     writes answers.jsonl (PyYAML and ruamel.yaml must be installed)
    ask.py check                  compares the questions made now with those answered

A line holds a string, the YAML that cfg writes for it as a value, an element and a key, and what each reader makes of that
YAML. The test `yaml_strings` writes the same strings and compares the YAML.
"""
import json, pathlib, random, re, subprocess, sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import kept

HERE = pathlib.Path(__file__).resolve().parent

WORDS = """
no No NO yes Yes YES on On ON off Off OFF y Y n N true True TRUE false False FALSE null Null NULL ~ << = .inf .Inf .INF -.inf
+.INF .nan .NaN .NAN nan inf 0 -0 +0 1 -1 +1 007 08 0o17 0O17 017 0x1F 0xff 0X1F 0b101 0b 0x 0o 1_000 1,000 1__0 _1 1_ 0_7
1e3 1E3 1e+3 1e-3 1.e3 .5e3 1.5e3 1e 1e+ 12e03 1.0 1. .5 -.5 +.5 . .. ... 1.2.3 685_230.15 6.8523015e+5 12:30 12:30:45
190:20:30 190:20:30.15 -12:30 1:60 1:6 2024-01-01 2024-1-1 2024-13-99 2001-12-14t21:59:43.10-05:00 2001-12-14T21:59:43Z
2024-01 10.0.0.1 v1 1a a1 3d 10Gi 500m - -- --- ---a -a ? ?a : :a a: a:b # #a a# & &a * *a ! !a !!str % %a @ @a ` `a | |a > >a
' " '' "" 'a "a [ ] { } , [a a] {a a} a, ,a \\ \\n $ $a ${a} {{a}} {{ </a> a=b a&b 12345678901234567890 1e400 -1e400 0x1FFFFFFFFFFFFFFFF
""".split() + ["", " ", "  ", " a", "a ", "a b", "a  b", "- a", "-\ta", "? a", ": a", "a: b", "a :b", "a #b", "a# b", "# a", "& a", "* a", "! a",
    "% a", "@ a", "| a", "> a", "--- a", "... a", "a\n", "\na", "a\nb", "a\n\nb", "a\n\n", "\n", "\n\n", " a\nb", "a\n b", "a \nb", "a\n ",
    "a\tb", "\ta", "a\t", "a\r\nb", "a\rb", "\r", "\u0000", "\u0007", "\u001b", "\u007f", "\u0085", "a\u0085b", "\u00a0", "\u2028", "a\u2028b",
    "\u2029", "\ufeff", "a\ufeffb", "\ufffe", "\U0001f600", "é", "ключ", "日本", "'a' \"b\"", "it's", 'say "x"', "a: 'b'\n# c\n", "key: |\n  x\n",
    "%YAML 1.1", "<<: *a", "!!binary x", "x " * 60, "x" * 140, "a\n---\nb", "a\n...\nb", "2024-01-01 10:00", "12:30 pm", "no thanks", "1 000", "0x 1"]
LETTERS = list("ab01.-_:, #'\"\\%@`!&*?|>[]{}=~+eEnNxo/\t\n\u00e9\u2028")
SHAPES = ["d.d", "d:dd", "dd:dd:dd", "dddd-dd-dd", "dddd-d-d", "0xh", "0o7", "0bb", "d_d", "d,d", "de+d", "d.de-d", "sd", "sd.d", "s.d", "s.inf",
          "dddd-dd-ddTdd:dd:dd", "dddd-dd-dd dd:dd:dd.d Z", "sd:dd.d", "0d", "s0xh", "dEd", ".de-d", "d.", "d._", "w", "ww"]


def shaped(rng):
    kinds = {"d": "0123456789", "h": "0189aAfF_", "b": "01_", "s": ["", "+", "-"], "w": ["y", "n", "no", "On", "off", "NULL", "~", "true"]}
    return "".join(rng.choice(kinds[c]) if c in kinds else c for c in rng.choice(SHAPES))


def questions(seed, count):
    rng = random.Random(seed)
    out = list(WORDS)
    while len(out) < count:
        if rng.random() < 0.5:
            out.append("".join(rng.choice(LETTERS) for _ in range(rng.randint(1, 7))))
        else:
            text = shaped(rng)
            if rng.random() < 0.3:
                at = rng.randint(0, len(text))
                text = text[:at] + rng.choice(LETTERS) + text[at:]
            out.append(text)
    return out[:count]


def written(cfg, strings):
    """The YAML of each string: an item of one long sequence."""
    documents = json.dumps([{"element": [s], "key": {s: 1}, "value": s} for s in strings])
    ran = subprocess.run([cfg, "eval", "--dialect", "json", "-", "--format", "yaml"], input=documents.encode(), capture_output=True, check=True)
    items = re.split(r"^(?=- element:)", ran.stdout.decode(), flags=re.M)
    assert items[0] == "" and len(items) == len(strings) + 1
    return items[1:]


def read(reader, text):
    """What a reader makes of an item: the value, the element and the key."""
    try:
        [item] = reader(text)
        [element], [key] = item["element"], item["key"]
        return [x if isinstance(x, str) else f"not a string: {x!r}" for x in (item["value"], element, key)]
    except Exception as error:
        return [f"{type(error).__name__}"] * 3


def main():
    args = sys.argv[1:]
    if args == ["check"]:
        strings = lambda _, text: (json.loads(line)["string"] for line in text.split("\n")[:-1])
        return kept.check(HERE, lambda _, arguments: questions(**arguments), strings)
    import ruamel.yaml, yaml
    arguments = {"seed": int(args[2]) if len(args) > 2 else 1, "count": int(args[1]) if len(args) > 1 else 3000}
    asked = questions(**arguments)
    readers = {"pyyaml": yaml.safe_load, "ruamel": lambda text: ruamel.yaml.YAML(typ="safe", pure=True).load(text)}
    texts, wrong = [], 0
    for string, text in zip(asked, written(args[0], asked)):
        answers = {name: read(reader, text) for name, reader in readers.items()}
        if any(answer != [string] * 3 for answer in answers.values()):
            wrong += 1
            print(json.dumps(string), repr(text), answers)
        # a reading that is the string three times is kept as `true`
        answers = {name: answer == [string] * 3 or answer for name, answer in answers.items()}
        texts.append(json.dumps({"string": string, "yaml": text, **answers}) + "\n")
    print(f"{wrong} of {len(asked)} strings are read as something else")
    kept.keep(HERE, "answers.jsonl", f"PyYAML {yaml.__version__}, ruamel.yaml {ruamel.yaml.__version__}", arguments, asked, texts)


main()
