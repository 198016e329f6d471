import { describeFramework } from './description.ts';
import { type BaseTree, directoryOf, sharesMost } from './layout.ts';

export const gettext = describeFramework({
  id: 'gettext',
  title: 'GNU gettext',
  evidence: [{ files: ['POTFILES', 'POTFILES.in', 'LINGUAS'], within: /po$/ }],
  formats: ['po'],
  isUsualFor: ['po'],
  languageList: { name: 'LINGUAS', extension: '.po' },
  layouts: [
    {
      style: 'gettext',
      extensions: { po: 'po' },
      directory: { child: 'LC_MESSAGES' },
      baseRole: 'template',
      base: (path, tree) => (path.endsWith('.pot') ? translationsOf(path, tree) : undefined),
    },
  ],
});

/** Directories of translations whose template may be next to them. */
const FOLDERS: readonly string[] = [
  'po/',
  'locale/',
  'locales/',
  'i18n/',
  'languages/',
  'lang/',
  'translations/',
];

const prefixed = (start: string): readonly (readonly string[])[] =>
  ['-', '_', '.'].map((separator) => [start + separator, '.po']);

/** The directory of gettext's translations: that of existing ones, otherwise according to the directory's name. */
function translationsOf(path: string, tree: BaseTree): readonly string[] {
  const { hasFiles, startsOf, endsOf, templatesBeside } = tree;
  const alone = templatesBeside(path) === 1;
  const directory = directoryOf(path);
  const name = path.slice(directory.length, -'.pot'.length);
  const above = directory.replace(/[^/]+\/$/, '');
  const top = directory.replace(/(?:[^/]+\/)?LC_MESSAGES\/$/, '');
  const messages = (root: string): readonly string[] => [root, `/LC_MESSAGES/${name}.po`];
  const choices: (readonly string[])[] = [
    messages(directory),
    messages(top),
    messages(above),
    ...['locale/', 'locales/', 'i18n/'].flatMap((folder) => [
      messages(directory + folder),
      messages(above + folder),
    ]),
    ...prefixed(directory + name),
    [directory, `/${name}.po`],
    [above, `/${name}.po`],
    ...(alone
      ? [
          [directory, '.po'],
          [directory, '/', '.po'],
        ]
      : []),
  ];
  const certain = choices.find(hasFiles);
  if (certain) return certain;
  const own = new Set(messagesIn(tree.head(path)));
  const isOfTemplate = (parts: readonly string[]): boolean =>
    sharesMost(new Set(tree.headsWithoutBase(parts).flatMap(messagesIn)), own);
  const onlyOf = (found: readonly (readonly string[])[]): readonly string[] | undefined => {
    const [first, ...others] = found.filter(isOfTemplate);
    return others.length === 0 ? first : undefined;
  };
  // The number of existing translations must not matter, because each sync may add languages.
  const below = FOLDERS.map((folder) => directory + folder)
    .flatMap((other) => [[other, '.po'], ...prefixed(other + name)])
    .find((parts) => alone && isOfTemplate(parts));
  // `messages.pot` next to `de/default.po`.
  const inside = (): readonly string[] | undefined =>
    onlyOf(
      (alone ? endsOf(directory) : [])
        .filter((end) => /^\/(?:LC_MESSAGES\/)?[^/]+\.po$/.test(end))
        .map((end) => [directory, end]),
    );
  // `messages.pot` at the top, `app/translations/de/LC_MESSAGES/messages.po` below.
  const inner = (): readonly string[] | undefined =>
    onlyOf(
      startsOf(`/LC_MESSAGES/${name}.po`)
        .filter((start) => start.startsWith(directory))
        .map(messages),
    );
  // `data/app.pot`, `po/de.po`. If a directory has its own template, its translations belong to that template.
  const elsewhere = (): readonly string[] | undefined =>
    alone
      ? onlyOf(
          startsOf('.po')
            .filter((start) => start.startsWith(above) && start.endsWith('/') && templatesBeside(start) === 0)
            .map((start) => [start, '.po']),
        )
      : undefined;
  return below ?? inside() ?? inner() ?? elsewhere() ?? customary(directory, top, name, alone);
}

/** The messages in the beginning of a catalogue, joined from their lines. */
function messagesIn(head: string): readonly string[] {
  const ids = head.matchAll(/^msgid (".*"(?:\r?\n".*")*)/gm);
  return [...ids].map(([, id = '']) => id.replaceAll(/"\r?\n"/g, '')).filter((id) => id !== '""');
}

function customary(directory: string, top: string, name: string, alone: boolean): readonly string[] {
  if (top !== directory || /(?:^|\/)locales?\/$/.test(directory)) return [top, `/LC_MESSAGES/${name}.po`];
  return alone && !/(?:^|\/)languages\/$/.test(directory)
    ? [directory, '.po']
    : [`${directory}${name}-`, '.po'];
}
