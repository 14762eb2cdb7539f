// strReplace, split, escape, case of a string of 1.4 MB
local s = std.repeat("Hello, \"World\"! ", 90000);
[std.length(std.strReplace(s, "World", "you")), std.length(std.split(s, ",")), std.length(std.escapeStringJson(s)), std.length(std.asciiUpper(s)), std.length(std.findSubstr("World", s))]
