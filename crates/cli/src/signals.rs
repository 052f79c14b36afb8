//! Interrupts (Ctrl-C, SIGTERM, SIGHUP): the program ends within a second, in good order, with status 130.
//!
//! One handler serves all commands. It sets a flag; work that watches the flag stops by itself, keeps what is
//! finished and says so. Work that does not stop within [`GRACE`] has nothing to keep: the program ends as soon as no
//! file is half written. A second interrupt ends it at once.

use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use prodmax_jobs::file;

use crate::context::Context;

/// The exit status after an interrupt by the user, the same as that of a program ended by the signal itself.
pub(crate) const INTERRUPT_STATUS: u8 = 130;

/// How long work may take to stop by itself.
const GRACE: Duration = Duration::from_millis(500);

/// The same if there are finished results to be saved or shown.
const LONG_GRACE: Duration = Duration::from_secs(20);

/// How long it may take to finish writing a file.
const WRITING: Duration = Duration::from_secs(10);

/// The flag that asks the work to stop. A failure can set it, too: see the checkpoints of `simulate` and `play`.
static STOP: AtomicBool = AtomicBool::new(false);

/// Whether it was the user who asked for it.
static SIGNALLED: AtomicBool = AtomicBool::new(false);

/// Whether there are finished results in memory.
static HAS_RESULTS: AtomicBool = AtomicBool::new(false);

/// The message to print when the program exits after an interrupt.
static EXIT_MESSAGE: Mutex<String> = Mutex::new(String::new());

/// Starts to watch for interrupts. If that is not possible, e.g. for lack of memory, they end the program at once.
pub(crate) fn watch(context: &Context) {
    if let Err(error) = ctrlc::set_handler(on_signal) {
        context.note(&format!("interrupts cannot be watched and will end the program at once: {error}"));
    }
}

/// Whether the user has interrupted the program.
pub(crate) fn was_interrupted() -> bool {
    SIGNALLED.load(Ordering::SeqCst)
}

/// The flag that is set when the user interrupts the program.
pub(crate) fn interrupt() -> &'static AtomicBool {
    &STOP
}

/// The same flag, for work that has results in memory to save or show when it stops: it is given time to do so.
pub(crate) fn interrupt_and_keep() -> &'static AtomicBool {
    HAS_RESULTS.store(true, Ordering::SeqCst);
    &STOP
}

/// Sets the message for the case that the program is interrupted and ends at once.
pub(crate) fn set_exit_message(text: String) {
    *EXIT_MESSAGE.lock().unwrap_or_else(PoisonError::into_inner) = text;
}

/// The message if finished work is kept in a file.
pub(crate) fn kept_in(path: &Path) -> String {
    format!(
        "interrupted; what was finished is kept in {}, and the same command continues from there",
        path.display()
    )
}

fn on_signal() {
    STOP.store(true, Ordering::SeqCst);
    if SIGNALLED.swap(true, Ordering::SeqCst) {
        std::process::exit(INTERRUPT_STATUS.into());
    }
    // In a separate thread, so that a second signal is noticed.
    if std::thread::Builder::new().spawn(end_soon).is_err() {
        end_soon();
    }
}

/// Ends the program unless it ends by itself first.
fn end_soon() {
    let begun = Instant::now();
    // Results may appear while we wait.
    while begun.elapsed() < if HAS_RESULTS.load(Ordering::SeqCst) { LONG_GRACE } else { GRACE } {
        std::thread::sleep(Duration::from_millis(10));
    }
    // Held until the end: no other write begins.
    let _nothing_is_written = file::between_writes(WRITING);
    let message = EXIT_MESSAGE.lock().unwrap_or_else(PoisonError::into_inner);
    let message = if message.is_empty() { "interrupted" } else { message.as_str() };
    // If standard error is closed, the message is lost.
    let _ = writeln!(io::stderr(), "prodmax: {message}");
    std::process::exit(INTERRUPT_STATUS.into());
}

/// A writer that fails once the user interrupts the program, so that an incomplete file is discarded.
pub(crate) struct Interruptible<'a>(pub(crate) &'a mut dyn Write);

impl Write for Interruptible<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if was_interrupted() {
            return Err(io::Error::other("interrupted"));
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
