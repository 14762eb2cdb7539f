//! What only object languages need: `self`, `super`, inheritance, sums, comprehensions of objects, calls by name.

mod access;
mod call;
mod comprehension;
mod cycles;
pub(super) mod derive;
mod format;
mod inherit;
mod literal;
mod missing;
mod plus;
mod project;

pub(super) use cycles::rings;
pub(super) use literal::{Object, Wanted};
