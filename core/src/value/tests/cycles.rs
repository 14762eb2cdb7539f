//! Reference cycles are freed when nothing else refers to them, and only then.

use super::{machine, parse, value};
use crate::value::thunk::Inner;
use crate::value::{Budget, Thunk};
use std::rc::{Rc, Weak};

/// Returns whether a program's value survives a collection while it is referenced, and after it is dropped.
fn lives(program: &str) -> (bool, bool) {
    let mut machine = machine();
    let thunk = machine.thunk(&parse(program));
    let before = machine.datum(&thunk, Budget::ALL);
    let inside: Vec<Weak<Inner>> = watched(&mut machine, &thunk);
    assert!(!inside.is_empty(), "{program}");
    machine.cycle_candidates.collect(&|| false);
    let again = machine.datum(&thunk, Budget::ALL);
    assert_eq!(before, again, "a collection changes nothing that is held: {program}");
    let held = inside.iter().all(|weak| weak.strong_count() > 0);
    drop(thunk);
    machine.cycle_candidates.collect(&|| false);
    (held, inside.iter().any(|weak| weak.strong_count() > 0))
}

/// Returns weak references to the thunks of a record's fields.
fn watched(machine: &mut crate::value::Machine, thunk: &Thunk) -> Vec<Weak<Inner>> {
    let Ok(crate::value::Value::Record(record)) = machine.force(thunk) else { return Vec::new() };
    let fields = machine.fields(&record).unwrap_or_default();
    fields.iter().filter_map(|f| f.value.as_ref()).map(|v| Rc::downgrade(&v.0)).collect()
}

/// Programs whose values refer to themselves in different ways.
const CYCLES: &[&str] = &[
    "{ a = 1, b = a + 1 }",
    "{ a = { c = b }, b = 2 }",
    "{ a = 1, b = a + 1 } & { a | priority 5 = 2, b, c = b }",
    "{ a | Number = 1, b | Number = a }",
    "{ f | Number -> Number = fun x => if x == 0 then 0 else f (x - 1), y = f 3 }",
    "{ f : Number -> Number = fun x => if x == 0 then 0 else f (x - 1), y = f 3 }",
    "{ xs = std.array.map (fun x => x + n) [1, 2], n = 3 }",
    "{ xs = std.array.map (fun x => x + n) [1, 2], n = 3 } |> std.record.map (fun _ v => v)",
    "{ a = 'V { x = b }, b = 1 }",
    "{ x | { n | default = 1, m | optional } = {}, y = x.n }",
    "{ a = 1, b | optional, c = std.record.fields d, d = { e = c } }",
    "let rec xs = { head = 1, tail = xs.head } in { ys = xs }",
    "let rec {f, g} = { f = fun x => g, g = 1 } in { f = f, g = g }",
    "let f = fun t => { a = t } in { x = (f y).a, y = f { z = 1 } , w = f x }",
    "(fun t => { p = t, q = { r = t } }) ((fun z => z) { s = 1 })",
];

#[test]
fn a_cycle_is_freed_when_nobody_holds_it() {
    for program in CYCLES {
        assert_eq!(lives(program), (true, false), "{program}");
    }
}

#[test]
fn what_a_function_still_needs_lives() {
    let mut machine = machine();
    let thunk = machine.thunk(&parse("({ n = 1, step = fun x => x + n, more = step n }).step"));
    let function = machine.force(&thunk).expect("a function");
    drop(thunk);
    machine.cycle_candidates.collect(&|| false);
    let five = machine.call(&function, &[Thunk::done(5usize)], &Default::default());
    assert_eq!(format!("{five:?}"), "Ok(Int(6))");
}

#[test]
fn an_evaluation_that_makes_many_cycles_keeps_few() {
    let mut machine = machine();
    let program =
        "std.array.fold_left (fun acc n => ({ a = n, b = a + acc, c = { d = b } }).c.d) 0 (std.array.range 0 30000)";
    let thunk = machine.thunk(&parse(program));
    assert_eq!(format!("{:?}", machine.force(&thunk)), "Ok(Int(449985000))");
    assert!(machine.cycle_candidates.collections > 0);
    machine.cycle_candidates.collect(&|| false);
    assert!(machine.cycle_candidates.len() < 100, "{} are left", machine.cycle_candidates.len());
}

#[test]
fn a_collection_in_the_middle_takes_nothing_away() {
    // Every inner record refers to itself, and all are referenced until the sum is computed.
    let program = "let rec tree = fun n => { kids = if n == 0 then [] else std.array.map tree (std.array.range 0 n), \
                   size = std.array.fold_left (fun s k => s + k.size) 1 kids } in (tree 13).size";
    assert_eq!(value(program), "8192");
}

#[test]
fn a_collection_that_is_stopped_frees_nothing_and_harms_nothing() {
    let mut machine = machine();
    let program = "std.array.map (fun n => { a = n, b = a }) (std.array.range 0 5000)";
    let thunk = machine.thunk(&parse(program));
    let before = machine.datum(&thunk, Budget::ALL);
    machine.cycle_candidates.collect(&|| true);
    assert_eq!(machine.datum(&thunk, Budget::ALL), before);
}
