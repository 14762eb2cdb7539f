//! Numbers beyond the range of a machine word are named in messages as they were given.

use cfg_core::{Action, Dialect, Format};
use cfg_tests::ours::{first_report, run_as};

/// 2⁶³ and more, and what they were cut to before.
const CUT: [&str; 4] =
    ["18446744073709551615", "9223372036854775807", "-9223372036854775808", "must be number, but is number"];

#[track_caller]
fn fails(dialect: Dialect, program: &str, expected: &str) {
    let outcome = run_as(dialect, program, Action::Eval { at: None, format: Format::Json });
    let report = first_report(&outcome);
    assert!(report.contains(expected), "{program}: {report}");
    assert!(CUT.iter().all(|cut| !report.contains(cut)), "{program}: {report}");
}

#[test]
fn functions_of_cfg_name_large_numbers() {
    const LARGE: &str = "100000000000000000000";
    for program in [
        "std.string.substring 0 100000000000000000000 \"abc\"",
        "std.string.substring 100000000000000000000 200000000000000000000 \"abc\"",
        "std.string.substring 200000000000000000000 100000000000000000000 (std.string.join \"\" (std.array.replicate 3 \"a\"))",
        "std.array.slice 0 100000000000000000000 [1]",
        "std.array.slice 200000000000000000000 100000000000000000000 [1]",
        "std.array.at 100000000000000000000 [1]",
        "std.array.at 100000000000000000000 []",
        "std.array.split_at 100000000000000000000 [1]",
    ] {
        let expected = if program.contains("substring 2") { "200000000000000000000" } else { LARGE };
        let shown = expected.replacen("00000000000000000000", "e20", 1);
        let outcome = run_as(Dialect::CFG, program, Action::Eval { at: None, format: Format::Json });
        let report = first_report(&outcome);
        assert!(report.contains(&shown) || report.contains(expected), "{program}: {report}");
        assert!(CUT.iter().all(|cut| !report.contains(cut)), "{program}: {report}");
    }
}

#[test]
fn functions_of_jsonnet_name_large_numbers() {
    for (program, expected) in [
        ("std.makeArray(-1e20, function(i) i)", "got -100000000000000000000"),
        ("std.makeArray(1e20, function(i) i)", "[value/limit]"),
        ("std.range(0, 1e20)", "[value/limit]"),
        ("std.repeat('a', 1e20)", "[value/limit]"),
        ("'abc'[1e20]", "100000000000000000000 not within [0, 3)"),
        ("std.char(1e20)", "got 100000000000000000000"),
        ("std.char(-1e20)", "got -100000000000000000000"),
        ("std.substr('abc', -1e20, 1)", "got -100000000000000000000"),
        ("std.substr('abc', 0, -1e20)", "got -100000000000000000000"),
    ] {
        fails(Dialect::JSONNET, program, expected);
    }
    let eval = || Action::Eval { at: None, format: Format::Json };
    assert_eq!(run_as(Dialect::JSONNET, "std.substr('abc', 1, 1e20)", eval()).output.text(), "\"bc\"\n");
    assert_eq!(run_as(Dialect::JSONNET, "std.substr('abc', 1e20, 1)", eval()).output.text(), "\"\"\n");
}

#[test]
fn functions_of_yay_name_large_numbers() {
    fails(Dialect::YAY, "a: {{ range(100000000000000000000) }}", "is out of range");
    fails(Dialect::YAY, "b: [1, 2]\na: {{ b[100000000000000000000] }}", "no element");
    let whole = run_as(
        Dialect::YAY,
        "b: abc\na: {{ b[1:100000000000000000000] }}",
        Action::Eval { at: Some("a".into()), format: Format::Json },
    );
    assert_eq!(whole.output.text(), "\"bc\"\n");
}
