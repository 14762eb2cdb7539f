//! Habits of other languages that the grammar reads as they are meant, so that each is reported once.

use super::Parser;
use crate::dialect::mcl::problem::{MclProblem, Meant};
use crate::dialect::mcl::token::{Kind, Token};
use crate::dialect::mcl::tree::Spanned;
use crate::text::{Name, Span};

/// The state of a parser.
#[derive(Default)]
pub struct ParserState {
    /// The number of blocks without an opening brace whose closing brace was not read yet.
    pub missing_braces: u32,
    /// Whether a name was reported for its letters.
    bad_name: bool,
}

/// Returns a name in the form that mcl has: `my-name` and `myName` become `my_name`.
fn proper(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            '-' => out.push('_'),
            c if c.is_ascii_uppercase() => {
                if out.ends_with(|last: char| last.is_ascii_lowercase() || last.is_ascii_digit()) {
                    out.push('_');
                }
                out.push(c.to_ascii_lowercase());
            }
            c => out.push(c),
        }
    }
    out
}

impl<const N: bool> Parser<'_, N> {
    /// Parses the name of a variable with letters that a name cannot have, `my-name` or `myName`, and reports the first one.
    /// `binds`: it follows the `$` of a definition. `None` if the name is proper.
    pub(super) fn foreign_name(&mut self, binds: bool) -> Option<Spanned> {
        let start = self.token.start;
        let (ahead, end, dash) = self.foreign_tokens(0)?;
        if dash && binds && self.peek(ahead).kind != Kind::Equals {
            return None;
        }
        let word = self.text.get(start as usize..end as usize)?;
        let name = Name::from(proper(word));
        for _ in 0..ahead {
            self.bump();
        }
        let span = self.since(start);
        if !std::mem::replace(&mut self.state.bad_name, true) {
            let difference = (dash && !binds).then(|| Name::from(word.replace('-', " - $")));
            self.fault(span, MclProblem::VariableName { found: Name::from(word), proper: name.clone(), difference });
        }
        Some(Spanned { name, span })
    }

    /// Returns `true` if a definition begins whose name has letters that a name cannot have: `$my-name = 1`.
    pub(super) fn binds_foreign_name(&self, from: usize) -> bool {
        self.foreign_tokens(from + 1).is_some_and(|(ahead, ..)| self.peek(from + 1 + ahead).kind == Kind::Equals)
    }

    /// Returns the number of tokens of a name with letters that a name cannot have, its end, and whether it has a dash.
    fn foreign_tokens(&self, from: usize) -> Option<(usize, u32, bool)> {
        let start = self.peek(from).start;
        let (mut ahead, mut end) = (0, start);
        let (mut dash, mut capital) = (false, false);
        loop {
            let token = self.peek(from + ahead);
            let (is_first, touches) = (ahead == 0, token.start == end);
            match token.kind {
                Kind::Ident if touches => {}
                Kind::Capital if touches => capital = true,
                Kind::Int if touches && capital && !is_first => {}
                // `$a-f(1)` subtracts
                Kind::Minus if touches && !is_first && self.peek(from + ahead + 1).kind == Kind::Ident => {
                    let word = self.peek(from + ahead + 1);
                    let next = self.peek(from + ahead + 2);
                    let calls = matches!(next.kind, Kind::LParen | Kind::Dot) && next.start == word.end;
                    if word.start != token.end || calls {
                        break;
                    }
                    dash = true;
                }
                _ => break,
            }
            end = token.end;
            ahead += 1;
        }
        (capital || dash).then_some((ahead, end, dash))
    }

    /// Returns `true` if the next tokens begin another statement in place of a field of a resource.
    pub(super) fn is_next_statement(&self) -> bool {
        if !self.gap().contains('\n') {
            return false;
        }
        let mut ahead = 0;
        match self.kind() {
            Kind::Ident => {
                while self.peek(ahead).kind == Kind::Ident && self.peek(ahead + 1).kind == Kind::Colon {
                    ahead += 2;
                }
                let name = match self.peek(ahead + 1).kind {
                    Kind::Str => 2,
                    Kind::Dollar if self.peek(ahead + 2).kind == Kind::Ident => 3,
                    _ => return false,
                };
                self.peek(ahead).kind == Kind::Ident && self.peek(ahead + name).kind == Kind::LBrace
            }
            Kind::Class | Kind::Func | Kind::Include => self.peek(1).kind == Kind::Ident,
            Kind::Import => self.peek(1).kind == Kind::Str,
            Kind::Capital => self.is_half(),
            Kind::Dollar => self.peek(1).kind == Kind::Ident && self.peek(2).kind == Kind::Equals,
            _ => false,
        }
    }

    /// Reports a bracket that is not closed before the next statement.
    pub(super) fn not_closed(&mut self, opening: Token, next: Span) {
        self.fault(self.span_of(opening), MclProblem::NotClosed { open: opening.kind, next });
        self.abandon(opening);
        if opening.kind == Kind::LBrace {
            // it may be closed in another place
            self.state.missing_braces += 1;
        }
    }

    /// Closes a bracket of elements, or reports that it is not closed before the next statement.
    pub(super) fn close_elements(&mut self, opening: Token, close: Kind, expected: &[&'static str]) {
        match self.is_next_statement() && !self.is_reported() {
            true => self.not_closed(opening, self.here()),
            false => self.close(opening, close, expected),
        }
    }

    /// Parses `True` and `FALSE` of other languages.
    pub(super) fn capital_boolean(&mut self) -> Option<bool> {
        let value = match self.slice(self.token) {
            "True" | "TRUE" => true,
            "False" | "FALSE" => false,
            _ => return None,
        };
        self.unexpected_as(&["a value"], Some(Meant::LowerCase));
        self.bump();
        Some(value)
    }

    /// Parses the letter before a string, `f"…"`, which is reported.
    pub(super) fn string_prefix(&mut self) -> bool {
        let (letter, next) = (self.token, self.peek(1));
        let is_prefix =
            matches!(self.slice(letter), "f" | "r" | "b") && next.kind == Kind::Str && next.start == letter.end;
        if is_prefix {
            self.unexpected_as(&["a value"], Some(Meant::Prefix));
            self.bump();
        }
        is_prefix
    }

    /// Parses what follows a string where other languages join strings with a point or call a method. `None` if nothing of that follows.
    pub(super) fn after_string(&mut self) -> Option<Meant> {
        if self.kind() != Kind::Dot {
            return None;
        }
        let meant = match (self.peek(1).kind, self.peek(2).kind) {
            (Kind::Ident, Kind::LParen) => Meant::Method,
            (Kind::Str | Kind::Dollar, _) => Meant::Join,
            _ => return None,
        };
        self.unexpected_as(&["an operator"], Some(meant));
        self.bump();
        Some(meant)
    }

    /// Skips a comment `// …` of other languages.
    pub(super) fn foreign_comment(&mut self) -> bool {
        let is_comment = self.kind() == Kind::Slash && self.peek(1).kind == Kind::Slash;
        if is_comment {
            self.unexpected_as(&["a statement"], Some(Meant::Comment));
            self.bump();
            while !self.is_at_end() && !self.gap().contains('\n') {
                self.bump();
            }
        }
        is_comment
    }

    /// Parses the name of a resource without quotes, up to its brace: `file /tmp/x {`, `print hello {`. Returns `false` if the next
    /// tokens are not such a name.
    pub(super) fn bare_name(&mut self) -> bool {
        const LONGEST: usize = 30;
        let is_path = matches!(self.kind(), Kind::Slash | Kind::Dot);
        let is_word = matches!(self.kind(), Kind::Ident | Kind::Capital);
        if !is_path && !is_word {
            return false;
        }
        let (start, mut ahead, mut end) = (self.token.start, 0, self.token.start);
        loop {
            let token = self.peek(ahead);
            if token.kind == Kind::LBrace && ahead > 0 {
                break;
            }
            let word = matches!(token.kind, Kind::Ident | Kind::Capital | Kind::Int | Kind::Float);
            let between = matches!(token.kind, Kind::Slash | Kind::Dot | Kind::Minus | Kind::Colon);
            if token.start != end || !(word || between || token.kind.is_reserved()) || ahead > LONGEST {
                return false;
            }
            end = token.end;
            ahead += 1;
        }
        let Some(written) = self.text.get(start as usize..end as usize).map(Name::new) else { return false };
        for _ in 0..ahead {
            self.bump();
        }
        let span = self.since(start);
        self.fault(span, MclProblem::BareName(written));
        true
    }

    /// Parses `null` and its kin of other languages.
    pub(super) fn null(&mut self) -> bool {
        let is_null =
            matches!(self.slice(self.token), "null" | "nil" | "none" | "undef" | "undefined" | "None" | "NULL");
        if !is_null || matches!(self.peek(1).kind, Kind::LParen | Kind::Dot | Kind::LBracket) {
            return false;
        }
        self.unexpected_as(&["a value"], Some(Meant::Null));
        self.bump();
        true
    }

    /// Parses the name of an argument: `port => 8080`, `port = 8080`, `port: 8080`. Reports the first one of a call.
    pub(super) fn argument_name(&mut self, is_first: bool) -> bool {
        let dollar = usize::from(self.kind() == Kind::Dollar);
        let names = self.peek(dollar).kind == Kind::Ident
            && matches!(self.peek(dollar + 1).kind, Kind::Rocket | Kind::Equals | Kind::Colon);
        if names {
            if is_first {
                self.unexpected_as(&["a value"], Some(Meant::ByPlace));
            }
            for _ in 0..dollar + 2 {
                self.bump();
            }
        }
        names
    }

    /// Reports a statement in the body of a function, or in a branch of an expression. Skips to the end of the body.
    pub(super) fn report_statement(&mut self) -> bool {
        let meant = match self.kind() {
            Kind::Dollar if self.peek(1).kind == Kind::Ident && self.is_statement(0) => Meant::OneExpression,
            Kind::Ident if self.peek(1).kind == Kind::Str && self.peek(2).kind == Kind::LBrace => Meant::ClassBody,
            _ => return false,
        };
        self.unexpected_as(&["an expression"], Some(meant));
        self.skip_to(&[Kind::RBrace]);
        true
    }

    /// Reports the other end of an edge that is not written as one.
    pub(super) fn report_end(&mut self, word: Name) -> bool {
        match (self.kind(), self.peek(1).kind) {
            // `Depend => [File["a"], Pkg["b"],],`
            (Kind::LBracket, Kind::Capital) => {
                let opening = self.open();
                self.fault(self.span_of(opening), MclProblem::EdgeEnd { word, list: true });
                self.skip_to(&[Kind::RBracket]);
                self.close(opening, Kind::RBracket, &["`]`"]);
                true
            }
            (Kind::Str, Kind::Comma | Kind::RBrace) => {
                let token = self.bump();
                self.fault(self.span_of(token), MclProblem::EdgeEnd { word, list: false });
                if self.kind() == Kind::RBrace {
                    self.take_for_reported(self.at);
                }
                true
            }
            _ => false,
        }
    }
}
