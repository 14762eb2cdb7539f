//! `std.number`: the table of names, types, documentation and bodies.

use super::native::number as natives;
use super::table::{Item, Module, cfg, native};

/// `std.number`.
pub static NUMBER: Module = Module {
    path: "std.number",
    doc: "Numbers. They are exact fractions: `+`, `-`, `*`, `/`, `%` and powers with whole exponents never round. Roots, \
          logarithms and the functions of angles go through the nearest IEEE double.",
    items: ITEMS,
    modules: &[],
};

static ITEMS: &[Item] = &[
    Item {
        name: "Integer",
        ty: "Contract Number",
        doc: "Accepts whole numbers.",
        examples: &[("-3 | std.number.Integer", "-3")],
        body: cfg(
            "std.contract.custom (fun _l v => if !(std.is_number v) then 'Error { message = \"expected a number\" } \
             else if v % 1 == 0 then 'Ok v else 'Error { message = \"expected an integer\" })",
        ),
    },
    Item {
        name: "Nat",
        ty: "Contract Number",
        doc: "Accepts 0, 1, 2, …",
        examples: &[("3 | std.number.Nat", "3")],
        body: cfg(
            "std.contract.custom (fun _l v => if !(std.is_number v) then 'Error { message = \"expected a number\" } \
             else if v % 1 == 0 && v >= 0 then 'Ok v else 'Error { message = \"expected a natural number\" })",
        ),
    },
    Item {
        name: "NonZero",
        ty: "Contract Number",
        doc: "Accepts every number but 0.",
        examples: &[("0.5 | std.number.NonZero", "0.5")],
        body: cfg(
            "std.contract.custom (fun _l v => if !(std.is_number v) then 'Error { message = \"expected a number\" } \
             else if v != 0 then 'Ok v else 'Error { message = \"expected a number other than 0\" })",
        ),
    },
    Item {
        name: "PosNat",
        ty: "Contract Number",
        doc: "Accepts 1, 2, 3, …",
        examples: &[("3 | std.number.PosNat", "3")],
        body: cfg(
            "std.contract.custom (fun _l v => if !(std.is_number v) then 'Error { message = \"expected a number\" } \
             else if v % 1 == 0 && v > 0 then 'Ok v else 'Error { message = \"expected a positive integer\" })",
        ),
    },
    Item {
        name: "abs",
        ty: "Number -> Number",
        doc: "The number without its sign.",
        examples: &[("std.number.abs (-2.5)", "2.5")],
        body: native("std.number.abs", 1, natives::abs),
    },
    Item {
        name: "arccos",
        ty: "Number -> Number",
        doc: "The angle, in radians between 0 and π, that has this cosine.",
        examples: &[("std.number.arccos 1", "0")],
        body: native("std.number.arccos", 1, natives::arccos),
    },
    Item {
        name: "arcsin",
        ty: "Number -> Number",
        doc: "The angle, in radians between -π/2 and π/2, that has this sine.",
        examples: &[("std.number.arcsin 0", "0")],
        body: native("std.number.arcsin", 1, natives::arcsin),
    },
    Item {
        name: "arctan",
        ty: "Number -> Number",
        doc: "The angle, in radians between -π/2 and π/2, that has this tangent.",
        examples: &[("std.number.arctan 0", "0")],
        body: native("std.number.arctan", 1, natives::arctan),
    },
    Item {
        name: "arctan2",
        ty: "Number -> Number -> Number",
        doc: "`arctan2 y x` is the angle, in radians, from the positive x axis to the point (x, y).",
        examples: &[("std.number.arctan2 0 1", "0")],
        body: native("std.number.arctan2", 2, natives::arctan2),
    },
    Item {
        name: "ceil",
        ty: "Number -> Number",
        doc: "The least whole number that is not below.",
        examples: &[("std.number.ceil 1.2", "2"), ("std.number.ceil (-1.2)", "-1")],
        body: native("std.number.ceil", 1, natives::ceil),
    },
    Item {
        name: "compare",
        ty: "Number -> Number -> [| 'Lesser, 'Equal, 'Greater |]",
        doc: "Compares two numbers, in the form that `std.array.sort` takes.",
        examples: &[("std.number.compare 1 2", "'Lesser")],
        body: native("std.number.compare", 2, natives::compare),
    },
    Item {
        name: "cos",
        ty: "Number -> Number",
        doc: "The cosine of an angle in radians.",
        examples: &[("std.number.cos 0", "1")],
        body: native("std.number.cos", 1, natives::cos),
    },
    Item {
        name: "e",
        ty: "Number",
        doc: "Euler's number, the base of the natural logarithm, to 19 decimals.",
        examples: &[("std.number.floor (std.number.e * 1000)", "2718")],
        body: cfg("2.7182818284590452354"),
    },
    Item {
        name: "floor",
        ty: "Number -> Number",
        doc: "The greatest whole number that is not above.",
        examples: &[("std.number.floor 1.8", "1"), ("std.number.floor (-1.2)", "-2")],
        body: native("std.number.floor", 1, natives::floor),
    },
    Item {
        name: "fract",
        ty: "Number -> Number",
        doc: "What `std.number.truncate` takes away; it has the number's sign.",
        examples: &[("std.number.fract (-1.25)", "-0.25")],
        body: native("std.number.fract", 1, natives::fract),
    },
    Item {
        name: "is_integer",
        ty: "Number -> Bool",
        doc: "Whether a number is whole.",
        examples: &[("std.number.is_integer 2", "true"), ("std.number.is_integer 2.5", "false")],
        body: native("std.number.is_integer", 1, natives::is_integer),
    },
    Item {
        name: "log",
        ty: "Number -> Number -> Number",
        doc: "`log x b` is the logarithm of `x` to the base `b`. Both must be positive.",
        examples: &[("std.number.log 8 2", "3")],
        body: native("std.number.log", 2, natives::log),
    },
    Item {
        name: "max",
        ty: "Number -> Number -> Number",
        doc: "The greater of two numbers.",
        examples: &[("std.number.max 1 2", "2")],
        body: native("std.number.max", 2, natives::max),
    },
    Item {
        name: "min",
        ty: "Number -> Number -> Number",
        doc: "The lesser of two numbers.",
        examples: &[("std.number.min 1 2", "1")],
        body: native("std.number.min", 2, natives::min),
    },
    Item {
        name: "pi",
        ty: "Number",
        doc: "π, the length of a circle's edge over its diameter, to 20 decimals.",
        examples: &[("std.number.floor (std.number.pi * 1000)", "3141")],
        body: cfg("3.14159265358979323846"),
    },
    Item {
        name: "pow",
        ty: "Number -> Number -> Number",
        doc: "`pow x n` is `x` to the power `n`. Exact where `n` is whole.",
        examples: &[("std.number.pow 2 10", "1024"), ("std.number.pow 2 (-2)", "0.25")],
        body: native("std.number.pow", 2, natives::pow),
    },
    Item {
        name: "sin",
        ty: "Number -> Number",
        doc: "The sine of an angle in radians.",
        examples: &[("std.number.sin 0", "0")],
        body: native("std.number.sin", 1, natives::sin),
    },
    Item {
        name: "sqrt",
        ty: "Number -> Number",
        doc: "The square root. Fails below 0.",
        examples: &[("std.number.sqrt 4", "2")],
        body: native("std.number.sqrt", 1, natives::sqrt),
    },
    Item {
        name: "tan",
        ty: "Number -> Number",
        doc: "The tangent of an angle in radians.",
        examples: &[("std.number.tan 0", "0")],
        body: native("std.number.tan", 1, natives::tan),
    },
    Item {
        name: "truncate",
        ty: "Number -> Number",
        doc: "The whole part: rounds towards 0.",
        examples: &[("std.number.truncate 1.8", "1"), ("std.number.truncate (-1.8)", "-1")],
        body: native("std.number.truncate", 1, natives::truncate),
    },
];
