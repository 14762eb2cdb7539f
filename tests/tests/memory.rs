//! Values that do not fit into memory are problems with a place, and the session lives on.
#![cfg(target_os = "linux")]

use cfg_tests::binary::{Ran, cfg, run_command};
use std::process::Command;
use std::time::Duration;

/// Address spaces in kB, as for `ulimit -v`.
const SPACES: [u32; 2] = [2_000_000, 4_000_000];

/// Programs that ask for more than 4 GB, at once or little by little.
const JSONNET: &[&str] = &[
    "std.length(std.join(std.repeat('x', 1048576), std.makeArray(4000, function(i) '')))",
    "std.length(std.join([1], std.makeArray(1e5, function(i) std.range(1, 100000))))",
    "std.length(std.manifestYamlDoc(std.makeArray(1e8, function(i) i)))",
    "std.length(std.manifestJson(std.range(1, 1e9)))",
    "std.length(std.toString(std.makeArray(1e9, function(i) i)))",
    "std.length(std.manifestPython(std.makeArray(1e9, function(i) i)))",
    "std.length(std.manifestTomlEx({a: std.makeArray(1e9, function(i) i)}, ' '))",
    "std.length(std.stringChars(std.repeat('x', 1e8)))",
    "std.length(std.splitLimit('a', '', 1e9))",
    "std.length(std.repeat('abc', 4e8))",
    "std.repeat([1, 2, 3], 1e9)[7]",
    "std.length(std.strReplace(std.repeat('x', 3e5), 'x', std.repeat('y', 3e4)))",
    "std.sort(std.range(1, 1e9))[0]",
    "std.set(std.range(1, 1e9), function(x) -x)[0]",
    "std.reverse(std.range(1, 1e9))[0]",
    "std.length(std.filter(function(x) true, std.range(1, 1e9)))",
    "std.length(std.flattenArrays(std.makeArray(1e4, function(i) std.range(1, 1e6))))",
    "std.length(std.flatMap(function(i) std.range(1, 1e6), std.range(1, 1e4)))",
    "std.length(std.lines(std.makeArray(1e9, function(i) 'x')))",
    "std.length(std.deepJoin(std.makeArray(5000, function(i) std.repeat('x', 1e6))))",
    "std.length(std.format('%2000000000d', 3))",
    "std.length('%02000000000d' % 3)",
    "std.length('%.2000000000f' % 3)",
    "std.makeArray(1e6, function(i) std.repeat('x', 1e8 + i))",
];

const CFG: &[&str] = &[
    "let rec f = fun n s => if n == 0 then s else f (n - 1) (s ++ s) in std.string.length (f 40 \"ab\")",
    "let rec f = fun n s => if n == 0 then s else f (n - 1) (s @ s) in std.array.length (f 40 [1])",
    "std.string.length (std.string.join (std.string.join \"\" (std.array.replicate 100000 \"0123456789\")) (std.array.replicate 5000 \"\"))",
    "let s = std.string.join \"\" (std.array.replicate 100000 \"x\") in std.string.length (std.string.replace \"x\" s s)",
    "std.array.length (std.array.flatten (std.array.replicate 100000 (std.array.replicate 100000 1)))",
    "std.array.length (std.array.flat_map (fun x => std.array.replicate 1000000 x) (std.array.replicate 10000 1))",
];

const YAY: &[&str] = &[
    "n: {{ len(range(268000000)) }}",
    "a: {{ join(range(200000), ',') }}\nb: {{ replace(a, ',', a) }}\nn: {{ len(b) }}",
    "a: {{ join(range(100000), ',') }}\nn: {{ len(join(range(20000), a)) }}",
];

const MCL: &[&str] = &[
    "import \"golang/strings\"\nprint \"a\" { msg => strings.repeat(\"abc\", 1000000000), }",
    "import \"strings\"\nprint \"a\" { msg => strings.left_pad(\"abc\", \"x\", 3000000000), }",
    "import \"golang/strings\"\n$s = strings.repeat(\"x\", 100000)\nprint \"a\" { msg => strings.replace_all($s, \"x\", $s), }",
];

/// Runs a command with a limited address space.
fn limited(space: u32, args: &[&str], input: &str) -> Ran {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("ulimit -v {space}; exec \"$0\" \"$@\"")).arg(cfg()).args(args);
    command.env("CFG_HISTORY", "").env_remove("RUST_BACKTRACE");
    run_command(command, input, Duration::from_secs(240)).expect("the binary must start")
}

/// Enters programs into one session, and checks that each of them is refused with a place.
#[track_caller]
fn are_refused(dialect: &str, programs: &[&str], last: &str, expected: &str) {
    for space in SPACES {
        let input: String = programs.iter().map(|program| format!("{program}\n\n")).collect();
        let ran = limited(space, &["repl", "--dialect", dialect], &format!("{input}{last}\n"));
        let said = format!("{}{}", ran.out, ran.err);
        assert_eq!(ran.code, Some(1), "{space} kB: {said}");
        for (index, program) in programs.iter().enumerate() {
            let place = format!(" --> {dialect}[{}]:", index + 1);
            let own = said.split("error: ").find(|report| report.contains(&place)).unwrap_or_default();
            assert!(own.contains("[value/limit]"), "{space} kB: {program}:\n{own}\n{said}");
        }
        assert!(said.trim_end().ends_with(expected), "{space} kB: the session must live on:\n{said}");
    }
}

#[test]
fn large_values_of_jsonnet_are_refused() {
    are_refused("jsonnet", JSONNET, "20 + 2", "22");
}

#[test]
fn large_values_of_cfg_are_refused() {
    are_refused("cfg", CFG, "20 + 2", "22");
}

#[test]
fn large_values_of_yay_and_mcl_are_refused() {
    for (dialect, programs) in [("yay", YAY), ("mcl", MCL)] {
        for (program, space) in programs.iter().flat_map(|program| SPACES.map(|space| (program, space))) {
            let ran = limited(space, &["eval", "--dialect", dialect, "-"], program);
            assert_eq!(ran.code, Some(1), "{space} kB: {program}: {}{}", ran.out, ran.err);
            assert!(ran.err.contains("[value/limit]\n --> <stdin>:"), "{space} kB: {program}: {}", ran.err);
        }
    }
}

#[test]
fn one_element_of_a_large_array_takes_little_memory() {
    for (program, expected) in [
        ("std.makeArray(1e9, function(i) i)[5]", "5"),
        ("std.map(function(x) x + 1, std.range(1, 1e9))[5]", "7"),
        ("std.length(std.mapWithIndex(function(i, x) x, std.range(1, 1e9)))", "1000000000"),
    ] {
        let ran = limited(2_000_000, &["eval", "--dialect", "jsonnet", "-e", program], "");
        assert_eq!((ran.code, ran.out.trim()), (Some(0), expected), "{program}: {}", ran.err);
    }
}

const SHARED: &str = "local f(n) = if n == 0 then {} else local x = f(n - 1); { a: x, b: x }; f(40)";
const SHARED_CFG: &str = "let rec f = fun n => if n == 0 then {} else let x = f (n - 1) in { a = x, b = x } in f 40";

/// A shared tree of 2⁴⁰ objects is written in bounded memory, in each format, until the reader leaves or Ctrl-C arrives.
#[test]
fn large_output_is_written_while_it_is_made() {
    let script = |(dialect, program): (&str, &str), rest: &str| {
        format!("ulimit -v 1000000; \"$0\" eval --dialect {dialect} -e '{program}' {rest}")
    };
    let read = |script: String| {
        let mut command = Command::new("sh");
        command.arg("-c").arg(script).arg(cfg());
        run_command(command, "", Duration::from_secs(240)).expect("the binary must start")
    };
    let (jsonnet, own) = (("jsonnet", SHARED), ("cfg", SHARED_CFG));
    let stream = ("jsonnet", &*format!("[1, {SHARED}]"));
    for (program, options) in [
        (jsonnet, ""),
        (own, ""),
        (jsonnet, "--format yaml"),
        (own, "--format yaml"),
        (own, "--format toml"),
        (own, "--keep-order"),
        (stream, "-y"),
    ] {
        let cut = read(script(program, &format!("{options} | head -c 40000000 | wc -c")));
        assert_eq!(cut.out.trim(), "40000000", "{options}: {}", cut.err);
    }
    for program in [jsonnet, own] {
        let stopped = read(script(program, "> /dev/null & sleep 8; kill -INT $!; wait $!"));
        assert_eq!(stopped.code, Some(1), "{}", stopped.err);
        assert!(stopped.err.contains("interrupted"), "{}", stopped.err);
        let note = stopped.err.split("the output is incomplete: ").nth(1).and_then(|rest| rest.split(' ').next());
        assert!(note.and_then(|megabytes| megabytes.parse().ok()).is_some_and(|n: u64| n >= 16), "{}", stopped.err);
    }
}

/// Address spaces in MB, and programs that nest, recurse or are larger than they allow.
const SMALL_SPACES: [u32; 4] = [200, 330, 500, 700];

/// Returns a construct nested deeply.
fn nested(open: &str, inner: &str, close: &str) -> String {
    [&open.repeat(20_000), inner, &close.repeat(20_000)].concat()
}

/// Programs of all languages that are nested deeply, by the names of their files.
fn deep_programs() -> Vec<(&'static str, String)> {
    vec![
        ("parentheses.cfg", nested("(", "1", ")")),
        ("records.cfg", nested("{a=", "1", "}")),
        ("variants.cfg", nested("'A (", "1", ")")),
        ("broken_contracts.cfg", nested("{ a | Number | force = ", "1", " }")),
        ("recursion.cfg", "let rec f = fun n => 1 + f (n + 1) in f 0".into()),
        ("made.cfg", "let rec f = fun n => if n == 0 then {} else {a = f (n - 1)} in f 1000000".into()),
        ("arrays.jsonnet", nested("[", "1", "]")),
        ("recursion.jsonnet", "local f(n) = 1 + f(n + 1); f(0)".into()),
        ("arrays.json", nested("[", "1", "]")),
        ("flow.yaml", nested("[", "1", "]")),
        ("blocks.yaml", nested("- ", "1", "")),
        ("tables.toml", format!("a = {}", nested("{a=", "1", "}"))),
        ("lists.yay", format!("a: {{{{ {} }}}}", nested("[", "1", "]"))),
        ("structs.mcl", format!("$x = {}", nested("struct{a => ", "1", ",}"))),
        ("fields.mcl", format!("$x = {}", nested("(", "1", ")->a"))),
    ]
}

/// Large data of all formats, by the names of their files.
fn large_data() -> Vec<(&'static str, String)> {
    let entries = |colon: &str, between: &str| {
        let entries = (0..60_000).map(|i| format!("\"key{i}\"{colon} [1, 2, \"abc\"]"));
        entries.collect::<Vec<_>>().join(between)
    };
    vec![
        ("large.cfg", format!("{{ {} }}", entries(" =", ", "))),
        ("large.jsonnet", format!("{{ {} }}", entries(":", ", "))),
        ("large.json", format!("{{ {} }}", entries(":", ", "))),
        ("flow.yaml", format!("{{ {} }}", entries(":", ", "))),
        ("large.toml", entries(" =", "\n")),
    ]
}

/// Runs commands on programs after `ulimit`, and checks that each has a result or a report. Without a choice, runs each pair of a
/// program and a command with one of the limits.
#[track_caller]
fn have_results_or_reports(programs: &[(&str, String)], option: &str, limits: &[u32], all: bool) {
    let commands: [&[&str]; 8] = [
        &["eval"],
        &["type"],
        &["check"],
        &["explain"],
        &["steps"],
        &["merge", "--explain"],
        &["graph"],
        &["eval", "--format", "yaml"],
    ];
    let folder = tempfile::tempdir().expect("a folder");
    for (index, (name, text)) in programs.iter().enumerate() {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        let path = path.to_str().expect("a path in Unicode");
        for (turn, command) in commands.iter().enumerate() {
            let mut args = [command, &[path][..]].concat();
            if matches!(command[0], "explain") {
                args.push("a");
            }
            let one = [limits[(index + turn) % limits.len()]];
            for limit in if all { limits } else { &one } {
                let mut run = Command::new("sh");
                let script = format!("ulimit {option} {}; exec timeout 20 \"$0\" \"$@\"", limit * 1024);
                run.arg("-c").arg(script).arg(cfg()).args(&args).env_remove("RUST_BACKTRACE");
                let ran = run_command(run, "", Duration::from_secs(60)).expect("the binary must start");
                let said = format!("{name} {command:?} in {limit} MB: {:?}: {}", ran.code, ran.err);
                // 124: it was still running, which is not what this test is about
                assert!(matches!(ran.code, Some(0..=2 | 124)), "{said}");
                assert!(!ran.err.contains("internal error"), "{said}");
            }
        }
    }
}

/// Whatever the address space, a deep or large program has a result or a report with a code, and nothing ends the process.
/// `CFG_SPACES="200 260 330"` tries every program and command in each of these address spaces, in MB.
#[test]
#[ignore = "takes minutes with a development build; run it with `CFG_BIN=target/release/cfg`"]
fn deep_and_large_programs_in_a_small_address_space_are_reports() {
    let chosen = std::env::var("CFG_SPACES").ok();
    let chosen: Option<Vec<u32>> = chosen.map(|all| all.split_whitespace().filter_map(|mb| mb.parse().ok()).collect());
    let limits = chosen.as_deref().unwrap_or(&SMALL_SPACES);
    have_results_or_reports(&deep_programs(), "-v", limits, chosen.is_some());
    have_results_or_reports(&large_data(), "-v", limits, chosen.is_some());
}

/// No function recurses on the depth of its input without a guard: a stack of 1 MB is enough.
#[test]
#[ignore = "takes minutes with a development build; run it with `CFG_BIN=target/release/cfg`"]
fn deep_programs_need_no_large_stack() {
    have_results_or_reports(&deep_programs(), "-s", &[1], true);
}

/// After a report about memory, the session answers the next input.
#[test]
fn a_session_in_a_small_address_space_lives_on() {
    for space in SMALL_SPACES {
        let deep = nested("[", "1", "]");
        let input = format!("{deep}\n\nlet rec f = fun n => 1 + f (n + 1) in f 0\n\n20 + 2\n");
        let ran = limited(space * 1024, &["repl", "--no-config"], &input);
        let said = format!("{}{}", ran.out, ran.err);
        assert!(ran.out.trim_end().ends_with("22"), "{space} MB: {:?}: {said}", ran.code);
        assert!(said.contains("[value/limit]"), "{space} MB: {said}");
    }
}
