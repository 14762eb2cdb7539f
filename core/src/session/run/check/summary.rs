//! The findings of a check, joined in the order of the programs.
//!
//! Programs can be checked in sessions of their own, on all cores. Their findings are data that can be sent to another
//! thread, so that decisions about all programs (whether a problem was reported before, the number of warnings in libraries, the
//! known problems) are made where they are joined.

use super::baseline::{Baseline, Key, Place};
use crate::loader::Loader;
use crate::problem::Severity;
use crate::problem::session::SessionKind;
use crate::session::request::CheckOptions;
use crate::styled::Styled;
use crate::text::Name;
use std::collections::{BTreeSet, HashMap};

/// A problem that a check found, with its report.
#[derive(Clone, Debug)]
pub struct Finding {
    pub(super) severity: Severity,
    pub(super) report: Styled,
    /// The identity of the problem, if it is compared with others.
    key: Option<Key>,
    /// The file, if the problem is in a library and therefore only counted.
    library: Option<Name>,
}

impl Finding {
    pub(super) fn new(severity: Severity, key: Option<Key>, report: Styled) -> Finding {
        Finding { severity, report, key, library: None }
    }

    /// A report that is not compared with others: of a program that cannot be read.
    pub(super) fn whole(severity: Severity, report: Styled) -> Finding {
        Finding::new(severity, None, report)
    }

    /// A problem of a library, which is only counted.
    pub(super) fn in_library(severity: Severity, key: Key, file: Name) -> Finding {
        Finding { severity, report: Styled::default(), key: Some(key), library: Some(file) }
    }
}

/// The state of a check of all programs.
pub(super) struct Summary {
    /// The known problems, if there is a baseline.
    baseline: Option<Baseline>,
    /// The highest severity that was found at each place, for each of the problems there in order. A file that several
    /// programs import is reported once.
    found: HashMap<Place, Vec<Severity>>,
    /// The number of problems of the program at each place.
    of_program: HashMap<Place, usize>,
    /// The number of warnings in libraries, and the files that have them.
    in_libraries: (usize, BTreeSet<Name>),
}

impl Summary {
    pub fn new(loader: &dyn Loader, options: &CheckOptions) -> Result<Summary, SessionKind> {
        let baseline = options.baseline.as_deref().map(|path| Baseline::read(loader, path)).transpose()?;
        Ok(Summary { baseline, found: HashMap::new(), of_program: HashMap::new(), in_libraries: Default::default() })
    }

    /// Begins the next program.
    pub fn begin_program(&mut self) {
        self.of_program.clear();
    }

    /// Whether a finding is reported: not one that was reported before, that is only counted, or that is known.
    pub fn is_reported(&mut self, finding: &Finding) -> bool {
        let Some(key) = &finding.key else { return true };
        let place = key.place();
        let number = self.of_program.entry(place.clone()).or_default();
        let found = self.found.entry(place).or_default();
        // the lower severity is the more serious one
        match found.get_mut(*number) {
            Some(before) if *before <= finding.severity => {
                *number += 1;
                return false;
            }
            Some(before) => *before = finding.severity,
            None => found.push(finding.severity),
        }
        *number += 1;
        if let Some(file) = &finding.library {
            self.in_libraries.0 += 1;
            self.in_libraries.1.insert(file.clone());
            return false;
        }
        !self.baseline.as_mut().is_some_and(|baseline| baseline.has(key))
    }

    /// Returns the file to write, by path and content, and the facts to report at the end.
    pub fn end(self) -> (Option<(String, String)>, Vec<SessionKind>) {
        let (warnings, files) = (self.in_libraries.0, self.in_libraries.1.len());
        let counted = (warnings > 0).then_some(SessionKind::InLibraries { warnings, files });
        let known = self.baseline.as_ref().and_then(Baseline::told);
        (self.baseline.and_then(|baseline| baseline.written()), counted.into_iter().chain(known).collect())
    }
}
