//! The syntax of the model: expressions, cells and commands.

/// The names, fields and parameters of the model.
pub type Name = String;

/// An expression as written.
#[derive(Clone, Debug)]
pub enum Expr {
    Number(i64),
    Text(String),
    Truth(bool),
    Array(Vec<Expr>),
    Record(Vec<Field>),
    Function(Name, Box<Expr>),
    Apply(Box<Expr>, Box<Expr>),
    /// A name as written: a parameter, a field, or a definition.
    Name(Name),
    /// The last result.
    It,
    /// The result of a cell: `$n`.
    Result(u32),
    /// The newest definition of a name.
    Global(Name),
    /// A specific definition: the previous definition of a name, or the definition itself under `let rec`.
    Definition(usize),
    Get(Box<Expr>, Name),
    At(usize, Box<Expr>),
    Length(Box<Expr>),
    Merge(Box<Expr>, Box<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Let(Name, Box<Expr>, Box<Expr>),
    /// An expression with a contract. Occurs only around the body of a definition.
    Annotated(Box<Expr>, Contract),
}

/// A field of a record literal.
#[derive(Clone, Debug)]
pub struct Field {
    pub name: Name,
    pub contract: Option<Contract>,
    pub priority: Priority,
    /// The value. `None` if the field is only declared.
    pub value: Option<Expr>,
}

/// The priority of the definition of a field, in ascending order. A definition without a priority has `Numbered(0)`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Priority {
    Default,
    Numbered(i8),
    Force,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contract {
    Number,
    Text,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Add,
    Subtract,
    Multiply,
    Divide,
    Less,
    Equal,
    Join,
    Concat,
}

/// One part of a cell.
#[derive(Clone, Debug)]
pub enum Part {
    Define { name: Name, recursive: bool, value: Expr },
    Show(Expr),
}

/// One input.
#[derive(Clone, Debug)]
pub enum Input {
    Cell(Vec<Part>),
    Undo(usize),
    Redo(usize),
    Reset,
}

impl Priority {
    pub fn text(self) -> String {
        match self {
            Priority::Default => String::from(" | default"),
            Priority::Numbered(0) => String::new(),
            Priority::Numbered(n) => format!(" | priority {n}"),
            Priority::Force => String::from(" | force"),
        }
    }
}

impl Contract {
    pub fn text(self) -> &'static str {
        match self {
            Contract::Number => "Number",
            Contract::Text => "String",
        }
    }
}
