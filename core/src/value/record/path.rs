//! The path of a record from the outermost record, for faults.

use super::Record;
use crate::text::Name;
use crate::value::deferred_drop::discard;
use std::rc::Rc;

/// The path to a record from the outermost record.
pub(in crate::value) struct Path {
    parent: Option<Rc<Path>>,
    name: Name,
}

impl Drop for Path {
    fn drop(&mut self) {
        if let Some(parent) = self.parent.take() {
            discard(parent);
        }
    }
}

impl Record {
    /// Sets the path of the record to field `name` of `parent`, unless it has a path. O(1).
    pub(in crate::value) fn set_path(&self, parent: &Record, name: &Name) {
        if self.0.path.get().is_none() && !self.same(parent) {
            let path = Path { parent: parent.0.path.get().cloned().flatten(), name: name.clone() };
            let _ = self.0.path.set(Some(Rc::new(path)));
        }
    }

    /// Sets the path of the record to an element of the array that has a path, unless it has one. O(1).
    pub(in crate::value) fn set_path_in_array(&self, array: &Rc<Path>, index: usize) {
        if self.0.path.get().is_none() {
            let path = Path { parent: Some(array.clone()), name: Path::index(index) };
            let _ = self.0.path.set(Some(Rc::new(path)));
        }
    }

    /// Marks the record as the value of a session name or of a file, unless it has a path. Paths then begin here,
    /// even if the record is later read from a field of another record. O(1).
    pub(in crate::value) fn set_outermost(&self) {
        let _ = self.0.path.set(None);
    }

    /// Returns the path of a field of this record, from the outermost record. O(path).
    pub fn path_to(&self, name: &Name) -> Vec<Name> {
        let path = self.0.path.get().and_then(Option::as_ref);
        path.map_or_else(|| vec![name.clone()], |path| path.names_with(name.clone()))
    }
}

impl Path {
    /// Returns the path of a field of a record. O(1).
    pub(in crate::value) fn of_field(record: &Record, name: &Name) -> Rc<Path> {
        Rc::new(Path { parent: record.0.path.get().cloned().flatten(), name: name.clone() })
    }

    /// Returns the path of an element of an array. O(1).
    pub(in crate::value) fn of_element(array: &Rc<Path>, index: usize) -> Rc<Path> {
        Rc::new(Path { parent: Some(array.clone()), name: Path::index(index) })
    }

    /// Returns the name of a step to an element.
    pub(in crate::value) fn index(index: usize) -> Name {
        Name::from(format!("[{index}]"))
    }

    /// Returns the names of the path and one more, from the outermost one. O(path).
    pub(in crate::value) fn names_with(&self, last: Name) -> Vec<Name> {
        let mut names = vec![last];
        let mut next = Some(self);
        while let Some(here) = next {
            names.push(here.name.clone());
            next = here.parent.as_deref();
        }
        names.reverse();
        names
    }
}
