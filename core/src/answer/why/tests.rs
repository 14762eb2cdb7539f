//! `:why`: inputs of a session, then the answer.

use crate::loader::NoLoader;
use crate::session::{Event, Session};
use expect_test::{Expect, expect};

/// Returns the answer to the last input.
fn last(inputs: &[&str]) -> String {
    let mut session = Session::new(Box::new(NoLoader));
    let mut events = Vec::new();
    for input in inputs {
        events = session.submit(input);
    }
    let text = |event: &Event| match event {
        Event::Answer(text) | Event::Diagnostic { report: text, .. } => text.text(),
        other => format!("{other:?}"),
    };
    events.iter().map(text).collect::<Vec<_>>().join("\n")
}

fn shows(inputs: &[&str], expected: Expect) {
    expected.assert_eq(&last(inputs));
}

const BASE: &str = r#"let base = { server = { host | String = "localhost", port | Number | default = 8080 } }"#;

#[test]
fn a_merge_against_a_contract() {
    shows(
        &[BASE, r#"base & { server.port = "80" }"#, ":why"],
        expect![[r#"
            type clash at server.port: String is not Number

              1  "80"           is String     cfg[2]:1:24
              2  port | Number  wants Number  cfg[1]:1:61
                 1 meets 2 in the merge  base & { server.port = "80" }  cfg[2]:1:1
              +  1 more step: how `Number` reached port  (`:why 2`)

              nearest fix: cfg[2]:1:24  "80" -> 80"#]],
    );
    shows(
        &[BASE, r#"base & { server.port = "80" }"#, ":why 2"],
        expect![[r#"
            type clash at server.port: String is not Number

              2   port | Number  wants Number  cfg[1]:1:61
              2a  base           refers to it  cfg[2]:1:1"#]],
    );
}

#[test]
fn the_fix_is_found_in_an_input_of_several_definitions() {
    let three =
        "let defaults = { port = \"80\" }\nlet server = defaults & { tls = true }\nlet next = fun s => s.port + 1";
    let said = last(&[three, "next server", ":why"]);
    assert!(said.ends_with("nearest fix: cfg[1]:1:25  \"80\" -> 80"), "{said}");
}

#[test]
fn a_call_names_the_argument_and_what_wants_it() {
    let f = "let add = fun x y => x + y";
    shows(
        &[f, "let name = \"a\"", "{ bad = add 1 name }", ":why"],
        expect![[r#"
        type clash at bad: String is not Number

          1  "a"    is String     cfg[2]:1:12
          2  x + y  wants Number  cfg[1]:1:22
             1 meets 2 as argument 2 of `add`  add 1 name  cfg[3]:1:9
          +  1 more step: how `String` reached bad  (`:why 1`)
          +  2 more steps: how `Number` reached bad  (`:why 2`)

          nearest fix: cfg[3]:1:15  name -> (std.string.to_number name)"#]],
    );
    shows(
        &[f, "std.array.map (add 1) [\"7\"]", ":why"],
        expect![[r#"
        type clash: String is not Number

          1  "7"    is String     cfg[2]:1:24
          2  x + y  wants Number  cfg[1]:1:22
             1 meets 2 as argument 2 of `map`  std.array.map (add 1) ["7"]  cfg[2]:1:1
          +  5 more steps: how `Number` got here  (`:why 2`)

          nearest fix: cfg[2]:1:24  "7" -> 7"#]],
    );
    // this text cannot be converted to a number
    shows(
        &[f, "std.array.map (add 1) [\"a\"]", ":why"],
        expect![[r#"
        type clash: String is not Number

          1  "a"    is String     cfg[2]:1:24
          2  x + y  wants Number  cfg[1]:1:22
             1 meets 2 as argument 2 of `map`  std.array.map (add 1) ["a"]  cfg[2]:1:1
          +  5 more steps: how `Number` got here  (`:why 2`)"#]],
    );
}

#[test]
fn a_field_that_is_not_there() {
    shows(
        &["let f = fun x => x.nme ++ \"\"", "f { name = \"a\" }", ":why"],
        expect![[r#"
            no field `nme`

              1  { name = "a" }  has name     cfg[2]:1:3
              2  x.nme           reads `nme`  cfg[1]:1:18
                 1 meets 2 as argument 1 of `f`  f { name = "a" }  cfg[2]:1:1
              +  3 more steps: where it is expected  (`:why 2`)

              nearest fix: cfg[1]:1:20  nme -> name"#]],
    );
    shows(
        &["{ a = 1 } |> match { { a, b } => a }", ":why"],
        expect![[r#"
        no field `b`

          1  { a = 1 }                             has a       cfg[1]:1:1
          2  { a = 1 } |> match { { a, b } => a }  is matched  cfg[1]:1:1"#]],
    );
}

#[test]
fn a_type_without_error() {
    shows(
        &[BASE, ":why base.server.port"],
        expect![[r#"
            base.server.port : Number

              1  port | Number  wants Number  cfg[1]:1:61"#]],
    );
    shows(
        &["let r = { x = 1, y = x + 2 }", ":why r.y"],
        expect![[r#"
            r.y : Number

              1  x + 2  is Number  cfg[1]:1:22"#]],
    );
    shows(
        &["let r = { x | Dyn = 1 }", ":why r.x"],
        expect![[r#"
            r.x : Number

              1  x | Dyn  wants Dyn  cfg[1]:1:15
              2  1        is Number  cfg[1]:1:21"#]],
    );
}

#[test]
fn jsonnet_objects() {
    let base = "%%jsonnet\nlocal base = { port: 80, twice: self.port * 2 }";
    shows(
        &[base, "%%jsonnet\n(base { port: '80', p: super.port, q: self.port - 1 }).q", ":why"],
        expect![[r#"
        type clash at q: string is not number

          1  '80'           is string     cfg[2]:2:15
          2  self.port - 1  wants number  cfg[2]:2:39
             1 meets 2 in the sum  base { port: '80', p: super.port, q…  cfg[2]:2:2
          +  1 more step: how `string` reached q  (`:why 1`)
          +  1 more step: how `number` reached q  (`:why 2`)

          nearest fix: cfg[2]:2:15  '80' -> 80"#]],
    );
    shows(
        &["%%jsonnet\n{ f: function(x) x }", ":why"],
        expect![[r#"
        `f` is a function, which has no JSON

          1  function(x) x  is (a) -> b  cfg[1]:2:6"#]],
    );
}

#[test]
fn nothing_to_ask() {
    shows(
        &["1", ":why"],
        expect![
            "no type error in the last input: `:why PATH` says why something has its type, `:explain PATH` where its value comes from"
        ],
    );
    shows(
        &[":why 1 + 2"],
        expect![[r#"
            the value : Number

              1  1 + 2  is Number  :why:1:6"#]],
    );
    shows(
        &["1 + \"a\"", ":why 7"],
        expect![[r#"
            type clash: String is not Number

              there is no step 7: the last one is 2"#]],
    );
}

#[test]
fn how_a_type_is_found() {
    shows(
        &[":constraints fun x => x + 1"],
        expect![[r#"
            collected
              1  x  a = Number       an operand of `+`
              2  1  Number = Number  an operand of `+`
            solved
              a := Number  of `x` :constraints:1:18
            constraints with the solution
              1  Number = Number  holds
              2  Number = Number  holds
            type
              Number -> Number"#]],
    );
    shows(
        &[":constraints fun r => r & { x = 1 }"],
        expect![[r#"
            collected
              1  r & { x = 1 }  b = a & { x : Number }                          the result of `&`
              2  r & { x = 1 }  { x : Number; r4 } = { ; r3 } & { x : Number }  the result of `&`
              3  r & { x = 1 }  { x : Number; r5 } = { x : Number; r4 }         merging two values of one priority needs one type
            solved
              a := { ; r1 }            of `r` :constraints:1:18
              b := { x : Number; r2 }  of `r & { x = 1 }` :constraints:1:23
            constraints with the solution
              1  { x : Number; r2 } = { ; r1 } & { x : Number }
              2  { x : Number; r4 } = { x? : Number; r4 } & { x : Number }
              3  { x : Number; r4 } = { x : Number; r4 }                    holds
            type
              forall r1. { x? : Number; r1 } -> { x : Number; r1 }"#]],
    );
    shows(
        &[":constraints if 1 then \"a\" else \"b\""],
        expect![[r#"
            error: expected Bool, found Number [types/conflict]
             --> :constraints:1:17
              |
            1 | :constraints if 1 then "a" else "b"
              |                 ^ this is Number
              |
              = note: a condition is a Bool
              = help: a number is compared with another one: `n != 0`
            collected
              1  1  Number = Bool  a condition is a Bool
            constraints with the solution
              1  Number ≠ Bool  fails
            type
              String"#]],
    );
    shows(
        &[":dialect jsonnet", ":constraints function(x) x + 1"],
        expect![[r#"
            collected
              1  x + 1  b = a + number  the result of `+`
            free variables
              a  of `x` :constraints:1:23
              b  of `x + 1` :constraints:1:26
            constraints with the solution
              1  b = a + number
            type
              (a) -> b where b = a + number"#]],
    );
}

#[test]
fn the_core_of_both_languages() {
    let cfg = ":core { a.b = 1, c | Number | default = a.b, d = fun { x ? 2, .. } => \"%{c}\" } & { c = 3 }";
    shows(
        &[cfg],
        expect![[r#"
        ({
            a = { b = 1 },
            c | Number | default = self.a.b,
            d = fun ({ x ? 2 = x, .. }) => text(self.c)
          }
          & { c = 3 })"#]],
    );
    let jsonnet = ":core local f(x) = x { local k = 1, a+: { b:: self.c, c: $.d }, d: super.d + k }; f({ d: 2 })";
    shows(
        &[":dialect jsonnet", jsonnet],
        expect![[r#"
        let rec
          f = fun (x) => inherit(
            x,
            {
              local k = 1,
              a += { b | hidden = self.c, c = self^1.d },
              d = (super.d + k)
            }
          )
        in f({ d = 2 })"#]],
    );
}

#[test]
fn the_tree_of_both_languages() {
    shows(
        &[":ast { a.b | default = f 1 }"],
        expect![[r#"
        record                    1:6-28
          field: field            1:8-26
            path: name a          1:8
            path: name b          1:10
            annotation: default   1:12-20
            value: application    1:24-26
              function: name f    1:24
              argument: number 1  1:26"#]],
    );
    shows(
        &[":dialect jsonnet", ":ast local f(x) = x; { a+: f(1) }"],
        expect![[r#"
        local                         1:6-33
          binding: binding f          1:12-19
            value: function           1:13-19
              parameter: parameter x  1:14
              body: name x            1:19
          body: object                1:22-33
            field: field a+:          1:24-31
              value: call             1:28-31
                function: name f      1:28
                argument: number 1    1:30"#]],
    );
}
