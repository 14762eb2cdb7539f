//! Tests that the pages of `:help` show the real results of their inputs.

use super::{ALL, GROUPS, TOPICS, page_of};
use crate::dialect::Dialect;
use crate::loader::InMemory;
use crate::session::commands::script::{self, Part, pages};
use crate::session::{Event, Session};
use expect_test::expect_file;
use std::path::Path;

/// The files that the pages mention.
const FILES: [(&str, &str); 4] = [
    ("port.json", "{ \"type\": \"integer\", \"maximum\": 65535 }\n"),
    ("server.ncl", "{ host = \"localhost\", port = 80 }\n"),
    ("server.jsonnet", "{ host: 'localhost', port: 80 }\n"),
    ("server.yay", "host: localhost\nport: 80\n"),
];

fn session() -> Session {
    Session::new(Box::new(FILES.into_iter().collect::<InMemory>()))
}

/// Returns the pages of a language with the real results of their inputs.
fn run(dialect: Dialect) -> String {
    let page = |page: &script::Page| {
        let mut session = session();
        session.set_dialect(dialect).unwrap();
        script::tests::run(page, &mut session)
    };
    pages(dialect.0.help.pages).iter().map(page).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_the_pages_show_is_what_comes() {
    stacker::grow(64 << 20, || {
        expect_file!["../../../dialect/cfg/help.txt"].assert_eq(&run(Dialect::CFG));
        expect_file!["../../../dialect/jsonnet/help.txt"].assert_eq(&run(Dialect::JSONNET));
        expect_file!["../../../dialect/yay/help.txt"].assert_eq(&run(Dialect::YAY));
        expect_file!["../../../dialect/mcl/help.txt"].assert_eq(&run(Dialect::MCL));
    });
}

#[test]
fn every_command_and_topic_has_a_page_that_types_something_in_each_language() {
    let names = || ALL.iter().map(|command| command.name).chain(TOPICS.iter().map(|(name, _)| *name));
    for dialect in [Dialect::CFG, Dialect::JSONNET] {
        for name in names() {
            let parts = page_of(name, dialect, Dialect::CFG).map(|page| page.parts).unwrap_or_default();
            let types = parts.iter().any(|part| matches!(part, Part::Typed(_)));
            assert!(parts.iter().any(|part| matches!(part, Part::Explanation(_))), "{name} explains nothing");
            assert!(
                types || matches!(name, "keys" | "quit" | "config" | "magics"),
                "{name} has no example in {}",
                dialect.name()
            );
        }
    }
    let known = |name: &str| names().any(|known| known == name);
    assert!(
        [Dialect::CFG, Dialect::JSONNET]
            .into_iter()
            .flat_map(|dialect| pages(dialect.0.help.pages))
            .all(|page| known(page.title))
    );
}

#[test]
fn the_beginning_of_a_topic_is_enough() {
    let mut session = session();
    let mut first = |text: &str| {
        let events = session.submit(text);
        let Some(Event::Answer(page)) = events.first() else { return String::from("error") };
        page.text().lines().next().unwrap_or_default().to_owned()
    };
    for (text, title) in [
        (":help pri", "priorities"),
        (":help lay", "merging"),
        (":help magic", "magics"),
        // the name of a command comes first, and a full name before a topic
        (":help dif", ":diff"),
        (":help print", ":force"),
        (":help p", ":force"),
        (":help ty", ":type"),
    ] {
        assert!(first(text).starts_with(title), "{text}: {}", first(text));
    }
    // several topics
    assert_eq!(first(":help con"), ":constraints EXPRESSION");
}

/// Directives, the words that continue them, and functions have pages in their language.
#[test]
fn directives_and_functions_have_pages() {
    let mut session = session();
    session.set_dialect(Dialect::YAY).unwrap();
    let words =
        Dialect::YAY.keywords().iter().filter(|word| !matches!(**word, "and" | "or" | "not" | "is" | "in" | "as"));
    for word in words.copied().chain(["join", "range", "upper", "sub", "zip", "functions", "import", "yay", "rules"]) {
        let events = session.submit(&format!(":help {word}"));
        assert!(!events.iter().any(Event::is_error) && !events.is_empty(), "{word}: {events:?}");
    }
    // a word of another language has none
    assert!(session.submit(":help forall").iter().any(Event::is_error));
    session.set_dialect(Dialect::CFG).unwrap();
    assert!(session.submit(":help prototype").iter().any(Event::is_error));
}

#[test]
fn every_command_stands_in_one_group() {
    let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let mut all: Vec<&str> = ALL.iter().map(|command| command.name).collect();
    grouped.sort_unstable();
    all.sort_unstable();
    assert_eq!(grouped, all);
}

/// Every key and table that `:help config` names is valid in a configuration.
#[test]
fn what_the_page_of_the_configuration_names_is_read() {
    let page = Dialect::CFG.0.help.pages.split("\n== ").find(|page| page.starts_with("config\n")).unwrap();
    let named: Vec<&str> = page.split('`').skip(1).step_by(2).collect();
    let keys =
        named.iter().filter(|text| text.contains(" = ") && !text.starts_with("keyword") && !text.starts_with("keys"));
    let keys: Vec<&str> = keys.copied().collect();
    let of = |table: &str, text: &str| named.contains(&text).then(|| format!("[{table}]\n{text}\n")).unwrap();
    let mut text = keys.join("\n") + "\n";
    text += &of("commands", "keys = \"std.record.fields\"");
    text += &of("colours", "keyword = \"magenta bold\"");
    for table in named.iter().filter(|text| text.starts_with('[') && !matches!(**text, "[commands]" | "[colours]")) {
        text += &format!("{table}\n");
    }
    let (_, told) = session().configure(Path::new("/etc/cfg.toml"), &text);
    assert!(keys.len() > 5 && told.is_empty(), "{text}\n{told:?}");
}

#[test]
fn the_page_of_a_language_is_known_in_every_language() {
    for dialect in [Dialect::CFG, Dialect::MCL] {
        let mut session = session();
        session.set_dialect(dialect).unwrap();
        let events = session.submit(":help mcl");
        let [Event::Answer(text)] = events.as_slice() else { panic!("{events:?}") };
        assert!(text.text().contains("file \"/etc/motd\""), "{}", text.text());
    }
}
