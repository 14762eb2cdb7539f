//! The origins of array elements.

use super::fold::{Fold, FoldKind};
use super::{Definition, DefinitionOutcome};
use crate::term::{Node, NodeId, Prim};
use crate::text::Span;
use crate::value::env::{Env, Unit};
use crate::value::{Array, Fault, Machine, Thunk, Value};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// An element of the final array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Element {
    /// Its index.
    pub index: usize,
    /// The index of the definition that it comes from; `None` if a function made it.
    pub definition: Option<usize>,
    /// The span of the element, or of the expression that produced it.
    pub span: Option<Span>,
}

impl Machine {
    /// Returns the origin of each element of an array that several definitions combined, or that one definition writes
    /// in parts. Elements are identified by their thunks. O(elements).
    pub(super) fn elements(
        &mut self,
        definitions: &[Definition],
        fold: Option<&Fold>,
        bare: Option<&Thunk>,
    ) -> Result<Vec<Element>, Fault> {
        let Some(bare) = bare else { return Ok(Vec::new()) };
        let array = match self.force(bare) {
            Ok(Value::Array(array)) => array,
            Err(fault) if fault.is_transient() => return Err(fault),
            _ => return Ok(Vec::new()),
        };
        // The first origin of each element's thunk.
        let mut known: FxHashMap<usize, (usize, Option<Span>)> = FxHashMap::default();
        let mut parts: Vec<(usize, Array, Vec<Option<Span>>)> = Vec::new();
        for (number, definition) in definitions.iter().enumerate() {
            if !matches!(
                definition.outcome,
                DefinitionOutcome::Wins | DefinitionOutcome::Part | DefinitionOutcome::Same
            ) {
                continue;
            }
            let Some(value) = &definition.value else { continue };
            let Ok(Value::Array(own)) = self.force(value) else { continue };
            let spans = definition.body.as_ref().map(|body| self.spans_of(body)).unwrap_or_default();
            for (at, element) in self.items(&own)?.iter().enumerate() {
                let span = spans.get(at).copied().flatten().or(definition.span);
                known.entry(element.address()).or_insert((number, span));
            }
            parts.push((number, own, spans));
        }
        let mut out: Vec<Element> = self
            .items(&array)?
            .iter()
            .enumerate()
            .map(|(index, element)| {
                let from = known.get(&element.address());
                Element { index, definition: from.map(|f| f.0), span: from.and_then(|f| f.1) }
            })
            .collect();
        // `+:` concatenates, so elements that were evaluated separately are identified by their index.
        if fold.is_some_and(|fold| fold.kind == FoldKind::Plus) {
            let total: usize = parts.iter().map(|(_, own, _)| own.len()).sum();
            if total == out.len() {
                let places = parts.iter().flat_map(|(number, own, spans)| {
                    (0..own.len()).map(move |at| (*number, spans.get(at).copied().flatten()))
                });
                for (element, (number, span)) in out.iter_mut().zip(places) {
                    element.definition = Some(number);
                    element.span = span.or(definitions.get(number).and_then(|d| d.span));
                }
            }
        }
        Ok(out)
    }

    /// Returns the spans of the elements of an array expression, as far as they are known from its text.
    fn spans_of(&mut self, body: &Body) -> Vec<Option<Span>> {
        let mut out = Vec::new();
        let mut work = vec![body.node];
        let unit = &body.unit;
        while let Some(node) = work.pop() {
            match unit.node(node) {
                Node::Array(items) => out.extend(items.iter().map(|item| Some(unit.span(*item)))),
                Node::Prim(Prim::Append, operands) => work.extend(operands.iter().rev()),
                Node::Prim(Prim::Plus, operands) if unit.overloads => work.extend(operands.iter().rev()),
                Node::Annot(inner, _) => work.push(*inner),
                _ => {
                    let Ok(Value::Array(part)) = self.eval(unit, node, &body.env) else { return Vec::new() };
                    out.extend(std::iter::repeat_n(Some(unit.span(node)), part.len()));
                }
            }
        }
        out
    }
}

/// The expression of a definition, with its environment.
#[derive(Clone)]
pub(in crate::value) struct Body {
    pub(in crate::value) unit: Rc<Unit>,
    pub(in crate::value) node: NodeId,
    pub(in crate::value) env: Env,
}
