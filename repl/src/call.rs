//! The commands that read a program, such as `cfg eval` and `cfg type`: builds a request, runs it in a session, and
//! prints its outcome.

mod diff;

use crate::advice::{Call, is_pattern};
use crate::cli::{
    Check, Command, Deps, Eval, Explain, Field, Fmt, Graph, Merge, Program, ProgramInputs, Query, Reading, Steps, Type,
    Why,
};
use crate::cli::{codes, faults};
use crate::edit::Edits;
use crate::fault::Fault;
use crate::host::{Ask, Crashed, Here, Host};
use crate::loader::Disk;
use crate::many;
use crate::paint::Paint;
use crate::palette::Theme;
use cfg_core::{
    Action, CheckOptions, EXTERNAL_OPTIONS, ExternalOption, Format, Input, Languages, Layering, Medium, Outcome,
    ProgramOptions, Request, Role, Session, SetKind, SetOption, Shape, Styled,
};
use std::cell::Cell;
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The exit code when the command line is wrong.
pub const CALL_AT_FAULT: u8 = 2;
/// The exit code when cfg itself fails, so that nothing is known about the program.
pub const DEFECT: u8 = 1;

/// Runs a command and returns the exit code. Fails if a stream cannot be written.
pub fn run(languages: Languages, disk: Disk, command: Command) -> io::Result<u8> {
    let edits = match &command {
        Command::Merge(Merge { in_place: true, .. }) => Some(Edits::InPlace),
        Command::Merge(Merge { patch: Some(patch), .. }) => Some(Edits::Patch(patch.clone())),
        Command::Fmt(_) => Some(Edits::InPlace),
        _ => None,
    };
    let writer = disk.clone();
    // one file that cannot be formatted does not concern the others
    let writes_always = matches!(command, Command::Fmt(_));
    let target = match &command {
        Command::Eval(eval) => {
            Target { file: eval.printing.output_file.clone(), create: eval.printing.create, disk: disk.clone() }
        }
        _ => Target::default(),
    };
    if let Some(name) = target.file.as_deref().and_then(Path::to_str).filter(|name| Format::from_name(name).is_some()) {
        let why = Fault::new(format!("`{name}` is a format, and `-o` names a file"));
        return fault(
            why.help(format!("for the format: `--format {name}`")).help(format!("for the file: `-o ./{name}`")),
        );
    }
    let jobs = if let Command::Check(check) = &command { check.jobs.map(usize::from) } else { None };
    let in_parts = matches!(&command, Command::Eval(_)) && target.file.is_none();
    let request = match request(command) {
        Ok(request) => request,
        Err(why) => return fault(why),
    };
    if let Some(why) = Call::of_process().and_then(|call| call.about_overrides(&request.overrides)) {
        return fault(why);
    }
    if let Action::Check(options) | Action::CheckLayers(options) = &request.action {
        for unknown in options.silence.iter().filter_map(|code| codes::unknown(code)) {
            warn(&unknown)?;
        }
    }
    for folder in request.options.libraries.iter().chain(&request.import_paths).filter(|folder| !folder.is_dir()) {
        let near = crate::advice::similar_folder(folder);
        let near = near.map(|near| format!("; did you mean `{}`?", near.display())).unwrap_or_default();
        warn(&format!("imports are not looked for in `{}`: there is no such folder{near}", folder.display()))?;
    }
    // Only a terminal's width is needed; for any other stream, finding it starts two `tput` processes.
    let columns = io::stdout().is_terminal().then(|| crate::terminal::size().0);
    if let Some(outcome) = many::check(languages, &disk, columns, jobs, &request) {
        return match outcome {
            Ok(outcome) => print(&outcome, &target),
            Err(_) => crashed(),
        };
    }
    let make = move || {
        let mut session = Session::with_languages(languages, Box::new(disk.clone()));
        // traces appear while the program runs, and are not part of the reports
        let err = paint(io::stderr().is_terminal());
        session.set_output(Rc::new(move |line| {
            let _ = io::stderr().write_all(err.clean(line).as_bytes());
        }));
        if in_parts {
            write_in_parts(&mut session);
        }
        session
    };
    let answer = move |session: &mut Session| {
        if let Some(columns) = columns {
            session.set_width(columns);
        }
        session.run(request)
    };
    // The stack of the first thread grows into addresses that `ulimit -v` may refuse, which would end the process. That of
    // another thread is reserved.
    let outcome = match cfg_kernel::space::is_limited() {
        true => ask_last(Host::start(make)?, answer),
        false => match Here::start(make) {
            Ok(host) => ask_last(host, answer),
            Err(crashed) => Err(crashed),
        },
    };
    match outcome {
        Ok(mut outcome) => {
            if let Some(to) = edits.filter(|_| outcome.exit == 0 || writes_always) {
                if let Err(why) = crate::edit::write(&outcome.edits, &to, &writer) {
                    return fault(&why);
                }
                if to == Edits::Patch("-".into()) {
                    outcome.output = Styled::default();
                }
            }
            print(&outcome, &target)
        }
        Err(_) => crashed(),
    }
}

/// Asks the last question of a session.
fn ask_last<R: Send + 'static>(
    host: impl Ask<Session>,
    question: impl FnOnce(&mut Session) -> R + Send + 'static,
) -> Result<R, Crashed> {
    let answer = host.ask(question);
    // The process ends now, so freeing the session would be wasted time.
    std::mem::forget(host);
    answer
}

/// Reports that cfg itself failed, and returns the exit code.
pub fn crashed() -> io::Result<u8> {
    report(&Fault::new("cfg failed with an internal error; this is a bug in cfg, not in your program"))?;
    Ok(DEFECT)
}

/// Writes the parts of a large document to standard output while it is made. From the first part on, Ctrl-C ends the
/// evaluation and not the process, so that it is said how much was written.
fn write_in_parts(session: &mut Session) {
    let (interrupt, begun) = (session.interrupt_handle(), Cell::new(false));
    session.set_document_output(Rc::new(move |part| {
        if !begun.replace(true) {
            let interrupt = interrupt.clone();
            let _ = ctrlc::set_handler(move || interrupt.raise());
        }
        let out = io::stdout();
        let written = out.lock().write_all(paint(out.is_terminal()).clean(part).as_bytes());
        if written.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
            // the reader closed the pipe (`| head`)
            std::process::exit(0);
        }
        written
    }));
}

/// Reports an error in the command line and returns its exit code.
pub fn fault(fault: impl Into<Fault>) -> io::Result<u8> {
    report(&fault.into())?;
    Ok(CALL_AT_FAULT)
}

fn report(fault: &Fault) -> io::Result<()> {
    let paint = paint(io::stderr().is_terminal());
    io::stderr().write_all(paint.text(&fault.report()).as_bytes())
}

/// Writes a warning about the command line.
fn warn(message: &str) -> io::Result<()> {
    let paint = paint(io::stderr().is_terminal());
    let mut text = Styled::of(Role::Warning, "warning");
    text.plain(format!(": {message}\n"));
    io::stderr().write_all(paint.text(&text).as_bytes())
}

/// Returns the paint for a stream, given whether it is a terminal.
pub fn paint(terminal: bool) -> Paint {
    let unset = |name: &str| std::env::var_os(name).is_none_or(|value| value.is_empty());
    let dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
    Paint { colour: terminal && unset("NO_COLOR") && !dumb, terminal, theme: Theme::from_environment(), palette: None }
}

/// The file that the output goes to; `None` for standard output.
#[derive(Default)]
pub struct Target {
    file: Option<PathBuf>,
    create: bool,
    disk: Disk,
}

impl Target {
    /// Writes a file unless it already holds the text, so that its modification time does not change and build tools
    /// do no work.
    fn write(&self, path: &Path, text: &str) -> io::Result<()> {
        let named = |error: io::Error| {
            let why = match error.kind() {
                io::ErrorKind::NotFound => "there is no such folder; `-c` creates it".into(),
                _ => reason(&error),
            };
            io::Error::new(error.kind(), format!("cannot write `{}`: {why}", path.display()))
        };
        if let Some(root) = self.disk.root() {
            root.writable(path).map_err(named)?;
        }
        if std::fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
            return Ok(());
        }
        if self.create
            && let Some(folder) = path.parent()
        {
            std::fs::create_dir_all(folder).map_err(named)?;
        }
        std::fs::write(path, text).map_err(named)
    }
}

/// Prints an outcome, and returns the exit code.
pub fn print(outcome: &Outcome, target: &Target) -> io::Result<u8> {
    let out = paint(io::stdout().is_terminal());
    let err = paint(io::stderr().is_terminal());
    for (path, text) in &outcome.files {
        target.write(Path::new(path), text)?;
    }
    let mut written = match &target.file {
        Some(file) if outcome.exit == 0 => target.write(file, &outcome.output.text()),
        _ => out.send(&outcome.output, &mut io::stdout().lock()),
    };
    if written.is_ok() {
        written = io::stdout().flush();
    }
    // written as they are made: there can be very many
    let mut reports = BufWriter::new(io::stderr().lock());
    for (n, (_, report)) in outcome.reports.iter().enumerate() {
        let text = err.text(report);
        let end = if text.ends_with('\n') { "" } else { "\n" };
        write!(reports, "{}{text}{end}", if n > 0 { "\n" } else { "" })?;
    }
    reports.flush()?;
    written?;
    Ok(outcome.exit)
}

fn request(command: Command) -> Result<Request, Fault> {
    match command {
        Command::Eval(Eval { files, text, reading, at, format, printing, layers }) => {
            let action = match layers {
                true => Action::Merge { at, layers, format, explain: None },
                false => Action::Eval { at, format },
            };
            let mut inputs = inputs_of(&files)?;
            if inputs.len() > 1 && !layers {
                return Err(several(inputs.len()));
            }
            inputs.extend(text.map(expression));
            let mut request = request_of(inputs, reading, action);
            request.options.string = printing.string;
            request.options.no_newline = printing.no_trailing_newline;
            request.options.keep_order = printing.keep_order;
            request.options.shape = match printing.multi {
                Some(folder) if folder.is_empty() || folder.ends_with('/') => Shape::Files(folder),
                Some(folder) => Shape::Files(folder + "/"),
                None if printing.yaml_stream => Shape::Stream,
                None => Shape::Document,
            };
            Ok(request)
        }
        Command::Type(Type { program, at, pretty }) => one(program, Action::Type { at, pretty }),
        Command::Check(Check { files, text, strict, silence, all, baseline, layers, jobs: _, reading }) => {
            let mut inputs = inputs_of(&files)?;
            inputs.extend(text.map(expression));
            let options = CheckOptions { strict, silence, all, baseline, part: false };
            let action = if layers { Action::CheckLayers(options) } else { Action::Check(options) };
            Ok(request_of(inputs, reading, action))
        }
        Command::Deps(Deps { field, used_by, format }) => {
            of_field(field, |path| Action::Deps { path: path.unwrap_or_default(), used_by, json: format == "json" })
        }
        Command::Graph(Graph { program, at, functions, format }) => {
            one(program, Action::Graph { at, functions, drawing: format })
        }
        Command::Query(Query { field, format }) => {
            of_field(field, |path| Action::Query { path: path.unwrap_or_default(), json: format == "json" })
        }
        Command::Explain(Explain { field, format }) => {
            of_field(field, |path| Action::Explain { path: path.unwrap_or_default(), medium: format })
        }
        Command::Why(Why { field, step, format }) => of_field(field, |path| Action::Why { path, step, medium: format }),
        Command::Merge(merge) => merge_request(merge),
        Command::Diff(diff) => diff::request(diff),
        Command::Fmt(Fmt { files, text, check, dialect }) => {
            let mut inputs = inputs_of(&files)?;
            inputs.extend(text.map(expression));
            let reading = Reading { dialect, ..Reading::default() };
            Ok(request_of(inputs, reading, Action::Fmt { check }))
        }
        Command::Steps(steps) => steps_request(steps),
        _ => Err("this command does not read a program".into()),
    }
}

/// Builds a request for one program.
pub fn one(program: Program, action: Action) -> Result<Request, Fault> {
    let input = match (program.text, program.file) {
        (Some(text), _) => expression(text),
        (None, Some(path)) => file(&path)?,
        (None, None) => return Err("no program: name a FILE, or pass a text with `-e`".into()),
    };
    Ok(request_of(vec![input], program.reading, action))
}

/// Returns the program and the path of the field: `FILE PATH`, `FILE --at PATH` or `-e TEXT PATH`.
fn part(text: Option<String>, words: Vec<String>, at: Option<String>) -> Result<(Input, Option<String>), Fault> {
    let missing = || Call::of_process().map_or_else(|| Fault::new("a file is missing"), |call| call.needs_file());
    let mut words = words.into_iter();
    let input = match text {
        Some(text) => expression(text),
        None => match words.next() {
            Some(path) => file(Path::new(&path))?,
            None => return Err(missing()),
        },
    };
    let path = match (at, words.next()) {
        (Some(at), Some(word)) => {
            return Err(
                Fault::new(format!("two fields: `{at}`, of `--at`, and `{word}`")).help("give only one of them")
            );
        }
        (at, word) => at.or(word),
    };
    // `cfg explain base.yaml prod.yaml`
    if let (Some(call), Some(file)) = (Call::of_process(), path.as_deref())
        && Languages::default().of_path(Path::new(file)).is_some()
        && Path::new(file).is_file()
        && call.operands().filter(|word| *word == file).count() == 1
        && words.len() == 0
    {
        return Err(Fault::new(format!("`{file}` is a file, and a path to a field is expected"))
            .help(format!("to merge the files first: {}", call.extended(&["--layers", "PATH"]))));
    }
    match words.next() {
        Some(word) => Err(match Call::of_process() {
            Some(call) => faults::surplus(&call, &word),
            None => Fault::new(format!("unexpected argument `{word}`: only one field can be named")),
        }),
        None => Ok((input, path)),
    }
}

/// Builds a request about a field of a program.
fn of_field(field: Field, action: impl FnOnce(Option<String>) -> Action) -> Result<Request, Fault> {
    if field.layers {
        let mut files: Vec<PathBuf> = field.words.into_iter().map(PathBuf::from).collect();
        let path = match field.at {
            Some(path) => Some(path),
            None => field_among(&mut files),
        };
        let inputs = files.iter().map(|f| file(f)).collect::<Result<Vec<_>, _>>()?;
        if inputs.is_empty() {
            return Err("no files: name them in order, the lowest layer first".into());
        }
        let mut request = request_of(inputs, field.reading, action(path));
        request.layering.stacked = true;
        return Ok(request);
    }
    let (input, path) = part(field.text, field.words, field.at)?;
    Ok(request_of(vec![input], field.reading, action(path)))
}

/// Takes a field out of the files of `cfg merge --explain a.yaml b.yaml spec.image`, as in `cfg explain`: the only one of them
/// that is neither a file nor named like one.
fn field_among(files: &mut Vec<PathBuf>) -> Option<String> {
    let is_field = |file: &PathBuf| {
        let text = file.to_string_lossy();
        // a document of Kubernetes has a `/` in its name: `Service/web.spec`
        let is_named = text == "-" || text.starts_with(['@', '/', '.']);
        !is_named && Languages::default().of_path(file).is_none() && !file.exists()
    };
    let mut fields = (0..files.len()).filter(|at| files.get(*at).is_some_and(is_field));
    match (fields.next(), fields.next()) {
        (Some(at), None) if files.len() > 1 => Some(files.remove(at).to_string_lossy().into_owned()),
        _ => None,
    }
}

fn merge_request(mut merge: Merge) -> Result<Request, Fault> {
    if merge.explain && merge.at.is_none() {
        merge.at = field_among(&mut merge.files);
    }
    let inputs = inputs_of(&merge.files)?;
    let edits = merge.in_place || merge.patch.is_some();
    if edits {
        let mut reading = merge.reading;
        let sets = std::mem::take(&mut reading.layering.sets.0).iter().map(assigned).collect::<Result<Vec<_>, _>>()?;
        if sets.is_empty() {
            return Err("`--in-place` and `--patch` write the values of `--set PATH=VALUE`, and there is none".into());
        }
        return Ok(request_of(inputs, reading, Action::Edit { sets, layers: merge.layers }));
    }
    let (mut format, mut explain) = (Format::Json, None);
    match (merge.explain, merge.format.as_deref()) {
        (true, None) => explain = Some(Medium::Text),
        (true, Some(name)) => {
            explain = Some(Medium::from_name(name).ok_or("with `--explain`, the formats are text, json and html")?);
        }
        (false, None) => {}
        (false, Some(name)) => {
            format = Format::from_name(name).ok_or_else(|| faults::unknown_format(name))?;
        }
    }
    let action = Action::Merge { at: merge.at, layers: merge.layers, format, explain };
    let mut request = request_of(inputs, merge.reading, action);
    request.options.keep_order = merge.keep_order;
    Ok(request)
}

/// Returns an assignment to be written to a file, as `path=value`.
fn assigned(set: &SetOption) -> Result<String, String> {
    match set.kind {
        SetKind::Literal | SetKind::Json => Ok(set.text.clone()),
        // a text that looks like another value is quoted as JSON
        SetKind::Text => match set.text.split_once('=') {
            Some((path, text)) => Ok(format!("{path}={}", cfg_core::serde_json::Value::from(text))),
            None => Ok(set.text.clone()),
        },
        SetKind::File => Err("`--set-file` cannot be written to a file: use `--set`".into()),
    }
}

fn steps_request(steps: Steps) -> Result<Request, Fault> {
    let Steps { files, text, at, all, most, layers, types, format: medium, reading } = steps;
    let mut inputs = inputs_of(&files)?;
    inputs.extend(text.map(expression));
    Ok(request_of(inputs, reading, Action::Steps { at, all, most, layers, types, medium }))
}

fn request_of(inputs: Vec<Input>, reading: Reading, action: Action) -> Request {
    Request {
        inputs,
        dialect: reading.dialect,
        import_paths: reading.import_paths,
        contracts: reading.contracts,
        overrides: reading.overrides,
        layering: Layering {
            stacked: false,
            sets: reading.layering.sets.0,
            env: reading.layering.env,
            lists: reading.layering.lists,
            schemas: reading.layering.schemas,
        },
        options: options(reading.inputs),
        action,
    }
}

fn options(inputs: ProgramInputs) -> ProgramOptions {
    let externals = externals(&inputs);
    ProgramOptions {
        libraries: inputs.libraries,
        externals,
        max_stack: inputs.max_stack,
        newest_syntax: inputs.syntax.as_deref() == Some("2026"),
        kinds: inputs.kinds,
        reveal: inputs.reveal,
        ..ProgramOptions::default()
    }
}

/// Returns the external variables and top-level arguments that the options define.
pub fn externals(options: &ProgramInputs) -> Vec<ExternalOption> {
    let mut externals = Vec::new();
    for (option, target, content) in EXTERNAL_OPTIONS {
        let texts = match option {
            "ext-str" => &options.ext_str,
            "ext-code" => &options.ext_code,
            "ext-str-file" => &options.ext_str_file,
            "ext-code-file" => &options.ext_code_file,
            "tla-str" => &options.tla_str,
            "tla-code" => &options.tla_code,
            "tla-str-file" => &options.tla_str_file,
            _ => &options.tla_code_file,
        };
        externals.extend(texts.iter().map(|text| ExternalOption { target, content, text: text.clone() }));
    }
    externals
}

/// Returns the fault of `cfg eval A B`.
fn several(count: usize) -> Fault {
    let fault = Fault::new(format!("`cfg eval` evaluates one program, and there are {count} files"));
    match Call::of_process() {
        Some(call) => {
            fault.help(format!("to merge them, later files over earlier ones: {}", call.extended(&["--layers"])))
        }
        None => fault,
    }
}

fn expression(text: String) -> Input {
    Input::Text { name: "<expression>".into(), text: text.into_bytes() }
}

/// Reads files. Fails with all faults.
fn inputs_of(files: &[PathBuf]) -> Result<Vec<Input>, Fault> {
    diff::read_once(files.iter().filter_map(|file| file.to_str()))?;
    let (mut inputs, mut faults) = (Vec::new(), Vec::new());
    for path in files {
        match file(path) {
            Ok(input) => inputs.push(input),
            Err(fault) => faults.push(fault),
        }
    }
    // one report for a word that is the reason of several
    faults.dedup();
    Fault::join(faults).map_or(Ok(inputs), Err)
}

/// Reads a file, or standard input for `-`. A missing file is an error in the command line and is reported before
/// anything runs.
pub fn file(path: &Path) -> Result<Input, Fault> {
    if path == Path::new("-") {
        let mut text = Vec::new();
        let read = io::stdin().lock().read_to_end(&mut text);
        read.map_err(|error| format!("standard input cannot be read: {}", reason(&error)))?;
        let name = "<stdin>".into();
        return Ok(Input::Text { name, text });
    }
    if let Some(stack) = path.to_str().and_then(|path| path.strip_prefix('@'))
        && !path.exists()
    {
        readable(Path::new(stack))?;
        return Ok(Input::Stack(PathBuf::from(stack)));
    }
    readable(path)?;
    Ok(Input::File(path.to_path_buf()))
}

/// Checks that a file exists and can be opened; returns the reason if not.
pub fn readable(path: &Path) -> Result<(), Fault> {
    let shown = path.display();
    if path.as_os_str().is_empty() {
        return Err("the name of a file is empty".into());
    }
    let advised = |why: String, about: fn(&Call, &str) -> Vec<String>| {
        let help = Call::of_process().map(|call| about(&call, &path.to_string_lossy())).unwrap_or_default();
        Fault { why, help }
    };
    let meta = std::fs::metadata(path).map_err(|error| {
        let of_words = |call: Call| call.typographic_dash().or_else(|| call.program_in_words());
        if let Some(fault) = Call::of_process().and_then(of_words) {
            return fault;
        }
        let is_pattern = error.kind() == io::ErrorKind::NotFound && is_pattern(&path.to_string_lossy());
        let why = match is_pattern {
            true => format!("no file matches `{shown}`"),
            false => format!("{shown}: {}", reason(&error)),
        };
        if error.kind() == io::ErrorKind::NotFound { advised(why, Call::about_missing) } else { why.into() }
    })?;
    if meta.is_dir() {
        return Err(advised(format!("{shown}: is a folder"), Call::about_folder));
    }
    // Opening a pipe would consume it or wait for its writer, so only regular files are tried.
    if meta.is_file() {
        std::fs::File::open(path).map_err(|error| format!("{shown}: {}", reason(&error)))?;
    }
    Ok(())
}

/// Returns the text of a system error without its number.
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::IsADirectory => "it is a folder".into(),
        io::ErrorKind::NotADirectory => "a part of its path is not a folder".into(),
        io::ErrorKind::AlreadyExists => "it exists, and is not a folder".into(),
        // without the number of the system
        _ => {
            let text = error.to_string();
            text.split(" (os error").next().unwrap_or_default().to_string()
        }
    }
}

/// Returns the `:load` commands for the files of `cfg repl`.
pub fn loads(files: &[PathBuf]) -> Result<Vec<String>, Fault> {
    let load = |file: &PathBuf| {
        readable(file)?;
        Ok(format!(":load {}", file.display()))
    };
    files.iter().map(load).collect()
}
