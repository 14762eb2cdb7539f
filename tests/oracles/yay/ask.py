#!/usr/bin/env python3
"""Asks the released Yay (3.1.1 with ply 3.4, on CPython 3.6) what generated documents resolve to.

    ask.py write [FIRST [COUNT]]          writes answers.jsonl.gz beside this file: `[document, files, value]` or
                                          `[document, files, null, class]`, the value as JSON (`reference.py`)
    ask.py compare OURS [FIRST [COUNT]]   compares fresh documents with ours: OURS reads lines `[document, files]` and writes a line
                                          `[value]` or `[null, code, message]` for each (`cargo build -p cfg-tests --example yay`)
    ask.py check                          compares the questions made now with those answered; needs no reference

YAY is the Python that has the reference: `python3.6 -m venv DIR && DIR/bin/pip install yay==3.1.1 ply==3.4`, YAY=DIR/bin/python.
"""
import json, os, pathlib, select, subprocess, sys
from generate import program

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import kept

HERE = pathlib.Path(__file__).parent
NAME = 'answers.jsonl.gz'
SECONDS = 10


class Reference:
    """The reference in a process of its own, which is ended where it takes too long."""
    def __init__(self):
        self.process = None

    def ask(self, text, files):
        if self.process is None:
            self.process = subprocess.Popen([os.environ['YAY'], '-B', str(HERE / 'reference.py')], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.process.stdin.write(json.dumps([text, files]).encode() + b'\n')
        self.process.stdin.flush()
        if select.select([self.process.stdout], [], [], SECONDS)[0]:
            line = self.process.stdout.readline()
            if line:
                return json.loads(line)
        self.process.kill()
        self.process = None
        return None


def programs(first, count):
    return [program(seed) for seed in range(first, first + count)]


def answers(questions):
    """For each question the entry `[document, files, value]` or `[document, files, null, class]`, or `None` to leave it out."""
    reference = Reference()
    for text, files in questions:
        answer = reference.ask(text, files)
        yield answer and [text, files] + answer


def write(first, count):
    questions = programs(first, count)
    entries = list(answers(questions))
    texts = [entry and json.dumps(entry, ensure_ascii=False, separators=(',', ':')) + '\n' for entry in entries]
    kept.keep(HERE, NAME, 'yay 3.1.1, ply 3.4, CPython 3.6', {'first': first, 'count': count}, questions, texts)
    good = sum(bool(entry) and entry[2] is not None for entry in entries)
    print(f'{count} documents, {sum(map(bool, entries))} with an answer, {good} with a value')


def check():
    kept.check(HERE, lambda _, arguments: map(list, programs(**arguments)),
               lambda _, text: (json.loads(line)[:2] for line in text.split('\n')[:-1]))


def compare(ours, first, count):
    process = subprocess.Popen([ours], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    total = good = 0
    classes = {}
    for entry in filter(None, answers(programs(first, count))):
        total += 1
        good += entry[2] is not None
        process.stdin.write(json.dumps(entry) + '\n')
        process.stdin.flush()
        differs, ours = json.loads(process.stdout.readline())
        if differs:
            classes.setdefault(differs, []).append((entry, ours))
    print(f'{total} documents, {good} with a value, {sum(map(len, classes.values()))} differ')
    for kind, cases in sorted(classes.items(), key=lambda c: -len(c[1])):
        print(f'\n== {kind}: {len(cases)}')
        for entry, ours in sorted(cases, key=lambda c: len(c[0][0]))[:4]:
            print('\n'.join('  | ' + line for line in entry[0].split('\n')[:-1]))
            for name, text in entry[1].items():
                print(f'  {name}:\n' + '\n'.join('  | ' + line for line in text.split('\n')[:-1]))
            print('  theirs: ', repr(entry[2:])[:300])
            print('  ours:   ', ours[:300])


if __name__ == '__main__':
    if sys.argv[1] == 'check':
        check()
    elif sys.argv[1] == 'write':
        write(*map(int, (sys.argv[2:] + ['1', '12000'][len(sys.argv) - 2:])[:2]))
    else:
        compare(sys.argv[2], *map(int, (sys.argv[3:] + ['100000', '2000'][len(sys.argv) - 3:])[:2]))
