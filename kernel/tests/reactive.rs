//! Cells of a notebook, identified by their ids: which are run again, and which become stale.

mod client;

use cfg_core::NoLoader;
use cfg_kernel::{Connection, Kernel, Socket};
use client::{Client, Reply};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

struct Notebook {
    client: Client,
    _kernel: Kernel,
}

impl Notebook {
    fn new(reactive: &str) -> Notebook {
        let file =
            json!({ "key": "k", "shell_port": 0, "iopub_port": 0, "stdin_port": 0, "control_port": 0, "hb_port": 0 });
        let connection = Connection::parse(&file.to_string()).unwrap();
        let kernel = Kernel::start(connection, || Box::new(NoLoader), None).unwrap();
        let mut notebook = Notebook { client: Client::connect(&kernel.connection, "k", "one"), _kernel: kernel };
        notebook.run("set", &format!(":set reactive {reactive}"));
        notebook
    }

    fn run(&mut self, id: &str, code: &str) -> Reply {
        self.client.metadata = json!({ "cellId": id, "deletedCells": [] });
        self.client.ask("execute_request", json!({ "code": code }))
    }

    /// Runs a cell and returns the texts of its displays and errors.
    fn says(&mut self, id: &str, code: &str) -> Vec<String> {
        texts(&self.run(id, code))
    }
}

fn plain(content: &Value) -> Option<String> {
    content["data"]["text/plain"].as_str().map(String::from)
}

fn texts(reply: &Reply) -> Vec<String> {
    let text = |(kind, content): &(String, Value)| match kind.as_str() {
        "display_data" | "execute_result" => plain(content),
        "update_display_data" => Some(format!("update: {}", plain(content)?)),
        "error" => Some(format!("error: {}", content["evalue"].as_str()?)),
        _ => None,
    };
    reply.said.iter().filter_map(text).collect()
}

const ONE_STALE: &str = "  (something it read has changed)";
const STALE: &str = "  (something they read has changed)";

fn stale(says: &[String]) -> Vec<&str> {
    let lines = says.iter().filter_map(|text| text.strip_prefix("stale: "));
    lines.flat_map(|line| line.split_once("  (").map_or(line, |(names, _)| names).split(", ")).collect()
}

#[test]
fn exactly_the_cells_whose_output_would_change_are_listed() {
    let mut notebook = Notebook::new("off");
    for (id, code) in [
        ("a", "let x = { port = 80, name = \"n\" }"), // [2]
        ("b", "let y = x.port + 1"),                  // [3]
        ("c", "y"),                                   // [4]
        ("d", "x.name"),                              // [5]
        ("e", ":type y"),                             // [6]
        ("f", "x & { more = true }"),                 // [7]
        ("g", "\"other\""),                           // [8]
        ("i", ":query x.port"),                       // [9]
    ] {
        assert_eq!(stale(&notebook.says(id, code)), [""; 0], "{code}");
    }
    let said = notebook.says("h", "x = x & { h = 1 }"); // [10]
    assert_eq!(stale(&said), ["[7]"]);
    assert!(said.iter().any(|line| line.contains("`:set reactive on`")), "{said:?}");
    // a definition never becomes stale, unless it is built on its own earlier value
    let said = notebook.says("a", "let x = { port = 81, name = \"n\" }");
    assert_eq!(stale(&said), ["[4]", "[9]", "[10]"], "{said:?}");
    // listed only once
    assert_eq!(notebook.says("g", "\"other\" ;"), [""; 0]);
    // unchanged again: nothing is stale, although the name changed back to a string
    assert_eq!(stale(&notebook.says("a", "let x = { port = 80, name = \"n\" }")), [""; 0]);
    let said = notebook.says("a", "let x = { port = 80, name = \"m\" }");
    assert_eq!(stale(&said), ["[5]", "[7]", "[10]"], "{said:?}");
    // a cell that is run again is not stale
    assert_eq!(notebook.says("d", "x.name"), ["\"m\""]);
    // [7] and [10] still are; nothing else read the rest
    let said = notebook.says("a", "let x = { port = 80, name = \"m\", rest = 1 }");
    assert_eq!(stale(&said), [""; 0], "{said:?}");
}

#[test]
fn a_prompt_of_another_width_makes_no_cell_stale() {
    let mut notebook = Notebook::new("off");
    notebook.run("a", "x = 1");
    notebook.run("b", "{ first = x - x, second = \"some words that need room\", third = \"and some more words\" }");
    notebook.client.metadata = json!({ "cfg": { "columns": 40 } });
    let said = texts(&notebook.client.ask("execute_request", json!({ "code": "x = 2" })));
    assert_eq!(stale(&said), [""; 0], "{said:?}");
}

#[test]
fn errors_and_warnings_fit_the_page_that_a_notebook_announces() {
    let mut notebook = Notebook::new("off");
    notebook.client.metadata = json!({});
    let comm = json!({ "comm_id": "c", "target_name": "cfg.notebook", "data": { "columns": 50 } });
    notebook.client.tell("comm_open", comm);
    let mut widest = |columns: u32| {
        notebook.client.tell("comm_msg", json!({ "comm_id": "c", "data": { "columns": columns } }));
        let reply = notebook.run("a", "{ port = 8080 } & { port = 443 }");
        let (_, error) = reply.said.iter().find(|(kind, _)| kind == "error").unwrap();
        assert_eq!(error["ename"], "value/merge-conflict");
        assert_eq!(error["evalue"], "the values of `port` cannot be merged");
        let report = error["traceback"][0].as_str().unwrap().replace("\u{1b}[1m", "").replace("\u{1b}[0m", "");
        report.lines().map(|line| line.chars().count()).max().unwrap_or(0)
    };
    assert!(widest(50) <= 50);
    assert!(widest(30) <= 40);
    assert!(widest(90) > 50);
    // values are as in a pipe
    assert_eq!(notebook.says("b", "1 + 1"), ["2"]);
}

#[test]
fn a_cell_that_is_run_again_keeps_its_position() {
    let mut notebook = Notebook::new("off");
    notebook.run("a", "x = { n = 1 }");
    notebook.run("b", "x = x & { b = 1 }");
    notebook.run("b", "x = x & { b = 2 }");
    assert_eq!(notebook.says("c", "x"), ["{ b = 2, n = 1 }"]);
    notebook.run("b", "let z = 1");
    assert_eq!(notebook.says("c", "x"), ["{ n = 1 }"]);
    notebook.client.metadata = json!({ "cellId": "d", "deletedCells": ["a", "no such", 7] });
    let reply = notebook.client.ask("execute_request", json!({ "code": "z" }));
    assert_eq!(texts(&reply)[..2], ["x is no longer bound", "1"]);
    assert_eq!(stale(&texts(&reply)), ["[7]"]);
    assert!(notebook.says("e", "x")[0].starts_with("error: "));
}

#[test]
fn when_on_exactly_the_affected_outputs_are_replaced_in_order() {
    let mut notebook = Notebook::new("on");
    let shown = notebook.run("a", "let x = 1");
    let b = notebook.run("b", "let y = x + 1\ny");
    let ids: Vec<&str> = b.said.iter().filter_map(|(_, c)| c["transient"]["display_id"].as_str()).collect();
    assert_eq!(ids.len(), 2);
    notebook.run("c", "y * 10");
    notebook.run("d", "\"d\"");
    notebook.run("e", "x > 0");
    notebook.run("f", "it");
    assert!(shown.said.iter().all(|(kind, _)| kind != "execute_result"));
    // `y : Number` is unchanged; that x is positive is new
    let again = notebook.run("a", "let x = 2");
    assert_eq!(texts(&again), ["x : Number", "update: 3", "update: 30"]);
    let updated: Vec<&Value> = again
        .said
        .iter()
        .filter(|(k, _)| k == "update_display_data")
        .map(|(_, c)| &c["transient"]["display_id"])
        .collect();
    assert_eq!(updated[0], ids[1]);
    // results count, and `it` is the last result that was requested
    assert_eq!(notebook.says("g", "$3 + $4"), ["33"]);
    // a failing cell shows its error in place and is updated when the cause is fixed
    let failed = notebook.says("a", "let x = \"s\"");
    assert!(failed.iter().any(|text| text.starts_with("update: error: ")), "{failed:?}");
    let mended = notebook.says("a", "let x = 5");
    assert!(mended.contains(&"update: 6".into()) && mended.contains(&"update: 60".into()), "{mended:?}");
    assert!(mended.contains(&"update: 66".into()), "{mended:?}");
}

#[test]
fn a_chain_of_layers_is_rebuilt_from_the_changed_one() {
    let mut notebook = Notebook::new("on");
    notebook.run("a", "x = { n = 1 }");
    notebook.run("b", "x = x & { b = 1 }");
    notebook.run("c", "x = x & { c = 1 }");
    notebook.run("d", "x");
    let said = notebook.says("a", "x = { n = 2 }");
    assert!(said.contains(&"update: { b = 1, c = 1, n = 2 }".into()), "{said:?}");
    assert_eq!(notebook.says("e", "x"), ["{ b = 1, c = 1, n = 2 }"]);
}

#[test]
fn lazily_stale_outputs_are_marked_until_they_are_fresh() {
    let mut notebook = Notebook::new("lazy");
    notebook.run("a", "let x = 1");
    notebook.run("b", "x + 1");
    let said = notebook.says("a", "let x = 2");
    assert_eq!(
        said[1..],
        ["update: 2\nstale: something it read changed in [4]".into(), format!("stale: [3]{ONE_STALE}")]
    );
    assert_eq!(notebook.says("a", "let x = 1"), ["x : Number", "update: 2"]);
}

#[test]
fn cells_with_side_effects_are_never_run_without_a_request() {
    let mut notebook = Notebook::new("on");
    notebook.run("a", "let x = 1");
    notebook.run("b", "x\n:undo");
    notebook.run("c", "let x = 1");
    let said = notebook.says("c", "let x = 3");
    assert!(!said.iter().any(|text| text.contains("undone")), "{said:?}");
}

#[test]
fn a_cell_that_ends_in_a_command_owns_only_its_own_definitions() {
    let mut notebook = Notebook::new("off");
    // the command takes no number: the next cell has it
    notebook.run("a", "let a = 1\n:type a");
    notebook.run("b", "let b = 2");
    notebook.run("f", "%%jsonnet\nlocal z = 1;\n:type z");
    notebook.run("g", "g = 5");
    for (id, code) in [("a", "let a = 1\n:type a"), ("f", "%%jsonnet\nlocal z = 1;\n:type z")] {
        let said = notebook.says(id, code);
        assert!(!said.iter().any(|text| text.contains("no longer bound")), "{said:?}");
    }
    assert_eq!(notebook.says("c", "[a, b, g]"), ["[1, 2, 5]"]);
}

#[test]
fn without_ids_nothing_is_tracked() {
    let mut notebook = Notebook::new("on");
    notebook.client.metadata = json!({});
    for code in ["let x = 1", "x", "let x = 2"] {
        let reply = notebook.client.ask("execute_request", json!({ "code": code }));
        assert!(reply.said.iter().all(|(kind, _)| kind != "update_display_data"));
    }
}

#[test]
fn types_follow_below_the_cells_that_define_them() {
    let mut notebook = Notebook::new("on");
    notebook.run("p", "p = 5");
    let shown = notebook.run("q", "q = p");
    assert_eq!(texts(&shown), ["q : Number"]);
    let said = notebook.says("p", "p = \"s\"");
    assert!(said.contains(&"update: q : String".into()), "{said:?}");
    // and only where they changed
    assert_eq!(notebook.says("p", "p = \"t\""), ["p : String"]);
}

#[test]
fn the_lines_of_a_command_are_one_output() {
    let mut notebook = Notebook::new("off");
    notebook.run("a", "p = 5\nq = p");
    assert_eq!(notebook.says("b", ":undo"), ["undone: p = 5 …\np is no longer bound\nq is no longer bound"]);
    // definitions above it stay apart
    assert_eq!(notebook.says("c", "p = 6\n:undo"), ["p : Number", "undone: p = 6\np is no longer bound"]);
}

#[test]
fn switching_to_reactive_refreshes_what_ran_before() {
    let mut notebook = Notebook::new("off");
    notebook.run("a", "let x = 1");
    notebook.run("b", "x + 1");
    assert_eq!(stale(&notebook.says("a", "let x = 2")), ["[3]"]);
    let said = notebook.says("set", ":set reactive on");
    assert!(said.contains(&"update: 3".into()), "{said:?}");
    assert_eq!(stale(&said), [""; 0]);
}

#[test]
fn an_interrupt_of_a_refresh_ends_the_queue_and_unrelated_cells_run() {
    let mut notebook = Notebook::new("on");
    notebook.run("a", "let n = 0");
    notebook.run("b", "let rec f = fun k => if k == 0 then 0 else f (k + 1) in f n");
    notebook.run("c", "n + 100");
    let interrupted = |notebook: &mut Notebook, code: &str| {
        let client = &mut notebook.client;
        client.metadata = json!({ "cellId": "a", "deletedCells": [] });
        client.send(Socket::Shell, "execute_request", &json!({ "code": code, "stop_on_error": false }));
        client.await_said("execute_input");
        client.metadata = json!({ "cellId": "queued", "deletedCells": [] });
        client.send(Socket::Shell, "execute_request", &json!({ "code": "\"queued\"" }));
        std::thread::sleep(Duration::from_millis(300));
        client.send(Socket::Control, "interrupt_request", &json!({}));
        client.answer(Socket::Control);
        [client.answer(Socket::Shell).content, client.answer(Socket::Shell).content]
    };
    let [ran, queued] = interrupted(&mut notebook, "let n = 1");
    assert_eq!((&ran["status"], &queued["status"]), (&json!("ok"), &json!("aborted")));
    let mut marked = Vec::new();
    while marked.len() < 3 {
        let (_, kind, content) = notebook.client.anything_said();
        match (kind.as_str(), plain(&content)) {
            ("update_display_data", Some(text)) => marked.push(format!("update: {text}")),
            ("display_data", Some(text)) if text.starts_with("stale") => marked.push(text),
            _ => {}
        }
    }
    let why = "stale: something it read changed in [5]";
    let expected = [format!("update: 0\n{why}"), format!("update: 100\n{why}"), format!("stale: [3], [4]{STALE}")];
    assert_eq!(marked, expected);
    // an unrelated cell runs, and runs nothing else
    let start = Instant::now();
    assert_eq!(notebook.says("d", "\"d\""), ["\"d\""]);
    assert!(start.elapsed() < Duration::from_secs(5));
    // the user runs a stale cell
    assert_eq!(notebook.says("c", "n + 100"), ["101"]);
    // a change makes the others run again
    let said = notebook.says("a", "let n = 0");
    assert!(said.contains(&"update: 0".into()) && said.contains(&"update: 100".into()), "{said:?}");
}

#[test]
fn an_error_that_replaces_an_output_looks_like_one() {
    let mut notebook = Notebook::new("on");
    notebook.run("a", "let x = 1");
    notebook.run("b", "x + 1");
    let failed = notebook.run("a", "let x = \"s\"");
    let update = failed.said.iter().find(|(kind, _)| kind == "update_display_data").unwrap();
    let html = update.1["data"]["text/html"].as_str().unwrap();
    assert!(html.starts_with("<div role=\"alert\" style=\"border-left"), "{html}");
    let well = notebook.run("a", "let x = 2");
    let update = well.said.iter().find(|(kind, _)| kind == "update_display_data").unwrap();
    assert!(!update.1["data"]["text/html"].to_string().contains("alert"));
}

#[test]
fn two_cells_that_bind_one_name_are_named() {
    let mut notebook = Notebook::new("on");
    notebook.run("a", "let x = { n = 1 }");
    assert!(!notebook.says("b", "x = x & { b = 1 }").iter().any(|line| line.contains("define")));
    let said = notebook.says("c", "let x = { n = 2 }");
    assert!(said.iter().any(|line| line.contains("[2] and [4] both define `x`")), "{said:?}");
    let mut off = Notebook::new("off");
    off.run("a", "let x = 1");
    assert!(!off.says("c", "let x = 2").iter().any(|line| line.contains("define")));
}

#[test]
fn what_another_client_runs_refreshes_the_cells_too() {
    let mut notebook = Notebook::new("on");
    notebook.run("a", "let x = 1");
    notebook.run("b", "x + 1");
    notebook.client.metadata = json!({});
    let reply = notebook.client.ask("execute_request", json!({ "code": "let x = 2" }));
    assert_eq!(texts(&reply), ["x : Number", "update: 3"]);
}

/// Returns the display ids of a reply's messages of a type.
fn displays(reply: &Reply, kind: &str) -> Vec<String> {
    let of_kind = reply.said.iter().filter(|(k, _)| k == kind);
    of_kind.filter_map(|(_, content)| content["transient"]["display_id"].as_str().map(String::from)).collect()
}

#[test]
fn an_event_replaces_tables_values_and_resource_graphs_in_place() {
    let mut notebook = Notebook::new("on");
    notebook.run("l", ":dialect mcl");
    let unread = notebook.run("f", ":feed datetime.now 1700000000");
    assert_eq!(texts(&unread), ["`datetime.now` is set; no definition can read it"]);
    notebook.run("a", "$hour = datetime.hour(datetime.now())");
    let b = notebook.run("b", "$hour");
    let resources = "test \"t\" { int64 => $hour, Notify => Noop[\"n\"], }  noop \"n\" {}";
    let c = notebook.run("c", resources);
    let graph = notebook.run("p", &format!(":graph {resources}"));
    notebook.run("d", "test \"other\" { int64 => 1, }");
    let direct = notebook.run("e", "datetime.now()");
    let graph_of = |data: &Value| {
        let html = data["text/html"].as_str().unwrap_or_default();
        let picture = html.split_once("data:image/svg+xml;base64,").and_then(|(_, rest)| rest.split('"').next());
        // the text without its tags
        let text: String = html.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text).collect();
        (String::from(picture.unwrap_or_default()), text.replace("&gt;", ">"))
    };
    let shown_first = graph.said.iter().find(|(kind, _)| kind == "display_data");
    let (picture, text) = graph_of(&shown_first.unwrap().1["data"]);
    assert!(!picture.is_empty() && text.contains("int64 => 22"), "{text}");

    // the first event with a table: the values, the graph and the outputs of earlier events are replaced, everything else stays
    let first = notebook.run("g", ":feed datetime.now 1700003600");
    let expected = ["hour  22  ->  23", "update: 23"];
    assert_eq!(texts(&first)[..2], expected, "{:?}", texts(&first));
    let shown = [&b, &c, &graph, &direct, &unread].map(|reply| displays(reply, "display_data")).concat();
    assert_eq!(displays(&first, "update_display_data"), shown, "{:?}", texts(&first));
    let updated = first.said.iter().filter(|(kind, _)| kind == "update_display_data").nth(2).map(|(_, c)| &c["data"]);
    let (new_picture, text) = graph_of(updated.unwrap());
    assert!(!new_picture.is_empty() && new_picture != picture);
    assert!(text.contains("int64 => 23") && !text.contains("=> 22"), "{text}");

    // the second one replaces the table of the first one too
    let second = notebook.run("h", ":feed datetime.now 1700007200");
    assert_eq!(texts(&second)[0], "hour  23  ->  0");
    let updates = displays(&second, "update_display_data");
    assert!(updates.ends_with(&[&unread, &first].map(|reply| displays(reply, "display_data")[0].clone())));
    assert_eq!(texts(&second).last().map(String::as_str), Some("update: hour  23  ->  0"));
    // the same hour: only what reads the time itself
    let third = notebook.run("h", ":feed datetime.now 1700007201");
    let nothing = "`datetime.now` is set; the value that can read it did not change";
    let update = format!("update: {nothing}");
    assert_eq!(texts(&third), [nothing, "update: 1700007201", &update, &update]);
}

#[test]
fn an_event_of_an_input_makes_exactly_its_readers_stale() {
    let mut notebook = Notebook::new("off");
    notebook.run("l", ":dialect mcl");
    notebook.run("f", ":feed datetime.now 1700000000"); // [3]
    notebook.run("a", "$hour = datetime.hour(datetime.now())"); // [4]
    notebook.run("b", "$hour + 1"); // [5]
    notebook.run("c", "$len = len(\"abc\")"); // [6]
    notebook.run("d", "$len"); // [7]
    assert_eq!(stale(&notebook.says("g", ":feed datetime.now 1700000001")), [""; 0]);
    assert_eq!(stale(&notebook.says("g", ":feed datetime.now 1700003600")), ["[5]"]);
    // and with the value of its last run it is up to date again
    assert_eq!(stale(&notebook.says("g", ":feed datetime.now 1700000000")), [""; 0]);
}

#[test]
fn a_notebook_that_announces_deleted_and_restored_cells_is_answered_at_once() {
    for mode in ["off", "lazy", "on"] {
        let mut notebook = Notebook::new(mode);
        notebook.client.tell("comm_open", json!({ "comm_id": "c", "target_name": "cfg.notebook", "data": {} }));
        for (id, code) in [("a", "n = 1"), ("b", "n = 2"), ("c", "m = n + 1"), ("d", "m"), ("e", ":alias k :type n")] {
            notebook.run(id, code);
        }
        let mut says = |data: Value| {
            let reply = notebook.client.tell("comm_msg", json!({ "comm_id": "c", "data": data }));
            let reply = Reply { kind: String::new(), content: json!({}), said: reply };
            let said = reply.said.iter().find(|(kind, content)| kind == "comm_msg" && content["comm_id"] == "c");
            let said = said.map(|(_, content)| String::from(content["data"]["says"].as_str().unwrap()));
            (said.unwrap_or_default(), texts(&reply))
        };
        // the definition of the other cell is current again
        let (said, updates) = says(json!({ "id": 1, "deleted": ["b"] }));
        assert!(said.starts_with("n : Number"), "{mode}: {said}");
        match mode {
            "off" => assert!(said.contains("stale: [5]") && updates.is_empty(), "{said} {updates:?}"),
            "lazy" => assert!(updates.iter().any(|text| text.contains("3\nstale")), "{updates:?}"),
            _ => assert_eq!(updates, ["update: 2"]),
        }
        let (said, updates) = says(json!({ "id": 2, "deleted": ["a"], "restored": [] }));
        assert!(said.contains("n is no longer bound"), "{mode}: {said}");
        // with `lazy`, the output is marked already
        assert_eq!(updates.is_empty(), mode != "on", "{updates:?}");
        let (said, updates) = says(json!({ "id": 3, "restored": ["a", "b", "unknown"] }));
        assert!(said.contains("n : Number"), "{mode}: {said}");
        assert!(mode == "off" || !updates.is_empty(), "{mode}");
        // a command does not run by itself
        let (said, _) = says(json!({ "id": 4, "deleted": ["e"] }));
        assert_eq!(said, "", "{mode}");
        let (said, _) = says(json!({ "id": 5, "restored": ["e"] }));
        assert_eq!(said, "[6] is restored, but did not run again: run it to get its effect back", "{mode}");
        // a cell whose definitions did not count does not replace those that do
        says(json!({ "id": 6, "deleted": ["a"] }));
        says(json!({ "id": 7, "restored": ["a"] }));
        assert_eq!(notebook.says("d", "m"), ["3"], "{mode}");
    }
}

#[test]
fn cells_that_are_deleted_while_another_one_runs_are_forgotten_when_it_ends() {
    let mut notebook = Notebook::new("off");
    notebook.run("a", "n = 1");
    notebook.run("b", "n");
    let client = &mut notebook.client;
    client.tell("comm_open", json!({ "comm_id": "c", "target_name": "cfg.notebook", "data": {} }));
    let loops = "let rec f = fun k => if k == 0 then 0 else f (k + 1) in f 1";
    client.metadata = json!({ "cellId": "long", "deletedCells": [] });
    client.send(Socket::Shell, "execute_request", &json!({ "code": loops, "stop_on_error": false }));
    client.await_said("execute_input");
    client.send(Socket::Shell, "comm_msg", &json!({ "comm_id": "c", "data": { "id": 1, "deleted": ["a"] } }));
    // a question is answered meanwhile
    client.send(Socket::Shell, "comm_msg", &json!({ "comm_id": "c", "data": { "id": 2, "ask": "names" } }));
    let mut answers = Vec::new();
    while answers.len() < 2 {
        let (_, kind, content) = client.anything_said();
        if kind == "comm_msg" && content["data"]["id"].is_number() {
            if answers.is_empty() {
                client.send(Socket::Control, "interrupt_request", &json!({}));
                client.answer(Socket::Control);
            }
            answers.push(content["data"].clone());
        }
    }
    assert_eq!((&answers[0]["id"], &answers[0]["names"][0]["name"]), (&json!(2), &json!("n")));
    assert!(answers[1]["says"].as_str().is_some_and(|says| says.contains("n is no longer bound")), "{answers:?}");
}
