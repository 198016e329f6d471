import { elementsOf, attributeOf, type XmlElement, type XmlTree } from '../xml/tree.ts';
import { alignmentAt, placeOf, type CueAlignment } from './alignment.ts';
import {
  loseAround,
  STYLE_NAMES,
  readColor,
  TokenWriter,
  type LossListener,
  type RunStyle,
  type StyledCue,
  type StyledToken,
  type CueStyle,
} from './styled-cue.ts';
import { decodeEntity } from './tagged-text.ts';
import { writeTime } from './timing.ts';
import type { TimedParagraph } from './ttml-times.ts';
import { localName, ttmlText } from './ttml-text.ts';

/** The style attributes of an element, by the names of TTML2 §10. */
type Look = ReadonlyMap<string, string>;

/** Converts the paragraphs to the common model, in the order given. */
export function styleTtml(
  tree: XmlTree,
  paragraphs: readonly (TimedParagraph & { readonly end: number })[],
  lose: LossListener,
): readonly StyledCue[] {
  const looks = new Looks(tree, lose);
  return paragraphs.map(({ element, paragraph, interval, end }) => {
    const look = looks.of(element);
    const own = element.attributes.map(({ name }) => localName(name));
    if (own.includes('agent')) lose('speaker names');
    if (own.some(isUnsaid)) lose(UNSAID);
    const tokens = styleTokens(paragraph.value, runStyleOf(look), looks, lose);
    const id = attributeOf(tree, element, 'xml:id');
    return { start: interval.begin, end, id, alignment: alignmentOf(look), tokens };
  });
}

/** How TTML styling is reported if no other format supports it. */
const UNSAID = 'fonts and other styles';

function isUnsaid(name: string): boolean {
  return /^(?:backgroundColor|direction|font(?:Family|Shear|Size|Variant)|letterSpacing|line(?:Height|Shear)|opacity|padding|shear|text(?:Combine|Emphasis|Outline|Shadow)|visibility|writingMode)$/.test(
    name,
  );
}

/** Resolves styles from elements and the styles and regions that they reference. */
class Looks {
  readonly #tree: XmlTree;
  readonly #named = new Map<string, XmlElement>();

  constructor(tree: XmlTree, lose: LossListener) {
    this.#tree = tree;
    const visit = (element: XmlElement): void => {
      const name = localName(element.name);
      if (name === 'metadata') lose('metadata and ruby texts');
      if (/^(?:style|region)$/.test(name) && element.attributes.some((one) => isUnsaid(localName(one.name))))
        lose(UNSAID);
      const id = attributeOf(tree, element, 'xml:id') ?? attributeOf(tree, element, 'id');
      if (id !== undefined && !this.#named.has(id)) this.#named.set(id, element);
      for (const child of elementsOf(element)) visit(child);
    };
    for (const head of elementsOf(tree.root)) if (localName(head.name) === 'head') visit(head);
  }

  /** Precedence, highest first: the element, its styles, its ancestors, its region. */
  of(element: XmlElement): Look {
    const chain: XmlElement[] = [];
    for (let at: XmlElement | undefined = element; at; at = at.parent) chain.push(at);
    const region = chain
      .map((at) => attributeOf(this.#tree, at, 'region'))
      .find((name) => name !== undefined);
    const look = new Map<string, string>();
    const regionElement = this.#named.get(region ?? '');
    if (regionElement) this.#collect(regionElement, look, 0);
    for (const at of chain.toReversed()) this.#collect(at, look, 0);
    return look;
  }

  /** The styles of a start tag in a paragraph's value. */
  ofTag(raw: string): Look {
    const look = new Map<string, string>();
    const attributes = [...raw.matchAll(/\s([\w:.-]{1,100})\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
      ([, name = '', quoted, single]) => [localName(name), quoted ?? single ?? ''] as const,
    );
    for (const id of attributes.find(([name]) => name === 'style')?.[1].split(/\s+/) ?? []) {
      const style = this.#named.get(id);
      if (style) this.#collect(style, look, 0);
    }
    for (const [name, value] of attributes) look.set(name, value);
    return look;
  }

  #collect(element: XmlElement, look: Map<string, string>, depth: number): void {
    // Guards against styles that reference each other in a circle.
    if (depth > 8) return;
    for (const id of attributeOf(this.#tree, element, 'style')?.split(/\s+/) ?? []) {
      const style = this.#named.get(id);
      if (style) this.#collect(style, look, depth + 1);
    }
    // Only a region may contain its styles as elements; searching the paragraphs of a `div` would take long.
    if (localName(element.name) === 'region')
      for (const child of elementsOf(element))
        if (localName(child.name) === 'style') this.#collect(child, look, depth + 1);
    for (const { name } of element.attributes) {
      if (name.includes(':')) look.set(localName(name), attributeOf(this.#tree, element, name) ?? '');
    }
  }
}

function runStyleOf(look: Look, outer?: RunStyle): RunStyle {
  const styles = new Set<CueStyle>(outer?.styles);
  const set = (style: CueStyle, value: string | undefined, on: RegExp): void => {
    if (value === undefined) return;
    if (on.test(value)) styles.add(style);
    else styles.delete(style);
  };
  set('b', look.get('fontWeight'), /^bold$/);
  set('i', look.get('fontStyle'), /^(?:italic|oblique)$/);
  set('u', look.get('textDecoration'), /(?:^|\s)underline(?:\s|$)/);
  const color = readColor(look.get('color') ?? '');
  // White is the default of all subtitles.
  return { styles, color: color === undefined ? outer?.color : color === '#ffffff' ? undefined : color };
}

function alignmentOf(look: Look): CueAlignment {
  const row = look.get('displayAlign') ?? 'after';
  const column = look.get('textAlign') ?? 'center';
  return alignmentAt(
    row === 'before' ? 'top' : row === 'center' ? 'middle' : 'bottom',
    /^(?:left|start)$/.test(column) ? 'left' : /^(?:right|end)$/.test(column) ? 'right' : 'center',
  );
}

function styleTokens(
  value: string,
  base: RunStyle,
  looks: Looks,
  lose: LossListener,
): readonly StyledToken[] {
  const written = new TokenWriter();
  const stack: RunStyle[] = [base];
  for (const token of ttmlText.readTokens(value)) {
    const style = stack.at(-1) ?? base;
    if (token.type === 'open') {
      const look = looks.ofTag(token.raw);
      stack.push(runStyleOf(look, style));
      if (look.has('begin') || look.has('end')) lose(STYLE_NAMES.time);
      const own = token.raw.matchAll(/\s[\w.-]{1,80}:(\w{1,80})\s*=/g);
      if ([...own].some(([, name = '']) => isUnsaid(name))) lose(UNSAID);
    } else if (token.type === 'close') {
      if (stack.length > 1) stack.pop();
    } else if (token.type === 'break') written.add({ type: 'break' });
    else if (token.type === 'code' && token.kind === 'tag') lose('metadata and ruby texts');
    else {
      written.switchTo(style);
      const isEntity = token.type === 'code' && token.kind === 'entity';
      written.add({ type: 'words', text: isEntity ? decodeEntity(token.raw) : token.raw });
    }
  }
  return written.end();
}

/** Writes a new document. */
export function writeTtml(cues: readonly StyledCue[], lose: LossListener, language = ''): string {
  const places = [...new Set(cues.map(({ alignment }) => alignment))].sort((a, b) => a - b);
  const regions = places.map((place) => `      ${regionOf(place)}\n`).join('');
  const paragraphs = cues.map((cue) => `      ${writeCue(cue, lose)}\n`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>
<tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" xml:lang="${language}">
  <head>
    <layout>
${regions}    </layout>
  </head>
  <body>
    <div>
${paragraphs}    </div>
  </body>
</tt>
`;
}

function regionOf(alignment: CueAlignment): string {
  const { row, column } = placeOf(alignment);
  const display = { top: 'before', middle: 'center', bottom: 'after' }[row];
  return `<region xml:id="place-${alignment}" tts:origin="10% 10%" tts:extent="80% 80%" tts:displayAlign="${display}" tts:textAlign="${column}"/>`;
}

function writeCue(cue: StyledCue, lose: LossListener): string {
  loseAround(cue, ['speaker'], lose);
  // A number alone is not a valid XML identifier and carries no information.
  const id = /^[A-Za-z_][\w.-]*$/.test(cue.id ?? '') ? ` xml:id="${cue.id}"` : '';
  if (id === '') loseAround(cue, ['id'], lose);
  const times = `begin="${writeTime(cue.start, '.')}" end="${writeTime(cue.end, '.')}"`;
  const text = nest(cue.tokens, lose)
    .map((token) => {
      if (token.type === 'words') return ttmlText.writeWords(token.text);
      if (token.type === 'break') return '<br/>';
      if (token.type === 'open')
        return `<span ${token.style === 'color' ? `tts:color="${token.color}"` : ATTRIBUTES[token.style]}>`;
      return token.type === 'close' ? '</span>' : '';
    })
    .join('');
  return `<p${id} ${times} region="place-${cue.alignment}">${text}</p>`;
}

const ATTRIBUTES: Readonly<Record<CueStyle, string>> = {
  b: 'tts:fontWeight="bold"',
  i: 'tts:fontStyle="italic"',
  u: 'tts:textDecoration="underline"',
};

/** Reorders the tokens so that tags nest. */
function nest(tokens: readonly StyledToken[], lose: LossListener): readonly StyledToken[] {
  const written = new TokenWriter();
  const styles = new Set<CueStyle>();
  const colors: string[] = [];
  for (const token of tokens) {
    if (token.type === 'words' || token.type === 'break') {
      written.switchTo({ styles, color: colors.at(-1) });
      written.add(token);
    } else if (token.type === 'time') lose('timestamps within text');
    else if (token.style === 'color') {
      if (token.type === 'open') colors.push(token.color);
      else colors.pop();
    } else if (token.type === 'open') styles.add(token.style);
    else styles.delete(token.style);
  }
  return written.end();
}
