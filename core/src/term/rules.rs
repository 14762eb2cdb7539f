//! What differs between languages once their programs are terms: named questions, and each language's answers to them.

/// The answers of a language. Inference and evaluation ask the term at hand, so that a session can mix languages.
#[derive(Debug)]
pub struct Rules {
    /// What operators accept.
    pub operators: Operators,
    /// What a record is.
    pub records: Records,
    /// How functions are called.
    pub calls: Calls,
    /// What the type of `null` is.
    pub null: Null,
    /// What the library answers with when it is asked for the kind of a value.
    pub kinds: Kinds,
    /// Whose words the faults of evaluation use.
    pub messages: Messages,
    /// Whether a record literal that defines a field twice fails; else the definitions are merged.
    pub unique_fields: bool,
    /// Whether a computed field name that is `null` leaves the field out; else it is a fault.
    pub null_omits_field: bool,
    /// Whether frames are counted against `--max-stack`, as the reference implementation counts them.
    pub counts_frames: bool,
    /// The name under which terms read the library: [`STD`], or one of [`is_file_library`].
    pub library: &'static str,
    /// The operator that puts one record over another.
    pub merge_operator: &'static str,
    /// How a number or a boolean is written as a string, given its text and the same as an operand.
    pub to_string: fn(&str, &str) -> String,
    /// How a string is written as a number.
    pub to_number: fn(&str, &str) -> String,
}

/// What operators accept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operators {
    /// Operands of one type each; numbers are exact rationals.
    Typed,
    /// Whatever their operands are: `+` adds numbers, joins strings and arrays, and extends objects. Numbers are IEEE
    /// doubles; arrays and strings are indexed by numbers.
    Overloaded,
}

/// What a record is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Records {
    /// A set of definitions with priorities; others are merged with it, and the result does not depend on the order.
    Merged,
    /// An object with `self` and `super`, which another one extends: until then its fields may change their types, and what
    /// is missing may still come.
    Extended,
}

/// How functions are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// With one argument after the other.
    Curried,
    /// With all arguments at once, by position or by name.
    Whole,
}

/// What the type of `null` is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Null {
    /// A type of its own.
    Own,
    /// Any type: `null` is a field that gets its value later.
    Any,
}

/// What the library answers with when it is asked for the kind of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kinds {
    /// Enum tags: `'Number`.
    Tags,
    /// Strings: `"number"`.
    Strings,
}

/// Whose words the faults of evaluation use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Messages {
    /// Ours.
    Own,
    /// Those of the reference implementation of Jsonnet.
    Reference,
}

/// The name under which most terms read the library.
pub const STD: &str = "std";

/// Whether terms read under this name a library that knows the file it is read in, and the inputs of the program. Nobody can
/// write such a name.
pub fn is_file_library(name: &str) -> bool {
    name.starts_with("%std.")
}

/// Whether terms read a library under this name.
pub fn is_library(name: &str) -> bool {
    name == STD || is_file_library(name)
}

/// The rules of the core language, which are Nickel's too. Terms that no program was lowered to follow them.
pub static CORE: Rules = Rules {
    operators: Operators::Typed,
    records: Records::Merged,
    calls: Calls::Curried,
    null: Null::Own,
    kinds: Kinds::Tags,
    messages: Messages::Own,
    unique_fields: false,
    null_omits_field: false,
    counts_frames: false,
    library: STD,
    merge_operator: "&",
    to_string: |_, operand| format!("(std.to_string {operand})"),
    to_number: |_, operand| format!("(std.string.to_number {operand})"),
};

/// The rules of Jsonnet. Paths with elements follow them too: only they have an expression for an element.
pub static OBJECTS: Rules = Rules {
    operators: Operators::Overloaded,
    records: Records::Extended,
    calls: Calls::Whole,
    null: Null::Any,
    kinds: Kinds::Strings,
    messages: Messages::Reference,
    unique_fields: true,
    null_omits_field: true,
    counts_frames: true,
    library: "%std.jsonnet",
    merge_operator: "+",
    to_string: |text, _| format!("std.toString({text})"),
    to_number: |text, _| format!("std.parseJson({text})"),
};

impl Default for &'static Rules {
    fn default() -> Self {
        &CORE
    }
}

/// Rules are told apart by where they are.
impl PartialEq for Rules {
    fn eq(&self, other: &Rules) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Rules {
    /// Whether records are objects that others extend.
    pub fn extends(&self) -> bool {
        self.records == Records::Extended
    }

    /// Whether operators work on whatever their operands are.
    pub fn overloads(&self) -> bool {
        self.operators == Operators::Overloaded
    }

    /// Whether functions take all arguments at once.
    pub fn calls_whole(&self) -> bool {
        self.calls == Calls::Whole
    }

    /// Whether `null` is of any type.
    pub fn null_is_any(&self) -> bool {
        self.null == Null::Any
    }

    /// Whether faults use the words of the reference implementation.
    pub fn speaks_as_reference(&self) -> bool {
        self.messages == Messages::Reference
    }
}
