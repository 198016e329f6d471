import { describe, expect, it } from 'vitest';
import { openBytes, type OpenFile } from '../../src/documents/localization/open-file.ts';
import { translateFile } from '../../src/documents/localization/translate-file.ts';
import { adversary, DAMAGES } from '../pipeline/adversary.ts';

const FILES: Readonly<Record<string, string>> = {
  'a.xlf': `<xliff version="1.2"><file source-language="en" original="a"><body>
<trans-unit id="1"><source>Save &amp; <g id="1">close</g> <x id="2" equiv-text="{{ n }}"/> now</source></trans-unit>
<trans-unit id="2"><source>Press <bpt id="1">&lt;b></bpt>here<ept id="1">&lt;/b></ept> or <ph id="3">%s</ph></source></trans-unit>
<trans-unit id="3"><source>{VAR, plural, =0 {none} other {<x id="I" equiv-text="{{ n }}"/> files}}</source></trans-unit>
<trans-unit id="4"><source><![CDATA[Plain <i>text</i> {0}]]></source></trans-unit>
</body></file></xliff>
`,
  'b.xlf': `<xliff version="2.1" srcLang="en"><file id="f"><unit id="1">
<segment state="initial"><source>One <pc id="1">two</pc> <ph id="2"/></source></segment>
<segment><source><sc id="3"/>Three<ec startRef="3"/> <mrk id="m" translate="no">Brand</mrk></source></segment>
</unit></file></xliff>
`,
  'c_es.ts': `<!DOCTYPE TS>
<TS version="2.1" language="es"><context><name>C</name>
<message><source>Open &quot;%1&quot; in &lt;b&gt;%L2&lt;/b&gt;</source><translation type="unfinished"></translation></message>
<message numerus="yes"><source>%n file(s)</source><translation type="unfinished"><numerusform></numerusform><numerusform></numerusform></translation></message>
</context></TS>
`,
};

const TAG = /<[^<>]*>|%L?[\dn]|\{\w+\}/g;

/** Whether a translation has the same tags and arguments as its source, with the same counts. */
function hasSameTags(source: string, value: string): boolean {
  const tags = (text: string): string => (text.match(TAG) ?? []).sort().join(' ');
  return tags(source) === tags(value);
}

describe.each(Object.entries(FILES))('%s', (path, text) => {
  const open = (bytes: Uint8Array): Promise<OpenFile> => openBytes(bytes, path, { locale: 'es' });

  it.each(Object.entries(DAMAGES))('an engine that answers with %s breaks nothing', async (_name, damage) => {
    const file = await open(Buffer.from(text));
    const engine = adversary(damage);
    const signal = AbortSignal.timeout(20_000);
    const target = { locale: 'es', spelling: 'es' };
    const { bytes, failed } = await translateFile(file, target, { engine, source: 'en', signal });
    const { document } = await open(bytes);
    expect(document.slots.map(({ key }) => key)).toEqual(file.document.slots.map(({ key }) => key));
    const unsaid = new Set(failed.map(({ key }) => key.join('/')));
    for (const { key, value, source = '' } of document.slots) {
      if (value === '') expect(unsaid).toContain(key.join('/'));
      // Branches depend on the language: their tags occur more often.
      else if (!source.includes('plural')) expect([value, hasSameTags(source, value)]).toEqual([value, true]);
    }
  });
});

/** Only the header and the flag of the first message must change for the new file to be Spanish. */
const FUZZY = (header: string, message: string): string => `${header}\n#, fuzzy\n${message}`;
const HEADER =
  'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Language: en\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n';

describe('a catalogue whose first message is fuzzy and has no translation', () => {
  it.each([
    ['alone', FUZZY(HEADER, 'msgid "Open"\nmsgstr ""\n'), 'msgid "Open"\nmsgstr "¡Open"\n'],
    ['without a header', FUZZY('', 'msgid "Open"\nmsgstr ""\n'), 'msgid "Open"\nmsgstr "¡Open"\n'],
    [
      'with its earlier source',
      FUZZY(HEADER, '#| msgid "Old"\nmsgid "Open"\nmsgstr ""\n'),
      'msgid "Open"\nmsgstr "¡Open"\n',
    ],
    [
      'with a plural',
      FUZZY(HEADER, 'msgid "File"\nmsgid_plural "Files"\nmsgstr[0] ""\nmsgstr[1] ""\n'),
      'msgid "File"\nmsgid_plural "Files"\nmsgstr[0] "¡File"\nmsgstr[1] "¡Files"\n',
    ],
  ])('becomes a new file that is not fuzzy: %s', async (_name, text, expected) => {
    const file = await openBytes(Buffer.from(text), 'm.po');
    const engine = adversary((tagged) => `¡${tagged}`);
    const target = { locale: 'es', spelling: 'es' };
    const options = { engine, source: 'en', signal: AbortSignal.timeout(20_000) };
    const { bytes, failed } = await translateFile(file, target, options);
    expect(failed).toEqual([]);
    const written = Buffer.from(bytes).toString();
    expect(written.slice(-expected.length)).toBe(expected);
    expect(written).not.toContain('#');
  });
});
