//! The text of block scalars.

/// Returns the length of a block scalar. The text ends before the next key or element: the indentation of that is not part of
/// the scalar, nor are the empty lines before it, unless the scalar `keeps` them.
pub(super) fn length(text: &str, keeps: bool) -> usize {
    let content = text.trim_end().len();
    let rest = text.get(content..).unwrap_or_default();
    let line = if keeps { rest.rfind('\n') } else { rest.find(['\r', '\n']) };
    match line {
        Some(at) if keeps => content + at + 1,
        Some(at) => content + at,
        None => text.len(),
    }
}
