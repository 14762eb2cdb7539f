//! Parses a term of the session again, from an edited text.

use super::environment::rename;
use super::files::Form;
use super::input::blanked;
use super::input::without_command;
use super::{InFile, Workspace};
use crate::dialect::{CellItem, Names};
use crate::problem::{Problem, Severity};
use crate::term::Term;
use crate::text::{Name, Span};
use std::sync::Arc;

/// Parsing edited texts.
impl Workspace {
    /// Parses a term again, from another text for its source. `None` if the text has errors or no longer contains the term.
    /// O(text).
    pub(crate) fn read_again(&self, old: &Term, text: &str) -> Option<Arc<Term>> {
        let source = old.span(old.root).source;
        let file = self.world.state.inputs.files.borrow().values().find(|file| file.source == source).cloned();
        // the argument of a command has the name of the command
        let input = self.world.sources.borrow().get(source)?.name.starts_with(['<', ':']);
        if let Some(Form::Program(dialect)) = file.as_ref().map(|file| file.key.form) {
            let program = dialect.program(
                source,
                text,
                &InFile(self.languages(), self.world.stop(), &self.world.tables_of(dialect, source)),
            );
            return clean(&program.problems).then_some(program.term);
        }
        let dialect = self.dialect_of(source)?;
        let before = self.world.sources.borrow().get(source)?.text.clone();
        let mut term = if input {
            // an expression, or the argument of a command
            let program = dialect.program(source, &without_command(text), &*self.world);
            clean(&program.problems).then_some(program.term)?
        } else {
            let was = dialect.cell(source, &blanked(&before), &*self.world);
            let now = dialect.cell(source, &blanked(text), &*self.world);
            let root = old.span(old.root);
            let place = was.items.iter().position(|item| term_of(item).span(term_of(item).root) == root)?;
            if let (Some(sign), [.., last], 1, 2) =
                (old.rules.variable, now.items.as_slice(), was.items.len(), now.items.len())
            {
                // a definition of its own precedes the statement or the expression: both are statements of a program
                let term = term_of(last);
                let at = term.span(term.root).start as usize;
                let named = [text.get(..at)?, &format!("{sign}result = "), text.get(at..)?].concat();
                let read = |text: &str| dialect.program(source, &blanked(text), &*self.world);
                let program = [text, &named].into_iter().map(read).find(|program| clean(&program.problems))?;
                return Some(program.term);
            }
            (clean(&now.problems) && was.items.len() == now.items.len()).then_some(())?;
            match now.items.into_iter().nth(place)? {
                CellItem::Bind { term, .. } | CellItem::Expr(term) => term,
            }
        };
        // predecessors and results are read by their keys, as before
        let keys: Vec<Name> = old.globals.iter().map(|(name, _)| name.clone()).collect();
        let known = |used: &Name| keys.contains(used);
        rename(&mut term, |used| {
            let key = keys.iter().find(|key| key.split('@').next() == Some(used.as_str()) && key.contains('@'));
            if known(used) { None } else { key.cloned() }
        });
        Some(term)
    }
}

impl Workspace {
    /// Parses a text that was read before, and returns the program, expression or definition around a place. O(length).
    pub(crate) fn program_at(&self, at: Span, text: &str) -> Option<Arc<Term>> {
        let source = at.source;
        let file = self.world.state.inputs.files.borrow().values().find(|file| file.source == source).cloned();
        if let Some(file) = file {
            return Some(file.term.clone());
        }
        let input = self.world.sources.borrow().get(source)?.name.starts_with('<');
        if input || text.trim_start().starts_with(':') {
            let dialect = self.dialect_of(source)?;
            let program = dialect.program(source, &without_command(text), &*self.world);
            return clean(&program.problems).then_some(program.term);
        }
        let cell = self.dialect_of(source)?.cell(source, &blanked(text), &*self.world);
        let inside = |term: &&Arc<Term>| {
            let span = term.span(term.root);
            span.start <= at.start && at.end <= span.end
        };
        clean(&cell.problems).then_some(())?;
        cell.items.iter().map(term_of).find(inside).cloned()
    }
}

fn clean(problems: &[Problem]) -> bool {
    problems.iter().all(|p| p.severity != Severity::Error)
}

fn term_of(item: &CellItem) -> &Arc<Term> {
    match item {
        CellItem::Bind { term, .. } | CellItem::Expr(term) => term,
    }
}
