//! Documents and their values.

use super::{json, json_of, merged, ran, type_of};
use crate::session::{Action, CheckOptions, Format};

fn all(programs: &[(&str, &str)]) {
    let wrong: Vec<String> = programs
        .iter()
        .filter_map(|(text, expected)| {
            let got = json(text);
            (got != *expected).then(|| format!("{text}\n  gives     {got}\n  expected  {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn scalars() {
    all(&[
        ("a: 007", r#"{"a":7}"#),
        ("a: -5", r#"{"a":-5}"#),
        ("a: 13.10", r#"{"a":13.1}"#),
        ("a: 1e3", r#"{"a":1000}"#),
        ("a: true\nb: yes\nc: null", r#"{"a":"true","b":"yes","c":"null"}"#),
        ("a:\nb: x", r#"{"a":"","b":"x"}"#),
        ("a: foo # bar\nb: 2 # c", r##"{"a":"foo # bar","b":"2 # c"}"##),
        ("# first\na: 1\n\n  # odd\n# last", r#"{"a":1}"#),
        ("a: http://x:80/y", r#"{"a":"http://x:80/y"}"#),
        ("a: \"5\"\nb: \" x \"", r#"{"a":5,"b":" x "}"#),
        ("a: {}\nb: []", r#"{"a":{},"b":[]}"#),
        ("a: x{{ 5 }}y\nb: {{ 1 }}{{ 2 }}", r#"{"a":"x5y","b":"12"}"#),
        ("a: {{ 6 / 2 }} is {{ 1 == 1 }}", r#"{"a":"3.0 is True"}"#),
        ("a: {{ 10 ** 20 }}\nb: v{{ 10 ** 20 }}", r#"{"a":1e+20,"b":"v100000000000000000000"}"#),
        ("", "{}"),
    ]);
}

#[test]
fn block_scalars() {
    all(&[
        ("a: |\n  x\n  y\nb: 1", r#"{"a":"x\ny\n","b":1}"#),
        ("a: |\n  x\n    y\n\n\nb: 1", r#"{"a":"x\n  y\n","b":1}"#),
        ("a: |+\n  x\n\nb: 1", r#"{"a":"x\n\n","b":1}"#),
        ("a: |-\n  x\n  y\n\n", r#"{"a":"x\ny"}"#),
        ("a: >\n  x\n  y\n", r#"{"a":"x y"}"#),
        ("n: 2\na: |\n  {{ n }} of: {{ n + 1 }}\n  end", r#"{"a":"2 of: 3\nend\n","n":2}"#),
        ("- |\n  x\n- y", r#"["x\n","y"]"#),
    ]);
}

#[test]
fn operators() {
    all(&[
        ("a: {{ 7 / 2 }}\nb: {{ 7 // 2 }}\nc: {{ -7 % 3 }}\nd: {{ 2 ** 10 }}", r#"{"a":3.5,"b":3,"c":2,"d":1024}"#),
        ("a: {{ 1 + \"b\" }}\nb: {{ '5' + 1 }}\nc: {{ 'x' + 'y' }}", r#"{"a":"1b","b":6,"c":"xy"}"#),
        ("a: {{ 1, 2 }}\nb: {{ (1, 2) }}\nc: {{ () }}", r#"{"a":[1,2],"b":[1,2],"c":[]}"#),
        ("a: {{ 6 & 3 }}\nb: {{ 6 | 3 }}\nc: {{ 6 ^ 3 }}\nd: {{ ~6 }}", r#"{"a":2,"b":7,"c":5,"d":-7}"#),
        ("a: {{ 1 << 4 }}\nb: {{ 256 >> 4 }}\nc: {{ 1 << 70 }}", r#"{"a":16,"b":16,"c":1.1805916207174113e+21}"#),
        ("a: {{ 1 < 2 < 3 }}\nb: {{ 1 < 2 > 5 }}\nc: {{ 2 <> 3 }}", r#"{"a":true,"b":false,"c":true}"#),
        ("a: {{ not 1 }}\nb: {{ 1 and 2 }}\nc: {{ 0 or 5 }}", r#"{"a":false,"b":2,"c":5}"#),
        (
            "a: {{ 2 in [1, 2] }}\nb: {{ 'b' in 'abc' }}\nc: {{ 'k' not in {'k': 1} }}",
            r#"{"a":true,"b":true,"c":false}"#,
        ),
        ("a: {{ 1 is 1 }}\nb: {{ 1 is not 1 }}", r#"{"a":true,"b":false}"#),
        ("a: {{ 1 if 0 else 3 }}\nb: {{ x else 'none' }}", r#"{"a":3,"b":"none"}"#),
        ("a: {{ -2 ** 2 }}\nb: {{ 2 ** 3 ** 2 }}\nc: {{ 0x1F }}", r#"{"a":-4,"b":512,"c":31}"#),
        ("a: {{ [1, 2, 3][1:] }}\nb: {{ [1, 2, 3][-1] }}\nc: {{ 'abc'[::-1] }}", r#"{"a":[2,3],"b":3,"c":"cba"}"#),
        ("a: {{ [x * 2 for x in range(4) if x % 2] }}", r#"{"a":[2,6]}"#),
        ("a: {{ {k: v for k, v in items({'x': 1, 'y': 2}) if v > 1} }}", r#"{"a":{"y":2}}"#),
        ("a: {{ {'x': 1}.x }}\nb: {{ {'x': {'y': 1}}['x']['y'] }}", r#"{"a":1,"b":1}"#),
        ("f: {{ (lambda x, y=2: x + y)(1) }}", r#"{"f":3}"#),
        ("a: {{ 1 / 0 }}", "error: division by zero [value/undefined]"),
    ]);
}

#[test]
fn functions() {
    for item in super::super::library::items() {
        for (call, expected) in item.examples {
            let program = format!("a: {{{{ {call} }}}}\nb: {{{{ a }}}}");
            let value: serde_json::Value = serde_json::from_str(&json(&program)).expect(call);
            let text = value["a"].to_string().replace('"', "").replace(',', ", ");
            assert_eq!(text, *expected, "{call}");
        }
    }
    all(&[
        (r#"a: {{ sub("(b+)(c)", r"<\2\1>", "abbcd") }}"#, r#"{"a":"a<cbb>d"}"#),
        ("a: {{ range(5, 0, -2) }}\nb: {{ range(3, 1) }}", r#"{"a":[5,3,1],"b":[]}"#),
        ("a: {{ default(nowhere, 5) }}", r#"{"a":5}"#),
    ]);
}

#[test]
fn layers() {
    all(&[
        ("a: 1\na: 2\nb: {{ a }}", r#"{"a":2,"b":2}"#),
        ("a:\n  x: 1\n  y:\n    z: 1\na:\n  y:\n    w: {{ a.y.z }}", r#"{"a":{"x":1,"y":{"w":1,"z":1}}}"#),
        ("a:\n  b: 2\na: 5", r#"{"a":5}"#),
        ("a: 1\na:\n  b: 2", "error: a dict cannot be on top of a number [value/type]"),
        ("a:\n  - 1\na:\n  - 2", r#"{"a":[2]}"#),
        ("extend a:\n  - 1\nextend a:\n  - 2", r#"{"a":[1,2]}"#),
        ("a:\n  - 1\nif 1:\n  extend a:\n    - 2\nextend a:\n  - 3", r#"{"a":[1,2,3]}"#),
        ("a:\n  - 1\nif 0:\n  extend a:\n    - 2\nextend a:\n  - 3", r#"{"a":[1,3]}"#),
        ("a:\n  x: 1\nif 1:\n  a:\n    y: {{ a.x }}\na:\n  z: 3", r#"{"a":{"x":1,"y":1,"z":3}}"#),
        ("extend d: {{ 1 }}", "error: the operand must be list, but is number [value/type]"),
        ("a:\n  x: 1\na: {}\n", r#"{"a":{"x":1}}"#),
    ]);
}

#[test]
fn guards() {
    all(&[
        ("if 0:\n  a: 1\nelif 1:\n  a: 2\nelse:\n  a: 3", r#"{"a":2}"#),
        ("if 0:\n  a: 1\nelif 0:\n  a: 2\nelse:\n  a: 3", r#"{"a":3}"#),
        ("x: 1\nif x:\n  if x == 2:\n    a: 1\n  else:\n    a: 2\nb: 1", r#"{"a":2,"b":1,"x":1}"#),
        ("x: 1\nif x == 2:\n  a: 1\nb: {{ a else 'no' }}", r#"{"b":"no","x":1}"#),
        ("a: 1\nif a == 1:\n  b: 2\na: 3", r#"{"a":3}"#),
        ("% if 1\n    a: 1\n% else\n    a: 2", r#"{"a":1}"#),
        ("a:\n  - 1\n  if 0:\n    - 2\n  if 1:\n    - 3\n  - 4", r#"{"a":[1,3,4]}"#),
        ("a:\n  if 0:\n    - 1", r#"{"a":[]}"#),
        ("a: 1\na:\n  if 0:\n    {{ 2 }}", r#"{"a":1}"#),
        ("x: b\na:\n  select x:\n    a: 1\n    b: 2", r#"{"a":2,"x":"b"}"#),
        ("x: b\nselect x:\n  a:\n    p: 1\n  b:\n    q: 2", r#"{"q":2,"x":"b"}"#),
        ("x: c\na:\n  select x:\n    a: 1\n    b: 2", "error: `select` has no case `c` [value/missing-field]"),
        ("x: c\na: {{ b else 3 }}\nb:\n  select x:\n    a: 1", "error: `select` has no case `c` [value/missing-field]"),
        ("x: 1\na:\n  select x:\n    1:\n      - p\n    2:\n      q: 1", r#"{"a":["p"],"x":1}"#),
        ("x:\n  y: 1\nif x.y == 1:\n  x:\n    z: 2", r#"{"x":{"y":1,"z":2}}"#),
    ]);
}

#[test]
fn loops() {
    all(&[
        ("a:\n  for i in range(3):\n    - {{ i }}", r#"{"a":[0,1,2]}"#),
        ("a:\n  for i in range(4) if i > 1:\n    - x{{ i }}\n    - {{ i }}", r#"{"a":["x2",2,"x3",3]}"#),
        ("a:\n  % for i in [1, 2]\n    - i: {{ i }}\n      j: {{ i + 1 }}", r#"{"a":[{"i":1,"j":2},{"i":2,"j":3}]}"#),
        ("a:\n  for i in [1, 2]:\n    for j in [3, 4]:\n      - {{ i * j }}", r#"{"a":[3,4,6,8]}"#),
        ("a:\n  for i in range(3):\n    if i != 1:\n      - {{ i }}", r#"{"a":[0,2]}"#),
        ("a:\n  - 0\n  for i in [1, 2]:\n    - {{ i }}\n  - 3", r#"{"a":[0,1,2,3]}"#),
        ("a:\n  for k, v in items({'p': 1}):\n    - {{ k }}{{ v }}", r#"{"a":["p1"]}"#),
        ("d:\n  p: 1\n  q: 2\na:\n  for k in d:\n    - {{ k }}", r#"{"a":["p","q"],"d":{"p":1,"q":2}}"#),
        ("i: 5\nb: {{ i + 1 }}\na:\n  for i in [1]:\n    - {{ i }}{{ b }}", r#"{"a":["16"],"b":6,"i":5}"#),
        ("for i in [1, 2]:\n  - {{ i }}", "[1,2]"),
    ]);
}

#[test]
fn names() {
    all(&[
        ("s: 1\na:\n  set t = 2\n  b: {{ s }}{{ t }}", r#"{"a":{"b":"12"},"s":1}"#),
        ("% let t = 1\na: {{ t }}", r#"{"a":1}"#),
        ("set t = 1\na:\n  set t = 2\n  b: {{ t }}\nc: {{ t }}", r#"{"a":{"b":2},"c":1}"#),
        (
            "a:\n  b: 1\n  c: {{ here.b }}\n  d:\n    b: 2\n    e: {{ here.b }}",
            r#"{"a":{"b":1,"c":1,"d":{"b":2,"e":2}}}"#,
        ),
        ("a:\n  set t = 1\n  - {{ t }}", r#"{"a":[1]}"#),
        ("t: 1\na:\n  t: 2\n  b: {{ t }}", r#"{"a":{"b":1,"t":2},"t":1}"#),
        ("a: {{ if.then }}\nb:\n  in: 2\nc: {{ b.in }}", "error: unexpected `if` [syntax/unexpected]"),
        ("b:\n  in: 2\nc: {{ b.in }}", r#"{"b":{"in":2},"c":2}"#),
    ]);
}

#[test]
fn macros_and_prototypes() {
    all(&[
        ("macro M:\n  - {{ x }}\n  - {{ y }}\na:\n  call M:\n    x: 1\n    y: 2", r#"{"a":[1,2]}"#),
        ("macro M:\n  p: {{ x }}\na:\n  call M:\n    x: 1\nb: {{ M(x=2).p }}", r#"{"a":{"p":1},"b":2}"#),
        ("k: 7\nmacro M:\n  p: {{ k }}\na:\n  call M:\n    x: 1", r#"{"a":{"p":7},"k":7}"#),
        ("k: 7\nmacro M:\n  p: {{ x }}\na: 1\ncall M:\n  x: {{ k }}\nb: {{ p }}", r#"{"a":1,"b":7,"k":7,"p":7}"#),
        ("macro M:\n  p: {{ x else 'none' }}\na:\n  call M:\n    y: 1", r#"{"a":{"p":"none"}}"#),
        ("macro M:\n  - {{ i }}\na:\n  for i in [1, 2]:\n    call M:\n      j: 1", r#"{"a":[1,2]}"#),
        (
            "prototype P:\n  a: 1\n  b: {{ self.c }}\nx:\n  new P:\n    c: 2\nnew P as z:\n  c: 3\nd: {{ z.b }}",
            r#"{"d":3,"x":{"a":1,"b":2,"c":2},"z":{"a":1,"b":3,"c":3}}"#,
        ),
        ("macro M:\n  set v = [255, 0]\n  size: {{ v[0] }}\nc:\n  call M:\n    p: 1", r#"{"c":{"size":255}}"#),
        ("prototype P:\n  name: p\nx:\n  new P:\n    name: q", r#"{"x":{"name":"q"}}"#),
        ("prototype P:\n  a: 1\nnew P:\n  c: {{ self.a }}", r#"{"a":1,"c":1}"#),
    ]);
}

#[test]
fn files() {
    let lib = ("lib.yay", "x: {{ y }}\nlist:\n  - 1\nmacro M:\n  p: {{ q }}");
    for (main, expected) in [
        ("include \"lib.yay\"\ny: 2", r#"{"list":[1],"x":2,"y":2}"#),
        ("y: 1\ninclude \"lib.yay\"\nextend list:\n  - {{ x }}", r#"{"list":[1,1],"x":1,"y":1}"#),
        ("y: 2\na:\n  include \"data.json\"", r#"{"a":{"k":[1,{"x":"s"}]},"y":2}"#),
        (
            "y: 2\nname: data\ninclude name + \".json\"\nb: {{ k[1].x }}",
            r#"{"b":"s","k":[1,{"x":"s"}],"name":"data","y":2}"#,
        ),
        ("on: 1\nif on:\n  include \"data.json\"\nb: {{ k[0] }}", r#"{"b":1,"k":[1,{"x":"s"}],"on":1}"#),
        ("on: 0\nif on:\n  include \"data.json\"\nb: {{ k else 2 }}", r#"{"b":2,"on":0}"#),
        ("search \"sub\"\ninclude \"deep.yay\"", r#"{"deep":1}"#),
        ("bar: 12\nport:\n  include \"lib.yay\"\ny: 3", r#"{"bar":12,"port":{"list":[1],"x":3},"y":3}"#),
        ("include \"p.yay\"\nz: 1\ny:\n  new P:\n    a: 1", r#"{"y":{"a":1,"of":1,"size":2},"z":1}"#),
        ("include \"p.yay\"\nb:\n  if v != 'x':\n    c: 1", r#"{"b":{"c":1}}"#),
        ("include \"lib.yay\"\ny: 1\nb:\n  call M:\n    q: 5\n    r: 6", r#"{"b":{"p":5},"list":[1],"x":1,"y":1}"#),
        ("include \"nowhere.yay\"", "error: no file `nowhere.yay` [import/not-found]"),
    ] {
        let files = [
            ("main.yay", main),
            lib,
            ("p.yay", "prototype P:\n  size: 2\n  of: {{ z }}\nset v = 'baz'"),
            ("data.json", r#"{"k": [1, {"x": "s"}]}"#),
            ("sub/deep.yay", "deep: 1"),
        ];
        let got = json_of(&files);
        assert_eq!(got, expected, "\n{main}");
    }
}

#[test]
fn other_languages_import_documents() {
    let files = [
        ("lib.yay", "host: a\nurl: http://{{ host }}\n"),
        ("main.yay", "include \"mix.cfg\"\nport: 81"),
        ("mix.cfg", "(import \"lib.yay\") & { port | default = 80, twice = 2 }"),
    ];
    assert_eq!(json_of(&files), r#"{"host":"a","port":81,"twice":2,"url":"http://a"}"#);
}

#[test]
fn a_layer_in_another_language_makes_keys_secret() {
    let document = "user: app\npassword: {{ user }}-x7\ndb:\n  host: localhost\n  password: y8\n";
    let marks = "{ password | secret, db = { password | secret } }";
    let files = [("main.yay", document), ("marks.cfg", marks)];
    let merged = |at: Option<&str>| {
        let at = at.map(String::from);
        merged(&files, Action::Merge { at, layers: false, format: Format::Json, explain: None })
    };
    let whole = merged(None);
    assert!(!whole.contains("x7") && !whole.contains("y8"), "{whole}");
    assert!(whole.contains("localhost") && whole.matches("<secret>").count() == 2, "{whole}");
    for at in ["password", "db.password"] {
        assert_eq!(merged(Some(at)).trim(), "\"<secret>\"", "{at}");
    }
}

#[test]
fn nothing_off_the_path_is_evaluated() {
    let at = |path: &str, text: &str| {
        let out = ran(&[("main.yay", text)], Action::Eval { at: Some(String::from(path)), format: Format::Json });
        String::from(out.trim())
    };
    assert_eq!(at("a.b", "a:\n  b: 1\n  c: {{ 1 / 0 }}\nd: {{ nowhere }}"), "1");
    assert_eq!(at("a", "x: 1\na: 1\nif x == 2:\n  a: {{ 1 / 0 }}\nif 1 / 0:\n  b: 1"), "1");
    assert_eq!(at("l[1]", "l:\n  - {{ 1 / 0 }}\n  - 2"), "2");
    assert_eq!(at("a", "a: 1\nif 1 / 0:\n  a: 2\na: 3"), "3");
}

#[test]
fn types() {
    for (text, expected) in [
        ("a: 1\nb: x\nc:\n  - 1\nd:\n  e: {{ a }}", "{a: number, b: string, c: [number], d: {e: number}}"),
        ("a: {{ 1 == 1 }}\nb: x{{ a }}", "{a: boolean, b: string}"),
        ("a:\n  for i in range(3):\n    - n: {{ i }}", "{a: [{n: number}]}"),
        ("x: 1\nif x:\n  a: 1", "{a?: number, x: number}"),
        ("a: 1\nx: 1\nif x:\n  a: 2", "{a: number, x: number}"),
        ("a: {{ b else 'x' }}", "{a: any}"),
        ("- 1\n- 2", "[number]"),
        ("macro M:\n  p: {{ x }}\na:\n  call M:\n    x: 1", "{a: {p: number}}"),
    ] {
        assert_eq!(type_of(text).trim(), expected, "\n{text}");
    }
}

#[test]
fn guards_read_the_layers_below_what_they_guard() {
    all(&[
        ("x:\n  y: 1\nif x.y == 1:\n  x:\n    z: 2", r#"{"x":{"y":1,"z":2}}"#),
        ("a: 1\nb: {{ a }}\nif b == 1:\n  a: 1\n  c: 2", r#"{"a":1,"b":1,"c":2}"#),
        ("a: 1\nif a == 1:\n  b: 2\nif b == 2:\n  c: 3", r#"{"a":1,"b":2,"c":3}"#),
        ("a: 1\nif 0:\n  a: 2\nif a == 1:\n  a: 1", r#"{"a":1}"#),
        ("l:\n  - 1\nif len(l) > 0:\n  extend l:\n    - 2", r#"{"l":[1,2]}"#),
        ("x: 1\nselect x:\n  1:\n    y: 2\n    x: 1\n  2:\n    y: 3", r#"{"x":1,"y":2}"#),
    ]);
}

#[test]
fn a_guard_that_changes_what_it_reads_is_a_paradox() {
    let paradox = |text: &str| {
        let out = ran(&[("main.yay", text)], Action::Eval { at: None, format: Format::Json });
        out.lines()
            .filter(|line| line.contains("paradox") || line.contains("^") || line.contains("---"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_eq!(
        paradox("a: 1\nif a == 1:\n  a: 2"),
        "error: paradox: the guard changed from True to False: `a` changed from 1 to 2 [value/paradox]\n"
            .to_string()
            .trim_end()
            .to_string()
            + "\n  |    ^^^^^^ what this guards changes what it reads"
    );
    for text in [
        "a: 1\nb: {{ a }}\nif b == 1:\n  a: 2",
        "if b == 1:\n  a: 2\nb: {{ a else 1 }}",
        "l:\n  - 1\nif len(l) == 1:\n  extend l:\n    - 2",
        "a: 1\nif a == 1:\n  b: 2\nif b == 2:\n  a: 3",
        "x: a\nselect x:\n  a:\n    x: b\n  b:\n    y: 1",
    ] {
        assert!(json(text).contains("paradox"), "{text}\n{}", json(text));
    }
    for (text, at) in [
        ("a: 1\nb: {{ a }}\nif b == 1:\n  a: 2", "a"),
        ("a: 1\nb: {{ a }}\nif b == 1:\n  a: 2", "b"),
        ("a: 1\nif a == 1:\n  a: 2", "a"),
        ("l:\n  - 1\nif len(l) == 1:\n  extend l:\n    - 2", "l[0]"),
        ("d:\n  a: 1\n  b: 2\nif d.a == 1:\n  d:\n    a: 2", "d.a"),
    ] {
        let action = Action::Eval { at: Some(String::from(at)), format: Format::Json };
        let out = ran(&[("main.yay", text)], action);
        assert!(out.contains("paradox"), "{text}\n--at {at}: {out}");
    }
}

#[test]
fn cycles_name_every_hop() {
    let out =
        ran(&[("main.yay", "a: {{ b }}\nb: {{ c }}\nc: x{{ a }}")], Action::Eval { at: None, format: Format::Json });
    for part in ["infinite-recursion", "main.yay:1:1", "main.yay:2:1", "main.yay:3:1"] {
        assert!(out.contains(part), "{out}");
    }
}

#[test]
fn a_key_keeps_its_kind_under_every_combination_of_guards() {
    let check = |text: &str| {
        ran(&[("main.yay", text)], Action::Check(CheckOptions { strict: true, ..CheckOptions::default() }))
    };
    let out = check("foo: bar\nqux: quux\nif somexpr:\n  foo: []\nqux: fozzle\nsomexpr: {{ 1 if qux else 2 }}");
    for part in ["`foo` changes from string to list", "main.yay:4:", "main.yay:1:", "where this holds", "main.yay:3:4"]
    {
        assert!(out.contains(part), "{part}\n{out}");
    }
    for fine in [
        "foo: bar\nif 1 == 2:\n  foo:\n    - 1",
        "mode: prod\nfoo: bar\nif mode == 'debug':\n  foo:\n    - 1",
        "mode: prod\nfoo: bar\nif mode == 'prod':\n  foo: x\nelse:\n  foo: 1",
        "mode: a\nfoo: 1\nselect mode:\n  a:\n    foo: 2\n  b:\n    foo: x",
        "foo: bar\nif x:\n  foo: baz\nx: {{ foo }}",
    ] {
        assert_eq!(check(fine), "", "{fine}");
    }
}

#[test]
fn branches_that_define_one_key_are_alternatives() {
    all(&[
        ("m: 2\na: 0\nif m == 1:\n  a: 1\nelif m == 2:\n  a: 2\n  a:\n    - 3\nelse:\n  a: 4", r#"{"a":[3],"m":2}"#),
        ("m: 2\nif m == 1:\n  a:\n    x: 1\nelif m == 2:\n  a:\n    y: 2\na:\n  z: 3", r#"{"a":{"y":2,"z":3},"m":2}"#),
        (
            "m: 3\na:\n  - 0\nif m == 1:\n  extend a:\n    - 1\nelif m == 3:\n  extend a:\n    - 3\n",
            r#"{"a":[0,3],"m":3}"#,
        ),
        ("m: b\nselect m:\n  a:\n    x: 1\n  b:\n    x: 2\n    y: {{ x }}", r#"{"m":"b","x":2,"y":2}"#),
        // a branch reads the layers below the whole `if`
        ("a: 0\nif a == 1:\n  a: 1\nelif a == 0:\n  b: 2\nelif a == 3:\n  a: 3", r#"{"a":0,"b":2}"#),
        ("a: 3\nif a == 1:\n  a: 1\nelif a == 2:\n  a: 2\nelse:\n  a: 3\n  c: {{ a }}", r#"{"a":3,"c":3}"#),
    ]);
    let paradox = json("a: 1\nif a == 2:\n  b: 1\nelif a == 1:\n  a: 2\n");
    assert!(
        paradox.starts_with("error: paradox: the guard changed from True to False: `a` changed from 1 to 2"),
        "{paradox}"
    );
}
