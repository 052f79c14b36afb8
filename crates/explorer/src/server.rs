//! Connections and routes.

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::runtime::Builder;
use tokio::sync::Semaphore;
use tokio::time::sleep;

use crate::question::Question;
use crate::reply::{self, Reply};
use crate::scheduler::{Kind, Limits, Scheduler};
use crate::write_timeout::WriteTimeout;
use crate::{Engine, assets, gate, job, question};

/// The longest path and query.
const LONGEST: usize = 8192;

/// What a connection may buffer: the head of a request has to fit.
const BUFFER: usize = 16 << 10;

/// The maximum number of headers in a request.
const HEADERS: usize = 64;

/// How often the server checks whether to stop.
const POLL: Duration = Duration::from_millis(50);

/// After an error of the system, e.g. too many open files, the server waits before it accepts another connection.
const PAUSE: Duration = Duration::from_millis(100);

/// A server that has an address but does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    limits: Limits,
}

impl Server {
    /// Takes an address. Port 0 stands for any free one.
    pub fn bind(address: SocketAddr, limits: Limits) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address, limits })
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until the flag is set. Computations in progress are abandoned.
    pub fn run(self, engine: Arc<dyn Engine>, stop: &AtomicBool) -> io::Result<()> {
        let runtime = Builder::new_current_thread().enable_io().enable_time().build()?;
        let ended = runtime.block_on(self.accept(engine, stop));
        // Dropping it would wait for what is being computed.
        runtime.shutdown_background();
        ended
    }

    async fn accept(self, engine: Arc<dyn Engine>, stop: &AtomicBool) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let scheduler = Arc::new(Scheduler::new(engine, self.limits));
        let connections = Arc::new(Semaphore::new(self.limits.connections.max(1)));
        let ip = self.address.ip();
        let ended = async {
            while !stop.load(Ordering::Relaxed) {
                sleep(POLL).await;
            }
        };
        let mut ended = std::pin::pin!(ended);
        loop {
            // Clients beyond the limit wait in the queue of the system.
            let accepted = async {
                let place = Arc::clone(&connections).acquire_owned().await;
                (place, listener.accept().await)
            };
            let (place, stream) = tokio::select! {
                () = &mut ended => return Ok(()),
                (place, accepted) = accepted => match accepted {
                    Ok((stream, _)) => (place, stream),
                    Err(_) => {
                        sleep(PAUSE).await;
                        continue;
                    }
                },
            };
            // Small answers should not wait for each other; without it they are only slower.
            let _ = stream.set_nodelay(true);
            let scheduler = Arc::clone(&scheduler);
            let io_timeout = self.limits.io_timeout;
            tokio::spawn(async move {
                let _place = place;
                let service = service_fn(move |request| {
                    let scheduler = Arc::clone(&scheduler);
                    async move { Ok::<_, Infallible>(answer(request, scheduler, ip).await) }
                });
                let mut connection = http1::Builder::new();
                connection.timer(TokioTimer::new()).header_read_timeout(io_timeout);
                connection.max_buf_size(BUFFER).max_headers(HEADERS);
                // A client that breaks the protocol or goes away gets nothing.
                let _ = connection
                    .serve_connection(TokioIo::new(WriteTimeout::new(stream, io_timeout)), service)
                    .await;
            });
        }
    }
}

async fn answer(request: Request<Incoming>, scheduler: Arc<Scheduler>, ip: IpAddr) -> Reply {
    let uri = request.uri();
    if uri.path_and_query().map_or(0, |text| text.as_str().len()) > LONGEST {
        return reply::refused(StatusCode::URI_TOO_LONG, "the address is too long");
    }
    // Requests have no body.
    if !request.body().is_end_stream() {
        return reply::refused(
            StatusCode::PAYLOAD_TOO_LARGE,
            "the request has a body; put everything into the address",
        );
    }
    let path = uri.path();
    let api = path.strip_prefix("/api/");
    if let Some(refusal) = gate::refusal(request.headers(), ip, api.is_some()) {
        return reply::refused(StatusCode::FORBIDDEN, refusal);
    }
    let query = uri.query().unwrap_or_default();
    match (request.method(), api) {
        (&Method::GET | &Method::HEAD, None) => match assets::find(path) {
            Some(asset) => reply::whole(asset.content_type, asset.bytes),
            None => reply::refused(StatusCode::NOT_FOUND, "there is nothing at this address"),
        },
        (&Method::GET, Some(command)) => match command.strip_prefix("jobs/") {
            Some(command) => match Question::read(command, query) {
                Ok(question) => reply::events(job::start(scheduler, question)),
                Err(error) => reply::refused(StatusCode::BAD_REQUEST, &error.to_string()),
            },
            None => figure(command, query, &scheduler).await,
        },
        (&Method::POST, Some("stop")) => match question::page(query) {
            Ok(page) => {
                let stopped = scheduler.stop(&page);
                reply::whole("application/json", format!("{{\"stopped\":{stopped}}}"))
            }
            Err(error) => reply::refused(StatusCode::BAD_REQUEST, &error.to_string()),
        },
        _ => reply::refused(StatusCode::METHOD_NOT_ALLOWED, "use GET, or POST for /api/stop"),
    }
}

async fn figure(command: &str, query: &str, scheduler: &Scheduler) -> Reply {
    let question = match Question::read(command, query) {
        Ok(question) => question,
        Err(error) => return reply::refused(StatusCode::BAD_REQUEST, &error.to_string()),
    };
    let task = scheduler.task(Kind::Figure, question.page);
    match scheduler.answer(question.words, Kind::Figure, task).await {
        Ok(text) => reply::file(question.content_type, text, question.file.as_deref()),
        Err(failure) => failure.reply(),
    }
}
