//! Replies that need no session: kernel information, ports, unsupported requests.

use crate::connection::{Connection, Socket};
use crate::request::{Request, failure};
use crate::wire::PROTOCOL;
use cfg_core::Languages;
use serde_json::{Map, Value, json};

/// Returns the content of `kernel_info_reply`.
pub fn kernel_info(languages: Languages) -> Value {
    let version = env!("CARGO_PKG_VERSION");
    let standard = languages.standard();
    let name = standard.name();
    let editor = standard.0.cells.and_then(|cells| cells.editor);
    let ending = standard.0.endings.first().map_or_else(String::new, |ending| format!(".{ending}"));
    json!({
        "status": "ok",
        "protocol_version": PROTOCOL,
        "implementation": "cfg",
        "implementation_version": version,
        // JupyterLab finds the mode by its name, which `kernel/python` registers, or else by its `mime`. An editor
        // without a mode does not complete while typing, and TOML is close enough.
        "language_info": {
            "name": name,
            "version": version,
            "mimetype": editor.map_or("text/plain", |editor| editor.mime),
            "file_extension": ending,
            "codemirror_mode": { "name": name, "mime": editor.map_or("text/plain", |editor| editor.similar_mime) },
            "pygments_lexer": editor.map_or("text", |editor| editor.lexer),
        },
        "banner": format!("cfg {version}: types of configuration, and where each value comes from\n`:help` lists the commands"),
        "debugger": false,
        "supported_features": ["kernel subshells"],
        "help_links": [],
    })
}

/// Returns the content of `connect_reply`.
pub fn connect(connection: &Connection) -> Value {
    let mut ports: Map<String, Value> =
        Socket::ALL.iter().map(|s| (String::from(s.key()), json!(connection.port(*s)))).collect();
    ports.insert(String::from("status"), json!("ok"));
    Value::Object(ports)
}

/// Returns the content of `debug_reply`: there is no debugger, as a Debug Adapter Protocol response.
pub fn debug(request: &Request) -> Value {
    json!({
        "status": "ok",
        "type": "response",
        "request_seq": request.number("seq").unwrap_or(0),
        "success": false,
        "command": request.text("command").unwrap_or(""),
        "message": "there is no debugger: `:explain`, `:steps` and `:why` show where values and types come from",
        "body": {},
    })
}

/// Returns the reply to an unknown request.
pub fn unknown(kind: &str) -> Value {
    failure("kernel/unknown-request", &format!("unknown request `{kind}`"))
}
