//! Types in the syntax of cfg.

use super::SPELLING;
use crate::dialect::notation::Spelling;
use crate::dialect::notation::ty as shared;
use crate::ty::Scheme;

/// Prints a scheme on one line.
#[cfg(test)]
pub fn line(scheme: &Scheme) -> String {
    shared::styled(&SPELLING, scheme, None).text()
}

/// Prints a scheme for use in a message. Its variables are not quantified, because they represent specific types.
pub fn mentioned(scheme: &Scheme) -> String {
    const MENTIONED: Spelling = Spelling { quantified: false, ..SPELLING };
    shared::mentioned(&MENTIONED, scheme)
}
