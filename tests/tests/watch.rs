//! `cfg watch`: what differs after each event and after each change of a file.
#![cfg(unix)]

use cfg_tests::binary::{cfg, run};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const SITE: &str = "import \"datetime\"\nimport \"fmt\"\n$hour = datetime.hour(datetime.now())\n\
class web($port) {\n\tfile \"/etc/web\" {\n\t\tcontent => fmt.printf(\"port %d at %d\", $port, $hour),\n\t}\n}\n\
include web(80)\nif $hour < 12 {\n\tsvc \"web\" { state => \"running\", }\n\tFile[\"/etc/web\"] -> Svc[\"web\"]\n}\n";

const EVENTS: &str = "# one hour later\ndatetime.now 1700003600\n\ndatetime.now 1700003601\ndatetime.now 1700040000\n";

#[test]
fn a_stream_of_events_replays_the_same() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("site.mcl"), SITE).unwrap();
    fs::write(folder.path().join("events"), EVENTS).unwrap();
    let replay = |format: &str| {
        let args =
            ["watch", "--ext-code", "datetime.now=1700000000", "--events", "events", "--format", format, "site.mcl"];
        run(&args, folder.path(), "")
    };
    let ran = replay("text");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let expected = "+ file[/etc/web]\n    content  \"port 80 at 22\"\n1 added; 0 resources same\n\
# datetime.now 1700003600\n~ file[/etc/web]\n  ~ content  \"port 80 at 22\" -> \"port 80 at 23\"\n1 changed; 0 resources same\n\
# datetime.now 1700003601\n\
# datetime.now 1700040000\n~ file[/etc/web]\n  ~ content  \"port 80 at 23\" -> \"port 80 at 9\"\n\
+ svc[web]\n    state  \"running\"\n+ file[/etc/web] -> svc[web]\n1 added, 1 changed, 1 edge different; 0 resources same\n";
    assert_eq!(ran.out, expected);
    assert_eq!(replay("text").out, expected);
    let json = replay("json").out;
    let lines: Vec<serde_json::Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3, "{json}");
    assert_eq!(lines[2]["resources"][1]["resource"], "svc[web]");
    assert_eq!(lines[2]["edges"][0]["change"], "added");
}

#[test]
fn events_that_are_none_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("site.mcl"), SITE).unwrap();
    fs::write(folder.path().join("events"), "datetime.now\n").unwrap();
    let ran = run(&["watch", "--events", "events", "site.mcl"], folder.path(), "");
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("`datetime.now` is not an event"), "{}", ran.err);
    let ran = run(&["watch", "--tick", "datetime.now=0", "site.mcl"], folder.path(), "");
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

/// A watching process, whose lines arrive on a channel. Dropping it ends it.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(args: &[&str], folder: &Path) -> Watching {
        let mut command = Command::new(cfg());
        command.args(args).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::null()).stdin(Stdio::null());
        let mut child = command.spawn().unwrap();
        let out = child.stdout.take().unwrap();
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Watching { child, lines }
    }

    /// Returns the next lines.
    fn next(&self, count: usize) -> Vec<String> {
        (0..count).map(|_| self.lines.recv_timeout(Duration::from_secs(60)).expect("a line")).collect()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn changed_files_show_what_they_change() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("lib.cfg", "{ port = 80 }");
    write("main.cfg", "{ a = 1, b = (import \"lib.cfg\").port + 1 }");
    let watching = Watching::start(&["watch", "--interval", "20", "main.cfg"], folder.path());
    assert_eq!(watching.next(1), ["{ a = 1, b = 81 }"]);
    write("lib.cfg", "{ port = 8080 }");
    let lines = watching.next(3);
    assert_eq!(lines[0], "# read again: `lib.cfg`");
    assert!(lines[1].starts_with("~ b  81  ->  8081"), "{lines:?}");
    assert_eq!(lines[2], "1 different, 1 field same");
    // a file with an error is reported once, and the result stays
    write("lib.cfg", "{ port = , }");
    assert_eq!(watching.next(1), ["# the earlier versions of the files stay loaded"]);
    write("lib.cfg", "{ port = 443 }");
    let lines = watching.next(2);
    assert_eq!(lines[0], "# read again: `lib.cfg`");
    assert!(lines[1].starts_with("~ b  8081  ->  444"), "{lines:?}");
}

/// A change of a file is shown in every language, and in data.
#[test]
fn every_language_is_watched() {
    for (name, before, after) in [
        ("a.cfg", "{ a = 1, b = 3 }", "{ a = 2, b = 3 }"),
        ("a.jsonnet", "{ a: 1, b: self.a + 2 }", "{ a: 2, b: 3 }"),
        ("a.yay", "a: 1\nb: 3\n", "a: 2\nb: 3\n"),
        ("a.json", "{\"a\": 1, \"b\": 3}", "{\"a\": 2, \"b\": 3}"),
        ("a.yaml", "a: 1 # one\nb: 3\n", "a: 2\nb: 3\n"),
        ("a.toml", "a = 1\nb = 3\n", "a = 2\nb = 3\n"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, before).unwrap();
        let watching = Watching::start(&["watch", "--interval", "20", name], folder.path());
        let first = watching.next(1);
        assert!(first[0].contains('1') && first[0].contains('3'), "{name}: {first:?}");
        fs::write(&path, after).unwrap();
        let lines = watching.next(3);
        assert_eq!(lines[0], format!("# read again: `{name}`"));
        assert!(lines[1].starts_with("~ a  1  ->  2"), "{name}: {lines:?}");
        assert_eq!(lines[2], "1 different, 1 field same", "{name}");
    }
}

#[test]
fn a_watched_file_is_an_event_of_a_program_that_reads_it() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("motd", "hello");
    write("site.mcl", "import \"os\"\nfile \"/etc/motd\" { content => os.readfile(\"/motd\"), }\n");
    let args = ["watch", "--interval", "20", "--ext-str-file", "os.readfile=motd", "site.mcl"];
    let watching = Watching::start(&args, folder.path());
    assert_eq!(watching.next(3)[1], "    content  \"hello\"");
    write("motd", "good evening");
    let lines = watching.next(4);
    assert_eq!(lines[..3], ["# read again: `motd`", "~ file[/etc/motd]", "  ~ content  \"hello\" -> \"good evening\""]);
}

#[test]
fn the_clock_is_an_event() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("t.mcl"), "import \"datetime\"\ntest \"t\" { int64 => datetime.now(), }\n").unwrap();
    let watching = Watching::start(&["watch", "--tick", "datetime.now=1", "t.mcl"], folder.path());
    let lines = watching.next(6);
    assert!(lines[3].starts_with("# datetime.now "), "{lines:?}");
    assert!(lines[5].starts_with("  ~ int64  "), "{lines:?}");
}

#[test]
fn an_element_has_the_place_of_its_own_definition() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let stack = "layers = [\"base.yaml\", \"top.yaml\"]\nlist = [\"hosts=append\"]\n";
    write("base.yaml", "hosts: [a, b]\n");
    write("top.yaml", "hosts: [c]\n");
    write("s.toml", stack);
    let watching = Watching::start(&["watch", "--interval", "20", "@s.toml"], folder.path());
    assert_eq!(watching.next(1), ["{ hosts = [\"a\", \"b\", \"c\"] }"]);
    write("s.toml", &stack.replace("append", "replace"));
    let lines = watching.next(4);
    assert!(lines[1].starts_with("- hosts[0]  \"a\"") && lines[1].ends_with(" base.yaml:1:9"), "{lines:?}");
    write("s.toml", stack);
    watching.next(4);
    write("base.yaml", "hosts: [z, b]\n");
    let lines = watching.next(3);
    assert!(lines[1].contains("\"a\"  ->  \"z\"") && !lines[1].contains("recomputed"), "{lines:?}");
}
