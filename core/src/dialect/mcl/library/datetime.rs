//! The module `datetime`. A time is a number of seconds since 1970 in UTC. Layouts are Go's, which write the time
//! `Mon Jan 2 15:04:05 MST 2006` in the desired form.

use super::args::{Answer, input, int, of_int, of_text, pure, text};
use super::table::Module;
use crate::value::{Call, Fault, Machine, Thunk, Value};
use std::fmt::Write;

/// The module `datetime`.
pub static MODULE: Module = Module {
    path: "datetime",
    doc: "Moments, as seconds since 1970 in UTC.",
    functions: &[
        pure(
            "format",
            "func(moment int, layout str) str",
            "Writes a moment in a layout of Go: `2006-01-02 15:04:05`.",
            format,
        ),
        pure("hour", "func(moment int) int", "Returns the hour of the day.", hour),
        input!("datetime", "now", "func() int", "Returns the current moment. It is an event: its value changes."),
        pure("print", "func(moment int) str", "Writes a moment as `2015-09-25 05:16:03 +0000 UTC`.", print),
        pure("weekday", "func(moment int) str", "Returns the day of the week in lower case.", weekday),
    ],
};

const DAYS: [&str; 7] = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A time as a calendar date and a time of day.
struct Moment {
    year: i64,
    month: usize,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
    /// Days since 1970-01-01.
    days: i64,
}

impl Moment {
    /// Converts seconds since 1970, with the civil calendar of eras of 400 years that begin in March.
    fn of(seconds: i64) -> Moment {
        let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        let shifted = days + 719_468;
        let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
        let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * day_of_year + 2) / 153;
        let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
        Moment {
            year: year_of_era + era * 400 + i64::from(month <= 2),
            month: usize::try_from(month - 1).unwrap_or(0),
            day: day_of_year - (153 * march_month + 2) / 5 + 1,
            hour: rest / 3_600,
            minute: rest / 60 % 60,
            second: rest % 60,
            days,
        }
    }

    fn weekday(&self) -> &'static str {
        DAYS[usize::try_from(self.days.rem_euclid(7)).unwrap_or(0) % 7]
    }

    fn month_name(&self) -> &'static str {
        MONTHS[self.month % 12]
    }

    /// Returns the day of the year, from 1.
    fn day_of_year(&self) -> i64 {
        const BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
        let is_leap = self.year % 4 == 0 && (self.year % 100 != 0 || self.year % 400 == 0);
        BEFORE[self.month % 12] + self.day + i64::from(is_leap && self.month > 1)
    }

    fn hour12(&self) -> i64 {
        if self.hour % 12 == 0 { 12 } else { self.hour % 12 }
    }

    /// Writes an element of a layout.
    fn write(&self, element: &str, out: &mut String) {
        let _ = match element {
            "January" => write!(out, "{}", self.month_name()),
            "Jan" => write!(out, "{}", &self.month_name()[..3]),
            "Monday" => write!(out, "{}", self.weekday()),
            "Mon" => write!(out, "{}", &self.weekday()[..3]),
            "MST" => write!(out, "UTC"),
            "2006" => write!(out, "{:04}", self.year),
            "06" => write!(out, "{:02}", self.year.rem_euclid(100)),
            "002" => write!(out, "{:03}", self.day_of_year()),
            "01" => write!(out, "{:02}", self.month + 1),
            "1" => write!(out, "{}", self.month + 1),
            "02" => write!(out, "{:02}", self.day),
            "_2" => write!(out, "{:2}", self.day),
            "2" => write!(out, "{}", self.day),
            "15" => write!(out, "{:02}", self.hour),
            "03" => write!(out, "{:02}", self.hour12()),
            "3" => write!(out, "{}", self.hour12()),
            "04" => write!(out, "{:02}", self.minute),
            "4" => write!(out, "{}", self.minute),
            "05" => write!(out, "{:02}", self.second),
            "5" => write!(out, "{}", self.second),
            "PM" => write!(out, "{}", if self.hour < 12 { "AM" } else { "PM" }),
            "pm" => write!(out, "{}", if self.hour < 12 { "am" } else { "pm" }),
            "-07:00:00" => write!(out, "+00:00:00"),
            "-07:00" => write!(out, "+00:00"),
            "-070000" => write!(out, "+000000"),
            "-0700" => write!(out, "+0000"),
            "-07" => write!(out, "+00"),
            _ => write!(out, "Z"),
        };
    }

    fn format(&self, layout: &str) -> String {
        let mut out = String::new();
        let mut rest = layout;
        while let Some(first) = rest.chars().next() {
            if let Some(element) = element(rest) {
                self.write(element, &mut out);
                rest = &rest[element.len()..];
            } else if let Some(digits) = fraction(rest) {
                // a time has whole seconds: `.000` prints zeros, `.999` omits them
                out.push_str(if digits.ends_with('0') { digits } else { "" });
                rest = &rest[digits.len()..];
            } else {
                out.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
        out
    }
}

/// Returns the first element of a layout.
fn element(layout: &str) -> Option<&'static str> {
    const ELEMENTS: [&str; 32] = [
        "January",
        "Jan",
        "Monday",
        "Mon",
        "MST",
        "2006",
        "06",
        "002",
        "01",
        "02",
        "03",
        "04",
        "05",
        "_2",
        "15",
        "1",
        "2",
        "3",
        "4",
        "5",
        "PM",
        "pm",
        "-07:00:00",
        "-07:00",
        "-070000",
        "-0700",
        "-07",
        "Z07:00:00",
        "Z07:00",
        "Z070000",
        "Z0700",
        "Z07",
    ];
    let found = ELEMENTS.iter().copied().find(|element| layout.starts_with(element))?;
    match found {
        // `_2006` is an underscore and a year
        "_2" if layout.starts_with("_2006") => None,
        // `Jan` and `Mon` are elements only if no lower-case letter follows
        "Jan" | "Mon" if layout[3..].starts_with(|c: char| c.is_ascii_lowercase()) => None,
        found => Some(found),
    }
}

/// Returns the fraction of a second at the beginning of a layout: `.000`, `,999`.
fn fraction(layout: &str) -> Option<&str> {
    let rest = layout.strip_prefix(['.', ','])?;
    let digit = rest.chars().next().filter(|c| matches!(c, '0' | '9'))?;
    let count = rest.chars().take_while(|c| *c == digit).count();
    let ends = !rest[count..].starts_with(|c: char| c.is_ascii_digit());
    ends.then(|| &layout[..count + 1])
}

/// Returns the time in argument 0.
fn moment(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<Moment, Fault> {
    match int(machine, args, 0, call)? {
        seconds if seconds < 0 => Err(call.fault("the moment is before 1970")),
        // the year 9999
        seconds if seconds > 253_402_300_799 => Err(call.fault("the moment is after the year 9999")),
        seconds => Ok(Moment::of(seconds)),
    }
}

fn format(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let (moment, layout) = (moment(machine, args, call)?, text(machine, args, 1, call)?);
    of_text(machine, moment.format(layout.as_str()))
}

fn hour(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(of_int(moment(machine, args, call)?.hour))
}

fn print(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let moment = moment(machine, args, call)?;
    of_text(machine, moment.format("2006-01-02 15:04:05 -0700 MST"))
}

fn weekday(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    Ok(Value::string(moment(machine, args, call)?.weekday().to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts() {
        let moment = Moment::of(1_443_158_163);
        assert_eq!(moment.format("2006-01-02 15:04:05 MST"), "2015-09-25 05:16:03 UTC");
        assert_eq!(moment.format("Mon Jan _2 3:04PM .000 .999 Z07:00"), "Fri Sep 25 5:16AM .000  Z");
        assert_eq!(moment.format("Monday, January 2 06 -0700 002"), "Friday, September 25 15 +0000 268");
        assert_eq!(moment.format("Month_2006"), "Month_2015");
    }

    #[test]
    fn leap_days() {
        assert_eq!(Moment::of(951_782_400).format("2006-01-02 Mon"), "2000-02-29 Tue");
        assert_eq!(Moment::of(951_868_800).format("2006-01-02"), "2000-03-01");
        assert_eq!(Moment::of(4_107_542_399).format("2006-01-02 15:04:05"), "2100-02-28 23:59:59");
        assert_eq!(Moment::of(0).weekday(), "Thursday");
    }
}
