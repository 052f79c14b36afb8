//! A page on which the model can be explored, and the server that answers it.
//!
//! The server computes nothing. It turns a request such as `/api/mass?root=-1&increments=8,8,8` into the words of the
//! command line, hands them to an [`Engine`], and sends what that prints. So a figure on the page is the figure of the
//! program, and what the program refuses is refused here, with the same sentence.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`question`] | which commands and options may be asked for: none that names a file |
//! | [`task`] | notes and progress of a running computation, and how it is stopped |
//! | [`scheduler`] | how many computations there are at once, how long they may take, which ones replace others |
//! | `gate` | access control: Host and Origin |
//! | `assets` | the page |
//! | `write_timeout` | connections that are closed if the client stops reading |
//! | `reply` | responses and their headers |
//! | `job` | long work as a stream of events |
//! | [`server`] | connections and routes |

mod assets;
mod gate;
mod job;
pub mod question;
mod reply;
pub mod scheduler;
pub mod server;
pub mod task;
mod write_timeout;

use std::sync::Arc;

use thiserror::Error;

pub use scheduler::Limits;
pub use server::Server;
pub use task::Task;

/// What computes the answers.
pub trait Engine: Send + Sync + 'static {
    /// Runs a command, e.g. `["mass", "--root=-1", "--increments=3,3,3", "--format=json"]`, and returns what the program
    /// would print. Called on a thread that may block.
    fn answer(&self, words: Vec<String>, task: &Arc<Task>) -> Result<String, Refusal>;
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The program refuses it.
    #[error("{0}")]
    Refused(String),
    /// It takes longer than the time limit of a request, but can be run as a job.
    #[error("{0}")]
    TooLong(String),
    /// The task was stopped.
    #[error("the work was stopped")]
    Stopped,
    /// A defect of the program.
    #[error("internal error: {0}; please report this")]
    Broken(String),
}
