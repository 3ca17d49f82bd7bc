import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rules } from '../server/src/analysis/rules/table.ts';
import type { Category, Rule } from '../server/src/analysis/rules/rule.ts';

const titles: Readonly<Record<Category, string>> = {
  names: 'Names',
  connections: 'Instances',
  widths: 'Widths and signs',
  constants: 'Constants',
  drivers: 'Drivers',
  processes: 'Processes',
  cases: 'Conditions and cases',
  style: 'Style and synthesis',
};

/** The page of a rule, in Markdown. */
function pageOf({ id, level, reason, verilator = [], flagged, silent }: Rule): string {
  const fence = (code: string): string => `\`\`\`systemverilog\n${code}\n\`\`\``;
  const also = verilator.length === 0 ? '' : `\nVerilator: ${verilator.map((name) => `\`${name}\``).join(', ')}; its \`// verilator lint_off ${verilator[0] ?? ''}\` silences this rule too.\n`;
  return `# ${id}

Level: \`${level}\`

${reason}

Found:

${fence(flagged)}

Not found:

${fence(silent)}
${also}
Silence one line with \`// rtl-copilot off-next-line ${id}\` above it or \`// rtl-copilot off-line ${id}\` behind it, a stretch with
\`// rtl-copilot off ${id}\` and \`// rtl-copilot on ${id}\`, and everything with the setting \`"rtlCopilot.rules": { "${id}": "off" }\`.
`;
}

/** The page that lists all rules. */
function overview(): string {
  const sections = Object.entries(titles).map(([category, title]) => {
    const rows = rules.filter((rule) => rule.category === category).map(({ id, level, reason }) => `| [\`${id}\`](rules/${id}.md) | ${level} | ${reason} |`);
    return `## ${title}\n\n| rule | level | what is wrong with what it finds |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Rules

What the editor shows while you pause, and \`rtl-copilot check\` prints. A rule says nothing where something that it would have to know is not
known: an undefined macro, a header that is not found, a module of no file, a parameter without a value. It says nothing in inactive code, in the
text of a macro, and in a module with a syntax error.

Set the level of a rule (\`error\`, \`warning\`, \`information\`, \`hint\`, \`off\`) with the setting \`rtlCopilot.rules\` or the option
\`--rules RULE=LEVEL\`. Silence it by a comment:

| comment | silences |
|---|---|
| \`// rtl-copilot off-line RULE\` | its own line |
| \`// rtl-copilot off-next-line RULE\` | the line below |
| \`// rtl-copilot off RULE\` … \`// rtl-copilot on RULE\` | what lies between, or the rest of the file |
| \`// verilator lint_off NAME\` … \`// verilator lint_on NAME\` | the rules that say the same as that warning |

Several rules stand side by side with blanks or commas between; no rule means all. What follows \`--\` is the reason: \`// rtl-copilot off-next-line inferred-latch -- it holds the address\`.

${sections.join('\n')}`;
}

/** Path below the repository to text. */
export function rulePages(): ReadonlyMap<string, string> {
  return new Map([['docs/rules.md', overview()], ...rules.map((rule) => [`docs/rules/${rule.id}.md`, pageOf(rule)] as const)]);
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  mkdirSync(join(root, 'docs', 'rules'), { recursive: true });
  for (const [path, text] of rulePages()) writeFileSync(join(root, path), text);
}
