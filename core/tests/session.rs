//! The session without a terminal: inputs, each with `>` before it, and what came of it.

use cfg_core::loader::{Loader, NoLoader};
use cfg_core::session::{Event, Session};
use expect_test::{Expect, expect};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Files in memory.
#[derive(Clone, Default)]
struct Files(Rc<RefCell<BTreeMap<PathBuf, String>>>);

impl Files {
    fn write(&self, path: &str, text: &str) {
        self.0.borrow_mut().insert(PathBuf::from(path), String::from(text));
    }
}

impl Loader for Files {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let all = self.0.borrow();
        all.get(path).map(|t| t.clone().into_bytes()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        if self.0.borrow().contains_key(path) { Ok(path.to_path_buf()) } else { Err(io::ErrorKind::NotFound.into()) }
    }
    fn env(&self, _: &str) -> Option<String> {
        None
    }
    fn list(&self, _: &Path) -> Vec<String> {
        self.0.borrow().keys().map(|p| p.display().to_string()).collect()
    }
    fn stamp(&self, _: &Path) -> Option<u64> {
        None
    }
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let text = String::from_utf8(bytes.to_vec()).map_err(|_| io::ErrorKind::InvalidData)?;
        self.0.borrow_mut().insert(path.to_path_buf(), text);
        Ok(())
    }
}

fn shown(events: Vec<Event>) -> String {
    let lines: Vec<String> = events
        .into_iter()
        .map(|event| match event {
            Event::Value { value, ty, .. } => format!("{} : {}", value.text(), ty.text()),
            Event::Bound(text) | Event::Answer(text) | Event::View { text, .. } => text.text(),
            Event::Steps { pages, foot, .. } => Event::text(&pages, &foot).text(),
            // the form is the renderer's affair; here the first lines tell
            Event::Diagnostic { report, .. } => report.text().lines().take(2).collect::<Vec<_>>().join(""),
            Event::Output(text) => format!("printed {}", text.trim_end()),
            Event::Quit => String::from("quit"),
        })
        .collect();
    lines.join("\n")
}

fn run(session: &mut Session, inputs: &[&str]) -> String {
    let mut out = String::new();
    for input in inputs {
        out += &format!("> {input}\n");
        let text = shown(session.submit(input));
        if !text.is_empty() {
            out += &text;
            out.push('\n');
        }
    }
    out
}

#[track_caller]
fn check(inputs: &[&str], expected: Expect) {
    expected.assert_eq(&run(&mut Session::new(Box::new(NoLoader)), inputs));
}

#[test]
fn definitions_show_types_and_expressions_values() {
    check(
        &["x = { a = 1 }", "let y = x.a + 1", "y", "a = 1, b = a + 1", "{ a, b = a }"],
        expect![[r#"
        > x = { a = 1 }
        x : { a : Number }
        > let y = x.a + 1
        y : Number
        > y
        2 : Number
        > a = 1, b = a + 1
        a : Number
        b : Number
        > { a, b = a }
        { a, b = <error: missing definition for `a`> } : forall a. { a! : a, b : a }
    "#]],
    );
}

#[test]
fn results_have_names() {
    check(
        &["1 + 1", "it * 10", "$1 + it", "x = it", "\"other\"", "x", "$7"],
        expect![[r#"
        > 1 + 1
        2 : Number
        > it * 10
        20 : Number
        > $1 + it
        22 : Number
        > x = it
        x : Number
        > "other"
        "other" : String
        > x
        22 : Number
        > $7
        error: unbound name `$7` [scope/unbound] --> cfg[7]:1:1
    "#]],
    );
}

#[test]
fn it_can_be_defined_until_the_next_result() {
    check(
        &["3", "it = 5", "it", "it + 1", "it"],
        expect![[r#"
        > 3
        3 : Number
        > it = 5
        it : Number
        > it
        5 : Number
        > it + 1
        6 : Number
        > it
        6 : Number
    "#]],
    );
}

#[test]
fn definitions_that_read_each_other_are_said_to() {
    check(
        &["x = 1", "y = x + 1", "x = y", "x", "std = 4", "x = 1", "y"],
        expect![[r#"
            > x = 1
            x : Number
            > y = x + 1
            y : Number
            > x = y
            x : Number
            warning: `x` and `y` read each other now [scope/circle] --> cfg[3]:1:1
            > x
            error: infinite recursion: y → x → y [value/infinite-recursion] --> cfg[2]:1:1
            > std = 4
            error: `std` is the library and cannot be defined [scope/reserved] --> cfg[5]:1:1
            > x = 1
            x : Number
            > y
            2 : Number
        "#]],
    );
}

#[test]
fn commands_take_no_number_and_failing_inputs_do() {
    check(
        &[":type 1", "nope", "1 +* 2", "40 + 2", "$3"],
        expect![[r#"
        > :type 1
        Number
        > nope
        error: unbound name `nope` [scope/unbound] --> cfg[1]:1:1
        > 1 +* 2
        error: unexpected `*` [syntax/unexpected] --> cfg[2]:1:4
        > 40 + 2
        42 : Number
        > $3
        42 : Number
    "#]],
    );
}

#[test]
fn a_redefinition_reads_its_predecessor() {
    check(
        &[
            "x = { a = 1 }",
            "x = x & { b = 2 }",
            "x = x & { c = x.b }",
            "x",
            "let rec f = fun n => if n == 0 then 0 else f (n - 1)",
            "f 3",
        ],
        expect![[r#"
            > x = { a = 1 }
            x : { a : Number }
            > x = x & { b = 2 }
            x : { a : Number, b : Number }
            > x = x & { c = x.b }
            x : { a : Number, b : Number, c : Number }
            > x
            { a = 1, b = 2, c = 2 } : { a : Number, b : Number, c : Number }
            > let rec f = fun n => if n == 0 then 0 else f (n - 1)
            f : Number -> Number
            > f 3
            0 : Number
        "#]],
    );
}

#[test]
fn what_depends_on_a_redefinition_follows() {
    check(
        &["x = 1", "y = x + 1", "z = { inner = y }", "z", "x = 10", "z", "x = \"ten\"", "z", "x = 2", "z"],
        expect![[r#"
            > x = 1
            x : Number
            > y = x + 1
            y : Number
            > z = { inner = y }
            z : { inner : Number }
            > z
            { inner = 2 } : { inner : Number }
            > x = 10
            x : Number
            > z
            { inner = 11 } : { inner : Number }
            > x = "ten"
            x : String
            error: expected Number, found String [types/conflict] --> cfg[2]:1:5
            > z
            { inner = <error: the left operand of `+` must be Number, but is String> } : { inner : Number }
            error: the left operand of `+` must be Number, but is String [value/type] --> cfg[2]:1:5
            > x = 2
            x : Number
            y has no error any more
            > z
            { inner = 3 } : { inner : Number }
        "#]],
    );
}

#[test]
fn an_edit_deep_below_reaches_the_predecessors_too() {
    check(
        &["p = 1", "x = { a = p }", "x = x & { b = 2 }", "x", "p = \"s\"", "x"],
        expect![[r#"
        > p = 1
        p : Number
        > x = { a = p }
        x : { a : Number }
        > x = x & { b = 2 }
        x : { a : Number, b : Number }
        > x
        { a = 1, b = 2 } : { a : Number, b : Number }
        > p = "s"
        p : String
        changed: x : { a : String, b : Number }  (was { a : Number, b : Number })
        > x
        { a = "s", b = 2 } : { a : String, b : Number }
    "#]],
    );
}

#[test]
fn what_does_not_parse_or_names_nothing_changes_nothing() {
    check(
        &["x = 1", "x = )", "x = nothing", "x = 2, y = nothing", "x", ":env"],
        expect![[r#"
        > x = 1
        x : Number
        > x = )
        error: unexpected `)` [syntax/unexpected] --> cfg[2]:1:5
        > x = nothing
        error: unbound name `nothing` [scope/unbound] --> cfg[3]:1:5
        > x = 2, y = nothing
        error: unbound name `nothing` [scope/unbound] --> cfg[4]:1:12
        > x
        1 : Number
        > :env
        x : Number
    "#]],
    );
}

#[test]
fn an_error_is_kept_with_its_cell() {
    check(
        &["x = { a = 1 + \"s\", b = 2 }", "x.b", "x.a", ":type x", "y = std.fail_with \"no\"", "y"],
        expect![[r#"
            > x = { a = 1 + "s", b = 2 }
            error: expected Number, found String [types/conflict] --> cfg[1]:1:15
            x : { a : Number, b : Number }
            > x.b
            2 : Number
            > x.a
            error: the right operand of `+` must be Number, but is String [value/type] --> cfg[1]:1:15
            > :type x
            { a : Number, b : Number }
            > y = std.fail_with "no"
            y : forall a. a
            > y
            error: no [value/failed] --> cfg[4]:1:5
        "#]],
    );
}

#[test]
fn nothing_is_evaluated_before_it_is_asked_for() {
    check(
        &["x = std.trace \"seen\" 1", "y = { a = x, b = x }", "y.a", "y.b"],
        expect![[r#"
        > x = std.trace "seen" 1
        x : Number
        > y = { a = x, b = x }
        y : { a : Number, b : Number }
        > y.a
        printed seen
        1 : Number
        > y.b
        1 : Number
    "#]],
    );
}

#[test]
fn queries() {
    check(
        &[
            "x | doc \"What it is\" | Number = 5",
            ":query x",
            "r = { port | Number | doc \"Where\" | default = 80, host } & { port | priority 5 = 8080 }",
            ":query r.port",
            ":q r.host",
            ":q r.prot",
            ":q r",
            ":q std.array.first",
            ":q 1 + 1",
        ],
        expect![[r#"
            > x | doc "What it is" | Number = 5
            x : Number
            > :query x
            • contract: Number
            • value: 5
            • documentation: What it is
            > r = { port | Number | doc "Where" | default = 80, host } & { port | priority 5 = 8080 }
            r : forall a. { host! : a, port : Number }
            > :query r.port
            • contract: Number
            • value: 8080
            • priority: 5
            • documentation: Where
            > :q r.host
            error: missing definition for `host` [value/missing-definition] --> cfg[2]:1:51
            > :q r.prot
            error: missing field `prot` [value/missing-field] --> cfg[2]:1:5
            > :q r
            • value: { host, port | priority 5 = 8080 }

            Available fields
            • host
            • port
            > :q std.array.first
            • type: forall a. Array a -> a
            • documentation: The first element. Fails on an empty array.
            > :q 1 + 1
            • value: 2
        "#]],
    );
}

#[test]
fn documentation() {
    check(
        &["x | doc \"What it is\" = 5", ":doc x", "r = { a | doc \"A field\" = 1 }", ":doc r.a", ":doc r", ":doc nope"],
        expect![[r#"
            > x | doc "What it is" = 5
            x : Number
            > :doc x
            x : Number

            What it is
            > r = { a | doc "A field" = 1 }
            r : { a : Number }
            > :doc r.a
            r.a : Number

            A field
            > :doc r
            r : { a : Number }

            No documentation.
            > :doc nope
            error: unbound name `nope` [scope/unbound] --> :doc:1:6
        "#]],
    );
}

#[test]
fn commands() {
    check(
        &[
            ":nope",
            ":tpye 1",
            ":qu",
            ":type",
            ":type 1 +",
            ":set type off",
            "1",
            ":set type",
            ":set typ maybe",
            ":set foo 1",
            ":quit",
        ],
        expect![[r#"
            > :nope
            error: no command `:nope` [command/unknown] = help: `:help` lists the commands
            > :tpye 1
            error: no command `:tpye` [command/unknown] = help: did you mean `:type`?
            > :qu
            error: `:qu` may mean `:query` or `:quit` [command/unknown]
            > :type
            error: of what? [command/usage] = help: usage: :type EXPRESSION
            > :type 1 +
            error: unexpected end of input [syntax/unexpected] --> :type:1:10
            > :set type off
            > 1
            1 : 
            > :set type
            type  off  :set  show the type behind a value (on, off)
            > :set typ maybe
            error: `maybe` is no value of `type`: on, off [command/usage] = help: usage: :set [OPTION [VALUE]]
            > :set foo 1
            error: no option `foo` [command/unknown-option] = help: `:set` lists the options
            > :quit
            quit
        "#]],
    );
}

#[test]
fn an_interrupt_leaves_the_session_whole() {
    let mut session = Session::new(Box::new(NoLoader));
    let interrupt = session.interrupt_handle();
    run(&mut session, &["x = 1"]);
    let stopper = std::thread::spawn(move || {
        for _ in 0..20 {
            std::thread::sleep(std::time::Duration::from_millis(20));
            interrupt.raise();
        }
    });
    let stopped = run(&mut session, &["let rec f = fun n => f (n + 1) in f 0"]);
    assert!(stopped.contains("[value/interrupted]"), "{stopped}");
    stopper.join().unwrap();
    assert_eq!(run(&mut session, &["x"]), "> x\n1 : Number\n");
}

#[test]
fn files_are_loaded_and_loaded_again() {
    let files = Files::default();
    files.write("lib/port.ncl", "{ number = 80 }");
    files.write(
        "main.ncl",
        "let p = import \"lib/port.ncl\" in { port = p.number, host | doc \"Where\" = \"here\", \"odd name\" = 1 }",
    );
    files.write("fun.ncl", "fun x => x + 1");
    files.write("data.json", "{ \"a\": [1, 2] }");
    files.write("bad.ncl", "{ a = ");
    files.write("circle.ncl", "{ a = (import \"circle.ncl\").b, b = 1 }");
    let mut session = Session::new(Box::new(files.clone()));
    let mut out = run(
        &mut session,
        &[
            ":load main.ncl",
            "port",
            ":q host",
            "url = \"%{host}:%{std.to_string port}\"",
            "url",
            ":load fun.ncl",
            "it 1",
            ":load \"data.json\"",
            "a",
            ":load bad.ncl",
            ":load none.ncl",
            "import \"none.ncl\"",
            "(import \"circle.ncl\").a",
            ":reload",
        ],
    );
    files.write("lib/port.ncl", "{ number = \"eighty\" }");
    out += &run(&mut session, &[":reload", "port"]);
    files.write("main.ncl", "{ host = 1 ");
    out += &run(&mut session, &[":reload", "host"]);
    files.write("main.ncl", "{ host = 1, new = 2 }");
    out += &run(&mut session, &[":reload", "host", "port"]);
    expect![[r#"
        > :load main.ncl
        host : String
        port : Number
        not bound, since no name is written so: "odd name"
        > port
        80 : Number
        > :q host
        • value: "here"
        • documentation: Where
        > url = "%{host}:%{std.to_string port}"
        url : String
        > url
        "here:80" : String
        > :load fun.ncl
        it : Number -> Number
        > it 1
        2 : Number
        > :load "data.json"
        a : Array Number
        > a
        [1, 2] : Array Number
        > :load bad.ncl
        error: unclosed brace `{` [syntax/unclosed] --> bad.ncl:1:1
        > :load none.ncl
        error: no file `none.ncl` [import/not-found]
        > import "none.ncl"
        error: no file `none.ncl` [import/not-found] --> cfg[6]:1:1
        > (import "circle.ncl").a
        1 : Dyn
        > :reload
        nothing changed on disk
        > :reload
        read again: `lib/port.ncl`
        changed: port : String  (was Number)
        > port
        "eighty" : String
        > :reload
        error: unclosed brace `{` [syntax/unclosed] --> main.ncl:1:1
        the files as they were before stay loaded
        > host
        "here" : String
        > :reload
        read again: `main.ncl`
        changed: host : Number  (was String)
        host : Number
        new : Number
        port is not bound any more
        > host
        1 : Number
        > port
        error: unbound name `port` [scope/unbound] --> cfg[11]:1:1
    "#]]
    .assert_eq(&out);
}

#[test]
fn completion() {
    let files = Files::default();
    files.write("main.ncl", "1");
    let mut session = Session::new(Box::new(files));
    run(&mut session, &["server = { host = \"h\", port = 80, \"odd name\" = 'On }", "serve = 1"]);
    let mut offered = |text: &str| {
        // the cursor stands at the bar
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

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(200))]
    /// Inputs that a cat may type: something comes of each, and the session goes on.
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
fn undo_and_redo_are_exact() {
    check(
        &[
            "x = 1",
            "y = x + 1",
            "y",
            "x = 2",
            "y",
            ":undo 2",
            "y",
            ":undo",
            "y",
            ":undo 3",
            ":undo",
            ":redo 2",
            "y",
            ":redo",
            ":undo 9",
            "y",
            ":undo x",
        ],
        expect![[r#"
            > x = 1
            x : Number
            > y = x + 1
            y : Number
            > y
            2 : Number
            > x = 2
            x : Number
            > y
            3 : Number
            > :undo 2
            undone: y
            undone: x = 2
            x : Number
            > y
            2 : Number
            > :undo
            undone: y
            > y
            2 : Number
            > :undo 3
            undone: y
            undone: y
            undone: y = x + 1
            y is not bound any more
            > :undo
            undone: x = 1
            x is not bound any more
            > :redo 2
            done again: x = 1
            done again: y = x + 1
            x : Number
            y : Number
            > y
            2 : Number
            > :redo
            nothing to do again
            > :undo 9
            undone: y
            undone: y = x + 1
            undone: x = 1
            y is not bound any more
            x is not bound any more
            > y
            error: unbound name `y` [scope/unbound] --> cfg[9]:1:1
            > :undo x
            error: how many inputs? a number from 1 [command/usage] = help: usage: :undo [N]
        "#]],
    );
}

#[test]
fn a_name_has_a_history() {
    check(
        &[
            ":diff",
            "x = { a = 1 }",
            "x = x & { b = 2 }",
            "x = 3",
            "1 + nope",
            "x",
            ":diff",
            ":diff 9",
            ":history x",
            ":history x.a",
            ":undo 2",
            ":history",
            ":history z",
            ":reset",
            "x",
            ":undo",
            "x",
            ":diff 1",
            ":reset",
            ":diff 1",
        ],
        expect![[r#"
            > :diff
            nothing is bound: nothing to compare; `:diff A B` compares two values
            > x = { a = 1 }
            x : { a : Number }
            > x = x & { b = 2 }
            x : { a : Number, b : Number }
            > x = 3
            x : Number
            > 1 + nope
            error: unbound name `nope` [scope/unbound] --> cfg[4]:1:5
            > x
            3 : Number
            > :diff
            no name means something else than after cell 4
            > :diff 9
            there is no cell 9 yet: nothing to compare with
            > :history x
            1  x = { a = 1 }      { a : Number }              read by the next
            2  x = x & { b = 2 }  { a : Number, b : Number }
            3  x = 3              Number                      now
            > :history x.a
            error: a name has a history, and its fields have that: `:history x` [command/usage] = help: usage: :history [NAME]
            > :undo 2
            undone: x
            undone: x = 3
            x : { a : Number, b : Number }
            > :history
            1  x = { a = 1 }
            2  x = x & { b = 2 }
            3  x = 3              undone
            5  x                  undone
            > :history z
            error: nothing is known of `z` [path/nothing-there]
            > :reset
            nothing is bound any more
            > x
            error: unbound name `x` [scope/unbound] --> cfg[6]:1:1
            > :undo
            undone: :reset
            > x
            { a = 1, b = 2 } : { a : Number, b : Number }
            > :diff 1
            + x.b  2                                          cfg[2]:1:15
            1 different, 1 field same
            > :reset
            nothing is bound any more
            > :diff 1
            - x  { a = 1 }                                    cfg[1]:1:1
            1 different, 0 fields same
        "#]],
    );
}

#[test]
fn a_saved_session_loads_to_the_same_state() {
    let files = Files::default();
    files.write("app.cfg", "{ port = 80, host = \"a\" }");
    let mut session = Session::new(Box::new(files.clone()));
    run(
        &mut session,
        &[
            ":load app.cfg",
            "nope",
            "x = { a = port }",
            "x = x & { b = 2 }",
            "%%jsonnet\nlocal j = x + { c: 'c' }",
            "1 + 1",
            "x.a",
            "gone = 1",
            ":undo",
            "z = $5 + it",
            ":save s.session",
            ":save app.cfg",
        ],
    );
    let asked = ["x", "j", "z", "$5", "it", ":query x.b", ":env", ":history x", ":history"];
    let mut again = Session::new(Box::new(files));
    assert_eq!(
        run(&mut again, &[":load s.session"]),
        "> :load s.session\nhost : String\nport : Number\nx : { a : Number }\nx : { a : Number, b : Number }\n\
         j ∈ {a ∈ number, b ∈ number, c ∈ string}\nz : Number\n"
    );
    assert_eq!(run(&mut again, &asked), run(&mut session, &asked));
    run(&mut again, &[":undo 6"]);
    assert_eq!(run(&mut again, &[":env"]), "> :env\nnothing is bound but `std`\n");
}

#[test]
fn a_saved_session_keeps_commands_of_ones_own_and_what_they_did() {
    let files = Files::default();
    let mut session = Session::new(Box::new(files.clone()));
    run(
        &mut session,
        &[
            ":set ext-str env=prod",
            "1",
            ":def keys = std.record.fields",
            ":keys { a = 1, b = 2 }",
            "first = std.array.first $2",
            ":def keys = std.record.values",
            ":reset",
            ":undo",
            ":save s.session",
        ],
    );
    let mut again = Session::new(Box::new(files.clone()));
    let expected = "> :load s.session\nfirst : String\n";
    assert_eq!(run(&mut again, &[":load s.session"]), expected);
    let asked = ["first", "$2", ":def", ":keys { a = 3 }", ":set ext-str"];
    assert_eq!(run(&mut again, &asked), run(&mut session, &asked));
    // an empty session has its options, and a file of it has them too
    run(&mut session, &[":reset", ":save empty.session"]);
    let mut empty = Session::new(Box::new(files));
    run(&mut empty, &[":load empty.session"]);
    let asked = [":def", ":set ext-str", ":env"];
    assert_eq!(run(&mut empty, &asked), run(&mut session, &asked));
}

#[test]
fn a_stale_result_is_marked() {
    check(
        &["x = 1", "y = x + 1", "y", "it", "x = 5", "it + 1", "z = $3", "x", "it", ":undo 5", "it"],
        expect![[r#"
        > x = 1
        x : Number
        > y = x + 1
        y : Number
        > y
        2 : Number
        > it
        2 : Number
        > x = 5
        x : Number
        > it + 1
        note: `$4` was computed before `x` was defined again [session/stale] --> cfg[6]:1:1
        3 : Number
        > z = $3
        note: `$3` was computed before `x` was defined again [session/stale] --> cfg[7]:1:5
        z : Number
        > x
        5 : Number
        > it
        5 : Number
        > :undo 5
        undone: it
        undone: x
        undone: z = $3
        undone: it + 1
        undone: x = 5
        z is not bound any more
        x : Number
        > it
        2 : Number
    "#]],
    );
}

#[test]
fn a_number_without_a_result_is_told_what_it_was() {
    let mut session = Session::new(Box::new(NoLoader));
    for (input, help) in [
        ("x = 1", ""),
        ("$1 + 1", "= help: input 1 has no result: it defined `x`; write that"),
        ("$2", "= help: no input 2 with a result is there"),
        ("x = 2", ""),
        (":type $1", "= help: input 1 defined `x`, which has been defined anew since: `:history x`"),
        ("%%jsonnet\n$4", "= help: input 4 has no result: it defined `x`; write that"),
        ("$77", "= help: no input 77 with a result is there"),
    ] {
        let shown: String = session
            .submit(input)
            .into_iter()
            .filter_map(|event| match event {
                Event::Diagnostic { report, .. } => Some(report.text()),
                _ => None,
            })
            .collect();
        assert!(shown.contains(help), "{input}: {shown}");
    }
}

#[test]
fn a_secret_that_fails_says_so_and_nothing_of_its_value() {
    let mut session = Session::new(Box::new(NoLoader));
    for (input, fails) in [
        ("{ pw | secret = \"sesame\" } & { pw = \"sesame2\" }", "cannot be merged on field `pw`"),
        ("{ pw | secret | std.contract.from_predicate (fun x => x == \"a\") = \"sesame\" }", "contract broken"),
        (
            "{ k | secret = { c | default = 1 } & { c | std.contract.from_predicate (fun x => x == 1) = \"sesame\" } }",
            "`k.c`",
        ),
        ("it.k.c", "`k.c`"),
    ] {
        let shown: Vec<String> = session
            .submit(input)
            .into_iter()
            .map(|event| match event {
                Event::Value { value, .. } => value.text(),
                Event::Diagnostic { report, .. } => report.text(),
                other => format!("{other:?}"),
            })
            .collect();
        let shown = shown.concat();
        assert!(shown.contains(fails) && !shown.contains("sesame"), "{input}: {shown}");
    }
}

#[test]
fn a_path_to_a_secret_is_masked_as_its_record_is() {
    check(
        &[
            "s = { token | secret = \"x\", inner | secret = { a = 1 }, open = 1 }",
            "s.token",
            "it",
            "s.inner.a",
            "t = s.token",
            "t",
            "s.open",
            "s.token ++ \"y\"",
        ],
        expect![[r#"
            > s = { token | secret = "x", inner | secret = { a = 1 }, open = 1 }
            s : { inner : { a : Number }, open : Number, token : String }
            > s.token
            <secret> : String
            > it
            <secret> : String
            > s.inner.a
            <secret> : Number
            > t = s.token
            t : String
            > t
            <secret> : String
            > s.open
            1 : Number
            > s.token ++ "y"
            "xy" : String
        "#]],
    );
}

#[test]
fn a_file_that_comes_to_be_is_found_when_it_is_asked_for_again() {
    let files = Files::default();
    let mut session = Session::new(Box::new(files.clone()));
    let mut says = |input: &str| shown(session.submit(input));
    let missing = "error: no file `late.cfg` [import/not-found]";
    assert!(says("a = import \"late.cfg\"").starts_with(missing));
    says("b = a.z");
    assert!(says(":load late.cfg").starts_with(missing));
    files.write("late.cfg", "{ z = 1 }");
    // nothing moves before somebody asks for a file
    assert!(says("b").starts_with(missing));
    // what read it follows, and is told of; the name that the input binds is told once
    let found = "there now: `late.cfg`";
    assert_eq!(
        says("a = import \"late.cfg\""),
        format!("{found}\nchanged: b : Number  (was forall a. a)\na : {{ z : Number }}")
    );
    assert_eq!(says("b"), "1 : Number");
    // undo goes back to when it was not there, for all that read it
    says(":undo 2");
    assert!(says("b").starts_with(missing));
    assert_eq!(
        says(":type import \"late.cfg\""),
        format!("{found}\na : {{ z : Number }}\nchanged: b : Number  (was forall a. a)\n{{ z : Number }}")
    );
    says(":undo");
    assert_eq!(
        says(":load late.cfg"),
        format!("{found}\na : {{ z : Number }}\nchanged: b : Number  (was forall a. a)\nz : Number")
    );
    assert_eq!(says("b + z"), "2 : Number");
}

#[test]
fn a_menu_shows_the_beginning_of_a_long_type() {
    let mut session = Session::new(Box::new(Files::default()));
    let fields: Vec<String> = (0..2000).map(|n| format!("field_{n} = {n}")).collect();
    session.submit(&format!("big = {{ {} }}", fields.join(", ")));
    let found = session.complete("bi", 2);
    let ty = found.iter().find(|candidate| candidate.text == "big").and_then(|candidate| candidate.ty.clone()).unwrap();
    assert!(ty.starts_with("{ field_0 : Number, ") && ty.chars().count() <= 400, "{ty}");
}
