//! Text with semantic roles: a list of runs, each with a role. The renderer maps roles to colours, or to none.

pub mod layout;
mod parts;
pub mod table;
pub mod wrap;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The role of a run of text. Colour never carries information that the words do not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Role {
    /// Nothing special.
    #[default]
    Plain,
    /// A keyword of the language.
    Keyword,
    /// A number, boolean or null.
    Literal,
    /// A string.
    String,
    /// An enum tag.
    Tag,
    /// A field or variable name where it is defined.
    Name,
    /// A type or contract.
    Type,
    /// An operator or punctuation.
    Operator,
    /// A comment.
    Comment,
    /// A title.
    Heading,
    /// Less important text: the type after a value, a position.
    Dim,
    /// An error.
    Error,
    /// A warning.
    Warning,
    /// A note or a hint.
    Note,
    /// The winning definition of a field.
    Wins,
    /// A losing definition (struck through if the terminal can).
    Lost,
    /// Text that is not in the language.
    Invalid,
}

/// Text in runs with roles. Lines are separated by `\n` inside runs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Styled {
    runs: Vec<(Role, String)>,
}

impl Styled {
    /// Makes an empty text.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes an empty text with room for `runs` runs, so that it is not moved while it grows.
    pub(crate) fn with_capacity(runs: usize) -> Self {
        Styled { runs: Vec::with_capacity(runs) }
    }

    /// Makes a text with one role.
    pub fn of(role: Role, text: impl Into<String>) -> Self {
        let text = text.into();
        Styled { runs: if text.is_empty() { Vec::new() } else { vec![(role, text)] } }
    }

    /// Appends a run, and joins it with the last one if the roles are equal.
    pub fn push(&mut self, role: Role, text: impl AsRef<str>) {
        let text = text.as_ref();
        match self.runs.last_mut() {
            _ if text.is_empty() => {}
            Some((last, run)) if *last == role => run.push_str(text),
            _ => self.runs.push((role, text.to_string())),
        }
    }

    /// Appends plain text.
    pub fn plain(&mut self, text: impl AsRef<str>) {
        self.push(Role::Plain, text);
    }

    /// Appends other styled text.
    pub fn append(&mut self, other: &Styled) {
        for (role, text) in &other.runs {
            self.push(*role, text);
        }
    }

    /// Replaces the text of each run for which `change` returns another one.
    pub(crate) fn change_runs(&mut self, change: impl Fn(&str) -> Option<String>) {
        for (_, text) in &mut self.runs {
            if let Some(changed) = change(text) {
                *text = changed;
            }
        }
    }

    /// Returns the runs in order.
    pub fn runs(&self) -> &[(Role, String)] {
        &self.runs
    }

    /// Returns the text without roles.
    pub fn text(&self) -> String {
        self.runs.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// Returns the width in columns on one line.
    pub fn width(&self) -> usize {
        self.runs.iter().map(|(_, text)| UnicodeWidthStr::width(text.as_str())).sum()
    }

    /// Appends other styled text without copying it.
    pub fn extend(&mut self, other: Styled) {
        let mut runs = other.runs.into_iter();
        if let Some((role, text)) = runs.next() {
            self.push(role, text);
        }
        self.runs.extend(runs);
    }

    /// Like [`Styled::cut`], but does not copy a text that fits.
    pub fn cut_to(self, columns: usize) -> Styled {
        if self.width() <= columns { self } else { self.cut(columns) }
    }

    /// Returns the part of a line that fits into `columns` columns, with `…` if something is left out. Words of types and names stay
    /// whole: `{ a : Str…` could be read as another type.
    pub fn cut(&self, columns: usize) -> Styled {
        self.cut_with(columns, |role| matches!(role, Role::Type | Role::Name | Role::Keyword))
    }

    /// Cuts a line like [`Styled::cut`], and never within a word. Only the first word may be divided.
    pub fn cut_between_words(&self, columns: usize) -> Styled {
        self.cut_with(columns, |_| true)
    }

    /// Cuts a line. Words in runs with a role of `whole` are not divided, unless nothing would be left.
    fn cut_with(&self, columns: usize, whole: impl Fn(Role) -> bool) -> Styled {
        if self.width() <= columns {
            return self.clone();
        }
        let mut out = Styled::new();
        let mut left = columns.saturating_sub(1);
        for (role, text) in &self.runs {
            let mut end = text.len();
            for (at, c) in text.char_indices() {
                match left.checked_sub(UnicodeWidthChar::width(c).unwrap_or(0)) {
                    Some(rest) => left = rest,
                    None => {
                        end = at;
                        break;
                    }
                }
            }
            let (kept, rest) = text.split_at(end);
            let before = kept.trim_end_matches(in_word);
            let is_divided = rest.starts_with(in_word) && before.len() < kept.len();
            let is_start = out.is_empty() && before.is_empty();
            out.push(*role, if is_divided && whole(*role) && !is_start { before } else { kept });
            if !rest.is_empty() {
                out.push(Role::Dim, "…");
                return out;
            }
        }
        out
    }

    /// Cuts a line like [`Styled::cut`], and keeps the place where it differs from the others: if that would be cut off, a part
    /// that both begin with is left out instead. Every list of values that are compared is cut by this rule.
    /// O(characters * others).
    pub fn cut_apart(&self, columns: usize, others: &[Styled]) -> Styled {
        let short = self.cut(columns);
        if self.width() <= columns {
            return short;
        }
        if let Some((value, note)) = self.without_note() {
            let room = columns.checked_sub(note.width()).filter(|room| *room >= 12);
            let mut out = value.cut_apart(room.unwrap_or(columns), others);
            out.append(room.map_or(&Styled::new(), |_| &note));
            return out;
        }
        let own = self.text();
        let differs = |other: &Styled| {
            let other = other.text();
            let same = own.chars().zip(other.chars()).take_while(|(a, b)| a == b);
            let (count, bytes) = same.fold((0, 0), |(count, bytes), (c, _)| (count + 1, bytes + c.len_utf8()));
            // a value that is cut does not differ there from one that is not
            let is_cut = |text: &str| {
                let rest = text.get(bytes..).unwrap_or_default();
                parts::left_out(rest.split([',', ']', '}']).next().unwrap_or_default().trim_end()).is_some()
            };
            (other != own && !is_cut(&own) && !is_cut(&other)).then_some(count)
        };
        let differs = others.iter().filter_map(differs).max();
        match (self.cut_parts(columns, differs), differs) {
            (Some(parts), _) => parts,
            (None, Some(differs)) => self.cut_around(columns, differs),
            (None, None) => short,
        }
    }

    /// Cuts a line so that the character `differs` is shown: if it would be cut off, a part before it is left out.
    pub(super) fn cut_around(&self, columns: usize, differs: usize) -> Styled {
        let short = self.cut(columns);
        if self.width() <= columns || differs < short.text().chars().count().saturating_sub(1) {
            return short;
        }
        let own = self.text();
        // some characters of the beginning, and some before the difference
        let head = columns / 3;
        let room = columns.saturating_sub(head + 1);
        let rest = self.starting_at(differs.saturating_sub(room / 2));
        let mut start = differs.saturating_sub(room / 2);
        if rest.width() < room {
            // the whole end fits, with more before the difference
            let mut left = room;
            let end =
                own.chars().rev().take_while(|c| match left.checked_sub(UnicodeWidthChar::width(*c).unwrap_or(0)) {
                    Some(rest) => {
                        left = rest;
                        true
                    }
                    None => false,
                });
            start = own.chars().count() - end.count();
        }
        // an escape is not divided: `\n`
        let is_escape = |at: usize| {
            let before: String = own.chars().take(at).collect();
            (before.len() - before.trim_end_matches('\\').len()) % 2 == 1
        };
        match is_escape(start) {
            true if start < differs => start += 1,
            true => start -= 1,
            false => {}
        }
        let mut out = self.cut(if is_escape(head) { head } else { head + 1 });
        out.append(&self.starting_at(start).cut(room));
        out
    }

    /// Cuts lines that are compared with each other, each by [`Styled::cut_apart`]. O(characters * lines).
    pub fn cut_all(lines: &[Styled], columns: usize) -> Vec<Styled> {
        lines.iter().map(|line| line.cut_apart(columns, lines)).collect()
    }

    /// Returns the part of a line from a character on.
    fn starting_at(&self, mut start: usize) -> Styled {
        let mut out = Styled::new();
        for (role, text) in &self.runs {
            match text.char_indices().nth(start) {
                Some((at, _)) => {
                    out.push(*role, text.get(at..).unwrap_or_default());
                    start = 0;
                }
                None => start -= text.chars().count(),
            }
        }
        out
    }

    /// Returns whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }
}

/// Returns whether a character belongs to a word of a program or a text.
fn in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '?' | '$')
}

impl From<&str> for Styled {
    fn from(text: &str) -> Self {
        Styled::of(Role::Plain, text)
    }
}

impl From<String> for Styled {
    fn from(text: String) -> Self {
        Styled::of(Role::Plain, text)
    }
}

#[cfg(test)]
mod tests {
    use super::{Role, Styled};

    #[test]
    fn a_line_is_cut_between_characters() {
        let mut line = Styled::of(Role::Literal, "ab");
        line.push(Role::String, "日本");
        let cut = |columns| line.cut(columns).text();
        assert_eq!([cut(6), cut(5), cut(4), cut(1)], ["ab日本", "ab日…", "ab…", "…"]);
    }

    #[test]
    fn words_of_types_are_not_divided() {
        let mut line = Styled::of(Role::Name, "port");
        line.push(Role::Operator, " : ");
        line.push(Role::Type, "Number");
        let cut = |columns| line.cut(columns).text();
        assert_eq!(
            [cut(13), cut(12), cut(8), cut(7), cut(4)],
            ["port : Number", "port : …", "port : …", "port :…", "por…"]
        );
        let text = Styled::from("this is a text");
        assert_eq!([text.cut(7).text(), text.cut_between_words(7).text()], ["this i…", "this …"]);
    }

    #[test]
    fn lines_that_differ_are_cut_so_that_they_look_different() {
        let apart = |own: &str, other: &str| Styled::from(own).cut_apart(12, &[Styled::from(other)]).text();
        for (own, other, shown) in [
            ("short", "other", "short"),
            ("a different beginning", "b different beginning", "a different…"),
            ("registry.example/shop:2.1", "registry.example/shop:2.2", "regi…hop:2.1"),
            ("registry.example/shop:2.1", "registry.example/shop:2.1", "registry.ex…"),
            ("[1, 2, 3, 4, 5, 6, 7, 8, 9]", "[1, 2, 3, 4, 5, 0, 7, 8, 9]", "[…6…]"),
            // the name of a field is that of the value after it
            (r#"{ name = "web", port = 80 }"#, r#"{ name = "web", port = 81 }"#, "…port = 80…"),
            (r#"{ a = [{ b = 1, c = 80 }] }"#, r#"{ a = [{ b = 1, c = 81 }] }"#, "{ …c = 80 }"),
            (r#"[{ name = "w", tag = "1.27" }]"#, r#"[{ name = "w", tag = "1.28" }]"#, "…\"1.27\"…"),
            (
                r#"[{ env = [{ name = "REGION", value = "eu-west-1" }], name = "web" }]"#,
                r#"[{ env = [{ name = "LOG_LEVEL", value = "eu-west-1" }], name = "web" }]"#,
                "…\"REGION\"…",
            ),
            ("日本日本日本日本日本1", "日本日本日本日本日本2", "日本…本日本1"),
            // the other one may have another width
            ("registry.example/shop:2.1", "registry.example/s", "regi…e/shop…"),
            ("registry.example/shop:2.1", "registry.example/shop:2.1-rc", "regi…hop:2.1"),
        ] {
            assert_eq!(apart(own, other), shown, "{own}");
        }
        let lines = ["registry.example/shop:1", "registry.example/shop:2", "x"].map(Styled::from);
        let cut: Vec<String> = Styled::cut_all(&lines, 12).iter().map(Styled::text).collect();
        assert_eq!(cut, ["regi…/shop:1", "regi…/shop:2", "x"]);
    }
}
