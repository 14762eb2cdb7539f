//! Scalars: text, templates, block scalars.

use super::Parser;
use crate::dialect::yay::problem::YayProblem;
use crate::dialect::yay::token::Kind;
use crate::dialect::yay::tree::{Expr, Id, Part};
use crate::text::Name;
use crate::value::eval::converting::of_text;

impl Parser<'_> {
    /// Returns `true` if the next token begins a scalar.
    pub(super) fn is_at_scalar(&self) -> bool {
        use Kind::*;
        matches!(self.kind(), Text | Quote | Open | EmptyDict | EmptyList | Block)
    }

    /// Parses a scalar up to the end of its line, or a block scalar.
    pub(super) fn scalar(&mut self) -> Id {
        let start = self.token.start;
        let expr = match self.kind() {
            Kind::EmptyDict => {
                self.bump();
                Expr::Dict(Box::new([]))
            }
            Kind::EmptyList => {
                self.bump();
                Expr::List(Box::new([]))
            }
            Kind::Block => {
                let sign = self.bump();
                let sign = self.slice(sign);
                let mut parts = self.parts();
                chomp(&mut parts, sign);
                whole(parts, false)
            }
            _ => {
                let parts = self.parts();
                match <[Part; 1]>::try_from(parts) {
                    // a scalar that is only a template keeps the type of the template's value
                    Ok([Part::Expr(id)]) => return id,
                    Ok(one) => whole(one.into(), true),
                    Err(parts) => whole(parts, true),
                }
            }
        };
        let span = self.since(start);
        self.tree.add(expr, span)
    }

    /// Parses the parts of a scalar.
    fn parts(&mut self) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        // the text since the last template
        let mut text = String::new();
        loop {
            match self.kind() {
                Kind::Text => {
                    let token = self.bump();
                    text.push_str(self.slice(token));
                    continue;
                }
                Kind::Quote => {
                    self.bump();
                    continue;
                }
                _ => {}
            }
            if !text.is_empty() {
                parts.push(Part::Text(Name::new(&text)));
                text.clear();
            }
            if self.kind() != Kind::Open {
                return parts;
            }
            parts.push(Part::Expr(self.template()));
        }
    }

    /// Parses `{{ e }}`.
    fn template(&mut self) -> Id {
        let open = self.open();
        let inner = self.expressions();
        let mut is_reported = self.is_reported();
        if !matches!(self.kind(), Kind::Close | Kind::Newline | Kind::Eof) {
            let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).copied();
            let ends_dict = before.is_some_and(|token| token.kind == Kind::RBrace && token.end == self.token.start);
            match ends_dict && self.slice(self.token) == "}" {
                true => self.expected("`}}`", "the first `}` ends the dict: write `} }}`"),
                false => self.unexpected(&["an operator", "`}}`"]),
            }
            is_reported = true;
            while !matches!(self.kind(), Kind::Close | Kind::Newline | Kind::Indent | Kind::Dedent | Kind::Eof) {
                self.bump();
            }
        }
        if self.kind() == Kind::Newline || is_reported && self.kind() != Kind::Close {
            if !is_reported {
                let problem = YayProblem::Open { what: "template `{{`", close: "}}", end: self.here() };
                self.fault(self.span_of(open), problem);
                self.take_for_reported(self.at);
            }
            self.abandon(open);
            return inner;
        }
        self.close(open, Kind::Close, &["an operator", "`}}`"]);
        inner
    }
}

/// Returns the expression of a scalar with some parts.
fn whole(parts: Vec<Part>, numeric: bool) -> Expr {
    match parts.as_slice() {
        [] => Expr::Str(Name::new_static("")),
        [Part::Text(text)] => match of_text(text).filter(|_| numeric) {
            Some(number) => Expr::Number(number),
            None => Expr::Str(text.clone()),
        },
        _ => Expr::Text(parts.into()),
    }
}

/// Removes line ends from a block scalar, according to its sign.
fn chomp(parts: &mut Vec<Part>, sign: &str) {
    if sign.starts_with('>') {
        for part in parts.iter_mut() {
            if let Part::Text(text) = part {
                *text = Name::from(text.replace('\n', " "));
            }
        }
    }
    if let Some(Part::Text(last)) = parts.last_mut() {
        *last = match sign {
            "|+" => Name::from(format!("{last}\n")),
            "|" => Name::from(format!("{}\n", last.trim_end_matches('\n'))),
            "|-" => Name::from(last.trim_end_matches('\n')),
            _ => Name::from(last.trim_end_matches([' ', '\n'])),
        };
    } else if !parts.is_empty() && matches!(sign, "|" | "|+") {
        parts.push(Part::Text(Name::new_static("\n")));
    }
}
