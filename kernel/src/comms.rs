//! The comms that front ends have opened: messages between a client and the kernel about a target that both know.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Maximum number of open comms; another one is closed at once.
const MOST: usize = 1024;

/// The subject of a comm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A prompt that shows what the session does ([`crate::prompt`]).
    Prompt,
    /// A notebook that shows the names of the session, and asks what a field's value would be
    /// ([`crate::shell::panel`]).
    Notebook,
}

impl Target {
    /// All targets with their names.
    const ALL: [(&'static str, Target); 2] =
        [(crate::prompt::TARGET, Target::Prompt), (crate::shell::panel::TARGET, Target::Notebook)];

    /// Returns the target of this name.
    pub fn named(name: &str) -> Option<Target> {
        Target::ALL.iter().find(|(n, _)| *n == name).map(|(_, target)| *target)
    }

    fn name(self) -> &'static str {
        Target::ALL.iter().find(|(_, target)| *target == self).map_or("", |(name, _)| name)
    }
}

/// An open comm.
struct Open {
    target: Target,
    /// The client that opened it, by the session in its messages.
    client: Option<Value>,
    /// The width of the client's page, in columns.
    columns: Option<usize>,
}

/// The open comms.
#[derive(Default)]
pub struct Comms {
    open: Mutex<BTreeMap<String, Open>>,
}

impl Comms {
    /// Opens a comm of a client; reports whether there was room for it.
    pub fn open(&self, id: &str, target: Target, client: Option<&Value>) -> bool {
        let mut open = self.all();
        if open.len() >= MOST && !open.contains_key(id) {
            return false;
        }
        open.insert(String::from(id), Open { target, client: client.cloned(), columns: None });
        true
    }

    /// Closes a comm.
    pub fn close(&self, id: &str) {
        self.all().remove(id);
    }

    /// Returns the target of an open comm.
    pub fn target(&self, id: &str) -> Option<Target> {
        self.all().get(id).map(|open| open.target)
    }

    /// Returns the ids of the open comms of a target.
    pub fn of(&self, target: Target) -> Vec<String> {
        self.all().iter().filter(|(_, open)| open.target == target).map(|(id, _)| id.clone()).collect()
    }

    /// Reports whether a client has an open comm of a target.
    pub fn has(&self, target: Target, client: Option<&Value>) -> bool {
        client.is_some() && self.all().values().any(|open| open.target == target && open.client.as_ref() == client)
    }

    /// Sets the width of the page of a comm's client, in columns.
    pub fn set_columns(&self, id: &str, columns: usize) {
        if let Some(open) = self.all().get_mut(id) {
            open.columns = Some(columns);
        }
    }

    /// Returns the width of a client's page, in columns, if one of its comms knows it.
    pub fn columns(&self, client: Option<&Value>) -> Option<usize> {
        client?;
        self.all().values().filter(|open| open.client.as_ref() == client).find_map(|open| open.columns)
    }

    /// Returns the content of `comm_info_reply`: the open comms, or those of one target.
    pub fn info(&self, target: Option<&str>) -> Value {
        let open = self.all();
        let asked = open.iter().filter(|(_, open)| target.is_none_or(|name| open.target.name() == name));
        let comms: Map<String, Value> =
            asked.map(|(id, open)| (id.clone(), json!({ "target_name": open.target.name() }))).collect();
        json!({ "status": "ok", "comms": comms })
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
