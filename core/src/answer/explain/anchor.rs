//! Anchors of data files: an edit of a value inside one changes every alias too.

use crate::dialect::StdNames;
use crate::state::Workspace;
use crate::term::{Binding, Node};
use crate::text::{Name, Span};

/// Returns the innermost anchor around a place, as `&name`, and the number of its aliases. Reads the file again; `None` if
/// its language has no anchors. `O(file)`.
pub(super) fn around(session: &Workspace, place: Span) -> Option<(Name, usize)> {
    let dialect = session.dialect_of(place.source)?;
    dialect.0.documents?;
    let text = session.text_of(place.source)?;
    let program = dialect.program(place.source, &text, &StdNames);
    let Node::Let(anchors) = program.term.node(program.term.root) else { return None };
    let named = anchors.bindings.iter().zip(&anchors.slots).filter(|(_, name)| name.starts_with('&'));
    let whole = |binding: &Binding| binding.span.to(program.term.span(binding.body));
    let is_around = |span: Span| span.start <= place.start && place.end <= span.end;
    let around = named.filter(|(binding, _)| is_around(whole(binding)));
    let (_, name) = around.min_by_key(|(binding, _)| whole(binding).len())?;
    let alias = name.replacen('&', "*", 1);
    let is_end = |rest: &str| rest.chars().next().is_none_or(|c| c.is_whitespace() || matches!(c, ',' | ']' | '}'));
    let aliases = text.match_indices(alias.as_str());
    let count = aliases.filter(|(at, _)| text.get(at + alias.len()..).is_some_and(is_end)).count();
    (count > 0).then(|| (name.clone(), count))
}
