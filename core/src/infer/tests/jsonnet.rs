//! Jsonnet programs with their types or problems. A problem is written as its code, with a `!` if it is an error.

use crate::dialect::jsonnet::library::Std as STD;
use crate::dialect::jsonnet::notation::SPELLING;
use crate::dialect::library::{Library, LibraryEntry};
use crate::dialect::notation::ty::styled;
use crate::dialect::{Dialect, Languages, StdNames};
use crate::infer::{InferHost, Inferred, LibraryItem, Options, infer, scheme_of_type};
use crate::problem::{Problem, ProblemKind, Severity};
use crate::term::Import;
use crate::text::{Name, SourceId, Span};
use crate::ty::Scheme;
use std::sync::Arc;

/// The library and one importable file.
struct World(&'static str);

impl InferHost for World {
    fn global(&mut self, _: &Name) -> Option<Arc<Scheme>> {
        None
    }
    fn library(&mut self, path: &[Name]) -> Option<LibraryItem> {
        Some(match Languages::default().entry(path)? {
            LibraryEntry::Module(module) => {
                LibraryItem::Module(module.names.into_iter().map(Name::new_static).collect())
            }
            LibraryEntry::Item(item) => {
                let (scheme, _) = scheme_of_type(&item.signature(), self);
                let path: Vec<&str> = path.iter().skip(1).map(Name::as_str).collect();
                LibraryItem::Value(Arc::new(STD.scheme(&path, scheme)))
            }
        })
    }
    fn import(&mut self, _: &Import, _: Span) -> Result<Arc<Scheme>, Problem> {
        let parsed = Dialect::JSONNET.program(SourceId(1), self.0, &StdNames);
        Ok(infer(&parsed.term, &mut World("{}"), Options::default()).scheme)
    }
    fn interrupted(&self, _: usize) -> bool {
        false
    }
}

fn inferred(text: &str, file: &'static str) -> Inferred {
    let parsed = Dialect::JSONNET.program(SourceId(0), text, &StdNames);
    assert!(parsed.problems.is_empty(), "{text}: {:?}", parsed.problems);
    infer(&parsed.term, &mut World(file), Options::default())
}

fn said(out: &Inferred) -> Vec<String> {
    let code = |p: &Problem| match &p.kind {
        ProblemKind::Types(t) => t.code().trim_start_matches("types/").to_owned(),
        other => format!("{other:?}"),
    };
    let mark = |p: &Problem| if p.severity == Severity::Error { "!" } else { "" };
    out.problems.iter().map(|p| format!("{}{}", mark(p), code(p))).collect()
}

/// Checks the types of programs without problems.
#[track_caller]
pub(super) fn types(programs: &[(&str, &str)]) {
    for (text, expected) in programs {
        let out = inferred(text, "{x: 0, y: null, z: self.y}");
        assert_eq!(styled(&SPELLING, &out.scheme, None).text(), *expected, "{text}");
        assert_eq!(said(&out), Vec::<String>::new(), "{text}");
    }
}

/// Checks the problems of programs.
#[track_caller]
pub(super) fn says(programs: &[(&str, &[&str])]) {
    for (text, expected) in programs {
        let out = inferred(text, "{f: self.missing, g(x): x, h(x='s'):: x}");
        assert_eq!(said(&out), *expected, "{text}");
    }
}

#[test]
fn objects_read_themselves() {
    types(&[
        ("{a: 1, b: $.a, c: {d: $.b}}", "{a ∈ number, b ∈ number, c ∈ {d ∈ number}}"),
        ("{local a = 1, local b = a + 1, c: b}", "{c ∈ number}"),
        ("{local me = self, a: 1, b: me.a, c: {d: me.b}}", "{a ∈ number, b ∈ number, c ∈ {d ∈ number}}"),
        ("{a: if self.b then 1, b: true}", "{a ∈ number, b ∈ boolean}"),
        ("{a: $.b.c, b: {c: 1}}", "{a ∈ number, b ∈ {c ∈ number}}"),
        ("{a: 1, ['b']: self.a, c: self['b']}", "{a ∈ number, b ∈ number, c ∈ number}"),
        ("{f(n):: if n == 0 then 1 else n * self.f(n - 1)}.f(5)", "number"),
        ("{f(x=self.y):: x, y: 1, z: self.f()}", "{f ∈ (number?) -> number, y ∈ number, z ∈ number}"),
        ("{ withX(x):: self { x: x }, name:: 'a' }", "{name ∈ string, withX ∈ (a) -> {x ∈ a, ...}}"),
    ]);
}

/// A method that extends `self` extends the object that it is called on.
#[test]
fn methods_extend_what_they_are_called_on() {
    let lib = "local l = {a(x):: self + {p: x}, b(x):: self {q: x}, c(x):: self.a(x).b(x), d:: self + {n: 1}, z:: 0};";
    let shown =
        "a ∈ (a) -> {p ∈ a, ...}, b ∈ (b) -> {q ∈ b, ...}, c ∈ (c) -> {p ∈ c, q ∈ c, ...}, d ∈ {n ∈ number, ...}";
    for (use_, expected) in [
        ("l.a(1).p", "number"),
        ("l.a(1).b('x') + {r: self.p + 1, s: self.q}", "+p ∈ number, q ∈ string, r ∈ number, s ∈ string, z ∈ number"),
        ("l.c(true)", "+p ∈ boolean, q ∈ boolean, z ∈ number"),
        ("l.a(1).a('x').p", "string"),
        ("l.d.a('x').n", "number"),
        ("(l {e(x):: self + {r: x}}).a(1).e('x').b(true).r", "string"),
        ("local f = l.a; f(1).p", "number"),
        ("(l {z:: 2}).b(1).z", "number"),
        ("l['a'](1).b(2).q", "number"),
        ("(l {a(x):: super.a(x) + {r: 1}}).a('x').b(2).p", "string"),
    ] {
        let expected = match expected.strip_prefix('+') {
            Some(more) => format!("{{{shown}, {more}}}"),
            None => expected.to_string(),
        };
        types(&[(&format!("{lib} {use_}"), &expected)]);
    }
    says(&[("local l = {a(x):: self + {p: x}}; l.a(1).a(2).b", &["!missing-field"])]);
    // inference of a method that calls itself on its result ends
    types(&[("local l = {f(n):: if n == 0 then self else (self + {['x' + n]: n}).f(n - 1), y: 1}; l.f(3).y", "any")]);
}

/// A caller does not choose the type of `super`: the object that is finally below decides it.
#[test]
fn patches_are_what_they_stand_over() {
    let lib = "local d = {new(n): {k: 'D'} + self.m.name(n), m:: {name(x): {m+: {name: x}}, at(x): {m+: {at: x}}}};";
    for (use_, expected) in [
        (
            "local p = {new(n):: super.new(n) + super.m.at(1)}; (d + p).new('x')",
            "{k ∈ string, m ∈ {at ∈ number, name ∈ string}}",
        ),
        (
            "local p = {d+: {new(n):: super.new(n) + super.m.at(n)}}; ({d: d} + p).d.new('x')",
            "{k ∈ string, m ∈ {at ∈ string, name ∈ string}}",
        ),
        (
            "local p = {new(n, i=1):: super.new(n) + (if i == null then {} else {i: i})}; (d + p).new(1)",
            "{i? ∈ number, k ∈ string, m ∈ {name ∈ number}}",
        ),
        (
            "local p = {new(n, i=1):: super.new(n) + (if i == null then {} else super.m.at(i))}; (d + p).new(1)",
            "{k ∈ string, m ∈ {at? ∈ number, name ∈ number}}",
        ),
        (
            "local b = {s(x):: self + {p: x}, t(x):: self {q: x}}, p = {s(x):: super.s(x) + {r: 1}}; (b + p).s('x').t(1).p",
            "string",
        ),
        ("local f(x, y) = x + y; f({a: {b: 1}}, {a+: {c: 'x'}})", "{a ∈ {b ∈ number, c ∈ string}}"),
        ("local f(x) = if x == null then {} else {a+: {b: x}}; {a: {c: 1}} + f(2)", "{a ∈ {b? ∈ number, c ∈ number}}"),
    ] {
        types(&[(&format!("{lib} {use_}"), expected)]);
    }
}

#[test]
fn objects_are_combined() {
    types(&[
        ("{x: {a: 1}} + {x+: {b: 2}}", "{x ∈ {a ∈ number, b ∈ number}}"),
        ("{x: [1]} + {x+: [2]}", "{x ∈ [number]}"),
        ("{x+: 1}", "{x ∈ number}"),
        ("{a+: {b+: {c: 1}}} + {a+: {b+: {d: 2}}}", "{a ∈ {b ∈ {c ∈ number, d ∈ number}}}"),
        ("{x: {b: 'u'}} + {x+: {a: 1}, y: self.x.b}", "{x ∈ {a ∈ number, b ∈ string}, y ∈ string}"),
        ("local m = {x+: {a: 1}, y: self.x.b}; {x: {b: 'u'}} + m", "{x ∈ {a ∈ number, b ∈ string}, y ∈ string}"),
        ("{a: {c: 1}} + {a+: {b: super.c}}", "{a ∈ {b ∈ number, c ∈ number}}"),
        ("{ x:: 1, y: self.x } { x: 2 }", "{x ∈ number, y ∈ number}"),
        (
            "{ x: {a: 1}, y: self.x } { x+: {a: 2} } { x+: {b: 2} }",
            "{x ∈ {a ∈ number, b ∈ number}, y ∈ {a ∈ number, b ∈ number}}",
        ),
        ("{ x: 1, f():: self.y } { y: 1 }", "{f ∈ () -> number, x ∈ number, y ∈ number}"),
        ("{ a: 1, b: 'z' in super }", "{a ∈ number, b ∈ boolean}"),
        ("{local me = self, a: me.z} {z: 1}", "{a ∈ number, z ∈ number}"),
        ("local A = {f(x):: self.g(x)}, B = {g(x):: x + 1}; (A + B).f(1)", "number"),
        (
            "local k = {new(n):: {meta: {name: n}}, scale(r):: {spec+: {replicas: r}}};\nk.new('x') + k.scale(3) + {meta+: {labels: {a: 'b'}}}",
            "{meta ∈ {labels ∈ {a ∈ string}, name ∈ string}, spec ∈ {replicas ∈ number}}",
        ),
    ]);
}

#[test]
fn null_is_what_it_becomes() {
    types(&[
        ("[1, null, 2]", "[number]"),
        ("[{a: null}, {a: 1}, {b: 'x'}]", "[{a? ∈ number, b? ∈ string}]"),
        ("local x = if 1 == 2 then 3; x + 1", "number"),
        ("{a: null, b: if self.a == null then 1 else self.a.x}", "{a ∈ {x ∈ number, ...}, b ∈ number}"),
        ("local n = null; [n + 1, std.length(n)]", "[number]"),
        ("(import 'f') {x: 1, y: 'a'}", "{x ∈ number, y ∈ string, z ∈ string}"),
    ]);
}

#[test]
fn sums_by_heads() {
    types(&[
        ("function(x) x + 1", "(a) -> b where b = a + number"),
        ("function(a, b) a + b", "(a, b) -> c where c = a + b"),
        ("function(x) x + 'a'", "(a) -> string"),
        (
            "local add(a, b) = a + b; {x: add(1, 2), y: add('a', 1), z: add({p: 1}, {q: 2})}",
            "{x ∈ number, y ∈ string, z ∈ {p ∈ number, q ∈ number}}",
        ),
        ("function(a) a { x: 1 } { y: 2 }", "({x? ∈ number, y? ∈ number, r1...}) -> {x ∈ number, y ∈ number, r1...}"),
        ("function(a) { x: 1 } + a", "({x? ∈ number, r1...}) -> {x ∈ number, r1...}"),
        ("{a: [], b: self.a + [1]}", "{a ∈ [a], b ∈ [number]}"),
    ]);
    says(&[
        ("{a: 1} + 1", &["!conflict"]),
        ("[1] + 1", &["!conflict"]),
        ("true + true", &["!conflict"]),
        ("{a:: 1 + true}", &["conflict"]),
    ]);
}

#[test]
fn calls_by_place_and_by_name() {
    types(&[
        ("local f(x, y=1) = x + y; [f(1), f(1, 2), f(y=3, x=2)]", "[number]"),
        ("local fact(n) = if n == 0 then 1 else n * fact(n - 1); fact(5)", "number"),
        ("local f = function(g) g(1) + 1; f(function(x) x * 2)", "number"),
        ("local f = function(g) g(1); f(function(x, y=2) x * y)", "number"),
        ("(function(params={}) { local c = {name: 'x', port: 80} + params, out: c.name })()", "{out ∈ string}"),
        ("(function(params={}) { local c = {port: 80} + params, out: c.port })({extra: 1})", "{out ∈ number}"),
    ]);
    says(&[
        ("local f(x, y=1) = x; f()", &["!call"]),
        ("local f(x, y=1) = x; f(1, 2, 3)", &["!call"]),
        ("local f(x, y=1) = x; f(1, z=3)", &["!call"]),
        ("local f(x, y=1) = x; f(1, x=3)", &["!call"]),
        ("local f() = 1; f().x", &["!conflict"]),
        ("1(2)", &["!not-a-function"]),
        ("{a:: 1(2)}", &["not-a-function"]),
    ]);
}

#[test]
fn arrays_dictionaries_and_strings() {
    types(&[
        ("[x * 2 for x in [1, 2, 3] if x > 1]", "[number]"),
        ("[{k: k, v: v} for k in ['a'] for v in [1]]", "[{k ∈ string, v ∈ number}]"),
        ("{[k]: k + '!' for k in ['a', 'b']}", "{[string] ∈ string}"),
        ("{[k]: k for k in ['a']}.a", "string"),
        ("[1, 2, 3][1] + 'abc'[0]", "string"),
        ("'abc'[0:2]", "string"),
        ("[1, 2][:1]", "[number]"),
        ("'x' in {x: 1}", "boolean"),
        ("{['a' + i]: i for i in [1]}.a1 + 1", "number"),
    ]);
    says(&[
        ("[x for x in 1]", &["!conflict"]),
        ("[1, 2]['a' + 'b']", &["!conflict"]),
        ("1 < 'a'", &["!conflict"]),
        ("true < false", &["!conflict"]),
        ("[1, 'a']", &["mixed"]),
    ]);
}

#[test]
fn what_a_caller_chooses_may_be_more() {
    says(&[
        ("local f(p) = ({x: {a: 1}} + p).x.b; f({x: {b: 2}})", &[]),
        ("local f(p) = ({x: {a: {c: 1}}} + p).x.a.b; f({x+: {a+: {b: 2}}})", &[]),
        ("local f(p) = {local c = {a: 1} + p, out: c.a}; f({a: 2, more: 3})", &[]),
        ("local f(p={a: 1}) = p.a; f({a: 2, more: 3})", &[]),
        ("local d = {arg(n, t=1):: n, x: d.arg('a'), y: d.arg('a', 2)}; d", &[]),
    ]);
}

#[test]
fn formats() {
    types(&[
        ("'%s and %d' % ['a', 1]", "string"),
        ("'%5.2f%%' % 1", "string"),
        ("'%(a)s' % {a: [1]}", "string"),
        ("'%*d' % [5, 1]", "string"),
        ("7 % 3", "number"),
    ]);
    says(&[
        ("'%d' % 'a'", &["!conflict"]),
        ("'%s %s' % ['a']", &["!format"]),
        ("'%s' % [1, 2]", &["!format"]),
        ("'%(a)s %(b)s' % {a: 1}", &["!missing-field"]),
        ("7 % 'a'", &["!conflict"]),
    ]);
}

#[test]
fn what_is_not_shown_is_not_asked_for() {
    says(&[
        ("{x: error 'no'}", &["!raises"]),
        ("{x:: error 'no', y: 1}", &[]),
        ("{x: error 'no'} {x: 1}", &[]),
        ("{local x = error 'e', a: 1}", &[]),
        ("{local x = error 'e', a: x}", &["!raises"]),
        ("if std.length('a') == 1 then 1 else error 'x'", &[]),
        ("{a: function(x) x}", &["!no-json"]),
        ("{a:: function(x) x}", &[]),
        ("{a(x):: x, b: self.a(1)}", &[]),
        ("{f: std.length}", &["!no-json"]),
        ("function(x) x", &[]),
        ("[function(x) x]", &["!no-json"]),
        ("{k: self.t}", &["!undefined"]),
        ("{k: if self.b then self.t else 1, b: false}", &[]),
        ("{k:: self.t}", &[]),
        ("{k: self.t} + {t: 1}", &[]),
        ("local x = {k: self.t}; x {t: 2}", &[]),
        ("local o = {x: 1, f():: self.y}; {a: (o {y: 1}).f(), b: o.f()}", &["!undefined"]),
        ("{a: {b: super.c}}", &["!undefined"]),
        ("(import 'f') + {missing: 1, g:: null}", &[]),
        ("{a: (import 'f').f}", &["!undefined"]),
        ("{a:: import 'f'}", &[]),
        // the type of a parameter may be only that of its default
        ("{a:: (import 'f').h(1)}", &["undefined"]),
    ]);
}

#[test]
fn names_that_only_name_themselves() {
    says(&[
        ("local a = b, b = a; {x: a}", &["!names-itself", "names-itself"]),
        ("local a = a; 1", &["names-itself"]),
        ("{a: self.b, b: self.a}", &["!names-itself", "!names-itself"]),
        ("{a: self.b, b: self.a} {a: 1}", &[]),
        ("{a:: self.b, b:: self.a, c: 1}", &[]),
    ]);
}

#[test]
fn a_type_that_changes_is_a_warning_and_what_rests_on_it_follows() {
    let out = inferred("local a = {x: 1, y: self.x, z: self.x + 1, w: 2}; a + {x: 's'}", "{}");
    assert_eq!(styled(&SPELLING, &out.scheme, None).text(), "{w ∈ number, x ∈ string, y ∈ string, z ∈ any}");
    says(&[
        ("({x: 1, z: self.x + 1} + {x: 's'}).z + 's'", &["changes-type"]),
        ("{x: 1, y: self.x - 1} + {x: 's'}", &["changes-type"]),
        ("{x: {a: 1}, y: self.x.a} + {x: {b: 1}}", &["!missing-field"]),
        ("{c:: {a: 1}, out: self.c.a} + {c+:: {b: 1}}", &[]),
    ]);
}

#[test]
fn tests_of_types_guard_their_branches() {
    types(&[("local f(x) = if std.isArray(x) then x else [x]; std.length(f(1)) + std.length(f([1]))", "number")]);
    says(&[
        ("local o = {a: 1}; if 'b' in o then o.b else 1", &[]),
        ("local f(o) = if std.objectHas(o, 'x') then o.x else 0; {a: f({x: 1}), b: f({})}", &[]),
        ("local f(x) = if std.type(x) == 'string' then x + '!' else x - 1; {a: f('a'), b: f(1)}", &[]),
        ("local f(x) = if std.isFunction(x) then x(1, 2) else x; {a: f(1), b: f(function(a, b) a)}", &[]),
    ]);
}

#[test]
fn the_library_takes_functions_of_several_parameters() {
    types(&[
        ("std.foldl(function(a, b) a + b, [1, 2], 0)", "number"),
        ("std.map(function(x) x + 1, [1, 2])", "[number]"),
        ("std.length('abc') + std.length({a: 1})", "number"),
        ("std.map(function(c) c + '!', 'abc')", "[string]"),
    ]);
    says(&[("std.length()", &["!call"]), ("std.nope(1)", &["!missing-field"])]);
}
