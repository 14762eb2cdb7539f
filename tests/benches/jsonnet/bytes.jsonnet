// base64 of an array of 300,000 bytes and back
local a = std.makeArray(300000, function(i) (i * 7) % 256);
std.length(std.base64DecodeBytes(std.base64(a)))
