//! The session of a kernel as the prompt sees it.

use super::other_clients::OtherClients;
use crate::engine::Engine;
use cfg_core::steps::Page;
use cfg_core::whatif::{ExplainedField, Tried};
use cfg_core::{Candidate, Completeness, Event, Languages, NoLoader, Role, Session, Severity, Styled};
use cfg_kernel::client::{Channel, Client, ClientEvent, Content, Message, protocol};
use cfg_kernel::prompt;
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::ops::Range;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Maximum time that the kernel has to accept the prompt.
const ACCEPT: Duration = Duration::from_secs(10);
/// Maximum time to wait for completions.
const COMPLETIONS: Duration = Duration::from_secs(1);
/// Maximum time to wait for a hint, which is asked for at every key.
const HINT: Duration = Duration::from_millis(80);
/// Maximum time to wait for `idle` after the reply to an input.
const IDLE: Duration = Duration::from_secs(2);
/// The kinds of completions.
const KINDS: [&str; 8] = ["field", "name", "keyword", "command", "path", "option", "tag", "document"];

/// A session in a kernel. What depends only on the text and the language is answered by a session of its own.
pub struct Remote {
    client: Arc<Client>,
    events: Receiver<ClientEvent>,
    others: Arc<Mutex<OtherClients>>,
    local: RefCell<Session>,
    columns: Option<usize>,
    /// The number of definitions in the answer to the last input, if it was `:explain`.
    explained: Option<usize>,
    print: Box<dyn Fn(&str)>,
}

impl Remote {
    /// Creates the session of a client that hears the messages about its own requests.
    pub fn new(
        languages: Languages,
        client: Arc<Client>,
        events: Receiver<ClientEvent>,
        others: Arc<Mutex<OtherClients>>,
    ) -> Remote {
        let local = RefCell::new(Session::with_languages(languages, Box::new(NoLoader)));
        Remote { client, events, others, local, columns: None, explained: None, print: Box::new(|_| ()) }
    }

    /// Sets the function that writes what programs print while they run.
    pub fn printing(self, print: impl Fn(&str) + 'static) -> Remote {
        Remote { print: Box::new(print), ..self }
    }

    /// Opens the comm of the prompt. Fails with the reason if the kernel does not accept it.
    pub fn open(&self) -> Result<(), &'static str> {
        let comm = format!("cfg-prompt-{}", self.client.session());
        self.others().comm.clone_from(&comm);
        let request = self.client.send(Channel::Shell, opening(&comm), &json!({}));
        let until = Instant::now() + ACCEPT;
        loop {
            match self.next(&request, Some(until)).map(|(_, message)| message.content) {
                None => return Err("it does not answer"),
                Some(Content::CommClose(_)) => return Err("it is not a kernel of cfg"),
                Some(Content::CommMsg(message)) => {
                    self.others().take(&message);
                    return Ok(());
                }
                // a kernel that knows no comms ends the request without an answer
                Some(Content::Status(status)) if status.execution_state == protocol::ExecutionState::Idle => {
                    return Err("it is not a kernel of cfg");
                }
                Some(_) => {}
            }
        }
    }

    fn others(&self) -> MutexGuard<'_, OtherClients> {
        self.others.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the session that answers questions about text, in the language of the kernel's session.
    fn local(&self) -> std::cell::RefMut<'_, Session> {
        let language = self.others().state.language;
        let mut local = self.local.borrow_mut();
        if local.dialect() != language {
            let _ = local.set_dialect(language);
        }
        local
    }

    /// Returns the next message about a request; `None` if none arrives in time or the connection has ended.
    fn next(&self, request: &str, until: Option<Instant>) -> Option<(bool, Message)> {
        loop {
            let event = match until {
                None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(until) => self.events.recv_timeout(until.saturating_duration_since(Instant::now())),
            };
            match event {
                Ok(ClientEvent::Reply(message)) if message.parent == request => return Some((true, message)),
                Ok(ClientEvent::Published(message)) if message.parent == request => return Some((false, message)),
                // an answer that came too late
                Ok(ClientEvent::Reply(_) | ClientEvent::Published(_)) => {}
                Ok(ClientEvent::Gone) | Err(_) => return None,
            }
        }
    }

    /// Asks the kernel over the comm of the prompt. Without a time limit, waits until the kernel answers or is interrupted.
    fn ask(&self, question: Value, patience: Option<Duration>) -> Option<Map<String, Value>> {
        let comm_id = protocol::CommId(self.others().comm.clone());
        let Value::Object(data) = question else { return None };
        let request = self.client.send(Channel::Shell, protocol::CommMsg { comm_id, data }, &json!({}));
        let until = patience.map(|patience| Instant::now() + patience);
        loop {
            if let (_, Message { content: Content::CommMsg(answer), .. }) = self.next(&request, until)? {
                return Some(answer.data);
            }
        }
    }

    /// Returns the completions with their places in characters.
    fn completions(&self, text: &str, cursor: usize) -> Option<Vec<Value>> {
        let code = String::from(text);
        let cursor_pos = text.get(..cursor)?.chars().count();
        let content = protocol::CompleteRequest { code, cursor_pos };
        let request = self.client.send(Channel::Shell, content, &json!({}));
        let until = Instant::now() + COMPLETIONS;
        loop {
            if let (true, Message { content: Content::CompleteReply(reply), .. }) = self.next(&request, Some(until))? {
                return reply.metadata.get("_jupyter_types_experimental")?.as_array().cloned();
            }
        }
    }

    fn run(&mut self, text: &str) -> Vec<Event> {
        let content = protocol::ExecuteRequest {
            code: String::from(text),
            silent: false,
            store_history: true,
            user_expressions: None,
            allow_stdin: false,
            stop_on_error: true,
        };
        let metadata = json!({ "cfg": { "columns": self.columns } });
        let request = self.client.send(Channel::Shell, content, &metadata);
        self.explained = None;
        let (mut events, mut replied, mut idle) = (Vec::new(), None, false);
        let mut until = None;
        while !(idle && replied.is_some()) {
            let Some((is_reply, message)) = self.next(&request, until) else {
                if until.is_some() {
                    break;
                }
                events.push(failure("the kernel has ended", "kernel/gone"));
                events.push(Event::Quit);
                return events;
            };
            match message.content {
                Content::CommMsg(message) => {
                    let explained = message.data.get("explained").and_then(Value::as_u64);
                    self.explained = explained.and_then(|count| usize::try_from(count).ok());
                    events.extend(self.others().take(&message));
                }
                Content::StreamContent(stream) if matches!(stream.name, protocol::Stdio::Stdout) => {
                    (self.print)(&stream.text);
                }
                Content::Status(status) => idle |= status.execution_state == protocol::ExecutionState::Idle,
                content if is_reply => {
                    replied = Some(content);
                    until = Some(Instant::now() + IDLE);
                }
                _ => {}
            }
        }
        match replied {
            // an error without a report: the input was not run
            Some(Content::ExecuteReply(reply)) if events.is_empty() => {
                events.extend(reply.error.map(|error| failure(&error.evalue, &error.ename)));
            }
            _ => {}
        }
        events
    }
}

fn opening(comm: &str) -> protocol::CommOpen {
    protocol::CommOpen {
        comm_id: protocol::CommId(String::from(comm)),
        target_name: String::from(prompt::TARGET),
        data: Map::new(),
        target_module: None,
    }
}

fn failure(says: &str, code: &str) -> Event {
    let mut report = Styled::of(Role::Error, "error");
    report.plain(format!(": {says} [{code}]"));
    Event::Diagnostic { severity: Severity::Error, report, rich: None }
}

impl Engine for Remote {
    fn submit(&mut self, text: &str) -> Vec<Event> {
        if self.others().is_gone {
            return vec![failure("the kernel has ended", "kernel/gone"), Event::Quit];
        }
        self.others().waits = true;
        let events = self.run(text);
        self.others().waits = false;
        events
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn completeness(&self, text: &str) -> Completeness {
        self.local().completeness(text)
    }

    fn inputs(&self, text: &str) -> Vec<String> {
        self.local().inputs(text)
    }

    fn is_bound(&self, name: &str) -> bool {
        let found = self.completions(name, name.len()).unwrap_or_default();
        found.iter().any(|c| c.get("text").and_then(Value::as_str) == Some(name) && c["kind"] == "name")
    }

    fn highlight(&self, text: &str) -> Vec<(Range<usize>, Role)> {
        self.local().highlight(text)
    }

    fn mistake(&self, text: &str, cursor: usize) -> Option<Range<usize>> {
        self.local().mistake(text, cursor)
    }

    fn complete(&mut self, text: &str, cursor: usize) -> Vec<Candidate> {
        let byte = |value: &Value| {
            let characters = value.as_u64().and_then(|n| usize::try_from(n).ok())?;
            Some(text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at))
        };
        let candidate = |found: &Value| {
            let word = |name: &str| found.get(name).and_then(Value::as_str).filter(|word| !word.is_empty());
            Some(Candidate {
                range: byte(found.get("start")?)?..byte(found.get("end")?)?,
                text: String::from(word("text")?),
                kind: KINDS.into_iter().find(|kind| word("kind") == Some(*kind)).unwrap_or("name"),
                ty: word("signature").map(String::from),
                doc: word("documentation").map(String::from),
            })
        };
        self.completions(text, cursor).unwrap_or_default().iter().filter_map(candidate).collect()
    }

    fn hint(&mut self, text: &str, cursor: usize) -> Option<String> {
        if text.trim().is_empty() {
            return None;
        }
        let answer = self.ask(json!({ "ask": "hint", "code": text, "cursor": cursor }), Some(HINT))?;
        answer.get("hint")?.as_str().map(String::from)
    }

    fn next_cell(&self) -> String {
        self.others().next_cell()
    }

    fn option(&self, name: &str) -> Option<String> {
        self.others().option(name)
    }

    fn set_width(&mut self, columns: usize) {
        self.columns = Some(columns);
    }

    fn steps_again(&mut self, columns: usize) -> Option<(Vec<Page>, Styled)> {
        let answer = self.ask(json!({ "ask": "steps", "columns": columns }), Some(COMPLETIONS))?;
        prompt::steps_from_json(answer.get("steps")?)
    }

    fn explained_definitions(&self) -> Option<usize> {
        self.explained
    }

    fn explained(&mut self, path: &str) -> Option<ExplainedField> {
        let question = json!({ "ask": "explained", "path": path, "columns": self.columns });
        prompt::explained_from_json(self.ask(question, None)?.get("explained")?)
    }

    fn try_changes(&mut self, path: &str, changes: &str) -> Option<Tried> {
        let question = json!({ "ask": "whatif", "path": path, "changes": changes, "columns": self.columns });
        prompt::tried_from_json(self.ask(question, None)?.get("tried")?)
    }
}
