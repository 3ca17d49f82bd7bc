`include "arbiter_config.vh"

// Round-robin arbiter, written to be read and not to be fast: the search starts
// at the requester after the last winner and goes round once.
module rr_arbiter #(
    parameter N = `ARBITER_PORTS
) (
    input  wire         clk,
    input  wire         rst_n,
    input  wire [N-1:0] request,
    output reg  [N-1:0] grant
);

    localparam W = $clog2(N);

    reg [W-1:0] first;   // where the next search starts
    reg [W-1:0] winner;
    reg         found;
    integer     i;

    always @* begin
        found  = 1'b0;
        winner = first;
        for (i = 0; i < N; i = i + 1)
            if (!found && request[(first + i) % N]) begin
                found  = 1'b1;
                winner = (first + i) % N;
            end
    end

    always @(posedge clk or negedge rst_n)
        if (!rst_n) begin
            first <= 0;
            grant <= 0;
        end else if (found) begin
            first <= (winner == N - 1) ? 0 : winner + 1;
            grant <= 1 << winner;
        end else
            grant <= 0;

endmodule
