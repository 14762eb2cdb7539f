//! The arguments that a call of a library function needs: which ones it evaluates regardless of the others, and which types
//! it rejects. The reference implementation checks some arguments late and accepts others that its documentation does not
//! allow: `std.stripChars([], 'a')` is an empty array.
//!
//! The tables were measured by calling every function with arguments of every type in every position, with all kinds of
//! other arguments.

use super::table::{Body, Item};
use crate::ty::{Demand, Forced, RefusedHeads, Ty, TyRef};
use std::sync::Arc;

/// The arguments that a function accepts, one character for each: `s` for any value that has a length, `~` for any value, `!` for
/// values of the declared type. Arguments without a character must have the declared type. Sorted by the name of the function.
const LAX: &[(&str, &str)] = &[
    ("__array_greater", "ss"),
    ("__array_greater_or_equal", "ss"),
    ("__array_less", "ss"),
    ("__array_less_or_equal", "ss"),
    ("__compare_array", "ss"),
    ("base64Decode", "s"),
    ("base64DecodeBytes", "s"),
    ("endsWith", "ss"),
    ("flatMap", "!s"),
    ("flattenArrays", "s"),
    ("foldl", "~s"),
    ("foldr", "~s"),
    ("format", "s"),
    ("lstripChars", "s~"),
    ("manifestJsonEx", "!~~~"),
    ("manifestTomlEx", "!~"),
    ("manifestYamlDoc", "!~~"),
    ("manifestYamlStream", "!~!~"),
    ("map", "!s"),
    ("mapWithIndex", "!s"),
    ("maxArray", "s~"),
    ("minArray", "s~"),
    ("removeAt", "s~"),
    ("resolvePath", "!~"),
    ("reverse", "s"),
    ("rstripChars", "s~"),
    ("set", "s~"),
    ("setDiff", "s~~"),
    ("setInter", "s~~"),
    ("setMember", "!s~"),
    ("setUnion", "ss~"),
    ("sort", "s~"),
    ("startsWith", "ss"),
    ("stringChars", "s"),
    ("stripChars", "s~"),
    ("sum", "s"),
    ("trim", "s"),
    ("uniq", "s~"),
];

/// Arguments that may not be evaluated, depending on the others, although a wrong type is rejected.
const LAZY: &[(&str, usize)] = &[
    ("clamp", 2),
    ("contains", 1),
    ("count", 1),
    ("find", 0),
    ("foldl", 2),
    ("foldr", 2),
    ("get", 2),
    ("maxArray", 2),
    ("member", 1),
    ("mergePatch", 0),
    ("minArray", 2),
    ("remove", 1),
    ("setMember", 0),
];

/// Arguments that are evaluated completely.
const WHOLE: &[(&str, usize)] = &[
    ("assertEqual", 0),
    ("assertEqual", 1),
    ("deepJoin", 0),
    ("escapeStringBash", 0),
    ("escapeStringDollars", 0),
    ("escapeStringJson", 0),
    ("escapeStringPython", 0),
    ("escapeStringXML", 0),
    ("flattenDeepArray", 0),
    ("join", 1),
    ("lines", 0),
    ("manifestJson", 0),
    ("manifestJsonEx", 0),
    ("manifestJsonMinified", 0),
    ("manifestPython", 0),
    ("manifestPythonVars", 0),
    ("manifestToml", 0),
    ("manifestTomlEx", 0),
    ("manifestXmlJsonml", 0),
    ("manifestYamlDoc", 0),
    ("manifestYamlStream", 0),
    ("prune", 0),
    ("sum", 0),
    ("toString", 0),
];

/// Returns how certainly a call needs the argument at a position.
pub(super) fn of(item: &Item, place: usize, ty: &TyRef) -> Demand {
    let here = (item.name, place);
    if LAZY.contains(&here) || matches!(item.body, Body::Value(_)) {
        return Demand::Lazy;
    }
    let known = matches!(&**ty, Ty::Number | Ty::String | Ty::Bool | Ty::Array(_) | Ty::Record(_));
    let lax = LAX.binary_search_by_key(&item.name, |(name, _)| name).ok().and_then(|at| LAX.get(at));
    let refused = match lax.and_then(|(_, all)| all.as_bytes().get(place)) {
        Some(b'~') => return Demand::Lazy,
        _ if !known => RefusedHeads::Nothing,
        Some(b's') => RefusedHeads::Length,
        _ => RefusedHeads::Head,
    };
    Demand::Forced(Arc::new(Forced { refused, whole: WHOLE.contains(&here), ..Forced::default() }))
}
