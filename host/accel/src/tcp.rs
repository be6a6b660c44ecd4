//! A chip behind a TCP socket.

use super::{AccelError, Wire};
use std::{
    io::{self, Read, Write},
    net::{TcpStream, ToSocketAddrs},
    os::fd::{AsRawFd, RawFd},
    time::Duration,
};

/// The wire to a chip that another process or host serves (see [`super::serve`]).
pub struct TcpWire {
    stream: TcpStream,
    address: String,
}

impl TcpWire {
    /// Connects to `host:port`, waiting at most `timeout` for each address of the host.
    pub fn connect(address: &str, timeout: Duration) -> Result<TcpWire, AccelError> {
        let open = |e: io::Error| AccelError::Open {
            target: format!("tcp:{address}"),
            reason: e.to_string(),
            hint: "is `hayasashi chip` serving there, on that port?".into(),
        };
        let mut failure = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
        for socket in address.to_socket_addrs().map_err(open)? {
            match TcpStream::connect_timeout(&socket, timeout) {
                Ok(stream) => {
                    stream.set_nodelay(true).and_then(|()| stream.set_nonblocking(true)).map_err(open)?;
                    return Ok(TcpWire { stream, address: address.into() });
                }
                Err(e) => failure = e,
            }
        }
        Err(open(failure))
    }
}

impl Wire for TcpWire {
    fn target(&self) -> String {
        format!("tcp:{}", self.address)
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        super::wait::readable(&[self.stream.as_raw_fd()], timeout)?;
        match self.stream.read(buffer) {
            Ok(0) => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the other side closed the connection")),
            Err(e) if super::wait::is_transient(&e) => Ok(0),
            other => other,
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.write(bytes) {
            Err(e) if super::wait::is_transient(&e) => Ok(0),
            other => other,
        }
    }

    fn fd(&self) -> Option<RawFd> {
        Some(self.stream.as_raw_fd())
    }

    fn patience(&self) -> Duration {
        Duration::from_secs(2)
    }
}
