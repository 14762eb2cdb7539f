//! The syntax tree before name resolution. It is flat, so that dropping a deep tree needs no recursion.

use crate::dialect::parser;
pub use crate::dialect::parser::{Id, PId, Spanned};
use crate::term::Prim;
use crate::text::{Name, Span};

/// The index of a statement in a [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StmtId(pub PId);

/// The index of a type in a [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TypeId(pub PId);

/// The expressions, statements and types of one text.
pub type Tree = parser::Tree<Expr, Part>;

/// A statement or a type.
#[derive(Debug)]
pub enum Part {
    /// A statement.
    Stmt(Stmt),
    /// A type.
    Type(Type),
}

impl Tree {
    /// Adds a statement.
    pub fn add_stmt(&mut self, stmt: Stmt, span: Span) -> StmtId {
        StmtId(self.add_pattern(Part::Stmt(stmt), span))
    }

    /// Returns the statement with an id.
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        match self.pattern(id.0) {
            Part::Stmt(stmt) => stmt,
            Part::Type(_) => &Stmt::Hole,
        }
    }

    /// Returns all statements.
    pub fn statements(&self) -> impl Iterator<Item = &Stmt> {
        self.patterns().filter_map(|(part, _)| match part {
            Part::Stmt(stmt) => Some(stmt),
            Part::Type(_) => None,
        })
    }

    /// Returns the place of a statement.
    pub fn stmt_span(&self, id: StmtId) -> Span {
        self.pattern_span(id.0)
    }

    /// Adds a type.
    pub fn add_type(&mut self, ty: Type, span: Span) -> TypeId {
        TypeId(self.add_pattern(Part::Type(ty), span))
    }

    /// Returns the type with an id.
    pub fn ty(&self, id: TypeId) -> &Type {
        match self.pattern(id.0) {
            Part::Type(ty) => ty,
            Part::Stmt(_) => &Type::Hole,
        }
    }

    /// Returns the place of a type.
    pub fn type_span(&self, id: TypeId) -> Span {
        self.pattern_span(id.0)
    }
}

/// The statements of a file, of a class or of a branch.
pub type Program = Box<[StmtId]>;

/// An expression as written.
#[derive(Debug)]
pub enum Expr {
    /// Text that did not parse.
    Hole,
    /// The place of a completion.
    Cursor,
    /// A file.
    Program(Program),
    /// `true`, `false`
    Bool(bool),
    /// `42`
    Int(i64),
    /// `3.14`
    Float(f64),
    /// `"a ${b}"`
    Str(Box<[Piece]>, Option<Box<Spanned>>),
    /// `[a, b,]`
    List(Box<[Id]>),
    /// `{k => v,}`
    Map(Box<[(Id, Id)]>),
    /// `struct{a => e,}`
    Struct(Box<[(Spanned, Id)]>),
    /// `f(a, b)`, `fmt.printf("…")`
    Call(Box<Spanned>, Box<[Id]>),
    /// The whole text is the name of a function or a module, as in `:doc fmt.printf`.
    Function(Box<Spanned>),
    /// `$f(a, b)`
    CallVariable(Box<Spanned>, Box<[Id]>),
    /// `$a`, `$i.a`
    Variable(Box<Spanned>),
    /// `func($x) { e }`
    Func(Box<Func>),
    /// `func($x) { e }(a)`
    CallValue(Id, Box<[Id]>),
    /// `if c { a } else { b }`
    If(Box<[Id; 3]>),
    /// `(e)`
    Paren(Id),
    /// `a + b`
    Binary(Prim, Id, Id),
    /// `not a`
    Not(Id),
    /// `e[i]`, `e[i] || d`
    Index(Id, Id, Option<Id>),
    /// `e->f`, `e->f || d`
    Field(Id, Box<Spanned>, Option<Id>),
}

/// A part of a string.
#[derive(Debug)]
pub enum Piece {
    /// Text with its escapes replaced.
    Text(Name),
    /// `${a.b}`
    Variable(Spanned),
}

/// A function literal, or the parameters and the body of a `func` statement.
#[derive(Debug)]
pub struct Func {
    /// The parameters.
    pub params: Vec<Param>,
    /// The annotated type of the result.
    pub result: Option<TypeId>,
    /// The body.
    pub body: Id,
}

/// A parameter of a function or of a class.
#[derive(Debug)]
pub struct Param {
    /// Its name.
    pub name: Spanned,
    /// Its annotated type.
    pub ty: Option<TypeId>,
}

/// A statement as written.
#[derive(Debug)]
pub enum Stmt {
    /// Text that did not parse.
    Hole,
    /// `$x T = e`
    Bind {
        /// The variable.
        name: Spanned,
        /// Its annotated type.
        ty: Option<TypeId>,
        /// The expression.
        value: Id,
    },
    /// `if c { … } else { … }`
    If {
        /// The condition.
        condition: Id,
        /// The branch if it holds.
        then: Program,
        /// The branch if it does not hold.
        otherwise: Option<Program>,
    },
    /// `for $i, $v in e { … }`, `forkv $k, $v in e { … }`
    For(Box<For>),
    /// `collect kind name { … }`: the resource with a name that means nothing, and the names.
    Collect(Box<Resource>, Id),
    /// `func f($x) { e }`
    Func {
        /// Its name.
        name: Spanned,
        /// The function.
        func: Func,
    },
    /// `class c($a) { … }`
    Class(Box<Class>),
    /// `include c(e) as i`
    Include {
        /// The class, with its namespace.
        name: Spanned,
        /// The arguments.
        args: Vec<Id>,
        /// The namespace of what the class binds.
        namespace: Option<Spanned>,
    },
    /// `import "fmt" as f`
    Import {
        /// The path, with its place.
        path: Spanned,
        /// The namespace, if it is written.
        namespace: Option<Namespace>,
    },
    /// `file "/tmp/x" { … }`
    Resource(Box<Resource>),
    /// `File["a"] -> Svc["b"]`
    Edge(Vec<Half>),
    /// `panic(e)`
    Panic(Id),
}

/// A loop.
#[derive(Debug)]
pub struct For {
    /// Whether it is a loop over the entries of a map.
    pub entries: bool,
    /// The variables of the index or the key, and of the value.
    pub names: Vec<Param>,
    /// The list or the map.
    pub of: Id,
    /// The statements.
    pub body: Program,
}

/// The namespace of an import.
#[derive(Debug)]
pub enum Namespace {
    /// `as name`
    Name(Spanned),
    /// `as *`
    All,
}

/// A class.
#[derive(Debug)]
pub struct Class {
    /// Its name, which may have colons.
    pub name: Spanned,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its statements.
    pub body: Program,
}

/// A resource statement.
#[derive(Debug)]
pub struct Resource {
    /// The kind, which may have colons.
    pub kind: Spanned,
    /// The name or the list of names.
    pub name: Id,
    /// Its parts in source order.
    pub parts: Vec<Setting>,
}

/// A part of a resource.
#[derive(Debug)]
pub struct Setting {
    /// The field, meta parameter or edge that it sets.
    pub key: Key,
    /// The place of its key.
    pub key_span: Span,
    /// The condition before `?:`.
    pub condition: Option<Id>,
    /// The value.
    pub value: PartValue,
    /// The whole part.
    pub span: Span,
}

/// The left side of a part of a resource: a field, a meta parameter, or an edge to another resource.
#[derive(Clone, PartialEq, Debug)]
pub enum Key {
    /// `name => e`
    Field(Name),
    /// `Meta:name => e`
    Meta(Name),
    /// `Meta => e`
    AllMeta,
    /// `Before => Kind[e]`
    Edge(EdgeKind),
}

/// The value of a part of a resource.
#[derive(Debug)]
pub enum PartValue {
    /// An expression.
    Expr(Id),
    /// The other end of an edge.
    Half(Half),
}

/// The kind of an internal edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EdgeKind {
    /// To the other resource.
    Before,
    /// From the other resource.
    Depend,
    /// To the other resource, with a notification.
    Notify,
    /// From the other resource, with a notification.
    Listen,
}

/// An end of an edge: `Kind["name"]`, possibly with `.field`.
#[derive(Debug)]
pub struct Half {
    /// The kind, in lower case.
    pub kind: Spanned,
    /// The name or the list of names.
    pub name: Id,
    /// The field that is sent or received.
    pub field: Option<Spanned>,
    /// Its place.
    pub span: Span,
}

/// A type as written.
#[derive(Debug)]
pub enum Type {
    /// Text that did not parse.
    Hole,
    /// `bool`, `str`, `int`, `float`, `variant`
    Word(Word),
    /// `[]T`
    List(TypeId),
    /// `map{K: V}`
    Map(TypeId, TypeId),
    /// `struct{a T; b U}`
    Struct(Vec<(Spanned, TypeId)>),
    /// `func(T, $n U) R`
    Func(Vec<TypeId>, TypeId),
}

/// A type without parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// `bool`
    Bool,
    /// `str`
    Str,
    /// `int`
    Int,
    /// `float`
    Float,
    /// `variant`, `any`
    Any,
}

/// A part of a cell.
#[derive(Debug)]
pub enum Item {
    /// A definition.
    Stmt(StmtId),
    /// Statements with resources and edges, in one graph.
    Graph(Vec<StmtId>, Span),
    /// An expression.
    Expr(Id),
}
