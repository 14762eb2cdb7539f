//! The core language that every dialect lowers to.
//!
//! A [`Term`] is one file, or one definition of a cell. It is an arena of [`Node`]s in **post-order**, children before
//! parents, so that a pass over a term is a loop over a vector, and dropping a term does not recurse. Names are resolved
//! while a term is built ([`build`]). A bound variable is a [`Node::Local`] or a [`Node::Member`] and says how many frames
//! outwards its binder is. A name that no frame binds is a [`Node::Global`], which is looked up in the session.
//!
//! **Frames.** Five constructs open one frame each. The frame of a lambda holds the variables of its parameters, that of a
//! `let` its variables, that of a match arm the variables of its pattern, that of a record literal the final record itself
//! and then the object's locals, and that of a `for` in a comprehension its variable. `up` counts frames outwards from the
//! use; 0 is the innermost.

pub mod build;
mod children;
mod groups;
mod metadata;
mod naming;
mod nested;
mod origins;
mod pattern;
mod prim;
pub mod rules;
pub(crate) mod secrets;
mod written;

pub use crate::number::{MAX_FRACTION_BITS, MAX_INTEGER_BITS, Number, NumberError, NumberForm};
pub use groups::{Group, Groups, groups};
pub use metadata::{FieldMeta, Meta};
pub use pattern::{FieldPat, Pat, PatKind, Rest};
pub use prim::Prim;
pub use rules::Rules;

use crate::meta::Push;
use crate::text::{Name, Span};

/// A node of one [`Term`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

/// A pattern of one [`Term`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PatId(pub u32);

/// A type variable that a `forall` of one [`Term`] binds; unique in that term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TyVarId(pub u32);

/// A program in the core language: a file, or a definition of a cell. Immutable once built, and shared behind an `Arc`.
#[derive(Clone, Debug)]
pub struct Term {
    /// The nodes in post-order: every child's id is lower than its parent's.
    pub nodes: Vec<Node>,
    /// The source range of each node.
    pub spans: Vec<Span>,
    /// The patterns, children before parents.
    pub pats: Vec<Pat>,
    /// The names of `forall`-bound variables, by [`TyVarId`].
    pub ty_vars: Vec<(Name, Span)>,
    /// The distinct free names, in order of first use, each with that use.
    pub globals: Vec<(Name, Span)>,
    /// The names of local variables used as contracts, by node; for messages.
    pub contract_names: Vec<(NodeId, Name)>,
    /// The root node.
    pub root: NodeId,
    /// The definitions that the program does not use, where types are exact: their mistakes are warnings.
    pub unused: Vec<Unused>,
    /// The aliases of a YAML file that are inside of their own anchors, in order.
    pub self_aliases: Vec<SelfAlias>,
    /// The rules of its language.
    pub rules: &'static Rules,
}

/// An alias inside of its own anchor: `a: &x {b: *x}`. Its value contains itself.
#[derive(Clone, PartialEq, Debug)]
pub struct SelfAlias {
    /// The place of the alias.
    pub alias: Span,
    /// The place of the anchored value.
    pub anchor: Span,
    /// The name of the anchor.
    pub name: Name,
}

/// A definition that its program does not use. Programs that import the program may use it.
#[derive(Clone, PartialEq, Debug)]
pub struct Unused {
    /// Its place.
    pub span: Span,
    /// The name under which importers read it.
    pub exported: Option<Name>,
    /// The indices of the unused definitions that it uses.
    pub uses: Vec<usize>,
}

impl Term {
    /// Returns the name of a local variable used as a contract. O(log such variables).
    pub fn contract_name(&self, id: NodeId) -> Option<&Name> {
        let at = self.contract_names.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        self.contract_names.get(at).map(|(_, name)| name)
    }

    /// Returns a node of this term.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
    /// Returns the span of a node of this term.
    pub fn span(&self, id: NodeId) -> Span {
        self.spans[id.0 as usize]
    }
    /// Returns a pattern of this term.
    pub fn pat(&self, id: PatId) -> &Pat {
        &self.pats[id.0 as usize]
    }

    /// Whether the term imports files. O(nodes).
    pub fn imports(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node, Node::Import(_)))
    }

    /// Whether the term has a `: T` anywhere. O(nodes).
    pub fn has_types(&self) -> bool {
        let any = |annots: &[Annot]| annots.iter().any(|a| a.kind == AnnotKind::Type);
        let bindings = |bindings: &[Binding]| bindings.iter().any(|b| any(&b.annots));
        let pattern = |pat: &Pat| match &pat.kind {
            PatKind::Record(fields, _) => fields.iter().any(|f| any(&f.annots)),
            _ => false,
        };
        self.nodes.iter().any(|node| match node {
            Node::Annot(_, annots) => any(annots),
            Node::Record(record) => record.fields.iter().any(|f| any(&f.meta.annots)) || bindings(&record.locals),
            Node::Let(l) => bindings(&l.bindings),
            _ => false,
        }) || self.pats.iter().any(pattern)
    }
}

/// One construct of the core language.
#[derive(Clone, Debug)]
pub enum Node {
    /// A part that did not parse. The parser has reported it, so that inference and evaluation say nothing about it.
    Hole,
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number, exact or a double, depending on the dialect.
    Number(Number),
    /// A string without interpolation.
    Str(Name),
    /// A string with interpolated parts. In cfg each expression must be a string, a number, a boolean or an enum tag.
    Interp(Box<[Chunk]>),
    /// `'Tag`
    Tag(Name),
    /// `'Tag e`
    Variant(Name, NodeId),
    /// `[e, …]`
    Array(Box<[NodeId]>),
    /// `{ … }`
    Record(Box<RecordLit>),

    /// A variable: a slot of the frame `up` frames outwards.
    Local {
        /// Frames outwards.
        up: u32,
        /// The binder's slot in that frame.
        slot: u32,
    },
    /// A field of the *final* record of the record literal whose frame is `up` frames outwards (late binding).
    Member {
        /// Frames outwards.
        up: u32,
        /// The field.
        name: Name,
    },
    /// A name that nothing in the term binds: a session definition or a library (`std`).
    Global(Name),
    /// The final record of the record literal `up` frames outwards (`self`, `$`).
    This {
        /// Frames outwards.
        up: u32,
    },
    /// A read from the layers below a record literal in the final record (`super`).
    Super {
        /// Frames outwards to the record literal.
        up: u32,
        /// The read.
        read: SuperRead,
    },

    /// `fun x y => e`, `function(x, y=1) e`
    Lambda(Box<Lambda>),
    /// `f a b`, `f(a, y=b)`
    Apply(Box<Apply>),
    /// `let … in e`
    Let(Box<Let>),
    /// `if c then t else e`
    If(Box<[NodeId; 3]>),
    /// `match { … }` applied to a scrutinee.
    Match(Box<Match>),

    /// `a & b & …`, with any number of operands; their order does not matter.
    Merge(Box<[NodeId]>),
    /// `a + b` of objects: `b` overrides `a`, and sees it as `super`.
    Inherit(Box<[NodeId; 2]>),
    /// `e.name`
    Project(NodeId, Name),
    /// `e."%{x}"`, `e[x]`: a field by a computed name or, in dialects that have it, an element by index.
    Index(Box<[NodeId; 2]>),
    /// `[e for x in xs if c …]`, `{ [k]: e for x in xs if c … }`
    Comprehension(Box<Comprehension>),
    /// `e : T`, `e | C`, other than at the definition of a field.
    Annot(NodeId, Box<[Annot]>),
    /// A primitive operation with all its operands.
    Prim(Prim, Box<[NodeId]>),
    /// `import "x"`
    Import(Box<Import>),

    /// A type expression: evaluation makes it a contract, and inference reads it as a type.
    Type(Box<TypeForm>),
}

/// A read from the layers below a record literal.
#[derive(Clone, Debug)]
pub enum SuperRead {
    /// `super.x`
    Field(Name),
    /// `super[e]`
    Index(NodeId),
    /// `e in super`
    Has(NodeId),
}

/// A comprehension. Each `for` opens a frame of one slot, its variable. Later clauses and the body are inside that frame.
#[derive(Clone, Debug)]
pub struct Comprehension {
    /// The clauses in source order; the first is a `for`.
    pub clauses: Vec<Clause>,
    /// The expression evaluated for each combination of items: an element of the array, or a [`Node::Record`] of one computed
    /// field, which becomes a field of the object. A field whose name is `null` is left out.
    pub body: NodeId,
    /// Whether the result is an object, not an array.
    pub object: bool,
}

/// A clause of a comprehension.
#[derive(Clone, Debug)]
pub enum Clause {
    /// `for x in e`; `e` is outside the frame that the clause opens.
    For {
        /// The variable, slot 0 of the clause's frame.
        name: Name,
        /// The span of the variable.
        span: Span,
        /// The array.
        items: NodeId,
    },
    /// `if e`
    If(NodeId),
}

/// A part of an interpolated string.
#[derive(Clone, Debug)]
pub enum Chunk {
    /// Literal text.
    Text(Name),
    /// `%{e}`
    Expr(NodeId),
    /// `%{e}` alone on a line of a multi-line string, and the number of spaces to insert after each line break in its value.
    Indented(NodeId, u32),
}

/// A record literal.
#[derive(Clone, Debug)]
pub struct RecordLit {
    /// The definitions in source order. A name may have several definitions, which are merged:
    /// `{a.b = 1, a.c = 2}` has two definitions of `a`.
    pub fields: Vec<FieldDef>,
    /// Written with `..`: used as a contract, it allows further fields.
    pub open: bool,
    /// For a closed record that is the contract of an object in a JSON Schema: the node whose span is that of
    /// `additionalProperties`. An extra field is then an error of that field, not of the record, so that the other fields
    /// have values.
    pub extra: Option<NodeId>,
    /// The locals of an object, slots `1..` of its frame; slot 0 is the object itself.
    pub locals: Vec<Binding>,
    /// The asserts of an object: condition and message, checked on the final record.
    pub asserts: Vec<(NodeId, Option<NodeId>)>,
    /// The definitions in dependency order, each group one strongly connected component. An index `i` is that of a field, or
    /// from `fields.len()` on that of a local.
    pub groups: Groups,
}

impl RecordLit {
    /// Whether all fields have static names and values without metadata, and nothing else is written. O(fields).
    pub fn is_plain_data(&self) -> bool {
        let plain = |field: &FieldDef| {
            let marked = field.included || field.plus || !field.meta.is_none();
            matches!(field.name, FieldName::Static(_)) && field.body.is_some() && !marked
        };
        let more = self.open || !self.locals.is_empty() || !self.asserts.is_empty();
        !more && self.groups.are_in_order() && self.fields.iter().all(plain)
    }
}

/// The name of a field in a literal.
#[derive(Clone, Debug)]
pub enum FieldName {
    /// Written in the program. Some dialects bring it into scope in the record.
    Static(Name),
    /// Computed by an expression outside the record's frame.
    Computed(NodeId),
}

/// One definition of a field.
#[derive(Clone, Debug)]
pub struct FieldDef {
    /// The name.
    pub name: FieldName,
    /// The span of the name.
    pub name_span: Span,
    /// The span of the whole definition.
    pub span: Span,
    /// The expression of the value, inside the record's frame. `None` if the field is only declared.
    pub body: Option<NodeId>,
    /// Written as `include x`: the body is the variable `x`, resolved *outside* the record's frame.
    pub included: bool,
    /// `+:`, `extend`: the body is combined with the value of the layer below.
    pub plus: bool,
    /// The metadata, as written.
    pub meta: Meta,
}

/// `: T` or `| C`.
#[derive(Clone, Debug)]
pub struct Annot {
    /// Type or contract.
    pub kind: AnnotKind,
    /// The type or contract. Its span covers its text.
    pub ty: NodeId,
}

/// The kind of an annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnnotKind {
    /// `: T`, checked statically. It stays with its definition; merges do not spread it.
    Type,
    /// `| C`, kept in the field's stack and applied to the final value.
    Contract,
}

/// A function literal.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// The parameters. Their variables are the slots of the lambda's frame.
    pub params: Vec<Param>,
    /// The body, inside the frame.
    pub body: NodeId,
    /// Whether it can be applied to some of its arguments, or takes all of them at once.
    pub curried: bool,
    /// The names of the frame's slots.
    pub slots: Vec<Name>,
    /// Whether a definition as this function is polymorphic where types are exact (mcl's `func` and `class` statements).
    pub general: bool,
}

/// One parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// The pattern.
    pub pat: PatId,
    /// Its name, if it can be passed by name.
    pub name: Option<Name>,
    /// The expression of the value if none is passed, inside the frame.
    pub default: Option<NodeId>,
    /// Its annotated type, outside the frame (mcl).
    pub ty: Option<NodeId>,
}

/// A function application.
#[derive(Clone, Debug)]
pub struct Apply {
    /// The function.
    pub func: NodeId,
    /// The arguments: the name, if passed by name, and the value.
    pub args: Vec<(Option<Name>, NodeId)>,
    /// `tailstrict`: the arguments are evaluated before the call.
    pub tailstrict: bool,
}

/// A `let` with any number of bindings, recursive or not.
#[derive(Clone, Debug)]
pub struct Let {
    /// Whether the bound expressions are inside the frame.
    pub recursive: bool,
    /// The bindings.
    pub bindings: Vec<Binding>,
    /// The body, inside the frame.
    pub body: NodeId,
    /// The indices of `bindings` in dependency order.
    pub groups: Groups,
    /// The names of the frame's slots.
    pub slots: Vec<Name>,
}

/// One binding of a `let`, of an object's locals or of a cell.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The pattern.
    pub pat: PatId,
    /// Its types and contracts.
    pub annots: Vec<Annot>,
    /// `| doc "…"`
    pub doc: Option<(Name, Span)>,
    /// `| default rec`, `| force rec`
    pub push: Option<Push>,
    /// Whether a secret field takes its value from it.
    pub secret: bool,
    /// The bound expression.
    pub body: NodeId,
    /// The whole binding.
    pub span: Span,
}

impl Binding {
    /// A binding without metadata.
    pub fn plain(pat: PatId, body: NodeId, span: Span) -> Self {
        Self { pat, annots: Vec::new(), doc: None, push: None, secret: false, body, span }
    }
}

/// Pattern matching on one value.
#[derive(Clone, Debug)]
pub struct Match {
    /// The value that is matched.
    pub scrutinee: NodeId,
    /// The arms, tried in order.
    pub arms: Vec<Arm>,
}

/// One arm of a match.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The pattern.
    pub pat: PatId,
    /// `if e`, inside the frame.
    pub guard: Option<NodeId>,
    /// The result, inside the frame.
    pub body: NodeId,
    /// The names of the frame's slots.
    pub slots: Vec<Name>,
}

/// An import.
#[derive(Clone, Debug)]
pub struct Import {
    /// The path as written.
    pub path: Name,
    /// The way to read the file.
    pub kind: ImportKind,
}

/// The way to read an imported file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportKind {
    /// As a program or data, by its extension or in the given format (`import "x" as 'Yaml`).
    Code(Option<Name>),
    /// Its text.
    Text,
    /// Its bytes.
    Bytes,
}

/// A type expression. Used as a value, it is a contract.
#[derive(Clone, Debug)]
pub enum TypeForm {
    /// `Dyn`
    Dyn,
    /// `Number`
    Number,
    /// `String`
    String,
    /// `Bool`
    Bool,
    /// `int` (mcl)
    Int,
    /// `float` (mcl)
    Float,
    /// `map{K: V}` (mcl)
    Map(NodeId, NodeId),
    /// `struct{a T; b U}`, in this order (mcl)
    Struct(Vec<(Name, Span, NodeId)>),
    /// `func(A, B) C` (mcl)
    Func(Vec<NodeId>, NodeId),
    /// `Array T`
    Array(NodeId),
    /// `A -> B`
    Fun(NodeId, NodeId),
    /// `{ _ : T }`, or `{ _ | C }` if `contract` is set: then it is applied lazily and survives merging.
    Dict {
        /// The type of every field.
        item: NodeId,
        /// Written with `|`.
        contract: bool,
    },
    /// `{ a : T, …; r }` in a type. Outside of types, `{ a | C }` and `{ a : T }` are [`Node::Record`]s.
    Record {
        /// The fields.
        fields: Vec<(Name, Span, NodeId)>,
        /// The fields with a mark.
        marks: Vec<(Name, FieldMark)>,
        /// The tail.
        tail: RowTail,
    },
    /// `[| 'A, 'B T; r |]`
    Enum {
        /// The tags, each with its argument's type.
        tags: Vec<(Name, Span, Option<NodeId>)>,
        /// The tail.
        tail: RowTail,
    },
    /// `forall a b. T`
    Forall(Vec<TyVarId>, NodeId),
    /// A variable of an enclosing `forall`.
    Var(TyVarId),
    /// `_`: any type that inference finds. As a contract it accepts everything.
    Wildcard,
}

/// A mark of a field in a record type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldMark {
    /// `a? : T`: the record may lack the field.
    Optional,
    /// `a! : T`: another record must define the field.
    Declared,
}

/// The end of a row in a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowTail {
    /// No other fields or tags.
    Closed,
    /// `; r`
    Var(TyVarId),
    /// `; Dyn` (and `..`)
    Dyn,
}
