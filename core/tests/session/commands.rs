//! `:query`, `:doc`, and behaviour that all commands share.

use super::check;
use cfg_core::{Event, NoLoader, Session};
use expect_test::expect;

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
            error: no command `:tpye` [command/unknown] = help: did you mean `:type 1`?
            > :qu
            error: `:qu` may mean `:query` or `:quit` [command/unknown]
            > :type
            error: `:type` needs an expression [command/usage] = help: usage: :type EXPRESSION
            > :type 1 +
            error: unexpected end of input [syntax/unexpected] --> :type:1:10
            > :set type off
            > 1
            1
            > :set type
            type  off  :set  show the type after a value (on, off)
            > :set typ maybe
            error: no option `typ` [command/unknown-option] = help: did you mean `type`?
            > :set foo 1
            error: no option `foo` [command/unknown-option] = help: `:set` lists the options
            > :quit
            quit
        "#]],
    );
}

#[test]
fn an_error_in_a_secret_does_not_show_its_value() {
    let mut session = Session::new(Box::new(NoLoader));
    for (input, fails) in [
        ("{ pw | secret = \"sesame\" } & { pw = \"sesame2\" }", "the values of `pw` cannot be merged"),
        (
            "{ pw | secret | std.contract.from_predicate (fun x => x == \"a\") = \"sesame\" }",
            "`pw` breaks its contract",
        ),
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
            <secret> : String
        "#]],
    );
}

#[test]
fn inputs_that_look_like_commands_get_a_hint() {
    check(
        &[
            "help",
            "type 1 + 1",
            "load a.ncl",
            "exit()",
            "std.array.map?",
            "?std.array",
            "nothing?",
            "1 + help",
            "%%jsonnet\nexit",
        ],
        expect![[r#"
            > help
            error: unbound name `help` [scope/unbound] --> cfg[1]:1:1
            a command begins with a colon: `:help`
            > type 1 + 1
            error: unbound name `type` [scope/unbound] --> cfg[2]:1:1
            a command begins with a colon: `:type 1 + 1`
            > load a.ncl
            error: unbound name `load` [scope/unbound] --> cfg[3]:1:1
            > exit()
            error: unexpected `)` [syntax/unexpected] --> cfg[4]:1:6
            a command begins with a colon: `:exit`
            > std.array.map?
            error: unexpected `?` [syntax/unexpected] --> cfg[5]:1:14
            `:info std.array.map` shows what is known about it
            > ?std.array
            error: unexpected `?` [syntax/unexpected] --> cfg[6]:1:1
            `:info std.array` shows what is known about it
            > nothing?
            error: unexpected `?` [syntax/unexpected] --> cfg[7]:1:8
            > 1 + help
            error: unbound name `help` [scope/unbound] --> cfg[8]:1:5
            > %%jsonnet
            exit
            error: unknown variable: exit [scope/unbound] --> cfg[9]:2:1
            a command begins with a colon: `:exit`
        "#]],
    );
}
