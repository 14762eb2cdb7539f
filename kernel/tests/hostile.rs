//! Input that no well-behaved client sends, and failures of the system: the kernel replies, or reports why not, and
//! continues.

mod client;

use cfg_core::NoLoader;
use cfg_kernel::{Connection, Kernel, Socket};
use client::{Client, Ipc, Stalled};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::time::{Duration, Instant};

fn kernel_with(file: &Value) -> Kernel {
    Kernel::start(Connection::parse(&file.to_string()).unwrap(), || Box::new(NoLoader), None).unwrap()
}

fn kernel() -> Kernel {
    kernel_with(
        &json!({ "key": "k", "shell_port": 0, "iopub_port": 0, "stdin_port": 0, "control_port": 0, "hb_port": 0 }),
    )
}

fn execute(code: &str) -> Value {
    json!({ "code": code })
}

/// Any JSON value, with the members that requests have or with others.
fn any_content() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        Just(String::from("let x = { a = 1 }")),
        Just(String::from("x.a")),
        Just(String::from("%%jsonnet\n{ a: 1 }.")),
        Just(String::from(":type x\n%explain x\n{")),
        Just(String::from("x.a ?? ; ??")),
        Just(String::from("tail")),
        Just(String::from("range")),
        Just(String::from("search")),
        "\\PC{0,12}",
        "[\\x00-\\x7f]{0,8}",
        "[:%;?.{}\\[\\]()\"'#$é😀\u{202e}\n ]{0,10}",
    ];
    let number = prop_oneof![
        any::<i64>().prop_map(|n| json!(n)),
        any::<u64>().prop_map(|n| json!(n)),
        any::<f64>().prop_map(|n| json!(n)),
        (-3i64..30).prop_map(|n| json!(n)),
    ];
    let leaf =
        prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::Bool), number, text.prop_map(Value::String),];
    let name = prop::sample::select(vec![
        "code",
        "cursor_pos",
        "detail_level",
        "hist_access_type",
        "n",
        "session",
        "start",
        "stop",
        "pattern",
        "unique",
        "output",
        "raw",
        "silent",
        "store_history",
        "user_expressions",
        "allow_stdin",
        "stop_on_error",
        "comm_id",
        "target_name",
        "data",
        "subshell_id",
        "command",
        "arguments",
        "seq",
        "cellId",
        "deletedCells",
        "no such",
    ]);
    let value = leaf.prop_recursive(3, 20, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((name.clone(), inner), 0..9)
                .prop_map(|all| Value::Object(all.into_iter().map(|(k, v)| (k.to_string(), v)).collect::<Map<_, _>>())),
        ]
    });
    prop_oneof![4 => value.clone().prop_filter("an object", Value::is_object), 1 => value]
}

#[test]
fn every_request_is_answered_whatever_json_it_holds() {
    let kernel = kernel();
    let client = RefCell::new(Client::connect(&kernel.connection, "k", "one"));
    let kinds = prop::sample::select(vec![
        "execute",
        "complete",
        "inspect",
        "is_complete",
        "history",
        "kernel_info",
        "connect",
        "comm_info",
        "debug",
        "interrupt",
        "create_subshell",
        "delete_subshell",
        "list_subshell",
        "usage",
        "",
    ]);
    let mut runner = TestRunner::new(Config { cases: 400, failure_persistence: None, ..Config::default() });
    let all = (kinds, any::<bool>(), any_content(), any_content());
    runner
        .run(&all, |(kind, control, content, metadata)| {
            let socket = if control { Socket::Control } else { Socket::Shell };
            let mut client = client.borrow_mut();
            client.metadata = metadata;
            let reply = client.ask_on(socket, &format!("{kind}_request"), content);
            prop_assert_eq!(reply.kind, format!("{kind}_reply"));
            let status = reply.content["status"].as_str().unwrap();
            prop_assert!(matches!(status, "ok" | "error" | "complete" | "incomplete" | "invalid"), "{}", reply.content);
            if status == "error" {
                prop_assert!(reply.content["ename"].is_string() && reply.content["traceback"].is_array());
                prop_assert!(reply.content["ename"] != "kernel/defect", "{}", reply.content);
            }
            Ok(())
        })
        .unwrap();
    let mut client = client.into_inner();
    client.metadata = json!({});
    assert_eq!(client.ask("execute_request", execute("1")).content["status"], "ok");
    assert!(client.beats());
}

#[test]
fn a_client_that_does_not_read_is_disconnected_and_others_are_not_affected() {
    let kernel = kernel();
    let stalled = Stalled::new(&kernel.connection);
    let mut client = Client::connect(&kernel.connection, "k", "one");
    // each executed input is published: 80 MB in all
    let code = format!("1 #{}", "x".repeat(8 << 20));
    for _ in 0..10 {
        assert_eq!(client.ask("execute_request", execute(&code)).content["status"], "ok");
    }
    let got = stalled.rest();
    assert!(got < 72 << 20, "{got} bytes");
    assert_eq!(client.ask("execute_request", execute("1")).content["status"], "ok");
}

#[test]
#[cfg(unix)]
fn ipc_works_like_tcp_and_only_for_the_owner() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("kernel").to_string_lossy().into_owned();
    let file = json!({
        "transport": "ipc", "ip": base, "key": "k",
        "shell_port": 1, "iopub_port": 2, "stdin_port": 3, "control_port": 4, "hb_port": 5,
    });
    // the socket of an earlier kernel is replaced
    drop(std::os::unix::net::UnixListener::bind(format!("{base}-1")).unwrap());
    let _kernel = kernel_with(&file);
    let mut client = Client::connect(&Ipc(base.clone()), "k", "one");
    let reply = client.ask("execute_request", execute("20 + 1"));
    assert_eq!(reply.said[2].1["data"]["text/plain"], "21");
    assert_eq!(client.ask_on(Socket::Control, "kernel_info_request", json!({})).content["status"], "ok");
    assert!(client.beats());
    for socket in 1..=5 {
        let mode = std::fs::metadata(format!("{base}-{socket}")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn a_connection_file_that_cannot_be_read_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.json");
    let why = Connection::read(&missing).unwrap_err();
    assert!(why.starts_with("cannot read `") && why.contains("missing.json"), "{why}");
    let broken = folder.path().join("broken.json");
    std::fs::write(&broken, "{").unwrap();
    assert!(Connection::read(&broken).unwrap_err().contains("is not a connection file"));
    std::fs::write(&broken, [0xff, 0xfe]).unwrap();
    assert!(Connection::read(&broken).unwrap_err().starts_with("cannot read `"));
    assert!(Connection::read(folder.path()).unwrap_err().starts_with("cannot read `"));
}

#[test]
fn a_port_in_use_is_reported() {
    let first = kernel();
    let port = first.connection.port(Socket::Iopub);
    let file = json!({ "shell_port": 0, "iopub_port": port, "stdin_port": 0, "control_port": 0, "hb_port": 0 });
    let taken = Kernel::start(Connection::parse(&file.to_string()).unwrap(), || Box::new(NoLoader), None);
    let why = taken.err().unwrap();
    assert!(why.contains("cannot listen at") && why.contains(&port.to_string()), "{why}");
}

#[test]
fn an_interrupt_reaches_every_phase() {
    let kernel = kernel();
    let mut client = Client::connect(&kernel.connection, "k", "one");
    let runaway = "let rec f = fun n => if n == 0 then 0 else f (n + 1) in f 1";
    let fields: String = (0..60_000).map(|n| format!("f{n} = [{n}, \"{n}\"],\n")).collect();
    let lets: String = (0..20_000).map(|n| format!("let x{n} = fun y => {{ a = y, b = {n} }} in\n")).collect();
    client.ask("execute_request", execute(&format!("let run = {runaway}")));
    let numbers: Vec<(&str, Value)> = vec![
        ("while it reads", execute(&format!("{{ {fields} }}"))),
        ("while it infers", execute(&format!("{lets} x1 1"))),
        ("while it evaluates", execute(runaway)),
        ("while it evaluates what was bound", execute("run")),
        ("while it makes a value", execute("std.array.generate (fun n => n) 19000000")),
        ("while it prints", execute("{ a = std.array.generate (fun n => { n }) 9000 }")),
        ("in a command", execute(":explain run")),
        ("in an expression beside", json!({ "code": "1", "user_expressions": { "a": "run" } })),
        ("in a second input", execute(":type 1\nrun")),
        ("in another language", execute("%%jsonnet\nlocal f(n) = f(n + 1); f(1)")),
    ];
    for (phase, content) in numbers {
        for wait in [1, 60, 400] {
            client.send(Socket::Shell, "execute_request", &content);
            client.await_said("execute_input");
            std::thread::sleep(Duration::from_millis(wait));
            let start = Instant::now();
            client.ask_on(Socket::Control, "interrupt_request", json!({}));
            let reply = client.answer(Socket::Shell).content;
            let took = start.elapsed();
            assert!(took < Duration::from_secs(3), "{phase}: {took:?}");
            let name = reply["ename"].as_str().or(reply["user_expressions"]["a"]["ename"].as_str());
            // a request that was already complete succeeds
            assert!(
                reply["status"] == "ok" || name == Some("value/interrupted") || name == Some("value/limit"),
                "{phase}: {reply}"
            );
        }
    }
    // an interrupt while nothing runs does not affect the next request
    client.ask_on(Socket::Control, "interrupt_request", json!({}));
    assert_eq!(client.ask("execute_request", execute("1 + 1")).content["status"], "ok");
}
