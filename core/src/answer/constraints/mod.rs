//! `:constraints` shows the constraints that inference collected, and their solution. `:steps --types` solves them one
//! at a time.

mod solving;
mod text;

pub use solving::Solving;

use crate::answer::types;
use crate::answer::{Answer, Renderer};
use crate::dialect::notation::ty::named;
use crate::infer::{Collected, LoggedConstraint};
use crate::problem::report::reason;
use crate::state::masked_type;
use crate::styled::{Role, Styled};
use crate::text::Span;
use crate::ty::Scheme;
use crate::view::html::{Cell, Html};
use crate::view::json::source;
use serde_json::{Value, json};
use std::sync::Arc;

/// The constraints of an expression, and its type.
pub struct Constraints {
    /// The constraints and their solution.
    pub collected: Collected,
    /// The type that follows from them.
    pub scheme: Arc<Scheme>,
}

impl Constraints {
    /// Renders a type. A type variable has the same name in all types of the answer.
    fn ty(&self, scheme: &Scheme, to: &Renderer<'_>) -> Styled {
        named(to.dialect.spelling(), &masked_type(scheme, to.sources), &self.collected.names)
    }

    /// Returns the solved variables, each with its type and the place of the expression for which it was created.
    fn solved(&self) -> impl Iterator<Item = (&str, &Scheme, Option<Span>)> {
        self.collected.solved.iter().map(|(index, scheme)| (self.variable(*index), scheme, self.origin(*index)))
    }

    /// Returns the variables that no constraint determines, each with the place of the expression for which it was
    /// created.
    fn free(&self) -> impl Iterator<Item = (&str, Option<Span>)> {
        self.collected.free.iter().map(|index| (self.variable(*index), self.origin(*index)))
    }

    /// Returns the name of a variable.
    fn variable(&self, index: u32) -> &str {
        self.collected.names.get(index as usize).map_or("_", |name| name.as_str())
    }

    /// Returns the place of the expression for which a variable was created.
    fn origin(&self, index: u32) -> Option<Span> {
        self.collected.origins.get(index as usize).copied().flatten()
    }
}

impl Answer for Constraints {
    fn name(&self) -> &'static str {
        "constraints"
    }

    fn text(&self, to: &Renderer<'_>) -> Styled {
        text::text(self, to)
    }

    fn html(&self, to: &Renderer<'_>, html: &mut Html) {
        // only notes are texts of this program
        let cell = |text: Styled| match text.runs().iter().all(|(role, _)| *role == Role::Dim) {
            true => Cell::Prose(text),
            false => Cell::Text(text),
        };
        let rows = |solved: bool| text::rows(self, to, solved).map(|row| row.into_iter().map(cell).collect());
        let heading = |text: &str| Styled::of(Role::Heading, text);
        let quoted = |at: Option<Span>| Cell::Prose(at.map(|at| text::quoted(at, to)).unwrap_or_default());
        html.paragraph(&heading("collected")).table(&[], rows(false));
        if self.solved().next().is_some() {
            html.paragraph(&heading("solved"));
            let row = |(name, ty, at)| vec![Cell::Text(text::solution(name, self.ty(ty, to))), quoted(at)];
            html.table(&[], self.solved().map(row));
        }
        if self.free().next().is_some() {
            html.paragraph(&heading("free variables"));
            html.table(&[], self.free().map(|(name, at)| vec![Cell::Head(Styled::of(Role::Type, name)), quoted(at)]));
        }
        html.paragraph(&heading("constraints with the solution")).table(&[], rows(true));
        html.paragraph(&heading("type")).preformatted(&crate::state::type_text(to.dialect, &self.scheme));
    }

    fn json(&self, to: &Renderer<'_>) -> Value {
        let ty = |scheme: &Scheme| self.ty(scheme, to).text();
        let constraint = |logged: &LoggedConstraint| match logged {
            LoggedConstraint::Equal { span, why, before, after, holds } => json!({
                "place": source(Some(*span), to.sources),
                "expression": source(Some(*span), to.sources)["text"],
                "actual": ty(&before.0),
                "expected": ty(&before.1),
                "reason": reason(why, None, to.dialect.notation().kind_names),
                "collected": [ty(&before.0), ty(&before.1)],
                "solved": [ty(&after.0), ty(&after.1)],
                "holds": holds,
            }),
            LoggedConstraint::Combined { span, symbol, before, after } => json!({
                "place": source(Some(*span), to.sources),
                "operator": symbol,
                "collected": before.iter().map(ty).collect::<Vec<_>>(),
                "solved": after.iter().map(ty).collect::<Vec<_>>(),
            }),
        };
        let constraints = self.collected.constraints.iter().take(text::SHOWN).map(constraint);
        let variable = |(name, scheme, at): (&str, &Scheme, Option<Span>)| json!({ "name": name, "type": ty(scheme), "made_at": source(at, to.sources) });
        json!({
            "version": 1,
            "dialect": to.dialect.name(),
            "constraints": constraints.collect::<Vec<_>>(),
            "more": self.collected.constraints.len().saturating_sub(text::SHOWN),
            "free": self.free().map(|(name, at)| json!({ "name": name, "made_at": source(at, to.sources) })).collect::<Vec<_>>(),
            "variables": self.solved().map(variable).collect::<Vec<_>>(),
            "type": types::type_line(&self.scheme, to.dialect),
        })
    }
}
