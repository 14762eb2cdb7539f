// sort of 100,000 strings, and uniq
std.length(std.uniq(std.sort(["key" + (x * 7919) % 50021 for x in std.range(1, 100000)])))
