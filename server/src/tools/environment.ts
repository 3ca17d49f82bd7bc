/** What a tool finds in its environment beside what this process has: messages in plain English, and a folder for its temporary files. */
export function toolEnvironment(dir: string): Record<string, string> {
  return { LC_ALL: 'C', TMP: dir, TMPDIR: dir, TEMP: dir };
}
