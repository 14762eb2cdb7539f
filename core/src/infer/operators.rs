//! Infers primitive operations.

use super::Infer;
use super::findings::{Finding, Found, Reported};
use super::narrow::Views;
use super::why::{UnifyReason, Why};
use crate::problem::types::TypesKind;
use crate::term::{Node, NodeId, Prim};
use crate::text::Span;
use crate::ty::{Failure, Row, Tail, Ty, TyRef, VariableKind};

impl Infer<'_> {
    /// Returns the operands of a chain of one operator, `a && b && c`, in order. The facts of the first n operands are then
    /// looked up once, not once for each n. Returns the shorter chains too, the shortest first.
    fn chain_of(&self, prim: Prim, operands: &[NodeId]) -> (Vec<NodeId>, Vec<NodeId>) {
        let term = self.term.clone();
        let mut rest = operands.to_vec();
        let (mut chain, mut inside) = (Vec::new(), Vec::new());
        while let Some(first) = rest.first().copied()
            && let Node::Prim(inner, left) = term.node(first)
            && *inner == prim
        {
            chain.extend(rest.drain(1..).rev());
            inside.push(first);
            rest = left.to_vec();
        }
        chain.extend(rest.into_iter().rev());
        chain.reverse();
        inside.reverse();
        (chain, inside)
    }

    pub(super) fn prim(&mut self, prim: Prim, operands: &[NodeId], span: Span) -> TyRef {
        let why = Why::Operand(prim);
        if self.rules().converts()
            && let Some(ty) = self.converting(prim, operands)
        {
            return ty;
        }
        let (operand, result): (Ty, Ty) = match prim {
            Prim::Neg | Prim::Add | Prim::Sub | Prim::Mul | Prim::Div | Prim::Mod => (Ty::Number, Ty::Number),
            Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge if self.rules().overloads() => {
                return self.comparison(prim, operands);
            }
            Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge => (Ty::Number, Ty::Bool),
            Prim::Not => (Ty::Bool, Ty::Bool),
            Prim::Concat => (Ty::String, Ty::String),
            Prim::And | Prim::Or => {
                let (operands, inside) = self.chain_of(prim, operands);
                inside.iter().for_each(|node| self.keep_type(*node, &Ty::Bool.into()));
                let from = self.narrowing.depth();
                let mut is_reported = false;
                for (i, operand) in operands.iter().enumerate() {
                    let known = self.findings.len();
                    if i == 0 {
                        self.expect(*operand, &Ty::Bool.into(), why.clone());
                    } else if is_reported {
                        // an operand that is no boolean is one fault with those after it: `name || 'default'`
                        self.lazily(*operand);
                    } else {
                        self.expect_lazily(*operand, &Ty::Bool.into(), why.clone());
                    }
                    is_reported |= self.findings.operand_since(known, &why).is_some();
                    if i + 1 < operands.len() {
                        let facts = self.facts(*operand);
                        let span = self.term.span(*operand);
                        let views = match prim {
                            Prim::And => Views::holds(&facts, span),
                            _ => Views::fails(&facts, span),
                        };
                        self.view(&views);
                    }
                }
                self.narrowing.leave(from);
                return Ty::Bool.into();
            }
            Prim::Append => return self.append(operands),
            Prim::Eq | Prim::Ne => {
                let types: Vec<TyRef> = operands.iter().map(|o| self.expr(*o)).collect();
                if self.rules().extends() && !self.rules().converts() {
                    self.compared(&types);
                }
                return Ty::Bool.into();
            }
            Prim::In => {
                if let [name, record] = operands {
                    self.expect(*name, &Ty::String.into(), why.clone());
                    let row = Row::new(Tail::Live(self.fresh_tail(VariableKind::Row)));
                    self.expect(*record, &Ty::Record(row).into(), why);
                }
                return Ty::Bool.into();
            }
            Prim::BitAnd | Prim::BitOr | Prim::BitXor | Prim::BitNot | Prim::Shl | Prim::Shr | Prim::Pos => {
                (Ty::Number, Ty::Number)
            }
            Prim::Plus => {
                let [left, right] = operands else { return self.fresh() };
                let ty = self.sum(*left, *right, span);
                return self.force(&ty);
            }
            Prim::Rem => {
                let [left, right] = operands else { return self.fresh() };
                return self.remainder(*left, *right, span);
            }
            Prim::Slice => return self.slice(operands),
            Prim::Map | Prim::Lookup | Prim::FieldOr | Prim::Names => {
                for o in operands {
                    self.lazily(*o);
                }
                return self.fresh();
            }
            Prim::Else => {
                let [left, right] = operands else { return self.fresh() };
                return self.fallback(*left, *right);
            }
            Prim::Error => {
                for o in operands {
                    self.lazily(*o);
                }
                self.report_only(span, TypesKind::Raises, Reported::IfForced, true);
                let raised = self.open();
                return Ty::Error(raised).into();
            }
        };
        let operand: TyRef = operand.into();
        let mut reported = None;
        for (place, o) in operands.iter().enumerate() {
            let known = self.findings.len();
            let ty = self.strict(*o);
            // the other operands of a chain of one operator belong to the report of the first one
            if place == 0 && matches!(self.term.node(*o), Node::Prim(inner, _) if *inner == prim) {
                reported = self.findings.operand_since(known, &why);
            }
            let because = self.reason_for(*o, why.clone());
            let unified = self.unify(&ty, &operand, &because);
            self.demand_alike(unified, &because, &mut reported);
            self.solve();
        }
        result.into()
    }

    /// Infers an operator that converts its operands; `None` if it is inferred as in other languages.
    fn converting(&mut self, prim: Prim, operands: &[NodeId]) -> Option<TyRef> {
        match prim {
            Prim::Not => {
                operands.iter().for_each(|o| drop(self.expr(*o)));
                Some(Ty::Bool.into())
            }
            Prim::And | Prim::Or => {
                let (operands, inside) = self.chain_of(prim, operands);
                let from = self.narrowing.depth();
                let mut joined: Option<TyRef> = None;
                for (i, operand) in operands.iter().enumerate() {
                    let span = self.term.span(*operand);
                    let ty = if i == 0 { self.expr(*operand) } else { self.lazily(*operand) };
                    let ty = self.without_failures(&ty);
                    joined = Some(match joined {
                        Some(before) => {
                            let because = UnifyReason::new(span, Why::Branch).unsure();
                            let joined = self.join_quietly(&before, &ty, &because);
                            if let Some(node) = inside.get(i - 1) {
                                self.keep_type(*node, &joined);
                            }
                            joined
                        }
                        None => ty,
                    });
                    if i + 1 < operands.len() {
                        let facts = self.facts(*operand);
                        let views = match prim {
                            Prim::And => Views::holds(&facts, span),
                            _ => Views::fails(&facts, span),
                        };
                        self.view(&views);
                    }
                }
                self.narrowing.leave(from);
                joined
            }
            Prim::In => {
                operands.iter().for_each(|o| drop(self.expr(*o)));
                Some(Ty::Bool.into())
            }
            Prim::Neg
            | Prim::Sub
            | Prim::Mul
            | Prim::Div
            | Prim::Rem
            | Prim::Pos
            | Prim::BitNot
            | Prim::BitAnd
            | Prim::BitOr
            | Prim::BitXor
            | Prim::Shl
            | Prim::Shr
            | Prim::Lt
            | Prim::Le
            | Prim::Gt
            | Prim::Ge => {
                let compares = matches!(prim, Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge);
                for o in operands {
                    let ty = self.expr(*o);
                    let head = self.open_head(&ty);
                    let head = self.no_error(&head);
                    match &*self.table.head(&head) {
                        // the text of a string may be a number
                        Ty::Bool | Ty::Number | Ty::String | Ty::Dyn(_) | Ty::Bottom | Ty::Union(_) => continue,
                        Ty::Array(_) if compares => continue,
                        _ => {}
                    }
                    let because = self.reason_for(*o, Why::Operand(prim));
                    let unified = self.unify(&head, &Ty::Number.into(), &because);
                    self.demand(unified, &because);
                    self.solve();
                }
                Some(if compares { Ty::Bool.into() } else { Ty::Number.into() })
            }
            _ => None,
        }
    }

    /// Infers `a else b`. `a` may read something that does not exist, without an error.
    fn fallback(&mut self, left: NodeId, right: NodeId) -> TyRef {
        let from = self.findings.len();
        self.objects.tolerant += 1;
        let a = self.lazily(left);
        self.objects.tolerant -= 1;
        let b = self.in_own_unit(right);
        let missing = |f: &Finding| match &f.problem {
            Found::Here(problem) => {
                matches!(problem.what, TypesKind::MissingField { .. } | TypesKind::Undefined { .. })
            }
            Found::Import(_) => false,
        };
        let mut caught = false;
        for finding in self.findings.iter_mut().skip(from) {
            if missing(finding) {
                finding.reported = Reported::Never;
                caught = true;
            }
        }
        let (a, b) = (self.without_failures(&a), self.without_failures(&b));
        if caught || matches!(&*self.table.head(&a), Ty::Bottom) {
            return b;
        }
        let because = UnifyReason::new(self.term.span(right), Why::Branch).unsure();
        self.join_quietly(&a, &b, &because)
    }

    fn append(&mut self, operands: &[NodeId]) -> TyRef {
        let mut joined: Option<(TyRef, Span)> = None;
        let mut reported = None;
        let mut fault = None;
        for o in operands {
            let item = self.fresh();
            let array: TyRef = Ty::Array(item.clone()).into();
            let ty = self.expr(*o);
            let at = self.term.span(*o);
            if let Ty::Fails(inside, _) = &*ty {
                fault.get_or_insert(*inside);
            }
            let because = self.reason_for(*o, Why::Operand(Prim::Append));
            let unified = self.unify(&ty, &array, &because);
            self.demand_alike(unified, &because, &mut reported);
            self.solve();
            joined = Some(match joined {
                None => (item, at),
                Some((before, first)) => {
                    let because = UnifyReason::new(at, Why::Operand(Prim::Append)).wanted(first).unsure();
                    (self.join(&before, &item, &because), first)
                }
            });
        }
        let item = joined.map_or_else(|| self.fresh(), |(t, _)| t);
        let array: TyRef = Ty::Array(item).into();
        match fault {
            Some(fault) => Ty::Fails(Failure { deep: true, ..fault }, array).into(),
            None => array,
        }
    }
}
