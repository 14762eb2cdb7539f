//! `std.contract`: the table of names, types, documentation and bodies.

mod equal;
mod unstable;

use super::native::contract as natives;
use super::table::{Item, Module, cfg, native};

/// `std.contract`.
pub static CONTRACT: Module = Module {
    path: "std.contract",
    doc: "Contracts as values: making them, combining them, applying them by hand. A contract is a type (`Number`), a record \
          (`{ a | Number, .. }`), what the makers here return, or a function of a label and a value.",
    items: ITEMS,
    modules: &[&LABEL, &unstable::UNSTABLE],
};

static ITEMS: &[Item] = &[
    Item {
        name: "Equal",
        ty: "forall a. a -> Contract a",
        doc: "The contract that accepts what equals a value. Records and arrays are compared lazily, part by part, when the parts \
              are asked for.",
        examples: &[("{ a = 1 } | std.contract.Equal { a = 1 }", "{ a = 1 }")],
        body: cfg(equal::EQUAL),
    },
    Item {
        name: "Sequence",
        ty: "forall a. Array (Contract a) -> Contract a",
        doc: "Several contracts as one, applied in order, each to what the one before returned: `x | Sequence [A, B]` is \
              `x | A | B`.",
        examples: &[("3 | std.contract.Sequence [Number, std.number.Nat]", "3")],
        body: cfg("fun contracts => std.contract.custom (fun label value => \
             let rec from = fun i checked => if i == std.array.length contracts then 'Ok checked \
             else std.contract.check (std.array.at i contracts) label checked \
             |> match { 'Ok next => from (i + 1) next, 'Error problem => 'Error problem } in from 0 value)"),
    },
    Item {
        name: "all_of",
        ty: "forall a. Array (Contract a) -> Contract a",
        doc: "Accepts what every contract of an array accepts; the same as `std.contract.Sequence`.",
        examples: &[("3 | std.contract.all_of [Number, std.number.Nat]", "3")],
        body: cfg("std.contract.Sequence"),
    },
    Item {
        name: "any_of",
        ty: "forall a. Array (Contract a) -> Contract a",
        doc: "Accepts what at least one contract of an array accepts, and applies the first that does. What decides is the part of \
              a contract that is checked at once: records and arrays by their kind and field names, functions by being functions. \
              What a contract checks later must then hold for the one that was picked.",
        examples: &[("\"a\" | std.contract.any_of [Number, String]", "\"a\"")],
        body: cfg("fun contracts => std.contract.custom (fun label value => \
             let label = std.contract.label.with_message \
             \"any_of: the contract that accepted the value at once fails in a later check\" label in \
             let rec go = fun i => if i == std.array.length contracts \
             then 'Error { message = \"any_of: no contract accepts the value\" } \
             else std.contract.check (std.array.at i contracts) label value \
             |> match { 'Ok v => 'Ok v, 'Error _ => go (i + 1) } in go 0)"),
    },
    Item {
        name: "apply",
        ty: "Contract Dyn -> Dyn -> Dyn -> Dyn",
        doc: "`apply Contract label value` applies a contract, as `value | Contract` does, with the label of an enclosing custom \
              contract. Fails at once where the contract does; `std.contract.check` returns that instead.",
        examples: &[(
            "let Pair = fun C => std.contract.custom (fun label v => \
             'Ok (std.array.map (std.contract.apply C label) v)) in [1, 2] | Pair Number",
            "[1, 2]",
        )],
        body: native("std.contract.apply", 3, natives::apply),
    },
    Item {
        name: "blame",
        ty: "forall a. Dyn -> a",
        doc: "Fails with a broken contract: the label says whose. For checks that come late; a custom contract that can decide at \
              once returns `'Error { … }`.",
        examples: &[],
        body: native("std.contract.blame", 1, natives::blame),
    },
    Item {
        name: "blame_with_message",
        ty: "forall a. String -> Dyn -> a",
        doc: "Like `std.contract.blame`, with a message.",
        examples: &[],
        body: native("std.contract.blame_with_message", 2, natives::blame_with_message),
    },
    Item {
        name: "check",
        ty: "Contract Dyn -> Dyn -> Dyn \
             -> [| 'Ok Dyn, 'Error { message | String | optional, notes | Array String | optional, blame_location | Dyn | optional } |]",
        doc: "`check Contract label value` applies a contract and returns `'Ok` with the value, or `'Error` with a message where \
              the contract fails at once. What it checks later still fails later.",
        examples: &[(
            "let Optional = fun C => std.contract.custom (fun label v => \
             if v == null then 'Ok v else std.contract.check C label v) in null | Optional Number",
            "null",
        )],
        body: native("std.contract.check", 3, natives::check),
    },
    Item {
        name: "custom",
        ty: "(Dyn -> Dyn -> [| 'Ok Dyn, \
             'Error { message | String | optional, notes | Array String | optional, blame_location | Dyn | optional } |]) \
             -> Contract Dyn",
        doc: "The general maker of contracts: from a function of a label and a value that returns `'Ok` with the value (or with \
              what the contract turns it into), or `'Error` with a message and notes. The label is for checks that come later. \
              Where a predicate or a validator is enough, `std.contract.from_predicate` and `std.contract.from_validator` are \
              simpler.",
        examples: &[(
            "let Even = std.contract.custom (fun _label v => if v % 2 == 0 then 'Ok v \
             else 'Error { message = \"odd\" }) in 4 | Even",
            "4",
        )],
        body: native("std.contract.custom", 1, natives::custom),
    },
    Item {
        name: "from_predicate",
        ty: "forall a. (a -> Bool) -> Contract a",
        doc: "The contract that accepts what a predicate holds for.",
        examples: &[("let Port = std.contract.from_predicate (fun p => p <= 65535) in 80 | Port", "80")],
        body: native("std.contract.from_predicate", 1, natives::from_predicate),
    },
    Item {
        name: "from_validator",
        ty: "forall a. (a -> [| 'Ok, 'Error { message | String | optional, notes | Array String | optional, blame_location | Dyn | optional } |]) \
             -> Contract a",
        doc: "The contract that accepts what a validator answers `'Ok` for; an `'Error` carries the message and notes to show.",
        examples: &[(
            "let Short = std.contract.from_validator (fun s => if std.string.length s < 4 then 'Ok \
             else 'Error { message = \"too long\" }) in \"abc\" | Short",
            "\"abc\"",
        )],
        body: native("std.contract.from_validator", 1, natives::from_validator),
    },
    Item {
        name: "not",
        ty: "forall a b. Contract a -> Contract b",
        doc: "Accepts what a contract does not accept at once, as it is.",
        examples: &[("1 | std.contract.not String", "1")],
        body: cfg("fun Contract => std.contract.custom (fun label value => std.contract.check Contract label value \
             |> match { 'Ok _ => 'Error { message = \"not: the contract accepts the value\" }, 'Error _ => 'Ok value })"),
    },
];

/// `std.contract.label`.
static LABEL: Module = Module {
    path: "std.contract.label",
    doc: "Labels: who is to blame when a contract fails, and what to say then. A custom contract is given one, for checks that \
          come later.",
    items: LABEL_ITEMS,
    modules: &[],
};

static LABEL_ITEMS: &[Item] = &[
    Item {
        name: "append_note",
        ty: "String -> Dyn -> Dyn",
        doc: "The label with one more note.",
        examples: &[],
        body: native("std.contract.label.append_note", 2, natives::append_note),
    },
    Item {
        name: "with_message",
        ty: "String -> Dyn -> Dyn",
        doc: "The label with a message, in place of the one it had.",
        examples: &[],
        body: native("std.contract.label.with_message", 2, natives::with_message),
    },
    Item {
        name: "with_notes",
        ty: "Array String -> Dyn -> Dyn",
        doc: "The label with these notes, in place of those it had.",
        examples: &[],
        body: native("std.contract.label.with_notes", 2, natives::with_notes),
    },
];
