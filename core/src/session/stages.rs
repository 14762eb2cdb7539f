//! The answers to questions about a text that need not be a valid expression: its tree, its stages, its holes.

use super::Session;
use super::commands::Line;
use super::event::Event;
use super::questions::{Question, Subject};
use crate::answer::Answer;
use crate::answer::ast::Ast;
use crate::answer::deps;
use crate::answer::functions::Functions;
use crate::answer::graph;
use crate::answer::holes::{self, HolesQuestion, InputHoles};
use crate::answer::stages::{Scopes, Stage, StageResult, Stages, Tokens};
use crate::dialect::{AstNode, Dialect};
use crate::problem::session::{SessionKind, SessionProblem};
use crate::problem::{Problem, Severity};
use crate::state::typing::is_elsewhere;
use crate::term::Term;
use crate::text::{Name, Span};
use crate::view::Drawing;
use std::sync::Arc;

impl Session {
    /// Returns the syntax tree of a text. Its names need not be bound.
    pub(super) fn tree(&mut self, line: &Line) -> Ast {
        let (dialect, text) = (line.dialect, line.blanked());
        let source = self.workspace.add_input(&line.name(), &line.text, dialect);
        let mut problems = dialect.program(source, &text, self.workspace.names()).problems;
        problems.retain(|problem| problem.code().starts_with("syntax/"));
        if !problems.is_empty() {
            return Ast::unread(problems);
        }
        let nodes = dialect.ast(source, &text, self.workspace.names().stop());
        self.world.sources.borrow().get(source).map(|source| Ast::of(nodes, source)).unwrap_or_default()
    }

    /// Returns the holes of the last input, whose type errors were already reported.
    pub(super) fn holes_of_last_input(&mut self) -> InputHoles {
        let last = self.world.state.last_input.borrow().clone();
        let Some(last) = last else { return InputHoles::default() };
        let question = HolesQuestion { dialect: last.dialect, name: &last.name, shown: &last.text, text: &last.text };
        holes::holes(&mut self.workspace, &question)
    }

    /// Returns the holes of a text, with its type errors.
    pub(super) fn holes_of(&mut self, line: &Line) -> InputHoles {
        let (name, text) = (line.name(), line.blanked());
        let question = HolesQuestion { dialect: line.dialect, name: &name, shown: &line.text, text: &text };
        let mut found = holes::holes(&mut self.workspace, &question);
        let own = |problem: &Problem| problem.severity == Severity::Error && !is_elsewhere(problem);
        found.problems.extend(std::mem::take(&mut found.clashes).into_iter().filter(own));
        found
    }

    /// Returns the stages that a text reaches, or one of them. Adds what the program prints to `events`.
    ///
    /// # Errors
    ///
    /// Fails if the text has no such stage.
    pub(super) fn stages(
        &mut self,
        line: &Line,
        only: Option<Stage>,
        events: &mut Vec<Event>,
    ) -> Result<Stages, Problem> {
        let (dialect, text) = (line.dialect, line.blanked());
        let source = self.workspace.add_input(&line.name(), &line.text, dialect);
        let nodes = dialect.ast(source, &text, self.workspace.names().stop());
        let program = dialect.program(source, &text, self.workspace.names());
        let error = |syntax: bool| {
            let is_it = |p: &&Problem| p.severity == Severity::Error && p.code().starts_with("syntax/") == syntax;
            program.problems.iter().find(is_it).cloned()
        };
        let (unread, unbound) = (error(true), error(false));
        let mut stages = Stages::default();
        if let Some(source) = self.world.sources.borrow().get(source) {
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
        if stages.fault().is_none() {
            let term = self.without_it(program.term);
            let mut later = Vec::new();
            self.later_stages(dialect, &term, line.argument(), only, &mut stages, &mut later);
            // the problems beside the answers of stages are in these answers too
            later.retain(|event| !matches!(event, Event::Diagnostic { .. }));
            events.append(&mut later);
        }
        if let Some(only) = only {
            stages.keep(only);
        }
        if stages.0.is_empty() {
            let why = Name::new_static("this expression has no such stage");
            let usage = Name::from(super::commands::stages::COMMAND.usage(self.languages()));
            return Err(Problem::error(SessionProblem {
                span: None,
                what: SessionKind::BadCommand { why, usage, meant: None, example: None },
            }));
        }
        Ok(stages)
    }

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
