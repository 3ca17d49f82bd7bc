// Adds one and tells when the sum wraps.
module increment #(
    parameter WIDTH = 8
) (
    input  wire [WIDTH-1:0] value,
    output wire [WIDTH-1:0] next,
    output wire             carry
);
    assign {carry, next} = value + 1'b1;
endmodule
