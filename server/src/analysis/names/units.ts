/** A closing word of a unit ends everything inside it, however broken. */
export const UNIT_ENDS: ReadonlySet<string> = new Set(['endmodule', 'endinterface', 'endprogram', 'endpackage', 'endclass', 'endchecker', 'endprimitive', 'endconfig']);
