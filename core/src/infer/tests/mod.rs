//! Programs with their types or problems.

mod branches;
mod general;
mod given;
mod idioms;
mod jsonnet;
mod merges;
mod messages;
mod mixins;

use crate::dialect::cfg::library::{Entry, library};
use crate::dialect::cfg::notation::ty::line;
use crate::dialect::cfg::program;
use crate::dialect::{Dialect, StdNames};
use crate::infer::{InferHost, Inferred, LibraryItem, Options, infer};
use crate::problem::report::Report;
use crate::problem::{Problem, Severity};
use crate::term::Import;
use crate::text::{Name, SourceId, Span};
use crate::ty::Scheme;
use std::sync::Arc;

/// An environment with only the library.
pub(in crate::infer) struct Std;

impl InferHost for Std {
    fn global(&mut self, _: &Name) -> Option<Arc<Scheme>> {
        None
    }
    fn library(&mut self, path: &[Name]) -> Option<LibraryItem> {
        Some(match library(path)? {
            Entry::Module(m) => {
                let items = m.items.iter().map(|i| Name::from(i.name));
                LibraryItem::Module(items.chain(m.modules.iter().map(|m| Name::from(m.name()))).collect())
            }
            Entry::Item(item) => {
                let parsed = program(SourceId(9), item.ty, &StdNames);
                let (scheme, _) = crate::infer::scheme_of_type(&parsed.term, &mut NoStd);
                LibraryItem::Value(Arc::new(scheme))
            }
        })
    }
    fn import(&mut self, _: &Import, _: Span) -> Result<Arc<Scheme>, Problem> {
        Ok(Arc::new(Scheme::mono(crate::ty::Ty::Dyn(crate::ty::DynReason::Library).into())))
    }
    fn interrupted(&self, _: usize) -> bool {
        false
    }
}

struct NoStd;

impl InferHost for NoStd {
    fn global(&mut self, _: &Name) -> Option<Arc<Scheme>> {
        None
    }
    fn library(&mut self, _: &[Name]) -> Option<LibraryItem> {
        None
    }
    fn import(&mut self, _: &Import, _: Span) -> Result<Arc<Scheme>, Problem> {
        Ok(Arc::new(Scheme::mono(crate::ty::Ty::Bottom.into())))
    }
    fn interrupted(&self, _: usize) -> bool {
        false
    }
}

pub(in crate::infer) fn inferred(text: &str) -> Inferred {
    let parsed = program(SourceId(0), text, &StdNames);
    assert!(parsed.problems.is_empty(), "{text}: {:?}", parsed.problems);
    infer(&parsed.term, &mut Std, Options::default())
}

/// Checks the type of a program without problems.
#[track_caller]
fn ty(text: &str, expected: &str) {
    let out = inferred(text);
    assert_eq!(line(&out.scheme), expected, "{text}");
    assert_eq!(messages(&out), Vec::<String>::new(), "{text}");
}

/// Checks the type of a program and its problems, each as `error: …` or `warning: …`.
#[track_caller]
fn says(text: &str, expected: &str, problems: &[&str]) {
    let out = inferred(text);
    assert_eq!(line(&out.scheme), expected, "{text}");
    assert_eq!(messages(&out), problems, "{text}");
}

fn messages(out: &Inferred) -> Vec<String> {
    out.problems
        .iter()
        .map(|p| {
            let report = Report::of(p, Dialect::CFG.notation());
            let severity = if p.severity == Severity::Error { "error" } else { "warning" };
            format!("{severity}: {}", report.message)
        })
        .collect()
}

#[test]
fn literals_records_functions() {
    ty("1", "Number");
    ty("{ b = \"x\", a = { c = true } }", "{ a : { c : Bool }, b : String }");
    ty("fun x => x", "forall a. a -> a");
    ty("fun f x => f (f x)", "forall a. (a -> a) -> a -> a");
    ty("let id = fun x => x in { a = id 1, b = id \"x\" }", "{ a : Number, b : String }");
    ty("[]", "forall a. Array a");
    ty("[[1], []]", "Array (Array Number)");
    ty("fun r => r.x", "forall a. { x : a, .. } -> a");
    ty("fun r => r.x + r.y.z", "{ x : Number, y : { z : Number, .. }, .. } -> Number");
}

#[test]
fn a_field_that_is_a_function_is_polymorphic_for_its_siblings() {
    ty("{ id = fun x => x, a = id 1, b = id \"x\" }", "forall a. { a : Number, b : String, id : a -> a }");
    ty(
        "{ even = fun n => if n == 0 then true else odd (n - 1), odd = fun n => if n == 0 then false else even (n - 1) }",
        "{ even : Number -> Bool, odd : Number -> Bool }",
    );
}

/// As Hindley and Milner have it, both arguments have one type; an optional field of one of them is none of the other one.
#[test]
fn an_argument_with_a_field_that_the_other_one_lacks_is_a_warning() {
    let pick = "let pick = fun c a b => if c then a else b in";
    says(
        &format!("{pick} fun c => pick c {{ x = 1 }} (if c then {{ x = 1 }} else {{ x = 2, y = 3 }})"),
        "Bool -> { x : Number }",
        &["warning: extra field `y`"],
    );
    ty(
        &format!("{pick} fun c => pick c (if c then {{ x = 1 }} else {{ x = 2, y = 3 }}) {{ x = 1 }}"),
        "Bool -> { x : Number, y? : Number }",
    );
}

#[test]
fn conflicts() {
    says("{ a = 1 } & { a = \"one\" }", "{ a : Number | String }", &["error: `a` cannot be both Number and String"]);
    says(
        "{ foo | Num | default = 5, bar = foo } & { foo = \"a\" }",
        "{ bar : Number, foo : Number }",
        &["error: `foo` is String, its contract wants Number"],
    );
    says("let x = 1 + \"a\" in 2", "Number", &["warning: expected Number, found String"]);
    says("{ a = 1 + \"a\" }", "{ a : Number }", &["error: expected Number, found String"]);
    says("{ a | default = 1 + \"a\" } & { a = 2 }", "{ a : Number }", &["warning: expected Number, found String"]);
    says("let f = fun x => x + 1 in f \"a\"", "Number", &["error: expected Number, found String"]);
    says(
        "let f = fun x => if x == 1 then x + 1 else 0 in f \"a\"",
        "Number",
        &["warning: expected Number, found String"],
    );
    says("{ name = 1 }.nmae", "forall a. a", &["error: no field `nmae`"]);
    says("[1, \"a\"]", "Array (Number | String)", &["warning: array elements of different types: Number and String"]);
    says("(1 : String)", "String", &["error: expected String, found Number"]);
}

#[test]
fn what_reads_a_sibling_follows_it() {
    says(
        "{ a = \"x\", c = [a] } & { a | force = 0 }",
        "{ a : Number, c : Array Number }",
        &["warning: `a` changes its type from String to Number"],
    );
    says(
        "{ a | default = 1, b = a ++ \"x\" } & { a = \"s\" }",
        "{ a : String, b : String }",
        &["warning: expected String, found Number", "warning: `a` changes its type from Number to String"],
    );
    says(
        "{ a | default = 1, b = a ++ \"x\" }",
        "{ a : Number, b : String }",
        &["error: expected String, found Number"],
    );
    // a contract that lets further fields pass
    let changes = "{ a | { n | String, .. } | default = { n = \"x\" }, b | { n | String, .. } = a }";
    ty(
        &format!("{changes} & {{ a = {{ n = \"y\", m = 1 }} }}"),
        "{ a : { m : Number, n : String }, b : { m? : Number, n : String } }",
    );
}

#[test]
fn what_reads_an_array_follows_its_elements() {
    ty(
        "{ a | Number = 0, b = { v = 0 }, c = [a], d = [c] } & { c | force = [b], b }",
        "{ a : Number, b : { v : Number }, c : Array { v : Number }, d : Array (Array { v : Number }) }",
    );
    // an unknown type may be the one that the reader requires
    says(
        "{ a | default = 1, b = a ++ \"x\" } & { a = std.deserialize 'Json \"...\" }",
        "{ a : Dyn, b : String }",
        &["warning: expected String, found Number"],
    );
}

#[test]
fn what_fails_inside_of_a_branch_does_not_fail_with_it() {
    says("(match { x => { f = x.a } }) {} |> match { _ => 1 }", "Number", &["warning: no field `a`"]);
    says("{ c = 1 } |> match { x => { f = x.a } }", "forall a. { f : a }", &["error: no field `a`"]);
}

#[test]
fn enums_patterns_annotations() {
    ty("match { 'A => 1, 'B x => x }", "[| 'A, 'B Number |] -> Number");
    ty("match { 'A => 1, _ => 2 }", "forall r1. [| 'A; r1 |] -> Number");
    ty("{ kind = 'Plain }", "{ kind : [| 'Plain |] }");
    says("(match { 'A => 1 }) 'C", "Number", &["error: the value can be `'C`, which no pattern covers"]);
    ty("fun { a, b ? 3, ..rest } => a + b", "{ a : Number, b? : Number, .. } -> Number");
    ty("let f : forall a. a -> a = fun x => x in f 1", "Number");
    says(
        "let f : forall a. a -> a = fun x => x + 1 in f",
        "forall a. a -> a",
        &["error: not as general as its annotation: `a` would have to be Number"],
    );
    ty("let f : forall r. { x : Number; r } -> Number = fun r => r.x in f", "{ x : Number, .. } -> Number");
    ty("let Port = std.contract.from_predicate (fun p => p <= 65535) in Port", "Contract Number");
    ty(
        "{ build_inputs | {_: { name | Str, ..}} = { foo, bar } }",
        "{ build_inputs : { bar! : { name! : String }, foo! : { name! : String } } }",
    );
}

#[test]
fn shared_parts_cost_once() {
    let mut text = String::from("let s0 = { a = 1 } in\n");
    for i in 1..40 {
        text += &format!("let s{i} = {{ a = s{}, b = s{} }} in\n", i - 1, i - 1);
    }
    text += "std.array.length [s39, s39 & s39]";
    ty(&text, "Number");
}

#[test]
fn a_branch_sees_what_its_test_says() {
    ty("fun x => if std.is_number x then x + 1 else x ++ \"a\"", "forall a. a -> (Number | String)");
    ty("(fun x => if std.is_string x then std.string.length x else x) 1 + 1", "Number");
    ty("((fun x => if std.is_record x then x else {}) { a = 1 }).a", "Dyn");
    ty("fun x => if !(std.is_array x) then x else std.array.length x", "forall a. a -> Dyn");
    ty("fun x => std.is_record x && x.a == 1 || std.is_string x && x ++ \"\" == \"\"", "forall a. a -> Bool");
    ty("fun x => if std.typeof x == 'Number then x + 1 else 0", "forall a. a -> Number");
    ty("fun x => if x == null || x.a == 1 then 0 else x.a", "forall a. a -> Dyn");
    ty(
        "fun x => std.typeof x |> match { 'Number => x + 1, 'String => std.string.length x, _ => 0 }",
        "forall a. a -> Number",
    );
    ty("fun x => x |> match { [..] => 1, { a, .. } => a, _ => 0 }", "forall a. a -> Dyn");
    ty("fun x => x |> match { [..] => std.array.length x, { .. } => x.a + 1, _ => 0 }", "forall a. a -> Number");
    ty("(fun r => if std.is_string r.a then r.a ++ \"x\" else r.a) { a = 1 }", "Dyn");
    // a polymorphic function of the program is treated as a test
    ty(
        "let p = fun x => std.is_string x in fun x => if p x then x ++ \"a\" else x + 1",
        "forall a. a -> (Number | String)",
    );
    ty("fun p x => if p x then x + 1 else 0", "(Number -> Bool) -> Number -> Number");
    // a test of one field leaves the requirements of others
    ty("fun x y => if std.is_number x then y + 1 else 0", "forall a. a -> Number -> Number");
}

#[test]
fn a_field_that_is_asked_for_may_be_missing() {
    ty("fun r => if std.record.has_field \"a\" r then r.a + 1 else r.b", "{ a? : Number, b : Number, .. } -> Number");
    ty("(fun r => if std.record.has_field \"a\" r then r.a + 1 else r.b) { b = 1 }", "Number");
    ty("fun r => std.record.has_field \"a\" r && r.a.b == 1", "forall a. { a? : { b : a, .. }, .. } -> Bool");
    ty("fun r => r |> match { { a, .. } => a, _ => 0 }", "{ a? : Number, .. } -> Number");
}

#[test]
fn a_computed_field_of_a_contract_is_one_field() {
    ty("let n = \"x\" in let C = { \"%{n}\" = \"s\", .. } in { a = 1 } | C", "{ a : Number, .. }");
}

#[test]
fn parts_of_the_unknown_are_unknown() {
    ty("std.array.first (std.deserialize 'Json \"[1]\")", "Dyn");
    ty("[1] @ (std.deserialize 'Json \"[true]\")", "Array Dyn");
}

#[test]
fn arguments_in_conflict_make_no_errors_elsewhere() {
    let mixed = [
        "warning: element `[0]`: expected { a : Number }, found String",
        "warning: expected String, found { a : Number }",
    ];
    says("\"x\" ++ std.array.at_or 1 { a = 3 } [\"y\", \"z\"]", "String", &[mixed[1], mixed[0]]);
}

#[test]
fn literals_are_what_they_are_written_as() {
    says("[\"a\"] | Array Number", "Array Number", &["error: element `[0]` is String, its contract wants Number"]);
    says(
        "{ a | Array { b : Number } = [{ b = \"x\" }] }",
        "{ a : Array { b : Number } }",
        &["error: `a.b` is String, its contract wants Number"],
    );
    // an array that may be empty
    says(
        "std.array.filter (fun _ => false) [\"a\"] | Array Number",
        "Array Number",
        &["warning: expected Number, found String"],
    );
    let refused = ["error: the tag `'C` is not one of those that are allowed here"];
    says("{ a | [| 'A, 'B |] = 'C }", "{ a : [| 'A, 'B |] }", &refused);
    says("'C |> match { 'A => 1 }", "Number", &["error: the value can be `'C`, which no pattern covers"]);
    says("1 |> match { 'A => 1 }", "Number", &["error: expected [| 'A |], found Number"]);
    ty("let v = if 1 == 2 then 'A else 'B in v |> match { 'A => 1, 'B => 2 }", "Number");
}

#[test]
fn a_function_under_an_annotation_forces_what_it_forced() {
    let wrong = ["error: expected Number, found String"];
    says("let f | Number -> Number = fun x => x in f \"a\"", "Number", &wrong);
    says("let f : Number -> Number = fun x => x in f \"a\"", "Number", &wrong);
    says("let f : forall a. a -> a = fun x => x in f (1 + \"a\")", "Number", &wrong);
    says("let f | Number -> Number = fun x => 1 in f \"a\"", "Number", &["warning: expected Number, found String"]);
    says("(fun { a, b } => a + b) { a = 1 }", "Number", &["error: no field `b`"]);
    says("(fun { a } => a) { a = 1, b = 2 }", "Number", &["error: extra field `b`"]);
}

#[test]
fn elements_that_are_written_down_are_mapped_one_by_one() {
    says("std.array.map (fun x => x.foo) [{ foo = 1 }, { fo = 2 }]", "Array Number", &["error: no field `foo`"]);
    says("let _x = std.array.map (fun x => x.foo) [{ fo = 2 }] in 1", "Number", &["warning: no field `foo`"]);
    ty("[1, \"a\"] |> std.array.map (fun x => { v = x })", "Array { v : Number | String }");
}

#[test]
fn a_definition_is_what_its_readers_ask_for() {
    let wrong = ["error: field `a`: expected Number, found String"];
    says("{ a, b = a + 1 } & { a = \"s\" }", "{ a : String, b : Number }", &wrong);
    says("{ a, b = { c = [a + 1] } } & { a = \"s\" }", "{ a : String, b : { c : Array Number } }", &wrong);
    let perhaps = ["warning: field `a`: expected Number, found String"];
    says("{ a, b | not_exported = a + 1 } & { a = \"s\" }", "{ a : String, b : Number }", &perhaps);
    says("({ a, b = a + 1 } & { a = \"s\" }).a", "String", &perhaps);
    says(
        "let r = { a, b = a + 1 } in { x = r & { a = \"s\" }, y = r & { a = 1 } }.y",
        "{ a : Number, b : Number }",
        &perhaps,
    );
    says(
        "{ a, b = a + 1 } & { a | default = \"s\" } & { a = 1 }",
        "{ a : Number, b : Number }",
        &[perhaps[0], "warning: `a` changes its type from String to Number"],
    );
    says("{ a, b | default = a + 1 } & { a = \"s\", b = 1 }", "{ a : String, b : Number }", &perhaps);
}

#[test]
fn structures_that_share_their_parts_are_compared_once_a_part() {
    let shared = |leaf: &str, of: &dyn Fn(&str, &str, u32) -> String| {
        let level = |n| format!("{} {} ", of("x", leaf, n), of("y", leaf, n));
        (0..40).map(level).collect::<String>()
    };
    let records = shared("{ v = 1 }", &|x, leaf, n| match n {
        0 => format!("let {x}0 = {leaf} in"),
        n => format!("let {x}{n} = {{ a = {x}{0}, b = {x}{0} }} in", n - 1),
    });
    ty(&format!("{records} x39 == y39"), "Bool");
    ty(&format!("{records} std.array.length [x39, y39]"), "Number");
    ty(&format!("{records} (({{ p | default = x39 }} & {{ p = y39 }}).p == x39)"), "Bool");
    let contracts = shared("{ v | Number }", &|x, leaf, n| match n {
        0 => format!("let {x}0 = {leaf} in"),
        n => format!("let {x}{n} = {{ a | {x}{0}, b | {x}{0} }} in", n - 1),
    });
    ty(&format!("{contracts} std.array.length [x39, y39]"), "Number");
    ty(&format!("{contracts} std.record.length ({{ p | x39 | optional }} & {{ p | y39 | optional }})"), "Number");
}

#[test]
fn elements_of_different_fields_have_what_all_have_and_may_have_the_rest() {
    ty(
        "[{ a = 1, b = 1 }, { a = 2, c = 1 }, { a = 3 }, { a = 4, b = 2 }]",
        "Array { a : Number, b? : Number, c? : Number }",
    );
    ty("[{ a = 1 }, {}, { a = 1, b = 1 }]", "Array { a? : Number, b? : Number }");
    ty("[{ s = { a = 1 } }, { s = { b = 1 } }, { s = {} }]", "Array { s : { a? : Number, b? : Number } }");
    says(
        "[{ a = 1 }, {}, { a = \"\" }]",
        "Array { a? : Number | String }",
        &["warning: parts of array elements have different types: Number and String"],
    );
}

#[test]
fn what_only_some_records_have_may_be_missing() {
    ty("if 1 == 2 then { a | Number } else {}", "{ a? : Number }");
    ty(
        "let n = \"b\" in [{ a = { c = 1 } }, { \"%{n}\" = 1 }] |> std.array.at 0",
        "{ a? : Number | { c : Number }, .. }",
    );
}

#[test]
fn a_contract_of_any_value_keeps_its_type() {
    ty("({ name | std.string.Stringable } & { name = 10 }).name", "Number");
}

#[test]
fn names_of_places_and_of_tests_narrow_as_these_do() {
    ty("fun x => let y = x in if std.is_number y then y + 1 else 0", "forall a. a -> Number");
    ty("fun x => let t = std.typeof x in if t == 'Number then x + 1 else 0", "forall a. a -> Number");
    ty("fun x => let known = std.is_string x in if known then x ++ \"\" else \"\"", "forall a. a -> String");
}

#[test]
fn a_name_of_a_literal_is_what_is_written() {
    let wrong = ["error: expected Number, found String"];
    says("let xs = [\"a\"] in xs | Array Number", "Array Number", &wrong);
    says("{ xs = [\"a\"], ys = xs | Array Number }", "{ xs : Array String, ys : Array Number }", &wrong);
    // the overriding array may be empty
    says(
        "{ xs = [\"a\"], ys = xs | Array Number } & { xs | force = std.array.filter (fun _ => false) [\"b\"] }",
        "{ xs : Array String, ys : Array Number }",
        &["warning: expected Number, found String"],
    );
}

#[test]
fn the_pattern_of_a_let_is_matched_where_the_let_is() {
    says("let { a } = { b = 1 } in 5", "Number", &["error: extra field `b`"]);
    says("let { a = { b }, .. } = { a = {} } in 5", "Number", &["error: no field `b`"]);
    // a contract in a pattern is applied later
    says("let { a | String } = { a = 1 } in 5", "Number", &["warning: field `a`: expected String, found Number"]);
}

#[test]
fn the_reader_of_a_bare_declaration_reads_what_defines_it() {
    ty(
        "{ b = [a], c = [b], a } & { a | Number = 0, b | Number | force = 0, d = [c], c }",
        "{ a : Number, b : Number, c : Array Number, d : Array (Array Number) }",
    );
}

#[test]
fn the_default_of_a_contract_is_not_what_an_annotation_states() {
    let made = "let make : Dyn -> C = fun x => C & { a | force = { b = x } } in (make 1).a";
    ty(&format!("let C = {{ a | Dyn | default = {{ c = 1 }} }} in {made}"), "Dyn");
    says(
        "let C = { a | String | default = \"\" } in { a = 1 } : C",
        "{ a : String }",
        &["error: field `a`: expected String, found Number"],
    );
}

#[test]
fn a_test_for_records_divides_a_union() {
    let x = "fun b => let x = if b then { a = 1 } else 3 in";
    let mixed = &["warning: branches of different types: { a : Number } and Number"];
    says(&format!("{x} if std.is_record x then x.a else x + 1"), "Bool -> Number", mixed);
    says(&format!("{x} if std.is_number x then x + 1 else x.a"), "Bool -> Number", mixed);
}

#[test]
fn an_extra_field_near_a_missing_one_is_meant_to_be_it() {
    let help = |program: &str| {
        let problems = inferred(program).problems;
        let help = |problem: &Problem| Report::of(problem, Dialect::CFG.notation()).suggestions;
        problems.iter().flat_map(help).collect::<Vec<_>>()
    };
    // `port` is missing
    assert_eq!(help("{ portt = 1 } | { port | Number, part | Number }"), ["did you mean `port`?"]);
    // `port` is a default, which may be meant to be overridden
    assert_eq!(help("({ port | default = 1 } & { prot = 2 }) | { port | Number }"), ["did you mean `port`?"]);
    // `port` is there, so that it cannot be meant
    let further = ["`..` at the end of a pattern or of a record's type allows further fields"];
    assert_eq!(help("{ port = 1, portt = 2 } | { port | Number }"), further);
    assert_eq!(help("{ port = 1, portt = 2 } | { port | Number, ports | Number }"), ["did you mean `ports`?"]);
}

#[test]
fn a_field_beside_a_dictionary_may_be_defined_by_it() {
    let both = "{ x : Number | String, .. }";
    let three = "{ x : Bool | Number | String, .. }";
    let programs = [
        ("d & { x | default = \"s\" }", both),
        ("{ x | default = \"s\" } & d", both),
        ("d & { x = \"s\" }", both),
        ("d & { x = 2 }", "{ x : Number, .. }"),
        ("{ a = d } & { a.x | default = \"s\" }", "{ a : { x : Number | String, .. } }"),
        ("(d & { x | default = \"s\" }).x", "Number | String"),
        // whoever reads the field reads what the dictionary has
        ("d & { x | default = \"s\", y = x }", "{ x : Number | String, y : Number | String, .. }"),
        ("d & { x | Number }", "{ x? : Number, .. }"),
        // a later definition is not certain to decide either
        ("d & { x | default = \"s\" } & { x | priority 5 = \"t\" }", both),
        // two dictionaries do not clash
        ("(d & { x | default = \"s\" }) & (e & { x = \"t\" })", three),
        ("d & { x = \"s\" } & e", three),
        // nothing is demanded of a value that is not known yet
        ("fun v => d & { x = v }", "forall a. a -> { x : Dyn, .. }"),
        ("(r & { x = { a = 1, b = 2 } }).x.b + 1", "Number"),
    ];
    let lets = "let d : { _ : Number } = { x = 1 }, e : { _ : Bool } = {}, r : { _ : { a : Number } } = {} in";
    let found = programs.map(|(program, _)| {
        let out = inferred(&format!("{lets} {program}"));
        let errors: Vec<String> = messages(&out).into_iter().filter(|said| said.starts_with("error")).collect();
        (program, line(&out.scheme), errors)
    });
    let expected = programs.map(|(program, expected)| (program, expected.to_owned(), Vec::new()));
    assert_eq!(found, expected);
}

#[test]
fn a_function_that_may_be_another_one_is_no_certain_failure() {
    // `g` is the identity
    let program = "(fun g => let both = [g, fun x => x + 1] in g \"s\") (fun x => x)";
    let said = messages(&inferred(program));
    assert!(said.iter().all(|problem| !problem.starts_with("error")), "{said:?}");
}
