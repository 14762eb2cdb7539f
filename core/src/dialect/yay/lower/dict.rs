//! Blocks of keys: layers as record literals, composed by `+`.

use super::computed::Above;
use super::list::Below;
use super::plan::{Body, Definition, Guard, GuardId, Layer, Plan};
use super::{Lower, Meaning, REST, Root, Template, hidden_name};
use crate::dialect::yay::tree::{BlockId, Blocks, Entry, Expr, Spanned, Stanza, Value};
use crate::meta::Visibility;
use crate::term::{Binding, FieldDef, FieldMeta, FieldName, Let, Node, NodeId, PatKind, Prim, RecordLit};
use crate::text::{Name, Span};
use rustc_hash::FxHashMap;

/// The variable that holds the result of a layer's call.
const CALLED: Name = Name::new_static("%called");

/// The macro or prototype that a layer comes from.
#[derive(Clone, Copy, Default)]
struct Of<'a, 'p> {
    /// The arguments.
    args: &'p [(&'a Spanned, Value)],
    /// Whether `self` means the record.
    binds_self: bool,
    /// The name, if the values are read from its result.
    shared: Option<&'p (Name, Span)>,
}

/// A name that a block declares.
pub(super) struct Declared {
    pub name: Name,
    /// Whether it is that of a macro or a prototype, and not of a `set`.
    pub is_template: bool,
}

impl<'a> Lower<'a> {
    /// Lowers a block of keys to a record. `document`: names refer to this record.
    pub(super) fn dict(&mut self, block: BlockId, document: bool) -> NodeId {
        crate::deep::deeper(|| self.dict_here(block, document))
    }

    /// Lowers the block of a document. The paths of files that are included read the document without these files.
    pub(super) fn whole_document(&mut self, block: BlockId) -> NodeId {
        if !self.computes_paths(block) {
            return self.dict(block, true);
        }
        let span = self.tree.block(block).span;
        let names = self.declare(block);
        let mut plan = self.plan(block);
        plan.layers.retain(|layer| match layer {
            Layer::Literal { .. } => true,
            Layer::Computed(stanza) => self.reads_nothing(stanza),
        });
        // the problems of these layers are found again in the whole document
        let (problems, unbound) = (self.problems.len(), self.unbound.clone());
        let rest = self.layers(&plan, None, true, span);
        self.problems.truncate(problems);
        self.unbound = unbound;
        self.undeclare(names);
        self.builder.open();
        let slot = self.builder.bind(REST);
        let pat = self.builder.pat(PatKind::Bind(slot), span);
        let binding = Binding::plain(pat, rest, span);
        self.has_rest = true;
        let body = self.dict(block, true);
        self.has_rest = false;
        let (slots, groups) = self.builder.close();
        self.push(Node::Let(Box::new(Let { recursive: false, bindings: vec![binding], body, groups, slots })), span)
    }

    /// Returns `true` if a stanza of a block includes a file whose path is computed.
    fn computes_paths(&self, block: BlockId) -> bool {
        let includes = |stanza: &Stanza| matches!(stanza, Stanza::Include(path, _) if !matches!(self.tree.expr(*path), Expr::Str(_)));
        self.tree.block(block).stanzas.iter().any(includes)
    }

    fn dict_here(&mut self, block: BlockId, document: bool) -> NodeId {
        let span = self.tree.block(block).span;
        let names = self.declare(block);
        let plan = self.plan(block);
        let whole = self.layers(&plan, None, document, span);
        self.undeclare(names);
        whole
    }

    /// Brings the `set`s, macros, prototypes and search folders of a block into scope.
    pub(super) fn declare(&mut self, block: BlockId) -> Vec<Declared> {
        let tree = self.tree;
        let depth = self.builder.depth() + 1;
        let mut names = Vec::new();
        let mut work = vec![block];
        while let Some(block) = work.pop() {
            for stanza in &tree.block(block).stanzas {
                let (word, name) = match stanza {
                    Stanza::Set(name, ..) => ("set", name),
                    Stanza::Macro(name, body, _) | Stanza::Prototype(name, body, _) => {
                        self.declare_template(&name.name, *body);
                        (if matches!(stanza, Stanza::Macro(..)) { "macro" } else { "prototype" }, name)
                    }
                    Stanza::Search(path, _) => {
                        self.searched.push(*path);
                        continue;
                    }
                    Stanza::If(stanza) => {
                        work.extend(stanza.branches.iter().map(|(_, block)| *block).chain(stanza.otherwise));
                        continue;
                    }
                    _ => continue,
                };
                self.enter(&name.name, Meaning::Field { depth, name: hidden_name(word, name) });
                names.push(Declared { name: name.name.clone(), is_template: word != "set" });
            }
        }
        names
    }

    /// Brings the body of a macro or a prototype into scope.
    pub(super) fn declare_template(&mut self, name: &Name, body: BlockId) {
        let template = Template { body, free: self.names_in(body) };
        self.templates.entry(name.clone()).or_default().push(template);
    }

    /// Takes what a block declared out of scope.
    pub(super) fn undeclare(&mut self, names: Vec<Declared>) {
        for Declared { name, is_template } in names {
            self.leave(&name);
            if let Some(stack) = self.templates.get_mut(&name).filter(|_| is_template) {
                stack.pop();
            }
        }
    }

    /// Composes the layers of a plan to a document, above a record.
    pub(super) fn layers_above(&mut self, plan: &Plan<'a>, below: Option<NodeId>, span: Span) -> NodeId {
        self.layers(plan, below, true, span)
    }

    /// Composes the layers of a plan.
    fn layers(&mut self, plan: &Plan<'a>, below: Option<NodeId>, document: bool, span: Span) -> NodeId {
        let mut whole: Option<NodeId> = below;
        let mut defined: FxHashMap<Name, ()> = FxHashMap::default();
        for (index, layer) in plan.layers.iter().enumerate() {
            if self.stop.is_asked() {
                break;
            }
            whole = match layer {
                Layer::Literal { .. } => self.literal_layer(plan, layer, whole, document, &mut defined, span),
                Layer::Computed(stanza) => {
                    let above = Above { plan, from: index + 1, defined: &defined };
                    Some(self.computed(stanza, whole, &above, document, span))
                }
            };
        }
        whole.unwrap_or_else(|| self.literal(plan, &[], Of::default(), document, &defined, span))
    }

    /// Composes a layer of known keys with the layers below it.
    pub(super) fn literal_layer(
        &mut self,
        plan: &Plan<'a>,
        layer: &Layer<'a>,
        below: Option<NodeId>,
        document: bool,
        defined: &mut FxHashMap<Name, ()>,
        span: Span,
    ) -> Option<NodeId> {
        let Layer::Literal { definitions, args, binds_self, inlined, shared } = layer else { return below };
        if *inlined {
            self.enter_sets(plan);
        }
        let of = Of { args, binds_self: *binds_self, shared: shared.as_ref() };
        let literal = self.literal(plan, definitions, of, document, defined, span);
        if *inlined {
            plan.inlined_sets().iter().for_each(|(plain, _)| self.leave(plain));
        }
        defined.extend(definitions.iter().map(|d| (d.name.clone(), ())));
        Some(match below {
            Some(below) => self.push(Node::Inherit(Box::new([below, literal])), span),
            None => literal,
        })
    }

    /// Brings the `set`s of expanded macros into scope.
    fn enter_sets(&mut self, plan: &Plan<'a>) {
        let depth = self.builder.depth() + 1;
        for (plain, hidden) in plan.inlined_sets() {
            self.enter(plain, Meaning::Field { depth, name: hidden.clone() });
        }
    }

    /// Lowers one layer to a record literal.
    fn literal(
        &mut self,
        plan: &Plan<'a>,
        definitions: &[Definition<'a>],
        Of { args, binds_self, shared }: Of<'a, '_>,
        document: bool,
        defined: &FxHashMap<Name, ()>,
        whole: Span,
    ) -> NodeId {
        let span = match (definitions.first(), definitions.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => whole,
        };
        self.builder.open();
        self.builder.anonymous_slot();
        let depth = self.builder.depth();
        let root = self.root;
        let peeks_here = std::mem::replace(&mut self.peeks_here, false);
        let (path, entry) = (self.path.clone(), self.entry.take());
        if document {
            self.root = Root::Frame(depth);
            self.path = Some(Vec::new());
        }
        self.dicts.push(depth);
        let itself_name = Name::new_static("self");
        if binds_self {
            self.enter(&itself_name, Meaning::Record { depth });
        }
        let count = definitions.len() as u32;
        for (index, definition) in definitions.iter().enumerate() {
            self.builder.declare_field(definition.name.clone(), index as u32);
        }
        let mut locals = Vec::new();
        // the values of arguments keep the scope in which they are written
        for (name, value) in args {
            let index = count + locals.len() as u32;
            self.builder.reserve(index);
            self.builder.enter(Some(index));
            let body = self.value(*value, None).0;
            let slot = self.builder.bind(name.name.clone());
            self.builder.define_slot(slot, index);
            let pat = self.builder.pat(PatKind::Bind(slot), name.span);
            locals.push(Binding::plain(pat, body, name.span));
        }
        for (name, _) in args {
            self.enter(&name.name, Meaning::Slot);
        }
        if let Some(of) = shared {
            let index = count + locals.len() as u32;
            self.builder.reserve(index);
            self.builder.enter(Some(index));
            let given: Vec<&'a Spanned> = args.iter().map(|(name, _)| *name).collect();
            let body = self.shared_call(of, &given);
            let slot = self.builder.bind(CALLED);
            self.builder.define_slot(slot, index);
            let pat = self.builder.pat(PatKind::Bind(slot), of.1);
            locals.push(Binding::plain(pat, body, of.1));
        }
        let mut guards: FxHashMap<Condition, Name> = FxHashMap::default();
        for guard in definitions.iter().filter_map(|d| d.guard) {
            self.guard(plan, guard, count, &mut guards, &mut locals);
        }
        let mut fields = Vec::with_capacity(definitions.len());
        for (index, definition) in definitions.iter().enumerate() {
            self.builder.enter(Some(index as u32));
            fields.push(self.definition(plan, definition, &guards, defined.contains_key(&definition.name)));
        }
        for (name, _) in args {
            self.leave(&name.name);
        }
        if binds_self {
            self.leave(&itself_name);
        }
        self.dicts.pop();
        self.root = root;
        self.peeks_here = peeks_here;
        (self.path, self.entry) = (path, entry);
        let (_, groups) = self.builder.close();
        let literal = RecordLit { extra: None, fields, open: false, locals, asserts: Vec::new(), groups };
        self.push(Node::Record(Box::new(literal)), span)
    }

    /// Adds the locals of a guard and of the conditions that it depends on. Each has its own variable.
    fn guard(
        &mut self,
        plan: &Plan<'a>,
        id: GuardId,
        count: u32,
        known: &mut FxHashMap<Condition, Name>,
        locals: &mut Vec<Binding>,
    ) {
        let mut work = vec![Condition::Holds(id)];
        while let Some(condition) = work.last().copied() {
            if known.contains_key(&condition) {
                work.pop();
                continue;
            }
            let (Condition::Holds(id) | Condition::NoneUpTo(id) | Condition::Chosen(id) | Condition::Own(id)) =
                condition;
            let Some(guard) = plan.guards.get(id) else { return };
            let (outer, previous) = guard.outer_and_previous();
            let outer = outer.map(Condition::Holds);
            let previous = previous.map(Condition::NoneUpTo);
            let needed = match condition {
                Condition::Holds(_) if matches!(guard, Guard::Case { .. }) => {
                    [outer, None, Some(Condition::Chosen(guard.first()))]
                }
                Condition::Holds(id) if plan.continued.contains(&id) => [outer, previous, Some(Condition::Own(id))],
                Condition::Holds(_) => [outer, previous, None],
                // without `Holds`, which depends on the branches before it too: while a guard reads what it guards, nothing is cached
                Condition::NoneUpTo(id) => [previous, None, Some(Condition::Own(id))],
                Condition::Chosen(_) | Condition::Own(_) => [None; 3],
            };
            let missing: Vec<Condition> = needed.into_iter().flatten().filter(|c| !known.contains_key(c)).collect();
            if !missing.is_empty() {
                work.extend(missing);
                continue;
            }
            work.pop();
            let index = count + locals.len() as u32;
            self.builder.reserve(index);
            self.builder.enter(Some(index));
            let span = match guard {
                Guard::If { condition, .. } => self.tree.span(*condition),
                Guard::Else { span, .. } => *span,
                Guard::Case { of, .. } => self.tree.span(*of),
            };
            let mut all: Vec<NodeId> = Vec::new();
            for name in needed.iter().flatten().filter_map(|needed| known.get(needed)).cloned().collect::<Vec<_>>() {
                all.push(self.builder.variable(&name, span));
            }
            let own = match (condition, guard) {
                (Condition::Chosen(_), Guard::Case { of, keys, .. }) => {
                    let of = self.expr(*of);
                    let keys: Vec<NodeId> = keys.iter().map(|key| self.text(key.clone(), span)).collect();
                    let keys = self.push(Node::Array(keys.into()), span);
                    Some(self.native("_selected", vec![of, keys], span))
                }
                (Condition::Chosen(_), _) => None,
                (Condition::NoneUpTo(_), _) => {
                    all.pop().map(|held| self.push(Node::Prim(Prim::Not, Box::new([held])), span))
                }
                (Condition::Holds(id), Guard::If { .. }) if plan.continued.contains(&id) => None,
                (_, Guard::If { condition, .. }) => Some(self.expr(*condition)),
                (_, Guard::Else { .. }) => None,
                (_, Guard::Case { key, .. }) => {
                    let key = self.text(key.clone(), span);
                    all.pop().map(|chosen| self.native("_chosen", vec![chosen, key], span))
                }
            };
            all.extend(own);
            let mut all = all.into_iter();
            let first = all.next();
            let body = all.fold(first, |left, right| match left {
                Some(left) => Some(self.push(Node::Prim(Prim::And, Box::new([left, right])), span)),
                None => Some(right),
            });
            let body = body.unwrap_or_else(|| self.push(Node::Bool(true), span));
            let name = Name::from(match condition {
                Condition::Holds(id) => format!("%if.{id}"),
                Condition::NoneUpTo(id) => format!("%none.{id}"),
                Condition::Chosen(id) => format!("%chosen.{id}"),
                Condition::Own(id) => format!("%own.{id}"),
            });
            let slot = self.builder.bind(name.clone());
            self.builder.define_slot(slot, index);
            let pat = self.builder.pat(PatKind::Bind(slot), span);
            locals.push(Binding::plain(pat, body, span));
            known.insert(condition, name);
        }
    }

    fn definition(
        &mut self,
        plan: &Plan<'a>,
        definition: &Definition<'a>,
        guards: &FxHashMap<Condition, Name>,
        above: bool,
    ) -> FieldDef {
        let Definition { name, name_span, span, guard, body } = definition;
        let mut meta = FieldMeta::NONE;
        let (body, plus) = match body {
            Body::Entry(entry) => {
                meta.doc = entry.doc.clone();
                self.entry(entry, above)
            }
            Body::Shared(entry) => {
                meta.doc = entry.doc.clone();
                let place = match entry.value {
                    Value::Scalar(id) => self.tree.span(id),
                    Value::Block(block) => entry.name.span.to(self.tree.block(block).span),
                    Value::Nothing(span) => span,
                };
                let call = self.builder.variable(&CALLED, place);
                let is_dict = match entry.value {
                    Value::Scalar(id) => matches!(self.tree.expr(id), Expr::Dict(pairs) if pairs.is_empty()),
                    Value::Block(block) => self.kind_of(block) != super::kind::Kind::List,
                    Value::Nothing(_) => false,
                };
                (self.push(Node::Project(call, entry.name.name.clone()), place), is_dict)
            }
            Body::Set(value) => {
                meta.visibility = Visibility::Hidden;
                (self.expr(*value), false)
            }
            Body::Macro(body) | Body::Prototype(body) => {
                meta.visibility = Visibility::Hidden;
                let is_prototype = matches!(definition.body, Body::Prototype(_));
                (self.template_function(*body, is_prototype, *span), false)
            }
            Body::New(new) => (self.instance(new), true),
        };
        if let Some(guard) = guard.and_then(|g| guards.get(&Condition::Holds(g))) {
            let at = guard_span(plan, definition.guard, self.tree).unwrap_or(*name_span);
            meta.guard = Some(self.builder.variable(guard, at));
            meta.decided = definition.guard.and_then(|guard| self.decided(plan, guard));
            let first = definition.guard.and_then(|guard| plan.guards.get(guard)).map(Guard::first);
            meta.alternatives = guard_span(plan, first, self.tree);
        }
        let name = FieldName::Static(name.clone());
        let (name_span, span) = (*name_span, *span);
        FieldDef { name, name_span, span, body: Some(body), included: false, plus, meta: meta.into() }
    }

    /// Lowers the value of a key, and returns whether it is combined with the layers below.
    fn entry(&mut self, entry: &'a Entry, above: bool) -> (NodeId, bool) {
        let below = Below { name: entry.name.name.clone(), frame: self.builder.depth(), certain: above };
        let (value, plus) = match entry.extend {
            true => {
                let value = self.value(entry.value, None).0;
                let value = match entry.value {
                    Value::Block(_) => value,
                    // `extend` continues only lists
                    _ => self.native("_stream", vec![value], entry.span),
                };
                (value, true)
            }
            false => {
                self.entry = Some((below.name.clone(), below.frame));
                if let Some(path) = &mut self.path {
                    path.push(below.name.clone());
                }
                let value = self.value(entry.value, Some(&below));
                if let Some(path) = &mut self.path {
                    path.pop();
                }
                self.entry = None;
                value
            }
        };
        if let Value::Block(block) = entry.value {
            // the place of a value below the line includes its key, where a reader looks for it
            self.builder.set_span(value, entry.name.span.to(self.tree.block(block).span));
        }
        (value, plus)
    }

    /// Returns `true` if a stanza is a layer without reading any name.
    pub(super) fn reads_nothing(&self, stanza: &Stanza) -> bool {
        match stanza {
            Stanza::Include(path, _) => matches!(self.tree.expr(*path), Expr::Str(_)) && self.searched.is_empty(),
            _ => false,
        }
    }
}

/// A condition that is a local of a layer.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Condition {
    /// A guard holds.
    Holds(GuardId),
    /// No branch of an `if` holds, from the first one to this one.
    NoneUpTo(GuardId),
    /// The condition of a branch alone.
    Own(GuardId),
    /// The case that a `select` chooses, by its first case. It is a text.
    Chosen(GuardId),
}

/// Returns the place of the condition of a guard.
fn guard_span(plan: &Plan<'_>, guard: Option<GuardId>, tree: &crate::dialect::yay::tree::Tree) -> Option<Span> {
    Some(match plan.guards.get(guard?)? {
        Guard::If { condition, .. } => tree.span(*condition),
        Guard::Else { span, .. } => *span,
        Guard::Case { span, .. } => *span,
    })
}
