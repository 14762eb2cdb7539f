//! The styles of pages and fragments.
//!
//! A fragment is a part of a page that may be dark or light, and that may remove unknown markup. Its styles
//! therefore exist twice. Each element carries the properties that JupyterLab's sanitizer keeps in an untrusted
//! notebook (no `var`, no style sheet): colours of medium brightness, readable on black and on white. If the host has the
//! style sheet too, it mixes each colour with the colour of the surrounding text, which makes it dark on a light page
//! and light on a dark one. A fragment does not contain the sheet: the kernel sends it once to each client, and the
//! extension for JupyterLab has a copy.

/// The additional styles of a complete page.
pub const PAGE: &str = "body{margin:1.5rem auto;max-width:70rem;padding:0 1rem;background:Canvas;color:CanvasText;\
color-scheme:dark light}\
@media(prefers-color-scheme:dark){img{filter:invert(1) hue-rotate(180deg)}}";

/// The style sheet for [`Rich::html`](crate::Rich::html) and for [`Styled::to_html`](crate::Styled::to_html), which
/// a page that shows fragments needs once.
pub const SHEET: &str = "\
.cfg{font-family:Menlo,Consolas,monospace;font-size:.9rem;overflow-x:auto}\
.cfg .title,.cfg .part{margin:.2rem 0;font-size:1.1em}.cfg .part{margin-top:.8rem;font-size:1em;font-weight:bold}\
.cfg table{border-collapse:collapse;margin:.5rem 0}\
.cfg td,.cfg th{padding:.15rem .75rem .15rem 0;text-align:left;vertical-align:top;white-space:pre-wrap}\
.cfg .short{white-space:nowrap!important}\
.cfg .long{min-width:13em}\
@media(max-width:50rem){.cfg td,.cfg th{padding-right:.45rem!important}.cfg .long{min-width:8em}}\
.cfg img{max-width:none}\
body[data-jp-theme-light=false] .cfg img,.vscode-dark .cfg img{filter:invert(1) hue-rotate(180deg);mix-blend-mode:lighten}\
.cfg tbody tr{border-top:1px solid color-mix(in srgb,currentColor 18%,transparent)}\
.cfg thead th,.cfg tbody th{font-weight:normal}\
.cfg details{margin:.2rem 0}.cfg summary{cursor:pointer}\
.cfg pre{white-space:pre-wrap;margin:.3rem 0}\
.cfg code{font-family:inherit;color:inherit;background:color-mix(in srgb,currentColor 9%,transparent);padding:0 .25em}\
.cfg mark{background:none!important;color:inherit!important;font-weight:bold;text-decoration:underline}\
.cfg .keyword{white-space:nowrap}.cfg pre .keyword{white-space:inherit}\
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
    ("p", "title", "font-size:1.1em;margin:.2em 0"),
    ("p", "part", "font-weight:bold;margin:.8em 0 .2em"),
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
///
/// Notebooks typeset `$a$` as mathematics, except in elements of the classes that MathJax 3 and 2 ignore.
/// The first line is blank because JupyterLab shows the first line of a folded output in its place. Headings become
/// paragraphs, because notebooks list the headings of all outputs in their outline.
pub fn fragment(elements: &str) -> String {
    let mut out = String::with_capacity(elements.len() * 2);
    out.push_str(
        " \n<div class=\"cfg mathjax_ignore tex2jax_ignore\" \
         style=\"font-family:Menlo,Consolas,monospace;overflow-x:auto\">\n",
    );
    let mut rest = elements;
    while let Some(at) = rest.find('<') {
        let (text, tag) = rest.split_at(at);
        out.push_str(text);
        let end = tag.find('>').unwrap_or(tag.len());
        let (tag, after) = tag.split_at(end);
        let tag = match tag {
            "<h2" => "<p class=\"title\"",
            "<h3" => "<p class=\"part\"",
            "</h2" | "</h3" => "</p",
            other => other,
        };
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
        let (_, shown) = shown.split_once("auto\">\n").unwrap_or_default();
        assert_eq!(
            shown,
            "<span class=\"type\" style=\"color:#a26b00\">&lt;td&gt;</span><th scope=\"row\" style=\"text-align:left;\
             vertical-align:top;white-space:pre-wrap;padding:.15em .8em .15em 0;font-weight:normal\">a</th></div>\n"
        );
    }

    #[test]
    fn a_fragment_has_no_headings_and_no_style_sheet() {
        let mut html = Html::new();
        html.heading(2, &Styled::from("a")).heading(3, &Styled::from("b"));
        let shown = fragment(&html.into_string());
        assert!(!shown.contains("<h") && !shown.contains("<style") && shown.starts_with(" \n<div"), "{shown}");
        assert!(shown.contains("<p class=\"title\" style=\"font-size:1.1em;margin:.2em 0\">a</p>"), "{shown}");
    }

    /// Returns the relative luminance of a colour, by WCAG 2.2.
    fn luminance(colour: [f64; 3]) -> f64 {
        let [r, g, b] = colour.map(|v| {
            let v = v / 255.0;
            if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        a.max(b) / a.min(b)
    }

    /// Parses `#rgb` or `#rrggbb` at the start of a text.
    fn hex(text: &str) -> [f64; 3] {
        let digits: Vec<f64> = text[1..].chars().map_while(|c| c.to_digit(16)).map(f64::from).collect();
        match digits.as_slice() {
            [r, g, b, ..] if digits.len() < 6 => [r * 17.0, g * 17.0, b * 17.0],
            [a, b, c, d, e, f, ..] => [a * 16.0 + b, c * 16.0 + d, e * 16.0 + f],
            _ => panic!("{text}"),
        }
    }

    #[test]
    fn words_are_legible_in_light_and_dark() {
        // the text and the background of JupyterLab's themes: light, dark, and dark with an alternating table row
        let themes =
            [([33.0; 3], [255.0; 3]), ([33.0; 3], [245.0; 3]), ([255.0; 3], [17.0; 3]), ([222.0; 3], [33.0; 3])];
        let mut mixed = 0;
        for rule in super::SHEET.split('}').filter(|rule| rule.contains("{color:color-mix")) {
            let (_, mix) = rule.split_once("currentColor ").unwrap();
            let (share, colour) = mix.split_once("%,").unwrap();
            let (share, colour) = (share.parse::<f64>().unwrap() / 100.0, hex(colour));
            for (text, page) in themes {
                let seen = std::array::from_fn(|i| text[i] * share + colour[i] * (1.0 - share));
                let found = contrast(seen, page);
                assert!(found >= 4.5, "{rule}: {found:.2} on {page:?}");
            }
            mixed += 1;
        }
        assert_eq!(mixed, 7);
    }

    #[test]
    fn pictures_are_legible_on_their_own_background() {
        let style = crate::answer::graph::PART;
        let colour = |name: &str| hex(style.split_once(name).unwrap_or_else(|| panic!("{name} in {style}")).1);
        // dark pages invert pictures
        assert!(
            super::SHEET.contains("body[data-jp-theme-light=false] .cfg img,.vscode-dark .cfg img{filter:invert(1)")
        );
        for shown in [|colour: [f64; 3]| colour, |colour: [f64; 3]| colour.map(|part| 255.0 - part)] {
            let colour = |name: &str| shown(colour(name));
            let (page, boxes) = (colour("background:"), colour("rect{fill:"));
            for text in ["text{font:12px monospace;fill:", ".v{font-size:11px;fill:", ".m{fill:"] {
                for under in [page, boxes] {
                    assert!(contrast(colour(text), under) >= 4.5, "{text} {:.2}", contrast(colour(text), under));
                }
            }
            assert!(contrast(colour("path{fill:none;stroke:"), page) >= 4.5);
        }
    }
}
