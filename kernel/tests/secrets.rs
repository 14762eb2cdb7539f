//! No message of the kernel contains a secret or depends on its length, except for the echo of the code that the client sent.

mod client;

use cfg_core::NoLoader;
use cfg_kernel::{Connection, Kernel};
use client::Client;
use serde_json::{Value, json};

/// The secrets: a short one and a long one.
const SECRETS: [&str; 2] = ["vB8kQ", "qZ7wXj9vKp2mRt5yHs8dGf4bNc6lTq3xWqZ1pLm0aYw4kBz8nVj2qJf6"];
const KEY: &str = "k";

/// Cells that plant the marker, most of which also fail.
const CELLS: &[&str] = &[
    "a = { p | secret = \"§\", n = 1 }",
    "a",
    "a.p",
    "[a.p, a]",
    "a & { p = \"§ again\" }",
    "{ p | secret | Number = \"§\" }",
    "b ,= { p | secret = \"§\" }",
    "{ p | secret = \"§\" \"x\" }",
    "{ p = \"§",
    "d = { p | secret = \"§\", url = \"http://user:%{p}@host:8080/\", e = 1 + \"x\" }",
    "d.url & 1",
    "%diff d, a",
    "%graph d",
    "%deps d.url",
    "%explain d.url",
    "%core d & { p = \"§\" }",
    "%ast { p | secret = \"§\", q = 1 }",
    "%stages { p | secret = \"§\", q = 1 }",
    "%load \"§\"",
    "%env",
    "%info d",
    "%whatif d.p value 1 \"§\"",
    "%steps a & d & { p | force = \"§\" }",
    "std.fail_with a.p",
    "std.trace a.p a.p",
    "match { 'A => 1 } a.p",
    "%explain a.p",
    "%steps a & { p | force = \"§\" }",
    "%type { p | secret = '§ }",
    "%history",
    "%undo",
    "%redo",
    "%%mcl\nfile \"/etc/x\" {\n\tcontent => $a->p,\n}",
    "%%jsonnet\n{ q: a.p, r: error a.p }",
    "%%yay\nq: {{ a.p }}\np: [§",
];

/// Questions of comms: of a prompt (`p`) and of a notebook (`n`).
fn asked_of_comms() -> Vec<Value> {
    let mut all = vec![
        json!({ "comm_id": "p", "data": { "ask": "steps", "columns": 40 } }),
        json!({ "comm_id": "n", "data": { "ask": "names", "id": 1 } }),
    ];
    for path in ["a.p", "d.url", ""] {
        all.push(json!({ "comm_id": "p", "data": { "ask": "explained", "path": path, "columns": 60 } }));
        let changes = json!({ "ask": "whatif", "path": path, "changes": "off 1", "columns": 60 });
        all.push(json!({ "comm_id": "p", "data": changes }));
    }
    for code in ["a.p", "{ p = \"§\" }", ":explain d."] {
        all.push(json!({ "comm_id": "p", "data": { "ask": "hint", "code": code, "cursor": code.len() } }));
    }
    for code in [":explain d.url", ":whatif d.url off 1", ":graph d", ":deps d.url", ":steps a & d"] {
        all.push(json!({ "comm_id": "n", "data": { "ask": "command", "code": code, "id": 2 } }));
    }
    all
}

/// Returns all messages of a kernel whose cells contain a secret, each with the request.
fn messages(secret: &str) -> Vec<(String, String)> {
    let file =
        json!({ "key": KEY, "shell_port": 0, "iopub_port": 0, "stdin_port": 0, "control_port": 0, "hb_port": 0 });
    let kernel = Kernel::start(Connection::parse(&file.to_string()).unwrap(), || Box::new(NoLoader), None).unwrap();
    let mut client = Client::connect(&kernel.connection, KEY, "one");
    let mut all = Vec::new();
    for (id, target) in [("p", "cfg.prompt"), ("n", "cfg.notebook")] {
        client.tell("comm_open", json!({ "comm_id": id, "target_name": target, "data": {} }));
    }
    let filled = |code: &str| code.replace('§', secret);
    let mut kinds = std::collections::BTreeSet::new();
    for code in CELLS {
        let asked =
            json!({ "code": filled(code), "user_expressions": { "x": "a", "y": "a.p" }, "stop_on_error": false });
        let reply = client.ask("execute_request", asked);
        all.push((String::from(*code), reply.content.to_string()));
        for (kind, content) in &reply.said {
            kinds.insert(kind.clone());
            if kind != "execute_input" {
                all.push((format!("{code}: {kind}"), content.to_string()));
            }
        }
    }
    for kind in ["execute_result", "error", "stream", "comm_msg"] {
        assert!(kinds.contains(kind), "{kinds:?}");
    }
    for asked in asked_of_comms() {
        let filled: Value = serde_json::from_str(&filled(&asked.to_string())).unwrap();
        let said = client.tell("comm_msg", filled);
        assert!(said.iter().any(|(kind, _)| kind == "comm_msg"), "{asked}");
        all.extend(said.iter().map(|(kind, content)| (format!("{asked} {kind}"), content.to_string())));
    }
    for code in ["a", "a.p", "a.", "b", "x", "d.url", "{ p | secret = \"hunt\" }"] {
        let cursor = code.chars().count();
        for detail in [0, 1] {
            let asked = json!({ "code": code, "cursor_pos": cursor, "detail_level": detail });
            let found = client.ask("inspect_request", asked).content;
            all.push((format!("inspect {code}"), found.to_string()));
        }
        let found = client.ask("complete_request", json!({ "code": code, "cursor_pos": cursor })).content;
        all.push((format!("complete {code}"), found.to_string()));
    }
    for output in [false, true] {
        for asked in [
            json!({ "hist_access_type": "tail", "n": 99, "output": output }),
            json!({ "hist_access_type": "range", "session": 0, "start": 0, "stop": 99, "output": output }),
            json!({ "hist_access_type": "search", "pattern": "*", "output": output }),
        ] {
            let found = client.ask("history_request", asked).content;
            assert!(found["history"].as_array().is_some_and(|all| all.len() > 9), "{found}");
            all.push((String::from("history"), found.to_string()));
        }
    }
    all
}

#[test]
fn no_message_depends_on_a_secret() {
    let [short, long] = SECRETS.map(messages);
    let mut leaks = Vec::new();
    assert_eq!(short.len(), long.len());
    let parts: Vec<String> =
        SECRETS[1].as_bytes().windows(4).map(|part| String::from_utf8_lossy(part).to_lowercase()).collect();
    for ((at, short), (_, long)) in short.iter().zip(&long) {
        let shown = long.to_lowercase();
        let part = parts.iter().find_map(|part| shown.find(part));
        let same = short.bytes().zip(long.bytes()).take_while(|(a, b)| a == b).count();
        let differs = (short != long).then_some(same);
        if let Some(found) = part.or(differs) {
            let around =
                |text: &str| String::from_utf8_lossy(&text.as_bytes()[found.saturating_sub(80)..]).into_owned();
            let cut = |text: String| text.chars().take(160).collect::<String>();
            leaks.push(format!("{at}\n  {}\n  {}", cut(around(short)), cut(around(long))));
        }
    }
    assert!(leaks.is_empty(), "{} leaks of {} messages:\n{}", leaks.len(), long.len(), leaks.join("\n"));
}
