//! Parses expressions: `let`, `fun`, `if`, `import`, operators and function application.

use super::Parser;
use crate::dialect::cfg::problem::CfgProblem;
use crate::dialect::cfg::token::Kind;
use crate::dialect::cfg::tree::{Binding, Expr, Id, Let, Op};
use crate::dialect::parser::TokenKind;
use crate::text::Name;

/// Returns the infix operator of a token, its precedence (a higher one binds more tightly) and whether it is
/// right-associative.
fn infix(kind: Kind) -> Option<(Op, u8, bool)> {
    Some(match kind {
        Kind::Arrow => (Op::Arrow, 1, true),
        Kind::OrOr => (Op::Or, 2, false),
        Kind::AndAnd => (Op::And, 3, false),
        Kind::EqEq => (Op::Eq, 4, false),
        Kind::NotEq => (Op::Ne, 4, false),
        Kind::Less => (Op::Lt, 5, false),
        Kind::LessEq => (Op::Le, 5, false),
        Kind::Greater => (Op::Gt, 5, false),
        Kind::GreaterEq => (Op::Ge, 5, false),
        Kind::Amp => (Op::Merge, 6, false),
        Kind::PipeRight => (Op::PipeRight, 6, false),
        Kind::Plus => (Op::Add, 8, false),
        Kind::Minus => (Op::Sub, 8, false),
        Kind::Star => (Op::Mul, 9, false),
        Kind::Slash => (Op::Div, 9, false),
        Kind::Percent => (Op::Mod, 9, false),
        Kind::PlusPlus => (Op::Concat, 10, false),
        Kind::At => (Op::Append, 10, false),
        _ => return None,
    })
}

/// The minimum precedence of the operators in the operand of `!`.
const NOT: u8 = 8;
/// The minimum precedence of the operators in the operand of unary `-`.
const NEGATE: u8 = 11;

/// Returns the operator of a token if it can be a function in parentheses, such as `(+)`.
pub(super) fn section(kind: Kind) -> Option<Op> {
    match kind {
        Kind::Bang => Some(Op::Not),
        Kind::Dot => Some(Op::Dot),
        Kind::Arrow => None,
        _ => infix(kind).map(|(op, _, _)| op),
    }
}

impl Parser<'_> {
    /// Parses any expression, including annotations after it.
    pub(super) fn term(&mut self) -> Id {
        let annotation = std::mem::replace(&mut self.state.annotation, false);
        let term = self.deeper(Self::term_here, Self::hole);
        self.state.annotation = annotation;
        term
    }

    fn term_here(&mut self) -> Id {
        match self.kind() {
            Kind::Let => self.let_in(),
            Kind::Fun => self.fun(),
            Kind::If => self.if_else(),
            Kind::Import => self.import(),
            Kind::Forall => self.forall(),
            _ if self.foreign_definition() => self.hole(),
            _ => {
                let start = self.token.start;
                let expr = self.infix(0);
                if !matches!(self.kind(), Kind::Pipe | Kind::Colon) {
                    return expr;
                }
                let metas = self.metas();
                let span = self.since(start);
                self.tree.add(Expr::Annotated(expr, metas.into()), span)
            }
        }
    }

    /// Parses an expression whose operators have at least the precedence `min`.
    pub(super) fn infix(&mut self, min: u8) -> Id {
        self.deeper(|p| p.infix_here(min), Self::hole)
    }

    fn infix_here(&mut self, min: u8) -> Id {
        let start = self.token.start;
        let mut left = self.prefix();
        while let Some((op, level, right_assoc)) = infix(self.kind()) {
            if level < min {
                break;
            }
            self.bump();
            let right = self.infix(if right_assoc { level } else { level + 1 });
            let span = self.since(start);
            left = self.tree.add(Expr::Binary(op, left, right), span);
        }
        left
    }

    fn prefix(&mut self) -> Id {
        let start = self.token.start;
        let (op, level) = match self.kind() {
            Kind::Minus if self.is_dashed_comment() => return self.dashed_comment(),
            Kind::Minus => (Op::Neg, NEGATE),
            Kind::Bang => (Op::Not, NOT),
            _ => return self.application(),
        };
        self.bump();
        let operand = self.infix(level);
        let span = self.since(start);
        self.tree.add(Expr::Unary(op, operand), span)
    }

    /// Returns whether the next tokens are `-- word` at the beginning of a line, which is a comment in other languages.
    fn is_dashed_comment(&self) -> bool {
        let (next, word) = (self.peek(1), self.peek(2));
        let first = self.at == 0 || self.gap().contains('\n');
        first
            && next.kind == Kind::Minus
            && next.start == self.token.end
            && word.kind.is_name()
            && word.start > next.end
    }

    /// Reports a line that begins with `--`, skips it, and parses what follows.
    fn dashed_comment(&mut self) -> Id {
        let before = Name::default();
        let found = Some(Name::new_static("--"));
        let expected = vec![Name::new_static("an expression")];
        self.report_at(self.at, CfgProblem::Unexpected { found, expected, before, comma_after: None });
        self.bump();
        while !self.is_at_end() && !self.gap().contains('\n') {
            self.bump();
        }
        match self.kind().starts_term() {
            true => self.deeper(Self::term_here, Self::hole),
            false => self.hole(),
        }
    }

    fn application(&mut self) -> Id {
        let start = self.token.start;
        let head = self.head();
        if !self.starts_argument() || self.is_value_before_line(head) {
            return head;
        }
        let mut args = Vec::new();
        while self.starts_argument() {
            args.push(match self.kind() {
                Kind::Fun | Kind::Import | Kind::If | Kind::Match | Kind::ArrayType => self.without_parentheses(),
                _ => self.atom(),
            });
        }
        let span = self.since(start);
        self.tree.add(Expr::Apply(head, args.into()), span)
    }

    fn starts_argument(&self) -> bool {
        let kind = self.kind();
        let starts = kind.starts_atom() || matches!(kind, Kind::Fun | Kind::Import | Kind::Match | Kind::ArrayType);
        // `x = f y = 2`: a comma is missing before `y`; but `x | f y = 2` is correct
        let defines = !self.state.annotation && kind.is_name() && self.peek(1).kind == Kind::Equals;
        starts && !defines && !self.new_item()
    }

    /// Parses the first expression of an application. `Array T`, `match` and primitive operators need no parentheses
    /// here, but they do as arguments.
    fn head(&mut self) -> Id {
        let start = self.token.start;
        match self.kind() {
            Kind::ArrayType => {
                self.bump();
                let item = if self.kind().starts_atom() {
                    self.atom()
                } else {
                    self.unexpected(&["the type of the elements"]);
                    self.hole()
                };
                let span = self.since(start);
                self.tree.add(Expr::ArrayType(item), span)
            }
            Kind::Match => self.match_arms(),
            Kind::Primop => {
                let token = self.bump();
                let name = self.name_of(token);
                let span = self.span_of(token);
                self.tree.add(Expr::Primop(name), span)
            }
            Kind::Let | Kind::Fun | Kind::If | Kind::Import | Kind::Forall => self.without_parentheses(),
            _ => self.atom(),
        }
    }

    /// Parses an expression that needs parentheses as if it had them: `1 + fun x => x`. Reports that they are missing.
    fn without_parentheses(&mut self) -> Id {
        let span = self.here();
        let word = self.name_of(self.token);
        self.fault(span, CfgProblem::NeedsParentheses(word));
        match self.kind() {
            Kind::Match | Kind::ArrayType => self.head(),
            _ => self.term(),
        }
    }

    fn let_in(&mut self) -> Id {
        let start = self.bump().start;
        let recursive = self.eat(Kind::Rec);
        let bindings = self.bindings();
        self.let_body(start, recursive, bindings)
    }

    /// Parses `in` and the body of a `let`.
    pub(super) fn let_body(&mut self, start: u32, recursive: bool, bindings: Vec<Binding>) -> Id {
        let first = self.tokens.partition_point(|token| token.start <= start);
        let body = if self.eat(Kind::In) {
            self.term()
        } else {
            // `let a = 1⏎a + 1`: the second line was read as the argument of a call
            let may_continue = self.is_at_end() && self.margin.is_none() && !self.is_reported();
            let second = if may_continue { self.second_line(first) } else { None };
            match second {
                Some(index) => {
                    let found = self.tokens.get(index).map(|token| self.name_of(*token));
                    let expected = vec![Name::new_static("`in`")];
                    let before = Name::default();
                    self.report_at(index, CfgProblem::Unexpected { found, expected, before, comma_after: None });
                    self.take_for_reported(self.at);
                }
                None => self.unexpected(&["`in`"]),
            }
            if self.kind().starts_term() && !self.new_item() { self.term() } else { self.hole() }
        };
        let span = self.since(start);
        self.tree.add(Expr::Let(Box::new(Let { recursive, bindings, body })), span)
    }

    /// Parses one or more bindings.
    pub(super) fn bindings(&mut self) -> Vec<Binding> {
        let mut bindings = vec![self.binding()];
        loop {
            if self.eat(Kind::Comma) {
                if !self.kind().starts_pattern() {
                    break;
                }
            } else if self.kind().is_name() && self.peek(1).kind == Kind::Equals && !self.new_item() {
                self.unexpected(&["`,`", "`in`"]);
            } else {
                break;
            }
            bindings.push(self.binding());
        }
        bindings
    }

    fn binding(&mut self) -> Binding {
        let start = self.token.start;
        let pattern = self.pattern();
        let metas = self.metas();
        let value = self.bound_value();
        Binding { pattern, metas, value, span: self.since(start) }
    }

    /// Parses `= e` and returns `e`.
    pub(super) fn bound_value(&mut self) -> Id {
        if !self.eat(Kind::Equals) {
            self.unexpected(&["`=`"]);
            if !self.kind().starts_atom() {
                return self.hole();
            }
        }
        self.term()
    }

    fn fun(&mut self) -> Id {
        let start = self.bump().start;
        let mut params = Vec::new();
        while self.kind().starts_pattern() || self.kind() == Kind::Cursor {
            params.push(self.parameter());
        }
        if params.is_empty() {
            self.unexpected(&["a parameter"]);
        }
        let body = if self.eat(Kind::FatArrow) {
            self.term()
        } else {
            self.unexpected(&["a parameter", "`=>`"]);
            self.hole()
        };
        let span = self.since(start);
        self.tree.add(Expr::Fun(params.into(), body), span)
    }

    fn if_else(&mut self) -> Id {
        let start = self.bump().start;
        let outer = std::mem::replace(&mut self.state.condition, true);
        let condition = self.term();
        self.state.condition = outer;
        let yes = self.branch(Kind::Then, "`then`");
        let no = self.branch(Kind::Else, "`else`");
        let span = self.since(start);
        self.tree.add(Expr::If(Box::new([condition, yes, no])), span)
    }

    fn branch(&mut self, word: Kind, name: &'static str) -> Id {
        if self.eat(word) {
            return self.term();
        }
        self.unexpected(&[name]);
        self.hole()
    }

    fn import(&mut self) -> Id {
        let start = self.bump().start;
        let expr = match self.kind() {
            Kind::StrOpen => {
                let path = self.static_string();
                let format = match self.kind() {
                    Kind::As => {
                        self.bump();
                        self.tag_name().map(Box::new)
                    }
                    _ => None,
                };
                Expr::Import(path.name, format)
            }
            kind if kind.is_name() => {
                let token = self.bump();
                while !self.is_at_end()
                    && self.gap().is_empty()
                    && (self.kind().starts_atom() || matches!(self.kind(), Kind::Dot | Kind::Slash | Kind::Minus))
                {
                    self.bump();
                }
                let span = self.since(token.start);
                let name = Name::new(self.text.get(span.start as usize..span.end as usize).unwrap_or_default());
                self.fault(span, CfgProblem::Package(name.clone()));
                self.take_for_reported(self.at);
                Expr::Package(name)
            }
            _ => {
                self.unexpected(&["the path of a file, in quotes"]);
                Expr::Hole
            }
        };
        let span = self.since(start);
        self.tree.add(expr, span)
    }
}
