//! `:stages`: the result of each stage for an expression.

use super::{Argument, Command, Effect, Line};
use crate::answer::ast::Ast;
use crate::answer::deps;
use crate::answer::functions::Functions;
use crate::answer::graph;
use crate::answer::stages::{Scopes, Stage, StageResult, Stages, Tokens};
use crate::answer::{Answer, Hints};
use crate::dialect::{AstNode, Dialect};
use crate::problem::{Problem, Severity};
use crate::session::questions::{Question, Subject};
use crate::session::{Event, Session};
use crate::term::Term;
use crate::text::Span;
use crate::view::Drawing;
use std::sync::Arc;

pub const COMMAND: Command = Command {
    name: "stages",
    aliases: &[],
    usage: ":stages [STAGE] EXPRESSION",
    summary: "what each stage makes of an expression: tokens, tree, scopes, constraints, graph, value, or one of them",
    argument: Argument::Expression,
    effect: Effect::Query,
    run: stages,
};

fn stages(session: &mut Session, line: &Line) -> Vec<Event> {
    let (only, line) = without_stage(line);
    if line.argument().is_empty() {
        return session.misused(line.dialect, "`:stages` needs an expression", &COMMAND);
    }
    let (dialect, text) = (line.dialect, line.blanked());
    let source = session.workspace.add_input(&line.name(), &line.text, line.dialect);
    let nodes = dialect.ast(source, &text, session.workspace.names().stop());
    let program = dialect.program(source, &text, session.workspace.names());
    let error = |syntax: bool| {
        let is_it = |p: &&Problem| p.severity == Severity::Error && p.code().starts_with("syntax/") == syntax;
        program.problems.iter().find(is_it).cloned()
    };
    let (unread, unbound) = (error(true), error(false));
    let mut stages = Stages::default();
    {
        let sources = session.world.sources.borrow();
        let Some(source) = sources.get(source) else { return Vec::new() };
        let tokens = Tokens::of(dialect.tokens(&text), source, line.at);
        stages.0.push((Stage::Tokens, Ok(Box::new(tokens))));
        match unread {
            Some(problem) => stages.0.push((Stage::Tree, Err(problem))),
            None => {
                let written = |span: Span| source.shown(span.start as usize..span.end as usize);
                let plain = as_written(&nodes, &|span| written(span).into_owned());
                // if both trees are the same, the interpolated one is shown only on request
                let has_strings = plain != nodes || only == Some(Stage::Interpolated);
                stages.0.push((Stage::Tree, Ok(Box::new(Ast::of(plain, source)))));
                if has_strings {
                    stages.0.push((Stage::Interpolated, Ok(Box::new(Ast::of(nodes, source)))));
                }
                if let Some(problem) = unbound {
                    stages.0.push((Stage::Scope, Err(problem)));
                }
            }
        }
    }
    let mut events = Vec::new();
    if stages.0.iter().all(|(_, made)| made.is_ok()) {
        match session.wanted(&line, &COMMAND) {
            Ok(term) => session.later_stages(dialect, &term, line.argument(), only, &mut stages, &mut events),
            Err(problems) => return problems,
        }
    }
    if let Some(stopped) = session.stopped(line.dialect) {
        return stopped;
    }
    if let Some(only) = only {
        // if the requested stage was not reached, the stage that failed is shown instead
        if stages.0.iter().any(|(stage, _)| *stage == only) {
            stages.0.retain(|(stage, _)| *stage == only);
        } else {
            stages.0.retain(|(_, made)| made.is_err());
        }
    }
    if stages.0.is_empty() {
        return session.misused(line.dialect, "this expression has no such stage", &COMMAND);
    }
    events.retain(|event| !matches!(event, Event::Diagnostic { .. }));
    let failed = stages.0.iter().find_map(|(_, made)| made.as_ref().err().cloned());
    events.extend(session.answered(line.dialect, &stages, Hints::default()));
    events.extend(failed.map(|problem| session.diagnostic(line.dialect, &problem)));
    events
}

/// Splits the name of a stage off the argument.
fn without_stage(line: &Line) -> (Option<Stage>, Line) {
    let argument = line.argument();
    let word = argument.split_whitespace().next().unwrap_or_default();
    let rest = argument[word.len()..].trim_start();
    match Stage::named(word) {
        Some(stage) => {
            let at = line.text.trim_end().len() - rest.len();
            (Some(stage), Line { dialect: line.dialect, text: line.text.clone(), at })
        }
        None => (None, line.clone()),
    }
}

/// Returns the tree with each string as one node that holds its source text.
fn as_written(nodes: &[AstNode], written: &dyn Fn(Span) -> String) -> Vec<AstNode> {
    let mut out: Vec<AstNode> = Vec::new();
    let mut within: Option<usize> = None;
    for node in nodes {
        if within.is_some_and(|depth| node.depth > depth) {
            continue;
        }
        within = None;
        let mut node = node.clone();
        if matches!(node.kind, "str" | "string" | "interpolation") {
            within = Some(node.depth);
            node.kind = "string";
            node.text = written(node.span);
        }
        out.push(node);
    }
    out
}

impl Session {
    /// Adds the stages after the tree, up to the first one that fails.
    fn later_stages(
        &mut self,
        dialect: Dialect,
        term: &Arc<Term>,
        text: &str,
        only: Option<Stage>,
        stages: &mut Stages,
        events: &mut Vec<Event>,
    ) {
        let wanted = |stage: Stage| only.is_none_or(|only| only == stage);
        if wanted(Stage::Scope) {
            stages.0.push((Stage::Scope, Ok(Box::new(Scopes::of(term)))));
        }
        let mut questions = vec![(Stage::Constraints, Question::Constraints)];
        let typed = self.world.infer(term);
        let refused = typed.problems.iter().find(|p| term.rules.is_exact() && p.severity == Severity::Error);
        if refused.is_none() {
            questions.push((Stage::Functions, Question::Graph(Drawing::Text)));
            questions.push((Stage::Values, Question::Query));
            if Subject::Expression(term.clone(), text).makes_resources() {
                questions.push((Stage::Resources, Question::Graph(Drawing::Text)));
            }
        }
        for (stage, question) in questions.into_iter().filter(|(stage, _)| wanted(*stage)) {
            let made: StageResult = match stage {
                Stage::Functions if term.rules.is_exact() => {
                    let functions = Functions::of(term, self.languages(), &self.world.sources.borrow());
                    Ok(Box::new(functions))
                }
                // not `Question::Graph`, whose answer may be a graph of resources or of a document
                Stage::Functions => {
                    let reads = deps::DepsQuestion::of_expression(term.clone());
                    graph::graph(&mut self.workspace, &reads).map(|graph| Box::new(graph) as Box<dyn Answer>)
                }
                _ => self.answer(dialect, &question, Subject::Expression(term.clone(), text), events),
            };
            let failed = made.is_err();
            stages.0.push((stage, made));
            if failed {
                return;
            }
        }
        let later = [Stage::Functions, Stage::Values, Stage::Resources];
        if let Some(problem) = refused
            && only.is_none_or(|only| later.contains(&only))
        {
            stages.0.push((Stage::Functions, Err(problem.clone())));
        }
    }
}
