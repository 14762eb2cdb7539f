//! Byte encodings: the table of names, parameters, types and documentation.

use super::native::encode as run;
use super::table::{Item, function, p};

pub static ITEMS: &[Item] = &[
    function(
        "base64",
        &[p("input")],
        "forall a. a -> String",
        "The base64 of an array of bytes, or of a string whose characters are all below 256.",
        run::base64,
    ),
    function(
        "base64Decode",
        &[p("str")],
        "String -> String",
        "What base64 stands for, each byte as the character of that code point.",
        run::base64_decode,
    ),
    function(
        "base64DecodeBytes",
        &[p("str")],
        "String -> Array Number",
        "What base64 stands for, as an array of bytes.",
        run::base64_decode_bytes,
    ),
    function("decodeUTF8", &[p("arr")], "Array Number -> String", "The text of UTF-8 bytes.", run::decode_utf8),
    function("encodeUTF8", &[p("str")], "String -> Array Number", "The UTF-8 bytes of a text.", run::encode_utf8),
    function("md5", &[p("str")], "String -> String", "The MD5 hash of a text's UTF-8, in hexadecimal.", run::md5),
    function("sha1", &[p("str")], "String -> String", "The SHA-1 hash of a text's UTF-8, in hexadecimal.", run::sha1),
    function(
        "sha256",
        &[p("str")],
        "String -> String",
        "The SHA-256 hash of a text's UTF-8, in hexadecimal.",
        run::sha256,
    ),
    function(
        "sha3",
        &[p("str")],
        "String -> String",
        "The SHA3-512 hash of a text's UTF-8, in hexadecimal.",
        run::sha3,
    ),
    function(
        "sha512",
        &[p("str")],
        "String -> String",
        "The SHA-512 hash of a text's UTF-8, in hexadecimal.",
        run::sha512,
    ),
];
