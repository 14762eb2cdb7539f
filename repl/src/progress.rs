//! What a person who waits for more than a second is told: what is done, for how long, how to stop it. It stands on one
//! line of the screen and goes when the answer comes.

use crate::paint::Paint;
use cfg_core::session::{Activity, Phase};
use cfg_core::view::{Role, Styled};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// How long one waits before anything is told.
const PATIENCE: Duration = Duration::from_secs(1);

/// The line, shared with what programs print while they run.
#[derive(Clone, Default)]
pub struct Progress {
    doing: Arc<OnceLock<Activity>>,
    /// The line as it stands on the screen; none where it does not.
    shown: Arc<Mutex<Option<String>>>,
}

impl Progress {
    /// Takes the handle on what the session does.
    pub fn watch(&self, doing: Activity) {
        let _ = self.doing.set(doing);
    }

    fn lock(&self) -> MutexGuard<'_, Option<String>> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The input runs for so long: tells it, if it is long enough.
    pub fn tick(&self, input: &str, since: Duration, paint: Paint, columns: usize) {
        let Some(doing) = self.doing.get().filter(|_| since >= PATIENCE) else { return };
        let line = line(input, doing.phase(), doing.checked(), since);
        let mut shown = self.lock();
        if shown.as_ref() == Some(&line) {
            return;
        }
        let text = paint.text(&Styled::of(Role::Dim, &line).cut(columns.saturating_sub(1)));
        let mut out = io::stdout().lock();
        // a terminal that is gone is found out by the answer
        let _ = write!(out, "\r\x1b[K{text}").and_then(|()| out.flush());
        *shown = Some(line);
    }

    /// Takes the line away, and writes instead.
    pub fn write(&self, text: &str) {
        let mut shown = self.lock();
        let mut out = io::stdout().lock();
        let erase = if shown.take().is_some() { "\r\x1b[K" } else { "" };
        let _ = write!(out, "{erase}{text}").and_then(|()| out.flush());
    }
}

/// The line: `evaluating  3 s  (Ctrl-C stops it)`.
fn line(input: &str, phase: Phase, checked: u64, since: Duration) -> String {
    let what = match phase {
        Phase::Reading => String::from("reading"),
        Phase::Inferring => String::from("inferring types"),
        Phase::Checking => format!("inferring what depends on it: {checked} so far"),
        Phase::Evaluating => String::from("evaluating"),
        Phase::Writing => String::from("writing the answer"),
        Phase::Commanded => String::from(input.split_whitespace().next().unwrap_or_default()),
    };
    let seconds = since.as_secs();
    let time = if seconds < 60 { format!("{seconds} s") } else { format!("{}:{:02} min", seconds / 60, seconds % 60) };
    format!("{what}  {time}  (Ctrl-C stops it)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_what_is_done_and_for_how_long() {
        let told =
            |phase, seconds: u64| line(":steps  a & b", phase, 1200, Duration::from_millis(seconds * 1000 + 999));
        assert_eq!(told(Phase::Evaluating, 3), "evaluating  3 s  (Ctrl-C stops it)");
        assert_eq!(told(Phase::Commanded, 59), ":steps  59 s  (Ctrl-C stops it)");
        assert_eq!(told(Phase::Checking, 61), "inferring what depends on it: 1200 so far  1:01 min  (Ctrl-C stops it)");
    }
}
