//! Fills templates with data.

use super::super::plain::Plain;
use super::builtin;
use super::parse::{Base, BlockKind, Node, Operand, Pipeline, Templates};
use crate::value::{Call, Fault, Machine};

/// Maximum depth of `{{ template }}` in templates.
const DEPTH: usize = 200;

/// Fills the template of a text.
pub fn run(machine: &mut Machine, call: &Call, templates: &Templates, data: Plain) -> Result<String, Fault> {
    let nodes = templates.get("").map_or(&[][..], Vec::as_slice);
    let variables = vec![(String::new(), data.clone())];
    let mut run = Run { machine, call, templates, out: String::new(), variables, depth: 0 };
    run.nodes(nodes, &data)?;
    Ok(run.out)
}

/// The control flow after a list of nodes: go on, leave the loop, or start its next iteration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    Break,
    Continue,
}

struct Run<'r> {
    machine: &'r mut Machine,
    call: &'r Call,
    templates: &'r Templates,
    out: String,
    variables: Vec<(String, Plain)>,
    depth: usize,
}

/// Returns whether a value counts as true: not `false`, 0 or empty.
pub fn is_true(value: &Plain) -> bool {
    match value {
        Plain::Missing => false,
        Plain::Bool(b) => *b,
        Plain::Int(i) => *i != 0,
        Plain::Float(d) => *d != 0.0,
        Plain::Text(text) => !text.is_empty(),
        Plain::List(elements) => !elements.is_empty(),
        Plain::Map(entries) => !entries.is_empty(),
        Plain::Struct(fields) => !fields.is_empty(),
        Plain::Function => true,
    }
}

impl Run<'_> {
    fn nodes(&mut self, nodes: &[Node], dot: &Plain) -> Result<Flow, Fault> {
        for node in nodes {
            self.machine.tick()?;
            match node {
                Node::Text(text) => self.write(text)?,
                Node::Action(pipeline) => {
                    let value = self.pipeline(pipeline, dot)?;
                    if pipeline.variables.is_empty() {
                        self.write(&value.printed())?;
                    }
                }
                Node::Break => return Ok(Flow::Break),
                Node::Continue => return Ok(Flow::Continue),
                Node::Block { kind, pipeline, body, otherwise } => {
                    let known = self.variables.len();
                    let flow = crate::deep::deeper(|| self.block(*kind, pipeline, body, otherwise, dot));
                    self.variables.truncate(known);
                    match flow? {
                        Flow::Next => {}
                        flow => return Ok(flow),
                    }
                }
                Node::Template(name, pipeline) => {
                    let data = match pipeline {
                        Some(pipeline) => self.pipeline(pipeline, dot)?,
                        None => Plain::Missing,
                    };
                    self.template(name, data)?;
                }
            }
        }
        Ok(Flow::Next)
    }

    fn write(&mut self, text: &str) -> Result<(), Fault> {
        self.machine.append(&mut self.out, text)
    }

    fn template(&mut self, name: &str, data: Plain) -> Result<(), Fault> {
        let templates = self.templates;
        let Some(nodes) = templates.get(name).filter(|_| !name.is_empty()) else {
            return Err(self.call.fault(format!("no template is named {name:?}")));
        };
        if self.depth >= DEPTH {
            return Err(self.call.fault(format!("the template {name:?} calls itself too deeply")));
        }
        self.depth += 1;
        let variables = std::mem::replace(&mut self.variables, vec![(String::new(), data.clone())]);
        let flow = crate::deep::deeper(|| self.nodes(nodes, &data));
        self.variables = variables;
        self.depth -= 1;
        flow.map(|_| ())
    }

    fn block(
        &mut self,
        kind: BlockKind,
        pipeline: &Pipeline,
        body: &[Node],
        otherwise: &[Node],
        dot: &Plain,
    ) -> Result<Flow, Fault> {
        let value = match kind {
            BlockKind::Range => self.value(pipeline, dot)?,
            BlockKind::If | BlockKind::With => self.pipeline(pipeline, dot)?,
        };
        match kind {
            BlockKind::If => self.nodes(if is_true(&value) { body } else { otherwise }, dot),
            BlockKind::With if is_true(&value) => self.nodes(body, &value),
            BlockKind::With => self.nodes(otherwise, dot),
            BlockKind::Range => {
                let entries = self.entries(value)?;
                if entries.is_empty() {
                    return self.nodes(otherwise, dot);
                }
                self.range(entries, pipeline, body)
            }
        }
    }

    /// Returns what a range goes over, each with its key.
    fn entries(&mut self, value: Plain) -> Result<Vec<(Plain, Plain)>, Fault> {
        Ok(match value {
            Plain::Missing => Vec::new(),
            Plain::List(elements) => {
                elements.into_iter().enumerate().map(|(at, element)| (Plain::Int(at as i64), element)).collect()
            }
            Plain::Map(entries) => entries,
            Plain::Struct(fields) => {
                fields.into_iter().map(|(name, value)| (Plain::Text(name.into()), value)).collect()
            }
            Plain::Int(count) => {
                self.machine.charge_new_elements(usize::try_from(count).unwrap_or(0).saturating_mul(2))?;
                (0..count).map(|at| (Plain::Int(at), Plain::Int(at))).collect()
            }
            other => {
                return Err(self.call.fault(format!("a range cannot go over a value of type {}", other.go_type())));
            }
        })
    }

    fn range(&mut self, entries: Vec<(Plain, Plain)>, pipeline: &Pipeline, body: &[Node]) -> Result<Flow, Fault> {
        let known = self.variables.len();
        for (key, element) in entries {
            self.variables.truncate(known);
            let values = match pipeline.variables.len() {
                0 => Vec::new(),
                1 => vec![element.clone()],
                _ => vec![key, element.clone()],
            };
            for (name, value) in pipeline.variables.iter().zip(values) {
                self.set(name, value, pipeline.assigns);
            }
            match self.nodes(body, &element)? {
                Flow::Break => break,
                Flow::Next | Flow::Continue => {}
            }
        }
        Ok(Flow::Next)
    }

    fn set(&mut self, name: &str, value: Plain, assigns: bool) {
        match self.variables.iter_mut().rev().find(|(known, _)| assigns && known == name) {
            Some((_, known)) => *known = value,
            None => self.variables.push((String::from(name), value)),
        }
    }

    /// Returns the value of a pipeline, and sets its variables.
    fn pipeline(&mut self, pipeline: &Pipeline, dot: &Plain) -> Result<Plain, Fault> {
        let value = self.value(pipeline, dot)?;
        for name in &pipeline.variables {
            self.set(name, value.clone(), pipeline.assigns);
        }
        Ok(value)
    }

    fn value(&mut self, pipeline: &Pipeline, dot: &Plain) -> Result<Plain, Fault> {
        let mut last = None;
        for command in &pipeline.commands {
            last = Some(self.command(command, last, dot)?);
        }
        Ok(last.unwrap_or(Plain::Missing))
    }

    fn command(&mut self, command: &[Operand], last: Option<Plain>, dot: &Plain) -> Result<Plain, Fault> {
        self.machine.tick()?;
        let Some((first, args)) = command.split_first() else { return Ok(Plain::Missing) };
        match &first.base {
            Base::Function(name) => {
                let value = self.function(name, args, last, dot)?;
                self.fields(value, &first.fields)
            }
            Base::Nil => Err(self.call.fault("nil is not a command")),
            _ if !args.is_empty() || last.is_some() => {
                Err(self.call.fault("a value that is not a function has arguments"))
            }
            _ => self.operand(first, dot),
        }
    }

    fn function(&mut self, name: &str, args: &[Operand], last: Option<Plain>, dot: &Plain) -> Result<Plain, Fault> {
        if let "and" | "or" = name {
            // stops at the first value that decides
            let mut value = None;
            for operand in args {
                let next = self.operand(operand, dot)?;
                if is_true(&next) == (name == "or") {
                    return Ok(next);
                }
                value = Some(next);
            }
            return last.or(value).ok_or_else(|| self.call.fault(format!("`{name}` needs an argument")));
        }
        let mut values = Vec::with_capacity(args.len() + 1);
        for operand in args {
            values.push(self.operand(operand, dot)?);
        }
        values.extend(last);
        builtin::call(self.machine, self.call, name, values)
    }

    fn operand(&mut self, operand: &Operand, dot: &Plain) -> Result<Plain, Fault> {
        let value = match &operand.base {
            Base::Dot => dot.clone(),
            Base::Variable(name) => {
                let found = self.variables.iter().rev().find(|(known, _)| known == name);
                found.map_or(Plain::Missing, |(_, value)| value.clone())
            }
            Base::Function(name) => self.function(name, &[], None, dot)?,
            Base::Literal(value) => value.clone(),
            Base::Nil => Plain::Missing,
            Base::Pipeline(pipeline) => crate::deep::deeper(|| self.value(pipeline, dot))?,
        };
        self.fields(value, &operand.fields)
    }

    fn fields(&self, value: Plain, names: &[String]) -> Result<Plain, Fault> {
        let mut value = value;
        for name in names {
            value = match value {
                Plain::Struct(fields) => {
                    fields.into_iter().find(|(known, _)| known == name).map_or(Plain::Missing, |(_, value)| value)
                }
                Plain::Map(entries) if entries.iter().all(|(key, _)| matches!(key, Plain::Text(_))) => {
                    let is_it = |key: &Plain| matches!(key, Plain::Text(text) if text.as_str() == name);
                    entries.into_iter().find(|(key, _)| is_it(key)).map_or(Plain::Missing, |(_, value)| value)
                }
                other => {
                    return Err(self.call.fault(format!("a value of type {} has no field `{name}`", other.go_type())));
                }
            };
        }
        Ok(value)
    }
}
