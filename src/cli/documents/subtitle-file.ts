import {
  openSubtitleBytes,
  openSubtitles,
  type OpenSubtitles,
  type SubtitleOpening,
} from '../../documents/subtitles/open-subtitles.ts';
import type { SubtitleFormat } from '../../formats/subtitles/names.ts';
import { readStandardBytes } from '../terminal/input.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { NamedFile } from './run.ts';

/** An open subtitle file with its name for messages. */
export type SubtitleFile = NamedFile & OpenSubtitles;

/**
 * Reads a file, or standard input for `-`. Standard input, and a file with another extension, is recognized as WebVTT
 * or SubRip by its first line.
 *
 * @throws DragomanError like {@link openSubtitles}
 */
export async function openSubtitleFile(
  path: string,
  options: SubtitleOpening & { readonly format?: SubtitleFormat },
  terminal: Terminal,
): Promise<SubtitleFile> {
  if (path === '-') {
    const name = 'standard input';
    return {
      name,
      path: undefined,
      ...(await openSubtitleBytes(await readStandardBytes(terminal), name, options)),
    };
  }
  const opened = await openSubtitles(path, { ...options, isAnyName: options.format !== undefined });
  return { name: path, path, ...opened };
}
