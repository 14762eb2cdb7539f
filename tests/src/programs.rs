//! Programs of a given size, for the benchmarks.

use std::fmt::Write;

/// Merges `count` records of 20 fields each, all fields different.
pub fn merge_different(count: usize) -> String {
    let records = (0..count).map(|r| {
        let fields = (0..20).map(|f| format!("f{r}_{f} = {f}"));
        format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
    });
    records.collect::<Vec<_>>().join("\n& ")
}

/// Merges the same records by folding an array.
pub fn fold_different(count: usize) -> String {
    format!("std.array.fold_left (&) {{}} [\n{}\n]", merge_different(count).replace("\n& ", ",\n"))
}

/// Merges an unknown record with one field after another, over `count` nested lets.
pub fn merge_unknown(count: usize) -> String {
    let lets = (1..=count).map(|n| format!("let x{n} = x{} & {{ a{n} = {n} }} in\n", n - 1));
    format!("fun x0 =>\n{}x{count}", lets.collect::<String>())
}

/// Merges `count` records with the same 20 fields, each with a higher priority than the one before.
pub fn merge_rising(count: usize) -> String {
    let records = (0..count).map(|r| {
        let fields = (0..20).map(|f| format!("f{f} | priority {r} = {}", r * 20 + f));
        format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
    });
    records.collect::<Vec<_>>().join("\n& ")
}

/// A record in which each field refers to the previous one.
pub fn chained_fields(count: usize) -> String {
    let mut text = String::from("{\n  f0 = 0,\n");
    for n in 1..count {
        let _ = writeln!(text, "  f{n} = f{} + 1,", n - 1);
    }
    text.push('}');
    text
}

/// Nests `let`s `count` deep, each using the previous one.
pub fn nested_lets(count: usize) -> String {
    let mut text = String::from("let x0 = 0 in\n");
    for n in 1..count {
        let _ = writeln!(text, "let x{n} = x{} + 1 in", n - 1);
    }
    let _ = write!(text, "x{}", count - 1);
    text
}

/// Builds up one record over `count` definitions.
pub fn accumulated(count: usize) -> String {
    let mut text = String::from("let r0 = { f0 = 0 } in\n");
    for n in 1..count {
        let _ = writeln!(text, "let r{n} = r{} & {{ f{n} = {n} }} in", n - 1);
    }
    let _ = write!(text, "r{}.f0", count - 1);
    text
}

/// A structure with 2ᵈ leaves that consists of `depth` distinct parts.
pub fn shared(depth: usize) -> String {
    let mut text = String::from("let s0 = { v = 1 } in\n");
    for n in 1..=depth {
        let _ = writeln!(text, "let s{n} = {{ a = s{}, b = s{} }} in", n - 1, n - 1);
    }
    let _ = write!(text, "s{depth}{}.v", ".a".repeat(depth));
    text
}

/// About `lines` lines of realistic code: interfaces, services, functions over them, merges.
pub fn realistic(lines: usize) -> String {
    const SERVICE: &str = r#"
  service_~ = {
      name | String | doc "What it is called" = "service-~",
      replicas | Number | default = 2,
      port | Port | default = 8000 + ~,
      protocol | [| 'Http, 'Grpc |] | default = 'Http,
      resources = {
        cpu | default = "500m",
        memory | default = "256Mi",
        limits = { cpu = "1", mem = memory },
        memory,
      } & { memory = "512Mi" },
      env = std.array.map (fun key => { name = key, value = "%{name}-%{key}" }) ["LOG", "HOME"],
      url = scheme protocol ++ "://%{name}:%{std.string.from_number port}",
      labels = { app = name, tier = if replicas > 1 then "ha" else "single" },
      total = labelled { count = replicas, weight = port },
    } & { replicas | force = 3 },"#;
    let mut text = String::from(
        r#"let Port = std.contract.from_predicate (fun p => p > 0 && p < 65536) in
let scheme = fun p => p |> match { 'Http => "http", 'Grpc => "grpc" } in
let labelled = fun item => { sum = item.count + item.weight, of = item } in
{"#,
    );
    let per_service = SERVICE.lines().count() - 1;
    for n in 0..lines / per_service {
        text.push_str(&SERVICE.replace('~', &n.to_string()));
    }
    text.push_str("\n}");
    text
}
