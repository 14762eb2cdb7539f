//! The definitions of a key in earlier cells: its predecessors.

use super::{DefinitionRow, Explanation, explain_term};
use crate::answer::fixes::Reevaluate;
use crate::dialect::Dialect;
use crate::state::Workspace;
use crate::term::build::Builder;
use crate::term::{FieldName, Node, Term};
use crate::text::{Name, Span};
use crate::value::provenance::{DefinitionOutcome, OutcomeReason};
use std::sync::Arc;

/// The earlier definition of a key, which the key's definition in a cell extends.
pub(super) struct Predecessor {
    /// The place in the cell where the earlier value is read.
    place: Span,
    /// The name of the earlier definition.
    key: Name,
}

/// Returns the earlier definition that the lowest layer of a document reads for a key.
pub(super) fn predecessor(session: &Workspace, document: &Term, field: &str) -> Option<Predecessor> {
    let mut here = document.root;
    let literal = loop {
        match document.node(here) {
            Node::Inherit(parts) => here = parts[0],
            Node::Let(l) => here = l.bindings.first()?.body,
            Node::Record(literal) => break literal,
            _ => return None,
        }
    };
    let own = literal.fields.iter().find(|own| matches!(&own.name, FieldName::Static(name) if name == field))?;
    let Node::Global(key) = document.node(own.body?) else { return None };
    (key.contains('@') && session.definition(key).is_some())
        .then(|| Predecessor { place: document.span(own.body.unwrap_or(here)), key: key.clone() })
}

/// Replaces the definition that reads the earlier value with the definitions in earlier cells. Linear in the number of cells
/// that define the key.
pub(super) fn splice(
    session: &mut Workspace,
    again: &dyn Reevaluate,
    dialect: Dialect,
    explanation: &mut Explanation,
    Predecessor { place, key }: Predecessor,
) {
    let stands_for = |d: &DefinitionRow| d.place.as_ref().is_some_and(|own| own.span == place);
    let Some(index) = explanation.definitions.iter().position(stands_for) else { return };
    let mut builder = Builder::new();
    let root = builder.push(Node::Global(key), place);
    let term = Arc::new(builder.finish(root));
    let found = crate::deep::deeper(|| explain_term(session, again, dialect, term));
    let Ok(earlier) = found else { return };
    let own = explanation.definitions.remove(index);
    let mut layers = 0;
    let spliced: Vec<DefinitionRow> = (earlier.definitions.iter().cloned())
        .map(|mut definition| {
            if counts(definition.outcome) && !counts(own.outcome) {
                definition.outcome = own.outcome;
                definition.because = own.because.clone();
            } else if definition.because == OutcomeReason::Only {
                definition.because = own.because.clone();
                definition.outcome = own.outcome;
            }
            layers = layers.max(definition.layer.unwrap_or(1));
            definition.layer = Some(definition.layer.unwrap_or(1));
            definition
        })
        .collect();
    for definition in explanation.definitions.iter_mut().skip(index) {
        definition.layer = definition.layer.map(|layer| layer - 1 + layers);
    }
    let added = spliced.len();
    let first = spliced.first().and_then(|definition| definition.place.clone());
    explanation.definitions.splice(index..index, spliced);
    let moved = |number: usize| if number > index { number - 1 + added } else { number };
    for check in &mut explanation.checks {
        check.definition = check.definition.map(moved);
    }
    for element in &mut explanation.elements {
        let is_earlier = element.place.as_ref().is_some_and(|own| own.span == place);
        element.definition = element.definition.map(moved);
        if is_earlier {
            let known = earlier.elements.iter().find(|known| known.index == element.index);
            element.place = known.map_or(first.clone(), |known| known.place.clone());
            element.definition = known.and_then(|known| known.definition).map_or(Some(index), |own| Some(index + own));
        }
    }
}

/// Returns `true` if a definition with this outcome did not lose: it wins, is a part, ties, or is the same as another one.
fn counts(outcome: DefinitionOutcome) -> bool {
    matches!(
        outcome,
        DefinitionOutcome::Wins | DefinitionOutcome::Part | DefinitionOutcome::Tie | DefinitionOutcome::Same
    )
}
