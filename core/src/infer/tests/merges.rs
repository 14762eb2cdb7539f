//! Merges with their types or problems.

use super::{inferred, line, messages, says, ty};

#[test]
fn merges_of_known_records() {
    ty("{ a = 1 } & { b = \"x\" }", "{ a : Number, b : String }");
    ty("{ a | Number, b = a + 1 } & { a = 2 }", "{ a : Number, b : Number }");
    ty("{ a | Number, b = a + 1 }", "{ a! : Number, b : Number }");
    ty("{ a | Number | optional, b = 1 }", "{ a? : Number, b : Number }");
    ty(
        "{ conf | default = { foo = 1, bar.baz = \"stuff\" } } & { conf = { bar.baz = \"shapoinkl\" } }",
        "{ conf : { bar : { baz : String } } }",
    );
    ty(
        "{ foo | { bar : Num, baz : Str } } & {foo = {}} & {foo.bar = 1} & {foo.baz = \"a\"}",
        "{ foo : { bar : Number, baz : String } }",
    );
    ty(
        "{ foo | { bar : Num, baz : Str } } & ({foo = {}} & {foo.bar = 1} & {foo.baz = \"a\"})",
        "{ foo : { bar : Number, baz : String } }",
    );
    ty(
        "{ a | default = 1, b = a + 1 } & { a | priority 1 = 2 } & { a | priority 2 = 3 }",
        "{ a : Number, b : Number }",
    );
}

#[test]
fn merges_with_the_unknown() {
    ty("fun r => r & { x = 1 }", "forall r1. { x? : Number; r1 } -> { x : Number; r1 }");
    // one side becomes known while the constraint waits: it must not wake itself without end
    ty("fun y => (fun x => x & y) { b = 1 }", "forall r1. { b? : Number; r1 } -> { b : Number; r1 }");
    ty("fun a b => a & b", "forall a b c. a -> b -> c where c = a & b");
    ty("let f = fun r => r & { x = 1 } in f { y = \"a\" }", "{ x : Number, y : String }");
    says(
        "let f = fun r => r & { x = 1 } in f { x | default = \"a\" }",
        "{ x : Number }",
        &["warning: `x` changes its type from String to Number"],
    );
    // what is not known may have the same fields, and more below them
    let open = "{ a : { b : Number, c : { d : Number, .. }, .. }, .. }";
    ty("(std.deserialize 'Json \"{}\" | { .. }) & { a = { b = 1, c.d = 2 } }", open);
    ty("{ a.b = 1 } & (std.deserialize 'Json \"{}\" | { .. }) & { a.c.d = 2 }", open);
    // a field with a priority has its type twice, as its own and as that of its layer, at each level
    let deep = format!("{}1{}", "{ a | default = ".repeat(200), " }".repeat(200));
    assert_eq!(messages(&inferred(&format!("(std.deserialize 'Json \"{{}}\" | {{ .. }}) & {deep}"))), [""; 0]);
    ty("[{ a = 1, b = 2 }, (std.deserialize 'Json \"{}\" | { b | Number, .. })]", "Array { a? : Dyn, b : Number, .. }");
}

#[test]
fn merges_in_functions_end_and_do_not_guess_errors() {
    ty("(fun x y => x & y) { a = 1 } { b = 2 }", "{ a : Number, b : Number }");
    says(
        "let g = fun x y => x & y in (g { a | default = 1 } { a = \"s\" }).a ++ \"t\"",
        "String",
        &["warning: `a` changes its type from Number to String"],
    );
    ty("fun b r => b & r & { x = 1 }", "forall a b r1. a -> b -> { x : Number; r1 } where { x? : Number; r1 } = a & b");
}

#[test]
fn a_label_that_a_sibling_misses_may_come_with_a_merge() {
    // the merge supplies it: no problem
    let missing = [""; 0];
    says("{ c = s.b, s = { a = 1 } } & { s.b = 3 }", "{ c : Number, s : { a : Number, b : Number } }", &missing);
    says("({ s = {}, t = s, c = [t.b] } & { s.b = 3 }).c", "Array Number", &missing);
    says("({ s | default = {}, c = s.b } & { s = { b = 1 } }).c", "Number", &missing);
    says("({ s = {}, c = let t = s in [t.b] } & { s = { b = 1 } }).c", "Array Number", &missing);
    says("({ s.d = 1 } & { s = {}, c = s.b } & { s.b = 3 }).c", "Number", &missing);
    // supplying a label other than the missing one has no effect
    says("({ c = s.b, s = {} } & { s.d = 3 }).c", "Dyn", &["error: no field `b`"]);
}

#[test]
fn a_contract_that_is_a_field_may_be_extended_by_a_merge() {
    ty("let T = { S = {}, config | S = {} } in (T & { S.d | optional, config.d = 1 }).config", "{ d : Number }");
    says("let S = {} in { config | S = { d = 1 } }", "{ config : { d : Number } }", &["error: extra field `d`"]);
}

#[test]
fn a_merge_of_dictionaries_holds_the_values_of_both() {
    let merged = |left: &str, right: &str, merge: &str| {
        let program = format!("let d : {{ _ : {left} }} = {{}} in let e : {{ _ : {right} }} = {{}} in {merge}");
        line(&inferred(&program).scheme)
    };
    assert_eq!(merged("Number", "Number", "d & e"), "{ _ : Number }");
    assert_eq!(merged("Number", "String", "d & e"), "{ _ : Number | String }");
    assert_eq!(merged("Number", "String", "e & d"), "{ _ : Number | String }");
    assert_eq!(merged("Number", "String", "std.record.values (d & e)"), "Array (Number | String)");
    assert_eq!(merged("Number", "String", "{ a = d } & { a = e }"), "{ a : { _ : Number | String } }");
}

#[test]
fn two_contracts_on_a_bare_field_leave_out_what_both_leave_out() {
    let required = "{ x! : { a! : Number } }";
    ty("{ x | { a | optional | Number } } & { x | { a | Number } }", required);
    ty("{ x | { a | Number } } & { x | { a | optional | Number } }", required);
    ty("{ x | { a | optional | Number } } & { x | { a | optional | Number } }", "{ x! : { a? : Number } }");
    ty("{ x | { a | Number | default = 1 } } & { x | { a | Number } }", "{ x! : { a : Number } }");
}

#[test]
fn two_contracts_on_a_bare_field_let_in_what_both_let_in() {
    let meet = |a: &str, b: &str| {
        let both = [format!("{{ x | {a} }} & {{ x | {b} }}"), format!("{{ x | {b} }} & {{ x | {a} }}")];
        both.map(|program| line(&inferred(&program).scheme))
    };
    let found = [
        meet("{ _ | Number }", "{ a | Number }"),
        meet("{ _ | Number }", "{ a | Dyn, .. }"),
        meet("{ _ | Dyn }", "{ _ | Number }"),
    ];
    let expected = ["{ x! : { a! : Number } }", "{ x! : { a! : Number, .. } }", "{ x! : { _ : Number } }"];
    assert_eq!(found, expected.map(|ty| [ty, ty].map(String::from)));
}

#[test]
fn an_array_of_records_that_an_argument_overrides() {
    ty(
        "(fun k => k & { b = 1, a = [{ b = 0 }] }) { a | priority 2 = [{ c = 1 }] }",
        "{ a : Array { c : Number }, b : Number }",
    );
}

/// The elements of an array under a contract depend on the siblings that they were read from.
#[test]
fn elements_under_a_contract_follow_the_siblings_that_they_were_read_from() {
    let ty_of_h = "{ h : Array { a? : Number, n? : Number }, p : { h : { n : Number } } }";
    for contract in ["Array { _ : Number }", "Array { .. }", "Array Dyn"] {
        ty(&format!("{{ p = {{}}, h = [{{ a = 1 }}, p.h] }} & {{ p.h = {{ n = 1 }}, h | {contract} }}"), ty_of_h);
    }
}
