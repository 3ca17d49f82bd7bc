// The counter as specified: reset, then load, then count.
module counter_golden (
    input  wire       clk,
    input  wire       rst_n,
    input  wire       load,
    input  wire       enable,
    input  wire [7:0] value,
    output reg  [7:0] count,
    output wire       last
);
    assign last = (count == 8'hff) && enable;

    always @(posedge clk or negedge rst_n)
        if (!rst_n)      count <= 8'd0;
        else if (load)   count <= value;
        else if (enable) count <= count + 8'd1;
endmodule
