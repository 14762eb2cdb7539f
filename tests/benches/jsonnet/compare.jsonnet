// equality and order of arrays of 300,000, of nested objects
local a = std.range(1, 300000), b = a + [1];
local o(n) = { ["k" + i]: { x: i, y: [i, { z: i }] } for i in std.range(1, n) };
[a + [1] == b, a < b, b <= a, o(20000) == o(20000)]
