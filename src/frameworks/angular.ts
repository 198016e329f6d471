import { describeFramework } from './description.ts';
import { type BaseTree, directoryOf } from './layout.ts';

export const angular = describeFramework({
  id: 'angular',
  title: 'Angular',
  evidence: [{ files: ['angular.json'] }],
  formats: ['xliff', 'json'],
  holds: /\.xlf$|\.xliff$/,
  layouts: [
    {
      style: 'bcp47',
      base: (path, tree) => (/\.(?:xlf|xliff)$/.test(path) ? translationsOf(path, tree) : undefined),
    },
  ],
  lint: { isCertain: true },
});

/** `messages.xlf` names no locale: its translations are `messages.de.xlf`, or as those that are there. */
function translationsOf(path: string, { hasFiles, namesLanguage }: BaseTree): readonly string[] | undefined {
  const dot = path.lastIndexOf('.');
  const choices = ['.', '_', '-'].map((separator) => [path.slice(0, dot) + separator, path.slice(dot)]);
  const directory = directoryOf(path);
  // TYPO3 has the locale before the name, which is the source's as well: `de.locallang.xlf`.
  const prefixed = [directory, `.${path.slice(directory.length)}`];
  return [...choices, prefixed].find(hasFiles) ?? (namesLanguage(path) ? undefined : choices[0]);
}
