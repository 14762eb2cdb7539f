//! The messages of types that conflict.

use super::types::{called, ordinal, reason};
use super::{Label, Report, TypeWriter};
use crate::problem::types::{Conflict, Why};
use crate::term::Prim;
use crate::text::{Name, Span};
use crate::ty::{Scheme, Ty};

/// Maximum width of the type of a function that is expected where there is none, in characters.
const SIGNATURE: usize = 40;

/// The advice about a text in the place of a tag.
pub(crate) const TAG: &str = "an enum tag is a name with a single quote before it: `'A`";

/// Writes the message of two types that do not unify.
pub(super) fn write(c: &Conflict, span: Span, types: &TypeWriter<'_>, report: &mut Report) {
    let [found, mut expected] = types.short_both([&c.found, &c.expected]);
    let is_function = |scheme: &Scheme| matches!(&*scheme.ty, Ty::Fun(..));
    // beside a value of another kind, its parameters say nothing
    let in_words = |scheme: &Scheme, text: &str| match is_function(scheme) {
        true if is_function(&c.found) != is_function(&c.expected) => String::from("a function"),
        _ => text.to_owned(),
    };
    let (what_is, what_must_be) = (in_words(&c.found, &found), in_words(&c.expected, &expected));
    if is_function(&c.expected) && !is_function(&c.found) && expected.chars().count() > SIGNATURE {
        expected = what_must_be.clone();
    }
    let kind_names = types.notation.kind_names;
    let is_record = |scheme: &Scheme| matches!(&*scheme.ty, Ty::Record(_));
    // a value without any fields was indexed, as opposed to a field name of the wrong type
    let indexed = c.why == Why::Computed && is_record(&c.expected) && !is_record(&c.found);
    let path = path_text(&c.path);
    let is_element = c.path.last().is_some_and(|step| step.starts_with('['));
    report.message = match (&c.why, path.is_empty()) {
        (Why::Access(name), true) if is_function(&c.found) => format!("a function has no field `{name}`"),
        (Why::Access(name), true) if !is_record(&c.found) => format!("{found} has no field `{name}`"),
        (Why::Computed, true) if indexed => format!("{found} has no fields"),
        (Why::Merge, true) => format!("{what_must_be} and {what_is} cannot be merged"),
        (Why::Merge, false) => format!("`{path}` cannot be both {what_must_be} and {what_is}"),
        (Why::Contract, false) if is_element && c.path.len() == 1 => {
            format!("element `{path}` is {what_is}, its contract wants {what_must_be}")
        }
        (Why::Contract, false) => format!("`{path}` is {what_is}, its contract wants {what_must_be}"),
        (_, true) => format!("expected {what_must_be}, found {what_is}"),
        (_, false) if is_element => format!("element `{path}`: expected {what_must_be}, found {what_is}"),
        (_, false) => format!("field `{path}`: expected {what_must_be}, found {what_is}"),
    };
    let mut label = |span: Span, text: String| report.labels.push(Label { span, text });
    label(
        span,
        match (&c.whole, path.as_str()) {
            (_, "") if c.why == Why::Given => format!("calls under this contract pass {found}"),
            (_, path) if c.why == Why::Given => format!("calls under this contract pass `{path} : {found}`"),
            _ if is_element => format!("this is {found}"),
            (None, _) => format!("this is {found}"),
            (Some(_), "") => format!("a part of this is {found}"),
            (Some(_), path) => format!("`{path}` of this is {found}"),
        },
    );
    for (at, other) in &c.also {
        label(*at, format!("and this is {}", types.short(other)));
    }
    let whole = c.whole.as_ref().map_or_else(|| expected.clone(), |whole| types.short(whole));
    if let (Some(wanted), Why::Argument(n, function), false) = (c.wanted, &c.why, path.is_empty() || is_element) {
        let place = if *n == 1 { String::new() } else { format!(" in its {} argument", ordinal(*n)) };
        label(wanted, format!("{} needs `{path} : {expected}`{place}", called(function)));
    } else if let (Some(wanted), Why::Argument(n, function), None, true) = (c.wanted, &c.why, &c.whole, is_element) {
        let function = called(function);
        label(wanted, format!("{function} takes an array of {expected} as its {} argument", ordinal(*n)));
    } else if let Some(wanted) = c.wanted {
        label(wanted, reason(&c.why, Some(&whole), kind_names));
    } else if indexed {
        report.notes.push(kind_names.indexed.to_string());
    } else if c.why == Why::Called && is_function(&c.found) {
        report.notes.push(String::from("the function is called with other arguments than it takes"));
    } else if !matches!(c.why, Why::Merge | Why::Given) {
        report.notes.push(reason(&c.why, Some(&whole), kind_names));
    }
    let is_uncalled = is_function(&c.found) && !is_function(&c.expected);
    let operator_hint = match &c.why {
        // `f -1` is meant as an argument
        Why::Operand(prim) if !is_uncalled || *prim == Prim::Sub => (kind_names.operator_hint)(prim.symbol(), &found),
        _ => None,
    };
    if is_uncalled && operator_hint.is_none() {
        report.suggestions.push(String::from(super::value::ARGUMENTS_MISSING));
    }
    if matches!((&*c.found.ty, &*c.expected.ty), (Ty::String, Ty::Enum(..))) {
        report.suggestions.push(String::from(TAG));
    }
    if let (Why::Access(name), true) = (&c.why, !is_record(&c.found)) {
        report.suggestions.extend((kind_names.parts_hint)(&found, name).map(String::from));
    }
    if c.why == Why::Condition && matches!(&*c.found.ty, Ty::String) {
        report.suggestions.push(String::from("compare it: `x == …`; `true` and `false` have no quotes"));
    }
    if c.why == Why::Condition && matches!(&*c.found.ty, Ty::Number) {
        report.suggestions.push(String::from("a number is compared with another one: `n != 0`"));
    }
    // without a place of its own, the contract is what the report points at, and not a value that could be changed
    if report.suggestions.is_empty() && (c.why != Why::Contract || c.wanted.is_some()) {
        report.suggestions.extend((kind_names.reason_hint)(&c.why, &found, &expected).map(|hint| hint.to_string()));
    }
    report.suggestions.extend(operator_hint.map(String::from));
    if c.why == Why::Merge && path.is_empty() {
        let is_array = |scheme: &Scheme| matches!(&*scheme.ty, Ty::Array(_));
        if is_array(&c.found) != is_array(&c.expected) && (is_record(&c.found) || is_record(&c.expected)) {
            report
                .suggestions
                .push(String::from("`&` merges two records: `base & { field = … }`; two arrays are joined with `@`"));
        }
    }
    let mut label = |span: Span, text: String| report.labels.push(Label { span, text });
    for (at, why) in &c.found_by {
        match why {
            Why::Defined(name) => label(*at, format!("`{name}` is defined here")),
            Why::Branch if matches!(&*c.found.ty, Ty::Union(_)) => {
                label(*at, String::from("this value and another one have different types"));
            }
            _ => label(*at, format!("{found} because of this: {}", reason(why, None, kind_names))),
        }
    }
    for (at, why) in &c.expected_by {
        match why {
            Why::Merge => label(*at, format!("and this is {expected}")),
            _ => label(*at, reason(why, Some(&expected), kind_names)),
        }
    }
}

/// Writes a path of fields and indices: `a[1].b`.
fn path_text(path: &[Name]) -> String {
    let mut out = String::new();
    for step in path {
        if !out.is_empty() && !step.starts_with('[') {
            out.push('.');
        }
        out.push_str(step);
    }
    out
}
