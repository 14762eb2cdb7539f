//! Values that branches, elements and folds give several types, and values that may be `null`.

use super::{inferred, messages, says, ty};

#[test]
fn two_parameters_of_which_a_function_returns_one() {
    let choose = "let choose = fun c a b => if c then a else b in";
    ty("fun c a b => if c then a else b", "forall a. Bool -> a -> a -> a");
    ty("fun a b => [a, b]", "forall a. a -> a -> Array a");
    ty(&format!("{choose} choose true 1 2 + 1"), "Number");
    ty(&format!("{choose} {{ a = choose true 1 2, b = choose true [] [1] }}"), "{ a : Number, b : Array Number }");
    says(&format!("{choose} choose true 1 2 ++ \"a\""), "String", &["error: expected String, found Number"]);
    says(&format!("{choose} choose true 1 \"x\""), "Number", &["warning: expected Number, found String"]);
    ty("fun c a b => (if c then a else b) + 1", "Bool -> Number -> Number -> Number");
    ty("let f : forall a. Bool -> a -> a -> a = fun c x y => if c then x else y in f true 1 2", "Number");
    ty(&format!("{choose} let f : forall a. Bool -> a -> a -> a = choose in f true 1 2"), "Number");
    says(
        &format!("{choose} let f : forall a b. Bool -> a -> b -> a = choose in f true 1 2"),
        "Number",
        &["error: not as general as its annotation: `a` would have to be `b`"],
    );
}

#[test]
fn a_branch_that_merges_its_parameters() {
    ty("fun c a b => if c then a & b else a", "forall a b c. Bool -> a -> b -> (c | a) where c = a & b");
    ty(
        "let f = fun c a b => if c then a & b else a in [f true { x = 1 } { y = 2 }, f false { x = 2 } { z = \"s\" }]",
        "Array { x : Number, y? : Number, z? : String }",
    );
}

#[test]
fn branches_that_merge_one_record_with_different_ones() {
    let step = "let step = fun c r => if c then r & { a = 1 } else r & { b = \"x\" } in";
    ty(&format!("{step} step true {{}}"), "{ a? : Number, b? : String }");
    ty(&format!("{step} (step true {{ c = 1 }}).c"), "Number");
    ty("let f = fun c r => if c then r & { a = 1 } else r & { a = \"x\" } in f true {}", "{ a : Number | String }");
    ty(
        "std.array.fold_left (fun r c => if c then r & { a = 1 } else r & { b = 2 }) {} [true, false]",
        "{ a? : Number, b? : Number }",
    );
}

#[test]
fn an_array_of_functions_of_different_types() {
    ty("[fun s => s ++ \"a\", std.string.length]", "Array (String -> (Number | String))");
    ty("std.array.fold_left (fun r f => f r) { c = 0 } [fun r => { d = r.c + 1 }]", "{ c? : Number, d? : Number }");
    // that each step has the fields which the next one reads, only evaluation shows
    says(
        "let steps = [fun r => r & { a = 1 }, fun r => r & { b = 2 }] in std.array.fold_left (fun r f => f r) { c = 0 } steps",
        "{ a? : Number, b? : Number, c : Number }",
        &["warning: no field `a`"],
    );
    says(
        "[fun n => n + 1, fun s => s ++ \"a\"] |> std.array.map (fun f => f 1)",
        "Array (Number | String)",
        &["warning: expected Number, found String"],
    );
}

#[test]
fn a_value_that_may_be_null() {
    ty("fun c x => if c then x else null", "forall a. Bool -> a -> (a | Null)");
    ty(
        "let f = fun c x => if c then x else null in { a = f true 1, b = f false \"x\" }",
        "{ a : Null | Number, b : Null | String }",
    );
    ty("fun c x => (if c then x else null) + 1", "Bool -> Number -> Number");
    ty(
        "let first = fun xs => if std.array.length xs == 0 then null else std.array.first xs in { a = first [1], b = first [\"x\"] }",
        "{ a : Null | Number, b : Null | String }",
    );
    // of a further branch too
    ty(
        "let f = fun a b x => if a then 1 else if b then null else x in { u = f true true 2, v = f true true \"x\" }",
        "{ u : Null | Number, v : Null | Number | String }",
    );
    ty("let f = fun c x => (if c then x else null).a in f true { a = 1 }", "Number");
    // whether it is `null` where a number is needed, only evaluation shows
    let suspected = inferred("let f = fun c x => if c then x else null in f true 1 + 1").suspected;
    assert_eq!(suspected.len(), 1, "{suspected:?}");
    says("null + 1", "Number", &["error: expected Number, found Null"]);
}

#[test]
fn data_that_ends_with_null_may_nest_to_any_depth() {
    ty("let rec f = fun n => if n == 0 then { v = null } else { v = f (n - 1) } in f 3", "{ v : Dyn }");
    ty("let rec f = fun n u => if n == 0 then u else f (n - 1) { v = u } in f 3 null", "Dyn");
    ty("std.array.fold_left (fun acc x => { v = acc }) { v = null } [1, 2]", "Dyn");
    ty("std.array.fold_left (fun acc x => { v = acc, w = x }) null [1, 2]", "Dyn");
}

#[test]
fn a_fold_that_starts_from_null() {
    ty("std.array.fold_left (fun acc x => if acc == null then x else acc + x) null [1, 2]", "Null | Number");
    ty("std.array.fold_right (fun x acc => if acc == null then x else acc ++ x) null [\"a\"]", "Null | String");
    ty(
        "let find = fun p xs => std.array.fold_left (fun acc x => if acc == null && p x then x else acc) null xs in find (fun x => x > 1) [1]",
        "Dyn",
    );
    let out = inferred("std.array.fold_left (fun acc x => acc + x) null [1, 2]");
    assert_eq!(messages(&out), ["warning: expected Number, found Null"]);
}

#[test]
fn a_default_of_null_is_replaced_by_a_value_of_any_type() {
    ty("{ a | default = null, b = if a == null then 0 else a } & { a = 3 }", "{ a : Number, b : Dyn }");
    ty("{ a = null, b = [a] } & { a | force = 3 }", "{ a : Number, b : Array Number }");
    says("{ a | default = 1 } & { a = null }", "{ a : Null }", &["warning: `a` changes its type from Number to Null"]);
}
