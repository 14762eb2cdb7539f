//! The scopes of a program: variables, functions, classes and namespaces, each in its own name space.

use super::{Lower, Path};
use crate::dialect::mcl::kinds::Constant;
use crate::dialect::mcl::problem::{Elsewhere, MclProblem, Named};
use crate::dialect::mcl::tree::{Expr, Spanned, Stmt, StmtId, Type};
use crate::term::{Node, NodeId, Number};
use crate::text::{Name, Span, near};
use rustc_hash::FxHashMap;

/// A name in a scope.
#[derive(Clone, Debug)]
pub(in crate::dialect::mcl) struct Def {
    /// Its number in the program; `None` for parameters, which no other definition uses.
    pub id: Option<usize>,
    /// The place of its name.
    pub span: Span,
    /// Its meaning.
    pub meaning: Meaning,
    /// The number of parameters of a class.
    pub takes: Option<usize>,
}

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(in crate::dialect::mcl) enum Meaning {
    /// A slot of a frame, under the key of the name.
    Slot,
    /// A module of the library.
    Module(&'static str),
    /// A function of a module of the library, imported `as *`.
    Library(&'static str),
}

/// The names that one program binds, by their keys.
#[derive(Default)]
pub(super) struct Scope {
    pub names: FxHashMap<Name, Def>,
    /// The keys of files that are imported `as *`.
    pub stars: Vec<Name>,
}

/// Returns the key of a name in frames, in exports and in a session.
pub fn key(what: Named, name: &str) -> Name {
    Name::from(match what {
        Named::Variable | Named::Parameter | Named::Field => format!("${name}"),
        Named::Function => format!("func {name}"),
        Named::Class => format!("class {name}"),
        Named::Namespace => format!("namespace {name}"),
    })
}

impl Path {
    /// Makes the path of a name through a namespace, and the namespaces with these names inside of it.
    pub(super) fn of(namespace: usize, inner: &[&str], key: Name) -> Path {
        Path { namespace, inner: inner.iter().map(|name| self::key(Named::Namespace, name)).collect(), key }
    }
}

impl<const N: bool> Lower<'_, N> {
    /// Finds a name in the scopes, the innermost first, and records that the current definition uses it.
    pub(in crate::dialect::mcl) fn find(&mut self, key: &str) -> Option<Def> {
        let def = self.state.scopes.iter().rev().find_map(|scope| scope.names.get(key))?.clone();
        if let Some(id) = def.id {
            self.state.uses.push((self.state.current, id));
        }
        Some(def)
    }

    /// Adds a name to the innermost scope. Reports a second definition.
    pub(in crate::dialect::mcl) fn declare(&mut self, what: Named, name: &Spanned, def: Def) {
        if name.name.is_empty() {
            return;
        }
        let key = key(what, &name.name);
        let Some(scope) = self.state.scopes.last_mut() else { return };
        if let Some(first) = scope.names.get(&key) {
            let first = first.span;
            self.problem(name.span, MclProblem::Duplicate { what, name: name.name.clone(), first });
            return;
        }
        scope.names.insert(key, def);
    }

    /// Lowers the use of a name with its namespaces: `a`, `ns.a`.
    pub(in crate::dialect::mcl) fn used(&mut self, what: Named, name: &Spanned) -> NodeId {
        let mut parts: Vec<&str> = name.name.split('.').collect();
        let last = parts.pop().unwrap_or_default();
        if last.is_empty() {
            return self.push(Node::Hole, name.span);
        }
        if parts.is_empty() {
            return self.plain(what, last, name.span);
        }
        if what == Named::Variable && parts.first() == Some(&"const") {
            return self.constant(&name.name["const.".len()..], name.span);
        }
        let first = parts[0];
        let namespace = key(Named::Namespace, first);
        let of = match self.find(&namespace) {
            Some(Def { meaning: Meaning::Module(module) | Meaning::Library(module), .. }) => {
                return self.in_module(module, what, last, name.span);
            }
            Some(def) => {
                if let Some(namespace) = def.id {
                    let path = Path::of(namespace, &parts[1..], key(what, last));
                    self.state.accessed.push((self.state.current, path));
                }
                self.builder.variable(&namespace, name.span)
            }
            None if self.is_defined_outside(&namespace) => self.builder.variable(&namespace, name.span),
            None => {
                match (!self.state.is_file || self.names.is_session()).then(|| self.session_module(first)).flatten() {
                    Some(module) => return self.in_module(module, what, last, name.span),
                    None if self.is_bound_outside(&namespace) => self.builder.variable(&namespace, name.span),
                    None => {
                        let mut of = name.clone();
                        of.name = Name::new(first);
                        if what == Named::Variable && self.find(&key(Named::Variable, first)).is_some() {
                            if matches!(last, "length" | "len" | "size" | "count") && !self.is_struct(first) {
                                self.problem(name.span, MclProblem::Length(Name::new(first)));
                                return self.push(Node::Hole, name.span);
                            }
                            // a field of a struct
                            let near = vec![Name::from(format!("{first}->{last}"))];
                            let name_of = name.name.clone();
                            self.problem(name.span, MclProblem::Unbound { what, name: name_of, near, elsewhere: None });
                            return self.push(Node::Hole, name.span);
                        }
                        if what != Named::Function || !self.report_function(first, name, last) {
                            self.report_name(Named::Namespace, &of);
                        }
                        return self.push(Node::Hole, name.span);
                    }
                }
            }
        };
        let mut node = of;
        for part in &parts[1..] {
            node = self.push(Node::Project(node, key(Named::Namespace, part)), name.span);
        }
        self.push(Node::Project(node, key(what, last)), name.span)
    }

    /// Returns `true` if a session or the library has a function with a name, which may have a namespace.
    pub(in crate::dialect::mcl) fn is_function(&self, name: &Spanned) -> bool {
        match name.name.rsplit_once('.') {
            None => {
                self.is_bound_outside(&key(Named::Function, &name.name))
                    || self.functions().function("", &name.name).is_some()
            }
            Some((namespace, last)) => {
                self.is_bound_outside(&key(Named::Namespace, namespace))
                    || self
                        .session_module(namespace)
                        .is_some_and(|module| self.functions().function(module, last).is_some())
            }
        }
    }

    /// Returns the library module that a session has imported under a name, or the one whose path ends with the name.
    pub(in crate::dialect::mcl) fn session_module(&self, name: &str) -> Option<&'static str> {
        let imported = |path: &str| self.is_defined_outside(&format!("%import {name} = {path}"));
        let module = self.functions().modules().find(|module| imported(module.path));
        module.or_else(|| self.functions().module(name)).map(|module| module.path)
    }

    fn plain(&mut self, what: Named, name: &str, span: Span) -> NodeId {
        let own = key(what, name);
        match self.find(&own) {
            Some(Def { meaning: Meaning::Slot, .. }) => return self.builder.variable(&own, span),
            Some(Def { meaning: Meaning::Library(module) | Meaning::Module(module), .. }) => {
                return self.library(module, name, span);
            }
            None => {}
        }
        // a session keeps variables under their plain names
        let global = if what == Named::Variable { Name::new(name) } else { own.clone() };
        let is_library = what == Named::Function && self.functions().function("", name).is_some();
        if self.is_defined_outside(&global) || !is_library && self.is_bound_outside(&global) {
            return self.builder.variable(&global, span);
        }
        if is_library {
            return self.library("", name, span);
        }
        let star = self.state.scopes.iter().rev().find_map(|scope| scope.stars.last()).cloned();
        if let Some(star) = star {
            let of = self.builder.variable(&star, span);
            return self.push(Node::Project(of, own), span);
        }
        self.report_name(what, &Spanned { name: Name::new(name), span });
        self.push(Node::Hole, span)
    }

    /// Lowers a name of a module of the library.
    fn in_module(&mut self, module: &'static str, what: Named, name: &str, span: Span) -> NodeId {
        if what == Named::Function && self.functions().function(module, name).is_some() {
            return self.library(module, name, span);
        }
        let found = self.functions().module(module);
        let names: Vec<&str> = match what {
            Named::Function => found.into_iter().flat_map(|m| m.functions.iter().map(|f| f.name)).collect(),
            _ => Vec::new(),
        };
        let last = module.rsplit('/').next().unwrap_or(module);
        let near = similar_functions(name, names).into_iter().map(|n| Name::from(format!("{last}.{n}"))).collect();
        let name = Name::from(format!("{last}.{name}"));
        self.problem(span, MclProblem::Unbound { what, name, near, elsewhere: None });
        self.push(Node::Hole, span)
    }

    /// Lowers a function of the library.
    pub(in crate::dialect::mcl) fn library(&mut self, module: &'static str, name: &str, span: Span) -> NodeId {
        let mut node = self.builder.variable(&Name::new_static(super::LIBRARY), span);
        if !module.is_empty() {
            node = self.push(Node::Project(node, Name::new_static(module)), span);
        }
        self.push(Node::Project(node, Name::new(name)), span)
    }

    fn constant(&mut self, path: &str, span: Span) -> NodeId {
        let kinds = self.kinds();
        match kinds.constants.get(path) {
            Some(Constant::Str(value)) => self.push(Node::Str(value.clone()), span),
            Some(Constant::Int(value)) => self.push(Node::Number(Number::Int(*value)), span),
            None => {
                let all = kinds.constants.keys().map(Name::as_str);
                let near = near(path, all).into_iter().map(|n| Name::from(format!("const.{n}"))).collect();
                let name = Name::from(format!("const.{path}"));
                self.problem(span, MclProblem::Unbound { what: Named::Variable, name, near, elsewhere: None });
                self.push(Node::Hole, span)
            }
        }
    }

    /// Returns the name under which a module of this name was imported: `f` after `import "fmt" as f`.
    fn renamed(&self, module: &str) -> Option<Name> {
        let prefix = key(Named::Namespace, "");
        let mut all = self.state.scopes.iter().flat_map(|scope| &scope.names);
        all.find_map(|(name, def)| match def.meaning {
            Meaning::Module(path) if path.rsplit('/').next() == Some(module) => {
                name.strip_prefix(prefix.as_str()).map(Name::new)
            }
            _ => None,
        })
    }

    /// Reports a name that is not in scope, once.
    pub(in crate::dialect::mcl) fn report_name(&mut self, what: Named, name: &Spanned) {
        let own = key(what, &name.name);
        if name.name.is_empty() || !self.state.reported.insert(own) {
            return;
        }
        let prefix = key(what, "");
        let mut all: Vec<Name> = Vec::new();
        for scope in &self.state.scopes {
            all.extend(scope.names.keys().filter_map(|k| k.strip_prefix(prefix.as_str())).map(Name::new));
        }
        match what {
            Named::Function => {
                all.extend(
                    self.functions().module("").into_iter().flat_map(|m| m.functions).map(|f| Name::new_static(f.name)),
                );
            }
            Named::Variable => all.extend(self.names.all().into_iter().filter(|n| !n.contains(' '))),
            _ => {}
        }
        let renamed = match what {
            Named::Namespace => self.renamed(&name.name),
            _ => None,
        };
        if let Some(renamed) = renamed {
            let (name_of, near) = (name.name.clone(), vec![renamed]);
            self.problem(name.span, MclProblem::Unbound { what, name: name_of, near, elsewhere: None });
            return;
        }
        let module = match what {
            Named::Namespace => self
                .functions()
                .modules()
                .filter(|m| !m.path.is_empty() && m.path.rsplit('/').next() == Some(name.name.as_str()))
                .map(|m| m.path)
                // `strings` rather than `golang/strings`
                .min_by_key(|path| path.len())
                .map(Name::new_static),
            _ => None,
        };
        let elsewhere = match module.map(Elsewhere::Module).or_else(|| self.elsewhere(what, &name.name)) {
            Some(found @ (Elsewhere::Module(_) | Elsewhere::As(_))) => Some(found),
            other => (what == Named::Variable).then(|| self.inner(&name.name)).flatten().or(other),
        };
        let mut near = near(&name.name, all.iter().map(Name::as_str));
        if what == Named::Function {
            let with = self.functions().modules().filter(|m| !m.path.is_empty() && m.has(&name.name));
            near.extend(
                with.map(|m| Name::from(format!("{}.{}", m.path.rsplit('/').next().unwrap_or(m.path), name.name))),
            );
        }
        self.problem(name.span, MclProblem::Unbound { what, name: name.name.clone(), near, elsewhere });
    }

    /// Reports a function of modules that are not imported, if none of them has it. Returns `false` if one has.
    fn report_function(&mut self, namespace: &str, name: &Spanned, last: &str) -> bool {
        let library = self.functions();
        let modules = || {
            let named = move |path: &str| path.rsplit('/').next() == Some(namespace);
            library.modules().filter(move |m| !m.path.is_empty() && named(m.path))
        };
        if modules().any(|module| module.has(last)) {
            return false;
        }
        let with = |module: &'static crate::dialect::mcl::library::Module| {
            let names = module.functions.iter().map(|f| f.name).collect();
            let near = similar_functions(last, names);
            (!near.is_empty()).then_some((module.path, near))
        };
        let Some((module, near)) = modules().find_map(with) else { return false };
        let near = near.into_iter().map(|n| Name::from(format!("{namespace}.{n}"))).collect();
        let elsewhere = Some(Elsewhere::Module(Name::new_static(module)));
        let (what, name_of) = (Named::Function, name.name.clone());
        self.problem(name.span, MclProblem::Unbound { what, name: name_of, near, elsewhere });
        true
    }

    /// Returns the place of a variable that is bound in a branch or in a class, where others cannot read it.
    fn inner(&mut self, name: &str) -> Option<Elsewhere> {
        let tree = self.tree;
        let inner = self.state.inner.get_or_insert_with(|| {
            let mut out: FxHashMap<Name, Elsewhere> = FxHashMap::default();
            let mut all = |body: &[StmtId], of: Option<&Name>| {
                for id in body {
                    let Stmt::Bind { name, .. } = tree.stmt(*id) else { continue };
                    let elsewhere = match of {
                        Some(class) => Elsewhere::Class(class.clone(), name.span),
                        None => Elsewhere::Branch(name.span),
                    };
                    out.entry(name.name.clone()).or_insert(elsewhere);
                }
            };
            for stmt in tree.statements() {
                match stmt {
                    Stmt::If { then, otherwise, .. } => {
                        all(then, None);
                        all(otherwise.as_deref().unwrap_or_default(), None);
                    }
                    Stmt::Class(class) => all(&class.body, Some(&class.name.name)),
                    _ => {}
                }
            }
            out
        });
        inner.get(name).cloned()
    }

    /// Whether a variable is bound to a struct, or may be.
    fn is_struct(&self, name: &str) -> bool {
        let own = key(Named::Variable, name);
        let is_struct = |stmt: &Stmt| match stmt {
            Stmt::Bind { name: bound, ty: None, value } => {
                key(Named::Variable, &bound.name) == own
                    && !matches!(self.tree.expr(*value), Expr::List(_) | Expr::Map(_) | Expr::Str(..))
            }
            Stmt::Bind { name: bound, ty: Some(ty), .. } => {
                key(Named::Variable, &bound.name) == own && !matches!(self.tree.ty(*ty), Type::List(_) | Type::Map(..))
            }
            _ => false,
        };
        self.tree.statements().any(is_struct)
    }

    /// Returns the place or the form in which a name exists that is not in scope.
    fn elsewhere(&self, what: Named, name: &str) -> Option<Elsewhere> {
        let in_scope = |other: &Named| {
            let own = key(*other, name);
            *other != what && self.state.scopes.iter().any(|scope| scope.names.contains_key(&own))
        };
        let others = match what {
            Named::Namespace => &[][..],
            Named::Class => &[Named::Function],
            _ => &[Named::Function, Named::Variable, Named::Class],
        };
        if let Some(other) = others.iter().find(|other| in_scope(other)) {
            return Some(Elsewhere::As(*other));
        }
        let prefix = key(Named::Namespace, "");
        let all = self.state.scopes.iter().flat_map(|scope| &scope.names);
        let mut files = all
            .filter(|(_, def)| matches!(def.meaning, Meaning::Slot))
            .filter_map(|(name, _)| name.strip_prefix(prefix.as_str()));
        match (files.next(), files.next()) {
            (Some(only), None) if what != Named::Namespace => Some(Elsewhere::Namespace(Name::new(only))),
            _ => None,
        }
    }
}

/// Returns the functions of a module that a name probably means: `upper` and `toUpper` mean `to_upper`.
fn similar_functions(name: &str, all: Vec<&'static str>) -> Vec<Name> {
    const SHORTEST: usize = 4;
    let letters = |text: &str| text.replace('_', "").to_lowercase();
    let own = letters(name);
    let near = near(name, all.iter().copied());
    if !near.is_empty() || own.len() < SHORTEST {
        return near;
    }
    all.into_iter().filter(|other| letters(other).ends_with(&own)).take(1).map(Name::new_static).collect()
}
