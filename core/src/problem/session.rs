//! Problems of the session: imports, commands, paths.

use crate::text::{Name, Span};

/// A problem found by the session.
#[derive(Clone, PartialEq, Debug)]
pub struct SessionProblem {
    /// Its span, if it is in a text.
    pub span: Option<Span>,
    /// Its kind.
    pub what: SessionKind,
}

/// The kind of session problem.
#[derive(Clone, PartialEq, Debug)]
pub enum SessionKind {
    /// A file that was not found.
    NotFound {
        /// The path as written.
        path: Name,
        /// All paths that were tried.
        tried: Vec<Name>,
        /// Files with similar names in the same folders, nearest first, written like the path.
        near: Vec<Name>,
    },
    /// A file that exists but cannot be read.
    Unreadable {
        /// The path as written.
        path: Name,
        /// The reason that the system reports.
        reason: Name,
    },
    /// A result that was computed before something that it depends on changed.
    Stale {
        /// The result's name, for example `$3`.
        result: Name,
        /// Names that were redefined since.
        names: Vec<Name>,
        /// Files that were read again since.
        files: Vec<Name>,
        /// External variables whose value changed since.
        variables: Vec<Name>,
    },
    /// A file that cannot be written.
    Unwritable {
        /// The path as written.
        path: Name,
        /// The reason that the system reports.
        reason: Name,
    },
    /// A text that is not valid UTF-8.
    NotUtf8,
    /// An import with an unknown format.
    UnknownFormat {
        /// The path as written.
        path: Name,
        /// The requested format.
        format: Name,
        /// The formats that are known.
        formats: Vec<Name>,
    },
    /// A language that is not built.
    NotBuilt {
        /// Its name.
        dialect: &'static str,
        /// The names of those that can be read.
        built: Vec<Name>,
    },
    /// Files that import each other in a cycle, so that their types are unknown.
    ImportCycle {
        /// The files. The last one imports the first.
        files: Vec<Name>,
    },
    /// Definitions that read each other in a cycle.
    DefinitionCycle {
        /// Their names. The last one reads the first.
        names: Vec<Name>,
    },
    /// An invalid external variable or argument (`--ext-str`).
    BadExternal {
        /// The message: a sentence without a full stop.
        why: Name,
    },
    /// A name that cannot be defined.
    Reserved {
        /// The name.
        name: Name,
    },
    /// A command name that is unknown or ambiguous.
    UnknownCommand {
        /// The name as written.
        name: Name,
        /// Similar commands, or the candidates of an ambiguous name.
        near: Vec<Name>,
        /// Whether it is ambiguous.
        ambiguous: bool,
    },
    /// Data of another format where a program is expected.
    Pasted {
        /// The format: `YAML`.
        title: &'static str,
        /// The ending of the names of such files.
        ending: &'static str,
    },
    /// A command with missing or invalid arguments.
    BadCommand {
        /// The message: a sentence without a full stop.
        why: Name,
        /// The usage line.
        usage: Name,
        /// The input that was probably meant, as it is typed.
        meant: Option<Name>,
        /// An input that works.
        example: Option<Box<str>>,
    },
    /// An invalid entry in `cfg.toml`.
    Configuration {
        /// The message: a sentence without a full stop.
        why: Name,
        /// A suggestion.
        help: Option<Name>,
    },
    /// An unknown option.
    UnknownOption {
        /// The name as written.
        name: Name,
        /// Similar options.
        near: Vec<Name>,
    },
    /// A path that cannot be parsed.
    BadPath {
        /// The path as written.
        path: Name,
        /// The reason.
        why: Name,
    },
    /// Warnings in libraries, which are not reported one by one.
    InLibraries {
        /// The number of warnings.
        warnings: usize,
        /// The number of files with warnings.
        files: usize,
    },
    /// Problems that a baseline has.
    Known {
        /// The number of problems that were found again.
        found: usize,
        /// The number of problems of the baseline that are gone.
        gone: usize,
    },
    /// A baseline that was written.
    Recorded {
        /// The file.
        path: Name,
        /// The number of problems in it.
        problems: usize,
    },
    /// A file that is not a baseline.
    BadBaseline {
        /// The file.
        path: Name,
        /// The reason.
        why: Name,
    },
    /// A file in a language without a formatter, or that the formatter cannot split into tokens.
    NotFormatted {
        /// The name of the file.
        path: Name,
        /// The reason.
        why: Name,
    },
    /// No edit of a file gives a field the wanted value, and nothing else another one.
    NoEdit {
        /// The field.
        path: Name,
        /// The reason.
        why: Name,
        /// The fix.
        help: Option<Name>,
    },
    /// An argument after `--` that is not a valid assignment.
    BadAssignment {
        /// The reason.
        why: Name,
    },
    /// An assignment to a field that does not exist.
    NoSuchInput {
        /// The field.
        path: Name,
        /// Similar fields.
        near: Vec<Name>,
    },
    /// An assignment without `--override` to a field that already has a value.
    NotAnInput {
        /// The field.
        path: Name,
        /// The assignment as written.
        text: Name,
    },
    /// A layer that replaces the one below it as a whole, because only one of them is a mapping.
    LayerReplaced {
        /// The file above.
        above: Name,
        /// The file below.
        below: Name,
        /// The kinds of their contents: `a list`.
        kinds: Box<[&'static str; 2]>,
        /// The place of the lower content.
        lower: Span,
        /// The way to write a mapping in the language of the upper file.
        advice: Option<Box<Name>>,
    },
    /// A document of a stream without a name, so that it cannot be merged.
    NamelessDocument {
        /// The file.
        path: Name,
        /// The number of documents in the file.
        count: usize,
    },
    /// A file with another object of Kubernetes than the file below it, with which it is merged.
    OtherObject {
        /// The kind and name of the upper and of the lower object: `Service/web`.
        objects: [Name; 2],
        /// The place of the name or kind of the lower one.
        lower: Span,
    },
    /// A stack (`@stack.toml`) with a mistake.
    BadStack {
        /// The message: a sentence without a full stop.
        why: Name,
    },
    /// A prefix of `--env` with which no environment variable begins.
    NoVariables {
        /// The prefix.
        prefix: Name,
    },
    /// A variable whose name maps to no path, because a part between two `__` is empty.
    NoPathOfVariable {
        /// The name.
        variable: Name,
    },
    /// Lists of layers that replace others although no rule says so.
    ListReplaced {
        /// The lists; at least one.
        lists: Vec<ReplacedList>,
    },
    /// A rule for a list that no layer has, so that it has no effect.
    NoSuchList {
        /// The path of the rule.
        path: Name,
        /// The nearest path that a layer has.
        near: Option<Name>,
        /// The kind of the value at the path, if there is one that is not a list.
        kind: Option<&'static str>,
        /// The first lists of the layers.
        lists: Box<[Name]>,
    },
    /// A rule for a list by a key that no element has.
    NoSuchKey {
        /// The path of the rule.
        path: Name,
        /// The key.
        key: Name,
        /// The nearest field that an element has.
        near: Option<Box<Name>>,
        /// The fields that all elements have, in which their values differ.
        keys: Box<[Name]>,
    },
    /// A value that one of another kind replaces: a mapping under a list or null, a number under a string.
    KindReplaced {
        /// The path.
        path: Name,
        /// The kinds of the upper and the lower value: `a list`.
        kinds: [&'static str; 2],
        /// The fix.
        advice: Option<Box<KindAdvice>>,
        /// The place of the lower value.
        lower: Option<Span>,
        /// Whether a still higher layer replaces the upper value.
        is_covered: bool,
    },
    /// A new key, or a new element of a list, that was probably meant as one of a lower layer.
    SimilarKey {
        /// Its path.
        path: Name,
        /// The key of the lower layer, or its path if it is at another level.
        meant: Name,
        /// The place of that key.
        lower: Option<Span>,
        /// The way in which they are similar.
        how: Similarity,
    },
    /// An element of a list without the key by which a rule merges the elements.
    NoKeyInElement {
        /// Its path: `routes[0]`.
        path: Name,
        /// The key of the rule.
        key: Name,
        /// A key that all elements have.
        other: Option<Name>,
    },
    /// Several documents in a file that is merged with files of one document without a name.
    SeveralDocuments {
        /// The file.
        path: Name,
        /// Its number of documents.
        count: usize,
        /// A file with one document.
        other: Name,
    },
    /// A document that no lower layer has, with almost the name of one.
    SimilarDocument {
        /// Its name: `Deployment/wbe`.
        name: Name,
        /// The name of the document of the lower layer.
        meant: Name,
        /// The place of that name.
        lower: Span,
    },
    /// A key that a schema does not have, with almost the name of one that it has.
    NotInSchema {
        /// The key.
        key: Name,
        /// The key of the schema.
        meant: Name,
        /// Its place.
        declared: Span,
    },
    /// A field of an object that the schema of its resource does not have.
    UnknownField {
        /// The field.
        key: Name,
        /// The field that was probably meant, or its path from here.
        meant: Option<Name>,
        /// The place at which the schema lists the fields.
        declared: Span,
    },
    /// An object of a kind or a version that its schema does not describe.
    OtherKind {
        /// The key that says so, `kind` or `apiVersion`.
        key: Name,
        /// Its value.
        found: Name,
        /// The kinds or versions of the schema.
        described: Vec<Name>,
    },
    /// A layer that looks like a file of another use.
    OtherUse {
        /// Its path.
        path: Name,
        /// The use that it looks like: `a stack`.
        what: &'static str,
        /// The argument of the command line for that use.
        option: Name,
    },
    /// A slip in layers or in the options of a merge. Its message is written where it is found.
    Slip(Box<Slip>),
    /// A layer that is one text, over a layer with secrets.
    TextLayer {
        /// Its path.
        path: Name,
    },
    /// A variable with one underscore between the names of a path: `SERVER_PORT`.
    OneUnderscore {
        /// The key that it makes.
        name: Name,
        /// The path that a lower layer has.
        meant: Name,
        /// The variable that sets it.
        variable: Name,
    },
    /// An assignment to documents whose path does not begin with one of them.
    NoSuchDocument {
        /// The path as written.
        path: Name,
        /// Similar names.
        near: Vec<Name>,
        /// The first documents.
        documents: Vec<Name>,
    },
    /// A resource that a graph does not have.
    NoResource {
        /// Its kind and name: `file[/tmp/x]`.
        label: Name,
        /// Similar ones, nearest first.
        near: Vec<Name>,
    },
    /// A question about something that is unknown.
    NothingThere {
        /// The path as written.
        path: Name,
        /// Similar names.
        near: Vec<Name>,
    },
}

/// The message about a slip in layers or in the options of a merge. It contains names of keys and paths, and no values.
#[derive(Clone, PartialEq, Debug)]
pub struct Slip {
    /// The code.
    pub code: &'static str,
    /// The message: a sentence without a full stop.
    pub message: String,
    /// The text at the place of the slip.
    pub label: String,
    /// Another place, and the text there.
    pub other: Option<(Span, String)>,
    /// The note.
    pub note: Option<String>,
    /// The fix.
    pub help: Option<String>,
}

impl Slip {
    /// Returns a slip with a code and a message.
    pub fn new(code: &'static str, message: impl Into<String>) -> Slip {
        Slip { code, message: message.into(), label: String::new(), other: None, note: None, help: None }
    }

    /// Adds the text at the place of the slip.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Slip {
        self.label = label.into();
        self
    }

    /// Adds another place, if it is known.
    #[must_use]
    pub fn other(mut self, place: Option<Span>, text: impl Into<String>) -> Slip {
        self.other = place.map(|place| (place, text.into()));
        self
    }

    /// Adds the fix.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Slip {
        self.help = Some(help.into());
        self
    }

    /// Returns the problem at a place.
    pub fn at(self, span: Option<Span>) -> SessionProblem {
        SessionProblem { span, what: SessionKind::Slip(Box::new(self)) }
    }
}

/// The way in which a new key is similar to one of a lower layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Similarity {
    /// It is misspelt.
    Misspelt,
    /// It is misspelt, and the lower layer declares the other one without a value.
    Declared,
    /// It is a path, written as one key. Holds the way to write the path in the language of the layer.
    Dotted(Option<Box<Name>>),
    /// It is the beginning of a key with points, which an option has split: `io.example/a`. Holds the path with quotes.
    Split(Box<Name>),
    /// It is the same key at another level: `pool` at the top, and `database.pool`.
    OtherLevel,
    /// It is an element of a list, whose elements are merged by this key.
    Element(Box<Name>),
}

/// The fix of a value that replaces one of another kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KindAdvice {
    /// `--set-string` for a string.
    SetString,
    /// No quotes around a number or boolean.
    Unquote,
    /// Quotes around a string.
    Quote,
    /// `true` or `false` for `yes` or `no`.
    TrueOrFalse,
    /// `{}` for null.
    KeepMapping,
    /// A mapping, which is merged.
    MergeMapping,
    /// No key.
    KeepList,
    /// No key, for null.
    KeepValue,
    /// The path of an element of a list, or none below a scalar: an option made the mapping.
    SetInside,
    /// The path of an element of a list, which has a key with this value.
    SetElement {
        /// The key.
        key: Name,
        /// Its value.
        value: Name,
        /// The number of the element.
        index: usize,
    },
    /// The path of a key of a mapping, which an option replaces.
    SetKey,
    /// A list with one element.
    OneElement,
    /// A value of the same kind.
    SameKind,
    /// A number with the unit of the lower value.
    Unit,
    /// The elements of a list have this key, which the mapping should have as well, each after a dash. The second is the way to write it
    /// in the language of the layer.
    ListForm(Name, Option<Name>),
    /// The way to write a mapping in the language of the layer.
    MappingForm(Name),
}

/// A list of a layer that replaces the one of a lower layer.
#[derive(Clone, PartialEq, Debug)]
pub struct ReplacedList {
    /// Its path.
    pub path: Name,
    /// The place of the list that counts.
    pub higher: Option<Span>,
    /// The place of the list that it replaces.
    pub lower: Option<Span>,
    /// A field by which the elements can be identified, if they have one.
    pub key: Option<Name>,
}

impl SessionProblem {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self.what {
            SessionKind::NotFound { .. } => "import/not-found",
            SessionKind::Unreadable { .. } => "import/unreadable",
            SessionKind::Unwritable { .. } => "command/unwritable",
            SessionKind::Stale { .. } => "session/stale",
            SessionKind::NotUtf8 => "encoding/not-utf-8",
            SessionKind::BadExternal { .. } => "cli/given",
            SessionKind::UnknownFormat { .. } => "import/unknown-format",
            SessionKind::NotBuilt { .. } => "dialect/not-built",
            SessionKind::ImportCycle { .. } => "import/cycle",
            SessionKind::DefinitionCycle { .. } => "scope/circle",
            SessionKind::Reserved { .. } => "scope/reserved",
            SessionKind::UnknownCommand { .. } => "command/unknown",
            SessionKind::Pasted { .. } => "session/data",
            SessionKind::BadCommand { .. } => "command/usage",
            SessionKind::Configuration { .. } => "config/mistake",
            SessionKind::UnknownOption { .. } => "command/unknown-option",
            SessionKind::BadPath { .. } => "path/syntax",
            SessionKind::BadAssignment { .. } => "assignment/syntax",
            SessionKind::InLibraries { .. } => "check/libraries",
            SessionKind::Known { .. } | SessionKind::Recorded { .. } | SessionKind::BadBaseline { .. } => {
                "check/baseline"
            }
            SessionKind::NotFormatted { .. } => "format/unknown",
            SessionKind::NoEdit { .. } => "merge/no-edit",
            SessionKind::NoSuchInput { .. } => "assignment/no-such-field",
            SessionKind::NotAnInput { .. } => "assignment/has-a-value",
            SessionKind::NamelessDocument { .. } => "merge/nameless-document",
            SessionKind::OtherObject { .. } => "merge/other-object",
            SessionKind::NoSuchDocument { .. } => "merge/no-such-document",
            SessionKind::BadStack { .. } => "stack/syntax",
            SessionKind::NoVariables { .. } => "merge/no-variables",
            SessionKind::NoPathOfVariable { .. } => "merge/no-path",
            SessionKind::ListReplaced { .. } => "merge/list-replaced",
            SessionKind::LayerReplaced { .. } | SessionKind::KindReplaced { .. } => "merge/replaced",
            SessionKind::TextLayer { .. } => "merge/text",
            SessionKind::Slip(ref slip) => slip.code,
            SessionKind::OtherUse { .. } => "merge/other-use",
            SessionKind::OtherKind { .. } => "merge/other-kind",
            SessionKind::NoKeyInElement { .. } => "merge/no-key",
            SessionKind::SeveralDocuments { .. } => "merge/nameless-document",
            SessionKind::SimilarKey { .. }
            | SessionKind::NotInSchema { .. }
            | SessionKind::UnknownField { .. }
            | SessionKind::SimilarDocument { .. }
            | SessionKind::OneUnderscore { .. } => "merge/similar-key",
            SessionKind::NoSuchList { .. } => "merge/no-such-list",
            SessionKind::NoSuchKey { .. } => "merge/no-such-key",
            SessionKind::NoResource { .. } => "path/no-resource",
            SessionKind::NothingThere { .. } => "path/nothing-there",
        }
    }
}
