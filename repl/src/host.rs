//! The thread that runs a session. Values are not `Send`, so the session stays on one thread, and the caller sends it
//! questions and waits. The thread has a large stack, and a panic ends one question instead of the program.
//!
//! A session that nobody interrupts while it works needs no thread: [`Here`] runs it on the thread of the caller.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// Interval between two calls of `tick`.
const TICK: Duration = Duration::from_millis(100);
/// Stack size if the system refuses the larger one, in bytes.
const SMALL_STACK: usize = 4 << 20;

/// The session's thread panicked while answering a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crashed;

type Job<E> = Box<dyn FnOnce(&mut E) + Send>;

/// Passes questions to an `E`.
pub trait Ask<E>: Clone {
    /// Runs a question and waits for the answer.
    fn ask<R: Send + 'static>(&self, question: impl FnOnce(&mut E) -> R + Send + 'static) -> Result<R, Crashed>;

    /// Runs a question and waits for the answer. Calls `tick` ten times a second with the time elapsed, unless the question runs
    /// on this thread.
    fn ask_and_watch<R: Send + 'static>(
        &self,
        tick: impl FnMut(Duration),
        question: impl FnOnce(&mut E) -> R + Send + 'static,
    ) -> Result<R, Crashed>;
}

/// An `E` on the thread of the caller, which costs no change of threads for each question. Cheap to clone.
pub struct Here<E> {
    engine: Rc<RefCell<E>>,
    tidy: fn(&mut E, &dyn Fn() -> bool),
}

impl<E> Clone for Here<E> {
    fn clone(&self) -> Self {
        Here { engine: self.engine.clone(), tidy: self.tidy }
    }
}

impl<E> Here<E> {
    /// Creates the `E`.
    pub fn start(make: impl FnOnce() -> E) -> Result<Self, Crashed> {
        Here::start_tidying(make, |_, _| ())
    }

    /// Like [`Here::start`], but calls `tidy` after each question.
    pub fn start_tidying(make: impl FnOnce() -> E, tidy: fn(&mut E, &dyn Fn() -> bool)) -> Result<Self, Crashed> {
        let engine = catch_unwind(AssertUnwindSafe(make)).map_err(|_| Crashed)?;
        Ok(Here { engine: Rc::new(RefCell::new(engine)), tidy })
    }
}

impl<E> Ask<E> for Here<E> {
    fn ask<R: Send + 'static>(&self, question: impl FnOnce(&mut E) -> R + Send + 'static) -> Result<R, Crashed> {
        let mut engine = self.engine.try_borrow_mut().map_err(|_| Crashed)?;
        let answer = catch_unwind(AssertUnwindSafe(|| question(&mut engine))).map_err(|_| Crashed);
        (self.tidy)(&mut engine, &|| false);
        answer
    }

    fn ask_and_watch<R: Send + 'static>(
        &self,
        _: impl FnMut(Duration),
        question: impl FnOnce(&mut E) -> R + Send + 'static,
    ) -> Result<R, Crashed> {
        self.ask(question)
    }
}

impl<E: 'static> Ask<E> for Host<E> {
    fn ask<R: Send + 'static>(&self, question: impl FnOnce(&mut E) -> R + Send + 'static) -> Result<R, Crashed> {
        Host::ask(self, question)
    }

    fn ask_and_watch<R: Send + 'static>(
        &self,
        tick: impl FnMut(Duration),
        question: impl FnOnce(&mut E) -> R + Send + 'static,
    ) -> Result<R, Crashed> {
        Host::ask_and_watch(self, tick, question)
    }
}

/// A handle on the thread that owns an `E`. Cheap to clone; the thread ends when the last handle is dropped.
pub struct Host<E> {
    jobs: Sender<Job<E>>,
    /// Number of questions sent.
    asked: Arc<AtomicU64>,
}

impl<E> Clone for Host<E> {
    fn clone(&self) -> Self {
        Host { jobs: self.jobs.clone(), asked: self.asked.clone() }
    }
}

impl<E: 'static> Host<E> {
    /// Starts the thread and creates its `E` there. Questions sent before that wait.
    pub fn start(make: impl Fn() -> E + Send + Clone + 'static) -> std::io::Result<Self> {
        Host::start_tidying(make, |_, _| ())
    }

    /// Like [`Host::start`], but calls `tidy` whenever the thread is idle. `tidy` must return once its argument
    /// returns `true`.
    pub fn start_tidying(
        make: impl Fn() -> E + Send + Clone + 'static,
        tidy: fn(&mut E, &dyn Fn() -> bool),
    ) -> std::io::Result<Self> {
        let (jobs, inbox) = mpsc::channel::<Job<E>>();
        let asked = Arc::new(AtomicU64::new(0));
        let sent = asked.clone();
        let inbox = std::sync::Arc::new(std::sync::Mutex::new(inbox));
        let run = |stack: usize| {
            let (inbox, make, sent) = (inbox.clone(), make.clone(), sent.clone());
            thread::Builder::new().name("session".into()).stack_size(stack).spawn(move || {
                let Ok(inbox) = inbox.lock() else { return };
                let Ok(mut engine) = catch_unwind(AssertUnwindSafe(make)) else {
                    return;
                };
                let mut answered = 0;
                while let Ok(job) = inbox.recv() {
                    // Unwinding drops the job's answer channel, which makes the caller return `Crashed`.
                    let _ = catch_unwind(AssertUnwindSafe(|| job(&mut engine)));
                    answered += 1;
                    tidy(&mut engine, &|| sent.load(Ordering::Relaxed) > answered);
                }
            })
        };
        run(cfg_kernel::space::session_stack()).or_else(|_| run(SMALL_STACK))?;
        Ok(Host { jobs, asked })
    }

    fn send(&self, job: Job<E>) -> Option<()> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.jobs.send(job).ok()
    }

    /// Runs a question on the thread and waits for the answer.
    pub fn ask<R: Send + 'static>(&self, question: impl FnOnce(&mut E) -> R + Send + 'static) -> Result<R, Crashed> {
        let (answer, wait) = mpsc::sync_channel(1);
        let job = move |engine: &mut E| drop(answer.send(question(engine)));
        self.send(Box::new(job)).ok_or(Crashed)?;
        wait.recv().map_err(|_| Crashed)
    }

    /// Runs a question and waits for the answer; calls `tick` ten times a second with the time elapsed.
    pub fn ask_and_watch<R: Send + 'static>(
        &self,
        mut tick: impl FnMut(Duration),
        question: impl FnOnce(&mut E) -> R + Send + 'static,
    ) -> Result<R, Crashed> {
        let (answer, wait) = mpsc::sync_channel(1);
        let job = move |engine: &mut E| drop(answer.send(question(engine)));
        self.send(Box::new(job)).ok_or(Crashed)?;
        let begun = Instant::now();
        loop {
            match wait.recv_timeout(TICK) {
                Ok(answer) => return Ok(answer),
                Err(RecvTimeoutError::Disconnected) => return Err(Crashed),
                Err(RecvTimeoutError::Timeout) => tick(begun.elapsed()),
            }
        }
    }

    /// Runs a question and waits for at most `time_limit`. Then it calls `interrupt_slow`, which interrupts the session, and
    /// takes the answer only if it arrives soon after. For questions that must never block typing.
    pub fn ask_within<R: Send + 'static>(
        &self,
        time_limit: Duration,
        interrupt_slow: impl FnOnce(),
        question: impl FnOnce(&mut E) -> R + Send + 'static,
    ) -> Option<R> {
        let (answer, wait) = mpsc::sync_channel(1);
        let job = move |engine: &mut E| drop(answer.send(question(engine)));
        self.send(Box::new(job))?;
        match wait.recv_timeout(time_limit) {
            Ok(answer) => Some(answer),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => {
                interrupt_slow();
                wait.recv_timeout(time_limit).ok()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_one_question_and_not_the_session() {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let host = Host::start(|| 1).unwrap();
        let crashed = host.ask(|n: &mut i32| {
            *n += 1;
            if *n > 1 {
                panic!("on purpose");
            }
        });
        std::panic::set_hook(hook);
        assert_eq!(crashed, Err(Crashed));
        assert_eq!(host.ask(|n| *n), Ok(2));
    }

    #[test]
    fn a_panic_on_this_thread_ends_one_question_and_not_the_session() {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let here = Here::start_tidying(|| 1, |n, _| *n += 10).unwrap();
        let crashed = here.ask(|_: &mut i32| panic!("on purpose"));
        std::panic::set_hook(hook);
        assert_eq!(crashed, Err::<(), _>(Crashed));
        assert_eq!(here.ask(|n| *n), Ok(11));
    }

    #[test]
    fn tidying_runs_while_the_thread_is_idle() {
        // `tidy` stops when the next question arrives
        let tidy = |tidied: &mut u32, stop: &dyn Fn() -> bool| {
            while !stop() {
                thread::sleep(Duration::from_millis(1));
            }
            *tidied += 1;
        };
        let host = Host::start_tidying(|| 0, tidy).unwrap();
        let answers: Vec<_> = (0..3).map(|_| host.ask(|tidied| *tidied)).collect();
        assert_eq!(answers, [Ok(0), Ok(1), Ok(2)]);
    }

    #[test]
    fn a_slow_answer_is_interrupted_and_then_abandoned() {
        let host = Host::start(|| ()).unwrap();
        let hurried = std::cell::Cell::new(false);
        let (hold, held) = mpsc::channel::<()>();
        let answer = host.ask_within(Duration::from_millis(1), || hurried.set(true), move |_| held.recv().is_err());
        assert_eq!((answer, hurried.get()), (None, true));
        drop(hold);
    }
}
