/** What the model of the end-to-end tests says. It is a process of its own that speaks real HTTP on the loopback. */
import { CHAT, delta, DONE, event, eventStream, reply, ScriptedServer, stream } from '../model/harness.ts';
import type { Rule, Step } from '../model/scripted-server.ts';

export const MODEL_NAME = 'CodeV-R1-7B';

const THOUGHTS = [
  'The module has to add two numbers of four bits. ',
  'The largest sum is 15 + 15 = 30, which needs five bits. ',
  'If the operands were added in four bits, the carry would be lost. ',
  'In Verilog the width of an addition is that of the widest operand, the left side of the assignment included: ',
  'since sum has five bits, a + b is computed in five bits. ',
  'So one continuous assignment does it, and sum may stay a wire.',
];

const ADDER = `module add4 (
    input  wire [3:0] a,
    input  wire [3:0] b,
    output wire [4:0] sum
);
  assign sum = a + b;
endmodule`;

const SLOWER = ADDER.replace('a + b', "{1'b0, a} + {1'b0, b}");

/** A reply as a reasoning model gives it. `pauseMs` lies between two thoughts. */
export function reasons(code: string, pauseMs: number, says: readonly string[] = THOUGHTS): Step[] {
  const thoughts = says.flatMap((text): Step[] => [...(text.match(/\S+\s*/g) ?? []).map((word): Step => ({ do: 'write', text: delta({ reasoning_content: word }) })), { do: 'wait', ms: pauseMs }]);
  const answer = delta({ content: `<answer>\n\`\`\`verilog\n${code}\n\`\`\`\n</answer>` }) + delta({}, 'stop') + DONE;
  return [eventStream, ...thoughts, { do: 'write', text: answer }, { do: 'end' }];
}

function completes(text: string): Step[] {
  return stream(event({ content: text, stop: false }), event({ content: '', stop: true, stop_type: 'eos' }));
}

/** What a server with two slots says of itself. */
export const QUESTIONS: readonly Rule[] = [
  { request: 'GET /v1/models', steps: reply(200, { data: [{ id: MODEL_NAME, owned_by: 'llamacpp' }] }) },
  { request: 'GET /props', steps: reply(200, { default_generation_settings: { n_ctx: 32_768 }, total_slots: 2 }) },
  ...['/api/ps', '/api/v0/models'].map((path): Rule => ({ request: `GET ${path}`, steps: reply(404, { error: 'not found' }) })),
];

/** `pauseMs`: how long each thought takes. `suggestion`: what completes the line of the cursor. */
export function script({ pauseMs, suggestion }: { readonly pauseMs: number; readonly suggestion: string }): Rule[] {
  return [
    ...QUESTIONS,
    { request: 'POST /infill', steps: completes(suggestion) },
    { request: CHAT, times: 1, steps: reasons(SLOWER, pauseMs) },
    { request: CHAT, steps: reasons(ADDER, pauseMs) },
  ];
}

export { ScriptedServer };
