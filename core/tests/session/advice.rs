//! The advice in reports of the prompt: unbound names of cells with errors, commands with a wrong argument, and one report for each fault.

use cfg_core::{Event, InMemory, Session};
use expect_test::{Expect, expect};

/// Checks the whole reports and answers of the inputs after the first ones.
#[track_caller]
fn advises(before: &[&str], inputs: &[&str], expected: Expect) {
    let files = InMemory::default();
    for (name, text) in [
        ("list.json", "[1, 2, 3]"),
        ("num.cfg", "42"),
        ("empty.cfg", "{}"),
        ("odd.json", "{\"a b\": 1}"),
        ("ok.cfg", "{ ok = 1 }"),
    ] {
        files.put(name, text);
    }
    let mut session = Session::new(Box::new(files));
    for input in before {
        let events = session.submit(input);
        assert!(!input.is_empty() && !events.is_empty(), "{input}");
    }
    let mut out = String::new();
    for input in inputs {
        out += &format!("> {input}\n");
        for event in session.submit(input) {
            out += &match event {
                Event::Value { value, .. } => value.text(),
                Event::Bound(text) | Event::Answer(text) | Event::View { text, .. } => text.text(),
                Event::Steps { pages, footer, .. } => Event::text(&pages, &footer).text(),
                Event::Diagnostic { report, .. } => report.text().trim_end().to_string(),
                Event::Output(_) | Event::Quit => String::new(),
            };
            out.push('\n');
        }
    }
    expected.assert_eq(&out);
}

const BASE: [&str; 2] = [
    "base = { server = { host = \"a\", port | default = 80, url = \"http://%{host}\" }, pw | secret = \"hunter2\" }",
    "prod = base & { server.port = 443 }",
];

#[test]
fn a_name_whose_cell_has_an_error() {
    advises(
        &["base = { port = 80 | default, host = 1 }", "x = zork + 1", "y = 1", ":undo", "y = = 2"],
        &["base & { port = 443 }", ":type x", "y", "other"],
        expect![[r#"
            > base & { port = 443 }
            error: unbound name `base` [scope/unbound]
             --> cfg[5]:1:1
              |
            1 | base & { port = 443 }
              | ^^^^ nothing of this name is in scope
              |
              = note: `cfg[1]` defines `base`, but has an error, so it bound nothing: enter it again
            > :type x
            error: unbound name `x` [scope/unbound]
             --> :type:1:7
              |
            1 | :type x
              |       ^ nothing of this name is in scope
              |
              = note: `cfg[2]` defines `x`, but has an error, so it bound nothing: enter it again
              = help: a name is bound first: `x = …`
            > y
            error: unbound name `y` [scope/unbound]
             --> cfg[6]:1:1
              |
            1 | y
              | ^ nothing of this name is in scope
              |
              = note: `cfg[4]` defines `y`, but has an error, so it bound nothing: enter it again
              = help: a name is bound first: `y = …`
              = help: `:redo` brings back `y`, which was undone
            > other
            error: unbound name `other` [scope/unbound]
             --> cfg[7]:1:1
              |
            1 | other
              | ^^^^^ nothing of this name is in scope
              |
              = help: a text is in quotes, `"other"`; a name is bound first: `other = …`
        "#]],
    );
}

#[test]
fn one_report_for_one_call() {
    advises(
        &["mk = fun { name, port } => { url = name }", "xs = [1, 2]"],
        &[
            "mk \"web\" 80",
            "[mk \"web\", mk { name = 1, port = 2 } 3]",
            "std.array.fold_left 0 (fun acc x => acc + x) xs",
            "{ sum = std.array.fold_left 0 (fun acc x => acc + x) xs }",
            "(std.array.fold_left \"pw\" (fun acc x => acc ++ x) [1, 2]) ++ \"a\"",
            "{ pw | secret = std.array.fold_left \"hunter2\" (fun acc x => acc ++ x) [\"a\"] }",
        ],
        expect![[r#"
            > mk "web" 80
            error: expected { name : a, port : b }, found String [types/conflict]
             --> cfg[3]:1:4
              |
            1 | mk "web" 80
              | -- ^^^^^ this is String
              | |
              | `mk` takes { name : a, port : b } as its first argument
            > [mk "web", mk { name = 1, port = 2 } 3]
            error: expected { name : a, port : b }, found String [types/conflict]
             --> cfg[4]:1:5
              |
            1 | [mk "web", mk { name = 1, port = 2 } 3]
              |  -- ^^^^^ this is String
              |  |
              |  `mk` takes { name : a, port : b } as its first argument
            [
              <error: the pattern does not fit "web">,
              <error: too many arguments: the function takes 1, and here are 2>,
            ]
            error: too many arguments: the function takes 1, and here are 2 [value/not-a-function]
             --> cfg[4]:1:38
              |
            1 | [mk "web", mk { name = 1, port = 2 } 3]
              |                                      ^ one too many: with 1, the result is a Record
             ::: cfg[1]:1:10
              |
            1 | mk = fun { name, port } => { url = name }
              |          -------------- the function
             ::: cfg[4]:1:12
              |
            1 | [mk "web", mk { name = 1, port = 2 } 3]
              |            --------------------------- in this call
              |
              = help: remove the further arguments, or add a parameter to the function
            > std.array.fold_left 0 (fun acc x => acc + x) xs
            error: the first and the second argument of `fold_left` seem to be exchanged [types/call]
             --> cfg[5]:1:21
              |
            1 | std.array.fold_left 0 (fun acc x => acc + x) xs
              |                     ^  -------------------- this is a function
              |                     |
              |                     this is a Number
              |
              = help: write `std.array.fold_left (fun acc x => acc + x) 0 xs`
            > { sum = std.array.fold_left 0 (fun acc x => acc + x) xs }
            error: the first and the second argument of `fold_left` seem to be exchanged [types/call]
             --> cfg[6]:1:29
              |
            1 | { sum = std.array.fold_left 0 (fun acc x => acc + x) xs }
              |                             ^  -------------------- this is a function
              |                             |
              |                             this is a Number
              |
              = help: write `std.array.fold_left (fun acc x => acc + x) 0 xs`
            {
              sum = <error: argument 1 of `std.array.fold_left` must be Function, but is Number>,
            }
            > (std.array.fold_left "pw" (fun acc x => acc ++ x) [1, 2]) ++ "a"
            error: the first and the second argument of `fold_left` seem to be exchanged [types/call]
             --> cfg[7]:1:22
              |
            1 | (std.array.fold_left "pw" (fun acc x => acc ++ x) [1, 2]) ++ "a"
              |                      ^^^^  --------------------- this is a function
              |                      |
              |                      this is a String
              |
              = help: write `std.array.fold_left (fun acc x => acc ++ x) "pw" [1, 2]`
            > { pw | secret = std.array.fold_left "hunter2" (fun acc x => acc ++ x) ["a"] }
            error: the first and the second argument of `fold_left` seem to be exchanged [types/call]
             --> cfg[8]:1:37
              |
            1 | ...fold_left <secret> (fun acc x => acc ++ x) [<secret>] }
              |              ^^^^^^^^  --------------------- this is a function
              |              |
              |              this is a String
              |
              = help: `fold_left` takes them in this order: (a -> b -> a) -> a -> Array b -> a
            {
              pw = <error: argument 1 of `std.array.fold_left` must be Function, but is String>,
            }
        "#]],
    );
}

#[test]
fn a_path_into_a_merged_value() {
    advises(
        &BASE,
        &[
            ":why prod.sever.port",
            ":steps prod.server.url",
            ":steps prod.server.port",
            ":steps prod.pw",
            ":steps base.server.port",
        ],
        expect![[r#"
            > :why prod.sever.port
            no field `sever`

              1  { server = { host = "a", port | def…  has pw, server  cfg[1]:1:8
              2  { server.port = 443 }                 has server      cfg[2]:1:15
              3  prod.sever.port                       reads `sever`   :why:1:6
                 they meet in the merge  base & { server.port = 443 }  cfg[2]:1:8
              +  3 more steps: how it got here  (`:why 1`)

              nearest fix: :why:1:11  sever -> server
            > :steps prod.server.url
            step 1 of 1: base & { server.port = 443 }   1 field unchanged, 0 shown

            result: "http://a".  `:explain <path>` for one field.
            > :steps prod.server.port
            step 1 of 1: base & { server.port = 443 }   0 fields unchanged, 1 shown

              server.port  80 default  &  443 normal  =>  443  normal beats default

            result: 443.  `:explain <path>` for one field.
            > :steps prod.pw
            step 1 of 1: base & { server.port = 443 }   1 field unchanged, 0 shown

            result: <secret>.  `:explain <path>` for one field.
            > :steps base.server.port
            nothing is merged here: no `&`, no `+` of objects, no list of files
            result: 80.
        "#]],
    );
}

#[test]
fn a_change_that_is_suggested_can_be_tried() {
    advises(
        &BASE,
        &[
            ":whatif prod.server.port",
            ":whatif prod.server.port 8080",
            ":whatif prod.server.port = \"x",
            ":whatif prod.server.port value 2 \"x",
            ":whatif prod.server.port = zork",
            ":whatif prod.server.prt = 1",
            ":whatif prod.server.port.x = 1",
            ":whatif prod.server.port & 3",
            ":whatif prod.pw = \"hunter2",
            ":whatif prod.pw = 2",
            ":whatif prod.server.port value 1 1, off 2",
        ],
        expect![[r#"
            > :whatif prod.server.port
            error: `:whatif` needs a change after `prod.server.port`: off, priority or value, and the number of a definition that `:explain prod.server.port` lists [command/usage]
             = help: usage: :whatif PATH (off N | priority N default|normal|force|NUMBER | value N EXPRESSION), …
             = help: for example `:whatif prod.server.port off 1`; `:help whatif` explains it
            > :whatif prod.server.port 8080
            error: `:whatif` needs a change after `prod.server.port`: off, priority or value, and the number of a definition that `:explain prod.server.port` lists [command/usage]
             = help: did you mean `:whatif prod.server.port value 1 8080`?
             = help: usage: :whatif PATH (off N | priority N default|normal|force|NUMBER | value N EXPRESSION), …
             = help: `:help whatif` shows an example
            > :whatif prod.server.port = "x
            error: unclosed string [syntax/unclosed]
             --> :whatif:1:28
              |
            1 | :whatif prod.server.port = "x
              |                            ^ opened here, never closed
              |
              = help: end it with `"`; a string of several lines is written `m%"…"%`
              = help: `:whatif prod.server.port value 1 EXPRESSION` gives the definition another value
            > :whatif prod.server.port value 2 "x
            error: unclosed string [syntax/unclosed]
             --> :whatif:1:34
              |
            1 | :whatif prod.server.port value 2 "x
              |                                  ^ opened here, never closed
              |
              = help: end it with `"`; a string of several lines is written `m%"…"%`
              = help: `:whatif prod.server.port value 1 EXPRESSION` gives the definition another value
            > :whatif prod.server.port = zork
            error: the new value of definition 1 reads `zork`, and there is nothing of this name at cfg[2]:1:31 [command/usage]
            > :whatif prod.server.prt = 1
            error: missing field `prt` [value/missing-field]
             --> cfg[1]:1:19
              |
            1 | ...er = { host = "a", port | default = 80, url = "http://%{host}" }, pw |...
              |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ this record has no such field
              |
              = help: did you mean `port`?
            > :whatif prod.server.port.x = 1
            error: Number has no field `x` [types/conflict]
             --> :whatif:1:9
              |
            1 | :whatif prod.server.port.x
              |         ^^^^^^^^^^^^^^^^^^ this is Number
              |
              = note: only a record has a field `x`
              = help: the functions of numbers are in `std.number`: `std.number.abs n`
            > :whatif prod.server.port & 3
            error: `:whatif` needs a change after `prod.server.port`: off, priority or value, and the number of a definition that `:explain prod.server.port` lists [command/usage]
             = help: usage: :whatif PATH (off N | priority N default|normal|force|NUMBER | value N EXPRESSION), …
             = help: for example `:whatif prod.server.port off 1`; `:help whatif` explains it
            > :whatif prod.pw = "hunter2
            error: the field is a secret [command/usage]
            > :whatif prod.pw = 2
            error: the field is a secret [command/usage]
            > :whatif prod.server.port value 1 1, off 2
            error: unexpected `,` [syntax/unexpected]
             --> :whatif:1:35
              |
            1 | :whatif prod.server.port value 1 1, off 2
              |                                   ^ expected an operator or the end
              |
              = help: a value is the rest of the line: it is the last change
              = help: `:whatif prod.server.port value 1 EXPRESSION` gives the definition another value
        "#]],
    );
}

#[test]
fn a_cell_that_does_not_exist() {
    advises(
        &[],
        &[":diff 1"],
        expect![[r#"
        > :diff 1
        error: there is no cell 1: there are no cells yet [command/usage]
         = help: usage: :diff A B | N [M]
         = help: for example `:diff { a = 1, b = 2 } { a = 1, b = 3 }`; `:help diff` explains it
    "#]],
    );
    advises(
        &BASE,
        &[":diff 7", ":diff 0 9"],
        expect![[r#"
        > :diff 7
        error: there is no cell 7 yet: the last one is 2 [command/usage]
         = help: usage: :diff A B | N [M]
         = help: for example `:diff 1`; `:help diff` explains it
        > :diff 0 9
        error: there is no cell 9 yet: the last one is 2 [command/usage]
         = help: usage: :diff A B | N [M]
         = help: for example `:diff 1`; `:help diff` explains it
    "#]],
    );
}

#[test]
fn a_file_that_binds_nothing() {
    advises(
        &["x = 1"],
        &[":load list.json", ":load num.cfg", ":load empty.cfg", ":load odd.json", ":load ok.cfg"],
        expect![[r#"
            > :load list.json
            it : Array Number
            `list.json` is not a record, so it binds no names: its value is `it`; `NAME = it` gives it a name
            > :load num.cfg
            it : Number
            `num.cfg` is not a record, so it binds no names: its value is `it`; `NAME = it` gives it a name
            > :load empty.cfg
            it : {}
            `empty.cfg` has no fields, so it binds no names: its value is `it`; `NAME = it` gives it a name
            > :load odd.json
            it : { "a b" : Number }
            `odd.json` has no fields whose names can be bound, so it binds no names: its value is `it`; `NAME = it` gives it a name
            > :load ok.cfg
            ok : Number
        "#]],
    );
}

#[test]
fn a_value_is_not_saved() {
    advises(
        &BASE,
        &[
            ":save prod out.json",
            ":save prod.server out.yaml",
            ":save out.json prod",
            ":save prod = \"hunter2\"",
            ":save my session.cfg",
            ":save \"prod out.json\"",
        ],
        expect![[r#"
            > :save prod out.json
            error: `:save` takes a file alone: it saves the inputs of the session, and not the value of `prod` [command/usage]
             = help: `:show json prod` shows the value, to copy it into a file; for a file with a blank in its name: `:save "prod out.json"`
            > :save prod.server out.yaml
            error: `:save` takes a file alone: it saves the inputs of the session, and not the value of `prod.server` [command/usage]
             = help: `:show yaml prod.server` shows the value, to copy it into a file; for a file with a blank in its name: `:save "prod.server out.yaml"`
            > :save out.json prod
            error: `:save` takes a file alone: it saves the inputs of the session, and not the value of `prod` [command/usage]
             = help: `:show json prod` shows the value, to copy it into a file; for a file with a blank in its name: `:save "out.json prod"`
            > :save prod = "hunter2"
            error: `:save` takes a file alone: it saves the inputs of the session, and not the value of `prod` [command/usage]
             = help: `:show json prod` shows the value, to copy it into a file
            > :save my session.cfg
            saved 2 inputs in my session.cfg; one of them has a secret, and the file has the text <secret> in its place
            > :save "prod out.json"
            saved 2 inputs in prod out.json; one of them has a secret, and the file has the text <secret> in its place
        "#]],
    );
}

#[test]
fn options_of_the_command_line() {
    advises(
        &["x = 1"],
        &[":set strict yes", ":set --format yaml", ":set nosuch 1", ":set widht 3"],
        expect![[r#"
        > :set strict yes
        error: no option `strict` [command/unknown-option]
         = help: `:set` lists the options
         = help: `cfg check --strict FILE` counts warnings as errors
        > :set --format yaml
        error: no option `--format` [command/unknown-option]
         = help: `:set` lists the options
         = help: `:show yaml EXPRESSION` shows a value in a format
        > :set nosuch 1
        error: no option `nosuch` [command/unknown-option]
         = help: `:set` lists the options
        > :set widht 3
        error: no option `widht` [command/unknown-option]
         = help: did you mean `width`?
         = help: `:set` lists the options
    "#]],
    );
}

#[test]
fn what_is_suggested_exists() {
    advises(
        &BASE,
        &[
            ":print base.server.nope",
            ":tyep base.server",
            ":tyep base.nope",
            ":open ok.cfg",
            ":open nosuch.cfg",
            ":deps --usedby base.server",
            ":deps --usedby base.nope",
            ":show base.server",
            ":show base.nope",
            ":show tabel nope",
            ":load x = nosuch.cfg",
        ],
        expect![[r#"
            > :print base.server.nope
            error: no field `nope` [types/missing-field]
             --> :force:1:8
              |
            1 | :print base.server.nope
              |        ^^^^^^^^^^^^^^^^ the record here is { host : String, port : Number, url : String }
            > :tyep base.server
            error: no command `:tyep` [command/unknown]
             = help: did you mean `:type base.server`?
             = help: `:help` lists the commands
            > :tyep base.nope
            error: no command `:tyep` [command/unknown]
             = help: did you mean `:type`?
             = help: `:help` lists the commands
            > :open ok.cfg
            error: no command `:open` [command/unknown]
             = help: did you mean `:load ok.cfg`?
             = help: `:help` lists the commands
            > :open nosuch.cfg
            error: no command `:open` [command/unknown]
             = help: did you mean `:load`?
             = help: `:help` lists the commands
            > :deps --usedby base.server
            error: `:deps` has no option `--usedby` [command/usage]
             = help: did you mean `:deps --used-by base.server`?
             = help: usage: :deps [--used-by] PATH
             = help: `:help deps` shows an example
            > :deps --usedby base.nope
            error: `:deps` has no option `--usedby` [command/usage]
             = help: did you mean `:deps --used-by PATH`?
             = help: usage: :deps [--used-by] PATH
             = help: `:help deps` shows an example
            > :show base.server
            error: `:show` needs a form before the expression: table, tree, json or yaml [command/usage]
             = help: did you mean `:show tree base.server`?
             = help: usage: :show table|tree|json|yaml EXPRESSION
             = help: `:help show` shows an example
            > :show base.nope
            error: `:show` needs a form before the expression: table, tree, json or yaml [command/usage]
             = help: did you mean `:show tree EXPRESSION`?
             = help: usage: :show table|tree|json|yaml EXPRESSION
             = help: `:help show` shows an example
            > :show tabel nope
            error: `tabel` is not a form of `:show`: expected table, tree, json or yaml [command/usage]
             = help: did you mean `:show table EXPRESSION`?
             = help: usage: :show table|tree|json|yaml EXPRESSION
             = help: `:help show` shows an example
            > :load x = nosuch.cfg
            error: `:load` takes a file alone: it binds the fields of the file by their own names [command/usage]
             = help: did you mean `:load FILE`?
             = help: usage: :load FILE
             = help: `:help load` shows an example
        "#]],
    );
}

#[test]
fn the_dependencies_of_a_record() {
    advises(
        &BASE,
        &[":deps base", ":deps --used-by base.server", ":deps base.server.port", ":deps { a = 1 }"],
        expect![[r#"
        > :deps base
        base   cfg[1]:1:8
        It reads nothing outside of itself. One of its fields: `:deps base.server`; all: `:graph base`
        > :deps --used-by base.server
        base.server   cfg[1]:1:19
        Nothing outside of it reads it. One of its fields: `:deps --used-by base.server.host`; all: `:graph base.server`
        > :deps base.server.port
        base.server.port   cfg[1]:1:50 default
        It reads nothing: only its own text can change this value.
        > :deps { a = 1 }
        the whole
        It reads nothing outside of itself.
    "#]],
    );
}

#[test]
fn an_element_that_does_not_exist() {
    advises(
        &["x = { tags = [\"a\"], two = [1, 2] }"],
        &[":query x.tags[3]", ":query x.two[3]", "std.array.at 3 x.two"],
        expect![[r#"
        > :query x.tags[3]
        error: no element `[3]`: it has 1 element, `[0]` [value/undefined]
         = help: the only element has the index `[0]`
        > :query x.two[3]
        error: no element `[3]`: it has 2 elements, `[0]` to `[1]` [value/undefined]
         = help: the last element has the index `[1]`
        > std.array.at 3 x.two
        error: std.array.at: no element 3: the array has 2 elements, numbered from 0 to 1 [value/undefined]
         --> cfg[2]:1:1
          |
        1 | std.array.at 3 x.two
          | ^^^^^^^^^^^^^^^^^^^^
          |
          = help: `std.array.at_or n default array` has a result for every index; `std.array.length` is the number of elements
    "#]],
    );
}
