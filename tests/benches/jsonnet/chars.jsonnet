// characters: codepoints, map, index, over 200,000
local s = std.repeat("Hello, World! ", 15000);
local rot(c) = local n = std.codepoint(c); if n >= 97 && n <= 122 then std.char((n - 97 + 13) % 26 + 97) else c;
[std.length(std.join("", [rot(c) for c in std.stringChars(s)])), std.foldl(function(a, i) a + (if s[i] == "o" then 1 else 0), std.range(0, std.length(s) - 1), 0)]
