//! Lowering from the syntax tree to the core language: scopes, and programs as recursive `let`s.
//!
//! A file, the body of a class and a branch of an `if` statement are programs. A program becomes a recursive
//! `let` of its definitions; the last one is its graph of resources. A class becomes a function that returns a record of all
//! names that the class binds; `include` calls it. An imported file becomes such a record too.
//!
//! ```text
//! class c($a) { $x = $a  test $x {} }      let "class c" = fun $a => let $x = $a, %out = … in { $x, %out } in
//! include c("t") as i                      let "namespace i" = "class c"("t") in … "namespace i".%out
//! ```

mod expr;
mod lookup;
mod program;
mod resource;
mod scope;
pub mod signature;

pub use scope::key;

use super::grammar::MclGrammar;
use super::kinds::Kinds;
use super::library::{self, Functions};
use super::problem::{Elsewhere, MclProblem, Named};
use super::tree::{Id, Item, Tree};
use crate::dialect::parser::{Lowerer, Lowering, Reading};
use crate::problem::syntax::SyntaxKind;
use crate::term::{NodeId, Rules, Unused, rules};
use crate::text::{Name, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use scope::Scope;
use std::ops::Range;
use std::sync::Arc;

/// The name under which terms read the library.
pub(super) const LIBRARY: &str = rules::GRAPHS.library;

/// The field of a class or a file that holds its graph of resources.
const OUT: &str = "%out";

/// The lowering of mcl.
pub(super) type Lower<'t, const N: bool> = Lowerer<'t, MclGrammar<N>>;

/// The state of one lowering.
#[derive(Default)]
pub(in crate::dialect) struct LoweringState {
    /// Whether the text is a file. A file cannot use the names of a session.
    is_file: bool,
    scopes: Vec<Scope>,
    /// The keys and places of all definitions, by number, and whether importers can read them.
    definitions: Vec<(Name, Span, bool)>,
    /// The definition that is being lowered; `None` for the graph of the program.
    current: Option<usize>,
    /// Pairs of a user (`None` for the graph of the program) and a definition that it uses.
    uses: Vec<(Option<usize>, usize)>,
    /// The definitions inside of classes, by the numbers of the classes. Those of the class itself precede those of classes in it.
    members: FxHashMap<usize, Range<usize>>,
    /// The classes that namespaces include, by the numbers of the namespaces.
    included: FxHashMap<usize, Included>,
    /// The names that are read through namespaces, each with its user.
    accessed: Vec<(Option<usize>, Path)>,
    /// The numbers of the variables that are bound to an int literal, with the literals.
    ints: FxHashMap<usize, (i64, Span)>,
    /// The numbers of the variables that are bound to a string literal, with the literals.
    texts: FxHashMap<usize, Id>,
    /// The parameters of classes, by the numbers of the classes.
    params: FxHashMap<usize, Vec<Name>>,
    /// The numbers of the variables that are bound to a literal of a list or a map, with the literals.
    collections: FxHashMap<usize, Id>,
    reported: FxHashSet<Name>,
    /// The variables of branches and classes, once a variable is not in scope.
    inner: Option<FxHashMap<Name, Elsewhere>>,
    /// The kinds of resources, once needed.
    kinds: Option<Arc<Kinds>>,
}

/// A name that is read through namespaces.
struct Path {
    /// The number of the first namespace.
    namespace: usize,
    /// The keys of the namespaces inside of it.
    inner: Vec<Name>,
    /// The key of the name.
    key: Name,
}

/// The class that an include includes.
enum Included {
    /// A class in scope, by its number.
    Class(usize),
    /// A class of a namespace.
    Through(Path),
}

/// Maximum number of includes that are followed from a namespace to its class.
const MAX_INCLUDES: usize = 200;

impl LoweringState {
    /// Returns the number of the definition with a key in a class.
    fn member(&self, class: usize, key: &Name) -> Option<usize> {
        self.members
            .get(&class)?
            .clone()
            .find(|number| self.definitions.get(*number).is_some_and(|(own, ..)| own == key))
    }

    /// Returns the number of the definition that a path leads to. Follows at most `most` includes.
    fn resolve(&self, path: &Path, known: &mut FxHashMap<usize, Option<usize>>, most: usize) -> Option<usize> {
        let mut class = self.class_of(path.namespace, known, most)?;
        for namespace in &path.inner {
            class = self.class_of(self.member(class, namespace)?, known, most)?;
        }
        self.member(class, &path.key)
    }

    /// Returns the number of the class that a namespace includes. `None` for a file.
    fn class_of(&self, namespace: usize, known: &mut FxHashMap<usize, Option<usize>>, most: usize) -> Option<usize> {
        if let Some(class) = known.get(&namespace) {
            return *class;
        }
        let class = match self.included.get(&namespace)? {
            Included::Class(class) => Some(*class),
            Included::Through(path) => self.resolve(path, known, most.checked_sub(1)?),
        };
        known.insert(namespace, class);
        class
    }
}

impl<const N: bool> Lowering for MclGrammar<N> {
    type State<'t> = LoweringState;
    type CellFacts<'t> = ();

    const RULES: &'static Rules = &rules::GRAPHS;
    const CONSEQUENT_CODES: &'static [&'static str] = &[
        "scope/unbound",
        "scope/recursive",
        "scope/duplicate",
        "scope/class-arguments",
        "init/unknown-kind",
        "init/unknown-field",
    ];
    const KEYWORDS: &'static [&'static str] = &[];

    fn expr(lower: &mut Lower<'_, N>, id: Id) -> NodeId {
        lower.expr_here(id)
    }

    fn unbound(_: &mut Lower<'_, N>, name: &Name, near: Vec<Name>) -> SyntaxKind {
        MclProblem::Unbound { what: Named::Variable, name: name.clone(), near, elsewhere: None }.into()
    }

    fn facts(_: &Tree) {}

    fn item(reading: &mut Reading<'_, MclGrammar<N>>, item: &Item) {
        reading.part(item);
    }
}

impl<const N: bool> Lower<'_, N> {
    /// Returns the library.
    fn functions(&self) -> &'static Functions {
        let library = self.names.languages().library(LIBRARY);
        library.and_then(|library| library.own()?.downcast_ref()).unwrap_or(&library::STD)
    }

    /// Returns the kinds of resources: the built-in ones, and those of the user's tables. Reports mistakes in the tables, once.
    fn kinds(&mut self) -> Arc<Kinds> {
        if let Some(known) = &self.state.kinds {
            return known.clone();
        }
        let (kinds, problems) = Kinds::of(&self.names.tables());
        self.problems.extend(problems);
        self.state.kinds = Some(kinds.clone());
        kinds
    }

    /// The definitions that nothing uses, directly or through others.
    fn unused_definitions(&self) -> Vec<Unused> {
        let mut by_user: FxHashMap<Option<usize>, Vec<usize>> = FxHashMap::default();
        for (user, used) in &self.state.uses {
            by_user.entry(*user).or_default().push(*used);
        }
        let mut known = FxHashMap::default();
        for (user, path) in &self.state.accessed {
            by_user.entry(*user).or_default().extend(self.state.resolve(path, &mut known, MAX_INCLUDES));
        }
        let mut reached = vec![false; self.state.definitions.len()];
        let mut work = by_user.get(&None).cloned().unwrap_or_default();
        while let Some(next) = work.pop() {
            if let Some(seen) = reached.get_mut(next)
                && !std::mem::replace(seen, true)
            {
                work.extend(by_user.get(&Some(next)).into_iter().flatten());
            }
        }
        let mut numbers = vec![None; reached.len()];
        let unused = reached.iter().enumerate().filter(|(_, reached)| !**reached).map(|(number, _)| number);
        let unused: Vec<usize> = unused.collect();
        for (index, number) in unused.iter().enumerate() {
            if let Some(place) = numbers.get_mut(*number) {
                *place = Some(index);
            }
        }
        let number = |used: &usize| numbers.get(*used).copied().flatten();
        unused
            .iter()
            .filter_map(|definition| {
                let (key, span, is_top) = self.state.definitions.get(*definition)?;
                let uses = by_user.get(&Some(*definition)).into_iter().flatten().filter_map(number).collect();
                Some(Unused { span: *span, exported: is_top.then(|| key.clone()), uses })
            })
            .collect()
    }
}
