//! The styles of pages and fragments.
//!
//! A fragment is a part of a page that may be dark or light, and that may remove unknown markup. Its styles
//! therefore exist twice. Each element carries the properties that JupyterLab's sanitizer keeps in an untrusted
//! notebook (no `var`, no style sheet): colours of medium brightness, readable on black and on white. If the style
//! sheet is kept too, it mixes each colour with the colour of the surrounding text, which makes it dark on a light page
//! and light on a dark one.

/// The additional styles of a complete page.
pub const PAGE: &str = "body{margin:1.5rem auto;max-width:70rem;padding:0 1rem;background:Canvas;color:CanvasText;\
color-scheme:dark light}";

/// The style sheet of a page and of a fragment.
pub const SHEET: &str = "\
.cfg{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.9rem}\
.cfg table{border-collapse:collapse;margin:.5rem 0}\
.cfg td,.cfg th{padding:.15rem .75rem .15rem 0;text-align:left;vertical-align:top;white-space:pre-wrap;\
overflow-wrap:break-word}\
.cfg .string{overflow-wrap:anywhere}\
.cfg tbody tr{border-top:1px solid color-mix(in srgb,currentColor 18%,transparent)}\
.cfg thead th,.cfg tbody th{font-weight:normal}\
.cfg details{margin:.2rem 0}.cfg summary{cursor:pointer}\
.cfg pre{white-space:pre-wrap;margin:.3rem 0}\
.cfg code{font-family:inherit;color:inherit;background:color-mix(in srgb,currentColor 9%,transparent);padding:0 .25em}\
.cfg mark{background:none!important;color:inherit!important;font-weight:bold;text-decoration:underline}\
.cfg .keyword{white-space:nowrap}\
.cfg .keyword,.cfg .tag{color:color-mix(in srgb,currentColor 30%,#8f4fd0)!important}\
.cfg .literal,.cfg .note{color:color-mix(in srgb,currentColor 30%,#1579c4)!important}\
.cfg .string{color:color-mix(in srgb,currentColor 30%,#1f9440)!important}\
.cfg .type{color:color-mix(in srgb,currentColor 30%,#b97a00)!important}\
.cfg .warning{color:color-mix(in srgb,currentColor 30%,#b97a00)!important}\
.cfg .error{color:color-mix(in srgb,currentColor 22%,#e03c3c)!important}\
.cfg .wins{color:color-mix(in srgb,currentColor 22%,#1f9440)!important}";

/// The styles that elements carry, by tag and class. The first match counts.
const INLINE_STYLES: &[(&str, &str, &str)] = &[
    ("table", "", "border-collapse:collapse;margin:.4em 0;table-layout:auto"),
    ("td", "", CELL),
    ("th", "", "text-align:left;vertical-align:top;white-space:pre-wrap;padding:.15em .8em .15em 0;font-weight:normal"),
    ("pre", "", "white-space:pre-wrap;margin:.3em 0"),
    ("h2", "", "font-size:1.1em;font-weight:normal;margin:.2em 0"),
    ("h3", "", "font-size:1em;font-weight:bold;margin:.8em 0 .2em"),
    ("p", "", "margin:.3em 0"),
    ("details", "", "margin:.2em 0"),
    ("summary", "", "cursor:pointer"),
    ("ol", "", "margin:0;padding-left:2.5em"),
    ("del", "", "opacity:.75"),
    ("span", "dim", "opacity:.75"),
    ("span", "comment", "opacity:.75"),
    ("span", "keyword", "color:#9a5fd0"),
    ("span", "tag", "color:#9a5fd0"),
    ("span", "literal", "color:#2a7fbf"),
    ("span", "note", "color:#2a7fbf"),
    ("span", "string", "color:#2b8a3e"),
    ("span", "type", "color:#a26b00"),
    ("span", "error", "color:#d64545"),
    ("strong", "error", "color:#d64545"),
    ("strong", "warning", "color:#a26b00"),
    ("strong", "wins", "color:#2b8a3e"),
];

const CELL: &str = "text-align:left;vertical-align:top;white-space:pre-wrap;padding:.15em .8em .15em 0";

/// Returns elements for a page of another program. Escaped text contains no `<` and attributes no `>`, so everything
/// that looks like a tag is one.
pub fn fragment(elements: &str) -> String {
    let mut out = String::with_capacity(elements.len() * 2);
    out.push_str("<div class=\"cfg\" style=\"font-family:ui-monospace,Menlo,Consolas,monospace\"><style>");
    out.push_str(SHEET);
    out.push_str("</style>\n");
    let mut rest = elements;
    while let Some(at) = rest.find('<') {
        let (text, tag) = rest.split_at(at);
        out.push_str(text);
        let end = tag.find('>').unwrap_or(tag.len());
        let (tag, after) = tag.split_at(end);
        out.push_str(tag);
        if let Some(style) = inline_style(tag) {
            out.push_str(" style=\"");
            out.push_str(style);
            out.push('"');
        }
        rest = after;
    }
    out.push_str(rest);
    out.push_str("</div>\n");
    out
}

/// Returns the style for an opening tag, such as `<span class="type"`.
fn inline_style(tag: &str) -> Option<&'static str> {
    let tag = tag.strip_prefix('<').filter(|tag| !tag.starts_with('/'))?;
    let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
    let class = attributes.strip_prefix("class=\"").and_then(|rest| rest.split('"').next()).unwrap_or("");
    INLINE_STYLES.iter().find(|(tag, of, _)| *tag == name && (of.is_empty() || *of == class)).map(|(.., style)| *style)
}

#[cfg(test)]
mod tests {
    use super::fragment;
    use crate::styled::{Role, Styled};
    use crate::view::html::Html;

    #[test]
    fn elements_carry_what_a_strict_host_keeps() {
        let mut html = Html::new();
        html.styled(&Styled::of(Role::Type, "<td>"));
        html.with("th", &[("scope", "row")], |html| {
            html.text("a");
        });
        let shown = fragment(&html.into_string());
        let (_, shown) = shown.split_once("</style>\n").unwrap_or_default();
        assert_eq!(
            shown,
            "<span class=\"type\" style=\"color:#a26b00\">&lt;td&gt;</span><th scope=\"row\" style=\"text-align:left;\
             vertical-align:top;white-space:pre-wrap;padding:.15em .8em .15em 0;font-weight:normal\">a</th></div>\n"
        );
    }
}
