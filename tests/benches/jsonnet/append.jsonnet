std.length(std.foldl(function(a, x) a + [x], std.range(1, 100000), []))
