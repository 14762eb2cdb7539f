//! `+:` that extends no field, beside a field with a similar name.
//!
//! ```text
//! { spec: { replicas: 1 } } + { sepc+: {} }
//!                               ^^^^ extends nothing; there is `spec`
//! ```

use crate::infer::Infer;
use crate::infer::findings::{Finding, Found, Reported};
use crate::problem::types::TypesKind;
use crate::text::Span;
use crate::ty::{Field, Presence, Row, Tail};

/// Maximum number of fields of an object whose names are compared with those of the object that it extends.
const CHECKED: usize = 64;

impl Infer<'_> {
    /// Reports each `+:` that extends no field of a known object which has a field with a similar name.
    pub(super) fn extend_nothing(&mut self, below: &Row, above: &Row) {
        if above.len() > CHECKED || self.rules().converts() || !matches!(below.tail(), Tail::Closed) {
            return;
        }
        let plus = |f: &Field| f.inheritance.as_ref().is_some_and(|l| l.plus);
        for (name, field) in above.fields().filter(|(name, f)| plus(f) && below.get(name).is_none()) {
            let length = name.chars().count();
            let Some(at) = field.at.filter(|_| length > 2) else { continue };
            let allowed = 1 + usize::from(length > 8);
            // `port1` and `port2` are not misspelt
            let letters = |name: &str| name.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
            let near = below.fields().find(|(other, f)| {
                let similar = strsim::osa_distance(name, other) <= allowed && letters(name) != letters(other);
                f.presence == Presence::Yes && !plus(f) && similar
            });
            if let Some((near, f)) = near {
                let what = TypesKind::ExtendsNothing {
                    name: name.clone(),
                    near: (near.clone(), f.at),
                    taken: above.get(near).is_some(),
                };
                self.report(at, what, false);
            }
        }
    }

    /// Withdraws the report that a `+:` extends nothing: in a larger sum there is a field that it extends.
    pub(super) fn extends_something(&mut self, at: Span) {
        let is_that =
            |f: &Finding| matches!(&f.problem, Found::Here(p) if matches!(p.what, TypesKind::ExtendsNothing { .. }));
        if let Some(finding) = self.findings.last_at(at, is_that).and_then(|index| self.findings.get_mut(index)) {
            finding.reported = Reported::Never;
        }
    }
}
