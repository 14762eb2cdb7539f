// recursion 100,000 deep that ends
local sum(n) = if n == 0 then 0 else n + sum(n - 1);
sum(100000)
