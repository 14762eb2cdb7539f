//! The same explanations on a narrow screen, as JSON, as HTML, and in a session.

use super::{explained, explained_by, session};
use crate::loader::InMemory;
use crate::session::{Event, Medium, Session};
use expect_test::expect;

#[test]
fn a_narrow_screen_puts_reasons_below() {
    let text = explained("all.cfg", "server.port", 48, Medium::Text);
    expect![[r#"
        server.port = 9443         3 definitions, 1 wins
          : Number

          WINS  force    9443  local.cfg:2:25
                port | force = 9443
          lost  normal    443  prod.cfg:4:12
                force beats normal
          lost  default  8080  base.cfg:3:31
                normal beats default

          checks on 9443
          ok  Number  base.cfg:3:12
              written on the losing default
          ok  IsPort  net.cfg:5:12
              via server : net.Server (base.cfg:2:12)

          recomputed because of it (late bound)
            server.url  "htt…host:443" -> "htt…ost:9443"
            probe.url   "htt…ost:443/… -> "htt…ost:9443…

          to change it: edit local.cfg:2:25. Another
          `force` here would conflict.
          note: `force` drops the definition at
          prod.cfg:4:12
    "#]]
    .assert_eq(&text);
}

#[test]
fn json_is_one_line_and_says_it_all() {
    let text = explained("all.cfg", "server.port", 80, Medium::Json);
    assert_eq!(text.lines().count(), 1);
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    expect![[r#"
        {
          "version": 1,
          "path": "server.port",
          "asked": null,
          "type": "Number",
          "value": 9443,
          "error": null,
          "verdict": "wins",
          "priority": "force",
          "hidden": false,
          "in_session": false,
          "definitions": [
            {
              "source": {
                "file": "base.cfg",
                "line": 3,
                "column": 31,
                "text": "port | Number | default = 8080"
              },
              "path": "server.port",
              "value": 8080,
              "priority": "default",
              "layer": null,
              "visibility": "inherit",
              "outcome": "lost",
              "because": "normal beats default",
              "merged_at": {
                "file": "all.cfg",
                "line": 1,
                "column": 21,
                "text": "base.cfg & prod.cfg"
              },
              "elements": []
            },
            {
              "source": {
                "file": "prod.cfg",
                "line": 4,
                "column": 12,
                "text": "port = 443"
              },
              "path": "server.port",
              "value": 443,
              "priority": "normal",
              "layer": null,
              "visibility": "inherit",
              "outcome": "lost",
              "because": "force beats normal",
              "merged_at": {
                "file": "all.cfg",
                "line": 1,
                "column": 21,
                "text": "base.cfg & prod.cfg"
              },
              "elements": []
            },
            {
              "source": {
                "file": "local.cfg",
                "line": 2,
                "column": 25,
                "text": "port | force = 9443"
              },
              "path": "server.port",
              "value": 9443,
              "priority": "force",
              "layer": null,
              "visibility": "inherit",
              "outcome": "wins",
              "because": "port | force = 9443",
              "merged_at": {
                "file": "all.cfg",
                "line": 1,
                "column": 43,
                "text": ".. & local.cfg"
              },
              "elements": []
            },
            {
              "source": {
                "file": "net.cfg",
                "line": 5,
                "column": 5,
                "text": "port | IsPort"
              },
              "path": "server.port",
              "value": null,
              "priority": "normal",
              "layer": null,
              "visibility": "inherit",
              "outcome": "off",
              "because": "declares it without a value",
              "merged_at": null,
              "elements": []
            }
          ],
          "more_definitions": 0,
          "contracts": [
            {
              "text": "Number",
              "source": {
                "file": "base.cfg",
                "line": 3,
                "column": 12,
                "text": "Number"
              },
              "holds": true,
              "path": "server.port",
              "definition": 0,
              "via": null,
              "because": "written on the losing default"
            },
            {
              "text": "IsPort",
              "source": {
                "file": "net.cfg",
                "line": 5,
                "column": 12,
                "text": "IsPort"
              },
              "holds": true,
              "path": "server.port",
              "definition": 3,
              "via": {
                "field": "server",
                "contract": "net.Server",
                "source": {
                  "file": "base.cfg",
                  "line": 2,
                  "column": 12,
                  "text": "net.Server"
                }
              },
              "because": "via server : net.Server (base.cfg:2:12)"
            }
          ],
          "merge_function": null,
          "elements": [],
          "fields": [],
          "more_fields": 0,
          "depends_on": [],
          "recomputed": [
            {
              "path": "server.url",
              "was": "http://localhost:443",
              "now": "http://localhost:9443"
            },
            {
              "path": "probe.url",
              "was": "http://localhost:443/health",
              "now": "http://localhost:9443/health"
            }
          ],
          "fixes": [],
          "notes": [
            "to change it: edit local.cfg:2:25. Another `force` here would conflict.",
            "note: `force` drops the definition at prod.cfg:4:12"
          ]
        }"#]]
    .assert_eq(&format!("{json:#}"));
}

/// A base and an object after it, as in Jsonnet, have no operator between them: the text is that of both.
#[test]
fn the_place_of_a_merge_without_an_operator_has_a_text() {
    let merged_at = |program: &str| {
        let files: InMemory = [("a.jsonnet", program)].into_iter().collect();
        let json = explained_by(&mut Session::new(Box::new(files)), "a.jsonnet", "x", Medium::Json);
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        json["definitions"][0]["merged_at"]["text"].clone()
    };
    assert_eq!(merged_at("local b = { x: 1 };\nb { x: 2 }\n"), "b { x: 2 }");
    // the text ends where the expression ends
    assert_eq!(merged_at("local b = { x: 1 };\n(b { x: 2 }) // é after it\n"), "b { x: 2 }");
}

#[test]
fn code_in_the_reason_of_an_outcome_is_an_element() {
    let text = explained("prod.jsonnet", "port", 80, Medium::Html);
    assert!(text.contains("read as <code>super</code> by the object above it"), "{text}");
}

#[test]
fn html_needs_no_style_and_has_no_script() {
    let text = explained("bad.cfg", "server.port", 80, Medium::Html);
    assert!(!text.contains("<script"));
    let main = text.split("<main").nth(1).unwrap_or_default();
    expect![[r#"
         class="cfg">
        <h2><span class="name">server.port</span> has no value: 2 definitions tie</h2>
        <table><thead><tr><th scope="col">outcome</th><th scope="col">priority</th><th scope="col">value</th><th scope="col">where</th><th scope="col">why</th></tr>
        </thead>
        <tbody><tr><th scope="row"><strong class="error">TIE</strong></th><td>normal</td><td><span class="literal">443</span></td><td><span class="dim">prod.cfg:4:12</span></td><td class="long">merged at bad.cfg:1:21  base.cfg &amp; prod.cfg</td></tr>
        <tr><th scope="row"><strong class="error">TIE</strong></th><td>normal</td><td><span class="literal">8443</span></td><td><span class="dim">clash.cfg:2:17</span></td><td class="long">merged at bad.cfg:1:43  .. &amp; clash.cfg</td></tr>
        <tr><th scope="row"><span class="dim">lost</span></th><td>default</td><td><del>8080</del></td><td><span class="dim">base.cfg:3:31</span></td><td>normal beats default</td></tr>
        </tbody>
        </table>
        <h3>to settle it, one of</h3>
        <table><thead><tr><th scope="col">where</th><th scope="col">edit</th><th scope="col">result</th></tr>
        </thead>
        <tbody><tr><td>clash.cfg:2:10</td><td>port | force = 8443</td><td><span class="literal">8443</span></td></tr>
        <tr><td>clash.cfg:2:10</td><td>port | default = 8443</td><td><span class="literal">443</span></td></tr>
        <tr><td>prod.cfg:4:5</td><td>port | force = 443</td><td><span class="literal">443</span></td></tr>
        <tr><td>prod.cfg:4:5</td><td>port | default = 443</td><td><span class="literal">8443</span></td></tr>
        </tbody>
        </table>
        </main>
        </body>
        </html>

    "#]].assert_eq(main);
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
    expect![[r#"
        app.port = 443 : Number                                    2 definitions, 1 wins

          WINS  normal   443  cfg[2]:1:27  port = 443
          lost  default   80  cfg[1]:1:31  normal beats default

          to change it: edit cfg[2]:1:27, or merge `{ port | force = … }` over it.

        app = { port = 443 } : { port : Number }                 2 definitions, combined

          PART  normal  { port | default = 80 }  cfg[1]:1:12
          PART  normal  { port = 443 }           cfg[2]:1:18

          made from
            base  … 1 more  cfg[1]:1:12

          its fields
            port  443  cfg[2]:1:27  1 lost

    "#]]
    .assert_eq(&said);
}

#[test]
fn a_column_without_texts_is_left_out() {
    let combined = explained("prod.cfg", "server.tags", 80, Medium::Html);
    assert!(combined.contains("<th scope=\"col\">why</th>"), "{combined}");
    let combined = explained("two.cfg", "tags", 80, Medium::Html);
    assert!(combined.contains(">PART<") && !combined.contains("<th scope=\"col\">why</th>"), "{combined}");
}
