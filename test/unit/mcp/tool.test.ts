import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseCommandLine, UsageError, type CommandSpec } from '../../../server/src/cli/args.ts';
import { commands } from '../../../server/src/cli/run.ts';
import { argumentsSchema, commandLine, type ToolArguments } from '../../../server/src/mcp/tool.ts';

const spec: CommandSpec = {
  name: 'paint',
  usage: 'WALL... [options]',
  summary: 'Paints.',
  operands: 'Walls.',
  options: [
    { name: 'colour', value: 'NAME', required: true, help: 'A colour.' },
    { name: 'coat', short: 'c', value: 'PAINT', repeatable: true, help: 'A coat.' },
    { name: 'F', value: 'FILE', repeatable: true, help: 'A file.' },
    { name: 'most-layers', value: 'N', help: 'Layers.' },
    { name: 'no-wait', help: 'Do not wait.' },
    { name: 'out', value: 'FILE', terminalOnly: true, help: 'Writes a file.' },
  ],
};

function check(given: ToolArguments, expected: readonly string[]) {
  assert.deepEqual(commandLine(spec, given), expected);
}

describe('a command as a tool', () => {
  test('its arguments: the options that write nothing, the operands, and the directory', () => {
    const { properties, required } = argumentsSchema(spec);
    assert.deepEqual(Object.entries(properties).map(([name, { type }]) => [name, String(type)]), [
      ['paths', 'array'], ['colour', 'string'], ['coat', 'array,string'], ['F', 'array,string'], ['most_layers', 'number'], ['no_wait', 'boolean'], ['directory', 'string'],
    ]);
    assert.deepEqual(required, ['colour']);
  });

  test('its command line', () => {
    check({ colour: 'red' }, ['--colour=red']);
    check({ colour: '-1', coat: ['a', '-b'], most_layers: 3, no_wait: true }, ['--colour=-1', '--coat=a', '--coat=-b', '--most-layers=3', '--no-wait']);
    check({ colour: 'red', coat: 'one' }, ['--colour=red', '--coat=one']);
    check({ colour: 'red', F: ['l.f'], no_wait: false, paths: ['-n', 'x'], directory: '/d' }, ['--colour=red', '-F', 'l.f', '--', '-n', 'x']);
  });

  test('an argument that it does not have', () => {
    const rejected = (given: ToolArguments, message: RegExp) => assert.throws(() => commandLine(spec, given), (error) => error instanceof UsageError && message.test(error.message));
    rejected({ color: 'red' }, /"color"; did you mean colour\?$/);
    rejected({ out: 'f' }, /The tool paint has no argument "out"/);
  });

  test('no tool of the program writes a file, and each command line can be read by its command', () => {
    for (const { spec: command } of commands) {
      const { properties } = argumentsSchema(command);
      for (const name of ['json', 'help', 'vcd', 'save_case']) assert.ok(!(name in properties), `${command.name} ${name}`);
      const given = Object.fromEntries(Object.entries(properties).map(([name, { type }]) => [name, String(type).startsWith('array') ? ['a', 'b'] : type === 'number' ? 7 : type === 'boolean' ? true : 't']));
      const parsed = parseCommandLine(command, commandLine(command, given));
      const options = command.options.filter(({ terminalOnly }) => terminalOnly !== true);
      for (const { name } of options) assert.ok(parsed.flag(name), `${command.name} ${name}`);
      assert.deepEqual(parsed.positionals, command.operands === undefined ? [] : ['a', 'b']);
    }
  });
});
