// sort of 50,000 objects by a key
std.sort([{ k: (x * 7919) % 50021, v: x } for x in std.range(1, 50000)], function(o) o.k)[0].k
