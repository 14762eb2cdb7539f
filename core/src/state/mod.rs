//! The state of a session, shared by everything that answers a question: definitions, files, sources. Everything here has
//! interior mutability, because evaluation re-enters it. No borrow is held across a call into another module.

pub(crate) mod access;
mod activity;
mod call;
pub(crate) mod changes;
pub(crate) mod environment;
pub(crate) mod external;
pub(crate) mod external_readers;
pub(crate) mod files;
pub(crate) mod fresh;
pub(crate) mod input;
mod interrupt;
pub(crate) mod journal;
pub(crate) mod reading;
pub(crate) mod recheck;
mod reread;
mod rings;
pub(crate) mod secrets;
pub(crate) mod session_state;
pub mod settings;
pub(crate) mod slice;
pub(crate) mod snapshots;
mod summed;
pub(crate) mod typing;
mod unread;
pub(crate) mod values;
mod workspace;

pub use activity::{Activity, Phase};
pub use environment::{Definition, is_written};
pub use interrupt::Interrupt;
pub(crate) use slice::Slice;
pub use typing::{masked_type, record_fields, type_pretty, type_text};
pub use workspace::Workspace;

use crate::dialect::{Cell as Input, CellItem, Dialect, Languages, Names, Program, StdNames, Stop};
use crate::loader::Loader;
use crate::problem::syntax::PastInput;
use crate::term::{Import, Term};
use crate::text::{Name, SourceId, Sources, Span, near};
use crate::ty::Scheme;
use crate::value::{Revision, Thunk};
use environment::Typed;
use files::FileKey;
use rustc_hash::{FxHashMap, FxHashSet};
use session_state::SessionState;
use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// A library as one text sees it: its name, the text, and the revision if the external variables have changed since
/// then.
type FileLibrary = (Name, SourceId, Option<Revision>);

/// The types of library items that have one signature, by path.
type CallTypes = FxHashMap<Box<[Name]>, Arc<Scheme>>;

/// A program that is called, and its type once inferred.
pub(crate) struct Main {
    /// The program.
    pub term: Arc<Term>,
    /// Its type.
    pub typed: Option<Rc<Typed>>,
}

/// A session's state with its sources, caches and loader.
pub(crate) struct World {
    /// The only access to files and the environment.
    pub loader: Box<dyn Loader>,
    /// The state that snapshots and undo restore.
    pub state: SessionState,
    /// Cached values of definitions.
    pub values: RefCell<values::Values>,
    /// The change log and the snapshots.
    pub revisions: snapshots::Revisions,
    /// The number of terms inferred so far.
    pub inferences: Cell<u64>,
    /// The secrets in the texts.
    pub secrets: RefCell<secrets::SecretTexts>,
    /// The files that are secrets.
    pub secret_files: RefCell<secrets::SecretFiles>,
    /// All texts.
    pub sources: RefCell<Sources>,
    /// The folder that imports of a source are relative to.
    pub bases: RefCell<FxHashMap<SourceId, PathBuf>>,
    /// The program that is called with the top-level arguments.
    pub main: RefCell<Option<Main>>,
    /// The flag that stops whatever runs.
    pub interrupt: Interrupt,
    /// The current activity.
    pub activity: Activity,
    /// The files whose types are being inferred, outermost first. A file that is already in the list closes a cycle.
    pub inferring: RefCell<Vec<(FileKey, Name)>>,
    /// Types of library items, by path.
    pub library: RefCell<FxHashMap<Name, Arc<Scheme>>>,
    /// Types of calls of library items whose type depends on the call, by the signature and the path of the item.
    pub calls: RefCell<FxHashMap<String, CallTypes>>,
    /// The values of the fresh evaluation that is running, if any.
    pub fresh: RefCell<Option<fresh::Fresh>>,
    /// The values of libraries that are the same in every file, by the names under which terms read them.
    pub libraries: RefCell<FxHashMap<Name, Thunk>>,
    /// The values of libraries that depend on the file, for each text and each revision with other external variables.
    pub file_libraries: RefCell<FxHashMap<FileLibrary, Thunk>>,
    /// The number of texts that were needed when [`World::forget_texts`] last computed it.
    pub needed_texts: Cell<usize>,
    /// The table of languages.
    pub languages: Cell<Languages>,
}

impl World {
    /// Creates an empty world with a loader and an interrupt flag.
    pub fn new(languages: Languages, loader: Box<dyn Loader>, interrupt: Interrupt) -> Rc<World> {
        let from = |name: &str| loader.env(name).map(|v| split_paths(&v)).unwrap_or_default();
        let paths = languages.path_variables().flat_map(from).collect();
        if let Some(gauge) = loader.memory_gauge() {
            interrupt.measure(gauge);
        }
        Rc::new(World {
            loader,
            state: SessionState::new(languages.standard(), paths),
            values: RefCell::default(),
            revisions: Default::default(),
            inferences: Cell::new(0),
            secrets: RefCell::default(),
            secret_files: RefCell::default(),
            sources: RefCell::default(),
            bases: RefCell::default(),
            main: RefCell::default(),
            interrupt,
            activity: Activity::default(),
            inferring: RefCell::default(),
            library: RefCell::default(),
            calls: RefCell::default(),
            fresh: RefCell::default(),
            libraries: RefCell::default(),
            file_libraries: RefCell::default(),
            needed_texts: Cell::new(0),
            languages: Cell::new(languages),
        })
    }

    /// Registers a text. Its imports are relative to `folder`.
    pub fn add_source(&self, name: &str, text: Arc<str>, folder: &Path) -> SourceId {
        let id = self.sources.borrow_mut().add(name, text);
        if !folder.as_os_str().is_empty() {
            self.bases.borrow_mut().insert(id, folder.to_path_buf());
        }
        id
    }

    /// Registers the text of an input, which is written in a language.
    pub fn add_input(&self, name: &str, text: &str, dialect: Dialect) -> SourceId {
        self.sources.borrow_mut().add_in(name, text, Some(dialect.name()))
    }

    /// Drops the texts that no definition, result or file needs, except for the `newest` ones. Reports about values that
    /// still refer to a dropped text are shown without it. `more` adds texts that are needed elsewhere. O(texts +
    /// definitions), each time the number of texts has doubled.
    pub fn forget_texts(&self, newest: usize, more: impl FnOnce(&mut FxHashSet<SourceId>)) {
        let count = self.sources.borrow().count();
        if count < self.needed_texts.get() * 2 + newest.max(64) {
            return;
        }
        let mut needed: FxHashSet<SourceId> =
            self.state.inputs.files.borrow().values().map(|file| file.source).collect();
        needed.extend(self.state.environment.borrow().sources());
        needed.extend(self.state.inputs.externals.borrow().iter().filter_map(|external| external.source()));
        more(&mut needed);
        let mut sources = self.sources.borrow_mut();
        let from = sources.next_id().0.saturating_sub(newest as u32);
        sources.retain(|id| id.0 >= from || needed.contains(&id));
        self.needed_texts.set(sources.count());
        self.bases.borrow_mut().retain(|id, _| sources.get(*id).is_some());
        self.file_libraries.borrow_mut().retain(|(_, id, _), _| sources.get(*id).is_some());
    }

    /// Returns the text of a source.
    pub fn text_of(&self, source: SourceId) -> Option<Arc<str>> {
        self.sources.borrow().get(source).map(|source| source.text.clone())
    }

    /// Returns the type and problems of a key.
    pub fn typed(&self, key: &str) -> Option<Rc<Typed>> {
        self.state.environment.borrow().get(key).map(|d| d.typed.clone())
    }

    /// Returns the definition of a key.
    pub fn definition(&self, key: &str) -> Option<Rc<Definition>> {
        self.state.environment.borrow().get(key).cloned()
    }

    /// Returns the key of a name: `it` is the last result.
    pub fn key(&self, name: &str) -> Option<Name> {
        let environment = self.state.environment.borrow();
        if name == "it" && environment.get("it").is_none() {
            return environment.it.clone();
        }
        environment.get(name).map(|_| Name::new(name))
    }

    /// Returns the bound names that are similar to an unbound name.
    pub fn near(&self, name: &str) -> Vec<Name> {
        let all = self.all();
        near(name, all.iter().map(|n| n.as_str()))
    }
}

impl Names for World {
    fn is_bound(&self, name: &str) -> bool {
        name == "std" || self.key(name).is_some()
    }

    fn is_defined(&self, name: &str) -> bool {
        self.key(name).is_some()
    }

    fn all(&self) -> Vec<Name> {
        let environment = self.state.environment.borrow();
        let mut names: Vec<Name> = environment.keys().filter(|k| environment::is_written(k)).cloned().collect();
        if environment.it.is_some() && environment.get("it").is_none() {
            names.push(Name::new_static("it"));
        }
        names.push(Name::new_static("std"));
        names
    }

    fn is_session(&self) -> bool {
        true
    }

    fn past_input(&self, name: &str) -> Option<PastInput> {
        let number: u32 = name.strip_prefix('$')?.parse().ok()?;
        let environment = self.state.environment.borrow();
        let is_of_cell = |d: &&Rc<Definition>| d.cell == number && number > 0 && !d.name.starts_with(['$', '%']);
        let current: Vec<Name> =
            environment.iter().map(|(_, d)| d).filter(is_of_cell).map(|d| d.name.clone()).collect();
        let replaced = || environment.all_replaced().filter(is_of_cell).map(|d| d.name.clone()).collect();
        let redefined = current.is_empty();
        let defined = if redefined { replaced() } else { current };
        Some(PastInput { number, defined, redefined })
    }

    fn fields_of_file(&self, file: &Import, span: Span) -> Vec<Name> {
        let mut names = Vec::new();
        let mut seen = FxHashSet::default();
        let mut work = vec![(file.clone(), span)];
        while let Some((import, span)) = work.pop() {
            let Ok(file) = self.import_file(&import, span) else { continue };
            if !seen.insert(file.key.path.clone()) {
                continue;
            }
            names.extend(file.term.written_fields());
            work.extend(file.term.composed_imports());
        }
        names
    }

    fn languages(&self) -> Languages {
        self.languages.get()
    }

    fn stop(&self) -> Stop<'_> {
        self.interrupt.stop()
    }

    fn tables(&self) -> Vec<Program> {
        self.tables_for(self.state.dialect.get(), Path::new(""))
    }

    fn read_program(&self, dialect: Dialect, source: SourceId, program: &Program) {
        self.hide_secrets(source, (dialect, secrets::Form::Program), std::iter::once(&program.term), &program.problems);
    }

    fn read_cell(&self, dialect: Dialect, source: SourceId, cell: &Input) {
        let terms = cell.items.iter().map(CellItem::term);
        self.hide_secrets(source, (dialect, secrets::Form::Cell), terms, &cell.problems);
    }
}

/// The names that a file can use: `std`. Imports can name these languages. The tables extend the language of the file.
pub(crate) struct InFile<'a>(pub Languages, pub Stop<'a>, pub &'a [Program]);

impl Names for InFile<'_> {
    fn is_bound(&self, name: &str) -> bool {
        StdNames.is_bound(name)
    }

    fn all(&self) -> Vec<Name> {
        StdNames.all()
    }

    fn languages(&self) -> Languages {
        self.0
    }

    fn stop(&self) -> Stop<'_> {
        self.1
    }

    fn tables(&self) -> Vec<Program> {
        self.2.to_vec()
    }
}

/// Splits a list of folders at its colons.
fn split_paths(value: &str) -> Vec<PathBuf> {
    value.split(':').filter(|p| !p.is_empty()).map(PathBuf::from).collect()
}
