// manifestYamlDoc of 20,000 objects
std.length(std.manifestYamlDoc([{ a: x, b: "text %d" % x, c: { d: [x], e: "yes", f: "two\nlines" } } for x in std.range(1, 20000)]))
