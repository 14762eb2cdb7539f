//! The messages of session problems.

use super::{Label, Report, similar};
use crate::problem::session::{KindAdvice, SessionKind, SessionProblem, Similarity};
use crate::text::{Name, counted, shell_quoted};

/// Maximum number of names that a sentence lists.
const LISTED: usize = 4;

pub(super) fn write(problem: &SessionProblem, report: &mut Report) {
    let mut label = String::new();
    match &problem.what {
        SessionKind::NotFound { path, tried, near } => {
            report.message = format!("no file `{path}`");
            label = String::from("imported here");
            if problem.span.is_some() && near.is_empty() {
                report.notes.push(String::from("a path begins at the folder of the file that imports it"));
            }
            if tried.len() > 1 {
                report.notes.push(format!("looked for {}", list(tried, "and")));
            } else if let Some(only) = tried.first().filter(|only| *only != path) {
                report.notes.push(format!("looked for `{only}`"));
            }
            report.suggestions.extend(similar(near));
        }
        SessionKind::Unreadable { path, reason } => {
            let path = if path.is_empty() { "." } else { path.as_str() };
            report.message = format!("cannot read `{path}`: {reason}");
            label = String::from("imported here");
        }
        SessionKind::Stale { result, names, files, variables } => {
            let since = [(names, "was defined again"), (files, "was read again"), (variables, "was changed")];
            let since = since.into_iter().filter(|(all, _)| !all.is_empty());
            let since: Vec<String> = since.map(|(all, what)| format!("before {} {what}", list(all, "and"))).collect();
            report.message = format!("`{result}` was computed {}", since.join(" and "));
            label = String::from("the result keeps its old value");
        }
        SessionKind::Unwritable { path, reason } => report.message = format!("cannot write `{path}`: {reason}"),
        SessionKind::UnknownFormat { path, format, formats } => {
            report.message = format!("`{format}` is not a format that `{path}` can be imported as");
            report.suggestions.push(format!("formats: {}", super::formats(formats)));
        }
        SessionKind::LayerReplaced { above, below, kinds, lower, advice } => {
            let [own, other] = **kinds;
            report.message = format!("`{above}`, {own}, replaces `{below}`, {other}");
            label = format!("{own}: the result");
            report.labels.push(Label { span: *lower, text: format!("{other}: replaced as a whole") });
            report.suggestions.extend(advice.iter().map(|advice| advice.to_string()));
        }
        SessionKind::KindReplaced { path, kinds: [own, other], advice, lower, is_covered } => {
            let is_scalar = !matches!(*other, "a mapping" | "a list");
            let lost = if is_scalar { "" } else { ", which is lost" };
            report.message = format!("`{path}` is {own} here and {other} in a lower layer{lost}");
            label = if *is_covered { String::from(*own) } else { format!("{own}: the result") };
            let replaced = if is_scalar { "replaced" } else { "replaced as a whole" };
            report.labels.extend(lower.map(|span| Label { span, text: format!("{other}: {replaced}") }));
            report.suggestions.extend(advice.as_ref().map(|advice| {
                String::from(match &**advice {
                    KindAdvice::SetString => "`--set-string` says that a string is meant",
                    KindAdvice::Unquote => match *other {
                        "a number" => "without quotes it is a number",
                        _ => "without quotes it is a boolean",
                    },
                    KindAdvice::Quote => "in quotes it is a string",
                    KindAdvice::TrueOrFalse => "write `true` or `false`: words such as `yes` and `on` are strings",
                    KindAdvice::KeepMapping => "to keep the mapping, write `{}` here, or delete the key: null does not remove a key here, although it does in Helm",
                    KindAdvice::MergeMapping => {
                        "mappings are merged: write one here, or delete the key to keep it as it is"
                    }
                    KindAdvice::KeepList => "to keep the list, delete the key; an empty list is `[]`",
                    KindAdvice::KeepValue => "to keep the value of the lower layer, delete the key",
                    KindAdvice::SetInside => match *other {
                        "a list" => return format!("the path of an element has its number: `{path}[0]`"),
                        _ => return format!("`{path}` has no keys: a path to the value itself is `{path}=…`"),
                    },
                    KindAdvice::SetElement { key, value, index } => {
                        return format!("the element whose `{key}` is `{value}` is `{path}[{index}]`");
                    }
                    KindAdvice::OneElement => "in brackets it is a list of one element: `[x]`",
                    KindAdvice::Unit => "a number without a unit counts bytes: write the unit, as the lower layer does",
                    KindAdvice::SameKind => {
                        return format!("write {other} here, or {own} in the lower layer too");
                    }
                    KindAdvice::SetKey => {
                        return format!("to change one of its keys, give the path of the key: `{path}.KEY=…`");
                    }
                    KindAdvice::ListForm(key, None) => {
                        return format!("lists are merged with lists only: write elements that have the key `{key}`");
                    }
                    KindAdvice::ListForm(_, Some(form)) | KindAdvice::MappingForm(form) => return form.to_string(),
                })
            }));
        }
        SessionKind::SimilarKey { path, meant, lower, how } => {
            let (what, verb) = match how {
                Similarity::Element(_) => ("element", "has"),
                Similarity::Declared => ("key", "declares"),
                _ => ("key", "has"),
            };
            report.message = format!("the {what} `{path}` is new here, and a lower layer {verb} `{meant}`");
            label = match how {
                Similarity::Element(key) => format!("no lower layer has an element with this `{key}`"),
                Similarity::OtherLevel => String::from("no lower layer has this key at this level"),
                _ => String::from("no lower layer has this key"),
            };
            let stays = match how {
                Similarity::Declared => "this key has no value",
                Similarity::Element(_) => "this element stays as it is",
                _ => "this value stays as it is",
            };
            report.labels.extend(lower.map(|span| Label { span, text: String::from(stays) }));
            report.suggestions.push(match how {
                Similarity::Dotted(Some(form)) => form.to_string(),
                Similarity::Split(path) => format!("a name with a point is quoted in a path: `{path}`"),
                Similarity::OtherLevel => match meant.rsplit_once('.') {
                    Some((around, name)) => format!("to change `{meant}`, write `{name}` inside of `{around}`"),
                    None => format!("to change `{meant}`, write it at the top, not inside of another key"),
                },
                _ => format!("did you mean `{meant}`?"),
            });
        }
        SessionKind::NoKeyInElement { path, key, other } => {
            report.message = format!("`{path}` has no `{key}`, so it is added to the list and merged with no element");
            label = format!("this element has no `{key}`");
            report.suggestions.push(match other {
                Some(other) => {
                    let list = path.rsplit_once('[').map_or(path.as_str(), |(list, _)| list);
                    let option = shell_quoted(&format!("{list}=key:{other}"));
                    format!("all elements have `{other}`: `--list {option}` merges them by it")
                }
                None => format!("write the `{key}` of the element that it changes"),
            });
        }
        SessionKind::SeveralDocuments { path, count, other } => {
            report.message = format!("`{path}` holds {count} documents, and `{other}` is one mapping without a name");
            label = String::from("another document begins here");
            report.notes.push(String::from("documents of a stream are merged by `kind` and `metadata.name`"));
            report.suggestions.push(String::from("to merge one mapping, remove the line `---` before this document"));
        }
        SessionKind::SimilarDocument { name, meant, lower } => {
            report.message = format!("the document `{name}` is new here, and a lower layer has `{meant}`");
            label = String::from("no lower layer has this document");
            report.labels.push(Label { span: *lower, text: String::from("this document stays as it is") });
            report.suggestions.push(format!("did you mean `{meant}`?"));
        }
        SessionKind::NotInSchema { key, meant, declared } => {
            report.message = format!("the schema has no key `{key}`");
            label = String::from("not checked: the schema allows other keys");
            report.labels.push(Label { span: *declared, text: String::from("this key has no value") });
            report.suggestions.push(format!("did you mean `{meant}`?"));
        }
        SessionKind::UnknownField { key, meant, declared } => {
            report.message = format!("the resource has no field `{key}` here");
            label = String::from("Kubernetes refuses or drops it");
            report.labels.push(Label { span: *declared, text: String::from("its fields") });
            report.suggestions.extend(meant.iter().map(|meant| format!("did you mean `{meant}`?")));
        }
        SessionKind::OtherKind { key, found, described } => {
            report.message = format!("the schema does not describe the {key} `{found}`");
            label = format!("expected {}", list(described, "or"));
            let near = crate::text::near(found, described.iter().map(Name::as_str));
            report.suggestions.extend(near.first().map(|near| format!("did you mean `{near}`?")));
        }
        SessionKind::OtherUse { path, what, option } => {
            report.message = format!("`{path}` looks like {what}, and is merged as a layer");
            label = format!("{what} begins so");
            report.suggestions.push(format!("did you mean `{option}`?"));
        }
        SessionKind::Slip(slip) => {
            report.message.clone_from(&slip.message);
            label.clone_from(&slip.label);
            report.labels.extend(slip.other.iter().map(|(span, text)| Label { span: *span, text: text.clone() }));
            report.notes.extend(slip.note.clone());
            report.suggestions.extend(slip.help.clone());
        }
        SessionKind::TextLayer { path } => {
            report.message = format!("`{path}` is one text, and would replace the secrets of a lower layer");
            label = String::from("expected a mapping");
            report.suggestions.push(String::from("a key is followed by a colon and a space: `key: value`"));
        }
        SessionKind::OneUnderscore { name, meant, variable } => {
            report.message = format!("the key `{name}` is new here, and a lower layer has `{meant}`");
            label = String::from("one underscore is a part of a name");
            report.suggestions.push(format!("two underscores separate the names of a path: `{variable}`"));
        }
        SessionKind::NoSuchList { path, near, kind, lists } => {
            report.message = match kind {
                Some(kind) => format!("the rule for `{path}` has no effect: the value there is {kind}, not a list"),
                None => format!("the rule for `{path}` has no effect: no layer has this path"),
            };
            label = match kind {
                Some(kind) => String::from(*kind),
                None => String::from("no layer has this"),
            };
            report.suggestions.push(match (near, &**lists) {
                (Some(near), _) => format!("did you mean `{near}`?"),
                (None, []) => String::from("no layer has a list: remove the rule"),
                (None, [only]) => format!("the only list is `{only}`"),
                (None, all) => format!("the lists are {}", first_of(all)),
            });
        }
        SessionKind::NoSuchKey { path, key, near, keys } => {
            report.message = format!("the rule for `{path}` merges no elements: none of them has the field `{key}`");
            label = String::from("no element has this field");
            report.suggestions.extend(match (near, &**keys) {
                (Some(near), _) => Some(format!("did you mean `key:{near}`?")),
                (None, []) => None,
                (None, [only]) => Some(format!("`key:{only}` identifies each element")),
                (None, [first, ..]) => Some(format!("each of {} identifies an element: `key:{first}`", first_of(keys))),
            });
        }
        SessionKind::OtherObject { objects: [own, other], lower } => {
            report.message = format!("`{own}` is merged over `{other}`, which is another object");
            label = format!("this file holds `{own}`");
            report.labels.push(Label { span: *lower, text: format!("and the one below it `{other}`") });
            report.notes.push(String::from("the result is one object, with the keys of both"));
            report.suggestions.push(String::from(
                "to keep both objects, put `---` between them in one file: documents of a stream are merged by `kind` and \
                 `metadata.name`",
            ));
        }
        SessionKind::NamelessDocument { path, count } => {
            report.message = match count {
                1 => format!("`{path}` is not one of the documents that it is merged with"),
                count => format!("`{path}` holds {count} documents, and this one has no name to merge it by"),
            };
            report.notes.push(String::from("documents of a stream are merged by `kind` and `metadata.name`"));
        }
        SessionKind::BadExternal { why } => {
            report.message = why.to_string();
        }
        SessionKind::NotUtf8 => {
            report.message = String::from("this text is not UTF-8");
            label = String::from("the first invalid bytes");
        }
        SessionKind::NotBuilt { dialect, built } => {
            report.message = format!("the dialect `{dialect}` is not built yet");
            report.suggestions.push(format!("the dialects that are: {}", built.join(", ")));
        }
        SessionKind::ImportCycle { files } => {
            report.message = String::from("these files import each other in a cycle");
            label = String::from("the cycle closes here; the type of this import is unknown");
            let mut ring = files.clone();
            ring.extend(files.first().cloned());
            report.notes.push(ring.iter().map(|f| format!("`{f}`")).collect::<Vec<_>>().join(" imports "));
        }
        SessionKind::DefinitionCycle { names } => {
            report.message = match names.as_slice() {
                [first, second] => format!("`{first}` and `{second}` read each other now"),
                _ => format!("these definitions read each other in a cycle now: {}", list(names, "and")),
            };
            label = String::from("this definition closes the cycle");
            report.notes.push(String::from("a name refers to its newest definition, in earlier definitions too"));
            if let Some(name) = names.first() {
                report.suggestions.push(format!("only in its own definition does `{name}` refer to the previous one"));
            }
        }
        SessionKind::Reserved { name } => {
            report.message = format!("`{name}` is the library and cannot be defined");
        }
        SessionKind::UnknownCommand { name, near, ambiguous: true } => {
            report.message = format!("`:{name}` may mean {}", list_commands(near));
        }
        SessionKind::UnknownCommand { name, near, ambiguous: false } => {
            report.message = format!("no command `:{name}`");
            if let Some(first) = near.first() {
                report.suggestions.push(format!("did you mean `:{first}`?"));
            }
            report.suggestions.push(String::from("`:help` lists the commands"));
        }
        SessionKind::Pasted { title, ending } => {
            report.message = format!("this is {title}, not a program: nothing was bound");
            label = format!("the input looks like {title} from here");
            report.suggestions.push(format!(
                "save it in a file: `:load data.{ending}` binds its fields, and `import \"data.{ending}\"` is its value"
            ));
        }
        SessionKind::BadCommand { why, usage, meant, example } => {
            report.message = why.to_string();
            report.suggestions.extend(meant.as_ref().map(|meant| format!("did you mean `{meant}`?")));
            if !usage.is_empty() {
                report.suggestions.push(format!("usage: {usage}"));
            }
            if let Some(command) = usage.strip_prefix(':').and_then(|usage| usage.split(' ').next()) {
                report.suggestions.push(match example {
                    Some(example) => format!("for example `{example}`; `:help {command}` explains it"),
                    None => format!("`:help {command}` shows an example"),
                });
            }
        }
        SessionKind::Configuration { why, help } => {
            report.message = why.to_string();
            label = String::from("left out");
            report.suggestions.extend(help.iter().map(ToString::to_string));
        }
        SessionKind::UnknownOption { name, near } => {
            report.message = format!("no option `{name}`");
            if let Some(first) = near.first() {
                report.suggestions.push(format!("did you mean `{first}`?"));
            }
            report.suggestions.push(String::from("`:set` lists the options"));
        }
        SessionKind::BadPath { path, why } => {
            report.message = format!("`{path}` is not a path: {why}");
            report
                .suggestions
                .push(String::from("a path is `a.b.c`, elements are `a[0]`, odd names are quoted: `a.\"b c\"`"));
        }
        SessionKind::NotFormatted { path, why } => report.message = format!("{path}: {why}"),
        SessionKind::NoEdit { path, why, help } => {
            report.message = format!("no file was changed: {why}");
            report.notes.push(format!("the value of `{path}` was to be changed and nothing else"));
            report.suggestions.extend(help.iter().map(Name::to_string));
        }
        SessionKind::BadAssignment { why } => report.message = why.to_string(),
        SessionKind::InLibraries { warnings, files } => {
            let files = counted(*files, "file");
            report.message = format!("{} in {files} of libraries; `--all` shows them", counted(*warnings, "warning"));
        }
        SessionKind::Known { found, gone: 0 } => {
            report.message = format!("{} of the baseline", counted(*found, "known problem"));
        }
        SessionKind::Known { found, gone } => {
            let found = counted(*found, "known problem");
            report.message = format!("{found} of the baseline; {gone} of it no longer found");
            report.suggestions.push(String::from("delete the baseline and check again to record the problems again"));
        }
        SessionKind::Recorded { path, problems } => {
            report.message = format!("{} recorded in `{path}`", counted(*problems, "problem"));
        }
        SessionKind::BadBaseline { path, why } => {
            report.message = format!("`{path}` is not a baseline: {why}");
            report
                .suggestions
                .push(String::from("name a file that does not exist: the check records the problems in it"));
        }
        SessionKind::NoSuchInput { path, near } => {
            report.message = format!("the program has no field `{path}` to assign to");
            if let Some(first) = near.first() {
                report.suggestions.push(format!("did you mean `{first}`?"));
            }
        }
        SessionKind::NotAnInput { path, text } => {
            report.message = format!("`{path}` already has a value");
            report.notes.push(String::from("fields without a value and with a default can be assigned"));
            report.suggestions.push(format!("`-- --override {}` overrides it", shell_quoted(text)));
        }
        SessionKind::BadStack { why } => {
            report.message = why.to_string();
            report.suggestions.push(String::from("`cfg merge --help` says what a stack contains"));
        }
        SessionKind::NoSuchDocument { path, near, documents } => {
            report.message = format!("the path `{path}` does not begin with a document");
            if let Some(first) = near.first() {
                report.suggestions.push(format!("did you mean `{first}`?"));
            }
            report.notes.push(format!("the documents are {}", list(documents, "and")));
            if let Some(first) = documents.first().filter(|_| near.is_empty() && !path.starts_with('[')) {
                report.suggestions.push(format!("begin with one of them: `{first}.{path}`"));
            }
        }
        SessionKind::NoVariables { prefix } => {
            report.message = format!("no environment variable begins with `{prefix}`");
            let upper = prefix.to_uppercase();
            if upper != prefix.as_str() {
                report
                    .suggestions
                    .push(format!("capitals matter, and most names of variables are in capitals: `{upper}`"));
            }
        }
        SessionKind::NoPathOfVariable { variable } => {
            report.message = format!("the variable `{variable}` has no effect: a part of its path is empty");
            report.notes.push(String::from("`__` separates the parts of a path: `SERVER__PORT` is `server.port`"));
        }
        SessionKind::ListReplaced { lists } => {
            let path = lists.first().map_or("", |first| first.path.as_str());
            report.message = match lists.len() {
                1 => format!("the list `{path}` replaces that of a lower layer"),
                count => format!("{count} lists replace those of lower layers"),
            };
            label = String::from("this list is the result");
            if let Some(lower) = lists.first().and_then(|first| first.lower) {
                report.labels.push(Label { span: lower, text: String::from("elements of this list are lost") });
            }
            if lists.len() > 1 {
                let all: Vec<Name> = lists.iter().take(8).map(|list| list.path.clone()).collect();
                let more = lists.len() - all.len();
                let more = if more > 0 { format!(", and {more} more") } else { String::new() };
                report.notes.push(format!("{}{more}", list(&all, "and")));
            }
            let option = |rule: &str| format!("`--list {}`", shell_quoted(&format!("{path}={rule}")));
            let append = option("append");
            report.suggestions.push(match lists.first().and_then(|first| first.key.as_ref()) {
                Some(key) => format!("{append} or {} combines them", option(&format!("key:{key}"))),
                None => format!("{append} combines them"),
            });
            report.suggestions.push(format!("{} says that it is meant", option("replace")));
        }
        SessionKind::NoResource { label: resource, near } => {
            report.message = format!("there is no resource `{resource}`");
            if let Some(first) = near.first() {
                report.suggestions.push(format!("did you mean `{first}`?"));
            }
        }
        SessionKind::NothingThere { path, near } => {
            report.message = format!("unknown name `{path}`");
            if let Some(first) = near.first() {
                report.suggestions.push(format!("did you mean `{first}`?"));
            }
        }
    }
    if let Some(span) = problem.span {
        report.labels.insert(0, Label { span, text: label });
    }
}

fn list(names: &[Name], last: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
    match quoted.split_last() {
        Some((only, [])) => only.clone(),
        Some((end, rest)) => format!("{} {last} {end}", rest.join(", ")),
        None => String::new(),
    }
}

/// Lists the first names, and says whether there are more.
fn first_of(names: &[Name]) -> String {
    match names.get(..LISTED).filter(|_| names.len() > LISTED) {
        Some(first) => format!("{}, …", list(first, "and").replace(" and ", ", ")),
        None => list(names, "and"),
    }
}

fn list_commands(names: &[Name]) -> String {
    let with_colon: Vec<Name> = names.iter().map(|n| Name::from(format!(":{n}"))).collect();
    list(&with_colon, "or")
}
