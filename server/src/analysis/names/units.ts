import { openerByCloser } from '../../syntax/keywords.ts';

/** A closing word of a unit ends everything inside it, however broken. */
export const UNIT_ENDS: ReadonlySet<string> = new Set(openerByCloser('unit', 'definition').keys());
