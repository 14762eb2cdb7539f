//! Type forms as contracts.

use super::blame::Violation;
use super::function::Guarded;
use super::{Applied, Sealed, Seals};
use crate::term::{FieldMark, Node, NodeId, RowTail, TyVarId, TypeForm};
use crate::text::{Name, Span};
use crate::value::collect::{Graph, Trace};
use crate::value::env::{Env, Unit};
use crate::value::record::{DataField, Tail};
use crate::value::{Array, Fault, Label, Machine, Polarity, Record, Thunk, Value};
use std::rc::Rc;

/// Returns whether a value has a primitive type. `false` for every other form.
pub(super) fn holds(form: &TypeForm, value: &Value) -> bool {
    matches!(
        (form, value),
        (TypeForm::Number, Value::Number(_)) | (TypeForm::String, Value::String(_)) | (TypeForm::Bool, Value::Bool(_))
    )
}

/// A type or contract with the unit, environment and seals in which it is applied.
#[derive(Clone)]
pub(super) struct Site {
    pub(super) unit: Rc<Unit>,
    pub(super) env: Env,
    pub(super) seals: Seals,
}

impl Machine {
    /// Applies a contract as it is written: a type form by its rules, any other expression by its value.
    pub(in crate::value) fn apply_form(
        &mut self,
        unit: &Rc<Unit>,
        node: NodeId,
        env: &Env,
        seals: &Seals,
        label: &Rc<Label>,
        value: &Thunk,
    ) -> Result<Value, Fault> {
        let Node::Type(form) = unit.node(node) else {
            let contract = self.eval(unit, node, env)?;
            return self.apply_contract(&contract, label, value);
        };
        let site = Site { unit: unit.clone(), env: env.clone(), seals: seals.clone() };
        match &**form {
            // where types are exact, they were checked before evaluation
            TypeForm::Int | TypeForm::Float | TypeForm::Map(..) | TypeForm::Struct(_) | TypeForm::Func(..) => {
                self.force(value)
            }
            TypeForm::Dyn | TypeForm::Wildcard => self.force(value),
            TypeForm::Number => self.plain(form, "Number", label, value),
            TypeForm::String => self.plain(form, "String", label, value),
            TypeForm::Bool => self.plain(form, "Bool", label, value),
            TypeForm::Array(item) => match self.force(value)? {
                Value::Array(array) => Ok(Value::Array(self.apply_elements(&site, *item, label, &array))),
                other => Err(self.wrong_type(label, "Array", &other)),
            },
            TypeForm::Fun(domain, codomain) => match self.force(value)? {
                function if function.is_function() => Ok(Value::Guarded(Rc::new(Guarded {
                    function,
                    site,
                    domain: *domain,
                    codomain: *codomain,
                    label: label.clone(),
                    typed: false,
                }))),
                other => Err(self.wrong_type(label, "Function", &other)),
            },
            TypeForm::Dict { item, contract } => match self.force(value)? {
                Value::Record(record) if *contract => {
                    let applied = Applied {
                        unit: site.unit,
                        node: *item,
                        env: site.env,
                        label: Some(label.clone()),
                        seals: site.seals,
                        refuses: false,
                    };
                    Ok(Value::Record(record.with_contract_on_all(Rc::new(applied))))
                }
                Value::Record(record) => {
                    let literals = label.literal_fields();
                    let fields = self.all_fields(&record)?.into_iter().map(|mut field| {
                        let name = field.name.clone();
                        let literal = literals.as_ref().and_then(|(u, all)| Some(((*u).clone(), *all.get(&name)?)));
                        let part = label.label_of_part(name).with_literal(literal);
                        let value = field.value.take().map(|value| site.later(*item, part, value));
                        DataField::from(field).with_contract(&record, site.applied(*item, label), value)
                    });
                    Ok(Value::Record(record.rebuilt(fields.collect::<Vec<_>>())))
                }
                other => Err(self.wrong_type(label, "Record", &other)),
            },
            TypeForm::Record { fields, marks, tail } => match self.force(value)? {
                Value::Record(record) => self.apply_rows(&site, fields, marks, *tail, label, &record),
                other => Err(self.wrong_type(label, "Record", &other)),
            },
            TypeForm::Enum { tags, tail } => self.apply_enum(&site, tags, *tail, label, value),
            TypeForm::Forall(vars, body) => {
                let mut seals = site.seals;
                for var in vars {
                    self.seals += 1;
                    seals = seals.with(*var, self.seals, label.polarity);
                }
                let body = *body;
                self.deeper(|m| m.apply_form(unit, body, env, &seals, label, value))
            }
            TypeForm::Var(var) => self.apply_variable(&site.seals, *var, label, value),
        }
    }

    fn plain(&mut self, form: &TypeForm, name: &str, label: &Rc<Label>, value: &Thunk) -> Result<Value, Fault> {
        let forced = self.force(value)?;
        if holds(form, &forced) { Ok(forced) } else { Err(self.wrong_type(label, name, &forced)) }
    }

    /// Returns the fault of a value of another type. A sealed value blames the contract that sealed it.
    #[cold]
    pub(super) fn wrong_type(&mut self, label: &Label, expected: &str, found: &Value) -> Fault {
        if let Value::Sealed(sealed) = found {
            return self.inspected_sealed(sealed);
        }
        let expected = Some(Name::new(expected));
        self.violation(label, Violation { expected, found: Some(found), ..Violation::default() })
    }

    /// Applies a contract to each element lazily. Elements that are already forced and satisfy it are kept.
    fn apply_elements(&mut self, site: &Site, item: NodeId, label: &Rc<Label>, array: &Array) -> Array {
        let form = match site.unit.node(item) {
            Node::Type(form) => Some(&**form),
            _ => None,
        };
        if matches!(form, Some(TypeForm::Dyn | TypeForm::Wildcard)) {
            return array.clone();
        }
        let checked = |element: &Thunk| match (form, element.peek()) {
            (Some(form), Some(value)) => holds(form, &value),
            _ => false,
        };
        if array.as_slice().iter().all(checked) {
            return array.clone();
        }
        let (literals, label) = (label.elements(), label.label_of_part("[]"));
        let later = |(index, element): (usize, &Thunk)| {
            if checked(element) {
                return element.clone();
            }
            let literal = literals.and_then(|(unit, items)| Some((unit.clone(), *items.get(index)?)));
            site.later(item, label.with_literal(literal.or_else(|| element.origin())), element.clone())
        };
        array.as_slice().iter().enumerate().map(later).collect()
    }

    /// Applies `{ a : T, …; tail }`. Every field must exist; the tail determines whether others may.
    fn apply_rows(
        &mut self,
        site: &Site,
        rows: &[(Name, Span, NodeId)],
        marks: &[(Name, FieldMark)],
        tail: RowTail,
        label: &Rc<Label>,
        record: &Record,
    ) -> Result<Value, Fault> {
        let mut kept = Vec::new();
        let mut rest = Vec::new();
        let mut matched = 0;
        let literals = label.literal_fields();
        for mut field in self.fields(record)? {
            let row = rows.iter().find(|(name, _, _)| *name == field.name);
            let Some((name, _, ty)) = row else {
                rest.push(DataField::of(field, record));
                continue;
            };
            matched += 1;
            let literal = literals.as_ref().and_then(|(unit, all)| Some(((*unit).clone(), *all.get(name)?)));
            let part = label.label_of_part(name.clone()).with_literal(literal);
            let value = field.value.take().map(|value| site.later(*ty, part, value));
            kept.push(DataField::from(field).with_contract(record, site.applied(*ty, label), value));
        }
        if matched < rows.len()
            && let Some((name, span, _)) = rows.iter().find(|(name, _, _)| {
                !kept.iter().any(|f| f.name == *name)
                    && !marks.iter().any(|(n, m)| n == name && *m == FieldMark::Optional)
            })
        {
            let mut label = (**label).clone();
            label.contract_span = label.contract_span.or(Some(*span));
            let message = Some(Name::from(format!("missing field `{name}`")));
            return Err(self.violation(&label, Violation { message, ..Violation::default() }));
        }
        let sealed = record.tail();
        let result = match tail {
            RowTail::Dyn => {
                kept.extend(rest);
                Record::data(kept, true).with_tail(sealed.cloned())
            }
            RowTail::Closed => {
                if let Some(extra) = rest.first() {
                    return Err(self.extra_field(label, &extra.name, (record, rows.iter().map(|(name, ..)| name))));
                }
                if let Some(tail) = sealed {
                    let tail = tail.clone();
                    return Err(self.inspected_sealed(&Sealed {
                        key: tail.key,
                        value: Thunk::done(Value::Record(tail.record)),
                        label: tail.label,
                    }));
                }
                Record::data(kept, false)
            }
            RowTail::Var(var) => match site.seals.get(var) {
                None => {
                    kept.extend(rest);
                    Record::data(kept, false).with_tail(sealed.cloned())
                }
                Some((key, polarity)) if polarity == label.polarity => match sealed {
                    // The sealed fields are restored; the function must not have added others.
                    Some(tail) if tail.key == key => {
                        if let Some(extra) = rest.first() {
                            return Err(self.extra_field(
                                label,
                                &extra.name,
                                (record, rows.iter().map(|(name, ..)| name)),
                            ));
                        }
                        let sealed = self.all_fields(&tail.record)?;
                        kept.extend(sealed.into_iter().map(|field| DataField::of(field, &tail.record)));
                        Record::data(kept, false)
                    }
                    _ => {
                        let message = Some(Name::new_static("the fields of a polymorphic tail are lost"));
                        return Err(self.violation(label, Violation { message, ..Violation::default() }));
                    }
                },
                Some((key, _)) => {
                    let record = Record::data(rest, false).with_tail(sealed.cloned());
                    Record::data(kept, false).with_tail(Some(Tail { key, record, label: label.clone() }))
                }
            },
        };
        Ok(Value::Record(result))
    }

    #[cold]
    pub(super) fn extra_field<'n>(
        &mut self,
        label: &Label,
        name: &Name,
        (record, allowed): (&Record, impl Iterator<Item = &'n Name>),
    ) -> Fault {
        let message = Some(Name::from(format!("extra field `{name}`")));
        let near = crate::text::near(name, allowed.map(Name::as_str));
        let mut label = label.clone();
        let defined = self.name_span_of(record, name);
        if let Some(defined) = defined {
            label.value_span = Some(defined);
            label.value = None;
        }
        self.violation(&label, Violation { message, near, ..Violation::default() })
    }

    fn apply_enum(
        &mut self,
        site: &Site,
        tags: &[(Name, Span, Option<NodeId>)],
        tail: RowTail,
        label: &Rc<Label>,
        value: &Thunk,
    ) -> Result<Value, Fault> {
        let forced = self.force(value)?;
        let found = match &forced {
            Value::Tag(tag) => tags.iter().find(|(name, _, argument)| name == tag && argument.is_none()),
            Value::Variant(tag, _) => tags.iter().find(|(name, _, argument)| name == tag && argument.is_some()),
            other => return Err(self.wrong_type(label, &one_of(tags), other)),
        };
        match (found, &forced) {
            (Some((_, _, Some(ty))), Value::Variant(tag, argument)) => {
                let argument = site.later(*ty, label.label_of_part(format!("'{tag}")), argument.clone());
                Ok(Value::Variant(tag.clone(), argument))
            }
            (Some(_), _) => Ok(forced),
            (None, _) if tail != RowTail::Closed => Ok(forced),
            (None, Value::Tag(tag) | Value::Variant(tag, _)) => {
                let near = crate::text::near(tag, tags.iter().map(|(name, ..)| name.as_str()));
                let near = near.into_iter().map(|name| Name::from(format!("'{name}"))).collect();
                let expected = Some(Name::from(one_of(tags)));
                Err(self.violation(label, Violation { found: Some(&forced), expected, near, ..Violation::default() }))
            }
            (None, other) => Err(self.wrong_type(label, &one_of(tags), other)),
        }
    }

    /// Applies a type variable: arguments are sealed, and results must be sealed values from the same `forall`.
    fn apply_variable(
        &mut self,
        seals: &Seals,
        var: TyVarId,
        label: &Rc<Label>,
        value: &Thunk,
    ) -> Result<Value, Fault> {
        match seals.get(var) {
            None => self.force(value),
            Some((key, polarity)) if polarity == label.polarity => match self.force(value)? {
                Value::Sealed(sealed) if sealed.key == key => self.force(&sealed.value),
                other => {
                    let message = Some(Name::new_static("a polymorphic result must come from an argument"));
                    Err(self.violation(label, Violation { found: Some(&other), message, ..Violation::default() }))
                }
            },
            Some((key, _)) => Ok(Value::Sealed(Rc::new(Sealed { key, value: value.clone(), label: label.clone() }))),
        }
    }
}

/// Maximum number of tags that a message lists.
const TAGS: usize = 8;

/// Lists the tags of an enum type: `` `'A` or `'B` ``.
fn one_of(tags: &[(Name, Span, Option<NodeId>)]) -> String {
    let all: Vec<String> = tags.iter().take(TAGS).map(|(name, ..)| format!("`'{name}`")).collect();
    match all.as_slice() {
        [] => String::from("Enum"),
        _ if tags.len() > TAGS => format!("{} or another tag of its contract", all.join(", ")),
        [one] => one.clone(),
        [init @ .., last] => format!("{} or {last}", init.join(", ")),
    }
}

impl Trace for Site {
    fn trace(&self, to: &mut Graph) {
        self.env.trace(to);
    }
}

impl Site {
    /// Returns the contract as an entry of a field's stack.
    fn applied(&self, node: NodeId, label: &Rc<Label>) -> Rc<Applied> {
        Rc::new(Applied {
            unit: self.unit.clone(),
            node,
            env: self.env.clone(),
            label: Some(label.clone()),
            seals: self.seals.clone(),
            refuses: false,
        })
    }

    /// Applies a part of the contract to a part of the value lazily.
    pub(super) fn later(&self, node: NodeId, label: Rc<Label>, value: Thunk) -> Thunk {
        let site = self.clone();
        let label = Rc::new(Label { value: Some(value.clone()), ..(*label).clone() });
        Thunk::holding((site, label, value), move |machine, (site, label, value)| {
            machine.apply_form(&site.unit, node, &site.env, &site.seals, label, value)
        })
    }
}

/// Returns the label for a part of the value, with the opposite polarity.
pub(super) fn flipped(label: &Rc<Label>, step: impl Into<Name>) -> Rc<Label> {
    let mut label = (**label).clone();
    label.path.push(step.into());
    label.polarity = Polarity::flip(label.polarity);
    Rc::new(label)
}
