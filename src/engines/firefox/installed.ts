import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseObject } from '../../base/json.ts';
import { areVariants, parseLocale } from '../../languages/locale.ts';
import type { LanguagePair } from '../engine.ts';
import { fallbackCodes } from '../chain-rules.ts';
import type { ModelFile, ModelFiles } from './worker/messages.ts';

/** A complete installed model. Its languages are in Mozilla's spelling. */
export interface InstalledModel extends LanguagePair {
  /** `en-es`: its name in commands. */
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  readonly files: ModelFiles;
  readonly bytes: number;
}

/** Roles of a model's files, as in the records. */
export type FileRole = (typeof FILE_ROLES)[number];

export const FILE_ROLES = ['model', 'lex', 'vocab', 'srcvocab', 'trgvocab'] as const;

/** A model's manifest. It is written last: if it exists, so do the files. */
export interface ModelManifest extends LanguagePair {
  readonly version: string;
  readonly architecture: string;
  readonly files: Readonly<Partial<Record<FileRole, { readonly sha256: string; readonly size: number }>>>;
}

/**
 * The directory of the files, which are named by their SHA-256: equal files are stored once, and none is ever changed.
 */
export const FILES_DIRECTORY = 'files';
const MANIFEST = /^([a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}-[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2})\.json$/;

/** The name of a direction, also used for its manifest (without `.json`). */
export function modelName({ source, target }: LanguagePair): string {
  return `${source}-${target}`;
}

/** The models in a directory, by name. A missing directory has none. */
export async function readInstalled(directory: string): Promise<readonly InstalledModel[]> {
  const names = await readdir(directory).catch((): string[] => []);
  const models = await Promise.all(
    names
      .filter((name) => MANIFEST.test(name))
      .sort()
      .map((name) => readModel(directory, name)),
  );
  return models.filter((model) => model !== undefined);
}

async function readModel(directory: string, file: string): Promise<InstalledModel | undefined> {
  const text = await readFile(join(directory, file), 'utf8').catch(() => '');
  const manifest = parseManifest(text);
  if (!manifest || `${modelName(manifest)}.json` !== file) return undefined;
  const at = (role: FileRole): ModelFile | undefined => {
    const entry = manifest.files[role];
    return (
      entry && {
        path: join(directory, FILES_DIRECTORY, entry.sha256),
        bytes: entry.size,
        sha256: entry.sha256,
      }
    );
  };
  const model = at('model');
  const source = at('srcvocab') ?? at('vocab');
  const target = at('trgvocab') ?? at('vocab');
  if (!model || !source || !target) return undefined;
  const vocabularies = source.sha256 === target.sha256 ? [source] : [source, target];
  const sizes = Object.values(manifest.files).map(({ size }) => size);
  return {
    name: modelName(manifest),
    source: manifest.source,
    target: manifest.target,
    version: manifest.version,
    architecture: manifest.architecture,
    files: { model, shortlist: at('lex'), vocabularies },
    bytes: sizes.reduce((sum, size) => sum + size, 0),
  };
}

/** Undefined unless this program could have written the text. */
export function parseManifest(text: string): ModelManifest | undefined {
  const value = parseObject(text) ?? {};
  const { source, target, version, architecture, files } = value;
  if (![source, target, version, architecture].every((field) => typeof field === 'string')) return undefined;
  if (typeof files !== 'object' || files === null) return undefined;
  const known: readonly string[] = FILE_ROLES;
  for (const [role, file] of Object.entries(files)) {
    const { sha256, size } = fieldsOf(file);
    if (!known.includes(role) || !isSha256(sha256) || !Number.isSafeInteger(size)) return undefined;
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every field was checked
  return value as unknown as ModelManifest;
}

/** The fields of external data; empty if it is not an object. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

export function isSha256(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

/** A direction under one of its canonical codes. */
export interface ModelStep<Model extends LanguagePair = InstalledModel> extends LanguagePair {
  readonly model: Model;
}

/** The directions that models support, in canonical codes. */
export function directionsOf<Model extends LanguagePair>(
  models: readonly Model[],
): readonly ModelStep<Model>[] {
  return models.flatMap((model) =>
    codesFor(model.source).flatMap((source) =>
      codesFor(model.target).map((target) => ({ source, target, model })),
    ),
  );
}

/** Chinese without a script is simplified; Norwegian means Bokmål. */
const ALSO: Readonly<Record<string, readonly string[]>> = { 'zh-CN': ['zh'], nb: ['no'], no: ['nb'] };

/** The canonical codes for one of Mozilla's codes, starting with the code's own canonical form. */
export function codesFor(code: string): readonly string[] {
  const canonical = parseLocale(code) ?? code;
  return [canonical, ...(ALSO[canonical] ?? [])];
}

/**
 * Languages with models from English, to English or both, in Mozilla's spelling. Only used for hints: installation
 * reads the current list of models.
 */
const LANGUAGES = (
  'ar az be bg bn bs ca cs da de el en es et fa fi fr gu he hi hr hu id is it ja kn ko lt lv ml ms nb nl nn pl pt ro ' +
  'ru sk sl sq sr sv ta te th tr uk vi zh-Hans zh-Hant'
).split(' ');

const HUB = 'en';

/** The command that installs this pair, with English as a pivot if needed; undefined without such models. */
export function installHintFor(source: string, target: string): string | undefined {
  const from = spelledAs(source, LANGUAGES);
  const to = spelledAs(target, LANGUAGES);
  if (from === undefined || to === undefined || areVariants(source, target)) return undefined;
  const names = from === HUB || to === HUB ? [`${from}-${to}`] : [`${from}-${HUB}`, `${HUB}-${to}`];
  return `dragoman engines install ${names.join(' ')}`;
}

/** A canonical code in the spelling of these languages, or its fallback: `pt` for `pt-BR`. */
function spelledAs(code: string, languages: readonly string[]): string | undefined {
  for (const candidate of fallbackCodes(code)) {
    const found = languages.find((language) => codesFor(language).includes(candidate));
    if (found !== undefined) return found;
  }
  return undefined;
}
