`include "arbiter_config.vh"

// Round-robin arbiter, written to be read and not to be fast: the search starts
// at the requester after the last winner and goes round once.
module rr_arbiter #(
    parameter N = `ARBITER_PORTS
) (
    input  wire         clk,
    input  wire         rst_n,
    input  wire [N-1:0] request,
    output reg  [N-1:0] grant,   // the winner of the last cycle, if there was one
    output wire [N-1:0] owner    // the last winner, whenever that was
);

    localparam W = $clog2(N);

    reg [W-1:0] last;
    reg [W-1:0] winner;
    reg [W:0]   candidate;
    reg         found;
    integer     i;

    assign owner = 1 << last;

    always @* begin
        found  = 1'b0;
        winner = last;
        for (i = 1; i <= N; i = i + 1) begin
            candidate = last + i;
            if (candidate >= N)
                candidate = candidate - N;
            if (!found && request[candidate[W-1:0]]) begin
                found  = 1'b1;
                winner = candidate[W-1:0];
            end
        end
    end

    always @(posedge clk or negedge rst_n)
        if (!rst_n) begin
            last  <= N - 1;
            grant <= 0;
        end else begin
            last  <= winner;
            grant <= found ? 1 << winner : 0;
        end

endmodule
