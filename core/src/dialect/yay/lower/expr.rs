//! Expressions.

use super::{Focus, Lower, Meaning};
use crate::dialect::yay::library::PAIR;
use crate::dialect::yay::tree::{Expr, Id, Op, Part, Prefix, Spanned};
use crate::term::{
    Apply, Binding, Chunk, FieldDef, FieldMeta, FieldName, Groups, Import, ImportKind, Lambda, Let, Node, NodeId,
    Param, PatKind, Prim, RecordLit,
};
use crate::text::{Name, Span};

impl<'a> Lower<'a> {
    /// Lowers an expression.
    pub(super) fn expr(&mut self, id: Id) -> NodeId {
        crate::deep::deeper(|| self.expr_here(id))
    }

    fn expr_here(&mut self, mut id: Id) -> NodeId {
        let tree = self.tree;
        while let Expr::Paren(inner) = tree.expr(id) {
            id = *inner;
        }
        let span = tree.span(id);
        let node = match tree.expr(id) {
            _ if self.stop.is_asked() => Node::Hole,
            Expr::Name(_) | Expr::Dot(..) if self.is_path_here(id) => return self.record_below(span),
            Expr::Hole | Expr::Paren(_) => Node::Hole,
            Expr::Cursor => {
                self.focus = Some(Focus::Name(self.bound()));
                Node::Hole
            }
            Expr::Block(block) => return self.value_of(*block, None),
            Expr::Number(n) => Node::Number(n.clone()),
            Expr::Str(s) => Node::Str(s.clone()),
            Expr::Text(parts) => {
                let chunks = parts.iter().map(|part| match part {
                    Part::Text(text) => Chunk::Text(text.clone()),
                    Part::Expr(id) => Chunk::Expr(self.expr(*id)),
                });
                Node::Interp(chunks.collect())
            }
            Expr::List(items) => Node::Array(items.iter().map(|item| self.expr(*item)).collect()),
            Expr::Dict(pairs) => return self.dictionary(pairs, span),
            Expr::ListComp(body, clauses) => {
                return self.comprehension(clauses, span, &mut |lower, _| lower.expr(*body));
            }
            Expr::DictComp(pair, clauses) => {
                let (key, value) = **pair;
                let pairs = self.comprehension(clauses, span, &mut |lower, _| lower.pair(key, value, span));
                return self.native("_dict", vec![pairs], span);
            }
            Expr::Name(name) => return self.name(name, span),
            Expr::Dot(of, name) => {
                let node = self.expr(*of);
                if name.name.is_empty() {
                    return self.hole_after(node, span);
                }
                self.uses(node, &name.name);
                Node::Project(node, name.name.clone())
            }
            Expr::Index(of, index) => {
                let of = self.expr(*of);
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
            Expr::Call(func, args) => return self.call(*func, args, span),
            Expr::Unary(op, operand) => {
                let operand = self.expr(*operand);
                let prim = match op {
                    Prefix::Not => Prim::Not,
                    Prefix::Neg => Prim::Neg,
                    Prefix::Pos => Prim::Pos,
                    Prefix::Invert => Prim::BitNot,
                };
                Node::Prim(prim, Box::new([operand]))
            }
            Expr::Binary(..) => return self.binary(id),
            Expr::Chain(first, more) => return self.chain(*first, more, span),
            Expr::Else(..) => {
                // iterates over `a else b else c …`, which may be long
                let (mut parts, mut at) = (Vec::new(), id);
                while let Expr::Else(left, right) = tree.expr(at) {
                    parts.push((*right, tree.span(at)));
                    at = *left;
                }
                self.tolerant += 1;
                let mut left = self.expr(at);
                self.tolerant -= 1;
                while let Some((right, span)) = parts.pop() {
                    let right = self.expr(right);
                    left = self.push(Node::Prim(Prim::Else, Box::new([left, right])), span);
                }
                return left;
            }
            Expr::If(condition, yes, no) => {
                let condition = self.expr(*condition);
                let yes = self.expr(*yes);
                let no = self.expr(*no);
                Node::If(Box::new([condition, yes, no]))
            }
            Expr::Lambda(params, body) => return self.lambda(params, *body, span),
        };
        self.push(node, span)
    }

    /// Records the use of a field of an enclosing record, if `of` is that record.
    fn uses(&mut self, base: NodeId, name: &str) {
        if let Node::This { up } = *self.builder.node(base) {
            self.builder.use_field(up, name);
        }
    }

    /// Returns a hole that keeps an expression, so that inference still checks it.
    fn hole_after(&mut self, base: NodeId, span: Span) -> NodeId {
        let pat = self.builder.pat(PatKind::Any, span);
        self.builder.open();
        let body = self.push(Node::Hole, span);
        let (slots, _) = self.builder.close();
        let binding = Binding::plain(pat, base, span);
        let groups = Groups::in_order(1);
        self.push(Node::Let(Box::new(Let { recursive: false, bindings: vec![binding], body, groups, slots })), span)
    }

    /// Lowers `{a: b}`. Its keys are not in scope in its values.
    fn dictionary(&mut self, pairs: &[(Id, Id)], span: Span) -> NodeId {
        let mut names = Vec::with_capacity(pairs.len());
        let mut seen = rustc_hash::FxHashSet::default();
        for (key, _) in pairs {
            match self.tree.expr(*key) {
                Expr::Str(name) if seen.insert(name.clone()) => names.push(name.clone()),
                _ => {
                    let items = pairs.iter().map(|(key, value)| (*key, *value)).collect::<Vec<_>>();
                    let mut pairs = Vec::with_capacity(items.len());
                    for (key, value) in items {
                        pairs.push(self.pair(key, value, span));
                    }
                    let pairs = self.push(Node::Array(pairs.into()), span);
                    return self.native("_dict", vec![pairs], span);
                }
            }
        }
        let fields: Vec<_> = pairs
            .iter()
            .zip(names)
            .map(|((key, value), name)| {
                let name_span = self.tree.span(*key);
                (name, name_span, name_span.to(self.tree.span(*value)), *value)
            })
            .collect();
        self.plain_record(&fields, span)
    }

    /// Lowers a pair of a key and its value, for a dictionary whose keys are computed.
    fn pair(&mut self, key: Id, value: Id, span: Span) -> NodeId {
        let field = |name: &'static str, id: Id| (Name::new_static(name), self.tree.span(id), self.tree.span(id), id);
        let [key_name, value_name] = PAIR;
        let fields = [field(key_name, key), field(value_name, value)];
        self.plain_record(&fields, span)
    }

    /// Lowers a record whose fields are not in scope in their values. Each field has the place of its name, its place and its value.
    fn plain_record(&mut self, all: &[(Name, Span, Span, Id)], span: Span) -> NodeId {
        self.builder.open();
        self.builder.anonymous_slot();
        (0..all.len() as u32).for_each(|i| self.builder.reserve(i));
        let mut fields = Vec::with_capacity(all.len());
        for (name, name_span, whole, value) in all.iter().cloned() {
            let body = self.expr(value);
            fields.push(FieldDef {
                name: FieldName::Static(name),
                name_span,
                span: whole,
                body: Some(body),
                included: false,
                plus: false,
                meta: FieldMeta::NONE.into(),
            });
        }
        let (_, groups) = self.builder.close();
        let literal = RecordLit { extra: None, fields, open: false, locals: Vec::new(), asserts: Vec::new(), groups };
        self.push(Node::Record(Box::new(literal)), span)
    }

    fn call(&mut self, func: Id, args: &[(Option<Spanned>, Id)], span: Span) -> NodeId {
        let name = match self.tree.expr(func) {
            Expr::Name(name) => Some(name.clone()),
            _ => None,
        };
        if let (Some("import"), [(None, path)]) = (name.as_deref(), args)
            && let Expr::Str(path) = self.tree.expr(*path)
            && self.is_function("import")
        {
            let import = Import { path: path.clone(), kind: ImportKind::Code(None) };
            return self.push(Node::Import(Box::new(import)), span);
        }
        let known = name.as_ref().and_then(|name| self.template(name));
        // a call of a name that only the library has
        let node = match &name {
            Some(name) if known.is_none() => self.function(name, self.tree.span(func)),
            _ => self.expr(func),
        };
        let mut passed = Vec::with_capacity(args.len());
        for (name, value) in args {
            let value = self.expr(*value);
            match (&known, name) {
                (Some(template), Some(name)) if !template.free.contains(&name.name) => {}
                _ => passed.push((name.as_ref().map(|name| name.name.clone()), value)),
            }
        }
        self.pass_scope(known.map(|template| template.free), &mut passed, span);
        self.push(Node::Apply(Box::new(Apply { func: node, args: passed, tailstrict: false })), span)
    }

    /// Lowers the name of a called function. A key that is not a function does not hide a library function.
    fn function(&mut self, name: &Name, span: Span) -> NodeId {
        match super::super::library::item(name) {
            Some(item) if self.is_function(item.name) => {
                let library = self.library(span);
                self.push(Node::Project(library, name.clone()), span)
            }
            _ => self.name(name, span),
        }
    }

    /// Returns `true` if a called name of the library means its function.
    fn is_function(&self, name: &'static str) -> bool {
        let name = Name::new_static(name);
        self.meaning(&name).is_none() && !self.earlier.contains(&name) && !name.starts_with('_')
    }

    /// Lowers a chain of infix operators. Iterates over the left operands.
    fn binary(&mut self, id: Id) -> NodeId {
        let tree = self.tree;
        let mut chain = Vec::new();
        let mut first = id;
        while let Expr::Binary(_, left, _) = tree.expr(first) {
            chain.push(first);
            first = *left;
        }
        let mut left = self.expr(first);
        while let Some(id) = chain.pop() {
            if let Expr::Binary(op, _, right) = tree.expr(id) {
                let right = self.expr(*right);
                left = self.operation(*op, left, right, tree.span(id));
            }
        }
        left
    }

    fn operation(&mut self, op: Op, left: NodeId, right: NodeId, span: Span) -> NodeId {
        let prim = match op {
            Op::Or => Prim::Or,
            Op::And => Prim::And,
            Op::In | Op::NotIn => Prim::In,
            Op::Eq | Op::Is => Prim::Eq,
            Op::Ne | Op::IsNot => Prim::Ne,
            Op::Lt => Prim::Lt,
            Op::Le => Prim::Le,
            Op::Gt => Prim::Gt,
            Op::Ge => Prim::Ge,
            Op::BitOr => Prim::BitOr,
            Op::BitXor => Prim::BitXor,
            Op::BitAnd => Prim::BitAnd,
            Op::Shl => Prim::Shl,
            Op::Shr => Prim::Shr,
            Op::Add => Prim::Plus,
            Op::Sub => Prim::Sub,
            Op::Mul => Prim::Mul,
            Op::Div => Prim::Div,
            Op::Mod => Prim::Rem,
            Op::FloorDiv => return self.native("_floordiv", vec![left, right], span),
            Op::Pow => return self.native("_pow", vec![left, right], span),
        };
        let node = self.push(Node::Prim(prim, Box::new([left, right])), span);
        match op {
            Op::NotIn => self.push(Node::Prim(Prim::Not, Box::new([node])), span),
            _ => node,
        }
    }

    /// Lowers `a < b < c` as `a < b and b < c`, with each operand evaluated once.
    fn chain(&mut self, first: Id, more: &[(Op, Id)], span: Span) -> NodeId {
        let mut operands = vec![self.expr(first)];
        for (_, id) in more {
            operands.push(self.expr(*id));
        }
        self.builder.open();
        let mut bindings = Vec::with_capacity(operands.len());
        let mut names = Vec::with_capacity(operands.len());
        for (index, body) in operands.into_iter().enumerate() {
            let name = Name::from(format!("%operand.{index}"));
            let at = self.builder.span(body);
            let slot = self.builder.bind(name.clone());
            let pat = self.builder.pat(PatKind::Bind(slot), at);
            bindings.push(Binding::plain(pat, body, at));
            names.push((name, at));
        }
        let mut all: Option<NodeId> = None;
        for (pair, (op, _)) in names.windows(2).zip(more) {
            let left = self.builder.variable(&pair[0].0, pair[0].1);
            let right = self.builder.variable(&pair[1].0, pair[1].1);
            let one = self.operation(*op, left, right, span);
            all = Some(match all {
                Some(all) => self.push(Node::Prim(Prim::And, Box::new([all, one])), span),
                None => one,
            });
        }
        let body = all.unwrap_or_else(|| self.push(Node::Hole, span));
        let (slots, _) = self.builder.close();
        let groups = Groups::in_order(bindings.len() as u32);
        self.push(Node::Let(Box::new(Let { recursive: false, bindings, body, groups, slots })), span)
    }

    fn lambda(&mut self, written: &[(Spanned, Option<Id>)], body: Id, span: Span) -> NodeId {
        self.builder.open();
        let slots: Vec<u32> = written.iter().map(|(name, _)| self.builder.bind(name.name.clone())).collect();
        for (name, _) in written {
            self.enter(&name.name, Meaning::Slot);
        }
        let mut params = Vec::with_capacity(written.len());
        for ((name, default), slot) in written.iter().zip(slots) {
            let pat = self.builder.pat(PatKind::Bind(slot), name.span);
            let default = default.map(|default| self.expr(default));
            params.push(Param { pat, name: Some(name.name.clone()), default, ty: None });
        }
        let body = self.expr(body);
        for (name, _) in written {
            self.leave(&name.name);
        }
        let (slots, _) = self.builder.close();
        self.push(Node::Lambda(Box::new(Lambda { params, body, curried: false, slots, general: false })), span)
    }
}
