//! Types in cfg's syntax.

use super::SPELLING;
use crate::dialect::notation::Spelling;
use crate::dialect::notation::ty as shared;
use crate::styled::Styled;
use crate::ty::Scheme;

/// A scheme on one line.
pub fn line(scheme: &Scheme) -> String {
    styled(scheme, None).text()
}

/// A scheme as prose mentions it: its variables stand for something at hand, and nobody chooses them.
pub fn mentioned(scheme: &Scheme) -> String {
    const MENTIONED: Spelling = Spelling { quantified: false, ..SPELLING };
    shared::styled(&MENTIONED, scheme, None).text()
}

/// A scheme, in lines of at most so many columns where it can be, with roles.
pub fn styled(scheme: &Scheme, width: Option<usize>) -> Styled {
    shared::styled(&SPELLING, scheme, width)
}
