//! Connections by TCP and, where there are such, by the file system.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
#[cfg(unix)]
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::Duration;

/// Where a socket listens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Endpoint {
    /// An address and a port; 0: any that is free.
    Tcp(String, u16),
    /// A path.
    Ipc(std::path::PathBuf),
}

/// A socket that listens.
pub enum Listener {
    /// By TCP.
    Tcp(TcpListener),
    /// By a path.
    #[cfg(unix)]
    Ipc(UnixListener),
}

impl Listener {
    /// Listens.
    ///
    /// # Errors
    /// What the system says.
    pub fn bind(endpoint: &Endpoint) -> io::Result<Listener> {
        match endpoint {
            Endpoint::Tcp(ip, port) => Ok(Listener::Tcp(TcpListener::bind((ip.as_str(), *port))?)),
            #[cfg(unix)]
            Endpoint::Ipc(path) => {
                use std::os::unix::fs::{FileTypeExt, PermissionsExt};
                // what an earlier kernel left behind
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

    /// The port; 0: none.
    pub fn port(&self) -> u16 {
        match self {
            Listener::Tcp(listener) => listener.local_addr().map_or(0, |a| a.port()),
            #[cfg(unix)]
            Listener::Ipc(_) => 0,
        }
    }

    /// Waits for the next peer.
    ///
    /// # Errors
    /// What the system says.
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
    /// By TCP.
    Tcp(TcpStream),
    /// By a path.
    #[cfg(unix)]
    Ipc(UnixStream),
}

impl Stream {
    /// Another handle on the same connection.
    ///
    /// # Errors
    /// What the system says.
    pub fn again(&self) -> io::Result<Stream> {
        Ok(match self {
            Stream::Tcp(stream) => Stream::Tcp(stream.try_clone()?),
            #[cfg(unix)]
            Stream::Ipc(stream) => Stream::Ipc(stream.try_clone()?),
        })
    }

    /// How long reading may wait.
    ///
    /// # Errors
    /// What the system says.
    pub fn patience(&self, time: Option<Duration>) -> io::Result<()> {
        match self {
            Stream::Tcp(stream) => stream.set_read_timeout(time),
            #[cfg(unix)]
            Stream::Ipc(stream) => stream.set_read_timeout(time),
        }
    }

    /// Ends the connection: whoever reads or writes wakes.
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
