//! The definitions of a cell: a term for each key.

use super::plan::{Body, Definition, Guard, Layer, Plan};
use super::{Lower, Meaning};
use crate::dialect::yay::tree::{BlockId, Blocks, Expr, Stanza};
use crate::problem::Problem;
use crate::term::{FieldDef, FieldMeta, FieldName, Import, ImportKind, Node, NodeId, RecordLit, Term, groups};
use crate::text::{Name, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// A key of a cell.
#[derive(Clone, Debug)]
pub struct Key {
    /// The name that the cell binds.
    pub name: Name,
    /// The name of the field in the document. It differs from `name` for hidden fields.
    field: Name,
    /// The place of the name.
    pub span: Span,
    /// The comments above it.
    pub doc: Option<Name>,
}

/// A part of a cell.
pub enum Part {
    /// A document without keys, whose value is shown.
    Whole,
    /// Keys that need each other.
    Keys(Vec<Key>),
}

impl<'a> Lower<'a> {
    /// Returns the parts of a document, in dependency order.
    pub fn parts(mut self, block: BlockId) -> Vec<Part> {
        let stanzas = &self.tree.block(block).stanzas;
        if stanzas.is_empty() {
            return Vec::new();
        }
        let names = self.declare(block);
        let dict = matches!(self.kind_of(block), super::kind::Kind::Dict | super::kind::Kind::Nothing);
        let plan = self.plan(block);
        let computed = plan.layers.iter().any(|layer| matches!(layer, Layer::Computed(_)));
        let keys = self.cell_keys(&plan);
        if !dict || keys.is_empty() {
            self.undeclare(names);
            return vec![Part::Whole];
        }
        if computed {
            // the keys of a computed layer are not known, so all keys are read from the whole document
            self.undeclare(names);
            let mut parts = vec![Part::Whole];
            parts.insert(0, Part::Keys(keys));
            return parts;
        }
        let places: FxHashMap<Name, u32> = keys.iter().zip(0u32..).map(|(key, i)| (key.name.clone(), i)).collect();
        let mut uses = Vec::new();
        for layer in &plan.layers {
            let Layer::Literal { definitions, args, shared, .. } = layer else { continue };
            for definition in definitions {
                let Some(user) = keys.iter().position(|key| key.field == definition.name) else { continue };
                let mut read = self.names_of(&plan, definition);
                read.extend(args.iter().flat_map(|(_, value)| self.names_in_value(*value)));
                read.extend(shared.iter().map(|(name, _)| name.clone()));
                uses.extend(read.iter().filter_map(|name| Some((user as u32, *places.get(name)?))));
            }
        }
        self.undeclare(names);
        let order = groups(keys.len(), &uses);
        order
            .iter()
            .map(|group| Part::Keys(group.iter().filter_map(|i| keys.get(*i as usize).cloned()).collect()))
            .collect()
    }

    /// Returns the keys of a plan, in order.
    fn cell_keys(&self, plan: &Plan<'a>) -> Vec<Key> {
        let mut keys: Vec<Key> = Vec::new();
        let mut seen: FxHashSet<Name> = FxHashSet::default();
        for layer in &plan.layers {
            let definitions = match layer {
                Layer::Literal { definitions, .. } => definitions,
                Layer::Computed(stanza) => {
                    let files = self.included(stanza);
                    for field in files.into_iter().flat_map(|(file, span)| self.names.fields_of_file(&file, span)) {
                        if seen.insert(field.clone()) {
                            let name = field.rsplit(' ').next().map_or_else(|| field.clone(), Name::new);
                            keys.push(Key { name, field, span: stanza.span(self.tree), doc: None });
                        }
                    }
                    continue;
                }
            };
            for definition in definitions.iter().filter(|d| !d.name.is_empty()) {
                if !seen.insert(definition.name.clone()) {
                    continue;
                }
                let doc = match definition.body {
                    Body::Entry(entry) | Body::Shared(entry) => entry.doc.as_ref().map(|(text, _)| text.clone()),
                    _ => None,
                };
                let name = definition.name.rsplit(' ').next().map_or_else(|| definition.name.clone(), Name::new);
                keys.push(Key { name, field: definition.name.clone(), span: definition.name_span, doc });
            }
        }
        keys
    }

    /// Returns the file that a stanza includes, if its path is a constant.
    fn included(&self, stanza: &Stanza) -> Option<(Import, Span)> {
        let Stanza::Include(path, span) = stanza else { return None };
        let Expr::Str(path) = self.tree.expr(*path) else { return None };
        Some((Import { path: path.clone(), kind: ImportKind::Code(None) }, *span))
    }

    /// Returns the names that a definition and its guards read.
    fn names_of(&self, plan: &Plan<'a>, definition: &Definition<'a>) -> Vec<Name> {
        let mut names = match definition.body {
            Body::Entry(entry) | Body::Shared(entry) => self.names_in_value(entry.value),
            Body::Set(value) => self.names_in_expr(value),
            Body::Macro(body) | Body::Prototype(body) => self.names_in(body),
            Body::New(new) => {
                let mut names = self.names_in_expr(new.of);
                names.extend(new.body.into_iter().flat_map(|body| self.names_in(body)));
                names
            }
        };
        let mut guards: Vec<usize> = definition.guard.into_iter().collect();
        let mut seen = FxHashSet::default();
        while let Some(id) = guards.pop() {
            if !seen.insert(id) {
                continue;
            }
            match plan.guards.get(id) {
                Some(Guard::If { condition, outer, previous, .. }) => {
                    names.extend(self.names_in_expr(*condition));
                    guards.extend(outer.iter().chain(previous));
                }
                Some(Guard::Else { outer, previous, .. }) => guards.extend(outer.iter().chain(previous)),
                Some(Guard::Case { of, outer, .. }) => {
                    names.extend(self.names_in_expr(*of));
                    guards.extend(outer);
                }
                None => {}
            }
        }
        names
    }

    /// Lowers one key: the field of a document that has only this key.
    pub fn key(mut self, block: BlockId, key: &Key) -> (Term, Vec<Problem>) {
        let whole = self.restricted(block, std::slice::from_ref(key));
        let root = self.push(Node::Project(whole, key.field.clone()), key.span);
        (self.builder.finish(root), self.problems)
    }

    /// Lowers several keys to a document.
    pub fn keys(mut self, block: BlockId, keys: &[Key]) -> (Term, Vec<Problem>) {
        let root = self.restricted(block, keys);
        (self.builder.finish(root), self.problems)
    }

    /// Lowers `shared.name`.
    pub fn member(mut self, shared: &Name, key: &Key) -> (Term, Vec<Problem>) {
        let of = self.builder.variable(shared, key.span);
        let root = self.push(Node::Project(of, key.field.clone()), key.span);
        (self.builder.finish(root), self.problems)
    }

    /// Lowers a document that is shown.
    pub fn shown(mut self, block: BlockId) -> (Term, Vec<Problem>) {
        let root = match self.kind_of(block) {
            super::kind::Kind::Dict | super::kind::Kind::Nothing => self.document(block),
            _ => self.value_of(block, None),
        };
        (self.builder.finish(root), self.problems)
    }

    /// Lowers the layers of a document that define some keys, on top of the session's values for these keys. Other names
    /// are looked up in the session.
    fn restricted(&mut self, block: BlockId, keys: &[Key]) -> NodeId {
        let span = self.tree.block(block).span;
        let declared = self.declare(block);
        let mut plan = self.plan(block);
        let wanted: FxHashSet<&Name> = keys.iter().map(|key| &key.field).collect();
        let others: Vec<Name> = {
            let all = self.cell_keys(&plan);
            all.into_iter().filter(|key| !wanted.contains(&key.field)).map(|key| key.name).collect()
        };
        let computed = plan.layers.iter().any(|layer| matches!(layer, Layer::Computed(_)));
        if !computed {
            for layer in &mut plan.layers {
                if let Layer::Literal { definitions, .. } = layer {
                    definitions.retain(|d| wanted.contains(&d.name));
                }
            }
            plan.layers.retain(|layer| !matches!(layer, Layer::Literal { definitions, .. } if definitions.is_empty()));
            for name in &others {
                self.enter(name, Meaning::Global);
            }
        }
        self.open = computed;
        self.strict = !computed;
        self.keys = keys.iter().filter(|key| key.name == key.field).map(|key| key.name.clone()).collect();
        let below = self.earlier_values(keys, span);
        let whole = self.layers_above(&plan, below, span);
        if !computed {
            for name in &others {
                self.leave(name);
            }
        }
        self.undeclare(declared);
        whole
    }

    /// Lowers `{ a: a, b: b }` with the session's values for the keys that a document extends.
    fn earlier_values(&mut self, keys: &[Key], span: Span) -> Option<NodeId> {
        let bound = |key: &&Key| key.name == key.field && self.names.is_defined(&key.name);
        let known: Vec<&Key> = keys.iter().filter(bound).collect();
        if known.is_empty() {
            return None;
        }
        self.builder.open();
        self.builder.anonymous_slot();
        let mut fields = Vec::with_capacity(known.len());
        for (index, key) in known.iter().enumerate() {
            self.builder.declare_field(key.field.clone(), index as u32);
            self.builder.enter(Some(index as u32));
            let body = Some(self.builder.variable(&key.name, key.span));
            fields.push(FieldDef {
                name: FieldName::Static(key.field.clone()),
                name_span: key.span,
                span: key.span,
                body,
                included: false,
                plus: false,
                meta: FieldMeta::NONE.into(),
            });
        }
        let (_, groups) = self.builder.close();
        let literal = RecordLit { extra: None, fields, open: false, locals: Vec::new(), asserts: Vec::new(), groups };
        Some(self.push(Node::Record(Box::new(literal)), span))
    }
}
