//! Types in cfg's syntax.

use super::SPELLING;
use crate::dialect::notation::ty as shared;
use crate::ty::Scheme;
use crate::view::Styled;

/// A scheme on one line.
pub fn line(scheme: &Scheme) -> String {
    styled(scheme, None).text()
}

/// A scheme, in lines of at most so many columns where it can be, with roles.
pub fn styled(scheme: &Scheme, width: Option<usize>) -> Styled {
    shared::styled(&SPELLING, scheme, width)
}
