//! Property tests of the laws of merging, on generated records.

use super::{machine, parse};
use crate::value::{Budget, Value};
use proptest::prelude::*;

/// Generates a definition of a field. Its body may refer to other fields. Its metadata may be a priority (`default`, `priority`,
/// `force`, `default rec`), a contract, or a guard (`when`).
fn definition() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec!["a", "b", "c", "d.x", "d.y"]);
    let meta = prop::sample::select(vec![
        "",
        "",
        "",
        " | default",
        " | priority 1",
        " | priority -1",
        " | force",
        " | Number",
        " | default rec",
        " | when (e == 1)",
        " | when (e == 2)",
    ]);
    let body = prop::sample::select(vec!["1", "2", "1", "a", "b + 1", "e", "if c == 1 then 1 else 2", "d.x"]);
    (name, meta, body).prop_map(|(name, meta, body)| format!("{name}{meta} = {body}"))
}

fn record() -> impl Strategy<Value = String> {
    prop::collection::vec(definition(), 0..5).prop_map(|definitions| {
        // Scoping is lexical, so each record declares the names that bodies refer to.
        let declared = "a | optional, b | optional, c | optional, d.x | optional, d.y | optional, e | default = 1";
        format!("{{ {declared}, {} }}", definitions.join(", "))
    })
}

/// Evaluates a program and returns its value as text. Every error is written as `<error>`, so that any two errors are equal.
fn outcome(program: &str) -> String {
    let mut machine = machine();
    machine.limits.depth = 5000;
    let thunk = machine.thunk(&parse(program));
    let shown = crate::dialect::notation::value::one_line(
        &crate::dialect::cfg::notation::SPELLING,
        &machine.datum(&thunk, Budget::ALL),
    )
    .text();
    let mut out = String::new();
    let mut rest = shown.as_str();
    while let Some(at) = rest.find("<error") {
        out.push_str(&rest[..at]);
        out.push_str("<error>");
        rest = rest[at..].find('>').map_or("", |end| &rest[at + end + 1..]);
    }
    out.push_str(rest);
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn merging_commutes(a in record(), b in record()) {
        prop_assert_eq!(outcome(&format!("{a} & {b}")), outcome(&format!("{b} & {a}")));
    }

    #[test]
    fn merging_associates(a in record(), b in record(), c in record()) {
        prop_assert_eq!(outcome(&format!("({a} & {b}) & {c}")), outcome(&format!("{a} & ({b} & {c})")));
    }

    #[test]
    fn merging_with_itself_changes_nothing(a in record()) {
        prop_assert_eq!(outcome(&format!("let r = {a} in r & r")), outcome(&a));
    }

    #[test]
    fn forcing_an_intermediate_merge_changes_nothing(a in record(), b in record(), c in record()) {
        let mut machine = machine();
        machine.limits.depth = 5000;
        let program = format!("let x = {a} & {b} in {{ x = x, y = x & {c} }}");
        let thunk = machine.thunk(&parse(&program));
        if let Ok(Value::Record(record)) = machine.force(&thunk)
            && let Ok(Some(x)) = machine.field(&record, "x")
        {
            machine.datum(&x, Budget::ALL);
        }
        let forced = machine.at(&thunk, &[crate::value::Step::Field("y".into())]);
        let shown = forced.map(|y| format!("{:?}", machine.datum(&y, Budget::ALL)));
        let mut fresh = super::machine();
        fresh.limits.depth = 5000;
        let thunk = fresh.thunk(&parse(&program));
        let plain = fresh.at(&thunk, &[crate::value::Step::Field("y".into())]);
        let plain = plain.map(|y| format!("{:?}", fresh.datum(&y, Budget::ALL)));
        prop_assert_eq!(shown, plain);
    }

    #[test]
    fn merge_functions_that_commute_and_associate_make_merging_so(
        parts in prop::collection::vec((1..9i32, prop::sample::select(vec!["", " | default", " | force", " | priority 2"])), 2..6),
        at in any::<prop::sample::Index>(),
        split in any::<prop::sample::Index>(),
    ) {
        let annotated = at.index(parts.len());
        let record = |(i, (n, meta)): (usize, &(i32, &str))| {
            let merge = if i == annotated { " | merge add" } else { "" };
            format!("{{ a{merge}{meta} = {n} }}")
        };
        let records: Vec<String> = parts.iter().enumerate().map(record).collect();
        let split = split.index(records.len() - 1) + 1;
        let (left, right) = records.split_at(split);
        let add = "let add = fun args => args.lower + args.higher in";
        let total: i32 = parts.iter().map(|(n, _)| n).sum();
        let grouped = format!("{add} (({}) & ({})).a", right.join(" & "), left.join(" & "));
        prop_assert_eq!(outcome(&grouped), total.to_string());
    }
}
