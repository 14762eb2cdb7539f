"""Yay expressions of a given type, and the names that they may read.

A type is 'int', 'float', 'str', 'bool', `('list', type, n)` with at least `n` elements, or `('dict', {key: type})`.
"""
import random

# How tightly an expression binds, from `a else b` to a name.
ELSE, OR, AND, NOT, COMPARE, BOR, BXOR, BAND, SHIFT, SUM, TERM, UNARY, POWER, PRIMARY = range(14)

WORDS = ['foo', 'bar', 'baz', 'hello', 'x', 'aXbXc', 'web-1', 'a b', 'Zoë', '日本', '10.0.0.1', 'v1.2', 'dev', 'prod',
         'a/b/c', 'llama']
NUMERIC = ['12', '007', '1.5', '-3']
LETTERS = 'lxabo'


def is_list(t):
    return t[0] == 'list'


def is_dict(t):
    return t[0] == 'dict'


def is_name(key):
    return key.isascii() and key.replace('_', 'a').isalnum() and not key[0].isdigit()


class Expressions:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.keys = {}          # top-level keys: name -> [type, rank]
        self.limit = 0          # only keys of a lower rank are read here
        self.scopes = []        # (name, type, rank) of loops, arguments and `set`, innermost last
        self.siblings = []      # (text, type): keys of the mappings around this place
        self.here = []          # the same, of the nearest mapping, through `here`
        self.macros = []        # (name, parameters, type)
        self.possible = []      # (text, type): what perhaps does not exist, to be read with `else`
        self.fixed = {}         # keys whose value is known, and never changes
        self.plain = 0          # where more than 0, only literals
        self.rare = 0.01        # share of constructs that the released program does not run, or runs differently

    def chance(self, share):
        return self.r.random() < share

    # ---- reading names

    def paths(self):
        for name, t, rank in reversed(self.scopes):
            if rank <= self.limit:
                yield name, t
        yield from self.here
        yield from self.siblings
        for name, (t, rank) in self.keys.items():
            if rank < self.limit and is_name(name):
                yield name, t

    def below(self, text, t, depth=3):
        """All that can be reached from a value, with its text."""
        yield text, t
        if depth == 0:
            return
        if is_dict(t):
            for key, inner in t[1].items():
                dotted = is_name(key) and self.chance(.8)
                yield from self.below(f'{text}.{key}' if dotted else f'{text}[{self.quote(key)}]', inner, depth - 1)
        elif is_list(t) and t[2]:
            yield from self.below(f'{text}[{self.r.randint(0, t[2] - 1)}]', t[1], depth - 1)

    def fits(self, found, wanted):
        if is_list(wanted):
            return is_list(found) and found[1] == wanted[1] and found[2] >= wanted[2]
        return found == wanted

    def read(self, t):
        """The text of a name of the type, or `None`."""
        if self.plain:
            return None
        texts = [text for path in self.paths() for text, found in self.below(*path) if self.fits(found, t)]
        return self.r.choice(texts) if texts else None

    # ---- literals

    def quote(self, text):
        mark = "'" if self.chance(.7) else '"'
        if mark in text:
            mark = '"' if mark == "'" else "'"
        return mark + text + mark

    def integer(self):
        return str(self.r.choice([1, 2, 3, 4, 5, 7, 10, 12, 100, 0, 255, self.r.randint(1, 1000)]))

    def floating(self):
        return self.r.choice(['0.5', '1.5', '2.25', '0.1', '10.0', '3.14', '1e+3', '2.5e-3', '13.10'])

    def word(self):
        return self.r.choice(WORDS)

    # ---- expressions

    def gen(self, t, depth=2, at=ELSE):
        """An expression of the type, in parentheses if it binds less tightly than `at`."""
        text, binds = self.any(t, depth)
        if binds < at:
            # The released program does not look into a list in parentheses.
            if is_list(t) or is_dict(t):
                return self.value(t)
            return f'({text})'
        if self.chance(.02) and not is_list(t) and not is_dict(t):
            return f'({text})'
        return text

    def value(self, t):
        """A name or literal of the type, which needs no parentheses."""
        return self.read(t) or self.literal(t)

    def literal(self, t):
        if is_list(t):
            if t[1] == 'int' and self.chance(.4):
                return f'range({max(t[2], self.r.randint(0, 4))})'
            return '[' + ', '.join(self.literal(t[1]) for _ in range(max(2, t[2], self.r.randint(2, 3)))) + ']'
        if is_dict(t):
            return '{' + ', '.join(f'{self.quote(key)}: {self.literal(inner)}' for key, inner in t[1].items()) + '}'
        if t == 'bool':
            return self.r.choice(['(1 == 1)', '(1 == 2)', '(2 < 3)'])
        return {'int': self.integer, 'float': self.floating, 'str': lambda: self.quote(self.word())}[t]()

    def any(self, t, depth):
        if self.chance(.35 if depth > 0 else .6):
            text = self.read(t)
            if text:
                return text, PRIMARY
        if depth <= 0:
            return self.literal(t), PRIMARY
        k = self.r.random()
        if k < .06:
            # What is chosen must not be a choice itself, unless in parentheses.
            return f'{self.gen(t, depth - 1, OR)} if {self.gen("bool", depth - 1, OR)} else {self.gen(t, depth - 1, OR)}', ELSE
        if k < .11:
            return f'{self.absent(t)} else {self.gen(t, depth - 1, OR)}', ELSE
        if k < .14:
            other = self.r.choice(['int', 'str'])
            return f'{self.gen(t, depth - 1, PRIMARY)} else {self.gen(other, 0, PRIMARY)}', ELSE
        if k < .18 and not is_list(t) and not is_dict(t):
            n = self.r.randint(2, 3)
            items = ', '.join(self.gen(t, depth - 1, OR) for _ in range(n))
            return f'[{items}][{self.r.randint(0, n - 1)}]', PRIMARY
        if is_list(t):
            return self.list(t, depth)
        if is_dict(t):
            return self.value(t), PRIMARY
        return {'int': self.int, 'float': self.float, 'str': self.str, 'bool': self.bool}[t](depth)

    def absent(self, t):
        """A name that does not exist, or perhaps, or whose key does not exist."""
        found = [text for text, u in self.possible if self.fits(u, t)]
        if found and not self.plain and self.chance(.7):
            return self.r.choice(found)
        tables = [] if self.plain else [text for path in self.paths() for text, u in self.below(*path) if is_dict(u)]
        if tables and self.chance(.5):
            return self.r.choice(tables) + self.r.choice(['.nothing', "['nothing']", '.nothing.more'])
        return self.r.choice(['nowhere', 'nowhere.at.all', 'nowhere[0]', "nowhere['x'].y"])

    def binary(self, left, operator, right, level):
        space = ' ' if self.chance(.9) or operator.isalpha() else ''
        return f'{left}{space}{operator}{space}{right}', level

    def number(self, depth, at):
        return self.gen('float' if self.chance(.15) else 'int', depth, at)

    def int(self, depth):
        d = depth - 1
        g = lambda at, t='int': self.gen(t, d, at)
        k = self.r.randrange(16)
        if k < 3:
            return self.binary(g(SUM), '+', g(TERM), SUM)
        if k < 5:
            return self.binary(g(SUM), '-', g(TERM), SUM)
        if k < 7:
            return self.binary(g(TERM), '*', g(UNARY), TERM)
        if k == 7:
            return self.binary(g(TERM), '//', self.r.choice(['2', '3', '7', '-2']), TERM)
        if k == 8:
            return self.binary(g(TERM), '%', self.r.choice(['2', '3', '7', '-3']), TERM)
        if k == 9:
            return self.binary(g(POWER + 1), '**', self.r.choice(['0', '1', '2', '3']), POWER)
        if k == 10:
            return self.binary(g(SHIFT), self.r.choice(['<<', '>>']), self.r.choice(['0', '1', '2', '4']), SHIFT)
        if k == 11:
            return self.r.choice([lambda: self.binary(g(BAND), '&', g(SHIFT), BAND),
                                  lambda: self.binary(g(BXOR), '^', g(BAND), BXOR),
                                  lambda: self.binary(g(BOR), '|', g(BXOR), BOR)])()
        if k == 12:
            return self.r.choice(['-', '-', '~', '+']) + g(UNARY), UNARY
        if k == 13:
            # An operand that is text, or a truth value, but reads as a number.
            if self.chance(.5):
                return self.binary(self.quote(self.r.choice(['12', '7', '-3'])), self.r.choice('+-'), g(TERM), SUM)
            return self.binary(g(SUM), '+', self.literal('bool'), SUM)
        if k == 14:
            return self.binary(g(OR), 'or', g(AND), OR) if self.chance(.5) else self.binary(g(AND), 'and', g(NOT), AND)
        n = self.r.randint(2, 5)
        return f'range({n})[{self.r.randint(0, n - 1)}]', PRIMARY

    def float(self, depth):
        d = depth - 1
        k = self.r.randrange(6)
        if k < 2:
            return self.binary(self.gen('float', d, SUM), self.r.choice('+-'), self.gen('int', d, TERM), SUM)
        if k == 2:
            return self.binary(self.gen('int', d, TERM), '/', self.r.choice(['2', '4', '3', '0.5', '7']), TERM)
        if k == 3:
            return self.binary(self.gen('float', d, TERM), '*', self.gen('int', d, UNARY), TERM)
        if k == 4:
            return '-' + self.gen('float', d, UNARY), UNARY
        return self.binary('2', '**', self.r.choice(['-1', '-2', '0.5']), POWER)

    def bool(self, depth):
        d = depth - 1
        k = self.r.randrange(10)
        if k < 4:
            return self.binary(self.number(d, BOR), self.r.choice(['<', '>', '<=', '>=', '==', '!=']), self.number(d, BOR), COMPARE)
        if k < 6:
            return self.binary(self.gen('str', d, BOR), self.r.choice(['==', '!=']), self.gen('str', d, BOR), COMPARE)
        if k == 6:
            return 'not ' + self.gen('bool', d, NOT), NOT
        if k == 7:
            return self.binary(self.gen('bool', d, AND), 'and', self.gen('bool', d, NOT), AND)
        if k == 8:
            return self.binary(self.gen('bool', d, OR), 'or', self.gen('bool', d, AND), OR)
        t = self.r.choice(['int', 'str'])
        return f'{self.gen(t, d, BOR)} not in {self.value(("list", t, 0))}', COMPARE

    def str(self, depth):
        d = depth - 1
        k = self.r.randrange(8)
        if k < 3:
            return self.binary(self.operand(d, SUM), '+', self.operand(d, TERM), SUM)
        if k == 3:
            return self.binary(self.operand(d, SUM), '+', self.gen(self.r.choice(['int', 'float']), 0, TERM), SUM)
        if k == 4:
            return self.binary(self.gen('int', 0, SUM), '+', self.operand(d, TERM), SUM)
        if k == 5:
            return f'replace({self.gen("str", d)}, {self.quote(self.r.choice(LETTERS))}, {self.gen("str", 0)})', PRIMARY
        if k == 6:
            pattern = self.r.choice(['[aeiou]', 'l+', '^.', 'X', '[a-z]+$', '(o|b)', '[0-9]', 'a|b'])
            return f'sub({self.quote(pattern)}, {self.quote(self.r.choice(["", "-", "Y", "zz"]))}, {self.gen("str", d)})', PRIMARY
        return self.literal('str'), PRIMARY

    def operand(self, depth, at):
        """A text to add. The released program cannot add what a function returns."""
        text = self.gen('str', depth, at)
        calls = 'sub(' in text or 'replace(' in text
        return self.literal('str') if calls and self.chance(1 - 4 * self.rare) else text

    def list(self, t, depth):
        inner, least = t[1], t[2]
        d = depth - 1
        k = self.r.randrange(8)
        if k < 3 or is_list(inner) or is_dict(inner):
            n = max(2, least) if self.chance(.7) else max(3, least)
            if is_list(inner) or is_dict(inner):
                return '[' + ', '.join(self.value(inner) for _ in range(n)) + ']', PRIMARY
            return '[' + ', '.join(self.gen(inner, d, OR) for _ in range(n)) + ']', PRIMARY
        if k < 5:
            return self.comprehension(inner, least, d), PRIMARY
        if k == 5 and inner == 'int':
            low = self.r.randint(0, 3)
            return self.r.choice([f'range({max(least, self.r.randint(1, 4))})', f'range({low}, {low + least + 1})',
                                  f'range(0, {2 * max(least, 2)}, 2)']), PRIMARY
        if k < 7:
            return self.slice(inner, least), PRIMARY
        return self.literal(t), PRIMARY

    def comprehension(self, inner, least, depth):
        name = self.r.choice(['e', 'n', 'item'])
        source = self.r.choice(['int', 'str'])
        over = self.value(('list', source, least))
        self.scopes.append((name, source, 0))
        body = self.gen(inner, depth, OR)
        self.scopes.pop()
        return f'[{body} for {name} in {over}]'

    def slice(self, inner, least):
        n = max(least, 1) + self.r.randint(1, 2)
        over = self.value(('list', inner, n))
        low = self.r.randint(0, n - max(least, 1))
        high = self.r.randint(low + least, n) if least else n
        stride = ':1' if self.chance(.2) else ''
        return f'{over}[{low}:{high}{stride}]'
