//! Files as cells: `:load` binds the fields of a file, `:reload` reads changed files again.

use super::Session;
use super::cells::Bind;
use super::changes::changes;
use super::event::Event;
use crate::dialect::Dialect;
use crate::problem::session::{SessionKind, SessionProblem};
use crate::problem::{Problem, ProblemKind, Severity};
use crate::state::environment::{Definition, Typed, is_written};
use crate::state::files::{File, FileKey, Form};
use crate::state::journal::Loaded;
use crate::styled::{Role, Styled};
use crate::term::build::Builder;
use crate::term::rules::is_file_library;
use crate::term::{FieldName, Node, NodeId, Term};
use crate::text::{Name, Span, near_files};
use crate::ty::Ty;
use crate::value::{Thunk, Value};
use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// Maximum number of replaced names that are shown for each file.
const REPLACED: usize = 6;
/// Maximum number of files of a folder that are compared with the name of a missing one.
const COMPARED: usize = 2000;

/// Maximum number of syntax errors of a file without a known ending that are all reported.
const MOST_FAULTS: usize = 3;

impl Session {
    /// Reads a file and binds its fields.
    pub(super) fn load(&mut self, dialect: Dialect, path: &Path) -> Vec<Event> {
        let language = self.languages().of_path(path).unwrap_or(self.languages().standard());
        let form = Form::Program(language);
        let mut events = self.look_for_missing(dialect, &[]);
        let files = self.world.state.inputs.files.borrow().clone();
        self.world.before_inputs_change();
        let file = self.world.find(path, form, None).and_then(|file| self.refresh(file));
        let file = match file {
            Ok(file) => file,
            Err(mut problem) => {
                self.find_similar(path, &mut problem);
                events.push(self.diagnostic(dialect, &problem));
                return events;
            }
        };
        let text = self.workspace.text_of(file.source).unwrap_or_default();
        if super::saved::is_session(&text) {
            self.world.state.inputs.files.borrow_mut().remove(&file.key);
            events.extend(self.enter_saved(dialect, &file.key.path, &text));
            return events;
        }
        let wrong = |p: &&Problem| p.severity == Severity::Error && p.code().starts_with("syntax/");
        // a file without a known ending may be anything
        if self.languages().of_path(path).is_none() && file.problems.iter().filter(wrong).count() > MOST_FAULTS {
            let first: Vec<Problem> = file.problems.iter().filter(wrong).take(1).cloned().collect();
            events.extend(self.diagnostics(dialect, &first));
            let more = file.problems.len() - 1;
            let text = format!("{more} more problems: the file is not a program of this language");
            events.push(Event::Answer(Styled::of(Role::Dim, text)));
            *self.world.state.inputs.files.borrow_mut() = files;
            return events;
        }
        events.extend(self.diagnostics(dialect, &file.problems));
        if file.problems.iter().any(|p| p.severity == Severity::Error) {
            *self.world.state.inputs.files.borrow_mut() = files;
            return events;
        }
        // an import may have read an older version of it
        let changed = files.get(&file.key).is_some_and(|old| !Rc::ptr_eq(old, &file));
        if changed {
            self.world.forget_results();
        }
        let before = self
            .world
            .state
            .loaded
            .borrow()
            .iter()
            .find(|loaded| loaded.key == file.key)
            .map(|loaded| loaded.names.clone());
        let of_others = self.names_of_others(&file.key);
        let names = self.bind_again(dialect, &file, &before.unwrap_or_default(), &Later::default(), &mut events);
        events.extend(replaced(&of_others, &names));
        if changed {
            events.extend(self.importers_again(dialect, &[]));
        }
        if self.world.interrupt.is_raised() {
            return vec![self.diagnostic(dialect, &self.world.interrupt.problem(None))];
        }
        let next = self.next_number();
        let mut loaded = self.world.state.loaded.borrow_mut();
        let loaded = Rc::make_mut(&mut loaded);
        loaded.retain(|l| l.key != file.key);
        loaded.push(Loaded { key: file.key.clone(), names, next });
        events
    }

    /// Adds the files with similar names to the problem of a file that was not found.
    pub(super) fn find_similar(&self, path: &Path, problem: &mut Problem) {
        let ProblemKind::Session(SessionProblem { what: SessionKind::NotFound { near, .. }, .. }) = &mut problem.kind
        else {
            return;
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let files = self.world.loader.list(listed);
        let names = files.iter().map(String::as_str).filter(|name| !name.ends_with('/')).take(COMPARED);
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let found = near_files(name, names).into_iter();
        *near = found.map(|name| Name::from(folder.join(name.as_str()).to_string_lossy())).collect();
        if near.is_empty() && files.is_empty() {
            *near = self.in_similar_folder(folder, name).into_iter().collect();
        }
    }

    /// Finds a file in a folder with a name similar to that of a missing folder.
    fn in_similar_folder(&self, folder: &Path, name: &str) -> Option<Name> {
        let parent = folder.parent()?;
        let listed = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
        let entries = self.world.loader.list(listed);
        let folders = entries.iter().filter_map(|entry| entry.strip_suffix('/')).take(COMPARED);
        let meant = crate::text::near(folder.file_name()?.to_str()?, folders).into_iter().next()?;
        let meant = parent.join(meant.as_str());
        let found = self.world.loader.list(&meant).iter().any(|file| file == name);
        found.then(|| Name::from(meant.join(name).to_string_lossy()))
    }

    /// Returns the names that other loaded files define now, each with the path of its file.
    fn names_of_others(&self, key: &FileKey) -> Vec<(Name, PathBuf)> {
        let loaded = self.world.state.loaded.borrow();
        let others = loaded.iter().filter(|other| other.key != *key);
        let of = |other: &Loaded| {
            let source = internal(&other.key);
            let is_current = |name: &&Name| self.world.definition(name).is_some_and(|d| d.uses.contains(&source));
            let names: Vec<Name> = other.names.iter().filter(is_current).cloned().collect();
            names.into_iter().map(|name| (name, other.key.path.clone())).collect::<Vec<_>>()
        };
        others.flat_map(of).collect()
    }

    /// Returns the file as it is on disk now.
    fn refresh(&mut self, file: Rc<File>) -> Result<Rc<File>, Problem> {
        let new = self.world.parse_file(&file.path, file.key.clone(), None)?;
        let same = {
            let sources = self.world.sources.borrow();
            let text = |id| sources.get(id).map(|s| s.text.clone());
            text(new.source) == text(file.source)
        };
        if same {
            return Ok(file);
        }
        let new = Rc::new(new);
        self.world.state.inputs.files.borrow_mut().insert(new.clone());
        Ok(new)
    }

    /// Defines the whole file under an internal name, and its fields under their own names.
    fn bind_file(&mut self, dialect: Dialect, file: &File, later: &Later, events: &mut Vec<Event>) -> Vec<Name> {
        let key = internal(&file.key);
        let whole = Bind { name: key.clone(), span: None, recursive: true, doc: None, term: file.term.clone() };
        self.bind(dialect, whole, 0, events);
        if self.world.interrupt.is_raised() {
            return Vec::new();
        }
        let typed = self.world.typed(&key);
        let fields = typed.and_then(|typed| self.file_fields(&typed, |session| session.workspace.value_of(&key)));
        let (names, odd): (Vec<Name>, Vec<Name>) = fields
            .iter()
            .flatten()
            .cloned()
            .partition(|name| (self.languages().standard().spelling().is_identifier)(name));
        for name in &names {
            let span = field_span(&file.term, name);
            let term = projection(&key, name, span);
            if self.world.definition(name).is_some_and(|definition| later.hides(&definition)) {
                self.hidden(&key, name, span, term, later);
                continue;
            }
            let bind = Bind { name: name.clone(), span: Some(span), recursive: true, doc: None, term };
            self.bind(dialect, bind, 0, events);
        }
        if names.is_empty() {
            self.world.state.environment.borrow_mut().it = Some(key.clone());
            if let Some(typed) = self.world.typed(&key) {
                events.push(Event::Bound(self.name_and_type(dialect, "it", &typed)));
                events.extend(self.binds_nothing(dialect, &file.name, &key, &typed, fields.as_deref()));
            }
        }
        if fields.is_some() && !names.is_empty() && !odd.is_empty() {
            let list: Vec<String> = odd.iter().map(|n| format!("{n:?}")).collect();
            let text = format!("not bound, because these are not valid names: {}", list.join(", "));
            events.push(Event::Answer(Styled::of(Role::Dim, text)));
        }
        names
    }

    /// Says why a file binds no names. `None` if its value is not known.
    fn binds_nothing(
        &mut self,
        dialect: Dialect,
        file: &str,
        key: &Name,
        typed: &Typed,
        fields: Option<&[Name]>,
    ) -> Option<Event> {
        let is_uncertain = matches!(
            &*typed.scheme.ty,
            Ty::Dyn(_) | Ty::Bottom | Ty::Var(_) | Ty::Union(_) | Ty::Fails(..) | Ty::Record(_)
        );
        let why = match fields {
            Some([]) => "has no fields",
            Some(_) => "has no fields whose names can be bound",
            None if is_uncertain => {
                let value = self.workspace.value_of(key)?;
                self.workspace.machine.force(&value).ok()?;
                "is not a record"
            }
            None => "is not a record",
        };
        // in other languages, a definition is written differently
        let named = if dialect == self.languages().standard() { "; `NAME = it` gives it a name" } else { "" };
        let text = format!("`{file}` {why}, so it binds no names: its value is `it`{named}");
        Some(Event::Answer(Styled::of(Role::Dim, text)))
    }

    /// Adds a field of a file to the older definitions of its name, because a later definition hides it.
    fn hidden(&mut self, file: &Name, name: &Name, span: Span, term: Arc<Term>, later: &Later) {
        let typed = self.world.infer(&term);
        let mut environment = self.world.state.environment.borrow_mut();
        let (id, uses) = (environment.fresh(), crate::state::environment::uses(&term));
        let rank = environment.rank(&uses);
        let (name, span) = (name.clone(), Some(span));
        let new = Definition { name, id, cell: 0, span, doc: None, term, uses, typed, kept: None, rank };
        environment.insert_older(new, |old| old.uses.contains(file), |old| later.hides(old));
    }

    /// Returns the fields of a file's record, from its type or, if that is unknown, from its value. `None` if it is not a
    /// record.
    fn file_fields(&mut self, typed: &Typed, value: impl FnOnce(&mut Session) -> Option<Thunk>) -> Option<Vec<Name>> {
        let known = crate::state::typing::record_fields(&typed.scheme);
        if !known.is_empty() {
            return Some(known.into_iter().map(|(name, _)| name).collect());
        }
        match &*typed.scheme.ty {
            Ty::Record(_) | Ty::Dyn(_) | Ty::Bottom | Ty::Var(_) | Ty::Union(_) | Ty::Fails(..) => {
                let thunk = value(self)?;
                match self.workspace.machine.force(&thunk) {
                    Ok(Value::Record(record)) => {
                        let mut names: Vec<Name> =
                            self.workspace.machine.fields(&record).ok()?.into_iter().map(|f| f.name).collect();
                        names.sort();
                        Some(names)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Reads files again if they changed on disk. A file that was removed, or that cannot be read or parsed, keeps its old contents.
    pub(super) fn reload(&mut self, dialect: Dialect) -> Vec<Event> {
        let files = self.world.state.inputs.files.borrow().clone();
        self.world.before_inputs_change();
        let mut events = Vec::new();
        let mut failed: Vec<String> = Vec::new();
        let mut changed: Vec<Rc<File>> = Vec::new();
        for file in files.values() {
            let same_stamp = {
                let stamp = self.world.loader.stamp(&file.path);
                stamp.is_some() && stamp == file.stamp
            };
            if same_stamp {
                continue;
            }
            match self.refresh(file.clone()) {
                Ok(new) if Rc::ptr_eq(&new, file) => {}
                Ok(new) => {
                    events.extend(self.diagnostics(dialect, &new.problems));
                    if new.problems.iter().any(|p| p.severity == Severity::Error) {
                        self.world.state.inputs.files.borrow_mut().insert(file.clone());
                        failed.push(format!("`{}`", file.name));
                    } else {
                        changed.push(new);
                    }
                }
                Err(problem) => {
                    events.push(self.diagnostic(dialect, &problem));
                    failed.push(format!("`{}`", file.name));
                }
            }
            if self.world.interrupt.is_raised() {
                *self.world.state.inputs.files.borrow_mut() = files.clone();
                return vec![self.diagnostic(dialect, &self.world.interrupt.problem(None))];
            }
        }
        let appeared = files.appeared(&*self.world.loader);
        failed.dedup();
        if changed.is_empty() && appeared.is_empty() && !failed.is_empty() {
            events.push(Event::Answer(Styled::of(Role::Dim, "the earlier versions of the files stay loaded")));
            return events;
        }
        if changed.is_empty() && appeared.is_empty() {
            return vec![Event::Answer(Styled::of(Role::Dim, "nothing changed on disk"))];
        }
        self.world.state.inputs.files.borrow_mut().look_again(&*self.world.loader);
        self.world.forget_results();
        let names: Vec<String> = changed.iter().map(|f| format!("`{}`", f.name)).collect();
        if !names.is_empty() {
            events.push(Event::Answer(Styled::of(Role::Dim, format!("read again: {}", names.join(", ")))));
        }
        if !appeared.is_empty() {
            events.push(report_found_files(&appeared));
        }
        if !failed.is_empty() {
            events.push(Event::Answer(Styled::of(Role::Dim, format!("as before: {}", failed.join(", ")))));
        }
        self.redo_loaded(dialect, &changed, &mut events);
        events.extend(self.importers_again(dialect, &[]));
        if self.world.interrupt.is_raised() {
            return vec![self.diagnostic(dialect, &self.world.interrupt.problem(None))];
        }
        events
    }

    /// Looks again for files that did not exist before, and updates what depends on the ones that exist now. Changes to the
    /// names in `about` are not reported, because the input is about to bind them.
    pub(super) fn look_for_missing(&mut self, dialect: Dialect, about: &[Name]) -> Vec<Event> {
        let files = self.world.state.inputs.files.borrow().clone();
        let appeared = files.appeared(&*self.world.loader);
        if appeared.is_empty() {
            return Vec::new();
        }
        self.time.reread = true;
        self.world.before_inputs_change();
        self.world.state.inputs.files.borrow_mut().forget_missing(&appeared);
        self.world.forget_results();
        let mut events = vec![report_found_files(&appeared)];
        events.extend(self.importers_again(dialect, about));
        events
    }

    /// Binds the fields of the loaded files that changed. Later definitions still hide them.
    fn redo_loaded(&mut self, dialect: Dialect, changed: &[Rc<File>], events: &mut Vec<Event>) {
        let mut all = (**self.world.state.loaded.borrow()).clone();
        let keys: Vec<Name> = all.iter().map(|loaded| internal(&loaded.key)).collect();
        for (at, loaded) in all.iter_mut().enumerate() {
            if let Some(file) = changed.iter().find(|f| f.key == loaded.key) {
                let later = Later { next: Some(loaded.next), files: keys.get(at + 1..).unwrap_or_default().to_vec() };
                loaded.names = self.bind_again(dialect, file, &loaded.names, &later, events);
            }
        }
        self.world.state.loaded.replace(Rc::new(all));
    }

    /// Binds the fields of a file as `bind_file` does. A name in `before` that the file no longer defines gets the meaning
    /// that it has without the file.
    fn bind_again(
        &mut self,
        dialect: Dialect,
        file: &File,
        before: &[Name],
        later: &Later,
        events: &mut Vec<Event>,
    ) -> Vec<Name> {
        let key = internal(&file.key);
        let stays = match before {
            [] => Vec::new(),
            _ => {
                let typed = self.world.file_type(file);
                self.file_fields(&typed, |session| Some(session.workspace.machine.imported(&file.term)))
                    .unwrap_or_default()
            }
        };
        // withdrawn first, so that they are not reported as broken
        let lost: Vec<Name> = {
            let mut environment = self.world.state.environment.borrow_mut();
            let lost = before.iter().filter(|name| !stays.contains(name));
            lost.filter(|name| environment.withdraw(name, |old| old.uses.contains(&key))).cloned().collect()
        };
        let names = self.bind_file(dialect, file, later, events);
        let (bound, unbound): (Vec<Name>, Vec<Name>) =
            lost.into_iter().partition(|name| self.world.definition(name).is_some());
        events.extend(self.again(dialect, &bound, &[]));
        for name in &unbound {
            let mut line = Styled::of(Role::Name, name.as_str());
            line.plain(" is no longer bound");
            events.push(Event::Answer(line));
        }
        events.extend(self.recheck(dialect, &unbound, &unbound));
        names
    }

    /// Updates everything that may read external variables.
    pub(super) fn externals_changed(&mut self, dialect: Dialect) -> Vec<Event> {
        self.world.forget_results();
        let readers = self.readers_of_inputs(true);
        self.again(dialect, &readers, &[])
    }

    /// Reads all files again, with the newest or the standard syntax of each language. Inputs that were entered keep their meaning.
    pub(super) fn read_again(&mut self, dialect: Dialect, newest: bool) -> Vec<Event> {
        let languages = self.languages().with_newest(newest);
        self.world.before_inputs_change();
        self.world.languages.set(languages);
        if let Some(current) = languages.named(self.dialect().name()) {
            self.world.state.dialect.set(current);
        }
        self.world.state.inputs.files.replace(Default::default());
        self.world.forget_results();
        self.importers_again(dialect, &[])
    }

    /// Updates everything that may read one external variable.
    pub(super) fn external_changed(&mut self, dialect: Dialect, name: &str) -> Vec<Event> {
        self.world.forget_results();
        let readers = self.world.readers_of_external(name);
        self.again(dialect, &readers, &[])
    }

    /// Updates everything that imports files. Changes to the names in `unreported` are not reported.
    fn importers_again(&mut self, dialect: Dialect, unreported: &[Name]) -> Vec<Event> {
        let in_files = self.world.has_external_files();
        let readers = self.readers_of_inputs(in_files);
        self.again(dialect, &readers, unreported)
    }

    /// Returns the keys of the definitions that import files. With `externals`, also returns the keys of those that may read
    /// external variables.
    fn readers_of_inputs(&self, externals: bool) -> Vec<Name> {
        let library = |node: &Node| matches!(node, Node::Global(name) if is_file_library(name));
        let reads = |d: &Definition| d.imports() || externals && d.term.nodes.iter().any(library);
        let environment = self.world.state.environment.borrow();
        let readers = environment.iter().filter(|(key, d)| !key.starts_with('$') && reads(d));
        readers.map(|(key, _)| key.clone()).collect()
    }

    /// Infers definitions again, forgets their values, and updates what depends on them. Changes to the names in `unreported`
    /// are not reported.
    fn again(&mut self, dialect: Dialect, keys: &[Name], unreported: &[Name]) -> Vec<Event> {
        let mut events = Vec::new();
        for key in keys {
            let Some(definition) = self.world.state.environment.borrow().get(key).cloned() else { continue };
            if self.world.state.environment.borrow().rings().contains(key) {
                self.world.forget(std::slice::from_ref(key));
                events.extend(self.recheck(dialect, std::slice::from_ref(key), &[]));
                continue;
            }
            let typed = self.world.infer(&definition.term);
            let same = typed.scheme.is_same(&definition.typed.scheme);
            let new: Vec<Event> = typed
                .problems
                .iter()
                .filter(|p| !definition.typed.problems.contains(p))
                .map(|p| self.diagnostic(dialect, p))
                .collect();
            events.extend(new);
            if typed.scheme != definition.typed.scheme && is_written(key) && !unreported.contains(key) {
                events.push(match changes(dialect, &definition.typed.scheme, &typed.scheme) {
                    Some(fields) => {
                        let mut line = Styled::of(Role::Dim, "changed: ");
                        line.push(Role::Name, key.as_str());
                        line.append(&fields);
                        Event::Answer(line)
                    }
                    None => Event::Bound(self.name_and_type(dialect, key, &typed)),
                });
            }
            let id = self.world.state.environment.borrow_mut().fresh();
            let updated = Definition { typed, id, ..(*definition).clone() };
            self.world.forget(std::slice::from_ref(key));
            self.world.state.environment.borrow_mut().update(key, updated);
            let keys = std::slice::from_ref(key);
            events.extend(self.recheck(dialect, keys, if same { &[] } else { keys }));
        }
        events
    }
}

/// Reports files that were missing before and exist now.
fn report_found_files(paths: &[PathBuf]) -> Event {
    let names: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
    Event::Answer(Styled::of(Role::Dim, format!("there now: {}", names.join(", "))))
}

/// The inputs after a file was loaded.
#[derive(Default)]
struct Later {
    /// The number of the first cell after it. `None` if there is none.
    next: Option<u32>,
    /// The internal names of the files loaded after it.
    files: Vec<Name>,
}

impl Later {
    /// Returns `true` if a definition was made after the file was loaded.
    fn hides(&self, definition: &Definition) -> bool {
        self.next.is_some_and(|next| definition.cell >= next)
            || definition.uses.iter().any(|used| self.files.contains(used))
    }
}

/// Returns the internal name of a whole file.
fn internal(key: &FileKey) -> Name {
    Name::from(format!("%file#{}", key.path.display()))
}

/// Creates the term `key.name`.
fn projection(key: &Name, name: &Name, span: Span) -> Arc<Term> {
    let mut builder = Builder::new();
    let file = builder.variable(key, span);
    let root = builder.push(Node::Project(file, name.clone()), span);
    Arc::new(builder.finish(root))
}

/// Returns the span in which a file's record defines a field, or the span of the file if that is unknown.
fn field_span(term: &Term, name: &Name) -> Span {
    let mut here: NodeId = term.root;
    loop {
        match term.node(here) {
            Node::Let(inner) => here = inner.body,
            Node::Annot(inner, _) => here = *inner,
            Node::Record(record) => {
                let found = record.fields.iter().find(|f| matches!(&f.name, FieldName::Static(n) if n == name));
                return found.map_or(term.span(here), |f| f.name_span);
            }
            _ => return term.span(here),
        }
    }
}

/// Removes the quotes around a path, if any.
pub(super) fn unquote(path: &str) -> &str {
    let path = path.trim();
    path.strip_prefix('"').and_then(|p| p.strip_suffix('"')).unwrap_or(path)
}

/// Returns the paths of loaded files.
pub(super) fn paths(loaded: &[Loaded]) -> Vec<std::path::PathBuf> {
    loaded.iter().map(|loaded| loaded.key.path.clone()).collect()
}

/// Says which names of other files a file has replaced, a line for each of those files. A loaded file does not merge with another.
fn replaced(of_others: &[(Name, PathBuf)], names: &[Name]) -> Vec<Event> {
    let names: FxHashSet<&Name> = names.iter().collect();
    let mut files: IndexMap<&PathBuf, Vec<String>> = IndexMap::new();
    for (name, path) in of_others.iter().filter(|(name, _)| names.contains(name)) {
        files.entry(path).or_default().push(format!("`{name}`"));
    }
    let line = |(path, names): (&PathBuf, Vec<String>)| {
        let file = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let shown = names.iter().take(REPLACED).cloned().collect::<Vec<_>>().join(", ");
        let more = names.len().saturating_sub(REPLACED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let text = format!("replaced: {shown}{more} of {file}; files are not merged, and `:undo` brings back what was");
        Event::Answer(Styled::of(Role::Dim, text))
    };
    files.into_iter().map(line).collect()
}
