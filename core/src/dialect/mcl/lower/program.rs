//! Statements: the programs of files, classes and branches.

use super::scope::{Def, Meaning, Scope, key};
use super::{Included, Lower, OUT, Path};
use crate::dialect::mcl::library;
use crate::dialect::mcl::modules::{default_namespace, imported};
use crate::dialect::mcl::problem::{MclProblem, Named};
use crate::dialect::mcl::tree::{
    Class, Expr, For, Func, Id, Namespace, Param, Spanned, Stmt, StmtId, Type, TypeId, Word,
};
use crate::term::rules;
use crate::term::{Annot, AnnotKind, Apply, Binding, FieldMeta, Import, ImportKind, Let, Meta, Node, NodeId, PatKind};
use crate::text::{Name, Span, near};
use rustc_hash::{FxHashMap, FxHashSet};

/// A statement of a program, or a class that its name puts into the program: `class a:b` belongs to the class `a`.
#[derive(Clone, Copy)]
pub(super) enum Unit<'t> {
    Stmt(StmtId),
    /// The class, and the length in bytes of the prefix of its name that names the enclosing classes.
    Class(&'t Class, usize, Span),
}

/// The first definition of an include, by its place.
type Includes = FxHashMap<Span, usize>;

/// The use of a program, which decides what its term evaluates to.
#[derive(Clone, Copy)]
pub(super) enum Purpose<'t> {
    /// A branch: only its graph is used.
    Graph,
    /// A class, with its parameters: all names that it binds are used.
    Class(&'t [Param]),
    /// A file.
    File,
    /// Statements of a cell, whose graph is shown.
    Cell,
}

/// A definition of a program.
struct Definition<'t> {
    what: Named,
    /// Its key; empty for an include without a name.
    key: Name,
    name: Spanned,
    number: usize,
    slot: u32,
    body: Body<'t>,
    span: Span,
}

#[derive(Clone)]
enum Body<'t> {
    Bind(Option<TypeId>, Id),
    Func(&'t Func),
    Class(&'t Class, Vec<Unit<'t>>),
    Include(&'t Spanned, &'t [Id]),
    File(Name, ImportKind),
}

impl<'a, const N: bool> Lower<'a, N> {
    /// Reports variables of a block that have the name of one outside and are not used in the block: they do not change the one outside. `used` is the
    /// number of uses before the block.
    fn report_hiding(&mut self, definitions: &[Definition<'a>], used: usize) {
        let Some((_, around)) = self.state.scopes.split_last() else { return };
        let outer = |key: &Name| around.iter().rev().find_map(|scope| scope.names.get(key)).map(|def| def.span);
        let variables = definitions.iter().filter(|definition| definition.what == Named::Variable);
        let hiding: Vec<_> = variables.filter_map(|one| Some((one, outer(&one.key)?))).collect();
        if hiding.is_empty() {
            return;
        }
        let used: FxHashSet<usize> = self.state.uses.iter().skip(used).map(|(_, used)| *used).collect();
        for (definition, outer) in hiding.into_iter().filter(|(definition, _)| !used.contains(&definition.number)) {
            let name = definition.name.name.clone();
            self.warning(definition.name.span, MclProblem::Hides { name, outer });
        }
    }

    /// Lowers the statements of a file.
    pub(in crate::dialect::mcl) fn file(&mut self, statements: &[StmtId], span: Span) -> NodeId {
        self.state.is_file = true;
        let units: Vec<Unit<'a>> = statements.iter().map(|id| Unit::Stmt(*id)).collect();
        let root = self.program(&units, Purpose::File, span);
        self.builder.unused = self.unused_definitions();
        root
    }

    /// Lowers statements of a cell whose graph is shown.
    pub(in crate::dialect::mcl) fn shown(&mut self, statements: &[StmtId], span: Span) -> NodeId {
        let units: Vec<Unit<'a>> = statements.iter().map(|id| Unit::Stmt(*id)).collect();
        self.program(&units, Purpose::Cell, span)
    }

    /// Lowers a value under its annotated type.
    pub(in crate::dialect::mcl) fn annotated(&mut self, value: Id, ty: Option<TypeId>) -> NodeId {
        let node = self.expr(value);
        let Some(ty) = ty else { return node };
        let ty = self.ty(ty);
        let annot = Annot { kind: AnnotKind::Type, ty };
        let span = self.tree.span(value);
        self.push(Node::Annot(node, Box::new([annot])), span)
    }

    /// Reports an annotation that a literal contradicts. In an unused definition, type inference would only warn about it.
    fn check_literal(&mut self, ty: Option<TypeId>, value: Id) {
        let Some(ty) = ty else { return };
        let (found, word) = match self.tree.expr(value) {
            Expr::Bool(_) => ("bool", Word::Bool),
            Expr::Int(_) => ("int", Word::Int),
            Expr::Float(_) => ("float", Word::Float),
            Expr::Str(..) => ("str", Word::Str),
            _ => return,
        };
        match self.tree.ty(ty) {
            Type::Word(expected) if *expected == word => {}
            Type::Word(Word::Any) | Type::Hole => {}
            _ => {
                let annotation = self.tree.type_span(ty);
                self.problem(self.tree.span(value), MclProblem::Literal { found, annotation });
            }
        }
    }

    fn program(&mut self, units: &[Unit<'a>], purpose: Purpose<'a>, span: Span) -> NodeId {
        crate::deep::deeper(|| self.program_here(units, purpose, span))
    }

    fn program_here(&mut self, units: &[Unit<'a>], purpose: Purpose<'a>, span: Span) -> NodeId {
        self.builder.open();
        let used = self.state.uses.len();
        self.state.scopes.push(Scope::default());
        let mut definitions = self.definitions_of(units);
        let count = definitions.len() as u32;
        for (index, definition) in definitions.iter_mut().enumerate() {
            definition.slot = self.builder.bind(definition.key.clone());
            self.builder.define_slot(definition.slot, index as u32);
        }
        let out = self.builder.bind(Name::new_static(OUT));
        self.builder.define_slot(out, count);
        let around = self.state.current;
        let mut bindings = Vec::with_capacity(definitions.len() + 1);
        for (index, definition) in definitions.iter().enumerate() {
            self.builder.enter(Some(index as u32));
            // an include without a name is part of the graph
            self.state.current = if definition.key.starts_with('%') { around } else { Some(definition.number) };
            let body = self.definition(definition);
            let pat = self.builder.pat(PatKind::Bind(definition.slot), definition.name.span);
            bindings.push(binding(pat, body, definition.span));
        }
        self.state.current = around;
        self.builder.enter(Some(count));
        let graph = self.graphs(units, &definitions, span);
        let pat = self.builder.pat(PatKind::Bind(out), span);
        bindings.push(binding(pat, graph, span));
        self.builder.enter(None);
        if matches!(purpose, Purpose::Graph) {
            self.report_hiding(&definitions, used);
        }
        let body = match purpose {
            Purpose::Graph => self.builder.variable(&Name::new_static(OUT), span),
            Purpose::Cell => self.literal(span, true, |lower| lower.result_fields(span)),
            Purpose::Class(params) => self.literal(span, true, |lower| {
                let mut fields = lower.export_fields(&definitions, params);
                let out = lower.builder.variable(&Name::new_static(OUT), span);
                fields.push(super::expr::field(Name::new_static(OUT), span, out, Meta::default()));
                fields
            }),
            Purpose::File => self.literal(span, true, |lower| {
                let mut fields = lower.export_fields(&definitions, &[]);
                fields.extend(lower.result_fields(span));
                fields
            }),
        };
        let uses = self.builder.uses().to_vec();
        self.state.scopes.pop();
        let (slots, groups) = self.builder.close();
        self.report_recursion(&definitions, &groups, &uses);
        self.push(Node::Let(Box::new(Let { recursive: true, bindings, body, groups, slots })), span)
    }

    /// Collects the definitions of a program, and declares all its names.
    fn definitions_of(&mut self, units: &[Unit<'a>]) -> Vec<Definition<'a>> {
        let tree = self.tree;
        let mut out: Vec<Definition<'a>> = Vec::new();
        // classes that their names put into other classes: `a:b`
        let mut nested: FxHashMap<&str, Vec<Unit<'a>>> = FxHashMap::default();
        let classes: Vec<(&'a Class, usize, Span)> = units
            .iter()
            .filter_map(|unit| match unit {
                Unit::Class(class, from, span) => Some((*class, *from, *span)),
                Unit::Stmt(id) => match tree.stmt(*id) {
                    Stmt::Class(class) => Some((&**class, 0, tree.stmt_span(*id))),
                    _ => None,
                },
            })
            .collect();
        for (class, from, span) in &classes {
            let name = &class.name.name[*from..];
            if let Some(colon) = name.find(':') {
                nested.entry(&name[..colon]).or_default().push(Unit::Class(class, from + colon + 1, *span));
            }
        }
        for (class, from, span) in classes {
            let name = &class.name.name[from..];
            if let Some(colon) = name.find(':') {
                let base = &name[..colon];
                let exists = |c: &Class, at: usize| c.name.name.get(at..) == Some(base);
                let found = units.iter().any(|unit| match unit {
                    Unit::Class(class, at, _) => exists(class, *at),
                    Unit::Stmt(id) => matches!(tree.stmt(*id), Stmt::Class(class) if exists(class, 0)),
                });
                if !found {
                    self.report_name(Named::Class, &Spanned { name: Name::new(base), span: class.name.span });
                }
                continue;
            }
            let spanned = Spanned { name: Name::new(name), span: class.name.span };
            let inner = nested.remove(name).unwrap_or_default();
            let takes = Some(class.params.len());
            let params = class.params.iter().map(|param| param.name.name.clone()).collect();
            self.state.params.insert(self.state.definitions.len(), params);
            self.define(&mut out, Named::Class, spanned, Body::Class(class, inner), span, takes);
        }
        for unit in units {
            let Unit::Stmt(id) = unit else { continue };
            let span = tree.stmt_span(*id);
            match tree.stmt(*id) {
                Stmt::Bind { name, ty, value } => {
                    self.check_literal(*ty, *value);
                    if let Expr::Str(..) = tree.expr(*value) {
                        self.state.texts.insert(self.state.definitions.len(), *value);
                    }
                    if let Expr::Map(_) | Expr::List(_) = tree.expr(*value) {
                        self.state.collections.insert(self.state.definitions.len(), *value);
                    }
                    if let Expr::Int(int) = tree.expr(*value) {
                        self.state.ints.insert(self.state.definitions.len(), (*int, tree.span(*value)));
                    }
                    self.define(&mut out, Named::Variable, name.clone(), Body::Bind(*ty, *value), span, None);
                }
                Stmt::Func { name, func } => {
                    self.define(&mut out, Named::Function, name.clone(), Body::Func(func), span, None);
                }
                Stmt::Include { name, args, namespace } => {
                    let body = Body::Include(name, args);
                    match namespace {
                        Some(namespace) => {
                            self.define(&mut out, Named::Namespace, namespace.clone(), body, span, None);
                        }
                        None => {
                            let key = Name::from(format!("%include {}", out.len()));
                            // an include is part of the graph
                            let number = usize::MAX;
                            let (what, name) = (Named::Class, name.clone());
                            out.push(Definition { what, key, name, number, slot: 0, body, span });
                        }
                    }
                }
                Stmt::Import { path, namespace } => self.import(&mut out, path, namespace.as_ref(), span),
                _ => {}
            }
        }
        out
    }

    fn number(&mut self, key: Name, span: Span) -> usize {
        let is_top = self.state.is_file && self.state.scopes.len() == 1;
        self.state.definitions.push((key, span, is_top));
        self.state.definitions.len() - 1
    }

    fn define(
        &mut self,
        out: &mut Vec<Definition<'a>>,
        what: Named,
        name: Spanned,
        body: Body<'a>,
        span: Span,
        takes: Option<usize>,
    ) {
        let key = key(what, &name.name);
        let number = self.number(key.clone(), span);
        let def = Def { id: Some(number), span: name.span, meaning: Meaning::Slot, takes };
        self.declare(what, &name, def);
        out.push(Definition { what, key, name, number, slot: 0, body, span });
    }

    fn import(&mut self, out: &mut Vec<Definition<'a>>, path: &Spanned, namespace: Option<&Namespace>, span: Span) {
        if path.name.is_empty() {
            return;
        }
        let own = match namespace {
            Some(Namespace::Name(name)) => name.clone(),
            _ => Spanned { name: default_namespace(&path.name), span: path.span },
        };
        let fixed = |id| Def { id, span, meaning: Meaning::Slot, takes: None };
        if let Some((file, kind)) = imported(&path.name) {
            match namespace {
                Some(Namespace::All) => {
                    let key = Name::from(format!("%import {}", out.len()));
                    let number = self.number(key.clone(), span);
                    if let Some(scope) = self.state.scopes.last_mut() {
                        scope.stars.push(key.clone());
                        scope.names.insert(key.clone(), fixed(Some(number)));
                    }
                    let (what, body) = (Named::Namespace, Body::File(file, kind));
                    out.push(Definition { what, key, name: own, number, slot: 0, body, span });
                }
                _ => self.define(out, Named::Namespace, own, Body::File(file, kind), span, None),
            }
            return;
        }
        let Some(module) = self.known_module(path) else {
            // what it would have bound is not reported
            self.state.reported.insert(key(Named::Namespace, &own.name));
            return;
        };
        match namespace {
            Some(Namespace::All) => {
                for function in module.functions {
                    let name = Spanned { name: Name::new_static(function.name), span: path.span };
                    let def = Def { meaning: Meaning::Library(module.path), ..fixed(None) };
                    self.declare(Named::Function, &name, def);
                }
            }
            _ => {
                let def = Def { meaning: Meaning::Module(module.path), span: own.span, ..fixed(None) };
                self.declare(Named::Namespace, &own, def);
            }
        }
    }

    /// Finds a module of the library. Reports a module that does not exist.
    pub(in crate::dialect::mcl) fn known_module(&mut self, path: &Spanned) -> Option<&'static library::Module> {
        let found = self.functions().module(&path.name).filter(|module| !module.path.is_empty());
        if found.is_none() {
            let all = self.functions().modules().map(|module| module.path).filter(|path| !path.is_empty());
            let near = near(&path.name, all);
            let why = Name::new_static("there is no such module");
            self.problem(path.span, MclProblem::Module { path: path.name.clone(), why, near });
        }
        found
    }

    /// Lowers a class of a cell.
    pub(in crate::dialect::mcl) fn class(&mut self, id: StmtId) -> NodeId {
        let (tree, span) = (self.tree, self.tree.stmt_span(id));
        let Stmt::Class(class) = tree.stmt(id) else { return self.push(Node::Hole, span) };
        let units: Vec<Unit<'a>> = class.body.iter().map(|id| Unit::Stmt(*id)).collect();
        self.lambda(&class.params, true, span, |lower| lower.program(&units, Purpose::Class(&class.params), span))
    }

    /// Lowers the finished graph of a class that a cell included under a name.
    pub(in crate::dialect::mcl) fn graph_of_namespace(&mut self, key: &Name, span: Span) -> NodeId {
        self.literal(span, true, |lower| {
            ["resources", "edges"]
                .into_iter()
                .map(|name| {
                    let of = lower.builder.variable(key, span);
                    let out = lower.push(Node::Project(of, Name::new_static(OUT)), span);
                    let func = lower.library("", &format!("%{name}"), span);
                    let apply = Apply { func, args: vec![(None, out)], tailstrict: false };
                    let body = lower.push(Node::Apply(Box::new(apply)), span);
                    super::expr::field(Name::new_static(name), span, body, Meta::default())
                })
                .collect()
        })
    }

    fn definition(&mut self, definition: &Definition<'a>) -> NodeId {
        let span = definition.span;
        match &definition.body {
            Body::Bind(ty, value) => self.annotated(*value, *ty),
            Body::Func(func) => self.func(func, true, span),
            Body::Class(class, nested) => {
                let from = self.state.definitions.len();
                let units: Vec<Unit<'a>> =
                    class.body.iter().map(|id| Unit::Stmt(*id)).chain(nested.iter().copied()).collect();
                let node = self.lambda(&class.params, true, span, |lower| {
                    lower.program(&units, Purpose::Class(&class.params), span)
                });
                self.state.members.insert(definition.number, from..self.state.definitions.len());
                node
            }
            Body::Include(name, args) => self.include(name, args, definition.number, span),
            Body::File(path, kind) => {
                let import = Import { path: path.clone(), kind: kind.clone() };
                self.push(Node::Import(Box::new(import)), definition.name.span)
            }
        }
    }

    /// Lowers an include, whose namespace has a number.
    fn include(&mut self, name: &Spanned, args: &[Id], number: usize, span: Span) -> NodeId {
        if let Some(included) = self.included(name) {
            self.state.included.insert(number, included);
        }
        let own = key(Named::Class, &name.name);
        if !name.name.contains('.')
            && let Some(def) = self.find(&own)
            && let Some(takes) = def.takes.filter(|takes| *takes != args.len())
        {
            let given = args.len();
            let (class, at) = (name.name.clone(), def.span);
            let params = def.id.and_then(|id| self.state.params.get(&id)).cloned().unwrap_or_default();
            self.problem(span, MclProblem::ClassArguments { class, takes, given, at, params });
        }
        let func = self.used(Named::Class, name);
        let args = args.iter().map(|arg| (None, self.expr(*arg))).collect();
        self.push(Node::Apply(Box::new(Apply { func, args, tailstrict: false })), span)
    }

    /// Finds the class that an include names.
    fn included(&mut self, name: &Spanned) -> Option<Included> {
        let parts: Vec<&str> = name.name.split('.').collect();
        match parts.as_slice() {
            [class] => Some(Included::Class(self.find(&key(Named::Class, class))?.id?)),
            [namespace, inner @ .., class] => {
                let namespace = self.find(&key(Named::Namespace, namespace))?.id?;
                Some(Included::Through(Path::of(namespace, inner, key(Named::Class, class))))
            }
            [] => None,
        }
    }

    /// Lowers the graph of a program: the merge of the graphs of its statements.
    fn graphs(&mut self, units: &[Unit<'a>], definitions: &[Definition<'a>], span: Span) -> NodeId {
        let mut parts = Vec::new();
        let all = definitions.iter().enumerate().rev().filter(|(_, d)| matches!(d.body, Body::Include(..)));
        let includes: Includes = all.map(|(index, d)| (d.span, index)).collect();
        for unit in units {
            let Unit::Stmt(id) = unit else { continue };
            self.graph_part(*id, (definitions, &includes), &mut parts);
        }
        if parts.is_empty() {
            return self.nothing(span);
        }
        self.push(Node::Merge(parts.into()), span)
    }

    fn graph_part(
        &mut self,
        id: StmtId,
        (definitions, includes): (&[Definition<'a>], &Includes),
        out: &mut Vec<NodeId>,
    ) {
        let tree = self.tree;
        let span = tree.stmt_span(id);
        match tree.stmt(id) {
            Stmt::If { condition, then, otherwise } => {
                let condition = self.expr(*condition);
                let units = |ids: &[StmtId]| ids.iter().map(|id| Unit::Stmt(*id)).collect::<Vec<_>>();
                let then = self.program(&units(then), Purpose::Graph, span);
                let otherwise = match otherwise {
                    Some(otherwise) => self.program(&units(otherwise), Purpose::Graph, span),
                    None => self.nothing(span),
                };
                out.push(self.push(Node::If(Box::new([condition, then, otherwise])), span));
            }
            Stmt::Resource(resource) => self.resource(resource, span, out),
            Stmt::Edge(halves) => self.edges(halves, out),
            Stmt::Include { .. } => {
                if let Some(found) = includes.get(&span).and_then(|index| definitions.get(*index)) {
                    if found.key.starts_with("namespace") {
                        self.state.uses.push((self.state.current, found.number));
                    }
                    let of = self.builder.variable(&found.key, span);
                    out.push(self.push(Node::Project(of, Name::new_static(OUT)), span));
                }
            }
            Stmt::For(of) => out.push(self.for_each(of, span)),
            Stmt::Collect(resource, names) => {
                // without other hosts nothing is collected, but the statement is checked
                self.warning(span, MclProblem::Collect);
                self.expr(*names);
                let mut parts = Vec::new();
                self.resource(resource, span, &mut parts);
                let checked = self.push(Node::Merge(parts.into()), span);
                let never = self.push(Node::Bool(false), span);
                let nothing = self.nothing(span);
                out.push(self.push(Node::If(Box::new([never, checked, nothing])), span));
            }
            Stmt::Panic(message) => {
                let message = self.expr(*message);
                out.push(self.push(Node::Prim(crate::term::Prim::Error, Box::new([message])), span));
            }
            _ => {}
        }
    }

    /// Lowers a loop: a call of `%for` or `%forkv` of the library with a function that returns the graph of one element.
    fn for_each(&mut self, node: &'a For, span: Span) -> NodeId {
        let all = self.expr(node.of);
        let units: Vec<Unit<'a>> = node.body.iter().map(|id| Unit::Stmt(*id)).collect();
        let body = self.lambda(&node.names, false, span, |lower| lower.program(&units, Purpose::Graph, span));
        let func = self.library("", if node.entries { rules::FOR_ENTRIES } else { rules::FOR_ELEMENTS }, span);
        let apply = Apply { func, args: vec![(None, all), (None, body)], tailstrict: false };
        self.push(Node::Apply(Box::new(apply)), span)
    }

    /// Lowers a graph without resources.
    pub(in crate::dialect::mcl) fn nothing(&mut self, span: Span) -> NodeId {
        let empty = self.literal(span, false, |_| Vec::new());
        self.push(Node::Merge(Box::new([empty])), span)
    }

    /// The resources and edges of the finished graph.
    fn result_fields(&mut self, span: Span) -> Vec<crate::term::FieldDef> {
        ["resources", "edges"]
            .into_iter()
            .map(|name| {
                let func = self.library("", &format!("%{name}"), span);
                let out = self.builder.variable(&Name::new_static(OUT), span);
                let apply = Apply { func, args: vec![(None, out)], tailstrict: false };
                let body = self.push(Node::Apply(Box::new(apply)), span);
                super::expr::field(Name::new_static(name), span, body, Meta::default())
            })
            .collect()
    }

    /// The variables, functions, classes and namespaces of a program, as hidden fields.
    fn export_fields(&mut self, definitions: &[Definition<'a>], params: &'a [Param]) -> Vec<crate::term::FieldDef> {
        let hidden = || Meta::from(FieldMeta { not_exported: true, ..FieldMeta::NONE });
        let mut fields: Vec<crate::term::FieldDef> = Vec::new();
        let mut seen: FxHashMap<Name, ()> = FxHashMap::default();
        for definition in definitions.iter().filter(|d| !d.key.starts_with('%') && !d.name.name.is_empty()) {
            // duplicate definitions have been reported; the last one is in scope
            if seen.insert(definition.key.clone(), ()).is_some() {
                continue;
            }
            let body = self.builder.variable(&definition.key, definition.name.span);
            fields.push(super::expr::field(definition.key.clone(), definition.name.span, body, hidden()));
        }
        for param in params {
            let key = key(Named::Parameter, &param.name.name);
            if seen.insert(key.clone(), ()).is_none() {
                let body = self.builder.variable(&key, param.name.span);
                fields.push(super::expr::field(key, param.name.span, body, hidden()));
            }
        }
        fields
    }

    /// Reports definitions that refer to themselves, directly or through others.
    fn report_recursion(&mut self, definitions: &[Definition<'a>], groups: &crate::term::Groups, uses: &[(u32, u32)]) {
        let recursive: FxHashSet<u32> =
            uses.iter().filter(|(user, used)| user == used).map(|(user, _)| *user).collect();
        for group in groups.iter() {
            let own = matches!(*group, [one] if recursive.contains(&one));
            if group.len() < 2 && !own {
                continue;
            }
            let cycle: Vec<(Named, Name, Span)> = group
                .iter()
                .filter_map(|index| definitions.get(*index as usize))
                .map(|d| (d.what, d.name.name.clone(), d.name.span))
                .collect();
            if let Some((_, _, span)) = cycle.first() {
                self.problem(*span, MclProblem::Recursive { cycle: cycle.clone() });
            }
        }
    }
}

fn binding(pat: crate::term::PatId, body: NodeId, span: Span) -> Binding {
    Binding::plain(pat, body, span)
}
