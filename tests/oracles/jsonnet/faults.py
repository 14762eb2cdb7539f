#!/usr/bin/env python3
"""Plants type faults in real programs and counts what finds them.

    faults.py COUNT CFG LINT FOLDER [-J DIR]... -- FILE...

Each fault is one of: a field renamed where it is read, a literal of another type, an argument dropped, an operand swapped for
one of another type. It is planted in a copy of FOLDER, in any of the FILEs, which are programs or files that the first FILE
imports. A fault counts where the first FILE no longer evaluates to the same bytes.
"""
import random, re, shutil, subprocess, sys, tempfile, pathlib, collections

TOKEN = re.compile(r"""(?P<skip>//[^\n]*|\#[^\n]*|/\*.*?\*/|\s+)|(?P<block>\|\|\|.*?\n[ \t]*\|\|\|)|(?P<str>@?"(?:[^"\\]|\\.)*"|@?'(?:[^'\\]|\\.)*')|(?P<num>\d[\d_.]*(?:[eE][+-]?\d+)?)|(?P<id>[A-Za-z_]\w*)|(?P<op>[!$:~+\-&|^=<>*/%]+|[\[\]{}(),.;])""", re.S)
WORDS = set('local function if then else for in error assert import importstr importbin self super null true false tailstrict'.split())


def tokens(text):
    return [(m.lastgroup, m.group(), m.start(), m.end()) for m in TOKEN.finditer(text) if m.lastgroup != 'skip']


def faults(text):
    """Every fault that can be planted: its kind, where, and what is put there."""
    ts = tokens(text)
    out = []
    for i, (kind, word, start, end) in enumerate(ts):
        before = ts[i - 1][1] if i else ''
        after = ts[i + 1][1] if i + 1 < len(ts) else ''
        if kind == 'id' and before == '.' and word not in WORDS:
            out.append(('renamed field', start, end, word + 'X' if len(word) < 3 else word[:-1]))
        if kind == 'num' and before not in ('[', '.', ']'):
            out.append(('wrong literal', start, end, random.choice(["'%s'" % word, '[%s]' % word, '{}'])))
        if kind == 'str' and after not in (':', '::', ':::', '+:', ']', '%') and before not in ('import', 'importstr', 'importbin', '['):
            out.append(('wrong literal', start, end, random.choice(['17', 'false', '[]', '{ a: 1 }'])))
        if kind == 'op' and word == '(' and i and ts[i - 1][0] == 'id' and before not in WORDS:
            arguments = split(ts, i)
            if arguments and before_is_call(ts, i):
                a, b = random.choice(arguments)
                # with the comma on its left, or else on its right
                left = ts[a - 1]
                s = left[2] if left[1] == ',' else ts[a][2]
                e = ts[b][3]
                if left[1] != ',' and b + 1 < len(ts) and ts[b + 1][1] == ',':
                    e = ts[b + 1][3]
                out.append(('dropped argument', s, e, ''))
        if kind == 'op' and word in ('*', '/', '-', '<', '>', '<=', '>=', '&&', '||', '+') and i + 1 < len(ts) and ts[i + 1][0] in ('id', 'num', 'str') and ts[i - 1][0] in ('id', 'num', 'str') and after not in WORDS:
            s, e = ts[i + 1][2], ts[i + 1][3]
            j = i + 2
            while j + 1 < len(ts) and ts[j][1] == '.' and ts[j + 1][0] == 'id':
                e = ts[j + 1][3]
                j += 2
            if not (j < len(ts) and ts[j][1] in ('(', '[', '{')):
                out.append(('swapped operand', s, e, random.choice(['{ a: 1 }', '[1]', 'null', 'true']) if word == '+' else random.choice(["'text'", '{}', '[]'])))
    return out


def before_is_call(ts, i):
    # `f(x): …` and `local f(x) = …` are definitions
    depth = 0
    for j in range(i, len(ts)):
        if ts[j][1] in '([{':
            depth += 1
        elif ts[j][1] in ')]}':
            depth -= 1
            if depth == 0:
                return not (j + 1 < len(ts) and (ts[j + 1][1].startswith(':') or ts[j + 1][1] in ('=', '+:', '+::')))
    return False


def split(ts, i):
    depth, out, start = 0, [], i + 1
    for j in range(i, len(ts)):
        w = ts[j][1]
        if w in '([{':
            depth += 1
        elif w in ')]}':
            depth -= 1
            if depth == 0:
                if j > start:
                    out.append((start, j - 1))
                return out
        elif w == ',' and depth == 1:
            out.append((start, j - 1))
            start = j + 1
    return []


def run(command, seconds=300):
    try:
        done = subprocess.run(command, capture_output=True, timeout=seconds)
        return done.returncode, done.stdout, done.stderr.decode(errors='replace')
    except subprocess.TimeoutExpired:
        return -1, b'', 'timeout'


def main():
    count, cfg, lint, folder = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
    split_at = sys.argv.index('--')
    paths, files = sys.argv[5:split_at], sys.argv[split_at + 1:]
    random.seed(7)
    with tempfile.TemporaryDirectory() as temporary:
        copy = pathlib.Path(temporary) / 'copy'
        shutil.copytree(folder, copy, symlinks=True)
        at = lambda p: str(copy / p)
        options = [x if x == '-J' else at(x) for x in paths]
        main_file = at(files[0])
        code, good, err = run([cfg, 'eval', main_file] + options)
        assert code == 0, err
        base = problems(cfg, main_file, options)
        all_faults = [(f, fault) for f in files for fault in faults((copy / f).read_text())]
        print(f'{len(all_faults)} faults can be planted; before: {base}')
        found = collections.Counter()
        total = collections.Counter()
        missed = []
        random.shuffle(all_faults)
        kinds = ['renamed field', 'wrong literal', 'dropped argument', 'swapped operand']
        queues = {k: [x for x in all_faults if x[1][0] == k] for k in kinds}
        while sum(total.values()) < count and any(queues.values()):
            for kind in kinds:
                if not queues[kind] or sum(total.values()) >= count:
                    continue
                f, (_, start, end, text) = queues[kind].pop()
                path = copy / f
                old = path.read_text()
                path.write_text(old[:start] + text + old[end:])
                try:
                    code, out, err = run([cfg, 'eval', main_file] + options)
                    if code == 0 and out == good or 'syntax/' in err.split('\n')[0]:
                        continue
                    fails = code != 0
                    now = problems(cfg, main_file, options)
                    total[kind, fails] += 1
                    by_error, by_any = now[0] > base[0], now != base
                    found['error', kind, fails] += by_error
                    found['any', kind, fails] += by_any
                    by_lint = None
                    if lint != '-':
                        c, _, _ = run([lint] + options + [at(f)])
                        by_lint = c != 0 and f not in lint_before(lint, options, at(f), path, old)
                        found['lint', kind, fails] += by_lint
                    if not by_any:
                        missed.append((kind, fails, f, old[max(0, start - 60):end + 20].replace('\n', ' '), text))
                finally:
                    path.write_text(old)
        for kind in kinds:
            for fails in (True, False):
                n = total[kind, fails]
                if n:
                    print(f"{kind:18} {'fails' if fails else 'other value':12} {n:4}  cfg error {found['error', kind, fails]:4}  error or warning {found['any', kind, fails]:4}  lint {found['lint', kind, fails]:4}")
        print('all', sum(total.values()), {k: sum(v for key, v in found.items() if key[0] == k) for k in ('error', 'any', 'lint')})
        print()
        for m in missed[:25]:
            print('missed', *m)


LINT = {}


def lint_before(lint, options, shown, path, old):
    """The files that the linter refuses as they are."""
    if shown not in LINT:
        now = path.read_text()
        path.write_text(old)
        LINT[shown] = run([lint] + options + [shown])[0] != 0
        path.write_text(now)
    return {shown[shown.index('copy/') + 5:]} if LINT[shown] else set()


def problems(cfg, file, options):
    _, _, err = run([cfg, 'check', file] + options)
    lines = err.split('\n')
    return sum(l.startswith('error') for l in lines), sum(l.startswith('warning') for l in lines)


if __name__ == '__main__':
    main()
