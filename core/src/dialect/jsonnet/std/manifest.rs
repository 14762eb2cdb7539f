//! Printing and parsing values as text: the table of names, parameters, types and documentation.

use super::native::{json, manifest as run, toml, yaml, yaml_reader};
use super::table::{Item, function, opt, p};

pub static ITEMS: &[Item] = &[
    function(
        "manifestIni",
        &[p("ini")],
        "{ _ : Dyn } -> String",
        "An INI file: the fields of `main`, then a section for each field of `sections`. Arrays are several lines.",
        run::manifest_ini,
    ),
    function(
        "manifestJson",
        &[p("value")],
        "forall a. a -> String",
        "The value as JSON, four blanks a level.",
        run::manifest_json,
    ),
    function(
        "manifestJsonEx",
        &[p("value"), p("indent"), opt("newline", run::newline), opt("key_val_sep", run::colon)],
        "forall a. a -> String -> String -> String -> String",
        "The value as JSON with an indentation for each level, line ends, and what stands between names and values.",
        run::manifest_json_ex,
    ),
    function(
        "manifestJsonMinified",
        &[p("value")],
        "forall a. a -> String",
        "The value as JSON without any blanks.",
        run::manifest_json_minified,
    ),
    function(
        "manifestPython",
        &[p("v")],
        "forall a. a -> String",
        "The value as an expression of Python.",
        run::manifest_python,
    ),
    function(
        "manifestPythonVars",
        &[p("conf")],
        "{ _ : Dyn } -> String",
        "An assignment of Python for each visible field of an object.",
        run::manifest_python_vars,
    ),
    function(
        "manifestToml",
        &[p("value")],
        "{ _ : Dyn } -> String",
        "The object as TOML, two blanks a level.",
        toml::manifest_toml,
    ),
    function(
        "manifestTomlEx",
        &[p("value"), p("indent")],
        "{ _ : Dyn } -> String -> String",
        "The object as TOML with an indentation for each level.",
        toml::manifest_toml_ex,
    ),
    function(
        "manifestXmlJsonml",
        &[p("value")],
        "Array Dyn -> String",
        "XML of JsonML: an element is an array of its tag, an object of attributes (or none) and what is in it.",
        run::manifest_xml_jsonml,
    ),
    function(
        "manifestYamlDoc",
        &[p("value"), opt("indent_array_in_object", yaml::no), opt("quote_keys", yaml::yes)],
        "forall a. a -> Bool -> Bool -> String",
        "The value as a YAML document.",
        yaml::manifest_yaml_doc,
    ),
    function(
        "manifestYamlStream",
        &[
            p("value"),
            opt("indent_array_in_object", yaml::no),
            opt("c_document_end", yaml::yes),
            opt("quote_keys", yaml::yes),
        ],
        "forall a. Array a -> Bool -> Bool -> Bool -> String",
        "Every element as a document of a YAML stream.",
        yaml::manifest_yaml_stream,
    ),
    function("parseJson", &[p("str")], "String -> Dyn", "The value that a text of JSON stands for.", json::parse_json),
    function(
        "parseYaml",
        &[p("str")],
        "String -> Dyn",
        "The value that a text of YAML stands for; where the text has `---`, the array of its documents.",
        yaml_reader::parse_yaml,
    ),
];
