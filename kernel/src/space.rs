//! The address space that `ulimit -v` allows. Each thread of the kernel takes its stack and a segment of the allocator of it, and a request
//! for memory that the system refuses ends the process.

/// Least address space in which the kernel starts, in bytes.
const LEAST: u64 = 1280 << 20;
/// Address space from which the threads of sessions have large stacks, in bytes.
const AMPLE: u64 = 4 << 30;

/// Returns the limit of the address space, in bytes; `None` without a limit.
#[cfg(unix)]
fn limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::As).current
}

#[cfg(not(unix))]
fn limit() -> Option<u64> {
    None
}

/// Whether there is room for large stacks.
pub fn is_ample() -> bool {
    limit().is_none_or(|bytes| bytes >= AMPLE)
}

/// Fails if the kernel cannot start in the address space that it has.
pub fn check() -> Result<(), String> {
    check_limit(limit())
}

fn check_limit(limit: Option<u64>) -> Result<(), String> {
    match limit.filter(|bytes| *bytes < LEAST) {
        Some(bytes) => {
            let (has, needs) = (bytes >> 20, LEAST >> 20);
            Err(format!(
                "the kernel needs {needs} MB of address space, but `ulimit -v` allows {has} MB: raise the limit"
            ))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{LEAST, check_limit};

    /// `ulimit -v` of 200 MB → a message with both sizes; the least limit, or none → the kernel starts.
    #[test]
    fn a_limit_that_is_too_low_is_said() {
        let said = check_limit(Some(200 << 20)).unwrap_err();
        assert_eq!(said, "the kernel needs 1280 MB of address space, but `ulimit -v` allows 200 MB: raise the limit");
        assert_eq!((check_limit(Some(LEAST)), check_limit(None)), (Ok(()), Ok(())));
    }
}
