`include "arbiter_config.vh"

// Round-robin arbiter without a loop: two fixed-priority pickers, one of which
// sees only the requesters above the last winner.
module rr_arbiter #(
    parameter N = `ARBITER_PORTS
) (
    input  wire         clk,
    input  wire         rst_n,
    input  wire [N-1:0] request,
    output reg  [N-1:0] grant,
    output reg  [N-1:0] owner
);

    wire [N-1:0] above = ~(owner | (owner - 1'b1));
    wire [N-1:0] pick_above, pick_any;

    lowest_one #(.WIDTH(N)) u_above (.in(request & above), .out(pick_above));
    lowest_one #(.WIDTH(N)) u_any   (.in(request),         .out(pick_any));

    wire [N-1:0] pick = |pick_above ? pick_above : pick_any;

    always @(posedge clk or negedge rst_n)
        if (!rst_n) begin
            grant <= {N{1'b0}};
            owner <= {1'b1, {N-1{1'b0}}};
        end else begin
            grant <= pick;
            if (|pick)
                owner <= pick;
        end

endmodule
