//! Operators, lists and maps in languages with exact types.

use crate::infer::Infer;
use crate::infer::why::{UnifyReason, Why};
use crate::problem::types::TypesKind;
use crate::term::{Node, NodeId, Prim};
use crate::text::{Name, Span};
use crate::ty::{Constraint, Instances, Ty, TyRef};

/// The types that `+` works on.
const SUMS: Instances = Instances::STR.or(NUMBERS);
/// The types of numbers.
const NUMBERS: Instances = Instances::INT.or(Instances::FLOAT);
/// The types that can be compared for equality.
const EQUAL: Instances = SUMS.or(Instances::BOOL).or(Instances::LIST).or(Instances::MAP).or(Instances::STRUCT);

/// Returns the set of a type's head; `None` for a variable.
fn head_of(ty: &Ty) -> Option<Instances> {
    Some(match ty {
        Ty::Bool => Instances::BOOL,
        Ty::String => Instances::STR,
        Ty::Int => Instances::INT,
        Ty::Float => Instances::FLOAT,
        Ty::Array(_) => Instances::LIST,
        Ty::Map(..) => Instances::MAP,
        Ty::Record(_) => Instances::STRUCT,
        Ty::Fun(..) => Instances::FUNC,
        _ => return None,
    })
}

impl Infer<'_> {
    /// Tries to decide whether a type is one of those that an operator works on.
    pub(in crate::infer) fn try_instance(
        &mut self,
        index: usize,
        ty: &TyRef,
        allowed: Instances,
        operator: &Name,
        span: Span,
    ) {
        let head = self.table.head(ty);
        match (&*head, head_of(&head)) {
            (Ty::Live(v), _) => self.table.watch(*v, index as u32),
            (_, Some(one)) => {
                self.deferred.finish(index);
                if !allowed.has(one) {
                    let found = self.mono(&head);
                    self.report(span, TypesKind::NoInstance { operator: operator.clone(), found, allowed }, true);
                    self.taint([ty].into_iter());
                }
            }
            _ => self.deferred.finish(index),
        }
    }

    /// Tries to find the type of an element of a list or map.
    pub(in crate::infer) fn try_element(
        &mut self,
        index: usize,
        target: &TyRef,
        key: &TyRef,
        result: &TyRef,
        span: Span,
    ) {
        let head = self.table.head(target);
        let because = UnifyReason::new(span, Why::Index);
        match &*head {
            Ty::Live(v) => self.table.watch(*v, index as u32),
            Ty::Array(item) => {
                self.deferred.finish(index);
                self.must(key, &Ty::Int.into(), because.clone());
                self.must(item, result, because);
            }
            Ty::Map(k, v) => {
                self.deferred.finish(index);
                self.must(key, k, because.clone());
                self.must(v, result, because);
            }
            Ty::Bottom => self.deferred.finish(index),
            _ => {
                self.deferred.finish(index);
                let (found, operator) = (self.mono(&head), Name::new_static("[]"));
                let allowed = Instances::LIST.or(Instances::MAP);
                self.report(span, TypesKind::NoInstance { operator, found, allowed }, true);
                self.taint([key, result].into_iter());
            }
        }
    }

    /// Infers `e[i]`.
    pub(super) fn element_of(&mut self, target: NodeId, key: NodeId, span: Span, id: NodeId) -> TyRef {
        let target = self.expr(target);
        let key = self.expr(key);
        let result = self.fresh();
        self.origin(id, &result);
        self.constrain(Constraint::Element { target, key, result: result.clone(), span });
        result
    }

    fn instance(&mut self, ty: &TyRef, allowed: Instances, operator: &'static str, span: Span) {
        let operator = Name::new_static(operator);
        self.constrain(Constraint::Instance { ty: ty.clone(), allowed, operator, span });
    }

    pub(super) fn exact_prim(&mut self, prim: Prim, operands: &[NodeId], span: Span, id: NodeId) -> TyRef {
        match prim {
            Prim::Add | Prim::Sub | Prim::Mul | Prim::Div => {
                let ty = self.alike(prim, operands);
                let allowed = if prim == Prim::Add { SUMS } else { NUMBERS };
                self.instance(&ty, allowed, prim.symbol(), span);
                if prim == Prim::Div { Ty::Float.into() } else { ty }
            }
            Prim::Eq | Prim::Ne | Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge => {
                let ty = self.alike(prim, operands);
                let allowed = if matches!(prim, Prim::Eq | Prim::Ne) { EQUAL } else { NUMBERS };
                self.instance(&ty, allowed, prim.symbol(), span);
                Ty::Bool.into()
            }
            Prim::And | Prim::Or | Prim::Not => {
                for operand in operands {
                    self.expect_exactly(*operand, Ty::Bool, Why::Operand(prim));
                }
                Ty::Bool.into()
            }
            Prim::In => {
                if let [needle, haystack] = operands {
                    let item = self.expr(*needle);
                    let ty = self.expr(*haystack);
                    let because = self.reason_for(*haystack, Why::Operand(prim));
                    self.must(&ty, &Ty::Array(item).into(), because);
                }
                Ty::Bool.into()
            }
            Prim::Map => {
                let mut types: [Option<TyRef>; 2] = [None, None];
                let places: Vec<Span> = operands.iter().take(2).map(|o| self.term.span(*o)).collect();
                for (i, pair) in operands.chunks(2).enumerate() {
                    for (which, operand) in pair.iter().enumerate() {
                        let ty = self.expr(*operand);
                        let Some(known) = types.get_mut(which) else { continue };
                        match (&known, places.get(which)) {
                            (Some(wanted), Some(first)) => {
                                let wanted = wanted.clone();
                                let why = if which == 0 { Why::Key(i as u32) } else { Why::Element(i as u32) };
                                let because = self.reason_for(*operand, why).wanted(*first);
                                self.must(&ty, &wanted, because);
                            }
                            _ => *known = Some(ty),
                        }
                    }
                }
                let [key, value] = types.map(|ty| ty.unwrap_or_else(|| self.fresh()));
                let map: TyRef = Ty::Map(key, value).into();
                self.origin(id, &map);
                map
            }
            Prim::Lookup => {
                // without a default, a missing element is an error
                let [target, key, default @ ..] = operands else { return self.fresh() };
                let result = self.element_of(*target, *key, span, id);
                let [default] = default else { return result };
                let ty = self.expr(*default);
                let because = self.reason_for(*default, Why::Default).wanted(self.term.span(*target));
                self.must(&ty, &result, because);
                result
            }
            Prim::Else => {
                let [first, second] = operands else { return self.fresh() };
                let ty = self.expr(*first);
                let other = self.expr(*second);
                let because = self.reason_for(*second, Why::Default).wanted(self.term.span(*first));
                self.must(&other, &ty, because);
                ty
            }
            Prim::FieldOr => {
                let [target, name, default] = operands else { return self.fresh() };
                let term = self.term.clone();
                let Node::Str(name) = term.node(*name) else { return self.fresh() };
                let base = self.expr(*target);
                let ty = self.expr(*default);
                let head = self.table.head(&base);
                let found = match &*head {
                    Ty::Record(row) => {
                        let row = self.open_row(row);
                        match row.get(name) {
                            Some(field) => Some(field.ty.clone()),
                            None if matches!(row.tail(), crate::ty::Tail::Closed) => None,
                            None => Some(self.exact_field(&base, name, *target, id)),
                        }
                    }
                    _ => Some(self.exact_field(&base, name, *target, id)),
                };
                if let Some(found) = found {
                    let because = self.reason_for(*default, Why::Default).wanted(term.span(*target));
                    self.must(&ty, &found, because);
                }
                ty
            }
            Prim::Names => {
                let [name] = operands else { return self.fresh() };
                self.resource_names(*name, span)
            }
            Prim::Error => {
                for operand in operands {
                    let ty = self.expr(*operand);
                    self.instance(&ty, Instances::BOOL.or(Instances::STR), "panic", span);
                }
                self.graph()
            }
            _ => {
                for operand in operands {
                    self.expr(*operand);
                }
                self.fresh()
            }
        }
    }

    /// Infers the name of a resource: a string or a list of strings.
    fn resource_names(&mut self, name: NodeId, span: Span) -> TyRef {
        let ty = self.expr(name);
        let list: TyRef = Ty::Array(Ty::String.into()).into();
        let of_namespace = |part: &Name| part.starts_with('$');
        let may_be_one = match self.term.node(name) {
            Node::Str(_) | Node::Interp(_) | Node::Local { .. } | Node::Global(_) => true,
            Node::Project(_, part) => of_namespace(part),
            _ => false,
        };
        if !may_be_one {
            // only a literal or a variable can be a single name
            let because = self.reason_for(name, Why::ResourceName);
            self.must(&ty, &list, because);
            return list;
        }
        match &*self.table.head(&ty) {
            Ty::Bottom => {}
            Ty::Array(_) => {
                let because = self.reason_for(name, Why::ResourceName);
                self.must(&ty, &list, because);
            }
            Ty::Live(_) => {
                self.exact.names.push((name, ty.clone()));
                self.instance(&ty, Instances::STR.or(Instances::LIST), "name", span);
            }
            _ => {
                let because = self.reason_for(name, Why::ResourceName);
                self.must(&ty, &Ty::String.into(), because);
            }
        }
        list
    }
}
