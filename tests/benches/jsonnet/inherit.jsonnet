// fold: an object of 3000 layers, `super` in each
local step(o, i) = o + { x: super.x + 1, ["k" + i]: self.x };
local o = std.foldl(step, std.range(1, 3000), { x: 0 });
[o.x, o.k5, std.length(std.objectFields(o))]
