//! Stages as HTML: a disclosure element for each.

use super::Stages;
use super::text::failure;
use crate::answer::Renderer;
use crate::styled::{Role, Styled};
use crate::view::html::Html;

/// Writes the stages. A single one is open.
pub fn html(stages: &Stages, to: &Renderer<'_>, out: &mut Html) {
    for (stage, made) in &stages.0 {
        let open = stages.0.len() == 1 || made.is_err();
        out.details(open, &Styled::of(Role::Heading, stage.name()), |html| match made {
            Ok(answer) => answer.html(to, html),
            Err(problem) => {
                html.paragraph(&failure(problem, to));
            }
        });
    }
}
