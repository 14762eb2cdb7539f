//! Reports about wrong programs, and the terms that they lower to.

use super::{lowered, reports};

macro_rules! table {
    ($($test:ident: $($program:expr => [$($report:expr),* $(,)?]),+ $(,)?;)+) => {$(
        #[test]
        fn $test() {
            $(assert_eq!(reports($program), Vec::<&str>::from([$($report),*]), "\nprogram: {}", $program);)+
        }
    )+};
}

table! {
    unclosed_things_point_at_their_opening:
        "{a = (1, b = 2}" => ["`(`: unclosed parenthesis `(` (close it with `)`)"],
        "let x = [1, 2" => ["`[`: unclosed bracket `[` (close it with `]`)"],
        "\"abc" => ["`\"`: unclosed string (end it with `\"`; a string of several lines is written `m%\"…\"%`)"],
        "\"a %{ {b = 1 \"" => ["`%{`: unclosed interpolation `%{` (close it with `}`)"],
        "{a = 1}}" => ["`}`: unexpected `}` (there is no open bracket for this: remove it)"];
    what_is_missing:
        "" => ["``: unexpected end of input"],
        "1 +" => ["``: unexpected end of input (an operator has a value on both sides: `1 + 2`)"],
        "{a = 1 b = 2}" => ["`b`: unexpected `b` (fields are separated by commas: `{ a = 1, b = 2 }`)"],
        "{a = 1; b = 2}" => ["`;`: unexpected `;` (fields and elements are separated by commas)"],
        "let x = 1 y = 2 in x" => ["`y`: unexpected `y` (several bindings are separated by commas: `let x = 1, y = 2 in …`)"],
        "if true then 1" => ["``: unexpected end of input (an `if` always has both branches: `if c then a else b`)"],
        "{a = , b = 2}" => ["`,`: unexpected `,` (a value comes after `=`; a field without a value is declared without `=`: `{ a, b = 1 }`)"],
        "[1, , 2]" => ["`,`: unexpected `,`"],
        "{}.match" => ["`match`: `match` is a reserved word (as a field's name it can be quoted: `\"match\"`)"];
    what_needs_parentheses:
        "1 + fun x => x" => ["`fun`: `fun` needs parentheses around it here (write `(fun …)`)"],
        "[] |> import \"x\"" => ["`import`: `import` needs parentheses around it here (write `(import …)`)"],
        "let k = 'A in {c | when k == 'A = 1}" => ["`when k == 'A`: put the expression after `when` in parentheses (write `| when (…)`)"],
        "let x = 1 in {c | when !x = 1}" => ["`!x`: put the expression after `when` in parentheses (write `| when (…)`)"],
        "let x = 1, when = fun a => a in {c | when x == 1 = 1}" => [];
    priorities:
        "{foo | default | priority 2 = 1}" => ["`| priority 2`: more than one priority on the field `foo` (keep one of them: a definition of `foo` has one priority)"];
    metadata_off_a_field:
        "(1 | doc \"x\")" => ["`| doc \"x\"`: `doc` is metadata of a field and cannot be attached to an expression"],
        "let x | default = 1 in x" => ["`| default`: `default` is metadata of a field and cannot be attached to a let binding (a field of a record can have it: `{ field | default = e }`)"],
        "fun {x | optional} => x" => ["`| optional`: `optional` is metadata of a field and cannot be attached to a pattern"],
        "1 | secret" => ["`| secret`: `secret` is metadata of a field and cannot be attached to an expression"];
    names:
        "let port = 1 in prot" => ["`prot`: unbound name `prot` (did you mean `port`?)"],
        "{a = b} & {b = 1}" => ["`b`: unbound name `b` (scoping is lexical: declare the field in the same record, `{ b, … }`, to refer to it)"],
        "[x, x]" => ["`x`: unbound name `x` (a name is bound first: `let x = …`)"],
        "let x = 1, x = 2 in x" => ["`x`: duplicate binding `x`"],
        "fun {a, b = a} => a" => ["`a`: duplicate binding `a`"],
        "fun {a, a} => a" => ["`a`: duplicate field `a`"],
        "match {'A x or 'B y => 1}" => [
            "`'B y`: alternatives of an `or` pattern must bind the same names: `x` is not bound by all",
            "`y`: alternatives of an `or` pattern must bind the same names: `y` is not bound by all",
        ],
        "let x = 1 in {include x, x = 2}" => ["`x`: duplicate field `x`"],
        "{a : Number; r}" => ["`r`: unbound row variable `r` (write `forall r. …` around the type)"],
        "{a = 1; r}" => ["`r`: a tail `; r` can only end a record type (in a record type every field is written `name : Type`, without a value)"];
    habits_of_other_languages:
        "fun x -> x" => ["`->`: unexpected `->` (a function is written `fun x => e`)"],
        "std.f(1, 2)" => ["`,`: unexpected `,` (the arguments of a function are separated by spaces, without brackets: `f a b`)"],
        "// x" => ["`/`: unexpected `/` (a comment begins with `#`)"],
        "x = 1" => ["`=`: unexpected `=` (a file is one expression: bind names with `let x = e in …`, or as fields of a record)"],
        "match 1 {2 => 3}" => ["`1`: unexpected `1` (a value is matched with `e |> match { pattern => e, … }`)"],
        "not true" => ["`not`: unbound name `not` (`not e` is written `!e`)"],
        "trrue" => ["`trrue`: unbound name `trrue` (did you mean `true`?)"];
    beginners_mistakes:
        "{\n  a = 1\n  b = 2\n}" => ["`b`: unexpected `b` (fields are separated by commas: `{ a = 1, b = 2 }`)"],
        "{ a == 1 }" => ["`==`: unexpected `==` (a field is defined with one `=`)"],
        "if a = 1 then 2 else 3" => ["`=`: unexpected `=` (`=` binds a name; two values are compared with `==`)"],
        "let a = 1 in if a == 1 then 2" => ["``: unexpected end of input (an `if` always has both branches: `if c then a else b`)"],
        "if true" => ["``: unexpected end of input (an `if` is written `if c then a else b`)"],
        "{ a = \"x }" => ["`\"`: unclosed string (end it with `\"`; a string of several lines is written `m%\"…\"%`)"],
        "{ a = 1" => ["`{`: unclosed brace `{` (close it with `}`)"],
        "{ a = [1, 2 }" => ["`}`: unexpected `}` (a `[` before this is still open: close it with `]`)"],
        "{ a = (1 + 2 }" => ["`(`: unclosed parenthesis `(` (close it with `)`)"],
        "(1 + 2]" => ["`]`: unexpected `]` (a `(` before this is still open: close it with `)`)"],
        "{ a = 1 } }" => ["`}`: unexpected `}` (there is no open bracket for this: remove it)"],
        "let f(x) = x in f 1" => ["`(`: unexpected `(` (a function is bound with `let f = fun x y => e`)"],
        "let f x y = x in f" => ["`x`: unexpected `x` (a function is bound with `let f = fun x y => e`)"],
        "with std; 1" => ["`;`: unexpected `;` (the fields of a record are read through it: `std.array.length xs`)"],
        "c." => ["``: unexpected end of input (the name of a field comes after the dot: `record.name`)"],
        "let a = 1 a + 1" => ["``: unexpected end of input (a `let` ends with its body: `let x = e in …`)"],
        "let a = 1\na + 1" => ["`a`: unexpected `a` (a `let` ends with `in` and its body: `let x = e in …`)"],
        "{\n\ta = 1, // comment\n\tb = 2,\n}" => ["`/`: unexpected `/` (a comment begins with `#`)"],
        "/* x */ 1" => ["`/`: unexpected `/` (a comment begins with `#`)"],
        "[1; 2]" => ["`;`: unexpected `;` (fields and elements are separated by commas)"],
        "\\x => x" => ["`\\`: unexpected `\\` (a function is written `fun x => e`)"],
        "let x := 1 in x" => ["`=`: unexpected `=` (a name is bound with `=` alone, and values are compared with `==`)"],
        "1 <> 2" => ["`>`: unexpected `>` (`!=` asks whether two values differ)"],
        "true ? 1 : 2" => ["`?`: unexpected `?` (a choice between two values is written `if c then a else b`)"],
        "{ a = yes }" => ["`yes`: unbound name `yes` (use `true`)"],
        "var x = 1" => ["`var`: `var` is not a keyword here (write `let x = … in …`)"],
        "{ a | Boolean = true }" => ["`Boolean`: unbound name `Boolean` (the type of `true` and `false` is `Bool`)"];
    one_report_describes_a_construct_of_another_language:
        "local a = { b: 1 };\na + { c: 2 }" => ["`local`: `local` is a keyword of Jsonnet (write `let a = … in …`)"],
        "{ local a = 1, b = a }" => ["`local`: `local` is a keyword of Jsonnet (write `let a = … in` before the record)"],
        "def f(a, b):\n  return a + b\n\n{ c = f(1, 2) }" => ["`def f(a, b)`: `def` does not define a function here (write `let f = fun a b => … in …`)"],
        "let def = fun f x => f in def f(1) : Number" => ["`f`: unbound name `f` (a name is bound first: `let f = …`)"],
        "let def = fun f x => f, f = 2, x = 3 in def f(x) : Number" => [],
        "[x * 2 for x in [1, 2]]" => ["`for`: there are no comprehensions here (to map an array, write `std.array.map (fun x => e) xs`; `std.array.filter` keeps some of its elements)"],
        "{ a = 'two words', b = 'and three more' }" => [
            "`'two words'`: a string in single quotes (a string is in double quotes: `\"two words\"`)",
            "`'and three more'`: a string in single quotes (a string is in double quotes: `\"and three more\"`)",
        ],
        "let x' = 1 in 'A x'" => [],
        "[80px, 1.2.3]" => [
            "`80px`: `80px` is not a number (a text is in quotes: `\"80px\"`; a number consists of digits: `80`, `1.5`, `1e3`, `0xff`)",
            "`1.2.3`: `1.2.3` is not a number (a number has one decimal point; another text is in quotes: `\"1.2.3\"`)",
        ],
        "if true { 1 } else { 2 }" => ["`{`: unexpected `{` (an `if` has no braces: `if c then a else b`)"],
        "if { a = 1 } == {} then 1 else {}" => [],
        "[\"C:\\Users\\me\", \"D:\\x\"]" => [
            "`\\U`: unknown escape sequence `\\U` (write `\\\\` for a backslash)",
            "`\\x`: unknown escape sequence `\\x` (write `\\\\` for a backslash)",
        ],
        "{ a | defualt = 1, b | forse = 2, c | Defualt }" => [
            "`defualt`: unbound name `defualt` (did you mean `default`?)",
            "`forse`: unbound name `forse` (did you mean `force`?)",
            "`Defualt`: unbound name `Defualt` (did you mean `default`?)",
        ],
        "{ a | default 3 }" => ["`3`: unexpected `3` (a value comes after `=`: `{ a | default = 1 }`)"],
        "{\n  a = 80\n  b | String\n}" => ["`b`: unexpected `b` (fields are separated by commas: `{ a = 1, b = 2 }`)"],
        "let x = 1 in { inherit x }" => ["`x`: unexpected `x` (a name from around the record becomes a field with `include`: `{ include x }`)"],
        "{ a = 1 } // { b = 2 }" => ["`/`: unexpected `/` (`&` merges records, and a field with `| force` overrides another: `{ a = 1 } & { a | force = 2 }`; a comment begins with `#`)"],
        "{ a = 1 /* c */ }" => ["`*`: unexpected `*` (a comment begins with `#`, and ends with its line)"],
        "1 |> match { 1 -> 2 }" => ["`->`: unexpected `->` (an arm of `match` is written `pattern => e`)"],
        "{ let x = 1 in a = x }" => ["`let`: unexpected `let` (a `let` comes before the record: `let x = 1 in { a = x }`)"],
        "{ a = if true then 1 }" => ["`}`: unexpected `}` (an `if` always has both branches: `if c then a else b`)"],
        "import a/b.cfg" => ["`a/b.cfg`: the path `a/b.cfg` is not in quotes (write `import \"a/b.cfg\"`)"],
        "let x = 1 in" => ["``: unexpected end of input (the body comes after `in`: `let x = 1 in x + 1`)"],
        "let h = 1 in \"${h}:%{h}\"" => ["`\"${h}:%{h}\"`: `${h}` is plain text (to insert the value, write `%{h}`)"];
    the_rest:
        "import foo" => ["`foo`: packages cannot be imported: `foo` (import a file: `import \"path/to/file.ncl\"`)"],
        "\"\\q\"" => ["`\\q`: unknown escape sequence `\\q` (write `\\\\` for a backslash)"],
        "1e999999999" => ["`1e999999999`: this number has too many digits to be held exactly"],
        "%seal% 1" => ["`%seal%`: `%seal%` is internal to Nickel's library (the library, `std`, has a function for it)"],
        "1 § 2" => ["`§`: unexpected `§`"];
}

#[test]
fn what_did_not_parse_is_a_hole_and_the_rest_is_kept() {
    for (text, expected) in [
        ("{a = , b = 2}", "<syntax/unexpected> {a = ?, b = 2}"),
        ("{a = 1 b = a}", "<syntax/unexpected> {a = 1, b = .a^0}"),
        ("let x = 1 in x.", "<syntax/unexpected> (let $0 = 1 in (let _ = $0^0 in ?))"),
        ("[1, (2, 3]", "<syntax/unclosed> [1 2 3]"),
        ("if 1 then 2", "<syntax/unexpected> (if 1 2 ?)"),
        ("1 + * 2", "<syntax/unexpected> (Add 1 (Mul ? 2))"),
    ] {
        assert_eq!(lowered(text), expected, "\nprogram: {text}");
    }
}
