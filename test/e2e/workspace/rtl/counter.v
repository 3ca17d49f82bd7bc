`include "defaults.vh"

// An up counter with load, built on a submodule of another file.
module counter (
    input  wire                      clk,
    input  wire                      rst_n,
    input  wire                      load,
    input  wire                      enable,
    input  wire [`COUNTER_WIDTH-1:0] value,
    output reg  [`COUNTER_WIDTH-1:0] count,
    output wire                      last
);
    wire [`COUNTER_WIDTH-1:0] next;
    wire                      carry;

    increment #(.WIDTH(`COUNTER_WIDTH)) step (
        .value(count),
        .next (next),
        .carry(carry)
    );

    assign last = carry & enable;

    always @(posedge clk or negedge rst_n)
        if (!rst_n)      count <= 0;
        else if (load)   count <= value;
        else if (enable) count <= next;
endmodule
