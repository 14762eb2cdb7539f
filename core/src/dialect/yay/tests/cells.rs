//! Cells, completeness, the cursor.

use super::YAY;
use crate::dialect::show::show;
use crate::dialect::{CellItem, Completeness, CursorContext, StdNames};
use crate::loader::InMemory;
use crate::session::{Event, Session};
use crate::text::SourceId;

fn items(text: &str) -> Vec<String> {
    let cell = YAY.cell(SourceId(7), text, &StdNames);
    let problems = cell.problems.iter().map(|p| format!("<{}>", p.code()));
    let items = cell.items.iter().map(|item| match item {
        CellItem::Expr(term) => show(term),
        CellItem::Bind { name, doc, .. } => {
            let doc = doc.as_ref().map_or(String::new(), |d| format!(" [{d}]"));
            format!("{name}{doc}")
        }
    });
    problems.chain(items).collect()
}

#[test]
fn keys_are_definitions() {
    for (text, expected) in [
        ("a: 1", vec!["a"]),
        ("b: {{ a }}\na: 1", vec!["a", "b"]),
        ("# about a\na: 1\n\n# not b\n\nb: 2", vec!["a [about a]", "b"]),
        ("set x = 1", vec!["x"]),
        ("a + 1", vec!["<scope/unbound>", "(Plus a 1)"]),
        ("{{ 1 }}", vec!["1"]),
        ("- 1\n- 2", vec!["[1 2]"]),
        ("a: {{ nowhere }}", vec!["<scope/unbound>", "a"]),
        ("a: {{ nowhere else 1 }}", vec!["a"]),
        ("a:\n  x: {{ b.y }}\nb:\n  y: {{ a.z }}", vec!["%7.0", "a", "b"]),
        ("# nothing", vec![]),
    ] {
        assert_eq!(items(text), expected, "\ncell: {text}");
    }
}

/// Returns the output of inputs, one line each.
fn shown(inputs: &[&str]) -> Vec<String> {
    shown_with(&[], inputs)
}

fn shown_with(files: &[(&str, &str)], inputs: &[&str]) -> Vec<String> {
    let mut session = Session::new(Box::new(files.iter().copied().collect::<InMemory>()));
    let text = |event: Event| match event {
        Event::Value { value, of, ty, .. } => format!("{}{of}{}", value.text(), ty.text()),
        Event::Bound(text) | Event::Answer(text) | Event::View { text, .. } => text.text(),
        Event::Diagnostic { report, .. } => String::from(report.text().lines().next().unwrap_or("")),
        other => format!("{other:?}"),
    };
    session.submit(":dialect yay");
    inputs.iter().map(|input| session.submit(input).into_iter().map(text).collect::<Vec<_>>().join("; ")).collect()
}

#[test]
fn a_session_is_a_document_that_grows() {
    assert_eq!(
        shown(&[
            "host: a",
            "url: http://{{ host }}",
            "url",
            "host: b",
            "{{ url }}",
            "d:\n  x: 1",
            "d:\n  y: {{ d.x + 1 }}",
            "d",
            "l:\n  - 1",
            "extend l:\n  - 2",
            "l",
            "set n = 5",
            "n * 2",
            "if n == 5:\n  d:\n    z: 3",
            "d.z",
            "macro M:\n  p: {{ q }}",
            "e:\n  call M:\n    q: 1",
            "e.p",
            "%%cfg\n(d & { w = 1 }).w",
            "nowhere: {{ hots }}",
        ]),
        [
            "host: string",
            "url: string",
            "\"http://a\": string",
            "host: string",
            "\"http://b\": string",
            "d: {x: number}",
            "d: {x: number, y: number}",
            "{ x: 1, y: 2 }: {x: number, y: number}",
            "l: [number]",
            "l: [number]",
            "[1, 2]: [number]",
            "n: number",
            "10: number",
            "d: {x: number, y: number, z?: number}",
            "3: number",
            "M: (a?) -> {p: a}",
            "e: {p: number}",
            "1: number",
            "1 : Number",
            "error: unbound name `hots` [scope/unbound]",
        ]
    );
}

#[test]
fn an_input_goes_on_until_it_is_complete() {
    for (text, incomplete) in [
        ("a: 1", false),
        ("a:", true),
        ("a:\n", false),
        ("a:\n  - 1", true),
        ("a:\n  - 1\n", false),
        ("if x:", true),
        ("if x:\n  a: 1\n", false),
        ("a: {{ 1 +", true),
        ("a + (1", true),
        ("a + 1", false),
        ("", false),
    ] {
        let found = matches!(YAY.completeness(text), Completeness::Incomplete { .. });
        assert_eq!(found, incomplete, "{text:?}");
    }
}

#[test]
fn the_cursor() {
    let at = |text: &str| {
        let place = text.find('^').unwrap();
        let cursor = YAY.cursor(SourceId(0), &text.replace('^', ""), place, &StdNames);
        let kind = match cursor.at {
            CursorContext::Field { .. } => String::from("field"),
            CursorContext::Name { bound } => format!("name {}", bound.join(" ")),
            CursorContext::FieldName { .. } => String::from("key"),
            CursorContext::Path => String::from("path"),
            CursorContext::Nothing => String::from("nothing"),
            other => format!("{other:?}"),
        };
        format!("{kind} `{}`", cursor.partial)
    };
    for (text, expected) in [
        ("a: 1\nb: {{ ^ }}", "name a b ``"),
        ("a: 1\nb: {{ a.^ }}", "field ``"),
        ("a: 1\nb: {{ a.fo^ }}", "field `fo`"),
        ("a: 1\nb: {{ fo^ }}", "name a b `fo`"),
        ("a: te^xt", "nothing ``"),
        ("fo^o: 1", "key `fo`"),
        ("include \"li^\"", "path `li`"),
        ("a: 1\nif a.x^:\n  b: 1", "field `x`"),
        ("x: 1\na:\n  set t = 2\n  for i in [1]:\n    - {{ t^ }}", "name a i t x `t`"),
        ("ab^", "name  `ab`"),
    ] {
        assert_eq!(at(text), expected, "\n{text}");
    }
}

#[test]
fn an_included_file_binds_its_names() {
    let files = [
        ("lib.yay", "base: 80\nport: {{ base + 1 }}\nset hidden = 5\nmacro m:\n  v: {{ base }}\ninclude 'more.yay'"),
        ("more.yay", "more: text"),
        ("data.json", "{\"a\": 1, \"port\": 443}"),
    ];
    let out =
        shown_with(&files, &["include 'lib.yay'", "port", "more", "hidden + 1", "c:\n  call m:\n    base: 7\n", "c.v"]);
    assert_eq!(out[1..], ["81: number", "\"text\": string", "6: number", "c: {v: number}", "7: number"], "{out:?}");
    assert!(out[0].contains("port: number") && out[0].contains("more: string"), "{out:?}");
    // a later input is a later layer
    let out = shown_with(&files, &["include 'lib.yay'", "include 'data.json'", "port", "a", "base"]);
    assert_eq!(out[2..], ["443: number", "1: number", "80: number"], "{out:?}");
    let out = shown_with(&files, &["include 'nothing.yay'", "1 + 1"]);
    assert!(out[0].contains("cannot find") || out[0].contains("error"), "{out:?}");
    assert_eq!(out[1], "2: number");
}
