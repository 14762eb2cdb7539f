//! Signatures: HMAC-SHA256 over the four JSON parts, in hexadecimal, compared in constant time.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fmt::Write;

/// Signs and verifies messages with a key.
pub struct Signer(Option<Hmac<Sha256>>);

impl Signer {
    /// Creates a signer. Without a key, messages are not signed and all signatures are accepted.
    pub fn new(key: &str) -> Signer {
        // HMAC accepts keys of any length
        Signer(Hmac::new_from_slice(key.as_bytes()).ok().filter(|_| !key.is_empty()))
    }

    /// Returns the signature of the parts, in hexadecimal.
    pub fn sign(&self, parts: [&Vec<u8>; 4]) -> Vec<u8> {
        let mut hex = String::new();
        for byte in self.over(parts).map(|mac| mac.finalize().into_bytes()).iter().flatten() {
            let _ = write!(hex, "{byte:02x}");
        }
        hex.into_bytes()
    }

    /// Reports whether the signature is that of the parts.
    pub fn verify(&self, signature: &[u8], parts: [&Vec<u8>; 4]) -> bool {
        match self.over(parts) {
            None => true,
            Some(mac) => unhex(signature).is_some_and(|bytes| mac.verify_slice(&bytes).is_ok()),
        }
    }

    fn over(&self, parts: [&Vec<u8>; 4]) -> Option<Hmac<Sha256>> {
        let mut mac = self.0.clone()?;
        parts.into_iter().for_each(|part| mac.update(part));
        Some(mac)
    }
}

fn unhex(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |c: u8| char::from(c).to_digit(16).and_then(|d| u8::try_from(d).ok());
    let (pairs, rest) = text.as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_agree_with_rfc_4231() {
        let part = |text: &str| text.as_bytes().to_vec();
        let parts = [&part("what do ya want "), &part("for"), &part(" "), &part("nothing?")];
        let signer = Signer::new("Jefe");
        let expected = b"5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(signer.sign(parts), expected);
        assert!(signer.verify(expected, parts));
        for wrong in [&b""[..], b"5b", b"zz", &expected[1..], &[&expected[..], b"00"].concat()] {
            assert!(!signer.verify(wrong, parts));
        }
    }
}
