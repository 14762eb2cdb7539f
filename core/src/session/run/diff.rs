//! `cfg diff`: compares two files, or two sets of layers.
//!
//! Documents are matched by kind, namespace and name, and elements of lists by their names. Errors have exit code 2,
//! because 1 says that the sides differ.

use super::layers::LayerOrigin;
use super::secrets::SecretNames;
use super::{CALL, Run};
use crate::answer::Hints;
use crate::answer::diff::{self, files::FilesDiff};
use crate::meta::Priority;
use crate::problem::Severity;
use crate::session::request::{DiffLayout, Input, Request};
use crate::state::files::{File, Form};
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
        let mut path = self.path(at)?;
        let (before, after) = request.inputs.split_at(left.min(request.inputs.len()));
        let mut names = Vec::with_capacity(2);
        let mut terms: Vec<Arc<Term>> = Vec::with_capacity(2);
        for (inputs, others) in [(before, after), (after, before)] {
            let side = Request { inputs: inputs.to_vec(), ..request.clone() };
            // a key that is almost a secret field of the other side is meant as that field
            let mut secret_names = SecretNames::default();
            let files = others.iter().filter_map(|input| self.files_of(input, request)).flatten();
            files.for_each(|file| secret_names.add(file.term.clone()));
            let merged = self.merged_over(&side, inputs.len() > 1, secret_names)?;
            terms.push(merged.term);
            names.push(inputs.iter().map(|input| input.name()).collect::<Vec<_>>().join(" "));
        }
        let [before, after] = terms.try_into().ok()?;
        self.respell(&mut path);
        let path = path.steps;
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
        let (differs, whole) = (!found.changes.is_empty(), found.complete);
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
    /// each input has an identity of its own. Variables have no documents.
    fn identifies(&mut self, request: &Request) -> bool {
        let mut files: Vec<Rc<File>> = Vec::with_capacity(request.inputs.len());
        for input in &request.inputs {
            match self.files_of(input, request) {
                Some(found) => files.extend(found),
                None => return false,
            }
        }
        let identified = files.iter().any(|file| self.elements(file).is_some())
            && files.iter().all(|file| self.has_identities(file));
        if !identified {
            files.iter().for_each(|file| self.report_twice_in(file));
        }
        identified
    }

    /// Returns the files of an input, those of its layers for a stack. `None` if one cannot be read, which is reported when
    /// the side is read.
    fn files_of(&mut self, input: &Input, request: &Request) -> Option<Vec<Rc<File>>> {
        if !matches!(input, Input::Stack(_)) {
            let file = self.found(input, request.dialect)?;
            let is_variables = matches!(file.key.form, Form::Program(dialect) if dialect.0.variable.is_some());
            return Some(if is_variables { Vec::new() } else { vec![file] });
        }
        let one = Request { inputs: vec![input.clone()], ..request.clone() };
        let (outcome, said) = (std::mem::take(&mut self.outcome), std::mem::take(&mut self.said));
        let layers = self.layers(&one, true);
        (self.outcome, self.said) = (outcome, said);
        let layers = layers?.all.into_iter().filter(|layer| layer.origin == LayerOrigin::File);
        Some(layers.map(|layer| layer.file).collect())
    }
}
