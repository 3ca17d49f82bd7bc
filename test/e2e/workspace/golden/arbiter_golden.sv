module arbiter_golden (
    input  logic [3:0] request,
    output logic [3:0] grant,
    output logic       busy
);
    always_comb begin
        grant = 4'b0000;
        for (int i = 3; i >= 0; i--)
            if (request[i]) grant = 4'b0001 << i;
    end

    assign busy = (request != 4'b0000);
endmodule
