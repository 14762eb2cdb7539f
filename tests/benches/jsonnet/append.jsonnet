// fold: an array of 100,000 by `+`
std.length(std.foldl(function(a, x) a + [x], std.range(1, 100000), []))
