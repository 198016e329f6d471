import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectWith } from './harness.ts';
import { hasPseudoTerminals, onTerminal, type TerminalSession } from './pseudo-terminal.ts';

const FILES = { 'locales/en.json': '{ "a": "One" }\n', 'locales/es.json': '{ "a": "Uno" }\n' };

const NAME = 'dragoman.config.yaml';

const LANGUAGES = [
  ['Source language', '\r'],
  ['separated by commas', ', fr\r'],
] as const;

const ANSWERS: NonNullable<TerminalSession['typed']> = [
  ...LANGUAGES,
  ['● auto', '\r'],
  ['translated file found', '\u001b[B\r'],
  ['Write ', '\r'],
];

describe.skipIf(!hasPseudoTerminals)('dragoman init on a terminal', () => {
  it.each([80, 50] as const)('asks, shows the plan and writes it, on %i columns', async (columns) => {
    const cwd = projectWith(FILES);
    const { exitCode, screen, hasColours } = await onTerminal(['init'], { cwd, columns, typed: ANSWERS });
    expect(screen).toBe(screenOf(columns));
    expect({ exitCode, hasColours }).toEqual({ exitCode: 0, hasColours: true });
    expect(readFileSync(join(cwd, NAME), 'utf8').split('\n').slice(1, 4)).toEqual([
      'source: "en"',
      'targets: ["es", "fr"]',
      '',
    ]);
  });

  it('has no colours with NO_COLOR', async () => {
    const cwd = projectWith(FILES);
    const session = { cwd, columns: 80, typed: ANSWERS, env: { NO_COLOR: '1' } };
    const { exitCode, screen, hasColours } = await onTerminal(['init'], session);
    expect(screen).toBe(screenOf(80));
    expect({ exitCode, hasColours }).toEqual({ exitCode: 0, hasColours: false });
  });

  it('writes the chosen engine, and explains how to set it up', async () => {
    const cwd = projectWith(FILES);
    const typed = [
      ...LANGUAGES,
      ['● auto', '\u001b[B\u001b[B\r'],
      ['translated file found', '\r'],
      ['Write ', '\r'],
    ] as const;
    const { exitCode, screen } = await onTerminal(['init'], { cwd, columns: 80, typed });
    expect(exitCode).toBe(0);
    expect(screen.split('\n').slice(-3)).toEqual([
      '1 source file in English',
      'next: set up firefox: For example: dragoman engines install en-es',
      'next: dragoman sync --dry-run',
    ]);
    expect(readFileSync(join(cwd, NAME), 'utf8')).toMatch(/^engine: firefox$/m);
  });

  it('reports an invalid answer, and lets the user correct it', async () => {
    const cwd = projectWith(FILES);
    const typed = [
      ['Source language', '\u007f\u007f\r'],
      ['Name a language', 'nonsens\r'],
      ['unsupported language "nonsens"', '\u007f'.repeat(7) + 'en\r'],
      ...ANSWERS.slice(1),
    ] as const;
    const { exitCode } = await onTerminal(['init'], { cwd, columns: 80, typed });
    expect(exitCode).toBe(0);
    expect(readFileSync(join(cwd, NAME), 'utf8')).toContain('source: "en"');
  });

  const cancelled = ANSWERS.map(
    ([until], i) => [until, [...ANSWERS.slice(0, i), [until, '\u0003']] satisfies typeof ANSWERS] as const,
  );

  it.each(cancelled)('writes nothing for Ctrl-C at "%s"', async (_, typed) => {
    const cwd = projectWith(FILES);
    const { exitCode, screen } = await onTerminal(['init'], {
      cwd,
      columns: 80,
      typed,
    });
    expect(exitCode).toBe(130);
    expect(screen.split('\n').at(-1)).toBe('error: nothing was written');
    expect(existsSync(join(cwd, NAME))).toBe(false);
  });

  it('writes nothing for "no"', async () => {
    const cwd = projectWith(FILES);
    const typed = [...ANSWERS.slice(0, -1), ['Write ', 'n']] as const;
    expect(await onTerminal(['init'], { cwd, columns: 50, typed })).toMatchObject({ exitCode: 130 });
    expect(existsSync(join(cwd, NAME))).toBe(false);
  });
});

const EXISTING = {
  80: '◇  1 translated file found: sync never overwrites their translations',
  50: '◇  1 translated file found: sync never overwrites\n│  their translations',
} as const;

const screenOf = (columns: 80 | 50): string => `┌  dragoman init
│
◇  Source language
│  en
│
◇  Target languages, separated by commas
│  es, fr
│
◇  Ready: pseudo
│
◇  Engine
│  auto: the first that supports the language pair
│
${EXISTING[columns]}
│  Keep them, and reuse their texts elsewhere
│
◇  Plan ──────────────────────────────────────╮
│                                             │
│  from      English                          │
│  into      Spanish, French                  │
│  files     locales/en.json                  │
│  engine    auto                             │
│  existing  1 kept, and added to the memory  │
│  writes    dragoman.config.yaml             │
│                                             │
├─────────────────────────────────────────────╯
│
◇  Write dragoman.config.yaml?
│  Yes
dragoman.config.yaml
1 source file in English
next: dragoman engines install en-es
next: dragoman engines install en-fr
next: dragoman memory import . -s en
next: dragoman sync --dry-run`;
