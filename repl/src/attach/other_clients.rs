//! Shows what other clients of the kernel run.

use crate::lines::Announce;
use crate::paint::Paint;
use crate::progress::Progress;
use crate::show::Page;
use crate::terminal;
use cfg_core::{Event, Languages, Role, Styled};
use cfg_kernel::client::{Content, Message, protocol};
use cfg_kernel::prompt::{self, State};
use serde_json::Value;

/// The state of the kernel, and the place where the work of other clients is shown.
pub struct OtherClients {
    languages: Languages,
    /// The state, as the kernel reported it last.
    pub state: State,
    /// The comm of this prompt.
    pub comm: String,
    /// Whether this prompt waits for the kernel. Then no line is being edited.
    pub waits: bool,
    /// Whether the connection has ended.
    pub is_gone: bool,
    announce: Option<Announce>,
    paint: Option<Paint>,
    progress: Progress,
}

impl OtherClients {
    /// Creates a place that shows nothing until [`OtherClients::show`] is called.
    pub fn new(languages: Languages, progress: Progress) -> OtherClients {
        OtherClients {
            languages,
            state: State::default(),
            comm: String::new(),
            waits: false,
            is_gone: false,
            announce: None,
            paint: None,
            progress,
        }
    }

    /// Shows what other clients run from now on: above the line that is edited if `announce` can, otherwise where the
    /// cursor is.
    pub fn show(&mut self, announce: Option<Announce>, paint: Paint) {
        self.announce = announce;
        self.paint = Some(paint);
    }

    /// Returns the name of the next cell.
    pub fn next_cell(&self) -> String {
        format!("{}[{}]", self.state.language.name(), self.state.next)
    }

    /// Returns the value of an option of the session.
    pub fn option(&self, name: &str) -> Option<String> {
        self.state.options.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }

    /// Takes the events and the state out of a message of the kernel to its prompts.
    pub fn take(&mut self, message: &protocol::CommMsg) -> Vec<Event> {
        if message.comm_id.0 != self.comm {
            return Vec::new();
        }
        if let Some(state) = message.data.get("state").and_then(|state| State::from_json(self.languages, state)) {
            self.state = state;
        }
        let events = message.data.get("events").and_then(Value::as_array).into_iter().flatten();
        events.filter_map(|event| prompt::event_from_json(self.languages, event)).collect()
    }

    /// Shows a message about the request of another client.
    pub fn show_message(&mut self, message: &Message) {
        match &message.content {
            Content::ExecuteInput(input) => {
                let number = input.execution_count.value();
                self.state.next = u32::try_from(number).unwrap_or(u32::MAX).saturating_add(1);
                let prompt = format!("[{number}]> ");
                let mut text = Styled::of(Role::Dim, &prompt);
                for (n, line) in input.code.lines().enumerate() {
                    if n > 0 {
                        text.push(Role::Dim, format!("\n{:>width$} ", "…", width = prompt.len() - 1));
                    }
                    text.plain(line);
                }
                self.print(&Event::Answer(text));
            }
            Content::StreamContent(stream) if matches!(stream.name, protocol::Stdio::Stdout) => {
                self.print(&Event::Output(stream.text.clone()));
            }
            Content::CommMsg(message) => {
                for event in self.take(message) {
                    self.print(&event);
                }
            }
            Content::ShutdownReply(_) => self.connection_ended(),
            _ => {}
        }
    }

    /// Reports the end of the connection.
    pub fn connection_ended(&mut self) {
        if !std::mem::replace(&mut self.is_gone, true) && !self.waits {
            self.print(&Event::Answer(Styled::of(Role::Warning, "the kernel has ended")));
        }
    }

    fn print(&mut self, event: &Event) {
        let Some(first) = self.paint else { return };
        let paint = first.with_options(self.option("theme").as_deref(), self.option("colour").as_deref());
        let (columns, rows) = terminal::size();
        let Some(shown) = (Page { paint, columns, rows }).show(event) else { return };
        let cell = self.next_cell();
        match &mut self.announce {
            Some(announce) if !self.waits => announce(shown.text, Some(cell)),
            _ => self.progress.write(&shown.text),
        }
    }
}
