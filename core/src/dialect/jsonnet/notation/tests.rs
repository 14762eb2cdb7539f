//! Types and values, and their notation.

use super::{SPELLING, name};
use crate::dialect::notation::{ty, value};
use crate::meta::Priority;
use crate::term::Number;
use crate::text::Name;
use crate::ty::{Constraint, Field, Generic, Need, Param, Presence, Row, Scheme, Tail, Ty, TyRef, VariableKind};
use crate::value::datum::{Datum, Entry};

fn var(index: u32) -> Generic {
    Generic { up: 0, index }
}

fn record(fields: &[(&str, Presence, Need, TyRef)], tail: Tail) -> TyRef {
    let mut row = Row::new(tail);
    for (name, presence, need, ty) in fields {
        let field = Field {
            presence: *presence,
            need: *need,
            ty: ty.clone(),
            at: None,
            hidden: false,
            stack: None,
            inheritance: None,
        };
        row.insert(Name::new(name), field);
    }
    Ty::Record(row).into()
}

fn line(vars: &[VariableKind], ty: TyRef) -> String {
    let scheme = Scheme { vars: vars.into(), constraints: Vec::new(), ty, shown: None };
    ty::styled(&SPELLING, &scheme, None).text()
}

#[test]
fn types() {
    let number: TyRef = Ty::Number.into();
    let string: TyRef = Ty::String.into();
    let a: TyRef = Ty::Var(var(0)).into();
    let union: TyRef = Ty::Union(vec![number.clone(), string.clone()]).into();
    let optional = |ty: &TyRef| Param { optional: true, ..Param::of(ty.clone()) };
    let fun = |params: Vec<Param>, result: &TyRef| -> TyRef { Ty::Fun(params, result.clone()).into() };
    let unary = fun(vec![Param::of(a.clone())], &number);
    let (yes, none) = (Presence::Yes, Need::None);
    for (vars, ty, shown) in [
        (vec![], record(&[], Tail::Closed), "{}"),
        (vec![], Ty::Array(union.clone()).into(), "[number | string]"),
        (vec![], Ty::Error(union.clone()).into(), "Error (number | string)"),
        (
            vec![],
            record(&[("x", yes, none, number.clone()), ("a b", yes, none, string.clone())], Tail::Closed),
            "{\"a b\" ∈ string, x ∈ number}",
        ),
        (vec![], record(&[], Tail::Dict(number.clone())), "{[string] ∈ number}"),
        (vec![VariableKind::Type], unary.clone(), "(a) -> number"),
        (
            vec![VariableKind::Type],
            fun(vec![Param::of(unary.clone()), optional(&union), optional(&unary)], &unary),
            "((a) -> number, (number | string)?, ((a) -> number)?) -> (a) -> number",
        ),
        (vec![], fun(vec![], &union), "() -> (number | string)"),
        (
            vec![VariableKind::Type, VariableKind::Row],
            fun(
                vec![Param::of(record(&[("m", Presence::Maybe, none, a.clone())], Tail::Var(var(1))))],
                &record(&[("m", yes, none, a.clone())], Tail::Var(var(1))),
            ),
            "({m? ∈ a, r1...}) -> {m ∈ a, r1...}",
        ),
        (vec![VariableKind::Row], fun(vec![Param::of(record(&[], Tail::Var(var(0))))], &number), "({...}) -> number"),
        (
            vec![VariableKind::Type],
            record(
                &[("x", Presence::No, Need::Own, a.clone()), ("y", Presence::No, Need::Super, a.clone())],
                Tail::Closed,
            ),
            "{x! ∈ a, y< ∈ a}",
        ),
    ] {
        assert_eq!(line(&vars, ty), shown);
    }
    let constraints = vec![Constraint::Plus {
        left: a.clone(),
        right: number,
        result: Ty::Var(var(1)).into(),
        span: crate::text::Span { source: crate::text::SourceId(0), start: 0, end: 0 },
    }];
    let scheme = Scheme {
        vars: vec![VariableKind::Type, VariableKind::Type],
        constraints,
        ty: fun(vec![Param::of(a)], &Ty::Var(var(1)).into()),
        shown: None,
    };
    assert_eq!(ty::styled(&SPELLING, &scheme, None).text(), "(a) -> b where b = a + number");
    // the constraints on the variables of a part are printed after the whole type, or after the part if a function
    // takes it
    let method: TyRef = Ty::Forall(scheme.into()).into();
    let none = Need::None;
    let both =
        record(&[("f", Presence::Yes, none, method.clone()), ("g", Presence::Yes, none, method.clone())], Tail::Closed);
    let shown = "{f ∈ (a) -> b, g ∈ (c) -> d} where b = a + number, d = c + number";
    assert_eq!(line(&[], both), shown);
    let takes = fun(vec![Param::of(method)], &Ty::Number.into());
    assert_eq!(line(&[], takes), "(((a) -> b where b = a + number)) -> number");
}

#[test]
fn names_that_are_no_identifiers_are_quoted() {
    for (name, shown) in
        [("a", "a"), ("_1", "_1"), ("a-b", "\"a-b\""), ("self", "\"self\""), ("", "\"\""), ("é", "\"é\"")]
    {
        assert_eq!(name::field(name), shown);
    }
    assert_eq!(name::string("a\"\\\n\u{1b}"), r#""a\"\\\n\u001b""#);
}

#[test]
fn numbers_are_short_and_read_back() {
    for (value, shown) in [
        (1.0, "1"),
        (-0.0, "-0"),
        (0.1 + 0.2, "0.30000000000000004"),
        (0.1, "0.1"),
        (1e100, "1e100"),
        (-1.5e-9, "-1.5e-9"),
        (12345678901234567.0, "12345678901234568"),
    ] {
        assert_eq!((SPELLING.numeral)(&Number::Double(value)), shown);
        assert_eq!(shown.parse::<f64>().unwrap(), value);
    }
}

#[test]
fn functions_are_expressions() {
    for (written, shown) in [
        ("function(x) x", Some("function(x) x")),
        ("(x, y=(1)) = x + y", Some("function(x, y=(1)) x + y")),
        ("():: { a: 1 }", Some("function() { a: 1 }")),
        ("(x) =\n  local y = 'a  b';\n  x + y", Some("function(x) local y = 'a  b'; x + y")),
        ("(x) = x // and so on\n  + 1", Some("function(x) x // and so on\n  + 1")),
        ("(x) = |||\n  t\n|||", Some("function(x) |||\n  t\n|||")),
    ] {
        assert_eq!((SPELLING.function)(written).as_deref(), shown);
    }
}

#[test]
fn values() {
    let entry = |name: &str, value, not_exported| Entry {
        name: Name::new(name),
        value: Some(value),
        priority: Priority::Default,
        not_exported,
        optional: false,
        contracts: vec![],
        doc: None,
    };
    let datum = Datum::Record(vec![
        entry("a", Datum::Number(Number::Double(1.5)), false),
        entry("b c", Datum::Array(vec![Datum::Null, Datum::String(Name::new("x\ny"))]), true),
        entry("d", Datum::Record(vec![]), false),
    ]);
    assert_eq!(value::one_line(&SPELLING, &datum).text(), "{ a: 1.5, \"b c\":: [null, \"x\\ny\"], d: {} }");
}
