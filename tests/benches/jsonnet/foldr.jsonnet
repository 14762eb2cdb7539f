// foldr of 300,000 into a number
std.foldr(function(x, a) (x + a) % 1000003, std.makeArray(300000, function(i) i), 0)
