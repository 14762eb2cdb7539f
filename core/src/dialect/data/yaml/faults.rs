//! Finds the cause of a syntax error in YAML.
//!
//! The parser reports the place at which it cannot go on, which is often after the mistake: a missing `:` is noticed on the
//! next line, an unclosed `[` wherever the first `key:` follows. This module looks for the mistake in the text before.

use crate::problem::data::{DataProblem, YamlFault};
use crate::text::{Name, near};
use std::ops::Range;

/// Maximum number of lines above an error that are read to find the indentation that a line may have.
const MOST_LINES: usize = 200;

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
    for line in [Some(here.clone()), before.clone()].into_iter().flatten() {
        let written = text.get(line.clone()).unwrap_or_default();
        if ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|marker| written.starts_with(marker)) {
            return fault(YamlFault::ConflictMarker, line.start..line.start + 7);
        }
    }
    if message.contains("anchor or alias") {
        let sign = text.get(..(at + 1).min(text.len()))?.rfind(['&', '*'])?;
        return fault(YamlFault::NoName(text.get(sign..)?.chars().next()?), sign..sign + 1);
    }
    if message.contains("unknown anchor") {
        return Some(anchor(text, at));
    }
    if let Some(comma) = comma_between_keys(text, &here, at) {
        return fault(YamlFault::CommaBetweenKeys, comma);
    }
    let indent = lines.indent(&here);
    for line in [here.clone(), lines.at(here.end + 1)] {
        let indent = lines.indent(&line);
        if let Some(tab) = text.get(indent.clone()).and_then(|blank| blank.find('\t')) {
            return fault(YamlFault::Tab, indent.start + tab..indent.start + tab + 1);
        }
    }
    if message.contains("invalid indentation") && message.contains("quoted") {
        let open = scan(text, here.end).string.or(scanned_string(text, at))?;
        let quote = text.get(open..)?.chars().next()?;
        let ends = text.get(open + 1..)?.contains(quote);
        return match ends {
            true => fault(YamlFault::StringIndent, lines.content(&lines.at(lines.at(open).end + 1))),
            false => fault(YamlFault::Unclosed("string"), open..open + 1),
        };
    }
    if message.contains("block scalar") && message.contains("line break") {
        let line = text.get(here.clone())?;
        let sign = here.start + line.rfind(['|', '>'])?;
        let rest = text.get(sign + 1..here.end)?;
        let from = sign + 1 + rest.len() - rest.trim_start().len();
        return fault(YamlFault::AfterIndicator, from..here.end.max(from + 1));
    }
    if message.contains("document start") {
        let table = |line: &Range<usize>| {
            let written = text.get(lines.content(line)).unwrap_or_default();
            written.starts_with('[') && written.ends_with(']')
        };
        if let Some(before) = before.clone() {
            if table(&before) {
                return fault(YamlFault::Table, lines.content(&before));
            }
            if text.get(before.clone())?.starts_with('%') {
                return fault(YamlFault::Directive, lines.content(&before));
            }
        }
    }
    if message.contains("escape") || message.contains("hexadecimal") || message.contains("surrogate") {
        let before = text.get(..(at + 2).min(here.end))?.rfind('\\');
        let from = before.filter(|from| *from >= at).or_else(|| unknown_escape(text, at)).or(before)?;
        let digits = text.get(from + 2..here.end)?.chars().take(8).take_while(char::is_ascii_hexdigit).count();
        let digits = if text.get(from + 1..)?.starts_with(['x', 'u', 'U']) { digits } else { 0 };
        let end = text.get(from..)?.char_indices().nth(2).map_or(here.end, |(length, _)| from + length) + digits;
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
        let sign = text.get(at..).and_then(|rest| rest.chars().next()).filter(|c| matches!(c, ',' | ';'));
        if let Some(sign) = sign.filter(|_| text.get(at + 1..here.end).is_some_and(|rest| rest.trim().is_empty())) {
            return fault(YamlFault::AfterValue(sign), at..at + 1);
        }
        if text.get(..at)?.trim_end().ends_with([':']) || text.get(..at)?.trim_end().ends_with(":\"") {
            return fault(YamlFault::ColonInside, at..end_of_word(text, at));
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
    // a bracket on this line that nothing closes is the likelier mistake than what the parser found before it
    let on_this_line = whole.brackets.iter().find(|open| here.contains(open));
    if let Some(open) = scanned.brackets.last().or(on_this_line).copied()
        && (whole.brackets.contains(&open) || matches!(found, Some(']' | '}')))
    {
        let what = if text.get(open..)?.starts_with('[') { "bracket `[`" } else { "brace `{`" };
        return fault(YamlFault::Unclosed(what), open..open + 1);
    }
    if found == Some(',') && !scanned.brackets.is_empty() {
        return fault(YamlFault::EmptyItem, at..at + 1);
    }
    if !scanned.brackets.is_empty() {
        if text.get(at..)?.starts_with("- ") || message.contains("inside a block") {
            return fault(YamlFault::ItemInBraces, at..(at + 1).min(text.len()));
        }
        if message.contains("expected ','") {
            let string = scanned.last_string.filter(|string| *string >= here.start);
            let before = text.get(here.start..at)?;
            let word = here.start + before.trim_end().rfind([' ', ',', '{', '[']).map_or(0, |blank| blank + 1);
            let from = string.unwrap_or(word).min(at);
            return fault(YamlFault::NoComma, from..(from + 1).max(at));
        }
        return None;
    }
    if message.contains("block sequence entries are not allowed")
        && text.get(here.start..at).is_some_and(|before| before.trim_end().ends_with(':'))
    {
        return fault(YamlFault::ListOnKeyLine, at..at + 1);
    }
    if message.contains("expected key") && text.get(here.start..at).is_some_and(|t| t.trim_end().ends_with([']', '}']))
    {
        return fault(YamlFault::AfterBracket, at..lines.content(&here).end.max(at + 1));
    }
    if text.get(here.clone())?.starts_with("--- ") && text.get(here.clone())?.contains(':') {
        return fault(YamlFault::AfterMarker, here.start + 4..lines.content(&here).end);
    }
    if message.contains("unexpected character") {
        let found = text.get(at..)?.chars().next()?;
        return fault(YamlFault::Reserved(found), at..at + found.len_utf8());
    }
    if let Some(second) = second_colon(text, &here, at) {
        let value = text.get(here.clone())?.split_once(": ").map_or("", |(_, value)| value);
        return fault(YamlFault::SecondColon { has_quotes: value.contains('"') && !value.contains('\'') }, second);
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
        let above_line = lines.before(line.start);
        let above = above_line.as_ref().and_then(|above| text.get(lines.content(above)));
        let begins_text = |above: &str| {
            let sign = above.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-'));
            sign.ends_with(": |") || sign.ends_with(": >")
        };
        if above.is_some_and(begins_text) {
            let begins = above_line.as_ref().is_some_and(|above| lines.indent(&line).len() > lines.indent(above).len());
            return match begins && line.start != here.start {
                true => fault(YamlFault::BlockIndent, lines.content(&here)),
                false => fault(YamlFault::BlockText, content),
            };
        }
        if written.starts_with('[') && written.ends_with(']') && !written.contains(',') && line.start != here.start {
            return fault(YamlFault::Table, content);
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
                _ => {
                    if let Some(equals) = written.find(" = ") {
                        let at = content.start + equals + 1;
                        return fault(YamlFault::Equals, at..at + 1);
                    }
                    let after_item = above.is_some_and(|above| above.starts_with("- "));
                    fault(YamlFault::NoColon { after_item }, content)
                }
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
        // the keys of an item are indented like its first one
        let item = text.get(above.clone()).and_then(|above| above.strip_prefix("- "));
        let width = above_indent.len() + if item.is_some_and(|item| item.contains(": ")) && !is_item { 2 } else { 0 };
        if let Some(item) = item.filter(|item| !item.contains(':') && !item.starts_with(['"', '\'', '[', '{']))
            && indent.len() > above_indent.len()
        {
            let start = above.end - item.len();
            return fault(YamlFault::NoColon { after_item: false }, start..above.end);
        }
        let wider = indent.len() > width;
        let counts = (indent.len() as u32, width as u32);
        let level = lines.level(&here);
        return fault(YamlFault::Indent { wider, own: counts.0, above: counts.1, level }, own);
    }
    None
}

/// Returns the place of a comma between two keys on one line, outside of braces: `a: 1, b: 2`. The error is at the comma after a
/// bracket or a string, and otherwise at the second `:`.
fn comma_between_keys(text: &str, line: &Range<usize>, at: usize) -> Option<Range<usize>> {
    let before = text.get(line.start..at)?;
    let rest = text.get(at..line.end)?;
    let scanned = scan(text, at);
    if !scanned.brackets.is_empty() || scanned.string.is_some() || !before.contains(": ") {
        return None;
    }
    let is_key = |key: &str| {
        let key = key.trim();
        let quoted = key.len() > 1 && key.starts_with(['"', '\'']) && key.ends_with(['"', '\'']);
        quoted || !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'))
    };
    let comma = match rest.strip_prefix(',') {
        Some(after) => (is_key(after.split(": ").next()?) && after.contains(": ")).then_some(at),
        None if rest.starts_with(": ") => {
            let comma = before.rfind(',')?;
            is_key(before.get(comma + 1..)?).then_some(line.start + comma)
        }
        None => None,
    }?;
    Some(comma..comma + 1)
}

/// Returns the opening quote of the string that is open at a byte, or of the last one before it.
fn scanned_string(text: &str, at: usize) -> Option<usize> {
    let scanned = scan(text, at);
    scanned.string.or(scanned.last_string)
}

/// Returns the place of a template (`{{ … }}` or `{% … %}`) whose first brace is at a byte or one before it.
pub(in crate::dialect::data) fn template_at(text: &str, at: usize) -> Option<Range<usize>> {
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
                let Some((at, c)) = chars.next().filter(|(_, c)| known(*c)) else { return Some(string + offset) };
                let wanted = match c {
                    'x' => 2,
                    'u' => 4,
                    'U' => 8,
                    _ => 0,
                };
                let rest = text.get(string + at + c.len_utf8()..)?;
                if rest.chars().take(wanted).take_while(char::is_ascii_hexdigit).count() < wanted {
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

    /// Returns the nearest indentation that a line may have according to the lines above it, with the key that has it; `-` for an
    /// item. An item is aligned with items, and a key with keys.
    fn level(&self, line: &Range<usize>) -> Option<(u32, Name)> {
        let own = self.indent(line).len();
        let is_item = starts_item(self.text, &self.content(line));
        let mut found: Option<(usize, &str)> = None;
        let mut limit = usize::MAX;
        let mut above = self.before(line.start);
        for _ in 0..MOST_LINES {
            let Some(line) = above.take() else { break };
            let indent = self.indent(&line).len();
            if indent < limit {
                limit = indent;
                let content = self.text.get(self.content(&line)).unwrap_or_default();
                let (level, written) = match content.strip_prefix("- ") {
                    Some(_) if is_item => (indent, "-"),
                    Some(item) => (indent + content.len() - item.trim_start().len(), item),
                    None if is_item => (indent, ""),
                    None => (indent, content),
                };
                let name = if is_item { written } else { written.split_once(':').map_or("", |(key, _)| key) };
                let is_nearer = |(other, _): (usize, &str)| level.abs_diff(own) < other.abs_diff(own);
                if !name.is_empty() && found.is_none_or(is_nearer) {
                    found = Some((level, name));
                }
            }
            above = self.before(line.start).filter(|_| indent > 0);
        }
        found.map(|(level, name)| (level as u32, Name::new(name)))
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
