//! Finds out what the terminal supports before a line editor starts. If a terminal does not report its cursor
//! position, reedline waits for seconds at every prompt.

use std::io::{self, IsTerminal};

/// The source of lines that a terminal supports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A terminal that reports its cursor: menus, highlighting, hints. Holds the text typed before the prompt
    /// appeared, with Enter as `\n`.
    Rich(String),
    /// A terminal that does not report its cursor: a line editor without menus. Holds the text typed before the prompt
    /// appeared.
    Plain(String),
    /// A terminal without escape sequences (`TERM` is `dumb`, `emacs` or unset): lines without an editor.
    Dumb,
    /// A pipe or a file.
    Script,
}

impl Kind {
    /// Examines the standard streams, `TERM`, and the terminal's replies.
    pub fn find() -> Kind {
        if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
            return Kind::Script;
        }
        // the rich editor draws on standard error
        let draws = io::stderr().is_terminal();
        #[cfg(unix)]
        match std::env::var("TERM").as_deref() {
            Err(_) | Ok("" | "dumb" | "emacs" | "cons25") => return Kind::Dumb,
            Ok(_) => {}
        }
        match probe::cursor() {
            Ok((true, typed)) if draws => Kind::Rich(typed_as(&typed)),
            Ok((_, typed)) => Kind::Plain(typed_as(&typed)),
            Err(_) => Kind::Dumb,
        }
    }
}

/// Suspends this process, as Ctrl-Z does if the terminal handles keys itself; returns when it is resumed.
pub fn suspend() {
    #[cfg(unix)]
    {
        let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::TSTP);
    }
}

/// Returns the columns and rows of the terminal; 80 by 24 if unknown.
pub fn size() -> (usize, usize) {
    match crossterm::terminal::size() {
        Ok((columns, rows)) if columns > 0 && rows > 0 => (columns.into(), rows.into()),
        _ => (80, 24),
    }
}

/// Reports whether the terminal is known to rewrap lines when its width changes. No terminal reports this; xterm does
/// not rewrap.
pub fn rewraps_lines() -> bool {
    let known = [
        "TMUX",
        "TERM_PROGRAM",
        "VTE_VERSION",
        "KITTY_WINDOW_ID",
        "WT_SESSION",
        "ALACRITTY_WINDOW_ID",
        "KONSOLE_VERSION",
    ];
    known.iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// Converts typed bytes to the text that a line editor would have: text, line ends, backspace. Other keys are dropped.
fn typed_as(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let line = out.rfind('\n').map_or(0, |end| end + 1);
        match c {
            '\r' | '\n' => out.push('\n'),
            '\u{8}' | '\u{7f}' if out.len() > line => drop(out.pop()),
            '\u{3}' | '\u{15}' => out.truncate(line),
            '\u{1b}' => {
                // An arrow key or the like: `ESC [ … letter` or `ESC O letter`.
                let mut ahead = chars.clone();
                if matches!(ahead.next(), Some('[' | 'O')) {
                    chars = ahead;
                    while chars.next().is_some_and(|c| !('@'..='~').contains(&c)) {}
                }
            }
            c if c.is_control() && c != '\t' => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(unix)]
mod probe {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use std::io::{self, Write};
    use std::time::{Duration, Instant};

    /// Maximum time for a terminal to report its cursor. It is long enough for a remote terminal or a busy machine;
    /// only a terminal that never answers costs all of it, once.
    const PATIENCE: Duration = Duration::from_millis(500);

    /// Asks the terminal for its cursor position. Returns whether it answered, and the other bytes received, which the
    /// user typed.
    pub fn cursor() -> io::Result<(bool, Vec<u8>)> {
        crossterm::terminal::enable_raw_mode()?;
        let found = ask();
        crossterm::terminal::disable_raw_mode()?;
        found
    }

    fn ask() -> io::Result<(bool, Vec<u8>)> {
        let mut out = io::stdout().lock();
        out.write_all(b"\x1b[6n")?;
        out.flush()?;
        let input = rustix::stdio::stdin();
        let end = Instant::now() + PATIENCE;
        let mut seen = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let wait = Timespec::try_from(left).map_err(io::Error::other)?;
            let mut fds = [PollFd::new(&input, PollFlags::IN)];
            match poll(&mut fds, Some(&wait)) {
                Ok(0) => return Ok((false, seen)),
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            }
            let mut chunk = [0; 1024];
            let n = match rustix::io::read(input, &mut chunk) {
                Ok(0) => return Ok((false, seen)),
                Ok(n) => n,
                Err(rustix::io::Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            };
            seen.extend(chunk.iter().take(n));
            if let Some(report) = super::cursor_report(&seen) {
                seen.drain(report);
                return Ok((true, seen));
            }
        }
    }
}

#[cfg(not(unix))]
mod probe {
    /// The Windows console reports its cursor by a function call, so there are no bytes to wait for.
    pub fn cursor() -> std::io::Result<(bool, Vec<u8>)> {
        Ok((crossterm::cursor::position().is_ok(), Vec::new()))
    }
}

/// Returns the range of `ESC [ row ; column R` in the bytes.
#[cfg_attr(not(unix), allow(dead_code))]
fn cursor_report(bytes: &[u8]) -> Option<std::ops::Range<usize>> {
    let digits = |from: usize| {
        let n = bytes.iter().skip(from).take_while(|b| b.is_ascii_digit());
        from + n.count()
    };
    let starts = bytes.windows(2).enumerate().filter(|(_, w)| w == b"\x1b[");
    for (start, _) in starts {
        let row = digits(start + 2);
        let column = digits(row + 1);
        if row > start + 2 && bytes.get(row) == Some(&b';') && column > row + 1 && bytes.get(column) == Some(&b'R') {
            return Some(start..column + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_is_found_among_what_was_typed() {
        let bytes = b"1 +\x1b[A 1\r\x1b[12;34R2";
        let report = cursor_report(bytes).unwrap();
        assert_eq!(&bytes[report.clone()], b"\x1b[12;34R");
        let mut typed = bytes.to_vec();
        typed.drain(report);
        assert_eq!(typed_as(&typed), "1 + 1\n2");
        assert_eq!(cursor_report(b"\x1b[12;R \x1b[1"), None);
    }

    #[test]
    fn editing_keys_are_applied() {
        assert_eq!(typed_as("a\r\u{7f}b\u{7f}c\u{15}é\u{4}".as_bytes()), "a\né");
    }
}
