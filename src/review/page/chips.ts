import type { MessageNode } from '../../text/node.ts';
import { parseValue } from '../../text/parse.ts';
import type { Syntax } from '../../text/syntax.ts';

/** A piece of a text that is edited as a unit: syntax, or an invisible character. */
export interface Chip {
  readonly start: number;
  readonly end: number;
  /** The notation in the text. */
  readonly raw: string;
  /** The displayed text. */
  readonly label: string;
  readonly kind: 'placeholder' | 'tag' | 'choice' | 'character';
}

export interface ChippedText {
  /** In order, without overlaps. */
  readonly chips: readonly Chip[];
  /** Whether the text has valid syntax. Otherwise, only characters become chips. */
  readonly isReadable: boolean;
}

/**
 * Control characters, unusual spaces, and characters that change the direction of the following text. Line feeds, and
 * joiners in scripts that need them, count as text.
 */
const INVISIBLE =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u00a0\u00ad\u061c\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffb]/g;

const NAMES: Readonly<Record<string, string>> = {
  '\t': 'tab',
  '\r': 'CR',
  '\0': 'NUL',
  '\u00a0': 'nbsp',
  '\u00ad': 'shy',
  '\u200b': 'ZWSP',
  '\u200e': 'LRM',
  '\u200f': 'RLM',
  '\u202a': 'LRE',
  '\u202b': 'RLE',
  '\u202c': 'PDF',
  '\u202d': 'LRO',
  '\u202e': 'RLO',
  '\u202f': 'nnbsp',
  '\u2066': 'LRI',
  '\u2067': 'RLI',
  '\u2068': 'FSI',
  '\u2069': 'PDI',
  '\u3000': 'wide space',
  '\ufeff': 'BOM',
};

const known = new Map<string, ChippedText>();

/** The chips of a text, from the same parser that verifies it. */
export function chipsOf(value: string, syntax: Syntax): ChippedText {
  const name = `${syntax} ${value}`;
  const earlier = known.get(name);
  if (earlier) return earlier;
  if (known.size > 2_000) known.clear();
  const { parts, problem } = parseValue(value, syntax);
  const collector = new ChipCollector();
  for (const { separator, nodes } of parts) {
    collector.add(separator, 'choice');
    collector.addAll(nodes);
  }
  const chipped = { chips: collector.chips, isReadable: problem === undefined };
  known.set(name, chipped);
  return chipped;
}

class ChipCollector {
  readonly chips: Chip[] = [];
  #at = 0;

  add(raw: string, kind: Chip['kind'], label = raw): void {
    if (raw === '') return;
    const start = this.#at;
    this.#at += raw.length;
    this.chips.push({ start, end: this.#at, raw, label: shorten(label), kind });
  }

  addAll(nodes: readonly MessageNode[]): void {
    for (const node of nodes) this.#addNode(node);
  }

  #addNode(node: MessageNode): void {
    switch (node.type) {
      case 'text':
        return this.#addText(node.raw);
      case 'code':
        return node.kind === 'literal'
          ? this.#addText(node.raw)
          : this.add(node.raw, node.kind === 'tag' ? 'tag' : 'placeholder', labelOf(node.raw));
      case 'open':
        return this.add(node.raw, 'tag', labelOf(node.raw));
      case 'close':
        if (!node.aside) return this.add(node.raw, 'tag', labelOf(node.raw));
        this.add(node.aside.head, 'tag', labelOf(node.aside.head));
        this.addAll(node.aside.nodes);
        return this.add(node.aside.tail, 'tag', labelOf(node.aside.tail));
      case 'complex':
        // The heads and braces of branches are syntax; their contents are text.
        node.branches.forEach(({ lead, selector, gap, body }, i) => {
          this.add(`${i === 0 ? node.head : '}'}${lead}${selector}${gap}{`, 'choice');
          this.addAll(body);
        });
        return this.add(`${node.branches.length === 0 ? node.head : '}'}${node.tail}`, 'choice');
    }
  }

  #addText(raw: string): void {
    let from = 0;
    for (const { 0: character, index } of raw.matchAll(INVISIBLE)) {
      this.#at += index - from;
      this.add(character, 'character', nameOf(character));
      from = index + character.length;
    }
    this.#at += raw.length - from;
  }
}

function nameOf(character: string): string {
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return NAMES[character] ?? `U+${code}`;
}

/** Shortens a tag with attributes to `<a …>`, because they are long and the same as in the source. */
function labelOf(raw: string): string {
  return raw.replace(/^(<[\w:.-]+)\s[^]*?(\/?>)$/, '$1 …$2');
}

const MAX_LABEL = 40;

function shorten(label: string): string {
  const shown = label.trim().replace(/\s+/g, ' ').replaceAll(INVISIBLE, nameOf);
  return shown.length > MAX_LABEL ? `${shown.slice(0, MAX_LABEL - 1)}…` : shown;
}

/** The source's chips that a translator may have to insert, without duplicates. */
export function insertable(source: ChippedText): readonly Chip[] {
  const byText = new Map<string, Chip>();
  for (const chip of source.chips)
    if (chip.kind !== 'choice' && !byText.has(chip.raw)) byText.set(chip.raw, chip);
  return [...byText.values()];
}
