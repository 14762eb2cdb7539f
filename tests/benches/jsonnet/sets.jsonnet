// set, union, intersection, difference of 50,000; 20,000 look-ups
local a = std.set([x * 2 for x in std.range(1, 50000)]), b = std.set([x * 3 for x in std.range(1, 50000)]), c = std.set(std.range(1, 200));
[std.length(std.setUnion(a, b)), std.length(std.setInter(a, b)), std.length(std.setDiff(a, b)), std.count([std.setMember(x, c) for x in std.range(1, 20000)], true)]
