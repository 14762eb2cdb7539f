//! Compares what different answers say about one value, with each other and with the program.

use cfg_core::{Action, DiffLayout, Drawing, Event, Format, InMemory, Input, Medium, Request, Session, Severity};
use expect_test::{Expect, expect};
use std::path::PathBuf;

fn text(events: &[Event]) -> String {
    let texts = events.iter().map(|event| match event {
        Event::Value { value, .. } => value.text(),
        Event::Bound(text) | Event::Answer(text) | Event::View { text, .. } => text.text(),
        Event::Steps { pages, footer, .. } => Event::text(pages, footer).text(),
        Event::Diagnostic { report, .. } => report.text(),
        Event::Output(text) => text.clone(),
        Event::Quit => String::new(),
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// Returns what the last of some inputs shows.
fn last(inputs: &[&str]) -> String {
    let mut session = Session::new(Box::new(InMemory::default()));
    let mut shown = String::new();
    for input in inputs {
        shown = text(&session.submit(input));
    }
    shown
}

fn run(files: &[(&str, &str)], inputs: &[&str], action: Action) -> (String, String) {
    let loader: InMemory = files.iter().copied().collect();
    let inputs = inputs.iter().map(|path| Input::File(PathBuf::from(path))).collect();
    let outcome = Session::new(Box::new(loader)).run(Request::new(inputs, action));
    let reports: Vec<String> = outcome.reports.iter().map(|(_, report)| report.text()).collect();
    (outcome.output.text(), reports.join("\n"))
}

#[track_caller]
fn is(shown: &str, expected: &Expect) {
    expected.assert_eq(shown);
}

#[test]
fn a_field_that_goes_on_or_off_is_recomputed_and_not_new() {
    let on = ":steps x & { on | force = true }";
    is(
        &last(&["x = { a | when (on) = 1, on = false }", on]),
        &expect![[r#"
            step 1 of 1: x & { on | force = true }      0 fields unchanged, 2 shown

              a   was nothing, now 1
                  not merged: recomputed, it reads on
              on  false normal  &  true force  =>  true  force beats normal

            result: 2 fields.  `:explain <path>` for one field."#]],
    );
    let off = ":steps x & { on | force = false }";
    is(
        &last(&["x = { a | when (on) = 1, on = true }", off]),
        &expect![[r#"
            step 1 of 1: x & { on | force = false }     0 fields unchanged, 2 shown

              a   was 1, now nothing
                  not merged: recomputed, it reads on
              on  true normal  &  false force  =>  false  force beats normal

            result: 1 field.  `:explain <path>` for one field."#]],
    );
}

#[test]
fn a_field_that_is_off_reads_its_condition_in_every_answer() {
    for on in ["true", "false"] {
        let program = format!("x = {{ a | when (on) = 1, on = {on} }}");
        for graph in [":graph x", ":graph x.a"] {
            let shown = last(&[&program, graph]);
            assert!(shown.starts_with("x.a  reads  x.on"), "{graph}: {shown}");
        }
        let shown = last(&[&program, ":deps --used-by x.on"]);
        assert!(shown.contains("x.a"), "{shown}");
    }
}

#[test]
fn a_step_that_fails_says_why() {
    let program = "{ a: 1, b: error 'no b' } + { c: self.b, d: self.nope } + { e: super.a + {} }";
    let action = Action::Steps { at: None, all: false, most: None, layers: false, types: false, medium: Medium::Text };
    let (shown, _) = run(&[("a.jsonnet", program)], &["a.jsonnet"], action);
    for part in ["fails", "no b  a.jsonnet:1:12", "nope"] {
        assert!(shown.contains(part), "{part:?} is not in\n{shown}");
    }
    // the field that is missing before is missing after, too
    assert_eq!(shown.matches("  d  ").count(), 1, "{shown}");
}

#[test]
fn an_input_that_changes_nothing_says_so() {
    assert_eq!(last(&[":feed x 1"]), "`x` is set; no definition can read it");
    let jsonnet = |inputs: &[&str]| last(&[&[":dialect jsonnet", ":feed x 1"], inputs].concat());
    let unread = jsonnet(&["local a = std.extVar('x')", ":feed x 2"]);
    assert_eq!(unread, "`x` is set; the definition that can read it was not evaluated yet");
    let same = jsonnet(&["local a = std.extVar('x') > 0", "a", ":feed x 2"]);
    assert_eq!(same, "`x` is set; the value that can read it did not change");
    assert_eq!(jsonnet(&["local a = std.extVar('x')", "a", ":feed x 2"]), "a  1  ->  2");
    // parts that were not known before are no changes
    let parts = jsonnet(&["local a = { b: std.extVar('x') > 0, c: 2 }", "a.c", ":feed x 2"]);
    assert_eq!(parts, "`x` is set; the value that can read it did not change");
}

#[test]
fn a_difference_of_elements_has_the_places_of_the_elements() {
    let files = [
        ("a.yaml", "l:\n  - 1\n  - 2\nm: [[1, 2],\n  [3, 4]]\nn:\n  - name: x\n    v: [1,\n      2]\n  - name: y\n"),
        (
            "b.yaml",
            "l:\n  - 1\n  - 3\n  - 4\nm: [[1, 2],\n  [3, 5]]\nn:\n  - name: y\n  - name: x\n    v: [1,\n      3]\n",
        ),
    ];
    let action = |layout| Action::Diff { left: 1, at: None, layout };
    let (shown, _) = run(&files, &["a.yaml", "b.yaml"], action(DiffLayout::Text));
    is(
        &shown,
        &expect![[r#"
            ~ l[1]            2  ->  3                        a.yaml:3:5  b.yaml:3:5
            + l[2]            4                               b.yaml:4:5
            ~ m[1][1]         4  ->  5                        a.yaml:5:7  b.yaml:6:7
            ~ n[order]        ["name=x", "name=y"]  ->  ["name=y", "name=x"]
            ~ n[name=x].v[1]  2  ->  3                        a.yaml:9:7  b.yaml:11:7
            5 different, 6 fields same
        "#]],
    );
}

#[test]
fn advice_names_the_nearest_definition_outside_of_vendored_files() {
    let files = [
        ("vendor/p.libsonnet", "{ _config+:: { ns: 'default' }, 'a-b': { ns: $._config.ns, kind: 'P' } }"),
        ("main.jsonnet", "(import 'vendor/p.libsonnet') { _config+:: { ns: 'mine' } }"),
    ];
    let explained = |path: &str| {
        let action = Action::Explain { path: String::from(path), medium: Medium::Text };
        run(&files, &["main.jsonnet"], action).0.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let shown = explained("\"a-b\".ns");
    let advice = "to change it: edit main.jsonnet:1:50 (`_config.ns`, which it reads), or put an object above it: \
                  `{ \"a-b\"+: { ns: … } }`. vendor/p.libsonnet:1:46 is vendored.";
    assert!(shown.contains(advice), "{shown}");
    let shown = explained("\"a-b\".kind");
    assert!(shown.contains("to change it: put an object above it: `{ \"a-b\"+: { kind: … } }`."), "{shown}");
}

#[test]
fn graphs_of_the_whole_and_of_a_part_name_values_alike() {
    let program = "local c = { n:: 'm' }; local l = { _c:: c, _m:: { n: l._c.n } };\n\
                   { sm: { md: l._m }, sa: { md: l._m }, am: { acc: $.sa.md.n } }";
    for at in [None, Some("am"), Some("am.acc")] {
        let action = Action::Graph { at: at.map(String::from), functions: false, drawing: Drawing::Text };
        let (shown, _) = run(&[("a.jsonnet", program)], &["a.jsonnet"], action);
        assert!(shown.starts_with("am.acc  reads  sa.md.n\n"), "{at:?}: {shown}");
    }
}

#[test]
fn a_rule_for_a_list_of_one_file_that_has_no_such_path_is_reported() {
    let loader: InMemory = [("a.yaml", "l: [1]\n")].into_iter().collect();
    let action = Action::Merge { at: None, layers: false, format: Format::Json, explain: None };
    for (rule, expected) in [
        ("nope=append", Some("the rule for `nope` has no effect: no layer has this path")),
        ("l=append", None),
        ("append", None),
    ] {
        let mut request = Request::new(vec![Input::File(PathBuf::from("a.yaml"))], action.clone());
        request.layering.lists.push(String::from(rule));
        let outcome = Session::new(Box::new(loader.clone())).run(request);
        assert_eq!(outcome.exit, 0);
        let reports: Vec<(Severity, String)> = outcome.reports.iter().map(|(s, r)| (*s, r.text())).collect();
        match expected {
            None => assert_eq!(reports, []),
            Some(expected) => {
                assert!(matches!(&reports[..], [(Severity::Warning, text)] if text.contains(expected)), "{reports:?}");
            }
        }
    }
}

#[test]
fn each_wrong_merge_function_is_an_error_at_its_place() {
    for (function, message) in [
        ("1", "the merge function on field `a` is a Number"),
        ("\"x\"", "the merge function on field `a` is a String"),
        ("null", "the merge function on field `a` is null"),
        ("'x", "the merge function on field `a` is an Enum"),
        ("[]", "the merge function on field `a` is an Array"),
        ("{}", "the merge function on field `a` is a Record"),
        ("Number", "the merge function on field `a` is a Contract"),
        ("(fun a b => a + b)", "the merge function on field `a` is a function of 2 arguments"),
        ("(fun a => fun b => a)", "the merge function on field `a` is a function of 2 arguments"),
        ("std.merge.list", "the merge function on field `a` is a function of 3 arguments"),
    ] {
        for rest in ["", " & { a = 2 }"] {
            let shown = last(&[&format!("{{ a | merge {function} = 1 }}{rest}")]);
            assert!(shown.contains(message), "{function}: {shown}");
            // the place is that of the function
            let column = "{ a | merge ".len() + usize::from(function.starts_with('(')) + 1;
            assert!(shown.contains(&format!(":1:{column}\n")), "{function}: {shown}");
            assert!(shown.contains("a merge function takes one record: `lower` and `higher`"), "{shown}");
        }
    }
    let narrow = last(&["{ a | merge (fun { lower, higher } => lower) = 1 } & { a = 2 }"]);
    for part in ["this does not allow the field `priority`", "`{ lower, higher, .. }`"] {
        assert!(narrow.contains(part), "{narrow}");
    }
    let other = last(&["let f = fun { a, b } => a in f { a = 1 }"]);
    // the type error says it; the pattern that does not fit is not a second report
    assert!(other.contains("`f` asks for `b` of its first argument") && !other.contains("the pattern"), "{other}");
    let missing = last(&["{ a | merge = 1 }"]);
    assert!(missing.contains("`merge` needs a function here: `| merge (fun args => "), "{missing}");
}
