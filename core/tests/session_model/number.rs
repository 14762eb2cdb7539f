//! Exact rational numbers, small enough to check by hand.

use crate::model::Fault;

/// Numerator and denominator in lowest terms. The denominator is positive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ratio(i128, i128);

const LARGEST: i128 = 1_000_000_000;

impl Ratio {
    pub fn whole(n: i64) -> Ratio {
        Ratio(i128::from(n), 1)
    }

    fn reduced(numerator: i128, denominator: i128) -> Result<Ratio, Fault> {
        let (mut a, mut b) = (numerator.abs(), denominator.abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let a = a.max(1) * denominator.signum();
        let ratio = Ratio(numerator / a, denominator / a);
        // the model does not cover the notation of larger numbers
        if ratio.0.abs() > LARGEST || ratio.1 > 10_000 { Err(Fault::Beyond) } else { Ok(ratio) }
    }

    pub fn plus(self, other: Ratio) -> Result<Ratio, Fault> {
        Ratio::reduced(self.0 * other.1 + other.0 * self.1, self.1 * other.1)
    }

    pub fn negated(self) -> Ratio {
        Ratio(-self.0, self.1)
    }

    pub fn times(self, other: Ratio) -> Result<Ratio, Fault> {
        Ratio::reduced(self.0 * other.0, self.1 * other.1)
    }

    pub fn over(self, other: Ratio) -> Result<Ratio, Fault> {
        if other.0 == 0 { Err(Fault::DivisionByZero) } else { Ratio::reduced(self.0 * other.1, self.1 * other.0) }
    }

    pub fn is_below(self, other: Ratio) -> bool {
        self.0 * other.1 < other.0 * self.1
    }

    /// Prints the number as the session does: in decimal notation, rounded to 16 significant digits, half to even.
    pub fn shown(self) -> String {
        if self.1 == 1 {
            return self.0.to_string();
        }
        let size = self.0.abs();
        // all are between 1e-4 and 1e9
        let mut decimals = 20;
        while size * 10i128.pow(decimals) / self.1 >= 10i128.pow(16) {
            decimals -= 1;
        }
        let scaled = size * 10i128.pow(decimals);
        let (digits, rest) = (scaled / self.1, scaled % self.1 * 2);
        let up = rest > self.1 || rest == self.1 && digits % 2 == 1;
        let digits = digits + i128::from(up);
        let one = 10i128.pow(decimals);
        let after = format!("{:0width$}", digits % one, width = decimals as usize);
        let sign = if self.0 < 0 { "-" } else { "" };
        format!("{sign}{}.{}", digits / one, after.trim_end_matches('0')).trim_end_matches('.').into()
    }
}
