"""What nickel is asked about its standard library: QUESTIONS maps a file's name to expressions."""
import re
from itertools import product


def each(form, *pools):
    """The form, its {} filled with every combination."""
    return [form.format(*(f"({p})" if p.startswith("-") else p for p in parts)) for parts in product(*pools)]


NUMBERS = ["0", "1", "2", "-1", "0.5", "-2.5", "7", "(1/3)", "1e20", "-1e-3", "123456789.125"]
INDICES = ["0", "1", "2", "3", "4", "-1", "0.5", "1e30"]
ARRAYS = ["[]", "[1]", "[3, 1, 2]", "[1, 1, 2, 2, 1]", '["a", "b", "a"]']
NUMBER_ARRAYS = ["[]", "[1]", "[3, 1, 2]", "[1, 1, 2, 2, 1]", "[5, -1, 5, 0.5, 2, 2]", "[9, 8, 7, 6, 5, 4, 3, 2, 1, 0]"]
LAZY = '[1, std.fail_with "x"]'
WRONG = ["null", "1", '"s"', "{}", "'T", "(fun x => x)", "true"]
STRINGS = ['""', '"a"', '"abc"', '"Hello, world"', '"  x y\\t\\n"', '"naïve"', '"e\\u{301}e"', '"👨‍👩‍👧a👨‍👩‍👧"', '"🇩🇪🇫🇷"', '"a\\r\\nb"', '"ÀÉß"', '"aXbXXc"']
CMP = "std.number.compare"
BAD = "fun _ _ => 'Other"

array = []
A = array.extend
A(each("std.array.NonEmpty |> std.typeof"))
A(each("{} | std.array.NonEmpty", ARRAYS + WRONG))
for f in ["first", "last", "drop_first", "drop_last", "length", "reverse", "dedup"]:
    A(each("std.array." + f + " {}", ARRAYS + WRONG))
    A(["std.array." + f + " " + LAZY, "std.array.length (std.array." + f + " [[1], std.fail_with \"x\", [2]])"])
A(each("std.array.at {} {}", INDICES, ARRAYS[:3]))
A(each("std.array.at {} [1]", WRONG) + each("std.array.at 0 {}", WRONG) + ["std.array.at 0 " + LAZY, "std.array.at 1 " + LAZY])
A(each("std.array.at_or {} 'D {}", INDICES, ARRAYS[:3]))
A(["std.array.at_or 0 (std.fail_with \"x\") [1]", "std.array.at_or 3 1 " + LAZY, "std.array.at_or \"a\" 1 [1]", "std.array.at_or 0 1 null"])
A(each("std.array.slice {} {} {}", ["0", "1", "2", "3", "-1", "0.5"], ["0", "1", "3", "4", "1.5"], ["[]", "[3, 1, 2]"]))
A(["std.array.slice \"a\" 1 [1]", "std.array.slice 0 null [1]", "std.array.slice 0 0 null", "std.array.slice 0 1 " + LAZY])
A(each("std.array.split_at {} {}", INDICES, ARRAYS[:3]) + ["std.array.split_at 0 {}", "std.array.split_at 'A [1]", "(std.array.split_at 1 " + LAZY + ").left"])
A(each("std.array.map (fun x => [x]) {}", ARRAYS + WRONG[:4]) + [
    "std.array.map 1 []", "std.array.map 1 [1]", "std.array.length (std.array.map 1 [1])", "std.array.map null null",
    "std.array.map (fun x => x + 1) [1, 2]", "std.array.length (std.array.map (fun x => std.fail_with \"x\") [1, 2])",
    "std.array.at 1 (std.array.map (fun x => 1 / x) [0, 2])", "std.array.map std.string.length [\"a\", \"bc\"]",
    "std.array.map (fun { a, b ? 2 } => a + b) [{ a = 1 }, { a = 2, b = 3 }]", "std.array.map (fun x y => x + y) [1] |> std.array.map (fun f => f 2)",
    "std.array.map (match { 'A => 1, 'B => 2 }) ['A, 'B]", "std.array.map (match { 'A => 1 }) ['B]"])
A(each("std.array.map_with_index (fun i x => {{ i = i, x = x }}) {}", ARRAYS + WRONG[:3]) + ["std.array.map_with_index 1 []", "std.array.map_with_index 1 [1]", "std.array.length (std.array.map_with_index 1 [1])"])
A(each("std.array.concat {} {}", ARRAYS[:3] + ["null"], ARRAYS[:3] + ["{}"]) + ["std.array.length (std.array.concat " + LAZY + " [1])"])
A(each("std.array.fold_left (fun acc x => acc @ [x]) [0] {}", ARRAYS + WRONG[:3]))
A(["std.array.fold_left (fun acc x => acc - x) 0 [1, 2, 3]", "std.array.fold_left (fun acc x => acc - x) \"a\" []", "std.array.fold_left (fun acc x => acc - x) \"a\" [1]",
   "std.array.fold_left 1 2 []", "std.array.fold_left 1 2 [3]", "std.array.fold_left (fun acc x => { a = acc }) null [1, 2]",
   "std.array.fold_left (fun acc x => x) (std.fail_with \"x\") [1]", "std.array.fold_left (fun acc x => 1) 0 " + LAZY,
   "std.array.fold_left (fun acc x => std.fail_with \"x\") 0 [1, 2]", "std.array.fold_left (fun acc x => if x == 2 then 1 else std.fail_with \"x\") 0 [1, 2]",
   "std.array.fold_left (fun acc x => acc + x) 0 (std.array.range 0 1000)", "std.array.fold_left (fun acc x => acc & { \"%{x}\" = 1 }) {} [\"a\", \"b\"]",
   "std.array.fold_left (+) 0 [1, 2, 3]", "std.array.fold_left (fun acc => acc) 0 [1]"])
A(each("std.array.fold_right (fun x acc => acc @ [x]) [0] {}", ARRAYS + WRONG[:3]))
A(["std.array.fold_right (fun x acc => x - acc) 0 [1, 2, 3]", "std.array.fold_right (fun x acc => if x then true else acc) false [true, std.fail_with \"x\"]",
   "std.array.fold_right 1 2 []", "std.array.fold_right 1 2 [3]", "std.array.fold_right (fun x acc => acc) 0 " + LAZY,
   "std.array.fold_right (fun x acc => x) (std.fail_with \"x\") [1]", "std.array.fold_right (fun x acc => x + acc) 0 (std.array.range 0 1000)"])
OK = "fun acc x => if x > 0 then 'Ok (acc + x) else 'Error x"
A(each("std.array.try_fold_left (" + OK + ") 0 {}", NUMBER_ARRAYS + ["[1, -1, \"a\"]", "null"]) + [
    "std.array.try_fold_left (fun acc x => 'Other) 0 [1]", "std.array.try_fold_left (fun acc x => 'Other) 0 []", "std.array.try_fold_left (fun acc x => acc + x) 0 [1]",
    "std.array.try_fold_left (fun acc x => 'Ok (std.fail_with \"x\")) 0 [1]", "std.array.try_fold_left (fun acc x => 'Error (std.fail_with \"x\")) 0 [1] |> std.enum.is_enum_variant",
    "std.array.try_fold_left (fun acc x => 'Ok) 0 [1]", "std.array.try_fold_left (fun acc x => 'Error) 0 [1]", "std.array.try_fold_left 1 0 []", "std.array.try_fold_left 1 0 [1]",
    "std.array.try_fold_left (fun acc x => if x == 2 then 'Error \"two\" else 'Ok (acc @ [x])) [] [1, 2, std.fail_with \"x\"]"])
A(each("std.array.prepend {} {}", ["0", "[]"], ARRAYS[:3] + ["null"]) + each("std.array.append {} {}", ["0", "[]"], ARRAYS[:3] + ["null"]))
A(["std.array.length (std.array.append (std.fail_with \"x\") [1])", "std.array.append 'A ['B]"])
for f in ["filter", "all", "any", "partition"]:
    A(each("std.array." + f + " (fun x => x > 1) {}", NUMBER_ARRAYS + ["[true]", "null", "1"]))
    A(["std.array." + f + " 1 []", "std.array." + f + " 1 [1]", "std.array." + f + " (fun x => x) [1]", "std.array." + f + " (fun x => x) [true, false]",
       "std.array." + f + " (fun x => x) [false, true, std.fail_with \"x\"]", "std.array." + f + " (fun x => true) " + LAZY + " |> std.typeof"])
A(each("std.array.flatten {}", ["[]", "[[]]", "[[1], [2, 3], []]", "[1]", "[[1], 2]", "[[[1]]]", "null", "[" + LAZY + "] |> std.array.length"]))
A(each("std.array.elem {} {}", ["1", '"a"', "null", "[]", "{}", "(fun x => x)", "1.5"], ARRAYS + ["[null, [], {}]", "[fun x => x]", LAZY, "null"]))
A(each("std.array.group (fun x => if x > 1 then \"big\" else \"small\") {}", NUMBER_ARRAYS + ["null"]) + ["std.array.group (fun x => 1) [1]", "std.array.group (fun x => 1) []", "std.array.group 1 []", "std.array.group 1 [1]", "std.array.group std.function.id [\"b\", \"a\", \"b\"]", "std.array.group (fun x => \"k\") " + LAZY + " |> std.record.fields"])
A(each("std.array.generate (fun i => i * i) {}", ["0", "1", "5", "-1", "1.5", '"a"', "null"]) + ["std.array.generate 1 0", "std.array.generate 1 1", "std.array.length (std.array.generate 1 1)", "std.array.length (std.array.generate (fun x => std.fail_with \"x\") 3)"])
A(each("std.array.compare std.number.compare {} {}", NUMBER_ARRAYS[:4], NUMBER_ARRAYS[:4]) + ["std.array.compare std.number.compare [1, std.fail_with \"x\"] [2, 1]", "std.array.compare (" + BAD + ") [1] [2]", "std.array.compare (" + BAD + ") [] [2]", "std.array.compare 1 [] []", "std.array.compare 1 [1] [1]", "std.array.compare std.string.compare [\"a\"] [\"b\"]", "std.array.compare std.number.compare null []"])
for f in ["sort", "sort_dedup", "dedup_sorted"]:
    A(each("std.array." + f + " std.number.compare {}", NUMBER_ARRAYS + ["null", '["a"]', '["a", "b"]']))
    A(["std.array." + f + " (" + BAD + ") [1]", "std.array." + f + " (" + BAD + ") [1, 2]", "std.array." + f + " 1 []", "std.array." + f + " 1 [1]", "std.array." + f + " 1 [1, 2]",
       "std.array." + f + " (fun a b => std.number.compare a.k b.k) [{ k = 2, v = 1 }, { k = 1, v = 2 }, { k = 2, v = 3 }, { k = 1, v = 4 }]",
       "std.array." + f + " std.string.compare [\"b\", \"a\", \"B\", \"ab\", \"\", \"b\"]", "std.array." + f + " (fun a b => 'Lesser) [3, 1, 2]", "std.array." + f + " (fun a b => 'Greater) [3, 1, 2]", "std.array." + f + " (fun a b => 'Equal) [3, 1, 2]"])
A(each("std.array.flat_map (fun x => [x, x]) {}", ARRAYS + ["null"]) + ["std.array.flat_map (fun x => x) [1]", "std.array.flat_map (fun x => x) [[1], [2]]", "std.array.flat_map 1 []", "std.array.flat_map 1 [1]", "std.array.flat_map (fun x => [std.fail_with \"x\"]) [1] |> std.array.length"])
A(each("std.array.intersperse 0 {}", ARRAYS + ["null"]) + ["std.array.intersperse (std.fail_with \"x\") [1]", "std.array.intersperse \", \" [\"a\", \"b\", \"c\"]"])
A(each("std.array.replicate {} \"x\"", ["0", "1", "3", "-1", "0.5", '"a"', "null"]) + ["std.array.length (std.array.replicate 2 (std.fail_with \"x\"))"])
A(each("std.array.range {} {}", ["0", "1", "-2", "0.5", "3"], ["0", "2", "3", "2.5", "-1"]) + ["std.array.range \"a\" 1", "std.array.range 0 null", "std.array.range 5 5"])
A(each("std.array.range_step {} {} {}", ["0", "-1", "0.5"], ["0", "2", "3.3", "-2"], ["1", "0.5", "(1/3)", "0", "-1", "10"]) + ["std.array.range_step 0 1 \"a\"", "std.array.range_step null 1 1"])
for f in ["reduce_left", "reduce_right"]:
    A(each("std.array." + f + " (fun x y => x - y) {}", NUMBER_ARRAYS + ["null", '["a"]']) + ["std.array." + f + " 1 [1]", "std.array." + f + " 1 [1, 2]", "std.array." + f + " (fun x y => [x, y]) [1, 2, 3, 4]", "std.array." + f + " (fun x y => 1) [std.fail_with \"x\", std.fail_with \"y\"]"])
A(each("std.array.zip_with (fun x y => [x, y]) {} {}", ARRAYS[:3] + ["null"], ARRAYS[1:4] + ["1"]) + ["std.array.zip_with 1 [] []", "std.array.zip_with 1 [1] [1]", "std.array.length (std.array.zip_with 1 [1] [1])", "std.array.zip_with (fun x y => x) [1] [std.fail_with \"x\"]"])
A(each("std.array.filter_map (fun x => if x > 1 then 'Some (x * 2) else 'None) {}", NUMBER_ARRAYS + ["null"]) + ["std.array.filter_map (fun x => 'Other) [1]", "std.array.filter_map (fun x => 'None 1) [1]", "std.array.filter_map (fun x => 'Some) [1]", "std.array.filter_map (fun x => x) [1]", "std.array.filter_map 1 []", "std.array.filter_map 1 [1]", "std.array.filter_map (fun x => 'Some (std.fail_with \"x\")) [1] |> std.array.length"])
A(each("std.array.dedup {}", ["[null, null]", "[[1], [1], [2]]", "[{ a = 1 }, { a = 1 }, {}]", "['A, 'A, 'B]", "[1, 1.0, \"1\"]", "['A 1, 'A 1, 'A 2]", "[true, true, false]", "[0.5, 1/2]", "[fun x => x]", "[fun x => x, fun x => x]", "[[1], 1, [1]]"]))
A(each("std.array.chunk (fun x => x % 2) {}", ["[]", "[1]", "[1, 3, 4, 5]", "[2, 2, 2]", "[1, 2, 3]", "null"]) + ["std.array.chunk 1 []", "std.array.chunk 1 [1]", "std.array.chunk (fun x => x) [[1], [1], [2]]", "std.array.chunk (fun x => x.k) [{ k = 1, v = 1 }, { k = 1, v = 2 }, { k = 2, v = 3 }]", "std.array.chunk (fun x => std.fail_with \"x\") [1] |> std.array.length", "std.array.chunk (fun x => std.fail_with \"x\") [1, 2] |> std.array.length", "std.array.chunk (fun x => fun y => y) [1, 2]"])

record = []
R = record.extend
RECORDS = ["{}", "{ a = 1 }", "{ b = 1, a = 2 }", "{ a | optional, b = 1 }", "{ a, b = 1 }", "{ a | default = 1, b = a }", "{ a | not_exported = 1, b = 2 }", "{ c | Number = 1, \"x y\" = 2 }", "{ a = 1, b = std.fail_with \"x\" }", "({ a = 1 } & { b = 2 })", "{ a | optional = 1 }"]
NAMES = ['"a"', '"b"', '"zz"', '""', '"x y"']
for f in ["fields", "fields_with_opts", "values", "length", "is_empty", "to_array", "freeze", "map_values (fun x => [x])", "map (fun k x => [k, x])", "filter (fun k x => k != \"a\")"]:
    R(each("std.record." + f + " {}", RECORDS + WRONG))
for f in ["has_field", "has_field_with_opts", "get", "remove", "remove_with_opts", "get_or"]:
    g = f + " {}" + (" 'D" if f == "get_or" else "")
    R(each("std.record." + g + " {}", NAMES[:3], RECORDS))
    R(each("std.record." + g + " {{ a = 1 }}", WRONG) + each("std.record." + g + " {}", ['"a"'], WRONG))
for f in ["insert", "insert_with_opts", "update"]:
    R(each("std.record." + f + " {} 9 {}", NAMES, RECORDS))
    R(each("std.record." + f + " {} 1 {{}}", WRONG) + each("std.record." + f + " \"a\" 1 {}", WRONG))
    R(["std.record.fields (std.record." + f + " \"z\" (std.fail_with \"x\") { a = 1 })", "(std.record." + f + " \"z\" 1 { a | default = 1, b = a }) & { a = 5 }", "(std.record." + f + " \"z\" 1 { a | Number = 1 }) & { a | force = \"s\" }"])
R(["std.record.freeze { a | default = 1, b = a } & { a = 5 }", "std.record.freeze { a | Number = 1 } & { a | force = \"s\" }", "std.record.freeze { a | default = 1 } & { a = 2 }", "std.record.freeze { a | force = 1 } & { a = 2 }",
   "(std.record.remove \"c\" { a | default = 1, b = a, c = 1 }) & { a = 5 }", "(std.record.remove \"a\" { a | default = 1, b = a }) & { a = 5 }", "std.record.update \"a\" 5 { a | default = 1, b = a } & { a = 7 }", "std.record.update \"a\" 5 { a | force = 1, b = a } & { a = 7 }",
   "std.record.update \"a\" \"s\" { a | Number = 1 }", "std.record.update \"b\" 2 { a = b, b = 1 }", "std.record.map_values (fun x => x + 1) { a | default = 1 } & { a = 10 }", "std.record.map (fun k x => x) { a | default = 1, b = a } & { a = 10 }",
   "std.record.map (fun k x => x) { a | Number = 1 } & { a | force = \"s\" }", "std.record.map (fun k x => \"s\") { a | Number = 1 }", "std.record.map_values (fun x => \"s\") { a | Number = 1 }", "std.record.fields (std.record.map (fun k x => std.fail_with \"x\") { a = 1 })",
   "std.record.map 1 {}", "std.record.map 1 { a = 1 }", "std.record.fields (std.record.map 1 { a = 1 })", "std.record.map_values 1 {}", "std.record.map_values 1 { a = 1 }", "std.record.map (fun k => k) { a = 1 }",
   "std.record.values { a = 1, b = std.fail_with \"x\" } |> std.array.length", "std.record.to_array { a = 1, b = std.fail_with \"x\" } |> std.array.map (fun x => x.field)", "std.record.fields { a = 1, b = std.fail_with \"x\" }",
   "std.record.filter 1 {}", "std.record.filter 1 { a = 1 }", "std.record.filter (fun k x => 1) { a = 1 }", "std.record.filter (fun k x => true) { a | default = 1, b = a } & { a = 5 }", "std.record.filter (fun k x => x > 1) { a = 1, b = 2, c = 3 }", "std.record.filter (fun k x => k == \"a\") { a = 1, b = std.fail_with \"x\" }",
   "(std.record.map_values (fun x => x) { a | optional, b = 1 }) & { a = 3 }", "std.record.map_values (fun x => x) { a | Number, b = 1 } & { a = 3 }", "std.record.fields ({ a | Number, b = 1 })", "std.record.has_field \"a\" { a | Number }", "std.record.get \"a\" { a | Number }", "std.record.get_or \"a\" 1 { a | Number }",
   "std.record.insert \"a\" 1 { a | Number }", "std.record.insert \"a\" 1 { a | optional }", "std.record.insert \"a\" \"s\" { a | Number | optional }", "std.record.insert_with_opts \"a\" 1 { a | optional }", "std.record.update \"a\" 1 { a | optional }", "std.record.update \"a\" 1 { a | Number }", "std.record.remove \"a\" { a | optional }", "std.record.remove_with_opts \"a\" { a | optional }", "std.record.remove \"a\" { a | Number }"])
R(each("std.record.from_array {}", ["[]", "[{ field = \"a\", value = 1 }]", "[{ field = \"a\", value = 1 }, { field = \"a\", value = 2 }]", "[{ field = \"b\", value = 1 }, { field = \"a\", value = 2 }]", "[{ field = 1, value = 1 }]", "[{ field = \"a\" }]", "[{ field = \"a\", value = 1, x = 1 }]", "[1]", "null", "[{ field = \"a\", value = std.fail_with \"x\" }] |> std.record.fields", "[{ value = 1 }]", "(std.record.to_array { x = 1, y = [2] })", "[{ field = \"\", value = 1 }]", "[{ field = \"a b\", value = null }]"]))
R(each("std.record.merge_all {}", ["[]", "[{}]", "[{ a = 1 }]", "[{ a = 1 }, { b = 2 }]", "[{ a = 1 }, { a = 1 }]", "[{ a = 1 }, { a = 2 }]", "[{ a | default = 1 }, { a = 2 }, { b = 3 }]", "[{ a = { b = 1 } }, { a = { c = 2 } }]", "[1]", "[{}, 1]", "null", "[{ a | Number }, { a = 1 }]", "[{ a | Number }, { a = \"s\" }]", "[{ a | default = 1, b = a }, { a = 5 }]", "[{ a | priority 1 = 1 }, { a | priority 3 = 3 }, { a | priority 2 = 2 }]"]))
R(each("std.record.apply_on {} (fun a b => [a, b]) {} {}", NAMES[:2], RECORDS[:3], RECORDS[1:3]) + ["std.record.apply_on \"a\" 1 { a = 1 } { a = 1 }", "std.record.apply_on 1 (fun a b => a) {} {}", "std.record.apply_on \"a\" (fun a b => a) { a = 1 } {}", "std.record.apply_on \"a\" (fun a b => a) { a = 1 } null", "std.record.apply_on \"a\" (fun a b => 1) { a = 1 } { a = std.fail_with \"x\" }"])
R(each("{} | std.record.FieldsMatch {}", RECORDS[:6] + WRONG[:2], ['"^[a-z]$"', '"^a"', '"("', '""']) + ["{ a1 = 1 } | std.record.FieldsMatch \"[0-9]\"", "{ a = std.fail_with \"x\" } | std.record.FieldsMatch \"a\" |> std.record.fields"])

string = []
S = string.extend
for f in ["length", "characters", "trim", "uppercase", "lowercase", "from", "to_enum", "to_bool", "to_number"]:
    S(each("std.string." + f + " {}", STRINGS + WRONG))
S(each("std.string.length {}", ['"\\r\\n"', '"\\u{1F468}\\u{200D}\\u{1F469}"', '"क्षि"', '"한국어"', '"\\u{1F1E9}\\u{1F1EA}\\u{1F1EB}"']))
S(each("std.string.to_number {}", ['"0"', '"1.5"', '"-2"', '"+3"', '"1e3"', '"1E3"', '"1e-2"', '".5"', '"5."', '"-.5"', '"0x10"', '" 1"', '"1 "', '"1_000"', '"1e"', '"e1"', '"--1"', '"1.2.3"', '"."', '"-"', '"00012"', '"0.1e1"', '"1e+2"', '"123456789012345678901234567890"', '"0.1234567890123456789012345"', '"NaN"', '"inf"', '"5.e1"', '"0b1"', '"0o7"', '"٣"']))
S(each("std.string.to_bool {}", ['"true"', '"false"', '"True"', '" true"', '"1"', "true"]))
S(each("std.string.to_enum {}", ['"A"', '"a b"', '"1"', '"or"']))
S(each("std.string.from {}", NUMBERS + ["'A", "('A 1)", "[]", "{}", "Number", "(1/7)", "1e300", "1e-300", "0.1", "(0.1 + 0.2)", "1e15", "1e16", "1e21", "1e22", "123456789012345678901234567890", "(2/3)", "-0"]))
S(each("std.string.from_number {}", NUMBERS + WRONG) + each("std.string.from_bool {}", WRONG + ["false"]) + each("std.string.from_enum {}", WRONG + ["'\"a b\"", "('A 1)"]))
for f, seps in [("split", ['""', '","', '"X"', '"l"', '"e"', '"\\u{301}"', '"abc"', '"\\r"', '"👨"', '"XX"']), ("contains", ['""', '"a"', '"X"', '"lo"', '"e"', '"\\u{301}"', '"\\n"', '"👨"', '"🇪"'])]:
    S(each("std.string." + f + " {} {}", seps, STRINGS[:3] + STRINGS[5:]))
    S(each("std.string." + f + " {} \"a\"", WRONG) + each("std.string." + f + " \"a\" {}", WRONG))
S(each("std.string.split {} {}", ['"aa"'], ['"aaaa"', '"aaaaa"', '"baab"', '"aa"']))
S(each("std.string.compare {} {}", ['""', '"a"', '"B"', '"é"', '"z"', '"ab"'], ['""', '"a"', '"b"', '"é"', '"ab"']) + ["std.string.compare 1 \"a\"", "std.string.compare \"a\" null"])
S(each("std.string.replace {} {} {}", ['""', '"a"', '"X"', '"e"', '"XX"'], ['""', '"-"', '"$0"'], ['""', '"abc"', '"e\\u{301}e"', '"aXbXXc"', '"🇩🇪🇫🇷"']) + ["std.string.replace 1 \"\" \"\"", "std.string.replace \"\" null \"\"", "std.string.replace \"\" \"\" []"])
REGEXES = ['"a"', '"^a"', '"[0-9]+"', '"(a)(b)?"', '"x*"', '"."', '"("', '"\\\\bw"', '"(?i)HELLO"', '"$"', '"e"', '"👨"', '"(?P<n>l+)"', '"\\\\s"']
SUBJECTS = ['""', '"a"', '"abab"', '"Hello, world"', '"a1b22"', '"e\\u{301}e"', '"👨‍👩‍👧a👨‍👩‍👧"', '"a\\nb"']
for f in ["is_match", "find", "find_all"]:
    S(each("std.string." + f + " {} {}", REGEXES, SUBJECTS))
    S(["std.string." + f + " 1 \"a\"", "std.string." + f + " \"a\" 1", "let m = std.string." + f + " \"b\" in [m \"abc\", m \"xyz\"]", "std.string." + f + " \"(\" |> std.typeof"])
S(each("std.string.replace_regex {} {} {}", REGEXES[:6] + ['"("', '"$"'], ['"-"', '"$1"', '"$$"'], SUBJECTS[:6]) + ["std.string.replace_regex 1 \"\" \"\"", "std.string.replace_regex \"a\" 1 \"\"", "std.string.replace_regex \"a\" \"\" 1"])
S(each("std.string.join {} {}", ['""', '", "', "1"], ["[]", '["a"]', '["a", "b", ""]', "[1]", '["a", 1]', "null", '["a", null]', '["é", "\\u{301}"]']))
S(each("std.string.substring {} {} {}", ["0", "1", "2", "3", "-1", "0.5"], ["0", "1", "2", "3", "9", "1.5"], ['""', '"abc"', '"e\\u{301}e"']) + ["std.string.substring \"a\" 1 \"abc\"", "std.string.substring 0 null \"abc\"", "std.string.substring 0 1 1"])
VARIANTS = ["'Standard", "'UrlSafe", "'NoPad", "'UrlSafeNoPad"]
S(each("std.string.base64_encode {} {}", VARIANTS + ["'Other", "null"], ['""', '"a"', '"ab"', '"abc"', '"ÿþ?>~"', '"😎"', "1"]))
S(each("std.string.base64_decode {} {}", VARIANTS + ["'Other", "null"], ['""', '"YQ=="', '"YQ"', '"YWJj"', '"w7_Dvj8-fg=="', '"w7/Dvj8+fg=="', '"w7_Dvj8-fg"', '"!!"', '"/w=="', '"YR=="', '"Y Q=="', "1"]))
CONTRACT_VALUES = ['""', '"a"', '"ab"', '"e\\u{301}"', '"true"', '"false"', '"1"', '"1.5e3"', '"x1"', '".5"'] + WRONG + ["('A 1)", "[]", "'A"]
for c in ["BoolLiteral", "NumberLiteral", "Character", "Stringable", "NonEmpty", "(std.string.Matches \"^a\")", "(std.string.Matches \"[0-9]\")"]:
    c = c if c.startswith("(") else "std.string." + c
    S(each("{} | " + c, CONTRACT_VALUES))
S(["\"a\" | std.string.Matches \"(\"", "\"a\" | std.string.Matches 1"])

number = []
N = number.extend
for f in ["is_integer", "floor", "ceil", "abs", "fract", "truncate"]:
    N(each("std.number." + f + " {}", NUMBERS + WRONG[:3] + ["(-7/3)", "-0.999", "99999999999999999999.5", "-3"]))
for f in ["cos", "sin", "tan", "arccos", "arcsin", "arctan", "sqrt"]:
    N(each("std.number." + f + " {}", ["0", "1", "2", "-1", "0.5", "-0.5", "1e20", "(1/3)", "std.number.pi", "16", "2.25", "null", '"a"']))
for f in ["compare", "min", "max"]:
    N(each("std.number." + f + " {} {}", NUMBERS[:6] + ["null"], NUMBERS[:5] + ['"a"', "0.3"]))
N(each("std.number.pow {} {}", ["0", "1", "2", "-2", "0.5", "(1/3)", "10", "-8", "null"], ["0", "1", "2", "-1", "-2", "0.5", "(1/3)", "10", "100", '"a"']))
N(each("std.number.log {} {}", ["1", "2", "8", "10", "100", "0", "-1", "0.5", "1e100", "null"], ["2", "10", "std.number.e", "3", "0.5", "1", "0", "-2", '"a"']))
N(each("std.number.arctan2 {} {}", ["0", "1", "-1", "0.5", "null"], ["0", "1", "-1", "2", '"a"']))
N(["std.number.pi", "std.number.e", "std.number.pi * 2", "std.number.e - 2"])
for c in ["Integer", "Nat", "PosNat", "NonZero"]:
    N(each("{} | std.number." + c, NUMBERS + WRONG))

enum = []
E = enum.extend
ENUMS = ["'A", "('A 1)", "'\"a b\"", "('A [1, 2])", "('A 'B)"]
for f in ["is_enum_tag", "is_enum_variant", "to_tag_and_arg"]:
    E(each("std.enum." + f + " {}", ENUMS + WRONG + ["[]"]))
for c in ["Enum", "Tag", "TagOrString"]:
    E(each("{} | std.enum." + c, ENUMS + WRONG))
E(each("std.enum.from_tag_and_arg {}", ['{ tag = "A" }', '{ tag = "A", arg = 1 }', '{ tag = "a b" }', "{ tag = 1 }", "{ arg = 1 }", "{}", '{ tag = "A", x = 1 }', '{ tag = "A", arg | optional }', "null", '{ tag = "A", arg = null }', "(std.enum.to_tag_and_arg ('A 1))"]))
E(each("std.enum.map (fun x => [x]) {}", ENUMS + WRONG) + ["std.enum.map 1 'A", "std.enum.map 1 ('A 1)", "std.enum.map (fun x => std.fail_with \"x\") ('A 1) |> std.enum.is_enum_variant", "std.enum.map (fun x => x + 1) ('A 1)"])
E(["\"A\" | std.enum.TagOrString | [| 'A, 'B |]", "\"C\" | std.enum.TagOrString | [| 'A, 'B |]", "'A | std.enum.TagOrString | [| 'A, 'B |]", "{ a | std.enum.TagOrString = \"x\" }", "(std.enum.to_tag_and_arg ('A (std.fail_with \"x\"))).tag"])

function = []
F = function.extend
F(each("std.function.id {}", WRONG) + ["std.function.compose (fun x => x + 1) (fun x => x * 2) 5", "std.function.compose 1 (fun x => x) 5", "std.function.compose (fun x => 1) 2 3", "std.function.compose (fun x => x) (fun x => x) |> std.typeof", "std.function.flip (fun x y => [x, y]) 1 2", "std.function.flip 1 2 3", "std.function.flip (fun x => x) 1 2",
   "std.function.const 1 2", "std.function.const 1 (std.fail_with \"x\")", "std.function.const (std.fail_with \"x\") 1", "std.function.first 1 2", "std.function.first 1 (std.fail_with \"x\")", "std.function.second 1 2", "std.function.second (std.fail_with \"x\") 2",
   "std.function.pipe 2 [(+) 2, (*) 3]", "std.function.pipe 2 []", "std.function.pipe 2 [1]", "std.function.pipe 2 null", "std.function.pipe null [fun x => [x], fun x => { a = x }]", "std.function.pipe 2 [fun x => x + 1, std.to_string]", "std.function.pipe (std.fail_with \"x\") [fun x => 1]"])

top = []
T = top.extend
VALUES = ["1", '"a"', "true", "null", "[]", "[1]", "{}", "{ a = 1 }", "'A", "('A 1)", "(fun x => x)", "std.array.map", "(std.array.map (fun x => x))", "Number", "(Number -> Number)", "(Array Number)", "std.number.Nat", "(std.contract.from_predicate (fun x => true))", "{ a | Number, .. }", "(match { _ => 1 })", "[| 'A |]", "{ _ : Number }", "{ a : Number }", "(forall a. a -> a)", "Dyn", "std.contract.Equal", "(std.contract.Equal 1)", "(std.contract.any_of [Number])", "(std.contract.Sequence [])", "std.string.BoolLiteral", "{ _ | Number }", "(std.string.Matches \"a\")", "(std.FailWith \"x\")", "(std.contract.not Number)"]
T(each("std.typeof {}", VALUES))
for f in ["is_number", "is_bool", "is_string", "is_enum", "is_function", "is_array", "is_record"]:
    T(each("std." + f + " {}", VALUES[:18]))
T(each("std.cast {} |> std.enum.to_tag_and_arg |> (fun x => x.tag)", [v for v in VALUES if v != "{ a | Number, .. }"]) + each("std.cast {}", VALUES[:10]))
for f in ["typeof", "cast", "is_number", "to_string"]:
    T(["std." + f + " (std.fail_with \"x\")"])
T(["std.seq 1 2", "std.seq (std.fail_with \"x\") 2", "std.seq [std.fail_with \"x\"] 2", "std.seq { a = std.fail_with \"x\" } 2", "std.seq (1 / 0) 2", "std.seq 'A 1", "std.seq (1 | String) 2", "std.seq ([1] | Array String) 2", "std.seq ({ a = 1 } | { a | String }) 2", "std.seq ({ a = 1 } | { b | String }) 2",
   "std.deep_seq 1 2", "std.deep_seq [1, std.fail_with \"x\"] 2", "std.deep_seq { a = { b = std.fail_with \"x\" } } 2", "std.deep_seq { a | optional } 2", "std.deep_seq { a } 2", "std.deep_seq { a | Number } 2", "std.deep_seq ('A (std.fail_with \"x\")) 2", "std.deep_seq (fun x => std.fail_with \"x\") 2", "std.deep_seq ([1] | Array String) 2", "std.deep_seq { a | not_exported = std.fail_with \"x\" } 2", "std.deep_seq [[[1]]] 2",
   "std.trace \"m\" 1", "std.trace 1 1", "std.trace \"m\" (std.fail_with \"x\")", "std.trace \"m\" [1]", "std.fail_with \"m\"", "std.fail_with 1", "std.array.length [std.fail_with \"m\"]", "1 | std.FailWith \"m\"", "std.array.length ([1] | Array (std.FailWith \"m\"))", "[] | Array (std.FailWith \"m\")"])
T(each("std.to_string {}", VALUES[:18] + NUMBERS))
ALGORITHMS = ["'Md5", "'Sha1", "'Sha256", "'Sha512"]
T(each("std.hash {} {}", ALGORITHMS + ["'Other", "null"], ['""', '"hunter2"', '"naïve 👨‍👩‍👧"', "1"]))
DATA = ["1", '"a"', "true", "null", "[]", "[1, \"x\", [2]]", "{}", "{ b = 1, a = { c = [1, 2] } }", "{ a | optional, b = 1 }", "{ a | not_exported = 1, b = 2 }", "0.5", "1e20", "(1/3)", "'A", "('A 1)", "(fun x => x)", "{ a = null }", "{ a = [{ b = 1 }, { b = 2 }] }", "{ \"x y\" = 1 }", "{ a }", '"line\\nbreak"', "{ s = \"\", t = \"yes\", u = \"1\" }"]
T(each("std.serialize {} {}", ["'Json", "'Yaml", "'Toml"], DATA) + each("std.serialize 'YamlDocuments {}", ["[]", "[1, { a = 1 }]", "{}", "1", "[[1], [2]]"]) + ["std.serialize 'Other 1", "std.serialize null 1"])
T(each("std.deserialize 'Json {}", ['"1"', '"[1, 2.5, null, true]"', '"{\\"a\\": {\\"b\\": \\"c\\"}}"', '"{"', '""', '"1e400"', '"0.1"', '"[1,]"', '"{\\"a\\": 1, \\"a\\": 2}"', '"\\"\\\\u00e9\\""', "1", '"nul"', '"1 2"']))
T(each("std.deserialize 'Yaml {}", ['"a: 1"', '"- 1\\n- x"', '"a: yes"', '"a: null"', '"~"', '""', '"a: 1.5"', '"a: 0x10"', '"a: [1, {b: 2}]"', '"1"', '"\\"1\\""', '"a: b: c"', '"x: &y 1\\nz: *y"', '"--- 1\\n--- 2"', '"a:\\n  b: |\\n    text\\n"', '"2020-01-01"', '"true"', '"no"', "1"]))
T(each("std.deserialize 'YamlDocuments {}", ['"--- 1\\n--- 2"', '"1"', '""', '"a: 1\\n---\\nb: 2"']))
T(each("std.deserialize 'Toml {}", ['"a = 1"', '"a = [1, 2.5]"', '"[t]\\nx = \\"y\\""', '""', '"a ="', '"a = 1979-05-27"', '"[[p]]\\nn = 1\\n[[p]]\\nn = 2"', '"a.b.c = true"', "1"]) + ["std.deserialize 'Other \"\""])
T(["std.deserialize 'Json (std.serialize 'Json { a = [1, 0.5, \"x\"], b = { c = null } })", "std.deserialize 'Yaml (std.serialize 'Yaml { a = [1, 0.5, \"x\"], b = { c = null } })", "std.deserialize 'Toml (std.serialize 'Toml { a = [1, 2], b = { c = 0.5 } })"])

contract = []
C = contract.extend
EQUALS = ["1", '"a"', "true", "null", "[]", "[1, 2]", "{}", "{ a = 1 }", "{ a = 1, b = [2] }", "'A", "('A 1)", "('A 2)", "'B"]
C(each("{} | std.contract.Equal {}", EQUALS, EQUALS))
C(["{ a = 1, b = 2 } | std.contract.Equal { a = 1, b = 3 } |> std.record.fields", "({ a = 1, b = 2 } | std.contract.Equal { a = 1, b = 3 }).a", "[1, 2] | std.contract.Equal [1, 3] |> std.array.first", "std.seq (2 | std.contract.Equal 1) 1", "{ a | std.contract.Equal 1 = 2 }", "{ a | std.contract.Equal { b = 1 } } & { a = { b = 1 } }"])
PREDICATES = ["Number", "String", "std.number.Nat", "(Array Number)", "{ a | Number }", "{ a | Number, .. }", "(std.contract.from_predicate (fun x => x == 1))", "[| 'A, 'B |]", "(std.contract.Equal 1)", "Dyn", "(fun l v => v)", "(fun l v => std.contract.blame l)", "{ _ : Number }"]
TESTED = ["1", "-1", '"a"', "[]", "[1]", '["a"]', "{}", "{ a = 1 }", '{ a = "s" }', "'A", "null", "{ a = 1, b = 2 }"]
C(each("{} | {}", TESTED, PREDICATES))
C(each("{} | std.contract.not {}", TESTED, PREDICATES))
C(each("{} | std.contract.any_of [{}, {}]", TESTED[:9], ["Number", "(Array Number)", "{ a | Number }", "(std.contract.Equal 1)"], ["String", "Bool", "{ a | String, .. }", "Dyn"]))
C(each("{} | std.contract.all_of [{}, {}]", TESTED[:9], ["Number", "Dyn", "(Array Dyn)"], ["std.number.Nat", "(Array Number)", "{ a | Number, .. }"]))
C(each("{} | std.contract.Sequence [{}]", TESTED[:8], ["", "Number", "Number, std.number.Nat", "std.enum.TagOrString, [| 'a |]"]))
C(["1 | std.contract.any_of []", "1 | std.contract.all_of []", "1 | std.contract.any_of 1", "1 | std.contract.Sequence 1", "1 | std.contract.any_of [1]",
   "1 | std.contract.from_predicate 1", "1 | std.contract.from_predicate (fun x => 1)", "1 | std.contract.from_predicate (fun x => x)", "[1] | Array (std.contract.from_predicate (fun x => x > 0))", "[0] | Array (std.contract.from_predicate (fun x => x > 0))",
   "1 | std.contract.from_validator (fun x => 'Ok)", "1 | std.contract.from_validator (fun x => 'Error {})", "1 | std.contract.from_validator (fun x => 'Error { message = \"m\", notes = [\"n\"] })", "1 | std.contract.from_validator (fun x => 'Error)", "1 | std.contract.from_validator (fun x => 1)", "1 | std.contract.from_validator (fun x => 'Ok 2)", "1 | std.contract.from_validator (match { 1 => 'Ok, _ => 'Error {} })", "2 | std.contract.from_validator (match { 1 => 'Ok, _ => 'Error {} })", "1 | std.contract.from_validator (fun x => 'Error { message = 1 })", "1 | std.contract.from_validator (fun x => 'Error { extra = 1 })",
   "1 | std.contract.custom (fun l v => 'Ok v)", "1 | std.contract.custom (fun l v => 'Ok (v + 1))", "1 | std.contract.custom (fun l v => 'Error {})", "1 | std.contract.custom (fun l v => v)", "1 | std.contract.custom (fun l v => 'Ok)", "1 | std.contract.custom (fun l => match { 1 => 'Ok 2, _ => 'Error {} })", "1 | std.contract.custom 1", "std.contract.custom 1 |> std.typeof", "1 | std.contract.custom (fun l v => 'Error { message = \"m\", notes = [\"n\"], blame_location = l })", "1 | std.contract.custom (fun l v => std.contract.check Number l v)", "1 | std.contract.custom (fun l v => std.contract.check String l v)", "1 | std.contract.custom (fun l v => 'Ok (std.contract.apply Number l v))", "1 | std.contract.custom (fun l v => 'Ok (std.contract.apply String l v))", "[1, 2] | std.contract.custom (fun l v => 'Ok (std.array.map (std.contract.apply Number l) v))", "[1, \"a\"] | std.contract.custom (fun l v => 'Ok (std.array.map (std.contract.apply Number l) v)) |> std.array.first",
   "1 | std.contract.custom (fun l v => std.contract.blame l)", "1 | std.contract.custom (fun l v => 'Ok (std.contract.blame_with_message \"m\" l))", "1 | (fun l v => std.contract.blame_with_message \"m\" l)", "1 | (fun l v => v + 1)", "1 | (fun l v => std.contract.blame (std.contract.label.with_message \"m\" (std.contract.label.with_notes [\"a\"] (std.contract.label.append_note \"b\" l))))", "1 | (fun l v => std.typeof l)", "1 | (fun l v => std.contract.label.with_message 1 l |> std.typeof)", "1 | (fun l v => std.contract.label.with_notes [1] l |> std.typeof)", "1 | (fun l v => std.contract.label.append_note 1 l |> std.typeof)", "1 | (fun l v => std.contract.label.with_notes [\"a\"] l |> std.typeof)",
   "1 | (fun l v => std.contract.check Number l v)", "1 | (fun l v => std.contract.check String l v |> std.enum.to_tag_and_arg |> (fun x => x.tag))", "1 | (fun l v => std.contract.check (std.contract.from_validator (fun x => 'Error { message = \"m\", notes = [\"n\"] })) l v |> match { 'Error e => [e.message, e.notes], 'Ok _ => 1 })", "1 | (fun l v => std.contract.check (fun l v => std.contract.blame l) l v |> std.enum.to_tag_and_arg |> (fun x => x.tag))", "[\"a\"] | (fun l v => std.contract.check (Array Number) l v |> std.enum.to_tag_and_arg |> (fun x => x.tag))", "{} | (fun l v => std.contract.check { a | Number } l v |> std.enum.to_tag_and_arg |> (fun x => x.tag))", "{ b = 1 } | (fun l v => std.contract.check { a | Number } l v |> std.enum.to_tag_and_arg |> (fun x => x.tag))", "{ a = \"s\" } | (fun l v => std.contract.check { a : Number } l v |> std.enum.to_tag_and_arg |> (fun x => x.tag))", "{} | (fun l v => std.contract.check { a : Number } l v |> std.enum.to_tag_and_arg |> (fun x => x.tag))", "(fun x => x) | (fun l v => std.contract.check (Number -> Number) l v |> std.enum.to_tag_and_arg |> (fun x => x.tag))", "'A | (fun l v => std.contract.check [| 'B |] l v |> std.enum.to_tag_and_arg |> (fun x => x.tag))", "1 | (fun l v => std.contract.check (std.contract.Equal 2) l v |> std.enum.to_tag_and_arg |> (fun x => x.tag))",
   "std.contract.apply Number 1 2", "std.contract.blame 1", "std.contract.check 1 2 3",
   "let Nullable = fun C => std.contract.custom (fun l v => if v == null then 'Ok v else std.contract.check C l v) in [null | Nullable Number, 1 | Nullable Number]", "let Nullable = fun C => std.contract.custom (fun l v => if v == null then 'Ok v else std.contract.check C l v) in \"a\" | Nullable Number",
   "((fun x => x + 1) | std.contract.unstable.DependentFun Number (fun x => std.contract.from_predicate (fun y => y > x))) 1", "((fun x => x - 1) | std.contract.unstable.DependentFun Number (fun x => std.contract.from_predicate (fun y => y > x))) 1", "((fun x => x) | std.contract.unstable.DependentFun Number (fun x => Dyn)) \"a\"", "1 | std.contract.unstable.DependentFun Number (fun x => Dyn) |> std.typeof",
   "(std.function.const | std.contract.unstable.RangeFun Dyn) 1 2", "(std.function.const | std.contract.unstable.RangeFun Dyn) 2 1", "(std.function.const | std.contract.unstable.RangeFun Dyn) 1 1", "(std.function.const | std.contract.unstable.RangeFun Dyn) \"a\" 1",
   "(std.function.second | std.contract.unstable.IndexedArrayFun 'Index) 0 [1]", "(std.function.second | std.contract.unstable.IndexedArrayFun 'Index) 1 [1]", "(std.function.second | std.contract.unstable.IndexedArrayFun 'Split) 1 [1]", "(std.function.second | std.contract.unstable.IndexedArrayFun 'Split) 2 [1]", "(std.function.second | std.contract.unstable.IndexedArrayFun 'Index) 0.5 [1]", "(std.function.second | std.contract.unstable.IndexedArrayFun 'Index) (-1) [1]", "(std.function.second | std.contract.unstable.IndexedArrayFun 'Index) \"a\" [1]", "(std.function.second | std.contract.unstable.IndexedArrayFun 'Other)",
   "((fun a b c => [a, b, c]) | std.contract.unstable.ArraySliceFun) 0 1 [1]", "((fun a b c => [a, b, c]) | std.contract.unstable.ArraySliceFun) 0 2 [1]", "((fun a b c => [a, b, c]) | std.contract.unstable.ArraySliceFun) 1 0 [1]", "((fun a b c => [a, b, c]) | std.contract.unstable.ArraySliceFun) (-1) 0 [1]", "((fun a b c => [a, b, c]) | std.contract.unstable.ArraySliceFun) 0 0.5 [1]", "((fun a b c => [a, b, c]) | std.contract.unstable.ArraySliceFun) null null null",
   "((fun k r => r) | std.contract.unstable.HasField Dyn) \"a\" { a = 1 }", "((fun k r => r) | std.contract.unstable.HasField Dyn) \"a\" {}", "((fun k r => r) | std.contract.unstable.HasField Dyn) \"a\" { a | optional }", "((fun k r => r) | std.contract.unstable.HasField String) \"a\" { a = 1 }"])
C(each("{} | std.contract.unstable.RangeStep", ["1", "0", "-1", "0.5", '"a"', "null"]))
C(each("{} | std.test.Assert", WRONG + ["false"]) + each("std.test.assert_all {}", ["[]", "[true]", "[true, false]", "[1]", "null", "true", "[true, true, 1 == 1]"]))
C(["{ a | std.number.Nat = -1 }", "{ a | std.number.Nat } & { a = -1 }", "{ a | std.array.NonEmpty = [] }", "let f | std.number.Nat -> std.string.NonEmpty = std.to_string in f 1", "let f | std.number.Nat -> std.string.NonEmpty = fun x => \"\" in f 1", "let f | std.number.Nat -> std.string.NonEmpty = std.to_string in f (-1)", "[1, 2] | Array std.number.Nat", "[1, -2] | Array std.number.Nat |> std.array.first", "{ a = -1 } | { _ : std.number.Nat } |> std.record.fields", "{ a = -1 } | { _ | std.number.Nat }"])

package = []
P = package.extend
SEMVERS = ['"1.2.3"', '"1.2"', '"1"', '"01.2.3"', '"1.2.3-alpha.1"', '"1.2.3+build"', '"1.2.3-a+b"', '"=1.2.3"', '"=1.2.3-rc1"', '""', '"x"', "1", "{ major = 1, minor = 2, patch = 3 }", "{ major = 1 }", "{ major = 1, minor = 2, patch = 3, pre = \"a\" }", "{ major = -1, minor = 2, patch = 3 }"]
for c in ["Semver", "SemverPrefix", "ExactSemverReq", "SemverReq"]:
    P(each("{} | std.package." + c, SEMVERS))
for c in ["Semver", "SemverPrefix", "ExactSemverReq", "SemverReq"]:
    P(each("{} | std.package.structured." + c, SEMVERS[12:] + ["null", "('Exact { major = 1, minor = 2, patch = 3 })", "('Compatible { major = 1 })"]))
P(each("{} | std.package.GitId", ['"0123456789012345678901234567890123456789"', '"abc"', '"X123456789012345678901234567890123456789"', "1", '""']))
P(each("{} | std.package.PackageId", ['"github:a/b"', '"github:a/b/c/d"', '"gitlab:a/b"', '"github:a"', "1", "('Github { org = \"a\", name = \"b\" })", "{}"]))
P(each("{} | std.package.structured.PackageId", ["('Github { org = \"a\", name = \"b\" })", "('Github { org = \"a\", name = \"b\", path = \"c\" })", "('Other {})", "1"]))
P(each("{} | std.package.GitDependency", ["{ url = \"x\" }", "{}", "{ url = \"x\", ref = 'Head }", "{ url = \"x\", ref = 'Branch \"b\", path = \"p\" }", "{ url = 1 }", "{ url = \"x\", z = 1 }", "{ url = \"x\", ref = 'Commit \"abc\" }"]))
P(each("{} | std.package.IndexDependency", ["{ package = \"github:a/b\", version = \"1.2\" }", "{ package = \"a\", version = \"1\" }", "{}", "{ package = \"github:a/b\", version = \"=1.2.3\" }"]))
M = "{{ name = \"n\", version = {}, minimal_nickel_version = {}, authors = [\"me\"]{} }} | std.package.Manifest"
P(each(M, ['"1.0.0"', '"1"', "1"], ['"1.18"', '"x"'], ["", ", description = \"d\", keywords = [\"k\"], license = \"MIT\"", ", dependencies = { a = 'Path \"p\" }", ", dependencies.\"1a\" = 'Path \"p\"", ", dependencies = { g = 'Git { url = \"u\" }, i = 'Index { package = \"github:a/b\", version = \"1\" } }", ", other = 1"]) + ["{} | std.package.Manifest"])


def whole(question):
    """`v | C |> f` meant as `(v | C) |> f`."""
    return re.sub(r"^([^|]*) \| (.*) \|> (std\.[a-z_.]+)$", r"(\1 | \2) |> \3", question)


QUESTIONS = {"array": array, "record": record, "string": string, "number": number, "enum": enum, "function": function, "top": top, "contract": contract, "package": package}
QUESTIONS = {name: [whole(q) for q in questions] for name, questions in QUESTIONS.items()}
