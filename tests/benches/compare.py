#!/usr/bin/env python3
"""Compares the processor time of two builds of cfg, program by program.

    compare.py [--runs N] [--percent P] [--only TEXT,TEXT] OLD NEW

The programs are those of `jsonnet/`, and generated ones in cfg and JSON: evaluated, and their types inferred. Each row has the least
processor time (user and system) of N runs of the whole process; the runs of both builds alternate, so that both meet the same load.
Rows in which NEW needs P per cent more than OLD are measured again with three times as many runs; the exit code is 1 if one remains.
"""
import argparse, json, math, os, pathlib, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).parent / 'jsonnet'


def generated():
    """Yields file name, text and command."""
    records = ['{ ' + ', '.join(f'f{r}_{f} = {f}' for f in range(20)) + ' }' for r in range(1000)]
    rising = ['{ ' + ', '.join(f'f{f} | priority {r} = {r * 20 + f}' for f in range(20)) + ' }' for r in range(1000)]
    chained = ''.join(f'  f{n} = f{n - 1} + 1,\n' for n in range(1, 20_000))
    lets = ''.join(f'let x{n} = x{n - 1} + 1 in\n' for n in range(1, 5_000))
    rows = ''.join(f'let r{n} = r{n - 1} & {{ f{n} = {n} }} in\n' for n in range(1, 4_000))
    unknown = ''.join(f'let x{n} = x{n - 1} & {{ a{n} = {n} }} in\n' for n in range(1, 200))
    programs = [
        ('one.cfg', '1'),
        ('different.cfg', '\n& '.join(records)),
        ('fold.cfg', 'std.array.fold_left (&) {} [\n' + ',\n'.join(records) + '\n]'),
        ('rising.cfg', '\n& '.join(rising)),
        ('chained.cfg', '{\n  f0 = 0,\n' + chained + '}'),
        ('lets.cfg', 'let x0 = 0 in\n' + lets + 'x4999'),
        ('accumulated.cfg', 'let r0 = { f0 = 0 } in\n' + rows + 'r3999.f0'),
        ('contracts.cfg', '[' + ', '.join(f'({{ a = {n}, b = "x" }} | {{ a | Number, b | String }})' for n in range(4_000)) + ']'),
        ('strings.cfg', '[' + ', '.join(f'"a%{{std.string.from {n}}}b"' for n in range(10_000)) + ']'),
        ('arrays.cfg', 'std.array.range 0 100000 |> std.array.map (fun x => x + 1) |> std.array.filter (fun x => x > 5) |> std.array.length'),
        ('deep.cfg', '{ a = ' * 2_000 + '1' + ' }' * 2_000),
    ]
    for name, text in programs:
        for command in ('eval', 'type'):
            yield name, text, command
    yield 'unknown.cfg', 'fun x0 =>\n' + unknown + 'x199', 'type'
    data = [{'id': n, 'name': f'name {n}', 'tags': ['a', 'b'], 'nested': {'x': n / 2, 'y': None}} for n in range(20_000)]
    yield 'data.json', json.dumps(data, indent=1), 'eval'
    yield 'data.yaml', ''.join(f'k{n}: {{a: [1, 2, x], b: "q{n}"}}\n' for n in range(8_000)), 'eval'


def once(command):
    """Returns the processor time in seconds; ends the program if the command fails."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    error = child.stderr.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f'{" ".join(command)} fails: {error.decode()[:500]}')
    return used.ru_utime + used.ru_stime


def least(old, new, runs):
    pairs = [(once(old), once(new)) for _ in range(runs)]
    return min(o for o, _ in pairs), min(n for _, n in pairs)


def main():
    parse = argparse.ArgumentParser()
    parse.add_argument('old')
    parse.add_argument('new')
    parse.add_argument('--runs', type=int, default=5)
    parse.add_argument('--percent', type=float, default=3)
    parse.add_argument('--only', default='', help='rows whose names contain one of these texts')
    args = parse.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = [(['eval', str(path)], path.stem) for path in sorted(HERE.glob('*.jsonnet'))]
        for name, text, command in generated():
            path = pathlib.Path(folder, name)
            path.write_text(text)
            rows.append(([command, str(path)], f'{command} {name}'))
        wanted = args.only.split(',')
        rows = [row for row in rows if any(text in row[1] for text in wanted)]
        logs, slower = [], []
        for command, name in rows:
            old, new = least([args.old] + command, [args.new] + command, args.runs)
            limit = 1 + args.percent / 100
            if new > old * limit:
                more = least([args.old] + command, [args.new] + command, args.runs * 3)
                old, new = min(old, more[0]), min(new, more[1])
            logs.append(math.log(new / old))
            mark = ''
            if new > old * limit:
                slower.append(name)
                mark = '  slower'
            print(f'{name:24} {old * 1000:9.2f} {new * 1000:9.2f} ms  {new / old:5.2f}{mark}', flush=True)
        print(f'{len(rows)} rows, geometric mean {math.exp(sum(logs) / len(logs)):.3f}, {len(slower)} slower by more than {args.percent:g} %')
        sys.exit(1 if slower else 0)


if __name__ == '__main__':
    main()
