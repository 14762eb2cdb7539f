//! Calls of library functions whose signatures cannot express their types: folds whose accumulator changes its type, objects that
//! keep their fields, and arguments that may have one of several types.

use crate::infer::Infer;
use crate::infer::narrow::Head;
use crate::infer::why::{UnifyReason, Why};
use crate::term::{Apply, Node, NodeId};
use crate::text::{Name, Span};
use crate::ty::{DynReason, Failure, Field, Param, Presence, Row, Tail, Ty, TyRef};

/// Maximum number of elements of an array literal for which a fold is inferred step by step.
const ELEMENTS: usize = 32;
/// Maximum number of steps after which the accumulator of a fold must keep its type.
const STEPS: usize = 4;
/// Maximum depth at which the accumulator is checked for further fields.
const DEPTH: usize = 8;

/// The arguments that may have one of several types, each with its position.
const SEVERAL: &[(&str, usize, &[Head])] = &[
    ("base64", 0, &[Head::String, Head::Array]),
    ("deepJoin", 0, &[Head::String, Head::Array]),
    ("join", 0, &[Head::String, Head::Array]),
    ("length", 0, &[Head::String, Head::Array, Head::Record, Head::Function]),
    ("member", 0, &[Head::String, Head::Array]),
    ("repeat", 0, &[Head::String, Head::Array]),
    ("slice", 0, &[Head::String, Head::Array]),
    ("slice", 1, &[Head::Number, Head::Null]),
    ("slice", 2, &[Head::Number, Head::Null]),
    ("slice", 3, &[Head::Number, Head::Null]),
];

/// Returns the kinds of an argument that may have one of several.
pub(super) fn several(function: &str, place: usize) -> Option<&'static [Head]> {
    SEVERAL.iter().find(|(name, at, _)| *name == function && *at == place).map(|(.., heads)| *heads)
}

impl Infer<'_> {
    /// Returns the name of the function of the library that a call names.
    pub(super) fn library_function(&mut self, func: NodeId) -> Option<Name> {
        if self.rules().converts() {
            return None;
        }
        let term = self.term.clone();
        let Node::Project(of, name) = term.node(func) else { return None };
        let Node::Global(std) = term.node(*of) else { return None };
        (std == self.rules().library && self.host.global(std).is_none()).then(|| name.clone())
    }

    /// Returns the type of a call of the library that is more precise than the signature; `None` for other calls, and then no part
    /// of the call has been inferred.
    pub(super) fn library_result(&mut self, name: &str, apply: &Apply, span: Span) -> Option<TyRef> {
        let args = apply.args.iter().map(|(by_name, arg)| by_name.is_none().then_some(*arg));
        let args = args.collect::<Option<Vec<NodeId>>>()?;
        match (name, args.as_slice()) {
            ("foldl", [f, array, start]) => Some(self.fold(*f, *array, *start, false, span)),
            ("foldr", [f, array, start]) => Some(self.fold(*f, *array, *start, true, span)),
            ("mod", [left, right]) => Some(self.remainder(*left, *right, span)),
            ("format", [format, values]) if matches!(self.term.node(*format), Node::Str(_)) => {
                Some(self.remainder(*format, *values, span))
            }
            _ => None,
        }
    }

    /// Returns the type of the result of a call of the library, given the result type in the signature. `args` are the arguments that
    /// were passed by position, with their types.
    pub(super) fn library_refined(&mut self, name: &str, args: &[(NodeId, TyRef)], result: TyRef, span: Span) -> TyRef {
        match (name, args) {
            ("objectRemoveKey", [(_, object), (key, _)]) => {
                let object = self.without_failures(object);
                let object = self.instantiate(&object);
                let head = self.open_head(&object);
                let Ty::Record(row) = &*head else {
                    return Ty::Record(Row::new(Tail::Dyn(DynReason::Computed(span)))).into();
                };
                let mut row = self.open_row(row);
                match self.term.clone().node(*key) {
                    Node::Str(name) if matches!(row.tail(), Tail::Closed) => row.remove(name),
                    _ => row = Row::new(Tail::Dyn(DynReason::Computed(span))),
                }
                Ty::Record(row).into()
            }
            ("mapWithKey", [_, (_, object)]) => {
                let object = self.open_head(object);
                let of = self.open_head(&result);
                let (Ty::Record(object), Ty::Record(of)) = (&*object, &*of) else { return result };
                let (object, of) = (self.open_row(object), self.open_row(of));
                let (Tail::Closed, Tail::Dict(item)) = (object.tail(), of.tail()) else { return result };
                let mut row = Row::new(Tail::Closed);
                for (name, field) in object.fields().filter(|(_, f)| f.presence != Presence::No && !f.hidden) {
                    row.insert(
                        name.clone(),
                        Field { presence: field.presence, ..Field::given(item.clone(), field.at) },
                    );
                }
                Ty::Record(row).into()
            }
            ("objectValues" | "objectKeysValues", _) => self.with_unknown_unions(result, span),
            // the function is called for each element
            ("map" | "mapWithIndex" | "flatMap", [(_, function), .., (array, _)]) if matches!(self.term.node(*array), Node::Array(items) if !items.is_empty()) =>
            {
                let function = self.open_head(&self.without_outer_failures(function));
                let Ty::Fun(_, each) = &*function else { return result };
                let faults = self.failures_in(each);
                crate::infer::failing(result, faults.into_iter().map(|fault| Failure { deep: true, ..fault }))
            }
            _ => result,
        }
    }

    /// Returns the type of an array of the values of an object. If they have several types, a test of the key may tell them apart.
    fn with_unknown_unions(&mut self, array: TyRef, span: Span) -> TyRef {
        let Ty::Array(item) = &*self.open_head(&array) else { return array };
        let unknown: TyRef = Ty::Dyn(DynReason::Computed(span)).into();
        match &*self.open_head(item) {
            Ty::Union(_) => Ty::Array(unknown).into(),
            Ty::Record(row) => {
                let row = self.open_row(row);
                let mut out = row.clone();
                for (name, field) in row.fields() {
                    if matches!(&*self.open_head(&field.ty), Ty::Union(_)) {
                        out.insert(name.clone(), Field { ty: unknown.clone(), ..field.clone() });
                    }
                }
                Ty::Array(Ty::Record(out).into()).into()
            }
            _ => array,
        }
    }

    /// Checks the arguments of a call of the library that may have one of several types, and those that must agree.
    pub(super) fn library_arguments(&mut self, name: &str, args: &[(NodeId, TyRef)], func: Span) {
        for (_, place, heads) in SEVERAL.iter().filter(|(function, ..)| *function == name) {
            let Some((arg, ty)) = args.get(*place) else { continue };
            let (head, by) = self.table.head_with(ty);
            let head = if matches!(self.term.node(*arg), Node::Null) { Ty::Null.into() } else { head };
            if heads.iter().any(|wanted| crate::infer::narrow::is_of(&head, *wanted) != Some(false)) {
                continue;
            }
            let span = self.term.span(*arg);
            let wanted = heads.iter().map(|head| crate::infer::narrow::shape(*head, span)).collect();
            let wanted: TyRef = Ty::Union(wanted).into();
            let why = Why::Argument(*place as u32 + 1, Some(Name::new(name)));
            let because = UnifyReason::new(span, why).wanted(func).sure_if(self.is_certain(by));
            let clash = self.clash_of_heads(&head, &wanted, None, None, &because);
            self.demand(Err(clash), &because);
        }
        match (name, args) {
            ("join", [(_, separator), (array, items)]) => self.joined(separator, *array, items, func),
            ("member", [(_, whole), (part, ty)]) => self.found_in(whole, *part, ty, func),
            _ => self.compares(name, args, func),
        }
    }

    /// Checks that `std.join` gets strings for a string, and arrays for an array.
    fn joined(&mut self, separator: &TyRef, array: NodeId, items: &TyRef, func: Span) {
        let (separator, items) = (self.table.head(separator), self.table.head(items));
        let term = self.term.clone();
        // joining an empty array cannot fail, so that a clash is certain only for a literal with elements
        let (item, some) = match &*items {
            Ty::Array(item) => {
                let some = matches!(term.node(array), Node::Array(items) if !items.is_empty());
                (self.table.head(item), some)
            }
            // a string does not count as an array of characters here
            Ty::String => {
                let any: TyRef = Ty::Array(self.fresh()).into();
                let why = Why::Argument(2, Some(Name::new_static("join")));
                let because = UnifyReason::new(term.span(array), why).wanted(func);
                let clash = self.clash_of_heads(&items, &any, None, None, &because);
                return self.demand(Err(clash), &because);
            }
            _ => return,
        };
        let known = |ty: &Ty| matches!(ty, Ty::String | Ty::Array(_) | Ty::Number | Ty::Bool | Ty::Record(_));
        let differ = match (&*separator, &*item) {
            (Ty::String, item) => known(item) && !matches!(item, Ty::String),
            (Ty::Array(_), item) => known(item) && !matches!(item, Ty::Array(_)),
            _ => false,
        };
        if differ {
            let because =
                UnifyReason::new(term.span(array), Why::Argument(2, Some(Name::new_static("join")))).wanted(func);
            let because = because.sure_if(some);
            // of an element
            let mut clash = self.clash_of_heads(&item, &separator, None, None, &because);
            clash.deep = true;
            let certain = clash.certain;
            self.report_clash_in_unit(*clash, &because, certain);
        }
    }

    /// Checks that `std.member` looks for a string in a string.
    fn found_in(&mut self, whole: &TyRef, part: NodeId, ty: &TyRef, func: Span) {
        let (whole, whole_by) = self.table.head_with(whole);
        let (head, by) = self.table.head_with(ty);
        let head = if matches!(self.term.node(part), Node::Null) { Ty::Null.into() } else { head };
        if matches!(&*whole, Ty::String) && crate::infer::narrow::is_of(&head, Head::String) == Some(false) {
            let why = Why::Argument(2, Some(Name::new_static("member")));
            let certain = self.is_certain(whole_by) && self.is_certain(by);
            let because = UnifyReason::new(self.term.span(part), why).wanted(func).sure_if(certain);
            let clash = self.clash_of_heads(&head, &whole, None, None, &because);
            self.demand(Err(clash), &because);
        }
    }

    /// Returns the type of a fold. The accumulator may have another type after each step.
    fn fold(&mut self, f: NodeId, array: NodeId, start: NodeId, right: bool, span: Span) -> TyRef {
        let from = self.enter();
        let step = self.lazily(f);
        self.leave_level(from);
        let step = self.without_failures(&step);
        let step = self.generalise_value(&step);
        self.end_generalisation(from);
        let start = self.lazily(start);
        let start = self.without_failures(&start);
        let mut gathered = self.no_error(&start);
        let term = self.term.clone();
        if let Node::Array(items) = term.node(array)
            && items.len() <= ELEMENTS
        {
            let mut items = items.to_vec();
            if right {
                items.reverse();
            }
            for item in items {
                let ty = self.lazily(item);
                let ty = self.without_failures(&ty);
                gathered = match self.fold_step(&step, &gathered, &ty, (f, term.span(item)), right, true) {
                    Some(next) if !self.is_another_unknown(&gathered, &next) => next,
                    _ => return Ty::Dyn(DynReason::Computed(span)).into(),
                };
            }
            return self.force(&gathered);
        }
        let item = self.folded_item(array, if right { "foldr" } else { "foldl" }, term.span(f));
        let because = UnifyReason::new(term.span(f), Why::Branch).unsure();
        for i in 0..STEPS {
            let before = self.no_error(&gathered);
            let Some(next) = self.fold_step(&step, &before, &item, (f, span), right, i == 0) else { break };
            let next = self.without_failures(&next);
            let next = self.no_error(&next);
            if self.is_another_unknown(&before, &next) {
                break;
            }
            gathered = self.join_quietly(&before, &next, &because);
            if matches!(&*self.open_head(&gathered), Ty::Union(_)) {
                break;
            }
            if !self.grown(&before, &gathered, DEPTH) {
                return gathered;
            }
        }
        Ty::Dyn(DynReason::Computed(span)).into()
    }

    /// Whether a step returns a value of an unknown type that need not be that of the accumulator.
    fn is_another_unknown(&mut self, gathered: &TyRef, next: &TyRef) -> bool {
        let (before, after) = (self.table.head(gathered), self.table.head(next));
        match (&*before, &*after) {
            (Ty::Live(a), Ty::Live(b)) => self.table.root(*a) != self.table.root(*b),
            (_, Ty::Live(_)) => true,
            // an object that was extended by one that is not known
            (Ty::Record(a), Ty::Record(b)) => {
                let (a, b) = (self.open_row(a), self.open_row(b));
                matches!((a.tail(), b.tail()), (Tail::Closed, Tail::Live(_)))
            }
            _ => false,
        }
    }

    /// Returns the type of the elements of the array that a fold takes.
    fn folded_item(&mut self, array: NodeId, function: &'static str, func: Span) -> TyRef {
        let ty = self.expr(array);
        let (head, by) = self.table.head_with(&ty);
        match &*head {
            Ty::Array(item) => {
                let item = self.without_failures(item);
                self.no_error(&item)
            }
            Ty::String => head,
            Ty::Dyn(_) | Ty::Bottom => head,
            Ty::Union(_) | Ty::Error(_) => Ty::Dyn(DynReason::Computed(self.term.span(array))).into(),
            _ => {
                let item = self.fresh();
                let why = Why::Argument(2, Some(Name::new_static(function)));
                // the C++ reference implementation accepts other values that have a length
                let refused = matches!(&*head, Ty::Null | Ty::Bool | Ty::Number);
                let sure = refused && self.is_certain(by);
                let because = UnifyReason::new(self.term.span(array), why).wanted(func).sure_if(sure);
                let unified = self.unify(&head, &Ty::Array(item.clone()).into(), &because);
                self.demand(unified, &because);
                item
            }
        }
    }

    /// Returns the type of the accumulator after a step; `None` if it is not known. `aloud`: a clash is reported.
    fn fold_step(
        &mut self,
        step: &TyRef,
        gathered: &TyRef,
        item: &TyRef,
        (f, at): (NodeId, Span),
        right: bool,
        aloud: bool,
    ) -> Option<TyRef> {
        let floor = self.hold();
        let step = self.instantiate(step);
        self.held();
        let gathered = self.instantiate(gathered);
        let item = self.instantiate(item);
        let args = if right { [item, gathered] } else { [gathered, item] };
        let head = self.open_head(&step);
        let func = self.term.span(f);
        let next = match &*head {
            Ty::Fun(params, result) if params.len() >= 2 && params.iter().skip(2).all(|p| p.optional) => {
                let mut fits = true;
                for (i, (ty, param)) in args.iter().zip(params).enumerate() {
                    let because = UnifyReason::new(at, Why::Argument(i as u32 + 1, None)).wanted(func).unsure();
                    let unified = self.unify(ty, &param.ty, &because);
                    fits &= unified.is_ok();
                    if aloud {
                        self.settle_clash(unified, &because);
                    }
                }
                self.solve();
                fits.then(|| result.clone())
            }
            Ty::Dyn(_) | Ty::Bottom | Ty::Union(_) | Ty::Error(_) => None,
            _ => {
                let result = self.fresh();
                let params = args.into_iter().map(Param::of).collect();
                let wanted: TyRef = Ty::Fun(params, result.clone()).into();
                let because = UnifyReason::new(func, Why::Called).unsure();
                let unified = self.unify(&head, &wanted, &because);
                let fits = unified.is_ok();
                if aloud {
                    self.settle_clash(unified, &because);
                }
                self.solve();
                fits.then_some(result)
            }
        };
        self.release(floor);
        let next = next?;
        let next = self.without_failures(&next);
        Some(self.instantiate(&next))
    }

    /// Infers an operand. A literal `null` has the type `null` here; elsewhere its uses decide its type.
    pub(in crate::infer) fn strict(&mut self, id: NodeId) -> TyRef {
        let rules = self.rules();
        if matches!(self.term.node(id), Node::Null) && rules.null_is_any() && rules.extends() && !rules.converts() {
            let ty = self.caches.constants.null.clone();
            self.keep_type(id, &ty);
            return ty;
        }
        self.expr(id)
    }
}
