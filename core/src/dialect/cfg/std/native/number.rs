//! `std.number` in Rust.

use super::{Answer, ordering_tag};
use crate::term::Number;
use crate::value::{Call, Machine, Thunk, Value};

pub fn is_integer(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    machine.number(args, 0, call).map(|n| Value::Bool(n.is_integer()))
}

pub fn compare(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (x, y) = (machine.number(args, 0, call)?, machine.number(args, 1, call)?);
    Ok(ordering_tag(x.cmp(&y)))
}

pub fn min(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (x, y) = (machine.number(args, 0, call)?, machine.number(args, 1, call)?);
    Ok(Value::Number(if x <= y { x } else { y }))
}

pub fn max(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (x, y) = (machine.number(args, 0, call)?, machine.number(args, 1, call)?);
    Ok(Value::Number(if x >= y { x } else { y }))
}

pub fn floor(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    machine.number(args, 0, call).map(|n| Value::Number(n.floor()))
}

pub fn ceil(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    machine.number(args, 0, call).map(|n| Value::Number(n.neg().floor().neg()))
}

pub fn abs(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    machine.number(args, 0, call).map(|n| Value::Number(n.abs()))
}

pub fn fract(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    machine.number(args, 0, call).map(|n| Value::Number(n.fract()))
}

pub fn truncate(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    machine.number(args, 0, call).map(|n| Value::Number(n.truncate()))
}

pub fn pow(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (x, n) = (machine.number(args, 0, call)?, machine.number(args, 1, call)?);
    power(&x, &n, call)
}

pub fn sqrt(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let x = machine.number(args, 0, call)?;
    let half = Number::ONE.div(&Number::Int(2)).map_err(|e| call.fault(e.to_string()))?;
    power(&x, &half, call)
}

fn power(x: &Number, n: &Number, call: &Call) -> Answer {
    x.pow(n).map(Value::Number).map_err(|e| call.fault(format!("{x} to the power {n}: {e}")))
}

/// Returns the number with the fewest digits that is nearest to a double.
fn double(result: f64, operands: impl FnOnce() -> String, call: &Call) -> Answer {
    match Number::from_f64(result) {
        Some(n) => Ok(Value::Number(n)),
        None => Err(call.fault(format!("{} has no value", operands()))),
    }
}

fn of_double(machine: &mut Machine, args: &[Thunk], f: fn(f64) -> f64, call: &Call) -> Answer {
    let x = machine.number(args, 0, call)?;
    let short = call.name.rsplit('.').next().unwrap_or(call.name);
    double(f(x.to_f64()), || format!("{short} {x}"), call)
}

pub fn log(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (x, base) = (machine.number(args, 0, call)?, machine.number(args, 1, call)?);
    let n = x.to_f64();
    let result = match base.to_i64() {
        Some(2) => n.log2(),
        Some(10) => n.log10(),
        _ => n.log(base.to_f64()),
    };
    double(result, || format!("the logarithm of {x} to the base {base}"), call)
}

pub fn cos(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    of_double(machine, args, f64::cos, call)
}

pub fn sin(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    of_double(machine, args, f64::sin, call)
}

pub fn tan(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    of_double(machine, args, f64::tan, call)
}

pub fn arccos(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    of_double(machine, args, f64::acos, call)
}

pub fn arcsin(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    of_double(machine, args, f64::asin, call)
}

pub fn arctan(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    of_double(machine, args, f64::atan, call)
}

pub fn arctan2(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (y, x) = (machine.number(args, 0, call)?, machine.number(args, 1, call)?);
    double(y.to_f64().atan2(x.to_f64()), || format!("arctan2 {y} {x}"), call)
}
