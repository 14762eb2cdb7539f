//! Expressions: operators, access, calls.

use super::Parser;
use crate::dialect::parser::TokenKind;
use crate::dialect::yay::token::Kind;
use crate::dialect::yay::tree::{Clause, Expr, Id, Op, Prefix, Spanned};

/// The precedence of comparisons.
const COMPARISON: u8 = 4;
/// The precedence of `not`.
const NOT: u8 = 3;
/// The precedence of the operands of prefix operators.
const PREFIX: u8 = 11;
/// The precedence of `**`.
const POWER: u8 = 12;

impl Parser<'_> {
    /// Parses `a, b` as a list, or one expression.
    pub(super) fn expressions(&mut self) -> Id {
        let start = self.token.start;
        let first = self.term();
        if self.kind() != Kind::Comma {
            return first;
        }
        let mut items = vec![first];
        while self.eat(Kind::Comma) {
            if !self.kind().starts_term() {
                break;
            }
            items.push(self.term());
        }
        let span = self.since(start);
        self.tree.add(Expr::List(items.into()), span)
    }

    /// Parses any expression: `a else b`, `a if c else b`, `lambda x: e`, operators.
    pub(super) fn term(&mut self) -> Id {
        self.deeper(|p| p.fallback(true), Self::hole)
    }

    /// Parses an expression that an `if` may follow.
    pub(super) fn term_before_if(&mut self) -> Id {
        self.deeper(|p| p.fallback(false), Self::hole)
    }

    fn fallback(&mut self, conditional: bool) -> Id {
        let start = self.token.start;
        let mut left = self.conditional(conditional);
        while self.kind() == Kind::Else {
            self.bump();
            let right = self.conditional(conditional);
            let span = self.since(start);
            left = self.tree.add(Expr::Else(left, right), span);
        }
        left
    }

    fn conditional(&mut self, conditional: bool) -> Id {
        let start = self.token.start;
        if self.kind() == Kind::Lambda {
            return self.lambda();
        }
        let value = self.infix(0);
        if !conditional || self.kind() != Kind::If {
            return value;
        }
        self.bump();
        let condition = self.infix(0);
        if self.kind() == Kind::Equals {
            self.expected("`==`", "two values are compared with `==`");
            self.bump();
            self.infix(0);
        }
        let other = if self.eat(Kind::Else) {
            self.deeper(|p| p.conditional(true), Self::hole)
        } else {
            self.expected("`else`", "write `A if CONDITION else B`");
            self.hole()
        };
        let span = self.since(start);
        self.tree.add(Expr::If(condition, value, other), span)
    }

    fn lambda(&mut self) -> Id {
        let start = self.bump().start;
        let mut params = Vec::new();
        while self.kind() == Kind::Ident {
            let name = self.name("a parameter");
            let default = if self.eat(Kind::Equals) { Some(self.term()) } else { None };
            params.push((name, default));
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        if !self.eat(Kind::Colon) {
            self.expected("`:`", "write `lambda x: VALUE`");
        }
        let body = self.term();
        let span = self.since(start);
        self.tree.add(Expr::Lambda(params.into(), body), span)
    }

    /// Returns the infix operator at the place, its precedence and its number of tokens.
    fn operator(&self) -> Option<(Op, u8, usize)> {
        Some(match self.kind() {
            Kind::Or => (Op::Or, 1, 1),
            Kind::And => (Op::And, 2, 1),
            Kind::In => (Op::In, COMPARISON, 1),
            Kind::Not if self.peek(1).kind == Kind::In => (Op::NotIn, COMPARISON, 2),
            Kind::Is if self.peek(1).kind == Kind::Not => (Op::IsNot, COMPARISON, 2),
            Kind::Is => (Op::Is, COMPARISON, 1),
            Kind::EqEq => (Op::Eq, COMPARISON, 1),
            Kind::NotEq | Kind::LessGreater => (Op::Ne, COMPARISON, 1),
            Kind::Less => (Op::Lt, COMPARISON, 1),
            Kind::LessEq => (Op::Le, COMPARISON, 1),
            Kind::Greater => (Op::Gt, COMPARISON, 1),
            Kind::GreaterEq => (Op::Ge, COMPARISON, 1),
            Kind::Pipe => (Op::BitOr, 5, 1),
            Kind::Caret => (Op::BitXor, 6, 1),
            Kind::Amp => (Op::BitAnd, 7, 1),
            Kind::Shl => (Op::Shl, 8, 1),
            Kind::Shr => (Op::Shr, 8, 1),
            Kind::Plus => (Op::Add, 9, 1),
            Kind::Minus => (Op::Sub, 9, 1),
            Kind::Star => (Op::Mul, 10, 1),
            Kind::Slash => (Op::Div, 10, 1),
            Kind::SlashSlash => (Op::FloorDiv, 10, 1),
            Kind::Percent => (Op::Mod, 10, 1),
            Kind::StarStar => (Op::Pow, POWER, 1),
            _ => return None,
        })
    }

    /// Parses an expression whose operators have at least the precedence `min`.
    pub(super) fn infix(&mut self, min: u8) -> Id {
        self.deeper(|p| p.infix_here(min), Self::hole)
    }

    fn infix_here(&mut self, min: u8) -> Id {
        let start = self.token.start;
        let mut left = self.prefix(min);
        while let Some((op, level, tokens)) = self.operator() {
            if level < min {
                break;
            }
            let operator = self.token;
            self.bump_all(tokens);
            // `&&` and `||` of other languages are read as the words
            if let (Op::BitAnd, Kind::Amp) | (Op::BitOr, Kind::Pipe) = (op, self.kind())
                && self.token.start == operator.end
            {
                let (sign, word) = if op == Op::BitAnd { ("&&", "and") } else { ("||", "or") };
                self.expected("an expression", format!("`{sign}` is written `{word}`"));
                self.bump();
            }
            if !self.kind().starts_term() && self.kind() != Kind::Error {
                let help = format!("`{}` needs a value on each side", self.slice(operator));
                self.expected("an expression", help);
            }
            // `**` groups to the right
            let right = self.infix(if op == Op::Pow { PREFIX } else { level + 1 });
            let chained = |p: &Self| level == COMPARISON && p.operator().is_some_and(|(_, next, _)| next == COMPARISON);
            let expr = if chained(self) {
                let mut more = vec![(op, right)];
                while let Some((op, COMPARISON, tokens)) = self.operator() {
                    self.bump_all(tokens);
                    more.push((op, self.infix(COMPARISON + 1)));
                }
                Expr::Chain(left, more.into())
            } else {
                Expr::Binary(op, left, right)
            };
            let span = self.since(start);
            left = self.tree.add(expr, span);
        }
        left
    }

    fn bump_all(&mut self, tokens: usize) {
        for _ in 0..tokens {
            self.bump();
        }
    }

    fn prefix(&mut self, min: u8) -> Id {
        let start = self.token.start;
        let (op, level) = match self.kind() {
            Kind::Not if min <= NOT => (Prefix::Not, NOT),
            Kind::Minus => (Prefix::Neg, PREFIX),
            Kind::Plus => (Prefix::Pos, PREFIX),
            Kind::Tilde => (Prefix::Invert, PREFIX),
            _ => return self.primary(),
        };
        self.bump();
        let operand = self.infix(level);
        let span = self.since(start);
        self.tree.add(Expr::Unary(op, operand), span)
    }

    /// Parses an operand with its suffixes: `.name`, `[i]`, `(a)`.
    fn primary(&mut self) -> Id {
        let start = self.token.start;
        let mut left = self.atom();
        loop {
            let expr = match self.kind() {
                Kind::Dot => {
                    self.bump();
                    if self.kind() == Kind::Cursor {
                        let span = self.here();
                        self.bump();
                        let cursor = self.tree.add(Expr::Cursor, span);
                        Expr::Index(left, cursor)
                    } else if self.kind() == Kind::Number {
                        self.number_after_dot(left)
                    } else {
                        Expr::Dot(left, Box::new(self.name("a key")))
                    }
                }
                Kind::LBracket => self.subscript(left),
                Kind::LParen => self.call(left),
                _ => return left,
            };
            let span = self.since(start);
            left = self.tree.add(expr, span);
        }
    }

    /// Reports the index of `hosts.0`, which is written `hosts[0]`.
    fn number_after_dot(&mut self, base: Id) -> Expr {
        let written = self.tree.span(base);
        let written = self.text.get(written.start as usize..written.end as usize).unwrap_or("");
        let is_path = written.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
        let number: String = self.slice(self.token).chars().take_while(char::is_ascii_digit).collect();
        let base_name = if is_path { written } else { "x" };
        let help = format!("an element of a list is read by its index: `{base_name}[{number}]`");
        self.expected("a key", help);
        let span = self.here();
        // in `hosts.0.name` the number takes the second dot
        let number = self.bump();
        if self.slice(number).ends_with('.') && self.kind() == Kind::Ident {
            self.bump();
        }
        let hole = self.tree.add(Expr::Hole, span);
        Expr::Index(base, hole)
    }

    fn subscript(&mut self, base: Id) -> Expr {
        let open = self.open();
        let ends = |kind| matches!(kind, Kind::Colon | Kind::RBracket);
        let mut parts = [None, None, None];
        let mut colons = 0;
        for part in &mut parts {
            if !ends(self.kind()) {
                *part = Some(self.term());
            }
            if self.kind() != Kind::Colon || colons == 2 {
                break;
            }
            self.bump();
            colons += 1;
        }
        if colons == 0 && parts[0].is_none() {
            self.unexpected(&["an expression"]);
        }
        self.close_inside(open, Kind::RBracket, &["`]`"]);
        match (colons, parts[0]) {
            (0, Some(index)) => Expr::Index(base, index),
            (0, None) => Expr::Hole,
            _ => Expr::Slice(base, Box::new(parts)),
        }
    }

    fn call(&mut self, func: Id) -> Expr {
        let open = self.open();
        let mut args: Vec<(Option<Spanned>, Id)> = Vec::new();
        while !matches!(self.kind(), Kind::RParen | Kind::Eof) {
            let before = self.at;
            let name = (self.kind() == Kind::Ident && self.peek(1).kind == Kind::Equals).then(|| {
                let name = self.name("a name");
                self.bump();
                name
            });
            let value = self.term();
            let value = match self.kind() {
                Kind::For => self.comprehension(value),
                _ => value,
            };
            args.push((name, value));
            if !self.eat(Kind::Comma) || self.at == before {
                break;
            }
        }
        self.close_inside(open, Kind::RParen, &["`,`", "`)`"]);
        Expr::Call(func, args.into())
    }

    /// Parses the clauses of a comprehension after its element.
    pub(super) fn comprehension(&mut self, body: Id) -> Id {
        let start = self.tree.span(body).start;
        let clauses = self.clauses();
        let span = self.since(start);
        self.tree.add(Expr::ListComp(body, clauses.into()), span)
    }

    pub(super) fn clauses(&mut self) -> Vec<Clause> {
        let mut clauses = Vec::new();
        loop {
            match self.kind() {
                Kind::For => {
                    self.bump();
                    let names = self.targets();
                    if !self.eat(Kind::In) {
                        self.expected("`in`", "write `VALUE for NAME in LIST`");
                    }
                    let items = self.term_before_if();
                    clauses.push(Clause::For(names, items));
                }
                Kind::If => {
                    self.bump();
                    let condition = self.term_before_if();
                    clauses.push(Clause::If(condition));
                }
                _ => return clauses,
            }
        }
    }

    /// Parses the variables of a `for`.
    pub(super) fn targets(&mut self) -> Vec<Spanned> {
        let open = (self.kind() == Kind::LParen).then(|| self.open());
        let mut names = vec![self.name("a variable")];
        while self.eat(Kind::Comma) {
            names.push(self.name("a variable"));
        }
        if let Some(open) = open {
            self.close(open, Kind::RParen, &["`)`"]);
        }
        names
    }
}
