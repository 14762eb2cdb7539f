local base = { name: "n", labels: { app: self2.name for self2 in [{name: "q"}] } } ;
local mk(i) = { name: "obj" + i, spec: { replicas: i, labels: { app: $.name }, env:: [i] } } + { spec+: { replicas: super.replicas + 1 } } + { spec+: { extra: $.name } };
[mk(i) for i in std.range(1, 30000)]
