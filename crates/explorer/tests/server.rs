//! The server with an engine that works as long as the test wants: turns, limits, stops.

#![allow(clippy::unwrap_used, reason = "a test")]

mod client;

use std::io::{Read, Write};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use client::{ask, connect, get, parse, request, rest, send};
use prodmax_explorer::{Engine, Limits, Refusal, Server, Task};

/// Answers with the words. Root 6 has a very long answer; root 7 goes on until it is stopped; root 8 panics, root 9 takes
/// too long for a figure.
#[derive(Default)]
struct Echo {
    busy: AtomicUsize,
    most: AtomicUsize,
    stopped: AtomicUsize,
    asked: Mutex<Vec<String>>,
}

impl Engine for Echo {
    fn answer(&self, words: Vec<String>, task: &Arc<Task>) -> Result<String, Refusal> {
        let busy = self.busy.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(busy, Ordering::SeqCst);
        let text = words.join(" ");
        self.asked.lock().unwrap().push(text.clone());
        let answer = if text.contains("--root=7") {
            task.note("this takes for ever");
            task.progress("seven", 1, 10);
            while !task.flag().load(Ordering::SeqCst) {
                thread::sleep(Duration::from_millis(2));
            }
            self.stopped.fetch_add(1, Ordering::SeqCst);
            Err(Refusal::Stopped)
        } else if text.contains("--root=9") && task.time_limit() < Duration::from_secs(60) {
            Err(Refusal::TooLong("nine takes long".to_owned()))
        } else if text.contains("--root=6") {
            Ok("6".repeat(16 << 20))
        } else {
            Ok(text.clone())
        };
        self.busy.fetch_sub(1, Ordering::SeqCst);
        assert!(!text.contains("--root=8"), "eight is not a number");
        answer
    }
}

struct Running {
    address: SocketAddr,
    engine: Arc<Echo>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

fn start(limits: Limits) -> Running {
    let server = Server::bind("127.0.0.1:0".parse().unwrap(), limits).unwrap();
    let address = server.address();
    let (engine, stop) = (Arc::new(Echo::default()), Arc::new(AtomicBool::new(false)));
    let thread = {
        let (engine, stop) = (Arc::clone(&engine), Arc::clone(&stop));
        thread::spawn(move || server.run(engine, &stop).unwrap())
    };
    Running { address, engine, stop, thread: Some(thread) }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let ended = self.thread.take().unwrap().join();
        assert!(ended.is_ok() || thread::panicking());
    }
}

/// Waits until something is the case.
fn until(what: impl Fn() -> bool) {
    let begun = Instant::now();
    while !what() {
        assert!(begun.elapsed() < Duration::from_secs(30), "waited in vain");
        thread::sleep(Duration::from_millis(5));
    }
}

impl Running {
    fn begin(&self, target: &'static str) -> JoinHandle<client::Reply> {
        let before = self.engine.asked.lock().unwrap().len();
        let address = self.address;
        let asking = thread::spawn(move || get(address, target));
        until(|| self.engine.asked.lock().unwrap().len() > before);
        asking
    }
}

#[test]
fn questions_are_answered_and_others_refused() {
    let server = start(Limits::default());
    let reply = get(server.address, "/api/mass?root=-1&increments=3,3,3");
    assert_eq!((reply.status, reply.body.as_str()), (200, "mass --root=-1 --increments=3,3,3 --format=json"));
    assert!(reply.head.contains("content-type: application/json"), "{}", reply.head);
    let reply = get(server.address, "/api/mass?root=1&format=csv&download");
    assert!(reply.head.contains("content-disposition: attachment; filename=\"prodmax-mass.csv\""));
    for (target, status, part) in [
        ("/api/reproduce", 400, "cannot be asked for"),
        ("/api/mass?spec=/etc/passwd", 400, "`spec` cannot be used with mass here"),
        ("/api/", 400, "`` cannot be asked for"),
        ("/api/jobs/nothing", 400, "`nothing` cannot be asked for"),
        ("/nothing", 404, "nothing at this address"),
        ("/../Cargo.toml", 404, "nothing at this address"),
        ("/api/mass?root=9", 422, "\"long\":true"),
        ("/api/mass?root=8", 500, "internal error"),
    ] {
        let reply = get(server.address, target);
        assert_eq!(reply.status, status, "{target}: {}", reply.body);
        assert!(reply.body.contains(part), "{target}: {}", reply.body);
    }
    let refused = |method, target, lines| ask(server.address, method, target, lines).status;
    assert_eq!(refused("POST", "/api/mass?root=1", ""), 405);
    assert_eq!(refused("DELETE", "/", ""), 405);
    assert_eq!(refused("GET", "/api/mass?root=1", "Content-Length: 1\r\n"), 413);
    assert_eq!(refused("GET", "/api/mass?root=1", "Origin: http://example.org\r\n"), 403);
    assert_eq!(refused("GET", "/api/mass?root=1", "Sec-Fetch-Site: cross-site\r\n"), 403);
    assert_eq!(refused("POST", "/api/stop?page=x", "Origin: http://example.org\r\n"), 403);
    assert_eq!(get(server.address, &format!("/api/mass?root={}", "1".repeat(9000))).status, 414);
    let other = b"GET /api/mass?root=1 HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n";
    assert_eq!(send(server.address, other).unwrap().status, 403);
}

#[test]
fn the_page_may_use_only_its_own_scripts() {
    let server = start(Limits::default());
    let reply = get(server.address, "/");
    assert_eq!(reply.status, 200);
    assert!(reply.body.starts_with("<!DOCTYPE html>"), "{}", reply.body);
    for line in [
        "content-security-policy: default-src 'none'; script-src 'self';",
        "frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "cross-origin-resource-policy: same-origin",
    ] {
        assert!(reply.head.contains(line), "{}", reply.head);
    }
}

#[test]
fn a_newer_request_of_the_same_page_stops_the_older() {
    let server = start(Limits { parallel: 1, ..Limits::default() });
    let older = server.begin("/api/mass?root=7&page=a");
    let newer = get(server.address, "/api/mass?root=1&page=a");
    assert_eq!(newer.status, 200);
    let older = older.join().unwrap();
    assert_eq!(older.status, 409);
    assert!(older.body.contains("a newer request of the same page"), "{}", older.body);
    // A question of another page leaves it alone.
    let older = server.begin("/api/mass?root=7&page=a");
    assert!(ask(server.address, "POST", "/api/stop?page=b", "").body.contains("false"));
    assert!(!older.is_finished());
    assert!(ask(server.address, "POST", "/api/stop?page=a", "").body.contains("true"));
    assert_eq!(older.join().unwrap().status, 409);
    until(|| server.engine.stopped.load(Ordering::SeqCst) == 2);
}

#[test]
fn work_that_nobody_waits_for_ends() {
    let server = start(Limits::default());
    let mut stream = connect(server.address);
    stream.write_all(request(server.address, "GET", "/api/mass?root=7", "").as_bytes()).unwrap();
    until(|| server.engine.busy.load(Ordering::SeqCst) == 1);
    drop(stream);
    until(|| server.engine.stopped.load(Ordering::SeqCst) == 1);
}

#[test]
fn computations_at_once_are_limited_and_jobs_do_not_block_figures() {
    let server = start(Limits { parallel: 2, waiting: 4, ..Limits::default() });
    let _jobs = [(); 2].map(|()| {
        let mut stream = connect(server.address);
        let asked = request(server.address, "GET", "/api/jobs/mass?root=7", "");
        stream.write_all(asked.as_bytes()).unwrap();
        stream
    });
    until(|| server.engine.busy.load(Ordering::SeqCst) == 2);
    let address = server.address;
    let clients: Vec<_> =
        (0..4).map(|_| thread::spawn(move || get(address, "/api/mass?root=1").status)).collect();
    assert!(clients.into_iter().all(|client| client.join().unwrap() == 200));
    assert!(server.engine.most.load(Ordering::SeqCst) <= 4);
    // With both places taken, four wait and the next is refused.
    let _long = [server.begin("/api/mass?root=7&page=a"), server.begin("/api/mass?root=7&page=b")];
    let waiting: Vec<_> =
        (0..12).map(|_| thread::spawn(move || get(address, "/api/mass?root=1").status)).collect();
    until(|| waiting.iter().filter(|client| client.is_finished()).count() == 8);
    ask(address, "POST", "/api/stop?page=a", "");
    let mut statuses: Vec<u16> = waiting.into_iter().map(|client| client.join().unwrap()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 200, 200, 200, 503, 503, 503, 503, 503, 503, 503, 503]);
    ask(address, "POST", "/api/stop?page=b", "");
}

#[test]
fn late_work_is_stopped() {
    let server = start(Limits { request: Duration::from_millis(100), ..Limits::default() });
    let reply = get(server.address, "/api/mass?root=7");
    assert_eq!(reply.status, 504);
    assert!(reply.body.contains("took too long"), "{}", reply.body);
    until(|| server.engine.stopped.load(Ordering::SeqCst) == 1);
}

#[test]
fn a_job_reports_its_progress_and_can_be_stopped() {
    let server = start(Limits::default());
    let mut stream = connect(server.address);
    let asked = request(server.address, "GET", "/api/jobs/mass?root=7&page=j", "");
    stream.write_all(asked.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    while !String::from_utf8_lossy(&bytes).contains("seven") {
        let read = stream.read(&mut buffer).unwrap();
        assert!(read > 0);
        bytes.extend_from_slice(&buffer[..read]);
    }
    assert!(ask(server.address, "POST", "/api/stop?page=j", "").body.contains("true"));
    bytes.extend(rest(&mut stream));
    let reply = parse(&bytes).unwrap();
    assert!(reply.head.contains("content-type: text/event-stream"), "{}", reply.head);
    assert!(reply.body.contains("event: note\ndata: {\"text\":\"this takes for ever\"}\n"), "{}", reply.body);
    assert!(reply.body.contains("\"name\":\"seven\",\"done\":1,\"all\":10"), "{}", reply.body);
    assert!(
        reply.body.ends_with("event: stopped\ndata: {\"error\":\"stopped\",\"long\":false}\n\n"),
        "{}",
        reply.body
    );
    // What is too long for a figure is a job; so is what is short.
    for root in ["9", "1"] {
        let done = get(server.address, &format!("/api/jobs/mass?root={root}")).body;
        assert!(
            done.ends_with(&format!("event: done\ndata: mass --root={root} --format=json\n\n")),
            "{done}"
        );
    }
    assert!(get(server.address, "/api/jobs/mass?root=8").body.contains("event: failed\n"));
}

#[test]
fn a_job_ends_with_its_stream() {
    let server = start(Limits::default());
    let mut stream = connect(server.address);
    stream.write_all(request(server.address, "GET", "/api/jobs/mass?root=7", "").as_bytes()).unwrap();
    until(|| server.engine.busy.load(Ordering::SeqCst) == 1);
    drop(stream);
    until(|| server.engine.stopped.load(Ordering::SeqCst) == 1);
}

#[test]
fn slow_clients_are_cut_off_and_delay_nobody() {
    let limits = Limits { io_timeout: Duration::from_millis(400), connections: 16, ..Limits::default() };
    let server = start(limits);
    let mut slow: Vec<_> = (0..15).map(|_| connect(server.address)).collect();
    for stream in &mut slow {
        stream.write_all(b"GET /api/mass?root=1 HTTP/1.1\r\nHo").unwrap();
    }
    assert_eq!(get(server.address, "/api/mass?root=1").status, 200);
    let begun = Instant::now();
    for mut stream in slow {
        let reply = parse(&rest(&mut stream));
        assert!(reply.as_ref().is_none_or(|reply| reply.status == 408), "{reply:?}");
    }
    assert!(begun.elapsed() < Duration::from_secs(20));
    // More clients than there are places: each gets its turn.
    let mut idle: Vec<_> = (0..32).map(|_| connect(server.address)).collect();
    assert_eq!(get(server.address, "/api/mass?root=1").status, 200);
    idle.clear();
}

#[test]
fn clients_that_do_not_read_are_cut_off() {
    let limits = Limits { io_timeout: Duration::from_millis(400), connections: 4, ..Limits::default() };
    let server = start(limits);
    let mut deaf: Vec<_> = (0..4).map(|_| connect(server.address)).collect();
    for stream in &mut deaf {
        stream.write_all(request(server.address, "GET", "/api/mass?root=6", "").as_bytes()).unwrap();
    }
    until(|| server.engine.asked.lock().unwrap().len() == 4);
    // All places are taken, but not for ever.
    assert_eq!(get(server.address, "/api/mass?root=1").status, 200);
    // Whoever lost a place was not sent the whole answer.
    assert!(deaf.iter_mut().any(|stream| rest(stream).len() < 16 << 20));
    // A client that reads gets it.
    assert_eq!(get(server.address, "/api/mass?root=6").body.len(), 16 << 20);
}

#[test]
fn the_server_ends_at_once_whatever_it_does() {
    let server = start(Limits::default());
    let asking = server.begin("/api/mass?root=7");
    let begun = Instant::now();
    let engine = Arc::clone(&server.engine);
    drop(server);
    assert!(begun.elapsed() < Duration::from_secs(5));
    // The abandoned work sees its stop flag.
    until(|| engine.stopped.load(Ordering::SeqCst) == 1);
    drop(asking);
}
