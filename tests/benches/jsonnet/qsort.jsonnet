// quicksort of 40,000 written in jsonnet
local sort(a) = if std.length(a) <= 1 then a else local p = a[0], rest = a[1:]; sort([x for x in rest if x < p]) + [p] + sort([x for x in rest if x >= p]);
local rnd = std.foldl(function(s, i) s + [(s[std.length(s) - 1] * 1103515245 + 12345) % 2147483648], std.range(1, 200), [42]);
local arr = std.makeArray(40000, function(i) (i * 7919) % 40009);
sort(arr)[100]
