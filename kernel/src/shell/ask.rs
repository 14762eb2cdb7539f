//! Requests other than `execute_request`: completion, inspection, completeness, history, and the small ones.

use super::comm;
use super::deadline::Deadline;
use crate::cell::{self, byte_of, characters_before};
use crate::common::Common;
use crate::display;
use crate::info;
use crate::request::{Request, failure};
use cfg_core::{Candidate, Completeness, Dialect, Session, Styled};
use serde_json::{Value, json};
use std::time::Duration;

/// Maximum time for evaluation during an inspection. After that, the reply contains what is known without it.
const PATIENCE: Duration = Duration::from_millis(500);

/// Returns the content of the reply to any request but `execute_request`. `None` if there is no reply.
pub(super) fn answer(session: &mut Session, deadline: &Deadline, common: &Common, request: &Request) -> Option<Value> {
    let kind = request.message.kind();
    match kind {
        "kernel_info_request" => return Some(info::kernel_info(common.languages)),
        "connect_request" => return Some(info::connect(&common.connection)),
        "shutdown_request" => {
            let content = json!({ "status": "ok", "restart": request.flag("restart", false) });
            common.messenger.publish(&request.message.header, "shutdown_reply", &content);
            return Some(content);
        }
        _ => {}
    }
    if let Err(why) = &request.message.content {
        return Some(failure("kernel/malformed", why));
    }
    Some(match kind {
        "complete_request" => answer_in_cell_language(session, request, complete),
        "inspect_request" => {
            let _until = deadline.within(PATIENCE);
            answer_in_cell_language(session, request, inspect)
        }
        "is_complete_request" => answer_in_cell_language(session, request, is_complete),
        "history_request" => common.history().answer(request),
        "comm_info_request" => common.comms.info(request.text("target_name")),
        "comm_open" => {
            comm::open(session, common, request);
            return None;
        }
        "comm_msg" => {
            comm::message(session, common, request);
            return None;
        }
        "comm_close" => {
            comm::close(common, request);
            return None;
        }
        "usage_request" => info::usage(),
        "debug_request" => info::debug(request),
        "interrupt_request" => json!({ "status": "ok" }),
        _ => info::unknown(kind),
    })
}

/// Answers a question about the code of a cell in the language that the cell's first line names.
fn answer_in_cell_language(
    session: &mut Session,
    request: &Request,
    answer: fn(&mut Session, &Request, &str) -> Value,
) -> Value {
    let code = request.text("code").unwrap_or("");
    let line = session.language_line(code).filter(|(_, body)| !body.trim().is_empty());
    let Some((language, body)) = line else { return answer(session, request, code) };
    session.in_language(language, |session| answer(session, request, &body))
}

/// Returns the completions at the cursor.
fn complete(session: &mut Session, request: &Request, code: &str) -> Value {
    let cursor = cursor(request, code);
    let mut found = Vec::new();
    // converts positions in the part to positions in the cell
    let mut shift = (0, 0);
    let parts = cell::parts(session, code);
    let line = code.get(..cursor).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let magics = code.get(..cursor).and_then(|before| before.get(line..)?.strip_prefix("%%"));
    if let Some(magic) = magics.filter(|magic| !magic.contains(char::is_whitespace)) {
        let is_first = code.get(..line).is_some_and(|before| before.trim().is_empty());
        return complete_magics(session, code, cursor - magic.len(), cursor, is_first);
    }
    match parts.iter().rev().find(|p| p.start <= cursor) {
        // the beginning of a magic
        _ if code.get(line..cursor) == Some("%") => {
            shift = (line, 0);
            found = session.complete(":", 1);
        }
        Some(part) => {
            shift = (part.start, part.blank);
            found = session.complete(&part.text, cursor - part.start + part.blank);
        }
        None => found.extend(session.complete("", 0)),
    }
    let in_cell = |byte: usize| (byte.saturating_sub(shift.1) + shift.0).min(code.len());
    let range = found.first().map(|c| c.range.clone());
    let alike = |c: &&Candidate| Some(&c.range) == range.as_ref();
    let start = characters_before(code, range.as_ref().map_or(cursor, |r| in_cell(r.start)));
    let end = characters_before(code, range.as_ref().map_or(cursor, |r| in_cell(r.end)));
    let kinds = found.iter().filter(alike).map(|c| {
        // JupyterLab's menu shows `type`; the other members are for prompts
        json!({
            "start": start,
            "end": end,
            "text": c.text,
            "type": c.ty.as_deref().unwrap_or(c.kind),
            "kind": c.kind,
            "signature": c.ty.as_deref().unwrap_or(""),
            "documentation": c.doc.as_deref().unwrap_or(""),
        })
    });
    json!({
        "status": "ok",
        "matches": found.iter().filter(alike).map(|c| c.text.as_str()).collect::<Vec<_>>(),
        "cursor_start": start,
        "cursor_end": end,
        "metadata": { "_jupyter_types_experimental": kinds.collect::<Vec<_>>() },
    })
}

/// Returns the words that complete the first line of a cell, after `%%`, in the range `start..cursor`.
fn complete_magics(session: &Session, code: &str, start: usize, cursor: usize, is_first: bool) -> Value {
    let begun = code.get(start..cursor).unwrap_or_default();
    let languages = session.languages();
    let words = languages.interactive().map(Dialect::name).chain(["file"]);
    let words: Vec<&str> = words.filter(|word| is_first && word.starts_with(begun)).collect();
    let range = [start, cursor].map(|at| characters_before(code, at));
    let kinds = words.iter().map(|word| json!({ "start": range[0], "end": range[1], "text": word, "type": "magic" }));
    json!({
        "status": "ok",
        "matches": words,
        "cursor_start": range[0],
        "cursor_end": range[1],
        "metadata": { "_jupyter_types_experimental": kinds.collect::<Vec<_>>() },
    })
}

/// Returns what is known about the path at the cursor.
fn inspect(session: &mut Session, request: &Request, code: &str) -> Value {
    let cursor = cursor(request, code);
    let detail = u64::try_from(request.number("detail_level").unwrap_or(0)).unwrap_or(0);
    let language = session.language_of(code);
    let text = path_at(code, cursor).and_then(|path| description(session, path, detail, language));
    let data = text.as_ref().map_or(json!({}), display::bundle);
    json!({ "status": "ok", "found": text.is_some(), "data": data, "metadata": {} })
}

/// Reports whether a cell is complete.
fn is_complete(session: &mut Session, _: &Request, code: &str) -> Value {
    if cell::question(code).is_some() {
        return json!({ "status": "complete" });
    }
    if cell::file(code).is_some() {
        return json!({ "status": "complete" });
    }
    let parts = cell::parts(session, code);
    // an error that no further line can repair
    let invalid = |part: &cell::CellPart| !part.command && session.mistake(&part.text, part.text.len()).is_some();
    if parts.iter().any(invalid) {
        return json!({ "status": "invalid" });
    }
    match parts.last().map(|part| session.completeness(&part.text)) {
        Some(Completeness::Incomplete { indent }) => {
            json!({ "status": "incomplete", "indent": " ".repeat(indent) })
        }
        _ => json!({ "status": "complete" }),
    }
}

/// Returns what is known about a path of a language, at detail level 1 with where its value comes from. `None` if nothing
/// is known.
pub(super) fn description(session: &mut Session, path: &str, detail: u64, language: Dialect) -> Option<Styled> {
    session.in_language(language, |session| session.inspect(path, detail > 0))
}

/// Returns the `payload` that shows a text in the pager.
pub(super) fn page(text: &Styled) -> Value {
    json!({ "source": "page", "data": display::bundle(text), "start": 0 })
}

/// Returns the cursor's offset in bytes.
fn cursor(request: &Request, code: &str) -> usize {
    match request.number("cursor_pos") {
        Some(at) => byte_of(code, usize::try_from(at).unwrap_or(0)),
        None => code.len(),
    }
}

/// Returns the path at an offset: the names joined by dots, up to the end of the name there. If there is none, returns
/// the path of the function that is called there.
fn path_at(code: &str, cursor: usize) -> Option<&str> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '\'');
    let before = code.get(..cursor)?;
    let end = code.get(cursor..)?.find(|c| !is_name(c)).map_or(code.len(), |n| cursor + n);
    let start = before.trim_end_matches(|c| is_name(c) || c == '.').len();
    let path = code.get(start..end)?.trim_matches('.');
    if path.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return Some(path);
    }
    let left = before.trim_end_matches(|c: char| !is_name(c));
    if left.len() == before.len() {
        return None;
    }
    path_at(code, left.len())
}

#[cfg(test)]
mod tests {
    use super::path_at;

    #[test]
    fn the_path_at_the_cursor() {
        for (code, path) in [
            ("a.b|c.d", Some("a.bc")),
            ("|abc", Some("abc")),
            ("x + std.array.map|", Some("std.array.map")),
            ("f(|", Some("f")),
            ("std.map (|fun x => x)", Some("fun")),
            ("é.ü|", Some("é.ü")),
            ("|", None),
            ("1 + |", None),
        ] {
            let cursor = code.find('|').unwrap();
            assert_eq!(path_at(&code.replace('|', ""), cursor), path, "{code}");
        }
    }
}
