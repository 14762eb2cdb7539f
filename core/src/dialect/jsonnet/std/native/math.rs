//! Numbers. All are doubles, as in the reference.

use super::{
    Answer, boolean, checked, equal, failure, force, impossible_type, length, number, of_number, operate, strict,
    value_of, wrong,
};
use crate::term::Prim;
use crate::value::eval::objects::kind;
use crate::value::{Array, Call, Fault, Machine, Thunk, Value};

of_number! {
    floor "floor" f64::floor;
    ceil "ceil" f64::ceil;
    sqrt "sqrt" f64::sqrt;
    sin "sin" f64::sin;
    cos "cos" f64::cos;
    tan "tan" f64::tan;
    asin "asin" f64::asin;
    acos "acos" f64::acos;
    atan "atan" f64::atan;
    log "log" f64::ln;
    exp "exp" f64::exp;
    mantissa "mantissa" |x| split(x).0;
    exponent "exponent" |x| f64::from(split(x).1);
}

/// Splits a number into `m * 2^e` with `m` in `[0.5, 1)`, like C's `frexp`.
fn split(x: f64) -> (f64, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let bits = x.to_bits();
    let raw = ((bits >> 52) & 0x7ff) as i32;
    if raw == 0 {
        // subnormal numbers are scaled first
        let (m, e) = split(x * f64::from_bits(0x43f0_0000_0000_0000));
        return (m, e - 64);
    }
    (f64::from_bits((bits & !(0x7ff << 52)) | (0x3fe << 52)), raw - 1022)
}

/// Defines a function of two numbers.
macro_rules! of_two {
    ($($name:ident $word:literal $body:expr;)*) => {$(
        pub fn $name(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
            let [Value::Number(x), Value::Number(y)] = strict(machine, args, call, $word, ["number", "number"])? else {
                return Err(impossible_type(call));
            };
            let body: fn(f64, f64) -> f64 = $body;
            checked(call, body(x.to_f64(), y.to_f64()))
        }
    )*};
}

of_two! {
    pow "pow" f64::powf;
    atan2 "atan2" f64::atan2;
    hypot "hypot" f64::hypot;
}

pub fn modulo(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let [Value::Number(a), Value::Number(b)] = strict(machine, args, call, "modulo", ["number", "number"])? else {
        return Err(impossible_type(call));
    };
    if b.to_f64() == 0.0 {
        return Err(failure(call, "division by zero."));
    }
    checked(call, a.to_f64() % b.to_f64())
}

pub fn modulus(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let a = force(machine, args, 0, call)?;
    if matches!(a, Value::Number(_)) {
        let b = force(machine, args, 1, call)?;
        if matches!(b, Value::Number(_)) {
            return operate(machine, Prim::Rem, a, b, call);
        }
        let words = format!("Operator % cannot be used on types number and {}.", kind(&b));
        return Err(wrong(machine, call, &b, words));
    }
    if matches!(a, Value::String(_)) {
        return super::format::format(machine, args, call);
    }
    let b = force(machine, args, 1, call)?;
    let words = format!("Operator % cannot be used on types {} and {}.", kind(&a), kind(&b));
    Err(wrong(machine, call, &a, words))
}

/// Returns an argument that must be a number. Fails with the given message and the type found.
fn expected(machine: &mut Machine, args: &[Thunk], index: usize, call: &Call, words: &str) -> Result<f64, Fault> {
    match force(machine, args, index, call)? {
        Value::Number(n) => Ok(n.to_f64()),
        other => {
            let words = format!("{words} expected number, got {}", kind(&other));
            Err(wrong(machine, call, &other, words))
        }
    }
}

pub fn abs(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let n = expected(machine, args, 0, call, "std.abs")?;
    Ok(number(if n > 0.0 { n } else { -n }))
}

pub fn sign(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let n = expected(machine, args, 0, call, "std.sign")?;
    Ok(number(if n > 0.0 {
        1.0
    } else if n < 0.0 {
        -1.0
    } else {
        0.0
    }))
}

pub fn max(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let a = expected(machine, args, 0, call, "std.max first param")?;
    let b = expected(machine, args, 1, call, "std.max second param")?;
    Ok(number(if a > b { a } else { b }))
}

pub fn min(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let a = expected(machine, args, 0, call, "std.min first param")?;
    let b = expected(machine, args, 1, call, "std.min second param")?;
    Ok(number(if a < b { a } else { b }))
}

pub fn clamp(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let x = force(machine, args, 0, call)?;
    let low = force(machine, args, 1, call)?;
    if holds(machine, Prim::Lt, &x, &low, call)? {
        return Ok(low);
    }
    let high = force(machine, args, 2, call)?;
    Ok(if holds(machine, Prim::Gt, &x, &high, call)? { high } else { x })
}

fn holds(machine: &mut Machine, op: Prim, a: &Value, b: &Value, call: &Call) -> Result<bool, Fault> {
    let answer = operate(machine, op, a.clone(), b.clone(), call)?;
    boolean(machine, &answer, call)
}

/// Computes `x * factor / divisor`.
fn scaled(machine: &mut Machine, args: &[Thunk], call: &Call, factor: f64, divisor: f64) -> Answer {
    let x = force(machine, args, 0, call)?;
    let product = operate(machine, Prim::Mul, x, number(factor), call)?;
    operate(machine, Prim::Div, product, number(divisor), call)
}

pub fn deg2rad(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    scaled(machine, args, call, std::f64::consts::PI, 180.0)
}

pub fn rad2deg(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    scaled(machine, args, call, 180.0, std::f64::consts::PI)
}

fn log_to(machine: &mut Machine, args: &[Thunk], call: &Call, base: f64) -> Answer {
    let logarithm = log(machine, args, call)?;
    operate(machine, Prim::Div, logarithm, number(base.ln()), call)
}

pub fn log2(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    log_to(machine, args, call, 2.0)
}

pub fn log10(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    log_to(machine, args, call, 10.0)
}

/// Computes `std.floor(x + 0.5)`.
pub fn round(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let x = force(machine, args, 0, call)?;
    let moved = operate(machine, Prim::Plus, x, number(0.5), call)?;
    floor(machine, &[Thunk::done(moved)], call)
}

fn is_even_number(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<bool, Fault> {
    let rounded = round(machine, args, call)?;
    let rest = operate(machine, Prim::Rem, rounded, number(2.0), call)?;
    equal(machine, rest, number(0.0), call)
}

pub fn is_even(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(Value::Bool(is_even_number(machine, args, call)?))
}

pub fn is_odd(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(Value::Bool(!is_even_number(machine, args, call)?))
}

fn is_whole(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<bool, Fault> {
    let rounded = round(machine, args, call)?;
    let x = force(machine, args, 0, call)?;
    equal(machine, rounded, x, call)
}

pub fn is_integer(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(Value::Bool(is_whole(machine, args, call)?))
}

pub fn is_decimal(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(Value::Bool(!is_whole(machine, args, call)?))
}

/// Adds up elements with `+`, beginning with 0. Computes each sum before it evaluates the next element.
fn total(machine: &mut Machine, elements: &Array, call: &Call) -> Answer {
    let mut sum = number(0.0);
    for element in machine.items(elements)? {
        machine.tick()?;
        let element = value_of(machine, element)?;
        sum = operate(machine, Prim::Plus, sum, element, call)?;
    }
    Ok(sum)
}

pub fn sum(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let whole = force(machine, args, 0, call)?;
    let elements = super::elements(machine, &whole, call)?;
    total(machine, &elements, call)
}

pub fn avg(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let whole = force(machine, args, 0, call)?;
    let count = length(machine, &whole, call)?;
    if count == 0 {
        return Err(failure(call, "Cannot calculate average of an empty array."));
    }
    let sum = sum(machine, args, call)?;
    operate(machine, Prim::Div, sum, number(count as f64), call)
}
