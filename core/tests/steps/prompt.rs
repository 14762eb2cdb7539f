//! `:steps` and `:diff` in a session.

use super::{session, shows, submit, text};
use cfg_core::{NoLoader, Session};
use expect_test::expect;

#[test]
fn names_of_a_session_are_followed() {
    let mut session = Session::new(Box::new(NoLoader));
    let inputs = ["base = { port | default = 80 }", "prod = base & { port = 443 }", ":steps prod", ":steps 1 + 1"];
    expect![[r#"
        > base = { port | default = 80 }
        base : { port : Number }
        > prod = base & { port = 443 }
        prod : { port : Number }
        > :steps prod
        step 1 of 1: base & { port = 443 }          0 fields unchanged, 1 shown

          port  80 default  &  443 normal  =>  443  normal beats default

        result: 1 field.  `:explain <path>` for one field, `:diff base, prod` for all.
        > :steps 1 + 1
        nothing is merged here: no `&`, no `+` of objects, no list of files
        result: 2.
    "#]]
    .assert_eq(&submit(&mut session, &inputs));
}

#[test]
fn a_difference_has_both_sides_and_their_places() {
    let mut session = session();
    let inputs = [
        "base = import \"base.cfg\"",
        "prod = base & (import \"prod.cfg\")",
        ":diff base prod",
        ":diff { a = 1, b = [1, 2, 3] } & { c = 2 }, { a = 1, b = [1, 9, 2, 3], d = \"x\" }",
        ":diff prod prod",
        ":diff prod",
        ":diff { a = nope } 1",
    ];
    expect![[r#"
        > base = import "base.cfg"
        base : { name : String, server : { host : String, port : Number, tags : Array String, url : String } }
        > prod = base & (import "prod.cfg")
        prod : { name : String, server : { host : String, port : Number, tags : Array String, url : String } }
        > :diff base prod
        ~ server.port     8080 default  ->  443 normal    base.cfg:5:31  prod.cfg:1:21
        + server.tags[1]  "prod"                          prod.cfg:1:34
        ~ server.url      "http://localhost:8080"  ->  "http://localhost:443"
                          recomputed, reads server.port
        3 different, 3 fields same
        > :diff { a = 1, b = [1, 2, 3] } & { c = 2 }, { a = 1, b = [1, 9, 2, 3], d = "x" }
        + b[1]  9                                         :diff:1:62
        - c     2                                         :diff:1:40
        + d     "x"                                       :diff:1:76
        3 different, 4 fields same
        > :diff prod prod
        no differences, 5 fields same
        > :diff prod
        error: `:diff` needs two expressions, separated by a blank or a comma [command/usage] = help: usage: :diff A B | N [M]
        > :diff { a = nope } 1
        error: unbound name `nope` [scope/unbound] --> :diff:1:13
    "#]]
    .assert_eq(&submit(&mut session, &inputs));
}

#[test]
fn a_session_is_compared_with_its_earlier_state() {
    let mut session = Session::new(Box::new(NoLoader));
    let inputs = ["x = { a = 1, b = 2 }", "y = x.a + 1", "y", "x = { a = 5, b = 2 }", "z = 1", ":diff 2", ":diff"];
    expect![[r#"
        > x = { a = 1, b = 2 }
        x : { a : Number, b : Number }
        > y = x.a + 1
        y : Number
        > y
        2
        > x = { a = 5, b = 2 }
        x : { a : Number, b : Number }
        > z = 1
        z : Number
        > :diff 2
        ~ x.a  1  ->  5                                   cfg[1]:1:11  cfg[4]:1:11
        + z    1                                          cfg[5]:1:1
        ~ y    recomputed                                 reads x
        3 different, 1 field same
        > :diff
        + z  1                                            cfg[5]:1:1
        1 different, 0 fields same
    "#]]
    .assert_eq(&submit(&mut session, &inputs));
}

#[test]
fn a_field_depends_on_what_it_refers_to_and_not_on_other_fields_of_that_name() {
    shows(
        text(
            "f.cfg",
            "{ a.port | default = 1, b.port | default = 1, url = b.port, far = url + 1 } & { a.port = 2, b.port = 3 }",
        ),
        expect![[r#"
            step 1 of 1: {…} f.cfg:1:1 & { a.port = 2, b.port = 3 }
              0 fields unchanged, 4 shown

              a.port  1 default  &  2 normal  =>  2  normal beats default
              b.port  1 default  &  3 normal  =>  3  normal beats default
              far     was 2, now 4
                      not merged: recomputed, it reads url
              url     was 1, now 3
                      not merged: recomputed, it reads b.port

            result: 4 fields.  `cfg explain FILE <path>` for one field.
            exit 0
        "#]],
    );
}

#[test]
fn a_difference_is_at_the_stronger_definition() {
    let mut session = Session::new(Box::new(NoLoader));
    let shown =
        submit(&mut session, &["base | rec default = { a.b = 1 }", "all = base & { a.b = 2 }", ":diff base all"]);
    assert!(shown.contains("~ a.b  1 default  ->  2 normal                    cfg[1]:1:30  cfg[2]:1:22"), "{shown}");
}

#[test]
fn jsonnet_in_a_session() {
    let mut session = Session::new(Box::new(NoLoader));
    let inputs = [
        ":dialect jsonnet",
        "local base = { a: 1, b:: self.a + 1, f(x): x + self.a }",
        ":steps base + { a: 5 } + { b+: 1, f(x): super.f(x) }",
        ":diff base, base { a: 5 }",
    ];
    expect![[r#"
        > :dialect jsonnet
        > local base = { a: 1, b:: self.a + 1, f(x): x + self.a }
        base ∈ {a ∈ number, b ∈ number, f ∈ (a) -> b} where b = a + number
        > :steps base + { a: 5 } + { b+: 1, f(x): super.f(x) }
        step 1 of 2: base + { a: 5 }
          0 fields unchanged, 2 shown, 1 function not compared

          a  1  +  5  =>  5  the right side wins
          b  was 2, now 6
             not merged: recomputed, it reads a, hidden

        step 2 of 2: (step 1) + { b+: 1, f(x): super.f(x) }  1 field unchanged, 2 shown

          b  6  +  1  =>  7  `+:` adds to the left, hidden
          f  function(x) x + self.a  +  function(x) super.f(…  =>  function(x) super.f(…
             the right side wins, built on `super`

        result: 3 fields.  `:explain <path>` for one field.
        > :diff base, base { a: 5 }
        ~ a  1  ->  5                                     jsonnet[1]:1:19  :diff:1:23
        ~ b  2  ->  6                                     recomputed, reads a
        2 different, 0 fields same, 1 function not compared
    "#]]
    .assert_eq(&submit(&mut session, &inputs));
}

#[test]
fn the_steps_of_a_result_are_those_of_its_time() {
    let mut session = Session::new(Box::new(NoLoader));
    submit(&mut session, &["base = { port | default = 80 }", "base & { port = 443 }", "base = { port | default = 1 }"]);
    expect![[r#"
        > :steps $2
        note: `$2` was computed before `base` was defined again [session/stale] --> :steps:1:8
        step 1 of 1: base & { port = 443 }          0 fields unchanged, 1 shown

          port  80 default  &  443 normal  =>  443  normal beats default

        result: 1 field.  `:explain <path>` for one field, `:diff base, $2` for all.
    "#]]
    .assert_eq(&submit(&mut session, &[":steps $2"]));
}
