//! mcl with the syntax of August 2026: the option `syntax`, and the rules of the newest language guide and release notes.

use super::check;
use super::mcl_guide::hold_in;
use expect_test::expect;

const FILES: &[(&str, &str)] = &[("lib.mcl", "$list = [\"x\", \"y\"]\n")];

#[track_caller]
fn newest(rules: &[(&str, &str, &str)]) {
    hold_in(true, rules, FILES);
}

#[test]
fn commas_and_lines() {
    newest(&[
        ("one line, no comma at the end", "$l = [1, 2]\ntest \"t\" { int64 => $l[1], }", r#"test[t] {"int64":2}"#),
        ("a comma at the end of one line", "$l = [1, 2,]\ntest \"t\" { int64 => $l[1], }", "syntax/unexpected"),
        ("lines of their own", "$l = [\n\t1,\n\t2, # two\n]\ntest \"t\" { int64 => $l[1], }", r#"test[t] {"int64":2}"#),
        ("the last comma of lines", "$l = [\n\t1,\n\t2\n]\ntest \"t\" { int64 => $l[1], }", "syntax/unexpected"),
        ("two elements on a line of many", "$l = [\n\t1, 2,\n]\ntest \"t\" {}", "syntax/unexpected"),
        ("a line end between elements of one line", "$l = [1,\n2]\ntest \"t\" {}", "syntax/unexpected"),
        ("an empty list", "$l []int = []\n$m []int = [\n]\ntest \"t\" {}", "test[t]"),
        (
            "maps and structs likewise",
            "$m = {\"a\" => 1, \"b\" => 2}\n$s = struct{\n\tf => 3,\n}\ntest \"t\" { int64 => $m[\"b\"], int8 => $s->f, }",
            r#"test[t] {"int64":2,"int8":3}"#,
        ),
        ("a map with a comma at the end", "$m = {\"a\" => 1,}\ntest \"t\" {}", "syntax/unexpected"),
        ("a struct with a comma at the end", "$m = struct{a => 1,}\ntest \"t\" {}", "syntax/unexpected"),
        (
            "parameters and arguments likewise",
            "func f(\n\t$a,\n\t$b,\n) {\n\t$a + $b\n}\ntest \"t\" {\n\tint64 => f(\n\t\t1,\n\t\t2,\n\t),\n}",
            r#"test[t] {"int64":3}"#,
        ),
        ("a call with a comma at the end", "func f($a) { $a }\ntest \"t\" { int64 => f(1,), }", "syntax/unexpected"),
        ("a call on lines without it", "func f($a) { $a }\ntest \"t\" { int64 => f(\n1\n), }", "syntax/unexpected"),
        ("the parameters of a resource always end with a comma", "test \"t\" { int64 => 1 }", "syntax/unexpected"),
        ("a statement ends with its line", "$a = 1 $b = 2\ntest \"t\" {}", "syntax/unexpected"),
        ("statements of a branch too", "if true { test \"t\" {} test \"u\" {} }", "syntax/unexpected"),
        ("one statement needs no line", "if true { test \"t\" {} }", "test[t]"),
        ("an operator does not begin a line", "$a = 1\n+ 2\ntest \"t\" { int64 => $a, }", "syntax/unexpected"),
        ("a lookup does not begin a line", "$l = [1]\n$a = $l\n[0]\ntest \"t\" {}", "syntax/unexpected"),
        ("`else` does not begin a line", "if true { test \"t\" {} }\nelse { test \"u\" {} }", "syntax/unexpected"),
        (
            "a comment ends a line",
            "$a = 1 # one\n$b = 2 # two\ntest \"t\" { int64 => $a + $b, }",
            r#"test[t] {"int64":3}"#,
        ),
    ]);
}

#[test]
fn the_except_operator() {
    newest(&[
        ("a missing index", "$l = [\"a\", \"b\"]\ntest $l[42] <|> \"default\" {}", "types/conflict"),
        (
            "a missing index has the fallback",
            "$l = [\"a\", \"b\"]\n$x = $l[42] <|> \"default\"\ntest \"${x}\" {}",
            "test[default]",
        ),
        ("an index that exists", "$l = [\"a\", \"b\"]\n$x = $l[1] <|> \"default\"\ntest \"${x}\" {}", "test[b]"),
        ("without a fallback", "$l = [\"a\", \"b\"]\n$x = $l[42]\ntest \"${x}\" {}", "value/undefined"),
        ("a missing key", "$m = {\"a\" => 1}\ntest \"t\" { int64 => $m[\"b\"] <|> 7, }", r#"test[t] {"int64":7}"#),
        (
            "a missing key without a fallback",
            "$m = {\"a\" => 1}\ntest \"t\" { int64 => $m[\"b\"], }",
            "value/undefined",
        ),
        ("division by zero", "test \"t\" { float64 => 42 / 0 <|> 13.0, }", r#"test[t] {"float64":13}"#),
        ("chained", "$l = [\"a\"]\n$z = $l[41] <|> $l[42] <|> \"default\"\ntest \"${z}\" {}", "test[default]"),
        (
            "an error that flows in through a variable",
            "$l = [\"a\"]\n$e = $l[42]\n$x = $e <|> \"default\"\ntest \"${x}\" {}",
            "test[default]",
        ),
        (
            "an error inside of a list",
            "$l = [1]\n$x = [$l[3]] <|> [5]\ntest \"t\" { int64 => $x[0], }",
            r#"test[t] {"int64":5}"#,
        ),
        ("both sides have one type", "$l = [1]\n$x = $l[0] <|> \"a\"\ntest \"t\" { int64 => $x, }", "types/conflict"),
        (
            "a field that a struct lacks",
            "$s = struct{a => 1}\ntest \"t\" { str => $s->b <|> \"none\", int64 => $s->a <|> 2, }",
            r#"test[t] {"int64":1,"str":"none"}"#,
        ),
        (
            "the lowest precedence",
            "$l = [1]\ntest \"t\" { bool => $l[5] == 1 or true <|> true, }",
            r#"test[t] {"bool":true}"#,
        ),
        ("`||` is no operator", "$l = [1]\ntest \"t\" { int64 => $l[5] || 2, }", "syntax/unexpected"),
    ]);
}

#[test]
fn operators() {
    newest(&[
        (
            "`and` binds more tightly than `or`",
            "test \"t\" { bool => true or false and false, }",
            r#"test[t] {"bool":true}"#,
        ),
        ("`in` is a comparison", "test \"t\" { bool => 1 + 1 in [2], }", r#"test[t] {"bool":true}"#),
        ("comparisons are not chained", "test \"t\" { bool => 1 < 2 == true, }", "syntax/chained"),
        (
            "a function is called where it is written",
            "test \"t\" { int64 => func($x) { $x + 1 }(2), }",
            r#"test[t] {"int64":3}"#,
        ),
    ]);
}

#[test]
fn loops() {
    newest(&[
        (
            "for: over a list",
            "$list = [\"a\", \"b\"]\nfor $index, $value in $list {\n\ttest \"${value}\" {\n\t\tint64 => $index,\n\t}\n}",
            r#"test[a] {"int64":0}; test[b] {"int64":1}"#,
        ),
        (
            "forkv: over a map",
            "$map = {0 => \"a\", 1 => \"b\"}\nforkv $key, $val in $map {\n\ttest \"${val}\" { int64 => $key, }\n}",
            r#"test[a] {"int64":0}; test[b] {"int64":1}"#,
        ),
        (
            "a loop in a loop, with definitions",
            "import \"fmt\"\nfor $i, $a in [1, 2] {\n\t$b = $a * 10\n\tfor $j, $c in [$b, $b + 1] {\n\t\t$s = fmt.printf(\"%d\", $c)\n\t\ttest \"${s}\" {}\n\t}\n}",
            "test[10]; test[11]; test[20]; test[21]",
        ),
        (
            "edges and includes of a loop",
            "class c($n) { test \"${n}\" {} }\nnoop \"z\" {}\nfor $i, $n in [\"a\", \"b\"] {\n\tinclude c($n)\n\tTest[\"${n}\"] -> Noop[\"z\"]\n}",
            "noop[z]; test[a]; test[b]; test[a] -> noop[z]; test[b] -> noop[z]",
        ),
        ("an empty list", "$l []str = []\nfor $i, $v in $l { test \"${v}\" {} }\ntest \"t\" {}", "test[t]"),
        ("the index is an int", "for $i, $v in [\"a\"] { test \"${i}\" {} }", "types/conflict"),
        ("only a list", "for $i, $v in {1 => 2} { test \"t\" {} }", "types/conflict"),
        ("only a map", "forkv $k, $v in [1] { test \"t\" {} }", "types/conflict"),
        (
            "the variables are not bound after the loop",
            "for $i, $v in [\"a\"] { test $v {} }\ntest $v {}",
            "scope/unbound",
        ),
        ("one name twice", "for $i, $i in [\"a\"] { test $i {} }", "scope/duplicate"),
        ("the words are reserved", "$for = 1\ntest \"t\" { int64 => $for, }", "syntax/reserved, syntax/reserved"),
        ("resources that differ", "for $i, $v in [\"a\", \"b\"] { test \"t\" { str => $v, } }", "value/merge-conflict"),
        (
            "a list of an imported file",
            "import \"lib.mcl\"\nfor $i, $v in $lib.list { test \"${v}\" {} }",
            "test[x]; test[y]",
        ),
        (
            "collect: checked, and nothing is collected",
            "collect file [struct{name => \"/tmp/x\", host => \"h\"}] { content => \"c\", }\ntest \"t\" {}",
            "test[t]",
        ),
        ("collect: a field that does not exist", "collect file \"/tmp/x\" { contnet => \"c\", }", "init/unknown-field"),
        ("collect: the type of a field", "collect file \"/tmp/x\" { content => 1, }", "types/conflict"),
    ]);
}

#[test]
fn the_option() {
    check(
        &[
            ":dialect mcl",
            "$l = [1, 2,]",
            "for $i, $v in $l { test \"t\" {} }",
            "$l[7]",
            "$l[7] <|> 0",
            ":set syntax 2025",
            ":set syntax 2026",
            "$l[7]",
            "$l[7] <|> 0",
            "$l[7] || 0",
            "$l = [1, 2,]",
            "$m = [1, 2]",
            "$m",
            "import \"fmt\"\nfor $i, $v in $m {\n\t$s = fmt.printf(\"t%d\", $v)\n\ttest \"${s}\" { int64 => $i, }\n}",
            ":set syntax",
            ":set syntax 2024",
            "[1, 2,]",
        ],
        expect![[r#"
            > :dialect mcl
            > $l = [1, 2,]
            l []int
            > for $i, $v in $l { test "t" {} }
            error: unexpected `for` [syntax/unexpected] --> mcl[2]:1:1
            > $l[7]
            0 : int
            > $l[7] <|> 0
            error: unexpected `<|>` [syntax/unexpected] --> mcl[4]:1:7
            > :set syntax 2025
            error: `2025` is not a value of `syntax`: expected 2024, 2026 [command/usage] = help: did you mean `:set syntax 2024`?
            > :set syntax 2026
            > $l[7]
            error: index not found: 7 [value/undefined] --> mcl[5]:1:1
            > $l[7] <|> 0
            0 : int
            > $l[7] || 0
            error: unexpected `||` [syntax/unexpected] --> mcl[7]:1:7
            > $l = [1, 2,]
            error: unexpected `,` [syntax/unexpected] --> mcl[8]:1:11
            > $m = [1, 2]
            m []int
            > $m
            [1, 2] : []int
            > import "fmt"
            for $i, $v in $m {
            	$s = fmt.printf("t%d", $v)
            	test "${s}" { int64 => $i, }
            }
            test "t1" {
              int64 => 0,
            }
            test "t2" {
              int64 => 1,
            }
            > :set syntax
            syntax  2026  :set  the year of the syntax, for languages whose syntax changed (2024, 2026)
            > :set syntax 2024
            > [1, 2,]
            [1, 2,] : []int
        "#]],
    );
}

/// `collect` needs other hosts, which cfg does not know: a warning says so, at its place.
#[test]
fn a_collect_says_that_it_collects_nothing() {
    use cfg_core::{Action, CheckOptions, Dialect, Input, NoLoader, ProgramOptions, Request, Session, Severity};
    let program = "test \"t\" {}\ncollect file [struct{name => \"/tmp/x\", host => \"h\"}] { content => \"c\", }\n";
    let outcome = Session::new(Box::new(NoLoader)).run(Request {
        dialect: Some(Dialect::MCL),
        options: ProgramOptions { newest_syntax: true, ..ProgramOptions::default() },
        ..Request::new(
            vec![Input::Text { name: "main.mcl".into(), text: program.into() }],
            Action::Check(CheckOptions::default()),
        )
    });
    assert_eq!(outcome.exit, 0);
    let [(Severity::Warning, report)] = outcome.reports.as_slice() else { panic!("{:?}", outcome.reports) };
    expect_test::expect![[r#"
        warning: there are no other hosts whose resources could be collected [value/collect]
         --> main.mcl:2:1
          |
        2 | collect file [struct{name => "/tmp/x", host => "h"}] { content => "c", }
          | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ collects nothing"#]]
    .assert_eq(report.text().trim_end());
}
