//! Texts that show inputs and their results, as pages with titles. Lines that begin with `# ` explain, lines that begin
//! with `> ` are inputs (`… ` continues an input), and all other lines are results. Tests run the inputs.

/// The first line of a page.
const MARK: &str = "== ";

/// A page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// The text after the mark.
    pub title: &'static str,
    /// Its parts, in order.
    pub parts: Vec<Part>,
}

/// A part of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// An explanation.
    Explanation(&'static str),
    /// The lines of an input.
    Typed(Vec<&'static str>),
    /// A line of a result.
    Comes(&'static str),
}

/// Parses the pages of a text. O(text).
pub fn pages(text: &'static str) -> Vec<Page> {
    let mut out: Vec<Page> = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix(MARK) {
            out.push(Page { title, parts: Vec::new() });
            continue;
        }
        let Some(page) = out.last_mut() else { continue };
        match (line.strip_prefix("# "), line.strip_prefix("> "), line.strip_prefix("… "), page.parts.last_mut()) {
            (Some(text), ..) => page.parts.push(Part::Explanation(text)),
            (_, Some(input), ..) => page.parts.push(Part::Typed(vec![input])),
            (_, _, Some(more), Some(Part::Typed(lines))) => lines.push(more),
            _ => page.parts.push(Part::Comes(line)),
        }
    }
    for page in &mut out {
        while page.parts.last() == Some(&Part::Comes("")) {
            page.parts.pop();
        }
    }
    out
}

impl Page {
    /// Returns the inputs, in order.
    pub fn inputs(&self) -> impl Iterator<Item = String> {
        self.parts.iter().filter_map(|part| match part {
            Part::Typed(lines) => Some(lines.join("\n")),
            _ => None,
        })
    }
}

#[cfg(test)]
pub mod tests {
    //! Runs the inputs of such texts.

    use super::{MARK, Page, Part};
    use crate::session::{Event, Session};

    /// Returns an event as plain lines.
    fn text_of(event: Event) -> String {
        match event {
            Event::Value { value, .. } => value.text(),
            Event::Bound(text) | Event::Answer(text) | Event::View { text, .. } => text.text(),
            Event::Steps { pages, footer, .. } => Event::text(&pages, &footer).text(),
            Event::Diagnostic { report, .. } => report.text(),
            Event::Output(text) => text,
            Event::Quit => String::new(),
        }
    }

    /// Returns a page with the real results of its inputs.
    pub fn run(page: &Page, session: &mut Session) -> String {
        let mut out = format!("{MARK}{}\n", page.title);
        for part in &page.parts {
            match part {
                Part::Explanation(text) => out += &format!("# {text}\n"),
                Part::Comes(_) => {}
                Part::Typed(lines) => {
                    for (at, line) in lines.iter().enumerate() {
                        out += &format!("{} {line}\n", if at == 0 { '>' } else { '…' });
                    }
                    let input = lines.join("\n");
                    // pages are 80 columns wide, and results are indented by 4
                    session.set_width(76);
                    for event in session.submit(&input) {
                        for line in text_of(event).lines() {
                            out += &format!("{}\n", steady(line.trim_end(), &input));
                        }
                    }
                }
            }
        }
        out
    }

    /// Replaces times, which differ from run to run.
    fn steady(line: &str, input: &str) -> String {
        match input.starts_with(":time") && line.starts_with("read ") {
            true => String::from("read 0.01 ms, inferred 0.02 ms, evaluated 0.03 ms"),
            false => String::from(line),
        }
    }
}
