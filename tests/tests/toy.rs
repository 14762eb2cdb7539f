//! The toy language of the kernel's tests in the program itself: the command line and the prompt of `cfg`, with one more line in
//! the table of languages.

use std::io::Write;
use std::process::{Command, Stdio};

/// Runs the program with these arguments and this input. Returns its exit code and both of its outputs.
fn tally(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("app.tally"), "<port 80 plus 1>").unwrap();
    std::fs::write(folder.path().join("main.cfg"), "(import \"app.tally\") & { x = 1 }").unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_tally"))
        .args(arguments)
        .current_dir(folder.path())
        .env("HOME", folder.path())
        .env_remove("XDG_CONFIG_HOME")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (out.status.code(), text(out.stdout), text(out.stderr))
}

/// Returns the output of a run that succeeds, without blanks.
fn printed(arguments: &[&str], input: &str) -> String {
    let (code, out, err) = tally(arguments, input);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{arguments:?}: {out}");
    out.split_whitespace().collect()
}

#[test]
fn the_command_line_reads_it() {
    assert_eq!(printed(&["eval", "app.tally"], ""), "{\"port\":81}");
    assert_eq!(printed(&["eval", "main.cfg"], ""), "{\"port\":81,\"x\":1}");
    assert_eq!(printed(&["eval", "--dialect", "tally", "-"], "1 plus 2"), "3");
    assert_eq!(printed(&["type", "app.tally"], ""), "{portisaCount}");
    assert_eq!(printed(&["query", "app.tally", "port"], ""), "•value:81");
    let (code, _, err) = tally(&["check", "-"], "nothing & { }");
    assert_eq!(code, Some(1), "{err}");
    let (code, _, err) = tally(&["eval", "--dialect", "tally", "-"], "1 plus \"a\"");
    assert_eq!(code, Some(1), "{err}");
    let (code, _, err) = tally(&["eval", "--dialect", "tallyho", "-"], "1");
    assert!(code == Some(2) && err.contains("unknown value `tallyho` for `--dialect`"), "{err}");
    assert!(err.contains("or tally") && err.contains("did you mean `tally`?"), "{err}");
}

#[test]
fn the_prompt_reads_it() {
    let inputs = "%%tally\nlet web = <port 80>\n\n:dialect tally\nweb.port plus 1\n:explain web.port\n:type web\n";
    let (code, out, err) = tally(&["repl", "--quiet"], inputs);
    assert_eq!(code, Some(0), "{out}{err}");
    for part in ["web is a { port is a Count }", "81", "port is a Count"] {
        assert!(out.contains(part), "{part}: {out}{err}");
    }
    let (code, out, _) = tally(&["repl", "--quiet", "--dialect", "tally"], "std.answer plus 1\n");
    assert_eq!((code, out.trim()), (Some(0), "43"));
}
