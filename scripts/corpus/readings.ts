import { FORMAT_IDS, type BuiltInFormatId } from '../../src/formats/registry.ts';
import { gnuMsgfmt, gnuMsgfmtCheck } from '../../test/readers/gettext.ts';
import type { Input, Reader, Reading } from '../../test/readers/reader.ts';
import { SPECIMENS } from '../../test/specimens/specimens.ts';
import { fragmentsOf } from './comparison.ts';
import type { Case } from './verdict.ts';

/** The results of the independent readers for each version of each file. */
export interface Readings {
  /** Undefined if the reader is not installed. */
  of(bytes: Uint8Array): Reading | undefined;
  gnu(bytes: Uint8Array): Reading | undefined;
  gnuCheck(bytes: Uint8Array): Reading | undefined;
  /** Missing readers, and how to install them. */
  readonly skipped: readonly string[];
}

/** Runs each reader once on all of its inputs. */
export function readAll(cases: readonly Case[]): Readings {
  const skipped: string[] = [];
  const inputs = new Map<BuiltInFormatId, Input[]>(FORMAT_IDS.map((format) => [format, []]));
  const compiled: Input[] = [];
  const checked: Input[] = [];
  for (const { format, bytes, examination } of cases) {
    const queue = inputs.get(format);
    if ('refused' in examination) queue?.push({ bytes });
    else {
      const { file, pseudo, i18n } = examination;
      for (const version of [{ bytes, document: file.document }, pseudo, i18n]) {
        const { document } = version;
        const locale = document.locale;
        queue?.push({ bytes: version.bytes, fragments: fragmentsOf(format, document), locale });
      }
      if (format === 'po') {
        compiled.push({ bytes }, { bytes: pseudo.bytes });
        checked.push({ bytes: i18n.bytes });
      }
    }
  }
  const readings = new Map<Uint8Array, Reading>();
  for (const [format, files] of inputs) use(SPECIMENS[format].reader, files, readings, skipped);
  const gnu = new Map<Uint8Array, Reading>();
  const gnuCheck = new Map<Uint8Array, Reading>();
  use(gnuMsgfmt, compiled, gnu, skipped);
  use(gnuMsgfmtCheck, checked, gnuCheck, skipped);
  return {
    of: (bytes) => readings.get(bytes),
    gnu: (bytes) => gnu.get(bytes),
    gnuCheck: (bytes) => gnuCheck.get(bytes),
    skipped,
  };
}

function use(
  reader: Reader,
  files: readonly Input[],
  readings: Map<Uint8Array, Reading>,
  skipped: string[],
): void {
  if (files.length === 0) return;
  const missing = reader.missing();
  if (missing !== undefined) {
    skipped.push(`${reader.name}: install ${missing}`);
    return;
  }
  const results = reader.read(files);
  for (const [index, { bytes }] of files.entries()) {
    const reading = results[index];
    if (reading) readings.set(bytes, reading);
  }
}
