//! Loading an evaluation table or a network in parts, several of them in flight.

use crate::{AccelError, CoProcessor, Request, Ticket};
use hayasashi_model::evaluate::Evaluation;
use hayasashi_spec::{
    frame::MAX_REQUEST_PAYLOAD,
    network::{network_bytes, CHIP_UNITS, NETWORK_FORMAT},
    opcode::{Opcode, Status},
    registers::CAP_EVALUATE,
    table::{TableHeader, TABLE_BYTES, TABLE_FORMAT, TABLE_MAGIC},
};
use std::collections::VecDeque;

/// Bytes of the file in one part; the rest of the payload is the offset.
const PART_BYTES: usize = MAX_REQUEST_PAYLOAD - 4;
/// Parts in flight; as many as fit into the chip's buffer.
const PARTS_IN_FLIGHT: usize = 3;
/// How often the chip may expect another offset than the one sent without any progress.
const MAX_SETBACKS: u32 = 16;

/// Reads the header of a file for `LOAD_TABLE`, a table or a network for a chip, after checking its magic, format and size.
/// `target` is for the error.
///
/// # Errors
/// The size, the magic or the format is wrong, or a network has another number of units than [`CHIP_UNITS`].
pub fn table_header(target: &str, table: &[u8]) -> Result<TableHeader, AccelError> {
    let wrong = |reason| Err(AccelError::Table { target: target.into(), reason });
    let size = |expected: usize| format!("{} bytes instead of {expected}", table.len());
    let Some(header) = table.get(..size_of::<TableHeader>()) else { return wrong(size(TABLE_BYTES)) };
    let header: TableHeader = bytemuck::pod_read_unaligned(header);
    if header.magic != TABLE_MAGIC {
        return wrong(format!("it begins with 0x{:08X} instead of 0x{TABLE_MAGIC:08X}", header.magic));
    }
    let expected = match header.format {
        TABLE_FORMAT => TABLE_BYTES,
        NETWORK_FORMAT => network_bytes(CHIP_UNITS),
        other => return wrong(format!("format {other} instead of {TABLE_FORMAT} or {NETWORK_FORMAT}")),
    };
    let units = table.get(TABLE_BYTES..TABLE_BYTES + 4).map(bytemuck::pod_read_unaligned::<u32>);
    match units.filter(|&units| header.format == NETWORK_FORMAT && units != CHIP_UNITS as u32) {
        Some(units) => wrong(format!("a network of {units} units instead of {CHIP_UNITS}")),
        None if table.len() != expected => wrong(size(expected)),
        None => Ok(header),
    }
}

/// [`CoProcessor::set_evaluation`], unless the chip has no evaluator.
///
/// # Errors
/// The chip rejects the table or the network, or is lost.
pub fn load_evaluation_if_supported(chip: &dyn CoProcessor, evaluation: &Evaluation) -> Result<(), AccelError> {
    match chip.has(CAP_EVALUATE)? {
        true => chip.set_evaluation(evaluation),
        false => Ok(()),
    }
}

/// [`CoProcessor::load_table`].
pub(crate) fn load<C: CoProcessor + ?Sized>(chip: &C, table: &[u8]) -> Result<(), AccelError> {
    let target = chip.name();
    let checksum = table_header(&target, table)?.checksum;
    let (mut offset, mut furthest, mut setbacks) = (0, 0, 0);
    let mut parts: VecDeque<(usize, Ticket)> = VecDeque::new();
    loop {
        while parts.len() < PARTS_IN_FLIGHT && offset < table.len() {
            let end = table.len().min(offset + PART_BYTES);
            let payload = [&(offset as u32).to_le_bytes(), &table[offset..end]].concat();
            parts.push_back((end, chip.submit(Request::new(Opcode::LoadTable, payload))));
            offset = end;
        }
        let expected = match parts.pop_front() {
            Some((end, ticket)) => match next_offset(&target, ticket)? {
                next if next == end => {
                    if end > furthest {
                        // On a noisy line every lost part costs setbacks; only those without progress count.
                        (furthest, setbacks) = (end, 0);
                    }
                    continue;
                }
                other => Some(other),
            },
            None => None,
        };
        // All parts are answered, or the chip expects another offset and rejects those still in flight.
        for (_, ticket) in parts.drain(..) {
            ticket.wait()?;
        }
        let at_end = expected.is_none_or(|e| e == 0 || e >= table.len());
        if at_end {
            let info = chip.info()?;
            if info.table_loaded == 1 && info.table_checksum == checksum {
                return Ok(());
            }
        }
        offset = expected.filter(|e| *e < table.len()).unwrap_or(0);
        if offset > furthest {
            furthest = offset;
        } else {
            setbacks += 1;
        }
        if setbacks > MAX_SETBACKS {
            let reason = format!("the chip still expects offset {offset} after {MAX_SETBACKS} attempts");
            return Err(AccelError::Table { target, reason });
        }
    }
}

/// Waits for the answer to a part: the offset that the chip expects next.
fn next_offset(target: &str, ticket: Ticket) -> Result<usize, AccelError> {
    let answer = ticket.wait()?.swap_remove(0);
    match (Status::from_code(answer.status), &answer.payload[..]) {
        (Some(Status::Ok | Status::TableSequence), &[a, b, c, d]) => Ok(u32::from_le_bytes([a, b, c, d]) as usize),
        (Some(status @ Status::TableContent), _) => {
            Err(AccelError::Table { target: target.into(), reason: status.text().trim().into() })
        }
        _ => Err(AccelError::from_status(target, Opcode::LoadTable, answer.status)),
    }
}
