//! `cfg attach`: a prompt in a terminal on the session of a kernel that other clients use too.

#![cfg(unix)]

use cfg_core::NoLoader;
use cfg_kernel::client::{Channel, Client, ClientEvent, ConnectionInfo, Content, protocol};
use cfg_kernel::{Connection, Kernel, Socket};
use cfg_tests::binary::{self, Ran};
use cfg_tests::terminal::{Setup, Terminal, key};
use serde_json::{Value, json};
use std::cell::Cell;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const RUNAWAY: &str = "let rec f = fun n => if n == 0 then 0 else f (n + 1) in f 1";

/// Starts a kernel in this process, with its connection file in the runtime folder under a name.
fn kernel(folder: &Path, name: &str) -> Kernel {
    let mut file = json!({
        "ip": "127.0.0.1", "transport": "tcp", "key": "k", "signature_scheme": "hmac-sha256", "kernel_name": "cfg",
        "shell_port": 0, "iopub_port": 0, "stdin_port": 0, "control_port": 0, "hb_port": 0,
    });
    let connection = Connection::parse(&file.to_string()).unwrap();
    let kernel = Kernel::start(connection, || Box::new(NoLoader), None).unwrap();
    for socket in Socket::ALL {
        file[socket.key()] = json!(kernel.connection.port(socket));
    }
    std::fs::create_dir_all(folder.join("runtime")).unwrap();
    std::fs::write(folder.join("runtime").join(format!("kernel-{name}.json")), file.to_string()).unwrap();
    kernel
}

/// Another client, such as a notebook.
struct Notebook {
    client: Client,
    heard: Receiver<ClientEvent>,
    cells: Cell<u32>,
}

impl Notebook {
    fn open(folder: &Path, name: &str) -> Notebook {
        let file = std::fs::read_to_string(folder.join("runtime").join(format!("kernel-{name}.json"))).unwrap();
        let to: ConnectionInfo = serde_json::from_str(&file).unwrap();
        let (sender, heard) = channel();
        let client = Client::connect(&to, move |heard| drop(sender.send(heard))).unwrap();
        Notebook { client, heard, cells: Cell::new(0) }
    }

    fn send(&self, code: &str) {
        let mut request = protocol::ExecuteRequest::new(code.into());
        request.store_history = true;
        self.cells.set(self.cells.get() + 1);
        let metadata = json!({ "cellId": self.cells.get().to_string(), "deletedCells": [] });
        self.client.send(Channel::Shell, request, &metadata);
    }

    /// Waits for a message that satisfies a condition.
    fn hears<T>(&self, wanted: impl Fn(&Content) -> Option<T>) -> T {
        loop {
            let heard = self.heard.recv_timeout(Duration::from_secs(20)).expect("a message");
            if let ClientEvent::Reply(message) | ClientEvent::Published(message) = heard
                && let Some(found) = wanted(&message.content)
            {
                return found;
            }
        }
    }

    fn run(&self, code: &str) -> protocol::ReplyStatus {
        self.send(code);
        self.hears(|content| match content {
            Content::ExecuteReply(reply) => Some(reply.status.clone()),
            _ => None,
        })
    }
}

fn setup(folder: &Path, args: &[&str]) -> Setup {
    let runtime = folder.join("runtime").to_string_lossy().into_owned();
    let args = std::iter::once("attach").chain(args.iter().copied()).map(String::from).collect();
    Setup { env: vec![("JUPYTER_RUNTIME_DIR", runtime)], args, ..Setup::default() }
}

fn script(folder: &Path, args: &[&str], input: &str) -> Ran {
    let mut command = Command::new(binary::cfg());
    command.arg("attach").args(args).current_dir(folder).env("JUPYTER_RUNTIME_DIR", folder.join("runtime"));
    binary::run_command(command, input, Duration::from_secs(60)).unwrap()
}

#[test]
fn a_prompt_and_a_notebook_share_a_session() {
    let home = tempfile::tempdir().unwrap();
    let _kernel = kernel(home.path(), "a");
    let notebook = Notebook::open(home.path(), "a");
    notebook.run("let server = { port = 80, hostname = \"a\" }");
    let prompt = Terminal::start(home.path(), &setup(home.path(), &[]));
    prompt.prompt(2);
    // completion through the types of the notebook's definitions, and a coloured answer with its type
    prompt.send("server.po").send(key::TAB);
    prompt.sees("cfg[2]> server.port");
    prompt.send(key::ENTER);
    prompt.prompt(3);
    prompt.sees("\n80 : Number\n");
    prompt.sees_styled(" : Number", vt100::Cell::dim);
    prompt.line(":explain server.port");
    prompt.prompt(4);
    prompt.sees("server.port = 80 : Number");
    // what the notebook runs appears above the line that is being edited, which keeps its text
    prompt.send("server.host");
    prompt.sees("cfg[4]> server.host");
    notebook.run("std.trace \"traced\" 41 + 1");
    let screen = prompt.sees("cfg[5]> server.host");
    let shown: Vec<&str> = screen.lines().skip_while(|line| !line.starts_with("[4]>")).collect();
    assert_eq!(shown[..3], ["[4]> std.trace \"traced\" 41 + 1", "traced", "42 : Number"], "{screen}");
    prompt.line("name");
    prompt.prompt(6);
    prompt.sees("\n\"a\" : String\n");
    // and the other way round
    prompt.line("let shared = 7");
    prompt.prompt(7);
    notebook.hears(|content| match content {
        Content::ExecuteInput(input) if input.code == "let shared = 7" => Some(()),
        _ => None,
    });
    assert_eq!(notebook.run("shared + 1"), protocol::ReplyStatus::Ok);
    prompt.sees("\n8 : Number\n");
    // errors are the session's reports, and options are the session's
    prompt.line("1 + \"a\"");
    prompt.prompt(9);
    prompt.sees("error: expected Number, found String [types/conflict]");
    prompt.line(":dialect jsonnet");
    prompt.last("jsonnet[10]>");
    prompt.line("[1, 2]");
    prompt.last("jsonnet[11]>");
    prompt.line(":quit");
    assert_eq!(prompt.end(), 0);
    // only the prompt has ended
    assert_eq!(notebook.run("1"), protocol::ReplyStatus::Ok);
}

#[test]
fn ctrl_c_interrupts_the_input_and_typing_never_interrupts_the_notebook() {
    let home = tempfile::tempdir().unwrap();
    let _kernel = kernel(home.path(), "a");
    let notebook = Notebook::open(home.path(), "a");
    let prompt = Terminal::start(home.path(), &setup(home.path(), &[]));
    prompt.prompt(1);
    prompt.line(RUNAWAY);
    prompt.sees("(Ctrl-C stops it)");
    prompt.insist(key::CTRL_C, 2);
    prompt.sees("[value/interrupted]");
    notebook.send(RUNAWAY);
    prompt.sees("[2]>");
    for text in ["std.arr", "ay.ma", "p"] {
        prompt.send(text);
        std::thread::sleep(Duration::from_millis(200));
    }
    prompt.sees("cfg[3]> std.array.map");
    while let Ok(heard) = notebook.heard.try_recv() {
        if let ClientEvent::Reply(message) = heard {
            assert!(!matches!(message.content, Content::ExecuteReply(_)), "the notebook's cell was interrupted");
        }
    }
    // it discards the line, and then, on an empty one, interrupts the notebook
    prompt.send(key::CTRL_C);
    prompt.sees("cfg[3]> std.array.map\ncfg[3]>");
    prompt.send(key::CTRL_C);
    notebook.hears(|content| match content {
        Content::ExecuteReply(reply) => {
            assert_eq!(reply.status, protocol::ReplyStatus::Error);
            Some(())
        }
        _ => None,
    });
}

#[test]
fn steps_are_paged_and_follow_the_width() {
    let home = tempfile::tempdir().unwrap();
    let _kernel = kernel(home.path(), "a");
    let prompt = Terminal::start(home.path(), &setup(home.path(), &[]));
    prompt.prompt(1);
    prompt.line(":steps { a | default = 1 } & { a = 2 } & { b = 3 }");
    prompt.sees("step 1 of");
    prompt.send("n");
    prompt.sees("step 2 of");
    prompt.send(key::ESC);
    prompt.prompt(2);
}

#[test]
fn what_if_asks_the_kernel() {
    let home = tempfile::tempdir().unwrap();
    let _kernel = kernel(home.path(), "a");
    let notebook = Notebook::open(home.path(), "a");
    notebook.run("base = { port | default = 80, url = \"http://%{std.to_string port}\" }");
    notebook.run("all = base & { port = 443 }");
    let prompt = Terminal::start(home.path(), &setup(home.path(), &[]));
    prompt.prompt(3);
    prompt.line(":explain all.port");
    prompt.sees("[Alt-W] or `:whatif` tries other definitions\n");
    prompt.send("\x1bw");
    let screen = prompt.sees("[a]pply  [q]uit");
    assert!(screen.contains("> [x] WINS  normal   443  cfg[2]:1:23\n"), "{screen}");
    prompt.send(" ");
    let screen = prompt.sees("what if: all.port 443 -> 80");
    assert!(screen.contains("all.url  \"http://443\" -> \"http://80\""), "{screen}");
    // an evaluation that does not end is interrupted in the kernel
    prompt.send(" ").send("=").sees("\nvalue:");
    prompt.send(RUNAWAY).send(key::ENTER);
    std::thread::sleep(Duration::from_millis(300));
    prompt.send(key::CTRL_C);
    prompt.sees("error: interrupted [value/interrupted]");
    prompt.send("rq");
    // nothing has changed until the changes are applied, for the notebook too
    assert_eq!(notebook.run("443 & all.port"), protocol::ReplyStatus::Ok);
    prompt.line(":whatif all.port");
    prompt.sees("[q]uit");
    prompt.send(" ").sees("443 -> 80");
    prompt.send("a");
    let screen = prompt.sees("write into the cell:\n");
    assert!(screen.contains("note: the text of the notebook is as it was"), "{screen}");
    prompt.sees("\n  all = base & {");
    prompt.line("all.url");
    prompt.sees("\n\"http://80\" : String");
    assert_eq!(notebook.run("80 & all.port"), protocol::ReplyStatus::Ok);
    // other answers have nothing to change
    prompt.line("all.port");
    prompt.sees("\n80 : Number");
    prompt.line(":whatif no_such");
    prompt.sees("unbound name `no_such`");
}

#[test]
fn the_newest_kernel_is_the_default_and_all_are_listed() {
    let home = tempfile::tempdir().unwrap();
    let none = script(home.path(), &[], "1");
    assert_eq!((none.code, none.err.contains("no kernel is running")), (Some(2), true), "{none:?}");
    let _one = kernel(home.path(), "one");
    let file = std::fs::File::options().append(true).open(home.path().join("runtime/kernel-one.json")).unwrap();
    file.set_modified(std::time::SystemTime::now() - Duration::from_secs(600)).unwrap();
    let _two = kernel(home.path(), "two");
    let listed = script(home.path(), &["--list"], "");
    let names: Vec<&str> = listed.out.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, ["two", "one"], "{listed:?}");
    assert!(listed.out.contains("one  cfg  10 min"), "{listed:?}");
    assert_eq!(script(home.path(), &[], "which = \"two\"\n1 + 1").out, "which : String\n2\n");
    let one = script(home.path(), &["one"], "which");
    assert_eq!((one.code, one.err.as_str()), (Some(1), ""));
    assert!(one.out.contains("unbound"), "{one:?}");
    let two = home.path().join("runtime/kernel-two.json").to_string_lossy().into_owned();
    assert_eq!(script(home.path(), &[&two], "which\n:type which").out, "\"two\"\nString\n");
    let wrong = script(home.path(), &["no such"], "");
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("`cfg attach --list`"), "{wrong:?}");
}

#[test]
fn the_end_of_the_kernel_ends_the_prompt() {
    let home = tempfile::tempdir().unwrap();
    let kernel = kernel(home.path(), "a");
    let notebook = Notebook::open(home.path(), "a");
    let prompt = Terminal::start(home.path(), &setup(home.path(), &["a"]));
    prompt.prompt(1);
    notebook.client.send(Channel::Control, protocol::ShutdownRequest { restart: false }, &Value::Null);
    kernel.wait();
    drop(kernel);
    prompt.sees("the kernel has ended");
    prompt.line("1");
    prompt.end();
}

/// A prompt that is attached shows what another client did with a secret, and its own answers, without the secret.
#[test]
fn no_output_of_an_attached_prompt_depends_on_a_secret() {
    let inputs = "p\np.url\np.k & 1\n:explain p.url\n:steps p & { k | force = \"§\" }\n:graph p\n:deps p.url\n\
                  :history\n{ k | secret = \"§\", e = 1 + \"x\" }\n";
    let shown = |secret: &str| {
        let home = tempfile::tempdir().unwrap();
        let _kernel = kernel(home.path(), "a");
        let notebook = Notebook::open(home.path(), "a");
        notebook.run(&format!("p = {{ k | secret = \"{secret}\", url = \"http://%{{k}}@h/\", n = 1 }}"));
        let ran = script(home.path(), &[], &inputs.replace('§', secret));
        assert!(ran.out.contains("<secret>"), "{}", ran.out);
        ran.out + &ran.err
    };
    let long = "qZ7wXj9vKp2mRt5yHs8dGf4bNc6lTq3xWqZ1pLm0aYw4kBz8nVj2qJf6";
    let shown = [shown("vB8kQ"), shown(long)];
    assert_eq!(shown[0], shown[1]);
    assert!(long.as_bytes().windows(4).all(|part| !shown[1].contains(&*String::from_utf8_lossy(part))), "{}", shown[1]);
}
