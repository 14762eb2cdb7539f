//! A type, laid out for a page, and the types of a value's parts.

use crate::answer::{Answer, Renderer};
use crate::dialect::Dialect;
use crate::problem::Problem;
use crate::state::environment::Typed;
use crate::state::{masked_type, type_pretty, type_text};
use crate::styled::Styled;
use crate::text::Name;
use crate::ty::{Scheme, Tag, Tail, Ty, TyRef};
use crate::view::html::Html;
use serde_json::{Value, json};
use std::rc::Rc;

/// Width of a type in HTML, in columns.
const WIDTH: usize = 76;
/// Maximum length of a type in the JSON data. The text always has the whole type.
const LONGEST: usize = 20_000;

/// The type of an expression, as an answer.
pub struct TypeOf {
    /// The type and its problems.
    pub typed: Rc<Typed>,
    /// Whether the expression does not exist, so that it has no type.
    pub is_missing: bool,
}

/// Renders a type, laid out to the page, or on one line if there is no page.
pub fn styled(scheme: &Scheme, to: &Renderer<'_>) -> Styled {
    let scheme = &masked_type(scheme, to.sources);
    match to.page {
        Some(width) => type_pretty(to.dialect, scheme, width),
        None => type_text(to.dialect, scheme),
    }
}

impl Answer for TypeOf {
    fn name(&self) -> &'static str {
        "type"
    }

    fn text(&self, to: &Renderer<'_>) -> Styled {
        if self.is_missing { Styled::new() } else { styled(&self.typed.scheme, to) }
    }

    fn html(&self, to: &Renderer<'_>, html: &mut Html) {
        html.preformatted(&type_pretty(to.dialect, &masked_type(&self.typed.scheme, to.sources), WIDTH));
    }

    fn json(&self, to: &Renderer<'_>) -> Value {
        json!({
            "version": 1,
            "dialect": to.dialect.name(),
            "type": type_line(&self.typed.scheme, to.dialect),
            "fields": fields(&self.typed.scheme, to.dialect),
        })
    }

    fn problems(&self) -> &[Problem] {
        &self.typed.problems
    }

    fn has_faults(&self) -> bool {
        self.is_missing
    }
}

/// Returns a type on one line, cut if it is too long.
pub fn type_line(scheme: &Scheme, dialect: Dialect) -> String {
    let text = type_text(dialect, scheme).text();
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text,
    }
}

fn fields(scheme: &Scheme, dialect: Dialect) -> Value {
    const MOST: usize = 200;
    let all = crate::state::record_fields(scheme.shown.as_deref().unwrap_or(scheme));
    if all.is_empty() {
        return Value::Null;
    }
    all.iter()
        .take(MOST)
        .map(|(name, scheme)| json!({ "name": name.as_str(), "type": type_line(scheme, dialect) }))
        .collect()
}

/// The types of a value's parts, for display next to the value. A part whose type is unknown has none.
#[derive(Clone)]
pub struct Parts(Option<Scheme>);

impl Parts {
    /// Returns the types of the parts of a value of this type.
    pub fn of(scheme: &Scheme) -> Parts {
        Parts(Some(Scheme { shown: None, ..scheme.shown.as_deref().unwrap_or(scheme).clone() }))
    }

    /// Returns the type itself.
    pub fn scheme(&self) -> Option<&Scheme> {
        self.0.as_ref()
    }

    /// Returns the types of the parts of a field.
    pub fn field(&self, name: &Name) -> Parts {
        self.part(|ty| match ty {
            Ty::Record(row) => match (row.get(name), row.tail()) {
                (Some(field), _) => Some(field.ty.clone()),
                (None, Tail::Dict(ty)) => Some(ty.clone()),
                _ => None,
            },
            Ty::Map(_, ty) => Some(ty.clone()),
            _ => None,
        })
    }

    /// Returns the types of the parts of an element.
    pub fn element(&self) -> Parts {
        self.part(|ty| match ty {
            Ty::Array(ty) => Some(ty.clone()),
            _ => None,
        })
    }

    /// Returns the types of the argument of a tag.
    pub fn argument(&self, tag: &Name) -> Parts {
        self.part(|ty| match ty {
            Ty::Enum(tags, _) => tags.get(&Tag::variant(tag.clone())).cloned().flatten(),
            _ => None,
        })
    }

    fn part(&self, select: impl Fn(&Ty) -> Option<TyRef>) -> Parts {
        let Some(scheme) = &self.0 else { return Parts(None) };
        let mut scheme = scheme.clone();
        loop {
            let next = match &*scheme.ty {
                Ty::Fails(_, inner) | Ty::Sibling(_, inner) => Scheme { ty: inner.clone(), ..scheme.clone() },
                Ty::Forall(inner) => Scheme { shown: None, ..(**inner).clone() },
                ty => return Parts(select(ty).map(|ty| Scheme { ty, ..scheme.clone() })),
            };
            scheme = next;
        }
    }
}
