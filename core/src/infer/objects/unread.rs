//! Definitions by `+:` that nothing in their literal reads. A reader of such a field sees it combined with the definition below, whose
//! type may be unknown. Combining them takes time for all parts of the definition, so nested definitions are combined only when they
//! are read.

use crate::infer::Infer;
use crate::infer::scopes::Member;
use crate::text::Name;
use crate::ty::{Field, Presence, Ty};

impl Infer<'_> {
    /// Adds an inferred field to the literal.
    pub(super) fn object_has(&mut self, name: Name, field: Field) {
        let Some(frame) = self.scopes.at(0) else { return };
        if self.may_stay_unread(frame, &name, &field) {
            self.extends_below(&field);
            self.scopes.set_member(frame, name.clone(), Member::Done(Field { inheritance: None, ..field.clone() }));
            if let Some(object) = self.scopes.object_mut(frame) {
                object.whole.remove(&name);
                object.row.insert(name.clone(), field.clone());
                object.unread.insert(name, field);
            }
            return;
        }
        self.reader_sees(frame, name, field);
    }

    /// Whether the type that readers of a definition see can wait until the first read: it is added to a definition of an object that
    /// is not known, and nothing waits for its type.
    fn may_stay_unread(&mut self, frame: usize, name: &Name, field: &Field) -> bool {
        let adds = field.inheritance.as_ref().is_some_and(|l| l.plus && l.below.is_some());
        adds && !self.rules().extends_layers()
            && self.scopes.awaited(name).is_none()
            && self.scopes.object(frame).is_some_and(|object| !object.conditional.contains(name))
            && self.below_field(name).is_none()
    }

    /// Records that the `+:` definitions in a definition may extend those of the object below.
    fn extends_below(&mut self, field: &Field) {
        let own = self.without_failures(&field.ty);
        let Ty::Record(row) = &*self.open_head(&own) else { return };
        let adds = |f: &&Field| f.presence == Presence::Yes && f.inheritance.as_ref().is_some_and(|l| l.plus);
        for at in self.open_row(row).fields().filter_map(|(_, f)| Some(f).filter(adds)?.at) {
            self.extends_something(at);
        }
    }

    /// Combines a field with the definition below it if this is its first read.
    pub(in crate::infer) fn first_read(&mut self, frame: usize, name: &Name) {
        let Some(object) = self.scopes.object_mut(frame).filter(|object| !object.unread.is_empty()) else { return };
        let Some(field) = object.unread.remove(name) else { return };
        let level = self.scopes.level(frame).unwrap_or(self.level);
        let level = std::mem::replace(&mut self.level, level);
        self.reader_sees(frame, name.clone(), field);
        self.level = level;
    }

    /// Like [`Self::first_read`], of all fields: the object is used as a value.
    pub(super) fn first_read_of_all(&mut self, frame: usize) {
        let unread = self.scopes.object(frame).map(|object| object.unread.keys().cloned().collect::<Vec<_>>());
        let mut unread = unread.unwrap_or_default();
        unread.sort_unstable();
        for name in unread {
            self.first_read(frame, &name);
        }
    }
}
