//! Shells and `man` read what `cfg completions` and `cfg man` write. A program that the machine lacks is unpacked from the
//! packages of Debian, below the target directory.
#![cfg(unix)]

use cfg_tests::binary::{cfg, run};
use cfg_tests::debian::{Found, find};
use cfg_tests::pins::{BASH, FISH, GROFF, MAN, ZSH};
use cfg_tests::terminal::{Setup, Terminal, key};
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

/// Writes a file of data into a folder, and a link to the program, because the scripts call it by its name. Returns the folder of
/// the link.
fn with_program(home: &Path) -> String {
    std::fs::write(home.join("a.yaml"), "spec:\n  replicas: 1\n  rules: [{host: a}]\nkind: x\n").unwrap();
    let folder = home.join("bin");
    std::fs::create_dir(&folder).unwrap();
    std::os::unix::fs::symlink(cfg(), folder.join("cfg")).unwrap();
    folder.display().to_string()
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
    let folder = with_program(home.path());
    for (words, expected) in [
        ("cfg merge a.yaml --set spec.r", "spec.replicas spec.rules"),
        ("cfg merge a.yaml --at k", "kind"),
        ("cfg merge a.yaml --set 'spec.rules[0].'", "spec.rules[0].host"),
        ("cfg merge a.yaml --list a", "append"),
        ("cfg merge a.yaml --list sp", "spec"),
        ("cfg merge a.yaml --set nothing", ""),
        ("cfg explain a.yaml spec.r", "spec.replicas spec.rules"),
        ("cfg deps --format json a.yaml k", "kind"),
        ("cfg cand", ""),
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
fn fish_completes_commands_options_and_their_values() {
    let test = this_test!();
    if test.is_off() {
        return;
    }
    let fish = find(test, &FISH);
    let home = tempfile::tempdir().unwrap();
    let file = written("fish", home.path());
    let folder = with_program(home.path());
    for (words, expected) in [
        ("cfg expl", "explain"),
        ("cfg why --apply", "--apply-contract"),
        ("cfg completions z", "zsh"),
        ("cfg merge --format pr", "properties"),
        ("cfg merge a.yaml --in", "--in-place"),
        ("cfg merge a.yaml --set spec.r", "spec.replicas spec.rules"),
        ("cfg merge a.yaml --set=spec.r", "--set=spec.replicas --set=spec.rules"),
        ("cfg merge a.yaml --at k", "kind"),
        ("cfg merge a.yaml --field k", "kind"),
        ("cfg merge a.yaml --at=k", "--at=kind"),
        ("cfg merge a.yaml --set 'spec.rules[0].", "spec.rules[0].host"),
        ("cfg merge a.yaml --list app", "append"),
        ("cfg merge a.yaml --set nothing", ""),
        ("cfg explain a.yaml spec.r", "spec.replicas spec.rules"),
        ("cfg explain a.y", "a.yaml"),
        ("cfg why --format text a.yaml k", "kind"),
        ("cfg cand", ""),
    ] {
        let home = home.path().display();
        let script = format!("cd '{home}'; set -x PATH '{folder}' $PATH; source '{file}'; complete -C \"{words}\"");
        let text = says(&fish, &["--no-config", "-c", &script]);
        let found: Vec<&str> = text.lines().filter_map(|line| line.split('\t').next()).collect();
        assert_eq!(found.join(" "), expected, "{words}");
        // the help of an option is not a description of its values
        assert!(!text.contains("Set a field"), "{text}");
    }
}

/// zsh completes only at a prompt.
#[test]
fn zsh_completes_commands_options_and_their_values() {
    let test = this_test!();
    if test.is_off() {
        return;
    }
    let zsh = find(test, &ZSH);
    let home = tempfile::tempdir().unwrap();
    let file = written("zsh", home.path());
    let folder = with_program(home.path());
    let mut load = format!("PATH='{folder}':$PATH\n");
    // a shell that was unpacked looks for its own parts where it would be installed
    for (variable, folder) in [("module_path", "usr/lib"), ("fpath", "usr/share/zsh/functions")] {
        let places: Vec<String> = zsh.below(folder).iter().map(|place| format!("'{}'", place.display())).collect();
        if !places.is_empty() {
            load += &format!("{variable}=({})\n", places.join(" "));
        }
    }
    load += &format!("autoload -U compinit && compinit -u -d '{file}.dump' && source '{file}' && whence -w _cfg\n");
    std::fs::write(home.path().join("load.zsh"), load).unwrap();
    let command = zsh.command();
    let settings = command
        .get_envs()
        .filter_map(|(name, value)| Some(format!("{}='{}'", name.to_string_lossy(), value?.to_string_lossy())));
    let settings: Vec<String> = settings.collect();
    let start = format!("exec env {} '{}' -f\n", settings.join(" "), command.get_program().to_string_lossy());
    std::fs::write(home.path().join("start"), start).unwrap();
    let shell = Terminal::start(home.path(), &Setup { shell: true, size: (40, 120), ..Setup::default() });
    shell.sees("shell:");
    shell.line(". ./start");
    shell.wait("the prompt of zsh", |screen| screen.matches("shell:").count() > 1);
    shell.line("source ./load.zsh");
    shell.sees("_cfg: function");
    for (words, expected) in [
        ("cfg expl", "cfg explain"),
        ("cfg why --apply", "--apply-contract="),
        ("cfg completions z", "cfg completions zsh"),
        ("cfg merge --format pr", "--format properties"),
        ("cfg merge a.yaml --in", "a.yaml --in-place"),
        ("cfg merge a.yaml --set spec.r", "spec.replicas  spec.rules"),
        ("cfg merge a.yaml --at k", "--at kind"),
        ("cfg merge a.yaml --field k", "--field kind"),
        ("cfg merge a.yaml --at=k", "--at=kind"),
        ("cfg merge a.yaml --set 'spec.rules[0].", "--set 'spec.rules[0].host"),
        ("cfg merge a.yaml --set spec.rules\\[0\\].", "--set spec.rules\\[0\\].host"),
        ("cfg merge a.yaml --list app", "--list append"),
        ("cfg explain a.yaml spec.r", "spec.replicas  spec.rules"),
        ("cfg query a.yaml k", "a.yaml kind"),
        ("cfg why a.y", "cfg why a.yaml"),
    ] {
        shell.send(words).send(key::TAB);
        shell.sees(expected);
        // Ctrl-U and Enter: Ctrl-C would also drop what is typed after it
        shell.send("\u{15}\r");
        shell.wait("the next prompt", |screen| screen.trim_end().ends_with("shell:"));
    }
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
