//! Whether this processor has the instructions that the program was compiled for.

/// Bits of register EBX of CPUID's leaf 7, with the names of their features.
#[cfg(any(test, all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2")))]
const REQUIRED: [(u32, &str); 3] = [(1 << 3, "BMI1"), (1 << 5, "AVX2"), (1 << 8, "BMI2")];

/// Says what the processor lacks, and how to compile the program for it. Without this a processor older than Haswell would end
/// the program with an illegal instruction.
///
/// # Errors
/// The processor lacks an instruction set.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2"))]
pub fn check() -> Result<(), String> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    // The standard library's own test is a constant for features that the program is compiled for.
    let ebx = if __cpuid(0).eax >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
    missing(ebx).map_or(Ok(()), Err)
}

/// The program is compiled for every processor of this architecture.
///
/// # Errors
/// None.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2")))]
pub fn check() -> Result<(), String> {
    Ok(())
}

#[cfg(any(test, all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2")))]
fn missing(ebx: u32) -> Option<String> {
    let names: Vec<&str> = REQUIRED.iter().filter(|(bit, _)| ebx & bit == 0).map(|(_, name)| *name).collect();
    (!names.is_empty()).then(|| {
        format!(
            "this processor lacks {}, which the program was compiled for; hint: `RUSTFLAGS=\"-C target-cpu=x86-64-v2\" cargo \
             build --release` compiles it for older processors",
            names.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_instructions_are_named() {
        assert_eq!(missing(u32::MAX), None);
        let text = missing(1 << 3).unwrap();
        assert!(text.contains("lacks AVX2, BMI2,") && text.contains("hint"), "{text}");
        assert_eq!(check(), Ok(()));
    }
}
