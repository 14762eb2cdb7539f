//! Decides line by line whether an input is complete, without parsing all of a long input again after each line.

use super::incomplete;
use crate::engine::Engine;
use crate::host::Ask;
use cfg_core::Role;
use std::ops::Range;

/// The length in bytes from which an input is long. Shorter inputs are parsed after each line.
const MIN_LONG_LENGTH: usize = 4096;

/// Begins and ends a block of text in some languages. Brackets in it are not brackets.
const TEXT_BLOCK: &str = "|||";

/// An input that grows line by line. A line in the middle of open brackets is only split into tokens, so that a record of `n`
/// lines costs O(n). The whole is parsed when the brackets may be closed, and whenever it is twice as long as before, so that a
/// mistake ends the input.
#[derive(Default)]
pub struct GrowingInput {
    /// The number of open brackets at the end. `None` if it is unknown, for example within a string of several lines.
    open_brackets: Option<usize>,
    /// The length in bytes of the text when it was last parsed.
    parsed_length: usize,
}

impl GrowingInput {
    /// Returns whether the text needs more lines. `line` is its last line; the text without it was passed before.
    pub fn needs_more(&mut self, sessions: &impl Ask<Box<dyn Engine>>, text: &str, line: &str) -> bool {
        let highlight = |text: &str| {
            let text = text.to_string();
            sessions.ask(move |engine: &mut Box<dyn Engine>| engine.highlight(&text)).unwrap_or_default()
        };
        self.needs_more_with(text, line, |text| incomplete(sessions, text), highlight)
    }

    /// Like [`GrowingInput::needs_more`], with the parser and the highlighter as arguments.
    fn needs_more_with(
        &mut self,
        text: &str,
        line: &str,
        incomplete: impl Fn(&str) -> bool,
        highlight: impl Fn(&str) -> Vec<(Range<usize>, Role)>,
    ) -> bool {
        if let Some(open) =
            self.open_brackets.filter(|_| text.len() >= MIN_LONG_LENGTH && text.len() < 2 * self.parsed_length)
        {
            self.open_brackets = depth(line, open, true, &highlight);
            if self.open_brackets.is_some() {
                return true;
            }
        }
        let is_incomplete = incomplete(text);
        // brackets are not counted in a command (`:`), in a cell of another language (`%%`) and beside a text block
        let is_plain = !text.trim_start().starts_with([':', '%']) && !text.contains(TEXT_BLOCK);
        self.open_brackets = if is_incomplete && is_plain && text.len() >= MIN_LONG_LENGTH {
            depth(text, 0, false, &highlight)
        } else {
            None
        };
        self.parsed_length = text.len();
        is_incomplete
    }
}

/// Returns the number of open brackets after a text, if there are `open` before it. `None` if the text ends inside a
/// token, if no bracket is open at its end or, with `stop_when_closed`, as soon as none is open.
fn depth(
    text: &str,
    mut open: usize,
    stop_when_closed: bool,
    highlight: impl Fn(&str) -> Vec<(Range<usize>, Role)>,
) -> Option<usize> {
    // `0` is a probe: it is a literal by itself only if the text ends between two tokens
    let roles = highlight(&format!("{text}\n0"));
    let last = roles.last().filter(|(range, role)| *role == Role::Literal && range.start == text.len() + 1);
    if last.is_none() || text.contains(TEXT_BLOCK) {
        return None;
    }
    let mut roles = roles.into_iter().peekable();
    for (at, c) in text.char_indices() {
        if !matches!(c, '{' | '[' | '(' | '}' | ']' | ')') {
            continue;
        }
        while roles.next_if(|(range, _)| range.end <= at).is_some() {}
        let within = roles
            .peek()
            .is_some_and(|(range, role)| range.contains(&at) && matches!(role, Role::String | Role::Comment));
        if within {
            continue;
        }
        open = if matches!(c, '{' | '[' | '(') { open + 1 } else { open.saturating_sub(1) };
        if open == 0 && stop_when_closed {
            return None;
        }
    }
    (open > 0).then_some(open)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfg_core::{Completeness, InMemory, Session};
    use std::cell::Cell;

    /// Feeds lines as a pipe does. Returns the inputs, and the number of bytes that were parsed.
    fn feed(text: &str) -> (Vec<String>, usize) {
        let session = Session::new(Box::new(InMemory::default()));
        let parsed = Cell::new(0);
        let incomplete = |text: &str| {
            parsed.set(parsed.get() + text.len());
            matches!(session.completeness(text), Completeness::Incomplete { .. })
        };
        let (mut inputs, mut input, mut growing) = (Vec::new(), String::new(), GrowingInput::default());
        for line in text.lines() {
            if !input.is_empty() {
                input.push('\n');
            }
            input.push_str(line);
            if !growing.needs_more_with(&input, line, incomplete, |text| session.highlight(text)) {
                inputs.push(std::mem::take(&mut input));
                growing = GrowingInput::default();
            }
        }
        inputs.extend((!input.is_empty()).then_some(input));
        (inputs, parsed.get())
    }

    #[test]
    fn a_long_record_is_parsed_a_few_times() {
        let fields: String = (0..2000).map(|n| format!("  f{n} = {{ a = [{n}], s = \"}} ] )\" }}, # }}\n")).collect();
        let text = format!("r = {{\n{fields}}}\nr.f7\n");
        let (inputs, parsed) = feed(&text);
        assert_eq!((inputs.len(), inputs.last().map(String::as_str)), (2, Some("r.f7")));
        // parsing after each line would parse about 1,000 times the text
        assert!(parsed < 80 * text.len(), "{parsed} bytes for {}", text.len());
    }

    #[test]
    fn a_long_input_ends_where_a_short_one_does() {
        let fields: String = (0..300).map(|n| format!("  f{n} = {n}, # one more field\n")).collect();
        for (begin, end) in [
            ("r = {\n", "}\n"),
            ("r = [{\n", "},\n{ a = 1 }\n]\n"),
            ("r = {\n", "  text = m%\"\n  } ]\n\"%,\n}\n"),
            ("r = {\n", "  a = {\n  } }\n"),
            ("r = {\n", "}\n& {\n  b = 1\n}\n"),
        ] {
            let text = format!("{begin}{fields}{end}x = 2\ny = {{\n}}\n");
            let session = Session::new(Box::new(InMemory::default()));
            // the inputs as they are if each line is parsed
            let (mut expected, mut input) = (Vec::new(), String::new());
            for line in text.lines() {
                input = if input.is_empty() { line.into() } else { format!("{input}\n{line}") };
                if session.completeness(&input) == Completeness::Complete {
                    expected.push(std::mem::take(&mut input));
                }
            }
            assert_eq!(feed(&text).0, expected, "{end}");
        }
    }

    #[test]
    fn a_mistake_ends_a_long_input() {
        let fields: String = (0..1000).map(|n| format!("  f{n} = {n}, # one more field\n")).collect();
        let (inputs, _) = feed(&format!("r = {{\n{fields}  = = 1,\n{fields}{fields}{fields}{fields}\n}}\n"));
        assert!(inputs.len() > 1, "{}", inputs.len());
    }
}
