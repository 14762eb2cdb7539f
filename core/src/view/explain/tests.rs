//! The views of `docs`: each part of what they draw, from programs in files.

use crate::loader::Loader;
use crate::session::{Action, Event, Input, Jsonnet, Medium, Request, Session};
use expect_test::{Expect, expect};
use std::io;
use std::path::{Path, PathBuf};

/// Files that are nowhere but here.
struct Files(&'static [(&'static str, &'static str)]);

impl Loader for Files {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let found = self.0.iter().find(|(name, _)| Path::new(name) == path);
        found.map(|(_, text)| text.as_bytes().to_vec()).ok_or(io::ErrorKind::NotFound.into())
    }
    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.read(path).map(|_| path.to_path_buf())
    }
    fn env(&self, _: &str) -> Option<String> {
        None
    }
    fn list(&self, _: &Path) -> Vec<String> {
        Vec::new()
    }
    fn stamp(&self, _: &Path) -> Option<u64> {
        None
    }
}

const APP: &[(&str, &str)] = &[
    (
        "net.cfg",
        "# what a server is
let IsPort = std.contract.from_predicate (fun p => std.is_number p && p > 0 && p < 65536) in
{
  Server = {
    port | IsPort,
    tags | Array String | default = [],
    ..
  },
}
",
    ),
    (
        "lib.cfg",
        "{
  # both, each once
  unique_concat = fun { lower, higher, .. } =>
    lower @ std.array.filter (fun x => !std.array.elem x lower) higher,
}
",
    ),
    (
        "base.cfg",
        "let net = import \"net.cfg\" in {
  server | net.Server = {
    port | Number | default = 8080,
    host = \"localhost\",
    url = \"http://%{host}:%{std.to_string port}\",
    tags | Array String | merge (import \"lib.cfg\").unique_concat = [\"base\"],
  },
  probe = { url = server.url ++ \"/health\" },
}
",
    ),
    (
        "prod.cfg",
        "# in production
{
  server = {
    port = 443,
    tags = [\"prod\", \"base\"],
  },
}
",
    ),
    ("local.cfg", "{\n  server.port | force = 9443,\n}\n"),
    ("clash.cfg", "{\n  server.port = 8443,\n}\n"),
    ("all.cfg", "(import \"base.cfg\") & (import \"prod.cfg\") & (import \"local.cfg\")\n"),
    ("bad.cfg", "(import \"base.cfg\") & (import \"prod.cfg\") & (import \"clash.cfg\")\n"),
    ("broken.cfg", "(import \"base.cfg\") & { server.port = 70000 }\n"),
    (
        "parents.cfg",
        "{ a | default = { b = { c = 1 } } }
& { a.b | priority 1 = { c = 2, d = 3 } }
& { a.b = { c | force = 4 } }
& { a | default = 5 }
",
    ),
    (
        "odd.cfg",
        "let debug = false in
{
  level | when (debug) = \"trace\",
  level | default = \"info\",
  key | secret = \"hunter2\",
  name | optional | doc \"who\",
}
& { level = \"info\", key | default = \"none\", name = \"x\" }
& { level = \"info\" }
",
    ),
    (
        "lib.libsonnet",
        "{
  name: 'x',
  port: 80,
  tags: ['base'],
  labels:: { app: 'web', tier: 'base' },
  url: 'http://%s:%d' % [self.name, self.port],
}
",
    ),
    (
        "prod.jsonnet",
        "local base = import 'lib.libsonnet';
base + {
  port: super.port + 363,
  tags+: ['prod'],
  labels+: { env: 'prod' },
} + {
  name: 'y',
  labels+: { tier: 'front' },
}
",
    ),
];

fn session(width: usize) -> Session {
    let mut session = Session::new(Box::new(Files(APP)));
    session.set_width(width);
    session
}

fn explained(file: &str, path: &str, width: usize, medium: Medium) -> String {
    let outcome = session(width).run(Request {
        inputs: vec![Input::File(PathBuf::from(file))],
        dialect: None,
        import_paths: Vec::new(),
        contracts: Vec::new(),
        overrides: Vec::new(),
        jsonnet: Jsonnet::default(),
        action: Action::Explain { path: path.into(), medium },
    });
    outcome.output.text()
}

#[track_caller]
fn shows(file: &str, path: &str, expected: &Expect) {
    let text = explained(file, path, 80, Medium::Text);
    for line in text.lines() {
        assert!(line.chars().count() <= 80 && !line.ends_with(' '), "{line:?}");
    }
    expected.assert_eq(&text);
}

#[test]
fn the_winner_the_losers_the_checks_and_what_is_recomputed() {
    shows("all.cfg", "server.port", &expect![[""]]);
}

#[test]
fn a_conflict_ends_with_edits_that_settle_it() {
    shows("bad.cfg", "server.port", &expect![[""]]);
}

#[test]
fn a_merge_function_by_its_steps_and_where_each_element_came_from() {
    shows("all.cfg", "server.tags", &expect![[""]]);
    shows("all.cfg", "server.tags[1]", &expect![[""]]);
}

#[test]
fn what_lost_with_its_parent_and_a_leaf_against_a_record() {
    shows("parents.cfg", "a.b.c", &expect![[""]]);
}

#[test]
fn a_check_that_fails_says_why_and_for_whom() {
    shows("broken.cfg", "server.port", &expect![[""]]);
}

#[test]
fn conditions_equal_ones_secrets_and_declarations() {
    shows("odd.cfg", "level", &expect![[""]]);
    shows("odd.cfg", "key", &expect![[""]]);
    shows("odd.cfg", "name", &expect![[""]]);
}

#[test]
fn a_record_shows_where_its_fields_come_from() {
    shows("all.cfg", "server", &expect![[""]]);
}

#[test]
fn a_value_that_another_field_keeps_from_being() {
    shows("bad.cfg", "probe.url", &expect![[""]]);
}

#[test]
fn chains_of_jsonnet() {
    shows("prod.jsonnet", "port", &expect![[""]]);
    shows("prod.jsonnet", "tags", &expect![[""]]);
    shows("prod.jsonnet", "labels.tier", &expect![[""]]);
    shows("prod.jsonnet", "labels", &expect![[""]]);
    shows("prod.jsonnet", "name", &expect![[""]]);
}

#[test]
fn a_narrow_screen_puts_reasons_below() {
    let text = explained("all.cfg", "server.port", 48, Medium::Text);
    expect![[""]].assert_eq(&text);
}

#[test]
fn json_is_one_line_and_says_it_all() {
    let text = explained("all.cfg", "server.port", 80, Medium::Json);
    assert_eq!(text.lines().count(), 1);
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    expect![[""]].assert_eq(&format!("{json:#}"));
}

#[test]
fn html_needs_no_style_and_has_no_script() {
    let text = explained("bad.cfg", "server.port", 80, Medium::Html);
    assert!(!text.contains("<script"));
    let main = text.split("<main").nth(1).unwrap_or_default();
    expect![[""]].assert_eq(main);
}

#[test]
fn a_session_explains_names_and_what_is_in_them() {
    let mut session = session(80);
    let mut said = String::new();
    for line in ["let base = { port | default = 80 }", "let app = base & { port = 443 }", ":explain app.port", ":e app"]
    {
        for event in session.submit(line) {
            if let Event::Answer(text) = event {
                said.push_str(&text.text());
                said.push_str("\n\n");
            }
        }
    }
    expect![[""]].assert_eq(&said);
}
