//! Names that nothing defines, similar names, and what messages say about guards and references.

use super::{json, ran, ran_on};
use crate::dialect::Dialect;
use crate::loader::InMemory;
use crate::session::{Action, CheckOptions, Event, Format, Session};
use crate::view::Medium;

fn check(files: &[(&str, &str)]) -> String {
    ran(files, Action::Check(CheckOptions { strict: true, ..CheckOptions::default() }))
}

fn eval(text: &str) -> String {
    ran(&[("main.yay", text)], Action::Eval { at: None, format: Format::Json })
}

fn has(out: &str, parts: &[&str]) {
    for part in parts {
        assert!(out.contains(part), "{part}\n{out}");
    }
}

#[test]
fn a_name_that_nothing_in_the_document_defines_is_an_error() {
    let of = |text: &str| check(&[("main.yay", text)]);
    let out = of("server:\n  port: 1\na: {{ servr }}\nb: {{ servr.port }}");
    has(&out, &["error: unbound name `servr`", "main.yay:3:7", "main.yay:4:7", "did you mean `server`?"]);
    assert!(!out.contains("no field `port`"), "{out}");
    has(&of("a: {{ uper('x') }}"), &["error: unbound name `uper`", "did you mean `upper`?"]);
    has(&of("set size = 1\na: {{ sise }}"), &["error: unbound name `sise`", "did you mean `size`?"]);
    has(&of("l:\n  for i in [1]:\n    - {{ j }}"), &["unbound name `j`"]);
    // a definition that may not count, and a part that may not be evaluated
    has(&of("m: {{ q else 1 }}\nif m == 2:\n  a: {{ nowhere }}"), &["warning: unbound name `nowhere`"]);
    has(&of("m: 1\na: {{ nowhere if m == 2 else 1 }}"), &["warning: unbound name `nowhere`"]);
    for fine in ["a: {{ nowhere else 1 }}", "macro m:\n  x: {{ y }}\na:\n  call m:\n    y: 1", "a: {{ here.b }}\nb: 1"]
    {
        assert_eq!(of(fine), "", "{fine}");
    }
}

#[test]
fn another_document_may_define_a_name() {
    let part = ("part.yay", "x: {{ site }}");
    for text in [
        "include 'part.yay'\nsite: 1",
        "set site = 1\ninclude 'part.yay'",
        "d:\n  include 'part.yay'\nsite: 1",
        "search 'lib'\np: part\ninclude p + '.yay'\ny: {{ site else 1 }}\nsite: 1",
    ] {
        assert_eq!(check(&[("main.yay", text), part]), "", "{text}");
    }
    // the document itself, and the one that includes it
    let action = || Action::Check(CheckOptions { strict: true, ..CheckOptions::default() });
    has(&ran_on(&[part], &["part.yay"], action()), &["error: unbound name `site`"]);
    let files = [("main.yay", "include 'part.yay'\nsit: 1"), part];
    has(&check(&files), &["unbound name `site`", "part.yay:1:7", "did you mean `sit`?"]);
    // a file whose path is not known may define any name
    let open = check(&[("main.yay", "p: {{ q else 'part' }}\ninclude p + '.yay'\na: {{ nowhere }}"), part]);
    assert!(!open.contains("error"), "{open}");
}

#[test]
fn similar_functions_directives_and_files_are_suggested() {
    has(&eval("a: {{ uper('x') }}"), &["no match for `uper`", "did you mean `upper`?"]);
    has(&eval("l:\n  - 1\nextned l:\n  - 2"), &["unknown directive `extned`", "did you mean `extend`?"]);
    let files = [("main.yay", "include 'lib/bsae.yay'"), ("lib/base.yay", "a: 1"), ("lib/other.yay", "a: 1")];
    has(&ran(&files, Action::Eval { at: None, format: Format::Json }), &["did you mean `lib/base.yay`?"]);
}

#[test]
fn a_paradox_says_what_became_of_a_value_that_disappears() {
    for (text, parts) in [
        ("d:\n  k: 1\nif d.k == 1:\n  d: []", ["a list has no field `k`", "from { k = 1 } to []", "main.yay:4:6"]),
        (
            "d:\n  k: 1\ne: {{ d.k }}\nif e == 1:\n  d: text",
            ["a string has no field `k`", "main.yay:1:1", "main.yay:5:6"],
        ),
        ("l:\n  - 1\n  - 2\nif l[1] == 2:\n  l:\n    - 1", ["no element 1", "from [1, 2] to [1]", "main.yay:5:3"]),
    ] {
        let out = eval(text);
        has(
            &out,
            &["paradox: the guard was True and fails afterwards", "let the guard read a key that it does not change"],
        );
        has(&out, &parts);
    }
}

#[test]
fn a_paradox_of_two_guards_names_both() {
    let text = "a: 0\nb: 0\nif b == 0:\n  a: 1\nelse:\n  a: 2\nif a == 1:\n  b: 1\nelse:\n  b: 0";
    has(&eval(text), &["paradox", "main.yay:9:1", "main.yay:3:4", "the guards need each other"]);
    let text = "a: 0\nb: 0\nif b == 0:\n  a: 1\nif a == 1:\n  b: 1";
    has(&eval(text), &["paradox", "main.yay:3:4", "main.yay:5:4", "under this guard, which then holds"]);
    // neither has a value to begin with
    let text = "if b == 0:\n  a: 1\nelse:\n  a: 2\nif a == 1:\n  b: 1\nelse:\n  b: 0";
    has(&eval(text), &["need each other, and no layer below them defines it", "main.yay:5:4", "main.yay:1:4"]);
    has(&eval("if a == 1:\n  a: 1"), &["the guard reads it, and no layer below the guard defines it", "main.yay:1:4"]);
}

#[test]
fn references_to_dictionaries_are_hops() {
    let out = eval("base:\n  x: 1\nmid: {{ base }}\ntop: {{ mid }}\nlast: {{ top.y }}");
    has(&out, &["no match for `y`", "main.yay:5:10", "main.yay:4:9", "main.yay:3:9"]);
    let files = [("main.yay", "base:\n  x: {{ 1 / 0 }}\nmid: {{ base }}\ntop: {{ mid.x }}")];
    let out = ran(&files, Action::Eval { at: Some(String::from("top")), format: Format::Json });
    has(&out, &["main.yay:2:9", "main.yay:3:9", "main.yay:4:9"]);
}

#[test]
fn hidden_fields_are_shown_by_the_name_that_they_bind() {
    let text = "set p = 3\nmacro m:\n  x: {{ p }}\na: {{ p + 1 }}";
    let deps = ran(&[("main.yay", text)], Action::Explain { path: String::from("a"), medium: Medium::Text });
    assert!(deps.contains("p (set)") && !deps.contains("set p\""), "{deps}");
}

#[test]
fn directives_may_follow_a_dash() {
    for (text, expected) in [
        ("macro m:\n  x: {{ n }}\nl:\n  - call m:\n      n: 1\n  - call m:\n      n: 2", r#"{"l":[{"x":1},{"x":2}]}"#),
        ("c: 1\nl:\n  - if c == 1:\n      a: 1\n    else:\n      a: 2\n  - 3", r#"{"c":1,"l":[{"a":1},3]}"#),
        ("l:\n  - % for i in range(2)\n      - {{ i }}", r#"{"l":[[0,1]]}"#),
        // a macro that is called in the block that defines it
        ("macro m:\n  a: 1\ncall m:", r#"{"a":1}"#),
        ("macro m:\n  a: {{ b }}\ncall m:\n  b: 2", r#"{"a":2}"#),
        ("x:\n  macro m:\n    a: 1\n  call m:", r#"{"x":{"a":1}}"#),
        ("x:\n  macro m:\n    - 1\n  call m:", r#"{"x":[1]}"#),
        ("x:\n  macro m:\n    - {{ i }}\n  - 0\n  call m:\n    i: 1\n  call m:\n    i: 2", r#"{"x":[0,1,2]}"#),
        // a variable with the name of a macro further out
        ("macro m:\n  a: 1\nx:\n  set m = 1\n  b: {{ m }}\ny:\n  call m:", r#"{"x":{"b":1},"y":{"a":1}}"#),
        // text
        ("l:\n  - call me:\n  - if so:", r#"{"l":["call me:","if so:"]}"#),
    ] {
        assert_eq!(json(text), expected, "{text}");
    }
}

#[test]
fn keys_and_values_of_a_dictionary_may_have_different_types() {
    let out = check(&[("main.yay", "x: b\nd: {{ {k: 1 for k in ['a']} }}\ne: {{ {x: 1} }}")]);
    assert_eq!(out, "");
    assert_eq!(super::type_of("d: {{ {k: 1 for k in ['a']} }}"), "{d: {*: number}}\n");
    assert_eq!(json("x: b\nd: {{ {k: k + 1 for k in [1]} }}\ne: {{ {x: 1} }}"), r#"{"d":{"1":2},"e":{"b":1},"x":"b"}"#);
}

#[test]
fn a_value_from_an_included_file_has_its_place_in_the_graph() {
    let mut session = Session::new(Box::new([("inc.yay", "port: 80\n")].into_iter().collect::<InMemory>()));
    session.set_dialect(Dialect::YAY).expect("a language");
    session.set_width(60);
    let mut graph = |input: &str| {
        let text = |event: &Event| match event {
            Event::Answer(text) | Event::View { text, .. } => text.text(),
            _ => String::new(),
        };
        session.submit(input).iter().map(text).collect::<String>()
    };
    graph("include \"inc.yay\"");
    assert!(graph(":graph port").ends_with("Boxed(80)  inc.yay:1:7"), "{}", graph(":graph port"));
    // long labels are cut
    graph(&format!("long: {{{{ replace('{0}', '{0}', '{0}') }}}}", "x".repeat(40)));
    let out = graph(":graph long");
    assert!(out.contains('…') && out.lines().all(|line| line.chars().count() <= 60), "{out}");
}
