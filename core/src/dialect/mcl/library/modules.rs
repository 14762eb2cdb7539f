//! The list of the library's modules.

use super::table::Module;
use super::{
    convert, datetime, fmt, go_math, go_path, go_strconv, go_strings, list, machine, math, net, regexp, strings,
    template, top,
};

/// All modules. The module with an empty path holds the functions that need no import.
pub static MODULES: &[&Module] = &[
    &top::MODULE,
    &convert::MODULE,
    &datetime::MODULE,
    &machine::DEPLOY,
    &machine::EXAMPLE,
    &fmt::MODULE,
    &template::MODULE,
    &go_strconv::HTML,
    &go_math::MODULE,
    &machine::GO_RAND,
    &machine::GO_OS,
    &go_path::PATH,
    &go_path::FILEPATH,
    &machine::GO_RUNTIME,
    &go_strconv::STRCONV,
    &go_strings::MODULE,
    &list::ITER,
    &list::LIST,
    &machine::LOCAL,
    &list::MAP,
    &math::MODULE,
    &net::MODULE,
    &machine::OS,
    &regexp::MODULE,
    &strings::MODULE,
    &machine::SYS,
    &machine::VALUE,
    &machine::WORLD,
];
