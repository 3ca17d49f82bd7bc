export interface MessagePlace {
  /** As the tool printed it, which is as the tool was given it. */
  readonly file: string;
  /** One-based. */
  readonly line: number;
  readonly message: string;
}

/** One message of a tool. `sorry` marks what the tool does not support, or where the tool itself failed: no fault of the source. */
export interface ToolMessage {
  readonly file: string | undefined;
  /** One-based. */
  readonly line: number | undefined;
  readonly severity: 'error' | 'warning' | 'sorry';
  readonly message: string;
  /** Further places that the message names. */
  readonly related: readonly MessagePlace[];
}

interface Located {
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly rest: string;
}

/** Says nothing that another message has not said. */
const summaryLine =
  /^(?:\d+ error\(s\) during elaboration\.|I give up\.|Unable to get version from .*|cat: .*|Preprocessor failed with \d+ errors?\.|ivl: line \d+: .*|Elaboration failed|\*\*\* These modules were missing:|.* referenced \d+ times\.|\*\*\*)$/;

function locate(line: string, files: readonly string[]): Located {
  // A known name comes first: a file's own path may hold what looks like a place.
  for (const file of files) {
    if (!line.startsWith(`${file}:`)) continue;
    const match = /^:(\d+):\s?(.*)$/.exec(line.slice(file.length));
    if (match !== null) return { file, line: Number(match[1]), rest: match[2] ?? '' };
  }
  const match = /^(.+?):(\d+):\s?(.*)$/.exec(line);
  if (match === null) return { file: undefined, line: undefined, rest: line };
  return { file: match[1], line: Number(match[2]), rest: match[3] ?? '' };
}

function placeAtEnd(text: string): MessagePlace | undefined {
  const match = /^(.*?\bhere): (.+):(\d+)$/.exec(text);
  return match === null ? undefined : { file: match[2] ?? '', line: Number(match[3]), message: match[1] ?? '' };
}

/** Words by which a compiler gives up on what may be right. */
const limit = /^(?:Probable infinite loop detected in generate|Array index expressions must be constant here\.$)/;

function severityAndText(rest: string): { severity: ToolMessage['severity']; message: string } {
  // The code generator names itself in front.
  const match = /^(?:(?:vvp\.tgt|tgt-vvp|vvp|ivl)\s+)?(warning|error|sorry|internal error|assert|assertion|preprocessor error)\s*[:,]\s*(.*)$/i.exec(rest);
  const word = match?.[1]?.toLowerCase();
  const message = (match?.[2] ?? rest).trim();
  if (word === 'warning') return { severity: 'warning', message };
  if (word === 'sorry' || limit.test(message)) return { severity: 'sorry', message };
  if (word?.startsWith('assert') === true || word === 'internal error') return { severity: 'sorry', message: `internal error: ${message}` };
  return { severity: 'error', message };
}

/** What an elaboration system task of the source says, as version 13 prints it: the severity, and then the place. */
const elaborationTask = /^(FATAL|ERROR|WARNING|INFO): (?=.+:\d+:)/;
/** Tells the scope of such a task. */
const elaborationScope = /^\s+During elaboration\s+Scope: /;

function saidByTask(task: string, text: string): { severity: ToolMessage['severity']; message: string } {
  return { severity: task === 'WARNING' ? 'warning' : 'error', message: `$${task.toLowerCase()}${text === '' ? '' : `: ${text}`}` };
}

/** Adds a line such as `file:4:      : It was declared here as a net.` to the message before it. */
function continued(previous: ToolMessage, at: Located, text: string): ToolMessage {
  if (at.file === undefined || at.line === undefined || (at.file === previous.file && at.line === previous.line)) {
    return { ...previous, message: `${previous.message} ${text}` };
  }
  return { ...previous, related: [...previous.related, { file: at.file, line: at.line, message: text }] };
}

/**
 * Reads what `iverilog` prints. `files` are the names it was given. Lines without a place are kept as errors without one,
 * except those that only count or repeat; exact repetitions are dropped.
 */
export function parseMessages(output: string, files: readonly string[] = []): ToolMessage[] {
  const known = [...files].sort((a, b) => b.length - a.length);
  const messages: ToolMessage[] = [];
  const seen = new Set<string>();
  for (const line of output.split(/\r?\n/)) {
    if (line.trim() === '' || seen.has(line) || elaborationScope.test(line)) continue;
    const task = elaborationTask.exec(line)?.[1];
    if (task === 'INFO') continue;
    const at = locate(task === undefined ? line : line.slice(task.length + 2), known);
    const continuation = /^\s*:\s+(.*)$/.exec(at.rest);
    const previous = messages.at(-1);
    if (continuation !== null && previous !== undefined) {
      messages[messages.length - 1] = continued(previous, at, continuation[1] ?? '');
      continue;
    }
    if (summaryLine.test(line.trim())) continue;
    seen.add(line);
    const { severity, message } = task === undefined ? severityAndText(at.rest.trim()) : saidByTask(task, at.rest.trim());
    const place = placeAtEnd(message);
    messages.push({ file: at.file, line: at.line, severity, message: place?.message ?? message, related: place === undefined ? [] : [place] });
  }
  return withoutEchoes(messages);
}

/** `syntax error` is dropped where the same line has a message that says what is wrong. */
function withoutEchoes(messages: readonly ToolMessage[]): ToolMessage[] {
  const explained = new Set(messages.filter((m) => m.message !== 'syntax error').map((m) => `${m.file}:${m.line}`));
  return messages.filter((m) => m.message !== 'syntax error' || !explained.has(`${m.file}:${m.line}`));
}
