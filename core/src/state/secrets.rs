//! Finds the literals of secret fields in the texts of a session.
//!
//! `{ password | secret }` may be in one file and `password: x7` in another one, of another language, that a merge puts
//! together. Whether both are one field is known only after evaluation, but a report about a type, or about syntax, is
//! shown before. Therefore a name that is marked as secret anywhere in the session is secret in all of its texts.

use super::files::File;
use super::{InFile, World, unread};
use crate::dialect::{Dialect, StdNames};
use crate::problem::report::Report;
use crate::problem::syntax::{SyntaxKind, SyntaxProblem};
use crate::problem::{Problem, ProblemKind, Severity};
use crate::styled::Role;
use crate::term::Term;
use crate::term::secrets::Content;
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, SourceId, Sources, Span};
use crate::value::datum::Datum;
use crate::value::secret::secret;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The names of secret fields, and the texts in which they are hidden.
#[derive(Default)]
pub(crate) struct SecretTexts {
    names: FxHashSet<Name>,
    /// The texts that were read, with their languages.
    texts: FxHashMap<SourceId, (Dialect, Form)>,
    /// The number of texts at which those that were dropped are removed.
    full: usize,
    /// Whether secrets are shown.
    pub revealed: bool,
}

impl SecretTexts {
    /// Masks a value at a path if a field on the path has the name of a secret field, otherwise such fields in it. For values
    /// of single layers, which do not know that another layer marks the field. A conflict is not a value, and stays.
    pub fn hide_at(&self, path: &FieldPath, datum: &mut Datum) {
        let is_secret = |step: &Step| matches!(step, Step::Field(name) if self.names.contains(name));
        if self.names.is_empty() {
            return;
        }
        match path.steps.iter().any(is_secret) {
            true => *datum = secret(std::mem::replace(datum, Datum::Secret)),
            false => self.hide_fields(datum),
        }
    }

    /// Masks the fields of a value that have the name of a secret field. Does not recurse.
    pub fn hide_fields(&self, datum: &mut Datum) {
        let mut work = vec![datum];
        while let (Some(part), false) = (work.pop(), self.names.is_empty()) {
            match part {
                Datum::Array(items) => work.extend(items),
                Datum::Variant(_, argument) => work.push(argument),
                Datum::Record(entries) => {
                    for entry in entries {
                        match &mut entry.value {
                            Some(value) if self.names.contains(&entry.name) => {
                                *value = secret(std::mem::replace(value, Datum::Secret))
                            }
                            Some(value) => work.push(value),
                            None => {}
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

/// The files whose contents are values of secret fields: `token | secret = import "token.json"`.
#[derive(Default)]
pub(crate) struct SecretFiles {
    /// The places of the imports in secret fields.
    imports: FxHashSet<Span>,
    /// The canonical paths of the imported files.
    paths: FxHashSet<PathBuf>,
    /// The texts of these files. What they import is secret too.
    texts: FxHashSet<SourceId>,
}

/// The form in which a text was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// A file or an expression.
    Program,
    /// An input of the session.
    Cell,
}

impl World {
    /// Hides the literals of secret fields in a text that was read, and in all other texts those of fields that it is the
    /// first to mark. `O(program)`; if it marks a new name, also the texts that contain the name are read again. In a text
    /// with syntax errors, hides everything that may be the value of a secret field.
    pub fn hide_secrets<'t>(
        &self,
        source: SourceId,
        read: (Dialect, Form),
        terms: impl Iterator<Item = &'t Arc<Term>> + Clone,
        problems: &[Problem],
    ) {
        let mut secrets = self.secrets.borrow_mut();
        if secrets.revealed {
            return;
        }
        let mut new: Vec<Name> = Vec::new();
        let mut mark = |names: &mut FxHashSet<Name>, name: &Name| {
            if names.insert(name.clone()) {
                new.push(name.clone());
            }
        };
        terms.clone().flat_map(|term| term.secret_names()).for_each(|name| mark(&mut secrets.names, name));
        if problems.iter().any(|problem| matches!(problem.kind, ProblemKind::Syntax(_))) {
            let names = is_incomplete(problems).then_some(&secrets.names);
            let marked = self.hide_unread(source, read.0, names);
            marked.iter().for_each(|name| mark(&mut secrets.names, name));
        }
        if !secrets.names.is_empty() {
            terms.for_each(|term| self.hide_literals(term, &secrets.names));
            self.hide_variables(source, read.0, &secrets.names);
        }
        self.hide_quoted(problems);
        if secrets.texts.len() >= secrets.full.max(64)
            && let Ok(sources) = self.sources.try_borrow()
        {
            secrets.texts.retain(|source, _| sources.get(*source).is_some());
            secrets.full = 2 * secrets.texts.len();
            let mut files = self.secret_files.borrow_mut();
            files.imports.retain(|import| sources.get(import.source).is_some());
            files.texts.retain(|source| sources.get(*source).is_some());
        }
        secrets.texts.insert(source, read);
        if new.is_empty() {
            return;
        }
        // Reading a text may read other files.
        let names = secrets.names.clone();
        let mut others: Vec<_> = secrets.texts.iter().map(|(other, read)| (*other, *read)).collect();
        drop(secrets);
        others.retain(|(other, _)| *other != source);
        others.into_iter().for_each(|(other, read)| self.hide_again(other, read, &new, &names));
    }

    /// Returns whether a name or a path contains the name of a secret field.
    pub fn is_secret_name(&self, path: &str) -> bool {
        let secrets = self.secrets.borrow();
        !secrets.revealed && path.split('.').any(|part| secrets.names.contains(part.trim_matches('"')))
    }

    /// Returns whether a list of assignments, `a=1, b.c=2`, has one for a secret field. Finds more rather than less.
    pub fn names_secret(&self, assignments: &str) -> bool {
        let mut parts = assignments.split(['=', ',', ' ', ':', '{']);
        parts.any(|part| self.is_secret_name(part))
    }

    /// Hides a value that is assigned to a secret field, and what messages about it quote. Returns whether the field is secret.
    pub fn hide_assigned(&self, path: &FieldPath, value: Span, problems: &[Problem]) -> bool {
        let is_secret = {
            let secrets = self.secrets.borrow();
            let is_secret = |step: &Step| matches!(step, Step::Field(name) if secrets.names.contains(name));
            !secrets.revealed && path.steps.iter().any(is_secret)
        };
        if is_secret {
            self.hide_range(value, problems);
        }
        is_secret
    }

    /// Hides a part of a text, and what messages about it quote.
    pub fn hide_range(&self, part: Span, problems: &[Problem]) {
        if self.secrets.borrow().revealed {
            return;
        }
        if let Ok(mut sources) = self.sources.try_borrow_mut() {
            sources.mark_secret(part.source, std::iter::once(part.start as usize..part.end as usize));
        }
        self.hide_quoted(problems);
    }

    /// Reads a text again if it contains one of the `new` names.
    fn hide_again(&self, source: SourceId, read: (Dialect, Form), new: &[Name], names: &FxHashSet<Name>) {
        let Some(text) = self.sources.try_borrow().ok().and_then(|all| all.get(source).map(|own| own.text.clone()))
        else {
            return;
        };
        self.hide_variables(source, read.0, names);
        if !new.iter().any(|name| text.contains(name.as_str())) {
            return;
        }
        let text = super::input::without_command(&text);
        let problems = match read {
            (dialect, Form::Program) => {
                let tables = self.tables_of(dialect, source);
                let program =
                    dialect.program(source, &text, &InFile(self.languages.get(), self.interrupt.stop(), &tables));
                self.hide_literals(&program.term, names);
                program.problems
            }
            (dialect, Form::Cell) => {
                let cell = dialect.cell(source, &super::input::blanked(&text), &StdNames);
                cell.items.iter().for_each(|item| self.hide_literals(item.term(), names));
                cell.problems
            }
        };
        if is_incomplete(&problems) {
            self.hide_unread(source, read.0, Some(names));
        }
        self.hide_quoted(&problems);
    }

    /// Hides what the messages about syntax quote of a secret: ``unexpected `x7` ``. An answer may contain the message
    /// without its place, for example as the reason why a field has no value. `O(messages * secrets at their places)`.
    fn hide_quoted(&self, problems: &[Problem]) {
        let Ok(mut sources) = self.sources.try_borrow_mut() else { return };
        if !sources.has_secrets() {
            return;
        }
        // the notation is that of types, and messages about syntax contain none
        let notation = self.languages.get().standard().notation();
        for problem in problems.iter().filter(|problem| matches!(problem.kind, ProblemKind::Syntax(_))) {
            let report = Report::of(problem, notation);
            let Some(place) = report.labels.first().map(|label| label.span) else { continue };
            let labels = report.labels.iter().map(|label| &label.text);
            for text in labels.chain(&report.notes).chain(&report.suggestions).chain([&report.message]) {
                for quoted in sources.quoted_at(place, text) {
                    sources.add_secret_literal(quoted, false);
                }
            }
        }
    }

    /// Hides what may be the value of a secret field in a text with errors. Returns the names that the text marks. Without
    /// `names` the text has no syntax errors, and only misspelt marks count. `O(text * names)`.
    fn hide_unread(&self, source: SourceId, dialect: Dialect, names: Option<&FxHashSet<Name>>) -> Vec<Name> {
        let Ok(mut sources) = self.sources.try_borrow_mut() else { return Vec::new() };
        let Some(text) = sources.get(source).map(|own| own.text.clone()) else { return Vec::new() };
        let quoted = if dialect.has_cells() {
            let quotes = |(_, role): &(_, Role)| matches!(role, Role::String | Role::Comment);
            dialect.highlight(&text).into_iter().filter(quotes).map(|(range, _)| range).collect()
        } else {
            unread::strings(&text)
        };
        let (marked, ranges) = unread::secrets(&text, &quoted, names);
        sources.mark_secret(source, ranges.into_iter());
        marked
    }

    /// Hides the values of secret variables in a `.env` text, also of those that its terms lack: a line with a mistake, and a
    /// definition that a later one replaces.
    fn hide_variables(&self, source: SourceId, dialect: Dialect, names: &FxHashSet<Name>) {
        if dialect.0.variable.is_none() {
            return;
        }
        let Ok(mut sources) = self.sources.try_borrow_mut() else { return };
        if let Some(text) = sources.get(source).map(|own| own.text.clone()) {
            sources.mark_secret(source, unread::variables(&text, names).into_iter());
        }
    }

    fn hide_literals(&self, term: &Term, names: &FxHashSet<Name>) {
        let literals = term.secret_literals(&|name| names.contains(name));
        if literals.is_empty() {
            return;
        }
        // A parser may run while a report borrows the texts; the texts that it parses then are not shown.
        let Ok(mut sources) = self.sources.try_borrow_mut() else { return };
        for literal in literals {
            if let Content::File = literal.content {
                self.secret_files.borrow_mut().imports.extend(literal.spans);
                continue;
            }
            for span in literal.spans {
                sources.mark_secret(span.source, std::iter::once(span.start as usize..span.end as usize));
            }
            hide_content(&mut sources, literal.content);
        }
    }

    /// Hides the whole text of a file if a secret field imports it at a place. `O(1)` if it is hidden already.
    pub fn hide_imported(&self, file: &File, import: Span) {
        {
            let mut files = self.secret_files.borrow_mut();
            let is_secret = files.imports.contains(&import) || files.texts.contains(&import.source);
            if !is_secret || !files.texts.insert(file.source) {
                return;
            }
            files.paths.insert(file.key.path.clone());
        }
        self.hide_text(file.source);
        if let Ok(mut sources) = self.sources.try_borrow_mut() {
            file.term.contents().for_each(|content| hide_content(&mut sources, content));
        }
        self.hide_quoted(&file.problems);
    }

    /// Returns a problem of a file as it may be shown: without what it quotes, if the whole file is a secret.
    pub fn shown_problem(&self, file: &File, problem: &Problem) -> Problem {
        let files = self.secret_files.borrow();
        let is_secret = files.texts.contains(&file.source) || files.paths.contains(&file.key.path);
        match &problem.kind {
            ProblemKind::Syntax(syntax) if is_secret => {
                let kind = SyntaxProblem { span: syntax.span, what: SyntaxKind::Secret }.into();
                Problem { severity: problem.severity, kind }
            }
            _ => problem.clone(),
        }
    }

    /// Hides the whole text of a file that is read again, if it was secret before.
    pub fn hide_again_imported(&self, path: &Path, source: SourceId, problems: &[Problem]) {
        let is_secret = self.secret_files.borrow().paths.contains(path);
        if is_secret {
            self.hide_text(source);
            self.hide_quoted(problems);
        }
    }

    /// Hides a whole text.
    pub fn hide_text(&self, source: SourceId) {
        let Ok(mut sources) = self.sources.try_borrow_mut() else { return };
        if let Some(length) = sources.get(source).map(|own| own.text.len()) {
            sources.mark_secret(source, std::iter::once(0..length));
        }
    }
}

fn hide_content(sources: &mut Sources, content: Content) {
    match content {
        Content::Text(text) => sources.add_secret_literal(text, false),
        Content::Tag(tag) => sources.add_secret_literal(tag, true),
        Content::Other | Content::File => {}
    }
}

/// Returns whether a text has a syntax error, so that its terms do not contain all of it, or an unbound name, which may be a text whose
/// quotes are missing.
fn is_incomplete(problems: &[Problem]) -> bool {
    let is_syntax = |problem: &Problem| matches!(problem.kind, ProblemKind::Syntax(_));
    let is_error = |problem: &Problem| problem.severity == Severity::Error;
    let is_text = |code: &str| !code.starts_with("scope/") || code == "scope/unbound";
    problems.iter().any(|problem| is_syntax(problem) && is_error(problem) && is_text(problem.code()))
}
