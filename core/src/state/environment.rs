//! The definitions of a session: a persistent map from names to definitions. A snapshot is a clone in O(1).
//!
//! A name refers to its newest definition. If a definition reads an earlier definition of the same name (`x = x + 1`), that
//! one is its predecessor: the session renames the use to the predecessor's *key* (`x@3`), under which the earlier
//! definition stays reachable. `users` is the reverse index: the definitions that read a key.

use crate::problem::Problem;
use crate::term::{Node, Rules, Term};
use crate::text::{Name, Span};
use crate::ty::Scheme;
use crate::value::{Revision, Thunk};
use rpds::{Queue, RedBlackTreeMap, RedBlackTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// The result of inferring a definition.
pub struct Typed {
    /// The type.
    pub scheme: Arc<Scheme>,
    /// The problems.
    pub problems: Vec<Problem>,
    /// Further places at which it may fail, if evaluation runs into them.
    pub suspected: Vec<Problem>,
}

/// A definition of a name.
#[derive(Clone)]
pub struct Definition {
    /// The name as the user wrote it.
    pub name: Name,
    /// An id, unique in the session.
    pub id: u32,
    /// The cell that made it. 0 for definitions from files.
    pub cell: u32,
    /// The span of the name where it was defined.
    pub span: Option<Span>,
    /// Its documentation.
    pub doc: Option<Name>,
    /// The definition's term. Uses of the name itself are renamed to the predecessor's key.
    pub term: Arc<Term>,
    /// The keys that it reads, without duplicates.
    pub uses: Rc<[Name]>,
    /// Its type.
    pub typed: Rc<Typed>,
    /// The value of a result, which never changes. Values of other definitions are in `values.rs`.
    pub kept: Option<Kept>,
    /// A number higher than the ranks of all that it read when it was made. Definitions are checked again in this order.
    pub rank: u32,
}

/// The value of a result.
#[derive(Clone)]
pub struct Kept {
    /// The value.
    pub thunk: Thunk,
    /// The revision in which it was computed.
    pub revision: Revision,
}

impl Definition {
    /// The key under which it stays reachable as a predecessor.
    pub fn old_key(&self) -> Name {
        Name::from(format!("{}@{}", self.name, self.id))
    }

    /// Returns `true` if its term imports files.
    pub fn imports(&self) -> bool {
        self.term.imports()
    }
}

/// All definitions. A clone is a snapshot and costs O(1).
#[derive(Clone, Default)]
pub struct Environment {
    definitions: RedBlackTreeMap<Name, Rc<Definition>>,
    users: RedBlackTreeMap<Name, RedBlackTreeSet<Name>>,
    /// The replaced definitions of each name, oldest first. Read by `:history` and undo.
    history: RedBlackTreeMap<Name, Queue<Rc<Definition>>>,
    /// The replaced definitions of all names, by name and id, oldest first. May contain some that are already forgotten.
    replaced: Queue<(Name, u32)>,
    /// The definitions that are, or once were, part of a cycle.
    rings: RedBlackTreeSet<Name>,
    /// The results that are kept, oldest first.
    results: Queue<Name>,
    next_id: u32,
    /// The number of changes so far.
    edits: u64,
    /// The key that `it` refers to.
    pub it: Option<Name>,
}

/// The factor between the numbers of replaced definitions that are kept for all names together and for one name.
const HISTORY_FACTOR: usize = 4;

/// Returns `true` if users can write this name and see it in lists. Internal names contain `%`, `@` or `$`.
pub fn is_written(name: &str) -> bool {
    !name.contains(['%', '@', '$'])
}

/// Returns `true` if a key belongs to a predecessor: a definition that a later one of the same name replaces.
pub fn is_predecessor(key: &str) -> bool {
    key.contains('@')
}

/// Returns `true` if the definition of a key never changes: predecessors and results.
fn is_fixed(key: &str) -> bool {
    key.contains(['@', '$'])
}

impl Environment {
    /// Returns the definition of a key. O(log names).
    pub fn get(&self, key: &str) -> Option<&Rc<Definition>> {
        self.definitions.get(key)
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.definitions.size()
    }

    /// Returns every key, sorted.
    pub fn keys(&self) -> impl Iterator<Item = &Name> {
        self.definitions.keys()
    }

    /// Converts the environment to a list of all its definitions, including results and predecessors, so that they can be
    /// dropped one by one. O(names).
    pub fn into_definitions(self) -> Vec<Rc<Definition>> {
        self.definitions.values().cloned().collect()
    }

    /// Returns the definitions with keys from `key` on, sorted. O(log names) to the first.
    pub fn from<'a>(&'a self, key: &str) -> impl Iterator<Item = (&'a Name, &'a Rc<Definition>)> + 'a {
        self.definitions.range(Name::new(key)..)
    }

    /// Returns the keys of the results of languages whose rules pass a test, newest first.
    pub fn results_where(&self, test: impl Fn(&Rules) -> bool) -> Vec<Name> {
        let passes = |key: &&Name| self.get(key).is_some_and(|result| test(result.term.rules));
        let keys = self.results.iter().chain(self.it.iter().filter(|it| !self.results.iter().any(|key| key == *it)));
        let mut all: Vec<(u32, Name)> =
            keys.filter(passes).filter_map(|key| Some((self.get(key)?.cell, key.clone()))).collect();
        all.sort_by_key(|(cell, _)| std::cmp::Reverse(*cell));
        all.into_iter().map(|(_, key)| key).collect()
    }

    /// Returns every definition with its key, sorted by key.
    pub fn iter(&self) -> impl Iterator<Item = (&Name, &Rc<Definition>)> {
        self.definitions.iter()
    }

    /// Returns the names, sorted, whose definition differs from that in an older state. O(names).
    pub fn changed_names(&self, older: &Environment) -> Vec<Name> {
        let term_of = |environment: &Environment, key: &Name| environment.get(key).map(|d| Arc::as_ptr(&d.term));
        let changed = self.keys().filter(|key| term_of(self, key) != term_of(older, key));
        let removed = older.keys().filter(|key| self.get(key).is_none());
        let mut all: Vec<Name> = changed.chain(removed).filter(|key| is_written(key)).cloned().collect();
        all.sort();
        all
    }

    /// Returns the keys of the definitions that read a key.
    pub fn users(&self, key: &str) -> impl Iterator<Item = &Name> {
        self.users.get(key).into_iter().flat_map(|set| set.iter())
    }

    /// Returns `true` if nothing changed between a snapshot and an environment derived from it.
    pub fn is_same(&self, other: &Environment) -> bool {
        self.edits == other.edits && self.it == other.it
    }

    /// Makes sure that the ids of another environment are not used again.
    pub fn reserve_ids_of(&mut self, other: &Environment) {
        self.next_id = self.next_id.max(other.next_id);
    }

    /// Returns the replaced definitions of a name that are still kept, oldest first.
    pub fn replaced(&self, name: &str) -> impl Iterator<Item = &Rc<Definition>> {
        self.history.get(name).into_iter().flat_map(|history| history.iter())
    }

    /// Returns the replaced definitions of all names that are still kept.
    pub fn all_replaced(&self) -> impl Iterator<Item = &Rc<Definition>> {
        self.history.values().flat_map(|history| history.iter())
    }

    /// Returns the set of keys that read a key.
    pub fn user_set(&self, key: &str) -> Option<&RedBlackTreeSet<Name>> {
        self.users.get(key)
    }

    /// The definitions that are, or once were, part of a cycle.
    pub fn rings(&self) -> &RedBlackTreeSet<Name> {
        &self.rings
    }

    /// Records that a definition is part of a cycle.
    pub fn add_to_rings(&mut self, key: Name) {
        self.rings.insert_mut(key);
    }

    /// Records that a definition is not part of a cycle.
    pub fn remove_from_rings(&mut self, key: &Name) {
        self.rings.remove_mut(key);
    }

    /// Returns an unused id.
    pub fn fresh(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id
    }

    /// The last id that was used.
    pub fn last_id(&self) -> u32 {
        self.next_id
    }

    /// Returns the rank of a definition that reads these keys: one more than their highest rank.
    pub fn rank(&self, uses: &[Name]) -> u32 {
        uses.iter().filter_map(|key| self.get(key)).map(|d| d.rank + 1).max().unwrap_or(0)
    }

    /// Binds a name to `new`. The replaced definition goes to the name's history; if `new` reads it, it also stays bound
    /// under its old key. O(uses × log names).
    pub fn define(&mut self, new: Definition) -> Rc<Definition> {
        self.edits += 1;
        let key = new.name.clone();
        if let Some(old) = self.definitions.get(&key).cloned() {
            self.forget_uses(&key, &old);
            let kept = old.old_key();
            if new.uses.contains(&kept) {
                self.remember_uses(&kept, &old);
                self.definitions.insert_mut(kept, old.clone());
            }
            let history = self.history.get(&key).cloned().unwrap_or_default();
            self.replaced.enqueue_mut((key.clone(), old.id));
            self.history.insert_mut(key.clone(), history.enqueue(old));
        }
        let new = Rc::new(new);
        self.remember_uses(&key, &new);
        self.definitions.insert_mut(key, new.clone());
        new
    }

    /// Replaces a definition by its re-checked version.
    pub fn update(&mut self, key: &Name, definition: Definition) {
        self.edits += 1;
        self.definitions.insert_mut(key.clone(), Rc::new(definition));
    }

    /// Binds a key to a definition from another session, without history.
    pub fn adopt(&mut self, key: Name, definition: Definition) {
        self.remove(&key);
        let definition = Rc::new(definition);
        self.remember_uses(&key, &definition);
        self.definitions.insert_mut(key, definition);
    }

    /// Binds a key to a definition that never changes and is never checked again: a result, or a predecessor.
    pub fn bind_fixed(&mut self, key: Name, definition: Definition) {
        self.edits += 1;
        self.definitions.insert_mut(key, Rc::new(definition));
    }

    /// Records that a definition reads a predecessor by its key.
    pub fn record_read(&mut self, key: &Name) {
        if let Some(older) = self.definitions.get(key).cloned() {
            self.remember_uses(key, &older);
        }
    }

    /// Records an evaluated result as the newest. A result that is a scalar needs none of the keys that it read.
    pub fn record_result(&mut self, key: &Name) {
        let Some(result) = self.definitions.get(key).cloned() else { return };
        let is_scalar = result.kept.as_ref().and_then(|kept| kept.thunk.computed()).is_some_and(|value| {
            use crate::value::Value::*;
            matches!(value, Null | Bool(_) | Number(_) | String(_) | Tag(_))
        });
        for used in result.uses.iter().filter(|used| !is_scalar && is_fixed(used)) {
            let set = self.users.get(used).cloned().unwrap_or_default();
            self.users.insert_mut(used.clone(), set.insert(key.clone()));
        }
        self.results.enqueue_mut(key.clone());
    }

    /// Forgets everything except the newest definitions and results: of replaced definitions of `name`, of results that
    /// nothing reads, and of all replaced definitions beyond [`HISTORY_FACTOR`] times that number. Amortized O(log names).
    pub fn limit(&mut self, name: Option<&Name>, newest: usize) {
        if let Some(name) = name
            && let Some(history) = self.history.get(name)
            && history.len() > newest
        {
            let mut history = history.clone();
            while history.len() > newest {
                let oldest = history.peek().cloned();
                history.dequeue_mut();
                if let Some(oldest) = oldest {
                    self.release(&oldest);
                }
            }
            self.history.insert_mut(name.clone(), history);
        }
        while self.replaced.len() > newest.saturating_mul(HISTORY_FACTOR) {
            let Some((name, id)) = self.replaced.peek().cloned() else { break };
            self.replaced.dequeue_mut();
            let Some(mut history) = self.history.get(&name).cloned() else { continue };
            let Some(oldest) = history.peek().filter(|oldest| oldest.id == id).cloned() else { continue };
            history.dequeue_mut();
            self.history.insert_mut(name, history);
            self.release(&oldest);
        }
        // a result that is read moves to the end of the queue
        let mut turns = 2;
        while self.results.len() > newest && turns > 0 {
            turns -= 1;
            let Some(oldest) = self.results.peek().cloned() else { break };
            self.results.dequeue_mut();
            if self.it.as_ref() == Some(&oldest) || self.is_read(&oldest) {
                self.results.enqueue_mut(oldest);
            } else if let Some(definition) = self.definitions.get(&oldest).cloned() {
                self.forget_uses(&oldest, &definition);
                self.definitions.remove_mut(&oldest);
                self.release(&definition);
            }
        }
    }

    /// Returns whether a definition reads a key.
    fn is_read(&self, key: &str) -> bool {
        self.users.get(key).is_some_and(|users| !users.is_empty())
    }

    /// Unbinds the predecessors that only a forgotten definition read and, transitively, those that only they read.
    fn release(&mut self, forgotten: &Definition) {
        let mut work: Vec<Name> = forgotten.uses.iter().filter(|used| is_predecessor(used)).cloned().collect();
        while let Some(key) = work.pop() {
            if self.is_read(&key) {
                continue;
            }
            let Some(definition) = self.definitions.get(&key).cloned() else { continue };
            self.forget_uses(&key, &definition);
            self.definitions.remove_mut(&key);
            work.extend(definition.uses.iter().filter(|used| is_predecessor(used)).cloned());
        }
    }

    /// Returns the sources in which terms of definitions are written.
    pub fn sources(&self) -> impl Iterator<Item = crate::text::SourceId> {
        let replaced = self.history.values().flat_map(|history| history.iter());
        self.definitions.values().chain(replaced).map(|d| d.term.span(d.term.root).source)
    }

    /// Removes a name. Its history is kept.
    pub fn remove(&mut self, key: &Name) {
        self.edits += 1;
        if let Some(old) = self.definitions.get(key).cloned() {
            self.forget_uses(key, &old);
            self.definitions.remove_mut(key);
        }
    }

    /// Adds `new` to its name's history, as an older definition: before those for which `later` is true, instead of
    /// those for which `replaced` is true. O(history).
    pub fn insert_older(
        &mut self,
        new: Definition,
        replaced: impl Fn(&Definition) -> bool,
        later: impl Fn(&Definition) -> bool,
    ) {
        self.edits += 1;
        let key = new.name.clone();
        let mut all: Vec<Rc<Definition>> = self.replaced(&key).filter(|old| !replaced(old)).cloned().collect();
        let at = all.iter().position(|old| later(old)).unwrap_or(all.len());
        all.insert(at, Rc::new(new));
        self.history.insert_mut(key, all.into_iter().collect());
    }

    /// Removes the definitions of a name for which `removes` is true, also from its history. The newest remaining one
    /// becomes the current one. Returns `true` if the current definition was removed. O(history).
    pub fn withdraw(&mut self, key: &Name, removes: impl Fn(&Definition) -> bool) -> bool {
        let mut remaining: Vec<Rc<Definition>> = self.replaced(key).filter(|old| !removes(old)).cloned().collect();
        let is_removed = self.definitions.get(key).is_some_and(|now| removes(now));
        let newest = is_removed.then(|| remaining.pop()).flatten();
        if is_removed {
            self.remove(key);
        }
        if let Some(newest) = newest {
            self.remember_uses(key, &newest);
            self.definitions.insert_mut(key.clone(), newest);
        }
        self.history.insert_mut(key.clone(), remaining.into_iter().collect());
        is_removed
    }

    /// Removes a definition from the reverse index.
    fn forget_uses(&mut self, user: &Name, definition: &Definition) {
        for used in definition.uses.iter() {
            if let Some(set) = self.users.get(used) {
                let set = set.remove(user);
                match set.is_empty() {
                    true => self.users.remove_mut(used),
                    false => {
                        self.users.insert_mut(used.clone(), set);
                        true
                    }
                };
            }
        }
    }

    /// Adds a definition to the reverse index.
    fn remember_uses(&mut self, user: &Name, definition: &Definition) {
        for used in definition.uses.iter() {
            let set = self.users.get(used).cloned().unwrap_or_default();
            self.users.insert_mut(used.clone(), set.insert(user.clone()));
        }
    }
}

/// Returns the global names that a term reads, except `std`.
pub fn uses(term: &Term) -> Rc<[Name]> {
    term.globals.iter().map(|(name, _)| name).filter(|name| *name != "std").cloned().collect()
}

/// Renames free names of a term. Does nothing if the term is shared.
pub fn rename(term: &mut Arc<Term>, names: impl Fn(&Name) -> Option<Name>) {
    let changes: Vec<(Name, Name)> =
        term.globals.iter().filter_map(|(old, _)| names(old).map(|new| (old.clone(), new))).collect();
    if changes.is_empty() {
        return;
    }
    let Some(term) = Arc::get_mut(term) else { return };
    let new = |old: &Name| changes.iter().find(|(from, _)| from == old).map(|(_, to)| to.clone());
    for node in &mut term.nodes {
        if let Node::Global(name) = node
            && let Some(to) = new(name)
        {
            *name = to;
        }
    }
    for (name, _) in &mut term.globals {
        if let Some(to) = new(name) {
            *name = to;
        }
    }
}
