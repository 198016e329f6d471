import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from './harness.ts';

const FILES = {
  'package.json': '{"dependencies": {"vue-i18n": "^11"}}',
  'locales/en.json': '{"a": "Hello {name}", "b": "Two"}',
  'locales/de.json': '{"a": "Hallo"}',
};
const PAIR = ['-s', 'en', '-t', 'de'];

interface Sarif {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: string;
      readonly message: { readonly text: string };
      readonly locations: readonly { readonly physicalLocation: object }[];
    }[];
  }[];
}

describe('check --output-format', () => {
  const check = (format: string, cwd: string) =>
    dragoman(['check', ...PAIR, '--output-format', format], { cwd });

  it('sarif includes incomplete keys and findings', async () => {
    const { exitCode, stdout, stderr } = await check('sarif', projectWith(FILES));
    expect({ exitCode, stderr }).toEqual({ exitCode: 8, stderr: '' });
    const [run] = (JSON.parse(stdout) as Sarif).runs;
    const at = (uri: string, startLine: number, startColumn: number) => [
      { physicalLocation: { artifactLocation: { uri }, region: { startLine, startColumn } } },
    ];
    expect(run?.results).toEqual([
      expect.objectContaining({
        ruleId: 'missing',
        level: 'error',
        message: { text: 'b has no translation (de)' },
        locations: at('locales/en.json', 1, 28),
      }),
      expect.objectContaining({
        ruleId: 'placeholder-mismatch',
        level: 'error',
        locations: at('locales/de.json', 1, 7),
      }),
    ]);
    for (const { ruleId, ruleIndex } of run?.results ?? [])
      expect(run?.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
  });

  it('github prints an annotation for each finding, json equals --json, and text is the default', async () => {
    const cwd = projectWith(FILES);
    const github = await check('github', cwd);
    expect(github.stdout.split('\n')).toEqual([
      '::error file=locales/en.json,line=1,col=28,title=missing::b has no translation (de)',
      expect.stringMatching(/^::error file=locales\/de\.json,line=1,col=7,title=placeholder-mismatch::/),
      '',
    ]);
    expect((await check('json', cwd)).stdout).toBe(
      (await dragoman(['check', ...PAIR, '--json'], { cwd })).stdout,
    );
    expect((await check('text', cwd)).stdout).toBe((await dragoman(['check', ...PAIR], { cwd })).stdout);
    expect((await check('xml', cwd)).exitCode).toBe(2);
  });
});
