//! Contracts of functions, which give them arguments.

use super::messages::shown;
use expect_test::expect;

#[test]
fn a_contract_of_a_function_gives_it_arguments() {
    shown(
        "{ f | Number -> Number | String -> String = fun x => x }",
        expect![[r#"
        warning: expected Number, found String [types/conflict]
         --> main.cfg:1:26
          |
        1 | { f | Number -> Number | String -> String = fun x => x }
          |       ----------------   ^^^^^^^^^^^^^^^^ calls under this contract pass String
          |       |
          |       this contract wants Number
        warning: `f` is Number, its contract wants String [types/conflict]
         --> main.cfg:1:54
          |
        1 | { f | Number -> Number | String -> String = fun x => x }
          |                          ----------------            ^ this is Number
          |                          |
          |                          the contract wants String
          |
          = help: a text is in double quotes: `"…"`; `std.to_string x` makes one of a value"#]],
    );
    shown(
        "{ f | String -> String = fun x => std.to_string (x + 1) }",
        expect![[r#"
        warning: expected Number, found String [types/conflict]
         --> main.cfg:1:7
          |
        1 | { f | String -> String = fun x => std.to_string (x + 1) }
          |       ^^^^^^^^^^^^^^^^                           - `+` works on Number
          |       |
          |       calls under this contract pass String"#]],
    );
    shown(
        "{ f | { a : Number, .. } -> String = fun x => x.a ++ \"\" }",
        expect![[r#"
        warning: field `a`: expected String, found Number [types/conflict]
         --> main.cfg:1:7
          |
        1 | { f | { a : Number, .. } -> String = fun x => x.a ++ "" }
          |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^            --- `++` works on String
          |       |
          |       calls under this contract pass `a : Number`"#]],
    );
    shown("{ f | Number -> Number | Number -> Dyn = fun x => x + 1 }", expect![[""]]);
}
