//! Reports of the most common mistakes: the place, both types, the reason, and a suggestion.

use crate::dialect::Dialect;
use crate::infer::tests::inferred;
use crate::problem::Problem;
use crate::problem::report::Report;
use crate::text::Sources;
use crate::view::report::report;
use expect_test::{Expect, expect};

/// Checks the report of a program.
#[track_caller]
pub(super) fn shown(text: &str, expected: Expect) {
    let mut sources = Sources::default();
    sources.add("main.cfg", text);
    let problems = inferred(text).problems;
    let all = problems.iter().map(|p| report(&Report::of(p, Dialect::CFG.notation()), &sources, 100, false).text());
    expected.assert_eq(&all.collect::<Vec<_>>().join("\n"));
}

#[test]
fn an_operand_of_another_type() {
    shown(
        "let name = \"a\" in\nname + 1",
        expect![[r#"
            error: expected Number, found String [types/conflict]
             --> main.cfg:2:1
              |
            2 | name + 1
              | ^^^^ this is String
             ::: main.cfg:1:12
              |
            1 | let name = "a" in
              |            --- `name` is defined here
              |
              = note: `+` works on Number
              = help: strings are joined with `++`; another value is put into a string: `"a%{x}"`"#]],
    );
}

#[test]
fn both_operands_of_another_type() {
    shown(
        "\"a\" + \"b\"",
        expect![[r#"
            error: expected Number, found String [types/conflict]
             --> main.cfg:1:1
              |
            1 | "a" + "b"
              | ^^^   --- and this is String
              | |
              | this is String
              |
              = note: `+` works on Number
              = help: strings are joined with `++`; another value is put into a string: `"a%{x}"`"#]],
    );
}

#[test]
fn an_argument_of_another_type() {
    shown(
        "let double = fun x => x * 2 in\ndouble \"4\"",
        expect![[r#"
            error: expected Number, found String [types/conflict]
             --> main.cfg:2:8
              |
            2 | double "4"
              | ------ ^^^ this is String
              | |
              | `double` takes Number as its first argument
             ::: main.cfg:1:23
              |
            1 | let double = fun x => x * 2 in
              |                       - `*` works on Number
              |
              = help: `std.string.to_number` makes a number of a text"#]],
    );
}

#[test]
fn a_part_of_an_argument() {
    shown(
        "let start = fun c => c.port + 1 in\nstart { port = \"80\" }",
        expect![[r#"
            error: field `port`: expected Number, found String [types/conflict]
             --> main.cfg:2:7
              |
            2 | start { port = "80" }
              | ----- ^^^^^^^^^^^^^^^ `port` of this is String
              | |
              | `start` needs `port : Number`
             ::: main.cfg:1:22
              |
            1 | let start = fun c => c.port + 1 in
              |                      ------ `+` works on Number
              |
              = help: `std.string.to_number` makes a number of a text"#]],
    );
    shown(
        "std.array.length 3",
        expect![[r#"
            error: expected Array a, found Number [types/conflict]
             --> main.cfg:1:18
              |
            1 | std.array.length 3
              | ---------------- ^ this is Number
              | |
              | `length` takes Array a as its first argument
              |
              = help: an array is written in brackets, also with one element: `[x]`"#]],
    );
}

#[test]
fn a_misspelt_field() {
    shown(
        "let server = { name = \"a\", port = 80 } in\nserver.prot",
        expect![[r#"
        error: no field `prot` [types/missing-field]
         --> main.cfg:2:1
          |
        2 | server.prot
          | ^^^^^^^^^^^ this is { name : String, port : Number }
         ::: main.cfg:1:14
          |
        1 | let server = { name = "a", port = 80 } in
          |              ------------------------- `server` is defined here
          |
          = help: did you mean `port`?"#]],
    );
    shown(
        "let server = { name = \"a\" } in\nserver.name.length",
        expect![[r#"
            error: String has no field `length` [types/conflict]
             --> main.cfg:2:1
              |
            2 | server.name.length
              | ^^^^^^^^^^^ this is String
              |
              = note: only a record has a field `length`
              = help: the functions of strings are in `std.string`: `std.string.length text`"#]],
    );
}

#[test]
fn a_contract_that_is_not_met() {
    shown(
        "{\n  port | Number = \"80\",\n}",
        expect![[r#"
            error: `port` is String, its contract wants Number [types/conflict]
             --> main.cfg:2:19
              |
            2 |   port | Number = "80",
              |          ------   ^^^^ this is String
              |          |
              |          the contract wants Number
              |
              = help: a number is written without quotes; `std.string.to_number` makes one of a text"#]],
    );
    shown(
        "{ server | { name | String, port | Number } = { name = \"a\", prot = 80 } }",
        expect![[r#"
            error: extra field `prot` [types/extra-field]
             --> main.cfg:1:61
              |
            1 | { server | { name | String, port | Number } = { name = "a", prot = 80 } }
              |            --------------------------------                 ^^^^ `prot` is not allowed here
              |            |
              |            the contract has no `prot`, and no `..` that would let it pass
              |
              = help: did you mean `port`?"#]],
    );
    shown(
        "{ protocol | [| 'Http, 'Ftp |] = 'Htpp }",
        expect![[r#"
            error: the tag `'Htpp` is not one of those that are allowed here [types/unknown-tag]
             --> main.cfg:1:34
              |
            1 | { protocol | [| 'Http, 'Ftp |] = 'Htpp }
              |              -----------------   ^^^^^ this can be `'Htpp`
              |              |
              |              the contract has no `'Htpp`
              |
              = help: did you mean `'Http`?"#]],
    );
}

#[test]
fn definitions_of_several_types() {
    shown(
        "{ port = 80 } & {\n  port = \"80\",\n}",
        expect![[r#"
            error: `port` cannot be both Number and String [types/conflict]
             --> main.cfg:2:10
              |
            2 |   port = "80",
              |          ^^^^ this is String
             ::: main.cfg:1:10
              |
            1 | { port = 80 } & {
              |          -- and this is Number"#]],
    );
    shown(
        "{ port | default = \"80\" } & { port = 80 }",
        expect![[r#"
            warning: `port` changes its type from String to Number [types/changes-type]
             --> main.cfg:1:38
              |
            1 | { port | default = "80" } & { port = 80 }
              |                    ----              ^^ the stronger definition is Number
              |                    |
              |                    the weaker one is String
              |
              = note: what reads this field was checked as if it were String"#]],
    );
}

#[test]
fn a_condition_that_is_none() {
    shown(
        "let debug = 1 in\nif debug then \"a\" else \"b\"",
        expect![[r#"
            error: expected Bool, found Number [types/conflict]
             --> main.cfg:2:4
              |
            2 | if debug then "a" else "b"
              |    ^^^^^ this is Number
             ::: main.cfg:1:13
              |
            1 | let debug = 1 in
              |             - `debug` is defined here
              |
              = note: a condition is a Bool
              = help: a number is compared with another one: `n != 0`"#]],
    );
}

#[test]
fn an_annotation_that_does_not_hold() {
    shown(
        "let shout : Number -> String = fun x => x ++ \"!\" in\nshout 1",
        expect![[r#"
            error: expected Number, found String [types/conflict]
             --> main.cfg:1:41
              |
            1 | let shout : Number -> String = fun x => x ++ "!" in
              |             ----------------            -^^^^^^^
              |             |                           |
              |             |                           a part of this is String
              |             |                           String because of this: an operand of `++`
              |             the annotation says Number -> String
              |
              = help: a number is written without quotes; `std.string.to_number` makes one of a text"#]],
    );
    shown(
        "let same : forall a. a -> a = fun x => x + 1 in\nsame 1",
        expect![[r#"
            error: not as general as its annotation: `a` would have to be Number [types/not-general]
             --> main.cfg:1:31
              |
            1 | let same : forall a. a -> a = fun x => x + 1 in
              |            ----------------   ^^^^^^^^^^^^^^ this works for Number only
              |            |
              |            `a` stands for any type the caller chooses
              |
              = help: let the annotation have `Number` in the place of `a`, or use only what works for every type"#]],
    );
}

#[test]
fn a_pattern_that_does_not_fit() {
    shown(
        "let { host, port } = { host = \"a\" } in host",
        expect![[r#"
        error: no field `port` [types/missing-field]
         --> main.cfg:1:22
          |
        1 | let { host, port } = { host = "a" } in host
          |     --------------   ^^^^^^^^^^^^^^ this is { host : String }
          |     |
          |     the pattern asks for `port`"#]],
    );
    shown(
        "let mode = 'Fast in\nmode |> match { 'Slow => 1, 'Safe => 2 }",
        expect![[r#"
        error: the value can be `'Fast`, which no pattern covers [types/unknown-tag]
         --> main.cfg:2:1
          |
        2 | mode |> match { 'Slow => 1, 'Safe => 2 }
          | ^^^^            ----------------- `'Fast` is not covered
          | |
          | this can be `'Fast`
          |
          = help: add an arm: `'Fast => …`"#]],
    );
}

#[test]
fn a_call_of_what_is_no_function() {
    shown(
        "[1 2]",
        expect![[r#"
            error: Number is not a function [types/not-a-function]
             --> main.cfg:1:2
              |
            1 | [1 2]
              |  ^ called here
              |
              = help: the text after it is read as its argument: is a comma or an operator missing?"#]],
    );
    shown(
        "(fun x => x + 1) 1 2",
        expect![[r#"
            error: too many arguments: the function takes 1 [types/not-a-function]
             --> main.cfg:1:20
              |
            1 | (fun x => x + 1) 1 2
              |                    ^ one too many: with 1, the result is Number
              |
              = help: remove the further arguments, or add a parameter to the function"#]],
    );
}

#[test]
fn branches_and_elements_of_several_types() {
    shown(
        "[80, \"443\"]",
        expect![[r#"
        warning: array elements of different types: Number and String [types/mixed]
         --> main.cfg:1:6
          |
        1 | [80, "443"]
          |  --  ^^^^^ this is String
          |  |
          |  and this is Number"#]],
    );
    // the label on the first element names the type of that element
    shown(
        "[\"a\", 1, true]",
        expect![[r#"
        warning: array elements of different types: String and Number [types/mixed]
         --> main.cfg:1:7
          |
        1 | ["a", 1, true]
          |  ---  ^ this is Number
          |  |
          |  and this is String
        warning: array elements of different types: String and Bool [types/mixed]
         --> main.cfg:1:10
          |
        1 | ["a", 1, true]
          |  ---     ^^^^ this is Bool
          |  |
          |  and this is String"#]],
    );
    shown(
        "fun x => if x then 1 else \"one\"",
        expect![[r#"
        warning: branches of different types: Number and String [types/mixed]
         --> main.cfg:1:27
          |
        1 | fun x => if x then 1 else "one"
          |                    -      ^^^^^ this is String
          |                    |
          |                    and this is Number"#]],
    );
}

#[test]
fn an_element_of_another_type() {
    shown(
        "[1, \"x\", 3] : Array Number",
        expect![[r#"
            error: element `[1]`: expected Number, found String [types/conflict]
             --> main.cfg:1:5
              |
            1 | [1, "x", 3] : Array Number
              |     ^^^       ------------ the annotation says Array Number
              |     |
              |     this is String
              |
              = help: a number is written without quotes; `std.string.to_number` makes one of a text"#]],
    );
    shown(
        "{ a | Array Number = [1, \"y\"] }",
        expect![[r#"
            error: `a[1]` is String, its contract wants Number [types/conflict]
             --> main.cfg:1:26
              |
            1 | { a | Array Number = [1, "y"] }
              |       ------------       ^^^ this is String
              |       |
              |       the contract wants Number
              |
              = help: a number is written without quotes; `std.string.to_number` makes one of a text"#]],
    );
    shown(
        "[\"y\"] | Array Number",
        expect![[r#"
            error: element `[0]` is String, its contract wants Number [types/conflict]
             --> main.cfg:1:2
              |
            1 | ["y"] | Array Number
              |  ^^^    ------------ the contract wants Number
              |  |
              |  this is String
              |
              = help: a number is written without quotes; `std.string.to_number` makes one of a text"#]],
    );
    shown(
        "{ a : Array (Array Number) = [[1], [\"x\"]] }",
        expect![[r#"
            error: element `[1][0]`: expected Number, found String [types/conflict]
             --> main.cfg:1:37
              |
            1 | { a : Array (Array Number) = [[1], ["x"]] }
              |       --------------------          ^^^ this is String
              |       |
              |       the annotation says Array (Array Number)
              |
              = help: a number is written without quotes; `std.string.to_number` makes one of a text"#]],
    );
    shown(
        "std.string.join \",\" [1, 2]",
        expect![[r#"
            warning: element `[0]`: expected String, found Number [types/conflict]
             --> main.cfg:1:22
              |
            1 | std.string.join "," [1, 2]
              | ---------------      ^ this is Number
              | |
              | `join` takes Array String as its second argument
              |
              = help: `std.to_string x` makes a text of a value"#]],
    );
}

#[test]
fn arguments_that_are_exchanged() {
    shown(
        "std.array.map [\"a\"] (fun x => x)",
        expect![[r#"
        error: the first and the second argument of `map` seem to be exchanged [types/call]
         --> main.cfg:1:15
          |
        1 | std.array.map ["a"] (fun x => x)
          |               ^^^^^  ---------- this is a function
          |               |
          |               this is an Array
          |
          = help: `map` takes them in this order: (a -> b) -> Array a -> Array b"#]],
    );
    shown(
        "std.array.fold_left 0 (fun a b => a + b) [1]",
        expect![[r#"
        warning: the first and the second argument of `fold_left` seem to be exchanged [types/call]
         --> main.cfg:1:21
          |
        1 | std.array.fold_left 0 (fun a b => a + b) [1]
          |                     ^  ---------------- this is a function
          |                     |
          |                     this is a Number
          |
          = help: `fold_left` takes them in this order: (a -> b -> a) -> a -> Array b -> a"#]],
    );
    shown(
        "std.array.filter (std.array.range 1 3) (fun x => x > 1)",
        expect![[r#"
        error: the first and the second argument of `filter` seem to be exchanged [types/call]
         --> main.cfg:1:19
          |
        1 | std.array.filter (std.array.range 1 3) (fun x => x > 1)
          |                   ^^^^^^^^^^^^^^^^^^^   -------------- this is a function
          |                   |
          |                   this is an Array
          |
          = help: `filter` takes them in this order: (a -> Bool) -> Array a -> Array a"#]],
    );
    shown(
        "let f : Number -> String -> String = fun n s => s in f \"a\" 1",
        expect![[r#"
        error: the first and the second argument of `f` seem to be exchanged [types/call]
         --> main.cfg:1:56
          |
        1 | let f : Number -> String -> String = fun n s => s in f "a" 1
          |                                                        ^^^ - this is a Number
          |                                                        |
          |                                                        this is a String
          |
          = help: `f` takes them in this order: Number -> String -> String"#]],
    );
    // no exchange makes these right
    shown(
        "std.array.map [\"a\"] 1",
        expect![[r#"
            warning: expected a function, found Array String [types/conflict]
             --> main.cfg:1:15
              |
            1 | std.array.map ["a"] 1
              | ------------- ^^^^^ this is Array String
              | |
              | `map` takes a -> b as its first argument
              |
              = help: the functions of the library take the array last: the function comes before it
            error: expected Array a, found Number [types/conflict]
             --> main.cfg:1:21
              |
            1 | std.array.map ["a"] 1
              | -------------       ^ this is Number
              | |
              | `map` takes Array a as its second argument
              |
              = help: an array is written in brackets, also with one element: `[x]`"#]],
    );
    // the function is not called
    shown(
        "std.string.join [\"a\"]",
        expect![[r#"
        warning: expected String, found Array String [types/conflict]
         --> main.cfg:1:17
          |
        1 | std.string.join ["a"]
          | --------------- ^^^^^ this is Array String
          | |
          | `join` takes String as its first argument"#]],
    );
}

#[test]
fn a_tag_that_is_not_allowed() {
    shown(
        "let l | [| 'Info, 'Error |] = 'Warn in l",
        expect![[r#"
        error: the tag `'Warn` is not one of those that are allowed here [types/unknown-tag]
         --> main.cfg:1:31
          |
        1 | let l | [| 'Info, 'Error |] = 'Warn in l
          |         -------------------   ^^^^^ this can be `'Warn`
          |         |
          |         the contract has no `'Warn`
          |
          = help: allowed: `'Error`, `'Info`"#]],
    );
}

/// A hint never names a field that is needed as it is.
#[test]
fn what_is_not_misspelt() {
    let help = |program: &str| {
        let problems = inferred(program).problems;
        let help = |problem: &Problem| Report::of(problem, Dialect::CFG.notation()).suggestions;
        problems.iter().flat_map(help).collect::<Vec<_>>()
    };
    assert_eq!(help("{ name = 1 } | { name : Number, names : Number }"), [""; 0]);
    let further = ["`..` at the end of a pattern or of a record's type allows further fields"];
    assert_eq!(help("{ name = 1, nmae = 2 } | { name : Number }"), further);
    assert_eq!(help("{ nmae = 2 } | { name : Number }"), ["did you mean `name`?"]);
}
