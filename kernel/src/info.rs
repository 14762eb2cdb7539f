//! What needs no session: who the kernel is, where it listens, what it does not do.

use crate::connection::{Connection, Socket};
use crate::request::{Request, failure};
use crate::wire::PROTOCOL;
use serde_json::{Map, Value, json};

/// `kernel_info_reply`
pub fn kernel_info() -> Value {
    let version = env!("CARGO_PKG_VERSION");
    json!({
        "status": "ok",
        "protocol_version": PROTOCOL,
        "implementation": "cfg",
        "implementation_version": version,
        // JupyterLab takes the mode by its name, which `kernel/python` brings, else by its `mime`: an editor without a mode
        // completes nothing while one types, and TOML is near enough
        "language_info": {
            "name": "cfg",
            "version": version,
            "mimetype": "text/x-cfg",
            "file_extension": ".cfg",
            "codemirror_mode": { "name": "cfg", "mime": "text/x-toml" },
            "pygments_lexer": "cfg-lang",
        },
        "banner": format!("cfg {version}: what type a piece of configuration has, where each value comes from\n`:help` lists the commands"),
        "debugger": false,
        "supported_features": ["kernel subshells"],
        "help_links": [],
    })
}

/// `connect_reply`
pub fn connect(connection: &Connection) -> Value {
    let mut ports: Map<String, Value> =
        Socket::ALL.iter().map(|s| (String::from(s.key()), json!(connection.port(*s)))).collect();
    ports.insert(String::from("status"), json!("ok"));
    Value::Object(ports)
}

/// `debug_reply`: there is no debugger, in the words of the Debug Adapter Protocol.
pub fn debug(request: &Request) -> Value {
    json!({
        "status": "ok",
        "type": "response",
        "request_seq": request.number("seq").unwrap_or(0),
        "success": false,
        "command": request.text("command").unwrap_or(""),
        "message": "there is no debugger: `:explain`, `:steps` and `:why` say where values and types come from",
        "body": {},
    })
}

/// The answer to what is not known.
pub fn unknown(kind: &str) -> Value {
    failure("kernel/unknown-request", &format!("no request `{kind}`"))
}
