import { describe, expect, it } from 'vitest';
import { Checkout } from '../project/checkout.ts';

/** Tests who owns a value, through the built program. */
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

interface Coverage {
  readonly [name: string]: number;
}

interface Language {
  readonly language_code: string;
  readonly coverage: Coverage;
  readonly changes: Coverage;
  readonly files: readonly {
    readonly source: string;
    readonly target: string;
    readonly coverage: Coverage;
  }[];
}

function languagesOf({ stdout }: { readonly stdout: string }): readonly Language[] {
  const { projects } = JSON.parse(stdout) as { projects: { languages: Language[] }[] };
  return projects.flatMap(({ languages }) => languages);
}

const status = (checkout: Checkout): Language | undefined =>
  languagesOf(checkout.do(['status', '--json']))[0];

describe('a translation from before the first sync', () => {
  const texts = { a: 'Hello', b: 'Save' };
  const old = { a: 'Hola', b: 'Guardar' };

  function started(): Checkout {
    const checkout = new Checkout({ 'locales/en.json': json(texts), 'locales/es.json': json(old) });
    checkout.do(['sync', 'locales', '-s', 'en', '-t', 'es']);
    return checkout;
  }

  it('has an unknown origin: it is kept, and not reported as edited', () => {
    const checkout = started();
    expect(checkout.read('locales/es.json')).toBe(json(old));
    expect(status(checkout)?.coverage).toMatchObject({ keys: 2, unknown: 2, edited: 0, translated: 2 });
    checkout.do(['sync', '--retranslate']);
    expect(checkout.read('locales/es.json')).toBe(json(old));
  });

  it('belongs to a person if it changes while its source does not', () => {
    const checkout = started();
    checkout.write('locales/es.json', json({ ...old, a: 'Buenas' }));
    expect(status(checkout)?.coverage).toMatchObject({ unknown: 1, edited: 1 });
  });

  it('is outdated when its source changes, and kept', () => {
    const checkout = started();
    checkout.write('locales/en.json', json({ ...texts, b: 'Delete everything' }));
    const { stderr } = checkout.do(['sync']);
    expect(stderr).toMatch(/locales\/es\.json:3:8: the source of b has changed; its es translation was kept/);
    expect(checkout.read('locales/es.json')).toBe(json(old));
    expect(status(checkout)?.coverage).toMatchObject({ unknown: 1, outdated: 1, edited: 0 });
  });
});

it('a translation by dragoman is renewed when its source changes, wherever sync is started', () => {
  const checkout = new Checkout({ 'locales/en.json': json({ a: 'Hello', b: 'Save' }) });
  checkout.do(['sync', 'locales', '-s', 'en', '-t', 'es']);
  const first = checkout.read('locales/es.json');
  checkout.write('locales/en.json', json({ a: 'Hello', b: 'Delete everything' }));
  expect(checkout.run(['check']).status).toBe(8);
  checkout.do(['sync']);
  expect(checkout.read('locales/es.json')).not.toBe(first);
  checkout.do(['check']);
});

describe('--prune', () => {
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`key${i}`, `Text ${i}`]));

  /** `ours` was translated and `theirs` existed before; both are gone from the source. */
  function withExtraKeys(): Checkout {
    const checkout = new Checkout({
      'locales/en.json': json({ ...many, ours: 'Ours' }),
      'locales/es.json': json({ theirs: 'Suyo' }),
    });
    checkout.do(['sync', '-s', 'en', '-t', 'es']);
    checkout.write('locales/en.json', json(many));
    return checkout;
  }

  const keysOf = (checkout: Checkout): readonly string[] =>
    Object.keys(JSON.parse(checkout.read('locales/es.json')) as object);

  it('removes translations by dragoman, but not those of unknown or human origin', () => {
    const checkout = withExtraKeys();
    checkout.do(['sync', '--prune', 'locales']);
    expect(keysOf(checkout)).not.toContain('ours');
    expect(keysOf(checkout)).toContain('theirs');
  });

  it('keeps a translation by dragoman that was edited', () => {
    const checkout = withExtraKeys();
    const text = checkout.read('locales/es.json').replace(/"ours": ".*"/, '"ours": "Nuestro"');
    checkout.write('locales/es.json', text);
    checkout.do(['sync', '--prune']);
    expect(keysOf(checkout)).toEqual(expect.arrayContaining(['ours', 'theirs']));
  });

  it('with all, also removes the others', () => {
    const checkout = withExtraKeys();
    checkout.do(['sync', '--prune', 'all']);
    expect(keysOf(checkout)).toHaveLength(20);
  });

  it('needs --yes to remove more than a fifth of a file, and writes nothing without it', () => {
    const checkout = withExtraKeys();
    const few = Object.fromEntries(Object.entries(many).slice(0, 15));
    checkout.write('locales/en.json', json(few));
    const [before, lock] = [checkout.read('locales/es.json'), checkout.read('dragoman.lock')];
    const refused = checkout.run(['sync', '--prune']);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toMatch(/more than a fifth of locales\/es\.json \(6 of 22 values\)[^]*--yes/);
    expect([checkout.read('locales/es.json'), checkout.read('dragoman.lock')]).toEqual([before, lock]);
    checkout.do(['sync', '--prune', '--yes']);
    expect(keysOf(checkout)).toEqual(['theirs', ...Object.keys(few)]);
  });
});

it('keys are counted as entries everywhere: all forms of a plural are one', () => {
  const forms = '<item quantity="one">%d file</item><item quantity="other">%d files</item>';
  const checkout = new Checkout({
    'res/values/strings.xml': `<resources>\n  <string name="a">One</string>\n  <plurals name="b">${forms}</plurals>\n</resources>\n`,
  });
  const options = ['-s', 'en', '-t', 'es,ru'];
  for (const language of languagesOf(checkout.do(['status', ...options, '--json'])))
    expect(language.coverage).toMatchObject({ keys: 2, missing: 2 });
  for (const { changes, files } of languagesOf(checkout.do(['sync', ...options, '--json']))) {
    expect(changes).toMatchObject({ translated: 2, failed: 0 });
    expect(files.map(({ source }) => source)).toEqual(['res/values/strings.xml']);
  }
  // Complete files are listed too.
  expect(status(checkout)?.files.map(({ target, coverage }) => [target, coverage['keys']])).toEqual([
    ['res/values-es/strings.xml', 2],
  ]);
});

it('catalogues without a template together form one source', () => {
  const catalogue = (date: string, pairs: readonly (readonly [string, string])[]): string =>
    [
      `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"POT-Creation-Date: ${date} 00:00+0000\\n"\n`,
      ...pairs.map(([id, text]) => `msgid "${id}"\nmsgstr "${text}"\n`),
    ].join('\n');
  const old = catalogue('2015-01-01', [
    ['Old', 'Alt'],
    ['Both', 'Beide'],
  ]);
  const recent = catalogue('2026-01-01', [
    ['New', 'Nuevo'],
    ['Both', 'Ambos'],
  ]);
  const checkout = new Checkout({ 'po/ab.po': old, 'po/es.po': recent });
  // Entries that the newer catalogue dropped are not reported as missing.
  expect(
    languagesOf(checkout.do(['status', '-s', 'en', '--json'])).map(({ coverage }) => coverage),
  ).toMatchObject([
    { keys: 2, translated: 1, missing: 1, extra: 1 },
    { keys: 2, translated: 2, missing: 0, extra: 0 },
  ]);
  checkout.do(['sync', '-s', 'en', '-t', 'ab,es,fr']);
  for (const [path, before, hasOld] of [
    ['po/ab.po', 'Beide', true],
    ['po/es.po', 'Ambos', false],
    ['po/fr.po', '', false],
  ] as const) {
    const text = checkout.read(path);
    expect(text).toMatch(/msgid "New"\nmsgstr "[^"]+"/);
    expect(text.includes('msgid "Old"')).toBe(hasOld);
    expect(text).toContain(before);
  }
  expect(checkout.run(['check']).stdout).toMatch(
    /po\/ab\.po:\d+:\d+: error: extra: "Old" is not in the source/,
  );
});

it('an old catalogue does not define messages, even after it got current ones', () => {
  const head = (year: number): string =>
    `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"POT-Creation-Date: ${year}-01-01 00:00+0000\\n"\n`;
  const messages = (stem: string, count: number): string =>
    Array.from({ length: count }, (_, i) => `\nmsgid "${stem} ${i}"\nmsgstr "x ${i}"\n`).join('');
  const checkout = new Checkout({
    'po/es.po': head(2026) + messages('New', 10),
    'po/gv.po': head(2005) + messages('Old', 11),
  });
  const options = ['-s', 'en', '-t', 'es,gv', '--json'];
  for (const translated of [10, 0]) {
    const all = languagesOf(checkout.do(['sync', ...options])).map(({ changes, coverage }) => [
      changes['translated'],
      coverage['keys'],
    ]);
    expect(all).toEqual([
      [0, 10],
      [translated, 10],
    ]);
  }
});

it('a language that no engine supports fails with all of its keys', () => {
  const checkout = new Checkout({ 'locales/en.json': json({ a: 'Hello', b: 'Save' }) });
  const ended = checkout.run(['sync', '-s', 'en', '-t', 'ja', '--engine', 'apertium', '--json']);
  expect(ended.status).toBe(7);
  expect(languagesOf(ended)[0]?.changes).toMatchObject({ failed: 2, translated: 0, kept: 0 });
});
