std.length(std.foldl(function(a, x) a + "item " + x + ", ", std.range(1, 200000), ""))
