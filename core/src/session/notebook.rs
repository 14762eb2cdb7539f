//! What a notebook asks beyond a prompt: cells with the notebook's numbers, and expressions that leave no trace.

use super::commands::expression;
use super::{Event, Session};
use crate::dialect::Dialect;

impl Session {
    /// The next cell takes this number. One that was taken before should not be given again: `$n` and the definitions
    /// that read `it` name results by it.
    pub fn set_next_number(&mut self, number: u32) {
        self.next = number;
    }

    /// The value of an expression, and what is to be said of it. It takes no number, binds nothing, and `it` stays what it
    /// was.
    pub fn evaluate(&mut self, text: &str) -> Vec<Event> {
        self.begin();
        let term = match expression(self, text) {
            Ok(term) => term,
            Err(problems) => return problems,
        };
        let typed = self.world.infer(&term);
        let thunk = self.machine.thunk(&term);
        let (mut events, mut traced) = (Vec::new(), Vec::new());
        let datum = self.datum(&thunk, &mut traced);
        self.typed_beside(&typed, &datum, &mut events);
        events.append(&mut traced);
        self.show(self.next, &datum, &typed, &mut events);
        self.machine.tidy();
        self.world.forget_texts(self.settings.history, |needed| self.remembered_texts(needed));
        events
    }

    /// The language of a cell: what its `%%` line names, else the one that is spoken.
    pub fn language_of(&self, text: &str) -> Dialect {
        self.language(text)
    }
}

#[cfg(test)]
mod tests {
    use crate::loader::NoLoader;
    use crate::session::{Event, Session};

    fn values(events: &[Event]) -> Vec<String> {
        let value = |event: &Event| match event {
            Event::Value { number, value, .. } => Some(format!("{number}: {}", value.text())),
            _ => None,
        };
        events.iter().filter_map(value).collect()
    }

    #[test]
    fn an_expression_beside_the_cells_leaves_no_trace() {
        let mut session = Session::new(Box::new(NoLoader));
        assert_eq!(values(&session.submit("let x = 20\nx + 1")), ["1: 21"]);
        assert_eq!(values(&session.evaluate("x * 2")), ["2: 40"]);
        assert!(matches!(session.evaluate("nothing").as_slice(), [Event::Diagnostic { .. }]));
        assert_eq!(values(&session.submit("it")), ["2: 21"]);
    }

    #[test]
    fn cells_have_the_numbers_of_the_notebook() {
        let mut session = Session::new(Box::new(NoLoader));
        session.set_next_number(7);
        assert_eq!(values(&session.submit("1")), ["7: 1"]);
        assert_eq!(values(&session.submit("$7 + 1")), ["8: 2"]);
    }
}
