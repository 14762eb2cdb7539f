"""Jsonnet programs, seeded: typed enough that most evaluate, with a share of expressions of a wrong type.

A type is 'num', 'str', 'bool', 'null', ('arr', T), ('obj', {name: (T, hidden)}) or ('fun', ((name, T, has_default), ...), T).
`program(seed)` gives `(text, files)`: a program and the files that it imports.
"""
import random

FIELDS = ['a', 'b', 'c', 'd', 'x', 'y', 'foo', 'n1', 'a b', 'é', 'for', '', 'Z']
SCALARS = ['num', 'str', 'bool', 'null']
NUMBERS = ['0', '1', '2', '3', '5', '7', '10', '-1', '-2', '0.5', '1.5', '-0.25', '100', '1e3', '2.5e-3', '0.1', '1e10', '123456789', '9007199254740993', '1e21', '1e300', '-7', '4', '6', '255', '1_000', '3.14159', '1E-7', '0.30000000000000004', '16', '64']
WORDS = ['', 'a', 'b', 'abc', 'Hello', 'x y', 'é', '日本', '😀', 'tab\t', 'line\nline', '"q"', "it's", '\\', '%', '%d', 'a,b,c', ' pad ', '12', '0x1f', '1.5', 'true', 'null', 'a: b', '- x', '#c', '<&>', '$v', '\x01', 'aXbXc', 'ab' * 5]
BAD = 0.012


def quote(s, r):
    k = r.random()
    if k < .35:
        return "'" + s.replace('\\', '\\\\').replace("'", "\\'").replace('\n', '\\n').replace('\t', '\\t').replace('\x01', '\\u0001') + "'"
    if k < .8 or '\x01' in s:
        return '"' + s.replace('\\', '\\\\').replace('"', '\\"').replace('\n', '\\n').replace('\t', '\\t').replace('\x01', '\\u0001') + '"'
    if k < .9:
        return "@'" + s.replace("'", "''") + "'"
    if k < .96:
        return '@"' + s.replace('"', '""') + '"'
    pad = r.choice(['  ', ' ', '\t', '    '])
    end = r.choice(['', '-'])
    if s.startswith((' ', '\t')) or not s:
        s = 'l' + s
    return '|||' + end + '\n' + ''.join(pad + line + '\n' for line in s.split('\n')) + '|||'


def key(name):
    plain = name.isascii() and name.replace('_', 'a').isalnum() and name and not name[0].isdigit() and name not in ('for',)
    return name if plain else '"' + name + '"'


class Gen:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.count = 0
        self.files = {}
        self.in_object = []      # fields that `self` is known to have, innermost last
        self.supers = []
        self.std = []

    # ---- types
    def scalar(self):
        return self.r.choice(['num', 'num', 'str', 'str', 'bool', 'null'])

    def type(self, depth):
        k = self.r.random()
        if depth <= 0 or k < .5:
            return self.scalar()
        if k < .7:
            return ('arr', self.type(depth - 1) if self.r.random() < .5 else self.r.choice(['num', 'str']))
        if k < .97:
            return ('obj', {f: (self.type(depth - 1), False) for f in self.r.sample(FIELDS, self.r.randint(0, 3))})
        return self.function(depth - 1)

    def function(self, depth):
        params = tuple((self.name('p'), self.scalar() if self.r.random() < .8 else self.type(depth - 1), self.r.random() < .3) for _ in range(self.r.randint(0, 3)))
        params = tuple(sorted(params, key=lambda p: p[2]))
        return ('fun', params, self.type(depth - 1))

    def name(self, prefix='v'):
        self.count += 1
        return prefix + str(self.count)

    # ---- expressions
    def gen(self, t, d, env):
        r = self.r
        if r.random() < BAD:
            return r.choice([lambda: self.gen(self.type(1), min(d, 1), env), lambda: 'error ' + self.gen(r.choice(['str', 'num', ('arr', 'num')]), 0, env), lambda: 'null', lambda: self.gen(self.type(2), 1, env)])()
        usable = [n for n, ty in env if ty == t]
        if usable and r.random() < .3:
            return r.choice(usable)
        if d > 0:
            k = r.random()
            if k < .07:
                return self.local(t, d, env)
            if k < .12:
                c, a = self.gen('bool', d - 1, env), self.gen(t, d - 1, env)
                if t == 'null' and r.random() < .3:
                    return f'(if {c} then {a})'
                return f'(if {c} then {a} else {self.gen(t, d - 1, env)})'
            if k < .16:
                return self.call(t, d, env)
            if k < .20:
                name = r.choice(FIELDS)
                object_type = ('obj', {name: (t, False)})
                o = self.gen(object_type, d - 1, env)
                if key(name) == name and r.random() < .8:
                    return f'({o}).{name}'
                return f'({o})[{quote(name, r)}]'
            if k < .225:
                n = r.randint(1, 3)
                items = ', '.join(self.gen(t, d - 1, env) for _ in range(n))
                return f'[{items}][{r.randint(0, n - 1) if r.random() < .96 else r.choice([-1, n, 0.5])}]'
            if k < .235:
                m = ' : ' + self.gen('str', 0, env) if r.random() < .5 else ''
                return f'(assert {self.true(d - 1, env)}{m}; {self.gen(t, d - 1, env)})'
            if k < .245:
                return f'std.trace("t", {self.gen(t, d - 1, env)})'
            if k < .25:
                f = self.name('file') + '.libsonnet'
                self.files[f] = self.gen(t, d - 1, [])
                return f'(import "{f}")'
            if self.in_object and k < .32:
                fields = self.in_object[-1]
                usable = [f for f, ty in fields.items() if ty == t]
                if usable:
                    f = r.choice(usable)
                    me = r.choice(['self', 'self', '$']) if len(self.in_object) == 1 else 'self'
                    return f'{me}.{f}' if key(f) == f else f'{me}[{quote(f, r)}]'
            if self.supers and self.supers[-1] is not None and k < .38:
                usable = [f for f, ty in self.supers[-1].items() if ty == t]
                if usable:
                    f = r.choice(usable)
                    return f'super.{f}' if key(f) == f else f'super[{quote(f, r)}]'
        if isinstance(t, tuple):
            return {'arr': self.array, 'obj': self.object, 'fun': self.lambda_}[t[0]](t, d, env)
        return {'num': self.num, 'str': self.str, 'bool': self.bool, 'null': lambda d, env: 'null'}[t](d, env)

    def true(self, d, env):
        if self.r.random() < .9:
            return self.r.choice(['true', '1 < 2', '!false', '"a" != "b"', '[] == []', 'std.isNumber(1)'])
        return self.gen('bool', d, env)

    def local(self, t, d, env):
        r = self.r
        binds, scope = [], list(env)
        for _ in range(r.randint(1, 2)):
            if r.random() < .3:
                n, ty = self.name('f'), self.function(d - 1)
                inner = scope + [(p[0], p[1]) for p in ty[1]]
                ps = ', '.join(p[0] + (' = ' + self.gen(p[1], 0, []) if p[2] else '') for p in ty[1])
                binds.append(f'{n}({ps}) = {self.gen(ty[2], d - 1, inner)}')
            else:
                n, ty = self.name(), self.type(d - 1)
                binds.append(f'{n} = {self.gen(ty, d - 1, scope)}')
            scope.append((n, ty))
        return f'(local {", ".join(binds)}; {self.gen(t, d - 1, scope)})'

    def call(self, t, d, env):
        r = self.r
        functions = [(n, ty) for n, ty in env if ty[0] == 'fun' and ty[2] == t]
        if functions and r.random() < .8:
            n, ty = r.choice(functions)
        else:
            ty = ('fun', self.function(1)[1], t)
            n = '(' + self.lambda_(ty, d - 1, env) + ')'
        args, named = [], False
        for p in ty[1]:
            if p[2] and r.random() < .4:
                named = True
                continue
            named = named or r.random() < .25
            a = self.gen(p[1], d - 1, env)
            args.append(f'{p[0]}={a}' if named else a)
        if r.random() < .02:
            args.append(r.choice(['zz=1', '1', 'p1=2']))
        if r.random() < .02 and args:
            args.pop()
        if named and r.random() < .3:
            tail = [a for a in args if '=' in a.split('(')[0].split('{')[0]]
            if len(tail) == len(args):
                r.shuffle(args)
        return f'{n}({", ".join(args)})' + (' tailstrict' if r.random() < .05 else '')

    def lambda_(self, t, d, env):
        inner = env + [(p[0], p[1]) for p in t[1]]
        ps = ', '.join(p[0] + ('=' + self.gen(p[1], 0, []) if p[2] else '') for p in t[1])
        saved = self.in_object, self.supers
        body = self.gen(t[2], d - 1, inner)
        self.in_object, self.supers = saved
        return f'function({ps}) {body}'

    def num(self, d, env):
        r = self.r
        if d <= 0:
            return r.choice(NUMBERS[:22]) if r.random() < .9 else r.choice(NUMBERS)
        g = lambda t='num', k=1: self.gen(t, d - k, env)
        small = lambda: str(r.randint(0, 6))
        return r.choice([
            lambda: f'{g()} + {g()}', lambda: f'({g()} - {g()})', lambda: f'{g()} * {g()}', lambda: f'({g()} / {r.choice(["2", "4", "3", "(" + g() + ")"])})',
            lambda: f'({g()} % {r.choice(["2", "3", "7", "-3", "2.5"])})', lambda: f'-({g()})', lambda: f'+{g("num", 2) if d > 1 else "1"}', lambda: f'~({small()} + {small()})',
            lambda: f'({small()} & {small()})', lambda: f'({small()} | {g("num", 9)})', lambda: f'({small()} ^ {small()})', lambda: f'({small()} << {small()})', lambda: f'({r.choice(["255", "1024", "7"])} >> {small()})',
            lambda: f'std.length({self.gen(r.choice(["str", ("arr", "num"), ("arr", "str"), ("obj", {"a": ("num", False)})]), d - 1, env)})',
            lambda: f'std.{r.choice(["abs", "floor", "ceil", "round", "sign"])}({g()})', lambda: f'std.pow({small()}, {small()})', lambda: f'std.sqrt({r.choice(["4", "2", "16", "0.25"])})',
            lambda: f'std.{r.choice(["max", "min", "mod"])}({g()}, {g()})', lambda: f'std.clamp({g()}, {g()}, {g()})',
            lambda: f'std.{r.choice(["sum", "avg"])}({self.gen(("arr", "num"), d - 1, env)})', lambda: f'std.codepoint({quote(r.choice(["a", "é", "😀", "Z"]), r)})',
            lambda: f'std.parseInt("{r.choice(["12", "-7", "007", "0"])}")', lambda: f'std.parseHex("{r.choice(["ff", "1F", "0"])}")', lambda: f'std.parseOctal("{r.choice(["755", "17"])}")',
            lambda: f'std.foldl(function(a, b) a + b, {self.gen(("arr", "num"), d - 1, env)}, {g()})', lambda: f'std.foldr(function(a, b) a - b, {self.gen(("arr", "num"), d - 1, env)}, {g()})',
            lambda: f'std.count({self.gen(("arr", "num"), d - 1, env)}, {g()})', lambda: f'std.{r.choice(["exponent", "mantissa"])}({g()})', lambda: f'std.{r.choice(["minArray", "maxArray"])}([{g()}, {g()}])',
            lambda: f'std.{r.choice(["exp", "log", "sin", "cos", "atan", "log2", "log10", "deg2rad"])}({r.choice(["1", "2", "0.5", "3"])})', lambda: f'std.hypot({small()}, {small()})', lambda: r.choice(NUMBERS),
        ])()

    def str(self, d, env):
        r = self.r
        if d <= 0:
            return quote(r.choice(WORDS), r)
        g = lambda t='str', k=1: self.gen(t, d - k, env)
        word = lambda: quote(r.choice(WORDS), r)
        any_ = lambda: self.gen(self.plain(2), d - 1, env)
        return r.choice([
            word, lambda: f'{g()} + {g()}', lambda: f'{word()} + {any_()}', lambda: f'({any_()} + {word()})', lambda: self.format(d, env), lambda: self.format(d, env),
            lambda: f'std.toString({any_()})', lambda: f'std.substr({g()}, {r.randint(0, 3)}, {r.randint(0, 4)})', lambda: f'std.{r.choice(["asciiUpper", "asciiLower", "trim"])}({g()})',
            lambda: f'std.join({word()}, {self.gen(("arr", "str"), d - 1, env)})', lambda: f'std.char({r.choice(["65", "233", "128512", "10"])})', lambda: f'std.strReplace({g()}, {quote(r.choice(["a", "b", "ab", "l"]), r)}, {word()})',
            lambda: f'std.{r.choice(["stripChars", "lstripChars", "rstripChars"])}({g()}, {quote(r.choice([" ", "a", "abl", "x "]), r)})', lambda: f'std.repeat({g()}, {r.randint(0, 3)})',
            lambda: f'std.manifestJson({any_()})', lambda: f'std.manifestJsonMinified({any_()})', lambda: f'std.manifestJsonEx({any_()}, {quote(r.choice(["", " ", "    ", "--"]), r)})', lambda: f'std.manifestYamlDoc({any_()}{r.choice(["", ", true", ", false, false", ", quote_keys=false"])})',
            lambda: f'std.manifestPython({any_()})', lambda: f'std.manifestYamlStream([{any_()}, {any_()}]{r.choice(["", ", true", ", c_document_end=false"])})', lambda: f'std.escapeString{r.choice(["Json", "Bash", "Dollars", "Python", "XML"])}({g()})',
            lambda: f'std.{r.choice(["md5", "sha1", "sha256", "sha512", "sha3"])}({g()})', lambda: f'std.base64({g()})', lambda: f'std.base64Decode({quote(r.choice(["aGk=", "YQ==", "", "YWJj"]), r)})', lambda: f'std.type({any_()})',
            lambda: f'std.lines({self.gen(("arr", "str"), d - 1, env)})', lambda: f'std.deepJoin([{g()}, [{g()}, [{g()}]]])', lambda: f'({g()})[{self.slice()}]', lambda: f'{quote(r.choice(["abc", "héllo", "日本語"]), r)}[{r.randint(0, 2)}]',
            lambda: f'std.decodeUTF8(std.encodeUTF8({g()}))', lambda: f'std.manifestTomlEx({self.gen(("obj", self.plain_fields(2)), d - 1, env)}, "  ")', lambda: f'std.manifestIni({{main: {{a: {word()}}}, sections: {{s: {{x: {g("num")}, y: [{g("num")}, {word()}]}}}}}})',
            lambda: f'std.manifestXmlJsonml(["t", {{id: {word()}}}, ["b", {g()}], {word()}])', lambda: f'std.manifestPythonVars({self.gen(("obj", {"a": ("num", False), "b": ("str", False)}), d - 1, env)})', lambda: f'std.resolvePath("a/b.jsonnet", {quote(r.choice(["c.txt", "../x", "/abs"]), r)})',
        ])()

    def slice(self):
        r = self.r
        p = lambda: '' if r.random() < .3 else str(r.randint(0, 5)) if r.random() < .85 else str(-r.randint(1, 3))
        a, b = p(), p()
        c = '' if r.random() < .6 else ':' + (str(r.randint(1, 3)) if r.random() < .95 else r.choice(['0', '-1']))
        return f'{a}:{b}{c}'

    def format(self, d, env):
        r = self.r
        parts, values, names = [], [], []
        keyed = r.random() < .3
        for _ in range(r.randint(1, 3)):
            c = r.choice('ssssddiiuoxXeEfFgGgcr%')
            flags = ''.join(r.sample('#0- +', r.randint(0, 2)))
            width = r.choice(['', '', '', '5', '10', '1'] + ([] if keyed else ['*']))
            prec = r.choice(['', '', '', '.2', '.0', '.8', '.'] + ([] if keyed else ['.*'])) if c != 'c' or r.random() < .1 else ''
            if prec == '.' and r.random() < .8:
                prec = ''
            if c == 'r':
                c = 's' if r.random() < .9 else 'r'
            if c == '%':
                parts.append('%%' if r.random() < .9 else '%5%')
                continue
            n = 'k' + str(len(names))
            parts.append('%' + (f'({n})' if keyed else '') + flags + width + prec + r.choice(['', '', '', 'l', 'h']) + c + r.choice(['', ' ', '|', 'é']))
            if width == '*':
                values.append(str(r.randint(0, 8)))
            if prec == '.*':
                values.append(str(r.randint(0, 5)))
            if r.random() < .03:
                v = self.gen(self.type(1), d - 1, env)
            elif c == 's':
                v = self.gen(self.plain(1), d - 1, env)
            elif c == 'c':
                v = r.choice(['65', '"a"', '233', '"é"'])
            elif c in 'eEfFgG':
                v = r.choice(NUMBERS) if r.random() < .6 else self.gen('num', d - 1, env)
            else:
                v = r.choice(['0', '7', '-3', '255', '1000000', '-255', '12.9', '4294967296']) if r.random() < .8 else self.gen('num', d - 1, env)
            values.append(v)
            names.append(n)
        text = quote(''.join(parts), r)
        if keyed:
            value = '{' + ', '.join(f'{n}: {v}' for n, v in zip(names, values)) + '}'
        elif len(values) == 1 and r.random() < .6:
            value = '(' + values[0] + ')'
        else:
            if r.random() < .04 and values:
                values.pop()
            value = '[' + ', '.join(values) + ']'
        return f'({text} % {value})' if r.random() < .75 else f'std.format({text}, {value})'

    def plain(self, depth):
        """A type without functions."""
        t = self.type(depth)
        while 'fun' in str(t):
            t = self.type(depth)
        return t

    def plain_fields(self, depth):
        return {f: (self.plain(depth - 1), False) for f in self.r.sample(FIELDS[:8], self.r.randint(0, 3))}

    def bool(self, d, env):
        r = self.r
        if d <= 0:
            return r.choice(['true', 'false'])
        g = lambda t='bool', k=1: self.gen(t, d - k, env)
        any_ = lambda: self.gen(self.plain(1), d - 1, env)
        ordered = r.choice(['num', 'str', ('arr', 'num')])
        def in_super():
            if self.supers and self.supers[-1] is not None:
                return f'({quote(r.choice(FIELDS[:6]), r)} in super)'
            return 'false'
        return r.choice([
            lambda: f'({g(ordered)} {r.choice(["<", "<=", ">", ">="])} {g(ordered)})', lambda: f'({any_()} {r.choice(["==", "!="])} {any_()})', lambda: (lambda t: f'({self.gen(t, d - 1, env)} == {self.gen(t, d - 1, env)})')(self.plain(2)),
            lambda: f'({g()} && {g()})', lambda: f'({g()} || {g()})', lambda: f'!{g("bool", 2) if d > 1 else "true"}', lambda: f'({quote(r.choice(FIELDS[:6]), r)} in {self.gen(("obj", {r.choice(FIELDS[:6]): ("num", False)}), d - 1, env)})', in_super,
            lambda: f'std.is{r.choice(["String", "Number", "Boolean", "Array", "Object", "Function", "Null"])}({any_()})', lambda: f'std.is{r.choice(["Even", "Odd", "Integer", "Decimal"])}({g("num")})', lambda: f'std.isEmpty({g("str")})',
            lambda: f'std.{r.choice(["member", "contains"])}({self.gen(("arr", "num"), d - 1, env)}, {g("num")})', lambda: f'std.member({g("str")}, {quote(r.choice(["a", "b"]), r)})', lambda: f'std.{r.choice(["all", "any"])}({self.gen(("arr", "bool"), d - 1, env)})',
            lambda: f'std.{r.choice(["objectHas", "objectHasAll"])}({self.gen(("obj", {"a": ("num", r.random() < .5)}), d - 1, env)}, {quote(r.choice(["a", "b"]), r)})', lambda: f'std.{r.choice(["startsWith", "endsWith"])}({g("str")}, {g("str")})', lambda: f'std.equalsIgnoreCase({g("str")}, {g("str")})',
            lambda: f'std.{r.choice(["xor", "xnor"])}({g()}, {g()})', lambda: f'std.setMember({g("num")}, std.set({self.gen(("arr", "num"), d - 1, env)}))', lambda: f'std.assertEqual({self.gen("num", 0, [])}, {self.gen("num", 0, [])})' if r.random() < .1 else 'true', lambda: f'std.primitiveEquals({g("num")}, {g("str")})',
        ])()

    def array(self, t, d, env):
        r = self.r
        e = t[1]
        item = lambda k=1: self.gen(e, d - k, env)
        literal = lambda: '[' + ', '.join(item() for _ in range(r.randint(0, 3))) + r.choice(['', '']) + ']'
        if d <= 0:
            return literal() if r.random() < .8 else '[]'
        again = lambda: self.gen(t, d - 1, env)
        options = [literal, literal, lambda: f'{again()} + {again()}', lambda: self.comprehension(e, d, env), lambda: self.comprehension(e, d, env), lambda: f'({again()})[{self.slice()}]', lambda: f'std.reverse({again()})',
                   lambda: f'std.filter(function(x) {self.gen("bool", d - 1, env + [("x", e)])}, {again()})', lambda: (lambda s: f'std.map(function(x) {self.gen(e, d - 1, env + [("x", s)])}, {self.gen(("arr", s), d - 1, env)})')(r.choice(['num', 'str'])),
                   lambda: f'std.mapWithIndex(function(i, x) {self.gen(e, d - 1, env + [("i", "num"), ("x", "num")])}, {self.gen(("arr", "num"), d - 1, env)})', lambda: f'std.makeArray({r.randint(0, 4)}, function(i) {self.gen(e, d - 1, env + [("i", "num")])})',
                   lambda: f'std.flatMap(function(x) {self.gen(t, d - 1, env + [("x", "num")])}, {self.gen(("arr", "num"), d - 1, env)})', lambda: f'std.flattenArrays([{again()}, {again()}])', lambda: f'std.repeat({again()}, {r.randint(0, 2)})',
                   lambda: f'std.join({again()}, [{again()}, {again()}])', lambda: f'std.removeAt({again()}, {r.randint(0, 2)})', lambda: f'std.remove({again()}, {item()})', lambda: f'std.filterMap(function(x) {self.gen("bool", 1, env + [("x", "num")])}, function(x) {self.gen(e, d - 1, env + [("x", "num")])}, {self.gen(("arr", "num"), d - 1, env)})',
                   lambda: f'std.slice({again()}, {r.randint(0, 2)}, {r.choice(["null", "3", "1"])}, {r.choice(["null", "1", "2"])})', lambda: f'std.flattenDeepArray([{again()}, [{again()}]])' if e in SCALARS else again(), lambda: f'std.prune({again()})']
        if e in ('num', 'str'):
            options += [lambda: f'std.{r.choice(["sort", "set", "uniq"])}({again()})', lambda: f'std.sort({again()}, keyF=function(x) {self.gen("num", d - 1, env + [("x", e)])})', lambda: f'std.{r.choice(["setUnion", "setInter", "setDiff"])}(std.set({again()}), std.set({again()}))']
        if e == 'num':
            options += [lambda: f'std.range({r.randint(-1, 3)}, {r.randint(-1, 6)})', lambda: f'std.encodeUTF8({self.gen("str", d - 1, env)})', lambda: f'std.find({self.gen("num", 0, [])}, {again()})', lambda: f'std.findSubstr({quote(r.choice(["a", "b", "ab"]), r)}, {self.gen("str", d - 1, env)})', lambda: f'std.base64DecodeBytes({quote(r.choice(["aGk=", "YQ==", ""]), r)})']
        if e == 'str':
            options += [lambda: f'std.split({self.gen("str", d - 1, env)}, {quote(r.choice([",", "a", "X", " "]), r)})', lambda: f'std.splitLimit{r.choice(["", "R"])}({self.gen("str", d - 1, env)}, {quote(r.choice([",", "b", "X"]), r)}, {r.randint(-1, 2)})', lambda: f'std.stringChars({self.gen("str", d - 1, env)})',
                        lambda: f'std.objectFields{r.choice(["", "All"])}({self.gen(("obj", self.plain_fields(2)), d - 1, env)})']
        options += [lambda: f'std.objectValues({{a: {item()}, b:: {item()}}})', lambda: f'std.set({again()}, keyF=function(x) std.toString(x))' if 'fun' not in str(e) else again()]
        return r.choice(options)()

    def comprehension(self, e, d, env):
        r = self.r
        s = r.choice(['num', 'str', e])
        x = self.name('x')
        scope = env + [(x, s)]
        out = f'for {x} in {self.gen(("arr", s), d - 1, env)}'
        for _ in range(r.choice([0, 0, 0, 1, 1, 2])):
            if r.random() < .5:
                out += f' if {self.gen("bool", d - 1, scope)}'
            else:
                y = self.name('x')
                out += f' for {y} in {self.gen(("arr", "num"), d - 1, scope)}'
                scope = scope + [(y, 'num')]
        return f'[{self.gen(e, d - 1, scope)}{r.choice(["", "", ","])} {out}]'

    # ---- objects
    def object(self, t, d, env):
        r = self.r
        fields = t[1]
        if d <= 0:
            return self.literal(fields, 0, env, extra=False)
        k = r.random()
        if k < .55:
            return self.literal(fields, d, env)
        if k < .85:
            return self.mixin(fields, d, env)
        if k < .9 and not any(h for _, h in fields.values()):
            body = self.gen(('obj', fields), d - 1, env)
            return r.choice([lambda: f'std.mergePatch({body}, {self.gen(("obj", fields), d - 1, env)})', lambda: f'std.mapWithKey(function(k, v) v, {body})', lambda: f'std.objectRemoveKey({body}, {quote(r.choice(["zz", "q"]), r)})', lambda: f'std.parseJson(std.manifestJson({body}))', lambda: f'std.parseYaml(std.manifestYamlDoc({body}))' if r.random() < .5 else body, lambda: f'({body}) + {{}}'])()
        if k < .96 and not fields:
            return f'{{ [{r.choice(["x", "std.toString(x)", chr(34) + "k" + chr(34) + " + x"])}]: {self.gen(self.plain(1), d - 1, env + [("x", "str")])} for x in {self.gen(("arr", "str"), d - 1, env)} }}'
        if len(fields) == 1:
            n, (ty, hidden) = next(iter(fields.items()))
            if not hidden and n:
                return f'{{ [x]: {self.gen(ty, d - 1, env + [("x", "str")])} for x in [{quote(n, r)}] }}'
        return self.literal(fields, d, env)

    def literal(self, fields, d, env, extra=True, base=None):
        """An object literal. `base`: the fields that it is put over."""
        r = self.r
        members, scope = [], list(env)
        known = dict(base or {})
        self.supers = self.supers + [dict(base) if base is not None else None]
        self.in_object = self.in_object + [known]
        everything = dict(fields)
        if extra and d > 0:
            for _ in range(r.choice([0, 0, 1, 2])):
                f = r.choice(FIELDS)
                if f not in everything and f not in (base or {}):
                    everything[f] = (self.type(d - 1), r.random() < .3)
        for _ in range(r.choice([0, 0, 0, 1]) if d > 0 else 0):
            n, ty = self.name('l'), self.type(d - 1)
            members.append(f'local {n} = {self.gen(ty, d - 1, scope)}')
            scope.append((n, ty))
        order = list(everything.items())
        r.shuffle(order)
        for f, (ty, hidden) in order:
            if r.random() < .02 and d > 0:
                continue
            colon = r.choice(['::', '::', ':::'] if hidden and False else ['::'] if hidden else [':', ':', ':', ':', ':', ':::'])
            if r.random() < .03:
                colon = '::'
            name = key(f) if r.random() < .85 else f'[{quote(f, r)}]' if r.random() < .8 else f"'{f}'"
            if ty[0] == 'fun' and r.random() < .7:
                inner = scope + [(p[0], p[1]) for p in ty[1]]
                ps = ', '.join(p[0] + (' = ' + self.gen(p[1], 0, []) if p[2] else '') for p in ty[1])
                members.append(f'{name}({ps}){"::" if r.random() < .9 else colon} {self.gen(ty[2], d - 1, inner)}')
            else:
                plus = ''
                if ty in ('num', 'str') or ty[0] in ('arr', 'obj'):
                    if base is not None and f in base and base[f] == ty and r.random() < .5:
                        plus = '+'
                    elif r.random() < .03:
                        plus = '+'
                value = self.gen(ty, d - 1, scope)
                if ty[0] == 'fun' and colon != '::' and r.random() < .8:
                    colon = '::'
                members.append(f'{name}{plus}{colon} {value}')
            known[f] = ty
        if r.random() < .06 and d > 0:
            m = ' : ' + self.gen('str', 0, env) if r.random() < .5 else ''
            members.append(f'assert {self.true(d - 1, scope)}{m}')
        if r.random() < .03:
            members.append('[null]: 1' if r.random() < .5 else f'[if {self.gen("bool", 0, [])} then "opt"]: {self.gen("num", 0, scope)}')
        if r.random() < .01 and members:
            members.append(r.choice(members))
        self.supers = self.supers[:-1]
        self.in_object = self.in_object[:-1]
        if not members:
            return '{}'
        return '{ ' + ', '.join(members) + r.choice(['', '', ',']) + ' }'

    def mixin(self, fields, d, env):
        r = self.r
        base_fields = {f: v for f, v in fields.items() if r.random() < .7}
        for f in r.sample(FIELDS, r.randint(0, 2)):
            base_fields.setdefault(f, (self.type(d - 1), r.random() < .2))
        left = self.gen(('obj', base_fields), d - 1, env) if r.random() < .5 else self.literal(base_fields, d - 1, env)
        rest = {f: v for f, v in fields.items() if f not in base_fields}
        again = {f: v for f, v in base_fields.items() if r.random() < .4}
        rest.update(again)
        saved = self.in_object, self.supers
        right = self.literal(rest, d - 1, env, base={f: v[0] for f, v in base_fields.items()})
        self.in_object, self.supers = saved
        k = r.random()
        if k < .5:
            return f'{left} + {right}'
        if k < .8:
            return f'({left}) {right}'
        m = self.name('m')
        return f'(local {m} = {right}; {left} + {m})'


def mutate(text, r):
    """Breaks a program's text: a token dropped, doubled, or changed for another."""
    import re
    tokens = re.findall(r'\|\|\|.*?\|\|\||@?"[^"]*"|@?\'[^\']*\'|\w+|\s+|[^\w\s]', text, re.S)
    for _ in range(r.randint(1, 2)):
        at = r.randrange(len(tokens))
        k = r.random()
        if k < .35:
            tokens[at] = ''
        elif k < .5:
            tokens[at] += tokens[at]
        elif k < .8:
            tokens[at] = r.choice(tokens)
        else:
            tokens[at] = r.choice(['+', '(', ')', '{', '}', '[', ']', ',', ':', ';', '.', 'local', 'if', 'then', 'else', 'self', 'super', '$', 'import', 'function', 'error', 'null', '=', '==', '!', '||', '&&', 'in', 'for', 'assert', '::', '+:', ' x ', '"', "'", '|||', '/*', '//', '#', '1', '%'])
    return ''.join(tokens)


def call(g, r):
    """A call of a library function with arguments of any kind."""
    names = g.std
    name, arity = r.choice(names)
    pool = ['num', 'str', 'bool', 'null', ('arr', 'num'), ('arr', 'str'), ('arr', ('arr', 'num')), ('obj', {'a': ('num', False)}), ('obj', {'a': ('str', False), 'b': ('num', True)}), ('fun', (('x', 'num', False),), 'num'), ('fun', (('x', 'num', False), ('y', 'num', False)), 'num')]
    args = ', '.join(g.gen(r.choice(pool), 1, []) for _ in range(arity if r.random() < .95 else r.randint(0, 4)))
    return f'std.{name}({args})'


def program(seed, std=()):
    """The program of a seed and the files that it imports. `std`: names and arities of library functions."""
    g = Gen(seed)
    g.std = list(std)
    r = g.r
    k = r.random()
    if k < .12 and g.std:
        calls = [call(g, r) for _ in range(r.choice([1, 1, 1, 2]))]
        return (calls[0] if len(calls) == 1 else '[' + ', '.join(calls) + ']'), g.files
    d = r.choice([2, 3, 3, 4])
    t = g.plain(3) if r.random() < .5 else ('obj', {f: (g.type(2), r.random() < .1) for f in r.sample(FIELDS, r.randint(1, 4))})
    text = g.gen(t, d, [])
    if r.random() < .05:
        text = mutate(text, r)
    if r.random() < .1:
        text = r.choice(['// c\n', '/* c */ ', '# c\n']) + text
    return text, g.files
