// fold of 1,000,000 numbers
std.foldl(function(a, x) a + x * 2, std.range(1, 1000000), 0)
