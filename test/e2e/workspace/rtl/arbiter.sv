// A fixed-priority arbiter: the lowest request wins.
module arbiter (
    input  logic [3:0] request,
    output logic [3:0] grant,
    output logic       busy
);
    assign grant = request & (~request + 4'd1);
    assign busy  = |request;
endmodule
