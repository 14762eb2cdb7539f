//! Nodes with side effects. A schema declares their inputs and outputs: `{ inputs = { name | String }, outputs = { port | Number } }`.
//! Outputs are unknown values of known types, so that what reads them is checked before the node runs.

use crate::infer::Infer;
use crate::infer::findings::Reported;
use crate::problem::types::TypesKind;
use crate::term::{Apply, rules};
use crate::text::Span;
use crate::ty::{DynReason, Field, Give, Row, Tail, Ty, TyRef};

impl Infer<'_> {
    /// Returns the type of an instance of a prototype that is computed; `None` for other calls. If it is a schema, the instance has
    /// its inputs and its outputs.
    pub(super) fn node_of_schema(&mut self, apply: &Apply, span: Span) -> Option<TyRef> {
        let [(None, schema)] = apply.args.as_slice() else { return None };
        if !self.rules().extends_layers() || !self.is_native(apply.func, rules::PROTOTYPE) {
            return None;
        }
        let ty = self.expr(*schema);
        let [inputs, outputs] = rules::NODE_SCHEMA.map(|name| self.fields_of(&ty, name));
        let (Some(inputs), Some(outputs)) = (inputs, outputs) else {
            return Some(Ty::Dyn(DynReason::Library).into());
        };
        let mut row = Row::new(Tail::Closed);
        for (name, field) in outputs.fields() {
            let ty = self.without_failures(&field.ty);
            row.insert(name.clone(), Field { hidden: true, ..Field::given(ty, field.at) });
        }
        for (name, field) in inputs.fields() {
            let ty = self.without_failures(&field.ty);
            let ty = match field.give {
                Give::Yes => ty,
                // the instance has to define it
                _ => {
                    let what = TypesKind::Undefined { name: name.clone(), below: false };
                    let fault = self.report_only(span, what, Reported::IfForced, false);
                    Ty::Fails(fault, ty).into()
                }
            };
            row.insert(name.clone(), Field::given(ty, field.at));
        }
        Some(Ty::Record(row).into())
    }

    /// Returns the fields of a part of a record.
    fn fields_of(&mut self, ty: &TyRef, name: &str) -> Option<Row> {
        let record = self.row_of(ty)?;
        let part = record.get(name).filter(|field| field.give == Give::Yes)?.ty.clone();
        self.row_of(&part)
    }

    fn row_of(&mut self, ty: &TyRef) -> Option<Row> {
        let ty = self.without_failures(ty);
        let ty = self.instantiate(&ty);
        let head = self.open_head(&ty);
        match &*head {
            Ty::Record(row) => Some(self.open_row(row)),
            _ => None,
        }
    }
}
