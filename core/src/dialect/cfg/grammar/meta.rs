//! Annotations: types, contracts, metadata. Lowering checks which of them are allowed at a place.

use super::Parser;
use crate::dialect::cfg::problem::CfgProblem;
use crate::dialect::cfg::token::Kind;
use crate::dialect::cfg::tree::{Expr, Id, Meta, MetaKind};
use crate::meta::Push;

impl Parser<'_> {
    /// Parses any number of annotations.
    pub(super) fn metas(&mut self) -> Vec<Meta> {
        let mut metas = Vec::new();
        loop {
            let start = self.token.start;
            let kind = match self.kind() {
                Kind::Colon => {
                    self.bump();
                    MetaKind::Type(self.ty())
                }
                Kind::Pipe => {
                    self.bump();
                    self.meta()
                }
                _ => return metas,
            };
            metas.push(Meta { kind, span: self.since(start) });
        }
    }

    fn meta(&mut self) -> MetaKind {
        match self.kind() {
            Kind::Doc => {
                self.bump();
                if !matches!(self.kind(), Kind::StrOpen | Kind::MultiOpen) {
                    self.unexpected(&["documentation in quotes"]);
                    return MetaKind::Doc(Default::default());
                }
                MetaKind::Doc(self.static_string().name)
            }
            Kind::Default => {
                self.bump();
                if self.eat(Kind::Rec) { MetaKind::Push(Push::Default) } else { MetaKind::Default }
            }
            Kind::Force => {
                self.bump();
                if self.eat(Kind::Rec) { MetaKind::Push(Push::Force) } else { MetaKind::Force }
            }
            Kind::Rec => {
                self.bump();
                match self.kind() {
                    Kind::Force => {
                        self.bump();
                        MetaKind::Push(Push::Force)
                    }
                    kind => {
                        if kind == Kind::Default {
                            self.bump();
                        } else {
                            self.unexpected(&["`default`", "`force`"]);
                        }
                        MetaKind::Push(Push::Default)
                    }
                }
            }
            Kind::Priority => {
                self.bump();
                MetaKind::Priority(self.signed_number())
            }
            Kind::Optional => {
                self.bump();
                MetaKind::Optional
            }
            Kind::NotExported => {
                self.bump();
                MetaKind::NotExported
            }
            _ => {
                let ty = self.ty();
                MetaKind::Contract(self.operand_of(ty))
            }
        }
    }

    /// Parses `when !x` as it was meant, and reports it.
    fn operand_of(&mut self, word: Id) -> Id {
        let Expr::Name(name) = self.tree.expr(word) else { return word };
        if self.kind() != Kind::Bang || !matches!(name.as_str(), "when" | "merge") {
            return word;
        }
        let name = name.clone();
        let operand = self.ty();
        let (from, operand_span) = (self.tree.span(word), self.tree.span(operand));
        self.fault(operand_span, CfgProblem::OperandNeedsParentheses(name));
        self.tree.add(Expr::Apply(word, [operand].into()), from.to(operand_span))
    }

    /// Parses a type: an expression without annotations at the top level.
    pub(super) fn ty(&mut self) -> Id {
        let annotation = std::mem::replace(&mut self.state.annotation, true);
        let ty = match self.kind() {
            Kind::Forall => self.deeper(Self::forall, Self::hole),
            _ => self.infix(0),
        };
        self.state.annotation = annotation;
        ty
    }
}
