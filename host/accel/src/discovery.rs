//! The serial ports of this machine, on Linux found in sysfs, on other systems by the crate `serialport`; the baud rate of the
//! board on one of them; and the cards on PCIe.
//!
//! On Linux that crate reads USB ids only through libudev, whose headers a fresh machine lacks.

use crate::{
    transport::{is_litepcie, FROM_CARD, TO_CARD},
    AccelError, RemoteChip, SerialTransport, DEFAULT_BAUD, USUAL_BAUDS,
};
use serialport::{SerialPortInfo, SerialPortType};
use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Handshake timeout of a port, or of a rate, that may or may not have a board.
pub(crate) const PROBE_TIMEOUT: Duration = Duration::from_millis(400);

/// Vendor and product ids of USB bridges that the supported boards use.
pub const BOARD_USB_IDS: [(u16, u16); 4] = [(0x0403, 0x6015), (0x0403, 0x6010), (0x0403, 0x6001), (0x0403, 0x6014)];

/// A serial port of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SerialPort {
    /// Device file.
    pub path: PathBuf,
    /// USB vendor and product id, where the port is a USB device.
    pub usb: Option<(u16, u16)>,
    /// Product name of the USB device.
    pub product: Option<String>,
    /// FTDI's latency timer in milliseconds, where there is one.
    pub latency_ms: Option<u32>,
}

impl SerialPort {
    /// Whether its USB id is that of a supported board.
    pub fn may_be_board(&self) -> bool {
        self.usb.is_some_and(|ids| BOARD_USB_IDS.contains(&ids))
    }

    /// Advice for a slow latency timer.
    pub fn latency_hint(&self) -> Option<String> {
        let tty = self.path.file_name()?.to_str()?;
        self.latency_ms.filter(|ms| *ms > 2).map(|ms| {
            format!("its latency timer is {ms} ms; hint: `echo 1 | sudo tee /sys/class/tty/{tty}/device/latency_timer` speeds up single requests")
        })
    }
}

impl std::fmt::Display for SerialPort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some((vendor, product)) = self.usb {
            write!(f, " ({vendor:04x}:{product:04x}")?;
            if let Some(name) = &self.product {
                write!(f, " {name}")?;
            }
            write!(f, ")")?;
        }
        Ok(())
    }
}

/// Connects to the board on a port, at the first of [`USUAL_BAUDS`] at which it answers. Where none does, the first rate has
/// what remains of `timeout`, for a board that is slow to answer.
///
/// # Errors
/// The port cannot be opened, no board answers at any rate, or what answers is not a chip that this program knows.
pub(crate) fn connect_at_usual_bauds(path: &str, timeout: Duration) -> Result<RemoteChip, AccelError> {
    let start = Instant::now();
    let connect = |baud, timeout| RemoteChip::connect(SerialTransport::open(path, baud)?, timeout);
    let mut failures = Vec::new();
    for baud in USUAL_BAUDS {
        match connect(baud, PROBE_TIMEOUT) {
            Err(error @ (AccelError::NoAnswer { .. } | AccelError::Garbage { .. } | AccelError::Lost { .. })) => {
                failures.push(error);
            }
            result => return result,
        }
    }
    let remaining = timeout.saturating_sub(start.elapsed());
    if remaining > PROBE_TIMEOUT {
        return connect(DEFAULT_BAUD, remaining);
    }
    // Bytes without a frame say more than silence.
    let garbage = failures.iter().position(|error| matches!(error, AccelError::Garbage { .. }));
    Err(failures.swap_remove(garbage.unwrap_or(0)))
}

/// The serial ports of this machine, sorted by name.
pub fn serial_ports() -> Vec<SerialPort> {
    if cfg!(target_os = "linux") {
        return serial_ports_in(Path::new("/sys/class/tty"));
    }
    let found = serialport::available_ports().unwrap_or_default();
    let mut ports: Vec<SerialPort> = found.into_iter().filter_map(listed).collect();
    ports.sort_by(|a, b| a.path.cmp(&b.path));
    ports
}

/// A port that `serialport` has listed. macOS lists each twice, of which `tty.…` waits for a carrier.
fn listed(port: SerialPortInfo) -> Option<SerialPort> {
    if port.port_name.starts_with("/dev/tty.") {
        return None;
    }
    let (usb, product) = match port.port_type {
        SerialPortType::UsbPort(usb) => (Some((usb.vid, usb.pid)), usb.product),
        _ => (None, None),
    };
    Some(SerialPort { path: port.port_name.into(), usb, product, latency_ms: None })
}

/// The serial ports listed in a `…/class/tty` folder.
pub fn serial_ports_in(class: &Path) -> Vec<SerialPort> {
    let entries = fs::read_dir(class).into_iter().flatten().flatten();
    let mut ports: Vec<SerialPort> = entries.filter_map(|e| port(&e.path())).collect();
    ports.sort_by(|a, b| a.path.cmp(&b.path));
    ports
}

fn port(tty: &Path) -> Option<SerialPort> {
    let name = tty.file_name()?.to_str()?;
    // Only hardware has a device; the unused `ttyS…` of a PC have type 0.
    let device = fs::canonicalize(tty.join("device")).ok()?;
    if read(&tty.join("type")).as_deref() == Some("0") {
        return None;
    }
    let number = |path: PathBuf| u16::from_str_radix(&read(&path)?, 16).ok();
    let usb = device.ancestors().find(|p| p.join("idVendor").exists());
    Some(SerialPort {
        path: Path::new("/dev").join(name),
        usb: usb.and_then(|d| Some((number(d.join("idVendor"))?, number(d.join("idProduct"))?))),
        product: usb.and_then(|d| read(&d.join("product"))),
        latency_ms: read(&device.join("latency_timer")).and_then(|ms| ms.parse().ok()),
    })
}

fn read(path: &Path) -> Option<String> {
    Some(fs::read_to_string(path).ok()?.trim().to_string())
}

/// The ports, for messages.
pub fn listing() -> String {
    match &serial_ports()[..] {
        [] => "this machine has no serial ports".into(),
        some => format!("serial ports: {}", some.iter().map(SerialPort::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// The cards on PCIe, as `/dev/litepcie0` or `/dev/xdma0`, sorted by name.
pub(crate) fn cards() -> Vec<String> {
    cards_in(Path::new("/dev"))
}

fn cards_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let card = |path: PathBuf| {
        let name = path.to_str()?;
        if is_litepcie(name) {
            return Some(name.to_string());
        }
        let card = name.strip_suffix(TO_CARD)?.to_string();
        let is_whole = card.contains("/xdma") && Path::new(&format!("{card}{FROM_CARD}")).exists();
        is_whole.then_some(card)
    };
    let mut cards: Vec<String> = entries.filter_map(|e| card(e.path())).collect();
    cards.sort();
    cards
}

/// The cards, for messages.
pub fn card_listing() -> String {
    match &cards()[..] {
        [] => "this machine has no card behind XDMA or LitePCIe".into(),
        some => format!("cards: {}", some.join(", ")),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn ports_of_other_systems_have_their_usb_ids() {
        let port = |name: &str| {
            let (vid, pid, product) = (0x0403, 0x6015, Some("ULX3S".to_string()));
            let usb = serialport::UsbPortInfo { vid, pid, product, serial_number: None, manufacturer: None };
            listed(SerialPortInfo { port_name: name.into(), port_type: SerialPortType::UsbPort(usb) })
        };
        assert_eq!(port("COM3").unwrap().to_string(), "COM3 (0403:6015 ULX3S)");
        assert!(port("/dev/cu.usbserial-D00039").unwrap().may_be_board());
        assert_eq!(port("/dev/tty.usbserial-D00039"), None);
        let other = SerialPortInfo { port_name: "COM1".into(), port_type: SerialPortType::PciPort };
        assert!(!listed(other).unwrap().may_be_board());
    }

    #[test]
    fn a_card_has_one_file_or_both() {
        let folder = std::env::temp_dir().join(format!("hayasashi-cards-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for file in [
            "xdma1_h2c_0",
            "xdma1_c2h_0",
            "xdma0_h2c_0",
            "xdma0_c2h_0",
            "xdma2_h2c_0",
            "ttyUSB0",
            "zdma_h2c_0",
            "zdma_c2h_0",
            "litepcie0",
        ] {
            fs::write(folder.join(file), "").unwrap();
        }
        let found = cards_in(&folder);
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found, ["litepcie0", "xdma0", "xdma1"].map(|card| folder.join(card).display().to_string()));
    }

    #[test]
    fn usb_ids_come_from_the_device_above_the_port() {
        let root = std::env::temp_dir().join(format!("hayasashi-ports-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        let device = root.join("devices/usb1/1-2");
        let port = device.join("1-2:1.0/ttyUSB0");
        fs::create_dir_all(port.join("tty/ttyUSB0")).unwrap();
        fs::write(device.join("idVendor"), "0403\n").unwrap();
        fs::write(device.join("idProduct"), "6015\n").unwrap();
        fs::write(device.join("product"), "ULX3S FPGA 85K v3.0.8\n").unwrap();
        fs::write(port.join("latency_timer"), "16\n").unwrap();
        fs::create_dir_all(root.join("class/ttyUSB0")).unwrap();
        symlink(&port, root.join("class/ttyUSB0/device")).unwrap();
        fs::create_dir_all(root.join("class/tty1")).unwrap();
        fs::create_dir_all(root.join("class/ttyS0")).unwrap();
        fs::create_dir_all(root.join("devices/pnp")).unwrap();
        symlink(root.join("devices/pnp"), root.join("class/ttyS0/device")).unwrap();
        fs::write(root.join("class/ttyS0/type"), "0\n").unwrap();

        let found = serial_ports_in(&root.join("class"));
        fs::remove_dir_all(&root).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].to_string(), "/dev/ttyUSB0 (0403:6015 ULX3S FPGA 85K v3.0.8)");
        assert!(found[0].may_be_board());
        assert!(found[0].latency_hint().unwrap().contains("/sys/class/tty/ttyUSB0/device/latency_timer"));
    }
}
