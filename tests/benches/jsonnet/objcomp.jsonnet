// object comprehension of 100,000, read back
local o = { ["f" + x]: { a: x, b: [x, x + 1] } for x in std.range(1, 100000) };
std.foldl(function(a, x) a + o["f" + x].a, std.range(1, 100000), 0)
