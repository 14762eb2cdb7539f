//! Secrets in layers: a key that is almost the name of a secret field of a lower layer, and a text in place of a record with secret fields, are secret
//! too. The user meant the secret field, or the record that holds it.

use super::Run;
use super::layers::{Layer, LayerOrigin};
use crate::problem::Problem;
use crate::problem::session::{SessionKind, SessionProblem};
use crate::state::files::{self, File};
use crate::state::secrets::Form;
use crate::term::{Node, Term};
use crate::text::{Name, Span, is_misspelt};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Maximum number of secret names that the names of a layer are compared with.
const COMPARED: usize = 64;

/// The names in the lower layers, as far as secrets depend on them.
#[derive(Default)]
pub(super) struct SecretNames {
    /// The names of secret fields.
    secret: FxHashSet<Name>,
    /// The names of fields with records that have secret fields.
    holders: FxHashSet<Name>,
    /// The names of all fields.
    known: FxHashSet<Name>,
    /// The layers whose names were not read yet.
    below: Vec<Arc<Term>>,
    /// Whether names were found to be meant as one of them.
    meant: FxHashMap<Name, bool>,
}

impl SecretNames {
    /// Adds a layer below, or a contract. What it says is read once something is secret.
    pub(super) fn add(&mut self, term: Arc<Term>) {
        self.secret.extend(term.secret_names().cloned());
        self.below.push(term);
    }

    /// Reads the names of the layers below, if something is secret.
    fn has_secrets(&mut self) -> bool {
        if !self.secret.is_empty() {
            for term in std::mem::take(&mut self.below) {
                self.holders.extend(term.secret_holders().into_iter().cloned());
                self.known.extend(term.field_names().cloned());
                self.meant.clear();
            }
        }
        !self.secret.is_empty()
    }

    /// Whether a field of a layer is secret. `has_records`: its value is a record, or an array of records.
    fn is_secret(&mut self, name: &Name, has_records: bool) -> bool {
        if self.holders.contains(name) {
            return !has_records;
        }
        if self.known.contains(name) {
            return false;
        }
        if let Some(known) = self.meant.get(name) {
            return *known;
        }
        let all = self.secret.iter().chain(&self.holders).take(COMPARED);
        let meant = all.into_iter().any(|other| is_meant(name, other));
        self.meant.insert(name.clone(), meant);
        meant
    }
}

/// Whether a name is probably meant as another one, or as a path or a variable that ends with it: `pasword`, `db.password`, `DB_PASSWORD`.
fn is_meant(name: &str, other: &str) -> bool {
    let is_other = |part: &str| part.len() < name.len() && part.to_lowercase() == other.to_lowercase();
    let last = name.rsplit(['.', ':', '/', '_', '-']).next().unwrap_or(name);
    is_misspelt(name, other)
        || has_more_letters(name, other)
        || is_other(last)
        || name.split(['.', ':', '/']).any(is_other)
}

/// Whether a name is a short one with one or two more letters behind its first: `pww`, `pwd` and `pasw` for `pw`. Names so short are not
/// misspelt elsewhere.
fn has_more_letters(name: &str, other: &str) -> bool {
    let mut rest = name.chars();
    let length = other.chars().count();
    let more = name.chars().count().saturating_sub(length);
    (2..=3).contains(&length)
        && (1..=2).contains(&more)
        && name.chars().next() == other.chars().next()
        && other.chars().all(|wanted| rest.any(|letter| letter == wanted))
}

impl Run<'_> {
    /// Hides a file that is one text over secrets, before something about it is reported.
    pub(super) fn hide_over(&self, below: &[Layer], file: &File) {
        let has_secrets = || below.iter().any(|layer| layer.file.term.secret_names().next().is_some());
        if matches!(file.term.node(file.term.root), Node::Str(_)) && has_secrets() {
            self.session.world.hide_text(file.source);
        }
    }

    /// Hides the values that a stack with mistakes sets.
    pub(super) fn hide_set(&self, file: &File) {
        let Some(text) = self.session.workspace.text_of(file.source) else { return };
        let mut at = 0;
        let mut in_set = false;
        for line in text.split_inclusive('\n') {
            let begins = line.trim_start();
            in_set = match begins.strip_prefix('[') {
                Some(header) => header.trim_start().starts_with("set"),
                None => in_set || begins.starts_with("set"),
            };
            if let Some(value) = line.find(['=', ':']).filter(|_| in_set) {
                let span = Span::new(file.source, at + value + 1, at + line.trim_end().len());
                self.session.world.hide_range(span, &file.problems);
            }
            at += line.len();
        }
    }

    /// Reports a layer over secrets that is one text: it may hold one of them.
    pub(super) fn check_text(&mut self, layer: &Layer, term: &Term) -> Option<()> {
        if layer.origin != LayerOrigin::File || !matches!(term.node(term.root), Node::Str(_)) {
            return Some(());
        }
        self.session.world.hide_text(layer.file.source);
        let what = SessionKind::TextLayer { path: layer.file.name.clone() };
        self.fail(&Problem::error(SessionProblem { span: Some(term.span(term.root)), what }));
        None
    }

    /// Marks the secrets of a layer that its lower layers tell. `None` if the layer is one text that may hold a secret, which is reported.
    pub(super) fn with_secrets(
        &mut self,
        layer: &Layer,
        names: &mut SecretNames,
        terms: Vec<Arc<Term>>,
    ) -> Option<Vec<Arc<Term>>> {
        let mut out = Vec::with_capacity(terms.len());
        for term in terms {
            if !names.has_secrets() {
                out.push(term);
                continue;
            }
            self.check_text(layer, &term)?;
            // it says itself which of its fields are secret
            if term.secret_names().next().is_some() {
                out.push(term);
                continue;
            }
            // the elements of a list that replaces a record are meant as that record
            let is_list = matches!(term.node(term.root), Node::Array(_)) && layer.origin == LayerOrigin::File;
            let mut is_secret = |name: &Name, has_records: bool| {
                is_list && names.secret.contains(name) || names.is_secret(name, has_records)
            };
            let marked = term.with_secrets(&mut is_secret);
            let shared = marked.as_ref().unwrap_or(&term).with_secret_origins(&|name| names.secret.contains(name));
            out.push(match shared.or(marked) {
                Some(marked) => {
                    let marked = Arc::new(marked);
                    let language = match layer.file.key.form {
                        files::Form::Program(language) => language,
                        _ => self.session.languages().standard(),
                    };
                    let read = (language, Form::Program);
                    self.session.world.hide_secrets(layer.file.source, read, std::iter::once(&marked), &[]);
                    marked
                }
                None => term,
            });
        }
        out.iter().for_each(|term| names.add(term.clone()));
        Some(out)
    }
}
