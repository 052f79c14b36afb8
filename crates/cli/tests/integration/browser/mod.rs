//! Drives Chromium by its DevTools protocol: nothing but the browser itself is needed.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// Longer than anything should take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    socket: WebSocket<TcpStream>,
    session: Option<String>,
    count: u64,
    /// What the console complained about.
    pub(crate) complaints: Vec<String>,
    _profile: tempfile::TempDir,
}

fn program() -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let mut places = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.find(|path| path.is_file())
}

impl Browser {
    /// Starts Chromium; `None` if there is none, or if it does not run here.
    pub(crate) fn start() -> Option<Self> {
        let profile = tempfile::tempdir().unwrap();
        let mut child = Command::new(program()?)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--remote-debugging-port=0", "about:blank"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .ok()?;
        let lines = BufReader::new(child.stderr.take()?).lines();
        let mut lines = lines.map_while(Result::ok);
        let address = lines.find_map(|line| line.strip_prefix("DevTools listening on ").map(str::to_owned));
        let Some(address) = address else {
            let _ = child.wait();
            return None;
        };
        // It must be able to go on talking.
        std::thread::spawn(move || lines.for_each(drop));
        let host = address.strip_prefix("ws://")?.split('/').next()?;
        let stream = TcpStream::connect(host).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        let (socket, _) = tungstenite::client(&address, stream).ok()?;
        let mut browser =
            Self { child, socket, session: None, count: 0, complaints: Vec::new(), _profile: profile };
        let page = browser.send("Target.createTarget", json!({ "url": "about:blank" }));
        let attached = json!({ "targetId": page["targetId"], "flatten": true });
        let session = browser.send("Target.attachToTarget", attached)["sessionId"].as_str()?.to_owned();
        browser.session = Some(session);
        for domain in ["Page", "Runtime", "Log"] {
            browser.send(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Sends a command and waits for its result.
    pub(crate) fn send(&mut self, method: &str, parameters: Value) -> Value {
        self.count += 1;
        let mut message = json!({ "id": self.count, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else { continue };
            let mut answer: Value = serde_json::from_str(&text).unwrap();
            if answer["id"] == self.count {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].take();
            }
            let is_bad = match answer["method"].as_str() {
                Some("Runtime.exceptionThrown") => true,
                Some("Log.entryAdded") => answer["params"]["entry"]["level"] == "error",
                Some("Runtime.consoleAPICalled") => answer["params"]["type"] == "error",
                _ => false,
            };
            if is_bad {
                self.complaints.push(answer["params"].to_string());
            }
        }
    }

    /// The value of an expression in the page.
    pub(crate) fn eval(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let mut answer = self.send("Runtime.evaluate", asked);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].take()
    }

    /// Waits until an expression is true.
    pub(crate) fn until(&mut self, expression: &str) {
        let begun = Instant::now();
        while self.eval(&format!("Boolean({expression})")) != true {
            if begun.elapsed() > PATIENCE {
                let page = self.eval("(document.querySelector('main')?.innerText ?? '').slice(0, 1000)");
                assert!(begun.elapsed() <= PATIENCE, "waited in vain for {expression}: {page}");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Opens an address in a window of this width.
    pub(crate) fn open(&mut self, address: &str, width: u32, is_dark: bool) {
        let size = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.send("Emulation.setDeviceMetricsOverride", size);
        let scheme = if is_dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.send("Emulation.setEmulatedMedia", json!({ "features": features }));
        self.send("Page.navigate", json!({ "url": address }));
        self.until(&format!("location.href === '{address}' && document.body?.dataset.shown"));
    }

    /// Touches the middle of an element, as a finger would: when the page has come to rest.
    pub(crate) fn tap(&mut self, selector: &str) {
        let mut place = self.middle(selector);
        loop {
            std::thread::sleep(Duration::from_millis(300));
            let before = std::mem::replace(&mut place, self.middle(selector));
            if before == place {
                break;
            }
        }
        self.send("Emulation.setTouchEmulationEnabled", json!({ "enabled": true }));
        for (kind, points) in [("touchStart", json!([place])), ("touchEnd", json!([]))] {
            self.send("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
        }
        self.send("Emulation.setTouchEmulationEnabled", json!({ "enabled": false }));
    }

    /// Brings an element into view; returns where its middle is.
    fn middle(&mut self, selector: &str) -> Value {
        self.eval(&format!(
            "(() => {{ const element = document.querySelector('{selector}'); \
             element.scrollIntoView({{ block: 'center', behavior: 'instant' }}); \
             const box = element.getBoundingClientRect(); \
             return {{ x: box.x + box.width / 2, y: box.y + box.height / 2 }}; }})()"
        ))
    }

    /// Clicks what saves a file, and waits for the file.
    pub(crate) fn download(&mut self, selector: &str, name: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let allowed = json!({ "behavior": "allow", "downloadPath": folder.path() });
        self.send("Page.setDownloadBehavior", allowed);
        self.eval(&format!("document.querySelector('{selector}').click()"));
        let begun = Instant::now();
        loop {
            // It has this name when it is complete.
            match std::fs::read_to_string(folder.path().join(name)) {
                Ok(text) if !text.is_empty() => return text,
                _ => assert!(begun.elapsed() <= PATIENCE, "waited in vain for {name}"),
            }
            self.eval("0");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, key: &str, code: u32) {
        for kind in ["rawKeyDown", "keyUp"] {
            let pressed = json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code });
            self.send("Input.dispatchKeyEvent", pressed);
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
