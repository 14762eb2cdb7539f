//! Shells and `man` read what `cfg completions` and `cfg man` write. A program that the machine lacks is unpacked from the
//! packages of Debian, below the target directory.
#![cfg(unix)]

use cfg_tests::binary::{cfg, run};
use cfg_tests::debian::{Found, find};
use cfg_tests::pins::{BASH, FISH, GROFF, MAN, ZSH};
use cfg_tests::this_test;
use std::path::Path;

/// Runs a program and returns what it writes.
///
/// # Panics
/// If it fails.
fn says(program: &Found, args: &[&str]) -> String {
    let output = program.command().args(args).output().expect("the program starts");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(output.status.success(), "{program:?} {args:?}: {text}");
    text
}

fn written(shell: &str, folder: &Path) -> String {
    let ran = run(&["completions", shell], folder, "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let path = folder.join(format!("cfg.{shell}"));
    std::fs::write(&path, ran.out).unwrap();
    path.to_string_lossy().into_owned()
}

#[test]
fn bash_completes_commands_options_and_shells() {
    let test = this_test!();
    if test.is_off() {
        return;
    }
    let bash = find(test, &BASH);
    let home = tempfile::tempdir().unwrap();
    let file = written("bash", home.path());
    for (words, expected) in [
        ("cfg expl", "explain"),
        ("cfg why --apply", "--apply-contract"),
        ("cfg completions z", "zsh"),
        ("cfg eval --max", "--max-stack"),
    ] {
        let script = format!(
            "source '{file}'; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); \
             _cfg cfg \"${{COMP_WORDS[$COMP_CWORD]}}\" \"${{COMP_WORDS[$COMP_CWORD-1]}}\"; echo \"${{COMPREPLY[*]}}\""
        );
        assert_eq!(says(&bash, &["--norc", "-c", &script]).trim(), expected, "{words}");
    }
}

/// The values of `--at`, `--set` and `--list` are paths into the files of the command, as bash completes them.
#[test]
fn bash_completes_the_values_of_options() {
    let test = this_test!();
    if test.is_off() {
        return;
    }
    let bash = find(test, &BASH);
    let home = tempfile::tempdir().unwrap();
    let file = written("bash", home.path());
    std::fs::write(home.path().join("a.yaml"), "spec:\n  replicas: 1\n  rules: [{host: a}]\nkind: x\n").unwrap();
    // the script calls the program by its name
    let folder = home.path().join("bin");
    std::fs::create_dir(&folder).unwrap();
    std::os::unix::fs::symlink(cfg(), folder.join("cfg")).unwrap();
    let folder = folder.display().to_string();
    for (words, expected) in [
        ("cfg merge a.yaml --set spec.r", "spec.replicas spec.rules"),
        ("cfg merge a.yaml --at k", "kind"),
        ("cfg merge a.yaml --set 'spec.rules[0].'", "spec.rules[0].host"),
        ("cfg merge a.yaml --list a", "append"),
        ("cfg merge a.yaml --list sp", "spec"),
        ("cfg merge a.yaml --set nothing", ""),
    ] {
        let script = format!(
            "cd '{}'; PATH='{folder}':$PATH; source '{file}'; COMP_WORDS=({words}); \
             COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); \
             _cfg cfg \"${{COMP_WORDS[$COMP_CWORD]}}\" \"${{COMP_WORDS[$COMP_CWORD-1]}}\"; echo \"${{COMPREPLY[*]}}\"",
            home.path().display()
        );
        assert_eq!(says(&bash, &["--norc", "-c", &script]).trim(), expected, "{words}");
    }
}

/// The command that the scripts of all shells call.
#[test]
fn candidates_are_fields_and_rules() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("a.yaml"), "spec:\n  replicas: 1\n  \"odd name\": 2\n").unwrap();
    std::fs::write(home.path().join("b.cfg"), "{ spec.image = \"x\", port | default = 1 }").unwrap();
    for (args, expected) in [
        (["--set", "spec."], "spec.\"odd name\"\nspec.image\nspec.replicas\n"),
        (["--set", "p"], "port\n"),
        (["--list", "spec="], "spec=append\nspec=key:\nspec=replace\nspec=unique\n"),
        (["--list", "spec=k"], "spec=key:\n"),
        (["--set", "port="], ""),
        (["--at", "nope."], ""),
    ] {
        let ran = run(&[&["candidates"], &args[..], &["merge", "a.yaml", "b.cfg", "--set"]].concat(), home.path(), "");
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), expected, ""), "{args:?}");
    }
}

#[test]
fn fish_completes_commands() {
    let test = this_test!();
    if test.is_off() {
        return;
    }
    let fish = find(test, &FISH);
    let home = tempfile::tempdir().unwrap();
    let file = written("fish", home.path());
    let text = says(&fish, &["--no-config", "-c", &format!("source '{file}'; complete -C 'cfg expl'")]);
    assert!(text.starts_with("explain"), "{text}");
}

#[test]
fn zsh_loads_its_completions() {
    let test = this_test!();
    if test.is_off() {
        return;
    }
    let zsh = find(test, &ZSH);
    let home = tempfile::tempdir().unwrap();
    let file = written("zsh", home.path());
    let mut load = String::new();
    // a shell that was unpacked looks for its own parts where it would be installed
    for (variable, folder) in [("module_path", "usr/lib"), ("fpath", "usr/share/zsh/functions")] {
        let places: Vec<String> = zsh.below(folder).iter().map(|place| format!("'{}'", place.display())).collect();
        if !places.is_empty() {
            load += &format!("{variable}=({}) && ", places.join(" "));
        }
    }
    load += &format!("autoload -U compinit && compinit -u -d '{file}.dump' && source '{file}' && whence -w _cfg");
    let text = says(&zsh, &["-f", "-c", &load]);
    assert!(text.contains("_cfg: function"), "{text}");
}

#[test]
fn elvish_and_powershell_get_completions() {
    let home = tempfile::tempdir().unwrap();
    for shell in ["elvish", "powershell"] {
        let text = std::fs::read_to_string(written(shell, home.path())).unwrap();
        assert!(text.contains("explain") && text.contains("--max-stack"), "{text}");
    }
}

#[test]
fn every_command_has_a_page_that_man_reads() {
    let test = this_test!();
    if test.is_off() {
        return;
    }
    let (groff, man) = (find(test, &GROFF), find(test, &MAN));
    let home = tempfile::tempdir().unwrap();
    let pages = home.path().join("man1");
    let ran = run(&["man", "--dir", &pages.to_string_lossy()], home.path(), "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let help = run(&["--help"], home.path(), "").out;
    let commands = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let commands: Vec<&str> =
        commands.take_while(|line| line.starts_with("  ")).filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"explain"), "{help}");
    for name in
        commands.into_iter().filter(|name| *name != "help").map(|name| format!("cfg-{name}.1")).chain(["cfg.1".into()])
    {
        let page = pages.join(&name).to_string_lossy().into_owned();
        assert!(Path::new(&page).exists(), "{name} is not there");
        // groff reports what it does not understand
        assert_eq!(says(&groff, &["-man", "-Tutf8", "-ww", "-z", &page]), "", "{name}");
    }
    let text = says(&man, &["-l", &pages.join("cfg-explain.1").to_string_lossy()]);
    assert!(text.contains("EXIT STATUS"), "{text}");
}
