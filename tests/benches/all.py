#!/usr/bin/env python3
"""Runs the benchmarks and writes their figures into the tables of `docs/benchmarks.md`.

    tests/benches/all.py [SECTION…]

Without arguments it runs all sections. Each builds what it measures. A section replaces the rows that it measures,
with the date and the load of the machine; the other rows keep their figures and their dates. The binary is `$CFG_BIN`, or one built with
the profile `dist`. Peers are measured if they are there: `nickel` in PATH, `$JRSONNET` (a binary), `$YAY` (a Python with Yay, see `yay.py`),
`$MGMT` (see `mcl.py`).
"""
import datetime, os, pathlib, platform, re, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / 'docs/benchmarks.md'
TARGET = pathlib.Path(os.environ.get('CARGO_TARGET_DIR', ROOT / 'target'))
HEAD = ['work', 'ours', 'measured', 'peers', 'measured', 'budget']
NONE = '–'


def output(command):
    """Runs a command and returns what it prints. Ends the program if the command fails."""
    print('$ ' + ' '.join(map(str, command)), file=sys.stderr)
    return subprocess.run(list(map(str, command)), cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout


def bench(name, *arguments):
    return output(['cargo', 'bench', '--quiet', '-p', 'cfg-tests', '--bench', name, '--', *arguments])


def binary():
    given = os.environ.get('CFG_BIN')
    if not given:
        output(['cargo', 'build', '--quiet', '--profile', 'dist', '-p', 'cfg-repl'])
    return given or TARGET / 'dist/cfg'


def divan(text, column):
    """Returns the figures of a divan bench by the path of their names; `column` is 0 for the fastest run and 2 for the median."""
    found, path = {}, []
    for line in text.split('\n'):
        parts = re.match(r'^([│ ]*)[├╰]─ (\S+) *(.*)$', line)
        if not parts:
            continue
        depth, name, cells = len(parts[1]) // 3, parts[2], [cell.strip() for cell in parts[3].split('│')]
        path = path[:depth] + [name]
        # cells of a group are empty, and so are those of a peer that is not installed
        if len(cells) > column and re.match(r'\d', cells[column]):
            found[tuple(path)] = cells[column]
    return found


def processes():
    """Yields rows: work, ours, peers."""
    figures = divan(bench('processes'), 0)
    for name in dict.fromkeys(path[0] for path in figures):
        yield name.replace('_', ' '), figures.get((name, 'cfg')), figures.get((name, 'nickel'))


def programs():
    for path, figure in divan(bench('programs'), 2).items():
        yield ', '.join(path).replace('_', ' '), figure, None


def typing():
    key = ''
    for what, median, longest in re.findall(r'^ *(\S.*?) +([\d.]+) ms +([\d.]+) ms$', bench('typing'), re.M):
        # a line `Tab (12 found)` belongs to the line before it
        key = key if what.startswith('Tab ') else what
        yield (f'{key}: Tab', f'{median} ms', None) if what != key else (key, f'{median}; {longest} ms', None)


def session():
    figures = {}
    for block in re.split(r'\n(?=\S)', bench('session', 'figures')):
        head = re.match(r'(.*?) of (\d+)', block)
        for what, time in re.findall(r'^  (\S.*?) +([\d.]+) ms', block, re.M):
            figures.setdefault((what, head[2]), []).append(time)
    for (what, count), times in figures.items():
        yield f'{what}, of {int(count):,}', '; '.join(times) + ' ms', None


def memory():
    for cells, now in re.findall(r'^ +(\d+) cells +(\d+) kB', bench('session', 'memory'), re.M):
        yield f'after {int(cells):,} cells', f'{int(now) / 1000:.1f} MB', None


def interrupts():
    line = r'^  (\S.*?) +takes +(\d+) ms: .*longest (\d+), of the processor (\d+)(.*)$'
    for what, takes, longest, processor, differs in re.findall(line, bench('session', 'interrupts'), re.M):
        yield what, f'{longest}; {processor}; {takes} ms{differs}', None


def kernel():
    lines = [re.split(r'\s{2,}', line.strip()) for line in output([sys.executable, 'kernel/bench.py', binary()]).strip().split('\n')]
    kinds, rows = lines[0][1:], {line[0]: line[1:] for line in lines[1:]}
    for at, kind in enumerate(kinds):
        peers = '; '.join(f'{name} {cells[at]}' for name, cells in rows.items() if name != 'cfg')
        yield kind, rows['cfg'][at] + ' ms', peers + ' ms' if peers else None


def rows_of(command):
    """Yields the cells of the rows of the Markdown tables that a command prints, without their heads."""
    head = True
    for line in output(command).split('\n'):
        cells = [cell.strip() for cell in line.split('|')[1:-1]]
        if len(cells) < 2:
            head = True
        elif cells[1] == '---':
            head = False
        elif not head:
            if cells[1] == 'fails':
                sys.exit(f'{cells[0]}: {command[1]} fails')
            yield cells


def jsonnet():
    peer = os.environ.get('JRSONNET')
    for cells in rows_of(['tests/benches/jsonnet.py', binary(), peer or 'false']):
        yield cells[0], cells[1], cells[2] if peer and len(cells) > 2 and cells[2] else None


def yay():
    for work, evaluates, checks, *peer in rows_of(['tests/benches/yay.py', binary()]):
        yield work, evaluates, peer[0] if peer else None
        yield f'{work}: `cfg check`', checks, None


def mcl():
    for work, ours, *theirs in rows_of(['tests/benches/mcl.py', binary()]):
        yield work, ours, theirs[0] if theirs else None


SECTIONS = [processes, programs, typing, session, memory, interrupts, kernel, jsonnet, yay, mcl]


def machine():
    cpu = re.search(r'model name\s*: (.*)', pathlib.Path('/proc/cpuinfo').read_text())
    return f'{cpu[1] if cpu else platform.machine()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}'


def table(rows):
    return '\n'.join('| ' + ' | '.join(row) + ' |' for row in [HEAD, ['---'] * len(HEAD), *rows])


def update(text, name, measured, stamp):
    """Returns the page with the figures of a section. Rows that were not measured stay as they are."""
    start, end = f'<!-- {name} -->\n', '\n<!-- end -->'
    before, rest = text.split(start, 1)
    old, after = rest.split(end, 1)
    rows = [[cell.strip() for cell in line.split('|')[1:-1]] for line in old.split('\n')[2:]]
    by_work = {row[0]: row for row in rows}
    for work, ours, peers in measured:
        row = by_work.get(work)
        if row is None:
            row = by_work[work] = [work] + [NONE] * 5
            rows.append(row)
        if ours:
            row[1:3] = [ours, stamp]
        if peers:
            row[3:5] = [peers, stamp]
    return before + start + table(rows) + end + after


def main():
    known = {section.__name__: section for section in SECTIONS}
    wanted = sys.argv[1:] or list(known)
    if not set(wanted) <= set(known):
        sys.exit(f'{__doc__}\nSections: {", ".join(known)}')
    for name in wanted:
        day = datetime.date.today().isoformat()
        measured = list(known[name]())
        if not measured:
            sys.exit(f'{name}: no figures found in the output')
        text = update(PAGE.read_text(), name, measured, f'{day}, load {os.getloadavg()[1]:.1f}')
        line = f'- {day}: {machine()}\n'
        if line not in text:
            text = text.replace('<!-- machines -->\n', '<!-- machines -->\n' + line, 1)
        PAGE.write_text(text)
        print(f'{name}: {len(measured)} rows', file=sys.stderr)


if __name__ == '__main__':
    main()
