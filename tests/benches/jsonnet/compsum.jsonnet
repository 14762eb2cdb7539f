// comprehension 1000 x 500, its sum
local a = std.range(1, 1000);
std.foldl(function(s, v) s + v, [x * y for x in a for y in std.range(1, 500) if (x + y) % 2 == 0], 0)
