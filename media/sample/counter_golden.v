// What the counter should do: the reference that it is compared with.
module counter_golden (
    input  wire       clk,
    input  wire       reset,
    input  wire       enable,
    output reg  [3:0] digit,
    output wire       carry
);
    // The next digit counts only when this one does.
    assign carry = enable && digit == 4'd9;

    always @(posedge clk)
        if (reset)       digit <= 4'd0;
        else if (enable) digit <= (digit == 4'd9) ? 4'd0 : digit + 4'd1;
endmodule
