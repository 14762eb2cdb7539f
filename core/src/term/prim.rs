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
    /// `error e`: fails when evaluated (object languages)
    Error,
    /// `a + b` of two numbers, of a string and anything, of two arrays or of two objects (object languages). If both are known to be
    /// objects it is a [`super::Node::Inherit`].
    Plus,
    /// `a % b`: the remainder, or formatting if `a` is a string (object languages)
    Rem,
    /// `+x` (object languages)
    Pos,
    /// `~x` (object languages)
    BitNot,
    /// `a & b` on integers (object languages)
    BitAnd,
    /// `a | b` on integers (object languages)
    BitOr,
    /// `a ^ b` on integers (object languages)
    BitXor,
    /// `a << b` (object languages)
    Shl,
    /// `a >> b` (object languages)
    Shr,
    /// `{k => v,}`: a map of its operands, key after key (mcl)
    Map,
    /// `e[i] || d`: an element of a list or map, or a default (mcl)
    Lookup,
    /// `e->f || d`: a field of a struct, or a default; the second operand is the name (mcl)
    FieldOr,
    /// The names of a resource: a string, or an array of strings (mcl)
    Names,
    /// `a[from:to:step]`; a part that is left out is `null` (object languages)
    Slice,
    /// `a else b`: `b` if `a` has no match, that is, reads a name or a field that does not exist (yay). Lazy in `b`.
    Else,
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
            Prim::Map => "=>",
            Prim::Lookup | Prim::FieldOr => "||",
            Prim::Names => "name",
            Prim::Else => "else",
        }
    }
}
