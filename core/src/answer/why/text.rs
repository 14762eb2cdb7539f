//! What led to a type or to a clash of types: text, JSON, a page.

use crate::answer::shared::path::Path;
use crate::answer::why::{About, Says, Side, Step, Through, Why, inner, unknown_because};
use crate::dialect::Dialect;
use crate::problem::report::Report;
use crate::problem::types::TypesKind;
use crate::problem::{Kind, Problem};
use crate::styled::table::Table;
use crate::styled::{Role, Styled};
use crate::text::{Name, Sources, Span};
use crate::ty::{DynReason, Scheme, Ty};
use crate::view::html::{Cell, Html};
use crate::view::rich::snippet::snippet;
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

/// How many columns of a program are shown on one line.
const EXCERPT: usize = 36;
/// How many sources are numbered.
const SHOWN: usize = 6;

/// How answers are written: the language, and the texts that places are of.
#[derive(Clone, Copy)]
pub struct Writing<'a> {
    /// The language that types are written in.
    pub dialect: Dialect,
    /// The texts.
    pub sources: &'a Sources,
    /// What shows a step in full, but for its number: `:why`, `--step`.
    pub more: &'static str,
    /// How wide the page is, where there is one.
    pub page: Option<usize>,
}

impl Writing<'_> {
    fn excerpt(&self, span: Span) -> String {
        crate::text::on_one_line(self.sources.slice(span))
    }

    fn ty(&self, scheme: &Scheme) -> Styled {
        crate::state::type_text(self.dialect, scheme)
    }

    /// What was asked, as a sentence.
    fn title(&self, why: &Why) -> Styled {
        let path = spelled(&why.path);
        match &why.about {
            About::Type(scheme) => {
                let mut out = Styled::of(Role::Name, if path.is_empty() { "the value" } else { &path });
                out.push(Role::Operator, self.dialect.spelling().of);
                out.append(&self.ty(scheme).cut(60));
                out
            }
            About::Problem(problem) => {
                let at = if path.is_empty() { String::new() } else { format!(" at {path}") };
                let mut out = Styled::new();
                match &problem.kind {
                    Kind::Types(types) if matches!(types.what, TypesKind::Conflict(_)) => {
                        let TypesKind::Conflict(c) = &types.what else { return out };
                        out.push(Role::Heading, format!("type clash{at}"));
                        out.plain(": ");
                        out.append(&self.ty(&c.found).cut(40));
                        out.plain(" is not ");
                        out.append(&self.ty(&c.expected).cut(40));
                    }
                    Kind::Types(types) if matches!(types.what, TypesKind::ChangesType { .. }) => {
                        out.push(Role::Heading, Report::of(problem, self.dialect.notation()).message);
                    }
                    _ => {
                        out.push(Role::Heading, Report::of(problem, self.dialect.notation()).message);
                        out.plain(at);
                    }
                }
                out
            }
        }
    }

    /// What a step says, in words.
    fn says(&self, says: &Says) -> Styled {
        let with = |words: &str, ty: &Scheme| {
            let mut out = Styled::from(words);
            out.append(&self.ty(ty).cut(40));
            out
        };
        match says {
            // of what is made unknown, no more than that it is there
            // parts that are made unknown say no more than that they are there
            Says::Is(ty) => match &*inner(&ty.ty) {
                Ty::Record(row) if row.is_empty() => Styled::from("is a record"),
                Ty::Record(row) => {
                    let names: Vec<&str> = row.fields().map(|(name, _)| name.as_str()).take(4).collect();
                    let more = if row.len() > names.len() { ", …" } else { "" };
                    Styled::from(format!("has {}{more}", names.join(", ")))
                }
                Ty::Array(item) if matches!(&**item, Ty::Var(_)) => Styled::from("is an array"),
                _ => with("is ", ty),
            },
            Says::Wants(ty) => with("wants ", ty),
            Says::Names(_) => Styled::from("stands for it"),
            Says::Reads(name) => Styled::from(format!("reads `{name}`")),
            Says::Through(through) => Styled::from(self.through(through)),
        }
    }

    fn through(&self, through: &Through) -> String {
        match through {
            Through::Merge => String::from("merges it"),
            Through::Inherit => String::from("adds objects"),
            Through::Call(Some(n), Some(name)) => format!("argument {n} of `{name}`"),
            Through::Call(Some(n), None) => format!("argument {n} of a call"),
            Through::Call(None, Some(name)) => format!("calls `{name}`"),
            Through::Call(None, None) => String::from("is called"),
            Through::Operator(symbol) => format!("operand of `{symbol}`"),
            Through::Condition => String::from("a part of `if`"),
            Through::Match => String::from("is matched"),
            Through::Array => String::from("an element of it"),
            Through::Index => String::from("is looked up"),
            Through::Import(name) => format!("imports {name}"),
            Through::Comprehension => String::from("goes over it"),
            Through::Super => String::from("reads what is below"),
        }
    }
}

/// Fields as a path.
fn spelled(path: &[Name]) -> String {
    Path::from(path).to_string()
}

/// The steps that a type comes from, by their places in the answer: those that are numbered.
fn sources(why: &Why) -> Vec<usize> {
    let mut all: Vec<usize> = Vec::new();
    for side in [Side::Found, Side::Wanted] {
        let of = |source: bool| {
            let step = move |s: &Step| s.side == side && (s.source || !source);
            why.steps.iter().enumerate().filter(move |(_, s)| step(s)).map(|(index, _)| index)
        };
        let own: Vec<usize> = of(true).collect();
        match own.is_empty() {
            false => all.extend(own),
            // nothing says it of its own: the first that hands it on
            true => all.extend(of(false).take(1)),
        }
    }
    all.truncate(SHOWN);
    all
}

/// The answer as lines, without a line end behind the last. `step`: that one in full, from 1.
pub fn text(why: &Why, step: Option<usize>, writing: Writing<'_>) -> Styled {
    let mut out = writing.title(why);
    let numbered = sources(why);
    // what is left of the page beside what is said and where
    let beside = |step: &Step| writing.says(&step.says).text().width() + writing.sources.locate(step.at).width();
    let widest = why.steps.iter().map(beside).max().unwrap_or(0);
    let excerpt = writing.page.map_or(EXCERPT, |page| page.saturating_sub(widest + 10).clamp(12, EXCERPT));
    let row = |number: String, step: &Step| {
        vec![
            Styled::of(Role::Dim, number),
            Styled::from(writing.excerpt(step.span)).cut(excerpt),
            writing.says(&step.says),
            Styled::of(Role::Dim, writing.sources.locate(step.at)),
        ]
    };
    if why.steps.is_empty() {
        out.plain("\n\n  nothing in the program says so: it is the same whatever stands in it");
        return out;
    }
    out.plain("\n\n");
    if let Some(step) = step {
        return full(why, step, &numbered, &row, out);
    }
    let mut table = Table::new().indented(2);
    for (number, index) in numbered.iter().enumerate() {
        if let Some(step) = why.steps.get(*index) {
            table.row(row((number + 1).to_string(), step));
        }
    }
    out.append(&table.fit());
    if let Some(meets) = &why.meets {
        out.plain("\n     ");
        out.append(&meeting(why, &numbered, meets, writing));
    }
    for side in [Side::Found, Side::Wanted] {
        let more = why.steps.iter().enumerate().filter(|(at, s)| s.side == side && !numbered.contains(at)).count();
        let first = numbered.iter().position(|at| why.steps.get(*at).is_some_and(|s| s.side == side));
        if let (Some(number), true) = (first, more > 0) {
            out.push(Role::Dim, "\n  +  ");
            let steps = if more == 1 { "step" } else { "steps" };
            out.plain(format!("{more} more {steps}: {}", how(why, side, writing)));
            out.push(Role::Dim, format!("  (`{} {}`)", writing.more, number + 1));
        }
    }
    if let Some(reason) = unknown(why, writing) {
        out.plain("\n\n  ");
        out.append(&reason);
    }
    if let Some(fix) = &why.fix {
        out.plain("\n\n  ");
        out.push(Role::Note, "nearest fix");
        out.plain(": ");
        out.push(Role::Dim, writing.sources.locate(fix.span));
        out.plain("  ");
        out.push(Role::Lost, crate::text::on_one_line(&fix.was));
        out.push(Role::Operator, " -> ");
        out.push(Role::Wins, &fix.now);
    }
    if !why.least {
        out.push(Role::Dim, "\n\n  the search was cut short: some steps may not be needed");
    }
    out
}

/// Why nothing is known of a type.
fn unknown(why: &Why, writing: Writing<'_>) -> Option<Styled> {
    let About::Type(scheme) = &why.about else { return None };
    let (words, at) = match unknown_because(scheme)? {
        DynReason::Annotated(at) => ("the program says that anything may stand there", Some(at)),
        DynReason::Contract(at) => ("a contract says nothing of types", Some(at)),
        DynReason::Data(at) => ("it is data from outside", Some(at)),
        DynReason::Computed(at) => ("which definition it is, only running tells", Some(at)),
        DynReason::Cycle(at) => ("it holds itself", Some(at)),
        DynReason::Tested(at) => ("the program asks what type it has", Some(at)),
        DynReason::Library => ("the library says no more", None),
    };
    let mut out = Styled::of(Role::Note, "not known");
    out.plain(format!(": {words}"));
    if let Some(at) = at {
        out.push(Role::Dim, format!("  {}", writing.sources.locate(at)));
    }
    Some(out)
}

/// How a type reached the place.
fn how(why: &Why, side: Side, writing: Writing<'_>) -> String {
    let ty = match (&why.about, side) {
        (About::Type(scheme), _) => Some(writing.ty(scheme).text()),
        (About::Problem(Problem { kind: Kind::Types(types), .. }), side) => match &types.what {
            TypesKind::Conflict(c) => Some(writing.ty(if side == Side::Found { &c.found } else { &c.expected }).text()),
            _ => None,
        },
        _ => None,
    };
    let reached = why.path.last().map_or_else(|| String::from("got here"), |name| format!("reached {name}"));
    match ty.filter(|text| text.chars().count() <= 24) {
        Some(ty) => format!("how `{ty}` {reached}"),
        None if side == Side::Found => format!("how it {reached}"),
        None => String::from("what asks for it"),
    }
}

fn meeting(why: &Why, numbered: &[usize], meets: &Step, writing: Writing<'_>) -> Styled {
    let side = |side| numbered.iter().position(|at| why.steps.get(*at).is_some_and(|s| s.side == side)).map(|n| n + 1);
    let both = match (side(Side::Found), side(Side::Wanted)) {
        (Some(a), Some(b)) => format!("{a} meets {b} "),
        _ => String::from("they meet "),
    };
    let place = match &meets.says {
        Says::Through(Through::Merge) => String::from("in the merge"),
        Says::Through(Through::Inherit) => String::from("in the sum"),
        Says::Through(Through::Call(Some(n), Some(name))) => format!("as argument {n} of `{name}`"),
        _ => String::from("in the call"),
    };
    let mut out = Styled::from(format!("{both}{place}  "));
    out.append(&Styled::from(writing.excerpt(meets.span)).cut(EXCERPT));
    out.push(Role::Dim, format!("  {}", writing.sources.locate(meets.span)));
    out
}

/// One numbered step with everything on its side.
fn full(why: &Why, step: usize, numbered: &[usize], row: &dyn Fn(String, &Step) -> Vec<Styled>, out: Styled) -> Styled {
    let mut out = out;
    let Some(chosen) = step.checked_sub(1).and_then(|n| numbered.get(n)).and_then(|at| why.steps.get(*at)) else {
        out.plain(format!("  there is no step {step}: they go to {}", numbered.len()));
        return out;
    };
    let mut table = Table::new().indented(2);
    let all = why.steps.iter().enumerate().filter(|(_, s)| s.side == chosen.side);
    let mut letter = 'a'..='z';
    for (at, s) in all {
        let number = match numbered.iter().position(|n| *n == at) {
            Some(number) => (number + 1).to_string(),
            None => format!("{}{}", step, letter.next().unwrap_or('.')),
        };
        table.row(row(number, s));
    }
    out.append(&table.fit());
    out
}

/// The answer as JSON: `docs/schema/why.json`.
pub fn json(why: &Why, writing: Writing<'_>) -> Value {
    let place = |span: Span| {
        let source = writing.sources.get(span.source);
        let at = source.map(|s| (s.position(span.start), s.position(span.end)));
        match (source, at) {
            (Some(source), Some((start, end))) => json!({
                "file": &*source.name, "line": start.line, "column": start.column,
                "end_line": end.line, "end_column": end.column,
            }),
            _ => Value::Null,
        }
    };
    let numbered = sources(why);
    let step = |at: Option<usize>, step: &Step| {
        let ty = match &step.says {
            Says::Is(ty) | Says::Wants(ty) => Some(writing.ty(ty).text()),
            _ => None,
        };
        json!({
            "number": at.and_then(|at| numbered.iter().position(|n| *n == at)).map(|n| n + 1),
            "side": match step.side { Side::Found => "found", Side::Wanted => "wanted" },
            "role": role(&step.says),
            "type": ty,
            "says": writing.says(&step.says).text(),
            "text": writing.sources.slice(step.span),
            "path": spelled(&step.path),
            "at": place(step.at),
        })
    };
    let (code, ty) = match &why.about {
        About::Problem(problem) => (Some(problem.code()), None),
        About::Type(scheme) => (None, Some(writing.ty(scheme).text())),
    };
    json!({
        "version": 1,
        "path": spelled(&why.path),
        "sentence": writing.title(why).text(),
        "code": code,
        "type": ty,
        "steps": why.steps.iter().enumerate().map(|(at, s)| step(Some(at), s)).collect::<Vec<_>>(),
        "meets": why.meets.as_ref().map(|s| step(None, s)),
        "fix": why.fix.as_ref().map(|fix| json!({ "at": place(fix.span), "was": fix.was, "now": fix.now })),
        "least": why.least,
    })
}

fn role(says: &Says) -> &'static str {
    match says {
        Says::Is(_) => "is",
        Says::Wants(_) => "wants",
        Says::Names(_) => "name",
        Says::Reads(_) => "field",
        Says::Through(through) => match through {
            Through::Merge => "merge",
            Through::Inherit => "inherit",
            Through::Call(..) => "call",
            Through::Operator(_) => "operator",
            Through::Condition => "if",
            Through::Match => "match",
            Through::Array => "array",
            Through::Index => "index",
            Through::Import(_) => "import",
            Through::Comprehension => "comprehension",
            Through::Super => "super",
        },
    }
}

/// The answer as a part of a page.
pub fn html(why: &Why, writing: Writing<'_>) -> Html {
    let mut out = Html::new();
    let title = writing.title(why);
    out.heading(2, &title);
    let numbered = sources(why);
    let row = |at: usize, step: &Step| {
        let number = numbered.iter().position(|n| *n == at).map(|n| (n + 1).to_string()).unwrap_or_default();
        vec![
            Cell::Head(Styled::from(number)),
            Cell::Text(Styled::from(writing.excerpt(step.span)).cut(200)),
            Cell::Text(writing.says(&step.says)),
            Cell::Text(Styled::of(Role::Dim, writing.sources.locate(step.at))),
        ]
    };
    for (number, step) in numbered.iter().enumerate().filter_map(|(n, at)| Some((n + 1, why.steps.get(*at)?))) {
        let mut line = Styled::of(Role::Heading, number.to_string());
        line.plain("  ");
        line.append(&writing.says(&step.says));
        line.push(Role::Dim, format!("  {}", writing.sources.locate(step.at)));
        out.paragraph(&line);
        snippet(step.span, 0, writing.sources, &mut out);
    }
    if why.steps.is_empty() {
        out.paragraph(&Styled::from("nothing in the program says so: it is the same whatever stands in it"));
    }
    if let Some(meets) = &why.meets {
        out.element("p", |html| {
            html.styled(&meeting(why, &numbered, meets, writing));
        });
    }
    for side in [Side::Found, Side::Wanted] {
        let rows: Vec<Vec<Cell>> =
            why.steps.iter().enumerate().filter(|(_, s)| s.side == side).map(|(at, s)| row(at, s)).collect();
        if why.steps.iter().enumerate().any(|(at, s)| s.side == side && !numbered.contains(&at)) {
            out.details(false, &Styled::from(how(why, side, writing).replace('`', "")), |html| {
                html.table(&["", "what", "says", "where"], rows);
            });
        }
    }
    if let Some(reason) = unknown(why, writing) {
        out.paragraph(&reason);
    }
    if let Some(fix) = &why.fix {
        let mut line = Styled::of(Role::Note, "nearest fix");
        line.plain(": ");
        line.push(Role::Dim, writing.sources.locate(fix.span));
        line.plain("  ");
        line.push(Role::Lost, &fix.was);
        line.push(Role::Operator, " -> ");
        line.push(Role::Wins, &fix.now);
        out.paragraph(&line);
    }
    out
}
