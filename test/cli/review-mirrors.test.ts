import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dragoman, projectWith } from './harness.ts';

interface Mirror {
  readonly path: string;
  readonly text: string;
  /** The replacements for MARK: for a text without a decision, an approved text, and a text to review. */
  readonly marks: readonly [bare: string, approved: string, review: string];
  /** The mark that withdraws an approval. Absent if the format cannot record approvals. */
  readonly withdrawn?: string;
  readonly final?: string;
  readonly files?: Readonly<Record<string, string>>;
}

const MIRRORS: Readonly<Record<string, Mirror>> = {
  'XLIFF 1.2': {
    path: 'm.de.xlf',
    text: '<xliff version="1.2"><file source-language="en" target-language="de" original="a"><body><trans-unit id="a"><source>Save</source><targetMARK>Sichern</target></trans-unit></body></file></xliff>',
    marks: ['', ' state="signed-off"', ' state="needs-review-translation"'],
    withdrawn: ' state="translated"',
    final: ' state="final"',
  },
  'XLIFF 2': {
    path: 'm.de.xlf',
    text: '<xliff version="2.0" srcLang="en" trgLang="de"><file id="f"><unit id="a"><segmentMARK><source>Save</source><target>Sichern</target></segment></unit></file></xliff>',
    marks: ['', ' state="reviewed"', ' state="translated" subState="dragoman:needs-review"'],
    withdrawn: ' state="translated"',
    final: ' state="final"',
  },
  Qt: {
    path: 'app_de.ts',
    text: '<!DOCTYPE TS><TS version="2.1" language="de" sourcelanguage="en"><context><name>C</name><message><source>Save</source><translationMARK>Sichern</translation></message></context></TS>',
    marks: ['', '', ' type="unfinished"'],
  },
  'String Catalogs': {
    path: 'App.xcstrings',
    text: '{"sourceLanguage":"en","strings":{"Save":{"localizations":{"de":{"stringUnit":{"state":"MARK","value":"Sichern"}}}}},"version":"1.0"}',
    marks: ['translated', 'translated', 'needs_review'],
  },
  PO: {
    path: 'po/de.po',
    text: 'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\nMARKmsgid "Save"\nmsgstr "Sichern"\n',
    marks: ['', '', '#, fuzzy\n'],
  },
  JSON: {
    path: 'locales/de.json',
    text: '{"save": "Sichern"}',
    marks: ['', '', ''],
    files: { 'locales/en.json': '{"save": "Save"}' },
  },
};

it('an XLIFF 1.2 unit loses its approval when an editor changes its text', async () => {
  const unit = (approved: string, target: string): string =>
    `<xliff version="1.2"><file source-language="en" target-language="de" original="a"><body><trans-unit id="a" approved="${approved}"><source>Save</source><target>${target}</target></trans-unit></body></file></xliff>`;
  const cwd = projectWith({ 'm.de.xlf': unit('yes', 'Sichern') });
  const run = (...argv: readonly string[]) => dragoman([...argv, '-s', 'en', '-t', 'de'], { cwd });
  expect(await run('review', 'approve', '--final', '--all')).toMatchObject({ exitCode: 0 });
  writeFileSync(join(cwd, 'm.de.xlf'), unit('yes', 'Speichern'));
  expect(await run('check', '--require', 'translated')).toMatchObject({ exitCode: 0 });
  expect(await run('check', '--require', 'reviewed')).toMatchObject({ exitCode: 8 });
  expect(await run('sync')).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(cwd, 'm.de.xlf'), 'utf8')).toBe(unit('no', 'Speichern'));
});

describe.each(Object.entries(MIRRORS))('decisions about texts of %s', (_name, mirror) => {
  const { path, text, marks, files } = mirror;
  const [bare, approved, review] = marks;
  const { withdrawn = approved, final } = mirror;
  const changed = (mark: string): string => text.replace('MARK', mark).replace('Sichern', 'Speichern');

  async function project() {
    const cwd = projectWith({ ...files, [path]: text.replace('MARK', bare) });
    const run = async (...argv: readonly string[]): Promise<string> => {
      const { exitCode, stdout, stderr } = await dragoman(argv, { cwd });
      expect(exitCode, stderr).toBe(0);
      return stdout;
    };
    return {
      read: () => readFileSync(join(cwd, path), 'utf8'),
      write: (content: string) => writeFileSync(join(cwd, path), content),
      sync: () => run('sync', '-s', 'en', '-t', 'de'),
      decide: (verdict: string, ...options: readonly string[]) =>
        run('review', verdict, '--all', '-s', 'en', '-t', 'de', ...options),
      states: async (): Promise<unknown> =>
        JSON.parse(await run('status', '--json', '-s', 'en', '-t', 'de')).projects[0].languages[0].coverage,
    };
  }

  it('end when somebody changes the text elsewhere', async () => {
    const { read, write, decide, states } = await project();
    await decide('approve');
    expect(read()).toBe(text.replace('MARK', approved));
    expect(await states()).toMatchObject({ states: { reviewed: 1 } });
    // An editor that supports states writes its own state with the new text.
    write(changed(bare));
    expect(await states()).toMatchObject({ states: { reviewed: 0, translated: 1 } });
  });

  it.each([[], ['--final']])(
    'end when an editor changes the text but not its mark: approve %s',
    async (...options) => {
      const { read, write, decide, states, sync } = await project();
      await decide('approve', ...options);
      write(read().replace('Sichern', 'Speichern'));
      const ended = { states: { reviewed: 0, final: 0, translated: 1 } };
      expect(await states()).toMatchObject(ended);
      await sync();
      expect(read()).toBe(changed(withdrawn));
      expect(await states()).toMatchObject(ended);
      await sync();
      expect(read()).toBe(changed(withdrawn));
      await decide('approve');
      expect(read()).toBe(changed(approved));
      expect(await states()).toMatchObject({ states: { reviewed: 1 } });
    },
  );

  it('are taken from the file if its mark changes with the text', async () => {
    if (final === undefined) return;
    const { read, write, decide, states, sync } = await project();
    await decide('approve');
    write(changed(final));
    expect(await states()).toMatchObject({ states: { final: 1 } });
    await sync();
    expect(read()).toBe(changed(final));
    expect(await states()).toMatchObject({ states: { final: 1 } });
  });

  // JSON has no place for marks.
  if (review === '') return;

  it('follow marks that somebody sets or removes elsewhere', async () => {
    const { write, decide, states } = await project();
    await decide('approve');
    write(text.replace('MARK', review));
    const marked = { states: { reviewed: 0, final: 0 } };
    expect(await states()).toMatchObject(marked);
    await decide('approve');
    expect(await states()).toMatchObject({ states: { reviewed: 1 } });
    await decide('reject');
    expect(await states()).toMatchObject({ ...marked, flags: { rejected: 1 } });
    if (bare === approved) return;
    write(text.replace('MARK', approved));
    expect(await states()).toMatchObject({ states: { reviewed: 1 }, flags: { rejected: 0 } });
  });
});
