//! Responses and their headers.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body_util::{Either, Full};
use hyper::body::{Body, Frame};
use hyper::header::{CONTENT_DISPOSITION, CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::json;
use tokio::sync::mpsc::Receiver;

use crate::Refusal;
use crate::scheduler::Failure;
use crate::task::StopReason;

/// Sent with everything. The page uses its own scripts and styles and nothing else; no other page may put it in a
/// frame.
const HEADERS: [(&str, &str); 6] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cache-control", "no-store"),
];

/// A response: complete, or as events.
pub(crate) type Reply = Response<Either<Full<Bytes>, Events>>;

/// The events of a job as they come.
pub(crate) struct Events(pub(crate) Receiver<Bytes>);

impl Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.get_mut().0.poll_recv(context).map(|event| event.map(|event| Ok(Frame::data(event))))
    }
}

fn reply(status: StatusCode, content_type: &'static str, body: Either<Full<Bytes>, Events>) -> Reply {
    let mut reply = Response::new(body);
    *reply.status_mut() = status;
    let headers = reply.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    reply
}

/// Something complete.
pub(crate) fn whole(content_type: &'static str, body: impl Into<Bytes>) -> Reply {
    reply(StatusCode::OK, content_type, Either::Left(Full::new(body.into())))
}

/// The same, to be saved as a file.
pub(crate) fn file(content_type: &'static str, body: impl Into<Bytes>, name: Option<&str>) -> Reply {
    let mut reply = whole(content_type, body);
    let attached = name.map(|name| HeaderValue::try_from(format!("attachment; filename=\"{name}\"")));
    if let Some(Ok(value)) = attached {
        reply.headers_mut().insert(CONTENT_DISPOSITION, value);
    }
    reply
}

/// A stream of events.
pub(crate) fn events(events: Events) -> Reply {
    reply(StatusCode::OK, "text/event-stream", Either::Right(events))
}

/// A refusal with its reason.
pub(crate) fn refused(status: StatusCode, sentence: &str) -> Reply {
    problem(status, sentence, false)
}

fn problem(status: StatusCode, sentence: &str, is_long: bool) -> Reply {
    let body = problem_json(sentence, is_long);
    reply(status, "application/json", Either::Left(Full::new(body.into())))
}

fn problem_json(sentence: &str, is_long: bool) -> String {
    json!({ "error": sentence, "long": is_long }).to_string()
}

impl Failure {
    fn status(&self) -> StatusCode {
        match self {
            Self::Refused(Refusal::Refused(_) | Refusal::TooLong(_)) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Refused(Refusal::Broken(_)) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Stopped(StopReason::Late) => StatusCode::GATEWAY_TIMEOUT,
            Self::Refused(Refusal::Stopped) | Self::Stopped(_) => StatusCode::CONFLICT,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    fn sentence(&self) -> String {
        match self {
            Self::Refused(refusal) => refusal.to_string(),
            Self::Stopped(StopReason::Replaced) => {
                "a newer request of the same page took its place".to_owned()
            }
            Self::Stopped(StopReason::Asked) => "stopped".to_owned(),
            Self::Stopped(StopReason::Late) => "the work took too long and was stopped".to_owned(),
            Self::Stopped(StopReason::Gone) => "the client closed the connection".to_owned(),
            Self::Busy => "too many requests are waiting; try again in a moment".to_owned(),
        }
    }

    /// As a response.
    pub(crate) fn reply(&self) -> Reply {
        problem(self.status(), &self.sentence(), matches!(self, Self::Refused(Refusal::TooLong(_))))
    }

    /// As the data of an event.
    pub(crate) fn data(&self) -> String {
        problem_json(&self.sentence(), false)
    }
}
