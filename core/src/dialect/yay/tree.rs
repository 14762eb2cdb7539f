//! The syntax tree before name resolution. It is flat, so that dropping a deep tree needs no recursion.

use crate::dialect::parser;
use crate::dialect::parser::PId;
pub use crate::dialect::parser::{Id, Spanned};
use crate::number::Number;
use crate::text::{Name, Span};

/// The index of a block in a [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BlockId(pub u32);

/// The expressions and blocks of one text.
pub type Tree = parser::Tree<Expr, Block>;

/// The blocks of a [`Tree`]. The language has no patterns: its blocks take their place.
pub trait Blocks {
    /// Adds a block.
    fn add_block(&mut self, block: Block) -> BlockId;
    /// Returns the block with an id.
    fn block(&self, id: BlockId) -> &Block;
    /// Iterates over all blocks.
    fn blocks(&self) -> impl Iterator<Item = &Block>;
    /// Returns the block with an id, mutably.
    fn block_mut(&mut self, id: BlockId) -> &mut Block;
}

impl Blocks for Tree {
    fn add_block(&mut self, block: Block) -> BlockId {
        let span = block.span;
        BlockId(self.add_pattern(block, span).0)
    }

    fn block(&self, id: BlockId) -> &Block {
        self.pattern(PId(id.0))
    }

    fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.patterns().map(|(block, _)| block)
    }

    fn block_mut(&mut self, id: BlockId) -> &mut Block {
        self.pattern_mut(PId(id.0))
    }
}

/// Stanzas with the same indentation.
#[derive(Clone, Debug)]
pub struct Block {
    /// The stanzas, in order.
    pub stanzas: Vec<Stanza>,
    /// The place, from the first stanza to the last.
    pub span: Span,
}

/// A line, with the block below it.
#[derive(Clone, Debug)]
pub enum Stanza {
    /// `name: value`, `extend name: value`
    Key(Entry),
    /// `- value`
    Item(Value, Span),
    /// A scalar on a line of its own.
    Scalar(Id),
    /// `include e`
    Include(Id, Span),
    /// `search e`
    Search(Id, Span),
    /// `set name = e`, `let name = e`
    Set(Spanned, Id, Span),
    /// `if e: … elif e: … else: …`
    If(Box<If>),
    /// `for name in e if e: …`
    For(Box<For>),
    /// `select e: …`
    Select(Box<Select>),
    /// `macro name: …`
    Macro(Spanned, BlockId, Span),
    /// `call name: …`
    Call(Spanned, Option<BlockId>, Span),
    /// `prototype name: …`
    Prototype(Spanned, BlockId, Span),
    /// `new e as name: …`
    New(Box<New>),
}

/// A key with its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name.
    pub name: Spanned,
    /// Whether it is written with `extend`.
    pub extend: bool,
    /// The value.
    pub value: Value,
    /// The comments above it.
    pub doc: Option<(Name, Span)>,
    /// The whole entry.
    pub span: Span,
}

/// The value of a key or an element.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// Nothing: the empty string.
    Nothing(Span),
    /// A scalar.
    Scalar(Id),
    /// A block below the line.
    Block(BlockId),
}

impl Value {
    /// Returns the block below the line.
    pub fn block(&self) -> Option<BlockId> {
        if let Value::Block(block) = self { Some(*block) } else { None }
    }
}

/// `if e: … elif e: … else: …`
#[derive(Clone, Debug)]
pub struct If {
    /// The guards and their blocks.
    pub branches: Vec<(Id, BlockId)>,
    /// The block of `else`.
    pub otherwise: Option<BlockId>,
    /// The word `else`, or the whole stanza if there is none.
    pub else_span: Span,
    /// The whole stanza.
    pub span: Span,
}

/// `for name in e if e: …`
#[derive(Clone, Debug)]
pub struct For {
    /// The variables. Several variables destructure an element.
    pub names: Vec<Spanned>,
    /// The list.
    pub items: Id,
    /// The condition.
    pub condition: Option<Id>,
    /// The body.
    pub body: BlockId,
    /// The whole stanza.
    pub span: Span,
}

/// `select e: …`
#[derive(Clone, Debug)]
pub struct Select {
    /// The expression.
    pub of: Id,
    /// The cases.
    pub cases: Vec<(Spanned, Value)>,
    /// The whole stanza.
    pub span: Span,
}

/// `new e as name: …`
#[derive(Clone, Debug)]
pub struct New {
    /// The prototype.
    pub of: Id,
    /// The name.
    pub name: Option<Spanned>,
    /// The body.
    pub body: Option<BlockId>,
    /// The whole stanza.
    pub span: Span,
}

/// An infix operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // an operator's name says which operator it is
pub enum Op {
    Or,
    And,
    In,
    NotIn,
    Is,
    IsNot,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    BitOr,
    BitXor,
    BitAnd,
    Shl,
    Shr,
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    Mod,
    Pow,
}

impl Op {
    /// Returns the operator as it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Op::Or => "or",
            Op::And => "and",
            Op::In => "in",
            Op::NotIn => "not in",
            Op::Is => "is",
            Op::IsNot => "is not",
            Op::Eq => "==",
            Op::Ne => "!=",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::Gt => ">",
            Op::Ge => ">=",
            Op::BitOr => "|",
            Op::BitXor => "^",
            Op::BitAnd => "&",
            Op::Shl => "<<",
            Op::Shr => ">>",
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::Div => "/",
            Op::FloorDiv => "//",
            Op::Mod => "%",
            Op::Pow => "**",
        }
    }
}

/// A prefix operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // an operator's name says which operator it is
pub enum Prefix {
    Not,
    Neg,
    Pos,
    Invert,
}

/// A part of a scalar.
#[derive(Debug)]
pub enum Part {
    /// Text.
    Text(Name),
    /// `{{ e }}`
    Expr(Id),
}

/// An expression as written.
#[derive(Debug)]
pub enum Expr {
    /// Text that did not parse.
    Hole,
    /// The place of a completion.
    Cursor,
    /// A document.
    Block(BlockId),
    /// A number.
    Number(Number),
    /// A string.
    Str(Name),
    /// A scalar with templates in it.
    Text(Box<[Part]>),
    /// `[a, b]`, `(a, b)`, `a, b`
    List(Box<[Id]>),
    /// `{a: b}`
    Dict(Box<[(Id, Id)]>),
    /// `[e for x in xs if c]`
    ListComp(Id, Box<[Clause]>),
    /// `{k: e for x in xs if c}`
    DictComp(Box<(Id, Id)>, Box<[Clause]>),
    /// A name.
    Name(Name),
    /// `e.name`. The name is empty if it is missing.
    Dot(Id, Box<Spanned>),
    /// `e[i]`
    Index(Id, Id),
    /// `e[a:b:c]`
    Slice(Id, Box<[Option<Id>; 3]>),
    /// `f(a, x=b)`
    Call(Id, Box<[(Option<Spanned>, Id)]>),
    /// `-e`
    Unary(Prefix, Id),
    /// `a - b`
    Binary(Op, Id, Id),
    /// `a < b < c`
    Chain(Id, Box<[(Op, Id)]>),
    /// `a else b`
    Else(Id, Id),
    /// `a if c else b`: the condition, then `a`, then `b`.
    If(Id, Id, Id),
    /// `lambda x, y=1: e`
    Lambda(Box<[(Spanned, Option<Id>)]>, Id),
    /// `(e)`
    Paren(Id),
}

/// A clause of a comprehension.
#[derive(Debug)]
pub enum Clause {
    /// `for x in e`
    For(Vec<Spanned>, Id),
    /// `if e`
    If(Id),
}

/// A part of a cell.
#[derive(Debug)]
pub enum Item {
    /// A document.
    Document(BlockId),
    /// An expression.
    Expr(Id),
}

impl Stanza {
    /// Returns the key that the stanza is.
    pub fn entry(&self) -> Option<&Entry> {
        if let Stanza::Key(entry) = self { Some(entry) } else { None }
    }

    /// Returns the place of the stanza.
    pub fn span(&self, tree: &Tree) -> Span {
        match self {
            Stanza::Key(entry) => entry.span,
            Stanza::Scalar(id) => tree.span(*id),
            Stanza::Item(_, span)
            | Stanza::Include(_, span)
            | Stanza::Search(_, span)
            | Stanza::Set(_, _, span)
            | Stanza::Macro(_, _, span)
            | Stanza::Call(_, _, span)
            | Stanza::Prototype(_, _, span) => *span,
            Stanza::If(stanza) => stanza.span,
            Stanza::For(stanza) => stanza.span,
            Stanza::Select(stanza) => stanza.span,
            Stanza::New(stanza) => stanza.span,
        }
    }
}
