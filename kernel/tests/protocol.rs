//! The kernel over real sockets, tested by a client that implements only the protocol.

mod client;

use cfg_core::NoLoader;
use cfg_kernel::{Connection, End, Kernel, Socket};
use client::{Client, Raw, Reply};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const KEY: &str = "a key";
const RUNAWAY: &str = "let rec f = fun n => if n == 0 then 0 else f (n + 1) in f 1";

fn kernel() -> Kernel {
    let file = json!({
        "ip": "127.0.0.1", "transport": "tcp", "key": KEY, "signature_scheme": "hmac-sha256",
        "shell_port": 0, "iopub_port": 0, "stdin_port": 0, "control_port": 0, "hb_port": 0,
    });
    let connection = Connection::parse(&file.to_string()).unwrap();
    Kernel::start(connection, || Box::new(NoLoader), None).unwrap()
}

fn client(kernel: &Kernel, name: &str) -> Client {
    Client::connect(&kernel.connection, KEY, name)
}

fn execute(code: &str) -> Value {
    json!({ "code": code, "silent": false, "store_history": true, "user_expressions": {}, "stop_on_error": true })
}

fn kinds(reply: &Reply) -> Vec<&str> {
    reply.said.iter().map(|(kind, _)| kind.as_str()).collect()
}

fn text(reply: &Reply) -> Option<&str> {
    let result = reply.said.iter().find(|(kind, _)| kind == "execute_result")?;
    result.1["data"]["text/plain"].as_str()
}

#[test]
fn a_cell_publishes_its_messages_in_order() {
    let kernel = kernel();
    let mut client = client(&kernel, "one");
    let reply = client.ask("execute_request", execute("let x = 20\nstd.trace \"here\" (x + 1)"));
    assert_eq!(kinds(&reply), ["status", "execute_input", "stream", "display_data", "execute_result", "status"]);
    assert_eq!((text(&reply), &reply.content["execution_count"]), (Some("21"), &json!(1)));
    assert_eq!(reply.said.last().unwrap().1, json!({ "execution_state": "idle" }));
    let failed = client.ask("execute_request", execute("1 + \"a\""));
    assert_eq!(kinds(&failed), ["status", "execute_input", "error", "status"]);
    // in a notebook, the report as HTML follows the error, whose traceback is the text
    client.metadata = json!({ "cellId": "a" });
    let failed = client.ask("execute_request", execute("1 + \"a\""));
    client.metadata = json!({});
    assert_eq!(kinds(&failed), ["status", "execute_input", "error", "display_data", "status"]);
    let mut shown: Vec<&String> = failed.said[3].1["data"].as_object().unwrap().keys().collect();
    shown.sort();
    assert_eq!(shown, ["application/vnd.cfg.problem+json", "text/html", "text/plain"]);
    assert_eq!((&failed.content["status"], &failed.content["ename"]), (&json!("error"), &json!("types/conflict")));
    let silent = client.ask("execute_request", json!({ "code": "x = 7\nx", "silent": true }));
    assert_eq!((kinds(&silent), &silent.content["execution_count"]), (vec!["status", "status"], &json!(3)));
    let expressions = json!({ "code": "x;", "user_expressions": { "a": "x + 1", "b": "nothing" } });
    let reply = client.ask("execute_request", expressions);
    assert_eq!(kinds(&reply), ["status", "execute_input", "status"]);
    assert_eq!(reply.content["user_expressions"]["a"]["data"]["text/plain"], "8");
    assert_eq!(reply.content["user_expressions"]["b"]["status"], "error");
}

#[test]
fn an_empty_line_separates_warnings_on_the_stream() {
    let kernel = kernel();
    let mut client = client(&kernel, "one");
    let reply = client.ask("execute_request", execute("[\"a\", 1, true]"));
    let streams = reply.said.iter().filter(|(kind, _)| kind == "stream");
    let text: String = streams.map(|(_, content)| content["text"].as_str().unwrap()).collect();
    assert_eq!(text.matches("\n\n\x1b[1mwarning").count(), 1, "{text:?}");
    assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{text:?}");
}

#[test]
fn every_request_is_answered_whatever_it_holds() {
    let kernel = kernel();
    let mut client = client(&kernel, "one");
    for (kind, status) in [
        ("kernel_info", "ok"),
        ("connect", "ok"),
        ("comm_info", "ok"),
        ("history", "ok"),
        ("complete", "ok"),
        ("inspect", "ok"),
        ("is_complete", "complete"),
        ("execute", "error"),
        ("interrupt", "ok"),
        ("debug", "ok"),
        ("create_subshell", "error"),
        ("no_such", "error"),
    ] {
        for content in [json!({}), json!({ "code": [], "cursor_pos": -7, "n": "x", "hist_access_type": {} })] {
            let reply = client.ask(&format!("{kind}_request"), content);
            assert_eq!((reply.kind, &reply.content["status"]), (format!("{kind}_reply"), &json!(status)), "{kind}");
        }
    }
    let reply = client.ask("execute_request", json!([1]));
    assert_eq!(reply.content["ename"], "kernel/malformed");
    for kind in ["kernel_info", "connect", "interrupt", "debug"] {
        let reply = client.ask_on(Socket::Control, &format!("{kind}_request"), json!({}));
        assert_eq!(reply.kind, format!("{kind}_reply"));
    }
    let open = client.tell("comm_open", json!({ "comm_id": "c", "target_name": "t", "data": {} }));
    assert_eq!(open.iter().map(|(kind, _)| kind.as_str()).collect::<Vec<_>>(), ["status", "comm_close", "status"]);
    assert_eq!(client.tell("comm_msg", json!({ "comm_id": "c", "data": {} })).len(), 2);
}

#[test]
fn questions_count_characters() {
    let kernel = kernel();
    let mut client = client(&kernel, "one");
    client.ask("execute_request", execute("let x = { long = 1, other = \"😀\" }"));
    let code = "[\"😀é\", x.l";
    let reply = client.ask("complete_request", json!({ "code": code, "cursor_pos": code.chars().count() }));
    assert_eq!(reply.content["matches"], json!(["long"]));
    assert_eq!((&reply.content["cursor_start"], &reply.content["cursor_end"]), (&json!(9), &json!(10)));
    let types = &reply.content["metadata"]["_jupyter_types_experimental"][0];
    // JupyterLab's menu shows the `type`
    assert_eq!((&types["type"], &types["signature"]), (&json!("Number"), &json!("Number")));
    assert_eq!((&types["kind"], &types["documentation"]), (&json!("field"), &json!("")));
    let reply =
        client.ask("inspect_request", json!({ "code": "\"😀\" + x.other", "cursor_pos": 12, "detail_level": 1 }));
    let shown = reply.content["data"]["text/plain"].as_str().unwrap();
    assert!(shown.starts_with("x.other : String") && shown.contains("cfg[1]:1:"), "{shown}");
    let reply = client.ask("is_complete_request", json!({ "code": "let y = {" }));
    assert_eq!(reply.content, json!({ "status": "incomplete", "indent": "  " }));
    let reply = client.ask("history_request", json!({ "hist_access_type": "search", "pattern": "*long*" }));
    assert_eq!(reply.content["history"][0][2], "let x = { long = 1, other = \"😀\" }");
}

#[test]
fn a_percent_sign_offers_commands() {
    let kernel = kernel();
    let mut client = client(&kernel, "one");
    for (code, start) in [("%", 1), ("1\n%", 3), ("%ty", 1)] {
        let reply = client.ask("complete_request", json!({ "code": code, "cursor_pos": code.len() })).content;
        let all = reply["matches"].as_array().unwrap();
        assert!(all.contains(&json!("type")), "{reply}");
        assert_eq!((&reply["cursor_start"], &reply["cursor_end"]), (&json!(start), &json!(code.len())), "{code}");
    }
    // the first line of a cell names its language, or a file
    for (code, all, start) in [("%%f", json!(["file"]), 2), ("%%js", json!(["jsonnet"]), 2), ("1\n%%f", json!([]), 4)] {
        let reply = client.ask("complete_request", json!({ "code": code, "cursor_pos": code.len() })).content;
        assert_eq!((&reply["matches"], &reply["cursor_start"]), (&all, &json!(start)), "{code}");
    }
    let colon = client.ask("complete_request", json!({ "code": ":ty", "cursor_pos": 3 })).content;
    assert_eq!(colon["matches"], json!(["type"]));
}

#[test]
fn a_cell_writes_a_file_that_the_next_one_reads() {
    use cfg_core::Loader;
    use std::collections::BTreeMap;
    use std::io;
    use std::path::{Path, PathBuf};
    use std::sync::{Arc, Mutex};
    /// Loaders that share their files.
    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<BTreeMap<PathBuf, Vec<u8>>>>);
    impl Loader for Shared {
        fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
            self.0.lock().unwrap().get(path).cloned().ok_or(io::ErrorKind::NotFound.into())
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
        fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
            self.0.lock().unwrap().insert(path.to_path_buf(), bytes.to_vec());
            Ok(())
        }
    }
    let files = Shared::default();
    let file =
        json!({ "key": KEY, "shell_port": 0, "iopub_port": 0, "stdin_port": 0, "control_port": 0, "hb_port": 0 });
    let connection = Connection::parse(&file.to_string()).unwrap();
    let kernel = Kernel::start(connection, move || Box::new(files.clone()), None).unwrap();
    let mut client = client(&kernel, "one");
    for port in ["80", "81"] {
        let wrote = client.ask("execute_request", execute(&format!("%%file a.cfg\n{{ port = {port} }}")));
        let shown =
            wrote.said.iter().find(|(kind, _)| kind == "display_data").map(|(_, c)| c["data"]["text/plain"].clone());
        assert_eq!(shown, Some(json!("wrote a.cfg")), "{:?}", wrote.said);
        assert_eq!(text(&client.ask("execute_request", execute("(import \"a.cfg\").port"))), Some(port));
    }
    client.ask("execute_request", execute("%%file b.cfg\n{ x = 3 }"));
    let ran = client.ask("execute_request", execute("%run b.cfg\n")).content;
    assert_eq!(ran["status"], "ok", "{ran}");
    assert_eq!(text(&client.ask("execute_request", execute("x"))), Some("3"));
    let complete = client.ask("is_complete_request", json!({ "code": "%%file a\n{" })).content;
    assert_eq!(complete["status"], "complete");
    let none = self::kernel();
    let mut client = self::client(&none, "one");
    let failed = client.ask("execute_request", execute("%%file a\n1")).content;
    assert_eq!(failed["ename"], "kernel/cannot-write");
}

#[test]
fn a_cell_in_another_language_can_contain_commands() {
    let kernel = kernel();
    let mut client = client(&kernel, "one");
    let reply = client.ask("execute_request", execute("%%jsonnet\n:type { x: 1 }"));
    assert_eq!(text(&reply), Some("{x ∈ number}"));
    let reply = client.ask("execute_request", execute("%%jsonnet\nlocal long = { a:: 1 }\n:type long"));
    assert!(reply.content["status"] == "ok", "{:?}", reply.content);
    assert_eq!(text(&client.ask("execute_request", execute("1 + 1"))), Some("2"));
    let code = "%%jsonnet\nlon";
    let reply = client.ask("complete_request", json!({ "code": code, "cursor_pos": code.len() }));
    assert_eq!(reply.content["matches"], json!(["long"]));
    assert_eq!(reply.content["cursor_start"], 10);
    for (code, status) in [("%%jsonnet", "incomplete"), ("%%jsonnet\n{", "incomplete"), ("%%jsonnet\n{}", "complete")] {
        assert_eq!(client.ask("is_complete_request", json!({ "code": code })).content["status"], status, "{code}");
    }
    let reply = client.ask("execute_request", execute("%%no-such\n1"));
    assert_eq!(reply.content["ename"], "command/usage");
}

#[test]
fn cells_that_are_not_stored_have_no_number() {
    let kernel = kernel();
    let mut client = client(&kernel, "one");
    let reply = client.ask("execute_request", json!({ "code": "1 + \"a\"", "store_history": false }));
    let traceback = reply.content["traceback"].to_string();
    assert!(traceback.contains("cfg[-]:1:") && !traceback.contains("1073741824"), "{traceback}");
    assert_eq!(reply.content["execution_count"], 0);
    // a command takes a number like any other cell
    assert_eq!(client.ask("execute_request", execute(":type 1")).content["execution_count"], 1);
    assert_eq!(client.ask("execute_request", execute("2")).content["execution_count"], 2);
}

#[test]
fn unsigned_messages_are_dropped_and_garbage_ends_only_its_connection() {
    let kernel = kernel();
    let mut liar = Client::connect(&kernel.connection, "another key", "liar");
    liar.send(Socket::Shell, "execute_request", &execute("1"));
    for socket in Socket::ALL {
        let port = kernel.connection.port(socket);
        // a greeting, and a frame with the largest possible length: 73 bytes
        let greeting = [&b"\xff\0\0\0\0\0\0\0\0\x7f\x03\0NULL"[..], &[0; 48]].concat();
        let huge = [&greeting[..], b"\x02\xff\xff\xff\xff\xff\xff\xff\xff"].concat();
        assert_eq!(huge.len(), 73);
        for bytes in [&huge[..], &greeting[..30], b"GET / HTTP/1.1\r\n\r\n", &[0xff; 4000], &[0; 4000]] {
            Raw::send(port, bytes);
        }
        Raw::garbage_after_handshake(&kernel.connection, socket);
    }
    let mut client = client(&kernel, "one");
    assert_eq!(text(&client.ask("execute_request", execute("1 + 1"))), Some("2"));
    assert!(liar.silent(Duration::from_millis(50)));
    assert!(client.beats());
}

#[test]
fn an_interrupt_reaches_what_runs() {
    let kernel = kernel();
    let mut client = client(&kernel, "one");
    for wait in [0, 1, 5, 50] {
        client.send(Socket::Shell, "execute_request", &execute(RUNAWAY));
        client.await_said("execute_input");
        std::thread::sleep(Duration::from_millis(wait));
        assert!(client.beats());
        let start = Instant::now();
        assert_eq!(client.ask_on(Socket::Control, "interrupt_request", json!({})).content["status"], "ok");
        let reply = client.answer(Socket::Shell);
        assert_eq!(reply.content["ename"], "value/interrupted");
        assert!(start.elapsed() < Duration::from_secs(2));
    }
    assert_eq!(text(&client.ask("execute_request", execute("1"))), Some("1"));
}

#[test]
fn questions_during_a_cell_are_answered_with_its_definitions() {
    let kernel = kernel();
    let mut client = client(&kernel, "one");
    client.ask("execute_request", execute("let first = { inner = 1 }"));
    client.send(
        Socket::Shell,
        "execute_request",
        &execute(&format!("let second = {{ long = first.inner }}\n{RUNAWAY}")),
    );
    client.await_said("execute_input");
    for (kind, content, pointer, expected) in [
        ("complete", json!({ "code": "second.", "cursor_pos": 7 }), "/matches", json!(["long"])),
        ("inspect", json!({ "code": "first.inner", "cursor_pos": 8 }), "/found", json!(true)),
        ("inspect", json!({ "code": "nothing", "cursor_pos": 2 }), "/found", json!(false)),
        ("is_complete", json!({ "code": "{" }), "/status", json!("incomplete")),
        ("kernel_info", json!({}), "/implementation", json!("cfg")),
        ("connect", json!({}), "/status", json!("ok")),
        ("comm_info", json!({}), "/comms", json!({})),
        ("history", json!({ "hist_access_type": "tail", "n": 9 }), "/history/0/2", json!("let first = { inner = 1 }")),
        ("no_such", json!({}), "/ename", json!("kernel/unknown-request")),
    ] {
        let start = Instant::now();
        let reply = client.ask(&format!("{kind}_request"), content);
        assert_eq!(reply.content.pointer(pointer), Some(&expected), "{kind}");
        assert!(start.elapsed() < Duration::from_secs(2), "{kind} took {:?}", start.elapsed());
    }
    client.ask_on(Socket::Control, "interrupt_request", json!({}));
    assert_eq!(client.answer(Socket::Shell).content["ename"], "value/interrupted");
    // the session itself answers when it is free again
    let reply = client.ask("complete_request", json!({ "code": "first.", "cursor_pos": 6 }));
    assert_eq!(reply.content["matches"], json!(["inner"]));
}

#[test]
fn while_a_cell_runs_the_last_status_is_busy() {
    let kernel = kernel();
    let mut client = client(&kernel, "one");
    client.send(Socket::Shell, "execute_request", &execute(RUNAWAY));
    client.await_said("execute_input");
    for socket in [Socket::Shell, Socket::Control] {
        client.ask_on(socket, "kernel_info_request", json!({}));
        let said = client.anything_said();
        assert_eq!(said, (1, "status".into(), json!({ "execution_state": "busy" })));
    }
    client.ask_on(Socket::Control, "interrupt_request", json!({}));
}

#[test]
fn output_is_published_while_a_cell_runs() {
    let kernel = kernel();
    let mut client = client(&kernel, "one");
    client.send(
        Socket::Shell,
        "execute_request",
        &execute(&format!("std.trace \"one\" (std.trace \"two\" (std.trace \"three\" ({RUNAWAY})))")),
    );
    let mut heard = String::new();
    while heard != "one\ntwo\nthree\n" {
        let (_, kind, content) = client.anything_said();
        if kind == "stream" {
            heard.push_str(content["text"].as_str().unwrap());
        }
    }
    client.ask_on(Socket::Control, "interrupt_request", json!({}));
    assert_eq!(client.answer(Socket::Shell).content["ename"], "value/interrupted");
}

#[test]
fn an_inspection_that_does_not_terminate_answers_with_what_is_known() {
    let kernel = kernel();
    let mut client = client(&kernel, "one");
    client.ask("execute_request", execute(&format!("let x = {RUNAWAY}")));
    let start = Instant::now();
    let reply = client.ask("inspect_request", json!({ "code": "x", "cursor_pos": 1, "detail_level": 1 }));
    let shown = reply.content["data"]["text/plain"].as_str().unwrap();
    assert!(shown.starts_with("x : Number"), "{shown}");
    assert!(start.elapsed() < Duration::from_secs(3));
    assert_eq!(text(&client.ask("execute_request", execute("1"))), Some("1"));
}

#[test]
fn a_subshell_works_in_parallel_with_the_main_shell() {
    let kernel = kernel();
    let mut client = client(&kernel, "one");
    let info = client.ask("kernel_info_request", json!({})).content;
    assert_eq!(info["supported_features"], json!(["kernel subshells"]));
    client.ask("execute_request", execute("let x = { a = 1 }"));
    let made = client.ask_on(Socket::Control, "create_subshell_request", json!({})).content;
    let id = made["subshell_id"].as_str().unwrap().to_string();
    let listed = client.ask_on(Socket::Control, "list_subshell_request", json!({})).content;
    assert_eq!(listed["subshell_id"], json!([id]));
    // while the main shell is busy
    client.send(Socket::Shell, "execute_request", &execute(RUNAWAY));
    client.await_said("execute_input");
    client.subshell = Some(id.clone());
    let reply = client.ask("execute_request", execute("let y = x & { b = 2 }\ny"));
    assert_eq!((text(&reply), &reply.content["execution_count"]), (Some("{ a = 1, b = 2 }"), &json!(3)));
    assert_eq!(text(&client.ask("execute_request", execute("y.b"))), Some("2"));
    let reply = client.ask("complete_request", json!({ "code": "y.", "cursor_pos": 2 }));
    assert_eq!(reply.content["matches"], json!(["a", "b"]));
    client.ask_on(Socket::Control, "interrupt_request", json!({}));
    assert_eq!(client.answer(Socket::Shell).content["ename"], "value/interrupted");
    // definitions of the subshell are now bound in the main shell, and the other way round
    client.subshell = None;
    assert_eq!(text(&client.ask("execute_request", execute("y.a + y.b"))), Some("3"));
    client.ask("execute_request", execute("let x = { a = 10 }"));
    client.subshell = Some(id.clone());
    assert_eq!(text(&client.ask("execute_request", execute("y.a"))), Some("10"));
    let gone = client.ask_on(Socket::Control, "delete_subshell_request", json!({ "subshell_id": id })).content;
    assert_eq!(gone, json!({ "status": "ok" }));
    for kind in ["execute_request", "complete_request"] {
        assert_eq!(client.ask(kind, execute("1")).content["ename"], "kernel/no-such-subshell");
    }
    for content in [json!({ "subshell_id": id }), json!({}), json!({ "subshell_id": [1] })] {
        let reply = client.ask_on(Socket::Control, "delete_subshell_request", content);
        assert_eq!(reply.content["status"], "error");
    }
}

#[test]
fn requests_queued_after_a_failure_are_aborted_for_that_client_only() {
    let kernel = kernel();
    let (mut one, mut two) = (client(&kernel, "one"), client(&kernel, "two"));
    one.send(Socket::Shell, "execute_request", &execute(RUNAWAY));
    one.await_said("execute_input");
    one.send(Socket::Shell, "execute_request", &execute("1"));
    two.send(Socket::Shell, "execute_request", &execute("2"));
    std::thread::sleep(Duration::from_millis(100));
    one.ask_on(Socket::Control, "interrupt_request", json!({}));
    assert_eq!(one.answer(Socket::Shell).content["status"], "error");
    // a cell that did not run has no number
    let aborted = one.answer(Socket::Shell).content;
    assert_eq!((&aborted["status"], &aborted["execution_count"]), (&json!("aborted"), &Value::Null));
    assert_eq!(two.answer(Socket::Shell).content["status"], "ok");
    assert_eq!(text(&one.ask("execute_request", execute("3"))), Some("3"));
}

#[test]
fn ten_thousand_requests_of_two_clients_and_one_that_never_reads() {
    let kernel = kernel();
    let _stalled = client(&kernel, "stalled");
    let (mut one, mut two) = (client(&kernel, "one"), client(&kernel, "two"));
    for _ in 0..100 {
        for client in [&mut one, &mut two] {
            (0..50).for_each(|_| client.send(Socket::Shell, "is_complete_request", &json!({ "code": "1" })));
        }
        for client in [&mut one, &mut two] {
            (0..50).for_each(|_| assert_eq!(client.answer(Socket::Shell).content["status"], "complete"));
        }
    }
    assert_eq!(text(&one.ask("execute_request", execute("1"))), Some("1"));
}

#[test]
fn a_shutdown_is_answered_before_the_end() {
    for socket in [Socket::Control, Socket::Shell] {
        let kernel = kernel();
        let mut client = client(&kernel, "one");
        client.send(socket, "shutdown_request", &json!({ "restart": true }));
        assert_eq!(kernel.wait(), End::Shutdown);
        let reply = client.answer(socket);
        assert_eq!(reply.content, json!({ "status": "ok", "restart": true }));
    }
}

#[test]
fn a_late_subscriber_loses_nothing_and_is_welcomed() {
    let kernel = kernel();
    let mut early = Client::without_iopub(&kernel.connection, KEY, "early");
    early.send(Socket::Shell, "execute_request", &execute("1 + 1"));
    early.answer(Socket::Shell);
    let said = Client::everything_said(&kernel.connection, KEY, 6);
    let kinds: Vec<&str> = said.iter().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(kinds, ["iopub_welcome", "status", "status", "execute_input", "execute_result", "status"]);
    assert_eq!(said[0].1, json!({ "subscription": "" }));
}
