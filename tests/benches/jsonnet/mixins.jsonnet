// 2000 mixins of nested `+:`
local mixin(i) = { config+:: { ["k" + (i % 50)]: i, deep+: { list+: [i], n: i } }, out: $.config.deep.n };
local all = std.foldl(function(a, i) a + mixin(i), std.range(1, 2000), { config:: { deep: { list: [] } } });
[all.out, std.length(all.config.deep.list), std.length(all.config)]
