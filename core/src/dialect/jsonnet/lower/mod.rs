//! Lowering from the syntax tree to the core language. It resolves names and expands syntactic sugar.

mod expr;
mod object;

use super::LIBRARY;
use super::tree::{Binding, Field, FieldName, Id, Object, Spanned, Tree};
use crate::dialect::jsonnet::problem::{Doubled, JsonnetProblem, Reach};
use crate::dialect::{Names, Stop};
use crate::problem::Problem;
use crate::problem::syntax::SyntaxProblem;
use crate::term::build::Builder;
use crate::term::{Node, NodeId, Term, rules};
use crate::text::{Name, Span, near};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of problems that one lowering reports.
const MAX_PROBLEMS: usize = 100;
/// Maximum number of unbound names for which similar names are suggested.
const MAX_SUGGESTIONS: usize = 20;

/// Keywords that are suggested for a misspelled name.
const WORDS: [&str; 15] = [
    "true",
    "false",
    "null",
    "self",
    "super",
    "local",
    "function",
    "import",
    "importstr",
    "error",
    "assert",
    "then",
    "else",
    "tailstrict",
    "std",
];

/// The syntax at the place of a completion.
#[derive(Clone, PartialEq, Debug)]
pub enum Focus {
    /// A field of an expression: `e.|`
    Field(NodeId),
    /// A name or any other expression. Holds the names that are bound around it, without those of the session.
    Name(Vec<Name>),
    /// The name of a field that is being defined. Holds the node of the object that the new object extends in
    /// `e { … }`.
    FieldName(Option<NodeId>),
}

/// An object that encloses the current expression.
struct Around<'a> {
    /// The frame depth directly inside it.
    depth: usize,
    object: &'a Object,
    /// The object that it extends, in `e { … }`.
    base: Option<NodeId>,
}

/// The state of one lowering.
pub(super) struct Lower<'a> {
    pub(super) builder: Builder,
    tree: &'a Tree,
    names: &'a dyn Names,
    /// Names bound by earlier parts of the same cell.
    earlier: &'a FxHashSet<Name>,
    stop: Stop<'a>,
    /// The enclosing objects.
    objects: Vec<Around<'a>>,
    pub(super) problems: Vec<Problem>,
    unbound: FxHashSet<Name>,
    pub(super) focus: Option<Focus>,
}

impl<'a> Lower<'a> {
    pub(super) fn new(tree: &'a Tree, names: &'a dyn Names, earlier: &'a FxHashSet<Name>) -> Self {
        Lower {
            builder: Builder::with_rules(&rules::OBJECTS),
            tree,
            names,
            earlier,
            stop: names.stop(),
            objects: Vec::new(),
            problems: Vec::new(),
            unbound: FxHashSet::default(),
            focus: None,
        }
    }

    /// Lowers one expression to a term.
    pub(super) fn whole(mut self, id: Id) -> (Term, Vec<Problem>, Option<Focus>) {
        let root = self.expr(id);
        (self.builder.finish(root), self.problems, self.focus)
    }

    /// Lowers a `local` whose result is one of its names.
    pub(super) fn bound(mut self, bindings: &[Binding], wanted: &Spanned) -> (Term, Vec<Problem>) {
        let span = bindings.iter().map(|b| b.span).reduce(Span::to).unwrap_or(wanted.span);
        let root = self.local(bindings, span, |lower| lower.builder.variable(&wanted.name, wanted.span));
        (self.builder.finish(root), self.problems)
    }

    /// Lowers a `local` whose result is an object with all of its names.
    pub(super) fn all_bound(mut self, bindings: &[Binding], span: Span) -> (Term, Vec<Problem>) {
        let root = self.local(bindings, span, |lower| lower.gather(bindings, span));
        (self.builder.finish(root), self.problems)
    }

    /// Lowers a `local` without an expression after it, for completion inside it.
    pub(super) fn block(mut self, bindings: &[Binding], span: Span) -> (Term, Option<Focus>) {
        let root = self.local(bindings, span, |lower| lower.push(Node::Hole, span));
        (self.builder.finish(root), self.focus)
    }

    /// Lowers `shared.name`.
    pub(super) fn member(mut self, shared: &Name, name: &Spanned) -> (Term, Vec<Problem>) {
        let of = self.builder.variable(shared, name.span);
        let root = self.push(Node::Project(of, name.name.clone()), name.span);
        (self.builder.finish(root), self.problems)
    }

    fn problem(&mut self, span: Span, what: JsonnetProblem) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem::error(SyntaxProblem { span, what: what.into() }));
        }
    }

    fn push(&mut self, node: Node, span: Span) -> NodeId {
        self.builder.push(node, span)
    }

    /// Reports a name that is already in `seen`. Otherwise adds it.
    fn once<'n>(&mut self, name: &'n Spanned, what: Doubled, seen: &mut FxHashMap<&'n Name, Span>) {
        if name.name.is_empty() {
            return;
        }
        match seen.get(&name.name) {
            Some(first) => {
                let (name, span, first) = (name.name.clone(), name.span, *first);
                self.problem(span, JsonnetProblem::Duplicate { name, what, first });
            }
            None => drop(seen.insert(&name.name, name.span)),
        }
    }

    /// Lowers a name as an expression.
    fn name(&mut self, name: &Name, span: Span) -> NodeId {
        if !self.builder.is_bound(name) && !self.earlier.contains(name) {
            if name == "std" {
                return self.builder.variable(&Name::new_static(LIBRARY), span);
            }
            if !self.names.is_bound(name) {
                self.report_unbound(name, span);
            }
        }
        self.builder.variable(name, span)
    }

    fn report_unbound(&mut self, name: &Name, span: Span) {
        if name.is_empty() || !self.unbound.insert(name.clone()) || self.problems.len() >= MAX_PROBLEMS {
            return;
        }
        let field = self.field_around(name);
        let near = if self.unbound.len() <= MAX_SUGGESTIONS {
            let all = self.names.all();
            let scope = self.builder.names_in_scope().chain(&all).chain(self.earlier).take(20_000);
            near(name, scope.map(Name::as_str).chain(WORDS))
        } else {
            Vec::new()
        };
        self.problem(
            span,
            JsonnetProblem::Unbound { name: name.clone(), near, field, past: self.names.past(name).map(Box::new) },
        );
    }

    /// Returns the number of frames up to the enclosing object literal, or to the outermost one.
    fn object_up(&self, outermost: bool) -> Option<u32> {
        let at = if outermost { self.objects.first() } else { self.objects.last() };
        at.map(|around| (self.builder.depth() - around.depth) as u32)
    }

    /// Finds the field with a name in the nearest enclosing object that has one.
    fn field_around(&self, name: &str) -> Option<(Span, Reach)> {
        for (index, around) in self.objects.iter().enumerate().rev() {
            let named = |f: &&Field| matches!(&f.name, FieldName::Static(n) if n == name);
            if let Some(field) = around.object.fields.iter().find(named) {
                let reach = match index {
                    _ if index + 1 == self.objects.len() => Reach::This,
                    0 => Reach::Outermost,
                    _ => Reach::Between,
                };
                return Some((field.name_span, reach));
            }
        }
        None
    }
}
