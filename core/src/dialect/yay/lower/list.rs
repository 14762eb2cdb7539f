//! Values: lists, conditional values, loops, included files.

use super::dict::Declared;
use super::kind::Kind;
use super::{Lower, Meaning, Root};
use crate::dialect::yay::tree::{BlockId, Blocks, Clause, Expr, For, Id, If, Select, Spanned, Stanza, Value};
use crate::term::{self, Binding, Comprehension, Import, ImportKind, Let, Node, NodeId, PatKind, Prim, SuperRead};
use crate::text::{Name, Span};

/// The value of the layers below, for stanzas that keep it if their guard is false.
pub(super) struct Below {
    /// The key.
    pub(super) name: Name,
    /// The frame depth of the record with the key.
    pub(super) frame: usize,
    /// Whether a layer of the same block defines the key.
    pub(super) certain: bool,
}

impl<'a> Lower<'a> {
    /// Lowers a value, and returns whether it is a dictionary that is combined with the layers below.
    pub(super) fn value(&mut self, value: Value, below: Option<&Below>) -> (NodeId, bool) {
        match value {
            Value::Nothing(span) => (self.text("", span), false),
            Value::Scalar(id) => {
                let empty = matches!(self.tree.expr(id), Expr::Dict(pairs) if pairs.is_empty());
                (self.expr(id), empty && below.is_some())
            }
            Value::Block(block) => match self.kind_of(block) {
                Kind::Dict | Kind::Nothing => (self.dict(block, false), true),
                _ => (self.value_of(block, below), false),
            },
        }
    }

    /// Lowers a block to its value.
    pub(super) fn value_of(&mut self, block: BlockId, below: Option<&Below>) -> NodeId {
        crate::deep::deeper(|| self.value_of_here(block, below))
    }

    fn value_of_here(&mut self, block: BlockId, below: Option<&Below>) -> NodeId {
        let span = self.tree.block(block).span;
        match self.kind_of(block) {
            Kind::Dict | Kind::Nothing => self.dict(block, false),
            kind => {
                let path = self.path.take();
                let value = self.with_sets(block, span, |lower| match kind {
                    Kind::List => lower.list(block),
                    _ => lower.last(block, below),
                });
                self.path = path;
                value
            }
        }
    }

    /// Lowers a part of a block that is not a dictionary, with the block's `set`s and macros in scope.
    fn with_sets(&mut self, block: BlockId, span: Span, body: impl FnOnce(&mut Self) -> NodeId) -> NodeId {
        let tree = self.tree;
        let sets: Vec<(&Spanned, &Stanza)> = (tree.block(block).stanzas.iter())
            .filter_map(|stanza| match stanza {
                Stanza::Set(name, ..) | Stanza::Macro(name, ..) => Some((name, stanza)),
                _ => None,
            })
            .collect();
        if sets.is_empty() {
            return body(self);
        }
        self.builder.open();
        for (index, (name, stanza)) in sets.iter().enumerate() {
            let slot = self.builder.bind(name.name.clone());
            self.builder.define_slot(slot, index as u32);
            self.enter(&name.name, Meaning::Slot);
            if let Stanza::Macro(_, body, _) = stanza {
                self.declare_template(&name.name, *body);
            }
        }
        let mut bindings = Vec::with_capacity(sets.len());
        for (index, (name, stanza)) in sets.iter().enumerate() {
            self.builder.enter(Some(index as u32));
            let pat = self.builder.pat(PatKind::Bind(index as u32), name.span);
            let body = match stanza {
                Stanza::Set(_, value, _) => self.expr(*value),
                other => {
                    // a key of the document that is not in scope here may not be needed
                    self.tolerant += 1;
                    let function = self.stanza(other, false);
                    self.tolerant -= 1;
                    function
                }
            };
            bindings.push(Binding::plain(pat, body, name.span));
        }
        self.builder.enter(None);
        let body = body(self);
        let declared = |(name, stanza): &(&Spanned, &Stanza)| Declared {
            name: name.name.clone(),
            is_template: matches!(stanza, Stanza::Macro(..)),
        };
        self.undeclare(sets.iter().map(declared).collect());
        let (slots, groups) = self.builder.close();
        self.push(Node::Let(Box::new(Let { recursive: true, bindings, body, groups, slots })), span)
    }

    /// Lowers the stanzas of a list, one after the other.
    fn list(&mut self, block: BlockId) -> NodeId {
        let tree = self.tree;
        let span = tree.block(block).span;
        let mut parts: Vec<NodeId> = Vec::new();
        let mut items: Vec<NodeId> = Vec::new();
        let mut from = span;
        for stanza in &tree.block(block).stanzas {
            match stanza {
                Stanza::Item(value, at) => {
                    if items.is_empty() {
                        from = *at;
                    }
                    items.push(self.value(*value, None).0);
                    continue;
                }
                Stanza::Set(..) | Stanza::Macro(..) | Stanza::Prototype(..) | Stanza::Search(..) => continue,
                _ => {}
            }
            if !items.is_empty() {
                let at = from.to(self.builder.span(items[items.len() - 1]));
                parts.push(self.builder.push(Node::Array(std::mem::take(&mut items).into()), at));
            }
            parts.push(self.stanza(stanza, false));
        }
        if !items.is_empty() || parts.is_empty() {
            let at = items.last().map_or(span, |last| from.to(self.builder.span(*last)));
            parts.push(self.builder.push(Node::Array(items.into()), at));
        }
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or_else(|| self.builder.push(Node::Array(Box::new([])), span));
        parts.fold(first, |left, right| {
            let at = self.builder.span(left).to(self.builder.span(right));
            self.push(Node::Prim(Prim::Plus, Box::new([left, right])), at)
        })
    }

    /// Lowers the value of the last stanza, for a block that is neither a dictionary nor a list.
    fn last(&mut self, block: BlockId, below: Option<&Below>) -> NodeId {
        let tree = self.tree;
        let block = tree.block(block);
        let found = block.stanzas.iter().rev().find(|stanza| {
            !matches!(stanza, Stanza::Set(..) | Stanza::Macro(..) | Stanza::Prototype(..) | Stanza::Search(..))
        });
        match found {
            Some(Stanza::If(stanza)) => {
                let none = |lower: &mut Self| lower.kept(below, stanza.span);
                self.branches(&stanza.branches, stanza.otherwise, stanza.span, &none, &|lower, block| {
                    lower.value_of(block, below)
                })
            }
            Some(Stanza::Select(select)) => self.select(select, below),
            Some(stanza) => self.stanza(stanza, false),
            None => self.text("", block.span),
        }
    }

    /// Lowers the value of the layers below.
    fn kept(&mut self, below: Option<&Below>, span: Span) -> NodeId {
        let Some(below) = below else { return self.missing("a value", span) };
        let up = (self.builder.depth() - below.frame) as u32;
        let read = self.push(Node::Super { up, read: SuperRead::Field(below.name.clone()) }, span);
        if below.certain {
            return read;
        }
        let name = self.text(below.name.clone(), span);
        let has = self.push(Node::Super { up, read: SuperRead::Has(name) }, span);
        let missing = self.missing(&below.name.clone(), span);
        self.push(Node::If(Box::new([has, read, missing])), span)
    }

    /// Lowers the fault of a name or a case that does not exist.
    pub(super) fn missing(&mut self, name: &str, span: Span) -> NodeId {
        let name = self.text(name, span);
        self.native("_missing", vec![name], span)
    }

    fn branches(
        &mut self,
        branches: &[(Id, BlockId)],
        otherwise: Option<BlockId>,
        span: Span,
        none: &dyn Fn(&mut Self) -> NodeId,
        body: &dyn Fn(&mut Self, BlockId) -> NodeId,
    ) -> NodeId {
        let mut open = Vec::with_capacity(branches.len());
        for (condition, block) in branches {
            let condition = self.expr(*condition);
            open.push((condition, body(self, *block)));
        }
        let last = match otherwise {
            Some(block) => body(self, block),
            None => none(self),
        };
        open.into_iter()
            .rev()
            .fold(last, |no, (condition, yes)| self.push(Node::If(Box::new([condition, yes, no])), span))
    }

    fn select(&mut self, select: &'a Select, below: Option<&Below>) -> NodeId {
        let span = select.span;
        let at = self.tree.span(select.of);
        let of = self.expr(select.of);
        let keys: Vec<NodeId> = select.cases.iter().map(|(key, _)| self.text(key.name.clone(), key.span)).collect();
        let keys = self.push(Node::Array(keys.into()), at);
        let checked = self.native("_selected", vec![of, keys], at);
        self.builder.open();
        let name = Name::new_static("%select");
        let slot = self.builder.bind(name.clone());
        let pat = self.builder.pat(PatKind::Bind(slot), at);
        let binding = Binding::plain(pat, checked, at);
        let mut cases = Vec::with_capacity(select.cases.len());
        for (key, value) in &select.cases {
            let chosen = self.builder.variable(&name, at);
            let wanted = self.text(key.name.clone(), key.span);
            let condition = self.push(Node::Prim(Prim::Eq, Box::new([chosen, wanted])), key.span);
            cases.push((condition, self.value(*value, below).0));
        }
        // `_selected` fails for other keys
        let last = self.missing("a case", span);
        let body = cases
            .into_iter()
            .rev()
            .fold(last, |no, (condition, yes)| self.push(Node::If(Box::new([condition, yes, no])), span));
        let (slots, groups) = self.builder.close();
        self.push(Node::Let(Box::new(Let { recursive: false, bindings: vec![binding], body, groups, slots })), span)
    }

    /// Lowers a stanza to its value alone. `document`: names in dictionaries refer to the document.
    pub(super) fn stanza(&mut self, stanza: &'a Stanza, document: bool) -> NodeId {
        match stanza {
            Stanza::Key(entry) => self.value(entry.value, None).0,
            Stanza::Item(value, _) => self.value(*value, None).0,
            Stanza::Scalar(id) => self.expr(*id),
            Stanza::Include(path, span) if document => self.include(*path, *span),
            Stanza::Include(path, span) => {
                // the names of the file are looked up in this document too
                let file = self.include(*path, *span);
                match self.root {
                    Root::Frame(depth) => {
                        let this = self.this(depth, *span);
                        self.native("_within", vec![file, this], *span)
                    }
                    _ => file,
                }
            }
            Stanza::Search(_, span) | Stanza::Set(_, _, span) => self.text("", *span),
            Stanza::Macro(_, body, span) => self.template_function(*body, false, *span),
            Stanza::Prototype(_, body, span) => self.template_function(*body, true, *span),
            Stanza::If(stanza) => {
                let list = self.is_of_lists(stanza);
                let span = stanza.span;
                let none = |lower: &mut Self| match list {
                    true => lower.push(Node::Array(Box::new([])), span),
                    false => lower.empty(span),
                };
                self.branches(&stanza.branches, stanza.otherwise, span, &none, &|lower, block| match list {
                    true => lower.value_of(block, None),
                    false => lower.dict(block, document),
                })
            }
            Stanza::For(stanza) => self.for_loop(stanza),
            Stanza::Select(select) => self.select(select, None),
            Stanza::Call(name, args, span) => self.call_stanza(name, *args, *span),
            Stanza::New(new) => self.instance(new),
        }
    }

    /// Returns `true` if a branch of an `if` is a list.
    pub(super) fn is_of_lists(&self, stanza: &'a If) -> bool {
        let mut blocks = stanza.branches.iter().map(|(_, block)| *block).chain(stanza.otherwise);
        blocks.any(|block| self.kind_of(block) == Kind::List)
    }

    pub(super) fn empty(&mut self, span: Span) -> NodeId {
        let (fields, locals, asserts) = (Vec::new(), Vec::new(), Vec::new());
        let groups = term::Groups::in_order(0);
        self.push(
            Node::Record(Box::new(term::RecordLit { extra: None, fields, open: false, locals, asserts, groups })),
            span,
        )
    }

    /// Lowers `include e`. A path that is known is an import.
    fn include(&mut self, path: Id, span: Span) -> NodeId {
        if let (Expr::Str(text), true) = (self.tree.expr(path), self.searched.is_empty()) {
            let import = Import { path: text.clone(), kind: ImportKind::Code(None) };
            return self.push(Node::Import(Box::new(import)), span);
        }
        let folders: Vec<NodeId> = self.searched.clone().into_iter().map(|folder| self.expr(folder)).collect();
        let folders = self.push(Node::Array(folders.into()), span);
        let path = self.expr(path);
        self.native("_include", vec![path, folders], span)
    }

    /// Lowers `for`. The body is an element, or a list of elements.
    fn for_loop(&mut self, stanza: &'a For) -> NodeId {
        let tree = self.tree;
        let mut clauses = vec![Clause::For(stanza.names.clone(), stanza.items)];
        clauses.extend(stanza.condition.map(Clause::If));
        let stanzas = &tree.block(stanza.body).stanzas;
        let single = match stanzas.as_slice() {
            [Stanza::Item(value, _)] => Some(*value),
            _ => None,
        };
        let flat = single.is_none() && self.kind_of(stanza.body) != Kind::Any;
        self.comprehension(&clauses, stanza.span, &mut |lower, clauses| {
            if let Some(value) = single {
                return lower.value(value, None).0;
            }
            let body = lower.value_of(stanza.body, None);
            if !flat {
                return body;
            }
            // the elements of the body are elements of the loop
            let (name, span) = (Name::new_static("%element"), stanza.span);
            lower.builder.open();
            lower.builder.bind(name.clone());
            clauses.push(term::Clause::For { name: name.clone(), span, items: body });
            lower.builder.variable(&name, span)
        })
    }

    /// Lowers a comprehension. `body` lowers the element, and may open further clauses.
    pub(super) fn comprehension(
        &mut self,
        written: &[Clause],
        span: Span,
        body: &mut dyn FnMut(&mut Self, &mut Vec<term::Clause>) -> NodeId,
    ) -> NodeId {
        let frames = self.builder.depth();
        let mut clauses = Vec::new();
        let mut bound: Vec<&Name> = Vec::new();
        for clause in written {
            match clause {
                Clause::If(condition) => clauses.push(term::Clause::If(self.expr(*condition))),
                Clause::For(names, items) => {
                    let items = self.expr(*items);
                    let single = if let [name] = names.as_slice() { Some(name) } else { None };
                    let item = single.map_or(Name::new_static("%item"), |name| name.name.clone());
                    let at = names.first().map_or(span, |name| name.span);
                    self.builder.open();
                    self.builder.bind(item.clone());
                    clauses.push(term::Clause::For { name: item.clone(), span: at, items });
                    if let Some(name) = single {
                        self.enter(&name.name, Meaning::Slot);
                        bound.push(&name.name);
                        continue;
                    }
                    for (place, name) in names.iter().enumerate() {
                        let whole = self.builder.variable(&item, name.span);
                        let place = self.push(Node::Number(term::Number::Int(place as i64)), name.span);
                        let part = self.push(Node::Index(Box::new([whole, place])), name.span);
                        let items = self.push(Node::Array(Box::new([part])), name.span);
                        self.builder.open();
                        self.builder.bind(name.name.clone());
                        clauses.push(term::Clause::For { name: name.name.clone(), span: name.span, items });
                        self.enter(&name.name, Meaning::Slot);
                        bound.push(&name.name);
                    }
                }
            }
        }
        let body = body(self, &mut clauses);
        for name in bound {
            self.leave(name);
        }
        while self.builder.depth() > frames {
            self.builder.close();
        }
        self.push(Node::Comprehension(Box::new(Comprehension { clauses, body, object: false })), span)
    }
}
