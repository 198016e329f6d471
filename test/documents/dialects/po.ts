import type { Body, Dialect, FileModel, Item, Style } from '../target-model.ts';

const plain = (...names: string[]): string[][] => names.map((name) => [name]);

const PO_RULES: Readonly<Record<string, string>> = {
  en: 'nplurals=2; plural=(n != 1);',
  fr: 'nplurals=2; plural=(n > 1);',
  ru: 'nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);',
  ja: 'nplurals=1; plural=0;',
  es: 'nplurals=2; plural=(n != 1);',
  ar: 'nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);',
};

/** In a source, translations are empty, and plurals have their second form as plural msgid. */
function writePo(file: FileModel, style: Style, categories: readonly string[]): string {
  const source = file.locale === 'en';
  const message = ({ name, notes, body }: Item): string[] => [
    ...notes.map((note) => (note.startsWith('own') ? `# ${note}` : `#. ${note}`)),
    ...(style.spelling % 2 ? ['#: src/x.c:1'] : []),
    ...(name[0] ?? '').split('\n'),
    ...forms(body),
  ];
  const forms = (body: Body): string[] => {
    if ('text' in body) return `msgstr ${source ? '""' : body.text}`.split('\n');
    if (!('forms' in body)) throw new Error('PO has messages and plurals');
    const texts = source ? ['""', '""'] : categories.map((category) => body.forms[category]);
    return [
      'msgid_plural "%d things"',
      ...texts.flatMap((raw, i) => (raw === undefined ? [] : `msgstr[${i}] ${raw}`.split('\n'))),
    ];
  };
  const header = [
    ...file.head.map((note) => `# ${note}`),
    'msgid ""',
    'msgstr ""',
    `"Language: ${file.locale}\\n"`,
    '"MIME-Version: 1.0\\n"',
    '"Content-Type: text/plain; charset=UTF-8\\n"',
    `"Plural-Forms: ${PO_RULES[file.locale] ?? ''}\\n"`,
  ];
  const obsolete = file.foot.flatMap((note) => [[`# ${note}`, '#~ msgid "gone"', '#~ msgstr "weg"']]);
  const blocks = [header, ...file.items.map(message), ...obsolete];
  const all = blocks.flatMap((block, i) => (i === 0 ? block : ['', ...block]));
  return all.join(style.newline) + (style.finalNewline ? style.newline : '');
}

export function poFor(target: string, plurals: readonly string[]): Dialect {
  return {
    name: `PO, ${target}`,
    path: 'x.po',
    target,
    comments: true,
    plurals,
    formsInOrder: true,
    names: plain(
      'msgid "Hello"',
      'msgctxt "menu"\nmsgid "Hello"',
      'msgid "quo\\"te"',
      'msgid ""\n"wrapped "\n"id\\n"',
      'msgid "é"',
      'msgctxt ""\nmsgid "empty context"',
      'msgid "%d thing"',
      'msgid "x"',
      'msgid "y"',
      'msgid "z"',
      'msgid "last"',
    ),
    texts: [
      '"Salut 0000"',
      '"Ünï “0000” 😀"',
      '"say \\"0000\\"\\n"',
      '""\n"wrapped "\n"text 0000"',
      '"tab\\t0000 \\\\"',
    ],
    write: (file, style) => writePo(file, style, plurals),
  };
}
