//! The advice of reports about a file that is written in another language than its name says.

use super::Session;
use super::prompt_advice::MOST;
use crate::problem::report::Report;
use crate::problem::types::{TypeProblem, TypesKind};
use crate::problem::{Problem, Severity};
use crate::text::SourceId;
use crate::ty::{Tag, Ty};
use std::path::Path;

/// The beginning of the advice about a file that may be data.
const OTHER_FORMAT: &str = "if all of the file is written so";
/// The beginnings of the advice about a file that is not one expression.
const ONE_EXPRESSION: &str = "a file is one expression";

impl Session {
    /// Replaces the advice about the ending of a file's name by the ending of a language that reads the whole file. Removes it if
    /// there is none.
    pub(super) fn advise_about_format(&self, problem: &Problem, report: &mut Report) {
        let is_syntax = problem.code().starts_with("syntax/");
        let is_general = |advice: &String| advice.starts_with(OTHER_FORMAT);
        if !is_syntax && !report.suggestions.iter().any(is_general) {
            return;
        }
        let Some(source) = problem.span().map(|span| span.source) else { return };
        if self.world.path_of(source).is_none() {
            return;
        }
        report.suggestions.retain(|advice| !is_general(advice));
        let known = self.file_format.borrow().clone().filter(|(of, _)| *of == source);
        let advice = known.unwrap_or_else(|| (source, self.format_of(source))).1;
        self.file_format.replace(Some((source, advice.clone())));
        let has_lines = || self.world.text_of(source).is_some_and(|text| text.trim().contains('\n'));
        if let Some(advice) = advice.filter(|_| !is_syntax || has_lines()) {
            report.suggestions.retain(|advice| !advice.starts_with(ONE_EXPRESSION));
            report.suggestions.push(advice);
        }
    }

    /// Returns the advice about a file that another language reads without an error.
    fn format_of(&self, source: SourceId) -> Option<String> {
        let text = self.world.text_of(source).filter(|text| text.len() <= MOST)?;
        let is_read = |ending: &str| {
            let reader = self.languages().of_path(Path::new(&format!("x{ending}")))?;
            let source = self.world.add_input("<input>", &text, reader);
            let program = reader.program(source, &text, &*self.world);
            (!program.problems.iter().any(|problem| problem.severity == Severity::Error)).then_some(reader)
        };
        let is_bracketed = text.trim_start().starts_with(['{', '[']);
        let data = self.workspace.dialect_of(source).and_then(|language| self.pasted_format(language, &text));
        let (title, ending) = match data {
            Some(format) => (format.title, format.ending),
            None => {
                let data = if is_bracketed { is_read(".json") } else { None };
                let reader = data.or_else(|| self.reader(source, &text))?;
                (reader.0.title, *reader.0.endings.first()?)
            }
        };
        let ending = ending.trim_start_matches('.');
        let title = if title.is_empty() { ending.to_uppercase() } else { String::from(title) };
        Some(format!("all of the file reads as {title}: let its name end in `.{ending}`"))
    }

    /// Replaces the advice about a text in the place of a tag by the tag of this name.
    pub(super) fn tag_of_text(&self, types: &TypeProblem, report: &mut Report) {
        let TypesKind::Conflict(conflict) = &types.what else { return };
        let Ty::Enum(tags, _) = &*conflict.expected.ty else { return };
        let range = types.span.start as usize..types.span.end as usize;
        if self.world.sources.borrow().get(types.span.source).is_some_and(|source| source.overlaps_secret(range)) {
            return;
        }
        let written = self.workspace.text(types.span);
        let Some(name) = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { return };
        let is_tag = |tag: &Tag| tag.name == name && !tag.variant;
        if let Some(advice) = report.suggestions.iter_mut().find(|advice| *advice == crate::problem::report::TAG)
            && tags.keys().any(is_tag)
        {
            *advice = format!("write `'{name}`: a tag has a single quote before it, and no double quotes");
        }
    }
}
