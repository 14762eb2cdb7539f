//! Texts that show what is typed and what comes of it: pages under titles, in which lines that begin with `# ` explain,
//! those with `> ` are typed (with `… ` their further lines), and the others are what comes of it. Tests type them.

/// The first line of a page.
const MARK: &str = "== ";

/// A page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// Behind the mark.
    pub title: &'static str,
    /// Its parts, in order.
    pub parts: Vec<Part>,
}

/// A part of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// An explanation.
    Says(&'static str),
    /// An input, its lines.
    Typed(Vec<&'static str>),
    /// A line of what comes of it.
    Comes(&'static str),
}

/// The pages of a text. O(text).
pub fn pages(text: &'static str) -> Vec<Page> {
    let mut out: Vec<Page> = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix(MARK) {
            out.push(Page { title, parts: Vec::new() });
            continue;
        }
        let Some(page) = out.last_mut() else { continue };
        match (line.strip_prefix("# "), line.strip_prefix("> "), line.strip_prefix("… "), page.parts.last_mut()) {
            (Some(text), ..) => page.parts.push(Part::Says(text)),
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
    /// The inputs, in order.
    pub fn inputs(&self) -> impl Iterator<Item = String> {
        self.parts.iter().filter_map(|part| match part {
            Part::Typed(lines) => Some(lines.join("\n")),
            _ => None,
        })
    }
}

#[cfg(test)]
pub mod tests {
    //! How such texts are tried.

    use super::{MARK, Page, Part};
    use crate::session::{Event, Session};

    /// An event as plain lines.
    fn text_of(event: Event) -> String {
        match event {
            Event::Value { value, .. } => value.text(),
            Event::Bound(text) | Event::Answer(text) | Event::View { text, .. } => text.text(),
            Event::Steps { pages, foot, .. } => Event::text(&pages, &foot).text(),
            Event::Diagnostic { report, .. } => report.text(),
            Event::Output(text) => text,
            Event::Quit => String::new(),
        }
    }

    /// A page as it comes of what it types.
    pub fn run(page: &Page, session: &mut Session) -> String {
        let mut out = format!("{MARK}{}\n", page.title);
        for part in &page.parts {
            match part {
                Part::Says(text) => out += &format!("# {text}\n"),
                Part::Comes(_) => {}
                Part::Typed(lines) => {
                    for (at, line) in lines.iter().enumerate() {
                        out += &format!("{} {line}\n", if at == 0 { '>' } else { '…' });
                    }
                    let input = lines.join("\n");
                    // what they show stands four columns in, on a page of 80
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

    /// Times differ from run to run.
    fn steady(line: &str, input: &str) -> String {
        match input.starts_with(":time") && line.starts_with("read ") {
            true => String::from("read 0.01 ms, inferred 0.02 ms, evaluated 0.03 ms"),
            false => String::from(line),
        }
    }
}
