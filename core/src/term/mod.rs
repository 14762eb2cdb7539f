//! The core language that every dialect lowers to.
//!
//! A [`Term`] is one unit of program (a file, a cell's definition): an arena of [`Node`]s in **post-order**, children
//! before parents, so that a pass over a term is a loop over a vector and dropping one never recurses. Names are
//! resolved while a term is built ([`build`]): a bound variable is a [`Node::Local`] or a [`Node::Member`], counted in
//! frames outwards; what no frame binds is a [`Node::Global`], looked up in the session.
//!
//! **Frames.** Five constructs open one frame each: a lambda (its parameters' binders), a `let` (its binders), a match arm
//! (its pattern's binders), a record literal (the final record itself, then its object locals), a `for` of a
//! comprehension (its variable). `up` counts frames outwards from the use, 0 is the innermost.

pub mod build;
mod children;
mod groups;
mod metadata;
mod naming;
mod prim;

pub use crate::number::{MAX_FRACTION_BITS, MAX_INTEGER_BITS, Number, NumberError, NumberForm};
pub use groups::{Group, Groups, groups};
pub use metadata::{FieldMeta, Meta};
pub use prim::Prim;

use crate::meta::Push;
use crate::text::{Name, Span};

/// A node of one [`Term`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

/// A pattern of one [`Term`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PatId(pub u32);

/// A type variable bound by one `forall` of one [`Term`]; unique in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TyVarId(pub u32);

/// A unit of program in the core language. Immutable once built; shared behind an `Arc`.
#[derive(Clone, Debug)]
pub struct Term {
    /// Post-order: every child's id is below its parent's.
    pub nodes: Vec<Node>,
    /// The source range of each node.
    pub spans: Vec<Span>,
    /// The patterns, children before parents.
    pub pats: Vec<Pat>,
    /// The names of `forall`-bound variables, by [`TyVarId`].
    pub ty_vars: Vec<(Name, Span)>,
    /// The distinct free names, in order of first use, each with that use.
    pub globals: Vec<(Name, Span)>,
    /// The names of local variables that stand as contracts, by node: for messages.
    pub contract_names: Vec<(NodeId, Name)>,
    /// The root node.
    pub root: NodeId,
    /// Whose rules the operators follow.
    pub semantics: Semantics,
}

/// Whose rules the operators of a term follow, where the languages differ: arithmetic, what an operator accepts, what a
/// failure is called, and whether `null` is open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Semantics {
    /// Nickel's: exact numbers, operators on one type each.
    #[default]
    Cfg,
    /// Jsonnet's: IEEE doubles, operators by the heads of their operands, fields in alphabetical order.
    Jsonnet,
}

impl Term {
    /// The name of a local variable that stands as a contract. O(log such variables).
    pub fn contract_name(&self, id: NodeId) -> Option<&Name> {
        let at = self.contract_names.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        self.contract_names.get(at).map(|(_, name)| name)
    }

    /// The node of an id of this term.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
    /// The span of a node of this term.
    pub fn span(&self, id: NodeId) -> Span {
        self.spans[id.0 as usize]
    }
    /// The pattern of an id of this term.
    pub fn pat(&self, id: PatId) -> &Pat {
        &self.pats[id.0 as usize]
    }

    /// Whether it imports files.
    pub fn imports(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node, Node::Import(_)))
    }

    /// Whether a `: T` stands anywhere in it. O(nodes).
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
    /// A part that did not parse. Inference and evaluation pass over it in silence: the parser has spoken.
    Hole,
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number, exact or double as the dialect says.
    Number(Number),
    /// A string without interpolation.
    Str(Name),
    /// A string with interpolated parts; each expression must be a string (cfg: or number, bool, enum tag, null is refused).
    Interp(Box<[Chunk]>),
    /// `'Tag`
    Tag(Name),
    /// `'Tag e`
    Variant(Name, NodeId),
    /// `[e, …]`
    Array(Box<[NodeId]>),
    /// `{ … }`
    Record(Box<RecordLit>),

    /// A slot of the frame `up` frames outwards.
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
    /// The final record itself of the record literal `up` frames outwards (jsonnet's `self`, `$`).
    This {
        /// Frames outwards.
        up: u32,
    },
    /// What the layers below this record literal say, in the final record (jsonnet's `super`).
    Super {
        /// Frames outwards to the record literal.
        up: u32,
        /// What of them is asked for.
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

    /// `a & b & …`: n-ary and free of order. `spans[i]` of operands and the operator are in the nodes.
    Merge(Box<[NodeId]>),
    /// `a + b` of objects, biased to the right; `b` sees `a` as `super`.
    Inherit(Box<[NodeId; 2]>),
    /// `e.name`; the span of the name is kept for messages.
    Project(NodeId, Name),
    /// `e."%{x}"`, `e[x]`: a field by computed name, or an element by index where the dialect allows.
    Index(Box<[NodeId; 2]>),
    /// `[e for x in xs if c …]`, `{ [k]: e for x in xs if c … }`
    Comprehension(Box<Comprehension>),
    /// `e : T`, `e | C` off a field.
    Annot(NodeId, Box<[Annot]>),
    /// A primitive operation, saturated.
    Prim(Prim, Box<[NodeId]>),
    /// `import "x"`
    Import(Box<Import>),

    /// A type former: evaluates to a contract, and inference reads it as a type.
    Type(Box<TypeForm>),
}

/// What is asked of the layers below a record literal.
#[derive(Clone, Debug)]
pub enum SuperRead {
    /// `super.x`
    Field(Name),
    /// `super[e]`
    Index(NodeId),
    /// `e in super`
    Has(NodeId),
}

/// A comprehension. Each `for` opens a frame of one slot, its variable; later clauses and the body stand inside it.
#[derive(Clone, Debug)]
pub struct Comprehension {
    /// The clauses in source order; the first is a `for`.
    pub clauses: Vec<Clause>,
    /// What is made at each turn: an element, or for an object a [`Node::Record`] of one computed field, whose field is
    /// one definition of the one object that the whole comprehension is. A name that is `null` gives none.
    pub body: NodeId,
    /// Which of the two.
    pub object: bool,
}

/// A clause of a comprehension.
#[derive(Clone, Debug)]
pub enum Clause {
    /// `for x in e`: `e` stands outside the frame that the clause opens.
    For {
        /// The variable, slot 0 of the clause's frame.
        name: Name,
        /// Where it stands.
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
    /// Text as is.
    Text(Name),
    /// `%{e}`
    Expr(NodeId),
    /// `%{e}` alone on a line of a multi-line string: so many blanks go after every line break of its text.
    Indented(NodeId, u32),
}

/// A record literal.
#[derive(Clone, Debug)]
pub struct RecordLit {
    /// The definitions in source order. A name may stand several times: its definitions are merged
    /// (`{a.b = 1, a.c = 2}` has two definitions of `a`).
    pub fields: Vec<FieldDef>,
    /// `..`: as a contract, further fields are allowed.
    pub open: bool,
    /// Object locals, slots `1..` of the record's frame (slot 0 is the record itself). cfg has none.
    pub locals: Vec<Binding>,
    /// Object asserts: condition and message, checked on the final record.
    pub asserts: Vec<(NodeId, Option<NodeId>)>,
    /// Indices of `fields`, and behind them of `locals` (`fields.len() + i`), in dependency order: each group is one strongly
    /// connected component.
    pub groups: Groups,
}

/// How a field's name is given.
#[derive(Clone, Debug)]
pub enum FieldName {
    /// Written down; in scope in the record where the dialect says so.
    Static(Name),
    /// Computed: evaluated outside the record's frame.
    Computed(NodeId),
}

/// One definition of a field.
#[derive(Clone, Debug)]
pub struct FieldDef {
    /// The name.
    pub name: FieldName,
    /// Where the name stands.
    pub name_span: Span,
    /// The whole definition.
    pub span: Span,
    /// The value's expression, inside the record's frame. `None`: declared and not defined.
    pub body: Option<NodeId>,
    /// `include x`: the body was made from the name and stands *outside* the record's frame in meaning (it is already resolved so).
    pub included: bool,
    /// `+:` (jsonnet), `extend` (yay): the body is combined with the predecessor's value.
    pub plus: bool,
    /// The metadata as written.
    pub meta: Meta,
}

/// `: T` or `| C`.
#[derive(Clone, Debug)]
pub struct Annot {
    /// Which of the two.
    pub kind: AnnotKind,
    /// The type or contract; its span is its text as written.
    pub ty: NodeId,
}

/// Static type or contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnnotKind {
    /// `: T`, checked statically, does not travel in merges.
    Type,
    /// `| C`, waits in the field's stack for the final value.
    Contract,
}

/// A function literal.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// The parameters. Their binders fill the slots of the lambda's frame.
    pub params: Vec<Param>,
    /// The body, inside the frame.
    pub body: NodeId,
    /// cfg: partial application allowed. jsonnet: called with all arguments at once.
    pub curried: bool,
    /// Names of the frame's slots.
    pub slots: Vec<Name>,
}

/// One parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// What it binds.
    pub pat: PatId,
    /// Its name, where it can be passed by name.
    pub name: Option<Name>,
    /// The value if it is not passed, inside the frame.
    pub default: Option<NodeId>,
}

/// A function application.
#[derive(Clone, Debug)]
pub struct Apply {
    /// The function.
    pub func: NodeId,
    /// The arguments: name, where passed by name, and value.
    pub args: Vec<(Option<Name>, NodeId)>,
    /// Jsonnet's `tailstrict`.
    pub tailstrict: bool,
}

/// A `let`, recursive or not, of any number of bindings.
#[derive(Clone, Debug)]
pub struct Let {
    /// Whether the bodies are inside the frame.
    pub recursive: bool,
    /// The bindings.
    pub bindings: Vec<Binding>,
    /// The body, inside the frame.
    pub body: NodeId,
    /// Indices of `bindings` in dependency order.
    pub groups: Groups,
    /// Names of the frame's slots.
    pub slots: Vec<Name>,
}

/// One binding of a `let`, an object's locals or a cell.
#[derive(Clone, Debug)]
pub struct Binding {
    /// What it binds.
    pub pat: PatId,
    /// Its contracts and types.
    pub annots: Vec<Annot>,
    /// `| doc "…"`
    pub doc: Option<(Name, Span)>,
    /// `| default rec`, `| force rec`
    pub push: Option<Push>,
    /// The bound expression.
    pub body: NodeId,
    /// The whole binding.
    pub span: Span,
}

/// Pattern matching on one value.
#[derive(Clone, Debug)]
pub struct Match {
    /// What is matched.
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
    /// Names of the frame's slots.
    pub slots: Vec<Name>,
}

/// A pattern and its place.
#[derive(Clone, Debug)]
pub struct Pat {
    /// What it matches.
    pub kind: PatKind,
    /// Where it stands.
    pub span: Span,
}

/// What a pattern matches. `slot`s are of the frame that the enclosing construct opens.
#[derive(Clone, Debug)]
pub enum PatKind {
    /// `_`, and what did not parse.
    Any,
    /// `x`
    Bind(u32),
    /// `x @ p`
    As(u32, PatId),
    /// A literal: a node that is `Null`, `Bool`, `Number` or `Str`.
    Const(NodeId),
    /// `'Tag`
    Tag(Name),
    /// `'Tag p`
    Variant(Name, PatId),
    /// `{ a, b = p, ..rest }`
    Record(Vec<FieldPat>, Rest),
    /// `[ p, q, ..rest ]`
    Array(Vec<PatId>, Rest),
    /// `p or q`: both bind the same slots.
    Or(Vec<PatId>),
}

/// One field of a record pattern.
#[derive(Clone, Debug)]
pub struct FieldPat {
    /// The field.
    pub name: Name,
    /// Where its name stands.
    pub span: Span,
    /// What its value must match.
    pub pat: PatId,
    /// Types and contracts of it.
    pub annots: Vec<Annot>,
    /// `? e`: the value if it is missing, inside the frame.
    pub default: Option<NodeId>,
}

/// The end of a record or array pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// Nothing else may be there.
    Closed,
    /// `..`
    Open,
    /// `..x`
    Bind(u32),
}

/// An import.
#[derive(Clone, Debug)]
pub struct Import {
    /// The path as written.
    pub path: Name,
    /// What to make of the file.
    pub kind: ImportKind,
}

/// What to make of an imported file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportKind {
    /// By its ending, or as the given format (`import "x" as 'Yaml`).
    Code(Option<Name>),
    /// Its text.
    Text,
    /// Its bytes.
    Bytes,
}

/// A type former. As a value it is a contract.
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
    /// `Array T`
    Array(NodeId),
    /// `A -> B`
    Fun(NodeId, NodeId),
    /// `{ _ : T }`, and `{ _ | C }` where `contract` is set (applied lazily, survives merging).
    Dict {
        /// The type of every field.
        item: NodeId,
        /// Written with `|`.
        contract: bool,
    },
    /// `{ a : T, …; r }` in a type. (`{ a | C }` and `{ a : T }` off types are [`Node::Record`].)
    Record {
        /// The fields.
        fields: Vec<(Name, Span, NodeId)>,
        /// Those that say more than that they are there.
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
    /// `_`: whatever inference finds; as a contract it accepts everything.
    Wildcard,
}

/// What a record type says of a field beside its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldMark {
    /// `a? : T`: it need not be there.
    Optional,
    /// `a! : T`: others must define it.
    Declared,
}

/// The end of a row in a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowTail {
    /// Nothing else.
    Closed,
    /// `; r`
    Var(TyVarId),
    /// `; Dyn` (and `..`)
    Dyn,
}
