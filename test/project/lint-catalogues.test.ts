import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/project/lint/finding.ts';
import { lintProject } from '../../src/project/lint/lint.ts';
import { openProjects } from '../../src/project/state/project.ts';
import { projectWith } from '../cli/harness.ts';

async function lint(files: Readonly<Record<string, string>>): Promise<readonly Finding[]> {
  const projects = await openProjects([projectWith(files)], { source: 'en' });
  const found = projects.map((project) => lintProject(project, new AbortController().signal));
  return (await Promise.all(found)).flat();
}

describe('lint of catalogues', () => {
  it('treats names in braces as words in a catalogue of a program without such arguments', async () => {
    const catalogue = (flag: string): string =>
      `msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n#, ${flag}\nmsgid "%s"\nmsgstr "%s"\n\nmsgid "{unset}"\nmsgstr "{leer}"\n\nmsgid "run {1}"\nmsgstr "x"\n`;
    const findings = await lint({
      'c/po/de.po': catalogue('c-format'),
      'php/po/de.po': catalogue('php-format'),
      'none/po/de.po': catalogue('no-wrap'),
    });
    expect(findings.map(({ file, keyName }) => `${file} ${keyName}`)).toEqual([
      'c/po/de.po msgid "run {1}"',
      'none/po/de.po msgid "{unset}"',
      'none/po/de.po msgid "run {1}"',
      'php/po/de.po msgid "{unset}"',
      'php/po/de.po msgid "run {1}"',
    ]);
  });

  it('treats a name in braces as words in a catalogue without flags that has hardly any such names', async () => {
    const catalogue = (conversion: string): string =>
      `msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "no {rows}"\nmsgstr "keine {Zeilen}"\n${Array.from({ length: 30 }, (_, i) => `\nmsgid "${i} of ${conversion}"\nmsgstr "${i} von ${conversion}"\n`).join('')}`;
    const findings = await lint({
      'braces/po/de.po': catalogue('{n}'),
      'printf/po/de.po': catalogue('%d'),
    });
    expect(findings.map(({ file, rule }) => `${file} ${rule}`)).toEqual([
      'braces/po/de.po placeholder-mismatch',
    ]);
  });

  it('allows any order of conversions if the program’s other texts have flags', async () => {
    const text = (flag: string): string =>
      `msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n#, ${flag}\nmsgid "%s"\nmsgstr "%s"\n\nmsgid "want %0e, not %u"\nmsgstr "%u statt %0e"\n`;
    const findings = await lint({ 'c/po/de.po': text('c-format'), 'none/po/de.po': text('no-wrap') });
    expect(findings.map(({ file, rule }) => `${file} ${rule}`)).toEqual([
      'none/po/de.po placeholder-mismatch',
    ]);
  });

  it('recognizes a manual by DocBook elements', async () => {
    const manual = (paragraphs: number): string =>
      `msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "The key"\nmsgstr "Die <option>Taste</option>"\n${Array.from({ length: paragraphs }, (_, i) => `\nmsgid "<literal>${i}</literal>"\nmsgstr "<literal>${i}</literal>"\n`).join('')}`;
    const asciidoc = manual(5).replaceAll('literal>', 'b>').replace('The key', 'a **x** __key__');
    const findings = await lint({
      'man/po/de.po': manual(5)
        .replace('The key', 'Use ${key}')
        .replaceAll('<literal>', 'B<')
        .replaceAll('</literal>', '>'),
      'ascii/po/de.po': asciidoc.replaceAll('<b>', '**').replaceAll('</b>', '**'),
      'manual/po/de.po': manual(5),
      'program/po/de.po': manual(1),
    });
    expect(findings.map(({ file, rule }) => `${file} ${rule}`)).toEqual([
      'ascii/po/de.po markup-changed',

      'man/po/de.po markup-changed',
      'manual/po/de.po markup-changed',
      'program/po/de.po tag-mismatch',
    ]);
  });

  it('compares with the texts of the source language if the files have keys as sources', async () => {
    const xliff = (language: string, ...texts: readonly string[]): string =>
      `<xliff version="1.2"><file source-language="en" target-language="${language}" original="x"><body>${texts
        .map(
          (text, i) =>
            `\n<trans-unit id="${i}"><source>key${i}</source><target>${text}</target></trans-unit>`,
        )
        .join('')}</body></file></xliff>`;
    // In the source language, sources and targets may both be texts.
    const both = `<xliff version="1.2"><file source-language="en" target-language="en" original="x"><body>
<trans-unit id="a"><source>Sent to %email%</source><target>Sent to %email%</target></trans-unit></body></file></xliff>`;
    const ids = both
      .replace('<source>Sent to %email%', '<source>mail.sent')
      .replace('<target>Sent to %email%', '<target>Gesendet')
      .replace('target-language="en"', 'target-language="de"');
    const po = (...texts: readonly string[]): string =>
      `msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n${texts
        .map((text, i) => `\n#, c-format\nmsgid "key${i}"\nmsgstr "${text}"\n`)
        .join('')}`;
    const findings = await lint({
      'translations/both.en.xlf': both,
      'translations/both.de.xlf': ids,
      'translations/messages.en.xlf': xliff('en', 'Hi %name%', 'a|]1,Inf[ %count%', ''),
      'translations/messages.de.xlf': xliff('de', 'Hallo %nom%', 'b|]1,Inf[ %count%', 'x {y}'),
      'po/en.po': po('Hi %s', 'Open'),
      'po/de.po': po('Hallo', 'Öffnen'),
    });
    expect(findings.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
      'po/de.po:6 %s is missing',
      'translations/both.de.xlf:2 %email% is missing',
      'translations/messages.de.xlf:2 %name% is missing; %nom% is not in the source',
      'translations/messages.de.xlf:4 {y} is not in the source',
    ]);
  });
});
