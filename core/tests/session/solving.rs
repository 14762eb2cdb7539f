//! `:steps --types`, the origins of `:constraints`, and annotations for ambiguous types.

use cfg_core::{Event, NoLoader, Session};
use expect_test::expect;

/// Returns the texts of all events of some inputs.
fn said(inputs: &[&str]) -> String {
    let mut session = Session::new(Box::new(NoLoader));
    let mut out = String::new();
    for input in inputs {
        for event in session.submit(input) {
            match event {
                Event::Answer(text) | Event::Bound(text) | Event::Diagnostic { report: text, .. } => {
                    out.push_str(&text.text());
                }
                Event::Steps { pages, footer, .. } => out.push_str(&Event::text(&pages, &footer).text()),
                _ => continue,
            }
            out.push('\n');
        }
    }
    out
}

#[test]
fn each_step_says_what_it_binds_and_what_it_reads() {
    let inputs = [":dialect mcl", ":steps --types func($x, $y) { [$x, $y + 1,] }"];
    expect![[r#"
        step 1 of 3: 1  :steps:1:41

          actual    int
          expected  a  an operand of `+`
          bind      a := int  a is the type of `y` :steps:1:26

        step 2 of 3: $y + 1  :steps:1:36

          actual    int
          expected  one of the types that the operator works on
          since     a = int  step 1, :steps:1:41
          holds     no variable is bound

        step 3 of 3: $y + 1  :steps:1:36

          actual    int
          expected  b  the elements of a list, or the values of a map, have one type
          since     a = int  step 1, :steps:1:41
          bind      b := int  b is the type of `x` :steps:1:22

        type: func(int, int) []int
    "#]]
    .assert_eq(&said(&inputs));
}

#[test]
fn a_conflict_names_the_step_that_decided_the_other_side() {
    let inputs = [":dialect mcl", ":steps --types func($x) { [$x + 1, $x + \"a\",] }"];
    expect![[r#"
        step 1 of 5: 1  :steps:1:33

          actual    int
          expected  a  an operand of `+`
          bind      a := int  a is the type of `x` :steps:1:22

        step 2 of 5: $x + 1  :steps:1:28

          actual    int
          expected  one of the types that the operator works on
          since     a = int  step 1, :steps:1:33
          holds     no variable is bound

        step 3 of 5: "a"  :steps:1:41

          actual    str
          expected  int  an operand of `+`
          since     a = int  step 1, :steps:1:33
          conflict  str ≠ int

        step 4 of 5: $x + "a"  :steps:1:36

          actual    int
          expected  one of the types that the operator works on
          since     a = int  step 1, :steps:1:33
          holds     no variable is bound

        step 5 of 5: $x + "a"  :steps:1:36

          actual    int
          expected  int  the elements of a list, or the values of a map, have one type
          since     a = int  step 1, :steps:1:33
          holds     no variable is bound

        1 conflict
        type: func(int) []int
        error: expected int, found str [types/conflict]
         --> :steps:1:41
          |
        1 | :steps --types func($x) { [$x + 1, $x + "a",] }
          |                             -       -   ^^^ this is str
          |                             |       |
          |                             |       `+` works on int
          |                             `+` works on int
          |
          = help: `+` joins two values of one type: of an int, `fmt.printf("%d", $n)` makes a str, after `import "fmt"`
    "#]]
    .assert_eq(&said(&inputs));
}

#[test]
fn a_constraint_waits_until_its_variable_is_bound() {
    let inputs = [":dialect mcl", ":steps --types func($l, $i) { $l[$i] + len($l) + $l[0] }"];
    expect![[r#"
        step 1 of 10: $l[$i]  :steps:1:31

          operands  a [] b
          result    c
          waits     a is not known yet

        step 2 of 10: len($l)  :steps:1:40

          actual    d
          expected  one of the types that the operator works on
          waits     d is not known yet

        step 3 of 10: l  :steps:1:45

          actual    a
          expected  d  the first argument of `len`
          bind      a := d  a is the type of `l` :steps:1:22

        step 4 of 10: len($l)  :steps:1:40

          actual    d
          expected  one of the types that the operator works on
          waits     d is not known yet

        step 5 of 10: $l[$i]  :steps:1:31

          operands  d [] b
          result    c
          since     a = d  step 3, :steps:1:45
          waits     d is not known yet

        step 6 of 10: len($l)  :steps:1:40

          actual    int
          expected  c  an operand of `+`
          bind      c := int  c is the type of `$l[$i]` :steps:1:31

        step 7 of 10: $l[$i] + len($l)  :steps:1:31

          actual    int
          expected  one of the types that the operator works on
          since     c = int  step 6, :steps:1:40
          holds     no variable is bound

        step 8 of 10: $l[0]  :steps:1:50

          operands  d [] int
          result    e
          since     a = d  step 3, :steps:1:45
          waits     d is not known yet

        step 9 of 10: $l[0]  :steps:1:50

          actual    e
          expected  int  an operand of `+`
          since     c = int  step 6, :steps:1:40
          bind      e := int  e is the type of `$l[0]` :steps:1:50

        step 10 of 10: $l[$i] + len($l) + $l[0]  :steps:1:31

          actual    int
          expected  one of the types that the operator works on
          since     c = int  step 6, :steps:1:40
          holds     no variable is bound

        type: func(?1, ?2) int
        error: the type of `$l` is ambiguous: ?1 [types/ambiguous]
         --> :steps:1:22
          |
        1 | :steps --types func($l, $i) { $l[$i] + len($l) + $l[0] }
          |                      ^ nothing decides the rest of this type
        error: the type of `$i` is ambiguous: ?1 [types/ambiguous]
         --> :steps:1:26
          |
        1 | :steps --types func($l, $i) { $l[$i] + len($l) + $l[0] }
          |                          ^ nothing decides the rest of this type
    "#]]
    .assert_eq(&said(&inputs));
}

#[test]
fn other_languages_have_steps_too() {
    let inputs = [
        ":steps --types fun x y => if x then y + 1 else 2",
        ":steps --types 1",
        ":dialect jsonnet",
        ":steps --types function(o) o.a.b + 1",
        ":steps --types",
    ];
    expect![[r#"
        step 1 of 3: x  :steps:1:30

          actual    a
          expected  Bool  a condition is a Bool
          bind      a := Bool  a is the type of `x` :steps:1:20

        step 2 of 3: y  :steps:1:37

          actual    b
          expected  Number  an operand of `+`
          bind      b := Number  b is the type of `y` :steps:1:22

        step 3 of 3: 1  :steps:1:41

          actual    Number
          expected  Number  an operand of `+`
          holds     no variable is bound

        type: Bool -> Number -> Number
        no constraints: each part has its own type
        type: Number
        step 1 of 3: o.a  :steps:1:28

          actual    c
          expected  {a ∈ d, r1...}  only an object has a field `a`
          bind      c := {a ∈ d, r1...}  c is the type of `o` :steps:1:25

        step 2 of 3: o.a.b  :steps:1:28

          actual    d
          expected  {b ∈ e, r2...}  only an object has a field `b`
          bind      d := {b ∈ e, r2...}  d is the type of `o.a` :steps:1:28

        step 3 of 3: o.a.b + 1  :steps:1:28

          operands  e + number
          result    f
          waits     e is not known yet

        type: ({a ∈ {b ∈ a, ...}, ...}) -> b where b = a + number
        error: `:steps` needs a path or an expression [command/usage]
         = help: usage: :steps [--types] EXPRESSION
         = help: for example `:steps { port: 80 } + { port: 443, host: 'a' }`; `:help steps` explains it
    "#]]
    .assert_eq(&said(&inputs));
}

/// The annotation of each message is an input without an error.
#[test]
fn annotations_settle_what_they_are_offered_for() {
    let definitions = [
        "$a = []",
        "$b = struct{x => {}, y => 1,}",
        "$c = func($p) { $p }",
        "$d = func($p, $q) { $p + $q }",
        "$e = func($l) { $l[0] + 1 }",
    ];
    for definition in definitions {
        let said = said(&[":dialect mcl", definition]);
        let offered = said.split_once("for example `").and_then(|(_, rest)| rest.split_once('`'));
        let offered = offered.unwrap_or_else(|| panic!("no annotation for {definition}: {said}")).0;
        let name = offered.split(' ').next().unwrap();
        let fixed = definition.replacen(name, offered, 1);
        let said = self::said(&[":dialect mcl", &fixed]);
        assert!(!said.contains("error"), "{fixed}: {said}");
        assert_ne!(fixed, definition);
    }
}

/// An ambiguity without a name that could have an annotation, in a statement that is too long to be repeated with one.
#[test]
fn an_annotation_that_settles_nothing_is_not_offered() {
    let statement = format!("test \"t\" {{ int64 => len([]), str => \"{}\", }}", "a".repeat(200));
    let long = said(&[":dialect mcl", &statement]);
    assert!(long.contains("is ambiguous") && !long.contains("for example"), "{long}");
    let short = said(&[":dialect mcl", "test \"t\" { int64 => len([]), }"]);
    assert!(short.contains("for example `$value []str = []`, and `$value` in place"), "{short}");
    let bound = said(&[":dialect mcl", "$n = len([])"]);
    assert!(bound.contains("for example `$value []str = []`, and `$value` in place"), "{bound}");
}

/// `(((1)[0])[0])[0]`: only the innermost index is wrong. The types of the others follow from it.
#[test]
fn an_element_of_an_unknown_list_is_not_ambiguous_itself() {
    let wrong = said(&[":dialect mcl", "$x = (((1)[0])[0])[0]"]);
    assert!(wrong.contains("`[]` does not work on int"), "{wrong}");
    assert!(!wrong.contains("is ambiguous"), "{wrong}");
    let unknown = said(&[":dialect mcl", "$x = [][0][1]"]);
    assert_eq!(unknown.matches("is ambiguous").count(), 1, "{unknown}");
}
