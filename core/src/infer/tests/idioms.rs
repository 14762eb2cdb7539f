//! Programs as people write them: contracts that convert, records passed to functions by the names of their fields, schemas that
//! merges extend, and data that nests.

use super::{says, ty};

#[test]
fn a_contract_on_a_parameter_may_convert_the_argument() {
    let sugar = "let Sugar = fun label value => if std.is_string value then { input = value } else value in";
    ty(
        &format!("{sugar} let f | Sugar -> {{ input : String, .. }} = fun x => x in f \"nixpkgs\""),
        "{ input : String, .. }",
    );
    says("let f | Dyn -> Number = fun x => x + 1 in f \"s\"", "Number", &["error: expected Number, found String"]);
}

#[test]
fn a_value_under_a_contract_that_converts_is_unknown() {
    let check = "let IsText = std.contract.custom (fun _ v => 'Ok (std.is_string v)) in";
    ty(&format!("{check} (fun e => if (e.v | IsText) then e.v else \"\") {{ v = \"x\" }}"), "String");
    says(
        &format!("{check} (if true then null else {{ a = 1 }}) | IsText"),
        "Dyn",
        &["warning: branches of different types: Null and { a : Number }"],
    );
}

#[test]
fn a_function_that_names_a_field_takes_any_record_with_it() {
    ty("let f = fun r => std.record.update \"a\" 1 r in f { a = 0, b = \"x\" }", "{ a : Number, .. }");
    ty("let f = fun r => std.record.get_or \"a\" 1 r in f { b = \"x\" } + 1", "Number");
    ty("let record = std.record in record.update \"a\" \"y\" { a = 1, b = true }", "{ a : String, b : Bool }");
    ty("let record = std.record in record.get \"a\" { a = 1, b = \"x\" } + 1", "Number");
}

#[test]
fn a_fold_may_return_the_record_as_it_is() {
    ty(
        "std.array.fold_right (fun e acc => if e.k then acc & { \"%{e.n}\" | Number } else acc) {} [{ n = \"a\", k = true }]",
        "{ _ : Number }",
    );
}

#[test]
fn a_reader_of_a_declared_field_reads_it_under_its_contract() {
    ty(
        "{ Schema = { e | { on | Bool | default = true } | default = {} }, c | Schema = { e, r = if e.on then 1 else 2 } }.c.r",
        "Number",
    );
}

#[test]
fn a_schema_that_is_a_field_may_still_get_the_extra_field() {
    ty("({ S = { a | Number }, c | S = { a = 1, b = 2 } } & { S = { b | Number } }).c", "{ a : Number, b : Number }");
}

#[test]
fn the_fields_of_a_dictionary_may_have_different_tags() {
    let contract = "{ a | optional | [| 'X, 'Y |], b | optional | [| 'Z |] }";
    ty(
        &format!("(fun r => std.record.map (fun k v => std.to_string v) r) ({{ a = 'X }} | {contract})"),
        "{ _ : String }",
    );
}

#[test]
fn data_may_nest_to_any_depth() {
    ty("fun xs => std.array.reduce_left (fun acc x => { l = [acc, x] }) xs", "Array Dyn -> Dyn");
    says("fun x => x x", "forall a b. a -> b", &["warning: a value contains itself: its type would be infinite"]);
}

#[test]
fn a_record_that_lacks_a_field_of_its_type_fails() {
    let lacks = "error: no field `b`";
    says("{ a = 1 } | { a : Number, b : Number }", "{ a : Number, b! : Number }", &[lacks]);
    says("{ r | { b : Number } = {} }", "{ r : { b! : Number } }", &[lacks]);
    says("{ b | optional } | { b : Number }", "{ b? : Number }", &[lacks]);
    ty("{ r | { b : Number } = {} } & { r.b = 1 }", "{ r : { b : Number } }");
    ty("({ b } | { b : Number }) & { b = 1 }", "{ b : Number }");
}

#[test]
fn branches_with_one_tag_may_have_different_arguments() {
    ty(
        "if true then 'Error { m = 1 } else 'Error { m = 2, n = [] }",
        "forall a. [| 'Error { m : Number, n? : Array a } |]",
    );
    ty(
        "fun v => std.typeof v |> match { 'Number => 'Ok v, 'String => 'Ok v, _ => 'Error }",
        "forall a. a -> [| 'Error, 'Ok (Number | String) |]",
    );
}

#[test]
fn an_override_of_a_value_that_its_contract_refuses_changes_the_type() {
    says(
        "{ a | default = 1, b = a + 1 } & { a | String = \"x\" }",
        "{ a : String, b : Number }",
        &["warning: `a` changes its type from Number to String"],
    );
    ty("{ a | default = 1 } & { a | Dyn = \"x\" }", "{ a : String }");
}

#[test]
fn a_tag_inside_of_a_record_is_still_the_overridden_one() {
    says(
        "{ k | default = 'A, r = { t = k } |> match { { t = 'A } => 1, { t = 'B } => 2 } } & { k = 'C }",
        "{ k : [| 'C |], r : Number }",
        &["warning: the tag `'C` is not one of those that are allowed here"],
    );
    ty(
        "{ k | default = 'A, r = { t = k } |> match { { t = 'A } => 1, { t = 'B } => 2 } } & { k = 'B }",
        "{ k : [| 'B |], r : Number }",
    );
}

#[test]
fn a_polymorphic_contract_is_checked_for_generality() {
    says(
        "let f | forall a. a -> a = fun x => 1 in f \"x\"",
        "String",
        &["warning: not as general as its annotation: `a` would have to be Number"],
    );
    ty("let f | forall a. a -> a = fun x => x in { n = f 1, s = f \"x\" }", "{ n : Number, s : String }");
    ty("let f | forall a b. (a -> b) -> Array a -> Array b = std.array.map in f (fun x => x + 1) [1]", "Array Number");
    ty("(fun f => (f | forall a. a -> a) 1) (fun x => x)", "Number");
}

#[test]
fn a_schema_with_a_field_of_any_type_is_a_record_contract() {
    ty(
        "let m = { S = { a | Number, any }, c | S = { a = 1, any = 2 } } in (m & { S = { b | Number }, c = { b = 3 } }).c",
        "{ a : Number, any : Number, b : Number }",
    );
}

#[test]
fn a_default_that_is_null_says_nothing_of_the_value() {
    ty("let f = fun { a ? null, .. } => if a == null then 0 else a + 1 in f {} + f { a = 1 }", "Number");
    ty("let f = fun { a ? null, .. } => a in f { a = 1 }", "Dyn");
}

#[test]
fn a_merge_supplies_the_field_that_a_sibling_lacked() {
    ty("{ m.x = 1, r = m.y } & { m.y = 2 }", "{ m : { x : Number, y : Number }, r : Number }");
    says("{ m.x = 1, r = m.y }", "forall a. { m : { x : Number }, r : a }", &["error: no field `y`"]);
}

#[test]
fn one_of_several_contracts_may_be_a_predicate() {
    let null_or = "let NullOr = fun C => std.contract.any_of [std.contract.from_predicate (fun v => v == null), C] in";
    ty(&format!("{null_or} {{ a | NullOr String = null, b | NullOr String = \"x\" }}"), "{ a : Dyn, b : Dyn }");
    says("1 | std.contract.any_of [String, Bool]", "Bool | String", &["warning: expected Bool | String, found Number"]);
}

#[test]
fn a_function_that_reads_a_field_by_name_takes_any_record_with_it() {
    ty("[{ a = 1, b = \"x\" }] |> std.array.map (std.record.get \"a\")", "Array Number");
}

/// A contract that is not known may be any, whatever contract is beside it.
#[test]
fn a_known_contract_says_nothing_of_another_one() {
    let null_or = "let NullOr = fun C => let all = [std.contract.Equal null, C] in std.contract.any_of all in";
    ty(&format!("{null_or} 1 | NullOr Number"), "Dyn");
    ty("let f = fun C => std.contract.any_of ([String] @ [C]) in 1 | f Number", "Dyn");
    ty("let f = fun C => if true then String else C in 1 | f Number", "Dyn");
    ty("let f = fun C => [String, C] in std.array.length (f { a | Number })", "Number");
    ty("fun C => [String, C]", "forall a. Contract a -> Array (Contract Dyn)");
}

/// A caller chooses which fields a record has, also where another branch or element is a record that the function makes.
#[test]
fn a_record_that_a_caller_chooses_keeps_its_fields() {
    for (text, expected) in [
        ("let opt = fun c r => if c then r else {} in { a = 1 } & opt true { b = 2 }", "{ a : Number, b? : Number }"),
        (
            "let with = fun r => if r.c then r else { c = true } in with { c = true, d = 1 }",
            "{ c : Bool, d? : Number }",
        ),
        (
            "let f = fun x => x |> match { { a, .. } => x, _ => { a = 0 } } in f { a = 1, b = 2 }",
            "{ a? : Number, b? : Number }",
        ),
        ("let f = fun x => [x, { a = 1 }] in f { b = 2 }", "Array { a? : Number, b? : Number }"),
        ("let f = fun xs => xs @ [{ a = 1 }] in f [{ b = 2 }]", "Array { a? : Number, b? : Number }"),
        ("let f = fun r => if r == {} then r else r & { a = 1 } in (f { b = 2 }).a", "Number"),
        (
            "let f = fun o => if std.record.has_field \"l\" o then o.l else {} in [f { n = 1 }, f { l.x = \"y\" }]",
            "Array { x? : String }",
        ),
        (
            "let f = fun a b => if a.x then a else b in f { x = true, y = 1 } { z = 2 }",
            "{ x? : Bool, y? : Number, z? : Number }",
        ),
        ("let rec f = fun n => if n == 0 then { a = 1 } else f (n - 1) in f 3", "{ a : Number }"),
    ] {
        ty(text, expected);
    }
    says(
        "let opt = fun c r => if c then r else {} in opt true { b = 2 } |> match { { b, .. } => b + \"x\" }",
        "Number",
        &["error: expected Number, found String"],
    );
}

/// The type of a function that returns a record which its caller chooses, as it is shown, and under an annotation.
#[test]
fn a_function_that_returns_a_record_of_its_caller() {
    ty("fun r => if r.c then r else { c = true }", "forall r1. { c : Bool; r1 } -> ({ c : Bool; r1 } | { c : Bool })");
    ty("fun c r => if c then r else {}", "forall a. Bool -> a -> (a | {})");
    let not_general = "error: not as general as its annotation: `r1` would have to be {}";
    let body = "fun x => if x.a > 1 then x else { a = 1 }";
    says(
        &format!("({body}) : forall r. {{ a : Number; r }} -> {{ a : Number; r }}"),
        "forall r1. { a : Number; r1 } -> { a : Number; r1 }",
        &[not_general],
    );
    says(
        "(fun x => if x.a > 1 then x else { a = 1, b = 2 }) : { a : Number } -> { a : Number }",
        "{ a : Number } -> { a : Number }",
        &["error: no field `b`"],
    );
}

#[test]
fn the_fields_of_a_record_need_not_have_the_fields_of_each_other() {
    let r = "{ web = { a = 1, b = 2 }, db = { a = 2 } }";
    ty(&format!("std.record.values {r}"), "Array { a : Number, b? : Number }");
    ty(&format!("{r} |> std.record.map_values (fun x => x.a)"), "{ _ : Number }");
    ty(&format!("std.record.map (fun _ x => x.a) {r}"), "{ _ : Number }");
    ty(
        "let f = fun c => if c then { a = 1, b = 2 } else { a = 1 } in std.record.values { x = f true, y = { a = 2 } }",
        "Array { a : Number, b? : Number }",
    );
    says(
        "std.record.map (fun _ x => x.c) { x = { a = 1 }, y = { b = 1 } }",
        "forall a. { _ : a }",
        &["warning: no field `c`"],
    );
}
