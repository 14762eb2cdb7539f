//! Arguments of library functions of kinds that the functions do not take, for messages.

use super::kind;
use crate::problem::value::ValueOrigin;
use crate::term::{Apply, Node};
use crate::text::Name;
use crate::value::env::Unit;
use crate::value::native::Signatures;
use crate::value::{Fault, Native, Thunk};

/// Adds the arguments of kinds that the function does not take to the fault of a call. If two of them are exchanged, says so.
#[cold]
pub(in crate::value::eval) fn described(
    fault: Fault,
    native: &Native,
    signatures: &Signatures,
    args: &[Thunk],
) -> Fault {
    let params = native.params.unwrap_or(&[]);
    let parameter = |place: usize| Name::new_static(params.get(place).map_or("", |param| param.name));
    let found: Vec<Option<&str>> = args.iter().map(kind_of).collect();
    let fits = |place: usize, found: Option<&str>| {
        let kinds = (signatures.kinds)(native.name, place);
        kinds.is_empty() || found.is_none_or(|found| kinds.contains(&found))
    };
    let wrong: Vec<usize> =
        (0..found.len()).filter(|place| !fits(*place, found.get(*place).copied().flatten())).collect();
    if wrong.is_empty() {
        return fault;
    }
    let help = exchanged(&found, &wrong, &fits).map(|[one, other]| {
        let (one, other) = (parameter(one), parameter(other));
        Name::from(format!("the arguments `{one}` and `{other}` seem to be exchanged"))
    });
    fault.change(|problem| {
        for place in wrong {
            let found = Name::new_static(found.get(place).copied().flatten().unwrap_or("value"));
            let expected = (signatures.kinds)(native.name, place).iter().copied().map(Name::new_static).collect();
            let parameter = parameter(place);
            problem.origins.push(ValueOrigin::Argument { place, span: None, found, parameter, expected });
        }
        problem.origins.push(ValueOrigin::Function { usage: Name::from(native.usage()), span: None, help });
    })
}

/// Returns the two places whose values fit if they are exchanged, if all others fit.
fn exchanged<'k>(
    found: &[Option<&'k str>],
    wrong: &[usize],
    fits: &dyn Fn(usize, Option<&'k str>) -> bool,
) -> Option<[usize; 2]> {
    let first = *wrong.first()?;
    let at = |place: usize| found.get(place).copied().flatten();
    (0..found.len())
        .filter(|other| *other != first && wrong.iter().all(|place| *place == first || place == other))
        .find(|other| at(*other).is_some() && fits(first, at(*other)) && fits(*other, at(first)))
        .map(|other| [first.min(other), first.max(other)])
}

/// Returns the kind of an argument, if it is evaluated or a literal.
fn kind_of(thunk: &Thunk) -> Option<&'static str> {
    if let Some(kind) = thunk.with_value(kind) {
        return Some(kind);
    }
    let (unit, node) = thunk.origin()?;
    Some(match unit.node(node) {
        Node::Array(_) => "array",
        Node::Record(_) => "object",
        Node::Lambda(_) => "function",
        _ => return None,
    })
}

/// Adds the places of the arguments in the call.
#[cold]
pub(in crate::value::eval) fn placed(fault: Fault, native: &Native, unit: &Unit, apply: &Apply) -> Fault {
    if !fault.is_described() {
        return fault;
    }
    let params = native.params.unwrap_or(&[]);
    fault.change(|problem| {
        for origin in &mut problem.origins {
            let ValueOrigin::Argument { place, span: span @ None, .. } = origin else { continue };
            let name = params.get(*place).map(|param| param.name);
            let by_name = apply.args.iter().find(|(given, _)| given.is_some() && given.as_deref() == name);
            let by_place = apply.args.get(*place).filter(|(given, _)| given.is_none());
            *span = by_place.or(by_name).map(|(_, arg)| unit.span(*arg));
        }
    })
}
