/** What every release of Icarus Verilog defines in the module `system`. */
const IN_SYSTEM =
  /^\$(?:(?:display|f?write|monitor|strobe)[bho]?|finish|stop|info|warning|error|fatal|f(?:open|close|read|flush)|u?random|urandom_range|time|stime|simtime|realtime|timeformat|(?:test|value)\$plusargs|readmem[bh]|dump(?:file|vars|on|off|all|flush|limit))$/;
const OTHER_MODULE = /^:vpi_module "(?:[^"]*[\\/])?(?:v2005_math|v2009|va_math|vhdl_sys|vhdl_textio)\.vpi";\n/gm;

/**
 * A compiled `.vvp` file without the modules that nothing in it calls, `names` being all that it calls: to load them takes vvp longer than many a simulation.
 */
export function withoutUnusedModules(vvpText: string, names: Iterable<string>): string {
  return [...names].every((name) => IN_SYSTEM.test(name)) ? vvpText.replace(OTHER_MODULE, '') : vvpText;
}
