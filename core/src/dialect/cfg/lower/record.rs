//! Lowers record literals.

use super::Lower;
use super::types::is_record_type;
use crate::dialect::cfg::problem::CfgProblem;
use crate::dialect::cfg::tree::{Chunk, Expr, Field, PathPart, Record};
use crate::dialect::parser::Focus;
use crate::problem::syntax::SyntaxKind;
use crate::term::{FieldDef, FieldName, Meta, Node, NodeId, RecordLit};
use crate::text::{Name, Span};
use rustc_hash::FxHashMap;

impl Lower<'_> {
    /// Lowers a record literal or a record type.
    pub(super) fn record(&mut self, record: &Record, span: Span) -> NodeId {
        if is_record_type(record) {
            return self.record_type(record, span);
        }
        if let Some(tail) = &record.tail {
            self.problem(tail.span, CfgProblem::RecordTail);
        }
        self.check_includes(record);
        // the expressions of computed names are outside the record's frame
        let names: Vec<Option<NodeId>> = record.fields.iter().map(|f| self.computed_name(f.path.first())).collect();
        self.builder.open();
        self.builder.anonymous_slot();
        for (index, field) in record.fields.iter().enumerate() {
            self.declare(field.path.first(), index as u32);
        }
        let mut fields = Vec::with_capacity(record.fields.len());
        for (index, (field, computed)) in record.fields.iter().zip(names).enumerate() {
            self.builder.enter(Some(index as u32));
            fields.push(self.field(field, computed));
        }
        self.builder.enter(None);
        self.finish(fields, record.open, span)
    }

    /// Closes the frame of a record literal.
    fn finish(&mut self, fields: Vec<FieldDef>, open: bool, span: Span) -> NodeId {
        let (_, groups) = self.builder.close();
        let literal = RecordLit { extra: None, fields, open, locals: Vec::new(), asserts: Vec::new(), groups };
        self.push(Node::Record(Box::new(literal)), span)
    }

    /// Lowers the expression of a computed name; `None` for a static name.
    fn computed_name(&mut self, part: Option<&PathPart>) -> Option<NodeId> {
        match part {
            Some(PathPart::Dynamic(id)) => {
                let node = self.expr(*id);
                if matches!(self.tree.expr(*id), Expr::Cursor) {
                    self.focus = Some(Focus::FieldName(None));
                }
                Some(node)
            }
            _ => None,
        }
    }

    /// Brings the name of a field into scope.
    fn declare(&mut self, part: Option<&PathPart>, index: u32) {
        match part {
            Some(PathPart::Name(name)) => self.builder.bind_field(name.name.clone(), index),
            _ => self.builder.reserve(index),
        }
    }

    /// Lowers one definition. `a.b.c = e` defines `a` as a record that defines `b` as a record that defines `c`. Only
    /// `a` is in scope.
    fn field(&mut self, field: &Field, computed: Option<NodeId>) -> FieldDef {
        let Some((first, inner)) = field.path.split_first() else {
            return self.definition(None, field.span, None, Meta::default());
        };
        // open a frame for each inner record, from the outermost one
        let mut names: Vec<(FieldName, Span)> = Vec::new();
        let (mut last_name, mut last_span) = self.field_name(first, computed);
        for part in inner {
            let computed = self.computed_name(Some(part));
            self.builder.open();
            self.builder.anonymous_slot();
            // the inner records are not literals: their names are not in scope in their values
            self.builder.reserve(0);
            self.builder.enter(Some(0));
            let (name, span) = self.field_name(part, computed);
            names.push((std::mem::replace(&mut last_name, name), std::mem::replace(&mut last_span, span)));
        }
        let shown = match &last_name {
            FieldName::Static(name) => name.clone(),
            FieldName::Computed(_) => Name::new_static("computed"),
        };
        let mut meta = self.field_meta(&shown, &field.metas);
        meta.optional |= field.mark == Some(crate::term::FieldMark::Optional);
        let body = match (field.include, field.value) {
            (true, _) => match &last_name {
                FieldName::Static(name) => Some(self.included(&name.clone(), last_span)),
                FieldName::Computed(_) => None,
            },
            (false, value) => value.map(|v| self.expr(v)),
        };
        let span = if inner.is_empty() { field.span } else { last_span.to(field.span) };
        let span = if inner.is_empty() { span } else { Span { start: last_span.start, ..span } };
        let meta = meta.into();
        let mut definition =
            FieldDef { name: last_name, name_span: last_span, span, body, included: field.include, plus: false, meta };
        // close the frames, from the innermost one
        while let Some((name, name_span)) = names.pop() {
            let span = definition.span;
            self.builder.enter(None);
            let body = self.finish(vec![definition], false, span);
            let outer = Span { start: name_span.start, ..span };
            definition = self.definition(Some(name), outer, Some(body), Meta::default());
            definition.name_span = name_span;
        }
        definition
    }

    /// Makes a definition without the marks `include` and `+:`.
    fn definition(&mut self, name: Option<FieldName>, span: Span, body: Option<NodeId>, meta: Meta) -> FieldDef {
        let name = name.unwrap_or_else(|| FieldName::Static(Name::new_static("")));
        FieldDef { name, name_span: span, span, body, included: false, plus: false, meta }
    }

    fn field_name(&mut self, part: &PathPart, computed: Option<NodeId>) -> (FieldName, Span) {
        match (part, computed) {
            (PathPart::Name(name), _) => (FieldName::Static(name.name.clone()), name.span),
            (PathPart::Dynamic(id), Some(node)) => (FieldName::Computed(node), self.tree.span(*id)),
            (PathPart::Dynamic(id), None) => (FieldName::Static(Name::new_static("")), self.tree.span(*id)),
        }
    }

    /// Reports a field that is included twice, or both included and defined.
    fn check_includes(&mut self, record: &Record) {
        if !record.fields.iter().any(|f| f.include) {
            return;
        }
        let mut seen: FxHashMap<&Name, (Span, bool)> = FxHashMap::default();
        for field in &record.fields {
            let Some(PathPart::Name(name)) = field.path.first() else { continue };
            if let Some((first, included)) = seen.insert(&name.name, (name.span, field.include))
                && (included || field.include)
            {
                let what = Name::new_static("field");
                self.problem(name.span, SyntaxKind::Duplicate { name: name.name.clone(), what, first });
            }
        }
    }

    /// Lowers `{ a = a, b = b }`, whose values are variables of the enclosing scope.
    pub(super) fn gather(&mut self, names: &[(Name, Span)], span: Span) -> NodeId {
        self.builder.open();
        self.builder.anonymous_slot();
        (0..names.len() as u32).for_each(|i| self.builder.reserve(i));
        let mut fields = Vec::with_capacity(names.len());
        for (name, span) in names {
            let body = self.builder.variable(name, *span);
            let name = Some(FieldName::Static(name.clone()));
            fields.push(self.definition(name, *span, Some(body), Meta::default()));
        }
        self.finish(fields, false, span)
    }

    /// Lowers `prefix-s%"…"%`.
    pub(super) fn symbolic(&mut self, prefix: &Name, chunks: &[Chunk], span: Span) -> NodeId {
        self.builder.open();
        self.builder.anonymous_slot();
        // the names are not in scope in the interpolated expressions
        (0..3).for_each(|i| self.builder.reserve(i));
        let tag = self.push(Node::Tag(Name::new_static("SymbolicString")), span);
        let prefix = self.push(Node::Tag(prefix.clone()), span);
        let mut items = Vec::with_capacity(chunks.len());
        for chunk in chunks {
            items.push(match chunk {
                Chunk::Text(text) => self.push(Node::Str(text.clone()), span),
                Chunk::Expr(id, _) => self.expr(*id),
            });
        }
        let fragments = self.push(Node::Array(items.into()), span);
        let fields = [("tag", tag), ("prefix", prefix), ("fragments", fragments)]
            .into_iter()
            .map(|(name, body)| {
                let name = Some(FieldName::Static(Name::new_static(name)));
                self.definition(name, span, Some(body), Meta::default())
            })
            .collect();
        self.finish(fields, false, span)
    }
}
