// A vending machine for cookies at 15 cents that takes nickels and dimes, one
// coin a clock cycle. It keeps the change.
//
//   state | nickel=0 dime=0 | nickel=1 dime=0 | nickel=0 dime=1 | cookie
//   ------+-----------------+-----------------+-----------------+-------
//   *C0   | C0              | C5              | C10             | 0
//   C5    | C5              | C10             | C15             | 0
//   C10   | C10             | C15             | C15             | 0
//   C15   | C0              | C5              | C10             | 1
//
// The reset is asynchronous and active low.
module cookie_dispenser (
    input  wire clk,
    input  wire rst_n,
    input  wire nickel,
    input  wire dime,
    output reg  cookie
);
endmodule


// Decimal digit to seven segments, a to g, which light at 1. Codes above nine
// do not occur.
//
//   bcd[3:0] || a b c d e f g
//   0000     || 1 1 1 1 1 1 0
//   0001     || 0 1 1 0 0 0 0
//   0010     || 1 1 0 1 1 0 1
//   0011     || 1 1 1 1 0 0 1
//   0100     || 0 1 1 0 0 1 1
//   0101     || 1 0 1 1 0 1 1
//   0110     || 1 0 1 1 1 1 1
//   0111     || 1 1 1 0 0 0 0
//   1000     || 1 1 1 1 1 1 1
//   1001     || 1 1 1 1 0 1 1


// Whether the valve opens: w water, t too hot, m by hand, p pressure.
//
//   open =
//   wt\mp | 00 01 11 10
//   00    |  0  0  d  1
//   01    |  1  d  0  1
//   11    |  1  1  0  1
//   10    |  0  0  0  d
