// Two imports away: a workload with a front.
local base = import '../vendor/base.libsonnet';

base {
  config+:: { port: 443, tls: true },
  deployment+: { args+: if $.config.tls then ['--tls'] else [] },
}
