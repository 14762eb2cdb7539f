//! Records as contracts. A record contract is closed unless it has `..`; its layers are added to those of the value.

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
            other => return Err(self.wrong_type(label, "Record", &other)),
        };
        if !contract.is_open() {
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

fn same_contract(a: &Record, b: &Record) -> bool {
    match (&a.0.layers, &b.0.layers) {
        (Layers::Literal(x), Layers::Literal(y)) => x.same(y),
        _ => a.same(b),
    }
}
