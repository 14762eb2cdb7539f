//! The output of `cfg completions` and `cfg man`, loaded by the shells and by `man` themselves.
#![cfg(unix)]

use cfg_tests::binary::run;
use std::path::Path;
use std::process::Command;

/// Returns a program's output and whether it succeeded; `None` if it is not installed.
fn says(program: &str, args: &[&str]) -> Option<(bool, String)> {
    let output = Command::new(program).args(args).env("MANWIDTH", "80").env("LC_ALL", "C.UTF-8").output().ok()?;
    let text = [output.stdout, output.stderr].concat();
    Some((output.status.success(), String::from_utf8_lossy(&text).into_owned()))
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
        let Some((well, text)) = says("bash", &["--norc", "-c", &script]) else { return };
        assert!(well, "{text}");
        assert_eq!(text.trim(), expected, "{words}");
    }
}

#[test]
fn fish_and_zsh_load_theirs() {
    let home = tempfile::tempdir().unwrap();
    let fish = written("fish", home.path());
    if let Some((well, text)) =
        says("fish", &["--no-config", "-c", &format!("source '{fish}'; complete -C 'cfg expl'")])
    {
        assert!(well && text.starts_with("explain"), "{text}");
    }
    let zsh = written("zsh", home.path());
    let load = format!("autoload -U compinit && compinit -u -d '{zsh}.dump' && source '{zsh}' && whence -w _cfg");
    if let Some((well, text)) = says("zsh", &["-f", "-c", &load]) {
        assert!(well && text.contains("_cfg: function"), "{text}");
    }
    for shell in ["elvish", "powershell"] {
        written(shell, home.path());
    }
}

#[test]
fn every_command_has_a_page_that_man_reads() {
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
        if let Some((well, text)) = says("groff", &["-man", "-Tutf8", "-ww", "-z", &page]) {
            assert!(well && text.is_empty(), "{name}: {text}");
        }
    }
    if let Some((true, text)) = says("man", &["-l", &pages.join("cfg-explain.1").to_string_lossy()]) {
        assert!(text.contains("EXIT STATUS"), "{text}");
    }
}
