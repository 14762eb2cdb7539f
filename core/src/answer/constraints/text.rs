//! Constraints as text: a table of the constraints that inference collected, and their solution.

use super::Constraints;
use crate::answer::Renderer;
use crate::infer::LoggedConstraint;
use crate::problem::report::reason;
use crate::styled::table::Table;
use crate::styled::{Role, Styled};
use crate::text::Span;
use crate::ty::Scheme;
use unicode_width::UnicodeWidthStr;

/// Maximum number of constraints that are shown.
pub const SHOWN: usize = 200;
/// Maximum width of a type without a page, in columns.
const MAX_WIDTH: usize = 32;
/// Width of the other columns: the number and the signs between types, the expression, whether it holds, and the place of a variable.
const NUMBER: usize = 12;
const EXPRESSION: usize = 26;
const HOLDS: usize = 7;
const SOLUTION: usize = 48;

/// Renders the constraints, their solution and the type as lines, without a line end after the last.
pub fn text(constraints: &Constraints, to: &Renderer<'_>) -> Styled {
    let section = |solved: bool| {
        let mut table = Table::new().indented(2).within(to.page);
        rows(constraints, to, solved).for_each(|row| table.row(row));
        table.fit()
    };
    let mut out = Styled::of(Role::Heading, "collected");
    if constraints.collected.constraints.is_empty() {
        out.plain(": no constraints");
    } else {
        out.plain("\n");
        out.append(&section(false));
        let more = constraints.collected.constraints.len().saturating_sub(SHOWN);
        if more > 0 {
            out.push(Role::Dim, format!("\n  … {more} more"));
        }
        if !constraints.collected.solved.is_empty() {
            out.plain("\n");
            out.push(Role::Heading, "solved");
        }
        let mut table = Table::new().indented(2).within(to.page);
        for (name, scheme, at) in constraints.solved() {
            let ty = constraints.ty(scheme, to).cut(columns(to, SOLUTION, 1));
            table.row([solution(name, ty), at.map(|at| quoted(at, to)).unwrap_or_default()]);
        }
        if constraints.solved().next().is_some() {
            out.plain("\n");
            out.append(&table.fit());
        }
        let mut table = Table::new().indented(2).within(to.page);
        let free: Vec<_> = constraints.free().collect();
        for (name, at) in &free {
            table.row([Styled::of(Role::Type, *name), at.map(|at| quoted(at, to)).unwrap_or_default()]);
        }
        if !free.is_empty() {
            out.plain("\n");
            out.push(Role::Heading, "free variables");
            out.plain("\n");
            out.append(&table.fit());
        }
        out.plain("\n");
        out.push(Role::Heading, "constraints with the solution");
        out.plain("\n");
        out.append(&section(true));
    }
    out.plain("\n");
    out.push(Role::Heading, "type");
    let line = crate::state::type_text(to.dialect, &crate::state::masked_type(&constraints.scheme, to.sources));
    let is_long = to.page.is_some_and(|page| line.text().width() + 2 > page);
    out.plain(if is_long { "\n" } else { "\n  " });
    out.append(&if is_long { crate::answer::types::styled(&constraints.scheme, to) } else { line });
    out
}

/// Renders the expression for which inference created a variable, and the place of the expression.
pub fn quoted(at: Span, to: &Renderer<'_>) -> Styled {
    let text = Styled::from(crate::text::on_one_line(&to.sources.slice(at))).cut(24).text();
    Styled::of(Role::Dim, format!("of `{text}` {}", to.place(at)))
}

/// The symbol of a constraint on one type: the operator must work on it. All other symbols are operators that combine two
/// types to a third one.
pub const IS_ONE_OF: &str = "is one of";

/// Returns the maximum width of each of `types` types on a line with `others` further columns.
fn columns(to: &Renderer<'_>, others: usize, types: usize) -> usize {
    to.page.map_or(MAX_WIDTH, |page| (page.saturating_sub(others) / types).max(10))
}

/// Returns a type variable with its solution: `a := Number`.
pub fn solution(name: &str, ty: Styled) -> Styled {
    let mut solution = Styled::of(Role::Type, name);
    solution.push(Role::Operator, " := ");
    solution.append(&ty);
    solution
}

/// Returns the table cells of each constraint: as it was collected or, if `solved` is set, with its solution.
pub fn rows(constraints: &Constraints, to: &Renderer<'_>, solved: bool) -> impl Iterator<Item = Vec<Styled>> {
    constraints
        .collected
        .constraints
        .iter()
        .enumerate()
        .take(SHOWN)
        .map(move |(index, logged)| row(constraints, to, index, logged, solved))
}

/// Returns the table cells of one constraint.
fn row(
    constraints: &Constraints,
    to: &Renderer<'_>,
    index: usize,
    logged: &LoggedConstraint,
    solved: bool,
) -> Vec<Styled> {
    let others = if solved { NUMBER + HOLDS } else { NUMBER + EXPRESSION };
    let ty = |scheme: &Scheme, types: usize| constraints.ty(scheme, to).cut(columns(to, others, types));
    let (span, constraint, note) = match logged {
        LoggedConstraint::Equal { span, why, before, after, holds } => {
            let (found, wanted) = if solved { after } else { before };
            let both = [found, wanted].map(|scheme| constraints.ty(scheme, to));
            let [found, wanted] = both.each_ref().map(|own| own.cut_apart(columns(to, others, 2), &both));
            let mut constraint = found;
            constraint.push(Role::Operator, if solved && !holds { " ≠ " } else { " = " });
            constraint.append(&wanted);
            let note = match (solved, holds) {
                (true, true) => Styled::of(Role::Dim, "holds"),
                (true, false) => Styled::of(Role::Error, "fails"),
                (false, _) => Styled::of(Role::Dim, reason(why, None, to.dialect.notation().kind_names)),
            };
            (span, constraint, Some(note))
        }
        LoggedConstraint::Combined { span, symbol: IS_ONE_OF, before, after } => {
            let [operand, ..] = if solved { after } else { before };
            let note = "one of the types that the operator works on";
            (span, ty(operand, 1), (!solved).then(|| Styled::of(Role::Dim, note)))
        }
        LoggedConstraint::Combined { span, symbol, before, after } => {
            let [left, right, result] = if solved { after } else { before };
            let mut constraint = ty(result, 3);
            constraint.push(Role::Operator, " = ");
            constraint.append(&ty(left, 3));
            constraint.push(Role::Operator, format!(" {symbol} "));
            constraint.append(&ty(right, 3));
            (span, constraint, (!solved).then(|| Styled::of(Role::Dim, format!("the result of `{symbol}`"))))
        }
    };
    let mut cells = vec![Styled::of(Role::Dim, (index + 1).to_string())];
    if !solved {
        cells.push(Styled::from(crate::text::on_one_line(&to.sources.slice(*span))).cut(24));
    }
    cells.push(constraint);
    cells.extend(note);
    cells
}
