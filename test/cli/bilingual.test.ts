import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LOCALIZATION_FILES } from '../../src/documents/localization/translate-file.ts';
import { openFile } from '../../src/documents/localization/open-file.ts';
import { dragoman, projectWith, temporaryDirectory } from './harness.ts';

const PSEUDO = ['--engine', 'pseudo'] as const;
const projects = resolve(import.meta.dirname, '../../fixtures/projects');

function project(name: string): string {
  const root = temporaryDirectory();
  cpSync(join(projects, name, 'project'), root, { recursive: true });
  return root;
}

describe('bilingual files', () => {
  it('take the language of their sources from the file', async () => {
    const root = project('angular');
    const result = await dragoman(['i18n', 'src/locale/messages.xlf', '-t', 'fr', ...PSEUDO], {
      cwd: root,
    });
    expect(result.exitCode, result.stderr).toBe(0);
    const file = await openFile(join(root, 'src/locale/messages.xlf'));
    expect(LOCALIZATION_FILES.languageOf(file)).toBe('de');
    const made = readFileSync(join(root, 'src/locale/messages_fr.xlf'), 'utf8');
    expect(made).toContain('srcLang="de" trgLang="fr"');
    expect(made.match(/<target>/g)).toHaveLength(4);
  });

  it('use keys as sources in a file that translates a language into itself', async () => {
    const root = project('symfony');
    const argv = ['i18n', 'translations/messages.en.xlf', '-t', 'de', ...PSEUDO, '-o', '-'];
    const { stdout } = await dragoman(argv, { cwd: root });
    expect(stdout).toContain('<source>user.leave</source>\n                <target>Ļéåṽé</target>');
  });

  const SYMFONY = (body: string) =>
    `<xliff version="1.2"><file source-language="en" datatype="plaintext" original="file.ext"><body>\n` +
    `<trans-unit id="a"><source>app.title</source><target>Title</target></trans-unit>\n` +
    `<trans-unit id="b"><source>app.body</source><target>${body}</target></trans-unit>\n` +
    `<trans-unit id="c"><source>Plain</source></trans-unit>\n</body></file></xliff>\n`;

  it('use keys as sources if their file name shows that in Symfony, and keep CDATA', async () => {
    const root = projectWith({ 'messages.en.xlf': SYMFONY('<![CDATA[A <b>bold</b> text]]>') });
    const { stdout } = await dragoman(['i18n', 'messages.en.xlf', '-t', 'de', ...PSEUDO, '-o', '-'], {
      cwd: root,
    });
    expect(stdout).toContain('<target>Ţîţļé</target>');
    expect(stdout).toContain('<target><![CDATA[Å <b>ƀöļð</b> ţéẋţ]]></target>');
    expect(stdout).toContain('<source>Plain</source><target>Þļåîñ</target>');
    const file = await openFile(join(root, 'messages.en.xlf'));
    expect(LOCALIZATION_FILES.textsOf(file)).toEqual(['Title', 'A <b>bold</b> text', 'Plain']);
  });

  it('keep existing translations and drafts of a language, and get the missing ones', async () => {
    const root = project('qt');
    const before = readFileSync(join(root, 'translations/app_de.ts'), 'utf8');
    const argv = ['i18n', 'translations/app_de.ts', '-s', 'en', '-t', 'de', ...PSEUDO, '-o', '-'];
    const { stdout } = await dragoman(argv, { cwd: root });
    expect(stdout).toBe(
      before.replace(
        '<translation type="unfinished"></translation>',
        '<translation>Šåṽé &quot;%1&quot;</translation>',
      ),
    );
  });

  it.each<[version: string, write: (source: string, rest: string) => string]>([
    [
      'XLIFF 1.2',
      (source, rest) =>
        `<xliff version="1.2"><file source-language="en" original="a" datatype="plaintext"><body>\n<trans-unit id="a"><source>${source}</source>${rest}</trans-unit>\n<trans-unit id="b" approved="yes"><source>${source}</source>${rest}</trans-unit>\n</body></file></xliff>\n`,
    ],
    [
      'XLIFF 2.0',
      (source, rest) =>
        `<xliff version="2.0" srcLang="en"><file id="f">\n<unit id="a"><segment><source>${source}</source>${rest}</segment></unit>\n<unit id="b"><segment><source>${source}</source>${rest}</segment></unit>\n</file></xliff>\n`,
    ],
  ])('contain the source text that was translated, in %s', async (_, write) => {
    const root = projectWith({ 'locale/messages.xlf': write('Save &quot;it&quot;', '') });
    const sync = (): Promise<{ exitCode: number; stderr: string }> =>
      dragoman(['sync', '-s', 'en', '-t', 'fr', ...PSEUDO], { cwd: root });
    expect((await sync()).exitCode).toBe(0);
    const path = join(root, 'locale/messages.fr.xlf');
    const first = readFileSync(path, 'utf8');
    const ours = /<target[^>]*>([^<]*)<\/target>/.exec(first)?.[1] ?? '';
    // A person translates the second unit.
    const at = first.lastIndexOf(ours);
    writeFileSync(path, `${first.slice(0, at)}Enregistrer${first.slice(at + ours.length)}`);
    expect((await sync()).exitCode).toBe(0);
    const changed = 'Keep <x id="1"/> &amp; go';
    writeFileSync(join(root, 'locale/messages.xlf'), write(changed, ''));
    const { stderr } = await sync();
    const made = readFileSync(path, 'utf8');
    expect(made.match(/<source>.*?<\/source>/g)).toEqual([
      `<source>${changed}</source>`,
      '<source>Save &quot;it&quot;</source>',
    ]);
    expect(made).toMatch(/<target[^>]*>Ķééþ <x id="1"\/> &amp; ĝö<\/target>/);
    expect(made).toContain('>Enregistrer</target>');
    expect(stderr).toContain('has changed; its fr translation was kept');
  });

  it('are refused if they belong to another program', async () => {
    const root = projectWith({ 'app_de.ts': '<script>Hallo</script>\n' });
    const result = await dragoman(['i18n', 'app_de.ts', '-t', 'fr', ...PSEUDO], { cwd: root });
    expect(result).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('app_de.ts:1:1: this file is not in'),
    });
  });

  it('are not created where a program has its own files', async () => {
    const rule = 'source: en\nfiles:\n  - source: en.json\n    target: src/main_{locale}.ts\n';
    const root = projectWith({ 'en.json': '{"a": "A"}', 'dragoman.config.yaml': rule });
    const result = await dragoman(['sync', '-t', 'de', ...PSEUDO], { cwd: root });
    expect(result).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('has an extension of Qt TS'),
    });
  });

  it('record a person’s approval', async () => {
    const root = project('angular');
    const { stdout } = await dragoman(['status'], { cwd: root });
    const [head = '', row = ''] = stdout.split('\n');
    expect(
      head
        .trim()
        .split(/\s{2,}/)
        .slice(-2),
    ).toEqual(['final', 'no engine']);
    expect(row.trim()).toMatch(/ 1 +2$/);
    const json = JSON.parse((await dragoman(['status', '--json'], { cwd: root })).stdout);
    expect(json.projects[0].languages[0].coverage.states).toEqual({
      initial: 2,
      translated: 1,
      reviewed: 0,
      final: 1,
    });
  });

  it('stay in ISO-8859-1, with references for missing characters', async () => {
    const root = temporaryDirectory();
    const head =
      '<?xml version="1.0" encoding="ISO-8859-1"?>\n<xliff version="1.2"><file source-language="en" original="a"><body>';
    const unit = (target: string): string =>
      `<trans-unit id="a"><source>Café</source>${target}</trans-unit></body></file></xliff>\n`;
    writeFileSync(join(root, 'app.xlf'), Buffer.from(head + unit(''), 'latin1'));
    const result = await dragoman(['i18n', 'app.xlf', '-t', 'fr', ...PSEUDO], { cwd: root });
    expect(result.exitCode, result.stderr).toBe(0);
    expect(readFileSync(join(root, 'app_fr.xlf'), 'latin1')).toMatch(
      /<source>Café<\/source><target>Çåƒ?(?:&#\d+;)?é<\/target>/,
    );
  });
});
