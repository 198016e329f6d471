import { DragomanError } from '../../base/errors.ts';
import { offsetOf, positionAt } from '../../base/span.ts';
import type { DocumentWarning, Slot } from '../format.ts';
import { startOfText } from '../lines.ts';
import { scan as scanToml } from '../toml/scan.ts';
import { scan as scanYaml } from '../yaml/scan.ts';

/** The settings above a document. */
export interface FrontMatter {
  /** The offset of the body. */
  readonly end: number;
  /** Values for people, with their keys. */
  readonly slots: readonly Slot[];
  /** Why the settings cannot be parsed, in which case they stay unchanged. */
  readonly problem?: DocumentWarning | undefined;
}

/**
 * Names of values that people read. All others are for programs: addresses, ids, dates, and tags, which become
 * addresses.
 */
const FOR_PEOPLE: ReadonlySet<string> = new Set([
  'title',
  'description',
  'summary',
  'excerpt',
  'subtitle',
  'sidebar_label',
  'sidebarTitle',
  'pagination_label',
  'linkTitle',
  'linktitle',
  'tagline',
  'lead',
]);
/** Sections that begin a VitePress or Starlight page; more of their settings are texts. */
const SECTIONS: ReadonlySet<string> = new Set(['hero', 'features', 'banner']);
const IN_SECTIONS: ReadonlySet<string> = new Set([
  ...FOR_PEOPLE,
  'text',
  'details',
  'linkText',
  'content',
  'alt',
]);

const FENCES = [
  { open: /^---[ \t]*\r?\n/, close: /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/gm, scan: scanYaml, notation: 'YAML' },
  { open: /^\+\+\+[ \t]*\r?\n/, close: /^\+\+\+[ \t]*(?:\r?\n|$)/gm, scan: scanToml, notation: 'TOML' },
];

/** Reads the front matter at the beginning of a document. If it cannot be parsed, it stays unchanged. */
export function readFrontMatter(text: string): FrontMatter {
  const start = startOfText(text);
  for (const { open, close, scan, notation } of FENCES) {
    const head = open.exec(text.slice(start, start + 100));
    if (!head) continue;
    const from = start + head[0].length;
    close.lastIndex = from;
    const end = close.exec(text);
    if (!end) continue;
    return {
      end: end.index + end[0].length,
      ...scanValues(text.slice(from, end.index), from, { scan, notation }),
    };
  }
  return { end: start, slots: [] };
}

function scanValues(
  settings: string,
  from: number,
  { scan, notation }: Pick<(typeof FENCES)[number], 'scan' | 'notation'>,
): Omit<FrontMatter, 'end'> {
  let slots: readonly Slot[];
  try {
    ({ slots } = scan(settings));
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    const offset = from + (error.at ? offsetOf(settings, error.at) : 0);
    const message = `the settings above the document are not valid ${notation} and stay unchanged until they are corrected: ${error.message}`;
    return { slots: [], problem: { rule: 'unreadable-settings', offset, message } };
  }
  return {
    slots: slots
      .filter(({ key, value, plural }) => !plural && isForPeople(key) && /\p{L}/u.test(value))
      .map((slot) => new SettingSlot(slot, from, settings)),
  };
}

function isForPeople(key: readonly string[]): boolean {
  const name = key.at(-1) ?? '';
  if (key.length === 1) return FOR_PEOPLE.has(name);
  // Starlight's settings.
  if (/^sidebar\.(?:label|badge|badge\.text)$/.test(key.join('.'))) return true;
  return SECTIONS.has(key[0] ?? '') && IN_SECTIONS.has(name);
}

/** A value of the front matter: words and their placeholders. */
class SettingSlot implements Slot {
  readonly key: Slot['key'];
  readonly value: string;
  readonly span: Slot['span'];
  readonly syntax = 'plain';
  readonly #slot: Slot;
  readonly #settings: string;

  constructor(slot: Slot, from: number, settings: string) {
    this.key = ['front matter', ...slot.key];
    this.value = slot.value;
    this.span = { start: from + slot.span.start, end: from + slot.span.end };
    this.#slot = slot;
    this.#settings = settings;
  }

  encode(value: string): string {
    const text = this.#slot.encode(value);
    // A line that looks like the closing delimiter would cut the settings off.
    if (/\p{L}/u.test(value) && !/^(?:---|\.\.\.|\+\+\+)[ \t]*\r?$/m.test(text)) return text;
    throw new DragomanError('unencodable_value', 'the settings above a document cannot hold the text', {
      at: positionAt(this.#settings, this.#slot.span.start),
    });
  }
}
