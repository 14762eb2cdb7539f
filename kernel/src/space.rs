//! The address space that `ulimit -v` allows. Each thread of the kernel takes its stack and a segment of the allocator of it, and a request
//! for memory that the system refuses ends the process.

/// Least address space in which the kernel starts, in bytes.
const LEAST: u64 = 1280 << 20;
/// Part of the address space that the stack of a session's thread may take.
const STACK_PART: u64 = 64;
/// Least and greatest size of this stack, in bytes. Deep work takes further segments when it needs them.
const STACK: (u64, u64) = (4 << 20, 256 << 20);

/// Returns the limit of the address space, in bytes; `None` without a limit.
#[cfg(unix)]
pub fn limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::As).current
}

/// Returns the limit of the address space, in bytes; `None` without a limit.
#[cfg(not(unix))]
pub fn limit() -> Option<u64> {
    None
}

/// Returns whether the address space is limited.
pub fn is_limited() -> bool {
    limit().is_some()
}

/// Returns the stack size of a session's thread, in bytes. The system reserves it and commits it only when it is used.
pub fn session_stack() -> usize {
    stack_within(limit())
}

fn stack_within(limit: Option<u64>) -> usize {
    let (least, greatest) = STACK;
    let bytes = limit.map_or(greatest, |bytes| (bytes / STACK_PART).clamp(least, greatest));
    usize::try_from(bytes).unwrap_or(usize::MAX)
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
    use super::{LEAST, check_limit, stack_within};

    /// `ulimit -v` of 200 MB → a message with both sizes; the least limit, or none → the kernel starts.
    #[test]
    fn a_limit_that_is_too_low_is_said() {
        let said = check_limit(Some(200 << 20)).unwrap_err();
        assert_eq!(said, "the kernel needs 1280 MB of address space, but `ulimit -v` allows 200 MB: raise the limit");
        assert_eq!((check_limit(Some(LEAST)), check_limit(None)), (Ok(()), Ok(())));
    }

    /// The stack takes a small part of the address space.
    #[test]
    fn a_stack_leaves_room_for_values() {
        let stacks = [Some(200 << 20), Some(4 << 30), Some(64 << 30), None].map(stack_within);
        assert_eq!(stacks.map(|bytes| bytes >> 20), [4, 64, 256, 256]);
    }
}
