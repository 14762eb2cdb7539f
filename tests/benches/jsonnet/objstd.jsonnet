// objectValues, mapWithKey, mergePatch, prune, objectHas over 20,000 fields
local o = { ["f" + x]: { a: x, b: null, c: [] } for x in std.range(1, 20000) };
[
  std.length(std.objectValues(o)),
  std.foldl(function(s, v) s + v, std.objectValues(std.mapWithKey(function(k, v) v.a + std.length(k), o)), 0),
  std.length(std.mergePatch(o, { ["f" + x]: { d: x } for x in std.range(1, 20000) })),
  std.length(std.prune(o)),
  std.count([std.objectHas(o, "f" + x) for x in std.range(1, 40000)], true),
  std.length(std.objectKeysValues(o)),
]
