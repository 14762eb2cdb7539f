// objects nested 3000 deep, each reading the one around it
local nest(n) = { local outer = self, v: n, inner: if n == 0 then null else nest(n - 1) { w: outer.v + 1 } };
local sum(o) = if o == null then 0 else o.v + sum(o.inner);
sum(nest(3000))
