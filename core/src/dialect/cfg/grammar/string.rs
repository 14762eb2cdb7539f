//! Strings: escapes, interpolation, the indentation of multi-line strings.

use super::Parser;
use crate::dialect::cfg::problem::CfgProblem;
use crate::dialect::cfg::token::{Kind, Token};
use crate::dialect::cfg::tree::{Chunk, Expr, Id, Spanned};
use crate::text::Name;

/// A part of a string before it is finished.
pub(super) enum Part {
    Text(String),
    Expr(Id, u32),
}

impl Parser<'_> {
    /// Parses a string of any kind as an expression.
    pub(super) fn string(&mut self) -> Id {
        let opening = self.bump();
        if let Some(text) = self.simple_string(opening) {
            let span = self.since(opening.start);
            return self.tree.add(Expr::Str(text), span);
        }
        let mut parts = self.parts(opening);
        if opening.kind != Kind::StrOpen {
            strip_indent(&mut parts);
        }
        let span = self.since(opening.start);
        if opening.kind == Kind::SymbolicOpen {
            let prefix = self.slice(opening).rsplit_once('-').map_or("", |(prefix, _)| prefix);
            return self.tree.add(Expr::Symbolic(Name::new(prefix), chunks(parts)), span);
        }
        if parts.iter().all(|p| matches!(p, Part::Text(_))) {
            let text: String = parts.iter().map(|p| if let Part::Text(t) = p { t.as_str() } else { "" }).collect();
            return self.tree.add(Expr::Str(Name::new(text)), span);
        }
        self.tree.add(Expr::Interp(chunks(parts)), span)
    }

    /// Handles the common case without a copy: a standard string of at most one piece of text.
    fn simple_string(&mut self, opening: Token) -> Option<Name> {
        if opening.kind != Kind::StrOpen && opening.kind != Kind::TagStrOpen {
            return None;
        }
        let text = match (self.kind(), self.peek(1).kind) {
            (Kind::StrClose, _) => "",
            (Kind::StrText, Kind::StrClose) => self.slice(self.token),
            _ => return None,
        };
        if text.contains('\r') {
            return None;
        }
        if self.kind() == Kind::StrText {
            self.bump();
        }
        self.bump();
        Some(Name::new(text))
    }

    /// Parses a string without interpolation: documentation, a path, a tag.
    pub(super) fn static_string(&mut self) -> Spanned {
        let opening = self.bump();
        let name = match self.simple_string(opening) {
            Some(text) => text,
            None => {
                let mut parts = self.parts_of(opening, false);
                if opening.kind == Kind::MultiOpen {
                    strip_indent(&mut parts);
                }
                let text: String = parts.iter().map(|p| if let Part::Text(t) = p { t.as_str() } else { "" }).collect();
                Name::new(text)
            }
        };
        Spanned { name, span: self.since(opening.start) }
    }

    fn parts(&mut self, opening: Token) -> Vec<Part> {
        self.parts_of(opening, true)
    }

    fn parts_of(&mut self, opening: Token, interpolation: bool) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        // one report for each string: `"C:\Users\me"`
        let mut reported = false;
        loop {
            match self.kind() {
                Kind::StrText => {
                    let token = self.bump();
                    let text = self.slice(token);
                    push_text(&mut parts, text, opening.kind == Kind::TagStrOpen);
                }
                Kind::StrEscape => {
                    let token = self.bump();
                    let text = self.slice(token);
                    match escape(text) {
                        Some(c) => push_text(&mut parts, c.encode_utf8(&mut [0; 4]), true),
                        // at the end of the input, the report of the unclosed string is enough
                        None if text.len() > 1 && !reported => {
                            reported = true;
                            let span = self.span_of(token);
                            self.fault(span, CfgProblem::Escape(Name::new(text)));
                        }
                        None => {}
                    }
                }
                Kind::InterpOpen => {
                    if !interpolation {
                        self.unexpected(&["a string without interpolation"]);
                    }
                    let opening = self.open();
                    let expr = self.term();
                    self.close(opening, Kind::InterpClose, &["`}`"]);
                    parts.push(Part::Expr(expr, 0));
                }
                Kind::StrClose => {
                    self.bump();
                    return parts;
                }
                // the input ends in an interpolation
                _ => return parts,
            }
        }
    }
}

fn push_text(parts: &mut Vec<Part>, text: &str, verbatim: bool) {
    if !matches!(parts.last(), Some(Part::Text(_))) {
        parts.push(Part::Text(String::new()));
    }
    let Some(Part::Text(last)) = parts.last_mut() else { return };
    match !verbatim && text.contains('\r') {
        true => last.push_str(&text.replace("\r\n", "\n")),
        false => last.push_str(text),
    }
}

fn chunks(parts: Vec<Part>) -> Box<[Chunk]> {
    parts
        .into_iter()
        .map(|part| match part {
            Part::Text(text) => Chunk::Text(Name::new(text)),
            Part::Expr(expr, indent) => Chunk::Expr(expr, indent),
        })
        .collect()
}

fn escape(text: &str) -> Option<char> {
    let mut rest = text.chars().skip(1);
    Some(match rest.next()? {
        '\'' => '\'',
        '"' => '"',
        '\\' => '\\',
        '%' => '%',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'x' => char::from_u32(u32::from_str_radix(text.get(2..4)?, 16).ok().filter(|c| *c < 0x80)?)?,
        'u' => {
            let digits = text.get(3..text.len().checked_sub(1)?)?;
            if digits.len() > 6 {
                return None;
            }
            char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
        }
        _ => return None,
    })
}

/// Removes the common indentation from every line, and the first and last line if they are blank. An expression at the
/// beginning of its line keeps the rest of its indentation, which is for the further lines of its value. It does not if
/// a second expression follows on the line.
fn strip_indent(parts: &mut [Part]) {
    let common = common_indent(parts);
    let count = parts.len();
    let (mut column, mut line_start) = (0usize, true);
    let mut alone: Option<usize> = None;
    let mut crowded = Vec::new();
    for (index, part) in parts.iter_mut().enumerate() {
        match part {
            Part::Text(text) => {
                let mut out = String::with_capacity(text.len());
                for c in text.chars() {
                    match c {
                        ' ' | '\t' if line_start => {
                            if column >= common {
                                out.push(c);
                            }
                            column += 1;
                        }
                        '\n' => {
                            (column, line_start, alone) = (0, true, None);
                            out.push(c);
                        }
                        _ => {
                            line_start = false;
                            out.push(c);
                        }
                    }
                }
                if index == 0
                    && let Some((first, rest)) = out.split_once('\n')
                    && is_blank(first)
                {
                    out = rest.to_string();
                }
                if index + 1 == count
                    && let Some((rest, last)) = out.rsplit_once('\n')
                    && is_blank(last)
                {
                    out.truncate(rest.len());
                }
                *text = out;
            }
            Part::Expr(_, indent) => {
                if line_start {
                    *indent = column.saturating_sub(common) as u32;
                    line_start = false;
                    alone = Some(index);
                } else if let Some(first) = alone.take() {
                    crowded.push(first);
                }
            }
        }
    }
    for index in crowded {
        if let Some(Part::Expr(_, indent)) = parts.get_mut(index) {
            *indent = 0;
        }
    }
}

fn is_blank(line: &str) -> bool {
    line.bytes().all(|b| b == b' ' || b == b'\t')
}

/// Returns the smallest indentation of the lines that are not blank.
fn common_indent(parts: &[Part]) -> usize {
    let (mut least, mut column, mut line_start) = (usize::MAX, 0, true);
    for part in parts {
        match part {
            Part::Text(text) => {
                for c in text.chars() {
                    match c {
                        ' ' | '\t' if line_start => column += 1,
                        '\n' => (column, line_start) = (0, true),
                        _ if line_start => {
                            least = least.min(column);
                            line_start = false;
                        }
                        _ => {}
                    }
                }
            }
            Part::Expr(..) if line_start => {
                least = least.min(column);
                line_start = false;
            }
            Part::Expr(..) => {}
        }
    }
    least
}
