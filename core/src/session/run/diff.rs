//! `cfg diff`: compares two files, or two sets of layers.
//!
//! Documents are matched by kind, namespace and name, and elements of lists by their names. Errors have exit code 2,
//! because 1 says that the sides differ.

use super::{CALL, Run};
use crate::answer::Hints;
use crate::answer::diff::{self, files::FilesDiff};
use crate::meta::Priority;
use crate::problem::Severity;
use crate::session::request::{DiffLayout, Request};
use crate::state::files::File;
use crate::styled::Styled;
use crate::term::Term;
use crate::view::Medium;
use std::rc::Rc;
use std::sync::Arc;

impl Run<'_> {
    /// Compares the first `left` inputs with the others, and prints the differences.
    pub(super) fn diff(&mut self, request: &Request, left: usize, at: Option<&str>, layout: DiffLayout) {
        let differs = self.compared(request, left, at, layout);
        self.outcome.exit = match differs {
            Some(differs) if self.outcome.exit == 0 => u8::from(differs),
            _ => CALL,
        };
    }

    /// Prints the differences. Returns whether there are any, or `None` after an error.
    fn compared(&mut self, request: &Request, left: usize, at: Option<&str>, layout: DiffLayout) -> Option<bool> {
        self.identified = self.identifies(request);
        let path = self.path(at)?.steps;
        let (before, after) = request.inputs.split_at(left.min(request.inputs.len()));
        let mut names = Vec::with_capacity(2);
        let mut terms: Vec<Arc<Term>> = Vec::with_capacity(2);
        for inputs in [before, after] {
            let side = Request { inputs: inputs.to_vec(), ..request.clone() };
            let merged = self.merged(&side, inputs.len() > 1)?;
            terms.push(merged.term);
            names.push(inputs.iter().map(|input| input.name()).collect::<Vec<_>>().join(" "));
        }
        let [before, after] = terms.try_into().ok()?;
        let found = match diff::of_terms(&mut self.session.workspace, [&before, &after], &path) {
            Ok(found) => found,
            Err(problem) => {
                self.fail(&problem);
                return None;
            }
        };
        let mut found = found;
        let sides = found.changes.iter_mut().flat_map(|change| [&mut change.left, &mut change.right]).flatten();
        for side in sides.filter(|side| matches!(side.priority, Priority::Layer(_))) {
            // the place of a definition says which layer it is in
            side.priority = Priority::Normal;
        }
        let (differs, whole) = (!found.changes.is_empty(), found.whole);
        let names = names.try_into().ok()?;
        let medium = if layout == DiffLayout::Json { Medium::Json } else { Medium::Text };
        let answer = FilesDiff { found, names, side_by_side: layout == DiffLayout::SideBySide };
        self.print(Ok(Box::new(answer)), medium, Hints::default());
        if !differs && !whole {
            let report =
                Styled::from("error: the values are too large to be compared whole, and no difference was found");
            self.outcome.reports.push((Severity::Error, report));
            return None;
        }
        Some(differs)
    }

    /// Returns whether documents are matched by their identities: an input has several documents, and each document of
    /// each input has an identity of its own.
    fn identifies(&mut self, request: &Request) -> bool {
        let mut files: Vec<Rc<File>> = Vec::with_capacity(request.inputs.len());
        for input in &request.inputs {
            // problems are reported when the side is read
            match self.found(input, request.dialect) {
                Some(file) => files.push(file),
                None => return false,
            }
        }
        files.iter().any(|file| self.elements(file).is_some()) && files.iter().all(|file| self.has_identities(file))
    }
}
