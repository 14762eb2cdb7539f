//! Primitive operations, which have syntax. Library functions are not primitives but values of `std`.

/// An operation on evaluated operands; only the second operand of `And` and `Or` is lazy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Prim {
    /// `-x`
    Neg,
    /// `!x`
    Not,
    /// `a + b` on numbers
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`
    Div,
    /// `a % b`
    Mod,
    /// `a ++ b` on strings
    Concat,
    /// `a @ b` on arrays
    Append,
    /// `a == b`, deep
    Eq,
    /// `a != b`
    Ne,
    /// `a < b`
    Lt,
    /// `a <= b`
    Le,
    /// `a > b`
    Gt,
    /// `a >= b`
    Ge,
    /// `a && b`, lazy in `b`
    And,
    /// `a || b`, lazy in `b`
    Or,
    /// `a in b`: whether a record has a field of that name
    In,
    /// `error e`: fails when evaluated (jsonnet)
    Error,
    /// `a + b` of two numbers, of a string and anything, of two arrays or of two objects (jsonnet). If both are known to be
    /// objects it is a [`super::Node::Inherit`].
    Plus,
    /// `a % b`: the remainder, or formatting if `a` is a string (jsonnet)
    Rem,
    /// `+x` (jsonnet)
    Pos,
    /// `~x` (jsonnet)
    BitNot,
    /// `a & b` on integers (jsonnet)
    BitAnd,
    /// `a | b` on integers (jsonnet)
    BitOr,
    /// `a ^ b` on integers (jsonnet)
    BitXor,
    /// `a << b` (jsonnet)
    Shl,
    /// `a >> b` (jsonnet)
    Shr,
    /// `a[from:to:step]`; a part that is left out is `null` (jsonnet)
    Slice,
}

impl Prim {
    /// The symbol of the operator.
    pub fn symbol(self) -> &'static str {
        match self {
            Prim::Neg | Prim::Sub => "-",
            Prim::Not => "!",
            Prim::Add => "+",
            Prim::Mul => "*",
            Prim::Div => "/",
            Prim::Mod => "%",
            Prim::Concat => "++",
            Prim::Append => "@",
            Prim::Eq => "==",
            Prim::Ne => "!=",
            Prim::Lt => "<",
            Prim::Le => "<=",
            Prim::Gt => ">",
            Prim::Ge => ">=",
            Prim::And => "&&",
            Prim::Or => "||",
            Prim::In => "in",
            Prim::Error => "error",
            Prim::Plus | Prim::Pos => "+",
            Prim::Rem => "%",
            Prim::BitNot => "~",
            Prim::BitAnd => "&",
            Prim::BitOr => "|",
            Prim::BitXor => "^",
            Prim::Shl => "<<",
            Prim::Shr => ">>",
            Prim::Slice => "[:]",
        }
    }
}
