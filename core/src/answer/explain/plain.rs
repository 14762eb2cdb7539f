//! Converts a plain value to a program, so that its type can be inferred.

use crate::dialect::Dialect;
use crate::state::Workspace;
use crate::term::build::Builder;
use crate::term::{FieldDef, FieldName, Groups, Meta, Node, NodeId, RecordLit, Term};
use crate::text::{SourceId, Span};
use crate::value::datum::{Datum, Entry};
use std::sync::Arc;

/// Returns a program that evaluates to the value. `None` if a part of the value is unknown or is not data. Recurses as
/// deep as the value, which is limited by the size shown.
fn program(datum: &Datum, dialect: Dialect) -> Option<Arc<Term>> {
    // a language whose expressions have one type each distinguishes kinds of numbers
    let mut builder = match dialect.rules().is_exact() {
        true => Builder::with_rules(dialect.rules()),
        false => Builder::new(),
    };
    let root = node(&mut builder, datum)?;
    Some(Arc::new(builder.finish(root)))
}

/// Returns the type of plain data, in the notation of a language.
pub(super) fn type_text(session: &Workspace, dialect: Dialect, datum: &Datum) -> Option<String> {
    Some(session.type_of(dialect, &program(datum, dialect)?).text())
}

fn no_span() -> Span {
    Span::new(SourceId(u32::MAX), 0, 0)
}

fn node(builder: &mut Builder, datum: &Datum) -> Option<NodeId> {
    let node = match datum {
        Datum::Null => Node::Null,
        Datum::Bool(b) => Node::Bool(*b),
        Datum::Number(n) => Node::Number(n.clone()),
        Datum::String(s) => Node::Str(s.clone()),
        Datum::Tag(tag) => Node::Tag(tag.clone()),
        Datum::Variant(tag, argument) => Node::Variant(tag.clone(), self::node(builder, argument)?),
        Datum::Array(items) => {
            let items: Option<Box<[NodeId]>> = items.iter().map(|item| self::node(builder, item)).collect();
            Node::Array(items?)
        }
        Datum::Record(entries) => record(builder, entries)?,
        _ => return None,
    };
    Some(builder.push(node, no_span()))
}

fn record(builder: &mut Builder, entries: &[Entry]) -> Option<Node> {
    builder.open();
    builder.anonymous_slot();
    (0..entries.len() as u32).for_each(|field| builder.reserve(field));
    let mut fields = Vec::with_capacity(entries.len());
    for entry in entries {
        let body = match entry.value.as_ref().map(|value| node(builder, value)) {
            Some(None) => {
                builder.close();
                return None;
            }
            Some(body) => body,
            None => None,
        };
        fields.push(FieldDef {
            name: FieldName::Static(entry.name.clone()),
            name_span: no_span(),
            span: no_span(),
            body,
            included: false,
            plus: false,
            meta: Meta::default(),
        });
    }
    builder.close();
    let groups = Groups::in_order(fields.len() as u32);
    Some(Node::Record(Box::new(RecordLit {
        extra: None,
        fields,
        open: false,
        locals: Vec::new(),
        asserts: Vec::new(),
        groups,
    })))
}
