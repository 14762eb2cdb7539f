//! The thread that a session lives on. Values are not `Send`, so the session never leaves it: the
//! faces send it questions and wait. It has a large stack, and a panic in it ends one question, not
//! the program.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// Stack of the session's thread, reserved but not touched until it is used.
const STACK: usize = 256 << 20;
/// How often somebody who watches is told how long it has taken.
const TICK: Duration = Duration::from_millis(100);
/// The stack where the system does not grant that much.
const SMALL_STACK: usize = 16 << 20;

/// The session's thread went wrong while it worked on a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crashed;

type Job<E> = Box<dyn FnOnce(&mut E) + Send>;

/// A handle on the thread that holds an `E`. Cheap to clone; the thread ends with the last handle.
pub struct Host<E> {
    jobs: Sender<Job<E>>,
    /// How many questions were sent.
    asked: Arc<AtomicU64>,
}

impl<E> Clone for Host<E> {
    fn clone(&self) -> Self {
        Host { jobs: self.jobs.clone(), asked: self.asked.clone() }
    }
}

impl<E: 'static> Host<E> {
    /// Starts the thread and makes its `E` there. Questions that come early wait.
    pub fn start(make: impl Fn() -> E + Send + Clone + 'static) -> std::io::Result<Self> {
        Host::start_tidying(make, |_, _| ())
    }

    /// As [`Host::start`]; after a question, while there is no other, `tidy` is called, which comes back once somebody asks.
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
                    // The job's answer channel is dropped by the unwinding, which tells the asker.
                    let _ = catch_unwind(AssertUnwindSafe(|| job(&mut engine)));
                    answered += 1;
                    tidy(&mut engine, &|| sent.load(Ordering::Relaxed) > answered);
                }
            })
        };
        run(STACK).or_else(|_| run(SMALL_STACK))?;
        Ok(Host { jobs, asked })
    }

    fn send(&self, job: Job<E>) -> Option<()> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.jobs.send(job).ok()
    }

    /// Asks and waits for the answer.
    pub fn ask<R: Send + 'static>(&self, question: impl FnOnce(&mut E) -> R + Send + 'static) -> Result<R, Crashed> {
        let (answer, wait) = mpsc::sync_channel(1);
        let job = move |engine: &mut E| drop(answer.send(question(engine)));
        self.send(Box::new(job)).ok_or(Crashed)?;
        wait.recv().map_err(|_| Crashed)
    }

    /// Asks and waits for the answer, and calls `tick` ten times a second meanwhile, with how long it has taken.
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

    /// Asks, and gives up after `patience`: `hurry` is called (it interrupts the session), and the
    /// answer is taken only if it comes soon after. For what must never block typing.
    pub fn ask_within<R: Send + 'static>(
        &self,
        patience: Duration,
        hurry: impl FnOnce(),
        question: impl FnOnce(&mut E) -> R + Send + 'static,
    ) -> Option<R> {
        let (answer, wait) = mpsc::sync_channel(1);
        let job = move |engine: &mut E| drop(answer.send(question(engine)));
        self.send(Box::new(job))?;
        match wait.recv_timeout(patience) {
            Ok(answer) => Some(answer),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => {
                hurry();
                wait.recv_timeout(patience).ok()
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
    fn what_is_left_is_tidied_while_nobody_asks() {
        // tidying that has no end ends with the next question
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
    fn a_slow_answer_is_hurried_and_then_given_up() {
        let host = Host::start(|| ()).unwrap();
        let hurried = std::cell::Cell::new(false);
        let (hold, held) = mpsc::channel::<()>();
        let answer = host.ask_within(Duration::from_millis(1), || hurried.set(true), move |_| held.recv().is_err());
        assert_eq!((answer, hurried.get()), (None, true));
        drop(hold);
    }
}
