//! Types against evaluation, on generated programs of cfg. A program that evaluates has no type error; a program without any
//! type problem does not fail for its types, except where `docs/types.md` says so; and a value has the type of its program.
//!
//! `TYPES_PROGRAMS` is the number of programs of each generator, `TYPES_SEED` the first seed.

use cfg_core::Action;
use cfg_tests::generate::{Topic, configuration, program};
use cfg_tests::ours::{Ours, code, eval, run, type_error};
use cfg_tests::types;
use std::collections::BTreeMap;

/// The failures of evaluation that types are there to prevent.
const PREVENTED: [&str; 6] = [
    "value/type",
    "value/missing-field",
    "value/missing-definition",
    "value/no-match",
    "value/not-a-function",
    "value/contract",
];

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn seeds(usual: u64) -> std::ops::Range<u64> {
    let first = setting("TYPES_SEED", 1);
    first..first + setting("TYPES_PROGRAMS", usual)
}

/// Returns the codes of all type problems, warnings too.
fn problems(text: &str) -> Vec<String> {
    let outcome =
        run(text, Action::Check(cfg_core::CheckOptions { strict: true, ..cfg_core::CheckOptions::default() }));
    outcome.reports.iter().map(|(_, report)| code(&report.text()).to_string()).collect()
}

/// Returns the rule of `docs/types.md` by which a program without type problems fails.
fn known_limit(text: &str, report: &str) -> Option<&'static str> {
    // a value of type `Dyn`, and one under a contract that is not a type, can be anything
    let unknown = ["Dyn", "std.array.NonEmpty", "std.enum.Tag", "std.contract.", "std.number.", "std.string."];
    let has_unknown = |before: &str| unknown.iter().any(|name| text.contains(&format!("{before}{name}")));
    // the generators name contracts `C0`, `C1` and so on
    let named = (0..10).any(|n| has_unknown(&format!("let C{n} = ")) || has_unknown(&format!("let C{n} = (")));
    match code(report) {
        "value/missing-definition" => Some("declared fields"),
        "value/no-match" if text.contains(" if ") && text.contains("match {") => Some("guards"),
        "value/no-match" if text.contains("over = {") && report.contains("{ t = '") => Some("overridden tags"),
        "value/no-match" if report.contains("no pattern fits [") => Some("lengths of arrays"),
        _ if named || has_unknown("| ") || has_unknown("| (") => Some("unknown values"),
        // a computed name
        _ if text.contains(".\"%{") => Some("unknown values"),
        "value/type" if overridden_under_a_contract(text) => Some("overrides under contracts"),
        "value/contract" if text.contains("std.contract.") => Some("unknown values"),
        "value/contract" if report.contains("missing field") => Some("declared fields"),
        "value/missing-field" if text.contains("match {") || text.contains("if ") => Some("fields of branches"),
        _ => None,
    }
}

/// Whether the second record of a configuration has a contract, under which an override may change the type of a field.
fn overridden_under_a_contract(text: &str) -> bool {
    let over = text.lines().find_map(|line| line.strip_prefix("let over = ")).unwrap_or_default();
    ["{", "[|", "Number", "String", "Bool", "Array"].iter().any(|ty| over.contains(&format!(" | {ty}")))
}

/// Compares the types of programs with their evaluation. At least `floor` percent of the programs must evaluate.
fn compare(programs: impl Iterator<Item = String>, floor: usize) {
    let (mut tried, mut valued, mut clean) = (0, 0, 0);
    let mut limits: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong: Vec<String> = Vec::new();
    for text in programs {
        tried += 1;
        match eval(&text) {
            Ours::Broken(what) => wrong.push(format!("broken: {what}\n{text}")),
            Ours::Value(value) => {
                valued += 1;
                if let Some(error) = type_error(&text) {
                    wrong.push(format!("a false error:\n{text}\n{error}"));
                    continue;
                }
                if !problems(&text).is_empty() {
                    continue;
                }
                clean += 1;
                if text.contains("not_exported") {
                    continue;
                }
                let printed = run(&text, Action::Type { at: None, pretty: false }).output.text();
                let has = types::read(printed.trim()).is_some_and(|ty| ty.has(&value));
                if !has && text.contains("else 'C)") && text.contains("over = {") {
                    *limits.entry("overridden tags").or_default() += 1;
                } else if !has && text.contains("std.contract.custom") {
                    *limits.entry("unknown values").or_default() += 1;
                } else if !has && text.contains(": { _ : ") {
                    *limits.entry("dictionaries").or_default() += 1;
                } else if !has {
                    wrong.push(format!("the value is not of the type:\n{text}\n{value}\n{printed}"));
                }
            }
            Ours::Failure(report) if PREVENTED.contains(&code(&report)) && problems(&text).is_empty() => {
                match known_limit(&text, &report) {
                    Some(rule) => *limits.entry(rule).or_default() += 1,
                    None => wrong.push(format!("it checks clean and fails:\n{text}\n{report}")),
                }
            }
            Ours::Failure(_) => {}
        }
    }
    println!("{tried} programs, {valued} evaluate, {clean} of them without a type problem; known limits: {limits:?}");
    for text in wrong.iter().take(setting("TYPES_SHOWN", 5) as usize) {
        println!("{text}\n");
    }
    assert!(wrong.is_empty(), "{} of {tried} programs are wrong", wrong.len());
    assert!(tried > 0 && valued * 100 >= floor * tried, "{valued} of {tried} evaluate, {floor} of 100 must");
}

#[test]
fn expressions_of_every_topic() {
    for topic in Topic::ALL {
        compare(seeds(150).map(|seed| program(topic, seed.wrapping_add(70_000_000))), 40);
    }
}

#[test]
fn configurations_with_overrides() {
    compare(seeds(600).map(configuration), 30);
}

#[test]
fn a_value_of_several_types_is_a_warning_where_it_is_read() {
    assert_eq!(problems("let k = if true then 10 else { name = \"x\" } in k.name"), ["types/mixed"]);
    assert_eq!(problems("let k = if true then 10 else { name = \"x\" } in [k]"), ["types/mixed"]);
    assert_eq!(problems("let k = if true then { name = \"x\" } else 'None in k.name"), ["types/mixed"]);
    assert_eq!(problems("let k = if true then \"x\" else fun x => x in k 1"), ["types/mixed"]);
    assert_eq!(problems("let k = if true then 10 else { name = \"x\" } in 1"), [""; 0]);
}
