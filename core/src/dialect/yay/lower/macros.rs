//! Macros and prototypes: functions whose parameters are the names that their bodies read.

use super::{Lower, Meaning};
use crate::dialect::yay::tree::{BlockId, Blocks, New, Spanned};
use crate::term::{Apply, Lambda, Node, NodeId, Param, PatKind, Prim};
use crate::text::{Name, Span};

impl<'a> Lower<'a> {
    /// Lowers the body of a macro or a prototype to a function. Names that a call does not pass have the meaning that they have at the definition.
    pub(super) fn template_function(&mut self, body: BlockId, is_prototype: bool, span: Span) -> NodeId {
        let free: Vec<Name> = self.names_in(body).into_iter().filter(|name| self.is_parameter(name)).collect();
        self.builder.open();
        let slots: Vec<u32> = free.iter().map(|name| self.builder.bind(name.clone())).collect();
        let mut params = Vec::with_capacity(free.len());
        for (name, slot) in free.iter().zip(slots) {
            let pat = self.builder.pat(PatKind::Bind(slot), span);
            let default = match self.meaning(name) {
                // the innermost variable of this name is the parameter itself
                Some(Meaning::Slot) => self.builder.variable_outside(name, span),
                Some(_) => self.name(name, span),
                None if self.is_known(name) => self.name(name, span),
                None => {
                    // another document may define it
                    self.tolerant += 1;
                    let outside = self.name(name, span);
                    self.tolerant -= 1;
                    let missing = self.missing(name, span);
                    self.push(Node::Prim(Prim::Else, Box::new([outside, missing])), span)
                }
            };
            params.push(Param { pat, name: Some(name.clone()), default: Some(default), ty: None });
        }
        for name in &free {
            self.enter(name, Meaning::Slot);
        }
        let path = self.path.take();
        let body = if is_prototype { self.instance_of(Some(body), None) } else { self.value_of(body, None) };
        self.path = path;
        for name in &free {
            self.leave(name);
        }
        let (slots, _) = self.builder.close();
        self.push(Node::Lambda(Box::new(Lambda { params, body, curried: false, slots, general: false })), span)
    }

    /// Returns `true` if a name in the body of a macro can be passed to it.
    fn is_parameter(&self, name: &Name) -> bool {
        name != "self" && name != "here" && !name.starts_with('$') && self.template(name).is_none()
    }

    /// Returns `true` if a name has a meaning even if no call passes it.
    pub(super) fn is_known(&self, name: &Name) -> bool {
        self.keys.contains(name)
            || self.earlier.contains(name)
            || self.names.is_bound(name)
            || matches!(name.as_str(), "true" | "false" | "null")
            || super::super::library::item(name).is_some()
    }

    /// Lowers `call name: …`.
    pub(super) fn call_stanza(&mut self, name: &'a Spanned, args: Option<BlockId>, span: Span) -> NodeId {
        let func = self.name(&name.name, name.span);
        let known = self.template(&name.name);
        let mut passed: Vec<(Option<Name>, NodeId)> = Vec::new();
        for (arg, value) in self.arguments(args) {
            if known.as_ref().is_none_or(|template| template.free.contains(&arg.name)) {
                let value = self.value(value, None).0;
                passed.push((Some(arg.name.clone()), value));
            }
        }
        self.pass_scope(known.map(|template| template.free), &mut passed, span);
        self.push(Node::Apply(Box::new(Apply { func, args: passed, tailstrict: false })), span)
    }

    /// Lowers the call of a layer whose values are read from it. `args` are variables in scope.
    pub(super) fn shared_call(&mut self, (name, span): &(Name, Span), args: &[&'a Spanned]) -> NodeId {
        let func = self.name(name, *span);
        let free = self.template(name).map(|template| template.free).unwrap_or_default();
        let mut passed: Vec<(Option<Name>, NodeId)> = Vec::new();
        for arg in args.iter().filter(|arg| free.contains(&arg.name)) {
            let value = self.name(&arg.name, arg.span);
            passed.push((Some(arg.name.clone()), value));
        }
        self.pass_scope(Some(free), &mut passed, *span);
        self.push(Node::Apply(Box::new(Apply { func, args: passed, tailstrict: false })), *span)
    }

    /// Passes the variables in scope at a call to the macro whose body reads them: macros have dynamic scope.
    pub(super) fn pass_scope(&mut self, free: Option<Vec<Name>>, passed: &mut Vec<(Option<Name>, NodeId)>, span: Span) {
        for name in free.into_iter().flatten() {
            let given = passed.iter().any(|(known, _)| known.as_ref() == Some(&name));
            let local = matches!(self.meaning(&name), Some(Meaning::Slot)) && self.is_parameter(&name);
            if !given && local {
                let value = self.name(&name, span);
                passed.push((Some(name), value));
            }
        }
    }

    /// Lowers `new e: …`: the prototype, with the keys of the instance as a layer on top.
    pub(super) fn instance(&mut self, new: &'a New) -> NodeId {
        let span = new.span;
        let mut base = self.expr(new.of);
        if let Some(template) = self.prototype(new.of) {
            let mut args = Vec::new();
            self.pass_scope(Some(template.free), &mut args, span);
            base = self.push(Node::Apply(Box::new(Apply { func: base, args, tailstrict: false })), span);
        } else {
            base = self.native("_prototype", vec![base], span);
        }
        self.instance_of(new.body, Some(base))
    }

    /// Lowers a body in which `self` is the final record, on top of `base`.
    fn instance_of(&mut self, body: Option<BlockId>, base: Option<NodeId>) -> NodeId {
        let Some(body) = body else {
            let span = base.map_or(self.tree.block(BlockId(0)).span, |base| self.builder.span(base));
            return base.unwrap_or_else(|| self.empty(span));
        };
        let span = self.tree.block(body).span;
        let itself = Name::new_static("self");
        let depth = self.builder.depth() + 1;
        self.enter(&itself, Meaning::Record { depth });
        let path = self.path.take();
        let own = self.dict(body, false);
        self.path = path;
        self.leave(&itself);
        match base {
            Some(base) => self.push(Node::Inherit(Box::new([base, own])), span),
            None => own,
        }
    }
}
