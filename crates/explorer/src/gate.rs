//! Access control by host and origin. Other pages in the same browser are refused: a page elsewhere could make the
//! browser send requests here (cross-site requests), or make its own name point to this machine (DNS rebinding).

use std::net::IpAddr;

use hyper::HeaderMap;
use hyper::header::{HOST, ORIGIN};

/// What is wrong with a request, or nothing. `is_api` says whether it asks for figures: a link from elsewhere may lead to
/// the page itself.
pub(crate) fn refusal(headers: &HeaderMap, address: IpAddr, is_api: bool) -> Option<&'static str> {
    let only = |name| {
        let mut values = headers.get_all(name).iter();
        values.next().filter(|_| values.next().is_none())?.to_str().ok()
    };
    let Some(host) = only(HOST) else { return Some("the request does not name one host") };
    if !is_ours(host, address) {
        return Some(
            "the request is for another host; use the address that prodmax serve printed, or localhost",
        );
    }
    if headers.contains_key(ORIGIN) {
        let is_same = only(ORIGIN).and_then(|origin| origin.strip_prefix("http://")) == Some(host);
        if !is_same {
            return Some("the request comes from another page");
        }
    }
    let site = headers.get("sec-fetch-site").map(hyper::header::HeaderValue::as_bytes);
    match site {
        Some(b"same-origin" | b"none") | None => None,
        Some(_) if !is_api => None,
        Some(_) => Some("the request comes from another page"),
    }
}

/// Whether a host is this server. Names are refused except `localhost`, because anybody can make a name point here.
fn is_ours(host: &str, address: IpAddr) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.parse::<u16>().is_ok() => name,
        _ => host,
    };
    if name.eq_ignore_ascii_case("localhost") {
        return true;
    }
    let plain = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    match plain.parse::<IpAddr>() {
        Ok(ip) => ip == address || ip.is_loopback() || address.is_unspecified(),
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(pairs: &[(&'static str, &'static str)], address: &str, is_api: bool) -> bool {
        let mut headers = HeaderMap::new();
        for &(name, value) in pairs {
            headers.append(name, value.parse().unwrap());
        }
        refusal(&headers, address.parse().unwrap(), is_api).is_some()
    }

    #[test]
    fn only_our_own_hosts_are_answered() {
        for host in ["127.0.0.1:8017", "localhost:8017", "LOCALHOST", "[::1]:9", "localhost:9000"] {
            assert!(!refused(&[("host", host)], "127.0.0.1", true), "{host}");
        }
        for host in
            ["example.org", "example.org:8017", "localhost.example.org", "10.0.0.1:8017", "", ":1", "[::1"]
        {
            assert!(refused(&[("host", host)], "127.0.0.1", true), "{host}");
        }
        assert!(refused(&[], "127.0.0.1", true));
        assert!(refused(&[("host", "localhost"), ("host", "localhost")], "127.0.0.1", true));
        assert!(!refused(&[("host", "10.0.0.1:1")], "0.0.0.0", true));
        assert!(!refused(&[("host", "10.0.0.1:1")], "10.0.0.1", true));
        assert!(refused(&[("host", "example.org")], "0.0.0.0", true));
    }

    #[test]
    fn other_pages_are_refused() {
        let from = |origin| refused(&[("host", "localhost:1"), ("origin", origin)], "127.0.0.1", true);
        assert!(!from("http://localhost:1"));
        for origin in ["http://localhost:2", "https://localhost:1", "null", "http://example.org", ""] {
            assert!(from(origin), "{origin}");
        }
        let site =
            |site, is_api| refused(&[("host", "localhost:1"), ("sec-fetch-site", site)], "127.0.0.1", is_api);
        assert!(!site("same-origin", true) && !site("none", true));
        assert!(site("cross-site", true) && site("same-site", true));
        assert!(!site("cross-site", false));
    }
}
