//! Loading an evaluation table part by part, several parts in flight.

use super::{AccelError, CoProcessor, Request, Ticket};
use hayasashi_model::evaluate::EvalTable;
use hayasashi_spec::{
    frame::MAX_REQUEST_PAYLOAD,
    opcode::{Opcode, Status},
    registers::CAP_EVALUATE,
    table::{TableHeader, TABLE_BYTES, TABLE_FORMAT, TABLE_MAGIC},
};
use std::collections::VecDeque;

/// Table bytes of a part.
const PART_BYTES: usize = MAX_REQUEST_PAYLOAD - 4;
/// Parts in flight; that many fit into the chip's buffer.
const WINDOW: usize = 3;
/// How often the chip may ask for another part than the one sent without having got any further.
const SETBACKS: u32 = 16;

/// Reads the header of a table file, after a look at its size, magic and format.
pub fn header(target: &str, table: &[u8]) -> Result<TableHeader, AccelError> {
    let wrong = |reason| Err(AccelError::Table { target: target.into(), reason });
    if table.len() != TABLE_BYTES {
        return wrong(format!("{} bytes instead of {TABLE_BYTES}", table.len()));
    }
    let header: TableHeader = bytemuck::pod_read_unaligned(&table[..std::mem::size_of::<TableHeader>()]);
    if header.magic != TABLE_MAGIC {
        return wrong(format!("it begins with 0x{:08X} instead of 0x{TABLE_MAGIC:08X}", header.magic));
    }
    if header.format != TABLE_FORMAT {
        return wrong(format!("format {} instead of {TABLE_FORMAT}", header.format));
    }
    Ok(header)
}

/// Loads a table unless the chip has it already.
pub fn load_table(chip: &dyn CoProcessor, table: &EvalTable) -> Result<(), AccelError> {
    let info = chip.info()?;
    if info.table_loaded == 1 && info.table_checksum == table.header().checksum {
        return Ok(());
    }
    chip.load_table(&table.to_bytes())
}

/// [`load_table`], unless the chip has no evaluator.
pub fn load_table_if_any(chip: &dyn CoProcessor, table: &EvalTable) -> Result<(), AccelError> {
    match chip.has(CAP_EVALUATE)? {
        true => load_table(chip, table),
        false => Ok(()),
    }
}

pub(super) fn load<C: CoProcessor + ?Sized>(chip: &C, table: &[u8]) -> Result<(), AccelError> {
    let target = chip.name();
    let checksum = header(&target, table)?.checksum;
    let (mut offset, mut furthest, mut setbacks) = (0, 0, 0);
    let mut parts: VecDeque<(usize, Ticket)> = VecDeque::new();
    loop {
        while parts.len() < WINDOW && offset < table.len() {
            let end = table.len().min(offset + PART_BYTES);
            let payload = [&(offset as u32).to_le_bytes(), &table[offset..end]].concat();
            parts.push_back((end, chip.submit(Request::new(Opcode::LoadTable, payload))));
            offset = end;
        }
        let expected = match parts.pop_front() {
            Some((end, ticket)) => match next_offset(&target, ticket)? {
                next if next == end => {
                    furthest = furthest.max(end);
                    continue;
                }
                other => Some(other),
            },
            None => None,
        };
        // All parts are answered, or the chip wants another one: what is still in flight does not follow.
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
        if setbacks > SETBACKS {
            let reason = format!("the chip asked for offset {offset} again and again");
            return Err(AccelError::Table { target, reason });
        }
    }
}

/// The offset that the chip expects next.
fn next_offset(target: &str, ticket: Ticket) -> Result<usize, AccelError> {
    let answer = ticket.wait()?.swap_remove(0);
    match (Status::from_code(answer.status), &answer.payload[..]) {
        (Some(Status::Ok | Status::TableSequence), &[a, b, c, d]) => Ok(u32::from_le_bytes([a, b, c, d]) as usize),
        (Some(status @ Status::TableContent), _) => {
            Err(AccelError::Table { target: target.into(), reason: status.text().trim().into() })
        }
        (status, _) => Err(unexpected(target, Opcode::LoadTable, answer.status, status)),
    }
}

/// The error for a status that does not belong to a request.
pub(super) fn unexpected(target: &str, opcode: Opcode, code: u8, status: Option<Status>) -> AccelError {
    let lacks_evaluator = opcode == Opcode::LoadTable && status == Some(Status::BadOpcode);
    let (target, opcode) = (target.to_string(), opcode as u8);
    match status {
        _ if lacks_evaluator => AccelError::NoEvaluator { target },
        Some(status) if status != Status::Ok => AccelError::Refused { target, opcode, status },
        _ => AccelError::Malformed { target, opcode, reason: format!("status 0x{code:02X}") },
    }
}
