//! The laws of steps, on generated merges and chains. The left side of a step is the result of the step before; fields
//! reported as unchanged are unchanged; all other fields are reported; and the result of the last step is the
//! evaluator's value.

use cfg_core::{Action, Dialect, Format, Input, Medium, NoLoader, Request, Session};
use proptest::prelude::*;
use serde_json::Value;

fn run(program: &str, dialect: Dialect, action: Action) -> (String, u8) {
    let request = Request {
        dialect: Some(dialect),
        ..Request::new(vec![Input::Text { name: String::from("main"), text: program.as_bytes().to_vec() }], action)
    };
    let outcome = Session::new(Box::new(NoLoader)).run(request);
    (outcome.output.text(), outcome.exit)
}

fn steps(program: &str, dialect: Dialect, most: Option<usize>) -> Value {
    let action = Action::Steps { at: None, all: true, most, layers: false, types: false, medium: Medium::Json };
    let (text, _) = run(program, dialect, action);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{program}\n{error}: {text}"))
}

/// Returns the value at a path.
fn at<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').filter(|name| !name.is_empty()).try_fold(value, |value, name| value.get(name))
}

/// Collects the paths of all leaves.
fn leaves(value: &Value, path: &str, out: &mut Vec<String>) {
    match value.as_object().filter(|fields| !fields.is_empty()) {
        Some(fields) => {
            for (name, value) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                leaves(value, &path, out);
            }
        }
        None => out.push(String::from(path)),
    }
}

/// Checks every law on operands joined by an operator.
fn check(operands: &[String], operator: &str, dialect: Dialect) -> Result<(), TestCaseError> {
    let program = operands.join(operator);
    let told = steps(&program, dialect, None);
    let whole = operands.len() - 1;
    prop_assert_eq!(told["merges"][0]["total"].as_u64(), Some(whole as u64), "{}", &program);
    prop_assert_eq!(told["stopped"].as_bool(), Some(false));
    let results: Vec<Value> = (1..=operands.len())
        .map(|count| steps(&operands[..count].join(operator), dialect, None)["result"].clone())
        .collect();
    prop_assert_eq!(&told["result"], &results[whole], "{}", &program);
    // where the steps end early, the rest is joined in one step
    for most in [0, 1] {
        prop_assert_eq!(&told["result"], &steps(&program, dialect, Some(most))["result"], "{}", &program);
    }
    let (text, exit) = run(&program, dialect, Action::Eval { at: None, format: Format::Json });
    if exit == 0 {
        let value: Value = serde_json::from_str(&text).unwrap();
        let mut exported = Vec::new();
        leaves(&value, "", &mut exported);
        // hidden fields are not exported
        for path in exported.iter().filter(|path| !path.is_empty()) {
            prop_assert_eq!(at(&told["result"], path), at(&value, path), "{}", &program);
        }
    }
    for n in 1..operands.len() {
        let (before, after) = (&results[n - 1], &results[n]);
        let entries: Vec<&Value> =
            told["steps"].as_array().unwrap().iter().filter(|entry| entry["n"].as_u64() == Some(n as u64)).collect();
        let null = Value::Null;
        for entry in &entries {
            let path = entry["path"].as_str().unwrap();
            prop_assert_eq!(
                &entry["left"],
                at(before, path).unwrap_or(&null),
                "left of {}, step {}\n{}",
                path,
                n,
                &program
            );
            prop_assert_eq!(
                &entry["result"],
                at(after, path).unwrap_or(&null),
                "result of {}, step {}\n{}",
                path,
                n,
                &program
            );
        }
        let unchanged: Vec<&str> = told["merges"][0]["steps"][n - 1]["unchanged"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        for path in &unchanged {
            prop_assert_eq!(at(before, path), at(after, path), "unchanged {}, step {}\n{}", path, n, &program);
        }
        let mut all = Vec::new();
        leaves(before, "", &mut all);
        leaves(after, "", &mut all);
        for leaf in all {
            let covers = |path: &str| path.is_empty() || leaf == path || leaf.starts_with(&format!("{path}."));
            // an empty record is a leaf until it has fields
            let inside = |path: &str| leaf.is_empty() || path.starts_with(&format!("{leaf}."));
            let is_told = entries.iter().filter_map(|entry| entry["path"].as_str()).any(|p| covers(p) || inside(p));
            let is_same = unchanged.iter().any(|path| covers(path));
            prop_assert!(is_told || is_same, "{leaf} is not told of in step {n}\n{program}");
            prop_assert!(is_told || at(before, &leaf) == at(after, &leaf), "{leaf} changed in step {n}\n{program}");
        }
    }
    Ok(())
}

const NAMES: [&str; 5] = ["a", "b", "c", "r", "m"];

/// A number, or an expression that reads other fields. It reads only earlier fields, so that there are no cycles.
fn expression(before: Vec<usize>, this: &'static str) -> impl Strategy<Value = String> {
    (0..4usize, 0..6i32).prop_map(move |(from, number)| match (from, before.first(), before.last()) {
        (0, _, Some(last)) => format!("{this}{} + {number}", NAMES[*last]),
        (1, Some(first), _) => format!("{this}{}", NAMES[*first]),
        _ => number.to_string(),
    })
}

fn definition(field: usize, before: Vec<usize>) -> impl Strategy<Value = String> {
    let priority = prop_oneof![
        Just(""),
        Just(""),
        Just(" | default"),
        Just(" | force"),
        Just(" | priority 3"),
        Just(" | priority -2.5")
    ];
    let check = prop_oneof![Just(""), Just(""), Just(""), Just(" | Number"), Just(" | String")];
    let inner = prop::collection::btree_map(prop_oneof![Just("x"), Just("y")], (0..3i32, priority.clone()), 0..3);
    let none = prop::bool::weighted(0.1);
    (expression(before, ""), priority, check, inner, none).prop_map(
        move |(value, priority, check, inner, none)| match (field, none) {
            (3, _) => {
                let fields: Vec<String> = inner.iter().map(|(n, (v, p))| format!("{n}{p} = {v}")).collect();
                format!("r{priority} = {{ {} }}", fields.join(", "))
            }
            (4, _) => format!("m | merge union{priority} = [{value}]"),
            (_, true) => format!("{} | Number", NAMES[field]),
            _ => format!("{}{check}{priority} = {value}", NAMES[field]),
        },
    )
}

/// Some fields, each with the earlier fields that are numbers.
fn fields() -> impl Strategy<Value = Vec<(usize, Vec<usize>)>> {
    prop::sample::subsequence((0..5usize).collect::<Vec<_>>(), 0..=5).prop_map(|fields| {
        fields.iter().map(|field| (*field, fields.iter().copied().filter(|f| f < field && *f < 3).collect())).collect()
    })
}

fn record() -> impl Strategy<Value = String> {
    fields()
        .prop_flat_map(|fields| fields.into_iter().map(|(f, before)| definition(f, before)).collect::<Vec<_>>())
        .prop_map(|definitions| format!("{{ {} }}", definitions.join(", ")))
}

fn object() -> impl Strategy<Value = String> {
    let member = |field: usize, before: Vec<usize>| {
        (expression(before, "self."), 0..6i32, prop::bool::ANY, prop::bool::ANY).prop_map(
            move |(value, n, plus, hides)| {
                let colon = if hides && n == 0 { "::" } else { ":" };
                let plus = if plus { "+" } else { "" };
                match field {
                    3 => format!("r{plus}: {{ {}: {n} }}", if hides { "x" } else { "y" }),
                    4 => format!("m{plus}: [{n}]"),
                    _ if n == 5 => {
                        format!("{name}: (if '{name}' in super then super.{name} else 0) + 10", name = NAMES[field])
                    }
                    _ => format!("{}{colon} {value}", NAMES[field]),
                }
            },
        )
    };
    fields()
        .prop_flat_map(move |fields| fields.into_iter().map(|(f, before)| member(f, before)).collect::<Vec<_>>())
        .prop_map(|members| format!("{{ {} }}", members.join(", ")))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn merges(mut operands in prop::collection::vec(record(), 2..5)) {
        // one function, under a name that all operands use
        let union = "let union = fun { lower, higher, .. } => lower @ higher in\n";
        operands[0] = format!("{union}{}", operands[0]);
        check(&operands, "\n& ", Dialect::CFG)?;
    }

    #[test]
    fn chains(operands in prop::collection::vec(object(), 2..5)) {
        check(&operands, "\n+ ", Dialect::JSONNET)?;
    }
}
