// Three imports away: what every workload is.
{
  config:: {
    name: error 'a name is needed',
    port: 8080,
    replicas: 1,
  },
  local config = $.config,
  service: {
    name: config.name,
    port: config.port,
  },
  deployment: {
    replicas: config.replicas,
    args: ['--listen=:%d' % config.port],
  },
}
