import { DragomanError } from '../../base/errors.ts';
import { typeAt } from '../../base/file-facts.ts';
import { CODE_EXTENSIONS, extensionOf, type Formats } from '../../formats/registry.ts';
import { parseLocale } from '../../languages/locale.ts';
import type { ProgramTranslations } from '../../frameworks/description.ts';
import { isExport, isLanguageHolder } from '../../frameworks/registry.ts';

/** Why a file that looks like localization is skipped. */
type PassedOverReason =
  | AsideReason
  | 'not_supported'
  | 'of_program'
  | 'untranslated'
  | 'without_strings'
  | 'settings'
  | 'data'
  | 'written_by_i18n'
  | 'own_export'
  | 'all_languages'
  | 'shown_by_pages'
  | 'excluded_by_site'
  | 'same_language'
  | 'unnamed_language'
  | 'odd_locale'
  | 'source_variant'
  | 'without_source';

/** Skipped files of one kind that look like localization. */
export interface PassedOver {
  readonly reason: PassedOverReason;
  /** Lower case, with the dot. */
  readonly extension: string;
  readonly count: number;
  /** Whether counting stopped early because the directories are too large. */
  readonly isAtLeast: boolean;
  /** The first file, relative to the root. */
  readonly example: string;
  /** The command that creates the missing source files. */
  readonly extraction?: string | undefined;
}

/** In the order of the output. */
const REASONS: Readonly<Record<PassedOverReason, string>> = {
  not_supported: ', not supported',
  all_languages: ' with all languages in one file, not supported',
  of_program: ' for texts in programs, not supported',
  test_directory: ' in test directories, skipped',
  build_output: ' in build output, skipped',
  vendored: ' in third-party libraries, skipped unless a path or the configuration names them',
  export: ' in exported catalogues, skipped',
  template: ' in code generator templates, skipped',
  without_strings: ' without translatable strings, skipped',
  untranslated: ' in no other language, skipped',
  settings: ' with settings instead of texts, skipped',
  data: ' with data for programs instead of texts, skipped',
  same_language: ' in the same language as another file, skipped',
  unnamed_language: ' in a language that is not the source and not part of the name, skipped',
  shown_by_pages: ' among the pages of a site, skipped',
  excluded_by_site: ' excluded by the configuration of a site, skipped',
  odd_locale: ' with an unclear language code in the name, skipped',
  source_variant: ' in a variant of the source language that no option names, skipped',
  written_by_i18n: ' written by dragoman i18n, skipped',
  own_export: ' exported by dragoman, skipped',
  without_source: ' without a source file, skipped',
};

const ORDER: readonly string[] = Object.keys(REASONS);

/** For example `52 .wxl files, not supported (for example setup/de.wxl)`. */
export function describePassedOver(kind: PassedOver): string {
  const { reason, extension, count, isAtLeast, example, extraction } = kind;
  const number = `${isAtLeast ? 'at least ' : ''}${count.toLocaleString('en')}`;
  const why =
    extraction === undefined
      ? REASONS[reason]
      : ` for texts in programs, skipped until "${extraction}" creates source files`;
  return `${number} ${extension} file${count === 1 ? '' : 's'}${why} (for example ${example})`;
}

/** Counts skipped files by reason and extension. */
export class PassedOverCount {
  readonly #kinds = new Map<
    string,
    Pick<PassedOver, 'reason' | 'extension' | 'extraction'> & { paths: Set<string> }
  >();
  readonly #counts: (path: string) => boolean;
  readonly #cut = new Set<PassedOverReason>();

  /** @param counts whether to count a path: excluded paths are not counted */
  constructor(counts: (path: string) => boolean) {
    this.#counts = counts;
  }

  /** @param why what the framework says about translations of texts in programs, or the reason for other files */
  add(why: PassedOverReason | ProgramTranslations, path: string): void {
    if (!this.#counts(path)) return;
    const [reason, extraction] = typeof why === 'string' ? [why] : (['of_program', why.extraction] as const);
    const extension = /\.[^./]+$/.exec(path)?.[0].toLowerCase() ?? '';
    const id = `${String(ORDER.indexOf(reason)).padStart(2, '0')}${extension} ${extraction ?? ''}`;
    const kind = this.#kinds.get(id);
    if (kind) kind.paths.add(path);
    else this.#kinds.set(id, { reason, extension, extraction, paths: new Set([path]) });
  }

  /** Records that counting stopped early for this reason. */
  cutShort(reason: PassedOverReason): void {
    this.#cut.add(reason);
  }

  /** Sorted by reason, then extension. */
  list(): readonly PassedOver[] {
    return [...this.#kinds]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { reason, extension, extraction, paths }]) => ({
        reason,
        extension,
        ...(extraction !== undefined && { extraction }),
        count: paths.size,
        isAtLeast: this.#cut.has(reason),
        example: [...paths].reduce((first, path) => (path < first ? path : first)),
      }));
  }
}

/** Why the files below a directory are not the project's own localization. */
export type AsideReason = 'test_directory' | 'build_output' | 'vendored' | 'export' | 'template';

/** Directories of installed packages, which may hold millions of files, none of them the project's. */
const DEPENDENCIES = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  'Pods',
  'Carthage',
  '__pycache__',
  'site-packages',
  'venv',
]);

const BUILD = new Set(['build', 'dist', 'out', 'target', 'bin', 'obj', 'coverage', 'DerivedData']);

const VENDORED = /^(?:vendor(?:ed)?|[Tt]hird[-_]?[Pp]arty|3rd[-_]?party)$|\.(?:xc)?framework$/;

const TEST =
  /^_*(?:(?:ui)?tests?|specs?|e2e|fixtures?|mocks?|snapshots?|test[-_]?(?:data|fixtures|resources|suites?))_*$|[-_.]tests?$/i;
/** Matches `androidTest`, `testDebug` and `PlannerTests`, but not `latest` or `testimonials`. */
const CAMEL_CASE_TEST = /[a-z\d](?:UI)?Tests?$|^(?:androidT|t)est[A-Z]/;

/**
 * Directories of files that a program fills in: `lib/generators/page/templates`, `{{cookiecutter.slug}}`, `__brick__`.
 */
const TEMPLATE = /^__brick__$|^\{\{.*\}\}$/;
const GENERATORS = /(?:^|\/)(?:generators?|scaffold(?:s|ing)?|schematics)\//;

/** Whether a directory with this name contains installed packages, which are not even counted. */
export function isDependency(name: string): boolean {
  return DEPENDENCIES.has(name);
}

/**
 * Why a directory is skipped; undefined if it is not.
 *
 * @param parent its path, each segment followed by a slash, or empty. Inside a language's directory, a name is a
 * namespace: `locales/en/tests` has the texts of a page about tests.
 */
export function asideReasonOf(name: string, parent: string): AsideReason | undefined {
  const reason = reasonOf(name, parent);
  // Laravel's `lang/vendor` contains the project's own translations of packages.
  if (reason === 'vendored' && isLanguageHolder(/([^/]+)\/?$/.exec(parent)?.[1] ?? '')) return undefined;
  return reason === undefined || isInsideLanguage(parent) ? undefined : reason;
}

function reasonOf(name: string, parent: string): AsideReason | undefined {
  if (BUILD.has(name)) return 'build_output';
  if (VENDORED.test(name)) return 'vendored';
  if (isExport(name, parent)) return 'export';
  if (TEMPLATE.test(name) || (/^(?:templates?|files)$/.test(name) && GENERATORS.test(parent)))
    return 'template';
  return TEST.test(name) || CAMEL_CASE_TEST.test(name) ? 'test_directory' : undefined;
}

function isInsideLanguage(parent: string): boolean {
  const segments = parent.split('/');
  return segments.some(
    (segment, i) => parseLocale(segment) !== undefined && isLanguageHolder(segments[i - 1] ?? ''),
  );
}

interface Missed {
  readonly source?: string | undefined;
  readonly candidates?: readonly string[];
  readonly passedOver?: readonly PassedOver[];
  readonly nested?: readonly string[];
  readonly formats?: Formats;
  readonly paths?: readonly string[];
  /** Files whose path names no language, relative to the root. */
  readonly lone?: readonly string[];
}

interface Searched {
  readonly tree: { readonly files: readonly string[] };
  readonly selects: (path: string) => boolean;
}

/** Configuration files that tools keep in a project's root. */
const OF_TOOLS =
  /^\.|^(?:angular|bower|composer|crowdin|deno|docker|firebase|jsconfig|lerna|manifest|mkdocs|netlify|nx|package|php(?:cs|stan|unit)|pnpm|pubspec|renovate|tsconfig|tslint|turbo|vercel)\b|(?:[.-](?:config|lock)|rc)\.[a-z]+$/;

/** Files that may hold a small project's texts: those at the root that are not programs. */
export function loneFiles({ tree, selects }: Searched): readonly string[] {
  return tree.files.filter(
    (path) =>
      !path.includes('/') && !OF_TOOLS.test(path) && !CODE_EXTENSIONS.has(extensionOf(path)) && selects(path),
  );
}

/** A hint lists at most this many kinds. */
const MOST_KINDS = 5;

/** The error if a directory or path has nothing to translate. */
export function nothingFound(path: string, missed: Missed = {}): DragomanError {
  const { source, passedOver = [] } = missed;
  const named = source === undefined ? '' : ` in the source language ${source}`;
  const advice = adviceFor(missed);
  const seen = passedOver.slice(0, MOST_KINDS).map(describePassedOver).join('; ');
  return new DragomanError('configuration', `no localization files${named} found in ${path}`, {
    hint: seen === '' ? advice : `Found: ${seen}. ${advice}`,
  });
}

function adviceFor({ candidates = [], nested = [], formats, paths = [], lone: files = [] }: Missed): string {
  if (candidates.length > 0)
    return `Found files in: ${candidates.slice(0, 20).join(', ')}. Name the source with --source.`;
  const lone = paths.find((path) => formats?.ofPath(path) && typeAt(path) === 'file');
  if (lone !== undefined)
    return `To translate this file alone: dragoman i18n ${lone} -t LANGUAGE. To make it a part of the project, describe it under \`files\` in the configuration.`;
  if (nested.length > 0)
    return `Some directories are separate projects: name one as the path, such as ${nested.slice(0, 20).join(', ')}.`;
  const [only, ...more] = files;
  if (only !== undefined && more.length === 0)
    return `${only} has no language in its path. To translate this file alone: dragoman i18n ${only} -t LANGUAGE. To translate it with sync, move it to a path such as locales/en/${only}, or describe it under \`files\` in the configuration.`;
  return 'Expected a layout such as locales/en.json, locales/en/*.json, res/values/strings.xml, en.lproj/*.strings, Localizable.xcstrings, po/*.pot, messages.properties; describe others under `files` in the configuration.';
}
