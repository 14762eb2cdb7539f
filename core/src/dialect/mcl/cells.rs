//! A session's input: definitions, statements with resources, and expressions.
//!
//! ```text
//! $x = 1                      a variable
//! func f($a) { $a + 1 }       a function
//! class c($a) { … }           a class; `include c(1)` shows its graph
//! import "fmt"                nothing: the modules of the library are always in scope
//! test "a" {}                 a graph of resources, which is shown
//! $x + 1                      an expression
//! ```

use super::grammar::MclGrammar;
use super::lower::key;
use super::problem::Named;
use super::tree::{Item, Namespace, Stmt, StmtId};
use crate::dialect::parser::Reading;
use crate::term::{Apply, Import, Node};
use crate::text::Name;

impl<const N: bool> Reading<'_, MclGrammar<N>> {
    /// Lowers a part of a cell.
    pub(super) fn part(&mut self, item: &Item) {
        match item {
            Item::Expr(id) => self.show(*id),
            Item::Graph(statements, span) => {
                let term = self.lower(|lower| lower.shown(statements, *span));
                self.show_term(term);
            }
            Item::Stmt(id) => self.statement(*id),
        }
    }

    fn statement(&mut self, id: StmtId) {
        let tree = self.tree;
        let span = tree.stmt_span(id);
        match tree.stmt(id) {
            Stmt::Bind { name, ty, value } => {
                let term = self.lower(|lower| lower.annotated(*value, *ty));
                self.bind(name.name.clone(), name.span, false, None, term);
            }
            Stmt::Func { name, func } => {
                let term = self.lower(|lower| lower.func(func, true, span));
                self.bind(key(Named::Function, &name.name), name.span, false, None, term);
            }
            Stmt::Class(class) => {
                let term = self.lower(|lower| lower.class(id));
                self.bind(key(Named::Class, &class.name.name), class.name.span, false, None, term);
            }
            Stmt::Include { name, args, namespace: Some(namespace) } => {
                let term = self.lower(|lower| {
                    let func = lower.used(Named::Class, name);
                    let args = args.iter().map(|arg| (None, lower.expr(*arg))).collect();
                    lower.push(Node::Apply(Box::new(Apply { func, args, tailstrict: false })), span)
                });
                let own = key(Named::Namespace, &namespace.name);
                self.bind(own.clone(), namespace.span, false, None, term);
                let graph = self.lower(|lower| lower.graph_of_namespace(&own, span));
                self.show_term(graph);
            }
            Stmt::Import { path, namespace } => {
                let own = match namespace {
                    Some(Namespace::Name(name)) => name.clone(),
                    _ => super::tree::Spanned { name: super::modules::default_namespace(&path.name), span: path.span },
                };
                match super::modules::imported(&path.name) {
                    Some((file, kind)) => {
                        let term = self
                            .lower(|lower| lower.push(Node::Import(Box::new(Import { path: file, kind })), path.span));
                        self.bind(key(Named::Namespace, &own.name), own.span, false, None, term);
                    }
                    None => {
                        let term = self.lower(|lower| {
                            lower.known_module(path);
                            lower.push(Node::Str(path.name.clone()), path.span)
                        });
                        let name = Name::from(format!("%import {} = {}", own.name, path.name));
                        self.bind(name, own.span, false, None, term);
                    }
                }
            }
            _ => {}
        }
    }
}
