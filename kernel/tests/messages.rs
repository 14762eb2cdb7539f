//! Every message of the protocol: requests, replies and published messages.

mod client;

use cfg_core::NoLoader;
use cfg_kernel::{Connection, End, Kernel, Socket};
use client::{Client, Raw, Reply};
use serde_json::{Value, json};
use std::time::Duration;

const KEY: &str = "k";
const RUNAWAY: &str = "let rec f = fun n => if n == 0 then 0 else f (n + 1) in f 1";

fn kernel_at(ports: [u16; 5]) -> Kernel {
    let [shell, iopub, stdin, control, hb] = ports;
    let file = json!({
        "key": KEY, "shell_port": shell, "iopub_port": iopub, "stdin_port": stdin, "control_port": control, "hb_port": hb,
    });
    Kernel::start(Connection::parse(&file.to_string()).unwrap(), || Box::new(NoLoader), None).unwrap()
}

fn start() -> (Kernel, Client) {
    let kernel = kernel_at([0; 5]);
    let client = Client::connect(&kernel.connection, KEY, "one");
    (kernel, client)
}

fn execute(code: &str) -> Value {
    json!({ "code": code })
}

fn kinds(reply: &Reply) -> Vec<&str> {
    reply.said.iter().map(|(kind, _)| kind.as_str()).collect()
}

fn said<'a>(reply: &'a Reply, kind: &str) -> &'a Value {
    &reply.said.iter().find(|(k, _)| k == kind).unwrap_or_else(|| panic!("no {kind} in {:?}", reply.said)).1
}

#[test]
fn kernel_info_describes_the_kernel() {
    let (_kernel, mut client) = start();
    for socket in [Socket::Shell, Socket::Control] {
        let info = client.ask_on(socket, "kernel_info_request", json!({})).content;
        assert_eq!((&info["status"], &info["protocol_version"]), (&json!("ok"), &json!("5.5")));
        assert_eq!(info["supported_features"], json!(["kernel subshells"]));
        assert_eq!((&info["debugger"], &info["implementation"]), (&json!(false), &json!("cfg")));
        assert!(info["banner"].is_string() && info["help_links"].is_array());
        for member in ["name", "version", "mimetype", "file_extension", "pygments_lexer"] {
            assert!(info["language_info"][member].is_string(), "{member}");
        }
    }
}

#[test]
fn connect_names_the_ports() {
    let (kernel, mut client) = start();
    let ports = client.ask("connect_request", json!({})).content;
    for socket in Socket::ALL {
        assert_eq!(ports[socket.key()], kernel.connection.port(socket), "{}", socket.key());
    }
}

#[test]
fn unstored_cells_and_errors_that_do_not_stop_the_queue() {
    let (_kernel, mut client) = start();
    client.send(Socket::Shell, "execute_request", &json!({ "code": "1 + \"a\"", "stop_on_error": false }));
    client.send(Socket::Shell, "execute_request", &execute("1"));
    assert_eq!(client.answer(Socket::Shell).content["status"], "error");
    assert_eq!(client.answer(Socket::Shell).content["status"], "ok");
    let unstored = json!({ "code": "42", "store_history": false });
    assert_eq!(client.ask("execute_request", unstored).content["execution_count"], 2);
    let tail = client.ask("history_request", json!({ "hist_access_type": "tail", "n": 9 })).content;
    let codes: Vec<&Value> = tail["history"].as_array().unwrap().iter().map(|entry| &entry[2]).collect();
    assert_eq!(codes, ["1 + \"a\"", "1"]);
}

#[test]
fn history_by_tail_range_and_search_with_output_or_without() {
    let (_kernel, mut client) = start();
    for code in ["10", "20", "let a = 1", "10"] {
        client.ask("execute_request", execute(code));
    }
    let mut entries = |content: Value| {
        let reply = client.ask("history_request", content).content;
        let line = |entry: &Value| format!("{} {}", entry[1], entry[2]);
        reply["history"].as_array().unwrap().iter().map(line).collect::<Vec<String>>()
    };
    let tail = json!({ "hist_access_type": "tail", "n": 2 });
    assert_eq!(entries(tail), ["3 \"let a = 1\"", "4 \"10\""]);
    let range = json!({ "hist_access_type": "range", "session": 0, "start": 2, "stop": 4 });
    assert_eq!(entries(range), ["2 \"20\"", "3 \"let a = 1\""]);
    let output = json!({ "hist_access_type": "range", "session": 0, "start": 2, "stop": 4, "output": true });
    assert_eq!(entries(output), ["2 [\"20\",\"20\"]", "3 [\"let a = 1\",null]"]);
    let search = json!({ "hist_access_type": "search", "pattern": "*0" });
    assert_eq!(entries(search), ["1 \"10\"", "2 \"20\"", "4 \"10\""]);
    let unique = json!({ "hist_access_type": "search", "pattern": "1?", "unique": true });
    assert_eq!(entries(unique), ["4 \"10\""]);
}

#[test]
fn inspection_has_two_levels_of_detail() {
    let (_kernel, mut client) = start();
    client.ask("execute_request", execute("let x = { port | Number | doc \"where it listens\" | default = 80 }"));
    let mut inspect = |detail| {
        let asked = json!({ "code": "x.port", "cursor_pos": 6, "detail_level": detail });
        let reply = client.ask("inspect_request", asked).content;
        assert_eq!((&reply["status"], &reply["found"]), (&json!("ok"), &json!(true)));
        assert!(reply["data"]["text/html"].is_string() && reply["metadata"].is_object());
        reply["data"]["text/plain"].as_str().unwrap().to_string()
    };
    let (less, more) = (inspect(0), inspect(1));
    assert!(less.contains("x.port : Number") && less.contains("where it listens"), "{less}");
    // the source is part of the higher detail level
    assert!(!less.contains("cfg[1]:1:") && more.contains("cfg[1]:1:"), "{more}");
}

#[test]
fn completeness_and_the_indentation_of_the_next_line() {
    let (_kernel, mut client) = start();
    for (code, expected) in [
        ("1 + 1", json!({ "status": "complete" })),
        ("{", json!({ "status": "incomplete", "indent": "  " })),
        ("{ a = {", json!({ "status": "incomplete", "indent": "    " })),
        ("let x = 1 in", json!({ "status": "incomplete", "indent": "" })),
        ("x??", json!({ "status": "complete" })),
        (":type {", json!({ "status": "incomplete", "indent": "  " })),
        // nothing that follows can repair these
        ("{ a = ) ", json!({ "status": "invalid" })),
        ("let x = 1\n:type x\n(1 + ]", json!({ "status": "invalid" })),
        ("%%jsonnet\n{ a: } }", json!({ "status": "invalid" })),
    ] {
        let mut reply = client.ask("is_complete_request", json!({ "code": code })).content;
        // the depth is up to the language
        if expected["indent"] == "" {
            reply["indent"] = json!("");
        }
        assert_eq!(reply, expected, "{code}");
    }
}

#[test]
fn comms_are_closed_because_there_are_no_targets() {
    let (_kernel, mut client) = start();
    let open = client.tell("comm_open", json!({ "comm_id": "c", "target_name": "t", "data": {} }));
    assert_eq!(open[1], ("comm_close".into(), json!({ "comm_id": "c", "data": {} })));
    for kind in ["comm_msg", "comm_close"] {
        let said = client.tell(kind, json!({ "comm_id": "c", "data": {} }));
        assert_eq!(said.len(), 2, "busy and idle, nothing else: {said:?}");
    }
    for asked in [json!({}), json!({ "target_name": "t" })] {
        assert_eq!(client.ask("comm_info_request", asked).content, json!({ "status": "ok", "comms": {} }));
    }
}

#[test]
fn a_prompt_gets_the_results_of_all_clients_as_the_session_made_them() {
    use cfg_core::{Event, Languages, Role};
    use cfg_kernel::prompt::{State, TARGET, event_from_json};
    let (kernel, mut client) = start();
    let mut notebook = Client::connect(&kernel.connection, KEY, "notebook");
    let opened = client.tell("comm_open", json!({ "comm_id": "p", "target_name": TARGET, "data": {} }));
    let state = |data: &Value| State::from_json(Languages::default(), &data["state"]).unwrap();
    assert_eq!((&opened[1].0[..], state(&opened[1].1["data"]).next), ("comm_msg", 1));
    let open = client.ask("comm_info_request", json!({ "target_name": TARGET })).content;
    assert_eq!(open["comms"], json!({ "p": { "target_name": TARGET } }));
    assert_eq!(client.ask("comm_info_request", json!({ "target_name": "t" })).content["comms"], json!({}));
    for (who, code) in [("one", ":set theme light\n2"), ("notebook", "1 + \"a\""), ("notebook", "let x = { b = 1 }\nx")]
    {
        let client = if who == "one" { &mut client } else { &mut notebook };
        let reply = client.ask("execute_request", execute(code));
        let data = said(&reply, "comm_msg")["data"].clone();
        let events = data["events"].as_array().unwrap().iter();
        let events: Vec<Event> = events.filter_map(|event| event_from_json(Languages::default(), event)).collect();
        match (code, events.as_slice()) {
            (":set theme light\n2", [.., Event::Value { value, ty, .. }]) => {
                assert_eq!((value.runs()[0].0, ty.text().as_str()), (Role::Literal, "Number"));
                let options = state(&data).options;
                assert!(options.contains(&("theme".into(), "light".into())), "{options:?}");
            }
            (_, [Event::Bound(_), Event::Value { value, .. }]) => assert_eq!(value.text(), "{ b = 1 }"),
            ("1 + \"a\"", [Event::Diagnostic { .. }]) => {}
            (code, other) => panic!("{code}: {other:?}"),
        }
    }
    // a request may name the width of its answers
    client.metadata = json!({ "cfg": { "columns": 30 } });
    let narrow = client.ask("execute_request", execute(":explain x.b"));
    client.metadata = json!({});
    let wide = client.ask("execute_request", execute(":explain x.b"));
    let width = |reply: &Reply| {
        let text = said(reply, "execute_result")["data"]["text/plain"].as_str().unwrap().to_string();
        text.lines().map(|line| line.chars().count()).max().unwrap()
    };
    assert!(width(&narrow) <= 30 && width(&wide) > 30, "{} {}", width(&narrow), width(&wide));
    let hint = client.tell("comm_msg", json!({ "comm_id": "p", "data": { "ask": "hint", "code": "1", "cursor": 9 } }));
    assert_eq!(hint[1].1["data"], json!({ "hint": null }));
    client.ask("execute_request", execute(":steps { a = 1 } & { b = 2 }"));
    let steps = client.tell("comm_msg", json!({ "comm_id": "p", "data": { "ask": "steps", "columns": 40 } }));
    assert!(!steps[1].1["data"]["steps"]["pages"].as_array().unwrap().is_empty());
    client.tell("comm_close", json!({ "comm_id": "p", "data": {} }));
    assert!(!kinds(&client.ask("execute_request", execute("1"))).contains(&"comm_msg"));
}

#[test]
fn usage_is_reported() {
    let (_kernel, mut client) = start();
    let usage = client.ask_on(Socket::Control, "usage_request", json!({})).content;
    assert_eq!(usage["pid"], std::process::id());
    assert!(usage["hostname"].is_string() && usage["cpu_count"].as_u64() >= Some(1), "{usage}");
    #[cfg(target_os = "linux")]
    {
        assert!(usage["kernel_memory"].as_u64() > Some(1 << 20) && usage["kernel_cpu"].is_number(), "{usage}");
        let memory = &usage["host_virtual_memory"];
        assert!(memory["total"].as_u64() > memory["available"].as_u64(), "{usage}");
    }
}

#[test]
fn a_debug_request_is_refused_in_the_debug_adapter_protocol() {
    let (_kernel, mut client) = start();
    for socket in [Socket::Control, Socket::Shell] {
        let asked = json!({ "type": "request", "seq": 7, "command": "initialize", "arguments": {} });
        let reply = client.ask_on(socket, "debug_request", asked).content;
        assert_eq!((&reply["success"], &reply["request_seq"]), (&json!(false), &json!(7)));
        assert_eq!((&reply["type"], &reply["command"]), (&json!("response"), &json!("initialize")));
        assert!(reply["message"].as_str().unwrap().contains("no debugger"));
    }
}

#[test]
fn stdin_is_silent_and_messages_there_are_ignored() {
    let (kernel, mut client) = start();
    let mut stdin = Client::stdin(&kernel.connection);
    let reply = client.ask("execute_request", json!({ "code": "std.trace \"x\" 1", "allow_stdin": true }));
    assert_eq!(reply.content["status"], "ok");
    client.send_by(&mut stdin, "input_reply", &json!({ "status": "ok", "value": "1" }));
    client.send_by(&mut stdin, "input_request", &json!({ "prompt": "?", "password": false }));
    assert!(stdin.is_silent(Duration::from_millis(50)));
    // one that is sent to another socket is refused like any unknown request
    let strayed = client.ask("input_request", json!({ "prompt": "?" }));
    assert_eq!((strayed.kind.as_str(), &strayed.content["ename"]), ("input_reply", &json!("kernel/unknown-request")));
    assert_eq!(client.ask("execute_request", execute("1")).content["status"], "ok");
}

#[test]
fn the_output_is_cleared_at_once_or_with_what_comes_next() {
    let (_kernel, mut client) = start();
    let reply = client.ask("execute_request", execute(":type 1\n:clear\n%clear wait\n2"));
    let cleared: Vec<&Value> = reply.said.iter().filter(|(k, _)| k == "clear_output").map(|(_, c)| c).collect();
    assert_eq!(cleared, [&json!({ "wait": false }), &json!({ "wait": true })]);
    assert_eq!(said(&reply, "execute_result")["data"]["text/plain"], "2");
}

#[test]
fn a_welcome_message_names_the_subscribed_topic() {
    let (kernel, mut client) = start();
    let mut listener = Client::subscriber(&kernel.connection, b"");
    assert_eq!(listener.next(KEY), ("iopub_welcome".into(), json!({ "subscription": "" })));
    let mut other = Client::subscriber(&kernel.connection, b"no such topic");
    assert_eq!(other.next(KEY), ("iopub_welcome".into(), json!({ "subscription": "no such topic" })));
    client.ask("execute_request", execute("1"));
    assert_eq!(listener.next(KEY).0, "status");
    assert!(other.is_silent(Duration::from_millis(50)));
}

#[test]
fn wrongly_signed_messages_are_ignored_on_all_sockets() {
    let (kernel, mut client) = start();
    let mut wrongs = Client::connect(&kernel.connection, KEY, "wrongs");
    for socket in [Socket::Shell, Socket::Control] {
        for signature in ["", "00", "zz", &"0".repeat(64), &"0".repeat(65), "\u{ff}"] {
            wrongs.send_signed(socket, "shutdown_request", &json!({ "restart": false }), Some(signature));
        }
        // a signature for another message
        let other = wrongs.signature("execute_request", &json!({}));
        wrongs.send_signed(socket, "shutdown_request", &json!({ "restart": false }), Some(&other));
    }
    assert!(wrongs.silent(Duration::from_millis(100)));
    assert_eq!(client.ask("execute_request", execute("1 + 1")).content["status"], "ok");
    assert!(client.beats());
}

#[test]
fn a_thousand_queued_cells_run_in_order() {
    let (_kernel, mut client) = start();
    for n in 0..1000 {
        client.send(Socket::Shell, "execute_request", &execute(&n.to_string()));
    }
    for n in 0..1000 {
        assert_eq!(client.answer(Socket::Shell).content["execution_count"], n + 1);
    }
    assert_eq!(client.anything_said().2, json!({ "execution_state": "starting" }));
    for n in 0..1000 {
        let told: Vec<(u32, String, Value)> = (0..4).map(|_| client.anything_said()).collect();
        let names: Vec<&str> = told.iter().map(|(_, kind, _)| kind.as_str()).collect();
        assert_eq!(names, ["status", "execute_input", "execute_result", "status"]);
        assert_eq!(told[2].2["data"]["text/plain"], n.to_string());
        assert!(told.iter().all(|(of, _, _)| *of == n + 1));
    }
}

#[test]
fn two_clients_see_each_others_messages_and_get_their_own_replies() {
    let (kernel, mut one) = start();
    let mut two = Client::connect(&kernel.connection, KEY, "two");
    for n in 0..50 {
        one.send(Socket::Shell, "execute_request", &execute(&format!("let a = {n}\na")));
        two.send(Socket::Shell, "complete_request", &json!({ "code": "std.arr", "cursor_pos": 7 }));
        two.send(Socket::Control, "kernel_info_request", &json!({}));
        assert_eq!(two.answer(Socket::Shell).content["matches"], json!(["array"]));
        assert_eq!(two.answer(Socket::Control).content["implementation"], "cfg");
        assert_eq!(one.answer(Socket::Shell).content["status"], "ok");
    }
    // definitions of one client are visible to the other
    assert_eq!(said(&two.ask("execute_request", execute("a")), "execute_result")["data"]["text/plain"], "49");
    // and so are published messages
    one.ask("execute_request", execute("\"heard\""));
    loop {
        let (_, kind, content) = two.anything_said();
        if kind == "execute_input" && content["code"] == "\"heard\"" {
            break;
        }
    }
}

#[test]
fn the_heartbeat_answers_while_a_cell_runs_and_after_garbage() {
    let (kernel, mut client) = start();
    client.send(Socket::Shell, "execute_request", &execute(RUNAWAY));
    client.await_said("execute_input");
    Raw::garbage_after_handshake(&kernel.connection, Socket::Heartbeat);
    assert!((0..100).all(|_| client.beats()));
    client.ask_on(Socket::Control, "interrupt_request", json!({}));
    assert_eq!(client.answer(Socket::Shell).content["ename"], "value/interrupted");
}

#[test]
fn a_shutdown_in_the_middle_of_a_cell_ends_it() {
    for restart in [false, true] {
        let (kernel, mut client) = start();
        client.send(Socket::Shell, "execute_request", &execute(RUNAWAY));
        client.await_said("execute_input");
        client.send(Socket::Control, "shutdown_request", &json!({ "restart": restart }));
        assert_eq!(kernel.wait(), End::Shutdown);
        assert_eq!(client.answer(Socket::Control).content, json!({ "status": "ok", "restart": restart }));
    }
}

#[test]
fn results_are_updated_by_their_display_id() {
    let (_kernel, mut client) = start();
    let mut run = |id: &str, code: &str| {
        client.metadata = json!({ "cellId": id });
        client.ask("execute_request", execute(code))
    };
    run("set", ":set reactive on");
    run("a", "let x = 1");
    let shown = run("b", "x + 1");
    let name = said(&shown, "display_data")["transient"]["display_id"].clone();
    assert!(name.is_string() && !kinds(&shown).contains(&"execute_result"));
    let again = run("a", "let x = 2");
    let update = said(&again, "update_display_data");
    assert_eq!((&update["transient"]["display_id"], &update["data"]["text/plain"]), (&name, &json!("3")));
}
