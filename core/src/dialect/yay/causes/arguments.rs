//! Names in macros that calls do not pass.

use super::document::{Document, is_within};
use super::fault::Cause;
use crate::dialect::yay::lower::names_in_block;
use crate::dialect::yay::tree::{BlockId, Blocks, Spanned, Stanza};
use crate::problem::syntax::{SyntaxKind, SyntaxProblem};
use crate::problem::{Problem, ProblemKind, Severity};
use crate::text::{Name, Span, near};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of calls that a report mentions.
const MAX_CALLS: usize = 4;

/// A call of a macro.
struct Call<'t> {
    /// `call name`
    head: Span,
    template: &'t Name,
    args: Vec<&'t Spanned>,
}

/// A macro.
struct Macro<'t> {
    name: &'t Name,
    body: BlockId,
    span: Span,
}

/// Replaces the unbound names in macros by the calls that do not pass them.
pub fn find(document: &Document<'_>, problems: &mut Vec<Problem>) {
    let macros = macros(document);
    if macros.is_empty() || !problems.iter().any(|problem| unbound(problem).is_some()) {
        return;
    }
    let calls = calls(document, &macros);
    // the names that were dealt with
    let mut done: FxHashSet<(Name, Name)> = FxHashSet::default();
    let around = |at: Span| {
        let around = macros.iter().filter(|found| is_within(at, found.span));
        around.min_by_key(|found| found.span.len())
    };
    // the worst of the problems with each name
    let mut worst: FxHashMap<(Name, Name), Severity> = FxHashMap::default();
    for problem in problems.iter() {
        if let Some((at, name, _)) = unbound(problem)
            && let Some(inner) = around(at)
        {
            let known = worst.entry((inner.name.clone(), name.clone())).or_insert(problem.severity);
            *known = problem.severity.min(*known);
        }
    }
    problems.retain_mut(|problem| {
        let Some((at, name, close)) = unbound(problem) else { return true };
        let Some(inner) = around(at) else { return true };
        let key = (inner.name.clone(), name.clone());
        if done.contains(&key) {
            return false;
        }
        let Some((span, what)) = cause(document, inner, &calls, at, name, !close.is_empty()) else { return true };
        problem.severity = worst.get(&key).copied().unwrap_or(problem.severity);
        problem.kind = SyntaxProblem { span, what: what.into() }.into();
        done.insert(key);
        true
    });
}

fn unbound(problem: &Problem) -> Option<(Span, &Name, &[Name])> {
    match &problem.kind {
        ProblemKind::Syntax(SyntaxProblem { span, what: SyntaxKind::Unbound { name, near, .. } }) => {
            Some((*span, name, near))
        }
        _ => None,
    }
}

fn macros<'t>(document: &Document<'t>) -> Vec<Macro<'t>> {
    let found = document.stanzas().filter_map(|stanza| match stanza {
        Stanza::Macro(name, body, span) => Some(Macro { name: &name.name, body: *body, span: *span }),
        _ => None,
    });
    found.collect()
}

/// Returns the calls outside macros.
fn calls<'t>(document: &Document<'t>, macros: &[Macro<'t>]) -> Vec<Call<'t>> {
    let tree = document.tree;
    let found = document.stanzas().filter_map(|stanza| match stanza {
        Stanza::Call(name, args, span) if !macros.iter().any(|outer| is_within(*span, outer.span)) => {
            let stanzas = args.map(|block| &tree.block(block).stanzas).into_iter().flatten();
            let args = stanzas.filter_map(|stanza| match stanza {
                Stanza::Key(entry) => Some(&entry.name),
                _ => None,
            });
            let head = Span { end: name.span.end, ..*span };
            Some(Call { head, template: &name.name, args: args.collect() })
        }
        _ => None,
    });
    found.collect()
}

/// Returns the cause of a name that is unbound in a macro. `has_near`: whether there is a similar name in the document.
fn cause(
    document: &Document<'_>,
    template: &Macro<'_>,
    calls: &[Call<'_>],
    read: Span,
    name: &Name,
    has_near: bool,
) -> Option<(Span, Cause)> {
    let own: Vec<&Call<'_>> = calls.iter().filter(|call| call.template == template.name).collect();
    let is_bound = |at: Span| {
        document.stanzas().any(|stanza| match stanza {
            Stanza::For(stanza) => is_within(at, stanza.span) && stanza.names.iter().any(|other| other.name == *name),
            _ => false,
        })
    };
    let passes = |call: &Call<'_>| call.args.iter().any(|arg| arg.name == *name);
    let lacking: Vec<&Call<'_>> = own.iter().copied().filter(|call| !passes(call) && !is_bound(call.head)).collect();
    let first = lacking.first()?;
    let reads: FxHashSet<Name> = names_in_block(document.tree, template.body).into_iter().collect();
    let all_lack = lacking.len() == own.len();
    if all_lack {
        let given = own.iter().flat_map(|call| &call.args).filter(|arg| reads.contains(&arg.name));
        let given: Vec<&&Spanned> = given.collect();
        if let Some(close) = near(name, given.iter().map(|arg| arg.name.as_str())).into_iter().next() {
            let given = given.iter().find(|arg| arg.name == close)?.span;
            let what =
                Cause::MisspeltParameter { template: template.name.clone(), name: name.clone(), near: close, given };
            return Some((read, what));
        }
    }
    for call in &lacking {
        let unread = || call.args.iter().filter(|arg| !reads.contains(&arg.name));
        if let Some(close) = near(name, unread().map(|arg| arg.name.as_str())).into_iter().next()
            && let Some(arg) = unread().find(|arg| arg.name == close)
        {
            let template = template.name.clone();
            return Some((arg.span, Cause::MisspeltArgument { template, given: close, name: name.clone(), read }));
        }
    }
    if all_lack && has_near {
        return None;
    }
    let others = lacking.iter().skip(1).take(MAX_CALLS).map(|call| call.head).collect();
    let what = Cause::NoArgument { template: template.name.clone(), name: name.clone(), read, others };
    Some((first.head, what))
}
