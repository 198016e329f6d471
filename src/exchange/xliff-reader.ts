import type { Position } from '../base/span.ts';
import { XmlReader } from '../base/xml-reader.ts';
import type { Verdict } from '../review/protocol.ts';
import type { ReturnedUnit } from './unit.ts';

/** The maximum length of a text with its codes, before they are resolved. */
const MAX_TEXT = 1_000_000;

/**
 * The translations in an XLIFF file, version 1.2 or 2, that `writeXliff` wrote and a translation program returned.
 * Inline codes become their notation again; a unit with a code that neither the file nor its source explains is
 * returned with a fault.
 *
 * @throws DragomanError `unreadable_input` or `limit_exceeded` with line and column, before any unit is returned
 */
export function readXliff(text: string): readonly ReturnedUnit[] {
  const listener = new XliffListener();
  listener.xml.read(text);
  return listener.units;
}

/** A text being read: codes are resolved at the end of its unit. */
type Part =
  | string
  | { readonly id: string; readonly end: 'both' | 'open' | 'close'; readonly raw?: string | undefined };

interface UnitDraft {
  readonly at: Position;
  readonly id: string;
  /** Native data by its id (XLIFF 2). */
  readonly data: Map<string, string>;
  /** The sources of all segments, in file order. */
  readonly sources: Part[];
  readonly targets: Part[];
  /** The `<segment>` elements; XLIFF 1.2 has one segment. */
  readonly segments: Segments;
  /** In XLIFF 1.2, the content of `<mrk mtype="seg">`. */
  readonly marks: Segments;
  /** The states of the segments. */
  readonly states: string[];
  isApproved: boolean;
  fault: string | undefined;
  size: number;
}

/** The text of a unit's segments, by their ids. */
class Segments {
  readonly sources: Set<string> = new Set();
  readonly targets: Set<string> = new Set();

  isPartial(): boolean {
    return this.targets.size > 0 && [...this.sources].some((id) => !this.targets.has(id));
  }
}

/** Elements around words that do not represent codes. */
const TRANSPARENT: ReadonlySet<string> = new Set(['mrk', 'sm', 'em', 'sub']);

class XliffListener {
  readonly xml: XmlReader = new XmlReader('file for translators', {
    begin: (name, attributes) => this.#begin(localName(name), attributes),
    end: (name) => this.#end(localName(name)),
    text: (part) => this.#take(part),
  });
  readonly units: ReturnedUnit[] = [];
  #unit: UnitDraft | undefined;
  /** Receives the words that are read. */
  #parts: Part[] | undefined;
  /** The source of the segment, which is also its translation if an `<ignorable>` has no other. */
  #copied: Part[] | undefined;
  #pairs: { readonly id: string; readonly raw: string | undefined }[] = [];
  #segment = 0;
  /** Receives the ids of marked segments in this source or target. */
  #marked: Set<string> | undefined;
  #mark: { readonly depth: number; readonly id: string } | undefined;
  /** The native code or data being read, and the depth of its element. */
  #code: { readonly depth: number; text: string; readonly end: (text: string) => void } | undefined;
  /** The depth of an element whose content is skipped, such as other suggestions; 0 outside such elements. */
  #skippedFrom = 0;

  #begin(name: string, attributes: Readonly<Record<string, string>>): void {
    const { depth } = this.xml;
    if (depth === 1 && name !== 'xliff') this.xml.fail(`<${name.slice(0, 40)}> is not an XLIFF document`);
    if (this.#skippedFrom > 0 || this.#code) return;
    if (name === 'trans-unit' || name === 'unit') {
      this.#unit = {
        at: this.xml.at,
        id: attributes['id'] ?? '',
        data: new Map(),
        sources: [],
        targets: [],
        segments: new Segments(),
        marks: new Segments(),
        states: [],
        isApproved: attributes['approved'] === 'yes',
        fault: undefined,
        size: 0,
      };
      return;
    }
    const unit = this.#unit;
    if (!unit) return;
    if (name === 'mrk' && attributes['mtype'] === 'seg') this.#mark = { depth, id: attributes['mid'] ?? '' };
    if (this.#parts) this.#beginInline(name, attributes, unit);
    else if (name === 'alt-trans' || name === 'notes' || name === 'note' || name === 'matches')
      this.#skippedFrom = depth;
    else if (name === 'data') {
      const id = attributes['id'] ?? '';
      this.#readCode((text) => void unit.data.set(id, text));
    } else if (name === 'seg-source') this.#marked = unit.marks.sources;
    else if (name === 'source') {
      this.#parts = this.#copied = [];
      this.#marked = unit.marks.sources;
    } else if (name === 'target') {
      if (attributes['order'] !== undefined) unit.fault ??= 'its segments were reordered';
      this.#parts = [];
      this.#marked = unit.marks.targets;
      if (attributes['state'] !== undefined) unit.states.push(attributes['state']);
    } else if (name === 'segment') {
      this.#segment++;
      unit.states.push(attributes['state'] ?? 'initial');
    }
  }

  #beginInline(name: string, attributes: Readonly<Record<string, string>>, unit: UnitDraft): void {
    this.#count(unit, 100);
    const parts = this.#parts ?? [];
    const id = attributes['id'] ?? '';
    const rawOf = (ref: string | undefined): string | undefined => unit.data.get(ref ?? '');
    const add = (end: 'both' | 'open' | 'close', code: string, raw: string | undefined): void =>
      void parts.push(raw === undefined ? { id: code, end } : { id: code, end, raw });
    if (name === 'cp') parts.push(String.fromCodePoint(codePointOf(attributes['hex'])));
    else if (name === 'pc' || name === 'g') {
      add('open', id, rawOf(attributes['dataRefStart']));
      this.#pairs.push({ id, raw: rawOf(attributes['dataRefEnd']) });
    } else if (name === 'ph' && attributes['dataRef'] !== undefined)
      add('both', id, rawOf(attributes['dataRef']));
    else if (name === 'sc') add('open', id, rawOf(attributes['dataRef']));
    else if (name === 'ec') add('close', attributes['startRef'] ?? id, rawOf(attributes['dataRef']));
    else if (name === 'x') add('both', id, undefined);
    else if (name === 'bx' || name === 'ex')
      add(name === 'bx' ? 'open' : 'close', attributes['rid'] ?? id, undefined);
    else if (name === 'ph' || name === 'it' || name === 'bpt' || name === 'ept') {
      const end = name === 'bpt' ? 'open' : name === 'ept' ? 'close' : 'both';
      this.#readCode((text) => add(end, attributes['rid'] ?? id, text === '' ? undefined : text));
    } else if (!TRANSPARENT.has(name)) unit.fault ??= `<${name.slice(0, 40)}> is not an inline code`;
  }

  #readCode(end: (text: string) => void): void {
    this.#code = { depth: this.xml.depth, text: '', end };
  }

  #take(text: string): void {
    const unit = this.#unit;
    if (!unit || this.#skippedFrom > 0) return;
    this.#count(unit, text.length);
    if (this.#mark) this.#marked?.add(this.#mark.id);
    if (this.#code) this.#code.text += text;
    else this.#parts?.push(text);
  }

  #count(unit: UnitDraft, size: number): void {
    if ((unit.size += size) > MAX_TEXT) this.xml.refuse('a unit', MAX_TEXT);
  }

  #end(name: string): void {
    const { depth } = this.xml;
    const unit = this.#unit;
    if (this.#skippedFrom > 0) {
      if (depth === this.#skippedFrom) this.#skippedFrom = 0;
    } else if (depth === this.#mark?.depth) this.#mark = undefined;
    else if (this.#code) {
      if (depth !== this.#code.depth) return;
      const { end, text } = this.#code;
      this.#code = undefined;
      end(text);
    } else if (!unit) return;
    else if (name === 'source') {
      this.#endText(unit.sources, unit.segments.sources);
    } else if (name === 'target') {
      // Empty marks contain no translation.
      const isEmpty = unit.marks.targets.size === 0 && unit.marks.sources.size > 0 && !hasWords(this.#parts);
      this.#endText(unit.targets, isEmpty ? undefined : unit.segments.targets);
      this.#copied = undefined;
    } else if (name === 'ignorable') {
      unit.targets.push(...(this.#copied ?? []));
      this.#copied = undefined;
    } else if (name === 'segment') this.#copied = undefined;
    else if ((name === 'pc' || name === 'g') && this.#parts) {
      const pair = this.#pairs.pop();
      if (pair) this.#parts.push({ id: pair.id, end: 'close', ...(pair.raw !== undefined && pair) });
    } else if (name === 'unit' || name === 'trans-unit') this.#endUnit(unit);
  }

  #endText(all: Part[], segments: Set<string> | undefined): void {
    const parts = this.#parts ?? [];
    all.push(...parts);
    if (parts.length > 0) segments?.add(String(this.#segment));
    this.#parts = this.#marked = undefined;
  }

  #endUnit(unit: UnitDraft): void {
    this.#unit = undefined;
    this.#segment = 0;
    const { at, id, targets, segments, marks, states, isApproved, fault } = unit;
    const value = segments.targets.size > 0 ? this.#resolve(unit, targets) : '';
    this.units.push({
      at,
      id,
      value: typeof value === 'string' ? value : undefined,
      verdict: verdictOf(states) ?? (isApproved && states.length === 0 ? 'reviewed' : undefined),
      isDraft: states.some((state) => state.startsWith('needs-') || state === 'initial'),
      fault:
        fault ??
        (segments.isPartial() || marks.isPartial() ? 'a segment has no translation' : undefined) ??
        (typeof value === 'string' ? undefined : `its inline code ${value.unknown} is not in its source`),
    });
  }

  /** A code without native data takes that of the source. */
  #resolve({ sources }: UnitDraft, parts: readonly Part[]): string | { readonly unknown: string } {
    const known = new Map<string, string>();
    for (const part of sources)
      if (typeof part !== 'string' && part.raw !== undefined) known.set(`${part.end} ${part.id}`, part.raw);
    let value = '';
    for (const part of parts) {
      const text = typeof part === 'string' ? part : (part.raw ?? known.get(`${part.end} ${part.id}`));
      if (text === undefined) return { unknown: typeof part === 'string' ? '' : part.id.slice(0, 40) };
      value += text;
    }
    return value;
  }
}

function hasWords(parts: readonly Part[] = []): boolean {
  return parts.some((part) => typeof part !== 'string' || part.trim() !== '');
}

const REVIEWED: ReadonlySet<string> = new Set(['reviewed', 'signed-off', 'final']);

/** A unit has the state of its least finished segment. */
function verdictOf(states: readonly string[]): Verdict | undefined {
  if (states.length === 0 || !states.every((state) => REVIEWED.has(state))) return undefined;
  return states.every((state) => state === 'final') ? 'final' : 'reviewed';
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function codePointOf(hex = ''): number {
  const code = /^[0-9A-Fa-f]{1,6}$/.test(hex) ? Number.parseInt(hex, 16) : 0xfffd;
  return code <= 0x10ffff ? code : 0xfffd;
}
