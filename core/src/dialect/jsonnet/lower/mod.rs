//! Lowering from the syntax tree to the core language. It resolves names and expands syntactic sugar.

mod expr;
mod object;

use super::LIBRARY;
use super::grammar::JsonnetGrammar;
use super::tree::{Binding, Field, FieldName, Id, Item, Object, Spanned, Tree};
use crate::dialect::jsonnet::problem::{Dashed, DuplicateKind, JsonnetProblem, OuterAccess};
use crate::dialect::parser::{Lowerer, Lowering, Reading};
use crate::problem::syntax::SyntaxKind;
use crate::term::{Node, NodeId, Rules, rules};
use crate::text::{Name, Span};
use rustc_hash::FxHashMap;

/// The lowering of Jsonnet.
type Lower<'t> = Lowerer<'t, JsonnetGrammar>;

/// State that only the lowering of Jsonnet has.
#[derive(Default)]
pub(in crate::dialect) struct LoweringState<'t> {
    /// The enclosing objects.
    objects: Vec<EnclosingObject<'t>>,
    /// The names that are bound to `self` or `$`.
    aliases: Vec<Alias>,
    /// The name with `-` that the name which is lowered is a part of.
    dashed: Option<Dashed>,
    /// Whether the name that is lowered is called, or a part of it is read.
    is_read: bool,
}

/// A name that is bound to an enclosing object, as in `local me = self`.
struct Alias {
    /// The frame depth directly inside the frame that binds it.
    depth: usize,
    slot: u32,
    /// The frame depth directly inside the object.
    object: usize,
}

/// An object that encloses the current expression.
struct EnclosingObject<'t> {
    /// The frame depth directly inside it.
    depth: usize,
    object: &'t Object,
    /// The object that it extends, in `e { … }`.
    base: Option<NodeId>,
}

impl Lowering for JsonnetGrammar {
    type State<'t> = LoweringState<'t>;
    type CellFacts<'t> = super::cells::Uses<'t>;

    const RULES: &'static Rules = &rules::OBJECTS;
    const CONSEQUENT_CODES: &'static [&'static str] = &["scope/unbound", "scope/outside-object", "scope/duplicate"];
    const KEYWORDS: &'static [&'static str] = &[
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

    fn expr(lower: &mut Lower<'_>, id: Id) -> NodeId {
        lower.expr_here(id)
    }

    fn unbound(lower: &mut Lower<'_>, name: &Name, near: Vec<Name>) -> SyntaxKind {
        let field = lower.field_around(name);
        let past = lower.names.past_input(name).map(Box::new);
        let dashed = lower.state.dashed.take().map(Box::new);
        JsonnetProblem::Unbound { name: name.clone(), near, field, past, dashed, read: lower.state.is_read }.into()
    }

    fn facts(tree: &Tree) -> super::cells::Uses<'_> {
        super::cells::uses(tree)
    }

    fn item(reading: &mut Reading<'_, JsonnetGrammar>, item: &Item) {
        match item {
            Item::Expr(id) => reading.show(*id),
            Item::Local { bindings, doc, span } => reading.local(bindings, doc.as_ref().map(|(text, _)| text), *span),
        }
    }
}

impl Lower<'_> {
    /// Lowers a `local` whose result is one of its names.
    pub(super) fn bound(&mut self, bindings: &[Binding], wanted: &Spanned) -> NodeId {
        let span = bindings.iter().map(|b| b.span).reduce(Span::to).unwrap_or(wanted.span);
        self.local(bindings, span, |lower| lower.builder.variable(&wanted.name, wanted.span))
    }

    /// Lowers a `local` whose result is an object with all of its names.
    pub(super) fn all_bound(&mut self, bindings: &[Binding], span: Span) -> NodeId {
        self.local(bindings, span, |lower| lower.gather(bindings, span))
    }

    /// Lowers a `local` without an expression after it, for completion inside it.
    pub(super) fn definitions(&mut self, bindings: &[Binding], span: Span) -> NodeId {
        self.local(bindings, span, |lower| lower.push(Node::Hole, span))
    }

    /// Reports a name that is already in `seen`. Otherwise adds it.
    fn once<'n>(&mut self, name: &'n Spanned, what: DuplicateKind, seen: &mut FxHashMap<&'n Name, Span>) {
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
        if !self.builder.is_bound(name) && !self.is_bound_earlier(name) {
            if name == "std" {
                return self.builder.variable(&Name::new_static(LIBRARY), span);
            }
            if !self.names.is_bound(name) {
                self.report_unbound(name, span);
            }
        }
        self.builder.variable(name, span)
    }

    /// Returns whether nothing binds a name.
    fn is_unbound(&self, name: &Name) -> bool {
        name != "std" && !self.builder.is_bound(name) && !self.is_bound_earlier(name) && !self.names.is_bound(name)
    }

    /// Returns the number of frames up to the enclosing object literal, or to the outermost one.
    fn object_up(&self, outermost: bool) -> Option<u32> {
        let at = if outermost { self.state.objects.first() } else { self.state.objects.last() };
        at.map(|around| (self.builder.depth() - around.depth) as u32)
    }

    /// Finds the field with a name in the nearest enclosing object that has one.
    fn field_around(&self, name: &str) -> Option<(Span, OuterAccess)> {
        for (index, around) in self.state.objects.iter().enumerate().rev() {
            let named = |f: &&Field| matches!(&f.name, FieldName::Static(n) if n == name);
            if let Some(field) = around.object.fields.iter().find(named) {
                let reach = match index {
                    _ if index + 1 == self.state.objects.len() => OuterAccess::This,
                    0 => OuterAccess::Outermost,
                    _ => OuterAccess::Between,
                };
                return Some((field.name_span, reach));
            }
        }
        None
    }
}
