"""The build backend of the package: packs an existing `cfg` of the same version, or builds one with Cargo.

    pip install ./kernel/python                 a `cfg` of this version on the path, else a build
    CFG_BIN=PATH pip install ./kernel/python    this binary
    CFG_BUILD=1 pip install ./kernel/python     always a build

A build shows Cargo's progress on the terminal, has no link-time optimisation, and leaves out `cfg attach`, which the kernel does not
need. `--config-settings=build-args="--features attach"` adds arguments for Cargo. Wheels for a release are made by maturin.
"""

import base64
import hashlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent
EXE = ".exe" if os.name == "nt" else ""
NAME = "cfg_kernel"


def version():
    text = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    return re.search(r'^version = "(.*)"', text, re.M)[1]


def existing():
    """Returns the binary to pack. `None` if one must be built."""
    named = os.environ.get("CFG_BIN")
    if os.environ.get("CFG_BUILD") and not named:
        return None
    found = named or shutil.which("cfg")
    if not found:
        return None
    try:
        said = subprocess.run([found, "--version"], capture_output=True, text=True, timeout=60).stdout.strip()
    except (OSError, subprocess.TimeoutExpired) as error:
        said = str(error)
    if said == f"cfg {version()}":
        return Path(found)
    if named:
        sys.exit(f"CFG_BIN: expected `cfg {version()}`, found `{said}` from `{found}`")
    return None


def terminal():
    """Returns the terminal, since pip hides what a build prints. `None` without one."""
    try:
        return open("CONOUT$" if os.name == "nt" else "/dev/tty", "w")
    except OSError:
        return None


def built(config_settings):
    """Builds the binary with Cargo."""
    if not shutil.which("cargo"):
        sys.exit("this needs Rust 1.95 or later (https://rustup.rs), or a binary: CFG_BIN=PATH pip install ./kernel/python")
    arguments = (config_settings or {}).get("build-args", "")
    arguments = shlex.split(arguments if isinstance(arguments, str) else " ".join(arguments))
    profile = "release"
    if "--profile" in arguments:
        profile = arguments[arguments.index("--profile") + 1]
    else:
        arguments += ["--release"]
    call = ["cargo", "build", "--locked", "--package", "cfg-repl", "--bin", "cfg", *arguments]
    if "--features" not in arguments and "--all-features" not in arguments and profile == "release":
        call.append("--no-default-features")
    shown = terminal()
    if shown:
        print(f"\nbuilding cfg {version()}: {' '.join(call)}", file=shown, flush=True)
    if subprocess.run(call, cwd=ROOT, stderr=shown).returncode:
        sys.exit("the build of cfg failed")
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return target / {"dev": "debug"}.get(profile, profile) / f"cfg{EXE}"


def project():
    text = (HERE / "pyproject.toml").read_text(encoding="utf-8")
    try:
        import tomllib
    except ModuleNotFoundError:
        import tomli as tomllib
    return tomllib.loads(text)["project"]


def metadata():
    told = project()
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {told['name']}",
        f"Version: {version()}",
        f"Summary: {told['description']}",
        f"License-Expression: {told['license']}",
        f"Requires-Python: {told['requires-python']}",
        *(f"Classifier: {each}" for each in told["classifiers"]),
        "Description-Content-Type: text/markdown",
        "",
        (HERE / told["readme"]).read_text(encoding="utf-8"),
    ]
    groups = told["entry-points"].items()
    points = [f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in each.items()) for group, each in groups]
    return "\n".join(lines), "\n".join(points)


def files(binary):
    """Returns the contents of the wheel by path, and its tag."""
    data, info = f"{NAME}-{version()}.data", f"{NAME}-{version()}.dist-info"
    tag = "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())
    out = {}
    for path in sorted((HERE / "src" / NAME).rglob("*.py")):
        out[path.relative_to(HERE / "src").as_posix()] = path.read_bytes()
    shared = HERE / "data" / "data"
    for path in sorted(path for path in shared.rglob("*") if path.is_file()):
        out[f"{data}/data/{path.relative_to(shared).as_posix()}"] = path.read_bytes()
    out[f"{data}/scripts/cfg{EXE}"] = binary.read_bytes()
    described, points = metadata()
    out[f"{info}/METADATA"] = described.encode()
    out[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: cfg\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    out[f"{info}/entry_points.txt"] = points.encode()
    record = ""
    for path, body in out.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(body).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(body)}\n"
    out[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    return out, tag


def get_requires_for_build_wheel(config_settings=None):
    return [] if sys.version_info >= (3, 11) else ["tomli"]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    binary = existing()
    print(f"packing {binary}" if binary else "building cfg", flush=True)
    contents, tag = files(binary or built(config_settings))
    wheel = f"{NAME}-{version()}-{tag}.whl"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as out:
        for path, body in contents.items():
            entry = zipfile.ZipInfo(path)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if "/scripts/" in path else 0o100644) << 16
            out.writestr(entry, body)
    (Path(wheel_directory) / wheel).write_bytes(buffer.getvalue())
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    sys.exit("the package is built from a checkout of the repository: it contains the binary `cfg`")
