//! Large pages for the memory of large tables.

/// Advises the system to use large pages. With small pages almost every access to a large table also misses the
/// translation look-aside buffer, which delays even a prefetch. Does nothing on other systems than Linux.
pub fn advise_large_pages<T>(memory: &mut [T]) {
    #[cfg(target_os = "linux")]
    {
        use nix::sys::mman::{madvise, MmapAdvise};
        const PAGE: usize = 4096;
        let begin = (memory.as_mut_ptr() as usize).next_multiple_of(PAGE);
        let end = memory.as_mut_ptr_range().end as usize / PAGE * PAGE;
        if let Some(address) = std::ptr::NonNull::new(begin as *mut std::ffi::c_void).filter(|_| begin < end) {
            // SAFETY: the range is whole pages within memory that is borrowed mutably; this advice does not change its content.
            let _ = unsafe { madvise(address, end - begin, MmapAdvise::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}
