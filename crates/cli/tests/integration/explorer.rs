//! The explorer in a real browser.

#![cfg(unix)]
#![allow(clippy::print_stderr, reason = "says what was skipped, and what was measured")]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::browser::Browser;
use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_prodmax");

/// A server, which ends with the test.
struct Server {
    child: Child,
    page: String,
}

impl Server {
    fn start() -> Self {
        let mut child =
            Command::new(PROGRAM).args(["serve", "--port", "0"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut page = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut page).unwrap();
        Self { child, page: page.trim().to_owned() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a command prints as JSON.
fn printed(arguments: &[&str]) -> Value {
    let output = Command::new(PROGRAM).args(arguments).args(["--format", "json"]).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A difference as the page shows it.
fn shown(difference: f64) -> String {
    format!("{difference:+.4}").replace('-', "−")
}

const DIFFERENCE: &str = "document.getElementById('figure-difference').textContent";

/// Moves a slider, as a hand would.
fn slide(id: &str, to: &str) -> String {
    format!(
        "(() => {{ const slider = document.getElementById('{id}'); slider.value = '{to}'; \
         slider.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()"
    )
}

fn click(selector: &str) -> String {
    format!("document.querySelector('{selector}').click()")
}

fn text(id: &str) -> String {
    format!("document.getElementById('{id}').textContent")
}

/// The root changes the figures to those of the golden entry, and the address; links lead back to a view.
fn figures_follow_the_controls(browser: &mut Browser, page: &str) {
    browser.open(page, 1400, false);
    let id = "beyond.depth3.root-4.difference";
    let golden = printed(&["check", "--recorded", "--each", "--only", id]);
    let golden = shown(golden[0]["ours"].as_str().unwrap().parse().unwrap());
    browser.eval(&slide("root-slide", "-4"));
    browser.until(&format!("{DIFFERENCE} === '{golden}'"));
    browser.until("location.search === '?root=-4'");

    // By keyboard.
    browser.eval("document.getElementById('root-slide').focus()");
    browser.press("ArrowRight", 39);
    browser.until("document.getElementById('root').value === '-3' && location.search === '?root=-3'");

    let query = "?root=2&increments=4,4&truth=arctan:8&rules=minimax,mean:4";
    browser.open(&format!("{page}{query}"), 1400, false);
    let found =
        printed(&["mass", "--root=2", "--increments=4,4", "--truth=arctan:8", "--rules=minimax,mean:4"]);
    let difference = shown(found["difference_percent"].as_f64().unwrap());
    browser.until(&format!("{DIFFERENCE} === '{difference}'"));
    let set = browser.eval(
        "['root', 'first', 'second'].map(id => document.getElementById(id).value).join(' ') + ' ' + \
         document.querySelector('#depth input:checked').value",
    );
    assert_eq!(set, "2 minimax mean:4 2");
    let command = browser.eval("document.querySelector('#figures code').textContent");
    assert_eq!(
        command,
        "prodmax mass --root 2 --increments 4,4 --truth arctan:8 --estimate arctan:1 --rules minimax,mean:4"
    );
}

/// Cells of Table II and of the matrix set the controls; verdicts are filtered.
fn tables_are_controls(browser: &mut Browser, page: &str) {
    browser.open(page, 1400, false);
    browser.eval("document.getElementById('table2').scrollIntoView()");
    browser.until("document.querySelector('#published [data-cell=\"3,3,3 -1\"]')");
    assert_eq!(
        browser.eval("document.querySelector('#published [data-cell=\"3,3,3 -1\"]').textContent"),
        "+0.8"
    );
    browser.eval(&click("#published [data-cell=\"3,3,3 -1\"]"));
    // The cell of the README.
    browser.until(&format!("{DIFFERENCE} === '{}'", shown(-4.760_207)));
    browser.until("location.search === '?increments=3,3,3'");
    browser.eval("document.getElementById('contest').scrollIntoView()");
    browser.until("document.querySelector('#matrix [data-cell=\"product mean:4\"]')");
    browser.eval(&click("#matrix [data-cell=\"product mean:4\"]"));
    browser.until("document.getElementById('second').value === 'mean:4'");
    let found = printed(&["mass", "--root=-1", "--increments=3,3,3", "--rules=product,mean:4"]);
    let difference = shown(found["difference_percent"].as_f64().unwrap());
    browser.until(&format!("{DIFFERENCE} === '{difference}'"));
    browser.eval("document.getElementById('verdicts').scrollIntoView()");
    browser.until("document.querySelectorAll('#entries tbody tr').length > 1000");
    browser.eval(
        "(() => { const paper = document.getElementById('paper'); paper.value = 'LGB'; \
         paper.dispatchEvent(new Event('change')); })()",
    );
    // The figures of the tables, the coefficients of eq. (9), two that it gives, and claims.
    browser.until("document.querySelectorAll('#entries tbody tr').length === 337 + 3 + 2 + 50");
}

/// A finger does what a mouse does.
fn a_finger_is_enough(browser: &mut Browser, page: &str) {
    browser.open(page, 400, false);
    browser.tap("#depth label:nth-child(2) input");
    browser.until("location.search === '?increments=8,8'");
    browser.tap(".card.threshold .ask");
    browser.until(
        "document.querySelector('#definition:popover-open')?.textContent.includes('same probability p')",
    );
    browser.tap("h1");
    browser.until("!document.querySelector('#definition:popover-open')");
    browser.eval("document.getElementById('table2').scrollIntoView()");
    browser.until("document.querySelector('#ours [data-cell=\"1,1,3 -1\"]')");
    browser.tap("#ours [data-cell=\"1,1,3 -1\"]");
    // The figure that Storm confirms.
    browser.until(&format!("{DIFFERENCE} === '{}'", shown(-4.440_829_252)));
}

/// Figures and plots become files: what the program prints, what a plot shows.
fn panels_are_saved(browser: &mut Browser, page: &str) {
    browser.open(&format!("{page}?increments=3,3"), 1400, false);
    browser
        .until("document.body.dataset.settled && document.querySelector('#panel-steepness .files button')");
    let mass = ["mass", "--root=-1", "--increments=3,3", "--truth=arctan:4", "--rules=minimax,product"];
    let found = printed(&mass);
    let saved = browser.download("#figures .files a:nth-child(2)", "prodmax-mass.json");
    assert_eq!(serde_json::from_str::<Value>(&saved).unwrap(), found);
    let saved = browser.download("#panel-roots .files a:nth-child(3)", "prodmax-mass.svg");
    assert!(saved.starts_with("<svg") && saved.contains("</svg>"), "{saved}");
    let saved = browser.download("#panel-steepness .files button:nth-child(1)", "difference-over-c.csv");
    let mut lines = saved.lines();
    assert_eq!(lines.next(), Some("c,c of the truth,c of the estimate"));
    // Where c is that of the model, the lines show its difference.
    let at = |c: &str| -> Vec<&str> {
        saved.lines().find(|line| line.starts_with(&format!("{c},"))).unwrap().split(',').collect()
    };
    let difference = found["difference_percent"].as_f64().unwrap();
    for shown in [at("4")[1], at("1")[2]] {
        assert_eq!(shown.parse::<f64>().unwrap(), difference);
    }
    let saved = browser.download("#panel-masses .files button:nth-child(3)", "error-masses-over-p.svg");
    assert!(saved.starts_with("<svg") && saved.contains("polyline"), "{saved}");
}

/// A leaf is changed, and the choice of a rule with it: Minimax takes the greater of the least leaves.
fn a_leaf_can_be_changed(browser: &mut Browser, page: &str) {
    browser.open(&format!("{page}?increments=8,8&tree=((8+-3)+(1+2))"), 1400, false);
    browser.eval("document.getElementById('tree').scrollIntoView()");
    browser.until(&format!("{} === 'minimax chooses E, product chooses B.'", text("choices")));
    let leaves = "document.querySelectorAll('#drawing input')";
    assert_eq!(browser.eval(&format!("Array.from({leaves}, leaf => leaf.value).join(' ')")), "8 -3 1 2");
    browser.eval(&format!(
        "(() => {{ const leaf = {leaves}[1]; leaf.value = '7'; leaf.dispatchEvent(new Event('change')); }})()"
    ));
    browser.until(&format!(
        "{} === 'minimax chooses B, product chooses B: the same move, so this tree is not critical.'",
        text("choices")
    ));
    browser.until("new URLSearchParams(location.search).get('tree') === '((8 7) (1 2))'");
    // Critical trees are a click away: any, and the heaviest.
    browser.eval(&click("#draw"));
    browser.until(&format!("{}.endsWith('.') && !{0}.includes('same move')", text("choices")));
    browser.eval(&click("#next"));
    let found = printed(&["critical", "--root=-1", "--increments=8,8", "--top=2"]);
    let tree = found["heaviest"][1]["tree"].as_str().unwrap();
    browser.until(&format!("new URLSearchParams(location.search).get('tree') === '{tree}'"));
}

/// What takes long is refused with its time, runs as a job and can be stopped.
fn a_long_job_is_stopped(browser: &mut Browser, page: &str) {
    // Nothing is shown until there are figures, so the page is opened with a small model first.
    browser.open(&format!("{page}?root=1&increments=8,8"), 1400, false);
    browser.eval(&click("#depth label:nth-child(4) input"));
    browser.until("!document.getElementById('job').hidden");
    let sentence = browser.eval(&text("problem"));
    assert!(
        sentence.as_str().unwrap().contains("root +1, increments 8,8,8,8: this takes about"),
        "{sentence}"
    );
    browser.eval(&click("#job-start"));
    browser.until(&format!("{}.startsWith('root +1, increments 8,8,8,8, ')", text("job-text")));
    assert_eq!(browser.eval("document.getElementById('job-stop').hidden"), false);
    browser.eval(&click("#job-stop"));
    browser.until(&format!("{} === 'stopped'", text("job-text")));
    assert_eq!(browser.eval("document.getElementById('job-start').hidden"), false);
}

/// On telephones and wide screens, light and dark: nothing sticks out, and nothing jumps when values change.
fn everything_fits_and_nothing_jumps(browser: &mut Browser, page: &str) {
    for (width, is_dark) in [(400, true), (400, false), (1400, true), (1400, false)] {
        browser.open(page, width, is_dark);
        browser.eval("document.getElementById('tree').scrollIntoView()");
        browser.until("document.querySelector('#drawing svg') && document.body.dataset.settled");
        let measured = "(() => { const page = document.documentElement; return [page.scrollWidth - page.clientWidth, \
                        ...['plots', 'tree', 'contest'].map(id => Math.round(document.getElementById(id).offsetTop))].join(' '); })()";
        let before = browser.eval(measured);
        assert!(before.as_str().unwrap().starts_with("0 "), "{width}: {before}");
        let text = browser.eval(DIFFERENCE);
        browser.eval(&slide("root-slide", "5"));
        browser.until(&format!("{DIFFERENCE} !== {text} && document.body.dataset.settled"));
        assert_eq!(browser.eval(measured), before, "{width}");
        let clear = browser.eval("getComputedStyle(document.body).backgroundColor");
        assert_eq!(clear, if is_dark { "rgb(20, 23, 26)" } else { "rgb(251, 251, 250)" });
    }
}

/// A slider that is moved faster than figures come: the last one counts.
fn a_fast_hand_sees_the_last_figure(browser: &mut Browser, page: &str) {
    browser.open(page, 1400, false);
    browser.eval(
        "(async () => {
          const slider = document.getElementById('root-slide');
          for (let root = -15; root <= 14; root++) {
            slider.value = root;
            slider.dispatchEvent(new Event('input', { bubbles: true }));
            await new Promise(resolve => setTimeout(resolve, 5));
          }
        })()",
    );
    let found = printed(&["mass", "--root=14", "--increments=8,8,8"]);
    let difference = shown(found["difference_percent"].as_f64().unwrap());
    browser.until(&format!("{DIFFERENCE} === '{difference}' && document.body.dataset.settled"));
    assert_eq!(browser.eval(DIFFERENCE), difference);
    // From -20 to 20 without 0.
    assert_eq!(browser.eval("document.querySelector('#panel-roots .plot').dataset.points"), "40");
}

/// From a change of the root to the new figure, at full width: printed, not asserted.
fn how_long_a_change_takes(browser: &mut Browser, page: &str) {
    browser.open(page, 1400, false);
    browser.until("document.body.dataset.settled");
    let times = browser.eval(
        "(async () => {
          const figure = document.getElementById('figure-difference'), slider = document.getElementById('root-slide');
          const times = [];
          for (let root = 1; root <= 20; root++) {
            const changed = new Promise(resolve => {
              const watch = new MutationObserver(() => { watch.disconnect(); resolve(performance.now()); });
              watch.observe(figure, { childList: true });
            });
            const begun = performance.now();
            slider.value = root;
            slider.dispatchEvent(new Event('input', { bubbles: true }));
            times.push(await changed - begun);
            await new Promise(resolve => setTimeout(resolve, 20));
          }
          return times.sort((a, b) => a - b);
        })()",
    );
    let times: Vec<f64> = times.as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    assert_eq!(times.len(), 20);
    eprintln!(
        "explorer: a new root is on the page after {:.0} ms (median of 20; the longest took {:.0} ms)",
        times[10], times[19]
    );
}

#[test]
fn the_explorer_works_in_a_browser() {
    let Some(mut browser) = Browser::start() else {
        eprintln!("skipped: no Chromium runs here, so the explorer was not used in a browser");
        return;
    };
    let server = Server::start();
    let steps: [fn(&mut Browser, &str); 9] = [
        figures_follow_the_controls,
        tables_are_controls,
        a_finger_is_enough,
        panels_are_saved,
        a_leaf_can_be_changed,
        a_long_job_is_stopped,
        everything_fits_and_nothing_jumps,
        a_fast_hand_sees_the_last_figure,
        how_long_a_change_takes,
    ];
    for step in steps {
        step(&mut browser, &server.page);
    }
    // The browser itself logs every refused request to the console: there are two of them, for the long job
    // and for its threshold.
    let other = |complaint: &&String| !complaint.contains("422");
    let complaints: Vec<&String> = browser.complaints.iter().filter(other).collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
}
