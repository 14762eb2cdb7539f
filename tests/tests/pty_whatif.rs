//! "What if" on a terminal: the definitions of a field, with keys that change them.

use cfg_tests::terminal::{Setup, Terminal, key};
use std::path::Path;

const ALT_W: &str = "\x1bw";

/// Starts a prompt that has explained `all.port`, a field with two definitions.
fn explained(folder: &Path) -> Terminal {
    std::fs::write(folder.join("data.yaml"), "port: 80\n").unwrap();
    let cfg = Terminal::start(folder, &Setup { size: (40, 100), ..Setup::default() });
    cfg.prompt(1);
    cfg.line("base = { port | default = 80, url = \"http://%{std.to_string port}\" }");
    cfg.prompt(2);
    cfg.line("all = base & { port = 443 }");
    cfg.prompt(3);
    cfg.line(":explain all.port");
    cfg.sees("[Alt-W] or `:whatif` tries other definitions\n");
    cfg.prompt(3);
    cfg
}

#[test]
fn keys_change_definitions_and_show_the_consequences() {
    let home = tempfile::tempdir().unwrap();
    let cfg = explained(home.path());
    cfg.send(ALT_W);
    let screen = cfg.sees("[a]pply  [q]uit");
    assert!(screen.contains("> [x] WINS  normal   443  cfg[2]:1:23\n"), "{screen}");
    assert!(screen.contains("  [x] lost  default  80   cfg[1]:1:27\n"), "{screen}");
    cfg.send(" ");
    let screen = cfg.sees("what if: all.port 443 -> 80");
    assert!(screen.contains("> [ ] WINS  normal   443  cfg[2]:1:23  off"), "{screen}");
    assert!(screen.contains("all.url  \"http://443\" -> \"http://80\""), "{screen}");
    assert!(screen.contains("+ all = base & { }"), "{screen}");
    // on again, and the other one is raised
    cfg.send(" ").send(key::DOWN).send("++");
    let screen = cfg.sees("+ base = { port | force = 80,");
    assert_eq!(screen.matches("[x] lost  default  80").count(), 1, "{screen}");
    assert!(screen.contains("> [x] lost  default  80   cfg[1]:1:27  priority force"), "{screen}");
    cfg.send("7").send(key::ENTER);
    cfg.sees("port | priority 7 = 80,");
    cfg.send("=").sees("\nvalue:");
    cfg.send("1 + 1").send(key::ENTER);
    cfg.sees("what if: all.port 443 -> 443");
    cfg.send("q");
    cfg.prompt(3);
    // nothing has changed
    cfg.line("all.url");
    cfg.sees("\n\"http://443\" : String");
}

#[test]
fn what_is_applied_runs_the_cell_with_the_change() {
    let home = tempfile::tempdir().unwrap();
    let cfg = explained(home.path());
    cfg.line(":whatif all.port");
    cfg.sees("[q]uit");
    cfg.send("a");
    cfg.sees("there is no change to apply");
    cfg.send(" ").sees("443 -> 80");
    cfg.send("a");
    cfg.prompt(4);
    cfg.line("all.url");
    cfg.sees("\n\"http://80\" : String");
    cfg.prompt(5);
    cfg.line(":undo");
    cfg.line("all.port");
    cfg.sees("\n443 : Number");
}

#[test]
fn a_definition_in_a_file_is_not_written() {
    let home = tempfile::tempdir().unwrap();
    let cfg = explained(home.path());
    cfg.line("filed = (import \"data.yaml\") & { host = \"a\" }");
    cfg.prompt(4);
    cfg.line(":whatif filed.port");
    cfg.sees("[q]uit");
    cfg.send("=").send("81").send(key::ENTER);
    cfg.sees("80 -> 81");
    cfg.send("a");
    cfg.sees("the definition at data.yaml:1:7 is in a file: change it there");
    cfg.send(key::ESC);
    cfg.prompt(4);
}

#[test]
fn a_value_that_does_not_end_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let cfg = explained(home.path());
    cfg.line(":whatif all.port");
    cfg.sees("[q]uit");
    cfg.send("=").send("let rec f = fun n => f (n + 1) in f 0").send(key::ENTER);
    cfg.sees("definition 1 cannot have this value");
    cfg.send("r").send("q");
    cfg.prompt(3);
}
