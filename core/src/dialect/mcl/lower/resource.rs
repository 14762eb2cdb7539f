//! Resources and edges. Each is a record of one graph; the graph of a program is the merge of all of them:
//!
//! ```text
//! { resources = { "file[/tmp/x]" = { kind, name, fields = {…}, meta = {…} } },
//!   edges = { "file[/tmp/x] -> svc[a]" = { from, to, notify } } }
//! ```
//!
//! The name of a resource may be a list, so each resource is a comprehension over its names.

use super::Lower;
use super::expr::field;
use crate::dialect::mcl::kinds::{Constant, SIZES, range};
use crate::dialect::mcl::problem::{MclProblem, Named};
use crate::dialect::mcl::tree::{EdgeKind, Expr, Half, Id, Key, PartValue, Piece, Resource, Setting};
use crate::term::{
    Annot, AnnotKind, Chunk, Clause, Comprehension, FieldDef, FieldMeta, FieldName, Meta, Node, NodeId, Prim,
};
use crate::text::{Name, Span, near};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Maximum number of fields of a kind that a message lists.
const SHOWN_FIELDS: usize = 24;

/// The names that other configuration languages have for kinds and fields.
const ALIASES: [(&str, &str); 12] = [
    ("package", "pkg"),
    ("service", "svc"),
    ("command", "exec"),
    ("command", "cmd"),
    ("run", "exec"),
    ("directory", "file"),
    ("echo", "print"),
    ("ensure", "state"),
    ("enable", "startup"),
    ("enabled", "startup"),
    ("permissions", "mode"),
    ("message", "msg"),
];

/// Returns the similar names, nearest first, or those that other languages call so.
fn near_or_alias<'a>(name: &str, all: impl Iterator<Item = &'a str> + Clone) -> Vec<Name> {
    let found = near(name, all.clone());
    if !found.is_empty() {
        return found;
    }
    let meant = ALIASES.iter().filter(|(other, own)| *other == name && all.clone().any(|known| known == *own));
    meant.map(|(_, own)| Name::new_static(own)).collect()
}

/// The name of a resource inside its record.
const NAME: &str = "%name";
/// The name of the other end of an edge.
const OTHER: &str = "%other";

/// Writes a kind as in an edge: `Docker:Container`.
fn capitalised(kind: &str) -> Name {
    let part =
        |part: &str| part.chars().take(1).flat_map(char::to_uppercase).chain(part.chars().skip(1)).collect::<String>();
    Name::from(kind.split(':').map(part).collect::<Vec<_>>().join(":"))
}

impl<const N: bool> Lower<'_, N> {
    pub(in crate::dialect::mcl) fn resource(&mut self, resource: &Resource, span: Span, out: &mut Vec<NodeId>) {
        let kind = resource.kind.name.clone();
        let kinds = self.kinds();
        let known = kinds.kinds.get(&kind);
        if known.is_none() && !kind.is_empty() {
            let near = near_or_alias(&kind, kinds.kinds.keys().map(Name::as_str));
            self.problem(resource.kind.span, MclProblem::UnknownKind { kind: kind.clone(), near });
        }
        let head = resource.kind.span.to(self.tree.span(resource.name));
        let resources = self.over(&[(resource.name, NAME)], None, span, |lower| {
            let key = lower.label(&kind, NAME, head);
            lower.keyed(key, head, span, |lower| {
                let kind_node = lower.push(Node::Str(kind.clone()), resource.kind.span);
                let name = lower.builder.variable(&Name::new_static(NAME), head);
                let fields = lower.literal(span, false, |lower| lower.fields(resource, known));
                let meta = lower.meta(resource, span);
                let mut parts = vec![
                    field(Name::new_static("kind"), resource.kind.span, kind_node, Meta::default()),
                    field(Name::new_static("name"), head, name, Meta::default()),
                    field(Name::new_static("fields"), span, fields, Meta::default()),
                    field(Name::new_static("meta"), span, meta, Meta::default()),
                ];
                if let Some(known) = known
                    && kinds.is_extended(&kind)
                {
                    let sizes = lower.sizes(resource, known, span);
                    let hidden = Meta::from(FieldMeta { not_exported: true, ..FieldMeta::NONE });
                    parts.push(field(Name::new_static(SIZES), span, sizes, hidden));
                }
                parts
            })
        });
        out.push(self.graph("resources", resources, span));
        for part in &resource.parts {
            let (Key::Edge(edge), PartValue::Half(half)) = (&part.key, &part.value) else { continue };
            let own = (kind.clone(), resource.name);
            let (from, to) = match edge {
                EdgeKind::Before | EdgeKind::Notify => (own, (half.kind.name.clone(), half.name)),
                EdgeKind::Depend | EdgeKind::Listen => ((half.kind.name.clone(), half.name), own),
            };
            self.check_kind(half);
            let notify = matches!(edge, EdgeKind::Notify | EdgeKind::Listen);
            let edge = self.edge(from, to, notify, part.condition, part.span);
            out.push(edge);
        }
    }

    /// Lowers `A["a"] -> B["b"] -> …`.
    pub(in crate::dialect::mcl) fn edges(&mut self, halves: &[Half], out: &mut Vec<NodeId>) {
        for half in halves {
            self.check_kind(half);
        }
        for pair in halves.windows(2) {
            let [from, to] = pair else { continue };
            self.check_received(to);
            let span = from.span.to(to.span);
            let edge =
                self.edge((from.kind.name.clone(), from.name), (to.kind.name.clone(), to.name), false, None, span);
            out.push(edge);
        }
    }

    /// Warns of a value that is sent to a field that does not exist.
    fn check_received(&mut self, half: &Half) {
        let Some(field) = half.field.as_ref().filter(|field| !field.name.is_empty()) else { return };
        let kinds = self.kinds();
        let Some(known) = kinds.kinds.get(&half.kind.name).filter(|known| !known.contains_key(&field.name)) else {
            return;
        };
        let near = near_or_alias(&field.name, known.keys().map(Name::as_str));
        let (kind, field_name) = (half.kind.name.clone(), field.name.clone());
        let known = if known.len() <= SHOWN_FIELDS { known.keys().cloned().collect() } else { Vec::new() };
        self.warning(field.span, MclProblem::UnknownField { kind, field: field_name, near, known });
    }

    fn check_kind(&mut self, half: &Half) {
        let kind = &half.kind;
        let kinds = self.kinds();
        if !kind.name.is_empty() && !kinds.kinds.contains_key(&kind.name) {
            let near = near_or_alias(&kind.name, kinds.kinds.keys().map(Name::as_str));
            let near = near.iter().map(|kind| capitalised(kind)).collect();
            self.problem(kind.span, MclProblem::UnknownKind { kind: kind.name.clone(), near });
        }
    }

    fn edge(&mut self, from: (Name, Id), to: (Name, Id), notify: bool, condition: Option<Id>, span: Span) -> NodeId {
        let edges = self.over(&[(from.1, NAME), (to.1, OTHER)], condition, span, |lower| {
            let arrow = Name::from(format!("] -> {}[", to.0));
            let chunks = vec![
                Chunk::Text(Name::from(format!("{}[", from.0))),
                Chunk::Expr(lower.builder.variable(&Name::new_static(NAME), span)),
                Chunk::Text(arrow),
                Chunk::Expr(lower.builder.variable(&Name::new_static(OTHER), span)),
                Chunk::Text(Name::new_static("]")),
            ];
            let key = lower.push(Node::Interp(chunks.into()), span);
            lower.keyed(key, span, span, |lower| {
                let (a, b) = (lower.label(&from.0, NAME, span), lower.label(&to.0, OTHER, span));
                let mut fields = vec![
                    field(Name::new_static("from"), span, a, Meta::default()),
                    field(Name::new_static("to"), span, b, Meta::default()),
                ];
                if notify {
                    let yes = lower.push(Node::Bool(true), span);
                    fields.push(field(Name::new_static("notify"), span, yes, Meta::default()));
                }
                fields
            })
        });
        self.graph("edges", edges, span)
    }

    /// Lowers a comprehension over lists of names, each with the variable of one name.
    fn over(
        &mut self,
        lists: &[(Id, &'static str)],
        condition: Option<Id>,
        span: Span,
        body: impl FnOnce(&mut Self) -> NodeId,
    ) -> NodeId {
        let mut clauses = Vec::with_capacity(lists.len() + 1);
        if let Some(condition) = condition {
            clauses.push(Clause::If(self.expr(condition)));
        }
        for (names, variable) in lists {
            let at = self.tree.span(*names);
            let names = self.expr(*names);
            let items = self.push(Node::Prim(Prim::Names, Box::new([names])), at);
            self.builder.open();
            let name = Name::new_static(variable);
            self.builder.bind(name.clone());
            clauses.push(Clause::For { name, span: at, items });
        }
        let body = body(self);
        for _ in lists {
            self.builder.close();
        }
        self.push(Node::Comprehension(Box::new(Comprehension { clauses, body, object: true })), span)
    }

    /// Lowers `kind[name]`.
    fn label(&mut self, kind: &str, variable: &'static str, span: Span) -> NodeId {
        let name = self.builder.variable(&Name::new_static(variable), span);
        let chunks =
            [Chunk::Text(Name::from(format!("{kind}["))), Chunk::Expr(name), Chunk::Text(Name::new_static("]"))];
        self.push(Node::Interp(Box::new(chunks)), span)
    }

    /// Lowers a record of one computed field, which is a record.
    fn keyed(
        &mut self,
        key: NodeId,
        key_span: Span,
        span: Span,
        fields: impl FnOnce(&mut Self) -> Vec<FieldDef>,
    ) -> NodeId {
        self.literal(span, false, |lower| {
            let body = lower.literal(span, false, fields);
            let name = FieldName::Computed(key);
            let meta = Meta::default();
            vec![FieldDef { name, name_span: key_span, span, body: Some(body), included: false, plus: false, meta }]
        })
    }

    /// Lowers a graph that has only one part: `resources` or `edges`.
    fn graph(&mut self, part: &'static str, value: NodeId, span: Span) -> NodeId {
        // the value is lowered before the frame of the literal is opened, so a variable carries it into the literal
        let pat = {
            self.builder.open();
            let slot = self.builder.bind(Name::new_static("%part"));
            self.builder.pat(crate::term::PatKind::Bind(slot), span)
        };
        let body = self.literal(span, false, |lower| {
            let value = lower.builder.variable(&Name::new_static("%part"), span);
            vec![field(Name::new_static(part), span, value, Meta::default())]
        });
        let (slots, groups) = self.builder.close();
        let binding = crate::term::Binding::plain(pat, value, span);
        let l = crate::term::Let { recursive: false, bindings: vec![binding], body, groups, slots };
        self.push(Node::Let(Box::new(l)), span)
    }

    fn fields(&mut self, resource: &Resource, known: Option<&BTreeMap<Name, Name>>) -> Vec<FieldDef> {
        let mut out = Vec::new();
        let mut seen: FxHashMap<&Name, Span> = FxHashMap::default();
        for part in &resource.parts {
            let (Key::Field(name), PartValue::Expr(value)) = (&part.key, &part.value) else { continue };
            if name.is_empty() {
                continue;
            }
            if let Some(first) = seen.insert(name, part.key_span) {
                self.problem(part.key_span, MclProblem::RepeatedField { field: name.clone(), first });
                continue;
            }
            let Some(known) = known else {
                self.expr(*value);
                continue;
            };
            let Some(ty) = known.get(name) else {
                let near = near_or_alias(name, known.keys().map(Name::as_str));
                let kind = resource.kind.name.clone();
                let known = if known.len() <= SHOWN_FIELDS { known.keys().cloned().collect() } else { Vec::new() };
                self.problem(part.key_span, MclProblem::UnknownField { kind, field: name.clone(), near, known });
                continue;
            };
            if let (None, Some(range)) = (part.condition, range(ty)) {
                self.check_range(&resource.kind.name, name, *value, range);
            }
            if part.condition.is_none()
                && let Some(values) = self.kinds().values.get(&resource.kind.name).and_then(|values| values.get(name))
            {
                self.check_values(&resource.kind.name, name, *value, values);
            }
            out.push(self.set(name, part, *value, ty));
        }
        out
    }

    /// Reports a literal, or a variable that is bound to one, if a field cannot have its value.
    fn check_values(&mut self, kind: &Name, field: &Name, value: Id, all: &[Name]) {
        let literal = match self.tree.expr(value) {
            Expr::Paren(inner) => return self.check_values(kind, field, *inner, all),
            Expr::If(parts) => {
                let [_, then, otherwise] = **parts;
                self.check_values(kind, field, then, all);
                return self.check_values(kind, field, otherwise, all);
            }
            Expr::Variable(name) => {
                let key = super::key(Named::Variable, &name.name);
                let def = self.state.scopes.iter().rev().find_map(|scope| scope.names.get(&key));
                match def.and_then(|def| self.state.texts.get(&def.id?)) {
                    Some(literal) => *literal,
                    None => return,
                }
            }
            _ => value,
        };
        let text = match self.tree.expr(literal) {
            Expr::Str(pieces, _) => match &**pieces {
                [] => Name::default(),
                [Piece::Text(text)] => text.clone(),
                _ => return,
            },
            _ => return,
        };
        if all.contains(&text) {
            return;
        }
        let near = near(&text, all.iter().map(Name::as_str));
        let (kind, field, all) = (kind.clone(), field.clone(), all.into());
        self.warning(self.tree.span(literal), MclProblem::Value { kind, field, value: text, all, near });
    }

    /// Reports a literal, a constant or a variable that is bound to a literal, if it does not fit into a field.
    fn check_range(&mut self, kind: &Name, field: &Name, value: Id, range: (i64, i64)) {
        let at = self.tree.span(value);
        let (int, span) = match self.tree.expr(value) {
            Expr::Int(int) => (*int, at),
            Expr::Paren(inner) => return self.check_range(kind, field, *inner, range),
            Expr::Variable(name) => match name.name.strip_prefix("const.") {
                Some(path) => match self.kinds().constants.get(path) {
                    Some(Constant::Int(int)) => (*int, at),
                    _ => return,
                },
                None => {
                    let key = super::key(Named::Variable, &name.name);
                    let def = self.state.scopes.iter().rev().find_map(|scope| scope.names.get(&key));
                    match def.and_then(|def| self.state.ints.get(&def.id?)) {
                        Some((int, span)) => (*int, *span),
                        None => return,
                    }
                }
            },
            _ => return,
        };
        if (range.0..=range.1).contains(&int) {
            return;
        }
        let set = (span != at).then_some(at);
        self.problem(span, MclProblem::Range { kind: kind.clone(), field: field.clone(), value: int, range, set });
    }

    /// Lowers the types of the fields of a resource whose kind a user's table extends.
    fn sizes(&mut self, resource: &Resource, known: &BTreeMap<Name, Name>, span: Span) -> NodeId {
        let names = resource.parts.iter().filter_map(|part| match &part.key {
            Key::Field(name) => known.get_key_value(name),
            _ => None,
        });
        let types: BTreeMap<Name, Name> = names.map(|(name, ty)| (name.clone(), ty.clone())).collect();
        self.literal(span, false, |lower| {
            let mut out = Vec::with_capacity(types.len());
            for (name, ty) in types {
                let ty = lower.push(Node::Str(ty), span);
                out.push(field(name, span, ty, Meta::default()));
            }
            out
        })
    }

    /// Lowers one field or meta parameter, with its type and its condition.
    fn set(&mut self, name: &Name, part: &Setting, value: Id, ty: &str) -> FieldDef {
        let body = self.expr(value);
        let ty = super::signature::form(&mut self.builder, ty, part.key_span);
        let annot = Annot { kind: AnnotKind::Type, ty };
        let body = self.push(Node::Annot(body, Box::new([annot])), self.tree.span(value));
        let guard = part.condition.map(|condition| self.expr(condition));
        let meta = Meta::from(FieldMeta { guard, ..FieldMeta::NONE });
        FieldDef { span: part.span, ..field(name.clone(), part.key_span, body, meta) }
    }

    fn meta(&mut self, resource: &Resource, span: Span) -> NodeId {
        let kinds = self.kinds();
        let known = &kinds.meta;
        // the last value of a parameter wins
        let last = |name: &Name| resource.parts.iter().rposition(|p| matches!(&p.key, Key::Meta(n) if n == name));
        let mut lists: Vec<NodeId> = Vec::new();
        for (at, part) in resource.parts.iter().enumerate() {
            let PartValue::Expr(value) = &part.value else { continue };
            match &part.key {
                Key::Meta(name) => {
                    let Some(ty) = known.get(name) else {
                        let near = near(name, known.keys().map(Name::as_str));
                        self.problem(part.key_span, MclProblem::UnknownMeta { name: name.clone(), near });
                        continue;
                    };
                    if last(name) == Some(at) {
                        lists.push(self.literal(part.span, false, |lower| vec![lower.set(name, part, *value, ty)]));
                    }
                }
                Key::AllMeta => {
                    let all = self.expr(*value);
                    let at = self.tree.span(*value);
                    let ty = super::signature::any_of(&mut self.builder, known, part.key_span);
                    let all = self.push(Node::Annot(all, Box::new([Annot { kind: AnnotKind::Type, ty }])), at);
                    let all = self.push(Node::Merge(Box::new([all])), at);
                    lists.push(match part.condition {
                        Some(condition) => {
                            let condition = self.expr(condition);
                            let none = self.nothing(part.span);
                            self.push(Node::If(Box::new([condition, all, none])), part.span)
                        }
                        None => all,
                    });
                }
                _ => {}
            }
        }
        match lists.as_slice() {
            [] => self.literal(span, false, |_| Vec::new()),
            [one] if !resource.parts.iter().any(|part| part.key == Key::AllMeta) => *one,
            _ => self.push(Node::Merge(lists.into()), span),
        }
    }
}
