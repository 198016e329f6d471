import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { afterAll, describe, expect, it } from 'vitest';
import { splice } from '../../src/base/span.ts';
import type { Document } from '../../src/formats/format.ts';
import { render } from '../../src/formats/render.ts';
import { runForEachText } from '../readers/for-each-text.ts';
import { qt } from '../../src/formats/qt/format.ts';
import { numerusRule, NUMERUS_RULES } from '../../src/formats/qt/numerus.ts';
import { formatContract } from './contract.ts';
import { goldenCases } from './golden.ts';

goldenCases('qt', qt);

const word = fc.constantFrom(
  'Save',
  '&amp;File',
  '%1',
  '%n',
  'ключ',
  ' ',
  '\n',
  '&lt;b&gt;',
  '&apos;',
  '&quot;',
  'a > b',
);
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((parts) => `A${parts.join('')}`);
const type = fc.constantFrom('', ' type="unfinished"', ' type="vanished"', " type='obsolete'");

const translation = fc.oneof(
  fc.constantFrom(
    '<translation type="unfinished"></translation>',
    '<translation/>',
    '<translation type="unfinished" />',
  ),
  fc.tuple(type, words).map(([own, text]) => `<translation${own}>${text}</translation>`),
);
const plural = fc
  .tuple(type, fc.array(fc.oneof(words, fc.constant('')), { maxLength: 3 }), fc.constantFrom('', '\n      '))
  .map(
    ([own, forms, gap]) =>
      `<translation${own}>${forms.map((form) => `${gap}<numerusform>${form}</numerusform>`).join('')}${gap}</translation>`,
  );

const message = (id: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      words,
      fc.oneof(
        translation.map((text) => ['', text] as const),
        plural.map((text) => [' numerus="yes"', text] as const),
      ),
      fc.constantFrom(
        '',
        '<comment>c</comment>',
        '<extracomment>e</extracomment><!-- x -->',
        '<location line="+1"/>',
      ),
      fc.constantFrom('', '<byte value="x1b"/>'),
    )
    .map(
      ([source, [numerus, text], more, byte]) =>
        `<message${numerus}>${more}<source>${id}${source}${byte}</source>${text}</message>\n`,
    );

const documents = fc
  .tuple(
    fc.array(fc.tuple(...[0, 1, 2].map((id) => fc.option(message(id), { nil: '' }))), { maxLength: 2 }),
    fc.constantFrom(' language="de"', ' language="ru_RU" sourcelanguage="en"', ''),
    fc.constantFrom('<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n', '<!DOCTYPE TS>', ''),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([contexts, language, head, end]) =>
    `${head}<TS version="2.1"${language}>\n${contexts
      .map((messages, i) => `<context><name>C${i}</name>\n${messages.join('')}</context>\n`)
      .join('')}</TS>\n`.replaceAll('\n', end),
  );

/** The texts of all translations of the program, read by saxes. */
function textsIn(source: string): readonly string[] {
  const found: string[] = [];
  const open: string[] = [];
  let text = '';
  let forms: string[] = [];
  let [isNumerus, isGone] = [false, false];
  const parser = new SaxesParser();
  parser.on('text', (more) => void (text += more));
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    open.push(name);
    text = '';
    if (name === 'message') isNumerus = attributes['numerus'] === 'yes';
    if (name !== 'translation') return;
    forms = [];
    isGone = /vanished|obsolete/.test(attributes['type'] ?? '');
  });
  parser.on('closetag', ({ name }) => {
    open.pop();
    if (name === 'numerusform') forms.push(text);
    if (name === 'translation' && !isGone) found.push(...(isNumerus ? forms : [text]));
  });
  parser.write(source).close();
  return found;
}

function readBack({ text, slots }: Document): void {
  if (slots.some(({ syntax }) => syntax === 'markup')) return;
  expect(textsIn(text)).toEqual(slots.map(({ value }) => value));
}

formatContract(qt, { documents, oracle: readBack, runs: 400 });

// Qt 6 only: Qt 5 has different plural rules for some languages, and different messages.
const LRELEASE = ['/usr/lib/qt6/bin/lrelease'].find((path) => existsSync(path));
const MISSING = LRELEASE === undefined ? ': SKIPPED, needs lrelease (Debian: qt6-l10n-tools)' : '';

const root = mkdtempSync(join(tmpdir(), 'dragoman-qt-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** lrelease's messages for each file. */
function release(texts: readonly string[]): readonly { readonly status: number; readonly said: string }[] {
  return runForEachText([LRELEASE ?? ''], texts).map(({ status, stdout, stderr }) => ({
    status,
    said: stdout + stderr,
  }));
}

/** lrelease's output for files, all in one process. */
function compile(texts: readonly string[]): readonly Buffer[] {
  const paths = texts.map((_, i) => join(root, `${i}.ts`));
  for (const [i, path] of paths.entries()) writeFileSync(path, texts[i] ?? '');
  const { status, stderr } = spawnSync(LRELEASE ?? '', paths, { encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(stderr);
  return texts.map((_, i) => readFileSync(join(root, `${i}.qm`)));
}

/** The section of a .qm file with the plural rules, see `numerus.cpp` and `qtranslator.cpp`. */
function rulesIn(qm: Buffer): readonly number[] {
  for (let at = 16; at + 5 <= qm.length;) {
    const length = qm.readUInt32BE(at + 1);
    if (qm[at] === 0x88) return [...qm.subarray(at + 5, at + 5 + length)];
    at += 5 + length;
  }
  return [];
}

/** The form that Qt uses for a number, like `numerusHelper` in qtranslator.cpp. */
function formOf(rules: readonly number[], n: number): number {
  if (rules.length === 0) return 0;
  let [form, at] = [0, 0];
  const next = (): number => rules[at++] ?? 0;
  const test = (): boolean => {
    const code = next();
    const left = code & 0x10 ? n % 10 : code & 0x20 ? n % 100 : n;
    const right = next();
    const operation = code & 7;
    const last = operation === 4 ? next() : right;
    const is = [false, left === right, left < right, left <= right, left >= right && left <= last][operation];
    return code & 8 ? !is : is === true;
  };
  const and = (): boolean => {
    let is = test();
    while (rules[at] === 0xfd) {
      at++;
      is = test() && is;
    }
    return is;
  };
  for (;;) {
    let is = and();
    while (rules[at] === 0xfe) {
      at++;
      is = and() || is;
    }
    if (is) return form;
    form++;
    if (rules[at] !== 0xff) return form;
    at++;
  }
}

const SIX = Array.from({ length: 6 }, (_, i) => `<numerusform>${i}</numerusform>`).join('');
const numerusFile = (language: string): string =>
  `<!DOCTYPE TS><TS version="2.1" language="${language}"><context><name>C</name><message numerus="yes"><source>%n</source><translation>${SIX}</translation></message></context></TS>`;

describe('Qt', () => {
  it.skipIf(MISSING !== '')(
    `has the same plural rules in every language${MISSING}`,
    () => {
      const others = ['ja', 'ko', 'zh', 'th', 'vi', 'id', 'nds', 'pt-BR', 'es-MX', 'sr-Latn'];
      const languages = [...NUMERUS_RULES.keys(), ...others];
      const files = compile(languages.map((language) => numerusFile(language.replace('-', '_'))));
      for (const [i, language] of languages.entries()) {
        const rules = rulesIn(files[i] ?? Buffer.alloc(0));
        const rule = numerusRule(language);
        const numbers = [...Array(1_250).keys(), 1_000_000, 2_000_001];
        const differs = numbers.filter((n) => rule?.indexOf(n) !== formOf(rules, n));
        expect({ language, differs: differs.slice(0, 5) }).toEqual({ language, differs: [] });
      }
    },
    120_000,
  );

  it.skipIf(MISSING !== '')(
    `accepts every result${MISSING}`,
    () => {
      const source = readFileSync(
        new URL('../../fixtures/formats/qt/lupdate/source.ts', import.meta.url),
        'utf8',
      );
      const locales = ['de', 'fr', 'ja', 'ru', 'pl', 'ar', 'lv', 'cy', 'ga', 'pt-BR', 'zh-Hans'];
      const results = locales.map((locale) => {
        const skeleton = qt.scan(
          splice(source, qt.retarget(qt.scan(source), { locale, spelling: locale, role: 'new' })),
          { locale },
        );
        const values = new Map(
          skeleton.slots.map(({ source: text = '' }, i) => [i, `${text} <b>&"'\u00a0é</b>`]),
        );
        for (const [i, { syntax, source: text = '' }] of skeleton.slots.entries())
          if (syntax === 'markup') values.set(i, text);
        const { text, rejected } = render(qt, skeleton, values, { locale });
        expect(rejected.size).toBe(0);
        return text;
      });
      for (const [i, { status, said }] of release(results).entries()) {
        expect({ locale: locales[i], status, said }).toEqual({
          locale: locales[i],
          status: 0,
          said: expect.stringContaining('(7 finished and 0 unfinished)'),
        });
        expect(said).not.toMatch(/removed plural|warning|less forms/i);
      }
    },
    60_000,
  );

  it.skipIf(MISSING !== '')(
    `accepts random output${MISSING}`,
    () => {
      const cases = fc.sample(fc.tuple(documents, words), 60).map(([source, value]) => {
        const document = qt.scan(source);
        const values = new Map(document.slots.map(({ syntax }, i) => [i, syntax === 'markup' ? 'x' : value]));
        return { source, text: render(qt, document, values).text };
      });
      const before = release(cases.map(({ source }) => source));
      const after = release(cases.map(({ text }) => text));
      for (const [i, { source, text }] of cases.entries())
        expect(after[i]?.status, `${source}\n=>\n${text}`).toBe(before[i]?.status);
    },
    60_000,
  );
});
