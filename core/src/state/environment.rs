//! What the session binds: a persistent map from names to definitions. A snapshot is a clone, O(1).
//!
//! A name means its newest definition, whenever it is read. One that a definition reads of its own name is its
//! predecessor: the session renames that use to the predecessor's *key* (`x@3`), under which the older definition stays
//! reachable. `users` is the other direction: who reads a key.

use crate::problem::Problem;
use crate::term::{Node, Term};
use crate::text::{Name, Span};
use crate::ty::Scheme;
use crate::value::{Revision, Thunk};
use rpds::{Queue, RedBlackTreeMap, RedBlackTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// A definition's type, and what inference said of it.
pub struct Typed {
    /// The type.
    pub scheme: Arc<Scheme>,
    /// The problems.
    pub problems: Vec<Problem>,
}

/// What a name means.
#[derive(Clone)]
pub struct Definition {
    /// The name as the user wrote it.
    pub name: Name,
    /// Unique in the session.
    pub id: u32,
    /// The cell that made it; 0 for files.
    pub cell: u32,
    /// Where the name was written.
    pub span: Option<Span>,
    /// Its documentation.
    pub doc: Option<Name>,
    /// What it means, uses of its own name renamed to the predecessor's key.
    pub term: Arc<Term>,
    /// The keys it reads, each once.
    pub uses: Rc<[Name]>,
    /// Its type.
    pub typed: Rc<Typed>,
    /// The value of a result, which stays what it was seen as. The values of other definitions are in `values.rs`.
    pub kept: Option<Kept>,
    /// Every definition comes after those it read when it was made: re-checking goes by rank.
    pub rank: u32,
}

/// The value of a result.
#[derive(Clone)]
pub struct Kept {
    /// The value.
    pub thunk: Thunk,
    /// When it came about.
    pub born: Revision,
}

impl Definition {
    /// The key it stays reachable under once it is somebody's predecessor.
    pub fn old_key(&self) -> Name {
        Name::from(format!("{}@{}", self.name, self.id))
    }

    /// Whether its term imports files.
    pub fn imports(&self) -> bool {
        self.term.imports()
    }
}

/// Everything that is bound. Cloning is O(1) and takes a snapshot.
#[derive(Clone, Default)]
pub struct Environment {
    definitions: RedBlackTreeMap<Name, Rc<Definition>>,
    users: RedBlackTreeMap<Name, RedBlackTreeSet<Name>>,
    /// The definitions of a name that were replaced, the oldest first: what `:history` and undo will read.
    history: RedBlackTreeMap<Name, Queue<Rc<Definition>>>,
    /// The definitions of all names that were replaced, by name and id, the oldest first; some are forgotten already.
    replaced: Queue<(Name, u32)>,
    /// The definitions that read each other in a ring, and some that did.
    rings: RedBlackTreeSet<Name>,
    /// The results that are kept, the oldest first.
    results: Queue<Name>,
    next_id: u32,
    /// How often something was bound or unbound.
    edits: u64,
    /// The key that `it` stands for.
    pub it: Option<Name>,
}

/// How many times as many older definitions are kept of all names together as of one.
const OLDER: usize = 4;

/// Whether a user can write this name (and see it in lists): internal ones hold `%`, `@` or `$`.
pub fn is_written(name: &str) -> bool {
    !name.contains(['%', '@', '$'])
}

/// Whether a key never changes what it means: a predecessor, a result.
fn is_fixed(key: &str) -> bool {
    key.contains(['@', '$'])
}

impl Environment {
    /// The definition of a key. O(log names).
    pub fn get(&self, key: &str) -> Option<&Rc<Definition>> {
        self.definitions.get(key)
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.definitions.size()
    }

    /// Every key, in order.
    pub fn keys(&self) -> impl Iterator<Item = &Name> {
        self.definitions.keys()
    }

    /// All definitions, those of results and predecessors too, in the place of the environment: taking that apart is then taking
    /// apart each of them. O(names).
    pub fn into_definitions(self) -> Vec<Rc<Definition>> {
        self.definitions.values().cloned().collect()
    }

    /// The definitions from a key on, in order of keys. O(log names) to the first.
    pub fn from<'a>(&'a self, key: &str) -> impl Iterator<Item = (&'a Name, &'a Rc<Definition>)> + 'a {
        self.definitions.range(Name::new(key)..)
    }

    /// Every definition with its key, in order of keys.
    pub fn iter(&self) -> impl Iterator<Item = (&Name, &Rc<Definition>)> {
        self.definitions.iter()
    }

    /// The names that mean something else than in an older state, in order. O(names).
    pub fn differing(&self, older: &Environment) -> Vec<Name> {
        let meaning = |environment: &Environment, key: &Name| environment.get(key).map(|d| Arc::as_ptr(&d.term));
        let changed = self.keys().filter(|key| meaning(self, key) != meaning(older, key));
        let gone = older.keys().filter(|key| self.get(key).is_none());
        let mut all: Vec<Name> = changed.chain(gone).filter(|key| is_written(key)).cloned().collect();
        all.sort();
        all
    }

    /// The keys of the definitions that read a key.
    pub fn users(&self, key: &str) -> impl Iterator<Item = &Name> {
        self.users.get(key).into_iter().flat_map(|set| set.iter())
    }

    /// Whether nothing was bound or unbound between a snapshot and another that was made of it.
    pub fn is_same(&self, other: &Environment) -> bool {
        self.edits == other.edits && self.it == other.it
    }

    /// Gives no id that was given in another environment.
    pub fn follow(&mut self, other: &Environment) {
        self.next_id = self.next_id.max(other.next_id);
    }

    /// The definitions of a name that were replaced, the oldest first, as far as they are kept.
    pub fn replaced(&self, name: &str) -> impl Iterator<Item = &Rc<Definition>> {
        self.history.get(name).into_iter().flat_map(|history| history.iter())
    }

    /// The definitions of all names that were replaced, as far as they are kept.
    pub fn all_replaced(&self) -> impl Iterator<Item = &Rc<Definition>> {
        self.history.values().flat_map(|history| history.iter())
    }

    /// How many definitions read a key, and whether a given one does.
    pub fn user_set(&self, key: &str) -> Option<&RedBlackTreeSet<Name>> {
        self.users.get(key)
    }

    /// The definitions that stand in a ring, or did.
    pub fn rings(&self) -> &RedBlackTreeSet<Name> {
        &self.rings
    }

    /// Remembers that a definition stands in a ring.
    pub fn in_ring(&mut self, key: Name) {
        self.rings.insert_mut(key);
    }

    /// Remembers that a definition stands in no ring.
    pub fn out_of_ring(&mut self, key: &Name) {
        self.rings.remove_mut(key);
    }

    /// A fresh id.
    pub fn fresh(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id
    }

    /// The id that was given last.
    pub fn last_id(&self) -> u32 {
        self.next_id
    }

    /// The rank of a definition that reads these keys: one more than the highest of theirs.
    pub fn rank(&self, uses: &[Name]) -> u32 {
        uses.iter().filter_map(|key| self.get(key)).map(|d| d.rank + 1).max().unwrap_or(0)
    }

    /// Makes `new` the meaning of its name. What it replaces is kept in the name's history, and under its old key if the
    /// new definition reads it. O(uses × log names).
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

    /// Puts a re-checked definition in the place of the same one.
    pub fn update(&mut self, key: &Name, definition: Definition) {
        self.edits += 1;
        self.definitions.insert_mut(key.clone(), Rc::new(definition));
    }

    /// Makes a definition of another session the meaning of a key, without history.
    pub fn adopt(&mut self, key: Name, definition: Definition) {
        self.remove(&key);
        let definition = Rc::new(definition);
        self.remember_uses(&key, &definition);
        self.definitions.insert_mut(key, definition);
    }

    /// Binds a result: it keeps the meaning it has now and is never checked again.
    pub fn keep(&mut self, key: Name, definition: Definition) {
        self.edits += 1;
        self.definitions.insert_mut(key, Rc::new(definition));
    }

    /// A definition reads an older one under its key.
    pub fn reads_older(&mut self, key: &Name) {
        if let Some(older) = self.definitions.get(key).cloned() {
            self.remember_uses(key, &older);
        }
    }

    /// Remembers a result as the newest, once it was evaluated: one that is all there reads nothing any more.
    pub fn kept(&mut self, key: &Name) {
        let Some(result) = self.definitions.get(key).cloned() else { return };
        let atom = result.kept.as_ref().and_then(|kept| kept.thunk.peek()).is_some_and(|value| {
            use crate::value::Value::*;
            matches!(value, Null | Bool(_) | Number(_) | String(_) | Tag(_))
        });
        for used in result.uses.iter().filter(|used| !atom && is_fixed(used)) {
            let set = self.users.get(used).cloned().unwrap_or_default();
            self.users.insert_mut(used.clone(), set.insert(key.clone()));
        }
        self.results.enqueue_mut(key.clone());
    }

    /// Forgets what is older than the newest so many: definitions of `name` that were replaced, results that nothing
    /// reads, and, of all names, definitions beyond [`OLDER`] times as many. Amortized O(log names).
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
        while self.replaced.len() > newest.saturating_mul(OLDER) {
            let Some((name, id)) = self.replaced.peek().cloned() else { break };
            self.replaced.dequeue_mut();
            let Some(mut history) = self.history.get(&name).cloned() else { continue };
            let Some(oldest) = history.peek().filter(|oldest| oldest.id == id).cloned() else { continue };
            history.dequeue_mut();
            self.history.insert_mut(name, history);
            self.release(&oldest);
        }
        // one that is read waits for another turn
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

    fn is_read(&self, key: &str) -> bool {
        self.users.get(key).is_some_and(|users| !users.is_empty())
    }

    /// Unbinds the predecessors that only a forgotten definition read, and those that only they did.
    fn release(&mut self, forgotten: &Definition) {
        let mut work: Vec<Name> = forgotten.uses.iter().filter(|used| used.contains('@')).cloned().collect();
        while let Some(key) = work.pop() {
            if self.is_read(&key) {
                continue;
            }
            let Some(definition) = self.definitions.get(&key).cloned() else { continue };
            self.forget_uses(&key, &definition);
            self.definitions.remove_mut(&key);
            work.extend(definition.uses.iter().filter(|used| used.contains('@')).cloned());
        }
    }

    /// The texts that some definition's term was written in.
    pub fn sources(&self) -> impl Iterator<Item = crate::text::SourceId> {
        let replaced = self.history.values().flat_map(|history| history.iter());
        self.definitions.values().chain(replaced).map(|d| d.term.span(d.term.root).source)
    }

    /// Removes a name. Its history stays.
    pub fn remove(&mut self, key: &Name) {
        self.edits += 1;
        if let Some(old) = self.definitions.get(key).cloned() {
            self.forget_uses(key, &old);
            self.definitions.remove_mut(key);
        }
    }

    /// Makes `new` an older meaning of its name: before those in its history that are `later`, and in the place of those that
    /// are `replaced`. O(history).
    pub fn hide(
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

    /// Takes the definitions of a name that are `gone` out of it and its history; what is newest then is what it means. Whether
    /// it means something else now, or nothing. O(history).
    pub fn withdraw(&mut self, key: &Name, gone: impl Fn(&Definition) -> bool) -> bool {
        let mut left: Vec<Rc<Definition>> = self.replaced(key).filter(|old| !gone(old)).cloned().collect();
        let is_gone = self.definitions.get(key).is_some_and(|now| gone(now));
        let before = is_gone.then(|| left.pop()).flatten();
        if is_gone {
            self.remove(key);
        }
        if let Some(before) = before {
            self.remember_uses(key, &before);
            self.definitions.insert_mut(key.clone(), before);
        }
        self.history.insert_mut(key.clone(), left.into_iter().collect());
        is_gone
    }

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

    fn remember_uses(&mut self, user: &Name, definition: &Definition) {
        for used in definition.uses.iter() {
            let set = self.users.get(used).cloned().unwrap_or_default();
            self.users.insert_mut(used.clone(), set.insert(user.clone()));
        }
    }
}

/// The names a term reads from outside, the library left out.
pub fn uses(term: &Term) -> Rc<[Name]> {
    term.globals.iter().map(|(name, _)| name).filter(|name| *name != "std").cloned().collect()
}

/// Renames free names of a term that nobody else holds yet. Where somebody does, it stays as it is.
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
