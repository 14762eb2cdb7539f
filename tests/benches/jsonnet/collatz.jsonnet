// arithmetic: collatz to 3000
local steps(n, k=0) = if n == 1 then k else steps(if n % 2 == 0 then n / 2 else 3 * n + 1, k + 1) tailstrict;
std.foldl(function(a, n) std.max(a, steps(n)), std.range(1, 3000), 0)
