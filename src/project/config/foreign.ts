import { join, posix } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import type { Formality } from '../../engines/engine.ts';
import type { Formats } from '../../formats/registry.ts';
import { type LocaleStyle, parseLocale } from '../../languages/locale.ts';
import type { FileRule } from './configuration.ts';
import { readForeignFile, type ForeignReading } from './foreign-file.ts';

/** Another tool's configuration, converted to dragoman's settings. */
export interface ForeignConfiguration {
  /** Absolute. */
  readonly path: string;
  readonly settings: ForeignSettings;
  /** The names of settings without a counterpart; never their values, which may be API keys. */
  readonly leftOut: readonly string[];
}

export interface ForeignSettings {
  readonly source?: string | undefined;
  readonly targets?: readonly string[] | undefined;
  readonly files?: readonly Omit<FileRule, 'format'>[] | undefined;
  readonly engine?: string | undefined;
  readonly openai?: { readonly model: string } | undefined;
  readonly formality?: Readonly<Record<string, Formality>> | undefined;
}

/** The file names of a tool in order of precedence, and how to read them. */
interface ForeignTool {
  readonly names: readonly string[];
  readonly read: (settings: ForeignReading, formats: Formats) => ForeignSettings;
}

const TOOLS = {
  i18next: {
    names: ['i18next-parser.config', 'i18next.config'].flatMap((name) =>
      ['json', 'js', 'mjs', 'cjs', 'ts', 'mts'].map((extension) => `${name}.${extension}`),
    ),
    read: readI18next,
  },
  lingo: { names: ['i18n.json'], read: readLingo },
  deepl: { names: ['.deepl-sync.yaml'], read: readDeepl },
  crowdin: { names: ['crowdin.yml', 'crowdin.yaml', '.crowdin.yml'], read: readCrowdin },
  tolgee: { names: ['.tolgeerc.json', '.tolgeerc', '.tolgeerc.yml', '.tolgeerc.yaml'], read: readTolgee },
  weblate: { names: ['.weblate', '.weblate.ini', 'weblate.ini'], read: () => ({}) },
} as const satisfies Record<string, ForeignTool>;

type ForeignToolName = keyof typeof TOOLS;

/** Tools whose configuration is read. */
export const FOREIGN_TOOLS: readonly string[] = Object.keys(TOOLS);

function isTool(name: string): name is ForeignToolName {
  return Object.hasOwn(TOOLS, name);
}

/**
 * Reads another tool's configuration in a directory. Nothing is executed.
 *
 * @throws DragomanError `usage` for an unknown tool, `not_found` if the tool has no configuration, `configuration`
 */
export async function readForeignConfiguration(
  tool: string,
  directory: string,
  formats: Formats,
): Promise<ForeignConfiguration> {
  if (!isTool(tool)) {
    throw new DragomanError('usage', `dragoman cannot read the configuration of "${tool}"`, {
      hint: `Known tools: ${FOREIGN_TOOLS.join(', ')}.`,
    });
  }
  const { names, read } = TOOLS[tool];
  for (const name of names) {
    const path = join(directory, name);
    const reading = await readForeignFile(path);
    if (!reading) continue;
    const settings = read(reading, formats);
    return { path, settings, leftOut: reading.leftOut() };
  }
  throw new DragomanError('not_found', `no ${tool} configuration found in ${directory}`, {
    hint: `Expected ${names.slice(0, 3).join(', ')}${names.length > 3 ? ' or similar' : ''}. Name its directory: dragoman init DIRECTORY --from ${tool}`,
  });
}

/** Makes a path relative to the configuration: `./a//b` and `/a/b` become `a/b`. */
function relativePath(...parts: readonly string[]): string {
  return posix.normalize(posix.join('.', ...parts)).replace(/^\//, '');
}

function others(languages: readonly string[], source: string | undefined): readonly string[] | undefined {
  const targets = [...new Set(languages)].filter((language) => language !== source);
  return targets.length > 0 ? targets : undefined;
}

function readI18next(from: ForeignReading, formats: Formats): ForeignSettings {
  from.use('$schema');
  const languages = from.texts('locales');
  const source = from.text('extract', 'primaryLanguage') ?? languages[0];
  const output = from.text('extract', 'output') ?? from.text('output');
  const path =
    output &&
    relativePath(
      output
        .replace(/\$LOCALE|\{\{(?:language|lng)\}\}/g, '{locale}')
        .replace(/\$NAMESPACE|\{\{(?:namespace|ns)\}\}/g, '*'),
    );
  const files =
    path !== undefined && path.includes('{locale}') && formats.ofPath(path) ? [{ source: path }] : undefined;
  return { source, targets: others(languages, source), files: files?.map(withTarget) };
}

function readLingo(from: ForeignReading, formats: Formats): ForeignSettings {
  from.use('$schema');
  from.use('version');
  const source = from.text('locale', 'source');
  const targets = others(from.texts('locale', 'targets'), source);
  const files = from.keys('buckets').flatMap((bucket) => {
    const exclude = from
      .texts('buckets', bucket, 'exclude')
      .map((path) => relativePath(path.replaceAll('[locale]', '*')));
    return from.keys('buckets', bucket, 'include').flatMap((i) => {
      const at = ['buckets', bucket, 'include', i] as const;
      const written = typeof from.at(...at) === 'string' ? from.at(...at) : from.at(...at, 'path');
      const path =
        typeof written === 'string' ? relativePath(written.replaceAll('[locale]', '{locale}')) : undefined;
      if (path === undefined || !formats.ofPath(path)) return [];
      from.use(...at);
      const localeStyle: LocaleStyle | undefined =
        from.at(...at, 'delimiter') === '_' ? 'underscore' : undefined;
      return {
        source: path,
        ...(path.includes('{locale}') && { target: path }),
        ...(exclude.length > 0 && { exclude }),
        ...(localeStyle && { localeStyle }),
      };
    });
  });
  const shared = { source, targets, files: nonEmpty(files.map(withTarget)) };
  if (from.at('provider', 'id') !== 'openai') return shared;
  from.use('provider', 'id');
  const model = from.text('provider', 'model');
  return { ...shared, engine: 'openai', openai: model === undefined ? undefined : { model } };
}

/** A file with all languages is its own target. */
const withTarget = <T extends { readonly source: string; readonly target?: string }>(
  rule: T,
): T & { readonly target: string } => ({
  ...rule,
  target: rule.target ?? rule.source,
});

const nonEmpty = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);

const FORMALITY: ReadonlyMap<string, Formality> = new Map([
  ...['more', 'prefer_more', 'formal'].map((name) => [name, 'formal'] as const),
  ...['less', 'prefer_less', 'informal'].map((name) => [name, 'informal'] as const),
]);

function readDeepl(from: ForeignReading): ForeignSettings {
  from.use('version');
  const source = from.text('source_locale');
  const targets = others(from.texts('target_locales'), source);
  const files = from.keys('buckets').flatMap((bucket) => {
    const exclude = from.texts('buckets', bucket, 'exclude').map((path) => relativePath(path));
    const pattern = from.text('buckets', bucket, 'target_path_pattern');
    return from.texts('buckets', bucket, 'include').map((written) => {
      const path = relativePath(written);
      const stem = posix.basename(path, posix.extname(path));
      const target =
        pattern === undefined
          ? withLocale(path, source ?? '')
          : relativePath(pattern.replaceAll('{basename}', stem));
      return { source: path, target, ...(exclude.length > 0 && { exclude }) };
    });
  });
  const formality = FORMALITY.get(String(from.at('translation', 'formality')));
  if (formality) from.use('translation', 'formality');
  return {
    source,
    targets,
    engine: 'deepl',
    files: nonEmpty(files),
    ...(formality && { formality: { '*': formality } }),
  };
}

/**
 * Replaces the last language code that is a separate word in a path: `locales/en/app.json` becomes
 * `locales/{locale}/app.json`.
 */
function withLocale(path: string, language: string): string {
  const isWord = (at: number): boolean =>
    ![path[at - 1], path[at + language.length]].some((beside) => /[A-Za-z0-9]/.test(beside ?? ''));
  let at = language === '' ? -1 : path.lastIndexOf(language);
  while (at > 0 && !isWord(at)) at = path.lastIndexOf(language, at - 1);
  return at >= 0 && isWord(at) ? `${path.slice(0, at)}{locale}${path.slice(at + language.length)}` : path;
}

/** How Crowdin's placeholders spell languages. */
const CROWDIN: ReadonlyMap<string, { readonly path: string; readonly style?: LocaleStyle }> = new Map([
  ['%two_letters_code%', { path: '{locale}' }],
  ['%locale%', { path: '{locale}', style: 'bcp47' }],
  ['%locale_with_underscore%', { path: '{locale}', style: 'underscore' }],
  ['%android_code%', { path: '{locale}', style: 'android' }],
  ['%osx_code%', { path: '{locale}.lproj' }],
  ['%osx_locale%', { path: '{locale}', style: 'script-underscore' }],
]);

function readCrowdin(from: ForeignReading, formats: Formats): ForeignSettings {
  const base = from.text('base_path') ?? '.';
  from.use('preserve_hierarchy');
  let language: string | undefined;
  const files = from.keys('files').flatMap((i) => {
    const [path, translation] = [from.at('files', i, 'source'), from.at('files', i, 'translation')];
    if (typeof path !== 'string' || typeof translation !== 'string') return [];
    const source = relativePath(base, path);
    const name = posix.basename(source);
    const extension = posix.extname(name);
    let localeStyle: LocaleStyle | undefined;
    const target = relativePath(
      base,
      translation
        .replaceAll('%original_file_name%', name)
        .replaceAll('%file_name%', posix.basename(name, extension))
        .replaceAll('%file_extension%', extension.slice(1))
        .replace(/%[a-z_]+%/g, (placeholder) => {
          const known = CROWDIN.get(placeholder);
          localeStyle ??= known?.style;
          return known?.path ?? placeholder;
        }),
    );
    if (target.includes('%') || !target.includes('{locale}') || !formats.ofPath(target)) return [];
    from.use('files', i, 'source');
    from.use('files', i, 'translation');
    language ??= languageBetween(source, target);
    const exclude = from.texts('files', i, 'ignore').map((ignored) => relativePath(base, ignored));
    return { source, target, ...(exclude.length > 0 && { exclude }), ...(localeStyle && { localeStyle }) };
  });
  return { source: language, files: nonEmpty(files) };
}

/** The part of the source's path that the target's language replaces. */
function languageBetween(source: string, target: string): string | undefined {
  const before = target.slice(0, target.indexOf('{locale}'));
  if (!source.startsWith(before)) return undefined;
  return parseLocale(/^[A-Za-z0-9_-]*/.exec(source.slice(before.length))?.[0] ?? '');
}

/** How Tolgee's placeholders spell languages. */
const TOLGEE: ReadonlyMap<string, LocaleStyle | undefined> = new Map([
  ['{languageTag}', undefined],
  ['{snakeLanguageTag}', 'underscore'],
  ['{androidLanguageTag}', 'android'],
]);

function readTolgee(from: ForeignReading, formats: Formats): ForeignSettings {
  from.use('$schema');
  // In JSON_TOLGEE, ANDROID_XML and FLUTTER_ARB, one of the words is the extension.
  const words = String(from.at('format')).toLowerCase().split('_');
  const extension = words.find((word) => formats.ofPath(`a.${word}`));
  if (extension !== undefined) from.use('format');
  const pulled = from.text('pull', 'fileStructureTemplate');
  const template =
    from.text('push', 'filesTemplate') ??
    (pulled === undefined ? undefined : posix.join(from.text('pull', 'path') ?? '.', pulled));
  let localeStyle: LocaleStyle | undefined;
  const filled = template
    ?.replaceAll('{namespace}', '*')
    .replaceAll('{extension}', extension ?? '{extension}')
    .replace(/\{\w+Tag\}/g, (tag) => {
      localeStyle ??= TOLGEE.get(tag);
      return TOLGEE.has(tag) ? '{locale}' : tag;
    });
  const pushed = from.keys('push', 'files').flatMap((i) => {
    const [path, language] = [
      from.text('push', 'files', i, 'path'),
      from.text('push', 'files', i, 'language'),
    ];
    from.use('push', 'files', i, 'namespace');
    return path === undefined || language === undefined ? [] : { path: relativePath(path), language };
  });
  const paths =
    filled === undefined
      ? [...new Set(pushed.map(({ path, language }) => withLocale(path, language)))]
      : [relativePath(filled)];
  const files = paths.filter((path) => path.includes('{locale}') && formats.ofPath(path));
  return {
    targets: others(
      [...pushed.map(({ language }) => language), ...from.texts('pull', 'languages')],
      undefined,
    ),
    files: nonEmpty(files.map((source) => ({ source, target: source, ...(localeStyle && { localeStyle }) }))),
  };
}
