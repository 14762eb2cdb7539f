// manifestJsonEx, manifestPython, toString of 20,000 objects
local data = [{ a: x, b: "text %d" % x, c: { d: [x, x / 3], e: null } } for x in std.range(1, 20000)];
[std.length(std.manifestJsonEx(data, "  ")), std.length(std.manifestPython(data)), std.length(std.toString(data)), std.length(std.manifestJsonMinified(data))]
