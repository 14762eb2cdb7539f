//! `cfg watch`: prints the differences in a program's result after each change of a file that it reads and after each event.
//!
//! An event sets an external variable of the program to its next value. Events come from a file (`--events`), in which each line is
//! `NAME VALUE`, or from the clock (`--tick NAME=SECONDS`).

use crate::call::{CALL_AT_FAULT, Target, fault, one, paint, print};
use crate::cli;
use crate::host::Host;
use crate::loader::Disk;
use cfg_core::{Action, Event, Format, Languages, Loader, Medium, Outcome, Request, Role, Session, Styled, Watch};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A session, and the program that it watches.
struct Watched {
    session: Session,
    watch: Watch,
    request: Request,
}

fn text_of(disk: &Disk, path: &std::path::Path) -> io::Result<String> {
    String::from_utf8(disk.read(path)?).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "this is not UTF-8"))
}

/// Runs the command and returns the exit code. With `--events`, returns after the last event; otherwise runs until an
/// interrupt or an error ends the process.
pub fn run(languages: Languages, disk: Disk, watch: cli::Watch) -> io::Result<u8> {
    let cli::Watch { events, interval, tick, format, program } = watch;
    let events = match events.map(|path| text_of(&disk, &path).map_err(|why| (path, why))).transpose() {
        Ok(events) => events,
        Err((path, why)) => return fault(format!("{}: {}", path.display(), crate::call::reason(&why))),
    };
    let mut clocks = match tick.iter().map(|text| Clock::parse(text)).collect::<Result<Vec<_>, _>>() {
        Ok(clocks) => clocks,
        Err(why) => return fault(&why),
    };
    let request = match one(program, Action::Eval { at: None, format: Format::Text }) {
        Ok(request) => request,
        Err(why) => return fault(why),
    };
    let columns = io::stdout().is_terminal().then(|| crate::terminal::size().0);
    let host = Host::start(move || {
        let mut session = Session::with_languages(languages, Box::new(disk.clone()));
        if let Some(columns) = columns {
            session.set_width(columns);
        }
        Watched { session, watch: Watch::new(format), request: request.clone() }
    })?;
    let heading = |text: &str| if format == Medium::Json { Ok(()) } else { heading(text) };
    let mut feeds: Vec<(String, String)> = Vec::new();
    for clock in &mut clocks {
        feeds.push((clock.name.clone(), clock.read()));
    }
    let mut exit = match host.ask(move |watched: &mut Watched| watched.begin(&feeds)) {
        Ok(outcome) => print(&outcome, &Target::default())?,
        Err(_) => return crashed(),
    };
    if let Some(events) = events {
        for line in events.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (name, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let (name, value) = (String::from(name), String::from(value.trim()));
            if value.is_empty() {
                return fault(format!("`{line}` is not an event: a line is a name and a value"));
            }
            heading(line)?;
            match host.ask(move |watched: &mut Watched| watched.event(&name, &value)) {
                Ok(Ok(outcome)) => exit = exit.max(print(&outcome, &Target::default())?),
                Ok(Err(why)) => return fault(&why),
                Err(_) => return crashed(),
            }
        }
        std::mem::forget(host);
        return Ok(exit);
    }
    loop {
        std::thread::sleep(Duration::from_millis(interval.max(1)));
        for clock in &mut clocks {
            if !clock.is_due() {
                continue;
            }
            let (name, value) = (clock.name.clone(), clock.read());
            heading(&format!("{name} {value}"))?;
            match host.ask(move |watched: &mut Watched| watched.event(&name, &value)) {
                Ok(Ok(outcome)) => drop(print(&outcome, &Target::default())?),
                Ok(Err(why)) => return fault(&why),
                Err(_) => return crashed(),
            }
        }
        match host.ask(Watched::changed) {
            Ok(None) => {}
            Ok(Some((said, outcome))) => {
                for text in said {
                    heading(&text)?;
                }
                print(&outcome, &Target::default())?;
            }
            Err(_) => return crashed(),
        }
    }
}

impl Watched {
    /// Sets external variables to their first values, and evaluates the program for the first time.
    fn begin(&mut self, feeds: &[(String, String)]) -> Outcome {
        for (name, value) in feeds {
            let _ = self.session.feed(&mut self.watch, name, value);
        }
        self.session.watch(&self.request, &mut self.watch)
    }

    /// Sets an external variable to its next value, and evaluates the program. Fails with a message if it cannot be set.
    fn event(&mut self, name: &str, value: &str) -> Result<Outcome, String> {
        self.session.feed(&mut self.watch, name, value)?;
        Ok(self.session.watch(&self.request, &mut self.watch))
    }

    /// Reads changed files again and, if they have no errors, evaluates the program. Returns lines about the files, and the
    /// outcome. `None` if no file changed.
    fn changed(&mut self) -> Option<(Vec<String>, Outcome)> {
        let mut said = Vec::new();
        let events = self.session.read_changed_files(&mut self.watch);
        if events.is_empty() {
            return None;
        }
        let mut outcome = Outcome::default();
        for event in events {
            match event {
                Event::Answer(text) => said.push(text.text()),
                Event::Diagnostic { severity, report, .. } => outcome.reports.push((severity, report)),
                _ => {}
            }
        }
        if outcome.reports.is_empty() {
            outcome = self.session.watch(&self.request, &mut self.watch);
        }
        Some((said, outcome))
    }
}

/// An external variable that is set to the current time at intervals.
struct Clock {
    name: String,
    every: Duration,
    last: Option<Instant>,
}

impl Clock {
    fn parse(text: &str) -> Result<Clock, String> {
        let seconds = |text: &str| text.parse::<f64>().ok().filter(|s| s.is_finite() && *s > 0.0 && *s < 1e9);
        let (name, every) = text.split_once('=').unwrap_or((text, "1"));
        match seconds(every) {
            Some(every) if !name.is_empty() => {
                Ok(Clock { name: name.into(), every: Duration::from_secs_f64(every), last: None })
            }
            _ => Err(format!("`{text}` is not of the form NAME=SECONDS")),
        }
    }

    fn is_due(&self) -> bool {
        self.last.is_none_or(|last| last.elapsed() >= self.every)
    }

    /// Returns the seconds since 1970 as text, and notes that the clock was read.
    fn read(&mut self) -> String {
        self.last = Some(Instant::now());
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs()).to_string()
    }
}

/// Prints a line `# TEXT` above the differences that follow: the event, or a line about the files.
fn heading(text: &str) -> io::Result<()> {
    let mut line = Styled::of(Role::Dim, format!("# {text}"));
    line.plain("\n");
    let mut out = io::stdout().lock();
    paint(io::stdout().is_terminal()).send(&line, &mut out)?;
    out.flush()
}

fn crashed() -> io::Result<u8> {
    fault("cfg failed with an internal error; this is a bug in cfg, not in your program")?;
    Ok(CALL_AT_FAULT)
}
