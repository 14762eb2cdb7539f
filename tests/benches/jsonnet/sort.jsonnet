// sort of 200,000 numbers
std.sort([(x * 7919) % 200003 for x in std.range(1, 200000)])[0]
