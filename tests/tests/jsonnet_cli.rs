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
    std::fs::write(dir.path().join("f.jsonnet"), "function(x, y) x").expect("a file");
    fails(
        &eval(&["f.jsonnet", "-A", "y=1"], dir.path()),
        1,
        "1 | function(x, y) x\n  |          ^^^^ the program is a function",
    );
    fails(&eval(&["f.jsonnet", "-A", "y=1"], dir.path()), 1, "`--tla-str x=TEXT`");
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

#[test]
fn a_failed_evaluation_of_a_large_program_is_not_followed_by_inference() {
    // nothing evaluates `c` after the failure of `a`, and `cfg check` finds its fault
    let program = "(import 'lib.libsonnet') { a: error 'no', c: [1 - 'x'] }\n";
    let dir = folder(&[("a.jsonnet", program), ("lib.libsonnet", "{}\n")]);
    let types = || {
        let ran = eval(&["a.jsonnet"], dir.path());
        fails(&ran, 1, "no");
        ran.err.contains("[types/conflict]")
    };
    assert!(types());
    fs::write(dir.path().join("lib.libsonnet"), format!("{{}}\n{}", "# text\n".repeat(5000))).expect("a file");
    assert!(!types());
    let checked = run(&["check", "a.jsonnet"], dir.path(), "");
    assert!(checked.err.contains("[types/conflict]"), "{}", checked.err);
}

#[test]
fn values_of_several_types_are_reported_where_they_are_used_as_one() {
    let dir = folder(&[
        ("unused.jsonnet", "{ list: [1, 'a'], branch: if std.extVar('x') then 1 else 'a' }\n"),
        ("fits.jsonnet", "local list = [1, 'a']; { first: list[0] - 1 }\n"),
        ("result.jsonnet", "[1, 'a']\n"),
        ("data.json", "[1, \"a\"]\n"),
        ("data.yaml", "a: [1, x]\n"),
        ("imports.jsonnet", "{ a: import 'data.json', b: import 'result.jsonnet' }\n"),
    ]);
    let mixed = |file: &str| run(&["check", file], dir.path(), "").err.matches("[types/mixed]").count();
    let expected =
        [("unused", 0), ("fits", 0), ("result", 1), ("imports", 0)].map(|(name, n)| (format!("{name}.jsonnet"), n));
    for (file, count) in expected {
        assert_eq!(mixed(&file), count, "{file}");
    }
    assert_eq!((mixed("data.json"), mixed("data.yaml")), (0, 0));
}

#[test]
fn warnings_in_libraries_are_counted() {
    let fault = "{ f(x):: x - 'a', g(x):: x - 'b' }\n";
    let dir = folder(&[
        ("a.jsonnet", "(import 'one.libsonnet') + (import 'vendor/two.libsonnet') + (import 'own.libsonnet')\n"),
        ("own.libsonnet", "{ h(x):: x - 'a' }\n"),
        ("vendor/two.libsonnet", fault),
        ("lib/one.libsonnet", fault),
    ]);
    let check = |more: &[&str]| run(&[&["check", "a.jsonnet", "-J", "lib"], more].concat(), dir.path(), "");
    let brief = check(&[]);
    assert_eq!(brief.err.matches("warning: ").count(), 1, "{}", brief.err);
    assert!(brief.err.contains("own.libsonnet:1"), "{}", brief.err);
    assert!(brief.err.contains("4 warnings in 2 files of libraries"), "{}", brief.err);
    assert_eq!(check(&["--all"]).err.matches("warning: ").count(), 5);
    // with --strict, only warnings that are reported count
    assert_eq!(run(&["check", "--strict", "lib/one.libsonnet"], dir.path(), "").code, Some(1));
    fs::write(dir.path().join("own.libsonnet"), "{}").expect("a file");
    assert_eq!((check(&["--strict"]).code, check(&["--strict", "--all"]).code), (Some(0), Some(1)));
    // a folder that holds the program is not a library
    let here = run(&["check", "a.jsonnet", "-J", "lib", "-J", "."], dir.path(), "");
    assert!(here.err.contains("4 warnings in 2 files"), "{}", here.err);
}

#[test]
fn a_warning_names_the_definition_that_can_fail() {
    let text = "local f(x) = x - 'a';\n{ a:: { b: 1 - 'b' }, m(y):: { z: 'c' - y }, e: 1 }\n";
    let dir = folder(&[("a.jsonnet", text)]);
    let said = run(&["check", "a.jsonnet"], dir.path(), "").err;
    for note in ["a call of `f` can fail", "what reads `a.b` can fail", "what reads `m(…).z` can fail"] {
        assert!(said.contains(note), "{note} is not in\n{said}");
    }
}

/// Types do not show that a variable, a method or a branch needs the missing field; evaluation does.
#[test]
fn the_argument_that_lacks_a_required_field_is_named() {
    let program = |rest: &str| format!("local d = {{ x: error 'must provide x', y: 1 }};\n{rest}\n");
    let readers = [
        "local f(p) = { local c = d + p, v: c.x }; f({})",
        "local f(p) = (local c = d + p; { m(a):: a + c.x, v: self.m(1) }); f({})",
        "local f(p) = { local c = d + p, assert c.x > 0, v: 1 }; f({})",
        "local f(p) = { local c = d + p, v: if c.y == 1 then c.x else 2 }; [f({ x: 2 }), f({})]",
    ];
    for reader in readers {
        let dir = folder(&[("a.jsonnet", &program(reader))]);
        let said = run(&["check", "a.jsonnet"], dir.path(), "").err;
        assert!(said.contains("error: the argument lacks `x`"), "{said}");
        let column = reader.find("{})").map(|at| at + 1).unwrap_or_default();
        assert!(said.contains(&format!("a.jsonnet:2:{column}")), "{reader}\n{said}");
    }
    let unread = "local f(p) = { local c = d + p, v: if c.y == 1 then c.x else 2 }; [f({ y: 2 }), f({ x: 1 })]";
    let dir = folder(&[("a.jsonnet", &program(unread))]);
    says(&run(&["check", "a.jsonnet"], dir.path(), ""), "");
}

#[test]
fn a_baseline_leaves_new_problems() {
    let dir = folder(&[("a.jsonnet", "{ a: 1 - 'a',\n  b:: 1 - 'b' }\n")]);
    let check = || run(&["check", "--strict", "--baseline", "known.json", "a.jsonnet"], dir.path(), "");
    let first = check();
    assert_eq!(first.code, Some(0), "{}", first.err);
    assert!(first.err.contains("2 problems recorded in `known.json`"), "{}", first.err);
    let again = check();
    assert_eq!((again.code, again.err.contains("types/conflict")), (Some(0), false), "{}", again.err);

    // lines that move are not new, but a second problem of the same line is
    let more = "// a comment\n{ a: 1 - 'a',\n  c: 2 - 'c',\n  b:: 1 - 'b' }\n";
    fs::write(dir.path().join("a.jsonnet"), more).expect("a file");
    let new = check();
    assert_eq!((new.code, new.err.matches("[types/conflict]").count()), (Some(1), 1), "{}", new.err);
    assert!(new.err.contains("a.jsonnet:3:10") && new.err.contains("2 known problems"), "{}", new.err);

    fs::write(dir.path().join("a.jsonnet"), "{ a: 1 - 'a',\n  b: 2 }\n").expect("a file");
    let fixed = check();
    assert_eq!((fixed.code, fixed.err.contains("1 of it no longer found")), (Some(0), true), "{}", fixed.err);
    fs::write(dir.path().join("known.json"), "[]").expect("a file");
    let bad = check();
    assert_eq!((bad.code, bad.err.contains("`known.json` is not a baseline")), (Some(2), true), "{}", bad.err);
}

#[test]
fn manifest_functions_write_the_shortest_numbers() {
    let dir = folder(&[]);
    let long = "100000000000000000000000";
    for (call, shown) in [
        ("std.manifestJsonEx({ v: 0.8 }, ' ')", "{\n \"v\": 0.8\n}"),
        ("std.manifestJson([0.1 + 0.2])", "[\n    0.30000000000000004\n]"),
        (
            "std.manifestJsonMinified([1e23, -0.25, 1 / 3, 1e-7])",
            &format!("[{long},-0.25,0.3333333333333333,0.0000001]"),
        ),
        ("std.manifestYamlDoc({ v: [0.8, 4.35] })", "\"v\":\n- 0.8\n- 4.35"),
        ("std.manifestYamlStream([0.8])", "---\n0.8\n...\n"),
        // as in both references
        ("std.manifestPython({ v: 0.8 })", "{\"v\": 0.80000000000000004}"),
        ("std.manifestTomlEx({ v: 0.8 }, ' ')", "v = 0.80000000000000004"),
        ("std.toString({ v: 0.8 })", "{\"v\": 0.80000000000000004}"),
    ] {
        let ran = eval(&["-S", "-e", call], dir.path());
        assert_eq!((ran.code, ran.out.trim_end()), (Some(0), shown.trim_end()), "{call}: {}", ran.err);
    }
    says(&eval(&["-e", "0.8"], dir.path()), "0.80000000000000004\n");
}

#[test]
fn library_functions_take_the_parameter_names_of_both_references() {
    let dir = folder(&[]);
    for call in [
        "[std.exp(x=0), std.exp(n=0)] == [1, 1]",
        "[std.md5(s='a'), std.sha1(str='a')] == [std.md5('a'), std.sha1('a')]",
        "std.objectHasEx(obj={ a:: 1 }, fname='a', hidden=true)",
        "std.objectHasEx(obj={ a:: 1 }, f='a', inc_hidden=true)",
        "std.removeAt(arr=[1, 2], i=0) == std.removeAt(arr=[1, 2], at=0)",
        "std.modulo(x=5, y=3) == std.modulo(a=5, b=3)",
    ] {
        says(&eval(&["-e", call], dir.path()), "true\n");
        says(&run(&["check", "--dialect", "jsonnet", "-e", call], dir.path(), ""), "");
    }
    fails(&eval(&["-e", "std.exp(y=0)"], dir.path()), 1, "no parameter y");
}
