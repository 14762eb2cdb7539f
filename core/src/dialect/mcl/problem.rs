//! Problems of mcl programs that are found before evaluation. The code of each says at which stage.

use super::report;
use super::token::Kind;
use crate::problem::report::Report;
use crate::problem::syntax::{LanguageProblem, PastInput};
use crate::text::{Name, Span};

/// The kind of problem in an mcl program.
#[derive(Clone, PartialEq, Debug)]
pub enum MclProblem {
    /// An unexpected token.
    Unexpected {
        /// The token as written. `None` at the end of the input.
        found: Option<Name>,
        /// The expected thing, in the user's terms.
        expected: Vec<Name>,
        /// The common mistake, if it was recognized.
        meant: Option<Meant>,
    },
    /// An unclosed bracket or string. The problem's span is its opening.
    Unclosed(Name),
    /// A reserved word in place of a name.
    Reserved(Name),
    /// An unknown escape sequence, as written.
    Escape(Name),
    /// A number that does not fit into 64 bits.
    Number(Name),
    /// A second comparison in a chain.
    Chained(Name),
    /// A malformed `${…}`, and the reason.
    Interpolation(Name),
    /// A kind of resources that does not exist.
    UnknownKind {
        /// The kind.
        kind: Name,
        /// Similar kinds, nearest first.
        near: Vec<Name>,
    },
    /// A field that a kind of resources does not have.
    UnknownField {
        /// The kind.
        kind: Name,
        /// The field.
        field: Name,
        /// Similar fields, nearest first.
        near: Vec<Name>,
        /// The fields that it has, if they are few.
        known: Vec<Name>,
    },
    /// A meta parameter that does not exist.
    UnknownMeta {
        /// The parameter.
        name: Name,
        /// Similar ones, nearest first.
        near: Vec<Name>,
    },
    /// A field that is set twice in one resource.
    RepeatedField {
        /// The field.
        field: Name,
        /// The place of the first one.
        first: Span,
    },
    /// A literal whose type differs from the annotation of its definition.
    Literal {
        /// The type of the literal.
        found: &'static str,
        /// The annotation.
        annotation: Span,
    },
    /// A literal or a constant that does not fit into a field.
    Range {
        /// The kind of the resource.
        kind: Name,
        /// The field.
        field: Name,
        /// The number.
        value: i64,
        /// The smallest and the largest number that fit.
        range: (i64, i64),
        /// The place where the field is set to the variable that holds the number.
        set: Option<Span>,
    },
    /// A constant text that a field cannot have. A warning: the resource refuses it only when it runs.
    Value {
        /// The kind of the resource.
        kind: Name,
        /// The field.
        field: Name,
        /// The text.
        value: Name,
        /// The texts that the field can have.
        all: Box<[Name]>,
        /// Similar texts, nearest first.
        near: Vec<Name>,
    },
    /// An edge in a resource whose word is not one of `Before`, `Depend`, `Notify` and `Listen`.
    NotAnEdge {
        /// The word.
        word: Name,
        /// The words that were probably meant.
        near: Vec<Name>,
    },
    /// The kind of a resource without a capital in an edge: `svc["a"]`, and how the ends are written.
    SmallEdge(Name),
    /// A part of a resource or of a list without its comma. The problem's span is its last token.
    NoComma {
        /// The bracket that closes the whole.
        close: &'static str,
    },
    /// A bracket that is not closed before the next statement, which begins here.
    NotClosed {
        /// The opening bracket.
        open: Kind,
        /// The first token of the next statement.
        next: Span,
    },
    /// An `if` in an expression without `else`. The problem's span is the closing brace of the first branch.
    NoElse,
    /// The name of a resource without quotes, as written.
    BareName(Name),
    /// The name of a variable with letters that a name cannot have.
    VariableName {
        /// The name as written.
        found: Name,
        /// A name that is possible.
        proper: Name,
        /// The name read as a difference of variables.
        difference: Option<Name>,
    },
    /// The other end of an edge of a resource that is not written as one.
    EdgeEnd {
        /// The word of the edge: `Depend`.
        word: Name,
        /// Whether it is a list of ends.
        list: bool,
    },
    /// A number of elements that is read like a field: `$list.length`. Holds the variable.
    Length(Name),
    /// `c("a")` as a statement.
    NoInclude(Name),
    /// A `collect`, which collects nothing here.
    Collect,
    /// An import whose path names neither a module nor a file.
    Module {
        /// The path.
        path: Name,
        /// The reason why it cannot be imported.
        why: Name,
        /// Similar modules of the library, nearest first.
        near: Vec<Name>,
    },
    /// A remote module that no local folder has.
    NotCached {
        /// The path of the import.
        path: Name,
        /// The files that were looked for.
        tried: Vec<Name>,
    },
    /// A mistake in a user's `kinds.toml`.
    Table(Name),
    /// A name that is not in scope.
    Unbound {
        /// The kind of thing that it names.
        what: Named,
        /// The name.
        name: Name,
        /// Similar names, nearest first.
        near: Vec<Name>,
        /// The place or the form in which the name exists.
        elsewhere: Option<Elsewhere>,
    },
    /// A variable in a string that is written without braces, `"$x"`. Nothing is inserted.
    Dollar(Name),
    /// A field of a variable in a string, `"${s.name}"`.
    FieldInString {
        /// The variable.
        variable: Name,
        /// The field.
        field: Name,
    },
    /// The path of an import that has a variable, as written.
    VariablePath(Name),
    /// `$9`: an input of the session without a result.
    Input(PastInput),
    /// A name that is bound twice in one scope.
    Duplicate {
        /// The kind of thing that it names.
        what: Named,
        /// The name.
        name: Name,
        /// The place of the first definition.
        first: Span,
    },
    /// A variable in the braces of an `if` or a loop that nothing uses, with the name of a variable outside. A warning.
    Hides {
        /// The name.
        name: Name,
        /// The place of the one outside.
        outer: Span,
    },
    /// A lookup of a key that a literal map does not have. A warning: the value is the empty one of its type.
    NoKey {
        /// The variable that is bound to the map.
        variable: Name,
        /// The place of the variable.
        at: Span,
        /// The key.
        key: Name,
        /// Similar keys, nearest first.
        near: Vec<Name>,
        /// The keys of the map.
        keys: Vec<Name>,
    },
    /// A lookup of an element that a literal list does not have. A warning: the value is the empty one of its type.
    NoElement {
        /// The variable that is bound to the list.
        variable: Name,
        /// The place of the variable.
        at: Span,
        /// The number of the element.
        index: i64,
        /// The number of elements of the list.
        length: usize,
    },
    /// Definitions that refer to themselves.
    Recursive {
        /// The definitions, in order.
        cycle: Vec<(Named, Name, Span)>,
    },
    /// An `include` whose number of arguments differs from the number of parameters of the class.
    ClassArguments {
        /// The class.
        class: Name,
        /// The number of its parameters.
        takes: usize,
        /// The number of arguments.
        given: usize,
        /// The place of the class.
        at: Span,
        /// The names of its parameters.
        params: Vec<Name>,
    },
}

/// The place or the form in which a name exists that is not in scope.
#[derive(Clone, PartialEq, Debug)]
pub enum Elsewhere {
    /// A module of the library that is not imported.
    Module(Name),
    /// The name of something else.
    As(Named),
    /// A variable of this name in the branches of an `if`.
    Branch(Span),
    /// A variable of this name in a class, which may be included without a namespace.
    Class(Name, Span),
    /// Perhaps in the only file or class that has this namespace.
    Namespace(Name),
}

/// The kinds of things that have names in an mcl program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    /// A variable.
    Variable,
    /// A function.
    Function,
    /// A class.
    Class,
    /// A namespace: an import, or an `include … as`.
    Namespace,
    /// A parameter of a function or class.
    Parameter,
    /// A field of a struct.
    Field,
}

impl Named {
    /// Returns the word for it.
    pub fn word(self) -> &'static str {
        match self {
            Named::Variable => "variable",
            Named::Function => "function",
            Named::Class => "class",
            Named::Namespace => "namespace",
            Named::Parameter => "parameter",
            Named::Field => "field",
        }
    }

    /// Returns the name as it is written in a program.
    pub fn written(self, name: &str) -> String {
        match self {
            Named::Variable | Named::Parameter => format!("${name}"),
            Named::Function => format!("{name}()"),
            _ => String::from(name),
        }
    }
}

/// A common mistake, for example a habit from another language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meant {
    /// `let x = 1`, `$x := 1`
    Bind,
    /// `===`
    Compare,
    /// `elif`, `else if`
    ElseIf,
    /// `return x`
    Return,
    /// `!x`
    Not,
    /// `&&`
    And,
    /// `a || b`
    Or,
    /// typographic or single quotes
    Quotes,
    /// `-x`
    Negate,
    /// `x` where `$x` was meant
    Variable,
    /// `[1, 2,]` with a last comma, in the newest syntax
    CommaOfLine,
    /// the same of elements on lines of their own, without the last comma
    CommaOfLines,
    /// elements of which some are on one line, in the newest syntax
    Lines,
    /// two statements on one line, in the newest syntax
    Statements,
    /// `||` in the newest syntax
    Except,
    /// newer syntax than that of 2024
    Newest,
    /// `name = value` or `name: value` in a resource
    Arrow,
    /// `if c` without braces
    Braces,
    /// Fields of a resource without braces.
    Fields,
    /// `file { "/a": …`
    NameFirst,
    /// `pkg["nginx"]`
    EdgeOf,
    /// `{host => "a",}`
    MapKey,
    /// `{a: 1}`, `{a = 1}`
    MapArrow,
    /// `null`, `None`
    Null,
    /// `f(a => 1)`
    ByPlace,
    /// `{ $x = 1 … }` as the body of a function.
    OneExpression,
    /// A resource in the body of a function.
    ClassBody,
    /// `"a" if c`
    Choice,
    /// `def f(x)`
    Function,
    /// `for`, `foreach`
    Loop,
    /// `unless c`
    Unless,
    /// `case x`, `switch x`
    Case,
    /// `resource file "/a" {`
    Resource,
    /// `node "web" {`
    Node,
    /// `class a inherits b`
    Inherits,
    /// `include a::b`
    Namespace,
    /// `$a: str` among parameters
    ParameterType,
    /// `$a = 1` among parameters
    ParameterDefault,
    /// `"a" . "b"`
    Join,
    /// `"a".upper()`
    Method,
    /// `f"…"`
    Prefix,
    /// `"""…"""`
    TripleQuotes,
    /// `True`, `FALSE`
    LowerCase,
    /// `[e for $x in $list]`
    Comprehension,
    /// `// …`
    Comment,
}

impl LanguageProblem for MclProblem {
    // the first part is the stage that found the problem
    fn code(&self) -> &'static str {
        match self {
            MclProblem::Unexpected { .. } => "syntax/unexpected",
            MclProblem::Unclosed(_) | MclProblem::NotClosed { .. } => "syntax/unclosed",
            MclProblem::Reserved(_) => "syntax/reserved",
            MclProblem::Escape(_) => "syntax/escape",
            MclProblem::Number(_) => "syntax/number",
            MclProblem::Chained(_) => "syntax/chained",
            MclProblem::Interpolation(_) | MclProblem::FieldInString { .. } => "interpolation/malformed",
            MclProblem::Dollar(_) => "syntax/dollar",
            MclProblem::UnknownKind { .. } => "init/unknown-kind",
            MclProblem::UnknownField { .. } => "init/unknown-field",
            MclProblem::UnknownMeta { .. } => "init/unknown-meta",
            MclProblem::RepeatedField { .. } => "init/repeated-field",
            MclProblem::Literal { .. } => "syntax/literal",
            MclProblem::Range { .. } => "value/range",
            MclProblem::Value { .. } => "init/unknown-value",
            MclProblem::NoElse
            | MclProblem::NotAnEdge { .. }
            | MclProblem::SmallEdge(_)
            | MclProblem::NoComma { .. }
            | MclProblem::BareName(_)
            | MclProblem::VariableName { .. }
            | MclProblem::EdgeEnd { .. }
            | MclProblem::NoInclude(_) => "syntax/unexpected",
            MclProblem::Collect => "value/collect",
            MclProblem::Module { .. } | MclProblem::NotCached { .. } | MclProblem::VariablePath(_) => "scope/import",
            MclProblem::Table(_) => "init/kinds",
            MclProblem::Unbound { .. } | MclProblem::Input(_) | MclProblem::Length(_) => "scope/unbound",
            MclProblem::Duplicate { .. } => "scope/duplicate",
            MclProblem::NoKey { .. } | MclProblem::NoElement { .. } => "value/no-element",
            MclProblem::Hides { .. } => "scope/hides",
            MclProblem::Recursive { .. } => "scope/recursive",
            MclProblem::ClassArguments { .. } => "scope/class-arguments",
        }
    }

    fn write(&self, span: Span, report: &mut Report) {
        report::write(self, span, report);
    }
}
