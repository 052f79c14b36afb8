//! Long work as a stream of events: `note` and `progress` while it runs, then `done` with the answer, `stopped` or
//! `failed`. The work ends with the stream.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::json;
use tokio::sync::mpsc::{Sender, channel};
use tokio::time::{MissedTickBehavior, interval};

use crate::Refusal;
use crate::question::Question;
use crate::reply::Events;
use crate::scheduler::{Failure, Kind, Scheduler};
use crate::task::{StopReason, Task};

/// How often progress is sent to the client.
const TICK: Duration = Duration::from_millis(200);

/// Starts work; returns its events.
pub(crate) fn start(scheduler: Arc<Scheduler>, question: Question) -> Events {
    let (sender, receiver) = channel(16);
    tokio::spawn(async move {
        let task = scheduler.task(Kind::Job, question.page);
        let work = scheduler.answer(question.words, Kind::Job, Arc::clone(&task));
        let mut work = std::pin::pin!(work);
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let answer = loop {
            tokio::select! {
                biased;
                answer = &mut work => break answer,
                () = sender.closed() => return,
                _ = ticks.tick() => send_news(&sender, &task).await,
            }
        };
        send_news(&sender, &task).await;
        let (name, data) = match answer {
            Ok(text) => ("done", text),
            Err(failure @ Failure::Stopped(StopReason::Asked | StopReason::Replaced)) => {
                ("stopped", failure.data())
            }
            Err(failure @ Failure::Refused(Refusal::Stopped)) => ("stopped", failure.data()),
            Err(failure) => ("failed", failure.data()),
        };
        // If the client is gone, there is nothing left to send.
        let _ = sender.send(event(name, &data)).await;
    });
    Events(receiver)
}

/// Sends notes and the progress of the work.
async fn send_news(sender: &Sender<Bytes>, task: &Task) {
    let (progress, notes) = task.news();
    for note in notes {
        let _ = sender.send(event("note", &json!({ "text": note }).to_string())).await;
    }
    let seconds = task.elapsed().as_secs_f64();
    let data = match progress {
        Some(progress) => {
            json!({ "name": progress.name, "done": progress.done, "all": progress.all, "seconds": seconds })
        }
        None => json!({ "name": "waiting", "done": 0, "all": 0, "seconds": seconds }),
    };
    let _ = sender.send(event("progress", &data.to_string())).await;
}

fn event(name: &str, data: &str) -> Bytes {
    let mut text = format!("event: {name}\n");
    for line in data.lines() {
        text += "data: ";
        text += line;
        text.push('\n');
    }
    text.push('\n');
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_an_answer_is_sent() {
        assert_eq!(event("done", "{\n  1\n}\n"), "event: done\ndata: {\ndata:   1\ndata: }\n\n");
        assert_eq!(event("done", ""), "event: done\n\n");
    }
}
