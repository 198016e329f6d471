import { hash } from 'node:crypto';
import type { FileTranslator } from '../../engines/file-translator.ts';
import type { OpenFile } from '../../documents/localization/open-file.ts';

/** Why a file is none for a job; undefined when it is one. */
export function refusalOf(
  path: string,
  { document }: OpenFile,
  bytes: Uint8Array,
  translator: Pick<FileTranslator, 'refusal'>,
): string | undefined {
  // The specification's jobs translate the msgid, a sync what the source file says for it.
  const differs = document.slots.some(
    ({ source, value }) => source !== undefined && value !== '' && value !== source,
  );
  const reason = differs
    ? 'the file has values of its own for its msgids'
    : translator.refusal(path, bytes.length);
  return reason && `${reason}: use --via strings`;
}

/** Of the bytes of a source file. */
export function digestOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex').slice(0, 32);
}
