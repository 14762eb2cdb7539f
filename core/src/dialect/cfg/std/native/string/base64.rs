//! Base64 in four variants.

use super::super::{Answer, choice};
use crate::value::{Call, Fault, Machine, Thunk, Value};
use base64::Engine;
use base64::engine::GeneralPurpose;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};

const VARIANTS: [(&str, &GeneralPurpose); 4] =
    [("Standard", &STANDARD), ("UrlSafe", &URL_SAFE), ("NoPad", &STANDARD_NO_PAD), ("UrlSafeNoPad", &URL_SAFE_NO_PAD)];

fn variant(machine: &mut Machine, args: &[Thunk], call: &Call) -> Result<&'static GeneralPurpose, Fault> {
    let at = choice(machine, args, 0, &VARIANTS.map(|(name, _)| name), call)?;
    Ok(VARIANTS.get(at).map_or(&STANDARD, |(_, engine)| *engine))
}

pub fn base64_encode(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let engine = variant(machine, args, call)?;
    let text = machine.string(args, 1, call)?;
    Ok(Value::string(engine.encode(text.as_bytes())))
}

pub fn base64_decode(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let engine = variant(machine, args, call)?;
    let text = machine.string(args, 1, call)?;
    let bytes = engine.decode(text.as_bytes()).map_err(|e| call.fault(format!("no Base64 of this variant: {e}")))?;
    let text = String::from_utf8(bytes).map_err(|_| call.fault("what the Base64 stands for is not UTF-8"))?;
    Ok(Value::string(text))
}
