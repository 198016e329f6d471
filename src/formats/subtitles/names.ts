import { declaredCharset } from '../xml/charset.ts';

export type SubtitleFormat = 'srt' | 'microdvd' | 'sbv' | 'lrc' | 'ttml' | 'ass' | 'vtt';

/** Names and extensions, which are needed before the code of a format is loaded. */
export const SUBTITLE_NAMES = {
  srt: { id: 'srt', title: 'SubRip', extensions: ['srt'] },
  microdvd: { id: 'microdvd', title: 'MicroDVD', extensions: ['sub'] },
  sbv: { id: 'sbv', title: 'SubViewer', extensions: ['sbv'] },
  lrc: { id: 'lrc', title: 'LRC', extensions: ['lrc'] },
  ttml: {
    id: 'ttml',
    title: 'TTML',
    extensions: ['ttml', 'dfxp'],
    charset: { within: 1024, find: declaredCharset },
  },
  ass: { id: 'ass', title: 'Advanced SubStation Alpha', extensions: ['ass', 'ssa'] },
  vtt: { id: 'vtt', title: 'WebVTT', extensions: ['vtt'] },
} as const;

/** The format of the extension; undefined if unknown. */
export function subtitleFormatOfPath(path: string): SubtitleFormat | undefined {
  const extension = path.toLowerCase().slice(path.lastIndexOf('.') + 1);
  const names: readonly { readonly id: SubtitleFormat; readonly extensions: readonly string[] }[] =
    Object.values(SUBTITLE_NAMES);
  return names.find(({ extensions }) => extensions.includes(extension))?.id;
}
