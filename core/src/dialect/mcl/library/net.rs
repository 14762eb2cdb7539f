//! The module `net`.

use super::args::{Answer, of_text, pure, text};
use super::table::Module;
use crate::value::{Call, Fault, Machine, Text, Thunk, Value};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The module `net`.
pub static MODULE: Module = Module {
    path: "net",
    doc: "Addresses.",
    functions: &[
        pure("cidr_to_ip", "func(cidr str) str", "Returns the address of `192.168.1.2/24`.", cidr_to_ip),
        pure(
            "cidr_to_mask",
            "func(cidr str) str",
            "Returns the mask of `192.168.1.2/24`: `255.255.255.0`.",
            cidr_to_mask,
        ),
        pure(
            "is_mac",
            "func(mac str) bool",
            "Returns whether a string is a hardware address. Fails if it is not, as in mgmt.",
            is_mac,
        ),
        pure("macfmt", "func(mac str) str", "Writes a hardware address in lower case with colons.", macfmt),
        pure("oldmacfmt", "func(mac str) str", "Writes a hardware address in lower case with hyphens.", oldmacfmt),
    ],
};

/// Returns the address and the length of the mask.
fn cidr(text: &Text, call: &Call) -> Result<(IpAddr, u32), Fault> {
    let parsed = text.as_str().split_once('/').and_then(|(address, length)| {
        let address: IpAddr = address.parse().ok()?;
        let is_number = length.len() <= 3 && length.bytes().all(|b| b.is_ascii_digit());
        let length = length.parse().ok().filter(|_| is_number)?;
        (length <= if address.is_ipv4() { 32 } else { 128 }).then_some((address, length))
    });
    parsed.ok_or_else(|| call.fault(format!("invalid CIDR address: {}", text.as_str())))
}

fn cidr_to_ip(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let address = cidr(&text(machine, args, 0, call)?, call)?.0;
    of_text(machine, address.to_string())
}

fn cidr_to_mask(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let mask = match cidr(&text(machine, args, 0, call)?, call)? {
        (IpAddr::V4(_), length) => Ipv4Addr::from(u32::MAX.checked_shl(32 - length).unwrap_or(0)).to_string(),
        (IpAddr::V6(_), length) => Ipv6Addr::from(u128::MAX.checked_shl(128 - length).unwrap_or(0)).to_string(),
    };
    of_text(machine, mask)
}

/// Returns the bytes of a hardware address in hexadecimal digits: `00:11:22:aa:bb:cc`, `00-11-22-aa-bb-cc`,
/// `0011.22aa.bbcc`, of 6, 8 or 20 bytes.
fn mac(text: &Text, call: &Call) -> Result<Vec<String>, Fault> {
    let s = text.as_str();
    let (separator, digits) = match s.find([':', '-', '.']) {
        Some(2) if &s[2..3] != "." => (&s[2..3], 2),
        Some(4) if &s[4..5] == "." => (".", 4),
        _ => return Err(call.fault(format!("invalid hardware address: {s}"))),
    };
    let groups: Vec<&str> = s.split(separator).collect();
    let is_group = |group: &&str| group.len() == digits && group.bytes().all(|b| b.is_ascii_hexdigit());
    match groups.iter().all(is_group) && [6, 8, 20].contains(&(groups.len() * digits / 2)) {
        true => {
            let digits = groups.concat().to_lowercase();
            Ok(digits.as_bytes().chunks(2).map(|pair| String::from_utf8_lossy(pair).into_owned()).collect())
        }
        false => Err(call.fault(format!("invalid hardware address: {s}"))),
    }
}

fn is_mac(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    mac(&text(machine, args, 0, call)?, call).map(|_| Value::Bool(true))
}

fn macfmt(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let bytes = mac(&text(machine, args, 0, call)?, call)?;
    of_text(machine, bytes.join(":"))
}

fn oldmacfmt(machine: &mut Machine, args: &[Thunk], call: &Call) -> Answer {
    let bytes = mac(&text(machine, args, 0, call)?, call)?;
    of_text(machine, bytes.join("-"))
}
