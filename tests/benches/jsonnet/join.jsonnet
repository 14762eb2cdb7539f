// join of 200,000 strings
std.length(std.join(",", [std.toString(x) for x in std.range(1, 200000)]))
