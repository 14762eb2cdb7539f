//! JSON Schema and Kubernetes resources as contracts: `--schema`, `:schema`, `import … as 'Schema`.

use cfg_core::{Action, Event, Format, InMemory, Input, Layering, Medium, Outcome, Request, Session};
use std::path::PathBuf;

type Named<'a> = &'a [(&'a str, &'a str)];

const SCHEMA: &str = r##"{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "type": "object",
  "required": ["name"],
  "properties": {
    "name": { "type": "string", "pattern": "^[a-z]+$" },
    "port": { "type": "integer", "minimum": 1 },
    "level": { "enum": ["info", "warn"] },
    "hosts": { "type": "array", "items": { "type": "string" }, "minItems": 1 },
    "limits": { "$ref": "#/definitions/limits" },
    "any": { "anyOf": [{ "type": "string" }, { "$ref": "#/definitions/limits" }] }
  },
  "additionalProperties": false,
  "definitions": { "limits": { "type": "object", "properties": { "cpu": { "type": "number" } } } }
}
"##;

fn run(files: Named, action: Action, schema: &str) -> Outcome {
    let inputs = files.iter().filter(|(name, _)| *name != schema);
    let mut request = Request::new(inputs.map(|(name, _)| Input::File(PathBuf::from(*name))).collect(), action);
    request.layering = Layering { schemas: vec![PathBuf::from(schema)], ..Layering::default() };
    Session::new(Box::new(files.iter().copied().collect::<InMemory>())).run(request)
}

fn merge(data: &str, schema: &str) -> (u8, String, String) {
    let name = if schema.starts_with("apiVersion") { "s.yaml" } else { "s.json" };
    let files: Named = &[("a.yaml", data), (name, schema)];
    let action = Action::Merge { at: None, layers: true, format: Format::Json, explain: None };
    let outcome = run(files, action, name);
    let reports = outcome.reports.iter().map(|(_, report)| report.text() + "\n").collect();
    (outcome.exit, outcome.output.text(), reports)
}

#[track_caller]
fn accepts(data: &str, schema: &str) {
    let (exit, _, reports) = merge(data, schema);
    assert_eq!((exit, reports.as_str()), (0, ""), "{data}");
}

/// Checks that a value is refused, with the places of the value and of the rule.
#[track_caller]
fn refuses(data: &str, schema: &str, parts: &[&str]) {
    let (exit, output, reports) = merge(data, schema);
    assert_eq!((exit, output.as_str()), (1, ""), "{data}\n{reports}");
    for part in parts {
        assert!(reports.contains(part), "{data}: {part:?} is not in\n{reports}");
    }
}

#[test]
fn a_value_that_breaks_a_rule_is_reported_with_both_places() {
    accepts("name: web\nport: 80\nlevel: info\nhosts: [a]\nlimits: {cpu: 1.5}\nany: x\n", SCHEMA);
    accepts("name: web\nany: {cpu: 1}\n", SCHEMA);
    for (data, parts) in [
        ("name: web\nport: '80'\n", ["a.yaml:2:7", "s.json:7:15"].as_slice()),
        ("name: web\nport: 0\n", &["less than the minimum of 1", "a.yaml:2:7", "s.json:7:34"]),
        ("name: web\nport: 1.5\n", &["integer", "a.yaml:2:7", "s.json:7:15"]),
        ("name: Web\n", &["does not match", "a.yaml:1:7", "s.json:6:33"]),
        ("name: web\nlevel: debug\n", &["is not one of", "a.yaml:2:8", "s.json:8:16"]),
        ("name: web\nhosts: []\n", &["less than 1 item", "a.yaml:2:8", "s.json:9:64"]),
        ("name: web\nhosts: [1]\n", &["`hosts[0]` must be a string, but is a number", "a.yaml:2:9", "s.json:9:"]),
        ("name: web\nlimits: {cpu: x}\n", &["a.yaml:2:15", "s.json:14:"]),
        ("name: web\nany: 1\n", &["anyOf", "a.yaml:2:6", "s.json:11:14"]),
        (
            "name: web\nprot: 80\n",
            &["unexpected key, since `additionalProperties` is `false`", "a.yaml:2:1", "s.json:13:3"],
        ),
        ("port: 80\n", &["missing key `name`", "s.json:4:"]),
    ] {
        refuses(data, SCHEMA, parts);
    }
    // all violations are reported
    refuses("name: Web\nport: 0\n", SCHEMA, &["does not match", "less than the minimum"]);
}

#[test]
fn keywords_of_both_drafts_are_checked() {
    accepts("p: [1, a]\n", r#"{"properties": {"p": {"prefixItems": [{"type": "number"}]}}}"#);
    // `items` is about the elements after the prefix
    let rest =
        r#"{"properties": {"p": {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "number"}}}}"#;
    accepts("p: [a, 1, 2]\n", rest);
    refuses("p: [a, 1, b]\n", rest, &["number", "`p[2]`"]);
    refuses("p: [1, 1]\n", rest, &["string", "`p[0]`"]);
    let none = r#"{"properties": {"p": {"type": "array", "prefixItems": [{"type": "string"}], "items": false}}}"#;
    accepts("p: [a]\n", none);
    refuses("p: [a, 1]\n", none, &["a.yaml:1:4"]);
    refuses("p: [a]\n", r#"{"properties": {"p": {"prefixItems": [{"type": "number"}]}}}"#, &["number"]);
    for (schema, good, bad) in [
        (r#"{"properties": {"a": {"const": 1}}}"#, "a: 1\n", "a: 2\n"),
        (r#"{"properties": {"a": {"type": ["string", "null"]}}}"#, "a: null\n", "a: 1\n"),
        (r#"{"properties": {"a": {"uniqueItems": true}}}"#, "a: [1, 2]\n", "a: [1, 1]\n"),
        (r#"{"if": {"required": ["a"]}, "then": {"required": ["b"]}}"#, "a: 1\nb: 1\n", "a: 1\n"),
        (r#"{"properties": {"a": {"contains": {"const": 1}}}}"#, "a: [1]\n", "a: [2]\n"),
        (r#"{"type": "object", "additionalProperties": {"type": "number"}}"#, "a: 1\n", "a: x\n"),
        (r#"{"properties": {"a": true}, "additionalProperties": {"type": "number"}}"#, "a: x\nb: 1\n", "b: x\n"),
        (r#"{"patternProperties": {"^x": {"type": "number"}}, "additionalProperties": false}"#, "xa: 1\n", "a: 1\n"),
        (r#"{"allOf": [{"required": ["a"]}, {"properties": {"a": {"maximum": 5}}}]}"#, "a: 5\n", "a: 6\n"),
        (r#"{"properties": {"a": {"not": {"type": "string"}}}}"#, "a: 1\n", "a: x\n"),
        (r#"{"properties": {"a": false}}"#, "b: 1\n", "a: 1\n"),
        (
            r##"{"$ref": "#/$defs/t", "$defs": {"t": {"properties": {"v": {"type": "number"}, "n": {"$ref": "#/$defs/t"}}}}}"##,
            "v: 1\nn: {v: 2}\n",
            "v: x\n",
        ),
    ] {
        accepts(good, schema);
        refuses(bad, schema, &[]);
    }
    let (exit, _, reports) = merge("a: 1\n", r#"{"$ref": "other.json"}"#);
    assert_eq!(exit, 0);
    assert!(reports.contains("no schema `other.json` in this file"), "{reports}");
}

/// A schema, a value that is valid, one that is not, and parts of the report.
type Rule = (&'static str, &'static str, &'static str, &'static [&'static str]);

#[test]
fn what_is_not_a_type_is_checked_as_well() {
    let tree = r##"{"$ref": "#/$defs/n", "$defs": {"n": {"type": "object", "properties": {"v": {"type": "integer"}, "kids": {"type": "array", "items": {"$ref": "#/$defs/n"}}}}}}"##;
    let list = "l: [{n: 1}, {n: 2, m: 3}]\n";
    let rules: &[Rule] = &[
        // without `type`
        (r#"{"required": ["z"]}"#, "z: 1\n", "a: 1\n", &["missing key `z`", "s.json:1:2"]),
        (r#"{"properties": {"l": {"items": {"type": "object"}}}}"#, list, "l: [{}, b]\n", &["`l[1]`", "a.yaml:1:9"]),
        (
            r#"{"properties": {"l": {"items": false}}}"#,
            "l: []\n",
            list,
            &["`l[0]`", "no value is allowed", "a.yaml:1:5"],
        ),
        (
            r#"{"properties": {"l": {"items": {"required": ["m"]}}}}"#,
            "l: [{m: 1}]\n",
            list,
            &["`l[0]`", "missing key `m`"],
        ),
        (
            r#"{"additionalProperties": {"type": "string"}}"#,
            "a: x\n",
            "a: x\nb: 1\n",
            &["`b`", "a.yaml:2:4", "s.json:1:27"],
        ),
        (r#"{"additionalProperties": false}"#, "{}\n", "b: 1\n", &["no other key is allowed", "a.yaml:1:1"]),
        (r#"{"allOf": [{"required": ["z"]}]}"#, "z: 1\n", "a: 1\n", &["missing key `z`"]),
        // several types
        (r#"{"type": ["object", "null"], "required": ["zz"]}"#, "zz: 1\n", "a: 1\n", &["missing key `zz`"]),
        (
            r#"{"properties": {"l": {"type": ["array", "null"], "items": {"type": "string"}}}}"#,
            "l: null\n",
            list,
            &["`l[0]`"],
        ),
        // references
        (
            tree,
            "v: 1\nkids: [{v: 2, kids: [{v: 3}]}]\n",
            "v: 1\nkids: [{v: 2, kids: [{v: x}]}]\n",
            &["`kids[0].kids[0].v`", "a.yaml:2:26", "s.json:1:"],
        ),
        (
            r##"{"properties": {"a": {"$ref": "#foo"}}, "$defs": {"f": {"$anchor": "foo", "type": "string"}}}"##,
            "a: x\n",
            "a: 1\n",
            &["`a`", "a.yaml:1:4", "s.json:1:75"],
        ),
        (
            r##"{"properties": {"a": {"$ref": "#/$defs/a%20b"}}, "$defs": {"a b": {"type": "string"}}}"##,
            "a: x\n",
            "a: 1\n",
            &[],
        ),
        (
            r##"{"properties": {"a": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}, "v": {"type": "string"}}}"##,
            "a: {a: null}\n",
            "a: {v: 1}\n",
            &["`a`"],
        ),
        // up to draft 7, keywords beside a reference have no meaning
        (
            r##"{"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": {"$ref": "#/definitions/n", "type": "string"}}, "definitions": {"n": {"type": "number"}}}"##,
            "a: 1\n",
            "a: x\n",
            &["a.yaml:1:4"],
        ),
    ];
    for (schema, good, bad, parts) in rules {
        accepts(good, schema);
        refuses(bad, schema, parts);
    }
}

#[test]
fn what_the_types_find_hides_nothing_else() {
    let schema = r#"{"properties": {"a": {"multipleOf": 2}, "b": {"type": ["object", "null"], "required": ["z"]}}, "dependentRequired": {"a": ["zz"]}}"#;
    refuses("a: 1\nb: {}\n", schema, &["multiple of 2", "missing key `z`"]);
    // a secret is not checked, and what is beside it is
    let files: Named = &[
        ("a.cfg", "{ p | secret = \"TOPSECRET\", l = [{ n = 1 }] }"),
        ("s.json", r#"{"properties": {"p": {"type": ["number", "null"]}, "l": {"items": {"required": ["m"]}}}}"#),
    ];
    let action = || Action::Merge { at: None, layers: true, format: Format::Json, explain: None };
    let outcome = run(files, action(), "s.json");
    let reports: String = outcome.reports.iter().map(|(_, report)| report.text() + "\n").collect();
    assert!(outcome.exit == 1 && reports.contains("missing key `m`") && !reports.contains("TOP"), "{reports}");
    let files: Named = &[
        ("a.cfg", "{ p | secret = \"TOPSECRET\", q = 1 }"),
        ("s.json", r#"{"required": ["p"], "not": {"required": ["l"]}}"#),
    ];
    let outcome = run(files, action(), "s.json");
    let output: String = outcome.output.text().split_whitespace().collect();
    assert_eq!((outcome.exit, output.as_str()), (0, r#"{"p":"<secret>","q":1}"#));
}

#[test]
fn what_is_not_a_schema_is_an_error() {
    for (schema, part) in [
        (r#"{"properties": {"a": {"type": "strng"}}}"#, "s.json:1:31"),
        (r#"{"required": "a"}"#, "s.json:1:14"),
        (r#"{"minimum": "x"}"#, "s.json:1:13"),
        ("[]", "a schema is a mapping"),
        ("{\"kind\": \"Deployment\", \"metadata\": {\"name\": \"a\"}}", "none of its keys is a keyword"),
        (r##"{"properties": {"a": {"$ref": "#/$defs/none"}}}"##, "not a JSON Schema"),
    ] {
        refuses("a: 1\n", schema, &["not a JSON Schema", part]);
    }
    for schema in ["{}", "true", r#"{"x-note": 1}"#] {
        accepts("a: 1\n", schema);
    }
}

#[test]
fn a_schema_may_have_only_annotations() {
    for schema in [r#"{"title": "x"}"#, r#"{"description": "x", "default": 1}"#, r#"{"then": {}}"#] {
        accepts("a: 1\n", schema);
    }
}

/// A question about a part is answered although the whole value breaks a rule. A rule about another part is not reported.
#[test]
fn a_part_is_answered_although_the_whole_breaks_a_rule() {
    let schema = r#"{"properties": {"a": {"properties": {"p": {"maximum": 10}}}}, "anyOf": [{"required": ["z"]}]}"#;
    let ask = |data: &str, at: &str, explain: Option<Medium>| {
        let files: Named = &[("a.yaml", data), ("s.json", schema)];
        let action = Action::Merge { at: Some(at.into()), layers: true, format: Format::Json, explain };
        let outcome = run(files, action, "s.json");
        let reports: String = outcome.reports.iter().map(|(_, report)| report.text() + "\n").collect();
        (outcome.exit, outcome.output.text(), reports)
    };
    let (exit, output, reports) = ask("a: {p: 5}\n", "a.p", None);
    assert!(exit == 1 && output == "5\n" && reports.contains("alternative of `anyOf`"), "{output}{reports}");
    let (exit, output, reports) = ask("a: {p: 5}\n", "a.p", Some(Medium::Text));
    assert!(exit == 1 && output.contains("WINS") && reports.contains("alternative of `anyOf`"), "{output}{reports}");
    let (exit, output, reports) = ask("a: {p: 50}\nz: 1\n", "z", None);
    assert_eq!((exit, output.as_str(), reports.as_str()), (0, "1\n", ""));
}

const CLOSED: &str = r#"{"type": "object", "additionalProperties": false, "required": ["owner"], "properties": {
  "owner": {"type": "string"},
  "server": {"type": "object", "additionalProperties": false, "properties": {"port": {"minimum": 1024}}}}}"#;

/// An unknown key is an error of that key, at its place in its file. The other keys have values, and their errors are reported.
#[test]
fn an_unknown_key_hides_nothing_else() {
    let files: Named = &[
        ("a.yaml", "owner: x\nserver: {port: 8080}\n"),
        ("b.yaml", "server: {port: 20, prot: 1}\nextra: 1\nmore: 2\n"),
        ("s.json", CLOSED),
    ];
    let ask = |at: Option<&str>, explain: Option<Medium>| {
        let action = Action::Merge { at: at.map(String::from), layers: true, format: Format::Json, explain };
        let outcome = run(files, action, "s.json");
        let reports: Vec<String> = outcome.reports.iter().map(|(_, report)| report.text()).collect();
        (outcome.exit, outcome.output.text(), reports)
    };
    let (exit, _, reports) = ask(None, None);
    assert_eq!((exit, reports.len()), (1, 4), "{reports:#?}");
    for (report, place) in reports.iter().zip(["b.yaml:2:1", "b.yaml:3:1", "b.yaml:1:16", "b.yaml:1:20"]) {
        assert!(report.contains(place) && !report.contains('%'), "{place}: {report}");
    }
    assert_eq!(ask(Some("owner"), None), (0, String::from("\"x\"\n"), Vec::new()));
    let (_, output, reports) = ask(None, Some(Medium::Text));
    assert!(output.contains("owner") && output.contains("b.yaml:2:8") && reports.is_empty(), "{output}{reports:?}");
    for (key, place) in [("extra", "b.yaml:2:8"), ("server.prot", "b.yaml:1:26")] {
        let (exit, output, reports) = ask(Some(key), Some(Medium::Text));
        assert!(exit == 1 && reports.is_empty(), "{reports:?}");
        for part in ["FAILS", "additionalProperties", &format!("to fix it: edit {place}")] {
            assert!(output.contains(part), "{part:?} is not in\n{output}");
        }
    }
    // the error of the whole value is reported once
    let files: Named = &[("a.json", "[1]"), ("s.json", CLOSED)];
    for explain in [None, Some(Medium::Text)] {
        let action = Action::Merge { at: Some("owner".into()), layers: true, format: Format::Json, explain };
        let outcome = run(files, action, "s.json");
        let reports: String = outcome.reports.iter().map(|(_, report)| report.text()).collect();
        assert!(reports.matches("the file must be a mapping").count() == 1 && !reports.contains('%'), "{reports}");
    }
}

/// A value that is nested too deeply to be checked is an error, not silence.
#[test]
fn deep_values_are_refused() {
    let data = format!("{}1{}", r#"{"a": "#.repeat(230), "}".repeat(230));
    refuses(&data, r#"{"minProperties": 2}"#, &["nested deeper than 200 levels, which cannot be checked"]);
}

#[test]
fn an_alias_in_a_schema_is_followed() {
    let schema = "properties:\n  a: &p {type: integer, minimum: 1}\n  b: *p\n";
    let files = |data: &'static str| [("a.yaml", data), ("s.yaml", schema)];
    let action = || Action::Merge { at: None, layers: true, format: Format::Json, explain: None };
    assert_eq!(run(&files("a: 1\nb: 1\n"), action(), "s.yaml").exit, 0);
    assert_eq!(run(&files("a: 1\nb: 0\n"), action(), "s.yaml").exit, 1);
}

#[test]
fn an_anchor_that_contains_itself_is_an_error() {
    let action = || Action::Merge { at: None, layers: true, format: Format::Json, explain: None };
    for schema in
        ["properties: &p\n  a:\n    properties: *p\n", "x-a: &a {b: *a}\n", "x-a: &a {b: &b {c: *a}}\nallOf: [*b]\n"]
    {
        let ran = run(&[("a.yaml", "a: 1\n"), ("s.yaml", schema)], action(), "s.yaml");
        assert_ne!(ran.exit, 0, "{schema}");
    }
}

#[test]
fn a_large_schema_keeps_its_types() {
    let unused: String = (0..20_000).map(|n| format!("x-{n}: {{a: [1, 2]}}\n")).collect();
    let schema = format!("{unused}type: object\nproperties: {{a: {{type: integer}}}}\n");
    let (exit, _, reports) = merge("a: text\n", &schema);
    assert_eq!(exit, 1);
    assert!(reports.contains("must be a number"), "{reports}");
}

const RESOURCE: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: apps.example.org}
spec:
  group: example.org
  names: {kind: App}
  versions:
  - name: v1
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          kind: {type: string}
          spec:
            type: object
            required: [image]
            properties:
              image: {type: string}
              replicas: {type: integer, minimum: 0}
              port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
              note: {type: string, nullable: true}
";

#[test]
fn a_resource_of_kubernetes_describes_its_documents() {
    let data = |replicas: &str| {
        format!(
            "kind: App\nmetadata: {{name: a}}\nspec: {{image: i, replicas: {replicas}, port: http, note: null}}\n---\nkind: Other\nmetadata: {{name: o}}\nspec: 1\n"
        )
    };
    let patch = "kind: App\nmetadata: {name: a}\nspec: {port: 80}\n";
    let checked = |replicas: &str| {
        let data = data(replicas);
        let files: Named = &[("a.yaml", &data), ("b.yaml", patch), ("crd.yaml", RESOURCE)];
        let action = Action::Merge { at: None, layers: true, format: Format::Json, explain: None };
        let outcome = run(files, action, "crd.yaml");
        let reports: String = outcome.reports.iter().map(|(_, report)| report.text() + "\n").collect();
        (outcome.exit, reports)
    };
    assert_eq!(checked("1"), (0, String::new()));
    let (exit, reports) = checked("-1");
    assert_eq!(exit, 1);
    for part in ["less than the minimum of 0", "a.yaml:3:28", "crd.yaml:20:41"] {
        assert!(reports.contains(part), "{part:?} is not in\n{reports}");
    }
}

#[test]
fn a_check_against_a_schema_evaluates_the_file() {
    let files: Named = &[("a.yaml", "name: web\nport: 0\n"), ("s.json", SCHEMA)];
    let outcome = run(files, Action::Check(cfg_core::CheckOptions::default()), "s.json");
    let reports: String = outcome.reports.iter().map(|(_, report)| report.text() + "\n").collect();
    assert_eq!(outcome.exit, 1, "{reports}");
    assert!(reports.contains("less than the minimum of 1") && reports.contains("a.yaml:2:7"), "{reports}");
    let files: Named = &[("a.yaml", "name: web\nport: 1\n"), ("s.json", SCHEMA)];
    let outcome = run(files, Action::Check(cfg_core::CheckOptions::default()), "s.json");
    assert_eq!((outcome.exit, outcome.reports.len()), (0, 0));
}

#[test]
fn a_key_that_a_schema_requires_is_reported_where_it_is_missing() {
    let schema =
        r#"{"required": ["name"], "properties": {"name": {}, "s": {"required": ["b"], "properties": {"b": {}}}}}"#;
    for action in [
        Action::Check(cfg_core::CheckOptions::default()),
        Action::Merge { at: None, layers: true, format: Format::Json, explain: None },
    ] {
        let files: Named = &[("a.yaml", "port: 80\ns:\n  a: 1\n"), ("s.json", schema)];
        let outcome = run(files, action, "s.json");
        let reports: String = outcome.reports.iter().map(|(_, report)| report.text()).collect();
        assert_eq!(outcome.exit, 1, "{reports}");
        for part in ["missing key `name`", "--> a.yaml:1:1", "no `name` in this mapping", "s.json:1:15"] {
            assert!(reports.contains(part), "{part}: {reports}");
        }
    }
    let files: Named = &[("a.yaml", "name: x\ns:\n  b: 1\n"), ("s.json", schema)];
    let outcome = run(files, Action::Check(cfg_core::CheckOptions::default()), "s.json");
    assert_eq!((outcome.exit, outcome.reports.len()), (0, 0));
}

#[test]
fn an_explanation_lists_the_rules_that_a_value_meets() {
    let files: Named = &[("a.yaml", "name: web\nport: 80\n"), ("s.json", SCHEMA)];
    let action =
        Action::Merge { at: Some("port".into()), layers: true, format: Format::Json, explain: Some(Medium::Text) };
    let text = run(files, action, "s.json").output.text();
    assert!(text.contains("s.json:7:15") && text.contains("s.json:7:34"), "{text}");
}

/// Returns the answers to some inputs.
fn answers(files: Named, inputs: &[&str]) -> String {
    let mut session = Session::new(Box::new(files.iter().copied().collect::<InMemory>()));
    let text = |event: Event| match event {
        Event::Answer(text) | Event::Bound(text) | Event::Diagnostic { report: text, .. } => text.text() + "\n",
        Event::Value { value, ty, .. } => format!("{} : {}\n", value.text(), ty.text()),
        _ => String::new(),
    };
    inputs.iter().flat_map(|input| session.submit(input)).map(text).collect()
}

#[test]
fn a_session_knows_the_types_of_a_schema() {
    let files: Named = &[("values.schema.json", SCHEMA)];
    let said = answers(
        files,
        &[":schema values.schema.json", "x = { name = \"web\" } | Values", ":type x", ":type x.limits.cpu"],
    );
    for part in ["name : String", "port? : Number", "hosts? : Array String", "Number\n"] {
        assert!(said.contains(part), "{part:?} is not in\n{said}");
    }
    let said = answers(files, &[":schema values.schema.json", "({ name = \"web\", port = 0 } | Values).port"]);
    assert!(said.contains("less than the minimum of 1") && said.contains("values.schema.json:7:34"), "{said}");
    let mut session = Session::new(Box::new(files.iter().copied().collect::<InMemory>()));
    session.submit(":schema values.schema.json");
    session.submit("x = { name = \"web\" } | Values");
    let names: Vec<String> = session.complete("x.", 2).into_iter().map(|candidate| candidate.text).collect();
    assert!(names.contains(&"hosts".into()), "{names:?}");
    assert!(answers(files, &[":schema"]).contains("`:schema` needs a file"));
    // the report of a secret does not show it
    let said = answers(files, &[":schema values.schema.json", "({ name | secret = \"TOPSECRET\" } | Values).name"]);
    assert!(!said.contains("TOPSECRET"), "{said}");
}

/// Writes a schema in which each of 350 definitions applies the next one twice to the same value.
fn doubling(keyword: &str) -> String {
    let next = |n: usize| format!("{{\"$ref\": \"#/definitions/d{}\"}}", n + 1);
    let one = |n: usize| format!("\"d{n}\": {{\"{keyword}\": [{}, {}]}}", next(n), next(n));
    let all: Vec<String> = (0..350).map(one).chain([String::from("\"d350\": {\"type\": \"object\"}")]).collect();
    format!("{{\"$ref\": \"#/definitions/d0\", \"definitions\": {{{}}}}}", all.join(", "))
}

#[test]
fn a_schema_that_doubles_with_each_level_ends_in_a_limit() {
    for keyword in ["allOf", "anyOf", "oneOf"] {
        refuses("a: 1\n", &doubling(keyword), &["applies its parts to the same values too often"]);
    }
    refuses("a: 1\n", "{\"allOf\": [{\"$ref\": \"#\"}, {\"$ref\": \"#\"}]}", &["too often"]);
    // a recursive schema of a deep value is no such schema
    let tree =
        "{\"type\": \"object\", \"properties\": {\"a\": {\"$ref\": \"#\"}, \"b\": {\"allOf\": [{\"$ref\": \"#\"}]}}}";
    accepts(&format!("{}{}\n", "{a: ".repeat(100), "{b: {}}".to_owned() + &"}".repeat(100)), tree);
}

/// A report names the rule that failed, and an explanation lists each rule once.
#[test]
fn reports_name_the_rule_that_failed() {
    let note = r#"{"properties": {"n": {"type": "string", "nullable": true, "pattern": "^[a-z]+$"}, "p": {"type": "integer"}}}"#;
    accepts("n: null\n", note);
    accepts("n: a\n", note);
    refuses("n: A\n", note, &["does not match", "a.yaml:1:4"]);
    refuses("n: 1\n", note, &["a.yaml:1:4"]);
    let (_, _, reports) = merge("n: A\n", note);
    assert!(!reports.contains("anyOf"), "{reports}");
    let files: Named = &[("a.yaml", "p: 1\n"), ("s.json", note)];
    let action =
        Action::Merge { at: Some("p".into()), layers: true, format: Format::Json, explain: Some(Medium::Text) };
    let text = run(files, action, "s.json").output.text();
    assert_eq!(text.matches("\"type\": \"integer\"").count(), 1, "{text}");
    assert!(!text.contains("not set"), "{text}");
}

/// Each violation has a report with its place, and the correction if there is one.
#[test]
fn violations_are_corrected() {
    const PORTS: &str = r#"{"type": "object", "properties": {
        "services": {"type": "object", "patternProperties": {"^[a-z]+$": {"type": "object", "required": ["image"],
            "additionalProperties": false, "properties": {"image": {"type": "string"}, "mem": {"type": "string"}}}}},
        "level": {"enum": ["info", "warn"]}, "debug": {"type": "boolean"}, "hosts": {"type": "array"}, "mail": {"type": "object"},
        "store": {"oneOf": [
            {"properties": {"kind": {"const": "disk"}}, "required": ["kind", "path"]},
            {"properties": {"kind": {"const": "cloud"}}, "required": ["kind", "bucket"]}]}}}"#;
    for (data, parts) in [
        ("level: warning\n", ["a.yaml:1:8", "did you mean `warn`?"].as_slice()),
        ("debug: yes\n", &["a.yaml:1:8", "write `true` or `false`"]),
        ("mail:\n- a: 1\n", &["a.yaml:2:1", "a mapping has no dash before its keys"]),
        ("hosts: {a: 1}\n", &["a.yaml:1:8", "begins with a dash"]),
        (
            "store: {kind: cloud, path: x}\n",
            &["with this `kind` alternative 2 of `oneOf` is meant, but missing key `bucket`"],
        ),
        ("store: {kind: cluod}\n", &["a.yaml:1:15", "expected \"disk\" or \"cloud\"", "did you mean `cloud`?"]),
        ("services:\n  a: {imag: x}\n", &["a.yaml:2:7", "did you mean `image`?"]),
        ("- a: 1\n", &["the file must be a mapping, but is a list"]),
    ] {
        refuses(data, PORTS, parts);
        assert_eq!(merge(data, PORTS).2.matches("error").count(), 1, "{data}");
    }
    let (_, _, reports) = merge("services:\n  a: {image: x, mem: 1}\n  b: {image: y, mme: z}\n  c: {}\n", PORTS);
    assert_eq!(reports.matches("error").count(), 3, "{reports}");
    for place in ["a.yaml:2:22", "a.yaml:3:17", "a.yaml:4:3"] {
        assert!(reports.contains(place), "{place} is not in\n{reports}");
    }
}

/// Misspelt keywords would check nothing.
#[test]
fn a_misspelt_keyword_is_a_warning() {
    for (schema, meant) in [
        (r#"{"type": "object", "propertys": {}}"#, "properties"),
        (r#"{"properties": {"a": {"minlength": 3}}}"#, "minLength"),
        (r#"{"type": "object", "require": ["a"]}"#, "required"),
        (r#"{"$defs": {"a": {"items": {"typ": "string"}}}}"#, "type"),
    ] {
        let (exit, _, reports) = merge("b: 1\n", schema);
        assert!(exit == 0 && reports.contains(&format!("did you mean `{meant}`?")), "{reports}");
    }
    let free = r#"{"properties": {"minlength": {"x-a": 1, "markdownDescription": "d", "enumDescriptions": [], "examples": []}}}"#;
    accepts("minlength: 1\n", free);
}

/// The server of Kubernetes drops fields that a resource does not have.
#[test]
fn an_unknown_field_of_a_resource_is_a_warning() {
    let object = "apiVersion: example.org/v1\nkind: App\nmetadata: {name: a, labels: {x: y}}\n";
    let (_, _, reports) = merge(&format!("{object}spec: {{image: i, replicsa: 1}}\n"), RESOURCE);
    assert!(reports.contains("no field `replicsa` here") && reports.contains("did you mean `replicas`?"), "{reports}");
    let (_, _, reports) = merge(&format!("{object}replicas: 1\n"), RESOURCE);
    assert!(reports.contains("did you mean `spec.replicas`?"), "{reports}");
    accepts(&format!("{object}spec: {{image: i, replicas: 1}}\n"), RESOURCE);
}

const DEFINITION: &str = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: x.org\n  names: {kind: A}\n  versions:\n";

#[test]
fn a_definition_without_a_schema_says_what_is_missing() {
    let data = "apiVersion: x.org/v1\nkind: A\nmetadata: {name: a}\nspec: {}\n";
    let schema = "{type: object, properties: {spec: {type: object, required: [b]}}}";
    for (versions, parts) in [
        (
            format!("  - {{name: v1, storage: true, schema: {{openApiV3Schema: {schema}}}}}\n"),
            ["did you mean `openAPIV3Schema`"],
        ),
        (
            "  - {name: v1, storage: true}\n".into(),
            ["the version `v1` of the CustomResourceDefinition has no `schema`"],
        ),
        (
            format!("  - {{name: v0, schema: {{openAPIV3Schema: {schema}}}}}\n  - {{name: v1}}\n"),
            ["no version has `storage: true`"],
        ),
    ] {
        refuses(data, &format!("{DEFINITION}{versions}"), &parts);
    }
    let old = format!(
        "{}\n  validation: {{openAPIV3Schema: {schema}}}\n",
        DEFINITION.replace("  versions:\n", "  version: v1")
    );
    refuses(data, &old, &["missing key `b`"]);
    let one = DEFINITION.replace("  versions:\n", "  versions: []\n");
    refuses(data, &format!("{one}---\n{one}"), &["a schema is one document, and this file has 2"]);
}

#[test]
fn what_a_schema_does_not_enforce_is_a_warning() {
    let schema =
        r#"{"properties": {"u": {"format": "uri"}, "n": {"format": "int32"}, "l": {"items": {"format": "email"}}}}"#;
    accepts("u: https://x.org\nn: 3\nl: [a@b.org]\n", schema);
    let (exit, _, reports) = merge("u: x y\nl: [a]\n", schema);
    assert_eq!(exit, 0);
    assert!(reports.contains("`u` is not a URI") && reports.contains("`l[0]` is not an e-mail address"), "{reports}");
}

#[test]
fn a_required_key_has_the_place_of_its_cause() {
    let schema =
        r#"{"if": {"properties": {"tls": {"const": true}}, "required": ["tls"]}, "then": {"required": ["cert"]}}"#;
    refuses("a: 1\ntls: true\n", schema, &["missing key `cert`, which this `tls` requires", "a.yaml:2:6"]);
    refuses("user: a\n", r#"{"dependentRequired": {"user": ["key"]}}"#, &["which this `user` requires", "a.yaml:1:7"]);
    refuses("v: a\n", r#"{"properties": {"v": {"pattern": "[0-9"}}}"#, &["a `[` is never closed"]);
}
