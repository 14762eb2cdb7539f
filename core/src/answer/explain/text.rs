//! Renders an explanation as text. The wording that text, HTML and JSON share is in `words`.

use super::words;
use crate::answer::Renderer;
use crate::answer::explain::{DefinitionRow, Explanation, Folded};
use crate::answer::shared::shown_path;
use crate::dialect::Dialect;
use crate::dialect::notation::value::one_line;
use crate::styled::table::Table;
use crate::styled::{Role, Styled, wrap};
use crate::text::shell_argument;
use crate::value::datum::Datum;
use crate::value::provenance::{DefinitionOutcome, FoldKind};
use unicode_width::UnicodeWidthStr;

/// Maximum width of the column of values.
const VALUE: usize = 28;
/// Minimum width of a value in a table.
const NARROW: usize = 8;
/// Minimum width of a value in the first line.
const LEAST: usize = 16;
/// Maximum number of definitions shown.
const ROWS: usize = 40;
/// Maximum number of array elements whose origin is shown.
const ELEMENTS: usize = 12;

/// Renders an explanation, without a line end after it.
pub fn text(explanation: &Explanation, to: &Renderer<'_>) -> Styled {
    Page { dialect: to.dialect, width: to.width(), deps: to.hints.deps, json: to.hints.json }.text(explanation)
}

/// The language of the text, its width in columns, the command that lists dependencies (`:deps`) and the option that writes
/// the answer as JSON. The last two are empty if there is none.
#[derive(Clone, Copy)]
struct Page<'a> {
    dialect: Dialect,
    width: usize,
    deps: &'a str,
    json: &'a str,
}

impl Page<'_> {
    fn text(self, e: &Explanation) -> Styled {
        let mut blocks = vec![self.head(e), self.definitions(e)];
        if let Some(fold) = &e.fold {
            blocks.push(self.fold(fold, e));
        }
        blocks.push(self.through(e));
        blocks.push(self.made_from(e));
        blocks.push(self.checks(e));
        blocks.push(self.recomputed(e));
        blocks.push(self.fixes(e));
        blocks.push(self.fields(e));
        blocks.push(self.closing(e));
        let mut out = Styled::new();
        for block in blocks.iter().filter(|block| !block.is_empty()) {
            if !out.is_empty() {
                out.plain("\n\n");
            }
            out.append(block);
        }
        out
    }

    /// Renders a value on one line, at most `most` columns wide.
    fn value(self, datum: &Datum, most: usize) -> Styled {
        one_line(self.dialect.spelling(), datum).cut(most)
    }

    /// Renders `path = value : type`, with a summary of the definitions on the right.
    fn head(self, e: &Explanation) -> Styled {
        let right = words::summary(e);
        let mut room = self.width.saturating_sub(right.width() + 3);
        let mut left = Styled::of(Role::Heading, words::path(e));
        match &e.value {
            Some(value) => {
                let own = one_line(self.dialect.spelling(), value);
                if left.text().width() + 3 + own.width().min(LEAST) > room {
                    // beside a long path there is no room for a value
                    left.plain("\n ");
                    room = self.width;
                }
                left.push(Role::Operator, " = ");
                let mut used = last_line(&left);
                // the parts of a combined value are no other values
                let others =
                    e.definitions.iter().filter(|_| e.fold.is_none()).filter_map(|d| d.value.as_ref()).take(ROWS);
                let others: Vec<Styled> = others.map(|other| one_line(self.dialect.spelling(), other)).collect();
                left.append(&own.cut_apart(room.saturating_sub(used).max(LEAST), &others));
                used = last_line(&left);
                if let Some(ty) = e.ty.as_ref().filter(|ty| used + 3 + ty.width() <= room) {
                    left.push(Role::Dim, self.dialect.spelling().of);
                    left.push(Role::Type, ty);
                }
            }
            None => left.plain(words::without(e)),
        }
        let used = last_line(&left);
        let mut out = left;
        if used + 2 + right.width() <= self.width {
            out.plain(" ".repeat(self.width - used - right.width()));
        } else {
            out.plain("\n  ");
        }
        out.push(if e.value.is_some() { Role::Dim } else { Role::Error }, right);
        if let Some(why) = words::fault(e, self.dialect) {
            out.push(Role::Error, format!("\n  {why}"));
        }
        if let Some(ty) = &e.ty
            && e.value.is_some()
            && !out.text().contains(&format!("{}{ty}", self.dialect.spelling().of))
        {
            out.push(Role::Dim, format!("\n {}", self.dialect.spelling().of));
            out.append(&Styled::of(Role::Type, ty).cut(self.width.saturating_sub(4)));
        }
        out
    }

    /// Renders the class, the includes and the imports that lead from the definition of a resource to the program.
    fn through(self, e: &Explanation) -> Styled {
        if e.through.is_empty() {
            return Styled::new();
        }
        let mut table = Table::new().indented(4).within(Some(self.width));
        for place in &e.through {
            table.row([Styled::from(place.text.as_str()).cut(44), Styled::of(Role::Dim, place.to_string())]);
        }
        let mut out = Styled::of(Role::Dim, "  through\n");
        out.append(&table.fit());
        out
    }

    fn definitions(self, e: &Explanation) -> Styled {
        let shown = words::shown(e);
        let more = shown.len().saturating_sub(ROWS) + e.more;
        let values = e.definitions.iter().filter_map(|d| d.value.as_ref());
        let values: Vec<Styled> = values.take(ROWS).map(|value| one_line(self.dialect.spelling(), value)).collect();
        let mut beside = [0; 3];
        for d in shown.iter().take(ROWS) {
            let place = d.place.as_ref().map(ToString::to_string).unwrap_or_default();
            for (most, own) in beside.iter_mut().zip([d.outcome.word(), &words::strength(d, e), &place]) {
                *most = (*most).max(own.width());
            }
        }
        // the values are cut before a line is too long
        let room = self.width.saturating_sub(2 + beside.iter().sum::<usize>() + 6).clamp(NARROW, VALUE);
        let rows = shown.into_iter().take(ROWS).map(|d| self.definition(d, (&values, room), e)).collect();
        let mut out = self.rows(rows);
        if more > 0 {
            out.push(Role::Dim, format!("\n  … {}", words::more(more)));
            if !self.json.is_empty() {
                out.push(Role::Dim, format!(": `{}` lists them", self.json));
            }
        }
        out
    }

    /// Renders a definition. `values` are those of all definitions, from which its own must look different; `room` is the
    /// maximum width of a value.
    fn definition(self, d: &DefinitionRow, (values, room): (&[Styled], usize), e: &Explanation) -> Row {
        let word = match d.outcome {
            DefinitionOutcome::Wins | DefinitionOutcome::Part => Role::Wins,
            DefinitionOutcome::Tie => Role::Error,
            DefinitionOutcome::Prev => Role::Note,
            DefinitionOutcome::Lost | DefinitionOutcome::Same | DefinitionOutcome::Off => Role::Dim,
        };
        // the value of a definition that is off was not computed
        let written = d.place.as_ref().filter(|place| d.outcome == DefinitionOutcome::Off && !place.text.is_empty());
        let value = match &d.value {
            Some(Datum::Unforced) if written.is_some() => {
                Styled::of(Role::Dim, written.map(|place| place.text.as_str()).unwrap_or_default()).cut(room)
            }
            // the parts of a combined value are no other values
            Some(value) if e.fold.is_some() => one_line(self.dialect.spelling(), value).cut_apart(room, &[]),
            Some(value) => one_line(self.dialect.spelling(), value).cut_apart(room, values),
            None => Styled::of(Role::Dim, "-"),
        };
        let value = match d.outcome {
            DefinitionOutcome::Lost => Styled::of(Role::Lost, value.text()),
            _ => value,
        };
        let cells = vec![
            Styled::of(word, d.outcome.word()),
            Styled::of(Role::Keyword, words::strength(d, e)),
            value,
            Styled::of(Role::Dim, d.place.as_ref().map(ToString::to_string).unwrap_or_else(|| words::NOWHERE.into())),
        ];
        Row { cells, reason: words::reason(d, e) }
    }

    fn fold(self, fold: &Folded, e: &Explanation) -> Styled {
        let function = words::function(fold);
        let mut out = Styled::of(Role::Heading, "  combined by  ");
        out.push(Role::Keyword, words::keyword(fold));
        out.plain(words::function_written(fold));
        let place = fold.place.to_string();
        let used = out.text().width();
        match self.width.checked_sub(used + place.width()) {
            Some(room) if room >= 2 => out.plain(" ".repeat(room)),
            _ => out.plain("\n    "),
        }
        out.append(&Styled::of(Role::Dim, place).cut(self.width.saturating_sub(4)));
        // The values of all steps are cut to the same widths if the widest step does not fit.
        let columns = |datum: &Datum| one_line(self.dialect.spelling(), datum).text().width();
        let widest = fold.steps.iter().map(|s| columns(&s.lower) + columns(&s.higher)).max().unwrap_or(0);
        let results = fold.steps.iter().map(|s| columns(&s.result)).max().unwrap_or(0);
        let room = self.width.saturating_sub(15 + function.width());
        let (each, result) = match widest + results <= room {
            true => (usize::MAX, usize::MAX),
            false if results <= room / 3 => ((room - results) / 2, usize::MAX),
            false => (room / 3, room / 3),
        };
        let mut steps = Vec::new();
        for step in &fold.steps {
            let (lower, higher) = (self.value(&step.lower, each), self.value(&step.higher, each));
            let mut call = Styled::new();
            if fold.kind == FoldKind::Function {
                call.plain(format!("{function} "));
                call.append(&lower);
                call.plain(" ");
                call.append(&higher);
            } else {
                call.append(&lower);
                call.push(Role::Operator, " + ");
                call.append(&higher);
            }
            steps.push((call, self.value(&step.result, result)));
        }
        for check in e.checks.iter().filter(|check| check.ancestor.is_none()) {
            let mut call = Styled::from("check ");
            call.push(Role::Type, &check.text);
            let mut result = Styled::of(words::holds_role(check), words::holds(check));
            result.push(Role::Dim, format!("  {}", check.place));
            steps.push((call, result));
        }
        let widest = steps.iter().map(|(call, _)| call.text().width()).max().unwrap_or(0);
        if fold.earlier > 0 {
            out.push(Role::Dim, format!("\n    … {}", words::earlier(fold.earlier)));
        }
        for (number, (call, result)) in (fold.earlier + 1..).zip(&steps) {
            out.plain(format!("\n    {number}  "));
            out.append(call);
            out.plain(" ".repeat(widest - call.text().width()));
            out.push(Role::Operator, "  -> ");
            out.append(result);
        }
        if !e.elements.is_empty() {
            out.plain("\n");
            out.append(&self.elements(e));
        }
        out
    }

    /// Renders the origins of array elements: `each element came from:  [0] base.cfg:6:13  [1] prod.cfg:8:20`.
    fn elements(self, e: &Explanation) -> Styled {
        let mut words: Vec<String> = e.elements.iter().take(ELEMENTS).map(words::element).collect();
        if e.elements.len() > ELEMENTS {
            words.push(words::more(e.elements.len() - ELEMENTS));
        }
        let mut out = Styled::of(Role::Heading, "  each element came from:");
        let mut column = out.text().width();
        for word in words {
            if column + 2 + word.width() > self.width {
                out.plain("\n    ");
                column = 4;
            } else {
                out.plain("  ");
                column += 2;
            }
            out.push(Role::Dim, &word);
            column += word.width();
        }
        out
    }

    fn checks(self, e: &Explanation) -> Styled {
        // If there is a merge function, its list of steps already shows the checks of the field itself.
        let mut rest = words::checks(e);
        rest.retain(|check| e.fold.is_none() || check.ancestor.is_some());
        if rest.is_empty() {
            return Styled::new();
        }
        let mut out = Styled::of(Role::Heading, "  checks");
        if let Some(value) = &e.value {
            out.plain(" on ");
            out.append(&self.value(value, VALUE));
        }
        let rows = rest.into_iter().map(|check| Row {
            cells: vec![
                Styled::of(words::holds_role(check), words::holds(check)),
                Styled::of(Role::Type, &check.text).cut(VALUE),
                Styled::of(Role::Dim, check.place.to_string()),
            ],
            reason: words::origin(check, e, self.dialect),
        });
        out.plain("\n");
        out.append(&self.rows(rows.collect()));
        out
    }

    /// Lists the fields that the value is computed from, each with its value and the place of its winning definition.
    fn made_from(self, e: &Explanation) -> Styled {
        if e.depends_on.is_empty() {
            return Styled::new();
        }
        let mut out = Styled::of(Role::Heading, "  made from\n");
        let rows = e.depends_on.iter().take(words::READ).map(|read| Row {
            cells: vec![
                Styled::of(Role::Name, format!("{}{}", "  ".repeat(read.depth), shown_path(&read.path, self.dialect))),
                read.value.as_ref().map_or_else(Styled::new, |value| self.value(value, VALUE)),
                Styled::of(Role::Dim, read.place.as_ref().map(ToString::to_string).unwrap_or_default()),
            ],
            reason: words::read(read),
        });
        let mut rows: Vec<Row> = rows.collect();
        if e.depends_on.len() > words::READ {
            let more = self.more(e.depends_on.len() - words::READ, "", e);
            rows.push(Row { cells: vec![Styled::of(Role::Dim, "…")], reason: more });
        }
        out.append(&self.rows_at(4, rows));
        out
    }

    /// Returns the number of rows that are not shown and, if there is one, the command that shows them.
    fn more(self, count: usize, option: &str, e: &Explanation) -> String {
        let path = e.path.to_string();
        match self.deps {
            "" => format!("{count} more"),
            deps if deps.starts_with(':') => format!("{count} more: `{deps} {option}{path}`"),
            deps => format!("{count} more: `{deps} {option}{}`", shell_argument(&path)),
        }
    }

    fn recomputed(self, e: &Explanation) -> Styled {
        if e.recomputed.is_empty() {
            return Styled::new();
        }
        let mut out = Styled::of(Role::Heading, "  recomputed because of it");
        out.plain(" (late bound)\n");
        let paths = e.recomputed.iter().take(3).map(|changed| changed.path.to_string().width()).max().unwrap_or(0);
        // if there is no room next to the paths, each change is on the line below its path
        let below = paths + 34 > self.width;
        let room = self.width.saturating_sub(if below { 14 } else { paths + 10 }) / 2;
        let line = |datum: &Option<Datum>| datum.as_ref().map(|datum| one_line(self.dialect.spelling(), datum));
        let show = |datum: &Option<Datum>, other: &Option<Datum>| match line(datum) {
            Some(own) => own.cut_apart(room.max(12), line(other).as_slice()),
            None => Styled::of(Role::Dim, "_"),
        };
        let rows = e.recomputed.iter().take(3).map(|changed| {
            let mut change = match &changed.was {
                Some(_) => show(&changed.was, &changed.now),
                None => Styled::of(Role::Dim, "now"),
            };
            change.push(Role::Operator, if changed.was.is_some() { " -> " } else { " " });
            change.append(&show(&changed.now, &changed.was));
            let path = Styled::from(changed.path.to_string());
            match below {
                true => Row { cells: vec![Styled::new(), path], reason: change.text() },
                false => Row { cells: vec![Styled::new(), path, change], reason: String::new() },
            }
        });
        let mut rows: Vec<Row> = rows.collect();
        if e.recomputed.len() > 3 {
            let more = self.more(e.recomputed.len() - 3, "--used-by ", e);
            rows.push(match below {
                true => Row { cells: vec![Styled::new(), Styled::from(format!("… {more}"))], reason: String::new() },
                false => {
                    Row { cells: vec![Styled::new(), Styled::from("…"), Styled::from(more)], reason: String::new() }
                }
            });
        }
        out.append(&self.rows(rows));
        out
    }

    fn fixes(self, e: &Explanation) -> Styled {
        if e.fixes.is_empty() {
            return Styled::new();
        }
        let mut out = Styled::of(Role::Heading, "  to settle it, one of:\n");
        let results: Vec<Styled> = e.fixes.iter().map(|fix| one_line(self.dialect.spelling(), &fix.result)).collect();
        let edits = crate::answer::fixes::text::edits(e.fixes.iter().map(|fix| fix.edit.as_str()));
        let rows = e.fixes.iter().zip(edits).zip(Styled::cut_all(&results, VALUE)).map(|((fix, edit), value)| {
            let mut result = Styled::of(Role::Dim, "result ");
            result.append(&value);
            Row {
                cells: vec![
                    Styled::of(Role::Dim, fix.place.as_ref().map(ToString::to_string).unwrap_or_default()),
                    edit,
                    result,
                ],
                reason: String::new(),
            }
        });
        out.append(&self.rows_at(4, rows.collect()));
        out
    }

    /// Lists the fields of a record, each with its value and the place of its winning definition.
    fn fields(self, e: &Explanation) -> Styled {
        if e.fields.is_empty() {
            return Styled::new();
        }
        let mut out = Styled::of(Role::Heading, "  its fields\n");
        let rows = e.fields.iter().map(|part| Row {
            cells: vec![
                Styled::of(Role::Name, (self.dialect.spelling().field)(&part.name)),
                part.value.as_ref().map_or_else(Styled::new, |value| self.value(value, VALUE)),
                Styled::of(Role::Dim, part.place.as_ref().map(ToString::to_string).unwrap_or_default()),
            ],
            reason: words::part(part),
        });
        let mut rows: Vec<Row> = rows.collect();
        if e.more_fields > 0 {
            rows.push(Row { cells: vec![Styled::of(Role::Dim, "…")], reason: words::more(e.more_fields) });
        }
        out.append(&self.rows_at(4, rows));
        out
    }

    fn closing(self, e: &Explanation) -> Styled {
        let mut out = Styled::new();
        for sentence in words::closing(e) {
            if !out.is_empty() {
                out.plain("\n");
            }
            out.plain("  ");
            out.plain(wrap::sentence(&sentence, self.width.saturating_sub(2), 2));
        }
        out
    }

    fn rows(self, rows: Vec<Row>) -> Styled {
        self.rows_at(2, rows)
    }

    /// Renders rows with aligned columns. Numbers are right-aligned. The reason is at the end of the row or, if there
    /// is no room, on the next line.
    fn rows_at(self, indent: usize, mut rows: Vec<Row>) -> Styled {
        let columns = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        let mut widths = vec![0; columns];
        for row in &rows {
            for (width, cell) in widths.iter_mut().zip(&row.cells) {
                *width = (*width).max(cell.text().width());
            }
        }
        // before a place breaks in two lines, the value before it is cut
        let is_place = |cell: &Styled| matches!(cell.runs(), [] | [(Role::Dim, _)]);
        let all = (indent + widths.iter().sum::<usize>() + 2 * columns).saturating_sub(2);
        if let Some(value) = columns.checked_sub(2).filter(|value| *value > 0)
            && all > self.width
            && rows.iter().all(|row| row.cells.get(columns - 1).is_none_or(is_place))
            && let Some(width) = widths.get_mut(value)
        {
            *width = (*width).min(width.saturating_sub(all - self.width).max(NARROW));
            for cell in rows.iter_mut().filter_map(|row| row.cells.get_mut(value)) {
                *cell = cell.cut(*width);
            }
        }
        let hang = indent + widths.iter().map(|width| width + 2).sum::<usize>();
        let mut out = Styled::new();
        for (at, row) in rows.iter().enumerate() {
            if at > 0 {
                out.plain("\n");
            }
            out.plain(" ".repeat(indent));
            let mut line = Styled::new();
            for (column, (cell, width)) in row.cells.iter().zip(&widths).enumerate() {
                if column > 0 {
                    line.plain("  ");
                }
                let gap = " ".repeat(width - cell.text().width());
                if is_number(cell) {
                    line.plain(&gap);
                    line.append(cell);
                } else {
                    line.append(cell);
                    line.plain(&gap);
                }
            }
            if row.reason.is_empty() {
                out.append(&trimmed(&line));
            } else if hang + row.reason.width() <= self.width {
                out.append(&line);
                out.plain("  ");
                out.plain(&row.reason);
            } else {
                // On the next line, indented to the second column.
                out.append(&trimmed(&line));
                let hang = (indent + widths.first().copied().unwrap_or(0) + 2).min(self.width / 2);
                out.plain(format!("\n{}", " ".repeat(hang)));
                out.append(&wrap::column(Role::Plain, &row.reason, self.width, hang));
            }
        }
        out
    }
}

/// Returns the width of the last line.
fn last_line(text: &Styled) -> usize {
    text.text().rsplit('\n').next().map_or(0, UnicodeWidthStr::width)
}

/// A row of a table: its aligned cells, and a reason after them, which may be empty.
struct Row {
    cells: Vec<Styled>,
    reason: String,
}

/// Returns `true` if the cell is a number.
fn is_number(cell: &Styled) -> bool {
    matches!(cell.runs(), [(Role::Literal | Role::Lost, text)] if text.starts_with(|c: char| c == '-' || c.is_ascii_digit()))
}

/// Removes trailing whitespace.
fn trimmed(line: &Styled) -> Styled {
    let mut out = Styled::new();
    let last = line.runs().iter().rposition(|(_, text)| !text.trim_end().is_empty());
    for (at, (role, text)) in line.runs().iter().enumerate() {
        match last {
            Some(last) if at < last => out.push(*role, text),
            Some(last) if at == last => out.push(*role, text.trim_end()),
            _ => {}
        }
    }
    out
}
