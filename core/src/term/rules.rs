//! The semantic rules in which languages differ after lowering, and the rules of each language.

/// The rules of a language. Inference and evaluation use the rules of the current term, so a session can mix languages.
#[derive(Debug)]
pub struct Rules {
    /// The operands that operators accept.
    pub operators: Operators,
    /// The semantics of records.
    pub records: Records,
    /// The way in which types are inferred.
    pub typing: Typing,
    /// The way in which guards read the fields that they guard.
    pub guards: Guards,
    /// The way in which a definition with `plus` is combined with the layers below.
    pub layers: Layering,
    /// The form of function calls.
    pub calls: Calls,
    /// The type of `null`.
    pub null: Null,
    /// The form in which the library returns the kind of a value.
    pub kinds: Kinds,
    /// The wording of evaluation errors.
    pub messages: Messages,
    /// The kind of result that a program evaluates to.
    pub results: Results,
    /// Whether a record literal that defines a field twice is an error. Otherwise its definitions are merged.
    pub unique_fields: bool,
    /// Whether a computed field name that is `null` omits the field. Otherwise it is an error.
    pub null_omits_field: bool,
    /// Whether frames count against `--max-stack`, as in the reference implementation.
    pub counts_frames: bool,
    /// The name under which terms read the library: [`STD`], or a name that begins with `%std.`.
    pub library: &'static str,
    /// The operator that combines two records.
    pub merge_operator: &'static str,
    /// Whether external variables are read by functions of the library that have their names: `datetime.now`.
    pub functions_are_inputs: bool,
    /// The text between a name and its type where the name is bound.
    pub annotation: &'static str,
    /// The sign before a variable, in a language that annotates only names.
    pub variable: Option<&'static str>,
    /// Returns an expression that converts a number or a boolean to a string. The arguments are the source text, and
    /// the same text as an operand.
    pub to_string: fn(&str, &str) -> String,
    /// Returns an expression that converts a string to a number. The arguments are as in `to_string`.
    pub to_number: fn(&str, &str) -> String,
}

/// The operands that operators accept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operators {
    /// Operators accept operands of one type each. Numbers are exact rationals.
    Typed,
    /// Operators depend on the types of their operands: `+` adds numbers, joins strings and arrays, and extends
    /// objects. Numbers are IEEE doubles. Arrays and strings are indexed by numbers.
    Overloaded,
    /// Like [`Operators::Overloaded`], and operands are converted: a string of digits is a number where one is needed, and
    /// every value is true or false. Integers are exact, other numbers are doubles. Interpolation accepts all scalars.
    Converting,
    /// Operators have instances for certain types, and both operands have one type: `+` adds integers of 64 bits or
    /// floats, or joins strings.
    Instances,
}

/// The way in which types are inferred.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Typing {
    /// A value may have a type that is known in part. A mistake is an error only if the result runs into it.
    Gradual,
    /// Every expression has one type, which is known before evaluation. Integers and floats are different types, records
    /// are exact and ordered, and only named functions are polymorphic. A program with a mistake is not evaluated.
    Exact,
}

/// The kinds of results that programs evaluate to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Results {
    /// A value.
    Value,
    /// A graph of resources: a record of `resources` and `edges`.
    Resources,
}

/// The semantics of records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Records {
    /// A set of definitions with priorities. Merging adds definitions, and the result does not depend on their order.
    Merged,
    /// An object with `self` and `super`, which another object can extend. The extension may change the types of fields
    /// and add missing fields.
    Extended,
}

/// The way in which guards read the fields that they guard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guards {
    /// A guard reads the final record. A guard that needs the field that it guards depends on itself.
    Final,
    /// A guard that needs a field that it guards reads the layers below. Afterwards the guard is evaluated again in the
    /// final record; a different result is an error.
    Peek,
}

/// The way in which a definition with `plus` is combined with the layers below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layering {
    /// By the operator `+`.
    Plus,
    /// A record extends a record, and an array continues an array. Anything else is an error.
    Extend,
}

/// The form of function calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// Functions take one argument at a time.
    Curried,
    /// Functions take all arguments at once, by position or by name.
    Whole,
}

/// The type of `null`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Null {
    /// A separate type.
    Own,
    /// Any type: `null` marks a field that gets its value later.
    Any,
}

/// The form in which the library returns the kind of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kinds {
    /// Enum tags: `'Number`.
    Tags,
    /// Strings: `"number"`.
    Strings,
}

/// The wording of evaluation errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Messages {
    /// The wording of cfg.
    Own,
    /// The wording of the reference implementation of object languages.
    Reference,
}

/// The name, in the library of mcl, of the function that makes the graph of a `for` statement.
pub const FOR_ELEMENTS: &str = "%for";
/// The name of the function that makes the graph of a `forkv` statement.
pub const FOR_ENTRIES: &str = "%forkv";

/// The name under which most terms read the library.
pub const STD: &str = "std";

/// Returns `true` if the library with this name depends on the file that reads it and on the inputs of the program. A
/// user cannot write such a name.
pub(crate) fn is_file_library(name: &str) -> bool {
    name.starts_with("%std.")
}

/// Returns the name of a library in programs, from the name under which terms read it.
pub(crate) fn library_in_programs(name: &'static str) -> &'static str {
    name.trim_start_matches('%').split('.').next().unwrap_or(name)
}

/// Returns `true` if terms read a library under this name.
pub(crate) fn is_library(name: &str) -> bool {
    name == STD || is_file_library(name)
}

/// The fields of the schema of a node with side effects: the contracts of its inputs and of its outputs.
pub(crate) const NODE_SCHEMA: [&str; 2] = ["inputs", "outputs"];

/// The function that makes an instance of a prototype or of a schema.
pub(crate) const PROTOTYPE: &str = "_prototype";

/// The rules of the core language. Terms that were not lowered from a program follow them too.
pub static CORE: Rules = Rules {
    operators: Operators::Typed,
    records: Records::Merged,
    typing: Typing::Gradual,
    guards: Guards::Final,
    layers: Layering::Plus,
    calls: Calls::Curried,
    null: Null::Own,
    kinds: Kinds::Tags,
    messages: Messages::Own,
    results: Results::Value,
    unique_fields: false,
    null_omits_field: false,
    counts_frames: false,
    library: STD,
    merge_operator: "&",
    functions_are_inputs: false,
    annotation: " : ",
    variable: None,
    to_string: |_, operand| format!("(std.to_string {operand})"),
    to_number: |_, operand| format!("(std.string.to_number {operand})"),
};

/// The rules of object languages. Paths with elements follow them too, because no other rules have an expression for an element.
pub static OBJECTS: Rules = Rules {
    operators: Operators::Overloaded,
    records: Records::Extended,
    typing: Typing::Gradual,
    guards: Guards::Final,
    layers: Layering::Plus,
    calls: Calls::Whole,
    null: Null::Any,
    kinds: Kinds::Strings,
    messages: Messages::Reference,
    results: Results::Value,
    unique_fields: true,
    null_omits_field: true,
    counts_frames: true,
    library: "%std.objects",
    merge_operator: "+",
    functions_are_inputs: false,
    annotation: " : ",
    variable: None,
    to_string: |text, _| format!("std.toString({text})"),
    to_number: |text, _| format!("std.parseJson({text})"),
};

/// The rules of mgmt's language.
pub static GRAPHS: Rules = Rules {
    operators: Operators::Instances,
    records: Records::Merged,
    typing: Typing::Exact,
    guards: Guards::Final,
    layers: Layering::Plus,
    calls: Calls::Whole,
    null: Null::Own,
    kinds: Kinds::Strings,
    messages: Messages::Own,
    results: Results::Resources,
    unique_fields: false,
    null_omits_field: false,
    counts_frames: false,
    library: "%std.graphs",
    merge_operator: "and",
    functions_are_inputs: true,
    annotation: " ",
    variable: Some("$"),
    to_string: |text, _| format!("fmt.printf(\"%v\", {text})"),
    to_number: |text, _| format!("convert.str_to_int({text})"),
};

/// The rules of documents that are made of stanzas (Yay): ordered layers with guards.
pub static STANZAS: Rules = Rules {
    operators: Operators::Converting,
    records: Records::Extended,
    guards: Guards::Peek,
    layers: Layering::Extend,
    typing: Typing::Gradual,
    calls: Calls::Whole,
    null: Null::Own,
    kinds: Kinds::Strings,
    messages: Messages::Own,
    results: Results::Value,
    unique_fields: false,
    null_omits_field: false,
    counts_frames: false,
    library: "%std.stanzas",
    merge_operator: "+",
    functions_are_inputs: false,
    annotation: " : ",
    variable: None,
    to_string: |_, operand| format!("(\"\" + {operand})"),
    to_number: |_, operand| format!("(0 + {operand})"),
};

impl Default for &'static Rules {
    fn default() -> Self {
        &CORE
    }
}

/// Compares rules by address.
impl PartialEq for Rules {
    fn eq(&self, other: &Rules) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Rules {
    /// Returns `true` if records are objects that others can extend.
    pub fn extends(&self) -> bool {
        self.records == Records::Extended
    }

    /// Returns `true` if a program makes a graph of resources.
    pub fn makes_resources(&self) -> bool {
        self.results == Results::Resources
    }

    /// Returns `true` if operators have instances for certain types.
    pub fn has_instances(&self) -> bool {
        self.operators == Operators::Instances
    }

    /// Returns `true` if every expression has one type, which is known before evaluation.
    pub fn is_exact(&self) -> bool {
        self.typing == Typing::Exact
    }

    /// Returns `true` if operators depend on the types of their operands.
    pub fn overloads(&self) -> bool {
        matches!(self.operators, Operators::Overloaded | Operators::Converting)
    }

    /// Returns `true` if operators convert their operands.
    pub fn converts(&self) -> bool {
        self.operators == Operators::Converting
    }

    /// Returns `true` if a guard may read the fields that it guards.
    pub fn guards_read_own_field(&self) -> bool {
        self.guards == Guards::Peek
    }

    /// Returns `true` if `plus` extends records and arrays only.
    pub fn extends_layers(&self) -> bool {
        self.layers == Layering::Extend
    }

    /// Returns `true` if functions take all arguments at once.
    pub fn calls_whole(&self) -> bool {
        self.calls == Calls::Whole
    }

    /// Returns `true` if `null` has any type.
    pub fn null_is_any(&self) -> bool {
        self.null == Null::Any
    }

    /// Returns `true` if evaluation errors use the wording of the reference implementation.
    pub fn uses_reference_wording(&self) -> bool {
        self.messages == Messages::Reference
    }
}
