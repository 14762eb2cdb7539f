//! Number literals.

use super::Parser;
use crate::problem::syntax::SyntaxKind;
use crate::term::Number;

impl Parser<'_> {
    /// The value of the number that is the next token; does not go past it.
    pub(super) fn number(&mut self) -> Number {
        Number::parse(self.slice(self.token)).unwrap_or_else(|_| {
            let span = self.here();
            self.fault(span, SyntaxKind::NumberTooLarge);
            Number::ZERO
        })
    }
}
