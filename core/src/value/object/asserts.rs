//! Asserts of objects. When a field of a final object is first read, the asserts of all its layers are checked, once.

use crate::problem::value::ValueKind;
use crate::text::Name;
use crate::value::record::Record;
use crate::value::stack::Leaf;
use crate::value::{Fault, Machine, Value};

/// The state of a final record's asserts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::value) enum Asserts {
    /// The record has no asserts.
    None,
    /// The asserts were not checked yet, or one of them failed.
    Unchecked,
    /// The asserts are being checked. Reads during the check do not check them again.
    Running,
    /// All asserts hold.
    Passed,
}

impl Asserts {
    /// Returns the state of the asserts in a new record that contains this one.
    pub(in crate::value) fn unchecked(self) -> Asserts {
        if self == Asserts::None { Asserts::None } else { Asserts::Unchecked }
    }

    /// Returns the state for a composition of two records. Neither of them was checked.
    pub(in crate::value) fn and(self, other: Asserts) -> Asserts {
        if self == Asserts::None { other } else { self }
    }
}

impl Machine {
    /// Checks the asserts of a final record, unless they already hold or are being checked. O(1) without asserts.
    #[inline]
    pub fn check_asserts(&mut self, record: &Record) -> Result<(), Fault> {
        match record.0.asserts.get() {
            Asserts::None => Ok(()),
            _ if self.tracer.is_some() => self.check_asserts_traced(record),
            Asserts::Unchecked => self.deeper(|machine| machine.run_asserts(record)),
            _ => Ok(()),
        }
    }

    /// Returns whether the asserts of a record must still be checked.
    pub(in crate::value) fn has_unchecked_asserts(&self, record: &Record) -> bool {
        match record.0.asserts.get() {
            Asserts::None => false,
            Asserts::Unchecked => true,
            // With tracing, every read of a field also reads the asserts.
            _ => self.tracer.is_some(),
        }
    }

    #[inline(never)]
    pub(in crate::value) fn run_asserts(&mut self, record: &Record) -> Result<(), Fault> {
        record.0.asserts.set(Asserts::Running);
        let result = self.in_frames(1, |machine| machine.asserts_of_leaves(record));
        record.0.asserts.set(if result.is_ok() { Asserts::Passed } else { Asserts::Unchecked });
        result
    }

    /// Checks the asserts from the uppermost layer down, each layer in source order.
    fn asserts_of_leaves(&mut self, record: &Record) -> Result<(), Fault> {
        let table = record.table();
        let count = table.leaves().len().max(1) as u32;
        for number in (0..count).rev() {
            let Leaf::Literal(literal) = record.leaf_record(number).leaf() else { continue };
            let Some(lit) = literal.lit().filter(|lit| !lit.asserts.is_empty()) else { continue };
            let unit = literal.unit.clone();
            let env = record.frame(number, 0);
            self.register_record(record);
            for (condition, message) in &lit.asserts {
                match self.eval(&unit, *condition, &env)? {
                    Value::Bool(true) => {}
                    Value::Bool(false) => {
                        let message = match message {
                            Some(message) => {
                                let value = self.eval(&unit, *message, &env)?;
                                self.text_of(&value)?.name()
                            }
                            None => Name::new_static("Object assertion failed."),
                        };
                        let span = Some(unit.span(*condition));
                        let fault = Fault::new(ValueKind::Failed { message, span });
                        return Err(self.with_condition(fault, &unit, *condition, &env));
                    }
                    other => return Err(self.not_a_condition(&other, unit.span(*condition))),
                }
            }
        }
        Ok(())
    }
}
