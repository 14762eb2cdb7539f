std.length(std.objectFields(std.foldl(function(a, x) a + { ["k" + x]: x }, std.range(1, 5000), {})))
