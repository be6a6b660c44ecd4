//! A child process in a process group of its own: Ctrl-C at the terminal reaches only the parent.

use std::process::Command;

/// Starts the command's process in a new process group.
#[cfg(unix)]
pub fn separate(command: &mut Command) -> &mut Command {
    std::os::unix::process::CommandExt::process_group(command, 0)
}

/// Starts the command's process in a new process group.
#[cfg(windows)]
pub fn separate(command: &mut Command) -> &mut Command {
    /// `CREATE_NEW_PROCESS_GROUP` of the Windows API (processthreadsapi.h).
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;
    std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP)
}
