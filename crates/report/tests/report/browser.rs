//! The page in a real browser: nothing is clipped on a phone, a wide screen or paper, and there are no errors.

#![allow(clippy::print_stderr, reason = "says what was skipped")]

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common;

/// The views of the page, and their widths in pixels: on screens, and printed between the margins of A4 (182 mm).
const VIEWS: [(&str, u32); 3] = [("screen.html", 400), ("screen.html", 1400), ("print.html", 688)];

/// Measures the page from inside, with everything unfolded: by how much it is too wide, and which texts of a drawing
/// lie outside it.
const MEASURE: &str = "<script>
addEventListener('load', () => {
  document.querySelectorAll('details').forEach(details => { details.open = true; });
  const clipped = [];
  for (const svg of document.querySelectorAll('figure svg')) {
    const frame = svg.getBoundingClientRect();
    for (const text of svg.querySelectorAll('text')) {
      const box = text.getBoundingClientRect();
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 2 || box.bottom > frame.bottom + 2)
        clipped.push(text.textContent);
    }
  }
  const page = document.documentElement;
  parent.postMessage('width ' + innerWidth + ' overflow ' + (page.scrollWidth - page.clientWidth) + ' clipped [' + clipped.join('|') + ']', '*');
});
</script></body>";

/// Frames of the given widths, because a browser's own window cannot be as narrow as a phone.
fn frames() -> String {
    let frames: String = VIEWS
        .map(|(page, width)| {
            format!("<iframe src=\"{page}\" style=\"border:0;width:{width}px;height:900px\"></iframe>\n")
        })
        .concat();
    format!(
        "<!DOCTYPE html>\n<title>measuring</title>\n<script>\naddEventListener('message', event => {{\n  \
         const line = document.createElement('pre');\n  line.textContent = 'measured ' + event.data;\n  \
         document.body.append(line);\n}});\n</script>\n<body>\n{frames}</body>\n"
    )
}

fn browser() -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let mut places = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.find(|path| path.is_file())
}

/// Opens a page; returns the final document and the browser's messages.
fn open(browser: &Path, page: &Path, profile: &Path) -> Option<(String, String)> {
    let mut child = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-sync",
        ])
        .args(["--disable-background-networking", "--disable-component-update", "--enable-logging=stderr"])
        .args(["--virtual-time-budget=10000", "--window-size=1500,900", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", page.display()))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let read = |mut pipe: Box<dyn Read + Send>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            pipe.read_to_end(&mut bytes).unwrap();
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let out = read(Box::new(child.stdout.take()?));
    let err = read(Box::new(child.stderr.take()?));
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(180) {
            child.kill().unwrap();
            return None;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Some((out.join().unwrap(), err.join().unwrap()))
}

#[test]
fn nothing_is_clipped_and_the_browser_reports_no_errors() {
    let Some(browser) = browser() else {
        eprintln!("skipped: no Chromium is installed, so the report was not looked at in a browser");
        return;
    };
    let out = tempfile::tempdir().unwrap();
    let page = String::from_utf8(common::report().files[Path::new("index.html")].clone()).unwrap();
    let screen = page.replace("</body>", MEASURE);
    std::fs::write(out.path().join("screen.html"), &screen).unwrap();
    // A frame cannot be made to print, but the styles for print can be made to apply to it.
    let print = screen.replace("@media print", "@media all").replace("@media screen", "@media not all");
    assert_ne!(print, screen);
    std::fs::write(out.path().join("print.html"), print).unwrap();
    std::fs::write(out.path().join("frames.html"), frames()).unwrap();
    let profile = tempfile::tempdir().unwrap();
    let Some((document, said)) = open(&browser, &out.path().join("frames.html"), profile.path()) else {
        eprintln!("skipped: {} does not run here", browser.display());
        return;
    };
    let complaints: Vec<_> = said.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
    let measured: Vec<&str> =
        document.split("<pre>measured ").skip(1).filter_map(|rest| rest.split("</pre>").next()).collect();
    assert_eq!(measured.len(), VIEWS.len(), "the page was not measured: {said}");
    for (_, width) in VIEWS {
        let line = measured.iter().find(|line| line.starts_with(&format!("width {width} "))).unwrap();
        assert_eq!(*line, format!("width {width} overflow 0 clipped []"));
    }
}
