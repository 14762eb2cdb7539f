// Written in Jsonnet: the sidecar takes the port, and says so in its labels.
{
  mesh: true,
  labels: { mesh: 'on', sidecar: 'mesh-' + self.mesh },
}
