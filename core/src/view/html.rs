//! Builds HTML that is safe by construction: tags are string literals of the program, all other text is escaped.
//!
//! The output has no scripts and no references to other files. The meaning is in the elements (`table`, `del`,
//! `strong`, `details`), so that it is preserved if styles are removed. Styles are in `html/look.rs`.

mod look;

pub use look::SHEET as STYLE_SHEET;

use super::{Role, Styled};
use unicode_width::UnicodeWidthStr;

/// Maximum width of a cell whose words stay on one line, in columns.
const SHORT: usize = 14;
/// Maximum width of the text of a cell without a minimum width, in columns.
const LONG: usize = 30;

/// An HTML fragment under construction. Elements are written by closures, so every element is closed.
#[derive(Clone, Debug, Default)]
pub struct Html {
    text: String,
    /// Number of open table cells. Line ends inside a cell would be visible.
    cells: usize,
    /// Whether long words may be broken between their parts, as in the cells of a table.
    breaks: bool,
}

/// A cell of a table.
#[derive(Clone, Debug)]
pub enum Cell {
    /// A text.
    Text(Styled),
    /// A text of this program, whose code spans become elements, as by [`Html::prose`].
    Prose(Styled),
    /// The header of its row: `th`.
    Head(Styled),
    /// A text that spans this many columns.
    Wide(Styled, usize),
}

impl<T: Into<Styled>> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell::Text(text.into())
    }
}

impl Cell {
    /// Returns whether the cell shows nothing.
    pub fn is_empty(&self) -> bool {
        match self {
            Cell::Text(text) | Cell::Prose(text) | Cell::Head(text) | Cell::Wide(text, _) => text.is_empty(),
        }
    }
}

impl Html {
    /// Makes an empty fragment.
    pub fn new() -> Html {
        Html::default()
    }

    /// Appends escaped text.
    pub fn text(&mut self, text: &str) -> &mut Html {
        match self.breaks {
            true => breakable(text, &mut self.text),
            false => escape(text, &mut self.text),
        }
        self
    }

    /// Appends styled text, with an element for each role.
    pub fn styled(&mut self, text: &Styled) -> &mut Html {
        for (role, run) in text.runs() {
            match element(*role) {
                None => {
                    self.text(run);
                }
                Some((tag, class)) => {
                    self.classed(tag, class, |html| {
                        html.text(run);
                    });
                }
            }
        }
        self
    }

    /// Appends styled text with Markdown code spans. Only for texts of this program; text from users must go through
    /// [`Html::styled`].
    pub fn prose(&mut self, text: &Styled) -> &mut Html {
        for (role, run) in text.runs() {
            let mut parts = run.split('`');
            if !matches!(role, Role::Plain | Role::Dim | Role::Heading | Role::Note)
                || run.matches('`').count() % 2 == 1
            {
                self.styled(&Styled::of(*role, run.as_str()));
                continue;
            }
            while let Some(outside) = parts.next() {
                self.styled(&Styled::of(*role, outside));
                if let Some(inside) = parts.next() {
                    self.element("code", |html| {
                        html.text(inside);
                    });
                }
            }
        }
        self
    }

    /// Appends `<tag>…</tag>`.
    pub fn element(&mut self, tag: &'static str, body: impl FnOnce(&mut Html)) -> &mut Html {
        self.with(tag, &[], body)
    }

    /// Appends `<tag class="…">…</tag>`, without the attribute if the class is empty.
    pub fn classed(&mut self, tag: &'static str, class: &str, body: impl FnOnce(&mut Html)) -> &mut Html {
        match class {
            "" => self.with(tag, &[], body),
            class => self.with(tag, &[("class", class)], body),
        }
    }

    /// Appends `<tag name="value"…>…</tag>` with escaped values. Attributes must not be scripts or addresses: `class`,
    /// `id`, `title`, `colspan` and the like.
    pub fn with(
        &mut self,
        tag: &'static str,
        attributes: &[(&'static str, &str)],
        body: impl FnOnce(&mut Html),
    ) -> &mut Html {
        self.text.push('<');
        self.text.push_str(tag);
        for (name, value) in attributes {
            self.text.push(' ');
            self.text.push_str(name);
            self.text.push_str("=\"");
            escape(value, &mut self.text);
            self.text.push('"');
        }
        self.text.push('>');
        let cell = matches!(tag, "td" | "th" | "pre" | "summary");
        self.cells += usize::from(cell);
        body(self);
        self.cells -= usize::from(cell);
        self.text.push_str("</");
        self.text.push_str(tag);
        self.text.push('>');
        if self.cells == 0 && is_block(tag) {
            self.text.push('\n');
        }
        self
    }

    /// Appends a paragraph of [`Html::prose`].
    pub fn paragraph(&mut self, text: &Styled) -> &mut Html {
        self.element("p", |html| {
            html.prose(text);
        })
    }

    /// Appends a heading of level 1 to 6.
    pub fn heading(&mut self, level: u8, text: &Styled) -> &mut Html {
        let tag = ["h1", "h2", "h3", "h4", "h5", "h6"].get(usize::from(level.saturating_sub(1))).unwrap_or(&"h6");
        self.element(tag, |html| {
            html.styled(text);
        })
    }

    /// Appends text whose line breaks and spaces are kept.
    pub fn preformatted(&mut self, text: &Styled) -> &mut Html {
        self.element("pre", |html| {
            html.styled(text);
        })
    }

    /// Appends a table: the column titles (no header if empty), then the rows. Empty rows are omitted.
    pub fn table(&mut self, head: &[&str], rows: impl IntoIterator<Item = Vec<Cell>>) -> &mut Html {
        self.element("table", |html| {
            if !head.is_empty() {
                html.element("thead", |html| {
                    html.element("tr", |html| {
                        for title in head {
                            html.with("th", &[("scope", "col")], |html| {
                                html.text(title);
                            });
                        }
                    });
                });
            }
            html.element("tbody", |html| {
                for row in rows.into_iter().filter(|row| !row.is_empty()) {
                    html.element("tr", |html| {
                        for cell in &row {
                            html.cell(cell);
                        }
                    });
                }
            });
        })
    }

    /// Appends a cell of a row.
    pub fn cell(&mut self, cell: &Cell) {
        let wide;
        let (tag, attributes, text): (_, &[(&str, &str)], _) = match cell {
            Cell::Text(text) | Cell::Prose(text) => ("td", &[], text),
            Cell::Head(text) => ("th", &[("scope", "row")], text),
            Cell::Wide(text, columns) => {
                wide = columns.to_string();
                ("td", &[("colspan", wide.as_str())], text)
            }
        };
        let attributes = match (attributes, extent(&text.text())) {
            ([], "short") => &[("class", "short")],
            ([], "long") => &[("class", "long")],
            _ => attributes,
        };
        self.with(tag, attributes, |html| {
            let before = std::mem::replace(&mut html.breaks, true);
            match cell {
                Cell::Prose(text) => html.prose(text),
                _ => html.styled(text),
            };
            html.breaks = before;
        });
    }

    /// Appends a cell whose content is more than a text. Long words in it may be broken between their parts, as in other cells.
    pub fn cell_of(&mut self, body: impl FnOnce(&mut Html)) -> &mut Html {
        self.wide_cell_of(1, body)
    }

    /// Appends a cell like [`Html::cell_of`] that spans this many columns.
    pub fn wide_cell_of(&mut self, columns: usize, body: impl FnOnce(&mut Html)) -> &mut Html {
        let count = columns.to_string();
        let attributes: &[(&str, &str)] = if columns > 1 { &[("colspan", &count)] } else { &[] };
        self.with("td", attributes, |html| {
            let before = std::mem::replace(&mut html.breaks, true);
            body(html);
            html.breaks = before;
        })
    }

    /// Appends a disclosure widget with a summary.
    pub fn details(&mut self, open: bool, summary: &Styled, body: impl FnOnce(&mut Html)) -> &mut Html {
        let attributes: &[(&str, &str)] = if open { &[("open", "")] } else { &[] };
        self.with("details", attributes, |html| {
            html.element("summary", |html| {
                html.styled(summary);
            });
            body(html);
        })
    }

    /// Appends an image as a part of the page, with alternative text. The SVG cannot run scripts or load files, because
    /// it is embedded as an image.
    pub fn picture(&mut self, svg: &str, instead: &str) -> &mut Html {
        use base64::Engine;
        self.text.push_str("<img src=\"data:image/svg+xml;base64,");
        base64::engine::general_purpose::STANDARD.encode_string(svg, &mut self.text);
        self.text.push_str("\" alt=\"");
        escape(instead, &mut self.text);
        self.text.push_str("\">\n");
        self
    }

    /// Returns the fragment for a page of another program, such as a notebook's output. Elements carry the styles that
    /// a strict host keeps; the rest is in [`STYLE_SHEET`], which the page needs once. O(text).
    pub fn fragment(&self) -> String {
        look::fragment(&self.text)
    }

    /// Returns a complete page.
    pub fn page(&self, title: &str) -> String {
        let mut out = String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        out.push_str("<meta name=\"color-scheme\" content=\"dark light\">\n<title>");
        escape(title, &mut out);
        out.push_str("</title>\n<style>");
        out.push_str(look::PAGE);
        out.push_str(look::SHEET);
        out.push_str("</style>\n</head>\n<body>\n<main class=\"cfg\">\n");
        out.push_str(&self.text);
        out.push_str("</main>\n</body>\n</html>\n");
        out
    }

    /// Returns the elements without the style sheet.
    #[cfg(test)]
    pub fn into_string(self) -> String {
        self.text
    }
}

/// Escapes a text for an element or for an attribute in double quotes. Makes control characters visible, and replaces
/// characters that change the text direction or are not allowed in XML. O(text).
pub fn escape(text: &str, into: &mut String) {
    into.reserve(text.len());
    for c in text.chars() {
        match c {
            '&' => into.push_str("&amp;"),
            '<' => into.push_str("&lt;"),
            '>' => into.push_str("&gt;"),
            '"' => into.push_str("&quot;"),
            '\'' => into.push_str("&#39;"),
            '\n' | '\t' => into.push(c),
            // The symbol of a control character.
            '\0'..='\x1f' => into.push(char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}')),
            '\x7f' => into.push('\u{2421}'),
            '\u{80}'..='\u{9f}'
            | '\u{fffe}'
            | '\u{ffff}'
            | '\u{61c}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' => into.push('\u{fffd}'),
            _ => into.push(c),
        }
    }
}

/// Escapes a text in which a browser may break long words after a `/`, and strings also after the dots of a host, so that an
/// address or a path does not make its column wider than the page. O(text).
fn breakable(text: &str, into: &mut String) {
    for word in text.split_inclusive(char::is_whitespace) {
        if word.width() <= SHORT {
            escape(word, into);
            continue;
        }
        let is_string = word.starts_with(['"', '\'']);
        let mut parts = word.split_inclusive(|c| c == '/' || (is_string && c == '.')).peekable();
        while let Some(part) = parts.next() {
            escape(part, into);
            let begins_word = |next: &&str| match part.ends_with('.') {
                true => next.starts_with(char::is_alphabetic),
                false => next.starts_with(char::is_alphanumeric),
            };
            if parts.peek().is_some_and(begins_word) {
                into.push_str("<wbr>");
            }
        }
    }
}

/// Returns the class of a cell with this text. Phrases such as `priority 20` stay on one line. A sentence gets a minimum width, so
/// that other columns do not make a tower of words of it.
fn extent(text: &str) -> &'static str {
    match text.lines().map(UnicodeWidthStr::width).max().unwrap_or(0) {
        _ if !text.contains(' ') => "",
        width if width <= SHORT && !text.contains('\n') => "short",
        width if width > LONG => "long",
        _ => "",
    }
}

/// Returns the element and class of a role; `None` for unmarked text.
fn element(role: Role) -> Option<(&'static str, &'static str)> {
    Some(match role {
        Role::Plain => return None,
        Role::Keyword => ("span", "keyword"),
        Role::Literal => ("span", "literal"),
        Role::String => ("span", "string"),
        Role::Tag => ("span", "tag"),
        Role::Name => ("span", "name"),
        Role::Type => ("span", "type"),
        Role::Operator => ("span", "operator"),
        Role::Comment => ("span", "comment"),
        Role::Heading => ("strong", ""),
        Role::Dim => ("span", "dim"),
        Role::Error => ("strong", "error"),
        Role::Warning => ("strong", "warning"),
        Role::Note => ("span", "note"),
        Role::Wins => ("strong", "wins"),
        Role::Lost => ("del", ""),
        Role::Invalid => ("span", "error"),
    })
}

/// Returns whether an element is followed by a line end.
fn is_block(tag: &str) -> bool {
    !matches!(tag, "span" | "strong" | "del" | "em" | "code" | "mark" | "td" | "th" | "b" | "i" | "small")
}

#[cfg(test)]
mod tests {
    use super::{Cell, Html, escape, extent};
    use crate::styled::{Role, Styled};

    fn escaped(text: &str) -> String {
        let mut out = String::new();
        escape(text, &mut out);
        out
    }

    #[test]
    fn nothing_of_a_text_is_markup() {
        assert_eq!(
            escaped("<script>alert('&\"')</script>"),
            "&lt;script&gt;alert(&#39;&amp;&quot;&#39;)&lt;/script&gt;"
        );
        assert_eq!(escaped("a\0b\x1b[31m\u{202e}c\nd"), "a\u{2400}b\u{241b}[31m\u{fffd}c\nd");
    }

    #[test]
    fn roles_are_elements() {
        let mut text = Styled::of(Role::Lost, "8080");
        text.plain(" ");
        text.push(Role::Wins, "443 <");
        let mut html = Html::new();
        html.styled(&text);
        assert_eq!(html.into_string(), "<del>8080</del> <strong class=\"wins\">443 &lt;</strong>");
    }

    #[test]
    fn the_width_of_a_column_follows_its_texts() {
        for (text, class) in [
            ("priority 20", "short"),
            ("normal", ""),
            ("priority 10 beats priority 1", ""),
            ("not merged: recomputed, it reads host", "long"),
            ("\"https://eu.example.org:8444/healthz\"", ""),
        ] {
            assert_eq!(extent(text), class, "{text}");
        }
    }

    #[test]
    fn a_long_word_of_a_cell_can_be_broken_between_its_parts() {
        for (text, cell) in [
            ("a/b", "a/b"),
            ("https://example.org/a/", "https://<wbr>example.org/<wbr>a/"),
            ("x deployment/07-eu.cfg:3:31", "x deployment/<wbr>07-eu.cfg:3:31"),
            ("\"https://eu.example.org/\"", "&quot;https://<wbr>eu.<wbr>example.<wbr>org/&quot;"),
            ("\"https://10.0.0.1:8443\"", "&quot;https://<wbr>10.0.0.1:8443&quot;"),
        ] {
            let mut html = Html::new();
            html.cell(&Cell::Text(text.into()));
            assert_eq!(html.into_string(), format!("<td>{cell}</td>"));
        }
        let mut html = Html::new();
        html.cell_of(|html| {
            html.table(&[], [vec!["a".into()]]).text("https://example.org/a/");
        });
        assert!(html.into_string().contains("https://<wbr>example.org/<wbr>a/"));
        let mut html = Html::new();
        html.table(&[], [vec!["a".into()]]).text("https://example.org/a/");
        assert!(html.into_string().ends_with("https://example.org/a/"));
    }

    #[test]
    fn a_table_and_details() {
        let mut html = Html::new();
        html.details(true, &"step 1".into(), |html| {
            html.table(&["field"], [vec![Cell::Head("a\"b".into()), Cell::Wide("x".into(), 2)], vec![]]);
        });
        assert_eq!(
            html.into_string(),
            "<details open=\"\"><summary>step 1</summary>\n<table><thead><tr><th scope=\"col\">field</th></tr>\n</thead>\n\
             <tbody><tr><th scope=\"row\">a&quot;b</th><td colspan=\"2\">x</td></tr>\n</tbody>\n</table>\n</details>\n"
        );
    }

    #[test]
    fn a_page_names_no_outside_file_and_has_no_script() {
        let page = Html::new().page("a < b");
        assert!(page.contains("<title>a &lt; b</title>") && page.contains("content=\"dark light\""));
        assert!(["<script", "src=", "href=", "url(", "@import"].iter().all(|outside| !page.contains(outside)));
    }
}
