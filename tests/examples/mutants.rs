//! Plants faults in real Jsonnet programs and counts those that `cfg check` finds.
//!
//! `mutants CFG FOLDER MAIN COUNT SEED [OPTION…] -- FILE…` copies the folder, and plants faults in the files, one at a time. `CFG` is the
//! binary, `MAIN` the program that must evaluate, and the options are passed to `cfg`. All paths but that of the binary are relative to
//! the folder. Only faults with which the program fails to evaluate count. A fault is found if the check reports more than it does without
//! the fault.

use cfg_tests::generate::Rng;
use cfg_tests::mixins::faults;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs, io};

/// The lines of the reports of a check that name a problem and its place.
fn reports(text: &str) -> BTreeSet<String> {
    let mut lines = text.lines().peekable();
    let mut out = BTreeSet::new();
    while let Some(line) = lines.next() {
        if line.starts_with("error: ") || line.starts_with("warning: ") {
            out.insert(format!("{line}{}", lines.peek().copied().unwrap_or_default()));
        }
    }
    out
}

/// Copies a folder inside of `root`. Links into `root` stay links, so that a program which reads a file through one sees the fault.
fn copied(root: &Path, from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if let Ok(link) = fs::read_link(entry.path())
            && link.is_relative()
            && fs::canonicalize(entry.path()).is_ok_and(|path| path.starts_with(root))
        {
            std::os::unix::fs::symlink(link, target)?;
            continue;
        }
        match fs::metadata(entry.path()) {
            Ok(data) if data.is_dir() => copied(root, &entry.path(), &target)?,
            Ok(_) => drop(fs::copy(entry.path(), target)?),
            // a link to nowhere
            Err(_) => {}
        }
    }
    Ok(())
}

struct Project {
    cfg: PathBuf,
    folder: PathBuf,
    main: String,
    options: Vec<String>,
}

impl Project {
    /// Returns the exit code of a command and what it reports.
    fn run(&self, command: &[&str]) -> io::Result<(Option<i32>, String)> {
        let mut run = Command::new(&self.cfg);
        run.args(command).args(&self.options).arg(&self.main).current_dir(&self.folder);
        let output = run.output()?;
        Ok((output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned()))
    }
}

fn main() -> io::Result<ExitCode> {
    let args: Vec<String> = env::args().skip(1).collect();
    let split = args.iter().position(|arg| arg == "--").unwrap_or(args.len());
    let (Some([cfg, folder, main, count, seed, options @ ..]), Some([_, files @ ..])) =
        (args.get(..split), args.get(split..))
    else {
        eprintln!("usage: mutants CFG FOLDER MAIN COUNT SEED [OPTION…] -- FILE…");
        return Ok(ExitCode::from(2));
    };
    let (Ok(count), Ok(seed)) = (count.parse::<u64>(), seed.parse::<u64>()) else { return Ok(ExitCode::from(2)) };
    let copy = env::temp_dir().join(format!("cfg-mutants-{}", std::process::id()));
    let folder = fs::canonicalize(folder)?;
    copied(&folder, &folder, &copy)?;
    let project =
        Project { cfg: fs::canonicalize(cfg)?, folder: copy.clone(), main: main.clone(), options: options.to_vec() };
    let check = ["check", "--all"];
    let before = reports(&project.run(&check)?.1);
    if project.run(&["eval"])?.0 != Some(0) {
        eprintln!("{main} does not evaluate");
        return Ok(ExitCode::FAILURE);
    }
    let mut counts: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for seed in seed..seed + count {
        let r = &mut Rng::new(seed);
        let (kind, file) = (*r.pick(faults::KINDS), r.pick(files).clone());
        let path = project.folder.join(&file);
        let text = fs::read_to_string(&path)?;
        let Some(mutant) = faults::plant(&text, kind, r) else { continue };
        fs::write(&path, &mutant)?;
        let (code, failure) = project.run(&["eval"])?;
        let evaluated = code == Some(1) && !failure.contains("[syntax/") && !failure.contains("[scope/");
        if evaluated {
            let after = reports(&project.run(&check)?.1);
            let new: Vec<&String> = after.iter().filter(|report| !before.contains(*report)).collect();
            let error = new.iter().any(|report| report.starts_with("error: "));
            let row = counts.entry(kind).or_default();
            row[0] += 1;
            row[1] += usize::from(!new.is_empty());
            row[2] += usize::from(error);
            let found = if error {
                "error"
            } else if new.is_empty() {
                "silent"
            } else {
                "warning"
            };
            let at = text.bytes().zip(mutant.bytes()).take_while(|(a, b)| a == b).count();
            let line = text.get(..at).map_or(0, |before| before.lines().count());
            println!("{seed} {kind}: {found}: {file}:{line}: {}", failure.lines().next().unwrap_or_default());
        }
        fs::write(&path, &text)?;
    }
    let [all, reported, errors] =
        counts.values().fold([0; 3], |sum, row| [sum[0] + row[0], sum[1] + row[1], sum[2] + row[2]]);
    for (kind, [all, reported, errors]) in &counts {
        println!("{kind:15} {all:5} {reported:5} {errors:5}");
    }
    fs::remove_dir_all(copy)?;
    println!("{all} faults with which {main} fails: {reported} are reported, {errors} as errors");
    Ok(ExitCode::SUCCESS)
}
