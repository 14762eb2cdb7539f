//! The inputs of this kernel's life, as `history_request` asks for them: a range, the last ones, those that match.

use crate::request::Request;
use serde_json::{Value, json};

/// The number of this kernel's session: there are no others.
const SESSION: i64 = 1;
/// More inputs than these are not kept.
const MOST: usize = 100_000;

/// What was executed and kept.
#[derive(Default)]
pub struct History {
    entries: std::collections::VecDeque<Entry>,
}

struct Entry {
    line: i64,
    input: String,
    output: Option<String>,
}

impl History {
    /// Keeps an input and the text of its result.
    pub fn push(&mut self, line: u32, input: &str, output: Option<String>) {
        if self.entries.len() >= MOST {
            self.entries.pop_front();
        }
        self.entries.push_back(Entry { line: line.into(), input: String::from(input), output });
    }

    /// Answers a request.
    pub fn answer(&self, request: &Request) -> Value {
        let number = request.number("n").and_then(|n| usize::try_from(n).ok());
        let found: Vec<&Entry> = match request.text("hist_access_type") {
            Some("range") => self.range(request),
            Some("search") => {
                let pattern: Vec<char> = request.text("pattern").unwrap_or("*").chars().collect();
                let mut all: Vec<&Entry> = self.entries.iter().filter(|e| matches(&pattern, &e.input)).collect();
                if request.flag("unique", false) {
                    let mut known = std::collections::HashSet::new();
                    all.reverse();
                    all.retain(|e| known.insert(&e.input));
                    all.reverse();
                }
                all
            }
            // `tail`; who asks for nothing known gets the last ones
            _ => self.entries.iter().collect(),
        };
        let skipped = match request.text("hist_access_type") {
            Some("range") => 0,
            _ => number.map_or(0, |n| found.len().saturating_sub(n)),
        };
        let output = request.flag("output", false);
        let shown = found.into_iter().skip(skipped).map(|e| match output {
            true => json!([SESSION, e.line, [e.input, e.output]]),
            false => json!([SESSION, e.line, e.input]),
        });
        json!({ "status": "ok", "history": shown.collect::<Vec<_>>() })
    }

    /// The lines from `start` up to `stop`, without that; a `session` counts from 1, or back from this one: 0.
    fn range(&self, request: &Request) -> Vec<&Entry> {
        let (start, stop) = (request.number("start").unwrap_or(0), request.number("stop").unwrap_or(i64::MAX));
        match request.number("session").unwrap_or(0) {
            0 | SESSION => self.entries.iter().filter(|e| start <= e.line && e.line < stop).collect(),
            _ => Vec::new(),
        }
    }
}

/// Whether a text matches a pattern of `*` and `?`. O(pattern × text).
fn matches(pattern: &[char], text: &str) -> bool {
    // the ends of the parts of the pattern that match what was read so far
    let mut ends = vec![false; pattern.len() + 1];
    let mut step = |c: Option<char>| {
        let mut next = vec![false; ends.len()];
        if c.is_none()
            && let Some(first) = next.first_mut()
        {
            *first = true;
        }
        for (at, p) in pattern.iter().enumerate() {
            let (before, here, left) = (ends.get(at), ends.get(at + 1), next.get(at).copied());
            let on = match p {
                '*' => left == Some(true) || (c.is_some() && here == Some(&true)),
                '?' => c.is_some() && before == Some(&true),
                p => c == Some(*p) && before == Some(&true),
            };
            if let Some(slot) = next.get_mut(at + 1) {
                *slot = on;
            }
        }
        ends = next;
    };
    step(None);
    text.chars().for_each(|c| step(Some(c)));
    ends.last() == Some(&true)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn globs() {
        for (pattern, text, fits) in [
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("a*c", "abbc", true),
            ("a*c", "abcd", false),
            ("*b*", "abc", true),
            ("a?c", "aéc", true),
            ("a?c", "ac", false),
            ("**", "x", true),
            ("?", "", false),
        ] {
            assert_eq!(matches(&pattern.chars().collect::<Vec<_>>(), text), fits, "{pattern} {text}");
        }
    }
}
