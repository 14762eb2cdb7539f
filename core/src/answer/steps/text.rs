//! The merges of a value as text: one block of rows for each step.

mod reasons;

use crate::answer::Renderer;
use crate::answer::shared::compare::Side;
use crate::answer::steps::{Chain, EffectReason, Entry, Label, MergeStep, Operator, StepEffect, Steps};
use crate::dialect::notation::value::laid_out;
use crate::meta::Priority;
use crate::problem::ProblemKind;
use crate::problem::value::ValueKind;
use crate::styled::wrap::wrap;
use crate::styled::{Role, Styled};
use crate::term::Number;
use crate::text::{Span, counted};
use crate::value::datum::Datum;
use unicode_width::UnicodeWidthStr;

/// Maximum width of a path on the same line as its values, in columns.
const PATH: usize = 26;
/// Minimum width next to a path for the values on its line, in columns.
const BESIDE: usize = 36;
/// Maximum width of an aligned value, in columns.
const MAX_WIDTH: usize = 18;
/// Maximum length of the command that the answer mentions, in bytes.
const COMMAND: usize = 30;
/// Maximum length of an operand's text in a title.
const OPERAND: usize = 30;

/// A page of the stepper: one step.
#[derive(Clone, PartialEq, Debug)]
pub struct Page {
    /// The line above.
    pub title: Styled,
    /// The rows, each with its path.
    pub rows: Vec<PageRow>,
    /// Whether no empty line follows it where pages are joined.
    pub compact: bool,
}

/// A row of a page.
#[derive(Clone, PartialEq, Debug)]
pub struct PageRow {
    /// The field.
    pub path: String,
    /// The row, of one or more lines.
    pub text: Styled,
    /// Whether it shows an unchanged field.
    pub unchanged: bool,
}

/// Renders all steps, without a line end after the last line. Unchanged fields are listed if the question includes
/// them.
pub fn text(steps: &Steps, to: &Renderer<'_>) -> Styled {
    let mut out = Styled::new();
    for page in pages(steps, to) {
        out.append(&page.text(|_| true));
        out.plain(page.end());
    }
    out.append(&footer(steps, to));
    out
}

impl Page {
    /// Returns the title and the rows, to change them.
    pub(crate) fn texts(&mut self) -> impl Iterator<Item = &mut Styled> {
        std::iter::once(&mut self.title).chain(self.rows.iter_mut().map(|row| &mut row.text))
    }

    /// Renders the title and the wanted rows.
    pub fn text(&self, wanted: impl Fn(&PageRow) -> bool) -> Styled {
        let mut out = self.title.clone();
        for (index, row) in self.rows.iter().filter(|row| wanted(row)).enumerate() {
            out.plain(if index == 0 { "\n\n" } else { "\n" });
            out.append(&row.text);
        }
        out
    }

    /// Returns the space after it where pages are joined.
    pub(crate) fn end(&self) -> &'static str {
        if self.compact { "\n" } else { "\n\n" }
    }
}

/// Returns one page for each step.
pub fn pages(steps: &Steps, to: &Renderer<'_>) -> Vec<Page> {
    let mut first = true;
    let mut pages = steps.demands.pages(to);
    for chain in &steps.chains {
        for step in &chain.steps {
            let title = to.title(chain, step, std::mem::take(&mut first));
            pages.push(Page { title, rows: to.rows(step), compact: false });
        }
    }
    pages
}

/// Joins the pages, without unchanged fields, and the lines after them.
pub fn joined(pages: &[Page], footer: &Styled) -> Styled {
    let mut out = Styled::new();
    for page in pages {
        out.append(&page.text(|row| !row.unchanged));
        out.plain(page.end());
    }
    out.append(footer);
    out
}

/// Returns the command that compares the first operand with the result, if it is short: a name and a short expression.
fn comparison(steps: &Steps, to: &Renderer<'_>) -> Option<String> {
    let is_shown = |chain: &&Chain| chain.at.steps.is_empty() && !steps.is_part && !to.hints.diff.is_empty();
    let chain = steps.chains.first().filter(is_shown)?;
    let first = to.label(&chain.first);
    let command = format!("{} {first}, {}", to.hints.diff, steps.written);
    let is_plain = first.chars().all(|c| c.is_alphanumeric() || c == '_');
    // `x = x & …` names its last value like its first
    (is_plain && first != steps.written && command.len() <= COMMAND).then_some(command)
}

/// Returns the lines after the last step: the result, and whether all steps are shown.
pub fn footer(steps: &Steps, to: &Renderer<'_>) -> Styled {
    let mut out = Styled::new();
    if steps.demands.cut {
        out.push(Role::Note, "stopped");
        out.plain(" after the demands that are shown: there are more\n");
    }
    if steps.chains.is_empty() && steps.demands.steps.is_empty() {
        // names only the operators that the language has
        let and = if to.dialect.rules().extends() { "" } else { "no `&`, " };
        out.plain(format!("nothing is merged here: {and}no `+` of objects, no list of files\n"));
    }
    for chain in steps.chains.iter().filter(|chain| chain.steps.len() < chain.total) {
        out.push(Role::Note, "stopped");
        let all = steps.chains.iter().map(|chain| chain.total).sum::<usize>();
        let more =
            if to.hints.more.is_empty() { String::new() } else { format!("; `{} {all}` shows more", to.hints.more) };
        let (shown, total) = (chain.steps.len(), chain.total);
        out.plain(format!(" after {shown} of {total} steps{more}; the result is that of all\n"));
    }
    if steps.chains.iter().flat_map(|chain| &chain.steps).any(|step| !step.whole) {
        out.push(Role::Note, "stopped");
        out.plain(" comparing large values: the real counts may be higher\n");
    }
    out.push(Role::Heading, "result");
    out.plain(": ");
    // a value that is cut ends with `…`
    let mut ends = false;
    match &steps.result {
        Some(datum @ Datum::Record(_)) if steps.leaves.faults == 0 || steps.leaves.count > 1 => {
            let _ = datum;
            out.plain(counted(steps.leaves.count, "field"));
        }
        Some(datum) => {
            let value = to.value(datum);
            let columns = to.width().saturating_sub(10);
            ends = value.width() > columns;
            out.append(&outside_quotation(value.cut_to(columns)));
        }
        None => out.plain("none"),
    }
    if steps.leaves.faults > 0 && steps.leaves.count > 1 {
        out.plain(", ");
        out.push(Role::Error, format!("{} without a value", steps.leaves.faults));
    }
    if !ends {
        out.plain(".");
    }
    if !to.hints.explain.is_empty() && !steps.chains.is_empty() {
        let before = if to.hints.explain.len() > 48 { "\n" } else { "  " };
        let command = format!("`{}` for one field", to.hints.explain);
        // a command of many files takes several lines
        let command = if to.page.is_some() { wrap(&command, to.width(), 2) } else { command };
        out.plain(format!("{before}{command}"));
        if let Some(diff) = comparison(steps, to) {
            out.plain(format!(", `{diff}` for all"));
        }
        out.plain(".");
    }
    out
}

/// Returns a text that was cut, without a quotation that the cut left open.
fn outside_quotation(text: Styled) -> Styled {
    let plain = text.text();
    match plain.rfind('`').filter(|_| plain.matches('`').count() % 2 == 1) {
        Some(at) if plain.ends_with('…') => text.cut(plain.get(..at).unwrap_or("").width() + 1),
        _ => text,
    }
}

impl Renderer<'_> {
    fn title(&self, chain: &Chain, step: &MergeStep, first: bool) -> Styled {
        let mut out = Styled::new();
        if !chain.at.steps.is_empty() {
            out.push(Role::Name, chain.at.to_string());
            out.plain(": ");
        }
        out.push(Role::Heading, format!("step {} of {}", step.n, chain.total));
        out.plain(": ");
        let left = if step.n == 1 { self.label(&chain.first) } else { format!("(step {})", step.n - 1) };
        out.plain(format!("{left} "));
        out.push(Role::Operator, step.operator.text());
        out.plain(format!(" {}", self.label(&step.operand)));
        let mut right = format!("{} unchanged, {} shown", counted(step.same, "field"), step.shown());
        if step.unknown > 0 {
            right.push_str(&format!(", {} not compared", counted(step.unknown, "function")));
        }
        if first && step.same > 0 && !self.hints.all.is_empty() {
            right.push_str(&format!(" (all: `{}`)", self.hints.all));
        }
        let (columns, own) = (out.text().width(), right.width());
        let gap = self.width().saturating_sub(columns + own).min(44usize.saturating_sub(columns).max(2));
        if columns + 2 + own > self.width() {
            out.plain("\n  ");
        } else {
            out.plain(" ".repeat(gap.max(2)));
        }
        out.push(Role::Dim, right);
        out
    }

    /// Returns the name of an operand: its file if it is a whole file, its text if that is short, otherwise its place.
    pub fn label(&self, label: &Label) -> String {
        let Some(span) = label.span else { return String::from("…") };
        let shown = self.sources.slice(span);
        let text = shown.trim();
        if let Some(source) = self.sources.get(span.source)
            && (label.file
                || (source.shown_text().trim() == text && !source.name.starts_with('<') && !source.name.ends_with(']')))
        {
            return source.name.to_string();
        }
        let text = crate::text::on_one_line(text);
        // a file is named by its path
        let quoted = text.strip_prefix("import ").and_then(|rest| rest.trim().strip_prefix('"')?.strip_suffix('"'));
        if let Some(file) = quoted.filter(|file| !file.contains('"')) {
            return String::from(file);
        }
        match text.width() {
            0 => self.place(span),
            columns if columns <= OPERAND && (!label.secret || is_path(&text)) => text,
            _ if text.starts_with('{') => format!("{{…}} {}", self.place(span)),
            _ => format!("… {}", self.place(span)),
        }
    }

    /// Returns the text at a place, on one line.
    fn on_one_line(&self, span: Span) -> String {
        crate::text::on_one_line(&self.sources.slice(span))
    }

    pub(super) fn value(&self, datum: &Datum) -> Styled {
        match datum {
            Datum::Fault(problem) => Styled::of(Role::Error, fault(&problem.kind)),
            _ => laid_out(self.dialect.spelling(), datum, usize::MAX, &|span| self.on_one_line(span)),
        }
    }

    /// Renders a side: its value and, in a language with priorities, its priority. The normal priority is shown only if
    /// `counts`.
    pub fn side(&self, side: &Side, counts: bool) -> Styled {
        let mut out = self.value(&side.value);
        if self.dialect.spelling().metadata && (counts || side.priority.rank(&Priority::Normal).is_ne()) {
            out.plain(" ");
            out.push(Role::Dim, priority(&side.priority));
        }
        out
    }

    /// Renders the operand's side. If the operand alone has no value, shows its source text.
    fn operand(&self, side: &Side, counts: bool) -> Styled {
        let text = side.span.map(|span| self.on_one_line(span)).unwrap_or_default();
        match side.fault() {
            Some(_) if !text.is_empty() => Styled::from(text),
            _ => self.side(side, counts),
        }
    }

    fn rows(&self, step: &MergeStep) -> Vec<PageRow> {
        let widest = step.entries.iter().map(|entry| entry.path.to_string().width()).max().unwrap_or(0).min(PATH);
        // if paths leave little room, the values are on the next line
        let path_width = if widest + BESIDE <= self.width() { widest } else { 0 };
        let all = !step.unchanged.is_empty();
        let shown: Vec<&Entry> = step.entries.iter().filter(|entry| all || entry.kind != StepEffect::Equal).collect();
        let room = self.room(2 + path_width + 2);
        let cells = shown.iter().map(|entry| {
            let cells = self.cells(entry, true)?;
            let needed: usize = cells.iter().map(|cell| cell.text().width()).sum();
            // the reason names the priorities too
            let is_said = matches!(entry.because, EffectReason::Beats { .. });
            if needed > room && is_said { self.cells(entry, false) } else { Some(cells) }
        });
        let cells: Vec<Option<[Styled; 3]>> = cells.collect();
        let mut widths = [0; 3];
        for cells in cells.iter().flatten() {
            for (width, cell) in widths.iter_mut().zip(cells) {
                // a wider cell is not aligned, so that it does not widen the column
                *width = (*width).max(Some(cell.text().width()).filter(|columns| *columns <= MAX_WIDTH).unwrap_or(0));
            }
        }
        let mut rows = Vec::new();
        for (entry, cells) in shown.iter().zip(&cells) {
            let text = self.row(entry, step.operator, cells.as_ref(), path_width, widths);
            rows.push(PageRow { path: entry.path.to_string(), text, unchanged: entry.kind == StepEffect::Equal });
        }
        for (path, datum) in &step.unchanged {
            let path = if path.steps.is_empty() { String::from("(whole)") } else { path.to_string() };
            let mut text = Styled::from("  ");
            text.push(Role::Dim, pad(&path, path_width));
            text.plain("  ");
            text.append(&self.value(datum).cut(self.width().saturating_sub(path_width + 12).max(20)));
            text.push(Role::Dim, "  unchanged");
            rows.push(PageRow { path, text, unchanged: true });
        }
        rows
    }

    /// Returns the number of columns for the three cells of a row that begin at a column.
    fn room(&self, hang: usize) -> usize {
        self.width().saturating_sub(hang + 5 + 6).max(20)
    }

    /// Returns the left side, the right side and the result of a row that has them. The sides have their priorities if these
    /// decide and `ranked` is set.
    pub(super) fn cells(&self, entry: &Entry, ranked: bool) -> Option<[Styled; 3]> {
        if entry.kind == StepEffect::Recompute {
            return None;
        }
        let counts = matches!(entry.because, EffectReason::Beats { .. } | EffectReason::Differ(_));
        let shown = |side: &Side| if ranked { self.side(side, counts) } else { self.value(&side.value) };
        let mut left = entry.left.as_ref().map(shown).unwrap_or_else(|| Styled::of(Role::Dim, "-"));
        let mut right = match (&entry.right, entry.kind) {
            (Some(side), _) if side.fault().is_none() => shown(side),
            (Some(side), _) => self.operand(side, counts),
            (None, StepEffect::Contract) => {
                let texts: Vec<String> = entry.checks.iter().map(|check| self.written(check.span)).collect();
                Styled::of(Role::Type, if texts.is_empty() { String::from("checks") } else { texts.join(", ") })
            }
            (None, _) => Styled::of(Role::Dim, "-"),
        };
        match &entry.because {
            EffectReason::Beats { left: true, .. } => right = Styled::of(Role::Lost, right.text()),
            EffectReason::Beats { left: false, .. } | EffectReason::Right { .. } if entry.left.is_some() => {
                left = Styled::of(Role::Lost, left.text());
            }
            _ => {}
        }
        let again = |side: &&Side| {
            let same = entry.right.as_ref().is_some_and(|right| right.value == side.value);
            entry.kind == StepEffect::Take && same && self.value(&side.value).text().width() > MAX_WIDTH
        };
        let result = match &entry.result {
            // a long text is not repeated
            Some(side) if again(&side) => Styled::of(Role::Wins, "the same"),
            Some(side) if side.fault().is_none() => Styled::of(Role::Wins, self.value(&side.value).text()),
            Some(side) => self.value(&side.value),
            None => Styled::of(Role::Error, "no value"),
        };
        Some([left, right, result])
    }

    fn row(
        &self,
        entry: &Entry,
        operator: Operator,
        cells: Option<&[Styled; 3]>,
        path_width: usize,
        widths: [usize; 3],
    ) -> Styled {
        let path = if entry.path.steps.is_empty() { String::from("(whole)") } else { entry.path.to_string() };
        let mut out = Styled::from("  ");
        let hang = 2 + path_width + 2;
        let line = format!("\n{}", " ".repeat(hang));
        out.push(Role::Name, &path);
        match path.width() > path_width {
            true => out.plain(&line),
            false => out.plain(" ".repeat(path_width - path.width() + 2)),
        }
        let Some([left, right, result]) = cells else {
            out.append(&self.recomputed(entry, hang));
            return out;
        };
        let room = self.room(hang);
        let own = [left, right, result].map(|cell| cell.text().width());
        let [l, r, s] = capped(own, room);
        let pads = [l.max(widths[0]), r.max(widths[1]), s.max(widths[2])];
        let mut column = hang;
        let checks = entry.because == EffectReason::Checked && entry.right.is_none();
        let sign = if checks { "|" } else { operator.text() };
        let all = [left.clone(), right.clone(), result.clone()];
        let mut cell = |out: &mut Styled, cell: &Styled, columns: usize, pad: usize, sign: &str, after: usize| {
            let cell = cell.cut_apart(columns, &all);
            out.append(&cell);
            // not aligned if that leaves no room for the next cell
            let pad = if column + pad + sign.len() + after <= self.width() { pad } else { columns };
            out.plain(" ".repeat(pad.saturating_sub(cell.text().width())));
            out.push(Role::Operator, sign);
            column += pad.max(cell.text().width()) + sign.len();
        };
        cell(&mut out, left, l, pads[0], &format!("  {sign}  "), r + 6 + s);
        cell(&mut out, right, r, pads[1], "  =>  ", s);
        let result = result.cut_apart(s, &all);
        out.append(&result);
        let (used, aligned) = (column + result.text().width() + 2, column + pads[2] + 2);
        let mut lines = self.reason_lines(entry).into_iter();
        if let Some(first) = lines.next() {
            let columns = first.text().width();
            match entry.kind != StepEffect::Custom {
                true if aligned + columns <= self.width() => out.plain(" ".repeat(aligned + 2 - used)),
                true if used + columns <= self.width() => out.plain("  "),
                _ => out.plain(&line),
            }
            out.append(&first);
        }
        for more in lines {
            out.plain(&line);
            out.append(&more);
        }
        out
    }

    fn recomputed(&self, entry: &Entry, hang: usize) -> Styled {
        let room = self.width().saturating_sub(hang).max(24);
        let value = |side: &Option<Side>| match side {
            Some(side) => self.value(&side.value),
            None => Styled::of(Role::Dim, "nothing"),
        };
        let (was, now) = (value(&entry.left), value(&entry.result));
        let fits = was.text().width() + now.text().width() + "was , now ".len() <= room;
        let mut out = Styled::of(Role::Dim, "was ");
        out.append(&Styled::of(Role::Lost, was.cut_apart(room - 5, std::slice::from_ref(&now)).text()));
        let line = format!("\n{}", " ".repeat(hang));
        out.plain(if fits { ", " } else { &line });
        out.push(Role::Dim, "now ");
        out.append(&now.cut_apart(room - 5, std::slice::from_ref(&was)));
        for because in self.reason_lines(entry) {
            out.plain(&line);
            out.append(&because);
        }
        out
    }
}

impl Operator {
    /// Returns the sign.
    pub fn text(self) -> &'static str {
        match self {
            Operator::Merge => "&",
            Operator::Plus => "+",
            Operator::Contract => "|",
        }
    }
}

impl MergeStep {
    /// Returns the number of rows about merged or changed fields.
    pub fn shown(&self) -> usize {
        self.entries.iter().filter(|entry| entry.kind != StepEffect::Equal).count()
    }
}

/// Returns a priority in words.
pub fn priority(priority: &Priority) -> String {
    match priority {
        Priority::Default => String::from("default"),
        Priority::Normal => String::from("normal"),
        Priority::Number(n) if *n == Number::ZERO => String::from("normal"),
        Priority::Number(n) => format!("priority {n}"),
        Priority::Layer(n) => format!("layer {}", n + 1),
        Priority::Force => String::from("force"),
    }
}

/// Returns `true` if a text consists of names separated by dots, which cannot contain a secret.
fn is_path(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '$'))
        && text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Returns the reason why the value is missing, in one or two words.
pub fn fault(kind: &ProblemKind) -> &'static str {
    let ProblemKind::Value(met) = kind else { return "fails" };
    match &met.what {
        ValueKind::Conflict { .. } => "conflict",
        ValueKind::MergeFunctions { .. } => "two merge functions",
        ValueKind::Contract(_) => "check fails",
        ValueKind::MissingDefinition { .. } => "no value",
        ValueKind::MissingField { .. } => "missing field",
        ValueKind::Recursion { .. } => "needs itself",
        ValueKind::Limit { .. } => "limit reached",
        ValueKind::Interrupted => "interrupted",
        _ => "fails",
    }
}

/// Reduces the widths, the widest first, until they fit.
fn capped(mut widths: [usize; 3], room: usize) -> [usize; 3] {
    while widths.iter().sum::<usize>() > room {
        let Some(widest) = widths.iter_mut().max() else { break };
        *widest -= 1;
    }
    widths
}

fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

fn cut(text: &str, columns: usize) -> String {
    Styled::from(text).cut(columns).text()
}
