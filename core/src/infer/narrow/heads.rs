//! The heads of values, and the tests that programs have for them.

use crate::text::Span;
use crate::ty::{DynReason, Param, Row, Tail, Ty, TyRef};

/// The head of a type, as far as a program can test it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::infer) enum Head {
    Null,
    Bool,
    Number,
    String,
    Enum,
    Array,
    Record,
    Function,
    /// Contracts, labels and other values.
    Other,
}

impl Head {
    /// The evaluator's name of the kind.
    pub(in crate::infer) fn kind(self) -> &'static str {
        match self {
            Head::Null => "Null",
            Head::Bool => "Bool",
            Head::Number => "Number",
            Head::String => "String",
            Head::Enum => "Enum",
            Head::Array => "Array",
            Head::Record => "Record",
            Head::Function => "Function",
            Head::Other => "Other",
        }
    }
}

/// The head that a predicate of the library tests for.
pub(super) fn head_of_predicate(name: &str) -> Option<Head> {
    Some(match name {
        "is_number" => Head::Number,
        "is_string" => Head::String,
        "is_bool" => Head::Bool,
        "is_enum" => Head::Enum,
        "is_array" => Head::Array,
        "is_record" => Head::Record,
        "is_function" => Head::Function,
        // of object languages
        "isNumber" => Head::Number,
        "isString" => Head::String,
        "isBoolean" => Head::Bool,
        "isArray" => Head::Array,
        "isObject" => Head::Record,
        "isFunction" => Head::Function,
        _ => return None,
    })
}

/// The head for a result of `std.type` of object languages.
pub(super) fn head_of_type(name: &str) -> Option<Head> {
    Some(match name {
        "null" => Head::Null,
        "boolean" => Head::Bool,
        "number" => Head::Number,
        "string" => Head::String,
        "array" => Head::Array,
        "object" => Head::Record,
        "function" => Head::Function,
        _ => return None,
    })
}

/// The head for a result of `std.typeof`.
pub(super) fn head_of_tag(tag: &str) -> Option<Head> {
    Some(match tag {
        "Number" => Head::Number,
        "String" => Head::String,
        "Bool" => Head::Bool,
        "Enum" => Head::Enum,
        "Array" => Head::Array,
        "Record" => Head::Record,
        "Function" => Head::Function,
        "Label" | "ForeignId" | "Type" | "CustomContract" | "Other" => Head::Other,
        _ => return None,
    })
}

/// Whether a value of a type has a head; `None` if that is not known.
pub(in crate::infer) fn is_of(ty: &Ty, head: Head) -> Option<bool> {
    let own = match ty {
        Ty::Null => Head::Null,
        Ty::Bool => Head::Bool,
        Ty::Number | Ty::Int | Ty::Float => Head::Number,
        Ty::String => Head::String,
        Ty::Enum(..) => Head::Enum,
        Ty::Array(_) => Head::Array,
        Ty::Record(_) | Ty::Map(..) => Head::Record,
        Ty::Fun(..) => Head::Function,
        Ty::Forall(scheme) => return is_of(&scheme.ty, head),
        _ => return None,
    };
    Some(own == head)
}

/// Returns the type of a value of which only the head is known.
pub(in crate::infer) fn shape(head: Head, span: Span) -> TyRef {
    let reason = DynReason::Tested(span);
    let any: TyRef = Ty::Dyn(reason).into();
    match head {
        Head::Null => Ty::Null.into(),
        Head::Bool => Ty::Bool.into(),
        Head::Number => Ty::Number.into(),
        Head::String => Ty::String.into(),
        Head::Array => Ty::Array(any).into(),
        Head::Record => Ty::Record(Row::new(Tail::Dyn(reason))).into(),
        Head::Function => Ty::Fun(vec![Param::of(any.clone())], any).into(),
        Head::Enum | Head::Other => any,
    }
}
