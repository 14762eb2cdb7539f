//! Legal lines whose value is not the one that was meant, and similar ones that may be meant.

use super::ran;
use crate::session::{Action, CheckOptions};

fn check(text: &str) -> String {
    ran(&[("main.yay", text)], Action::Check(CheckOptions { strict: true, ..CheckOptions::default() }))
}

#[test]
fn lines_that_may_be_meant_are_silent() {
    for fine in [
        // names in brackets, character classes, intervals, quoted text, JSON
        "class: [a-z]\nnumber: [0-9]+\nchars: [abc]\nclasses: [abc]",
        "address: [::1]\nlog: [INFO] started\nstatus: [ok]",
        // commas of sentences, routes, variables of other programs
        "greeting: Dear Sir,",
        "name: web\nroute: /users/{name}\nother: {unknown}\nhome: $HOME",
        "host: $host",
        // a macro and a key of one name, another key than that of the prototype, layers
        "macro web:\n  host: {{ h }}\nx:\n  call web:\n    h: a\nweb:\n  port: 80",
        "prototype P:\n  http: 1\n  port: 2\nx:\n  new P:\n    https: 1\n    ports: 2",
        "a:\n  b: 1\na:\n  b: 2\nc: 1\nc: 2",
        "section: [mysqld]",
        "class: [a-z, 0-9]",
        "interval: [0, 100]",
        "a: \"[a, b]\"",
        "a: {{ '[a, b]' }}",
        "json: {\"a\": 1}",
        "css: {color: red; width: 1}",
        "message: [info] hello, world",
        "a: []\nb: {}",
        // modes
        "mode: 0644",
        "mode: 644",
        "port: 0644",
        "mode: {{ '0644' }}",
        "mode: 0",
        // loops with elements
        "a:\n  for h in [1, 2]:\n    - x: {{ h }}\n      y: 1",
        "a:\n  for h in [1, 2]:\n    set x = h\n    - {{ x }}",
        // a key that another layer or document may define
        "app:\n  hosts:\n    - a\napp:\n  extend hosts:\n    - b\n  host:\n    - c",
        "packages:\n  a: 1\nextend package:\n  - b",
        // texts and other meanings of the name
        "port: {{ '80' }}\nif port == '80':\n  a: 1",
        "port: 80\nl:\n  for port in ['80']:\n    - {{ port == '80' }}",
        // subtractions, and numbers that are combined
        "web-1: 5\nweb: 9\nn: {{ web-1 }}",
        "flags: 6\nmax: 1\nx: {{ flags | max }}",
        // names that calls pass by their scope
        "macro m:\n  x: {{ y }}\nb:\n  for y in [1, 2]:\n    -\n      call m:",
        "macro m:\n  x: {{ y }}\ny: 3\nc:\n  call m:",
        "t:\n  see also: http",
    ] {
        assert_eq!(check(fine), "", "{fine}");
    }
}

#[test]
fn lines_that_are_surely_not_meant_are_warnings() {
    for (text, parts) in [
        ("a: [x, y]", ["warning: a list in brackets is plain text", "write `a: {{ [\"a\", \"b\"] }}`"]),
        ("ports: [80, 443]", ["a list in brackets is plain text", "write `ports: {{ [1, 2] }}`"]),
        ("hosts: [\"a\"]", ["a list in brackets is plain text", "write `hosts: {{ [\"a\", \"b\"] }}`"]),
        ("port: [80, 443]\na: {{ port[0] }}", ["a list in brackets is plain text", "read as a list here"]),
        ("h: 1\nl: [{{ h }}, b]", ["a list in brackets is plain text", "write `l: {{ [\"a\", \"b\"] }}`"]),
        ("a: 1,\nb: 2,", ["a comma after a value", "another line has a comma too"]),
        ("n: x\na: {n}", ["`{n}` is plain text", "write `{{ n }}`"]),
        ("macro m:\n  a: {{ b }}\nl:\n  - call m", ["nothing calls the macro `m`", "below a line with only `-`"]),
        ("a:\n\tb: 1\n\tc: 2\n\td: 3", ["a tab in the indentation", "2 more lines have one"]),
        ("a:\n  b: 1\n  b: 2", ["duplicate key `b`", "this definition never counts"]),
        ("a: {x: 1, y: b}", ["warning: a dict in braces is plain text", "as in `  key: value`"]),
        ("- {x: 1}", ["warning: a dict in braces is plain text", "the first one as `- key: value`"]),
        ("a:\n  for h in [1]:\n    x: {{ h }}", ["warning: this loop makes a list of the names", "`- x: VALUE`"]),
        ("pkgs:\n  - a\nextend pkg:\n  - b", ["warning: there is no `pkg` to extend", "did you mean `extend pkgs:`?"]),
        (
            "n: 1\na: {{ 1 if n != '1' else 2 }}",
            ["warning: a number never equals a text", "write the number without quotes: `n != 1`"],
        ),
    ] {
        let out = check(text);
        for part in parts {
            assert!(out.contains(part), "{part}\n{text}\n{out}");
        }
        assert_eq!(out.matches("warning: ").count(), 1, "{text}\n{out}");
    }
}
