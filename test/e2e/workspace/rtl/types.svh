`ifndef TYPES_SVH
`define TYPES_SVH
typedef logic [7:0] byte_t;
`endif
