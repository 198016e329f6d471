import { Command } from 'commander';
import { expect, it } from 'vitest';
import { serve } from '../../src/cli/commands/serve.ts';
import { adoptEnvironment, variableOf } from '../../src/cli/options/environment.ts';
import { dragoman, temporaryDirectory } from './harness.ts';

const PREFIX = 'DRAGOMAN_SERVE_';

function serveCommand(): Command {
  const command = new Command('serve').exitOverride().configureOutput({ writeErr: () => undefined });
  serve.configure?.(command);
  return command;
}

/** A value that the option accepts. */
function valueOf(option: Command['options'][number]): string {
  if (option.isBoolean()) return 'true';
  if (option.argChoices) return option.argChoices[0] ?? '';
  return ['7', '30d'].find((text) => isTaken(() => option.parseArg?.(text, undefined))) ?? '';
}

function isTaken(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}

it('the environment can set every option of serve', () => {
  const command = serveCommand();
  const names = command.options.map((option) => [option, variableOf(option, PREFIX)] as const);
  const env = Object.fromEntries(names.map(([option, name]) => [name, valueOf(option)]));
  adoptEnvironment(command, PREFIX, env);
  for (const [option, name] of names) {
    expect(name).toMatch(/^DRAGOMAN_SERVE_[A-Z_]+$/);
    expect(command.getOptionValueSource(option.attributeName()), name).toBe('env');
  }
});

it('the environment is read like the command line, which overrides it', () => {
  const command = serveCommand();
  command.parse(['--port', '1'], { from: 'user' });
  adoptEnvironment(command, PREFIX, {
    DRAGOMAN_SERVE_PORT: '2',
    DRAGOMAN_SERVE_KEEP_JOBS: '2d',
    DRAGOMAN_SERVE_METRICS: 'false',
    DRAGOMAN_SERVE_FAULT: '429:2,slow:5',
    DRAGOMAN_SERVE_HOST: '',
  });
  expect(command.opts()).toMatchObject({
    port: 1,
    keepJobs: 2 * 24 * 3_600_000,
    metrics: false,
    fault: ['429:2', 'slow:5'],
    host: '127.0.0.1',
  });
});

it.each([
  ['DRAGOMAN_SERVE_METRICS', 'yes', 'Expected true or false.'],
  ['DRAGOMAN_SERVE_PORT', '99999', 'Expected a number from 0 to 65535.'],
  ['DRAGOMAN_SERVE_LOG_LEVEL', 'loud', 'Allowed choices are debug, info, warn, error, silent.'],
])('the environment cannot set %s to an invalid value', async (name, value, reason) => {
  const { stderr, exitCode } = await dragoman(['serve', '--data-dir', temporaryDirectory()], {
    env: { [name]: value },
  });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`the variable ${name} is invalid: ${reason}`);
});
