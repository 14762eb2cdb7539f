"""Faults for mcl programs, one for each stage that can refuse a program. `plant` returns the text with one of them."""
import re

TOKEN = re.compile(r'''(?P<skip>\#[^\n]*|\s+)|(?P<str>"(?:[^"\\]|\\.)*")|(?P<num>-?\d+(?:\.\d+)?)|(?P<var>\$[a-z][a-z0-9_.]*)|(?P<id>[A-Za-z_][\w.]*)|(?P<op>->|=>|\?:|\|\||[=!<>]=|.)''', re.S)
STRAY = ['@', ';', '~', "'", '&', '|', '!', '?', '\\', '`', '^', '_', '"', '%']


def tokens(text):
    return [(m.lastgroup, m.group(), m.start(), m.end()) for m in TOKEN.finditer(text) if m.lastgroup != 'skip']


def put(text, start, end, new):
    return text[:start] + new + text[end:]


def choose(text, r, kinds, test=lambda word: True):
    found = [one for one in tokens(text) if one[0] in kinds and test(one[1])]
    return r.choice(found) if found else None


def stray(text, r):
    _, _, start, _ = r.choice(tokens(text))
    return put(text, start, start, r.choice(STRAY) + r.choice(['', ' ']))


def dropped(text, r):
    _, _, start, end = r.choice(tokens(text))
    return put(text, start, end, ' ')


def doubled(text, r):
    _, word, _, end = r.choice(tokens(text))
    return put(text, end, end, ' ' + word)


def swapped(text, r):
    all_ = tokens(text)
    if len(all_) < 2:
        return text + '}'
    at = r.randrange(len(all_) - 1)
    (_, a, start, middle), (_, b, second, end) = all_[at], all_[at + 1]
    return text[:start] + b + text[middle:second] + a + text[end:]


def comma(text, r):
    places = [m.start() for m in re.finditer(r',(?=\s*[\]}])', text)]
    return put(text, (at := r.choice(places)), at + 1, '') if places else text + '[1]'


def capital(text, r):
    found = choose(text, r, ['id', 'var'])
    if not found:
        return text + 'X'
    word = found[1]
    at = 1 if word[0] == '$' else 0
    return put(text, found[2] + at, found[2] + at + 1, word[at].swapcase() if word[at].isalpha() else 'Q')


def escape(text, r):
    found = choose(text, r, ['str'])
    bad = r.choice(['\\q', '\\x41', '\\0', '\\{', '${', '${}', '${a', '${ a }', '${A}', '$$', '${a.}', '${a-b}', '\\u00e9', '${nope}'])
    return put(text, found[3] - 1, found[3] - 1, bad) if found else text + f'$esc = "{bad}"\n'


def literal(text, r):
    """A literal of another type."""
    found = choose(text, r, ['num', 'str'])
    new = r.choice(['"s"', '1', '2.5', 'true', '[1,]', '["a",]', '{"a" => 1,}', 'struct{a => 1,}', 'func() { 1 }', '[]', '{}', '9223372036854775807', '9223372036854775808', '1.', '.5', '1e5', '0x1'])
    return put(text, found[2], found[3], new) if found else text


def operator(text, r):
    found = choose(text, r, ['op', 'id'], lambda word: word in ('+', '-', '*', '/', '<', '>', '<=', '>=', '==', '!=', 'and', 'or', 'in'))
    return put(text, found[2], found[3], r.choice(['+', '-', '*', '/', '<', '>', '<=', '>=', '==', '!=', 'and', 'or', 'in', '||', '?:', '->', '=', '%'])) if found else literal(text, r)


def renamed(text, r):
    found = choose(text, r, ['var', 'id'])
    return put(text, found[3], found[3], r.choice(['q', '_z', '.q', '1', '__z', '_', 'Q'])) if found else text


def twice(text, r):
    """A statement again."""
    lines = [line for line in text.split('\n') if re.match(r'\s*(\$|import|include|noop|test|[a-z0-9]+ =>)', line) and line.count('{') == line.count('}')]
    return text.replace(line, line + '\n' + line, 1) if lines and (line := r.choice(lines)) else text + text


def annotated(text, r):
    found = [m for m in re.finditer(r'(?<=[(, \n])\$[a-z][a-z0-9_]*(?= =|[,)])', text)]
    if not found:
        return literal(text, r)
    at = r.choice(found).end()
    return put(text, at, at, ' ' + r.choice(['int', 'str', 'bool', 'float', '[]int', 'map{str: int}', 'struct{a int}', 'func(int) str', 'variant', 'int8', '[]', 'map{str}', 'struct{a int,}', '?1']))


def arity(text, r):
    found = [m for m in re.finditer(r'[a-z_.0-9]\(', text)]
    if not found:
        return literal(text, r)
    at = r.choice(found).end()
    rest = text[at:at + 1]
    return put(text, at, at, r.choice(['1', '"a"', 'true']) + ('' if rest == ')' else ', '))


def field(text, r):
    found = [m for m in re.finditer(r'\b(Meta:)?([a-z0-9]+) =>', text)]
    if not found:
        return text + 'test "w" { nope => 1, }\n'
    one = r.choice(found)
    return put(text, one.start(), one.end(), r.choice(['nope =>', 'Meta:nope =>', 'Meta:noop =>', 'int64 =>', 'content =>', 'Before =>', 'Meta =>', 'msg =>', 'int8 =>']))


def kind(text, r):
    found = [m for m in re.finditer(r'\b(test|noop|print|file|kv|value|exec|timer|group) (?=["\[$])', text)]
    if not found:
        return text + 'foo "w" {}\n'
    one = r.choice(found)
    return put(text, one.start(), one.end(), r.choice(['foo ', 'noop ', 'print ', 'file ', 'svc ', 'http:server ', 'tset ', 'Test ', 'test:x ', 'hostname ', 'user ']))


def appended(text, r):
    return text + r.choice([
        '$rec = $rec\n', '$ra = $rb\n$rb = $ra\n', 'func rf($x) { rf($x) }\ntest "w" { int64 => rf(1), }\n', 'func rf($x) { rf($x) }\n', 'class rc { include rc }\n',
        'class rc { include rd }\nclass rd { include rc }\ninclude rc\n', 'include nope\n', 'include nope as n\n', 'import "nope"\n', 'import "nope.mcl"\n', 'import "nope/"\n',
        'import "fmt"\nimport "fmt"\n', 'import "math" as m\nimport "list" as m\n', 'import "math" as *\n', 'import "fmt" as *\ntest "w" { anotherstr => printf("%d", 1), }\n',
        'class du {}\nclass du {}\n', 'func du() { 1 }\nfunc du() { 2 }\n', '$du = 1\n$du = 1\n', '$du = 1\nfunc du() { 1 }\nclass du {}\n', 'func dp($a, $a) { $a }\n', 'func dp($a, $a) { $a }\ntest "w" { int64 => dp(1, 2), }\n',
        'class dp($a, $a) { test "w" { int64 => $a, } }\ninclude dp(1, 2)\n', 'test "w" { int64 => $nope, }\n', 'test "w" { int64 => nope(1), }\n', 'test "w" { int64 => math.minus1(1), }\n',
        'test "w" { int64 => len([]), }\n', 'test "w" { int64 => len({}), }\n', '$am = []\ntest "w" { int64 => len($am), }\n', '$am = func($x) { $x }\ntest "w" { boolptr => $am == $am, }\n', 'test "w" { int64 => (func($x) { 1 })(1), }\n',
        '$am = func($x) { $x }\ntest "w" { int64 => $am(1), anotherstr => $am("a"), }\n', '$am = func($x) { $x }\ntest "w" { int64 => $am(1), }\n', 'value "w" { any => [], }\n', 'value "w" { any => func($x) { $x }, }\n',
        'func po($x) { $x }\ntest "w" { int64 => po(1), anotherstr => po("a"), }\n', 'func po($f, $x) { $f($x) }\ntest "w" { int64 => po(1, 2), }\n', 'func om($f) { $f($f) }\ntest "w" { int64 => om(func($x) { 1 }), }\n',
        'test "w" { boolptr => 1 == "a", }\n', 'test "w" { boolptr => [1,] == [2,], }\n', 'test "w" { boolptr => struct{a => 1,} == struct{b => 1,}, }\n', 'test "w" { boolptr => true < false, }\n', 'test "w" { boolptr => "a" < "b", }\n',
        'test "w" { float64 => 1 / 2, }\n', 'test "w" { int64 => 1 / 2, }\n', 'test "w" { int64 => 7 / 0, }\n', 'test "w" { float64 => 1.0 / 0.0, }\n', 'test "w" { anotherstr => "a" * 2, }\n', 'test "w" { int64 => 1 + 2.0, }\n', 'test "w" { int64 => -$x, }\n',
        'test "w" { int64 => 1 -1, }\n', 'test "w" { int64 => 1 - -1, }\n', 'test "w" { int64 => 2 + 3 * 4 - 1, }\n', 'test "w" { boolptr => true or false and false, }\n', 'test "w" { boolptr => not true == false, }\n', 'test "w" { boolptr => 1 < 2 == true, }\n',
        'test "w" { boolptr => 1 < 2 < 3, }\n', 'test "w" { int64 => [1, 2,][1] + 1, }\n', 'test "w" { int64 => struct{a => struct{b => 2,},}->a->b, }\n', 'test "w" { int64 => struct{a => 1,}->b, }\n', 'test "w" { int64 => struct{a => 1,}->b || 3, }\n',
        'test "w" { int64 => struct{a => 1,}->a || "s", }\n', 'test "w" { int64 => [1,]["a"], }\n', 'test "w" { int64 => {"a" => 1,}[1], }\n', 'test "w" { int64 => [1,][0] || "s", }\n', 'test "w" { int64 => 5[0], }\n', 'test "w" { boolptr => 1 in 2, }\n', 'test "w" { boolptr => 1 in ["a",], }\n',
        'test "w" { boolptr => "a" in {"a" => 1,}, }\n', 'test "w" { boolptr => "a" in struct{a => 1,}, }\n', 'import "fmt"\ntest "w" { anotherstr => fmt.printf("%d", "a"), }\n', 'import "fmt"\ntest "w" { anotherstr => fmt.printf("%d"), }\n', 'import "fmt"\ntest "w" { anotherstr => fmt.printf("x", 1), }\n',
        'import "fmt"\n$fm = "%d"\ntest "w" { anotherstr => fmt.printf($fm, 1), }\n', 'import "fmt"\ntest "w" { anotherstr => fmt.printf("%" + "d", 1), }\n', 'import "fmt"\ntest "w" { anotherstr => fmt.printf("%q", 1), }\n', 'import "fmt"\ntest "w" { anotherstr => fmt.printf("%v %v", [1,], struct{a => "x",}), }\n',
        'test "w" { Meta => struct{noop => true,}, }\n', 'test "w" { Meta:nope => 1, }\n', 'test "w" { Meta:noop => 1, }\n', 'test "w" { Meta:limit => 4, }\n', 'test "w" { Meta:sema => ["a:1",], }\n', 'test "w" { Meta:noop => true, Meta:noop => false, }\n',
        'test "w" { Before => Test["nope"], }\n', 'test "w" { Before => test["w"], }\n', 'test "w" { Notify => Test["w2"], }\ntest "w2" {}\n', 'test "w" { Before => Test["w2"], }\ntest "w2" { Before => Test["w"], }\n', 'Test["nope"] -> Test["w"]\ntest "w" {}\n', 'Test["w"]\ntest "w" {}\n',
        'Test["w"] -> Test["w"]\ntest "w" {}\n', 'Test[1] -> Test["w"]\ntest "w" {}\n', 'Foo["w"] -> Test["w"]\ntest "w" {}\n', 'Test["w"] -> Noop[["w", "v",]]\ntest "w" {}\nnoop ["w", "v",] { Meta:autogroup => false, }\n', 'Http:Server["w"] -> Test["w"]\ntest "w" {}\n',
        'test "w" { int64 => 1, }\ntest "w" { int64 => 2, }\n', 'test "w" { int64 => 1, }\ntest "w" { int64 => 1, }\n', 'test "w" { int64 => 1, int64 => 2, }\n', 'test "w" { nope => 1, }\n', 'foo "w" {}\n', 'foo "w" { a => 1, }\n', 'tset "w" {}\n', 'test "w" { int8 => 300, }\n', 'test "w" { uint8 => -1, }\n',
        'test 1 {}\n', 'test "" {}\n', 'test [] {}\n', 'test [1,] {}\n', '$nm = "w"\ntest $nm {}\n', '$nm = ["w", "v",]\ntest $nm {}\n', 'test "a" + "b" {}\n', 'test if true { "w" } else { "v" } {}\n', '$nm = 4\ntest "${nm}" {}\n', 'import "fmt"\ntest fmt.printf("a") {}\n',
        'if 1 { test "w" {} }\n', 'if "a" {}\n', 'if true { $inner = 1 }\ntest "w" { int64 => $inner, }\n', 'class cx($a) { test "w" { int64 => $a, } }\ninclude cx("a")\n', 'class cx($a) {}\ninclude cx\n', 'class cx {}\ninclude cx(1)\n', 'class cx($a str) {}\ninclude cx(1)\n',
        'class cx($a) { $y = $a }\ninclude cx(1) as c\ninclude cx("s") as d\ntest "w" { int64 => $c.y, anotherstr => $d.y, }\n', 'class cx { $y = 1 }\ninclude cx as c\ntest "w" { int64 => $c.z, }\n', 'class cx { $y = 1 }\ntest "w" { int64 => $cx.y, }\n',
        'class cx { $y = 1 }\ninclude cx as c\ninclude cx as c\n', 'class cx {}\nclass cx:deep { test "w" {} }\ninclude cx:deep\n', 'class cx {}\nclass cx:deep { test "w" {} }\ninclude cx as c\ninclude c.deep\n', 'class nx:deep { test "w" {} }\n', 'class nx:deep { test "w" {} }\ninclude nx:deep\n',
        'panic(1)\n', 'panic("")\n', 'panic("boom")\n', 'panic(false)\n', 'panic(true)\n', 'test "w" { func1 => func($x) { "a" }, }\n', 'test "w" { func1 => func($x) { $x + 1 }, }\n', '$un = 1 + "a"\n', '$un = []\n', 'func un($x) { $x + "a" + 1 }\n', 'class un { test "w" { int64 => "a", } }\n',
        '$x int = "a"\n', '$ty struct{a int; b str} = struct{b => "x", a => 1,}\ntest "w" { int64 => $ty->a, }\n', '$ty map{int: str} = {"a" => 1,}\ntest "w" { int64 => len($ty), }\n', '$ty func(int) int = func($q) { $q + 1 }\ntest "w" { int64 => $ty(1), }\n', 'test "w" { int64 => struct{a => 1, a => 2,}->a, }\n', 'test "w" { int64 => len({"a" => 1, "a" => 2,}), }\n',
        'import "iter"\ntest "w" { slicestring => iter.map([1,], func($x) { $x }), }\n', 'import "iter"\nimport "fmt"\ntest "w" { slicestring => iter.map([1, 2,], func($x) { fmt.printf("%d", $x) }), }\n', 'import "math"\ntest "w" { int64 => math.pow(2, 3), }\n', 'import "math"\ntest "w" { anotherstr => math.fortytwo(), }\n', 'import "math"\ntest "w" { boolptr => math.fortytwo() == math.fortytwo(), }\n',
    ])


WAYS = [stray, dropped, doubled, swapped, comma, capital, escape, literal, literal, operator, renamed, renamed, twice, annotated, arity, field, kind] + [appended] * 12


def plant(text, r):
    return r.choice(WAYS)(text, r)
