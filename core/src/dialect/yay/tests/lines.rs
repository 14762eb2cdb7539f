//! Tokens, indentation and syntax errors.

use super::{YAY, lowered};
use crate::dialect::yay::lexer::{is_document, lex};
use crate::dialect::{StdNames, Stop};
use crate::problem::report::Report;
use crate::styled::Role;
use crate::text::SourceId;

fn tokens(text: &str) -> String {
    let lexed = lex(text, Stop::NEVER);
    let shown = lexed.tokens.iter().map(|t| format!("{:?}", t.kind));
    shown.collect::<Vec<_>>().join(" ")
}

#[test]
fn indentation_makes_blocks() {
    for (text, expected) in [
        ("a: 1", "Key Colon Text Eof"),
        ("a:\n  b: 1\nc: 2", "Key Colon Newline Indent Key Colon Text Newline Dedent Key Colon Text Eof"),
        ("- a: 1\n  b: 2\n- x", "Hyphen Indent Key Colon Text Newline Key Colon Text Newline Dedent Hyphen Text Eof"),
        ("a:\n\n  # c\n  - 1", "Key Colon Newline Indent Hyphen Text Eof"),
        ("  a: 1\n  b: 2", "Key Colon Text Newline Key Colon Text Eof"),
        ("a:\n    b: 1\n  c: 2", "Key Colon Newline Indent Key Colon Text Newline Dedent Misplaced Key Colon Text Eof"),
        ("if x:\n  a: 1", "If Ident Colon Newline Indent Key Colon Text Eof"),
        ("if x and \\\n  y:\n  a: 1", "If Ident And Ident Colon Newline Indent Key Colon Text Eof"),
        ("% if x\n  a: 1", "Sign If Ident Newline Indent Key Colon Text Eof"),
        ("a: x{{ b }}y", "Key Colon Text Open Ident Close Text Eof"),
        ("a: {{ {'b': {}} }}", "Key Colon Open LBrace Single Colon LBrace RBrace RBrace Close Eof"),
        ("extend a:\n  - 1", "Extend Key Colon Newline Indent Hyphen Text Eof"),
        ("a + 1", "Ident Plus Number Eof"),
    ] {
        assert_eq!(tokens(text), expected, "\n{text}");
    }
}

#[test]
fn documents_are_told_from_expressions() {
    for (text, document) in [
        ("a: 1", true),
        ("a:", true),
        ("- 1", true),
        ("-1", false),
        ("a.b", false),
        ("x[1: 2]", false),
        ("{'a': 1}", false),
        ("{{ a }}", true),
        ("\"a b\": 1", true),
        ("\"a b\"", false),
        ("lambda x: x", false),
        ("if x:\n  a: 1", true),
        ("not x", false),
        ("set x = 1", true),
        ("extend a:\n  - 1", true),
        ("# nothing", true),
    ] {
        assert_eq!(is_document(text), document, "{text}");
    }
}

fn first_problem(text: &str) -> String {
    let program = super::super::program(SourceId(0), text, &StdNames);
    let Some(problem) = program.problems.first() else { return String::from("none") };
    let report = Report::of(problem, YAY.notation());
    let at = report.labels.first().map_or("", |l| &text[l.span.start as usize..l.span.end as usize]);
    format!("`{at}`: {}", report.message)
}

#[test]
fn syntax_errors() {
    for (text, expected) in [
        ("a: {{ 1 + }}", "`}}`: unexpected `}}`"),
        ("a: {{ 1", "`{{`: unclosed template `{{`"),
        ("if x\n  a: 1", "`\n`: unexpected end of the line"),
        ("else:\n  a: 1", "`else`: unexpected `else`"),
        ("a:\n    b: 1\n  c: 2", "`c: 2`: misplaced line"),
        ("a: 1\n    b: 2", "``: unexpected indented line"),
        ("for in x:\n  - 1", "`in`: unexpected `in`"),
        ("set = 1", "`=`: unexpected `=`"),
        ("a: {{ 'x }}", "`'`: unclosed string"),
        ("$", "`$`: unexpected `$`"),
    ] {
        assert_eq!(first_problem(text), expected, "\n{text}");
    }
}

#[test]
fn every_prefix_of_a_document_is_read() {
    let text = "a: 1\nb:\n  - x\n  - k: |\n      t {{ a }}\n    l: \"q {{ a }}\"\nif a:\n  for i in [1]:\n    - {{ i }}\nelse:\n  \
                select a:\n    x: 1\nmacro M:\n  p: {{ q }}\nnew P as z:\n  c: 3\nset x = (1,\n 2)\n% let y = 'a'\n";
    for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
        let _ = lowered(&text[..end]);
        let highlighted = YAY.highlight(&text[..end]);
        assert!(highlighted.windows(2).all(|pair| pair[0].0.end <= pair[1].0.start), "{}", &text[..end]);
    }
}

#[test]
fn parts_have_roles() {
    let text = "a: 1 # no\n# c\nif a == 'x':\n  b: t{{ a }}";
    let roles: Vec<(&str, Role)> = YAY.highlight(text).into_iter().map(|(range, role)| (&text[range], role)).collect();
    assert_eq!(
        roles,
        [
            ("a", Role::Name),
            (":", Role::Operator),
            ("1 # no", Role::String),
            ("# c", Role::Comment),
            ("if", Role::Keyword),
            ("==", Role::Operator),
            ("'x'", Role::String),
            (":", Role::Operator),
            ("b", Role::Name),
            (":", Role::Operator),
            ("t", Role::String),
            ("{{", Role::Operator),
            ("}}", Role::Operator),
        ]
    );
}
