import { DragomanError } from '../../base/errors.ts';
import type { Span } from '../../base/span.ts';
import { alignmentOfSettings, writeSettings } from './alignment.ts';
import { CueCollector, type BlockNotation } from './cue-collector.ts';
import { documentOfCues, type FindCues } from './cue-list.ts';
import { taggedSyntax } from './cue-text.ts';
import { SUBTITLE_NAMES } from './names.ts';
import type { Cue, SubtitleBlock, SubtitleDocument } from './document.ts';
import {
  readColor,
  writeTokens,
  parenthesize,
  type LossListener,
  type StyledCue,
  type StyledToken,
} from './styled-cue.ts';
import { CODE_BRACE, escapeMarkup, readTaggedText } from './tagged-text.ts';
import { isProblem, readArrowTiming, retimeClocks, retimeHead, writeTime } from './timing.ts';

/**
 * WebVTT. As in the standard's parser, blocks without a timing line are skipped: they are never displayed, so they are
 * not translated. Unreadable and overflowing times are problems of the document. A file without the header, and one
 * with more problems than cues, is refused.
 */
export const vtt: BlockNotation & { readonly id: 'vtt' } = {
  ...SUBTITLE_NAMES.vtt,
  recognizes: (text) => /^\ufeff?WEBVTT/.test(text),
  isUtf8: true,
  cueText: taggedSyntax((words) =>
    words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('-->', '--&gt;'),
  ),
  timeGrid: () => 1,
  readTiming: (line) => readArrowTiming(line, true),
  mayBeEmpty: true,
  scan: (text, options = {}) => documentOfCues(text, vtt, findCues, options),
  retarget(text, locale) {
    const span = findLanguage(text);
    return span ? [{ span, text: locale }] : [];
  },
  retime: (raw, part, change) =>
    part === 'head'
      ? retimeHead(raw, change, '.')
      : raw.replaceAll(/<(?:\d{1,4}:)?\d{1,2}:\d{2}\.\d{3}>/g, (time) =>
          retimeClocks(time, change, { point: '.' }),
        ),
  toStyled(document, lose) {
    const colors = readBlocks(document, lose);
    return document.cues.map((cue) => styleCue(cue, colors, lose));
  },
  fromStyled(cues, lose) {
    const written = cues.map((cue) => writeCue(cue, lose));
    return `WEBVTT\n\n${writeStyles(cues)}${written.join('\n')}`;
  },
};

const HEADER = /^\ufeff?WEBVTT(?:[ \t].*)?$/s;

const findCues: FindCues = (text, take) => {
  const found = new CueCollector(text, vtt, take);
  if (!HEADER.test(found.lines.textOf(0))) {
    throw new DragomanError('unreadable_input', 'a WebVTT file begins with WEBVTT', {
      at: { line: 1, column: 1 },
      hint: 'If this is a SubRip file, rename it to .srt, and convert it with --format vtt.',
    });
  }
  let at = endOfHeader(found);
  found.addBlock('header', 0, at);
  while (at < found.lines.count) at = found.lines.isEmpty(at) ? at + 1 : readBlock(found, at);
  const language = findLanguage(text);
  return { ...found.around, locale: language && text.slice(language.start, language.end) };
};

/** `Language: en` in the header, as YouTube writes it. */
function findLanguage(text: string): Span | undefined {
  const [header = ''] =
    /^\ufeff?WEBVTT[^]*?(?=\n\n|\r\n\r\n|\r\r|-->|$)/.exec(text.slice(0, LONGEST_HEADER)) ?? [];
  const line = /(?<=[\n\r]Language:[ \t]*)[A-Za-z]{2,3}(?:-[\w-]{1,30})?(?=[ \t]*(?![^\n\r]))/.exec(header);
  return line ? { start: line.index, end: line.index + line[0].length } : undefined;
}

const LONGEST_HEADER = 10_000;

/** An empty line ends the header; without one, the first cue ends it. */
function endOfHeader(found: CueCollector): number {
  let at = 1;
  while (!found.lines.isEmpty(at)) {
    if (found.isTiming(at)) return at > 1 && !/^[\w-]+[ \t]*:/.test(found.lines.textOf(at - 1)) ? at - 1 : at;
    at++;
  }
  return at;
}

function readBlock(found: CueCollector, at: number): number {
  const kind = kindOf(found.lines.textOf(at));
  if (kind === 'unknown') {
    const first = found.timingAt(at);
    const line = first ? at : at + 1;
    const timing = first ?? found.timingAt(line);
    if (timing && isProblem(timing)) return found.addBroken(at, line, timing);
    if (timing) return found.addCue(first ? undefined : at, line, timing);
  }
  let end = at + 1;
  while (!found.lines.isEmpty(end) && !found.isTiming(end)) end++;
  // If the empty line is missing, the number before a timing line belongs to the cue.
  if (!found.lines.isEmpty(end) && end - 1 > at && found.isNumber(end - 1)) end--;
  found.addBlock(kind, at, end);
  return end;
}

function kindOf(line: string): SubtitleBlock['kind'] {
  if (/^NOTE(?:[ \t]|$)/.test(line)) return 'note';
  if (/^STYLE[ \t]*$/.test(line)) return 'style';
  return /^REGION[ \t]*$/.test(line) || line.startsWith('Region:') ? 'region' : 'unknown';
}

type Colors = ReadonlyMap<string, string>;

const COLOR_RULE = /::cue\(\s*\.([\w-]{1,80})\s*\)\s*\{\s*color:\s*([^;{}\n]{1,60});?\s*\}/g;

const LOST_BLOCKS: Readonly<Partial<Record<SubtitleBlock['kind'], string>>> = {
  note: 'NOTE blocks',
  region: 'REGION blocks',
  unknown: 'blocks without a readable timing line',
};

/** The classes that STYLE blocks colour; all other content of blocks is dropped. */
function readBlocks({ blocks, text }: SubtitleDocument, lose: LossListener): Colors {
  const colors = new Map(CLASSES.map((name) => [name, readColor(name) ?? '']));
  for (const { kind, span } of blocks) {
    const raw = text.slice(span.start, span.end);
    if (kind === 'header') {
      if (/\S/.test(raw.replace(/^\ufeff?WEBVTT/, ''))) lose('header texts');
    } else if (kind === 'style') {
      for (const [, name = '', written = ''] of raw.matchAll(COLOR_RULE)) {
        const color = readColor(written);
        if (color !== undefined) colors.set(name, color);
      }
      if (/\S/.test(raw.replace(/^STYLE/, '').replaceAll(COLOR_RULE, ''))) lose('STYLE blocks');
    } else lose(LOST_BLOCKS[kind] ?? kind);
  }
  return colors;
}

function styleCue({ id, start, end, settings, text }: Cue, colors: Colors, lose: LossListener): StyledCue {
  const { alignment, isExact } = alignmentOfSettings(settings, text);
  if (settings !== '' && !isExact) lose('cue settings');
  const [, speaker] = /^\s*<v(?:\.[^\s<>]*)?[ \t]+([^<>\n]{1,200})>/.exec(text) ?? [];
  // A single voice for the whole text becomes the cue's speaker.
  const isOne = speaker !== undefined && text.split(/<v[ .]/).length === 2;
  const spoken = isOne ? text.replace(/<v[^<>]*>/, '').replace('</v>', '') : text;
  const readTag = (raw: string, name: string): StyledToken | undefined => readClasses(raw, name, colors);
  const { tokens } = readTaggedText(spoken, { readTag, lose });
  return { id: id?.trim(), start, end, alignment, speaker: isOne ? speaker.trim() : undefined, tokens };
}

/** The last coloured class of `<c.loud.red>`. */
function readClasses(raw: string, name: string, colors: Colors): StyledToken | undefined {
  if (name !== 'c') return undefined;
  const classes = /^<c((?:\.[\w-]+)+)/.exec(raw)?.[1]?.slice(1).split('.') ?? [];
  const color = classes.map((found) => colors.get(found)).findLast((found) => found !== undefined);
  return color === undefined ? undefined : { type: 'open', style: 'color', color };
}

function writeCue({ id, start, end, alignment, speaker, tokens }: StyledCue, lose: LossListener): string {
  const text = writeTokens(tokens, (token) => writeToken(token, lose)).replaceAll('-->', '--&gt;');
  const name = speaker?.replaceAll(/[<>&\n]/g, ' ').trim();
  // A name that ends with two hyphens would form an arrow with the bracket.
  const voice = name === undefined ? '' : `<v ${name}${name.endsWith('--') ? ' ' : ''}>`;
  const times = `${writeTime(start, '.')} --> ${writeTime(end, '.')} ${writeSettings(alignment)}`.trimEnd();
  // An identifier with an arrow would be read as a timing line.
  const identifier = id === undefined || id === '' || id.includes('-->') ? '' : `${id}\n`;
  return `${identifier}${times}\n${text === '' ? '' : `${voice}${text}\n`}`;
}

function writeToken(token: StyledToken, lose: LossListener): string {
  switch (token.type) {
    case 'words':
      return parenthesize(escapeMarkup(token.text), CODE_BRACE, 'braces', lose);
    case 'break':
      return '\n';
    case 'time':
      return `<${writeTime(token.at, '.')}>`;
    case 'close':
      return token.style === 'color' ? '</c>' : `</${token.style}>`;
    case 'open':
    default:
      return token.style === 'color' ? `<c.${classOf(token.color)}>` : `<${token.style}>`;
  }
}

/** The classes that all players support. */
const CLASSES = ['white', 'lime', 'cyan', 'red', 'yellow', 'magenta', 'blue', 'black'];

/** The class of a colour, if it has one. */
function nameOfColor(color: string): string | undefined {
  return CLASSES.find((name) => readColor(name) === color);
}

function classOf(color: string): string {
  return nameOfColor(color) ?? `color-${color.slice(1)}`;
}

/** Defines a class for each colour without a class. */
function writeStyles(cues: readonly StyledCue[]): string {
  const colors = new Set<string>();
  for (const { tokens } of cues) {
    for (const token of tokens) if (token.type === 'open' && token.style === 'color') colors.add(token.color);
  }
  const own = [...colors].filter((color) => nameOfColor(color) === undefined);
  if (own.length === 0) return '';
  const rules = own.map((color) => `::cue(.${classOf(color)}) { color: ${color}; }\n`);
  return `STYLE\n${rules.join('')}\n`;
}
