//! Demands: what a question computes, and what it leaves alone.

use super::ran;
use crate::dialect::Dialect;
use crate::loader::InMemory;
use crate::session::{Action, Event, Format, Session};
use crate::view::Medium;

/// Runs inputs in a session of the language, and returns the lines of the last one.
fn said(inputs: &[&str]) -> String {
    let mut session = Session::new(Box::new(InMemory::default()));
    session.set_dialect(Dialect::YAY).expect("a language");
    session.set_width(80);
    let mut last = Vec::new();
    for input in inputs {
        last = session.submit(input);
    }
    let text = |event: &Event| match event {
        Event::Value { value, .. } => value.text(),
        Event::Bound(text) | Event::Answer(text) | Event::View { text, .. } => text.text(),
        Event::Steps { pages, footer, .. } => Event::text(pages, footer).text(),
        Event::Diagnostic { report, .. } => report.text(),
        Event::Output(text) => text.clone(),
        Event::Quit => String::new(),
    };
    last.iter().map(text).collect::<Vec<_>>().join("\n")
}

const LAZY: &str = "lazy:\n  bar: {{ 1 / 0 }}\n  baz:\n    qux: {{ 1 + 1 }}\n    quix: {{ [1 + 1, 1 / 0] }}\n";

#[test]
fn each_demand_computes_as_much_as_it_says() {
    assert_eq!(said(&[LAZY, ":get lazy.baz", ":sprint lazy"]), "{ bar: _, baz: _ }");
    assert_eq!(said(&[LAZY, ":get lazy.baz"]), "Mapping: _");
    assert_eq!(said(&[LAZY, ":expand lazy.baz"]), "{ quix: _, qux: _ }");
    assert_eq!(said(&[LAZY, ":expand lazy.baz.quix"]), "[_, _]");
    assert_eq!(said(&[LAZY, ":expand lazy.baz.quix", ":sprint lazy"]), "{ bar: _, baz: { quix: [_, _], qux: _ } }");
    assert_eq!(said(&[LAZY, ":resolve lazy.baz.qux", ":sprint lazy"]), "{ bar: _, baz: { quix: _, qux: 2 } }");
}

#[test]
fn a_guard_is_resolved_by_get_and_what_it_guards_is_not() {
    let inputs = ["cond: hello", "d:\n  if cond == \"hello\":\n    x: {{ 1 + 1 }}\n    y: {{ 1 / 0 }}\n"];
    assert_eq!(said(&[inputs[0], inputs[1], ":expand d"]), "{ x: _, y: _ }");
    assert_eq!(said(&[inputs[0], inputs[1], ":expand d", ":sprint cond"]), "\"hello\"");
    assert_eq!(said(&[inputs[0], inputs[1], ":sprint cond"]), "_");
}

#[test]
fn constants_are_folded_and_nothing_else() {
    let inputs = ["host: localhost", "url: http://{{ host }}:{{ 8000 + 80 }}/", "n: {{ len([1]) }}"];
    let with = |last: &'static str| said(&[inputs[0], inputs[1], inputs[2], last]);
    assert_eq!(with(":fold url"), "\"http://localhost:8080/\"");
    assert_eq!(with(":fold 1 + 2 * 3 == 7 and host"), "\"localhost\"");
    assert_eq!(with(":fold upper(host)"), "\"LOCALHOST\"");
    // an error stays where it is
    assert!(with(":fold [1 + 1, 1 / 0]").contains('/'), "{}", with(":fold [1 + 1, 1 / 0]"));
    // folding computes no key
    assert_eq!(said(&[inputs[0], inputs[1], ":fold url", ":sprint url"]), "_");
}

/// `cfg eval --at` evaluates nothing beside the path: every other part of these documents fails.
#[test]
fn a_path_forces_nothing_beside_it() {
    let at = |text: &str, path: &str| {
        let at = Some(String::from(path));
        ran(&[("main.yay", text)], Action::Eval { at, format: Format::Json })
    };
    let fails = "{{ 1 / 0 }}";
    for (text, path, value) in [
        (format!("a: {fails}\nb:\n  c: {fails}\n  d: 1\n"), "b.d", "1\n"),
        (format!("a:\n  - {fails}\n  - 2\n"), "a[1]", "2\n"),
        (format!("c: 1\na: 1\nif c:\n  a: 2\n  b: {fails}\n"), "a", "2\n"),
        (String::from("c: 1\nif 1 / 0:\n  a: 2\nb: {{ c }}\n"), "b", "1\n"),
        (format!("a:\n  x: {fails}\na:\n  y: 1\n"), "a.y", "1\n"),
        (format!("a:\n  - {fails}\nextend a:\n  - 3\n"), "a[1]", "3\n"),
        (format!("a:\n  for i in [1, 2]:\n    - x: {{{{ i }}}}\n      y: {fails}\n"), "a[1].x", "2\n"),
        (format!("prototype P:\n  x: {fails}\n  y: 1\ni:\n  new P:\n    z: {fails}\n"), "i.y", "1\n"),
        (format!("macro M:\n  x: {fails}\n  y: {{{{ v }}}}\ni:\n  call M:\n    v: 4\n    w: {fails}\n"), "i.y", "4\n"),
        (format!("s: a\nr:\n  select s:\n    a: 1\n    b: {fails}\n"), "r", "1\n"),
        (format!("x: {fails}\n"), "x", ""),
    ] {
        let out = at(&text, path);
        match value {
            // the check of the check: the failing part does fail
            "" => assert!(out.starts_with("error"), "{text}{out}"),
            value => assert_eq!(out, value, "{text}"),
        }
    }
}

/// Completion asks for the shape of a value. Nothing is computed for it.
#[test]
fn completion_computes_no_value() {
    let mut session = Session::new(Box::new(InMemory::default()));
    session.set_dialect(Dialect::YAY).expect("a language");
    session.submit(LAZY);
    let text = "{{ lazy.baz.";
    let found = session.complete(text, text.len());
    let names: Vec<&str> = found.iter().map(|candidate| candidate.text.as_str()).collect();
    assert!(names.contains(&"qux") && names.contains(&"quix"), "{names:?}");
    let events = session.submit(":sprint lazy");
    assert!(matches!(&events[..], [Event::Answer(text)] if text.text() == "_"), "{events:?}");
}

#[test]
fn steps_say_each_demand_its_node_and_its_result() {
    let text = "cond: hello\ndefault: happy\n\nif cond == \"hello\":\n  default: really happy\n  never: {{ 1 / 0 }}\n";
    let at = Some(String::from("default"));
    let action = Action::Steps { at, all: false, most: None, layers: false, types: false, medium: Medium::Json };
    let out: serde_json::Value = serde_json::from_str(&ran(&[("main.yay", text)], action)).expect("JSON");
    let told: Vec<String> = out["demands"]
        .as_array()
        .expect("demands")
        .iter()
        .map(|step| {
            let word = |name: &str| step[name].as_str().unwrap_or_default().to_string();
            let guard = if step["guard"] == true { "guard " } else { "" };
            format!("{} {guard}{} {}{}", word("demand"), word("node"), word("found"), word("result"))
        })
        .collect();
    assert_eq!(
        told,
        [
            "get the document If",
            "expand the document … 3 more",
            "get default If",
            "get cond Boxed(\"hello\")",
            "resolve cond \"hello\"",
            "resolve guard Operator(==) true",
            "resolve default \"really happy\"",
        ]
    );
}

#[test]
fn predecessors_from_earlier_cells_are_explained_with_their_cells() {
    let explained =
        said(&["users:\n  - root\n", "extend users:\n  - guest\n", "extend users:\n  - admin\n", ":explain users"]);
    for row in ["layer 1  [\"root\"]", "layer 2  [\"guest\"]", "layer 3  [\"admin\"]"] {
        assert!(explained.contains(row), "{row}\n{explained}");
    }
    for place in ["yay[1]:1:1", "yay[2]:1:8", "yay[3]:1:8", "[0] yay[1]", "[1] yay[2]", "[2] yay[3]:2:5"] {
        assert!(explained.contains(place), "{place}\n{explained}");
    }
    // a guard that is false, and the definition below it
    let explained = said(&["port: 80", "mode: test", "if mode == \"prod\":\n  port: 443\n", ":explain port"]);
    assert!(explained.contains("80") && explained.contains("yay[1]"), "{explained}");
    assert!(explained.contains("off") && explained.contains("mode == \"prod\""), "{explained}");
    // a scalar replaces
    // what a guarded `extend` adds is a part of the value
    let guarded = ["users:\n  - root\n", "if 1:\n  extend users:\n    - guest\n", "extend users:\n  - admin\n"];
    let explained = said(&[guarded[0], guarded[1], guarded[2], ":explain users"]);
    assert_eq!(explained.matches("PART").count(), 3, "{explained}");
    assert!(!explained.contains("lost"), "{explained}");
    assert!(explained.contains("[\"root\", \"guest\"] + [\"admin\"]"), "{explained}");
    // advice in the language
    let explained = said(&["web:\n  port: 80\n", "if 1:\n  web:\n    port: 443\n", ":explain web.port"]);
    assert!(explained.contains("a later definition replaces it"), "{explained}");
    let words = explained.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("or define it again later: `port: …` below `web:`"), "{explained}");
    let explained = said(&["port: 80", "port: 443", ":explain port"]);
    assert!(explained.contains("WINS") && explained.contains("443"), "{explained}");
    assert!(explained.contains("lost") && explained.contains("yay[1]:1:7"), "{explained}");
}

#[test]
fn a_saved_session_has_no_predecessors_of_its_own() {
    let saved = ["port: 80", "extend list:\n  - 1\n", "extend list:\n  - 2\n", ":save s.session", ":reset"];
    let with = |last: &'static str| said(&[&saved[..], &[":load s.session", last]].concat());
    assert_eq!(with("port"), "80");
    assert_eq!(with("list"), "[1, 2]");
    assert!(!said(&[&saved[..], &[":load s.session"]].concat()).contains("warning"));
}

#[test]
fn a_fault_lists_each_reference_that_leads_to_it() {
    let text = "a: {{ b }}\nb: x{{ c.x }}\nc: {{ d }}\nd: {{ server.prot }}\nserver:\n  port: 80\n";
    let out = ran(&[("main.yay", text)], Action::Eval { at: Some(String::from("a")), format: Format::Json });
    for place in ["main.yay:4:7", "main.yay:3:7", "main.yay:2:8", "main.yay:1:7"] {
        assert!(out.contains(place), "{place}\n{out}");
    }
    assert!(out.contains("did you mean `port`?"), "{out}");
    assert_eq!(out.matches("which is read here").count(), 3, "{out}");
    // the whole document fails once
    let out = ran(&[("main.yay", text)], Action::Eval { at: None, format: Format::Json });
    assert_eq!(out.matches("[value/missing-field]").count(), 1, "{out}");
    // a near key in an included file
    let files =
        [("main.yay", "include \"lib.yay\"\na: {{ server.prot }}\nb: {{ a }}\n"), ("lib.yay", "server:\n  port: 80\n")];
    let out = ran(&files, Action::Eval { at: Some(String::from("b")), format: Format::Json });
    assert!(out.contains("did you mean `port`?") && out.contains("lib.yay:1:1"), "{out}");
    assert!(out.contains("main.yay:3:7"), "{out}");
    // a long chain fails with the innermost references, in linear time
    let chain: String = (1..2000).map(|n| format!("k{n}: {{{{ k{} }}}}\n", n - 1)).collect();
    let out = ran(
        &[("main.yay", &format!("k0: {{{{ 1 / 0 }}}}\n{chain}"))],
        Action::Eval { at: Some(String::from("k1999")), format: Format::Json },
    );
    assert!(out.contains("only the innermost 32 references are listed"), "{out}");
}

/// The text of a secret field is hidden by its place, also where it is a number, which has no quotes.
#[test]
fn a_graph_does_not_show_the_literals_of_secret_keys() {
    let marked = "%%cfg\nmarks = { pin | secret, word | secret, .. }";
    let inputs = ["pin: 4711", "word: x{{ 1 + 4713 }}y", "other: 4711", "l: {{ replace('4711', '1', '2') }}"];
    let with = |last: &'static str| said(&[&[marked], &inputs[..], &[last]].concat());
    for question in [":graph pin", ":graph word", ":graph"] {
        let out = with(question).replace("Function(replace, \"4711\"", "").replace("other: Boxed(4711)", "");
        assert!(!out.contains("4711") && !out.contains("4713"), "{question}\n{out}");
    }
    assert!(with(":graph pin").contains("Boxed(<secret>)"), "{}", with(":graph pin"));
    // another key may have the same value
    assert!(with(":graph other").contains("Boxed(4711)"), "{}", with(":graph other"));
    assert!(with(":graph l").contains("4711"), "{}", with(":graph l"));
}
