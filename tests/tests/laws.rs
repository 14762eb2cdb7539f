//! The laws of merging and typing, on generated records: nested fields, every priority, contracts, late binding.

use cfg_core::Action;
use cfg_tests::generate::{Topic, program};
use cfg_tests::ours::{Ours, eval, run, type_error};
use cfg_tests::types;
use proptest::prelude::*;
use proptest::sample::subsequence;
use proptest::test_runner::{RngSeed, TestRunner};
use std::cell::Cell;

/// A definition of a field.
#[derive(Clone, Debug)]
struct Def {
    name: &'static str,
    meta: String,
    /// The body; `None` if the field is only declared.
    body: Option<String>,
    /// The field to which the body refers.
    refers: Option<&'static str>,
}

/// A record literal.
#[derive(Clone, Debug)]
struct Block(Vec<Def>);

impl Block {
    fn text(&self) -> String {
        let mut pieces: Vec<String> = self
            .0
            .iter()
            .map(|def| match &def.body {
                Some(body) => format!("{}{} = {body}", def.name, def.meta),
                None => format!("{}{}", def.name, def.meta),
            })
            .collect();
        let mut needed: Vec<_> = self.0.iter().filter_map(|def| def.refers).collect();
        needed.sort_unstable();
        needed.dedup();
        needed.retain(|name| self.0.iter().all(|def| def.name != *name));
        pieces.extend(needed.into_iter().map(String::from));
        format!("{{ {} }}", pieces.join(", "))
    }
}

fn priority() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => Just(String::new()),
        3 => Just(" | default".to_string()),
        1 => Just(" | force".to_string()),
        2 => (-2i8..3, prop::bool::ANY).prop_map(|(n, half)| format!(" | priority {n}{}", if half { ".5" } else { "" })),
    ]
}

/// Generates a scalar and its type. The type usually depends only on the field and the priority, so that definitions
/// agree.
fn scalar(name: &'static str, priority: &str) -> impl Strategy<Value = (String, &'static str)> + use<> {
    // no priority is the same as priority 0
    let priority = if priority == " | priority 0" { "" } else { priority };
    let number = (usize::from(name.as_bytes()[0]) + priority.len()) % 3;
    let usual = match name {
        "b" | "v" => (["\"x\"", "\"y\"", "\"z\""][number].to_string(), "String"),
        _ => (number.to_string(), "Number"),
    };
    prop_oneof![
        90 => Just(usual),
        1 => (0u8..3).prop_map(|n| (n.to_string(), "Number")),
        1 => prop::sample::select(vec!["\"x\"", "\"y\""]).prop_map(|s| (s.to_string(), "String")),
    ]
}

/// Generates a field with a priority and a scalar, and sometimes a contract, which the scalar rarely violates.
fn plain(name: &'static str) -> impl Strategy<Value = (String, String)> {
    priority().prop_flat_map(move |priority| (scalar(name, &priority), 0u8..60, Just(priority))).prop_map(
        |((body, ty), dice, priority)| match dice {
            0..18 => (format!(" | {ty}{priority}"), body),
            18 => (format!(" | {}{priority}", if ty == "Number" { "String" } else { "Number" }), body),
            _ => (priority, body),
        },
    )
}

/// Generates a definition of `name`, which may refer to fields in `earlier`. It is usually a scalar for `a` and `b`, a
/// record for `c`, and an array that refers to another field for `d`.
fn def(name: &'static str, earlier: Vec<&'static str>) -> BoxedStrategy<Def> {
    let scalar = plain(name).prop_map(move |(meta, body)| Def { name, meta, body: Some(body), refers: None });
    let declared = prop::sample::select(vec![" | Number", " | String"]).prop_map(move |contract| Def {
        name,
        meta: contract.into(),
        body: None,
        refers: None,
    });
    let nested = (priority(), subsequence(vec!["u", "v", "w"], 1..=3), plain("u"), plain("v"), plain("w")).prop_map(
        move |(meta, names, u, v, w)| {
            let plain = |name: &&str| match *name {
                "u" => format!("u{} = {}", u.0, u.1),
                "v" => format!("v{} = {}", v.0, v.1),
                _ => format!("w{} = {}", w.0, w.1),
            };
            let fields: Vec<String> = names.iter().map(plain).collect();
            Def { name, meta, body: Some(format!("{{ {} }}", fields.join(", "))), refers: None }
        },
    );
    let (plain, record, refer) = match name {
        "c" => (1, 60, 1),
        "d" => (1, 1, 60),
        _ => (60, 1, 1),
    };
    if earlier.is_empty() {
        return prop_oneof![plain => scalar, 1 => declared, record => nested].boxed();
    }
    let target = prop_oneof![6 => Just(earlier[0]), 1 => prop::sample::select(earlier)];
    let refers = (priority(), target).prop_map(move |(meta, other)| Def {
        name,
        meta,
        body: Some(format!("[{other}]")),
        refers: Some(other),
    });
    prop_oneof![plain => scalar, 1 => declared, record => nested, refer => refers].boxed()
}

fn block() -> BoxedStrategy<Block> {
    (subsequence(vec!["a", "b", "c", "d"], 1..=4), 0u8..16)
        .prop_flat_map(|(names, dice)| {
            // rarely a field that only another block defines, or that none defines
            let earlier = |name: &&'static str| -> Vec<&'static str> {
                let all = ["a", "b", "c", "d"].into_iter().take_while(|other| other != name);
                all.filter(|other| dice == 0 || names.contains(other)).collect()
            };
            names.iter().map(|name| def(name, earlier(name))).collect::<Vec<_>>()
        })
        .prop_map(Block)
        .boxed()
}

/// Returns the value of a program, or `Err` if it fails.
fn outcome(program: &str) -> Result<serde_json::Value, ()> {
    match eval(program) {
        Ours::Value(value) => Ok(value),
        Ours::Failure(_) => Err(()),
        Ours::Broken(what) => panic!("{program}\n{what}"),
    }
}

fn type_of(program: &str) -> String {
    run(program, Action::Type { at: None, pretty: false }).output.text().trim().to_string()
}

/// Returns `true` if a program has no type warning: no field changes its type, and no array is mixed.
fn disciplined(program: &str) -> bool {
    run(program, Action::Check(cfg_core::CheckOptions { strict: true, ..cfg_core::CheckOptions::default() })).exit == 0
}

/// Asserts that two programs have the same value, or that both have none. Returns `true` if they have one.
fn same(left: &str, right: &str) -> Result<bool, TestCaseError> {
    let value = outcome(left);
    prop_assert_eq!(&value, &outcome(right), "\n{}\n{}", left, right);
    Ok(value.is_ok())
}

/// Uses the same programs in every run, so that a failure is due to the current change. `PROPTEST_RNG_SEED` and
/// `PROPTEST_CASES` select other programs.
fn config() -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        config.rng_seed = RngSeed::Fixed(1);
    }
    config
}

/// Checks a law on generated cases. A case in which no program has a value proves little, so at least `floor` percent
/// of the cases must have one.
fn hold<S: Strategy>(floor: usize, cases: S, law: impl Fn(S::Value) -> Result<bool, TestCaseError>) {
    let (tried, valued) = (Cell::new(0), Cell::new(0));
    let count = |case: S::Value| {
        let has_value = law(case)?;
        tried.set(tried.get() + 1);
        valued.set(valued.get() + usize::from(has_value));
        Ok(())
    };
    if let Err(broken) = TestRunner::new(config()).run(&cases, count) {
        panic!("{broken}");
    }
    let (tried, valued) = (tried.get(), valued.get());
    println!("{valued} of {tried} have a value");
    assert!(tried > 0 && valued * 100 >= floor * tried, "{valued} of {tried} have a value, {floor} of 100 must");
}

/// Returns the texts of some blocks.
fn texts<const N: usize>(blocks: [Block; N]) -> [String; N] {
    blocks.map(|block| block.text())
}

#[test]
fn merging_commutes() {
    hold(68, [block(), block()], |blocks| {
        let [a, b] = texts(blocks);
        let has_value = same(&format!("{a} & {b}"), &format!("{b} & {a}"))?;
        // If types conflict, either of them may be shown.
        if disciplined(&format!("{a} & {b}")) {
            prop_assert_eq!(type_of(&format!("{a} & {b}")), type_of(&format!("{b} & {a}")), "\n{} & {}", a, b);
        }
        Ok(has_value)
    });
}

#[test]
fn merging_associates() {
    hold(60, [block(), block(), block()], |blocks| {
        let [a, b, c] = texts(blocks);
        let flat = format!("{a} & {b} & {c}");
        same(&flat, &format!("{a} & ({b} & {c})"))?;
        same(&flat, &format!("let x = {a} & {b} in std.seq x (x & {c})"))?;
        same(&flat, &format!("std.record.merge_all [{c}, {a}, {b}]"))
    });
}

#[test]
fn merging_is_idempotent_without_merge_functions() {
    hold(68, [block(), block()], |blocks| {
        let [a, b] = texts(blocks);
        same(&format!("let x = {a} in x & x"), &a)?;
        same(&format!("let x = {a} & {b} in x & x"), &format!("{a} & {b}"))
    });
}

#[test]
fn with_a_merge_function_that_commutes_and_associates_so_does_merging() {
    let cases = (prop::collection::vec((priority(), 0u8..20), 2..5), 0usize..4, 0usize..4);
    hold(100, cases, |(blocks, holder, rotation)| {
        let holder = holder % blocks.len();
        let text = |(at, (priority, n)): (usize, &(String, u8))| {
            let merge = if at == holder { " | merge (fun m => m.lower + m.higher)" } else { "" };
            format!("{{ a{merge}{priority} = {n} }}")
        };
        let texts: Vec<String> = blocks.iter().enumerate().map(text).collect();
        let total: u32 = blocks.iter().map(|(_, n)| u32::from(*n)).sum();
        let flat = texts.join(" & ");
        prop_assert_eq!(outcome(&flat), Ok(serde_json::json!({ "a": total })), "\n{}", flat);
        let mut rotated = texts.clone();
        rotated.rotate_left(rotation % texts.len());
        same(&flat, &rotated.join(" & "))?;
        let last = texts.len() - 1;
        same(&flat, &format!("{} & ({})", texts[0], texts[1..].join(" & ")))?;
        same(&flat, &format!("let x = {} in std.seq x (x & {})", texts[..last].join(" & "), texts[last]))
    });
}

/// Asserts that a value has the type that is shown for its program. Returns `true` if the type is informative.
fn has_its_type(program: &str, value: &serde_json::Value) -> Result<bool, TestCaseError> {
    if !disciplined(program) {
        return Ok(false);
    }
    let text = type_of(program);
    let ty = types::read(&text);
    prop_assert!(ty.is_some(), "{program}\n{text} is not understood");
    prop_assert!(ty.is_some_and(|ty| ty.has(value)), "{program}\n{value} is not of {text}");
    Ok(text != "Dyn")
}

#[test]
fn the_value_of_a_merge_has_the_type_of_the_merge() {
    hold(50, [block(), block()], |blocks| {
        let merge = texts(blocks).join(" & ");
        outcome(&merge).map_or(Ok(false), |value| has_its_type(&merge, &value))
    });
}

#[test]
fn a_program_that_evaluates_has_no_type_error() {
    hold(68, [block(), block()], |blocks| {
        let merge = texts(blocks).join(" & ");
        let has_value = outcome(&merge).is_ok();
        if has_value {
            prop_assert_eq!(type_error(&merge), None, "\n{}", merge);
        }
        Ok(has_value)
    });
}

#[test]
fn the_value_of_any_program_has_its_type() {
    hold(50, 0u64..1_000_000, |seed| {
        let text = program(Topic::Mixed, seed.wrapping_add(50_000_000));
        let Ok(value) = outcome(&text) else { return Ok(false) };
        prop_assert_eq!(type_error(&text), None, "\n{}", text);
        has_its_type(&text, &value)
    });
}

#[test]
fn inference_does_not_depend_on_the_order_of_definitions() {
    let cases = block().prop_flat_map(|block| (Just(block.clone()), Just(block.0).prop_shuffle()));
    hold(90, cases, |(block, shuffled)| {
        let printed = type_of(&block.text());
        prop_assert_eq!(&printed, &type_of(&Block(shuffled).text()));
        Ok(printed.starts_with("{ "))
    });
}

#[test]
fn printing_a_type_and_parsing_it_is_the_identity() {
    hold(50, 0u64..1_000_000, |seed| {
        let printed = type_of(&program(Topic::Expressions, seed.wrapping_add(60_000_000)));
        // Types that an annotation cannot express: unions, fields without a definition, constraints, null, and `Dyn`.
        let bars = printed.replace("[|", "").replace("|]", "");
        let unsaid = printed.contains(['!', '?']) || printed.contains(" where ") || bars.contains('|');
        if printed == "Dyn" || printed.contains("Null") || unsaid {
            return Ok(false);
        }
        prop_assert_eq!(type_of(&format!("std.fail_with \"\" | {printed}")), printed);
        Ok(true)
    });
}
