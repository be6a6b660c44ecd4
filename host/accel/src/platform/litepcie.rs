//! A device file of LitePCIe's driver: reads, writes and its ioctls (litepcie 2024.12, `kernel/litepcie.h`).

use crate::transport::LitePcieDriver;
use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Write},
    os::{fd::AsRawFd, unix::fs::OpenOptionsExt},
};

/// `struct litepcie_ioctl_reg`.
#[repr(C)]
#[derive(Default)]
pub struct RegisterAccess {
    address: u32,
    value: u32,
    is_write: u8,
}

/// `struct litepcie_ioctl_dma_writer`, and `…_reader`.
#[repr(C)]
#[derive(Default)]
pub struct DmaState {
    enable: u8,
    hw_count: i64,
    sw_count: i64,
}

/// `struct litepcie_ioctl_lock`.
#[repr(C)]
#[derive(Default)]
pub struct Locks {
    reader_request: u8,
    writer_request: u8,
    reader_release: u8,
    writer_release: u8,
    reader_status: u8,
    writer_status: u8,
}

/// `struct litepcie_ioctl_mmap_dma_info`.
#[repr(C)]
#[derive(Default)]
pub struct BufferInfo {
    tx_offset: u64,
    tx_bytes: u64,
    tx_count: u64,
    rx_offset: u64,
    rx_bytes: u64,
    rx_count: u64,
}

nix::ioctl_readwrite!(access_register, b'S', 0, RegisterAccess);
nix::ioctl_readwrite!(set_writer, b'S', 21, DmaState);
nix::ioctl_readwrite!(set_reader, b'S', 22, DmaState);
nix::ioctl_read!(buffer_info, b'S', 24, BufferInfo);
nix::ioctl_readwrite!(change_locks, b'S', 25, Locks);

/// The file, as `/dev/litepcie0`.
pub(crate) struct LitePcieFile {
    file: File,
    /// The same without waiting. Writes that do not wait are refused by this driver while all buffers are free.
    reads: File,
}

impl LitePcieFile {
    pub(crate) fn open(path: &str) -> io::Result<LitePcieFile> {
        let open = |flags| OpenOptions::new().read(true).write(true).custom_flags(flags).open(path);
        Ok(LitePcieFile { file: open(0)?, reads: open(nix::libc::O_NONBLOCK)? })
    }

    fn access(&self, mut access: RegisterAccess) -> io::Result<u32> {
        // SAFETY: the file is open, and the driver reads and writes a structure of this layout.
        unsafe { access_register(self.file.as_raw_fd(), &mut access) }?;
        Ok(access.value)
    }
}

impl LitePcieDriver for LitePcieFile {
    fn read(&self, buffers: &mut [u8]) -> io::Result<usize> {
        (&self.reads).read(buffers)
    }

    fn write(&self, buffers: &[u8]) -> io::Result<usize> {
        (&self.file).write(buffers)
    }

    fn register(&self, address: u32) -> io::Result<u32> {
        self.access(RegisterAccess { address, ..Default::default() })
    }

    fn set_register(&self, address: u32, value: u32) -> io::Result<()> {
        self.access(RegisterAccess { address, value, is_write: 1 }).map(drop)
    }

    fn buffer_bytes(&self) -> io::Result<u64> {
        let mut info = BufferInfo::default();
        // SAFETY: as above.
        unsafe { buffer_info(self.file.as_raw_fd(), &mut info) }?;
        Ok(if info.tx_bytes == info.rx_bytes { info.rx_bytes } else { 0 })
    }

    fn lock(&self) -> io::Result<bool> {
        let mut locks = Locks { reader_request: 1, writer_request: 1, ..Default::default() };
        // SAFETY: as above.
        unsafe { change_locks(self.file.as_raw_fd(), &mut locks) }?;
        Ok(locks.reader_status == 1 && locks.writer_status == 1)
    }

    fn start(&self) -> io::Result<()> {
        let enabled = || DmaState { enable: 1, ..Default::default() };
        // SAFETY: as above.
        unsafe {
            set_writer(self.file.as_raw_fd(), &mut enabled())?;
            set_reader(self.file.as_raw_fd(), &mut enabled())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes and numbers of the C header, compiled for 64 bits.
    #[test]
    fn the_structures_are_those_of_the_header() {
        assert_eq!(size_of::<RegisterAccess>(), 12);
        assert_eq!(size_of::<DmaState>(), 24);
        assert_eq!(size_of::<Locks>(), 6);
        assert_eq!(size_of::<BufferInfo>(), 48);
        #[cfg(target_os = "linux")]
        {
            assert_eq!(nix::request_code_readwrite!(b'S', 0, size_of::<RegisterAccess>()), 0xC00C_5300);
            assert_eq!(nix::request_code_read!(b'S', 24, size_of::<BufferInfo>()), 0x8030_5318);
        }
    }

    #[test]
    fn another_file_is_refused() {
        let file = LitePcieFile::open("/dev/null").unwrap();
        assert!(file.buffer_bytes().is_err() && file.register(0).is_err() && file.lock().is_err());
    }
}
