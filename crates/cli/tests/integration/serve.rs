//! The explorer's server, with the real commands: the same bytes as the command line, whatever else is asked meanwhile.

#![cfg(unix)]

#[path = "../../../explorer/tests/client/mod.rs"]
mod client;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use client::{ask, connect, get, parse, request, rest, send};
use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_prodmax");

/// A server, which ends with the test.
struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    fn start() -> Self {
        let mut child = Command::new(PROGRAM)
            .args(["serve", "--port", "0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address =
            line.trim().strip_prefix("http://").unwrap().strip_suffix('/').unwrap().parse().unwrap();
        Self { child, address }
    }

    /// Ends it by a signal; returns its exit status and what it said on standard error.
    fn interrupt(mut self) -> (Option<i32>, String) {
        let sent = Command::new("sh").args(["-c", &format!("kill -INT {}", self.child.id())]).status();
        assert!(sent.unwrap().success());
        let status = self.child.wait().unwrap();
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (status.code(), said)
    }

    /// The most memory that it has used, in KiB.
    fn peak(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().strip_suffix(" kB")?.parse().ok()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn printed(arguments: &[&str]) -> String {
    let output = Command::new(PROGRAM).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn answers_are_what_the_command_line_prints() {
    let server = Server::start();
    let model = ["--root", "-1", "--increments", "3,3,3"];
    for (target, command, more) in [
        ("mass?", "mass", &["--format", "json"][..]),
        ("mass?format=csv&", "mass", &["--format", "csv"]),
        ("mass?format=svg&", "mass", &["--format", "svg"]),
        ("mass?format=table&digits=2&", "mass", &["--format", "table", "--digits", "2"]),
        (
            "mass?rules=minimax,mean:4&number=certified&",
            "mass",
            &["--rules=minimax,mean:4", "--number=certified", "--format=json"],
        ),
        (
            "contest?rules=minimax,product,baum:9/10:9/10&",
            "contest",
            &["--rules=minimax,product,baum:9/10:9/10", "--format=json"],
        ),
        ("crossover?", "crossover", &["--format", "json"]),
        ("enumerate?plan&", "enumerate", &["--plan", "--format", "json"]),
    ] {
        let reply = get(server.address, &format!("/api/{target}root=-1&increments=3,3,3"));
        assert_eq!(reply.status, 200, "{target}: {}", reply.body);
        assert_eq!(reply.body, printed(&[&[command], &model[..], more].concat()), "{target}");
    }
    let reply = get(server.address, "/api/show?tree=((8+-3)+(1+2))");
    assert_eq!(reply.body, printed(&["show", "--tree", "((8 -3) (1 2))", "--format", "json"]));
    for command in ["rules", "table1", "table2"] {
        let reply = get(server.address, &format!("/api/{command}"));
        assert_eq!(reply.body, printed(&[command, "--format", "json"]));
    }
    let (status, said) = server.interrupt();
    assert_eq!((status, said.as_str()), (Some(0), ""));
}

#[test]
fn refusals_have_the_sentences_of_the_command_line() {
    let server = Server::start();
    for (target, part) in [
        ("mass?root=0&increments=3", "0"),
        ("mass?root=x&increments=3", "invalid value 'x' for root"),
        ("mass?root=1", "--increments is missing"),
        ("mass?root=1&increments=8,8&format=svg&rules=minimax", "rules"),
        ("rules?format=svg", "there is nothing to draw"),
        ("mass?root=1&increments=8,8,8,8", "run it as a job"),
        ("show?tree=((8+-3)+(1))", "different numbers of children"),
        ("mass?root=1&increments=8,8,8,8&branching=9&engine=classes", "classes"),
    ] {
        let reply = get(server.address, &format!("/api/{target}"));
        assert_eq!(reply.status, 422, "{target}: {}", reply.body);
        let problem: Value = serde_json::from_str(&reply.body).unwrap();
        assert!(problem["error"].as_str().unwrap().contains(part), "{target}: {problem}");
        assert_eq!(problem["long"], part.contains("job"), "{target}");
    }
}

#[test]
fn a_long_job_goes_on_until_it_is_stopped() {
    let server = Server::start();
    let mut stream = connect(server.address);
    let target = "/api/jobs/mass?root=1&increments=8,8,8,8&page=p.job";
    stream.write_all(request(server.address, "GET", target, "").as_bytes()).unwrap();
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    while !String::from_utf8_lossy(&bytes).contains("\"name\":\"root +1, increments 8,8,8,8\"") {
        let read = stream.read(&mut buffer).unwrap();
        assert!(read > 0, "{}", String::from_utf8_lossy(&bytes));
        bytes.extend_from_slice(&buffer[..read]);
    }
    // Figures are answered meanwhile.
    assert_eq!(get(server.address, "/api/mass?root=1&increments=3,3").status, 200);
    assert!(ask(server.address, "POST", "/api/stop?page=p.job", "").body.contains("true"));
    bytes.extend(rest(&mut stream));
    assert!(parse(&bytes).unwrap().body.contains("event: stopped\n"));
    let done = get(server.address, "/api/jobs/mass?root=-1&increments=3,3,3").body;
    assert!(done.contains("event: done\n") && done.contains("data:   \"critical\": \"14901376\","), "{done}");
}

/// A number from 0 to `below` - 1; the same sequence in every run (Knuth's generator).
fn random(state: &mut u64, below: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % below
}

#[test]
fn a_thousand_bad_requests_do_no_harm() {
    let server = Server::start();
    let before = server.peak();
    let good = request(server.address, "GET", "/api/mass?root=-1&increments=2,2&truth=arctan:4", "");
    let parts = [
        "--",
        "..",
        "%",
        "%00",
        "%ff",
        "&&",
        "=",
        "?",
        "spec=/etc/passwd",
        "/api/",
        "\r\n",
        "é",
        "-9e99",
        ",,",
        " ",
        "root=",
        "99999999999999999999",
        "jobs/",
        "\0",
    ];
    let mut state = 1;
    let mut refused = 0;
    for case in 0..1000 {
        let mut bytes = good.clone().into_bytes();
        for _ in 0..=random(&mut state, 6) {
            let place = random(&mut state, bytes.len());
            match random(&mut state, 4) {
                0 => bytes[place] = random(&mut state, 256) as u8,
                1 => drop(bytes.drain(place..(place + random(&mut state, 9)).min(bytes.len()))),
                2 => drop(bytes.splice(place..place, parts[random(&mut state, parts.len())].bytes())),
                _ => {
                    let long = "x".repeat(random(&mut state, 20_000));
                    drop(bytes.splice(place..place, long.into_bytes()));
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        // Now and then the damage leaves a request that has an answer.
        if let Some(reply) = send(server.address, &bytes) {
            let shown = String::from_utf8_lossy(&bytes);
            assert!(reply.status < 500 || reply.status == 501, "case {case}: {} to {shown}", reply.status);
            refused += usize::from(reply.status >= 400);
        }
    }
    assert!(refused > 300, "{refused}");
    assert_eq!(get(server.address, "/api/mass?root=-1&increments=2,2").status, 200);
    if let (Some(before), Some(after)) = (before, server.peak()) {
        assert!(after < before + (64 << 10), "{before} KiB, then {after} KiB");
    }
    let (status, said) = server.interrupt();
    assert_eq!((status, said.as_str()), (Some(0), ""));
}

#[test]
fn sixty_four_clients_at_once_get_the_right_answers() {
    let server = Server::start();
    let address = server.address;
    let all = printed(&["mass", "--root", "-8..8", "--increments", "3,3", "--format", "json"]);
    let all: Vec<Value> = serde_json::from_str(&all).unwrap();
    let clients: Vec<_> = (0..64)
        .map(|client| {
            let all = all.clone();
            std::thread::spawn(move || {
                for turn in 0..5 {
                    let expected = &all[(client * 7 + turn * 3) % all.len()];
                    let reply = get(address, &format!("/api/mass?root={}&increments=3,3", expected["root"]));
                    assert_eq!(reply.status, 200, "{}", reply.body);
                    assert_eq!(serde_json::from_str::<Value>(&reply.body).unwrap(), *expected);
                }
            })
        })
        .collect();
    clients.into_iter().for_each(|client| client.join().unwrap());
    let peak = server.peak();
    assert!(peak.is_none_or(|peak| peak < 256 << 10), "{peak:?} KiB");
}

#[test]
fn an_interrupt_ends_the_server_at_once() {
    let server = Server::start();
    let mut stream = connect(server.address);
    let asked = request(server.address, "GET", "/api/jobs/mass?root=1&increments=8,8,8,8", "");
    stream.write_all(asked.as_bytes()).unwrap();
    assert!(stream.read(&mut [0; 64]).unwrap() > 0);
    let begun = Instant::now();
    let (status, said) = server.interrupt();
    assert_eq!((status, said.as_str()), (Some(0), ""));
    // The machine may be busy with other tests.
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[test]
fn a_port_in_use_is_refused_with_advice() {
    let server = Server::start();
    let port = server.address.port().to_string();
    let output = Command::new(PROGRAM).args(["serve", "--port", &port]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("name another port with --port, or 0 for any free one"), "{said}");
}

#[test]
fn a_server_has_no_format_and_no_file() {
    for option in [["--format", "json"], ["--output", "nothing"], ["--digits", "2"]] {
        let output = Command::new(PROGRAM).args(["serve", "--port", "0"]).args(option).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("prints nothing but its address"), "{said}");
    }
}
