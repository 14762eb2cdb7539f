//! `std.contract.unstable`: contracts that the library's own functions use.

use super::super::table::{Item, Module, cfg};

/// `std.contract.unstable`.
pub(super) static UNSTABLE: Module = Module {
    path: "std.contract.unstable",
    doc: "Contracts of the library's own functions, for functions of the same shape. May change from version to version.",
    items: ITEMS,
    modules: &[],
};

static ITEMS: &[Item] = &[
    Item {
        name: "ArraySliceFun",
        ty: "forall a. Contract (Number -> Number -> Array a -> Dyn)",
        doc: "A function of a start, an end and an array, with 0 ≤ start ≤ end ≤ length.",
        examples: &[("(std.array.slice | std.contract.unstable.ArraySliceFun) 0 1 [1, 2]", "[1]")],
        body: cfg(ARRAY_SLICE_FUN),
    },
    Item {
        name: "DependentFun",
        ty: "Contract Dyn -> (Dyn -> Contract Dyn) -> Contract (Dyn -> Dyn)",
        doc: "A function whose result is checked by a contract that depends on the argument: `DependentFun A (fun x => B)`.",
        examples: &[(
            "((fun x => x + 1) | std.contract.unstable.DependentFun Number \
             (fun x => std.contract.from_predicate (fun y => y > x))) 1",
            "2",
        )],
        body: cfg("fun Domain Codomain => std.contract.custom (fun label f => if !(std.is_function f) \
             then 'Error { message = \"expected a function\" } else 'Ok (fun arg => \
             let arg = std.contract.apply Domain label arg in std.contract.apply (Codomain arg) label (f arg)))"),
    },
    Item {
        name: "HasField",
        ty: "Contract Dyn -> Contract (String -> { _ : Dyn } -> Dyn)",
        doc: "A function of a field's name and a record that has that field; the argument is the contract of the result.",
        examples: &[("(std.record.get | std.contract.unstable.HasField Dyn) \"a\" { a = 1 }", "1")],
        body: cfg(
            "fun Codomain => std.contract.unstable.DependentFun Dyn (fun field => std.contract.custom (fun _label record => \
             if std.is_string field && std.is_record record && !(std.record.has_field field record) \
             then 'Error { message = \"missing field\", notes = [\"the record has no field `%{field}`\"] } \
             else 'Ok record) -> Codomain)",
        ),
    },
    Item {
        name: "IndexedArrayFun",
        ty: "[| 'Index, 'Split |] -> Contract (Number -> Array Dyn -> Dyn)",
        doc: "A function of an index and an array. The index is a natural number, below the length for `'Index`, at most the \
              length for `'Split`.",
        examples: &[("(std.array.at | std.contract.unstable.IndexedArrayFun 'Index) 0 [1]", "1")],
        body: cfg(INDEXED_ARRAY_FUN),
    },
    Item {
        name: "RangeFun",
        ty: "Contract Dyn -> Contract (Dyn -> Dyn -> Dyn)",
        doc: "A function of two numbers of which the second is not the smaller; the argument is the contract of what it returns \
              for them.",
        examples: &[("(std.array.range | std.contract.unstable.RangeFun Dyn) 0 2", "[0, 1]")],
        body: cfg(
            "fun Codomain => std.contract.unstable.DependentFun Dyn (fun start => std.contract.custom (fun _label end => \
             if std.is_number start && std.is_number end && start > end \
             then 'Error { message = \"invalid range\", notes = [\"the end %{std.to_string end} is below the start \
             %{std.to_string start}\"] } else 'Ok end) -> Codomain)",
        ),
    },
    Item {
        name: "RangeStep",
        ty: "Contract Number",
        doc: "Accepts positive numbers.",
        examples: &[("0.5 | std.contract.unstable.RangeStep", "0.5")],
        body: cfg(
            "std.contract.custom (fun _label value => if !(std.is_number value) then 'Error { message = \"expected a number\" } \
             else if value <= 0 then 'Error { message = \"invalid range step\", notes = [\"a step must be positive, found \
             %{std.to_string value}\"] } else 'Ok value)",
        ),
    },
];

const INDEXED_ARRAY_FUN: &str = r##"
let natural = std.contract.custom (fun label value =>
  if !(std.is_number value) then 'Ok value
  else if std.number.is_integer value && value >= 0 then 'Ok value
  else 'Error { message = "invalid index", notes = ["an index is 0, 1, 2, …, found %{std.to_string value}"] })
in
let indexed = fun kind index => std.contract.custom (fun label value =>
  if !(std.is_number index) || !(std.is_array value) then 'Ok value
  else
    let length = std.array.length value in
    let last = kind |> match { 'Index => length - 1, 'Split => length } in
    if index <= last then 'Ok value
    else
      'Error {
        message = "invalid index",
        notes = ["the index is %{std.to_string index}, the array has %{std.to_string length} elements"],
      })
in
fun kind => std.contract.unstable.DependentFun natural (fun index => indexed kind index -> Dyn)
"##;

const ARRAY_SLICE_FUN: &str = r##"
let problem = fun note => 'Error { message = "invalid slice", notes = [note] } in
let natural = fun what value next =>
  if !(std.is_number value) then 'Ok value
  else if std.number.is_integer value && value >= 0 then next
  else problem "the %{what} of a slice is 0, 1, 2, …, found %{std.to_string value}"
in
let start = std.contract.custom (fun label value => natural "start" value ('Ok value)) in
let end_of = fun start => std.contract.custom (fun label value =>
  natural "end" value (
    if std.is_number start && value < start
    then problem "the end %{std.to_string value} is below the start %{std.to_string start}"
    else 'Ok value))
in
let array_of = fun end => std.contract.custom (fun label value =>
  if std.is_number end && std.is_array value && end > std.array.length value
  then problem "the end is %{std.to_string end}, the array has %{std.to_string (std.array.length value)} elements"
  else 'Ok value)
in
std.contract.unstable.DependentFun start (fun s =>
  std.contract.unstable.DependentFun (end_of s) (fun e => array_of e -> Dyn))
"##;
