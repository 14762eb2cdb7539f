//! The nodes of expressions.

use super::build::{Binding, Builder};
use super::{Base, INNER, KEY, Node, NodeIndex, OF, Place, Role, What};
use crate::dialect::yay::notation;
use crate::dialect::yay::tree::{Clause, Expr, Id, Part, Prefix};
use crate::text::path::Step;
use crate::text::{Name, Span};
use crate::value::eval::converting::decimal;
use std::rc::Rc;

/// Maximum length of a text in a label, in characters.
const TEXT: usize = 40;

impl Builder<'_> {
    /// Adds the nodes of an expression. At `at`, a key that is computed can be evaluated again.
    pub(super) fn expression(&mut self, id: Id, at: &Option<Rc<Place>>) -> NodeIndex {
        crate::deep::deeper(|| self.expression_here(id, at))
    }

    fn expression_here(&mut self, id: Id, at: &Option<Rc<Place>>) -> NodeIndex {
        let (tree, place) = (self.tree, self.tree.span(id));
        if let Some(constant) = self.constant(id) {
            return self.add(Node::new(What::Boxed, format!("Boxed({constant})"), place));
        }
        match tree.expr(id) {
            Expr::Paren(inner) => self.expression(*inner, at),
            Expr::Name(name) => {
                let what = What::Access(self.base(name), Some(Step::Field(name.clone())));
                self.add(Node::new(what, format!("Access(key={name})"), place))
            }
            Expr::Dot(of, name) => {
                let of = self.expression(*of, at);
                let what = What::Access(Base::Of, Some(Step::Field(name.name.clone())));
                let mut node = Node::new(what, format!("Access(key={})", name.name), place);
                node.edge(OF, of);
                self.add(node)
            }
            Expr::Index(of, index) => {
                let of = self.expression(*of, at);
                let step = match tree.expr(*index) {
                    Expr::Str(key) => Some(Step::Field(key.clone())),
                    Expr::Number(number) => number.to_string().parse().ok().map(Step::Index),
                    _ => None,
                };
                let label = match &step {
                    Some(Step::Field(key)) => format!("Access(key={key})"),
                    Some(Step::Index(index)) => format!("Access(key={index})"),
                    None => String::from("Access"),
                };
                let computed = step.is_none().then(|| self.expr(*index, at));
                let mut node = Node::new(What::Access(Base::Of, step), label, place);
                node.edge(OF, of);
                if let Some(key) = computed {
                    node.edge(KEY, key);
                }
                self.add(node)
            }
            Expr::Call(func, args) => {
                let constants: Vec<String> = args.iter().filter_map(|(_, arg)| self.constant(*arg)).collect();
                let name = match tree.expr(*func) {
                    Expr::Name(name) => Some(name.as_str()),
                    _ => None,
                };
                let whole = constants.len() == args.len();
                let shown = name.into_iter().chain(constants.iter().map(String::as_str).filter(|_| whole));
                let label = format!("Function({})", shown.collect::<Vec<_>>().join(", "));
                let mut parts: Vec<(Role, Id)> = Vec::new();
                parts.extend(name.is_none().then_some((Role::Part("function"), *func)));
                if !whole {
                    parts.extend(args.iter().map(|(name, arg)| match name {
                        Some(name) => (Role::Key(name.name.clone()), *arg),
                        None => (Role::Element, *arg),
                    }));
                }
                self.composed(What::Other, label, place, &parts)
            }
            Expr::Block(block) => self.block(*block, None, false, at),
            Expr::List(items) => {
                let parts: Vec<(Role, Id)> = items.iter().map(|item| (Role::Element, *item)).collect();
                self.composed(What::Sequence, "Sequence", place, &parts)
            }
            Expr::Dict(pairs) => {
                let mut parts = Vec::new();
                let mut what = What::Mapping;
                for (key, value) in pairs {
                    match tree.expr(*key) {
                        Expr::Str(key) => parts.push((Role::Key(key.clone()), *value)),
                        _ => {
                            what = What::Other;
                            parts.extend([(KEY, *key), (Role::Part("value"), *value)]);
                        }
                    }
                }
                self.composed(what, "Mapping", place, &parts)
            }
            Expr::Text(parts) => {
                let mut node = Node::new(What::Other, "Concatenation", place);
                for part in parts {
                    let part = match part {
                        Part::Text(text) => {
                            self.add(Node::new(What::Boxed, format!("Boxed({})", shortened(text)), place))
                        }
                        Part::Expr(id) => self.expression(*id, &None),
                    };
                    node.edge(Role::Element, part);
                }
                self.add(node)
            }
            Expr::ListComp(body, clauses) => self.comprehension(&[(INNER, *body)], clauses, place),
            Expr::DictComp(pair, clauses) => {
                self.comprehension(&[(KEY, pair.0), (Role::Part("value"), pair.1)], clauses, place)
            }
            Expr::Slice(of, bounds) => {
                let mut parts = vec![(OF, *of)];
                let words = ["from", "to", "step"];
                parts.extend(words.into_iter().zip(bounds.iter()).filter_map(|(w, b)| Some((Role::Part(w), (*b)?))));
                self.composed(What::Other, "Slice", place, &parts)
            }
            Expr::Unary(op, operand) => {
                let symbol = match op {
                    Prefix::Not => "not",
                    Prefix::Neg => "-",
                    Prefix::Pos => "+",
                    Prefix::Invert => "~",
                };
                self.composed(What::Other, format!("Operator({symbol})"), place, &[(Role::Element, *operand)])
            }
            Expr::Binary(op, a, b) => {
                let label = format!("Operator({})", op.symbol());
                self.composed(What::Other, label, place, &[(Role::Element, *a), (Role::Element, *b)])
            }
            Expr::Chain(first, more) => {
                let symbols: Vec<&str> = more.iter().map(|(op, _)| op.symbol()).collect();
                let mut parts = vec![(Role::Element, *first)];
                parts.extend(more.iter().map(|(_, id)| (Role::Element, *id)));
                self.composed(What::Other, format!("Operator({})", symbols.join(" ")), place, &parts)
            }
            Expr::Else(a, b) => {
                let parts = [(Role::Part("value"), *a), (Role::Part("otherwise"), *b)];
                self.composed(What::Other, "Else", place, &parts)
            }
            Expr::If(condition, yes, no) => {
                let parts =
                    [(Role::Part("condition"), *condition), (Role::Part("then"), *yes), (Role::Part("else"), *no)];
                self.composed(What::Other, "Conditional", place, &parts)
            }
            Expr::Lambda(params, body) => {
                let scope = self.scope.len();
                self.scope.extend(params.iter().map(|(name, _)| (name.name.clone(), Binding::Local)));
                let names: Vec<&str> = params.iter().map(|(name, _)| name.name.as_str()).collect();
                let label = format!("Lambda({})", names.join(", "));
                let node = self.composed(What::Other, label, place, &[(INNER, *body)]);
                self.scope.truncate(scope);
                node
            }
            Expr::Number(_) | Expr::Str(_) | Expr::Hole | Expr::Cursor => {
                self.add(Node::new(What::Other, "Hole", place))
            }
        }
    }

    fn composed(&mut self, what: What, label: impl Into<String>, place: Span, parts: &[(Role, Id)]) -> NodeIndex {
        let mut node = Node::new(what, label, place);
        for (role, part) in parts {
            let part = self.expression(*part, &None);
            node.edge(role.clone(), part);
        }
        self.add(node)
    }

    fn comprehension(&mut self, body: &[(Role, Id)], clauses: &[Clause], place: Span) -> NodeIndex {
        let scope = self.scope.len();
        let mut node = Node::new(What::Other, "For", place);
        for clause in clauses {
            match clause {
                Clause::For(names, items) => {
                    let items = self.expression(*items, &None);
                    node.edge(Role::Part("sequence"), items);
                    self.scope.extend(names.iter().map(|name| (name.name.clone(), Binding::Local)));
                }
                Clause::If(condition) => {
                    let condition = self.expression(*condition, &None);
                    node.edge(Role::Part("condition"), condition);
                }
            }
        }
        for (role, id) in body {
            let part = self.expression(*id, &None);
            node.edge(role.clone(), part);
        }
        self.scope.truncate(scope);
        self.add(node)
    }

    /// Returns the text of a constant.
    fn constant(&self, id: Id) -> Option<String> {
        match self.tree.expr(id) {
            Expr::Number(number) => Some(decimal(number)),
            Expr::Str(text) => Some(shortened(text)),
            _ => None,
        }
    }
}

/// Returns a text in quotes, cut if it is long.
fn shortened(text: &Name) -> String {
    match text.char_indices().nth(TEXT) {
        Some((end, _)) => notation::string(&format!("{}…", &text[..end])),
        None => notation::string(text),
    }
}
