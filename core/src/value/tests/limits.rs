//! Limits of depth, size and steps, and interrupts. They give clear errors, do not overflow the stack, and do not
//! corrupt cached values.

use super::{machine, parse, value};
use crate::value::{Budget, Value};

#[test]
fn deep_recursion_is_no_overflow() {
    assert_eq!(value("let rec f = fun n => if n == 0 then 0 else 1 + f (n - 1) in f 20000"), "20000");
}

#[test]
fn tail_calls_take_no_stack() {
    let mut machine = machine();
    machine.limits.depth = 200;
    let term = parse("let rec f = fun n ok => if n == 0 then ok else ok && f (n - 1) (n > 0) in f 20000 true");
    let thunk = machine.thunk(&term);
    assert!(matches!(machine.force(&thunk), Ok(Value::Bool(true))));
}

#[test]
fn long_chains_drop() {
    let list = "let rec f = fun n acc => if n == 0 then acc else f (n - 1) {h = n, t = acc} in (f 200000 null).h";
    assert_eq!(value(list), "1");
    let nested =
        "let rec f = fun n acc => if n == 0 then acc else f (n - 1) ['X acc] in std.array.length (f 200000 [])";
    assert_eq!(value(nested), "1");
    let merged = "let rec f = fun n acc => if n == 0 then acc else f (n - 1) (acc & {a = 1}) in (f 50000 {}).a";
    assert_eq!(value(merged), "1");
}

#[test]
fn a_limit_is_an_error_that_a_larger_limit_lifts() {
    let mut machine = machine();
    let thunk = machine.thunk(&parse("let rec f = fun n => if n == 0 then 0 else 1 + f (n - 1) in f 5000"));
    machine.limits.depth = 1000;
    let fault = machine.force(&thunk).expect_err("too deep");
    assert_eq!(fault.problem().code(), "value/limit");
    machine.limits.depth = 100_000;
    assert!(machine.force(&thunk).is_ok());
}

#[test]
fn an_interrupt_stops_and_spoils_nothing() {
    let mut machine = machine();
    let thunk = machine.thunk(&parse("{a = std.array.fold_left (fun a b => a + b) 0 (std.array.range 0 5000)}"));
    machine.interrupt().set();
    let stopped = format!("{:?}", machine.datum(&thunk, Budget::ALL));
    assert!(stopped.contains("Interrupted"), "{stopped}");
    machine.interrupt().clear();
    let again = format!("{:?}", machine.datum(&thunk, Budget::ALL));
    assert!(again.contains("12497500"), "{again}");
}

#[test]
fn endless_evaluation_meets_the_limit_of_steps() {
    let mut machine = machine();
    machine.limits.steps = Some(100_000);
    let thunk = machine.thunk(&parse("let rec f = fun x => f x in f 1"));
    assert_eq!(machine.force(&thunk).expect_err("endless").problem().code(), "value/limit");
}

#[test]
fn sizes_that_double_meet_the_limit_of_memory() {
    for program in [
        "let rec f = fun n s => if n == 0 then s else f (n - 1) (s ++ s) in std.string.length (f 100 \"ab\")",
        "let rec f = fun n s => if n == 0 then s else f (n - 1) (s @ s) in std.array.length (f 100 [1])",
    ] {
        let mut machine = machine();
        let thunk = machine.thunk(&parse(program));
        assert_eq!(machine.force(&thunk).expect_err("too large").problem().code(), "value/limit", "{program}");
    }
    assert_eq!(value("let rec f = fun n x => if n == 0 then x else f (n - 1) (x & x) in (f 100 {a = 1}).a"), "1");
}

#[test]
fn a_budget_cuts_what_is_shown() {
    let mut machine = machine();
    let thunk = machine.thunk(&parse("{a = std.array.range 0 1000, b = {c = {d = {e = 1}}}}"));
    let budget = Budget { elements: 10, depth: 2, text: 100 };
    let shown = format!("{:?}", machine.datum(&thunk, budget));
    assert!(shown.contains("Elided(Some(992))"), "{shown}");
}

#[test]
fn endless_data_meets_the_limit_of_depth() {
    let mut machine = machine();
    machine.limits.depth = 200;
    let thunk = machine.thunk(&parse("{x = {y = x}}"));
    assert_eq!(machine.force_deep(&thunk).expect_err("endless").problem().code(), "value/limit");
    let shown = format!("{:?}", machine.datum(&thunk, Budget::ALL));
    assert!(shown.contains("Depth"), "the end is a fault in its place");
}
