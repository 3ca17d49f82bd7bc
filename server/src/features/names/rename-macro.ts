import { macroMentions } from '../../syntax/mentions.ts';
import type { RenameResult, TextEdit } from './edits.ts';
import type { NameSnapshot } from './snapshot.ts';

/** Renames a macro in every file, also where it stands in inactive text or in the text of other macros. */
export function renameMacro(snapshot: NameSnapshot, from: string, oldName: string, newName: string): RenameResult {
  const refuse = (reason: string): RenameResult => ({ kind: 'refused', reason });
  const files = snapshot.filesMentioning(oldName, from);
  const edits: TextEdit[] = [];
  let defined = false;
  for (const file of files) {
    const text = snapshot.source(file)?.text ?? '';
    for (const { name, kind, span } of macroMentions(text)) {
      if (name !== oldName) continue;
      if (!snapshot.isOwn(file)) return refuse(`The macro '${oldName}' also stands in ${file}, which does not belong to the workspace.`);
      defined ||= kind === 'define';
      edits.push({ file, span, newText: newName });
    }
  }
  if (!defined) return refuse(`No file of the workspace defines the macro '${oldName}'; it may come from a setting or a file list, which a rename does not change.`);
  const outside = files.flatMap((file) => snapshot.source(file) ?? []).some(({ given }) => given.includes(oldName));
  if (outside) return refuse(`The macro '${oldName}' is also defined by a setting or a file list, which a rename does not change.`);
  const taken = snapshot.filesMentioning(newName, from).find((file) => macroMentions(snapshot.source(file)?.text ?? '').some(({ name }) => name === newName));
  if (taken !== undefined) return refuse(`The macro '${newName}' already exists in ${taken}.`);
  return { kind: 'edits', edits };
}
