//! The current activity of a session, for faces that show progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// The work that a session is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Parsing a text.
    Reading,
    /// Inferring types.
    Inferring,
    /// Checking the definitions that depend on a changed one.
    Checking,
    /// Evaluating.
    Evaluating,
    /// Rendering an answer.
    Writing,
    /// Running a command.
    Commanded,
}

const ALL: [Phase; 6] =
    [Phase::Reading, Phase::Inferring, Phase::Checking, Phase::Evaluating, Phase::Writing, Phase::Commanded];

/// A handle on the session's activity. Other threads may read it at any time.
#[derive(Clone, Debug, Default)]
pub struct Activity(Arc<Progress>);

#[derive(Debug, Default)]
struct Progress {
    /// The index of the phase in `ALL`.
    phase: AtomicU8,
    /// The number of definitions checked.
    checked: AtomicU64,
}

impl Activity {
    /// The current phase.
    pub fn phase(&self) -> Phase {
        ALL.get(usize::from(self.0.phase.load(Ordering::Relaxed))).copied().unwrap_or(Phase::Commanded)
    }

    /// The number of definitions checked again since the input began.
    pub fn checked(&self) -> u64 {
        self.0.checked.load(Ordering::Relaxed)
    }

    /// Begins an input: a command, or a text to parse.
    pub(crate) fn input(&self, command: bool) {
        self.set(if command { Phase::Commanded } else { Phase::Reading });
        self.0.checked.store(0, Ordering::Relaxed);
    }

    /// Counts one more definition that is checked again.
    pub(crate) fn check(&self) {
        self.0.checked.fetch_add(1, Ordering::Relaxed);
    }

    /// Sets the phase until the guard is dropped. Inference during a check still counts as checking.
    pub(crate) fn begin(&self, phase: Phase) -> PhaseGuard<'_> {
        let before = self.phase();
        if !(before == Phase::Checking && phase == Phase::Inferring) {
            self.set(phase);
        }
        // what follows parsing and evaluation is the answer
        PhaseGuard { doing: self, before: if before == Phase::Reading { Phase::Writing } else { before } }
    }

    fn set(&self, phase: Phase) {
        self.0.phase.store(phase as u8, Ordering::Relaxed);
    }
}

/// Ends a phase when dropped.
pub(crate) struct PhaseGuard<'d> {
    doing: &'d Activity,
    before: Phase,
}

impl Drop for PhaseGuard<'_> {
    fn drop(&mut self) {
        self.doing.set(self.before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_something_says_less_than_the_whole() {
        let doing = Activity::default();
        doing.input(false);
        assert_eq!(doing.phase(), Phase::Reading);
        {
            let _inferring = doing.begin(Phase::Inferring);
            assert_eq!(doing.phase(), Phase::Inferring);
        }
        assert_eq!(doing.phase(), Phase::Writing);
        let _checking = doing.begin(Phase::Checking);
        let _inferring = doing.begin(Phase::Inferring);
        assert_eq!(doing.phase(), Phase::Checking);
    }
}
