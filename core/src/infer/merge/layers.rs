//! The layers of a field: which of them a later merge can still ask for.

use crate::infer::Infer;
use crate::ty::{Layer, Ty, TyRef};

impl Infer<'_> {
    /// Below a definition that is certain, layers of one scalar type say nothing after the first of them: merging n operands
    /// of rising priorities would otherwise carry n layers through every operand.
    pub(in crate::infer) fn without_repeats(&mut self, layers: &mut Vec<Layer>) {
        let Some(top) = layers.iter().position(|l| l.certain) else { return };
        if layers.len() < top + 3 {
            return;
        }
        let mut index = 0;
        let mut above: Option<TyRef> = None;
        layers.retain(|layer| {
            let here = self.table.head(&layer.ty);
            let repeated = matches!(
                (above.as_deref(), &*here),
                (Some(Ty::Number), Ty::Number)
                    | (Some(Ty::String), Ty::String)
                    | (Some(Ty::Bool), Ty::Bool)
                    | (Some(Ty::Null), Ty::Null)
            ) && index > top + 1;
            index += 1;
            above = Some(here);
            !repeated
        });
    }
}
