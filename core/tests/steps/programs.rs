//! The steps of programs, as the command line shows them.

use super::{ask, files, session, shows, text};
use cfg_core::{Action, Input, Medium, Request};
use expect_test::expect;

#[test]
fn operands_are_joined_one_by_one() {
    shows(
        files(&["all.cfg"]),
        expect![[r#"
            step 1 of 2: base & prod              2 fields unchanged, 3 shown (all: `--all`)

              server.port  8080 default  &  443 normal  =>  443  normal beats default
              server.tags  ["base"]      &  ["prod"]    =>  ["base", "prod"]
                           union (base.cfg:6:33), then Array String (base.cfg:6:12): ok
              server.url   was "http://localhost:8080", now "http://localhost:443"
                           not merged: recomputed, it reads server.port

            step 2 of 2: (step 1) & local.cfg           3 fields unchanged, 2 shown

              server.port  443 normal  &  9443 force  =>  9443  force beats normal
              server.url   was "http://localhost:443", now "http://localhost:9443"
                           not merged: recomputed, it reads server.port

            result: 5 fields.  `cfg explain all.cfg <path>` for one field.
            exit 0
        "#]],
    );
}

/// The reason of a field is the same whether the question is about the field or about the value around it.
#[test]
fn a_field_alone_has_the_same_reason() {
    let layers = "{ a = { p | default = 1 } } & { a = { p = 2 } }";
    let of = |at: &str| {
        let (at, medium) = (Some(String::from(at)), Medium::Text);
        let action = Action::Steps { at, all: false, most: None, layers: false, types: false, medium };
        session().run(Request::new(text("f.cfg", layers), action)).output.text()
    };
    assert!(of("a.p").contains("a.p  1 default  &  2 normal  =>  2  normal beats default"), "{}", of("a.p"));
    assert_eq!(of("a.p"), of("a"));
}

#[test]
fn a_list_of_files_is_a_merge_with_positions_in_all_of_them() {
    shows(
        files(&["base.cfg", "prod.cfg", "clash.yaml"]),
        expect![[r#"
            step 1 of 2: base.cfg & prod.cfg      2 fields unchanged, 3 shown (all: `--all`)

              server.port  8080 default  &  443 normal  =>  443  normal beats default
              server.tags  ["base"]      &  ["prod"]    =>  ["base", "prod"]
                           union (base.cfg:6:33), then Array String (base.cfg:6:12): ok
              server.url   was "http://localhost:8080", now "http://localhost:443"
                           not merged: recomputed, it reads server.port

            step 2 of 2: (step 1) & clash.yaml          3 fields unchanged, 2 shown

              server.port  443 normal  &  8443 normal  =>  conflict
                           both normal, and they differ
                           prod.cfg:1:21 against clash.yaml:3:9
              server.url   was "http://localhost:443", now conflict
                           not merged: recomputed, it reads server.port

            result: 5 fields, 2 without a value.
            `cfg merge base.cfg prod.cfg clash.yaml --at <path> --explain` for one field.
            exit 1
        "#]],
    );
}

#[test]
fn a_chain_of_objects() {
    shows(
        files(&["chain.jsonnet"]),
        expect![[r#"
            step 1 of 2: base + {…} chain.jsonnet:2:8
              2 fields unchanged, 4 shown (all: `--all`)

              deep.b  2      +  5      =>  5           the right side wins
              port    80     +  81     =>  81          the right side wins
              tags    ["a"]  +  ["b"]  =>  ["a", "b"]  `+:` adds to the left
              url     was "http://x:80", now "http://x:81"
                      not merged: recomputed, it reads port

            step 2 of 2: (step 1) + {…} chain.jsonnet:2:54  1 field unchanged, 4 shown

              deep  { a: 1, b: 5 }  +  { z: 1 }  =>  { z: 1 }  the right side wins
              hid   3               +  4         =>  4         the right side wins, hidden
              port  81              +  82        =>  82
                    the right side wins, built on `super`
              url   was "http://x:81", now "http://x:82"
                    not merged: recomputed, it reads port

            result: 5 fields.  `cfg explain chain.jsonnet <path>` for one field.
            exit 0
        "#]],
    );
}

#[test]
fn a_fold_is_shown_as_if_it_were_written_out() {
    shows(
        text(
            "f.cfg",
            "let xs = [{ a = 1 }, { b = a, a | force = 2 }, { c = 3 }] in std.array.fold_left (fun x y => x & y) {} xs",
        ),
        expect![[r#"
            step 1 of 3: {} & { a = 1 }                 0 fields unchanged, 1 shown

              a  -  &  1  =>  1  only the right has it

            step 2 of 3: (step 1) & { b = a, a | force = 2 }  0 fields unchanged, 2 shown

              a  1 normal  &  2 force  =>  2  force beats normal
              b  -         &  2        =>  2  only the right has it

            step 3 of 3: (step 2) & { c = 3 }           2 fields unchanged, 1 shown

              c  -  &  3  =>  3  only the right has it

            result: 3 fields.  `cfg explain FILE <path>` for one field.
            exit 0
        "#]],
    );
    shows(
        text("f.cfg", "std.record.merge_all [{ a | default = 1 }, { a = 2 }, { a = 2 }]"),
        expect![[r#"
        step 1 of 2: { a | default = 1 } & { a = 2 }  0 fields unchanged, 1 shown

          a  1 default  &  2 normal  =>  2  normal beats default

        step 2 of 2: (step 1) & { a = 2 }           1 field unchanged, 0 shown

        result: 1 field.  `cfg explain FILE <path>` for one field.
        exit 0
    "#]],
    );
}

#[test]
fn contracts_are_shown_checked() {
    shows(
        text(
            "f.cfg",
            "({ port = 80 } & { port | Number } & { port | String, x | default = 1 }) | { port, x | Number, .. }",
        ),
        expect![[r#"
            step 1 of 3: { port = 80 } & { port | Number }  0 fields unchanged, 1 shown

              port  80  |  Number  =>  80  Number (f.cfg:1:27): ok

            step 2 of 3: (step 1) & {…} f.cfg:1:38      0 fields unchanged, 2 shown

              port  80  |  String     =>  check fails  String (f.cfg:1:47): fails
              x     -   &  1 default  =>  1            only the right has it

            step 3 of 3: (step 2) | { port, x | Number, .. }  1 field unchanged, 1 shown

              x  1 default  |  Number  =>  1  Number (f.cfg:1:88): ok

            result: 2 fields, 1 without a value.  `cfg explain FILE <path>` for one field.
            exit 1
        "#]],
    );
}

#[test]
fn merges_inside_expressions_are_found() {
    shows(
        text("f.cfg", "{ a = 1, app.conf = { x | default = 1 } & { x | priority 5 = 2 } & { x | priority -1 = 0 } }"),
        expect![[r#"
            app.conf: step 1 of 2: { x | default = 1 } & { x | priority 5 = 2 }
              0 fields unchanged, 1 shown

              app.conf.x  1 default  &  2 priority 5  =>  2  priority 5 beats default

            app.conf: step 2 of 2: (step 1) & { x | priority -1 = 0 }
              0 fields unchanged, 1 shown

              app.conf.x  2 priority 5  &  0 priority -1  =>  2
                          priority 5 beats priority -1: the left stays

            result: 2 fields.  `cfg explain FILE <path>` for one field.
            exit 0
        "#]],
    );
    shows(
        text("f.cfg", "{ a = 1 }"),
        expect![[r#"
        nothing is merged here: no `&`, no `+` of objects, no list of files
        result: 1 field.
        exit 0
    "#]],
    );
}

#[test]
fn it_shows_where_it_stops() {
    let operands: Vec<String> = (0..300).map(|n| format!("{{ x | priority {n} = {n}, y{n} = x }}")).collect();
    let outcome = ask(text("f.cfg", &operands.join(" & ")), Medium::Text, Some(2));
    expect![[r#"
        step 1 of 299: { x | priority 0 = 0, y0 = x } & { x | priority 1 = 1, y1 = x }
          0 fields unchanged, 3 shown

          x   0 normal  &  1 priority 1  =>  1  priority 1 beats normal
          y0  was 0, now 1
              not merged: recomputed, it reads x
          y1  -         &  1             =>  1  only the right has it

        step 2 of 299: (step 1) & { x | priority 2 = 2, y2 = x }
          0 fields unchanged, 4 shown

          x   1 priority 1  &  2 priority 2  =>  2  priority 2 beats priority 1
          y0  was 1, now 2
              not merged: recomputed, it reads x
          y1  was 1, now 2
              not merged: recomputed, it reads x
          y2  -             &  2             =>  2  only the right has it

        stopped after 2 of 299 steps; `--most 299` shows more; the result is that of all
        result: 301 fields.  `cfg explain FILE <path>` for one field.
    "#]]
    .assert_eq(&outcome.output.text());
}

#[test]
fn a_thousand_records_are_explained_within_a_budget() {
    let rising: Vec<String> = (0..1000)
        .map(|n| {
            let fields: Vec<String> = (0..20).map(|f| format!("f{f} | priority {n} = {}", n + f)).collect();
            format!("{{ {} }}", fields.join(", "))
        })
        .collect();
    let outcome = ask(text("f.cfg", &rising.join(" & ")), Medium::Text, None);
    let shown = outcome.output.text();
    assert!(shown.contains("stopped after 100 of 999 steps; `--most 999` shows more; the result is that of all"));
    assert!(shown.contains("result: 20 fields."));
}

#[test]
fn lines_keep_to_the_width() {
    let wide = "{ long = { first_field = \"a long text indeed\", second = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }, \
                a_rather_long_name_of_a_field.and_another = \"x\", short | default = 1, w = \"a text of some length\" }";
    let other = "{ a_rather_long_name_of_a_field.and_another | force = \"a text of some length to fill the line\", short = 2, \
                 w | force = \"another text of some length that is too much for a line\" }";
    let outcome = ask(text("f.cfg", &format!("{{ short | default = 0 }} & {wide} & {other}")), Medium::Text, None);
    let shown = outcome.output.text();
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    expect![[r#"
        step 1 of 2: { short | default = 0 } & {…} f.cfg:1:27
          0 fields unchanged, 4 shown

          a_rather_long_name_of_a_field
                                      -          &  { and_another = "x" }  =>  the same
                                      only the right has it
          long                        -  &  { first_field = "a…, …1 more }  =>  the same
                                      only the right has it
          short                       0 default  &  1 default  =>  conflict
                                      both default, and they differ
                                      f.cfg:1:21 against f.cfg:1:185
          w                           -  &  "a text of some length"  =>  the same
                                      only the right has it

        step 2 of 2: (step 1) & {…} f.cfg:1:220     2 fields unchanged, 3 shown

          a_rather_long_name_of_a_field.and_another
                                      "x"  &  "a text of some l…  =>  "a text of some l…
                                      force beats normal
          short                       conflict default  &  2 normal  =>  2
                                      normal beats default
          w                           "a text of s…  &  "another tex…  =>  "another tex…
                                      force beats normal

        result: 5 fields.  `cfg explain FILE <path>` for one field.
    "#]]
    .assert_eq(&shown);
}

#[test]
fn pushed_priorities_and_guards() {
    shows(
        text("f.cfg", "let low | default rec = { a = 1, r.b = 2 } in low & { a = 3, r.b = 4 } & { r = { c = 5 } }"),
        expect![[r#"
            step 1 of 2: low & { a = 3, r.b = 4 }       0 fields unchanged, 2 shown

              a    1 default  &  3 normal  =>  3  normal beats default
              r.b  2 default  &  4 normal  =>  4  normal beats default

            step 2 of 2: (step 1) & { r = { c = 5 } }   2 fields unchanged, 1 shown

              r.c  -  &  5  =>  5  only the right has it

            result: 3 fields.  `cfg explain FILE <path>` for one field.
            exit 0
        "#]],
    );
}

fn options(inputs: Vec<Input>, layers: bool, overrides: &[&str], at: Option<&str>) -> String {
    let at = at.map(String::from);
    let action = Action::Steps { at, all: false, most: None, layers, types: false, medium: Medium::Text };
    let overrides = overrides.iter().map(|text| String::from(*text)).collect();
    let request = Request { overrides, ..Request::new(inputs, action) };
    let outcome = session().run(request);
    let reports: String = outcome.reports.iter().map(|(_, report)| report.text()).collect();
    format!("{}{reports}exit {}\n", outcome.output.text(), outcome.exit)
}

#[test]
fn layers_and_assignments_of_the_command_line() {
    let seen = options(files(&["base.cfg", "prod.cfg", "clash.yaml"]), true, &[], Some("server"));
    expect![[r#"
        step 1 of 2: base.cfg & prod.cfg       1 field unchanged, 3 shown (all: `--all`)

          server.port  8080 default  &  443 layer 2       =>  443  layer 2 beats default
          server.tags  ["base"]      &  ["prod"] layer 2  =>  ["base", "prod"]
                       union (base.cfg:6:33), then Array String (base.cfg:6:12): ok
          server.url   was "http://localhost:8080", now "http://localhost:443"
                       not merged: recomputed, it reads server.port

        step 2 of 2: (step 1) & clash.yaml          2 fields unchanged, 2 shown

          server.port  443 layer 2  &  8443 layer 3  =>  8443  layer 3 beats layer 2
          server.url   was "http://localhost:443", now "http://localhost:8443"
                       not merged: recomputed, it reads server.port

        result: 5 fields.
        `cfg merge --layers base.cfg prod.cfg clash.yaml --at <path> --explain` for one field.
        exit 0
    "#]]
    .assert_eq(&seen);
    let seen = options(text("f.cfg", "{ x | default = 1 } & { x, y = x }"), false, &["x=3"], None);
    expect![[r#"
        step 1 of 2: { x | default = 1 } & { x, y = x }
          1 field unchanged, 1 shown (all: `--all`)

          y  -  &  1  =>  1  only the right has it

        step 2 of 2: (step 1) & x=3                 0 fields unchanged, 2 shown

          x  1 default  &  3 normal  =>  3  normal beats default
          y  was 1, now 3
             not merged: recomputed, it reads x

        result: 2 fields.  `cfg explain FILE <path>` for one field.
        exit 0
    "#]]
    .assert_eq(&seen);
}
