//! The prompt in front of the lines of an input.

use super::super::{continuation, prompt};
use super::keys::KeysAhead;
use super::last_drawn::LastDrawn;
use crate::paint::{Paint, visible};
use cfg_core::Role;
use nu_ansi_term::{Color, Style};
use reedline::{Prompt, PromptEditMode, PromptHistorySearch, PromptHistorySearchStatus, PromptViMode};
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

/// The name of the cell that the prompt is for (`cfg[3]`). It may change while a line is edited.
#[derive(Clone, Default)]
pub struct CellName(Arc<Mutex<String>>);

impl CellName {
    /// Sets the name.
    pub fn set(&self, name: &str) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = name.into();
    }

    fn get(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The prompt of one cell.
pub struct Ps {
    cell: CellName,
    paint: Paint,
    ahead: KeysAhead,
    seen: LastDrawn,
}

impl Ps {
    /// Creates the prompt of a cell; it notifies `ahead` and `seen` when it is drawn.
    pub fn new(cell: CellName, paint: Paint, ahead: KeysAhead, seen: LastDrawn) -> Ps {
        Ps { cell, paint, ahead, seen }
    }
}

impl Prompt for Ps {
    fn render_prompt_left(&self) -> Cow<'_, str> {
        self.ahead.painted();
        styled(self.paint.style(Role::Heading), &self.cell.get())
    }

    fn render_prompt_right(&self) -> Cow<'_, str> {
        Cow::Borrowed("")
    }

    fn render_prompt_indicator(&self, mode: PromptEditMode) -> Cow<'_, str> {
        match mode {
            PromptEditMode::Vi(PromptViMode::Normal | PromptViMode::Visual) => {
                styled(self.paint.style(Role::Heading), &prompt("").replace('>', ":"))
            }
            _ => Cow::Owned(indicator(self.paint)),
        }
    }

    fn render_prompt_multiline_indicator(&self) -> Cow<'_, str> {
        styled(self.paint.style(Role::Dim), &continuation(&self.cell.get()))
    }

    fn render_prompt_history_search_indicator(&self, search: PromptHistorySearch) -> Cow<'_, str> {
        self.seen.searched();
        let found = match search.status {
            PromptHistorySearchStatus::Passing => "search",
            PromptHistorySearchStatus::Failing => "no match for",
        };
        Cow::Owned(format!(" ({found} `{}`) ", visible(&search.term)))
    }

    fn get_prompt_color(&self) -> Color {
        Color::Default
    }

    fn get_prompt_multiline_color(&self) -> Color {
        Color::Default
    }

    fn get_indicator_color(&self) -> Color {
        Color::Default
    }
}

/// Returns the end of the prompt, which is also shown while a menu is open.
pub fn indicator(paint: Paint) -> String {
    styled(paint.style(Role::Heading), &prompt("")).into_owned()
}

fn styled(style: Style, text: &str) -> Cow<'static, str> {
    if style.is_plain() { Cow::Owned(text.to_string()) } else { Cow::Owned(style.paint(text).to_string()) }
}
