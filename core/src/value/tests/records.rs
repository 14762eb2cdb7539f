//! Merging: late binding, priorities, pushes, guards, merge functions.

use super::{reports, values};

values! {
    late_binding: {
        "{a | default = 1, b = a + 1} & {a = 2}" => "{ a = 2, b = 3 }",
        "let r = {a | default = 1, b = {c = a}} in [r & {a = 2}, r, r & {a = 3, b.d = 1}]"
            => "[{ a = 2, b = { c = 2 } }, { a | default = 1, b = { c = 1 } }, { a = 3, b = { c = 3, d = 1 } }]",
        "let r = {x | default = 1, f = fun a => a + x} in (r & {x = 10}).f 1 + r.f 1" => "13",
        "{a.b = 1, a.c = a.b + d, d = 5}" => "{ a = { b = 1, c = 6 }, d = 5 }",
        "{a = b, b} & {b = 1}" => "{ a = 1, b = 1 }",
        "let b = 1 in {include b, a = b} & {b | force = 2}" => "{ a = 2, b | force = 2 }",
    }
    priorities: {
        "{a | default = 1} & {a | priority -1000000 = 2} & {a | default = 3}" => "{ a | priority -1000000 = 2 }",
        "{a | priority 1 = 1} & {a | priority 1.5 = 2} & {a = 3}" => "{ a | priority 1.5 = 2 }",
        "{a | force = 1} & {a | priority 1000000 = 2}" => "{ a | force = 1 }",
        "{a | default = {b = 1}} & {a = {c = 2}}" => "{ a = { c = 2 } }",
        "{a | priority 0 = {b = 1}} & {a = {c = 2}}" => "{ a = { b = 1, c = 2 } }",
    }
    pushed_priorities: {
        "{c | default rec = {a | force = 1, b | priority 7 = 1, d = [1]}} & {c = {a = 2, b | priority -7 = 2, d = []}}"
            => "{ c = { a | force = 1, b | priority -7 = 2, d = [] } }",
        "{c | force rec = {a | default = 1, b.d = 1}} & {c = {a = 2, b.d | priority 9 = 2, b.e = 3}}"
            => "{ c = { a | force = 1, b = { d | force = 1, e = 3 } } }",
        "let b | default rec = {a = 1, c = a + 1} in [b & {a = 2}, b & {c = 9}]"
            => "[{ a = 2, c | default = 3 }, { a | default = 1, c = 9 }]",
    }
    a_pushed_force_erases_the_priorities_of_records_inside: {
        "let b | force rec = {p | default = {q | default = 1}} in b & {p.s = 5}" => "{ p = { q | force = 1, s = 5 } }",
        "let b | force rec = {p | priority -3 = {q = 1}} in [b & {p.q = 2}, b & {p.s = 5}]"
            => "[{ p = { q | force = 1 } }, { p = { q | force = 1, s = 5 } }]",
        "{c | force rec = {d | default rec = {a = 1}}} & {c.d.a = 2}" => "{ c = { d = { a | force = 1 } } }",
        "{c | default rec = {d | force rec = {a = 1}}} & {c.d.a = 2}" => "{ c = { d = { a | force = 1 } } }",
        "{c | force rec = {d | default rec = 1}} & {c.d = 2}" => "{ c = { d | force = 1 } }",
    }
    equal_values_merge: {
        "{a = 1, b = ['X 1], c = null} & {a = 1, b = ['X 1], c = null}" => "{ a = 1, b = ['X 1], c = null }",
        "{a = 'X {b = 1}} & {a = 'X {c = 1}}" => "{ a = 'X { b = 1, c = 1 } }",
        "let f = fun x => x in ({a = f} & {a = f}).a 1" => "1",
        "let r = {a | default = 1, b = a} in r & r & (r & {a = 2}) & (r & r)" => "{ a = 2, b = 2 }",
    }
    guards: {
        "{kind | default = 'A, cert | when (kind == 'B) = 1}" => "{ kind | default = 'A }",
        "{kind | default = 'A, cert | when (kind == 'B) = 1} & {kind = 'B}" => "{ cert = 1, kind = 'B }",
        "{a = 1, b | default = 1, b | when (a == 2) = 7} & {a | force = 2}" => "{ a | force = 2, b = 7 }",
    }
    merge_functions_reach_back: {
        "let add = fun args => args.lower + args.higher in
         let x = {a = 1} & {a = 1} in std.seq x.a [x & {a | merge add = 1}, {a | merge add = 1} & x]"
            => "[{ a = 3 }, { a = 3 }]",
        "let say = fun args => \"%{args.lower}%{args.priority}%{args.higher}\" in
         {a | force = \"3\"} & {a | merge say = \"1\"} & {a | default = \"0\"} & {a = \"2\"}"
            => "{ a | force = \"0Different1Same2Different3\" }",
        "let add = fun args => args.lower + args.higher in {a.b | merge add = 1} & {a = {b = 2} & {b = 3}}"
            => "{ a = { b = 6 } }",
    }
    merge_functions_come_with_contracts: {
        "let add = fun args => args.lower + args.higher in
         let M = {a | merge add | optional} in [({} | M) & {a = 1} & {a = 2}, ({a = 1} | M) & {a = 2}, ({a = 1} | M) & ({a = 2} | M)]"
            => "[{ a = 3 }, { a = 3 }, { a = 3 }]",
        "let add = fun args => args.lower + args.higher in {x | {a | merge add}} & {x.a = 1} & {x.a = 2}"
            => "{ x = { a = 3 } }",
    }
    what_a_contract_brings_counts_once: {
        "let add = fun args => args.lower + args.higher in
         let C = {a | merge add | default = 10} in [({a = 1} | C) & ({a = 2} | C), {x | C} & {x.a = 3} & {x | C}]"
            => "[{ a = 13 }, { x = { a = 13 } }]",
        "let add = fun args => args.lower + args.higher in
         let r = {a = 1} | {a | merge add | default = 10} in [r, r & r, r & r & {a = 5}]"
            => "[{ a = 11 }, { a = 12 }, { a = 17 }]",
        "let add = fun args => args.lower + args.higher in let r = {a | merge add = 1} in [r & r, r & r & r]"
            => "[{ a = 2 }, { a = 3 }]",
    }
    merge_functions_do_not_cross_imports: {
        "let add = fun args => args.lower + args.higher in
         [(import \"{a = 1} & {a = 1}\") & {a | merge add = 1}, {a = 1} & {a = 1} & {a | merge add = 1}]"
            => "[{ a = 2 }, { a = 3 }]",
        "let add = fun args => args.lower + args.higher in (import \"{a = {b = 1} & {b = 1}}\") & {a.b | merge add = 1}"
            => "{ a = { b = 2 } }",
        "(import \"{a = 1} & {a | merge (fun args => args.lower + args.higher) = 1}\") & {a = 5}" => "{ a = 7 }",
    }
    optional_fields_without_a_value_are_absent: {
        "{a | optional, b = 1}" => "{ b = 1 }",
        "std.record.fields {a | optional, b, c = 1}" => "[\"b\", \"c\"]",
        "{a | optional | Number} & {a = 1}" => "{ a = 1 }",
    }
    library_functions_freeze: {
        "(std.record.insert \"z\" 1 {a | default = 1, b = a}) & {a = 5}" => "{ a = 5, b = 1, z = 1 }",
    }
}

reports! {
    a_conflict_lists_every_definition: {
        "{a | default = 0} & {a = 1} & {a = 2}" => "value/merge-conflict: the values of `a` cannot be merged | 1 ← 1 (normal) | 2 ← 2 (normal) | 0 ← 0 (default), overridden",
        "{a.b.c = 1} & {a.b.c = \"x\"}" => "value/merge-conflict: the values of `a.b.c` cannot be merged | 1 ← 1 (normal) | \"x\" ← \"x\" (normal)",
        "{f = fun x => x} & {f = fun x => x}" => "value/merge-conflict: the values of `f` cannot be merged | fun x => x ← a function (normal) | fun x => x ← a function (normal)",
        "1 & 2" => "value/merge-conflict: these values cannot be merged | 1 ← 1 (normal) | 2 ← 2 (normal) | 1 & 2 ← merged here",
    }
    one_merge_function_a_field: {
        "let f = fun x => x.lower in {a | merge f = 1} & {a | merge (fun x => x.higher) = 2}"
            => "value/merge-functions: more than one merge function on field `a` | f ← one merge function | fun x => x.higher ← one merge function",
    }
    defaults_do_not_travel_with_values: {
        "{foo = bar, bar | default = 5} & {foo = 2}" => "value/merge-conflict: the values of `foo` cannot be merged | bar ← 5 (normal) | 2 ← 2 (normal)",
    }
}
