//! The surface tree: what was written, before names are resolved. Flat, so that depth costs nothing to drop.

use crate::dialect::parser;
pub use crate::dialect::parser::{Id, Spanned};
use crate::meta::Visibility;
use crate::term::{ImportKind, Prim};
use crate::text::{Name, Span};

/// The expressions of one text.
#[derive(Debug, Default)]
pub struct Tree {
    exprs: Vec<Expr>,
    spans: Vec<Span>,
}

impl Tree {
    /// Adds an expression.
    pub fn add(&mut self, expr: Expr, span: Span) -> Id {
        self.exprs.push(expr);
        self.spans.push(span);
        Id(self.exprs.len() as u32 - 1)
    }

    /// The expression of an id of this tree.
    pub fn expr(&self, id: Id) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    /// Where an expression stands.
    pub fn span(&self, id: Id) -> Span {
        self.spans[id.0 as usize]
    }

    /// Every variable of the text, with its place.
    pub fn variables(&self) -> impl Iterator<Item = (&Name, Span)> {
        self.exprs
            .iter()
            .zip(&self.spans)
            .filter_map(|(e, s)| if let Expr::Name(name) = e { Some((name, *s)) } else { None })
    }

    /// Every object of the text.
    pub fn objects(&self) -> impl Iterator<Item = &Object> {
        self.exprs.iter().filter_map(|e| if let Expr::Object(object) = e { Some(&**object) } else { None })
    }
}

impl parser::Tree for Tree {
    fn add_hole(&mut self, span: Span) -> Id {
        self.add(Expr::Hole, span)
    }
}

/// What was written.
#[derive(Debug)]
pub enum Expr {
    /// What did not parse.
    Hole,
    /// The place that completion asks about.
    Cursor,
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number; infinite where it is too large to be one.
    Number(f64),
    /// A string, its escapes resolved.
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
    /// `super.name`; an empty name where none stands.
    SuperDot(Box<Spanned>),
    /// `super[e]`
    SuperIndex(Id),
    /// `e in super`
    InSuper(Id),
    /// `e.name`; an empty name where none stands.
    Dot(Id, Box<Spanned>),
    /// `e[i]`
    Index(Id, Id),
    /// `e[a:b:c]`
    Slice(Id, Box<[Option<Id>; 3]>),
    /// `f(a, x=b)`
    Apply(Id, Box<Arguments>),
    /// `e { … }`: the object is an expression of its own.
    Extend(Id, Id),
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
    /// Each with its name, if it is passed by name.
    pub items: Vec<(Option<Spanned>, Id)>,
    /// `tailstrict`
    pub tailstrict: bool,
}

/// `c : m`
#[derive(Debug)]
pub struct Assert {
    /// What must hold.
    pub condition: Id,
    /// What is said if it does not.
    pub message: Option<Id>,
}

/// `x = e`, `f(a) = e`
#[derive(Debug)]
pub struct Binding {
    /// What is bound.
    pub name: Spanned,
    /// The value; of `f(a) = e` a function.
    pub value: Id,
    /// The whole.
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
    /// Not empty in an object comprehension.
    pub clauses: Vec<Clause>,
}

/// A field of an object.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: FieldName,
    /// Where the name stands, brackets and quotes included.
    pub name_span: Span,
    /// `:`, `::`, `:::`
    pub visibility: Visibility,
    /// `+:`
    pub plus: bool,
    /// The value; of `f(a): e` a function.
    pub value: Id,
    /// The comments above it.
    pub doc: Option<(Name, Span)>,
    /// The whole.
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
    /// `local …` without an expression behind it.
    Local {
        /// What is bound.
        bindings: Vec<Binding>,
        /// The comments above it.
        doc: Option<(Name, Span)>,
        /// From `local` on.
        span: Span,
    },
    /// An expression.
    Expr(Id),
}
