//! Finds secrets in a text that has syntax errors, whose terms are therefore incomplete or wrong.
//!
//! In `a ,= { p | secret = "x" }` the parser skips the record, and after a stray `"` what was a string is outside of one.
//! The search reads characters and hides more rather than less: all text from the `=` of a secret field to a place at which
//! the next field must begin.

use crate::text::Name;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// The word that marks a field as secret.
const MARKER: &str = "secret";

/// Returns the names of the fields that the text marks as secret, and the ranges that may contain the value of such a field
/// or of a field with one of the given names. `quoted` are the ranges of strings and comments, in order. One character too
/// many inside or before `secret` does not matter; without names, only such misspelt marks count. `O(text * names)`.
pub(super) fn secrets(
    text: &str,
    quoted: &[Range<usize>],
    known: Option<&FxHashSet<Name>>,
) -> (Vec<Name>, Vec<Range<usize>>) {
    let search = Search { text, quoted, open: open_brackets(text, quoted) };
    let mut names = Vec::new();
    let mut starts = Vec::new();
    for (at, _) in text.match_indices('s') {
        if let Some((end, misspelt)) = search.marker(at)
            && (misspelt || known.is_some())
        {
            names.extend(search.name_before(at).filter(|_| known.is_some()));
            starts.push((end, end));
        }
    }
    for name in known.into_iter().flatten().chain(&names) {
        let occurrences = text.match_indices(name.as_str());
        starts.extend(occurrences.filter_map(|(at, _)| Some((at, search.sign_after(at, name)?))));
    }
    starts.sort_unstable();
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (declaration, from) in starts {
        if ranges.last().is_none_or(|last| last.end <= from) {
            ranges.extend(search.value(declaration, from));
        }
    }
    (names, ranges)
}

/// Returns the ranges of strings in a data text: what is between two quotes of one kind.
pub(super) fn strings(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut open, mut before) = (Vec::new(), None, ' ');
    for (at, c) in text.char_indices() {
        match open {
            Some((quote, start)) if c == quote && (before != '\\' || quote == '\'') => {
                found.push(start..at + 1);
                open = None;
            }
            None if c == '"' || c == '\'' && !before.is_alphanumeric() => open = Some((c, at)),
            _ => {}
        }
        before = if before == '\\' && c == '\\' { ' ' } else { c };
    }
    found
}

/// Returns the ranges of the values of variables in a `.env` text that are, or set a part of, a field with one of the names:
/// `DB__PASSWORD` sets `db.password`. Upper and lower case are equal. A quote that is not closed ends with the text.
/// `O(text * names)`.
pub(super) fn variables(text: &str, names: &FxHashSet<Name>) -> Vec<Range<usize>> {
    let names: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let is_secret = |variable: &str| {
        let variable = variable.to_lowercase();
        // a prefix, as in `APP_PASSWORD`, is not part of the field's name
        let is_name =
            |step: &str, name: &str| step.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('_'));
        variable.split("__").any(|step| names.iter().any(|name| is_name(step, name)))
    };
    let mut ranges = Vec::new();
    let mut at = 0;
    while let Some(line) = text.get(at..).and_then(|rest| rest.split_inclusive('\n').next()) {
        let mut end = at + line.len();
        let assignment = line.trim_start();
        let assignment = assignment.strip_prefix("export").map_or(assignment, str::trim_start);
        let length = assignment.find(|c: char| !in_name(c) && c != '.').unwrap_or(assignment.len());
        let (variable, value) = assignment.split_at(length);
        if is_secret(variable) {
            let given = value.trim_start().strip_prefix('=').unwrap_or(value);
            let start = end - given.len();
            if let Some(opening) = given.find(['"', '\'']) {
                let closing = closing_quote(text, start + opening);
                let rest = text.get(closing..).and_then(|rest| rest.find('\n')).map_or(text.len(), |n| closing + n + 1);
                end = end.max(rest);
            }
            ranges.push(start..end - usize::from(text.get(..end).is_some_and(|all| all.ends_with('\n'))));
        }
        at = end;
    }
    ranges
}

/// Returns the place of the quote that closes the one at a byte, or the end of the text.
fn closing_quote(text: &str, opening: usize) -> usize {
    let mut chars = text.get(opening..).unwrap_or_default().char_indices();
    let quote = chars.next().map(|(_, quote)| quote);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if quote == Some('"') => drop(chars.next()),
            c if Some(c) == quote => return opening + at,
            _ => {}
        }
    }
    text.len()
}

struct Search<'t> {
    text: &'t str,
    quoted: &'t [Range<usize>],
    /// The brackets outside of strings, each with the number of brackets that are open after it.
    open: Vec<(usize, usize)>,
}

fn is_quoted(quoted: &[Range<usize>], at: usize) -> bool {
    let index = quoted.partition_point(|range| range.end <= at);
    quoted.get(index).is_some_and(|range| range.start <= at)
}

fn open_brackets(text: &str, quoted: &[Range<usize>]) -> Vec<(usize, usize)> {
    let brackets = text.match_indices(['{', '(', '[', '}', ')', ']']).filter(|(at, _)| !is_quoted(quoted, *at));
    let depths = brackets.scan(0usize, |depth, (at, bracket)| {
        *depth = if matches!(bracket, "{" | "(" | "[") { *depth + 1 } else { depth.saturating_sub(1) };
        Some((at, *depth))
    });
    depths.collect()
}

fn in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

impl Search<'_> {
    fn rest(&self, at: usize) -> &str {
        self.text.get(at..).unwrap_or_default()
    }

    fn before(&self, at: usize) -> &str {
        self.text.get(..at).unwrap_or_default()
    }

    /// Returns the end of the marker that begins at a byte, and whether it is misspelt: `secret` after a `|`, each with at
    /// most one other character in or before it.
    fn marker(&self, at: usize) -> Option<(usize, bool)> {
        let mut expected = MARKER.chars().peekable();
        let (mut end, mut strays) = (at, 0);
        for c in self.rest(at).chars() {
            match expected.peek() {
                None => break,
                Some(wanted) if *wanted == c => drop(expected.next()),
                Some(_) if strays == 0 => strays = 1,
                Some(_) => return None,
            }
            end += c.len_utf8();
        }
        let is_whole = expected.peek().is_none() && !self.rest(end).starts_with(in_name);
        let mut before = self.before(at).chars().rev().filter(|c| !c.is_whitespace());
        let has_bar = before.next() == Some('|');
        let follows_bar = has_bar || before.next() == Some('|');
        let is_marker = is_whole && follows_bar && !self.before(at).ends_with(in_name);
        is_marker.then_some((end, strays > 0 || !has_bar))
    }

    /// Returns the name of the field whose metadata contains the byte: `p` for `a.p | String | secret`.
    fn name_before(&self, at: usize) -> Option<Name> {
        let before = self.before(at);
        let start = before.rfind(['{', ',', ';']).map_or(0, |sign| sign + 1);
        let path = before.get(start..)?.split(['|', ':', '=']).next()?.trim();
        let name = path.rsplit('.').next()?.trim_matches('"').trim();
        let is_name = !name.is_empty() && name.len() <= 100 && name.chars().all(in_name);
        is_name.then(|| Name::from(name))
    }

    /// Returns the place of the sign that separates the name at a byte from its value: of `:` in `"pw": 1`.
    fn sign_after(&self, at: usize, name: &str) -> Option<usize> {
        let rest = self.rest(at + name.len());
        if self.before(at).ends_with(in_name) || rest.starts_with(in_name) {
            return None;
        }
        let sign = rest.find(['=', ':', ',', ';', '\n', '}'])?;
        // one sign too many may be before it
        let found = rest.get(sign..)?.trim_start_matches([',', ';', '\n', ' ', '}']);
        found.starts_with(['=', ':']).then_some(self.text.len() - found.len())
    }

    /// Returns the value of a field whose declaration contains the byte `declaration`, from the first sign of a value at
    /// or after `from`.
    fn value(&self, declaration: usize, from: usize) -> Option<Range<usize>> {
        let begins = |c: char| matches!(c, '=' | ':' | '"' | '\'' | '[' | '{' | '(' | '`') || c.is_ascii_digit();
        let mut end = self.end_of_value(declaration, from);
        let inside = self.text.get(from..end)?;
        if !inside.contains(begins) && !inside.trim().is_empty() && end < self.text.len() {
            // metadata without a value, unless it was cut in two
            end = self.end_of_value(declaration, end + 1);
        }
        let inside = self.text.get(from..end)?;
        let sign = inside.find(begins)?;
        let value = inside.get(sign..)?.trim_start_matches(['=', ':', '>', ' ']);
        let start = end - value.len();
        let range = start..start + value.trim_end().len();
        (!range.is_empty()).then_some(range)
    }

    /// Returns the first place outside of strings at which the next field begins, or the record ends.
    fn end_of_value(&self, declaration: usize, from: usize) -> usize {
        let indent = self.indent_of_line(declaration);
        let outer = self.open.partition_point(|(at, _)| *at < from);
        let is_inside = outer.checked_sub(1).and_then(|last| self.open.get(last)).is_some_and(|(_, depth)| *depth > 0);
        let mut depth = 0usize;
        for (at, c) in self.rest(from).char_indices() {
            let at = from + at;
            if !matches!(c, '{' | '(' | '[' | '}' | ')' | ']' | ',' | ';' | '\n') || is_quoted(self.quoted, at) {
                continue;
            }
            match c {
                '{' | '(' | '[' => depth += 1,
                '}' | ')' | ']' if depth > 0 => depth -= 1,
                '}' | ')' | ']' if is_inside && self.continues_after_bracket(at + 1) => return at,
                ',' | ';' if depth == 0 && self.begins_field(at + 1, is_inside) => return at,
                '\n' if depth == 0 && self.begins_field(at + 1, is_inside) && self.indent_of_next(at + 1) <= indent => {
                    return at;
                }
                _ => {}
            }
        }
        self.text.len()
    }

    fn indent_of_line(&self, at: usize) -> usize {
        let start = self.before(at).rfind('\n').map_or(0, |end| end + 1);
        self.indent_of_next(start)
    }

    /// Returns the indentation of the next line with text.
    fn indent_of_next(&self, at: usize) -> usize {
        let rest = self.rest(at);
        let text = rest.trim_start();
        let line = rest.len() - text.len();
        rest.get(..line).map_or(0, |blank| blank.len() - blank.rfind('\n').map_or(0, |end| end + 1))
    }

    /// Returns whether a closing bracket before the byte can end the record that contains a secret field.
    fn continues_after_bracket(&self, at: usize) -> bool {
        let rest = self.rest(at).trim_start();
        rest.is_empty() || rest.starts_with([',', ';', '}', ')', ']', '&', '.', '#']) || self.begins_field(at, true)
    }

    /// Returns whether a field begins after a byte, or a record if the place `is_inside` one ends: `a =`, `a.b | `, `"a":`,
    /// `}`.
    fn begins_field(&self, at: usize, is_inside: bool) -> bool {
        let mut rest = self.rest(at).trim_start();
        while let Some(comment) = rest.strip_prefix('#') {
            rest = comment.find('\n').and_then(|end| comment.get(end..)).unwrap_or_default().trim_start();
        }
        if rest.is_empty() || is_inside && rest.starts_with(['}', ')', ']']) {
            return true;
        }
        loop {
            let after = match rest.strip_prefix('"') {
                Some(name) => name.find(['"', '\n']).and_then(|end| name.get(end..)?.strip_prefix('"')),
                None => Some(rest.trim_start_matches(in_name)).filter(|after| after.len() < rest.len()),
            };
            let Some(after) = after else { return false };
            let after = after.trim_start_matches([' ', '\t']);
            match after.strip_prefix('.') {
                Some(next) => rest = next,
                None => return after.starts_with(['=', '|', ':']) && !after.starts_with("=="),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text with each hidden range replaced by `#`.
    fn hidden(text: &str, known: &[&str]) -> String {
        let names: FxHashSet<Name> = known.iter().map(|name| Name::from(*name)).collect();
        let mut out = String::from(text);
        for range in secrets(text, &strings(text), Some(&names)).1.into_iter().rev() {
            out.replace_range(range, "#");
        }
        out
    }

    #[test]
    fn the_value_of_a_variable_is_hidden_whatever_mistakes_its_line_has() {
        let names: FxHashSet<Name> = [Name::from("password"), Name::from("stringData")].into_iter().collect();
        for (text, expected) in [
            ("DB__PASSWORD=x", "DB__PASSWORD=#"),
            ("A=1\nDB__PASSWORD=x\nDB__PASSWORD=y\nB=2\n", "A=1\nDB__PASSWORD=#\nDB__PASSWORD=#\nB=2\n"),
            ("export APP_PASSWORD = \"x\ny\" z\nA=1", "export APP_PASSWORD =#\nA=1"),
            ("PASSWORD=\"x\\\"\ny\"\nA=1", "PASSWORD=#\nA=1"),
            ("PASSWORD='x\nA=1\n", "PASSWORD=#\n"),
            ("PASSWORD x\nA=1", "PASSWORD#\nA=1"),
            ("S__STRINGDATA__K=x", "S__STRINGDATA__K=#"),
            ("PASSWORDS=1\nNOPASSWORD=2\n# PASSWORD", "PASSWORDS=1\nNOPASSWORD=2\n# PASSWORD"),
        ] {
            let mut out = String::from(text);
            for range in variables(text, &names).into_iter().rev() {
                out.replace_range(range, "#");
            }
            assert_eq!(out, expected);
        }
    }

    #[test]
    fn a_marked_value_is_hidden_up_to_the_next_field() {
        for (text, expected) in [
            ("{ a ,= { p | secret = \"x\" }, b = 1 }", "{ a ,= { p | secret = # }, b = 1 }"),
            ("{ p | secret | String = {\" u = \"x\" }, q = \"z", "{ p | secret | String = #"),
            ("{ p | secret | S,tring = \"x\", q = 1", "{ p | secret | S,tring = #, q = 1"),
            ("{ p | secret }} & { q = 1 }", "{ p | secret }} & { q = 1 }"),
            ("{ p | secret ,= \"x\", q = 1 )", "{ p | secret ,= #, q = 1 )"),
            ("{ p | secret = [}\"x\", y], q = 1", "{ p | secret = #], q = 1"),
            ("{ p | secre}t = \"x\",\n  q = 1", "{ p | secre}t = #,\n  q = 1"),
            ("{ p | ,secret = \"x\",\n  q = 1", "{ p | ,secret = #,\n  q = 1"),
            ("{\n  p | secret\n    = \"x\"\n  q = 1", "{\n  p | secret\n    = #\n  q = 1"),
            ("{ p | secrets = 1, q = ", "{ p | secrets = 1, q = "),
            ("{ a = b | secret_key, c = ", "{ a = b | secret_key, c = "),
        ] {
            assert_eq!(hidden(text, &[]), expected, "{text}");
        }
    }

    #[test]
    fn the_value_of_a_secret_name_is_hidden() {
        for (text, expected) in [
            ("{ pw = \"a, b\", c = 1 ", "{ pw = #, c = 1 "),
            ("{ \"pw\": 'x7' }", "{ \"pw\": # }"),
            ("pw: x7\nother: y", "pw: #\nother: y"),
            ("a:\n  pw: |\n    x7\n    x8\n  other: y", "a:\n  pw: #\n  other: y"),
            ("pw:\n- x7\n- x8\nother: y", "pw:#\nother: y"),
            ("pws = 1", "pws = 1"),
            ("{ pw, a = 1 ", "{ pw, a = 1 "),
            ("{ b = a.pw + 1, c = ", "{ b = a.pw + 1, c = "),
        ] {
            assert_eq!(hidden(text, &["pw"]), expected, "{text}");
        }
    }

    #[test]
    fn the_name_of_a_marked_field() {
        for (text, expected) in [
            ("{ p | secret, ", vec!["p"]),
            ("{ x = 1, a.b.\"pass-word\" | String | secret = 1", vec!["pass-word"]),
            ("secret", vec![]),
        ] {
            assert_eq!(secrets(text, &strings(text), Some(&FxHashSet::default())).0, expected, "{text}");
        }
    }
}
