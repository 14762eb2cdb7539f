//! The interface through which evaluation reads names, libraries, files, external variables and types from a session.

use super::{Fault, Machine, Revision, Thunk};
use crate::loader::Memory;
use crate::term::{Import, NodeId, Term};
use crate::text::{Name, SourceId, Span};
use std::sync::Arc;

/// The interface through which the machine reads from the session. It is shared and re-entered: implement it with
/// interior mutability, and hold no borrow while calling back into the machine.
pub trait Host {
    /// Returns the current revision. A name is read with the revision of its reader, and has the definition that it
    /// had in that revision.
    fn now(&self) -> Revision {
        Revision::default()
    }
    /// Returns the value of a name that no term binds: a session definition or a library (`std`).
    fn global(&self, machine: &mut Machine, revision: Revision, name: &Name) -> Option<Thunk>;
    /// Returns the value of an imported file, unforced.
    fn import(&self, machine: &mut Machine, revision: Revision, import: &Import, span: Span) -> Result<Thunk, Fault>;
    /// Returns the library that terms read as `root`, as a source text sees it. By default it is looked up like other
    /// names.
    fn library(&self, machine: &mut Machine, root: &Name, revision: Revision, source: SourceId) -> Option<Thunk> {
        let _ = source;
        self.global(machine, revision, root)
    }
    /// Returns a function that the host provides to programs by name (`std.native`).
    fn native(&self, machine: &mut Machine, name: &Name) -> Option<Thunk> {
        let _ = (machine, name);
        None
    }
    /// Returns the value of an external variable (`std.extVar`), unforced.
    fn external(&self, machine: &mut Machine, revision: Revision, name: &Name) -> Option<Thunk> {
        let _ = (machine, revision, name);
        None
    }
    /// Returns the type of a node of a program where types are exact; `None` if it is not known.
    fn type_of(&self, term: &Arc<Term>, node: NodeId) -> Option<Arc<crate::ty::Scheme>> {
        let _ = (term, node);
        None
    }
    /// Returns the name to which an expression that is a whole definition is bound, and the name's span.
    fn bound_to(&self, _span: Span) -> Option<(Name, Span)> {
        None
    }
    /// Returns file and line of a place, in the format of `std.trace` in the C++ Jsonnet implementation.
    fn line(&self, span: Span) -> Option<String> {
        let _ = span;
        None
    }
    /// Returns the memory that the process can still allocate; `None` if unknown.
    fn memory(&self) -> Option<Memory> {
        None
    }
}

/// A [`Host`] without globals, imports or variables.
#[cfg(test)]
pub struct NoHost;

#[cfg(test)]
impl Host for NoHost {
    fn global(&self, _: &mut Machine, _: Revision, _: &Name) -> Option<Thunk> {
        None
    }
    fn import(&self, _: &mut Machine, _: Revision, import: &Import, span: Span) -> Result<Thunk, Fault> {
        Err(Fault::undefined(format!("cannot import `{}`", import.path), Some(span)))
    }
}
