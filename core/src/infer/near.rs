//! Names that a mistyped name may have meant, as the names of rows come.

use crate::text::Name;

/// What [`crate::text::near`] finds among names.
pub(super) fn near<'a>(name: &str, names: impl Iterator<Item = &'a Name>) -> Vec<Name> {
    crate::text::near(name, names.map(Name::as_str))
}
