//! `--root`: nothing outside of a folder is read or written.
#![cfg(unix)]

use cfg_tests::binary::{Ran, cfg, run_command};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// A folder `in` with programs, next to files outside.
fn files() -> tempfile::TempDir {
    let all = tempfile::tempdir().expect("a folder");
    let write = |path: &str, text: &str| fs::write(all.path().join(path), text).expect("a file");
    fs::create_dir_all(all.path().join("in/sub")).expect("a folder");
    write("secret.cfg", "\"hidden\"");
    write("in/own.cfg", "\"own\"");
    write("in/sub/up.cfg", "import \"../own.cfg\"");
    write("in/out.cfg", "import \"../secret.cfg\"");
    write("in/link.cfg", "import \"linked.cfg\"");
    write("in/proc.cfg", "import \"/proc/self/environ\" as 'Text");
    symlink("../secret.cfg", all.path().join("in/linked.cfg")).expect("a link");
    all
}

fn cfg_in(folder: &Path, args: &[&str], input: &str) -> Ran {
    let mut command = Command::new(cfg());
    command.args(args).current_dir(folder).env("CFG_HISTORY", "").env("SECRET", "hidden").env_remove("CFG_ROOT");
    run_command(command, input, Duration::from_secs(60)).expect("the binary must start")
}

#[track_caller]
fn is_refused(ran: &Ran) {
    let said = format!("{}{}", ran.out, ran.err);
    assert!(ran.code != Some(0) && said.contains("it is outside of the root `"), "{:?}: {said}", ran.code);
    assert!(!said.contains("hidden"), "{said}");
}

#[test]
fn files_inside_are_read_and_files_outside_are_named() {
    let all = files();
    let read = |args: &[&str]| cfg_in(all.path(), args, "");
    let inside = read(&["eval", "--root", "in", "in/sub/up.cfg"]);
    assert_eq!((inside.code, inside.out.as_str()), (Some(0), "\"own\"\n"), "{}", inside.err);
    let free = read(&["eval", "in/out.cfg"]);
    assert_eq!((free.code, free.out.as_str()), (Some(0), "\"hidden\"\n"), "{}", free.err);
    for file in ["in/out.cfg", "in/link.cfg", "in/proc.cfg", "secret.cfg"] {
        is_refused(&read(&["eval", "--root", "in", file]));
    }
    is_refused(&read(&["eval", "--root", "/", "in/proc.cfg"]));
    is_refused(&read(&["eval", "--root", "in", "-e", "import \"nothing/../../nothing.cfg\""]));
    is_refused(&read(&["eval", "--root", "in", "-J", ".", "--dialect", "jsonnet", "-e", "importstr 'secret.cfg'"]));
    is_refused(&read(&["check", "--root", "in", "in/out.cfg"]));
    is_refused(&read(&["merge", "--root", "in", "in/own.cfg", "secret.cfg"]));
    is_refused(&read(&["watch", "--root", "in", "--events", "secret.cfg", "in/own.cfg"]));
}

#[test]
fn no_environment_variable_is_read() {
    let all = files();
    let args = ["--dialect", "jsonnet", "-V", "SECRET", "-e", "std.extVar('SECRET')"];
    let free = cfg_in(all.path(), &[&["eval"], args.as_slice()].concat(), "");
    assert_eq!(free.out, "\"hidden\"\n", "{}", free.err);
    let confined = cfg_in(all.path(), &[&["eval", "--root", "in"], args.as_slice()].concat(), "");
    assert!(confined.code != Some(0) && !confined.out.contains("hidden"), "{confined:?}");
}

#[test]
fn nothing_is_written_outside() {
    let all = files();
    is_refused(&cfg_in(all.path(), &["eval", "--root", "in", "in/own.cfg", "-o", "made"], ""));
    is_refused(&cfg_in(all.path(), &["repl", "--root", "in"], "a = 1\n:save made\n"));
    is_refused(&cfg_in(all.path(), &["kernel", "install", "--prefix", "made", "--root", "in"], ""));
    assert!(!all.path().join("made").exists());
    let inside = cfg_in(all.path(), &["eval", "--root", "in", "in/own.cfg", "-o", "in/made"], "");
    assert_eq!((inside.code, fs::read_to_string(all.path().join("in/made")).ok()), (Some(0), Some("\"own\"\n".into())));
}

#[test]
fn a_prompt_is_confined_by_an_option_and_by_its_configuration() {
    let all = files();
    is_refused(&cfg_in(all.path(), &["repl", "--root", "in"], "import \"secret.cfg\"\n"));
    fs::write(all.path().join("cfg.toml"), "root = \"in\"\n").expect("a file");
    is_refused(&cfg_in(all.path(), &["--config", "cfg.toml"], "import \"secret.cfg\"\n"));
    fs::write(all.path().join("cfg.toml"), "root = \"nothing\"\n").expect("a file");
    let gone = cfg_in(all.path(), &["--config", "cfg.toml"], "import \"secret.cfg\"\n");
    assert!(gone.code == Some(2) && gone.err.contains("the root `"), "{gone:?}");
}

#[test]
fn a_transcript_is_confined_to_its_folder_unless_a_root_is_given() {
    let all = files();
    let text = "```repl\ncfg[1]> import \"../secret.cfg\"\n```\n\n```console\n$ cfg eval ../secret.cfg\n$ cfg eval --root / ../secret.cfg\n```\n";
    fs::write(all.path().join("in/page.md"), text).expect("a file");
    let own = cfg_in(all.path(), &["transcript", "in/page.md"], "");
    assert_eq!(own.out.matches("is outside of the root `").count(), 3, "{}{}", own.out, own.err);
    assert!(!own.out.contains("\"hidden\""), "{}", own.out);
    is_refused(&cfg_in(all.path(), &["transcript", "--root", "in/sub", "--update", "in/page.md"], ""));
    assert_eq!(fs::read_to_string(all.path().join("in/page.md")).expect("the page"), text);
    let wide = cfg_in(all.path(), &["transcript", "--root", ".", "in/page.md"], "");
    assert_eq!(wide.out.matches("\"hidden\"").count(), 2, "{}{}", wide.out, wide.err);
}
