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
        }
    }
}
