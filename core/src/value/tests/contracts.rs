//! Contracts: late application, propagation through merges, blame.

use super::{reports, values};

values! {
    contracts_wait_for_the_final_value: {
        "{foo | {bar : Number, baz : String}} & {foo = {}} & {foo.bar = 1} & {foo.baz = \"a\"}"
            => "{ foo = { bar = 1, baz = \"a\" } }",
        "{foo | {_ : {name | String}} = {x, y}} & {foo.x.name = \"x\", foo.y.name = \"y\"}"
            => "{ foo = { x = { name = \"x\" }, y = { name = \"y\" } } }",
        "{a | Number | default = \"never used\"} & {a = 1}" => "{ a = 1 }",
    }
    record_contracts_bring_their_layers: {
        "{x | {a | default = 5, b = a}} & {x.a = 3}" => "{ x = { a = 3, b = 3 } }",
        "({foo = 5} | {foo | Number}) & {bar = \"bar\"}" => "{ bar = \"bar\", foo = 5 }",
        "let C = {a | Number, b | default = 1} in [{a = 1} | C, {a = 2, b = 3} | C]"
            => "[{ a = 1, b | default = 1 }, { a = 2, b = 3 }]",
        "({} | {a | default = 5, b = a}) & {a = 3}" => "{ a = 3, b = 3 }",
    }
    polymorphic_contracts_seal: {
        "let id | forall a. a -> a = fun x => x in [id 1, id \"a\"]" => "[1, \"a\"]",
        "let f | forall a b. (a -> b) -> Array a -> Array b = fun g xs => std.array.map g xs in f (fun x => x + 1) [1, 2]"
            => "[2, 3]",
        "let f | forall r. { x : Number; r } -> { y : Number; r } =
           fun r => std.record.insert \"y\" 1 (std.record.remove \"x\" r) in f {x = 1, z = 2}" => "{ y = 1, z = 2 }",
    }
    user_written_contracts: {
        "{a | (fun label value => value + 1) = 1}" => "{ a = 2 }",
        "let Even = std.contract.from_predicate (fun n => n % 2 == 0) in {a | Even = 2}" => "{ a = 2 }",
        "let Or = fun A B => std.contract.any_of [A, B] in {a | Or Number String = \"x\"}" => "{ a = \"x\" }",
    }
    a_contract_merges_with_itself: {
        "let C = std.contract.from_predicate (fun x => x > 0), same = fun x => x in 1 | ({c = C} & {c = same C}).c" => "1",
        "let f | Number -> Number = fun x => x + 1, same = fun x => x in ({v = f} & {v = same f}).v 1" => "2",
        "let same = fun x => x in ({f = std.array.length} & {f = same std.array.length}).f [5]" => "1",
        "(fun x => std.array.length (x & x)) [fun x => x]" => "1",
        "let f = fun x => x, same = fun x => x in ({v = f} & {v = same f}).v 2" => "2",
        // a record merged with itself is that record, so its functions are the same ones
        "let r = {n = 1, f = fun x => x + n} in ({v = r.f} & {v = (r & r).f}).v 2" => "3",
    }
    static_types_check_only_callers: {
        "{a : Number = 1} & {a | force = \"x\"}" => "{ a | force = \"x\" }",
    }
}

reports! {
    a_contract_bound_by_let_has_its_name: {
        "let Port = std.contract.from_predicate (fun x => false) in {p | Port = 0}" => "value/contract: `p` breaks the contract `Port` | 0 ← 0 | Port ← the contract `Port` | false ← this is false for 0",
        "let lib = {Port = std.contract.from_predicate (fun x => false)} in {p | Array lib.Port = [0]}" => "value/contract: `p[0]` breaks the contract `Array lib.Port` | 0 ← 0 | Array lib.Port ← the contract `Array lib.Port` | false ← this is false for 0",
    }
    every_definitions_contract_holds_of_the_final_value: {
        "{foo | Number | default = 5} & {foo = \"a\"}" => "value/contract: `foo` must be a Number, but is a String | \"a\" ← \"a\" is a String | Number ← the contract `Number`",
        "{r | {_ | Number}} & {r.a = \"x\"}" => "value/contract: `r.a` must be a Number, but is a String | \"x\" ← \"x\" is a String | Number ← the contract `Number`",
        "({a = 1} | {_ | Number}) & {a | force = \"x\"}" => "value/contract: `a` must be a Number, but is a String | \"x\" ← \"x\" is a String | Number ← the contract `Number`",
    }
    records_are_closed_unless_said: {
        "{a = 1, b = 2} | {a | Number}" => "value/contract: the value breaks its contract: extra field `b` | b ← not allowed here | {a | Number} ← the contract",
        "{a = 1} | {a : Number, b : Number}" => "value/contract: the value breaks the contract `{ a : Number, b : Number }`: missing field `b` | {a = 1} ← { a = 1 } | {a : Number, b : Number} ← the contract `{ a : Number, b : Number }`",
    }
    functions_blame_the_caller_or_the_value: {
        "let f | Number -> String = fun x => \"a\" in f \"b\" ++ std.seq (f 1) \"\"" => "no fault: String(\"a\")",
        "let f | Number -> Number = fun x => x in f \"b\"" => "value/contract: the argument of `f` must be a Number, but is a String | \"b\" ← \"b\" is a String | Number ← the contract `Number` | f \"b\" ← in this call",
        "let f | Number -> String = fun x => x in f 1" => "value/contract: `f` promises a String, but returns a Number | x ← 1 is a Number | String ← the contract `String` | f 1 ← in this call",
        "let f | (Number -> Number) -> Number = fun g => g \"a\" in f (fun x => x)" => "value/contract: the argument of the argument of `f` must be a Number, but is a String | \"a\" ← \"a\" is a String | Number ← the contract `Number` | g \"a\" ← in this call | f (fun x => x) ← in this call",
        "{f : Number -> Number = fun x => x}.f \"a\"" => "value/contract: the argument of `f` must be a Number, but is a String | \"a\" ← \"a\" is a String | Number ← the contract `Number` | {f : Number -> Number = fun x => x}.f \"a\" ← in this call",
    }
    looking_into_a_polymorphic_argument_is_the_functions_fault: {
        "let f | forall a. a -> a = fun x => x + 1 in f 1" => "value/contract: `f` breaks its contract: it inspects an argument of polymorphic type | 1 ← 1 | a ← the contract `a` | f 1 ← in this call",
    }
    merging_a_polymorphic_argument_looks_into_it: {
        "let f | forall a. a -> a = fun x => x & x in f 1" => "value/contract: `f` breaks its contract: it inspects an argument of polymorphic type | 1 ← 1 | a ← the contract `a` | f 1 ← in this call",
        "let f | forall a. a -> a -> a = fun x y => x & y in f 1 1" => "value/contract: `f` breaks its contract: it inspects an argument of polymorphic type | 1 ← 1 | a ← the contract `a` | f 1 1 ← in this call",
        "let f | forall a. a -> { v : Number } = fun x => {v = 1} & {v = x} in f 1" => "value/contract: `f` breaks its contract: it inspects an argument of polymorphic type | 1 ← 1 | a ← the contract `a` | f 1 ← in this call",
    }
    contracts_and_functions_merge_with_nothing_but_themselves: {
        "{c = Number} & {c = Number}" => "value/merge-conflict: the values of `c` cannot be merged | Number ← Number (normal) | Number ← Number (normal)",
        "let C = fun n => std.contract.from_predicate (fun x => x > n) in {c = C 1} & {c = C 1}" => "value/merge-conflict: the values of `c` cannot be merged | C 1 ← a contract (normal) | C 1 ← a contract (normal)",
        "let g = fun x => x in let f | Number -> Number = g, h | Number -> Number = g in {v = f} & {v = h}" => "value/merge-conflict: the values of `v` cannot be merged | f ← a function (normal) | h ← a function (normal)",
        "{f = std.array.length} & {f = std.array.first}" => "value/merge-conflict: the values of `f` cannot be merged | std.array.length ← a function (normal) | std.array.first ← a function (normal)",
        "{f = fun x => x} & {f = std.array.length}" => "value/merge-conflict: the values of `f` cannot be merged | fun x => x ← a function (normal) | std.array.length ← a function (normal)",
    }
    the_first_of_merged_definitions_is_blamed: {
        "{a = 1} & {a = 2 - 1} & {a | String}" => "value/contract: `a` must be a String, but is a Number | 1 ← 1 is a Number | String ← the contract `String`",
    }
    contracts_say_why: {
        "let C = fun label value => std.contract.blame_with_message \"it is never good\" label in {p | C = 2}" => "value/contract: `p` breaks the contract `C`: it is never good | 2 ← 2 | C ← the contract `C` | std.contract.blame_with_message \"it is never good\" label ← in this call",
    }
}
