#!/usr/bin/env python3
"""Times programs on jsonnet's known hot spots: cfg, the C++ reference (`jsonnet`), jrsonnet (`rjsonnet`), the Go one (`gojsonnet`).

    jsonnet.py CFG [RUNS]     with a Python that has those three packages; the best of RUNS is shown, in seconds, process and all
"""
import subprocess, sys, tempfile, time, pathlib

PROGRAMS = {
    'fold of 100,000': 'std.foldl(function(a, b) a + b * 2, std.range(1, 100000), 0)',
    'fold building an array of 3,000': 'std.length(std.foldl(function(a, b) a + [b], std.range(1, 3000), []))',
    'string of 20,000 pieces': 'std.length(std.foldl(function(a, b) a + "piece %d;" % b, std.range(1, 20000), ""))',
    'join of 50,000': 'std.length(std.join(",", [std.toString(x) for x in std.range(1, 50000)]))',
    'chain of 400 layers': 'local chain(n) = if n == 0 then { v: 0 } else chain(n - 1) + { v: super.v + 1 }; chain(400).v',
    'comprehension 300 x 300': 'std.length([x * y for x in std.range(1, 300) for y in std.range(1, 300) if (x + y) % 3 == 0])',
    'object of 20,000 fields': '{ ["f" + x]: { a: x, b: [x, x + 1] } for x in std.range(1, 20000) }',
    'recursion (fibonacci 21)': 'local fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2); fib(21)',
    'sort of 20,000': 'std.sort([(x * 7919) % 20011 for x in std.range(1, 20000)])[0]',
    'base64 of 100,000 bytes': 'std.length(std.base64(std.repeat("abcdefghij", 10000)))',
    'md5 of 100,000 bytes': 'std.md5(std.repeat("abcdefghij", 10000))',
    'manifestYamlDoc': 'std.length(std.manifestYamlDoc([{ a: x, b: "text %d" % x, c: { d: [x] } } for x in std.range(1, 3000)]))',
}
OTHERS = {'reference': '_jsonnet', 'jrsonnet': 'rjsonnet', 'go': '_gojsonnet'}


def best(command, runs):
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        try:
            done = subprocess.run(command, capture_output=True, timeout=120)
        except subprocess.TimeoutExpired:
            return '> 120'
        if done.returncode:
            return 'fails'
        times.append(time.perf_counter() - start)
    return f'{min(times):.3f}'


def main():
    cfg, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    print('| program | cfg | ' + ' | '.join(OTHERS) + ' |')
    print('| --- |' + ' --- |' * (1 + len(OTHERS)))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'program.jsonnet'
        for name, text in PROGRAMS.items():
            path.write_text(text)
            row = [best([cfg, 'eval', str(path)], runs)]
            for module in OTHERS.values():
                stack = ', max_stack=100000' if module != 'rjsonnet' else ', max_stack=10000'
                code = f'import sys, {module} as j; sys.stdout.write(j.evaluate_file(sys.argv[1]{stack}))'
                row.append(best([sys.executable, '-c', code, str(path)], runs))
            print(f'| {name} | ' + ' | '.join(row) + ' |', flush=True)


if __name__ == '__main__':
    main()
