//! Loading an evaluation table in parts, several of them in flight.

use crate::{AccelError, CoProcessor, Request, Ticket};
use hayasashi_model::evaluate::EvalTable;
use hayasashi_spec::{
    frame::MAX_REQUEST_PAYLOAD,
    opcode::{Opcode, Status},
    registers::CAP_EVALUATE,
    table::{TableHeader, TABLE_BYTES, TABLE_FORMAT, TABLE_MAGIC},
};
use std::collections::VecDeque;

/// Table bytes in one part; the rest of the payload is the offset.
const PART_BYTES: usize = MAX_REQUEST_PAYLOAD - 4;
/// Parts in flight; as many as fit into the chip's buffer.
const PARTS_IN_FLIGHT: usize = 3;
/// How often the chip may expect another offset than the one sent without any progress.
const MAX_SETBACKS: u32 = 16;

/// Reads the header of a table file, after checking its size, magic and format. `target` is for the error.
///
/// # Errors
/// The size, the magic or the format is wrong.
pub fn table_header(target: &str, table: &[u8]) -> Result<TableHeader, AccelError> {
    let wrong = |reason| Err(AccelError::Table { target: target.into(), reason });
    if table.len() != TABLE_BYTES {
        return wrong(format!("{} bytes instead of {TABLE_BYTES}", table.len()));
    }
    let header: TableHeader = bytemuck::pod_read_unaligned(&table[..size_of::<TableHeader>()]);
    if header.magic != TABLE_MAGIC {
        return wrong(format!("it begins with 0x{:08X} instead of 0x{TABLE_MAGIC:08X}", header.magic));
    }
    if header.format != TABLE_FORMAT {
        return wrong(format!("format {} instead of {TABLE_FORMAT}", header.format));
    }
    Ok(header)
}

/// [`CoProcessor::set_table`], unless the chip has no evaluator.
///
/// # Errors
/// The chip rejects the table, or is lost.
pub fn load_table_if_supported(chip: &dyn CoProcessor, table: &EvalTable) -> Result<(), AccelError> {
    match chip.has(CAP_EVALUATE)? {
        true => chip.set_table(table),
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
