//! A second implementation of the core of the language. It is slow and small, and shares no code with the program under
//! test.
//!
//! A question is answered from the expressions alone. Environments are maps. Nothing is cached between questions, and a
//! revision of the session is a map from names to definitions.

use crate::number::Ratio;
use crate::syntax::{Contract, Expr, Field, Input, Name, Op, Part, Priority};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The reason why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fault {
    Conflict,
    MissingField,
    MissingDefinition,
    Type,
    Contract,
    NotAFunction,
    DivisionByZero,
    OutOfRange,
    Recursion,
    /// A case that the model does not cover: too deep, too large, or outside the core of the language.
    Beyond,
}

/// A value, possibly with unevaluated parts. The parts are indices into [`Run`].
#[derive(Clone, Debug)]
pub enum Value {
    Number(Ratio),
    Text(String),
    Truth(bool),
    Array(Vec<Thunk>),
    Record(usize),
    Function(Name, Rc<Expr>, Env),
}

pub type Thunk = usize;

/// An environment: the names that are bound around an expression, and the revision in which all other names are looked
/// up.
#[derive(Clone, Debug)]
pub struct Env {
    locals: BTreeMap<Name, Thunk>,
    revision: usize,
}

/// One definition of a field, with the fields of its record literal. It reads those fields from the final record.
#[derive(Clone)]
struct Layer {
    value: Option<Rc<Expr>>,
    contract: Option<Contract>,
    priority: Priority,
    env: Env,
    siblings: BTreeSet<Name>,
}

type Layers = BTreeMap<Name, Vec<Layer>>;

/// A final record: all layers of every field, and a thunk for each field.
struct Record {
    layers: Layers,
    thunks: BTreeMap<Name, Thunk>,
}

enum State {
    Expr(Rc<Expr>, Env),
    Field(usize, Name),
    Evaluating,
    Done(Result<Value, Fault>),
}

/// The state of a session at one time.
#[derive(Clone, Default)]
struct Revision {
    /// The index of the definition of each name.
    names: BTreeMap<Name, usize>,
    /// The expression of each result, and the revision in which it is evaluated.
    results: BTreeMap<u32, (Rc<Expr>, usize)>,
    it: Option<u32>,
}

/// A session. The list of revisions only grows; undo and redo move within `line`.
#[derive(Clone)]
pub struct Model {
    revisions: Vec<Revision>,
    definitions: Vec<Rc<Expr>>,
    /// The revisions for undo and redo, each with whether its input defined something, and the index of the current one.
    line: Vec<(usize, bool)>,
    at: usize,
    /// The revisions of inputs that defined nothing, made since an undo.
    beside: Vec<usize>,
    pub next: u32,
}

impl Model {
    pub fn new() -> Model {
        let (revisions, definitions) = (vec![Revision::default()], Vec::new());
        Model { revisions, definitions, line: vec![(0, false)], at: 0, beside: Vec::new(), next: 1 }
    }

    fn now(&self) -> usize {
        self.beside.last().copied().unwrap_or(self.line[self.at].0)
    }

    /// Returns the bound names.
    pub fn names(&self) -> Vec<Name> {
        self.revisions[self.now()].names.keys().cloned().collect()
    }

    /// Returns the numbers of the available results.
    pub fn results(&self) -> Vec<u32> {
        self.revisions[self.now()].results.keys().copied().collect()
    }

    pub fn has_it(&self) -> bool {
        self.revisions[self.now()].it.is_some()
    }

    /// Enters an input. Returns `false` if it uses an unbound name. Such an input changes only the number of the next
    /// cell.
    pub fn enter(&mut self, input: &Input) -> bool {
        match input {
            Input::Undo(count) => (0..*count).for_each(|_| self.undo()),
            Input::Redo(count) => (0..*count).for_each(|_| self.redo()),
            Input::Reset => self.advance(Revision::default(), true),
            Input::Cell(parts) => {
                let number = self.next;
                self.next += 1;
                let was = (self.revisions.len(), self.definitions.len());
                let mut revision = self.revisions[self.now()].clone();
                for part in parts {
                    if !self.part(&mut revision, part, number) {
                        self.revisions.truncate(was.0);
                        self.definitions.truncate(was.1);
                        return false;
                    }
                }
                self.advance(revision, parts.iter().any(|part| matches!(part, Part::Define { .. })));
            }
        }
        true
    }

    fn part(&mut self, revision: &mut Revision, part: &Part, number: u32) -> bool {
        match part {
            Part::Define { name, recursive, value } => {
                let own = match recursive {
                    true => Some(self.definitions.len()),
                    false => revision.names.get(name).copied(),
                };
                let means = Means { revision, own: Some((name, own)) };
                let Some(value) = means.resolve(value, &BTreeSet::new()) else { return false };
                self.definitions.push(Rc::new(value));
                revision.names.insert(name.clone(), self.definitions.len() - 1);
            }
            Part::Show(value) => {
                let Some(value) = (Means { revision, own: None }).resolve(value, &BTreeSet::new()) else {
                    return false;
                };
                self.revisions.push(revision.clone());
                revision.results.insert(number, (Rc::new(value), self.revisions.len() - 1));
                revision.it = Some(number);
            }
        }
        true
    }

    fn undo(&mut self) {
        if let Some(change) = self.line[..=self.at].iter().rposition(|(_, defines)| *defines) {
            self.beside.clear();
            self.at = change - 1;
        }
    }

    fn redo(&mut self) {
        let undone = &self.line[self.at + 1..];
        if !undone.is_empty() {
            self.beside.clear();
            let looks = undone[1..].iter().take_while(|(_, defines)| !defines).count();
            self.at += 1 + looks;
        }
    }

    fn advance(&mut self, revision: Revision, defines: bool) {
        self.revisions.push(revision);
        let new = self.revisions.len() - 1;
        if !defines && self.at + 1 < self.line.len() {
            self.beside.push(new);
            return;
        }
        self.line.truncate(self.at + 1);
        self.line.extend(self.beside.drain(..).map(|beside| (beside, false)));
        self.line.push((new, defines));
        self.at = self.line.len() - 1;
    }

    /// Returns the shown value of an expression in the current revision. A part without a value is shown as its error.
    /// `None` if a name is unbound.
    pub fn show(&self, expr: &Expr) -> Option<Result<String, Fault>> {
        let (mut run, thunk) = self.ask(expr)?;
        Some(run.show(thunk, 0))
    }

    /// Returns a value and all nested fields that have a value, each with its path.
    pub fn shape(&self, expr: &Expr) -> Vec<(Vec<Name>, Value)> {
        let Some((mut run, thunk)) = self.ask(expr) else { return Vec::new() };
        let mut out = Vec::new();
        let mut work = vec![(Vec::new(), thunk)];
        while let Some((path, thunk)) = work.pop() {
            let Ok(value) = run.force(thunk) else { continue };
            if let Value::Record(record) = &value
                && path.len() < 2
            {
                for (name, thunk) in &run.records[*record].thunks {
                    work.push(([&path[..], std::slice::from_ref(name)].concat(), *thunk));
                }
            }
            out.push((path, value));
        }
        out
    }

    fn ask(&self, expr: &Expr) -> Option<(Run<'_>, Thunk)> {
        let revision = &self.revisions[self.now()];
        let expr = (Means { revision, own: None }).resolve(expr, &BTreeSet::new())?;
        let mut run =
            Run { model: self, thunks: Vec::new(), records: Vec::new(), globals: BTreeMap::new(), steps: 0, depth: 0 };
        let env = Env { locals: BTreeMap::new(), revision: self.now() };
        let thunk = run.thunk(State::Expr(Rc::new(expr), env));
        Some((run, thunk))
    }
}

/// The meanings of names when a cell is entered.
struct Means<'m> {
    revision: &'m Revision,
    /// The name that the cell defines, and the definition to which the name refers inside the cell.
    own: Option<(&'m Name, Option<usize>)>,
}

impl Means<'_> {
    /// Resolves the names of an expression. `None` if one of them is unbound.
    fn resolve(&self, expr: &Expr, scope: &BTreeSet<Name>) -> Option<Expr> {
        let boxed = |e: &Expr, scope: &BTreeSet<Name>| self.resolve(e, scope).map(Box::new);
        let with = |name: &Name| {
            let mut scope = scope.clone();
            scope.insert(name.clone());
            scope
        };
        Some(match expr {
            Expr::Number(_) | Expr::Text(_) | Expr::Truth(_) | Expr::Global(_) | Expr::Definition(_) => expr.clone(),
            Expr::Array(all) => Expr::Array(all.iter().map(|e| self.resolve(e, scope)).collect::<Option<_>>()?),
            Expr::Record(fields) => {
                let mut inner = scope.clone();
                inner.extend(fields.iter().map(|f| f.name.clone()));
                let field = |f: &Field| {
                    let value = match &f.value {
                        Some(value) => Some(self.resolve(value, &inner)?),
                        None => None,
                    };
                    Some(Field { value, ..f.clone() })
                };
                Expr::Record(fields.iter().map(field).collect::<Option<_>>()?)
            }
            Expr::Function(name, body) => Expr::Function(name.clone(), boxed(body, &with(name))?),
            Expr::Apply(f, x) => Expr::Apply(boxed(f, scope)?, boxed(x, scope)?),
            Expr::Name(name) if scope.contains(name) => expr.clone(),
            Expr::Name(name) => match self.own {
                Some((own, definition)) if own == name => Expr::Definition(definition?),
                _ => self.revision.names.contains_key(name).then(|| Expr::Global(name.clone()))?,
            },
            Expr::It => Expr::Result(self.revision.it?),
            Expr::Result(number) => self.revision.results.contains_key(number).then(|| expr.clone())?,
            Expr::Get(e, name) => Expr::Get(boxed(e, scope)?, name.clone()),
            Expr::At(at, e) => Expr::At(*at, boxed(e, scope)?),
            Expr::Length(e) => Expr::Length(boxed(e, scope)?),
            Expr::Merge(a, b) => Expr::Merge(boxed(a, scope)?, boxed(b, scope)?),
            Expr::Binary(op, a, b) => Expr::Binary(*op, boxed(a, scope)?, boxed(b, scope)?),
            Expr::If(c, a, b) => Expr::If(boxed(c, scope)?, boxed(a, scope)?, boxed(b, scope)?),
            Expr::Let(name, value, body) => Expr::Let(name.clone(), boxed(value, scope)?, boxed(body, &with(name))?),
            Expr::Annotated(e, contract) => Expr::Annotated(boxed(e, scope)?, *contract),
        })
    }
}

/// Identifies an expression that a session evaluates at most once per question: a definition or a result, in a
/// revision.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Global {
    Definition(usize),
    Result(u32),
}

/// The state of the evaluation of one question.
struct Run<'m> {
    model: &'m Model,
    thunks: Vec<State>,
    records: Vec<Record>,
    globals: BTreeMap<(usize, Global), Thunk>,
    steps: usize,
    depth: usize,
}

impl Run<'_> {
    fn thunk(&mut self, state: State) -> Thunk {
        self.thunks.push(state);
        self.thunks.len() - 1
    }

    fn force(&mut self, thunk: Thunk) -> Result<Value, Fault> {
        let result = match std::mem::replace(&mut self.thunks[thunk], State::Evaluating) {
            State::Evaluating => return Err(Fault::Recursion),
            State::Done(result) => result,
            State::Expr(expr, env) => self.eval(&expr, &env),
            State::Field(record, name) => self.field(record, &name),
        };
        self.thunks[thunk] = State::Done(result.clone());
        result
    }

    fn global(&mut self, key: (usize, Global), expr: Rc<Expr>) -> Result<Value, Fault> {
        let thunk = match self.globals.get(&key) {
            Some(thunk) => *thunk,
            None => {
                let env = Env { locals: BTreeMap::new(), revision: key.0 };
                let thunk = self.thunk(State::Expr(expr, env));
                self.globals.insert(key, thunk);
                thunk
            }
        };
        self.force(thunk)
    }

    fn definition(&mut self, index: usize, revision: usize) -> Result<Value, Fault> {
        let expr = self.model.definitions[index].clone();
        self.global((revision, Global::Definition(index)), expr)
    }

    fn eval(&mut self, expr: &Expr, env: &Env) -> Result<Value, Fault> {
        self.steps += 1;
        if self.steps > 20_000 || self.depth > 120 {
            return Err(Fault::Beyond);
        }
        self.depth += 1;
        let value = self.eval_inner(expr, env);
        self.depth -= 1;
        value
    }

    fn later(&mut self, expr: &Expr, env: &Env) -> Thunk {
        self.thunk(State::Expr(Rc::new(expr.clone()), env.clone()))
    }

    fn eval_inner(&mut self, expr: &Expr, env: &Env) -> Result<Value, Fault> {
        Ok(match expr {
            Expr::Number(n) => Value::Number(Ratio::whole(*n)),
            Expr::Text(text) => Value::Text(text.clone()),
            Expr::Truth(truth) => Value::Truth(*truth),
            Expr::Array(all) => Value::Array(all.iter().map(|e| self.later(e, env)).collect()),
            Expr::Record(fields) => {
                let siblings: BTreeSet<Name> = fields.iter().map(|f| f.name.clone()).collect();
                let layer = |f: &Field| Layer {
                    value: f.value.clone().map(Rc::new),
                    contract: f.contract,
                    priority: f.priority,
                    env: env.clone(),
                    siblings: siblings.clone(),
                };
                self.record(fields.iter().map(|f| (f.name.clone(), vec![layer(f)])).collect())
            }
            Expr::Function(name, body) => Value::Function(name.clone(), Rc::new((**body).clone()), env.clone()),
            Expr::Apply(f, x) => {
                let Value::Function(name, body, mut inner) = self.eval(f, env)? else {
                    return Err(Fault::NotAFunction);
                };
                inner.locals.insert(name, self.later(x, env));
                self.eval(&body, &inner)?
            }
            Expr::Name(name) => self.force(env.locals[name])?,
            Expr::Global(name) => {
                let index = self.model.revisions[env.revision].names[name];
                self.definition(index, env.revision)?
            }
            Expr::Definition(index) => self.definition(*index, env.revision)?,
            Expr::Result(number) => {
                let (expr, then) = self.model.revisions[env.revision].results[number].clone();
                self.global((then, Global::Result(*number)), expr)?
            }
            Expr::It => return Err(Fault::Beyond),
            Expr::Get(e, name) => {
                let Value::Record(record) = self.eval(e, env)? else { return Err(Fault::Type) };
                let thunk = self.records[record].thunks.get(name).copied();
                self.force(thunk.ok_or(Fault::MissingField)?)?
            }
            Expr::At(at, e) => {
                let Value::Array(all) = self.eval(e, env)? else { return Err(Fault::Type) };
                self.force(*all.get(*at).ok_or(Fault::OutOfRange)?)?
            }
            Expr::Length(e) => {
                let Value::Array(all) = self.eval(e, env)? else { return Err(Fault::Type) };
                Value::Number(Ratio::whole(all.len() as i64))
            }
            Expr::Merge(a, b) => {
                let operands = vec![self.eval(a, env)?, self.eval(b, env)?];
                self.merge(operands)?
            }
            Expr::Binary(op, a, b) => self.binary(*op, a, b, env)?,
            Expr::If(c, a, b) => match self.eval(c, env)? {
                Value::Truth(true) => self.eval(a, env)?,
                Value::Truth(false) => self.eval(b, env)?,
                _ => return Err(Fault::Type),
            },
            Expr::Let(name, value, body) => {
                let mut inner = env.clone();
                inner.locals.insert(name.clone(), self.later(value, env));
                self.eval(body, &inner)?
            }
            Expr::Annotated(e, contract) => {
                let value = self.eval(e, env)?;
                holds(*contract, &value)?;
                value
            }
        })
    }

    fn binary(&mut self, op: Op, a: &Expr, b: &Expr, env: &Env) -> Result<Value, Fault> {
        let a = self.eval(a, env)?;
        let suits = |value: &Value| match op {
            Op::Equal => true,
            Op::Join => matches!(value, Value::Text(_)),
            Op::Concat => matches!(value, Value::Array(_)),
            _ => matches!(value, Value::Number(_)),
        };
        if !suits(&a) {
            return Err(Fault::Type);
        }
        let b = self.eval(b, env)?;
        if !suits(&b) {
            return Err(Fault::Type);
        }
        Ok(match (op, a, b) {
            (Op::Add, Value::Number(a), Value::Number(b)) => Value::Number(a.plus(b)?),
            (Op::Subtract, Value::Number(a), Value::Number(b)) => Value::Number(a.plus(b.negated())?),
            (Op::Multiply, Value::Number(a), Value::Number(b)) => Value::Number(a.times(b)?),
            (Op::Divide, Value::Number(a), Value::Number(b)) => Value::Number(a.over(b)?),
            (Op::Less, Value::Number(a), Value::Number(b)) => Value::Truth(a.is_below(b)),
            (Op::Join, Value::Text(a), Value::Text(b)) => Value::Text(a + &b),
            (Op::Concat, Value::Array(a), Value::Array(b)) => Value::Array([a, b].concat()),
            (Op::Equal, a, b) => Value::Truth(is_same(&a, &b)?),
            _ => return Err(Fault::Beyond),
        })
    }

    fn record(&mut self, layers: Layers) -> Value {
        let index = self.records.len();
        let thunks = layers.keys().map(|name| (name.clone(), self.thunk(State::Field(index, name.clone())))).collect();
        self.records.push(Record { layers, thunks });
        Value::Record(index)
    }

    /// Merges values of one priority.
    fn merge(&mut self, values: Vec<Value>) -> Result<Value, Fault> {
        let mut values = values.into_iter();
        let mut merged = values.next().ok_or(Fault::Beyond)?;
        for value in values {
            merged = match (merged, value) {
                (Value::Record(a), Value::Record(b)) => {
                    let mut layers = self.records[a].layers.clone();
                    for (name, more) in self.records[b].layers.clone() {
                        layers.entry(name).or_default().extend(more);
                    }
                    // A record that is merged with itself has twice the layers.
                    if layers.values().any(|layers| layers.len() > 256) {
                        return Err(Fault::Beyond);
                    }
                    self.record(layers)
                }
                (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                    let forced: Vec<_> = a.iter().chain(&b).map(|thunk| self.force(*thunk)).collect();
                    // An array merged with itself is the same array, even if an element has an error. Two different
                    // arrays fail if an element has an error. The model does not track the identity of arrays.
                    let all: Vec<Value> = forced.into_iter().collect::<Result<_, _>>().map_err(|_| Fault::Beyond)?;
                    let (left, right) = all.split_at(a.len());
                    for (left, right) in left.iter().zip(right) {
                        if !is_same(left, right)? {
                            return Err(Fault::Conflict);
                        }
                    }
                    Value::Array(a)
                }
                (Value::Array(_), Value::Array(_)) => return Err(Fault::Conflict),
                // a function can be merged with itself; the model does not track the identity of functions
                (Value::Function(a, x, _), Value::Function(b, y, _))
                    if a == b && format!("{x:?}") == format!("{y:?}") =>
                {
                    return Err(Fault::Beyond);
                }
                (Value::Function(..), _) | (_, Value::Function(..)) => return Err(Fault::Conflict),
                (a, b) if std::mem::discriminant(&a) == std::mem::discriminant(&b) && is_same(&a, &b)? => a,
                _ => return Err(Fault::Conflict),
            };
        }
        Ok(merged)
    }

    /// Returns the value of a field of a final record. Evaluates the definitions of the highest priority in that record
    /// and merges them. Then applies the contracts of all definitions.
    fn field(&mut self, record: usize, name: &str) -> Result<Value, Fault> {
        let layers = self.records[record].layers[name].clone();
        let defined: Vec<&Layer> = layers.iter().filter(|layer| layer.value.is_some()).collect();
        let strongest = defined.iter().map(|layer| layer.priority).max().ok_or(Fault::MissingDefinition)?;
        let mut values = Vec::new();
        for layer in defined.into_iter().filter(|layer| layer.priority == strongest) {
            let mut env = layer.env.clone();
            for sibling in &layer.siblings {
                env.locals.insert(sibling.clone(), self.records[record].thunks[sibling]);
            }
            if let Some(value) = &layer.value {
                values.push(self.eval(value, &env)?);
            }
        }
        let value = self.merge(values)?;
        for contract in layers.iter().filter_map(|layer| layer.contract) {
            holds(contract, &value)?;
        }
        Ok(value)
    }

    /// Shows a value as the session does, except that every function is `<fun>` and every error is its class.
    fn show(&mut self, thunk: Thunk, depth: usize) -> Result<String, Fault> {
        if depth > 12 {
            return Err(Fault::Beyond);
        }
        let text = match self.force(thunk) {
            Err(Fault::Beyond) => return Err(Fault::Beyond),
            Err(fault) if depth == 0 => return Err(fault),
            Err(fault) => format!("<{fault:?}>"),
            Ok(Value::Number(n)) => n.shown(),
            Ok(Value::Text(text)) => format!("\"{text}\""),
            Ok(Value::Truth(truth)) => truth.to_string(),
            Ok(Value::Function(..)) => String::from("<fun>"),
            Ok(Value::Array(all)) => {
                let shown: Vec<_> = all.iter().map(|t| self.show(*t, depth + 1)).collect::<Result<_, _>>()?;
                format!("[{}]", shown.join(", "))
            }
            Ok(Value::Record(record)) => {
                let names: Vec<Name> = self.records[record].layers.keys().cloned().collect();
                let mut fields = Vec::new();
                for name in names {
                    fields.push(self.show_field(record, &name, depth)?);
                }
                if fields.is_empty() { String::from("{}") } else { format!("{{ {} }}", fields.join(", ")) }
            }
        };
        if text.len() > 2000 { Err(Fault::Beyond) } else { Ok(text) }
    }

    fn show_field(&mut self, record: usize, name: &str, depth: usize) -> Result<String, Fault> {
        let layers = self.records[record].layers[name].clone();
        let Some(strongest) = layers.iter().filter(|l| l.value.is_some()).map(|l| l.priority).max() else {
            // the contracts of fields that are only declared
            let mut contracts: Vec<Contract> = Vec::new();
            for contract in layers.iter().filter_map(|layer| layer.contract) {
                if !contracts.contains(&contract) {
                    contracts.push(contract);
                }
            }
            let shown: String = contracts.iter().map(|c| format!(" | {}", c.text())).collect();
            return Ok(format!("{name}{shown}"));
        };
        let thunk = self.records[record].thunks[name];
        Ok(format!("{name}{} = {}", strongest.text(), self.show(thunk, depth + 1)?))
    }
}

fn holds(contract: Contract, value: &Value) -> Result<(), Fault> {
    match (contract, value) {
        (Contract::Number, Value::Number(_)) | (Contract::Text, Value::Text(_)) => Ok(()),
        _ => Err(Fault::Contract),
    }
}

/// Returns `true` for a value without parts.
fn is_scalar(value: &Value) -> bool {
    matches!(value, Value::Number(_) | Value::Text(_) | Value::Truth(_))
}

/// Compares two values without parts.
fn is_same(a: &Value, b: &Value) -> Result<bool, Fault> {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => Ok(a == b),
        (Value::Text(a), Value::Text(b)) => Ok(a == b),
        (Value::Truth(a), Value::Truth(b)) => Ok(a == b),
        (a, b) if is_scalar(a) && is_scalar(b) => Ok(false),
        _ => Err(Fault::Beyond),
    }
}
