//! Gives the crate the hash of its sources as `HAYASASHI_BUILD_ID`.

use std::{fs, path::Path};

fn visit(path: &Path, hash: &mut u64) {
    println!("cargo:rerun-if-changed={}", path.display());
    if path.is_dir() {
        let mut entries: Vec<_> = fs::read_dir(path).expect("readable folder").map(|e| e.unwrap().path()).collect();
        entries.sort();
        entries.iter().for_each(|e| visit(e, hash));
    } else {
        let name = path.to_string_lossy().replace('\\', "/");
        let text = fs::read_to_string(path).expect("UTF-8 source").replace('\r', "");
        for byte in name.bytes().chain(text.bytes()) {
            *hash = (*hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
}

fn main() {
    let mut hash = 0xCBF2_9CE4_8422_2325;
    visit(Path::new("spec/src"), &mut hash);
    visit(Path::new("src"), &mut hash);
    println!("cargo:rustc-env=HAYASASHI_BUILD_ID={:08x}", (hash >> 32) as u32 ^ hash as u32);
}
