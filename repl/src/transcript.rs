//! `cfg transcript`: what Markdown files show is run, and compared or rewritten.
//!
//! A ```` ```repl ```` block holds inputs behind `cfg[n]> ` (`… ` goes on with one), each with what it shows below; the
//! blocks of one file are one session. A ```` ```console ```` block holds calls behind `$ cfg `, each with its output
//! and then its diagnostics below. A ```` ```LANGUAGE file=NAME ```` block is a file that both see; they run in the
//! document's folder, or, where it brings files, in one that holds these alone.

mod console;
mod steps;

use crate::call;
use crate::cli::Transcript;
use crate::engine::Engine;
use crate::host::Host;
use crate::loader::Disk;
use crate::paint::Paint;
use crate::show::Page;
use cfg_core::session::Session;
use cfg_core::text::blocks::{Block, sections};
use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use steps::{Prompt, Step, steps};

/// Runs the command and gives the exit code: 1 if something shows what the document does not.
pub fn run(transcript: &Transcript) -> io::Result<u8> {
    // all of them are looked for before anything runs, and before the folder changes
    let mut files = Vec::new();
    for file in &transcript.files {
        if let Err(why) = call::readable(file) {
            return call::fault(&why);
        }
        files.push((file, fs::canonicalize(file)?));
    }
    let mut code = 0;
    for (shown, path) in files {
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => return call::fault(&format!("{}: {error}", shown.display())),
        };
        let result = match document(&text, path.parent().unwrap_or(Path::new("."))) {
            Ok(result) => result,
            Err(why) => return call::fault(&format!("{}: {why}", shown.display())),
        };
        let mut out = io::stdout().lock();
        let (count, name) = (result.count, shown.display());
        if transcript.update && result.text != text {
            fs::write(&path, &result.text)?;
            writeln!(out, "{name}: {} of {count} rewritten", result.differing.len())?;
        } else if result.differing.is_empty() {
            writeln!(out, "{name}: {count} as shown")?;
        } else {
            code = 1;
            for difference in &result.differing {
                writeln!(out, "{name}:{difference}")?;
            }
            writeln!(out, "{name}: {} of {count} differ; `--update` rewrites them", result.differing.len())?;
        }
    }
    Ok(code)
}

/// What came of a document.
struct Ran {
    /// The document with what is shown now.
    text: String,
    /// How many inputs and calls it has.
    count: usize,
    /// `LINE: input`, and what it shows and does not.
    differing: Vec<String>,
}

/// Runs a document's blocks. Fails with a sentence where that cannot be done.
fn document(text: &str, home: &Path) -> Result<Ran, String> {
    let blocks: Vec<Block> = sections(text).into_iter().flat_map(|section| section.blocks).collect();
    let brought = Brought::of(&blocks)?;
    let folder = brought.as_ref().map_or(home, |brought| brought.0.as_path());
    let moved = std::env::current_dir();
    std::env::set_current_dir(folder).map_err(|error| error.to_string())?;
    let ran = blocks_of(text, &blocks, folder);
    if let Ok(back) = moved {
        let _ = std::env::set_current_dir(back);
    }
    ran
}

fn blocks_of(text: &str, blocks: &[Block], folder: &Path) -> Result<Ran, String> {
    let failed = |error: io::Error| error.to_string();
    let host: Host<Box<dyn Engine>> =
        Host::start(|| Box::new(Session::new(Box::new(Disk))) as Box<dyn Engine>).map_err(failed)?;
    let mut ran = Ran { text: String::new(), count: 0, differing: Vec::new() };
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let mut rewritten = Vec::new();
    for block in blocks {
        let prompt = match block.info.split_whitespace().next() {
            Some("repl") => Prompt::Session,
            Some("console") => Prompt::Shell,
            _ => continue,
        };
        let mut new = String::new();
        for step in steps(block, prompt)? {
            ran.count += 1;
            let (head, got) = match prompt {
                Prompt::Session => entered(&host, &step)?,
                Prompt::Shell => (step.shown.clone(), console::call(&step.input, folder)?),
            };
            if head != step.shown || got != step.output {
                let line = block.line + step.line;
                let (head, was) = (head.trim_end(), indented(&step.output));
                ran.differing.push(format!("{line}: {head}\n  shows\n{}  and not\n{was}", indented(&got)));
            }
            new.push_str(&head);
            new.push_str(&got);
        }
        rewritten.push((block.lines.clone(), new));
    }
    for (range, new) in rewritten.into_iter().rev() {
        lines.splice(range, new.lines().map(String::from));
    }
    ran.text = lines.join("\n");
    if text.ends_with('\n') {
        ran.text.push('\n');
    }
    Ok(ran)
}

/// An input behind its prompt, and what the session shows for it.
fn entered(host: &Host<Box<dyn Engine>>, step: &Step) -> Result<(String, String), String> {
    let input = step.input.clone();
    let answer = host.ask(move |engine| {
        let cell = engine.next_cell();
        let mut events = Vec::new();
        for input in engine.inputs(&input) {
            events.extend(engine.submit(&input));
        }
        (cell, events)
    });
    let (cell, events) = answer.map_err(|_| String::from("cfg itself failed, which is a defect of cfg"))?;
    let page = Page { paint: Paint::PLAIN, columns: 80, rows: usize::MAX / 16 };
    let got = events.iter().filter_map(|event| page.show(event)).map(|shown| shown.text).collect();
    Ok((step.behind(&cell), got))
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

/// A folder with the files that a document brings, gone when it is dropped.
struct Brought(PathBuf);

impl Brought {
    fn of(blocks: &[Block]) -> Result<Option<Brought>, String> {
        let mut files = blocks.iter().filter_map(|block| {
            let name = block.info.split_whitespace().find_map(|word| word.strip_prefix("file="))?;
            Some((name, block))
        });
        let Some(first) = files.next() else { return Ok(None) };
        let folder = std::env::temp_dir().join(format!("cfg-transcript-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let brought = Brought(folder);
        for (name, block) in std::iter::once(first).chain(files) {
            let inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
            if !inside {
                return Err(format!("line {}: `{name}` is no place in the document's own folder", block.line));
            }
            let path = brought.0.join(name);
            let write = || {
                path.parent().map_or(Ok(()), fs::create_dir_all)?;
                fs::write(&path, format!("{}\n", block.text))
            };
            write().map_err(|error| format!("line {}: {name}: {error}", block.line))?;
        }
        Ok(Some(brought))
    }
}

impl Drop for Brought {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
