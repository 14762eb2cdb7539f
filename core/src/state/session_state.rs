//! Everything that a session knows, in one struct.
//!
//! Undo, snapshots, replicas and sessions that try an edit all clone a [`SessionState`] or derive from it here.
//! [`SessionState::replace`] and [`SessionState::portable`] take it apart field by field, so that the compiler asks what a
//! new field means for each of them.

use super::environment::Environment;
use super::external::External;
use super::files::Files;
use super::journal::{Journal, Loaded};
use super::settings::Settings;
use crate::dialect::Dialect;
use crate::term::Term;
use crate::value::Revision;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

/// What a session knows. A clone is a snapshot: O(1) but for the lists of external inputs.
///
/// Each field has a cell of its own, because evaluation re-enters the session through imports and names.
#[derive(Clone)]
pub(crate) struct SessionState {
    /// The definitions.
    pub environment: RefCell<Environment>,
    /// What programs read from outside.
    pub inputs: Inputs,
    /// The files that `:load` read, in order.
    pub loaded: RefCell<Rc<Vec<Loaded>>>,
    /// The inputs that led here, the oldest first.
    pub journal: RefCell<Journal>,
    /// The commands that the user defined with `:def`, and the input that each stands for.
    pub aliases: RefCell<Arc<BTreeMap<String, String>>>,
    /// The terms of the newest cell, for `:why`.
    pub newest: RefCell<Vec<Arc<Term>>>,
    /// Whether the session has said that `+` ignores priorities.
    pub plus_noted: Cell<bool>,
    /// The options of `:set`.
    pub settings: RefCell<Arc<Settings>>,
    /// The number of the next cell.
    pub next: Cell<u32>,
    /// The session's language: inputs without a `%%` line are read in it.
    pub dialect: Cell<Dialect>,
    /// The last input that is not a command, for `:holes`.
    pub last_input: RefCell<Option<Arc<LastInput>>>,
    /// For each cell that was run again, by number: the number of its first run, which is its place in the notebook.
    pub slots: RefCell<Rc<BTreeMap<u32, u32>>>,
}

/// What programs read from outside.
#[derive(Clone, Default)]
pub(crate) struct Inputs {
    /// The files that were read.
    pub files: RefCell<Files>,
    /// External variables and arguments.
    pub externals: RefCell<Vec<Rc<External>>>,
    /// The folders that imports are looked for in, first to last: `-J`, `-I` and the environment's.
    pub folders: RefCell<Vec<PathBuf>>,
    /// The revision in which they became what they are, for the first time: they may have been others since, and come back.
    pub since: Cell<Revision>,
}

impl Inputs {
    /// Exchanges these inputs and others.
    pub fn swap(&self, other: &Inputs) {
        let Inputs { files, externals, folders, since } = self;
        files.swap(&other.files);
        externals.swap(&other.externals);
        folders.swap(&other.folders);
        since.swap(&other.since);
    }
}

/// An input that is not a command.
pub(crate) struct LastInput {
    /// Its language.
    pub dialect: Dialect,
    /// The name of its text: `cfg[3]`.
    pub name: String,
    /// Its text, with a blank line for a `%%` line.
    pub text: String,
}

/// The part of a state that another thread may have as it is. Cloning is cheap: all of it but the paths is shared.
#[derive(Clone)]
pub(crate) struct Portable {
    folders: Vec<PathBuf>,
    aliases: Arc<BTreeMap<String, String>>,
    newest: Vec<Arc<Term>>,
    plus_noted: bool,
    settings: Arc<Settings>,
    next: u32,
    dialect: Dialect,
    last_input: Option<Arc<LastInput>>,
}

impl Portable {
    /// The options.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}

impl SessionState {
    /// An empty state of a session that speaks a language; imports are looked for in these folders.
    pub fn new(dialect: Dialect, folders: Vec<PathBuf>) -> SessionState {
        SessionState {
            environment: RefCell::default(),
            inputs: Inputs { folders: RefCell::new(folders), ..Inputs::default() },
            loaded: RefCell::default(),
            journal: RefCell::default(),
            aliases: RefCell::default(),
            newest: RefCell::default(),
            plus_noted: Cell::new(false),
            settings: RefCell::default(),
            next: Cell::new(1),
            dialect: Cell::new(dialect),
            last_input: RefCell::default(),
            slots: RefCell::default(),
        }
    }

    /// Whether a later state has the same content as this one: whether the inputs between the two changed nothing that
    /// undo takes back. O(1) but for the options that hold lists.
    pub fn is_same(&self, later: &SessionState) -> bool {
        let (settings, now) = (self.settings.borrow(), later.settings.borrow());
        self.environment.borrow().is_same(&later.environment.borrow())
            && Rc::ptr_eq(&self.loaded.borrow(), &later.loaded.borrow())
            && Arc::ptr_eq(&self.aliases.borrow(), &later.aliases.borrow())
            && (Arc::ptr_eq(&settings, &now) || settings.inputs == now.inputs)
    }

    /// Goes to the content of a snapshot, as undo does. The numbering of cells, the language and the options that are the
    /// user's preferences stay. `inputs`: whether files, external variables and folders change too.
    pub fn go_to(&self, snapshot: SessionState, inputs: bool) {
        let then = snapshot.settings.take();
        if then.inputs != self.settings.borrow().inputs {
            self.change_settings(|settings| settings.restore_inputs(&then));
        }
        let now = self.clone();
        self.replace(SessionState {
            settings: now.settings,
            next: now.next,
            dialect: now.dialect,
            last_input: now.last_input,
            slots: now.slots,
            inputs: if inputs { snapshot.inputs } else { now.inputs },
            ..snapshot
        });
    }

    /// Becomes a snapshot, whole. Ids of definitions are not given again.
    pub fn replace(&self, snapshot: SessionState) {
        let SessionState {
            environment,
            inputs,
            loaded,
            journal,
            aliases,
            newest,
            plus_noted,
            settings,
            next,
            dialect,
            last_input,
            slots,
        } = snapshot;
        environment.borrow_mut().follow(&self.environment.borrow());
        self.environment.swap(&environment);
        self.inputs.swap(&inputs);
        self.loaded.swap(&loaded);
        self.journal.swap(&journal);
        self.aliases.swap(&aliases);
        self.newest.swap(&newest);
        self.plus_noted.swap(&plus_noted);
        self.settings.swap(&settings);
        self.next.swap(&next);
        self.dialect.swap(&dialect);
        self.last_input.swap(&last_input);
        self.slots.swap(&slots);
    }

    /// The state of an empty session that keeps its options, numbering and language, and of its journal these entries.
    pub fn emptied(&self, journal: Journal) -> SessionState {
        let kept = self.clone();
        SessionState {
            environment: RefCell::default(),
            inputs: Inputs { files: RefCell::default(), ..kept.inputs },
            loaded: RefCell::default(),
            journal: RefCell::new(journal),
            newest: RefCell::default(),
            plus_noted: Cell::new(false),
            ..kept
        }
    }

    /// The options.
    pub fn settings(&self) -> Arc<Settings> {
        self.settings.borrow().clone()
    }

    /// Changes the options.
    pub fn change_settings<T>(&self, change: impl FnOnce(&mut Settings) -> T) -> T {
        change(Arc::make_mut(&mut self.settings.borrow_mut()))
    }

    /// The part that another thread may have.
    pub fn portable(&self) -> Portable {
        let SessionState {
            environment: _,
            inputs: Inputs { files: _, externals: _, folders, since: _ },
            loaded: _,
            journal: _,
            aliases,
            newest,
            plus_noted,
            settings,
            next,
            dialect,
            last_input,
            slots: _,
        } = self;
        Portable {
            folders: folders.borrow().clone(),
            aliases: aliases.borrow().clone(),
            newest: newest.borrow().clone(),
            plus_noted: plus_noted.get(),
            settings: settings.borrow().clone(),
            next: next.get(),
            dialect: dialect.get(),
            last_input: last_input.borrow().clone(),
        }
    }

    /// Takes over what another session's state had that may go to another thread.
    pub fn adopt(&self, portable: &Portable) {
        let Portable { folders, aliases, newest, plus_noted, settings, next, dialect, last_input } = portable.clone();
        self.inputs.folders.replace(folders);
        self.aliases.replace(aliases);
        self.newest.replace(newest);
        self.plus_noted.set(plus_noted);
        self.settings.replace(settings);
        self.next.set(next);
        self.dialect.set(dialect);
        self.last_input.replace(last_input);
    }
}
