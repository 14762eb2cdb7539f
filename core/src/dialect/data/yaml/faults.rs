//! Finds the cause of a syntax error in YAML.
//!
//! The parser reports the place at which it cannot go on, which is often after the mistake: a missing `:` is noticed on the
//! next line, an unclosed `[` wherever the first `key:` follows. This module looks for the mistake in the text before.

use crate::problem::data::{DataProblem, YamlFault};
use crate::text::{Name, near};
use std::ops::Range;

/// Returns the problem, and its place in bytes, for an error that the parser reports at a byte. `O(text)`.
pub(super) fn diagnosed(text: &str, at: usize, message: &str) -> Option<(DataProblem, Range<usize>)> {
    let lines = Lines { text };
    let fault = |fault, range| Some((DataProblem::Yaml(fault), range));
    let (here, before) = (lines.at(at), lines.before(at));
    for line in [Some(here.clone()), before.clone()].into_iter().flatten() {
        if let Some(range) = template(text, &line) {
            return fault(YamlFault::Template, range);
        }
    }
    if message.contains("unknown anchor") {
        return Some(anchor(text, at));
    }
    let indent = lines.indent(&here);
    for line in [here.clone(), lines.at(here.end + 1)] {
        let indent = lines.indent(&line);
        if let Some(tab) = text.get(indent.clone()).and_then(|blank| blank.find('\t')) {
            return fault(YamlFault::Tab, indent.start + tab..indent.start + tab + 1);
        }
    }
    if message.contains("escape") {
        let before = text.get(..(at + 2).min(here.end))?.rfind('\\');
        let from = before.filter(|from| *from >= at).or_else(|| unknown_escape(text, at)).or(before)?;
        let end = text.get(from..)?.char_indices().nth(2).map_or(here.end, |(length, _)| from + length);
        return fault(YamlFault::Escape(Name::new(text.get(from..end)?)), from..end);
    }
    let scanned = scan(text, at);
    if message.contains("quoted scalar") && !message.contains("trailing") {
        let begins = text.get(at..).is_some_and(|rest| rest.starts_with(['"', '\'']));
        let open = if begins { at } else { scanned.string.or(scanned.last_string)? };
        return fault(YamlFault::Unclosed("string"), open..open + 1);
    }
    if message.contains("trailing content") {
        let begins_key = |string: usize| text.get(..string).is_some_and(|text| text.trim_end().ends_with(['{', ',']));
        let in_braces =
            scanned.brackets.last().is_some_and(|open| text.get(*open..).is_some_and(|t| t.starts_with('{')));
        if in_braces && scanned.last_string.is_some_and(begins_key) {
            return fault(YamlFault::NoColonAfterKey, at..end_of_word(text, at));
        }
        return fault(YamlFault::AfterString, at..end_of_word(text, at));
    }
    let found = text.get(at..).and_then(|rest| rest.chars().next());
    if let (None, Some(']' | '}')) = (scanned.brackets.last(), found) {
        return fault(YamlFault::UnopenedBracket, at..at + 1);
    }
    if let (Some(open), Some(found @ (']' | '}'))) = (scanned.brackets.last(), found)
        && let Some(open @ ('[' | '{')) = text.get(*open..).and_then(|rest| rest.chars().next())
        && (open == '[') != (found == ']')
    {
        return fault(YamlFault::WrongClosing { open, found }, at..at + 1);
    }
    let whole = scan(text, text.len());
    if let Some(open) = scanned.brackets.last().copied()
        && (whole.brackets.contains(&open) || matches!(found, Some(']' | '}')))
    {
        let what = if text.get(open..)?.starts_with('[') { "bracket `[`" } else { "brace `{`" };
        return fault(YamlFault::Unclosed(what), open..open + 1);
    }
    if found == Some(',') && !scanned.brackets.is_empty() {
        return fault(YamlFault::EmptyItem, at..at + 1);
    }
    if !scanned.brackets.is_empty() {
        return None;
    }
    if message.contains("unexpected character") {
        let found = text.get(at..)?.chars().next()?;
        return fault(YamlFault::Reserved(found), at..at + found.len_utf8());
    }
    if let Some(second) = second_colon(text, &here, at) {
        return fault(YamlFault::SecondColon, second);
    }
    for line in [before.clone(), Some(here.clone())].into_iter().flatten() {
        let content = lines.content(&line);
        let written = text.get(content.clone())?;
        if written.is_empty() || is_indicator(written) {
            continue;
        }
        if let Some(dash) = written.strip_prefix('-').filter(|rest| !rest.starts_with([' ', '-'])) {
            let is_item = dash.starts_with(|c: char| c.is_alphabetic() || matches!(c, '"' | '\''));
            if is_item {
                return fault(YamlFault::NoBlank('-'), content.start..content.start + 1);
            }
        }
        let above = lines.before(line.start).and_then(|above| text.get(lines.content(&above)));
        if above.is_some_and(|above| above.ends_with(['|', '>']) && above.contains(": ")) {
            return fault(YamlFault::BlockText, content);
        }
        let has_key = written.contains(": ") || written.ends_with(':');
        if has_key || written.starts_with("- ") || written.starts_with(['"', '\'', '[', '{', '&', '*', '!', '|', '>']) {
            continue;
        }
        // of several lines of plain text, the last one may be the key of the next
        let is_complaint = message.contains("simple key") || message.contains("mapping values");
        if is_complaint && line.start != here.start || message.contains("expect ':'") {
            return match written.find(':') {
                Some(colon) if !written.contains("://") => {
                    fault(YamlFault::NoBlank(':'), content.start + colon..content.start + colon + 1)
                }
                _ => fault(YamlFault::NoColon, content),
            };
        }
    }
    let (own, above) = (lines.content(&here), before.map(|line| (lines.indent(&line), lines.content(&line))));
    let (above_indent, above) = above?;
    let (is_item, follows_item) = (starts_item(text, &own), starts_item(text, &above));
    if indent.len() == above_indent.len() && is_item != follows_item {
        return fault(YamlFault::KeysAndItems { is_item }, own);
    }
    if indent.len() != above_indent.len() {
        let wider = indent.len() > above_indent.len();
        let counts = (indent.len() as u32, above_indent.len() as u32);
        return fault(YamlFault::Indent { wider, own: counts.0, above: counts.1 }, own);
    }
    None
}

/// Returns the place of a template (`{{ … }}` or `{% … %}`) whose first brace is at a byte or one before it.
pub(super) fn template_at(text: &str, at: usize) -> Option<Range<usize>> {
    let lines = Lines { text };
    template(text, &lines.at(at))
}

fn template(text: &str, line: &Range<usize>) -> Option<Range<usize>> {
    let written = text.get(line.clone())?;
    for (open, close) in [("{{", "}}"), ("{%", "%}")] {
        if let Some(from) = written.find(open)
            && !written.get(..from)?.contains(['#', '"', '\''])
            && let Some(length) = written.get(from..)?.find(close)
        {
            return Some(line.start + from..line.start + from + length + close.len());
        }
    }
    None
}

/// Returns the problem of an alias at a byte without an anchor.
fn anchor(text: &str, at: usize) -> (DataProblem, Range<usize>) {
    let end = end_of_word(text, at);
    let name = Name::new(text.get(at..end).unwrap_or_default().trim_start_matches('*'));
    let before = text.get(..at).unwrap_or_default();
    let anchors = before.split([' ', '\n', '\t']).filter_map(|word| word.strip_prefix('&')).map(Name::new);
    let known: Vec<Name> = anchors.filter(|anchor| !anchor.is_empty()).collect();
    let near = near(&name, known.iter().map(Name::as_str));
    (DataProblem::Anchor { name, near }, at..end)
}

fn end_of_word(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.find([' ', '\n', '\t', ',', ']', '}', '\r']).unwrap_or(rest.len())
}

/// Returns the first escape sequence that YAML does not know in the double-quoted string at or after a byte.
fn unknown_escape(text: &str, at: usize) -> Option<usize> {
    let string = at + text.get(at..)?.find('"')? + 1;
    let mut chars = text.get(string..)?.char_indices();
    while let Some((offset, c)) = chars.next() {
        match c {
            '"' => return None,
            '\\' => {
                let known = |c: char| c.is_ascii_whitespace() || "0abtnvfre\"/\\N_LPxuU".contains(c);
                if !chars.next().is_some_and(|(_, c)| known(c)) {
                    return Some(string + offset);
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns whether a line is a comment, or begins or ends a document.
fn is_indicator(line: &str) -> bool {
    line.starts_with('#') || line.starts_with("---") || line.starts_with("...") || line.starts_with('%')
}

fn starts_item(text: &str, content: &Range<usize>) -> bool {
    let written = text.get(content.clone()).unwrap_or_default();
    written == "-" || written.starts_with("- ")
}

/// Returns the place of a `:` at a byte if the same line has one before it.
fn second_colon(text: &str, line: &Range<usize>, at: usize) -> Option<Range<usize>> {
    let before = text.get(line.start..at)?;
    let is_second = text.get(at..)?.starts_with(':') && before.contains(": ");
    is_second.then_some(at..at + 1)
}

struct Lines<'t> {
    text: &'t str,
}

impl Lines<'_> {
    /// Returns the line that contains a byte, without the line end.
    fn at(&self, at: usize) -> Range<usize> {
        let at = at.min(self.text.len());
        let start = self.text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
        let rest = self.text.get(start..).unwrap_or_default();
        start..start + rest.find('\n').unwrap_or(rest.len())
    }

    /// Returns the last line before the one of a byte that has text and is not a comment.
    fn before(&self, at: usize) -> Option<Range<usize>> {
        let mut start = self.at(at).start;
        while start > 0 {
            let line = self.at(start - 1);
            let written = self.text.get(line.clone()).unwrap_or_default().trim();
            if !written.is_empty() && !written.starts_with('#') {
                return Some(line);
            }
            start = line.start;
        }
        None
    }

    /// Returns the spaces at the beginning of a line.
    fn indent(&self, line: &Range<usize>) -> Range<usize> {
        line.start..self.content(line).start
    }

    /// Returns a line without the spaces around it and without a comment at its end.
    fn content(&self, line: &Range<usize>) -> Range<usize> {
        let written = self.text.get(line.clone()).unwrap_or_default();
        let start = line.start + written.len() - written.trim_start().len();
        let inside = written.trim();
        let inside = inside.find(" #").and_then(|comment| inside.get(..comment)).unwrap_or(inside).trim_end();
        start..start + inside.len()
    }
}

/// The brackets and strings before an error.
#[derive(Default)]
struct Scanned {
    /// The brackets that are open.
    brackets: Vec<usize>,
    /// The string that is open.
    string: Option<usize>,
    /// The string that was opened last.
    last_string: Option<usize>,
}

/// Finds the brackets and strings that are open at a byte. A bracket counts where a value can begin, and inside brackets.
fn scan(text: &str, until: usize) -> Scanned {
    let mut out = Scanned::default();
    let mut quote = None;
    let mut begins = true;
    let mut before = '\n';
    let mut skip = false;
    for (at, c) in text.char_indices().take_while(|(at, _)| *at < until) {
        if skip {
            skip = c != '\n';
            before = c;
            begins |= c == '\n';
            continue;
        }
        match quote {
            Some('"') if c == '\\' && before != '\\' => {}
            Some(open) if c == open && !(open == '"' && before == '\\') => (quote, out.string) = (None, None),
            Some(_) => {}
            None => match c {
                '#' if before.is_whitespace() => skip = true,
                '"' | '\'' if begins => {
                    (quote, out.string, out.last_string) = (Some(c), Some(at), Some(at));
                }
                '[' | '{' if begins || !out.brackets.is_empty() => out.brackets.push(at),
                ']' | '}' => drop(out.brackets.pop()),
                _ => {}
            },
        }
        begins = match c {
            ' ' | '\t' => begins || matches!(before, ':' | '-' | '?'),
            '\n' | '[' | '{' | ',' => true,
            _ => false,
        };
        before = c;
    }
    out
}
