//! Definitions that are only aliases of each other, as in `{ a: self.b, b: self.a }`. Overriding one of them gives all a value.

use crate::infer::Infer;
use crate::infer::findings::Reported;
use crate::infer::units::Role;
use crate::problem::types::TypesKind;
use crate::term::{FieldName, Node, PatKind, RecordLit};
use crate::text::{Name, Span};
use crate::ty::TyRef;

impl Infer<'_> {
    /// Returns the definitions of a group that are only aliases of each other, with the names of each cycle.
    pub(in crate::infer) fn field_alias_cycles(&self, lit: &RecordLit, group: &[u32]) -> Vec<(u32, Vec<Name>)> {
        let count = lit.fields.len();
        let next = |i: u32| -> Option<(u32, Name)> {
            match lit.fields.get(i as usize) {
                Some(def) => {
                    let (FieldName::Static(own), false) = (&def.name, def.plus) else { return None };
                    let Node::Project(target, name) = self.term.node(def.body?) else { return None };
                    let Node::This { up: 0 } = self.term.node(*target) else { return None };
                    let to = group.iter().find(|j| {
                        let other = lit.fields.get(**j as usize);
                        other.is_some_and(|f| matches!(&f.name, FieldName::Static(n) if n == name))
                    })?;
                    Some((*to, own.clone()))
                }
                None => {
                    let binding = lit.locals.get((i as usize).checked_sub(count)?)?;
                    let Node::Local { up: 0, slot } = *self.term.node(binding.body) else { return None };
                    let to = group.iter().find(|j| {
                        let other = (**j as usize).checked_sub(count).and_then(|j| lit.locals.get(j));
                        other.is_some_and(|b| matches!(self.term.pat(b.pat).kind, PatKind::Bind(s) if s == slot))
                    })?;
                    Some((*to, Name::new_static("")))
                }
            }
        };
        alias_cycles(group, &next)
    }

    /// The type of a field whose definition only names itself: an error if the result needs the field.
    pub(super) fn field_names_itself(&mut self, names: Vec<Name>, span: Span) -> TyRef {
        self.in_unit(Role::Perhaps, |infer| {
            infer.report_only(span, TypesKind::NamesItself { names }, Reported::IfForced, true);
            infer.fresh()
        })
    }

    /// The type of a local whose definition only names itself.
    pub(in crate::infer) fn names_itself(&mut self, names: &[Name], span: Span) -> TyRef {
        let names = names.to_vec();
        self.in_unit(Role::Perhaps, |infer| {
            infer.report(span, TypesKind::NamesItself { names }, true);
            infer.fresh()
        })
    }
}

/// Returns the members of a group from which `next` leads back to themselves, with the names on the way.
pub(in crate::infer) fn alias_cycles(
    group: &[u32],
    next: &dyn Fn(u32) -> Option<(u32, Name)>,
) -> Vec<(u32, Vec<Name>)> {
    let mut out = Vec::new();
    for start in group {
        let mut names = Vec::new();
        let mut at = *start;
        while let Some((to, name)) = next(at) {
            names.push(name);
            at = to;
            if at == *start {
                out.push((*start, names));
                break;
            }
            if names.len() > group.len() {
                break;
            }
        }
    }
    out
}
