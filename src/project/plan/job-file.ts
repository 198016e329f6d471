import { hash } from 'node:crypto';
import type { FileTranslator } from '../../engines/file-translator.ts';
import type { OpenFile } from '../../documents/localization/open-file.ts';

/** The reason why a file cannot be translated as a job; undefined when it can. */
export function refusalOf(
  path: string,
  { document }: OpenFile,
  bytes: Uint8Array,
  translator: Pick<FileTranslator, 'refusal'>,
): string | undefined {
  // Jobs of the specification translate the msgid; a sync translates the source file's text for it.
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
