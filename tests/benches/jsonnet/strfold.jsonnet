// fold: a string of 200,000 pieces
std.length(std.foldl(function(a, x) a + "item " + x + ", ", std.range(1, 200000), ""))
