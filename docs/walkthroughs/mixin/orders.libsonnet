// One import away.
(import 'lib/web.libsonnet') + (import 'lib/mesh.libsonnet') + {
  config+:: { name: 'orders', replicas: 3 },
}
