//! Messages about an edit: the reports of the merge with the new value, and the reason why there is no edit.

use super::candidates::Target;
use super::place;
use crate::answer::fixes::Edit;
use crate::problem::Severity;
use crate::session::request::{Action, Format, Input, Request, SetKind, SetOption};
use crate::session::run::Run;
use crate::styled::Styled;
use crate::text::{Name, Span};
use std::path::PathBuf;
use std::rc::Rc;

impl Run<'_> {
    /// Returns the reports of the merge with an assignment over the files, as `--set` without `--in-place` makes them.
    pub(super) fn reports_with(
        &self,
        request: &Request,
        set: &str,
        texts: Vec<(PathBuf, String)>,
    ) -> Vec<(Severity, Styled)> {
        let mut session = self.session.replay(self.dialect).overlaid(texts);
        let action = Action::Merge { at: None, layers: request.layers(), format: Format::Json, explain: None };
        let mut request = Request { action, ..request.clone() };
        request.layering.sets.push(SetOption { kind: SetKind::Literal, text: String::from(set) });
        session.request = Some(Rc::new(request.clone()));
        let mut run = Run::new(&mut session, &request);
        if run.prepare(&request)
            && let Some(merged) = run.merged(&request, request.layers())
        {
            run.merge(&merged, None, (Format::Json, &request.options), None);
        }
        run.report_similar();
        run.mask(true);
        run.outcome.reports
    }

    /// Returns why no definition of a value can be changed, and what to do about it.
    pub(super) fn reason(&self, request: &Request, targets: &[Target], winner: Option<Span>) -> (String, Name) {
        let add = Name::new_static("add a file for the change, and merge it as the last of the `--layers`");
        let name = |span: Span| self.session.world.sources.borrow().get(span.source).map(|source| source.name.clone());
        let is_input = |input: &Input| matches!(input, Input::Text { name, .. } if name == "<stdin>");
        let is_text = winner.and_then(name).is_some_and(|name| &*name == "<stdin>");
        if is_text || request.inputs.iter().all(is_input) {
            let help = Name::new_static("to print the result instead, leave out `--in-place`");
            return (String::from("standard input is not a file that can be written"), help);
        }
        let computed = winner.filter(|span| {
            let target = targets.iter().find(|target| target.file().source == span.source);
            target.is_some_and(|target| !place::is_literal(&target.file().term, *span))
        });
        let why = match computed {
            Some(span) => {
                let place = self.session.world.sources.borrow().locate(span);
                format!("the value is computed at {place}")
            }
            None => String::from("no definition in the files can be changed so that the merge has this value"),
        };
        (why, add)
    }

    /// Returns a line for each place that an edit changes.
    pub(super) fn lines(&self, path: &str, word: &str, place: Span, edits: &[Edit]) -> String {
        let sources = self.session.world.sources.borrow();
        let mut lines = format!("{}  {path} {word}\n", sources.locate(place));
        for edit in edits.iter().filter(|edit| edit.span.source != place.source) {
            lines.push_str(&format!("{}  {path} {word}\n", sources.locate(edit.span)));
        }
        lines
    }
}
