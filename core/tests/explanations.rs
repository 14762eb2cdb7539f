//! Explanations are true: each sentence of an answer is compared with what the program does.

use cfg_core::{Action, Drawing, Event, InMemory, Input, Medium, Request, Session};
use std::path::PathBuf;

/// Runs a request on files; returns the output and the reports.
fn ran(files: &[(&str, &str)], inputs: &[&str], action: Action) -> String {
    let loader: InMemory = files.iter().copied().collect();
    let inputs = inputs.iter().map(|input| Input::File(PathBuf::from(input))).collect();
    let outcome = Session::new(Box::new(loader)).run(Request::new(inputs, action));
    let reports: Vec<String> = outcome.reports.iter().map(|(_, report)| report.text()).collect();
    format!("{}{}", outcome.output.text(), reports.join("\n"))
}

/// Returns the answers to inputs of a session.
fn session(inputs: &[&str]) -> String {
    let mut session = Session::new(Box::new(InMemory::default()));
    let mut out = String::new();
    for event in inputs.iter().flat_map(|input| session.submit(input)) {
        let text = match event {
            Event::Value { value, .. } => value.text(),
            Event::Bound(text) | Event::Answer(text) | Event::View { text, .. } => text.text(),
            Event::Steps { pages, footer, .. } => Event::text(&pages, &footer).text(),
            Event::Diagnostic { report, .. } => report.text(),
            _ => String::new(),
        };
        out.push_str(&text);
        out.push('\n');
    }
    out
}

fn explain(files: &[(&str, &str)], path: &str) -> String {
    let first = files.first().map_or("", |(name, _)| name);
    ran(files, &[first], Action::Explain { path: String::from(path), medium: Medium::Text })
}

#[track_caller]
fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

#[track_caller]
fn lacks(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(!text.contains(part), "`{part}` in\n{text}");
    }
}

#[test]
fn what_is_recomputed_is_compared_with_the_result_without_the_winner() {
    let program = "let base = { a | default = 1, b = a + 1, c | default = 1, d = c + b } in base & { a = 2, c = 5 }";
    // without `a = 2`, `d` is 5 + (1 + 1)
    has(&explain(&[("m.cfg", program)], "a"), &["b  2 -> 3", "d  7 -> 8"]);
    let of_c = explain(&[("m.cfg", program)], "c");
    has(&of_c, &["d  4 -> 8"]);
    lacks(&of_c, &["b  "]);
    let jsonnet = "{ a: 1, b: self.a + 1, c: 1, d: self.c + self.b } + { a: 2, c: 5 } + { a: 3 }";
    // without the uppermost `a`, `a` is 2
    has(&explain(&[("m.jsonnet", jsonnet)], "a"), &["d  8 -> 9", "b  3 -> 4"]);
}

#[test]
fn a_field_that_another_one_changed_is_not_credited() {
    // `a` has two equal definitions, so taking one away changes nothing
    let program = "{ a = 1, c | default = 1, d = a + c } & { a = 1, c = 5 }";
    lacks(&explain(&[("m.cfg", program)], "a"), &["recomputed"]);
    has(&explain(&[("m.cfg", program)], "c"), &["d  2 -> 6"]);
}

#[test]
fn the_session_is_unchanged_by_what_is_left_out() {
    let answers = session(&[
        "base = { a | default = 1, b = a + 1 }",
        "top = { a = 2 }",
        "all = base & top",
        "all.b",
        ":explain all.a",
        "all.b",
        "base & top",
    ]);
    has(&answers, &["b  2 -> 3", "{ a = 2, b = 3 }"]);
    assert_eq!(answers.lines().filter(|line| *line == "3").count(), 2, "{answers}");
}

#[test]
fn a_field_that_is_off_has_a_false_condition() {
    let shown = explain(&[("m.cfg", "{ on = false, x | when (on) = 1 }")], "x");
    has(&shown, &["has no value: its condition is false", "off"]);
    lacks(&shown, &["never defined"]);
    has(&explain(&[("m.cfg", "{ x | Number }")], "x"), &["declared, never defined"]);
}

#[test]
fn steps_show_the_contract_of_a_field_that_the_left_declares() {
    let shown = session(&[":steps { a | Number } & { a = 1 }"]);
    has(&shown, &["the left declares it", "Number (", "): ok"]);
    lacks(&shown, &["only the right has it"]);
    has(&session(&[":steps { a | Number } & { a = \"x\" }"]), &["Number (", "): fails"]);
    has(&session(&[":steps { b = 1 } & { a = 1 }"]), &["only the right has it"]);
}

#[test]
fn a_shared_record_is_named_by_the_way_of_its_reader() {
    let program = "local c = { n:: 'm' }; local l = { _c:: c, _m:: { n: l._c.n } }; \
                   { sm: { md: l._m }, sa: { md: l._m }, am: { acc: $.sa.md.n } }";
    let graph = |at: Option<&str>| {
        let at = at.map(String::from);
        ran(&[("m.jsonnet", program)], &["m.jsonnet"], Action::Graph { at, drawing: Drawing::Text, functions: false })
    };
    let edge = "am.acc  reads  sa.md.n\n";
    has(&graph(None), &[edge]);
    has(&graph(Some("am")), &[edge]);
    let deps = |path: &str, used_by| {
        let action = Action::Deps { path: String::from(path), used_by, json: false };
        ran(&[("m.jsonnet", program)], &["m.jsonnet"], action)
    };
    let through_local = format!("{} + {{ x: 1 }}", program.replace("acc: $.sa.md.n", "acc: l._m.n"));
    let action = Action::Graph { at: None, drawing: Drawing::Text, functions: false };
    lacks(&ran(&[("m.jsonnet", through_local.as_str())], &["m.jsonnet"], action), &["sm.md", "sa.md"]);
    // a local that is a field of the object is named as the field
    let own = "{ c:: { p: 1 }, local c = $.c, a: c.p }";
    let action = Action::Deps { path: String::from("a"), used_by: false, json: false };
    has(&ran(&[("m.jsonnet", own)], &["m.jsonnet"], action), &["- c.p "]);
    has(&deps("am.acc", false), &["sa.md.n"]);
    has(&deps("sa.md.n", true), &["am.acc"]);
}

#[test]
fn advice_is_a_program_of_the_language() {
    let program = "{ 'prometheus-prometheus': { spec: { 'for': 1 } } } + { other: 1 }";
    let shown = explain(&[("m.jsonnet", program)], "\"prometheus-prometheus\".spec.for");
    let line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let advice = line.split("`{").nth(1).and_then(|rest| rest.split('`').next()).unwrap_or_else(|| panic!("{shown}"));
    let above = format!("({program}) + {{{}", advice.replace('…', "7"));
    let value = ran(
        &[("m.jsonnet", above.as_str())],
        &["m.jsonnet"],
        Action::Eval { at: None, format: cfg_core::Format::Json },
    );
    has(&value, &["\"for\": 7"]);
}

#[test]
fn advice_leaves_vendored_files_alone() {
    let files =
        [("main.jsonnet", "(import 'vendor/lib.libsonnet') + { b: 1 }"), ("vendor/lib.libsonnet", "{ a: 1, c: 2 }")];
    let shown = explain(&files, "a");
    has(&shown, &["to change it: put an object above it", "vendor/lib.libsonnet:1:6 is\n  vendored"]);
    lacks(&shown, &["edit vendor"]);
    has(&explain(&files, "b"), &["edit main.jsonnet:1:40"]);
}

#[test]
fn a_type_that_changes_between_layers_is_reported() {
    let files = [("a.yaml", "web:\n  replicas: 1\n"), ("b.yaml", "web:\n  replicas: \"8\"\n")];
    let check = |strict| {
        ran(
            &files,
            &["a.yaml", "b.yaml"],
            Action::CheckLayers(cfg_core::CheckOptions { strict, ..cfg_core::CheckOptions::default() }),
        )
    };
    has(
        &check(false),
        &["`web.replicas` is a string here and a number in a lower layer", "b.yaml:2:13", "a.yaml:2:13"],
    );
    let same = [("a.yaml", "web:\n  replicas: 1\n"), ("b.yaml", "web:\n  replicas: 8\n")];
    assert_eq!(
        ran(
            &same,
            &["a.yaml", "b.yaml"],
            Action::CheckLayers(cfg_core::CheckOptions { strict: true, ..cfg_core::CheckOptions::default() })
        ),
        ""
    );
}

#[test]
fn what_one_layer_lacks_may_come_from_another_one() {
    let reader = ("p.cfg", "{\n  db.password | String,\n  dsn = \"x://%{db.user}\",\n  ..\n}\n");
    let checked = |layer| {
        let files = [("x.yaml", layer), reader];
        ran(&files, &["x.yaml", "p.cfg"], Action::CheckLayers(cfg_core::CheckOptions::default()))
    };
    assert_eq!(checked("db: {user: app, password: pw}\n"), "");
    // what is missing in the merge is named
    let missing = checked("db: {password: pw}\n");
    has(&missing, &["missing field `user`", "p.cfg:3:16", "x.yaml:1:5"]);
    lacks(&missing, &["types/elsewhere"]);
}

#[test]
fn a_merge_of_known_records_is_a_constraint() {
    let shown = session(&[":constraints { a | Number } & { b = \"x\" }"]);
    has(&shown, &["{ a! : Number, b : String } = { a! : Number } & { b : String }"]);
    lacks(&shown, &["no constraints"]);
}

#[test]
fn a_variable_of_a_constraint_is_no_name_of_the_program() {
    let shown = session(&[":constraints { a = fun b => b.c, d = fun x => x }"]);
    has(&shown, &["e = { c : "]);
    // the type of `b.c` is decided by nothing, and its letter is given
    has(&shown, &["free variables", "f  of `b.c`"]);
}

#[test]
fn anything_lies_over_anything_as_a_layer() {
    let files = [("list.yaml", "- 1\n- 2\n"), ("map.yaml", "a: 1\n"), ("text.json", "\"x\""), ("over.yaml", "b: 2\n")];
    let merge = |inputs: &[&str]| {
        let format = cfg_core::Format::Json;
        ran(&files, inputs, Action::Merge { at: None, layers: true, format, explain: None })
    };
    has(
        &merge(&["list.yaml", "map.yaml"]),
        &["{\n  \"a\": 1\n}", "`map.yaml`, a mapping, replaces `list.yaml`, a list"],
    );
    has(&merge(&["map.yaml", "list.yaml"]), &["[\n  1,\n  2\n]", "replaces `map.yaml`"]);
    has(&merge(&["map.yaml", "text.json"]), &["\"x\"\n"]);
    let three = merge(&["map.yaml", "list.yaml", "over.yaml"]);
    has(&three, &["{\n  \"b\": 2\n}"]);
    lacks(&merge(&["map.yaml", "over.yaml"]), &["replaces"]);
}

#[test]
fn documents_with_generated_names_are_merged_by_these() {
    let job = |image: &str| format!("kind: Job\nmetadata:\n  generateName: x-\nimage: {image}\n");
    let svc = |port: u16| format!("kind: Service\nmetadata:\n  name: a\nport: {port}\n");
    let below = format!("{}---\n{}---\n{}", job("one"), job("two"), svc(80));
    let above = format!("{}---\n{}", svc(443), job("late"));
    let format = cfg_core::Format::Json;
    let action = Action::Merge { at: None, layers: true, format, explain: None };
    let merged = ran(&[("a.yaml", below.as_str()), ("b.yaml", above.as_str())], &["a.yaml", "b.yaml"], action);
    has(&merged, &["\"late\"", "\"two\"", "443"]);
    lacks(&merged, &["\"one\"", "80", "error"]);
}

#[test]
fn anchors_are_named_as_anchors() {
    let text = "base: &base\n  image: nginx\nweb:\n  <<: *base\n  port: 1\ndb: *base\nport: &p 80\nalso: *p\n";
    let files = [("a.yaml", text)];
    has(&explain(&files, "web.image"), &["edit a.yaml:2:10 in the anchor `&base`, which 2 aliases use"]);
    has(&explain(&files, "web.port"), &["edit a.yaml:5:9, or"]);
    let deps =
        |path: &str| ran(&files, &["a.yaml"], Action::Deps { path: String::from(path), used_by: false, json: false });
    has(&deps("db.image"), &["anchor &base"]);
    let graph = ran(&files, &["a.yaml"], Action::Graph { at: None, drawing: Drawing::Text, functions: false });
    has(&graph, &["also       reads  &p", "web.image  reads  &base.image"]);
}

#[test]
fn an_explanation_says_that_the_kind_of_a_value_changed() {
    let files = [("a.yaml", "replicas: 1\n"), ("b.yaml", "replicas: \"8\"\n")];
    let merge = |explain| Action::Merge {
        at: Some(String::from("replicas")),
        layers: true,
        format: cfg_core::Format::Json,
        explain,
    };
    let shown = ran(&files, &["a.yaml", "b.yaml"], merge(Some(Medium::Text)));
    has(&shown, &["note: a string replaces a number (a.yaml:1:11)"]);
    lacks(&ran(&files, &["a.yaml", "a.yaml"], merge(Some(Medium::Text))), &["replaces"]);
}
