//! Lowers types with their own syntax: record types and enum types.

use super::Lower;
use crate::dialect::cfg::problem::CfgProblem;
use crate::dialect::cfg::tree::{EnumRow, MetaKind, PathPart, Record, Spanned};
use crate::problem::syntax::SyntaxKind;
use crate::term::{NodeId, RowTail, TypeForm};
use crate::text::{Name, Span};
use rustc_hash::FxHashMap;

/// Returns `true` if a record is a record type: it has a field or a tail, and every field is only `name : T`.
pub(super) fn is_record_type(record: &Record) -> bool {
    (record.tail.is_some() || !record.fields.is_empty())
        && record.fields.iter().all(|f| {
            f.value.is_none()
                && !f.include
                && matches!(f.path.as_slice(), [PathPart::Name(_)])
                && matches!(f.metas.as_slice(), [meta] if matches!(meta.kind, MetaKind::Type(_)))
        })
}

impl Lower<'_> {
    pub(super) fn record_type(&mut self, record: &Record, span: Span) -> NodeId {
        let mut fields = Vec::with_capacity(record.fields.len());
        let mut marks = Vec::new();
        let mut seen = FxHashMap::default();
        for field in &record.fields {
            let (Some(PathPart::Name(name)), Some(MetaKind::Type(ty))) =
                (field.path.first(), field.metas.first().map(|m| &m.kind))
            else {
                continue;
            };
            let ty = self.annotation(*ty);
            if let Some(first) = seen.insert(name.name.clone(), name.span) {
                let what = Name::new_static("field");
                self.problem(name.span, SyntaxKind::Duplicate { name: name.name.clone(), what, first });
                continue;
            }
            marks.extend(field.mark.map(|mark| (name.name.clone(), mark)));
            fields.push((name.name.clone(), name.span, ty));
        }
        let tail = if record.open { RowTail::Dyn } else { self.tail(record.tail.as_ref()) };
        self.ty(TypeForm::Record { fields, marks, tail }, span)
    }

    pub(super) fn enum_type(&mut self, rows: &[EnumRow], tail: Option<&Spanned>, span: Span) -> NodeId {
        let mut tags = Vec::with_capacity(rows.len());
        let mut seen = FxHashMap::default();
        for row in rows {
            let ty = row.ty.map(|ty| self.expr(ty));
            if let Some(first) = seen.insert((row.tag.name.clone(), ty.is_some()), row.tag.span) {
                let what = Name::new_static("tag");
                self.problem(row.tag.span, SyntaxKind::Duplicate { name: row.tag.name.clone(), what, first });
                continue;
            }
            tags.push((row.tag.name.clone(), row.tag.span, ty));
        }
        let tail = self.tail(tail);
        self.ty(TypeForm::Enum { tags, tail }, span)
    }

    fn tail(&mut self, tail: Option<&Spanned>) -> RowTail {
        let Some(tail) = tail else { return RowTail::Closed };
        if tail.name == "Dyn" {
            return RowTail::Dyn;
        }
        match self.builder.ty_var(&tail.name) {
            Some(var) => RowTail::Var(var),
            None => {
                self.problem(tail.span, CfgProblem::UnboundTail(tail.name.clone()));
                RowTail::Dyn
            }
        }
    }
}
