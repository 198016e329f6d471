import { posix } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { reservedSegment } from '../../base/inside.ts';
import { readChains } from '../../engines/chain-rules.ts';
import type { EngineSettings } from '../../engines/description.ts';
import type { Formality } from '../../engines/engine.ts';
import { parsePrice } from '../../engines/price.ts';
import { requireEngines, type ConfigurableEngine } from '../../engines/registry.ts';
import {
  BUILT_IN_FORMATS,
  type BuiltInFormatId,
  describeFormat,
  extensionOf,
} from '../../formats/registry.ts';
import type { SubtitleFormat } from '../../formats/subtitles/names.ts';
import type { FrameworkId } from '../../frameworks/registry.ts';
import { parseRareLocale, type LocaleStyle } from '../../languages/locale.ts';
import { withSuggestion } from '../../base/nearest.ts';
import { LANGUAGES_HINT, suggestLanguage } from '../../languages/catalog.ts';
import { findConfigurationFile } from './file.ts';
import { refusePrograms } from './program-refusal.ts';
import { checkProfiles, checkService, type Profiles, refuseKeys, type ServiceChoice } from './service.ts';
import {
  type ConfigurationFile,
  findViolation,
  formatPath,
  isSchema,
  type SettingSchema,
  type ValuePath,
  type Violation,
} from './schema.ts';
import { compileGlob } from './glob.ts';
import { compilePathPattern, type PathPattern } from './path-pattern.ts';

import schema from '../../../schema/dragoman.schema.json' with { type: 'json' };

/** Engine settings, by engine id. */
type SettingsOfEngines = { readonly [Id in ConfigurableEngine]?: EngineSettings };

/**
 * The validated settings of a project: languages are canonical, and paths are relative and stay below the directory.
 */
export interface Configuration extends SettingsOfEngines {
  readonly source?: string;
  readonly targets?: readonly string[];
  readonly files?: readonly FileRule[];
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Patterns for keys whose translation may be empty, compared with key paths joined by dots. */
  readonly keepEmpty?: readonly string[];
  /** If several rules match a key, the first one applies. */
  readonly limits?: readonly LimitRule[];
  /** The framework that reads the files at run time. */
  readonly framework?: FrameworkId;
  /** Whether links between documents lead to their translations. */
  readonly links?: boolean;
  /** Whether engines' new translations are marked for review. */
  readonly markForReview?: boolean;
  readonly localeStyle?: LocaleStyle;
  /** From canonical code to spelling. */
  readonly locales?: ReadonlyMap<string, string>;
  readonly engine?: string;
  /** The command of the engine `exec`. Only the user's configuration can set it. */
  readonly engineCommand?: string;
  /** Programs that read formats, by name. Only the user's configuration can set them. */
  readonly formats?: FormatSettings;
  /** Engines by language pair, in order of preference. */
  readonly engines?: Readonly<Record<string, readonly string[]>>;
  /** By engine name, in the notation of `--price`. */
  readonly prices?: Readonly<Record<string, string>>;
  /** By canonical target language, with `*` for all others. */
  readonly formality?: ReadonlyMap<string, Formality>;
  /** The relative path of the glossary; `off` for none. */
  readonly glossary?: string;
  /**
   * The relative path of the translation memory; `off` for none. A project's configuration must keep it inside the
   * project.
   */
  readonly memory?: string;
  readonly concurrency?: number;
  /** By the names of lint rules. */
  readonly lint?: { readonly rules?: Readonly<Record<string, RuleSetting>> };
  /** `screenshots`: the relative path of a directory of images. */
  readonly review?: { readonly screenshots?: string };
  readonly service?: ServiceChoice;
  readonly profiles?: Profiles;
}

/** Without extensions, the format's name is the extension. */
export type FormatSettings = Readonly<
  Record<string, { readonly command: string; readonly extensions?: readonly string[] }>
>;

/** The severity of a `lint` rule in a project. */
export type RuleSetting = 'off' | 'error' | 'warning' | 'info';

export interface FileRule {
  readonly source: string;
  readonly target: string;
  readonly format?: BuiltInFormatId | SubtitleFormat;
  readonly framework?: FrameworkId;
  readonly exclude?: readonly string[];
  readonly localeStyle?: LocaleStyle;
}

/** A limit for the length of translations. */
export interface LimitRule {
  /** Patterns for key paths joined by dots. Default: all keys. */
  readonly keys?: readonly string[];
  /** Globs of source files. Default: all files. */
  readonly files?: readonly string[];
  readonly max: number;
  readonly unit?: 'characters' | 'columns';
}

export interface LoadedConfiguration {
  readonly configuration: Configuration;
  readonly file: ConfigurationFile;
  readonly owner: ConfigurationOwner;
}

/**
 * The author of a configuration. A project's configuration comes with a checkout, so it may do less than the user's
 * own.
 */
export type ConfigurationOwner = 'project' | 'user';

/** The settings of a configuration. */
export interface ConfigurationScope {
  readonly owner: ConfigurationOwner;
  readonly schema: SettingSchema;
}

/** The type of data that matches the schema. */
interface Settings extends Omit<Configuration, 'targets' | 'files' | 'locales' | 'formality'> {
  /** A list, or comma-separated codes. */
  readonly targets?: readonly string[] | string;
  readonly files?: readonly (Omit<FileRule, 'target'> & { readonly target?: string })[];
  readonly locales?: Readonly<Record<string, string>>;
  readonly formality?: Readonly<Record<string, Formality>>;
}

/**
 * The configuration of a directory; undefined without one.
 *
 * @throws DragomanError `configuration` with file, line and column.
 */
export async function loadConfiguration(directory: string): Promise<LoadedConfiguration | undefined> {
  const file = await findConfigurationFile(directory);
  return file && { file, owner: 'project', configuration: checkProjectConfiguration(file) };
}

/** The settings of a project's configuration. @throws DragomanError like {@link checkConfiguration} */
export function checkProjectConfiguration(file: ConfigurationFile): Configuration {
  return checkConfiguration(file, PROJECT_SCOPE);
}

/** @throws DragomanError `configuration` at the first invalid setting */
export function checkConfiguration(
  file: ConfigurationFile,
  { owner, schema }: ConfigurationScope,
): Configuration {
  refuseKeys(file);
  if (owner === 'project') refusePrograms(file);
  const { source, targets, files, include, exclude, locales, service, profiles, formality, ...rest } =
    readSettings(file, schema);
  const globs = (list: readonly string[] | undefined, path: ValuePath): void =>
    list?.forEach((pattern, i) => {
      checkPath(file, pattern, [...path, i]);
      atSetting(file, [...path, i], () => compileGlob(pattern));
    });
  globs(include, ['include']);
  globs(exclude, ['exclude']);
  files?.forEach((rule, i) => globs(rule.exclude, ['files', i, 'exclude']));
  rest.limits?.forEach((rule, i) => globs(rule.files, ['limits', i, 'files']));
  if (rest.glossary !== undefined) checkPath(file, rest.glossary, ['glossary']);
  const { screenshots } = rest.review ?? {};
  if (screenshots !== undefined) checkOwnPath(file, screenshots, ['review', 'screenshots']);
  // The user's own configuration may name any of the user's files.
  if (rest.memory !== undefined && owner === 'project') checkOwnPath(file, rest.memory, ['memory']);
  if (rest.engine !== undefined) checkEngineNames(file, rest.engine, ['engine']);
  if (rest.engines) checkEngines(file, rest.engines, rest.engine);
  for (const [id, price] of Object.entries(rest.prices ?? {})) {
    checkEngineNames(file, id, ['prices', id]);
    atSetting(file, ['prices', id], () => parsePrice(price));
  }
  return {
    ...rest,
    ...(source !== undefined && { source: checkLocale(file, source, ['source']) }),
    ...(targets !== undefined && { targets: checkTargets(file, targets) }),
    ...(files && { files: files.map((rule, i) => checkRule(file, rule, ['files', i])) }),
    ...(include && { include }),
    ...(exclude && { exclude }),
    ...(service && { service: checkService(file, service) }),
    ...(profiles && { profiles: checkProfiles(file, profiles) }),
    ...(formality && { formality: checkFormality(file, formality) }),
    ...(locales && {
      locales: new Map(
        Object.entries(locales).map(([code, spelling]) => [
          checkLocale(file, code, ['locales', code]),
          spelling,
        ]),
      ),
    }),
  };
}

/** Whether a configuration chooses a local engine. */
export function namesEngine({ engine, engineCommand, engines }: Configuration): boolean {
  return (engine ?? engineCommand ?? engines) !== undefined;
}

/** The shipped schema of a project's configuration; validation uses the same one. */
export const CONFIGURATION_SCHEMA: SettingSchema = requireSchema(schema);

const PROJECT_SCOPE: ConfigurationScope = { owner: 'project', schema: CONFIGURATION_SCHEMA };

function requireSchema(value: unknown): SettingSchema {
  if (isSchema(value)) return value;
  throw new DragomanError('internal', 'the schema of the configuration has keywords that are not enforced');
}

function readSettings(file: ConfigurationFile, schema: SettingSchema): Settings {
  let violation: Violation | undefined;
  const isSettings = (value: unknown): value is Settings =>
    (violation = findViolation(value, schema)) === undefined;
  if (isSettings(file.value)) return file.value;
  throw file.errorAt(violation?.path ?? [], violation?.message ?? '', violation?.hint);
}

function checkEngines(
  file: ConfigurationFile,
  engines: NonNullable<Configuration['engines']>,
  engine: string | undefined,
): void {
  if (engine !== undefined) {
    throw file.errorAt(['engine'], '`engine` and `engines` both select engines', 'Remove one of them.');
  }
  for (const [pair, list] of Object.entries(engines)) {
    atSetting(file, ['engines', pair], () => readChains({ [pair]: list }), '`engines`: ');
    for (const [i, id] of list.entries()) checkEngineNames(file, id, ['engines', pair, i]);
  }
}

/** Checked immediately, even if there is nothing to translate, so that a mistyped name is noticed early. */
function checkEngineNames(file: ConfigurationFile, id: string, path: ValuePath): void {
  atSetting(file, path, () => requireEngines(id), `\`${formatPath(path)}\`: `);
}

function checkFormality(
  file: ConfigurationFile,
  formality: NonNullable<Settings['formality']>,
): NonNullable<Configuration['formality']> {
  const choices = new Map<string, Formality>();
  for (const [spelling, choice] of Object.entries(formality)) {
    const path = ['formality', spelling];
    const code = spelling === '*' ? spelling : checkLocale(file, spelling, path);
    if (choices.has(code)) throw file.errorAt(path, `\`formality\` has ${code} twice`, 'Remove one of them.');
    choices.set(code, choice);
  }
  return choices;
}

/** A list of codes, or comma-separated codes as for `--target`. */
function checkTargets(file: ConfigurationFile, targets: readonly string[] | string): readonly string[] {
  if (typeof targets !== 'string')
    return targets.map((target, i) => checkLocale(file, target, ['targets', i]));
  return targets.split(',').map((target) => checkLocale(file, target.trim(), ['targets']));
}

function checkLocale(file: ConfigurationFile, spelling: string, path: ValuePath): string {
  const code = parseRareLocale(spelling);
  if (code !== undefined) return code;
  throw file.errorAt(
    path,
    `${JSON.stringify(spelling)} is not a language code`,
    withSuggestion(suggestLanguage(spelling), LANGUAGES_HINT),
  );
}

function checkRule(
  file: ConfigurationFile,
  rule: Omit<FileRule, 'target'> & { readonly target?: string },
  path: ValuePath,
): FileRule {
  const target = rule.target ?? rule.source;
  const targetPath = [...path, rule.target === undefined ? 'source' : 'target'];
  checkOwnPath(file, rule.source, [...path, 'source']);
  checkOwnPath(file, target, targetPath);
  const format =
    rule.format === undefined ? BUILT_IN_FORMATS.ofPath(rule.source) : describeFormat(rule.format);
  const isMultilingual = format?.multilingual !== undefined;
  if (isMultilingual && (rule.source.includes('{locale}') || target !== rule.source)) {
    throw file.errorAt(
      targetPath,
      `\`${formatPath(path)}\`: ${format.title} files hold all languages`,
      'Write the path of the file as `source`, without {locale}, and no `target`.',
    );
  }
  if (!isMultilingual && !target.includes('{locale}')) {
    throw file.errorAt(
      targetPath,
      `\`${formatPath(path)}\` puts every language into one file`,
      'Write {locale} in place of the language in the path.',
    );
  }
  const extension = extensionOf(rule.source);
  if (rule.format === undefined && extension !== '') {
    // The user may have a program that reads such files.
    const own = format ?? { extensions: [extension], title: `.${extension}` };
    atSetting(file, targetPath, () => BUILT_IN_FORMATS.requireExtension(own, target));
  }
  const from = wildcards(atSetting(file, [...path, 'source'], () => compilePathPattern(rule.source)));
  const to = wildcards(atSetting(file, targetPath, () => compilePathPattern(target)));
  if (from !== to) {
    throw file.errorAt(
      [...path, 'target'],
      'source and target must have the same wildcards in the same order',
      `The source has ${from || 'none'}, the target ${to || 'none'}.`,
    );
  }
  return { ...rule, target };
}

function wildcards(pattern: PathPattern): string {
  return pattern.wildcards.join(' ');
}

/** Reports a problem with the value as an error at the setting. */
function atSetting<T>(file: ConfigurationFile, path: ValuePath, check: () => T, before = ''): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof DragomanError ? file.errorAt(path, before + error.message, error.hint) : error;
  }
}

/**
 * Checks a path of files that are written or translated. The targets of {locale} and links are checked when files are
 * opened.
 */
function checkOwnPath(file: ConfigurationFile, pattern: string, path: ValuePath): void {
  checkPath(file, pattern, path);
  const segment = reservedSegment(posix.normalize(pattern));
  if (segment === undefined) return;
  throw file.errorAt(
    path,
    `\`${formatPath(path)}\`: ${segment} is not a directory that a project may write to`,
    'Name a directory of the project that is neither hidden nor node_modules.',
  );
}

/** Checks that a path stays inside the configuration's directory. Links are checked when files are opened. */
function checkPath(file: ConfigurationFile, pattern: string, path: ValuePath): void {
  if (
    /^(?:[/\\~]|[a-zA-Z]:)/.test(pattern) ||
    pattern.split(/[/\\]/).includes('..') ||
    pattern.replaceAll('\\', '').split('/').includes('..') ||
    pattern.includes('\0')
  ) {
    throw file.errorAt(
      path,
      `${JSON.stringify(pattern)} leads out of the directory of the configuration`,
      'Paths are relative to the configuration and stay below it.',
    );
  }
}
