//! When a program was first evaluated: what its names mean is what they meant then.

/// A moment in the life of whoever answers for the names that no term binds: the number of the changes before it. Later
/// moments are greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Revision(pub u32);
