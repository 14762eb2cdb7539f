//! Wrong command lines, wrong `:commands` and wrong data, each with its whole report. Calls that a report offers are run too.

use cfg_tests::binary::run;
use std::path::Path;

/// A folder with the files that the calls name.
fn files() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).expect("a file");
    write("base.yaml", "server:\n  port: 80\n  host: a\n");
    write("prod.yaml", "server:\n  port: 81\n");
    write("a.cfg", "{ a = 1, b = a }\n");
    write("no.schema.json", "{\"type\":\"objct\"}");
    std::fs::create_dir_all(dir.path().join("dir")).expect("a folder");
    write("dir/x.cfg", "{ a = 1 }\n");
    dir
}

/// Splits a table: a line that begins with `mark`, then the report, as far as an empty line.
fn table<'a>(text: &'a str, mark: &str) -> Vec<(&'a str, String)> {
    let blocks = text.trim().split("\n\n").map(|block| block.trim_matches('\n'));
    let split = |block: &'a str| {
        let (first, rest) = block.split_once('\n').unwrap_or((block, ""));
        (first.strip_prefix(mark).expect("a call"), format!("{rest}\n"))
    };
    blocks.map(split).collect()
}

/// Splits a call into words; `'…'` quotes one.
fn words(call: &str) -> Vec<String> {
    let quoted = call.split('\'').enumerate();
    let parts = quoted.flat_map(|(at, part)| match at % 2 {
        1 => vec![part.to_string()],
        _ => part.split_whitespace().map(String::from).collect(),
    });
    parts.collect()
}

/// Writes what a table says now, for `UPDATE_EXPECT=1`.
fn update(path: &Path, mark: &str, found: &[(String, String)]) {
    let blocks: Vec<String> =
        found.iter().map(|(call, report)| format!("{mark}{call}\n{}", report.trim_end())).collect();
    std::fs::write(path, blocks.join("\n\n") + "\n").expect("the table is written");
}

fn is_updating() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some()
}

#[test]
fn what_a_wrong_call_reports() {
    let dir = files();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("wrong/calls.txt");
    let text = std::fs::read_to_string(&path).expect("the table");
    let mut found = Vec::new();
    for (call, expected) in table(&text, "$ cfg ") {
        let ran = run(&words(call), dir.path(), "");
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "cfg {call}\n{}", ran.err);
        if !is_updating() {
            assert_eq!(ran.err, expected, "cfg {call}");
        }
        found.push((call.to_string(), ran.err));
    }
    if is_updating() {
        update(&path, "$ cfg ", &found);
    }
}

/// The calls between backticks in the reports, without those that only show the form of a call, do not fail for the call.
#[test]
fn calls_that_reports_offer_work() {
    let dir = files();
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("wrong/calls.txt")).expect("the table");
    let mut tried = 0;
    for (call, report) in table(&text, "$ cfg ") {
        let offered = report
            .lines()
            .filter(|line| line.starts_with(" = help"))
            .flat_map(|line| line.split('`').skip(1).step_by(2));
        for offer in offered.filter_map(|part| part.strip_prefix("cfg ")) {
            // `FILE`, `A1`
            let stands_for = |word: &str| {
                word.starts_with(|c: char| c.is_ascii_uppercase())
                    && word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
            };
            let is_form = words(offer).iter().any(|word| stands_for(word));
            if is_form
                || words(offer).len() == 1
                || ["kernel", "completions", "repl", "--help"].iter().any(|word| words(offer).iter().any(|w| w == word))
            {
                continue;
            }
            let ran = run(&words(offer), dir.path(), "");
            assert_ne!(ran.code, Some(2), "`cfg {offer}`, offered for `cfg {call}`:\n{}", ran.err);
            tried += 1;
        }
    }
    assert!(tried > 20, "{tried}");
}

#[test]
fn what_a_wrong_command_of_the_prompt_reports() {
    let dir = files();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("wrong/commands.txt");
    let text = std::fs::read_to_string(&path).expect("the table");
    let mut found = Vec::new();
    for (input, expected) in table(&text, "> ") {
        let ran = run(&["repl", "--quiet"], dir.path(), &format!("x = {{ a = 1, b = a }};\n{input}\n"));
        let report = ran.out.split_once('\n').map_or("", |(_, report)| report).to_string();
        assert!(ran.code == Some(1) && ran.err.is_empty(), "{input}\n{}{}", ran.out, ran.err);
        // an empty line in a report would end its block
        let report = report.replace("\n\n", "\n");
        if !is_updating() {
            assert_eq!(report, expected, "{input}");
        }
        found.push((input.to_string(), report));
    }
    if is_updating() {
        update(&path, "> ", &found);
    }
}

/// Wrong data and wrong layers: the files of each case, `=== NAME` and the text, then calls with their reports. The values that the
/// calls print are not in the table.
#[test]
fn what_wrong_data_reports() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("wrong/data.txt");
    let text = std::fs::read_to_string(&path).expect("the table");
    let mut out = Vec::new();
    for case in text.trim().split("\n## ") {
        let dir = tempfile::tempdir().expect("a folder");
        let (files, calls) = case.split_once("\n$ cfg ").expect("a call");
        for file in files.split("\n=== ").skip(1) {
            let (name, text) = file.split_once('\n').expect("a text");
            std::fs::write(dir.path().join(name), format!("{}\n", text.trim_end_matches('\n'))).expect("a file");
        }
        let mut shown = String::from(files);
        for call in calls.split("\n$ cfg ") {
            let (call, expected) = call.split_once('\n').unwrap_or((call, ""));
            let err = run(&words(call), dir.path(), "").err;
            if !is_updating() {
                assert_eq!(err.trim_end(), expected.trim_end(), "{files}\ncfg {call}");
            }
            shown.push_str(&format!("\n$ cfg {call}\n{}", err.trim_end()));
        }
        out.push(shown);
    }
    if is_updating() {
        std::fs::write(&path, out.join("\n\n## ") + "\n").expect("the table is written");
    }
}

/// The lines after a `%%` line that names no language are not run in another one.
#[test]
fn the_cell_of_an_unknown_language_is_not_run() {
    let dir = files();
    let ran = run(&["repl"], dir.path(), "%%jsonet\n{ a: 1 }\nx = 2\n\n1 + 1\n%%nothing\n3\n%%jsonnet\n{ a: 4 }\n");
    let expected = "error: unknown language `jsonet`: expected cfg, jsonnet, yay, mcl [command/usage]\n = help: did you mean \
                    `%%jsonnet`?\n = help: usage: %%DIALECT\n2\nerror: unknown language `nothing`: expected cfg, jsonnet, yay, \
                    mcl [command/usage]\n = help: usage: %%DIALECT\n{ a: 4 }\n";
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), expected));
}

#[test]
fn a_definition_with_an_error_does_not_look_like_a_good_one() {
    let dir = files();
    let ran = run(&["repl"], dir.path(), "y = std.array.mpa\nz = 1 + \"a\"\nw = 1\n");
    let lines: Vec<&str> = ran.out.lines().filter(|line| line.contains(" : ")).collect();
    assert_eq!(lines, ["y : forall a. a (has an error)", "z : Number (has an error)", "w : Number"], "{}", ran.out);
}

/// The root is given before or after the command.
#[test]
fn the_root_may_come_before_the_command() {
    let dir = files();
    for call in ["--root . eval a.cfg --at b", "eval --root . a.cfg --at b"] {
        let ran = run(&words(call), dir.path(), "");
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), "1\n"), "{call}: {}", ran.err);
    }
}
