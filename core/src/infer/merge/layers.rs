//! Removes layers of a field that no later merge needs.

use crate::infer::Infer;
use crate::ty::{Layer, Ty, TyRef};

impl Infer<'_> {
    /// Removes repeated layers of one scalar type below a certain definition, which have no effect. Without this, merging n
    /// operands of rising priorities would carry n layers through every merge.
    pub(super) fn without_repeats(&mut self, layers: &mut Vec<Layer>) {
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
