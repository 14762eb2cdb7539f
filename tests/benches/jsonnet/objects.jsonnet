// 100,000 objects with methods, folded
local Point(x, y) = { local s = self, x: x, y: y, sum:: s.x + s.y, add(o):: Point(s.x + o.x, s.y + o.y) };
std.foldl(function(p, i) p.add(Point(i, 1)), std.range(1, 100000), Point(0, 0)).sum
