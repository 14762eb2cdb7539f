//! `:steps`, `cfg steps` and `:diff`: programs, and the steps that are shown.

use cfg_core::{Action, Event, InMemory, Input, Medium, NoLoader, Outcome, Request, Session};
use expect_test::{Expect, expect};
use std::path::PathBuf;

const FILES: [(&str, &str); 6] = [
    (
        "base.cfg",
        r#"let union = fun { lower, higher, .. } => lower @ higher in
{
  server = {
    host = "localhost",
    port | Number | default = 8080,
    tags | Array String | merge union = ["base"],
    url = "http://%{host}:%{std.to_string port}",
  },
  name = "app",
}
"#,
    ),
    ("prod.cfg", "{ server = { port = 443, tags = [\"prod\"] }, name = \"app\" }\n"),
    ("local.cfg", "{ server.port | force = 9443 }\n"),
    (
        "all.cfg",
        "let base = import \"base.cfg\" in let prod = import \"prod.cfg\" in\nbase & prod & (import \"local.cfg\")\n",
    ),
    ("clash.yaml", "# the port\nserver:\n  port: 8443\n"),
    (
        "chain.jsonnet",
        "local base = { port: 80, url: 'http://x:%d' % self.port, tags: ['a'], deep: { a: 1, b: 2 }, hid:: 3 };\n\
         base + { port: 81, tags+: ['b'], deep+: { b: 5 } } + { port: super.port + 1, deep: { z: 1 }, hid: 4 }\n",
    ),
];

fn session() -> Session {
    Session::new(Box::new(FILES.into_iter().collect::<InMemory>()))
}

fn ask(inputs: Vec<Input>, medium: Medium, most: Option<usize>) -> Outcome {
    let action = Action::Steps { at: None, all: false, most, layers: false, types: false, medium };
    let request = Request::new(inputs, action);
    session().run(request)
}

fn text(name: &str, program: &str) -> Vec<Input> {
    vec![Input::Text { name: String::from(name), text: program.as_bytes().to_vec() }]
}

#[track_caller]
fn shows(inputs: Vec<Input>, expected: Expect) {
    let outcome = ask(inputs, Medium::Text, None);
    let mut seen = format!("{}exit {}\n", outcome.output.text(), outcome.exit);
    for (_, report) in &outcome.reports {
        seen += &report.text().lines().take(2).collect::<Vec<_>>().join("");
        seen.push('\n');
    }
    expected.assert_eq(&seen);
}

fn files(names: &[&str]) -> Vec<Input> {
    names.iter().map(|name| Input::File(PathBuf::from(name))).collect()
}

#[test]
fn operands_are_joined_one_by_one() {
    shows(
        files(&["all.cfg"]),
        expect![[r#"
            step 1 of 2: base & prod                   2 fields same, 3 shown (all: `--all`)

              server.port  8080 default  &  443 normal  =>  443  normal beats default
              server.tags  ["base"]      &  ["prod"]    =>  ["base", "prod"]
                           union (base.cfg:6:33), then Array String (base.cfg:6:12): ok
              server.url   was "http://localhost:8080", now "http://localhost:443"
                           not merged: recomputed, it reads server.port

            step 2 of 2: (step 1) & local.cfg           3 fields same, 2 shown

              server.port  443 normal  &  9443 force  =>  9443  force beats normal
              server.url   was "http://localhost:443", now "http://localhost:9443"
                           not merged: recomputed, it reads server.port

            result: 5 fields.  `cfg explain FILE <path>` for one field.
            exit 0
        "#]],
    );
}

#[test]
fn a_list_of_files_is_a_merge_with_positions_in_all_of_them() {
    shows(
        files(&["base.cfg", "prod.cfg", "clash.yaml"]),
        expect![[r#"
        step 1 of 2: base.cfg & prod.cfg           2 fields same, 3 shown (all: `--all`)

          server.port  8080 default  &  443 normal  =>  443  normal beats default
          server.tags  ["base"]      &  ["prod"]    =>  ["base", "prod"]
                       union (base.cfg:6:33), then Array String (base.cfg:6:12): ok
          server.url   was "http://localhost:8080", now "http://localhost:443"
                       not merged: recomputed, it reads server.port

        step 2 of 2: (step 1) & clash.yaml          3 fields same, 2 shown

          server.port  443 normal  &  8443 normal  =>  conflict
                       both normal, and they differ
                       prod.cfg:1:21 against clash.yaml:3:9
          server.url   was "http://localhost:443", now conflict
                       not merged: recomputed, it reads server.port

        result: 5 fields, 2 without a value.  `cfg explain FILE <path>` for one field.
        exit 1
    "#]],
    );
}

#[test]
fn a_chain_of_objects() {
    shows(
        files(&["chain.jsonnet"]),
        expect![[r#"
        step 1 of 2: base + {…} chain.jsonnet:2:8  2 fields same, 4 shown (all: `--all`)

          deep.b  2      +  5      =>  5           the right stands above
          port    80     +  81     =>  81          the right stands above
          tags    ["a"]  +  ["b"]  =>  ["a", "b"]  `+:` adds to the left
          url     was "http://x:80", now "http://x:81"
                  not merged: recomputed, it reads port

        step 2 of 2: (step 1) + {…} chain.jsonnet:2:54  1 field same, 4 shown

          deep  { a: 1, b: 5 }  +  { z: 1 }  =>  { z: 1 }  the right stands above
          hid   3               +  4         =>  4  the right stands above, hidden
          port  81              +  82        =>  82
                the right stands above, built on `super`
          url   was "http://x:81", now "http://x:82"
                not merged: recomputed, it reads port

        result: 5 fields.  `cfg explain FILE <path>` for one field.
        exit 0
    "#]],
    );
}

#[test]
fn a_fold_is_shown_as_if_it_were_written_out() {
    shows(
        text(
            "f.cfg",
            "let xs = [{ a = 1 }, { b = a, a | force = 2 }, { c = 3 }] in std.array.fold_left (fun x y => x & y) {} xs",
        ),
        expect![[r#"
            step 1 of 3: {} & { a = 1 }                 0 fields same, 1 shown

              a  -  &  1  =>  1  only the right has it

            step 2 of 3: (step 1) & { b = a, a | force = 2 }  0 fields same, 2 shown

              a  1 normal  &  2 force  =>  2  force beats normal
              b  -         &  2        =>  2  only the right has it

            step 3 of 3: (step 2) & { c = 3 }           2 fields same, 1 shown

              c  -  &  3  =>  3  only the right has it

            result: 3 fields.  `cfg explain FILE <path>` for one field.
            exit 0
        "#]],
    );
    shows(
        text("f.cfg", "std.record.merge_all [{ a | default = 1 }, { a = 2 }, { a = 2 }]"),
        expect![[r#"
        step 1 of 2: { a | default = 1 } & { a = 2 }  0 fields same, 1 shown

          a  1 default  &  2 normal  =>  2  normal beats default

        step 2 of 2: (step 1) & { a = 2 }           1 field same, 0 shown

        result: 1 field.  `cfg explain FILE <path>` for one field.
        exit 0
    "#]],
    );
}

#[test]
fn contracts_are_shown_checked() {
    shows(
        text(
            "f.cfg",
            "({ port = 80 } & { port | Number } & { port | String, x | default = 1 }) | { port, x | Number, .. }",
        ),
        expect![[r#"
            step 1 of 3: { port = 80 } & { port | Number }  0 fields same, 1 shown

              port  80  |  Number  =>  80  Number (f.cfg:1:27): ok

            step 2 of 3: (step 1) & {…} f.cfg:1:38      0 fields same, 2 shown

              port  80  |  String     =>  check fails  String (f.cfg:1:47): fails
              x     -   &  1 default  =>  1            only the right has it

            step 3 of 3: (step 2) | { port, x | Number, .. }  1 field same, 1 shown

              x  1 default  |  Number  =>  1  Number (f.cfg:1:88): ok

            result: 2 fields, 1 without a value.  `cfg explain FILE <path>` for one field.
            exit 1
        "#]],
    );
}

#[test]
fn merges_inside_expressions_are_found() {
    shows(
        text("f.cfg", "{ a = 1, app.conf = { x | default = 1 } & { x | priority 5 = 2 } & { x | priority -1 = 0 } }"),
        expect![[r#"
            app.conf: step 1 of 2: { x | default = 1 } & { x | priority 5 = 2 }
              0 fields same, 1 shown

              app.conf.x  1 default  &  2 priority 5  =>  2  priority 5 beats default

            app.conf: step 2 of 2: (step 1) & { x | priority -1 = 0 }
              0 fields same, 1 shown

              app.conf.x  2 priority 5  &  0 priority -1  =>  2
                          priority 5 beats priority -1: the left stays

            result: 2 fields.  `cfg explain FILE <path>` for one field.
            exit 0
        "#]],
    );
    shows(
        text("f.cfg", "{ a = 1 }"),
        expect![[r#"
        nothing is merged here: no `&`, no `+` of objects, no list of files
        result: 1 field.
        exit 0
    "#]],
    );
}

#[test]
fn it_shows_where_it_stops() {
    let operands: Vec<String> = (0..300).map(|n| format!("{{ x | priority {n} = {n}, y{n} = x }}")).collect();
    let outcome = ask(text("f.cfg", &operands.join(" & ")), Medium::Text, Some(2));
    expect![[r#"
        step 1 of 299: { x | priority 0 = 0, y0 = x } & { x | priority 1 = 1, y1 = x }
          0 fields same, 3 shown

          x   0 normal  &  1 priority 1  =>  1  priority 1 beats normal
          y0  was 0, now 1
              not merged: recomputed, it reads x
          y1  -         &  1             =>  1  only the right has it

        step 2 of 299: (step 1) & { x | priority 2 = 2, y2 = x }  0 fields same, 4 shown

          x   1 priority 1  &  2 priority 2  =>  2  priority 2 beats priority 1
          y0  was 1, now 2
              not merged: recomputed, it reads x
          y1  was 1, now 2
              not merged: recomputed, it reads x
          y2  -             &  2             =>  2  only the right has it

        stopped after 2 of 299 steps; `--most 299` tells more; the result is that of all
        result: 301 fields.  `cfg explain FILE <path>` for one field.
    "#]]
    .assert_eq(&outcome.output.text());
}

#[test]
fn json_is_version_1() {
    let outcome = ask(text("f.cfg", "{ a | default = 1, b = a } & { a = 2 }"), Medium::Json, None);
    let json: serde_json::Value = serde_json::from_str(&outcome.output.text()).unwrap();
    expect![[r#"
        {
          "version": 1,
          "steps": [
            {
              "n": 1,
              "kind": "override",
              "path": "a",
              "left": 1,
              "right": 2,
              "result": 2,
              "because": "normal beats default",
              "from": {
                "left": {
                  "priority": "default",
                  "source": {
                    "file": "f.cfg",
                    "line": 1,
                    "column": 17,
                    "text": "1"
                  }
                },
                "right": {
                  "priority": "normal",
                  "source": {
                    "file": "f.cfg",
                    "line": 1,
                    "column": 36,
                    "text": "2"
                  }
                }
              },
              "checks": [],
              "hidden": false
            },
            {
              "n": 1,
              "kind": "recompute",
              "path": "b",
              "left": 1,
              "right": null,
              "result": 2,
              "because": "not merged: recomputed, it reads a",
              "from": {
                "left": {
                  "priority": "normal",
                  "source": {
                    "file": "f.cfg",
                    "line": 1,
                    "column": 24,
                    "text": "a"
                  }
                },
                "right": null
              },
              "reads": [
                "a"
              ],
              "checks": [],
              "hidden": false
            }
          ],
          "result": {
            "a": 2,
            "b": 2
          },
          "fields": 2,
          "without_value": 0,
          "merges": [
            {
              "path": "",
              "first": {
                "label": "{ a | default = 1, b = a }",
                "source": {
                  "file": "f.cfg",
                  "line": 1,
                  "column": 1,
                  "text": "{ a | default = 1, b = a }"
                }
              },
              "total": 1,
              "steps": [
                {
                  "n": 1,
                  "operator": "&",
                  "operand": {
                    "label": "{ a = 2 }",
                    "source": {
                      "file": "f.cfg",
                      "line": 1,
                      "column": 30,
                      "text": "{ a = 2 }"
                    }
                  },
                  "merged_at": {
                    "file": "f.cfg",
                    "line": 1,
                    "column": 1,
                    "text": "{ a | default = 1, b = a } & { a = 2 }"
                  },
                  "same": 0,
                  "shown": 2,
                  "not_compared": 0,
                  "whole": true,
                  "unchanged": []
                }
              ]
            }
          ],
          "stopped": false
        }
    "#]]
    .assert_eq(&format!("{json:#}\n"));
}

#[test]
fn html_is_readable_without_styles_and_safe() {
    let outcome = ask(text("f.cfg", "{ a | default = \"<b>\" } & { a = \"&\" }"), Medium::Html, None);
    let page = outcome.output.text();
    let body = page.split("<main").nth(1).unwrap_or_default();
    expect![[r#"
         class="cfg">
        <details open=""><summary><strong>step 1 of 1</strong>: { a | default = &quot;&lt;b&gt;&quot; } &amp; { a = &quot;&amp;&quot; }<span class="dim"> — 0 fields same, 1 shown</span></summary>
        <p><span class="dim">merged at f.cfg:1:1</span></p>
        <table><thead><tr><th scope="col">field</th><th scope="col">left</th><th scope="col">right</th><th scope="col">result</th><th scope="col">because</th></tr>
        </thead>
        <tbody><tr><th scope="row"><span class="name">a</span></th><td><del>&quot;&lt;b&gt;&quot; default</del>
        <span class="dim">f.cfg:1:17</span></td><td><span class="string">&quot;&amp;&quot;</span> <span class="dim">normal</span>
        <span class="dim">f.cfg:1:33</span></td><td><strong class="wins">&quot;&amp;&quot;</strong></td><td><span class="dim">normal beats default</span></td></tr>
        </tbody>
        </table>
        </details>
        <p><strong>result</strong>: 1 field.  <code>cfg explain FILE &lt;path&gt;</code> for one field.</p>
        </main>
        </body>
        </html>
    "#]].assert_eq(body);
}

fn submit(session: &mut Session, inputs: &[&str]) -> String {
    let mut out = String::new();
    for input in inputs {
        out += &format!("> {input}\n");
        for event in session.submit(input) {
            out += &match event {
                Event::Value { value, .. } => value.text(),
                Event::Bound(text) | Event::Answer(text) | Event::View { text, .. } => text.text(),
                Event::Steps { pages, footer, .. } => Event::text(&pages, &footer).text(),
                Event::Diagnostic { report, .. } => report.text().lines().take(2).collect::<Vec<_>>().join(""),
                Event::Output(text) => text,
                Event::Quit => String::from("quit"),
            };
            out.push('\n');
        }
    }
    out
}

#[test]
fn names_of_a_session_are_followed() {
    let mut session = Session::new(Box::new(NoLoader));
    let inputs = ["base = { port | default = 80 }", "prod = base & { port = 443 }", ":steps prod", ":steps 1 + 1"];
    expect![[r#"
        > base = { port | default = 80 }
        base : { port : Number }
        > prod = base & { port = 443 }
        prod : { port : Number }
        > :steps prod
        step 1 of 1: base & { port = 443 }          0 fields same, 1 shown

          port  80 default  &  443 normal  =>  443  normal beats default

        result: 1 field.  `:explain <path>` for one field, `:diff base, prod` for all.
        > :steps 1 + 1
        nothing is merged here: no `&`, no `+` of objects, no list of files
        result: 2.
    "#]]
    .assert_eq(&submit(&mut session, &inputs));
}

#[test]
fn a_difference_has_both_sides_and_their_places() {
    let mut session = session();
    let inputs = [
        "base = import \"base.cfg\"",
        "prod = base & (import \"prod.cfg\")",
        ":diff base prod",
        ":diff { a = 1, b = [1, 2, 3] } & { c = 2 }, { a = 1, b = [1, 9, 2, 3], d = \"x\" }",
        ":diff prod prod",
        ":diff prod",
        ":diff { a = nope } 1",
    ];
    expect![[r#"
        > base = import "base.cfg"
        base : { name : String, server : { host : String, port : Number, tags : Array String, url : String } }
        > prod = base & (import "prod.cfg")
        prod : { name : String, server : { host : String, port : Number, tags : Array String, url : String } }
        > :diff base prod
        ~ server.port     8080 default  ->  443 normal    base.cfg:5:31  prod.cfg:1:21
        + server.tags[1]  "prod"                          prod.cfg:1:34
        ~ server.url      "http://localhost:8080"  ->  "http://localhost:443"
                          recomputed, reads server.port
        3 different, 3 fields same
        > :diff { a = 1, b = [1, 2, 3] } & { c = 2 }, { a = 1, b = [1, 9, 2, 3], d = "x" }
        + b[1]  9                                         :diff:1:62
        - c     2                                         :diff:1:40
        + d     "x"                                       :diff:1:76
        3 different, 4 fields same
        > :diff prod prod
        nothing differs, 5 fields same
        > :diff prod
        error: `:diff` needs two expressions, separated by a blank or a comma [command/usage] = help: usage: :diff A B | N
        > :diff { a = nope } 1
        error: unbound name `nope` [scope/unbound] --> :diff:1:13
    "#]]
    .assert_eq(&submit(&mut session, &inputs));
}

#[test]
fn a_session_is_compared_with_its_earlier_state() {
    let mut session = Session::new(Box::new(NoLoader));
    let inputs = ["x = { a = 1, b = 2 }", "y = x.a + 1", "y", "x = { a = 5, b = 2 }", "z = 1", ":diff 2", ":diff"];
    expect![[r#"
        > x = { a = 1, b = 2 }
        x : { a : Number, b : Number }
        > y = x.a + 1
        y : Number
        > y
        2
        > x = { a = 5, b = 2 }
        x : { a : Number, b : Number }
        > z = 1
        z : Number
        > :diff 2
        ~ x.a  1  ->  5                                   cfg[1]:1:11  cfg[4]:1:11
        + z    1                                          cfg[5]:1:1
        ~ y    recomputed                                 reads x
        3 different, 1 field same
        > :diff
        + z  1                                            cfg[5]:1:1
        1 different, 0 fields same
    "#]]
    .assert_eq(&submit(&mut session, &inputs));
}

#[test]
fn a_field_depends_on_what_it_refers_to_and_not_on_other_fields_of_that_name() {
    shows(
        text(
            "f.cfg",
            "{ a.port | default = 1, b.port | default = 1, url = b.port, far = url + 1 } & { a.port = 2, b.port = 3 }",
        ),
        expect![[r#"
            step 1 of 1: {…} f.cfg:1:1 & { a.port = 2, b.port = 3 }  0 fields same, 4 shown

              a.port  1 default  &  2 normal  =>  2  normal beats default
              b.port  1 default  &  3 normal  =>  3  normal beats default
              far     was 2, now 4
                      not merged: recomputed, it reads url
              url     was 1, now 3
                      not merged: recomputed, it reads b.port

            result: 4 fields.  `cfg explain FILE <path>` for one field.
            exit 0
        "#]],
    );
}

/// Checks a value against a schema, for the part of JSON Schema that ours use: `type`, `const`, `enum`, `required`,
/// `properties`, `additionalProperties`, `items`, `$ref`.
fn meets(value: &serde_json::Value, schema: &serde_json::Value, whole: &serde_json::Value, at: &str) {
    use serde_json::Value;
    if let Some(name) = schema["$ref"].as_str() {
        meets(value, whole.pointer(name.trim_start_matches('#')).unwrap(), whole, at);
    }
    let named = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    match &schema["type"] {
        Value::String(ty) => assert_eq!(ty, named, "{at}"),
        Value::Array(types) => assert!(types.iter().any(|ty| ty == named), "{at}: {named}"),
        _ => {}
    }
    if let Some(constant) = schema.get("const") {
        assert_eq!(value, constant, "{at}");
    }
    if let Some(all) = schema["enum"].as_array() {
        assert!(all.contains(value), "{at}: {value}");
    }
    if let Value::Object(fields) = value {
        for name in schema["required"].as_array().into_iter().flatten() {
            assert!(fields.contains_key(name.as_str().unwrap()), "{at} lacks {name}");
        }
        for (name, field) in fields {
            match schema["properties"].get(name) {
                Some(schema) => meets(field, schema, whole, &format!("{at}.{name}")),
                None => assert!(schema["additionalProperties"] != false, "{at}.{name} is not in the schema"),
            }
        }
    }
    if let (Some(items), Some(elements)) = (schema.get("items"), value.as_array()) {
        elements.iter().for_each(|element| meets(element, items, whole, &format!("{at}[]")));
    }
}

#[test]
fn json_meets_its_schema() {
    let schema: serde_json::Value = serde_json::from_str(include_str!("../../docs/schema/steps.json")).unwrap();
    for inputs in [
        files(&["all.cfg"]),
        files(&["base.cfg", "prod.cfg", "clash.yaml"]),
        files(&["chain.jsonnet"]),
        text("f.cfg", "({ a = 1 } & { a | Number, b | String, s | secret = 1, f = fun x => x }) | { a | String, .. }"),
        text("f.cfg", "1"),
    ] {
        let outcome = ask(inputs, Medium::Json, None);
        meets(&serde_json::from_str(&outcome.output.text()).unwrap(), &schema, &schema, "answer");
    }
}

#[test]
fn a_thousand_records_are_explained_within_a_budget() {
    let rising: Vec<String> = (0..1000)
        .map(|n| {
            let fields: Vec<String> = (0..20).map(|f| format!("f{f} | priority {n} = {}", n + f)).collect();
            format!("{{ {} }}", fields.join(", "))
        })
        .collect();
    let outcome = ask(text("f.cfg", &rising.join(" & ")), Medium::Text, None);
    let shown = outcome.output.text();
    assert!(shown.contains("stopped after 100 of 999 steps; `--most 999` tells more; the result is that of all"));
    assert!(shown.contains("result: 20 fields."));
}

#[test]
fn lines_keep_to_the_width() {
    let wide = "{ long = { first_field = \"a long text indeed\", second = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }, \
                a_rather_long_name_of_a_field.and_another = \"x\", short | default = 1, w = \"a text of some length\" }";
    let other = "{ a_rather_long_name_of_a_field.and_another | force = \"a text of some length to fill the line\", short = 2, \
                 w | force = \"another text of some length that is too much for a line\" }";
    let outcome = ask(text("f.cfg", &format!("{{ short | default = 0 }} & {wide} & {other}")), Medium::Text, None);
    let shown = outcome.output.text();
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    expect![[r#"
        step 1 of 2: { short | default = 0 } & {…} f.cfg:1:27  0 fields same, 4 shown

          a_rather_long_name_of_a_field
                                      -          &  { and_another = "x" }  =>  the same
                                      only the right has it
          long                        -  &  { first_field = "a long text …  =>  the same
                                      only the right has it
          short                       0 default  &  1 default  =>  conflict
                                      both default, and they differ
                                      f.cfg:1:21 against f.cfg:1:185
          w                           -  &  "a text of some length"  =>  the same
                                      only the right has it

        step 2 of 2: (step 1) & {…} f.cfg:1:220     2 fields same, 3 shown

          a_rather_long_name_of_a_field.and_another
                                      "x" normal  &  "a text of som…  =>  "a text of so…
                                      force beats normal
          short                       conflict default  &  2 normal  =>  2
                                      normal beats default
          w                           "a text of s…  &  "another tex…  =>  "another tex…
                                      force beats normal

        result: 5 fields.  `cfg explain FILE <path>` for one field.
    "#]]
    .assert_eq(&shown);
}

#[test]
fn a_difference_is_at_the_stronger_definition() {
    let mut session = Session::new(Box::new(NoLoader));
    let shown =
        submit(&mut session, &["base | rec default = { a.b = 1 }", "all = base & { a.b = 2 }", ":diff base all"]);
    assert!(shown.contains("~ a.b  1 default  ->  2 normal                    cfg[1]:1:30  cfg[2]:1:22"), "{shown}");
}

#[test]
fn secrets_are_masked_and_errors_are_in_their_place() {
    shows(
        text(
            "f.cfg",
            "{ key | secret = \"a\", bad = 1 / 0, ok = 1 } & { key | force = \"b\", bad | force = 2, worse = bad + \"x\" }",
        ),
        expect![[r#"
            step 1 of 1: {…} f.cfg:1:1 & {…} f.cfg:1:47
              1 field same, 3 shown (all: `--all`)

              bad    fails normal     &  2 force         =>  2         force beats normal
              key    <secret> normal  &  <secret> force  =>  <secret>  force beats normal
              worse  -                &  bad + "x"       =>  fails     only the right has it

            result: 4 fields, 1 without a value.  `cfg explain FILE <path>` for one field.
            exit 1
        "#]],
    );
}

#[test]
fn secrets_that_differ_are_a_conflict_and_stay_secrets() {
    let program = "{ key | secret = \"sesame1\", ok = 1 } & { key = \"sesame2\" }";
    shows(
        text("f.cfg", program),
        expect![[r#"
            step 1 of 1: {…} f.cfg:1:1 & {…} f.cfg:1:40
              1 field same, 1 shown (all: `--all`)

              key  <secret> normal  &  <secret> normal  =>  conflict
                   both normal, and they differ
                   f.cfg:1:18 against f.cfg:1:48

            result: 2 fields, 1 without a value.  `cfg explain FILE <path>` for one field.
            exit 1
        "#]],
    );
    for medium in [Medium::Text, Medium::Json, Medium::Html] {
        let shown = ask(text("f.cfg", program), medium, None).output.text();
        assert!(!shown.contains("sesame"), "{shown}");
    }
}

#[test]
fn a_secret_never_appears() {
    let program = "{ key | secret = \"sesame1\", r.k | secret | default = \"sesame2\" } & { key | force = \"sesame3\" } & { r.k = \"sesame4\" }";
    for medium in [Medium::Text, Medium::Json, Medium::Html] {
        let shown = ask(text("f.cfg", program), medium, None).output.text();
        assert!(shown.contains("secret") && !shown.contains("sesame"), "{shown}");
    }
    let mut session = Session::new(Box::new(NoLoader));
    let shown = submit(&mut session, &["a = { k | secret = \"sesame1\" }", "b = { k = \"sesame2\" }", ":diff a b"]);
    let diff = shown.split(":diff").nth(1).unwrap();
    assert!(diff.contains("secret") && !diff.contains("sesame"), "{shown}");
}

#[test]
fn pushed_priorities_and_guards() {
    shows(
        text("f.cfg", "let low | default rec = { a = 1, r.b = 2 } in low & { a = 3, r.b = 4 } & { r = { c = 5 } }"),
        expect![[r#"
            step 1 of 2: low & { a = 3, r.b = 4 }       0 fields same, 2 shown

              a    1 default  &  3 normal  =>  3  normal beats default
              r.b  2 default  &  4 normal  =>  4  normal beats default

            step 2 of 2: (step 1) & { r = { c = 5 } }   2 fields same, 1 shown

              r.c  -  &  5  =>  5  only the right has it

            result: 3 fields.  `cfg explain FILE <path>` for one field.
            exit 0
        "#]],
    );
}

fn options(inputs: Vec<Input>, layers: bool, overrides: &[&str], at: Option<&str>) -> String {
    let at = at.map(String::from);
    let action = Action::Steps { at, all: false, most: None, layers, types: false, medium: Medium::Text };
    let overrides = overrides.iter().map(|text| String::from(*text)).collect();
    let request = Request { overrides, ..Request::new(inputs, action) };
    let outcome = session().run(request);
    let reports: String = outcome.reports.iter().map(|(_, report)| report.text()).collect();
    format!("{}{reports}exit {}\n", outcome.output.text(), outcome.exit)
}

#[test]
fn layers_and_assignments_of_the_command_line() {
    let seen = options(files(&["base.cfg", "prod.cfg", "clash.yaml"]), true, &[], Some("server"));
    expect![[r#"
        step 1 of 2: base.cfg & prod.cfg            1 field same, 3 shown (all: `--all`)

          server.port  8080 default  &  443 layer 2       =>  443  layer 2 beats default
          server.tags  ["base"]      &  ["prod"] layer 2  =>  ["base", "prod"]
                       union (base.cfg:6:33), then Array String (base.cfg:6:12): ok
          server.url   was "http://localhost:8080", now "http://localhost:443"
                       not merged: recomputed, it reads server.port

        step 2 of 2: (step 1) & clash.yaml          2 fields same, 2 shown

          server.port  443 layer 2  &  8443 layer 3  =>  8443  layer 3 beats layer 2
          server.url   was "http://localhost:443", now "http://localhost:8443"
                       not merged: recomputed, it reads server.port

        result: 5 fields.  `cfg explain FILE <path>` for one field.
        exit 0
    "#]]
    .assert_eq(&seen);
    let seen = options(text("f.cfg", "{ x | default = 1 } & { x, y = x }"), false, &["x=3"], None);
    expect![[r#"
        step 1 of 2: { x | default = 1 } & { x, y = x }
          1 field same, 1 shown (all: `--all`)

          y  -  &  1  =>  1  only the right has it

        step 2 of 2: (step 1) & x=3                 0 fields same, 2 shown

          x  1 default  &  3 normal  =>  3  normal beats default
          y  was 1, now 3
             not merged: recomputed, it reads x

        result: 2 fields.  `cfg explain FILE <path>` for one field.
        exit 0
    "#]]
    .assert_eq(&seen);
}

#[test]
fn jsonnet_in_a_session() {
    let mut session = Session::new(Box::new(NoLoader));
    let inputs = [
        ":dialect jsonnet",
        "local base = { a: 1, b:: self.a + 1, f(x): x + self.a }",
        ":steps base + { a: 5 } + { b+: 1, f(x): super.f(x) }",
        ":diff base, base { a: 5 }",
    ];
    expect![[r#"
        > :dialect jsonnet
        > local base = { a: 1, b:: self.a + 1, f(x): x + self.a }
        base ∈ {a ∈ number, b ∈ number, f ∈ (a) -> b} where b = a + number
        > :steps base + { a: 5 } + { b+: 1, f(x): super.f(x) }
        step 1 of 2: base + { a: 5 }     0 fields same, 2 shown, 1 function not compared

          a  1  +  5  =>  5  the right stands above
          b  was 2, now 6
             not merged: recomputed, it reads a, hidden

        step 2 of 2: (step 1) + { b+: 1, f(x): super.f(x) }  1 field same, 2 shown

          b  6  +  1  =>  7  `+:` adds to the left, hidden
          f  function(x) x + self.a  +  function(x) super.f(…  =>  function(x) super.f(…
             the right stands above, built on `super`

        result: 3 fields.  `:explain <path>` for one field.
        > :diff base, base { a: 5 }
        ~ a  1  ->  5                                     jsonnet[1]:1:19  :diff:1:23
        ~ b  2  ->  6                                     recomputed, reads a
        2 different, 0 fields same, 1 function not compared
    "#]]
    .assert_eq(&submit(&mut session, &inputs));
}

#[test]
fn the_steps_of_a_result_are_those_of_its_time() {
    let mut session = Session::new(Box::new(NoLoader));
    submit(&mut session, &["base = { port | default = 80 }", "base & { port = 443 }", "base = { port | default = 1 }"]);
    expect![[r#"
        > :steps $2
        note: `$2` was computed before `base` was defined again [session/stale] --> :steps:1:8
        step 1 of 1: base & { port = 443 }          0 fields same, 1 shown

          port  80 default  &  443 normal  =>  443  normal beats default

        result: 1 field.  `:explain <path>` for one field, `:diff base, $2` for all.
    "#]]
    .assert_eq(&submit(&mut session, &[":steps $2"]));
}
