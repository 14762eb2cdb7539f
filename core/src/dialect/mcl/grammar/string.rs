//! Strings: escapes and interpolation.

use super::Parser;
use crate::dialect::mcl::problem::{MclProblem, Meant};
use crate::dialect::mcl::token::{Kind, Token};
use crate::dialect::mcl::tree::{Expr, Id, Piece, Spanned};
use crate::text::{Name, Span};

impl<const N: bool> Parser<'_, N> {
    /// Parses a string expression.
    pub(super) fn string(&mut self) -> Id {
        let next = self.peek(1);
        if self.slice(self.token) == "\"\"" && next.kind == Kind::Str && next.start == self.token.end {
            return self.triple();
        }
        let token = self.bump();
        let pieces = self.pieces(token);
        let plain = self.plain_variable(token).map(Box::new);
        let span = self.span_of(token);
        self.tree.add(Expr::Str(pieces.into(), plain), span)
    }

    /// Parses `"""…"""` of other languages, which is reported.
    fn triple(&mut self) -> Id {
        let start = self.token.start;
        self.unexpected_as(&["a text"], Some(Meant::TripleQuotes));
        let mut end = self.token.end;
        while self.kind() == Kind::Str && self.token.start <= end {
            end = self.token.end;
            self.bump();
        }
        let span = self.since(start);
        self.tree.add(Expr::Hole, span)
    }

    /// Parses the path of an import. It has neither variables nor escapes, as in mgmt.
    pub(super) fn path(&mut self) -> Spanned {
        let token = self.bump();
        let span = self.span_of(token);
        let text = self.slice(token);
        let text = text.strip_prefix('"').unwrap_or(text);
        let name = Name::new(text.strip_suffix('"').unwrap_or(text));
        if name.contains("${") {
            self.fault(span, MclProblem::VariablePath(name));
            // reported: nothing looks for the module
            return Spanned { name: Name::default(), span };
        }
        Spanned { name, span }
    }

    /// Returns the first variable in a string that is written `$x`, so that nothing is inserted. `None` if the string is rather for a shell: it has
    /// several lines, or other uses of `$`.
    fn plain_variable(&self, token: Token) -> Option<Spanned> {
        let text = self.slice(token);
        if !text.contains('$') || text.contains(['\n', '`']) {
            return None;
        }
        let mut first = None;
        let mut at = 0;
        while let Some(found) = text.get(at..)?.find(['\\', '$']) {
            at += found + 1;
            let rest = text.get(at..)?;
            if text.as_bytes().get(at - 1) == Some(&b'\\') {
                at += rest.chars().next()?.len_utf8();
                continue;
            }
            if rest.starts_with('{') {
                continue;
            }
            let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            let name = rest.get(..rest.find(|c| !is_part(c)).unwrap_or(rest.len()))?;
            if !is_variable(name) {
                return None;
            }
            let start = token.start + at as u32 - 1;
            let span = Span { source: self.source, start, end: start + 1 + name.len() as u32 };
            first.get_or_insert(Spanned { name: Name::new(name), span });
        }
        first
    }

    fn pieces(&mut self, token: Token) -> Vec<Piece> {
        debug_assert_eq!(token.kind, Kind::Str);
        let text = self.slice(token);
        let text = text.strip_suffix('"').filter(|t| !t.is_empty()).unwrap_or(text);
        let Some(text) = text.get(1..) else { return Vec::new() };
        let start = token.start + 1;
        let source = self.source;
        let place = |from: usize, to: usize| Span { source, start: start + from as u32, end: start + to as u32 };
        let (mut out, mut plain, mut at) = (Vec::new(), String::new(), 0);
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let next = rest.find(['\\', '$']).unwrap_or(rest.len());
            plain.push_str(&rest[..next]);
            at += next;
            let rest = &rest[next..];
            if rest.is_empty() {
                break;
            }
            if let Some(escaped) = rest.strip_prefix('\\') {
                let Some(c) = escaped.chars().next() else { break };
                match unescaped(c) {
                    Some(c) => plain.push(c),
                    None => {
                        let to = at + 1 + c.len_utf8();
                        self.fault(place(at, to), MclProblem::Escape(Name::from(format!("\\{}", shown(c)))));
                    }
                }
                at += 1 + c.len_utf8();
                continue;
            }
            let Some(inner) = rest.strip_prefix("${") else {
                plain.push('$');
                at += 1;
                continue;
            };
            let Some(length) = inner.find('}') else {
                self.fault(place(at, at + 2), MclProblem::Interpolation(Name::new_static("`${` is never closed")));
                break;
            };
            let name = &inner[..length];
            let name_at = at + 2;
            if is_variable(name) {
                if !plain.is_empty() {
                    out.push(Piece::Text(Name::from(std::mem::take(&mut plain))));
                }
                out.push(Piece::Variable(Spanned { name: Name::new(name), span: place(name_at, name_at + length) }));
            } else {
                let why = Name::new_static(match name.contains(['[', '-', '(']) {
                    true => {
                        "between `${` and `}` is the name of a variable: bind the value first, `$x = …`, and insert `${x}`"
                    }
                    false => "only the name of a variable can be between `${` and `}`",
                });
                self.fault(place(at, name_at + length + 1), MclProblem::Interpolation(why));
            }
            at = name_at + length + 1;
        }
        if !plain.is_empty() || out.is_empty() {
            out.push(Piece::Text(Name::from(plain)));
        }
        out
    }
}

/// Returns a character as a message shows it.
fn shown(c: char) -> String {
    if c.is_control() { c.escape_default().to_string() } else { String::from(c) }
}

/// Returns the character that an escape represents, given the character after the backslash.
fn unescaped(c: char) -> Option<char> {
    Some(match c {
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        '\\' | '"' | '$' => c,
        _ => return None,
    })
}

/// Returns `true` for names of variables with their namespaces: `a`, `a.b`.
fn is_variable(text: &str) -> bool {
    text.split('.').all(|part| {
        part.starts_with(|c: char| c.is_ascii_lowercase())
            && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
            && !part.ends_with('_')
    })
}
