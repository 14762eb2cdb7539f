// currying and composition, 300,000 calls
local compose(f, g) = function(x) f(g(x)), add(n) = function(x) x + n;
local fs = std.foldl(function(f, i) compose(add(i), f), std.range(1, 30), function(x) x);
std.foldl(function(a, i) a + fs(i) % 7, std.range(1, 10000), 0)
