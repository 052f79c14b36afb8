//! A client that sends exactly what it is told.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Longer than any answer of a test may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the server sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

/// Connects.
pub(crate) fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Everything until the server closes the connection.
pub(crate) fn rest(stream: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    // A connection that is reset has ended, too.
    let _ = stream.read_to_end(&mut bytes);
    bytes
}

/// Sends bytes and returns all that comes back; `None` if that is no response at all.
pub(crate) fn send(address: SocketAddr, bytes: &[u8]) -> Option<Reply> {
    let mut stream = connect(address);
    // The server may hang up before it has read everything.
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(std::net::Shutdown::Write);
    parse(&rest(&mut stream))
}

pub(crate) fn parse(bytes: &[u8]) -> Option<Reply> {
    let text = String::from_utf8_lossy(bytes);
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.strip_prefix("HTTP/1.1 ").or_else(|| head.strip_prefix("HTTP/1.0 "))?;
    let status = status.get(..3)?.parse().ok()?;
    let body = if head.to_ascii_lowercase().contains("transfer-encoding: chunked") {
        unchunked(body)
    } else {
        body.to_owned()
    };
    Some(Reply { status, head: head.to_ascii_lowercase(), body })
}

fn unchunked(mut text: &str) -> String {
    let mut body = String::new();
    while let Some((size, rest)) = text.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap_or(0);
        body += rest.get(..size).unwrap_or(rest);
        text = rest.get(size + 2..).unwrap_or("");
    }
    body
}

/// A request with these lines besides Host.
pub(crate) fn request(address: SocketAddr, method: &str, target: &str, lines: &str) -> String {
    format!("{method} {target} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{lines}\r\n")
}

/// Asks for a path with its query. The connection is kept open for the answer: closing it would stop the work.
pub(crate) fn ask(address: SocketAddr, method: &str, target: &str, lines: &str) -> Reply {
    let mut stream = connect(address);
    stream.write_all(request(address, method, target, lines).as_bytes()).unwrap();
    parse(&rest(&mut stream)).unwrap()
}

pub(crate) fn get(address: SocketAddr, target: &str) -> Reply {
    ask(address, "GET", target, "")
}
