//! The layers of a block of keys: which definitions are in which layer, and under which guards.

use super::{Lower, Template, hidden_name};
use crate::dialect::yay::tree::{BlockId, Blocks, Entry, Expr, Id, If, New, Select, Spanned, Stanza, Value};
use crate::text::{Name, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::rc::Rc;

/// The index of a guard in a [`Plan`].
pub(super) type GuardId = usize;

/// A condition under which definitions count.
pub(super) enum Guard {
    /// `if e` or `elif e` holds if `e` is true and no earlier branch holds. `previous` is the branch before it.
    If { condition: Id, outer: Option<GuardId>, previous: Option<GuardId>, first: GuardId },
    /// `else` holds if no earlier branch holds.
    Else { outer: Option<GuardId>, previous: Option<GuardId>, first: GuardId, span: Span },
    /// A case of a `select` holds if `of` is its key. `keys` are the keys of all cases.
    Case { of: Id, key: Name, keys: Rc<[Name]>, outer: Option<GuardId>, first: GuardId, span: Span },
}

/// The syntax that a definition comes from.
pub(super) enum Body<'t> {
    /// A key.
    Entry(&'t Entry),
    /// A key in the body of a macro or a prototype. Its value is read from the layer's call.
    Shared(&'t Entry),
    /// `set name = e`
    Set(Id),
    /// `macro name: …`
    Macro(BlockId),
    /// `prototype name: …`
    Prototype(BlockId),
    /// `new e as name: …`
    New(&'t New),
}

/// A definition in a layer.
pub(super) struct Definition<'t> {
    pub(super) name: Name,
    pub(super) name_span: Span,
    pub(super) span: Span,
    pub(super) guard: Option<GuardId>,
    pub(super) body: Body<'t>,
}

/// A layer.
pub(super) enum Layer<'t> {
    /// Definitions, with the arguments of the macro that they come from.
    Literal {
        definitions: Vec<Definition<'t>>,
        args: Vec<(&'t Spanned, Value)>,
        /// Whether `self` means the record in the definitions, as in the body of a prototype.
        binds_self: bool,
        /// Whether the definitions come from an expanded macro or prototype.
        inlined: bool,
        /// The macro or prototype from whose result the values are read, if its body is not expanded here.
        shared: Option<(Name, Span)>,
    },
    /// A stanza whose keys are known only when it is evaluated.
    Computed(&'t Stanza),
}

/// The layers of a block, the lowest first.
#[derive(Default)]
pub(super) struct Plan<'t> {
    pub(super) layers: Vec<Layer<'t>>,
    pub(super) guards: Vec<Guard>,
    /// The guards that are not the last branch of their `if`.
    pub(super) continued: FxHashSet<GuardId>,
    /// Whether each guard holds. `None` for a guard that only an evaluation decides.
    pub(super) decided: OnceCell<Vec<Option<bool>>>,
    /// The names that the `set`s of expanded macros bind, each with its hidden name, once.
    inlined_sets: OnceCell<Vec<(Name, Name)>>,
    /// The names that the last layer defines, with the guards of their last definitions.
    seen: FxHashMap<Name, Option<GuardId>>,
    /// Whether the next definition begins a new layer.
    starts_layer: bool,
    // the properties of the layers that are being added: see `Layer::Literal`
    args: Vec<(&'t Spanned, Value)>,
    binds_self: bool,
    inlined: bool,
    shared: Option<(Name, Span)>,
}

impl Guard {
    /// Returns the guard around this one, and the previous branch of the same `if`. Both have lower indices.
    pub(super) fn outer_and_previous(&self) -> (Option<GuardId>, Option<GuardId>) {
        match self {
            Guard::If { outer, previous, .. } | Guard::Else { outer, previous, .. } => (*outer, *previous),
            Guard::Case { outer, .. } => (*outer, None),
        }
    }

    /// Returns the guard of the first branch of the same `if`, or of the first case of the same `select`. At most one of the
    /// guards with the same first guard holds.
    pub(super) fn first(&self) -> GuardId {
        match self {
            Guard::If { first, .. } | Guard::Else { first, .. } | Guard::Case { first, .. } => *first,
        }
    }
}

impl<'t> Plan<'t> {
    /// Adds a definition to the last layer, or to a new one if that layer already defines the name.
    fn add(&mut self, definition: Definition<'t>) {
        let is_redefined = match self.seen.insert(definition.name.clone(), definition.guard) {
            Some(before) => !self.is_alternative(before, definition.guard),
            None => false,
        };
        if !is_redefined
            && !self.starts_layer
            && let Some(Layer::Literal { definitions, .. }) = self.layers.last_mut()
        {
            definitions.push(definition);
            return;
        }
        self.seen.clear();
        self.seen.insert(definition.name.clone(), definition.guard);
        self.starts_layer = false;
        self.layers.push(Layer::Literal {
            definitions: vec![definition],
            args: self.args.clone(),
            binds_self: self.binds_self,
            inlined: self.inlined,
            shared: self.shared.clone(),
        });
    }

    /// Returns `true` if two guards are different branches of one `if` or `select`, so that one layer can have
    /// the definitions of both.
    fn is_alternative(&self, before: Option<GuardId>, after: Option<GuardId>) -> bool {
        let first = |guard: Option<GuardId>| self.guards.get(guard?).map(Guard::first);
        before != after && first(before).is_some() && first(before) == first(after)
    }

    /// Returns the names that the `set`s of expanded macros bind, each once, with their hidden names. The layers are read once:
    /// each call of a macro is a layer, and each of them needs all of these names.
    pub(super) fn inlined_sets(&self) -> &[(Name, Name)] {
        self.inlined_sets.get_or_init(|| {
            let mut seen = FxHashSet::default();
            let mut sets = Vec::new();
            for layer in &self.layers {
                let Layer::Literal { definitions, inlined: true, .. } = layer else { continue };
                for definition in definitions.iter().filter(|d| matches!(d.body, Body::Set(_))) {
                    if seen.insert(&definition.name) {
                        let plain =
                            definition.name.rsplit(' ').next().map_or_else(|| definition.name.clone(), Name::new);
                        sets.push((plain, definition.name.clone()));
                    }
                }
            }
            sets
        })
    }

    fn add_computed(&mut self, stanza: &'t Stanza) {
        self.layers.push(Layer::Computed(stanza));
        self.starts_layer = true;
    }
}

impl<'a> Lower<'a> {
    /// Returns the layers of a block of keys.
    pub(super) fn plan(&self, block: BlockId) -> Plan<'a> {
        let mut plan = Plan::default();
        self.plan_block(block, None, &mut plan, 0);
        plan
    }

    fn plan_block(&self, block: BlockId, guard: Option<GuardId>, plan: &mut Plan<'a>, depth: u32) {
        let tree = self.tree;
        for stanza in &tree.block(block).stanzas {
            if self.stop.is_asked() {
                return;
            }
            crate::deep::deeper(|| self.plan_stanza(stanza, guard, plan, depth));
        }
    }

    fn plan_stanza(&self, stanza: &'a Stanza, guard: Option<GuardId>, plan: &mut Plan<'a>, depth: u32) {
        let hidden = |word: &str, name: &Spanned, span: Span, body: Body<'a>| Definition {
            name: hidden_name(word, name),
            name_span: name.span,
            span,
            guard,
            body,
        };
        match stanza {
            Stanza::Key(entry) => plan.add(Definition {
                name: entry.name.name.clone(),
                name_span: entry.name.span,
                span: entry.span,
                guard,
                body: Body::Entry(entry),
            }),
            Stanza::Set(name, value, span) => plan.add(hidden("set", name, *span, Body::Set(*value))),
            Stanza::Macro(name, body, span) => plan.add(hidden("macro", name, *span, Body::Macro(*body))),
            Stanza::Prototype(name, body, span) => plan.add(hidden("prototype", name, *span, Body::Prototype(*body))),
            Stanza::Search(..) => {}
            Stanza::New(new) => match (&new.name, self.prototype(new.of)) {
                (Some(name), _) => plan.add(Definition {
                    name: name.name.clone(),
                    name_span: name.span,
                    span: new.span,
                    guard,
                    body: Body::New(new),
                }),
                (None, Some(template)) if self.plan_instance(new, &template, guard, plan, depth) => {}
                (None, _) => plan.add_computed(stanza),
            },
            Stanza::If(branches) if self.is_static(stanza, depth) => self.plan_if(branches, guard, plan, depth),
            Stanza::Select(select) if self.is_static(stanza, depth) => self.plan_select(select, guard, plan, depth),
            Stanza::Call(name, args, _) if self.is_static(stanza, depth) => {
                self.plan_call(name, *args, guard, plan, depth);
            }
            _ => plan.add_computed(stanza),
        }
    }

    /// Adds the keys of an instance of a prototype that has no name of its own. Returns `false`, and adds nothing, if it is
    /// nested too deeply.
    fn plan_instance(
        &self,
        new: &'a New,
        template: &Template,
        guard: Option<GuardId>,
        plan: &mut Plan<'a>,
        depth: u32,
    ) -> bool {
        let is_shareable = self.is_shareable(template, &[]) && new.body.is_none_or(|body| !self.reads_self(body));
        if is_shareable && !self.reserve(template) {
            let of = (self.prototype_name(new.of), self.tree.span(new.of));
            self.plan_shared(of, template, Vec::new(), guard, plan);
            if let Some(body) = new.body {
                self.plan_block(body, guard, plan, depth + 1);
            }
            plan.starts_layer = true;
            return true;
        }
        if depth >= MAX_DEPTH {
            return false;
        }
        let binds_self = std::mem::replace(&mut plan.binds_self, true);
        let inlined = std::mem::replace(&mut plan.inlined, true);
        plan.starts_layer = true;
        self.plan_block(template.body, guard, plan, depth + NEW_DEPTH);
        if let Some(body) = new.body {
            self.plan_block(body, guard, plan, depth + 1);
        }
        plan.binds_self = binds_self;
        plan.inlined = inlined;
        plan.starts_layer = true;
        true
    }

    fn plan_if(&self, branches: &If, guard: Option<GuardId>, plan: &mut Plan<'a>, depth: u32) {
        let mut previous = None;
        let first = plan.guards.len();
        for (condition, block) in &branches.branches {
            plan.continued.extend(previous);
            plan.guards.push(Guard::If { condition: *condition, outer: guard, previous, first });
            let own = plan.guards.len() - 1;
            self.plan_block(*block, Some(own), plan, depth + 1);
            previous = Some(own);
        }
        if let Some(block) = branches.otherwise {
            plan.continued.extend(previous);
            plan.guards.push(Guard::Else { outer: guard, previous, first, span: branches.else_span });
            let own = plan.guards.len() - 1;
            self.plan_block(block, Some(own), plan, depth + 1);
        }
    }

    fn plan_select(&self, select: &Select, guard: Option<GuardId>, plan: &mut Plan<'a>, depth: u32) {
        let keys: Rc<[Name]> = select.cases.iter().map(|(key, _)| key.name.clone()).collect();
        let first = plan.guards.len();
        for (key, value) in &select.cases {
            let Value::Block(block) = value else { continue };
            let (of, key, keys, span) = (select.of, key.name.clone(), keys.clone(), key.span);
            plan.guards.push(Guard::Case { of, key, keys, outer: guard, first, span });
            let own = plan.guards.len() - 1;
            self.plan_block(*block, Some(own), plan, depth + 1);
        }
    }

    /// Adds the keys of a call of a macro.
    fn plan_call(
        &self,
        name: &Spanned,
        args: Option<BlockId>,
        guard: Option<GuardId>,
        plan: &mut Plan<'a>,
        depth: u32,
    ) {
        let Some(template) = self.template(&name.name) else { return };
        let args = self.arguments(args);
        if self.is_shareable(&template, &args) && !self.reserve(&template) {
            self.plan_shared((name.name.clone(), name.span), &template, args, guard, plan);
            return;
        }
        let outer_args = std::mem::replace(&mut plan.args, args);
        let inlined = std::mem::replace(&mut plan.inlined, true);
        plan.starts_layer = true;
        self.plan_block(template.body, guard, plan, depth + CALL_DEPTH);
        plan.args = outer_args;
        plan.inlined = inlined;
        plan.starts_layer = true;
    }

    /// Adds the keys of a macro or a prototype as a layer that reads their values from one call.
    fn plan_shared(
        &self,
        of: (Name, Span),
        template: &Template,
        args: Vec<(&'a Spanned, Value)>,
        guard: Option<GuardId>,
        plan: &mut Plan<'a>,
    ) {
        let tree = self.tree;
        let args = std::mem::replace(&mut plan.args, args);
        let shared = plan.shared.replace(of);
        plan.starts_layer = true;
        for stanza in &tree.block(template.body).stanzas {
            if let Stanza::Key(entry) = stanza {
                let (name, name_span) = (entry.name.name.clone(), entry.name.span);
                plan.add(Definition { name, name_span, span: entry.span, guard, body: Body::Shared(entry) });
            }
        }
        plan.args = args;
        plan.shared = shared;
        plan.starts_layer = true;
    }

    /// Returns `true` if the body of a macro or a prototype means the same as the result of a call as it does when it is
    /// expanded: it has only keys, does not read the dictionary that it becomes a part of, and all its names are known.
    fn is_shareable(&self, template: &Template, args: &[(&Spanned, Value)]) -> bool {
        let tree = self.tree;
        let mut seen = FxHashSet::default();
        let is_plain_key = |stanza: &'a Stanza| match stanza {
            Stanza::Key(entry) if !entry.extend && seen.insert(&entry.name.name) => match entry.value {
                // a block of the kind `Any` may add to the value of the layers below
                Value::Block(block) => self.kind_of(block) != super::kind::Kind::Any,
                _ => true,
            },
            _ => false,
        };
        let is_bound = |name: &Name| {
            args.iter().any(|(arg, _)| arg.name == *name) || self.meaning(name).is_some() || self.is_known(name)
        };
        tree.block(template.body).stanzas.iter().all(is_plain_key)
            && !self.reads_self(template.body)
            && template.free.iter().all(is_bound)
    }

    /// Reserves room to expand a body once more. Returns `false` if the program would become too long: a shared body is
    /// shorter, but has less precise types.
    fn reserve(&self, template: &Template) -> bool {
        let bytes = self.expanded_bytes.get() + self.tree.block(template.body).span.len();
        let fits = bytes <= MAX_EXPANDED_BYTES;
        if fits {
            self.expanded_bytes.set(bytes);
        }
        fits
    }

    /// Returns `true` if a block reads the dictionary that it becomes a part of.
    fn reads_self(&self, block: BlockId) -> bool {
        self.names_in(block).iter().any(|name| name == "self" || name == "here")
    }

    /// Returns the name of a prototype. Empty if it is computed.
    fn prototype_name(&self, node: Id) -> Name {
        match self.tree.expr(node) {
            Expr::Name(name) => name.clone(),
            _ => Name::default(),
        }
    }

    /// Returns `true` if the keys of a stanza are known before it is evaluated, so that it needs no layer of its own.
    fn is_static(&self, stanza: &Stanza, depth: u32) -> bool {
        let is_static_block = |block: BlockId| {
            depth < MAX_DEPTH && self.tree.block(block).stanzas.iter().all(|inner| self.is_static(inner, depth + 1))
        };
        match stanza {
            Stanza::Key(_) | Stanza::Set(..) | Stanza::Macro(..) | Stanza::Prototype(..) | Stanza::Search(..) => true,
            Stanza::New(new) => new.name.is_some(),
            Stanza::If(stanza) => {
                stanza.branches.iter().map(|(_, block)| *block).chain(stanza.otherwise).all(is_static_block)
            }
            Stanza::Select(select) => {
                select.cases.iter().all(|(_, value)| matches!(value, Value::Block(block) if is_static_block(*block)))
            }
            Stanza::Call(name, ..) => self.template(&name.name).is_some_and(|template| {
                let depth = depth + CALL_DEPTH;
                let inner = &self.tree.block(template.body).stanzas;
                depth < MAX_DEPTH && inner.iter().all(|inner| self.is_static(inner, depth + 1))
            }),
            Stanza::Item(..) | Stanza::Scalar(_) | Stanza::Include(..) | Stanza::For(_) => false,
        }
    }

    /// Returns the prototype that an expression names.
    pub(super) fn prototype(&self, node: Id) -> Option<Template> {
        match self.tree.expr(node) {
            Expr::Name(name) => self.template(name),
            _ => None,
        }
    }

    /// Returns the arguments of a `call`: their names and values.
    pub(super) fn arguments(&self, args: Option<BlockId>) -> Vec<(&'a Spanned, Value)> {
        let tree = self.tree;
        let stanzas = args.map(|block| &tree.block(block).stanzas).into_iter().flatten();
        stanzas
            .filter_map(|stanza| match stanza {
                Stanza::Key(entry) => Some((&entry.name, entry.value)),
                _ => None,
            })
            .collect()
    }
}

/// Maximum total length of the bodies of macros and prototypes that are expanded among other keys, in bytes. Beyond it,
/// calls share the body.
const MAX_EXPANDED_BYTES: usize = 32 * 1024;

/// Maximum depth of stanzas, macros and prototypes that are expanded.
const MAX_DEPTH: u32 = 200;

/// The depth that an instance of a prototype counts for.
const NEW_DEPTH: u32 = 50;

/// The depth that a `call` counts for. It is more than half of `MAX_DEPTH`, so that calls inside a macro are not expanded: a
/// few macros cannot make a program of exponential size.
const CALL_DEPTH: u32 = 150;
