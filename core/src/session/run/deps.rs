//! `cfg deps`, `cfg graph`

use super::{CALL, Run};
use crate::problem::Severity;
use crate::session::Drawing;
use crate::styled::{Role, Styled};
use crate::term::Term;
use std::sync::Arc;

impl Run<'_> {
    pub(super) fn deps(&mut self, _: &Arc<Term>, _: &str, _: bool, _: bool) {
        self.later("deps");
    }

    pub(super) fn graph(&mut self, _: &Arc<Term>, _: Option<&str>, _: Drawing) {
        self.later("graph");
    }

    fn later(&mut self, name: &str) {
        let mut text = Styled::of(Role::Error, "error");
        text.plain(format!(": `cfg {name}` is not built yet"));
        self.outcome.reports.push((Severity::Error, text));
        self.outcome.exit = CALL;
    }
}
