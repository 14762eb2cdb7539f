//! Names of a whole document that nothing in it defines, in a language whose documents may define names for each other.
//!
//! ```text
//! server: {port: 1}
//! a: {{ servr }}       a document that includes this one may define `servr`; the document that is checked has no such name
//! ```
//!
//! A definition that may not count, or a part of an expression that may not be evaluated, makes the problem a warning.

use crate::dialect::Dialect;
use crate::dialect::library::LibraryEntry;
use crate::problem::syntax::{SyntaxKind, SyntaxProblem};
use crate::problem::types::{TypesKind, Why};
use crate::problem::{Problem, ProblemKind, Severity};
use crate::session::run::Run;
use crate::state::files::File;
use crate::term::{Node, NodeId, Prim, Term, rules};
use crate::text::{Name, SourceId, Span, near};
use crate::ty::{Need, Presence, Row, Scheme, Tail, Ty};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of names that are reported.
const MAX_NAMES: usize = 100;

/// Maximum number of names for which similar names are searched.
const MAX_SUGGESTIONS: usize = 20;

impl Run<'_> {
    /// Adds the names that a document needs and that nothing in it or in the files that it includes defines. Problems about parts
    /// of such a name are replaced.
    pub(super) fn add_unbound(&self, problems: &mut Vec<Problem>, file: &File, dialect: Dialect, result: &Scheme) {
        if !file.term.rules.extends_layers() {
            return;
        }
        let Some(row) = whole(result) else { return };
        let spelling = dialect.spelling();
        let bound: FxHashSet<&str> = row.fields().filter_map(|(name, _)| (spelling.bound_name)(name)).collect();
        let is_needed = |name: &Name| !bound.contains(name.as_str()) && !(spelling.is_internal)(name);
        let needed: Vec<_> = row
            .fields()
            .filter(|(name, f)| f.presence == Presence::No && f.need == Need::Own && is_needed(name))
            .take(MAX_NAMES)
            .collect();
        if needed.is_empty() {
            return;
        }
        let library = match dialect.library_entry(&[rules::STD]) {
            Some(LibraryEntry::Module(module)) => module.names,
            _ => Vec::new(),
        };
        let own = row.fields().filter(|(name, f)| f.presence != Presence::No && !(spelling.is_internal)(name));
        let own: Vec<&str> = own.map(|(name, _)| name.as_str()).chain(bound.iter().copied()).collect();
        let uncertain = Places::of(uncertain(&file.term));
        // the shortest name that begins at a place
        let mut unbound: FxHashMap<(SourceId, u32), u32> = FxHashMap::default();
        let mut found = Vec::new();
        for (index, (name, field)) in needed.into_iter().enumerate() {
            let similar = match index < MAX_SUGGESTIONS {
                true => {
                    near(name, own.iter().copied().chain(library.iter().copied().filter(|name| !name.starts_with('_'))))
                }
                false => Vec::new(),
            };
            for at in field.inheritance.iter().flat_map(|inheritance| &inheritance.readers) {
                let end = unbound.entry((at.source, at.start)).or_insert(at.end);
                *end = at.end.min(*end);
                let what = SyntaxKind::Unbound { name: name.clone(), near: similar.clone(), field: None, past: None };
                let may_not_count = at.source != file.source || uncertain.enclose(*at);
                let severity = if may_not_count { Severity::Warning } else { Severity::Error };
                found.push(Problem { severity, kind: SyntaxProblem { span: *at, what }.into() });
            }
        }
        problems.retain(|problem| !is_about(problem, &unbound));
        problems.append(&mut found);
    }
}

/// Returns the type of a document all of whose keys are known.
fn whole(result: &Scheme) -> Option<&Row> {
    let mut at = &result.ty;
    loop {
        at = match &**at {
            Ty::Fails(_, inner) | Ty::Sibling(_, inner) => inner,
            Ty::Forall(scheme) => &scheme.ty,
            Ty::Record(row) => return matches!(row.tail(), Tail::Closed).then_some(row),
            _ => return None,
        };
    }
}

/// Places in one text.
struct Places {
    /// The start of each place, in order, with the last end of this and the places before it.
    ends: Vec<(u32, u32)>,
}

impl Places {
    /// O(n log n).
    fn of(spans: Vec<Span>) -> Places {
        let mut ends: Vec<(u32, u32)> = spans.into_iter().map(|span| (span.start, span.end)).collect();
        ends.sort_unstable();
        let mut last = 0;
        for (_, end) in &mut ends {
            last = last.max(*end);
            *end = last;
        }
        Places { ends }
    }

    /// Returns `true` if one of the places encloses a place of the same text. O(log n).
    fn enclose(&self, at: Span) -> bool {
        let before = self.ends.partition_point(|(start, _)| *start <= at.start);
        before.checked_sub(1).and_then(|index| self.ends.get(index)).is_some_and(|(_, end)| at.end <= *end)
    }
}

/// Returns `true` if a problem of types is about one of the names, or about a part of what it names. Each name is given by its
/// source and start, with its end.
fn is_about(problem: &Problem, names: &FxHashMap<(SourceId, u32), u32>) -> bool {
    let ProblemKind::Types(types) = &problem.kind else { return false };
    let is_missing = matches!(types.what, TypesKind::Undefined { .. } | TypesKind::MissingField { why: Why::Part, .. });
    is_missing && names.get(&(types.span.source, types.span.start)).is_some_and(|end| *end <= types.span.end)
}

/// Returns the places that an evaluation of the whole program may not reach: the bodies of definitions with a guard and of functions,
/// branches, and right operands of `and` and `or`. O(nodes).
fn uncertain(term: &Term) -> Vec<Span> {
    let mut places = Vec::new();
    let mut add = |id: NodeId| places.push(term.span(id));
    for node in &term.nodes {
        match node {
            Node::Record(record) => {
                let guarded = record.fields.iter().filter(|field| field.meta.guard.is_some());
                guarded.filter_map(|field| field.body).for_each(&mut add);
            }
            Node::If(parts) => parts.iter().skip(1).for_each(|part| add(*part)),
            Node::Prim(Prim::And | Prim::Or, operands) => operands.iter().skip(1).for_each(|part| add(*part)),
            Node::Lambda(lambda) => add(lambda.body),
            _ => {}
        }
    }
    places
}
