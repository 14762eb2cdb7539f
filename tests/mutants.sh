#!/usr/bin/env bash
# Plants faults in the files of 11 repositories and counts those that `cfg check` finds: `mutants.sh CFG CORPORA SEED`.
#
# CFG is the binary. CORPORA is a folder with kube-prometheus and its dependencies in `kp`, and the repositories in
# `corp/OWNER+NAME`. Build the counter first: `cargo build -p cfg-tests --example mutants`.
set -eu
cfg=$(realpath "$1") corpora=$(realpath "$2") seed=$3
counter=$(realpath "$(dirname "$0")/../target/debug/examples/mutants")
counts=$(mktemp)
trap 'rm -f "$counts"' EXIT

# Plants COUNT faults: one FOLDER MAIN COUNT FILE…
one() {
  local folder=$1 main=$2 count=$3
  shift 3
  echo "== $folder $main"
  "$counter" "$cfg" "$folder" "$main" "$count" "$seed" -J "$corpora/kp/vendor" -J vendor -J . -- "$@" | tee -a "$counts"
}

# The library files below the current folder.
libraries() { find "$@" -name '*.libsonnet' | grep -v -e test -e vendor | sort; }

cd "$corpora/kp"
one "$PWD" example.jsonnet 60 $(libraries jsonnet/kube-prometheus/components) example.jsonnet \
  jsonnet/kube-prometheus/main.libsonnet jsonnet/kube-prometheus/lib/mixin.libsonnet
cd "$corpora/corp/kubernetes-monitoring+kubernetes-mixin"
one "$PWD" lib/dashboards.jsonnet 40 $(libraries dashboards lib) config.libsonnet mixin.libsonnet
one "$PWD" lib/alerts.jsonnet 40 $(libraries alerts lib) config.libsonnet
one "$PWD" lib/rules.jsonnet 30 $(libraries rules lib) config.libsonnet
cd "$corpora/corp/prometheus+node_exporter/docs/node-mixin"
one "$PWD" dashboards.jsonnet 60 $(libraries .)
one "$PWD" alerts.jsonnet 40 alerts/alerts.libsonnet config.libsonnet
cd "$corpora/corp/thanos-io+thanos/mixin"
one "$PWD" dashboards.jsonnet 60 $(libraries .)
one "$PWD" alerts.jsonnet 40 $(libraries alerts) config.libsonnet mixin.libsonnet
cd "$corpora/corp/prometheus+alertmanager/doc/alertmanager-mixin"
one "$PWD" alerts.jsonnet 30 $(libraries .)
one "$PWD" dashboards.jsonnet 30 $(libraries .)
cd "$corpora/corp/prometheus+prometheus/documentation/prometheus-mixin"
one "$PWD" dashboards.jsonnet 50 $(libraries .)
one "$PWD" alerts.jsonnet 30 $(libraries .)
cd "$corpora/corp/prometheus-operator+prometheus-operator/jsonnet/mixin"
one "$PWD" alerts.jsonnet 40 $(libraries .)
cd "$corpora/corp/kubernetes+kube-state-metrics"
one "$PWD" scripts/mixin.jsonnet 40 $(libraries jsonnet/kube-state-metrics-mixin)
cd "$corpora/corp/brancz+kubernetes-grafana"
one "$PWD" examples/dashboard-definition.jsonnet 60 examples/dashboard-definition.jsonnet $(libraries .)
one "$PWD" examples/custom-ini.jsonnet 40 examples/custom-ini.jsonnet $(libraries .)
cd "$corpora/corp/pyrra-dev+pyrra"
one "$PWD" examples/openshift/main.jsonnet 50 examples/openshift/main.jsonnet $(libraries .)
cd "$corpora/corp/grafana+grafonnet-lib"
one "$PWD" examples/jvm.jsonnet 50 examples/jvm.jsonnet $(libraries grafonnet)
one "$PWD" examples/prometheus.jsonnet 50 examples/prometheus.jsonnet $(libraries grafonnet)
cd "$corpora/corp/grafana+jsonnet-libs"
one "$PWD/opentelemetry-collector-mixin" dashboards.jsonnet 40 $(cd opentelemetry-collector-mixin && libraries .)
one "$PWD/opentelemetry-collector-mixin" alerts.jsonnet 30 $(cd opentelemetry-collector-mixin && libraries .)
one "$PWD/memcached-mixin" dashboards.jsonnet 40 $(cd memcached-mixin && libraries .)
one "$PWD/nsq-mixin" lib/dashboards.jsonnet 40 $(cd nsq-mixin && libraries .)
one "$PWD/caddy-mixin" dashboards/caddy-overview.jsonnet 40 dashboards/caddy-overview.jsonnet

awk '/^[0-9]+ faults/ { all += $1; for (i = 1; i < NF; i++) { if ($i == "are") r += $(i - 1); if ($(i + 1) == "as") e += $i } }
  END { printf "%d faults: %d reported, %d as errors\n", all, r, e }' "$counts"
