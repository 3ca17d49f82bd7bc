`ifndef ARBITER_CONFIG_VH
`define ARBITER_CONFIG_VH

// Requesters of an arbiter that is instantiated without a parameter.
`ifndef ARBITER_PORTS
`define ARBITER_PORTS 4
`endif

`endif
