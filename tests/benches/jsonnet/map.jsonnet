// lazy map over 500,000
std.foldl(function(a, b) a + b, std.map(function(x) x + 1, std.makeArray(500000, function(i) i * 2)), 0)
