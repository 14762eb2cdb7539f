//! Types.

use super::Parser;
use crate::dialect::mcl::token::Kind;
use crate::dialect::mcl::tree::{Type, TypeId, Word};
use crate::dialect::parser::TokenKind;

/// Returns a type without parts.
fn word(text: &str) -> Option<Word> {
    Some(match text {
        "bool" => Word::Bool,
        "str" => Word::Str,
        "int" => Word::Int,
        "float" => Word::Float,
        "variant" => Word::Any,
        _ => return None,
    })
}

impl<const N: bool> Parser<'_, N> {
    /// Returns `true` if the next token begins a type.
    pub(super) fn starts_type(&self) -> bool {
        match self.kind() {
            Kind::Ident => {
                let text = self.slice(self.token);
                word(text).is_some() || text == "map"
            }
            Kind::LBracket => self.peek(1).kind == Kind::RBracket,
            Kind::Struct | Kind::Func => true,
            _ => false,
        }
    }

    /// Parses a type.
    pub(super) fn ty(&mut self) -> TypeId {
        self.deeper(Self::type_here, |parser| {
            let span = parser.here().at_start();
            parser.tree.add_type(Type::Hole, span)
        })
    }

    fn type_here(&mut self) -> TypeId {
        let start = self.token.start;
        let ty = match self.kind() {
            Kind::Ident if self.slice(self.token) == "map" => {
                self.bump();
                self.map()
            }
            Kind::Ident if let Some(word) = word(self.slice(self.token)) => {
                self.bump();
                Type::Word(word)
            }
            Kind::LBracket if self.peek(1).kind == Kind::RBracket => {
                self.bump();
                self.bump();
                Type::List(self.ty())
            }
            Kind::Struct => {
                self.bump();
                self.struct_type()
            }
            Kind::Func => {
                self.bump();
                self.func_type()
            }
            _ => {
                self.unexpected(&["a type"]);
                Type::Hole
            }
        };
        let span = self.since(start);
        self.tree.add_type(ty, span)
    }

    fn map(&mut self) -> Type {
        if self.kind() != Kind::LBrace {
            self.unexpected(&["`{`"]);
            return Type::Hole;
        }
        let opening = self.open();
        let key = self.ty();
        if !self.eat(Kind::Colon) {
            self.unexpected(&["`:`"]);
        }
        let value = self.ty();
        self.close(opening, Kind::RBrace, &["`}`"]);
        Type::Map(key, value)
    }

    fn struct_type(&mut self) -> Type {
        if self.kind() != Kind::LBrace {
            self.unexpected(&["`{`"]);
            return Type::Hole;
        }
        let opening = self.open();
        let mut fields = Vec::new();
        while !matches!(self.kind(), Kind::RBrace | Kind::Eof) && !self.closes_outer(Kind::RBrace) {
            let before = self.at;
            let name = self.name("the name of a field");
            let ty = self.ty();
            fields.push((name, ty));
            if !self.eat(Kind::Semicolon) || self.at == before {
                break;
            }
            if self.kind() == Kind::RBrace {
                self.unexpected(&["the name of a field"]);
            }
        }
        self.close(opening, Kind::RBrace, &["`;`", "`}`"]);
        Type::Struct(fields)
    }

    fn func_type(&mut self) -> Type {
        if self.kind() != Kind::LParen {
            self.unexpected(&["`(`"]);
            return Type::Hole;
        }
        let opening = self.open();
        let mut params = Vec::new();
        while !matches!(self.kind(), Kind::RParen | Kind::Eof) && !self.closes_outer(Kind::RParen) {
            let before = self.at;
            // the names of parameters do not matter
            if self.eat(Kind::Dollar) {
                self.name("the name of a parameter");
            }
            params.push(self.ty());
            if !self.eat(Kind::Comma) || self.at == before {
                break;
            }
        }
        self.close(opening, Kind::RParen, &["`,`", "`)`"]);
        if !self.starts_type() && self.kind().closes().is_some() {
            self.unexpected(&["the type of the result"]);
        }
        let result = self.ty();
        Type::Func(params, result)
    }
}
