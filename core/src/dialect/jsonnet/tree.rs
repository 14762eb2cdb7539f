//! The syntax tree before name resolution. It is flat, so that dropping a deep tree needs no recursion.

use crate::dialect::parser;
pub use crate::dialect::parser::{Id, Spanned};
use crate::meta::Visibility;
use crate::term::{ImportKind, Prim};
use crate::text::{Name, Span};

/// The expressions of one text.
pub type Tree = parser::Tree<Expr>;

impl Tree {
    /// Iterates over all variables of the text, with their places.
    pub fn variables(&self) -> impl Iterator<Item = (&Name, Span)> {
        self.exprs().filter_map(|(e, span)| if let Expr::Name(name) = e { Some((name, span)) } else { None })
    }
}

/// An expression as written.
#[derive(Debug)]
pub enum Expr {
    /// Text that did not parse.
    Hole,
    /// The place of a completion.
    Cursor,
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number. It is infinite if it is too large.
    Number(f64),
    /// A string with its escapes replaced.
    Str(Name),
    /// `[a, b]`
    Array(Box<[Id]>),
    /// `[e for x in xs if c]`
    ArrayComp(Id, Box<[Clause]>),
    /// `{ … }`
    Object(Box<Object>),
    /// A name.
    Name(Name),
    /// `self`
    This,
    /// `$`
    Dollar,
    /// `super.name`. The name is empty if it is missing.
    SuperDot(Box<Spanned>),
    /// `super[e]`
    SuperIndex(Id),
    /// `e in super`
    InSuper(Id),
    /// `e.name`. The name is empty if it is missing.
    Dot(Id, Box<Spanned>),
    /// `e[i]`
    Index(Id, Id),
    /// `e[a:b:c]`
    Slice(Id, Box<[Option<Id>; 3]>),
    /// `f(a, x=b)`
    Apply(Id, Box<Arguments>),
    /// `e { … }`. The object is a separate expression.
    Extend(Id, Id, bool),
    /// `-e`
    Unary(Prim, Id),
    /// `a - b`
    Binary(Prim, Id, Id),
    /// `(e)`
    Paren(Id),
    /// `local x = 1, f(y) = 2; e`
    Local(Box<[Binding]>, Id),
    /// `function(a, b=1) e`
    Function(Box<[Parameter]>, Id),
    /// `if c then a else b`
    If(Id, Id, Option<Id>),
    /// `import "x"`
    Import(Name, ImportKind),
    /// `error e`
    Error(Id),
    /// `assert c : m; e`
    Assert(Box<Assert>, Id),
}

/// The arguments of a call.
#[derive(Debug)]
pub struct Arguments {
    /// The arguments, each with its name if it is passed by name.
    pub items: Vec<(Option<Spanned>, Id)>,
    /// `tailstrict`
    pub tailstrict: bool,
}

/// `c : m`
#[derive(Debug)]
pub struct Assert {
    /// The condition.
    pub condition: Id,
    /// The message if the condition is false.
    pub message: Option<Id>,
}

/// `x = e`, `f(a) = e`
#[derive(Debug)]
pub struct Binding {
    /// The name.
    pub name: Spanned,
    /// The value. In `f(a) = e` it is a function.
    pub value: Id,
    /// The whole binding.
    pub span: Span,
}

/// A parameter of a function.
#[derive(Debug)]
pub struct Parameter {
    /// Its name.
    pub name: Spanned,
    /// `= e`
    pub default: Option<Id>,
}

/// A clause of a comprehension.
#[derive(Debug)]
pub enum Clause {
    /// `for x in e`
    For(Spanned, Id),
    /// `if e`
    If(Id),
}

/// `{ … }`
#[derive(Debug, Default)]
pub struct Object {
    /// The fields.
    pub fields: Vec<Field>,
    /// The locals.
    pub locals: Vec<Binding>,
    /// The asserts.
    pub asserts: Vec<Assert>,
    /// The clauses of an object comprehension; empty for an object literal.
    pub clauses: Vec<Clause>,
}

/// A field of an object.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: FieldName,
    /// The place of the name, including brackets and quotes.
    pub name_span: Span,
    /// `:`, `::`, `:::`
    pub visibility: Visibility,
    /// `+:`
    pub plus: bool,
    /// The value. In `f(a): e` it is a function.
    pub value: Id,
    /// The comments above it.
    pub doc: Option<(Name, Span)>,
    /// The whole field.
    pub span: Span,
}

/// The name of a field.
#[derive(Debug)]
pub enum FieldName {
    /// `a`, `"a"`
    Static(Name),
    /// `[e]`
    Computed(Id),
}

/// A part of a cell.
#[derive(Debug)]
pub enum Item {
    /// `local …` without an expression after it.
    Local {
        /// The bindings.
        bindings: Vec<Binding>,
        /// The comments above it.
        doc: Option<(Name, Span)>,
        /// The place, from `local` to the end.
        span: Span,
    },
    /// An expression.
    Expr(Id),
}
