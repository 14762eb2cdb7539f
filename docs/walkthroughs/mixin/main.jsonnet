(import 'orders.libsonnet') + {
  deployment+: { replicas: super.replicas * 2 },
}
