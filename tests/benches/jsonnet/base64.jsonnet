// base64 of 1 MB and back
local s = std.repeat("abcdefghij", 100000);
std.base64Decode(std.base64(s)) == s
