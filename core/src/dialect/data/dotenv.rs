//! `.env` files: a line `NAME=value` each. Every value is a string.
//!
//! A value ends at the line end or at a `#` after a space. In single quotes every character stands for itself. In double
//! quotes `\n`, `\r`, `\t`, `\"`, `\\` and `\$` are escapes. Both may go over several lines. `export` before a name is
//! ignored. Variables in a value (`$HOME`) are not replaced. The last definition of a name counts.

use super::build::{Build, Entry};
use crate::dialect::{Program, Stop};
use crate::problem::Severity;
use crate::problem::data::{DataMistake, DataProblem};
use crate::term::Node;
use crate::text::{Name, SourceId};
use indexmap::IndexMap;

struct Reader<'a> {
    text: &'a str,
    at: usize,
    build: Build,
    entries: IndexMap<Name, Entry>,
}

/// Reads a `.env` text. Linear in its length. An error skips the line.
pub(super) fn read(source: SourceId, text: &str, stop: Stop<'_>) -> Program {
    let mut reader = Reader { text, at: 0, build: Build::new(source), entries: IndexMap::new() };
    if text.starts_with('\u{feff}') {
        reader.at = '\u{feff}'.len_utf8();
    }
    while reader.at < text.len() {
        if stop.is_asked() {
            return Build::stopped(source);
        }
        if !reader.line() {
            break;
        }
    }
    let Reader { mut build, entries, .. } = reader;
    let span = build.span(0, text.len());
    let root = match entries.is_empty() {
        true => build.node(Node::Null, span),
        false => build.record(entries.into_values().collect(), span, true),
    };
    build.finish(root)
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn skip(&mut self, skipped: impl Fn(char) -> bool) {
        self.at += self.rest().find(|c| !skipped(c)).unwrap_or(self.rest().len());
    }

    /// Reports an unexpected character and skips the line. Returns `false` after too many errors.
    fn unexpected(&mut self, expected: &'static str, mistake: Option<DataMistake>) -> bool {
        let found = self.rest().chars().next().filter(|c| *c != '\n');
        let span = self.build.span(self.at, self.at + found.map_or(0, char::len_utf8));
        let found = found.map(|c| Name::from(c.to_string()));
        let proceed = self.build.error(DataProblem::Unexpected { found, expected, mistake }, span);
        self.skip(|c| c != '\n');
        proceed
    }

    /// Reads a line, or several if a value in quotes has line ends. Returns `false` after too many errors.
    fn line(&mut self) -> bool {
        self.skip(char::is_whitespace);
        if self.rest().starts_with('#') {
            self.skip(|c| c != '\n');
            return true;
        }
        if let Some(rest) = self.rest().strip_prefix("export")
            && rest.starts_with([' ', '\t'])
        {
            self.at += "export".len();
            self.skip(|c| matches!(c, ' ' | '\t'));
        }
        let start = self.at;
        if start == self.text.len() {
            return true;
        }
        self.skip(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-'));
        let name_span = self.build.span(start, self.at);
        let Some(name) = self.text.get(start..self.at).filter(|name| !name.is_empty()).map(Name::new) else {
            return self.unexpected("the name of a variable", None);
        };
        self.skip(|c| matches!(c, ' ' | '\t'));
        if !self.rest().starts_with('=') {
            return self.unexpected("`=`", Some(DataMistake::Variable));
        }
        self.at += 1;
        self.skip(|c| matches!(c, ' ' | '\t'));
        let start = self.at;
        let value = match self.rest().chars().next() {
            Some(quote @ ('"' | '\'')) => match self.quoted(quote) {
                Some(value) => value,
                None => return false,
            },
            _ => self.plain(),
        };
        let span = self.build.span(start, self.at);
        let value = self.build.node(Node::Str(Name::from(value)), span);
        self.skip(|c| matches!(c, ' ' | '\t' | '\r'));
        if !self.rest().is_empty() && !self.rest().starts_with(['\n', '#']) {
            return self.unexpected("the end of the line", Some(DataMistake::QuotedLine));
        }
        self.skip(|c| c != '\n');
        let entry = Entry { name: name.clone(), name_span, value, merges: false };
        if let Some(first) = self.entries.insert(name.clone(), entry) {
            let what = DataProblem::Duplicate { name, first: first.name_span, merged: false };
            return self.build.problem(what, Severity::Warning, name_span);
        }
        true
    }

    fn plain(&mut self) -> String {
        let line = self.rest().split('\n').next().unwrap_or("");
        let end = line.char_indices().find(|(at, c)| {
            *c == '#' && line.get(..*at).is_some_and(|before| before.is_empty() || before.ends_with([' ', '\t']))
        });
        let value = String::from(line.get(..end.map_or(line.len(), |(at, _)| at)).unwrap_or(line).trim_end());
        self.at += value.len();
        value
    }

    /// Reads a value in quotes. `None` if the quote is not closed, which is reported.
    fn quoted(&mut self, quote: char) -> Option<String> {
        let start = self.at;
        let mut out = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                c if c == quote => {
                    self.at += at + 1;
                    return Some(out);
                }
                '\\' if quote == '"' => match chars.next() {
                    Some((_, 'n')) => out.push('\n'),
                    Some((_, 'r')) => out.push('\r'),
                    Some((_, 't')) => out.push('\t'),
                    Some((_, c @ ('"' | '\\' | '$'))) => out.push(c),
                    Some((_, c)) => out.extend(['\\', c]),
                    None => break,
                },
                c => out.push(c),
            }
        }
        let span = self.build.span(start, start + 1);
        self.build.error(DataProblem::Unclosed("value"), span);
        self.at = self.text.len();
        None
    }
}

/// Writes a line of a `.env` text that reads back to this name and value.
pub fn line(name: &str, value: &str) -> String {
    let plain = |c: char| !c.is_whitespace() && !matches!(c, '"' | '\'' | '#' | '\\' | '$');
    if value.chars().all(plain) {
        return format!("{name}={value}\n");
    }
    let mut out = format!("{name}=\"");
    for c in value.chars() {
        match c {
            '"' | '\\' | '$' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out.push_str("\"\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::FieldName;

    /// Returns the names and values, and the codes of the problems.
    fn shown(text: &str) -> (Vec<(String, String)>, Vec<&'static str>) {
        let program = read(SourceId(0), text, Stop::NEVER);
        let codes = program.problems.iter().map(|problem| problem.code()).collect();
        let Node::Record(record) = program.term.node(program.term.root) else { return (Vec::new(), codes) };
        let entry = |field: &crate::term::FieldDef| match (&field.name, field.body.map(|id| program.term.node(id))) {
            (FieldName::Static(name), Some(Node::Str(value))) => (name.to_string(), value.to_string()),
            other => panic!("{other:?}"),
        };
        (record.fields.iter().map(entry).collect(), codes)
    }

    #[test]
    fn lines_are_names_with_strings() {
        let text = "# first\nA=1\nexport B = two words # not this\nC='$x\\n' \nD=\"a\\n\\$b\"\nE=\nF=a#b\n\nG=\"x\ny\"";
        let expected =
            [("A", "1"), ("B", "two words"), ("C", "$x\\n"), ("D", "a\n$b"), ("E", ""), ("F", "a#b"), ("G", "x\ny")];
        let expected: Vec<(String, String)> = expected.map(|(a, b)| (a.into(), b.into())).into();
        assert_eq!(shown(text), (expected, Vec::new()));
    }

    #[test]
    fn errors_skip_a_line_and_a_duplicate_is_a_warning() {
        let pair = |a: &str, b: &str| (String::from(a), String::from(b));
        assert_eq!(shown("=1\nA=2"), (vec![pair("A", "2")], vec!["data/unexpected"]));
        assert_eq!(shown("A 1\nB=2"), (vec![pair("B", "2")], vec!["data/unexpected"]));
        assert_eq!(shown("A=1\nA=2"), (vec![pair("A", "2")], vec!["data/duplicate-key"]));
        assert_eq!(shown("A=\"x"), (Vec::new(), vec!["data/unclosed"]));
        assert_eq!(shown("# nothing\n"), (Vec::new(), Vec::new()));
    }

    proptest::proptest! {
        #[test]
        fn a_written_line_reads_back(value in "[a-z0-9 #'\"\\\\$\n\t=é]{0,12}") {
            let (entries, problems) = shown(&line("NAME", &value));
            proptest::prop_assert_eq!(entries, vec![(String::from("NAME"), value)]);
            proptest::prop_assert!(problems.is_empty());
        }
    }
}
