//! Types and values in the syntax of cfg, so that its parser reads them back.

pub mod name;
pub mod ty;
pub mod value;

use crate::problem::report::Notation;

/// What reports write in it.
pub const REPORT: Notation = Notation { ty: ty::line };
