// 30,000 objects of three layers, nested
local mk(i) = { name: "obj" + i, spec: { replicas: i, labels: { app: $.name }, env:: [i] } } + { spec+: { replicas: super.replicas + 1 } } + { spec+: { extra: $.name } };
[mk(i) for i in std.range(1, 30000)]
