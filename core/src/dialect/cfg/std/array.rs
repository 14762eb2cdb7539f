//! `std.array`: the table of names, types, documentation and bodies.

use super::native::array as natives;
use super::table::{Item, Module, cfg, native};

/// `std.array`.
pub static ARRAY: Module = Module {
    path: "std.array",
    doc: "Arrays: building them, taking them apart, folding, sorting, grouping. Elements are lazy: nothing here evaluates an \
          element that its result does not need.",
    items: ITEMS,
    modules: &[],
};

static ITEMS: &[Item] = &[
    Item {
        name: "NonEmpty",
        ty: "Contract (Array Dyn)",
        doc: "Accepts an array that has at least one element.",
        examples: &[("std.contract.check std.array.NonEmpty |> std.is_function", "true")],
        body: cfg(
            "std.contract.custom (fun _l v => if !(std.is_array v) then 'Error { message = \"expected an array\" } \
             else if std.array.length v == 0 then 'Error { message = \"empty array\" } else 'Ok v)",
        ),
    },
    Item {
        name: "all",
        ty: "forall a. (a -> Bool) -> Array a -> Bool",
        doc: "Whether every element satisfies the predicate; `true` for an empty array. Stops at the first that does not.",
        examples: &[
            ("[\"api\", \"web\"] |> std.array.all (fun name => std.string.length name == 3)", "true"),
            ("std.array.all std.is_string [80, \"http\"]", "false"),
        ],
        body: native("std.array.all", 2, natives::all),
    },
    Item {
        name: "any",
        ty: "forall a. (a -> Bool) -> Array a -> Bool",
        doc: "Whether some element satisfies the predicate; `false` for an empty array. Stops at the first that does.",
        examples: &[("std.array.any (fun x => x > 1) [1, 2]", "true")],
        body: native("std.array.any", 2, natives::any),
    },
    Item {
        name: "append",
        ty: "forall a. a -> Array a -> Array a",
        doc: "Puts an element at the end.",
        examples: &[("std.array.append 3 [1, 2]", "[1, 2, 3]")],
        body: native("std.array.append", 2, natives::append),
    },
    Item {
        name: "at",
        ty: "forall a. Number -> Array a -> a",
        doc: "The element at an index, counted from 0. Fails where the index is no natural number below the length; \
              `std.array.at_or` answers there too.",
        examples: &[("std.array.at 1 [\"a\", \"b\"]", "\"b\"")],
        body: native("std.array.at", 2, natives::at),
    },
    Item {
        name: "at_or",
        ty: "forall a. Number -> a -> Array a -> a",
        doc: "The element at an index, or the given value where the array is too short.",
        examples: &[("std.array.at_or 5 0 [1, 2]", "0"), ("std.array.at_or 1 0 [1, 2]", "2")],
        body: native("std.array.at_or", 3, natives::at_or),
    },
    Item {
        name: "chunk",
        ty: "forall a b. (a -> b) -> Array a -> Array (Array a)",
        doc: "Cuts an array into the longest runs of neighbours that have the same key. In order, nothing lost: flattening the \
              result gives the array back. To collect equal keys wherever they stand, use `std.array.group`.",
        examples: &[("std.array.chunk (fun x => x % 2) [1, 3, 4, 5]", "[[1, 3], [4], [5]]")],
        body: native("std.array.chunk", 2, natives::chunk),
    },
    Item {
        name: "compare",
        ty: "forall a. (a -> a -> [| 'Lesser, 'Equal, 'Greater |]) -> Array a -> Array a \
             -> [| 'Lesser, 'Equal, 'Greater |]",
        doc: "Compares two arrays element by element, as words are ordered in a dictionary: the first difference decides, and \
              where one is the beginning of the other, the shorter is lesser.",
        examples: &[
            ("std.array.compare std.number.compare [1, 2] [1, 3]", "'Lesser"),
            ("std.array.compare std.number.compare [1, 2] [1]", "'Greater"),
        ],
        body: native("std.array.compare", 3, natives::compare),
    },
    Item {
        name: "concat",
        ty: "forall a. Array a -> Array a -> Array a",
        doc: "One array after the other, like the operator `@`.",
        examples: &[("std.array.concat [1] [2, 3]", "[1, 2, 3]")],
        body: native("std.array.concat", 2, natives::concat),
    },
    Item {
        name: "dedup",
        ty: "forall a. Array a -> Array a",
        doc: "Drops every element that equals an earlier one, by `==`. The order stays. Takes time in the square of the number of \
              distinct elements; where there is an order, `std.array.sort_dedup` is faster.",
        examples: &[("std.array.dedup [1, 2, 1, 3, 2]", "[1, 2, 3]")],
        body: native("std.array.dedup", 1, natives::dedup),
    },
    Item {
        name: "dedup_sorted",
        ty: "forall a. (a -> a -> [| 'Lesser, 'Equal, 'Greater |]) -> Array a -> Array a",
        doc: "Of neighbours that the comparison calls `'Equal`, keeps the first. On a sorted array that leaves no duplicates.",
        examples: &[("std.array.dedup_sorted std.number.compare [1, 1, 2, 2, 1]", "[1, 2, 1]")],
        body: native("std.array.dedup_sorted", 2, natives::dedup_sorted),
    },
    Item {
        name: "drop_first",
        ty: "forall a. Array a -> Array a",
        doc: "Everything but the first element. Fails on an empty array.",
        examples: &[("std.array.drop_first [1, 2, 3]", "[2, 3]")],
        body: native("std.array.drop_first", 1, natives::drop_first),
    },
    Item {
        name: "drop_last",
        ty: "forall a. Array a -> Array a",
        doc: "Everything but the last element. Fails on an empty array.",
        examples: &[("std.array.drop_last [1, 2, 3]", "[1, 2]")],
        body: native("std.array.drop_last", 1, natives::drop_last),
    },
    Item {
        name: "elem",
        ty: "forall a b. a -> Array b -> Bool",
        doc: "Whether some element equals the value, by `==`.",
        examples: &[("std.array.elem 2 [1, 2]", "true"), ("std.array.elem 'C ['A, 'B]", "false")],
        body: native("std.array.elem", 2, natives::elem),
    },
    Item {
        name: "filter",
        ty: "forall a. (a -> Bool) -> Array a -> Array a",
        doc: "The elements that satisfy the predicate, in order.",
        examples: &[("std.array.filter (fun x => x > 1) [1, 2, 3]", "[2, 3]")],
        body: native("std.array.filter", 2, natives::filter),
    },
    Item {
        name: "filter_map",
        ty: "forall a b. (a -> [| 'Some b, 'None |]) -> Array a -> Array b",
        doc: "Applies a function to every element, keeps what it returns in `'Some` and drops where it returns `'None`.",
        examples: &[("std.array.filter_map (fun x => if x > 1 then 'Some (x * 10) else 'None) [1, 2, 3]", "[20, 30]")],
        body: native("std.array.filter_map", 2, natives::filter_map),
    },
    Item {
        name: "first",
        ty: "forall a. Array a -> a",
        doc: "The first element. Fails on an empty array.",
        examples: &[("std.array.first [1, 2]", "1")],
        body: native("std.array.first", 1, natives::first),
    },
    Item {
        name: "flat_map",
        ty: "forall a b. (a -> Array b) -> Array a -> Array b",
        doc: "Applies a function that returns arrays to every element, and puts the results one after the other.",
        examples: &[("std.array.flat_map (fun x => [x, x]) [1, 2]", "[1, 1, 2, 2]")],
        body: native("std.array.flat_map", 2, natives::flat_map),
    },
    Item {
        name: "flatten",
        ty: "forall a. Array (Array a) -> Array a",
        doc: "Puts the arrays of an array one after the other. One level only.",
        examples: &[("std.array.flatten [[1], [], [2, 3]]", "[1, 2, 3]")],
        body: native("std.array.flatten", 1, natives::flatten),
    },
    Item {
        name: "fold_left",
        ty: "forall a b. (a -> b -> a) -> a -> Array b -> a",
        doc: "Combines the elements from the left: `fold_left f z [x, y]` is `f (f z x) y`. Every step's result is evaluated (not \
              deeply) before the next.",
        examples: &[("std.array.fold_left (fun acc x => acc - x) 10 [1, 2]", "7")],
        body: native("std.array.fold_left", 3, natives::fold_left),
    },
    Item {
        name: "fold_right",
        ty: "forall a b. (a -> b -> b) -> b -> Array a -> b",
        doc: "Combines the elements from the right: `fold_right f z [x, y]` is `f x (f y z)`. Lazy: `f` may ignore its second \
              argument, and then nothing further right is evaluated.",
        examples: &[("std.array.fold_right (fun x acc => acc @ [x]) [] [1, 2]", "[2, 1]")],
        body: native("std.array.fold_right", 3, natives::fold_right),
    },
    Item {
        name: "generate",
        ty: "forall a. (Number -> a) -> Number -> Array a",
        doc: "The array of a length whose element at index `i` is `f i`.",
        examples: &[("std.array.generate (fun i => i * i) 4", "[0, 1, 4, 9]")],
        body: native("std.array.generate", 2, natives::generate),
    },
    Item {
        name: "group",
        ty: "forall a. (a -> String) -> Array a -> { _ : Array a }",
        doc: "Sorts elements into a record of arrays by the string the function gives for each. Inside a group the order stays.",
        examples: &[(
            "std.array.group (fun x => if x > 1 then \"big\" else \"small\") [1, 2, 3]",
            "{ big = [2, 3], small = [1] }",
        )],
        body: native("std.array.group", 2, natives::group),
    },
    Item {
        name: "intersperse",
        ty: "forall a. a -> Array a -> Array a",
        doc: "Puts a value between neighbours.",
        examples: &[("std.array.intersperse 0 [1, 2, 3]", "[1, 0, 2, 0, 3]")],
        body: native("std.array.intersperse", 2, natives::intersperse),
    },
    Item {
        name: "last",
        ty: "forall a. Array a -> a",
        doc: "The last element. Fails on an empty array.",
        examples: &[("std.array.last [1, 2]", "2")],
        body: native("std.array.last", 1, natives::last),
    },
    Item {
        name: "length",
        ty: "forall a. Array a -> Number",
        doc: "The number of elements. Evaluates none of them.",
        examples: &[("std.array.length [1, std.fail_with \"never\"]", "2")],
        body: native("std.array.length", 1, natives::length),
    },
    Item {
        name: "map",
        ty: "forall a b. (a -> b) -> Array a -> Array b",
        doc: "Applies a function to every element. Lazy: an element of the result is computed when it is asked for.",
        examples: &[("std.array.map (fun x => x * 2) [1, 2]", "[2, 4]")],
        body: native("std.array.map", 2, natives::map),
    },
    Item {
        name: "map_with_index",
        ty: "forall a b. (Number -> a -> b) -> Array a -> Array b",
        doc: "Like `std.array.map`, for a function that takes the index, counted from 0, and the element.",
        examples: &[("std.array.map_with_index (fun i x => i * x) [5, 6, 7]", "[0, 6, 14]")],
        body: native("std.array.map_with_index", 2, natives::map_with_index),
    },
    Item {
        name: "partition",
        ty: "forall a. (a -> Bool) -> Array a -> { right : Array a, wrong : Array a }",
        doc: "Splits an array into the elements that satisfy the predicate (`right`) and those that do not (`wrong`).",
        examples: &[("std.array.partition (fun x => x > 1) [1, 2, 3]", "{ right = [2, 3], wrong = [1] }")],
        body: native("std.array.partition", 2, natives::partition),
    },
    Item {
        name: "prepend",
        ty: "forall a. a -> Array a -> Array a",
        doc: "Puts an element at the beginning.",
        examples: &[("std.array.prepend 0 [1, 2]", "[0, 1, 2]")],
        body: native("std.array.prepend", 2, natives::prepend),
    },
    Item {
        name: "range",
        ty: "Number -> Number -> Array Number",
        doc: "The numbers from the first, included, to the second, excluded, in steps of 1. Fails where the second is the smaller.",
        examples: &[("std.array.range 2 5", "[2, 3, 4]")],
        body: native("std.array.range", 2, natives::range),
    },
    Item {
        name: "range_step",
        ty: "Number -> Number -> Number -> Array Number",
        doc: "The numbers from the first, included, to the second, excluded, in steps of the third, which must be positive.",
        examples: &[("std.array.range_step 0 2 (1/2)", "[0, 0.5, 1, 1.5]")],
        body: native("std.array.range_step", 3, natives::range_step),
    },
    Item {
        name: "reduce_left",
        ty: "forall a. (a -> a -> a) -> Array a -> a",
        doc: "Like `std.array.fold_left`, beginning with the first element. Fails on an empty array.",
        examples: &[("std.array.reduce_left (fun x y => x - y) [10, 3, 2]", "5")],
        body: native("std.array.reduce_left", 2, natives::reduce_left),
    },
    Item {
        name: "reduce_right",
        ty: "forall a. (a -> a -> a) -> Array a -> a",
        doc: "Like `std.array.fold_right`, beginning with the last element. Fails on an empty array.",
        examples: &[("std.array.reduce_right (fun x y => x - y) [10, 3, 2]", "9")],
        body: native("std.array.reduce_right", 2, natives::reduce_right),
    },
    Item {
        name: "replicate",
        ty: "forall a. Number -> a -> Array a",
        doc: "An array that holds the same value so many times.",
        examples: &[("std.array.replicate 3 \"x\"", "[\"x\", \"x\", \"x\"]")],
        body: native("std.array.replicate", 2, natives::replicate),
    },
    Item {
        name: "reverse",
        ty: "forall a. Array a -> Array a",
        doc: "The elements in the opposite order.",
        examples: &[("std.array.reverse [1, 2, 3]", "[3, 2, 1]")],
        body: native("std.array.reverse", 1, natives::reverse),
    },
    Item {
        name: "slice",
        ty: "forall a. Number -> Number -> Array a -> Array a",
        doc: "The elements from the first index, included, to the second, excluded. Fails unless 0 ≤ first ≤ second ≤ length.",
        examples: &[("std.array.slice 1 3 [10, 20, 30, 40]", "[20, 30]")],
        body: native("std.array.slice", 3, natives::slice),
    },
    Item {
        name: "sort",
        ty: "forall a. (a -> a -> [| 'Lesser, 'Equal, 'Greater |]) -> Array a -> Array a",
        doc: "Sorts by a comparison. Stable: what the comparison calls equal keeps its order.",
        examples: &[("std.array.sort std.number.compare [3, 1, 2]", "[1, 2, 3]")],
        body: native("std.array.sort", 2, natives::sort),
    },
    Item {
        name: "sort_dedup",
        ty: "forall a. (a -> a -> [| 'Lesser, 'Equal, 'Greater |]) -> Array a -> Array a",
        doc: "Sorts by a comparison and keeps the first of elements that it calls equal.",
        examples: &[("std.array.sort_dedup std.number.compare [3, 1, 3, 2, 1]", "[1, 2, 3]")],
        body: native("std.array.sort_dedup", 2, natives::sort_dedup),
    },
    Item {
        name: "split_at",
        ty: "forall a. Number -> Array a -> { left : Array a, right : Array a }",
        doc: "Cuts an array in two before an index, which may be the length.",
        examples: &[("std.array.split_at 1 [1, 2, 3]", "{ left = [1], right = [2, 3] }")],
        body: native("std.array.split_at", 2, natives::split_at),
    },
    Item {
        name: "try_fold_left",
        ty: "forall a b c. (a -> c -> [| 'Ok a, 'Error b |]) -> a -> Array c -> [| 'Ok a, 'Error b |]",
        doc: "Like `std.array.fold_left` for a step that can fail: goes on with what stands in `'Ok`, and stops at the first \
              `'Error`, which is then the result.",
        examples: &[
            ("std.array.try_fold_left (fun a x => if x > 0 then 'Ok (a + x) else 'Error x) 0 [1, 2]", "'Ok 3"),
            ("std.array.try_fold_left (fun a x => if x > 0 then 'Ok (a + x) else 'Error x) 0 [1, -2]", "'Error (-2)"),
        ],
        body: native("std.array.try_fold_left", 3, natives::try_fold_left),
    },
    Item {
        name: "zip_with",
        ty: "forall a b c. (a -> b -> c) -> Array a -> Array b -> Array c",
        doc: "Combines two arrays element by element; the result is as long as the shorter of them.",
        examples: &[("std.array.zip_with (fun x y => x + y) [1, 2, 3] [10, 20]", "[11, 22]")],
        body: native("std.array.zip_with", 3, natives::zip_with),
    },
];
