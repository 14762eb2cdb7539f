//! Programs and their results: a value in cfg's notation, or the first line of the report.

mod contracts;
mod cycles;
mod jsonnet;
mod laws;
mod limits;
mod records;
mod reference;

use super::datum::Datum;
use super::{Budget, Fault, Host, Machine, NoHost, Revision, Thunk};
use crate::dialect::cfg::{library, notation};
use crate::dialect::{Dialect, StdNames};
use crate::problem::Problem;
use crate::problem::report::Report;
use crate::term::{Import, Term};
use crate::text::{Name, Sources, Span};
use std::rc::Rc;
use std::sync::Arc;

/// Provides `std`, and files whose text is their path (`import "{ a = 1 }"`).
struct Library(Thunk);

impl Host for Library {
    fn global(&self, _: &mut Machine, _: Revision, name: &Name) -> Option<Thunk> {
        (name == "std").then(|| self.0.clone())
    }
    fn import(&self, machine: &mut Machine, _: Revision, import: &Import, _: Span) -> Result<Thunk, Fault> {
        let term = parse(&import.path);
        Ok(machine.imported(&term))
    }
}

fn parse(program: &str) -> Arc<Term> {
    let mut sources = Sources::default();
    let source = sources.add("main.cfg", program);
    let program = Dialect::CFG.program(source, program, &StdNames);
    assert!(program.problems.is_empty(), "{:?}", program.problems);
    program.term
}

fn machine() -> Machine {
    Machine::new(Rc::new(Library(Thunk::lazy(|_| Ok(library::value())))))
}

fn data(program: &str) -> Datum {
    let mut machine = machine();
    let thunk = machine.thunk(&parse(program));
    machine.datum(&thunk, Budget::ALL)
}

/// Returns the value in cfg's notation, with faults in their place.
fn value(program: &str) -> String {
    crate::dialect::notation::value::one_line(&notation::SPELLING, &data(program)).text()
}

fn faults<'a>(datum: &'a Datum, found: &mut Vec<&'a Problem>) {
    match datum {
        Datum::Fault(problem) => found.push(problem),
        Datum::Variant(_, inner) => faults(inner, found),
        Datum::Array(items) => items.iter().for_each(|item| faults(item, found)),
        Datum::Record(entries) => entries.iter().filter_map(|e| e.value.as_ref()).for_each(|v| faults(v, found)),
        _ => {}
    }
}

/// Returns the first fault's code, message and places. Each place is the text that it covers and its label.
fn report(program: &str) -> String {
    let datum = data(program);
    let mut found = Vec::new();
    faults(&datum, &mut found);
    let Some(problem) = found.first() else { return format!("no fault: {datum:?}") };
    let report = Report::of(problem, Dialect::CFG.notation());
    let mut out = format!("{}: {}", report.code, report.message);
    for label in &report.labels {
        let text = program.get(label.span.start as usize..label.span.end as usize).unwrap_or("?");
        out.push_str(&format!(" | {text} ← {}", label.text));
    }
    out
}

/// Checks that each program has the value on the right.
macro_rules! values {
    ($($name:ident: { $($program:literal => $expected:literal,)+ })+) => {$(
        #[test]
        fn $name() {
            $(assert_eq!(crate::value::tests::value($program), $expected, "{}", $program);)+
        }
    )+};
}

/// Checks that each program has the report on the right.
macro_rules! reports {
    ($($name:ident: { $($program:literal => $expected:literal,)+ })+) => {$(
        #[test]
        fn $name() {
            $(assert_eq!(crate::value::tests::report($program), $expected, "{}", $program);)+
        }
    )+};
}

use {reports, values};

values! {
    functions: {
        "(fun x y => x - y) 5 2" => "3",
        "let f = fun x y z => [x, y, z] in let g = f 1 2 in [g 3, g 4]" => "[[1, 2, 3], [1, 2, 4]]",
        "(fun {a, b ? 3, ..rest} => [a, b, rest]) {a = 1, c = 2}" => "[1, 3, { c = 2 }]",
        "let rec even = fun n => if n == 0 then true else odd (n - 1), odd = fun n => n != 0 && even (n - 1) in even 101"
            => "false",
        "(fun x => 1) (1 + \"never forced\")" => "1",
    }
    patterns: {
        "'A 3 |> match { 'A x if x > 5 => 1, 'A x => x + 1, _ => 0 }" => "4",
        "[1, 2, 3] |> match { [] => 0, [x, ..rest] => rest }" => "[2, 3]",
        "{a = 1, b = 2} |> match { {a} => 1, {a, ..} => 2 }" => "2",
        "5 |> match { 'A or 5 => 1, _ => 2 }" => "1",
        "let {a = whole @ {b ? 7}, ..} = {a = {}, c = 1} in [whole, b]" => "[{}, 7]",
        "let rec {f, n} = {f = fun x => x + n, n = 2} in f 1" => "3",
    }
    equality: {
        "{a = 1, b = [2, {c = 'X 3}]} == {b = [2, {c = 'X 3}], a = 1}" => "true",
        "{a = 1} == {a = 1, b | optional}" => "true",
        "[1 + \"never forced\", 1] == [0, 2]" => "false",
        "{a | optional, b = 1} == {a = 1, b = 2}" => "<error: missing definition for `a`>",
        "(fun x => x) == 1" => "false",
        "1 == 2 / 2" => "true",
    }
    strings: {
        "\"%{1}%{'T}%{true}%{null}%{\"s\"}\"" => "\"1Ttruenulls\"",
        "m%\"\n  a\n    %{\"b\\nc\"}\n  \"%" => "\"a\\n  b\\n  c\"",
    }
    operators_that_decide_early: {
        "false && 1 + \"never forced\"" => "false",
        "true || 1 + \"never forced\"" => "true",
    }
}

reports! {
    operators_name_both_operands: {
        "1 + \"a\"" => "value/type: the right operand of `+` must be Number, but is String | \"a\" ← this is a String | 1 + \"a\" ← needed here",
        "!1" => "value/type: the operand of `!` must be Bool, but is Number | 1 ← this is a Number | !1 ← needed here",
        "1 / 0" => "value/undefined: division by zero | 1 / 0 ← ",
    }
    applications: {
        "1 2" => "value/not-a-function: not a function: a Number cannot be applied | 1 ← this is a Number",
        "'B |> match { 'A => 1 }" => "value/no-match: no pattern fits 'B | 'B |> match { 'A => 1 } ← no pattern here matches it",
        "let { a, b } = { a = 1 } in a" => "value/no-match: the pattern does not fit { a = 1 } | { a, b } ← the value does not have the field `b` | { a = 1 } ← this value",
        "(fun x => x) == (fun x => x)" => "value/incomparable: functions cannot be compared | (fun x => x) == (fun x => x) ← compared here",
    }
    fields: {
        "{foobar = 1}.foobaz" => "value/missing-field: missing field `foobaz` | {foobar = 1}.foobaz ← asked for here | {foobar = 1} ← this record has no such field",
        "{a = {b}, c = a.b + 1}" => "value/missing-definition: missing definition for `b` | b ← declared here, without a value | a.b ← needed here",
    }
    cycles_have_a_path: {
        "{a = b, b = c + 1, c = a}" => "value/infinite-recursion: infinite recursion: a → b → c → a | a ← `a` needs `b` | b ← `b` needs `c` | c ← `c` needs `a`",
        "let rec x = [1, y], y = x + 1 in y" => "value/type: the left operand of `+` must be Number, but is Array | x ← this is an Array | x + 1 ← needed here",
        "let rec x = 1 + x in x" => "value/infinite-recursion: infinite recursion: x → x | x ← `x` needs `x`",
    }
}

#[test]
fn without_an_outside_nothing_is_bound() {
    let mut sources = Sources::default();
    let source = sources.add("main.cfg", "std");
    let term = Dialect::CFG.program(source, "std", &StdNames).term;
    let mut machine = Machine::new(Rc::new(NoHost));
    let thunk = machine.thunk(&term);
    let fault = machine.force(&thunk).expect_err("nothing is bound");
    assert_eq!(fault.problem().code(), "value/unbound");
}
