import { describe, expect, it } from 'vitest';
import { lintProject } from '../../src/project/lint/lint.ts';
import { unitsOf } from '../../src/exchange/row-units.ts';
import { ProjectDirectory, RecordingEngine } from './project-directory.ts';
import { rowsOf } from './review/answers.ts';

const po = (flags: string, source: string, text: string): string =>
  `msgid ""\nmsgstr "Language: es\\nContent-Type: text/plain; charset=UTF-8\\n"\n\n${flags}msgid "${source}"\nmsgstr "${text}"\n`;
const xliff = (attributes: string, target = ''): string =>
  `<xliff version="1.2"><file original="a" source-language="en" target-language="es" datatype="plaintext"><body>
<trans-unit id="a"${attributes}><source>Open</source>${target}</trans-unit>
</body></file></xliff>
`;

const xliff2 = (attributes: string, profiles: string, segment: string): string =>
  `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" xmlns:s="urn:oasis:names:tc:xliff:sizerestriction:2.0"
 version="2.0" srcLang="en" trgLang="es"><file id="f">${profiles}<unit id="a"${attributes}>${segment}</unit></file></xliff>
`;
const restricted = (attributes: string, profiles: string, value = 'Abrir ya'): Record<string, string> => ({
  'messages.en.xlf': xliff2(attributes, profiles, '<segment><source>Open</source></segment>'),
  'messages.es.xlf': xliff2(
    attributes,
    profiles,
    `<segment><source>Open</source><target>${value}</target></segment>`,
  ),
});
const CODE_POINTS = '<s:profiles generalProfile="xliff:codepoints"/>';

/** A source, a Spanish file, and the limit of its text. */
const LIMITED: readonly [string, Readonly<Record<string, string>>, number, string][] = [
  [
    'a PO flag',
    {
      'po/app.pot': po('#, max-length:6\n', 'Open', ''),
      'po/es.po': po('#, max-length:6\n', 'Open', 'Abrir ya'),
    },
    6,
    'po/es.po',
  ],
  [
    'maxwidth in XLIFF',
    {
      'messages.en.xlf': xliff(' maxwidth="6" size-unit="char"'),
      'messages.es.xlf': xliff(' maxwidth="6" size-unit="char"', '<target>Abrir ya</target>'),
    },
    6,
    'messages.es.xlf',
  ],
  [
    'an Apple comment',
    {
      'en.lproj/Localizable.strings': '/* Button, max 6 chars */\n"a" = "Open";\n',
      'es.lproj/Localizable.strings': '/* Button, max 6 chars */\n"a" = "Abrir ya";\n',
    },
    6,
    'es.lproj/Localizable.strings',
  ],
  [
    'a description that only the source has',
    {
      'lib/l10n/app_en.arb': '{"a": "Open", "@a": {"description": "A button (at most 6 characters)"}}',
      'lib/l10n/app_es.arb': '{"a": "Abrir ya"}',
    },
    6,
    'lib/l10n/app_es.arb',
  ],
];

describe('a length limit', () => {
  it.each(LIMITED)('is read from %s, judged by lint, and shown in the rows', async (_, files, max, file) => {
    const directory = new ProjectDirectory(files);
    const project = await directory.open({ source: 'en', targets: ['es'] });
    const findings = await lintProject(project, new AbortController().signal);
    expect(findings.map(({ rule, severity, file, message }) => [rule, severity, file, message])).toEqual([
      ['too-long', 'warning', file, `8 characters, but at most ${max} fit`],
    ]);
    const [row] = (await rowsOf(directory)).values();
    expect(row).toMatchObject({ limit: { max, unit: 'characters' }, state: 'translated' });
    expect(row?.forms[0]?.findings).toEqual([]);
    expect(row && unitsOf(row, 'p')[0]?.limit).toEqual({ max, unit: 'characters' });
  });

  it('in pixels is ignored', async () => {
    const files = {
      'messages.en.xlf': xliff(' maxwidth="6"'),
      'messages.es.xlf': xliff(' maxwidth="6" size-unit="pixel"', '<target>Abrir ya</target>'),
    };
    const [row] = (await rowsOf(new ProjectDirectory(files))).values();
    expect(row?.limit).toBeUndefined();
  });

  it('of a catalogue that carries its sources is in the rows', async () => {
    const [row] = (
      await rowsOf(
        new ProjectDirectory({
          'po/es.po': po('#, max-length:6\n', 'Open', 'Abrir ya'),
          'po/fr.po': po('#, max-length:6\n', 'Open', '').replace('es', 'fr'),
        }),
      )
    ).values();
    expect(row?.limit).toEqual({ max: 6, unit: 'characters' });
  });
});

async function findingsIn(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const project = await new ProjectDirectory(files).open({ source: 'en', targets: ['es'] });
  const findings = await lintProject(project, new AbortController().signal);
  return findings.map(({ rule, message }) => `${rule}: ${message}`);
}

describe('the size restriction of XLIFF 2', () => {
  it.each([
    ['code points', ' s:sizeRestriction="6"', CODE_POINTS, '8 code points, but at most 6 fit'],
    ['a minimum too', ' s:sizeRestriction="2,6"', CODE_POINTS, '8 code points, but at most 6 fit'],
    [
      'bytes of UTF-16',
      ' s:storageRestriction="15"',
      '<s:profiles storageProfile="xliff:utf16"/>',
      '16 bytes in UTF-16, but at most 15 fit',
    ],
  ])('limits %s', async (_, attributes, profiles, message) => {
    expect(await findingsIn(restricted(attributes, profiles))).toEqual([`too-long: ${message}`]);
  });

  it('normalizes as its profile says, and does not count inline codes', async () => {
    const normalized = `<s:profiles generalProfile="xliff:codepoints"><s:normalization general="nfc"/></s:profiles>`;
    const decomposed = 'cafe\u0301s';
    expect(await findingsIn(restricted(' s:sizeRestriction="5"', normalized, decomposed))).toEqual([]);
    expect(await findingsIn(restricted(' s:sizeRestriction="5"', CODE_POINTS, decomposed))).toEqual([
      'too-long: 6 code points, but at most 5 fit',
    ]);
    const coded = (text: string): string => `<segment>${text}</segment>`;
    const source = '<source>Open <ph id="1"/></source>';
    const files = {
      'messages.en.xlf': xliff2(' s:sizeRestriction="7"', CODE_POINTS, coded(source)),
      'messages.es.xlf': xliff2(
        ' s:sizeRestriction="7"',
        CODE_POINTS,
        coded(`${source}<target>&lt;Abre <ph id="1"/></target>`),
      ),
    };
    expect(await findingsIn(files)).toEqual([]);
  });

  it('has no effect without a profile, with an unknown one, or for several segments together', async () => {
    const limit = ' s:sizeRestriction="6"';
    expect(await findingsIn(restricted(limit, ''))).toEqual([]);
    expect(await findingsIn(restricted(limit, '<s:profiles generalProfile="acme:pixels"/>'))).toEqual([]);
    expect(await findingsIn(restricted(' s:sizeRestriction="*"', CODE_POINTS))).toEqual([]);
    const parts = (target: string): string =>
      ['1', '2'].map((id) => `<segment id="${id}"><source>Open</source>${target}</segment>`).join('');
    const files = {
      'messages.en.xlf': xliff2(limit, CODE_POINTS, parts('')),
      'messages.es.xlf': xliff2(limit, CODE_POINTS, parts('<target>Abrir ya</target>')),
    };
    expect(await findingsIn(files)).toEqual([]);
  });
});

describe('limits in the configuration', () => {
  const settings = `source: en
targets: [es]
limits:
  - { keys: ['menu.*'], files: ['locales/**'], max: 6 }
  - { keys: ['*.title'], max: 4, unit: columns }
`;
  const files = {
    'dragoman.config.yaml': settings,
    'locales/en.json': '{"menu":{"open":"Open","title":"A"},"dialog":{"title":"B"},"other":"C"}',
    'locales/es.json':
      '{"menu":{"open":"Abrir ya","title":"Abrir"},"dialog":{"title":"日本語"},"other":"Abrir ya"}',
  };

  it('apply by key and file, the first of several', async () => {
    expect(await findingsIn(files)).toEqual([
      'too-long: 8 characters, but at most 6 fit',
      'too-long: 6 columns, but at most 4 fit',
    ]);
    const rows = await rowsOf(new ProjectDirectory(files));
    expect([...rows.values()].map(({ name, limit }) => [name, limit?.max])).toEqual([
      ['menu.open', 6],
      ['menu.title', 6],
      ['dialog.title', 4],
      ['other', undefined],
    ]);
  });

  it('take precedence over those of the file', async () => {
    const catalogue = {
      'dragoman.config.yaml': 'source: en\ntargets: [es]\nlimits: [{ max: 7 }]\n',
      'po/app.pot': po('#, max-length:9\n', 'Open', ''),
      'po/es.po': po('#, max-length:9\n', 'Open', 'Abrir ya'),
    };
    expect(await findingsIn(catalogue)).toEqual(['too-long: 8 characters, but at most 7 fit']);
  });

  it.each([
    ['limits: [{ keys: ["a"] }]', /needs a `max`/],
    ['limits: [{ max: 0 }]', /whole number from 1/],
    ['limits: [{ max: 5, unit: pixels }]', /unit/],
    ['limits: [{ max: 5, files: ["../x"] }]', /leads out of the directory/],
    ['limits: [{ max: 5, files: ["!a"] }]', /not a file pattern/],
  ])('are checked: %s', async (setting, message) => {
    const wrong = { ...files, 'dragoman.config.yaml': `source: en\ntargets: [es]\n${setting}\n` };
    await expect(new ProjectDirectory(wrong).open()).rejects.toThrow(message);
  });

  it('reach engines that accept hints, for texts that are sent whole', async () => {
    const directory = new ProjectDirectory({
      ...files,
      'locales/es.json': '{}',
      'locales/en.json': '{"menu":{"open":"Open","title":"A"},"other":"C"}',
    });
    const engine = Object.assign(new RecordingEngine(), { uses: { hints: true } });
    await directory.sync(engine);
    const hints = engine.calls.flatMap(({ texts, hints }) =>
      texts.map((text, i) => [text, hints?.[i]?.limit]),
    );
    expect(hints).toEqual([
      ['Open', { max: 6, unit: 'characters' }],
      ['A', { max: 6, unit: 'characters' }],
      ['C', undefined],
    ]);
  });
});

describe('the length of a message', () => {
  it('is that of its longest branch', async () => {
    const comment = '"@n": {"description": "max 12 chars", "placeholders": {"n": {}}}';
    const message = (one: string, other: string): string =>
      `{"n": "{n, plural, one {${one}} other {${other}}}", ${comment}}`;
    const project = (es: string): Record<string, string> => ({
      'lib/l10n/app_en.arb': message('# file', '# files'),
      'lib/l10n/app_es.arb': es,
    });
    expect(await findingsIn(project(message('# fichero', '# ficheros')))).toEqual([]);
    expect(await findingsIn(project(message('# fichero', '# ficheros hoy')))).toEqual([
      'too-long: 14 characters, but at most 12 fit',
    ]);
  });
});
