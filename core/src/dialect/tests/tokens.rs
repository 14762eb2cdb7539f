//! Long tokens in every language: the stack of a lexer does not grow with the length of a token.

use super::{BUILT_IN, StdNames};
use crate::text::SourceId;

/// Length of a token, in bytes.
const LONG: usize = 1 << 20;

/// A string, a name, a number, spaces and comments of 1 MB, closed and not → a program with or without problems, on a stack of 2 MB.
#[test]
fn a_token_of_a_megabyte() {
    let long = |part: &str| part.repeat(LONG / part.len());
    let texts = [
        format!("\"{}\"", long("x")),
        format!("\"{}", long("\\n")),
        format!("'{}'", long("y")),
        long("a"),
        long("7"),
        format!("0.{}", long("7")),
        format!("{}1", long(" ")),
        format!("# {}\n1", long("c ")),
        format!("// {}\n1", long("c")),
        format!("/* {} */ 1", long("c*")),
        format!("/* {}", long("c")),
        format!("m%\"{}\"%", long("x\n")),
        format!("|||\n{}|||", long("  x\n")),
        long("+"),
        long("é"),
    ];
    for dialect in BUILT_IN {
        for text in &texts {
            let program = dialect.program(SourceId(0), text, &StdNames);
            assert!(!program.term.nodes.is_empty());
        }
    }
}
