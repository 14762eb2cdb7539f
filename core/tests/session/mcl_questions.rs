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
              2  "a${n}"          str = str  the name of a resource is a text that is written out, or a list of str
              3  "x"              str = str  the first argument of `printf`
              4  fmt.printf("x")  str = str  the field `test.anotherstr`
            constraints with the solution
              1  str = str  holds
              2  str = str  holds
              3  str = str  holds
              4  str = str  holds
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

/// A resource is looked for in all results, the newest first, also from a cell in another language.
#[test]
fn a_path_finds_a_resource_of_an_earlier_cell() {
    check(
        &[
            ":dialect mcl",
            "test \"a\" { int64 => 1, }",
            "test \"b\" {}",
            "$z = 3",
            "$z",
            ":explain test[a].int64",
            ":deps test[a].int64",
            ":explain test[c]",
            "test \"a\" { int64 => 2, }",
            ":query test[a].int64",
            ":dialect cfg",
            ":explain test[b]",
            ":query test[a].int64",
        ],
        expect![[r#"
            > :dialect mcl
            > test "a" { int64 => 1, }
            test "a" {
              int64 => 1,
            }
            > test "b" {}
            test "b" {}
            > $z = 3
            z int
            > $z
            3 : int
            > :explain test[a].int64
            test[a].int64 = 1 int                                               1 definition

              WINS  normal  1  mcl[1]:1:21  int64 => 1

              to change it: edit mcl[1]:1:21.
            > :deps test[a].int64
            resources[0].fields.int64   mcl[1]:1:21
            the records around it are made from
               $1                 { 2 fields }  mcl[1]:1:1
               resources[0].kind  "test"        mcl[1]:1:1
               resources[0].name  "a"           mcl[1]:1:1
            Nothing else can change this value. Reverse: `:deps --used-by <path>`
            > :explain test[c]
            error: there is no resource `test[c]` [path/no-resource] = help: did you mean `test[b]`?
            > test "a" { int64 => 2, }
            test "a" {
              int64 => 2,
            }
            > :query test[a].int64
            • value: 2
            > :dialect cfg
            > :explain test[b]
            $2.resources[0] = { fields = {}, kind = "test", …2 more }           1 definition
              : { fields : {}, kind : String, meta : {}, name : String }

              WINS  normal  { fields = {}, …3 more }  mcl[2]:1:1  { … }

              its fields
                fields  {}      mcl[2]:1:1
                kind    "test"  mcl[2]:1:1
                meta    {}      mcl[2]:1:1
                name    "b"     mcl[2]:1:1

              to change it: edit mcl[2]:1:1.
            > :query test[a].int64
            • value: 2
        "#]],
    );
}

#[test]
fn the_results_of_two_cells_are_compared_or_the_missing_one_is_named() {
    check(
        &[
            ":dialect mcl",
            "test \"a\" { int64 => 1, }",
            "test \"a\" { int64 => 2, }",
            "$z = 3",
            ":diff $1 $2",
            ":diff $1 $9",
            ":diff $8 $9",
            ":diff $1, $3 + 1",
        ],
        expect![[r#"
            > :dialect mcl
            > test "a" { int64 => 1, }
            test "a" {
              int64 => 1,
            }
            > test "a" { int64 => 2, }
            test "a" {
              int64 => 2,
            }
            > $z = 3
            z int
            > :diff $1 $2
            ~ test[a]
              ~ int64  1 -> 2
            1 changed; 0 resources same
            > :diff $1 $9
            error: `$9` is not in scope [scope/unbound] --> :diff:1:10
            > :diff $8 $9
            error: `$8` is not in scope [scope/unbound] --> :diff:1:7
            error: `$9` is not in scope [scope/unbound] --> :diff:1:10
            > :diff $1, $3 + 1
            error: `$3` is not in scope [scope/unbound] --> :diff:1:11
        "#]],
    );
}

#[test]
fn a_resource_that_fails_is_explained() {
    check(
        &[
            ":dialect mcl",
            "class one { test \"t\" { int64 => 1, int8 => 3, } }   class two { test \"t\" { int64 => 2, } }",
            "include one   include two",
            ":explain test[t].int64",
            ":explain test[t].int8",
            ":graph",
        ],
        expect![[r#"
            > :dialect mcl
            > class one { test "t" { int64 => 1, int8 => 3, } }   class two { test "t" { int64 => 2, } }
            class one func() struct{}
            class two func() struct{}
            > include one   include two
            test "t" {
              int64 => <error: the values of `resources[0].fields.int64` cannot be merged>,
              int8 => <error: the resource `test[t]` is defined twice, and `int8` is set in one definition only>,
            }
            error: the values of `resources[0].fields.int64` cannot be merged [value/merge-conflict] --> mcl[1]:1:33
            error: the resource `test[t]` is defined twice, and `int8` is set in one definition only [value/graph] --> mcl[1]:1:44
            > :explain test[t].int64
            test[t].int64 has no value: 2 definitions tie                           conflict

              TIE  normal  1  mcl[1]:1:33  merged at mcl[2]:1:1  include one include two
              TIE  normal  2  mcl[1]:1:85  merged at mcl[2]:1:1  include one include two

              through
                class one    mcl[1]:1:1
                include one  mcl[2]:1:1
                class two    mcl[1]:1:53
                include two  mcl[2]:1:15
            > :explain test[t].int8
            test[t].int8 has no value                                                  error
              the resource `test[t]` is defined twice, and `int8` is set in one definition only

              TIE  normal                             3  mcl[1]:1:44
                   merged at mcl[2]:1:1  include one include two
              TIE  normal  <error: the resource `test[…  (computed)
                   merged at mcl[2]:1:1  include one include two

              through
                class one    mcl[1]:1:1
                include one  mcl[2]:1:1
            error: the resource `test[t]` is defined twice, and `int8` is set in one definition only [value/graph] --> mcl[1]:1:44
            > :graph
            error: the values of `resources[0].fields.int64` cannot be merged [value/merge-conflict] --> mcl[1]:1:33
        "#]],
    );
}
