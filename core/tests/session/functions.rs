//! `:graph --functions`: the function graph.

use super::check;
use expect_test::expect;

#[test]
fn the_function_graph_has_arguments_with_names() {
    check(
        &[
            ":dialect mcl",
            "$port = 80",
            ":graph --functions $port + 1",
            ":graph --functions if true { [1, 2,] } else { [$port,] }",
            "func f($a, $b) { $a + $b }",
            ":graph --functions f(1, strings.to_lower(\"X\")[0] || 3)",
            ":graph --functions import \"fmt\" $c = 2 $d = $c + $c class web($name, $on) { $n = len($name) file \"/etc/${name}\" { content => fmt.printf(\"%d\", $n), mode => $on ?: \"o=r\", Meta:noop => true, } } include web(\"w\", $d == 4) if true { noop \"x\" { Before => File[\"/etc/w\"], } }",
            ":graph --functions struct{a => {1 => 2,}, b => func($x) { $x },}->a[1]",
            ":graph --functions 1",
            ":graph --functions datetime.hour(datetime.now())",
            ":stages functions 1 + len(\"a\")",
            ":dialect cfg",
            ":graph --functions let x = 1 in { a = x + 1, b = [x, a] }",
            ":graph --functions fun x => match { 'A => x, _ => 2 } x",
            ":dialect jsonnet",
            ":graph --functions local f(x) = x + 1; { a: f(2), b: self.a }",
            ":graph --functions std.map(function(x) x, [1])",
        ],
        expect![[r#"
            > :dialect mcl
            > $port = 80
            port int
            > :graph --functions $port + 1
            3 +
                a <- $port
                b <- 1
            > :graph --functions if true { [1, 2,] } else { [$port,] }
            4 list
                0 <- 1
                1 <- 2
            6 list
                0 <- $port
            7 if
                c <- true
                a <- list (4)
                b <- list (6)
            > func f($a, $b) { $a + $b }
            func f func(?1, ?1) ?1
            > :graph --functions f(1, strings.to_lower("X")[0] || 3)
            4 strings.to_lower
                s <- "X"
            7 ||
                a <- strings.to_lower (4)
                b <- 0
                c <- 3
            8 call
                fn <- func f
                1  <- 1
                2  <- || (7)
            > :graph --functions import "fmt" $c = 2 $d = $c + $c class web($name, $on) { $n = len($name) file "/etc/${name}" { content => fmt.printf("%d", $n), mode => $on ?: "o=r", Meta:noop => true, } } include web("w", $d == 4) if true { noop "x" { Before => File["/etc/w"], } }
            2 $c
                value <- 2
            3 $d
                value <- + (19)
            4 include
                value <- call (23)
            7 $n
                value <- len (8)
            8 len
                value <- $name
            9 "/etc/${name}"
                0 <- $name
            10 file[/etc/${name}]
                name      <- "/etc/${name}" (9)
                content   <- file[/etc/${name}].content (11)
                mode      <- file[/etc/${name}].mode (14)
                Meta:noop <- file[/etc/${name}].Meta:noop (16)
            11 file[/etc/${name}].content
                content <- fmt.printf (13)
            13 fmt.printf
                format <- "%d"
                2      <- $n (7)
            14 file[/etc/${name}].mode
                mode <- "o=r"
                ?:   <- $on
            16 file[/etc/${name}].Meta:noop
                noop <- true
            19 +
                a <- $c (2)
                b <- $c (2)
            22 ==
                a <- $d (3)
                b <- 4
            23 call
                fn <- class web
                1  <- "w"
                2  <- == (22)
            27 noop[x]
                name <- "x"
            30 Before => File["/etc/w"]
                0 <- "x"
            31 Before => File["/etc/w"]
                0 <- "/etc/w"
            32 if
                c <- true
                a <- if true { noop "x" { Be…
            > :graph --functions struct{a => {1 => 2,}, b => func($x) { $x },}->a[1]
            3 map
                key 0   <- 1
                value 0 <- 2
            5 func
                body <- $x
            6 struct
                a <- map (3)
                b <- func (5)
            7 ->a
                struct <- struct (6)
            9 []
                list  <- ->a (7)
                index <- 1
            > :graph --functions 1
            1 node without edges
            > :graph --functions datetime.hour(datetime.now())
            2 datetime.hour
                moment <- datetime.now
            > :stages functions 1 + len("a")
            functions
              3 len
                  value <- "a"
              4 +
                  a <- 1
                  b <- len (3)
            > :dialect cfg
            > :graph --functions let x = 1 in { a = x + 1, b = [x, a] }
            1 x
                value <- 1
            4 +
                a <- x (1)
                b <- 1
            6 list
                0 <- x (1)
                1 <- a
            7 struct
                a <- + (4)
                b <- list (6)
            > :graph --functions fun x => match { 'A => x, _ => 2 } x
            2 match { 'A => x, _ => 2…
                0 <- x
                1 <- x
                2 <- 2
            4 func
                body <- match { 'A => x, _ => 2… (2)
            > :dialect jsonnet
            > :graph --functions local f(x) = x + 1; { a: f(2), b: self.a }
            1 f
                value <- func (5)
            4 +
                a <- x
                b <- 1
            5 func
                body <- + (4)
            7 call
                fn <- f (1)
                1  <- 2
            9 ->a
                struct <- self
            10 struct
                a <- call (7)
                b <- ->a (9)
            > :graph --functions std.map(function(x) x, [1])
            2 func
                body <- x
            4 list
                0 <- 1
            5 map
                func <- func (2)
                arr  <- list (4)
        "#]],
    );
}
