//! Lowering from a syntax tree to the core language: the parts that all languages share.
//!
//! A language implements [`Lowering`]. The rules for its constructs are methods of `Lowerer<'_, ItsGrammar>`.

use super::cells::Reading;
use super::token::MOST_ROOM;
use super::{Grammar, Id, TreeOf, dollar, in_order, program};
use crate::dialect::{Names, Program, Stop};
use crate::problem::syntax::{SyntaxKind, SyntaxProblem};
use crate::problem::{Problem, Severity};
use crate::term::build::Builder;
use crate::term::{Binding, Groups, Let, Node, NodeId, PatKind, Rules, Term};
use crate::text::{Name, SourceId, Span, near};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Maximum number of problems that one lowering reports.
const MAX_PROBLEMS: usize = 100;
/// Maximum number of unbound names for which similar names are suggested.
const MAX_SUGGESTIONS: usize = 20;
/// Maximum number of bound names that are compared with an unbound one.
const MAX_COMPARED: usize = 20_000;

/// A language whose trees are lowered to terms.
pub(in crate::dialect) trait Lowering: Grammar {
    /// The additional state of its lowering.
    type State<'t>: Default;
    /// Facts about the whole cell that its items need.
    type CellFacts<'t>;

    /// The rules of its terms.
    const RULES: &'static Rules;
    /// The codes of problems that may be consequences of a parse error.
    const CONSEQUENT_CODES: &'static [&'static str];
    /// Keywords that are suggested for a misspelled name.
    const KEYWORDS: &'static [&'static str];

    /// Lowers an expression. The stack is large enough for one more level.
    fn expr(lower: &mut Lowerer<'_, Self>, id: Id) -> NodeId;
    /// Creates the problem that reports an unbound `name`. `similar` are similar names in scope.
    fn unbound(lower: &mut Lowerer<'_, Self>, name: &Name, similar: Vec<Name>) -> SyntaxKind;
    /// Collects these facts.
    fn facts(tree: &TreeOf<Self>) -> Self::CellFacts<'_>;
    /// Lowers an item of a cell.
    fn item(reading: &mut Reading<'_, Self>, item: &Self::Item);
}

/// The syntax at the cursor, for completion.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::dialect) enum Focus {
    /// A field of an expression: `e.|`
    Field(NodeId),
    /// A name or any other expression. Holds the names in scope, without those of the session.
    Name(Vec<Name>),
    /// A whole annotation, `e | |`. Holds the same names.
    Annotation(Vec<Name>),
    /// The name of a field that is being defined. Holds the node of the object that the new object extends.
    FieldName(Option<NodeId>),
}

/// The state of one lowering.
pub(in crate::dialect) struct Lowerer<'t, G: Lowering> {
    pub builder: Builder,
    pub tree: &'t TreeOf<G>,
    pub names: &'t dyn Names,
    /// The flag that stops the lowering.
    pub stop: Stop<'t>,
    /// Names bound by earlier items of the same cell.
    earlier: &'t FxHashSet<Name>,
    pub problems: Vec<Problem>,
    /// The unbound names that were reported.
    reported_unbound: FxHashSet<Name>,
    pub focus: Option<Focus>,
    /// The state that only this language needs.
    pub state: G::State<'t>,
}

impl<'t, G: Lowering> Lowerer<'t, G> {
    pub fn new(tree: &'t TreeOf<G>, names: &'t dyn Names, earlier: &'t FxHashSet<Name>) -> Self {
        Lowerer {
            builder: Builder::with_rules(G::RULES),
            tree,
            names,
            stop: names.stop(),
            earlier,
            problems: Vec::new(),
            reported_unbound: FxHashSet::default(),
            focus: None,
            state: G::State::default(),
        }
    }

    /// Runs `rule`, which lowers something and returns the root. Returns the term, the problems and the syntax at the
    /// cursor.
    pub fn build(mut self, rule: impl FnOnce(&mut Self) -> NodeId) -> (Term, Vec<Problem>, Option<Focus>) {
        let root = rule(&mut self);
        (self.builder.finish(root), self.problems, self.focus)
    }

    /// Lowers an expression, growing the stack if needed.
    pub fn expr(&mut self, id: Id) -> NodeId {
        crate::deep::deeper_until(self.stop, || G::expr(self, id))
    }

    /// Lowers `variable.field`.
    pub fn member(&mut self, variable: &Name, field: &Name, span: Span) -> NodeId {
        let object = self.builder.variable(variable, span);
        self.push(Node::Project(object, field.clone()), span)
    }

    pub fn push(&mut self, node: Node, span: Span) -> NodeId {
        self.builder.push(node, span)
    }

    /// Reports an error, unless there are too many.
    pub fn problem(&mut self, span: Span, what: impl Into<SyntaxKind>) {
        if self.can_report() {
            self.problems.push(Problem::error(SyntaxProblem { span, what: what.into() }));
        }
    }

    /// Reports a warning, unless there are too many problems.
    pub fn warning(&mut self, span: Span, what: impl Into<SyntaxKind>) {
        if self.can_report() {
            self.problems.push(Problem::warning(SyntaxProblem { span, what: what.into() }));
        }
    }

    /// Reports a note, unless there are too many problems.
    pub fn note(&mut self, span: Span, what: impl Into<SyntaxKind>) {
        if self.can_report() {
            let kind = SyntaxProblem { span, what: what.into() }.into();
            self.problems.push(Problem { severity: Severity::Note, kind });
        }
    }

    /// Reports a string with `${x}` if that is evidently meant to insert a value: all that is written so are names in scope.
    /// `what` makes the problem from the first of them.
    pub fn report_dollar<W: Into<SyntaxKind>>(&mut self, text: &str, span: Span, what: impl FnOnce(Name) -> W) {
        let is_bound = |name: &str| self.builder.is_bound(name) || self.is_defined_outside(name);
        let inserted = dollar::inserted(text).filter(|paths| paths.iter().all(|path| is_bound(dollar::head(path))));
        if let Some(first) = inserted.and_then(|paths| paths.first().copied().map(Name::new)) {
            self.note(span, what(first));
        }
    }

    fn can_report(&self) -> bool {
        self.problems.len() < MAX_PROBLEMS
    }

    /// Returns `true` if an earlier item of the cell binds a name.
    pub fn is_bound_earlier(&self, name: &str) -> bool {
        self.earlier.contains(name)
    }

    /// Returns `true` if a name is bound outside of the text that is being lowered.
    pub fn is_bound_outside(&self, name: &str) -> bool {
        self.is_bound_earlier(name) || self.names.is_bound(name)
    }

    /// Returns `true` if something outside of the text defines the name now. While a saved session is loaded, names
    /// that are not defined yet count as bound ([`Self::is_bound_outside`]).
    pub fn is_defined_outside(&self, name: &str) -> bool {
        self.is_bound_earlier(name) || self.names.is_defined(name)
    }

    /// Reports an unbound name, once.
    pub fn report_unbound(&mut self, name: &Name, span: Span) {
        if name.is_empty() || !self.reported_unbound.insert(name.clone()) || !self.can_report() {
            return;
        }
        let mut similar = Vec::new();
        if self.reported_unbound.len() <= MAX_SUGGESTIONS {
            let all = self.names.all();
            let scope = self.builder.names_in_scope().chain(&all).chain(self.earlier).take(MAX_COMPARED);
            similar = near(name, scope.map(Name::as_str).chain(G::KEYWORDS.iter().copied()));
        }
        let what = G::unbound(self, name, similar);
        self.problem(span, what);
    }

    /// Records that the cursor is at an expression, with the names in scope. Returns a hole for the expression.
    pub fn hole_at_cursor(&mut self) -> Node {
        let mut names: Vec<Name> = self.builder.names_in_scope().filter(|n| !n.is_empty()).cloned().collect();
        names.sort();
        self.focus = Some(Focus::Name(names));
        Node::Hole
    }

    /// Returns a hole that keeps an expression in the term: `let _ = expr in <hole>`.
    pub fn hole_after(&mut self, expr: NodeId, span: Span) -> NodeId {
        let pat = self.builder.pat(PatKind::Any, span);
        self.builder.open();
        let body = self.push(Node::Hole, span);
        let (slots, _) = self.builder.close();
        let binding = Binding::plain(pat, expr, span);
        let groups = Groups::in_order(1);
        self.push(Node::Let(Box::new(Let { recursive: false, bindings: vec![binding], body, groups, slots })), span)
    }
}

/// Reads a file or an expression. Never fails: syntax errors become problems and holes. Near-linear in the length of
/// the text.
pub(in crate::dialect) fn read_program<G: Lowering>(source: SourceId, text: &str, names: &dyn Names) -> Program {
    let parsed = program::<G>(source, text, names.stop());
    let earlier = FxHashSet::default();
    let mut lower = Lowerer::<G>::new(&parsed.tree, names, &earlier);
    // Most expressions become one node.
    lower.builder.make_room(parsed.tree.len().min(MOST_ROOM));
    let (term, mut problems, _) = lower.build(|lower| lower.expr(parsed.parts));
    problems.extend(parsed.problems);
    Program { term: Arc::new(term), problems: in_order(problems, G::CONSEQUENT_CODES) }
}
