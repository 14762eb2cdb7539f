// encodeUTF8 and decodeUTF8 of 300,000 characters
local s = std.repeat("añ€", 100000);
std.decodeUTF8(std.encodeUTF8(s)) == s
