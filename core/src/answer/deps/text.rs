//! Dependencies as text: a tree.

use crate::answer::Renderer;
use crate::answer::deps::{Deps, Direction};
use crate::answer::shared::joined::Joined;
use crate::answer::shared::network::{Item, Label};
use crate::answer::shared::shown_path;
use crate::dialect::Dialect;
use crate::dialect::notation::value::one_line;
use crate::meta::Priority;
use crate::styled::table::Table;
use crate::styled::{Role, Styled};
use crate::text::path::{FieldPath, Step};
use crate::text::{Span, shell_argument, write_name};
use crate::value::datum::Datum;

/// Maximum number of lines of a tree.
const LINES: usize = 200;
/// Maximum number of lines about the path to the value.
const AROUND: usize = 20;
/// Maximum width of a value next to a name, in columns.
const VALUE: usize = 28;

/// Returns the name of an item for a reader.
pub fn shown_name(label: &Label, dialect: Dialect) -> Styled {
    match label {
        Label::Field(path) if !path.steps.is_empty() => Styled::of(Role::Name, shown_path(path, dialect)),
        _ => name(label),
    }
}

/// Returns the name of an item: the path of a field, or the name of another kind of item.
pub fn name(label: &Label) -> Styled {
    let mut out = Styled::new();
    let under = |out: &mut Styled, path: &FieldPath| {
        if !path.steps.is_empty() {
            let dot = if matches!(path.steps.first(), Some(crate::text::path::Step::Field(_))) { "." } else { "" };
            out.push(Role::Name, format!("{dot}{path}"));
        }
    };
    let quoted = |name: &str| {
        let mut text = String::new();
        let _ = write_name(name, &mut text);
        text
    };
    match label {
        Label::Field(path) if path.steps.is_empty() => out.plain("the whole"),
        Label::Field(path) => out.push(Role::Name, path.to_string()),
        Label::Local(name, path) => {
            // an anchor is named with its sign: `&base`
            out.push(Role::Keyword, if name.starts_with('&') { "anchor " } else { "let " });
            out.push(Role::Name, name);
            under(&mut out, path);
        }
        Label::Definition(name, path) => {
            out.push(Role::Name, name);
            under(&mut out, path);
        }
        Label::External(name, path) => {
            out.push(Role::Keyword, "given ");
            out.push(Role::Name, quoted(name));
            under(&mut out, path);
        }
        Label::Import(name, path) => {
            out.push(Role::Keyword, "import ");
            out.push(Role::String, format!("{:?}", name.as_str()));
            under(&mut out, path);
        }
        Label::Unnamed(name) => {
            out.push(Role::Dim, "…");
            out.push(Role::Name, format!(".{}", quoted(name)));
        }
    }
    out
}

/// Returns a short form of a value, on one line.
pub fn value(item: &Item, dialect: Dialect) -> Styled {
    match &item.value {
        Some(Datum::Elided(Some(1))) => Styled::of(Role::Dim, "{ 1 field }"),
        Some(Datum::Elided(Some(count))) => Styled::of(Role::Dim, format!("{{ {count} fields }}")),
        Some(value) => one_line(dialect.spelling(), value).cut(VALUE),
        None => Styled::new(),
    }
}

pub(super) fn priority(priority: &Priority) -> String {
    match priority {
        Priority::Normal => String::new(),
        Priority::Default => " default".into(),
        Priority::Force => " force".into(),
        Priority::Number(number) => format!(" priority {number}"),
        Priority::Layer(number) => format!(" layer {}", number + 1),
    }
}

/// Returns the place of an item, its priority, and the number of definitions that lost.
pub fn place(item: &Item, to: &Renderer<'_>) -> Styled {
    let mut out = Styled::new();
    if let Some(span) = item.place() {
        out.push(Role::Dim, to.place(span));
    }
    out.plain(priority(&item.priority()));
    let places = |spans: &[Span]| spans.iter().map(|span| to.place(*span)).collect::<Vec<_>>().join(", ");
    match item.joined() {
        Joined::Combined(count) if item.path().is_some() => out.plain(format!("  ({count} combined)")),
        Joined::Tie(others) => out.push(Role::Error, format!("  (ties with {})", places(&others))),
        Joined::Combined(_) | Joined::Alone => {}
    }
    let below = item.below();
    if !below.is_empty() {
        out.push(Role::Dim, format!("  (`super` reads {})", places(&below)));
    }
    match item.lost() {
        0 => {}
        lost => out.push(Role::Dim, format!("  ({lost} lost)")),
    }
    out
}

/// Returns the path of the question as text.
pub fn asked(deps: &Deps) -> String {
    if deps.path.steps.is_empty() { String::from("the whole") } else { deps.path.to_string() }
}

/// Returns the last line, which says whether the list is complete.
pub fn closing(deps: &Deps, to: &Renderer<'_>) -> String {
    if let Some(field) = deps.field.as_ref().filter(|_| !deps.network.cut && deps.listed().is_empty()) {
        let (own, option) = match deps.direction {
            Direction::Reads => ("It reads nothing outside of itself.", ""),
            Direction::UsedBy => ("Nothing outside of it reads it.", "--used-by "),
        };
        let path = |path: &FieldPath| shown_path(path, to.dialect);
        let field = path(&deps.path.then(Step::Field(field.clone())));
        return match to.hints.deps {
            "" => String::from(own),
            // the value of an expression has no name
            prompt if prompt.starts_with(':') && deps.path.steps.is_empty() => String::from(own),
            prompt if prompt.starts_with(':') => {
                format!("{own} One of its fields: `{prompt} {option}{field}`; all: `:graph {}`", path(&deps.path))
            }
            command => {
                let (graph, field) = (command.replacen(" deps ", " graph ", 1), shell_argument(&field));
                format!("{own} One of its fields: `{command} {option}{field}`; all: `{graph}`")
            }
        };
    }
    let text = match (deps.direction, deps.network.cut, deps.listed().is_empty()) {
        (_, true, _) => "The list is incomplete: the evaluation is too large, or was stopped.",
        (Direction::Reads, _, true) => "It reads nothing: only its own text can change this value.",
        (Direction::Reads, _, false) => {
            let only = "Nothing else can change this value.";
            return match to.hints.deps {
                "" => String::from(only),
                prompt if prompt.starts_with(':') => format!("{only} Reverse: `{prompt} --used-by <path>`"),
                _ if deps.path.steps.is_empty() => String::from(only),
                command => format!("{only} Reverse: `{command} --used-by {}`", shell_argument(&deps.path.to_string())),
            };
        }
        (Direction::UsedBy, _, true) => "Nothing reads it.",
        (Direction::UsedBy, _, false) => "Nothing else reads it.",
    };
    String::from(text)
}

/// Renders the answer as lines, without a line end after the last.
pub fn text(deps: &Deps, to: &Renderer<'_>) -> Styled {
    let items = &deps.network.items;
    let mut out = Styled::of(Role::Name, asked(deps));
    if let Some(item) = deps.asked.first().and_then(|n| items.get(*n)) {
        let place = place(item, to);
        if !place.is_empty() {
            out.plain("   ");
            out.append(&place);
        }
    }
    let mut table = Table::new().within(to.page);
    let mut lines = 0;
    let mut drawn = vec![false; items.len()];
    // The siblings that are still to be drawn, the next one last, and the prefix of their lines.
    let mut work: Vec<(Vec<usize>, String)> = vec![(deps.first().into_iter().rev().collect(), String::new())];
    while let Some((siblings, lead)) = work.last_mut() {
        let Some(number) = siblings.pop() else {
            work.pop();
            continue;
        };
        let (last, lead) = (siblings.is_empty(), lead.clone());
        let Some(item) = items.get(number) else { continue };
        lines += 1;
        if lines > LINES {
            break;
        }
        let mut row = Styled::of(Role::Dim, format!("{lead}{} ", if last { "`-" } else { "|-" }));
        row.append(&shown_name(&item.label, to.dialect));
        let next: Vec<usize> =
            deps.next.get(number).into_iter().flatten().copied().filter(|n| !deps.asked.contains(n)).collect();
        let again = drawn.get_mut(number).is_some_and(|drawn| std::mem::replace(drawn, true));
        let mut at = place(item, to);
        if again && !next.is_empty() {
            at.push(Role::Dim, "  (above)");
        }
        table.row([row, value(item, to.dialect), at]);
        if !again && !next.is_empty() {
            work.push((next.into_iter().rev().collect(), format!("{lead}{}", if last { "   " } else { "|  " })));
        }
    }
    let tree = table.fit();
    if !tree.is_empty() {
        out.plain("\n");
        out.append(&tree);
    }
    if lines > LINES {
        out.push(Role::Dim, format!("\n… more than {LINES} lines"));
    }
    if !deps.through.is_empty() {
        out.push(Role::Heading, "\nthe records around it are made from");
        let mut table = Table::new().indented(3).within(to.page);
        for item in deps.through.iter().take(AROUND).filter_map(|n| items.get(*n)) {
            table.row([shown_name(&item.label, to.dialect), value(item, to.dialect), place(item, to)]);
        }
        out.plain("\n");
        out.append(&table.fit());
        let more = deps.through.len().saturating_sub(AROUND);
        if more > 0 {
            out.push(Role::Dim, format!("\n   … and {more} more: `cfg deps --format json` lists all"));
        }
    }
    out.push(Role::Note, "\n");
    out.push(Role::Dim, closing(deps, to));
    out
}

#[cfg(test)]
mod tests {
    use crate::loader::NoLoader;
    use crate::session::{Event, Session};
    use expect_test::{Expect, expect};

    /// Checks the answer to the last of several inputs.
    fn check(inputs: &[&str], answer: Expect) {
        let mut session = Session::new(Box::new(NoLoader));
        let mut last = String::new();
        for input in inputs {
            let shown = session.submit(input).into_iter().filter_map(|event| match event {
                Event::Answer(text) => Some(text.text()),
                Event::Diagnostic { report, .. } => Some(report.text()),
                _ => None,
            });
            last = shown.collect::<Vec<_>>().join("\n");
        }
        answer.assert_eq(&last);
    }

    const CELLS: [&str; 4] = [
        "base = {\n  app.server = {\n    port | default = 8080,\n    host | default = \"localhost\",\n    url = \"http://%{host}:%{std.to_string port}\",\n    tags = [\"base\"],\n  },\n  app.probe = 10,\n}",
        "prod = { app.server.port = 443 }",
        "local = { app.server.port | force = 9443 }",
        "all = base & prod & local & { health = base.app.server.url }",
    ];

    #[test]
    fn trees() {
        let with = |command| [CELLS[0], CELLS[1], CELLS[2], CELLS[3], command];
        check(
            &with(":deps all.app.server.url"),
            expect![[r#"
            all.app.server.url   cfg[1]:5:11
            |- all.app.server.host  "localhost"  cfg[1]:4:22 default
            `- all.app.server.port  9443         cfg[3]:1:37 force  (2 lost)
            the records around it are made from
               base   { 1 field }  cfg[1]:1:8
               prod   { 1 field }  cfg[2]:1:8
               local  { 1 field }  cfg[3]:1:9
            Nothing else can change this value. Reverse: `:deps --used-by <path>`"#]],
        );
        check(
            &with(":deps all.app.server.port"),
            expect![[r#"
            all.app.server.port   cfg[3]:1:37 force  (2 lost)
            the records around it are made from
               base   { 1 field }  cfg[1]:1:8
               prod   { 1 field }  cfg[2]:1:8
               local  { 1 field }  cfg[3]:1:9
            Nothing else can change this value. Reverse: `:deps --used-by <path>`"#]],
        );
        check(
            &with(":deps --used-by all.app.server.port"),
            expect![[r#"
            all.app.server.port   cfg[3]:1:37 force  (2 lost)
            `- all.app.server.url  "http://localhost:9443"  cfg[1]:5:11
            Nothing else reads it."#]],
        );
        check(
            &with(":deps base --used-by"),
            expect![[r#"
            base   cfg[1]:1:8
            |- all         { 2 fields }             cfg[4]:1:7
            `- all.health  "http://localhost:8080"  cfg[4]:1:40
            Nothing else reads it."#]],
        );
        check(
            &with(":deps all.app.srver"),
            expect![[r#"
                error: missing field `srver` [value/missing-field]
                 --> cfg[1]:2:7
                  |
                2 |     app.server = {
                  |  _______^
                3 | |     port | default = 8080,
                4 | |     host | default = "localhost",
                5 | |     url = "http://%{host}:%{std.to_string port}",
                6 | |     tags = ["base"],
                7 | |   },
                  | |___^ this record has no such field
                  |
                  = help: did you mean `server`?"#]],
        );
        check(
            &["x = 1", "x = x + 1", ":deps x"],
            expect![[r#"
            x   cfg[2]:1:5
            `- x  1  cfg[1]:1:5
            Nothing else can change this value. Reverse: `:deps --used-by <path>`"#]],
        );
        check(
            &["x = 1", "f = fun n => n + x", ":deps f 3"],
            expect![[r#"
            the whole
            |- f  <function>  cfg[2]:1:5
            `- x  1           cfg[1]:1:5
            Nothing else can change this value. Reverse: `:deps --used-by <path>`"#]],
        );
        check(
            &["x = 1", "x + 1", ":deps it"],
            expect![[r#"
            the whole
            `- $2    2  cfg[2]:1:1
               `- x  1  cfg[1]:1:5
            Nothing else can change this value. Reverse: `:deps --used-by <path>`"#]],
        );
        check(
            &with(":graph"),
            expect![[r#"
            all                  reads  base, prod, local
            all.app.server.url   reads  all.app.server.host, all.app.server.port
            all.health           reads  base.app.server.url
            base.app.server.url  reads  base.app.server.host, base.app.server.port
            14 other fields read nothing, and nothing reads them."#]],
        );
        check(
            &with(":graph all.app.server.url"),
            expect!["all.app.server.url  reads  all.app.server.host, all.app.server.port"],
        );
    }

    #[test]
    fn trees_of_jsonnet() {
        let cells = [
            ":dialect jsonnet",
            "local base = { port:: 80, url: 'http://h:' + self.port, tags: ['a'], assert self.port > 1 }",
            "local app = base + { port:: 8080, tags+: ['b'], url: super.url + '/v1' }",
        ];
        check(
            &[cells[0], cells[1], cells[2], ":deps app.url"],
            expect![[r#"
                app.url   jsonnet[2]:1:54  (2 combined)
                `- app.port  8080  jsonnet[2]:1:29  (1 lost)
                the records around it are made from
                   base  { 3 fields }  jsonnet[1]:1:14
                Nothing else can change this value. Reverse: `:deps --used-by <path>`"#]],
        );
        check(
            &[cells[0], cells[1], cells[2], ":deps app.tags"],
            expect![[r#"
                app.tags   jsonnet[2]:1:42  (2 combined)
                the records around it are made from
                   base      { 3 fields }  jsonnet[1]:1:14
                   app.port  8080          jsonnet[2]:1:29  (1 lost)
                Nothing else can change this value. Reverse: `:deps --used-by <path>`"#]],
        );
    }
}
