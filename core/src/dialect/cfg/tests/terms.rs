//! Programs and the terms that they lower to. `$slot^up` is a variable, `.name^up` a field of an enclosing record,
//! `<…>` a type.

use super::lowered;

macro_rules! table {
    ($($test:ident: $($program:expr => $lowered:expr),+ $(,)?;)+) => {$(
        #[test]
        fn $test() {
            $(assert_eq!(lowered($program), $lowered, "\nprogram: {}", $program);)+
        }
    )+};
}

table! {
    literals:
        "1.5e-1" => "3/20",
        ".5 + 0xff + 0o17 + 0b11" => "(Add (Add (Add 1/2 255) 15) 3)",
        "123456789012345678901234567890" => "123456789012345678901234567890",
        r#""a\x41\u{e9}\%{b}\n""# => r#""aAé%{b}\n""#,
        r#""a%{1}b%{"c"}""# => r#"(str "a" 1 "b" "c")"#,
        r#"['A, '"a b", `Old, 'V 1]"# => "['A 'a b 'Old ('V 1)]",
        r#"nix-s%"a %{1}"%"# => r#"{tag = 'SymbolicString, prefix = 'nix, fragments = ["a " 1]}"#;
    multi_line_strings:
        "m%\"\n    a\n      b\n  \"%" => "\"a\\n  b\"",
        "m%\"\n  a\n    %{1}\n  b %{2}\n\"%" => "(str \"a\\n  \" +2 1 \"\\nb \" 2)",
        "m%\"a\"%m" => "\"a\"",
        "m%%\"%{1} %%{2}\"%%" => "(str \"%{1} \" 2)";
    operators:
        "1 + 2 * 3 - 4" => "(Sub (Add 1 (Mul 2 3)) 4)",
        "[1] @ [2] == [3] && !true || false" => "(Or (And (Eq (Append [1] [2]) [3]) (Not true)) false)",
        "-1 * -2" => "(Mul (Neg 1) (Neg 2))",
        "!1 + 2 == 3" => "(Eq (Not (Add 1 2)) 3)",
        "1 |> (+) 2" => "(((fun $0 $1 => (Add $0^0 $1^0)) 2) 1)",
        "(|>)" => "(fun $0 $1 => ($1^0 $0^0))",
        "(.)" => "(fun $0 $1 => $0^0.($1^0))",
        "{} & {} & {} & ({} & {})" => "(& {} {} {} (& {} {}))",
        "{} & {} |> 1 & {}" => "(& (1 (& {} {})) {})",
        "fun a-1 b' => b' -1" => "(fun $0 $1 => (Sub $1^0 1))";
    functions:
        "fun x y => x y 1" => "(fun $0 $1 => ($0^0 $1^0 1))",
        "fun {a, b ? 1, ..r} [x, ..] => a b r x" => "(fun {a=$0 b=$1?1 ..$2} [$3 ..] => ($0^0 $1^0 $2^0 $3^0))",
        "fun x x => x" => "(fun $0 $1 => $1^0)",
        "fun or => or" => "(fun $0 => $0^0)",
        "fun 'A ('B x) p @ {q} => x" => "(fun 'A ('B $0) $1@{q=$2} => $0^0)";
    lets:
        "let x = 1 in let y = x in x" => "(let $0 = 1 in (let $0 = $0^0 in $0^1))",
        "let x = 1 in let x = x in x" => "(let $0 = 1 in (let $0 = $0^0 in $0^0))",
        "let rec f = fun x => g x, g = f in f" => "(let rec $0 = (fun $0 => ($1^1 $0^0)), $1 = $0^0 in $0^0)",
        "let x | Number | doc \"d\" | default rec = 1, in x" => "(let $0 | <Number> | default rec | doc \"d\" = 1 in $0^0)",
        "let a = 1 in let {b ? a} = {} in b" => "(let $0 = 1 in (let {b=$0?$0^1} = {} in $0^0))";
    matches:
        "1 |> match { 0 => 'Z, x if x > 0 => x, _ => null, }" =>
            "(match 1 | 0 => 'Z | $0 if (Gt $0^0 0) => $0^0 | _ => null)",
        "match { 'A x or 'B x => x }" => "(fun $0 => (match $0^0 | ('A $0) or ('B $0) => $0^0))",
        "match { 'A or 'B => 1, 'C or => or }" => "(fun $0 => (match $0^0 | 'A or 'B => 1 | ('C $0) => $0^0))",
        "match { -1 or \"s\" or null => 1 }" => "(fun $0 => (match $0^0 | -1 or \"s\" or null => 1))";
    records:
        "{a = 1, b = a, c = fun a => a}" => "{a = 1, b = .a^0, c = (fun $0 => $0^0)}",
        "{a = {b = a}}" => "{a = {b = .a^1}}",
        "let c = 1 in {a.b.c = c, a.d = 2}" => "(let $0 = 1 in {a = {b = {c = $0^3}}, a = {d = 2}})",
        "let x = \"k\" in {x = 1, \"%{x}\" = x}" => "(let $0 = \"k\" in {x = 1, %((str $0^0)) = .x^0})",
        "{\"a b\" = 1, doc = 2, include = 3, ..}" => "{a b = 1, doc = 2, include = 3, ..}",
        "let x = 1, y = 2 in {include x | doc \"d\", include [y], z = x}" =>
            "(let $0 = 1, $1 = 2 in {x | doc \"d\" <- $0^1, y <- $1^1, z = .x^0})",
        "{a, b}.a.\"b c\".\"%{\"d\"}\"" => "{a, b}.a.b c.((str \"d\"))";
    metadata:
        "{a : Number | String | default | doc \"d\" | optional | not_exported = 1}" =>
            "{a : <Number> | <String> | default | doc \"d\" | optional | not_exported = 1}",
        "{a | priority -1.5 = 1, b | force, c | rec default, d | force rec}" =>
            "{a | priority -3/2 = 1, b | force, c | default rec, d | force rec}",
        "let f = 1 in {a | merge f = 1, b | std.f f = 2}" => "(let $0 = 1 in {a | merge $0^1 = 1, b | (std.f $0^1) = 2})",
        "{a | merge std.f | when (1 == 1) | secret = 1}" => "{a | secret | merge std.f | when (Eq 1 1) = 1}",
        "{secret, a | secret = 1}" => "{secret, a | .secret^0 = 1}",
        "let merge = fun x => x in {a | merge Number}" => "(let $0 = (fun $0 => $0^0) in {a | ($0^1 <Number>)})",
        "1 | Number : String" => "(1 | <Number> : <String>)";
    types:
        "1 : forall a r. {x : a, y : Array a; r} -> [| 'A, 'B a; r |]" =>
            "(1 : <∀a ∀r <<{x : <a>, y : <Array <a>>; r}> -> <'A 'B <a>; r>>>)",
        "1 | {_ : Num} -> {_ | Str} -> List Dyn -> _" =>
            "(1 | <<_ : <Number>> -> <<_ | <String>> -> <<Array <Dyn>> -> <_>>>>)",
        "let Num = 1, List = 2 in [Num, List Num]" => "(let $0 = 1, $1 = 2 in [$0^0 ($1^0 $0^0)])",
        "1 | {a | Number, b}" => "(1 | {a | <Number>, b})",
        "1 | {a : Number, ..}" => "(1 | <{a : <Number>; Dyn}>)",
        "{a : Number, b : String = \"\"}" => "{a : <Number>, b : <String> = \"\"}";
    imports:
        "import \"x.json\"" => "(import \"x.json\" Code(None))",
        "(import \"x\" as 'Yaml).a" => "(import \"x\" Code(Some(\"Yaml\"))).a",
        "let as = 1 in as" => "(let $0 = 1 in $0^0)";
    primops:
        "%array/length% [1]" => "(std.array.length [1])",
        "1 %2% 3" => "(Mod (Mod 1 2) 3)";
}
