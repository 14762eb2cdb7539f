//! Variables as layers: those of the environment with a prefix, and those of files.

use super::Run;
use super::layers::{Layer, LayerOrigin, Layers, no_such_document};
use crate::dialect::command_line;
use crate::meta::Priority;
use crate::problem::Problem;
use crate::problem::session::{SessionKind, SessionProblem, Slip};
use crate::state::files::File;
use crate::state::secrets;
use crate::term::build::Builder;
use crate::term::{FieldName, Node, Term};
use crate::text::path::{FieldPath, Step};
use crate::text::{Name, Span};
use crate::value::{Thunk, Value};
use indexmap::IndexSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The name of the text with the variables of the environment.
pub(super) const ENVIRONMENT: &str = "--env";
/// Maximum number of variables that a report names.
const NAMED: usize = 8;

impl Run<'_> {
    /// Adds the environment variables whose names begin with a prefix.
    pub(super) fn environment(&mut self, prefix: &str, layers: &mut Layers) -> Option<()> {
        if prefix.is_empty() {
            let why =
                Name::new_static("`--env` needs a prefix: `--env APP_` takes the variables that begin with `APP_`");
            return self.misassigned(SessionKind::BadAssignment { why });
        }
        let mut variables = self.session.world.loader.vars();
        variables.retain(|(name, _)| name.len() > prefix.len() && name.starts_with(prefix));
        variables.sort();
        // the prefix may be for the names of a `.env` file
        let is_in_file = |layer: &Layer| begins_with(&layer.file, prefix);
        let from_files = |layer: &&Layer| matches!(layer.origin, LayerOrigin::Environment(_));
        if variables.is_empty() && layers.all.iter().filter(from_files).any(is_in_file) {
            return Some(());
        }
        if variables.is_empty() {
            let what = SessionKind::NoVariables { prefix: Name::new(prefix) };
            self.report(&Problem::warning(SessionProblem { span: None, what }));
            return Some(());
        }
        let language = self.session.languages().of_environment();
        let text: String =
            variables.iter().filter_map(|(name, value)| Some(language.0.variable?(name, value))).collect();
        let file = self.session.world.text_file(ENVIRONMENT, text.as_bytes(), language).ok()?;
        self.parsed(self.dialect, &file).then(|| {
            layers.all.push(Layer { file, origin: LayerOrigin::Environment(String::from(prefix)) });
        })
    }

    /// Returns the records that variables stand for, each under the path that its name maps to. `below` is the value of
    /// the lower layers. In a stream, a path begins with one of the `documents`; other variables are reported and have no effect.
    pub(super) fn variables(
        &mut self,
        file: &File,
        prefix: &str,
        below: Option<&Thunk>,
        documents: Option<&IndexSet<Name>>,
    ) -> Vec<(FieldPath, Arc<Term>)> {
        let Node::Record(record) = file.term.node(file.term.root) else { return Vec::new() };
        let text = self.session.workspace.text_of(file.source).unwrap_or_default();
        let mut out = Vec::with_capacity(record.fields.len());
        let mut unused = Vec::new();
        let mut spellings = Spellings::default();
        for field in &record.fields {
            let (FieldName::Static(variable), Some(body)) = (&field.name, field.body) else { continue };
            let Some(name) = variable.strip_prefix(prefix) else {
                if let Some(below) = below
                    && let Some(path) = path_of_variable(variable)
                    && self.is_known(&path, below, &mut spellings)
                {
                    unused.push((variable.clone(), field.name_span));
                }
                continue;
            };
            let Some(path) = path_of_variable(name) else {
                let what = SessionKind::NoPathOfVariable { variable: variable.clone() };
                self.report(&Problem::warning(SessionProblem { span: Some(field.name_span), what }));
                continue;
            };
            let path = self.spelled(path, below, &mut spellings);
            if let Some(what) = below.and_then(|below| self.one_underscore(&path, variable, below)) {
                self.report(&Problem::warning(SessionProblem { span: Some(field.name_span), what }));
            }
            if let Some(what) = documents.and_then(|documents| no_such_document(&path, documents)) {
                let first = documents.and_then(|documents| documents.first()).map_or("", Name::as_str);
                let shown: String =
                    first.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
                let before = variable.strip_suffix(name).unwrap_or_default();
                let problem = match &what {
                    SessionKind::NoSuchDocument { near, documents, .. } if near.is_empty() => {
                        let message = format!("the path `{path}` does not begin with a document");
                        let mut slip =
                            Slip::new("merge/no-such-document", message).label("this variable has no effect");
                        let documents: Vec<String> = documents.iter().map(|name| format!("`{name}`")).collect();
                        slip.note = Some(format!("the documents are {}", documents.join(", ")));
                        let help = format!("begin with a document: `{before}{shown}__{name}` is for `{first}`");
                        slip.help(help).at(Some(field.name_span))
                    }
                    _ => SessionProblem { span: Some(field.name_span), what },
                };
                self.report(&Problem::warning(problem));
                continue;
            }
            let span = file.term.span(body);
            let quoted = text.get(span.start as usize..).is_some_and(|rest| rest.starts_with(['"', '\'']));
            let value = match (quoted, text.get(..span.end as usize)) {
                (false, Some(text)) => {
                    let stop = self.session.world.interrupt.stop();
                    command_line::literal(file.source, text, span.start as usize, stop).term
                }
                _ => {
                    let mut builder = Builder::new();
                    let root = builder.push(file.term.node(body).clone(), span);
                    Arc::new(builder.finish(root))
                }
            };
            let names = command_line::names(&path);
            let term = Arc::unwrap_or_clone(value).nested(&names, field.name_span, field.span, Priority::Normal);
            out.push((path, Arc::new(term)));
        }
        self.report_unused(prefix, &unused);
        // a field that is secret in the files is secret in a variable
        let read = (self.session.languages().of_environment(), secrets::Form::Program);
        self.session.world.hide_secrets(file.source, read, out.iter().map(|(_, term)| term), &[]);
        out
    }

    /// Whether a path, with the spelling of the lower layers, leads to one of their values.
    fn is_known(&mut self, path: &FieldPath, below: &Thunk, spellings: &mut Spellings) -> bool {
        let path = self.spelled(path.clone(), Some(below), spellings);
        self.session.workspace.machine.at(below, &path.steps).is_ok()
    }

    /// Reports variables of a file that would change a value of the lower layers if they began with the prefix.
    fn report_unused(&mut self, prefix: &str, unused: &[(Name, Span)]) {
        let Some((first, span)) = unused.first() else { return };
        let message = match unused.len() {
            1 => format!("`{first}` has no effect: it does not begin with `{prefix}` (`--env`)"),
            count => format!("{count} variables have no effect: they do not begin with `{prefix}` (`--env`)"),
        };
        let mut slip = Slip::new("merge/no-variables", message).label("other names in this file begin with it");
        if unused.len() > 1 {
            let mut names: Vec<String> = unused.iter().take(NAMED).map(|(name, _)| format!("`{name}`")).collect();
            names.extend(unused.len().checked_sub(NAMED + 1).map(|more| format!("{} more", more + 1)));
            slip.note = Some(format!("these are {}", names.join(", ")));
        }
        let help = format!("write `{prefix}{first}`, or give the layers without `--env {prefix}`");
        self.report(&Problem::warning(slip.help(help).at(Some(*span))));
    }

    /// Returns what is wrong with a variable that makes a new key, if the lower layers have the path that two underscores in place of
    /// one make of it.
    fn one_underscore(&mut self, path: &FieldPath, variable: &Name, below: &Thunk) -> Option<SessionKind> {
        let [Step::Field(name)] = path.steps.as_slice() else { return None };
        let machine = &mut self.session.workspace.machine;
        if machine.at(below, &path.steps).is_ok() {
            return None;
        }
        name.match_indices('_').find_map(|(at, _)| {
            let (first, rest) = (name.get(..at)?, name.get(at + 1..)?);
            let meant = FieldPath { steps: vec![Step::Field(Name::new(first)), Step::Field(Name::new(rest))] };
            machine.at(below, &meant.steps).ok()?;
            // the variable ends as the name does, after its prefix
            let split = variable.len().checked_sub(rest.len())?;
            let (before, after) = (variable.get(..split)?, variable.get(split..)?);
            let variable = Name::from(format!("{before}_{after}"));
            Some(SessionKind::OneUnderscore { name: name.clone(), meant: Name::from(meant.to_string()), variable })
        })
    }

    /// Replaces each name of a path by the field of the lower layers that has the same letters and digits in any case:
    /// `deployment_web` is `Deployment/web`.
    fn spelled(&mut self, mut path: FieldPath, below: Option<&Thunk>, spellings: &mut Spellings) -> FieldPath {
        let machine = &mut self.session.workspace.machine;
        let mut here = below.cloned();
        for at in 0..path.steps.len() {
            let Some(thunk) = here.take() else { break };
            let (before, rest) = path.steps.split_at_mut(at);
            let Some(step) = rest.first_mut() else { break };
            if let (Step::Field(name), Ok(Value::Record(record))) = (&*step, machine.force(&thunk)) {
                let names = spellings.entry(before.to_vec()).or_insert_with(|| {
                    let fields = machine.all_fields(&record).unwrap_or_default();
                    let mut names = FieldNames::default();
                    for field in fields {
                        names.by_letters.entry(plain(&field.name)).or_insert_with(|| field.name.clone());
                        names.all.insert(field.name);
                    }
                    names
                });
                if !names.all.contains(name)
                    && let Some(found) = names.by_letters.get(&plain(name))
                {
                    *step = Step::Field(found.clone());
                }
            }
            here = machine.at(&thunk, std::slice::from_ref(step)).ok();
        }
        path
    }
}

/// The names of the fields of each record that was read, by its path.
type Spellings = FxHashMap<Vec<Step>, FieldNames>;

/// The names of a record's fields.
#[derive(Default)]
struct FieldNames {
    all: FxHashSet<Name>,
    /// The first name with these letters and digits.
    by_letters: FxHashMap<String, Name>,
}

/// Returns the letters and digits of a name, in lower case.
fn plain(name: &str) -> String {
    name.replace(['-', '_', '.', '/'], "").to_lowercase()
}

/// Whether a name in a file of variables begins with a prefix.
pub(super) fn begins_with(file: &File, prefix: &str) -> bool {
    let Node::Record(record) = file.term.node(file.term.root) else { return false };
    record.fields.iter().any(|field| matches!(&field.name, FieldName::Static(name) if name.starts_with(prefix)))
}

/// Returns the path that a variable's name maps to, without its prefix: `SERVER__PORT` is `server.port`, and
/// `HOSTS__0` is `hosts[0]`. `None` if a part is empty.
fn path_of_variable(name: &str) -> Option<FieldPath> {
    let step = |part: &str| match part.parse::<usize>() {
        Ok(index) if index.to_string() == part => Some(Step::Index(index)),
        _ => (!part.is_empty()).then(|| Step::Field(Name::from(part.to_lowercase()))),
    };
    let steps: Option<Vec<Step>> = name.split("__").map(step).collect();
    Some(FieldPath { steps: steps? })
}
