//! Tests that the tables are complete, sorted and correct.

use super::super::{Entry, Module, STD, library};
use super::{evaluate, machine};
use crate::dialect::Dialect;
use crate::text::SourceId;
use crate::value::Call;

/// Every name of Nickel's library, as written by `tests/oracles/std/ask.py`.
const NAMES: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/oracles/std/names.txt"));

#[test]
fn every_name_of_nickel_is_there_with_type_documentation_and_body() {
    for path in NAMES.lines() {
        let parts: Vec<&str> = path.split('.').collect();
        match library(&parts) {
            Some(Entry::Module(module)) => assert!(!module.doc.is_empty(), "{path} has no documentation"),
            Some(Entry::Item(item)) => assert!(!item.ty.is_empty() && item.doc.len() > 10, "{path} says too little"),
            None => panic!("{path} is missing"),
        }
        let mut machine = machine();
        let value = evaluate(&mut machine, path);
        assert!(machine.force(&value).is_ok(), "{path}: {:?}", machine.force(&value));
    }
    assert_eq!(NAMES.lines().filter(|name| !name.starts_with("std.package")).count(), 186);
}

fn modules() -> Vec<&'static Module> {
    let mut all = vec![&STD];
    let mut next = 0;
    while let Some(module) = all.get(next).copied() {
        all.extend(module.modules.iter().copied());
        next += 1;
    }
    all
}

#[test]
fn tables_are_in_alphabetical_order_so_that_they_can_be_searched() {
    for module in modules() {
        assert!(module.items.is_sorted_by(|a, b| a.name < b.name), "{}", module.path);
    }
}

#[test]
fn a_path_that_goes_nowhere_is_nothing() {
    for path in [&["std", "array", "map", "x"][..], &["std", "nope"], &["array"], &["std", "array", ""], &[]] {
        assert!(library(path).is_none(), "{path:?}");
    }
}

#[test]
fn examples_equal_what_they_say() {
    for module in modules() {
        for item in module.items {
            for (expression, value) in item.examples {
                let mut machine = machine();
                let (left, right) = (evaluate(&mut machine, expression), evaluate(&mut machine, value));
                let equal = machine.equal(&left, &right, &Call::default());
                assert!(
                    matches!(equal, Ok(true)),
                    "{}.{}: {expression} is not {value}: {equal:?}",
                    module.path,
                    item.name
                );
            }
        }
    }
}

#[test]
fn types_are_types() {
    for module in modules() {
        for item in module.items {
            let program = Dialect::CFG.program(SourceId(0), item.ty, &crate::dialect::library::ContractScope);
            assert!(program.problems.is_empty(), "{}.{} : {}: {:?}", module.path, item.name, item.ty, program.problems);
            let free: Vec<_> =
                crate::dialect::library::signature(item.ty).globals.iter().map(|(name, _)| name.to_string()).collect();
            assert!(
                free.iter().all(|name| name == "Contract"),
                "{}.{} : {}: {free:?}",
                module.path,
                item.name,
                item.ty
            );
        }
    }
}

#[test]
fn a_program_that_rebinds_std_does_not_change_the_library() {
    let mut machine = machine();
    let value = evaluate(&mut machine, "let Nat = std.number.Nat in let std = 1 in 3 | Nat");
    assert!(machine.force(&value).is_ok());
}

#[test]
fn folds_and_sorts_are_linear_and_do_not_recurse_on_length() {
    let mut machine = machine();
    for (program, value) in [
        ("std.array.fold_left (fun acc x => acc + x) 0 (std.array.range 0 100000)", "4999950000"),
        (
            "std.array.length (std.array.sort std.number.compare (std.array.generate (fun i => i * 7919 % 10007) 10000))",
            "10000",
        ),
        ("std.array.fold_right (fun x acc => x + acc) 0 (std.array.range 0 100000)", "4999950000"),
        (
            "std.record.length (std.record.merge_all (std.array.generate (fun i => { \"%{std.to_string i}\" = i }) 1000))",
            "1000",
        ),
        (
            "std.string.length (std.array.fold_left (fun acc x => acc ++ \"ab\") \"\" (std.array.range 0 20000))",
            "40000",
        ),
    ] {
        let (left, right) = (evaluate(&mut machine, program), evaluate(&mut machine, value));
        assert!(matches!(machine.equal(&left, &right, &Call::default()), Ok(true)), "{program}");
    }
}
