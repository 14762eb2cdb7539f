//! Commands that query the session, without a terminal: inputs, each after `>`, and their results.

use cfg_core::{Dialect, Event, NoLoader, Session};

/// Checks the output of a session, line by line.
#[track_caller]
fn says(expected: &str) {
    let mut session = Session::new(Box::new(NoLoader));
    // the first input says which language is used
    if expected.trim_start().starts_with("> local") {
        session.set_dialect(Dialect::JSONNET).unwrap();
    }
    let mut out = String::new();
    for input in expected.lines().filter_map(|line| line.trim_start().strip_prefix("> ")) {
        out += &format!("> {input}\n");
        for event in session.submit(input) {
            let text = match event {
                Event::Value { value, .. } => value.text(),
                Event::Bound(text) | Event::Answer(text) | Event::View { text, .. } => text.text(),
                Event::Diagnostic { report, .. } => report.text().lines().next().unwrap_or("").to_string(),
                _ => String::new(),
            };
            out += &format!("{text}\n");
        }
    }
    let trimmed: String =
        expected.lines().map(str::trim_start).filter(|l| !l.is_empty()).map(|l| format!("{l}\n")).collect();
    let lines = out.lines().map(str::trim_start).filter(|line| !line.is_empty());
    let out: String = lines.map(|line| format!("{line}\n")).collect();
    assert_eq!(out, trimmed);
}

#[test]
fn the_type_and_documentation_of_a_value() {
    says(
        "> x = { a = 1 + 1, b = { c = 2 + 2, d = 3 } }
        x : { a : Number, b : { c : Number, d : Number } }
        > :sprint x
        _
        > x.b.c
        4
        > :sprint x
        { a = _, b = { c = 4, d = 3 } }
        > :sprint x.a
        _
        > :force x
        { a = 2, b = { c = 4, d = 3 } }
        > :sprint x
        { a = 2, b = { c = 4, d = 3 } }
        > :sprint x.nothing
        error: no field `nothing` [types/missing-field]
        > :sprint x.b.d.more
        error: Number has no field `more` [types/conflict]
        > :sprint 1 + 1
        _",
    );
    says(
        "> local x = { a: [1 + 1, 2], 'c d': 3 }
        x ∈ {a ∈ [number], \"c d\" ∈ number}
        > :sprint x
        _
        > x['c d']
        3
        > :sprint x
        { a: _, \"c d\": 3 }
        > x.a[0]
        2
        > :sprint x.a
        [2, 2]
        > :sprint x.nothing
        error: no field `nothing` [types/missing-field]",
    );
}

#[test]
fn a_path_is_an_element_or_an_odd_name_too() {
    says(
        "> xs = { list = [10, { k = 1 }], \"odd name\" = 2 }
        warning: array elements of different types: Number and { k : Number } [types/mixed]
        xs : { list : Array (Number | { k : Number }), \"odd name\" : Number }
        > :query xs.list[0]
        • value: 10
        > :query xs.list.1.k
        • value: 1
        > :info xs.\"odd name\"
        xs.\"odd name\" : Number
        defined at cfg[1]:1:32: \"odd name\" = 2
        known so far: 2
        > :query xs.list[7]
        error: no element `[7]`: it has 2 elements, `[0]` to `[1]` [value/undefined]",
    );
    says(
        "> local xs = { list: [10, 20], 'odd name': 2 }
        xs ∈ {list ∈ [number], \"odd name\" ∈ number}
        > :query xs[\"odd name\"]
        • value: 2
        > :query xs.\"odd name\"
        • value: 2
        > :query xs.list[1]
        • value: 20
        > :type xs.\"odd name\"
        number
        > :query std.nope
        error: no field `nope` [types/missing-field]",
    );
}

#[test]
fn a_completely_forced_value_must_be_completely_defined() {
    says(
        "> :force { a | Number, b = 1 }
        { a | Number, b = 1 }
        error: missing definition for `a` [value/missing-definition]",
    );
}

#[test]
fn holes_have_types_and_matching_names() {
    says(
        "> n = 1
        n : Number
        > s = \"text\"
        s : String
        > fun m => (1 + _x) * m
        error: unbound name `_x` [scope/unbound]
        `:holes` shows the type that `_x` must have, and what fits
        > :holes
        _x : Number
        fits: m, n, std.number.e, std.number.pi
        > :holes { a = _y ++ \"!\", b = n + _z }
        _y : String
        fits: s
        _z : Number
        fits: n, std.number.e, std.number.pi
        > :holes 1 + \"a\"
        error: expected Number, found String [types/conflict]
        no holes: a name that begins with `_` and is bound nowhere is one, as in `1 + _x`
        > bad = { a = 1 + \"a\" }
        error: expected Number, found String [types/conflict]
        bad : { a : Number } (has an error)
        > :holes bad.a
        no holes: a name that begins with `_` and is bound nowhere is one, as in `1 + _x`
        > :holes 1 + 1
        no holes: a name that begins with `_` and is bound nowhere is one, as in `1 + _x`",
    );
}

#[test]
fn names_that_would_make_a_cycle_are_not_offered() {
    says(
        "> :holes { a = b, b = 1 + _x, c = 2 }
        _x : Number
        fits: c, std.number.e, std.number.pi
        > :holes let rec f = fun n => if n == 0 then 0 else _f (n - 1) + 1 in f
        _f : Number -> Number
        fits: f, std.number.abs, std.number.arccos, std.number.arcsin, std.number.arctan, std.number.ceil, std.number.cos, std.number.floor, std.number.fract, std.number.sin, std.number.sqrt, std.number.tan and 3 more
        > x = 1
        x : Number
        > y = x + 1
        y : Number
        > x = _h * 2
        error: unbound name `_h` [scope/unbound]
        `:holes` shows the type that `_h` must have, and what fits
        > :holes
        _h : Number
        fits: x, std.number.e, std.number.pi",
    );
    says(
        "> local server = { host: 'a', port: 80 }
        server ∈ {host ∈ string, port ∈ number}
        > :holes local a = 2 * _x, b = 1; a
        _x ∈ number
        fits: b, server.port, std.pi
        > :holes local loop(n) = 2 * _f(n - 1); loop
        _f ∈ (number) -> number
        fits: loop, std.abs, std.acos, std.asin, std.atan, std.ceil, std.cos, std.deg2rad, std.exp, std.exponent, std.floor, std.log and 10 more",
    );
}

#[test]
fn holes_of_what_does_not_read_or_names_more_that_is_unknown() {
    says(
        "> :holes 1 + (
        error: unclosed parenthesis `(` [syntax/unclosed]
        > :holes foo + _x
        error: unbound name `foo` [scope/unbound]
        _x : Number
        fits: std.number.e, std.number.pi
        > :holes [_x]
        _x : a
        anything fits",
    );
}

#[test]
fn user_commands_are_undone_and_saved_like_definitions() {
    says(
        "> :def keys = std.record.fields
        > :keys { a = 1 }
        [\"a\"]
        > $1
        [\"a\"]
        > :undo
        undone: :def keys = std.record.fields
        also undone: 2 inputs that defined nothing
        > :keys { a = 1 }
        error: no command `:keys` [command/unknown]
        > :redo
        redone: :def keys = std.record.fields
        also redone: 2 inputs that defined nothing
        > :reset
        nothing is bound any more
        > :def
        :keys = std.record.fields",
    );
}

#[test]
fn user_defined_commands() {
    says(
        "> :def keys = std.record.fields
        > :keys { a = 1, b = 2 }
        [\"a\", \"b\"]
        > :def ty = :type
        > :ty 1 + 1
        Number
        > :def
        :keys = std.record.fields
        :ty   = :type
        > :def a = :b
        > :def b = :a
        > :a
        error: these commands are defined by each other, in a cycle [command/usage]
        > :def type = 1
        error: `:type` is already a command [command/usage]
        > :def keys =
        > :def keys
        error: no command `:keys` of your own: `:def keys = MEANING` makes one [command/usage]",
    );
}

#[test]
fn everything_about_a_name() {
    says(
        "> let port | Number | doc \"the port\" = 80
        port : Number
        > x = port + 1
        x : Number
        > :info port
        port : Number
        defined at cfg[1]:1:5: port | Number | doc \"the port\" = 80
        contract: Number
        documentation: the port
        known so far: _
        read by: x
        > :info x
        x : Number
        defined at cfg[2]:1:1: x = port + 1
        known so far: _
        reads: port",
    );
}

#[test]
fn everything_about_a_field() {
    says(
        "> base = { host | String | doc \"where\" | default = \"a\", url = host }
        base : { host : String, url : String }
        > prod = base & { host = \"b\" }
        prod : { host : String, url : String }
        > link = prod.host
        link : String
        > :info prod.host
        prod.host : String
        defined at cfg[1]:1:10: host | String | doc \"where\" | default = \"a\"
        and at cfg[2]:1:17: host = \"b\"
        contract: String
        documentation: where
        known so far: _
        read by: prod.url, link
        > :info prod.nothing
        error: no field `nothing` [types/missing-field]",
    );
    says(
        "> local base = { host: 'a', url: 'http://' + self.host }
        base ∈ {host ∈ string, url ∈ string}
        > local prod = base { host: 'b' }
        prod ∈ {host ∈ string, url ∈ string}
        > :info prod.host
        prod.host ∈ string
        defined at jsonnet[1]:1:16: host: 'a'
        and at jsonnet[2]:1:21: host: 'b'
        known so far: _
        read by: prod.url",
    );
}

#[test]
fn answers_name_the_question() {
    says(
        "> r = { \"odd name\" = { x = 1 } }
        r : { \"odd name\" : { x : Number } }
        > :why r.\"odd name\".x
        r.\"odd name\".x : Number

        1  1  is Number  cfg[1]:1:26
        > r
        { \"odd name\" = { x = 1 } }
        > :why it.\"odd name\".x
        $2.\"odd name\".x : Number

        1  1  is Number  cfg[1]:1:26
        +  1 more step: how `Number` reached x  (`:why 1`)
        > :explain $2.\"odd name\".x
        $2.\"odd name\".x = 1 : Number                                        1 definition

        WINS  normal  1  cfg[1]:1:26  x = 1

        to change it: edit cfg[1]:1:26, or merge `{ \"odd name\".x | force = … }` over
        it.",
    );
}

#[test]
fn invalid_arguments_of_commands_are_reported() {
    says(
        "> :reload x
        error: `:reload` takes no argument: `x` is too much [command/usage]
        > :reset all
        error: `:reset` takes no argument: `all` is too much [command/usage]
        > :quit x
        error: `:quit` takes no argument: `x` is too much [command/usage]
        > :def up = std.string.uppercase
        > :def upp
        error: no command `:upp` of your own, but there is `:up`: `:def upp = MEANING` makes one [command/usage]
        > :env x
        no name begins with `x`",
    );
}

#[test]
fn a_field_with_a_false_condition_is_queried_and_explained() {
    says(
        "> tls = { on = false, cert | doc \"A certificate.\" | String | when on }
        tls : { cert! : String, on : Bool }
        > :query tls.cert
        • contract: String
        • documentation: A certificate.
        error: missing definition for `cert` [value/missing-definition]
        > :query tls.on
        • value: false",
    );
    let mut session = Session::new(Box::new(NoLoader));
    session.submit("tls = { on = false, cert | String | when on }");
    let told = session.submit("tls.cert");
    let report = told.iter().find_map(|event| match event {
        Event::Diagnostic { report, .. } => Some(report.text()),
        _ => None,
    });
    assert!(report.unwrap().contains("^^ it is defined only where this holds"));
}

#[test]
fn a_value_that_is_no_record_is_defined_where_its_name_is() {
    says(
        "
        > n = 3
        n : Number
        > :explain n
        n = 3 : Number                                                      1 definition

          WINS  normal  3  cfg[1]:1:5  3

          to change it: edit cfg[1]:1:5.
        ",
    );
}

/// Columns are counted in characters, not in bytes.
#[test]
fn names_are_aligned_by_characters() {
    let fields: Vec<String> = (0..40).map(|number| format!("field{number} = {number}")).collect();
    let listed = |name: &str| {
        let mut session = Session::new(Box::new(NoLoader));
        session.set_width(60);
        let text =
            super::run(&mut session, &[&format!("o = {{ \"{name}\" = {{ {} }} }}", fields.join(", ")), ":env o."]);
        text.lines().last().map(|line| line.chars().count())
    };
    assert_eq!(listed("\u{e4}\u{f6} \u{fc}\u{e4}\u{f6}\u{fc}\u{e4}\u{f6}\u{fc}"), listed("ab cabcabc"));
}

#[test]
fn an_expression_without_fields_has_no_reads() {
    let text = super::run(&mut Session::new(Box::new(NoLoader)), &[":stages 1 + 2", ":graph 1"]);
    assert!(
        !text.contains("There are no fields") && text.contains("The value has no fields, so none reads another."),
        "{text}"
    );
}
