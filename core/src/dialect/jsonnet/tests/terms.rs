//! Programs and the terms that they lower to.

use super::lowered;

macro_rules! table {
    ($($test:ident: $($program:expr => $term:expr),+ $(,)?;)+) => {$(
        #[test]
        fn $test() {
            $(assert_eq!(lowered($program), $term, "\nprogram: {}", $program);)+
        }
    )+};
}

table! {
    literals:
        "null" => "null",
        "[true, 1.5, 'a\\u00e9\\ud83d\\ude00']" => "[true 3/2 \"aé😀\"]",
        "1_000" => "1000",
        "@'it''s' + @\"\\n\"" => "(Plus \"it's\" \"\\\\n\")",
        "1e999" => "(Error \"overflow\")",
        "|||\n  a\n   b\n\n  c\n||| + |||-\n\tx\n|||" => "(Plus \"a\\n b\\n\\nc\\n\" \"x\")";
    operators:
        "1 + 2 * 3 - 4" => "(Sub (Plus 1 (Mul 2 3)) 4)",
        "1 | 2 ^ 3 & 4 == 5 < 6 << 7 + 8 % 9" => "(BitOr 1 (BitXor 2 (BitAnd 3 (Eq 4 (Lt 5 (Shl 6 (Plus 7 (Rem 8 9))))))))",
        "a || b && !c" => "<scope/unbound> <scope/unbound> <scope/unbound> (Or a (And b (Not c)))",
        "-1 + ~2" => "(Plus (Neg 1) (BitNot 2))",
        "1 - -local x = 2; x + 1" => "(Sub 1 (Neg (let rec $0 = 2 in (Plus $0^0 1))))",
        "'a' in {}" => "(In \"a\" {})";
    objects:
        "{a: 1, b:: 2, 'c d'::: 3, [\"e\"]: 4}" => "{a = 1, b :: = 2, c d ::: = 3, %(\"e\") = 4}",
        "{a+: 1, b+:: 2, c+::: 3}" => "{a + = 1, b :: + = 2, c ::: + = 3}",
        "{a: self.b, b: $.a, c: {d: self.e + $.a}}" => "{a = this^0.b, b = this^0.a, c = {d = (Plus this^0.e this^1.a)}}",
        "{local x = 1, a: x, local f(y) = x + y, assert f(1) > 1 : 'no'}"
            => "{a = $1^0, local $1 = 1, local $2 = (fun $0 => (Plus $1^1 $0^0)), assert (Gt ($2^0 1) 1) : \"no\"}",
        "local x = 1; {[x]: x}" => "(let rec $0 = 1 in {%($0^0) = $0^1})",
        "{f(x, y=x): x}" => "{f = (fun $0 $1=$0^0 => $0^0)}",
        "{a: super.b, c: super['d'], e: 'f' in super}" => "{a = super^0.b, c = super^0.(\"d\"), e = super^0 has \"f\"}",
        "{a: 1} {b: super.a} + {}" => "(Plus (inherit {a = 1} {b = super^0.a}) {})",
        "{ // no\n  a: 1, // nor this\n  // of b\n  b: 2 }" => "{a = 1, b | doc \"of b\" = 2}",
        "{a: function(x) self.b}" => "{a = (fun $0 => this^1.b)}";
    comprehensions:
        "[x + y for x in [1] if x > 0 for y in [x]]" => "[for x in [1] if (Gt $0^0 0) y in [$0^0] => (Plus $0^1 $0^0)]",
        "{[k]: self[k] + x for k in ['a'], }" => "<syntax/unexpected> {for k in [\"a\"] => {%($0^0) = (Plus this^0.($0^1) x)}}",
        "{local x = k, [k]: x, for k in ['a']}" => "{for k in [\"a\"] => {%($0^0) = $1^0, local $1 = $0^1}}";
    functions:
        "local f(x, y=2) = x; f(1, y=3)" => "(let rec $0 = (fun $0 $1=2 => $0^0) in ($0^0 1 y=3))",
        "local a = b, b = a; a" => "(let rec $0 = $1^0, $1 = $0^0 in $0^0)",
        "(function(x) x)(1) tailstrict" => "((fun $0 => $0^0) 1 tailstrict)",
        "if true then 1" => "(if true 1 null)",
        "assert true : 'm'; 1" => "(if true 1 (Error \"m\"))",
        "assert false; 1" => "(if false 1 (Error \"Assertion failed.\"))";
    the_rest:
        "[1, 2][0]" => "[1 2].(0)",
        "[1][:]" => "(Slice [1] null null null)",
        "[1][1:2:3]" => "(Slice [1] 1 2 3)",
        "[1][::3]" => "(Slice [1] null null 3)",
        "std.length('a')" => "(%std.objects.length \"a\")",
        "local std = 1; std" => "(let rec $0 = 1 in $0^0)",
        "(import 'a').b + (importstr 'c') + importbin 'd'"
            => "(Plus (Plus (import \"a\" Code(Some(\"Jsonnet\"))).b (import \"c\" Text)) (import \"d\" Bytes))",
        "import 'a'" => "(import \"a\" Code(Some(\"Jsonnet\")))",
        "error 'a' + 'b'" => "(Error (Plus \"a\" \"b\"))",
        "/* c */ 1 # d\n// e" => "1";
}
