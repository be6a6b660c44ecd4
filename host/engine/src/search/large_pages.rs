//! Memory for large tables.

/// Asks the system for large pages: almost every look into the table would else miss the cache of addresses too, and
/// even a prefetch waits for that. Memory is as good without.
pub fn ask_for_large_pages<T>(memory: &mut [T]) {
    #[cfg(target_os = "linux")]
    {
        use nix::sys::mman::{madvise, MmapAdvise};
        const PAGE: usize = 4096;
        let begin = (memory.as_mut_ptr() as usize).next_multiple_of(PAGE);
        let end = memory.as_mut_ptr_range().end as usize / PAGE * PAGE;
        if let Some(address) = std::ptr::NonNull::new(begin as *mut std::ffi::c_void).filter(|_| begin < end) {
            // SAFETY: whole pages of memory that is borrowed for writing; the advice changes none of it.
            let _ = unsafe { madvise(address, end - begin, MmapAdvise::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}
