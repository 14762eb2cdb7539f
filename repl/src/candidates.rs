//! `cfg candidates OPTION WRITTEN WORDS…`: the values of an option that can follow in a shell, and with `PATH` as the option the
//! fields of a file. The scripts of `cfg completions` call it; it is not for people.
//!
//! The fields come from the types of the files among the words, so nothing is evaluated.

use crate::cli::Candidates;
use crate::loader::Disk;
use cfg_core::{Languages, Session};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

/// The options whose values are paths, or begin with one.
pub const OPTIONS: [&str; 7] = ["--at", "--field", "--set", "--set-string", "--set-json", "--set-file", "--list"];
/// The rules for lists.
const RULES: [&str; 4] = ["append", "unique", "replace", "key:"];

/// Prints the candidates, one on each line.
pub fn run(languages: Languages, disk: Disk, options: &Candidates) -> io::Result<u8> {
    let Candidates { option, written, words } = options;
    let mut out: BTreeSet<String> = BTreeSet::new();
    match written.rsplit_once('=') {
        Some((path, begun)) if option == "--list" => {
            out.extend(RULES.iter().filter(|rule| rule.starts_with(begun)).map(|rule| format!("{path}={rule}")));
        }
        // any value may follow
        Some(_) => {}
        None => {
            if option == "--list" {
                out.extend(
                    RULES.iter().filter(|rule| rule.starts_with(written.as_str())).map(|rule| String::from(*rule)),
                );
            }
            let files = words.iter().filter(|word| languages.of_path(Path::new(word)).is_some());
            let files: Vec<&String> = files.filter(|word| Path::new(word).is_file()).collect();
            let mut session = Session::with_languages(languages, Box::new(disk));
            for file in files {
                out.extend(fields(&mut session, file, written));
            }
        }
    }
    let mut stdout = io::stdout().lock();
    out.iter().try_for_each(|candidate| writeln!(stdout, "{candidate}"))?;
    Ok(0)
}

/// Returns the paths into a file that continue a path. The file has a name in the session, and the path is completed after it.
fn fields(session: &mut Session, file: &str, written: &str) -> Vec<String> {
    const NAME: &str = "completed";
    session.submit(&format!("{NAME} = import \"{}\"", file.replace('\\', "\\\\").replace('"', "\\\"")));
    let before = format!(":explain {NAME}.");
    let input = format!("{before}{written}");
    let found = session.complete(&input, input.len());
    let fields = found.into_iter().filter(|candidate| candidate.kind == "field");
    let path = |candidate: cfg_core::Candidate| {
        let begin = input.get(before.len()..candidate.range.start).unwrap_or_default();
        format!("{begin}{}", candidate.text)
    };
    fields.map(path).collect()
}
