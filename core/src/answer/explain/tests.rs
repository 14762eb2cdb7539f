//! Tests of the explanations in `docs`, from programs in files.

mod formats;

use crate::loader::{InMemory, NoLoader};
use crate::session::{Action, Event, Input, Medium, ProgramOptions, Request, Session};
use expect_test::{Expect, expect};

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
    (
        "two.cfg",
        "let both = (import \"lib.cfg\").unique_concat in
{ tags | merge both = [\"a\"] } & { tags = [\"b\"] }
",
    ),
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
    let mut session = Session::new(Box::new(APP.iter().copied().collect::<InMemory>()));
    session.set_width(width);
    session
}

fn explained(file: &str, path: &str, width: usize, medium: Medium) -> String {
    explained_by(&mut session(width), file, path, medium)
}

fn explained_by(session: &mut Session, file: &str, path: &str, medium: Medium) -> String {
    let outcome = session.run(Request {
        inputs: vec![Input::File(std::path::PathBuf::from(file))],
        dialect: None,
        import_paths: Vec::new(),
        contracts: Vec::new(),
        overrides: Vec::new(),
        layering: Default::default(),
        options: ProgramOptions::default(),
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
    shows(
        "all.cfg",
        "server.port",
        &expect![[r#"
            server.port = 9443 : Number                                3 definitions, 1 wins

              WINS  force    9443  local.cfg:2:25  port | force = 9443
              lost  normal    443  prod.cfg:4:12   force beats normal
              lost  default  8080  base.cfg:3:31   normal beats default

              checks on 9443
              ok  Number  base.cfg:3:12  written on the losing default
              ok  IsPort  net.cfg:5:12   via server : net.Server (base.cfg:2:12)

              recomputed because of it (late bound)
                server.url  "http://localhost:443" -> "http://localhost:9443"
                probe.url   "http://localhost:443/health" -> "http://localhost:9443/health"

              to change it: edit local.cfg:2:25. Another `force` here would conflict.
              note: `force` drops the definition at prod.cfg:4:12
        "#]],
    );
}

#[test]
fn a_conflict_ends_with_edits_that_settle_it() {
    shows(
        "bad.cfg",
        "server.port",
        &expect![[r#"
        server.port has no value: 2 definitions tie                             conflict

          TIE   normal    443  prod.cfg:4:12
                merged at bad.cfg:1:21  base.cfg & prod.cfg
          TIE   normal   8443  clash.cfg:2:17  merged at bad.cfg:1:43  .. & clash.cfg
          lost  default  8080  base.cfg:3:31   normal beats default

          to settle it, one of:
            clash.cfg:2:10  port | force = 8443    result 8443
            clash.cfg:2:10  port | default = 8443  result 443
            prod.cfg:4:5    port | force = 443     result 443
            prod.cfg:4:5    port | default = 443   result 8443
    "#]],
    );
}

#[test]
fn a_merge_function_by_its_steps_and_where_each_element_came_from() {
    shows(
        "all.cfg",
        "server.tags",
        &expect![[r#"
            server.tags = ["base", "prod"] : Array String            3 definitions, combined

              PART  normal   ["base"]          base.cfg:6:68
              PART  normal   ["prod", "base"]  prod.cfg:5:12
              PART  default  []                net.cfg:6:37

              combined by  merge unique_concat                                  lib.cfg:3:19
                1  unique_concat [] ["base"]                -> ["base"]
                2  unique_concat ["base"] ["prod", "base"]  -> ["base", "prod"]
                3  check Array String                       -> ok  base.cfg:6:12
                4  check Array String                       -> ok  net.cfg:6:12
              each element came from:  [0] base.cfg:6:69  [1] prod.cfg:5:13
        "#]],
    );
    shows(
        "all.cfg",
        "server.tags[1]",
        &expect![[r#"
            server.tags[1] = "prod" : String                                    1 definition

              WINS  normal  "prod"  prod.cfg:5:13  "prod"

              to change it: edit prod.cfg:5:13.
        "#]],
    );
}

#[test]
fn what_lost_with_its_parent_and_a_leaf_against_a_record() {
    shows(
        "parents.cfg",
        "a.b.c",
        &expect![[r#"
            a.b.c = 2 : Number                                         4 definitions, 1 wins

              WINS  normal   2  parents.cfg:2:30  c = 2
              lost  force    4  parents.cfg:3:25
                    lost with a.b (parents.cfg:3:11): priority 1 beats normal
              lost  normal   1  parents.cfg:1:29
                    lost with a (parents.cfg:1:17): normal beats default
              lost  default  5  parents.cfg:4:19  is all of a: normal beats default

              to change it: edit parents.cfg:2:30.
        "#]],
    );
}

#[test]
fn a_check_that_fails_says_why_and_for_whom() {
    shows(
        "broken.cfg",
        "server.port",
        &expect![[r#"
            server.port has no value                                                   error
              70000 does not meet IsPort

              WINS  normal   70000  broken.cfg:1:39  port = 70000
              lost  default   8080  base.cfg:3:31    normal beats default

              checks
              ok     Number  base.cfg:3:12  written on the losing default
              FAILS  IsPort  net.cfg:5:12   via server : net.Server (base.cfg:2:12)

              to fix it: edit broken.cfg:1:39
        "#]],
    );
}

#[test]
fn conditions_equal_ones_secrets_and_declarations() {
    shows(
        "odd.cfg",
        "level",
        &expect![[r#"
            level = "info" : String                                    4 definitions, 1 wins

              WINS  normal   "info"   odd.cfg:8:13  level = "info"
              same  normal   "info"   odd.cfg:9:13  equal, counts once
              lost  default  "info"   odd.cfg:4:21  normal beats default
              off   normal   "trace"  odd.cfg:3:26
                    its condition is false: debug  odd.cfg:3:17

              to change it: edit odd.cfg:8:13 and odd.cfg:9:13 to the same value, or merge
              `{ level | force = … }` over it.
        "#]],
    );
    shows(
        "odd.cfg",
        "key",
        &expect![[r#"
            key = <secret> : String                                    2 definitions, 1 wins

              WINS  normal   <secret>  odd.cfg:5:18  key | secret = <secret>
              lost  default  <secret>  odd.cfg:8:37  normal beats default

              to change it: edit odd.cfg:5:18, or merge `{ key | force = … }` over it.
        "#]],
    );
    shows(
        "odd.cfg",
        "name",
        &expect![[r#"
            name = "x" : String                                                 1 definition

              WINS  normal  "x"  odd.cfg:8:54  name = "x"
              off   normal  -    odd.cfg:6:3   optional, and not set

              to change it: edit odd.cfg:8:54, or merge `{ name | force = … }` over it.
        "#]],
    );
}

#[test]
fn a_record_shows_where_its_fields_come_from() {
    shows(
        "all.cfg",
        "server",
        &expect![[r#"
            server = { …, port | force = 9443, …2 more }             3 definitions, combined
              : { host : String, port : Number, tags : Array String, url : String }

              PART  normal  { host = "localh…, …3 more }  base.cfg:2:25
              PART  normal  { port = 443, …1 more }       prod.cfg:3:12
              PART  normal  { port | force = 9443 }       local.cfg:2:10

              checks on { host = "localhost", port …
              ok  net.Server  base.cfg:2:12

              its fields
                host  "localhost"              base.cfg:4:12
                port                     9443  local.cfg:2:25  2 lost
                tags  ["base", "prod"]         base.cfg:6:68   combined
                url   "http://localhost:9443"  base.cfg:5:11
        "#]],
    );
}

#[test]
fn a_value_that_another_field_keeps_from_being() {
    shows(
        "bad.cfg",
        "probe.url",
        &expect![[r#"
            probe.url has no value                                                     error
              the values of `server.port` cannot be merged

              WINS  normal  <error: the values of `serv…  base.cfg:8:19
                    url = server.url ++ "/health"

              made from
                server.url     <error: the values of `serv…  base.cfg:5:11
                  server.host  "localhost"                   base.cfg:4:12
                  server.port  <error: the values of `serv…  clash.cfg:2:17
                               ties with prod.cfg:4:12, 1 lost

              to settle it, one of:
                clash.cfg:2:10  port | force = 8443    result "http://localhost:8443/heal…
                clash.cfg:2:10  port | default = 8443  result "http://localhost:443/healt…
                prod.cfg:4:5    port | force = 443     result "http://localhost:443/healt…
                prod.cfg:4:5    port | default = 443   result "http://localhost:8443/heal…
        "#]],
    );
}

#[test]
fn a_path_that_leads_no_further_is_explained_as_far_as_it_leads() {
    shows(
        "all.cfg",
        "server.tags[7]",
        &expect![[r#"
            server.tags = ["base", "prod"]                           3 definitions, combined

              PART  normal   ["base"]          base.cfg:6:68
              PART  normal   ["prod", "base"]  prod.cfg:5:12
              PART  default  []                net.cfg:6:37

              combined by  merge unique_concat                                  lib.cfg:3:19
                1  unique_concat [] ["base"]                -> ["base"]
                2  unique_concat ["base"] ["prod", "base"]  -> ["base", "prod"]
                3  check Array String                       -> ok  base.cfg:6:12
                4  check Array String                       -> ok  net.cfg:6:12
              each element came from:  [0] base.cfg:6:69  [1] prod.cfg:5:13

              server.tags[7] does not exist: no element `[7]`: it has 2 elements, `[0]` to
              `[1]`
        "#]],
    );
    shows(
        "all.cfg",
        "server.host.name",
        &expect![[r#"
            server.host = "localhost" : String                                  1 definition

              WINS  normal  "localhost"  base.cfg:4:12  host = "localhost"

              server.host.name does not exist: a String has no field `name`
        "#]],
    );
}

#[test]
fn chains_of_jsonnet() {
    shows(
        "prod.jsonnet",
        "port",
        &expect![[r#"
            port = 443 ∈ number                                        2 definitions, 1 wins

              WINS  layer 2  443  prod.jsonnet:3:9   port: super.port + 363
              prev  layer 1   80  lib.libsonnet:3:9  read as `super` by the object above it

              recomputed because of it (late bound)
                url  "http://y:80" -> "http://y:443"

              to change it: edit prod.jsonnet:3:9, or put an object above it: `{ port: … }`.
        "#]],
    );
    shows(
        "prod.jsonnet",
        "tags",
        &expect![[r#"
            tags = ["base", "prod"] ∈ [string]                       2 definitions, combined

              PART  layer 1  ["base"]  lib.libsonnet:4:9
              PART  layer 2  ["prod"]  prod.jsonnet:4:10

              combined by  +:                                               prod.jsonnet:4:3
                1  ["base"] + ["prod"]  -> ["base", "prod"]
              each element came from:  [0] lib.libsonnet:4:10  [1] prod.jsonnet:4:11
        "#]],
    );
    shows(
        "prod.jsonnet",
        "labels.tier",
        &expect![[r#"
            labels.tier = "front" ∈ string                             2 definitions, 1 wins

              WINS  layer 3  "front"  prod.jsonnet:8:20   tier: 'front'
              lost  layer 1  "base"   lib.libsonnet:5:32  the object above it defines it too

              to change it: edit prod.jsonnet:8:20, or put an object above it:
              `{ labels+: { tier: … } }`.
        "#]],
    );
    shows(
        "prod.jsonnet",
        "labels",
        &expect![[r#"
            labels = { app: "web", env: "prod", tier: "front" }      3 definitions, combined
              ∈ {app ∈ string, env ∈ string, tier ∈ string}

              PART  layer 1  { app: "web", tier: "base" }  lib.libsonnet:5:12  hidden (`::`)
              PART  layer 2  { env: "prod" }               prod.jsonnet:5:12
              PART  layer 3  { tier: "front" }             prod.jsonnet:8:12

              combined by  +:                                               prod.jsonnet:8:3
                1  { app: "web", tier: … + { env: "prod" }    -> { app: "web", env: "…
                2  { app: "web", env: "… + { tier: "front" }  -> { app: "web", env: "…

              its fields
                app   "web"    lib.libsonnet:5:19
                env   "prod"   prod.jsonnet:5:19
                tier  "front"  prod.jsonnet:8:20   1 lost

              note: exports leave it out
        "#]],
    );
    shows(
        "prod.jsonnet",
        "name",
        &expect![[r#"
            name = "y" ∈ string                                        2 definitions, 1 wins

              WINS  layer 3  "y"  prod.jsonnet:7:9   name: 'y'
              lost  layer 1  "x"  lib.libsonnet:2:9  the object above it defines it too

              recomputed because of it (late bound)
                url  "http://x:443" -> "http://y:443"

              to change it: edit prod.jsonnet:7:9, or put an object above it: `{ name: … }`.
        "#]],
    );
}

/// A definition that reads `super` has no error of its own where the definitions below it are not looked at.
#[test]
fn a_part_that_reads_super_has_no_error() {
    let mut session = Session::new(Box::new(NoLoader));
    session.submit(":dialect jsonnet");
    session.submit("local a = { s: { p: 1 } } + { s+: { p: 443 } } + { s+: { p: super.p + 1, o: super.p, q: 2 } }");
    let shown = text_of(&session.submit(":explain a.s"));
    assert!(shown.contains("{ o: _, p: _, q: 2 }") && !shown.contains("<error"), "{shown}");
}

#[test]
fn the_last_steps_of_a_long_combination_keep_their_numbers() {
    let mut session = Session::new(Box::new(NoLoader));
    session.submit(":dialect jsonnet");
    let layers: Vec<String> = (0..60).map(|i| format!("{{ a+: [{i}] }}")).collect();
    session.submit(&format!("local o = {}", layers.join(" + ")));
    let shown = text_of(&session.submit(":explain o.a"));
    assert!(shown.contains("… 9 earlier steps\n    10  "), "{shown}");
    assert!(shown.contains("\n    59  ") && !shown.contains("\n    9  ") && !shown.contains("\n    60  "), "{shown}");
}

#[test]
fn a_priority_is_never_a_number_alone() {
    let mut session = Session::new(Box::new(NoLoader));
    session.submit("let a = { x | priority 1 = 1 } & { x | priority 2 = 2 }");
    let shown = text_of(&session.submit(":explain a.x"));
    assert!(shown.contains("WINS  priority 2  2") && shown.contains("lost  priority 1  1"), "{shown}");
}

/// Returns the texts of the answers.
fn text_of(events: &[Event]) -> String {
    let text = |event: &Event| match event {
        Event::Answer(text) | Event::Diagnostic { report: text, .. } => text.text(),
        other => format!("{other:?}"),
    };
    events.iter().map(text).collect::<Vec<_>>().join("\n")
}
