// format 100,000 times
std.length(std.join("", ["%05d %-8s|%6.2f %x;" % [i, "n" + i, i / 7, i] for i in std.range(1, 100000)]))
