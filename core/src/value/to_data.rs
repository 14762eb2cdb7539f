//! Conversion of values to plain data, within a budget: all their parts, those that an export shows, or those that are known.

use super::datum::{Datum, Entry, OMITTED, Written};
use super::deep::FieldRef;
use super::machine::Budget;
use super::secret::secret;
use super::{Fault, Machine, Record, Thunk, Value};
use crate::problem::value::ValueKind;
use crate::text::Name;

/// The parts of a value that a conversion to data forces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Everything, without masks.
    WithSecrets,
    /// All.
    All,
    /// All except hidden fields, in the order of their definitions.
    AsDefined,
    /// All except hidden fields.
    Exported,
    /// None.
    Known,
}

/// The rest of a [`Budget`].
struct Left {
    /// Number of elements and fields; 0 if nothing more is forced.
    elements: usize,
    /// Number of bytes of text.
    text: usize,
    /// Number of faults after which nothing more is forced.
    faults: usize,
    /// For an export: the nearest record around the place whose depth is a power of two. A value that contains itself reaches it again
    /// (Brent's algorithm).
    around: Option<Record>,
}

impl Left {
    fn of(budget: Budget) -> Left {
        Left { elements: budget.elements, text: budget.text, faults: usize::MAX, around: None }
    }

    /// Counts a fault. Nothing is forced after an interrupt or a limit.
    fn count(&mut self, fault: &Fault) {
        match fault.is_transient() {
            true => self.elements = 0,
            false => self.count_other(),
        }
    }

    /// Counts a reason why an export fails.
    fn count_other(&mut self) {
        self.faults = self.faults.saturating_sub(1);
        if self.faults == 0 {
            self.elements = 0;
        }
    }
}

/// Returns the message about a value that is a part of itself. `path`: its second occurrence; an index is a name in brackets.
pub(super) fn contains_itself(path: &[Name]) -> String {
    // the way from the value to itself may be written twice
    let path = match path.split_at_checked(path.len() / 2) {
        Some((first, second)) if first == second => first,
        _ => path,
    };
    let path = path.join(".").replace(".[", "[");
    format!("`{path}` contains itself, so it has no end")
}
impl Machine {
    /// Forces a value deeply and converts it to plain data, within a budget. Faults appear in their place; after an
    /// interrupt or a limit nothing more is forced.
    pub fn datum(&mut self, thunk: &Thunk, budget: Budget) -> Datum {
        let mut left = Left::of(budget);
        let depth = budget.depth;
        self.datum_in(thunk, None, &mut left, depth, Extent::All)
    }

    /// Converts a value to plain data like [`Self::datum`], with its secrets. What it returns must not be shown.
    pub(crate) fn datum_with_secrets(&mut self, thunk: &Thunk) -> Datum {
        let mut left = Left::of(Budget::ALL);
        self.datum_in(thunk, None, &mut left, Budget::ALL.depth, Extent::WithSecrets)
    }

    /// Converts a value to plain data for an export: hidden fields are not forced, and become [`Datum::Unforced`].
    pub fn exported(&mut self, thunk: &Thunk) -> Datum {
        let mut left = Left::of(Budget::ALL);
        let depth = Budget::ALL.depth;
        self.datum_in(thunk, None, &mut left, depth, Extent::Exported)
    }

    /// Converts a value to plain data like [`Self::exported`] if it has at most `most` elements and fields and no limit is reached;
    /// `None` otherwise. As an error: the data up to the first fault. Nothing is forced after it, because the next part may not end.
    pub fn exported_within(&mut self, thunk: &Thunk, as_defined: bool, most: usize) -> Option<Result<Datum, Datum>> {
        let mut left = Left { elements: most, faults: 1, ..Left::of(Budget::ALL) };
        let extent = if as_defined { Extent::AsDefined } else { Extent::Exported };
        let datum = self.datum_in(thunk, None, &mut left, Budget::ALL.depth, extent);
        match (left.elements, left.faults) {
            (_, 0) => Some(Err(datum)),
            (0, _) => None,
            _ => Some(Ok(datum)),
        }
    }

    /// Converts a value to plain data like [`Self::exported`], with fields in the order in which they were first defined.
    pub fn exported_as_defined(&mut self, thunk: &Thunk) -> Datum {
        let mut left = Left::of(Budget::ALL);
        let depth = Budget::ALL.depth;
        self.datum_in(thunk, None, &mut left, depth, Extent::AsDefined)
    }

    /// Converts a value to plain data without forcing anything; unforced parts become [`Datum::Unforced`].
    pub fn datum_without_forcing(&mut self, thunk: &Thunk, budget: Budget) -> Datum {
        let mut left = Left::of(budget);
        let depth = budget.depth;
        self.datum_in(thunk, None, &mut left, depth, Extent::Known)
    }

    /// `place` is the field or the element whose value this is.
    fn datum_in(
        &mut self,
        thunk: &Thunk,
        place: Option<FieldRef>,
        left: &mut Left,
        depth: usize,
        extent: Extent,
    ) -> Datum {
        if extent == Extent::Known && !thunk.is_forced() {
            return Datum::Unforced;
        }
        if left.elements == 0 {
            return Datum::Elided(None);
        }
        left.elements = left.elements.saturating_sub(1);
        // One level of data costs one level of depth, so deep data reaches the same limit.
        match self.deeper(|machine| {
            machine.tick()?;
            machine.expect(size_of::<Entry>())?;
            // a preview ends by itself
            if let Some(place) = place.as_ref().filter(|_| depth > usize::MAX / 2) {
                machine.ends(place)?;
            }
            let value = machine.force(thunk)?;
            // Must come before any part is forced, because a fault keeps the first path it gets.
            if let Some(place) = &place {
                place.set_path(&value);
            }
            let datum = machine.datum_of(&value, place.as_ref(), left, depth, extent);
            Ok(if thunk.secret().is_some() && extent != Extent::WithSecrets { secret(datum) } else { datum })
        }) {
            Ok(datum) => datum,
            Err(fault) => {
                left.count(&fault);
                match self.preview.is_cut_off() {
                    true => Datum::Unforced,
                    false => {
                        let datum = Datum::Fault(Box::new(fault.problem().clone()));
                        place.map_or(datum.clone(), |place| in_field(datum, || place.names()))
                    }
                }
            }
        }
    }

    fn datum_of(
        &mut self,
        value: &Value,
        place: Option<&FieldRef>,
        left: &mut Left,
        depth: usize,
        extent: Extent,
    ) -> Datum {
        let (Value::Record(record), Extent::Exported | Extent::AsDefined) = (value, extent) else {
            return self.datum_inside(value, place, left, depth, extent);
        };
        if left.around.as_ref().is_some_and(|around| around.same(record)) {
            let path = place.map(FieldRef::names).unwrap_or_default();
            let fault = Fault::undefined(contains_itself(&path), None);
            left.count(&fault);
            return Datum::Fault(Box::new(fault.problem().clone()));
        }
        let level = Budget::ALL.depth - depth;
        if level != 0 && !level.is_power_of_two() {
            return self.datum_inside(value, place, left, depth, extent);
        }
        let around = left.around.replace(record.clone());
        let datum = self.datum_inside(value, place, left, depth, extent);
        left.around = around;
        datum
    }

    fn datum_inside(
        &mut self,
        value: &Value,
        place: Option<&FieldRef>,
        left: &mut Left,
        depth: usize,
        extent: Extent,
    ) -> Datum {
        match value {
            Value::Null => Datum::Null,
            Value::Map(map) if depth == 0 && !map.is_empty() => Datum::Elided(Some(map.len())),
            Value::Map(map) => {
                let mut out = Vec::with_capacity(map.len().min(left.elements));
                for (key, value) in map.iter() {
                    if left.elements == 0 {
                        break;
                    }
                    let key = self.datum_of(key, None, left, depth - 1, extent);
                    out.push((key, self.datum_in(value, None, left, depth - 1, extent)));
                }
                Datum::Map(out)
            }
            Value::Bool(b) => Datum::Bool(*b),
            Value::Number(n) => Datum::Number(n.clone()),
            Value::String(s) if s.len() <= left.text => {
                left.text -= s.len();
                Datum::String(s.name())
            }
            Value::String(s) => {
                let cut: String = s.chars().take(left.text / 4).chain(['…']).collect();
                left.text = 0;
                Datum::String(Name::from(cut))
            }
            Value::Tag(tag) => Datum::Tag(tag.clone()),
            Value::Variant(tag, _) if depth == 0 => Datum::Variant(tag.clone(), Box::new(Datum::Elided(None))),
            Value::Variant(tag, argument) => {
                Datum::Variant(tag.clone(), Box::new(self.datum_in(argument, None, left, depth - 1, extent)))
            }
            Value::Array(array) if depth == 0 && !array.is_empty() => Datum::Elided(Some(array.len())),
            Value::Array(array) => {
                let mut out = Vec::with_capacity(array.len().min(left.elements));
                let path = place.map(FieldRef::path);
                // Element by element, because making a million elements at once would delay an interrupt too long.
                for (i, element) in (0..array.len()).filter_map(|i| Some((i, array.at(i)?))) {
                    if left.elements == 0 {
                        out.push(Datum::Elided(Some(array.len() - i)));
                        break;
                    }
                    let place = path.clone().map(|path| FieldRef::Element(path, i));
                    out.push(self.datum_in(&element, place, left, depth - 1, extent));
                }
                Datum::Array(out)
            }
            Value::Record(record) => {
                let found = match extent {
                    Extent::AsDefined => self.fields_as_defined(record).map(|mut fields| {
                        fields.retain(|f| f.value.is_some() || !f.optional);
                        fields
                    }),
                    _ => self.fields(record),
                };
                let fields = match found {
                    Ok(fields) => fields,
                    Err(fault) => {
                        left.count(&fault);
                        return Datum::Fault(Box::new(fault.problem().clone()));
                    }
                };
                if depth == 0 && !fields.is_empty() {
                    return Datum::Elided(Some(fields.len()));
                }
                let mut out = Vec::with_capacity(fields.len().min(left.elements));
                let count = fields.len();
                for (i, field) in fields.into_iter().enumerate() {
                    if left.elements == 0 {
                        out.push(Entry {
                            name: Name::new_static(OMITTED),
                            value: Some(Datum::Elided(Some(count - i))),
                            priority: Default::default(),
                            not_exported: false,
                            optional: false,
                            contracts: Vec::new(),
                            doc: None,
                        });
                        break;
                    }
                    let is_export = matches!(extent, Extent::Exported | Extent::AsDefined);
                    let is_left_out = is_export && field.not_exported;
                    let mut contracts = Vec::new();
                    if field.value.is_none()
                        && !is_left_out
                        && let Ok(Some(found)) = self.metadata(record, &field.name)
                    {
                        contracts = found.contracts;
                        contracts.extend(found.types);
                    }
                    if is_export && !is_left_out && field.value.is_none() && !field.optional {
                        left.count_other();
                    }
                    let value = field.value.map(|thunk| {
                        if is_left_out {
                            return Datum::Unforced;
                        }
                        let place = Some(FieldRef::Field(record.clone(), field.name.clone()));
                        let datum = self.datum_in(&thunk, place, left, depth - 1, extent);
                        let is_masked = field.secret && extent != Extent::WithSecrets;
                        let datum = if is_masked { secret(datum) } else { datum };
                        in_field(datum, || record.path_to(&field.name))
                    });
                    let mut priority = field.priority;
                    if field.pushed
                        && let Some(index) = record.index_of(&field.name)
                        && let Ok(Some(now)) = self.field_info(record, index)
                    {
                        priority = now.priority;
                    }
                    out.push(Entry {
                        name: field.name,
                        value,
                        priority,
                        not_exported: field.not_exported,
                        optional: field.optional,
                        contracts,
                        doc: field.doc,
                    });
                }
                Datum::Record(out)
            }
            Value::Function(closure) if closure.args.is_empty() => {
                Datum::Function(Some(Written::Source(closure.unit.span(closure.node))))
            }
            Value::Native(partial) if partial.args.is_empty() => {
                Datum::Function(Some(Written::Name(partial.native.name)))
            }
            Value::Guarded(guarded) => self.datum_of(&guarded.function, place, left, depth, extent),
            Value::Function(_) | Value::Native(_) => Datum::Function(None),
            Value::Contract(contract) => Datum::Contract(match &**contract {
                super::Contract::Form(unit, node, _, _) => {
                    Some(super::contract::describe::describe(&unit.term, *node)).filter(|name| !name.is_empty())
                }
                _ => None,
            }),
            Value::Label(_) => Datum::Contract(Some(Name::new_static("<label>"))),
            Value::Sealed(sealed) => {
                let fault = self.inspected_sealed(sealed);
                Datum::Fault(Box::new(fault.problem().clone()))
            }
        }
    }
}

/// Sets the path of a fault in a datum, unless it has one.
fn in_field(mut datum: Datum, path: impl FnOnce() -> Vec<Name>) -> Datum {
    if let Datum::Fault(problem) = &mut datum
        && let crate::problem::ProblemKind::Value(inner) = &mut problem.kind
        && inner.path.is_empty()
        && !matches!(inner.what, ValueKind::Interrupted)
    {
        inner.path = path();
    }
    datum
}
