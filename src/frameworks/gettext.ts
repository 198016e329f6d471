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

/** The directory of gettext's translations: that of existing ones, otherwise according to the directory's name. */
function translationsOf(path: string, { hasFiles, templatesBeside }: BaseTree): readonly string[] {
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
    [`${directory}${name}-`, '.po'],
    [`${directory}${name}_`, '.po'],
    [`${directory}${name}.`, '.po'],
    [directory, `/${name}.po`],
    [above, `/${name}.po`],
    ...(alone ? [[directory, '.po']] : []),
  ];
  return choices.find(hasFiles) ?? customary(directory, top, name, alone);
}

function customary(directory: string, top: string, name: string, alone: boolean): readonly string[] {
  if (top !== directory || /(?:^|\/)locales?\/$/.test(directory)) return [top, `/LC_MESSAGES/${name}.po`];
  return alone && !/(?:^|\/)languages\/$/.test(directory)
    ? [directory, '.po']
    : [`${directory}${name}-`, '.po'];
}
