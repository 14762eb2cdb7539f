//! The request of `cfg diff`.

use super::request_of;
use crate::cli::{Diff, Reading};
use crate::fault::{Fault, command};
use cfg_core::{Action, DiffLayout, Request};
use std::path::Path;

/// Maximum number of entries of a folder that are looked at.
const ENTRIES: usize = 2000;

/// Builds the request of `cfg diff`. Fails unless there are two sides.
pub(super) fn request(diff: Diff) -> Result<Request, Fault> {
    if diff.right.iter().any(|word| word == "--") {
        return Err(Fault::new("a comparison has two sides, and there are more")
            .help("one `--` separates the layers of the sides: `cfg diff A1 A2 -- B1 B2`"));
    }
    let (left, right) = match (diff.files.as_slice(), diff.right.as_slice()) {
        ([left, right], []) => (std::slice::from_ref(left), std::slice::from_ref(right)),
        (files @ [_, .., last], []) => {
            let words = ["cfg", "diff"].into_iter().chain(files.iter().map(String::as_str).take(files.len() - 1));
            let words: Vec<String> = words.chain(["--", last]).map(String::from).collect();
            return Err(Fault::new(format!("a comparison has two sides, and there are {} files", files.len()))
                .help(format!("`--` separates the layers of the sides: {}", command(&words))));
        }
        (_, []) => {
            return Err("two sides are needed: `cfg diff A B`, or `cfg diff A1 A2 -- B1 B2` for layers".into());
        }
        (left, right) => (left, right),
    };
    let names: Vec<&str> = left.iter().chain(right).map(String::as_str).collect();
    check(&names)?;
    let inputs = left.iter().chain(right).map(|name| crate::git::input(name)).collect::<Result<Vec<_>, _>>()?;
    let layout = match diff.format.as_str() {
        _ if diff.side_by_side => DiffLayout::SideBySide,
        "json" => DiffLayout::Json,
        "side" => DiffLayout::SideBySide,
        _ => DiffLayout::Text,
    };
    let action = Action::Diff { left: left.len(), at: diff.at, layout };
    let reading =
        Reading { dialect: diff.dialect, import_paths: diff.import_paths, inputs: diff.inputs, ..Reading::default() };
    let mut request = request_of(inputs, reading, action);
    request.layering.lists = diff.lists;
    Ok(request)
}

/// Fails if a name is a revision without a file, if both sides are folders, or if both are standard input.
fn check(names: &[&str]) -> Result<(), Fault> {
    read_once(names.iter().copied())?;
    if let [left, right] = names
        && !crate::advice::has_root()
        && Path::new(left).is_dir()
        && Path::new(right).is_dir()
    {
        let fault = Fault::new(format!("`{left}` and `{right}` are folders, and a comparison has files"));
        let entries = std::fs::read_dir(left).into_iter().flatten().flatten().take(ENTRIES);
        let mut common: Vec<_> = entries
            .map(|entry| entry.file_name())
            .filter(|name| Path::new(left).join(name).is_file() && Path::new(right).join(name).is_file())
            .collect();
        common.sort();
        return Err(match common.first() {
            Some(name) => {
                let of = |side: &str| Path::new(side).join(name).to_string_lossy().into_owned();
                let words = [String::from("cfg"), String::from("diff"), of(left), of(right)];
                fault.help(format!("name a file in each: {}", command(&words)))
            }
            None => fault.help("name a file in each"),
        });
    }
    for name in names.iter().filter(|name| **name != "-" && !name.contains(':') && !Path::new(name).exists()) {
        // `git diff A..B`
        let revision = name.split_once("..").map_or(*name, |(first, _)| first);
        let last = name.split_once("..").map(|(_, last)| last.trim_start_matches('.'));
        let is_one = |name: &str| !name.is_empty() && crate::git::is_revision(name);
        if !is_one(revision) && !last.is_some_and(is_one) {
            continue;
        }
        let fault =
            Fault::new(format!("`{name}` is a revision, and a file is expected: `REV:FILE` is a file at a revision"));
        let Some(file) = names.iter().rev().find(|name| Path::new(name).is_file()) else { return Err(fault) };
        let other = match last {
            Some("") => format!("HEAD:{file}"),
            Some(last) => format!("{last}:{file}"),
            None => file.to_string(),
        };
        let words = [String::from("cfg"), String::from("diff"), format!("{revision}:{file}"), other];
        return Err(fault.help(format!("did you mean {}?", command(&words))));
    }
    Ok(())
}

/// Fails if standard input is named twice: it can be read once.
pub(super) fn read_once<'n>(names: impl Iterator<Item = &'n str>) -> Result<(), Fault> {
    match names.filter(|name| *name == "-").count() {
        0 | 1 => Ok(()),
        _ => Err(Fault::new("standard input can be read once, and `-` is given twice")
            .help("write one of the inputs to a file, and name the file")),
    }
}
