//! A definition of a field, in one layer.

use super::{Def, is_plain};
use crate::term::{FieldDef, NodeId};
use crate::value::env::Env;
use crate::value::record::{DataField, Literal, Record};
use crate::value::thunk::Thunk;

/// A definition of a field in a final record.
pub(in crate::value) enum LayerDefinition<'a> {
    /// In a literal.
    Written { record: &'a Record, def: Def, literal: &'a Literal, field: &'a FieldDef },
    /// From a library function or a data file.
    Made(&'a DataField),
    /// Unreachable.
    Nothing,
}

impl<'a> LayerDefinition<'a> {
    /// Returns the environment of a part of the definition. All final records share it if the part does not refer to
    /// the record.
    pub(in crate::value) fn env(&self, part: NodeId) -> Env {
        match self {
            LayerDefinition::Written { record, def, literal, .. } => {
                if literal.unit.reach(part) & 1 != 0 {
                    record.frame(def.leaf, def.field)
                } else {
                    literal.plain_frame(def.field)
                }
            }
            _ => Env::empty(),
        }
    }

    /// Returns the body, unforced; `None` if the field is only declared.
    pub(in crate::value) fn body(&self) -> Option<Thunk> {
        match self {
            LayerDefinition::Written { record, def, literal, field } => {
                let body = field.body?;
                if literal.unit.reach(body) & 1 != 0 {
                    return Some(Thunk::of_node(&literal.unit, body, &record.frame(def.leaf, def.field)));
                }
                Some(literal.shared_body(def.field, body))
            }
            LayerDefinition::Made(field) => field.value.clone(),
            LayerDefinition::Nothing => None,
        }
    }

    /// Returns whether the definition is only a body.
    pub(in crate::value) fn is_plain(&self) -> bool {
        match self {
            LayerDefinition::Written { field, .. } => is_plain(field),
            LayerDefinition::Made(field) => field.value.is_some() && !field.secret,
            LayerDefinition::Nothing => false,
        }
    }

    /// Returns whether the definition marks its field as secret.
    pub(in crate::value) fn is_secret(&self) -> bool {
        match self {
            LayerDefinition::Written { field, .. } => field.meta.secret,
            LayerDefinition::Made(field) => field.secret,
            LayerDefinition::Nothing => false,
        }
    }

    /// Returns whether both are the same definition in the same environment.
    pub(in crate::value) fn same(&self, other: &LayerDefinition) -> bool {
        match (self, other) {
            (
                LayerDefinition::Written { def, literal, .. },
                LayerDefinition::Written { def: other_def, literal: other_literal, .. },
            ) => def.field == other_def.field && def.push == other_def.push && literal.same(other_literal),
            (LayerDefinition::Made(a), LayerDefinition::Made(b)) => match (&a.value, &b.value) {
                (Some(x), Some(y)) => x.same(y) && a.priority == b.priority,
                _ => false,
            },
            _ => false,
        }
    }
}
