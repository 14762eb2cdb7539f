//! Answers about mcl programs: annotations that settle an ambiguity, the includes that a resource comes through, resources that differ.

use super::{check, run};
use cfg_core::{InMemory, Session};
use expect_test::expect;

#[test]
fn a_class_that_is_included_twice_makes_equal_resources_or_an_error() {
    check(
        &[
            ":dialect mcl",
            "class c($n) { test \"t\" { int64 => $n, } }",
            "include c(1)  include c(2)",
            "include c(1)  include c(1)",
            "class m($n) { test $n { mapintfloat => {1 => 0.5,}, } }",
            "include m(\"a\")  include m(\"a\")",
            "class d($names) { noop $names {} }",
            "include d([\"a\", \"b\",])  include d([\"b\", \"c\",])",
        ],
        expect![[r#"
            > :dialect mcl
            > class c($n) { test "t" { int64 => $n, } }
            class c func(int) struct{n int}
            > include c(1)  include c(2)
            test "t" {
              int64 => <error: the values of `resources."test[t]".fields.int64` cannot be merged>,
            }
            error: the values of `resources."test[t]".fields.int64` cannot be merged [value/merge-conflict] --> mcl[1]:1:35
            > include c(1)  include c(1)
            test "t" {
              int64 => 1,
            }
            > class m($n) { test $n { mapintfloat => {1 => 0.5,}, } }
            class m func(?1) struct{n ?1}
            > include m("a")  include m("a")
            test "a" {
              mapintfloat => {1 => 0.5,},
            }
            > class d($names) { noop $names {} }
            class d func(?1) struct{names ?1}
            > include d(["a", "b",])  include d(["b", "c",])
            noop "a" {}
            noop "b" {}
            noop "c" {}
        "#]],
    );
}

#[test]
fn an_annotation_settles_an_ambiguity() {
    check(
        &[
            ":dialect mcl",
            "len([])",
            ":why",
            "func($x) { $x }",
            ":why",
            "$l = [[],]",
            "$value = 1",
            "iter.map([], func($v) { $v })",
            "test \"t\" {\n  int64 => len({}),\n}",
            ":why",
            "class c($a) { test \"t\" { int64 => len([]), } }",
        ],
        expect![[r#"
            > :dialect mcl
            > len([])
            error: the type is ambiguous: []?1 [types/ambiguous] --> mcl[1]:1:5
            > :why
            the type is ambiguous: []?1

              1  []  is an array  mcl[1]:1:5
                 they meet in the call  len([])  mcl[1]:1:1

              nearest fix: mcl[1]:1:1  len([]) -> $value []str = []
                len($value)
            > func($x) { $x }
            error: the type of `$x` is ambiguous: ?1 [types/ambiguous] --> mcl[2]:1:7
            > :why
            the type of `$x` is ambiguous: ?1

              1  func($x) { $x }  is func(?1) variant  mcl[2]:1:1

              nearest fix: mcl[2]:1:6  $x -> $x str
            > $l = [[],]
            error: the type is ambiguous: []?1 [types/ambiguous] --> mcl[3]:1:7
            l [][]?1 (has an error)
            > $value = 1
            value int
            > iter.map([], func($v) { $v })
            error: the type is ambiguous: []?1 [types/ambiguous] --> mcl[5]:1:10
            > test "t" {
              int64 => len({}),
            }
            error: the type is ambiguous: map{?1: ?2} [types/ambiguous] --> mcl[6]:2:16
            > :why
            the type is ambiguous: map{?1: ?2} at fields.int64

              1  {}                              is map{?1: ?2}    mcl[6]:2:16
              2  test "t" { int64 => len({}), }  iterates over it  mcl[6]:1:1
                 1 meets 2 in the call  len({})  mcl[6]:2:12
              +  1 more step: where it is expected  (`:why 2`)

              nearest fix: mcl[6]:1:1  test "t" { int64 => len({}), } -> $value_of_known_type map{str: str} = {}
                test "t" {
                  int64 => len($value_of_known_type),
                }
            > class c($a) { test "t" { int64 => len([]), } }
            error: the type is ambiguous: []?1 [types/ambiguous] --> mcl[7]:1:39
            class c func(?1) struct{a ?1} (has an error)
        "#]],
    );
}

#[test]
fn an_include_that_is_the_whole_input() {
    check(
        &[
            ":dialect mcl",
            "class c($n) { test \"t${n}\" { int64 => 1, } }",
            "include c(\"1\")",
            "include c(\"2\")",
            ":explain test[t2].int64",
            ":explain $2.resources[0].fields.int64",
            "import \"fmt\"",
            "fmt.printf(\"%d\", 1)",
            "import \"golang/strings\" as gs",
            "gs.to_lower(\"A\")",
        ],
        expect![[r#"
            > :dialect mcl
            > class c($n) { test "t${n}" { int64 => 1, } }
            class c func(str) struct{n str}
            > include c("1")
            test "t1" {
              int64 => 1,
            }
            > include c("2")
            test "t2" {
              int64 => 1,
            }
            > :explain test[t2].int64
            test[t2].int64 = 1 int                                              1 definition

              WINS  normal  1  mcl[1]:1:39  int64 => 1

              through
                class c($n)     mcl[1]:1:1
                include c("2")  mcl[3]:1:1

              to change it: edit mcl[1]:1:39.
            > :explain $2.resources[0].fields.int64
            test[t1].int64 = 1 int                                              1 definition

              WINS  normal  1  mcl[1]:1:39  int64 => 1

              through
                class c($n)     mcl[1]:1:1
                include c("1")  mcl[2]:1:1

              to change it: edit mcl[1]:1:39.
            > import "fmt"
            > fmt.printf("%d", 1)
            "1" : str
            > import "golang/strings" as gs
            > gs.to_lower("A")
            "a" : str
        "#]],
    );
}

#[test]
fn a_file_with_kinds_is_an_option() {
    let files = [
        ("my.toml", "[kinds.widget]\ncolour = \"str\"\n"),
        ("lib.mcl", "class w { widget \"w\" { colour => \"red\", } }\n"),
    ];
    let mut session = Session::new(Box::new(files.into_iter().collect::<InMemory>()));
    let inputs = [
        ":dialect mcl",
        "widget \"a\" { colour => \"red\", }",
        ":set kinds other.toml",
        ":set kinds my.toml",
        "widget \"a\" { colour => \"red\", }",
        "import \"lib.mcl\"",
        "include lib.w",
        ":set kinds none",
        "widget \"a\" { colour => \"red\", }",
    ];
    expect![[r#"
        > :dialect mcl
        > widget "a" { colour => "red", }
        error: no resource kind `widget` available [init/unknown-kind] --> mcl[1]:1:1
        > :set kinds other.toml
        error: `other.toml` is not a value of `kinds`: expected a file in TOML, or none [command/usage] = help: usage: :set kinds VALUE
        > :set kinds my.toml
        > widget "a" { colour => "red", }
        widget "a" {
          colour => "red",
        }
        > import "lib.mcl"
        namespace lib struct{}
        > include lib.w
        widget "w" {
          colour => "red",
        }
        > :set kinds none
        > widget "a" { colour => "red", }
        error: no resource kind `widget` available [init/unknown-kind] --> mcl[5]:1:1
    "#]].assert_eq(&run(&mut session, &inputs));
}
