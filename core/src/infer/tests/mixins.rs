//! Jsonnet programs as libraries and mixins are written, with their problems. A program that evaluates has none.

use super::jsonnet::{says, types};

/// Checks that programs have no problem.
#[track_caller]
fn fine(programs: &[&str]) {
    for program in programs {
        says(&[(program, &[])]);
    }
}

/// An object of which not all is known may have the fields that another one extends.
#[test]
fn what_is_not_known_stays_open() {
    fine(&[
        "({ [if true then 'a']: { x: 1 } } + { a+: { y: 2 } }).a.x",
        "(std.parseYaml('b: {c: 1}') + { b+: { d: 2 } }).b.c",
        "(std.parseJson('{\"b\": {\"c\": {\"e\": 1}}}') + { b+: { c+: { d: 2 } } }).b.c.e",
        "(std.prune({ b: { c: 1 } }) + { b+: { d: 2 } }).b.c",
        "(std.mergePatch({ b: { c: 1 } }, {}) + { b+: { d: 2 } }).b.c",
        "(std.mapWithKey(function(k, v) v, { b: { c: 1 } }) + { b+: { d: 2 } }).b.c",
        "(std.objectRemoveKey({ b: { c: 1 }, e: 1 }, 'e') + { b+: { d: 2 } }).b.c",
        "({ [k]: { c: 1 } for k in ['b'] } + { b+: { d: 2 } }).b.c",
        "({ ['b' + '']: { c: 1 } } + { b+: { d: 2 } }).b.c",
        "local c = true; ((if c then { b: { c: 1 } } else {}) + { b+: { d: 2 } }).b.c",
        "local f(p) = (p + { b+: { d: 2 } }).b.c; f({ b: { c: 1 } })",
        "({ a: { x: 1 } } + { [if true then 'a']+: { y: 2 } }).a.x",
        "(std.extVar('x') + { b+: { d: 2 } }).b.c",
        "local o = std.parseJson('{\"n\": \"s\"}'); std.length((o + { n+: 't' }).n)",
    ]);
    says(&[("({ [k]: { c: 1 } for k in ['b'] } + { b+: { d: 2 } }).b.d - 'x'", &["!conflict"])]);
}

#[test]
fn a_fold_may_change_the_type_of_its_accumulator() {
    fine(&[
        "std.foldl(function(a, f) f(a), [function(o) o { b: 2 }, function(o) o { c: o.b }], { a: 1 }).c",
        "std.foldl(function(p, q) p + q, [{ a: 1 }, { b: self.a }], {})",
        "std.foldl(function(p, q) p + q, [{ a: 1 }, { b: 2 }], {}).b",
        "std.foldl(function(acc, x) acc + { [x]: 1 }, ['a', 'b'], { z: 2 }).a",
        "std.foldr(function(x, acc) acc + x, [{ a: 1 }, { b: 2 }], {}).b",
        "std.foldl(function(acc, x) acc + x, ['a', 1, true], '')",
        "std.foldl(function(acc, x) { v: x, prev: acc }, [1, 2], null).prev.v",
        "std.foldl(function(acc, x) { v: x, prev: acc }, std.range(1, 9), null).prev.prev.v",
        "std.foldl(function(acc, x) if acc == null then x else acc + x, [1, 2], null)",
        "std.foldl(function(acc, x) acc { n+: x }, [1, 2], { n: 0 }).n",
        "local xs = std.range(1, 3); std.foldl(function(acc, x) acc + [x], xs, [])",
        "local f = function(acc, x) acc + { [x.k]+: [x.v] }; std.foldl(f, [{ k: 'a', v: 1 }], {}).a",
    ]);
    types(&[
        ("std.foldl(function(p, q) p + q, [{ a: 1 }, { b: 'x' }], {})", "{a ∈ number, b ∈ string}"),
        ("std.foldl(function(a, b) a + b, std.range(1, 3), 0)", "number"),
    ]);
    says(&[
        ("std.foldl(function(a, b) a.x, [1], { y: 1 })", &["missing-field"]),
        ("std.foldl(function(a, b) a, 1, 2)", &["!conflict"]),
    ]);
}

#[test]
fn each_call_of_a_method_of_another_object_has_types_of_its_own() {
    fine(&[
        "{ a: $.q('x'), b: $.q(['x']) } + { q(x):: x }",
        "{ a: self.q('x'), b: self.q(['x']) } + { q(x):: x }",
        "{ q(x):: x } + { a: $.q('x'), b: $.q(['x']) }",
        "{ q(x):: x, a: $.q('x'), b: $.q(['x']), c: { d: $.q(1) } }",
        "{ a: $.q('x').length, b: $.q(['x']) } + { q(x):: if std.isArray(x) then x else { length: x } }",
        "local m = { a: $.q('x') - 1, b: $.q(['x']) }; m + { q(x):: if std.isString(x) then 1 else x }",
    ]);
    says(&[
        ("{ a: $.q('x') } + { q(x):: x - 1 }", &["conflict"]),
        ("{ a: $.q('x') - 1, b: $.q(1) } + { q(x):: x }", &["conflict"]),
        ("{ a: $.q('x') }", &["!undefined"]),
        ("local o = { a: $.q('x') }; o.a", &["!undefined"]),
    ]);
}

#[test]
fn a_test_of_a_key_tells_values_apart() {
    fine(&[
        "local p(o) = std.mapWithKey(function(k, v) if k == 'spec' then v { replicas: 3 } else v, o); p({ spec: { replicas: 1 }, kind: 'D' })",
        "local p(o) = std.mapWithKey(function(k, v) if k == 'n' then v + 1 else v, o); p({ n: 1, kind: { a: 1 } })",
        "local p(o) = { [k]: if k == 'spec' then o[k] { replicas: 3 } else o[k] for k in std.objectFields(o) }; p({ spec: { replicas: 1 }, kind: 'D' })",
        "local p(k, v) = if k == 'n' then v - 1 else v.x; [p('n', 1), p('o', { x: 2 })]",
        "local refresh(r) = if r == 'never' then 0 else if r == 'load' then 1 else r; [refresh('never'), refresh(5)]",
        "std.mapWithKey(function(k, v) if k == 'spec' then v { replicas: 3 } else v, { spec: { replicas: 1 }, kind: 'D' })",
        "std.mapWithKey(function(k, v) if k != 'spec' then v else v { replicas: 3 }, { spec: { replicas: 1 }, kind: 'D' })",
    ]);
}

#[test]
fn a_patch_is_not_checked_alone() {
    fine(&[
        "local lib = function(p) { service: { metadata: {} } }; local f = function(p) lib({} + p) { local po = self, np: po.service.metadata, service+: {} }; f({})",
        "local lib = function(p) { service: { metadata: {} } }; local f = function(p) lib(p) { local po = self, np: po.service.metadata, service+: { x: 1 } }; f({})",
        "{ a:: { c: [{ n: 1, p: { q: 1 } }] } } + { a+:: { c: std.map(function(c) c { p:: null }, super.c) + [{ n: 2 }] } }",
        "{ a: { c: [{ n: 1, p: { q: 1 } }] } } + { a+: { c: [x { p+: { r: 1 } } for x in super.c] + [{ n: 2 }] } }",
        "local m = { a: if 'a' in super then super.a else 'x' }; [({ a: 1 } + m).a, 1]",
        "local f(x, c) = if c then x else { a: 1 }; f({}, true)",
        "local f(x, c) = if c then x { a: 1 } else x; f({ b: 1 }, false).b",
    ]);
}

/// A mixin that fails alone does not fail with the object that it is put over.
#[test]
fn a_guard_does_not_make_a_mixin_fail() {
    for guard in ["\"q\" in self", "super.a < 0", "!(\"a\" in super)"] {
        let body = format!("{{ a: if {guard} then error \"x\" else super.a }}");
        for program in [
            format!("{{ a: 1 }} + {body}"),
            format!("{{ a: 1 }} + ({{}} + {body})"),
            format!("local f() = {{}} + {body}; {{ a: 1 }} + f()"),
            format!("local f(x) = {body} + {{ b: x }}; {{ a: 1 }} + f(1)"),
            format!("local m = {body}; ({{ a: 1 }} + m).a"),
        ] {
            fine(&[&program]);
        }
        says(&[(&format!("{{}} + {body}"), &["!undefined"])]);
    }
}

/// `[if c then 'z']: e` is a field that the object may lack; the other names are known.
#[test]
fn a_conditional_field_is_optional() {
    types(&[
        ("{ a: 1, [if std.length('x') == 1 then 'z']: 'y' }", "{a ∈ number, z? ∈ string}"),
        ("{ a: 1 } + { [if std.length('x') == 1 then 'a']: 2 }", "{a ∈ number}"),
    ]);
    fine(&[
        "{ sa: 1, [if true then 'z']: 1, r: self.z }",
        "{ z: 's' } + { [if false then 'z']: 1, r: std.length(self.z) }",
        "local m = { [if false then 'z']: 1, r: std.length(self.z) }; { z: 's' } + m",
        "{ [if true then 'x']: 1, [if !true then 'x']: 'x' }",
        "({ [if false then 'n']: 'x' } + { n+: 1 }).n - 1",
        "({ n: 'x', r: self.n + 'y' } + { [if true then 'n']: 1 }).r",
    ]);
    says(&[
        ("{ sa: 1, [if true then 'z']: 1, r: self.saa }", &["!undefined"]),
        ("local o = { sa: 1, [if true then 'z']: 1 }; o.saa", &["!missing-field"]),
    ]);
}

#[test]
fn a_null_that_is_written_is_null() {
    for program in [
        "null + 1",
        "1 + null",
        "null - 1",
        "-null",
        "!null",
        "null && true",
        "null < 1",
        "if null then 1",
        "null.a",
        "null[0]",
        "null(1)",
        "[x for x in null]",
        "std.objectHas({}, null)",
        "{ a: null - 1 }",
    ] {
        let code: &[&str] = if program == "null(1)" { &["!not-a-function"] } else { &["!conflict"] };
        says(&[(program, code)]);
    }
    fine(&["null + 'a'", "{ [null]: 1 }", "null == 1", "std.slice([1], null, null, null)", "local f(x) = x; f(null)"]);
}

#[test]
fn arguments_of_several_types_are_one_of_those() {
    for program in [
        "std.join('|', 'a')",
        "std.join('|', [['a']])",
        "std.repeat(3, 2)",
        "std.slice('abc', 'a', 1, 1)",
        "std.mod(1, 'a')",
        "std.base64(1)",
        "std.member(1, 2)",
        "std.length(1)",
        "std.length(null)",
        "std.objectRemoveKey({ a: 1 }, 'a') - 1",
        "[1] < ['x']",
    ] {
        says(&[(program, &["!conflict"])]);
    }
    // the arguments are exchanged
    says(&[("std.join(['a'], '|')", &["!call"])]);
    fine(&[
        "std.join(',', ['a', null, 'b'])",
        "std.join([1], [[2], [3]])",
        "std.join('|', [])",
        "std.repeat('a', 3) + std.repeat('b', 2)",
        "std.slice([1, 2], 0, null, null)",
        "std.base64([1, 2]) + std.base64('abc')",
        "std.member('abc', 'a') || std.member([1], 2)",
        "std.length(function(x) x)",
        "[] < ['x']",
    ]);
}

/// A field that nothing can supply any more is missing for good.
#[test]
fn needs_that_nothing_can_meet() {
    says(&[
        ("{ c: self.k } == { c: 1 }", &["!undefined"]),
        ("{ assert self.c }", &["!undefined"]),
        ("[{ a: self.c } for i in [2]]", &["!undefined"]),
        ("{ local me = self, b: me.a, a: 'q' }.b - 1", &["!conflict"]),
    ]);
    fine(&[
        "{ c: self.k, k: 1 } == { c: 1 }",
        "({ assert self.c } + { c: true })",
        "[{ a: self.c } + { c: 1 } for i in [2]]",
        "[{ a: self.c } for i in []]",
        "local m = { assert self.c }; { x: m { c: true } }",
    ]);
}

#[test]
fn what_an_override_drops_is_missed_by_its_readers() {
    says(&[
        ("{ c: { a: 1 }, x: self.c.a } { c: { b: 2 } }", &["!missing-field"]),
        ("local base = { c: { a: 1 }, x: self.c.a + 1 }; base + { c: { b: 2 } }", &["!missing-field"]),
        ("({ c: { a: 1 }, x: self.c.a } + { c: { b: 2 } }).x", &["!missing-field"]),
        ("{ c:: { a: { b: 1 } }, x: { y: $.c.a.b } } + { c+:: { a: { d: 1 } } }", &["!missing-field"]),
        ("{ c:: { a: 1 }, x:: self.c.a } + { c:: { b: 2 } }", &["missing-field"]),
        ("{ c:: { a: 1 } } + { x: $.c.a + 1 } + { c:: { b: 2 } }", &["!missing-field"]),
        ("{ c:: { a: 1 } } + ({ x: 'a%(a)s' % $.c } + ({ c:: { b: 2 } } + {}))", &["!missing-field"]),
        (
            "{ c:: { a: 1 } } + { local me = self, x: if me.c.a != null then 1 else 2 } + { c:: {} }",
            &["!missing-field"],
        ),
    ]);
    fine(&[
        "{ c: { a: 1 }, x: self.c.a } { c: { a: 2, b: 2 } }",
        "{ c: { a: 1 }, x: self.c.a } { c: { b: 2 }, x: 1 }",
        "{ c: { a: 1 }, x: self.c.a } { c+: { b: 2 } }",
        "{ c: { a: 1 }, x: if std.objectHas(self.c, 'a') then self.c.a else 1 } { c: { b: 2 } }",
        "local f(p) = { c: { a: 1 }, x: self.c.a } + p; f({ c: { a: 2 } })",
    ]);
}

#[test]
fn a_field_that_fails_fails_those_that_read_it() {
    says(&[
        ("{ h:: self.k, v: self.h }", &["!undefined"]),
        ("{ h:: error 'no', v: self.h }", &["!raises"]),
        ("{ c:: { n: error 'must provide n' }, v: $.c.n }", &["!raises"]),
        ("local defaults = { n: error 'must provide n' }; { c:: defaults + { m: 1 }, n: self.c.n }", &["!raises"]),
    ]);
    fine(&[
        "{ h:: self.k, v: self.h } + { k: 1 }",
        "{ h:: self.k, v: self.h } + { h:: 1 }",
        "{ h:: self.k, v: self.h } + { [if true then 'h']:: 1 }",
        "{ h:: self.k, v: self.h } + { ['h' + '']:: 1 }",
        "{ h:: error 'no', v: self.h } + { h:: 1 }",
        "local m = { h:: error 'no', v: self.h }; local f(p) = m + p; f({ h:: 1 })",
        "{ c:: { n: error 'no' }, v: $.c.n } + { c+:: { n: 1 } }",
        "{ c:: { n: error 'no' }, v: $.c.n } + { c:: { n: 1 } }",
        "local f(p) = { c:: { n: error 'no' }, v: $.c.n } + { c+:: p }; f({ n: 1 })",
        "local defaults = { n: error 'no' }; local f(params) = { c:: defaults + params, n: self.c.n }; f({ n: 1 })",
        "local defaults = { n: error 'no' }; local f = function(params) { local o = self, c:: defaults + params, n: { x: o.c.n } }; f({ n: 1 })",
        "{ h:: self.k, v: if 'k' in self then self.h else 1 }",
    ]);
}

#[test]
fn the_keys_of_a_format_are_fields() {
    says(&[
        ("{ r+: { a: 1 }, x: '%(b)s' % self.r }", &["!missing-field"]),
        ("{ r: { a: 1 } } + { r+: { a: 1 }, x: '%(b)s' % self.r }", &["!missing-field"]),
    ]);
    fine(&[
        "{ r: { b: 2 } } + { r+: { a: 1 }, x: '%(b)s' % self.r }",
        "{ r+: { a: 1 }, x: '%(b)s' % self.r } + { r+: { b: 1 } }",
    ]);
}

#[test]
fn what_extends_nothing_may_be_misspelt() {
    says(&[
        ("{ spec: { replicas: 1 } } + { sepc+: {} }", &["extends-nothing"]),
        ("{ spec: { replicas: 1 } } + { spec+: { replicsa: 3 }, sepc+: {} }", &["extends-nothing"]),
    ]);
    fine(&[
        "{ spec: { replicas: 1 } } + { metadata+: {} }",
        "{ spec: { replicas: 1 } } + { sepc: {} }",
        "{ spec+: { replicas: 1 } } + { sepc+: {} }",
        "{ port1: { a: 1 } } + { port2+: { b: 1 } }",
        "{ sepc: { a: 1 } } + ({ spec: { replicas: 1 } } + { sepc+: {} })",
    ]);
}

/// A comprehension over the fields of a known object has the types and the faults of these fields.
#[test]
fn comprehensions_over_known_names_keep_the_fields() {
    let kp = "local kp = { prom:: { a: 1, b: 's', h:: 'x' }, q:: { z: { c: 1 } } };";
    let with = |text: &str| format!("{kp} {text}");
    let fields = "{ ['x' + n]: kp.prom[n] for n in std.objectFields(kp.prom) }";
    types(&[
        (&with(fields), "{xa ∈ number, xb ∈ string}"),
        (
            &with(
                "{ ['%s-%%-%s' % [c, n]]: kp[c][n] for c in std.objectFieldsAll(kp) for n in std.objectFields(kp[c]) }",
            ),
            "{\"prom-%-a\" ∈ number, \"prom-%-b\" ∈ string, \"q-%-z\" ∈ {c ∈ number}}",
        ),
        (
            &with("{ [n]: kp.prom[n] for n in std.filter(function(n) n != 'a', std.objectFieldsAll(kp.prom)) }"),
            "{a? ∈ number, b? ∈ string, h? ∈ string}",
        ),
        (&with("{ [n]: kp.prom[n] for n in std.objectFields(kp.prom) if n != 'b' }"), "{a? ∈ number, b? ∈ string}"),
        ("local a = 'p'; { ['x' + a]: 1, y: self.xp }", "{xp ∈ number, y ∈ number}"),
    ]);
    let read = |text: &str| with(&format!("local o = {fields}; {text}"));
    says(&[
        (&read("o.xa - 1"), &[]),
        (&read("o.xh"), &["!missing-field"]),
        (&read("o.xb - 1"), &["!conflict"]),
        ("local p = { a: 1, b: 1 - 'x' }; { ['x' + n]: p[n] for n in std.objectFields(p) }", &["!conflict"]),
        ("local p = { a: 1, b: 1 - 'x' }; [p[n] for n in std.objectFields(p)]", &["!conflict"]),
        ("local p = { a: 1, b:: 1 - 'x' }; { ['x' + n]: p[n] for n in std.objectFields(p) }", &["conflict"]),
        ("local p = { a: 1, b: 1 - 'x' }; { [n]: p[n] for n in std.objectFields(p) if n != 'b' }", &["conflict"]),
        ("local p = { a: 1, b: error 'x' }; { [n]: p[n] for n in std.objectFields(p) if n != 'b' }", &[]),
        ("local o = { a: 1 }; ({ [n]: 1 for n in std.objectFields(o) } + { b+: { c: 1 } }).a - 'x'", &["!conflict"]),
    ]);
    fine(&[
        // another object may extend what `$` and `self` are
        "{ k: { a: 1, b: self.c }, r: { [n]: $.k[n] for n in std.objectFields($.k) } } + { k+: { c: 2 } }",
        "({ k: { a: 1 }, r: { [n]: $.k[n] for n in std.objectFields($.k) } } + { k+: { c: 2 } }).r.c",
        "local f(o) = { [n]: o[n] for n in std.objectFields(o) }; [f({ a: 1 }).a, f({ b: 1 }).b]",
        "{ [n]: n for n in ['a'] + ['b'] }.b",
        "local o = { a: 1, b: self.a }; ({ ['x' + n]: o[n] for n in std.objectFields(o) } + { xc: 1 }).xb + 1",
        "{ [if n == 'a' then n]: 1 for n in ['a', 'b'] }.a",
    ]);
}

/// A default that is an `error` fails if the argument does not provide the field and the result needs it.
#[test]
fn arguments_without_a_default_are_named() {
    let with = |text: &str| {
        format!(
            "local defaults = {{ x: error 'must provide x', y: 1, n: {{ z: 1 }} }};
             local f(params) = {{ local p = self, _config:: defaults + params, a: p._config.x + 1, b: {{ c: $._config.y }} }};
             local g(params) = {{ c: defaults + params, d: if self.c.y > 0 then self.c.x }};
             {text}"
        )
    };
    says(&[
        (&with("f({ y: 2 })"), &["!not-provided"]),
        (&with("f({ y: 2 }).a"), &["!not-provided"]),
        (&with("[f({}), f({ x: 1 })]"), &["!not-provided"]),
        (&with("{ e: f({ y: 2 }).b }"), &[]),
        (&with("g({}).c"), &["!not-provided"]),
        (&with("g({}).d"), &[]),
        (&with("f({ x: 's' })"), &[]),
        (&with("f({ x: 1, y: 's' })"), &["conflict"]),
    ]);
    fine(&[
        &with("f({ x: 1 })"),
        &with("[f({ x: 1, y: 2 }), g({ x: 1 })]"),
        &with("local more = { x: 1 }; f(more { y: 2 })"),
        &with("local h(params) = f(params { x: 1 }); h({ y: 1 })"),
        &with("function(params) f(params)"),
        "local f(params) = { x: error 'no' } + params + { x: 1 }; f({})",
        "local f(x=error 'must provide x') = x + 1; f(2)",
        "local f(x=error 'must provide x') = x + 1; f(x=2)",
        "local f(x=error 'must provide x') = { a: x, b: 1 }; f().b",
    ]);
    says(&[("local f(x=error 'must provide x') = x + 1; f()", &["!not-provided"])]);
}

#[test]
fn a_field_that_not_every_element_has_is_missing() {
    says(&[
        ("[x.a for x in [{ a: 1 }, { b: 2 }]]", &["!missing-field"]),
        ("{ [x.n]: x.a for x in [{ n: 'p', a: 1 }, { n: 'q' }] }", &["!missing-field"]),
        ("[{ v: x.a + y.b } for x in [{ a: 1 }] for y in [{ b: 1 }, {}]]", &["!missing-field"]),
        ("local k = 'p'; { [k + std.extVar('q')]: 1 - 'x' }", &["!conflict"]),
        ("{ [if std.extVar('c') then 'a' + std.extVar('q')]: 1 - 'x' }", &["conflict"]),
        ("{ ['a' + std.extVar('q')]:: 1 - 'x' }", &["conflict"]),
        ("{ h:: [x.a for x in [{ a: 1 }, { b: 2 }]] }", &["missing-field"]),
    ]);
    fine(&[
        "[if 'a' in x then x.a else 0 for x in [{ a: 1 }, { b: 2 }]]",
        "[if x.k == 'p' then x.a else 0 for x in [{ k: 'p', a: 1 }, { k: 'q' }]]",
        "[x.a for x in [{ k: 'p', a: 1 }, { k: 'q' }] if x.k == 'p']",
        "[x.a for x in [{ a: 1 }, { [if true then 'a']: 2 }]]",
        "local o = { a: 1 }; [x.a for x in [o, o { b: 2 }, { a: 3 }]]",
        "[{ local y = x.a, z: if 'a' in x then y } for x in [{ a: 1 }, { b: 2 }]]",
    ]);
}

#[test]
fn what_the_result_contains_fails_through_every_construct() {
    says(&[
        ("{ a: [1] + [1 - 'x'] }", &["!conflict"]),
        ("{ a: [2 - 'y'] + [1] + [3] }", &["!conflict"]),
        ("{ a: std.length([1] + [1 - 'x']) }", &["conflict"]),
        ("{ a: self.f(1), f(x):: x - 'a' }", &["!conflict"]),
        ("{ a: $.f(1).c, f(x):: { c: x - 'a', d: 1 } }", &["!conflict"]),
        ("{ a: $.f(1).d, f(x):: { c: x - 'a', d: 1 } }", &["conflict"]),
        ("{ a: { b: $.f(1) }, f(x):: { c: x - 'a' } }", &["!conflict"]),
        ("{ a:: self.f(1), f(x):: x - 'a' }", &["conflict"]),
        ("{ a: std.map(function(x) x - 'a', [1]) }", &["!conflict"]),
        ("{ a: std.map(function(x) x - 'a', []) }", &["conflict"]),
        ("{ a: std.format('%d', 'x') }", &["!conflict"]),
        ("{ a: std.format('%(k)s', { l: 1 }) }", &["!missing-field"]),
    ]);
    says(&[("{ a: self.f(1), f(x):: x - 'a' } + { f(x):: x }", &["conflict"])]);
    fine(&[
        "{ a: self.f(1), f(x):: error 'abstract' } + { f(x):: x }",
        "local base = { a: self.f(1), f(x):: { c: error 'abstract' } }; base { f(x):: super.f(x) { c: 1 } }",
        "{ a: if self.c then self.f(1) else 0, c:: false, f(x):: error 'no' }",
        "std.format('%s %d', ['a', 1])",
        "std.length([error 'x'] + [1])",
        "([error 'x'] + [1])[1]",
    ]);
}

/// A directive with a name reads that field of an object, whatever else is known of the object.
#[test]
fn a_format_reads_the_fields_that_it_names() {
    says(&[
        ("local f(c) = '%(x)s %(b)s' % c; { a: f({ x: 1 }) }", &["missing-field"]),
        ("local f(c) = c.x + '%(b)s' % c; { a: f({ x: '' }) }", &["missing-field"]),
        ("local q = { f(c):: '%(x)s %(b)s' % c }; { a: q.f($.c) } + { c:: { x: 1 } }", &["missing-field"]),
        ("{ x: '%(a)s %(b)s' % ($.r { c: 1 }) } + { r:: { a: 1 } }", &["missing-field"]),
        ("local f(c) = '%(a)s %(b)d' % c; f({ a: 1, b: 'x' })", &["conflict"]),
    ]);
    fine(&[
        "local f(c) = '%(b)s %(n)d' % c; f({ b: [], n: 1, z: 2 })",
        "{ f(c):: '%(b)s' % (c { b: 1 }), x: self.f({}) }",
        "local f(c) = '%s' % c; [f(1), f({ a: 1 })]",
        // a value that is not an object is the argument of a directive with any name
        "local f(c) = '%(b)s' % c; [f(1), f({ b: 1 })]",
        "{ t: '%(prefix)s: all' % $.d.prefix, d: { prefix: 'Thanos' } }",
        "{ t: '%(prefix)s: all' % $.d.prefix } + { d: { prefix: 'Thanos' } }",
        "{ a: '%(b)s' % self } + { b: 1 }",
        "local f(c) = if std.isObject(c) then '%(b)s' % c else c; [f({ b: 1 }), f('x')]",
    ]);
}

/// If a function needs a part of a field that one object extends, another object may define that part.
#[test]
fn functions_read_fields_of_several_objects() {
    fine(&["local f(c) = c.x + c.y; ({ a: f($.c) } + { c+:: { y: 1 } } + { c+:: { x: 1 } }).a"]);
    says(&[("local f(c) = c.x + c.y; ({ a: f($.c) } + { c+:: { y: 1 } } + { c+:: { z: 1 } }).a", &["missing-field"])]);
}

/// The text of a value is its JSON, and a function has none.
#[test]
fn a_string_and_a_function_have_no_sum() {
    says(&[("{ a: 'x' + (function(x) x) }", &["!conflict"]), ("local f(x) = x; { a: f + 'x' }", &["!conflict"])]);
    fine(&["local f(x) = 'x'; { a: 'x' + f(1) }"]);
}

#[test]
fn a_string_is_searched_for_a_string() {
    says(&[
        ("std.member('abc', 1)", &["!conflict"]),
        ("std.member('abc', null)", &["!conflict"]),
        ("std.member('abc', ['a'])", &["!conflict"]),
    ]);
    fine(&["std.member('abc', 'b')", "std.member(['abc'], 1)", "local f(x) = std.member(x, 'a'); [f('a'), f(['a'])]"]);
}

/// A part that is read where it is can no longer be extended, as soon as the object around it is complete.
#[test]
fn what_a_part_that_is_read_misses_is_reported() {
    says(&[
        ("({ c+:: { n: self.q }, v: $.c.n }).v", &["undefined"]),
        ("({ c+:: { local me = self, n: me.q }, v: '%(n)s' % $.c }).v", &["undefined"]),
        ("({ v: $.c.n } + { c+:: { n: self.q } }).v", &["undefined"]),
    ]);
    fine(&[
        "({ c+:: { n: self.q }, v: $.c.n } + { c+:: { q: 1 } }).v",
        "local lib = { c:: { n: self.q, m: 1 }, v: self.c.m }; [lib.v, (lib.c { q: 1 }).n]",
        "local lib = { c:: { n: error 'must provide n' }, v: self.c.n }; (lib { c+:: { n: 1 } }).v",
        "local lib = { c:: { n: error 'must provide n' }, v:: self.c.n, w: 1 }; lib.w",
    ]);
}

/// A `+:` field is combined with the definition below at its first read.
#[test]
fn a_definition_that_adds_is_combined_at_its_first_read() {
    types(&[
        ("{ a+: { b: 1 }, c: self.a.b }", "{a ∈ {b ∈ number}, c ∈ number}"),
        ("{ a+: { b+: { c: 1 } }, d: { e: $.a.b.c } }", "{a ∈ {b ∈ {c ∈ number}}, d ∈ {e ∈ number}}"),
        ("{ a+: { b+: { c: 1 } }, local me = self, d: [me.a.b.c] }", "{a ∈ {b ∈ {c ∈ number}}, d ∈ [number]}"),
    ]);
    fine(&[
        // the object below may have `prot`
        "{ a+: { port: 1 } + { prot+: { x: 1 } } }",
        "{ a+: { b+: { port: 1 } + { prot+: { x: 1 } } } }",
        "{ a: { b: 1 } } + { a+: { c: 2 }, d: self.a.b + self.a.c }",
        "local f(o) = o.a.b; { a+: { b: 1 }, c: f(self) }",
        "{ a+: { b+: { c: 1 } }, d: self.a.b.c - 1, e: self.a.b.c + 1 }",
    ]);
    says(&[
        ("{ a+: { b: 'x' }, c: self.a.b - 1 }", &["!conflict"]),
        ("{ a: { port: 1 } + { prot+: { x: 1 } } }", &["extends-nothing"]),
    ]);
}

/// Object languages do not require that the branches of a condition, or the elements of an array, have one type.
#[test]
fn branches_have_types_of_their_own() {
    fine(&[
        "local f(c, x, y) = if c then x else y; { a: f(true, 's', 1) + 'x', b: f(false, { a: 1 }, 2) + 1 }",
        "local f(x, y=null) = if y == null then x else y; { a: f(1), b: f(1, 'x'), c: f([1], y=2) }",
        "local f(a, b) = if a != null then a else b; { a: f(null, 1), b: f('x', 1), c: f({}, 'y') }",
        "local f(c, x) = if c then x else 1; f(true, 's') + 'x'",
        "local f(n, acc) = if n == 0 then acc else f(n - 1, acc + [n]); f(3, []) + [1]",
        "local compose(fs) = function(x) std.foldl(function(a, f) f(a), fs, x); compose([function(x) { s: x }])(1).s",
        "std.foldl(function(a, x) [a, x], [1, 2, 3], 0)",
        "local base = { [n]: { kind: n } for n in ['a'] }; base + { a+: { x: 1 }, c: $.a.kind }",
        "local sum(mixins) = std.foldl(function(a, b) a + b, mixins, {}); { a: sum([{ v: 1 }, { w: 2 }]).v }",
        "local rename(o, n) = o { name: n }; { a: rename({ name: [true] }, 'b').name + 'x' }",
        "local f(x, refresh='never') = { x: x, refresh: refresh }; f(1, refresh=2)",
        "{ o: { c: 1, d: 2 } } + ({ o+: { d: 4 } } + { f: $.o.c })",
    ]);
}

/// An override with another type matters only if a definition may have been checked with the old type.
#[test]
fn a_change_of_type_is_a_warning_whether_or_not_something_reads_the_field() {
    says(&[("{ a: 1 } + { a: 'x' }", &["changes-type"]), ("{ a: 1, b: self.a - 1 } + { a: 'x' }", &["changes-type"])]);
    // a definition that is made from the one that it replaces
    fine(&[
        "{ a: ['x'] } + { a: std.join('|', super.a) }",
        "local o = { a: ['x'] }; '%(a)s' % o { a: std.join('|', super.a) }",
    ]);
    says(&[("({ a: ['x'], b: self.a - 1 } + { a: std.join('|', super.a) }).b", &["conflict"])]);
}

/// A format with one directive takes a string as it is, so that only an object is asked for the field.
#[test]
fn a_function_whose_format_reads_a_field_of_its_parameter() {
    says(&[
        ("local f(c) = '%(a)s' % c; f({})", &["missing-field"]),
        ("local f(c) = { x: '%(a)s' % c }; f({ b: 1 })", &["missing-field"]),
        ("local g(d) = local f(c) = '%(a)s' % c; f(d); g({ b: 1 })", &["missing-field"]),
        ("local f(c) = '%(a)d' % c; f({ a: 'x' })", &["conflict"]),
        ("local f(c) = std.format('%(a)s', c); f({})", &["missing-field"]),
    ]);
    fine(&[
        "local f(c) = '%(a)s' % c; f({ a: 1 })",
        "local f(c) = '%(a)s' % c; f('x') + f({ a: 1, b: 2 })",
        "local f(c) = '%(a)d' % c; f(3) + f({ a: 1 })",
        "local f(c) = if std.objectHas(c, 'a') then '%(a)s' % c else ''; f({})",
        "local f(c) = '%(a)s' % c; local g(d) = f(d { a: 1 }); g({})",
        "local f(c) = '%(a)s' % c; f(std.parseJson('{}'))",
        "local f(c) = if std.isObject(c) then '%(a)s' % c else '%s' % c; f({ a: 1 }) + f(1)",
    ]);
    types(&[("function(c) '%(a)s' % c", "(a) -> string")]);
}

#[test]
fn literals_that_cannot_be_compared() {
    says(&[
        ("std.sort([1, 'x'])", &["!conflict"]),
        ("std.set([1, 2, 'x'])", &["!conflict"]),
        ("std.sort([true, false])", &["!conflict"]),
        ("std.maxArray([{}, {}])", &["!conflict"]),
        ("[1, 'x'] < [1, 2]", &["mixed", "!conflict"]),
        ("[[1], ['x']] < [[1], [2]]", &["mixed", "!conflict"]),
        ("[null] < [null]", &["!conflict"]),
    ]);
    fine(&["std.sort([true])", "std.sort([])", "[1] < []", "std.setUnion([], ['x'])"]);
    says(&[
        // evaluation decides
        ("[1, 'x'] < [2, 2]", &["mixed"]),
        ("[2, 'x'] < [1, 2]", &["mixed"]),
        ("std.sort([[1], [2, 'x']])", &["mixed"]),
        ("std.uniq([1, 'x'])", &["mixed"]),
        ("std.sort([1, 'x'], function(x) 0)", &["mixed"]),
    ]);
}
