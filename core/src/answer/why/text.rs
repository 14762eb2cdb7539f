//! The steps that led to a type or to a clash of types, as text.

use crate::answer::Renderer;
use crate::answer::why::{PassingConstruct, Side, Statement, WhyAnswer, WhyStep, WhySubject, inner, unknown_because};
use crate::problem::report::Report;
use crate::problem::types::TypesKind;
use crate::problem::{Problem, ProblemKind};
use crate::styled::table::Table;
use crate::styled::{Role, Styled};
use crate::text::path::FieldPath;
use crate::text::{Name, Span};
use crate::ty::{DynReason, Scheme, Ty};
use unicode_width::UnicodeWidthStr;

/// Maximum width of an excerpt of the program, in columns.
pub(super) const EXCERPT: usize = 36;
/// Maximum number of numbered steps.
const SHOWN: usize = 6;

impl Renderer<'_> {
    pub(super) fn excerpt(&self, span: Span) -> String {
        crate::text::on_one_line(&self.sources.slice(span))
    }

    pub(super) fn ty(&self, scheme: &Scheme) -> Styled {
        crate::state::type_text(self.dialect, &crate::state::masked_type(scheme, self.sources))
    }

    /// Returns the subject of the question as a sentence.
    pub(super) fn sentence(&self, why: &WhyAnswer) -> Styled {
        let path = spelled(&why.path);
        match &why.subject {
            WhySubject::Type(scheme) => {
                let mut out = Styled::of(Role::Name, if path.is_empty() { "the value" } else { &path });
                out.push(Role::Operator, self.dialect.spelling().of);
                out.append(&self.ty(scheme).cut(60));
                out
            }
            WhySubject::Problem(problem) => {
                let at = if path.is_empty() { String::new() } else { format!(" at {path}") };
                let mut out = Styled::new();
                match &problem.kind {
                    ProblemKind::Types(types) if matches!(types.what, TypesKind::Conflict(_)) => {
                        let TypesKind::Conflict(c) = &types.what else { return out };
                        out.push(Role::Heading, format!("type clash{at}"));
                        out.plain(": ");
                        out.append(&self.ty(&c.found).cut(40));
                        out.plain(" is not ");
                        out.append(&self.ty(&c.expected).cut(40));
                    }
                    ProblemKind::Types(types) if matches!(types.what, TypesKind::ChangesType { .. }) => {
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

    /// Returns the statement of a step in words.
    pub(super) fn statement(&self, statement: &Statement) -> Styled {
        let with = |words: &str, ty: &Scheme| {
            let mut out = Styled::from(words);
            out.append(&self.ty(ty).cut(40));
            out
        };
        match statement {
            // a part that is made unknown has no type; only its existence is shown
            Statement::Is(ty) => match &*inner(&ty.ty) {
                Ty::Record(row) if row.is_empty() => Styled::from("is a record"),
                Ty::Record(row) => {
                    let names: Vec<&str> = row.fields().map(|(name, _)| name.as_str()).take(4).collect();
                    let more = if row.len() > names.len() { ", …" } else { "" };
                    Styled::from(format!("has {}{more}", names.join(", ")))
                }
                Ty::Array(item) if matches!(&**item, Ty::Var(_)) => Styled::from("is an array"),
                _ => with("is ", ty),
            },
            Statement::Wants(ty) => with("wants ", ty),
            Statement::Names(_) => Styled::from("refers to it"),
            Statement::Reads(name) => Styled::from(format!("reads `{name}`")),
            Statement::Passes(through) => Styled::from(self.through(through)),
        }
    }

    fn through(&self, through: &PassingConstruct) -> String {
        match through {
            PassingConstruct::Merge => String::from("merges it"),
            PassingConstruct::Inherit => String::from("adds objects"),
            PassingConstruct::Call(Some(n), Some(name)) => format!("argument {n} of `{name}`"),
            PassingConstruct::Call(Some(n), None) => format!("argument {n} of a call"),
            PassingConstruct::Call(None, Some(name)) => format!("calls `{name}`"),
            PassingConstruct::Call(None, None) => String::from("is called"),
            PassingConstruct::Operator(symbol) => format!("operand of `{symbol}`"),
            PassingConstruct::Condition => String::from("part of `if`"),
            PassingConstruct::Match => String::from("is matched"),
            PassingConstruct::Array => String::from("an element of it"),
            PassingConstruct::Index => String::from("is looked up"),
            PassingConstruct::Import(name) => format!("imports {name}"),
            PassingConstruct::Comprehension => String::from("iterates over it"),
            PassingConstruct::Super => String::from("reads `super`"),
        }
    }
}

/// Returns fields as a path.
pub(super) fn spelled(path: &[Name]) -> String {
    FieldPath::from(path).to_string()
}

/// Returns the indices of the numbered steps: those that a type originates from.
pub(super) fn sources(why: &WhyAnswer) -> Vec<usize> {
    let mut all: Vec<usize> = Vec::new();
    for side in [Side::Found, Side::Wanted] {
        let of = |source: bool| {
            let step = move |s: &WhyStep| s.side == side && (s.source || !source);
            why.steps.iter().enumerate().filter(move |(_, s)| step(s)).map(|(index, _)| index)
        };
        let own: Vec<usize> = of(true).collect();
        match own.is_empty() {
            false => all.extend(own),
            // no step is an origin: uses the first that passes the type on
            true => all.extend(of(false).take(1)),
        }
    }
    all.truncate(SHOWN);
    all
}

/// Renders the answer as lines, without a line end after the last. With `step`, shows that step in full, counted from
/// 1.
pub fn text(why: &WhyAnswer, step: Option<usize>, to: &Renderer<'_>) -> Styled {
    let mut out = to.sentence(why);
    let numbered = sources(why);
    // the width that remains next to the statement and the place
    let widths = |step: &WhyStep| to.statement(&step.statement).text().width() + to.sources.locate(step.at).width();
    let widest = why.steps.iter().map(widths).max().unwrap_or(0);
    let excerpt = to.page.map_or(EXCERPT, |page| page.saturating_sub(widest + 10).clamp(12, EXCERPT));
    let row = |number: String, step: &WhyStep| {
        vec![
            Styled::of(Role::Dim, number),
            Styled::from(to.excerpt(step.span)).cut(excerpt),
            to.statement(&step.statement),
            Styled::of(Role::Dim, to.sources.locate(step.at)),
        ]
    };
    if why.steps.is_empty() {
        out.plain("\n\n  no part of the program decides this type");
        return out;
    }
    out.plain("\n\n");
    if let Some(step) = step {
        return full(why, step, (&numbered, to), &row, out);
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
        out.plain(meeting(why, &numbered, meets) + "  ");
        out.append(&Styled::from(to.excerpt(meets.span)).cut(EXCERPT));
        out.push(Role::Dim, format!("  {}", to.sources.locate(meets.span)));
    }
    for side in [Side::Found, Side::Wanted] {
        let more = further(why, side, &numbered, to).filter(|at| !numbered.contains(at)).count();
        let first = numbered.iter().position(|at| why.steps.get(*at).is_some_and(|s| s.side == side));
        if let (Some(number), true) = (first, more > 0) {
            out.push(Role::Dim, "\n  +  ");
            let steps = if more == 1 { "step" } else { "steps" };
            out.plain(format!("{more} more {steps}: {}", how(why, side, to)));
            out.push(Role::Dim, format!("  (`{} {}`)", to.hints.step, number + 1));
        }
    }
    if let Some(reason) = unknown(why, to) {
        out.plain("\n\n  ");
        out.append(&reason);
    }
    if let Some(fix) = &why.fix {
        out.plain("\n\n  ");
        out.push(Role::Note, "nearest fix");
        out.plain(": ");
        out.push(Role::Dim, to.sources.locate(fix.span));
        out.plain("  ");
        out.push(Role::Lost, crate::text::on_one_line(&fix.was));
        out.push(Role::Operator, " -> ");
        out.push(Role::Wins, fix.now.replace('\n', "\n    "));
    }
    if !why.least {
        out.push(Role::Dim, "\n\n  the search was cut short: some steps may not be needed");
    }
    out
}

/// Returns the indices of the steps of a side that are shown. The numbered ones are; of the others, those of data files in which a
/// whole file is only named, and those of the merge that the command line describes, are not: nobody wrote them.
pub(super) fn further<'w>(
    why: &'w WhyAnswer,
    side: Side,
    numbered: &'w [usize],
    to: &'w Renderer<'_>,
) -> impl Iterator<Item = usize> {
    let of_command_line = |name: &str| name.starts_with("--list") || name == "<merge>";
    let is_made = move |step: &WhyStep| {
        let name = to.sources.get(step.at.source).map(|source| source.name.clone()).unwrap_or_default();
        match &step.statement {
            Statement::Passes(PassingConstruct::Merge) => false,
            // a whole file, not a name in a text
            Statement::Names(_) => to.sources.slice(step.span).contains(char::is_whitespace) || of_command_line(&name),
            _ => of_command_line(&name),
        }
    };
    let shown = move |(at, step): &(usize, &WhyStep)| step.side == side && (numbered.contains(at) || !is_made(step));
    why.steps.iter().enumerate().filter(shown).map(|(at, _)| at)
}

/// Returns the reason why a type is unknown.
pub(super) fn unknown(why: &WhyAnswer, to: &Renderer<'_>) -> Option<Styled> {
    let WhySubject::Type(scheme) = &why.subject else { return None };
    let (words, at) = match unknown_because(scheme)? {
        DynReason::Annotated(at) => ("the program allows any value here", Some(at)),
        DynReason::Contract(at) => ("it comes from a contract that is not a type", Some(at)),
        DynReason::Data(at) => ("it comes from data that is read at run time", Some(at)),
        DynReason::Computed(at) => ("only evaluation can decide which definition it is", Some(at)),
        DynReason::Cycle(at) => ("it contains itself", Some(at)),
        DynReason::Tested(at) => ("the program tests its type", Some(at)),
        DynReason::Library => ("the library does not say more", None),
    };
    let mut out = Styled::of(Role::Note, "not known");
    out.plain(format!(": {words}"));
    if let Some(at) = at {
        out.push(Role::Dim, format!("  {}", to.sources.locate(at)));
    }
    Some(out)
}

/// Returns the words for the way of a type to the place.
pub(super) fn how(why: &WhyAnswer, side: Side, to: &Renderer<'_>) -> String {
    let ty = match (&why.subject, side) {
        (WhySubject::Type(scheme), _) => Some(to.ty(scheme).text()),
        (WhySubject::Problem(Problem { kind: ProblemKind::Types(types), .. }), side) => match &types.what {
            TypesKind::Conflict(c) => Some(to.ty(if side == Side::Found { &c.found } else { &c.expected }).text()),
            _ => None,
        },
        _ => None,
    };
    let reached = why.path.last().map_or_else(|| String::from("got here"), |name| format!("reached {name}"));
    match ty.filter(|text| text.chars().count() <= 24) {
        Some(ty) => format!("how `{ty}` {reached}"),
        None if side == Side::Found => format!("how it {reached}"),
        None => String::from("where it is expected"),
    }
}

pub(super) fn meeting(why: &WhyAnswer, numbered: &[usize], meets: &WhyStep) -> String {
    let side = |side| numbered.iter().position(|at| why.steps.get(*at).is_some_and(|s| s.side == side)).map(|n| n + 1);
    let both = match (side(Side::Found), side(Side::Wanted)) {
        (Some(a), Some(b)) => format!("{a} meets {b} "),
        _ => String::from("they meet "),
    };
    let place = match &meets.statement {
        Statement::Passes(PassingConstruct::Merge) => String::from("in the merge"),
        Statement::Passes(PassingConstruct::Inherit) => String::from("in the sum"),
        Statement::Passes(PassingConstruct::Call(Some(n), Some(name))) => format!("as argument {n} of `{name}`"),
        _ => String::from("in the call"),
    };
    both + &place
}

/// Renders one numbered step with all steps of its side.
fn full(
    why: &WhyAnswer,
    step: usize,
    (numbered, to): (&[usize], &Renderer<'_>),
    row: &dyn Fn(String, &WhyStep) -> Vec<Styled>,
    out: Styled,
) -> Styled {
    let mut out = out;
    let Some(chosen) = step.checked_sub(1).and_then(|n| numbered.get(n)).and_then(|at| why.steps.get(*at)) else {
        out.plain(format!("  there is no step {step}: the last one is {}", numbered.len()));
        return out;
    };
    let mut table = Table::new().indented(2);
    let mut letter = 'a'..='z';
    for at in further(why, chosen.side, numbered, to) {
        let Some(s) = why.steps.get(at) else { continue };
        let number = match numbered.iter().position(|n| *n == at) {
            Some(number) => (number + 1).to_string(),
            None => format!("{}{}", step, letter.next().unwrap_or('.')),
        };
        table.row(row(number, s));
    }
    out.append(&table.fit());
    out
}
