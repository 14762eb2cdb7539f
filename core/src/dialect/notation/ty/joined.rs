//! Values of one of two types, of which a caller chooses one: the result of `fun c r => if c then r else {}`.

use super::{Printer, parenthesised};
use crate::dialect::notation::doc::Doc;
use crate::ty::{Generic, Ty, TyRef};

impl Printer<'_> {
    /// Prints a type that is one of two, of which a caller chooses one: `a | { c : Bool }`.
    pub(super) fn joined(&mut self, g: Generic, place: u8) -> Option<Doc> {
        let var = self.var(g);
        let (sides, nest) = self.joins.remove(&var)?;
        let before = std::mem::replace(&mut self.nest, nest.clone());
        let mut members: Vec<TyRef> = Vec::new();
        let mut expanded = vec![(var, (sides.clone(), nest))];
        let mut work: Vec<TyRef> = sides.into_iter().rev().collect();
        while let Some(ty) = work.pop() {
            if let Ty::Var(g) = &*ty
                && g.up == 0
                && let Some((sides, nest)) = self.joins.remove(&self.var(*g))
            {
                expanded.push((self.var(*g), (sides.clone(), nest)));
                work.extend(sides.into_iter().rev());
            } else if !members.contains(&ty) {
                members.push(ty);
            }
        }
        let mut out = Vec::new();
        let is_single = members.len() == 1;
        for (i, ty) in members.iter().enumerate() {
            if i > 0 {
                out.push(Doc::op(" | "));
            }
            out.push(self.ty(ty, if is_single { place } else { 2 }));
        }
        self.nest = before;
        self.joins.extend(expanded);
        Some(parenthesised(Doc::All(out), place >= 1 && !is_single))
    }
}
