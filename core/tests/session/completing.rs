//! Completion: the input with the cursor at `¦` on the left, the candidates on the right.

use super::run;
use cfg_core::{Dialect, InMemory, NoLoader, Session};
use expect_test::expect;

fn session(inputs: &[&str]) -> Session {
    let files: InMemory = ["main.cfg", "notes.txt", "lib/x.cfg"].map(|path| (path, "")).into_iter().collect();
    let mut session = Session::new(Box::new(files));
    for input in inputs {
        session.submit(input);
    }
    session
}

/// Checks the candidates: the text, ` : ` and its type, ` -- ` and its documentation.
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
fn tags_are_completed_from_the_expected_type() {
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
    // each branch must have the type of the whole; the condition need not
    offers(session, "let m : [| 'x, 'y |] = if true then '¦", "'x, 'y");
    offers(session, "let m : [| 'x, 'y |] = if true then 'x else '¦", "'x, 'y");
    offers(session, "let m : [| 'x, 'y |] = if 'N¦", "'Noise");
    offers(session, "server & (if true then { mode = '¦ } else {})", "'fast, 'slow");
    // nothing is known about the type, so every tag that occurs is offered
    offers(session, "'N¦", "'Noise");
}

#[test]
fn fields_are_completed_from_the_expected_type() {
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
fn candidates_have_types_and_documentation() {
    let mut session = session(&[
        &format!("let server | doc \"The server. More.\" = {SERVER}"),
        "twice = server & { more = 1 }",
        "u = { v | doc \"First.\" | default = 1 } & { v | doc \"Second.\" = 2 }",
        "x = { u = { v | doc \"First.\" | default = 1 } } & { u = { v | doc \"Second.\" = 2 } }",
    ]);
    let session = &mut session;
    offers(
        session,
        "serv¦",
        "server : { mode : [| 'fast, 'slow |], port : Number, tls : { cert : String } } -- The server.",
    );
    offers(session, "server.p¦", "port : Number -- Where it listens.");
    offers(session, "twice.p¦", "port : Number -- Where it listens.");
    offers(session, "server.tls.¦", "cert : String -- A file.");
    // the first documentation counts, as in an evaluation: `:query u.v`
    offers(session, "u.¦", "v : Number -- First.");
    offers(session, "x.u.¦", "v : Number -- First.");
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
    offers(session, ":dialect ¦", "cfg, jsonnet, yay, mcl");
    offers(session, ":set edit¦", "editing -- the keys of the prompt (now emacs)");
    offers(session, ":set editing ¦", "emacs -- the keys of the prompt, vi -- the keys of the prompt");
    offers(session, ":set width a¦", "auto -- the width of answers");
    offers(session, ":set import-path ¦", "lib/");
    offers(session, ":show ¦", "table, tree, json, yaml");
    offers(session, ":show y¦", "yaml");
    offers(session, ":deps -¦", "--used-by");
    offers(session, ":steps --ty¦", "--types");
    offers(session, ":help mer¦", "merging -- how records are merged, which definition wins, and how to see it");
    offers(session, ":set ext-code-file a=ma¦", "main.cfg");
    offers(
        session,
        ":help expl¦",
        "explain -- where a field's value comes from: which definition wins, which lose, and why",
    );
}

#[test]
fn another_language_has_its_own_completions() {
    let mut session = session(&["server = { host = \"h\", port = 80 }"]);
    session.set_dialect(Dialect::JSONNET).unwrap();
    let session = &mut session;
    offers(session, "server.p¦", "port : number");
    offers(session, "server + { po¦", "port : number");
    offers(session, "server { po¦", "port : number");
    offers(session, ":query server.h¦", "host : string");
}

#[test]
fn completion() {
    let files = InMemory::default();
    files.put("main.ncl", "1");
    let mut session = Session::new(Box::new(files));
    run(&mut session, &["server = { host = \"h\", port = 80, \"odd name\" = 'On }", "serve = 1"]);
    let mut offered = |text: &str| {
        // the bar marks the cursor
        let at = text.find('|').unwrap_or(text.len());
        let all = session.complete(&text.replacen('|', "", 1), at);
        let ty = |t: &Option<String>| t.as_ref().map(|t| format!(" : {t}")).unwrap_or_default();
        all.iter().map(|c| format!("{}{}", c.text, ty(&c.ty))).collect::<Vec<_>>().join(", ")
    };
    let mut out = String::new();
    for text in [
        "ser|",
        "server.|",
        "server.p| + 1",
        "(server & { more = 1 }).m|",
        "let local = { x = 1 } in local.|",
        "fun r => let s = { abc = 1 } in s.a|",
        "{ first = { inner = 1 }, second = first.|",
        "std.array.fo|",
        "x == 'O|",
        ":ty|",
        ":t server.h|",
        ":set typ|",
        ":set type o|",
        ":load m|",
        "import \"m|\"",
        "# ser|",
        "\"ser|\"",
    ] {
        out += &format!("{text:40} {}\n", offered(text));
    }
    expect![[r#"
        ser|                                     serve : Number, server : { host : String, "odd name" : [| 'On |], port : Number }
        server.|                                 host : String, "odd name" : [| 'On |], port : Number
        server.p| + 1                            port : Number
        (server & { more = 1 }).m|               more : Number
        let local = { x = 1 } in local.|         x : Number
        fun r => let s = { abc = 1 } in s.a|     abc : Number
        { first = { inner = 1 }, second = first.| inner : Number
        std.array.fo|                            fold_left : forall a b. (a -> b -> a) -> a -> Array b -> a, fold_right : forall a b. (a -> b -> b) -> b -> Array a -> b
        x == 'O|                                 'On
        :ty|                                     type
        :t server.h|                             host : String
        :set typ|                                type
        :set type o|                             on, off
        :load m|                                 main.ncl
        import "m|"                              main.ncl
        # ser|                                   
        "ser|"                                   
    "#]].assert_eq(&out);
}

#[test]
fn completion_in_deep_nesting_takes_memory_linear_in_the_input() {
    // the types of all nodes together would take gigabytes
    let depth = 20_000;
    let nested = |open: &str, close: &str| format!("{}¦{}", open.repeat(depth), close.repeat(depth));
    let mut session = session(&["near = 1"]);
    for input in
        [nested("[", "]"), nested("{ a = ", " }"), nested("(fun x => ", ")"), nested("if true then ", " else 1")]
    {
        let at = input.find('¦').unwrap();
        let all = session.complete(&input.replace('¦', ""), at);
        assert!(all.iter().any(|candidate| candidate.text == "near"), "{}", &input[..20]);
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(200))]
    /// Random inputs: each has a result, and the session continues.
    #[test]
    fn any_words_leave_the_session_whole(
        lines in proptest::collection::vec(proptest::collection::vec(proptest::sample::select(WORDS), 0..8), 1..6)
    ) {
        let mut session = Session::new(Box::new(NoLoader));
        session.set_option("max-steps", "100000").unwrap();
        for line in lines {
            let text = line.join(" ");
            session.completeness(&text);
            session.highlight(&text);
            session.complete(&text, text.len() / 2);
            session.complete(&text, text.len());
            session.hint(&text, text.len());
            session.submit(&text);
        }
        session.submit("answer = 41 + 1");
        let shown = run(&mut session, &["answer"]);
        proptest::prop_assert_eq!(shown, "> answer\n42 : Number\n");
    }
}

const WORDS: &[&str] = &[
    "x",
    "y",
    "it",
    "$1",
    "std",
    ".a",
    ".",
    "=",
    "=",
    "&",
    "{ a = 1 }",
    "{",
    "}",
    "a",
    "[",
    "]",
    ",",
    "1",
    "\"s\"",
    "\"",
    "%{",
    "'T",
    "fun x =>",
    "let",
    "in",
    "rec",
    "|",
    "default",
    "force",
    "optional",
    "doc \"d\"",
    ":",
    "Number",
    "merge",
    "if",
    "then",
    "else",
    "match { _ => 1 }",
    "(",
    ")",
    "+",
    "==",
    "import \"f.ncl\"",
    ":type",
    ":query",
    ":doc",
    ":env",
    ":load",
    ":reload",
    ":time",
    ":set",
    ":help",
    ":t",
    "é",
    "\n",
    "std.array.map",
    "x = x & { b = x.a }",
    "?",
    "..",
    "_",
];

#[test]
fn a_menu_shows_the_beginning_of_a_long_type() {
    let mut session = Session::new(Box::new(InMemory::default()));
    let fields: Vec<String> = (0..2000).map(|n| format!("field_{n} = {n}")).collect();
    session.submit(&format!("big = {{ {} }}", fields.join(", ")));
    let found = session.complete("bi", 2);
    let ty = found.iter().find(|candidate| candidate.text == "big").and_then(|candidate| candidate.ty.clone()).unwrap();
    assert!(ty.starts_with("{ field_0 : Number, ") && ty.chars().count() <= 400, "{ty}");
}

/// The texts of the first candidates.
fn begins(session: &mut Session, input: &str, expected: &[&str]) {
    let at = input.find('¦').unwrap();
    let all = session.complete(&input.replace('¦', ""), at);
    let found: Vec<&str> = all.iter().take(expected.len()).map(|candidate| candidate.text.as_str()).collect();
    assert_eq!(found, expected, "{input}");
}

#[test]
fn resources_of_mcl_are_completed_from_their_kinds() {
    let mut session = session(&[":dialect mcl", "$port = 80", "class web($name) { noop $name {} }"]);
    let session = &mut session;
    offers(session, "firew¦", "firewalld");
    offers(session, "file \"/tmp/x\" { con¦", "content : str");
    offers(session, "file \"/tmp/x\" { content => \"a\", ow¦, }", "owner : str");
    offers(session, "file [\"/a\", \"/b\",] {\n\tfor¦", "force : bool");
    offers(session, "file $x.y { ow¦", "owner : str");
    offers(session, "file fmt.printf(\"%d\", 1) { ow¦", "owner : str");
    offers(session, "http:server \":80\" { roo¦", "root : str");
    begins(session, "noop \"a\" { ¦ }", &["comment", "Before", "Depend", "Listen", "Notify", "Meta"]);
    offers(session, "noop \"a\" { Meta:noo¦", "Meta:noop : bool");
    offers(session, "noop \"a\" { Bef¦ => Noop[\"b\"], }", "Before");
    offers(session, "noop \"a\" { Before => Firew¦", "Firewalld");
    offers(session, "Noop[\"a\"] -> Http:Ser¦", "Http:Server");
    // not the block of a resource
    offers(session, "$m = {\"a\" => 1, ow¦", "");
    offers(session, "class c { firew¦", "firewalld");
    offers(session, "$const.res.file.state.ex¦", "$const.res.file.state.exists : \"exists\"");
    offers(session, "$po¦ + 1", "$port");
    offers(session, "$other = 1\n$oth¦", "$other");
    offers(session, "include w¦", "web");
    begins(session, "fmt.pri¦", &["fmt.printf"]);
    begins(session, "import \"golang/strings\" as s\n$x = s.to_up¦", &["s.to_upper"]);
    begins(session, "$x = le¦", &["len"]);
    begins(session, "import \"datet¦\"", &["datetime"]);
    offers(session, "file \"/tmp/con¦\" {", "");
    offers(session, "# con¦", "");
}
