/** Keywords by the place where they can begin something. */
export const KEYWORDS_AT = {
  unit: ['module', 'interface', 'package', 'program', 'class', 'primitive', 'import', 'typedef', 'function', 'task', 'localparam', 'parameter', 'bind', 'checker'],
  item: [
    'assign', 'always', 'always_comb', 'always_ff', 'always_latch', 'initial', 'final', 'wire', 'logic', 'reg', 'bit', 'integer', 'int', 'real', 'genvar', 'localparam', 'parameter', 'typedef', 'enum',
    'struct', 'function', 'task', 'generate', 'if', 'for', 'case', 'begin', 'import', 'input', 'output', 'inout', 'modport', 'clocking', 'property', 'sequence', 'assert', 'assume', 'cover', 'defparam',
    'specify', 'tri', 'supply0', 'supply1', 'endmodule', 'endinterface', 'endpackage', 'endclass', 'endgenerate', 'end', 'else',
  ],
  statement: [
    'if', 'else', 'case', 'casez', 'casex', 'for', 'foreach', 'while', 'repeat', 'forever', 'do', 'begin', 'end', 'fork', 'join', 'join_any', 'join_none', 'return', 'break', 'continue', 'disable', 'wait', 'assert',
    'assume', 'cover', 'unique', 'priority', 'default', 'endcase', 'automatic', 'static', 'logic', 'reg', 'int', 'integer', 'bit', 'byte', 'real', 'string', 'force', 'release', 'endfunction', 'endtask',
  ],
  port: ['input', 'output', 'inout', 'wire', 'logic', 'reg', 'signed', 'parameter', 'localparam', 'type', 'ref', 'interface', 'int', 'bit'],
  expression: ['posedge', 'negedge', 'inside', 'signed', 'unsigned', 'this', 'super', 'null', 'new', 'or', 'iff'],
} as const satisfies Record<string, readonly string[]>;

export const DIRECTIVES: readonly string[] = [
  'define', 'undef', 'ifdef', 'ifndef', 'elsif', 'else', 'endif', 'include', 'timescale', 'default_nettype', 'resetall', 'celldefine', 'endcelldefine', 'line', 'pragma', 'begin_keywords', 'end_keywords',
];

/** The system functions and tasks that designs and testbenches use most (IEEE 1800-2017, clauses 20 and 21). */
export const SYSTEM_NAMES: readonly string[] = [
  '$bits', '$clog2', '$signed', '$unsigned', '$display', '$write', '$monitor', '$strobe', '$finish', '$stop', '$fatal', '$error', '$warning', '$info', '$time', '$realtime', '$stime', '$random', '$urandom',
  '$urandom_range', '$readmemh', '$readmemb', '$writememh', '$dumpfile', '$dumpvars', '$fopen', '$fclose', '$fdisplay', '$fwrite', '$sformatf', '$size', '$left', '$right', '$low', '$high', '$dimensions',
  '$countones', '$onehot', '$onehot0', '$isunknown', '$past', '$rose', '$fell', '$stable', '$changed', '$cast', '$test$plusargs', '$value$plusargs', '$floor', '$ceil', '$pow', '$sqrt', '$ln', '$log10', '$rtoi', '$itor',
  '$realtobits', '$bitstoreal', '$typename', '$timeformat', '$fscanf', '$sscanf', '$fgets', '$fread', '$feof', '$fflush', '$fmonitor', '$fstrobe', '$swrite', '$sformat', '$dumpon', '$dumpoff', '$dumpall', '$exit', '$increment',
  '$unpacked_dimensions', '$countbits', '$sampled', '$asserton', '$assertoff', '$assertkill', '$system', '$shortrealtobits', '$bitstoshortreal',
];
