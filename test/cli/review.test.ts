import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from './harness.ts';

const APP = {
  'locales/en.json': '{"save": "Save", "open": "Open {{name}}", "close": "Close"}\n',
  'locales/es.json': '{"save": "Guardar",  "open": "Abrir"}\n',
  'package.json': '{"dependencies": {"i18next": "25.0.0"}}',
};

const linesOf = (cwd: string): readonly string[] =>
  readFileSync(join(cwd, 'dragoman.lock'), 'utf8')
    .split('\n')
    .filter((line) => line.includes(':person') || line.includes(':agent'))
    .map((line) => line.replaceAll(/\t[0-9a-f]{16}/g, ''));

describe('review', () => {
  it('approves existing texts after verification, and lists those that fail', async () => {
    const cwd = projectWith(APP);
    const { exitCode, stderr } = await dragoman(['review', 'approve', '--all', '-s', 'en'], { cwd });
    expect(exitCode).toBe(7);
    expect(stderr).toContain('locales/es.json:1:30: not approved: open (es): {{name}} is missing');
    expect(stderr).toContain('1 text approved, 1 text refused, 1 text without a translation');
    expect(linesOf(cwd)).toEqual(['locales/en.json\t/save\tes\thuman\treviewed:person']);
    for (const name of ['locales/es.json', 'locales/en.json'] as const)
      expect(readFileSync(join(cwd, name), 'utf8')).toBe(APP[name]);
    const again = await dragoman(['review', 'approve', '--key', 'save', '--json'], { cwd });
    expect(JSON.parse(again.stdout).projects[0]).toMatchObject({ unchanged: 1, texts: [] });
  });

  it('rejects with a note, which status --keys prints', async () => {
    const cwd = projectWith(APP);
    const reject = ['review', 'reject', '-s', 'en', '-t', 'es', '--key', 'save', '--note', 'a\ttab ~'];
    expect((await dragoman([...reject, '--dry-run'], { cwd })).stdout).toContain(
      'locales/es.json:1:10: save (es)',
    );
    expect(() => linesOf(cwd)).toThrow('ENOENT');
    expect(await dragoman(reject, { cwd })).toMatchObject({ exitCode: 0 });
    expect(linesOf(cwd)).toEqual(['locales/en.json\t/save\tes\tunknown\trejected:person\ta~u0009tab ~0']);
    const { stdout } = await dragoman(['status', '--json', '--keys'], { cwd });
    const { keys, coverage } = JSON.parse(stdout).projects[0].languages[0].files[0];
    expect(coverage.flags).toMatchObject({ rejected: 1 });
    expect(keys[0]).toMatchObject({
      translation_state: 'translated',
      needs_review: 'rejected',
      decided_by: 'person',
      note: 'a\ttab ~',
    });
    expect((await dragoman(['status'], { cwd })).stdout).toMatch(/rejected/);
    // Asking for another review withdraws a rejection.
    await dragoman(['review', 'needs', '--key', 's*', '--as', 'agent'], { cwd });
    expect(linesOf(cwd)).toEqual(['locales/en.json\t/save\tes\tunknown\tneeds-review:agent']);
  });

  it('needs a selection that matches something', async () => {
    const cwd = projectWith(APP);
    const none = await dragoman(['review', 'approve', '-s', 'en'], { cwd });
    expect(none).toMatchObject({ exitCode: 2 });
    expect(none.stderr).toContain('no texts are selected');
    const missed = await dragoman(['review', 'approve', '-s', 'en', '--in', 'other/*.json'], { cwd });
    expect(missed).toMatchObject({ exitCode: 2 });
    expect(missed.stderr).toContain('no text matches');
  });

  it.each([
    [
      'XLIFF 1.2',
      'm.de.xlf',
      '<xliff version="1.2"><file source-language="en" target-language="de" original="a"><body><trans-unit id="a" ><source>Save</source><target MARK>Sichern</target></trans-unit></body></file></xliff>',
      [' state="signed-off"', ' state="final"', ' state="needs-review-translation"'],
    ],
    [
      'XLIFF 2',
      'm.de.xlf',
      '<xliff version="2.0" srcLang="en" trgLang="de"><file id="f"><unit id="a"><segment MARK><source>Save</source><target>Sichern</target></segment></unit></file></xliff>',
      [' state="reviewed"', ' state="final"', ' state="translated" subState="dragoman:needs-review"'],
    ],
    [
      'Qt',
      'app_de.ts',
      '<!DOCTYPE TS><TS version="2.1" language="de" sourcelanguage="en"><context><name>C</name><message><source>Save</source><translation MARK>Sichern</translation></message></context></TS>',
      ['', '', ' type="unfinished"'],
    ],
    [
      'PO, which gets no mark',
      'po/de.po',
      'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Save"\nmsgstr "Sichern"\n',
      ['', '', ''],
    ],
  ])(
    'writes into files of %s, but changes no value',
    async (_name, path, text, [reviewed = '', final = '', rejected = '']) => {
      const withMark = (mark: string): string => text.replace(' MARK', mark);
      const cwd = projectWith({ [path]: withMark('') });
      const review = async (...argv: readonly string[]): Promise<string> => {
        const { exitCode, stderr } = await dragoman(['review', ...argv, '--all', '-s', 'en', '-t', 'de'], {
          cwd,
        });
        expect(exitCode, stderr).toBe(0);
        return readFileSync(join(cwd, path), 'utf8');
      };
      const states = async (): Promise<unknown> =>
        JSON.parse((await dragoman(['status', '--json'], { cwd })).stdout).projects[0].languages[0].coverage;
      expect(await review('approve', '--as', 'agent')).toBe(withMark(''));
      expect(await states()).toMatchObject({ flags: { agent: 1 } });
      expect(await review('approve')).toBe(withMark(reviewed));
      expect(await states()).toMatchObject({ states: { reviewed: 1 }, flags: { machine: 0, marked: 0 } });
      expect(await review('approve', '--final')).toBe(withMark(final));
      expect(await states()).toMatchObject({ states: { final: 1 } });
      expect(await review('reject', '--note', 'no')).toBe(withMark(rejected));
      expect(await states()).toMatchObject({ states: { final: 0 }, flags: { rejected: 1 } });
      const lock = readFileSync(join(cwd, 'dragoman.lock'), 'utf8');
      // sync has nothing left to fix.
      expect(await dragoman(['sync', '--frozen'], { cwd })).toMatchObject({ exitCode: 0 });
      expect(await dragoman(['sync'], { cwd })).toMatchObject({ exitCode: 0 });
      expect(readFileSync(join(cwd, 'dragoman.lock'), 'utf8')).toBe(lock);
      if (rejected === '') return;
      writeFileSync(join(cwd, path), withMark(''));
      expect(await states()).toMatchObject({ flags: { rejected: 0 } });
    },
  );
});

describe('check --require', () => {
  it('fails until a person has approved each text, and again when a source changes', async () => {
    const cwd = projectWith({
      ...APP,
      'locales/en.json': '{"save": "Save", "close": "Close"}',
      'locales/es.json': '{"save": "Guardar", "close": "Cerrar"}',
    });
    const check = (...argv: readonly string[]) =>
      dragoman(['check', '-s', 'en', '-t', 'es', ...argv], { cwd });
    expect(await check()).toMatchObject({ exitCode: 0 });
    const bare = await check('--require', 'reviewed');
    expect(bare).toMatchObject({ exitCode: 8 });
    expect(bare.stdout).toContain(
      'locales/es.json:1:10: error: state: save is translated, not reviewed (es)',
    );
    expect(bare.stderr).toContain('2 texts short of the required state');
    const approve = ['review', 'approve', '-s', 'en', '-t', 'es', '--all'];
    await dragoman([...approve, '--as', 'agent'], { cwd });
    expect(await check('--require', 'reviewed')).toMatchObject({ exitCode: 8 });
    await dragoman(approve, { cwd });
    expect(await check('--require', 'reviewed')).toMatchObject({ exitCode: 0 });
    expect(await check('--require', 'final')).toMatchObject({ exitCode: 8 });
    expect(await check('--require', 'final', '--in', 'legal/**')).toMatchObject({ exitCode: 0 });
    writeFileSync(join(cwd, 'locales/en.json'), '{"save": "Save all", "close": "Close"}');
    const { stdout } = await check('--require', 'reviewed', '--json');
    expect(JSON.parse(stdout).findings).toMatchObject([
      { rule: 'state', file: 'locales/es.json', language_code: 'es', key: ['save'] },
    ]);
    expect(await check('--in', 'x')).toMatchObject({ exitCode: 2 });
  });

  it('names the fault of a text that fails verification, which approve refuses', async () => {
    const cwd = projectWith({
      ...APP,
      'locales/en.json': '{"bye": "Bye {{name}}"}',
      'locales/es.json': '{"bye": "Adiós"}',
    });
    const run = (...argv: readonly string[]) => dragoman([...argv, '-s', 'en', '-t', 'es'], { cwd });
    const gate = ['check', '--require', 'reviewed'];
    const faulty =
      /state: bye is translated, not reviewed, fails verification: .*name.*; correct it, then approve it \(es\)/;
    expect(await run(...gate)).toMatchObject({ exitCode: 8, stdout: expect.stringMatching(faulty) });
    expect(await run('review', 'approve', '--all')).toMatchObject({ exitCode: 7 });
    expect(await run('review', 'reject', '--all')).toMatchObject({ exitCode: 0 });
    const rejected = /needs a review: rejected, fails verification: .*name.*; correct it, then/;
    expect(await run(...gate)).toMatchObject({ exitCode: 8, stdout: expect.stringMatching(rejected) });
    writeFileSync(join(cwd, 'locales/es.json'), '{"bye": "Adiós {{name}}"}');
    expect(await run('review', 'approve', '--all')).toMatchObject({ exitCode: 0 });
    expect(await run(...gate)).toMatchObject({ exitCode: 0 });
  });
});
