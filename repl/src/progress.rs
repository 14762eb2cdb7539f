//! Shows progress after one second: the activity, the time elapsed, and how to stop it. The message takes one line of
//! the screen and disappears when the answer arrives.

use crate::paint::Paint;
use cfg_core::{Activity, Phase, Role, Styled};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// Delay before the first message.
const PATIENCE: Duration = Duration::from_secs(1);

/// The progress line; programs that print while they run share it.
#[derive(Clone, Default)]
pub struct Progress {
    activity: Arc<OnceLock<Activity>>,
    /// The line on the screen, if there is one.
    shown: Arc<Mutex<Option<String>>>,
}

impl Progress {
    /// Sets the handle that reports the session's activity.
    pub fn watch(&self, activity: Activity) {
        let _ = self.activity.set(activity);
    }

    fn lock(&self) -> MutexGuard<'_, Option<String>> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Updates the line, if the input has run for long enough.
    pub fn tick(&self, input: &str, since: Duration, paint: Paint, columns: usize) {
        if since < PATIENCE {
            return;
        }
        let line = match self.activity.get() {
            Some(activity) => line(input, activity.phase(), activity.checked(), since),
            None => timed("running", since),
        };
        let mut shown = self.lock();
        if shown.as_ref() == Some(&line) {
            return;
        }
        let text = paint.text(&Styled::of(Role::Dim, &line).cut(columns.saturating_sub(1)));
        let mut out = io::stdout().lock();
        // if the terminal is gone, writing the answer will fail too
        let _ = write!(out, "\r\x1b[K{text}").and_then(|()| out.flush());
        *shown = Some(line);
    }

    /// Erases the line and writes `text`.
    pub fn write(&self, text: &str) {
        let mut shown = self.lock();
        let mut out = io::stdout().lock();
        let erase = if shown.take().is_some() { "\r\x1b[K" } else { "" };
        let _ = write!(out, "{erase}{text}").and_then(|()| out.flush());
    }
}

/// Returns the line: `evaluating  3 s  (Ctrl-C stops it)`.
fn line(input: &str, phase: Phase, checked: u64, since: Duration) -> String {
    let what = match phase {
        Phase::Reading => String::from("reading"),
        Phase::Inferring => String::from("inferring types"),
        Phase::Checking => format!("inferring dependents: {checked} so far"),
        Phase::Evaluating => String::from("evaluating"),
        Phase::Writing => String::from("writing the answer"),
        Phase::Commanded => String::from(input.split_whitespace().next().unwrap_or_default()),
    };
    timed(&what, since)
}

fn timed(what: &str, since: Duration) -> String {
    let seconds = since.as_secs();
    let time = if seconds < 60 { format!("{seconds} s") } else { format!("{}:{:02} min", seconds / 60, seconds % 60) };
    format!("{what}  {time}  (Ctrl-C stops it)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_shows_the_activity_and_the_time() {
        let shown =
            |phase, seconds: u64| line(":steps  a & b", phase, 1200, Duration::from_millis(seconds * 1000 + 999));
        assert_eq!(shown(Phase::Evaluating, 3), "evaluating  3 s  (Ctrl-C stops it)");
        assert_eq!(shown(Phase::Commanded, 59), ":steps  59 s  (Ctrl-C stops it)");
        assert_eq!(shown(Phase::Checking, 61), "inferring dependents: 1200 so far  1:01 min  (Ctrl-C stops it)");
    }
}
