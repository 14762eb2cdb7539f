//! Finds the cause of a syntax error in TOML.
//!
//! The parser reports the place at which it cannot go on. This module looks at the line of that place, and says what was
//! probably meant.

use crate::problem::data::{DataMistake, DataProblem};
use crate::text::Name;
use std::ops::Range;

/// Returns the problem and its place in bytes for an error that the parser reports at a byte. `context` is the beginning of
/// the construct. `O(line)`, and `O(construct)` for an unclosed one.
pub(super) fn diagnosed(
    text: &str,
    at: usize,
    context: Option<usize>,
    message: &str,
) -> Option<(DataProblem, Range<usize>)> {
    let line = line_at(text, at);
    let written = text.get(line.clone())?;
    let content = line.start + written.len() - written.trim_start().len();
    let trimmed = written.trim();
    let mistake = |mistake, range| Some((DataProblem::Mistake(mistake), range));
    if ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|marker| written.starts_with(marker)) {
        return mistake(DataMistake::ConflictMarker, line.start..line.start + 7);
    }
    if let Some(range) = crate::dialect::data::yaml::template_at(text, at) {
        return mistake(DataMistake::Template, range);
    }
    if trimmed.starts_with("//") || trimmed.starts_with("/*") || trimmed.starts_with(';') || trimmed.starts_with("--") {
        return mistake(DataMistake::Comment(Some('#')), content..content + trimmed.len());
    }
    if let Some(unclosed) = unclosed(text, at, context, message, &line) {
        return Some(unclosed);
    }
    if trimmed.starts_with('[') && !in_value(text, content, at) {
        return header(text, at, content, trimmed, message);
    }
    let of_string = ["escape", "unicode"].iter().any(|word| message.contains(word));
    if message.contains("string") && message.contains("invalid") || of_string {
        return string(text, at, context, message);
    }
    // inside brackets, an element or a pair begins after the last comma
    let open = context
        .filter(|open| text.get(*open..).is_some_and(|t| t.starts_with(['[', '{'])) && *open < at)
        .or_else(|| enclosing(text, content, at));
    let begin = match open {
        Some(open) => {
            let before = text.get(open + 1..at)?;
            let begin = open + 1 + before.rfind([',', '\n']).map_or(0, |comma| comma + 1);
            begin + text.get(begin..at)?.len() - text.get(begin..at)?.trim_start().len()
        }
        None => content,
    };
    let array = open.is_some_and(|open| text.get(open..).is_some_and(|t| t.starts_with('[')));
    if let Some(at) = open.filter(|_| array).and_then(|open| without_comma(text, open, at)) {
        let found = text.get(at..).and_then(|rest| rest.chars().next());
        let end = at + found.map_or(1, char::len_utf8);
        let found = text.get(at..end).map(Name::new);
        let mistake = Some(DataMistake::MissingComma);
        return Some((DataProblem::Unexpected { found, expected: "`,`", mistake }, at..end));
    }
    let equals = text.get(begin..line.end)?.find('=').map(|equals| begin + equals);
    match equals.filter(|equals| *equals < at || array) {
        _ if array => value(text, at, begin, open, line.end, message),
        Some(equals) => value(text, at, equals + 1, open, line.end, message),
        None => key(text, at, begin, equals, line.end),
    }
}

/// Returns the place of an element at a byte that begins a line of an array, if the element before it has no comma after it.
fn without_comma(text: &str, open: usize, at: usize) -> Option<usize> {
    let before = text.get(open + 1..at)?;
    let (above, indent) = before.rsplit_once('\n')?;
    let last =
        above.lines().rev().map(|line| line.split('#').next().unwrap_or("").trim()).find(|line| !line.is_empty())?;
    let is_element = text.get(at..)?.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '"' | '\'' | '{' | '['));
    (indent.trim().is_empty() && is_element && !last.ends_with([',', '['])).then_some(at)
}

/// Returns the line that contains a byte, without the line end.
pub(super) fn line_at(text: &str, at: usize) -> Range<usize> {
    let at = at.min(text.len());
    let start = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let rest = text.get(start..).unwrap_or_default();
    let line = rest.find('\n').map_or(rest, |end| &rest[..end]);
    start..start + line.trim_end_matches('\r').len()
}

/// Returns the innermost bracket of a value that is open at a byte, if it is opened on the same line.
fn enclosing(text: &str, from: usize, at: usize) -> Option<usize> {
    let before = text.get(from..at)?;
    let (mut open, mut quote) = (Vec::new(), None);
    let value = before.find('=')?;
    for (offset, c) in before.char_indices().skip_while(|(offset, _)| *offset < value) {
        match (quote, c) {
            (Some(end), _) if c == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '{') => open.push(from + offset),
            (None, ']' | '}') => drop(open.pop()),
            (None, _) => {}
        }
    }
    open.pop()
}

/// Returns `true` if the line of a byte has a `=` between two bytes, so that what follows is a value.
fn in_value(text: &str, from: usize, at: usize) -> bool {
    text.get(from..at).is_some_and(|before| before.contains('='))
}

/// Finds an opening bracket that is not closed before the next key or header, or before the end.
fn unclosed(
    text: &str,
    at: usize,
    context: Option<usize>,
    message: &str,
    line: &Range<usize>,
) -> Option<(DataProblem, Range<usize>)> {
    let open = context?;
    let bracket = text.get(open..)?.chars().next().filter(|c| matches!(c, '[' | '{'))?;
    if message.contains("table") && bracket == '[' {
        return None;
    }
    let (what, close) = if bracket == '[' { ("array", ']') } else { ("inline table", '}') };
    let written = text.get(line.clone())?;
    let later = !text.get(open..at)?.is_empty() && line.start > open;
    let next = text.get(..at)?.ends_with('\n') || text.get(line.start..at)?.trim().is_empty();
    let key = |part: &str| {
        let name = part.trim();
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '"' | '\''))
    };
    let begins_key = written.split_once('=').is_some_and(|(before, _)| key(before))
        || written.trim_start().starts_with('[') && written.trim_end().ends_with(']') && !written.contains(',');
    if message.contains("unclosed") || later && next && begins_key && (bracket == '[' || message.contains("comma")) {
        return Some((DataProblem::Unclosed(what), open..open + 1));
    }
    let found = text.get(at..)?.chars().next()?;
    if matches!(found, ']' | '}') && found != close {
        return Some((DataProblem::Mistake(DataMistake::WrongClosing(close)), at..at + 1));
    }
    None
}

/// Finds the mistake in the line of a header.
fn header(text: &str, at: usize, start: usize, line: &str, message: &str) -> Option<(DataProblem, Range<usize>)> {
    let end = start + line.len();
    let double = line.starts_with("[[");
    let closed = text.get(at..end).and_then(|rest| rest.find(']')).map(|close| at + close);
    let (what, range) = match closed {
        _ if message.contains("unexpected key or value") => (DataMistake::AfterHeader, at..end),
        _ if message.contains("cannot be empty") || message.contains("missing key") => {
            (DataMistake::EmptyName, at..(at + 1).min(end))
        }
        Some(close) => {
            let name = start + if double { 2 } else { 1 };
            (DataMistake::HeaderName, name..close)
        }
        None => (DataMistake::Header(if double && !line.ends_with(']') { "]]" } else { "]" }), at..(at + 1).min(end)),
    };
    let range = if range.is_empty() { end.saturating_sub(1).max(start)..end } else { range };
    Some((DataProblem::Mistake(what), range))
}

/// Finds the mistake in a string.
fn string(text: &str, at: usize, context: Option<usize>, message: &str) -> Option<(DataProblem, Range<usize>)> {
    let line = line_at(text, at);
    if message.contains("escape") || message.contains("unicode") {
        let before = text.get(line.start..(at + 1).min(text.len()))?;
        let from = line.start + before.rfind('\\')?;
        let rest = text.get(from..)?;
        let hex = |c: char| c.is_ascii_hexdigit();
        let length = match rest.get(1..2) {
            Some("u" | "U" | "x") => 2 + rest.get(2..)?.chars().take(8).take_while(|c| hex(*c)).count(),
            _ => rest.char_indices().nth(2).map_or(rest.len(), |(length, _)| length),
        };
        let range = from..from + length;
        return Some((DataProblem::Escape(text.get(range.clone())?.into()), range));
    }
    let what = if message.contains("multi-line") { "multi-line string" } else { "string" };
    let open = context
        .filter(|open| text.get(*open..).is_some_and(|t| t.starts_with(['"', '\''])))
        .or_else(|| unmatched_quote(text, line.clone()))?;
    let width = if what == "string" { 1 } else { 3 };
    Some((DataProblem::Unclosed(what), open..(open + width).min(text.len())))
}

/// Returns the last quote in a line that nothing closes.
fn unmatched_quote(text: &str, line: Range<usize>) -> Option<usize> {
    let mut open: Option<(usize, char)> = None;
    let mut escaped = false;
    for (offset, c) in text.get(line.clone())?.char_indices() {
        match open {
            Some((_, '"')) if escaped => escaped = false,
            Some((_, '"')) if c == '\\' => escaped = true,
            Some((_, quote)) if c == quote => open = None,
            None if matches!(c, '"' | '\'') => open = Some((line.start + offset, c)),
            None if c == '#' => break,
            _ => {}
        }
    }
    open.map(|(at, _)| at)
}

/// Finds the mistake in a key, which begins at `begin`.
fn key(text: &str, at: usize, begin: usize, equals: Option<usize>, end: usize) -> Option<(DataProblem, Range<usize>)> {
    let before = text.get(begin..equals.unwrap_or(end))?;
    let name = before.trim_end();
    let found = |what, range| Some((DataProblem::Mistake(what), range));
    let unexpected = |what, range: Range<usize>| {
        let found = text.get(range.clone()).map(|found| found.into());
        let problem = DataProblem::Unexpected { found, expected: "`=`", mistake: Some(what) };
        Some((problem, range))
    };
    if name.is_empty() {
        return found(DataMistake::NoKey('='), begin..begin + 1);
    }
    if name.starts_with("- ") || name.ends_with(':') && !text.get(end.min(text.len())..)?.trim_start().is_empty() {
        return found(DataMistake::Yaml, begin..begin + name.len());
    }
    if let Some(colon) = name.find(':') {
        return unexpected(DataMistake::Sign('='), begin + colon..begin + colon + 1);
    }
    if name.starts_with(['`', '\u{201c}', '\u{2018}']) {
        return found(DataMistake::UnquotedKey, begin..begin + name.len());
    }
    match equals {
        Some(_) => found(DataMistake::UnquotedKey, begin..begin + name.len()),
        None => {
            let rest = text.get(at..end)?;
            let word =
                rest.find(char::is_whitespace).unwrap_or(rest.len()).max(rest.chars().next().map_or(0, char::len_utf8));
            let shown = rest.char_indices().nth(20).map_or(word, |(cut, _)| cut.min(word));
            unexpected(DataMistake::MissingSign('='), at..at + shown)
        }
    }
}

/// Finds the mistake in a value, which begins after `from`.
fn value(
    text: &str,
    at: usize,
    from: usize,
    open: Option<usize>,
    end: usize,
    message: &str,
) -> Option<(DataProblem, Range<usize>)> {
    let rest = text.get(from..end)?;
    let start = from + rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let stops: &[char] = if open.is_some() { &[',', ']', '}', '#'] } else { &['#'] };
    let length = text.get(start..end)?.find(stops).unwrap_or(end - start);
    let written = text.get(start..start + length)?.trim_end();
    let found = |what, range| Some((DataProblem::Mistake(what), range));
    let unexpected = |what, range: Range<usize>, expected| {
        let found = text.get(range.clone()).map(|found| found.into());
        Some((DataProblem::Unexpected { found, expected, mistake: Some(what) }, range))
    };
    let here = text.get(at..).and_then(|rest| rest.chars().next());
    let here_end = at + here.map_or(0, char::len_utf8);
    if message.contains("extra `=`") {
        return unexpected(DataMistake::Sign('='), at..here_end, "one `=`");
    }
    if message.contains("extra comma") {
        return found(DataMistake::ExtraComma, at.min(end)..here_end.max(at));
    }
    if written.is_empty() && at >= start {
        let range = if start < end { start..start + 1 } else { from.saturating_sub(1)..from };
        return found(DataMistake::NoValue('='), range);
    }
    // what follows a complete value
    if at > start && (message.contains("unexpected key or value") || message.contains("missing comma")) {
        let before = text.get(..at)?.chars().next_back();
        let after_digit = text.get(start..at)?.ends_with(|c: char| c.is_ascii_digit());
        let next_digit = text.get(here_end..)?.starts_with(|c: char| c.is_ascii_digit());
        return match here {
            Some(',') if after_digit && next_digit => {
                unexpected(DataMistake::DecimalComma, at..here_end, "the line end")
            }
            Some(',' | ';') => unexpected(DataMistake::ExtraSign, at..here_end, "the line end"),
            Some('+' | '*' | '/' | '-') => found(DataMistake::Expression, start..start + written.len()),
            Some(']' | '}' | ')') => found(DataMistake::Unopened, at..here_end),
            Some(c) if matches!(before, Some('"' | '\'')) && (c.is_alphanumeric() || c == '"') => {
                let word = text.get(at..end)?.find([' ', ',', '"', '\'']).unwrap_or(end - at).max(1);
                found(DataMistake::AfterString, at..at + word.min(20))
            }
            _ if text.get(at..end)?.contains('=') && open.is_none() => found(DataMistake::TwoOnLine, at..end),
            _ if open.is_some() => unexpected(DataMistake::MissingComma, at..here_end, "`,`"),
            _ => None,
        };
    }
    // `a = 1 b = 2`, and `[1 2]`: the words of a value without quotes reach to the end
    let second = written.find(char::is_whitespace).map(|blank| start + blank + 1);
    let first = second.map_or(written, |second| &written[..second - 1 - start]);
    let complete = |word: &str| {
        matches!(word, "true" | "false") || !word.is_empty() && word.chars().all(|c| c.is_ascii_digit() || c == '_')
    };
    if let Some(second) = second.filter(|_| complete(first)) {
        let next = text.get(second..start + length)?;
        return match next.trim_start().chars().next() {
            Some('+' | '*' | '/' | '-' | '%') => found(DataMistake::Expression, start..start + written.len()),
            _ if next.contains('=') && open.is_none() => found(DataMistake::TwoOnLine, second..start + written.len()),
            _ if open.is_some() => unexpected(DataMistake::MissingComma, second..second + 1, "`,`"),
            _ => found(DataMistake::Unquoted, start..start + written.len()),
        };
    }
    if let Some(sign) = written.strip_suffix(';').filter(|value| complete(value)) {
        let at = start + sign.len();
        return unexpected(DataMistake::ExtraSign, at..at + 1, "the line end");
    }
    if open.is_some() && first.ends_with(';') {
        let at = start + first.len() - 1;
        return unexpected(DataMistake::MissingComma, at..at + 1, "`,`");
    }
    if written.starts_with([']', '}', ')']) {
        return found(DataMistake::Unopened, start..start + 1);
    }
    let range = start..start + written.len().max(1).min(end - start);
    word(written)
        .and_then(|(what, own)| if own { found(what, range) } else { unexpected(what, range.clone(), "a value") })
}

/// Guesses what was meant by a value that is none. Returns also whether the mistake has a message of its own.
fn word(written: &str) -> Option<(DataMistake, bool)> {
    let digit = |c: char| c.is_ascii_digit();
    let number = written.trim_start_matches(['+', '-']);
    Some(match written {
        "True" | "TRUE" | "False" | "FALSE" => (DataMistake::LowerCase, false),
        "yes" | "no" | "on" | "off" | "Yes" | "No" | "On" | "Off" => (DataMistake::Boolean, false),
        "null" | "nil" | "None" | "Null" | "NULL" | "undefined" => (DataMistake::NoNull, true),
        _ if written.starts_with(['\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}', '`']) => {
            (DataMistake::OtherQuotes, false)
        }
        _ if written.starts_with('\u{a0}') => (DataMistake::Blank, true),
        _ if number.starts_with('.')
            || number.ends_with('.') && number.len() > 1 && digits(&number[..number.len() - 1]) =>
        {
            (DataMistake::Point, false)
        }
        _ if number.ends_with('_') || number.contains("__") => (DataMistake::Underscore, false),
        _ if number.len() > 1 && number.starts_with('0') && digits(number) => (DataMistake::LeadingZero, true),
        _ if number.starts_with(digit) && date(number) => (DataMistake::Date, true),
        _ if number.starts_with(digit) => (DataMistake::NumberText, true),
        _ if written.contains(['(', '$']) => (DataMistake::Expression, true),
        _ => (DataMistake::Unquoted, true),
    })
}

fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Returns whether a text consists of digits with `-`, `/`, `:` or `.` between them, in three groups as in a date.
fn date(text: &str) -> bool {
    let groups: Vec<&str> = text.split(['-', '/', ':']).collect();
    groups.len() == 3 && groups.iter().all(|group| digits(group))
}
