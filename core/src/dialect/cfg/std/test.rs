//! `std.test`: the table of names, types, documentation and bodies.

use super::table::{Item, Module, cfg};

/// `std.test`.
pub static TEST: Module =
    Module { path: "std.test", doc: "Tests written in the language itself.", items: ITEMS, modules: &[] };

static ITEMS: &[Item] = &[
    Item {
        name: "Assert",
        ty: "Contract Bool",
        doc: "Accepts `true` and nothing else.",
        examples: &[("(1 + 1 == 2) | std.test.Assert", "true")],
        body: cfg("std.contract.custom (fun _l v => if v then 'Ok v else 'Error { message = \"assertion failed\" })"),
    },
    Item {
        name: "assert_all",
        ty: "Array Bool -> Bool",
        doc: "`true` where every element of an array is; the first that is not fails, at its place in the array.",
        examples: &[("[1 + 1 == 2, 2 > 1] |> std.test.assert_all", "true")],
        body: cfg("let check | Array std.test.Assert -> Bool = std.array.all (fun x => x) in check"),
    },
];
