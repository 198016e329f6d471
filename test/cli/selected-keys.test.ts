import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from './harness.ts';

const terminal = { tty: true, columns: 80, env: { TERM: 'dumb' } };

function translatedProject(): string {
  return projectWith({
    'locales/en.json': '{\n  "title": "Garden",\n  "bye": "Goodbye",\n  "new": "New"\n}\n',
    'locales/es.json': '{\n  "title": "Jardín"\n}\n',
  });
}

const sync = (cwd: string, ...args: readonly string[]) =>
  dragoman(['sync', '--engine', 'pseudo', ...args], { ...terminal, cwd });

describe('sync --key', () => {
  it('warns about a pattern that matches nothing, and ends with 2', async () => {
    const cwd = translatedProject();
    for (const state of ['before the first run', 'with everything up to date']) {
      const { stderr, exitCode } = await sync(cwd, '--key', 'nope', '--key', 'bye');
      expect(stderr, state).toContain('warning: no key matches --key nope\n');
      expect(stderr, state).not.toContain('--key bye');
      expect(exitCode, state).toBe(2);
      expect((await sync(cwd)).exitCode).toBe(0);
    }
    expect((await sync(cwd, '--dry-run', '--key', 'nope')).exitCode).toBe(2);
    expect((await sync(cwd, '--key', 'by*')).exitCode).toBe(0);
  });

  it('explains that a key is kept because a person owns it', async () => {
    const cwd = translatedProject();
    const { stderr, exitCode } = await sync(cwd, '--key', 'title');
    expect(stderr).toContain(
      'locales/es.json:2:12: kept title (es): it was in the file before the first sync\n',
    );
    expect(exitCode).toBe(0);
    const { writeFileSync } = await import('node:fs');
    await sync(cwd);
    writeFileSync(
      `${cwd}/locales/es.json`,
      '{\n  "title": "Jardín",\n  "bye": "Adiós",\n  "new": "Ñéw"\n}\n',
    );
    const again = await sync(cwd, '--key', 'bye', '--retranslate');
    expect(again.stderr).toContain('locales/es.json:3:10: kept bye (es): a person wrote or changed it\n');
  });
});
