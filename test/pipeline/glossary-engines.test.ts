import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createServiceEngine } from '../../src/client/service-engine.ts';
import { openApertium } from '../engines/real-apertium.ts';
import { createChainEngine } from '../../src/engines/chain.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { createExecEngine } from '../../src/engines/exec/exec.ts';
import { createFirefoxEngine } from '../../src/engines/firefox/firefox.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import type { GlossaryTerm } from '../../src/pipeline/glossary.ts';
import type { Unit, UnitOutcome } from '../../src/pipeline/unit.ts';
import { translateUnits } from '../../src/pipeline/units.ts';
import { createLocalService } from '../../src/service/local-service.ts';
import { installTiny, sharedDirectory } from '../engines/firefox/models.ts';
import { connect, HOSTED } from '../engines/servers/hosted.ts';

/** Fifty names: words of the language, symbols, several words, other scripts. */
const NAMES = (
  'Firefox|Firefox Sync|Apple|Windows|Word|Office|Excel|Java|Go|Node.js|C++|C#|.NET|AT&T|R&D|GitHub|GitLab|Slack|' +
  'Zoom|Signal|Drive|Google Drive|Visual Studio|Visual Studio Code|Ruby on Rails|Spring|Django|Flask|Express|Hono|' +
  'Post-it|Wi-Fi|Bluetooth|USB-C|HTTP/2|OAuth 2.0|x86|iPhone|macOS|L’Équipe|Ångström|Straße|Яндекс|微信|ダンボ|카카오|' +
  'שלום|👩‍💻 Club|The House|Save the Children'
).split('|');

/** Fifty terms with their required Spanish: some as engines translate them, some as no engine would. */
const TERMS: readonly (readonly [string, ...string[]])[] = [
  ['house', 'casa'], ['folder', 'carpeta'], ['file', 'archivo', 'fichero'], ['dashboard', 'panel de control'],
  ['user', 'usuario'], ['user account', 'cuenta de usuario'], ['password', 'clave de acceso'], ['key', 'llave maestra'],
  ['book', 'libro'], ['table', 'tabla'], ['water', 'agua'], ['window', 'ventana'], ['door', 'puerta'], ['car', 'coche'],
  ['city', 'ciudad'], ['street', 'calle'], ['school', 'escuela'], ['friend', 'amigo', 'amiga'], ['dog', 'can'],
  ['cat', 'minino'], ['tree', 'árbol'], ['letter', 'misiva'], ['word', 'vocablo'], ['page', 'página'], ['image', 'imagen'],
  ['day', 'día'], ['night', 'noche'], ['year', 'año'], ['month', 'mes'], ['week', 'semana'], ['country', 'país'],
  ['language', 'idioma'], ['church', 'iglesia'], ['hospital', 'hospital'], ['train', 'tren'], ['bus', 'guagua'],
  ['boat', 'bote'], ['chair', 'silla'], ['bed', 'cama'], ['kitchen', 'cocina'], ['river', 'río'], ['mountain', 'montaña'],
  ['sun', 'sol'], ['moon', 'luna'], ['star', 'estrella'], ['bread', 'pan'], ['wine', 'vino'], ['cheese', 'queso'],
  ['setting', 'ajuste'], ['policy', 'normativa'],
]; // prettier-ignore

const glossary = {
  terms: [
    ...NAMES.map((term): GlossaryTerm => ({
      term,
      translations: new Map(),
      doNotTranslate: true,
      caseSensitive: true,
    })),
    ...TERMS.map(([term, ...translations]): GlossaryTerm => ({
      term,
      translations: new Map([['es', translations]]),
      doNotTranslate: false,
      caseSensitive: false,
    })),
  ],
};

const plural = (word: string): string =>
  word.endsWith('y') && !/[aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;

/** A string for each name and each term, in sentences of several notations. */
const STRINGS: readonly (Unit & { readonly names: readonly string[]; readonly term?: string })[] = [
  ...NAMES.map((name, i) => {
    const markup = name.replaceAll('&', '&amp;');
    const sentences: readonly Unit[] = [
      { value: `Open ${name} and close the application`, syntax: 'plain' },
      { value: `The {count} documents of ${name} are here`, syntax: 'icu' },
      { value: `Read <b>${markup}</b> before %s`, syntax: 'android' },
      { value: name, syntax: 'plain' },
      { value: `${name}: ${name} is new`, syntax: 'plain' },
    ];
    const unit = sentences[i % sentences.length] ?? { value: name, syntax: 'plain' };
    return { ...unit, names: unit.value.startsWith(`${name}:`) ? [name, name] : [name] };
  }),
  ...TERMS.map(([term], i) => {
    const sentences: readonly Unit[] = [
      { value: `The ${term} is here.`, syntax: 'plain' },
      { value: `You have {count} ${plural(term)}`, syntax: 'icu' },
      { value: `Delete the <b>${term}</b> now`, syntax: 'markup' },
      { value: `{n, plural, one {# ${term}} other {# ${plural(term)}}}`, syntax: 'icu' },
      { value: `The ${term} of Firefox`, syntax: 'plain' },
    ];
    const unit = sentences[i % sentences.length] ?? { value: term, syntax: 'plain' };
    return { ...unit, term, names: unit.value.endsWith('Firefox') ? ['Firefox'] : [] };
  }),
];

const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();

/** Whether a value has the beginnings of all words of a translation. Does not use the program's own search. */
function hasBeginnings(value: string, term: string): boolean {
  const [, ...translations] = TERMS.find(([each]) => each === term) ?? [];
  const words = fold(value).split(/[^\p{L}]+/u);
  return translations.some((translation) =>
    fold(translation)
      .split(' ')
      .filter((word) => word.length > 2)
      .every((word) => words.some((found) => found.startsWith(word.slice(0, Math.max(2, word.length - 2))))),
  );
}

function hasLiterally(value: string, term: string): boolean {
  const [, ...translations] = TERMS.find(([each]) => each === term) ?? [];
  const words = ` ${value.replace(/[^\p{L}]+/gu, ' ')} `;
  return translations.some((translation) => words.includes(` ${translation} `));
}

const countOf = (text: string, part: string): number => text.split(part).length - 1;

/**
 * Each name is in its value, and each term is in it or reported. No name is reported as missing, unless a model
 * continues right after it.
 */
function expectKept(
  outcomes: readonly UnitOutcome[],
  isReadable: boolean,
): { readonly values: number; readonly present: number } {
  expect(outcomes).toHaveLength(100);
  let values = 0;
  let present = 0;
  for (const [i, outcome] of outcomes.entries()) {
    const string = STRINGS[i];
    if (!string || 'failure' in outcome) continue;
    values++;
    const { value, missingTerms = [] } = outcome;
    const words = string.syntax === 'android' ? value.replaceAll('&amp;', '&') : value;
    for (const name of string.names) {
      expect(countOf(words, name), value).toBeGreaterThanOrEqual(string.names.length);
      if (isReadable)
        expect(missingTerms, value).not.toContainEqual(expect.objectContaining({ translation: name }));
    }
    if (string.term === undefined) continue;
    const isReported = missingTerms.some(({ term }) => term === string.term);
    expect(isReported || hasBeginnings(value, string.term), `${string.term}: ${value}`).toBe(true);
    // A branch of a plural may lack something that another one has.
    if (hasLiterally(value, string.term) && !value.includes('plural,')) expect(isReported, value).toBe(false);
    if (!isReported) present++;
  }
  return { values, present };
}

async function translate(
  engine: Engine,
  isReadable = true,
): Promise<{ readonly values: number; readonly present: number }> {
  try {
    const signal = new AbortController().signal;
    const context = { engine, source: 'en', target: 'es', signal, glossary };
    return expectKept(await translateUnits(STRINGS, context), isReadable);
  } finally {
    await engine.close();
  }
}

/** A program that inserts the terms it receives; it forgets every third one. */
const PROGRAM = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, texts, terms = [] } = JSON.parse(line);
  const translations = texts.map((text) => {
    let translation = text;
    terms.forEach((each, i) => {
      if (i % 3 !== 0) translation = translation.replace(new RegExp('\\\\b' + each.term + '\\\\b', 'gi'), each.translation);
    });
    return translation;
  });
  console.log(JSON.stringify({ id, translations }));
});
`;

const directory = mkdtempSync(join(tmpdir(), 'dragoman-glossary-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
writeFileSync(join(directory, 'program.cjs'), PROGRAM);
const execCommand = `"${process.execPath}" "${join(directory, 'program.cjs')}"`;
const modelsDirectory = installTiny(sharedDirectory(), { 'en-es': 'syllables' });

const probe = openApertium();
const hasApertium = await probe.supports('en', 'es');
await probe.close();

describe('fifty names and fifty terms are all present, or reported', () => {
  it.skipIf(!hasApertium)('by apertium', async () => {
    const { values, present } = await translate(openApertium());
    expect(values).toBe(100);
    expect(present).toBeGreaterThan(20);
    expect(present).toBeLessThan(50);
  });

  it('by firefox', async () => {
    const { values } = await translate(createFirefoxEngine({ modelsDirectory }), false);
    expect(values).toBeGreaterThan(90);
  });

  it('by a program that receives the terms', async () => {
    const { values, present } = await translate(createExecEngine({ execCommand }));
    expect(values).toBe(100);
    expect(present).toBeGreaterThan(20);
    expect(present).toBeLessThan(50);
  });

  it.each(HOSTED)('by $name', async (hosted) => {
    const server = await hosted.start();
    try {
      expect((await translate(connect(hosted, server))).values).toBe(100);
      // No name was sent to an engine.
      const sent = server.translations.map(({ body }) => JSON.stringify(body)).join('\n');
      for (const name of ['Firefox', 'GitHub', 'Яндекс', '微信', 'Ångström'])
        expect(sent).not.toContain(name);
    } finally {
      await server.close();
    }
  });

  it('by pseudo, which translates nothing', async () => {
    expect(await translate(createPseudoEngine())).toEqual({ values: 100, present: 0 });
  });

  it('by a service', async () => {
    const service = createLocalService({ engine: createPseudoEngine() });
    expect((await translate(createServiceEngine(service))).values).toBe(100);
  });

  it('by a chain, whose second engine gets texts in which the first forgets terms', async () => {
    const engines: Readonly<Record<string, () => Engine>> = {
      pseudo: () => ({ ...createPseudoEngine(), isPseudo: false }),
      exec: () => createExecEngine({ execCommand }),
    };
    const open = (id: string): Promise<Engine> => Promise.resolve((engines[id] ?? createPseudoEngine)());
    const chain = await createChainEngine({ rules: { '*': ['pseudo', 'exec'] }, open });
    const { values, present } = await translate(chain);
    expect(values).toBe(100);
    expect(present).toBeGreaterThan(20);
  });
});
