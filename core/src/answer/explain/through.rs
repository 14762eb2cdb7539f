//! The statements that a resource comes through: the class that its definition is in, the includes of that class, and the
//! imports of their files. An include counts if the program, evaluated again without it, lacks the resource.

use super::{EditTarget, Explanation, Place, place};
use crate::answer::fixes::{Edit, Reevaluate};
use crate::answer::resources::{is_graph, labels};
use crate::dialect::AstNode;
use crate::state::Workspace;
use crate::text::path::Step;
use crate::text::{Name, Span};
use crate::value::Thunk;

/// Maximum number of includes to try. Each try evaluates the program again.
const TRIED: usize = 16;
/// Maximum number of statements.
const MOST: usize = 24;

/// A class, include or import in a text.
struct Statement {
    kind: &'static str,
    text: String,
    span: Span,
}

/// Adds the name of the resource, and the statements that it comes through, to the explanation of a part of it.
pub fn add(
    session: &mut Workspace,
    again: &dyn Reevaluate,
    target: EditTarget<'_>,
    (root, whole): (&Thunk, Option<Span>),
    steps: &[Step],
    explanation: &mut Explanation,
) {
    let [Step::Field(list), Step::Index(index), rest @ ..] = steps else { return };
    if list != "resources" {
        return;
    }
    let Some(label) = labels(session, root).get(*index).cloned() else { return };
    let mut title = label.to_string();
    for (at, step) in rest.iter().enumerate() {
        match step {
            Step::Field(section) if at == 0 && section == "fields" => {}
            Step::Field(section) if at == 0 && section == "meta" => title += ".Meta",
            Step::Field(field) if title.ends_with(".Meta") => title += &format!(":{field}"),
            Step::Field(field) => title += &format!(".{field}"),
            Step::Index(index) => title += &format!("[{index}]"),
        }
    }
    explanation.title = Some(title);
    let places: Vec<Span> = explanation.definitions.iter().filter_map(|d| Some(d.place.as_ref()?.span)).collect();
    if places.is_empty() {
        return;
    }
    let statements = statements(session, whole);
    let mut needed: Vec<&Statement> = Vec::new();
    for include in statements.iter().filter(|s| s.kind == "include").take(TRIED) {
        if session.is_stopped() {
            return;
        }
        if is_needed(session, again, target, include, &label) {
            needed.push(include);
        }
    }
    let mut through: Vec<&Statement> = Vec::new();
    for at in places.into_iter().take(MOST) {
        for statement in chain(&statements, needed.clone(), at, session) {
            if !through.iter().any(|other| other.span == statement.span) {
                through.push(statement);
            }
        }
    }
    through.truncate(MOST);
    explanation.through =
        through.into_iter().map(|s| Place { text: s.text.clone(), ..place(session, s.span) }).collect();
}

/// Returns the statements of the texts in use, and of the text of the whole value.
fn statements(session: &Workspace, whole: Option<Span>) -> Vec<Statement> {
    let mut out = Vec::new();
    let mut sources = session.program_sources();
    if let Some(span) = whole
        && !sources.contains(&span.source)
    {
        sources.push(span.source);
    }
    for source in sources {
        let (Some(dialect), Some(text)) = (session.dialect_of(source), session.text_of(source)) else { continue };
        if !dialect.rules().makes_resources() || text.trim_start().starts_with(':') {
            continue;
        }
        let nodes = dialect.ast(source, &text, session.names().stop());
        let named = |node: AstNode| {
            matches!(node.kind, "class" | "include" | "import").then(|| {
                let written = text.get(node.span.start as usize..node.span.end as usize).unwrap_or_default();
                // only the head of a class is shown
                let written =
                    if node.kind == "class" { written.split('{').next().unwrap_or_default() } else { written };
                Statement { kind: node.kind, text: crate::text::on_one_line(written.trim()), span: node.span }
            })
        };
        out.extend(nodes.into_iter().filter_map(named));
    }
    out
}

/// Returns `true` if a resource is missing when an include is removed. Evaluates the program again.
fn is_needed(
    session: &Workspace,
    again: &dyn Reevaluate,
    target: EditTarget<'_>,
    include: &Statement,
    label: &Name,
) -> bool {
    let blank = " ".repeat((include.span.end - include.span.start) as usize);
    let without = again.with_edits(target, &[Edit { span: include.span, text: blank }], false);
    match without.map(|(mut edited, thunk)| is_graph(&mut edited, &thunk).then(|| labels(&mut edited, &thunk))) {
        Some(Some(labels)) => !labels.contains(label),
        // the question cannot be asked again if the include was the whole input
        Some(None) | None => {
            let text = session.text_of(include.span.source).unwrap_or_default();
            let inside = text.get(include.span.start as usize..include.span.end as usize).unwrap_or_default();
            text.trim() == inside.trim()
        }
    }
}

/// Returns the statements from the definition outwards.
fn chain<'s>(
    all: &'s [Statement],
    mut needed: Vec<&'s Statement>,
    mut at: Span,
    session: &Workspace,
) -> Vec<&'s Statement> {
    let inside = |inner: Span, outer: Span| {
        inner.source == outer.source && outer.start <= inner.start && inner.end <= outer.end && inner != outer
    };
    let mut out: Vec<&Statement> = Vec::new();
    while out.len() < MOST {
        let around = all.iter().filter(|s| s.kind == "class" && inside(at, s.span));
        let Some(class) = around.min_by_key(|s| s.span.end - s.span.start) else { break };
        out.push(class);
        let name = class.text.split(|c: char| c == '(' || c.is_whitespace()).nth(1).unwrap_or_default();
        let of_class = |include: &&Statement| {
            let used = include.text.split(|c: char| c == '(' || c.is_whitespace()).nth(1).unwrap_or_default();
            used.rsplit(['.', ':']).next() == name.rsplit(':').next()
        };
        let mut includes = all.iter().filter(|s| s.kind == "include").filter(of_class);
        let include = match (needed.iter().position(of_class), includes.next(), includes.next()) {
            (Some(found), ..) => needed.remove(found),
            // a resource that several classes make is not missing without one of them
            (None, Some(only), None) => only,
            _ => break,
        };
        out.push(include);
        if include.span.source != class.span.source {
            let file = session.name_of(class.span.source).unwrap_or_default();
            let imports = all.iter().filter(|s| s.kind == "import" && s.span.source != class.span.source);
            let of_file = |import: &&Statement| {
                let path = import.text.split('"').nth(1).unwrap_or_default().trim_start_matches("./");
                !path.is_empty() && file.contains(path)
            };
            out.extend(imports.filter(of_file).take(1));
        }
        at = include.span;
    }
    out
}
