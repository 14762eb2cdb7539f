//! The command line: exit codes, streams, and sources of programs.

use cfg_tests::binary::{Ran, cfg, run, run_command};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

fn here() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn file(folder: &Path, name: &str, bytes: &[u8]) {
    std::fs::File::create(folder.join(name)).and_then(|mut file| file.write_all(bytes)).expect("a file");
}

#[track_caller]
fn says(ran: &Ran, code: i32, out: &str, err: &[&str]) {
    assert_eq!((ran.code, ran.out.as_str()), (Some(code), out), "standard error:\n{}", ran.err);
    for part in err {
        assert!(ran.err.contains(part), "{part:?} is not in standard error:\n{}", ran.err);
    }
    assert!(!err.is_empty() || ran.err.is_empty(), "nothing was to be said:\n{}", ran.err);
}

#[test]
fn a_program_is_a_file_or_standard_input_or_a_text() {
    let dir = here();
    file(dir.path(), "a.cfg", b"{ a = 1 + 1 }");
    let expected = "{\n  \"a\": 2\n}\n";
    says(&run(&["eval", "a.cfg"], dir.path(), ""), 0, expected, &[]);
    says(&run(&["eval", "-"], dir.path(), "{ a = 2 }"), 0, expected, &[]);
    says(&run(&["eval", "-e", "{ a = 2 }"], dir.path(), ""), 0, expected, &[]);
    says(&run(&["eval", "-e", "-2"], dir.path(), ""), 0, "-2\n", &[]);
}

/// Evaluation decides the same for a program in a file, whose problems the check finds twice.
#[test]
fn a_change_of_type_that_makes_a_reader_fail_is_an_error_in_a_file_too() {
    let dir = here();
    let fails = "{ cpu | default = 1, twice = cpu * 2 } & { cpu = \"2\" }";
    file(dir.path(), "a.cfg", fails.as_bytes());
    file(dir.path(), "b.cfg", b"{ cpu | default = 1, twice = 2 } & { cpu = \"2\" }");
    let error = "error: `cpu` changes its type from Number to String";
    says(&run(&["check", "a.cfg"], dir.path(), ""), 1, "", &[error]);
    says(&run(&["check", "-e", fails], dir.path(), ""), 1, "", &[error]);
    says(&run(&["check", "b.cfg"], dir.path(), ""), 0, "", &["warning: `cpu` changes its type from Number to String"]);
}

#[test]
fn each_command_answers_on_standard_output() {
    let dir = here();
    file(dir.path(), "a.cfg", b"{ a | doc \"first\" = 1, b = a }");
    says(&run(&["type", "a.cfg"], dir.path(), ""), 0, "{ a : Number, b : Number }\n", &[]);
    says(&run(&["type", "a.cfg", "--at", "b"], dir.path(), ""), 0, "Number\n", &[]);
    says(&run(&["type", "a.cfg", "--at", "c"], dir.path(), ""), 1, "", &["error: no field `c`", "a.cfg:1:1"]);
    says(&run(&["check", "a.cfg", "a.cfg"], dir.path(), ""), 0, "", &[]);
    let query = "\u{2022} value: 1\n\u{2022} documentation: first\n";
    says(&run(&["query", "a.cfg", "a"], dir.path(), ""), 0, query, &[]);
    says(&run(&["query", "-e", "{ a | doc \"first\" = 1 }", "a"], dir.path(), ""), 0, query, &[]);
}

#[test]
fn an_error_in_the_program_exits_with_1_and_has_a_position() {
    let dir = here();
    file(dir.path(), "a.cfg", b"{ a =\n  1 + }");
    let ran = run(&["eval", "a.cfg"], dir.path(), "");
    says(&ran, 1, "", &["error: ", "a.cfg:2:"]);
    says(&run(&["eval", "-e", "x"], dir.path(), ""), 1, "", &["[scope/unbound]"]);
}

#[test]
fn an_error_in_the_command_line_exits_with_2() {
    let dir = here();
    says(&run(&["eval", "none.cfg"], dir.path(), ""), 2, "", &["none.cfg: no such file"]);
    says(&run(&["eval", "."], dir.path(), ""), 2, "", &["is a folder"]);
    says(&run(&["eval", "--att", "x"], dir.path(), ""), 2, "", &["--att", "`--at`"]);
    says(&run(&["evla", "x"], dir.path(), ""), 2, "", &["evla", "`cfg eval x`"]);
    says(&run(&["eval"], dir.path(), ""), 2, "", &["FILE"]);
    says(&run(&["query"], dir.path(), ""), 2, "", &["FILE"]);
    says(&run(&["eval", "-e", "1", "--format", "jsn"], dir.path(), ""), 2, "", &["json"]);
    says(&run(&["repl", "none.cfg"], dir.path(), ""), 2, "", &["none.cfg: no such file"]);
}

#[test]
fn bytes_that_are_not_utf_8_are_an_error_with_a_position() {
    let dir = here();
    file(dir.path(), "a.cfg", b"{ a = \"x\xffy\" }");
    let ran = run(&["eval", "a.cfg"], dir.path(), "");
    says(&ran, 1, "", &["error: ", "UTF-8", "a.cfg:1:"]);
}

#[test]
fn nothing_is_coloured_in_a_pipe() {
    let dir = here();
    for args in [["eval", "-e", "x"], ["eval", "-e", "{"], ["type", "-e", "{ a = 1 }"]] {
        let ran = run(&args, dir.path(), "");
        assert!(!ran.out.contains('\x1b') && !ran.err.contains('\x1b'), "{ran:?}");
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = Command::new(cfg())
        .args(["eval", "-e", "std.array.range 0 20000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("cfg starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("cfg ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_script_shows_results_and_diagnostics_in_order_and_fails_if_one_input_did() {
    let dir = here();
    let script = "let x = 1\nx + 1\n{ a = x,\n  b = 2 }.b\n";
    says(&run(&[] as &[&str], dir.path(), script), 0, "x : Number\n2\n2\n", &[]);
    let ran = run(&["repl"], dir.path(), "1\nnope\n2\n");
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!((lines.first(), lines.last()), (Some(&"1"), Some(&"2")), "{}", ran.out);
    assert!(ran.out.contains("error: ") && ran.out.contains("cfg[2]:1:1"), "{}", ran.out);
}

#[test]
fn the_repl_loads_files_first() {
    let dir = here();
    file(dir.path(), "a b.cfg", b"{ port = 80 }");
    let ran = run(&["repl", "a b.cfg"], dir.path(), "port\n");
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    assert!(ran.out.ends_with("80\n"), "{}", ran.out);
}

#[test]
fn import_paths_contracts_and_overrides_reach_the_program() {
    let dir = here();
    std::fs::create_dir(dir.path().join("lib")).expect("a folder");
    file(&dir.path().join("lib"), "a.cfg", b"{ a | default = 1, b = 2 }");
    file(dir.path(), "c.cfg", b"{ a | Number, b | String, .. }");
    let eval = |more: &[&str]| {
        let mut args = vec!["eval", "-I", "lib", "-e", "import \"a.cfg\""];
        args.extend(more);
        run(&args, dir.path(), "")
    };
    says(&eval(&["--field", "a"]), 0, "1\n", &[]);
    says(&eval(&["--at", "a", "--", "a=7"]), 0, "7\n", &[]);
    let refused = eval(&["--apply-contract", "c.cfg"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
}

#[test]
fn help_and_version_exit_with_0() {
    let dir = here();
    let ran = run(&["--version"], dir.path(), "");
    says(&ran, 0, concat!("cfg ", env!("CARGO_PKG_VERSION"), "\n"), &[]);
    let ran = run(&["--help"], dir.path(), "");
    assert_eq!(ran.code, Some(0));
    assert!(
        ["repl", "eval", "type", "check", "query", "explain", "merge", "kernel"]
            .iter()
            .all(|word| ran.out.contains(word)),
        "{}",
        ran.out
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_failure_to_write_output_is_reported() {
    assert!(Path::new("/dev/full").exists(), "/dev/full must be there");
    let mut command = Command::new("sh");
    command.args(["-c", "\"$0\" eval -e 1 > /dev/full"]).arg(cfg());
    let ran = run_command(command, "", Duration::from_secs(20)).expect("sh starts");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.starts_with("error: "), "{ran:?}");
}

#[test]
fn the_expression_of_a_command_is_as_long_as_the_parser_says() {
    let dir = here();
    let script = ":type { a = 1,\n  b = 2 }\n:query x\nx = 1\n";
    let ran = run(&["repl"], dir.path(), script);
    assert!(ran.out.starts_with("{ a : Number, b : Number }\n") && ran.out.ends_with("x : Number\n"), "{}", ran.out);
}
