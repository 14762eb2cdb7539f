//! Number literals.

use super::Parser;
use crate::problem::syntax::SyntaxKind;
use crate::term::Number;

impl Parser<'_> {
    /// Returns the value of the next token, a number, without consuming it.
    pub(super) fn number(&mut self) -> Number {
        Number::parse(self.slice(self.token)).unwrap_or_else(|_| {
            let span = self.here();
            self.fault(span, SyntaxKind::NumberTooLarge);
            Number::ZERO
        })
    }
}
