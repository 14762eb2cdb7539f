//! Treats any bytes as an mcl program: highlights and checks it, evaluates it to a graph, and submits it as a cell, with a time limit.
#![no_main]

use cfg_core::{Action, CheckOptions, Dialect, Format, Input, NoLoader, Request, Session};
use libfuzzer_sys::fuzz_target;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let _ = Dialect::MCL.highlight(&text);
    let mut session = Session::new(Box::new(NoLoader));
    let interrupt = session.interrupt_handle();
    let (done, over) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while let Err(RecvTimeoutError::Timeout) = over.recv_timeout(Duration::from_millis(500)) {
                interrupt.raise();
            }
        });
        for action in [Action::Check(CheckOptions::default()), Action::Eval { at: None, format: Format::Json }] {
            let _ = session.run(Request { dialect: Some(Dialect::MCL), ..Request::new(vec![Input::Text { name: "fuzz".into(), text: bytes.to_vec() }], action) });
        }
        let _ = session.submit(&format!("%%mcl\n{text}"));
        drop(done);
    });
});
