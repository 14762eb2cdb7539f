//! What kind of terminal stands on the other side, found out before a line editor is started: reedline
//! waits for seconds, at every prompt, on a terminal that does not say where its cursor is.

use std::io::{self, IsTerminal};

/// Which source of lines a terminal can bear.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A terminal that answers: menus, highlighting, hints. With what was typed before the prompt stood,
    /// Enter as `\n`.
    Rich(String),
    /// A terminal that does not say where its cursor is: a line editor without menus.
    Plain(String),
    /// A terminal that obeys nothing (`TERM` is `dumb`, `emacs` or unset): lines as they come.
    Dumb,
    /// No terminal: a pipe or a file.
    Script,
}

impl Kind {
    /// Looks at the standard streams, `TERM`, and at how the terminal behaves.
    pub fn find() -> Kind {
        if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
            return Kind::Script;
        }
        // the rich editor draws on the error stream
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

/// Stops this process as a job, as Ctrl-Z does where the terminal handles keys itself; goes on when it is brought back.
pub fn suspend() {
    #[cfg(unix)]
    {
        let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::TSTP);
    }
}

/// Columns and rows of the terminal; 80 by 24 where it does not say.
pub fn size() -> (usize, usize) {
    match crossterm::terminal::size() {
        Ok((columns, rows)) if columns > 0 && rows > 0 => (columns.into(), rows.into()),
        _ => (80, 24),
    }
}

/// Whether the terminal is known to break lines anew when it gets another width. No terminal says so; xterm does not.
pub fn breaks_again() -> bool {
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

/// What an editor would have made of the bytes: text, line ends, backspace; no other keys.
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
                // A key like an arrow: `ESC [ … letter` or `ESC O letter`.
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

    /// How long a terminal may think about where its cursor is: one far away, or on a busy machine, is no poor one. Only
    /// one that never answers makes anybody wait so long, once.
    const PATIENCE: Duration = Duration::from_millis(500);

    /// Asks the terminal for its cursor. Whether it answered, and the bytes around the answer, which a
    /// person typed.
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
    /// The console of Windows answers by a call, never by bytes: there is nothing to wait for.
    pub fn cursor() -> std::io::Result<(bool, Vec<u8>)> {
        Ok((crossterm::cursor::position().is_ok(), Vec::new()))
    }
}

/// Where `ESC [ row ; column R` stands in the bytes.
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
    fn keys_that_edit_are_obeyed() {
        assert_eq!(typed_as("a\r\u{7f}b\u{7f}c\u{15}é\u{4}".as_bytes()), "a\né");
    }
}
