//! A terminal without a screen: a pty connected to an emulator that answers like a real terminal. Tests type, and wait
//! until the screen shows the expected text; they never sleep.

use crate::binary::cfg;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Maximum time that a test waits before it fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// Keys, as terminals send them.
pub mod key {
    /// Enter.
    pub const ENTER: &str = "\r";
    /// Tab.
    pub const TAB: &str = "\t";
    /// Arrow up.
    pub const UP: &str = "\x1b[A";
    /// Arrow down.
    pub const DOWN: &str = "\x1b[B";
    /// Arrow right.
    pub const RIGHT: &str = "\x1b[C";
    /// Escape.
    pub const ESC: &str = "\x1b";
    /// Backspace.
    pub const BACKSPACE: &str = "\x7f";
    /// Ctrl-A.
    pub const CTRL_A: &str = "\x01";
    /// Ctrl-C.
    pub const CTRL_C: &str = "\x03";
    /// Ctrl-D.
    pub const CTRL_D: &str = "\x04";
    /// Ctrl-O.
    pub const CTRL_O: &str = "\x0f";
    /// Ctrl-R.
    pub const CTRL_R: &str = "\x12";
    /// Ctrl-Z.
    pub const CTRL_Z: &str = "\x1a";
    /// Arrow left.
    pub const LEFT: &str = "\x1b[D";
}

/// The terminal's properties when the program starts.
#[derive(Clone, Debug)]
pub struct Setup {
    /// `TERM`; `None` if it is unset.
    pub term: Option<&'static str>,
    /// Whether the terminal reports its cursor position.
    pub answers: bool,
    /// Rows and columns.
    pub size: (u16, u16),
    /// More environment variables.
    pub env: Vec<(&'static str, String)>,
    /// Arguments of `cfg`.
    pub args: Vec<String>,
    /// Whether to run a shell instead, with `cfg` in `$CFG`.
    pub shell: bool,
    /// Returns the binary.
    pub binary: fn() -> &'static Path,
}

impl Default for Setup {
    fn default() -> Self {
        Setup {
            term: Some("xterm-256color"),
            answers: true,
            size: (24, 80),
            env: Vec::new(),
            args: Vec::new(),
            shell: false,
            binary: cfg,
        }
    }
}

/// A running `cfg`, and its screen.
pub struct Terminal {
    shared: Arc<Shared>,
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
}

struct Shared {
    screen: Mutex<State>,
    changed: Condvar,
    keyboard: Mutex<Box<dyn Write + Send>>,
}

struct State {
    parser: vt100::Parser<Queries>,
    /// Everything that the program has sent.
    raw: Vec<u8>,
    closed: bool,
}

/// Records the program's queries to the terminal.
#[derive(Default)]
struct Queries(Vec<(u16, u16)>);

impl vt100::Callbacks for Queries {
    fn unhandled_csi(
        &mut self,
        screen: &mut vt100::Screen,
        private: Option<u8>,
        _: Option<u8>,
        params: &[&[u16]],
        c: char,
    ) {
        if c == 'n' && private.is_none() && params == [&[6_u16][..]] {
            self.0.push(screen.cursor_position());
        }
    }
}

fn size(value: u16) -> NonZeroU16 {
    NonZeroU16::new(value).unwrap_or(NonZeroU16::MIN)
}

impl Terminal {
    /// Starts `cfg` in a folder, which also holds its history and the user's other files.
    ///
    /// # Panics
    /// If no pty can be created.
    pub fn start(folder: &Path, setup: &Setup) -> Terminal {
        let (rows, cols) = setup.size;
        let pty = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(pty).expect("a pty");
        let mut command = if setup.shell { CommandBuilder::new("sh") } else { CommandBuilder::new((setup.binary)()) };
        if setup.shell {
            command.args(["-i"]);
            command.env("CFG", (setup.binary)());
            command.env("PS1", "shell: ");
            command.env_remove("ENV");
        }
        command.args(&setup.args);
        command.cwd(folder);
        for name in ["NO_COLOR", "COLORFGBG", "CFG_HISTORY", "TERM", "INSIDE_EMACS", "VISUAL", "EDITOR"] {
            command.env_remove(name);
        }
        command.env("XDG_DATA_HOME", folder);
        command.env("HOME", folder);
        if let Some(term) = setup.term {
            command.env("TERM", term);
        }
        for (name, value) in &setup.env {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).expect("cfg starts");
        drop(pair.slave);
        let reader = pair.master.try_clone_reader().expect("a reader of the pty");
        let keyboard = pair.master.take_writer().expect("a writer of the pty");
        let parser = vt100::Parser::new_with_callbacks(size(rows), size(cols), 0, Queries::default());
        let shared = Arc::new(Shared {
            screen: Mutex::new(State { parser, raw: Vec::new(), closed: false }),
            changed: Condvar::new(),
            keyboard: Mutex::new(keyboard),
        });
        let (watched, answers) = (shared.clone(), setup.answers);
        std::thread::spawn(move || watched.watch(reader, answers));
        Terminal { shared, master: pair.master, child }
    }

    /// Types text or keys.
    pub fn send(&self, text: &str) -> &Self {
        self.shared.send(text);
        self
    }

    /// Types a line and Enter.
    pub fn line(&self, text: &str) -> &Self {
        self.send(text).send(key::ENTER)
    }

    /// Pastes text, as a terminal with bracketed paste does.
    pub fn paste(&self, text: &str) -> &Self {
        self.send(&format!("\x1b[200~{text}\x1b[201~"))
    }

    /// Returns the text on the screen, without blanks at the ends of lines.
    pub fn text(&self) -> String {
        text_of(&self.lock())
    }

    /// Returns everything that the program has sent so far.
    pub fn raw(&self) -> String {
        String::from_utf8_lossy(&self.lock().raw).into_owned()
    }

    /// Waits until the screen satisfies a condition; returns its text.
    ///
    /// # Panics
    /// If it does not within `PATIENCE`, or before the program ends.
    #[track_caller]
    pub fn wait(&self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        let end = Instant::now() + PATIENCE;
        let mut state = self.lock();
        loop {
            let text = text_of(&state);
            if wanted(&text) {
                return text;
            }
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero() && !state.closed, "never saw {what}; the screen:\n{text}");
            state = match self.shared.changed.wait_timeout(state, left) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }

    /// Waits until a text is on the screen.
    #[track_caller]
    pub fn sees(&self, text: &str) -> String {
        self.wait(&format!("{text:?}"), |screen| screen.contains(text))
    }

    /// Waits until this is the last line of the screen.
    #[track_caller]
    pub fn last(&self, line: &str) -> String {
        self.wait(&format!("the last line {line:?}"), |screen| screen.lines().last() == Some(line))
    }

    /// Waits until the cursor is at a new prompt of this cell; returns the screen.
    #[track_caller]
    pub fn prompt(&self, number: u32) -> String {
        let prompt = format!("cfg[{number}]>");
        self.wait(&format!("a fresh prompt {prompt}"), |screen| screen.lines().last() == Some(&prompt))
    }

    /// Presses a key repeatedly until a new prompt of this cell appears, because the screen does not show when a
    /// program starts working on an input.
    #[track_caller]
    pub fn insist(&self, key: &str, number: u32) -> String {
        self.insist_until(key, &format!("cfg[{number}]>"))
    }

    /// Presses a key repeatedly until this is the last line of the screen.
    #[track_caller]
    pub fn insist_until(&self, key: &str, line: &str) -> String {
        let end = Instant::now() + PATIENCE;
        let mut state = self.lock();
        loop {
            let text = text_of(&state);
            if text.lines().last() == Some(line) {
                return text;
            }
            assert!(Instant::now() < end && !state.closed, "never saw {line}; the screen:\n{text}");
            let (now, waited) = match self.shared.changed.wait_timeout(state, Duration::from_millis(300)) {
                Ok((state, waited)) => (state, waited.timed_out()),
                Err(poisoned) => (poisoned.into_inner().0, true),
            };
            state = now;
            if waited {
                self.shared.send(key);
            }
        }
    }

    /// Waits until the cursor is in a column, counted from 0.
    #[track_caller]
    pub fn cursor_in(&self, column: u16) {
        let end = Instant::now() + PATIENCE;
        let mut state = self.lock();
        while state.parser.screen().cursor_position().1 != column {
            let left = end.saturating_duration_since(Instant::now());
            let shown = text_of(&state);
            assert!(!left.is_zero() && !state.closed, "the cursor never came to column {column}; the screen:\n{shown}");
            state = match self.shared.changed.wait_timeout(state, left) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }

    /// Waits until the text is on the screen in this style.
    #[track_caller]
    pub fn sees_styled(&self, text: &str, style: impl Fn(&vt100::Cell) -> bool) {
        let end = Instant::now() + PATIENCE;
        let mut state = self.lock();
        while !is_styled(&state, text, &style) {
            let left = end.saturating_duration_since(Instant::now());
            let shown = text_of(&state);
            assert!(!left.is_zero() && !state.closed, "never saw {text:?} in its style; the screen:\n{shown}");
            state = match self.shared.changed.wait_timeout(state, left) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }

    /// Resizes the window.
    ///
    /// # Panics
    /// If the pty cannot be resized.
    pub fn resize(&self, rows: u16, cols: u16) {
        self.lock().parser.set_size(size(rows), size(cols));
        let pty = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        self.master.resize(pty).expect("the pty changes its size");
    }

    /// Waits until the program ends; returns its exit code.
    ///
    /// # Panics
    /// If it does not end.
    pub fn end(mut self) -> u32 {
        let end = Instant::now() + PATIENCE;
        let mut state = self.lock();
        while !state.closed {
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "cfg does not end; the screen:\n{}", text_of(&state));
            state = match self.shared.changed.wait_timeout(state, left) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
        drop(state);
        self.child.wait().expect("an exit code").exit_code()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.shared.screen.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Shared {
    fn watch(&self, mut reader: Box<dyn Read + Send>, answers: bool) {
        let mut chunk = [0; 4096];
        loop {
            let n = reader.read(&mut chunk).unwrap_or(0);
            let mut replies = Vec::new();
            if let Ok(mut state) = self.screen.lock() {
                state.closed = n == 0;
                let bytes = chunk.get(..n).unwrap_or_default();
                state.raw.extend(bytes);
                state.parser.process(bytes);
                replies = std::mem::take(&mut state.parser.callbacks_mut().0);
            }
            self.changed.notify_all();
            if n == 0 {
                return;
            }
            for (row, column) in replies.iter().filter(|_| answers) {
                self.send(&format!("\x1b[{};{}R", row + 1, column + 1));
            }
        }
    }

    fn send(&self, text: &str) {
        if let Ok(mut keyboard) = self.keyboard.lock() {
            // a program that has ended reads no input; the test notices that on the screen
            let _ = keyboard.write_all(text.as_bytes());
            let _ = keyboard.flush();
        }
    }
}

fn text_of(state: &State) -> String {
    let screen = state.parser.screen();
    let columns = screen.size().1.get();
    let lines: Vec<String> = screen.rows(0, columns).map(|line| line.trim_end().to_string()).collect();
    lines.join("\n").trim_end().to_string()
}

fn is_styled(state: &State, text: &str, style: impl Fn(&vt100::Cell) -> bool) -> bool {
    let screen = state.parser.screen();
    let columns = screen.size().1.get();
    let lines: Vec<String> = screen.rows(0, columns).collect();
    lines.iter().enumerate().any(|(row, line)| {
        line.match_indices(text).any(|(at, _)| {
            let from = line.get(..at).map_or(0, |before| before.chars().count());
            (from..from + text.chars().count()).all(|column| {
                let place = (u16::try_from(row), u16::try_from(column));
                matches!(place, (Ok(row), Ok(column)) if screen.cell(row, column).is_some_and(&style))
            })
        })
    })
}
