//! Arguments that fit their parameters only in another order: two of them exchanged, or three of them moved on, as far as literals, variables and calls of the library show.

use super::Infer;
use super::narrow::{Head, is_of, shape};
use crate::problem::types::{CallFault, TypesKind};
use crate::term::{Apply, Node, NodeId};
use crate::text::{Name, Span};
use crate::ty::{DynReason, Param, Ty, TyRef};

/// Two arguments that fit if they are exchanged, or two of three that fit in another order.
pub(super) struct Exchanged {
    /// Their positions, counted from 0.
    pub places: [usize; 2],
    /// Their kinds.
    heads: [Head; 2],
    /// A third one has another place too.
    rotated: bool,
}

impl Exchanged {
    /// The problem of the call. `names`: the parameters, if they have names. `other`: the place of the second argument.
    pub fn fault(&self, names: Option<[Name; 2]>, other: Span) -> CallFault {
        let places = self.places.map(|place| place as u32 + 1);
        let found = self.heads.map(|head| Name::new_static(head.kind()));
        CallFault::Exchanged { names, places, found, other, rotated: self.rotated }
    }
}

/// Returns the arguments that fit in another order, if others all fit. `heads`: the kinds of the arguments. `takes`: whether a
/// parameter takes a kind. O(arguments³), for calls with an argument that does not fit.
pub(super) fn exchanged(heads: &[Option<Head>], takes: impl Fn(usize, Head) -> bool) -> Option<Exchanged> {
    let at = |place: usize| heads.get(place).copied().flatten();
    let fits = |place: usize, head: Option<Head>| head.is_none_or(|head| takes(place, head));
    let wrong: Vec<usize> = (0..heads.len()).filter(|place| !fits(*place, at(*place))).collect();
    let one = *wrong.first()?;
    let others = (0..heads.len()).filter(|other| *other != one && at(*other).is_some() && at(*other) != at(one));
    let mut others = others.filter(|other| wrong.iter().all(|place| *place == one || place == other));
    let found = |first: usize, other: usize, rotated: bool| {
        let places = [first.min(other), first.max(other)];
        Some(Exchanged { places, heads: [at(places[0])?, at(places[1])?], rotated })
    };
    if let Some(other) = others.find(|other| fits(one, at(*other)) && fits(*other, at(one))) {
        return found(one, other, false);
    }
    let known: Vec<usize> = (0..heads.len()).filter(|place| at(*place).is_some()).collect();
    for (i, a) in known.iter().enumerate() {
        for (j, b) in known.iter().enumerate().skip(i + 1) {
            for c in known.iter().skip(j + 1) {
                let all = [*a, *b, *c];
                let fits_all = |to: [usize; 3]| all.iter().zip(to).all(|(from, to)| fits(to, at(*from)));
                let others_fit = wrong.iter().all(|place| all.contains(place));
                if others_fit && (fits_all([*b, *c, *a]) || fits_all([*c, *a, *b])) {
                    return found(*a, *b, true);
                }
            }
        }
    }
    None
}

impl Infer<'_> {
    /// Reports the arguments of a function that takes them one by one, if they fit only after an exchange. `func`: the type of the
    /// function. Returns the type of the call; `None` for other calls, of which nothing was inferred.
    pub(super) fn exchanged_in_turn(&mut self, apply: &Apply, func: &TyRef, span: Span) -> Option<TyRef> {
        if apply.args.len() < 2 || self.rules().extends() || apply.args.iter().any(|(name, _)| name.is_some()) {
            return None;
        }
        let heads: Vec<Option<Head>> = apply.args.iter().map(|(_, arg)| self.apparent_head(*arg)).collect();
        if heads.iter().flatten().count() < 2 {
            return None;
        }
        let mut params: Vec<Param> = Vec::with_capacity(heads.len());
        let mut at = func.clone();
        while params.len() < heads.len()
            && let Ty::Fun(own, result) = &*self.table.head(&at)
            && let [param] = own.as_slice()
        {
            params.push(Param { ty: self.table.head(&param.ty), ..param.clone() });
            at = result.clone();
        }
        if params.len() < heads.len() {
            return None;
        }
        let takes = |place: usize, head| params.get(place).is_none_or(|param| is_of(&param.ty, head) != Some(false));
        let found = exchanged(&heads, takes)?;
        let name = self.name_of(apply.func)?;
        let [first, other] =
            found.places.map(|place| apply.args.get(place).map_or(span, |(_, arg)| self.term.span(*arg)));
        let refuses = |place: usize| {
            let (Some(param), Some(head)) = (params.get(place), heads.get(place).copied().flatten()) else {
                return false;
            };
            !takes(place, head) && param.demand.is_forced() && param.demand.refuses(&shape(head, span))
        };
        // a function of more parameters evaluates none of them yet
        let certain =
            !matches!(&*self.table.head(&at), Ty::Fun(..)) && found.places.iter().any(|place| refuses(*place));
        for (_, arg) in &apply.args {
            self.lazily(*arg);
        }
        let what = TypesKind::Call {
            fault: found.fault(None, other),
            function: self.mono(func),
            usage: Some(name),
            defined: None,
        };
        self.report(first, what, certain);
        Some(Ty::Dyn(DynReason::Computed(span)).into())
    }

    /// Returns the kind of an argument that is a literal, a variable of a known type, or a call of the library.
    pub(super) fn apparent_head(&mut self, arg: NodeId) -> Option<Head> {
        let term = self.term.clone();
        let known = |head: &Ty| {
            let all = [Head::Bool, Head::Number, Head::String, Head::Array, Head::Record, Head::Function];
            all.into_iter().find(|kind| is_of(head, *kind) == Some(true))
        };
        Some(match term.node(arg) {
            Node::Bool(_) => Head::Bool,
            Node::Number(_) => Head::Number,
            Node::Str(_) | Node::Interp(_) => Head::String,
            Node::Array(_) => Head::Array,
            Node::Record(_) => Head::Record,
            Node::Lambda(_) => Head::Function,
            Node::Local { up, slot } => {
                let variable = self.scopes.plain_variable(self.scopes.at(*up)?, *slot)?;
                let ty = variable.ty.clone();
                known(&self.table.head(&ty))?
            }
            Node::Apply(call) => {
                let path = self.path_in_library(call.func)?;
                let ty = self.library_type(&path)?;
                let ty = self.instantiate(&ty);
                let mut at = self.open_head(&ty);
                for _ in &call.args {
                    let Ty::Fun(_, result) = &*at else { return None };
                    at = self.table.head(result);
                }
                known(&at)?
            }
            _ => return None,
        })
    }

    /// Returns the path of a part of the library, `std.array.map`, in a language that calls functions with one argument at a time.
    fn path_in_library(&mut self, mut id: NodeId) -> Option<Vec<Name>> {
        let mut path = Vec::new();
        while let Node::Project(of, name) = self.term.node(id) {
            path.push(name.clone());
            id = *of;
        }
        let Node::Global(std) = self.term.node(id) else { return None };
        path.push(std.clone());
        path.reverse();
        (std == self.rules().library && !self.rules().extends() && self.host.global(std).is_none()).then_some(path)
    }
}
