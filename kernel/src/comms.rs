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
}

impl Target {
    /// All targets with their names.
    const ALL: [(&'static str, Target); 1] = [(crate::prompt::TARGET, Target::Prompt)];

    /// Returns the target of this name.
    pub fn named(name: &str) -> Option<Target> {
        Target::ALL.iter().find(|(n, _)| *n == name).map(|(_, target)| *target)
    }

    fn name(self) -> &'static str {
        Target::ALL.iter().find(|(_, target)| *target == self).map_or("", |(name, _)| name)
    }
}

/// The open comms.
#[derive(Default)]
pub struct Comms {
    open: Mutex<BTreeMap<String, Target>>,
}

impl Comms {
    /// Opens a comm; reports whether there was room for it.
    pub fn open(&self, id: &str, target: Target) -> bool {
        let mut open = self.all();
        if open.len() >= MOST && !open.contains_key(id) {
            return false;
        }
        open.insert(String::from(id), target);
        true
    }

    /// Closes a comm.
    pub fn close(&self, id: &str) {
        self.all().remove(id);
    }

    /// Returns the target of an open comm.
    pub fn target(&self, id: &str) -> Option<Target> {
        self.all().get(id).copied()
    }

    /// Returns the ids of the open comms of a target.
    pub fn of(&self, target: Target) -> Vec<String> {
        self.all().iter().filter(|(_, of)| **of == target).map(|(id, _)| id.clone()).collect()
    }

    /// Returns the content of `comm_info_reply`: the open comms, or those of one target.
    pub fn info(&self, target: Option<&str>) -> Value {
        let open = self.all();
        let asked = open.iter().filter(|(_, of)| target.is_none_or(|name| of.name() == name));
        let comms: Map<String, Value> =
            asked.map(|(id, of)| (id.clone(), json!({ "target_name": of.name() }))).collect();
        json!({ "status": "ok", "comms": comms })
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Target>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
