//! Programs from Debian and Ubuntu for the tests that need them. If the machine does not have a program, it is unpacked
//! below the target directory.
//!
//! Nothing is installed on the machine, and nothing needs root. apt keeps its lists and archives below the target
//! directory, and `dpkg-deb` unpacks the fetched archives.

use crate::needs::{Test, on_path, once, target};
use crate::pins::{CHROMIUM, Program};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;

/// An executable program.
#[derive(Debug)]
pub struct Found {
    program: PathBuf,
    /// The folder with its unpacked packages. `None` for a program of the machine.
    unpacked: Option<PathBuf>,
}

/// Returns a program of the machine or, without one, from packages unpacked below the target directory.
///
/// # Panics
/// If the machine does not have the program and its packages cannot be unpacked.
pub fn find(test: Test, program: &Program) -> Found {
    if let Some(program) = on_path(&[program.name]) {
        return Found { program, unpacked: None };
    }
    let install = format!("`apt-get install {}`", program.packages.join(" "));
    let apt = (on_path(&["apt-get"]), on_path(&["dpkg-deb"]));
    let (Some(apt), Some(dpkg)) = apt else {
        test.lacks(&format!("there is no `{}`, and no apt and dpkg to fetch and unpack it", program.name), &install)
    };
    let folder = target().join("debian").join(program.name);
    once(&folder, &program.packages.join(" "), || fetch(test, program, &apt, &dpkg, &folder, &install));
    let places = ["usr/bin", "bin"].map(|bin| folder.join(bin).join(program.name));
    match places.into_iter().find(|place| place.is_file()) {
        Some(place) => Found { program: place, unpacked: Some(folder) },
        None => test.lacks(&format!("the packages {:?} have no `{}`", program.packages, program.name), &install),
    }
}

/// Fetches the packages of a program, and the dependencies that the machine lacks. Unpacks them in a folder.
fn fetch(test: Test, program: &Program, apt: &Path, dpkg: &Path, folder: &Path, install: &str) {
    let state = target().join("debian").join("apt");
    let archives = folder.join("archives");
    for needed in [state.join("lists/partial"), archives.join("partial")] {
        std::fs::create_dir_all(needed).expect("the target directory can be written");
    }
    let configuration = folder.join("apt.conf");
    // the machine's hooks apply only to packages that are installed on it
    let text = format!(
        "#clear APT::Update::Pre-Invoke;\n#clear APT::Update::Post-Invoke;\n#clear APT::Update::Post-Invoke-Success;\n\
         #clear DPkg::Pre-Invoke;\n#clear DPkg::Post-Invoke;\n#clear DPkg::Pre-Install-Pkgs;\n\
         Dir::State \"{state}\";\nDir::State::Lists \"{state}/lists\";\nDir::State::status \"/var/lib/dpkg/status\";\n\
         Dir::Cache \"{state}\";\nDir::Cache::Archives \"{archives}\";\nDir::Cache::pkgcache \"\";\nDir::Cache::srcpkgcache \"\";\n\
         Dir::Log \"{state}\";\nDebug::NoLocking \"true\";\nAPT::Sandbox::User \"\";\nAcquire::Languages \"none\";\n",
        state = state.display(),
        archives = archives.display(),
    );
    std::fs::write(&configuration, text).expect("the target directory can be written");
    let apt = |args: &[&str]| {
        let mut apt = Command::new(apt);
        apt.arg("-c").arg(&configuration).args(["-q", "-y"]).args(args).env("LC_ALL", "C.UTF-8");
        test.run(apt, install);
    };
    static UPDATED: Once = Once::new();
    UPDATED.call_once(|| apt(&["update"]));
    // a package that is installed, but whose program is not found, is fetched too
    apt(&[&["install", "--download-only", "--no-install-recommends", "--reinstall"], program.packages].concat());
    let fetched = std::fs::read_dir(&archives).expect("the archives");
    let mut packages: Vec<PathBuf> = fetched.flatten().map(|entry| entry.path()).collect();
    packages.retain(|path| path.extension().is_some_and(|extension| extension == "deb"));
    packages.sort();
    for package in packages {
        let mut unpack = Command::new(dpkg);
        unpack.arg("-x").arg(&package).arg(folder);
        test.run(unpack, install);
    }
}

impl Found {
    /// Returns a command that runs the program with its unpacked files.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.env("MANWIDTH", "80").env("LC_ALL", "C.UTF-8");
        let Some(root) = &self.unpacked else { return command };
        let bin = root.join("usr/bin");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut path = vec![bin.clone(), root.join("bin")].into_iter().chain(std::env::split_paths(&path));
        command.env("PATH", joined(&mut path));
        let mut libraries = self.below("usr/lib").into_iter().chain(self.below("lib"));
        command.env("LD_LIBRARY_PATH", joined(&mut libraries));
        // `nroff` puts this before `PATH`
        command.env("GROFF_BIN_PATH", bin);
        for (variable, name) in [("GROFF_FONT_PATH", "font"), ("GROFF_TMAC_PATH", "tmac")] {
            let folders = self.below("usr/share/groff").into_iter().filter(|folder| folder.ends_with(name));
            command.env(variable, joined(&mut folders.into_iter()));
        }
        command
    }

    /// Returns a folder that was unpacked with the program, and all folders in it. Empty for a program of the machine.
    pub fn below(&self, folder: &str) -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> =
            self.unpacked.iter().map(|root| root.join(folder)).filter(|f| f.is_dir()).collect();
        let mut next = 0;
        while let Some(folder) = found.get(next) {
            let inside = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
            let mut inside: Vec<PathBuf> = inside.filter(|path| path.is_dir() && !path.is_symlink()).collect();
            inside.sort();
            found.extend(inside);
            next += 1;
        }
        found
    }
}

/// Returns an executable that starts Chromium: that of the machine or, without one, Debian's, unpacked below the target
/// directory.
///
/// # Panics
/// If the machine has no Chromium and its packages cannot be unpacked.
pub fn chromium(test: Test) -> PathBuf {
    if let Some(found) = on_path(&["chromium", "chromium-browser", "google-chrome"]) {
        return found;
    }
    let found = find(test, &CHROMIUM);
    let Some(root) = &found.unpacked else { return found.program };
    // The script in the package searches below `/usr`.
    let fonts = root.join("fonts.conf");
    let cache = root.join("fonts-cache");
    let text = format!(
        "<fontconfig><dir>{}</dir><cachedir>{}</cachedir></fontconfig>\n",
        root.join("usr/share/fonts").display(),
        cache.display(),
    );
    std::fs::write(&fonts, text).expect("the target directory can be written");
    let mut libraries = found.below("usr/lib").into_iter().chain(found.below("lib"));
    let script = format!(
        "#!/bin/sh\nexport LD_LIBRARY_PATH='{}' FONTCONFIG_FILE='{}'\nexec '{}' \"$@\"\n",
        joined(&mut libraries).to_string_lossy(),
        fonts.display(),
        root.join("usr/lib/chromium/chromium").display(),
    );
    let start = root.join("start");
    std::fs::write(&start, script).expect("the target directory can be written");
    let mut executable = Command::new("chmod");
    executable.arg("+x").arg(&start);
    test.run(executable, "`apt-get install coreutils`");
    start
}

fn joined(folders: &mut dyn Iterator<Item = PathBuf>) -> OsString {
    std::env::join_paths(folders).expect("no folder of the target directory has a colon in its name")
}
