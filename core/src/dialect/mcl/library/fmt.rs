//! The module `fmt`.

use super::args::{Answer, of_text, text};
use super::plain::Plain;
use super::table::{Form, Function, Module, Refused};
use crate::infer::{Constant, PartialCall};
use crate::value::{Call, Machine, Thunk};

/// The module `fmt`.
pub static MODULE: Module = Module {
    path: "fmt",
    doc: "Text from values.",
    functions: &[Function {
        name: "printf",
        signature: "func(format str) str",
        doc: "Returns the format with the values in place of its codes: `%s` a str, `%d` an int, `%f` a float, `%t` a bool, `%c` the character of a code, `%v` a value \
              of any type, `%%` a percent sign. The format, if it is constant, gives the types of the values.",
        form: Form::Infer(signature),
        run: printf,
    }],
};

/// A part of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Piece<'a> {
    Text(&'a str),
    /// A code, by its letter.
    Code(char),
}

/// Splits a format into its parts. Fails with the position, in bytes, of a code that does not exist.
fn pieces(format: &str) -> Result<Vec<Piece<'_>>, usize> {
    let mut out = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        if at > 0 {
            out.push(Piece::Text(&rest[..at]));
        }
        match rest[at + 1..].chars().next() {
            Some('%') => out.push(Piece::Text("%")),
            Some(code @ ('s' | 'd' | 'f' | 't' | 'v' | 'c')) => out.push(Piece::Code(code)),
            _ => return Err(format.len() - rest.len() + at),
        }
        rest = &rest[at + 2..];
    }
    if !rest.is_empty() {
        out.push(Piece::Text(rest));
    }
    Ok(out)
}

/// Returns the signature of a call. The codes of a constant format give the types; without one, every value may have any type.
fn signature(call: &PartialCall) -> Result<String, Refused> {
    let Some(values) = call.types.len().checked_sub(1) else {
        return Err(Refused::Message(String::from("`printf` needs a format")));
    };
    let mut types: Vec<String> = (1..=values).map(|at| format!("?{at}")).collect();
    if let Some(Some(Constant::Str(format))) = call.constants.first() {
        let pieces =
            pieces(format).map_err(|at| Refused::Message(format!("invalid code in the format at byte {at}")))?;
        let codes: Vec<char> =
            pieces.iter().filter_map(|piece| if let Piece::Code(code) = piece { Some(*code) } else { None }).collect();
        if codes.len() != values {
            let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
            let message =
                format!("the format has {}, the call has {}", count(codes.len(), "code"), count(values, "value"));
            return Err(Refused::Message(message));
        }
        for (ty, code) in types.iter_mut().zip(codes) {
            match code {
                's' => *ty = String::from("str"),
                'd' | 'c' => *ty = String::from("int"),
                'f' => *ty = String::from("float"),
                't' => *ty = String::from("bool"),
                _ => {}
            }
        }
    }
    let values: String = types.iter().map(|ty| format!(", {ty}")).collect();
    Ok(format!("func(str{values}) str"))
}

fn printf(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let format = text(machine, args, 0, call)?;
    let pieces =
        pieces(format.as_str()).map_err(|at| call.fault(format!("invalid code in the format at byte {at}")))?;
    let mut values = args.iter().skip(1);
    let mut out = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => machine.append(&mut out, text)?,
            Piece::Code(code) => {
                let Some(value) = values.next() else {
                    return Err(call.fault("the format has more codes than there are values"));
                };
                let value = Plain::of(machine, value, call)?;
                match (code, &value) {
                    ('s', Plain::Text(_)) | ('d', Plain::Int(_)) | ('t', Plain::Bool(_)) => value.print(&mut out),
                    // an int whose type is float, which `math.fortytwo()` can return
                    ('f', Plain::Int(_)) => value.print(&mut out),
                    ('f' | 'v', Plain::Float(d)) => out.push_str(&d.to_string()),
                    ('v', _) => value.print(&mut out),
                    ('c', Plain::Int(i)) => match u32::try_from(*i).ok().and_then(char::from_u32) {
                        Some(c) => out.push(c),
                        None => return Err(call.fault(format!("{i} is not the code of a character"))),
                    },
                    _ => return Err(call.fault(format!("`%{code}` cannot print a value of type {}", value.go_type()))),
                }
            }
        }
        machine.room(&mut out, 0)?;
    }
    match values.next() {
        Some(_) => Err(call.fault("there are more values than the format has codes")),
        None => of_text(machine, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ty::{Ty, TyRef};

    fn typed(format: Option<&str>, arguments: usize) -> Result<String, String> {
        let mut constants = vec![format.map(|text| Constant::Str(text.into()))];
        constants.resize(arguments, None);
        let types = vec![TyRef::from(Ty::String); arguments];
        signature(&PartialCall { constants, types }).map_err(|Refused::Message(text)| text)
    }

    #[test]
    fn a_constant_format_types_the_values() {
        assert_eq!(typed(Some("%s is %d"), 3), Ok("func(str, str, int) str".into()));
        assert_eq!(typed(Some("%t%f %v"), 4), Ok("func(str, bool, float, ?3) str".into()));
        assert_eq!(typed(Some("100 %%"), 1), Ok("func(str) str".into()));
    }

    #[test]
    fn without_a_constant_format_the_values_are_open() {
        assert_eq!(typed(None, 3), Ok("func(str, ?1, ?2) str".into()));
    }

    #[test]
    fn a_wrong_format_is_refused_with_its_place() {
        assert_eq!(typed(Some("ab%q"), 2), Err("invalid code in the format at byte 2".into()));
        assert_eq!(typed(Some("a%"), 1), Err("invalid code in the format at byte 1".into()));
        assert_eq!(typed(Some("%d"), 3), Err("the format has 1 code, the call has 2 values".into()));
    }
}
