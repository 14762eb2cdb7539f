//! Constraints as text: a table of the constraints that inference collected, and their solution.

use crate::dialect::Dialect;
use crate::dialect::notation::ty::named;
use crate::infer::{Collected, LoggedConstraint};
use crate::problem::report::reason;
use crate::styled::table::Table;
use crate::styled::{Role, Styled};
use crate::text::Sources;
use crate::ty::Scheme;

/// Maximum number of constraints.
const SHOWN: usize = 200;
/// Maximum width of a type, in columns.
const WIDE: usize = 32;

/// Renders the constraints, their solution and the type as lines, without a line end after the last.
pub fn constraints(
    collected: &Collected,
    ty: &Scheme,
    dialect: Dialect,
    sources: &Sources,
    width: Option<usize>,
) -> Styled {
    // a line holds two types, their subjects and the reason
    let wide = width.map_or(WIDE, |page| (page.saturating_sub(44) / 2).clamp(10, WIDE));
    let ty_of = |scheme: &Scheme| named(dialect.spelling(), scheme, &collected.names).cut(wide);
    let row = |index: usize, asked: &LoggedConstraint, solved: bool| match asked {
        LoggedConstraint::Equal { span, why, before, after, holds } => {
            let (found, wanted) = if solved { after } else { before };
            let mut both = ty_of(found);
            both.push(Role::Operator, if solved && !holds { " ≠ " } else { " = " });
            both.append(&ty_of(wanted));
            let mut cells = vec![Styled::of(Role::Dim, (index + 1).to_string())];
            if solved {
                cells.push(both);
                let word = if *holds { Styled::of(Role::Dim, "holds") } else { Styled::of(Role::Error, "cannot be") };
                cells.push(word);
            } else {
                cells.push(Styled::from(crate::text::on_one_line(sources.slice(*span))).cut(24));
                cells.push(both);
                cells.push(Styled::of(Role::Dim, reason(why, None, dialect.notation().nouns)));
            }
            cells
        }
        LoggedConstraint::Combined { span, symbol, before, after } => {
            let [left, right, result] = if solved { after } else { before };
            let mut both = ty_of(result);
            both.push(Role::Operator, " = ");
            both.append(&ty_of(left));
            both.push(Role::Operator, format!(" {symbol} "));
            both.append(&ty_of(right));
            let mut cells = vec![Styled::of(Role::Dim, (index + 1).to_string())];
            if !solved {
                cells.push(Styled::from(crate::text::on_one_line(sources.slice(*span))).cut(24));
            }
            cells.push(both);
            if !solved {
                cells.push(Styled::of(Role::Dim, format!("what `{symbol}` makes of both")));
            }
            cells
        }
    };
    let section = |solved: bool| {
        let mut table = Table::new().indented(2).within(width);
        for (index, asked) in collected.constraints.iter().enumerate().take(SHOWN) {
            table.row(row(index, asked, solved));
        }
        table.fit()
    };
    let mut out = Styled::of(Role::Heading, "collected");
    if collected.constraints.is_empty() {
        out.plain(": nothing is asked of anything");
    } else {
        out.plain("\n");
        out.append(&section(false));
        let more = collected.constraints.len().saturating_sub(SHOWN);
        if more > 0 {
            out.push(Role::Dim, format!("\n  … {more} more"));
        }
        if !collected.solved.is_empty() {
            out.plain("\n");
            out.push(Role::Heading, "solved");
        }
        for (index, scheme) in &collected.solved {
            let Some(name) = collected.names.get(*index as usize) else { continue };
            out.plain("\n  ");
            out.push(Role::Type, name.as_str());
            out.push(Role::Operator, " := ");
            out.append(&ty_of(scheme));
        }
        out.plain("\n");
        out.push(Role::Heading, "so that");
        out.plain("\n");
        out.append(&section(true));
    }
    out.plain("\n");
    out.push(Role::Heading, "type");
    out.plain("\n  ");
    out.append(&crate::state::type_text(dialect, ty));
    out
}
