//! Types that promise no more than the values keep: quantifiers, patterns that cover their values, overrides of polymorphic
//! defaults, contracts that are done, and approximations that are shown as such.

use super::{says, ty};

const COVER: &str = "error: the value can be";

#[test]
fn a_forall_inside_of_a_type_is_a_forall() {
    let differ = |a: &str, b: &str| format!("error: not as general as its annotation: `{a}` would have to be `{b}`");
    says("let f : forall a. (forall b. a -> b -> a) = fun x y => y in f 1 \"x\" + 1", "Number", &[&differ("a", "b")]);
    ty("let f : forall a. (forall b. a -> b -> a) = fun x y => x in f 1 \"x\" + 1", "Number");
    ty("let f : Number -> (forall a. a -> a) = fun n x => x in f 1 \"x\"", "String");
    says(
        "let f : Number -> (forall a. a -> a) = fun n x => n in f 1 \"x\"",
        "String",
        &["error: not as general as its annotation: `a` would have to be Number"],
    );
    ty(
        "let f : { id : forall a. a -> a } = { id = fun x => x } in { a = f.id 1, b = f.id \"x\" }",
        "{ a : Number, b : String }",
    );
    says(
        "let f : { id : forall a. a -> a } = { id = fun x => x + 1 } in f.id 1",
        "Number",
        &["error: not as general as its annotation: `a` would have to be Number"],
    );
    ty("let f : Array (forall a. a -> a) = [fun x => x] in 1", "Number");
}

#[test]
fn a_polymorphic_parameter_is_used_at_several_types() {
    let two = "(forall a. a -> a) -> { a : Number, b : String } = fun g => { a = g 1, b = g \"x\" }";
    ty(&format!("let f : {two} in f (fun x => x)"), "{ a : Number, b : String }");
    says(
        &format!("let f : {two} in f (fun x => x + 1)"),
        "{ a : Number, b : String }",
        &["warning: not as general as its annotation: `a` would have to be Number"],
    );
    says(
        "let f : (forall a. a -> a) -> Number = fun g => g 1 in f (fun x => x + 1)",
        "Number",
        &["warning: not as general as its annotation: `a` would have to be Number"],
    );
    ty(
        "{ f : (forall a. a -> a) -> { a : Number, b : String } = fun g => { a = g 1, b = g \"x\" } }.f (fun y => y)",
        "{ a : Number, b : String }",
    );
    // the parameter of an outer function is not polymorphic
    says(
        "fun y => (let f : (forall a. a -> a) -> Number = fun g => g 1 in f y)",
        "forall a. (a -> a) -> Number",
        &["warning: not as general as its annotation: `a` would have to be a -> a"],
    );
}

#[test]
fn variables_that_differ_have_different_names() {
    says(
        "let f : forall a b. a -> b -> a = fun x y => y in f 1 \"x\" + 1",
        "Number",
        &["error: not as general as its annotation: `a` would have to be `b`"],
    );
}

#[test]
fn patterns_cover_what_the_value_can_be() {
    says(
        "{ foo = 'C } |> match { { foo = 'A } => 1 }",
        "Number",
        &[&format!("{COVER} `{{ foo = 'C, .. }}`, which no pattern covers")],
    );
    says("'A 'B |> match { 'A 'C => 1 }", "Number", &[&format!("{COVER} `'A 'B`, which no pattern covers")]);
    says("let 'A = 'B in 1", "Number", &["error: the value can be `'B`, which no pattern covers"]);
    says(
        "let { foo = 'A } = { foo = 'B } in 1",
        "Number",
        &[&format!("{COVER} `{{ foo = 'B, .. }}`, which no pattern covers")],
    );
    says("let [a, b] = [1] in a", "Number", &["error: no pattern matches this value"]);
    says("let 1 = 2 in 1", "Number", &["error: no pattern matches this value"]);
    says("(fun [a] => a) [1, 2]", "Number", &["error: no pattern matches this value"]);
    says("(fun 'A => 1) 'B", "Number", &["error: the tag `'B` is not one of those that are allowed here"]);
    says("[1, 2] |> match { [x] => x }", "Number", &["error: no pattern matches this value"]);
    says(
        "let f = match { { foo = 'A } => 1, { foo = 'B } => 2 } in f { foo = 'C }",
        "Number",
        &["warning: the tag `'C` is not one of those that are allowed here"],
    );
    says(
        "let b : Bool = true in b |> match { true => 1 }",
        "Number",
        &["warning: the value can be `false`, which no pattern covers"],
    );
    says(
        "let x : [| 'A, 'B |] = 'A in let 'A = x in 1",
        "Number",
        &["warning: the value can be `'B`, which no pattern covers"],
    );
    says(
        "let x : { k : [| 'A Number, 'B |], l : Bool } = { k = 'B, l = true } in \
         x |> match { { k = 'A _, .. } => 1, { k = 'B, l = true } => 2 }",
        "Number",
        &["warning: the value can be `{ k = 'B, l = false, .. }`, which no pattern covers"],
    );
}

#[test]
fn patterns_that_cover_everything_are_silent() {
    ty("'B |> match { 'A => 1, 'B => 2 }", "Number");
    ty("let f = match { { foo = 'A } => 1, { foo = 'B } => 2 } in f { foo = 'B }", "Number");
    ty("let f = match { { foo = 'A, x } => x, { foo = 'B, y } => y } in f { foo = 'B, y = 1 }", "Number");
    ty("[1, 2] |> match { [] => 0, [x, ..rest] => x }", "Number");
    ty("'A 'B |> match { 'A 'C => 1, 'A 'B => 2 }", "Number");
    ty("let f = match { { a = 'A, b } => 1, { a, b = 'B } => 2 } in f { a = 'C, b = 'B }", "Number");
    ty(
        "let x : { k : [| 'A Number, 'B |], l : Bool } = { k = 'B, l = true } in \
         x |> match { { k = 'A _, .. } => 1, { k = 'B, l = true } => 2, { l = false, .. } => 3 }",
        "Number",
    );
    ty("let { a = 'X, b } = { a = 'X, b = 2 } in b", "Number");
    ty("let [a, 'B] = ['A, 'B] in 1", "Number");
    ty("let 'A x = 'A 1 in x", "Number");
    ty("fun x => x |> match { 'A if 1 == 1 => 1, 'A => 2 }", "[| 'A |] -> Number");
}

#[test]
fn a_tag_alone_and_a_tag_with_an_argument_are_two() {
    ty("let x : [| 'Foo Number, 'Foo |] = 'Foo in x", "[| 'Foo, 'Foo Number |]");
    ty("let x : [| 'Foo Number, 'Foo |] = 'Foo 1 in x", "[| 'Foo, 'Foo Number |]");
    ty("let f : [| 'Foo Number, 'Foo |] -> Number = match { 'Foo x => x, 'Foo => 0 } in f 'Foo", "Number");
    ty("let f = match { 'Foo x => x, 'Foo => 0 } in [f 'Foo, f ('Foo 2)]", "Array Number");
    says(
        "let x : [| 'Foo Number |] = 'Foo in x",
        "[| 'Foo Number |]",
        &["error: the tag `'Foo` is not one of those that are allowed here"],
    );
    says(
        "let f = match { 'Foo x => x } in f 'Foo",
        "forall a. a",
        &["warning: the tag `'Foo` is not one of those that are allowed here"],
    );
}

#[test]
fn an_override_changes_a_polymorphic_default() {
    says(
        "{ a | default = [], e = std.array.length a } & { a = 1 }",
        "{ a : Number, e : Number }",
        &["warning: `a` changes its type from Array a to Number"],
    );
    says(
        "({ a | default = fun x => x, e = a 1 } & { a = fun x => \"s\" }).e + 1",
        "Number",
        &["error: expected Number, found String"],
    );
    says("({ a | default = fun x => x + 1, e = [a 1] } & { a = fun x => \"s\" }).e", "Array String", &[]);
    ty("({ a | default = fun x => x, e = a 1 } & { a = fun x => x }).e + 1", "Number");
    ty("({ a | default = fun x => x, e = a 1, c | default = 1 } & { c = 2 }).e + 1", "Number");
    says(
        "let f = fun r => { a | default = [], e = std.array.length a } & r in f { a = 1 }",
        "{ a : Number, e : Number }",
        &["warning: `a` changes its type from Array a to Number"],
    );
    says(
        "(let mk = fun x => { a | default = fun x => x, e = a 1 } & x in mk { a = fun x => \"s\" }).e + 1",
        "Number",
        &["warning: expected Number, found String"],
    );
    // what depends on a default has no type before the override is known
    says(
        "let f = fun o => { a | default = 1, b = a } & o in f { a = \"s\" }",
        "{ a : String, b : String }",
        &["warning: `a` changes its type from Number to String"],
    );
    ty("let f = fun o => { a | default = 1, b = a } & o in f {}", "{ a : Number, b : Number }");
}

#[test]
fn a_record_type_ends_the_contracts_of_the_fields() {
    says(
        "({ b | Number = 1 } | { b : Number }) & { b | force = {} }",
        "{ b : {} }",
        &["warning: `b` changes its type from Number to {}"],
    );
    says(
        "({ b | Number = 1 } | { _ : Number }) & { b | force = {} }",
        "{ b : {} }",
        &["warning: `b` changes its type from Number to {}"],
    );
    says(
        "({ b | Number = 1 } | { _ | Number }) & { b | force = {} }",
        "{ b : Number }",
        &["error: `b` is {}, its contract wants Number"],
    );
    says(
        "({ b | Number = 1 } | { b | Number }) & { b | force = {} }",
        "{ b : Number }",
        &["error: `b` is {}, its contract wants Number"],
    );
}

#[test]
fn the_default_of_a_pattern_is_no_certain_type() {
    let conflict = |field: &str, expected: &str, found: &str| {
        format!("warning: field `{field}`: expected {expected}, found {found}")
    };
    says("if (fun { e ? {} } => e) { e = true } then 1 else 2", "Number", &[&conflict("e", "{}", "Bool")]);
    says("(fun { a ? 1 } => a) { a = \"x\" }", "Dyn", &[&conflict("a", "Number", "String")]);
    says("let f = fun { a ? 1 } => a in f { a = \"x\" }", "Dyn", &[&conflict("a", "Number", "String")]);
    says("let { a ? \"x\" } = { a = 1 } in a", "Dyn", &[&conflict("a", "String", "Number")]);
    ty("let f = fun { a ? 1 } => a in f {}", "Number");
    ty("fun { a ? 1 } => a", "{ a? : Number } -> Number");
}

#[test]
fn a_field_without_a_definition_cannot_be_read() {
    let undefined = &["error: `a` has no definition"];
    says("let r = { a | String | optional } in r.a", "String", undefined);
    says("let r = { a | String } in r.a", "String", undefined);
    says("{ a | String | optional }.a", "String", undefined);
    ty("let r = { a | String | optional, b = 1 } in r.b", "Number");
    ty("let C = { a | String | optional } in ({ a = \"x\" } | C).a", "String");
    ty("({ s = { a | String }, c = s.a } & { s.a = \"x\" }).c", "String");
    ty("let r = { a | String } in (r & { a = \"x\" }).a", "String");
    ty("let r = { a | String | default = \"x\" } in r.a", "String");
}

#[test]
fn an_approximation_is_shown_as_one() {
    let mixed = ["warning: array elements of different types: { c : Number } and Number"];
    says("(std.array.at 0 [{ c = 1 }, 1]).c", "Dyn", &mixed);
    ty("std.record.map_values (fun x => x) { a = [{}], c = [0] }", "{ _ : Array (Number | {}) }");
}

#[test]
fn operations_with_percent_signs_are_those_of_the_library() {
    ty("%array/at% [1, 2] 0", "Number");
    ty("%force% { a = 1 }", "{ a : Number }");
    ty("%record/has_field% \"a\" { a = 1 }", "Bool");
    ty("%enum/get_arg% ('A 1)", "Dyn");
    ty("%enum/make_variant% \"A\" 1", "[| ; Dyn |]");
    ty("%string/split% \"a,b\" \",\"", "Array String");
    ty("%array/map% [1] (fun x => \"a\")", "Array String");
}

#[test]
fn the_reader_of_a_tag_takes_what_overrides_it() {
    let other = ["warning: the tag `'C` is not one of those that are allowed here"];
    says("({ f = 'A, r = f |> match { 'A => 1, 'B => 2 } } & { f | force = 'C }).r", "Number", &other);
    ty("({ f | default = 'A, r = f |> match { 'A => 1, 'B => 2 } } & { f = 'B }).r", "Number");
    ty("({ f | default = 'A, r = f |> match { 'A => 1, _ => 2 } } & { f = 'C }).r", "Number");
    ty("({ f = 'C, r = f |> match { 'C => 1 } } & { f | default = 'A }).r", "Number");
    ty("{ f = 'A, r = (fun y => y) f } & { f | force = 'B }", "{ f : [| 'B |], r : [| 'B |] }");
}

#[test]
fn a_value_without_a_text_does_not_become_one() {
    says("std.to_string [1]", "String", &["error: expected String, found Array Number"]);
    says("{ f = fun x => x, r = \"%{std.to_string f}\" }.r", "String", &["error: expected String, found a function"]);
    ty("std.to_string 'A", "String");
    ty("std.array.map std.to_string [1]", "Array String");
    // whose type is known only later: a parameter, a field below, an argument of a library function
    let list = ["warning: expected String, found Array Number"];
    says("let text = fun x => \"%{x}\" in text [1]", "String", &list);
    says("let url = fun s => \"%{s.host}:%{s.port}\" in url { host = \"a\", port = [80] }", "String", &list);
    says("std.array.map std.to_string [[1]]", "Array String", &list);
    says("{ b = \"%{a}\", a = [1] }.b", "String", &["error: expected String, found Array Number"]);
    says("let text = fun x => \"%{x}\" in text 1 ++ text 'A ++ text null", "String", &[]);
    ty("fun x => \"%{x}\"", "forall a. a -> String");
}

#[test]
fn a_literal_under_a_wider_contract_is_still_that_literal() {
    says(
        "{ f | [| 'A, 'B, 'C |] = 'B } | { f : [| 'A, 'B |] }",
        "{ f : [| 'A, 'B |] }",
        &["warning: the tag `'C` is not one of those that are allowed here"],
    );
}

#[test]
fn the_size_of_a_type_has_a_limit() {
    let mut text = String::from("let f0 = fun x => [x, x] in\n");
    for n in 1..=30 {
        text.push_str(&format!("let f{n} = fun x => f{m} (f{m} x) in\n", m = n - 1));
    }
    text.push('1');
    let out = super::inferred(&text);
    let said = super::messages(&out);
    assert!(said.first().is_some_and(|first| first.starts_with("warning: the type of `f")), "{said:?}");
    assert!(said.iter().all(|message| message.ends_with("is too large")), "{said:?}");
}

#[test]
fn readers_of_a_declaration_see_what_the_definition_adds() {
    let both = "{ f : { u : Number, v : String }, r : Array { u! : Number, .. } }";
    ty("{ r = [f], f | { u | Number, .. } } & { f = { u = 2, v = \"t\" } }", both);
    ty("(fun x => { r = [f], f | { u | Number, .. } } & x) { f = { u = 2, v = \"t\" } }", both);
    ty("({ r = f.v, f | { u | Number, .. } } & { f = { u = 2, v = \"t\" } }).f.v", "String");
}

#[test]
fn a_pattern_that_matches_a_sibling_depends_on_it() {
    let change = "warning: `f` changes its type from [| 'B |] to { u : Number }";
    let clash = "warning: expected { u : a, .. }, found [| 'B |]";
    says(
        "{ r = (let { u, .. } = f in u), f = 'B } & { f | priority 2 = { u = 1 } }",
        "forall a. { f : { u : Number }, r : a }",
        &[clash, change],
    );
}

/// A contract in a pattern is checked when the variable is evaluated.
#[test]
fn a_contract_in_a_pattern_fails_if_its_variable_is_evaluated() {
    let conflict = |severity: &str, field: &str| format!("{severity}: field `{field}`: expected Number, found String");
    let (error, warning) = (conflict("error", "f"), conflict("warning", "f"));
    says("(fun { f | Number = y, .. } => 1) { f = \"s\" }", "Number", &[&warning]);
    says("(fun { f : Number } => 1) { f = \"s\" }", "Number", &[&warning]);
    says("(fun { f | Number = y, .. } => y) { f = \"s\" }", "Number", &[&error]);
    says("(fun { f | Number = 1, .. } => 1) { f = \"s\" }", "Number", &[&error]);
    says("(fun { f = { g | Number = z } } => z) { f.g = \"s\" }", "Number", &[&conflict("error", "f.g")]);
    says("(fun { f = { g | Number = z } } => 1) { f.g = \"s\" }", "Number", &[&conflict("warning", "f.g")]);
    says("(fun { f | Number } => 1) {}", "Number", &["error: no field `f`"]);
}

#[test]
fn a_join_depends_on_the_siblings_that_it_was_read_from() {
    let tags = "{ f : [| 'C |], r : [| 'A, 'B, 'C |] }";
    ty("{ f | default = 'B, r = if true then f else 'A } & { f = 'C }", tags);
    ty("{ f | default = 'B, r = std.array.at 0 [f, 'A] } & { f = 'C }", tags);
    ty(
        "(fun r s => r & s) { f | default = 'B, r = std.array.at 0 [f, 'B] } { f = 'C }",
        "{ f : [| 'B, 'C |], r : [| 'B, 'C |] }",
    );
    let change = "warning: `f` changes its type from { u : Number } to Number";
    let record = "{ f | default = { u = 2 }, r = if true then f else { u = 0 } }";
    says(&format!("({record} & {{ f = 7 }}).r < 3"), "Bool", &[change]);
    says(&format!("let b = (fun r s => r & s) {record} {{ f = 7 }} in b.r < 3"), "Bool", &[change]);
    says(
        "({ f | default = 1, g | default = 2, r = [g, f, 3] } & { f = \"s\" }).r",
        "Array (Number | String)",
        &["warning: `f` changes its type from Number to String"],
    );
    ty("({ f | default = { u = 0 }, r = if true then f else f } & { f = { u = 0, w = 1 } }).r.u", "Number");
}

#[test]
fn a_guess_of_a_tag_is_not_certain() {
    says(
        "let all = (fun r s => r & s) { f = 'A } { f | priority 2 = { u = 2 } } in std.record.has_field \"u\" all.f",
        "Bool",
        &["warning: `f` changes its type from [| 'A |] to { u : Number }"],
    );
}

#[test]
fn the_result_of_a_call_is_not_certain_if_an_argument_does_not_fit() {
    let update = "let f = fun s k => std.record.update k [] s in";
    says(
        &format!("{update} (f {{ fs = {{ x = 1 }} }} \"dir\").fs.x + 1"),
        "Number",
        &["warning: Array a has no field `x`", "warning: field `fs`: expected Array a, found { x : Number }"],
    );
    says(
        "(std.array.at_or 0 { a = 3 } [{ a = { b = 1 } }]).a.b + 1",
        "Number",
        &["warning: Number has no field `b`", "warning: field `a`: expected Number, found { b : Number }"],
    );
}

#[test]
fn a_fold_gathers_fields_from_both_sides() {
    let step = "{ \"%{e.name}\" | Number | optional }";
    for fold in ["fold_right (fun e acc => acc &", "fold_left (fun acc e => acc &"] {
        let f = format!("let f = fun all => std.array.{fold} {step}) {{}} all in");
        ty(&format!("{f} {{ x = 1 }} | f [{{ name = \"x\" }}]"), "{ x : Number, .. }");
    }
    ty(
        "let f = fun all => std.array.fold_right (fun e acc => if e.k then acc & e.p else acc) {} all in \
         { x = 1 } | f [{ k = true, p = { x | Number } }]",
        "{ x : Number, .. }",
    );
    ty("let step = fun acc e => acc & { \"%{e}\" = 1 } in std.array.fold_left step {} [\"x\"]", "{ _ : Number }");
}

#[test]
fn an_unknown_value_has_the_fields_of_its_record_contract() {
    let d = "let d = { a = { p = \"x\", q = { s = 1 } }, b = 1 }.\"%{\"a\"}\" in";
    ty(&format!("{d} d | {{ p | String, o | Number | optional, .. }}"), "{ o? : Number, p : String, .. }");
    ty(&format!("{d} (d | {{ p | String, q | {{ s | Number }} }}).q.s"), "Number");
}

#[test]
fn a_record_has_no_text() {
    says("std.string.from { a = 1 }", "String", &["error: expected String, found { a : Number }"]);
    says(
        "\"%{if true then { a = 1 } else \"x\"}\"",
        "String",
        &["warning: branches of different types: { a : Number } and String"],
    );
    ty("std.string.from 'A ++ std.string.from null ++ std.string.from 1", "String");
}

/// A contract with `..` lets any field through to the function, and the caller may leave out a field with a value.
#[test]
fn a_parameter_under_a_record_contract() {
    ty("let f | { .. } -> Number = fun e => e.k in f { k = 1 }", "Number");
    ty("let f | { k | Number, .. } -> Number = fun e => e.k + e.j in f { k = 1, j = 2 }", "Number");
    ty("let f | { k | Number = 3, .. } -> Number = fun e => e.k in f {}", "Number");
    ty("let f | { k | default = 3 } -> String = fun e => e.k in f { k = \"x\" }", "String");
    ty("let f | { a | { .. } } -> Number = fun e => e.a.k in f { a = { k = 1 } }", "Number");
    ty("let f | Array { .. } -> Number = fun e => (std.array.first e).k in f [{ k = 1 }]", "Number");
    ty("let f | ({ .. } -> Number) -> Number = fun g => g { k = 1 } in f (fun e => e.k)", "Number");
    ty("let T = { .. } in let f | T -> Number = fun e => e.k in f { k = 1 }", "Number");
    ty("({ f | { .. } -> Number = fun e => e.k, g = f { k = 1 } }).g", "Number");
    let extra = ["error: extra field `j`"];
    says("let f | { k | Number } -> Number = fun e => e.k in f { k = 1, j = 2 }", "Number", &extra);
    says("let f | { k | Number, .. } -> Number = fun e => e.k in f {}", "Number", &["error: no field `k`"]);
}

/// A tag that a contract leaves unknown is unknown where it is joined with others, too.
#[test]
fn an_unknown_tag_overrides_a_joined_one() {
    let base = "let base = { f | default = 'B, r = std.array.at 0 [f, 'C] } in";
    ty(&format!("{base} (base & {{ f | std.enum.Tag = 'X }}).r"), "[| 'B, 'C; Dyn |]");
    let base = "let base = { f | default = 'C, r = std.array.at 0 [f, 'C] } in";
    ty(&format!("{base} (base & {{ f | std.enum.Tag = 'X }}).r"), "[| 'C; Dyn |]");
}
