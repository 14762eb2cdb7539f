//! `std.array` in Rust.

mod access;
mod build;
mod fold;
mod order;

pub use access::{at, at_or, drop_first, drop_last, elem, first, last, length, slice, split_at};
pub use build::{
    append, concat, flat_map, flatten, generate, intersperse, map, map_with_index, prepend, range, range_step,
    replicate, reverse, zip_with,
};
pub use fold::{
    all, any, filter, filter_map, fold_left, fold_right, group, partition, reduce_left, reduce_right, try_fold_left,
};
pub use order::{chunk, compare, dedup, dedup_sorted, sort, sort_dedup};
