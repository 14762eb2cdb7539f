//! Programs of the core language as text. Every dialect is translated to it.
//!
//! The notation is for reading. A variable of a function, a `let` or a pattern is its name. A field of the final record
//! around is `self.name`, late bound; `self^n.name` is a field of the record `n` levels further out. `a & b` is the
//! commutative merge. `inherit(a, b)` is the merge in which `b` overrides `a` and reads it as `super`.

mod parts;

use crate::meta::{Priority, Push, Visibility};
use crate::styled::layout::Layout;
use crate::styled::{Role, Styled};
use crate::term::rules::is_file_library;
use crate::term::{
    Annot, AnnotKind, Binding, Chunk, Clause, FieldName, ImportKind, Node, NodeId, Param, PatKind, RecordLit,
    SuperRead, Term,
};
use crate::text::{Name, Span};

/// Renders a term in lines of at most `width` columns where that is possible; `texts` returns the source text of a
/// span. O(nodes).
pub fn core(term: &Term, width: usize, texts: &dyn Fn(Span) -> String) -> Styled {
    let mut printer = Printer { term, texts, out: Layout::new(), scopes: Vec::new() };
    printer.node(term.root);
    printer.out.fit(width)
}

/// A frame: the names of its slots, and whether it belongs to a record.
struct Scope {
    slots: Vec<Name>,
    record: bool,
}

struct Printer<'t> {
    term: &'t Term,
    texts: &'t dyn Fn(Span) -> String,
    out: Layout,
    scopes: Vec<Scope>,
}

impl Printer<'_> {
    fn word(&mut self, word: &str) {
        self.out.text(Role::Keyword, word);
    }

    fn op(&mut self, text: &str) {
        self.out.text(Role::Operator, text);
    }

    fn name(&mut self, name: &str) {
        let mut text = String::new();
        let _ = crate::text::write_name(name, &mut text);
        self.out.text(Role::Name, text);
    }

    fn string(&mut self, text: &str) {
        self.out.text(Role::String, format!("{text:?}"));
    }

    fn scoped(&mut self, slots: &[Name], f: impl FnOnce(&mut Self)) {
        self.scopes.push(Scope { slots: slots.to_vec(), record: false });
        f(self);
        self.scopes.pop();
    }

    /// Writes nodes between brackets.
    fn list(&mut self, open: &str, nodes: &[NodeId], close: &str) {
        self.op(open);
        self.out.begin();
        for (at, node) in nodes.iter().enumerate() {
            match at {
                0 => self.out.soft(),
                _ => {
                    self.op(",");
                    self.out.line();
                }
            }
            self.node(*node);
        }
        if !nodes.is_empty() {
            self.out.close(0);
        }
        self.out.end();
        self.op(close);
    }

    fn node(&mut self, id: NodeId) {
        crate::deep::deeper(|| self.node_here(id));
    }

    fn node_here(&mut self, id: NodeId) {
        let term = self.term;
        match term.node(id) {
            Node::Hole => self.op("?"),
            Node::Null => self.out.text(Role::Literal, "null"),
            Node::Bool(b) => self.out.text(Role::Literal, b.to_string()),
            Node::Number(n) => self.out.text(Role::Literal, n.to_string()),
            Node::Str(s) => self.string(s),
            Node::Tag(tag) => self.out.text(Role::Tag, format!("'{tag}")),
            Node::Variant(tag, inner) => {
                self.out.text(Role::Tag, format!("'{tag} "));
                self.node(*inner);
            }
            Node::Interp(chunks) => {
                self.word("text");
                self.op("(");
                for (at, chunk) in chunks.iter().enumerate() {
                    if at > 0 {
                        self.op(", ");
                    }
                    match chunk {
                        Chunk::Text(text) => self.string(text),
                        Chunk::Expr(id) => self.node(*id),
                        Chunk::Indented(id, by) => {
                            self.node(*id);
                            self.op(&format!(" indented {by}"));
                        }
                    }
                }
                self.op(")");
            }
            Node::Array(items) => self.list("[", items, "]"),
            Node::Record(lit) => self.record(lit),
            Node::Local { up, slot } => {
                let at = self.scopes.len().checked_sub(1 + *up as usize);
                let name = at.and_then(|at| self.scopes.get(at)?.slots.get(*slot as usize).cloned());
                self.name(&name.unwrap_or_else(|| Name::from(format!("slot{slot}^{up}"))));
            }
            Node::Member { up, name } => {
                self.this(*up);
                self.op(".");
                self.name(name);
            }
            Node::This { up } => self.this(*up),
            // a library that depends on the file, under its usual name
            Node::Global(name) if is_file_library(name) => self.name("std"),
            Node::Global(name) => self.name(name),
            Node::Super { read, .. } => match read {
                SuperRead::Field(name) => {
                    self.word("super");
                    self.op(".");
                    self.name(name);
                }
                SuperRead::Index(index) => {
                    self.word("super");
                    self.list("[", &[*index], "]");
                }
                SuperRead::Has(name) => {
                    self.node(*name);
                    self.word(" in super");
                }
            },
            Node::Lambda(lambda) => self.scoped(&lambda.slots, |p| {
                p.word("fun");
                p.op(" (");
                for (at, param) in lambda.params.iter().enumerate() {
                    if at > 0 {
                        p.op(", ");
                    }
                    p.parameter(param, &lambda.slots);
                }
                p.op(") => ");
                p.node(lambda.body);
            }),
            Node::Apply(apply) => {
                self.node(apply.func);
                self.op("(");
                for (at, (name, arg)) in apply.args.iter().enumerate() {
                    if at > 0 {
                        self.op(", ");
                    }
                    if let Some(name) = name {
                        self.name(name);
                        self.op(" = ");
                    }
                    self.node(*arg);
                }
                self.op(")");
            }
            Node::Let(l) => {
                self.out.begin();
                self.word(if l.recursive { "let rec" } else { "let" });
                let scope = Scope { slots: l.slots.clone(), record: false };
                if l.recursive {
                    self.scopes.push(scope);
                    self.bindings(&l.bindings, &l.slots);
                } else {
                    self.bindings(&l.bindings, &l.slots);
                    self.scopes.push(scope);
                }
                self.out.close(1);
                self.word("in ");
                self.node(l.body);
                self.scopes.pop();
                self.out.end();
            }
            Node::If(parts) => {
                self.out.begin();
                self.word("if ");
                self.node(parts[0]);
                self.out.line();
                self.word("then ");
                self.node(parts[1]);
                self.out.line();
                self.word("else ");
                self.node(parts[2]);
                self.out.end();
            }
            Node::Match(m) => {
                self.word("match ");
                self.node(m.scrutinee);
                self.op(" {");
                self.out.begin();
                for arm in &m.arms {
                    self.out.line();
                    self.pattern(arm.pat, &arm.slots);
                    self.scoped(&arm.slots, |p| {
                        if let Some(guard) = arm.guard {
                            p.word(" if ");
                            p.node(guard);
                        }
                        p.op(" => ");
                        p.node(arm.body);
                    });
                    self.op(",");
                }
                self.out.close(1);
                self.out.end();
                self.op("}");
            }
            Node::Merge(operands) => self.infix(operands, "&"),
            Node::Inherit(pair) => {
                self.word("inherit");
                self.list("(", &pair[..], ")");
            }
            Node::Project(inner, name) => {
                self.node(*inner);
                self.op(".");
                self.name(name);
            }
            Node::Index(pair) => {
                self.node(pair[0]);
                self.list("[", &[pair[1]], "]");
            }
            Node::Comprehension(c) => {
                self.op(if c.object { "{ " } else { "[" });
                let mut clauses: Vec<(String, NodeId, Option<Name>)> = Vec::new();
                for clause in &c.clauses {
                    clauses.push(match clause {
                        Clause::For { name, items, .. } => (format!(" for {name} in "), *items, Some(name.clone())),
                        Clause::If(condition) => (String::from(" if "), *condition, None),
                    });
                }
                // the body is inside all of these scopes and is written before them
                for name in clauses.iter().filter_map(|(_, _, name)| name.clone()) {
                    self.scopes.push(Scope { slots: vec![name], record: false });
                }
                self.node(c.body);
                let depth = clauses.iter().filter(|(_, _, name)| name.is_some()).count();
                self.scopes.truncate(self.scopes.len().saturating_sub(depth));
                for (words, node, name) in clauses {
                    self.word(&words);
                    self.node(node);
                    if let Some(name) = name {
                        self.scopes.push(Scope { slots: vec![name], record: false });
                    }
                }
                self.scopes.truncate(self.scopes.len().saturating_sub(depth));
                self.op(if c.object { " }" } else { "]" });
            }
            Node::Annot(inner, annots) => {
                self.op("(");
                self.node(*inner);
                self.annots(annots);
                self.op(")");
            }
            Node::Prim(prim, operands) => match &operands[..] {
                [_, _] => self.infix(operands, prim.symbol()),
                _ => {
                    self.word(prim.symbol());
                    self.list("(", operands, ")");
                }
            },
            Node::Import(import) => {
                self.word(match import.kind {
                    ImportKind::Code(_) => "import ",
                    ImportKind::Text => "import text ",
                    ImportKind::Bytes => "import bytes ",
                });
                self.string(&import.path);
            }
            Node::Type(form) => self.form(form),
        }
    }

    /// Writes the final record of the literal `up` frames further out, counted in records.
    fn this(&mut self, up: u32) {
        let inner = self.scopes.iter().rev().take(up as usize).filter(|scope| scope.record).count();
        self.word("self");
        if inner > 0 {
            self.op(&format!("^{inner}"));
        }
    }

    fn infix(&mut self, operands: &[NodeId], symbol: &str) {
        self.op("(");
        self.out.begin();
        for (at, operand) in operands.iter().enumerate() {
            if at > 0 {
                self.out.line();
                self.op(symbol);
                self.op(" ");
            }
            self.node(*operand);
        }
        self.out.end();
        self.op(")");
    }

    fn parameter(&mut self, param: &Param, slots: &[Name]) {
        self.pattern(param.pat, slots);
        if let Some(default) = param.default {
            self.op(" = ");
            self.node(default);
        }
    }

    fn bindings(&mut self, bindings: &[Binding], slots: &[Name]) {
        for (at, binding) in bindings.iter().enumerate() {
            if at > 0 {
                self.op(",");
            }
            self.out.line();
            self.pattern(binding.pat, slots);
            self.annots(&binding.annots);
            self.op(" = ");
            self.node(binding.body);
        }
    }

    fn annots(&mut self, annots: &[Annot]) {
        for annot in annots {
            self.op(match annot.kind {
                AnnotKind::Type => " : ",
                AnnotKind::Contract => " | ",
            });
            self.node(annot.ty);
        }
    }

    fn record(&mut self, lit: &RecordLit) {
        let slots = std::iter::once(Name::default())
            .chain(lit.locals.iter().filter_map(|b| match self.term.pat(b.pat).kind {
                PatKind::Bind(_) => Some(self.bound_name(b)),
                _ => None,
            }))
            .collect();
        self.op("{");
        self.out.begin();
        self.scopes.push(Scope { slots, record: true });
        let mut first = true;
        let mut next = |p: &mut Self| {
            if !std::mem::take(&mut first) {
                p.op(",");
            }
            p.out.line();
        };
        for binding in &lit.locals {
            next(self);
            self.word("local ");
            let name = self.bound_name(binding);
            self.name(&name);
            self.op(" = ");
            self.node(binding.body);
        }
        for (condition, message) in &lit.asserts {
            next(self);
            self.word("assert ");
            self.node(*condition);
            if let Some(message) = message {
                self.op(" : ");
                self.node(*message);
            }
        }
        for field in &lit.fields {
            next(self);
            match &field.name {
                FieldName::Static(name) => self.name(name),
                FieldName::Computed(id) => {
                    // evaluated outside the record
                    let own = self.scopes.pop();
                    self.list("[", &[*id], "]");
                    self.scopes.extend(own);
                }
            }
            self.annots(&field.meta.annots);
            for word in marks(field) {
                self.op(" | ");
                self.word(&word);
            }
            for (word, node) in [("merge ", field.meta.merge), ("when ", field.meta.guard)] {
                if let Some(node) = node {
                    self.op(" | ");
                    self.word(word);
                    self.node(node);
                }
            }
            if let Some(body) = field.body {
                self.op(if field.plus { " += " } else { " = " });
                self.node(body);
            }
        }
        if lit.open {
            next(self);
            self.op("..");
        }
        self.scopes.pop();
        if !first {
            self.out.close(1);
        }
        self.out.end();
        self.op("}");
    }

    /// Returns the name of an object's local: the text of its pattern.
    fn bound_name(&self, binding: &Binding) -> Name {
        match self.term.pat(binding.pat).kind {
            PatKind::Bind(_) => Name::from((self.texts)(self.term.pat(binding.pat).span)),
            _ => Name::new_static("_"),
        }
    }
}

/// Returns the metadata of a definition.
fn marks(field: &crate::term::FieldDef) -> Vec<String> {
    let meta = &field.meta;
    let mut out = Vec::new();
    match &meta.priority.priority {
        Priority::Default => out.push(String::from("default")),
        Priority::Force => out.push(String::from("force")),
        Priority::Normal => {}
        Priority::Layer(n) => out.push(format!("layer {n}")),
        Priority::Number(n) => out.push(format!("priority {n}")),
    }
    match meta.push {
        Some(Push::Default) => out.push(String::from("default rec")),
        Some(Push::Force) => out.push(String::from("force rec")),
        Some(Push::Layer(n)) => out.push(format!("layer {n} rec")),
        None => {}
    }
    match meta.visibility {
        Visibility::Inherit => {}
        Visibility::Hidden => out.push(String::from("hidden")),
        Visibility::Forced => out.push(String::from("shown")),
    }
    let flags = [(meta.optional, "optional"), (meta.not_exported, "not_exported"), (meta.secret, "secret")];
    out.extend(flags.into_iter().filter(|(set, _)| *set).map(|(_, word)| String::from(word)));
    out
}
