import { describeFramework } from './description.ts';
import { type BaseTree, directoryOf } from './layout.ts';

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
function translationsOf(path: string, { hasFiles, startsOf, templatesBeside }: BaseTree): readonly string[] {
  const alone = templatesBeside(path) === 1;
  const directory = directoryOf(path);
  const name = path.slice(directory.length, -'.pot'.length);
  const above = directory.replace(/[^/]+\/$/, '');
  const top = directory.replace(/(?:[^/]+\/)?LC_MESSAGES\/$/, '');
  const messages = (root: string): readonly string[] => [root, `/LC_MESSAGES/${name}.po`];
  const below = FOLDERS.flatMap((folder) => {
    const other = directory + folder;
    // A template there is the one of these files.
    return templatesBeside(other) > 0 ? [] : [[other, '.po'], ...prefixed(other + name)];
  });
  // `messages.pot` at the top, `app/translations/de/LC_MESSAGES/messages.po` below.
  const [inner, ...others] = startsOf(`/LC_MESSAGES/${name}.po`).filter(
    (start) => start.startsWith(directory) && templatesBeside(start) === 0,
  );
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
    ...(alone ? [[directory, '.po'], ...below] : []),
    ...(inner === undefined || others.length > 0 ? [] : [messages(inner)]),
  ];
  return choices.find(hasFiles) ?? customary(directory, top, name, alone);
}

function customary(directory: string, top: string, name: string, alone: boolean): readonly string[] {
  if (top !== directory || /(?:^|\/)locales?\/$/.test(directory)) return [top, `/LC_MESSAGES/${name}.po`];
  return alone && !/(?:^|\/)languages\/$/.test(directory)
    ? [directory, '.po']
    : [`${directory}${name}-`, '.po'];
}
