//! `:steps --types`: how constraints are solved, one at a time.

use super::Constraints;
use super::text::{IS_ONE_OF, quoted};
use crate::answer::steps::text::{Page, PageRow, joined};
use crate::answer::{Answer, Renderer};
use crate::infer::{LoggedConstraint, Solved, SolvingStep};
use crate::problem::report::reason;
use crate::styled::{Role, Styled};
use crate::ty::Scheme;
use crate::view::html::{Cell, Html};
use crate::view::json::source;
use serde_json::{Value, json};

/// Maximum width of a type on a line of its own, in columns.
const MAX_WIDTH: usize = 60;
/// Maximum number of earlier steps that a page mentions.
const EARLIER: usize = 4;

/// The steps that solve the constraints of an expression.
pub struct Solving(pub Constraints);

impl Solving {
    /// Renders one page for each step.
    pub fn pages(&self, to: &Renderer<'_>) -> Vec<Page> {
        let steps = &self.0.collected.steps;
        let count = steps.len() + self.0.collected.more_steps;
        steps.iter().enumerate().map(|(index, step)| self.page(index, count, step, to)).collect()
    }

    /// Renders the lines after the last page: the outcome, and the type.
    pub fn footer(&self, to: &Renderer<'_>) -> Styled {
        let collected = &self.0.collected;
        let mut out = Styled::new();
        if collected.steps.is_empty() {
            out.plain("no constraints: each part has its own type\n");
        }
        if collected.more_steps > 0 {
            out.push(Role::Dim, format!("… {}\n", crate::text::counted(collected.more_steps, "more step")));
        }
        let fails = collected.steps.iter().filter(|step| step.solved == Solved::Fails).count();
        if fails > 0 {
            out.push(Role::Error, if fails == 1 { "1 conflict" } else { "conflicts" });
            if fails > 1 {
                out.plain(format!(": {fails}"));
            }
            out.plain("\n");
        }
        out.push(Role::Heading, "type");
        out.plain(": ");
        out.append(&crate::state::type_text(to.dialect, &self.0.scheme));
        out
    }

    fn constraint(&self, step: &SolvingStep) -> Option<&LoggedConstraint> {
        self.0.collected.constraints.get(step.constraint)
    }

    fn page(&self, index: usize, count: usize, step: &SolvingStep, to: &Renderer<'_>) -> Page {
        let mut title = Styled::of(Role::Heading, format!("step {} of {count}", index + 1));
        let mut rows = Vec::new();
        if let Some(constraint) = self.constraint(step) {
            let span = constraint.span();
            title.plain(": ");
            let room = to.width().saturating_sub(title.text().len() + 24).max(16);
            title.append(&Styled::from(crate::text::on_one_line(&to.sources.slice(span))).cut(room));
            title.push(Role::Dim, format!("  {}", to.place(span)));
            let lines = self.lines(constraint, step, to);
            rows = lines.into_iter().map(|text| PageRow { path: String::new(), text, unchanged: false }).collect();
        }
        Page { title, rows, compact: false }
    }

    /// Returns the lines of a step.
    fn lines(&self, constraint: &LoggedConstraint, step: &SolvingStep, to: &Renderer<'_>) -> Vec<Styled> {
        let columns = to.width().saturating_sub(12).min(MAX_WIDTH);
        let types: Vec<Styled> = step.now.iter().map(|ty| self.0.ty(ty, to)).collect();
        let types = Styled::cut_all(&types, columns);
        let ty = |index: usize| types.get(index).cloned().unwrap_or_default();
        let mut lines = Vec::new();
        let mut line = |word: &str, text: Styled, note: Option<String>| {
            let mut out = Styled::of(Role::Dim, format!("  {word:<10}"));
            out.append(&text);
            if let Some(note) = note {
                // a note that does not fit is on the next line
                let fits = out.text().chars().count() + note.chars().count() + 2 <= to.width();
                out.plain(if fits { String::from("  ") } else { format!("\n{}", " ".repeat(12)) });
                out.push(Role::Dim, note);
            }
            lines.push(out);
        };
        let unknown = match constraint {
            LoggedConstraint::Equal { why, .. } => {
                line("actual", ty(0), None);
                line("expected", ty(1), Some(reason(why, None, to.dialect.notation().kind_names)));
                String::new()
            }
            LoggedConstraint::Combined { symbol, .. } if *symbol == IS_ONE_OF => {
                line("actual", ty(0), None);
                line("expected", Styled::from("one of the types that the operator works on"), None);
                ty(0).text()
            }
            LoggedConstraint::Combined { symbol, .. } => {
                let mut both = ty(0);
                both.push(Role::Operator, format!(" {symbol} "));
                both.append(&ty(1));
                line("operands", both.cut(columns), None);
                line("result", ty(2), None);
                ty(0).text()
            }
        };
        for (variable, earlier) in step.replaced.iter().take(EARLIER) {
            let bound = self.0.collected.steps.get(*earlier);
            let ty = bound.and_then(|step| step.bound.iter().find(|(index, _)| index == variable));
            if let (Some((_, ty)), Some(bound)) = (ty, bound) {
                let mut text = Styled::of(Role::Type, self.0.variable(*variable));
                text.push(Role::Operator, " = ");
                text.append(&self.0.ty(ty, to).cut(columns));
                let place = self.constraint(bound).map(|c| format!(", {}", to.place(c.span()))).unwrap_or_default();
                line("since", text, Some(format!("step {}{place}", earlier + 1)));
            }
        }
        match step.solved {
            Solved::Fails => {
                let mut text = ty(0);
                text.push(Role::Operator, " ≠ ");
                text.append(&ty(1));
                line("conflict", text, None);
            }
            Solved::Waits => line("waits", Styled::from(format!("{unknown} is not known yet")), None),
            Solved::Holds if step.bound.is_empty() => line("holds", Styled::from("no variable is bound"), None),
            Solved::Holds => {}
        }
        for (variable, ty) in &step.bound {
            let mut text = Styled::of(Role::Type, self.0.variable(*variable));
            text.push(Role::Operator, " := ");
            text.append(&self.0.ty(ty, to).cut(columns));
            let origin = self.0.origin(*variable).map(|at| quoted(at, to).text());
            line("bind", text, origin.map(|origin| format!("{} is the type {origin}", self.0.variable(*variable))));
        }
        lines
    }
}

impl Answer for Solving {
    fn pages(&self, to: &Renderer<'_>) -> Option<(Vec<Page>, Styled)> {
        Some((Solving::pages(self, to), self.footer(to)))
    }

    fn name(&self) -> &'static str {
        "type-steps"
    }

    fn text(&self, to: &Renderer<'_>) -> Styled {
        joined(&self.pages(to), &self.footer(to))
    }

    fn html(&self, to: &Renderer<'_>, html: &mut Html) {
        let collected = &self.0.collected;
        let cut = |text: Styled| Cell::Text(text.cut(MAX_WIDTH));
        let rows = collected.steps.iter().enumerate().map(|(index, step)| {
            let constraint = self.constraint(step);
            let expression = constraint.map(|c| crate::text::on_one_line(&to.sources.slice(c.span())));
            let place = constraint.map(|c| to.place(c.span())).unwrap_or_default();
            let ty = |index: usize| step.now.get(index).map(|ty| self.0.ty(ty, to)).unwrap_or_default();
            let expected = match constraint {
                Some(LoggedConstraint::Combined { symbol: IS_ONE_OF, .. }) => {
                    Styled::of(Role::Dim, "one of the types that the operator works on")
                }
                Some(LoggedConstraint::Combined { symbol, .. }) => {
                    let mut expected = ty(2);
                    expected.push(Role::Dim, format!(", the result of {symbol}"));
                    expected
                }
                _ => ty(1),
            };
            let mut bound = Styled::new();
            for (variable, scheme) in &step.bound {
                if !bound.is_empty() {
                    bound.plain(", ");
                }
                bound.push(Role::Type, self.0.variable(*variable));
                bound.push(Role::Operator, " := ");
                bound.append(&self.0.ty(scheme, to));
            }
            match step.solved {
                Solved::Fails => bound = Styled::of(Role::Error, "conflict"),
                Solved::Waits => bound = Styled::of(Role::Dim, "waits"),
                Solved::Holds if bound.is_empty() => bound = Styled::of(Role::Dim, "holds"),
                Solved::Holds => {}
            }
            // the steps that bound the variables of this one
            let since = step
                .replaced
                .iter()
                .take(EARLIER)
                .map(|(variable, earlier)| format!("{}: step {}", self.0.variable(*variable), earlier + 1));
            vec![
                Cell::Head(Styled::of(Role::Dim, (index + 1).to_string())),
                cut(Styled::from(expression.unwrap_or_default())),
                cut(ty(0)),
                cut(expected),
                cut(bound),
                Cell::Text(Styled::of(Role::Dim, since.collect::<Vec<_>>().join(", "))),
                Cell::Text(Styled::of(Role::Dim, place)),
            ]
        });
        html.table(&["step", "expression", "actual", "expected", "", "since", "place"], rows);
        html.paragraph(&self.footer(to));
    }

    fn json(&self, to: &Renderer<'_>) -> Value {
        let collected = &self.0.collected;
        let ty = |scheme: &Scheme| self.0.ty(scheme, to).text();
        let step = |step: &SolvingStep| {
            let bound = step.bound.iter().map(|(variable, scheme)| {
                let made_at = source(self.0.origin(*variable), to.sources);
                json!({ "name": self.0.variable(*variable), "type": ty(scheme), "made_at": made_at })
            });
            let outcome = match step.solved {
                Solved::Holds => "holds",
                Solved::Fails => "conflict",
                Solved::Waits => "waits",
            };
            let mut out = json!({
                "outcome": outcome,
                "bound": bound.collect::<Vec<_>>(),
                "replaced": step.replaced.iter().map(|(variable, earlier)| {
                    json!({ "name": self.0.variable(*variable), "step": earlier + 1 })
                }).collect::<Vec<_>>(),
                "types": step.now.iter().map(ty).collect::<Vec<_>>(),
            });
            if let (Some(out), Some(constraint)) = (out.as_object_mut(), self.constraint(step)) {
                let span = constraint.span();
                let place = source(Some(span), to.sources);
                out.insert(String::from("expression"), place["text"].clone());
                out.insert(String::from("place"), place);
                if let (LoggedConstraint::Equal { why, .. }, [actual, expected]) = (constraint, step.now.as_slice()) {
                    out.insert(String::from("actual"), json!(ty(actual)));
                    out.insert(String::from("expected"), json!(ty(expected)));
                    let kind_names = to.dialect.notation().kind_names;
                    out.insert(String::from("reason"), json!(reason(why, None, kind_names)));
                }
                if let LoggedConstraint::Combined { symbol, .. } = constraint {
                    out.insert(String::from("operator"), json!(symbol));
                }
            }
            out
        };
        json!({
            "version": 1,
            "dialect": to.dialect.name(),
            "steps": collected.steps.iter().map(step).collect::<Vec<_>>(),
            "more": collected.more_steps,
            "type": crate::answer::types::type_line(&self.0.scheme, to.dialect),
        })
    }
}
