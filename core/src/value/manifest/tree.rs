//! The parts of a value that the writers of documents read: complete data, or a value that is computed while it is written.

use super::objects::Parts;
use super::{MOST_BLANKS, ManifestFormat, Style, fields, is_yaml_tag};
use crate::problem::Problem;
use crate::problem::manifest::{ExportProblem, ManifestKind};
use crate::term::NumberForm;
use crate::text::Name;
use crate::text::path::Step;
use crate::value::array::Array;
use crate::value::datum::Datum;
use crate::value::deep::FieldRef;
use crate::value::record::Path;
use crate::value::{Machine, Thunk, Value};
use std::borrow::Borrow;
use std::marker::PhantomData;
use std::ops::Deref;
use std::rc::Rc;

/// A node that a writer has opened.
pub(super) enum Part<T: Tree> {
    /// A value without parts.
    Leaf(T::Leaf),
    /// The elements of an array.
    Items(T::Items),
    /// The exported fields of a record, in the order in which they are written.
    Fields(std::vec::IntoIter<(T::Key, T::Node)>),
    /// A value with a tag.
    Tagged(Name, T::Node),
}

/// The parts of a value, opened one by one.
pub(super) trait Tree: Sized {
    /// The name of a field.
    type Key: Deref<Target = str>;
    /// A value without parts.
    type Leaf: Borrow<Datum>;
    /// A value that is not opened yet.
    type Node;
    /// The elements of an array that are not taken yet.
    type Items;

    /// Returns the style in which the value is written.
    fn style(&self) -> Style;
    /// Opens a node at a depth. The problem of a failure has no path.
    fn open(&mut self, node: Self::Node, depth: usize) -> Result<Part<Self>, Problem>;
    /// Takes the next element.
    fn next(&mut self, items: &mut Self::Items) -> Option<Self::Node>;
    /// Returns the number of elements that are left.
    fn len(&self, items: &Self::Items) -> usize;
    /// Whether all elements are records.
    fn are_records(&mut self, items: &Self::Items) -> Result<bool, Problem>;
    /// Passes on what is written if it is large. Writers call it between two entries.
    fn pass_on(&mut self, out: &mut String) -> Result<(), Problem>;
}

/// Adds the path of a node to the problem of its failure.
pub(super) fn at(mut problem: Problem, steps: impl FnOnce() -> Vec<Step>) -> Problem {
    if let crate::problem::ProblemKind::Manifest(ExportProblem { path, .. }) = &mut problem.kind
        && path.is_empty()
    {
        *path = steps();
    }
    problem
}

/// Puts a step before the path of a problem.
pub(super) fn below(mut problem: Problem, step: Step) -> Problem {
    if let crate::problem::ProblemKind::Manifest(ExportProblem { path, .. }) = &mut problem.kind {
        path.insert(0, step);
    }
    problem
}

/// Data that was checked.
pub(super) struct DataTree<'a> {
    style: Style,
    data: PhantomData<&'a Datum>,
}

impl DataTree<'_> {
    /// Makes a reader of data whose fields are in the order of a style.
    pub fn new(style: Style) -> Self {
        DataTree { style, data: PhantomData }
    }
}

impl<'a> Tree for DataTree<'a> {
    type Key = &'a str;
    type Leaf = &'a Datum;
    type Node = &'a Datum;
    type Items = std::slice::Iter<'a, Datum>;

    fn style(&self) -> Style {
        self.style
    }

    fn open(&mut self, node: &'a Datum, _: usize) -> Result<Part<Self>, Problem> {
        Ok(match node {
            Datum::Array(elements) => Part::Items(elements.iter()),
            Datum::Record(entries) => Part::Fields(fields(entries, self.style).into_iter()),
            Datum::Variant(tag, argument) => Part::Tagged(tag.clone(), argument.as_ref()),
            leaf => Part::Leaf(leaf),
        })
    }

    fn next(&mut self, items: &mut Self::Items) -> Option<&'a Datum> {
        items.next()
    }

    fn len(&self, items: &Self::Items) -> usize {
        items.len()
    }

    fn are_records(&mut self, items: &Self::Items) -> Result<bool, Problem> {
        Ok(items.clone().all(|element| matches!(element, Datum::Record(_))))
    }

    fn pass_on(&mut self, _: &mut String) -> Result<(), Problem> {
        Ok(())
    }
}

/// A value that is computed while it is written, so that memory does not grow with the text. What a format cannot represent is a problem
/// where it is opened.
pub(super) struct ValueTree<'m> {
    pub machine: &'m mut Machine,
    pub format: ManifestFormat,
    pub style: Style,
    pub parts: &'m Parts,
    /// Number of blanks of indentation so far.
    pub blanks: usize,
}

/// A value that is not computed yet.
pub(super) struct Lazy {
    pub thunk: Thunk,
    /// The field whose value it is.
    pub field: Option<FieldRef>,
    /// Whether the field is secret.
    pub secret: bool,
}

impl Lazy {
    /// A value that is not that of a field.
    pub fn new(thunk: Thunk) -> Lazy {
        Lazy { thunk, field: None, secret: false }
    }
}

/// The elements of an array from an index on.
pub(super) struct LazyItems {
    array: Array,
    from: usize,
    /// The path of the array, if it is the value of a field.
    path: Option<Rc<Path>>,
}

fn refused(what: ManifestKind) -> Problem {
    Problem::error(ExportProblem { path: Vec::new(), span: None, what })
}

impl ValueTree<'_> {
    fn fields_of(&mut self, record: &crate::value::Record) -> Result<Part<Self>, Problem> {
        let failed = |fault: crate::value::Fault| fault.problem().clone();
        let all = match self.style.as_defined {
            true => self.machine.fields_as_defined(record),
            false => self.machine.fields(record),
        };
        let mut out: Vec<(Name, Lazy)> = Vec::new();
        for field in all.map_err(failed)? {
            if field.not_exported || field.value.is_none() && field.optional {
                continue;
            }
            let Some(thunk) = field.value else {
                return Err(failed(self.machine.missing_field(record, &field.name, None)));
            };
            let own = Some(FieldRef::Field(record.clone(), field.name.clone()));
            out.push((field.name, Lazy { thunk, field: own, secret: field.secret }));
        }
        Ok(self.sorted(out))
    }

    fn sorted(&self, mut fields: Vec<(Name, Lazy)>) -> Part<Self> {
        if !self.style.as_defined {
            fields.sort_by(|(a, _), (b, _)| a.cmp(b));
        }
        Part::Fields(fields.into_iter())
    }
}

impl<'m> Tree for ValueTree<'m> {
    type Key = Name;
    type Leaf = Datum;
    type Node = Lazy;
    type Items = LazyItems;

    fn style(&self) -> Style {
        self.style
    }

    fn open(&mut self, node: Lazy, depth: usize) -> Result<Part<Self>, Problem> {
        let value = self.machine.tick().and_then(|()| self.machine.force_in(&node.thunk, node.field.as_ref()));
        let value = value.map_err(|fault| fault.problem().clone())?;
        self.blanks = self.blanks.saturating_add(2 * depth);
        if self.blanks > MOST_BLANKS && depth > 1000 {
            return Err(refused(ManifestKind::TooDeep));
        }
        if node.secret || node.thunk.secret().is_some() {
            return Ok(Part::Leaf(Datum::Secret));
        }
        let is_yaml = matches!(self.format, ManifestFormat::Yaml | ManifestFormat::YamlDocuments);
        Ok(Part::Leaf(match &value {
            Value::Null if self.format == ManifestFormat::Toml => return Err(refused(ManifestKind::Null("TOML"))),
            Value::Null => Datum::Null,
            Value::Bool(b) => Datum::Bool(*b),
            Value::Number(number)
                if number.to_i64().is_none() && self.style.export(number, NumberForm::Json).is_err() =>
            {
                return Err(refused(ManifestKind::TooLarge));
            }
            Value::Number(number) => Datum::Number(number.clone()),
            Value::String(text) => {
                let text = self.machine.read(text.clone()).map_err(|fault| fault.problem().clone())?;
                Datum::String(text.name())
            }
            Value::Tag(tag) => Datum::Tag(tag.clone()),
            Value::Array(array) => {
                return Ok(Part::Items(LazyItems {
                    array: array.clone(),
                    from: 0,
                    path: node.field.as_ref().map(FieldRef::path),
                }));
            }
            Value::Record(record) => return self.fields_of(record),
            Value::Map(map) => {
                let mut entries = Vec::with_capacity(map.len());
                for (key, value) in map.iter() {
                    let key = self.machine.datum(&Thunk::done(key.clone()), crate::value::Budget::ALL).key_text();
                    entries.push((key, Lazy::new(value.clone())));
                }
                return Ok(self.sorted(entries));
            }
            Value::Variant(tag, argument) if is_yaml_tag(tag) => match is_yaml && self.style.portable {
                true => return Ok(Part::Tagged(tag.clone(), Lazy::new(argument.clone()))),
                false => {
                    let (tag, format) = (tag.clone(), self.format.name());
                    return Err(refused(ManifestKind::YamlTag { format, tag }));
                }
            },
            Value::Variant(..) => return Err(refused(ManifestKind::NoForm("an enum variant with an argument"))),
            Value::Function(_) | Value::Native(_) | Value::Guarded(_) => {
                return Err(refused(ManifestKind::NoForm("a function")));
            }
            Value::Contract(_) | Value::Label(_) => return Err(refused(ManifestKind::NoForm("a contract"))),
            Value::Sealed(sealed) => return Err(self.machine.inspected_sealed(sealed).problem().clone()),
        }))
    }

    fn next(&mut self, items: &mut LazyItems) -> Option<Lazy> {
        let thunk = items.array.at(items.from)?;
        let field = items.path.clone().map(|path| FieldRef::Element(path, items.from));
        items.from += 1;
        Some(Lazy { thunk, field, secret: false })
    }

    fn len(&self, items: &LazyItems) -> usize {
        items.array.len().saturating_sub(items.from)
    }

    fn are_records(&mut self, items: &LazyItems) -> Result<bool, Problem> {
        for index in items.from..items.array.len() {
            let Some(thunk) = items.array.at(index) else { break };
            let value = self.machine.tick().and_then(|()| self.machine.force(&thunk));
            let value = value.map_err(|fault| at(fault.problem().clone(), || vec![Step::Index(index)]))?;
            if !matches!(value, Value::Record(_)) || thunk.secret().is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn pass_on(&mut self, out: &mut String) -> Result<(), Problem> {
        let passed = self.parts.pass_on_large(out).and_then(|()| self.machine.room(out, 0));
        passed.map_err(|fault| fault.problem().clone())
    }
}
