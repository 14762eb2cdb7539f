//! The answer as a page: tables, no script.

use super::words;
use crate::answer::Renderer;
use crate::answer::explain::{DefinitionRow, Explanation};
use crate::answer::shared::shown_path;
use crate::dialect::Dialect;
use crate::dialect::notation::value::{laid_out, one_line};
use crate::styled::{Role, Styled};
use crate::value::datum::Datum;
use crate::value::provenance::{DefinitionOutcome, FoldKind, OutcomeReason};
use crate::view::html::{Cell, Html};
use unicode_width::UnicodeWidthStr;

/// Maximum width of a value in the heading, in columns.
const HEADING: usize = 60;

/// Writes an answer.
pub(super) fn html(e: &Explanation, renderer: &Renderer<'_>, to: &mut Html) {
    let dialect = renderer.dialect;
    to.heading(2, &heading(e, dialect));
    // without a value, the heading is enough
    let mut summary = Styled::from(e.value.as_ref().map(|_| words::summary(e)).unwrap_or_default());
    if let Some(ty) = &e.ty {
        summary.plain(if summary.is_empty() { "of type " } else { ", of type " });
        summary.push(Role::Type, ty);
    }
    if !summary.is_empty() {
        to.paragraph(&summary);
    }
    if let Some(why) = words::fault(e, dialect) {
        to.paragraph(&Styled::of(Role::Error, why));
    }
    // a value that is too wide for the heading
    if let Some(value @ (Datum::Record(_) | Datum::Array(_))) = &e.value
        && one_line(dialect.spelling(), value).text().width() > HEADING
    {
        to.preformatted(&laid_out(dialect.spelling(), value, 76, &|_| String::new()));
    }
    let strength = if e.chain { "layer" } else { "priority" };
    let mut rows: Vec<_> = words::shown(e).into_iter().map(|d| definition(d, e, dialect)).collect();
    let mut columns = vec!["outcome", strength, "value", "where", "why"];
    // definitions that are combined need no reason
    if rows.iter().all(|row| row.last().is_some_and(Cell::is_empty)) {
        columns.pop();
        rows.iter_mut().for_each(|row| drop(row.pop()));
    }
    to.table(&columns, rows);
    if e.more > 0 {
        to.paragraph(&Styled::from(words::more(e.more)));
    }
    if let Some(fold) = &e.fold {
        let mut title = Styled::from("combined by ");
        title.push(Role::Keyword, words::keyword(fold));
        title.plain(words::function_written(fold));
        title.push(Role::Dim, format!("  {}", fold.place));
        to.heading(3, &title);
        let rows = fold.steps.iter().map(|step| {
            let mut call = one_line(dialect.spelling(), &step.lower);
            call.push(Role::Operator, if fold.kind == FoldKind::Plus { " + " } else { "  with  " });
            call.append(&one_line(dialect.spelling(), &step.higher));
            vec![Cell::Text(call), Cell::Text(one_line(dialect.spelling(), &step.result))]
        });
        if fold.earlier > 0 {
            to.paragraph(&Styled::from(words::earlier(fold.earlier)));
        }
        to.table(&["step", "result"], rows.collect::<Vec<_>>());
    }
    if !e.elements.is_empty() {
        to.heading(3, &Styled::from("where each element came from"));
        let rows = e.elements.iter().map(|element| {
            let place = words::element_origin(element);
            vec![Cell::Text(Styled::from(format!("[{}]", element.index))), Cell::Text(Styled::from(place))]
        });
        to.table(&["element", "where"], rows.collect::<Vec<_>>());
    }
    if !e.through.is_empty() {
        to.heading(3, &Styled::from("through"));
        let rows = e.through.iter().map(|place| {
            vec![Cell::Text(Styled::from(place.text.as_str())), Cell::Text(Styled::of(Role::Dim, place.to_string()))]
        });
        to.table(&["statement", "where"], rows.collect::<Vec<_>>());
    }
    if !e.depends_on.is_empty() {
        to.heading(3, &Styled::from("made from"));
        let rows = e.depends_on.iter().map(|read| {
            vec![
                Cell::Text(Styled::of(
                    Role::Name,
                    format!("{}{}", "· ".repeat(read.depth), shown_path(&read.path, dialect)),
                )),
                Cell::Text(read.value.as_ref().map_or_else(Styled::new, |value| one_line(dialect.spelling(), value))),
                Cell::Text(Styled::of(Role::Dim, read.place.as_ref().map(ToString::to_string).unwrap_or_default())),
                Cell::Text(Styled::from(words::read(read))),
            ]
        });
        to.table(&["field", "value", "where", ""], rows.collect::<Vec<_>>());
    }
    let checks = words::checks(e);
    if !checks.is_empty() {
        to.heading(3, &Styled::from("checks"));
        let rows = checks.into_iter().map(|check| {
            vec![
                Cell::Text(Styled::of(words::holds_role(check), words::holds(check))),
                Cell::Text(Styled::of(Role::Type, &check.text)),
                Cell::Text(Styled::of(Role::Dim, check.place.to_string())),
                Cell::Text(Styled::from(words::origin(check, e, dialect))),
            ]
        });
        to.table(&["", "contract", "where", "from"], rows.collect::<Vec<_>>());
    }
    if !e.recomputed.is_empty() {
        to.heading(3, &Styled::from("recomputed because of it (late bound)"));
        let show = |datum: &Option<Datum>| match datum {
            Some(datum) => one_line(dialect.spelling(), datum),
            None => Styled::new(),
        };
        let rows = e.recomputed.iter().map(|r| {
            vec![Cell::Text(Styled::from(r.path.to_string())), Cell::Text(show(&r.was)), Cell::Text(show(&r.now))]
        });
        to.table(&["field", "was", "now"], rows.collect::<Vec<_>>());
    }
    if !e.fixes.is_empty() {
        to.heading(3, &Styled::from("to settle it, one of"));
        let rows = e.fixes.iter().map(|fix| {
            vec![
                Cell::Text(Styled::from(fix.place.as_ref().map(ToString::to_string).unwrap_or_default())),
                Cell::Prose(Styled::from(fix.edit.as_str())),
                Cell::Text(one_line(dialect.spelling(), &fix.result)),
            ]
        });
        to.table(&["where", "edit", "result"], rows.collect::<Vec<_>>());
    }
    if !e.fields.is_empty() {
        to.heading(3, &Styled::from("its fields"));
        let rows = e.fields.iter().map(|part| {
            vec![
                Cell::Head(Styled::of(Role::Name, part.name.as_str())),
                Cell::Text(part.value.as_ref().map_or_else(Styled::new, |v| one_line(dialect.spelling(), v))),
                Cell::Text(Styled::from(part.place.as_ref().map(ToString::to_string).unwrap_or_default())),
                Cell::Text(Styled::from(words::part(part))),
            ]
        });
        to.table(&["field", "value", "where", ""], rows.collect::<Vec<_>>());
    }
    for sentence in words::closing(e) {
        to.paragraph(&Styled::from(sentence));
    }
}

/// Returns the cell with the reason of an outcome. The text of a definition may contain backticks of its own.
fn reason(d: &DefinitionRow, e: &Explanation) -> Cell {
    let text = words::reason(d, e);
    let shows_text = !d.text.is_empty() && text.contains(&d.text);
    if shows_text || d.guard.is_some() || matches!(d.because, OutcomeReason::Differs) {
        return Cell::Text(Styled::from(text));
    }
    Cell::Prose(Styled::from(text))
}

fn heading(e: &Explanation, dialect: Dialect) -> Styled {
    let mut out = Styled::of(Role::Name, words::path(e));
    match &e.value {
        Some(value) => {
            out.push(Role::Operator, " = ");
            out.append(&one_line(dialect.spelling(), value).cut(HEADING));
        }
        None => out.plain(words::without(e)),
    }
    out
}

fn definition(d: &DefinitionRow, e: &Explanation, dialect: Dialect) -> Vec<Cell> {
    let role = match d.outcome {
        DefinitionOutcome::Wins | DefinitionOutcome::Part => Role::Wins,
        DefinitionOutcome::Tie => Role::Error,
        DefinitionOutcome::Prev => Role::Note,
        _ => Role::Dim,
    };
    let value = d.value.as_ref().map_or_else(Styled::new, |value| one_line(dialect.spelling(), value));
    // uses `del`, which shows as struck through even where styles are stripped
    let value = if d.outcome == DefinitionOutcome::Lost { Styled::of(Role::Lost, value.text()) } else { value };
    vec![
        Cell::Head(Styled::of(role, d.outcome.word())),
        Cell::Text(Styled::from(words::strength(d, e))),
        Cell::Text(value),
        Cell::Text(Styled::of(Role::Dim, d.place.as_ref().map_or_else(|| words::NOWHERE.into(), ToString::to_string))),
        reason(d, e),
    ]
}
