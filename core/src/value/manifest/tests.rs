//! Compares the output with that of Nickel 1.18.

use super::{ManifestFormat, Style, export, manifest};
use crate::dialect::{Dialect, StdNames};
use crate::meta::Priority;
use crate::problem::report::Report;
use crate::term::{FieldName, Node, NodeId, Term};
use crate::text::SourceId;
use crate::value::datum::{Datum, Entry};

fn datum(term: &Term, id: NodeId) -> Datum {
    match term.node(id) {
        Node::Null => Datum::Null,
        Node::Bool(b) => Datum::Bool(*b),
        Node::Number(n) => Datum::Number(n.clone()),
        Node::Str(s) => Datum::String(s.clone()),
        Node::Array(elements) => Datum::Array(elements.iter().map(|e| datum(term, *e)).collect()),
        Node::Record(record) => Datum::Record(
            record
                .fields
                .iter()
                .map(|field| {
                    let FieldName::Static(name) = &field.name else { panic!() };
                    entry(name, Some(datum(term, field.body.unwrap())))
                })
                .collect(),
        ),
        other => panic!("{other:?}"),
    }
}

fn entry(name: &str, value: Option<Datum>) -> Entry {
    let (priority, name) = (Priority::Normal, name.into());
    Entry { name, value, priority, not_exported: false, optional: false, contracts: vec![], doc: None }
}

/// Parses a value from JSON.
fn value(json: &str) -> Datum {
    let program = Dialect::JSON.program(SourceId(0), json, &StdNames);
    assert!(program.problems.is_empty(), "{json}");
    datum(&program.term, program.term.root)
}

fn check(format: ManifestFormat, cases: &[(&str, &str)]) {
    for (json, text) in cases {
        assert_eq!(manifest(&value(json), format).as_deref(), Ok(*text), "{json}");
    }
}

#[test]
fn json() {
    check(
        ManifestFormat::Json,
        &[
            ("[]", "[]"),
            ("{}", "{}"),
            ("[{}, [1, []]]", "[\n  {},\n  [\n    1,\n    []\n  ]\n]"),
            (
                r#"{"z": 1, "a": {"b": null}, "M": true, "é": 1e21}"#,
                "{\n  \"M\": true,\n  \"a\": {\n    \"b\": null\n  },\n  \"z\": 1,\n  \"é\": 1e+21\n}",
            ),
            (r#""\u0001\b\f\n\r\t\"\\\/\u007f é""#, "\"\\u0001\\b\\f\\n\\r\\t\\\"\\\\/\u{7f} é\""),
        ],
    );
}

#[test]
fn yaml_layout() {
    check(
        ManifestFormat::Yaml,
        &[
            ("\"x\"", "x\n"),
            ("[]", "[]\n"),
            (
                r#"[{"a": [1, {"b": 2}], "c": {}}, [], [[1], [2]], {}]"#,
                "- a:\n  - 1\n  - b: 2\n  c: {}\n- []\n- - - 1\n  - - 2\n- {}\n",
            ),
            (r#"{"a": {"b": {"c": [[{"x": 1, "y": 2}]]}}}"#, "a:\n  b:\n    c:\n    - - x: 1\n        y: 2\n"),
            (r#"{"a\nb": {"c": 1}}"#, "? |-\n  a\n  b\n: c: 1\n"),
            (r#"{"a\nb": [1]}"#, "? |-\n  a\n  b\n: - 1\n"),
            (
                r#"["a\nb", ["x\ny", {"a": "  q\nb"}]]"#,
                "- |-\n  a\n  b\n- - |-\n    x\n    y\n  - a: |2-\n        q\n      b\n",
            ),
            (r#""a\n\n""#, "|+\n  a\n\n"),
            (r#"{"b": "\n"}"#, "b: |2+\n\n"),
            (r#"{"k": "\na"}"#, "k: |2-\n\n  a\n"),
            (r#""multi\nline\n""#, "|\n  multi\n  line\n"),
            (r#""a \nb""#, "\"a \\nb\"\n"),
            (r#""a\n b""#, "|-\n  a\n   b\n"),
            (r#""x\n ""#, "\"x\\n \"\n"),
        ],
    );
}

/// Pairs of a string and its YAML output.
#[test]
fn yaml_strings() {
    for (text, yaml) in [
        ("tab\tq", "\"tab\\tq\""),
        ("😀", "😀"),
        ("a: b", "'a: b'"),
        ("a #b", "'a #b'"),
        ("- x", "'- x'"),
        ("", "''"),
        (" x", "' x'"),
        ("a,b", "a,b"),
        ("?x", "?x"),
        ("@x", "'@x'"),
        ("---", "'---'"),
        ("a:", "'a:'"),
        (":a", ":a"),
        ("1_000", "1_000"),
        ("0b1", "'0b1'"),
        ("+1", "'+1'"),
        ("1e3", "'1e3'"),
        (".5", "'.5'"),
        ("nan", "nan"),
        (".inf", "'.inf'"),
        ("01", "'01'"),
        ("0x", "0x"),
        ("1.", "'1.'"),
        ("-", "'-'"),
        ("~", "'~'"),
        ("yes", "yes"),
        ("tRUE", "tRUE"),
        ("True", "'True'"),
        ("2020-01-01", "2020-01-01"),
        ("it's", "it's"),
        ("'", "''''"),
        ("a\u{7f}", "\"a\\x7F\""),
        ("\u{85}", "\"\\N\""),
        ("x\r", "\"x\\r\""),
    ] {
        assert_eq!(manifest(&Datum::String(text.into()), ManifestFormat::Yaml), Ok(format!("{yaml}\n")), "{text:?}");
    }
}

#[test]
fn toml_layout() {
    check(
        ManifestFormat::Toml,
        &[
            ("{}", ""),
            (
                r#"{"z": 1, "a": {"b": 1, "c": {"d": 2}}, "m": "x", "arr": [{"a": 1}, {"b": 2}], "arr2": [1], "arr3": [],
                    "e": {}, "mix": [1, {"a": 2}], "nest": [[1, 2], [3]], "t": {"q": [{"x": 1, "y": {"z": 2}}]},
                    "onlytab": {"sub": {"sub2": {"v": 1}}}}"#,
                "arr2 = [1]\narr3 = []\nm = \"x\"\nmix = [\n    1,\n    { a = 2 },\n]\nnest = [\n    [\n    1,\n    2,\n],\n    \
                 [3],\n]\nz = 1\n\n[a]\nb = 1\n\n[a.c]\nd = 2\n\n[[arr]]\na = 1\n\n[[arr]]\nb = 2\n\n[e]\n\n\
                 [onlytab.sub.sub2]\nv = 1\n\n[[t.q]]\nx = 1\n\n[t.q.y]\nz = 2\n",
            ),
            (r#"{"a": [{"x": {"y": 1}}, {}]}"#, "[[a]]\n\n[a.x]\ny = 1\n\n[[a]]\n"),
            (
                r#"{"a b": 1, "a.b": 2, "": 3, "é": 4, "a\"b": 5, "it's": 6, "1": 7, "a-b_c": 8, "x\ny": 9}"#,
                "\"\" = 3\n1 = 7\n\"a b\" = 1\n'a\"b' = 5\na-b_c = 8\n\"a.b\" = 2\n\"it's\" = 6\n\"x\\ny\" = 9\n\"é\" = 4\n",
            ),
        ],
    );
}

#[test]
fn toml_strings() {
    for (text, toml) in [
        ("a\"b", "'a\"b'"),
        ("''' and \n", "\"\"\"\n''' and \n\"\"\""),
        ("\"\"\"", "'\"\"\"'"),
        ("\\\n", "'''\n\\\n'''"),
        ("\u{7f}", "\"\\u007F\""),
        ("it's", "\"it's\""),
        ("back\\slash", "'back\\slash'"),
        ("tab\tx", "\"tab\\tx\""),
        ("both \" and '", "\"\"\"both \" and '\"\"\""),
        ("a\r\nb", "\"\"\"\na\\r\nb\"\"\""),
    ] {
        let record = Datum::Record(vec![entry("s", Some(Datum::String(text.into())))]);
        assert_eq!(manifest(&record, ManifestFormat::Toml), Ok(format!("s = {toml}\n")), "{text:?}");
    }
}

#[test]
fn what_has_no_form_names_its_path() {
    let say = |value: Datum, format| {
        let report = Report::of(&manifest(&value, format).unwrap_err(), Dialect::CFG.notation());
        format!("{} ({})", report.message, report.notes.last().cloned().unwrap_or_default())
    };
    let within = |value| Datum::Record(vec![entry("a b", Some(Datum::Array(vec![Datum::Null, value])))]);
    assert_eq!(
        say(within(Datum::Function(None)), ManifestFormat::Json),
        "a function cannot be exported (in the exported field `\"a b\"[1]`)"
    );
    assert_eq!(say(within(Datum::Null), ManifestFormat::Toml), "TOML has no null (in the exported field `\"a b\"[0]`)");
    assert_eq!(
        say(within(Datum::Record(vec![entry("x", None)])), ManifestFormat::Yaml),
        "missing definition for `x` (in the exported field `\"a b\"[1].x`)"
    );
    assert_eq!(say(value("1"), ManifestFormat::Toml), "TOML needs a record, this is a number ()");
    assert_eq!(
        say(value("[1e400]"), ManifestFormat::Json),
        "the number is too large to be exported (in the exported field `[0]`)"
    );
    assert_eq!(manifest(&Datum::String("a\nb".into()), ManifestFormat::Text).as_deref(), Ok("a\nb"));
    assert_eq!(say(value("{}"), ManifestFormat::Text), "text needs a string, this is a record ()");
}

#[test]
fn what_is_not_exported_is_left_out() {
    let record = Datum::Record(vec![
        Entry { not_exported: true, ..entry("a", Some(Datum::Function(None))) },
        Entry { not_exported: true, ..entry("b", None) },
        Entry { optional: true, ..entry("c", None) },
        entry("d", Some(Datum::Tag("T".into()))),
    ]);
    assert_eq!(manifest(&record, ManifestFormat::Json).as_deref(), Ok("{\n  \"d\": \"T\"\n}"));
}

#[test]
fn depth_is_bounded_by_what_it_would_write() {
    let deep = |depth| (0..depth).fold(Datum::Null, |inner, _| Datum::Array(vec![inner]));
    let fine = deep(2000);
    assert_eq!(manifest(&fine, ManifestFormat::Json).unwrap().lines().count(), 4001);
    let much = deep(50_000);
    assert_eq!(manifest(&much, ManifestFormat::Json).unwrap_err().code(), "export/too-deep");
}

#[test]
fn a_secret_is_masked_in_every_format() {
    let record = Datum::Record(vec![entry("key", Some(Datum::Secret))]);
    for (format, text) in [
        (ManifestFormat::Json, "{\n  \"key\": \"<secret>\"\n}"),
        (ManifestFormat::Yaml, "key: <secret>\n"),
        (ManifestFormat::Toml, "key = \"<secret>\"\n"),
    ] {
        assert_eq!(manifest(&record, format).as_deref(), Ok(text));
    }
    assert_eq!(manifest(&Datum::Secret, ManifestFormat::Text).as_deref(), Ok("<secret>"));
}

proptest::proptest! {
    /// Any string that is written as YAML, as a value, an element and a key, is read as the same string.
    #[test]
    fn yaml_strings_are_read_again(text in strings()) {
        let name = crate::text::Name::new(&text);
        let string = Datum::String(name.clone());
        let whole = Datum::Record(vec![
            entry("element", Some(Datum::Array(vec![string.clone()]))),
            entry("key", Some(Datum::Record(vec![entry(&name, Some(Datum::Null))]))),
            entry("value", Some(string)),
        ]);
        let yaml = export(&whole, ManifestFormat::Yaml, Style::portable(false)).unwrap();
        let program = Dialect::YAML.program(SourceId(0), &yaml, &StdNames);
        proptest::prop_assert!(program.problems.is_empty(), "{yaml:?}");
        proptest::prop_assert_eq!(datum(&program.term, program.term.root), whole, "{:?}", yaml);
    }
}

/// Strings of all kinds: any characters, the marks of YAML, and what looks like numbers and dates.
fn strings() -> impl proptest::strategy::Strategy<Value = String> {
    use proptest::prelude::*;
    prop_oneof![
        any::<String>(),
        "[-+.0-9a-fxoeETZ_:, ]{1,12}",
        "[-?:,\\[\\]{}#&*!|>'\"%@` \t\n~=<a]{1,8}",
        "(y|n|yes|No|ON|off|true|Null|~|<<|=|\\.inf|-\\.INF|\\.nan)[ :#]?",
    ]
}
