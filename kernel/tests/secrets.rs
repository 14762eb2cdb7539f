//! No message of the kernel contains a secret, except for the echo of the code that the client sent.

mod client;

use cfg_core::NoLoader;
use cfg_kernel::{Connection, Kernel};
use client::Client;
use serde_json::{Value, json};

const MARKER: &str = "hunter2";
const KEY: &str = "k";

/// Cells that plant the marker, most of which also fail.
const CELLS: &[&str] = &[
    "a = { p | secret = \"hunter2\", n = 1 }",
    "a",
    "a.p",
    "[a.p, a]",
    "a & { p = \"hunter2 again\" }",
    "{ p | secret | Number = \"hunter2\" }",
    "b ,= { p | secret = \"hunter2\" }",
    "{ p | secret = \"hunter2\" \"x\" }",
    "{ p = \"hunter2",
    "std.fail_with a.p",
    "std.trace a.p a.p",
    "match { 'A => 1 } a.p",
    "%explain a.p",
    "%steps a & { p | force = \"hunter2\" }",
    "%type { p | secret = 'hunter2 }",
    "%history",
    "%undo",
    "%redo",
    "%%mcl\nfile \"/etc/x\" {\n\tcontent => $a->p,\n}",
    "%%jsonnet\n{ q: a.p, r: error a.p }",
    "%%yay\nq: {{ a.p }}\np: [hunter2",
];

#[test]
fn no_message_contains_a_secret() {
    let file =
        json!({ "key": KEY, "shell_port": 0, "iopub_port": 0, "stdin_port": 0, "control_port": 0, "hb_port": 0 });
    let kernel = Kernel::start(Connection::parse(&file.to_string()).unwrap(), || Box::new(NoLoader), None).unwrap();
    let mut client = Client::connect(&kernel.connection, KEY, "one");
    let mut leaks = Vec::new();
    let mut look = |at: &str, content: &Value| {
        if content.to_string().contains(MARKER) {
            leaks.push(format!("{at}: {content}"));
        }
    };
    let mut kinds = std::collections::BTreeSet::new();
    for code in CELLS {
        let asked = json!({ "code": code, "user_expressions": { "x": "a", "y": "a.p" }, "stop_on_error": false });
        let reply = client.ask("execute_request", asked);
        look(code, &reply.content);
        for (kind, content) in &reply.said {
            kinds.insert(kind.clone());
            if kind != "execute_input" {
                look(&format!("{code}: {kind}"), content);
            }
        }
    }
    for kind in ["execute_result", "error", "stream"] {
        assert!(kinds.contains(kind), "{kinds:?}");
    }
    for code in ["a", "a.p", "a.", "b", "x", "{ p | secret = \"hunt\" }"] {
        let cursor = code.chars().count();
        for detail in [0, 1] {
            let asked = json!({ "code": code, "cursor_pos": cursor, "detail_level": detail });
            look(&format!("inspect {code}"), &client.ask("inspect_request", asked).content);
        }
        let asked = json!({ "code": code, "cursor_pos": cursor });
        look(&format!("complete {code}"), &client.ask("complete_request", asked).content);
    }
    for output in [false, true] {
        for asked in [
            json!({ "hist_access_type": "tail", "n": 99, "output": output }),
            json!({ "hist_access_type": "range", "session": 0, "start": 0, "stop": 99, "output": output }),
            json!({ "hist_access_type": "search", "pattern": "*", "output": output }),
        ] {
            let found = client.ask("history_request", asked).content;
            assert!(found["history"].as_array().is_some_and(|all| all.len() > 9), "{found}");
            look("history", &found);
        }
    }
    assert!(leaks.is_empty(), "{} leaks:\n{}", leaks.len(), leaks.join("\n"));
}
