//! The syntax tree before name resolution. It is flat, so that dropping a deep tree needs no recursion.

use crate::dialect::parser;
pub use crate::dialect::parser::{Id, PId, Spanned};
use crate::meta::Push;
use crate::term::{FieldMark, Number};
use crate::text::{Name, Span};

/// The expressions and patterns of one text.
pub type Tree = parser::Tree<Expr, Pattern>;

impl Tree {
    /// Iterates over all records of the text.
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.exprs().filter_map(|(e, _)| if let Expr::Record(record) = e { Some(&**record) } else { None })
    }
}

/// An expression or a type: the syntax of Nickel does not distinguish them.
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
    /// A number.
    Number(Number),
    /// A string without interpolation.
    Str(Name),
    /// A string with interpolation.
    Interp(Box<[Chunk]>),
    /// `prefix-s%"…"%`
    Symbolic(Name, Box<[Chunk]>),
    /// `'Tag`
    Tag(Name),
    /// `[a, b]`
    Array(Box<[Id]>),
    /// `{ … }`
    Record(Box<Record>),
    /// A name.
    Name(Name),
    /// `e.name`. The name is empty if it is missing.
    Dot(Id, Box<Spanned>),
    /// `e."%{x}"`
    DotDynamic(Id, Id),
    /// `f a b`
    Apply(Id, Box<[Id]>),
    /// `-e`, `!e`
    Unary(Op, Id),
    /// `a + b`
    Binary(Op, Id, Id),
    /// `(+)`
    Operator(Op),
    /// `(e)`
    Paren(Id),
    /// `let … in e`
    Let(Box<Let>),
    /// `fun p q => e`
    Fun(Box<[PId]>, Id),
    /// `if c then a else b`
    If(Box<[Id; 3]>),
    /// `match { … }`
    Match(Box<[Arm]>),
    /// `e : T | C`
    Annotated(Id, Box<[Meta]>),
    /// `import "x" as 'Format`
    Import(Name, Option<Box<Spanned>>),
    /// `import name`
    Package(Name),
    /// `%name%`
    Primop(Name),
    /// `Dyn`
    Dyn,
    /// `Number`
    NumberType,
    /// `String`
    StringType,
    /// `Bool`
    BoolType,
    /// `_`
    Wildcard,
    /// `Array T`
    ArrayType(Id),
    /// `{ _ : T }`, or `{ _ | C }` if the flag is `true`.
    Dict(Id, bool),
    /// `[| 'A, 'B T; r |]`
    EnumType(Box<[EnumRow]>, Option<Box<Spanned>>),
    /// `forall a b. T`
    Forall(Box<[Spanned]>, Id),
}

/// An operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // each variant is named after its operator
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Concat,
    Append,
    Merge,
    PipeRight,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
    Not,
    Neg,
    Arrow,
    Dot,
}

/// A part of a string with interpolation.
#[derive(Debug)]
pub enum Chunk {
    /// Text with its escapes replaced.
    Text(Name),
    /// An expression and the indentation of its lines.
    Expr(Id, u32),
}

/// A record, or a record type.
#[derive(Debug, Default)]
pub struct Record {
    /// The definitions as written.
    pub fields: Vec<Field>,
    /// `..`
    pub open: bool,
    /// `; r`
    pub tail: Option<Spanned>,
}

/// A definition of a field.
#[derive(Debug)]
pub struct Field {
    /// `a.b."%{c}"`; never empty.
    pub path: Vec<PathPart>,
    /// `a? : T`, `a! : T`, in a record type.
    pub mark: Option<FieldMark>,
    /// `include a`
    pub include: bool,
    /// The annotations.
    pub metas: Vec<Meta>,
    /// The value.
    pub value: Option<Id>,
    /// The whole definition.
    pub span: Span,
}

/// A part of a field's path.
#[derive(Debug)]
pub enum PathPart {
    /// A name, quoted or not.
    Name(Spanned),
    /// A string with interpolation.
    Dynamic(Id),
}

/// An annotation.
#[derive(Debug)]
pub struct Meta {
    /// The kind of the annotation.
    pub kind: MetaKind,
    /// The place, from the `|` or `:` to the end.
    pub span: Span,
}

/// The kind of an annotation.
#[derive(Debug)]
pub enum MetaKind {
    /// `: T`
    Type(Id),
    /// `| C`. Also `| merge f`, `| when (c)` and `| secret`: name resolution distinguishes them.
    Contract(Id),
    /// `| doc "…"`
    Doc(Name),
    /// `| default`
    Default,
    /// `| force`
    Force,
    /// `| priority n`
    Priority(Number),
    /// `| default rec`, `| rec force`, …
    Push(Push),
    /// `| optional`
    Optional,
    /// `| not_exported`
    NotExported,
}

/// `let`
#[derive(Debug)]
pub struct Let {
    /// `rec`
    pub recursive: bool,
    /// The bindings.
    pub bindings: Vec<Binding>,
    /// The body.
    pub body: Id,
}

/// A binding of a `let`.
#[derive(Debug)]
pub struct Binding {
    /// The pattern.
    pub pattern: PId,
    /// The annotations.
    pub metas: Vec<Meta>,
    /// The value.
    pub value: Id,
    /// The whole binding.
    pub span: Span,
}

/// An arm of a match.
#[derive(Debug)]
pub struct Arm {
    /// The pattern.
    pub pattern: PId,
    /// `if e`
    pub guard: Option<Id>,
    /// The result.
    pub body: Id,
}

/// `'Tag T` in an enum type.
#[derive(Debug)]
pub struct EnumRow {
    /// The tag.
    pub tag: Spanned,
    /// The type of its argument.
    pub ty: Option<Id>,
}

/// A pattern.
#[derive(Debug)]
pub enum Pattern {
    /// `_`, or text that did not parse.
    Any,
    /// `x`
    Bind(Name),
    /// `x @ p`
    As(Spanned, PId),
    /// A literal.
    Const(Id),
    /// `'Tag`
    Tag(Name),
    /// `'Tag p`
    Variant(Name, PId),
    /// `{ … }`
    Record(Box<[FieldPattern]>, Rest),
    /// `[ … ]`
    Array(Box<[PId]>, Rest),
    /// `p or q`
    Or(Box<[PId]>),
}

/// A field of a record pattern.
#[derive(Debug)]
pub struct FieldPattern {
    /// The field.
    pub name: Spanned,
    /// Its annotations.
    pub metas: Vec<Meta>,
    /// `? e`
    pub default: Option<Id>,
    /// `= p`
    pub pattern: PId,
}

/// The rest of a record or array pattern.
#[derive(Clone, Debug)]
pub enum Rest {
    /// No rest.
    Closed,
    /// `..`
    Open,
    /// `..x`
    Bind(Spanned),
}

/// A part of a cell.
#[derive(Debug)]
pub enum Item {
    /// `let …` without `in`.
    Let(bool, Vec<Binding>),
    /// `x | C = e`
    Bind(Binding),
    /// An expression.
    Expr(Id),
}
