`include "arbiter_config.vh"

// The same arbiter with a bug that a short test does not see: the mask moves only
// when a requester above the last winner wins. Once the search wraps round, the
// mask stays behind, and the low requesters are no longer served in turn.
module rr_arbiter_tired #(
    parameter N = `ARBITER_PORTS
) (
    input  wire         clk,
    input  wire         rst_n,
    input  wire [N-1:0] request,
    output reg  [N-1:0] grant
);

    reg  [N-1:0] above;   // requesters above the last winner
    wire [N-1:0] pick_above, pick_any;

    lowest_one #(.WIDTH(N)) u_above (.in(request & above), .out(pick_above));
    lowest_one #(.WIDTH(N)) u_any   (.in(request),         .out(pick_any));

    wire [N-1:0] pick = |pick_above ? pick_above : pick_any;

    always @(posedge clk or negedge rst_n)
        if (!rst_n) begin
            above <= {N{1'b1}};
            grant <= {N{1'b0}};
        end else begin
            grant <= pick;
            if (|pick_above)
                above <= ~(pick | (pick - 1'b1));
        end

endmodule
