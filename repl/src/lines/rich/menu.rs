//! The completion menu below the line: one row per completion, with its type and documentation.

use crate::paint::Paint;
use cfg_core::Role;
use nu_ansi_term::Style;
use reedline::menu_functions::{CompletionDisplay, resolve_completer_input};
use reedline::{Completer, Editor, InputMode, Menu, MenuEvent, MenuSettings, Painter, Suggestion};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Maximum number of visible rows.
const MAX_ROWS: usize = 10;
/// Columns between the completion and its description.
const GAP: usize = 2;
/// Minimum width of a description, in columns. If there is less room, the description is omitted.
const MIN_DESCRIPTION: usize = 8;

/// The completion menu.
pub struct CompletionMenu {
    settings: MenuSettings,
    paint: Paint,
    active: bool,
    event: Option<MenuEvent>,
    input: Option<String>,
    shown: CompletionDisplay,
    chosen: usize,
    /// The first visible row.
    first: usize,
    columns: usize,
}

impl CompletionMenu {
    /// Creates a menu. While the menu is open, the prompt ends with `marker`.
    pub fn new(name: &str, marker: &str, paint: Paint) -> CompletionMenu {
        let settings =
            MenuSettings::default().with_name(name).with_marker(marker).with_input_mode(InputMode::FullBuffer);
        CompletionMenu {
            settings,
            paint,
            active: false,
            event: None,
            input: None,
            shown: CompletionDisplay::default(),
            chosen: 0,
            first: 0,
            columns: 80,
        }
    }

    fn count(&self) -> usize {
        self.shown.suggestions().len()
    }

    /// Moves the selection by a number of rows, wrapping around.
    fn step(&mut self, by: isize) {
        let count = self.count().max(1);
        let by = by.rem_euclid(isize::try_from(count).unwrap_or(1)).unsigned_abs();
        self.chosen = (self.chosen + by) % count;
    }

    /// Moves the selection by a page, without wrapping around.
    fn page(&mut self, forward: bool) {
        let last = self.count().saturating_sub(1);
        self.chosen = if forward { (self.chosen + MAX_ROWS).min(last) } else { self.chosen.saturating_sub(MAX_ROWS) };
    }

    fn rows(&self) -> usize {
        self.count().min(MAX_ROWS)
    }

    /// Returns the row of a suggestion. The completion is padded to `name_columns` columns, so that the descriptions are aligned.
    fn row(&self, suggestion: &Suggestion, chosen: bool, name_columns: usize) -> String {
        let room = self.columns.saturating_sub(1);
        let name = cut(suggestion.display_value(), room.min(name_columns));
        let pad = " ".repeat(name_columns.saturating_sub(name.width()));
        let mut out = match (chosen, self.paint.colour) {
            (true, true) => Style::new().reverse().paint(format!("{name}{pad}")).to_string(),
            (true, false) => format!(">{name}{pad}"),
            (false, true) => format!("{name}{pad}"),
            (false, false) => format!(" {name}{pad}"),
        };
        let mut left = room.saturating_sub(name_columns + usize::from(!self.paint.colour));
        let details = [
            (&suggestion.description, Role::Type),
            (&suggestion.extra.as_ref().and_then(|e| e.first().cloned()), Role::Dim),
        ];
        for (text, role) in details {
            let Some(text) = text.as_deref().filter(|_| left >= GAP + MIN_DESCRIPTION) else { continue };
            let text = cut(&text.replace(['\n', '\t'], " "), left - GAP);
            left -= GAP + text.width();
            out.push_str(&" ".repeat(GAP));
            let style = self.paint.style(role);
            out.push_str(&if style.is_plain() { text } else { style.paint(text).to_string() });
        }
        out
    }
}

/// Returns the text. If it is wider than `columns`, it is cut and ends with `…`.
fn cut(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return String::from(text);
    }
    let mut out = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used > columns {
            break;
        }
        out.push(c);
    }
    out + "…"
}

impl Menu for CompletionMenu {
    fn settings(&self) -> &MenuSettings {
        &self.settings
    }

    fn is_active(&self) -> bool {
        self.active
    }

    fn set_active(&mut self, active: bool) {
        self.active = active;
    }

    fn clear_input(&mut self) {
        self.input = None;
    }

    fn on_activate(&mut self) {
        self.shown = CompletionDisplay::default();
        self.reset_position();
    }

    fn menu_event(&mut self, event: MenuEvent) {
        self.handle_menu_event(&event);
        match event {
            // handled at once, since several keys may arrive before the menu is drawn
            MenuEvent::NextElement | MenuEvent::MoveDown => self.step(1),
            MenuEvent::PreviousElement | MenuEvent::MoveUp => self.step(-1),
            MenuEvent::NextPage => self.page(true),
            MenuEvent::PreviousPage => self.page(false),
            MenuEvent::MoveLeft | MenuEvent::MoveRight => {}
            other => self.event = Some(other),
        }
    }

    fn can_quick_complete(&self) -> bool {
        true
    }

    fn can_partially_complete(&mut self, updated: bool, editor: &mut Editor, completer: &mut dyn Completer) -> bool {
        if !updated {
            self.update_values(editor, completer);
        }
        let grown = self.shown.common_prefix(editor);
        if grown {
            self.update_values(editor, completer);
        }
        grown
    }

    fn update_values(&mut self, editor: &mut Editor, completer: &mut dyn Completer) {
        let (line, cursor) = resolve_completer_input(editor, &mut self.input, &self.settings);
        let (result, ranges) = completer.complete_with_base_ranges(&line, cursor);
        if let Some(shown) = CompletionDisplay::from_result(result, &ranges, editor) {
            self.shown = shown;
            self.reset_position();
        }
    }

    fn reset_position(&mut self) {
        (self.chosen, self.first) = (0, 0);
    }

    fn update_working_details(&mut self, editor: &mut Editor, completer: &mut dyn Completer, painter: &Painter) {
        if let Some(MenuEvent::Activate(updated) | MenuEvent::Edit(updated)) = self.event.take() {
            self.reload(updated, editor, completer);
        }
        self.columns = painter.screen_width().into();
        self.first = self.first.clamp((self.chosen + 1).saturating_sub(MAX_ROWS), self.chosen);
    }

    fn replace_in_buffer(&self, editor: &mut Editor) {
        self.shown.accept(self.chosen, editor, None);
    }

    fn menu_required_lines(&self, _: u16) -> u16 {
        let more = usize::from(self.count() > MAX_ROWS);
        u16::try_from(self.rows() + more).unwrap_or(1)
    }

    fn menu_string(&self, lines: u16, _: bool) -> String {
        let all = self.shown.suggestions();
        let max_name_columns = self.columns.saturating_sub(MIN_DESCRIPTION).max(self.columns / 2);
        let rows = self.rows().min(lines.into());
        // the selected row is always visible
        let first = self.first.max((self.chosen + 1).saturating_sub(rows));
        let visible = all.iter().enumerate().skip(first).take(rows);
        let name_columns =
            visible.clone().map(|(_, s)| s.display_value().width()).max().unwrap_or(0).min(max_name_columns);
        let mut out = String::new();
        for (index, suggestion) in visible {
            out.push_str(&self.row(suggestion, index == self.chosen, name_columns));
            out.push_str("\r\n");
        }
        if all.len() > MAX_ROWS && usize::from(lines) > rows {
            let text = cut(&format!("{} of {}", self.chosen + 1, all.len()), self.columns.saturating_sub(1));
            let style = self.paint.style(Role::Dim);
            out.push_str(&if style.is_plain() { text } else { style.paint(text).to_string() });
            out.push_str("\r\n");
        }
        out
    }

    fn min_rows(&self) -> u16 {
        u16::try_from(self.rows().min(3)).unwrap_or(1)
    }

    fn get_values(&self) -> &[Suggestion] {
        self.shown.suggestions()
    }

    /// An empty menu is not shown.
    fn is_awaiting_first_answer(&self) -> bool {
        self.count() == 0
    }
}
