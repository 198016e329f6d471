import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import fastGlob from 'fast-glob';
import { DragomanError, describe } from '../../src/base/errors.ts';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { splice } from '../../src/base/span.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { decode } from '../../src/formats/encoding.ts';
import type { SubtitleDocument } from '../../src/formats/subtitles/document.ts';
import type { SubtitleFormat } from '../../src/formats/subtitles/names.ts';
import { subtitleFormatOfPath } from '../../src/formats/subtitles/names.ts';
import { scanSubtitles, SUBTITLE_EXTENSIONS } from '../../src/formats/subtitles/format.ts';
import { differingBytes, type OutsideTable } from './outside.ts';
import { translateSubtitles } from '../../src/documents/subtitles/translate-subtitles.ts';

export interface SubtitleCount {
  readonly files: number;
  readonly wrong: number;
}

/** Translates every subtitle file with an engine that changes nothing and one that changes every word. */
export async function examineSubtitles(
  directory: string,
  { verbose, outside }: { readonly verbose: boolean; readonly outside: OutsideTable },
): Promise<SubtitleCount> {
  const paths = await fastGlob(`**/*.{${SUBTITLE_EXTENSIONS.join(',')}}`, {
    cwd: directory,
    absolute: true,
    followSymbolicLinks: false,
  });
  let wrong = 0;
  let cues = 0;
  let refused = 0;
  for (const path of paths.sort()) {
    const name = relative(directory, path);
    try {
      const format = subtitleFormatOfPath(path) ?? 'srt';
      const { text } = await decode(await readFile(path), 'subtitles');
      cues += scanSubtitles(text, format).cues.length;
      const problem = await problemOf(text, format, outside);
      if (problem === undefined) continue;
      wrong++;
      process.stdout.write(`WRONG   ${name}: ${problem}\n`);
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      refused++;
      if (error.code !== 'unreadable_input') wrong++;
      if (verbose || error.code !== 'unreadable_input')
        process.stdout.write(`refused ${name}: ${describe(error)}\n`);
    }
  }
  if (paths.length > 0) {
    process.stdout.write(
      `subtitles: ${paths.length} files, ${cues} cues, ${refused} refused, ${wrong} with problems\n`,
    );
  }
  return { files: paths.length, wrong };
}

async function problemOf(
  text: string,
  format: SubtitleFormat,
  outside: OutsideTable,
): Promise<string | undefined> {
  const pseudo = createPseudoEngine();
  const identity: Engine = {
    ...pseudo,
    translate: ({ texts }) => Promise.resolve(texts.map((translation) => ({ translation }))),
  };
  const context = { source: 'en', target: 'fr', signal: new AbortController().signal };
  const same = await translateSubtitles(text, format, { ...context, engine: identity });
  if (same.content !== text) return 'the engine that changes nothing changed bytes';
  const other = await translateSubtitles(text, format, { ...context, engine: pseudo });
  const [failure] = other.failures;
  if (failure) return `line ${failure.line}: ${failure.reason}`;
  // If a file declares its language, its translation declares the new one.
  const source = scanSubtitles(text, format);
  const renamed = splice(text, source.notation.retarget?.(text, context.target) ?? []);
  const [before, after] = [scanSubtitles(renamed, format), scanSubtitles(other.content, format)];
  if (before.cues.length !== after.cues.length) return 'the number of cues changed';
  const frame = frameOf(before);
  const changed = differingBytes(frame, frameOf(after));
  outside.add(format, { bytes: Buffer.byteLength(frame), changed });
  return changed === 0 ? undefined : `${changed} bytes outside the texts changed`;
}

/** Everything but the texts of the cues. */
function frameOf({ text, slots }: SubtitleDocument): string {
  let frame = '';
  let at = 0;
  for (const { span } of slots) {
    frame += `${text.slice(at, span.start)}\0`;
    at = span.end;
  }
  return frame + text.slice(at);
}
