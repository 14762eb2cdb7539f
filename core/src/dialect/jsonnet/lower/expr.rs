//! Expressions.

use super::{Alias, Lower};
use crate::dialect::Dialect;
use crate::dialect::jsonnet::problem::{Dashed, DuplicateKind, JsonnetProblem};
use crate::dialect::jsonnet::tree::{self, Expr, Field, FieldName, Id, Parameter};
use crate::dialect::jsonnet::{LIBRARY, library};
use crate::dialect::parser::Focus;
use crate::term::{
    Apply, Binding, Clause, Comprehension, Import, ImportKind, Lambda, Let, Node, NodeId, Number, Param, PatKind, Prim,
    SuperRead,
};
use crate::text::{Name, Span};
use rustc_hash::FxHashMap;
use std::path::Path;

/// Maximum number of `-` in a name without quotes that is recognized.
const DASHES: usize = 8;
/// Maximum length of the path of a field in advice, in bytes.
const PATH: usize = 80;

impl Lower<'_> {
    /// Lowers an expression.
    pub(super) fn expr_here(&mut self, mut id: Id) -> NodeId {
        let tree = self.tree;
        while let Expr::Paren(inner) = tree.expr(id) {
            id = *inner;
        }
        let span = tree.span(id);
        let node = match tree.expr(id) {
            _ if self.stop.is_asked() => Node::Hole,
            Expr::Hole | Expr::Paren(_) => Node::Hole,
            Expr::Cursor => self.hole_at_cursor(),
            Expr::Null => Node::Null,
            Expr::Bool(b) => Node::Bool(*b),
            Expr::Number(n) if n.is_finite() => Node::Number(Number::Double(*n)),
            // as in the reference: evaluation fails when the number is used
            Expr::Number(_) => {
                let message = self.push(Node::Str(Name::new_static("overflow")), span);
                Node::Prim(Prim::Error, Box::new([message]))
            }
            Expr::Str(s) => {
                self.report_dollar(s, span, JsonnetProblem::Dollar);
                Node::Str(s.clone())
            }
            Expr::Array(items) => Node::Array(items.iter().map(|i| self.expr(*i)).collect()),
            Expr::ArrayComp(body, clauses) => {
                return self.comprehension(clauses, false, span, |lower| lower.expr(*body));
            }
            Expr::Object(object) => return self.object(object, None, span),
            Expr::Name(name) => return self.name(name, span),
            Expr::This => match self.object_up(false) {
                Some(up) => Node::This { up },
                None => return self.outside_object("self", span),
            },
            Expr::Dollar => match self.object_up(true) {
                Some(up) => Node::This { up },
                None => return self.outside_object("$", span),
            },
            Expr::SuperDot(name) if name.name.is_empty() => Node::Hole,
            Expr::SuperDot(name) => return self.super_read(span, SuperRead::Field(name.name.clone())),
            Expr::SuperIndex(index) if matches!(tree.expr(*index), Expr::Cursor) => {
                let base = self.state.objects.last().and_then(|around| around.base);
                self.focus = Some(base.map_or(Focus::FieldName(None), Focus::Field));
                Node::Hole
            }
            Expr::SuperIndex(index) => {
                let index = self.expr(*index);
                return self.super_read(span, SuperRead::Index(index));
            }
            Expr::InSuper(name) => {
                let name = self.expr(*name);
                let word = Span { start: span.end.saturating_sub("super".len() as u32), ..span };
                return match self.object_up(false) {
                    Some(up) => self.push(Node::Super { up, read: SuperRead::Has(name) }, span),
                    None => self.outside_object("super", word),
                };
            }
            Expr::Dot(of, name) => {
                let node = self.whole(*of);
                if name.name.is_empty() {
                    return self.hole_after(node, span);
                }
                self.uses(node, &name.name);
                Node::Project(node, name.name.clone())
            }
            Expr::Index(of, index) => {
                let of = self.whole(*of);
                match tree.expr(*index) {
                    Expr::Cursor => {
                        self.focus = Some(Focus::Field(of));
                        return self.hole_after(of, span);
                    }
                    Expr::Str(name) => self.uses(of, name),
                    _ => {}
                }
                let index = self.expr(*index);
                Node::Index(Box::new([of, index]))
            }
            Expr::Slice(of, parts) => {
                let mut operands = vec![self.expr(*of)];
                for part in parts.iter() {
                    operands.push(match part {
                        Some(part) => self.expr(*part),
                        None => self.push(Node::Null, span),
                    });
                }
                Node::Prim(Prim::Slice, operands.into())
            }
            Expr::Apply(func, args) => return self.apply(*func, args, span),
            Expr::Extend(..) | Expr::Binary(..) => return self.binary(id),
            Expr::Unary(op, operand) => {
                let operand = self.expr(*operand);
                Node::Prim(*op, Box::new([operand]))
            }
            Expr::Local(bindings, body) => return self.local(bindings, span, |lower| lower.expr(*body)),
            Expr::Function(params, body) => return self.function(params, *body, span),
            Expr::If(condition, yes, no) => {
                let condition = self.expr(*condition);
                let yes = self.expr(*yes);
                let no = match no {
                    Some(no) => self.expr(*no),
                    None => self.push(Node::Null, span),
                };
                Node::If(Box::new([condition, yes, no]))
            }
            Expr::Import(path, kind) => {
                let kind = if *kind == ImportKind::Code(None) { self.code(path) } else { kind.clone() };
                Node::Import(Box::new(Import { path: path.clone(), kind }))
            }
            Expr::Error(message) => {
                let message = self.expr(*message);
                Node::Prim(Prim::Error, Box::new([message]))
            }
            Expr::Assert(assert, body) => {
                let condition = self.expr(assert.condition);
                let body = self.expr(*body);
                let failed = tree.span(assert.condition);
                let message = match assert.message {
                    Some(message) => self.expr(message),
                    None => self.push(Node::Str(Name::new_static("Assertion failed.")), failed),
                };
                let error = self.push(Node::Prim(Prim::Error, Box::new([message])), failed);
                Node::If(Box::new([condition, body, error]))
            }
        };
        self.push(node, span)
    }

    /// Lowers `self`, `super` or `$` outside an object.
    fn outside_object(&mut self, word: &'static str, span: Span) -> NodeId {
        let word_span = Span { end: span.end.min(span.start + word.len() as u32), ..span };
        self.problem(word_span, JsonnetProblem::OutsideObject(Name::new_static(word)));
        self.push(Node::Hole, span)
    }

    fn super_read(&mut self, span: Span, read: SuperRead) -> NodeId {
        match self.object_up(false) {
            Some(up) => self.push(Node::Super { up, read }, span),
            None => self.outside_object("super", span),
        }
    }

    /// Records the use of a field of an enclosing object, if `of` is `self`, `$` or a name that is bound to one of them.
    fn uses(&mut self, base: NodeId, name: &str) {
        let up = match *self.builder.node(base) {
            Node::This { up } => Some(up),
            Node::Local { up, slot } => {
                let depth = self.builder.depth().saturating_sub(up as usize);
                let alias = self.state.aliases.iter().rev().find(|alias| alias.depth == depth && alias.slot == slot);
                alias.and_then(|alias| self.builder.depth().checked_sub(alias.object)).map(|up| up as u32)
            }
            _ => None,
        };
        if let Some(up) = up {
            self.builder.use_field(up, name);
        }
    }

    /// Lowers an expression that is called, or of which parts are read.
    fn whole(&mut self, id: Id) -> NodeId {
        self.state.is_read = matches!(self.tree.expr(id), Expr::Name(_));
        let node = self.expr(id);
        self.state.is_read = false;
        node
    }

    fn apply(&mut self, func: Id, written: &tree::Arguments, span: Span) -> NodeId {
        let func = self.whole(func);
        let function = match self.builder.node(func) {
            Node::Project(of, function) if matches!(self.builder.node(*of), Node::Global(std) if std == LIBRARY) => {
                Some(function.clone())
            }
            _ => None,
        };
        let mut args = Vec::with_capacity(written.items.len());
        for (name, value) in &written.items {
            let name = name.as_ref().map(|n| {
                let renamed = function.as_ref().and_then(|function| library::renamed(function, &n.name));
                renamed.unwrap_or_else(|| n.name.clone())
            });
            args.push((name, self.expr(*value)));
        }
        self.push(Node::Apply(Box::new(Apply { func, args, tailstrict: written.tailstrict })), span)
    }

    /// Lowers a chain of infix operators and extensions. Iterates over the left operands.
    fn binary(&mut self, id: Id) -> NodeId {
        let tree = self.tree;
        let mut chain = Vec::new();
        let mut first = id;
        while let Expr::Binary(_, left, _) | Expr::Extend(left, ..) = tree.expr(first) {
            chain.push(first);
            first = *left;
        }
        let mut left = self.expr(first);
        let mut dash = Vec::new();
        while let Some(id) = chain.pop() {
            let span = tree.span(id);
            left = match tree.expr(id) {
                Expr::Binary(op, _, right) => {
                    let right = match tree.expr(*right) {
                        Expr::Object(object) if *op == Prim::Plus => self.object(object, Some(left), tree.span(*right)),
                        // the whole name was reported
                        Expr::Name(name) if *op == Prim::Sub && dash.contains(&id) && self.is_unbound(name) => {
                            self.push(Node::Hole, tree.span(*right))
                        }
                        Expr::Name(name) if *op == Prim::Sub && self.is_unbound(name) => {
                            dash = self.dashed(id, &chain);
                            let right = self.expr(*right);
                            self.state.dashed = None;
                            right
                        }
                        _ => self.expr(*right),
                    };
                    self.push(Node::Prim(*op, Box::new([left, right])), span)
                }
                Expr::Extend(before, right, is_below) => {
                    if *is_below {
                        self.report_joined(*before, *right);
                    }
                    let right = match tree.expr(*right) {
                        Expr::Object(object) => self.object(object, Some(left), tree.span(*right)),
                        _ => self.expr(*right),
                    };
                    self.push(Node::Inherit(Box::new([left, right])), span)
                }
                _ => left,
            };
        }
        left
    }

    /// Reports an object that follows another one without a comma and replaces a field of it.
    fn report_joined(&mut self, left: Id, right: Id) {
        let (Expr::Object(first), Expr::Object(second)) = (self.tree.expr(left), self.tree.expr(right)) else { return };
        let name = |field: &'_ Field| match &field.name {
            FieldName::Static(name) => Some(name.clone()),
            FieldName::Computed(_) => None,
        };
        let names: FxHashMap<Name, Span> =
            first.fields.iter().filter_map(|field| Some((name(field)?, field.name_span))).collect();
        let replaces = |field: &&Field| !field.plus && name(field).is_some_and(|name| names.contains_key(&name));
        if let Some(field) = second.fields.iter().find(replaces)
            && let Some(first) = name(field).and_then(|name| names.get(&name))
        {
            self.warning(field.name_span, JsonnetProblem::Joined { first: *first });
        }
    }

    /// Recognizes a name with `-` in a subtraction without blanks, `labels.app-name`, and remembers it for the report of its unbound
    /// part. `rest`: the operations around this one, the innermost last. Returns those that are in the name too.
    fn dashed(&mut self, id: Id, rest: &[Id]) -> Vec<Id> {
        let tree = self.tree;
        // the right operand of a subtraction without blanks
        let part = |id: Id| match tree.expr(id) {
            Expr::Binary(Prim::Sub, left, right) if tree.span(*left).end + 1 == tree.span(*right).start => {
                if let Expr::Name(name) = tree.expr(*right) {
                    Some((*left, name))
                } else {
                    None
                }
            }
            _ => None,
        };
        let mut names = Vec::new();
        let mut first = id;
        while let Some((left, name)) = part(first).filter(|_| names.len() < DASHES) {
            names.insert(0, name.as_str());
            first = left;
        }
        let outer: Vec<Id> = rest.iter().rev().copied().take(DASHES).take_while(|id| part(*id).is_some()).collect();
        names.extend(outer.iter().filter_map(|id| part(*id)).map(|(_, name)| name.as_str()));
        let Some(left) = self.path(first).filter(|_| !names.is_empty()) else { return Vec::new() };
        let (object, word) = match left.rsplit_once('.') {
            Some((object, word)) => (Some(Name::from(object)), word),
            None => (None, left.as_str()),
        };
        let right = names.join("-");
        let name = Name::from(format!("{word}-{right}"));
        self.state.dashed = Some(Dashed { left: Name::from(left.as_str()), right: Name::from(right), object, name });
        outer
    }

    /// Returns the text of a name, or of a field that is read by names: `a.b`.
    fn path(&self, mut id: Id) -> Option<String> {
        let mut path = String::new();
        loop {
            let word = match self.tree.expr(id) {
                Expr::Name(name) => name.as_str(),
                Expr::This => "self",
                Expr::Dollar => "$",
                Expr::Dot(of, name) if path.len() < PATH => {
                    path.insert_str(0, &format!(".{}", name.name));
                    id = *of;
                    continue;
                }
                _ => return None,
            };
            path.insert_str(0, word);
            return Some(path);
        }
    }

    /// Lowers `local … ; body`.
    pub(super) fn local(
        &mut self,
        written: &[tree::Binding],
        span: Span,
        body: impl FnOnce(&mut Self) -> NodeId,
    ) -> NodeId {
        self.builder.open();
        let bindings = self.bindings(written, 0);
        let body = body(self);
        let (slots, groups) = self.builder.close();
        self.push(Node::Let(Box::new(Let { recursive: true, bindings, body, groups, slots })), span)
    }

    /// Lowers recursive bindings in the innermost frame. The first one is the definition number `first`.
    pub(super) fn bindings(&mut self, written: &[tree::Binding], first: u32) -> Vec<Binding> {
        let slots = self.declare(written, first);
        self.bodies(written, slots, first)
    }

    /// Adds the names of bindings to the scope.
    pub(super) fn declare(&mut self, written: &[tree::Binding], first: u32) -> Vec<u32> {
        let mut seen = FxHashMap::default();
        let mut slots = Vec::with_capacity(written.len());
        for (index, binding) in written.iter().enumerate() {
            self.once(&binding.name, DuplicateKind::Local, &mut seen);
            let slot = self.builder.bind(binding.name.name.clone());
            self.builder.define_slot(slot, first + index as u32);
            slots.push(slot);
            self.alias(binding.value, slot);
        }
        slots
    }

    /// Records that a slot of the innermost frame is bound to an enclosing object, if it is.
    fn alias(&mut self, mut value: Id, slot: u32) {
        let tree = self.tree;
        while let Expr::Paren(inner) = tree.expr(value) {
            value = *inner;
        }
        let around = match tree.expr(value) {
            Expr::This => self.state.objects.last(),
            Expr::Dollar => self.state.objects.first(),
            _ => return,
        };
        let Some(object) = around.map(|around| around.depth) else { return };
        let depth = self.builder.depth();
        self.state.aliases.retain(|alias| alias.depth < depth || alias.depth == depth && alias.slot != slot);
        self.state.aliases.push(Alias { depth, slot, object });
    }

    /// Lowers the values of bindings whose names are in scope.
    pub(super) fn bodies(&mut self, written: &[tree::Binding], slots: Vec<u32>, first: u32) -> Vec<Binding> {
        let mut bindings = Vec::with_capacity(written.len());
        for (index, (binding, slot)) in written.iter().zip(slots).enumerate() {
            self.builder.enter(Some(first + index as u32));
            let pat = self.builder.pat(PatKind::Bind(slot), binding.name.span);
            let body = self.expr(binding.value);
            bindings.push(Binding::plain(pat, body, binding.span));
        }
        self.builder.enter(None);
        bindings
    }

    fn function(&mut self, written: &[Parameter], body: Id, span: Span) -> NodeId {
        self.builder.open();
        let mut seen = FxHashMap::default();
        let mut pats = Vec::with_capacity(written.len());
        for param in written {
            self.once(&param.name, DuplicateKind::Parameter, &mut seen);
            let slot = self.builder.bind(param.name.name.clone());
            pats.push(self.builder.pat(PatKind::Bind(slot), param.name.span));
        }
        let mut params = Vec::with_capacity(written.len());
        for (param, pat) in written.iter().zip(pats) {
            let default = param.default.map(|d| self.expr(d));
            params.push(Param { pat, name: Some(param.name.name.clone()), default, ty: None });
        }
        let body = self.expr(body);
        let (slots, _) = self.builder.close();
        self.push(Node::Lambda(Box::new(Lambda { params, body, curried: false, slots, general: false })), span)
    }

    /// Lowers a comprehension. `body` lowers the part inside all clauses.
    pub(super) fn comprehension(
        &mut self,
        written: &[tree::Clause],
        object: bool,
        span: Span,
        body: impl FnOnce(&mut Self) -> NodeId,
    ) -> NodeId {
        let mut clauses = Vec::with_capacity(written.len());
        let mut frames = 0;
        for clause in written {
            clauses.push(match clause {
                tree::Clause::For(name, items) => {
                    let items = self.whole(*items);
                    self.builder.open();
                    self.builder.bind(name.name.clone());
                    frames += 1;
                    Clause::For { name: name.name.clone(), span: name.span, items }
                }
                tree::Clause::If(condition) => Clause::If(self.expr(*condition)),
            });
        }
        let body = body(self);
        for _ in 0..frames {
            self.builder.close();
        }
        self.push(Node::Comprehension(Box::new(Comprehension { clauses, body, object })), span)
    }

    /// Returns the language of an imported file. It is Jsonnet, which includes JSON, unless the extension belongs to
    /// another language or to data that Jsonnet cannot read.
    fn code(&self, path: &str) -> ImportKind {
        match self.names.languages().of_path(Path::new(path)) {
            Some(dialect) if dialect != Dialect::JSON => ImportKind::Code(None),
            _ => ImportKind::Code(Some(Name::new_static("Jsonnet"))),
        }
    }
}
