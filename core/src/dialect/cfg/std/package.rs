//! `std.package`: the table of names, types, documentation and bodies.

use super::native::package as natives;
use super::table::{Item, Module, cfg, cfg_with};

/// Builds a contract that parses strings with the function `native` and checks the result, or a record, with the contract of
/// the same name in `std.package.structured`.
macro_rules! read_by_native {
    ($structured:literal, $is_structured:literal, $wrap:literal) => {
        concat!(
            "std.contract.custom (fun label value => \
             let check = std.contract.check std.package.structured.",
            $structured,
            " label in \
             if std.is_string value then native value |> match { 'Ok parts => check ",
            $wrap,
            ", 'Error problem => 'Error problem } \
             else if ",
            $is_structured,
            " then check value else 'Error { message = \"expected a string or a record\" })"
        )
    };
}

/// `std.package`.
pub static PACKAGE: Module = Module {
    path: "std.package",
    doc: "Contracts of package manifests: versions, dependencies, the manifest itself. May change from version to version.",
    items: ITEMS,
    modules: &[&STRUCTURED],
};

/// `std.package.structured`.
static STRUCTURED: Module = Module {
    path: "std.package.structured",
    doc: "The same things taken apart: records where `std.package` also reads strings.",
    items: STRUCTURED_ITEMS,
    modules: &[],
};

static ITEMS: &[Item] = &[
    Item {
        name: "ExactSemverReq",
        ty: "Contract Dyn",
        doc: "Accepts a demand for one version, `\"=1.2.3\"` or `\"=1.2.3-rc1\"`, and turns it into a record of its parts; or such \
              a record.",
        examples: &[("(\"=1.2.3\" | std.package.ExactSemverReq).minor", "2")],
        body: cfg_with(
            read_by_native!("ExactSemverReq", "std.is_record value", "parts"),
            "std.package.ExactSemverReq",
            natives::exact,
        ),
    },
    Item {
        name: "GitDependency",
        ty: "Contract { url | String, ref | Dyn | optional, path | String | optional }",
        doc: "Accepts the record of a dependency in a git repository: where it is, optionally which commit, branch or tag, and \
              where in it the package stands.",
        examples: &[(
            "{ url = \"https://example.org/x\" } | std.package.GitDependency",
            "{ url = \"https://example.org/x\" }",
        )],
        body: cfg("{ url | String | doc \"Where the repository is.\", \
             ref | [| 'Head, 'Branch String, 'Tag String, 'Commit std.package.GitId |] | optional \
             | doc \"What to take from it; its head if nothing is said.\", \
             path | String | optional | doc \"The package's folder in the repository.\" }"),
    },
    Item {
        name: "GitId",
        ty: "Contract String",
        doc: "Accepts the whole id of a git commit: 40 of the digits 0-9 and a-f.",
        examples: &[("(\"0123456789012345678901234567890123456789\" | std.package.GitId) |> std.string.length", "40")],
        body: cfg(
            "std.contract.custom (fun _label id => if !(std.is_string id) then 'Error { message = \"expected a string\" } \
             else if std.string.length id != 40 \
             then 'Error { message = \"expected 40 characters, found %{std.to_string (std.string.length id)}\", \
             notes = [\"short ids are not accepted\"] } \
             else if std.string.is_match \"[^0-9a-f]\" id \
             then 'Error { message = \"a character that is not one of 0-9, a-f\" } else 'Ok id)",
        ),
    },
    Item {
        name: "IndexDependency",
        ty: "Contract { package : Dyn, version : Dyn }",
        doc: "Accepts the record of a dependency from the package index: which package, which versions.",
        examples: &[(
            "({ package = \"github:a/b\", version = \"1.2\" } | std.package.IndexDependency).version",
            "'Compatible { major = 1, minor = 2 }",
        )],
        body: cfg("{ package | std.package.PackageId | doc \"Which package.\", \
             version | std.package.SemverReq | doc \"Which versions of it.\" }"),
    },
    Item {
        name: "Manifest",
        ty: "Contract Dyn",
        doc: "Accepts the manifest of a package.",
        examples: &[(
            "({ name = \"x\", version = \"1.0.0\", minimal_nickel_version = \"1.18\", authors = [] } \
             | std.package.Manifest).version.major",
            "1",
        )],
        body: cfg_with(MANIFEST, "std.package.Manifest", natives::is_identifier),
    },
    Item {
        name: "PackageId",
        ty: "Contract Dyn",
        doc: "Accepts the name of a package in the index, `\"github:owner/repository\"` with an optional folder behind it, and turns \
              it into its parts; or those.",
        examples: &[("\"github:a/b\" | std.package.PackageId", "'Github { org = \"a\", name = \"b\" }")],
        body: cfg_with(
            read_by_native!("PackageId", "std.is_record value || std.is_enum value", "('Github parts)"),
            "std.package.PackageId",
            natives::id,
        ),
    },
    Item {
        name: "Semver",
        ty: "Contract Dyn",
        doc: "Accepts a version, `\"1.2.3\"` with an optional `-pre` and `+build`, and turns it into a record of its parts; or such a \
              record.",
        examples: &[("(\"1.2.3-rc1\" | std.package.Semver).pre", "\"rc1\"")],
        body: cfg_with(
            read_by_native!("Semver", "std.is_record value", "parts"),
            "std.package.Semver",
            natives::version,
        ),
    },
    Item {
        name: "SemverPrefix",
        ty: "Contract Dyn",
        doc: "Accepts a version whose last parts may be left out, `\"1.2\"`, and turns it into a record of its parts; or such a \
              record.",
        examples: &[("\"1.2\" | std.package.SemverPrefix", "{ major = 1, minor = 2 }")],
        body: cfg_with(
            read_by_native!("SemverPrefix", "std.is_record value", "parts"),
            "std.package.SemverPrefix",
            natives::prefix,
        ),
    },
    Item {
        name: "SemverReq",
        ty: "Contract Dyn",
        doc: "Accepts a demand for versions: one (`\"=1.2.3\"`, becomes `'Exact`) or all that are compatible (`\"1.2\"`, becomes \
              `'Compatible`).",
        examples: &[("\"1\" | std.package.SemverReq", "'Compatible { major = 1 }")],
        body: cfg(SEMVER_REQ),
    },
];

static STRUCTURED_ITEMS: &[Item] = &[
    Item {
        name: "ExactSemverReq",
        ty: "Contract { major | Number, minor | Number, patch | Number, pre | String | optional }",
        doc: "Accepts the parts of one version.",
        examples: &[("({ major = 1, minor = 2, patch = 3 } | std.package.structured.ExactSemverReq).major", "1")],
        body: cfg(
            "{ major | std.number.Nat | doc \"The first number.\", minor | std.number.Nat | doc \"The second number.\", \
             patch | std.number.Nat | doc \"The third number.\", pre | String | optional | doc \"The pre-release.\" }",
        ),
    },
    Item {
        name: "PackageId",
        ty: "Contract [| 'Github { org | String, name | String, path | String | optional } |]",
        doc: "Accepts the parts of a package's name.",
        examples: &[],
        body: cfg("[| 'Github { org | String, name | String, path | String | optional } |]"),
    },
    Item {
        name: "Semver",
        ty: "Contract { major | Number, minor | Number, patch | Number, pre | String | optional, build | String | optional }",
        doc: "Accepts the parts of a version.",
        examples: &[("({ major = 1, minor = 2, patch = 3 } | std.package.structured.Semver).patch", "3")],
        body: cfg(
            "{ major | std.number.Nat | doc \"The first number.\", minor | std.number.Nat | doc \"The second number.\", \
             patch | std.number.Nat | doc \"The third number.\", pre | String | optional | doc \"The pre-release.\", \
             build | String | optional | doc \"The build.\" }",
        ),
    },
    Item {
        name: "SemverPrefix",
        ty: "Contract { major | Number, minor | Number | optional, patch | Number | optional }",
        doc: "Accepts the first parts of a version.",
        examples: &[("{ major = 1 } | std.package.structured.SemverPrefix", "{ major = 1 }")],
        body: cfg("{ major | std.number.Nat | doc \"The first number.\", minor | std.number.Nat | optional \
             | doc \"The second number.\", patch | std.number.Nat | optional | doc \"The third number.\" }"),
    },
    Item {
        name: "SemverReq",
        ty: "Contract [| 'Compatible Dyn, 'Exact Dyn |]",
        doc: "Accepts a demand for versions, taken apart.",
        examples: &[],
        body: cfg(
            "[| 'Compatible std.package.structured.SemverPrefix, 'Exact std.package.structured.ExactSemverReq |]",
        ),
    },
];

const SEMVER_REQ: &str = r##"
let tagged = fun name => match {
  'Ok version => 'Ok (std.enum.from_tag_and_arg { tag = name, arg = version }),
  'Error problem => 'Error problem,
}
in
std.contract.custom (fun label value =>
  if std.is_string value then
    if std.string.is_match "^=" value then
      std.contract.check std.package.ExactSemverReq label value |> tagged "Exact"
    else
      std.contract.check std.package.SemverPrefix label value |> tagged "Compatible"
  else if std.is_record value || std.is_enum value then
    std.contract.check std.package.structured.SemverReq label value
  else
    'Error { message = "expected a string or a record" })
"##;

const MANIFEST: &str = r##"
{
  name | String | doc "The package's name.",
  version | String | std.package.Semver | doc "The package's version.",
  minimal_nickel_version | String | std.package.SemverPrefix | doc "The oldest version of the language that it works with.",
  authors | Array String | doc "Who wrote it.",
  description | String | optional | doc "What it is for.",
  keywords | Array String | optional | doc "Words to find it by.",
  license | String | optional | doc "Its licence, as an SPDX expression.",
  dependencies
    | { _ : [|
        'Path String,
        'Git std.package.GitDependency,
        'Index std.package.IndexDependency,
      |] }
    | std.contract.custom (fun _label dependencies =>
        std.record.fields dependencies |> std.array.filter (fun name => !(native name)) |> match {
          [] => 'Ok dependencies,
          [name, ..] => 'Error { message = "invalid field name `%{name}`", notes = ["a dependency is named like a variable"] },
        })
    | doc "What it needs: packages by the name it uses for each."
    | default
    = {},
}
"##;
