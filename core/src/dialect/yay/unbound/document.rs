//! The lines of a document in which a name has a value elsewhere.

/// Maximum length of a text that is read, in bytes: each unbound name reads it again.
const LONGEST: usize = 64_000;
/// Minimum length of a name for which a longer one is suggested.
const SHORTEST: usize = 3;

/// A line with its indentation and the keys around it.
struct Line<'t> {
    start: usize,
    text: &'t str,
    /// The number of the line, from 1.
    number: usize,
    /// The keys around it, from the outermost. `None` below a directive or in a list.
    around: Option<Vec<&'t str>>,
}

/// The lines of a document.
pub struct Lines<'t>(Vec<Line<'t>>);

impl<'t> Lines<'t> {
    /// Reads the lines of a text. None if it is too long. `O(text)`, and the depth of a line for each.
    pub fn of(text: &'t str) -> Self {
        let text = if text.len() > LONGEST { "" } else { text };
        let mut lines = Vec::new();
        // the lines around, with their indentation and the key that each of them is
        let mut open: Vec<(usize, Option<&str>)> = Vec::new();
        let mut start = 0;
        for (index, whole) in text.split_inclusive('\n').enumerate() {
            let line = whole.trim();
            let here = start;
            start += whole.len();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let indent = whole.len() - whole.trim_start_matches(' ').len();
            while open.last().is_some_and(|(outer, _)| *outer >= indent) {
                open.pop();
            }
            let around = open.iter().map(|(_, key)| *key).collect();
            lines.push(Line { start: here, text: line, number: index + 1, around });
            open.push((indent, key(line)));
        }
        Lines(lines)
    }

    /// Returns where a name has a value that cannot be read by its name alone on the line that begins at `start`.
    pub fn elsewhere(&self, start: usize, name: &str) -> Option<String> {
        for line in self.0.iter().filter(|line| line.start != start) {
            let rest = line.text.trim_start_matches('%').trim_start();
            if let Some((names, _)) = rest.strip_prefix("for ").and_then(|rest| rest.split_once(" in "))
                && names.split(',').any(|own| own.trim() == name)
            {
                return Some(format!("`{name}` has a value only inside of the `for` on line {}", line.number));
            }
            let bound = rest.strip_prefix("set ").or_else(|| rest.strip_prefix("let "));
            if let Some((own, _)) = bound.and_then(|rest| rest.split_once('='))
                && own.trim() == name
                && let Some(outer) = line.around.as_ref().and_then(|around| around.last())
            {
                let number = line.number;
                return Some(format!(
                    "`{name}` is bound inside of `{outer}` on line {number}, and has a value only there"
                ));
            }
        }
        let mut paths = self.0.iter().filter(|line| key(line.text) == Some(name)).map(|line| line.around.as_ref());
        // one that is in a list, below a directive or at the top has no such path
        let (Some(Some(around)), None) = (paths.next(), paths.next()) else { return None };
        (!around.is_empty()).then(|| format!("did you mean `{}.{name}`?", around.join(".")))
    }

    /// Returns the only key of the document that begins with a name, or that a name begins with.
    pub fn longer(&self, name: &str) -> Option<&'t str> {
        let is_it = |key: &&str| {
            key.len().min(name.len()) >= SHORTEST && *key != name && (key.starts_with(name) || name.starts_with(*key))
        };
        let top = self.0.iter().filter(|line| line.around.as_ref().is_some_and(Vec::is_empty));
        let mut found = top.filter_map(|line| key(line.text)).filter(is_it);
        found.next().filter(|first| found.all(|other| other == *first))
    }
}

/// Returns the key of a line: `port: 80`, `port:`.
fn key(line: &str) -> Option<&str> {
    let (name, rest) = line.split_once(':')?;
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_') && name.chars().all(super::is_of_name);
    (is_name && (rest.is_empty() || rest.starts_with(' '))).then_some(name)
}
