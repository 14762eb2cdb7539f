//! A picture of dependencies in layers, with each field to the left of the fields that it reads.
//!
//! Follows Sugiyama, Tagawa and Toda (1981). Arrows that close a cycle are reversed for the layout. A field's layer is
//! the length of its longest path to the right end. A long arrow has a point in each layer that it crosses. Layers are
//! ordered by the mean position of their neighbours.

use crate::answer::graph::Graph;
use crate::dialect::Dialect;
use crate::dialect::notation::value::one_line;
use crate::view::html::escape;
use unicode_width::UnicodeWidthStr;

/// Maximum number of fields in a picture; the rest is counted.
const MOST: usize = 300;
/// Width of a column of text, in points.
const COLUMN: f64 = 7.3;
/// Distance between the tops of neighbouring fields, in points.
const ROW: f64 = 44.0;
/// Height of a box, in points.
const HIGH: f64 = 34.0;
/// Distance between two layers, in points.
const BETWEEN: f64 = 64.0;
/// Width of a column of the label of an arrow, in points.
const LABEL: f64 = 6.7;
/// Margin around the picture, in points.
const MARGIN: f64 = 16.0;
/// Maximum width of a value, in columns.
const VALUE: usize = 28;

/// The style of a separate picture, which follows the reader's system preference for light or dark.
pub const PAGE: &str = "svg{color-scheme:light dark;background:#fff;--ink:#1f2328;--soft:#59636e;--box:#f6f8fa;--line:#8c959f}\
@media(prefers-color-scheme:dark){svg{background:#0d1117;--ink:#e6edf3;--soft:#9198a1;--box:#161b22;--line:#6e7681}}\
text{font:12px monospace;fill:var(--ink)}.v{font-size:11px;fill:var(--soft)}\
rect{fill:var(--box);stroke:var(--line)}path{fill:none;stroke:var(--line)}.h{fill:var(--line);stroke:none}";

/// The style of a picture on a page that may be light or dark. The picture has a light background of its own, because it
/// cannot know the colours of the page around it. The style sheet of a dark page inverts it.
pub const PART: &str = "svg{background:#fff}text{font:12px monospace;fill:#1f2328}.v{font-size:11px;fill:#59636e}\
rect{fill:#f6f8fa;stroke:#6e7781}path{fill:none;stroke:#6e7781}.h{fill:#6e7781;stroke:none}.m{fill:#59636e}";

/// A field, or a point that an arrow goes through.
#[derive(Clone, Default)]
struct Point {
    layer: usize,
    /// Its position in the layer.
    order: f64,
    field: Option<usize>,
    x: f64,
    y: f64,
    wide: f64,
}

/// A picture of boxes with arrows between them.
pub struct Picture {
    /// The names in the boxes.
    pub names: Vec<String>,
    /// The texts below the names; may be empty.
    pub values: Vec<String>,
    /// The arrows, by the numbers of their ends.
    pub edges: Vec<(usize, usize)>,
    /// The labels of the arrows; may be empty.
    pub labels: Vec<String>,
    /// The title, which says what an arrow means.
    pub title: &'static str,
    /// The word for several boxes.
    pub what: &'static str,
}

/// Returns the picture of dependencies as SVG, with its labels as text.
pub fn svg(graph: &Graph, dialect: Dialect, style: &str) -> String {
    let value = |node: &crate::answer::graph::Node| {
        node.value.as_ref().map(|v| one_line(dialect.spelling(), v).cut(VALUE).text()).unwrap_or_default()
    };
    Picture {
        names: graph.nodes.iter().map(|node| node.name()).collect(),
        values: graph.nodes.iter().take(MOST).map(value).collect(),
        edges: graph.edges.clone(),
        labels: Vec::new(),
        title: "The dependencies: an arrow goes from a field to a field that it reads",
        what: "fields",
    }
    .svg(style)
}

impl Picture {
    /// Returns the picture as SVG, with its labels as text.
    pub fn svg(&self, style: &str) -> String {
        let count = self.names.len().min(MOST);
        let is_drawn = |(from, to): &(usize, usize)| *from < count && *to < count;
        let edges: Vec<(usize, usize)> = self.edges.iter().copied().filter(is_drawn).collect();
        // an arrow from a box to itself is not drawn
        let labels = self.edges.iter().zip(&self.labels).filter(|(edge, _)| is_drawn(edge) && edge.0 != edge.1);
        let labels: Vec<&str> = labels.map(|(_, label)| label.as_str()).collect();
        let longest = labels.iter().map(|label| UnicodeWidthStr::width(*label)).max().unwrap_or(0);
        let between = BETWEEN.max(LABEL * longest as f64 + 24.0);
        let (names, values) = (self.names.get(..count).unwrap_or(&[]), &self.values);
        let (title, what) = (self.title, self.what);
        let (mut spots, ways) = layers(count, &edges);
        for (number, spot) in spots.iter_mut().enumerate() {
            let text = |texts: &[String]| texts.get(number).map_or(0, |text| UnicodeWidthStr::width(text.as_str()));
            spot.wide = if number < count { COLUMN * text(names).max(text(values)) as f64 + 16.0 } else { 0.0 };
        }
        let (wide, high) = place(&mut spots, &ways, between);
        let left_out = self.names.len() - count;
        let high = if left_out > 0 { high + 20.0 } else { high };

        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide:.0} {high:.0}\" width=\"{wide:.0}\" height=\"{high:.0}\" \
         role=\"img\">\n<title>{title}</title>\n<style>{style}</style>\n"
        );
        for (number, (turned, way)) in ways.iter().enumerate() {
            let mut points: Vec<&Point> = way.iter().filter_map(|number| spots.get(*number)).collect();
            let (Some(first), Some(last)) = (points.first(), points.last()) else { continue };
            let (first, last) = ((first.x + first.wide, first.y), (last.x, last.y));
            points = points.get(1..points.len().saturating_sub(1)).unwrap_or(&[]).to_vec();
            let tip = if *turned { first } else { last };
            let mut d = format!("M{:.1} {:.1}", first.0, first.1);
            let mut from = first;
            for to in points.iter().map(|spot| (spot.x, spot.y)).chain([last]) {
                let middle = (from.0 + to.0) / 2.0;
                d += &format!("C{middle:.1} {:.1} {middle:.1} {:.1} {:.1} {:.1}", from.1, to.1, to.0, to.1);
                from = to;
            }
            out += &format!("<path d=\"{d}\"/>\n");
            let back = if *turned { 6.0 } else { -6.0 };
            out += &format!("<path class=\"h\" d=\"M{:.1} {:.1}l{back} -3.5v7z\"/>\n", tip.0, tip.1);
            if let Some(label) = labels.get(number).filter(|label| !label.is_empty()) {
                // near the box that the arrow begins at, and before the boxes of the next layer
                let next = points.first().map_or(last, |spot| (spot.x, spot.y));
                let layer = way.first().and_then(|number| spots.get(*number)).map_or(0, |spot| spot.layer + 1);
                let in_layer = spots.iter().filter(|spot| spot.layer == layer && spot.field.is_some());
                let half = LABEL * UnicodeWidthStr::width(*label) as f64 / 2.0;
                let end = in_layer.map(|spot| spot.x).fold(f64::INFINITY, f64::min) - half - 4.0;
                let x = ((first.0 + next.0) / 2.0).min(end).max(first.0);
                let y = height_at(first, next, x) - 4.0;
                out += &format!("<text class=\"v\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">");
                escape(label, &mut out);
                out += "</text>\n";
            }
        }
        for (number, name) in names.iter().enumerate() {
            let Some(spot) = spots.get(number) else { continue };
            let (x, y) = (spot.x, spot.y - HIGH / 2.0);
            out +=
                &format!("<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{HIGH}\" rx=\"4\"/>\n", spot.wide);
            let value = values.get(number).map(String::as_str).unwrap_or_default();
            let down = if value.is_empty() { HIGH / 2.0 + 4.0 } else { 14.0 };
            out += &format!("<text x=\"{:.1}\" y=\"{:.1}\">", x + 8.0, y + down);
            escape(name, &mut out);
            out += "</text>\n";
            if !value.is_empty() {
                out += &format!("<text class=\"v\" x=\"{:.1}\" y=\"{:.1}\">", x + 8.0, y + 28.0);
                escape(value, &mut out);
                out += "</text>\n";
            }
        }
        if left_out > 0 {
            out += &format!(
                "<text class=\"m\" x=\"{MARGIN}\" y=\"{:.1}\">{left_out} more {what} are not drawn</text>\n",
                high - 10.0
            );
        }
        out + "</svg>"
    }
}

/// Returns the height of the curve of an arrow between two points, at a place between them.
fn height_at(from: (f64, f64), to: (f64, f64), x: f64) -> f64 {
    let middle = (from.0 + to.0) / 2.0;
    let on_curve = |t: f64, ends: (f64, f64), inner: (f64, f64)| {
        let s = 1.0 - t;
        s * s * s * ends.0 + 3.0 * s * s * t * inner.0 + 3.0 * s * t * t * inner.1 + t * t * t * ends.1
    };
    // both coordinates only grow or only fall along the curve
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..20 {
        let t = (low + high) / 2.0;
        match (on_curve(t, (from.0, to.0), (middle, middle)) < x) == (from.0 < to.0) {
            true => low = t,
            false => high = t,
        }
    }
    on_curve(low, (from.1, to.1), (from.1, to.1))
}

/// Returns the layer of each field, and the spots that each arrow passes through, from left to right. `true` marks an
/// arrow that points to the left.
fn layers(count: usize, edges: &[(usize, usize)]) -> (Vec<Point>, Vec<(bool, Vec<usize>)>) {
    let mut next = vec![Vec::new(); count];
    for (from, to) in edges.iter().filter(|(from, to)| from != to) {
        if let Some(next) = next.get_mut(*from) {
            next.push(*to);
        }
    }
    // A depth-first walk: 1 is in progress, 2 is done. An arrow to a node in progress closes a cycle.
    let mut state = vec![0u8; count];
    let mut done: Vec<usize> = Vec::new();
    let mut turned: Vec<(usize, usize)> = Vec::new();
    for start in 0..count {
        let mut work = vec![(start, 0usize)];
        while let Some((here, at)) = work.last_mut() {
            let here = *here;
            if *at == 0 {
                match state.get_mut(here) {
                    Some(state) if *state == 0 => *state = 1,
                    _ => {
                        work.pop();
                        continue;
                    }
                }
            }
            match next.get(here).and_then(|next| next.get(*at)).copied() {
                Some(to) => {
                    *at += 1;
                    match state.get(to) {
                        Some(0) => work.push((to, 0)),
                        Some(1) => turned.push((here, to)),
                        _ => {}
                    }
                }
                None => {
                    if let Some(state) = state.get_mut(here) {
                        *state = 2;
                    }
                    done.push(here);
                    work.pop();
                }
            }
        }
    }
    // From right to left: a field is placed before its readers.
    let mut rank = vec![0usize; count];
    let mut straight: Vec<(bool, usize, usize)> = Vec::new();
    for (from, to) in edges.iter().copied().filter(|(from, to)| from != to) {
        let turn = turned.contains(&(from, to));
        straight.push(if turn { (true, to, from) } else { (false, from, to) });
    }
    let mut reads = vec![Vec::new(); count];
    for (_, from, to) in &straight {
        if let Some(reads) = reads.get_mut(*from) {
            reads.push(*to);
        }
    }
    // Reversed arrows may go against the order of the walk. Repeats until nothing changes.
    for _ in 0..=turned.len().min(count) {
        let mut changed = false;
        for here in &done {
            let most = reads.get(*here).into_iter().flatten().filter_map(|to| rank.get(*to)).max().map_or(0, |r| r + 1);
            if let Some(rank) = rank.get_mut(*here)
                && *rank < most
            {
                *rank = most;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let top = rank.iter().copied().max().unwrap_or(0);
    let layer = |number: usize| top - rank.get(number).copied().unwrap_or(0).min(top);
    let mut spots: Vec<Point> =
        (0..count).map(|number| Point { layer: layer(number), field: Some(number), ..Point::default() }).collect();
    let mut ways = Vec::new();
    for (turn, from, to) in straight {
        let mut way = vec![from];
        for between in layer(from) + 1..layer(to) {
            way.push(spots.len());
            spots.push(Point { layer: between, ..Point::default() });
        }
        way.push(to);
        ways.push((turn, way));
    }
    (spots, ways)
}

/// Orders each layer and places every spot. Returns the width and height of the picture.
fn place(spots: &mut [Point], ways: &[(bool, Vec<usize>)], between: f64) -> (f64, f64) {
    let count = spots.iter().map(|spot| spot.layer + 1).max().unwrap_or(0);
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (number, spot) in spots.iter().enumerate() {
        if let Some(layer) = layers.get_mut(spot.layer) {
            layer.push(number);
        }
    }
    let mut left = vec![Vec::new(); spots.len()];
    let mut right = vec![Vec::new(); spots.len()];
    for (from, to) in ways.iter().flat_map(|(_, way)| way.iter().zip(way.iter().skip(1))) {
        if let (Some(left), Some(right)) = (left.get_mut(*to), right.get_mut(*from)) {
            left.push(*from);
            right.push(*to);
        }
    }
    let settle = |spots: &mut [Point], layer: &[usize]| {
        for (order, number) in layer.iter().enumerate() {
            if let Some(spot) = spots.get_mut(*number) {
                spot.order = order as f64 - layer.len() as f64 / 2.0;
            }
        }
    };
    layers.iter().for_each(|layer| settle(spots, layer));
    for sweep in 0..8 {
        let neighbours = if sweep % 2 == 0 { &left } else { &right };
        let turn: Vec<usize> = if sweep % 2 == 0 { (0..count).collect() } else { (0..count).rev().collect() };
        for at in turn {
            let Some(layer) = layers.get_mut(at) else { continue };
            let mean = |number: &usize| {
                let orders: Vec<f64> = neighbours
                    .get(*number)
                    .into_iter()
                    .flatten()
                    .filter_map(|other: &usize| spots.get(*other).map(|spot| spot.order))
                    .collect();
                match orders.len() {
                    0 => spots.get(*number).map_or(0.0, |spot| spot.order),
                    n => orders.iter().sum::<f64>() / n as f64,
                }
            };
            let mut keyed: Vec<(f64, usize)> = layer.iter().map(|number| (mean(number), *number)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            *layer = keyed.into_iter().map(|(_, number)| number).collect();
            settle(spots, layer);
        }
    }
    let rows = layers.iter().map(Vec::len).max().unwrap_or(0) as f64;
    let mut x = MARGIN;
    for layer in &layers {
        let wide = layer.iter().filter_map(|n| spots.get(*n)).map(|spot| spot.wide).fold(0.0, f64::max);
        for number in layer {
            if let Some(spot) = spots.get_mut(*number) {
                // A point that an arrow passes through is in the middle of its layer.
                spot.x = if spot.field.is_some() { x } else { x + wide / 2.0 };
                spot.y = MARGIN + (rows / 2.0 + spot.order + 0.5) * ROW;
            }
        }
        x += wide + between;
    }
    ((x - between + MARGIN).max(2.0 * MARGIN), rows * ROW + 2.0 * MARGIN)
}

#[cfg(test)]
mod tests {
    use super::{LABEL, PART, Picture};

    /// Returns the numbers of an attribute of the elements that begin like this.
    fn numbers(svg: &str, element: &str, attribute: &str) -> Vec<f64> {
        let value = |line: &str| line.split_once(&format!(" {attribute}=\""))?.1.split('"').next()?.parse().ok();
        svg.lines().filter(|line| line.starts_with(element)).filter_map(value).collect()
    }

    #[test]
    fn no_box_covers_the_label_of_an_arrow() {
        // the arrow from the first box to the last one passes the middle layer
        let names = ["If", "Operator(==)", "Boxed(\"really happy\")", "Boxed(\"happy\")"];
        let picture = Picture {
            names: names.map(String::from).to_vec(),
            values: Vec::new(),
            edges: vec![(0, 1), (0, 2), (0, 3), (2, 3)],
            labels: ["guard", "inner", "predecessor", "predecessor"].map(String::from).to_vec(),
            title: "",
            what: "nodes",
        };
        let svg = picture.svg(PART);
        let (left, wide) = (numbers(&svg, "<rect", "x"), numbers(&svg, "<rect", "width"));
        let labels = numbers(&svg, "<text class=\"v\"", "x");
        assert_eq!((left.len(), labels.len()), (4, 4), "{svg}");
        for (x, label) in labels.iter().zip(&picture.labels) {
            let half = LABEL * label.len() as f64 / 2.0;
            for (left, wide) in left.iter().zip(&wide) {
                assert!(x + half <= *left || x - half >= left + wide, "{label} at {x}: {svg}");
            }
        }
    }
}
