//! Files that are loaded, imported, changed and loaded again.

use super::{run, shown};
use cfg_core::{InMemory, Loader, Session};
use expect_test::expect;
use std::io;
use std::path::{Path, PathBuf};

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
        not bound, because these are not valid names: "odd name"
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
        `fun.ncl` is not a record, so it binds no names: its value is `it`; `NAME = it` gives it a name
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
        the earlier versions of the files stay loaded
        > host
        "here" : String
        > :reload
        read again: `main.ncl`
        changed: host : Number  (was String)
        host : Number
        new : Number
        port is no longer bound
        > host
        1 : Number
        > port
        error: unbound name `port` [scope/unbound] --> cfg[11]:1:1
    "#]]
    .assert_eq(&out);
}

#[test]
fn a_new_file_is_found_when_it_is_read_again() {
    let files = InMemory::default();
    let mut session = Session::new(Box::new(files.clone()));
    let mut says = |input: &str| shown(session.submit(input));
    let missing = "error: no file `late.cfg` [import/not-found]";
    assert!(says("a = import \"late.cfg\"").starts_with(missing));
    says("b = a.z");
    assert!(says(":load late.cfg").starts_with(missing));
    files.put("late.cfg", "{ z = 1 }");
    // nothing changes before a file is read
    assert!(says("b").starts_with(missing));
    // dependents are updated and reported; the name that the input binds is reported once
    let found = "there now: `late.cfg`";
    assert_eq!(
        says("a = import \"late.cfg\""),
        format!("{found}\nchanged: b : Number  (was Dyn)\na : {{ z : Number }}")
    );
    assert_eq!(says("b"), "1 : Number");
    // undo returns to the state without the file, for all its dependents
    says(":undo");
    assert!(says("b").starts_with(missing));
    assert_eq!(
        says(":type import \"late.cfg\""),
        format!("{found}\na : {{ z : Number }}\nchanged: b : Number  (was Dyn)\n{{ z : Number }}")
    );
    says(":undo");
    assert_eq!(
        says(":load late.cfg"),
        format!("{found}\na : {{ z : Number }}\nchanged: b : Number  (was Dyn)\nz : Number")
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

/// Files in memory, where `JSONNET_PATH` is this.
struct Environment(InMemory, &'static str);

impl Loader for Environment {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.0.read(path)
    }
    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.0.canonical(path)
    }
    fn env(&self, name: &str) -> Option<String> {
        (name == "JSONNET_PATH").then(|| String::from(self.1))
    }
    fn list(&self, path: &Path) -> Vec<String> {
        self.0.list(path)
    }
    fn stamp(&self, path: &Path) -> Option<u64> {
        self.0.stamp(path)
    }
}

#[test]
fn an_empty_entry_of_a_search_path_is_no_folder() {
    let files = [("app/main.cfg", "import \"here.cfg\""), ("here.cfg", "0"), ("b/there.cfg", "1")];
    let files: InMemory = files.into_iter().collect();
    let came = |path, input| shown(Session::new(Box::new(Environment(files.clone(), path))).submit(input));
    for path in ["a:b", "a::b", ":b:"] {
        assert_eq!(came(path, "import \"there.cfg\""), "1 : Number", "{path}");
        let missing = came(path, "import \"app/main.cfg\"");
        assert!(missing.starts_with("error: no file `here.cfg` [import/not-found]"), "{path}: {missing}");
    }
}

#[test]
fn the_text_of_a_file_is_there_as_long_as_the_file_is_read() {
    let files: InMemory = [("e.cfg", "{ f = fun x => x + \"a\" }")].into_iter().collect();
    let mut session = Session::new(Box::new(files));
    run(&mut session, &[":set history 1", "d = import \"e.cfg\""]);
    // texts of inputs that are no longer needed are dropped from time to time
    for number in 0..200 {
        session.submit(&format!("x = {number}"));
    }
    assert_eq!(shown(session.submit("d.f 1")).lines().next().map(|line| line.contains("e.cfg:1:20")), Some(true));
}

#[test]
fn a_file_says_what_it_replaces_of_another() {
    let files = InMemory::default();
    files.put("base.yaml", "spec:\n  replicas: 1\nkind: Deployment\n");
    files.put("prod.yaml", "spec:\n  replicas: 10\n");
    let mut session = Session::new(Box::new(files));
    run(&mut session, &[":load base.yaml"]);
    let out = run(&mut session, &[":load prod.yaml"]);
    assert!(out.contains("replaced: `spec` of base.yaml; files are not merged"), "{out}");
    let again = run(&mut session, &[":load prod.yaml", "kind"]);
    assert!(!again.contains("replaced"), "{again}");
}
