//! Expressions: the outermost constructs, operators.

use super::Parser;
use crate::dialect::jsonnet::problem::{JsonnetProblem, Mistake, NamePlace, WrittenPath};
use crate::dialect::jsonnet::token::Kind;
use crate::dialect::jsonnet::tree::{Assert, Binding, Expr, Id, Parameter};
use crate::dialect::parser::TokenKind;
use crate::term::{ImportKind, Prim};
use crate::text::Name;

/// Maximum number of tokens of a branch in braces.
const BRANCH: usize = 200;
/// The endings of files that are imported.
const ENDINGS: [&str; 4] = [".libsonnet", ".jsonnet", ".json", ".txt"];

/// Returns an infix operator and its precedence. A higher precedence binds more tightly. All operators are
/// left-associative.
pub(super) fn infix(kind: Kind) -> Option<(Prim, u8)> {
    Some(match kind {
        Kind::OrOr => (Prim::Or, 1),
        Kind::AndAnd => (Prim::And, 2),
        Kind::Pipe => (Prim::BitOr, 3),
        Kind::Caret => (Prim::BitXor, 4),
        Kind::Amp => (Prim::BitAnd, 5),
        Kind::EqEq => (Prim::Eq, 6),
        Kind::NotEq => (Prim::Ne, 6),
        Kind::Less => (Prim::Lt, 7),
        Kind::LessEq => (Prim::Le, 7),
        Kind::Greater => (Prim::Gt, 7),
        Kind::GreaterEq => (Prim::Ge, 7),
        Kind::In => (Prim::In, 7),
        Kind::Shl => (Prim::Shl, 8),
        Kind::Shr => (Prim::Shr, 8),
        Kind::Plus => (Prim::Plus, 9),
        Kind::Minus => (Prim::Sub, 9),
        Kind::Star => (Prim::Mul, 10),
        Kind::Slash => (Prim::Div, 10),
        Kind::Percent => (Prim::Rem, 10),
        _ => return None,
    })
}

/// The precedence of prefix operators. It is the minimum precedence in their operand.
const PREFIX: u8 = 11;

impl Parser<'_> {
    /// Parses any expression.
    pub(super) fn term(&mut self) -> Id {
        self.infix(0)
    }

    /// Parses an expression whose operators have at least the precedence `min`.
    fn infix(&mut self, min: u8) -> Id {
        self.deeper(|p| p.infix_here(min), Self::hole)
    }

    fn infix_here(&mut self, min: u8) -> Id {
        let start = self.token.start;
        let mut left = self.prefix();
        while let Some((op, level)) = infix(self.kind()) {
            if level < min {
                break;
            }
            self.bump();
            // `e in super` tests for a field below this layer; `e in super.x` tests for a field of a value there
            let bare_super = self.kind() == Kind::Super && !matches!(self.peek(1).kind, Kind::Dot | Kind::LBracket);
            let expr = if op == Prim::In && bare_super {
                self.bump();
                Expr::InSuper(left)
            } else {
                let right = self.infix(level + 1);
                Expr::Binary(op, left, right)
            };
            let span = self.since(start);
            left = self.tree.add(expr, span);
        }
        left
    }

    /// Parses an operand. `local`, `if` and similar constructs extend as far to the right as possible.
    fn prefix(&mut self) -> Id {
        let start = self.token.start;
        let op = match self.kind() {
            Kind::Minus => Prim::Neg,
            Kind::Plus => Prim::Pos,
            Kind::Bang => Prim::Not,
            Kind::Tilde => Prim::BitNot,
            Kind::Local => return self.local(),
            Kind::If => return self.if_else(),
            Kind::Function => return self.function(),
            Kind::Assert => return self.assert(),
            Kind::ErrorWord => {
                self.bump();
                let inner = self.term();
                let span = self.since(start);
                return self.tree.add(Expr::Error(inner), span);
            }
            Kind::Import => return self.import(ImportKind::Code(None)),
            Kind::ImportStr => return self.import(ImportKind::Text),
            Kind::ImportBin => return self.import(ImportKind::Bytes),
            _ => return self.postfix(),
        };
        self.bump();
        let operand = self.infix(PREFIX);
        let span = self.since(start);
        self.tree.add(Expr::Unary(op, operand), span)
    }

    fn local(&mut self) -> Id {
        // a long chain of them is parsed without recursion
        let mut chain = Vec::new();
        while self.kind() == Kind::Local {
            let start = self.bump().start;
            let mut bindings = self.bindings();
            if let Some(body) = self.written_in(&mut bindings).or_else(|| self.object_after(&mut bindings)) {
                chain.push((start, bindings));
                return self.wrap(chain, body);
            }
            let semicolon = self.semicolon();
            chain.push((start, bindings));
            if !semicolon {
                break;
            }
        }
        let body = if self.kind().starts_term() && !self.new_item() {
            self.term()
        } else {
            let mistake = (self.kind() == Kind::Eof).then_some(Mistake::NoBody);
            self.unexpected_as(&["an expression"], mistake);
            self.hole()
        };
        self.wrap(chain, body)
    }

    /// Parses `local x = 1 in x`, the syntax of other languages. Reports the `in`, removes it from the binding, and
    /// returns the expression after it.
    pub(super) fn written_in(&mut self, bindings: &mut [Binding]) -> Option<Id> {
        if matches!(self.kind(), Kind::Semicolon | Kind::Comma) {
            return None;
        }
        let last = bindings.last_mut()?;
        let Expr::Binary(Prim::In, value, body) = *self.tree.expr(last.value) else { return None };
        let behind = self.tree.span(value).end;
        let word = self.tokens.iter().find(|t| t.start >= behind && t.kind == Kind::In).copied()?;
        let what = JsonnetProblem::Unexpected {
            found: Some(Name::new_static("in")),
            expected: [Name::new_static("`;`")].into(),
            mistake: Some(Mistake::Semicolon),
        };
        self.fault(self.span_of(word), what);
        last.value = value;
        Some(body)
    }

    /// Parses `local x = 1⏎{ … }`, where a `;` is missing before the object. Reports it at the end of the first line, and
    /// returns the object.
    fn object_after(&mut self, bindings: &mut [Binding]) -> Option<Id> {
        if self.kind() != Kind::Eof || self.margin.is_some() {
            return None;
        }
        let last = bindings.last_mut()?;
        let Expr::Extend(value, object, _) = *self.tree.expr(last.value) else { return None };
        let (value_end, object_start) = (self.tree.span(value).end, self.tree.span(object).start);
        let between = self.text.get(value_end as usize..object_start as usize)?;
        if !between.contains('\n') {
            return None;
        }
        let index = self.tokens.iter().position(|token| token.start == object_start)?;
        let what = JsonnetProblem::Unexpected {
            found: Some(Name::new_static("{")),
            expected: [Name::new_static("`;`")].into(),
            mistake: Some(Mistake::Semicolon),
        };
        self.report_at(index, what);
        last.value = value;
        Some(object)
    }

    /// Wraps an expression in `local`s. The last one is the innermost.
    pub(super) fn wrap(&mut self, chain: Vec<(u32, Vec<Binding>)>, mut body: Id) -> Id {
        for (start, bindings) in chain.into_iter().rev() {
            let span = self.since(start);
            body = self.tree.add(Expr::Local(bindings.into(), body), span);
        }
        body
    }

    /// Parses the `;` after `local` and `assert`.
    pub(super) fn semicolon(&mut self) -> bool {
        if self.eat(Kind::Semicolon) {
            return true;
        }
        let word = (self.kind() == Kind::Ident).then(|| self.slice(self.token));
        let mistake = match self.kind() {
            Kind::In | Kind::Comma => Some(Mistake::Semicolon),
            _ if word == Some("in") => Some(Mistake::Semicolon),
            Kind::Eof => Some(Mistake::NoBody),
            kind if kind.starts_term() => Some(Mistake::Semicolon),
            _ => None,
        };
        self.unexpected_as(&["`;`"], mistake);
        if mistake.is_some() && matches!(self.kind(), Kind::In | Kind::Comma) {
            self.bump();
        }
        false
    }

    /// Parses `x = e, f(a) = e`.
    pub(super) fn bindings(&mut self) -> Vec<Binding> {
        let mut bindings = vec![self.binding()];
        while self.kind() == Kind::Comma {
            self.bump();
            if self.kind() == Kind::Local && self.peek(1).kind == Kind::Ident {
                self.unexpected_as(&["a name"], Some(Mistake::RepeatedLocal));
                self.bump();
            }
            if self.kind() != Kind::Ident && !self.kind().is_reserved() && self.kind() != Kind::Cursor {
                let mistake = (self.kind() == Kind::Semicolon).then_some(Mistake::SemicolonForComma);
                self.unexpected_as(&["a name"], mistake);
                break;
            }
            bindings.push(self.binding());
        }
        bindings
    }

    /// Parses one binding, after `local`.
    pub(super) fn binding(&mut self) -> Binding {
        let start = self.token.start;
        let name = self.name(NamePlace::Variable, "a name");
        let params = (self.kind() == Kind::LParen).then(|| (self.token.start, self.parameters()));
        if !self.eat(Kind::Equals) {
            let (kind, next) = (self.kind(), self.peek(1).kind);
            let mistake = match kind {
                Kind::EqEq => Some(Mistake::OneEquals),
                Kind::Colon => Some(Mistake::OneEquals),
                // `local f(x) { … }`
                Kind::LBrace if params.is_some() => Some(Mistake::FunctionWord),
                _ => None,
            };
            self.unexpected_as(&["`=`"], mistake);
            if mistake == Some(Mistake::OneEquals) && next.starts_term() {
                self.bump();
            }
        }
        let value = if self.kind().starts_term() && !self.new_item() {
            self.term()
        } else {
            self.unexpected(&["an expression"]);
            self.hole()
        };
        let value = match params {
            Some((start, params)) => {
                let span = self.since(start);
                self.tree.add(Expr::Function(params.into(), value), span)
            }
            None => value,
        };
        Binding { name, value, span: self.since(start) }
    }

    /// Parses `(a, b=1)`.
    pub(super) fn parameters(&mut self) -> Vec<Parameter> {
        let opening = self.open();
        let mut params = Vec::new();
        while self.kind() != Kind::RParen && self.kind() != Kind::Eof && !self.closes_outer(Kind::RParen) {
            let before = self.at;
            if self.kind() != Kind::Ident && !self.kind().is_reserved() && self.kind() != Kind::Cursor {
                self.unexpected(&["the name of a parameter"]);
                self.skip_to(&[Kind::Comma, Kind::RParen]);
                if !self.eat(Kind::Comma) {
                    break;
                }
                continue;
            }
            let name = self.name(NamePlace::Variable, "the name of a parameter");
            let default = self.eat(Kind::Equals).then(|| self.term());
            params.push(Parameter { name, default });
            if !self.separated(before, Kind::RParen, |k| k == Kind::Ident, &["`,`", "`)`"]) {
                break;
            }
        }
        self.close(opening, Kind::RParen, &["`,`", "`)`"]);
        params
    }

    fn function(&mut self) -> Id {
        let start = self.bump().start;
        let params = if self.kind() == Kind::LParen {
            self.parameters()
        } else {
            let mistake = (self.kind() == Kind::Ident).then_some(Mistake::Function);
            self.unexpected_as(&["`(`"], mistake);
            // `function f(x) …`, `function x …`
            if mistake.is_some() {
                self.bump();
            }
            if self.kind() == Kind::LParen { self.parameters() } else { Vec::new() }
        };
        let body = self.term();
        let span = self.since(start);
        self.tree.add(Expr::Function(params.into(), body), span)
    }

    fn if_else(&mut self) -> Id {
        let start = self.bump().start;
        let brackets = self.brackets();
        let around = self.state.0.replace(brackets);
        let condition = self.term();
        self.state.0 = None;
        let parsed = self.branches(start, condition);
        self.state.0 = around;
        parsed
    }

    /// Parses `then a else b`.
    fn branches(&mut self, start: u32, condition: Id) -> Id {
        if !self.eat(Kind::Then) {
            let mistake = match self.kind() {
                Kind::Equals => Mistake::TwoEquals,
                Kind::LBrace => Mistake::IfBraces,
                _ => Mistake::IfThenElse,
            };
            self.unexpected_as(&["`then`"], Some(mistake));
            if mistake == Mistake::IfBraces {
                return self.branches_in_braces(start, condition);
            }
            if !self.kind().starts_term() || self.new_item() {
                let hole = self.hole();
                let span = self.since(start);
                return self.tree.add(Expr::If(condition, hole, None), span);
            }
        }
        let yes = self.term();
        let no = self.eat(Kind::Else).then(|| self.term());
        let span = self.since(start);
        self.tree.add(Expr::If(condition, yes, no), span)
    }

    /// Skips `{ a } else { b }`, which was reported.
    fn branches_in_braces(&mut self, start: u32, condition: Id) -> Id {
        let hole = self.hole();
        while self.kind() == Kind::LBrace {
            let opening = self.open();
            self.skip_to(&[Kind::RBrace]);
            self.close(opening, Kind::RBrace, &["`}`"]);
            if !self.eat(Kind::Else) {
                break;
            }
            if self.kind() == Kind::If {
                self.bump();
                self.skip_to(&[Kind::LBrace]);
            }
        }
        let span = self.since(start);
        self.tree.add(Expr::If(condition, hole, None), span)
    }

    /// Whether the next `{` follows the condition of an `if` and is meant to begin a branch: `if c { a } else { b }`. Looks at a limited number
    /// of tokens.
    pub(super) fn begins_branch(&self) -> bool {
        if self.state.0 != Some(self.brackets()) {
            return false;
        }
        let mut inner = 0u32;
        for ahead in 0..BRANCH {
            let kind = self.peek(ahead).kind;
            if kind.opens().is_some() {
                inner += 1;
            } else if kind.closes().is_some() {
                inner = inner.saturating_sub(1);
                if inner == 0 {
                    // `{ x }` is no object
                    return self.peek(ahead + 1).kind == Kind::Else || ahead == 2 && self.peek(1).kind != Kind::Cursor;
                }
            } else if kind == Kind::Eof {
                return false;
            }
        }
        false
    }

    /// Parses `c : m`, after `assert`.
    pub(super) fn asserted(&mut self) -> Assert {
        let condition = self.term();
        let message = self.eat(Kind::Colon).then(|| self.term());
        Assert { condition, message }
    }

    fn assert(&mut self) -> Id {
        let start = self.bump().start;
        let assert = self.asserted();
        let body = if self.semicolon() || self.kind().starts_term() { self.term() } else { self.hole() };
        let span = self.since(start);
        self.tree.add(Expr::Assert(Box::new(assert), body), span)
    }

    /// Parses `import "path"`. The path must be a string literal.
    fn import(&mut self, kind: ImportKind) -> Id {
        let start = self.bump().start;
        if self.kind() == Kind::TextBlock {
            let span = self.span_of(self.token);
            self.fault(span, JsonnetProblem::BlockImport);
        }
        let path = if self.kind().is_string() && self.follows_on_another_line() {
            self.atom()
        } else if self.kind().starts_term() && !self.new_item() {
            self.term()
        } else {
            self.unexpected(&["the path of a file, in quotes"]);
            self.hole()
        };
        let expr = match self.tree.expr(path) {
            Expr::Str(text) => Expr::Import(text.clone(), kind),
            Expr::Hole => Expr::Hole,
            Expr::Cursor => Expr::Import(Name::new_static(""), kind),
            _ => {
                let span = self.tree.span(path);
                if self.has_no_reports() {
                    self.fault(span, JsonnetProblem::ComputedImport(self.written_path(path)));
                }
                Expr::Hole
            }
        };
        let span = self.since(start);
        self.tree.add(expr, span)
    }

    /// Returns whether a bracket on another line follows the next token: the value after an import, as in `import 'x'⏎{ … }`.
    fn follows_on_another_line(&self) -> bool {
        let next = self.peek(1);
        let gap = self.text.get(self.token.end as usize..next.start as usize);
        next.kind.opens().is_some() && gap.is_some_and(|gap| gap.contains('\n'))
    }

    /// Describes the path of an import that is not a string literal.
    fn written_path(&self, path: Id) -> WrittenPath {
        if let Expr::Paren(inner) = self.tree.expr(path)
            && let Expr::Str(text) = self.tree.expr(*inner)
        {
            return WrittenPath::Parentheses(text.clone());
        }
        if let Expr::Name(name) = self.tree.expr(path) {
            return WrittenPath::Name(name.clone());
        }
        let span = self.tree.span(path);
        let written = self.text.get(span.start as usize..span.end as usize).unwrap_or_default();
        let is_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
        if ENDINGS.iter().any(|ending| written.ends_with(ending)) && written.chars().all(is_path) {
            return WrittenPath::Bare;
        }
        let mut whole = path;
        loop {
            whole = match self.tree.expr(whole) {
                Expr::Dot(of, _) | Expr::Index(of, _) | Expr::Apply(of, _) | Expr::Extend(of, ..) => *of,
                // `import 'a' + { … }`
                Expr::Binary(Prim::Plus, of, right) if matches!(self.tree.expr(*right), Expr::Object(_)) => *of,
                _ => break,
            };
        }
        while let Expr::Paren(inner) = self.tree.expr(whole) {
            whole = *inner;
        }
        match self.tree.expr(whole) {
            Expr::Str(_) if whole != path => WrittenPath::Part,
            _ => WrittenPath::Computed,
        }
    }
}
