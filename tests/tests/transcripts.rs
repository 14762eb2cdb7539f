//! The ```` ```repl ```` blocks of `README.md` and `docs/*.md`, run and compared exactly.
//!
//! A line that begins with `cfg[n]> ` is an input, lines that begin with `… ` behind blanks go on with it, all others
//! are what the input shows. The blocks of one file are one session, which sees the file's ```` ```cfg file=NAME ```` blocks
//! as files; a command takes no number. With `UPDATE=1` in the environment what does not agree is rewritten instead.

use cfg_tests::binary::{root, run};
use cfg_tests::blocks::{Block, sections};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

struct Step {
    /// The number in the prompt.
    number: u32,
    /// The input's lines behind the prompt, as they stand in the document.
    shown: String,
    /// What is sent to the session.
    input: String,
    /// What it must show.
    output: String,
}

/// The number in a `cfg[n]> ` and the text behind it.
fn behind_prompt(line: &str) -> Option<(u32, &str)> {
    let (number, text) = line.strip_prefix("cfg[")?.split_once("]>")?;
    Some((number.parse().ok()?, text.strip_prefix(' ').unwrap_or(text)))
}

fn steps(block: &Block) -> Vec<Step> {
    let mut all: Vec<Step> = Vec::new();
    for line in block.text.lines() {
        if let Some((number, text)) = behind_prompt(line) {
            let input = format!("{text}\n");
            all.push(Step { number, shown: input.clone(), input, output: String::new() });
        } else if let Some(step) = all.last_mut() {
            match line.trim_start().strip_prefix("… ") {
                Some(text) if step.output.is_empty() => {
                    let _ = writeln!(step.shown, "{line}");
                    let _ = writeln!(step.input, "{text}");
                }
                _ => {
                    let _ = writeln!(step.output, "{line}");
                }
            }
        } else {
            panic!("line {} of the document: a transcript begins with `cfg[1]> `", block.line + 1);
        }
    }
    all
}

/// What the session shows for an input that comes after others: its output without that of the others.
fn shown_after(before: &str, input: &str, folder: &Path) -> String {
    let whole = run::<&str>(&[], folder, &format!("{before}{input}")).out;
    let earlier = if before.is_empty() { String::new() } else { run::<&str>(&[], folder, before).out };
    whole.strip_prefix(&earlier).unwrap_or(&whole).to_string()
}

fn documents() -> Vec<PathBuf> {
    let mut all = vec![root().join("README.md")];
    let docs = fs::read_dir(root().join("docs")).expect("docs");
    all.extend(docs.flatten().map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "md")));
    all.sort();
    all
}

#[test]
fn documents_show_what_the_session_shows() {
    let update = std::env::var_os("UPDATE").is_some();
    let (mut inputs, mut failures) = (0, Vec::new());
    for path in documents() {
        let text = fs::read_to_string(&path).expect("document");
        let blocks: Vec<Block> = sections(&text).into_iter().flat_map(|section| section.blocks).collect();
        let folder = tempfile::tempdir().expect("folder");
        for block in &blocks {
            if let Some(name) = block.info.split_whitespace().find_map(|word| word.strip_prefix("file=")) {
                fs::write(folder.path().join(name), format!("{}\n", block.text)).expect("file written");
            }
        }
        let mut lines: Vec<String> = text.lines().map(String::from).collect();
        let mut rewritten = Vec::new();
        let mut before = String::new();
        let mut number = 1;
        for block in blocks.iter().filter(|block| block.info == "repl") {
            let mut new = String::new();
            for step in steps(block) {
                inputs += 1;
                let got = shown_after(&before, &step.input, folder.path());
                before.push_str(&step.input);
                let shown = format!("cfg[{number}]> {}", step.shown);
                new.push_str(&shown);
                new.push_str(&got);
                if got != step.output || number != step.number {
                    let place = format!("{}:{}", path.display(), block.line);
                    failures.push(format!("{place}: {shown}  shows\n{got}  and not\n{}", step.output));
                }
                // Every input but a command takes the next number.
                number += u32::from(!step.input.starts_with(':'));
            }
            rewritten.push((block.lines.clone(), new));
        }
        if update {
            for (range, new) in rewritten.into_iter().rev() {
                lines.splice(range, new.lines().map(String::from));
            }
            fs::write(&path, lines.join("\n") + "\n").expect("document rewritten");
        }
    }
    assert!(inputs > 0, "no document holds a transcript");
    assert!(update || failures.is_empty(), "{} of {inputs} inputs\n{}", failures.len(), failures.join("\n"));
}
