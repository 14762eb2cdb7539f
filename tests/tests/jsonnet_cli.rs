//! Jsonnet's own options on the command line: imports, external variables, arguments, and output.

use cfg_tests::binary::{Ran, run};
use std::fs;
use std::path::Path;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder
}

#[track_caller]
fn says(ran: &Ran, out: &str) {
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), out, ""));
}

#[track_caller]
fn fails(ran: &Ran, code: i32, part: &str) {
    assert_eq!((ran.code, ran.out.as_str()), (Some(code), ""), "{}", ran.err);
    assert!(ran.err.contains(part), "{part:?} is not in\n{}", ran.err);
}

fn eval(args: &[&str], folder: &Path) -> Ran {
    run(&[&["eval", "--dialect", "jsonnet"], args].concat(), folder, "")
}

#[test]
fn imports_are_next_to_the_importing_file_then_in_the_last_library() {
    let dir = folder(&[
        ("main.jsonnet", "[(import 'lib/a.libsonnet').n, import 'b.libsonnet', importstr 't.txt', importbin 't.txt']"),
        ("lib/a.libsonnet", "import 'sub.libsonnet'"),
        ("lib/sub.libsonnet", "{ n: 1 }"),
        ("one/b.libsonnet", "'one'"),
        ("two/b.libsonnet", "'two'"),
        ("t.txt", "é"),
    ]);
    let out = |b: &str| format!("[\n   1,\n   \"{b}\",\n   \"é\",\n   [\n      195,\n      169\n   ]\n]\n");
    says(&eval(&["main.jsonnet", "-J", "one", "-J", "two"], dir.path()), &out("two"));
    says(&eval(&["main.jsonnet", "--jpath", "two", "--jpath=one"], dir.path()), &out("one"));
    fails(&eval(&["main.jsonnet"], dir.path()), 1, "no file `b.libsonnet`");
}

#[test]
fn files_may_import_each_other_but_not_need_each_other() {
    let dir = folder(&[
        ("a.jsonnet", "{ x: 1, y: (import 'b.jsonnet').z }"),
        ("b.jsonnet", "{ z: (import 'a.jsonnet').x }"),
        ("c.jsonnet", "import 'd.jsonnet'"),
        ("d.jsonnet", "import 'c.jsonnet'"),
    ]);
    says(&eval(&["a.jsonnet"], dir.path()), "{\n   \"x\": 1,\n   \"y\": 1\n}\n");
    fails(&eval(&["c.jsonnet"], dir.path()), 1, "infinite recursion");
}

#[test]
fn programs_are_given_variables_and_arguments() {
    let dir = folder(&[("t.txt", "text"), ("c.libsonnet", "1 + 1")]);
    let given = [
        (["--ext-str", "x=1=2"], "1=2"),
        (["-V", "x="], ""),
        (["--ext-str-file", "x=t.txt"], "text"),
        (["--ext-code", "x='a' + 1"], "a1"),
        (["--ext-code-file", "x=c.libsonnet"], "2"),
    ];
    for ([option, text], value) in given {
        says(&eval(&["-e", "'' + std.extVar('x')", option, text], dir.path()), &format!("\"{value}\"\n"));
        let argument = option.replace("ext", "tla").replace("-V", "-A");
        says(&eval(&["-e", "function(x) '' + x", &argument, text], dir.path()), &format!("\"{value}\"\n"));
    }
    says(&eval(&["-e", "function(x=1, y=x) x + y"], dir.path()), "2\n");
    says(&eval(&["-e", "3", "-A", "x=1"], dir.path()), "3\n");
    fails(&eval(&["-e", "function(x) x"], dir.path()), 1, "function parameter x not bound in call.");
    fails(&eval(&["-e", "std.extVar('y')", "-V", "x=1"], dir.path()), 1, "undefined external variable: y");
    fails(&eval(&["-e", "1", "-V", "there_is_none"], dir.path()), 2, "the environment has no variable");
    fails(&eval(&["-e", "std.extVar('x')", "--ext-code", "x={"], dir.path()), 1, "<extvar:x>:1:1");
    let typed = run(&["type", "--dialect", "jsonnet", "-e", "function(x) x + 1", "--tla-code", "x=2"], dir.path(), "");
    says(&typed, "number\n");
}

#[test]
fn values_are_strings_streams_or_files() {
    let dir = folder(&[]);
    says(&eval(&["-e", "'é\\n'", "-S"], dir.path()), "é\n\n");
    says(&eval(&["-e", "'é'", "-S", "--no-trailing-newline"], dir.path()), "é");
    fails(&eval(&["-e", "1", "-S"], dir.path()), 1, "expected string result, got: number");
    says(&eval(&["-e", "[{}, 'a']", "-y"], dir.path()), "---\n{ }\n---\n\"a\"\n...\n");
    says(&eval(&["-e", "['a', 'b']", "-y", "-S"], dir.path()), "---\na\n---\nb\n...\n");
    says(&eval(&["-e", "[]", "-y"], dir.path()), "");
    fails(&eval(&["-e", "{}", "-y"], dir.path()), 1, "stream mode: top-level object was a object");
    says(&eval(&["-e", "{ 'd/b': 1, a: 'x', c:: 1 }", "-m", "out", "-c"], dir.path()), "out/a\nout/d/b\n");
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).expect("a file");
    assert_eq!((read("out/a").as_str(), read("out/d/b").as_str()), ("\"x\"\n", "1\n"));
    says(&eval(&["-e", "{ a: 'x' }", "-S", "-m", "out/", "-o", "list"], dir.path()), "");
    assert_eq!((read("out/a").as_str(), read("list").as_str()), ("x\n", "out/a\n"));
    says(&eval(&["-e", "{ x:: [1, 2], y: error 'no' }", "--at", "x[1]"], dir.path()), "2\n");
    says(&eval(&["-e", "{ x: 1, y:: 2 }", "--format", "yaml"], dir.path()), "x: 1\n");
}

#[test]
fn max_stack_limits_recursion() {
    let dir = folder(&[]);
    let program = "local f(n) = if n == 0 then 0 else 1 + f(n - 1); f(3000)";
    says(&eval(&["-e", program], dir.path()), "3000\n");
    fails(&eval(&["-e", program, "--max-stack", "500"], dir.path()), 1, "max stack frames exceeded.");
}

#[test]
fn a_session_takes_the_same_options() {
    let dir = folder(&[("lib/x.libsonnet", "{ n: 1 }")]);
    let script = ":dialect jsonnet\n:set jpath lib\n:set ext-str env=a\nlocal e = std.extVar('env')\ne\n:set ext-code env=1 + 1\n\
                  e\n(import 'x.libsonnet').n\n";
    let ran = run::<&str>(&[], dir.path(), script);
    assert!(ran.out.contains("\"a\"\n") && ran.out.ends_with("2\n1\n"), "{}{}", ran.out, ran.err);
}

#[test]
fn warnings_of_a_code_are_silenced() {
    let dir = folder(&[("a.jsonnet", "[1, 'a']\n")]);
    let check = |more: &[&str]| run(&[&["check", "a.jsonnet"], more].concat(), dir.path(), "");
    let told = check(&[]);
    assert_eq!((told.code, told.err.matches("[types/mixed]").count()), (Some(0), 1), "{}", told.err);
    assert_eq!(check(&["--strict"]).code, Some(1));
    says(&check(&["--silence", "types/mixed"]), "");
    says(&check(&["--strict", "--silence", "types/mixed"]), "");
    assert_eq!(check(&["--silence", "types/call"]).err, told.err);

    let script = ":dialect jsonnet\n[1, 'a']\n:set silence types/mixed\n[2, 'b']\n:set silence none\n[3, 'c']\n";
    let ran = run::<&str>(&[], dir.path(), script);
    let said = format!("{}{}", ran.out, ran.err);
    assert_eq!(said.matches("[types/mixed]").count(), 2, "{said}");
    assert!(!said.contains("jsonnet[2]"), "{said}");
}
