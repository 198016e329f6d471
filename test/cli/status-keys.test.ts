import { expect, it } from 'vitest';
import { dragoman, projectWith } from './harness.ts';

interface StatusDocument {
  readonly projects: readonly {
    readonly languages: readonly {
      readonly files: readonly { readonly target: string; readonly keys: unknown }[];
    }[];
  }[];
}

it('status --keys --json lists every key with its texts, even with a report', async () => {
  const cwd = projectWith({
    'locales/en.json': '{"a": "One", "b": {"c": "Two"}}',
    'locales/fr.json': '{"a": "Un", "z": "Zut"}',
  });
  const argv = ['status', '-s', 'en', '-t', 'fr', '--keys', '--json'];
  for (const more of [[], ['--report', 'out.html']]) {
    const { exitCode, stdout, stderr } = await dragoman([...argv, ...more], { cwd });
    expect(exitCode, stderr).toBe(0);
    const { projects } = JSON.parse(stdout) as StatusDocument;
    expect(projects[0]?.languages[0]?.files).toMatchObject([
      {
        target: 'locales/fr.json',
        keys: [
          { key: ['a'], state: 'unknown', source: 'One', translation: 'Un' },
          { key: ['b', 'c'], state: 'missing', source: 'Two', translation: null },
          { key: ['z'], state: 'extra', source: null, translation: 'Zut' },
        ],
      },
    ]);
  }
  const plain = await dragoman(['status', '-s', 'en', '-t', 'fr', '--json'], { cwd });
  expect(plain.stdout).not.toContain('"Un"');
  const text = await dragoman(['status', '-s', 'en', '-t', 'fr', '--keys'], { cwd });
  expect(text).toMatchObject({ exitCode: 2, stdout: '' });
  expect(text.stderr).toContain('--keys lists the keys of all files as JSON');
});
