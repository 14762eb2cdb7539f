//! `%`: the remainder of numbers, and formatting. A constant format decides the number and the types of its arguments, or their
//! names.

use crate::infer::Infer;
use crate::infer::unify::{ClashKind, ClashPath};
use crate::infer::why::{UnifyReason, Why};
use crate::problem::types::TypesKind;
use crate::term::{Node, NodeId, Prim};
use crate::text::{Name, Span};
use crate::ty::{Constraint, DynReason, Field, FormattedField, Presence, Row, Tail, Ty, TyRef, VariableKind};

/// A directive of a format, such as `%05d`.
#[derive(Clone, PartialEq, Debug)]
struct Directive {
    /// The name of the field that it formats, if it has one.
    pub name: Option<String>,
    /// Its text.
    pub text: String,
    /// Whether it takes only a number.
    pub number: bool,
    /// Whether it is `%c`, which takes a number or a character.
    pub character: bool,
    /// The number of `*` in it, each of which takes a further argument.
    pub stars: u32,
}

/// Parses the directives of a format; `None` if it is malformed.
fn directives(format: &str) -> Option<Vec<Directive>> {
    let mut out = Vec::new();
    let mut chars = format.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if c != '%' {
            continue;
        }
        let mut name = None;
        let mut stars = 0;
        if chars.next_if(|(_, c)| *c == '(').is_some() {
            let mut text = String::new();
            loop {
                match chars.next()? {
                    (_, ')') => break,
                    (_, c) => text.push(c),
                }
            }
            name = Some(text);
        }
        while chars.next_if(|(_, c)| "#0- +".contains(*c)).is_some() {}
        if chars.next_if(|(_, c)| *c == '*').is_some() {
            stars += 1;
        }
        while chars.next_if(|(_, c)| c.is_ascii_digit()).is_some() {}
        if chars.next_if(|(_, c)| *c == '.').is_some() {
            if chars.next_if(|(_, c)| *c == '*').is_some() {
                stars += 1;
            }
            while chars.next_if(|(_, c)| c.is_ascii_digit()).is_some() {}
        }
        while chars.next_if(|(_, c)| "hlL".contains(*c)).is_some() {}
        let (end, kind) = chars.next()?;
        let number = match kind {
            '%' => continue,
            'd' | 'i' | 'u' | 'o' | 'x' | 'X' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G' => true,
            'c' | 's' => false,
            _ => return None,
        };
        let text = format.get(start..end + kind.len_utf8()).unwrap_or_default().to_owned();
        out.push(Directive { name, text, number, character: kind == 'c', stars });
    }
    Some(out)
}

impl Infer<'_> {
    /// Infers `a % b`.
    pub(in crate::infer) fn remainder(&mut self, left: NodeId, right: NodeId, span: Span) -> TyRef {
        let a = self.strict(left);
        let (head, by) = self.table.head_with(&a);
        let why = Why::Operand(Prim::Rem);
        match &*head {
            Ty::String => {
                let constant = match self.term.node(left) {
                    Node::Str(format) => directives(format),
                    _ => None,
                };
                match constant {
                    Some(directives) => self.formatted(&directives, self.term.span(left), right, span),
                    None => {
                        let ty = self.expr(right);
                        if let Ty::Array(_) = &*self.table.head(&ty) {
                            self.force_whole(&ty);
                        }
                    }
                }
                Ty::String.into()
            }
            Ty::Number => {
                let certain = self.is_certain(by);
                let ty = self.expr(right);
                let because = UnifyReason::new(self.term.span(right), why).sure_if(certain);
                let unified = self.unify(&ty, &Ty::Number.into(), &because);
                self.demand(unified, &because);
                self.solve();
                Ty::Number.into()
            }
            Ty::Live(_) => match &*{
                let b = self.expr(right);
                self.open_head(&b)
            } {
                // `b` can be an operand of a remainder or an argument of a format
                Ty::Number | Ty::Live(_) | Ty::Dyn(_) | Ty::Bottom | Ty::Union(_) => {
                    Ty::Dyn(DynReason::Tested(span)).into()
                }
                _ => {
                    let because = UnifyReason::new(self.term.span(left), why).unsure();
                    let unified = self.unify(&a, &Ty::String.into(), &because);
                    self.settle_clash(unified, &because);
                    Ty::String.into()
                }
            },
            Ty::Dyn(_) | Ty::Bottom | Ty::Union(_) | Ty::Error(_) => {
                self.expr(right);
                Ty::Dyn(DynReason::Tested(span)).into()
            }
            _ => {
                self.expr(right);
                let because = UnifyReason::new(self.term.span(left), why);
                let unified = self.unify(&a, &Ty::Number.into(), &because);
                self.demand(unified, &because);
                Ty::Dyn(DynReason::Tested(span)).into()
            }
        }
    }

    /// Infers the arguments of a known format, and checks them.
    fn formatted(&mut self, directives: &[Directive], format: Span, argument: NodeId, span: Span) {
        let term = self.term.clone();
        let at = term.span(argument);
        let wanted: u32 = directives.iter().map(|d| 1 + d.stars).sum();
        let mut one = argument;
        if let Node::Array(items) = term.node(argument) {
            let types: Vec<TyRef> = items.iter().map(|i| self.in_own_unit(*i)).collect();
            if directives.iter().any(|d| d.name.is_some()) {
                return;
            }
            if types.len() as u32 != wanted {
                self.report(at, TypesKind::FormatCount { takes: wanted, given: types.len() as u32 }, true);
                return;
            }
            let mut types = types.iter().zip(items.iter());
            for d in directives {
                for _ in 0..d.stars {
                    if let Some((ty, item)) = types.next() {
                        self.directive(d, true, &ty.clone(), term.span(*item));
                    }
                }
                if let Some((ty, item)) = types.next() {
                    self.directive(d, d.number, &ty.clone(), term.span(*item));
                }
            }
            return;
        }
        let ty = self.expr(argument);
        if let Node::Array(items) = term.node(one)
            && let [item] = **items
        {
            one = item;
        }
        let head = self.open_head(&ty);
        // a single directive takes the value itself if it is not an object, whatever name it has
        let is_sum = matches!(term.node(argument), Node::Prim(Prim::Plus, operands)
            if operands.last().is_some_and(|right| matches!(term.node(*right), Node::Record(_))));
        let is_object = wanted > 1 || is_sum;
        match &*head {
            Ty::Record(row) => {
                let row = self.open_row(row);
                for d in directives {
                    let Some(name) = &d.name else {
                        // directives without names take the object as a single argument
                        if wanted > 1 {
                            self.report(at, TypesKind::FormatCount { takes: wanted, given: 1 }, true);
                        }
                        return;
                    };
                    if let Ty::Sibling(sibling, inner) = &*ty {
                        let label = Name::from(name.as_str());
                        if self.missing_part(sibling, inner, &label, argument, span).is_some() {
                            continue;
                        }
                    }
                    if let (Ty::Sibling(sibling, _), Some(_)) = (&*ty, row.get(name)) {
                        let mut path = sibling.path.clone();
                        path.push(Name::from(name.as_str()));
                        self.uses_part(sibling.at, &path, span);
                    }
                    match row.get(name) {
                        Some(field) if field.presence == Presence::Yes => {
                            let field = self.without_failures(&field.ty.clone());
                            let because = UnifyReason::new(at, Why::Format(Name::from(d.text.as_str()))).unsure();
                            if d.number {
                                let field = self.instantiate(&field);
                                let unified = self.unify(&field, &Ty::Number.into(), &because);
                                self.settle_clash(unified, &because);
                            }
                        }
                        None if matches!(row.tail(), Tail::Closed) && !self.is_self(argument) => {
                            let because = UnifyReason::new(at, Why::Format(Name::from(d.text.as_str()))).wanted(format);
                            let name = Name::from(name.as_str());
                            let near = crate::infer::access::near_in(&head, &name);
                            // a field that another directive formats is not a misspelling of this one
                            let others = |near: &Name| directives.iter().any(|d| d.name.as_deref() == Some(near));
                            let near = near.into_iter().filter(|near| !others(near)).collect();
                            let missing = ClashKind::Missing { name, record: head.clone(), near, asked: None };
                            let clash = self.clash(missing, &because);
                            self.demand(Err(clash), &because);
                        }
                        None if matches!(row.tail(), Tail::Live(_)) && !self.is_self(argument) => {
                            self.read_by_format(d, &ty, argument, span);
                        }
                        Some(field) if field.presence == Presence::Maybe => {
                            self.suspect_absent(&row, &Name::from(name.as_str()), span);
                        }
                        None if matches!(row.tail(), Tail::Dyn(_)) && !self.is_self(argument) => {
                            self.suspect_absent(&row, &Name::from(name.as_str()), span);
                        }
                        _ => {}
                    }
                }
            }
            Ty::Live(_) if let Ty::Sibling(sibling, inner) = &*ty => {
                for name in directives.iter().filter_map(|d| d.name.as_deref()) {
                    self.missing_part_of(sibling, (inner, is_object), &Name::from(name), argument, span);
                }
            }
            Ty::Live(_) if is_object && directives.iter().all(|d| d.name.is_some()) && !self.is_self(argument) => {
                for d in directives {
                    self.read_by_format(d, &ty, argument, span);
                }
            }
            // a string is formatted as it is, so that only an object lacks the field
            Ty::Live(_) if !self.is_self(argument) && self.objects.tolerant == 0 => {
                let fields = directives.iter().filter_map(|d| {
                    let name = Name::from(d.name.as_deref()?);
                    Some(FormattedField { name, directive: Name::from(d.text.as_str()), number: d.number })
                });
                let fields: Vec<FormattedField> = fields.collect();
                if !fields.is_empty() && fields.len() == directives.len() {
                    self.constrain(Constraint::Format { value: ty, fields: fields.into(), span });
                }
            }
            Ty::Number | Ty::String | Ty::Bool | Ty::Null if directives.iter().all(|d| d.name.is_none()) => {
                if wanted != 1 {
                    self.report(at, TypesKind::FormatCount { takes: wanted, given: 1 }, true);
                    return;
                }
                if let Some(d) = directives.first() {
                    self.directive(d, d.number, &ty, term.span(one));
                }
            }
            _ => {}
        }
    }

    /// Infers the read of a field by a directive, `'%(a)s %(b)s' % o`, where not all of the object is known.
    fn read_by_format(&mut self, directive: &Directive, object: &TyRef, argument: NodeId, span: Span) {
        let Some(name) = directive.name.as_deref().map(Name::from) else { return };
        let field = self.field_type(object, &name, argument, span);
        if directive.number {
            let why = Why::Format(Name::from(directive.text.as_str()));
            let because = UnifyReason::new(self.term.span(argument), why).unsure();
            let field = self.without_failures(&field);
            let field = self.instantiate(&field);
            let unified = self.unify(&field, &Ty::Number.into(), &because);
            self.settle_clash(unified, &because);
        }
    }

    /// Checks the fields that a format reads of a value, which was not known before.
    pub(in crate::infer) fn try_format(&mut self, index: usize, value: &TyRef, fields: &[FormattedField], span: Span) {
        let (head, by) = self.table.head_with(value);
        if let Ty::Live(v) = &*head {
            return self.table.watch(*v, index as u32);
        }
        self.deferred.finish(index);
        let head = self.instantiate(&head);
        let Ty::Record(row) = &*self.open_head(&head) else { return };
        let row = self.open_row(row);
        let record: TyRef = Ty::Record(row.clone()).into();
        let reason = by.map(|by| self.table.reason(by).clone());
        // an argument of the function with the format
        let argument = reason.filter(|reason| matches!(reason.why, Why::Argument(..)));
        for field in fields {
            let because = match &argument {
                Some(reason) => UnifyReason::new(reason.found, reason.why.clone()).wanted(reason.span),
                None => UnifyReason::new(span, Why::Format(field.directive.clone())),
            };
            let because = because.unsure();
            match (row.get(&field.name), row.tail()) {
                (Some(found), _) if found.presence == Presence::Yes && !field.number => {}
                (Some(found), _) if found.presence == Presence::Yes => {
                    let found = self.without_failures(&found.ty.clone());
                    let found = self.instantiate(&found);
                    let unified = self.unify(&found, &Ty::Number.into(), &because).in_field(&field.name);
                    self.settle_clash(unified, &because);
                }
                (None, Tail::Closed) if argument.is_some() => {
                    let others = |near: &Name| fields.iter().any(|other| other.name == *near);
                    let near = crate::infer::access::near_in(&record, &field.name);
                    let near = near.into_iter().filter(|near| !others(near)).collect();
                    let missing =
                        ClashKind::Missing { name: field.name.clone(), record: record.clone(), near, asked: None };
                    let clash = self.clash(missing, &because);
                    self.settle_clash(Err(clash), &because);
                }
                (None, Tail::Live(_)) => {
                    let ty = match field.number {
                        true => Ty::Number.into(),
                        false => self.fresh(),
                    };
                    let mut wanted = Row::new(Tail::Live(self.fresh_tail(VariableKind::Row)));
                    wanted.insert(field.name.clone(), Field::given(ty, Some(span)));
                    let unified = self.unify(&record, &Ty::Record(wanted).into(), &because);
                    self.settle_clash(unified, &because);
                }
                (None, Tail::Closed | Tail::Dyn(_)) => self.suspect_absent(&row, &field.name, span),
                (Some(found), _) if found.presence == Presence::Maybe => {
                    self.suspect_absent(&row, &field.name, span);
                }
                _ => {}
            }
        }
    }

    fn is_self(&self, id: NodeId) -> bool {
        self.object_of(id).is_some()
    }

    fn directive(&mut self, d: &Directive, number: bool, ty: &TyRef, at: Span) {
        let because = UnifyReason::new(at, Why::Format(Name::from(d.text.as_str())));
        let forced = self.force(ty);
        let (head, by) = self.table.head_with(&forced);
        let because = because.sure_if(self.is_certain(by));
        let fits = match &*head {
            Ty::Live(_) | Ty::Dyn(_) | Ty::Bottom | Ty::Union(_) | Ty::Error(_) | Ty::Number => true,
            Ty::String => !number,
            Ty::Bool | Ty::Null | Ty::Array(_) | Ty::Record(_) => !number && !d.character,
            _ => true,
        };
        if !fits {
            let wanted: TyRef = Ty::Number.into();
            let clash = self.clash_of_heads(&head, &wanted, None, None, &because);
            self.demand(Err(clash), &because);
        }
    }
}
