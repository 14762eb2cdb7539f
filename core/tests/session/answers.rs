//! Answers about values, compared with what is true of them: counts, places, the merge in which two sides meet.

use super::{check, run, shown};
use cfg_core::{Dialect, InMemory, Session};
use expect_test::{Expect, expect};

/// Checks the results of inputs in a new session of another language.
#[track_caller]
fn in_language(dialect: Dialect, inputs: &[&str], expected: Expect) {
    let mut session = Session::new(Box::new(InMemory::default()));
    session.set_dialect(dialect).unwrap();
    expected.assert_eq(&run(&mut session, inputs));
}

#[test]
fn the_elements_that_a_long_list_hides_are_counted() {
    check(
        &[
            "a = std.array.range 0 1000",
            ":explain a",
            ":set width 60",
            "r = { l = std.array.range 0 30 }",
            ":explain r.l",
        ],
        expect![[r#"
            > a = std.array.range 0 1000
            a : Array Number
            > :explain a
            a = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, …985 more]   1 definition
              : Array Number

              WINS  normal  [0, 1, 2, 3, 4, …995 more]  cfg[1]:1:5  std.array.range 0 1000

              to change it: edit cfg[1]:1:5.
            > :set width 60
            > r = { l = std.array.range 0 30 }
            r : { l : Array Number }
            > :explain r.l
            r.l = [0, 1, 2, 3, 4, 5, 6, 7, 8, …21 more]     1 definition
              : Array Number

              WINS  normal  [0, 1, 2, 3, 4, 5, …24 more]  cfg[2]:1:11
                    l = std.array.range 0 30

              to change it: edit cfg[2]:1:11, or merge
              `{ l | force = … }` over it.
        "#]],
    );
}

#[test]
fn a_record_that_is_cut_has_no_field_for_what_is_left_out() {
    check(
        &[":set show-elements 5", "{ a = { b = 1, c = 2 }, e = [1, 2], f = 1, g = 2 }"],
        expect![[r#"
        > :set show-elements 5
        > { a = { b = 1, c = 2 }, e = [1, 2], f = 1, g = 2 }
        { a = { b = 1, c = 2 }, e = [… 2 more], … 2 more } : { a : { b : Number, c : Number }, e : Array Number, f : Number, g : Number }
    "#]],
    );
}

#[test]
fn a_field_is_read_through_a_name_for_the_record() {
    check(
        &["let rec s = { a = 1, b = { c = s.a } } in s", ":graph it"],
        expect![[r#"
        > let rec s = { a = 1, b = { c = s.a } } in s
        { a = 1, b = { c = 1 } } : { a : Number, b : { c : Number } }
        > :graph it
        b.c  reads  a
        1 other field reads nothing, and nothing reads it.
    "#]],
    );
    check(
        &["r = let rec s = { a = 1, b = s.a + s.a, c = 2 } in s", ":graph r", ":graph r.b"],
        expect![[r#"
        > r = let rec s = { a = 1, b = s.a + s.a, c = 2 } in s
        r : { a : Number, b : Number, c : Number }
        > :graph r
        r.b  reads  r.a
        1 other field reads nothing, and nothing reads it.
        > :graph r.b
        r.b  reads  r.a
    "#]],
    );
    in_language(
        Dialect::JSONNET,
        &[
            "local m = { local me = self, a: 1, b: me.a, c: 2 }",
            ":graph m",
            "local o = { a: 1, b: { c: 2 * o.a } }",
            ":graph o",
            // not one for another record
            "local s = { x: { y: 1 } }, t = { a: s, b: s, c: { local me = $, d: me.a.x.y }, e: s.x.y }",
            ":graph t",
        ],
        expect![[r#"
            > local m = { local me = self, a: 1, b: me.a, c: 2 }
            m ∈ {a ∈ number, b ∈ number, c ∈ number}
            > :graph m
            m.b  reads  m.a
            1 other field reads nothing, and nothing reads it.
            > local o = { a: 1, b: { c: 2 * o.a } }
            o ∈ {a ∈ number, b ∈ {c ∈ number}}
            > :graph o
            o.b.c  reads  o.a
            1 other field reads nothing, and nothing reads it.
            > local s = { x: { y: 1 } }, t = { a: s, b: s, c: { local me = $, d: me.a.x.y }, e: s.x.y }
            s ∈ {x ∈ {y ∈ number}}
            t ∈ {a ∈ {x ∈ {y ∈ number}}, b ∈ {x ∈ {y ∈ number}}, c ∈ {d ∈ number}, e ∈ number}
            > :graph t
            t.a    reads  s
            t.b    reads  s
            t.c.d  reads  t.a.x.y
            t.e    reads  s.x, t.a.x.y
            2 other fields read nothing, and nothing reads them.
        "#]],
    );
}

#[test]
fn the_merge_in_which_an_import_and_a_contract_meet() {
    let files = InMemory::default();
    files.put("v1.yaml", "a: 1\n");
    files.put("v2.yaml", "a: \"x\"\n");
    let mut session = Session::new(Box::new(files));
    let cells = [
        "q = { a | Number | default = 0 }",
        "r = q & (import \"v1.yaml\")",
        "s = r & ({ b = 1 } & (import \"v2.yaml\"))",
    ];
    run(&mut session, &cells);
    expect![[r#"
        type clash at a: String is not Number

          1  "x"         is String     v2.yaml:1:4
          2  a | Number  wants Number  cfg[1]:1:11
             1 meets 2 in the merge  r & ({ b = 1 } & (import "v2.yaml"))  cfg[3]:1:5
          +  8 more steps: how `Number` reached a  (`:why 2`)"#]]
    .assert_eq(&shown(session.submit(":why")));
}

#[test]
fn a_conflict_of_a_field_is_no_recomputation() {
    check(
        &[
            "x = { port = 443, u = port }",
            "y = x & { port = 444 }",
            ":diff x, y",
            ":diff y, x",
            ":deps y.u",
            ":explain y.u",
        ],
        expect![[r#"
            > x = { port = 443, u = port }
            x : { port : Number, u : Number }
            > y = x & { port = 444 }
            y : { port : Number, u : Number }
            > :diff x, y
            ~ port  443  ->  conflict                         cfg[1]:1:14  cfg[2]:1:18
            ~ u     443  ->  conflict                         recomputed, reads port
            2 different, 0 fields same
            > :diff y, x
            ~ port  conflict  ->  443                         cfg[2]:1:18  cfg[1]:1:14
            ~ u     conflict  ->  443                         recomputed, reads port
            2 different, 0 fields same
            > :deps y.u
            y.u   cfg[1]:1:23
            `- y.port  <error: the values of `port…  cfg[2]:1:18  (ties with cfg[1]:1:14)
            the records around it are made from
               x  { 2 fields }  cfg[1]:1:5
            Nothing else can change this value. Reverse: `:deps --used-by <path>`
            error: the values of `port` cannot be merged [value/merge-conflict] --> cfg[1]:1:14
            > :explain y.u
            y.u has no value                                                           error
              the values of `port` cannot be merged

              WINS  normal  <error: the values of `port…  cfg[1]:1:23  u = port

              made from
                y.port  <error: the values of `port…  cfg[2]:1:18  ties with cfg[1]:1:14

              to settle it, one of:
                cfg[2]:1:11  port | force = 444    result 444
                cfg[2]:1:11  port | default = 444  result 443
                cfg[1]:1:7   port | force = 443    result 443
                cfg[1]:1:7   port | default = 443  result 444
            error: the values of `port` cannot be merged [value/merge-conflict] --> cfg[1]:1:14
        "#]],
    );
}

#[test]
fn definitions_that_are_combined_or_only_read() {
    in_language(
        Dialect::JSONNET,
        &[
            "local a = { x: 1 } + { y: self.x + super.x } + { x: 10 }",
            ":explain a.y",
            ":deps a.y",
            "local b = { x: 1 } + { x: super.x + 1 } + { y: self.x }",
            ":deps b.y",
            "local c = { x: { p: 1 } } + { x+: { q: 1 } } + { y: self.x }",
            ":deps c.y",
        ],
        expect![[r#"
            > local a = { x: 1 } + { y: self.x + super.x } + { x: 10 }
            a ∈ {x ∈ number, y ∈ number}
            > :explain a.y
            a.y = 11 ∈ number                                                   1 definition

              WINS  layer 2  11  jsonnet[1]:1:27  y: self.x + super.x

              made from
                a.x  10  jsonnet[1]:1:53  `super` reads jsonnet[1]:1:16

              to change it: edit jsonnet[1]:1:27, or put an object above it: `{ y: … }`.
            > :deps a.y
            a.y   jsonnet[1]:1:27
            `- a.x  10  jsonnet[1]:1:53  (`super` reads jsonnet[1]:1:16)
            Nothing else can change this value. Reverse: `:deps --used-by <path>`
            > local b = { x: 1 } + { x: super.x + 1 } + { y: self.x }
            b ∈ {x ∈ number, y ∈ number}
            > :deps b.y
            b.y   jsonnet[2]:1:48
            `- b.x  2  jsonnet[2]:1:27  (2 combined)
            Nothing else can change this value. Reverse: `:deps --used-by <path>`
            > local c = { x: { p: 1 } } + { x+: { q: 1 } } + { y: self.x }
            c ∈ {x ∈ {p ∈ number, q ∈ number}, y ∈ {p ∈ number, q ∈ number}}
            > :deps c.y
            c.y   jsonnet[3]:1:53
            `- c.x  { 2 fields }  jsonnet[3]:1:35  (2 combined)
            Nothing else can change this value. Reverse: `:deps --used-by <path>`
        "#]],
    );
    check(
        &[
            "d = { a = 1, b = a } & { a = 1 }",
            ":deps d.b",
            "e = { a | merge (fun b => b.lower @ b.higher) = [1], b = a } & { a = [2] }",
            ":deps e.b",
            "f = { a.x = 1, b = a } & { a.y = 2 }",
            ":deps f.b",
            "g = { a = 1, b = a } & { a = 2 } & { b = 5 }",
            ":explain g.b",
        ],
        expect![[r#"
            > d = { a = 1, b = a } & { a = 1 }
            d : { a : Number, b : Number }
            > :deps d.b
            d.b   cfg[1]:1:18
            `- d.a  1  cfg[1]:1:30
            Nothing else can change this value. Reverse: `:deps --used-by <path>`
            > e = { a | merge (fun b => b.lower @ b.higher) = [1], b = a } & { a = [2] }
            e : { a : Array Number, b : Array Number }
            > :deps e.b
            e.b   cfg[2]:1:58
            `- e.a  [1, 2]  cfg[2]:1:70  (2 combined)
            Nothing else can change this value. Reverse: `:deps --used-by <path>`
            > f = { a.x = 1, b = a } & { a.y = 2 }
            f : { a : { x : Number, y : Number }, b : { x : Number, y : Number } }
            > :deps f.b
            f.b   cfg[3]:1:20
            `- f.a  { 2 fields }  cfg[3]:1:30  (2 combined)
            Nothing else can change this value. Reverse: `:deps --used-by <path>`
            > g = { a = 1, b = a } & { a = 2 } & { b = 5 }
            g : { a : Number, b : Number }
            > :explain g.b
            g.b has no value                                                           error
              the values of `a` cannot be merged

              TIE  normal  <error: the values of `a` c…  cfg[4]:1:18
                   merged at cfg[4]:1:22  { … } & { … }
              TIE  normal                             5  cfg[4]:1:42
                   merged at cfg[4]:1:34  .. & { … }

              made from
                g.a  <error: the values of `a` c…  cfg[4]:1:30  ties with cfg[4]:1:11
            error: the values of `a` cannot be merged [value/merge-conflict] --> cfg[4]:1:11
        "#]],
    );
}

#[test]
fn the_last_line_of_steps_counts_each_field_once() {
    check(
        &[
            ":steps { name | String, r | Number | default = 1, m = r + 1 } & { r = 2 }",
            // `m` has no check of its own
            ":steps { name | String, r | Number | default = 1, m = r + 1 } & { r = \"x\" }",
            ":steps { r | Number | default = 1, m | std.number.PosNat = r - 1 } & { r = 0 }",
        ],
        expect![[r#"
            > :steps { name | String, r | Number | default = 1, m = r + 1 } & { r = 2 }
            step 1 of 1: {…} :steps:1:8 & { r = 2 }     0 fields unchanged, 2 shown

              m  was 2, now 3
                 not merged: recomputed, it reads r
              r  1 default  &  2 normal  =>  2  normal beats default

            result: 3 fields, 1 without a value.  `:explain <path>` for one field.
            > :steps { name | String, r | Number | default = 1, m = r + 1 } & { r = "x" }
            step 1 of 1: {…} :steps:1:8 & { r = "x" }   0 fields unchanged, 2 shown

              m  was 2, now check fails
                 not merged: recomputed, it reads r
                 `r` must be a Number, but is a String  :steps:1:71
              r  1 default  &  "x" normal  =>  check fails  normal beats default
                 Number (:steps:1:29): fails

            result: 3 fields, 3 without a value.  `:explain <path>` for one field.
            > :steps { r | Number | default = 1, m | std.number.PosNat = r - 1 } & { r = 0 }
            step 1 of 1: {…} :steps:1:8 & { r = 0 }     0 fields unchanged, 2 shown

              m  check fails  |  checks    =>  check fails  checked
                 `m` breaks the contract `std.number.PosNat`: expected…  :steps:1:60
              r  1 default    &  0 normal  =>  0            normal beats default

            result: 2 fields, 1 without a value.  `:explain <path>` for one field.
        "#]],
    );
}

#[test]
fn the_options_of_a_session_are_saved() {
    let files = InMemory::default();
    let mut session = Session::new(Box::new(files.clone()));
    let cells = [
        ":set type off",
        ":set silence types/mixed",
        ":set silence types/unused",
        ":set ext-str a=b",
        "x = 1",
        ":save s.cfg",
    ];
    let mut out = run(&mut session, &cells);
    let mut other = Session::new(Box::new(files));
    out += &run(&mut other, &[":load s.cfg", "x", ":set type", ":set silence", ":set ext-str"]);
    expect![[r#"
        > :set type off
        > :set silence types/mixed
        > :set silence types/unused
        > :set ext-str a=b
        > x = 1
        x : Number
        > :save s.cfg
        saved 2 inputs and 2 options in s.cfg
        > :load s.cfg
        x : Number
        > x
        1
        > :set type
        type  off  :set  show the type after a value (on, off)
        > :set silence
        silence  types/mixed, types/unused  :set  warnings that are not reported (a code (types/mixed), or none)
        > :set ext-str
        ext-str  a=b  :set  an external variable: a string (NAME=TEXT)
    "#]]
    .assert_eq(&out);
}

#[test]
fn a_definition_that_is_off_shows_its_text() {
    check(
        &["x = { a = 1 } & { a | when (false) = 2 + 1 }", ":explain x.a", ":explain { port = 80 }.port"],
        expect![[r#"
            > x = { a = 1 } & { a | when (false) = 2 + 1 }
            x : { a : Number }
            > :explain x.a
            x.a = 1 : Number                                           2 definitions, 1 wins

              WINS  normal      1  cfg[1]:1:11  a = 1
              off   normal  2 + 1  cfg[1]:1:38  its condition is false: false  cfg[1]:1:29

              to change it: edit cfg[1]:1:11, or merge `{ a | force = … }` over it.
            > :explain { port = 80 }.port
            port = 80 : Number                                                  1 definition

              WINS  normal  80  :explain:1:19  port = 80

              to change it: edit the command, or merge `{ port | force = … }` over it.
        "#]],
    );
}

#[test]
fn a_change_that_cannot_be_tried_says_why() {
    check(
        &[
            "local = { host = \"a\", port = 1 }",
            ":whatif local.nope",
            ":whatif local.port",
            ":whatif local.port value 1 hots",
            ":whatif local.port value 1 3 +",
        ],
        expect![[r#"
            > local = { host = "a", port = 1 }
            local : { host : String, port : Number }
            > :whatif local.nope
            error: missing field `nope` [value/missing-field] --> cfg[1]:1:9
            > :whatif local.port
            error: `:whatif` needs a change after `local.port`: off, priority or value, and the number of a definition that `:explain local.port` lists [command/usage] = help: usage: :whatif PATH (off N | priority N default|normal|force|NUMBER | value N EXPRESSION), …
            > :whatif local.port value 1 hots
            error: the new value of definition 1 reads `hots`, and there is nothing of this name at cfg[1]:1:30 [command/usage]
            > :whatif local.port value 1 3 +
            error: unexpected end of input [syntax/unexpected] --> :whatif:1:31
        "#]],
    );
}
