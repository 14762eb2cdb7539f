// fold: an object of 5000 fields by `+`
std.length(std.objectFields(std.foldl(function(a, x) a + { ["k" + x]: x }, std.range(1, 5000), {})))
