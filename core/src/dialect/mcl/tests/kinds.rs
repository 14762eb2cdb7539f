use crate::{Action, Format, InMemory, Input, Request, Session};
use expect_test::{Expect, expect};
use std::path::PathBuf;

/// Checks the result of a program beside a table of kinds.
#[track_caller]
fn makes(table: &str, program: &str, expected: Expect) {
    let files = [("site/main.mcl", program), ("site/kinds.toml", table), ("/shared/kinds.toml", SHARED)];
    let mut session = Session::new(Box::new(files.into_iter().collect::<InMemory>()));
    let request = Request {
        import_paths: vec![PathBuf::from("/shared")],
        ..Request::new(
            vec![Input::File(PathBuf::from("site/main.mcl"))],
            Action::Eval { at: Some("resources[0].fields".into()), format: Format::Json },
        )
    };
    let outcome = session.run(request);
    let reports: String = outcome.reports.iter().map(|(_, report)| format!("{}\n", report.text())).collect();
    expected.assert_eq(&(reports + &outcome.output.text()));
}

const SHARED: &str = "[kinds.widget]\ncolour = \"int\"\nsize = \"uint8\"\n[kinds.shared]\nx = \"int\"\n";

#[test]
fn a_table_adds_kinds_fields_and_constants() {
    let table =
        "[kinds.widget]\ncolour = \"str\"\n[kinds.file]\nshade = \"[]float\"\n[const]\n\"res.widget.red\" = \"#f00\"\n";
    makes(
        table,
        "widget \"w\" { colour => $const.res.widget.red, size => 7, }",
        expect![[r##"
        {
          "colour": "#f00",
          "size": 7
        }
    "##]],
    );
    makes(
        table,
        "file \"/w\" { shade => [0.5,], mode => \"u=r\", }",
        expect![[r#"
        {
          "mode": "u=r",
          "shade": [
            0.5
          ]
        }
    "#]],
    );
    makes(
        table,
        "shared \"s\" { x => 1, }",
        expect![[r#"
        {
          "x": 1
        }
    "#]],
    );
    // a field has the type of the table, and an int must fit
    makes(
        table,
        "widget \"w\" { colour => 1, }",
        expect![[r#"
            error: expected str, found int [types/conflict]
             --> site/main.mcl:1:24
              |
            1 | widget "w" { colour => 1, }
              |                        ^ this is int
              |
              = note: the field `widget.colour` is str
              = help: write a number in quotes, `"80"`; of a variable, `fmt.printf("%d", $n)` makes a str, after `import "fmt"`
        "#]],
    );
    makes(
        table,
        "widget \"w\" { size => 256, }",
        expect![[r#"
            error: the field `size` of `widget` is 256, and must be from 0 to 255 [value/range]
             --> site/main.mcl:1:22
              |
            1 | widget "w" { size => 256, }
              |                      ^^^ expected an int from 0 to 255
              |
              = help: write a number in this range, or set a field of a larger type than `size`
        "#]],
    );
    // suggestions know the user's names
    makes(
        table,
        "wigdet \"w\" {}",
        expect![[r#"
        error: no resource kind `wigdet` available [init/unknown-kind]
         --> site/main.mcl:1:1
          |
        1 | wigdet "w" {}
          | ^^^^^^
          |
          = help: did you mean `widget`?
    "#]],
    );
    makes(
        table,
        "widget \"w\" { color => \"red\", }",
        expect![[r#"
        error: the resource kind `widget` has no field `color` [init/unknown-field]
         --> site/main.mcl:1:14
          |
        1 | widget "w" { color => "red", }
          |              ^^^^^
          |
          = help: did you mean `colour`?
    "#]],
    );
}

#[test]
fn mistakes_in_a_table() {
    let table = "[kinds.Widget]\nx = \"int\"\n[kinds.widget]\nx = \"itn\"\ny = \"map{str int}\"\nz = 1\n[knids.a]\n[const]\nc = []\n";
    makes(
        table,
        "noop \"n\" {}",
        expect![[r#"
            warning: `Widget` is not the name of a kind [init/kinds]
             --> site/kinds.toml:1:8
              |
            1 | [kinds.Widget]
              |        ^^^^^^ left out
            warning: `itn` is not a type [init/kinds]
             --> site/kinds.toml:4:1
              |
            4 | x = "itn"
              | ^ left out
            warning: `map{str int}` is not a type [init/kinds]
             --> site/kinds.toml:5:1
              |
            5 | y = "map{str int}"
              | ^ left out
            warning: the type of `z` must be a string [init/kinds]
             --> site/kinds.toml:6:1
              |
            6 | z = 1
              | ^ left out
            warning: no section `knids`: the sections are kinds, values, meta and const [init/kinds]
             --> site/kinds.toml:7:2
              |
            7 | [knids.a]
              |  ^^^^^ left out
            warning: the constant `c` must be a string or an integer [init/kinds]
             --> site/kinds.toml:9:1
              |
            9 | c = []
              | ^ left out
            {}
        "#]],
    );
    makes(
        "[kinds",
        "noop \"n\" {}",
        expect![[r#"
            error: an unclosed header [data/syntax]
             --> site/kinds.toml:1:6
              |
            1 | [kinds
              |      ^ expected `]`
              |
              = help: close it with `]`
        "#]],
    );
}

/// Returns the reports of `cfg check`, or of `cfg eval` for a program without any.
fn reports(table: &str, program: &str) -> String {
    let run = |action: Action| {
        let files = [("site/main.mcl", program), ("site/kinds.toml", table)];
        let mut session = Session::new(Box::new(files.into_iter().collect::<InMemory>()));
        let outcome = session.run(Request::new(vec![Input::File(PathBuf::from("site/main.mcl"))], action));
        outcome.reports.iter().map(|(_, report)| format!("{}\n", report.text())).collect::<String>()
    };
    let checked = run(Action::Check(crate::CheckOptions::default()));
    match checked.is_empty() {
        true => format!("run: {}", run(Action::Eval { at: None, format: Format::Json })),
        false => format!("check: {checked}"),
    }
}

#[test]
fn an_int_that_does_not_fit_is_an_error_at_its_literal() {
    let table = "[const]\n\"res.big\" = 300\n";
    for (program, at) in [
        ("test \"x\" { int8 => 128, }", "check: 1:20"),
        ("test \"x\" { int8 => (-129), }", "check: 1:21"),
        ("test \"x\" { uint8 => -1, }", "check: 1:21"),
        ("test \"x\" { uint16 => 65536, }", "check: 1:22"),
        ("test \"x\" { int32 => 2147483648, }", "check: 1:21"),
        ("test \"x\" { rune => 2147483648, }", "check: 1:20"),
        ("$n = 256\ntest \"x\" { uint8 => $n, }", "check: 1:6"),
        ("test \"x\" { uint8 => $const.res.big, }", "check: 1:21"),
        ("class c { $n = 300\ntest \"x\" { uint8 => $n, } }\ninclude c", "check: 1:16"),
        // the inner one is in range
        ("$n = 300\nclass c { $n = 3\ntest \"x\" { uint8 => $n, } }\ninclude c\n$m = $n", ""),
        (
            "test \"x\" { int8 => -128, int16 => 32767, uint8 => 255, uint32 => 4294967295, uint64 => 5, int64 => -9, }",
            "",
        ),
        // only evaluation finds these
        ("test \"x\" { uint8 => 200 + 56, }", "run: 1:21"),
        ("$n = 256\n$m = $n\ntest \"x\" { uint8 => $m, }", "run: 3:21"),
        ("class c($n) { test \"x\" { int8 => $n, } }\ninclude c(128)", "run: 1:34"),
        ("test \"x\" { uint8 => true ?: 256, }", "run: 1:29"),
        ("test \"x\" { uint8 => false ?: 256, }", ""),
    ] {
        let found = reports(table, program);
        let errors = found.lines().filter(|line| line.contains("must be from")).count();
        let place = found.lines().find_map(|line| line.split_once("main.mcl:")).map_or("", |(_, place)| place);
        let when = if found.starts_with("check") { "check" } else { "run" };
        let expected = if at.is_empty() { 0 } else { 1 };
        assert_eq!(errors, expected, "{program}\n{found}");
        if errors == 1 {
            assert_eq!(format!("{when}: {place}"), at, "{program}\n{found}");
        }
    }
    expect![[r#"
        check: error: the field `uint8` of `test` is 256, and must be from 0 to 255 [value/range]
         --> site/main.mcl:1:6
          |
        1 | $n = 256
          |      ^^^ expected an int from 0 to 255
         ::: site/main.mcl:2:21
          |
        2 | test "x" { uint8 => $n, }
          |                     -- the field `uint8` is set to it
          |
          = help: write a number in this range, or set a field of a larger type than `uint8`
    "#]]
    .assert_eq(&reports(table, "$n = 256\ntest \"x\" { uint8 => $n, }"));
}
