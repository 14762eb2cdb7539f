//! Lowering from the syntax tree to the core language. It resolves names, expands field paths and attaches metadata.

mod binding;
mod expr;
mod metas;
mod pattern;
mod record;
mod types;

pub(super) use binding::Wanted;

use super::tree::{Expr, Id, PathPart, Tree};
use crate::dialect::cfg::problem::CfgProblem;
use crate::dialect::{Names, Stop};
use crate::problem::Problem;
use crate::problem::syntax::{SyntaxKind, SyntaxProblem};
use crate::term::build::Builder;
use crate::term::{Node, NodeId, Term, TypeForm};
use crate::text::{Name, Span, near};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of problems that one lowering reports.
const MAX_PROBLEMS: usize = 100;
/// Maximum number of unbound names for which similar names are suggested.
const MAX_SUGGESTIONS: usize = 20;

/// Keywords that are suggested for a misspelled name.
const WORDS: [&str; 13] =
    ["true", "false", "null", "Number", "String", "Bool", "Array", "Dyn", "match", "fun", "then", "else", "import"];

/// The syntax at the place of a completion.
#[derive(Clone, PartialEq, Debug)]
pub enum Focus {
    /// A field of an expression: `e.|`
    Field(NodeId),
    /// A name or any other expression. Holds the names that are bound around it, without those of the session.
    Name(Vec<Name>),
    /// A whole annotation, `e | |`. Holds the same names.
    Annotation(Vec<Name>),
    /// The name of a field that is being defined.
    FieldName,
}

/// The state of one lowering.
pub(super) struct Lower<'a> {
    pub(super) builder: Builder,
    tree: &'a Tree,
    names: &'a dyn Names,
    /// The flag that stops the lowering.
    stop: Stop<'a>,
    /// Names bound by earlier parts of the same cell.
    earlier: &'a FxHashSet<Name>,
    pub(super) problems: Vec<Problem>,
    unbound: FxHashSet<Name>,
    /// The first place of each field name in the text. Computed at the first unbound name.
    fields: Option<FxHashMap<Name, Span>>,
    pub(super) focus: Option<Focus>,
}

impl<'a> Lower<'a> {
    pub(super) fn new(tree: &'a Tree, names: &'a dyn Names, earlier: &'a FxHashSet<Name>) -> Self {
        Lower {
            builder: Builder::new(),
            tree,
            names,
            stop: names.stop(),
            earlier,
            problems: Vec::new(),
            unbound: FxHashSet::default(),
            fields: None,
            focus: None,
        }
    }

    /// Lowers one expression to a term.
    pub(super) fn whole(mut self, id: Id) -> (Term, Vec<Problem>, Option<Focus>) {
        let root = self.expr(id);
        (self.builder.finish(root), self.problems, self.focus)
    }

    fn problem(&mut self, span: Span, what: impl Into<SyntaxKind>) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem::error(SyntaxProblem { span, what: what.into() }));
        }
    }

    fn warning(&mut self, span: Span, what: SyntaxKind) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem::warning(SyntaxProblem { span, what }));
        }
    }

    fn push(&mut self, node: Node, span: Span) -> NodeId {
        self.builder.push(node, span)
    }

    fn ty(&mut self, form: TypeForm, span: Span) -> NodeId {
        self.builder.push(Node::Type(Box::new(form)), span)
    }

    /// Returns `true` if the user or the library binds a name.
    fn is_bound(&self, name: &str) -> bool {
        self.builder.is_bound(name) || self.builder.ty_var(name).is_some() || self.is_outside(name)
    }

    fn is_outside(&self, name: &str) -> bool {
        self.earlier.contains(name) || self.names.is_bound(name)
    }

    /// Lowers a name as an expression.
    fn name(&mut self, name: &Name, span: Span) -> NodeId {
        if let Some(var) = self.builder.ty_var(name) {
            return self.ty(TypeForm::Var(var), span);
        }
        if !self.builder.is_bound(name) && !self.is_outside(name) {
            match name.as_str() {
                "Num" => return self.ty(TypeForm::Number, span),
                "Str" => return self.ty(TypeForm::String, span),
                _ => self.report_unbound(name, span),
            }
        }
        self.builder.variable(name, span)
    }

    /// Lowers a name as a variable from outside the innermost frame.
    fn included(&mut self, name: &Name, span: Span) -> NodeId {
        let node = self.builder.variable_outside(name, span);
        if matches!(self.builder.node(node), Node::Global(_)) && !self.is_outside(name) {
            self.report_unbound(name, span);
        }
        node
    }

    fn report_unbound(&mut self, name: &Name, span: Span) {
        if !self.unbound.insert(name.clone()) || self.problems.len() >= MAX_PROBLEMS {
            return;
        }
        let tree = self.tree;
        let fields = self.fields.get_or_insert_with(|| field_names(tree));
        let field = fields.get(name).copied();
        let near = if self.unbound.len() <= MAX_SUGGESTIONS {
            let all = self.names.all();
            near(
                name,
                self.builder
                    .names_in_scope()
                    .chain(&all)
                    .chain(self.earlier)
                    .take(20_000)
                    .map(Name::as_str)
                    .chain(WORDS),
            )
        } else {
            Vec::new()
        };
        self.problem(
            span,
            CfgProblem::Unbound { name: name.clone(), near, field, past: self.names.past(name).map(Box::new) },
        );
    }

    /// Returns the expression inside parentheses.
    fn bare(&self, mut id: Id) -> Id {
        while let Expr::Paren(inner) = self.tree.expr(id) {
            id = *inner;
        }
        id
    }
}

/// Returns the first place of each field name.
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
