//! The whole state of a session, in one struct.
//!
//! Undo, snapshots, replicas and sessions that try an edit clone a [`SessionState`] or derive one here.
//! [`SessionState::replace`] and [`SessionState::portable`] destructure it field by field, so a new field is a
//! compile error until both handle it.

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

/// The whole state of a session. A clone is a snapshot and costs O(1), except for the lists of external inputs.
///
/// Each field is a separate cell, because evaluation re-enters the session through imports and names.
#[derive(Clone)]
pub(crate) struct SessionState {
    /// The definitions.
    pub environment: RefCell<Environment>,
    /// The files, external variables and folders that programs read.
    pub inputs: Inputs,
    /// The files that `:load` read, in order.
    pub loaded: RefCell<Rc<Vec<Loaded>>>,
    /// The inputs that produced this state, oldest first.
    pub journal: RefCell<Journal>,
    /// The commands that the user defined with `:def`, each with the input that it expands to.
    pub aliases: RefCell<Arc<BTreeMap<String, String>>>,
    /// The terms of the newest cell, which `:why` without an argument explains.
    pub newest: RefCell<Vec<Arc<Term>>>,
    /// Whether the note that `+` ignores priorities was already shown.
    pub plus_noted: Cell<bool>,
    /// The options of `:set`.
    pub settings: RefCell<Arc<Settings>>,
    /// The number of the next cell.
    pub next: Cell<u32>,
    /// The session's language, used for inputs without a `%%` line.
    pub dialect: Cell<Dialect>,
    /// The last input that is not a command, for `:holes`.
    pub last_input: RefCell<Option<Arc<LastInput>>>,
    /// For each cell that was run again: the number of its first run, which is its position in the notebook.
    pub slots: RefCell<Rc<BTreeMap<u32, u32>>>,
}

/// The inputs of programs other than their own text.
#[derive(Clone, Default)]
pub(crate) struct Inputs {
    /// The files that were read so far.
    pub files: RefCell<Files>,
    /// External variables and arguments.
    pub externals: RefCell<Vec<Rc<External>>>,
    /// The folders in which imports are searched, in order: `-J`, `-I`, then those from environment variables.
    pub folders: RefCell<Vec<PathBuf>>,
    /// The earliest revision with these inputs. They may have differed in between and changed back.
    pub since: Cell<Revision>,
}

impl Inputs {
    /// Swaps these inputs with others.
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
    /// The name of its source, for example `cfg[3]`.
    pub name: String,
    /// Its text, with the `%%` line replaced by spaces.
    pub text: String,
}

/// The part of a state that can be sent to another thread. A clone is cheap: everything except the paths is shared.
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
    /// Creates an empty state for a language. Imports are searched in `folders`.
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

    /// Returns `true` if the inputs between this state and `later` changed nothing that undo restores. O(1), except for
    /// options that hold lists.
    pub fn is_same(&self, later: &SessionState) -> bool {
        let (settings, now) = (self.settings.borrow(), later.settings.borrow());
        self.environment.borrow().is_same(&later.environment.borrow())
            && Rc::ptr_eq(&self.loaded.borrow(), &later.loaded.borrow())
            && Arc::ptr_eq(&self.aliases.borrow(), &later.aliases.borrow())
            && (Arc::ptr_eq(&settings, &now) || settings.inputs == now.inputs)
    }

    /// Restores the content of a snapshot, as undo does. The cell numbering, the language and the user's display options are
    /// kept. If `inputs` is set, files, external variables and folders are restored too.
    pub fn go_to(&self, snapshot: SessionState, inputs: bool) {
        let old = snapshot.settings.take();
        if old.inputs != self.settings.borrow().inputs {
            self.change_settings(|settings| settings.restore_inputs(&old));
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

    /// Restores a snapshot completely. Ids of definitions are not reused.
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
        environment.borrow_mut().reserve_ids_of(&self.environment.borrow());
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

    /// Returns the state of an empty session with the same options, numbering and language, and with the given journal.
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

    /// Copies the part that can be sent to another thread.
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

    /// Takes over the portable part of another session's state.
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
