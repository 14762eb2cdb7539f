//! TCP connections and, on Unix, Unix domain sockets.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
#[cfg(unix)]
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::Duration;

/// The address of a listening socket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Endpoint {
    /// An address and a port; 0 for any free port.
    Tcp(String, u16),
    /// The path of a Unix domain socket.
    Ipc(std::path::PathBuf),
}

/// A listening socket.
pub enum Listener {
    /// A TCP socket.
    Tcp(TcpListener),
    /// A Unix domain socket.
    #[cfg(unix)]
    Ipc(UnixListener),
}

impl Listener {
    /// Listens on an endpoint.
    ///
    /// # Errors
    /// Returns the system's error.
    pub fn bind(endpoint: &Endpoint) -> io::Result<Listener> {
        match endpoint {
            Endpoint::Tcp(ip, port) => Ok(Listener::Tcp(TcpListener::bind((ip.as_str(), *port))?)),
            #[cfg(unix)]
            Endpoint::Ipc(path) => {
                use std::os::unix::fs::{FileTypeExt, PermissionsExt};
                // remove the socket of an earlier kernel
                if std::fs::symlink_metadata(path).is_ok_and(|m| m.file_type().is_socket()) {
                    std::fs::remove_file(path)?;
                }
                let listener = UnixListener::bind(path)?;
                std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
                Ok(Listener::Ipc(listener))
            }
            #[cfg(not(unix))]
            Endpoint::Ipc(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Returns the port, or 0 for a Unix domain socket.
    pub fn port(&self) -> u16 {
        match self {
            Listener::Tcp(listener) => listener.local_addr().map_or(0, |a| a.port()),
            #[cfg(unix)]
            Listener::Ipc(_) => 0,
        }
    }

    /// Waits for the next connection.
    ///
    /// # Errors
    /// Returns the system's error.
    pub fn accept(&self) -> io::Result<Stream> {
        match self {
            Listener::Tcp(listener) => {
                let (stream, _) = listener.accept()?;
                stream.set_nodelay(true)?;
                Ok(Stream::Tcp(stream))
            }
            #[cfg(unix)]
            Listener::Ipc(listener) => Ok(Stream::Ipc(listener.accept()?.0)),
        }
    }
}

/// A connection.
pub enum Stream {
    /// A TCP connection.
    Tcp(TcpStream),
    /// A Unix domain socket connection.
    #[cfg(unix)]
    Ipc(UnixStream),
}

impl Stream {
    /// Returns another handle to the same connection.
    ///
    /// # Errors
    /// Returns the system's error.
    pub fn again(&self) -> io::Result<Stream> {
        Ok(match self {
            Stream::Tcp(stream) => Stream::Tcp(stream.try_clone()?),
            #[cfg(unix)]
            Stream::Ipc(stream) => Stream::Ipc(stream.try_clone()?),
        })
    }

    /// Sets the maximum time that a read waits.
    ///
    /// # Errors
    /// Returns the system's error.
    pub fn set_read_timeout(&self, time: Option<Duration>) -> io::Result<()> {
        match self {
            Stream::Tcp(stream) => stream.set_read_timeout(time),
            #[cfg(unix)]
            Stream::Ipc(stream) => stream.set_read_timeout(time),
        }
    }

    /// Closes the connection; blocked reads and writes return.
    pub fn close(&self) {
        let _ = match self {
            Stream::Tcp(stream) => stream.shutdown(Shutdown::Both),
            #[cfg(unix)]
            Stream::Ipc(stream) => stream.shutdown(Shutdown::Both),
        };
    }
}

impl Read for &Stream {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Tcp(stream) => (&*stream).read(into),
            #[cfg(unix)]
            Stream::Ipc(stream) => (&*stream).read(into),
        }
    }
}

impl Write for &Stream {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        match self {
            Stream::Tcp(stream) => (&*stream).write(from),
            #[cfg(unix)]
            Stream::Ipc(stream) => (&*stream).write(from),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
