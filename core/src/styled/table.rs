//! Tables: rows of aligned columns.

use super::{Role, Styled, wrap};
use unicode_width::UnicodeWidthStr;

/// Maximum width of a column that is aligned; wider cells do not move the next columns.
const MAX_WIDTH: usize = 64;

/// Minimum width of the last column beside the others.
const NARROWEST: usize = 20;

/// Rows of columns.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Vec<Styled>>,
    /// The numbers of the rows that are lines of their own, in order.
    lines: Vec<usize>,
    indent: usize,
    separator: Option<&'static str>,
    width: Option<usize>,
}

impl Table {
    /// Makes an empty table.
    pub fn new() -> Table {
        Table::default()
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Styled>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Adds a line that is not aligned with the rows.
    pub fn line(&mut self, line: Styled) {
        self.lines.push(self.rows.len());
        self.rows.push(vec![line]);
    }

    /// Indents the table by `indent` spaces.
    pub fn indented(self, indent: usize) -> Table {
        Table { indent, ..self }
    }

    /// Separates columns with a text instead of two spaces.
    pub fn separated(self, separator: &'static str) -> Table {
        Table { separator: Some(separator), ..self }
    }

    /// Wraps the last column between words so that lines have at most `width` columns. If fewer than 20 columns remain
    /// for it, or less than a third beside a single other column, it is printed below its row.
    pub fn within(self, width: Option<usize>) -> Table {
        Table { width, ..self }
    }

    /// Returns the rows as lines. Neither the table nor a row has trailing spaces or line ends.
    pub fn fit(&self) -> Styled {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut widths = vec![0; columns];
        let is_row = |index: &usize| self.lines.binary_search(index).is_err();
        for (_, row) in self.rows.iter().enumerate().filter(|(index, _)| is_row(index)) {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.width().min(MAX_WIDTH));
            }
        }
        let before = self.indent + widths.iter().take(columns.saturating_sub(1)).map(|wide| wide + 2).sum::<usize>();
        let least = widths.last().map_or(0, |wide| NARROWEST.min(*wide));
        // beside one long column, a narrow one is harder to read than lines below it
        let narrow =
            |width: usize| columns == 2 && 3 * before > 2 * width && widths.last().is_some_and(|w| before + w > width);
        let below = self.width.is_some_and(|width| columns > 1 && (before + least > width || narrow(width)));
        let mut out = Styled::new();
        for (index, row) in self.rows.iter().enumerate() {
            if index > 0 {
                out.plain("\n");
            }
            let mut line = Styled::new();
            line.plain(" ".repeat(self.indent));
            let last = row.iter().rposition(|c| !c.is_empty()).unwrap_or(0);
            let between = self.separator.unwrap_or("  ");
            let mut at = self.indent;
            for (column, cell) in row.iter().enumerate().take(last + 1) {
                match (self.width, cell.runs()) {
                    (Some(width), [(role, text)]) if below && column + 1 == columns => {
                        let hang = self.indent + 2;
                        line = trimmed(&line);
                        line.plain(format!("\n{}", " ".repeat(hang)));
                        line.append(&wrap::column(*role, text, width, hang));
                    }
                    (Some(width), [(role, text)]) if column == last && column > 0 => {
                        line.append(&wrap::column(*role, text, width, at));
                    }
                    _ => line.append(cell),
                }
                if column < last {
                    let width = cell.width();
                    let missing = widths.get(column).copied().unwrap_or(0).saturating_sub(width);
                    line.plain(" ".repeat(missing));
                    line.push(Role::Plain, between);
                    at += width + missing + UnicodeWidthStr::width(between);
                }
            }
            out.extend(line);
        }
        out
    }
}

/// Removes trailing spaces.
fn trimmed(text: &Styled) -> Styled {
    let mut runs = text.runs();
    while let Some(((_, last), before)) = runs.split_last()
        && last.trim_end().is_empty()
    {
        runs = before;
    }
    let mut out = Styled::new();
    for (index, (role, text)) in runs.iter().enumerate() {
        out.push(*role, if index + 1 == runs.len() { text.trim_end() } else { text });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_nothing_trails() {
        let mut table = Table::new();
        table.row(["a".into(), "1".into(), "x".into()]);
        table.row(["long".into(), "22".into(), "".into()]);
        assert_eq!(table.fit().text(), "a     1   x\nlong  22");
        assert_eq!(table.separated(" : ").fit().text(), "a    : 1  : x\nlong : 22");
    }

    #[test]
    fn the_last_column_stands_below_where_it_has_no_room_beside() {
        let table = || {
            let mut table = Table::new();
            table.row(["name".into(), "value".into(), "what it is said to be".into()]);
            table.row(["n".into(), "".into(), "short".into()]);
            table
        };
        let beside = "name  value  what it is said to\n             be\nn            short";
        assert_eq!(table().within(Some(33)).fit().text(), beside);
        let below = "name  value\n  what it is said to\n  be\nn\n  short";
        assert_eq!(table().within(Some(22)).fit().text(), below);
    }
}
