//! The tokens of a language, and a table of their roles, for highlighters in editors.
//!
//! A highlighter is a state machine. Its input is a state, a token, the tokens before and after it, and whether the
//! token begins a line. Its output is a role and the next state. This module runs the machine on all inputs and writes
//! the results as a table. Tokens that are always treated alike share a class.

use super::Token;
use crate::dialect::Stop;
use crate::styled::Role;
use serde_json::{Value, json};
use std::ops::Range;

/// The highlighting rules of a language.
pub(in crate::dialect) trait Highlight: super::Grammar {
    /// The state between two tokens.
    type State: Copy + Default + PartialEq;
    /// Words whose role differs from that of other names.
    const WORDS: &'static [&'static str];
    /// The shape of a token without a pattern: the lexer reads its text by hand, in this way.
    fn shape(kind: Self::Kind) -> (&'static str, &'static str);
    /// Returns the role of a token, given its text and its neighbours. `fresh` is `true` if the token begins a line.
    fn role(
        state: &mut Self::State,
        token: (Self::Kind, &str),
        around: (Option<Self::Kind>, Option<Self::Kind>),
        fresh: bool,
    ) -> Role;
}

/// Returns the roles of the parts of an input, in order, without overlap. `O(length)`.
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

/// Returns the tokens and comments of an input with their kinds, in order. `O(length)`.
pub(in crate::dialect) fn tokens_of<G: Highlight>(text: &str) -> Vec<(Range<usize>, String)> {
    let lexed = G::lex(text, Stop::NEVER);
    let tokens = lexed.tokens.iter().map(|t| (t.start as usize..t.end as usize, format!("{:?}", t.kind)));
    let comments = lexed.comments.iter().map(|c| (c.start as usize..c.end as usize, String::from("Comment")));
    let mut out: Vec<(Range<usize>, String)> = tokens.chain(comments).collect();
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

/// Groups equal rows. Returns the class of each row, and the first row of each class.
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

/// The role letter and the next state of each token in one state. The indices are the token, the token before, the
/// token after, and whether the token begins a line.
type StateCells = Vec<Vec<Vec<[(u8, u8); 2]>>>;

/// Returns the tokens and roles of a language, for highlighters that are not written in Rust.
pub(in crate::dialect) fn scanner<G: Highlight>(
    all: &[G::Kind],
    patterns: &[(G::Kind, bool, &str)],
    more: Value,
) -> Value {
    // a word with its own role is a separate token
    let name = patterns.iter().find(|(kind, ..)| G::shape(*kind).0 == "word").map(|(kind, ..)| *kind);
    let words = G::WORDS.iter().filter_map(|word| Some((name?, *word)));
    let tokens: Vec<(G::Kind, &str)> = all.iter().map(|kind| (*kind, "")).chain(words).collect();
    let around: Vec<Option<G::Kind>> = std::iter::once(None).chain(all.iter().copied().map(Some)).collect();
    let mut states = vec![G::State::default()];
    // indices: state, token, token before, token after, fresh
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
    // the three classes of a token: as the current one, as the one before, and as the one after
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
