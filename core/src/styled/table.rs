//! Rows of aligned columns.

use super::{Role, Styled, wrap};
use unicode_width::UnicodeWidthStr;

/// A column wider than this does not push the next ones further.
const WIDEST: usize = 64;

/// Rows of columns.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Vec<Styled>>,
    indent: usize,
    separator: Option<&'static str>,
    width: Option<usize>,
}

impl Table {
    /// No rows.
    pub fn new() -> Table {
        Table::default()
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Styled>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The same, so many blanks further right.
    pub fn indented(self, indent: usize) -> Table {
        Table { indent, ..self }
    }

    /// The same with a text between columns in the place of two blanks.
    pub fn separated(self, separator: &'static str) -> Table {
        Table { separator: Some(separator), ..self }
    }

    /// The same, the last column of a row broken between words where the lines would be wider than so many columns.
    pub fn within(self, width: Option<usize>) -> Table {
        Table { width, ..self }
    }

    /// The rows as lines, without a line end behind the last. Nothing stands behind the last column of a row.
    pub fn fit(&self) -> Styled {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut widths = vec![0; columns];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(UnicodeWidthStr::width(cell.text().as_str()).min(WIDEST));
            }
        }
        let mut out = Styled::new();
        for (index, row) in self.rows.iter().enumerate() {
            if index > 0 {
                out.plain("\n");
            }
            out.plain(" ".repeat(self.indent));
            let last = row.iter().rposition(|c| !c.is_empty()).unwrap_or(0);
            let between = self.separator.unwrap_or("  ");
            let mut at = self.indent;
            for (column, cell) in row.iter().enumerate().take(last + 1) {
                match (self.width, cell.runs()) {
                    (Some(width), [(role, text)]) if column == last && column > 0 => {
                        out.append(&wrap::column(*role, text, width, at));
                    }
                    _ => out.append(cell),
                }
                if column < last {
                    let width = UnicodeWidthStr::width(cell.text().as_str());
                    let missing = widths.get(column).copied().unwrap_or(0).saturating_sub(width);
                    out.plain(" ".repeat(missing));
                    out.push(Role::Plain, between);
                    at += width + missing + between.len();
                }
            }
        }
        out
    }
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
}
