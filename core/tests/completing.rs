//! What can go on at the cursor: the input with the cursor at `¦` on the left, what is offered on the right.

use cfg_core::dialect::Dialect;
use cfg_core::loader::InMemory;
use cfg_core::session::Session;

fn session(inputs: &[&str]) -> Session {
    let files: InMemory = ["main.cfg", "notes.txt", "lib/x.cfg"].map(|path| (path, "")).into_iter().collect();
    let mut session = Session::new(Box::new(files));
    for input in inputs {
        session.submit(input);
    }
    session
}

/// What is offered: the text, ` : ` and its type, ` -- ` and its documentation.
#[track_caller]
fn offers(session: &mut Session, input: &str, expected: &str) {
    let at = input.find('¦').unwrap();
    let text = input.replace('¦', "");
    let all = session.complete(&text, at);
    let shown = all.iter().map(|candidate| {
        let ty = candidate.ty.as_ref().map(|ty| format!(" : {ty}")).unwrap_or_default();
        let doc = candidate.doc.as_ref().map(|doc| format!(" -- {doc}")).unwrap_or_default();
        format!("{}{ty}{doc}", candidate.text)
    });
    assert_eq!(shown.collect::<Vec<_>>().join(", "), expected, "{input}");
}

const SERVER: &str = "let Mode = [| 'fast, 'slow |] in { port | doc \"Where it listens. More.\" | default = 80, \
                      mode | Mode = 'fast, tls = { cert | doc \"A file.\" = \"c\" } }";

#[test]
fn an_enum_is_known_by_its_place() {
    let mut session = session(&[
        "f = fun x => x |> match { 'A => 1, 'B _ => 2 }",
        &format!("server = {SERVER}"),
        "noise = 'Noise",
        "g = fun r n => if r.kind == 'one || r.kind == 'two then n else 0",
    ]);
    let session = &mut session;
    offers(session, "f '¦", "'A, 'B : forall a. a");
    offers(session, "server.mode == '¦", "'fast, 'slow");
    let first: Vec<String> = session.complete("server.mode == ", 15).into_iter().take(2).map(|c| c.text).collect();
    assert_eq!(first, ["'fast", "'slow"]);
    offers(session, "if 's¦ != server.mode then 1 else 2", "'slow");
    offers(session, "server & { mode = '¦", "'fast, 'slow");
    offers(session, "{ port = 1, mode = '¦ } & server", "'fast, 'slow");
    offers(session, "{ a = { mode = '¦ } } & { a = server }", "'fast, 'slow");
    offers(session, "{ m | [| 'x, 'y |] = '¦", "'x, 'y");
    offers(session, "let m : [| 'x, 'y |] = '¦", "'x, 'y");
    // nothing is known: every tag that was written
    offers(session, "'N¦", "'Noise");
}

#[test]
fn the_fields_that_a_record_is_wanted_to_have() {
    let mut session =
        session(&[&format!("server = {SERVER}"), "h : { host : String, port : Number } -> Number = fun r => r.port"]);
    let session = &mut session;
    offers(session, "server & { ¦", "mode : [| 'fast, 'slow |], port : Number, tls : { cert : String }");
    offers(session, "server & { port = 1, m¦ }", "mode : [| 'fast, 'slow |]");
    offers(session, "server & { tls.¦ }", "cert : String");
    offers(session, "h { po¦", "port : Number");
    offers(session, "let x : { alpha : Number } = { ¦", "alpha : Number");
    offers(session, "{ ¦", "");
}

#[test]
fn types_and_documentation_stand_beside() {
    let mut session =
        session(&[&format!("let server | doc \"The server. More.\" = {SERVER}"), "twice = server & { more = 1 }"]);
    let session = &mut session;
    offers(
        session,
        "serv¦",
        "server : { mode : [| 'fast, 'slow |], port : Number, tls : { cert : String } } -- The server.",
    );
    offers(session, "server.p¦", "port : Number -- Where it listens.");
    offers(session, "twice.p¦", "port : Number -- Where it listens.");
    offers(session, "server.tls.¦", "cert : String -- A file.");
    offers(session, "std.array.firs¦", "first : forall a. Array a -> a -- The first element.");
}

#[test]
fn commands_know_their_arguments() {
    let mut session = session(&[&format!("server = {SERVER}"), "xs = [{ inner = { leaf = 1 } }]", ":def tw = :type"]);
    let session = &mut session;
    for command in ["type", "query", "explain", "why", "deps", "graph", "doc", "info", "sprint", "tw", "env", "history"]
    {
        offers(session, &format!(":{command} server.po¦"), "port : Number -- Where it listens.");
    }
    offers(session, ":query xs[0].¦", "inner : { leaf : Number }");
    offers(session, ":explain xs[0].inner.le¦", "leaf : Number");
    offers(session, ":load ¦", "lib/, main.cfg");
    offers(session, ":load lib/¦", "x.cfg");
    offers(session, "import \"ma¦\"", "main.cfg");
    offers(session, ":dialect ¦", "cfg, jsonnet");
    offers(session, ":set edit¦", "editing -- the keys of the prompt (now emacs)");
    offers(session, ":set editing ¦", "emacs -- the keys of the prompt, vi -- the keys of the prompt");
    offers(session, ":set width a¦", "auto -- how wide answers may be");
    offers(session, ":set import-path ¦", "lib/");
    offers(session, ":set ext-code-file a=ma¦", "main.cfg");
    offers(session, ":help exp¦", "explain -- where a field's value comes from: who won, who lost and why");
}

#[test]
fn another_language_is_completed_in_its_own_words() {
    let mut session = session(&["server = { host = \"h\", port = 80 }"]);
    session.set_dialect(Dialect::Jsonnet).unwrap();
    let session = &mut session;
    offers(session, "server.p¦", "port : number");
    offers(session, "server + { po¦", "port : number");
    offers(session, "server { po¦", "port : number");
    offers(session, ":query server.h¦", "host : string");
}
