//! Functions that read the machine: `os`, `sys`, `world`, `value`, `deploy`, `local` and some of Go's. A program
//! that calls one needs its value as a declared input. The functions of these modules that only compute need no input.

use super::args::{Answer, input, of_int, of_text, pure, text};
use super::table::{Form, Function, Module, Refused};
use crate::infer::PartialCall;
use crate::value::{Call, Fault, Machine, Thunk, Value};

/// The module `os`.
pub static OS: Module = Module {
    path: "os",
    doc: "The operating system.",
    functions: &[
        input!("os", "args", "func() []str", "Returns the arguments of the command."),
        input!("os", "expand_home", "func(path str) str", "Replaces `~` by the path of the home folder."),
        input!(
            "os",
            "family",
            "func() str",
            "Returns the family of the distribution: `debian`, `redhat`, `archlinux`."
        ),
        input!(
            "os",
            "is_family_archlinux",
            "func() bool",
            "Returns whether the distribution is of the family of Arch Linux."
        ),
        input!("os", "is_family_debian", "func() bool", "Returns whether the distribution is of the family of Debian."),
        input!(
            "os",
            "is_family_redhat",
            "func() bool",
            "Returns whether the distribution is of the family of Red Hat."
        ),
        pure(
            "parse_distro_uid",
            "func(uid str) struct{distro str; version str; arch str}",
            "Splits the name of a distribution: `fedora39-x86_64`.",
            parse_distro_uid,
        ),
        input!(
            "os",
            "readfile",
            "func(path str) str",
            "Returns the contents of a file. It is an event: the value changes with the file.",
        ),
        input!("os", "system", "func(command str) str", "Returns what a command prints."),
    ],
};

/// The module `sys`.
pub static SYS: Module = Module {
    path: "sys",
    doc: "The machine.",
    functions: &[
        input!("sys", "cpu_count", "func() int", "Returns the number of processors."),
        input!(
            "sys",
            "defaultenv",
            "func(name str, default str) str",
            "Returns an environment variable, or else the default."
        ),
        input!("sys", "env", "func() map{str: str}", "Returns the environment variables."),
        input!("sys", "getenv", "func(name str) str", "Returns an environment variable, or else an empty string."),
        input!("sys", "hasenv", "func(name str) bool", "Returns whether an environment variable is set."),
        input!("sys", "hostname", "func() str", "Returns the name of the machine."),
        input!(
            "sys",
            "load",
            "func() struct{x1 float; x5 float; x15 float}",
            "Returns the load of the last 1, 5 and 15 minutes.",
        ),
        input!("sys", "uptime", "func() int", "Returns the seconds since the machine was started."),
    ],
};

/// The module `world`.
pub static WORLD: Module = Module {
    path: "world",
    doc: "Values that the machines of a cluster share.",
    functions: &[
        input!(
            "world",
            "exchange",
            "func(namespace str, value str) map{str: str}",
            "Shares a value, and returns the values of all machines by their names.",
        ),
        input!("world", "getval", "func(key str) struct{value str; exists bool}", "Returns a shared value."),
        input!(
            "world",
            "kvlookup",
            "func(namespace str) map{str: str}",
            "Returns the values of all machines by their names."
        ),
        Function {
            name: "schedule",
            signature: "func(namespace str) []str",
            doc: "Returns the machines that a scheduler chose. A second argument is a struct with options.",
            form: Form::Infer(scheduled),
            run: schedule,
        },
    ],
};

/// The module `value`.
pub static VALUE: Module = Module {
    path: "value",
    doc: "Values that resources of the kind `value` hold.",
    functions: &[
        input!(
            "value",
            "get",
            "func(key str) struct{value ?1; ready bool}",
            "Returns the value of a resource of the kind `value`.",
        ),
        input!(
            "value",
            "get_bool",
            "func(key str) struct{value bool; ready bool}",
            "Returns the bool of a resource of the kind `value`.",
        ),
        input!(
            "value",
            "get_float",
            "func(key str) struct{value float; ready bool}",
            "Returns the float of a resource of the kind `value`.",
        ),
        input!(
            "value",
            "get_int",
            "func(key str) struct{value int; ready bool}",
            "Returns the int of a resource of the kind `value`.",
        ),
        input!(
            "value",
            "get_str",
            "func(key str) struct{value str; ready bool}",
            "Returns the str of a resource of the kind `value`.",
        ),
    ],
};

/// The module `deploy`.
pub static DEPLOY: Module = Module {
    path: "deploy",
    doc: "The files that are deployed with a program.",
    functions: &[
        input!("deploy", "abspath", "func(path str) str", "Returns the absolute path of a deployed file."),
        input!("deploy", "binary_path", "func() str", "Returns the path of the program that runs."),
        input!(
            "deploy",
            "bootstrap_packages",
            "func(distro str) []str",
            "Returns the packages that a distribution needs."
        ),
        input!("deploy", "readfile", "func(path str) str", "Returns the contents of a deployed file of the module."),
        input!(
            "deploy",
            "readfileabs",
            "func(path str) str",
            "Returns the contents of a deployed file, by its absolute path."
        ),
    ],
};

/// The module `local`.
pub static LOCAL: Module = Module {
    path: "local",
    doc: "Values that are kept on the machine.",
    functions: &[
        input!("local", "pool", "func(namespace str, uid str) int", "Returns a number that stays the same for a name."),
        input!("local", "vardir", "func(path str) str", "Returns the path of a folder for data of the program."),
    ],
};

/// The module `example`.
pub static EXAMPLE: Module = Module {
    path: "example",
    doc: "Examples of functions.",
    functions: &[
        pure("answer", "func() int", "Returns 42.", |_, _, _| Ok(of_int(42))),
        pure("errorbool", "func(fails bool) str", "Fails if the argument is true.", errorbool),
        input!("example", "flipflop", "func() bool", "Returns a bool that changes every few seconds."),
        pure("int2str", "func(a int) str", "Returns the digits of an int.", super::convert::int_to_str),
        pure("plus", "func(y str, z str) str", "Joins two strings.", |m, a, c| {
            let joined = text(m, a, 0, c)?.concat(&text(m, a, 1, c)?);
            m.charge(joined.len())?;
            Ok(Value::String(joined))
        }),
        pure("str2int", "func(a str) int", "Reads an int; 0 if the text is not one.", |m, a, c| {
            Ok(of_int(text(m, a, 0, c)?.as_str().parse().unwrap_or(0)))
        }),
        input!(
            "example",
            "vumeter",
            "func(symbol str, multiplier int, peak float) str",
            "Draws the loudness of the microphone."
        ),
    ],
};

/// The module `golang/os`.
pub static GO_OS: Module = Module {
    path: "golang/os",
    doc: "The functions of Go's package `os`. They read the machine.",
    functions: &[
        input!("golang/os", "executable", "func() str", "Returns the path of the program that runs."),
        input!("golang/os", "expand_env", "func(s str) str", "Replaces `$NAME` by environment variables."),
        input!("golang/os", "getegid", "func() int", "Returns the effective group."),
        input!(
            "golang/os",
            "getenv",
            "func(name str) str",
            "Returns an environment variable, or else an empty string."
        ),
        input!("golang/os", "geteuid", "func() int", "Returns the effective user."),
        input!("golang/os", "getgid", "func() int", "Returns the group."),
        input!("golang/os", "getpagesize", "func() int", "Returns the size of a page of memory, in bytes."),
        input!("golang/os", "getpid", "func() int", "Returns the id of the process."),
        input!("golang/os", "getppid", "func() int", "Returns the id of the parent process."),
        input!("golang/os", "getuid", "func() int", "Returns the user."),
        input!(
            "golang/os",
            "mkdir_temp",
            "func(dir str, pattern str) str",
            "Makes a temporary folder and returns its path."
        ),
        input!("golang/os", "read_file", "func(path str) str", "Returns the contents of a file."),
        input!("golang/os", "readlink", "func(path str) str", "Returns the target of a symbolic link."),
        input!("golang/os", "temp_dir", "func() str", "Returns the folder of temporary files."),
        input!("golang/os", "user_cache_dir", "func() str", "Returns the folder of the user's caches."),
        input!("golang/os", "user_config_dir", "func() str", "Returns the folder of the user's configuration."),
        input!("golang/os", "user_home_dir", "func() str", "Returns the user's home folder."),
    ],
};

/// The module `golang/math/rand`.
pub static GO_RAND: Module = Module {
    path: "golang/math/rand",
    doc: "The functions of Go's package `math/rand`. Random numbers come from outside.",
    functions: &[
        input!("golang/math/rand", "exp_float_64", "func() float", "Returns a number of the exponential distribution."),
        input!("golang/math/rand", "float_64", "func() float", "Returns a number from 0 up to 1."),
        input!("golang/math/rand", "int_63", "func() int", "Returns an int that is not negative."),
        input!("golang/math/rand", "int_63_n", "func(n int) int", "Returns an int from 0 up to `n`."),
        input!("golang/math/rand", "intn", "func(n int) int", "Returns an int from 0 up to `n`."),
        input!("golang/math/rand", "norm_float_64", "func() float", "Returns a number of the normal distribution."),
    ],
};

/// The module `golang/runtime`.
pub static GO_RUNTIME: Module = Module {
    path: "golang/runtime",
    doc: "The functions of Go's package `runtime`. They describe a process of Go, so their values come from outside.",
    functions: &[
        input!("golang/runtime", "cpu_profile", "func() str", "Returns a profile."),
        input!("golang/runtime", "gomaxprocs", "func(n int) int", "Returns the number of threads."),
        input!("golang/runtime", "goroot", "func() str", "Returns the folder of Go."),
        input!("golang/runtime", "num_cgo_call", "func() int", "Returns the number of calls of C."),
        input!("golang/runtime", "num_cpu", "func() int", "Returns the number of processors."),
        input!("golang/runtime", "num_goroutine", "func() int", "Returns the number of goroutines."),
        input!("golang/runtime", "read_trace", "func() str", "Returns a trace."),
        input!(
            "golang/runtime",
            "set_mutex_profile_fraction",
            "func(rate int) int",
            "Returns the rate of profiles of locks."
        ),
        input!(
            "golang/runtime",
            "stack",
            "func(buffer str, all bool) int",
            "Returns the size of a trace of the stack."
        ),
        input!("golang/runtime", "version", "func() str", "Returns the version of Go."),
    ],
};

fn scheduled(call: &PartialCall) -> Result<String, Refused> {
    match call.types.len() {
        1 => Ok(String::from("func(namespace str) []str")),
        2 => Ok(String::from("func(namespace str, options ?1) []str")),
        count => Err(Refused::Message(format!("`schedule` has 1 argument, or 2 with options; found {count}"))),
    }
}

fn schedule(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    super::input(machine, "world.schedule", args, call)
}

/// Splits `fedora39-x86_64` into the distribution, its version and the architecture.
fn parse_distro_uid(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let uid = text(machine, args, 0, call)?;
    let parsed = uid.as_str().split_once('-').and_then(|(release, arch)| {
        let digits = release.find(|c: char| c.is_ascii_digit())?;
        let (distro, version) = release.split_at(digits);
        (!distro.is_empty() && !arch.is_empty()).then_some([("distro", distro), ("version", version), ("arch", arch)])
    });
    let fields =
        parsed.ok_or_else(|| -> Fault { call.fault(format!("{:?} is not like `fedora39-x86_64`", uid.as_str())) })?;
    Ok(Value::record(
        fields.map(|(name, value)| (crate::text::Name::new_static(name), Thunk::done(Value::string(value)))),
    ))
}

fn errorbool(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    match machine.bool(args, 0, call)? {
        true => Err(call.fault("the argument is true")),
        false => of_text(machine, "set input to true to generate an error"),
    }
}
