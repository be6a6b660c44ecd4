//! A chip behind a TCP socket.

use super::Transport;
use crate::{
    platform::{self, PollHandle},
    AccelError,
};
use std::{
    io::{self, Write},
    net::{TcpStream, ToSocketAddrs},
    time::Duration,
};

/// The transport to a chip that another process or host serves (see [`crate::virtual_board`]).
pub struct TcpTransport {
    stream: TcpStream,
    address: String,
}

impl TcpTransport {
    /// Connects to `host:port`, waiting at most `timeout` for each address of the host.
    ///
    /// # Errors
    /// The host has no address, or no address accepts the connection.
    pub fn connect(address: &str, timeout: Duration) -> Result<TcpTransport, AccelError> {
        let open = |e: io::Error| AccelError::Open {
            target: format!("tcp:{address}"),
            reason: e.to_string(),
            hint: "check that `hayasashi chip --tcp` runs on that host and port".into(),
        };
        let mut failure = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
        for socket in address.to_socket_addrs().map_err(open)? {
            match TcpStream::connect_timeout(&socket, timeout) {
                Ok(stream) => {
                    stream.set_nodelay(true).and_then(|()| stream.set_nonblocking(true)).map_err(open)?;
                    return Ok(TcpTransport { stream, address: address.into() });
                }
                Err(e) => failure = e,
            }
        }
        Err(open(failure))
    }
}

impl Transport for TcpTransport {
    fn target(&self) -> String {
        format!("tcp:{}", self.address)
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        match platform::read_tcp(&mut self.stream, buffer, timeout) {
            Ok(0) => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the other side closed the connection")),
            Err(e) if platform::is_transient(&e) => Ok(0),
            other => other,
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.write(bytes) {
            Err(e) if platform::is_transient(&e) => Ok(0),
            other => other,
        }
    }

    fn poll_handle(&self) -> Option<PollHandle> {
        platform::poll_handle(&self.stream)
    }

    fn reply_timeout(&self) -> Duration {
        Duration::from_secs(2)
    }
}
