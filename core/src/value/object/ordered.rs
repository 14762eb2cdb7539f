//! Fields whose definitions may have guards, in records whose layers are ordered by `+`. The uppermost definition whose guard
//! holds defines the field.

use super::hidden;
use crate::text::{Name, Span};
use crate::value::record::{Field, Record};
use crate::value::stack::{Def, LayerDefinition};
use crate::value::{Fault, Machine, Thunk, Value};

impl Record {
    /// Returns the definitions of a field, the lowest first, if `+` orders all layers and the definitions have
    /// guards but no other metadata that decides between them. `None` for other records, and if no definition is guarded.
    pub(in crate::value) fn ordered(&self, index: u32) -> Option<Vec<Def>> {
        let table = self.table();
        let leaves = table.leaves().len().max(1);
        if self.is_chain() || table.splits().len() + 1 != leaves || !table.removed().is_empty() {
            return None;
        }
        let (_, slot) = table.shape.fields.get_index(index as usize)?;
        if !slot.contracts_of_all().is_empty() {
            return None;
        }
        let mut guarded = false;
        let mut defs = Vec::new();
        for def in slot.defs() {
            let definition = self.definition(def);
            if def.push.is_some() || self.leaf_label(def.leaf).is_some() {
                return None;
            }
            if let LayerDefinition::Written { literal, field, .. } = &definition {
                let meta = &field.meta;
                let plain = meta.annots.is_empty() && meta.merge.is_none() && meta.push.is_none();
                if !plain || !literal.unit.rules.guards_read_own_field() && meta.guard.is_some() {
                    return None;
                }
                guarded |= meta.guard.is_some() || literal.unit.rules.extends_layers();
            }
            if definition.is_defined() {
                defs.push(def);
            }
        }
        guarded.then_some(defs)
    }
}

impl Machine {
    /// Computes a field from the uppermost definition of `defs` whose guard holds; `None` if there is none. A definition
    /// with `plus` is combined with those below it.
    pub(in crate::value) fn resolve_ordered(&mut self, record: &Record, defs: &[Def]) -> Result<Option<Value>, Fault> {
        let mut above: Vec<(Thunk, Span, Span)> = Vec::new();
        let mut lowest: Option<(Thunk, Option<Span>)> = None;
        for def in defs.iter().rev() {
            self.tick()?;
            let definition = record.definition(*def);
            if !self.is_active(record, &definition)? {
                continue;
            }
            let Some(body) = definition.body() else { continue };
            match &definition {
                LayerDefinition::Written { field, .. } if field.plus => {
                    let own = self.force(&body)?;
                    let combines = matches!(own, Value::Record(_) | Value::Array(_));
                    if combines {
                        above.push((body, field.span, definition.body_span().unwrap_or(field.span)));
                        continue;
                    }
                    lowest = Some((body, definition.body_span()));
                }
                _ => lowest = Some((body, definition.body_span())),
            }
            break;
        }
        let (mut value, mut place) = match lowest {
            Some((body, span)) => (self.force(&body)?, span),
            None => match above.pop() {
                Some((body, _, span)) => (self.force(&body)?, Some(span)),
                None => return Ok(None),
            },
        };
        while let Some((body, span, own)) = above.pop() {
            let upper = self.force(&body)?;
            value = self.layered(value, upper, span, (place, own))?;
            place = Some(own);
        }
        Ok(Some(value))
    }

    /// Returns the metadata of a field with the definitions `defs`; `None` if none of their guards holds.
    pub(in crate::value) fn ordered_info(
        &mut self,
        record: &Record,
        index: u32,
        defs: &[Def],
    ) -> Result<Option<Field>, Fault> {
        let Some((name, _)) = record.table().shape.fields.get_index(index as usize) else { return Ok(None) };
        let name: Name = name.clone();
        let mut field: Option<Field> = None;
        for def in defs.iter().rev() {
            let definition = record.definition(*def);
            if field.is_none() && !self.is_active(record, &definition)? {
                continue;
            }
            let own = field.get_or_insert_with(|| Field {
                name: name.clone(),
                value: None,
                priority: Default::default(),
                optional: false,
                not_exported: false,
                secret: false,
                doc: None,
                pushed: false,
            });
            match &definition {
                LayerDefinition::Written { field: written, .. } => {
                    own.not_exported |= hidden(false, written.meta.visibility, written.meta.not_exported);
                    own.secret |= written.meta.secret && !self.reveals();
                    own.doc = own.doc.take().or_else(|| written.meta.doc.as_ref().map(|(text, _)| text.clone()));
                }
                LayerDefinition::Made(made) => {
                    own.not_exported |= made.not_exported;
                    own.secret |= made.secret && !self.reveals();
                }
                LayerDefinition::Nothing => {}
            }
        }
        let Some(mut field) = field else { return Ok(None) };
        field.value = self.field_thunk(record, index);
        Ok(Some(field))
    }

    /// Returns whether one of the definitions `defs` has a guard that holds.
    pub(super) fn any_holds(&mut self, record: &Record, defs: &[Def]) -> Result<bool, Fault> {
        for def in defs.iter().rev() {
            let definition = record.definition(*def);
            if self.is_active(record, &definition)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
