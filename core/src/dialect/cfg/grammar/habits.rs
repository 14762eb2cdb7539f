//! Recognizes constructs of other languages, so that one report describes each.

use super::Parser;
use crate::dialect::cfg::habit::Habit;
use crate::dialect::cfg::problem::CfgProblem;
use crate::dialect::cfg::token::{Kind, Token};
use crate::dialect::cfg::tree::{Expr, Id};
use crate::dialect::parser::TokenKind;
use crate::text::{Name, Span};

/// Maximum number of tokens between the parentheses of a definition of another language.
const PARAMETERS: usize = 64;
/// Maximum number of tokens between `for` and `in`.
const VARIABLES: usize = 4;

impl Parser<'_> {
    /// Reports `local x = …` or `def f(x): …`, and skips to the end, because what follows is in the other language too.
    pub(super) fn foreign_definition(&mut self) -> bool {
        if self.kind() != Kind::Ident || !self.peek(1).kind.is_name() {
            return false;
        }
        let in_record = self.is_after(Kind::LBrace);
        let (first, name) = (self.token, self.name_of(self.peek(1)));
        let word = self.name_of(first);
        match word.as_str() {
            "local" | "var" | "const" | "val" if self.peek(2).kind == Kind::Equals => {
                let span = self.span_of(first);
                self.fault_and_stop(span, CfgProblem::Habit(Habit::Local { word, name, in_record }));
                true
            }
            "def" | "function" | "func" | "fn" if !self.state.looked => {
                self.state.looked = true;
                let Some((parameters, last)) = self.parameters_of_call() else { return false };
                let earlier = self.tokens.get(..self.at).unwrap_or_default();
                if earlier.iter().any(|token| self.slice(*token) == word) {
                    return false;
                }
                let span = self.span_of(first).to(self.span_of(last));
                self.fault_and_stop(span, CfgProblem::Habit(Habit::Function { word, name, parameters }));
                true
            }
            _ => false,
        }
    }

    /// Returns the names in the parentheses of `def f(a, b):`, and the closing parenthesis. `None` if this is not the head
    /// of a definition.
    fn parameters_of_call(&self) -> Option<(Vec<Name>, Token)> {
        let (name, opening) = (self.peek(1), self.peek(2));
        if opening.kind != Kind::LParen || opening.start != name.end {
            return None;
        }
        let mut names = Vec::new();
        for ahead in 3..PARAMETERS {
            let token = self.peek(ahead);
            match token.kind {
                Kind::RParen => {
                    let next = self.peek(ahead + 1).kind;
                    let body = [Kind::Colon, Kind::LBrace, Kind::Equals, Kind::FatArrow, Kind::Arrow];
                    return body.contains(&next).then_some((names, token));
                }
                kind if kind.is_name() => names.push(self.name_of(token)),
                kind if kind.opens().is_some() || kind.closes().is_some() || kind == Kind::Eof => return None,
                _ => {}
            }
        }
        None
    }

    /// Returns `true` if the last token is of a kind.
    pub(super) fn is_after(&self, kind: Kind) -> bool {
        self.at.checked_sub(1).and_then(|index| self.tokens.get(index)).is_some_and(|token| token.kind == kind)
    }

    /// Reports the `for` before an unexpected `in`.
    pub(super) fn comprehension(&mut self) {
        if self.kind() != Kind::In || self.is_reported() {
            return;
        }
        let first = self.at.saturating_sub(VARIABLES);
        let found = (first..self.at).rev().find(|index| {
            self.tokens.get(*index).is_some_and(|token| token.kind == Kind::Ident && self.slice(*token) == "for")
        });
        if let Some(index) = found {
            let before = index.checked_sub(1).and_then(|index| self.tokens.get(index));
            let in_record = before.is_some_and(|token| token.kind == Kind::LBrace);
            self.report_at(index, CfgProblem::Habit(Habit::Comprehension { in_record }));
            self.take_for_reported(self.at);
        }
    }

    /// Reports the opening brace of `if c { 1 } else { 2 }`, where `then` is expected. It is the last token.
    pub(super) fn braces_of_branch(&mut self) {
        let expected = vec![Name::new_static("`then`")];
        let found = Some(Name::new_static("{"));
        let before = Name::new_static("if c {");
        self.report_at(
            self.at.saturating_sub(1),
            CfgProblem::Unexpected { found, expected, before, comma_after: None },
        );
        self.take_for_reported(self.at);
    }

    /// Reads what follows a number without a blank, and reports both: `1.2.3`, `80px`. Leaves `1_000`, which Nickel reads as
    /// the application of 1.
    pub(super) fn number_suffix(&mut self, number: Token) {
        let mut found = false;
        while self.token.start == self.last_end() && matches!(self.kind(), Kind::Ident | Kind::Decimal | Kind::Hex) {
            self.bump();
            found = true;
        }
        if found {
            let span = self.since(number.start);
            let text = self.text.get(span.start as usize..span.end as usize).unwrap_or_default();
            self.fault(span, CfgProblem::Habit(Habit::Number(Name::new(text))));
        }
    }

    /// Returns `true` if an expression cannot be a function, and the next token begins a line: a separator is missing
    /// between them.
    pub(super) fn is_value_before_line(&self, expr: Id) -> bool {
        let is_value = matches!(
            self.tree.expr(expr),
            Expr::Number(_)
                | Expr::Str(_)
                | Expr::Interp(_)
                | Expr::Bool(_)
                | Expr::Null
                | Expr::Dyn
                | Expr::NumberType
                | Expr::StringType
                | Expr::BoolType
                | Expr::ArrayType(_)
                | Expr::EnumType(..)
                | Expr::Dict(..)
                | Expr::Record(_)
                | Expr::Array(_)
        );
        is_value && self.gap().contains('\n')
    }

    /// Returns the last token of an earlier line, if a list goes on in the next line without a comma between them.
    pub(super) fn comma_missing_after(&self, expected: &[&'static str]) -> Option<Span> {
        let separates = expected.iter().any(|what| matches!(*what, "`,`" | "`,` between arms"));
        let begins = self.kind().starts_term() || self.kind().is_field_name() || self.kind().opens_string();
        if !separates || !begins || !self.gap().contains('\n') {
            return None;
        }
        // a definition begins: the bracket is not closed
        let next = self.tokens.get(self.at + 1).map(|token| token.kind);
        if expected.contains(&"`]`") && next == Some(Kind::Equals) {
            return None;
        }
        let last = self.at.checked_sub(1).and_then(|index| self.tokens.get(index))?;
        (!matches!(last.kind, Kind::Comma | Kind::Semicolon) && last.kind.opens().is_none())
            .then(|| self.span_of(*last))
    }

    /// Reports a line that a version control system left, with everything that follows from it.
    pub(super) fn conflict_marker(&mut self) -> bool {
        let start =
            self.text.get(..self.token.start as usize).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let line = self.text.get(start..).unwrap_or_default();
        if !["<<<<<<< ", "=======\n", ">>>>>>> "].iter().any(|marker| line.starts_with(marker)) {
            return false;
        }
        let start = start as u32;
        let span = Span { source: self.here().source, start, end: start + 7 };
        self.fault_and_stop(span, CfgProblem::Habit(Habit::ConflictMarker));
        true
    }

    /// Reports the opening brace of a record that is not closed before the comma after it: a line that begins with a comma, after
    /// another comma, in a text that has more opening than closing brackets.
    pub(super) fn unclosed_before_comma(&mut self, opening: Token) -> bool {
        let is_second = self.kind() == Kind::Comma && self.is_after(Kind::Comma) && self.gap().contains('\n');
        if !is_second || !self.has_no_reports() {
            return false;
        }
        let rest = || self.tokens.iter().skip(self.at);
        let opened = rest().filter(|token| token.kind.opens().is_some()).count();
        let closed = rest().filter(|token| token.kind.closes().is_some()).count();
        if closed >= opened + self.brackets() as usize {
            return false;
        }
        self.unclosed_inside("brace `{`", self.span_of(opening));
        self.abandon(opening);
        true
    }
}
