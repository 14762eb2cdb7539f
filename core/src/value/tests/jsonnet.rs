//! Jsonnet programs and their results, according to the reference implementation.

use crate::dialect::{Dialect, StdNames};
use crate::problem::report::Report;
use crate::term::Term;
use crate::text::Sources;
use crate::value::manifest::objects::Style;
use crate::value::{Call, Fault, Machine, NoHost, Thunk, Value};
use std::rc::Rc;
use std::sync::Arc;

fn parse(program: &str) -> Arc<Term> {
    let mut sources = Sources::default();
    let source = sources.add("main.jsonnet", program);
    let parsed = Dialect::JSONNET.program(source, program, &StdNames);
    assert!(parsed.problems.is_empty(), "{program}: {:?}", parsed.problems);
    parsed.term
}

fn run(program: &str) -> (Machine, Result<Value, Fault>) {
    let mut machine = Machine::new(Rc::new(NoHost));
    let thunk = machine.thunk(&parse(program));
    let value = machine.force(&thunk);
    (machine, value)
}

fn message(fault: &Fault) -> String {
    Report::of(fault.problem(), Dialect::JSONNET.notation()).message
}

/// Returns `= ` and the value on one line, or the message.
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

/// Checks that each program has the expected answer.
pub(super) fn check(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .map(|(program, expected)| (program, expected, answer(program)))
        .filter(|(_, expected, found)| found != *expected)
        .map(|(program, expected, found)| format!("{program}\n  expected {expected}\n  found    {found}"))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Returns the output of the command line.
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
    let stream = machine.manifest_stream(&value, false, None).expect("a stream");
    assert_eq!(stream, "---\n\"a\"\n---\n{\n   \"b\": 1\n}\n...\n");
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

/// Applies a cfg function to Jsonnet values, and returns the result on one line.
fn cfg(function: &str, operands: &[&str]) -> String {
    let mut sources = Sources::default();
    let source = sources.add("main.cfg", function);
    let mut machine = Machine::new(Rc::new(NoHost));
    let function = machine.thunk(&Dialect::CFG.program(source, function, &StdNames).term);
    let operands: Vec<Thunk> = operands.iter().map(|text| machine.thunk(&parse(text))).collect();
    let mut out = String::new();
    let written = machine
        .force(&function)
        .and_then(|function| machine.call(&function, &operands, &Call::default()))
        .and_then(|value| machine.write_json(&value, &Style::LINE, &mut out));
    written.map_or_else(|fault| message(&fault), |()| out)
}

#[test]
fn merges_of_objects_keep_their_layers() {
    let both = "fun a b => a & b";
    assert_eq!(cfg(both, &["{ x: 1, y: self.x }", "{ z:: 2, w: self.z }"]), r#"{"w": 2, "x": 1, "y": 1}"#);
    assert_eq!(cfg(both, &["{ x: 1 } + { x: super.x + 1 }", "{ y: 3 }"]), r#"{"x": 2, "y": 3}"#);
    assert_eq!(cfg(both, &["{ x: 1 } + { x+: 1 }", "{ x: 2 }"]), r#"{"x": 2}"#);
    assert_eq!(cfg("fun a => a & { x = 5 }", &["{ assert self.x < 3 : 'too large', y: 1 }"]), "too large");
    assert_eq!(
        cfg("fun a => a & { x = 1 }", &["{ y: super.x }"]),
        "attempt to use super when there is no super class."
    );
    assert_eq!(cfg("fun a => a & { x | force = 7 }", &["{ x: 1, y: self.x }"]), r#"{"x": 7, "y": 7}"#);
}

#[test]
fn cfg_records_are_layers() {
    let above = "(function(r) r + { x: super.x + 1, y+: { b: 2 } })";
    let program = "fun f => f { x | default = 1, y = { a = x }, z | force = x }";
    assert_eq!(cfg(program, &[above]), r#"{"x": 2, "y": {"a": 2, "b": 2}, "z": 2}"#);
    let typed = "fun f => f { x | Number = 1, y = x }";
    assert_eq!(cfg(typed, &["function(r) r + { x: 5 }"]), r#"{"x": 5, "y": 5}"#);
    assert!(cfg(typed, &["function(r) r + { x: 'a' }"]).starts_with("`x` must be a "));
    assert_eq!(cfg(typed, &["function(r) r + { x: super.x + 1 } + { x+: 10 }"]), r#"{"x": 12, "y": 12}"#);
}

#[test]
fn a_fault_names_the_layer() {
    let (mut machine, value) = run("({ a: 1 } + { a: super.b } + { c: 3 }).a");
    let fault = value.map(|_| machine.refuel()).expect_err("no such field");
    let report = Report::of(fault.problem(), Dialect::JSONNET.notation());
    assert_eq!(report.message, "field does not exist: b");
    assert!(report.labels.iter().any(|l| l.text == "in `a` of layer 2 of 3, counted from the left of `+`"));
}

#[test]
fn data_without_an_end_is_an_error() {
    let itself = "max stack frames exceeded: `a.b` contains itself, so it has no end";
    assert_eq!(document("{ a: { b: $ } }"), itself);
    assert_eq!(document("local f(n) = { next: f(n + 1) }; f(0)"), "max stack frames exceeded.");
    assert_eq!(answer("local f(n) = 1 + f(n + 1); f(0)"), "max stack frames exceeded.");
}

#[test]
fn tailstrict_forces_defaults_too() {
    assert_eq!(answer("(function(p, q=error 'default') p)(1) tailstrict"), "default");
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

/// Each program with the smallest limit of frames with which the reference, version 0.22, evaluates it.
#[test]
fn frames_are_counted_as_the_reference_counts_them() {
    for (program, least) in [
        ("local f(n) = if n == 0 then 0 else 1 + f(n - 1); f(12)", 18),
        ("local f(n, a) = if n == 0 then a else f(n - 1, a + n); f(12, 0)", 27),
        ("local f(n, a) = if n == 0 then a else f(n - 1, a + n) tailstrict; f(12, 0)", 7),
        ("local f(n) = if n == 0 then 0 else g(n - 1), g(n) = if n <= 0 then 1 else f(n - 1) + 1; f(12)", 18),
        ("local f(n) = if n <= 0 then 0 else local r = f(n - 1); r + 1; f(12)", 27),
        ("local f(n) = if n <= 0 then 0 else { a: self.b, b: f(n - 1) }.a + 1; f(12)", 39),
        ("local f(n) = if n <= 0 then [] else [f(n - 1)]; f(12)", 12),
        ("local f(n) = if n <= 0 then { v: 0 } else f(n - 1) + { v+: 1 }; f(12).v", 15),
        ("local f(n) = if n <= 0 then true else f(n - 1) == true; f(12)", 39),
        ("local f(n) = if n <= 0 then 3 else f(n - 1) % 10; f(12)", 99),
        ("local f(n) = if n <= 0 then [1, 2] else f(n - 1)[0:2]; f(12)", 99),
        ("local f(n) = if n <= 0 then [0] else [x for x in f(n - 1)]; f(12)", 63),
        ("local f(g, n) = if n <= 0 then g(1) else f(function(x) g(x) + 1, n - 1); f(function(x) x, 12)", 40),
    ] {
        let evaluates = |frames: u32| {
            let mut machine = Machine::new(Rc::new(NoHost));
            machine.limits.frames = Some(frames);
            let thunk = machine.thunk(&parse(program));
            machine.force(&thunk).and_then(|value| machine.manifest_document(&value)).map_err(|fault| message(&fault))
        };
        assert_eq!(evaluates(least - 1), Err(String::from("max stack frames exceeded.")), "{program}");
        assert!(evaluates(least).is_ok(), "{program}: {:?}", evaluates(least));
    }
}
