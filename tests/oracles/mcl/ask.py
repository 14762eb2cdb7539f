#!/usr/bin/env python3
"""Asks mgmt 0.0.26 (Debian trixie's package `mgmt`) what becomes of generated mcl programs.

    ask.py write  [FIRST [COUNT]]       writes answers.jsonl beside this file, with two processes
    ask.py constructs [FIRST [COUNT]]   writes constructs.jsonl, with the answers for the programs of constructs.py
    ask.py fields                       writes fields.jsonl: whether the types of the programs of fields.py unify
    ask.py again NUMBER...              asks those programs of answers.jsonl again, by their numbers from 0
    ask.py compare OURS [FIRST [COUNT]] compares fresh programs with ours (OURS is the program of `cargo build -p cfg-tests --example mcl`): counts the
                                        differences that each rule of `tests/src/mcl.rs` allows, and prints the others. The
                                        environment variable KEEP names a file to which the entries are added, and ASKED one
                                        whose entries are compared again without mgmt
    ask.py check                        compares the questions made now with those answered; needs no reference

An answer is one line, `[program, files, stage, rest]`. `stage` is the stage that refuses the program: `lex`, `parse`,
`init`, `interpolate`, `scope`, `unify` or `ambiguous`, and `rest` the message; or `run` for a program that types but fails
when it runs; or `accepted` for one that types but with which mgmt hangs or crashes; or `graph`, with `rest` the resource graph: `[vertices, edges, fields]`, each sorted. `fields` holds
`[name, field, value]` for the fields of `test` resources that mgmt prints and that are not as in an empty one.

The environment variable `MGMT` names the program, which needs no privileges: all resources are run with `--noop`.
"""
import collections, json, os, pathlib, re, select, shutil, signal, subprocess, sys, tempfile, time
from concurrent.futures import ThreadPoolExecutor
import constructs
import fields
import generate

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import kept

HERE = pathlib.Path(__file__).parent
GENERATORS = {'generate': generate.program, 'constructs': constructs.program, 'fields': fields.program}
MGMT = os.environ.get('MGMT', 'mgmt')
LONGEST = 340
SECONDS = 5
STAGES = [('could not generate AST', 'parse'), ('could not init and validate AST', 'init'), ('could not interpolate AST', 'interpolate'),
          ('could not set scope', 'scope'), ('could not unify types', 'unify')]
EMPTY = {'Bool': 'false', 'Str': '', 'Int': '0', 'Int8': '0', 'Uint8': '0', 'Int64': '0', 'Float64': '0',
         'SliceString': '[]', 'MapIntFloat': 'map[]', 'AnotherStr': ''}
LINE = re.compile(r'\d\d:\d\d:\d\d (?:engine: test\[(.*)\]: (\w+):(?: +(.*)|$)|(.*))')
NOISE = re.compile(r'the Graphviz filter is missing$|\s|github\.com/|runtime\.|$')     # mgmt has no `dot` to call
VERTEX = re.compile(r'^\t"(0x[0-9a-f]+)" \[label=<(.*?)<BR />', re.M | re.S)
EDGE = re.compile(r'^\t"0x[0-9a-f]+" -> "0x[0-9a-f]+" \[label=<(.*?)>\];$', re.M | re.S)


def programs(first, count, generator='generate'):
    made, seed = 0, first
    while made < count:
        text, files = GENERATORS[generator](seed)
        seed += 1
        if generator == 'generate' and len(text) + sum(map(len, files.values())) > LONGEST:
            continue
        made += 1
        yield text, files


def unescape(text):
    for a, b in (('&lt;', '<'), ('&gt;', '>'), ('&#34;', '"'), ('&#39;', "'"), ('&amp;', '&')):
        text = text.replace(a, b)
    return text


def stage(message):
    """Returns the stage that refuses a program, given the message."""
    for prefix, name in STAGES:
        if prefix in message:
            if name == 'parse' and ('unrecognized: ' in message or 'overflow: ' in message):
                return 'lex'
            return 'ambiguous' if name == 'unify' and 'is ambiguous' in message else name
    return None


def graph(text, lines):
    vertices = sorted(unescape(label) for _, label in VERTEX.findall(text))
    edges = sorted(unescape(label) for label in EDGE.findall(text) if not label.endswith(' (autoedge)'))
    fields, last = set(), None
    for line in lines:
        found = LINE.match(line)
        if found and found[2] in EMPTY:
            last = [found[1], found[2], found[3] or '']
            if last[2] != EMPTY[found[2]]:
                fields.add(tuple(last))
        elif not found and last is not None and not NOISE.match(line):
            fields.discard(tuple(last))     # a value of several lines
    # mgmt prints the name of a resource as a format, so that a name with `%` cannot be read
    return [vertices, edges, sorted(list(field) for field in fields if f'test[{field[0]}]' in vertices)]


def ask(text, files):
    """Returns `[stage, rest]`, or `None` if mgmt gives no answer in time."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix='mcl-oracle-'))
    process = None
    try:
        for name, content in {**files, 'main.mcl': text}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(content, encoding='utf-8')
        # local copies of remote modules
        modules = ['--module-path', f'{folder}/modules/']
        options = ['--hostname', 'h', '--prefix', str(folder / 'prefix'), '--no-pgp', '--no-network', '--noop', '--graphviz', str(folder / 'graph')]
        (folder / 'prefix').mkdir()
        process = subprocess.Popen([MGMT, 'run', *options, 'lang', *modules, 'main.mcl'], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        os.set_blocking(process.stdout.fileno(), False)
        data, end, drawn = b'', time.monotonic() + SECONDS, None
        while time.monotonic() < end:
            select.select([process.stdout], [], [], .1)
            new = process.stdout.read()
            if new == b'':
                break
            data += new or b''
            if b'main: graphviz: ' in data and drawn is None:
                drawn = time.monotonic()
            if drawn and not new and time.monotonic() - drawn > .25:
                break
            if b'main: error: ' in data or b'error creating new graph' in data and not new:
                break
        said = data.decode('utf-8', 'replace')
        if drawn:
            return ['graph', graph((folder / 'graph@h').read_bytes().decode('utf-8'), said.split('\n'))]
        for line in said.split('\n'):
            if 'cli parse error: ' in line:
                message = line.split('cli parse error: ', 1)[1]
                return [stage(message) or 'other', message[:120]]
        for line in said.split('\n'):
            for start in ('error creating new graph: ', 'main: error: '):
                if start in line and 'stopped before it was loaded' not in line:
                    return ['run', line.split(start, 1)[1][:120]]
        return accepted(folder, modules)
    finally:
        if process is not None:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
            process.stdout.close()
        shutil.rmtree(folder, ignore_errors=True)


def accepted(folder, modules):
    """Asks only for the types, after a run that crashed, hung or was stopped by its own fault."""
    ran = subprocess.run([MGMT, 'run', '--prefix', str(folder / 'prefix'), 'lang', *modules, '--only-unify', 'main.mcl'], cwd=folder, capture_output=True, text=True, timeout=60)
    return ['accepted', None] if 'type unification succeeded' in ran.stdout + ran.stderr else None


def types(text, files):
    """Returns `['accepted', None]`, or the stage that refuses a program before it runs, and the message."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix='mcl-oracle-'))
    try:
        (folder / 'main.mcl').write_text(text, encoding='utf-8')
        (folder / 'prefix').mkdir()
        ran = subprocess.run([MGMT, 'run', '--prefix', str(folder / 'prefix'), 'lang', '--only-unify', 'main.mcl'], cwd=folder, capture_output=True, text=True, timeout=60)
        said = ran.stdout + ran.stderr
        if 'type unification succeeded' in said:
            return ['accepted', None]
        message = said.split('cli parse error: ', 1)[-1].split('\n')[0]
        return [stage(message) or 'other', message[:120]]
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def answers(questions, ask=ask):
    """Yields for each question the entry `[program, files, stage, rest]`, or `None` to leave it out."""
    with ThreadPoolExecutor(2) as pool:
        for (text, files), answer in zip(questions, pool.map(lambda question: ask(*question), questions)):
            yield answer and [text, files] + answer


def write(first, count, file='answers.jsonl', **more):
    version = subprocess.run([MGMT, '--version'], capture_output=True, text=True).stdout.split('\n')
    version = next(line for line in version if line[:1].isdigit())
    arguments = {'first': first, 'count': count, **more}
    questions = list(programs(**arguments))
    entries = list(answers(questions, types if more.get('generator') == 'fields' else ask))
    texts = [entry and json.dumps(entry, ensure_ascii=False, separators=(',', ':')) + '\n' for entry in entries]
    kept.keep(HERE, file, f'mgmt {version}', arguments, questions, texts)
    print(f'{sum(map(bool, entries))} programs', collections.Counter(entry[2] for entry in entries if entry))


def again(numbers):
    """Replaces some answers. A program that was left out is none of them."""
    entry = kept.read(HERE)['answers.jsonl']
    questions = list(programs(**entry['arguments']))
    lines = iter((HERE / 'answers.jsonl').read_text(encoding='utf-8').splitlines(keepends=True))
    texts = [None if at in set(entry['left_out']) else next(lines) for at in range(len(questions))]
    places = [at for at, text in enumerate(texts) if text is not None]
    for number in numbers:
        text, files = questions[places[number]]
        answer = [text, files] + ask(text, files)
        texts[places[number]] = json.dumps(answer, ensure_ascii=False, separators=(',', ':')) + '\n'
    kept.keep(HERE, 'answers.jsonl', entry['reference'], entry['arguments'], questions, texts)


def check():
    kept.check(HERE, lambda _, arguments: map(list, programs(**arguments)),
               lambda _, text: (json.loads(line)[:2] for line in text.split('\n')[:-1]))


def compare(ours, first, count):
    """Prints the differences by their rules, and those that no rule allows. OURS reads entries, and answers each with `[rule, stage, rest]`."""
    process = subprocess.Popen([ours], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    total, rules, new = 0, collections.Counter(), []
    entries = (json.loads(line)[:4] for line in open(os.environ['ASKED'])) if 'ASKED' in os.environ else answers(list(programs(first, count)))
    for entry in filter(None, entries):
        total += 1
        process.stdin.write(json.dumps(entry) + '\n')
        process.stdin.flush()
        rule, *answer = json.loads(process.stdout.readline())
        if 'KEEP' in os.environ:
            print(json.dumps(entry + [rule, answer]), file=open(os.environ['KEEP'], 'a'))
        if rule is not None:
            rules[rule] += 1
        if rule == '':
            new.append((entry, answer))
    print(f'{total} programs, {sum(rules.values())} differ, {len(new)} without a rule')
    for rule, number in rules.most_common():
        print(f'  {number:5}  {rule or "no rule"}')
    for entry, answer in sorted(new, key=lambda case: len(case[0][0])):
        print('\n  program:', entry[0], json.dumps(entry[1]) if entry[1] else '')
        print('  theirs: ', entry[2], repr(entry[3])[:300])
        print('  ours:   ', repr(answer)[:300])


if __name__ == '__main__':
    if sys.argv[1] == 'check':
        check()
    elif sys.argv[1] == 'write':
        write(*map(int, (sys.argv[2:] + ['1', '6000'][len(sys.argv) - 2:])[:2]))
    elif sys.argv[1] == 'constructs':
        first, count = map(int, (sys.argv[2:] + ['1', '600'][len(sys.argv) - 2:])[:2])
        write(first, count, 'constructs.jsonl', generator='constructs')
    elif sys.argv[1] == 'fields':
        write(1, len(fields.ALL), 'fields.jsonl', generator='fields')
    elif sys.argv[1] == 'again':
        again(list(map(int, sys.argv[2:])))
    else:
        compare(sys.argv[2], *map(int, (sys.argv[3:] + ['100000', '2000'][len(sys.argv) - 3:])[:2]))
