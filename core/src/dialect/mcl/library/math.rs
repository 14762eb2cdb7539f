//! The module `math`.

use super::args::{Answer, float, int, of_float, of_int, pure};
use super::table::{Form, Function, Module};
use crate::term::Number;
use crate::value::{Call, Machine, Thunk};

/// The module `math`.
pub static MODULE: Module = Module {
    path: "math",
    doc: "Arithmetic.",
    functions: &[
        Function {
            name: "fortytwo",
            signature: "func() ?1",
            doc: "Returns 42 as an int or as a float.",
            form: Form::Build(&["int", "float"]),
            run: fortytwo,
        },
        pure("minus1", "func(x int) int", "Subtracts 1.", minus1),
        Function {
            name: "mod",
            signature: "func(x ?1, y ?1) ?1",
            doc: "Returns the remainder of a division of ints or floats, with the sign of the first argument. Fails if the second is 0.",
            form: Form::Build(&["int", "float"]),
            run: remainder,
        },
        pure(
            "pow",
            "func(x float, y float) float",
            "Raises `x` to the power `y`. Fails if the result is infinite or not a number.",
            pow,
        ),
        pure("sqrt", "func(x float) float", "Returns the square root. Fails if the argument is negative.", sqrt),
    ],
};

fn fortytwo(_: &mut Machine, _: &[Thunk], _: &Call) -> Answer {
    Ok(of_int(42))
}

fn minus1(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let less = int(machine, args, 0, call)?.checked_sub(1);
    less.map(of_int).ok_or_else(|| call.fault("the result is too small for an int"))
}

fn remainder(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    match (machine.number(args, 0, call)?, machine.number(args, 1, call)?) {
        (_, y) if y.is_zero() => Err(call.fault("division by zero")),
        (Number::Int(x), Number::Int(y)) => Ok(of_int(x.wrapping_rem(y))),
        (x, y) => of_float(x.to_f64() % y.to_f64(), call),
    }
}

fn pow(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (x, y) = (float(machine, args, 0, call)?, float(machine, args, 1, call)?);
    of_float(super::go_math::power(x, y), call)
}

fn sqrt(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let x = float(machine, args, 0, call)?;
    of_float(x.sqrt(), call)
}
