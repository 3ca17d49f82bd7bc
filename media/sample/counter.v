// Counts from 0 to 9 and begins again; `carry` tells the next digit to count.
// One line is wrong. The verdict above the module shows which sequence of inputs reveals it.
module counter (
    input  wire       clk,
    input  wire       reset,
    input  wire       enable,
    output reg  [3:0] digit,
    output wire       carry
);
    assign carry = (digit == 4'd9);

    always @(posedge clk)
        if (reset)       digit <= 4'd0;
        else if (enable) digit <= carry ? 4'd0 : digit + 4'd1;
endmodule
