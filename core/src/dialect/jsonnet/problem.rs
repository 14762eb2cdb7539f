//! Problems of Jsonnet programs that are found before evaluation.

use super::report;
use crate::problem::report::Report;
use crate::problem::syntax::{LanguageProblem, PastInput};
use crate::text::{Name, Span};

/// The kind of problem in a Jsonnet program. If the reference implementation has a message for it, ours begins with that.
#[derive(Clone, PartialEq, Debug)]
pub enum JsonnetProblem {
    /// An unexpected token.
    Unexpected {
        /// The token as written. `None` at the end of the input.
        found: Option<Name>,
        /// The expected thing, in the user's terms.
        expected: Vec<Name>,
        /// The common mistake, if it was recognized.
        mistake: Option<Mistake>,
    },
    /// An unclosed bracket, string or comment. The problem's span is its opening.
    Unclosed(Name),
    /// A reserved word in place of a name.
    Reserved {
        /// The word.
        word: Name,
        /// The kind of place.
        place: NamePlace,
    },
    /// An unknown escape sequence, as written.
    Escape(Name),
    /// Text on the same line after the `|||` that opens a text block.
    BlockNewLine,
    /// A text block whose first line is not indented.
    BlockNotIndented,
    /// A line of a text block that is indented less than the first line and is not `|||`.
    BlockOutdented {
        /// The opening `|||`.
        opening: Span,
        /// Whether a `|||` closes the block after this line.
        closed: bool,
        /// The indentation of the first line, in characters.
        expected: u32,
        /// The indentation of this line, in characters.
        found: u32,
    },
    /// One or two bars that are meant to close a text block, with its opening `|||`.
    BlockBars(Span),
    /// A number with a misplaced `_` or a leading zero.
    Number(Name),
    /// `self`, `super` or `$` outside of an object.
    OutsideObject(Name),
    /// A name that is bound twice.
    Duplicate {
        /// The name.
        name: Name,
        /// The kind of thing.
        what: DuplicateKind,
        /// The span of the first occurrence.
        first: Span,
    },
    /// A positional argument after a named one.
    PositionalAfterNamed,
    /// An import whose path is not a string literal.
    ComputedImport(WrittenPath),
    /// An import whose path is a text block.
    BlockImport,
    /// `super` without a field.
    BareSuper,
    /// A string with `${x}`, which inserts nothing. Holds the path that is in scope.
    Dollar(Name),
    /// A field of an object that follows another object without a comma, and replaces the field of that one. A warning.
    Joined {
        /// The field that it replaces.
        first: Span,
    },
    /// A method with `+:`, as in `f(x)+: e`.
    PlusMethod(Name),
    /// Something that an object comprehension cannot contain.
    Comprehension(NotInComprehension),
    /// An unbound name.
    Unbound {
        /// The name.
        name: Name,
        /// Similar names in scope, nearest first.
        near: Vec<Name>,
        /// A field of that name in an enclosing object, and the way to read it.
        field: Option<(Span, OuterAccess)>,
        /// If the name is that of a result, `$4`: information about that input.
        past: Option<Box<PastInput>>,
        /// If the name is a part of a name with `-`: information about that name.
        dashed: Option<Box<Dashed>>,
        /// Whether it is called, or a part of it is read, so that it is not a text without quotes.
        read: bool,
    },
    /// A date without quotes, as it is written.
    Date(Name),
}

/// A name with `-` that is not in quotes: `labels.app-name`, which is a subtraction.
#[derive(Clone, PartialEq, Debug)]
pub struct Dashed {
    /// The part before the first `-`: `labels.app`.
    pub left: Name,
    /// The part after the first `-`: `name`.
    pub right: Name,
    /// The object, if the name is that of a field: `labels`.
    pub object: Option<Name>,
    /// The whole name: `app-name`.
    pub name: Name,
}

/// The path of an import that is not a string literal.
#[derive(Clone, PartialEq, Debug)]
pub enum WrittenPath {
    /// A string in parentheses, which holds the string.
    Parentheses(Name),
    /// A name, which it holds.
    Name(Name),
    /// A path without quotes: `lib/a.libsonnet`.
    Bare,
    /// A part of what is imported: `import 'a'.b`.
    Part,
    /// Another expression.
    Computed,
}

/// The way to read a field of an enclosing object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OuterAccess {
    /// `self.name`
    This,
    /// `$.name`
    Outermost,
    /// Through a local of an object in between: `local this = self`.
    Between,
}

/// The kind of place that needs a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NamePlace {
    /// The definition of a field. The name can be quoted.
    Field,
    /// The access of a field. `["name"]` can be used instead.
    Read,
    /// A variable.
    Variable,
}

/// The kind of name that is bound twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DuplicateKind {
    /// A field of one object.
    Field,
    /// A variable of one `local` or object.
    Local,
    /// A parameter.
    Parameter,
}

/// The part that an object comprehension cannot contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotInComprehension {
    /// More than one field.
    Fields,
    /// A field after the comprehension.
    FieldAfter,
    /// No field.
    NoField,
    /// A field with a written name.
    Static,
    /// A field with a fixed name.
    Hidden,
    /// An assert.
    Asserts,
}

/// A common mistake, for example a habit from another language. The examples show what was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mistake {
    /// `{a = 1}` instead of `{a: 1}`
    ColonForEquals,
    /// `a: 1` at top level, as in YAML
    Braces,
    /// `x = 1` at top level
    Local,
    /// `;` between fields or elements
    Comma,
    /// a missing comma
    MissingComma,
    /// `'a' 'b'`
    TwoStrings,
    /// `error` without a message
    ErrorWord,
    /// `local x = 1` without `;`
    Semicolon,
    /// `==` instead of `=`
    OneEquals,
    /// `let`
    Let,
    /// `x => e`, `fun x -> e`, `def`
    Function,
    /// `local f = (x) e`
    FunctionWord,
    /// `for x in xs`, without an element before it
    Comprehension,
    /// a closing bracket that nothing opens
    Closing,
    /// `local x;`
    LocalValue,
    /// `c ? a : b`
    IfThenElse,
    /// `,` between `local` and its expression
    SemicolonForComma,
    /// `===`, `!==`
    TwoEquals,
    /// `$port`
    Dollar,
    /// `{ if c: 1 }`
    ConditionalField,
    /// `{ for x in xs: … }`
    ComputedFields,
    /// `for k, v in object`
    ForEntries,
    /// `for x of xs`
    ForOf,
    /// `a and b`
    And,
    /// `a or b`
    Or,
    /// `not a`
    Not,
    /// `...x`
    Spread,
    /// `.5`, `1.`
    Digits,
    /// `elif` or `elseif`
    ElseIf,
    /// `{a.b: 1}`
    NestedField,
    /// `{a + : 1}`
    PlusColon,
    /// `'it's'`
    QuoteInside,
    /// typographic quotes
    Quotes,
    /// a text in backquotes with `${x}` in it
    Template,
    /// `local x = 1;` in an object
    LocalInObject,
    /// `local a = 1, local b = 2;`
    RepeatedLocal,
    /// `{ name 'x' }`
    MissingColon,
    /// `a: nginx:1.25`
    TextWithColon,
    /// `1.2.3`
    DottedNumbers,
    /// `x not in xs`, `x !in xs`
    NotIn,
    /// a no-break space
    Blank,
    /// `{1: e}`
    QuotedName,
    /// `{(a): e}`
    Brackets,
    /// `{a, b}`
    FieldValue,
    /// `[x for x in xs where c]`
    Condition,
    /// `[x if c for x in xs]`
    ForFirst,
    /// `f x`
    Call,
    /// `import "x" as y`
    ImportAs,
    /// `if c { … }`
    IfBraces,
    /// `f'…'`
    Interpolated,
    /// `a ?? b`, `a?.b`
    DefaultValue,
    /// `return e`
    Return,
    /// `;` after the whole program
    LastSemicolon,
    /// `o.a = 1`
    Assignment,
    /// `a += e`
    PlusEquals,
    /// `x++`
    Increment,
    /// `'a' . 'b'`
    Joined,
    /// `x;` after nothing: two expressions in a row
    TrailingOperator,
    /// `xs.0`
    ElementIndex,
    /// `xs[0]+: { … }`
    ElementField,
    /// `1 + 2 = 3` and other signs after a name that needs quotes
    QuotedField,
    /// `a: ` without a value
    MissingValue,
    /// a comma without a field or an element before it
    ExtraComma,
    /// a bracket of another kind is open
    OtherBracket,
    /// two expressions in a row
    SecondExpression,
    /// an import without a name before another expression
    BindImport,
    /// `local x = 1` at the end
    NoBody,
    /// `f tailstrict (x)`
    Tailstrict,
    /// `else: e`
    ElseColon,
}

impl LanguageProblem for JsonnetProblem {
    fn code(&self) -> &'static str {
        match self {
            JsonnetProblem::Unexpected { .. } => "syntax/unexpected",
            JsonnetProblem::Unclosed(_) => "syntax/unclosed",
            JsonnetProblem::Reserved { .. } => "syntax/reserved",
            JsonnetProblem::Escape(_) => "syntax/escape",
            JsonnetProblem::BlockNewLine
            | JsonnetProblem::BlockNotIndented
            | JsonnetProblem::BlockBars(_)
            | JsonnetProblem::BlockOutdented { .. } => "syntax/text-block",
            JsonnetProblem::Number(_) | JsonnetProblem::Date(_) => "syntax/number",
            JsonnetProblem::OutsideObject(_) => "scope/outside-object",
            JsonnetProblem::Duplicate { .. } => "scope/duplicate",
            JsonnetProblem::PositionalAfterNamed => "syntax/positional-after-named",
            JsonnetProblem::ComputedImport(_) | JsonnetProblem::BlockImport => "syntax/import",
            JsonnetProblem::BareSuper => "syntax/super",
            JsonnetProblem::Dollar(_) => "syntax/dollar",
            JsonnetProblem::Joined { .. } => "syntax/joined-objects",
            JsonnetProblem::PlusMethod(_) => "syntax/plus-method",
            JsonnetProblem::Comprehension(_) => "syntax/comprehension",
            JsonnetProblem::Unbound { .. } => "scope/unbound",
        }
    }

    fn write(&self, span: Span, report: &mut Report) {
        report::write(self, span, report);
    }
}
