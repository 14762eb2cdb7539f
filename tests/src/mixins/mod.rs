//! Jsonnet programs as libraries and mixins are written: a configuration, components that read it, methods, comprehensions,
//! conditional fields, folds, and mixins that override them. They evaluate. [`faults`] plants faults in them.

pub mod composed;
pub mod faults;

use crate::generate::Rng;
use std::fmt::Write;

/// A program in parts.
#[derive(Default)]
struct Parts {
    /// Bindings before the object.
    locals: Vec<String>,
    /// Fields of the configuration.
    config: Vec<String>,
    /// Fields of the base object.
    fields: Vec<String>,
    /// Objects that are added to the base.
    mixins: Vec<String>,
}

/// Adds a feature to a program; the number makes its names unique.
type Feature = fn(&mut Rng, usize, &mut Parts);

const FEATURES: &[Feature] = &[
    scalar,
    formatted,
    service,
    containers,
    labels_by_fold,
    conditional_field,
    by_key,
    alerts,
    builder,
    files,
    overridden,
    guard,
    from_data,
    defaults,
    folded_mixins,
    nullable,
    required,
    asserted,
    by_name,
    sorted,
    elements,
    documents,
    polymorphic,
    patched_base,
    computed_reads,
    accumulated,
    array_helpers,
    recursion,
];

/// Returns the program of a seed.
pub fn program(seed: u64) -> String {
    let r = &mut Rng::new(seed);
    let mut parts = Parts::default();
    for i in 0..1 + r.below(5) {
        r.pick(FEATURES)(r, i, &mut parts);
    }
    let mut text = String::new();
    for local in &parts.locals {
        let _ = writeln!(text, "local {local};");
    }
    let config = format!("{{ _config:: {{ namespace: 'default', {} }} }}", parts.config.join(", "));
    let base = format!("{{\n  local c = self,\n  {}\n}}", parts.fields.join(",\n  "));
    r.shuffle(&mut parts.mixins);
    match r.below(4) {
        // a function of the base, as a component has
        0 => {
            let _ = writeln!(text, "local component(params={{}}) = {config} + {base} + {{ _config+:: params }};");
            let _ = write!(text, "component({{ namespace: 'monitoring' }})");
            for mixin in &parts.mixins {
                let _ = write!(text, "\n+ {mixin}");
            }
        }
        // a chain that nests to the right
        1 => {
            let _ = write!(text, "{config} + {base}");
            let mut rest = String::from("{}");
            for mixin in parts.mixins.iter().rev() {
                rest = format!("{mixin} + ({rest})");
            }
            let _ = write!(text, "\n+ ({rest})");
        }
        // locals
        2 => {
            for (i, mixin) in parts.mixins.iter().enumerate() {
                let _ = writeln!(text, "local mixin{i} = {mixin};");
            }
            let _ = write!(text, "local base = {config} + {base};\nbase");
            for i in 0..parts.mixins.len() {
                let _ = write!(text, " + mixin{i}");
            }
        }
        _ => {
            let _ = write!(text, "{config} + {base}");
            for mixin in &parts.mixins {
                let _ = write!(text, "\n+ {mixin}");
            }
        }
    }
    text
}

fn word(r: &mut Rng) -> &'static str {
    r.pick::<&str>(&["alpha", "beta", "gamma", "delta", "web", "api"])
}

fn number(r: &mut Rng) -> String {
    (1 + r.below(90)).to_string()
}

/// `self`, `$` or the alias of the component.
fn me(r: &mut Rng) -> &'static str {
    r.pick::<&str>(&["$", "c", "$"])
}

fn scalar(r: &mut Rng, i: usize, p: &mut Parts) {
    let (n, w, me) = (number(r), word(r), me(r));
    p.config.push(format!("port{i}: {n}, host{i}: '{w}'"));
    p.fields.push(format!("url{i}: {me}._config.host{i} + ':' + ({me}._config.port{i} + 1)"));
    if r.chance(50) {
        p.mixins.push(format!("{{ _config+:: {{ port{i}: {} }} }}", number(r)));
    }
    if r.chance(30) {
        p.mixins.push(format!("{{ url{i}: 'http://' + super.url{i}, next{i}: $._config.port{i} * 2 }}"));
    }
}

fn formatted(r: &mut Rng, i: usize, p: &mut Parts) {
    p.config.push(format!("selector{i}: 'job=\"{}\"', window{i}: '{}m'", word(r), number(r)));
    p.fields.push(format!("expr{i}: 'rate(up{{%(selector{i})s}}[%(window{i})s]) > 0' % $._config"));
    p.fields.push(format!("both{i}: '%s-%d' % [self.expr{i}, {}]", number(r)));
    if r.chance(40) {
        p.mixins.push(format!(
            "{{ _config+:: {{ window{i}: '5m', threshold{i}: {} }}, t{i}: '%(threshold{i})d' % $._config }}",
            number(r)
        ));
    }
}

fn service(r: &mut Rng, i: usize, p: &mut Parts) {
    p.config.push(format!(
        "ports{i}: [{{ name: '{}', port: {} }}, {{ name: 'b', port: {} }}]",
        word(r),
        number(r),
        number(r)
    ));
    p.fields.push(format!(
        "service{i}: {{ kind: 'Service', metadata: {{ name: 's{i}', namespace: c._config.namespace }}, spec: {{ ports: [{{ name: p.name, targetPort: p.port + 0 }} for p in c._config.ports{i}] }} }}"
    ));
    match r.below(3) {
        0 => p.mixins.push(format!("{{ service{i}+: {{ metadata+: {{ labels+: {{ a: '{}' }} }} }} }}", word(r))),
        1 => p.mixins.push(format!("{{ service{i}+: {{ spec+: {{ ports+: [{{ name: 'x', targetPort: 1 }}] }} }}, count{i}: std.length(self.service{i}.spec.ports) }}")),
        _ => p.mixins.push(format!("{{ local s = self, name{i}: s.service{i}.metadata.name + '-x' }}")),
    }
}

fn containers(r: &mut Rng, i: usize, p: &mut Parts) {
    p.fields.push(format!(
        "deploy{i}: {{ spec: {{ replicas: {}, template: {{ spec: {{ containers: [{{ name: 'a', image: 'i:{}', args: ['--x'], probe: {{ path: '/' }} }}] }} }} }} }}",
        number(r),
        number(r)
    ));
    match r.below(3) {
        0 => p.mixins.push(format!(
            "{{ deploy{i}+: {{ spec+: {{ template+: {{ spec+: {{ containers: std.map(function(c) c {{ probe:: null, args+: ['--y'] }}, super.containers) + [{{ name: 'b', image: 'j' }}] }} }} }} }} }}"
        )),
        1 => p.mixins.push(format!(
            "{{ deploy{i}+: {{ spec+: {{ template+: {{ spec+: {{ containers: [if c.name == 'a' then c {{ image: 'k' }} else c for c in super.containers] }} }} }} }} }}"
        )),
        _ => p.mixins.push(format!("{{ deploy{i}+: {{ spec+: {{ replicas: {} }} }} }}", number(r))),
    }
}

fn labels_by_fold(r: &mut Rng, i: usize, p: &mut Parts) {
    let w = word(r);
    p.locals.push(format!("labels{i} = std.foldl(function(acc, x) acc + {{ [x.key]: x.value }}, [{{ key: 'app', value: '{w}' }}, {{ key: 'tier', value: 'x' }}], {{}})"));
    p.fields.push(format!("selector{i}: {{ matchLabels: labels{i}, app: labels{i}.app + '!' }}"));
    if r.chance(40) {
        p.fields.push(format!(
            "sum{i}: std.foldl(function(acc, x) {{ total: acc.total + x, last: x }}, [1, {}], {{ total: 0 }}).total",
            number(r)
        ));
    }
}

fn conditional_field(r: &mut Rng, i: usize, p: &mut Parts) {
    let flag = if r.chance(50) { "true" } else { "false" };
    p.locals.push(format!("flag{i} = {flag}"));
    p.fields.push(format!("[if flag{i} then 'extra{i}']: {{ spec: {{ n: {} }} }}", number(r)));
    p.fields.push(format!("has{i}: std.objectHas(self, 'extra{i}')"));
    match r.below(3) {
        0 => p
            .mixins
            .push(format!("{{ extra{i}+: {{ spec+: {{ m: {} }} }}, m{i}: self.extra{i}.spec.m - 1 }}", number(r))),
        1 => p.mixins.push(format!("{{ more{i}: if 'extra{i}' in super then super.extra{i}.spec else {{}} }}")),
        _ => p.mixins.push(format!("{{ n{i}: if std.objectHas($, 'extra{i}') then $.extra{i}.spec.n + 1 else 0 }}")),
    }
}

fn by_key(r: &mut Rng, i: usize, p: &mut Parts) {
    let n = number(r);
    p.locals.push(format!(
        "patch{i}(o) = std.mapWithKey(function(k, v) if k == 'spec' then v {{ replicas: {n} }} else v, o)"
    ));
    p.fields.push(format!("patched{i}: patch{i}({{ spec: {{ replicas: 1 }}, kind: 'D', list: [1] }})"));
    if r.chance(50) {
        p.fields.push(format!("r{i}: self.patched{i}.spec.replicas + 1"));
    }
}

fn alerts(r: &mut Rng, i: usize, p: &mut Parts) {
    p.config.push(format!("job{i}: 'job=\"{}\"', level{i}: {}", word(r), number(r)));
    p.fields.push(format!(
        "alerts{i}+: {{ groups+: [{{ name: 'g{i}', rules: [{{ alert: 'A', expr: |||\n      up{{%(job{i})s}} < %(level{i})d\n    ||| % $._config, 'for': '5m', labels: {{ severity: 'warning' }} }}] }}] }}"
    ));
    match r.below(3) {
        0 => p.mixins.push(format!("{{ alerts{i}+: {{ groups+: [{{ name: 'h', rules: [] }}] }} }}")),
        1 => p.mixins.push(format!("{{ alerts{i}+: {{ groups: [g {{ rules: [r {{ labels+: {{ team: '{}' }} }} for r in super.rules if r.alert != 'B'] }} for g in super.groups] }} }}", word(r))),
        _ => p.mixins.push(format!("{{ names{i}: std.join(',', [g.name for g in self.alerts{i}.groups]) }}")),
    }
}

fn builder(r: &mut Rng, i: usize, p: &mut Parts) {
    p.locals.push(format!(
        "k{i} = {{ new(name, replicas=1):: {{ metadata: {{ name: name }}, spec: {{ replicas: replicas }} }}, withLabels(l):: {{ metadata+: {{ labels+: l }} }}, panel:: {{ withTitle(t):: self + {{ title: t }}, size(w, h=2):: self + {{ pos: {{ w: w, h: h }} }} }} }}"
    ));
    p.fields.push(format!("built{i}: k{i}.new('{}', replicas={}) + k{i}.withLabels({{ a: 'b' }})", word(r), number(r)));
    if r.chance(50) {
        p.fields
            .push(format!("panel{i}: k{i}.panel.withTitle('t').size({}), w{i}: self.panel{i}.pos.w + 1", number(r)));
    }
    if r.chance(40) {
        p.mixins.push(format!(
            "{{ built{i}+: k{i}.withLabels({{ c: '{}' }}), lab{i}: self.built{i}.metadata.labels.a }}",
            word(r)
        ));
    }
}

fn files(r: &mut Rng, i: usize, p: &mut Parts) {
    p.config.push(format!("files{i}: {{ 'a.yaml': {{ x: {} }}, 'b.yaml': {{ x: 2 }} }}", number(r)));
    p.fields.push(format!("maps{i}: {{ ['cm-' + name]: {{ data: {{ [name]: std.manifestYamlDoc(c._config.files{i}[name]) }} }} for name in std.objectFields(c._config.files{i}) }}"));
    if r.chance(50) {
        p.mixins.push(format!(
            "{{ maps{i}+: {{ 'cm-a.yaml'+: {{ kind: 'ConfigMap' }} }}, data{i}: self.maps{i}['cm-a.yaml'].data }}"
        ));
    }
    if r.chance(30) {
        p.mixins.push(format!("{{ _config+:: {{ files{i}+: {{ 'c.yaml': {{ x: {} }} }} }} }}", number(r)));
    }
}

fn overridden(r: &mut Rng, i: usize, p: &mut Parts) {
    p.fields.push(format!("store{i}:: {{ size: {}, class: '{}' }}", number(r), word(r)));
    p.fields.push(format!("claim{i}: {{ resources: {{ size: c.store{i}.size + 'Gi', half: c.store{i}.size / 2 }}, class: c.store{i}.class }}"));
    match r.below(3) {
        0 => p.mixins.push(format!("{{ store{i}:: {{ size: {}, class: 'x', more: true }} }}", number(r))),
        1 => p.mixins.push(format!("{{ store{i}+:: {{ size: super.size + 1 }} }}")),
        _ => p.mixins.push(format!("{{ claim{i}+: {{ class: 'y' + super.class }} }}")),
    }
}

fn guard(r: &mut Rng, i: usize, p: &mut Parts) {
    p.fields.push(format!("limit{i}: {}", number(r)));
    let guard =
        r.pick(&["super.limit# < 0", "!('limit#' in super)", "'forbidden' in self"]).replace('#', &i.to_string());
    p.mixins.push(format!("{{ limit{i}: if {guard} then error 'bad' else super.limit{i} }}"));
    if r.chance(50) {
        p.mixins.push(format!("{{ twice{i}: self.limit{i} * 2 }}"));
    }
}

fn from_data(r: &mut Rng, i: usize, p: &mut Parts) {
    let made = match r.below(4) {
        0 => format!("std.parseJson('{{\"meta\": {{\"n\": {}}}}}')", number(r)),
        1 => format!("std.prune({{ meta: {{ n: {}, gone: null }} }})", number(r)),
        2 => format!("std.mergePatch({{ meta: {{ n: 1 }} }}, {{ meta: {{ n: {} }} }})", number(r)),
        _ => format!("std.objectRemoveKey({{ meta: {{ n: {} }}, old: 1 }}, 'old')", number(r)),
    };
    p.fields.push(format!("data{i}: {made}"));
    p.mixins.push(format!("{{ data{i}+: {{ meta+: {{ label: '{}' }} }}, read{i}: self.data{i}.meta.n + 1 }}", word(r)));
}

fn defaults(r: &mut Rng, i: usize, p: &mut Parts) {
    p.locals.push(format!("defaults{i} = {{ name: 'd', replicas: {}, image: error 'must provide image', limits: {{ cpu: '1', memory: '2Gi' }} }}", number(r)));
    p.locals.push(format!(
        "make{i}(params) = {{ local m = self, _c:: defaults{i} + params, meta:: {{ name: m._c.name }}, deployment: {{ metadata: m.meta, image: m._c.image, replicas: m._c.replicas + 0, limits: m._c.limits }} }}"
    ));
    p.fields.push(format!("made{i}: make{i}({{ image: '{}', limits+: {{ cpu: '2' }} }})", word(r)));
    if r.chance(50) {
        p.mixins.push(format!("{{ made{i}+: {{ deployment+: {{ limits+: {{ disk: '3' }} }} }}, cpu{i}: self.made{i}.deployment.limits.cpu + '' }}"));
    }
}

fn folded_mixins(r: &mut Rng, i: usize, p: &mut Parts) {
    let n = number(r);
    p.locals.push(format!(
        "all{i} = std.foldl(function(p, q) p + q, [{{ a: {n} }}, {{ b: self.a + 1 }}, {{ a: 2, c: self.b }}], {{}})"
    ));
    p.fields.push(format!("all{i}: all{i}, b{i}: all{i}.b + all{i}.c"));
}

fn nullable(r: &mut Rng, i: usize, p: &mut Parts) {
    let flag = if r.chance(50) { "null" } else { "{ image: 'y' }" };
    p.locals.push(format!("flag{i} = {flag}"));
    p.config.push(format!("thanos{i}: {}", if r.chance(50) { "null" } else { "{ image: 'x', port: 1 }" }));
    p.fields.push(format!(
        "args{i}: ['--a'] + (if c._config.thanos{i} != null then ['--port=%d' % c._config.thanos{i}.port] else []), [if flag{i} != null then 'sidecar{i}']: {{ image: flag{i}.image }}"
    ));
    if r.chance(40) {
        p.mixins.push(format!("{{ _config+:: {{ thanos{i}: {{ image: '{}', port: {} }} }} }}", word(r), number(r)));
    }
}

fn required(r: &mut Rng, i: usize, p: &mut Parts) {
    p.config.push(format!("cluster{i}: error 'must provide cluster'"));
    p.fields.push(format!("region{i}: c._config.cluster{i} + '-x', zone{i}: {{ a: $._config.cluster{i} }}"));
    p.mixins.push(format!("{{ _config+:: {{ cluster{i}: '{}' }} }}", word(r)));
}

fn asserted(r: &mut Rng, i: usize, p: &mut Parts) {
    p.fields.push(format!("limits{i}: {{ min: {}, max: 100, assert self.min <= self.max : 'min > max' }}", number(r)));
    if r.chance(50) {
        p.mixins.push(format!("{{ assert self.limits{i}.min > 0, limits{i}+: {{ max: 200 }} }}"));
    }
}

fn by_name(r: &mut Rng, i: usize, p: &mut Parts) {
    p.locals.push(format!(
        "named{i} = {{ [x.name]: x for x in [{{ name: 'a', v: {} }}, {{ name: 'b', v: 2 }}] }}",
        number(r)
    ));
    p.fields.push(format!(
        "a{i}: named{i}.a.v + 1, list{i}: [named{i}[n] {{ extra: true }} for n in std.objectFields(named{i})]"
    ));
}

fn sorted(r: &mut Rng, i: usize, p: &mut Parts) {
    p.fields.push(format!(
        "items{i}:: [{{ n: {}, s: '{}' }}, {{ n: 2, s: 'z' }}], sorted{i}: [x.s for x in std.sort(self.items{i}, function(x) x.n) if x.n > 0], top{i}: std.foldl(function(a, x) std.max(a, x.n), self.items{i}, 0)",
        number(r),
        word(r)
    ));
    if r.chance(40) {
        p.mixins.push(format!("{{ items{i}+:: [{{ n: {}, s: 'q' }}], flat{i}: std.join(' ', std.map(function(x) std.asciiUpper(x.s), self.items{i})) }}", number(r)));
    }
}

fn elements(r: &mut Rng, i: usize, p: &mut Parts) {
    p.fields.push(format!(
        "overrides{i}: [{{ id: 'width', value: {} }}, {{ id: 'unit', value: '{}' }}, {{ id: 'style', value: {{ fill: 'dash' }} }}], ids{i}: [o.id + '' for o in self.overrides{i}]",
        number(r),
        word(r)
    ));
}

fn documents(r: &mut Rng, i: usize, p: &mut Parts) {
    p.fields.push(format!("doc{i}: std.manifestJsonEx({{ a: c._config.namespace, b: [{}] }}, '  '), has{i}x: std.objectHas(c._config, 'namespace') && std.get(c._config, 'zz', 'dflt') == 'dflt'", number(r)));
}

fn polymorphic(r: &mut Rng, i: usize, p: &mut Parts) {
    p.fields
        .push(format!("q{i}a: $.query{i}('{}'), q{i}b: $.query{i}(['x', 'y']), q{i}c: $.query{i}('z') + '!'", word(r)));
    p.mixins.push(format!("{{ query{i}(x):: if std.isArray(x) then std.join('|', x) else x }}"));
}

fn patched_base(r: &mut Rng, i: usize, p: &mut Parts) {
    p.locals.push(format!(
        "lib{i}(params) = {{ service: {{ metadata: {{ name: 'n', port: {} }} }}, params:: params }}",
        number(r)
    ));
    p.fields.push(format!("lib{i}: lib{i}({{}} + {{ a: 1 }}) {{ local po = self, np: po.service.metadata.name + 'x', service+: {{ spec: {{ ip: 'None' }} }}, pa: self.params.a - 1 }}"));
}

fn computed_reads(r: &mut Rng, i: usize, p: &mut Parts) {
    p.locals.push(format!(
        "kp{i} = {{ prom: {{ local me = self, rule: {{ n: {} }}, svc: {{ m: me.rule.n }} }} }}",
        number(r)
    ));
    p.fields.push(format!("out{i}: {{ ['prom-' + name]: kp{i}.prom[name] for name in std.objectFields(kp{i}.prom) }} + {{ 'ns-x': {{ a: c._config.namespace }} }}"));
}

fn accumulated(r: &mut Rng, i: usize, p: &mut Parts) {
    p.fields.push(format!("acc{i}: std.foldl(function(acc, x) if acc == null then {{ first: x }} else acc {{ last: x }}, [{}, 2, 3], null)", number(r)));
    if r.chance(50) {
        p.fields.push(format!("chain{i}: std.foldl(function(o, f) f(o), [function(o) o {{ b: 2 }}, function(o) o {{ c: o.b + 1 }}], {{ a: 1 }}).c"));
    }
}

fn array_helpers(r: &mut Rng, i: usize, p: &mut Parts) {
    p.locals.push(format!("asArray{i}(x) = if std.isArray(x) then x else [x]"));
    p.fields.push(format!("h{i}: std.length(asArray{i}('{}')) + std.length(asArray{i}([1, 2])), u{i}: std.uniq(std.sort(std.flattenArrays([asArray{i}(1), asArray{i}([{}])])))", word(r), number(r)));
}

fn recursion(r: &mut Rng, i: usize, p: &mut Parts) {
    p.locals.push(format!("tree{i}(n) = {{ n: n, children: if n == 0 then [] else [tree{i}(n - 1)] }}"));
    p.locals.push(format!("size{i}(t) = 1 + std.foldl(function(a, x) a + size{i}(x), t.children, 0)"));
    p.fields.push(format!("size{i}: size{i}(tree{i}({})) + 1", 1 + r.below(3)));
}
