//! Requests of the command line, without the command line: a program and a question give standard output, an exit code
//! and reports.

use cfg_core::{Action, CheckOptions, Format, Input, Medium, NoLoader, Outcome, Request, Session};
use expect_test::{Expect, expect};

fn ask(program: &str, action: Action) -> Outcome {
    let request =
        Request::new(vec![Input::Text { name: String::from("main.cfg"), text: program.as_bytes().to_vec() }], action);
    Session::new(Box::new(NoLoader)).run(request)
}

#[track_caller]
fn check(program: &str, action: Action, expected: Expect) {
    let outcome = ask(program, action);
    let mut seen = format!("{}exit {}\n", outcome.output.text(), outcome.exit);
    for (_, report) in &outcome.reports {
        seen += &report.text().lines().take(2).collect::<Vec<_>>().join("");
        seen.push('\n');
    }
    expected.assert_eq(&seen);
}

fn eval() -> Action {
    Action::Eval { at: None, format: Format::Json }
}

fn at(path: &str) -> Action {
    Action::Eval { at: Some(String::from(path)), format: Format::Json }
}

fn query(path: &str) -> Action {
    Action::Query { path: String::from(path), json: false }
}

#[test]
fn a_violated_annotation_is_reported_along_with_the_value() {
    check(
        "let x : Number = \"a\" in { y = x }",
        eval(),
        expect![[r#"
        {
          "y": "a"
        }
        exit 1
        error: expected Number, found String [types/conflict] --> main.cfg:1:18
    "#]],
    );
    check(
        "let f : String -> Number = fun s => s in 1",
        eval(),
        expect![[r#"
            1
            exit 1
            error: expected Number, found String [types/conflict] --> main.cfg:1:37
        "#]],
    );
}

#[test]
fn an_error_is_reported_once() {
    check(
        "{ a = 1 + \"x\" }",
        eval(),
        expect![[r#"
        exit 1
        error: the right operand of `+` must be Number, but is String [value/type] --> main.cfg:1:11
    "#]],
    );
}

#[test]
fn a_missing_definition_is_reported_where_it_is_missing() {
    check(
        "{ r = [{ x, y | optional, z = 1 }] }",
        eval(),
        expect![[r#"
        exit 1
        error: missing definition for `x` [value/missing-definition] --> main.cfg:1:10
    "#]],
    );
    check(
        "{ x | Number, y = x + 1 }",
        at("y"),
        expect![[r#"
        exit 1
        error: missing definition for `x` [value/missing-definition] --> main.cfg:1:3
    "#]],
    );
}

#[test]
fn only_the_path_is_forced() {
    check(
        "{ a = { b = 1, c = 1 + \"x\" }, d = std.fail_with \"no\" }",
        at("a.b"),
        expect![[r#"
        1
        exit 0
    "#]],
    );
    check(
        "[1, { x = \"s\" }]",
        at("[1].x"),
        expect![[r#"
        "s"
        exit 0
    "#]],
    );
    check(
        "{ a = 1 }",
        at("b"),
        expect![[r#"
        exit 1
        error: missing field `b` [value/missing-field] --> main.cfg:1:1
    "#]],
    );
    check(
        "{ a = 1 }",
        at("a..b"),
        expect![[r#"
            exit 2
            error: `a..b` is not a path: expected a field name or a quoted name, found `.` [path/syntax] = help: a path is `a.b.c`, elements are `a[0]`, odd names are quoted: `a."b c"`
        "#]],
    );
}

#[test]
fn a_type_is_printed_along_with_its_diagnostics() {
    let ty = |at: Option<&str>| Action::Type { at: at.map(String::from), pretty: false };
    check(
        "{ a = 1, b = 1 + \"x\" }",
        ty(None),
        expect![[r#"
        { a : Number, b : Number }
        exit 0
        error: expected Number, found String [types/conflict] --> main.cfg:1:18
    "#]],
    );
    check(
        "{ a = [{ b = 'T }] }",
        ty(Some("a[0].b")),
        expect![[r#"
        [| 'T |]
        exit 0
    "#]],
    );
    check(
        "{ a = ",
        ty(None),
        expect![[r#"
        exit 1
        error: unclosed brace `{` [syntax/unclosed] --> main.cfg:1:1
    "#]],
    );
}

#[test]
fn warnings_count_if_requested() {
    check(
        "[1, \"a\"]",
        Action::Check(CheckOptions::default()),
        expect![[r#"
        exit 0
        warning: array elements of different types: Number and String [types/mixed] --> main.cfg:1:5
    "#]],
    );
    check(
        "[1, \"a\"]",
        Action::Check(CheckOptions { strict: true, ..CheckOptions::default() }),
        expect![[r#"
        exit 1
        warning: array elements of different types: Number and String [types/mixed] --> main.cfg:1:5
    "#]],
    );
    check(
        "1 + \"a\"",
        Action::Check(CheckOptions::default()),
        expect![[r#"
        exit 1
        error: expected Number, found String [types/conflict] --> main.cfg:1:5
    "#]],
    );
    check(
        "nothing",
        Action::Check(CheckOptions::default()),
        expect![[r#"
        exit 1
        error: unbound name `nothing` [scope/unbound] --> main.cfg:1:1
    "#]],
    );
}

#[test]
fn metadata_comes_before_the_value_and_without_it() {
    let program =
        "{ a | doc \"A\" | Number | priority 3 = 1, b | doc \"B\" = std.fail_with \"no\", c, d | secret = \"pw\" }";
    check(
        program,
        query("a"),
        expect![[r#"
        • contract: Number
        • value: 1
        • priority: 3
        • documentation: A
        exit 0
    "#]],
    );
    check(
        program,
        query("b"),
        expect![[r#"
        • documentation: B
        exit 1
        error: no [value/failed] --> main.cfg:1:56
    "#]],
    );
    check(
        program,
        query("c"),
        expect![[r#"
        exit 1
        error: missing definition for `c` [value/missing-definition] --> main.cfg:1:76
    "#]],
    );
    check(
        program,
        query("d"),
        expect![[r#"
        • value: <secret>
        • secret
        exit 0
    "#]],
    );
    check(
        "{ r | optional = { x = 1 } }",
        query("r"),
        expect![[r#"
        • value: { x = 1 }
        • optional

        Available fields
        • x
        exit 0
    "#]],
    );
    check(
        "{ a | default = 1 }",
        Action::Query { path: String::from("a"), json: true },
        expect![[r#"
        {"contracts":[],"types":[],"value":1,"priority":"default","merge":[],"optional":false,"not_exported":false,"secret":false,"documentation":null,"fields":null}
        exit 0
    "#]],
    );
}

#[test]
fn a_secret_is_masked_when_only_its_path_is_requested() {
    check(
        "{ token | secret = \"x\" }",
        at("token"),
        expect![[r#"
        "<secret>"
        exit 0
    "#]],
    );
    check(
        "{ a | secret = { b = 1 } }",
        at("a.b"),
        expect![[r#"
        "<secret>"
        exit 0
    "#]],
    );
}

#[test]
fn a_default_record_is_no_layer_of_a_merge() {
    let file = |(name, text): (&str, &str)| Input::Text { name: String::from(name), text: text.as_bytes().to_vec() };
    let merge = |files: [(&str, &str); 2]| {
        let request = Request::new(
            files.map(file).into(),
            Action::Merge {
                at: Some(String::from("x")),
                layers: true,
                format: Format::Json,
                explain: Some(Medium::Text),
            },
        );
        Session::new(Box::new(NoLoader)).run(request).output.text()
    };
    let (default, normal) = (("a.cfg", "{ x | default = { p = 1 } }"), ("b.cfg", "{ x = { q = 2 } }"));
    expect![[r#"
        x = { q = 2 } : { q : Number }                             2 definitions, 1 wins

          WINS  layer 2  { q = 2 }  b.cfg:1:7   x = { … }
          lost  default  { p = 1 }  a.cfg:1:17  layer 2 beats default

          its fields
            q  2  b.cfg:1:13

          to change it: edit b.cfg:1:7, or set it in a later file.
    "#]]
    .assert_eq(&merge([default, normal]));
    // the order of the files decides nothing here
    let reversed = merge([normal, default]);
    assert_eq!(reversed.split_whitespace().take(13).collect::<Vec<_>>().join(" "), "x = { q = 2 } : { q : Number }");
}

#[test]
fn hidden_fields_are_not_evaluated_for_an_export() {
    let eval = || Action::Eval { at: None, format: Format::Json };
    let hidden = "a | not_exported = std.trace \"hidden\" 1";
    check(
        &format!("{{ {hidden}, b = std.trace \"shown\" 2 }}"),
        eval(),
        expect![[r#"
        {
          "b": 2
        }
        exit 0
        shown
    "#]],
    );
    // an exported field reads the hidden one
    check(
        &format!("{{ {hidden}, b = a + 1 }}"),
        eval(),
        expect![[r#"
        {
          "b": 2
        }
        exit 0
        hidden
    "#]],
    );
}

#[test]
fn a_merge_function_takes_one_record() {
    for (function, found) in [
        ("(fun a b => a + b)", "a function of 2 arguments"),
        ("1", "a Number"),
        ("{}", "a Record"),
        ("std.array.map", "a function of 2 arguments"),
    ] {
        for program in
            [format!("{{ a | merge {function} = 1 }} & {{ a = 2 }}"), format!("{{ a | merge {function} = 1 }}")]
        {
            let outcome = ask(&program, at("a"));
            let report = outcome.reports.iter().map(|(_, report)| report.text()).collect::<Vec<_>>().join("\n");
            let message = format!("error: the merge function on field `a` is {found} [value/merge-function]");
            assert!(report.starts_with(&message), "{report}");
            assert!(report.contains(" --> main.cfg:1:1") && report.contains("`lower` and `higher`"), "{report}");
        }
    }
    for function in ["(fun x => x.lower)", "std.function.id", "((fun n x => x.higher + n) 0)", "(std.function.const 1)"]
    {
        let outcome = ask(&format!("{{ a | merge {function} = 1 }} & {{ a = 2 }}"), at("a"));
        assert_eq!(outcome.exit, 0, "{function}: {:?}", outcome.reports);
    }
}

#[test]
fn a_check_evaluates_what_types_leave_unchecked() {
    let checked = |program: &str, expected: Expect| check(program, Action::Check(CheckOptions::default()), expected);
    // a value of unknown type
    checked(
        r#"(std.deserialize 'Json "{\"a\": 1}").b"#,
        expect![[r#"
        exit 1
        error: missing field `b` [value/missing-field] --> main.cfg:1:1
    "#]],
    );
    checked(
        r#"(std.deserialize 'Json "{\"a\": \"x\"}").a + 1"#,
        expect![[r#"
        exit 1
        error: the left operand of `+` must be Number, but is String [value/type] --> main.cfg:1:1
    "#]],
    );
    checked(
        r#"(std.deserialize 'Json "{\"a\": 2}").a + 1"#,
        expect![[r#"
        exit 0
    "#]],
    );
    // a contract that is not a type
    checked(
        "{ a | std.number.PosNat = -3 }",
        expect![[r#"
        exit 1
        error: `a` breaks the contract `std.number.PosNat`: expected a positive integer [value/contract] --> main.cfg:1:27
    "#]],
    );
    checked(
        "{ a | std.number.PosNat = 3 }",
        expect![[r#"
        exit 0
    "#]],
    );
    checked(
        "let P = std.contract.from_predicate (fun n => n > 80) in { a | P = 1 }",
        expect![[r#"
        exit 1
        error: `a` breaks the contract `P` [value/contract] --> main.cfg:1:68
    "#]],
    );
    // a guard
    checked(
        "5 |> match { n if n > 7 => 1 }",
        expect![[r#"
        exit 1
        error: no pattern fits 5 [value/no-match] --> main.cfg:1:1
    "#]],
    );
    // a definition that is missing may be added, and what the result does not need is not evaluated
    checked(
        "{ a | std.number.PosNat, b = a }",
        expect![[r#"
        exit 0
    "#]],
    );
    checked(
        "let rest = { a | std.number.PosNat = -3 } in 1",
        expect![[r#"
        exit 0
    "#]],
    );
    // other failures are not those of types
    checked(
        "{ a | std.number.PosNat = std.fail_with \"no\" }",
        expect![[r#"
        exit 0
    "#]],
    );
}

#[test]
fn an_error_that_the_evaluation_refutes_is_not_reported_beside_a_failure() {
    let of_default = "let D = { port | default = null, sel = port } in { x = { port = 3 } | D, y = x.sel + 1, bad =";
    // the type of `x.sel` is that of the default
    check(
        &format!("{of_default} 2 }}"),
        Action::Check(CheckOptions::default()),
        expect![[r#"
        exit 0
    "#]],
    );
    check(
        &format!("{of_default} 1 + \"a\" }}"),
        Action::Check(CheckOptions::default()),
        expect![[r#"
        exit 1
        error: expected Number, found String [types/conflict] --> main.cfg:1:99
    "#]],
    );
    check(
        &format!("{of_default} 1 / 0 }}"),
        Action::Check(CheckOptions::default()),
        expect![[r#"
        exit 1
        error: division by zero [value/undefined] --> main.cfg:1:95
    "#]],
    );
    // the failure is that of a warning
    check(
        &format!("let s = {{ p = 1 }} in {of_default} (fun r => r.q) s }}"),
        Action::Check(CheckOptions::default()),
        expect![[r#"
            exit 1
            error: no field `q` [types/missing-field] --> main.cfg:1:131
        "#]],
    );
    // each of several true errors stays
    check(
        "{ a = 1 + \"x\", b = 2 + \"y\" }",
        Action::Check(CheckOptions::default()),
        expect![[r#"
        exit 1
        error: expected Number, found String [types/conflict] --> main.cfg:1:11
        error: expected Number, found String [types/conflict] --> main.cfg:1:24
    "#]],
    );
    // an expression that is not evaluated
    check(
        "1 + \"x\" + (2 + \"y\")",
        Action::Check(CheckOptions::default()),
        expect![[r#"
        exit 1
        error: expected Number, found String [types/conflict] --> main.cfg:1:5
        warning: expected Number, found String [types/conflict] --> main.cfg:1:16
    "#]],
    );
}

#[test]
fn a_warning_that_the_evaluation_refutes_is_not_reported() {
    let opt = "let opt = fun c r => if c then r else {} in let mk = fun x => { n = x.n } & opt (std.record.has_field \"l\" x) { l = x.l } in";
    check(
        &format!("{opt} [mk {{ n = 1 }}, mk {{ n = 2, l = 3 }}]"),
        Action::Check(CheckOptions::default()),
        expect![[r#"
            exit 0
        "#]],
    );
    // the read of `l` is not guarded
    check(
        &format!("{opt} [mk {{ n = 1 }}, (fun x => x.l) {{ n = 2 }}]"),
        Action::Check(CheckOptions::default()),
        expect![[r#"
            exit 1
            warning: no field `l` [types/missing-field] --> main.cfg:1:129
            error: no field `l` [types/missing-field] --> main.cfg:1:155
        "#]],
    );
    // a part that the result does not need, a pattern, and a contract may yet fail
    check(
        "let mk = fun x => { n = x.n, l | not_exported = x.l } in mk { n = 1 }",
        Action::Check(CheckOptions::default()),
        expect![[r#"
            exit 0
            warning: no field `l` [types/missing-field] --> main.cfg:1:61
        "#]],
    );
    check(
        "let T = [| 'A, 'B |] in let x | T = 'A in x |> match { 'A => 1 }",
        Action::Check(CheckOptions::default()),
        expect![[r#"
            exit 0
            warning: the value can be `'B`, which no pattern covers [types/unknown-tag] --> main.cfg:1:43
        "#]],
    );
    check(
        "({ a = 1, b = 2 } | { a | String, b | Number }).b",
        Action::Check(CheckOptions::default()),
        expect![[r#"
        exit 0
        warning: `a` is Number, its contract wants String [types/conflict] --> main.cfg:1:8
    "#]],
    );
}

#[test]
fn an_evaluation_reports_all_broken_contracts_and_ends() {
    check(
        "{ a | Number = \"x\", b | String = 1, c = 2 }",
        eval(),
        expect![[r#"
        exit 1
        error: `a` must be a Number, but is a String [value/contract] --> main.cfg:1:16
        error: `b` must be a String, but is a Number [value/contract] --> main.cfg:1:34
    "#]],
    );
}

#[test]
fn a_failure_is_reported_although_a_later_part_has_no_end() {
    let endless = "let rec f = fun n => f n in f 0";
    let eval =
        |program: &str, expected: Expect| check(program, Action::Eval { at: None, format: Format::Json }, expected);
    eval(
        &format!("{{ a = 1 + \"x\", b = {endless} }}"),
        expect![[r#"
        exit 1
        error: the right operand of `+` must be Number, but is String [value/type] --> main.cfg:1:11
    "#]],
    );
    eval(
        &format!("{{ a.x | Number, b = {endless} }}"),
        expect![[r#"
        exit 1
        error: missing definition for `x` [value/missing-definition] --> main.cfg:1:5
    "#]],
    );
}
