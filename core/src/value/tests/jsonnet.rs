//! Jsonnet programs and what comes of them, as the reference implementation says.

use crate::dialect::{Dialect, OnlyStd};
use crate::problem::report::Report;
use crate::term::Term;
use crate::text::Sources;
use crate::value::manifest::jsonnet::Style;
use crate::value::{Fault, Machine, NoOutside, Value};
use std::rc::Rc;
use std::sync::Arc;

fn parse(program: &str) -> Arc<Term> {
    let mut sources = Sources::default();
    let source = sources.add("main.jsonnet", program);
    let parsed = Dialect::Jsonnet.program(source, program, &OnlyStd);
    assert!(parsed.problems.is_empty(), "{program}: {:?}", parsed.problems);
    parsed.term
}

fn run(program: &str) -> (Machine, Result<Value, Fault>) {
    let mut machine = Machine::new(Rc::new(NoOutside));
    let thunk = machine.thunk(&parse(program));
    let value = machine.force(&thunk);
    (machine, value)
}

fn message(fault: &Fault) -> String {
    Report::of(fault.problem(), Dialect::Jsonnet.notation()).message
}

/// `= ` and the value on one line, or the message.
pub(super) fn answer(program: &str) -> String {
    let (mut machine, value) = run(program);
    let mut out = String::from("= ");
    let written = value.and_then(|value| match &value {
        Value::String(text) => {
            out.push_str(text);
            Ok(())
        }
        value => machine.write_json(value, &Style::LINE, &mut out),
    });
    match written {
        Ok(()) => out,
        Err(fault) => message(&fault),
    }
}

/// Each program on the left comes to the right.
pub(super) fn check(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .map(|(program, expected)| (program, expected, answer(program)))
        .filter(|(_, expected, found)| found != *expected)
        .map(|(program, expected, found)| format!("{program}\n  expected {expected}\n  found    {found}"))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// What the command line prints.
fn document(program: &str) -> String {
    let (mut machine, value) = run(program);
    value.and_then(|value| machine.manifest_document(&value)).unwrap_or_else(|fault| message(&fault))
}

#[test]
fn documents_have_three_blanks_a_level() {
    assert_eq!(document("{ b: [1, []], a: {} }"), "{\n   \"a\": { },\n   \"b\": [\n      1,\n      [ ]\n   ]\n}\n");
    assert_eq!(document("'x'"), "\"x\"\n");
}

#[test]
fn streams_and_files() {
    let (mut machine, value) = run("['a', { b: 1 }]");
    let value = value.expect("a value");
    assert_eq!(machine.manifest_stream(&value, false).expect("a stream"), ["\"a\"\n", "{\n   \"b\": 1\n}\n"]);
    let (mut machine, value) = run("{ b: 'x', a: 'y', c:: 1 }");
    let value = value.expect("a value");
    let files = machine.manifest_files(&value, true).expect("files");
    assert_eq!(files, [("a", "y"), ("b", "x")].map(|(a, b)| (String::from(a), String::from(b))));
}

#[test]
fn infinite_recursion_is_told_with_its_cycle() {
    assert_eq!(answer("local a = b, b = a; a"), "infinite recursion: a → b → a");
    assert_eq!(answer("{ a: self.b, b: self.a }"), "infinite recursion: a → b → a");
}

#[test]
fn chains_of_any_length() {
    let deep = "local f(n) = if n == 0 then { x: 0 } else f(n - 1) + { x: super.x + 1, ['k' + n]: self.x }; ";
    assert_eq!(answer(&format!("{deep} local o = f(10000); [o.x, o.k1, o.k10000]")), "= [10000, 10000, 10000]");
    let right = "local g(n) = if n == 0 then { x+: 1 } else { x+: 1 } + g(n - 1); ";
    assert_eq!(answer(&format!("{right} ({{ x: 0 }} + g(10000)).x")), "= 10001");
    let plus = "local h(n) = if n == 0 then { a: { n: 0 } } else h(n - 1) + { a+: { n+: 1 } }; ";
    assert_eq!(answer(&format!("{plus} h(5000).a.n")), "= 5000");
}

#[test]
fn deep_recursion_that_ends_is_evaluated() {
    assert_eq!(answer("local f(n) = if n == 0 then 0 else 1 + f(n - 1); f(100000)"), "= 100000");
    assert_eq!(
        answer("local f(n, a) = if n == 0 then a else f(n - 1, a + n) tailstrict; f(300000, 0)"),
        "= 45000150000"
    );
    assert_eq!(answer("local f(n) = if n == 0 then [] else [f(n - 1)]; f(20000) == []"), "= false");
}
