// parseJson of 30,000 objects, parseYaml of 3000
local text(n) = std.manifestJsonMinified([{ a: x, b: "text", c: { d: [x, x / 3], e: null } } for x in std.range(1, n)]);
[std.length(std.parseJson(text(30000))), std.length(std.parseYaml(text(3000)))]
