//! Compares with the answers of Nickel 1.18, and tests the laws of arithmetic.

use super::{Number, NumberError, NumberForm};
use proptest::prelude::*;

fn n(text: &str) -> Number {
    Number::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Compares printing and the JSON, YAML and TOML exports with those of Nickel.
#[test]
fn numbers_print_as_nickel_prints_them() {
    let third = n("1").div(&n("3")).unwrap();
    for (number, shown, json, yaml, toml) in [
        (n("0"), "0", "0", "0", "0"),
        (n("1.50"), "1.5", "1.5", "1.5", "1.5"),
        (third.clone(), "0.3333333333333333", "0.3333333333333333", "0.3333333333333333", "0.3333333333333333"),
        (third.neg(), "-0.3333333333333333", "-0.3333333333333333", "-0.3333333333333333", "-0.3333333333333333"),
        (
            n("2").div(&n("3")).unwrap(),
            "0.6666666666666667",
            "0.6666666666666666",
            "0.6666666666666666",
            "0.6666666666666666",
        ),
        (n("1e16"), "1e16", "10000000000000000", "10000000000000000", "10000000000000000"),
        (n("9999999999999999"), "9999999999999999", "9999999999999999", "9999999999999999", "9999999999999999"),
        (
            n("18446744073709551615"),
            "1.844674407370955e19",
            "18446744073709551615",
            "18446744073709551615",
            "18446744073709551615",
        ),
        (
            n("18446744073709551616"),
            "1.844674407370955e19",
            "1.8446744073709552e+19",
            "1.8446744073709552e19",
            "18446744073709552000.0",
        ),
        (
            n("-9223372036854775809"),
            "-9.223372036854776e18",
            "-9.223372036854776e+18",
            "-9.223372036854776e18",
            "-9223372036854776000.0",
        ),
        (n("1e30"), "1e30", "1e+30", "1e30", "1000000000000000000000000000000.0"),
        (n("1e-5"), "0.00001", "0.00001", "0.00001", "0.00001"),
        (n("1e-6"), "1e-6", "1e-6", "1e-6", "0.000001"),
        (n("1000000000000000.5"), "1000000000000000", "1000000000000000.5", "1000000000000000.5", "1000000000000000.5"),
        (
            n("1000000000000000.25"),
            "1000000000000000",
            "1000000000000000.2",
            "1000000000000000.2",
            "1000000000000000.3",
        ),
        (n("9007199254740993.5"), "9007199254740994", "9007199254740994.0", "9007199254740994.0", "9007199254740994.0"),
        (n("9999999999999999.5"), "1e16", "1e+16", "1e16", "10000000000000000.0"),
        (
            n("123456789.123456789123456789"),
            "123456789.1234568",
            "123456789.12345679",
            "123456789.12345679",
            "123456789.12345679",
        ),
        (n("-1e-4000"), "-1e-4000", "-0.0", "-0.0", "-0.0"),
    ] {
        assert_eq!(number.to_string(), shown);
        assert_eq!(number.export(NumberForm::Json).as_deref(), Ok(json));
        assert_eq!(number.export(NumberForm::Yaml).as_deref(), Ok(yaml));
        assert_eq!(number.export(NumberForm::Toml).as_deref(), Ok(toml));
    }
    assert_eq!(n("1e400").to_string(), "1e400");
    assert_eq!(n("1e400").export(NumberForm::Json), Err(NumberError::TooLarge));
    assert_eq!(n("2").pow(&n("0.5")).unwrap().to_string(), "1.414213562373095");
    assert_eq!(n("2").pow(&n("1000")).unwrap().to_string(), "1.071508607186267e301");
}

#[test]
fn nothing_builds_a_number_without_bound() {
    assert_eq!(Number::parse("1e-999999999999999999999"), Err(NumberError::TooLarge));
    assert_eq!(n("2").pow(&n("1e12")), Err(NumberError::TooLarge));
    assert_eq!(n("0.5").pow(&n("1e12")), Err(NumberError::TooLarge));
    let mut growing = n("1e1000");
    let refused = loop {
        match growing.mul(&growing) {
            Ok(next) => growing = next,
            Err(error) => break error,
        }
    };
    assert_eq!(refused, NumberError::TooLarge);
    assert_eq!(n("0").pow(&n("-1")), Err(NumberError::DivisionByZero));
    assert_eq!(n("-1").pow(&n("0.5")), Err(NumberError::Undefined));
    assert_eq!(n("-9223372036854775808").neg(), n("9223372036854775808"));
    assert_eq!(n("-9223372036854775808").div(&n("-1")), Ok(n("9223372036854775808")));
}

/// Generates small and large integers, decimals, fractions and doubles.
fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        (-100i64..100).prop_map(Number::Int),
        any::<i64>().prop_map(Number::Int),
        (any::<i64>(), 1i64..1000).prop_map(|(a, b)| Number::Int(a).div(&Number::Int(b)).unwrap()),
        (any::<i64>(), any::<i64>()).prop_map(|(a, b)| Number::Int(a).mul(&Number::Int(b)).unwrap()),
        (any::<i32>(), -400i32..400).prop_map(|(a, e)| Number::parse(&format!("{a}e{e}")).unwrap()),
        any::<f64>().prop_filter_map("finite", |d| d.is_finite().then_some(Number::Double(d))),
    ]
}

/// Generates exact numbers.
fn exact() -> impl Strategy<Value = Number> {
    number().prop_map(|n| Number::exact(n.to_exact()))
}

proptest! {
    #[test]
    fn arithmetic_is_a_field(a in exact(), b in exact(), c in exact()) {
        prop_assert_eq!(a.add(&b), b.add(&a));
        prop_assert_eq!(a.mul(&b), b.mul(&a));
        prop_assert_eq!(a.add(&b).unwrap().sub(&b).unwrap(), a.clone());
        prop_assert_eq!(a.mul(&b.add(&c).unwrap()), a.mul(&b).unwrap().add(&a.mul(&c).unwrap()));
        if !b.is_zero() {
            prop_assert_eq!(a.div(&b).unwrap().mul(&b).unwrap(), a.clone());
            let rest = a.rem(&b).unwrap();
            prop_assert!(rest.abs() < b.abs());
            prop_assert!(a.sub(&rest).unwrap().div(&b).unwrap().is_integer());
            prop_assert!(rest.is_zero() || rest.is_negative() == a.is_negative());
        }
        prop_assert!(a.floor() <= a && a < a.floor().add(&Number::ONE).unwrap());
        prop_assert_eq!(a.truncate().add(&a.fract()).unwrap(), a);
    }

    #[test]
    fn order_agrees_with_the_sign_of_the_difference(a in number(), b in number()) {
        let difference = a.to_exact() - b.to_exact();
        prop_assert_eq!(a.cmp(&b), difference.cmp(&num_traits::Zero::zero()));
        prop_assert_eq!(a == b, a.cmp(&b).is_eq());
    }

    #[test]
    fn doubles_survive_the_way_to_exact_and_back(bits in any::<u64>()) {
        let double = f64::from_bits(bits);
        if let (Some(simplest), Some(exact)) = (Number::from_f64(double), Number::from_f64_exact(double)) {
            prop_assert_eq!(simplest.to_f64(), double);
            prop_assert_eq!(exact.to_f64(), double);
            prop_assert!(simplest.to_exact().denom() <= exact.to_exact().denom());
        }
    }

    #[test]
    fn the_nearest_double_is_what_rust_reads(mantissa in any::<u64>(), exponent in -400i32..300) {
        let text = format!("{mantissa}e{exponent}");
        prop_assert_eq!(Number::parse(&text).unwrap().to_f64(), text.parse::<f64>().unwrap());
    }

    #[test]
    fn what_is_shown_reads_back_to_sixteen_digits(a in exact()) {
        let back = n(&a.to_string());
        if !a.is_zero() {
            let error = a.sub(&back).unwrap().div(&a).unwrap().abs();
            prop_assert!(error <= n("5e-16"));
        }
    }
}
