//! Primitive operations that have syntax. Library functions are values of `std`, not primitives.

/// An operation on evaluated operands, except for the lazy second operand of `And` and `Or`.
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
    /// `error e`: never returns (jsonnet)
    Error,
    /// `a + b` by the heads of the operands: numbers, strings with anything, arrays, objects (jsonnet). Where both are
    /// known to be objects it is [`super::Node::Inherit`].
    Plus,
    /// `a % b`: remainder, or formatting where `a` is a string (jsonnet)
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
    /// `a[from:to:step]`, each of the three `null` where it is left out (jsonnet)
    Slice,
}

impl Prim {
    /// The operator as it is written.
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
