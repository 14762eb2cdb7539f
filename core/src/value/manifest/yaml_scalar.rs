//! Strings that a reader of YAML takes for something else than a string, if they are not quoted.

/// Returns whether a plain scalar is something other than a string to some reader: of YAML 1.1 (PyYAML, Ruby, older
/// go-yaml), where `no` is a boolean, `12:30` and `1_000` are numbers and `2024-01-01` is a date, or of YAML 1.2.
///
/// The keys `y` and `n` are strings: only the specification of YAML 1.1 says otherwise, and they are common names.
pub fn is_taken(text: &str, is_key: bool) -> bool {
    let is_letter = is_key && matches!(text, "y" | "Y" | "n" | "N");
    !is_letter && (is_word(text) || is_number(text) || is_date(text))
}

/// Returns whether a reader takes the text for a boolean, `null`, infinity, a merge key or a default value.
fn is_word(text: &str) -> bool {
    let signless = text.strip_prefix(['+', '-']).unwrap_or(text);
    matches!(
        text.to_ascii_lowercase().as_str(),
        "" | "~" | "null" | "true" | "false" | "yes" | "no" | "on" | "off" | "y" | "n" | "<<" | "=" | ".nan"
    ) || signless.eq_ignore_ascii_case(".inf")
}

/// Returns whether a reader takes the text for a number. Digits may be grouped with `_` and `,`.
fn is_number(text: &str) -> bool {
    let signless = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_digit = |c: char| c.is_ascii_digit() || c == '_' || c == ',';
    let bytes = signless.as_bytes();
    if let [b'0', b'x' | b'X' | b'o' | b'O' | b'b' | b'B', digits @ ..] = bytes {
        return digits.iter().all(|b| b.is_ascii_hexdigit() || *b == b'_');
    }
    if signless == "." || !signless.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return signless == ".";
    }
    // sexagesimal: 190:20:30.15
    if let Some((first, rest)) = signless.split_once(':') {
        let (rest, fraction) = rest.split_once('.').unwrap_or((rest, ""));
        let part = |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
        return first.chars().all(is_digit) && rest.split(':').all(part) && fraction.chars().all(is_digit);
    }
    let rest = signless.trim_start_matches(is_digit);
    let rest = rest.strip_prefix('.').unwrap_or(rest).trim_start_matches(is_digit);
    match rest.strip_prefix(['e', 'E']) {
        None => rest.is_empty(),
        Some(exponent) => {
            let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit() || b == b'_')
        }
    }
}

/// Returns whether a reader takes the text for a date or a time stamp: `2024-1-31`, `2024-01-31T12:30:45.5 +1:00`.
fn is_date(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    let digits = |part: &str, least: usize, most: usize| {
        (least..=most).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit())
    };
    let (Some(year), Some(month), Some(rest)) = (parts.next(), parts.next(), parts.next()) else { return false };
    let day = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (day, time) = rest.split_at(day);
    if !digits(year, 4, 4) || !digits(month, 1, 2) || !digits(day, 1, 2) {
        return false;
    }
    let is_time = |c: char| c.is_ascii_digit() || matches!(c, ':' | '.' | '+' | '-' | 'Z' | 'z' | ' ' | '\t');
    let time = time.strip_prefix(['T', 't', ' ', '\t']).map(|time| time.chars().all(is_time));
    time.unwrap_or(rest.len() == day.len())
}

#[cfg(test)]
mod tests {
    use super::is_taken;

    #[test]
    fn scalars_that_only_look_like_strings() {
        for text in [
            "no",
            "Yes",
            "ON",
            "off",
            "y",
            "N",
            "TRUE",
            "~",
            "",
            "Null",
            "<<",
            "=",
            ".inf",
            "-.INF",
            ".nan",
            ".",
            "1",
            "-1",
            "+1.5",
            "1_000",
            "1,000",
            "0x1F",
            "0o17",
            "017",
            "08",
            "0b1_0",
            "1e3",
            "1E-3",
            "1.",
            ".5",
            "1.5e+3",
            "685_230.15",
            "12:30",
            "12:30:45",
            "190:20:30.15",
            "2024-01-01",
            "2024-1-1",
            "2001-12-14t21:59:43.10-05:00",
            "2001-12-14 21:59:43.10 -5",
            "0.",
            "-0",
            "0_",
            "1e05",
        ] {
            assert!(is_taken(text, false), "{text}");
            assert_eq!(is_taken(text, true), text.len() > 1 || !text.starts_with(['y', 'N']), "{text}");
        }
        for text in [
            "nope",
            "x",
            "1.2.3",
            "10.0.0.1",
            "1.27.0-alpine",
            "v1",
            "1a",
            "e3",
            "a:1",
            "12:30pm",
            "12:345",
            "nginx:1.27",
            "x2024-01-01",
            "2024-01-01-rc1",
            "2024-001-01",
            "--1",
            "...",
            "_1",
            "a_b",
            "0xZZ",
            "1e",
            "-",
            "+",
            "10Gi",
            "500m",
            "..5",
        ] {
            assert!(!is_taken(text, false), "{text}");
        }
    }
}
