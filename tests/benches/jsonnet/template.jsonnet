// a text block of 40,000 lines by parts
local line(i) = |||
  server %(name)s {
    port = %(port)d
  }
||| % { name: "s" + i, port: 1000 + i };
std.length(std.foldl(function(a, i) a + line(i), std.range(1, 40000), ""))
