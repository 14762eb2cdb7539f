//! What could follow the cursor, shown dim while typing.

use super::complete::complete;
use crate::session::Session;

/// The rest of the only way to go on at the end of a text.
pub fn hint(session: &mut Session, text: &str, cursor: usize) -> Option<String> {
    if cursor != text.len() || text.trim().is_empty() {
        return None;
    }
    // only what goes on with a name that was begun
    if !text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '\'' | '/')) {
        return None;
    }
    let mut all = complete(session, text, cursor);
    if all.len() != 1 {
        return None;
    }
    let only = all.pop()?;
    let written = text.get(only.range.clone())?;
    only.text.strip_prefix(written).filter(|rest| !rest.is_empty()).map(String::from)
}
