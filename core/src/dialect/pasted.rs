//! Recognizes data of other formats in an input: lines of YAML, TOML or `.env` that were pasted at a prompt.

/// A format of data, with the ending of the name of such a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PastedFormat {
    /// `YAML`
    pub title: &'static str,
    /// `yaml`
    pub ending: &'static str,
}

const YAML: PastedFormat = PastedFormat { title: "YAML", ending: "yaml" };
const TOML: PastedFormat = PastedFormat { title: "TOML", ending: "toml" };
const JSON: PastedFormat = PastedFormat { title: "JSON", ending: "json" };
const VARIABLES: PastedFormat = PastedFormat { title: "a file of variables", ending: "env" };

/// Returns the format that each line of a text has. `None` for one line, which may be a slip, and for a text that may be a
/// program. The text need not be valid.
pub fn format_of(text: &str) -> Option<PastedFormat> {
    let lines = || text.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    // one line may be a slip
    lines().nth(1)?;
    let is_bracketed = text.trim().starts_with(['{', '[']) && text.trim().ends_with(['}', ']']);
    if is_bracketed && lines().any(|line| line.trim_start().starts_with('"') && line.contains("\":")) {
        return Some(JSON);
    }
    if lines().all(is_variable) && lines().any(has_bare_text) {
        return Some(VARIABLES);
    }
    if lines().any(is_table) && lines().all(|line| is_table(line) || is_assignment(line) || is_indented(line)) {
        return Some(TOML);
    }
    let is_yaml = |line: &str| is_key(line) || is_item(line) || is_indented(line) || line.trim_end() == "---";
    let begins = lines().next().is_some_and(|line| !is_indented(line));
    // `a : T = 1` is a definition
    (begins && lines().all(is_yaml) && !lines().any(|line| !is_indented(line) && line.contains(" = "))).then_some(YAML)
}

/// Returns `true` for lines of a template, such as those of Helm and Jinja: a line begins with `{{` or `{%`, or has a key with `{{ .`.
pub fn is_template(text: &str) -> bool {
    text.trim().contains('\n')
        && text.lines().map(str::trim).any(|line| {
            let begins = line.starts_with("{{") && line.contains("}}") || line.starts_with("{%") && line.contains("%}");
            begins || is_key(line) && (line.contains(": {{ .") || line.contains(": \"{{ ."))
        })
}

fn is_indented(line: &str) -> bool {
    line.starts_with([' ', '\t', ']', '}'])
}

/// `DB_HOST=db`, `export DB_HOST=db`
fn is_variable(line: &str) -> bool {
    let line = line.trim().trim_start_matches("export ");
    let Some((name, value)) = line.split_once('=') else { return false };
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    is_name && !value.starts_with([' ', '=', '{', '[', '('])
}

/// A value that is a text without quotes: `DB_HOST=db`. `A=1` may be a definition.
fn has_bare_text(line: &str) -> bool {
    let value = line.split_once('=').map_or("", |(_, value)| value.trim());
    value.starts_with(|c: char| c.is_ascii_lowercase() || c == '/') && !matches!(value, "true" | "false" | "null")
}

/// `[server]`, `[[servers]]`
fn is_table(line: &str) -> bool {
    let line = line.split(" #").next().unwrap_or(line).trim();
    let name = line.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]"));
    let name = name.or_else(|| line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')));
    name.is_some_and(|name| {
        let name = name.trim();
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(is_of_name)
    })
}

/// `host = "db"`
fn is_assignment(line: &str) -> bool {
    let Some((name, _)) = line.split_once('=') else { return false };
    let name = name.trim().trim_matches('"');
    !name.is_empty() && name.chars().all(is_of_name)
}

/// `kind: Service`, `spec:`
fn is_key(line: &str) -> bool {
    let Some((name, value)) = line.split_once(':') else { return false };
    let name = name.trim_matches(['"', '\'']);
    !name.is_empty()
        && name.chars().all(|c| is_of_name(c) || c == '/')
        && (value.is_empty() || value.starts_with([' ', '\t']))
}

/// `- a`
fn is_item(line: &str) -> bool {
    line.starts_with("- ") || line.trim_end() == "-"
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

#[cfg(test)]
mod tests {
    use super::{format_of, is_template};

    #[test]
    fn lines_of_data_have_a_format() {
        let format = |text: &str| format_of(text).map_or("", |format| format.ending);
        assert_eq!(format("apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n"), "yaml");
        assert_eq!(format("# ports\nports:\n- name: http\n  port: 80\n- 81"), "yaml");
        assert_eq!(format("[server]\nhost = \"a\"\nport = 80"), "toml");
        assert_eq!(format("title = \"x\"\n\n[[servers]]\nports = [\n  1,\n]"), "toml");
        assert_eq!(format("{\n  \"a\": 1\n}"), "json");
        assert_eq!(format("DB_HOST=localhost\nexport DB_PORT=5432"), "env");
    }

    #[test]
    fn a_template_is_recognized_by_its_braces() {
        assert!(is_template("{{- if .Values.a }}\nkind: Service\n{{- end }}"));
        assert!(is_template("name: {{ .Values.name }}\nport: 80"));
        assert!(!is_template("{{ a }}"));
        assert!(!is_template("{ a = { b = 1 }}\n{ c = 2 }"));
    }

    #[test]
    fn programs_have_none() {
        for text in [
            "x = 1\ny = x + 1",
            "a: Number = 1\nb: String = \"x\"",
            "x : Number\n",
            "name: web",
            "[x]",
            "[x]\n[y]\nf x",
            "{ a: 1,\n  b: 2 }",
            "let x = 1 in\n  x",
            "PORT = 80\nHOST = x",
        ] {
            assert_eq!(format_of(text), None, "{text}");
        }
    }
}
