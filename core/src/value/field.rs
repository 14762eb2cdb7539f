//! Values of fields, computed from their stacks in the final record.

use super::contract::Applied;
use super::lists::raised;
use super::merge;
use super::merger::{check_merge_function, folded};
use super::object::hidden;
use super::pushed::{node_priority, written_priority};
use super::record::{Field, Record};
use super::stack::{Def, LayerDefinition, combine};
use super::thunk::{State, Thunk};
use super::{Fault, Machine, Value};
use crate::meta::{Priority, Push};
use crate::problem::value::{ConflictingDefinition, ValueKind};
use crate::term::{AnnotKind, Prim};
use crate::text::{Name, Span};
use std::cmp::Ordering;
use std::ops::Range;
use std::rc::Rc;

/// A definition that takes part in the merge: its body and its effective priority.
pub(super) struct Candidate {
    pub(super) body: Thunk,
    pub(super) priority: Priority,
    pub(super) span: Option<Span>,
    group: u32,
}

impl Machine {
    /// Returns the thunk of a field's final value, which first checks the record's asserts. O(1) after the first time.
    pub(super) fn field_thunk(&mut self, record: &Record, index: u32) -> Option<Thunk> {
        let thunk = self.field_as_is(record, index)?;
        if !self.has_unchecked_asserts(record) {
            return Some(thunk);
        }
        Some(Thunk::holding((record.clone(), thunk), |machine, (record, thunk)| {
            machine.check_asserts(record)?;
            machine.force(thunk)
        }))
    }

    /// Returns the thunk of a field's final value without checking asserts. O(1) after the first time.
    pub(super) fn field_as_is(&mut self, record: &Record, index: u32) -> Option<Thunk> {
        if record.is_chain() {
            return self.chain_field(record, index);
        }
        let table = record.table();
        let cell = table.values.get(index as usize)?;
        if let Some(thunk) = cell.get() {
            return Some(thunk.clone());
        }
        let (_, slot) = table.shape.fields.get_index(index as usize)?;
        let tracing = self.tracer.is_some();
        let is_plain_use = |def: &Def| def.push.is_none() && !tracing && table.removed().is_empty();
        let plain = slot.only().filter(is_plain_use).and_then(|def| {
            let definition = record.definition(def);
            if definition.is_plain() { definition.body() } else { None }
        });
        let refers_to_record = plain.is_none() || table.has_frame();
        if refers_to_record && table.register_once() {
            self.cycle_candidates.record(record);
        }
        let thunk = plain.unwrap_or_else(|| Thunk::new(State::Field(record.clone(), index)));
        Some(cell.get_or_init(|| thunk).clone())
    }

    /// Returns whether a definition counts: its guard, if it has one, is `true`.
    pub(super) fn is_active(&mut self, record: &Record, definition: &LayerDefinition) -> Result<bool, Fault> {
        let LayerDefinition::Written { literal, field, .. } = definition else { return Ok(true) };
        let Some(guard) = field.meta.guard else { return Ok(true) };
        let unit = literal.unit.clone();
        let env = definition.env(guard);
        if record.table().register_once() {
            self.cycle_candidates.record(record);
        }
        let span = unit.span(guard);
        if unit.rules.guards_read_own_field() {
            let branches = field.meta.alternatives.map(|first| (record.address(), first));
            return self.guard_holds(&unit, guard, &env, branches);
        }
        match self.eval(&unit, guard, &env)? {
            Value::Bool(b) => Ok(b),
            other => Err(self.mismatch("Bool", &other, "`when`", Some(span), None)),
        }
    }

    /// Returns the definitions whose guards hold, in source order, without duplicates.
    pub(super) fn active_definitions<'r>(
        &mut self,
        record: &'r Record,
        index: u32,
    ) -> Result<Vec<(Def, LayerDefinition<'r>)>, Fault> {
        let table = record.table();
        let mut live: Vec<(Def, LayerDefinition<'r>)> = Vec::new();
        let Some((_, slot)) = table.shape.fields.get_index(index as usize) else { return Ok(live) };
        let merges = table.shape.merges;
        for def in slot.defs() {
            let definition = record.definition(def);
            // Duplicates matter only to merge functions, and never for the definitions of a contract.
            let duplicates_count = merges && record.leaf_label(def.leaf).is_none();
            let is_duplicate = !duplicates_count
                && table.splits().is_empty()
                && live.len() < 32
                && live.iter().any(|(_, d)| d.same(&definition));
            if !is_duplicate && self.is_active(record, &definition)? {
                live.push((def, definition));
            }
        }
        Ok(live)
    }

    /// Returns the metadata of a field without computing its value; `None` if all its definitions are switched off
    /// or removed.
    pub(super) fn field_info(&mut self, record: &Record, index: u32) -> Result<Option<Field>, Fault> {
        let Some((name, slot)) = record.table().shape.fields.get_index(index as usize) else { return Ok(None) };
        if record.is_chain() {
            return Ok(self.chain_info(record, index));
        }
        // Most fields have a single definition with only a body.
        let known = |def: &Def| def.push.is_none() && record.table().removed().is_empty();
        if let Some(def) = slot.only().filter(known) {
            let definition = record.definition(def);
            if let LayerDefinition::Written { field, .. } = &definition
                && definition.is_plain()
            {
                let meta = &field.meta;
                return Ok(Some(Field {
                    name: name.clone(),
                    value: self.field_thunk(record, index),
                    priority: meta.priority.priority.clone(),
                    optional: meta.optional,
                    not_exported: hidden(false, meta.visibility, meta.not_exported),
                    secret: meta.secret,
                    doc: meta.doc.as_ref().map(|(text, _)| text.clone()),
                    pushed: false,
                }));
            }
        }
        if let Some(defs) = record.ordered(index) {
            return self.ordered_info(record, index, &defs);
        }
        let mut live = self.active_definitions(record, index)?;
        live.retain(|(def, _)| !record.table().is_removed(name, def.leaf, u32::MAX));
        if live.is_empty() {
            return Ok(None);
        }
        let mut field = Field {
            name: name.clone(),
            value: None,
            priority: Priority::Default,
            optional: true,
            not_exported: false,
            secret: false,
            doc: None,
            pushed: false,
        };
        let mut defined = false;
        for (def, definition) in &live {
            match definition {
                LayerDefinition::Written { field: f, .. } => {
                    let meta = &f.meta;
                    field.optional &= meta.optional;
                    field.not_exported = hidden(field.not_exported, meta.visibility, meta.not_exported);
                    field.secret |= meta.secret && !self.reveals();
                    field.doc = field.doc.take().or_else(|| meta.doc.as_ref().map(|(text, _)| text.clone()));
                    if f.body.is_some() {
                        let pushed = meta.push.map(|p| combine(def.push, p)).or(def.push);
                        field.pushed |= pushed.is_some();
                        let own = self.known_priority(definition, &meta.priority.priority, pushed);
                        if !defined || own.rank(&field.priority) == Ordering::Greater {
                            field.priority = own;
                        }
                        defined = true;
                    }
                }
                LayerDefinition::Made(f) => {
                    field.optional &= f.optional;
                    field.not_exported |= f.not_exported;
                    field.secret |= f.secret && !self.reveals();
                    field.doc = field.doc.take().or_else(|| f.doc.clone());
                    if f.value.is_some() {
                        field.pushed |= def.push.is_some();
                        let own = self.known_priority(definition, &f.priority, def.push);
                        if !defined || own.rank(&field.priority) == Ordering::Greater {
                            field.priority = own;
                        }
                        defined = true;
                    }
                }
                LayerDefinition::Nothing => {}
            }
        }
        if defined {
            field.value = self.field_thunk(record, index);
        } else {
            field.priority = Priority::Normal;
        }
        Ok(Some(field))
    }

    /// Returns the priority of a definition as far as it is known: an unforced value counts as a leaf.
    pub(super) fn known_priority(
        &mut self,
        definition: &LayerDefinition,
        own: &Priority,
        push: Option<Push>,
    ) -> Priority {
        let Some(push) = push else { return own.clone() };
        match definition.body().and_then(|body| body.computed()) {
            Some(Value::Record(_)) => node_priority(own, push),
            _ => written_priority(own, Some(push)),
        }
    }

    /// Returns the fields of a record by name, including optional ones without a value. Evaluates only guards (`when`).
    /// O(fields log fields).
    pub fn all_fields(&mut self, record: &Record) -> Result<Vec<Field>, Fault> {
        let shape = record.table().shape.clone();
        self.field_infos(record, shape.by_name().iter().copied())
    }

    /// Like [`Self::all_fields`], in the order of the definitions. O(fields).
    pub(super) fn fields_as_defined(&mut self, record: &Record) -> Result<Vec<Field>, Fault> {
        self.field_infos(record, 0..record.table().values.len() as u32)
    }

    fn field_infos(
        &mut self,
        record: &Record,
        indices: impl ExactSizeIterator<Item = u32>,
    ) -> Result<Vec<Field>, Fault> {
        let mut fields = Vec::with_capacity(indices.len());
        for index in indices {
            self.tick()?;
            if let Some(field) = self.field_info(record, index)? {
                fields.push(field);
            }
        }
        Ok(fields)
    }

    /// Returns the fields of a record by name, without optional fields that have no value, but with declared fields
    /// that have no definition. Evaluates only guards (`when`). O(fields log fields).
    pub fn fields(&mut self, record: &Record) -> Result<Vec<Field>, Fault> {
        let mut fields = self.all_fields(record)?;
        fields.retain(|f| f.value.is_some() || !f.optional);
        Ok(fields)
    }

    /// Returns the final value of a field, unforced; `None` if the field does not exist, or is optional without a
    /// value. If it is declared but not defined, the thunk fails.
    pub fn field(&mut self, record: &Record, name: &str) -> Result<Option<Thunk>, Fault> {
        if let Some(known) = record.built_field(name) {
            return Ok(known.map(|thunk| self.traced_field(record, name, thunk)));
        }
        if record.is_chain() && !self.has_unchecked_asserts(record) {
            return Ok(self.field_named(record, name));
        }
        let Some(index) = record.index_of(name) else { return Ok(None) };
        if let Some(def) = record.table().shape.fields.get_index(index as usize).and_then(|(_, slot)| slot.only())
            && record.definition(def).is_plain()
            && record.table().removed().is_empty()
        {
            return Ok(self.field_thunk(record, index));
        }
        match self.field_info(record, index)? {
            Some(field) if field.value.is_some() || !field.optional => Ok(self.field_thunk(record, index)),
            _ => Ok(None),
        }
    }

    /// Returns the fault of a field that is needed but only declared.
    pub fn missing_definition(&mut self, record: &Record, name: &Name) -> Fault {
        match record.index_of(name).map(|index| self.resolve(record, index)) {
            Some(Err(fault)) => fault,
            _ => Fault::new(ValueKind::MissingDefinition {
                name: name.clone(),
                declared: Vec::new(),
                needed: None,
                off: Vec::new(),
                holder: None,
                written: None,
            }),
        }
    }

    /// Returns whether a record has a field, other than an optional one without a value. Evaluates its guards.
    pub fn has_field(&mut self, record: &Record, name: &str) -> Result<bool, Fault> {
        Ok(self.field(record, name)?.is_some())
    }

    /// Returns whether a field is hidden. Evaluates its guards.
    pub fn is_hidden(&mut self, record: &Record, name: &str) -> Result<bool, Fault> {
        let Some(index) = record.index_of(name) else { return Ok(false) };
        Ok(self.field_info(record, index)?.is_some_and(|field| field.not_exported))
    }

    /// Returns whether a record defines a field with that name. Evaluates its guards.
    pub fn is_defined(&mut self, record: &Record, name: &str) -> Result<bool, Fault> {
        if let Some(known) = record.built_field(name) {
            return Ok(known.is_some());
        }
        let Some(index) = record.index_of(name) else { return Ok(false) };
        Ok(self.field_info(record, index)?.is_some_and(|field| field.value.is_some()))
    }

    /// Computes a field from its stack: guards, then the merge function or priorities, then all contracts.
    pub(super) fn resolve(&mut self, record: &Record, index: u32) -> Result<Value, Fault> {
        self.resolve_within(record, index, 0..u32::MAX)
    }

    /// Like [`Self::resolve`], but uses only the definitions of these leaves: those that `super` refers to.
    pub(super) fn resolve_within(&mut self, record: &Record, index: u32, leaves: Range<u32>) -> Result<Value, Fault> {
        let Some((name, slot)) = record.table().shape.fields.get_index(index as usize) else {
            return Err(Fault::undefined("no such field", None));
        };
        let name = name.clone();
        if let Some(mut defs) = record.ordered(index) {
            if let Some(secret) = defs.iter().map(|def| record.definition(*def)).find(LayerDefinition::is_secret) {
                self.note_secret(|| (record.path_to(&name), secret.body_span().or(secret.name_span())));
            }
            defs.retain(|def| leaves.contains(&def.leaf));
            let path = |fault: Fault| fault.in_field(|| record.path_to(&name));
            let Some(value) = self.resolve_ordered(record, &defs).map_err(path)? else {
                return Err(self.missing_field(record, &name, None));
            };
            if let Value::Record(inner) = &value {
                inner.set_path(record, &name);
            }
            return Ok(value);
        }
        let mut live = self.active_definitions(record, index)?;
        let secret = !self.reveals() && live.iter().any(|(_, definition)| definition.is_secret());
        if secret {
            let defined = live.iter().find_map(|(_, definition)| definition.body_span());
            self.note_secret(|| (record.path_to(&name), defined));
        }
        live.retain(|(def, _)| !record.table().is_removed(&name, def.leaf, leaves.end));
        let path = |fault: Fault| fault.in_field(|| record.path_to(&name));

        let mut functions: Vec<(&LayerDefinition, crate::term::NodeId)> = Vec::new();
        // The groups (imports) that have a merge function themselves.
        let mut folding: Vec<u32> = Vec::new();
        let mut candidates = Vec::new();
        let mut contracts: Vec<Rc<Applied>> = Vec::new();
        for (def, definition) in &live {
            if let LayerDefinition::Written { literal, field, .. } = definition {
                if let Some(node) = field.meta.merge {
                    folding.push(def.group);
                    let env = definition.env(node);
                    let known = functions.iter().any(|(other, n)| match other {
                        LayerDefinition::Written { literal: l, .. } => {
                            *n == node && Rc::ptr_eq(&l.unit, &literal.unit) && other.env(*n).same(&env)
                        }
                        _ => false,
                    });
                    if !known {
                        functions.push((definition, node));
                    }
                }
                for annot in &field.meta.annots {
                    if annot.kind == AnnotKind::Type && field.body.is_some() {
                        continue;
                    }
                    let env = definition.env(annot.ty);
                    let known = contracts
                        .iter()
                        .any(|c| c.node == annot.ty && Rc::ptr_eq(&c.unit, &literal.unit) && c.env.same(&env));
                    if !known {
                        let label = record.leaf_label(def.leaf).cloned();
                        contracts.push(Rc::new(Applied::new(literal.unit.clone(), annot.ty, env, label)));
                    }
                }
            }
        }
        for (def, definition) in record.uppermost(&live, &leaves) {
            if let Some(candidate) = self.candidate(record, &name, *def, definition)? {
                candidates.push(candidate);
            }
        }
        if secret {
            self.hide_parts(candidates.iter_mut().map(|candidate| &mut candidate.body));
        }
        contracts
            .extend(slot.contracts_of_all().iter().filter_map(|i| record.table().applied().get(*i as usize)).cloned());

        if candidates.is_empty() {
            let declared = live.iter().filter_map(|(_, d)| d.name_span()).collect();
            let off = if live.is_empty() { record.conditions(index) } else { Vec::new() };
            let name = name.clone();
            let holder = record.span_under_contract();
            let written = holder.and_then(|_| record.meant_as(&name));
            let what = ValueKind::MissingDefinition { name, declared, needed: None, off, holder, written };
            return Err(path(Fault::new(what)));
        }
        let (value, span) = match functions.as_slice() {
            [] => self.merge_strongest(record, &name, candidates).map_err(path)?,
            [(definition, node)] => {
                let LayerDefinition::Written { literal, .. } = definition else {
                    return Err(Fault::undefined("a merge function without a place", None));
                };
                let unit = literal.unit.clone();
                let env = definition.env(*node);
                let span = unit.span(*node);
                let function = self.eval(&unit, *node, &env)?;
                check_merge_function(&function, span).map_err(path)?;
                let parts = self.folding(record, &name, &function, span, candidates, &folding).map_err(path)?;
                (folded(&function, span, parts), None)
            }
            several => {
                let functions = several.iter().filter_map(|(d, node)| match d {
                    LayerDefinition::Written { literal, .. } => Some(literal.unit.span(*node)),
                    _ => None,
                });
                return Err(path(Fault::new(ValueKind::MergeFunctions { functions: functions.collect() })));
            }
        };
        let mut value = value;
        if secret {
            // the result of a merge or of a merge function
            self.hide_parts(std::iter::once(&mut value));
        }
        let value = if contracts.is_empty() {
            self.force(&value).map_err(path)?
        } else {
            let written = live.iter().find(|(_, definition)| definition.body_span() == span);
            let literal = written.and_then(|(_, definition)| definition.literal_body());
            self.apply_all(&contracts, &value, span, Some((Some(record), &name)), literal).map_err(path)?
        };
        if let Value::Record(inner) = &value {
            inner.set_path(record, &name);
        }
        Ok(value)
    }

    /// Returns what a definition contributes to the merge; `None` if it has no value.
    pub(super) fn candidate(
        &mut self,
        record: &Record,
        name: &Name,
        def: Def,
        definition: &LayerDefinition,
    ) -> Result<Option<Candidate>, Fault> {
        let Some(mut body) = definition.body() else { return Ok(None) };
        if let LayerDefinition::Written { field, .. } = definition
            && field.plus
            && let Some(below) = self.below(record, def.leaf, name)
        {
            let (below, own) = (self.force(&below)?, self.force(&body)?);
            body = Thunk::done(self.binary(Prim::Plus, below, own, field.span)?);
        }
        let span = definition.body_span();
        let mut priority = definition.priority();
        let mut own = None;
        if let LayerDefinition::Written { literal, field, .. } = definition {
            own = field.meta.push;
            if let Some(annot) = field.meta.annots.iter().find(|a| a.kind == AnnotKind::Type) {
                let env = definition.env(annot.ty);
                body = self.guard_typed(&literal.unit, annot.ty, &env, body, Some(name.clone()));
            }
        }
        if let Some(push) = own.map(|p| combine(def.push, p)).or(def.push) {
            // The priority applies to the value itself if it is a leaf, and to its fields if it is a record.
            match self.force(&body)? {
                Value::Record(record) => {
                    body = Thunk::done(Value::Record(record.push(push)));
                    priority = node_priority(&priority, push);
                }
                // a merge function may merge the elements of several layers
                Value::Array(array) if record.table().shape.merges && matches!(push, Push::Layer(_)) => {
                    body = Thunk::done(Value::Array(raised(self, &array, push)?));
                    priority = written_priority(&priority, Some(push));
                }
                _ => priority = written_priority(&priority, Some(push)),
            }
        }
        Ok(Some(Candidate { body, priority, span, group: def.group }))
    }

    /// Merges the definitions of the highest priority.
    fn merge_strongest(
        &mut self,
        record: &Record,
        name: &Name,
        mut candidates: Vec<Candidate>,
    ) -> Result<(Thunk, Option<Span>), Fault> {
        let Some(top) = highest(&candidates) else { return Err(Fault::undefined("no definition", None)) };
        let mut best = self.best(&candidates, &top)?;
        if let [only] = best.as_slice() {
            return Ok((only.body.clone(), only.span));
        }
        best.dedup_by(|a, b| a.body.same(&b.body));
        let span = best.first().and_then(|c| c.span);
        let bodies: Vec<Thunk> = best.iter().map(|c| c.body.clone()).collect();
        match self.merge_all(&bodies, record.unit(), span, None)? {
            Ok(value) => {
                if let Value::Record(inner) = &value {
                    inner.set_path(record, name);
                }
                Ok((Thunk::done(value), span))
            }
            Err(merge::Clash) => {
                let mut definitions = Vec::new();
                candidates.truncate(64);
                for c in candidates {
                    let value = self.preview(&c.body);
                    let ties = c.priority.rank(&top) == Ordering::Equal;
                    definitions.push(ConflictingDefinition { span: c.span, value, priority: c.priority, ties });
                }
                Err(Fault::new(ValueKind::Conflict { definitions, merged: None }))
            }
        }
    }

    /// Returns the definitions that are merged: those of the highest priority, and of `--layers` files also the records
    /// below them.
    pub(super) fn best<'c>(
        &mut self,
        candidates: &'c [Candidate],
        top: &Priority,
    ) -> Result<Vec<&'c Candidate>, Fault> {
        let best: Vec<&Candidate> = candidates.iter().filter(|c| c.priority.rank(top) == Ordering::Equal).collect();
        if matches!(top, Priority::Layer(_)) && self.are_records(&best)? {
            return self.layers(candidates);
        }
        Ok(best)
    }

    /// Returns whether definitions are records, judging by the first one.
    fn are_records(&mut self, definitions: &[&Candidate]) -> Result<bool, Fault> {
        let Some(first) = definitions.first() else { return Ok(false) };
        Ok(matches!(self.force(&first.body)?, Value::Record(_)))
    }

    /// Returns the definitions of the highest layer and of those directly below while they are records, in source order.
    fn layers<'c>(&mut self, candidates: &'c [Candidate]) -> Result<Vec<&'c Candidate>, Fault> {
        let in_layer = |c: &&Candidate| matches!(c.priority, Priority::Normal | Priority::Layer(_));
        let mut layers: Vec<&Candidate> = candidates.iter().filter(in_layer).collect();
        layers.sort_by(|a, b| b.priority.rank(&a.priority));
        let mut found = Vec::new();
        for layer in layers.chunk_by(|a, b| a.priority.rank(&b.priority) == Ordering::Equal) {
            if !self.are_records(layer)? {
                break;
            }
            found.splice(0..0, layer.iter().copied());
        }
        Ok(found)
    }

    /// Returns the operands of a merge function. The definitions that an import merged itself count as one operand:
    /// folded if the import brings the function, merged plainly otherwise.
    pub(super) fn folding(
        &mut self,
        record: &Record,
        name: &Name,
        function: &Value,
        span: Span,
        candidates: Vec<Candidate>,
        folding: &[u32],
    ) -> Result<Vec<Candidate>, Fault> {
        let mut parts: Vec<Candidate> = Vec::new();
        let mut groups: Vec<Vec<Candidate>> = Vec::new();
        for c in candidates {
            if c.group == 0 {
                parts.push(c);
                continue;
            }
            match groups.iter_mut().find(|g| g.first().is_some_and(|first| first.group == c.group)) {
                Some(group) => group.push(c),
                None => {
                    // Keeps the position of the group's first definition.
                    parts.push(Candidate { body: c.body.clone(), priority: c.priority.clone(), ..c });
                    groups.push(vec![c]);
                }
            }
        }
        for group in groups {
            let number = group.first().map_or(0, |c| c.group);
            let priority = highest(&group).unwrap_or_default();
            let body = if folding.contains(&number) {
                folded(function, span, group)
            } else {
                self.merge_strongest(record, name, group)?.0
            };
            if let Some(part) = parts.iter_mut().find(|p| p.group == number) {
                part.body = body;
                part.priority = priority;
            }
        }
        Ok(parts)
    }
}

/// Returns the highest priority.
fn highest(candidates: &[Candidate]) -> Option<Priority> {
    candidates.iter().map(|c| &c.priority).max_by(|a, b| a.rank(b)).cloned()
}
