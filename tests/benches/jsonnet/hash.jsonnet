// md5 of 2 MB and of 20,000 short strings
[std.md5(std.repeat("abcdefghij", 200000)), std.foldl(function(a, i) std.md5(a + i), std.range(1, 20000), "")]
