//! Revisions: a program's names keep the meaning of the revision in which it was first evaluated.

/// A revision of the session's definitions: the number of changes before it. Later revisions are greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Revision(pub u32);
