//! Child processes in a group of their own, so that Ctrl-C on the terminal reaches this program only, which then ends the
//! child and everything that the child has started.

use std::process::{Child, Command};

/// Makes the command start in a process group of its own.
pub fn separate(command: &mut Command) -> &mut Command {
    system::separate(command)
}

/// Asks the processes of the child's group to end. On Windows nothing is asked: [`kill`] ends them.
pub fn terminate(child: &Child) {
    system::terminate(child);
}

/// Ends the processes of the child's group that are still running.
pub fn kill(child: &mut Child) {
    system::kill(child);
}

#[cfg(unix)]
mod system {
    use nix::{
        sys::signal::{killpg, Signal},
        unistd::Pid,
    };
    use std::{
        os::unix::process::CommandExt,
        process::{Child, Command},
    };

    pub fn separate(command: &mut Command) -> &mut Command {
        command.process_group(0)
    }

    pub fn terminate(child: &Child) {
        signal(child, Signal::SIGTERM);
    }

    pub fn kill(child: &mut Child) {
        signal(child, Signal::SIGKILL);
    }

    /// The group has the number of the child that leads it. It may have ended already.
    fn signal(child: &Child, signal: Signal) {
        if let Ok(group) = i32::try_from(child.id()) {
            let _ = killpg(Pid::from_raw(group), signal);
        }
    }
}

#[cfg(windows)]
mod system {
    use std::{
        os::windows::process::CommandExt,
        process::{Child, Command, Stdio},
    };

    /// `CREATE_NEW_PROCESS_GROUP` (Win32, process creation flags).
    const NEW_GROUP: u32 = 0x200;

    pub fn separate(command: &mut Command) -> &mut Command {
        command.creation_flags(NEW_GROUP)
    }

    pub fn terminate(_: &Child) {}

    /// `taskkill /T` ends the child with its descendants.
    pub fn kill(child: &mut Child) {
        let pid = child.id().to_string();
        let _ = Command::new("taskkill")
            .args(["/F", "/T", "/PID", &pid])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let _ = child.kill();
    }
}
