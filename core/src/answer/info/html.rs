//! Facts as HTML.

use super::Info;
use crate::answer::Renderer;
use crate::view::html::Html;

/// Writes the facts as lines.
pub(super) fn html(info: &Info, to: &Renderer<'_>, html: &mut Html) {
    html.preformatted(&info.unwrapped(to));
}
