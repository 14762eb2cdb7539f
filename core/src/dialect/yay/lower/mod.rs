//! Lowering: from the tree to the core language. Resolves names, and turns stanzas into layers.
//!
//! A block of keys becomes one record, made of layers in their order (`+`): a later stanza is a layer on top of the
//! earlier ones. A key of a guarded stanza is a definition with a guard. `{{ name }}` reads the final document (`This`).

mod cell;
mod computed;
mod dict;
mod expr;
mod fold;
mod kind;
mod list;
mod macros;
mod plan;

pub use cell::Part;
pub use kind::names_in_block;

use super::tree::{BlockId, Expr, Id, Spanned, Tree};
use crate::dialect::{Names, Stop};
use crate::problem::Problem;
use crate::problem::syntax::{SyntaxKind, SyntaxProblem};
use crate::term::build::Builder;
use crate::term::{Node, NodeId, Prim, Term, rules};
use crate::text::{Name, Span, near};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;

/// Maximum number of reported problems per text.
const MAX_PROBLEMS: usize = 100;

/// Maximum number of unbound names for which similar names are searched.
const MAX_SUGGESTIONS: usize = 20;

/// The place of a completion.
pub enum Focus {
    /// A field of this node.
    Field(NodeId),
    /// A name. Holds the names that are bound around the place.
    Name(Vec<Name>),
}

/// The meaning of a name in the blocks around a place.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// A variable, which the builder knows.
    Slot,
    /// A hidden field of the record whose frame is the `depth`th: `set`, `macro`, `prototype`.
    Field { depth: usize, name: Name },
    /// The record itself whose frame is the `depth`th (`self`).
    Record { depth: usize },
    /// A name of a cell, which the session looks up.
    Global,
}

/// The document that a name refers to if nothing nearer binds it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Root {
    /// No document: an expression.
    Nothing,
    /// The final record whose frame is the `depth`th.
    Frame(usize),
    /// The layers that the condition of a computed layer reads, in the variable `Lower::below`.
    Below,
}

/// The variable that holds the document without the files whose paths are computed.
const REST: Name = Name::new_static("%rest");

/// A macro or a prototype.
#[derive(Clone)]
pub(super) struct Template {
    pub(super) body: BlockId,
    /// The names in its body, which are its parameters.
    pub(super) free: Vec<Name>,
}

/// The state of one lowering.
pub(super) struct Lower<'a> {
    pub(super) builder: Builder,
    tree: &'a Tree,
    names: &'a dyn Names,
    /// Names bound by earlier parts of the same cell.
    earlier: &'a FxHashSet<Name>,
    stop: Stop<'a>,
    /// The meanings of each name in scope, innermost last.
    scope: FxHashMap<Name, Vec<Meaning>>,
    /// The macros and prototypes in scope.
    templates: FxHashMap<Name, Vec<Template>>,
    /// The frames of the dictionaries around the place, the innermost last (`here`).
    dicts: Vec<usize>,
    root: Root,
    /// The variable that holds the document as the condition of a computed layer reads it.
    below: Name,
    /// The frame depths of the records of which that variable is a part.
    below_at: Vec<usize>,
    /// The frame of the final record, while a condition of a computed layer is lowered to be evaluated again.
    again: Option<usize>,
    /// Whether `here` and the path of the dictionary around a computed layer mean the layers below it, because the layer's
    /// condition is being lowered.
    peeks_here: bool,
    /// The keys from the document to the dictionary that is being lowered; `None` if it has no such path.
    path: Option<Vec<Name>>,
    /// The key whose value is being lowered, and the frame of its record.
    entry: Option<(Name, usize)>,
    /// The number of computed layers so far, for the names of their variables.
    computed: usize,
    /// The number of definitions that were lowered again for the conditions of computed layers.
    repeated: usize,
    /// Whether names are looked up in [`REST`] before `below`.
    in_rest: bool,
    /// Whether [`REST`] is bound.
    has_rest: bool,
    /// The keys of the document.
    keys: FxHashSet<Name>,
    /// Whether other files may add keys to the document.
    open: bool,
    /// The keys whose values are constants.
    constants: FxHashMap<Name, fold::Constant>,
    /// Whether a name that neither the text nor the session defines is an error at once, as in a cell. In a file, a document that
    /// includes it may define the name.
    strict: bool,
    /// The number of enclosing expressions that may fail because a name does not exist, such as `a` in `a else b`.
    tolerant: u32,
    /// The folders of `search`, so far.
    searched: Vec<Id>,
    /// The total length of the bodies of macros and prototypes that are expanded, in bytes.
    expanded_bytes: Cell<usize>,
    pub(super) problems: Vec<Problem>,
    unbound: FxHashSet<Name>,
    pub(super) focus: Option<Focus>,
}

impl<'a> Lower<'a> {
    pub(super) fn new(tree: &'a Tree, names: &'a dyn Names, earlier: &'a FxHashSet<Name>) -> Self {
        Lower {
            builder: Builder::with_rules(&rules::STANZAS),
            tree,
            names,
            earlier,
            stop: names.stop(),
            scope: FxHashMap::default(),
            templates: FxHashMap::default(),
            dicts: Vec::new(),
            root: Root::Nothing,
            below: Name::default(),
            below_at: Vec::new(),
            again: None,
            peeks_here: false,
            path: None,
            entry: None,
            computed: 0,
            repeated: 0,
            in_rest: false,
            has_rest: false,
            keys: FxHashSet::default(),
            open: false,
            constants: FxHashMap::default(),
            strict: false,
            tolerant: 0,
            searched: Vec::new(),
            expanded_bytes: Cell::new(0),
            problems: Vec::new(),
            unbound: FxHashSet::default(),
            focus: None,
        }
    }

    /// Lowers a document or an expression to a term.
    pub(super) fn whole(mut self, id: Id) -> (Term, Vec<Problem>, Option<Focus>) {
        let root = match self.tree.expr(id) {
            Expr::Block(block) => self.document(*block),
            _ => self.expr(id),
        };
        (self.builder.finish(root), self.problems, self.focus)
    }

    /// Lowers a document.
    pub(super) fn document(&mut self, block: BlockId) -> NodeId {
        let names = self.declare(block);
        self.open = self.is_open(block);
        self.undeclare(names);
        self.keys = self.keys_of(block).into_iter().map(|name| name.name.clone()).collect();
        match self.kind_of(block) {
            kind::Kind::Dict | kind::Kind::Nothing => {
                self.constants = self.constants_of(block);
                self.whole_document(block)
            }
            _ => self.value_of(block, None),
        }
    }

    fn push(&mut self, node: Node, span: Span) -> NodeId {
        self.builder.push(node, span)
    }

    fn text(&mut self, text: impl Into<Name>, span: Span) -> NodeId {
        self.push(Node::Str(text.into()), span)
    }

    fn problem(&mut self, span: Span, what: SyntaxKind) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem::error(SyntaxProblem { span, what }));
        }
    }

    /// Gives a name a meaning until [`Self::leave`].
    fn enter(&mut self, name: &Name, meaning: Meaning) {
        self.scope.entry(name.clone()).or_default().push(meaning);
    }

    fn leave(&mut self, name: &Name) {
        if let Some(stack) = self.scope.get_mut(name) {
            stack.pop();
        }
    }

    fn meaning(&self, name: &str) -> Option<&Meaning> {
        self.scope.get(name)?.last()
    }

    /// Returns the number of frames up to the frame that is the `depth`th.
    fn up(&self, depth: usize) -> u32 {
        (self.builder.depth() - depth) as u32
    }

    fn this(&mut self, depth: usize, span: Span) -> NodeId {
        let up = self.up(depth);
        self.push(Node::This { up }, span)
    }

    /// Lowers the read of a field of the record whose frame is the `depth`th.
    fn field_of(&mut self, depth: usize, name: &Name, span: Span) -> NodeId {
        let up = self.up(depth);
        let this = self.push(Node::This { up }, span);
        self.builder.use_field(up, name);
        self.push(Node::Project(this, name.clone()), span)
    }

    /// Lowers a name as an expression.
    fn name(&mut self, name: &Name, span: Span) -> NodeId {
        match self.meaning(name).cloned() {
            Some(Meaning::Slot) => return self.builder.variable(name, span),
            Some(Meaning::Field { depth, name }) if self.below_at.contains(&depth) => {
                return match self.again {
                    Some(last) => self.field_of(last, &name, span),
                    None => self.below(&name, span),
                };
            }
            Some(Meaning::Field { depth, name }) => return self.field_of(depth, &name, span),
            Some(Meaning::Record { depth }) if self.below_at.contains(&depth) => {
                return match self.again {
                    Some(last) => self.this(last, span),
                    None => self.below_record(span),
                };
            }
            Some(Meaning::Record { depth }) => return self.this(depth, span),
            Some(Meaning::Global) => return self.builder.variable(name, span),
            None => {}
        }
        if name == "here" && self.peeks_here {
            return self.record_below(span);
        }
        if name == "here"
            && let Some(depth) = self.dicts.last().copied()
        {
            return self.this(depth, span);
        }
        if self.keys.contains(name) {
            match self.root {
                Root::Frame(depth) => return self.field_of(depth, name, span),
                Root::Below => return self.below(name, span),
                Root::Nothing => {}
            }
        }
        if self.earlier.contains(name) || (name != "std" && self.names.is_bound(name)) {
            return self.builder.variable(name, span);
        }
        match name.as_str() {
            "std" => return self.library(span),
            "true" | "false" => return self.push(Node::Bool(name == "true"), span),
            "null" => return self.push(Node::Null, span),
            name if super::library::item(name).is_some_and(|item| !item.name.starts_with('_')) => {
                let library = self.library(span);
                return self.push(Node::Project(library, Name::new(name)), span);
            }
            _ => {}
        }
        match self.root {
            Root::Frame(depth) if !self.strict => {
                let this = self.this(depth, span);
                let outside = self.outside(this, name, span);
                let own = self.field_of(depth, name, span);
                self.push(Node::Prim(Prim::Else, Box::new([outside, own])), span)
            }
            Root::Below if !self.strict => {
                let below = self.below_record(span);
                let outside = self.outside(below, name, span);
                let own = self.below(name, span);
                self.push(Node::Prim(Prim::Else, Box::new([outside, own])), span)
            }
            _ if self.tolerant > 0 => self.missing(name, span),
            _ => {
                self.report_unbound(name, span);
                self.builder.variable(name, span)
            }
        }
    }

    /// Lowers a name that this text does not define. A document that includes it, or that it includes, may define the name.
    fn outside(&mut self, document: NodeId, name: &Name, span: Span) -> NodeId {
        let name = self.text(name.clone(), span);
        self.native("_outside", vec![document, name], span)
    }

    fn below(&mut self, name: &Name, span: Span) -> NodeId {
        let below = self.builder.variable(&self.below, span);
        let below = self.push(Node::Project(below, name.clone()), span);
        if !self.in_rest {
            return below;
        }
        let rest = self.builder.variable(&REST, span);
        let rest = self.push(Node::Project(rest, name.clone()), span);
        self.push(Node::Prim(Prim::Else, Box::new([rest, below])), span)
    }

    /// Lowers the dictionary around a computed layer, as the condition of the layer reads it.
    fn record_below(&mut self, span: Span) -> NodeId {
        match self.again {
            Some(last) => self.this(last, span),
            None => self.below_record(span),
        }
    }

    /// Returns `true` if an expression is the path of the dictionary around the computed layer whose condition is being lowered.
    fn is_path_here(&self, id: Id) -> bool {
        let Some(path) = self.path.as_deref().filter(|_| self.peeks_here) else { return false };
        let mut at = id;
        for (hops, name) in path.iter().enumerate().rev() {
            match self.tree.expr(at) {
                Expr::Dot(of, last) if hops > 0 && last.name == *name => at = *of,
                Expr::Name(first) => {
                    return hops == 0 && first == name && self.meaning(name).is_none() && self.keys.contains(name);
                }
                _ => return false,
            }
        }
        false
    }

    fn below_record(&mut self, span: Span) -> NodeId {
        match self.in_rest {
            true => self.builder.variable(&REST, span),
            false => self.builder.variable(&self.below, span),
        }
    }

    fn library(&mut self, span: Span) -> NodeId {
        self.builder.variable(&Name::new_static(super::LIBRARY), span)
    }

    /// Lowers a call of a library function.
    fn native(&mut self, name: &'static str, args: Vec<NodeId>, span: Span) -> NodeId {
        let library = self.library(span);
        let func = self.push(Node::Project(library, Name::new_static(name)), span);
        let args = args.into_iter().map(|arg| (None, arg)).collect();
        self.push(Node::Apply(Box::new(crate::term::Apply { func, args, tailstrict: false })), span)
    }

    fn report_unbound(&mut self, name: &Name, span: Span) {
        if name.is_empty() || !self.unbound.insert(name.clone()) || self.problems.len() >= MAX_PROBLEMS {
            return;
        }
        let near = if self.unbound.len() <= MAX_SUGGESTIONS {
            let all = self.names.all();
            let bound = self.bound();
            let library = super::library::items().map(|item| item.name).filter(|name| !name.starts_with('_'));
            let scope = bound.iter().chain(&all).chain(self.earlier).take(20_000);
            near(name, scope.map(Name::as_str).filter(|name| !name.starts_with('%')).chain(library))
        } else {
            Vec::new()
        };
        let past = self.names.past_input(name).map(Box::new);
        self.problem(span, SyntaxKind::Unbound { name: name.clone(), near, field: None, past });
    }

    /// Returns the names that are bound around the place, sorted.
    fn bound(&self) -> Vec<Name> {
        let inner = self.scope.iter().filter(|(_, stack)| !stack.is_empty()).map(|(name, _)| name.clone());
        let mut names: Vec<Name> = inner.chain(self.keys.iter().cloned()).filter(|n| !n.starts_with('%')).collect();
        names.sort();
        names.dedup();
        names
    }

    fn template(&self, name: &str) -> Option<Template> {
        self.templates.get(name)?.last().cloned()
    }
}

/// Returns the name of the hidden field of a `set`, a `macro` or a `prototype`. No key has a space in its name.
fn hidden_name(word: &str, name: &Spanned) -> Name {
    Name::from(format!("{word} {}", name.name))
}
