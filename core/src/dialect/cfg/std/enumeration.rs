//! `std.enum`: the table of names, types, documentation and bodies.

use super::native::enumeration as natives;
use super::table::{Item, Module, cfg, native};

/// `std.enum`.
pub static ENUM: Module =
    Module { path: "std.enum", doc: "Enums: tags (`'Http`) and variants (`'Port 80`).", items: ITEMS, modules: &[] };

static ITEMS: &[Item] = &[
    Item {
        name: "Enum",
        ty: "Contract [| ; Dyn |]",
        doc: "Accepts every enum tag and every enum variant.",
        examples: &[("'Port 80 | std.enum.Enum", "'Port 80")],
        body: cfg(
            "std.contract.custom (fun _l v => if std.is_enum v then 'Ok v else 'Error { message = \"expected an enum\" })",
        ),
    },
    Item {
        name: "Tag",
        ty: "Contract [| ; Dyn |]",
        doc: "Accepts every enum tag, and no variant.",
        examples: &[("'Http | std.enum.Tag", "'Http")],
        body: cfg("std.contract.custom (fun _l v => if std.enum.is_enum_tag v then 'Ok v \
             else 'Error { message = \"expected an enum tag\" })"),
    },
    Item {
        name: "TagOrString",
        ty: "Contract Dyn",
        doc: "Accepts an enum tag, or a string, which it turns into the tag of that name: so that data from JSON can be used where \
              a tag is wanted. Put it before the enum type.",
        examples: &[("\"Http\" | std.enum.TagOrString | [| 'Http, 'Ftp |]", "'Http")],
        body: cfg("std.contract.custom (fun _l v => if std.is_string v then 'Ok (std.string.to_enum v) \
             else if std.enum.is_enum_tag v then 'Ok v \
             else 'Error { message = \"expected a string or an enum tag\" })"),
    },
    Item {
        name: "from_tag_and_arg",
        ty: "forall a. { tag | String, arg | a | optional } -> [| ; Dyn |]",
        doc: "The tag of a name, or, where there is an `arg`, the variant of it; the opposite of `std.enum.to_tag_and_arg`.",
        examples: &[
            ("std.enum.from_tag_and_arg { tag = \"Http\" }", "'Http"),
            ("std.enum.from_tag_and_arg { tag = \"Port\", arg = 80 }", "'Port 80"),
        ],
        body: native("std.enum.from_tag_and_arg", 1, natives::from_tag_and_arg),
    },
    Item {
        name: "is_enum_tag",
        ty: "forall a. a -> Bool",
        doc: "Whether a value is an enum tag; variants are not.",
        examples: &[("std.enum.is_enum_tag 'Http", "true"), ("std.enum.is_enum_tag ('Port 80)", "false")],
        body: native("std.enum.is_enum_tag", 1, natives::is_enum_tag),
    },
    Item {
        name: "is_enum_variant",
        ty: "forall a. a -> Bool",
        doc: "Whether a value is an enum variant; tags are not.",
        examples: &[("std.enum.is_enum_variant ('Port 80)", "true"), ("std.enum.is_enum_variant 'Http", "false")],
        body: native("std.enum.is_enum_variant", 1, natives::is_enum_variant),
    },
    Item {
        name: "map",
        ty: "(Dyn -> Dyn) -> [| ; Dyn |] -> [| ; Dyn |]",
        doc: "Applies a function to what a variant carries. A tag stays as it is.",
        examples: &[("std.enum.map (fun x => x + 1) ('Port 80)", "'Port 81")],
        body: native("std.enum.map", 2, natives::map),
    },
    Item {
        name: "to_tag_and_arg",
        ty: "[| ; Dyn |] -> { tag : String; Dyn }",
        doc: "The name of a tag or variant as a string, and what the variant carries.",
        examples: &[
            ("std.enum.to_tag_and_arg 'Http", "{ tag = \"Http\" }"),
            ("std.enum.to_tag_and_arg ('Port 80)", "{ tag = \"Port\", arg = 80 }"),
        ],
        body: native("std.enum.to_tag_and_arg", 1, natives::to_tag_and_arg),
    },
];
