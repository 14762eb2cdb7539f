// a loop of 1,000,000 `tailstrict` calls
local loop(n, acc) = if n == 0 then acc else loop(n - 1, acc + n) tailstrict;
loop(1000000, 0)
