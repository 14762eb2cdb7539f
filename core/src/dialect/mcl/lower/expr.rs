//! Expressions and types.

use super::Lower;
use super::scope::{Def, Meaning, Scope, key};
use crate::dialect::mcl::problem::{MclProblem, Meant, Named};
use crate::dialect::mcl::tree::{Expr, Func, Id, Param, Piece, Spanned, Type, TypeId, Word};
use crate::dialect::parser::Focus;
use crate::problem::syntax::PastInput;
use crate::term::{Apply, Chunk, FieldDef, FieldName, Lambda, Meta, Node, NodeId, Number, PatKind, Prim, TypeForm};
use crate::text::{Name, Span};
use rustc_hash::FxHashMap;

impl<const N: bool> Lower<'_, N> {
    /// Lowers an expression. The stack is large enough for one more level.
    pub(in crate::dialect::mcl) fn expr_here(&mut self, mut id: Id) -> NodeId {
        let tree = self.tree;
        while let Expr::Paren(inner) = tree.expr(id) {
            id = *inner;
        }
        let span = tree.span(id);
        let node = match tree.expr(id) {
            _ if self.stop.is_asked() => Node::Hole,
            Expr::Hole | Expr::Paren(_) => Node::Hole,
            Expr::Program(statements) => return self.file(statements, span),
            Expr::Cursor => {
                self.focus = Some(Focus::Name(self.variables_in_scope()));
                Node::Hole
            }
            Expr::Bool(b) => Node::Bool(*b),
            Expr::Int(n) => Node::Number(Number::Int(*n)),
            Expr::Float(n) => Node::Number(Number::Double(*n)),
            Expr::Str(pieces, plain) => {
                if let Some(plain) = plain.as_deref() {
                    self.report_plain(plain);
                }
                return self.string(pieces, span);
            }
            Expr::List(items) => Node::Array(items.iter().map(|item| self.expr(*item)).collect()),
            Expr::Map(entries) => {
                let operands = entries.iter().flat_map(|(k, v)| [*k, *v]).map(|e| self.expr(e)).collect();
                Node::Prim(Prim::Map, operands)
            }
            Expr::Struct(fields) => return self.struct_literal(fields, span),
            Expr::Call(name, args) => {
                let func = self.used(Named::Function, name);
                return self.apply(func, args, span);
            }
            Expr::Function(name) => return self.whole_name(name),
            Expr::CallVariable(name, args) => {
                let func = self.used(Named::Variable, name);
                return self.apply(func, args, span);
            }
            Expr::CallValue(func, args) => {
                let func = self.expr(*func);
                return self.apply(func, args, span);
            }
            Expr::Variable(name) if name.name.starts_with('$') => return self.result(name),
            Expr::Variable(name) => return self.used(Named::Variable, name),
            Expr::Func(func) => return self.func(func, false, span),
            Expr::If(parts) => {
                let [condition, then, otherwise] = **parts;
                Node::If(Box::new([self.expr(condition), self.expr(then), self.expr(otherwise)]))
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.expr(*a), self.expr(*b));
                Node::Prim(*op, Box::new([a, b]))
            }
            Expr::Not(e) => {
                let operand = self.expr(*e);
                Node::Prim(Prim::Not, Box::new([operand]))
            }
            Expr::Index(of, index, default) => {
                // in the newest syntax it is an error of evaluation
                if !N && default.is_none() {
                    self.report_missing(*of, *index, span);
                }
                let (of, index) = (self.expr(*of), self.expr(*index));
                match default {
                    Some(default) => {
                        let default = self.expr(*default);
                        Node::Prim(Prim::Lookup, Box::new([of, index, default]))
                    }
                    // a missing element is an error, which `<|>` can catch
                    None if N => Node::Prim(Prim::Lookup, Box::new([of, index])),
                    None => Node::Index(Box::new([of, index])),
                }
            }
            Expr::Field(of, name, default) => {
                let of = self.expr(*of);
                if name.name.is_empty() {
                    self.focus = Some(Focus::Field(of));
                    return self.push(Node::Hole, span);
                }
                match default {
                    Some(default) => {
                        let field = self.push(Node::Str(name.name.clone()), name.span);
                        let default = self.expr(*default);
                        Node::Prim(Prim::FieldOr, Box::new([of, field, default]))
                    }
                    None => Node::Project(of, name.name.clone()),
                }
            }
        };
        self.push(node, span)
    }

    /// Lowers the name of a function or a module, which is all of the text.
    fn whole_name(&mut self, name: &Spanned) -> NodeId {
        if self.is_function(name) {
            return self.used(Named::Function, name);
        }
        if let Some(module) = self.functions().module(&name.name).filter(|module| !module.path.is_empty()) {
            let library = self.builder.variable(&Name::new_static(super::LIBRARY), name.span);
            return self.push(Node::Project(library, Name::new_static(module.path)), name.span);
        }
        let known = match name.name.rsplit_once('.') {
            Some((namespace, _)) => self.session_module(namespace).is_some(),
            None => {
                !self.is_bound_outside(&name.name) && self.functions().modules().any(|module| module.has(&name.name))
            }
        };
        if known {
            // reports it with similar names
            return self.used(Named::Function, name);
        }
        let expected = vec![Name::new_static("`(`")];
        let end = Span { start: name.span.end, ..name.span };
        self.problem(end, MclProblem::Unexpected { found: None, expected, meant: Some(Meant::Variable) });
        self.push(Node::Hole, name.span)
    }

    /// Lowers `$3`: the result of an input of the session.
    fn result(&mut self, name: &Spanned) -> NodeId {
        if !self.names.is_bound(&name.name) {
            let number = name.name.trim_start_matches('$').parse().unwrap_or_default();
            let none = PastInput { number, defined: Vec::new(), redefined: false };
            let mut past = self.names.past_input(&name.name).unwrap_or(none);
            // a key of the session without a space is a variable
            for name in past.defined.iter_mut().filter(|name| !name.contains(' ')) {
                *name = Name::from(format!("${name}"));
            }
            self.problem(name.span, MclProblem::Input(past));
            return self.push(Node::Hole, name.span);
        }
        self.builder.variable(&name.name, name.span)
    }

    /// Reports `$x` in a string, if `x` is a variable in scope.
    fn report_plain(&mut self, plain: &Spanned) {
        let key = key(Named::Variable, &plain.name);
        let is_bound = self.state.scopes.iter().any(|scope| scope.names.contains_key(&key));
        if is_bound || self.is_defined_outside(&key) {
            self.note(plain.span, MclProblem::Dollar(plain.name.clone()));
        }
    }

    /// Reports `${s.name}` if `s` is a variable and no namespace.
    fn report_field(&mut self, name: &Spanned) -> bool {
        let Some((variable, field)) = name.name.split_once('.') else { return false };
        let bound = |key: Name| self.state.scopes.iter().any(|scope| scope.names.contains_key(&key));
        let is_field = bound(key(Named::Variable, variable)) && !bound(key(Named::Namespace, variable));
        if is_field {
            let (variable, field) = (Name::new(variable), Name::new(field));
            self.problem(name.span, MclProblem::FieldInString { variable, field });
        }
        is_field
    }

    fn string(&mut self, pieces: &[Piece], span: Span) -> NodeId {
        if let [Piece::Text(text)] = pieces {
            return self.push(Node::Str(text.clone()), span);
        }
        let mut chunks = Vec::with_capacity(pieces.len());
        for piece in pieces {
            chunks.push(match piece {
                Piece::Text(text) => Chunk::Text(text.clone()),
                Piece::Variable(name) if self.report_field(name) => Chunk::Expr(self.push(Node::Hole, name.span)),
                Piece::Variable(name) => Chunk::Expr(self.used(Named::Variable, name)),
            });
        }
        self.push(Node::Interp(chunks.into()), span)
    }

    fn struct_literal(&mut self, fields: &[(Spanned, Id)], span: Span) -> NodeId {
        let mut seen: FxHashMap<&Name, Span> = FxHashMap::default();
        self.literal(span, false, |lower| {
            let mut out = Vec::with_capacity(fields.len());
            for (name, value) in fields {
                if let Some(first) = seen.insert(&name.name, name.span) {
                    let problem = MclProblem::Duplicate { what: Named::Field, name: name.name.clone(), first };
                    lower.problem(name.span, problem);
                    continue;
                }
                let body = lower.expr(*value);
                out.push(field(name.name.clone(), name.span, body, Meta::default()));
            }
            out
        })
    }

    fn apply(&mut self, func: NodeId, args: &[Id], span: Span) -> NodeId {
        let args = args.iter().map(|arg| (None, self.expr(*arg))).collect();
        self.push(Node::Apply(Box::new(Apply { func, args, tailstrict: false })), span)
    }

    /// Lowers a function. `general`: each use of its name may have another type (it is polymorphic).
    pub(in crate::dialect::mcl) fn func(&mut self, func: &Func, general: bool, span: Span) -> NodeId {
        self.lambda(&func.params, general, span, |lower| {
            let body = lower.expr(func.body);
            match func.result {
                Some(ty) => {
                    let at = lower.tree.span(func.body);
                    let ty = lower.ty(ty);
                    let annot = crate::term::Annot { kind: crate::term::AnnotKind::Type, ty };
                    lower.push(Node::Annot(body, Box::new([annot])), at)
                }
                None => body,
            }
        })
    }

    /// Lowers a function literal whose body is lowered inside its frame.
    pub(in crate::dialect::mcl) fn lambda(
        &mut self,
        params: &[Param],
        general: bool,
        span: Span,
        body: impl FnOnce(&mut Self) -> NodeId,
    ) -> NodeId {
        let types: Vec<Option<NodeId>> = params.iter().map(|param| param.ty.map(|ty| self.ty(ty))).collect();
        self.builder.open();
        self.state.scopes.push(Scope::default());
        let mut lowered = Vec::with_capacity(params.len());
        for (param, ty) in params.iter().zip(types) {
            let def = Def { id: None, span: param.name.span, meaning: Meaning::Slot, takes: None };
            self.declare(Named::Parameter, &param.name, def);
            let slot = self.builder.bind(key(Named::Parameter, &param.name.name));
            let pat = self.builder.pat(PatKind::Bind(slot), param.name.span);
            lowered.push(crate::term::Param { pat, name: None, default: None, ty });
        }
        let body = body(self);
        self.state.scopes.pop();
        let (slots, _) = self.builder.close();
        self.push(Node::Lambda(Box::new(Lambda { params: lowered, body, curried: false, slots, general })), span)
    }

    /// Lowers a record literal whose fields are lowered inside its frame. `open`: the record holds the names that a file or a class binds.
    pub(in crate::dialect::mcl) fn literal(
        &mut self,
        span: Span,
        open: bool,
        fields: impl FnOnce(&mut Self) -> Vec<FieldDef>,
    ) -> NodeId {
        self.builder.open();
        let fields = fields(self);
        self.builder.close();
        let groups = crate::term::Groups::in_order(fields.len() as u32);
        let lit = crate::term::RecordLit { extra: None, fields, open, locals: Vec::new(), asserts: Vec::new(), groups };
        self.push(Node::Record(Box::new(lit)), span)
    }

    /// Lowers a type.
    pub(in crate::dialect::mcl) fn ty(&mut self, id: TypeId) -> NodeId {
        crate::deep::deeper(|| self.ty_here(id))
    }

    fn ty_here(&mut self, id: TypeId) -> NodeId {
        let tree = self.tree;
        let span = tree.type_span(id);
        let form = match tree.ty(id) {
            Type::Hole => return self.push(Node::Hole, span),
            Type::Word(Word::Bool) => TypeForm::Bool,
            Type::Word(Word::Str) => TypeForm::String,
            Type::Word(Word::Int) => TypeForm::Int,
            Type::Word(Word::Float) => TypeForm::Float,
            Type::Word(Word::Any) => TypeForm::Wildcard,
            Type::List(item) => TypeForm::Array(self.ty(*item)),
            Type::Map(k, v) => {
                let (k, v) = (self.ty(*k), self.ty(*v));
                TypeForm::Map(k, v)
            }
            Type::Struct(fields) => {
                let mut seen: FxHashMap<&Name, Span> = FxHashMap::default();
                let mut out = Vec::with_capacity(fields.len());
                for (name, ty) in fields {
                    if let Some(first) = seen.insert(&name.name, name.span) {
                        let what = Named::Field;
                        self.problem(name.span, MclProblem::Duplicate { what, name: name.name.clone(), first });
                        continue;
                    }
                    out.push((name.name.clone(), name.span, self.ty(*ty)));
                }
                TypeForm::Struct(out)
            }
            Type::Func(params, result) => {
                let params = params.iter().map(|ty| self.ty(*ty)).collect();
                TypeForm::Func(params, self.ty(*result))
            }
        };
        self.push(Node::Type(Box::new(form)), span)
    }

    /// The names of the variables in scope.
    fn variables_in_scope(&self) -> Vec<Name> {
        let own = self.state.scopes.iter().flat_map(|scope| scope.names.keys()).filter_map(|key| key.strip_prefix('$'));
        let mut names: Vec<Name> = own.map(Name::new).collect();
        names.sort();
        names.dedup();
        names
    }
}

/// Makes the definition of a field.
pub(super) fn field(name: Name, span: Span, body: NodeId, meta: Meta) -> FieldDef {
    FieldDef {
        name: FieldName::Static(name),
        name_span: span,
        span,
        body: Some(body),
        included: false,
        plus: false,
        meta,
    }
}
