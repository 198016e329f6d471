import { DragomanError } from '../../../base/errors.ts';
import { fieldsOf, FILE_ROLES, isSha256, modelName, type FileRole } from '../installed.ts';
import type { LanguagePair } from '../../engine.ts';

/** A downloadable file of a model. */
export interface RemoteFile {
  readonly role: FileRole;
  /** The file's location below the base address. */
  readonly location: string;
  /** The compressed file. */
  readonly compressed: { readonly sha256: string; readonly size: number };
  /** The hash of the content, if the record states it. */
  readonly sha256: string | undefined;
  readonly size: number | undefined;
}

/** An installable model: the newest for its direction. */
export interface RemoteModel extends LanguagePair {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  readonly files: readonly RemoteFile[];
}

/** The format that the module supports. It would translate wrongly with models of a later format. */
const SUPPORTED_MAJOR = 3;
/** Far above the size of any model's file. */
export const MAX_FILE_BYTES = 256 * 1024 * 1024;
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/;
/** The preferred architectures for the same version; the first translates best for its size. */
const ARCHITECTURES = ['base-memory', 'base', 'tiny'];

/**
 * The models in a body of records, by name. Unusable records are skipped: other kinds of files, other major versions.
 * Nothing in a record becomes a path.
 *
 * @throws DragomanError `contract_violation` if the body is not a list of records
 */
export function readRecords(body: string): readonly RemoteModel[] {
  const sets = new Map<string, RemoteModel & { files: RemoteFile[] }>();
  for (const record of listOf(body)) {
    const source = record['sourceLanguage'] ?? record['fromLang'];
    const target = record['targetLanguage'] ?? record['toLang'];
    const { version, architecture = '' } = record;
    const file = fileOf(record);
    if (!isLanguage(source) || !isLanguage(target) || !file) continue;
    if (typeof version !== 'string' || typeof architecture !== 'string' || !isSupported(version)) continue;
    const name = modelName({ source, target });
    const key = JSON.stringify([name, version, architecture]);
    const set = sets.get(key) ?? { name, source, target, version, architecture, files: [] };
    sets.set(key, set);
    // A second record for the same file is ignored.
    if (!set.files.some(({ role }) => role === file.role)) set.files.push(file);
  }
  const best = new Map<string, RemoteModel>();
  for (const set of [...sets.values()].filter(isComplete)) {
    const other = best.get(set.name);
    if (!other || compareSets(set, other) > 0) best.set(set.name, set);
  }
  return [...best.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function listOf(body: string): readonly Record<string, unknown>[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch (cause) {
    throw noRecords(cause);
  }
  const data: unknown =
    typeof parsed === 'object' && parsed !== null && 'data' in parsed ? parsed.data : undefined;
  if (!Array.isArray(data)) throw noRecords();
  return data.filter(
    (record): record is Record<string, unknown> => typeof record === 'object' && record !== null,
  );
}

function noRecords(cause?: unknown): DragomanError {
  return new DragomanError('contract_violation', 'the list of translation models is not a list of records', {
    hint: 'DRAGOMAN_FIREFOX_RECORDS_URL must point to the records of a collection: a JSON object with "data".',
    cause,
  });
}

function fileOf(record: Record<string, unknown>): RemoteFile | undefined {
  const role = FILE_ROLES.find((known) => known === record['fileType']);
  const { attachment, decompressedHash, decompressedSize } = record;
  const { location, hash, size } = fieldsOf(attachment);
  if (role === undefined || typeof location !== 'string' || !isSha256(hash) || !isSize(size))
    return undefined;
  const sha256 = isSha256(decompressedHash) ? decompressedHash : undefined;
  return {
    role,
    location,
    compressed: { sha256: hash, size },
    sha256,
    size: isSize(decompressedSize) ? decompressedSize : undefined,
  };
}

function isLanguage(value: unknown): value is string {
  return typeof value === 'string' && LANGUAGE.test(value);
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= MAX_FILE_BYTES;
}

function isSupported(version: string): boolean {
  return versionKey(version)[0] === SUPPORTED_MAJOR;
}

function isComplete({ files }: RemoteModel): boolean {
  const has = (role: FileRole): boolean => files.some((file) => file.role === role);
  return has('model') && (has('vocab') || (has('srcvocab') && has('trgvocab')));
}

/** `3.1` → 3, 1, 1; a pre-release such as `3.1a2` comes before its release: 3, 1, 0. */
function versionKey(version: string): readonly number[] {
  const [, major, minor = '0', rest = ''] = /^(\d{1,6})(?:\.(\d{1,6}))?(.*)$/.exec(version) ?? [];
  return major === undefined ? [] : [Number(major), Number(minor), /^[a-z]/i.test(rest) ? 0 : 1];
}

function compareSets(a: RemoteModel, b: RemoteModel): number {
  const [left, right] = [versionKey(a.version), versionKey(b.version)];
  const differing = left.findIndex((part, i) => part !== right[i]);
  if (differing !== -1) return (left[differing] ?? 0) - (right[differing] ?? 0);
  return rank(b.architecture) - rank(a.architecture);
}

function rank(architecture: string): number {
  const index = ARCHITECTURES.indexOf(architecture);
  return index === -1 ? ARCHITECTURES.length : index;
}
