//! Events: what they compute, and that the result is that of a whole evaluation.

use super::{Last, Watch};
use crate::answer::resources::{LiveGraph, Resources};
use crate::loader::NoLoader;
use crate::session::{Action, Content, ExternalOption, Format, Input, Outcome, Request, Session, Target};
use crate::view::Medium;

/// A watched program.
struct Watched {
    session: Session,
    watch: Watch,
    request: Request,
}

impl Watched {
    fn new(program: &str, inputs: &[(&str, String)]) -> Watched {
        let input = Input::Text { name: String::from("main.mcl"), text: program.as_bytes().to_vec() };
        let mut request = Request::new(vec![input], Action::Eval { at: None, format: Format::Text });
        let option = |(name, value): &(&str, String)| ExternalOption {
            target: Target::Variable,
            content: Content::Code,
            text: format!("{name}={value}"),
        };
        request.options.externals = inputs.iter().map(option).collect();
        Watched { session: Session::new(Box::new(NoLoader)), watch: Watch::new(Medium::Text), request }
    }

    fn show(&mut self) -> Outcome {
        self.session.watch(&self.request, &mut self.watch)
    }

    fn event(&mut self, name: &str, value: &str) -> Outcome {
        self.session.feed(&mut self.watch, name, value).unwrap();
        self.show()
    }

    /// Returns the last graph without errors.
    fn graph(&self) -> Resources {
        match (&self.watch.live, &self.watch.last) {
            (Some(live), _) => live.last_graph().clone(),
            (None, Some(Last::Graph(last))) => last.clone(),
            _ => panic!("no graph"),
        }
    }

    fn computed(&self) -> usize {
        self.watch.computed().expect("an evaluation that continues")
    }
}

fn said(outcome: &Outcome) -> String {
    let reports = outcome.reports.iter().map(|(_, report)| report.text());
    outcome.output.text() + &reports.collect::<Vec<_>>().join("\n")
}

/// Returns a program with this number of definitions and resources, of which one resource reads the clock.
fn large(count: usize) -> String {
    let mut out = String::from(
        "import \"datetime\"\nimport \"fmt\"\n$now = datetime.now()\n$hour = datetime.hour($now)\n$a0 = 1\n\
         test \"clock\" { anotherstr => fmt.printf(\"at %d\", $hour), }\n",
    );
    for n in 1..=count {
        out += &format!("$a{n} = $a{} + 1\ntest \"t{n}\" {{ anotherstr => fmt.printf(\"%d\", $a{n}), }}\n", n - 1);
    }
    out
}

#[test]
fn an_event_computes_what_depends_on_it_however_large_the_program() {
    let counts = |size: usize| {
        let mut watched = Watched::new(&large(size), &[("datetime.now", String::from("1700000000"))]);
        assert!(said(&watched.show()).ends_with(&format!("{} added; 0 resources same\n", size + 1)));
        let whole = watched.computed();
        let hour = said(&watched.event("datetime.now", "1700003600"));
        assert_eq!(
            hour,
            format!(
                "~ test[clock]\n  ~ anotherstr  \"at 22\" -> \"at 23\"\n1 changed; {size} {} same\n",
                if size == 1 { "resource" } else { "resources" }
            )
        );
        let hour = watched.computed();
        assert_eq!(said(&watched.event("datetime.now", "1700003601")), "");
        (whole, hour, watched.computed())
    };
    let (small_whole, small_hour, small_second) = counts(10);
    let (large_whole, large_hour, large_second) = counts(1000);
    assert!(large_whole > 80 * small_whole, "{large_whole} {small_whole}");
    assert_eq!((small_hour, small_second), (large_hour, large_second));
    // the time, its hour, the text, the field, and the records around it
    assert!(large_hour < 30, "{large_hour}");
    // the same hour stops the change
    assert!(large_second < large_hour && large_second < 12, "{large_second} {large_hour}");
}

#[test]
fn a_resource_that_comes_and_goes_leaves_the_expressions_of_the_others() {
    let counts = |length: usize| {
        let sum = vec!["1"; length].join(" + ");
        let program = format!(
            "import \"datetime\"\nif datetime.now() < 5 {{ noop \"n\" {{}} }}\ntest \"a\" {{ int64 => {sum}, }}\n"
        );
        let mut watched = Watched::new(&program, &[("datetime.now", String::from("1"))]);
        watched.show();
        assert_eq!(said(&watched.event("datetime.now", "9")), "- noop[n]\n1 removed; 1 resource same\n");
        let gone = watched.computed();
        assert_eq!(said(&watched.event("datetime.now", "2")), "+ noop[n]\n1 added; 1 resource same\n");
        (gone, watched.computed())
    };
    assert_eq!(counts(2), counts(200));
}

#[test]
fn an_error_ends_with_the_event_that_ends_it() {
    let program = "import \"datetime\"\ntest \"a\" { uint8 => datetime.now(), }\ntest \"b\" { int64 => 1, }\n\
                   if datetime.now() > 1000 { Test[\"a\"] -> Test[\"none\"] }\n";
    let mut watched = Watched::new(program, &[("datetime.now", String::from("7"))]);
    watched.show();
    let error = said(&watched.event("datetime.now", "300"));
    assert!(error.contains("the field `uint8` of `test[a]` is 300, and must be from 0 to 255"), "{error}");
    assert!(error.contains("main.mcl:2:21"), "{error}");
    let error = said(&watched.event("datetime.now", "2000"));
    assert!(error.contains("is 2000"), "{error}");
    // compared with the last graph without errors
    assert_eq!(said(&watched.event("datetime.now", "8")), "~ test[a]\n  ~ uint8  7 -> 8\n1 changed; 1 resource same\n");
}

/// Random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }
}

/// Returns a program that reads the clock and two files in several ways.
fn program(random: &mut Random) -> String {
    let mut out = String::from(
        "import \"datetime\"\nimport \"fmt\"\nimport \"iter\"\nimport \"os\"\n$n = datetime.now()\n$a = os.readfile(\"/a\")\n\
         $b = os.readfile(\"/b\")\n$small = $n / 2 < 6.0\n$list = [$n, 1, 2,]\n$map = {$a => $n, \"k\" => 3,}\n\
         $pair = struct{i => $n, s => $a,}\nfunc twice($f, $x) { $f($f($x)) }\n\
         class c($name, $value) {\n\ttest $name { int64 => $value, anotherstr => $b, }\n\tclass inner { noop \"in ${name}\" {} }\n}\n",
    );
    for index in 0..3 + random.below(6) {
        out += &match random.below(12) {
            0 => format!("test \"r{index}\" {{ int64 => $n, }}\n"),
            1 => format!("test \"r{index}\" {{ anotherstr => $small ?: $a, int64 => {index}, }}\n"),
            2 => format!(
                "if $n > {} {{ test \"r{index}\" {{ anotherstr => $b, }} noop \"x{index}\" {{}} }}\n",
                random.below(12)
            ),
            3 => format!("if $a == $b {{ test \"r{index}\" {{}} }} else {{ include c(\"r{index}\", $n) }}\n"),
            4 => format!("include c(\"c{index}\", {index})\n"),
            5 => format!("include c(\"i{index}\", $n) as i{index}\ninclude i{index}.inner\n"),
            6 => format!("test [\"l{index}\", $a, $b,] {{ int64 => {index}, }}\n"),
            7 => format!(
                "test \"r{index}\" {{ int64 => $list[{}] || 7, anotherstr => fmt.printf(\"%d %s\", len($a), $pair->s), }}\n",
                random.below(4)
            ),
            8 => format!(
                "test \"r{index}\" {{ int64 => $map[{}] || 9, Meta:noop => $small, }}\n",
                random.of(&["$a", "\"k\"", "$b"])
            ),
            9 => format!(
                "noop \"from{index}\" {{}}\nnoop \"to{index}\" {{ Depend => $small ?: Noop[\"from{index}\"], }}\n"
            ),
            10 => {
                format!("test \"r{index}\" {{ int64 => twice(func($x) {{ $x + $n }}, {index}), uint8 => 25 * $n, }}\n")
            }
            _ => format!(
                "$m{index} = iter.map($list, func($x) {{ fmt.printf(\"m{index}-%d\", $x + {index}) }})\nnoop $m{index} {{}}\n"
            ),
        };
    }
    if random.below(3) == 0 {
        out += "Noop[\"${a}\"] -> Noop[\"${b}\"]\nnoop $b {}\nnoop \"x\" {}\n";
    }
    out
}

/// After every event, the graph is that of a whole evaluation with the same inputs, and so are the errors.
#[test]
fn events_lead_to_the_graph_of_a_whole_evaluation() {
    let (mut good, mut bad) = (0, 0);
    for seed in 0..60 {
        let mut random = Random(seed);
        let program = program(&mut random);
        let mut inputs = [
            ("datetime.now", String::from("1")),
            ("os.readfile(\"/a\")", String::from("\"x\"")),
            ("os.readfile", String::from("\"y\"")),
        ];
        let mut watched = Watched::new(&program, &inputs);
        watched.show();
        for _ in 0..12 {
            let which = random.below(3) as usize;
            inputs[which].1 = match which {
                0 => random.below(14).to_string(),
                _ => format!("{:?}", random.of(&["x", "y", "k", "long text"])),
            };
            let (name, value) = inputs[which].clone();
            let before = watched.graph();
            let outcome = watched.event(name, &value);
            let mut whole = Watched::new(&program, &inputs);
            let expected = whole.show();
            let reports =
                |outcome: &Outcome| outcome.reports.iter().map(|(_, report)| report.text()).collect::<Vec<_>>();
            assert_eq!(reports(&outcome), reports(&expected), "seed {seed}: {name}={value}\n{program}");
            match expected.exit {
                0 => {
                    good += 1;
                    assert_eq!(watched.graph(), whole.graph(), "seed {seed}: {name}={value}\n{program}");
                }
                _ => {
                    bad += 1;
                    assert_eq!(watched.graph(), before);
                }
            }
        }
    }
    assert!(good > 300 && bad > 20, "{good} {bad}");
}

/// Nodes that are not needed any more are freed.
#[test]
fn many_events_do_not_need_more_memory() {
    let program = "import \"datetime\"\nimport \"iter\"\n$n = datetime.now()\nif $n / 2.0 == 3.0 { noop \"x\" {} }\n\
                   test \"t\" { slicestring => iter.map([$n, 1, 2,], func($x) { \"${y}\" }), }\n$y = \"s\"\n\
                   test \"u\" { int64 => $n * 3, }\n";
    let program = program.replace("$n / 2.0 == 3.0", "$n == 6");
    let mut watched = Watched::new(&program, &[("datetime.now", String::from("1"))]);
    watched.show();
    let nodes = |watched: &Watched| watched.watch.live.as_ref().map_or(0, LiveGraph::nodes);
    let at_first = nodes(&watched);
    assert!(at_first > 20);
    for event in 0..400 {
        watched.event("datetime.now", &(event % 9).to_string());
    }
    assert!(nodes(&watched) < 6 * at_first, "{} {at_first}", nodes(&watched));
}
