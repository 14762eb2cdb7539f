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

/// Returns the content of `usage_reply`: the load of this process, as far as the system reports it.
pub fn usage() -> Value {
    let mut usage = Map::from_iter([
        (String::from("status"), json!("ok")),
        (String::from("hostname"), json!(host_name())),
        (String::from("pid"), json!(std::process::id())),
        (String::from("cpu_count"), json!(std::thread::available_parallelism().map_or(1, usize::from))),
    ]);
    usage.extend(load());
    Value::Object(usage)
}

/// Returns the memory of the process and the machine, in bytes, and the share of one processor that the process has used
/// since it started, in percent.
#[cfg(target_os = "linux")]
fn load() -> Map<String, Value> {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let kilobytes = |text: &str, name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':').map(str::trim))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let mut load = Map::new();
    if let Some(used) = kilobytes(&read("/proc/self/status"), "VmRSS") {
        load.insert(String::from("kernel_memory"), json!(used.saturating_mul(1024)));
    }
    let memory = read("/proc/meminfo");
    let [total, free, available] =
        ["MemTotal", "MemFree", "MemAvailable"].map(|name| kilobytes(&memory, name).unwrap_or(0).saturating_mul(1024));
    if total > 0 {
        let used = total.saturating_sub(available);
        #[allow(clippy::cast_precision_loss)]
        let percent = (used as f64 / total as f64 * 1000.0).round() / 10.0;
        let memory = json!({ "total": total, "free": free, "available": available, "used": used, "percent": percent });
        load.insert(String::from("host_virtual_memory"), memory);
    }
    if let Some(percent) = processor(&read("/proc/self/stat"), &read("/proc/uptime")) {
        load.insert(String::from("kernel_cpu"), json!(percent));
    }
    load
}

#[cfg(not(target_os = "linux"))]
fn load() -> Map<String, Value> {
    Map::new()
}

/// Computes the share of one processor that a process has used since it started, in percent. Linux counts its time in
/// hundredths of a second in these files, on every machine.
#[cfg(target_os = "linux")]
fn processor(stat: &str, uptime: &str) -> Option<f64> {
    // the second field is the name in parentheses, which may contain anything
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |field: usize| fields.get(field - 3)?.parse::<f64>().ok();
    let up: f64 = uptime.split_whitespace().next()?.parse().ok()?;
    let (used, alive) = ((number(14)? + number(15)?) / 100.0, up - number(22)? / 100.0);
    (alive > 0.0).then(|| (used / alive * 1000.0).round() / 10.0)
}

fn host_name() -> String {
    let file = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    let named = Some(String::from(file.trim())).filter(|name| !name.is_empty());
    named.or_else(|| std::env::var("HOSTNAME").ok()).unwrap_or_else(|| String::from("localhost"))
}

/// Returns the reply to an unknown request.
pub fn unknown(kind: &str) -> Value {
    failure("kernel/unknown-request", &format!("unknown request `{kind}`"))
}
