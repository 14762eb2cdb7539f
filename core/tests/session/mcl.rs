//! The session in mgmt's language: inputs, each after `>`, and their results.

use super::check;
use cfg_core::{InMemory, NoLoader, Session};
use expect_test::expect;

#[test]
fn definitions_expressions_and_graphs() {
    check(
        &[
            ":dialect mcl",
            "$x = 42",
            "func f($a) { $a + $a }",
            "f($x)",
            "f(\"x\")",
            "f(true)",
            "$id = func($v) { $v }",
            "$s = struct{b => 1, a => \"x\",}",
            "$s->b",
            "$s->c",
            "$s == struct{a => \"x\", b => 1,}",
            "$m = {1 => [2.5,],}",
            "$m[1][0] * 2.0",
            "$m[7]",
            "class c($n) { $y = $n  test $n { int64 => $x, } }",
            "include c(\"a\")",
            "include c([\"a\", \"b\",]) as i",
            "$i.y",
            "$i.z",
            "test \"p\" { Before => Test[\"q\"], }\ntest \"q\" { int64 => $last, }\n$last = $first\n$first = 7",
            ":explain test[q].int64",
            "if true { 1 } else { 2 }",
            "if true { test \"t\" {} }",
            "$x = $x + 1",
            "$x",
        ],
        expect![[r#"
            > :dialect mcl
            > $x = 42
            x int
            > func f($a) { $a + $a }
            func f func(?1) ?1
            > f($x)
            84 : int
            > f("x")
            "xx" : str
            > f(true)
            error: `+` does not work on bool [types/no-instance] --> mcl[2]:1:14
            > $id = func($v) { $v }
            error: the type of `$v` is ambiguous: ?1 [types/ambiguous] --> mcl[6]:1:13
            id func(?1) ?1 (has an error)
            > $s = struct{b => 1, a => "x",}
            s struct{b int; a str}
            > $s->b
            1 : int
            > $s->c
            error: no field `c` [types/missing-field] --> mcl[9]:1:1
            > $s == struct{a => "x", b => 1,}
            error: expected struct{b int; a str}, found struct{a str; b int} [types/conflict] --> mcl[10]:1:7
            > $m = {1 => [2.5,],}
            m map{int: []float}
            > $m[1][0] * 2.0
            5.0 : float
            > $m[7]
            [] : []float
            > class c($n) { $y = $n  test $n { int64 => $x, } }
            class c func(?1) struct{n ?1; y ?1}
            > include c("a")
            test "a" {
              int64 => 42,
            }
            > include c(["a", "b",]) as i
            namespace i struct{n []str; y []str}
            test "a" {
              int64 => 42,
            }
            test "b" {
              int64 => 42,
            }
            > $i.y
            ["a", "b",] : []str
            > $i.z
            error: variable `$z` is not in scope [scope/unbound] --> mcl[18]:1:2
            > test "p" { Before => Test["q"], }
            test "q" { int64 => $last, }
            $last = $first
            $first = 7
            first int
            last int
            test "p" {}
            test "q" {
              int64 => 7,
            }
            Test["p"] -> Test["q"]
            > :explain test[q].int64
            test[q].int64 = 7 int                                               1 definition

              WINS  normal  7  mcl[19]:2:21  int64 => $last

              to change it: edit mcl[19]:2:21.
            > if true { 1 } else { 2 }
            1 : int
            > if true { test "t" {} }
            test "t" {}
            > $x = $x + 1
            x int
            > $x
            43 : int
        "#]],
    );
}

#[test]
fn an_input_of_the_program_has_its_declared_type() {
    check(
        &[
            ":dialect mcl",
            ":set ext-code datetime.now=1700000000",
            "$t = datetime.now()",
            "$t",
            "test \"t\" { int64 => $t, }",
            ":set ext-code datetime.now=1700003600",
            "$t",
            ":feed datetime.now 1700007200",
            ":set ext-str datetime.now=noon",
            "datetime.now()",
            ":constraints func($a, $b) { $a + 1 == $b }",
        ],
        expect![[r#"
            > :dialect mcl
            > :set ext-code datetime.now=1700000000
            > $t = datetime.now()
            t int
            > $t
            1700000000 : int
            > test "t" { int64 => $t, }
            test "t" {
              int64 => 1700000000,
            }
            > :set ext-code datetime.now=1700003600
            > $t
            1700003600 : int
            > :feed datetime.now 1700007200
            t  1700003600  ->  1700007200
            > :set ext-str datetime.now=noon
            > datetime.now()
            error: now: the input `datetime.now` must be int [value/undefined] --> mcl[5]:1:1
            > :constraints func($a, $b) { $a + 1 == $b }
            collected
              1  1             int = a  an operand of `+`
              2  $a + 1        a        one of the types that the operator works on
              3  b             b = a    an operand of `==`
              4  $a + 1 == $b  a        one of the types that the operator works on
            solved
              a := int  of `a` :constraints:1:20
              b := int  of `b` :constraints:1:24
            constraints with the solution
              1  int = int  holds
              2  int
              3  int = int  holds
              4  int
            type
              func(int, int) bool
        "#]],
    );
}

/// Returns the first diagnostic of an input as its severity and code; empty if there is none.
fn code(input: &str) -> String {
    let mut session = Session::new(Box::new(NoLoader));
    let events = session.submit(&format!("%%mcl\n{input}"));
    let first = events.into_iter().find_map(|event| match event {
        cfg_core::Event::Diagnostic { report, .. } => report.text().lines().next().map(String::from),
        _ => None,
    });
    let first = first.unwrap_or_default();
    let code = first.rsplit_once('[').map_or("", |(_, code)| code.trim_end_matches(']'));
    String::from(code)
}

#[test]
fn the_code_of_a_mistake_says_at_which_stage_it_was_found() {
    let cases = [
        ("$x = [1, 2]", "syntax/unexpected"),
        ("$x = 1 < 2 < 3", "syntax/chained"),
        ("$x = \"\\q\"", "syntax/escape"),
        ("$x = 9223372036854775808", "syntax/number"),
        ("$x = -9223372036854775808", ""),
        ("$x struct{a int;} = struct{a => 1,}", "syntax/unexpected"),
        ("$x = \"${}\"", "interpolation/malformed"),
        ("$x = \"${1 + 1}\"", "interpolation/malformed"),
        ("tset \"a\" {}", "init/unknown-kind"),
        ("test \"a\" { int46 => 1, }", "init/unknown-field"),
        ("test \"a\" { Meta:nop => true, }", "init/unknown-meta"),
        ("test \"a\" { int64 => 1, int64 => 2, }", "init/repeated-field"),
        ("test \"${nope}\" {}", "scope/unbound"),
        ("$x = nope(1)", "scope/unbound"),
        ("include nope", "scope/unbound"),
        ("import \"nope\"", "scope/import"),
        ("class a { $x = 1 $x = 2 } include a", "scope/duplicate"),
        ("class o { class a { include b } class b { include a } include a } include o", "scope/recursive"),
        ("class a { $r = $r } include a", "scope/recursive"),
        ("class a($x) {} include a", "types/arguments"),
        ("class a { class b($x) {} include b } include a", "scope/class-arguments"),
        ("1 + \"a\"", "types/conflict"),
        ("[1, \"a\",]", "types/conflict"),
        ("{\"a\" => 1, 2 => 3,}", "types/conflict"),
        ("if 1 { 2 } else { 3 }", "types/conflict"),
        ("if true { 2 } else { \"a\" }", "types/conflict"),
        ("not 1", "types/conflict"),
        ("1 in [\"a\",]", "types/conflict"),
        ("struct{a => 1,}->b", "types/missing-field"),
        ("struct{a => 1, b => 2,} == struct{b => 2, a => 1,}", "types/conflict"),
        ("true + false", "types/no-instance"),
        ("\"a\" * \"b\"", "types/no-instance"),
        ("5[0]", "types/no-instance"),
        ("[1,][\"a\"]", "types/conflict"),
        ("test \"a\" { int64 => 1.5, }", "types/conflict"),
        ("test \"a\" { Meta:limit => 4, }", "types/conflict"),
        ("test \"a\" { Meta => struct{noop => 1,}, }", "types/conflict"),
        ("test \"a\" { Meta => struct{nop => true,}, }", "types/extra-field"),
        ("test 1 {}", "types/conflict"),
        ("test \"a\" + \"b\" {}", "types/conflict"),
        ("len([])", "types/ambiguous"),
        ("$x = func($a) { $a }", "types/ambiguous"),
        ("9223372036854775807 + 1", "value/undefined"),
        ("1 / 0", "value/undefined"),
        ("panic(\"boom\")", "value/undefined"),
        ("panic(\"\")", ""),
        ("test \"a\" { Before => Test[\"b\"], }", "value/graph"),
        ("Meta[\"a\"] -> Test[\"a\"]", "init/unknown-kind"),
    ];
    for (input, wanted) in cases {
        assert_eq!(code(input), wanted, "{input}");
    }
}

#[test]
fn resources_of_one_name_are_equal_or_an_error() {
    let both = |one: &str, other: &str| code(&format!("test \"t\" {{ {one} }}\ntest \"t\" {{ {other} }}"));
    assert_eq!(both("int64 => 1,", "int64 => 1,"), "");
    assert_ne!(both("int64 => 1,", "int64 => 2,"), "");
    assert_ne!(both("int64 => 1,", ""), "");
    assert_ne!(both("", "Meta:noop => true,"), "");
}

#[test]
fn shared_structure_costs_what_it_is_and_not_what_it_unfolds_to() {
    let mut program = String::from("$x0 = 1\n");
    for i in 0..40 {
        program += &format!("$x{} = struct{{a => $x{i}, b => $x{i},}}\n", i + 1);
    }
    let mut session = Session::new(Box::new(NoLoader));
    let started = std::time::Instant::now();
    session.submit(&format!("%%mcl\n{program}"));
    let mut call = String::from("1");
    for _ in 0..40 {
        call = format!("f({call})");
    }
    session.submit(&format!("%%mcl\nfunc f($v) {{ struct{{a => $v, b => $v,}} }}\n$r = {call}"));
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn nesting_of_any_depth_does_not_overflow_the_stack() {
    let depth = 3_000;
    let nested = |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
    for program in [
        nested("(", "1", ")"),
        nested("[", "1", ",]"),
        nested("if true { ", "", " }"),
        nested("not ", "true", ""),
        "class a { ".repeat(200) + &" }".repeat(200),
        format!("$x {} = 1", nested("[]", "int", "")),
        nested("1 + ", "1", ""),
        nested("[", "", ""),
    ] {
        let mut session = Session::new(Box::new(NoLoader));
        session.submit(&format!("%%mcl\n{program}"));
    }
}

#[test]
fn a_mistake_in_an_imported_file_is_an_error_for_those_who_use_it() {
    let files: InMemory = [
        (
            "lib.mcl",
            "$bad = if true { 1.0 } else { \"a\" }\n$through = $bad\n$good = 1.0\nclass c() { $w = 1 + \"a\" }\n",
        ),
        ("middle.mcl", "import \"lib.mcl\"\n$far = $lib.through\n"),
    ]
    .into_iter()
    .collect();
    let inputs = [
        ":dialect mcl",
        "import \"lib.mcl\"",
        "import \"middle.mcl\"",
        "$lib.good",
        "$lib.bad",
        "$lib.through",
        "$middle.far",
        "include lib.c()",
    ];
    expect![[r#"
        > :dialect mcl
        > import "lib.mcl"
        namespace lib struct{bad float; good float; through float}
        > import "middle.mcl"
        namespace middle struct{far float}
        > $lib.good
        1.0 : float
        > $lib.bad
        error: expected float, found str [types/conflict] --> lib.mcl:1:31
        > $lib.through
        error: expected float, found str [types/conflict] --> lib.mcl:1:31
        > $middle.far
        error: expected float, found str [types/conflict] --> lib.mcl:1:31
        > include lib.c()
        # no resources
    "#]]
    .assert_eq(&super::run(&mut Session::new(Box::new(files)), &inputs));
}

#[test]
fn the_stages_of_an_expression() {
    check(
        &[
            ":dialect mcl",
            "$x = 1",
            ":stages $x + 2",
            ":stages tree \"a${x}\"",
            ":stages interpolated \"a${x}\"",
            ":stages resources $b = $a\n$a = 2\ntest \"t\" { int64 => $b, }",
            ":stages scope $b = $a\n$a = 2\ntest \"t\" { int64 => $b, }",
            ":stages functions $b = $a\n$a = 2\ntest \"t\" { int64 => $b, }",
            ":stages values $b = $a\n$a = 2\ntest \"t\" { int64 => $b, }",
            ":stages values 1 + \"a\"",
            ":stages 1 +",
            ":stages $nope",
            ":stages resources 1",
            ":stages",
        ],
        expect![[r#"
            > :dialect mcl
            > $x = 1
            x int
            > :stages $x + 2
            tokens
              $  Dollar  1:9
              x  Ident   1:10
              +  Plus    1:12
              2  Int     1:14
            tree
              operator +          1:9-14
                left: variable x  1:9-10
                right: int 2      1:14
            scope
              from outside  x
            constraints
              collected
                1  2       int = int  an operand of `+`
                2  $x + 2  int        one of the types that the operator works on
              constraints with the solution
                1  int = int  holds
                2  int
              type
                int
            functions
              3 +
                  a <- $x
                  b <- 2
            values
              • value: 3
            > :stages tree "a${x}"
            tree
              string "a${x}"  1:14-20
            > :stages interpolated "a${x}"
            interpolated
              str "a" ${x}  1:22-28
            > :stages resources $b = $a
            $a = 2
            test "t" { int64 => $b, }
            resources
              Vertex: test[t]
            > :stages scope $b = $a
            $a = 2
            test "t" { int64 => $b, }
            scope
              definitions  $a → $b  :stages:1:1
            > :stages functions $b = $a
            $a = 2
            test "t" { int64 => $b, }
            functions
              1 $b
                  value <- $a (2)
              2 $a
                  value <- 2
              5 test[t]
                  name  <- "t"
                  int64 <- test[t].int64 (6)
              6 test[t].int64
                  int64 <- $b (1)
            > :stages values $b = $a
            $a = 2
            test "t" { int64 => $b, }
            values
              • value: struct{"$a" => 2, "$b" => 2, edges => [], resources => [struct{fields => struct{int64 => 2,}, kind => "test", meta => struct{}, name => "t",},],}

              Available fields
              • "$a"
              • "$b"
              • edges
              • resources
            > :stages values 1 + "a"
            functions
              expected int, found str [types/conflict]
            error: expected int, found str [types/conflict] --> :stages:1:20
            > :stages 1 +
            tokens
              1  Int   1:9
              +  Plus  1:11
            tree
              unexpected end of input [syntax/unexpected]
            error: unexpected end of input [syntax/unexpected] --> :stages:1:12
            > :stages $nope
            tokens
              $     Dollar  1:9
              nope  Ident   1:10
            tree
              variable nope  1:9-13
            scope
              variable `$nope` is not in scope [scope/unbound]
            error: variable `$nope` is not in scope [scope/unbound] --> :stages:1:10
            > :stages resources 1
            error: this expression has no such stage [command/usage] = help: usage: :stages [STAGE] EXPRESSION
            > :stages
            error: `:stages` needs an expression [command/usage] = help: usage: :stages [STAGE] EXPRESSION
        "#]],
    );
}

#[test]
fn a_command_takes_the_name_of_a_function_or_a_module() {
    check(
        &[
            ":dialect mcl",
            ":doc fmt.printf",
            ":doc math",
            ":doc len",
            "func twice($f, $x) { $f($f($x)) }",
            ":type twice",
            ":doc printf",
            ":doc fmt.prinft",
            "strings.to_lower",
        ],
        expect![[r#"
            > :dialect mcl
            > :doc fmt.printf
            fmt.printf func(format str) str

            Returns the format with the values in place of its codes: `%s` a str, `%d` an int, `%f` a float, `%t` a bool, `%c` the character of a code, `%v` a value of any type, `%%` a percent sign. The format, if it is constant, gives the types of the values.
            > :doc math
            math

            Arithmetic.

            fortytwo minus1 mod pow sqrt
            > :doc len
            len func(value ?1) int

            Returns the length of a string in bytes, or the number of elements of a list, or of entries of a map.
            > func twice($f, $x) { $f($f($x)) }
            func twice func(func(?1) ?1, ?1) ?1
            > :type twice
            func(func(?1) ?1, ?1) ?1
            > :doc printf
            error: function `printf()` is not in scope [scope/unbound] --> :doc:1:6
            > :doc fmt.prinft
            error: function `fmt.prinft()` is not in scope [scope/unbound] --> :doc:1:6
            > strings.to_lower
            error: unexpected end of input [syntax/unexpected] --> mcl[2]:1:17
        "#]],
    );
}

#[test]
fn a_mistake_of_a_use_belongs_to_the_definition_that_uses_the_function() {
    let lookup = "func g($m, $k) { $m[$k] }\n";
    let ordered = "func less($a, $b) { $a < $b }\n";
    let uses = |unused: &str| {
        let mut session = Session::new(Box::new(NoLoader));
        let input = cfg_core::Input::Text { name: "main.mcl".into(), text: unused.into() };
        let action = cfg_core::Action::Check(cfg_core::CheckOptions::default());
        let request =
            cfg_core::Request { dialect: Some(cfg_core::Dialect::MCL), ..cfg_core::Request::new(vec![input], action) };
        let outcome = session.run(request);
        let reports = outcome.reports.iter().map(|(_, report)| {
            let report = report.text();
            let place = report.lines().find_map(|line| line.trim().strip_prefix("--> ")).unwrap_or_default();
            format!("{} {place}\n", report.lines().next().unwrap_or_default())
        });
        format!("{}\n{}", outcome.exit, reports.collect::<String>())
    };
    expect![[r#"
        0
        warning: expected int, found str [types/conflict] main.mcl:2:14
    "#]]
    .assert_eq(&uses(&format!("{lookup}$x = g([1,], \"a\")\n$y = g([1,], 0)\ntest \"t\" {{ int64 => $y, }}")));
    expect![[r#"
        1
        error: expected int, found str [types/conflict] main.mcl:2:14
    "#]]
    .assert_eq(&uses(&format!("{lookup}$x = g([1,], \"a\")\ntest \"t\" {{ int64 => $x, }}")));
    expect![[r#"
        0
        warning: `<` does not work on bool [types/no-instance] main.mcl:2:6
    "#]]
    .assert_eq(&uses(&format!("{ordered}$x = less(true, false)\ntest \"t\" {{ bool => less(1, 2), }}")));
    expect![[r#"
        1
        error: `<` does not work on bool [types/no-instance] main.mcl:1:21
    "#]]
    .assert_eq(&uses(&format!("{ordered}$x = less(true, false)\ntest \"t\" {{ bool => $x, }}")));
    // the condition of one of several meta parameters
    expect![[r#"
        1
        error: expected []int, found map{int: int} [types/conflict] main.mcl:1:30
    "#]]
    .assert_eq(&uses("noop \"r\" { Meta:poll => 1 in {1 => 5,} ?: 1, Meta:autogroup => false, }"));
}
