//! The file of `cfg check --baseline`: the known problems of a repository. A problem is found again by its file, code and
//! message, and by the text of its line, so that edits elsewhere in the file do not make it new.

use crate::loader::Loader;
use crate::problem::Problem;
use crate::problem::session::SessionKind;
use crate::text::{Name, Sources};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The identity of a problem, by which it is found again in a later check.
#[derive(Clone, Debug)]
pub(super) struct Key {
    /// The file, the code, the message and the text of the line.
    parts: Parts,
    /// The place in the file, in bytes. A baseline does not keep it.
    place: (u32, u32),
}

type Parts = [String; 4];

/// The file, the code and the range in bytes of a problem.
pub(super) type Place = (String, String, (u32, u32));

/// The names of the parts of a key in the file.
const PARTS: [&str; 4] = ["file", "code", "message", "line"];

impl Key {
    /// Returns the key of a problem with a message. Secrets are masked, since the key is written to a file.
    pub fn of(problem: &Problem, message: String, sources: &Sources) -> Key {
        let span = problem.span();
        let source = span.and_then(|span| sources.get(span.source));
        let line = span.zip(source).map(|(span, source)| {
            let text = source.shown_text();
            let start = (span.start as usize).min(source.text.len());
            let line = source.text.get(..start).map_or(0, |before| before.matches('\n').count());
            text.lines().nth(line).unwrap_or_default().trim().to_owned()
        });
        let file = source.map(|source| source.name.to_string()).unwrap_or_default();
        let mut parts = [file, problem.code().to_owned(), message, line.unwrap_or_default()];
        for part in &mut parts {
            if let Some(masked) = sources.masked(part) {
                *part = masked;
            }
        }
        Key { parts, place: span.map_or((0, 0), |span| (span.start, span.end)) }
    }

    /// Returns the file, the code and the place, which are the same in every language that the message is for.
    pub fn place(&self) -> Place {
        let [file, code, ..] = &self.parts;
        (file.clone(), code.clone(), self.place)
    }
}

/// The known problems, and those that were found.
pub(super) struct Baseline {
    path: String,
    /// The number of times that each known problem was not found yet. `None` while the first run records them.
    known: Option<BTreeMap<Parts, usize>>,
    found: BTreeMap<Parts, usize>,
}

impl Baseline {
    /// Reads a baseline. If there is no file, this run records the problems.
    pub fn read(loader: &dyn Loader, path: &Path) -> Result<Baseline, SessionKind> {
        let shown = path.display().to_string();
        let bad = |why: String| SessionKind::BadBaseline { path: Name::from(shown.as_str()), why: Name::from(why) };
        let known = match loader.read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(bad(error.to_string())),
            Ok(bytes) => {
                let value: Value = serde_json::from_slice(&bytes)
                    .map_err(|error| bad(format!("line {} is not JSON", error.line())))?;
                let known = value
                    .get("problems")
                    .and_then(Value::as_array)
                    .and_then(|all| all.iter().map(entry).collect::<Option<BTreeMap<Parts, usize>>>());
                Some(known.ok_or_else(|| bad(String::from("it has no list `problems` of problems")))?)
            }
        };
        Ok(Baseline { path: shown, known, found: BTreeMap::new() })
    }

    /// Whether a problem is known, or is recorded by this run. Each known problem counts as often as it was recorded.
    pub fn has(&mut self, key: &Key) -> bool {
        if let Some(known) = &mut self.known {
            match known.get_mut(&key.parts) {
                Some(left) if *left > 0 => *left -= 1,
                _ => return false,
            }
        }
        *self.found.entry(key.parts.clone()).or_default() += 1;
        true
    }

    /// Returns the file to write, by path and content, if this run records the problems.
    pub fn written(&self) -> Option<(String, String)> {
        if self.known.is_some() {
            return None;
        }
        let entry = |(key, count): (&Parts, &usize)| {
            let mut entry: serde_json::Map<String, Value> =
                PARTS.iter().zip(key).map(|(name, part)| ((*name).to_owned(), json!(part))).collect();
            entry.insert(String::from("count"), json!(count));
            Value::Object(entry)
        };
        let problems: Vec<Value> = self.found.iter().map(entry).collect();
        let text = serde_json::to_string_pretty(&json!({ "problems": problems })).unwrap_or_default();
        Some((self.path.clone(), text + "\n"))
    }

    /// Returns the fact to report at the end, if there is one.
    pub fn told(&self) -> Option<SessionKind> {
        let found = self.found.values().sum();
        match &self.known {
            None => Some(SessionKind::Recorded { path: Name::from(self.path.as_str()), problems: found }),
            Some(known) => {
                let gone = known.values().sum();
                (found + gone > 0).then_some(SessionKind::Known { found, gone })
            }
        }
    }
}

/// Reads an entry of the file.
fn entry(value: &Value) -> Option<(Parts, usize)> {
    let [file, code, message, line] = PARTS.map(|name| Some(value.get(name)?.as_str()?.to_owned()));
    let count = value.get("count").and_then(Value::as_u64).unwrap_or(1) as usize;
    Some(([file?, code?, message?, line?], count))
}
