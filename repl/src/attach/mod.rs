//! `cfg attach`: the prompt of `cfg repl` on the session of a running kernel. What other clients of the kernel, such as a
//! notebook, run is shown as it runs.

mod other_clients;
mod remote;

use crate::call;
use crate::cli;
use crate::config;
use crate::engine::Engine;
use crate::host::Host;
use crate::interrupt::Watch;
use crate::lines::Sessions;
use crate::loader::Disk;
use crate::progress::Progress;
use crate::start::{Parts, Raise};
use crate::terminal::Kind;
use cfg_core::{Languages, NoLoader, Role, Session, Styled};
use cfg_kernel::client::{self, Channel, Client, ClientEvent, Found, protocol};
use other_clients::OtherClients;
use remote::Remote;
use serde_json::json;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::time::SystemTime;

fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Runs the prompt, or a script from a pipe. Returns the exit code: 1 if an input of a script failed.
pub fn run(languages: Languages, disk: &Disk, options: &cli::Attach) -> io::Result<u8> {
    if disk.root().is_some() {
        return call::fault(
            "a root does not confine a kernel that already runs; start the kernel with `--root` instead",
        );
    }
    if options.list {
        return list(&client::find(environment, false));
    }
    let kernel = match kernel(options.file.as_deref()) {
        Ok(kernel) => kernel,
        Err(why) => return call::fault(&why),
    };
    let script = !(io::stdin().is_terminal() && io::stdout().is_terminal());
    let start = cli::Start { config: options.config.clone(), no_config: options.no_config, ..cli::Start::default() };
    let file = match config::find(&start, script) {
        Ok(file) => file,
        Err(why) => return call::fault(&why),
    };
    let configure = move |session: &mut Session| {
        let configured = file.as_ref().map(|file| session.configure(&file.path, &file.text));
        configured.map(|(configuration, _)| configuration).unwrap_or_default()
    };
    let configuration = configure(&mut Session::with_languages(languages, Box::new(NoLoader)));
    let progress = Progress::default();
    let (sender, events) = mpsc::channel();
    let others = Arc::new(Mutex::new(OtherClients::new(languages, progress.clone())));
    let (session, listening) = (Arc::new(OnceLock::<String>::new()), others.clone());
    let mine = session.clone();
    let route = move |events: ClientEvent| {
        let message = match &events {
            ClientEvent::Published(message) if Some(&message.session) != mine.get() => message,
            events => {
                let _ = sender.send(events.clone());
                if matches!(events, ClientEvent::Gone) {
                    listening.lock().unwrap_or_else(PoisonError::into_inner).connection_ended();
                }
                return;
            }
        };
        listening.lock().unwrap_or_else(PoisonError::into_inner).show_message(message);
    };
    let client = match Client::connect(&kernel.connection, route) {
        Ok(client) => Arc::new(client),
        Err(why) => return call::fault(format!("cannot connect to the kernel of `{}`: {why}", kernel.file.display())),
    };
    let _ = session.set(String::from(client.session()));
    let events = Arc::new(Mutex::new(Some(events)));
    let opened = Arc::new(OnceLock::new());
    let (owned, shared, output, shown) = (client.clone(), others.clone(), call::paint(!script), progress.clone());
    let report = opened.clone();
    let make = move || {
        // the engine is made once; a second one would find no messages
        let events = events.lock().unwrap_or_else(PoisonError::into_inner).take();
        let remote = Remote::new(languages, owned.clone(), events.unwrap_or_else(|| mpsc::channel().1), shared.clone());
        let _ = report.set(remote.open());
        let shown = shown.clone();
        Box::new(remote.printing(move |text| shown.write(&output.clean(text)))) as Box<dyn Engine>
    };
    let sessions: Sessions = Host::start(make)?;
    let _ = sessions.ask(|_| ());
    if let Some(Err(why)) = opened.get() {
        return call::fault(format!("cannot attach to the kernel of `{}`: {why}", kernel.file.display()));
    }
    let interrupting = client.clone();
    let raise: Raise = Arc::new(move || {
        interrupting.send(Channel::Control, protocol::InterruptRequest {}, &json!({}));
    });
    // typing must never interrupt what the notebook runs
    let interrupt_slow: Raise = Arc::new(|| ());
    let watch = Watch::default();
    let kind = Kind::find();
    if !script {
        let raise = raise.clone();
        watch.install(move || raise());
    }
    let others_run = raise.clone();
    let mut repl = Parts { sessions, raise, interrupt_slow, kind, watch, progress, script }.assemble(&configuration)?;
    repl.interrupt_others_by(move || others_run());
    if !script {
        let (announce, paint) = (repl.announcer(), repl.paint());
        others.lock().unwrap_or_else(PoisonError::into_inner).show(announce, paint);
        if !options.quiet && configuration.banner != Some(false) {
            repl.greet()?;
            let of = kernel.of.as_ref().map_or_else(|| kernel.file.display().to_string(), Clone::clone);
            let line = Styled::of(Role::Dim, format!("attached to {of}\n"));
            io::stdout().write_all(repl.paint().text(&line).as_bytes())?;
        }
    }
    let well = repl.run()?;
    Ok(if script && !well { 1 } else { 0 })
}

/// Returns the kernel that the user names, or else the newest.
fn kernel(file: Option<&str>) -> Result<Found, String> {
    let Some(name) = file else {
        let none = "no kernel is running: start one in a notebook, or name its connection file";
        return client::find(environment, true).into_iter().next().ok_or_else(|| String::from(none));
    };
    let file = client::named(name, environment);
    let file =
        file.ok_or_else(|| format!("no connection file `{name}`: `cfg attach --list` lists the running kernels"))?;
    Found::read(&file)
}

/// Prints the running kernels.
fn list(all: &[Found]) -> io::Result<u8> {
    let mut out = io::stdout();
    if all.is_empty() {
        writeln!(out, "no kernel is running")?;
    }
    for Found { file, connection, written, of } in all {
        let name = file.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
        let kernel = connection.kernel_name.as_deref().unwrap_or("unknown");
        let age = SystemTime::now().duration_since(*written).unwrap_or_default().as_secs();
        let age = match age {
            0..60 => format!("{age} s"),
            60..3600 => format!("{} min", age / 60),
            _ => format!("{} h", age / 3600),
        };
        let of = of.as_deref().map(|of| format!("  {of}")).unwrap_or_default();
        writeln!(out, "{}  {kernel}  {age}{of}", name.trim_start_matches("kernel-"))?;
    }
    Ok(0)
}
