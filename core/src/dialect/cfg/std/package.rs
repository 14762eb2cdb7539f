//! `std.package`: the table of names, types, documentation and bodies.

use super::table::Module;

/// `std.package`.
pub static PACKAGE: Module =
    Module { path: "std.package", doc: "Contracts of Nickel's package manifests.", items: &[], modules: &[] };
