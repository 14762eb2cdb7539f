//! Inputs are cells: which names are bound, which inputs take a number, which results are kept.

use super::{check, run};
use cfg_core::{Event, NoLoader, Session};
use expect_test::expect;

#[test]
fn definitions_show_types_and_expressions_values() {
    check(
        &["x = { a = 1 }", "let y = x.a + 1", "y", "a = 1, b = a + 1", "{ a, b = a }"],
        expect![[r#"
        > x = { a = 1 }
        x : { a : Number }
        > let y = x.a + 1
        y : Number
        > y
        2 : Number
        > a = 1, b = a + 1
        a : Number
        b : Number
        > { a, b = a }
        { a, b = <error: missing definition for `a`> } : forall a. { a! : a, b : a }
    "#]],
    );
}

#[test]
fn results_have_names() {
    check(
        &["1 + 1", "it * 10", "$1 + it", "x = it", "\"other\"", "x", "$7"],
        expect![[r#"
        > 1 + 1
        2 : Number
        > it * 10
        20 : Number
        > $1 + it
        22 : Number
        > x = it
        x : Number
        > "other"
        "other" : String
        > x
        22 : Number
        > $7
        error: unbound name `$7` [scope/unbound] --> cfg[7]:1:1
    "#]],
    );
}

#[test]
fn it_can_be_defined_until_the_next_result() {
    check(
        &["3", "it = 5", "it", "it + 1", "it"],
        expect![[r#"
        > 3
        3 : Number
        > it = 5
        it : Number
        > it
        5 : Number
        > it + 1
        6 : Number
        > it
        6 : Number
    "#]],
    );
}

#[test]
fn mutually_recursive_definitions_are_reported() {
    check(
        &["x = 1", "y = x + 1", "x = y", "x", "std = 4", "x = 1", "y"],
        expect![[r#"
            > x = 1
            x : Number
            > y = x + 1
            y : Number
            > x = y
            x : Number
            warning: `x` and `y` read each other now [scope/circle] --> cfg[3]:1:1
            > x
            error: infinite recursion: y → x → y [value/infinite-recursion] --> cfg[2]:1:1
            > std = 4
            error: `std` is the library and cannot be defined [scope/reserved] --> cfg[5]:1:1
            > x = 1
            x : Number
            > y
            2 : Number
        "#]],
    );
}

#[test]
fn commands_take_no_number_and_failing_inputs_do() {
    check(
        &[":type 1", "nope", "1 +* 2", "40 + 2", "$3"],
        expect![[r#"
        > :type 1
        Number
        > nope
        error: unbound name `nope` [scope/unbound] --> cfg[1]:1:1
        > 1 +* 2
        error: unexpected `*` [syntax/unexpected] --> cfg[2]:1:4
        > 40 + 2
        42 : Number
        > $3
        42 : Number
    "#]],
    );
}

#[test]
fn an_input_with_syntax_errors_or_unbound_names_changes_nothing() {
    check(
        &["x = 1", "x = )", "x = nothing", "x = 2, y = nothing", "x", ":env"],
        expect![[r#"
        > x = 1
        x : Number
        > x = )
        error: unexpected `)` [syntax/unexpected] --> cfg[2]:1:5
        > x = nothing
        error: unbound name `nothing` [scope/unbound] --> cfg[3]:1:5
        > x = 2, y = nothing
        error: unbound name `nothing` [scope/unbound] --> cfg[4]:1:12
        > x
        1 : Number
        > :env
        x : Number
    "#]],
    );
}

#[test]
fn an_error_is_kept_with_its_cell() {
    check(
        &["x = { a = 1 + \"s\", b = 2 }", "x.b", "x.a", ":type x", "y = std.fail_with \"no\"", "y"],
        expect![[r#"
            > x = { a = 1 + "s", b = 2 }
            error: expected Number, found String [types/conflict] --> cfg[1]:1:15
            x : { a : Number, b : Number } (has an error)
            > x.b
            2 : Number
            > x.a
            error: the right operand of `+` must be Number, but is String [value/type] --> cfg[1]:1:15
            > :type x
            { a : Number, b : Number }
            > y = std.fail_with "no"
            y : forall a. a
            > y
            error: no [value/failed] --> cfg[4]:1:5
        "#]],
    );
}

#[test]
fn nothing_is_evaluated_before_it_is_needed() {
    check(
        &["x = std.trace \"seen\" 1", "y = { a = x, b = x }", "y.a", "y.b"],
        expect![[r#"
        > x = std.trace "seen" 1
        x : Number
        > y = { a = x, b = x }
        y : { a : Number, b : Number }
        > y.a
        printed seen
        1 : Number
        > y.b
        1 : Number
    "#]],
    );
}

#[test]
fn an_interrupt_leaves_the_session_intact() {
    let mut session = Session::new(Box::new(NoLoader));
    let interrupt = session.interrupt_handle();
    run(&mut session, &["x = 1"]);
    let stopper = std::thread::spawn(move || {
        for _ in 0..20 {
            std::thread::sleep(std::time::Duration::from_millis(20));
            interrupt.raise();
        }
    });
    let stopped = run(&mut session, &["let rec f = fun n => f (n + 1) in f 0"]);
    assert!(stopped.contains("[value/interrupted]"), "{stopped}");
    stopper.join().unwrap();
    assert_eq!(run(&mut session, &["x"]), "> x\n1 : Number\n");
}

#[test]
fn a_number_without_a_result_is_explained() {
    let mut session = Session::new(Box::new(NoLoader));
    for (input, help) in [
        ("x = 1", ""),
        ("$1 + 1", "= help: input 1 has no result: it defined `x`; write that"),
        ("$2", "= help: no input 2 has a result"),
        ("x = 2", ""),
        (":type $1", "= help: input 1 defined `x`, which has been redefined since: `:history x`"),
        ("%%jsonnet\n$4", "= help: input 4 has no result: it defined `x`; write that"),
        ("$77", "= help: no input 77 has a result"),
    ] {
        let shown: String = session
            .submit(input)
            .into_iter()
            .filter_map(|event| match event {
                Event::Diagnostic { report, .. } => Some(report.text()),
                _ => None,
            })
            .collect();
        assert!(shown.contains(help), "{input}: {shown}");
    }
}

#[test]
fn an_array_that_a_library_function_makes_is_made_step_by_step() {
    for made in [
        "map (fun x => x) xs",
        "map_with_index (fun i x => x) xs",
        "zip_with (fun x y => x) xs xs",
        "generate (fun i => i) 100000",
    ] {
        let mut session = Session::new(Box::new(NoLoader));
        let input = format!("std.array.length (std.array.{made})");
        run(&mut session, &["xs = std.array.replicate 100000 1", ":set max-steps 50000"]);
        let text = run(&mut session, &[&input]);
        assert!(text.contains("[value/limit]"), "{text}");
    }
}
