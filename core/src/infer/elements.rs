//! Finds the element of an array literal, or the branch of a conditional expression, that does not have the expected type.

use super::Infer;
use super::findings::{Finding, Found, Reported};
use super::narrow::{Head, is_of};
use crate::problem::types::{TypeProblem, TypesKind};
use crate::term::{Node, NodeId};
use crate::text::Span;
use crate::ty::{Ty, TyRef};

/// An element of an array literal.
pub(super) struct Element {
    /// Its place.
    pub span: Span,
    /// Its index, after those of the arrays around it.
    pub indices: Vec<usize>,
    /// Its type.
    pub ty: TyRef,
}

impl Infer<'_> {
    /// Returns the first element of the array literal at a place that has one of the types in `found`, and not the expected one, as far
    /// as literals and variables show. Then the elements are not reported as mixed too. O(elements).
    pub(super) fn element_that_clashes(&mut self, place: Span, found: &TyRef, expected: &TyRef) -> Option<Element> {
        let array = self.literals_by_place().array(place)?;
        let (found, expected) = (self.table.head(found), self.table.head(expected));
        let types = match &*found {
            Ty::Union(members) => members.iter().map(|member| self.table.head(member)).collect(),
            _ => vec![found],
        };
        let wrong = |head: Head| match is_of(&expected, head) {
            Some(false) => types.iter().find(|ty| is_of(ty, head) == Some(true)).cloned(),
            _ => None,
        };
        let mut work: Vec<(NodeId, Vec<usize>)> = vec![(array, Vec::new())];
        let term = self.term.clone();
        while let Some((node, indices)) = work.pop() {
            let of_element = match indices.is_empty() {
                true => None,
                false => self.apparent_head(node).and_then(wrong),
            };
            if let Some(ty) = of_element {
                if let Node::Array(elements) = term.node(array) {
                    self.not_mixed(elements);
                }
                return Some(Element { span: term.span(node), indices, ty });
            }
            let Node::Array(elements) = term.node(node) else { continue };
            let inner = |(index, element): (usize, &NodeId)| {
                let indices = indices.iter().copied().chain([index]).collect();
                (*element, indices)
            };
            work.extend(elements.iter().enumerate().map(inner).rev());
        }
        None
    }

    /// Returns the first branch of the conditional expression at a place that does not have the expected type, as far as literals and
    /// variables show, with its type. `found`: the type of the whole, which has several types. Then the branches are not reported as
    /// mixed too. O(branches).
    pub(super) fn branch_that_clashes(
        &mut self,
        place: Span,
        found: &TyRef,
        expected: &TyRef,
    ) -> Option<(Span, TyRef)> {
        let choice = self.literals_by_place().choice(place)?;
        let (found, expected) = (self.table.head(found), self.table.head(expected));
        let Ty::Union(members) = &*found else { return None };
        let members: Vec<TyRef> = members.iter().map(|member| self.table.head(member)).collect();
        let term = self.term.clone();
        let (mut work, mut inside) = (vec![choice], Vec::new());
        let mut clashing = None;
        while let Some(node) = work.pop() {
            match term.node(node) {
                Node::If(parts) => {
                    let [_, yes, no] = **parts;
                    inside.extend([yes, no]);
                    work.extend([no, yes]);
                }
                Node::Let(binding) => work.push(binding.body),
                _ if clashing.is_some() => {}
                _ => {
                    let head = self.apparent_head(node).filter(|head| is_of(&expected, *head) == Some(false));
                    let ty = head.and_then(|head| members.iter().find(|ty| is_of(ty, head) == Some(true)));
                    clashing = ty.map(|ty| (term.span(node), ty.clone()));
                }
            }
        }
        if clashing.is_some() {
            self.not_mixed(&inside);
        }
        clashing
    }

    /// Takes back what was reported about the different types of elements or branches.
    fn not_mixed(&mut self, nodes: &[NodeId]) {
        let term = self.term.clone();
        let is_mixed = |finding: &Finding| {
            matches!(&finding.problem, Found::Here(TypeProblem { what: TypesKind::Mixed { .. }, .. }))
        };
        for element in nodes {
            if let Some(index) = self.findings.last_at(term.span(*element), is_mixed)
                && let Some(finding) = self.findings.get_mut(index)
            {
                finding.reported = Reported::Never;
            }
        }
    }
}
