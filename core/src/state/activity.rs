//! What a session does at the moment, for a face that tells a person who waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// What takes the time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// A text is read.
    Reading,
    /// Types are inferred.
    Inferring,
    /// What depends on a definition is brought up to date.
    Checking,
    /// A program runs.
    Evaluating,
    /// An answer is written.
    Writing,
    /// A command works in a way of its own.
    Commanded,
}

const ALL: [Phase; 6] =
    [Phase::Reading, Phase::Inferring, Phase::Checking, Phase::Evaluating, Phase::Writing, Phase::Commanded];

/// A handle on what a session does. Another thread may look at any time.
#[derive(Clone, Debug, Default)]
pub struct Activity(Arc<State>);

#[derive(Debug, Default)]
struct State {
    /// The phase's place in `ALL`.
    phase: AtomicU8,
    /// How many definitions were checked.
    checked: AtomicU64,
}

impl Activity {
    /// What is done now.
    pub fn phase(&self) -> Phase {
        ALL.get(usize::from(self.0.phase.load(Ordering::Relaxed))).copied().unwrap_or(Phase::Commanded)
    }

    /// How many definitions were looked at again since the input began.
    pub fn checked(&self) -> u64 {
        self.0.checked.load(Ordering::Relaxed)
    }

    /// An input begins: a command, or a text to be read.
    pub(crate) fn input(&self, command: bool) {
        self.set(if command { Phase::Commanded } else { Phase::Reading });
        self.0.checked.store(0, Ordering::Relaxed);
    }

    /// One more definition is looked at again.
    pub(crate) fn check(&self) {
        self.0.checked.fetch_add(1, Ordering::Relaxed);
    }

    /// Until the guard is dropped, this is done. What is inferred to check what depends on a definition is a part of that.
    pub(crate) fn begin(&self, phase: Phase) -> During<'_> {
        let before = self.phase();
        if !(before == Phase::Checking && phase == Phase::Inferring) {
            self.set(phase);
        }
        // after a text was read and something else was done, its answer is left
        During { doing: self, before: if before == Phase::Reading { Phase::Writing } else { before } }
    }

    fn set(&self, phase: Phase) {
        self.0.phase.store(phase as u8, Ordering::Relaxed);
    }
}

/// While it lives, its phase lasts.
pub(crate) struct During<'d> {
    doing: &'d Activity,
    before: Phase,
}

impl Drop for During<'_> {
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
