//! Values that replace one of another kind: a list over a mapping, `null` over a mapping, a string over a number.

use super::{general, kind_of};
use crate::problem::Problem;
use crate::problem::session::{KindAdvice, SessionKind, SessionProblem};
use crate::session::run::Run;
use crate::text::path::Step;
use crate::text::{Name, Span};
use crate::value::Value;

/// A value that replaces one of another kind.
pub(super) struct OtherKind {
    pub(super) path: Vec<Step>,
    /// The kinds of the upper and the lower value: `a list`.
    kinds: [&'static str; 2],
    advice: Option<KindAdvice>,
    higher: Option<Span>,
    lower: Option<Span>,
}

impl OtherKind {
    /// Compares an upper with a lower value, each with its place. `None` if their kinds are equal, or if the change is a usual
    /// one: a mapping over a scalar, anything over null, null over a scalar, `500m` over `1`, `false` over `"5s"`.
    pub(super) fn of(
        path: &[Step],
        (above, higher): (&Value, Option<Span>),
        (below, lower): (&Value, Option<Span>),
    ) -> Option<OtherKind> {
        let kinds = [exact_kind_of(above)?, exact_kind_of(below)?];
        if kinds[0] == kinds[1] {
            return None;
        }
        let advice = match (above, below) {
            (_, Value::Null) | (Value::Record(_) | Value::Array(_), Value::String(_)) => return None,
            (Value::Record(_) | Value::Array(_), Value::Number(_) | Value::Bool(_)) => return None,
            (Value::Null, Value::Record(record)) if record.names_as_defined().is_empty() => return None,
            (Value::Null, Value::Array(array)) if array.is_empty() => return None,
            (Value::Null, Value::Record(_)) => Some(KindAdvice::KeepMapping),
            (Value::Null, Value::Array(_)) => Some(KindAdvice::KeepList),
            (Value::Null, _) => return None,
            (_, Value::Record(_)) => Some(KindAdvice::MergeMapping),
            (_, Value::Array(_)) => Some(KindAdvice::KeepList),
            (Value::String(text), Value::Number(_)) if is_quantity(&text.name()) => return None,
            (Value::Number(_), Value::String(text)) if is_quantity(&text.name()) => return None,
            (Value::String(text), Value::Number(_)) => is_number(&text.name()).then_some(KindAdvice::Unquote),
            (Value::String(text), Value::Bool(_)) => match &*text.name() {
                "true" | "false" => Some(KindAdvice::Unquote),
                "yes" | "no" | "on" | "off" | "Yes" | "No" | "On" | "Off" | "YES" | "NO" | "ON" | "OFF" => {
                    Some(KindAdvice::TrueOrFalse)
                }
                _ => return None,
            },
            (Value::Bool(_), Value::String(text)) if !matches!(&*text.name(), "true" | "false") => return None,
            (Value::Number(_) | Value::Bool(_), Value::String(_)) => Some(KindAdvice::Quote),
            _ => None,
        };
        let path = path.to_vec();
        Some(OtherKind { path, kinds, advice, higher, lower })
    }

    /// Whether both values are scalars.
    pub(super) fn is_of_scalars(&self) -> bool {
        self.kinds.iter().all(|kind| matches!(*kind, "a string" | "a number" | "a boolean"))
    }
}

/// Returns the kind of a value in data like [`kind_of`], with the kind of a scalar, and of null.
fn exact_kind_of(value: &Value) -> Option<&'static str> {
    match value {
        Value::String(_) => Some("a string"),
        Value::Number(_) => Some("a number"),
        Value::Bool(_) => Some("a boolean"),
        Value::Null => Some("null"),
        other => kind_of(other),
    }
}

fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.')) && text.parse::<f64>().is_ok()
}

/// Returns whether a text is a number with a unit: `500m`, `25%`, `1Gi`.
fn is_quantity(text: &str) -> bool {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
    let unit = text.len() - digits.len();
    (1..=3).contains(&unit) && is_number(digits)
}

impl Run<'_> {
    /// Reports the values that replace one of another kind.
    pub(super) fn report_kinds(&mut self, kinds: Vec<OtherKind>) {
        for OtherKind { path, kinds, mut advice, higher, lower } in kinds {
            let option = higher.and_then(|span| {
                let sources = self.session.world.sources.borrow();
                sources.get(span.source).map(|source| source.name.clone()).filter(|name| name.starts_with("--"))
            });
            if let Some(option) = option {
                // an option that says the type is meant to replace; `--set` takes the type from the text: `--set replicas=three`
                if &*option != "--set" || matches!(kinds[0], "a list" | "a mapping" | "null") {
                    continue;
                }
                advice = (kinds[0] == "a string" || kinds[1] == "a string").then_some(KindAdvice::SetString);
            }
            let what = SessionKind::KindReplaced { path: Name::from(general(&path)), kinds, advice, lower };
            self.report(&Problem::warning(SessionProblem { span: higher, what }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{is_number, is_quantity};

    #[test]
    fn quantities_are_numbers_with_a_unit() {
        for text in ["500m", "25%", "1Gi", "1.5h", "0.5"] {
            assert_eq!(is_quantity(text), text != "0.5", "{text}");
        }
        for text in ["http", "1.2.3", "latest", "80", "1.10-alpine", "-"] {
            assert!(!is_quantity(text), "{text}");
        }
        assert!(is_number("80") && is_number("-1.5") && is_number("1e3"));
        assert!(!is_number("inf") && !is_number("1.2.3") && !is_number(""));
    }
}
