#!/usr/bin/env python3
"""Asks the reference (`pip install jsonnet`, 0.22) what generated programs evaluate to.

    ask.py write  [FIRST [COUNT]]       writes answers.jsonl beside this file: `[program, files, value]` or
                                        `[program, files, null, message]`, the value byte for byte, the message's first line
    ask.py compare OURS [FIRST [COUNT]] compares fresh programs with ours: OURS reads lines `[program, files]` and writes a
                                        line `[value]` or `[null, message]` for each (`cargo build -p cfg-tests --example jsonnet`)
    ask.py check                        compares the questions made now with those answered; needs no reference
"""
import importlib.metadata, json, multiprocessing, pathlib, subprocess, sys
from generate import program

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import kept

if sys.argv[1:] != ['check']:
    import _jsonnet

HERE = pathlib.Path(__file__).parent
SECONDS = 2
LONGEST = 1500


def std():
    code = '[[n, std.length(std[n])] for n in std.objectFieldsAll(std) if std.isFunction(std[n]) && !std.startsWith(n, "__") && n != "native" && n != "extVar"]'
    return json.loads(_jsonnet.evaluate_snippet('std', code))


def ask(text, files):
    def load(folder, path):
        if path in files:
            return path, files[path].encode()
        raise RuntimeError('not found')
    try:
        return [_jsonnet.evaluate_snippet('snippet', text, import_callback=load)]
    except RuntimeError as e:
        return [None, str(e).split('\n')[0]]
    except (UnicodeDecodeError, MemoryError):
        return None


def work(jobs, answers):
    while True:
        job = jobs.recv()
        if job is None:
            return
        jobs.send(ask(*job))


class Worker:
    """The reference in a process of its own, which is ended where it takes too long."""
    def __init__(self):
        self.start()

    def start(self):
        self.here, there = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=work, args=(there, None), daemon=True)
        self.process.start()

    def ask(self, text, files):
        try:
            self.here.send((text, files))
            if self.here.poll(SECONDS):
                return self.here.recv()
        except (EOFError, OSError):
            pass
        self.process.kill()
        self.start()
        return None


def programs(first, count, std):
    made = 0
    seed = first
    while made < count:
        try:
            text, files = program(seed, std)
        except RecursionError:
            seed += 1
            continue
        seed += 1
        if len(text) + sum(map(len, files.values())) > LONGEST:
            continue
        made += 1
        yield text, files


def answers(questions):
    """For each question the entry `[program, files, value]` or `[program, files, null, message]`, or `None` to leave it out."""
    worker = Worker()
    for text, files in questions:
        answer = worker.ask(text, files)
        # hashes but md5 are not in the C++ reference; ours are as the Go one's
        only_go = answer and answer[0] is None and 'only supported in go' in answer[1]
        if answer is not None and not only_go and len(answer[0] or '') < 6000:
            yield [text, files] + answer
        else:
            yield None


def answered(first, count):
    return (entry for entry in answers(programs(first, count, std())) if entry)


def write(first, count):
    arguments = {'first': first, 'count': count, 'std': std()}
    questions = list(programs(**arguments))
    entries = list(answers(questions))
    texts = [entry and json.dumps(entry, ensure_ascii=False, separators=(',', ':')) + '\n' for entry in entries]
    reference = 'jsonnet ' + importlib.metadata.version('jsonnet')
    kept.keep(HERE, 'answers.jsonl', reference, arguments, questions, texts)
    good = sum(bool(entry) and entry[2] is not None for entry in entries)
    print(f'{sum(map(bool, entries))} programs, {good} evaluate')


def check():
    kept.check(HERE, lambda _, arguments: map(list, programs(**arguments)),
               lambda _, text: (json.loads(line)[:2] for line in text.split('\n')[:-1]))


def message(text):
    for start in ('RUNTIME ERROR: ', 'STATIC ERROR: '):
        if text.startswith(start):
            return text[len(start):], start.startswith('STATIC')
    return text, False


def compare(ours, first, count):
    process = subprocess.Popen([ours], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    total = good = 0
    classes = {}
    for entry in answered(first, count):
        total += 1
        good += entry[2] is not None
        process.stdin.write(json.dumps(entry[:2]) + '\n')
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        kind = differs(entry[2:], answer)
        if kind:
            classes.setdefault(kind, []).append((entry, answer))
    print(f'{total} programs, {good} evaluate, {sum(map(len, classes.values()))} differ')
    for kind, cases in sorted(classes.items(), key=lambda c: -len(c[1])):
        print(f'\n== {kind}: {len(cases)}')
        for entry, answer in sorted(cases, key=lambda c: len(c[0][0]))[:4]:
            print('  program:', entry[0][:400], json.dumps(entry[1])[:200] if entry[1] else '')
            print('  theirs: ', repr(entry[2:])[:300])
            print('  ours:   ', repr(answer)[:300])


def differs(theirs, ours):
    if theirs[0] is not None:
        if ours[0] is None:
            return 'fails: ' + ours[1][:30]
        return None if ours[0] == theirs[0] else 'value'
    text, static = message(theirs[1])
    if ours[0] is not None:
        return 'evaluates: ' + text[:30]
    if text == 'max stack frames exceeded.' and ours[1].startswith('infinite recursion'):
        return None  # ours names the circle
    # a report shows what is no text as such
    text = ''.join('\ufffd' if c < ' ' or '\x7f' <= c < '\xa0' else c for c in text)
    return None if static or ours[1] == text else 'message: ' + text[:25]


if __name__ == '__main__':
    if sys.argv[1] == 'check':
        check()
    elif sys.argv[1] == 'write':
        write(*map(int, (sys.argv[2:] + ['1', '6000'][len(sys.argv) - 2:])[:2]))
    else:
        compare(sys.argv[2], *map(int, (sys.argv[3:] + ['100000', '2000'][len(sys.argv) - 3:])[:2]))
