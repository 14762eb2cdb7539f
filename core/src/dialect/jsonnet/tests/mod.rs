//! A table of programs and the terms that they lower to.

mod acceptance;
mod cells;
mod depth;
mod problems;
mod terms;

use super::program;
use crate::dialect::show::show;
use crate::dialect::{Dialect, StdNames};
use crate::problem::report::Report;
use crate::text::SourceId;

/// Prints the lowered program compactly, after its problems.
fn lowered(text: &str) -> String {
    let program = program(SourceId(0), text, &StdNames);
    let problems: String = program.problems.iter().map(|p| format!("<{}> ", p.code())).collect();
    problems + &show(&program.term)
}

/// `start..end message [code]` of each problem.
fn reports(text: &str) -> Vec<String> {
    program(SourceId(0), text, &StdNames)
        .problems
        .iter()
        .map(|p| {
            let report = Report::of(p, Dialect::JSONNET.notation());
            let at = report
                .labels
                .first()
                .map_or("", |l| text.get(l.span.start as usize..l.span.end as usize).unwrap_or("?"));
            let help = report.suggestions.first().map_or(String::new(), |h| format!(" ({h})"));
            format!("`{at}`: {}{help}", report.message)
        })
        .collect()
}
