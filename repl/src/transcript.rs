//! `cfg transcript`: runs the examples in Markdown files, and compares or rewrites their output.
//!
//! A ```` ```repl ```` block contains inputs after `cfg[n]> `, continued by `… `, each followed by its output. The
//! blocks of one file share one session. A ```` ```console ```` block contains commands after `$ cfg `, each followed
//! by its output and then its diagnostics. A ```` ```LANGUAGE file=NAME ```` block is a file that both can read. They
//! run in the document's folder, or, if the document defines files, in a temporary folder that contains only those.

mod console;
mod steps;

use crate::call;
use crate::cli::Transcript;
use crate::engine::Engine;
use crate::host::Host;
use crate::loader::{Disk, ROOT_VARIABLE};
use crate::paint::Paint;
use crate::show::Page;
use cfg_core::markdown::{Block, sections};
use cfg_core::{Languages, Session};
use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use steps::{Prompt, Step, steps};

/// Runs the command and returns the exit code: 1 if any output differs from the document.
pub fn run(languages: Languages, disk: &Disk, transcript: &Transcript) -> io::Result<u8> {
    // all files are checked before anything runs and before the folder changes
    let mut files = Vec::new();
    for file in &transcript.files {
        if let Err(why) = call::readable(file) {
            return call::fault(why);
        }
        let path = fs::canonicalize(file)?;
        if let Some(Err(why)) = disk.root().map(|root| root.resolve(&path)) {
            return call::fault(format!("cannot read `{}`: {why}", file.display()));
        }
        files.push((file, path));
    }
    let mut code = 0;
    for (shown, path) in files {
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => return call::fault(format!("{}: {error}", shown.display())),
        };
        let result = match document(languages, disk, &text, path.parent().unwrap_or(Path::new("."))) {
            Ok(result) => result,
            Err(why) => return call::fault(format!("{}: {why}", shown.display())),
        };
        let mut out = io::stdout().lock();
        let (count, name) = (result.count, shown.display());
        if transcript.update && result.text != text {
            fs::write(&path, &result.text)?;
            writeln!(out, "{name}: {} of {count} rewritten", result.differing.len())?;
        } else if result.differing.is_empty() {
            match count {
                0 => writeln!(
                    out,
                    "{name}: no examples; they are in blocks of Markdown that begin with ```repl or ```console"
                )?,
                _ => writeln!(out, "{name}: {count} as shown")?,
            }
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

/// The result of running a document.
struct TranscriptRun {
    /// The document with the current output.
    text: String,
    /// Number of inputs and commands.
    count: usize,
    /// The differences: `LINE: input`, then the expected and the actual output.
    differing: Vec<String>,
}

/// Runs a document's blocks. Fails with a message if they cannot be run.
fn document(languages: Languages, disk: &Disk, text: &str, home: &Path) -> Result<TranscriptRun, String> {
    let blocks: Vec<Block> = sections(text).into_iter().flat_map(|section| section.blocks).collect();
    let files = DocumentFiles::of(&blocks)?;
    let folder = files.as_ref().map_or(home, |files| files.0.as_path());
    let moved = std::env::current_dir();
    std::env::set_current_dir(folder).map_err(|error| error.to_string())?;
    let ran = confined(disk, folder).and_then(|disk| blocks_of(languages, &disk, text, &blocks, folder));
    if let Ok(back) = moved {
        let _ = std::env::set_current_dir(back);
    }
    ran
}

/// Returns the loader for a document: confined to the folder that it runs in, since it may come from somebody else, or to
/// the given root.
fn confined(disk: &Disk, folder: &Path) -> Result<Disk, String> {
    if disk.root().is_some() { Ok(disk.clone()) } else { disk.narrowed(folder) }
}

fn blocks_of(
    languages: Languages,
    disk: &Disk,
    text: &str,
    blocks: &[Block],
    folder: &Path,
) -> Result<TranscriptRun, String> {
    let failed = |error: io::Error| error.to_string();
    let own = disk.clone();
    let host: Host<Box<dyn Engine>> =
        Host::start(move || Box::new(Session::with_languages(languages, Box::new(own.clone()))) as Box<dyn Engine>)
            .map_err(failed)?;
    let root = disk.root().map_or(folder, |root| root.folder());
    let mut ran = TranscriptRun { text: String::new(), count: 0, differing: Vec::new() };
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
                Prompt::Shell => (step.shown.clone(), console::call(&step.input, folder, (ROOT_VARIABLE, root))?),
            };
            if head != step.shown || got != step.output {
                let line = block.line + step.line;
                let (head, expected) = (head.trim_end(), indented(&step.output));
                let found = indented(&got);
                ran.differing.push(format!("{line}: {head}\n  expected\n{expected}  found\n{found}"));
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

/// Runs an input; returns it after its prompt, and its output.
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
    let (cell, events) = answer.map_err(|_| String::from("cfg failed with an internal error; this is a bug in cfg"))?;
    let page = Page { paint: Paint::PLAIN, columns: 80, rows: usize::MAX / 16 };
    let got = events.iter().filter_map(|event| page.show(event)).map(|shown| shown.text).collect();
    Ok((step.with_prompt(&cell), got))
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

/// A temporary folder with the files that a document defines; deleted when it is dropped.
struct DocumentFiles(PathBuf);

impl DocumentFiles {
    fn of(blocks: &[Block]) -> Result<Option<DocumentFiles>, String> {
        let mut files = blocks.iter().filter_map(|block| {
            let name = block.info.split_whitespace().find_map(|word| word.strip_prefix("file="))?;
            Some((name, block))
        });
        let Some(first) = files.next() else { return Ok(None) };
        let folder = std::env::temp_dir().join(format!("cfg-transcript-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let written = DocumentFiles(folder);
        for (name, block) in std::iter::once(first).chain(files) {
            let inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
            if !inside {
                return Err(format!("line {}: `{name}` is not inside the document's folder", block.line));
            }
            let path = written.0.join(name);
            let write = || {
                path.parent().map_or(Ok(()), fs::create_dir_all)?;
                fs::write(&path, format!("{}\n", block.text))
            };
            write().map_err(|error| format!("line {}: {name}: {error}", block.line))?;
        }
        Ok(Some(written))
    }
}

impl Drop for DocumentFiles {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
