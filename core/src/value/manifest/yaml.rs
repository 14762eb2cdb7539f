//! Writes YAML in block style, with the choices of libyaml's emitter (no line width, Unicode unescaped).

use super::tree::{Part, Tree, at};
use super::{Style, number, yaml_scalar};
use crate::problem::Problem;
use crate::term::NumberForm;
use crate::text::Name;
use crate::text::path::Step;
use crate::value::datum::{Datum, MASK};
use std::borrow::Borrow;
use std::fmt::Write;

enum Open<T: Tree> {
    /// The elements that are left, and the number of those that were taken.
    Sequence(T::Items, usize),
    /// The fields that are left, and the name of the current one.
    Mapping(std::vec::IntoIter<(T::Key, T::Node)>, Option<T::Key>),
}

struct Level<T: Tree> {
    open: Open<T>,
    /// The column of the entries.
    indent: usize,
    /// Whether the first entry is on the current line, after `- ` or `: `.
    inline: bool,
}

/// Returns the path of the current value.
fn path<T: Tree>(stack: &[Level<T>]) -> Vec<Step> {
    let step = |level: &Level<T>| match &level.open {
        Open::Sequence(_, taken) => Step::Index(taken.saturating_sub(1)),
        Open::Mapping(_, name) => Step::Field(name.as_deref().map_or_else(Name::default, Name::new)),
    };
    stack.iter().map(step).collect()
}

/// The position of a value.
#[derive(Clone, Copy, PartialEq)]
enum Position {
    /// The beginning of the document.
    Root,
    /// After `- ` or, for a long key, `: `; with the column of the mark.
    Mark(usize),
    /// After `key:`; with the column of the key.
    Key(usize),
}

/// Writes a value as one document, with a final line end.
pub(super) fn write<T: Tree>(tree: &mut T, root: T::Node, style: Style, out: &mut String) -> Result<(), Problem> {
    let mut stack: Vec<Level<T>> = Vec::new();
    let mut next = Some((root, Position::Root));
    loop {
        if let Some((value, position)) = next.take() {
            node(tree, value, position, style, &mut stack, out)?;
        }
        let Some(level) = stack.last_mut() else { return Ok(()) };
        let (indent, inline) = (level.indent, std::mem::take(&mut level.inline));
        let entry = match &mut level.open {
            Open::Sequence(items, taken) => {
                *taken += 1;
                tree.next(items).map(|value| (None, value))
            }
            Open::Mapping(fields, name) => fields.next().map(|(key, value)| (Some(&**name.insert(key)), value)),
        };
        let Some((key, value)) = entry else {
            stack.pop();
            continue;
        };
        if !inline {
            tree.pass_on(out)?;
            blanks(indent, out);
        }
        match key {
            None => {
                out.push('-');
                next = Some((value, Position::Mark(indent)));
            }
            Some(key) if key.len() <= 128 && !key.contains(is_break) => {
                scalar(key, true, indent, style, out);
                out.push(':');
                next = Some((value, Position::Key(indent)));
            }
            Some(key) => {
                out.push_str("? ");
                scalar(key, false, indent + 2, style, out);
                end_line(out);
                blanks(indent, out);
                out.push(':');
                next = Some((value, Position::Mark(indent)));
            }
        }
    }
}

fn blanks(count: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', count));
}

fn end_line(out: &mut String) {
    if !out.ends_with('\n') {
        out.push('\n');
    }
}

/// Writes a scalar or an empty collection to the end of its line, or opens a collection.
fn node<T: Tree>(
    tree: &mut T,
    value: T::Node,
    position: Position,
    style: Style,
    stack: &mut Vec<Level<T>>,
    out: &mut String,
) -> Result<(), Problem> {
    // an enum variant is a value with a tag
    let depth = stack.len();
    let (tag, part) = match tree.open(value, depth).map_err(|problem| at(problem, || path(stack)))? {
        Part::Tagged(tag, argument) => {
            (Some(tag), tree.open(argument, depth).map_err(|problem| at(problem, || path(stack)))?)
        }
        part => (None, part),
    };
    let tag = tag.as_deref();
    // The position determines the column of a collection's entries, and whether they begin on this line.
    let mut open = |open: Open<T>, is_sequence: bool, out: &mut String| {
        let (indent, inline) = match position {
            Position::Root => (0, false),
            Position::Mark(column) => (column + 2, tag.is_none()),
            // A sequence under a key is not indented.
            Position::Key(column) => (column + if is_sequence { 0 } else { 2 }, false),
        };
        match (position, tag) {
            (Position::Root, None) => {}
            (Position::Root, Some(tag)) => out.extend([tag, "\n"]),
            (_, Some(tag)) => out.extend([" ", tag, "\n"]),
            (Position::Mark(_), None) => out.push(' '),
            (Position::Key(_), None) => out.push('\n'),
        }
        stack.push(Level { open, indent, inline });
        Ok(())
    };
    let number_text;
    let (leaf, text): (Option<T::Leaf>, &str) = match part {
        Part::Items(items) if tree.len(&items) > 0 => return open(Open::Sequence(items, 0), true, out),
        Part::Fields(fields) if fields.len() > 0 => return open(Open::Mapping(fields, None), false, out),
        Part::Items(_) => (None, "[]"),
        Part::Fields(_) => (None, "{}"),
        Part::Tagged(..) => (None, "null"),
        Part::Leaf(leaf) => (Some(leaf), "null"),
    };
    let text = match leaf.as_ref().map(Borrow::borrow) {
        Some(Datum::Bool(true)) => "true",
        Some(Datum::Bool(false)) => "false",
        Some(Datum::Number(n)) => {
            number_text = number(n, NumberForm::Yaml, style);
            &number_text
        }
        Some(Datum::String(text) | Datum::Tag(text)) => {
            before_scalar(position, tag, out);
            let indent = match position {
                Position::Root => 2,
                Position::Mark(column) | Position::Key(column) => column + 2,
            };
            scalar(text, false, indent, style, out);
            end_line(out);
            return Ok(());
        }
        Some(Datum::Secret) => MASK,
        _ => text,
    };
    before_scalar(position, tag, out);
    out.push_str(text);
    out.push('\n');
    Ok(())
}

/// Writes the tag and the spaces before a scalar.
fn before_scalar(position: Position, tag: Option<&str>, out: &mut String) {
    if position != Position::Root {
        out.push(' ');
    }
    if let Some(tag) = tag {
        out.extend([tag, " "]);
    }
}

/// Returns whether a character ends a line in YAML.
fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Returns whether a character needs no escape.
fn is_printable(c: char) -> bool {
    match c {
        '\n' | ' '..='~' => true,
        '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' => c != '\u{feff}',
        '\u{10000}'..='\u{10ffff}' => true,
        _ => false,
    }
}

/// The styles that the text of a string allows.
struct Allowed {
    plain: bool,
    single_quoted: bool,
    literal: bool,
}

fn analyze(text: &str) -> Allowed {
    let is_blank = |c: Option<char>| c.is_none_or(|c| matches!(c, ' ' | '\t' | '\0') || is_break(c));
    let mut indicator = text.starts_with("---") || text.starts_with("...");
    let (mut special, mut breaks, mut space_break, mut break_space) = (false, false, false, false);
    let mut previous: Option<char> = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let blank_follows = is_blank(chars.peek().copied());
        indicator |= match (previous, c) {
            (None, '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`') => {
                true
            }
            (None, '?' | '-') | (_, ':') => blank_follows,
            (Some(before), '#') => is_blank(Some(before)),
            _ => false,
        };
        special |= !is_printable(c) || matches!(c, '\u{2028}' | '\u{2029}');
        breaks |= is_break(c);
        space_break |= is_break(c) && previous == Some(' ');
        break_space |= c == ' ' && previous.is_some_and(is_break);
        previous = Some(c);
    }
    let leading = text.starts_with(|c| c == ' ' || is_break(c));
    let trailing_space = text.ends_with(' ');
    let trailing = trailing_space || text.ends_with(is_break);
    Allowed {
        plain: !(indicator || special || breaks || leading || trailing),
        single_quoted: !(special || space_break || break_space),
        literal: !(special || space_break || trailing_space),
    }
}

/// Writes a string in the style that suits it. Block text is indented to the column `indent`.
fn scalar(text: &str, is_key: bool, indent: usize, style: Style, out: &mut String) {
    let allowed = analyze(text);
    if text.contains('\n') {
        if allowed.literal && !is_key {
            literal(text, indent, out);
        } else {
            double_quoted(text, out);
        }
    } else if allowed.plain && !reads_otherwise(text) && !(style.portable && yaml_scalar::is_taken(text, is_key)) {
        out.push_str(text);
    } else if allowed.single_quoted {
        out.push('\'');
        out.push_str(&text.replace('\'', "''"));
        out.push('\'');
    } else {
        double_quoted(text, out);
    }
}

/// Returns whether plain text would be read as something other than a string.
fn reads_otherwise(text: &str) -> bool {
    if matches!(text, "" | "~" | "null" | "Null" | "NULL" | "true" | "True" | "TRUE" | "false" | "False" | "FALSE") {
        return true;
    }
    let signless = text.strip_prefix(['+', '-']).unwrap_or(text);
    if signless.len() > 1 && signless.starts_with('0') && signless.bytes().all(|b| b.is_ascii_digit()) {
        return true;
    }
    for (prefix, base) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = signless.strip_prefix(prefix) {
            // A number beyond 128 bits is read as text.
            return !digits.starts_with(['+', '-']) && u128::from_str_radix(digits, base).is_ok();
        }
    }
    match signless {
        ".inf" | ".Inf" | ".INF" => return true,
        ".nan" | ".NaN" | ".NAN" => return signless.len() == text.len(),
        _ => {}
    }
    let positive = text.strip_prefix('+').unwrap_or(text);
    if positive.len() < text.len() && positive.starts_with(['+', '-']) {
        return false;
    }
    positive.parse::<f64>().is_ok_and(f64::is_finite)
}

fn literal(text: &str, indent: usize, out: &mut String) {
    out.push('|');
    if text.starts_with([' ', '\n']) {
        out.push('2');
    }
    if !text.ends_with('\n') {
        out.push('-');
    } else if text == "\n" || text.ends_with("\n\n") {
        out.push('+');
    }
    out.push('\n');
    for line in text.split_inclusive('\n') {
        if line != "\n" {
            blanks(indent, out);
        }
        out.push_str(line);
    }
}

fn double_quoted(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        let short = match c {
            '\0' => '0',
            '\u{7}' => 'a',
            '\u{8}' => 'b',
            '\t' => 't',
            '\n' => 'n',
            '\u{b}' => 'v',
            '\u{c}' => 'f',
            '\r' => 'r',
            '\u{1b}' => 'e',
            '"' => '"',
            '\\' => '\\',
            '\u{85}' => 'N',
            '\u{2028}' => 'L',
            '\u{2029}' => 'P',
            _ if is_printable(c) => {
                out.push(c);
                continue;
            }
            _ => {
                let code = u32::from(c);
                let _ = match code {
                    0..=0xff => write!(out, "\\x{code:02X}"),
                    0x100..=0xffff => write!(out, "\\u{code:04X}"),
                    _ => write!(out, "\\U{code:08X}"),
                };
                continue;
            }
        };
        out.push('\\');
        out.push(short);
    }
    out.push('"');
}
