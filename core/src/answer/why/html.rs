//! The explanation of a type as HTML: the numbered steps with their texts, and the other steps in collapsible tables.

use super::text::{EXCERPT, further, how, meeting, sources, unknown};
use super::{Side, WhyAnswer, WhyStep};
use crate::answer::Renderer;
use crate::styled::{Role, Styled};
use crate::view::html::{Cell, Html};
use crate::view::rich::snippet::snippet;

/// Writes an answer.
pub fn html(why: &WhyAnswer, to: &Renderer<'_>, out: &mut Html) {
    let title = to.sentence(why);
    out.heading(2, &title);
    let numbered = sources(why);
    let row = |at: usize, step: &WhyStep| {
        let number = numbered.iter().position(|n| *n == at).map(|n| (n + 1).to_string()).unwrap_or_default();
        vec![
            Cell::Head(Styled::from(number)),
            Cell::Text(Styled::from(to.excerpt(step.span)).cut(200)),
            Cell::Prose(to.statement(&step.statement)),
            Cell::Text(Styled::of(Role::Dim, to.sources.locate(step.at))),
        ]
    };
    for (number, step) in numbered.iter().enumerate().filter_map(|(n, at)| Some((n + 1, why.steps.get(*at)?))) {
        let mut line = Styled::of(Role::Heading, number.to_string());
        line.plain("  ");
        line.append(&to.statement(&step.statement));
        line.push(Role::Dim, format!("  {}", to.sources.locate(step.at)));
        out.paragraph(&line);
        snippet(step.span, 0, to.sources, out);
    }
    if why.steps.is_empty() {
        out.paragraph(&Styled::from("no part of the program decides this type"));
    }
    if let Some(meets) = &why.meets {
        out.element("p", |html| {
            html.prose(&Styled::from(format!("{}: ", meeting(why, &numbered, meets))));
            html.element("code", |html| {
                html.styled(&Styled::from(to.excerpt(meets.span)).cut(EXCERPT));
            });
            html.styled(&Styled::of(Role::Dim, format!("  {}", to.sources.locate(meets.span))));
        });
    }
    for side in [Side::Found, Side::Wanted] {
        let rows: Vec<Vec<Cell>> =
            further(why, side, &numbered, to).filter_map(|at| Some(row(at, why.steps.get(at)?))).collect();
        if further(why, side, &numbered, to).any(|at| !numbered.contains(&at)) {
            out.details(false, &Styled::from(how(why, side, to).replace('`', "")), |html| {
                html.table(&["", "what", "says", "where"], rows);
            });
        }
    }
    if let Some(reason) = unknown(why, to) {
        out.paragraph(&reason);
    }
    if let Some(fix) = &why.fix {
        let mut line = Styled::of(Role::Note, "nearest fix");
        line.plain(": ");
        line.push(Role::Dim, to.sources.locate(fix.span));
        line.plain("  ");
        line.push(Role::Lost, &fix.was);
        line.push(Role::Operator, " -> ");
        line.push(Role::Wins, &fix.now);
        out.paragraph(&line);
    }
}
