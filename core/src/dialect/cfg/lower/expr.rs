//! Lowers expressions.

use super::Lower;
use crate::dialect::cfg::habit::Habit;
use crate::dialect::cfg::primop;
use crate::dialect::cfg::problem::CfgProblem;
use crate::dialect::cfg::tree::{self, Expr, Id, Op, PId};
use crate::dialect::parser::Focus;
use crate::problem::Problem;
use crate::term::{
    AnnotKind, Apply, Arm, Chunk, FieldDef, FieldMeta, FieldName, Groups, Import, ImportKind, Lambda, Match, Node,
    NodeId, Param, PatKind, Prim, RecordLit, TypeForm,
};
use crate::text::{Name, Span};

impl Lower<'_> {
    /// Lowers an expression or a type.
    pub(super) fn expr_here(&mut self, id: Id) -> NodeId {
        let tree = self.tree;
        let id = self.bare(id);
        let span = tree.span(id);
        let node = match tree.expr(id) {
            _ if self.stop.is_asked() => Node::Hole,
            Expr::Hole => Node::Hole,
            Expr::Cursor => self.hole_at_cursor(),
            Expr::Null => Node::Null,
            Expr::Bool(b) => Node::Bool(*b),
            Expr::Number(n) => Node::Number(n.clone()),
            Expr::Str(s) => {
                self.report_dollar(s, span, CfgProblem::Dollar);
                Node::Str(s.clone())
            }
            Expr::Interp(chunks) => {
                for chunk in chunks {
                    if let tree::Chunk::Text(text) = chunk {
                        self.report_dollar(text, span, CfgProblem::Dollar);
                    }
                }
                Node::Interp(self.chunks(chunks))
            }
            Expr::Symbolic(prefix, chunks) => return self.symbolic(prefix, chunks, span),
            Expr::Tag(name) => {
                if name.ends_with('\'') {
                    self.warning(span, CfgProblem::SingleQuotes(name.clone()));
                }
                Node::Tag(name.clone())
            }
            Expr::Array(items) => Node::Array(items.iter().map(|i| self.expr(*i)).collect()),
            Expr::Record(record) => return self.record(record, span),
            Expr::Name(name) => return self.name(name, span),
            Expr::Dot(target, name) => {
                let target = self.expr(*target);
                match name.name.is_empty() && name.span.is_empty() {
                    true => return self.hole_after(target, span),
                    false => Node::Project(target, name.name.clone()),
                }
            }
            Expr::DotDynamic(target, name) => {
                let target = self.expr(*target);
                if matches!(tree.expr(*name), Expr::Cursor) {
                    self.focus = Some(Focus::Field(target));
                    return self.hole_after(target, span);
                }
                let name = self.expr(*name);
                Node::Index(Box::new([target, name]))
            }
            Expr::Apply(head, args) => return self.apply(*head, args, span),
            Expr::Unary(op, operand) => {
                let operand = self.expr(*operand);
                Node::Prim(if *op == Op::Neg { Prim::Neg } else { Prim::Not }, Box::new([operand]))
            }
            Expr::Binary(..) => return self.binary(id),
            Expr::Operator(op) => return self.section(*op, span),
            Expr::Paren(_) => Node::Hole,
            Expr::Let(l) => return self.let_in(l, span),
            Expr::Fun(params, body) => return self.fun(params, *body, span),
            Expr::If(parts) => {
                let [condition, then, otherwise] = **parts;
                Node::If(Box::new([self.expr(condition), self.expr(then), self.expr(otherwise)]))
            }
            Expr::Match(arms) => return self.match_function(arms, span),
            Expr::Annotated(inner, metas) => {
                let before = self.problems.len();
                let value = self.expr(*inner);
                let after = self.problems.len();
                let annots = self.annots(metas, "an expression");
                // `name: web`, as in YAML, is one mistake
                let is_unbound = |problem: &Problem| problem.code() == "scope/unbound";
                if after == before + 1
                    && matches!(self.tree.expr(*inner), Expr::Name(_))
                    && [before, after].iter().all(|at| self.problems.get(*at).is_some_and(is_unbound))
                {
                    self.problems.remove(before);
                }
                match annots.is_empty() {
                    true => return value,
                    false => Node::Annot(value, annots.into()),
                }
            }
            Expr::Import(path, format) => Node::Import(Box::new(self.import(path, format.as_deref()))),
            Expr::Package(_) => Node::Hole,
            Expr::Primop(name) => return self.primop(name, span),
            Expr::Dyn => return self.ty(TypeForm::Dyn, span),
            Expr::NumberType => return self.ty(TypeForm::Number, span),
            Expr::StringType => return self.ty(TypeForm::String, span),
            Expr::BoolType => return self.ty(TypeForm::Bool, span),
            Expr::Wildcard => return self.ty(TypeForm::Wildcard, span),
            Expr::ArrayType(item) => {
                let item = self.expr(*item);
                return self.ty(TypeForm::Array(item), span);
            }
            Expr::Dict(item, contract) => {
                let item = self.expr(*item);
                return self.ty(TypeForm::Dict { item, contract: *contract }, span);
            }
            Expr::EnumType(rows, tail) => return self.enum_type(rows, tail.as_deref(), span),
            Expr::Forall(vars, body) => {
                let ids = self.builder.open_forall(vars.iter().map(|v| (v.name.clone(), v.span)));
                let body = self.expr(*body);
                self.builder.close_forall(ids.len());
                return self.ty(TypeForm::Forall(ids, body), span);
            }
        };
        self.push(node, span)
    }

    fn chunks(&mut self, chunks: &[tree::Chunk]) -> Box<[Chunk]> {
        let mut out = Vec::with_capacity(chunks.len());
        for chunk in chunks {
            out.push(match chunk {
                tree::Chunk::Text(text) if text.is_empty() => continue,
                tree::Chunk::Text(text) => Chunk::Text(text.clone()),
                tree::Chunk::Expr(id, 0) => Chunk::Expr(self.expr(*id)),
                tree::Chunk::Expr(id, indent) => Chunk::Indented(self.expr(*id), *indent),
            });
        }
        out.into()
    }

    fn apply(&mut self, head: Id, args: &[Id], span: Span) -> NodeId {
        let tree = self.tree;
        match (tree.expr(self.bare(head)), args) {
            (Expr::Tag(tag), [arg]) if self.single_quoted(head, args).is_none() => {
                if tag.ends_with('\'') {
                    self.warning(tree.span(head), CfgProblem::SingleQuotes(tag.clone()));
                }
                let arg = self.expr(*arg);
                return self.push(Node::Variant(tag.clone(), arg), span);
            }
            (Expr::Name(list), [item]) if list == "List" && !self.is_defined(list) => {
                let item = self.expr(*item);
                return self.ty(TypeForm::Array(item), span);
            }
            (Expr::Match(arms), [arg]) => {
                let scrutinee = self.expr(*arg);
                return self.match_on(scrutinee, arms, span);
            }
            _ => {}
        }
        if let Some(text) = self.single_quoted(head, args) {
            self.problem(span, CfgProblem::Habit(Habit::SingleQuotes(text)));
            return self.push(Node::Hole, span);
        }
        let func = self.expr(head);
        let args = args.iter().map(|a| (None, self.expr(*a))).collect();
        self.push(Node::Apply(Box::new(Apply { func, args, tailstrict: false })), span)
    }

    /// Returns the text of `'two words'`, which is a tag with arguments of which the last one ends in a quote.
    fn single_quoted(&self, head: Id, args: &[Id]) -> Option<Option<Name>> {
        let (Expr::Tag(tag), [.., last]) = (self.tree.expr(head), args) else { return None };
        let Expr::Name(end) = self.tree.expr(*last) else { return None };
        if !end.ends_with('\'') || self.is_defined(end) || self.is_bound_outside(end) {
            return None;
        }
        let mut text = tag.to_string();
        for arg in args {
            let Expr::Name(name) = self.tree.expr(*arg) else { return Some(None) };
            text.push(' ');
            text.push_str(name);
        }
        text.pop();
        Some(Some(Name::from(text)))
    }

    /// Lowers a chain of infix operators. Iterates over the left operands.
    fn binary(&mut self, id: Id) -> NodeId {
        let tree = self.tree;
        let mut chain = Vec::new();
        let mut first = id;
        while let Expr::Binary(op, left, right) = tree.expr(first) {
            if *op == Op::Arrow && first != id {
                break;
            }
            chain.push((*op, *right, tree.span(first)));
            first = *left;
            if *op == Op::Arrow {
                break;
            }
        }
        let mut left = self.expr(first);
        let mut operands: Vec<NodeId> = Vec::new();
        while let Some((op, right, span)) = chain.pop() {
            if op == Op::Merge {
                if operands.is_empty() {
                    operands.push(left);
                }
                operands.push(self.expr(right));
                if chain.last().is_none_or(|(next, ..)| *next != Op::Merge) {
                    left = self.push(Node::Merge(std::mem::take(&mut operands).into()), span);
                }
                continue;
            }
            left = self.infix(op, left, right, span);
        }
        left
    }

    /// Lowers one infix operation. `left` is lowered already.
    fn infix(&mut self, op: Op, left: NodeId, right: Id, span: Span) -> NodeId {
        let tree = self.tree;
        if op == Op::PipeRight {
            if let Expr::Match(arms) = tree.expr(self.bare(right)) {
                return self.match_on(left, arms, span);
            }
            let func = self.expr(right);
            return self.push(Node::Apply(Box::new(Apply { func, args: vec![(None, left)], tailstrict: false })), span);
        }
        let right = self.expr(right);
        match prim(op) {
            Some(prim) => self.push(Node::Prim(prim, Box::new([left, right])), span),
            None => self.ty(TypeForm::Fun(left, right), span),
        }
    }

    /// Lowers `(+)` as a function.
    fn section(&mut self, op: Op, span: Span) -> NodeId {
        self.builder.open();
        let names = if op == Op::Not { &["x"][..] } else { &["x", "y"][..] };
        let mut params = Vec::new();
        let mut uses = Vec::new();
        for name in names {
            let slot = self.builder.bind(Name::new_static(name));
            let pat = self.builder.pat(PatKind::Bind(slot), span);
            params.push(Param { pat, name: None, default: None, ty: None });
        }
        for slot in 0..names.len() as u32 {
            uses.push(self.push(Node::Local { up: 0, slot }, span));
        }
        let node = match (op, uses.as_slice()) {
            (Op::PipeRight, [x, y]) => {
                Node::Apply(Box::new(Apply { func: *y, args: vec![(None, *x)], tailstrict: false }))
            }
            (Op::Merge, _) => Node::Merge(uses.into()),
            (Op::Dot, [x, y]) => Node::Index(Box::new([*x, *y])),
            _ => Node::Prim(prim(op).unwrap_or(Prim::Not), uses.into()),
        };
        let body = self.push(node, span);
        let (slots, _) = self.builder.close();
        self.push(Node::Lambda(Box::new(Lambda { params, body, curried: true, slots, general: false })), span)
    }

    fn fun(&mut self, params: &[PId], body: Id, span: Span) -> NodeId {
        self.builder.open();
        let params = params
            .iter()
            .map(|p| {
                let prepared = self.prepare(*p);
                Param { pat: self.bind_pattern(*p, prepared), name: None, default: None, ty: None }
            })
            .collect();
        let body = self.expr(body);
        let (slots, _) = self.builder.close();
        self.push(Node::Lambda(Box::new(Lambda { params, body, curried: true, slots, general: false })), span)
    }

    /// Lowers `match { … }` as a function.
    fn match_function(&mut self, arms: &[tree::Arm], span: Span) -> NodeId {
        self.builder.open();
        let slot = self.builder.anonymous_slot();
        let pat = self.builder.pat(PatKind::Bind(slot), span);
        let scrutinee = self.push(Node::Local { up: 0, slot }, span);
        let body = self.match_on(scrutinee, arms, span);
        let (slots, _) = self.builder.close();
        let params = vec![Param { pat, name: None, default: None, ty: None }];
        self.push(Node::Lambda(Box::new(Lambda { params, body, curried: true, slots, general: false })), span)
    }

    fn match_on(&mut self, scrutinee: NodeId, arms: &[tree::Arm], span: Span) -> NodeId {
        let arms = arms
            .iter()
            .map(|arm| {
                self.builder.open();
                let prepared = self.prepare(arm.pattern);
                let pat = self.bind_pattern(arm.pattern, prepared);
                let guard = arm.guard.map(|g| self.expr(g));
                let body = self.expr(arm.body);
                let (slots, _) = self.builder.close();
                Arm { pat, guard, body, slots }
            })
            .collect();
        self.push(Node::Match(Box::new(Match { scrutinee, arms })), span)
    }

    fn import(&mut self, path: &Name, format: Option<&tree::Spanned>) -> Import {
        let kind = match format {
            None => ImportKind::Code(None),
            Some(f) => match f.name.as_str() {
                "Text" => ImportKind::Text,
                format if self.names.languages().of_format(format).is_some() => ImportKind::Code(Some(f.name.clone())),
                _ => {
                    let known = self.names.languages().formats().chain(["Text"]).map(Name::new_static).collect();
                    self.problem(f.span, CfgProblem::ImportFormat { name: f.name.clone(), known });
                    ImportKind::Code(None)
                }
            },
        };
        Import { path: path.clone(), kind }
    }

    fn primop(&mut self, name: &Name, span: Span) -> NodeId {
        if let Some(function) = primop::reordered_call(name) {
            return self.reordered_call(function, span);
        }
        let Some(path) = primop::library(name) else {
            self.problem(span, CfgProblem::Internal(name.clone()));
            return self.push(Node::Hole, span);
        };
        self.library_function(path, span)
    }

    /// Lowers an operation as a function that calls a library function with the arguments in another order.
    fn reordered_call(&mut self, function: primop::ReorderedCall, span: Span) -> NodeId {
        self.builder.open();
        let slots: Vec<u32> = (0..function.takes).map(|_| self.builder.anonymous_slot()).collect();
        let params = slots.iter().map(|slot| Param {
            pat: self.builder.pat(PatKind::Bind(*slot), span),
            name: None,
            default: None,
            ty: None,
        });
        let params = params.collect();
        let func = self.library_function(function.path, span);
        // in a record, the parameters are one frame further out
        let up = u32::from(!function.labels.is_empty());
        let mut args = Vec::with_capacity(function.order.len());
        for at in function.order {
            let slot = slots.get(*at as usize).copied().unwrap_or_default();
            args.push((None, self.push(Node::Local { up, slot }, span)));
        }
        if !function.labels.is_empty() {
            let fields: Vec<FieldDef> = function
                .labels
                .iter()
                .zip(&args)
                .map(|(label, (_, arg))| FieldDef {
                    name: FieldName::Static(Name::new_static(label)),
                    name_span: span,
                    span,
                    body: Some(*arg),
                    included: false,
                    plus: false,
                    meta: FieldMeta::NONE.into(),
                })
                .collect();
            let groups = Groups::in_order(fields.len() as u32);
            let record =
                RecordLit { extra: None, fields, open: false, locals: Vec::new(), asserts: Vec::new(), groups };
            args = vec![(None, self.push(Node::Record(Box::new(record)), span))];
        }
        let mut body = self.push(Node::Apply(Box::new(Apply { func, args, tailstrict: false })), span);
        if let Some(field) = function.field {
            body = self.push(Node::Project(body, Name::new_static(field)), span);
        }
        let (slots, _) = self.builder.close();
        self.push(Node::Lambda(Box::new(Lambda { params, body, curried: true, slots, general: false })), span)
    }

    /// Lowers the path of a library function: `std.array.map`.
    fn library_function(&mut self, path: &[&'static str], span: Span) -> NodeId {
        let mut node = self.push(Node::Global(Name::new_static("std")), span);
        for part in path {
            node = self.push(Node::Project(node, Name::new_static(part)), span);
        }
        node
    }

    /// Returns the kind of an annotation that any expression may have.
    pub(super) fn annot_kind(annots: &[crate::term::Annot], is_type: bool) -> AnnotKind {
        // as in Nickel: only one type is static, further types are contracts
        match is_type && annots.iter().all(|a| a.kind != AnnotKind::Type) {
            true => AnnotKind::Type,
            false => AnnotKind::Contract,
        }
    }
}

/// Returns the primitive operation of an operator. `None` if the operator is lowered in another way.
fn prim(op: Op) -> Option<Prim> {
    Some(match op {
        Op::Add => Prim::Add,
        Op::Sub => Prim::Sub,
        Op::Mul => Prim::Mul,
        Op::Div => Prim::Div,
        Op::Mod => Prim::Mod,
        Op::Concat => Prim::Concat,
        Op::Append => Prim::Append,
        Op::Eq => Prim::Eq,
        Op::Ne => Prim::Ne,
        Op::Lt => Prim::Lt,
        Op::Le => Prim::Le,
        Op::Gt => Prim::Gt,
        Op::Ge => Prim::Ge,
        Op::And => Prim::And,
        Op::Or => Prim::Or,
        Op::Not => Prim::Not,
        Op::Neg => Prim::Neg,
        Op::Merge | Op::PipeRight | Op::Arrow | Op::Dot => return None,
    })
}
