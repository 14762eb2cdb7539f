//! The session in Jsonnet: inputs, each after `>`, and their results.

use super::{check, run};
use cfg_core::{Completeness, Event, InMemory, NoLoader, Session};
use expect_test::expect;
use std::cell::RefCell;
use std::rc::Rc;

#[test]
fn a_language_is_used_until_another_is_chosen() {
    check(
        &[
            ":dialect",
            "a = { x = 1 }",
            ":dialect jsonnet",
            "{ x: 1, y:: 'a' }",
            "a.x",
            ":type function(x, y=1) [x]",
            ":dialect cfg",
            "a.x",
            "%%jsonnet\nlocal b = { z: null }",
            "b",
            "%%yaml\na: 1",
            "%%mcl\n1",
            ":dialect klingon",
            ":dialect",
        ],
        expect![[r#"
            > :dialect
            cfg
            > a = { x = 1 }
            a : { x : Number }
            > :dialect jsonnet
            > { x: 1, y:: 'a' }
            { x: 1, y:: "a" } : {x ∈ number, y ∈ string}
            > a.x
            1 : number
            > :type function(x, y=1) [x]
            (a, number?) -> [a]
            > :dialect cfg
            > a.x
            1 : Number
            > %%jsonnet
            local b = { z: null }
            b ∈ {z ∈ a}
            > b
            { z = null } : forall a. { z : a }
            > %%yaml
            a: 1
            error: unknown language `yaml`: expected cfg, jsonnet, yay, mcl [command/usage] = help: usage: %%DIALECT
            > %%mcl
            1
            1 : int
            > :dialect klingon
            error: unknown language `klingon`: expected cfg, jsonnet, yay, mcl [command/usage] = help: usage: :dialect [cfg|jsonnet|yay|mcl]
            > :dialect
            cfg
        "#]],
    );
}

#[test]
fn locals_bind_at_top_level() {
    check(
        &[
            ":dialect jsonnet",
            "local x = 1",
            "local f(a, b=x) = [a, b];",
            "f(2)",
            "f",
            "std.map",
            "[0.1 + 0.2, -1 / 3]",
            "local x = 5; [x]",
            "x",
            "local even(n) = n == 0 || odd(n - 1), odd(n) = n != 0 && even(n - 1)",
            "even(10)",
            "local x = 7",
            "f(2)",
            "it",
            "$3",
            "self",
            "y",
            "# what y is\nlocal y = 2",
            ":doc y",
        ],
        expect![[r#"
            > :dialect jsonnet
            > local x = 1
            x ∈ number
            > local f(a, b=x) = [a, b];
            f ∈ (number, number?) -> [number]
            > f(2)
            [2, 1] : [number]
            > f
            function(a, b=x) [a, b] : (number, number?) -> [number]
            > std.map
            std.map : ((a) -> b, [a]) -> [b]
            > [0.1 + 0.2, -1 / 3]
            [0.30000000000000004, -0.3333333333333333] : [number]
            > local x = 5; [x]
            [5] : [number]
            > x
            1 : number
            > local even(n) = n == 0 || odd(n - 1), odd(n) = n != 0 && even(n - 1)
            even ∈ (number) -> boolean
            odd ∈ (number) -> boolean
            > even(10)
            true : boolean
            > local x = 7
            x ∈ number
            > f(2)
            [2, 7] : [number]
            > it
            [2, 7] : [number]
            > $3
            note: `$3` was computed before `x` was defined again [session/stale] --> jsonnet[14]:1:1
            [2, 1] : [number]
            > self
            error: can't use `self` outside of an object [scope/outside-object] --> jsonnet[15]:1:1
            > y
            error: unknown variable: y [scope/unbound] --> jsonnet[16]:1:1
            > # what y is
            local y = 2
            y ∈ number
            > :doc y
            y ∈ number

            what y is
        "#]],
    );
}

#[test]
fn problems_that_depend_on_uses_are_not_reported_at_the_definition() {
    check(
        &[
            ":dialect jsonnet",
            "local mixin = { y: super.x, z: self.k }",
            "local base = { host: error 'set it', url: 'http://' + self.host }",
            "({ x: 1 } + mixin) { k: 2 }",
            "base { host: 'a' }",
            "base.url",
            "{ y: super.x }",
        ],
        expect![[r#"
            > :dialect jsonnet
            > local mixin = { y: super.x, z: self.k }
            mixin ∈ {k! ∈ a, x< ∈ b, y ∈ b, z ∈ a}
            > local base = { host: error 'set it', url: 'http://' + self.host }
            base ∈ {host ∈ Error a, url ∈ string}
            > ({ x: 1 } + mixin) { k: 2 }
            { k: 2, x: 1, y: 1, z: 2 } : {k ∈ number, x ∈ number, y ∈ number, z ∈ number}
            > base { host: 'a' }
            { host: "a", url: "http://a" } : {host ∈ string, url ∈ string}
            > base.url
            error: set it [value/failed] --> jsonnet[2]:1:22
            > { y: super.x }
            error: no field `x` on the left: `super.x` has no value [types/undefined] --> jsonnet[6]:1:6
            { y: <error: attempt to use super when there is no super class.> } : {x< ∈ a, y ∈ a}
        "#]],
    );
}

#[test]
fn a_command_after_a_language_line_is_in_that_language() {
    check(
        &[
            "%%jsonnet\n:type { a: 1 } + { b:: 2 }",
            "%%jsonnet\n:core { a: 1 } { a+: 1 }",
            "%%jsonnet\nlocal x = { a: 1 }",
            "%%jsonnet\n:steps x + { a: 2 }",
            ":dialect",
            "%%jsonnet\n:dialect",
            "%%french\n:type 1",
            ":type x",
        ],
        expect![[r#"
            > %%jsonnet
            :type { a: 1 } + { b:: 2 }
            {a ∈ number, b ∈ number}
            > %%jsonnet
            :core { a: 1 } { a+: 1 }
            inherit({ a = 1 }, { a += 1 })
            > %%jsonnet
            local x = { a: 1 }
            x ∈ {a ∈ number}
            > %%jsonnet
            :steps x + { a: 2 }
            step 1 of 1: x + { a: 2 }                   0 fields unchanged, 1 shown

              a  1  +  2  =>  2  the right side wins

            result: 1 field.  `:explain <path>` for one field, `:diff x, x + { a: 2 }` for all.
            > :dialect
            cfg
            > %%jsonnet
            :dialect
            jsonnet
            > %%french
            :type 1
            error: unknown language `french`: expected cfg, jsonnet, yay, mcl [command/usage] = help: usage: %%DIALECT
            > :type x
            { a : Number }
        "#]],
    );
    let session = Session::new(Box::new(NoLoader));
    assert_eq!(session.inputs("1\n%%jsonnet\n:type { a: 1,\n b: 2 }\n:type 2").len(), 3);
    assert_eq!(session.completeness("%%jsonnet\n:type {"), Completeness::Incomplete { indent: 2 });
    assert_eq!(session.completeness("%%jsonnet\n:type { a: 1 }"), Completeness::Complete);
}

#[test]
fn completion() {
    let mut session = Session::new(Box::new(NoLoader));
    session.submit(":dialect jsonnet");
    session.submit("local base = { port: 1, host: 'a' }");
    for (text, expected) in [
        ("ba", vec!["base"]),
        ("base.", vec!["host", "port"]),
        ("base { po", vec!["port"]),
        ("base { x: super.h", vec!["host"]),
        ("{ inner: 1, other: self.in", vec!["inner"]),
        ("{ inner: 1, other: { x: $.in", vec!["inner"]),
        ("std.ty", vec!["type"]),
        (":dialect j", vec!["jsonnet"]),
    ] {
        let found: Vec<String> = session.complete(text, text.len()).into_iter().map(|c| c.text).collect();
        assert_eq!(found, expected, "\ntext: {text}");
    }
}

#[test]
fn a_cell_is_completed_in_the_language_that_its_first_line_names() {
    let mut session = Session::new(Box::new(NoLoader));
    session.submit("base = { port = 1, host = \"a\" }");
    for (text, expected) in [
        ("%%js", vec!["jsonnet"]),
        ("%%jsonnet\nba", vec!["base"]),
        ("%%jsonnet\nlocal b = base + { port+: 2 };\nb.p", vec!["port"]),
        ("%%jsonnet\n{ inner: 1, other: self.in", vec!["inner"]),
        ("%%jsonnet\nstd.objectHasA", vec!["objectHasAll"]),
        ("%%jsonnet\n:type std.manifestIn", vec!["manifestIni"]),
        ("std.string.is_", vec!["is_match"]),
    ] {
        let found: Vec<String> = session.complete(text, text.len()).into_iter().map(|c| c.text).collect();
        assert_eq!(found, expected, "\ntext: {text}");
    }
    assert_eq!(session.hint("%%jsonnet\nstd.objectHasA", 24).as_deref(), Some("ll"));
    assert_eq!(session.dialect().name(), "cfg");
}

#[test]
fn completeness_depends_on_the_language_of_the_input() {
    let mut session = Session::new(Box::new(NoLoader));
    assert_eq!(session.completeness("%%jsonnet"), Completeness::Incomplete { indent: 0 });
    assert_eq!(session.completeness("%%jsonnet\n|||\n  a"), Completeness::Incomplete { indent: 0 });
    assert_eq!(session.completeness("%%jsonnet\nlocal x = 1;"), Completeness::Complete);
    session.submit(":dialect jsonnet");
    assert_eq!(session.completeness("local f(x) ="), Completeness::Incomplete { indent: 2 });
    assert_eq!(
        session.inputs("local x = 1\n:type x\nlocal y = 2\nx"),
        ["local x = 1", ":type x\n", "local y = 2", "x"]
    );
}

#[test]
fn empty_answers_use_the_syntax_of_jsonnet() {
    check(
        &[
            ":dialect jsonnet",
            "local r = { a: 1, b: error 'no' };",
            ":query r.a.x",
            ":explain r.a",
            ":holes r.b",
            ":steps 1",
            ":history r.a",
        ],
        expect![[r#"
            > :dialect jsonnet
            > local r = { a: 1, b: error 'no' };
            r ∈ {a ∈ number, b ∈ Error a}
            > :query r.a.x
            error: number has no field `x` [types/conflict] --> :query:1:8
            > :explain r.a
            r.a = 1 ∈ number                                                    1 definition

              WINS  normal  1  jsonnet[1]:1:16  a: 1

              to change it: edit jsonnet[1]:1:16, or put an object above it: `{ a: … }`.
            > :holes r.b
            no holes: a name that begins with `_` and is bound nowhere is one, as in `1 + _x`
            > :steps 1
            nothing is merged here: no `+` of objects, no list of files
            result: 1.
            > :history r.a
            error: a name has a history, and its fields have that: `:history r` [command/usage] = help: usage: :history [NAME]
        "#]],
    );
}

#[test]
fn an_older_result_imports_with_what_was_given_then() {
    let files: InMemory = [("f.jsonnet", "{ v: std.extVar('x') }")].into_iter().collect();
    let mut session = Session::new(Box::new(files));
    run(&mut session, &[":dialect jsonnet", ":set ext-str x=1", "{ f(n):: (import 'f.jsonnet').v + n }"]);
    run(&mut session, &[":set ext-str x=2"]);
    let value = |session: &mut Session, input| {
        session.submit(input).into_iter().find_map(|event| match event {
            Event::Value { value, .. } => Some(value.text()),
            _ => None,
        })
    };
    // its first call
    assert_eq!(value(&mut session, "$1.f('')").as_deref(), Some("\"1\""));
    assert_eq!(value(&mut session, "(import 'f.jsonnet').v").as_deref(), Some("\"2\""));
}

#[test]
fn after_undo_results_share_the_values_of_files_again() {
    let files: InMemory = [("f.jsonnet", "std.trace('evaluated', std.extVar('x'))")].into_iter().collect();
    let mut session = Session::new(Box::new(files));
    run(&mut session, &[":dialect jsonnet", ":set ext-str x=1", "{ f(n):: import 'f.jsonnet' }"]);
    run(&mut session, &[":set ext-str x=2", ":undo"]);
    expect![[r#"
        > import 'f.jsonnet'
        printed TRACE: f.jsonnet:1 evaluated
        "1" : string
        > $1.f(0)
        "1" : string
    "#]]
    .assert_eq(&run(&mut session, &["import 'f.jsonnet'", "$1.f(0)"]));
}

/// The session's language while a cell of another language runs, and after a command of another language that sets it.
#[test]
fn the_language_of_an_input_is_not_the_language_of_the_session() {
    let mut session = Session::new(Box::new(NoLoader));
    let seen = Rc::new(RefCell::new(Vec::new()));
    let note = seen.clone();
    session.set_before_evaluation(Rc::new(move |session| note.borrow_mut().push(session.dialect().name())));
    session.submit("%%jsonnet\n1 + 1");
    assert_eq!(*seen.borrow(), ["cfg"]);
    session.submit("%%jsonnet\n:dialect jsonnet");
    assert_eq!(session.dialect().name(), "jsonnet");
    session.submit("2");
    assert_eq!(*seen.borrow(), ["cfg", "jsonnet"]);
}
