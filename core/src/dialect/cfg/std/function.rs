//! `std.function`: the table of names, types, documentation and bodies.

use super::table::{Item, Module, cfg};

/// `std.function`.
pub static FUNCTION: Module =
    Module { path: "std.function", doc: "Functions about functions.", items: ITEMS, modules: &[] };

static ITEMS: &[Item] = &[
    Item {
        name: "compose",
        ty: "forall a b c. (b -> c) -> (a -> b) -> a -> c",
        doc: "One function after the other: `compose g f x` is `g (f x)`.",
        examples: &[("std.function.compose (fun x => x + 1) (fun x => x * 2) 5", "11")],
        body: cfg("fun g f x => g (f x)"),
    },
    Item {
        name: "const",
        ty: "forall a b. a -> b -> a",
        doc: "Returns its first argument, whatever the second is, and never evaluates that.",
        examples: &[("std.function.const 1 (std.fail_with \"never\")", "1")],
        body: cfg("fun x _ => x"),
    },
    Item {
        name: "first",
        ty: "forall a b. a -> b -> a",
        doc: "The first of two arguments.",
        examples: &[("std.function.first 1 2", "1")],
        body: cfg("fun x _ => x"),
    },
    Item {
        name: "flip",
        ty: "forall a b c. (a -> b -> c) -> b -> a -> c",
        doc: "The function with its first two arguments exchanged.",
        examples: &[("std.function.flip std.array.append [1] 2", "[1, 2]")],
        body: cfg("fun f x y => f y x"),
    },
    Item {
        name: "id",
        ty: "forall a. a -> a",
        doc: "Returns its argument.",
        examples: &[("std.function.id 1", "1")],
        body: cfg("fun x => x"),
    },
    Item {
        name: "pipe",
        ty: "forall a. a -> Array (a -> a) -> a",
        doc: "Sends a value through the functions of an array, from left to right.",
        examples: &[("std.function.pipe 2 [fun x => x + 1, fun x => x * 10]", "30")],
        body: cfg("fun x fs => std.array.fold_left (fun acc f => f acc) x fs"),
    },
    Item {
        name: "second",
        ty: "forall a b. a -> b -> b",
        doc: "The second of two arguments.",
        examples: &[("std.function.second 1 2", "2")],
        body: cfg("fun _ y => y"),
    },
];
