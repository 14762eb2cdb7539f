//! What a session knows, shared by the rooms that ask: the environment, the files, the sources. Everything here has interior
//! mutability, because evaluation re-enters it; no borrow is held across a call into another room.

pub(crate) mod access;
mod activity;
mod call;
pub(crate) mod changes;
pub(crate) mod environment;
pub(crate) mod external;
pub(crate) mod files;
pub(crate) mod fresh;
pub(crate) mod input;
mod interrupt;
pub(crate) mod journal;
mod language;
pub(crate) mod reading;
pub(crate) mod recheck;
mod reread;
mod rings;
pub(crate) mod session_state;
pub mod settings;
pub(crate) mod slice;
pub(crate) mod snapshots;
mod summed;
pub(crate) mod typing;
pub(crate) mod values;
mod workspace;

pub use activity::{Activity, Phase};
pub use environment::{Definition, is_written};
pub use interrupt::Interrupt;
pub(crate) use interrupt::interrupted;
pub(crate) use slice::Slice;
pub use typing::{record_fields, type_pretty, type_text};
pub use workspace::Workspace;

use crate::dialect::{Languages, Names, OnlyStd, Stop};
use crate::loader::Loader;
use crate::problem::syntax::Past;
use crate::term::Term;
use crate::text::{Name, SourceId, Sources, near};
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

/// A program that is called, and its type once somebody asked.
pub(crate) struct Main {
    /// The program.
    pub term: Arc<Term>,
    /// Its type.
    pub typed: Option<Rc<Typed>>,
}

/// What a session knows.
pub(crate) struct World {
    /// The one door to the outside.
    pub loader: Box<dyn Loader>,
    /// What is known.
    pub state: SessionState,
    /// What was computed of definitions.
    pub values: RefCell<values::Values>,
    /// When what is bound changed, and the snapshots that were.
    pub revisions: snapshots::Revisions,
    /// How many terms were inferred.
    pub inferences: Cell<u64>,
    /// Every text.
    pub sources: RefCell<Sources>,
    /// The folder that imports of a source are relative to.
    pub bases: RefCell<FxHashMap<SourceId, PathBuf>>,
    /// The program that is called with the arguments given.
    pub main: RefCell<Option<Main>>,
    /// The flag everything looks at.
    pub interrupt: Interrupt,
    /// What is done at the moment.
    pub activity: Activity,
    /// The files whose types are being inferred, the outermost first: a file that is here already closes a circle.
    pub inferring: RefCell<Vec<(FileKey, Name)>>,
    /// Schemes of library items, by path.
    pub library: RefCell<FxHashMap<Name, Arc<Scheme>>>,
    /// What was made for a question that traces.
    pub fresh: RefCell<Option<fresh::Fresh>>,
    /// The values of libraries that are the same everywhere, by the names under which terms read them.
    pub libraries: RefCell<FxHashMap<Name, Thunk>>,
    /// The values of libraries as each text sees them, and as it saw them in revisions with other inputs from outside.
    pub file_libraries: RefCell<FxHashMap<(Name, SourceId, Option<Revision>), Thunk>>,
    /// How many texts were needed when that was last asked.
    pub texts: Cell<usize>,
    /// The languages that are known.
    pub languages: Languages,
    /// Whether inputs are entered that were accepted once: a name that is gone since is no mistake of theirs.
    pub entering: Cell<bool>,
}

impl World {
    /// An empty world over a loader, stopped by a flag.
    pub fn new(languages: Languages, loader: Box<dyn Loader>, interrupt: Interrupt) -> Rc<World> {
        let from = |name: &str| loader.env(name).map(|v| split_paths(&v)).unwrap_or_default();
        let paths = ["JSONNET_PATH", "NICKEL_IMPORT_PATH"].into_iter().flat_map(from).collect();
        Rc::new(World {
            loader,
            state: SessionState::new(languages.standard(), paths),
            values: RefCell::default(),
            revisions: Default::default(),
            inferences: Cell::new(0),
            sources: RefCell::default(),
            bases: RefCell::default(),
            main: RefCell::default(),
            interrupt,
            activity: Activity::default(),
            inferring: RefCell::default(),
            library: RefCell::default(),
            fresh: RefCell::default(),
            libraries: RefCell::default(),
            file_libraries: RefCell::default(),
            texts: Cell::new(0),
            languages,
            entering: Cell::new(false),
        })
    }

    /// Registers a text; its imports are relative to a folder.
    pub fn add_source(&self, name: &str, text: Arc<str>, folder: &Path) -> SourceId {
        let id = self.sources.borrow_mut().add(name, text);
        if !folder.as_os_str().is_empty() {
            self.bases.borrow_mut().insert(id, folder.to_path_buf());
        }
        id
    }

    /// Drops the texts that no definition, result or file is written in, but for the newest so many. What a value kept of
    /// an older one is then reported without its text. O(texts + definitions), whenever the texts have doubled.
    /// `more` adds the texts that others need.
    pub fn forget_texts(&self, newest: usize, more: impl FnOnce(&mut FxHashSet<SourceId>)) {
        let count = self.sources.borrow().len();
        if count < self.texts.get() * 2 + newest.max(64) {
            return;
        }
        let mut needed: FxHashSet<SourceId> =
            self.state.inputs.files.borrow().values().map(|file| file.source).collect();
        needed.extend(self.state.environment.borrow().sources());
        needed.extend(self.state.inputs.externals.borrow().iter().filter_map(|given| given.source()));
        more(&mut needed);
        let mut sources = self.sources.borrow_mut();
        let from = sources.next().0.saturating_sub(newest as u32);
        sources.retain(|id| id.0 >= from || needed.contains(&id));
        self.texts.set(sources.len());
        self.bases.borrow_mut().retain(|id, _| sources.get(*id).is_some());
        self.file_libraries.borrow_mut().retain(|(_, id, _), _| sources.get(*id).is_some());
    }

    /// The text of a source.
    pub fn text_of(&self, source: SourceId) -> Option<Arc<str>> {
        self.sources.borrow().get(source).map(|source| source.text.clone())
    }

    /// The type and problems of a key.
    pub fn typed(&self, key: &str) -> Option<Rc<Typed>> {
        self.state.environment.borrow().get(key).map(|d| d.typed.clone())
    }

    /// The definition of a key.
    pub fn definition(&self, key: &str) -> Option<Rc<Definition>> {
        self.state.environment.borrow().get(key).cloned()
    }

    /// The key that a name stands for: `it` is the last result.
    pub fn key(&self, name: &str) -> Option<Name> {
        let environment = self.state.environment.borrow();
        if name == "it" && environment.get("it").is_none() {
            return environment.it.clone();
        }
        environment.get(name).map(|_| Name::new(name))
    }

    /// The names a user can write that are near one that nobody bound.
    pub fn near(&self, name: &str) -> Vec<Name> {
        let all = self.all();
        near(name, all.iter().map(|n| n.as_str()))
    }
}

impl Names for World {
    fn is_bound(&self, name: &str) -> bool {
        name == "std" || self.entering.get() || self.key(name).is_some()
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

    fn past(&self, name: &str) -> Option<Past> {
        let number: u32 = name.strip_prefix('$')?.parse().ok()?;
        let environment = self.state.environment.borrow();
        let by = |d: &&Rc<Definition>| d.cell == number && number > 0 && !d.name.starts_with(['$', '%']);
        let now: Vec<Name> = environment.iter().map(|(_, d)| d).filter(by).map(|d| d.name.clone()).collect();
        let before = || environment.all_replaced().filter(by).map(|d| d.name.clone()).collect();
        let anew = now.is_empty();
        let defined = if anew { before() } else { now };
        Some(Past { number, defined, anew })
    }

    fn stop(&self) -> Stop<'_> {
        self.interrupt.stop()
    }
}

/// What a file sees of the session: `std`, and the interrupt.
pub(crate) struct InFile<'a>(pub Stop<'a>);

impl Names for InFile<'_> {
    fn is_bound(&self, name: &str) -> bool {
        OnlyStd.is_bound(name)
    }

    fn all(&self) -> Vec<Name> {
        OnlyStd.all()
    }

    fn stop(&self) -> Stop<'_> {
        self.0
    }
}

fn split_paths(value: &str) -> Vec<PathBuf> {
    value.split(':').filter(|p| !p.is_empty()).map(PathBuf::from).collect()
}
