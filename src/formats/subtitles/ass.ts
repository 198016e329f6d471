import type { Span } from '../../base/span.ts';
import { assText, decodeAssText, encodeAssText, isSung, styleAssText, writeAssText } from './ass-text.ts';
import { documentOfCues, type CueSurroundings, type FoundCue, type TextWriting } from './cue-list.ts';
import { SUBTITLE_NAMES } from './names.ts';
import type { CueProblem, SubtitleBlock, SubtitleDocument, SubtitleNotation } from './document.ts';
import { Lines } from './lines.ts';
import { loseAround, type LossListener, type RunStyle, type StyledCue, type CueStyle } from './styled-cue.ts';
import { DEFAULT_ALIGNMENT, oldAlignment, type CueAlignment } from './alignment.ts';
import { roundTimes, retimeHead, writeTime } from './timing.ts';

/**
 * Advanced SubStation Alpha and its predecessor. Only `Dialogue:` lines have texts: comments, styles and attached files
 * do not change, nor do drawings and lines that karaoke scripts generated or that are timed by syllable.
 */
export const ass: SubtitleNotation & { readonly id: 'ass' } = {
  ...SUBTITLE_NAMES.ass,
  recognizes: (text) =>
    /^\ufeff?\s*(?:[;!][^\n\r]{0,500}\s+)*\[(?:Script Info|V4\+? Styles|Events)\]/i.test(text),
  cueText: assText,
  keepsLines: true,
  hasLayers: true,
  timeGrid: () => 10,
  scan: (text, options = {}) => documentOfCues(text, ass, readScript, options),
  retime: (raw, part, change) => (part === 'head' ? retimeHead(raw, change, '.') : raw),
  toStyled: styleScript,
  fromStyled: (cues, lose) => NEW_SCRIPT + cues.map((cue) => `${writeEvent(cue, lose)}\n`).join(''),
};

const WRITING: TextWriting = {
  encode: encodeAssText,
  decode: (raw) => (isSung(raw) || /[\n\r]/.test(raw) ? undefined : decodeAssText(raw)),
};

/** In fields before the last one, a text ends at the first comma. */
const INNER_WRITING: TextWriting = {
  encode: encodeAssText,
  decode: (raw) => (raw.includes(',') ? undefined : WRITING.decode(raw)),
};

/** The fields of an event in files without a Format line. */
const FIELDS = ['layer', 'start', 'end', 'style', 'name', 'marginl', 'marginr', 'marginv', 'effect', 'text'];

/** A displayed event, with the fields that affect its appearance. */
interface Event extends FoundCue {
  readonly style: string;
  readonly name: string;
  /** Whether a script generated the event from another line, whose words it repeats. */
  readonly isEffect: boolean;
}

interface AroundEvents extends CueSurroundings {
  readonly styles: ReadonlyMap<string, ScriptStyle>;
}

interface ScriptStyle extends RunStyle {
  readonly alignment: CueAlignment;
}

/** Sections that contain other files' data: only a known section ends them. */
const ATTACHMENTS = /^\[(?:Fonts|Graphics)\]/i;
const KNOWN_SECTION =
  /^\[(?:Script Info|V4\+? Styles\+?|Events|Fonts|Graphics|Aegisub [\w ]{1,40})\][ \t]*$/i;
const SECTION = /^[ \t]*\[[^\]]{1,100}\][ \t]*$/;

function readScript(text: string, take: (event: Event) => void): AroundEvents {
  return new ScriptReader(text, take).read();
}

class ScriptReader {
  readonly #lines: Lines;
  readonly #take: (event: Event) => void;
  readonly #blocks: SubtitleBlock[] = [];
  readonly #problems: CueProblem[] = [];
  readonly #styles = new Map<string, ScriptStyle>();
  /** The few names that thousands of events share. */
  readonly #speakers = new Map<string, string>();
  #section = '';
  #fields: readonly string[] = FIELDS;
  #styleFields: readonly string[] = [];

  constructor(text: string, take: (event: Event) => void) {
    this.#take = take;
    this.#lines = new Lines(text);
  }

  read(): AroundEvents {
    for (let at = 0; at < this.#lines.count; at++) this.#readLine(at);
    return { blocks: this.#blocks, problems: this.#problems, styles: this.#styles };
  }

  #readLine(at: number): void {
    const line = this.#lines.textOf(at).replace(/^\ufeff/, '');
    const span = { start: this.#lines.startOf(at), end: this.#lines.endOf(at) };
    const isAttachment = ATTACHMENTS.test(this.#section);
    if ((isAttachment ? KNOWN_SECTION : SECTION).test(line)) {
      this.#section = line.trim();
      return;
    }
    const [, keyword = '', rest = ''] = /^[ \t]*([A-Za-z]{1,20})[ \t]*:(.*)$/s.exec(line) ?? [];
    if (/^\[Events\]/i.test(this.#section)) this.#readEvent(keyword.toLowerCase(), rest, span);
    else if (/^\[V4\+? Styles/i.test(this.#section)) this.#readStyle(keyword.toLowerCase(), rest, span);
    else if (isAttachment && /^(?:fontname|filename)$/i.test(keyword))
      this.#blocks.push({ kind: 'attachment', span });
  }

  #readStyle(keyword: string, rest: string, span: Span): void {
    if (keyword === 'format') this.#styleFields = fieldsOf(rest);
    if (keyword !== 'style') return;
    this.#blocks.push({ kind: 'style', span });
    const values = rest.split(',').map((value) => value.trim());
    const valueOf = (name: string): string => values[this.#styleFields.indexOf(name)] ?? '';
    const isOn = (name: string): boolean => !['', '0'].includes(valueOf(name));
    const styles = new Set<CueStyle>();
    if (isOn('bold')) styles.add('b');
    if (isOn('italic')) styles.add('i');
    if (isOn('underline')) styles.add('u');
    const number = Number(valueOf('alignment'));
    const isOld = !this.#section.includes('+');
    const alignment = isOld ? oldAlignment(number) : number >= 1 && number <= 9 ? number : undefined;
    this.#styles.set(valueOf('name').replace(/^\*/, ''), {
      styles,
      color: undefined,
      alignment: alignment ?? DEFAULT_ALIGNMENT,
    });
  }

  #readEvent(keyword: string, rest: string, span: Span): void {
    if (keyword === 'format') this.#fields = fieldsOf(rest);
    if (keyword === 'comment') this.#blocks.push({ kind: 'note', span });
    if (keyword !== 'dialogue') return;
    const values = splitFields(rest, this.#fields.length);
    const valueOf = (name: string): string => values[this.#fields.indexOf(name)]?.trim() ?? '';
    const [start, end] = [readClock(valueOf('start')), readClock(valueOf('end'))];
    const at = this.#fields.indexOf('text');
    const text = values[at];
    if (start === undefined || end === undefined || text === undefined) {
      this.#problems.push({ offset: span.start, message: 'the times of this line cannot be read' });
      this.#blocks.push({ kind: 'unknown', span });
      return;
    }
    const before = values.slice(0, at).reduce((length, value) => length + value.length + 1, 0);
    const from = span.end - rest.length + before;
    const effect = valueOf('effect');
    const isText = !isScripted(effect) && !isSung(text) && /\S/.test(text);
    const speaker = OF_SPEAKER.map(valueOf).join('\0');
    if (!this.#speakers.has(speaker)) this.#speakers.set(speaker, speaker);
    this.#take({
      head: { start: span.start, end: from },
      start,
      end,
      text: decodeAssText(text),
      span: isText ? { start: from, end: from + text.length } : undefined,
      speaker: this.#speakers.get(speaker) ?? speaker,
      style: valueOf('style').replace(/^\*/, ''),
      name: valueOf('name'),
      writing: at === this.#fields.length - 1 ? WRITING : INNER_WRITING,
      isEffect: /^fx\b/i.test(effect),
    });
  }
}

/** Layer, style, name and effect: see `Cue.speaker`. */
const OF_SPEAKER = ['layer', 'style', 'name', 'effect'] as const;

function fieldsOf(format: string): readonly string[] {
  return format.split(',').map((field) => field.trim().toLowerCase());
}

/** The last field contains the rest of the line, including commas. */
function splitFields(rest: string, count: number): readonly string[] {
  const parts = rest.split(',');
  return parts.length <= count ? parts : [...parts.slice(0, count - 1), parts.slice(count - 1).join(',')];
}

/** Whether an editor's script generated the line or will process it. */
function isScripted(effect: string): boolean {
  return /^(?:fx|karaoke|code|template)\b/i.test(effect);
}

/** `H:MM:SS.cc` in milliseconds; undefined if invalid. */
function readClock(written: string): number | undefined {
  const [, hours, minutes, seconds, fraction = ''] =
    /^(\d{1,4}):(\d{1,2}):(\d{1,2})(?:[.:,](\d{1,3}))?$/.exec(written) ?? [];
  if (seconds === undefined || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  return (
    ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'))
  );
}

const LOST_BLOCKS: Readonly<Partial<Record<SubtitleBlock['kind'], string>>> = {
  note: 'Comment lines',
  style: 'styles',
  attachment: 'attached files',
  unknown: 'lines without times',
};

/** Ordered by time, without drawings; a text in several layers is included once. */
function styleScript({ text }: SubtitleDocument, lose: LossListener): readonly StyledCue[] {
  const events: Event[] = [];
  const { blocks, styles } = readScript(text, (event) => events.push(event));
  for (const { kind } of blocks) lose(LOST_BLOCKS[kind] ?? kind);
  const shown = new Set<string>();
  const styled = events.flatMap((event): readonly StyledCue[] => {
    if (event.isEffect) {
      lose('effect lines');
      return [];
    }
    const base = styles.get(event.style) ?? styles.get('Default');
    const { tokens, alignment } = styleAssText(event, base, lose);
    const words = tokens.map((token) => (token.type === 'words' ? token.text : '')).join('');
    if (words.trim() === '') return [];
    const layer = `${event.start} ${event.end} ${words}`;
    if (shown.has(layer)) return [];
    shown.add(layer);
    const { start, end, name } = event;
    return [{ start, end, speaker: name === '' ? undefined : name, alignment, tokens }];
  });
  return styled.toSorted((a, b) => a.start - b.start);
}

const NEW_SCRIPT = `[Script Info]
ScriptType: v4.00+
WrapStyle: 0
ScaledBorderAndShadow: yes
PlayResX: 1920
PlayResY: 1080

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Arial,72,&H00FFFFFF,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,3,0,2,60,60,60,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
`;

function writeEvent(cue: StyledCue, lose: LossListener): string {
  loseAround(cue, ['id'], lose);
  const { start, end } = roundTimes(cue, 10);
  const clock = (time: number): string => writeTime(time, '.', 2).replace(/^0(?=\d:)/, '');
  const name = (cue.speaker ?? '').replaceAll(/[,\n]/g, ' ');
  return `Dialogue: 0,${clock(start)},${clock(end)},Default,${name},0,0,0,,${writeAssText(cue, lose)}`;
}
