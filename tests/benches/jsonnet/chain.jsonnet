// a chain of 400 layers by recursion, `super` in each
local chain(n) = if n == 0 then { v: 0 } else chain(n - 1) + { v: super.v + 1 };
chain(400).v
