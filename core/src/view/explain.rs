//! Where a field's value comes from, drawn.

use crate::ask::explain::Explanation;
use crate::dialect::Dialect;
use crate::session::Medium;
use crate::styled::{Role, Styled};

/// The answer, without a line end behind it.
pub fn draw(explanation: &Explanation, dialect: Dialect, _medium: Medium, _width: usize) -> Styled {
    let mut out = Styled::of(Role::Name, explanation.path.to_string());
    out.push(Role::Operator, " = ");
    out.append(&crate::dialect::notation::value::one_line(dialect.spelling(), &explanation.value));
    out
}
