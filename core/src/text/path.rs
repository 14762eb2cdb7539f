//! Paths into a value: `a.b.c`, `a[0]` or `a.0`, `a."b c"`.

use super::{Name, write_name};
use std::fmt::{self, Write};

/// A path from a value to one of its parts.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct FieldPath {
    /// The steps, the outermost first; none for the value itself.
    pub steps: Vec<Step>,
}

/// One step of a [`FieldPath`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// A field of a record.
    Field(Name),
    /// An element of an array. On a record it means the field of that name, so that `a.0` reaches both.
    Index(usize),
}

/// The reason why a text is not a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathError {
    /// Byte offset of the fault in the text.
    pub at: usize,
    /// The kind of fault.
    pub what: PathFault,
}

/// A fault in the syntax of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathFault {
    /// A name is missing: `a..b`, `.a`, `a.`, or nothing at all.
    NameMissing,
    /// A string without its closing quote.
    Unclosed,
    /// A backslash in front of something that it does not escape.
    Escape,
    /// `[` without a number and `]`.
    Index,
    /// Something that is not part of a path.
    Unexpected,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.what {
            PathFault::NameMissing => "a field name is missing",
            PathFault::Unclosed => "the quoted name is not closed",
            PathFault::Escape => "unknown escape in a quoted name",
            PathFault::Index => "an index is a number between brackets: `[0]`",
            PathFault::Unexpected => "a path is names with dots between them; odd names are quoted",
        })
    }
}

impl std::error::Error for PathError {}

impl FieldPath {
    /// Returns the path of the value itself, which has no steps.
    pub fn root() -> FieldPath {
        FieldPath::default()
    }

    /// Parses a whole text as a path. Blanks around it are ignored; an empty text is an error.
    pub fn parse(text: &str) -> Result<FieldPath, PathError> {
        let (path, end) = FieldPath::parse_prefix(text)?;
        let rest = text[end..].trim_end();
        if rest.is_empty() { Ok(path) } else { Err(PathError { at: end, what: PathFault::Unexpected }) }
    }

    /// Parses a path at the beginning of a text, after blanks. Returns the path and the offset of its end.
    pub fn parse_prefix(text: &str) -> Result<(FieldPath, usize), PathError> {
        let mut reader = Reader { text, at: text.len() - text.trim_start().len() };
        let mut steps = Vec::new();
        if reader.peek() != Some('[') {
            steps.push(reader.name()?);
        }
        loop {
            match reader.peek() {
                Some('.') => {
                    reader.at += 1;
                    steps.push(reader.name()?);
                }
                Some('[') => steps.push(reader.index()?),
                _ => return Ok((FieldPath { steps }, reader.at)),
            }
        }
    }

    /// Returns the path with one more step.
    pub fn then(&self, step: Step) -> FieldPath {
        let mut steps = self.steps.clone();
        steps.push(step);
        FieldPath { steps }
    }
}

impl From<&[Name]> for FieldPath {
    fn from(names: &[Name]) -> FieldPath {
        FieldPath { steps: names.iter().cloned().map(Step::Field).collect() }
    }
}

/// Names are quoted where they need it, so that the text reads back to the same path.
impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.steps.iter().enumerate() {
            match step {
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Field(name) => {
                    if i > 0 {
                        f.write_char('.')?;
                    }
                    // the result of a cell, as it is typed
                    match name.strip_prefix('$') {
                        Some(n) if i == 0 && !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()) => {
                            f.write_str(name)?
                        }
                        _ => write_name(name, f)?,
                    }
                }
            }
        }
        Ok(())
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn fail<T>(&self, what: PathFault) -> Result<T, PathError> {
        Err(PathError { at: self.at, what })
    }

    fn name(&mut self) -> Result<Step, PathError> {
        if self.peek() == Some('"') {
            return self.quoted();
        }
        let rest = &self.text[self.at..];
        let end = rest
            .find(|c: char| c.is_whitespace() || matches!(c, '.' | '[' | ']' | '"' | '=' | '{' | '}' | '(' | ')' | ','))
            .unwrap_or(rest.len());
        let name = &rest[..end];
        if name.is_empty() {
            return self.fail(PathFault::NameMissing);
        }
        self.at += end;
        Ok(number(name).map_or_else(|| Step::Field(Name::new(name)), Step::Index))
    }

    fn quoted(&mut self) -> Result<Step, PathError> {
        let start = self.at;
        self.at += 1;
        let mut name = String::new();
        loop {
            let Some(c) = self.peek() else {
                return Err(PathError { at: start, what: PathFault::Unclosed });
            };
            self.at += c.len_utf8();
            match c {
                '"' => return Ok(Step::Field(Name::new(name))),
                '\\' => {
                    let escaped = match self.peek() {
                        Some('n') => '\n',
                        Some('r') => '\r',
                        Some('t') => '\t',
                        Some(c @ ('"' | '\\' | '%' | '\'')) => c,
                        _ => {
                            self.at -= 1;
                            return self.fail(PathFault::Escape);
                        }
                    };
                    self.at += 1;
                    name.push(escaped);
                }
                _ => name.push(c),
            }
        }
    }

    fn index(&mut self) -> Result<Step, PathError> {
        let rest = &self.text[self.at + 1..];
        let Some(end) = rest.find(']') else { return self.fail(PathFault::Index) };
        let inner = rest[..end].trim();
        // a["b c"] is a field too
        if inner.starts_with('"') {
            self.at += 1 + (rest[..end].len() - rest[..end].trim_start().len());
            let step = self.quoted()?;
            let after = &self.text[self.at..];
            let blank = after.len() - after.trim_start().len();
            if !after[blank..].starts_with(']') {
                return self.fail(PathFault::Index);
            }
            self.at += blank + 1;
            return Ok(step);
        }
        match inner.parse::<usize>() {
            Ok(index) if inner.bytes().all(|b| b.is_ascii_digit()) => {
                self.at += end + 2;
                Ok(Step::Index(index))
            }
            _ => self.fail(PathFault::Index),
        }
    }
}

/// Parses a name that is an index in its printed form: `0`, `12`, but not `01`.
fn number(name: &str) -> Option<usize> {
    let index = name.parse::<usize>().ok()?;
    (index.to_string() == name).then_some(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_read_and_print() {
        for (text, shown) in [
            ("a", "a"),
            (" a.b.c ", "a.b.c"),
            ("a[0]", "a[0]"),
            ("a.0", "a[0]"),
            (r#"a[0]."b c".1"#, r#"a[0]."b c"[1]"#),
            ("[2].x", "[2].x"),
            ("a[0][1].b", "a[0][1].b"),
            (r#"a."b c""#, r#"a."b c""#),
            (r#"a["b c"].d"#, r#"a."b c".d"#),
            (r#""0".x"#, r#""0".x"#),
            (r#""a\"b\\c\n""#, r#""a\"b\\c\n""#),
            (r#""""#, r#""""#),
            ("a.01", r#"a."01""#),
            ("foo-bar._x'", "foo-bar._x'"),
            ("größe.x", r#""größe".x"#),
            ("a.$port", r#"a."$port""#),
            ("$12.$1", r#"$12."$1""#),
            ("$x", r#""$x""#),
        ] {
            let path = FieldPath::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(path.to_string(), shown);
            assert_eq!(FieldPath::parse(shown).as_ref(), Ok(&path), "{shown} reads back");
        }
    }

    #[test]
    fn what_is_no_path_says_where() {
        for (text, at, what) in [
            ("", 0, PathFault::NameMissing),
            ("a..b", 2, PathFault::NameMissing),
            ("a.", 2, PathFault::NameMissing),
            (".a", 0, PathFault::NameMissing),
            ("a[x]", 1, PathFault::Index),
            ("a[-1]", 1, PathFault::Index),
            ("a[0", 1, PathFault::Index),
            ("a[\"x]", 2, PathFault::Unclosed),
            ("a.\"b", 2, PathFault::Unclosed),
            ("\"\\q\"", 1, PathFault::Escape),
            ("a b", 1, PathFault::Unexpected),
            ("a]", 1, PathFault::Unexpected),
            ("a[99999999999999999999]", 1, PathFault::Index),
        ] {
            assert_eq!(FieldPath::parse(text), Err(PathError { at, what }), "{text}");
        }
    }
}
