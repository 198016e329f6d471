import { describe, expect, it } from 'vitest';
import { lintProject } from '../../src/project/lint/lint.ts';
import { unitsOf } from '../../src/exchange/row-units.ts';
import { ProjectDirectory } from './project-directory.ts';
import { rowsOf } from './review/answers.ts';

const po = (flags: string, source: string, text: string): string =>
  `msgid ""\nmsgstr "Language: es\\nContent-Type: text/plain; charset=UTF-8\\n"\n\n${flags}msgid "${source}"\nmsgstr "${text}"\n`;
const xliff = (attributes: string, target = ''): string =>
  `<xliff version="1.2"><file original="a" source-language="en" target-language="es" datatype="plaintext"><body>
<trans-unit id="a"${attributes}><source>Open</source>${target}</trans-unit>
</body></file></xliff>
`;

/** A source, a Spanish file, and the limit of its text. */
const LIMITED: readonly [string, Readonly<Record<string, string>>, number, string][] = [
  [
    'a flag of PO',
    {
      'po/app.pot': po('#, max-length:6\n', 'Open', ''),
      'po/es.po': po('#, max-length:6\n', 'Open', 'Abrir ya'),
    },
    6,
    'po/es.po',
  ],
  [
    'maxwidth of XLIFF',
    {
      'messages.en.xlf': xliff(' maxwidth="6" size-unit="char"'),
      'messages.es.xlf': xliff(' maxwidth="6" size-unit="char"', '<target>Abrir ya</target>'),
    },
    6,
    'messages.es.xlf',
  ],
  [
    'a comment of Apple',
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
      ['too-long', 'warning', file, `8 characters, and at most ${max} fit`],
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
});
