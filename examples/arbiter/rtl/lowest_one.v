// Keeps the lowest bit that is set: 0110 gives 0010.
module lowest_one #(
    parameter WIDTH = 4
) (
    input  wire [WIDTH-1:0] in,
    output wire [WIDTH-1:0] out
);

    assign out = in & (~in + 1'b1);

endmodule
