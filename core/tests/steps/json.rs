//! The answer as JSON and HTML.

use super::{ask, files, text};
use cfg_core::Medium;
use expect_test::expect;

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
        <details open=""><summary><strong>step 1 of 1</strong>: { a | default = &quot;&lt;b&gt;&quot; } &amp; { a = &quot;&amp;&quot; }<span class="dim"> — 0 fields unchanged, 1 shown</span></summary>
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
    let schema: serde_json::Value = serde_json::from_str(include_str!("../../../docs/schema/steps.json")).unwrap();
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
