//! Files that are loaded, imported, changed and loaded again.

use super::{run, shown};
use cfg_core::loader::InMemory;
use cfg_core::session::Session;
use expect_test::expect;

#[test]
fn files_are_loaded_and_loaded_again() {
    let files = InMemory::default();
    files.put("lib/port.ncl", "{ number = 80 }");
    files.put(
        "main.ncl",
        "let p = import \"lib/port.ncl\" in { port = p.number, host | doc \"Where\" = \"here\", \"odd name\" = 1 }",
    );
    files.put("fun.ncl", "fun x => x + 1");
    files.put("data.json", "{ \"a\": [1, 2] }");
    files.put("bad.ncl", "{ a = ");
    files.put("circle.ncl", "{ a = (import \"circle.ncl\").b, b = 1 }");
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
    files.put("lib/port.ncl", "{ number = \"eighty\" }");
    out += &run(&mut session, &[":reload", "port"]);
    files.put("main.ncl", "{ host = 1 ");
    out += &run(&mut session, &[":reload", "host"]);
    files.put("main.ncl", "{ host = 1, new = 2 }");
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
fn a_file_that_comes_to_be_is_found_when_it_is_asked_for_again() {
    let files = InMemory::default();
    let mut session = Session::new(Box::new(files.clone()));
    let mut says = |input: &str| shown(session.submit(input));
    let missing = "error: no file `late.cfg` [import/not-found]";
    assert!(says("a = import \"late.cfg\"").starts_with(missing));
    says("b = a.z");
    assert!(says(":load late.cfg").starts_with(missing));
    files.put("late.cfg", "{ z = 1 }");
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
fn a_field_of_imported_layers_is_found_in_all_of_them() {
    let files = InMemory::default();
    files.put("base.yaml", "server:\n  port: 80\n");
    files.put("prod.json", "{ \"server\": { \"port\": 443 } }");
    let mut session = Session::new(Box::new(files));
    expect![[r#"
        > base | rec default = import "base.yaml"
        base : { server : { port : Number } }
        > all = base & (import "prod.json") & { server.host = "a" }
        all : { server : { host : String, port : Number } }
        > :info all.server.port
        all.server.port : Number
        defined at base.yaml:2:3: port: 80
        and at prod.json:1:15: "port": 443
        known so far: _
    "#]]
    .assert_eq(&run(
        &mut session,
        &[
            "base | rec default = import \"base.yaml\"",
            "all = base & (import \"prod.json\") & { server.host = \"a\" }",
            ":info all.server.port",
        ],
    ));
}
