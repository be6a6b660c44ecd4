//! Changes of the netlist between synthesis and placement.

use super::BuildError;
use serde_json::{Map, Value};
use std::{fs::File, io::BufReader, path::Path};

/// Writes a copy of the netlist to `out` in which `change` has changed the module `top`.
pub fn edit(netlist: &Path, out: &Path, change: impl FnOnce(&mut Map<String, Value>)) -> Result<(), BuildError> {
    let file = File::open(netlist).map_err(BuildError::io("read", netlist))?;
    let invalid = |reason: String| BuildError::Output { path: netlist.into(), reason };
    let mut whole: Value = serde_json::from_reader(BufReader::with_capacity(1 << 20, file))
        .map_err(|error| invalid(format!("it is not a netlist: {error}")))?;
    let top = whole.pointer_mut("/modules/top").and_then(Value::as_object_mut);
    let top = top.ok_or_else(|| invalid("it has no module `top`".into()))?;
    if !top.entry("cells").or_insert_with(|| Map::new().into()).is_object() {
        return Err(invalid("the cells of `top` are not an object".into()));
    }
    change(top);
    super::stage::write(out, &whole.to_string())
}
