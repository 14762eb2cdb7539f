//! Stanzas: keys, elements of lists, directives.

use super::{Parser, columns};
use crate::dialect::yay::problem::YayProblem;
use crate::dialect::yay::token::Kind;
use crate::dialect::yay::tree::{Block, BlockId, Blocks, Entry, Expr, For, If, New, Select, Spanned, Stanza, Value};
use crate::text::{Name, Span};

impl Parser<'_> {
    /// Parses the stanzas of one indentation.
    pub(super) fn block(&mut self) -> BlockId {
        self.deeper(Self::block_here, |p| {
            let span = p.here();
            p.tree.add_block(Block { stanzas: Vec::new(), span })
        })
    }

    fn block_here(&mut self) -> BlockId {
        let start = self.token.start;
        let mut stanzas = Vec::new();
        let mut texts = Vec::new();
        let (first, mut is_misplaced) = (self.at, false);
        let mut end = start;
        loop {
            let before = self.at;
            match self.kind() {
                Kind::Eof | Kind::Dedent => break,
                Kind::Newline => {
                    self.bump();
                    continue;
                }
                Kind::Misplaced => {
                    let line = self.line_here();
                    match self.tab_above(self.token.start as usize) {
                        Some(tab) => self.fault(tab, YayProblem::Tab(0)),
                        None => self.fault(line, YayProblem::Misplaced(columns::like(self.text, line.start as usize))),
                    }
                    is_misplaced = true;
                    self.bump();
                    if matches!(self.kind(), Kind::Elif | Kind::Else) {
                        self.take_for_reported(self.at);
                    }
                    continue;
                }
                Kind::Indent => {
                    let above = stanzas.last().map(|stanza: &Stanza| stanza.span(&self.tree).start as usize);
                    match self.tab_before().or_else(|| self.tab_above(above?)) {
                        Some(tab) => self.fault(tab, YayProblem::Tab(0)),
                        // a line that is indented as it was before the misplaced one
                        None if is_misplaced => self.take_for_reported(self.at),
                        None => self.fault_of_indented(&stanzas),
                    }
                    self.bump();
                    self.block();
                    self.eat(Kind::Dedent);
                }
                _ => {
                    let is_text = self.is_at_text();
                    let line = self.line_here();
                    if let Some(stanza) = self.stanza() {
                        if is_text && matches!(stanza, Stanza::Scalar(_)) {
                            texts.push(line);
                            if self.kind() == Kind::Newline && self.peek(1).kind == Kind::Indent {
                                self.fault_of_opened(line);
                                texts.pop();
                                self.below();
                            }
                        }
                        stanzas.push(stanza);
                    }
                    end = self.last_end();
                    self.line_end();
                }
            }
            if self.at == before && !self.is_at_end() {
                self.bump();
            }
        }
        let span = Span { source: self.source, start, end: end.max(start) };
        // a line that is not read may belong to another block, or be of another kind
        let makes = self.check_lines(&stanzas, &texts, is_misplaced || self.is_reported_since(first));
        let block = self.tree.add_block(Block { stanzas, span });
        self.state.made.insert(block, makes);
        block
    }

    /// Returns `true` if the next token begins a line of plain text without a template.
    fn is_at_text(&self) -> bool {
        let after = self.peek(1).kind;
        self.kind() == Kind::Text && matches!(after, Kind::Newline | Kind::Indent | Kind::Dedent | Kind::Eof)
    }

    /// Returns the place of the rest of the line.
    fn line_here(&self) -> Span {
        let start = self.token.start;
        let line = self.text.get(start as usize..).and_then(|rest| rest.lines().next()).unwrap_or("");
        Span { source: self.source, start, end: start + line.trim_end().len() as u32 }
    }

    /// Reports a line that is indented more than the ones above it. `stanzas`: those of the block, so far.
    fn fault_of_indented(&mut self, stanzas: &[Stanza]) {
        if let Some((anchor, problem)) = self.anchor_above() {
            self.fault(anchor, problem);
            return self.take_for_reported(self.at);
        }
        if let [.., before, Stanza::Key(entry)] = stanzas
            && matches!(before, Stanza::Item(..))
            && matches!(entry.value, Value::Scalar(_))
        {
            let line = self.text.get(entry.span.start as usize..entry.span.end as usize).unwrap_or("");
            let help = Name::from(format!("an element begins with a hyphen: `- {line}`"));
            self.fault(entry.span, YayProblem::Foreign { message: "a key among the elements of a list", help });
            return self.take_for_reported(self.at);
        }
        if let Some(Stanza::Key(entry)) = stanzas.last()
            && let Some(help) = self.directive_with_colon(entry, stanzas)
        {
            self.fault(
                entry.name.span,
                YayProblem::Foreign { message: "a directive has no colon after its word", help },
            );
            return self.take_for_reported(self.at);
        }
        let above = stanzas.last().map_or(0, |stanza| self.column_of(stanza.span(&self.tree).start));
        if above == 0 {
            return self.unexpected(&["a line that is not indented"]);
        }
        self.report(|parser, found| YayProblem::Unexpected {
            found: parser.described(found),
            expected: vec![Name::from(format!("a line that is indented by {above}"))],
            help: Name::new_static("indent it like the line above it, or end the line above it with `:`"),
        });
    }

    /// Returns the correction of `extend: packages` above an indented line.
    fn directive_with_colon(&self, entry: &Entry, stanzas: &[Stanza]) -> Option<Name> {
        let Value::Scalar(id) = entry.value else { return None };
        let Expr::Str(value) = self.tree.expr(id) else { return None };
        let word = entry.name.name.as_str();
        if !matches!(word, "extend" | "call" | "new" | "macro" | "prototype") || value.contains(' ') {
            return None;
        }
        let is_named = |stanza: &Stanza| match stanza {
            Stanza::Key(entry) => entry.name.name == *value,
            Stanza::Macro(name, ..) | Stanza::Prototype(name, ..) => name.name == *value,
            _ => false,
        };
        let name = if stanzas.iter().any(is_named) { value.as_str() } else { "NAME" };
        Some(Name::from(format!("write `{word} {name}:`")))
    }

    /// Returns the number of columns before a place in its line.
    pub(super) fn column_of(&self, at: u32) -> usize {
        let before = self.text.get(..at as usize).unwrap_or("");
        before.len() - before.rfind('\n').map_or(0, |end| end + 1)
    }

    /// Returns the place of a tab in the indentation before the next token.
    fn tab_before(&self) -> Option<Span> {
        self.tab_above(self.tokens.get(self.at + 1)?.start as usize)
    }

    /// Returns the place of a tab in the indentation before a place.
    fn tab_above(&self, at: usize) -> Option<Span> {
        let before = self.text.get(..at)?;
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let tab = start + before.get(start..)?.find('\t')?;
        before.get(start..tab)?.trim().is_empty().then_some(())?;
        Some(Span { source: self.source, start: tab as u32, end: tab as u32 + 1 })
    }

    /// Expects the end of the line. Skips the rest of the line.
    fn line_end(&mut self) {
        let ends = |kind| matches!(kind, Kind::Newline | Kind::Indent | Kind::Dedent | Kind::Eof);
        if !ends(self.kind()) && self.tokens.get(self.at.wrapping_sub(1)).is_some_and(|t| !ends(t.kind)) {
            self.unexpected(&["the end of the line"]);
            while !ends(self.kind()) {
                self.bump();
            }
        }
    }

    fn stanza(&mut self) -> Option<Stanza> {
        let start = self.token.start;
        let sign = self.eat(Kind::Sign);
        Some(match self.kind() {
            Kind::Extend => {
                self.bump();
                Stanza::Key(self.entry(start, true))
            }
            Kind::Key => Stanza::Key(self.entry(start, false)),
            Kind::Hyphen => self.element(),
            Kind::Include | Kind::Search => {
                let include = self.bump().kind == Kind::Include;
                let path = self.without_braces(Self::expressions);
                let span = self.since(start);
                if include { Stanza::Include(path, span) } else { Stanza::Search(path, span) }
            }
            Kind::Set | Kind::Let => {
                self.bump();
                let name = self.name("a name");
                if !self.eat(Kind::Equals) {
                    let help = match self.kind() {
                        Kind::LParen => format!("a function is written `set {} = lambda x: VALUE`", name.name),
                        Kind::Colon => {
                            format!("write `set {} = VALUE`; a text in an expression is in quotes", name.name)
                        }
                        _ => String::from("write `set NAME = VALUE`"),
                    };
                    self.expected("`=`", help);
                }
                let value = self.without_braces(Self::expressions);
                Stanza::Set(name, value, self.since(start))
            }
            Kind::If => self.guarded(start, sign),
            Kind::Elif | Kind::Else => {
                // the line of the condition was reported: `elseif`
                if !self.state.has_unknown() {
                    self.expected(
                        "`if` before this line",
                        "it has the same indentation as `if CONDITION:` on a line above, and follows the block of that `if`",
                    );
                }
                self.bump();
                while !matches!(self.kind(), Kind::Newline | Kind::Eof) {
                    self.bump();
                }
                self.below();
                return None;
            }
            Kind::For => {
                self.bump();
                let names = self.targets();
                if !self.eat(Kind::In) {
                    let names: Vec<&str> = names.iter().map(|name| name.name.as_str()).collect();
                    self.expected("`in`", format!("write `for {} in LIST`", names.join(", ")));
                }
                let items = self.for_items();
                let condition = if self.eat(Kind::If) { Some(self.term_before_if()) } else { None };
                self.colon(sign);
                let body = self.body();
                let span = self.since(start);
                Stanza::For(Box::new(For { names, items, condition, body, span }))
            }
            Kind::Select => {
                self.bump();
                let of = self.without_braces(Self::term);
                self.colon(sign);
                let block = self.body();
                let cases = self.cases(block);
                let span = self.since(start);
                Stanza::Select(Box::new(Select { of, cases, span }))
            }
            Kind::Macro | Kind::Prototype => {
                let is_macro = self.bump().kind == Kind::Macro;
                if self.kind() != Kind::Ident {
                    let word = if is_macro { "macro" } else { "prototype" };
                    self.expected("a name", format!("write `{word} NAME:`, with its lines indented below it"));
                }
                let name = self.name("a name");
                if self.kind() == Kind::LParen {
                    self.expected(
                        "`:`",
                        "it has no parameters: a name that its lines read, and that nothing defines, is one",
                    );
                    self.skip_line();
                } else {
                    self.colon(sign);
                }
                let body = self.body();
                let span = self.since(start);
                if is_macro { Stanza::Macro(name, body, span) } else { Stanza::Prototype(name, body, span) }
            }
            Kind::Call => {
                self.bump();
                let name = self.name("the name of a macro");
                if self.kind() == Kind::LParen {
                    self.expected("`:`", "write the arguments as keys, in lines that are indented below this one");
                    self.skip_line();
                }
                self.eat(Kind::Colon);
                let args = self.below();
                Stanza::Call(name, args, self.since(start))
            }
            Kind::New => {
                self.bump();
                let of = self.term();
                let name = self.eat(Kind::As).then(|| self.name("a name"));
                self.eat(Kind::Colon);
                let body = self.below();
                let span = self.since(start);
                Stanza::New(Box::new(New { of, name, body, span }))
            }
            _ if self.is_at_scalar() => Stanza::Scalar(self.scalar()),
            _ => {
                self.unexpected(&["a key", "an element of a list", "a directive"]);
                return None;
            }
        })
    }

    /// Parses the list of a `for`, which ends before `if`.
    fn for_items(&mut self) -> crate::dialect::yay::tree::Id {
        let start = self.token.start;
        let first = self.without_braces(Self::term_before_if);
        if self.kind() != Kind::Comma {
            return first;
        }
        let mut items = vec![first];
        while self.eat(Kind::Comma) {
            items.push(self.term_before_if());
        }
        let span = self.since(start);
        self.tree.add(Expr::List(items.into()), span)
    }

    /// Expects the colon of a directive. With `%` it may be missing.
    fn colon(&mut self, sign: bool) {
        if self.kind() == Kind::LBrace && !sign {
            self.expected("`:`", "a block has no braces: end this line with `:`, and indent the lines below it");
            // the brace takes the lines up to the one that closes it
            self.skip_line();
            self.take_for_reported(self.at);
        } else if !self.eat(Kind::Colon) && !sign {
            self.unexpected(&["`:`"]);
            self.skip_line();
        }
    }

    /// Skips the rest of the line.
    fn skip_line(&mut self) {
        while !matches!(self.kind(), Kind::Newline | Kind::Eof | Kind::Indent | Kind::Dedent) {
            self.bump();
        }
    }

    /// Parses the expression of a directive. The braces of a template around it are reported, and skipped.
    fn without_braces<T>(&mut self, parse: impl FnOnce(&mut Self) -> T) -> T {
        let is_template = self.kind() == Kind::LBrace && self.peek(1).kind == Kind::LBrace;
        if is_template && self.peek(1).start == self.token.end {
            self.expected("an expression", "a directive takes an expression: remove `{{` and `}}`");
            self.bump();
            self.bump();
        }
        let parsed = parse(self);
        if is_template {
            while matches!(self.kind(), Kind::RBrace | Kind::Close) {
                self.bump();
            }
        }
        parsed
    }

    /// Parses the indented block below the line, if there is one.
    fn below(&mut self) -> Option<BlockId> {
        if self.kind() == Kind::Newline && self.peek(1).kind == Kind::Indent {
            self.bump();
        }
        if !self.eat(Kind::Indent) {
            return None;
        }
        let block = self.block();
        self.eat(Kind::Dedent);
        Some(block)
    }

    /// Parses the block that a line needs below it.
    fn body(&mut self) -> BlockId {
        if let Some(block) = self.below() {
            return block;
        }
        if self.slice(self.token) == "=" {
            // a condition with `=`: the block below is that of the directive
            self.expected("`==`", "two values are compared by `==`: `if name == 'text'`");
            self.skip_line();
            if let Some(block) = self.below() {
                return block;
            }
        }
        // after the last line, the user may still type the block
        if self.kind() == Kind::Newline && self.peek(1).kind == Kind::Eof {
            self.bump();
        }
        self.expected("an indented block", "write its lines below this one, each of them indented");
        let span = self.here();
        self.tree.add_block(Block { stanzas: Vec::new(), span })
    }

    fn entry(&mut self, start: u32, extend: bool) -> Entry {
        let name = self.key();
        let doc = self.doc(start);
        if !self.eat(Kind::Colon) {
            self.unexpected(&["`:`"]);
        }
        let value = self.value();
        Entry { name, extend, value, doc, span: self.since(start) }
    }

    fn key(&mut self) -> Spanned {
        if self.kind() != Kind::Key {
            self.unexpected(&["a key"]);
            return Spanned { name: Name::new_static(""), span: self.here().at_start() };
        }
        let token = self.bump();
        let text = self.slice(token);
        let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
        Spanned { name: Name::new(text), span: self.span_of(token) }
    }

    /// Returns the comments directly above a line.
    fn doc(&self, start: u32) -> Option<(Name, Span)> {
        let mut at = self.comments.partition_point(|c| c.start < start);
        let mut lines: Vec<&str> = Vec::new();
        let (mut from, mut end) = (start, None);
        while let Some(comment) = at.checked_sub(1).and_then(|i| self.comments.get(i)).copied() {
            let between = self.text.get(comment.end as usize..from as usize).unwrap_or("x");
            let line = self.text.get(..comment.start as usize).unwrap_or("");
            let own = line.rfind('\n').map_or(line, |end| &line[end + 1..]).trim().is_empty();
            if !own || !between.trim().is_empty() || between.matches('\n').count() != 1 {
                break;
            }
            lines.push(self.slice(comment).trim_start_matches('#').trim());
            end.get_or_insert(comment.end);
            (from, at) = (comment.start, at - 1);
        }
        lines.reverse();
        Some((Name::from(lines.join("\n")), Span { source: self.source, start: from, end: end? }))
    }

    /// Parses what follows the colon of a key.
    fn value(&mut self) -> Value {
        if self.is_at_scalar() {
            return Value::Scalar(self.scalar());
        }
        if let Some(block) = self.below() {
            return Value::Block(block);
        }
        if !matches!(self.kind(), Kind::Newline | Kind::Dedent | Kind::Eof) {
            self.unexpected(&["a value"]);
        }
        Value::Nothing(self.here().at_start())
    }

    fn element(&mut self) -> Stanza {
        let start = self.bump().start;
        let value = self.value();
        Stanza::Item(value, self.since(start))
    }

    fn guarded(&mut self, start: u32, sign: bool) -> Stanza {
        let mut branches = Vec::new();
        let (mut otherwise, mut else_span) = (None, None);
        self.bump();
        let condition = self.without_braces(Self::expressions);
        self.colon(sign);
        branches.push((condition, self.body()));
        while self.kind() == Kind::Newline && self.at_alternative(1) || self.at_alternative(0) {
            self.eat(Kind::Newline);
            let sign = self.eat(Kind::Sign);
            let at = self.token;
            if self.eat(Kind::Else) {
                else_span = Some(self.span_of(at));
                self.eat(Kind::Colon);
                otherwise = Some(self.body());
                break;
            }
            self.bump();
            let condition = self.expressions();
            self.colon(sign);
            branches.push((condition, self.body()));
        }
        let span = self.since(start);
        let else_span = else_span.unwrap_or(span);
        Stanza::If(Box::new(If { branches, otherwise, else_span, span }))
    }

    /// Returns `true` if the token `ahead` begins `elif` or `else`.
    fn at_alternative(&self, ahead: usize) -> bool {
        let sign = usize::from(self.peek(ahead).kind == Kind::Sign);
        matches!(self.peek(ahead + sign).kind, Kind::Elif | Kind::Else)
    }

    /// Takes the keys of a block as the cases of a `select`.
    fn cases(&mut self, block: BlockId) -> Vec<(Spanned, Value)> {
        let mut cases = Vec::new();
        let mut others = Vec::new();
        let mut elements: Option<(Span, String)> = None;
        for stanza in &self.tree.block(block).stanzas {
            match stanza {
                Stanza::Item(value, span) => {
                    let first = value.block().and_then(|block| self.tree.block(block).stanzas.first());
                    let name = match (first, value) {
                        (Some(Stanza::Key(entry)), _) => entry.name.name.as_str(),
                        (_, Value::Scalar(id)) => match self.tree.expr(*id) {
                            Expr::Str(text) if !text.contains(' ') => text.as_str(),
                            _ => "CASE",
                        },
                        _ => "CASE",
                    };
                    elements.get_or_insert((Span { end: span.start + 1, ..*span }, name.to_string()));
                }
                Stanza::Key(entry) if !entry.extend => cases.push((entry.name.clone(), entry.value)),
                // the line was reported as it was read
                Stanza::Scalar(_) => {}
                other => others.push(other.span(&self.tree)),
            }
        }
        if let [Stanza::Scalar(id)] = self.tree.block(block).stanzas.as_slice()
            && let Expr::Str(text) = self.tree.expr(*id)
        {
            // a line of text alone is not reported as it is read
            let case = text.strip_prefix("case ").and_then(|rest| rest.split_once(':'));
            let help = Name::from(match case.map(|(name, _)| name.trim_matches(['"', '\''])) {
                Some(name) if !name.contains(' ') => format!("write `{name}: VALUE`, without `case`"),
                _ => String::from("write `NAME: VALUE` for each case"),
            });
            let span = self.tree.span(*id);
            self.fault(span, YayProblem::Foreign { message: "a case of a `select` is a key", help });
        }
        if let Some((hyphen, name)) = elements {
            let help = Name::from(format!("write `{name}:` without the hyphen, with its lines indented below it"));
            self.fault(hyphen, YayProblem::Foreign { message: "a case of a `select` is a key, not an element", help });
        }
        for span in others {
            let expected = vec![Name::new_static("a key")];
            self.fault(span, crate::problem::syntax::SyntaxKind::Unexpected { found: None, expected });
        }
        cases
    }
}
