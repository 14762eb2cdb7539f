//! Nodes with side effects. A schema declares their inputs and outputs: `{ inputs = { name | String }, outputs = { port | Number } }`.
//! Outputs are unknown values of known types, so that what reads them is checked before the node runs.

use crate::infer::Infer;
use crate::infer::findings::Reported;
use crate::infer::why::Why;
use crate::problem::types::TypesKind;
use crate::term::{Apply, rules};
use crate::text::{Name, Span};
use crate::ty::{DynReason, Failure, Field, Presence, Row, Tail, Ty, TyRef};

/// Maximum depth of the fields of an input that are compared with their definitions.
const MAX_DEPTH: u32 = 16;

impl Infer<'_> {
    /// Returns the type of an instance of a prototype that is computed; `None` for other calls. If it is a schema, the instance has
    /// its inputs and its outputs.
    pub(super) fn node_of_schema(&mut self, apply: &Apply, span: Span) -> Option<TyRef> {
        let [(None, schema)] = apply.args.as_slice() else { return None };
        if !self.rules().extends_layers() || !self.is_native(apply.func, rules::PROTOTYPE) {
            return None;
        }
        let ty = self.expr(*schema);
        let [inputs, outputs] = rules::NODE_SCHEMA.map(|name| self.fields_of(&ty, name));
        let (Some(inputs), Some(outputs)) = (inputs, outputs) else {
            return Some(Ty::Dyn(DynReason::Library).into());
        };
        let mut row = Row::new(Tail::Closed);
        for (name, field) in outputs.fields() {
            let ty = self.without_failures(&field.ty);
            self.objects.outputs.extend(field.at);
            row.insert(name.clone(), Field { hidden: true, ..Field::given(ty, field.at) });
        }
        for (name, field) in inputs.fields() {
            let ty = self.without_failures(&field.ty);
            self.note_input(field, 0);
            let ty = match field.presence {
                Presence::Yes => ty,
                Presence::Maybe => {
                    row.insert(name.clone(), Field { presence: Presence::Maybe, ..Field::given(ty, field.at) });
                    continue;
                }
                // the instance has to define it
                _ => {
                    let what = TypesKind::Undefined { name: name.clone(), below: false, near: Vec::new() };
                    let fault = self.report_only(span, what, Reported::IfForced, false);
                    Ty::Fails(fault, ty).into()
                }
            };
            row.insert(name.clone(), Field::given(ty, field.at));
        }
        Some(Ty::Record(row).into())
    }

    /// Records the places of an input and of the fields inside it.
    fn note_input(&mut self, input: &Field, depth: u32) {
        self.objects.inputs.extend(input.at);
        if depth < MAX_DEPTH
            && let Some(row) = self.row_of(&input.ty)
        {
            row.fields().for_each(|(_, field)| self.note_input(field, depth + 1));
        }
    }

    /// Checks a definition of an input of a node against its schema. Returns `false` if the definition is wrong. Of the types, that of the
    /// input is first.
    pub(super) fn is_right_input(&mut self, [input, own]: [&Field; 2], [was, now]: [&TyRef; 2], span: Span) -> bool {
        let Some(at) = input.at.filter(|at| self.objects.inputs.contains(at) && own.at != Some(*at)) else {
            return true;
        };
        let guarded = own.inheritance.as_ref().is_some_and(|own| own.when.is_some() || own.layers.is_some());
        if guarded || own.presence != Presence::Yes {
            return true;
        }
        let place = own.at.unwrap_or(span);
        if self.objects.wrong_inputs.contains(&place) {
            return false;
        }
        // the keys of a dictionary are compared one by one
        if let (Some(was), Some(now)) = (self.row_of(was), self.row_of(now)) {
            let mut right = true;
            for (name, own) in now.fields() {
                match was.get(name) {
                    Some(input) => right &= self.is_right_input([input, own], [&input.ty, &own.ty], place),
                    None if matches!(was.tail(), Tail::Closed) => {
                        let record: TyRef = Ty::Record(was.clone()).into();
                        let near = crate::infer::access::near_in(&record, name);
                        let record = self.mono(&record);
                        let what = TypesKind::MissingField {
                            name: name.clone(),
                            record,
                            near,
                            why: Why::Part,
                            wanted: None,
                            hidden: None,
                        };
                        right &= self.is_wrong_input(own.at.unwrap_or(place), what);
                    }
                    None => {}
                }
            }
            let missing = was.fields().filter(|(name, f)| f.presence == Presence::No && now.get(name).is_none());
            for name in missing.map(|(name, _)| name.clone()).collect::<Vec<_>>() {
                if matches!(now.tail(), Tail::Closed) {
                    right &= self.is_wrong_input(place, TypesKind::Undefined { name, below: false, near: Vec::new() });
                }
            }
            if !right {
                self.objects.wrong_inputs.insert(place);
            }
            return right;
        }
        let before = self.findings.len();
        let now = self.without_failures(now);
        self.check(&now, was, place, at);
        self.objects.inputs.insert(place);
        let right = self.findings.len() == before;
        if !right {
            self.objects.wrong_inputs.insert(place);
        }
        right
    }

    /// Reports keys of an instance that its schema lacks and whose names are like that of an input that the instance does not define.
    /// O(1) if the lower row is not that of a node.
    pub(super) fn misspelt_inputs(&mut self, (node, instance): (&Row, &Row)) {
        let declared = |at: &Span| self.objects.inputs.contains(at) || self.objects.outputs.contains(at);
        if !node.fields().next().is_some_and(|(_, field)| field.at.as_ref().is_some_and(declared)) {
            return;
        }
        let undefined = |(name, field): &(&Name, &Field)| {
            field.at.is_some_and(|at| self.objects.inputs.contains(&at)) && instance.get(name).is_none()
        };
        let open: Vec<(Name, bool)> = node
            .fields()
            .filter(undefined)
            .map(|(name, field)| (name.clone(), matches!(&*field.ty, Ty::Fails(..))))
            .collect();
        if open.is_empty() {
            return;
        }
        for (name, own) in
            instance.fields().filter(|(name, own)| own.presence == Presence::Yes && node.get(name).is_none())
        {
            let near = crate::infer::report::near(name, open.iter().map(|(name, _)| name));
            let (Some(first), Some(at)) = (near.first(), own.at) else { continue };
            let required = open.iter().any(|(name, required)| name == first && *required);
            let record = self.mono(&Ty::Record(node.clone()).into());
            let what = TypesKind::MissingField {
                name: name.clone(),
                record,
                near,
                why: Why::Part,
                wanted: None,
                hidden: None,
            };
            if required {
                self.is_wrong_input(at, what);
            } else {
                self.report_only(at, what, Reported::Always, false);
            }
        }
    }

    /// Reports a wrong part of an input as an error. Returns `false`.
    fn is_wrong_input(&mut self, at: Span, what: TypesKind) -> bool {
        let fault = self.report_only(at, what, Reported::Always, false);
        self.always_error(fault);
        false
    }

    /// Makes a report an error if it is about an input of a node.
    pub(super) fn wrong_input(&mut self, input: Option<Span>, fault: Option<Failure>) {
        if let (Some(at), Some(fault)) = (input, fault)
            && self.objects.inputs.contains(&at)
        {
            self.always_error(fault);
        }
    }

    /// Returns the fields of a part of a record.
    fn fields_of(&mut self, ty: &TyRef, name: &str) -> Option<Row> {
        let record = self.row_of(ty)?;
        let part = record.get(name).filter(|field| field.presence == Presence::Yes)?.ty.clone();
        self.row_of(&part)
    }

    fn row_of(&mut self, ty: &TyRef) -> Option<Row> {
        let ty = self.without_failures(ty);
        let ty = self.instantiate(&ty);
        let head = self.open_head(&ty);
        match &*head {
            Ty::Record(row) => Some(self.open_row(row)),
            _ => None,
        }
    }
}
