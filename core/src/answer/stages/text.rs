//! Stages as text: a heading and an indented answer for each.

use super::Stages;
use crate::answer::Renderer;
use crate::problem::Problem;
use crate::problem::report::Report;
use crate::styled::{Role, Styled};

/// Renders the stages, without a line end after the last line.
pub fn text(stages: &Stages, to: &Renderer<'_>) -> Styled {
    let mut out = Styled::new();
    let narrow = Renderer { page: to.page.map(|page| page.saturating_sub(2).max(20)), ..*to };
    for (stage, made) in &stages.0 {
        if !out.is_empty() {
            out.plain("\n");
        }
        out.push(Role::Heading, stage.name());
        let made = match made {
            Ok(answer) => answer.text(&narrow),
            Err(problem) => failure(problem, to),
        };
        out.plain("\n");
        indented(&made, &mut out);
    }
    out
}

/// Appends a text with its lines indented. Empty lines stay empty.
fn indented(text: &Styled, out: &mut Styled) {
    let mut begins = true;
    for (role, run) in text.runs() {
        for piece in run.split_inclusive('\n') {
            if begins && piece != "\n" {
                out.plain("  ");
            }
            out.push(*role, piece);
            begins = piece.ends_with('\n');
        }
    }
}

/// Returns the message of a stage that failed.
pub fn failure(problem: &Problem, to: &Renderer<'_>) -> Styled {
    let report = Report::of(problem, to.dialect.notation());
    Styled::of(Role::Error, format!("{} [{}]", report.message, report.code))
}
