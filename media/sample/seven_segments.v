// Decimal digit to seven segments, a to g, which light at 1. Codes above nine
// do not occur, so their outputs are free.
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
module seven_segments (
    input  wire [3:0] bcd,
    output wire       a, b, c, d, e, f, g
);
endmodule
