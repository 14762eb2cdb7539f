//! The connection file: the addresses of the five sockets, and the key.

use crate::zmtp::Endpoint;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The sockets, in the order of a connection file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Socket {
    /// Requests.
    Shell,
    /// Messages published to all clients.
    Iopub,
    /// Replies to `input_request`, which this kernel never sends.
    Stdin,
    /// Requests that must not wait for a cell.
    Control,
    /// The heartbeat.
    Heartbeat,
}

impl Socket {
    /// All sockets.
    pub const ALL: [Socket; 5] = [Socket::Shell, Socket::Iopub, Socket::Stdin, Socket::Control, Socket::Heartbeat];

    /// Returns its key in a connection file.
    pub fn key(self) -> &'static str {
        match self {
            Socket::Shell => "shell_port",
            Socket::Iopub => "iopub_port",
            Socket::Stdin => "stdin_port",
            Socket::Control => "control_port",
            Socket::Heartbeat => "hb_port",
        }
    }
}

/// The contents of a connection file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Connection {
    ip: String,
    ipc: bool,
    ports: [u16; 5],
    /// The key for signatures; empty for none.
    pub key: String,
}

impl Connection {
    /// Reads a connection file. Logs a warning if other users can read the key.
    ///
    /// # Errors
    /// Returns a message that explains the problem.
    pub fn read(path: &Path) -> Result<Connection, String> {
        let shown = path.display();
        let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read `{shown}`: {error}"))?;
        let connection =
            Connection::parse(&text).map_err(|why| format!("`{shown}` is not a connection file: {why}"))?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            if std::fs::metadata(path).is_ok_and(|m| m.permissions().mode() & 0o077 != 0) {
                crate::log(&format!("other users may read or change `{shown}`, and the key in it"));
            }
        }
        Ok(connection)
    }

    /// Parses the text of a connection file.
    ///
    /// # Errors
    /// Returns a message that explains the problem.
    pub fn parse(text: &str) -> Result<Connection, String> {
        let file: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let string = |key: &str, default: &str| match file.get(key) {
            None | Some(Value::Null) => Ok(String::from(default)),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(other) => Err(format!("`{key}` is {other}, not a string")),
        };
        let mut ports = [0; 5];
        for (port, socket) in ports.iter_mut().zip(Socket::ALL) {
            let number = file.get(socket.key()).and_then(Value::as_u64).and_then(|n| u16::try_from(n).ok());
            *port = number.ok_or_else(|| format!("`{}` is not a port", socket.key()))?;
        }
        let scheme = string("signature_scheme", "hmac-sha256")?;
        if !scheme.is_empty() && scheme != "hmac-sha256" {
            return Err(format!("`signature_scheme` is `{scheme}`: only `hmac-sha256` is known"));
        }
        let ipc = match string("transport", "tcp")?.as_str() {
            "tcp" => false,
            "ipc" => true,
            other => return Err(format!("`transport` is `{other}`: `tcp` and `ipc` are known")),
        };
        let ip = match string("ip", "127.0.0.1")?.as_str() {
            "*" if !ipc => String::from("0.0.0.0"),
            "" => String::from("127.0.0.1"),
            ip => String::from(ip),
        };
        Ok(Connection { ip, ipc, ports, key: string("key", "")? })
    }

    /// Returns the address of a socket. For `ipc`, the "port" is the suffix of a path, as Jupyter defines it.
    pub fn endpoint(&self, socket: Socket) -> Endpoint {
        let port = self.port(socket);
        match self.ipc {
            true => Endpoint::Ipc(PathBuf::from(format!("{}-{port}", self.ip))),
            false => Endpoint::Tcp(self.ip.clone(), port),
        }
    }

    /// Returns the port of a socket.
    pub fn port(&self, socket: Socket) -> u16 {
        Socket::ALL.iter().zip(self.ports).find(|(s, _)| **s == socket).map_or(0, |(_, port)| port)
    }

    /// Sets the port of a socket.
    pub fn set_port(&mut self, socket: Socket, to: u16) {
        for (port, at) in self.ports.iter_mut().zip(Socket::ALL) {
            if at == socket {
                *port = to;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PORTS: &str = r#""shell_port": 1, "iopub_port": 2, "stdin_port": 3, "control_port": 4, "hb_port": 5"#;

    fn parse(rest: &str) -> Result<Connection, String> {
        Connection::parse(&format!("{{{PORTS}{rest}}}"))
    }

    #[test]
    fn files() {
        let plain = parse("").unwrap();
        assert_eq!(plain.endpoint(Socket::Control), Endpoint::Tcp("127.0.0.1".into(), 4));
        let path = parse(r#", "transport": "ipc", "ip": "/tmp/k", "key": "a", "kernel_name": "cfg""#).unwrap();
        assert_eq!((path.endpoint(Socket::Shell), &*path.key), (Endpoint::Ipc("/tmp/k-1".into()), "a"));
        assert_eq!(parse(r#", "ip": "*""#).unwrap().endpoint(Socket::Heartbeat), Endpoint::Tcp("0.0.0.0".into(), 5));
    }

    #[test]
    fn invalid_files_are_refused_with_a_reason() {
        for (text, why) in [
            (String::from("{}"), "`shell_port` is not a port"),
            (format!("{{{PORTS}, \"hb_port\": 70000}}"), "`hb_port` is not a port"),
            (format!("{{{PORTS}, \"key\": 1}}"), "`key` is 1, not a string"),
            (format!("{{{PORTS}, \"transport\": \"udp\"}}"), "`transport` is `udp`: `tcp` and `ipc` are known"),
            (
                format!("{{{PORTS}, \"signature_scheme\": \"hmac-md5\"}}"),
                "`signature_scheme` is `hmac-md5`: only `hmac-sha256` is known",
            ),
        ] {
            assert_eq!(Connection::parse(&text), Err(String::from(why)));
        }
        assert!(Connection::parse("x").is_err());
    }
}
