import type { FrameworkDescription } from './description.ts';
import { directoryOf, type Layout } from './layout.ts';
import { android } from './android.ts';
import { angular } from './angular.ts';
import { apple } from './apple.ts';
import { chrome } from './chrome.ts';
import { codeigniter } from './codeigniter.ts';
import { django } from './django.ts';
import { docusaurus } from './docusaurus.ts';
import { dotnet } from './dotnet.ts';
import { emberIntl } from './ember-intl.ts';
import { fluent } from './fluent.ts';
import { flutter } from './flutter.ts';
import { formatjs } from './formatjs.ts';
import { gettext } from './gettext.ts';
import { goI18n } from './go-i18n.ts';
import { hugo } from './hugo.ts';
import { i18next } from './i18next.ts';
import { java } from './java.ts';
import { laravel } from './laravel.ts';
import { lingui } from './lingui.ts';
import { minecraft } from './minecraft.ts';
import { mkdocs } from './mkdocs.ts';
import { mokoResources } from './moko-resources.ts';
import { nextIntl } from './next-intl.ts';
import { paraglide } from './paraglide.ts';
import { phoenix } from './phoenix.ts';
import { ngxTranslate } from './ngx-translate.ts';
import { plain } from './plain.ts';
import { qt } from './qt.ts';
import { rails } from './rails.ts';
import { rspress } from './rspress.ts';
import { starlight } from './starlight.ts';
import { svelteI18n } from './svelte-i18n.ts';
import { symfony } from './symfony.ts';
import { transloco } from './transloco.ts';
import { vitepress } from './vitepress.ts';
import { vscode } from './vscode.ts';
import { vueGettext } from './vue-gettext.ts';
import { vueI18n } from './vue-i18n.ts';
import { wordpress } from './wordpress.ts';
import { yii } from './yii.ts';

/** Every framework. If a directory's manifests identify several that read a file, the first one is chosen. */
const descriptions = [
  android,
  mokoResources,
  apple,
  flutter,
  qt,
  chrome,
  vscode,
  dotnet,
  minecraft,
  ngxTranslate,
  docusaurus,
  vitepress,
  rspress,
  mkdocs,
  starlight,
  hugo,
  fluent,
  django,
  wordpress,
  phoenix,
  yii,
  symfony,
  codeigniter,
  laravel,
  rails,
  angular,
  transloco,
  lingui,
  nextIntl,
  i18next,
  vueI18n,
  vueGettext,
  formatjs,
  svelteI18n,
  emberIntl,
  paraglide,
  goI18n,
  java,
  gettext,
  plain,
];

export type FrameworkId = (typeof descriptions)[number]['id'];
export type Framework = FrameworkDescription & { readonly id: FrameworkId };

export const FRAMEWORKS: readonly Framework[] = descriptions;

/** The framework of files without evidence of another. */
export const PLAIN: Framework = plain;

export function findFramework(id: FrameworkId): Framework {
  return FRAMEWORKS.find((framework) => framework.id === id) ?? PLAIN;
}

/** How paths name languages in any framework. */
export const LAYOUTS: readonly Layout[] = FRAMEWORKS.flatMap(({ layouts = [] }) => layouts);

const HOLDERS: ReadonlySet<string> = new Set(FRAMEWORKS.flatMap(({ holders = [] }) => holders));

/** Whether directories of this name contain a file or a directory for each language: `locales`, `i18n`, `lang`. */
export function isLanguageHolder(name: string): boolean {
  return HOLDERS.has(name.toLowerCase());
}

/** Whether a directory of this name contains the files of one language, or the sources. */
export function isLanguageDirectory(name: string): boolean {
  return LAYOUTS.some(
    ({ directory, baseDirectory }) => directory?.name?.test(name) === true || baseDirectory === name,
  );
}

/**
 * The file that lists a catalogue's language: next to `po/fr.po`, or above the directory of `help/fr/fr.po`.
 *
 * @param spelling the language as spelled in the path
 */
export function languageListOf(path: string, spelling: string): string | undefined {
  const directory = directoryOf(path);
  const lists = FRAMEWORKS.flatMap(({ languageList }) => languageList ?? []);
  const own = lists.find(({ extension }) => path === directory + spelling + extension);
  const isInside = `/${directory}`.endsWith(`/${spelling}/`);
  return own && (isInside ? directory.slice(0, -spelling.length - 1) : directory) + own.name;
}

/**
 * Whether a directory contains catalogues that tools exported.
 *
 * @param parent its path
 */
export function isExport(name: string, parent: string): boolean {
  return FRAMEWORKS.some(
    ({ exports: own }) =>
      own && (own.directories.test(name) || (own.inner.name === name && own.inner.parent.test(parent))),
  );
}
