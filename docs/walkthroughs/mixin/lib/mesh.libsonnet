// A mixin: the sidecar takes the port, the workload moves away by 9000.
{
  config+:: { port: super.port + 9000 },
  sidecar: { port: $.config.port - 9000 },
}
