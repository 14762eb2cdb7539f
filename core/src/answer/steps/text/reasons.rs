//! The words for the reasons of steps: why a value won, changed or fails.

use super::{PATH, cut, priority};
use crate::answer::Renderer;
use crate::answer::steps::{Check, EffectReason, Entry, StepEffect};
use crate::meta::Priority;
use crate::problem::ProblemKind;
use crate::problem::report::Report;
use crate::problem::value::ValueKind;
use crate::styled::{Role, Styled};
use unicode_width::UnicodeWidthStr;

impl Renderer<'_> {
    /// Returns the reason in words, on one or more lines.
    pub(in crate::answer::steps) fn reason_lines(&self, entry: &Entry) -> Vec<Styled> {
        let mut lines = Vec::new();
        let mut first = Styled::of(Role::Dim, self.reason(entry));
        let mut checks = self.checks(&entry.checks);
        if !checks.is_empty() && entry.kind == StepEffect::Custom {
            let mut then = Styled::of(Role::Dim, "then ");
            then.append(&checks);
            checks = then;
            if PATH / 2 + first.text().width() + checks.text().width() + 2 <= self.width() {
                first.push(Role::Dim, ", ");
                first.append(&std::mem::take(&mut checks));
            }
        }
        if entry.hidden {
            first.push(Role::Dim, ", hidden");
        }
        if !first.is_empty() {
            match entry.because == EffectReason::Checked && !checks.is_empty() {
                true => lines.push(std::mem::take(&mut checks)),
                false => lines.push(first),
            }
        }
        if !checks.is_empty() {
            lines.push(checks);
        }
        lines.extend(self.failure(entry));
        if entry.kind == StepEffect::Conflict {
            let places: Vec<String> = [&entry.left, &entry.right]
                .into_iter()
                .flatten()
                .filter_map(|s| s.span)
                .map(|s| self.place(s))
                .collect();
            if !places.is_empty() {
                lines.push(Styled::of(Role::Dim, places.join(" against ")));
            }
        }
        lines
    }

    /// Returns the message of an error that the row names in one or two words only.
    fn failure(&self, entry: &Entry) -> Option<Styled> {
        let problem = entry.result.as_ref()?.fault()?;
        let ProblemKind::Value(failed) = &problem.kind else { return None };
        // the row says what these are about: the two values, the check, the field
        let is_shown = match &failed.what {
            ValueKind::Conflict { .. } | ValueKind::MissingDefinition { .. } | ValueKind::Interrupted => true,
            ValueKind::Contract(_) => !entry.checks.is_empty(),
            _ => false,
        };
        if is_shown {
            return None;
        }
        let message = Report::of(problem, self.dialect.notation()).message;
        let message = message.lines().next().unwrap_or_default();
        let place = problem.span().map(|span| format!("  {}", self.place(span))).unwrap_or_default();
        let room = self.width().saturating_sub(place.width() + PATH / 2).max(40);
        let mut line = Styled::of(Role::Error, cut(message, room));
        line.push(Role::Dim, place);
        Some(line)
    }

    fn checks(&self, checks: &[Check]) -> Styled {
        let mut out = Styled::new();
        for (index, check) in checks.iter().enumerate() {
            if index > 0 {
                out.plain(", ");
            }
            out.push(Role::Type, cut(&self.written(check.span), 40));
            out.push(Role::Dim, format!(" ({})", self.place(check.span)));
            match check.holds {
                Some(true) => out.push(Role::Wins, ": ok"),
                Some(false) => out.push(Role::Error, ": fails"),
                None => out.push(Role::Dim, ": no value to check"),
            }
        }
        out
    }

    /// Returns the reason in a few words.
    pub fn reason(&self, entry: &Entry) -> String {
        match &entry.because {
            EffectReason::Only if entry.left.is_none() && entry.right.is_none() => String::from("new"),
            EffectReason::Only => String::from("only the right has it"),
            EffectReason::Declared => String::from("declared, no value yet"),
            EffectReason::Defines => String::from("the left declares it"),
            EffectReason::Beats { winner, loser, left } => {
                let of = |own: &Priority, other: &Priority| match (own, other) {
                    (Priority::Normal, Priority::Layer(_)) => String::from("layer 1"),
                    _ => priority(own),
                };
                let mut out = format!("{} beats {}", of(winner, loser), of(loser, winner));
                if *left {
                    out.push_str(": the left stays");
                }
                out
            }
            EffectReason::Right { on_super: true } => String::from("the right side wins, built on `super`"),
            EffectReason::Right { on_super: false } => String::from("the right side wins"),
            EffectReason::Equal => String::from("both are equal"),
            EffectReason::Adds => String::from("`+:` adds to the left"),
            EffectReason::Combines => String::from("both are used"),
            EffectReason::Function(span) => format!("{} ({})", cut(&self.written(*span), 40), self.place(*span)),
            EffectReason::Differ(of) => format!("both {}, and they differ", priority(of)),
            EffectReason::Checked => String::from("checked"),
            EffectReason::Reads(paths) if paths.is_empty() => {
                String::from("not merged: recomputed, what it reads changed")
            }
            EffectReason::Reads(paths) => {
                let mut names: Vec<String> = paths.iter().take(3).map(|path| path.to_string()).collect();
                if paths.len() > 3 {
                    names.push(format!("{} more", paths.len() - 3));
                }
                format!("not merged: recomputed, it reads {}", names.join(", "))
            }
            EffectReason::Removed => String::from("removed"),
        }
    }
}
