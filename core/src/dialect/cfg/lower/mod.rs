//! Lowering from the syntax tree to the core language. It resolves names, expands field paths and attaches metadata.

mod binding;
mod expr;
mod metas;
mod pattern;
mod record;
mod types;

pub(super) use binding::CellResult;

use super::grammar::Cfg;
use super::problem::{CfgProblem, OwnBinding};
use super::tree::{Expr, Id, Item, PId, PathPart, Pattern, Tree};
use crate::dialect::parser::{Lowerer, Lowering, Reading};
use crate::problem::syntax::SyntaxKind;
use crate::term::{Node, NodeId, Rules, TypeForm, rules};
use crate::text::{Name, Span, near};
use rustc_hash::FxHashMap;

/// The lowering of `cfg`.
type Lower<'t> = Lowerer<'t, Cfg>;

/// State that only the lowering of cfg has.
#[derive(Default)]
pub(in crate::dialect) struct LoweringState {
    /// The span of the first definition of each field in the text. Computed at the first unbound name.
    fields: Option<FxHashMap<Name, Span>>,
    /// The names of the bindings without `rec` whose values are being lowered, with their places.
    defined: Vec<(Name, OwnBinding)>,
    /// Whether a type annotation is being lowered.
    in_annotation: bool,
    /// The name that the metadata of a field begins with, while that is being lowered: `| defualt`.
    metadata: Option<Name>,
}

/// The words that begin metadata of a field.
const METADATA: [&str; 8] = ["default", "force", "optional", "not_exported", "priority", "doc", "secret", "merge"];

impl Lowering for Cfg {
    type State<'t> = LoweringState;
    type CellFacts<'t> = ();

    const RULES: &'static Rules = &rules::CORE;
    const CONSEQUENT_CODES: &'static [&'static str] = &["scope/unbound"];
    const KEYWORDS: &'static [&'static str] = &[
        "true", "false", "null", "Number", "String", "Bool", "Array", "Dyn", "match", "fun", "then", "else", "import",
    ];

    fn expr(lower: &mut Lower<'_>, id: Id) -> NodeId {
        lower.expr_here(id)
    }

    fn unbound(lower: &mut Lower<'_>, name: &Name, similar: Vec<Name>) -> SyntaxKind {
        let tree = lower.tree;
        let field = lower.state.fields.get_or_insert_with(|| field_names(tree)).get(name).copied();
        let itself = lower.state.defined.iter().rev().find(|(defined, _)| defined == name).map(|(_, own)| *own);
        let mut words = match lower.state.metadata.as_ref() == Some(name) {
            true => near(name, METADATA),
            false => Vec::new(),
        };
        words.extend(similar);
        CfgProblem::Unbound {
            name: name.clone(),
            near: words,
            field,
            itself,
            is_type: lower.state.in_annotation,
            past: lower.names.past_input(name).map(Box::new),
        }
        .into()
    }

    fn facts(_: &Tree) {}

    fn item(reading: &mut Reading<'_, Cfg>, item: &Item) {
        match item {
            Item::Expr(id) => reading.show(*id),
            Item::Bind(binding) => reading.binding(binding),
            Item::Let(true, bindings) => reading.recursive(bindings),
            Item::Let(false, bindings) => bindings.iter().for_each(|b| reading.binding(b)),
        }
    }
}

impl Lower<'_> {
    /// Lowers the value of a binding without `rec`. A name that its pattern binds is not in scope there.
    fn defining(&mut self, pattern: PId, value: Id) -> NodeId {
        let known = self.state.defined.len();
        if let Pattern::Bind(name) = self.tree.pattern(pattern) {
            let is_function = matches!(self.tree.expr(value), Expr::Fun(..));
            self.state.defined.push((name.clone(), OwnBinding { place: self.tree.pattern_span(pattern), is_function }));
        }
        let node = self.expr(value);
        self.state.defined.truncate(known);
        node
    }

    /// Lowers the type after a `:`.
    fn annotation(&mut self, ty: Id) -> NodeId {
        let outer = std::mem::replace(&mut self.state.in_annotation, true);
        let node = self.expr(ty);
        self.state.in_annotation = outer;
        node
    }

    /// Adds the node of a type.
    fn ty(&mut self, form: TypeForm, span: Span) -> NodeId {
        self.builder.push(Node::Type(Box::new(form)), span)
    }

    /// Returns `true` if the user or the library defines a name now. While a saved session is loaded, every name is
    /// bound, but a word that is also a keyword (`secret`, `Num`) is a name only if something defines it.
    fn is_defined(&self, name: &str) -> bool {
        self.builder.is_bound(name) || self.builder.ty_var(name).is_some() || self.is_defined_outside(name)
    }

    /// Lowers a name as an expression.
    fn name(&mut self, name: &Name, span: Span) -> NodeId {
        if let Some(var) = self.builder.ty_var(name) {
            return self.ty(TypeForm::Var(var), span);
        }
        if !self.is_defined(name) {
            match name.as_str() {
                "Num" => return self.ty(TypeForm::Number, span),
                "Str" => return self.ty(TypeForm::String, span),
                _ if !self.is_bound_outside(name) => self.report_unbound(name, span),
                _ => {}
            }
        }
        self.builder.variable(name, span)
    }

    /// Lowers `include x`: a name as a variable that the innermost frame does not bind.
    fn included(&mut self, name: &Name, span: Span) -> NodeId {
        let node = self.builder.variable_outside(name, span);
        if matches!(self.builder.node(node), Node::Global(_)) && !self.is_bound_outside(name) {
            self.report_unbound(name, span);
        }
        node
    }

    /// Returns the expression inside parentheses.
    fn bare(&self, mut id: Id) -> Id {
        while let Expr::Paren(inner) = self.tree.expr(id) {
            id = *inner;
        }
        id
    }
}

/// Returns the span of the first definition of each field.
fn field_names(tree: &Tree) -> FxHashMap<Name, Span> {
    let mut out = FxHashMap::default();
    for record in tree.records() {
        for field in &record.fields {
            if let (Some(PathPart::Name(name)), false) = (field.path.first(), field.include) {
                out.entry(name.name.clone()).or_insert(name.span);
            }
        }
    }
    out
}
