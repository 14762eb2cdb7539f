//! Strings: the table of names, parameters, types and documentation.

use super::native::{format, strings as run};
use super::table::{Item, function, p};

pub static ITEMS: &[Item] = &[
    function("char", &[p("n")], "Number -> String", "The character of a code point.", run::char),
    function(
        "format",
        &[p("str"), p("vals")],
        "forall a. String -> a -> String",
        "The string with values put in for its codes: `%d` and the like take the elements of an array in order (or the one \
         value that is no array), `%(name)d` the fields of an object.",
        format::format,
    ),
];
