import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from './harness.ts';

const PSEUDO = ['-s', 'en', '--engine', 'pseudo'];

describe('translate', () => {
  it('translates arguments, one line each', async () => {
    const { exitCode, stdout, stderr } = await dragoman([
      'translate',
      'One {x}',
      'Two',
      '-t',
      'fr',
      ...PSEUDO,
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('{x}');
    expect(lines[0]).not.toContain('One');
  });

  it('translates standard input as one text and keeps its lines', async () => {
    const { stdout } = await dragoman(['translate', '-t', 'fr', ...PSEUDO], { stdin: '  One\n\n Two\n' });
    expect(stdout).toMatch(/^ {2}\S+\n\n \S+\n$/);
  });

  it('answers in the shape of the specification', async () => {
    const { stdout } = await dragoman(['translate', 'One', '-t', 'fr', '--json', ...PSEUDO]);
    const { translations, details } = JSON.parse(stdout) as { translations: object; details: object };
    expect(Object.keys(translations)).toEqual(['text', 'translation', 'source', 'target']);
    expect(translations).toMatchObject({ text: 'One', source: 'en', target: 'fr' });
    expect(details).toEqual({});
  });

  it('names the language before each line if there are several targets', async () => {
    const { stdout } = await dragoman(['translate', 'One', '-t', 'fr,es', '-t', 'fr', ...PSEUDO]);
    expect(stdout).toMatch(/^fr\t.+\nes\t.+\n$/);
  });

  it('detects the source language', async () => {
    const text = 'Das ist ein Satz in deutscher Sprache.';
    const { stdout } = await dragoman(['translate', text, '-t', 'fr', '--engine', 'pseudo', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ translations: { source: 'de' } });
  });

  it('does not wait for a text on a terminal', async () => {
    const result = await dragoman(['translate', '-t', 'fr', ...PSEUDO], { tty: true });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain('no text');
  });

  it('refuses standard input that is not UTF-8', async () => {
    const result = await dragoman(['translate', '-t', 'fr', ...PSEUDO], {
      stdin: Buffer.from([0xff, 0xfe, 0xfd]),
    });
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
  });

  it('escapes control characters for a terminal, not for a pipe', async () => {
    const text = 'a\u001b[31mred';
    const piped = await dragoman(['translate', '-t', 'fr', ...PSEUDO], { stdin: text });
    expect(piped.stdout).toContain('\u001b[31');
    const shown = await dragoman(['translate', '-t', 'fr', ...PSEUDO], {
      stdin: text,
      tty: true,
      env: { TERM: 'dumb' },
    });
    expect(shown.stdout).not.toContain('\u001b');
  });

  it('suggests a remedy when no engine supports the pair', async () => {
    const result = await dragoman(['translate', 'One', '-s', 'en', '-t', 'ja', '--json'], { env: {} });
    expect(result.exitCode).toBe(7);
    expect(JSON.parse(result.stdout)).toMatchObject({ translations: { target: 'ja', success: false } });
    expect(result.stderr).toMatch(/--engine/);
  });

  it('uses the engine from the environment', async () => {
    const result = await dragoman(['translate', 'One', '-s', 'en', '-t', 'ja'], {
      env: { DRAGOMAN_ENGINE: 'pseudo' },
    });
    expect(result.exitCode).toBe(0);
  });
});

describe('translate of many targets and long texts', () => {
  it('splits a text over the limit at sentence ends, and keeps the surrounding white space', async () => {
    const text = `  ${'One is {x}.  Two is 2.\n'.repeat(500)}`;
    const { exitCode, stdout } = await dragoman(['translate', '-t', 'fr', ...PSEUDO], { stdin: text });
    expect(exitCode).toBe(0);
    expect(stdout.replace(/[^\s{}x.\d]/g, '_')).toBe(text.replace(/(?<!\{)[A-Za-z]/g, '_'));
  });

  it('fails only a target that no engine supports', async () => {
    const cwd = projectWith({
      'engine.cjs': `
        process.stdin.setEncoding('utf8').on('data', (chunk) => {
          for (const line of chunk.trim().split('\\n')) {
            const { id, target, texts } = JSON.parse(line);
            const answer = target === 'es' ? { error: 'no Spanish' } : { translations: texts.map(() => 'oui') };
            process.stdout.write(JSON.stringify({ id, ...answer }) + '\\n');
          }
        });`,
    });
    const flags = [
      '-s',
      'en',
      '-t',
      'es,fr',
      '--engine',
      'exec',
      '--engine-command',
      `node ${cwd}/engine.cjs`,
    ];
    const result = await dragoman(['translate', 'yes', ...flags], {
      cwd,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    expect(result).toMatchObject({ exitCode: 7, stdout: 'es\tyes\nfr\toui\n' });
    expect(result.stderr).toMatch(/into es: .*no Spanish/);
    const json = await dragoman(['translate', 'yes', '--json', ...flags], { cwd });
    expect(JSON.parse(json.stdout)).toEqual({
      translations: [
        expect.objectContaining({ target: 'es', success: false }),
        { text: 'yes', translation: 'oui', source: 'en', target: 'fr' },
      ],
      details: {},
    });
  });
});

describe('detect', () => {
  it('prints a code for each text', async () => {
    const { stdout } = await dragoman(['detect', 'This is an English sentence.', 'これは日本語です']);
    expect(stdout).toBe('en\nja\n');
  });

  it('answers in the shape of the specification', async () => {
    const { stdout } = await dragoman(['detect', '--json'], { stdin: 'Ceci est une phrase en français.' });
    expect(JSON.parse(stdout)).toEqual({
      language_detection: { text: 'Ceci est une phrase en français.', language: 'fr' },
    });
  });

  it('refuses a text that is only white space', async () => {
    expect((await dragoman(['detect', '  '])).exitCode).toBe(2);
  });

  it('answers und for a text without letters', async () => {
    expect(await dragoman(['detect', '123 !?'])).toMatchObject({ exitCode: 0, stdout: 'und\n' });
  });
});

describe('languages', () => {
  it('lists more than a hundred codes and auto', async () => {
    const { stdout } = await dragoman(['languages', '--json']);
    const { supported_languages: languages } = JSON.parse(stdout) as {
      supported_languages: Record<string, string>;
    };
    expect(Object.values(languages)).toContain('auto');
    expect(Object.keys(languages).length).toBeGreaterThan(100);
    expect(languages['French']).toBe('fr');
  });
});

describe('languages of an engine', () => {
  it('are those that it supports, and auto', async () => {
    const { stdout, exitCode } = await dragoman(['languages', '--engine', 'auto', '--json'], {
      env: { PATH: '/nowhere' },
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ supported_languages: { 'Auto-detect': 'auto' } });
    const all = await dragoman(['languages', '--all'], { env: { DRAGOMAN_ENGINE: 'auto' } });
    expect(all.stdout.split('\n').length).toBeGreaterThan(100);
  });
});

describe('health', () => {
  it('shows which engines are ready', async () => {
    const { exitCode, stdout } = await dragoman(['health', '--engine', 'pseudo', '--json']);
    expect(exitCode).toBe(0);
    const report = JSON.parse(stdout) as { status: string; engines: { id: string; ready: boolean }[] };
    expect(report.status).toBe('healthy');
    expect(report.engines.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['exec', 'firefox', 'apertium', 'pseudo']),
    );
    const sick = await dragoman(['health', '--engine', 'exec', '--engine-command', '/nowhere/engine']);
    expect(sick.stdout.split('\n')[0]).toBe(sick.exitCode === 0 ? 'healthy' : 'unhealthy');
  });
});

describe('account', () => {
  it('answers in the shape of the specification', async () => {
    const { stdout } = await dragoman(['account', '--engine', 'pseudo', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ email: 'local@localhost', summary: { total_requests: 0 } });
  });
});

describe('engines', () => {
  it('lists the available engines and how to install more', async () => {
    const { stdout } = await dragoman(['engines', '--json']);
    const { engines } = JSON.parse(stdout) as { engines: { id: string; ready: boolean; detail: string }[] };
    expect(engines.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['exec', 'firefox', 'apertium', 'pseudo']),
    );
    expect(engines.find(({ id }) => id === 'pseudo')?.ready).toBe(true);
    expect((await dragoman(['engines'])).stdout).toContain('any language to any other');
  });
});
