// primes to 60,000 by tail calls
local isPrime(n) = local go(i) = if i * i > n then true else if n % i == 0 then false else go(i + 1); n > 1 && go(2);
std.length([n for n in std.range(1, 60000) if isPrime(n)])
