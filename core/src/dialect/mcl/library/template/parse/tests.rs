//! Messages of templates that cannot be parsed.

use super::parse;

#[test]
fn errors_say_what_was_expected_and_at_which_line() {
    for (text, line, message) in [
        ("{{ .a", 1, "expected `}}` at the end of an action"),
        ("{{/* x", 1, "expected `*/` at the end of a comment"),
        ("{{/* x */ y }}", 1, "expected `}}` after a comment"),
        ("{{ \"x }}", 1, "a literal has no closing quote, or an unknown escape"),
        ("{{ 0x }}", 1, "invalid number `0x`"),
        ("a\n{{ if .a }}", 2, "expected `{{ end }}` of a block, found the end of the template"),
        ("{{ if .a }}{{ else }}{{ else }}{{ end }}", 1, "a block has a second `{{ else }}`"),
        ("{{ if }}{{ end }}", 1, "expected a value or a function"),
        ("{{ if .a }}{{ end x }}", 1, "expected `}}` after `end`"),
        ("{{ if .a ) }}{{ end }}", 1, "expected `}}` after the pipeline"),
        ("{{ break x }}", 1, "expected `}}` after `break`"),
        ("{{ template x }}", 1, "expected the name of a template, in quotes"),
        ("{{ template \"x\" . ) }}", 1, "expected `}}` after the pipeline"),
        ("{{ define \"x\" }}", 1, "expected `{{ end }}` of a definition, found the end of the template"),
        ("{{ define \"x\" }}{{ else }}", 1, "expected `{{ end }}` of a definition, found `{{ else }}`"),
        ("{{ if $a, $b := .c }}{{ end }}", 1, "only `range` can set two variables"),
        ("{{ .a | 1 }}", 1, "only a function can follow `|`"),
        ("{{ (.a }}", 1, "expected `)`"),
        ("{{ .a := 1 }}", 1, "unexpected `:=`"),
        ("{{ $a }}", 1, "undefined variable `$a`"),
        ("{{ end }}", 1, "`{{ end }}` without a block"),
    ] {
        let error = parse(text).err().map(|error| (error.line, error.message));
        assert_eq!(error, Some((line, String::from(message))), "{text}");
    }
}
