//! The arguments of commands in mgmt's language.

use super::check;
use cfg_core::{Completeness, NoLoader, Session};
use expect_test::expect;

#[test]
fn the_library_is_in_scope_in_the_statements_of_a_question() {
    check(
        &[
            ":dialect mcl",
            "$n = \"b\"",
            ":stages scope test \"a\" { anotherstr => fmt.printf(\"%s\", $n), }",
            ":constraints test \"a${n}\" { anotherstr => fmt.printf(\"x\"), }",
            ":type $y = strings.to_lower(\"A\")",
            "import \"fmt\" as f",
            ":stages values test \"a\" { anotherstr => f.printf(\"x\"), }",
            ":stages scope test \"a\" { anotherstr => nope.printf(\"x\"), }",
        ],
        expect![[r#"
            > :dialect mcl
            > $n = "b"
            n str
            > :stages scope test "a" { anotherstr => fmt.printf("%s", $n), }
            scope
              from outside  n
            > :constraints test "a${n}" { anotherstr => fmt.printf("x"), }
            collected
              1  n                str = str  only a str can be interpolated into a string
              2  test "a${n}"     str = str  the name of a resource is a str or a list of str
              3  test "a${n}"     str = str  the name of a resource is a str or a list of str
              4  "x"              str = str  the first argument of `printf`
              5  fmt.printf("x")  str = str  the field `test.anotherstr`
            so that
              1  str = str  holds
              2  str = str  holds
              3  str = str  holds
              4  str = str  holds
              5  str = str  holds
            type
              struct{}
            > :type $y = strings.to_lower("A")
            struct{y str}
            > import "fmt" as f
            > :stages values test "a" { anotherstr => f.printf("x"), }
            values
              • value: struct{edges => [], resources => [struct{fields => struct{anotherstr => "x",}, kind => "test", meta => struct{}, name => "a",},],}

              Available fields
              • edges
              • resources
            > :stages scope test "a" { anotherstr => nope.printf("x"), }
            scope
              namespace `nope` is not in scope [scope/unbound]
            error: namespace `nope` is not in scope [scope/unbound] --> :stages:1:40
        "#]],
    );
}

/// `scope f(1)` alone is the beginning of a resource.
#[test]
fn the_name_of_a_stage_is_not_part_of_an_unfinished_input() {
    let mut session = Session::new(Box::new(NoLoader));
    session.submit(":dialect mcl");
    for text in [":stages scope f(1)", ":stages values $x", ":stages scope", ":stages f(1)"] {
        assert_eq!(session.completeness(text), Completeness::Complete, "{text}");
    }
    for text in [":stages scope f(", ":stages scope test \"a\" {", ":stages scoped f(1)"] {
        assert!(matches!(session.completeness(text), Completeness::Incomplete { .. }), "{text}");
    }
}
