//! Secrets in steps.

use super::{ask, shows, submit, text};
use cfg_core::{Medium, NoLoader, Session};
use expect_test::expect;

#[test]
fn secrets_are_masked_and_errors_are_in_their_place() {
    shows(
        text(
            "f.cfg",
            "{ key | secret = \"a\", bad = 1 / 0, ok = 1 } & { key | force = \"b\", bad | force = 2, worse = bad + \"x\" }",
        ),
        expect![[r#"
            step 1 of 1: {…} f.cfg:1:1 & {…} f.cfg:1:52
              1 field unchanged, 3 shown (all: `--all`)

              bad    fails normal     &  2 force         =>  2         force beats normal
              key    <secret> normal  &  <secret> force  =>  <secret>  force beats normal
              worse  -                &  bad + "x"       =>  fails     only the right has it
                     the right operand of `+` must be Number, but is String  f.cfg:1:109

            result: 4 fields, 1 without a value.  `cfg explain FILE <path>` for one field.
            exit 1
        "#]],
    );
}

#[test]
fn secrets_that_differ_are_a_conflict_and_stay_secrets() {
    let program = "{ key | secret = \"sesame1\", ok = 1 } & { key = \"sesame2\" }";
    shows(
        text("f.cfg", program),
        expect![[r#"
            step 1 of 1: {…} f.cfg:1:1 & {…} f.cfg:1:39
              1 field unchanged, 1 shown (all: `--all`)

              key  <secret> normal  &  <secret> normal  =>  conflict
                   both normal, and they differ
                   f.cfg:1:18 against f.cfg:1:47

            result: 2 fields, 1 without a value.  `cfg explain FILE <path>` for one field.
            exit 1
        "#]],
    );
    for medium in [Medium::Text, Medium::Json, Medium::Html] {
        let shown = ask(text("f.cfg", program), medium, None).output.text();
        assert!(!shown.contains("sesame"), "{shown}");
    }
}

#[test]
fn a_secret_never_appears() {
    let program = "{ key | secret = \"sesame1\", r.k | secret | default = \"sesame2\" } & { key | force = \"sesame3\" } & { r.k = \"sesame4\" }";
    for medium in [Medium::Text, Medium::Json, Medium::Html] {
        let shown = ask(text("f.cfg", program), medium, None).output.text();
        assert!(shown.contains("secret") && !shown.contains("sesame"), "{shown}");
    }
    let mut session = Session::new(Box::new(NoLoader));
    let shown = submit(&mut session, &["a = { k | secret = \"sesame1\" }", "b = { k = \"sesame2\" }", ":diff a b"]);
    let diff = shown.split(":diff").nth(1).unwrap();
    assert!(diff.contains("secret") && !diff.contains("sesame"), "{shown}");
}
