// filter, flatMap, flattenArrays, reverse, mapWithIndex, slices over 100,000
local a = std.range(1, 100000);
[
  std.length(std.filter(function(x) x % 3 == 0, a)),
  std.length(std.flatMap(function(x) [x, x], a)),
  std.length(std.flattenArrays([[x, x] for x in a])),
  std.reverse(a)[0],
  std.foldl(function(s, x) s + x, std.mapWithIndex(function(i, x) i * x, a), 0),
  std.length(a[10:90000:3]),
  std.foldl(function(s, i) s + a[i], std.range(0, 99999), 0),
  std.length(std.filterMap(function(x) x % 2 == 0, function(x) x + 1, a)),
  std.sum(a), std.avg(a), std.maxArray(a),
]
