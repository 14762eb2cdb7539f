//! What an editor needs to highlight a language as its lexer and its highlighter do: tokens, and roles as a table.
//!
//! A highlighter is a machine: by its state, a token, the tokens before and after it, and whether it begins a line, it gives a
//! role and the next state. Here it is run on all of them, and what comes out is written down, in classes of tokens that are
//! treated alike.

use super::Token;
use crate::dialect::Stop;
use crate::styled::Role;
use serde_json::{Value, json};
use std::ops::Range;

/// Declares the tokens of a language: the enum for logos, and the same as a table.
macro_rules! tokens {
    ($($(#[doc = $doc:literal])* $Name:ident $(= $($how:ident($text:tt $($more:tt)*)),+)?;)*) => {
        /// What a token is.
        #[derive(logos::Logos, Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[logos(skip r"[ \t\r\n\f\u{FEFF}]+")]
        #[allow(missing_docs)] // a token's name says which token it is
        pub enum Kind {
            $($(#[doc = $doc])* $($(#[$how($text $($more)*)])+)? $Name,)*
        }

        impl Kind {
            /// The patterns of tokens, and whether each is a regular expression.
            pub const PATTERNS: &'static [(Kind, bool, &'static str)] =
                &[$($($((Kind::$Name, $crate::dialect::parser::is_regex(stringify!($how)), $text),)+)?)*];
            /// Every token.
            pub const ALL: &'static [Kind] = &[$(Kind::$Name),*];
        }
    };
}
pub(in crate::dialect) use tokens;

pub(in crate::dialect) const fn is_regex(how: &str) -> bool {
    how.as_bytes()[0] == b'r'
}

/// How a language is highlighted.
pub(in crate::dialect) trait Highlight: super::Grammar {
    /// What is known between two tokens.
    type State: Copy + Default + PartialEq;
    /// Words whose role is not that of other names.
    const WORDS: &'static [&'static str];
    /// What a token is where its text has no pattern; what begins here is read by hand, in this way.
    fn shape(kind: Self::Kind) -> (&'static str, &'static str);
    /// The role of a token with this text between two others; `fresh`: it begins a line.
    fn role(
        state: &mut Self::State,
        token: (Self::Kind, &str),
        around: (Option<Self::Kind>, Option<Self::Kind>),
        fresh: bool,
    ) -> Role;
}

/// The roles of an input's parts, in order, without overlap. O(length).
pub(in crate::dialect) fn highlight<G: Highlight>(text: &str) -> Vec<(Range<usize>, Role)> {
    let lexed = G::lex(text, Stop::NEVER);
    let mut out: Vec<(Range<usize>, Role)> = Vec::with_capacity(lexed.tokens.len());
    let (mut state, mut before, mut end) = (G::State::default(), None, 0);
    for (index, token) in lexed.tokens.iter().enumerate() {
        let Token { kind, start, end: stop } = *token;
        let range = start as usize..stop as usize;
        let next = lexed.tokens.get(index + 1).map(|t| t.kind);
        let fresh = text.get(end..range.start).is_some_and(|between| between.contains('\n'));
        let word = text.get(range.clone()).unwrap_or("");
        let role = G::role(&mut state, (kind, word), (before, next), fresh);
        (before, end) = (Some(kind), range.end);
        if !range.is_empty() && role != Role::Plain {
            out.push((range, role));
        }
    }
    out.extend(lexed.comments.iter().map(|c| (c.start as usize..c.end as usize, Role::Comment)));
    out.sort_by_key(|(range, _)| range.start);
    out
}

/// The letter of a role in the tables.
fn letter(role: Role) -> char {
    match role {
        Role::Keyword => 'k',
        Role::Literal => 'l',
        Role::String => 's',
        Role::Tag => 'g',
        Role::Name => 'n',
        Role::Type => 'y',
        Role::Operator => 'o',
        Role::Comment => 'c',
        Role::Invalid => 'x',
        _ => '.',
    }
}

/// The classes of rows that are alike: the class of each row.
fn classes<T: PartialEq>(rows: &[T]) -> (Vec<usize>, Vec<usize>) {
    let mut firsts: Vec<usize> = Vec::new();
    let mut class = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let known = firsts.iter().position(|first| rows[*first] == *row);
        class.push(known.unwrap_or_else(|| {
            firsts.push(at);
            firsts.len() - 1
        }));
    }
    (class, firsts)
}

/// The role letter and the next state of each token in one state: by token, by the token before, by the token after, and by
/// whether the token begins a line.
type StateCells = Vec<Vec<Vec<[(u8, u8); 2]>>>;

/// The tokens and roles of a language, for highlighters in other languages than Rust.
pub(in crate::dialect) fn scanner<G: Highlight>(
    all: &[G::Kind],
    patterns: &[(G::Kind, bool, &str)],
    more: Value,
) -> Value {
    // a word with a role of its own is a token of its own
    let name = patterns.iter().find(|(kind, ..)| G::shape(*kind).0 == "word").map(|(kind, ..)| *kind);
    let words = G::WORDS.iter().filter_map(|word| Some((name?, *word)));
    let tokens: Vec<(G::Kind, &str)> = all.iter().map(|kind| (*kind, "")).chain(words).collect();
    let around: Vec<Option<G::Kind>> = std::iter::once(None).chain(all.iter().copied().map(Some)).collect();
    let mut states = vec![G::State::default()];
    // by state, token, before, after, fresh
    let mut cells: Vec<StateCells> = Vec::new();
    while let Some(from) = states.get(cells.len()).copied() {
        let mut cell = |token: (G::Kind, &str), before, after, fresh| {
            let mut state = from;
            let role = G::role(&mut state, token, (before, after), fresh);
            let to = states.iter().position(|known| *known == state).unwrap_or_else(|| {
                states.push(state);
                states.len() - 1
            });
            (letter(role) as u8, to as u8)
        };
        let mut of_state = Vec::new();
        for token in &tokens {
            let mut of_token = Vec::new();
            for before in &around {
                let row = around.iter().map(|after| [false, true].map(|fresh| cell(*token, *before, *after, fresh)));
                of_token.push(row.collect::<Vec<_>>());
            }
            of_state.push(of_token);
        }
        cells.push(of_state);
    }
    let range = |count: usize| 0..count;
    let by_token: Vec<_> = range(tokens.len()).map(|t| cells.iter().map(|s| &s[t]).collect::<Vec<_>>()).collect();
    let by_before: Vec<_> = range(around.len())
        .map(|b| cells.iter().flat_map(|s| s.iter().map(move |t| &t[b])).collect::<Vec<_>>())
        .collect();
    let by_after: Vec<_> = range(around.len())
        .map(|a| cells.iter().flat_map(|s| s.iter().flat_map(move |t| t.iter().map(move |b| b[a]))).collect::<Vec<_>>())
        .collect();
    let ((token_class, tokens_of), (before_class, befores)) = (classes(&by_token), classes(&by_before));
    let (after_class, afters) = classes(&by_after);
    let mut roles = String::new();
    for state in &cells {
        for token in &tokens_of {
            for before in &befores {
                for after in &afters {
                    for (role, to) in state[*token][*before][*after] {
                        roles.push(char::from(role));
                        roles.push(char::from(b'0' + to));
                    }
                }
            }
        }
    }
    // a token's classes: its own, as the one before, as the one after
    let class = |kind: G::Kind, word: &str| {
        let own = tokens.iter().position(|(k, w)| *k == kind && *w == word).unwrap_or(0);
        let other = all.iter().position(|k| *k == kind).unwrap_or(0) + 1;
        json!([token_class[own], before_class[other], after_class[other]])
    };
    let entry = |(kind, regex, text): &(G::Kind, bool, &str)| {
        let (mut shown, form) = G::shape(*kind);
        if shown.is_empty() {
            shown = text;
        }
        (*regex, json!([text, shown, form, class(*kind, "")]))
    };
    let of = |wanted: bool| patterns.iter().map(entry).filter(|(regex, _)| *regex == wanted).map(|(_, e)| e).collect();
    let (literals, regexes): (Vec<Value>, Vec<Value>) = (of(false), of(true));
    let by_hand = all.iter().filter(|kind| !patterns.iter().any(|(known, ..)| known == *kind));
    let by_hand: Vec<Value> = by_hand.map(|kind| json!([G::shape(*kind).0, class(*kind, "")])).collect();
    let words: Vec<Value> = G::WORDS.iter().filter_map(|word| Some(json!([word, class(name?, word)]))).collect();
    json!({
        "literals": literals,
        "patterns": regexes,
        "parts": by_hand,
        "words": words,
        "nothing": [before_class[0], after_class[0]],
        "sizes": [tokens_of.len(), befores.len(), afters.len()],
        "roles": roles,
        "more": more,
    })
}
