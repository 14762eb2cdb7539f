//! The current time in ISO 8601 format, in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the current time.
pub fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    text(since.as_secs(), since.subsec_micros())
}

/// Formats seconds since 1970 as a date and a time.
fn text(seconds: u64, micros: u32) -> String {
    let (days, left) = (seconds / 86_400, seconds % 86_400);
    // counts years from March, so that the leap day comes last; 400 Gregorian years have 146,097 days
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    let (hour, minute, second) = (left / 3600, left / 60 % 60, left % 60);
    format!("{:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}Z", era * 400 + year)
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn dates() {
        for (seconds, date) in [
            (0, "1970-01-01T00:00:00.000007Z"),
            (951_827_696, "2000-02-29T12:34:56.000007Z"),
            (1_709_164_799, "2024-02-28T23:59:59.000007Z"),
            (1_795_212_000, "2026-11-20T22:00:00.000007Z"),
            (4_107_542_400, "2100-03-01T00:00:00.000007Z"),
        ] {
            assert_eq!(text(seconds, 7), date);
        }
    }
}
