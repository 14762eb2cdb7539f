//! `print`, `println` and `printf` of templates, as Go's `fmt` has them.

use super::super::go_strconv;
use super::super::plain::{Plain, general};

/// Maximum width and precision.
const MAX_WIDTH: usize = 10_000;

/// Joins values, with a space between two that are not strings.
pub fn print(values: &[Plain]) -> String {
    let mut out = String::new();
    for (at, value) in values.iter().enumerate() {
        let is_text = |value: &Plain| matches!(value, Plain::Text(_));
        if at > 0 && !is_text(value) && !is_text(&values[at - 1]) {
            out.push(' ');
        }
        value.print(&mut out);
    }
    out
}

/// Joins values with spaces, and ends the line.
pub fn println(values: &[Plain]) -> String {
    let texts: Vec<String> = values.iter().map(Plain::printed).collect();
    texts.join(" ") + "\n"
}

/// The flags, the width and the precision of a code.
#[derive(Default)]
struct Code {
    plus: bool,
    minus: bool,
    sharp: bool,
    blank: bool,
    zero: bool,
    width: Option<usize>,
    precision: Option<usize>,
}

/// Fills a format. `None` if a width or a precision is too large.
pub fn printf(format: &str, values: &[Plain]) -> Option<String> {
    let mut out = String::new();
    let mut values = values.iter();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let mut code = Code::default();
        while let Some(flag) = rest.chars().next().filter(|c| "+-# 0".contains(*c)) {
            match flag {
                '+' => code.plus = true,
                '-' => code.minus = true,
                '#' => code.sharp = true,
                ' ' => code.blank = true,
                _ => code.zero = true,
            }
            rest = &rest[1..];
        }
        code.width = size(&mut rest, &mut values)?;
        if let Some(after) = rest.strip_prefix('.') {
            rest = after;
            code.precision = Some(size(&mut rest, &mut values)?.unwrap_or(0));
        }
        let Some(verb) = rest.chars().next() else {
            out.push_str("%!(NOVERB)");
            break;
        };
        rest = &rest[verb.len_utf8()..];
        if verb == '%' {
            out.push('%');
            continue;
        }
        match values.next() {
            Some(value) => out.push_str(&code.write(verb, value)),
            None => out.push_str(&format!("%!{verb}(MISSING)")),
        }
    }
    out.push_str(rest.split('%').next().filter(|_| !rest.contains('%')).unwrap_or_default());
    let extra: Vec<String> = values.map(|value| format!("{}={}", name_of(value), value.printed())).collect();
    if !extra.is_empty() {
        out.push_str(&format!("%!(EXTRA {})", extra.join(", ")));
    }
    Some(out)
}

/// Reads a width or a precision: digits, or `*` for the next value. `None` if it is too large.
fn size<'v>(rest: &mut &str, values: &mut impl Iterator<Item = &'v Plain>) -> Option<Option<usize>> {
    if let Some(after) = rest.strip_prefix('*') {
        *rest = after;
        return match values.next() {
            Some(Plain::Int(i)) => usize::try_from(*i).ok().filter(|i| *i <= MAX_WIDTH).map(Some),
            _ => Some(None),
        };
    }
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    if digits == 0 {
        return Some(None);
    }
    let size = rest[..digits].parse().ok().filter(|size| *size <= MAX_WIDTH)?;
    *rest = &rest[digits..];
    Some(Some(size))
}

/// Returns the name of a type in Go for `%T` and for messages.
fn name_of(value: &Plain) -> &'static str {
    match value {
        Plain::Int(_) => "int",
        value => value.go_type(),
    }
}

impl Code {
    fn write(&self, verb: char, value: &Plain) -> String {
        match (verb, value) {
            ('v' | 's' | 'd' | 'x' | 'X' | 'q' | 'f' | 't', Plain::List(elements)) => {
                let each: Vec<String> = elements.iter().map(|element| self.write(verb, element)).collect();
                format!("[{}]", each.join(" "))
            }
            ('v', value) => self.pad(value.printed(), matches!(value, Plain::Int(_) | Plain::Float(_))),
            ('s', Plain::Text(_) | Plain::Map(_) | Plain::Struct(_)) => {
                let text = value.printed();
                let cut = self.precision.map_or(text.clone(), |count| text.chars().take(count).collect());
                self.pad(cut, false)
            }
            ('q', Plain::Text(text)) => self.pad(go_strconv::go_quoted(text.as_str()), false),
            ('q', Plain::Int(i)) => match u32::try_from(*i).ok().and_then(char::from_u32) {
                Some(c) => self.pad(format!("'{c}'"), false),
                None => self.pad(String::from("'\u{fffd}'"), false),
            },
            ('x', Plain::Text(text)) => self.pad(text.as_str().bytes().map(|b| format!("{b:02x}")).collect(), false),
            ('X', Plain::Text(text)) => self.pad(text.as_str().bytes().map(|b| format!("{b:02X}")).collect(), false),
            ('t', Plain::Bool(b)) => self.pad(b.to_string(), false),
            ('T', value) => self.pad(String::from(name_of(value)), false),
            ('d' | 'x' | 'X' | 'o' | 'O' | 'b', Plain::Int(i)) => self.whole(verb, *i),
            ('c', Plain::Int(i)) => {
                let c = u32::try_from(*i).ok().and_then(char::from_u32).unwrap_or('\u{fffd}');
                self.pad(c.to_string(), false)
            }
            ('U', Plain::Int(i)) => self.pad(format!("U+{i:04X}"), false),
            ('e' | 'E' | 'f' | 'F' | 'g' | 'G', Plain::Float(d)) => self.float(verb, *d),
            (_, Plain::Missing) => format!("%!{verb}(<nil>)"),
            (_, value) => format!("%!{verb}({}={})", name_of(value), value.printed()),
        }
    }

    fn whole(&self, verb: char, i: i64) -> String {
        let size = i.unsigned_abs();
        let (prefix, digits) = match verb {
            'x' => ("0x", format!("{size:x}")),
            'X' => ("0X", format!("{size:X}")),
            'o' => ("0", format!("{size:o}")),
            'O' => ("0o", format!("{size:o}")),
            'b' => ("0b", format!("{size:b}")),
            _ => ("", size.to_string()),
        };
        let digits = match self.precision {
            Some(count) => format!("{digits:0>count$}"),
            None => digits,
        };
        let prefix = if self.sharp || verb == 'O' { prefix } else { "" };
        self.pad(format!("{}{prefix}{digits}", self.sign(i < 0)), true)
    }

    fn float(&self, verb: char, d: f64) -> String {
        let size = d.abs();
        let digits = match verb {
            'f' | 'F' => format!("{size:.*}", self.precision.unwrap_or(6)),
            'e' | 'E' => exponent(&format!("{size:.*e}", self.precision.unwrap_or(6))),
            _ => match self.precision {
                None => general(size),
                Some(count) => significant(size, count.max(1)),
            },
        };
        let digits = if verb.is_uppercase() { digits.to_uppercase() } else { digits };
        self.pad(format!("{}{digits}", self.sign(d.is_sign_negative())), true)
    }

    fn sign(&self, negative: bool) -> &'static str {
        match negative {
            true => "-",
            false if self.plus => "+",
            false if self.blank => " ",
            false => "",
        }
    }

    fn pad(&self, text: String, number: bool) -> String {
        let missing = self.width.unwrap_or(0).saturating_sub(text.chars().count());
        let blanks = " ".repeat(missing);
        match (self.minus, self.zero) {
            (true, _) => text + &blanks,
            (false, true) if number && self.precision.is_none() || self.zero && number && text.contains('.') => {
                let signs = text.len() - text.trim_start_matches(['+', '-', ' ']).len();
                format!("{}{}{}", &text[..signs], "0".repeat(missing), &text[signs..])
            }
            _ => blanks + &text,
        }
    }
}

/// Writes the exponent with a sign and two digits: `1.5e+00`.
fn exponent(text: &str) -> String {
    match text.split_once('e') {
        Some((digits, power)) => {
            let (sign, power) = power.strip_prefix('-').map_or(('+', power), |power| ('-', power));
            format!("{digits}e{sign}{power:0>2}")
        }
        None => String::from(text),
    }
}

/// Writes a float with a number of significant digits, without zeros at the end.
fn significant(size: f64, count: usize) -> String {
    let scientific = format!("{size:.*e}", count - 1);
    let power: i32 = scientific.split_once('e').and_then(|(_, power)| power.parse().ok()).unwrap_or(0);
    let short = |text: &str| match text.contains('.') {
        true => String::from(text.trim_end_matches('0').trim_end_matches('.')),
        false => String::from(text),
    };
    if power < -4 || i64::from(power) >= count as i64 {
        return match scientific.split_once('e') {
            Some((digits, power)) => exponent(&format!("{}e{power}", short(digits))),
            None => scientific,
        };
    }
    let decimals = (count as i64 - 1 - i64::from(power)).clamp(0, MAX_WIDTH as i64);
    short(&format!("{size:.*}", decimals as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes() {
        let values =
            [Plain::Float(3.25), Plain::Int(7), Plain::Int(5), Plain::Int(255), Plain::Float(1.5), Plain::Bool(true)];
        assert_eq!(
            printf("%6.2f|%03d|%+d|%x|%e|%5t|%%", &values),
            Some(String::from("  3.25|007|+5|ff|1.500000e+00| true|%"))
        );
        let strings = [Plain::Text("a".into()), Plain::Text("b".into()), Plain::Int(65), Plain::Int(66)];
        assert_eq!(printf("%-4s|%q|%c|%U", &strings), Some(String::from("a   |\"b\"|A|U+0042")));
    }

    #[test]
    fn mistakes_are_printed() {
        assert_eq!(printf("%d", &[Plain::Text("a".into())]), Some(String::from("%!d(string=a)")));
        assert_eq!(printf("%d %s", &[Plain::Int(1)]), Some(String::from("1 %!s(MISSING)")));
        assert_eq!(printf("x", &[Plain::Int(1)]), Some(String::from("x%!(EXTRA int=1)")));
        assert_eq!(printf("a%", &[]), Some(String::from("a%!(NOVERB)")));
        assert_eq!(printf("%999999999d", &[Plain::Int(1)]), None);
    }

    #[test]
    fn significant_digits() {
        let shown =
            [(100000.0, 3), (0.00001234, 2), (2.5, 6), (123.456, 4)].map(|(size, count)| significant(size, count));
        assert_eq!(shown, ["1e+05", "1.2e-05", "2.5", "123.5"]);
    }
}
