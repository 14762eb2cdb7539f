//! Normalization of TOML's dates and times (RFC 3339).

/// Returns the normal form of a date, a time or both: `T` in between, `Z` or `+hh:mm` at the end, no trailing zeros in
/// fractions. `None` if the date or time is invalid.
pub(super) fn normal(text: &str) -> Option<String> {
    let (date, time) = match text.as_bytes().get(4) {
        Some(b'-') => {
            let date = text.get(..10)?;
            match text.get(10..11) {
                None => (Some(date), None),
                Some("T" | "t" | " ") => (Some(date), Some(text.get(11..)?)),
                Some(_) => return None,
            }
        }
        _ => (None, Some(text)),
    };
    let mut out = String::new();
    if let Some(date) = date {
        let (year, month, day) = (number(date.get(..4)?)?, number(date.get(5..7)?)?, number(date.get(8..)?)?);
        if date.get(7..8) != Some("-") {
            return None;
        }
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        if !(1..=days).contains(&day) {
            return None;
        }
        out.push_str(date);
    }
    let Some(time) = time else { return Some(out) };
    if date.is_some() {
        out.push('T');
    }
    let end = time.find(['Z', 'z', '+', '-']).unwrap_or(time.len());
    let (clock, offset) = time.split_at(end);
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let mut parts = clock.split(':');
    let (hour, minute) = (parts.next()?, parts.next()?);
    let second = parts.next();
    let two = |text: &str, most: u32| number(text).filter(|n| text.len() == 2 && *n <= most);
    two(hour, 23)?;
    two(minute, 59)?;
    if parts.next().is_some() {
        return None;
    }
    out.push_str(&format!("{hour}:{minute}"));
    if let Some(second) = second {
        two(second, 60)?;
        out.push(':');
        out.push_str(second);
    }
    if !fraction.is_empty() {
        // at most nanoseconds
        number(fraction.get(..1)?)?;
        let fraction = fraction.get(..fraction.len().min(9))?;
        let fraction = fraction.trim_end_matches('0');
        if !fraction.is_empty() {
            out.push('.');
            out.push_str(fraction);
        }
    }
    match offset {
        "" => {}
        "Z" | "z" if date.is_some() => out.push('Z'),
        _ if date.is_some() => {
            let (hours, minutes) = offset.get(1..)?.split_once(':')?;
            two(hours, 23)?;
            two(minutes, 59)?;
            out.push_str(offset);
        }
        _ => return None,
    }
    Some(out)
}

fn number(text: &str) -> Option<u32> {
    if text.bytes().all(|b| b.is_ascii_digit()) { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::normal;

    #[test]
    fn dates_and_times() {
        for (text, shown) in [
            ("1979-05-27T07:32:00Z", Some("1979-05-27T07:32:00Z")),
            ("1979-05-27 07:32:00.500-07:00", Some("1979-05-27T07:32:00.5-07:00")),
            ("1979-05-27", Some("1979-05-27")),
            ("07:32", Some("07:32")),
            ("2000-02-29", Some("2000-02-29")),
            ("1900-02-29", None),
            ("1979-13-01", None),
            ("24:00:00", None),
            ("07:32:00Z", None),
        ] {
            assert_eq!(normal(text).as_deref(), shown, "{text}");
        }
    }
}
