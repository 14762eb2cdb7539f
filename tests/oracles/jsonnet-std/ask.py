#!/usr/bin/env python3
"""Questions about the standard library of Jsonnet, and what the reference answers.

    pip install jsonnet==0.22.0 gojsonnet==0.22.0
    python3 tests/oracles/jsonnet-std/ask.py [family...]
    python3 tests/oracles/jsonnet-std/ask.py check          compares the questions made now with those answered

writes one file a family beside this script: a line with an expression, then a line with its answer, `= ` and the text that
`std.toString([expression])` is, or `! ` and the message of the failure. The questions follow from this script alone; only
the functions that the C++ implementation leaves to the other one (std.sha1 and so on) are asked of gojsonnet.
A question that the reference does not survive, or does not answer in ten seconds, is left out.
"""

import importlib.metadata
import itertools
import json
import multiprocessing
import os
import pathlib
import random
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import kept

if sys.argv[1:] != ['check']:
    import _gojsonnet
    import _jsonnet

HERE = os.path.dirname(os.path.abspath(__file__))

# One value of each type, for the arguments that do not fit.
TYPES = ['null', 'true', '7', '"str"', '[1, 2]', '{a: 1}', 'function(x) x', '"7"', '[]', '{}']

NUM = ['0', '1', '-1', '2.5', '-2.5', '0.5', '-0.5', '3', '7', '100', '1e-9', '1e10', '-1e15', '123456789.123', '1e300', '-0']
UNIT = ['0', '1', '-1', '0.5', '-0.25', '2']
INT = ['0', '1', '2', '3', '-1', '5', '10', '2.7', '-3']
STR = ['"abc"', '""', '"a"', '"hello world"', '"héllo ☃ 𝄞x"', '"a,b,,c"', '"  x  "', '"aXbXc"', '"ABCdef"', '"aaa"', '"\\n\\t\\"q\\"\\\\"', '"-"', '"\\u0001\\u001f\\u007f\\u0085"']
SEP = ['","', '"a"', '"ab"', '"X"', '" "', '"☃"', '"aa"', '""', '"l"']
ARR = ['[]', '[1]', '[1, 2, 3]', '[3, 1, 2]', '["b", "a", "c"]', '[2, 1, 2, 3, 1]', '[[2], [1, 2], [1]]', '["a", 1]', '[true, false]', '[null, null]', '[{a: 1}, {a: 2}]', '[1, "1"]', '[0.1, 0.2, -0]', '["x", "x"]', '[[1, [2]], [[3]]]', '"abc"', '"cba☃"']
OBJ = ['{}', '{a: 1}', '{b: 2, a: 1}', '{a: 1, b:: 2}', '{a:: 1} + {a: 2}', '{a: null, b: [], c: {}}', '{"x y": {z: [1, {w: null}]}}', '{a: self.b, b: 3}', '{a: {b: {c: 1, d: 2}}, e: "s"}', '{local l = 1, a: l, assert self.a == 1}']
ANY = ['null', 'true', '0', '-1.5', '"s"', '""', '[]', '[1, [2, "x"]]', '{}', '{a: 1, b:: 2, c: {d: null}}', '0.1', '1e100', '"a\\n\\"b\\""', '"é☃"']
BOOL = ['true', 'false']
F1 = ['function(x) x', 'function(x) -x', 'function(x) [x]', 'function(x) x + 1', 'function(x) "k"', 'std.length', 'function(x, y=2) x', 'function(x) error "in f"', 'function() 1', 'function(x, y) x']
PRED = ['function(x) true', 'function(x) x > 1', 'function(x) x == "a"', 'function(x) null', 'function(x, y) true', 'std.isNumber', 'function(x) error "p"']
F2 = ['function(a, b) a + b', 'function(a, b) b', 'function(a, b) a', 'function(a, b) [a, b]', 'function(a, b) error "step"', 'function(a) a', 'function(a, b, c=1) b']
KEY = ['function(x) x', 'function(x) -x', 'function(x) x[0]', 'function(x) x.a', 'std.length', 'function(x) "k"', 'function(x) error "key"', 'function(x) std.toString(x)']
SET = ['[]', '[1]', '[1, 2, 3]', '[2, 4]', '["a", "b"]', '["b", "c", "d"]', '[{a: 1}, {a: 3}]', '[[1], [1, 2]]', '[3, 1]', '"abc"', '[1, "a"]', '[null]']
NAME = ['"a"', '"b"', '"zzz"', '"x y"', '""']
B64 = ['""', '"YQ=="', '"YWI="', '"YWJj"', '"YWJjZA=="', '"****"', '"abc"', '"AA=A"', '"////"', '"+/+/"', '"AAECAwQF/v8="', '"YW=="', '"Y===" ', '"===="', '"é☃éé"']
HEX = ['"0"', '"10"', '"-10"', '"ff"', '"FF"', '"7"', '"8"', '"9"', '"a"', '"g"', '" 1"', '"+1"', '"1.5"', '""', '"-"', '"--1"', '"123456789012345678901234567890"', '"0x1f"', '"é"', '"1_000"']
JSON = ['null', 'true', '{}', '[]', '"s\\n"', '[1, {a: [], b: {}}]', '{b: 1, a: [1, 2, {c: null}], h:: 1}', '{"k\\"": "v\\\\"}', '-0.5', '1e20', '[[[]]]', '{a: function(x) x}', '[1, function(x) x]', 'function(x) x', '{a: error "deep"}', '{assert false : "broken", a: 1}', '"multi\\nline\\n"', '{a: "multi\\nline\\n", b: ["x\\n"]}', '[[1, 2], [3]]', '[{a: 1, b: 2}, {c: [1, {d: 2}]}]', '"\\n"', '"\\n\\n"', '{a: [[1]], b: [{}], c: [[]]}']

FUNCTIONS = {
    'math': {
        'abs': [NUM], 'acos': [UNIT], 'asin': [UNIT], 'atan': [NUM], 'atan2': [NUM, UNIT], 'ceil': [NUM], 'cos': [NUM],
        'clamp': [NUM + ['"b"'], UNIT + ['"a"'], INT + ['"c"']], 'deg2rad': [NUM], 'exp': [UNIT + ['10', '1000', '-1000']],
        'exponent': [NUM + ['5e-324', '1e-310']], 'floor': [NUM], 'hypot': [UNIT, UNIT], 'isDecimal': [NUM], 'isEven': [NUM],
        'isInteger': [NUM], 'isOdd': [NUM], 'log': [NUM], 'log10': [NUM], 'log2': [NUM],
        'mantissa': [NUM + ['5e-324', '1e-310']], 'max': [NUM, INT], 'min': [NUM, INT], 'mod': [NUM, INT], 'modulo': [NUM, INT],
        'pow': [NUM, UNIT + ['3', '-3']], 'rad2deg': [NUM], 'round': [NUM], 'sign': [NUM], 'sin': [NUM], 'sqrt': [NUM],
        'tan': [NUM], 'sum': [ARR], 'avg': [ARR],
    },
    'types': {
        'type': [ANY], 'isArray': [ANY], 'isBoolean': [ANY], 'isFunction': [ANY], 'isNull': [ANY], 'isNumber': [ANY],
        'isObject': [ANY], 'isString': [ANY], 'isEmpty': [ANY], 'length': [ANY + F1], 'toString': [ANY + OBJ],
        'equals': [ANY, ANY], 'primitiveEquals': [ANY, ANY], 'xor': [BOOL, BOOL], 'xnor': [BOOL, BOOL],
        'assertEqual': [ANY, ANY], 'trace': [STR, ANY], 'extVar': [NAME], 'native': [NAME],
        '__compare': [ANY, ANY], '__compare_array': [ARR, ARR], '__array_less': [ARR, ARR], '__array_greater': [ARR, ARR],
        '__array_less_or_equal': [ARR, ARR], '__array_greater_or_equal': [ARR, ARR],
    },
    'strings': {
        'asciiLower': [STR], 'asciiUpper': [STR], 'char': [INT + ['65', '9731', '119070', '55296', '1114111', '1114112']],
        'codepoint': [STR + ['"☃"', '"𝄞"']], 'deepJoin': [ARR + ['["a", ["b", [["c"]]], ""]']], 'endsWith': [STR, SEP + STR],
        'startsWith': [STR, SEP + STR], 'equalsIgnoreCase': [STR, STR], 'escapeStringBash': [STR + ANY + ['"it\'s"']],
        'escapeStringDollars': [STR + ['"$a$$"']], 'escapeStringJson': [STR + ANY], 'escapeStringPython': [STR],
        'escapeStringXML': [STR + ['"<a href=\\"x\\">\'&</a>"'] + ANY], 'findSubstr': [SEP, STR], 'join': [SEP + ['[]', '[0]'], ARR + ['["a", null, "b"]', '[[1], null, [2]]']],
        'lines': [ARR], 'lstripChars': [STR + ARR, SEP + ['[" ", "a"]', '[1]']], 'rstripChars': [STR + ARR, SEP + ['[" ", "c"]', '[1]']],
        'stripChars': [STR + ARR, SEP + ['" abc"']], 'trim': [STR + ['" \\t\\n\\u000c\\r\\u0085\\u00a0x\\u2003 "'] + ARR], 'parseHex': [HEX], 'parseInt': [HEX], 'parseOctal': [HEX],
        'repeat': [STR + ARR, INT], 'resolvePath': [['"a/b/c"', '"x"', '""', '"/"', '"a/"'], STR + ['null']],
        'split': [STR, SEP], 'splitLimit': [STR, SEP[:7] + SEP[8:], INT], 'splitLimitR': [STR, SEP, INT],
        'strReplace': [STR, SEP, SEP], 'stringChars': [STR + ARR], 'substr': [STR, INT, INT],
        'encodeUTF8': [STR], 'decodeUTF8': [['[]', '[104, 105]', '[226, 152, 131]', '[255]', '[226, 152]', '[1.5]', '[256]', '[-1]', '["a"]', '[240, 157, 132, 158, 120]', '[195, 40, 195]', '[237, 160, 128]', '[192, 128]', '[244, 144, 128, 128]', '[226, 40, 161]', '[240, 40, 140, 188]', '[248, 136, 128, 128, 128]']],
        'base64': [STR + ['[0, 255]', '[256]', '[-1]', '[1.5]', '["a"]', '[1e300]', '[1, 2, 3, 4]', '[]', '[-1e300]']], 'base64Decode': [B64], 'base64DecodeBytes': [B64 + ['["Y", "Q", "=", "="]', '[1, 2, 3, 4]']],
        'md5': [STR], 'sha1': [STR], 'sha256': [STR], 'sha512': [STR], 'sha3': [STR],
    },
    'arrays': {
        'all': [ARR + ['[true, true]', '[true, 1]', '[false, 1]', '[true, "x"]', '[true, [1, "a"]]']], 'any': [ARR + ['[false, false]', '[false, 1]', '[true, 1]', '[false, {a: 1}]']],
        'contains': [ARR, ANY[:6]], 'count': [ARR, ANY[:6] + ['1']], 'filter': [PRED, ARR], 'filterMap': [PRED, F1, ARR],
        'find': [ANY[:6] + ['1', '[1]'], ARR], 'flatMap': [F1 + ['function(x) x + x', 'function(x) [x, [x]]'], ARR], 'flattenArrays': [ARR + ['[[1], [2, [3]], []]', '[[1], "a"]', '[[1], 2]']],
        'flattenDeepArray': [ARR + ANY], 'foldl': [F2, ARR, ANY[:7]], 'foldr': [F2, ARR, ANY[:7]], 'makeArray': [INT, F1],
        'map': [F1, ARR], 'mapWithIndex': [F2, ARR], 'maxArray': [ARR, KEY, ANY[:3]], 'minArray': [ARR, KEY, ANY[:3]],
        'member': [ARR, ANY[:6] + ['1', '"b"', '[1]']], 'range': [INT, INT], 'remove': [ARR, ANY[:6] + ['1', '2', '"b"']],
        'removeAt': [ARR, INT + ['"a"']], 'reverse': [ARR], 'slice': [ARR + STR[:5], ['null'] + INT[:6], ['null'] + INT[:6], ['null', '1', '2', '0', '-1', '1.5', '"a"']],
    },
    'sets': {
        'set': [ARR, KEY], 'sort': [ARR, KEY], 'uniq': [ARR, KEY], 'setDiff': [SET, SET, KEY], 'setInter': [SET, SET, KEY],
        'setUnion': [SET, SET, KEY], 'setMember': [ANY[:5] + ['1', '"a"', '{a: 1}', '[1]'], SET, KEY],
    },
    'objects': {
        'get': [OBJ, NAME, ANY[:4], BOOL], 'mapWithKey': [F2, OBJ], 'mergePatch': [OBJ + ANY, OBJ + ['{a: null}', '{a: {b: null, x: 1}}', '{a:: 1}', '3']],
        'objectFields': [OBJ], 'objectFieldsAll': [OBJ], 'objectFieldsEx': [OBJ, BOOL], 'objectHas': [OBJ, NAME],
        'objectHasAll': [OBJ, NAME], 'objectHasEx': [OBJ, NAME, BOOL], 'objectKeysValues': [OBJ], 'objectKeysValuesAll': [OBJ],
        'objectRemoveKey': [OBJ, NAME], 'objectValues': [OBJ], 'objectValuesAll': [OBJ],
        'prune': [OBJ + ANY + ['[null, [], {}, [null], {a: null}, 1, [[[]]], ""]', '{a: {b: {c: null}}, d: [1, null]}', '{a: error "x"}']],
    },
    'manifest': {
        'manifestJson': [JSON], 'manifestJsonMinified': [JSON], 'manifestJsonEx': [JSON, ['"  "', '""', '"\\t"', '4', 'null'], ['"\\n"', '" "', '""'], ['": "', '":"', '" : "']],
        'manifestPython': [JSON], 'manifestPythonVars': [JSON + OBJ], 'manifestYamlDoc': [JSON, BOOL, BOOL], 'manifestYamlStream': [['[%s]' % j for j in JSON] + ['[]', '[1, {a: 1}, "x"]'], BOOL, BOOL, BOOL],
        'manifestToml': [JSON + OBJ], 'manifestTomlEx': [['{a: 1, t: {b: 2, u: {}}, l: [1, [2, {x: 3}]], tt: [{a: 1}, {}, {b: {c: 1}}]}', '{a: {b: {c: 1}}}', '{"": 1, "a b": {"c.d": {e: "f"}}}', '{a: [], b: [[]], c: [{}]}', '{a: [{b: [{c: 1}]}]}', '{a: null}', '{a: [1, null]}', '{a: {b: function(x) x}}', '{a: [{b: null}]}'] + OBJ, ['""', '"  "', '"\\t"', '3']],
        'manifestIni': [['{main: {a: 1, b: [1, "x"]}, sections: {s: {c: "d"}, "t u": {}}}', '{sections: {}}', '{}', '{sections: {a: {b: {c: 1}}}}', '{main: {a: null}, sections: {}}', '{main:: {a: 1}, sections: {}}', '{sections: 5}', '{main: 3, sections: {}}']],
        'manifestXmlJsonml': [['["a", {b: 1, c: "x<y"}, "text", ["d"], ["e", "f"]]', '["a"]', '[]', '"a"', '["a", ["b", {}, "c"]]', '["a", 5]', '[5]', '["a", null]', '[["x", "y"], "z"]', '["a", {b: null}]', '["a", []]', '["a", {}, {}]']],
    },
}

BARE = ['a', 'true', 'True', 'YES', 'n', '1', '-1', '0x1F', '0X1f', '-0x1', '0b1', '1e5', '1.5', '1.5.6', '2020-01-02', '1-2', '1-2-3-4', '', '-', '---', '.', '.5', 'a b', 'a:b', 'é', 'a.b/c-d_e', '_', '__', '1_000', 'e', '.e', '1e', 'null', '~', 'Null', '.inf', '-.inf', '.nan', '0xg', '0b', '0b12', '-0b1', 'x0', '1-2e', '-.', 'off', 'a#b', '0o7', '--', '----', '1--2', '12:30']

JSONS = ['{}', '[]', 'null', ' true ', '1', '-1', '-0', '-0.0', '0.1', '1e3', '1E+3', '1e-3', '1.0', '12345678901234567890', '123456789012345678901234567890', '"a"', '"\\u00e9"', '"\\ud834\\udd1e"', '"\\ud834"', '"\\udd1e"', '"\\ud834x"', '"\\x"', '"\\u12g4"', '"a', '"a\nb"', '"\t"', '"\\"\\\\\\/\\b\\f\\n\\r\\t"', '[1,2', '[1,]', '[1 2]', '[,1]', '{"a":1}', '{"a":1,"a":2}', '{"a" 1}', '{"a":}', '{"a":1,}', '{"a":1', '{a:1}', '{1:2}', '{,}', '', ' ', '01', '+1', '.5', '1.', '1e', '1e+', '-', '--1', 'tru', 'trux', 'nul', 'falsy', 'True', 'nan', 'Infinity', '1 2', '[] x', '{"b":[1,{"c":null}],"a":"x"}', '[1,\n2,\n x]', '{"a":\n{"b":\n!}}', '/* c */ 1', '// c\n1', "'a'", '[[[[[[]]]]]]', ']', '}', ',', ':', '"\x7f"', '{"a":[1,2}', '["a":1]', '1e400', '-1e400', '0x10', '1_000', '\ufeff1', '[\u00a01]', '"é☃𝄞"', '{"é":1}', '[1,2,3', '{"a":{"b":{"c":[1,2,{"d":"e"}]}}}', '[true,false,null,]', '"\\u0000"', '"\x00"', '\x00']

YAMLS = ['', '1', 'a', 'a: 1', 'a: 1\nb: 2', '- 1\n- 2', '[1, 2]', '{a: 1, b: [x, y]}', 'a:\n  b: c\n  d:\n  - 1\n  - x: y\n    z: w', '"quoted"', "'single ''q'''", '|\n  block\n  text\n', 'a: |\n  x\n  y\n', 'a: |-\n  x\n  y\n', 'a: |+\n  x\n\n', 'a: >\n  folded\n  text\n\n  para\n', 'a: >-\n  x\n  y\n', 'a: yes\nb: no\nc: on\nd: True\ne: TRUE\nf: true\ng: false\nh: null\ni: ~\nj: Null\nk:', 'a: 0x10\n', 'a: 0o17\n', 'a: 017\n', 'a: 1_000\n', 'a: 1e3\n', 'a: 1.5\n', 'a: .5\n', 'a: 1.\n', 'a: +1\n', 'a: -1\n', 'a: .inf\n', 'a: -.inf\n', 'a: .nan\n', 'a: 1:30\n', 'a: 2020-01-02\n', 'a: "1"\n', "a: '1'\n", 'a: "x\\ty\\u00e9\\n"\n', '---\na: 1\n---\nb: 2\n', '---\na: 1\n', '---\n- 1\n...\n', '---\n---\n', '--- 1\n--- 2\n', '# comment\na: 1 # c\n', 'a: &x 1\nb: *x\n', 'a: &x {b: 1}\nc: *x\n', 'a: !!str 1\n', 'a: !foo 1\n', 'a: [1, 2, 3]\n', 'a: [1, [2, {b: c}]]\n', '? a\n: b\n', 'a: b: c\n', 'a: [1, 2\n', '{a: 1\n', '- a\nb: 1\n', '\ta: 1\n', 'a: "unclosed\n', '- - 1\n  - 2\n- 3\n', 'a: \'x\n  y\'\n', 'a: x\n  y\n', 'a: x\n\n  y\n', '1: 2\n', 'true: x\n', 'null: x\n', 'a: {}\nb: []\n', 'a: ""\n', "a: ''\n", '- \n- 1\n', '-\n  a: 1\n', 'a:\n- 1\n- 2\nb: 3\n', '"a b": 1\n', 'a: 1\na: 2\n', 'é: ☃\n', 'a: x # not\nb: "x # in"\n', 'a: |2\n   x\n  y\n', '%YAML 1.2\n---\na: 1\n', 'a: 12345678901234567890\n', 'a: 0.1\n', 'a: 1e400\n', 'a: -0\n', 'a: 00\n', 'a: 1,2\n', '- "a"\n- \'b\'\n- c d\n- e: f\n', '<<: {a: 1}\nb: 2\n', '{"a": 1, "b": [true, null, 1.5]}', '[a, b, ]', 'a: b\n---\n- c\n---\n3\n', 'a:   spaced   \n', 'key with spaces: value with spaces\n', 'a: http://x.y/z\n', 'a: @x\n', 'a: `x\n', 'a: %x\n', 'a: !x\n', 'a: - b\n', 'a: ? b\n', 'a: *unknown\n']

FLAGS = ['', '0', '-', '+', ' ', '#', '0-', '+0', ' 0', '-+', '#0', '+ ']
WIDTHS = ['', '1', '5', '12', '*']
PRECISIONS = ['', '.0', '.1', '.3', '.10', '.', '.*']
CONVERSIONS = ['d', 'i', 'u', 'o', 'x', 'X', 'e', 'E', 'f', 'F', 'g', 'G', 'c', 's', '%', 'ld', 'hx', 'Lf']
VALUES = ['0', '1', '-1', '0.5', '-0.5', '1.5', '2.5', '9.995', '12345.6789', '-12345.6789', '1e10', '1e-5', '123456789', '1e20', '5e-324', '1e100', '255', '-255', '"s"', '"str"', 'true', 'null', '[1]', '65', '0.1', '999999.5', '0.0001', '0.00001']

BROKEN = ['%', 'a%', '%(', '%(a', '%(a)', '%5', '%.', '%.5', '%z', '%(a)z', '%5.2', '%-', '%l', '%ll', '%5%', '%-5%|', '%é', '% ', '%%', '%%%', '%s %s %s', '%d%%', '%(a)s', '%(a)d %(b)s', '%(a)5.1f', '%(zz)s', '%*d', '%.*f', '%(a)*d', '%(a).*f', '%(a)%', '%()s', '%s', 'no codes', '', '%1$s', '%-010d|', '%+d % d', '%#x %#o %#X', '%#.0f %#g', '%5s|%-5s|', '%c', '%c%c', '%5c|', '%.1s', '%05s|', '%i', '%u', '%r', '%q', '%b', '%a', '%p', '%n', '%e', '%.0e', '%.0f', '%g', '%G', '%.3g', '%10.3e|', '%-10.3e|', '%010.3e|', '%o']
VALS = ['[]', '[1]', '[1, 2]', '["a", "b", "c"]', '{a: 1, b: "x"}', '{a:: 5}', '3', '"s"', 'null', '[[1], {a: 1}]', 'true', '[5, 1.5]', '["é", 2]', '[null, 1]', '["5", 3]', '[2, "x"]', '{}', '[1.5, 2.5, 3.5]', '{"": 4}', 'function(x) x', '[65]', '[error "v"]', '{a: error "v"}']

LAZY = [
    'std.length(std.map(function(x) error "e", [1, 2]))', 'std.map(function(x) x, [error "a", 2])[1]',
    'std.foldl(function(a, b) b, [1, 2], error "init")', 'std.foldl(function(a, b) a, [error "el"], 1)',
    'std.foldl(function(a, b) a + b, [1, error "el"], 1)', 'std.foldl(function(a, b) [a, b], [error "x"], 1)[0]',
    'std.foldr(function(a, b) b, [error "el"], 1)', 'std.foldl(error "f", [], 1)', 'std.foldl(1, [], 2)', 'std.foldl(1, [1], 2)',
    'std.length(std.filter(function(x) true, [error "a"]))', 'std.filter(function(x) false, [error "a"])',
    'std.length([error "a", error "b"])', 'std.length({a: error "a"})', 'std.length(std.makeArray(3, function(i) error "i"))',
    'std.makeArray(3, function(i) if i == 1 then error "one" else i)[2]', 'std.reverse([error "a", 2])[0]',
    'std.sort([error "a"])[0:0]', 'std.length(std.sort([error "a"]))', 'std.length(std.sort([error "a", 1]))', 'std.length(std.sort([1, error "a"]))',
    'std.length(std.sort([1, 2], function(x) [x, error "no"]))', 'std.length(std.uniq([error "a"]))', 'std.length(std.set([error "a"]))',
    'std.set([{a: 1, b: error "b"}, {a: 1}], function(x) x.a)[0].a', 'std.setMember(1, error "arr")', 'std.setInter([], error "b")', 'std.setDiff([], error "b")', 'std.setUnion([], error "b")',
    'std.objectFields({a: error "a"})', 'std.objectHas({a: error "a"}, "a")', 'std.length(std.objectValues({a: error "a", b: 1}))', 'std.objectValues({a: error "a", b: 1})[1]',
    'std.mapWithKey(function(k, v) k, {a: error "a"})', 'std.mapWithKey(function(k, v) error k, {a: 1, b: 2}) == {}', 'std.get({a: error "a"}, "b", 1)', 'std.get({a: 1}, "a", error "default")', 'std.get({a: 1}, "b", error "default")',
    'std.get({a:: 1}, "a", 2, false)', 'std.get({a:: 1}, "a", 2)', 'std.get({a:: 1}, "a", inc_hidden=false)', 'std.get(f="a", o={a: 1})', 'std.get({a: 1}, "a", foo=1)', 'std.get({a: 1})', 'std.get({a: 1}, "a", 1, true, 5)',
    'std.mergePatch({a: error "a"}, {b: 1}).b', 'std.mergePatch({a: error "a"}, {a: 1})', 'std.mergePatch({a: 1}, {a: error "p"})', 'std.mergePatch(error "t", 5)', 'std.mergePatch({a: {b: error "b"}}, {a: {c: 1}}).a.c', 'std.mergePatch(error "t", {})',
    'std.clamp(1, 2, error "max")', 'std.clamp(3, 2, 5)', 'std.min(1, error "b")', 'std.max("a", error "b")', 'std.trace("x", error "rest")', 'std.trace(1, 2)', 'std.trace("t", 5)',
    'std.startsWith("a", "abc")', 'std.lstripChars("", error "chars")', 'std.rstripChars("", error "chars")', 'std.stripChars("", 5)', 'std.count([], error "x")', 'std.member([], error "x")', 'std.member("abc", error "x")', 'std.find(error "v", [])',
    'std.all([false, error "x"])', 'std.any([true, error "x"])', 'std.all([true, error "x"])', 'std.contains([1, error "x"], 1)', 'std.contains([], error "x")', 'std.contains("abc", "a")', 'std.contains({}, "a")', 'std.removeAt([1, error "x"], 1)', 'std.remove([1, 2, error "x"], 1)',
    'std.join(",", [error "a"])', 'std.join(error "s", error "a")', 'std.join(",", ["a", error "b"])', 'std.length(std.join([error "s"], [[1], [2]]))', 'std.length(std.flattenArrays([[error "a"], [2]]))', 'std.length(std.flatMap(function(x) [error "a"], [1, 2]))', 'std.length(std.flattenDeepArray([error "a"]))',
    'std.manifestJsonEx(1, error "indent")', 'std.manifestJsonEx([1], error "indent")', 'std.manifestJsonEx([], error "indent")', 'std.manifestYamlDoc(1, error "a", error "b")', 'std.manifestYamlDoc({a: 1}, error "a")', 'std.manifestYamlDoc({a: [1]}, error "a")', 'std.manifestYamlDoc({a: 1}, true, error "q")', 'std.manifestYamlDoc({a: 1}, quote_keys=5)', 'std.manifestYamlDoc({a: [1]}, 5)', 'std.manifestYamlStream([], c_document_end=5)',
    'std.manifestTomlEx({}, error "i")', 'std.manifestTomlEx({a: 1}, error "i")', 'std.manifestTomlEx({a: {b: 1}}, error "i")', 'std.manifestTomlEx({a: [1]}, error "i")', 'std.manifestTomlEx({a: [1]}, 7)',
    'std.repeat(error "w", 0)', 'std.repeat("a", "b")', 'std.repeat(1, -1)', 'std.repeat("a", -1)', 'std.resolvePath("a", error "r")', 'std.slice([1, error "x", 3], 0, 3, 2)', '[1, error "x", 3][0:3:2]', '"abcdef"[1:4]', '"abcdef"[::2]', '[1, 2, 3][-2:]', '[1, 2, 3][:-1]', '"abc"[5:]', '[1,2,3][0:2:0]', '[1,2,3][0:2:-1]',
    'std.length(std)', 'std.length(std.objectFieldsAll(std))', 'std.objectFieldsAll(std)', '[std.length(std[k]) for k in std.objectFieldsAll(std) if std.isFunction(std[k])]', 'std', 'std.type(std)', 'std.pi', 'std.nope', 'std { a: 1 }.a', '(std + { length:: 5 }).length', 'std["length"]("abc")', '"length" in std', 'local s = std; s.abs(-1)', 'std.map(std.abs, [-1, 2])', 'std.foldl(std.max, [1, 5, 3], 0)', 'std.mod("%d", 5)', 'std.mod("a", "b")', 'std.mod(1, 0)', 'std.mod(true, 1)', 'std.abs(n=-1)', 'std.abs(x=-1)', 'std.abs()', 'std.abs(1, 2)', 'std.sort(keyF=function(x) -x, arr=[1, 2])', 'std.substr(len=2, from=1, str="abcd")', 'std.minArray([])', 'std.maxArray([], onEmpty=3)', 'std.minArray([], function(x) x, "e")', 'std.minArray([error "a", 1])', 'std.minArray([error "a"])', 'std.minArray([{a: 2}, {a: 1}], function(x) x.a)', 'std.maxArray(["a", 1])', 'std.minArray([null])', 'std.minArray([true, false])', 'std.minArray([{}, {}])', 'std.minArray([[1, 2], [1]])',
    'std.sort([null, null])', 'std.sort([true, false])', 'std.sort([{}, {}])', 'std.sort([1, "a"])', 'std.sort(["a", 1])', 'std.sort([[1], ["a"]])', 'std.sort([[1, 2], [1], []])', 'std.sort([3, "x", null])', 'std.sort(std.range(0, 40) + ["a"])', 'std.sort(["a"] + std.range(0, 40))', 'std.sort([{k: i % 3, v: i} for i in std.range(0, 60)], function(x) x.k)', 'std.sort([{k: i % 3, v: i} for i in std.range(0, 20)], function(x) -x.k)', 'std.set(std.map(function(i) i % 7, std.range(0, 50)))', 'std.sort([function(x) x, 1])', 'std.sort([function(x) x, function(x) x])', 'std.uniq([function(x) x, function(x) x])', 'std.sort("hello")', 'std.set("hello")', 'std.uniq("hello")', 'std.sort({a: 1})', 'std.sort({a: 1, b: 2})', 'std.sort(function(x) x)', 'std.sort(function(x, y) x)', 'std.sort("a")', 'std.sort("")', 'std.reverse({a: 1})', 'std.reverse(function(x) x)', 'std.length(std.reverse({a: 1}))', 'std.foldl(function(a, b) a + b, "abc", "")', 'std.foldl(function(a, b) a + b, {a: 1}, "")', 'std.foldr(function(a, b) a + b, "abc", "")', 'std.sum("ab")', 'std.avg("ab")', 'std.stringChars({a: 1})', 'std.stringChars([1, error "x"])[0]',
    'std.assertEqual(1, 1)', 'std.assertEqual("a", "b")', 'std.assertEqual({a: 1}, {a: 2})', 'std.assertEqual("a\\n", 1)', 'std.assertEqual([1], {})', 'std.assertEqual(function(x) x, function(x) x)', 'std.equals(function(x) x, 1)', 'std.equals({a:: 1}, {})', 'std.equals({a: 1, b: error "b"}, {a: 2, b: 1})', 'std.equals([1, error "b"], [2, 1])', 'std.primitiveEquals([], 1)', 'std.primitiveEquals(function(x) x, function(x) x)', 'std.primitiveEquals({}, {})', 'std.isFunction(std.isFunction)', 'std.native("nope")', 'std.extVar("nope")', 'std.extVar(5)', 'std.native(5)',
    'std.prune([error "a"])', 'std.prune({a: 1, b: error "b"}).a', 'std.prune({a:: 1, b: null})', 'std.prune([[[null]], 0, "", false])', 'std.objectRemoveKey({a: 1, b: self.a}, "a")', 'std.objectRemoveKey({a: 1, b: 2}, "a")', 'std.objectRemoveKey({a: 1, b:: 2}, "a").b', 'std.objectRemoveKey({a: 1, b: 2}, "zz")', 'std.objectRemoveKey({a: 1} + {a: 2, b: super.a}, "a")', 'std.objectRemoveKey({a: 1, b: self.c, c: 3}, "a") + {c: 4}', 'std.objectRemoveKey({a: 1, b: 2}, "a") + {a: 3}', '{a: 1} + std.objectRemoveKey({a: 2, b: 3}, "a")', 'std.objectRemoveKey({a: 1, b: 2}, "a") + {b+: 1, c: "a" in super}', 'std.objectRemoveKey({assert self.a == 1, a: 1, b: 2}, "a")', 'std.objectRemoveKey({a: 1, assert self.b == 1, b: 2}, "a")', 'std.objectHas(std.objectRemoveKey({a: 1, b: 2}, "a"), "a")', 'std.objectFieldsAll(std.objectRemoveKey({a: 1, b:: 2, c::: 3}, "a"))', 'std.objectRemoveKey(std.objectRemoveKey({a: 1, b: 2, c: 3}, "a"), "b")', '({a: 1} + std.objectRemoveKey({a: 2, b: 3}, "a") + {c: super.a})', 'std.objectRemoveKey({a: 1, b: 2}, "a").a', 'std.objectRemoveKey({a: 1, b: self.a}, "a") + {a: 5}',
    'std.splitLimit("a,b,c", ",", -2)', 'std.splitLimit("abc", "", 2)', 'std.splitLimit("", "", -1)', 'std.splitLimit("", ",", 3)', 'std.split("", ",")', 'std.splitLimitR("a,b,c", ",", 1)', 'std.splitLimitR("a,b,c", ",", -2)', 'std.splitLimitR("aaaa", "aa", 1)', 'std.splitLimitR("aaa", "aa", 1)', 'std.splitLimitR("aaa", "aa", -1)', 'std.splitLimit("aaa", "aa", 1)', 'std.strReplace("aaa", "aa", "b")', 'std.strReplace("aXbX", "X", "XX")', 'std.findSubstr("aa", "aaaa")', 'std.findSubstr("☃", "a☃b☃")',
    'std.toString(std.map)', '"" + std.map', 'std.toString({a: error "x"})', 'std.toString({assert false, a: 1})', 'std.toString("a\\nb")', 'std.toString(["a\\nb"])', 'std.toString({a:: 1})', 'std.toString([[], {}, [[]]])', 'std.escapeStringJson({a: 1})', 'std.escapeStringJson(null)', 'std.escapeStringBash([1])', 'std.escapeStringXML({a: "<"})', 'std.lines(["a", null, "b"])', 'std.lines([1])', 'std.lines("abc")', 'std.lines(null)', 'std.deepJoin([])', 'std.deepJoin(["a", ["b", null]])', 'std.deepJoin(5)',
    'std.base64DecodeBytes("****")[0]', 'std.length(std.base64DecodeBytes("****"))', 'std.base64Decode("4pi D")', 'std.base64(std.encodeUTF8("☃"))', 'std.decodeUTF8(std.base64DecodeBytes("4piD"))', 'std.base64(std.range(0, 255))', 'std.md5(std.repeat("a", 1000))', 'std.range(1, 0)', 'std.range(-2, 2)', 'std.range(0.5, 3.7)', 'std.makeArray(2.9, function(i) i)', 'std.makeArray(-1, function(i) i)', 'std.makeArray("a", function(i) i)', 'std.makeArray(3, 5)', 'std.makeArray(3, function() 1)', 'std.makeArray(0, function(a, b) 1)', 'std.makeArray(1, function(a, b=2) 1)', 'std.map(function(a, b) a, [1])', 'std.map(function() 1, [1])', 'std.filter(function(a, b=1) true, [1])', 'std.filter(function() true, [])', 'std.map(function(x) x, {})', 'std.map(5, [])', 'std.map("a", 5)', 'std.flatMap(function(x) x, ["a"])', 'std.flatMap(function(x) [x], "abc")', 'std.flatMap(function(x) x + x, "abc")', 'std.flatMap(1, 2)', 'std.flatMap(std.map, 2)',
    'std.thisFile', 'std.objectHasAll(std, "thisFile")', 'std.objectHas(std, "length")', '[std.codepoint(c) for c in std.stringChars("aé☃𝄞")]', 'std.join("", std.map(std.char, std.range(9728, 9740)))', 'std.parseInt("9007199254740993")', 'std.parseHex("ffffffffffffffffffff")', '"%d" % 9007199254740993', '"%x" % 1e18', '"%s" % [[1, 2]]', '"%s" % {a: 1}', '"%(a)s %(b)s" % {a: 1}', '"%s %s" % [1]', '"%s" % [1, 2]', '"" % []', '"" % 1', '"%5.1f|" % 3.14159', 'std.format(5, [])', 'std.format(["%", "d"], [5])', 'std.format("%d", "x")', 'std.format("%d", [[]])', 'std.format("%c", 65)', 'std.format("%c", "ab")', 'std.format("%c", null)', 'std.format("%c", -1)', 'std.format("%*d", [5])', 'std.format("%*d", ["a", 5])', 'std.format("%.*f", ["a", 5])', 'std.format("%.*d", ["a", 5])', 'std.format("%.*g", ["a", 5])', 'std.format("%.*g", ["a", 1e-9])', 'std.format("%.*e", ["a", 5])', 'std.format("%.*f", [null, 5])', 'std.format("%.*x", ["a", 5])', 'std.format("%-*d|", [6, 5])', 'std.format("%0*d|", [6, 5])', 'std.format("%0*d|", ["x", 5])', 'std.format("%-0*d|", ["x", 5])', 'std.format("%*.*f|", [10, 2, 3.14159])', 'std.format("%.-1f", 5)', 'std.format("%.*f", [-1, 55])', 'std.format("%.*f", [1.5, 55])',
]


def literal(text):
    """A text as a string of jsonnet."""
    out = ['"']
    for c in text:
        if c in '"\\':
            out.append('\\' + c)
        elif ord(c) < 32 or 0x7f <= ord(c) < 0xa0 or ord(c) == 0xfeff:
            out.append('\\u%04x' % ord(c))
        else:
            out.append(c)
    return ''.join(out) + '"'


def of_functions(table):
    """For every function: arguments that fit, and each argument once of every type."""
    for name in sorted(table):
        pools = table[name]
        choose = random.Random(name)
        every = list(itertools.product(*pools))
        kept = every if len(every) <= 30 else choose.sample(every, 30)
        for i in range(len(pools)):
            usual = [pool[min(len(pool) - 1, 2)] for pool in pools]
            kept += [tuple(usual[:i] + [odd] + usual[i + 1:]) for odd in TYPES]
        for arguments in dict.fromkeys(kept):
            yield 'std.%s(%s)' % (name, ', '.join(arguments))


def of_format():
    choose = random.Random('format')
    codes = list(itertools.product(FLAGS, WIDTHS, PRECISIONS, CONVERSIONS, VALUES))
    for flag, width, precision, conversion, value in choose.sample(codes, 700):
        stars = ['7'] * (width == '*') + ['2'] * (precision == '.*')
        yield 'std.format("[%%%s%s%s%s]", [%s])' % (flag, width, precision, conversion, ', '.join(stars + [value]))
    pairs = list(itertools.product(BROKEN, VALS))
    for template, values in choose.sample(pairs, 300):
        yield 'std.format(%s, %s)' % (literal(template), values)


def of_parse():
    for text in JSONS:
        yield 'std.parseJson(%s)' % literal(text)
    for text in YAMLS + JSONS:
        yield 'std.parseYaml(%s)' % literal(text)
    for odd in TYPES:
        yield 'std.parseJson(%s)' % odd
        yield 'std.parseYaml(%s)' % odd
    for key in BARE:
        yield 'std.manifestYamlDoc({%s: 1}, quote_keys=false)' % literal(key)
        yield 'std.manifestToml({%s: 1, t: {%s: {}}})' % (literal(key), literal(key))


def families():
    for family, table in FUNCTIONS.items():
        yield family, list(of_functions(table))
    yield 'format', list(of_format())
    yield 'parse', list(of_parse())
    yield 'calls', LAZY


def answer(question):
    ask = _gojsonnet if 'std.sha' in question else _jsonnet
    try:
        text = ask.evaluate_snippet('question', 'std.toString([%s])' % question)
    except RuntimeError as error:
        lines = str(error).splitlines()
        message = lines[0] if lines else ''
        return '! ' + message.removeprefix('RUNTIME ERROR: ')
    return '= ' + json.loads(text)


def child(questions, pipe):
    # What the reference traces is no answer.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    for question in questions:
        pipe.send(answer(question))


def ask(questions):
    """The answers to questions; `None` where the reference does not survive one or takes too long."""
    answers = []
    while len(answers) < len(questions):
        mine, its = multiprocessing.Pipe()
        process = multiprocessing.get_context('fork').Process(target=child, args=(questions[len(answers):], its))
        process.start()
        its.close()
        try:
            while len(answers) < len(questions) and mine.poll(10):
                answers.append(mine.recv())
        except EOFError:
            pass
        process.kill()
        process.join()
        if len(answers) < len(questions):
            answers.append(None)
    return answers


def main():
    if sys.argv[1:] == ['check']:
        every = {family + '.txt': list(dict.fromkeys(questions)) for family, questions in families()}
        return kept.check(HERE, lambda name, _: every[name], lambda _, text: text.split('\n')[:-1][::2])
    references = ', '.join('%s %s' % (name, importlib.metadata.version(name)) for name in ('jsonnet', 'gojsonnet'))
    for family, questions in families():
        if sys.argv[1:] and family not in sys.argv[1:]:
            continue
        questions = list(dict.fromkeys(questions))
        pairs = zip(questions, ask(questions))
        texts = [None if a is None or '\n' in a else '%s\n%s\n' % (q, a) for q, a in pairs]
        kept.keep(HERE, family + '.txt', references, {}, questions, texts)
        print(family, sum(text is not None for text in texts), 'of', len(questions), file=sys.stderr)


if __name__ == '__main__':
    main()
