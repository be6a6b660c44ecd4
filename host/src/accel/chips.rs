//! stub
use super::*;
use std::time::Duration;
pub struct Software;
impl Software {
    pub fn new() -> Software { Software }
    pub fn fork(&self) -> Software { Software }
    pub fn answer(&self, _r: &Request) -> Answers { todo!() }
    pub fn table_checksum(&self) -> Option<u32> { None }
}
impl CoProcessor for Software {
    fn name(&self) -> String { todo!() }
    fn submit(&self, r: Request) -> Ticket { Ticket::ready(Ok(self.answer(&r))) }
}
pub struct SoftwareStream;
impl SoftwareStream { pub fn new() -> Self { SoftwareStream } }
impl StreamChip for SoftwareStream {
    fn name(&self) -> String { todo!() }
    fn push(&mut self, _bytes: &[u8]) -> usize { todo!() }
    fn step(&mut self) -> bool { todo!() }
    fn pull(&mut self, _buffer: &mut [u8]) -> usize { todo!() }
}
pub fn open_rtl(_t: Duration) -> Result<Board, AccelError> { todo!() }
