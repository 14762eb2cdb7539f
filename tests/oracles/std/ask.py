#!/usr/bin/env python3
"""Asks nickel (1.18) what the functions of the standard library answer, and writes the answers down.

    tests/oracles/std/ask.py                   # asks everything, writes answers/*.txt
    tests/oracles/std/ask.py record            # only the questions of one file
    tests/oracles/std/ask.py check             # compares the questions made now with those answered

Each question is one expression. Its answer is the value, whole, in one form that needs no layout (strings as in JSON, fields in
alphabetical order, `<function>`, `<contract>`), or `fails`. The questions are made from `questions.py`.
"""
import concurrent.futures, json, pathlib, subprocess, sys
from questions import QUESTIONS

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import kept

HERE = pathlib.Path(__file__).parent
SHOW = r'''
let tag = fun name => if std.string.is_match "^[0-9A-Za-z]*$" name then "'" ++ name else "'" ++ std.serialize 'Json name in
let rec show | Dyn = fun v =>
  std.typeof v |> match {
    'Number => std.to_string v,
    'Bool => std.to_string v,
    'String => std.serialize 'Json v,
    'Enum =>
      if std.enum.is_enum_variant v then
        let { tag = t, arg } = std.enum.to_tag_and_arg v in "(" ++ tag t ++ " " ++ show arg ++ ")"
      else tag (std.to_string v),
    'Array => "[" ++ std.string.join ", " (std.array.map show v) ++ "]",
    'Record =>
      "{"
      ++ std.string.join ", " (std.array.map (fun k => std.serialize 'Json k ++ " = " ++ show (std.record.get k v)) (std.record.fields v))
      ++ "}",
    'Function => "<function>",
    'CustomContract => "<contract>",
    'Type => "<contract>",
    'Label => "<label>",
    _ => if v == null then "null" else "<other>",
  }
in show (
'''


def ask(question):
    try:
        done = subprocess.run(["nickel", "export", "--format", "text"], input=SHOW + question + "\n)", capture_output=True, text=True, timeout=20)
    except subprocess.TimeoutExpired:
        return "hangs"
    if done.returncode == 0:
        return done.stdout.rstrip("\n")
    first = done.stderr.strip().split("\n")[0]
    if "unexpected" in first or "unbound" in first or "not found" in first:
        sys.exit(f"not a question: {question}\n{done.stderr}")
    return "fails"


def names(path="std"):
    """Every path of the library; a record whose name is capitalised is a contract and is not looked into."""
    done = subprocess.run(["nickel", "export"], input=f"std.record.fields {path}", capture_output=True, text=True)
    for name in json.loads(done.stdout):
        inner = f"{path}.{name}"
        kind = subprocess.run(["nickel", "export", "--format", "text"], input=f"std.string.from (std.typeof {inner})", capture_output=True, text=True).stdout.strip()
        yield inner
        if kind == "Record" and not name[0].isupper():
            yield from names(inner)


def main():
    every = {f"answers/{name}.txt": list(dict.fromkeys(questions)) for name, questions in QUESTIONS.items()}
    every["names.txt"] = ["std"]
    if sys.argv[1:] == ["check"]:
        return kept.check(
            HERE, lambda name, _: every[name],
            lambda name, text: ["std"] if name == "names.txt" else text.split("\n")[:-1][::2])
    reference = subprocess.run(["nickel", "--version"], capture_output=True, text=True).stdout.strip()
    kept.keep(HERE, "names.txt", reference, {}, ["std"], ["".join(f"{name}\n" for name in names())])
    wanted = sys.argv[1:] or list(QUESTIONS)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name in wanted:
            questions = every[f"answers/{name}.txt"]
            answers = list(pool.map(ask, questions))
            texts = [f"{q}\n=> {a}\n" for q, a in zip(questions, answers)]
            kept.keep(HERE, f"answers/{name}.txt", reference, {}, questions, texts)
            print(f"{name}: {len(questions)}, {answers.count('fails')} fail")


main()
