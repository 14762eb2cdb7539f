//! Values that replace one of another kind: a list over a mapping, `null` over a mapping, a string over a number.

use super::{common_key, forced, general, kind_of};
use crate::dialect::{Dialect, forms};
use crate::problem::Problem;
use crate::problem::session::{KindAdvice, SessionKind, SessionProblem, Slip};
use crate::session::run::Run;
use crate::term::Number;
use crate::text::path::Step;
use crate::text::{Name, Span, shell_quoted};
use crate::value::{Array, Fault, Machine, Thunk, Value};

/// Maximum number of elements whose form is looked at.
const MOST: usize = 100;

/// A value that replaces one of another kind.
pub(super) struct OtherKind {
    pub(super) path: Vec<Step>,
    /// The kinds of the upper and the lower value: `a list`.
    kinds: [&'static str; 2],
    advice: Option<KindAdvice>,
    /// The form in which the upper value should be written.
    form: Option<MeantForm>,
    /// Whether the change is a usual one, which only a check reports: a mapping over a scalar, `500m` over `1`.
    is_usual: bool,
    higher: Option<Span>,
    lower: Option<Span>,
    /// Whether a still higher layer replaces the upper value.
    is_covered: bool,
}

/// The form of a value that was probably meant.
enum MeantForm {
    /// A mapping in place of a list with one mapping.
    Mapping,
    /// A mapping in place of a list of texts such as `A=2`.
    Pairs,
    /// An element of a list, which has a key with this value, in place of the key of a mapping. The last part is the number of the lower element
    /// that has it.
    Element(Name, Name, Option<usize>),
    /// A list in place of one of its elements.
    List,
    /// A text in a list, in place of the key of a mapping.
    Text(Name),
    /// A text such as `A=2` in a list, in place of the key of a mapping.
    PairText(Name),
}

impl OtherKind {
    /// Compares an upper with a lower value, each with its place. `None` if their kinds are equal, or if the lower one is null.
    pub(super) fn of(
        machine: &mut Machine,
        path: &[Step],
        (above, higher): (&Value, Option<Span>),
        (below, lower): (&Value, Option<Span>),
    ) -> Result<Option<OtherKind>, Fault> {
        let (Some(own), Some(other)) = (exact_kind_of(above), exact_kind_of(below)) else { return Ok(None) };
        if own == other {
            return Ok(None);
        }
        let (advice, is_usual) = match (above, below) {
            (_, Value::Null) => return Ok(None),
            (Value::Record(_) | Value::Array(_), Value::String(_) | Value::Number(_) | Value::Bool(_)) => {
                (Some(KindAdvice::SameKind), true)
            }
            (Value::Null, Value::Record(record)) if record.names_as_defined().is_empty() => return Ok(None),
            (Value::Null, Value::Array(array)) if array.is_empty() => return Ok(None),
            (Value::Null, Value::Record(_)) => (Some(KindAdvice::KeepMapping), false),
            (Value::Null, Value::Array(_)) => (Some(KindAdvice::KeepList), false),
            (Value::Null, _) => (Some(KindAdvice::KeepValue), true),
            (_, Value::Record(_)) => (Some(KindAdvice::MergeMapping), false),
            (Value::Record(_), Value::Array(_)) => (Some(KindAdvice::KeepList), false),
            (_, Value::Array(_)) => (Some(KindAdvice::OneElement), false),
            (Value::String(text), Value::Number(_)) if is_quantity(&text.name()) => (Some(KindAdvice::SameKind), true),
            (Value::Number(number), Value::String(text)) if is_bytes(&text.name()) && is_small(number) => {
                (Some(KindAdvice::Unit), false)
            }
            (Value::Number(_), Value::String(text)) if is_quantity(&text.name()) => (Some(KindAdvice::SameKind), true),
            (Value::String(text), Value::Number(_)) if is_number(&text.name()) => (Some(KindAdvice::Unquote), false),
            (Value::String(text), Value::Bool(_)) => match &*text.name() {
                "true" | "false" => (Some(KindAdvice::Unquote), false),
                "yes" | "no" | "on" | "off" | "Yes" | "No" | "On" | "Off" | "YES" | "NO" | "ON" | "OFF" | "True"
                | "TRUE" | "False" | "FALSE" => (Some(KindAdvice::TrueOrFalse), false),
                _ => (Some(KindAdvice::SameKind), true),
            },
            (Value::Bool(_), Value::String(text)) if !matches!(&*text.name(), "true" | "false") => {
                (Some(KindAdvice::SameKind), true)
            }
            (Value::Number(_) | Value::Bool(_), Value::String(_)) => (Some(KindAdvice::Quote), false),
            _ => (Some(KindAdvice::SameKind), false),
        };
        let form = MeantForm::of(machine, above, below)?;
        let path = path.to_vec();
        Ok(Some(OtherKind { path, kinds: [own, other], advice, form, is_usual, higher, lower, is_covered: false }))
    }

    /// Whether null replaces a mapping with this path.
    pub(super) fn is_null_over(&self, path: &str) -> bool {
        self.kinds == ["null", "a mapping"]
            && path.strip_prefix(&general(&self.path)).is_some_and(|rest| rest.starts_with('.'))
    }

    /// Returns the same change, where a still higher layer replaces the upper value.
    pub(super) fn covered(self) -> OtherKind {
        OtherKind { is_covered: true, ..self }
    }

    /// Returns the place of the upper value.
    pub(super) fn place(&self) -> Option<Span> {
        self.higher
    }

    /// Whether both values are scalars.
    pub(super) fn is_of_scalars(&self) -> bool {
        self.kinds.iter().all(|kind| matches!(*kind, "a string" | "a number" | "a boolean"))
    }
}

impl MeantForm {
    /// Returns the form of a lower value in which the parts of the upper one were probably meant.
    fn of(machine: &mut Machine, above: &Value, below: &Value) -> Result<Option<MeantForm>, Fault> {
        match (above, below) {
            (Value::Record(above), Value::Array(below)) => {
                let Some(field) = machine.all_fields(above)?.into_iter().next() else { return Ok(None) };
                let elements: Vec<Thunk> = machine.items(below)?.to_vec();
                let (mut is_text, mut known, mut are_pairs) = (!elements.is_empty(), false, true);
                for element in elements.iter().take(MOST) {
                    let element = forced(machine, element)?;
                    is_text &= matches!(element, Some(Value::String(_)));
                    are_pairs &= matches!(&element, Some(Value::String(text)) if is_pair(&text.name()));
                    known |= matches!(&element, Some(Value::Record(record)) if record.names_as_defined().contains(&field.name));
                }
                if is_text || known {
                    return Ok(Some(match known {
                        true => MeantForm::List,
                        false if are_pairs => MeantForm::PairText(field.name),
                        false => MeantForm::Text(field.name),
                    }));
                }
                let Some(key) = common_key(machine, &[below])? else { return Ok(None) };
                let is_record = match &field.value {
                    Some(value) => matches!(forced(machine, value)?, Some(Value::Record(_))),
                    None => false,
                };
                if !is_record {
                    return Ok(None);
                }
                let path = [Step::Field(key.clone())];
                let is_named = |machine: &mut Machine, element: &Thunk| {
                    let value = machine.at(element, &path).and_then(|value| Ok((machine.force(&value)?, value)));
                    matches!(value, Ok((Value::String(text), value)) if text.as_str() == field.name.as_str() && value.secret().is_none())
                };
                let index = elements.iter().take(MOST).position(|element| is_named(machine, element));
                Ok(Some(MeantForm::Element(key, field.name, index)))
            }
            (Value::Array(above), Value::Record(below)) => {
                let elements: Vec<Thunk> = machine.items(above)?.to_vec();
                let names = below.names_as_defined();
                let (mut pairs, mut parts) = (0, 0);
                for element in elements.iter().take(MOST) {
                    match forced(machine, element)? {
                        Some(Value::Record(record)) => {
                            parts += usize::from(record.names_as_defined().iter().any(|name| names.contains(name)));
                        }
                        Some(Value::String(text)) => pairs += usize::from(is_pair(&text.name())),
                        _ => {}
                    }
                }
                Ok(match (pairs, parts) {
                    (0, 0) => None,
                    (0, _) => Some(MeantForm::Mapping),
                    (pairs, _) => (pairs == elements.len()).then_some(MeantForm::Pairs),
                })
            }
            _ => Ok(None),
        }
    }

    /// Returns the advice to write this form in a language. `path` is that of the value.
    fn advice(&self, language: Dialect, path: &[Step]) -> Option<KindAdvice> {
        let list = match path.last() {
            Some(Step::Field(name)) => name.as_str(),
            _ => "name",
        };
        Some(match self {
            MeantForm::Mapping => KindAdvice::MappingForm(forms::mapping(language, Some(list))?),
            MeantForm::List => KindAdvice::MappingForm(forms::list(language, Some(list))?),
            MeantForm::Text(text) => KindAdvice::MappingForm(forms::texts(language, text)?),
            MeantForm::PairText(name) => {
                let form = forms::texts(language, &format!("{name}=…"))?;
                let option = shell_quoted(&format!("{}=append", general(path)));
                let text = format!("{form}, and `--list {option}` adds it to those of the lower layer");
                KindAdvice::MappingForm(Name::from(text))
            }
            MeantForm::Pairs => KindAdvice::MappingForm(forms::pairs(language)?),
            MeantForm::Element(key, value, _) => {
                KindAdvice::ListForm(key.clone(), forms::element(language, list, key, value))
            }
        })
    }
}

/// Whether a text is a name and a value: `A=2`.
fn is_pair(text: &str) -> bool {
    let name = text.split_once('=').map_or("", |(name, _)| name);
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Returns the kind of a value in data like [`kind_of`], with the kind of a scalar, and of null.
pub(super) fn exact_kind_of(value: &Value) -> Option<&'static str> {
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

/// Finds a mapping in a list that replaces a list of texts: a text with `: ` in it, which was not in quotes.
pub(super) fn mapping_among_texts(
    machine: &mut Machine,
    path: &[Step],
    (lower, place): (&Array, Option<Span>),
    higher: &Array,
) -> Result<Option<(Slip, Option<Span>)>, Fault> {
    let below = machine.items(lower)?.to_vec();
    for element in below.iter().take(MOST) {
        if !matches!(forced(machine, element)?, Some(Value::String(_))) {
            return Ok(None);
        }
    }
    for element in machine.items(higher)?.to_vec().iter().take(MOST) {
        let Some(Value::Record(record)) = forced(machine, element)? else { continue };
        let names = record.names_as_defined();
        let ([name], false) = (names.as_slice(), below.is_empty()) else { return Ok(None) };
        let list = general(path);
        let message =
            format!("an element of `{list}` is a mapping, and the list of the lower layer, which is lost, has texts");
        let slip = Slip::new("merge/list-replaced", message).label("a key with its value");
        let slip = slip.other(place, "a list of texts").help("a text with a colon and a space in it is put in quotes");
        return Ok(Some((slip, record.named_at(name))));
    }
    Ok(None)
}

/// Whether a text is an amount of memory: `512Mi`, `2GB`.
fn is_bytes(text: &str) -> bool {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let is_unit = matches!(unit, "Ki" | "Mi" | "Gi" | "Ti" | "KB" | "MB" | "GB" | "TB" | "KiB" | "MiB" | "GiB" | "TiB");
    is_unit && is_quantity(text)
}

/// Whether a number is too small to be an amount of memory in bytes.
fn is_small(number: &Number) -> bool {
    number.to_string().parse::<f64>().is_ok_and(|number| number.abs() < 1e6)
}

impl Run<'_> {
    /// Reports the values that replace one of another kind. A usual change is reported by a check, or if the path of an option makes
    /// a mapping of a value.
    pub(super) fn report_kinds(&mut self, kinds: Vec<OtherKind>) {
        for OtherKind { path, kinds, mut advice, form, is_usual, higher, lower, is_covered } in kinds {
            let is_variable = higher
                .and_then(|span| self.session.workspace.dialect_of(span.source))
                .is_some_and(|language| language.0.variable.is_some());
            // a variable of the environment is written as one of a file
            let option = higher.filter(|_| !is_variable).and_then(|span| {
                let sources = self.session.world.sources.borrow();
                sources.get(span.source).map(|source| source.name.clone()).filter(|name| name.starts_with("--"))
            });
            let begins = |sign: char| higher.is_some_and(|span| self.session.workspace.text(span).starts_with(sign));
            let is_mapping = kinds[0] == "a mapping";
            let is_made = is_mapping
                && match is_variable {
                    true => !begins('{'),
                    false => option.is_some() && higher.is_some_and(|span| span.start == 0),
                };
            // the text is in quotes, so that a string is meant
            if option.as_deref() == Some("--set") && kinds[0] == "a string" && begins('"') {
                continue;
            }
            // the text of an option that is not read as it was meant
            let is_said = || self.said.iter().any(|problem| higher.is_some() && problem.span() == higher);
            if is_usual && !is_made && !self.checks || option.is_some() && is_said() {
                continue;
            }
            let in_json = || KindAdvice::MappingForm(Name::new_static("a list is written in JSON: `[\"a\", \"b\"]`"));
            if is_made && is_variable {
                let text =
                    format!("`__` leads to a key inside of `{}`, which has none in the lower layer", general(&path));
                advice = Some(KindAdvice::MappingForm(Name::from(text)));
            } else if is_made {
                advice = Some(match form {
                    Some(MeantForm::Element(key, value, Some(index))) => KindAdvice::SetElement { key, value, index },
                    _ => KindAdvice::SetInside,
                });
            } else if let Some(option) = option {
                // an option that says the type is meant to replace; `--set` takes the type from the text: `--set replicas=three`
                if !self.checks && (&*option != "--set" || matches!(kinds[0], "a list" | "a mapping" | "null")) {
                    continue;
                }
                let is_string = kinds[0] == "a string" || kinds[1] == "a string";
                let is_replaced = advice == Some(KindAdvice::MergeMapping);
                let is_list = advice == Some(KindAdvice::OneElement);
                let is_empty = higher.is_some_and(|span| span.start == span.end) && kinds[0] == "a string";
                advice = match is_string && !is_list && !is_empty && !is_replaced && &*option == "--set" {
                    true => advice.filter(|advice| *advice == KindAdvice::TrueOrFalse).or(Some(KindAdvice::SetString)),
                    false if is_empty => {
                        let text = "nothing is written after `=`: `--set-string` says that an empty text is meant";
                        Some(KindAdvice::MappingForm(Name::new_static(text)))
                    }
                    false if is_list => Some(in_json()),
                    false => is_replaced.then_some(KindAdvice::SetKey),
                };
            } else if is_variable && advice == Some(KindAdvice::OneElement) {
                advice = Some(in_json());
            } else if is_variable && advice == Some(KindAdvice::MergeMapping) {
                let name = higher.and_then(|value| self.variable_of(value));
                let name = name.as_deref().unwrap_or("NAME");
                let text = format!("to change one of its keys, write `__` and the key after the name: `{name}__KEY=…`");
                advice = Some(KindAdvice::MappingForm(Name::from(text)));
            } else if let Some(form) = form
                && let Some(language) = higher.and_then(|span| self.session.workspace.dialect_of(span.source))
            {
                advice = form.advice(language, &path).or(advice);
            }
            let advice = advice.map(Box::new);
            let what = SessionKind::KindReplaced { path: Name::from(general(&path)), kinds, advice, lower, is_covered };
            let problem = Problem::warning(SessionProblem { span: higher, what });
            if !self.session.settings().is_silent(&problem) {
                self.report(&problem);
            }
        }
    }
}

impl Run<'_> {
    /// Returns the name of the variable with the value at a place.
    fn variable_of(&self, value: Span) -> Option<String> {
        let text = self.session.workspace.text_of(value.source)?;
        let before = text.get(..value.start as usize)?;
        let (name, _) = before.rsplit('\n').next()?.split_once('=')?;
        let name = name.trim();
        Some(String::from(name.strip_prefix("export ").unwrap_or(name).trim()))
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
