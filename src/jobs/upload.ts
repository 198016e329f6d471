import { basename, extname, win32 } from 'node:path';
import { DragomanError } from '../base/errors.ts';
import { FILE_TYPES, splitCodes, type CreateJobRequest } from '../contract/jobs.ts';
import { MAX_TARGET_LANGUAGES } from '../contract/limits.ts';
import { requireLanguage } from '../languages/catalog.ts';

type FileType = (typeof FILE_TYPES)[keyof typeof FILE_TYPES];

/** What a request asks for, as far as it can be judged without the file. */
export interface JobPlan {
  readonly filename: string;
  readonly fileType: FileType;
  /** Canonical; undefined for `auto`. */
  readonly source: string | undefined;
  /** Canonical, each once, in the order of the request. */
  readonly targets: readonly string[];
}

/**
 * Reads a request: codes in any spelling, each language once.
 *
 * @throws DragomanError `invalid_request` for a name without a known extension, `unsupported_language`.
 */
export function planJob(request: CreateJobRequest, filename: string): JobPlan {
  const name = requireFilename(filename);
  const { source_language: source, target_languages: targets } = request;
  const codes = [...new Set(splitCodes(targets).map(requireLanguage))];
  if (codes.length > MAX_TARGET_LANGUAGES) {
    throw new DragomanError(
      'invalid_request',
      `target_languages cannot have more than ${MAX_TARGET_LANGUAGES} languages`,
    );
  }
  return {
    filename: name,
    fileType: requireFileType(name),
    source: source === 'auto' ? undefined : requireLanguage(source),
    targets: codes,
  };
}

/** Longer names are none of a file anywhere. */
const MAX_FILENAME = 255;

/** A name is a name and no path: it comes back in answers, headers and the names of files. */
function requireFilename(filename: string): string {
  const name = win32.basename(basename(filename)).replace(/[\u0000-\u001f\u007f]/g, '');
  if (name !== '' && name.isWellFormed() && Buffer.byteLength(name) <= MAX_FILENAME) return name;
  throw new DragomanError('invalid_request', `file must have a name of 1 to ${MAX_FILENAME} bytes`);
}

function requireFileType(filename: string): FileType {
  const extension = extname(filename).toLowerCase();
  const entry = Object.entries(FILE_TYPES).find(([known]) => known === extension);
  if (entry) return entry[1];
  const supported = Object.keys(FILE_TYPES).join(', ');
  throw new DragomanError('invalid_request', `file must have one of the extensions ${supported}`);
}
