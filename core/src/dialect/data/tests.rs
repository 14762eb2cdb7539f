//! Tests of data files: each case is a text, its term and its problems.

use crate::dialect::{Dialect, StdNames};
use crate::problem::report::Report;
use crate::term::{FieldName, Node, NodeId, Term};
use crate::text::{SourceId, Sources};
use std::fmt::Write;

/// Prints the term in the notation of cfg, on one line.
fn show(term: &Term, id: NodeId, out: &mut String) {
    match term.node(id) {
        Node::Hole => out.push('?'),
        Node::Null => out.push_str("null"),
        Node::Bool(b) => write!(out, "{b}").unwrap(),
        Node::Number(n) => write!(out, "{n}").unwrap(),
        Node::Str(s) => write!(out, "{s:?}").unwrap(),
        Node::Array(elements) => {
            out.push('[');
            for (i, element) in elements.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                show(term, *element, out);
            }
            out.push(']');
        }
        Node::Record(record) => {
            out.push('{');
            for (i, field) in record.fields.iter().enumerate() {
                let FieldName::Static(name) = &field.name else { panic!("computed name") };
                write!(out, "{}{name} = ", if i > 0 { ", " } else { "" }).unwrap();
                show(term, field.body.unwrap(), out);
            }
            out.push('}');
        }
        Node::Local { up, slot } => write!(out, "<{up}:{slot}>").unwrap(),
        Node::Project(of, name) => {
            show(term, *of, out);
            write!(out, ".{name}").unwrap();
        }
        Node::Let(it) => {
            out.push_str("let rec");
            for binding in &it.bindings {
                out.push(' ');
                show(term, binding.body, out);
            }
            out.push_str(" in ");
            show(term, it.body, out);
        }
        Node::Variant(tag, argument) => {
            write!(out, "{tag} ").unwrap();
            show(term, *argument, out);
        }
        other => panic!("{other:?}"),
    }
}

fn read(dialect: Dialect, text: &str) -> (String, Vec<String>) {
    let mut sources = Sources::default();
    let source = sources.add("x", text);
    let program = dialect.program(source, text, &StdNames);
    let mut shown = String::new();
    show(&program.term, program.term.root, &mut shown);
    let problems = program
        .problems
        .iter()
        .map(|p| {
            let report = Report::of(p, Dialect::CFG.notation());
            format!("{} {} [{}]", sources.locate(p.span().unwrap()), report.message, report.code)
        })
        .collect();
    (shown, problems)
}

fn cases(dialect: Dialect, cases: &[(&str, &str, &[&str])]) {
    for (text, term, problems) in cases {
        let (shown, found) = read(dialect, text);
        assert_eq!(shown, *term, "{text}");
        assert_eq!(found, *problems, "{text}");
    }
}

#[test]
fn json_reads() {
    cases(
        Dialect::JSON,
        &[
            ("null", "null", &[]),
            (" [1, -2.50, 1e3, true] ", "[1, -2.5, 1000, true]", &[]),
            (r#"{"a": {"b c": []}, "": {}}"#, "{a = {b c = []},  = {}}", &[]),
            (r#""\ud83d\ude00\u0041\n\/""#, r#""😀A\n/""#, &[]),
            ("\u{feff}1", "1", &[]),
            ("0.1234567890123456789012", "0.1234567890123457", &[]),
            (r#"{"a": 1, "a": 2}"#, "{a = 1, a = 2}", &["x:1:10 duplicate key `a` [data/duplicate-key]"]),
        ],
    );
}

#[test]
fn json_goes_on_after_an_error() {
    cases(
        Dialect::JSON,
        &[
            ("", "?", &["x:1:1 unexpected end of the file [data/unexpected]"]),
            ("[1, 2,]", "[1, 2]", &["x:1:6 a comma after the last element [data/syntax]"]),
            ("[1 2]", "[1, 2]", &["x:1:4 unexpected `2` [data/unexpected]"]),
            ("[1,,2]", "[1, ?, 2]", &["x:1:4 a comma without an element before it [data/syntax]"]),
            (r#"{"a": 1,}"#, "{a = 1}", &["x:1:8 a comma after the last element [data/syntax]"]),
            (
                r#"{"a" 1, b: 2}"#,
                "{a = 1, b = 2}",
                &["x:1:6 unexpected `1` [data/unexpected]", "x:1:9 a key that needs quotes [data/syntax]"],
            ),
            (
                r#"{"a": , "b": }"#,
                "{a = ?, b = ?}",
                &["x:1:7 a key without a value [data/syntax]", "x:1:14 a key without a value [data/syntax]"],
            ),
            (r#"{"a": [1, 2, "b": 3}"#, r#"{a = [1, 2, "b", 3]}"#, &["x:1:7 unclosed array [data/unclosed]"]),
            (
                "[01, +1, .5, 1., 1e, NaN]",
                "[?, ?, ?, ?, ?, ?]",
                &[
                    "x:1:2 a number that begins with 0 [data/syntax]",
                    "x:1:6 unexpected `+1` [data/unexpected]",
                    "x:1:10 unexpected `.5` [data/unexpected]",
                    "x:1:14 unexpected `1.` [data/unexpected]",
                    "x:1:18 neither a number nor a text in quotes [data/syntax]",
                    "x:1:22 unexpected `NaN` [data/unexpected]",
                ],
            ),
            ("1e999999999", "?", &["x:1:1 the number is too large [data/number]"]),
            (
                r#"["\x", "\ud800", "\u12"]"#,
                "[\"\u{fffd}\", \"\u{fffd}\", \"\u{fffd}\"]",
                &[
                    r"x:1:3 invalid escape `\x` in a string [data/escape]",
                    r"x:1:9 invalid escape `\ud800` in a string [data/escape]",
                    r"x:1:19 invalid escape `\u12` in a string [data/escape]",
                ],
            ),
            ("\"a\tb\"", "\"a\\tb\"", &["x:1:3 unescaped control character U+0009 in a string [data/control]"]),
            ("[\"abc", "[\"abc\"]", &["x:1:2 unclosed string [data/unclosed]"]),
            ("1 2", "1", &["x:1:3 more than one value in the file [data/syntax]"]),
            ("]", "?", &["x:1:1 a closing bracket without an opening one [data/syntax]"]),
        ],
    );
}

#[test]
fn every_part_has_its_place() {
    let text = r#"{"a": [10, "x"]}"#;
    let term = Dialect::JSON.program(SourceId(0), text, &StdNames).term;
    let places: Vec<&str> = term.spans.iter().map(|s| &text[s.start as usize..s.end as usize]).collect();
    assert_eq!(places, ["10", "\"x\"", "[10, \"x\"]", text]);
    let Node::Record(record) = term.node(term.root) else { panic!() };
    let name = record.fields[0].name_span;
    assert_eq!(&text[name.start as usize..name.end as usize], "\"a\"");
}

#[test]
fn depth_does_not_overflow_and_errors_are_bounded() {
    let deep = "[".repeat(300_000);
    assert_eq!(Dialect::JSON.program(SourceId(0), &deep, &StdNames).problems.len(), 1);
    let wrong = "[!,".repeat(300_000);
    assert_eq!(Dialect::JSON.program(SourceId(0), &wrong, &StdNames).problems.len(), 101);
    let closed = format!("{deep}{}", "]".repeat(300_000));
    assert!(Dialect::JSON.program(SourceId(0), &closed, &StdNames).problems.is_empty());
}

#[test]
fn yaml_scalars_follow_the_core_schema() {
    for (text, term) in [
        ("0o10", "8"),
        ("0x1F", "31"),
        ("~", "null"),
        ("", "null"),
        ("Null", "null"),
        ("nUll", "\"nUll\""),
        ("TRUE", "true"),
        ("tRue", "\"tRue\""),
        ("2020-01-01", "\"2020-01-01\""),
        ("1e3", "1000"),
        ("1.", "1"),
        (".5", "0.5"),
        ("+1", "1"),
        ("-.5e3", "-500"),
        ("1_000", "\"1_000\""),
        ("0b11", "\"0b11\""),
        ("12e03", "12000"),
        ("-0x1F", "\"-0x1F\""),
        ("0xG", "\"0xG\""),
        ("1e", "\"1e\""),
        ("1.5.2", "\"1.5.2\""),
        ("0xFFFFFFFFFFFFFFFFFF", "\"0xFFFFFFFFFFFFFFFFFF\""),
        ("'1'", "\"1\""),
        ("\"a\\nb\\u00e9\"", "\"a\\nbé\""),
        ("!!str 1", "\"1\""),
        ("!!int 3", "3"),
        ("!foo bar", "!foo \"bar\""),
        ("!!float 1", "1"),
        ("!!null ~", "null"),
    ] {
        assert_eq!(read(Dialect::YAML, &format!("- {text}\n")), (format!("[{term}]"), vec![]), "{text}");
    }
    // YAML 1.1 reads another value
    let (text, problems) = read(Dialect::YAML, "- yes\n");
    assert_eq!(text, "[\"yes\"]");
    assert!(problems.iter().all(|problem| problem.ends_with("[data/other-value]")) && problems.len() == 1);
    let (octal, problems) = read(Dialect::YAML, "- 010\n");
    assert_eq!(octal, "[10]");
    assert!(problems.iter().all(|problem| problem.ends_with("[data/leading-zero]")) && problems.len() == 1);
}

#[test]
fn yaml_reads() {
    cases(
        Dialect::YAML,
        &[
            ("", "null", &[]),
            ("# c\n", "null", &[]),
            ("\u{feff}a: 1\r\nb:\r\n- 2\r\n", "{a = 1, b = [2]}", &[]),
            ("--- 1\n--- {a: 2}\n...\n", "[1, {a = 2}]", &[]),
            ("1.50: a\ntrue: b\n~: c\n", "{1.50 = \"a\", true = \"b\", ~ = \"c\"}", &[]),
            (
                "a: |\n  hello\n  world\nb: >-\n  folded\n  text\n",
                "{a = \"hello\\nworld\\n\", b = \"folded text\"}",
                &[],
            ),
            ("a: &x {b: 1}\nc: *x\n", "let rec {b = 1} in {a = <1:0>, c = <1:0>}", &[]),
            ("- &x [&y 1, *y]\n- *x\n", "let rec [<0:1>, <0:1>] 1 in [<0:0>, <0:0>]", &[]),
            ("&x {a: {b: *x}}\n", "let rec {a = {b = <2:0>}} in <0:0>", &[]),
            (
                "a: &x 1\na: &x 2\nb: *x\n",
                "let rec 1 2 in {a = <1:0>, a = <1:1>, b = <1:1>}",
                &["x:2:1 duplicate key `a` [data/duplicate-key]"],
            ),
            (
                "a: &x {b: 1, c: 2}\nd:\n  c: 3\n  <<: *x\n",
                "let rec {b = 1, c = 2} in {a = <1:0>, d = {c = 3, b = <2:0>.b}}",
                &[],
            ),
            (
                "- &x {b: 1}\n- &y {<<: *x, c: 2}\n- <<: [{b: 0}, *y]\n",
                "let rec {b = 1} {b = <1:0>.b, c = 2} {b = 0} in [<0:0>, <0:1>, {b = <1:2>.b, c = <1:1>.c}]",
                &[],
            ),
            ("a: [\n  1, # one\n]\nb: {\n}\n", "{a = [1], b = {}}", &[]),
            ("\"<<\": 1\n", "{<< = 1}", &[]),
            // a standard tag decides, in quotes too
            (
                "[!!int \"7\", !!bool 'true', !!null \"\", !!float \"1.5\", !!str 7]\n",
                "[7, true, null, 1.5, \"7\"]",
                &[],
            ),
            (
                "<<: 1\n",
                "{<< = 1}",
                &["x:1:5 `<<` is an ordinary key here: its value is not a mapping [data/merge-key]"],
            ),
        ],
    );
}

#[test]
fn yaml_errors() {
    cases(
        Dialect::YAML,
        &[
            ("a: *nope\n", "{a = ?}", &["x:1:4 unknown anchor `nope` [data/anchor]"]),
            ("- !!int \"x\"\n", "[?]", &["x:1:3 the value does not match its tag `!!int` [data/tag]"]),
            ("- .inf\n- 1\n", "[?, 1]", &["x:1:3 numbers cannot be infinite or NaN [data/number]"]),
            ("? [a]\n: 1\nb: 2\n", "{b = 2}", &["x:1:3 keys must be text [data/key]"]),
            (
                "- !!int x\n- !!wat 1\n",
                "[?, ?]",
                &["x:1:3 the value does not match its tag `!!int` [data/tag]", "x:2:3 unknown tag `!!wat` [data/tag]"],
            ),
        ],
    );
    let mut bomb = String::from("- &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for i in 1..12 {
        let before = format!("*a{}", i - 1);
        bomb += &format!("- &a{i} [{}]\n", vec![before; 10].join(", "));
    }
    let (_, problems) = read(Dialect::YAML, &bomb);
    assert_eq!(problems, ["x:8:13 the aliases expand to too many values [data/aliases]"]);
}

#[test]
fn yaml_places_are_bytes() {
    let text = "é: [ü, 'ß']\r\nx:\r\n  - 10\r\n  - q: r\r\ny: 1\r\n";
    let term = Dialect::YAML.program(SourceId(0), text, &StdNames).term;
    let places: Vec<&str> = term.spans.iter().map(|s| &text[s.start as usize..s.end as usize]).collect();
    assert_eq!(places, ["ü", "'ß'", "[ü, 'ß']", "10", "r", "q: r", "- 10\r\n  - q: r", "1", text.trim_end()]);
}

#[test]
fn toml_reads() {
    cases(
        Dialect::TOML,
        &[
            ("", "{}", &[]),
            (
                "a = 1_000\nb = 0xDEAD_BEEF\nc = 0o17\nd = 0b11\ne = +1\nf = 1.5e3\ng = -0.0\n",
                "{a = 1000, b = 3735928559, c = 15, d = 3, e = 1, f = 1500, g = 0}",
                &[],
            ),
            (
                "a = 0.1234567890123456789\nb = 9223372036854775808\n",
                "{a = 0.1234567890123457, b = 9.223372036854776e18}",
                &[],
            ),
            ("a = 1979-05-27 07:32:00\nb = 07:32:00\n", "{a = \"1979-05-27T07:32:00\", b = \"07:32:00\"}", &[]),
            (
                "a.b.c = 1\na.d = 2\n[t]\nx=1\n[[arr]]\ny=1\n[[arr]]\nz=2\n[arr.sub]\nq=1\n",
                "{a = {b = {c = 1}, d = 2}, t = {x = 1}, arr = [{y = 1}, {z = 2, sub = {q = 1}}]}",
                &[],
            ),
            (
                "a = [1, \"x\", {b = 1}]\ninline = { x = 1, y.z = 2 }\n",
                "{a = [1, \"x\", {b = 1}], inline = {x = 1, y = {z = 2}}}",
                &[],
            ),
            ("[a.b]\nc = 1\n[a]\nd = 2\n", "{a = {b = {c = 1}, d = 2}}", &[]),
            ("\"a b\" = '''raw\\\n'''\n'' = \"\"\"\nx\\\n  y\"\"\"\n", "{a b = \"raw\\\\\\n\",  = \"xy\"}", &[]),
        ],
    );
}

#[test]
fn toml_goes_on_after_an_error() {
    cases(
        Dialect::TOML,
        &[
            ("a = 1\na = 2\nb = 3\n", "{a = 1, b = 3}", &["x:2:1 duplicate key `a` [data/duplicate-key]"]),
            ("[a]\n[b]\n[a]\nx = 1\n", "{a = {}, b = {}}", &["x:3:2 `a` is defined twice [data/duplicate-key]"]),
            ("a = {b = 1}\n[a.c]\n", "{a = {b = 1}}", &["x:2:2 `a` is defined twice [data/duplicate-key]"]),
            ("[a.b]\n[a]\nb.c = 1\n", "{a = {b = {}}}", &["x:3:1 `b` is defined twice [data/duplicate-key]"]),
            ("a = [1]\n[[a]]\n", "{a = [1]}", &["x:2:3 `a` is defined twice [data/duplicate-key]"]),
            (
                "a = inf\nb = 1900-02-29\nc = 1\n",
                "{a = ?, b = ?, c = 1}",
                &["x:1:5 numbers cannot be infinite or NaN [data/number]", "x:2:5 not a date or a time [data/syntax]"],
            ),
            (
                "a = \nb = 1\nc = ]\nd = 2\n",
                "{a = ?, b = 1, c = [], d = 2}",
                &[
                    "x:1:3 a key without a value [data/syntax]",
                    "x:3:5 a closing bracket without an opening one [data/syntax]",
                ],
            ),
        ],
    );
}

#[test]
fn toml_depth() {
    let deep = format!("a = {}", "[".repeat(100_000));
    assert!(!Dialect::TOML.program(SourceId(0), &deep, &StdNames).problems.is_empty());
    let dotted = format!("{}a = 1\n[{}b]\n", "a.".repeat(50_000), "b.".repeat(50_000));
    assert!(Dialect::TOML.program(SourceId(0), &dotted, &StdNames).problems.is_empty());
}

#[test]
fn the_values_of_a_json_text_are_counted_before_it_is_read() {
    let entries: Vec<String> =
        (0..1000).map(|i| format!(r#"{{"id": {i}, "tags": ["a", "b"], "in": {{"x": null}}}}"#)).collect();
    let text = format!("[{}]", entries.join(",\n"));
    let program = super::json(SourceId(0), &text, crate::dialect::Stop::NEVER);
    assert_eq!(super::json::count_values(&text), program.term.nodes.len());
    // an upper bound
    let text = r#"{"a, b": [], "c": {}, "d": "[{,"}"#;
    let program = super::json(SourceId(0), text, crate::dialect::Stop::NEVER);
    assert_eq!((super::json::count_values(text), program.term.nodes.len()), (10, 4));
}
