// 20,000 objects with asserts and defaults
local base = { assert self.port > 0 : "port", port: 80, name: error "name", url: self.name + ":" + self.port };
[(base { name: "n" + i, port+: i }).url for i in std.range(1, 20000)]
