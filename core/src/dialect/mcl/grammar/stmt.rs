//! Statements.

use super::Parser;
use crate::dialect::mcl::problem::Meant;
use crate::dialect::mcl::token::Kind;
use crate::dialect::mcl::tree::{Class, Expr, For, Func, Id, Namespace, Param, Piece, Program, Spanned, Stmt, StmtId};
use crate::text::Name;

impl<const N: bool> Parser<'_, N> {
    /// Parses statements up to the end of the text or a closing brace.
    pub(super) fn statements(&mut self) -> Vec<StmtId> {
        let mut out = Vec::new();
        while !self.is_at_end() {
            if self.kind() == Kind::RBrace {
                if self.brackets_open() {
                    break;
                }
                match self.state.missing_braces.checked_sub(1) {
                    // it closes a block whose opening brace is missing
                    Some(rest) => self.state.missing_braces = rest,
                    None => self.unexpected(&["a statement"]),
                }
                self.bump();
                continue;
            }
            let before = self.at;
            out.push(self.statement());
            self.line_end();
            if self.at == before {
                self.unexpected(&["a statement"]);
                self.bump();
                self.skip_to_statement();
            }
        }
        out
    }

    /// Requires that a statement ends with its line.
    pub(super) fn line_end(&mut self) {
        if N && !self.is_at_end() && !self.is_new_line() && self.kind() != Kind::RBrace {
            let meant = (self.kind().starts_statement() && self.habit().is_none()).then_some(Meant::Statements);
            self.unexpected_as(&["a new line"], meant);
            if meant.is_none() {
                self.skip_to_statement();
            }
        }
    }

    /// Skips to the next token that begins both a line and a statement.
    pub(super) fn skip_to_statement(&mut self) {
        let mut inner = 0u32;
        while !self.is_at_end() {
            let kind = self.kind();
            match kind {
                Kind::LBrace | Kind::LParen | Kind::LBracket => inner += 1,
                Kind::RBrace if inner == 0 => return,
                Kind::RBrace | Kind::RParen | Kind::RBracket => inner = inner.saturating_sub(1),
                _ if inner == 0 && kind.starts_statement() && self.gap().contains('\n') => return,
                _ => {}
            }
            self.bump();
        }
    }

    /// Parses one statement.
    pub(super) fn statement(&mut self) -> StmtId {
        self.deeper(Self::statement_here, |parser| {
            let span = parser.here().at_start();
            parser.tree.add_stmt(Stmt::Hole, span)
        })
    }

    fn statement_here(&mut self) -> StmtId {
        let start = self.token.start;
        let stmt = match self.kind() {
            Kind::Dollar => self.bind(),
            Kind::If => self.if_statement(),
            Kind::Func => self.func_statement(),
            Kind::Class => self.class(),
            Kind::Include => self.include(),
            Kind::Import => self.import(),
            Kind::Panic => self.panic(),
            Kind::Ident if self.is_newest_word() && self.peek(1).kind != Kind::Cursor => match self.slice(self.token) {
                "for" => self.for_statement(false),
                "forkv" => self.for_statement(true),
                _ => self.collect(),
            },
            Kind::Ident => match self.foreign_statement() {
                Some(meant) => {
                    self.unexpected_as(&["a statement"], Some(meant));
                    self.bump();
                    match (meant, self.kind()) {
                        (Meant::Bind, Kind::Dollar) => self.bind(),
                        (Meant::Resource, _) => self.resource(),
                        _ => {
                            self.skip_to_statement();
                            Stmt::Hole
                        }
                    }
                }
                None if self.is_small_edge() => self.edge(),
                None => self.resource(),
            },
            Kind::Capital => self.edge(),
            Kind::Cursor => {
                // the kind of a resource, or the name of a construct
                let token = self.bump();
                let span = self.span_of(token);
                let place = self.tree.add(crate::dialect::mcl::tree::Expr::Cursor, span);
                Stmt::Panic(place)
            }
            _ => {
                if !self.foreign_comment() {
                    self.unexpected(&["a statement"]);
                }
                Stmt::Hole
            }
        };
        let span = self.since(start);
        self.tree.add_stmt(stmt, span)
    }

    /// Guesses the statement of another language, or of the newest syntax, that begins with the next word.
    fn foreign_statement(&self) -> Option<Meant> {
        let next = self.peek(1).kind;
        Some(match (self.slice(self.token), next) {
            ("for" | "foreach", Kind::Dollar | Kind::Ident | Kind::LParen) if !N => Meant::Loop,
            ("forkv", Kind::Dollar) | ("collect", Kind::Ident) if !N => Meant::Newest,
            ("elif" | "elsif" | "elseif", _) => Meant::ElseIf,
            ("return", Kind::Int | Kind::Float | Kind::Dollar | Kind::Ident | Kind::True | Kind::False) => {
                Meant::Return
            }
            ("def" | "function" | "fn" | "fun", Kind::Ident) => Meant::Function,
            ("let" | "var" | "const" | "local", Kind::Ident | Kind::Dollar) => Meant::Bind,
            ("unless", Kind::Dollar | Kind::Ident | Kind::LParen | Kind::Not | Kind::True | Kind::False) => {
                Meant::Unless
            }
            ("case" | "switch", Kind::Dollar | Kind::LParen) => Meant::Case,
            ("resource", Kind::Ident) => Meant::Resource,
            ("node", Kind::Str) if self.peek(2).kind == Kind::LBrace => Meant::Node,
            _ => return None,
        })
    }

    fn bind(&mut self) -> Stmt {
        self.bump();
        let name = match self.foreign_name(true) {
            Some(name) => name,
            None => self.name("the name of a variable"),
        };
        let ty = (self.kind() != Kind::Equals && self.starts_type()).then(|| self.ty());
        if !self.eat(Kind::Equals) {
            if self.kind() == Kind::Colon && self.peek(1).kind != Kind::Equals {
                self.unexpected(&["`=`"]);
                self.bump();
                let ty = self.starts_type().then(|| self.ty());
                self.eat(Kind::Equals);
                let value = self.expression();
                return Stmt::Bind { name, ty, value };
            }
            let meant = matches!(self.kind(), Kind::EqEq | Kind::Colon | Kind::Rocket).then_some(Meant::Bind);
            self.unexpected_as(&["`=`"], meant);
            if meant.is_none() {
                return Stmt::Bind { name, ty, value: self.hole() };
            }
            // `:=`
            if self.bump().kind == Kind::Colon && self.kind() == Kind::Equals {
                self.bump();
            }
        }
        let value = self.expression();
        Stmt::Bind { name, ty, value }
    }

    /// Parses `{ statements }`.
    pub(super) fn block(&mut self) -> Program {
        if self.kind() != Kind::LBrace {
            self.unexpected(&["`{`"]);
            if self.kind().starts_statement() && self.gap().contains('\n') {
                self.state.missing_braces += 1;
            }
            return Box::default();
        }
        let opening = self.open();
        let statements = self.statements();
        self.close(opening, Kind::RBrace, &["a statement", "`}`"]);
        statements.into()
    }

    fn if_statement(&mut self) -> Stmt {
        self.bump();
        let condition = self.expression();
        let then = self.block();
        let otherwise = (!self.is_new_line() && self.eat(Kind::Else)).then(|| self.block());
        Stmt::If { condition, then, otherwise }
    }

    /// Parses `for $index, $value in $list { … }`, and `forkv $key, $value in $map { … }`.
    fn for_statement(&mut self, entries: bool) -> Stmt {
        self.bump();
        let mut names = Vec::with_capacity(2);
        for at in 0..2 {
            if at > 0 && !self.eat(Kind::Comma) {
                self.unexpected(&["`,`"]);
            }
            if !self.eat(Kind::Dollar) {
                self.unexpected(&["a variable: `$name`"]);
            }
            let name = self.name("the name of a variable");
            names.push(Param { name, ty: None });
        }
        if !self.eat(Kind::In) {
            self.unexpected(&["`in`"]);
        }
        let of = self.expression();
        let body = self.block();
        Stmt::For(Box::new(For { entries, names, of, body }))
    }

    /// Parses `collect kind name { … }`.
    fn collect(&mut self) -> Stmt {
        self.bump();
        let start = self.here();
        let Stmt::Resource(mut resource) = self.resource() else { return Stmt::Hole };
        let text = Piece::Text(Name::new_static("collected"));
        let any = self.tree.add(Expr::Str(Box::new([text]), None), start);
        let names = std::mem::replace(&mut resource.name, any);
        Stmt::Collect(resource, names)
    }

    fn func_statement(&mut self) -> Stmt {
        self.bump();
        let name = self.name("the name of a function");
        let func = self.func_rest();
        Stmt::Func { name, func }
    }

    /// Parses `($x T, $y) R { e }`.
    pub(super) fn func_rest(&mut self) -> Func {
        let params = self.params();
        let result = (self.kind() != Kind::LBrace && self.starts_type()).then(|| self.ty());
        if self.kind() == Kind::Ident && self.peek(1).kind == Kind::LBrace {
            // a type that does not exist
            self.unexpected(&["`{`"]);
            self.bump();
        }
        let body = self.braced();
        Func { params, result, body }
    }

    /// Parses `{ e }`.
    pub(super) fn braced(&mut self) -> Id {
        if self.kind() != Kind::LBrace {
            self.unexpected(&["`{`"]);
            return self.hole();
        }
        let opening = self.open();
        let body = if self.report_statement() { self.hole() } else { self.expression() };
        self.close(opening, Kind::RBrace, &["`}`"]);
        body
    }

    /// Parses `($a T, $b)`.
    fn params(&mut self) -> Vec<Param> {
        let mut params = Vec::new();
        if self.kind() != Kind::LParen {
            self.unexpected(&["`(`"]);
            return params;
        }
        let opening = self.open();
        let layout = self.layout();
        while !matches!(self.kind(), Kind::RParen | Kind::Eof) && !self.closes_outer(Kind::RParen) {
            if !self.eat(Kind::Dollar) {
                self.unexpected(&["a parameter: `$name`"]);
                self.skip_to(&[Kind::Comma, Kind::RParen]);
                if !self.eat(Kind::Comma) {
                    break;
                }
                continue;
            }
            let name = self.name("the name of a parameter");
            if self.kind() == Kind::Colon {
                self.unexpected_as(&["`,`", "`)`"], Some(Meant::ParameterType));
                self.bump();
            }
            let ty = self.starts_type().then(|| self.ty());
            params.push(Param { name, ty });
            if self.kind() == Kind::Equals {
                self.unexpected_as(&["`,`", "`)`"], Some(Meant::ParameterDefault));
                self.bump();
                self.expression();
            }
            if self.kind() == Kind::Ident {
                // a type that does not exist
                self.unexpected(&["`,`", "`)`"]);
                self.bump();
            }
            if !self.argument_end(Kind::RParen, layout, &["a parameter: `$name`"]) {
                break;
            }
        }
        self.close(opening, Kind::RParen, &["`,`", "`)`"]);
        params
    }

    fn class(&mut self) -> Stmt {
        self.bump();
        let name = self.parts("the name of a class", Kind::Colon);
        let params = if self.kind() == Kind::LParen { self.params() } else { Vec::new() };
        if self.kind() == Kind::Ident && self.slice(self.token) == "inherits" {
            self.unexpected_as(&["`{`"], Some(Meant::Inherits));
            self.skip_to(&[Kind::LBrace]);
        }
        let body = self.block();
        Stmt::Class(Box::new(Class { name, params, body }))
    }

    fn include(&mut self) -> Stmt {
        self.bump();
        let name = match self.kind() {
            Kind::Cursor => {
                let token = self.bump();
                Spanned { name: Name::new_static(""), span: self.span_of(token) }
            }
            _ => self.parts("the name of a class", Kind::Dot),
        };
        if self.kind() == Kind::Colon && self.peek(1).kind == Kind::Colon {
            self.unexpected_as(&["a new statement"], Some(Meant::Namespace));
            while matches!(self.kind(), Kind::Colon | Kind::Ident) && !self.gap().contains('\n') {
                self.bump();
            }
        }
        let args = if self.kind() == Kind::LParen { self.arguments() } else { Vec::new() };
        let namespace = self.eat(Kind::As).then(|| self.name("a name"));
        Stmt::Include { name, args, namespace }
    }

    fn import(&mut self) -> Stmt {
        self.bump();
        let path = match self.kind() {
            Kind::Str => self.path(),
            _ => {
                self.unexpected(&["a path in quotes"]);
                if self.kind() == Kind::Ident {
                    self.parts("a path in quotes", Kind::Slash);
                }
                Spanned { name: Name::new_static(""), span: self.here().at_start() }
            }
        };
        let namespace = self.eat(Kind::As).then(|| {
            if self.kind() == Kind::Star {
                self.bump();
                return Namespace::All;
            }
            Namespace::Name(self.name("a name"))
        });
        Stmt::Import { path, namespace }
    }

    fn panic(&mut self) -> Stmt {
        self.bump();
        if self.kind() != Kind::LParen {
            self.unexpected(&["`(`"]);
            return Stmt::Hole;
        }
        let opening = self.open();
        let value = self.expression();
        self.close(opening, Kind::RParen, &["`)`"]);
        Stmt::Panic(value)
    }
}
