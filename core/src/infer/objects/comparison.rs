//! Comparisons, also those that functions of the library make: `std.sort([1, 'x'])` compares a number with a string.

use crate::infer::Infer;
use crate::infer::findings::Reported;
use crate::infer::narrow::Head;
use crate::infer::unify::Clash;
use crate::infer::why::{UnifyReason, Why};
use crate::term::{Node, NodeId, Prim};
use crate::text::{Name, Span};
use crate::ty::{Presence, Row, Tail, Ty, TyRef};

/// Maximum number of elements that are compared with each other.
const ELEMENTS: usize = 64;
/// Maximum depth of arrays in literals that are compared.
const DEPTH: u32 = 16;

/// The result of comparing two literals.
enum Order {
    /// They are equal.
    Equal,
    /// The comparison fails at these parts.
    Fails(NodeId, NodeId),
    /// Types do not show it.
    Unknown,
}

impl Infer<'_> {
    /// Records what the comparison of two values evaluates for certain: of two objects with the same fields, the first one by name.
    pub(in crate::infer) fn compared(&mut self, types: &[TyRef]) {
        let [a, b] = types else { return };
        let (a, b) = (self.open_head(a), self.open_head(b));
        let (Ty::Record(a), Ty::Record(b)) = (&*a, &*b) else { return };
        let (a, b) = (self.open_row(a), self.open_row(b));
        if !matches!((a.tail(), b.tail()), (Tail::Closed, Tail::Closed)) {
            return;
        }
        let visible = |row: &Row| -> Option<std::collections::BTreeMap<Name, TyRef>> {
            let shown = row.fields().filter(|(_, f)| f.presence != Presence::No && !f.hidden);
            shown.map(|(name, f)| (f.presence == Presence::Yes).then(|| (name.clone(), f.ty.clone()))).collect()
        };
        let (Some(a), Some(b)) = (visible(&a), visible(&b)) else { return };
        if a.keys().eq(b.keys()) {
            for first in a.values().next().into_iter().chain(b.values().next()) {
                self.force(first);
            }
        }
    }

    /// Infers a comparison, of two numbers, two strings or two arrays.
    pub(in crate::infer) fn comparison(&mut self, prim: Prim, operands: &[NodeId]) -> TyRef {
        let [a, b] = operands else { return Ty::Bool.into() };
        let (x, y) = (self.strict(*a), self.strict(*b));
        let (l, by_l) = self.table.head_with(&x);
        let (r, by_r) = self.table.head_with(&y);
        let certain = self.is_certain(by_l) && self.is_certain(by_r);
        let vague = |t: &Ty| matches!(t, Ty::Dyn(_) | Ty::Bottom | Ty::Union(_) | Ty::Error(_));
        let comparable = |t: &Ty| matches!(t, Ty::Number | Ty::String | Ty::Array(_) | Ty::Live(_));
        let reason_for = |at: NodeId| UnifyReason::new(self.term.span(at), Why::Operand(prim)).sure_if(certain);
        match (&*l, &*r) {
            (s, t) if vague(s) || vague(t) => {
                if matches!(s, Ty::Union(_)) || matches!(t, Ty::Union(_)) {
                    let because = reason_for(*b);
                    let clash = self.clash_of_heads(&r, &l, None, None, &because);
                    self.suspect_clash(*clash, &because);
                }
            }
            (Ty::Array(_), Ty::Array(_)) if let Some((a, b)) = self.literals_fail(*a, *b) => {
                self.incomparable(a, b, prim, None);
            }
            (Ty::Array(s), Ty::Array(t)) => {
                let (s, t) = (self.table.head(s), self.table.head(t));
                let some = |id: &NodeId| matches!(self.term.node(*id), Node::Array(items) if !items.is_empty());
                let scalar = |t: &Ty| matches!(t, Ty::Number | Ty::String | Ty::Bool | Ty::Array(_) | Ty::Record(_));
                if some(a)
                    && some(b)
                    && scalar(&s)
                    && scalar(&t)
                    && std::mem::discriminant(&*s) != std::mem::discriminant(&*t)
                {
                    let because = reason_for(*b);
                    let clash = self.clash_of_heads(&r, &l, None, None, &because);
                    self.demand(Err(clash), &because);
                }
            }
            (s, _) if !comparable(s) => {
                let (because, number) = (reason_for(*a), Ty::Number.into());
                let clash = self.clash_of_heads(&l, &number, None, None, &because);
                self.demand(Err(clash), &because);
            }
            (Ty::Live(_), Ty::Array(_)) | (Ty::Array(_), Ty::Live(_)) => {}
            // the string is the mistake
            (Ty::String, Ty::Number) => {
                let because = self.reason_for(*a, Why::Operand(prim)).sure_if(certain);
                let because = because.wanted(self.term.span(*b));
                let clash = self.clash_of_heads(&l, &r, by_l, by_r, &because);
                self.demand(Err(clash), &because);
            }
            _ => {
                let because = self.reason_for(*b, Why::Operand(prim)).sure_if(certain);
                let because = because.wanted(self.term.span(*a));
                let unified = self.unify(&y, &x, &because);
                self.demand(unified, &because);
                self.solve();
            }
        }
        Ty::Bool.into()
    }

    /// Checks the comparisons that a function of the library makes between literals, and those between elements of several types.
    pub(super) fn compares(&mut self, name: &str, args: &[(NodeId, TyRef)], func: Span) {
        let term = self.term.clone();
        let items = |id: &NodeId| match term.node(*id) {
            Node::Array(items) if items.len() <= ELEMENTS => items.to_vec(),
            _ => Vec::new(),
        };
        let found = match (name, args) {
            ("sort" | "set" | "minArray" | "maxArray", [(array, ty)]) => {
                let items = items(array);
                let found = match items.as_slice() {
                    [a, b] => self.literals_fail(*a, *b),
                    items => self.heads_differ(items),
                };
                if found.is_none() && items.is_empty() {
                    self.suspect_elements(ty, *array, func);
                }
                found
            }
            _ => None,
        };
        if let Some((a, b)) = found {
            self.incomparable(a, b, Prim::Lt, Some(func));
        }
    }

    /// Reports a comparison of two literals that fails.
    fn incomparable(&mut self, a: NodeId, b: NodeId, prim: Prim, by: Option<Span>) {
        let (Some(first), Some(second)) = (self.literal_head(a), self.literal_head(b)) else { return };
        // the operand that can never be compared, or else the second one
        let (at, found, other) = match is_ordered(first) {
            true => (b, second, a),
            false => (a, first, b),
        };
        let wanted = if is_ordered(first) { first } else { Head::Number };
        let span = self.term.span(at);
        let because = UnifyReason::new(span, Why::Operand(prim)).wanted(by.unwrap_or_else(|| self.term.span(other)));
        let shape = |head| crate::infer::narrow::shape(head, span);
        let clash = self.clash_of_heads(&shape(found), &shape(wanted), None, None, &because);
        self.demand(Err(clash), &because);
    }

    /// Records that the elements of an array, which are compared with each other, have several types.
    fn suspect_elements(&mut self, array: &TyRef, at: NodeId, func: Span) {
        let Ty::Array(item) = &*self.open_head(array) else { return };
        let item = self.open_head(item);
        let Ty::Union(members) = &*item else { return };
        let Some(first) = members.first() else { return };
        let because = UnifyReason::new(self.term.span(at), Why::Operand(Prim::Lt)).wanted(func);
        let clash = self.clash_of_heads(&item, &first.clone(), None, None, &because);
        self.suspect_clash(*clash, &because);
    }

    /// Reports a clash only if evaluating the result runs into it.
    fn suspect_clash(&mut self, clash: Clash, because: &UnifyReason) {
        let known = self.findings.len();
        let fault = self.report_clash_in_unit(clash, because, false);
        if let Some(id) = fault.and_then(|fault| fault.id).filter(|id| *id as usize >= known)
            && let Some(finding) = self.findings.get_mut(id)
        {
            finding.reported = Reported::IfReached;
        }
    }

    /// Returns two literals of which each order of the elements compares some pair like them, which fails: of different types, or of a
    /// type without an order.
    fn heads_differ(&self, items: &[NodeId]) -> Option<(NodeId, NodeId)> {
        let known = || items.iter().filter_map(|item| Some((*item, self.literal_head(*item)?)));
        let (first, head) = known().next().filter(|_| items.len() > 1)?;
        if let Some((unordered, _)) = known().find(|(_, head)| !is_ordered(*head)) {
            let other = items.iter().find(|item| **item != unordered && self.literal_head(**item).is_some());
            return Some((*other?, unordered));
        }
        known().find(|(_, other)| *other != head).map(|(other, _)| (first, other))
    }

    /// Returns the parts of two literals at which comparing them fails.
    fn literals_fail(&self, a: NodeId, b: NodeId) -> Option<(NodeId, NodeId)> {
        match self.order(a, b, DEPTH) {
            Order::Fails(a, b) => Some((a, b)),
            Order::Equal | Order::Unknown => None,
        }
    }

    fn order(&self, a: NodeId, b: NodeId, depth: u32) -> Order {
        let (Some(first), Some(second)) = (self.literal_head(a), self.literal_head(b)) else { return Order::Unknown };
        if first != second || !is_ordered(first) {
            return Order::Fails(a, b);
        }
        match (self.term.node(a), self.term.node(b)) {
            (Node::Str(a), Node::Str(b)) if a == b => Order::Equal,
            (Node::Number(a), Node::Number(b)) if a == b => Order::Equal,
            (Node::Array(a), Node::Array(b)) if depth > 0 => {
                for (a, b) in a.iter().zip(b.iter()) {
                    match self.order(*a, *b, depth - 1) {
                        Order::Equal => {}
                        decided => return decided,
                    }
                }
                if a.len() == b.len() { Order::Equal } else { Order::Unknown }
            }
            _ => Order::Unknown,
        }
    }

    /// Returns the type of a literal.
    fn literal_head(&self, id: NodeId) -> Option<Head> {
        Some(match self.term.node(id) {
            Node::Number(_) => Head::Number,
            Node::Str(_) => Head::String,
            Node::Bool(_) => Head::Bool,
            Node::Null => Head::Null,
            Node::Array(_) => Head::Array,
            Node::Record(_) => Head::Record,
            Node::Lambda(_) => Head::Function,
            _ => return None,
        })
    }
}

/// Whether values of a type can be compared with each other.
fn is_ordered(head: Head) -> bool {
    matches!(head, Head::Number | Head::String | Head::Array)
}
