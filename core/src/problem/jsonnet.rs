//! Problems of Jsonnet programs that are found before they run.

use super::syntax::Past;
use crate::text::{Name, Span};

/// What is wrong with a Jsonnet program's text. Where the reference has a message for it, the prose begins with that.
#[derive(Clone, PartialEq, Debug)]
pub enum Jsonnet {
    /// A token that cannot stand here.
    Unexpected {
        /// The token as written; `None` at the end of the input.
        found: Option<Name>,
        /// What could stand here, as the user would name it.
        expected: Vec<Name>,
        /// What was meant, where that can be told.
        meant: Option<Meant>,
    },
    /// A bracket, string or comment that is not closed; the span is its opening.
    Unclosed(Name),
    /// A reserved word where a name is wanted.
    Reserved {
        /// The word.
        word: Name,
        /// Where the name is wanted.
        place: NamePlace,
    },
    /// An escape sequence that means nothing; as written.
    Escape(Name),
    /// Something stands behind the `|||` that opens a text block.
    BlockNewLine,
    /// The first line of a text block is not indented.
    BlockNotIndented,
    /// A line of a text block is indented less than the first and is no `|||`.
    BlockOutdented {
        /// The `|||`.
        opening: Span,
        /// How many blanks the first line begins with.
        expected: u32,
        /// How many this one does.
        found: u32,
    },
    /// A number with a `_` or a leading zero that cannot stand there.
    Number(Name),
    /// `self`, `super` or `$` where there is no object around.
    OutsideObject(Name),
    /// A name bound twice where it can be bound once.
    Duplicate {
        /// The name.
        name: Name,
        /// What is doubled.
        what: Doubled,
        /// The first place.
        first: Span,
    },
    /// A positional argument behind a named one.
    PositionalAfterNamed,
    /// `import` of what is no string literal.
    ComputedImport,
    /// `import ||| … |||`
    BlockImport,
    /// `super` without a field.
    BareSuper,
    /// `f(x)+: e`
    PlusMethod(Name),
    /// What an object comprehension cannot have.
    Comprehension(NotInComprehension),
    /// A name that nothing binds, with near ones.
    Unbound {
        /// The name.
        name: Name,
        /// Names in scope that are near, the nearest first.
        near: Vec<Name>,
        /// A field of that name in an object around the use, and how it is read from there.
        field: Option<(Span, Reach)>,
        /// Where the name is a result's, `$4`: what that input was.
        past: Option<Box<Past>>,
    },
}

/// How a field of an object around is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// `self.name`
    This,
    /// `$.name`
    Outermost,
    /// Only through a local of the object between: `local this = self`.
    Between,
}

/// Where a name is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NamePlace {
    /// A field being defined: it can be quoted.
    Field,
    /// A field being read: it can be read by `["name"]`.
    Read,
    /// A variable.
    Variable,
}

/// What is doubled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doubled {
    /// A field of one object.
    Field,
    /// A variable of one `local` or object.
    Local,
    /// A parameter.
    Parameter,
}

/// What an object comprehension cannot have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotInComprehension {
    /// More than one field.
    Fields,
    /// A field with a written name.
    Static,
    /// A hidden field.
    Hidden,
    /// An assert.
    Asserts,
}

/// What a text that does not parse was meant to say: habits of other languages, and common slips.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meant {
    /// `{a = 1}`
    ColonForEquals,
    /// `a: 1` at the top, as in YAML.
    Braces,
    /// `x = 1` at the top.
    Local,
    /// A `;` between fields or elements.
    Comma,
    /// A comma is missing.
    MissingComma,
    /// `local x = 1` without `;`.
    Semicolon,
    /// `==` in place of `=`.
    OneEquals,
    /// `let`
    Let,
    /// `x => e`, `fun x -> e`, `def`
    Function,
    /// `c ? a : b`
    IfThenElse,
    /// A `,` between `local` and its expression.
    SemicolonForComma,
    /// `===`, `!==`
    TwoEquals,
    /// `and`, `or`, `not`
    WordOperator,
    /// `...x`
    Spread,
    /// `.5`, `1.`
    Digits,
    /// `else if` written `elif`, `elseif`
    ElseIf,
    /// `{a.b: 1}`
    NestedField,
    /// `{a + : 1}`
    PlusColon,
    /// Quotes that a word processor made.
    Quotes,
    /// A blank that a word processor made.
    Blank,
    /// `{1: e}`
    QuotedName,
    /// `{(a): e}`
    Brackets,
    /// `{a, b}`
    FieldValue,
    /// `[x if c for x in xs]`
    ForFirst,
    /// `f x`
    Call,
    /// `import "x" as y`
    ImportAs,
}

impl Jsonnet {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Jsonnet::Unexpected { .. } => "syntax/unexpected",
            Jsonnet::Unclosed(_) => "syntax/unclosed",
            Jsonnet::Reserved { .. } => "syntax/reserved",
            Jsonnet::Escape(_) => "syntax/escape",
            Jsonnet::BlockNewLine | Jsonnet::BlockNotIndented | Jsonnet::BlockOutdented { .. } => "syntax/text-block",
            Jsonnet::Number(_) => "syntax/number",
            Jsonnet::OutsideObject(_) => "scope/outside-object",
            Jsonnet::Duplicate { .. } => "scope/duplicate",
            Jsonnet::PositionalAfterNamed => "syntax/positional-after-named",
            Jsonnet::ComputedImport | Jsonnet::BlockImport => "syntax/import",
            Jsonnet::BareSuper => "syntax/super",
            Jsonnet::PlusMethod(_) => "syntax/plus-method",
            Jsonnet::Comprehension(_) => "syntax/comprehension",
            Jsonnet::Unbound { .. } => "scope/unbound",
        }
    }
}
