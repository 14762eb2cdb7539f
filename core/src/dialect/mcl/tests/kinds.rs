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
    "#]],
    );
    makes(
        table,
        "widget \"w\" { size => 256, }",
        expect![[r#"
        error: resources: the field `size` of `widget[w]` is 256, and must be from 0 to 255 [value/undefined]
         --> site/main.mcl:1:1
          |
        1 | widget "w" { size => 256, }
          | ^^^^^^^^^^^^^^^^^^^^^^^^^^^
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
        warning: no section `knids`: the sections are kinds, meta and const [init/kinds]
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
        error: TOML: unclosed table, expected `]` [data/syntax]
         --> site/kinds.toml:1:7
          |
        1 | [kinds
          |       ^
    "#]],
    );
}
