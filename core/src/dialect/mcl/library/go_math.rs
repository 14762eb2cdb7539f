//! The module `golang/math`: the functions of Go's package `math`. A result that is infinite or not a number is a fault.

use super::args::{Answer, float, int, of_float, of_int, pure};
use super::table::{Function, Module};
use crate::value::{Call, Machine, Thunk, Value};

/// The module `golang/math`.
pub static MODULE: Module = Module {
    path: "golang/math",
    doc: "The functions of Go's package `math`. A function whose result is infinite or not a number fails.",
    functions: FUNCTIONS,
};

/// Makes a function of one float.
macro_rules! of_one {
    ($name:literal, $doc:literal, $run:expr) => {
        pure($name, "func(x float) float", $doc, |machine, args, call| {
            let run: fn(f64) -> f64 = $run;
            let x = float(machine, args, 0, call)?;
            of_float(run(x), call)
        })
    };
}

/// Makes a function of two floats.
macro_rules! of_two {
    ($name:literal, $doc:literal, $run:expr) => {
        pure($name, "func(x float, y float) float", $doc, |machine, args, call| {
            let run: fn(f64, f64) -> f64 = $run;
            let (x, y) = (float(machine, args, 0, call)?, float(machine, args, 1, call)?);
            of_float(run(x, y), call)
        })
    };
}

/// Makes a function of an int and a float.
macro_rules! of_order {
    ($name:literal, $doc:literal, $run:expr) => {
        pure($name, "func(n int, x float) float", $doc, |machine, args, call| {
            let run: fn(i32, f64) -> f64 = $run;
            let (n, x) = (int(machine, args, 0, call)?, float(machine, args, 1, call)?);
            let Ok(n @ -1_000..=1_000) = i32::try_from(n) else { return Err(call.fault("the order is beyond 1000")) };
            of_float(run(n, x), call)
        })
    };
}

const FUNCTIONS: &[Function] = &[
    of_one!("abs", "Returns the absolute value.", f64::abs),
    of_one!("acos", "Returns the arccosine, in radians.", f64::acos),
    of_one!("acosh", "Returns the inverse hyperbolic cosine.", f64::acosh),
    of_one!("asin", "Returns the arcsine, in radians.", f64::asin),
    of_one!("asinh", "Returns the inverse hyperbolic sine.", f64::asinh),
    of_one!("atan", "Returns the arctangent, in radians.", f64::atan),
    of_two!("atan_2", "Returns the arctangent of `x / y`, in the quadrant of the two.", f64::atan2),
    of_one!("atanh", "Returns the inverse hyperbolic tangent.", f64::atanh),
    of_one!("cbrt", "Returns the cube root.", f64::cbrt),
    of_one!("ceil", "Rounds up.", f64::ceil),
    of_two!("copysign", "Returns `x` with the sign of `y`.", f64::copysign),
    of_one!("cos", "Returns the cosine of an angle in radians.", f64::cos),
    of_one!("cosh", "Returns the hyperbolic cosine.", f64::cosh),
    of_two!("dim", "Returns `x - y`, or 0 if it is negative.", |x, y| if x <= y { 0.0 } else { x - y }),
    of_one!("erf", "Returns the error function.", libm::erf),
    of_one!("erfc", "Returns the complementary error function.", libm::erfc),
    of_one!("erfcinv", "Returns the inverse of the complementary error function.", |x| inverse_erf(1.0 - x, Some(x))),
    of_one!("erfinv", "Returns the inverse of the error function.", |x| inverse_erf(x, None)),
    of_one!("exp", "Returns e to the power `x`.", f64::exp),
    of_one!("exp_2", "Returns 2 to the power `x`.", f64::exp2),
    of_one!("expm_1", "Returns e to the power `x`, minus 1.", f64::exp_m1),
    of_one!("floor", "Rounds down.", f64::floor),
    pure("fma", "func(x float, y float, z float) float", "Returns `x * y + z`, rounded once.", fma),
    of_one!("gamma", "Returns the gamma function.", libm::tgamma),
    of_two!("hypot", "Returns the square root of the sum of the squares.", f64::hypot),
    pure("ilogb", "func(x float) int", "Returns the binary exponent. Fails for 0.", ilogb),
    pure("inf", "func(sign int) float", "Fails: a float is never infinite.", |machine, args, call| {
        int(machine, args, 0, call)?;
        Err(call.fault("the result is infinite"))
    }),
    pure(
        "is_inf",
        "func(x float, sign int) bool",
        "Returns `false`: a float is never infinite.",
        |machine, args, call| {
            float(machine, args, 0, call)?;
            Ok(Value::Bool(false))
        },
    ),
    of_one!("j_0", "Returns the Bessel function of the first kind of order 0.", libm::j0),
    of_one!("j_1", "Returns the Bessel function of the first kind of order 1.", libm::j1),
    of_order!("jn", "Returns the Bessel function of the first kind of order `n`.", libm::jn),
    pure(
        "ldexp",
        "func(fraction float, exponent int) float",
        "Returns `fraction` times 2 to the power `exponent`.",
        ldexp,
    ),
    of_one!("log", "Returns the natural logarithm.", f64::ln),
    of_one!("log_10", "Returns the decimal logarithm.", f64::log10),
    of_one!("log_1_p", "Returns the natural logarithm of `1 + x`.", f64::ln_1p),
    of_one!("log_2", "Returns the binary logarithm.", f64::log2),
    of_one!("logb", "Returns the binary exponent as a float. Fails for 0.", |x| {
        if x == 0.0 { f64::NEG_INFINITY } else { f64::from(libm::ilogb(x)) }
    }),
    of_two!("max", "Returns the larger of two.", f64::max),
    of_two!("min", "Returns the smaller of two.", f64::min),
    of_two!("mod", "Returns the remainder of a division, with the sign of `x`.", |x, y| x % y),
    pure("na_n", "func() float", "Fails: a float is always a number.", |_, _, call| {
        Err(call.fault("the result is not a number"))
    }),
    of_two!("pow", "Raises `x` to the power `y`.", power),
    pure("pow_10", "func(n int) float", "Raises 10 to a power.", pow_10),
    of_two!("remainder", "Returns the remainder of the division that is rounded to the nearest int.", libm::remainder),
    of_one!("round", "Rounds to the nearest int, halves away from 0.", f64::round),
    of_one!("round_to_even", "Rounds to the nearest int, halves to the even one.", f64::round_ties_even),
    pure(
        "signbit",
        "func(x float) bool",
        "Returns whether a float is negative or negative zero.",
        |machine, args, call| Ok(Value::Bool(float(machine, args, 0, call)?.is_sign_negative())),
    ),
    of_one!("sin", "Returns the sine of an angle in radians.", f64::sin),
    of_one!("sinh", "Returns the hyperbolic sine.", f64::sinh),
    of_one!("sqrt", "Returns the square root.", f64::sqrt),
    of_one!("tan", "Returns the tangent of an angle in radians.", f64::tan),
    of_one!("tanh", "Returns the hyperbolic tangent.", f64::tanh),
    of_one!("trunc", "Removes the fraction.", f64::trunc),
    of_one!("y_0", "Returns the Bessel function of the second kind of order 0.", libm::y0),
    of_one!("y_1", "Returns the Bessel function of the second kind of order 1.", libm::y1),
    of_order!("yn", "Returns the Bessel function of the second kind of order `n`.", libm::yn),
];

/// Raises `x` to the power `y`: the integral part of `y` by squaring, the fraction by logarithms. The last digits are
/// those of Go, not those of the C library.
pub fn power(x: f64, y: f64) -> f64 {
    let size = y.abs();
    if x == 0.0 || y == 0.0 || x == 1.0 || !x.is_finite() || !y.is_finite() || size >= 9_223_372_036_854_775_808.0 {
        return x.powf(y);
    }
    if size == 0.5 {
        return if y > 0.0 { x.sqrt() } else { 1.0 / x.sqrt() };
    }
    let (mut whole, mut fraction) = (size.trunc(), size.fract());
    if fraction != 0.0 && x < 0.0 {
        return f64::NAN;
    }
    let mut result = 1.0;
    if fraction != 0.0 {
        if fraction > 0.5 {
            fraction -= 1.0;
            whole += 1.0;
        }
        result = (fraction * x.ln()).exp();
    }
    // The result is `result` times 2 to the power `exponent`, so that intermediate powers do not overflow.
    let (mut base, mut base_exponent) = libm::frexp(x);
    let mut exponent: i64 = 0;
    let mut rest = whole as i64;
    while rest != 0 {
        if !(-4_096..=4_096).contains(&base_exponent) {
            // the result overflows, or is 0
            exponent += i64::from(base_exponent);
            break;
        }
        if rest & 1 == 1 {
            result *= base;
            exponent += i64::from(base_exponent);
        }
        base *= base;
        base_exponent <<= 1;
        if base < 0.5 {
            base += base;
            base_exponent -= 1;
        }
        rest >>= 1;
    }
    if y < 0.0 {
        result = 1.0 / result;
        exponent = -exponent;
    }
    libm::ldexp(result, exponent.clamp(-5_000, 5_000) as i32)
}

/// Returns the `y` for which `erf(y) = x`, by Newton's method. `complement` is `1 - x`, which the caller may know more precisely.
fn inverse_erf(x: f64, complement: Option<f64>) -> f64 {
    let rest = complement.unwrap_or(1.0 - x);
    if x == 0.0 && complement.is_none_or(|c| c == 1.0) {
        return 0.0;
    }
    if !(-1.0..=1.0).contains(&x) || x.abs() == 1.0 && complement.is_none_or(|c| c == 0.0 || c == 2.0) {
        return if x.abs() == 1.0 { f64::INFINITY.copysign(x) } else { f64::NAN };
    }
    // The first value has two or three correct digits: Winitzki's approximation.
    let log = if x.abs() < 1.0 { (1.0 - x * x).ln() } else { (2.0 * rest).ln() };
    let a = 2.0 / (std::f64::consts::PI * 0.147) + log / 2.0;
    let mut y = ((a * a - log / 0.147).sqrt() - a).max(0.0).sqrt().copysign(x);
    for _ in 0..4 {
        let slope = std::f64::consts::FRAC_2_SQRT_PI * (-y * y).exp();
        // far from 0, the complement is more precise
        let error = if y > 0.5 { rest - libm::erfc(y) } else { libm::erf(y) - x };
        let error = if y > 0.5 { -error } else { error };
        let step = error / slope;
        if !step.is_finite() {
            break;
        }
        // Halley's correction
        y -= if y > 0.5 { -step / (1.0 - y * step).max(0.5) } else { step / (1.0 + y * step) };
    }
    y
}

fn fma(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (x, y) = (float(machine, args, 0, call)?, float(machine, args, 1, call)?);
    of_float(x.mul_add(y, float(machine, args, 2, call)?), call)
}

fn ilogb(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    match float(machine, args, 0, call)? {
        0.0 => Err(call.fault("the result is infinite")),
        x => Ok(of_int(i64::from(libm::ilogb(x)))),
    }
}

fn ldexp(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (fraction, exponent) = (float(machine, args, 0, call)?, int(machine, args, 1, call)?);
    of_float(libm::ldexp(fraction, exponent.clamp(-5_000, 5_000) as i32), call)
}

fn pow_10(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let n = int(machine, args, 0, call)?;
    of_float(format!("1e{}", n.clamp(-400, 400)).parse().unwrap_or(f64::NAN), call)
}

#[cfg(test)]
mod tests {
    use super::{inverse_erf, power};

    #[test]
    fn powers_as_in_go() {
        assert_eq!(power(0.5, -1.5), 2.82842712474619);
        assert_eq!(power(2.0, 0.5), std::f64::consts::SQRT_2);
        assert_eq!(power(2.0, 10.0), 1024.0);
        assert_eq!(power(10.0, -3.0), 0.001);
        assert_eq!([power(-2.0, 3.0), power(2.0, 1024.0), power(0.5, 5000.0)], [-8.0, f64::INFINITY, 0.0]);
        assert!(power(-8.0, 1.5).is_nan());
        assert!((power(1.0001, 12345.0) / 1.0001f64.powf(12345.0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_inverse_error_function() {
        for x in [-0.999, -0.5, -1e-9, 0.0, 1e-12, 0.1, 0.5, 0.9, 0.999999] {
            let y = inverse_erf(x, None);
            assert!((libm::erf(y) - x).abs() <= 4.0 * f64::EPSILON * x.abs().max(1e-300), "{x}: {y}, {}", libm::erf(y));
        }
        for c in [1e-200, 1e-20, 0.001, 0.7, 1.0, 1.5] {
            let y = inverse_erf(1.0 - c, Some(c));
            assert!((libm::erfc(y) - c).abs() <= 1e-13 * c, "{c}: {y}, {}", libm::erfc(y));
        }
        assert!(inverse_erf(1.5, None).is_nan() && inverse_erf(1.0, None).is_infinite());
    }
}
