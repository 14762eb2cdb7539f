//! The origins of array elements.

use super::fold::{Fold, FoldKind};
use super::{Definition, DefinitionOutcome};
use crate::term::{Node, NodeId, Prim};
use crate::text::Span;
use crate::value::env::{Env, Unit};
use crate::value::{Array, Fault, Machine, Record, Thunk, Value};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// An element of the final array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Element {
    /// Its index.
    pub index: usize,
    /// The index of the definition that it comes from; `None` if a function made it.
    pub definition: Option<usize>,
    /// The span of the element, or of the expression that produced it.
    pub span: Option<Span>,
    /// For an element that a function merged from several: the spans of the others, the lowest first.
    pub also: Vec<Span>,
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
        // The origins of records, to find those that an element was merged from.
        let mut records: FxHashMap<usize, (usize, Option<Span>)> = FxHashMap::default();
        let mut parts: Vec<(usize, Array, Vec<Option<Span>>)> = Vec::new();
        for (number, definition) in definitions.iter().enumerate() {
            if !matches!(
                definition.outcome,
                DefinitionOutcome::Wins | DefinitionOutcome::Part | DefinitionOutcome::Same
            ) {
                continue;
            }
            let Some(value) = &definition.value else { continue };
            let own = match self.force(value) {
                Ok(Value::Array(own)) => own,
                Ok(Value::Record(changes)) if changes.changes_elements() => {
                    for field in self.fields(&changes)? {
                        let Some(value) = field.value else { continue };
                        let origin = (number, changes.defined_at(&field.name).or(definition.span));
                        known.entry(value.address()).or_insert(origin);
                        if let Some(Value::Record(record)) = value.computed() {
                            records.insert(record.address(), origin);
                        }
                    }
                    continue;
                }
                _ => continue,
            };
            let spans = definition.body.as_ref().map(|body| self.spans_of(body)).unwrap_or_default();
            for (at, element) in self.items(&own)?.iter().enumerate() {
                let span = spans.get(at).copied().flatten().or(definition.span);
                known.entry(element.address()).or_insert((number, span));
                if let Some(Value::Record(record)) = element.computed() {
                    records.entry(record.address()).or_insert((number, span));
                }
            }
            parts.push((number, own, spans));
        }
        let mut out: Vec<Element> = self
            .items(&array)?
            .iter()
            .enumerate()
            .map(|(index, element)| {
                let mut from: Vec<(usize, Option<Span>)> = known.get(&element.address()).copied().into_iter().collect();
                if let (true, Some(Value::Record(record))) = (from.is_empty(), element.computed()) {
                    from = merged_from(&record, &records);
                }
                let also = from.iter().skip(1).filter_map(|f| f.1).collect();
                Element { index, definition: from.first().map(|f| f.0), span: from.first().and_then(|f| f.1), also }
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

/// Returns the origins of the records that a record was merged from, in order.
fn merged_from(record: &Record, known: &FxHashMap<usize, (usize, Option<Span>)>) -> Vec<(usize, Option<Span>)> {
    let mut out = Vec::new();
    let mut work = vec![record];
    while let Some(record) = work.pop() {
        match known.get(&record.address()) {
            Some(origin) => out.push(*origin),
            None => work.extend(record.merged_from().iter().rev()),
        }
    }
    out
}

/// The expression of a definition, with its environment.
#[derive(Clone)]
pub(in crate::value) struct Body {
    pub(in crate::value) unit: Rc<Unit>,
    pub(in crate::value) node: NodeId,
    pub(in crate::value) env: Env,
}
