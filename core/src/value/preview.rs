//! Previews of values for reports, in the middle of an evaluation.

use super::datum::Datum;
use super::machine::Budget;
use super::{Machine, Thunk};

/// The state of a preview that is being made of a value for a report, in the middle of an evaluation ([`Machine::preview`]).
#[derive(Clone, Copy, Debug)]
pub(super) struct Preview {
    /// The number of thunks that were being evaluated when it began. 0 if there is no preview.
    pub(super) from: usize,
    /// The index of the outermost running thunk that turned out to be needed again since then.
    pub(super) needed: usize,
}

impl Preview {
    /// No preview.
    pub(super) const NONE: Preview = Preview { from: 0, needed: usize::MAX };

    /// Whether the preview needed a value that was already being evaluated when it began. A fault in the preview is then not a
    /// fault of the program, which would not have needed that value here.
    pub(super) fn is_cut_off(&self) -> bool {
        self.needed < self.from
    }
}

impl Machine {
    /// Returns a value as data, for a report about the running evaluation. Omits parts that cannot be computed during that
    /// evaluation; they are computed when the program itself needs them.
    #[cold]
    pub(super) fn preview(&mut self, thunk: &Thunk) -> Datum {
        let outer = std::mem::replace(&mut self.preview, Preview { from: self.running.len(), ..Preview::NONE });
        // The preview masks the secrets that it reads.
        let secrets = self.secrets.clone();
        let mut datum = self.datum(thunk, Budget::SHORT);
        without_faults(&mut datum);
        self.secrets = secrets;
        let needed = self.preview.needed.min(outer.needed);
        self.preview = if outer.from == 0 { Preview::NONE } else { Preview { needed, ..outer } };
        datum
    }
}

/// Replaces the faults in a value, which reports do not show. The fault of each level of a nested value would contain those of all
/// levels below.
fn without_faults(datum: &mut Datum) {
    let mut work = vec![datum];
    while let Some(datum) = work.pop() {
        match datum {
            Datum::Fault(_) => *datum = Datum::Unforced,
            Datum::Array(items) => work.extend(items),
            Datum::Record(entries) => work.extend(entries.iter_mut().filter_map(|entry| entry.value.as_mut())),
            Datum::Map(entries) => work.extend(entries.iter_mut().flat_map(|(key, value)| [key, value])),
            Datum::Variant(_, argument) => work.push(argument),
            _ => {}
        }
    }
}
