//! Records as contracts. A record contract is closed unless it has `..`; its layers are added to those of the value.

use super::Applied;
use crate::text::{Name, Span, near};
use crate::value::record::Layers;
use crate::value::{Fault, Label, Machine, Record, Thunk, Value};
use std::rc::Rc;

impl Machine {
    /// Applies a record contract. Extra fields are refused unless the contract is open. Then its layers are added to
    /// those of the value, so defaults and contracts of its fields apply as in a merge. A missing field is reported
    /// when it is needed.
    pub(super) fn apply_record(&mut self, contract: &Record, label: &Rc<Label>, value: &Thunk) -> Result<Value, Fault> {
        let record = match self.force(value)? {
            Value::Record(record) => record,
            other => {
                let fault = self.wrong_type(label, "Record", &other);
                // it may be what the secret field of the record should be
                let has_secrets = self.all_fields(contract).is_ok_and(|fields| fields.iter().any(|field| field.secret));
                return Err(if has_secrets { self.part_of_secret_failed(fault) } else { fault });
            }
        };
        if !contract.is_open() && contract.refusal().is_none() {
            for field in self.fields(&record)? {
                if contract.index_of(&field.name).is_none() {
                    let fields = self.all_fields(contract)?;
                    let allowed = fields.iter().map(|field| &field.name);
                    return Err(self.extra_field(label, &field.name, (&record, allowed)));
                }
            }
        }
        // The contract was applied before and has nothing to add.
        if let Layers::Contract { contract: known, label: known_label, .. } = &record.0.layers
            && known_label.polarity == label.polarity
            && same_contract(known, contract)
        {
            return Ok(Value::Record(record));
        }
        Ok(Value::Record(Record::contracted(record, contract.clone(), label.clone())))
    }
}

impl Machine {
    /// Returns the fault of a key that a JSON Schema does not have.
    #[cold]
    pub(super) fn unexpected_key(
        &mut self,
        rule: &Applied,
        value: &Thunk,
        span: Option<Span>,
        field: Option<(Option<&Record>, &Name)>,
    ) -> Fault {
        let key = field.and_then(|(record, name)| record?.key_span(name, span));
        let mut message = String::from("unexpected key, since `additionalProperties` is `false`");
        if let Some((Some(record), name)) = field {
            let declared = record.names_as_defined();
            let free = declared.iter().filter(|other| record.defined_at(other).is_none());
            let others = declared.iter().filter(|other| *other != name);
            let meant = near(name, free.map(Name::as_str)).into_iter().next();
            let meant = meant.or_else(|| near(name, others.map(Name::as_str)).into_iter().next());
            if let Some(meant) = meant {
                message.push_str(&format!("; did you mean `{meant}`?"));
            }
        }
        let label = Label {
            contract_span: Some(rule.unit.span(rule.node)),
            value_span: key.or(span),
            // the key is marked
            value: Some(value.clone()).filter(|_| key.is_none()),
            field: field.map(|(_, name)| name.clone()),
            message: Some(Name::from(message)),
            ..Label::default()
        };
        self.blame(&label)
    }
}

impl Record {
    /// Returns the contract that each field must meet that the record contract does not have, if it has one.
    pub(in crate::value) fn refusal(&self) -> Option<Rc<Applied>> {
        let Layers::Literal(literal) = &self.0.layers else { return None };
        let rule = literal.lit()?.extra?;
        let applied = Applied::new(literal.unit.clone(), rule, literal.env.clone(), None);
        Some(Rc::new(Applied { refuses: true, ..applied }))
    }

    /// Returns a field with a value that no contract declares and whose name is almost this one. Compares a limited number of names.
    #[cold]
    pub fn meant_as(&self, name: &str) -> Option<Name> {
        const COMPARED: usize = 200;
        let fields = &self.table().shape.fields;
        let all = fields.iter().take(COMPARED);
        let own = all.filter(|(other, slot)| slot.defs().count() == 1 && self.defined_at(other).is_some());
        near(name, own.map(|(other, _)| other.as_str())).into_iter().next()
    }

    /// Returns the place of the key in the definition whose value has the span `body`, or in the first definition.
    fn key_span(&self, name: &str, body: Option<Span>) -> Option<Span> {
        let (_, slot) = self.table().shape.fields.get_index(self.index_of(name)? as usize)?;
        let own = |def| {
            let definition = self.definition(def);
            body.is_none_or(|body| definition.body_span() == Some(body)).then(|| definition.name_span())?
        };
        slot.defs().find_map(own)
    }
}

fn same_contract(a: &Record, b: &Record) -> bool {
    match (&a.0.layers, &b.0.layers) {
        (Layers::Literal(x), Layers::Literal(y)) => x.same(y),
        _ => a.same(b),
    }
}
