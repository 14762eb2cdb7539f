//! Treats any bytes as a document, in the format that the first byte selects: reads it, evaluates it, and writes it in
//! all three formats.
#![no_main]

use cfg_core::{Action, Dialect, Format, Input, NoLoader, Request, Session};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((first, text)) = bytes.split_first() else { return };
    let dialect = [Dialect::JSON, Dialect::YAML, Dialect::TOML][usize::from(*first % 3)];
    for format in [Format::Json, Format::Yaml, Format::Toml] {
        let _ = Session::new(Box::new(NoLoader)).run(Request { dialect: Some(dialect), ..Request::new(vec![Input::Text { name: "fuzz".into(), text: text.to_vec() }], Action::Eval { at: None, format }) });
    }
});
